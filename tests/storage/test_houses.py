"""What belongs to one house is not found in another, on either engine."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from judge.storage import GameState, Outward, Person, PersonOptions, Storage, models
from tests.storage.test_contract import NOW, add_game, add_seat, letter


def with_person(storage: Storage, address: str, **options: bool) -> Person:
    with storage.transaction():
        options_ = PersonOptions(**options)  # type: ignore[arg-type]
        person = Person(name=Outward(address), created_at=NOW, options=options_)
        storage.people.add(person)
        storage.people.add_address(person.id, address, NOW, proved=True)
    return person


def accept(storage: Storage, raw: bytes, house: str) -> int:
    came = {"door": "smtp", "envelope_from": "", "envelope_to": [], "received_at": NOW}
    return storage.inbound.accept(raw, house=house, **came).mail_id  # type: ignore[arg-type]


def test_names_and_addresses_are_each_houses_own(storage: Storage) -> None:
    main, club = storage.of(""), storage.of("club")
    games = [add_game(each) for each in (main, club)]
    people = [with_person(each, "ann@example.org") for each in (main, club)]
    assert games[0].id != games[1].id
    for own, other, mine, me in (
        (main, club, games[0], people[0]),
        (club, main, games[1], people[1]),
    ):
        found = own.games.by_name("paris")
        assert found is not None
        assert found.id == mine.id
        assert own.games.all() == [found]
        assert other.games.find(mine.id) is None
        with other.transaction():
            assert other.games.claim(mine.id) is None
        by_address = own.people.by_address("ann@example.org")
        assert by_address is not None
        assert by_address.id == me.id
        assert other.people.find(me.id) is None
        assert other.people.addresses(me.id) == []
        assert own.people.names() == {me.id: me.name}
    assert storage.houses.all() == {"", "club"}
    assert [storage.houses.of_game(each.id) for each in games] == ["", "club"]


def test_what_is_read_and_saved_stays_where_it_is(storage: Storage) -> None:
    club, main = storage.of("club"), storage.of("")
    add_seat(club, add_game(club))
    ann = with_person(club, "ann@example.org")
    game = club.games.by_name("paris")
    assert game is not None
    game.state = GameState.ACTIVE
    ann.name = Outward("Ann of the club")
    with club.transaction():
        club.games.save(game)
        club.people.save(ann)
    assert main.games.all() == []
    assert main.people.names() == {}
    assert club.people.names()[ann.id] == "Ann of the club"
    # Nor can a house write to what is another's.
    ann.name = Outward("Nobody")
    with main.transaction():
        main.people.save(replace(ann))
    assert club.people.names()[ann.id] == "Ann of the club"


def test_one_mail_to_two_houses_is_two(storage: Storage) -> None:
    raw = b"From: ann@x.org\r\nMessage-ID: <1@x>\r\n\r\nhi\r\n"
    first, second = accept(storage, raw, ""), accept(storage, raw, "club")
    assert first != second
    assert accept(storage, raw, "club") == second
    assert storage.of("club").inbound.next_new() == second
    assert storage.of("").inbound.next_new() == first
    assert storage.houses.of_mail(second) == "club"
    with storage.of("").transaction():
        assert storage.of("").inbound.claim(second) is None


def test_the_keepers_book_pulse_letters_and_log_are_each_houses_own(storage: Storage) -> None:
    club, main = storage.of("club"), storage.of("")
    for each, text in ((club, "Be kind."), (main, "Be quick.")):
        with each.transaction():
            each.keeper_settings.put("rules", text)
            each.heartbeat.beat(NOW)
            each.events.log(NOW, "registered", {"of": text})
            each.outbound.queue(letter(len(text)))
    with main.transaction():
        main.heartbeat.beat(NOW + timedelta(hours=1))
    assert club.keeper_settings.get("rules") == "Be kind."
    assert storage.keeper_settings.get("rules") == "Be quick."
    assert club.heartbeat.last() == NOW
    assert storage.heartbeat.last() == NOW + timedelta(hours=1)
    assert [each.facts for each in club.events.last()] == [{"of": "Be kind."}]
    assert club.outbound.lately(("results",), NOW - timedelta(1)) == 1
    [queued] = club.outbound.answered(["<8@example.com>"], "", None, 5)
    assert main.outbound.find(queued.id) is None
    assert storage.houses.of_letter(queued.id) == "club"


def test_figures_count_one_house(storage: Storage) -> None:
    club, main = storage.of("club"), storage.of("")
    add_seat(club, add_game(club))
    happened = main.statistics.happened(NOW - timedelta(1), NOW, without="digest")
    assert (happened.people, happened.phases) == ([], 0)
    assert main.queue_metrics.doubtful(tuple(GameState), ()) == []
    assert main.games.marks() == {}
    assert len(club.games.marks()) == 1


def test_people_are_known_across_houses_by_a_wish_in_both(storage: Storage) -> None:
    club, main = storage.of("club"), storage.of("")
    here = with_person(main, "ann@example.org", known=True)
    there = with_person(club, "ann@example.org")
    with_person(club, "bob@example.org", known=True)
    assert main.people.elsewhere(here.id) == club.people.elsewhere(there.id) == []
    there.options = PersonOptions(known=True)
    with club.transaction():
        club.people.save(there)
    assert main.people.elsewhere(here.id) == [("club", there.id)]
    assert club.people.elsewhere(there.id) == [("", here.id)]


def test_a_copy_has_all_houses(storage: Storage, tmp_path: Path) -> None:
    club = storage.of("club")
    add_game(club)
    club.write_file(tmp_path / "copy.db")
    copied = Storage.open(f"sqlite:{tmp_path / 'copy.db'}")
    assert copied.digests() == club.digests() == storage.digests()
    assert len(copied.of("club").games.all()) == 1
    copied.close()


OF_OTHERS = {
    *("seat", "orders", "phase_run", "rollback", "press", "conduct", "note", "file", "entrant"),
    "tournament_board",
}
"""The tables whose rows belong to a game, a person or a tournament of a house."""

OF_ALL = {"secret", "alarm"}


def test_every_table_is_of_a_house_or_of_what_is(storage: Storage) -> None:
    club = storage.of("club")._engine
    every: tuple[Any, ...] = models.ALL
    for model in every:
        name = model._meta.table_name
        if name in OF_OTHERS | OF_ALL:
            assert not issubclass(model, models.HousedModel)
            continue
        changes = model.update({model.house: "stolen"}).where(model.id > 0)
        for query in (model.select(model.id), changes, model.delete()):
            sql, values = club._within(query).sql()
            assert '"house" = ?' in sql, name
            assert values[-1] == "club"
            assert storage._engine._within(query).sql() == query.sql()
