"""The extension says what the engine says, behind `adjudicate` and in arrays."""

from __future__ import annotations

import subprocess
import sys
from array import array
from dataclasses import replace
from pathlib import Path

import pytest

from judge.batch import BY_SEA, NOT_DISLODGED, NOTHING, REASONS, Batch
from judge.rules import kernel
from judge.rules.engine import adjudicate
from judge.rules.outcome import Reason
from judge.rules.planner import planner
from judge.rules.rulebook import Rulebook
from tests.prove import kernel as proof
from tests.rules.table import STANDARD, position, read

BOTH = pytest.mark.parametrize("built", [pytest.param(True, marks=pytest.mark.kernel), False])
"""With the extension, and as if there was none."""

THERE = position(
    "S1902M",
    {"France": "A bur, A par, F eng", "Germany": "A mun, A ruh", "England": "A lon, F nth"},
)
ORDERS = {
    "France": "A bur H; A par - pic; F eng - bel",
    "Germany": "A mun - bur; A ruh S A mun - bur",
    "England": "A lon - bel; F nth C A lon - bel",
}


@pytest.mark.kernel
def test_extension_and_arrays_agree_with_the_engine() -> None:
    for name, found in proof.agreement(1600, seed=7):
        assert found.differences == [], name
        # Paradoxes and nonsense are left to the engine, and not much else.
        assert found.odd < found.positions / 3, name


@BOTH
def test_what_a_row_tells(built: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "BUILT", built)
    batch = Batch("standard", width=9)
    units = batch.units(THERE) * 2
    found = batch.adjudicate(units, batch.orders(THERE, read(THERE, ORDERS)) + array("i", 9 * [-1]))
    reasons = [REASONS[number] for number in found.outcomes[:7]]
    bounced = Reason.BOUNCED
    assert reasons == [Reason.DISLODGED, None, bounced, None, None, bounced, None]
    assert found.attackers[0] == batch.locations.index("mun")
    assert list(found.attackers[1:9]) == [NOT_DISLODGED] * 8
    assert [found.after[0], found.after[7], found.outcomes[7]] == [NOTHING, NOTHING, -1]
    assert [str(batch.unit(number)[1]) for number in found.after[1:4]] == [
        "A pic",
        "F eng",
        "A bur",
    ]
    assert list(found.standoffs) == [0, batch.locations.index("bel")]
    assert [batch.locations[number] for number in found.retreats[2::3]] == ["gas", "mar", "par"]
    assert set(zip(found.retreats[::3], found.retreats[1::3], strict=True)) == {(0, 0)}
    # Nobody had an order in the second row.
    assert list(found.after[9:]) == list(units[9:])
    assert set(found.odd) == {int(not built)}


@BOTH
def test_the_next_row_may_be_the_one_that_came_out(
    built: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel, "BUILT", built)
    batch = Batch("standard", width=9)
    first = batch.adjudicate(batch.units(THERE), batch.orders(THERE, read(THERE, ORDERS)))
    again = batch.adjudicate(first.after, array("i", [NOTHING] * 9))
    assert again.after == first.after
    assert again.outcomes[0] == -1


@BOTH
def test_what_cannot_be_a_row_is_refused(built: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "BUILT", built)
    batch = Batch("standard", width=9)
    units, none = batch.units(THERE), array("i", 9 * [NOTHING])
    twice = array("i", [units[0], units[0] | 1 << 14, *units[2:]])
    wild = array("i", [1000, *units[1:]])
    for standing, given in (
        (units[:8], none[:8]),
        (units, none + none),
        (array("q", units), none),
        (twice, none),
        (wild, none),
    ):
        with pytest.raises(ValueError):
            batch.adjudicate(standing, given)
    with pytest.raises(ValueError):
        batch.orders(THERE, read(THERE, {"France": "A mar H"}))
    with pytest.raises(ValueError):
        Batch("standard", width=3).units(THERE)


@BOTH
def test_an_attacker_that_came_by_sea(built: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "BUILT", built)
    batch = Batch("standard", width=4)
    there = position("S1902M", {"England": "A lon, F nth, F eng", "France": "A bel"})
    given = {"England": "A lon - bel; F nth C A lon - bel; F eng S A lon - bel"}
    found = batch.adjudicate(batch.units(there), batch.orders(there, read(there, given)))
    assert list(found.attackers) == [NOT_DISLODGED] * 3 + [BY_SEA]


@pytest.mark.kernel
def test_what_the_extension_does_not_know_is_left_to_the_engine() -> None:
    given = read(THERE, ORDERS)
    for name, quick in (("2023", True), ("1976", False)):
        plans = planner(STANDARD.board, Rulebook.edition(name))
        assert (kernel.movement(plans, THERE, given) is not None) is quick
    assert not Batch("global").quick


@pytest.mark.kernel
def test_outcomes_tell_all_that_they_depend_on(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = adjudicate(STANDARD, THERE, read(THERE, ORDERS))
    monkeypatch.setattr(kernel, "BUILT", False)
    assert quick == adjudicate(STANDARD, THERE, read(THERE, ORDERS))


def test_a_board_whose_borders_have_owners_has_no_rows() -> None:
    with pytest.raises(ValueError):
        Batch(replace(STANDARD, gates=(("con", "bla", "aeg"),)))


@BOTH
def test_the_page_does_what_it_says(built: bool) -> None:
    page = (Path(__file__).parents[2] / "docs" / "kernel.md").read_text(encoding="utf-8")
    code = page.partition("```python\n")[2].partition("```")[0]
    printed = page.partition("```text\n")[2].partition("```")[0]
    hidden = "" if built else "import sys; sys.modules['judge.rules._kernel'] = None\n"
    ran = subprocess.run(
        [sys.executable, "-c", hidden + code], capture_output=True, text=True, check=True
    )
    assert ran.stdout == printed
