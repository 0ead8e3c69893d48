"""What a picture shows to whom, and what is said in its place, on games that are in no database."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from judge import maps, variants
from judge.events import Event, EventKind, Recipient
from judge.game.state import State, boards
from judge.game.state.sheet import Seal
from judge.game.visibility import shown_boards
from judge.game.visibility.readers import ANYBODY
from judge.game.visibility.record import record, seals_of
from judge.i18n import speaking
from judge.interchange.stored_values import position_to_json
from judge.language.read import read_order
from judge.maps import View
from judge.rules.phase import Phase
from judge.rules.position import Dislodged, Position, Unit
from judge.rules.rulebook import Rulebook
from judge.storage import GameState, Outward, Person, PersonOptions, PhaseRun
from tests.game.on_paper import ANN, BOB, CLEO, MAX, NOW, OLGA, a_game

STANDARD = variants.load("standard")
Orders = dict[str, list[str]]


def played(before: Position, texts: Orders) -> tuple[PhaseRun, Position]:
    """A phase that has run with these orders, and the position it left."""
    orders = {
        power: [read_order(text, STANDARD, before.phase, power) for text in lines]
        for power, lines in texts.items()
    }
    after, results = boards.play(STANDARD, before, orders, Rulebook())
    run = PhaseRun(
        game_id=1, phase=str(before.phase), position=position_to_json(before), orders=texts,
        results=results, processed_at=NOW,
    )  # fmt: skip
    return run, after


SPRING, THEN = played(
    STANDARD.opening,
    {"Austria": ["A vie - tyr", "F tri H"], "Italy": ["A ven - tyr"], "England": ["F lon - nth"]},
)
AUTUMN, LATER = played(
    dataclasses.replace(THEN, phase=Phase.read("F1901M")),
    {"England": ["F nth - nwy"], "Austria": ["A bud - ser"]},
)


def orders_of(view: View) -> list[tuple[str, str, bool | None, str | None]]:
    return [(each.power, str(each.order), each.done, each.reason) for each in view.orders]


def named(picture: shown_boards.BoardPicture | None) -> shown_boards.BoardPicture:
    assert picture is not None
    return picture


def somebody(number: int = ANN, **options: Any) -> Person:
    return Person(id=number, name=Outward("Ann"), created_at=NOW, options=PersonOptions(**options))


# The open position


def test_the_open_position_is_shown_with_the_orders_that_are_asked_for() -> None:
    filed = {"Austria": {"S1901M": ["A vie - gal"]}, "Italy": {"S1901M": ["A ven H"]}}
    state = a_game(filed=filed)
    assert orders_of(shown_boards.now_view(state, ANN)) == []
    view = shown_boards.now_view(state, ANN, ["Austria", "England"])
    assert orders_of(view) == [("Austria", "A vie - gal", None, None)]
    assert (view.game, view.units, view.unseen) == ("paris", state.opened.units, frozenset())
    forming = a_game(state=GameState.FORMING)
    assert shown_boards.now_view(forming, ANN).units == STANDARD.opening.units


def test_in_a_game_that_is_over_nothing_is_to_be_decided() -> None:
    position = Position(
        Phase.read("S1901R"), units={}, centers={},
        dislodged={"Austria": (Dislodged(Unit("A", "boh"), "mun", ("gal",)),)},
    )  # fmt: skip
    for state, retreats in ((GameState.ACTIVE, ("gal",)), (GameState.ENDED, ())):
        view = shown_boards.now_view(a_game(position=position, state=state), ANN)
        assert view.dislodged["Austria"][0].retreats == retreats


def test_in_a_blind_game_only_what_is_near_is_shown() -> None:
    state = a_game(runs=[SPRING, AUTUMN], position=LATER, blind=True)
    for view in (
        shown_boards.now_view(state, ANN),
        shown_boards.past_view(state, SPRING, ANN),
        shown_boards.past_view(state, SPRING, ANN).then,
        shown_boards.past_view(state, AUTUMN, ANN).then,
    ):
        assert view is not None
        assert ("lon" in view.unseen, "bud" in view.unseen) == (True, False)
        assert not view.units.get("England")
        assert view.game == "paris"
    assert shown_boards.now(state, OLGA) is None
    assert shown_boards.of_run(state, SPRING, OLGA) is None
    for reader in (ANN, MAX):
        assert named(shown_boards.now(state, reader)).view.phase == LATER.phase
        assert (
            named(shown_boards.of_run(state, SPRING, reader)).view.phase == STANDARD.opening.phase
        )
    assert named(shown_boards.now(a_game(), ANYBODY)).view.units == STANDARD.opening.units


# Phases that have run


def test_a_past_phase_shows_what_became_of_its_orders_and_what_it_left() -> None:
    state = a_game(runs=[SPRING, AUTUMN], position=LATER)
    view = shown_boards.past_view(state, SPRING, ANN)
    assert (view.units, view.phase) == (STANDARD.opening.units, STANDARD.opening.phase)
    told = orders_of(view)
    assert ("Austria", "A vie - tyr", False, "bounced") in told
    assert ("England", "F lon - nth", True, None) in told
    assert view.then is not None
    assert (view.then.units, str(view.then.phase)) == (THEN.units, "F1901M")
    whole = shown_boards.past_view(state, SPRING, ANN, until=AUTUMN)
    assert whole.then is not None
    assert whole.then.units == LATER.units
    bare = shown_boards.past_view(state, SPRING, ANN, orders=False)
    assert (bare.orders, bare.then, bare.beaten) == ((), None, ())
    last = shown_boards.past_view(state, AUTUMN, ANN).then
    assert last is not None
    assert last.units == LATER.units
    assert shown_boards.last_played(state) == AUTUMN
    empty = replace(AUTUMN, results={**AUTUMN.results, "orders": {}})
    assert shown_boards.last_played(a_game(runs=[SPRING, empty])) == SPRING
    assert shown_boards.last_played(a_game(runs=[empty])) is None


def test_where_the_game_has_no_position_a_past_phase_shows_only_how_it_began() -> None:
    state = a_game(runs=[SPRING], state=GameState.FORMING)
    assert shown_boards.past_view(state, SPRING, ANN).then is None


def test_who_was_dislodged_is_shown() -> None:
    before = Position(
        Phase.read("S1901M"),
        units={"Austria": (Unit("A", "tyr"), Unit("A", "tri")), "Italy": (Unit("A", "ven"),)},
        centers={},
    )
    run, after = played(before, {"Austria": ["A tyr - ven", "A tri S A tyr - ven"]})
    view = shown_boards.past_view(a_game(runs=[run], position=after), run, ANN)
    assert view.beaten == ["ven"]


def test_orders_that_a_reader_sees_in_part_are_shown_in_part() -> None:
    before = Position(
        Phase.read("F1901M"),
        units={
            "France": (Unit("A", "bur"), Unit("F", "eng")),
            "Germany": (Unit("A", "mun"), Unit("A", "kie")),
        },
        centers={},
    )
    texts = {"France": ["A bur H", "F eng C A lon - nwy"], "Germany": ["A mun - boh", "A kie H"]}
    run, after = played(before, texts)
    view = shown_boards.past_view(a_game(runs=[run], position=after, blind=True), run, CLEO)
    # Where Munich goes is not seen, and of the convoy not what came of it.
    assert orders_of(view) == [
        ("France", "A bur H", True, None),
        ("France", "F eng C A lon - nwy", None, None),
    ]


def test_a_fleet_that_carried_nobody_tells_why() -> None:
    before = Position(
        Phase.read("F1901M"),
        units={"England": (Unit("F", "nth"), Unit("F", "eng")), "France": (Unit("A", "bel"),)},
        centers={},
    )
    texts = {"England": ["F nth C A bel - hol", "F eng C A bel - pic"], "France": ["A bel - hol"]}
    run, after = played(before, texts)
    told = orders_of(shown_boards.past_view(a_game(runs=[run], position=after), run, BOB))
    assert [each[3] for each in told] == ["by_land", "unmatched", None]
    assert run.results["orders"]["England"][0]["reason"] is None


def test_a_trial_shows_the_part_of_the_board_where_orders_were_given() -> None:
    found = shown_boards.of_trial(a_game(), STANDARD.opening, THEN, SPRING.results["orders"], ANN)
    assert found.shown["theater"] == ["Austria", "England", "Italy"]
    assert found.shown["of"] == "orders"
    assert found.view.then is not None
    assert found.view.then.units == THEN.units
    assert (found.view.game, found.view.then.game) == ("paris", "paris")
    assert ("England", "F lon - nth", True, None) in orders_of(found.view)
    assert not found.view.unseen
    dark = shown_boards.of_trial(a_game(blind=True), STANDARD.opening, THEN, {}, ANN).view
    assert dark.then is not None
    assert dark.unseen == dark.then.unseen != frozenset()


# Parts of a board


def test_a_player_is_shown_the_part_that_matters_and_others_all() -> None:
    state = a_game()
    whole = named(shown_boards.now(state, ANN))
    assert (whole.width, whole.caption, "theater" in whole.shown) == (0, "", False)
    mine = shown_boards.theater(whole, state, ANN)
    assert (mine.shown["theater"], mine.shown["of"]) == (["Austria"], "units")
    part = maps.theater_of(whole.view, ["Austria"])
    assert part is not None
    assert mine.width == part.width
    assert shown_boards.theater(whole, state, OLGA).shown["theater"] == []
    all_of_it = shown_boards.overview(whole)
    assert (all_of_it.shown["theater"], all_of_it.shown["of"]) == ([], "all")
    assert all_of_it.caption == ""
    assert named(shown_boards.now(state, ANN)).digest == whole.digest != mine.digest
    assert (whole.name, len(whole.digest)) == ("paris-S1901M", 32)


def test_a_board_that_is_a_schematic_is_shown_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shown_boards, "part_of", lambda *_: None)
    found = shown_boards.overview(named(shown_boards.now(a_game(), ANN)))
    assert (found.width, found.caption, found.shown["of"]) == (maps.WIDE, "", "all")


@pytest.mark.parametrize(
    ("beyond", "caption"),
    [
        ({}, ""),
        ({"north": 1}, "1 more in the north: A par"),
        ({"south": 6}, "6 more in the south: " + ", ".join(["A par"] * 6)),
        ({"east": 7}, "7 more in the east"),
        ({"west": 4, "east": 3}, "4 more in the west; 3 more in the east"),
        ({"west": 1, "east": 1}, "1 more in the west: A par; 1 more in the east: A par"),
    ],
)
def test_what_a_picture_does_not_show_is_said_below_it(
    beyond: dict[str, int], caption: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, state = named(shown_boards.now(a_game(), ANN)), a_game()
    units = {side: [Unit("A", "par")] * count for side, count in beyond.items()}
    monkeypatch.setattr(maps, "outside", lambda *_: units)
    assert shown_boards.theater(whole, state, ANN).caption == caption
    assert shown_boards.overview(whole).caption == ""


# In words


def test_who_does_not_see_a_picture_reads_their_units_and_their_neighbors() -> None:
    position = Position(
        Phase.read("S1901M"),
        units={
            "Austria": (Unit("A", "boh"), Unit("F", "tri")),
            "Germany": (Unit("A", "mun"), Unit("A", "ber")),
            "Italy": (Unit("A", "ven"),),
            "Turkey": (Unit("A", "con"),),
        },
        centers={},
    )
    state = a_game(position=position)
    said = "The board of paris, Spring 1901, movement."
    assert named(shown_boards.now(state, ANN)).alt == (
        f"{said} Austria A boh, F tri. Next to you: Germany A mun; Italy A ven."
    )
    assert named(shown_boards.now(state, 7)).alt == f"{said} Turkey A con."
    for reader in (OLGA, BOB):
        assert named(shown_boards.now(state, reader)).alt == said
    after = a_game(runs=[SPRING], position=THEN)
    assert named(shown_boards.of_run(after, SPRING, BOB)).alt == (
        "The board of paris after Spring 1901, movement. England F edi, A lvp, F nth."
    )


# In messages


def pictures(kind: EventKind, state: State, *runs: PhaseRun, **options: Any) -> list[Any]:
    event = Event(kind=kind, to=Recipient(ANN), game_id=1, runs=runs)
    return list(shown_boards.boards_of(event, state, somebody(**options)))


def test_letters_show_what_their_kind_says() -> None:
    state = a_game(runs=[SPRING, AUTUMN], position=LATER)
    (start,) = pictures(EventKind.START, state)
    assert (start.view.phase, start.view.then) == (LATER.phase, None)
    assert start.shown["theater"] == ["Austria"]
    (results,) = pictures(EventKind.RESULTS, state, SPRING, AUTUMN)
    assert results.view.phase == STANDARD.opening.phase
    assert results.view.then.units == LATER.units
    assert results.shown["theater"] == ["Austria"]
    empty = replace(SPRING, results={**SPRING.results, "orders": {}})
    (results,) = pictures(EventKind.RESULTS, state, empty, AUTUMN)
    assert str(results.view.phase) == "F1901M"
    assert pictures(EventKind.RESULTS, state, empty) == []
    assert pictures(EventKind.FULL, state) == []
    for kind in (EventKind.START, EventKind.RESULTS):
        assert pictures(kind, state, SPRING, AUTUMN, pictures="none") == []
    dark = a_game(blind=True, seats=[seat for seat in state.seats if seat.person_id != ANN])
    assert pictures(EventKind.START, dark) == []
    sandbox = a_game(moderated=False, people=1)
    assert pictures(EventKind.START, sandbox) == [], "who makes one knows how it begins"
    assert pictures(EventKind.ROLLBACK, sandbox)


def test_an_answer_shows_a_phase_and_what_those_behind_it_left() -> None:
    state = a_game(runs=[SPRING, AUTUMN], position=LATER)
    found = named(shown_boards.of_results(state, SPRING, somebody()))
    assert found.view.then is not None
    assert found.view.then.units == LATER.units
    assert found.shown["theater"] == ["Austria"]
    assert shown_boards.of_results(state, SPRING, somebody(html=True)) is not None
    for options in ({"pictures": "none"}, {"html": False}):
        assert shown_boards.of_results(state, SPRING, somebody(**options)) is None
    dark = a_game(runs=[SPRING], blind=True)
    assert shown_boards.of_results(dark, SPRING, somebody(OLGA)) is None


ALL = {"Austria": {"S1901M": ["A vie H", "A bud H", "F tri H"]}}
PART = {"Austria": {"S1901M": ["A vie H"]}}


def test_a_reminder_shows_the_board_to_who_has_orders_to_send() -> None:
    state = a_game(filed=PART)
    for kind in (EventKind.REMINDER, EventKind.LATE):
        (found,) = pictures(kind, state)
        assert (found.shown["theater"], len(found.view.orders)) == (["Austria"], 1)
        assert found.shown.get("of") != "few"
        assert pictures(kind, a_game(filed=ALL)) == []
        assert pictures(kind, state, pictures="none") == []
        assert pictures(kind, a_game(filed=PART, state=GameState.ENDED)) == []
    seats = [replace(seat) for seat in a_game().seats]
    seats[1].person_id = ANN
    assert pictures(EventKind.LATE, a_game(filed=ALL, seats=seats)), "England's are missing"
    assert pictures(EventKind.START, a_game(filed=ALL))[0].view.orders == ()
    assert pictures(EventKind.FULL, state) == []
    assert [each.shown["of"] for each in reply([state])] == ["few"]
    assert not list(shown_boards.of_orders(state, somebody(OLGA)))
    assert not list(shown_boards.of_orders(state, somebody(pictures="none")))


def reply(states: Sequence[State], number: int = ANN, **options: Any) -> list[Any]:
    return list(shown_boards.boards_of_reply(states, somebody(number, **options)))


def test_a_reply_shows_the_board_of_what_was_ordered() -> None:
    state = a_game(filed=ALL)
    (found,) = reply([state])
    assert (found.shown["theater"], found.shown["of"]) == (["Austria"], "few")
    assert len(found.view.orders) == 3
    assert reply([a_game()], OLGA) == []
    assert reply([state, a_game(state=GameState.ENDED)]) == []
    assert reply([state, a_game(filed=ALL)]) == []
    assert reply([a_game(filed=ALL, state=GameState.ENDED)]) == []
    assert reply([]) == []
    for pictures in ("results", "none"):
        assert reply([state], pictures=pictures) == []


def test_a_reply_shows_the_board_of_each_game_that_waits_for_orders() -> None:
    waiting = a_game(filed={"Austria": {"S1901M": ["A vie H"]}})
    (found,) = reply([waiting])
    assert [str(each.order) for each in found.view.orders] == ["A vie H"]
    assert len(reply([a_game(filed=ALL), *[waiting] * 5])) == 3
    # Who asks how a game stands in which all is on file sees nothing new.
    assert list(shown_boards.boards_of_reply([a_game(filed=ALL)], somebody(), changed=False)) == []


def test_builds_are_told_without_a_picture() -> None:
    position = Position(
        Phase.read("W1901A"), units={}, centers={"Austria": ("vie",)},
    )  # fmt: skip
    state = a_game(position=position, filed={"Austria": {"W1901A": ["B A vie"]}})
    assert state.sheets.of("Austria").complete
    assert reply([state]) == []


def test_powers_that_owe_nothing_are_not_waited_for() -> None:
    seats = [replace(seat) for seat in a_game().seats]
    seats[1].person_id = ANN
    position = Position(Phase.read("S1901M"), units={"Austria": (Unit("A", "vie"),)}, centers={})
    filed = {"Austria": {"S1901M": ["A vie H"]}}
    state = a_game(position=position, filed=filed, seats=seats)
    (found,) = reply([state])
    assert found.shown["theater"] == ["Austria"]
    (both,) = reply([a_game(filed=ALL, seats=seats)])
    assert both.shown["theater"] == ["Austria", "England"]


def test_pictures_are_attached_as_notes_that_are_drawn_when_they_are_sent() -> None:
    board = shown_boards.overview(named(shown_boards.now(a_game(), ANN)))
    (plain,) = shown_boards.as_attachments([board])
    assert (plain.name, plain.parameters) == ("paris-S1901M.png", ())
    assert (plain.content_id, plain.description) == (f"{board.digest}@board", board.alt)
    assert (plain.width, plain.caption) == (board.width, board.caption)
    (small,) = shown_boards.as_attachments([board], 38_000)
    assert small.parameters == (("most", "38000"),)
    with speaking("de"):
        view = shown_boards.now_view(a_game(), ANN)
        shown = shown_boards.snapshot(a_game(), view)
    assert (shown["language"], shown["variant"], shown["game"]) == ("de", "standard", "paris")
    assert json.loads(shown_boards.packed({"b": "ü", "a": 1})) == {"a": 1, "b": "ü"}
    assert shown_boards.packed({"b": "ü", "a": 1}) == b'{"a": 1, "b": "\xc3\xbc"}'


# As a file


def test_a_record_repeats_a_phase_and_proves_its_seals() -> None:
    game = a_game(runs=[SPRING], position=THEN).game
    sealed = Seal("paris", "S1901M", "Austria", "a key", ("A vie - tyr", "F tri H"))
    seals = {"Austria": {"key": "a key", "seal": sealed.digest}}
    run = replace(SPRING, results={**SPRING.results, "seals": seals, "victory": 5, "game": "lyon"})
    with speaking("de"):
        found = record(game, run)
    assert (found["game"], found["victory"], found["phase"]) == ("lyon", 5, "S1901M")
    plain = record(game, SPRING)
    assert (plain["game"], plain["victory"], plain["seals"]) == ("paris", 18, {})
    rows: Any = found["results"]
    assert rows["Austria"][0] == {
        "order": "A vie - tyr", "unit": "A vie", "outcome": "fails", "reason": "bounced",
        "note": rows["Austria"][0]["note"],
    }  # fmt: skip
    assert (
        rows["Austria"][0]["note"] == "bounced with the Italian army from Venice, one against one"
    )
    orders: Any = found["orders"]
    assert orders["Italy"] == ["A ven - tyr"]
    others = record(game, replace(run, orders={**run.orders, "Turkey": []}))
    assert others["orders"] == orders, "who ordered nothing is not in it"
    ((seal, printed),) = seals_of({**found, "game": "paris"})
    assert (seal, printed) == (sealed, sealed.digest)
    with pytest.raises(ValueError, match="not the record"):
        list(seals_of({"game": "paris"}))
