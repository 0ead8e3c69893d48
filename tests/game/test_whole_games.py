"""Whole games of random legal orders, by mail, until they end: every letter along the way."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest

from judge.game.state import State
from judge.rules.legal_orders import legal_orders
from judge.rules.orders import Build
from judge.rules.phase import Kind, Phase
from judge.sentences import Wording
from judge.sentences.short import short_order
from judge.sentences.terms import phase_words
from judge.storage import PhaseRun, StoredEnding, StoredOutcome
from tests.game.play import PEOPLE, Play, Received
from tests.sampled import FULL

POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
PLAYERS = dict(zip(POWERS, PEOPLE, strict=True))
WIDTH = 72


def paris(play: Play) -> State:
    game = play.storage.games.by_name("paris")
    assert game is not None
    return State(play.storage, game)


def random_orders(state: State, power: str, chance: random.Random) -> list[str]:
    """Legal orders for most of the units of a power."""
    owed = state.owed[power]
    legal = legal_orders(state.variant, state.opened, power)
    if state.opened.phase.kind is not Kind.ADJUSTMENTS:
        return [str(chance.choice(orders)) for orders in legal.values() if chance.random() < 0.95]
    units = chance.sample(list(legal), len(legal))
    if owed.removals:
        return [f"D {unit}" for unit in units[: owed.removals]]
    sites = {unit.province: str(Build(unit)) for unit in units}
    return ["WAIVE"] if chance.random() < 0.1 else list(sites.values())[: owed.builds]


def check(letters: list[Received]) -> None:
    for letter in letters:
        long = [line for line in letter.text.splitlines() if len(line) > WIDTH]
        assert long == [], letter.subject
        assert letter.subject.startswith("JUDGE:paris - ")


def unfolded(text: str) -> list[str]:
    """The lines of a letter, those that go on further in joined to the ones they belong to."""
    lines: list[str] = []
    for line in text.splitlines():
        if line.startswith("    ") and lines[-1].startswith("  "):
            lines[-1] += " " + line.strip()
        else:
            lines.append(line)
    return lines


def below(lines: list[str], heading: str) -> list[str]:
    """The lines under a heading, up to the next one."""
    start = next(number for number, line in enumerate(lines) if line.startswith(heading)) + 1
    ends = (
        number
        for number, line in enumerate(lines[start:], start)
        if line[:4].isupper() and line[0] != " "
    )
    return [line for line in lines[start : next(ends, len(lines))] if line.strip()]


def split(line: str) -> tuple[str, str]:
    power, _, said = line.strip().partition(": ")
    return power, said


def compare(letter: Received, state: State, run: PhaseRun) -> None:
    """Rebuild units, centers, retreats, and orders from the plain text of a letter of results."""
    lines = unfolded(letter.text)
    variant, position = state.variant, state.opened
    units = {power: said.split(", ") for power, said in map(split, below(lines, "WHERE EVERYBODY"))}
    assert units == {power: list(map(str, held)) for power, held in position.units.items() if held}

    named = {province.name: province.id for province in variant.board.provinces.values()}
    centers = {}
    for power, said in map(split, below(lines, "SUPPLY CENTERS")):
        if power in POWERS and ": " in said:
            centers[power] = {named[name] for name in said.partition(": ")[2].split(", ")}
    assert centers == {power: set(held) for power, held in position.centers.items() if held}

    gone = {
        (str(Wording(each.unit, variant)), power): set(map(variant.board.name, each.retreats))
        for power, dislodged in position.dislodged.items()
        for each in dislodged
        if each.retreats
    }
    found = {}
    for line in lines:
        if told := re.fullmatch(r"  (.+) \((\w+)\) may retreat to (.+)\.", line):
            found[told[1], told[2]] = set(re.split(r", | or ", told[3]))
    assert found == gone

    phase = Phase.read(run.phase)
    given: dict[str, list[str]] = {}
    for line in below(lines, f"ALL ORDERS OF {str(phase_words(phase)).upper()}"):
        if line.endswith(":") and not line.startswith(" "):
            power = line[:-1]
        elif line.startswith("  ") and power in POWERS:
            given.setdefault(power, []).append(line.strip())
    for power, told in run.results["orders"].items():
        assert len(given[power]) == len(told)
        for line, result in zip(given[power], told, strict=True):
            whole = result["order"] if result["given"] or not result["unit"] else result["unit"]
            assert line.partition("  ")[0] == short_order(whole), line


@pytest.mark.parametrize("seed", [1, 2] if FULL else [1])
def test_a_game_of_legal_orders_runs_to_its_end(play: Play, seed: int) -> None:
    chance = random.Random(seed)
    play.start("END AFTER F1904, MOVE DELAY 0 MIN 0")
    phases: Counter[str] = Counter()
    rebuilt = 0
    while (state := paris(play)).game.state == "active":
        for power in state.owed:
            answer = play.send(PLAYERS[power], "\n".join(random_orders(state, power, chance)))
            assert "COULD NOT USE" not in answer.text
        letters = play.run()
        if paris(play).game.phase == state.game.phase:
            letters += play.wake()
        check(letters)
        for letter in letters:
            phases[letter.kind] += letter.kind in ("results", "end")
        after = paris(play)
        if seed == 1 and state.game.state == "active":
            runs = play.storage.history.of_game(state.game.id)
            for letter in [each for each in letters if each.kind == "results"][:2]:
                compare(
                    letter, after, [run for run in runs if any(run.results["orders"].values())][-1]
                )
                rebuilt += 1
        for power, units in after.opened.units.items():
            assert len({unit.province for unit in units}) == len(units), power

    state = paris(play)
    runs = play.storage.history.of_game(state.game.id)
    assert runs[0].phase == "S1901M"
    assert runs[-1].phase == "F1904R"
    assert len({run.phase for run in runs}) == len(runs) == 3 * 5 + 4
    assert rebuilt >= 18 or seed == 2
    # Every phase that anybody had to decide in brought each of the eight people one letter.
    told = [run for run in runs if any(run.results["orders"].values())]
    assert phases["results"] + phases["end"] == 8 * len(told)
    most = max(len(centers) for centers in state.opened.centers.values())
    winners = [p for p in POWERS if len(state.opened.centers.get(p, ())) == most]
    assert state.game.outcome == StoredOutcome(StoredEnding.TURN_LIMIT, tuple(winners), "F1904R")
