"""What a mail proves, and what has to be proved, on games that are in no database."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace
from typing import Any, cast

import pytest
from argon2 import PasswordHasher

from judge.game.state import State
from judge.game.state.answers import Answer, LineResult, Refused
from judge.game.state.profile import JudgeProfile, TrustLevel
from judge.intake import authentication
from judge.intake.authentication import (
    WRONG,
    Unproved,
    answered,
    give,
    is_keeper,
    is_readers,
    is_surely,
    level,
    lock,
    note_offers,
    prove,
    put_away,
    remember,
    shown,
    way_of,
    without,
    words_of,
)
from judge.intake.context import Answered, Cursor, FailedPassword, Report, Sender
from judge.limits import Limits
from judge.mail.address import ALL, Addresses
from judge.mail.headers import trace
from judge.mail.message import parse
from judge.mail.redact import REDACTED, UNREADABLE
from judge.storage import Address, InboundMessage, Outward, Person, Role, Seat, Storage, Ticket
from tests.game.on_paper import ANN, BOB, MAX, NOW, a_game, seat_of

ADDRESSES = Addresses("judge+*@judge.example", b"secret", "judge.example")
PROFILE = JudgeProfile(address="judge@judge.example", keeper="Kim@house.example")
RAW = (
    b"From: Ann <ann@people.example>\r\nTo: %s\r\nSubject: Orders\r\n"
    b"Message-ID: <1@people.example>\r\n%s\r\nA Vie H\r\n"
)
HOUR = timedelta(hours=1)


def raw(to: str = "judge@judge.example", more: str = "") -> bytes:
    return RAW % (to.encode(), more.encode())


def mail(data: bytes = b"", to: tuple[str, ...] = (), **more: Any) -> InboundMessage:
    facts: dict[str, Any] = {"door": "imap", "envelope_from": "ann@people.example"} | more
    return InboundMessage(
        id=5, received_at=NOW, message_id="", digest="", envelope_to=list(to),
        raw=data or raw(), **facts,
    )  # fmt: skip


def ticket(number: int = 7, **more: Any) -> Ticket:
    facts: dict[str, Any] = {"address": "ann@people.example", "person_id": ANN} | more
    return Ticket(id=number, kind="results", created_at=NOW, expires_at=NOW + HOUR, **facts)


def person(number: int = ANN) -> Person:
    return Person(id=number, name=Outward("Ann"), created_at=NOW)


def mailbox(*ways: str) -> Address:
    return Address(person_id=ANN, address="ann@people.example", added_at=NOW, ways=list(ways))


class Events:
    """The log, as far as wrong passwords stand in it."""

    def __init__(self) -> None:
        self.logged: list[Any] = []

    def log(self, at: Any, kind: str, facts: Any, *, actor: str, game_id: int) -> None:
        self.logged.append(
            SimpleNamespace(at=at, kind=kind, facts=facts, actor=actor, game_id=game_id)
        )

    def lately(self, kind: str, since: Any, game_id: int) -> list[Any]:
        return [
            each
            for each in self.logged
            if each.kind == kind and each.at > since and each.game_id == game_id
        ]


def cursor(state: State, *seats: int, who: int | None = ANN, **sender: Any) -> Cursor:
    """A cursor in these seats of a game; the sender was on file, by a way of theirs."""
    facts: dict[str, Any] = {
        "known_before": True,
        "way": "a way",
        "mailbox": mailbox("a way"),
    } | sender
    me = Sender(person=None if who is None else person(who), **facts)
    cast("Any", state.storage).events = Events()
    found = Cursor(storage=state.storage, sender=me, mail=mail(), events=[])
    found.state, found.seats = state, [seat_of(state, number) for number in seats]
    return found


# Which letter a mail answers


def answers(
    data: bytes = b"", to: tuple[str, ...] = (), held: Ticket | None = None, at: Any = NOW
) -> Answered | None:
    kept = held or ticket()
    storage = cast(
        "Storage",
        SimpleNamespace(
            tickets=SimpleNamespace(find=lambda number: kept if number == kept.id else None)
        ),
    )
    came = mail(data, to)
    return answered(storage, ADDRESSES, came, parse(came.raw), at)


MINE = ADDRESSES.make(7, "r")


@pytest.mark.parametrize(
    ("data", "to"),
    [
        (raw(), (MINE,)),
        (raw(MINE), ()),
        (raw(more=f"Delivered-To: {MINE}\r\n"), ()),
        (raw(more=f"In-Reply-To: {ADDRESSES.message_id(8)}\r\n"), (MINE,)),
    ],
)
def test_a_reply_address_proves_that_its_writer_had_the_letter(
    data: bytes, to: tuple[str, ...]
) -> None:
    assert answers(data, to) == Answered(ticket(), False, True, True)
    assert answers(data, to, at=NOW + HOUR) == Answered(ticket(), False, False, True)
    doubled = data.replace(b"Subject:", b"From: eve@evil.example\r\nSubject:")
    assert answers(doubled, to) == Answered(ticket(), False, True, False)


def test_what_only_names_a_letter_proves_nothing() -> None:
    for field in ("In-Reply-To", "References"):
        found = answers(raw(more=f"{field}: <x@y> {ADDRESSES.message_id(7)}\r\n"))
        assert found == Answered(ticket(), False, True, False)
    last = f"References: {ADDRESSES.message_id(7)} {ADDRESSES.message_id(8)}\r\n"
    assert answers(raw(more=last), held=ticket(8)) == Answered(ticket(8), False, True, False)
    assert answers(raw(ADDRESSES.make(9, "r"))) is None
    assert answers() is None


def test_an_answer_to_all_is_one_to_the_address_of_all() -> None:
    all_of_them, other = ADDRESSES.make(7, ALL), ADDRESSES.make(8, ALL)
    assert answers(to=(all_of_them,)) == Answered(ticket(), True, True, True)
    assert answers(to=(MINE, other)) == Answered(ticket(), False, True, True)
    assert answers(to=(other, MINE)) == Answered(ticket(), False, True, True)


def test_a_letter_is_its_readers() -> None:
    incoming = parse(raw())
    assert is_readers(ticket(), incoming, person())
    assert not is_readers(ticket(), incoming, person(BOB))
    assert not is_readers(ticket(), incoming, None)
    assert is_readers(ticket(person_id=None), incoming, None)
    assert not is_readers(ticket(person_id=None, address="bob@x.example"), incoming, None)


@pytest.mark.parametrize(
    ("sender", "who", "keeper"),
    [
        ("kim@HOUSE.example", None, True), ("ann@people.example", None, False),
        ("ann@people.example", ANN, True), ("bob@people.example", BOB, False),
    ],
)  # fmt: skip
def test_the_keeper_is_known_by_any_address_of_theirs(
    sender: str, who: int | None, keeper: bool
) -> None:
    known = {PROFILE.keeper: person()}
    storage: Any = SimpleNamespace(people=SimpleNamespace(by_address=known.get))
    given = None if who is None else person(who)
    assert is_keeper(storage, PROFILE, sender, given) is keeper
    nobody = JudgeProfile(address="judge@judge.example")
    assert not is_keeper(storage, nobody, sender, given)
    unknown: Any = SimpleNamespace(people=SimpleNamespace(by_address=lambda _: None))
    assert is_keeper(unknown, PROFILE, sender, given) is ("kim" in sender)


# By which way


def test_the_way_of_a_mail_is_that_above_the_judges_own_servers() -> None:
    def came(*servers: str, **more: Any) -> str | None:
        passed = trace("192.0.2.7", "mx.relay.example", "judge.example", "ESMTP")
        passed += trace("198.51.100.7", "mx.people.example", "mx.relay.example", "ESMTP")
        given = mail(passed + raw(), **({"door": "smtp"} | more))
        return way_of(JudgeProfile(address="judge@judge.example", servers=servers), given)

    assert came() == came() != came("192.0.2.0/24")
    assert came() != came(envelope_from="bob@other.example")


def test_a_way_is_noted_of_who_is_on_file_where_no_domain_vouches() -> None:
    noted: list[tuple[Any, ...]] = []
    looked: list[str] = []

    def note(box: Address, way: str | None, *, proved: bool) -> None:
        noted.append((box.address, way, proved))

    def found(address: str) -> Address | None:
        looked.append(address)
        return mailbox() if address == "ann@people.example" else None

    people = SimpleNamespace(note_way=note, mailbox=found)
    storage: Any = SimpleNamespace(people=people)

    def after(**more: Any) -> list[tuple[Any, ...]]:
        noted.clear()
        proved, sender = more.pop("proved", False), more.pop("data", raw())
        remember(Sender(person=person(), **more), storage, parse(sender), proved=proved)
        return list(noted)

    ann = "ann@people.example"
    assert after(way="x", mailbox=mailbox()) == [(ann, "x", False)]
    assert looked == [], "what is on file was read already"
    assert after(way="x") == [(ann, "x", False)], "they may be on file since a moment ago"
    assert after(way="x", verified=True) == []
    assert after(way="x", verified=True, proved=True) == [(ann, None, True)]
    assert after() == []
    assert after(proved=True) == [(ann, None, True)]
    assert after(way="x", data=raw().replace(b"ann@", b"eve@")) == []


@pytest.mark.parametrize(
    ("sender", "sure"),
    [
        ({}, False), ({"proof": "token"}, True), ({"verified": True}, True),
        ({"way": "x", "mailbox": mailbox("y", "x")}, True),
        ({"way": "x", "mailbox": mailbox("y")}, False), ({"way": "x"}, False),
        ({"mailbox": mailbox("x")}, False),
    ],
)  # fmt: skip
def test_who_is_surely_whom_they_say(sender: dict[str, Any], sure: bool) -> None:
    assert is_surely(Sender(person=person(), **sender)) is sure


# What a mail proves


def opened(**more: Any) -> Answered:
    parts = ["Austria"]
    facts: dict[str, Any] = {"game_id": 1, "phase": "S1901M", "parts": parts} | more
    return Answered(ticket(**facts), False, True)


@pytest.mark.parametrize(
    ("sender", "proves"),
    [
        ({}, TrustLevel.KNOWN),
        ({"mailbox": mailbox()}, TrustLevel.ADDRESS),
        ({"mailbox": mailbox(), "known_before": False}, TrustLevel.KNOWN),
        ({"verified": True}, TrustLevel.VERIFIED),
        ({"mailbox": mailbox(), "proof": "token"}, TrustLevel.TOKEN),
        ({"mailbox": mailbox(), "proof": "address"}, TrustLevel.KNOWN),
        ({"confirmed": True, "mailbox": mailbox()}, TrustLevel.TOKEN),
        ({"answered": opened()}, TrustLevel.TOKEN),
        ({"answered": opened(), "mailbox": mailbox()}, TrustLevel.ADDRESS),
        ({"answered": opened(), "mailbox": mailbox(), "known_before": False}, TrustLevel.TOKEN),
        ({"answered": Answered(opened().ticket, False, False)}, TrustLevel.KNOWN),
        ({"answered": Answered(opened().ticket, False, True, False)}, TrustLevel.KNOWN),
        ({"answered": opened(game_id=2)}, TrustLevel.KNOWN),
        ({"answered": opened(phase="F1901M")}, TrustLevel.KNOWN),
        ({"answered": opened(parts=["Italy"])}, TrustLevel.KNOWN),
        ({"answered": opened(parts=["Italy", "Austria"])}, TrustLevel.TOKEN),
        ({"answered": opened(phase="F1901M", press_id=1)}, TrustLevel.KNOWN),
        ({"signed": {1}}, TrustLevel.TOKEN),
        ({"signed": {2}}, TrustLevel.KNOWN),
    ],
)  # fmt: skip
def test_what_a_mail_proves_in_a_game(sender: dict[str, Any], proves: TrustLevel) -> None:
    state = a_game()
    assert level(cursor(state, 1, **sender), state) is proves


def test_a_letter_opens_to_its_reader_what_is_their_own() -> None:
    state = a_game()
    assert level(cursor(state, 1, answered=opened(game_id=2)), None) is TrustLevel.TOKEN
    assert level(cursor(state, 1, signed={1}), None) is TrustLevel.KNOWN
    late = Answered(opened().ticket, False, False)
    assert level(cursor(state, 1, answered=late), None) is TrustLevel.KNOWN


def test_press_is_answered_after_its_phase_too() -> None:
    state, old = a_game(), opened(phase="F1900M", press_id=1)
    here = cursor(state, 1, answered=old)
    assert level(here, state, press=True) is TrustLevel.TOKEN
    assert level(here, state) is TrustLevel.KNOWN
    plain = cursor(state, 1, answered=opened(phase="F1900M"))
    assert level(plain, state, press=True) is TrustLevel.KNOWN


def test_a_letter_opens_all_seats_together_or_none() -> None:
    seats = a_game().seats
    seat_of(a_game(seats=seats), 2).person_id = ANN
    state = a_game(seats=seats)
    assert level(cursor(state, 1, 2, answered=opened()), state) is TrustLevel.KNOWN
    assert level(cursor(state, 1, 2, signed={1}), state) is TrustLevel.KNOWN
    assert level(cursor(state, 1, 2, signed={1, 2}), state) is TrustLevel.TOKEN
    state.seats.at_first = frozenset({1})
    assert level(cursor(state, 1, 2, answered=opened()), state) is TrustLevel.TOKEN
    nobody = cursor(state, answered=opened(parts=[]), signed=set())
    assert level(nobody, state) is TrustLevel.TOKEN
    assert level(cursor(state), state) is TrustLevel.KNOWN, "no seat, no password"


def test_of_another_game_than_that_of_the_lines_no_seat_counts() -> None:
    state, other = a_game(), a_game()
    here = cursor(state, 1, answered=opened(parts=[]))
    assert level(here, other) is TrustLevel.TOKEN
    assert level(cursor(state, 1, signed={1}), other) is TrustLevel.KNOWN


def test_who_acts_for_somebody_proves_by_their_own_seats() -> None:
    state = a_game()
    here = cursor(state, 1, who=MAX, answered=opened(parts=["master"]))
    here.became = seat_of(state, 1)
    assert level(here, state) is TrustLevel.TOKEN
    here.became = None
    assert level(here, state) is TrustLevel.KNOWN


# What has to be proved


def needs(least: TrustLevel, where: Cursor, state: State | None, *, press: bool = False) -> bool:
    """Whether a line is refused that needs `least`."""
    try:
        prove(where, state, least, press)
    except Unproved as unproved:
        found = unproved
    else:
        return False
    assert found.wrong == tuple(where.sender.wrong)
    assert str(found) == found.needed.word
    return True


def test_more_is_asked_of_who_has_a_password_and_by_a_keeper() -> None:
    state = a_game()
    here = cursor(state, 1)
    assert not needs(TrustLevel.KNOWN, here, state)
    assert needs(TrustLevel.TOKEN, here, state)
    here.sender.needed = TrustLevel.TOKEN
    here.sender.wrong.append(FailedPassword(1, ANN))
    assert needs(TrustLevel.ADDRESS, here, state)
    here.sender.needed = TrustLevel.ADDRESS
    seat_of(state, 1).password = "kept"
    assert needs(TrustLevel.ADDRESS, here, state)
    assert not needs(TrustLevel.ADDRESS, here, None)
    here.sender.signed = {1}
    assert not needs(TrustLevel.ADDRESS, here, state)
    assert needs(TrustLevel.VERIFIED, here, state)
    both = cursor(state, 1, 2)
    assert needs(TrustLevel.ADDRESS, both, state), "of one of two"
    seat_of(state, 2).password, seat_of(state, 1).password = "kept", None
    here.sender.signed = set()
    assert not needs(TrustLevel.ADDRESS, here, state), "it is somebody else's seat"


def test_who_made_a_game_in_this_mail_sets_it_up() -> None:
    state = a_game()
    here = cursor(state, 1)
    here.created.add(1)
    assert not needs(TrustLevel.TOKEN, here, state)
    seat_of(state, 1).password = "kept"
    assert not needs(TrustLevel.ADDRESS, here, state)
    here.sender.needed = TrustLevel.TOKEN
    assert needs(TrustLevel.ADDRESS, here, state)
    here.sender.answered = opened(game_id=2)
    assert not needs(TrustLevel.ADDRESS, here, state), "its letter opens what is theirs"
    here.created.clear()
    assert needs(TrustLevel.ADDRESS, here, state)


def test_the_keeper_proves_who_they_are_and_not_the_game() -> None:
    state = a_game()
    here = cursor(state, answered=opened(game_id=2), who=MAX)
    here.keeping = state.seats.new(MAX, Role.MASTER, NOW)
    here.seats = [here.keeping]
    assert not needs(TrustLevel.TOKEN, here, state)
    assert needs(TrustLevel.TOKEN, here, a_game()), "in another game they do not keep"
    here.keeping = None
    assert needs(TrustLevel.TOKEN, here, state)


def test_an_answer_to_press_counts_as_one() -> None:
    state = a_game()
    here = cursor(state, 1, answered=opened(phase="F1900M", press_id=1))
    assert not needs(TrustLevel.TOKEN, here, state, press=True)
    assert needs(TrustLevel.TOKEN, here, state)


# Passwords


@pytest.fixture(autouse=True)
def quick_hasher(monkeypatch: pytest.MonkeyPatch) -> PasswordHasher:
    """Hashes that take no time."""
    quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr(authentication, "_hasher", lambda: quick)
    authentication._nobodys.cache_clear()
    return quick


def locked(most: int = 3, *passwords: str) -> tuple[State, Cursor, JudgeProfile]:
    """A game in which seats from the first on have these passwords, or "secret" the first."""
    state = a_game()
    here = cursor(state, 1)
    for number, password in enumerate(passwords or ("secret",), 1):
        lock(Sender(person=None), [seat_of(state, number)], password)
    return state, here, JudgeProfile(address="j@x", limits=Limits(passwords=most))


def signs(
    here: Cursor, profile: JudgeProfile, password: str, *seats: int, at: Any = NOW
) -> tuple[str, object] | None:
    """Sign on to seats; the refusal, with whether it is the one that locks."""
    assert here.state is not None
    given = [seat_of(here.state, number) for number in seats or (1,)]
    try:
        give(here, profile, parse(raw()), at, given, password)
    except Refused as refused:
        return refused.code, refused.facts.get("now")
    return None


def test_the_right_password_signs_on() -> None:
    _, here, profile = locked()
    assert signs(here, profile, "secret") is None
    assert (here.sender.signed, here.sender.wrong, here.sender.hashed) == ({1}, [], 1)
    assert here.sender.secrets == {"secret"}
    assert signs(here, profile, "anything") is None, "once is enough"
    assert here.sender.hashed == 1
    _, here, profile = locked(3, "other", "second")
    assert signs(here, profile, "second", 1, 2) is None
    assert (here.sender.signed, here.sender.hashed) == ({2}, 2)


def test_wrong_ones_count_by_person_and_game_for_an_hour() -> None:
    state, here, profile = locked()
    for number in (1, 2):
        assert signs(here, profile, "guess", at=NOW) == ("wrong_password", None)
        assert len(here.sender.wrong) == number
    assert here.sender.wrong[0] == FailedPassword(1, ANN)
    (entry, _) = cast("Any", state.storage).events.logged
    assert (entry.at, entry.kind, entry.facts) == (NOW, WRONG, {"person": ANN})
    assert (entry.actor, entry.game_id) == ("ann@people.example", 1)
    assert signs(here, profile, "guess") == ("passwords_locked", True)
    assert signs(here, profile, "secret") == ("passwords_locked", False)
    assert signs(here, profile, "secret", 2) is None, "this seat has none"
    here.sender.person = person(BOB)
    assert signs(here, profile, "secret") is None
    here.sender.signed.clear()
    here.sender.person = person()
    assert signs(here, profile, "secret", at=NOW + HOUR) is None
    here.sender.signed.clear()
    here.sender.person = None
    once = JudgeProfile(address="j@x", limits=Limits(passwords=1))
    assert signs(here, once, "guess") == ("wrong_password", None)


def test_a_password_that_is_not_needed_takes_as_long(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[object] = []
    fits = authentication._fits

    def watched(seat: Seat | None, password: str) -> bool:
        tried.append(seat)
        return fits(seat, password)

    monkeypatch.setattr(authentication, "_fits", watched)
    _, here, profile = locked()
    for _ in range(5):
        assert signs(here, profile, "secret", 2) is None
    assert (tried, here.sender.tried, here.sender.hashed) == ([None] * 3, 3, 3)
    assert here.sender.signed == set()
    assert signs(here, profile, "secret", 1, 2) is None
    assert (here.sender.signed, here.sender.tried) == ({1}, 3)


def test_nobodys_password_is_right() -> None:
    assert not authentication._fits(None, "secret")
    seat = Seat(id=1, game_id=1, person_id=1, role=Role.PLAYER, joined_at=NOW)
    assert not authentication._fits(seat, "secret")
    seat.password = "no hash"
    assert not authentication._fits(seat, "secret")
    lock(Sender(person=None), [seat], "x" * 300)
    assert authentication._fits(seat, "x" * 200)


def test_a_password_is_set_for_all_seats_that_are_stored() -> None:
    state, sender = a_game(), Sender(person=person())
    seats = [seat_of(state, 1), state.seats.new(ANN, Role.PLAYER, NOW)]
    lock(sender, seats, "four")
    assert (sender.signed, sender.hashed, sender.secrets) == ({1}, 2, {"four"})
    assert all(seat.password and "four" not in seat.password for seat in seats)
    with pytest.raises(Refused, match="short_password"):
        lock(sender, seats, "tre")
    assert "tre" in sender.secrets


def test_what_may_be_a_password_is_not_repeated() -> None:
    sender = Sender(person=person())
    report = Report(
        results=[LineResult("x", "refused", Answer("y"), write=("SET PASSWORD one,two",))]
    )
    note_offers(sender, report)
    assert sender.secrets == {"one", "two"}
    sender.secrets = {"se.cret"}
    assert shown(sender, "I said se.cret here") == f"I said {REDACTED} here"
    assert shown(sender, "I said se-cret, se.crets") == "I said se-cret, se.crets"
    assert shown(sender, "SIGN ON fparis hello") == f"SIGN ON fparis {REDACTED}"
    assert words_of("one two, three;four") == ["one", "two", "three", "four"]


def test_a_mail_is_stored_without_its_passwords() -> None:
    data = raw() + b"SIGN ON fparis hello\r\n> SET PASSWORD my own\r\n"
    kept = parse(without(data))
    assert kept.body.splitlines() == [
        "A Vie H",
        f"SIGN ON fparis {REDACTED}",
        f"> SET PASSWORD {REDACTED} {REDACTED}",
    ]
    assert without(raw()) == raw()
    assert "Vie" not in parse(without(data, ["Vie"])).body
    assert without(data, incoming=parse(raw())) == data, "what was read is not read again"
    subject = raw().replace(b"Subject: Orders", b"Subject: SIGN ON fparis hello")
    assert b"hello" not in without(subject)
    assert without(raw() + b"SIGN ON fparis ********\r\n") == raw() + b"SIGN ON fparis ********\r\n"
    many = raw() + b"".join(b"SIGN ON fparis word%d\r\n" % each for each in range(30))
    assert without(many) != UNREADABLE
    assert without(many + b"SIGN ON fparis word30\r\n") == UNREADABLE


def test_a_mail_from_which_a_word_cannot_be_taken_is_not_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = raw() + b"SIGN ON fparis hello\r\n"
    both = raw() + b"SIGN ON fparis hello\r\nSIGN ON fparis bonjour\r\n"
    with monkeypatch.context() as patch:
        patch.setattr(authentication, "redact", lambda given, _: given.replace(b"hello", b"*"))
        assert without(both) == UNREADABLE
        patch.setattr(authentication, "parse", pytest.fail)
        assert without(raw(), incoming=parse(raw())) == raw()
    monkeypatch.setattr(authentication, "redact", lambda given, _: given)
    assert without(data) == UNREADABLE
    subject = raw().replace(b"Subject: Orders", b"Subject: SIGN ON fparis hello")
    assert without(subject) == UNREADABLE


def test_what_is_put_away_is_written_only_where_it_changes() -> None:
    written: list[tuple[int, bytes]] = []
    storage: Any = SimpleNamespace(
        inbound=SimpleNamespace(rewrite=lambda number, data: written.append((number, data)))
    )
    put_away(storage, mail(raw()))
    assert written == []
    data = raw() + b"SIGN ON fparis hello\r\n"
    put_away(storage, mail(data), incoming=parse(raw()))
    assert written == []
    put_away(storage, mail(data))
    put_away(storage, mail(raw()), ["Vie"])
    assert written == [(5, without(data)), (5, without(raw(), ["Vie"]))]


def test_hashes_take_what_they_should(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    found = authentication._hasher()
    assert (found.time_cost, found.memory_cost, found.parallelism) == (2, 19456, 1)
