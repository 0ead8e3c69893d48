"""Global Diplomacy for six, five, four, three and two, by mail from CREATE to an ending."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from judge.game.fairness import read_assignment
from judge.game.state import State
from judge.rules.board_index import destroyed
from judge.rules.legal_orders import legal_orders
from judge.rules.orders import Launch
from judge.rules.phase import Kind
from judge.rules.position import Unit
from judge.storage import Role
from tests.game.play import PEOPLE, Play, Received
from tests.game.test_fairness import fair
from tests.sampled import FULL

US, RF, SA, EU, GA, PR = (
    *("United States", "Russian Federation", "South American Alliance"),
    *("European Union", "Greater African Union", "People's Republic of Asia"),
)


def globe(play: Play) -> State:
    game = play.storage.games.by_name("globe")
    assert game is not None
    return State(play.storage, game)


def begin(play: Play, players: int, options: str) -> list[Received]:
    play.send("max", f"CREATE ?globe global, PACE MIN 0 DELAY 0, {options}")
    for who in PEOPLE[:players]:
        play.send(who, "JOIN globe")
    return [letter for letter in play.run() if letter.kind == "start"]


def hands(play: Play) -> set[frozenset[str]]:
    """The powers of each player."""
    state = globe(play)
    found: dict[int | None, set[str]] = {}
    for seat in state.seats.active(Role.PLAYER):
        found.setdefault(seat.person_id, set()).add(seat.power or "")
    return set(map(frozenset, found.values()))


def some_orders(state: State, power: str, chance: random.Random) -> list[str]:
    """Orders by chance: bombs where there can be any, all builds that are due."""
    legal = legal_orders(state.variant, state.opened, power)
    if state.opened.phase.kind is not Kind.ADJUSTMENTS:
        lines = []
        for options in legal.values():
            bombs = [each for each in options if isinstance(each, Launch) and not each.via]
            lines.append(str(chance.choice(bombs or options)))
        return lines
    owed = state.owed[power]
    if owed.removals:
        return [f"D {unit}" for unit in list(legal)[: owed.removals]]
    places: dict[str, list[Unit]] = {}
    for unit in legal:
        places.setdefault(unit.province, []).append(unit)
    chosen: list[Unit] = []
    for units in places.values():
        count = Counter(unit.kind for unit in (*chosen, *state.opened.units.get(power, ())))
        free = [unit for unit in units if unit.kind == "R" or count[unit.kind] < 5]
        if len(chosen) < owed.builds and free:
            armed = any(each.kind == "R" for each in chosen)
            arsenals = [unit for unit in free if unit.kind == "R" and not armed]
            chosen.append(chance.choice(arsenals or free))
    return [*(f"B {unit}" for unit in chosen), "WAIVE"]


def holds(state: State) -> None:
    """What must be so in every phase."""
    position = state.opened
    ruins = set(destroyed(position))
    for power, units in position.units.items():
        count = Counter(unit.kind for unit in units)
        assert all(count[kind] <= 5 for kind in ("A", "N", "AF")), power
        assert ruins.isdisjoint(unit.province for unit in units)
    owned = [center for centers in position.centers.values() for center in centers]
    assert len(owned) == len(set(owned))
    assert ruins.isdisjoint(owned)


def play_on(play: Play, seed: str) -> None:
    chance = random.Random(seed)
    found = {who: play.storage.people.by_address(f"{who}@people.example") for who in PEOPLE}
    writers: dict[int | None, str] = {each.id: who for who, each in found.items() if each}
    while (state := globe(play)).game.state == "active":
        holds(state)
        first = state.opened.phase.kind is Kind.MOVEMENT and state.opened.phase.year == 2101
        # All units hold in the first winter, so that there are arsenals.
        winter = first and state.opened.phase.season.value == "W"
        said: dict[int | None, list[str]] = {}
        for power, owed in state.owed.items():
            if (seat := state.seats.player(power)) is not None:
                lines = [f"{unit} H" for unit in owed.units] if winter else []
                lines = lines or some_orders(state, power, chance)
                said.setdefault(seat.person_id, []).extend(f"{power}: {line}" for line in lines)
        for person_id, lines in said.items():
            reply = play.send(writers[person_id], "\n".join(lines))
            assert "COULD NOT USE" not in reply.text, reply.text
        play.run()
        after = globe(play)
        if after.game.state == "active" and after.game.phase == state.game.phase:
            play.wake()


@pytest.mark.parametrize(
    ("players", "options", "dealt", "standing"),
    [
        (6, "", {frozenset({each}) for each in (US, RF, SA, EU, GA, PR)}, {}),
        (5, "PLAYERS 5", {frozenset({each}) for each in (US, RF, SA, GA, PR)}, {EU: 3}),
        (4, "PLAYERS 4", {frozenset({each}) for each in (US, RF, SA, PR)}, {EU: 3, GA: 3}),
        (
            3,
            "PLAYERS 3",
            {frozenset({US, SA}), frozenset({EU, RF}), frozenset({GA, PR})},
            {},
        ),
        (2, "PLAYERS 2", {frozenset({US, SA, GA}), frozenset({EU, RF, PR})}, {}),
    ],
)
def test_a_game_runs_by_mail_from_create_to_its_end(
    play: Play,
    players: int,
    options: str,
    dealt: set[frozenset[str]],
    standing: dict[str, int],
) -> None:
    starts = begin(play, players, ", ".join(filter(None, (options, "END AFTER F2101"))))
    assert len(starts) == players + 1
    assert hands(play) == dealt
    opened = globe(play).opened
    assert {power: len(units) for power, units in opened.units.items() if units} == standing
    if not FULL and players not in (6, 2):
        return
    play_on(play, str(players))
    state = globe(play)
    assert state.game.outcome is not None
    assert state.game.outcome.ending in ("turn limit", "victory", "uninhabitable")
    runs = play.storage.history.of_game(state.game.id)
    assert [run.phase for run in runs][:2] == ["F2100A", "W2101M"]
    for power, count in standing.items():
        assert len(state.opened.units.get(power, ())) <= count


@pytest.mark.parametrize(("players", "each"), [(3, 2), (2, 3)])
def test_lots_are_drawn_for_the_superpowers_and_can_be_checked(
    play: Play, tmp_path: Path, players: int, each: int
) -> None:
    starts = begin(play, players, f"PLAYERS {players} BY LOT, CENTERS 13")
    drawn = hands(play)
    assert all(len(hand) == each for hand in drawn)
    assert len(frozenset().union(*drawn)) == 6
    printed, seal = read_assignment(starts[0].text)
    assert printed.lineup == f"{players}-lots"
    assert printed.seal == seal
    assert set(map(frozenset, printed.powers)) == drawn
    assert {frozenset(side) for side in globe(play).opened.extra["sides"]} == drawn  # type: ignore[attr-defined]
    checked = fair(tmp_path, starts[0].message.as_bytes())
    assert checked.exit_code == 0, checked.output
    assert "The draw comes out" in checked.output
    if players == 3:
        assert "yak" not in str(globe(play).opened.centers)


def test_both_superpowers_of_a_player_count_together(play: Play) -> None:
    begin(play, 3, "PLAYERS 3, CENTERS 9")
    play_on(play, "together")
    outcome = globe(play).game.outcome
    assert outcome is not None
    assert outcome.ending == "victory"
    assert set(outcome.winners) in ({US, SA}, {EU, RF}, {GA, PR})
    owned = globe(play).opened.centers
    assert sum(len(owned[power]) for power in outcome.winners) >= 9


def test_what_all_powers_of_a_player_may_build_is_said_once(play: Play) -> None:
    play.send("max", "CREATE ?glo global, PLAYERS 2\nSET NO DAILY")
    for who in ("ann", "bob"):
        play.send(who, "JOIN glo")
    (start,) = [each for each in play.run() if each.kind == "start" and each.to.startswith("ann")]
    said = "Allowed for each of these powers, besides what you have ordered: 5 armies"
    for part in (start.text, start.contents("text/html")[0]):
        assert " ".join(part.split()).count(said) == 1
        assert "Allowed besides" not in part


def test_whose_builds_are_waived_is_asked_where_it_is_not_said(play: Play) -> None:
    begin(play, 3, "PLAYERS 3")
    # Nobody has wishes: who joined first has Africa and Asia.
    refused = play.send("ann", "B A EGY\nWAIVE")
    assert "whose order is it?" in " ".join(refused.text.split())
    assert f"{GA} WAIVE" in refused.text
    taken = play.send("ann", f"B A EGY\n{GA} WAIVE\n{PR}: WAIVE")
    assert "COULD NOT USE" not in taken.text
    assert globe(play).sheets.of(GA).complete
    assert globe(play).sheets.of(PR).complete
