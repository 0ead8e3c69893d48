"""What a storage promises, whatever keeps it.

It knows nothing but `Storage` and its parts. Another implementation is held to it by the fixtures
in `conftest`: `new_url` says where an empty one is, and `storage` opens it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import peewee
import pytest
from msgspec.structs import replace

from judge.storage import (
    AddressState,
    AlreadyRun,
    DiaryPage,
    Game,
    GameOptions,
    GameState,
    InboundState,
    LogEntry,
    NameTaken,
    OutboundMessage,
    OutboundState,
    Outward,
    Person,
    PhaseRun,
    Press,
    Role,
    Rollback,
    Seat,
    SeatState,
    Snapshot,
    Stale,
    Storage,
    Ticket,
    TooMuch,
    Vote,
)

NOW = datetime(2026, 6, 15, 20, 0, 0, 123456, tzinfo=UTC)
HOUR = timedelta(hours=1)
MAIL = b"From: ann@example.org\r\nMessage-ID: <1@example.org>\r\n\r\nA Par - Bur\r\n"


def accept(storage: Storage, raw: bytes = MAIL) -> int:
    return storage.inbound.accept(
        raw,
        door="smtp",
        envelope_from="ann@example.org",
        envelope_to=["judge@example.com"],
        received_at=NOW,
    ).mail_id


def game(**values: Any) -> Game:
    facts: dict[str, Any] = {"name": "paris", "variant": "standard", "created_at": NOW}
    return Game(**facts | values)


def add_game(storage: Storage, **values: Any) -> Game:
    with storage.transaction():
        return storage.games.add(game(**values))


def add_seat(storage: Storage, game: Game) -> Seat:
    with storage.transaction():
        person = storage.people.add(Person(name=Outward("Ann"), created_at=NOW))
        return storage.seats.add(
            Seat(game_id=game.id, person_id=person.id, role=Role.PLAYER, joined_at=NOW)
        )


def letter(number: int, **values: Any) -> OutboundMessage:
    facts: dict[str, Any] = {
        "message_id": f"<{number}@example.com>",
        "recipient": "ann@example.org",
        "kind": "results",
        "subject": "JUDGE:paris - S1901M Results",
        "raw": b"Subject: x\r\n\r\n",
        "next_try": NOW,
        "queued_at": NOW,
    }
    return OutboundMessage(**facts | values)


def queue(storage: Storage, *letters: OutboundMessage) -> list[OutboundMessage]:
    with storage.transaction():
        for each in letters:
            storage.outbound.queue(each)
    ids = [each.message_id for each in letters]
    found = storage.outbound.answered(ids, "", None, len(ids))[::-1]
    return [queued for one in found if (queued := storage.outbound.find(one.id)) is not None]


def test_several_are_found_at_once(storage: Storage) -> None:
    with storage.transaction():
        ann, bob, cleo = (storage.people.add(Person(created_at=NOW)).id for _ in range(3))
        storage.people.add_address(bob, "bob@example.org", NOW)
    assert [each.id for each in storage.people.all_of([cleo, ann])] == [ann, cleo]
    assert storage.people.all_of([]) == []
    found = storage.people.all_addresses([ann, bob])
    assert {key: len(each) for key, each in found.items()} == {ann: 0, bob: 1}


class TestMails:
    def test_a_mail_is_kept_as_it_came(self, storage: Storage) -> None:
        raw = bytes(range(256)) * 4
        mail = storage.inbound.find(accept(storage, raw))
        assert mail is not None
        assert (mail.raw, mail.door, mail.state) == (raw, "smtp", "new")
        assert mail.envelope_to == ["judge@example.com"]
        assert mail.received_at == NOW

    def test_a_mail_of_five_megabytes_is_kept(self, storage: Storage) -> None:
        raw = MAIL + b"x" * 5_000_000
        mail = storage.inbound.find(accept(storage, raw))
        assert mail is not None
        assert mail.raw == raw

    def test_a_mail_that_comes_twice_is_stored_once(self, storage: Storage) -> None:
        first = accept(storage)
        again = storage.inbound.accept(
            b"Received: by another way\r\n" + MAIL,
            door="imap",
            envelope_from="",
            envelope_to=[],
            received_at=NOW + HOUR,
        )
        assert (again.mail_id, again.duplicate) == (first, True)
        assert storage.inbound.count(InboundState.NEW) == 1

    def test_one_message_id_with_another_text_is_another_mail(self, storage: Storage) -> None:
        assert accept(storage) != accept(storage, MAIL + b"A Mar - Spa\r\n")

    def test_a_message_id_without_end_is_no_reason_to_lose_a_mail(self, storage: Storage) -> None:
        """Chosen so that it cannot be compressed, for an index has no room for all of it."""
        letters = "".join(chr(0x4E00 + number * 7919 % 20_000) for number in range(3000))
        raw = f"Message-ID: <{letters}>\r\n\r\nA Par - Bur\r\n".encode()
        first = accept(storage, raw)
        assert accept(storage, raw) == first
        assert accept(storage, raw + b"A Mar - Spa\r\n") != first

    def test_what_a_database_cannot_hold_as_text_is_no_reason_to_lose_a_mail(
        self, storage: Storage
    ) -> None:
        raw = b"Message-ID: <\x00\xff@x>\r\n\r\n\x00"
        accepted = storage.inbound.accept(
            raw, door="smtp", envelope_from="\udcff\x00", envelope_to=["\udcff"], received_at=NOW
        )
        mail = storage.inbound.find(accepted.mail_id)
        assert mail is not None
        assert mail.raw == raw
        assert mail.envelope_from == "��"

    def test_mails_are_worked_in_the_order_they_came(self, storage: Storage) -> None:
        assert storage.inbound.waiting_since() is None
        first, second = accept(storage), accept(storage, MAIL + b"2")
        assert storage.inbound.next_new() == first
        assert storage.inbound.next_new(after=first) == second
        assert storage.inbound.waiting_since() == NOW
        with storage.transaction():
            assert storage.inbound.claim(first) is not None
            storage.inbound.done(first, NOW)
        assert storage.inbound.next_new() == second
        with storage.transaction():
            assert storage.inbound.claim(first) is None

    def test_a_mail_is_done_only_if_its_transaction_is(self, storage: Storage) -> None:
        mail_id = accept(storage)

        def work() -> None:
            with storage.transaction():
                storage.inbound.done(mail_id, NOW)
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            work()
        assert storage.inbound.next_new() == mail_id

    def test_what_a_mail_was_about_is_noted(self, storage: Storage) -> None:
        mail_id = accept(storage)
        with storage.transaction():
            paris = storage.games.add(game())
            ann = storage.people.add(Person(name=Outward("Ann"), created_at=NOW))
            storage.inbound.done(mail_id, NOW, game_id=paris.id, person_id=ann.id)
        mail = storage.inbound.find(mail_id)
        assert mail is not None
        assert (mail.state, mail.game_id, mail.person_id) == ("done", paris.id, ann.id)
        assert mail.worked_at == NOW

    def test_a_held_mail_keeps_its_problem_and_can_be_retried(self, storage: Storage) -> None:
        mail_id = accept(storage)
        with storage.transaction():
            storage.inbound.blame(mail_id, "again", NOW)
        assert [(each.id, each.attempts) for each in storage.inbound.failed()] == [(mail_id, 1)]
        with storage.transaction():
            storage.inbound.hold(mail_id, "Traceback: ...", NOW)
        assert storage.inbound.next_new() is None
        assert [mail.problem for mail in storage.inbound.held()] == ["Traceback: ..."]
        assert storage.inbound.retry(mail_id)
        assert not storage.inbound.retry(mail_id)
        assert storage.inbound.next_new() == mail_id
        assert storage.inbound.failed() == []

    def test_a_mail_is_claimed_by_one_worker(self, storage: Storage) -> None:
        ids = [accept(storage, MAIL + bytes([65 + number])) for number in range(8)]
        processed: list[int] = []
        together = threading.Barrier(4)

        def work() -> None:
            together.wait()
            for mail_id in ids:
                with storage.transaction():
                    if storage.inbound.claim(mail_id) is not None:
                        processed.append(mail_id)
                        storage.inbound.done(mail_id, NOW)

        in_threads(work, 4)
        assert sorted(processed) == ids


class TestTransactions:
    def test_they_are_flat(self, storage: Storage) -> None:
        with (
            storage.transaction(),
            pytest.raises(RuntimeError, match="flat"),
            storage.transaction(),
        ):
            pass

    def test_a_write_outside_is_refused(self, storage: Storage) -> None:
        with pytest.raises(RuntimeError, match="belongs in"):
            storage.games.add(game())
        with pytest.raises(RuntimeError, match="belongs in"):
            storage.outbound.queue(letter(1))

    def test_others_see_nothing_before_the_end(self, storage: Storage) -> None:
        seen: list[object] = []
        with storage.transaction():
            storage.games.add(game())
            in_threads(lambda: seen.append(storage.games.by_name("paris")), 1)
        assert seen == [None]
        assert storage.games.by_name("paris") is not None


class TestTimes:
    def test_an_instant_comes_back_as_it_was_in_utc(self, storage: Storage) -> None:
        there = NOW.astimezone(timezone(timedelta(hours=9)))
        paris = add_game(storage, deadline=there)
        found = storage.games.find(paris.id)
        assert found is not None
        assert found.deadline == NOW
        assert found.deadline.tzinfo is UTC

    def test_a_time_without_zone_is_refused(self, storage: Storage) -> None:
        with pytest.raises(ValueError, match="time zone"):
            add_game(storage, deadline=NOW.replace(tzinfo=None))


class TestGames:
    def test_a_game_comes_back_as_it_was_saved(self, storage: Storage) -> None:
        paris = add_game(storage, name="Paris", options=GameOptions(seed="x"))
        assert paris.name == "paris"
        paris.phase = "S1901M"
        paris.position = {"units": {"France": ["A par", "F bre"]}, "ß": None}
        paris.settings = {"move": {"next": 47.5}, "dias": True}
        paris.wake_at = paris.deadline = NOW
        with storage.transaction():
            storage.games.save(paris)
        assert storage.games.find(paris.id) == paris
        assert storage.games.by_name("PARIS") == paris

    def test_games_share_nothing_that_can_change(self, storage: Storage) -> None:
        ids = [add_game(storage, name=name, options=GameOptions()).id for name in ("a", "b")]
        one, other = (storage.games.find(each) for each in ids)
        assert one is not None
        assert other is not None
        assert one.options == other.options == GameOptions()
        assert one.options.proposals is not other.options.proposals

    def test_names_are_taken_once(self, storage: Storage) -> None:
        add_game(storage)
        with storage.transaction():
            with pytest.raises(NameTaken):
                storage.games.add(game(name="PARIS"))
            # The transaction goes on: the mail that asked for it is answered in it.
            storage.games.add(game(name="rome"))
        assert [each.name for each in storage.games.all()] == ["paris", "rome"]

    def test_a_stale_copy_is_not_saved(self, storage: Storage) -> None:
        paris = add_game(storage)
        other = replace(paris)
        with storage.transaction():
            for title in ("The first", "The second"):
                paris.title = title
                storage.games.save(paris)
        with pytest.raises(Stale), storage.transaction():
            storage.games.save(other)

    def test_a_game_is_worked_by_one_at_a_time(self, storage: Storage, url: str) -> None:
        paris = add_game(storage, settings={"count": 0})
        together = threading.Barrier(4)

        def work() -> None:
            # As another process does: with connections and locks of its own.
            mine = Storage.open(url)
            together.wait()
            for _ in range(5):
                with mine.transaction():
                    game = mine.games.claim(paris.id)
                    assert game is not None
                    game.settings = {"count": game.settings["count"] + 1}
                    mine.games.save(game)
            mine.close()

        in_threads(work, 4)
        found = storage.games.find(paris.id)
        assert found is not None
        assert found.settings == {"count": 20}

    def test_no_game_no_claim(self, storage: Storage) -> None:
        with storage.transaction():
            assert storage.games.claim(7) is None

    def test_the_clock_finds_what_is_due(self, storage: Storage) -> None:
        late = add_game(storage, name="late", wake_at=NOW)
        later = add_game(storage, name="later", wake_at=NOW - HOUR)
        add_game(storage, name="future", wake_at=NOW + HOUR)
        add_game(storage, name="never")
        assert storage.games.due(NOW) == [later.id, late.id]
        assert storage.games.due(NOW - HOUR - HOUR) == []
        assert storage.games.due(NOW, limit=1) == [later.id]
        assert storage.games.next_wake() == NOW - HOUR

    def test_nothing_wakes_a_clock_without_games(self, storage: Storage) -> None:
        add_game(storage)
        assert storage.games.next_wake() is None

    def test_by_state_thread_and_person(self, storage: Storage) -> None:
        paris = add_game(storage, thread="<root@example.com>")
        rome = add_game(storage, name="rome", state="active")
        with storage.transaction():
            ann = storage.people.add(Person(name=Outward("Ann"), created_at=NOW))
            for each, state in ((paris, SeatState.ACTIVE), (rome, SeatState.RESIGNED)):
                storage.seats.add(
                    Seat(
                        game_id=each.id,
                        person_id=ann.id,
                        role=Role.PLAYER,
                        state=state,
                        joined_at=NOW,
                    )
                )
        assert storage.games.all([GameState.ACTIVE]) == [rome]
        assert storage.games.by_thread(["<no@x>", "<root@example.com>"]) == paris
        assert storage.games.by_thread([]) is None
        assert storage.games.of_person(ann.id) == [paris]
        assert storage.games.of_person(ann.id, [GameState.ENDED]) == []


class TestSeats:
    def test_one_person_may_hold_several(self, storage: Storage) -> None:
        paris = add_game(storage)
        with storage.transaction():
            ann = storage.people.add(Person(name=Outward("Ann"), created_at=NOW))
            master = Seat(game_id=paris.id, person_id=ann.id, role=Role.MASTER, joined_at=NOW)
            player = Seat(game_id=paris.id, person_id=ann.id, role=Role.PLAYER, joined_at=NOW)
            storage.seats.add(master)
            storage.seats.add(player)
            player.power, player.wait = "France", True
            player.draw = Vote(frozenset({"England", "France"}))
            storage.seats.save(player)
        assert storage.seats.of_game(paris.id) == [master, player]
        assert storage.seats.of_person(ann.id) == [master, player]


class TestPeople:
    def test_a_person_is_found_by_any_address(self, storage: Storage) -> None:
        with storage.transaction():
            person = Person(name=Outward("Ann"), time_zone="Asia/Tokyo", created_at=NOW)
            ann = storage.people.add(person)
            assert storage.people.add_address(ann.id, "Ann@Example.org", NOW, proved=True)
            assert storage.people.add_address(ann.id, " ann.lee@work.example ", NOW)
            assert not storage.people.add_address(ann.id, "ann@example.org", NOW)
        assert storage.people.by_address("ANN.LEE@work.example") == ann
        assert storage.people.by_address("bob@example.org") is None
        both = storage.people.addresses(ann.id)
        assert [(each.address, each.proved) for each in both] == [
            ("ann@example.org", True),
            ("ann.lee@work.example", False),
        ]

    def test_what_changed_is_kept(self, storage: Storage) -> None:
        with storage.transaction():
            ann = storage.people.add(Person(name=Outward("Ann"), created_at=NOW))
            storage.people.add_address(ann.id, "ann@example.org", NOW)
            ann.name, ann.country = Outward("Ann Lee"), "Japan"
            storage.people.save(ann)
            address = storage.people.addresses(ann.id)[0]
            address.state = AddressState.FAILING
            storage.people.save_address(address)
        assert storage.people.find(ann.id) == ann
        assert storage.people.addresses(ann.id) == [address]

    def test_only_what_changed_is_written(self, storage: Storage) -> None:
        with storage.transaction():
            ann_id = storage.people.add(Person(name=Outward("Ann"), created_at=NOW)).id
        one, other = storage.people.find(ann_id), storage.people.find(ann_id)
        assert one is not None
        assert other is not None
        one.name, other.country = Outward("Ann Lee"), "Japan"
        with storage.transaction():
            storage.people.save(one)
            storage.people.save(other)
            one.name = Outward("Ann")
            storage.people.save(one)
        found = storage.people.find(ann_id)
        assert found is not None
        assert (found.name, found.country) == ("Ann", "Japan")


class TestOrders:
    def test_the_orders_of_a_power_are_replaced_as_a_whole(self, storage: Storage) -> None:
        paris = add_game(storage)
        first, second = accept(storage), accept(storage, MAIL + b"2")
        with storage.transaction():
            put = storage.orders(paris.id).replace
            put("S1901M", "France", ["A par H", "F bre H"], arrived_at=NOW, mail_id=first)
            put("S1901M", "Italy", ["A ven H"], arrived_at=NOW)
            put("F1901M", "France", ["A mar - spa"], arrived_at=NOW)
        with storage.transaction():
            put(
                "S1901M",
                "France",
                ["F bre H", "A par - bur"],
                arrived_at=NOW + HOUR,
                mail_id=second,
            )
        by_power = storage.orders(paris.id).of_phase("S1901M")
        assert list(by_power) == ["France", "Italy"]
        assert [(each.text, each.mail_id, each.arrived_at) for each in by_power["France"]] == [
            ("F bre H", first, NOW),
            ("A par - bur", second, NOW + HOUR),
        ]
        assert sorted(storage.orders(paris.id).of_power("France")) == ["F1901M", "S1901M"]
        with storage.transaction():
            storage.orders(paris.id).drop("S1901M")
        assert storage.orders(paris.id).of_phase("S1901M") == {}
        assert sorted(storage.orders(paris.id).of_power("France")) == ["F1901M"]


class TestHistory:
    def run(self, paris: Game, phase: str) -> PhaseRun:
        return PhaseRun(
            game_id=paris.id,
            phase=phase,
            position={"units": {}},
            orders={"France": ["A par H"]},
            results={"A par": "success"},
            processed_at=NOW,
        )

    def test_a_phase_runs_once(self, storage: Storage) -> None:
        paris, rome = add_game(storage), add_game(storage, name="rome")
        with storage.transaction():
            storage.history.add(self.run(paris, "S1901M"))
            storage.history.add(self.run(rome, "S1901M"))
        with pytest.raises(AlreadyRun), storage.transaction():
            storage.history.add(self.run(paris, "S1901M"))
        assert [each.phase for each in storage.history.of_game(paris.id)] == ["S1901M"]

    def ran(self, storage: Storage, game: Game, *phases: str) -> None:
        with storage.transaction():
            for phase in phases:
                storage.history.add(self.run(game, phase))

    def roll_back(self, storage: Storage, game: Game, phase: str) -> Rollback:
        kept = Snapshot(state=GameState.ACTIVE, position=None, orders={})
        with storage.transaction():
            return storage.history.roll_back(
                Rollback(game_id=game.id, phase=phase, at=NOW, kept=kept)
            )

    def phases(self, storage: Storage, game: Game) -> list[str]:
        return [each.phase for each in storage.history.of_game(game.id)]

    def test_the_past_can_be_read(self, storage: Storage) -> None:
        paris = add_game(storage)
        assert storage.history.last(paris.id) is None
        self.ran(storage, paris, "S1901M", "F1901M", "W1901A")
        last = storage.history.last(paris.id)
        assert last is not None
        assert last == storage.history.find(paris.id, "W1901A")

    def test_what_was_rolled_back_is_kept_and_may_run_again_once(self, storage: Storage) -> None:
        paris, rome = add_game(storage), add_game(storage, name="rome")
        self.ran(storage, rome, "S1901M", "F1901M")
        self.ran(storage, paris, "S1901M", "F1901M", "W1901A")
        made = self.roll_back(storage, paris, "F1901M")
        assert self.phases(storage, paris) == ["S1901M"]
        assert self.phases(storage, rome) == ["S1901M", "F1901M"]
        assert storage.history.find(paris.id, "F1901M") is None
        assert [each.phase for each in storage.history.rolled_back(made.id)] == ["F1901M", "W1901A"]
        with pytest.raises(LookupError), storage.transaction():
            storage.history.roll_back(replace(made, id=0))
        self.ran(storage, paris, "F1901M")
        with pytest.raises(AlreadyRun):
            self.ran(storage, paris, "F1901M")
        assert storage.history.last_rollback(paris.id) is None

    def test_rollbacks_are_taken_back_from_the_last_one_on(self, storage: Storage) -> None:
        paris = add_game(storage)
        assert storage.history.last_rollback(paris.id) is None
        self.ran(storage, paris, "S1901M", "F1901M", "W1901A")
        first = self.roll_back(storage, paris, "W1901A")
        second = self.roll_back(storage, paris, "S1901M")
        assert storage.history.last_rollback(paris.id) == second
        with storage.transaction():
            storage.history.restore(second, NOW)
        assert self.phases(storage, paris) == ["S1901M", "F1901M"]
        assert storage.history.last_rollback(paris.id) == first
        with storage.transaction():
            storage.history.restore(first, NOW)
        assert self.phases(storage, paris) == ["S1901M", "F1901M", "W1901A"]
        assert storage.history.last_rollback(paris.id) is None


class TestPressAndLog:
    def test_press_is_kept_with_whatever_was_typed(self, storage: Storage) -> None:
        paris = add_game(storage)
        with storage.transaction():
            said = storage.press.add(
                Press(
                    game_id=paris.id,
                    phase="S1901M",
                    sender_id=None,
                    from_label="France",
                    to=["England"],
                    text=Outward("Ça va? 你好 '; DROP TABLE press; --"),
                    sent_at=NOW,
                )
            )
        assert storage.press.of_game(paris.id) == [said]

    def test_held_press_waits_until_it_is_released(self, storage: Storage) -> None:
        paris = add_game(storage)
        seat = add_seat(storage, paris)
        with storage.transaction():
            said = storage.press.add(
                Press(
                    game_id=paris.id,
                    phase="S1901M",
                    sender_id=seat.id,
                    from_label="France",
                    to=["All"],
                    text=Outward("Later."),
                    sent_at=NOW,
                    public=True,
                    held=True,
                )
            )
        assert storage.press.held(paris.id) == [said]
        assert storage.press.broadcasts([seat.id], "S1901M") == 1
        assert storage.press.broadcasts([seat.id], "F1901M") == 0
        with storage.transaction():
            storage.press.release(replace(said, sent_at=NOW + timedelta(days=1), seats=[seat.id]))
        assert storage.press.held(paris.id) == []
        found = storage.press.find(said.id)
        assert found == replace(said, held=False, sent_at=NOW + timedelta(days=1), seats=[seat.id])

    def test_a_diary_counts_its_pages(self, storage: Storage) -> None:
        paris = add_game(storage)
        seat = add_seat(storage, paris)
        with storage.transaction():
            pages = [
                storage.diaries.add(
                    DiaryPage(
                        game_id=paris.id,
                        seat_id=seat.id,
                        number=0,
                        phase=None,
                        text=Outward(text),
                        at=NOW,
                    )
                )
                for text in ("one", "two", "three")
            ]
        assert [page.number for page in pages] == [1, 2, 3]
        assert storage.diaries.of_seat(seat.id) == storage.diaries.of_game(paris.id) == pages
        with storage.transaction():
            storage.diaries.remove(pages[1].id)
        assert storage.diaries.of_seat(seat.id) == [pages[0], pages[2]]

    def test_the_log_reads_in_order(self, storage: Storage) -> None:
        paris = add_game(storage)
        with storage.transaction():
            for what in ("created", "joined"):
                storage.events.add(
                    LogEntry(at=NOW, game_id=paris.id, actor="ann", what=what, facts={"n": 1})
                )
        assert [each.what for each in storage.events.of_game(paris.id)] == ["created", "joined"]
        assert [each.what for each in storage.events.last(1)] == ["joined"]


class TestLetters:
    def test_a_letter_is_queued_with_what_caused_it_or_not_at_all(self, storage: Storage) -> None:
        def work() -> None:
            with storage.transaction():
                storage.outbound.queue(letter(1))
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            work()
        assert storage.outbound.count(OutboundState.QUEUED) == 0

    def test_what_is_refused_undoes_all_wherever_it_shows(self, storage: Storage) -> None:
        def twice() -> None:
            with storage.transaction():
                storage.games.add(game())
                for _ in range(2):
                    storage.outbound.queue(letter(1))
                storage.events.add(LogEntry(at=NOW, game_id=None, actor="ann", what="x"))

        with pytest.raises(peewee.IntegrityError):
            twice()
        assert storage.games.all() == []
        assert storage.outbound.count(OutboundState.QUEUED) == 0
        queue(storage, letter(1))
        assert storage.outbound.count(OutboundState.QUEUED) == 1

    def test_due_letters_go_out_in_order_and_once(self, storage: Storage) -> None:
        first, later, second = queue(storage, letter(1), letter(2, next_try=NOW + HOUR), letter(3))
        with storage.outbound.claimed(NOW) as due:
            assert due == [first, second]
            storage.outbound.sent(first.id, NOW)
        assert storage.outbound.next_due() == NOW
        with storage.outbound.claimed(NOW) as due:
            assert due == [second]
            storage.outbound.failed(second.id, "451 later", NOW + HOUR + HOUR)
        assert storage.outbound.next_due() == NOW + HOUR
        with storage.outbound.claimed(NOW) as due:
            assert due == []
        with storage.outbound.claimed(NOW + HOUR + HOUR) as due:
            assert [(each.id, each.attempts, each.error) for each in due] == [
                (later.id, 0, None),
                (second.id, 1, "451 later"),
            ]

    def test_letters_leave_in_the_order_of_their_time(self, storage: Storage) -> None:
        late, early, middle = queue(
            storage,
            letter(1, next_try=NOW),
            letter(2, next_try=NOW - HOUR - HOUR),
            letter(3, next_try=NOW - HOUR),
        )
        with storage.outbound.claimed(NOW, 2) as due:
            assert due == [early, middle]
            assert due.more
        with storage.outbound.claimed(NOW) as due:
            assert due == [early, middle, late]
            assert not due.more

    def test_each_of_several_senders_has_letters_of_its_own(self, storage: Storage) -> None:
        first, second, third = queue(storage, letter(1), letter(2), letter(3))

        def claim(limit: int) -> list[int]:
            with storage.outbound.claimed(NOW, limit) as due:
                return [each.id for each in due]

        with ThreadPoolExecutor(1) as other, storage.outbound.claimed(NOW, 1) as mine:
            assert [each.id for each in mine] == [first.id]
            assert other.submit(claim, 1).result() == [second.id]
            assert other.submit(claim, 2).result() == [second.id]
            assert other.submit(claim, 10).result() == [second.id, third.id]
            storage.outbound.sent(second.id, NOW)
            storage.outbound.sent(third.id, NOW)
            assert other.submit(claim, 1).result() == []
        assert claim(1) == [first.id]

    def test_a_message_id_is_used_once(self, storage: Storage) -> None:
        queue(storage, letter(1))
        with pytest.raises(Exception, match=r"(?i)unique"):
            queue(storage, letter(1))
        assert storage.outbound.count(OutboundState.QUEUED) == 1

    def test_an_answer_finds_its_letter(self, storage: Storage) -> None:
        paris = add_game(storage)
        mail_id = accept(storage)
        one, two = queue(storage, letter(1), letter(2, game_id=paris.id, mail_id=mail_id, raw=b"y"))
        ids = ["<else@x>", one.message_id, two.message_id]
        (found,) = storage.outbound.answered(ids, "", None, 1)
        assert (found.id, found.game_id) == (two.id, paris.id)
        assert storage.outbound.text(two.id) == two.raw
        assert storage.outbound.answered(["<else@x>"], "", None, 1) == []
        assert storage.outbound.answered([], "", None, 1) == []
        assert storage.outbound.of_mail(mail_id) == [two]
        assert storage.outbound.of_game(paris.id) == [two]
        assert storage.outbound.find(one.id) == one

    def test_a_quoted_letter_is_found_by_when_and_to_whom_it_was_queued(
        self, storage: Storage
    ) -> None:
        one, two, _ = queue(
            storage,
            letter(1),
            letter(2, queued_at=NOW + HOUR),
            letter(3, recipient="bob@example.org"),
        )
        answered, ann = storage.outbound.answered, "ann@example.org"
        assert [each.id for each in answered([], ann, NOW, 9)] == [one.id]
        assert [each.id for each in answered([two.message_id], ann, NOW, 9)] == [two.id]
        assert [each.id for each in answered(["<else@x>"], ann, NOW, 9)] == [one.id]
        assert answered([], ann, NOW - HOUR, 9) == []

    def test_the_last_letters_are_those_of_one_reader(self, storage: Storage) -> None:
        ann = add_seat(storage, add_game(storage)).person_id
        assert ann is not None
        first, _, second = queue(
            storage, letter(1, person_id=ann), letter(2), letter(3, person_id=ann)
        )
        latest = storage.outbound.latest
        assert [each.id for each in latest(ann, 9)] == [second.id, first.id]
        assert [each.id for each in latest(ann, 1)] == [second.id]
        assert len(latest("ann@example.org", 9)) == 3
        assert latest("bob@example.org", 9) == []

    def test_each_attempt_is_counted_and_the_last_error_kept(self, storage: Storage) -> None:
        (one,) = queue(storage, letter(1))

        def now() -> tuple[str, int, str | None, datetime, datetime | None]:
            found = storage.outbound.find(one.id)
            assert found is not None
            return found.state, found.attempts, found.error, found.next_try, found.sent_at

        storage.outbound.postponed(one.id, "no route", NOW + HOUR)
        assert now() == ("queued", 0, "no route", NOW + HOUR, None)
        storage.outbound.failed(one.id, "451 later", NOW + HOUR * 2)
        assert now() == ("queued", 1, "451 later", NOW + HOUR * 2, None)
        storage.outbound.failed(one.id, "550 no", None)
        assert now() == ("failed", 2, "550 no", NOW + HOUR * 2, None)
        storage.outbound.sent(one.id, NOW + HOUR)
        assert now() == ("sent", 3, None, NOW + HOUR * 2, NOW + HOUR)

    def test_a_clock_that_was_ahead_keeps_no_letter_waiting(self, storage: Storage) -> None:
        ahead, tried, gone, due = queue(
            storage,
            letter(1, queued_at=NOW + HOUR, next_try=NOW + HOUR),
            letter(2, next_try=NOW + HOUR),
            letter(3, queued_at=NOW + HOUR, next_try=NOW + HOUR),
            letter(4, queued_at=NOW + HOUR, next_try=NOW - HOUR),
        )
        storage.outbound.sent(gone.id, NOW)
        with storage.transaction():
            storage.outbound.clock_set_back(NOW)
        found = [storage.outbound.find(each.id) for each in (ahead, tried, gone, due)]
        assert [each.next_try for each in found if each] == [
            NOW,
            NOW + HOUR,
            NOW + HOUR,
            NOW - HOUR,
        ]

    def test_what_is_kept_for_one_message_a_day_is_taken_once(self, storage: Storage) -> None:
        ann, bob = (add_seat(storage, add_game(storage, name=name)).person_id for name in "ab")
        assert ann is not None
        assert bob is not None
        kept, outbound = OutboundState.KEPT, storage.outbound
        assert outbound.next_kept() is None
        first, second, third, theirs, _ = queue(
            storage,
            letter(1, person_id=ann, state=kept, next_try=NOW + HOUR),
            letter(2, person_id=ann, state=kept, next_try=NOW + HOUR),
            letter(3, person_id=ann, state=kept, next_try=NOW + HOUR),
            letter(4, person_id=bob, state=kept, next_try=NOW + HOUR * 2),
            letter(5, person_id=ann),
        )
        assert outbound.next_due() == NOW
        assert outbound.next_kept() == NOW + HOUR
        assert outbound.kept_for(NOW) == []
        assert outbound.kept_for(NOW + HOUR) == [ann]
        with storage.transaction():
            outbound.move_kept(ann, NOW + HOUR * 3)
        assert outbound.next_kept() == NOW + HOUR * 2
        assert outbound.kept_for(NOW + HOUR * 2) == [bob]
        with storage.transaction():
            taken = [each.id for each in outbound.take_kept(ann)]
            assert taken == [first.id, second.id, third.id]
            assert outbound.take_kept(ann) == []
        assert outbound.count(OutboundState.TOLD) == 3
        assert outbound.kept_for(NOW + HOUR * 9) == [bob]
        found = outbound.find(theirs.id)
        assert found is not None
        assert found.state == kept

    def test_replies_are_counted_by_mailbox_however_it_is_spelled(self, storage: Storage) -> None:
        spelled = "ann@example.org", "ann+x@example.org", "ann@example.org.", "anna@example.org"
        dots = "a.n.n@gmail.com", "ann@googlemail.com", "an.n+y@gmail.com", "anna@gmail.com"
        others = "ann@example.com", "bob@gmail.com", "@gmail.com", "a@gmail.com"
        queue(
            storage,
            *(letter(at, recipient=to) for at, to in enumerate([*spelled, *dots, *others])),
            letter(20, kind="limit"),
            letter(21, kind="limit", queued_at=NOW - HOUR),
            letter(22, kind="limit", queued_at=NOW - HOUR * 2),
        )

        def lately(address: str, since: datetime = NOW - HOUR) -> dict[str, int]:
            return dict(storage.outbound.kinds_lately(since, address))

        assert lately("ann@example.org") == {"results": 2, "limit": 1}
        assert lately("Ann+z@example.org.") == {"results": 2, "limit": 1}
        assert lately("ann@example.org.") == {"results": 3, "limit": 1}
        assert lately("ann@example.org", NOW - HOUR * 3) == {"results": 2, "limit": 3}
        assert lately("ann@example.org", NOW) == {}
        assert lately("a.nn@gmail.com") == lately("ann@googlemail.com") == {"results": 3}
        assert lately("a@gmail.com") == lately("@gmail.com") == {"results": 1}

    def test_letters_to_a_person_are_those_about_one_game(self, storage: Storage) -> None:
        paris, oslo = add_game(storage), add_game(storage, name="oslo")
        ann, bob = (add_seat(storage, paris).person_id for _ in range(2))
        assert ann is not None
        about = {"person_id": ann, "game_id": paris.id}
        first, second, *_ = queue(
            storage,
            letter(1, **about),
            letter(2, **about, queued_at=NOW + HOUR),
            letter(3, **about, queued_at=NOW - HOUR),
            letter(4, person_id=bob, game_id=paris.id),
            letter(5, person_id=ann, game_id=oslo.id),
        )
        assert storage.outbound.to_person(paris.id, ann, NOW) == [first, second]


def in_threads(work: Any, count: int) -> None:
    """Run `work` in several threads to the end; what one raises fails the test."""
    problems: list[BaseException] = []

    def guarded() -> None:
        try:
            work()
        except BaseException as problem:
            problems.append(problem)

    threads = [threading.Thread(target=guarded) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    if problems:
        raise problems[0]


def ticket(**values: Any) -> Ticket:
    facts: dict[str, Any] = {
        "kind": "results",
        "address": "Ann@Example.org",
        "created_at": NOW,
        "expires_at": NOW + HOUR,
    }
    return Ticket(**facts | values)


class TestPulse:
    def test_the_last_beat_is_kept(self, storage: Storage) -> None:
        assert storage.heartbeat.last() is None
        for instant in (NOW, NOW + timedelta(minutes=1), NOW - timedelta(days=1)):
            with storage.transaction():
                storage.heartbeat.beat(instant)
            assert storage.heartbeat.last() == instant
        with pytest.raises(RuntimeError):
            storage.heartbeat.beat(NOW)


class TestTickets:
    def test_a_ticket_is_kept_as_it_was_made(self, storage: Storage) -> None:
        mail_id = accept(storage)
        with storage.transaction():
            paris = storage.games.add(game())
            ann = storage.people.add(Person(name=Outward("Ann"), created_at=NOW))
            made = storage.tickets.add(
                ticket(
                    person_id=ann.id,
                    game_id=paris.id,
                    phase="S1901M",
                    parts=["France", "Master"],
                    mail_id=mail_id,
                    claim="ann@work.example",
                )
            )
        assert made.id
        assert made.address == "ann@example.org"
        assert storage.tickets.find(made.id) == made
        assert storage.tickets.find(made.id + 1) is None

    def test_a_ticket_is_used_up_once(self, storage: Storage) -> None:
        with storage.transaction():
            made = storage.tickets.add(ticket(kind="question"))
            assert storage.tickets.use(made.id, NOW)
            assert not storage.tickets.use(made.id, NOW)

    def test_tickets_of_many_letters_are_kept_in_order(self, storage: Storage) -> None:
        with storage.transaction():
            made = storage.tickets.add_all([ticket(), ticket(address="Bob@Example.org")])
            assert storage.tickets.add_all([]) == []
        assert [each.address for each in made] == ["ann@example.org", "bob@example.org"]
        assert [storage.tickets.find(each.id) for each in made] == made

    def test_what_a_letter_asks_for_is_taken_from_it_once(self, storage: Storage) -> None:
        tickets = storage.tickets
        with storage.transaction():
            made, _ = tickets.add_all([ticket(claim="A\nB"), ticket()])
            assert tickets.claimed("Ann@example.org", NOW - HOUR) == [made]
            assert tickets.claimed("ann@example.org", NOW) == []
            assert tickets.claimed("bob@example.org", NOW - HOUR) == []
            assert tickets.reclaim(made.id, "A\nB", "B")
            assert not tickets.reclaim(made.id, "A\nB", "B")
            assert not tickets.reclaim(made.id + 1, "B", None)
        found = tickets.find(made.id)
        assert found is not None
        assert found.claim == "B"

    def test_one_question_at_a_time_is_asked_of_an_address(self, storage: Storage) -> None:
        tickets, mail_id = storage.tickets, accept(storage)
        asked = tickets.asked_since
        with storage.transaction():
            made = tickets.add(ticket(kind="question", claim="a@b.example"))
            tickets.add(ticket())
            assert asked("Ann@example.org", NOW - HOUR)
            assert not asked("ann@example.org", NOW)
            assert not asked("bob@example.org", NOW - HOUR)
            assert not asked("ann@example.org", NOW - HOUR, mails=True)
            tickets.use(made.id, NOW)
            assert not asked("ann@example.org", NOW - HOUR)
            tickets.add(ticket(kind="question", mail_id=mail_id))
            assert asked("ann@example.org", NOW - HOUR, mails=True)
            assert not asked("ann@example.org", NOW - HOUR)

    def test_an_address_has_one_mark_in_the_log_that_others_cannot_make(
        self, storage: Storage, new_url: Callable[..., str]
    ) -> None:
        mark, other = storage.tickets.mark, Storage.open(new_url(bare=True))
        assert mark("Ann@Example.org ") == mark("ann@example.org") != mark("bob@example.org")
        assert other.tickets.mark("ann@example.org") != mark("ann@example.org")
        assert len(mark("\udcff@example.org")) == 12
        other.close()

    def test_questions_wait_until_they_are_answered_or_too_old(self, storage: Storage) -> None:
        with storage.transaction():
            mails = [accept(storage), accept(storage, MAIL + b"2")]
            about = ticket(kind="question", mail_id=mails[0], parts=[f"{mails[0]} {mails[1]}"])
            storage.tickets.add(about)
            made = storage.tickets.add(ticket(kind="question", claim="a@b.example"))
            storage.tickets.add(ticket())
            assert storage.tickets.open_questions("ANN@example.org", NOW) == 1
            assert storage.tickets.open_questions("bob@example.org", NOW) == 0
            assert storage.tickets.open_questions("ann@example.org", NOW + HOUR) == 0
            storage.tickets.use(made.id, NOW)
            assert storage.tickets.open_questions("ann@example.org", NOW) == 0
        for mail_id in mails:
            assert storage.tickets.asked_about(mail_id, "ann@example.org")
        assert not storage.tickets.asked_about(mails[1] + 1, "ann@example.org")
        # Another one who wrote it was not asked, but for the mail that brought the question.
        assert storage.tickets.asked_about(mails[0], "bob@example.org") is not None
        assert storage.tickets.asked_about(mails[1], "bob@example.org") is None
        assert storage.tickets.told("bob@example.org", NOW) == set()
        with storage.transaction():
            storage.tickets.add(ticket(mail_id=mails[1], parts=[f"{mails[1] + 2}"]))
        assert storage.tickets.asked_about(mails[1], "bob@example.org") is None
        assert storage.tickets.told("ann@example.org", NOW) == set(mails)
        assert storage.tickets.told("ann@example.org", NOW) == set(mails)
        assert storage.tickets.told("ann@example.org", NOW + HOUR) == set()

    def test_every_database_has_a_secret_of_its_own(
        self, url: str, storage: Storage, new_url: Callable[..., str]
    ) -> None:
        again, other = Storage.open(url), Storage.open(new_url(bare=True))
        assert len(storage.tickets.secret) == 32
        assert again.tickets.secret == storage.tickets.secret != other.tickets.secret
        again.close()
        other.close()

    def test_a_mail_waits_for_its_sender(self, storage: Storage) -> None:
        first, second = accept(storage), accept(storage, MAIL + b"2")
        with storage.transaction():
            assert not storage.inbound.confirm(first, "token")
            for mail_id in (first, second):
                storage.inbound.ask(mail_id, NOW, "ann@example.org", None)
        assert storage.inbound.next_new() is None
        assert storage.inbound.held() == []
        with storage.transaction():
            assert storage.inbound.confirm(first, "token")
            assert storage.inbound.drop(second)
            assert not storage.inbound.drop(second)
        assert storage.inbound.next_new() == first
        mail = storage.inbound.find(first)
        assert mail is not None
        assert (mail.proof, mail.received_at, mail.attempts) == ("token", NOW, 0)

    def test_a_mail_without_its_password_is_still_the_same_mail(self, storage: Storage) -> None:
        mail_id = accept(storage)
        with storage.transaction():
            storage.inbound.rewrite(mail_id, b"blank")
        mail = storage.inbound.find(mail_id)
        assert mail is not None
        assert mail.raw == b"blank"
        assert accept(storage) == mail_id

    def test_addresses_are_proved_and_moved(self, storage: Storage) -> None:
        with storage.transaction():
            ann = storage.people.add(Person(name=Outward("Ann"), created_at=NOW))
            bob = storage.people.add(Person(name=Outward("Bob"), created_at=NOW))
            storage.people.add_address(ann.id, "ann@example.org", NOW)
            storage.people.prove("ANN@example.org")
            assert storage.people.addresses(ann.id)[0].proved
            storage.people.move_address("Ann@example.org", bob.id)
        assert storage.people.by_address("ann@example.org") == bob


def test_of_a_stranger_so_much_is_stored_in_a_day(storage: Storage) -> None:
    def take(number: int, who: str, door: str, now: datetime = NOW) -> bytes:
        raw = b"From: %s\r\nMessage-ID: <%d@x>\r\n\r\n%s" % (who.encode(), number, b"x" * 400)
        taken = storage.inbound.accept(
            raw, door=door, envelope_from="", envelope_to=[], received_at=now, most=1000
        )
        mail = storage.inbound.find(taken.mail_id)
        assert mail is not None
        return mail.raw

    for number in range(2):
        assert take(number, "eve@example.org", "smtp").endswith(b"xxx")
    with pytest.raises(TooMuch):
        take(2, "eve@example.org", "smtp")
    kept = take(3, "eve@example.org", "imap")
    assert b"From: eve" in kept
    assert b"xxx" not in kept
    assert take(4, "zoe@example.org", "smtp").endswith(b"xxx")
    assert take(5, "eve@example.org", "smtp", NOW + timedelta(hours=25)).endswith(b"xxx")
    with storage.transaction():
        person = storage.people.add(Person(name=Outward("Ann"), created_at=NOW))
        storage.people.add_address(person.id, "ann@example.org", NOW)
    for number in range(6, 12):
        assert take(number, "ann@example.org", "smtp").endswith(b"xxx")
