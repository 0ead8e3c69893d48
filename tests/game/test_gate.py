"""Who may know what, rule by rule, in games that are in no database."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace
from typing import Any, cast

import pytest
from msgspec.structs import replace

from judge import variants
from judge.game.state.settings import ObserverPress, PressRule
from judge.game.visibility import fog, identity, readable_press
from judge.game.visibility.eyes import ANYBODY, JUDGE, Eyes, Reader
from judge.i18n import speaking
from judge.interchange.stored_values import position_to_json
from judge.rules.board_index import DESTROYED
from judge.rules.modules.arsenals import RIGHTS
from judge.rules.modules.destruction import CUT_OFF, VANISHED
from judge.rules.phase import Phase
from judge.rules.position import Dislodged, Position, Unit
from judge.storage import (
    DiaryPage,
    GameOptions,
    GameState,
    Outward,
    Person,
    PhaseRun,
    Press,
    PressColor,
    Role,
    Seat,
    SeatOptions,
    SeatState,
    Statement,
    Vote,
)
from tests.game.on_paper import (
    ANN,
    BOB,
    CLEO,
    HOST,
    LEA,
    MAX,
    NOW,
    OLGA,
    STRANGER,
    a_game,
    cast_of,
    host,
    said,
    seat_of,
)

# People


@pytest.mark.parametrize(
    ("reader", "moderated", "knows"),
    [
        (JUDGE, True, True), (JUDGE, False, True), (ANYBODY, True, False), (ANN, True, False),
        (MAX, True, True), (MAX, False, False), (OLGA, True, False), (HOST, True, True),
        (HOST, False, True), (LEA, True, False),
    ],
)  # fmt: skip
def test_only_who_runs_the_game_and_hosts_know_all(
    reader: Reader, moderated: bool, knows: bool
) -> None:
    state = a_game(seats=[*cast_of(), host()], moderated=moderated, gunboat=True)
    assert Eyes(state, reader).runs_it is knows
    assert Eyes(state, reader).name_of(seat_of(state, 1)) == ("Ann" if knows else "Austria")


@pytest.mark.parametrize(
    ("seats", "sees", "has_seen"),
    [
        ([host()], True, True),
        ([host(SeatState.LEFT)], False, True),
        ([host(person=ANN)], False, False),
        ([host(person=LEA)], False, False),
        ([], False, False),
    ],
)
def test_a_host_sees_all_but_where_they_play_or_have_played(
    seats: list[Seat], sees: bool, has_seen: bool
) -> None:
    state = a_game(seats=[*cast_of(), *seats])
    who = seats[0].person_id if seats else HOST
    assert who is not None
    assert identity.is_host(state, who) is sees
    assert Eyes(state, who).may_not_play is has_seen
    assert identity.hosts(state) == (["Hugo"] if sees else [])
    assert not identity.has_seen_all(a_game(seats=seats, state=GameState.FORMING), who)


def test_in_a_gunboat_game_only_those_who_run_it_are_named_to_others() -> None:
    state = a_game(seats=[*cast_of(), host()], gunboat=True)
    seen = Eyes(state, ANN)
    assert [each.name for each in seen.seats()] == ["Max", "Hugo"]
    assert [row["name"] for row in seen.people()["people"]] == ["Max", "Hugo"]  # type: ignore[attr-defined]
    assert [seen.name_of(seat_of(state, number)) for number in (1, 8, 9, 10)] == [
        "Austria", "Max", "An observer", "Italy"
    ]  # fmt: skip
    assert seen.person(seat_of(state, 2)) is None
    assert Eyes(state, MAX).person(seat_of(state, 2)) is not None


def test_what_somebody_is_called_is_their_part_where_they_are_not_known() -> None:
    two = Seat(id=20, game_id=1, person_id=ANN, role=Role.PLAYER, power="Turkey", joined_at=NOW)
    seats = [each for each in cast_of() if each.id != 7]
    for gunboat, called in ((True, "Austria, Turkey"), (False, "Ann")):
        state = a_game(seats=[*seats, two], gunboat=gunboat)
        assert Eyes(state, BOB).called(state.seats.person(two)) == called
        assert (
            Eyes(state, BOB).called(state.seats.person(seats[7]))
            == ("An observer", "Olga")[not gunboat]
        )
    state = a_game(seats=[], gunboat=True)
    assert identity.called(state, Person(id=4, name=Outward("Dora"), created_at=NOW)) == "A player"


@pytest.mark.parametrize(
    ("state", "reveal", "revealed", "hidden"),
    [
        (GameState.ACTIVE, True, False, "end"),
        (GameState.ACTIVE, False, False, "always"),
        (GameState.ENDED, False, False, "always"),
        (GameState.ENDED, True, False, None),
        (GameState.ACTIVE, True, True, None),
    ],
)
def test_names_are_hidden_until_they_are_revealed(
    state: GameState, reveal: bool, revealed: bool, hidden: str | None
) -> None:
    options = GameOptions(revealed=revealed)
    game = a_game(state=state, reveal=reveal, options=options, gunboat=True)
    assert Eyes(game, ANN).people()["hidden"] == hidden
    assert Eyes(game, MAX).people()["hidden"] is None
    rows = cast("list[dict[str, object]]", Eyes(game, ANN).people()["people"])
    assert ("Bob" in {row["name"] for row in rows}) is (hidden is None)


def test_a_computer_is_called_one_in_the_language_of_the_reader() -> None:
    state = a_game()
    state.seats.person(state.seats.players()["Austria"]).name = Outward("Bot Ada, a computer")
    with speaking("de"):
        names = {str(row["name"]) for row in identity.people(state)}
    assert names >= {"Bot Ada, ein Computer", "Bob"}


def test_who_lends_a_seat_is_told_from_who_has_lost_one() -> None:
    away, lost = (replace(each, state=SeatState.REPLACED) for each in cast_of()[:2])
    sitter = replace(away, id=12, person_id=LEA, state=SeatState.ACTIVE)
    sitter.options = SeatOptions(sits_for=away.person_id)
    rows = {row["name"]: row for row in identity.people(a_game(seats=[away, lost, sitter]))}
    assert [rows[name]["lent"] for name in ("Ann", "Bob", "Lea")] == [True, False, False]


def test_who_plays_is_told_with_who_has_left() -> None:
    rows = {row["name"]: row for row in identity.people(a_game(seats=[*cast_of(), host()]))}
    assert list(rows)[:3] == ["Max", "Olga", "Hugo"]
    assert (rows["Lea"]["left"], rows["Lea"]["replaced"]) == (True, True)
    assert (rows["Emil"]["left"], rows["Emil"]["replaced"]) == (False, False)
    assert [name for name, row in rows.items() if row["host"]] == ["Hugo"]
    gone = Seat(
        id=12, game_id=1, person_id=LEA, role=Role.OBSERVER, state=SeatState.LEFT, joined_at=NOW
    )
    nobody = Seat(id=13, game_id=1, person_id=None, role=Role.PLAYER, power="Italy", joined_at=NOW)
    assert identity.people(a_game(seats=[gone, nobody])) == []
    also = replace(host(), id=12, options=SeatOptions())
    for more, hosts in (([host(), also], 1), ([host(person=ANN)], 0)):
        found = identity.people(a_game(seats=[*cast_of(), *more]))
        assert sum(bool(row["host"]) for row in found) == hosts
    from_elsewhere = GameOptions(played_by={"Italy": Outward("Ida")})
    (row,) = identity.people(a_game(seats=[], options=from_elsewhere))
    assert (row["name"], row["power"], row["left"], row["replaced"]) == (
        "Ida", "Italy", False, False
    )  # fmt: skip


@pytest.mark.parametrize(
    ("gunboat", "show", "told"),
    [(False, None, "Ann"), (True, None, None), (False, False, None), (True, True, "Austria")],
)
def test_who_changed_a_setting_is_told_as_the_game_says(
    gunboat: bool, show: bool | None, told: str | None
) -> None:
    state = a_game(gunboat=gunboat, show=show)
    assert Eyes(state, BOB).changer(state.seats.person(seat_of(state, 1))) == told
    assert Eyes(state, BOB).changer(None) is None


@pytest.mark.parametrize(
    ("reader", "secret", "state", "count"),
    [
        (ANN, True, GameState.FORMING, None), (MAX, True, GameState.FORMING, 7),
        (ANN, False, GameState.FORMING, 7), (ANN, True, GameState.ACTIVE, 7),
    ],
)  # fmt: skip
def test_how_many_play_is_a_secret_while_the_game_forms(
    reader: int, secret: bool, state: GameState, count: int | None
) -> None:
    assert Eyes(a_game(state=state, secret=secret), reader).count == count


def test_the_numbers_of_a_gunboat_assignment_are_ones_own_and_tell_nothing() -> None:
    state = a_game(state=GameState.FORMING, gunboat=True)
    numbers = [Eyes(state, person).number for person in range(1, 8)]
    assert all(number is not None and 100_000 <= number < 1_000_000 for number in numbers)
    assert len(set(numbers)) == 7
    assert Eyes(state, OLGA).number is None
    assert Eyes(a_game(state=GameState.FORMING), ANN).number is None
    order = [numbers[seat.id - 1] for seat in identity.in_assignment_order(state)]
    assert order == sorted(order, key=lambda number: number or 0)
    joined = identity.in_assignment_order(a_game())
    assert [seat.id for seat in joined] == [1, 2, 3, 4, 5, 6, 7]


def test_others_are_known_by_their_names_where_one_label_has_them() -> None:
    names = Eyes(a_game(), ANN).names()
    assert (names["Bob"], names["Max"]) == ("England", "M")
    assert "Ann" not in names
    assert "Lea" not in names
    assert (names["Gwen"], names["Gwen Moor"]) == ("Turkey", "Turkey")
    assert "Moor" not in names
    assert Eyes(a_game(gunboat=True), ANN).names() == {"Max": "M"}


# Seats


def test_what_is_noted_of_a_seat_is_for_who_acts_for_it() -> None:
    seats = cast_of()
    seats[0].wait, seats[0].draw = True, Vote("all")
    seats[0].preferences, seats[0].options = "A", SeatOptions(muted=(2, 3), results_only=True)
    state = a_game(seats=seats)
    own = seat_of(state, 1)
    assert Eyes(state, ANN).waits(own)
    assert Eyes(state, BOB, ("Austria",)).waits(own)
    assert not Eyes(state, BOB).waits(own)
    assert not Eyes(state, BOB).waits(seat_of(state, 2))
    assert not Eyes(state, ANYBODY).waits(own)
    assert (Eyes(state, ANN).vote(own), Eyes(state, BOB).vote(own)) == (Vote("all"), None)
    assert not Eyes(state, ANYBODY).waits(
        Seat(game_id=1, person_id=None, role=Role.PLAYER, wait=True, joined_at=NOW)
    )
    assert (Eyes(state, ANN).wish, Eyes(state, OLGA).wish) == ("A", None)
    assert (Eyes(state, ANN).muted, Eyes(state, BOB).muted) == ({2, 3}, set())
    assert (Eyes(state, ANN).results_only, Eyes(state, STRANGER).results_only) == (True, None)


def test_a_diary_is_read_by_its_writer_until_the_game_is_over() -> None:
    page = DiaryPage(game_id=1, seat_id=1, number=1, phase=None, text=Outward("plan"), at=NOW)
    state = a_game(pages=[page])
    own, nobody = seat_of(state, 1), replace(seat_of(state, 1), person_id=None)
    assert Eyes(state, ANN).pages(own) == [page]
    assert Eyes(state, ANYBODY).pages(nobody) == []
    assert Eyes(state, ANN).person(nobody) is None
    assert Eyes(state, BOB, ("Austria",)).pages(own) == []
    assert Eyes(state, ANYBODY).pages(own) == []
    assert Eyes(state, MAX).diaries() == {}
    other, watched = replace(page, seat_id=2), replace(page, seat_id=9)
    over = a_game(seats=cast_of()[::-1], pages=[watched, other, page], state=GameState.ENDED)
    assert list(Eyes(over, BOB).diaries().items()) == [("Austria", [page]), ("England", [other])]


# Press


@pytest.mark.parametrize(
    ("press", "readers"),
    [
        (said(1, [2], ["England"]), {ANN, BOB, HOST}),
        (said(1, [2], ["England"], overseen=True), {ANN, BOB, MAX, HOST}),
        (said(1, [2, 3], ["All"], public=True), {*range(1, 8), MAX, OLGA, LEA, HOST, STRANGER}),
        (said(1, [2], ["England"], held=True), {ANN}),
        (said(5, [10], ["Italy"]), {5, LEA, HOST}),
    ],
)
def test_press_is_read_by_whom_it_concerns(press: Press, readers: set[int]) -> None:
    state = a_game(seats=[*cast_of(), host()], posted=[press])
    everybody = (*range(1, 8), MAX, OLGA, LEA, HOST, STRANGER)
    assert {who for who in everybody if Eyes(state, who).press()} == readers
    assert len(Eyes(state, ANYBODY).press()) == press.public


def test_press_from_a_seat_that_has_no_number_is_nobodys_own() -> None:
    state = a_game(posted=[said(None, [2], ["England"])])
    assert Eyes(state, ANYBODY).press() == []
    assert len(Eyes(state, BOB).press()) == 1


def test_only_signed_press_is_muted() -> None:
    seats = cast_of()
    seats[1].options = SeatOptions(muted=(1,))
    white, grey = said(1, [2], ["England"]), said(1, [2], ["England"], color=PressColor.GREY)
    other = said(3, [2], ["England"])
    state = a_game(seats=seats, posted=[white, grey, other])
    assert [(each["sender"], each["grey"]) for each in Eyes(state, BOB).press()] == [
        ("Austria", True), ("France", False)
    ]  # fmt: skip
    assert Eyes(state, BOB).got() == [white, grey, other]
    assert len(Eyes(state, ANN).press()) == 2


def test_press_of_a_phase_or_a_time_alone_can_be_asked_for() -> None:
    early = said(1, [2], ["England"], sent_at=NOW - timedelta(days=1))
    state = a_game(posted=[early, said(1, [2], ["England"])])
    assert len(Eyes(state, BOB).press(lambda _, at: at < NOW)) == 1


@pytest.mark.parametrize(
    ("press", "reader", "name", "truth"),
    [
        (said(1, [2], ["England"]), BOB, "Ann", None),
        (said(1, [2], ["England"]), MAX, "Ann", None),
        (said(None, [2], ["England"]), BOB, "Master", None),
        (said(1, [2], ["England"], color=PressColor.GREY), BOB, "Austria", None),
        (
            said(1, [2], ["England"], color=PressColor.GREY), MAX, "Austria",
            {"sender": "Austria", "name": "Ann", "to": ["England"]},
        ),
        (said(1, [2], ["England", "France"]), BOB, "Ann", None),
        (
            said(1, [2], ["England", "France"]), MAX, "Ann",
            {"sender": "Austria", "name": "Ann", "to": ["England"]},
        ),
        (
            said(1, [2], ["All"], color=PressColor.GREY, public=True), MAX, "Austria",
            {"sender": "Austria", "name": "Ann", "to": ["All"]},
        ),
        (said(None, [2], ["France"], color=PressColor.GREY), MAX, "Master", None),
    ],
)  # fmt: skip
def test_who_wrote_is_told_by_the_heading_and_the_truth_to_masters(
    press: Press, reader: int, name: str, truth: object
) -> None:
    shown = Eyes(a_game(posted=[press]), reader).said(press)
    assert (shown["sender_name"], shown["truth"]) == (name, truth)
    assert shown["grey"] is (press.color is PressColor.GREY)


def test_a_writer_is_called_as_the_reader_may_know_them() -> None:
    press = said(1, [2], ["England"])
    state = a_game(posted=[press], gunboat=True)
    assert Eyes(state, BOB).said(press)["sender_name"] == "Austria"
    assert Eyes(state, MAX).said(press)["sender_name"] == "Ann"


@pytest.mark.parametrize(
    ("press", "went"),
    [
        (said(1, [2], ["England"]), None),
        (said(1, [2], ["England", "France"]), ["England"]),
        (said(1, [2, 3], ["All"], public=True), None),
        (said(1, [2, 3], ["England"], public=True), None),
        (said(1, [2], ["Anonymous"]), None),
        (said(1, [1, 2], ["England"]), ["Austria", "England"]),
        (said(1, [2], ["Austria", "England"]), None),
    ],
)
def test_a_writer_reads_where_their_message_really_went(
    press: Press, went: list[str] | None
) -> None:
    state = a_game(posted=[press])
    assert Eyes(state, ANN).said(press)["went"] == went
    assert Eyes(state, ANN).said(press)["mine"] is True
    assert Eyes(state, BOB).said(press)["went"] is None
    assert Eyes(state, BOB).said(press)["mine"] is False


@pytest.mark.parametrize(
    ("press", "several"),
    [
        (said(1, [2], ["England"]), False), (said(1, [2, 3], ["England"]), False),
        (said(1, [2, 3], ["England", "France"]), True), (said(1, [2, 3], ["All"]), True),
        (said(1, [8], ["Master"]), False), (said(1, [8, 12], ["Master"]), True),
        (said(1, [9], ["Observers"]), False), (said(1, [9, 12], ["Observers"]), True),
        (said(1, [2], ["England", "France"]), True),
    ],
)  # fmt: skip
def test_what_has_one_reader_by_its_heading_is_told_apart(press: Press, several: bool) -> None:
    assert readable_press.several(press) is several
    assert readable_press.is_broadcast(press) is (press.to == ["All"])


ANONYMOUS = said(1, [2], ["Anonymous"])
GREY = said(2, [1], ["Austria"], color=PressColor.GREY)


@pytest.mark.parametrize(
    ("press", "others", "settings", "reader", "unsigned"),
    [
        (said(1, [2], ["England"]), [], {}, BOB, False),
        # Who wrote unsigned is answered so: by a signature they would tell that it was they.
        (said(1, [2], ["England"]), [GREY], {}, BOB, False),
        (ANONYMOUS, [GREY], {}, BOB, True),
        (ANONYMOUS, [], {}, BOB, True),
        (said(1, [2], ["Anonymous", "England"]), [], {}, BOB, False),
        (said(1, [2], ["Anonymous", "England"]), [GREY], {}, BOB, True),
        (said(1, [2], ["Anonymous", "England"]), [said(2, [1], ["Austria"])], {}, BOB, False),
        (
            said(1, [2], ["Anonymous", "England"]),
            [said(3, [1], ["Austria"], color=PressColor.GREY)], {}, BOB, False,
        ),
        (ANONYMOUS, [], {}, STRANGER, False),
        (ANONYMOUS, [], {}, MAX, False),
        (said(8, [2], ["Anonymous"], from_label="Master"), [], {}, BOB, False),
        (said(1, [2], ["England"]), [], {"press": PressRule.GREY}, BOB, True),
        (said(1, [2], ["England"]), [], {"press": PressRule.GREY_WHITE}, BOB, True),
        (said(1, [2], ["England"]), [], {"press": PressRule.WHITE_GREY}, BOB, False),
        (said(1, [2], ["England"]), [], {"press": PressRule.NONE}, BOB, False),
        (said(1, [9], ["Observers"]), [], {"press": PressRule.GREY}, OLGA, True),
        (
            said(1, [9], ["Observers"]), [],
            {"press": PressRule.GREY, "observer_press": ObserverPress.WHITE}, OLGA, False,
        ),
        (
            said(1, [2], ["England"]), [],
            {"press": PressRule.GREY, "observer_press": ObserverPress.WHITE}, BOB, True,
        ),
    ],
)  # fmt: skip
def test_a_plain_answer_is_signed_as_what_it_answers(
    press: Press, others: list[Press], settings: dict[str, Any], reader: int, unsigned: bool
) -> None:
    state = a_game(posted=[press, *others], **settings)
    assert Eyes(state, reader).said(press)["unsigned"] is unsigned


def test_who_plays_and_watches_answers_as_players_do() -> None:
    settings: dict[str, Any] = {"press": PressRule.GREY, "observer_press": ObserverPress.WHITE}
    press = said(2, [1], ["Austria"])
    state = a_game(seats=[*cast_of(), host(person=ANN)], posted=[press], **settings)
    assert Eyes(state, ANN).said(press)["unsigned"]


def test_a_master_who_also_watches_signs() -> None:
    state = a_game(seats=[*cast_of(), host(person=MAX)], posted=[ANONYMOUS])
    assert not Eyes(state, MAX).said(ANONYMOUS)["unsigned"]


@pytest.mark.parametrize(("held", "state"), [(True, "active"), (False, "paused")])
def test_what_is_held_is_shown_as_of_a_game_that_runs(held: bool, state: str) -> None:
    press = said(1, [2], ["England"], held=held)
    shown = Eyes(a_game(posted=[press], state=GameState.PAUSED), ANN).said(press)
    assert (shown["state"], shown["held"]) == (state, held)


def test_in_a_game_without_a_master_its_maker_answers_as_players_do() -> None:
    state = a_game(posted=[ANONYMOUS], moderated=False)
    assert Eyes(state, MAX).said(ANONYMOUS)["unsigned"]


def test_who_writes_is_called_by_their_first_part() -> None:
    state = a_game()
    player, master, observer = (seat_of(state, number) for number in (1, 8, 9))
    assert readable_press.label(state, [master, player]) == "Austria"
    assert readable_press.label(state, [observer, master]) == "Master"
    assert readable_press.label(state, [observer]) == "Observer"
    assert readable_press.label(state, []) == "Observer"
    assert readable_press.called(state, observer) == "Observers"
    assert readable_press.called(state, master) == "Master"
    unnamed = Seat(id=20, game_id=1, person_id=2, role=Role.PLAYER, joined_at=NOW)
    assert readable_press.called(state, unnamed) == "Bob"


def test_statements_are_told_by_power_with_names_for_whom_may_know_them() -> None:
    given = {str(number): Statement(Outward(f"text {number}"), NOW) for number in (2, 1)}
    for gunboat, name in ((False, "Ann"), (True, None)):
        state = a_game(
            seats=cast_of()[::-1], options=GameOptions(statements=given), gunboat=gunboat
        )
        found = Eyes(state, BOB).statements()
        assert [each.power for each in found] == ["Austria", "England"]
        assert (found[0].name, found[0].text) == (name, "text 1")


# The board of a blind game

A, F = "A", "F"
BOARD = Position(
    Phase.read("F1901M"),
    units={
        "Austria": (Unit(A, "vie"), Unit(F, "tri")),
        "Germany": (Unit(A, "mun"), Unit(A, "ber")),
        "Italy": (Unit(A, "tyr"),),
    },
    centers={"Austria": ("bud", "vie"), "Germany": ("mun", "ber"), "Italy": ("ven", "nap")},
    dislodged={
        "Austria": (Dislodged(Unit(A, "boh"), "mun", ("gal",)),),
        "Italy": (
            Dislodged(Unit(A, "ven"), "tyr", ("apu",)),
            Dislodged(Unit(F, "nap"), "rom", ("ion",)),
        ),
    },
    contested=("tyr", "lon"),
)
"""Austria sees around boh, bud, tri and vie: not Berlin, nor Naples and London."""


def test_a_power_of_a_blind_game_sees_what_is_near() -> None:
    state = a_game(position=BOARD, blind=True)
    seen = Eyes(state, ANN).opened
    assert seen.units["Germany"] == (Unit(A, "mun"),)
    assert seen.units["Italy"] == (Unit(A, "tyr"),)
    assert (seen.centers["Germany"], seen.centers["Italy"]) == (("mun",), ("ven",))
    assert seen.dislodged["Austria"] == (Dislodged(Unit(A, "boh"), "mun", ("gal",)),)
    assert seen.dislodged["Italy"] == (Dislodged(Unit(A, "ven"), None),)
    assert seen.contested == ("tyr",)
    assert seen.extra == {}
    assert Eyes(state, ANN).own(seen).units == {"Austria": BOARD.units["Austria"]}
    assert Eyes(state, ANN).own(seen).centers == {"Austria": BOARD.centers["Austria"]}
    power_view = Eyes(state, ANN).power_view("Austria")
    assert power_view.position == seen


@pytest.mark.parametrize("reader", [MAX, JUDGE])
def test_who_runs_a_blind_game_sees_all_of_it(reader: Reader) -> None:
    state = a_game(position=BOARD, blind=True)
    assert Eyes(state, reader).opened == BOARD
    assert Eyes(state, reader).all


def test_of_others_who_are_near_no_count_is_told() -> None:
    state = a_game(position=BOARD, blind=True)
    rows = {row["power"]: row for row in Eyes(state, ANN).standings()}
    assert rows["Austria"]["count"] == 2
    assert (rows["Germany"]["count"], rows["Germany"]["out"]) == (None, False)
    assert {row["count"] for row in Eyes(state, OLGA).standings()} == {None}
    assert Eyes(state, MAX).standings() == state.standings
    later = Position(Phase.read("F1902M"), units={}, centers={"Austria": ("vie",)})
    counts = {row["power"]: row["count"] for row in Eyes(state, MAX).standings(later)}
    assert counts["Austria"] == 1
    assert fog.standings(a_game(state=GameState.FORMING), ANN) == []


def test_neutral_and_destroyed_places_are_told_where_they_are_seen() -> None:
    ruined = Position(
        Phase.read("F1901M"),
        units={"Austria": (Unit(F, "tri"),)},
        centers={"Austria": ("vie",)},
        extra={DESTROYED: ["tri", "lon"], VANISHED: ["ven", "edi"]},
    )
    state = a_game(position=ruined, blind=True)
    assert Eyes(state, ANN).destroyed() == ["Trieste"]
    assert Eyes(state, MAX).destroyed() == ["London", "Trieste"]
    assert Eyes(state, ANYBODY).destroyed() == []
    assert Eyes(state, ANN).neutral() == ["Budapest", "Serbia"]
    assert "London" not in Eyes(state, MAX).neutral()
    assert "Paris" in Eyes(state, MAX).neutral()
    assert Eyes(state, ANN).neutral(BOARD) == ["Rumania", "Serbia", "Trieste"]
    forming = a_game(state=GameState.FORMING, blind=True)
    assert (Eyes(forming, MAX).neutral(), Eyes(forming, MAX).destroyed()) == ([], [])
    empty = a_game(position=Position(Phase.read("S1901M"), units={}, centers={}))
    assert Eyes(empty, ANYBODY).neutral() == sorted(
        state.variant.board.name(each) for each in state.variant.board.centers
    )


def test_ruins_and_rights_are_kept_from_who_does_not_see_them() -> None:
    extra: dict[str, Any] = {
        DESTROYED: ["tri", "lon"], CUT_OFF: {"ven": "S1901", "edi": "S1901"},
        RIGHTS: {"Austria": 1, "Germany": 2}, "other": 1,
    }  # fmt: skip
    state = a_game(
        position=Position(
            Phase.read("F1901M"), units={"Austria": (Unit(F, "tri"),)}, centers={}, extra=extra
        ),
        blind=True,
    )  # fmt: skip
    seen = Eyes(state, ANN).opened.extra
    assert seen[DESTROYED] == ["tri"]
    assert seen[CUT_OFF] == {"ven": "S1901"}
    assert seen[RIGHTS] == {"Austria": 1}
    assert (VANISHED in seen, seen["other"]) == (False, 1)
    assert Eyes(state, ANN).armed() == []
    assert Eyes(state, MAX).armed() == ["Austria", "Germany"]
    assert Eyes(a_game(), MAX).armed() == []
    assert Eyes(a_game(state=GameState.FORMING), MAX).armed() == []
    assert Eyes(a_game(), MAX).armed(state.opened) == ["Austria", "Germany"]
    assert Eyes(a_game(), MAX).destroyed(state.opened) == ["London", "Trieste"]


def test_centers_by_year_are_those_of_ones_own_powers() -> None:
    rows = [{"year": 1901, "counts": {"Austria": 4, "Germany": 5}}]
    state = a_game(blind=True)
    own = [{"year": 1901, "counts": {"Austria": 4}}]
    assert Eyes(state, ANN).years(rows) == (["Austria"], own)
    assert Eyes(state, OLGA).years(rows) == ([], ())
    assert Eyes(state, MAX).years(rows) == (list(state.variant.powers), rows)


@pytest.mark.parametrize("phase", ["F1901M", "F1901R"])
@pytest.mark.parametrize("blind", [True, False])
def test_who_owes_is_hidden_where_it_tells_what_happened(phase: str, blind: bool) -> None:
    state = a_game(
        position=Position(
            Phase.read(phase), units={"Germany": (Unit(A, "mun"),)}, centers={},
            dislodged={"Austria": (Dislodged(Unit(A, "boh"), "mun", ("gal",)),)},
        ),
        blind=blind,
    )  # fmt: skip
    hidden = blind and phase == "F1901R"
    assert Eyes(state, MAX).owing == ([] if hidden else list(state.owed))
    assert state.owed


def test_the_view_of_a_power_is_opened_to_whom_may_order() -> None:
    state = a_game(position=BOARD)
    assert Eyes(state, ANN).power_view("Austria").position == BOARD
    assert Eyes(state, MAX, ("Austria",)).power_view("Austria").due == state.owed["Austria"]
    for reader in (BOB, MAX, ANYBODY):
        with pytest.raises(LookupError):
            Eyes(state, reader).power_view("Austria")
    assert Eyes(state, JUDGE).power_view("Austria").power == "Austria"
    assert Eyes(state, MAX).sheets() == {}


def test_where_nothing_is_hidden_all_is_seen() -> None:
    state = a_game(position=BOARD)
    for reader in (ANN, OLGA, ANYBODY):
        assert Eyes(state, reader).opened == BOARD
        assert Eyes(state, reader).all
    over = a_game(position=BOARD, blind=True, state=GameState.ENDED)
    assert Eyes(over, ANYBODY).opened == BOARD
    standard = variants.load("standard")
    assert Eyes(a_game(state=GameState.FORMING), ANYBODY).opened == standard.opening


# What has run


def test_phases_that_have_run_are_seen_as_far_as_their_reader_sees_them() -> None:
    first, last = (
        PhaseRun(
            game_id=1, phase=phase, position=position_to_json(BOARD), orders={},
            results={"orders": {}, "units": {}, "centers": {}, "dislodged": []},
            processed_at=NOW,
        )
        for phase in ("S1901M", "F1901M")
    )  # fmt: skip
    state = a_game(runs=[first, last], blind=True)
    seen = Eyes(state, ANN)
    assert [(each.phase, each.at) for each in seen.phases()] == [("S1901M", NOW), ("F1901M", NOW)]
    found = seen.past("S1901M")
    assert found is not None
    assert found.position == Eyes(a_game(position=BOARD, blind=True), ANN).opened
    assert [each.phase for each in found.later()] == ["F1901M"]
    assert seen.past("S1905M") is None
    assert found.left(Person(id=ANN, name=Outward("Ann"), created_at=NOW)) is not None
    assert [each.position for each in seen.records()] == [position_to_json(found.position)] * 2
    assert Eyes(state, MAX).records() == [first, last]


def run_of(before: dict[str, tuple[Unit, ...]], **results: Any) -> PhaseRun:
    """A movement phase that began with these units, and what came of it."""
    none: dict[str, Any] = {"orders": {}, "units": {}, "centers": {}, "dislodged": []}
    position = Position(Phase.read("F1901M"), units=before, centers={})
    return PhaseRun(
        game_id=1, phase="F1901M", position=position_to_json(position), orders={},
        results=none | results, processed_at=NOW,
    )  # fmt: skip


@pytest.mark.parametrize(
    "after",
    [
        {"units": {"France": ["A mun"]}},
        {"centers": {"France": ["mun"]}},
        {"dislodged": [{"power": "France", "unit": "A mun", "retreats": ["tyr"]}]},
    ],
)
def test_what_one_has_after_a_phase_shows_what_is_around_it(after: dict[str, Any]) -> None:
    taken = [{"id": "ber"}, {"id": "nwy"}]
    run = run_of({"France": (Unit(A, "bur"),)}, taken=taken, **after)
    seen = Eyes(a_game(blind=True), CLEO).of_run(run).report
    assert seen["taken"] == taken[:1]
    assert seen["dislodged"] == after.get("dislodged", [])
    other = {"dislodged": [{"power": "Italy", "unit": "A mun", "retreats": ["tyr"]}]}
    run = run_of({"France": (Unit(A, "bur"),)}, taken=taken, **other)
    assert Eyes(a_game(blind=True), CLEO).of_run(run).report["taken"] == []


def test_what_one_loses_out_of_sight_is_told() -> None:
    lost = [{"power": "France", "unit": "A smy"}, {"power": "Italy", "unit": "A smy"}]
    run = run_of({"France": (Unit(A, "bur"),)}, lost=lost)
    assert Eyes(a_game(blind=True), CLEO).of_run(run).report["lost"] == lost[:1]


def test_of_orders_that_lead_out_of_sight_the_unit_is_told_and_no_more() -> None:
    units = {"France": (Unit(A, "bur"),), "Germany": (Unit(A, "mun"), Unit(A, "bel"))}
    bounced = {"done": False, "reason": "bounced"}
    orders = {
        "France": [
            line("A bur - mun", "A bur") | bounced, line("A bur S A kie - ber", "A bur") | bounced
        ],
        "Germany": [
            line("A mun - bur", "A mun") | bounced,
            line("A mun - boh", "A mun") | bounced,
            line("A mun S A boh", "A mun") | bounced,
            line("A bel - nth - eng - pic", "A bel") | bounced,
            line("jump", "A mun") | bounced,
            line("A mun H", "A mun") | bounced,
            line("A kie - ber", "A kie") | bounced,
            line("A kie - ruh", "A kie") | bounced | {"unit": None},
        ],
    }  # fmt: skip
    told = Eyes(a_game(blind=True), CLEO).of_run(run_of(units, orders=orders)).report["orders"]
    shown = [(each["order"], each["veil"], each["reason"]) for each in told["Germany"]]
    assert shown == [
        ("A mun - bur", None, "bounced"),
        ("A mun", "order", None),
        ("A mun", "order", None),
        ("A bel", "order", None),
        ("A mun", "order", None),
        ("A mun H", None, "bounced"),
    ]
    assert [(each["reason"], each["done"]) for each in told["France"]] == [
        ("bounced", False), (None, None)
    ]  # fmt: skip
    out = run_of(units, orders={"France": [line("A bur - kie", "A bur") | bounced]})
    (own,) = Eyes(a_game(blind=True), CLEO).of_run(out).report["orders"]["France"]
    assert (own["order"], own["reason"], own["done"]) == ("A bur - kie", None, False)


def test_only_who_plays_a_power_sees_by_it() -> None:
    seats = cast_of()
    seats[0].power, seats[8].power = None, "Turkey"
    state = a_game(seats=seats, blind=True)
    assert [Eyes(state, who).powers for who in (ANN, BOB, OLGA)] == [(), ("England",), ()]


def test_orders_of_all_are_shown_to_a_host() -> None:
    state = a_game(seats=[*cast_of(), host()])
    state.on_file = SimpleNamespace(of_phase=lambda _: {})  # type: ignore[assignment]
    assert list(Eyes(state, HOST).sheets()) == list(state.variant.powers)
    assert Eyes(state, MAX).sheets() == {}


def line(order: str, unit: str) -> dict[str, object]:
    return {"order": order, "unit": unit, "done": True, "reason": None, "given": True}


def test_a_report_of_a_blind_game_has_what_was_in_sight_before_or_is_now() -> None:
    state = a_game(blind=True)
    before = Position(
        Phase.read("F1901M"),
        units={"France": (Unit(A, "bur"),), "Germany": (Unit(A, "mun"), Unit(A, "kie"))},
        centers={},
    )
    results = {
        "orders": {
            "France": [line("A bur - mun", "A bur")],
            "Germany": [line("A mun - sil", "A mun"), line("A kie - ber", "A kie")],
        },
        "taken": [{"id": "mun", "to": "France"}, {"id": "nwy", "to": "England"}],
        "destroyed": [{"id": "ber"}, {"id": "nwy"}],
        "dislodged": [
            {"power": "Germany", "unit": "A mun", "retreats": ["sil"]},
            {"power": "Turkey", "unit": "A smy", "retreats": ["syr"]},
        ],
        "armed": ["Germany"],
        "rivals": ["Germany", "Italy"],
        "winners": ["Germany"],
        "units": {"France": ["A mun"], "Germany": ["A ber"], "Turkey": ["A smy"]},
        "centers": {"France": ["mun"], "Germany": ["ber", "den"]},
        "seals": {"France": {"key": "f"}, "Germany": {"key": "g"}},
    }
    run = PhaseRun(
        game_id=state.game.id, phase="F1901M", position=position_to_json(before), results=results,
        orders={"France": ["A bur - mun"], "Germany": ["A kie - ber"]},
        processed_at=NOW,
    )  # fmt: skip
    assert Eyes(state, MAX).of_run(run).report == results
    seen = Eyes(state, CLEO)
    report = seen.of_run(run).report
    assert [each["order"] for each in report["orders"]["Germany"]] == ["A mun"]
    assert report["taken"] == [{"id": "mun", "to": "France"}]
    assert report["destroyed"] == [{"id": "ber"}]
    assert report["dislodged"] == [{"power": "Germany", "unit": "A mun", "retreats": None}]
    assert [report[each] for each in ("armed", "rivals", "winners")] == [[], [], []]
    assert report["units"] == {"France": ["A mun"], "Germany": ["A ber"], "Turkey": []}
    assert report["centers"] == {"France": ["mun"], "Germany": ["ber"]}
    assert report["seals"] == {"France": {"key": "f"}}
    assert seen.record_of(run).orders == {"France": ["A bur - mun"]}


def test_of_ones_own_order_into_the_dark_only_what_its_unit_felt_is_told() -> None:
    state = a_game(blind=True)
    units = (Unit(A, "bur"), Unit(A, "gas"), Unit(F, "eng"))
    before = Position(Phase.read("F1901M"), units={"France": units}, centers={})
    orders = [
        line("A bur S A kie - ruh", "A bur"),
        line("A gas S A kie - ruh", "A gas") | {"done": False, "reason": "cut"},
        line("F eng C A lon - nwy", "F eng"),
    ]
    results = {"orders": {"France": orders}, "dislodged": [], "units": {}, "centers": {}}
    run = PhaseRun(
        game_id=state.game.id, phase="F1901M", position=position_to_json(before), results=results,
        orders={}, processed_at=NOW,
    )  # fmt: skip
    told = Eyes(state, CLEO).of_run(run).report["orders"]["France"]
    assert [(each["veil"], each["done"], each["reason"]) for each in told] == [
        ("outcome", None, None),
        (None, False, "cut"),
        ("outcome", None, None),
    ]


def test_what_others_may_build_or_must_remove_is_hidden_where_they_are_seen_in_part() -> None:
    state = a_game(blind=True)
    position = Position(
        Phase.read("W1901A"),
        units={"France": (Unit(A, "bur"),), "Italy": (Unit(A, "mar"), Unit(A, "ruh"))},
        centers={"France": ("par",), "Germany": ("mun",), "Italy": ("mar",)},
    )
    rows = {
        who: {row["power"]: row for row in fog.standings(state, who, position)}
        for who in (CLEO, MAX)
    }
    assert (rows[MAX]["Germany"]["builds"], rows[MAX]["Italy"]["removals"]) == (1, 1)
    assert (rows[CLEO]["Germany"]["builds"], rows[CLEO]["Italy"]["removals"]) == (0, 0)
    assert rows[CLEO]["Italy"]["units"] == rows[MAX]["Italy"]["units"]
