"""Who may give which command, on games that are in no database."""

from __future__ import annotations

from contextlib import nullcontext
from datetime import UTC, timedelta
from types import SimpleNamespace
from typing import Any, cast

import pytest
from msgspec.structs import replace

from judge.game.state import State
from judge.game.state.answers import Refused
from judge.game.state.profile import JudgeProfile, TrustLevel
from judge.i18n import speaking
from judge.intake.authentication import Unproved
from judge.intake.authorization import (
    allow,
    check_welcome,
    directs,
    elsewhere,
    ensure_registered,
    greet_keeper,
    is_outsider,
    meant,
    run_as_keeper,
)
from judge.intake.command import Command
from judge.intake.context import KEEPER_AT_HAND, Cursor, MessageContext, Sender
from judge.intake.reception import FirstMail
from judge.limits import Limits
from judge.mail.address import Addresses
from judge.mail.message import ParsedMessage, parse
from judge.storage import (
    Address,
    GameOptions,
    InboundMessage,
    Outward,
    Person,
    Role,
    SeatOptions,
)
from tests.game.on_paper import ANN, BOB, MAX, NOW, OLGA, a_game, cast_of, seat_of

HOSTED = 40
"""Somebody with no part in any game."""

PROFILE = JudgeProfile(address="judge@judge.example")
RAW = (
    b"From: Ann Archer <ann@people.example>\r\nTo: judge@judge.example\r\n"
    b"Date: Fri, 1 May 2026 12:00:00 +0200\r\nMessage-ID: <1@people.example>\r\n\r\nHELP\r\n"
)
MAIL = InboundMessage(
    id=5, door="imap", received_at=NOW, message_id="", digest="", envelope_from="",
    envelope_to=[], raw=RAW,
)  # fmt: skip


def named(number: int, name: str = "Ann") -> Person:
    return Person(id=number, name=Outward(name), created_at=NOW)


def command(who: str, **more: Any) -> Command:
    facts: dict[str, Any] = {"words": ("do it",), "summary": "Does it", "group": "games"} | more
    return Command(who=cast("Any", who), help="", example="", run=cast("Any", None), **facts)


class People:
    """Those on file, and what is noted of them."""

    def __init__(self) -> None:
        self.added: list[Person] = []
        self.addresses_added: list[tuple[int, str, bool]] = []
        self.ways: list[tuple[str | None, bool]] = []
        self.on_file: dict[int, list[str]] = {}

    def add(self, person: Person) -> Person:
        self.added.append(replace(person, id=50))
        return self.added[-1]

    def add_address(self, number: int, address: str, _: Any, *, proved: bool = False) -> None:
        self.addresses_added.append((number, address, proved))

    def mailbox(self, address: str) -> Address:
        return Address(person_id=50, address=address, added_at=NOW)

    def note_way(self, _: Address, way: str | None, *, proved: bool) -> None:
        self.ways.append((way, proved))

    def addresses(self, number: int) -> list[Any]:
        return [SimpleNamespace(address=each) for each in self.on_file.get(number, ())]


def context(
    state: State | None = None,
    *seats: int,
    who: int | None = ANN,
    profile: JudgeProfile = PROFILE,
    **sender: Any,
) -> MessageContext:
    """A message whose lines are for these seats of a game, of somebody who is surely who they say
    unless told otherwise."""
    facts: dict[str, Any] = {"known_before": True, "proof": "known"} | sender
    me = Sender(person=None if who is None else named(who), **facts)
    storage: Any = (state or a_game()).storage
    storage.people = People()

    def by_name(name: str) -> Any:
        assert name
        return state.game if state and name.lower() == state.game.name else None

    storage.games = SimpleNamespace(
        find=lambda _: None,
        by_name=by_name,
        claim=lambda _: state and state.game,
        names_of=lambda *_: {},
    )
    storage.boards = SimpleNamespace(directed_by=lambda _: ())
    storage.seats.of_games = lambda _: {}
    storage.keeper_settings = SimpleNamespace(get=lambda _: None)

    def runs(tournament: int, person: int | None) -> bool:
        return {(3, ANN): True, (3, HOSTED): False, (3, BOB): False}[tournament, person or 0]

    storage.entrants = SimpleNamespace(runs=runs)
    logged: list[Any] = []
    storage.events = SimpleNamespace(
        log=lambda _, kind, facts, **__: logged.append((kind, facts)), logged=logged
    )
    table: Any = SimpleNamespace(names=frozenset())
    found = MessageContext(
        storage=storage, profile=profile, table=table, mail=MAIL,
        incoming=parse(RAW), now=NOW, addresses=Addresses("j+*@x", b"s", "x"),
        seed=str, sender=me,
    )  # fmt: skip
    found.cursor.state = state
    found.cursor.seats = [seat_of(state, number) for number in seats] if state else []
    if state is not None:
        found.cursor.states[state.game.id] = state
    return found


def verdict(given: MessageContext, asked: Command, name: str = "") -> str | None:
    """Why a command is refused: its code, or the level that was not proved; None where it is
    not."""
    try:
        allow(given, asked, name)
    except Refused as refused:
        return refused.code
    except Unproved as unproved:
        return unproved.needed.word
    return None


# Commands for no game


@pytest.mark.parametrize(
    ("who", "keeper", "proof", "more", "told"),
    [
        ("keepers", False, "verified", {}, "keeper_only"),
        ("keepers", True, "known", {}, "token"),
        ("keepers", True, "token", {}, None),
        ("keepers", True, "address", {"asks": True}, None),
        ("keepers", True, "address", {"harmless": True}, None),
        ("keepers", True, "address", {"confirm": True}, None),
        ("anybody", False, "address", {}, None),
    ],
)
def test_commands_of_keepers_are_theirs_and_need_proof(
    who: str, keeper: bool, proof: str, more: dict[str, bool], told: str | None
) -> None:
    given = context(keeper=keeper, proof=proof)
    assert verdict(given, command(who, **more)) == told
    given = context(keeper=keeper, proof=proof, confirmed=True)
    if more.get("confirm"):
        assert verdict(given, command(who, **more)) is None, "a YES proves as much as a token"


@pytest.mark.parametrize("who", ["anybody", "people"])
def test_commands_for_all_need_what_the_keeper_asks(who: str) -> None:
    wanted: dict[str, Any] = {"needed": TrustLevel.VERIFIED}
    assert verdict(context(**wanted), command(who)) == "verified"
    for more in ({"asks": True}, {"harmless": True}, {"confirm": True}):
        assert verdict(context(**wanted), command(who, **more)) is None
    said_yes = context(**wanted, confirmed=True)
    assert verdict(said_yes, command(who, confirm=True)) == "verified"


@pytest.mark.parametrize(
    ("who", "more", "confirmed", "told", "registered"),
    [
        ("anybody", {}, False, None, False),
        ("people", {}, False, "unknown_sender", False),
        ("people", {"personal": True}, False, None, True),
        ("people", {"personal": True, "asks": True}, False, "unknown_sender", False),
        ("people", {}, True, None, False),
        ("participants", {}, False, "unknown_sender", False),
    ],
)
def test_what_a_stranger_may_write(
    who: str, more: dict[str, bool], confirmed: bool, told: str | None, registered: bool
) -> None:
    given = context(who=None, confirmed=confirmed, known_before=False)
    assert verdict(given, command(who, **more)) == told
    assert bool(cast("People", cast("Any", given.storage.people)).added) is registered


def test_a_stranger_who_proves_too_little_is_not_registered() -> None:
    given = context(who=None, known_before=False, needed=TrustLevel.VERIFIED)
    assert verdict(given, command("people", personal=True)) == "verified"
    assert given.sender.person is None


def test_where_there_is_a_list_of_members_strangers_are_told_so_first() -> None:
    profile = JudgeProfile(address="j@x", members=("*@club.example",))
    given = context(who=None, profile=profile)
    assert verdict(given, command("anybody", asks=True)) == "members_only"
    assert verdict(context(profile=profile), command("anybody")) is None


# Commands in a game


@pytest.mark.parametrize(
    ("who", "person", "more", "told"),
    [
        ("participants", ANN, {}, None),
        ("participants", OLGA, {}, None),
        ("participants", 99, {}, "not_in_game"),
        ("players", ANN, {}, None),
        ("players", OLGA, {}, "players_only"),
        ("players", MAX, {}, "players_only"),
        ("masters", ANN, {}, "masters_only"),
        ("masters", OLGA, {}, "masters_only"),
        ("masters", MAX, {}, "token"),
        ("masters", MAX, {"asks": True}, None),
        ("masters", MAX, {"confirm": True}, None),
        ("masters", ANN, {"setting": "nmr"}, "masters_only"),
        ("masters", MAX, {"setting": "nmr"}, "token"),
    ],
)
def test_what_each_may_do_in_a_game(
    who: str, person: int, more: dict[str, Any], told: str | None
) -> None:
    state = a_game()
    given = context(state, who=person)
    given.cursor.seats = state.seats.of(person)
    assert verdict(given, command(who, **more)) == told
    came = told in (None, "token", "players_only", "masters_only") and not more.get("asks")
    assert given.report.came == ({1} if came else set())


def test_what_a_master_does_needs_a_token_and_what_a_player_does_as_the_keeper_says() -> None:
    state = a_game()
    assert verdict(context(state, 8, who=MAX, proof="token"), command("masters")) is None
    assert verdict(context(state, 1, needed=TrustLevel.TOKEN), command("players")) == "token"
    asks = command("players", asks=True)
    assert verdict(context(state, 1, needed=TrustLevel.TOKEN), asks) is None


def test_orders_of_a_phase_that_is_over_are_refused_while_it_is_played() -> None:
    state = a_game()
    state.game.opened_at = NOW + timedelta(seconds=1)
    state.began = state.game.phase
    assert verdict(context(state, 1), command("players", group="playing")) == "too_late"
    assert verdict(context(state, 1), command("players")) is None
    assert verdict(context(state, 1), command("players", group="playing", asks=True)) is None


def test_in_a_game_without_a_master_its_players_set_it_and_nobody_runs_it() -> None:
    state = a_game(moderated=False)
    for number, who in ((1, ANN), (8, MAX)):
        assert verdict(context(state, number, who=who), command("masters")) == "masters_only"
    setting = command("masters", setting="nmr")
    assert verdict(context(state, 1, proof="token"), setting) is None
    assert verdict(context(state, 1), setting) == "token"
    assert verdict(context(state, 9, who=OLGA), setting) == "players_only"
    assert verdict(context(state, 8, who=MAX), setting) == "players_only"


@pytest.mark.parametrize("keeps", [True, False])
@pytest.mark.parametrize("setting", ["", "nmr"])
def test_the_keeper_runs_what_nobody_runs(keeps: bool, setting: str) -> None:
    state = a_game(moderated=False)
    given = context(state, who=HOSTED, proof="token")
    given.cursor.keeping = state.seats.new(HOSTED, Role.MASTER if keeps else Role.OBSERVER, NOW)
    refused = "players_only" if setting else "masters_only"
    assert verdict(given, command("masters", setting=setting)) == (None if keeps else refused)


def test_who_plays_alone_runs_the_game_and_needs_no_token() -> None:
    alone = a_game(moderated=False, people=1)
    assert verdict(context(alone, 1), command("masters")) is None
    seats = cast_of()
    seats[1].options = SeatOptions(bot="easy")
    practice = a_game(seats=seats, moderated=False)
    assert verdict(context(practice, 1), command("masters", own_game=True)) == "masters_only"
    practice.game.name = "practice1"
    assert verdict(context(practice, 1), command("masters", own_game=True)) is None
    assert verdict(context(practice, 1), command("masters")) == "masters_only"


def test_a_game_that_a_line_names_is_not_there_for_who_does_not_run_it() -> None:
    state = a_game()
    for name, told in (("", "masters_only"), ("PARIS", "masters_only"), ("rome", "no_such_game")):
        assert verdict(context(state, 1), command("masters"), name) == told
    given = context(state, 1, who=MAX)
    given.cursor.became = seat_of(state, 1)
    assert verdict(given, command("masters"), "rome") == "masters_only"


def test_a_refusal_says_for_which_game_and_in_whose_place() -> None:
    state = a_game()
    given = context(state, 1, who=MAX)
    given.cursor.became = seat_of(state, 1)
    with pytest.raises(Refused) as refused:
        allow(given, command("masters"))
    facts = refused.value.facts
    assert (facts["game"], facts["moderated"], facts["became"]) == ("paris", True, "Austria")
    with pytest.raises(Refused) as refused:
        allow(context(state, 1), command("masters"))
    assert refused.value.facts["became"] is None


def test_in_somebodys_place_nobody_does_what_is_personal() -> None:
    state = a_game()
    given = context(state, 1, who=MAX, proof="token")
    assert verdict(given, command("anybody", personal=True)) is None
    given.cursor.became = seat_of(state, 1)
    assert verdict(given, command("anybody", personal=True)) == "not_in_place"
    assert verdict(given, command("players")) is None
    assert verdict(given, command("masters")) == "masters_only"
    assert verdict(given, command("masters", as_self=True)) is None


@pytest.mark.parametrize(
    ("who", "more", "at_hand", "told"),
    [
        ("players", {}, False, "keeper_acts"),
        ("players", {"harmless": True}, False, "players_only"),
        ("players", {"asks": True}, False, "players_only"),
        ("participants", {}, False, "keeper_acts"),
        ("participants", {"of_keeper": True}, False, None),
        ("participants", {"harmless": True}, False, None),
        ("participants", {"asks": True}, False, None), ("masters", {}, False, None),
        ("anybody", {}, False, None), ("people", {}, False, None),
        ("anybody", {}, True, "keeper_acts"), ("people", {}, True, "keeper_acts"),
        ("anybody", {"harmless": True}, True, "keeper_acts"),
        ("anybody", {"asks": True}, True, None), ("masters", {}, True, None),
    ],
)  # fmt: skip
def test_the_keeper_plays_in_no_game_that_they_run(
    who: str, more: dict[str, bool], at_hand: bool, told: str | None
) -> None:
    state = a_game()
    number = KEEPER_AT_HAND if at_hand else HOSTED
    given = context(state, who=number, proof="token")
    given.cursor.keeping = state.seats.new(number, Role.MASTER, NOW)
    given.cursor.seats = [given.cursor.keeping]
    assert verdict(given, command(who, **more)) == told
    given.cursor.became = seat_of(state, 1)
    assert verdict(given, command("players")) is None


def test_a_setting_of_the_keeper_is_for_the_game_they_run_or_for_all() -> None:
    state, one, all_ = a_game(), command("masters"), command("keepers")
    table: Any = SimpleNamespace(beyond_game=lambda given: all_ if given is one else None)

    def found(*seats: int, keeper: bool = True, here: bool = True) -> Command:
        given = context(state, *seats, keeper=keeper)
        given.cursor.state = state if here else None
        return meant(given.cursor, table, one)

    assert found(8) is one
    assert found(1) is all_
    assert found() is all_
    assert found(8, here=False) is all_
    assert found(1, keeper=False) is one
    other = command("masters")
    assert meant(context(state, keeper=True).cursor, table, other) is other


def test_a_setting_of_ones_own_is_for_the_game_only_where_one_may_set_it() -> None:
    state, one, own = a_game(), command("players"), command("people")
    table: Any = SimpleNamespace(beyond_game=lambda _: own)
    assert meant(context(state, 1).cursor, table, one) is one
    assert meant(context(state, 8, who=MAX).cursor, table, one) is own
    assert meant(context(state, who=OLGA).cursor, table, one) is own
    assert meant(context().cursor, table, one) is own


# Newcomers


def newcomer(raw: bytes = RAW, **sender: Any) -> tuple[MessageContext, Person]:
    facts: dict[str, Any] = {"known_before": False, "way": "x"} | sender
    given = context(who=None, **facts)
    given.incoming = parse(raw)
    return given, ensure_registered(given)


def test_a_newcomer_is_put_on_file_as_their_mail_says() -> None:
    given, person = newcomer()
    people = cast("People", cast("Any", given.storage.people))
    assert given.sender.person is person is people.added[0]
    assert (person.id, person.name, person.created_at) == (50, "Ann Archer", NOW)
    assert people.addresses_added == [(50, "ann@people.example", False)]
    assert people.ways == [("x", False)]
    assert cast("Any", given.storage.events).logged == [("registered", {"person": 50})]
    assert ensure_registered(given) is person
    assert len(people.added) == 1
    proved, _ = newcomer(proof="token")
    assert cast("Any", proved.storage.people).addresses_added[0][2]
    _, person = newcomer(RAW.replace(b"Ann Archer ", b""))
    assert person.name == "ann"


@pytest.mark.first_letters
@pytest.mark.parametrize(
    ("trust", "asked"), [("known", False), ("token", True), ("verified", True)]
)
def test_a_stranger_is_put_on_file_at_once_where_nothing_has_to_be_proved(
    trust: str, asked: bool
) -> None:
    profile = replace(PROFILE, trust=TrustLevel[trust.upper()])
    given = context(who=None, profile=profile, known_before=False)
    given.sender.sure = False
    cast("Any", given.storage).outbound = SimpleNamespace(lately=lambda *_: 0)
    with pytest.raises(FirstMail) if asked else nullcontext():
        ensure_registered(given)
    assert (given.sender.person is None) is asked


def test_outsiders_are_not_put_on_file() -> None:
    given = context(who=None, profile=JudgeProfile(address="j@x", members=("*@club.example",)))
    with pytest.raises(Refused, match="members_only"):
        ensure_registered(given)
    assert given.sender.person is None


@pytest.mark.parametrize(
    ("spoken", "date", "zone"),
    [
        ("en", "Fri, 1 May 2026 12:00:00 -0400", "America/New_York"),
        ("de", "Fri, 1 May 2026 12:00:00 +0200", "Europe/Berlin"),
        ("fr", "Fri, 1 May 2026 12:00:00 +0200", "Europe/Paris"),
        ("fr", "Thu, 1 Jan 2026 12:00:00 -0500", "America/Montreal"),
        ("en", "Fri, 1 May 2026 12:00:00 +0013", None),
        ("en", "Fri, 1 May 2026 12:00:00 +0000", None),
        ("en", "Thu, 1 Jan 2026 12:00:00 +0000", None),
        ("en", "", None),
    ],
)
def test_the_clock_of_a_newcomer_tells_their_time_zone(
    spoken: str, date: str, zone: str | None
) -> None:
    raw = RAW.replace(b"Fri, 1 May 2026 12:00:00 +0200", date.encode())
    with speaking(spoken):
        _, person = newcomer(raw)
    assert person.time_zone == zone
    assert person.language == spoken


def test_where_only_the_clock_can_be_read_the_hour_is_now() -> None:
    given = context(who=None, known_before=False)
    given.incoming = replace(parse(RAW), date=None)
    with speaking("de"):
        assert ensure_registered(given).time_zone == "Europe/Berlin"


def test_a_keeper_who_writes_for_the_first_time_is_no_newcomer() -> None:
    given = context(who=None, known_before=False, way="x")
    greet_keeper(given)
    people = cast("People", cast("Any", given.storage.people))
    assert given.sender.person is people.added[0]
    assert (people.added[0].name, given.sender.known_before) == ("Ann Archer", True)
    assert people.addresses_added == [(50, "ann@people.example", False)]
    assert people.ways == [("x", False)]
    given = context(who=None)
    given.incoming = parse(RAW.replace(b"Ann Archer ", b""))
    greet_keeper(given)
    assert given.sender.registered.name == "The keeper"
    silent = context(who=None)
    silent.incoming = parse(b"From: nobody\r\n\r\nHELP\r\n")
    greet_keeper(silent)
    assert silent.sender.person is None


# Another game than that of the lines


def test_a_line_may_be_for_another_game_and_those_below_it_are_not() -> None:
    paris, rome = a_game(), a_game()
    given = context(paris)
    rome.game.name = "rome"
    cursor = given.cursor
    cursor.state, cursor.seats, cursor.closed = rome, [seat_of(rome, 2)], "a line"
    before = (cursor.state, cursor.seats, cursor.closed, cursor.keeping)
    with elsewhere(cursor, NOW, "A@Paris?"):
        assert cursor.state is paris
        assert [seat.id for seat in cursor.seats] == [1]
    assert (cursor.state, cursor.seats, cursor.closed, cursor.keeping) == before
    for words in ("rome", "@ROME", "nowhere", ""):
        with elsewhere(cursor, NOW, words):
            assert cursor.state is rome
    cursor.became = seat_of(rome, 3)
    with elsewhere(cursor, NOW, "paris"):
        assert cursor.state is rome
    cursor.state, cursor.seats, cursor.became = paris, [], None
    with elsewhere(cursor, NOW, "paris"):
        assert cursor.seats == [], "the line is for the seats of those around it"


def test_who_has_no_part_in_it_is_refused_unless_they_direct_it() -> None:
    state = a_game(options=GameOptions(tournament=3))
    given = context(state, who=HOSTED)
    given.cursor.state = None
    with pytest.raises(Refused, match="not_in_game"), elsewhere(given.cursor, NOW, "paris"):
        pass
    seats = [seat for seat in cast_of() if seat.person_id != ANN]
    state = a_game(seats=seats, options=GameOptions(tournament=3))
    given = context(state, proof="token")
    given.cursor.state = None
    with elsewhere(given.cursor, NOW, "paris"):
        keeping = given.cursor.keeping
        assert keeping is not None
        assert (keeping.role, keeping.person_id, keeping.joined_at) == (Role.MASTER, ANN, NOW)
        assert given.cursor.seats == [keeping]
    assert given.cursor.keeping is None
    assert directs(given.sender, given.storage, state)
    assert not directs(given.sender, given.storage, a_game(seats=seats))
    assert not directs(context(state, who=BOB).sender, given.storage, state)


def test_a_keeper_runs_no_game_that_they_play_in_nor_without_proof() -> None:
    state = a_game()
    with pytest.raises(Refused, match="keeper_plays"):
        run_as_keeper(context(state, proof="token").cursor, NOW, state)
    with pytest.raises(Unproved):
        run_as_keeper(context(state, who=HOSTED).cursor, NOW, state)
    for who in (OLGA, HOSTED):
        cursor: Cursor = context(state, who=who, proof="token").cursor
        cursor.state, cursor.became, cursor.closed = a_game(), seat_of(state, 1), "a line"
        run_as_keeper(cursor, NOW, state)
        assert cursor.state is state
        assert [cursor.became, cursor.closed] == [None, None]
        assert cursor.keeping is not None


# Who comes in


@pytest.mark.parametrize(
    ("members", "hosts", "keeper", "mine", "outside"),
    [
        ((), (), False, (), False),
        (("ann@*",), (), False, (), False),
        (("bob@*",), (), False, (), True),
        (("bob@*",), (), True, (), False),
        (("bob@*",), ("ann@people.example",), False, (), False),
        (("bob@*",), (), False, ("bob@x.example",), False),
        (("ann@*",), (), False, ("bob@x.example",), True),
        ((), ("bob@*",), False, (), False),
    ],
)
def test_a_house_has_members_hosts_and_a_keeper(
    members: tuple[str, ...],
    hosts: tuple[str, ...],
    keeper: bool,
    mine: tuple[str, ...],
    outside: bool,
) -> None:
    profile = JudgeProfile(address="j@x", members=members, hosts=hosts)
    sender = Sender(person=None, keeper=keeper)
    assert is_outsider(sender, profile, parse(RAW), mine) is outside


def welcome(
    games: int = 0,
    lists: dict[str, tuple[str, ...]] | None = None,
    who: int | None = ANN,
    keeper: bool = False,
    **profile: Any,
) -> str | None:
    given = context(who=who, keeper=keeper)
    storage: Any = given.storage
    storage.people.on_file = {ANN: ["ann@second.example"]}
    storage.games.names_of = lambda *_: dict.fromkeys(range(games), "a game")
    storage.keeper_settings.get = (lists or {}).get
    limits = Limits(games=2)
    try:
        check_welcome(
            given.cursor, JudgeProfile(address="j@x", limits=limits, **profile), given.incoming
        )
    except Refused as refused:
        return refused.code
    return None


def test_who_may_come_into_games() -> None:
    assert welcome() is None
    assert welcome(1) is None
    assert welcome(2) == "too_many_games"
    assert welcome(2, keeper=True) is None
    assert welcome(2, hosts=("ann@second.example",)) is None
    assert welcome(2, hosts=("bob@*",)) == "too_many_games"
    assert welcome(members=("ann@second.example",)) is None
    assert welcome(members=("ann@second.example",), who=None) == "members_only"
    for address in ("ann@people.example", "ann@second.example"):
        assert welcome(lists={"denied": (address,)}) == "not_welcome"
    assert welcome(lists={"denied": ("ann@second.example",)}, who=None) is None


def test_offsets_are_those_of_the_mail() -> None:
    found: ParsedMessage = parse(RAW)
    assert found.offset == timedelta(hours=2)
    assert found.date is not None
    assert found.date.astimezone(UTC) == NOW - timedelta(hours=2)
