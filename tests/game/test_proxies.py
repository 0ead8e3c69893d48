"""Units left to other powers for a phase."""

from __future__ import annotations

import pytest

from judge.game.state import State
from tests.game.play import PEOPLE, Play, Received


def paris(play: Play) -> State:
    game = play.storage.games.by_name("paris")
    assert game is not None
    return State(play.storage, game)


def on_file(play: Play, power: str) -> list[str]:
    return [str(order) for order in paris(play).orders.get(power, ())]


def process(play: Play) -> dict[str, Received]:
    """The master runs the open phase; the results letters by reader."""
    play.letters()
    play.send("max", f"PROCESS {paris(play).game.phase}")
    found = {
        letter.to.partition("@")[0]: letter for letter in play.letters() if letter.kind == "results"
    }
    assert set(found) > set(PEOPLE)
    return found


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture
def lent(play: Play) -> Play:
    """A game in which England has left its fleet in London to France."""
    play.start("PROXY")
    play.letters()
    play.send("bob", "F Lon P France\nF Edi H\nA Lvp H")
    return play


@pytest.mark.parametrize(
    "line", ["F Lon P F", "Lon proxy France", "F Lon P French", "F Lon proxy to F"]
)
def test_a_unit_is_left_to_a_power_by_name_or_letter(play: Play, line: str) -> None:
    play.start("PROXY")
    answer = play.send("bob", line)
    assert on_file(play, "England") == ["F lon P France"]
    assert "Fleet London is ordered by France" in answer.text


def test_its_order_is_then_given_by_that_power_and_shown_to_it_alone(lent: Play) -> None:
    told = [letter for letter in lent.letters() if letter.kind == "proxy"]
    assert [letter.to for letter in told] == ["cleo@people.example"]
    assert "England leaves the order of its Fleet London to you" in flat(told[0].text)
    assert paris(lent).sheets.of("England").complete
    assert "NO ORDER YET (Fleet London, England)" in lent.send("cleo", "").text
    answer = lent.send("cleo", "F Lon - Eng\nA Par H")
    assert "UNITS LEFT TO YOU (France)" in answer.text
    assert "F lon - eng" in answer.text
    theirs = lent.send("bob", "")
    assert "F lon P France" in theirs.text
    assert "eng" not in theirs.text.partition("WHAT HAPPENS NEXT")[0].split("F edi H")[0]
    results = process(lent)["gwen"].text
    assert "F lon-eng  ok" in results
    assert "F eng" in {str(unit) for unit in paris(lent).opened.units["England"]}


def test_without_an_order_it_holds_and_with_its_owners_own_it_is_not_left(lent: Play) -> None:
    lent.send("cleo", "F Lon - Eng")
    lent.letters()
    lent.send("bob", "F Lon - Nth")
    told = [letter for letter in lent.letters() if letter.kind == "proxy"]
    assert "England orders its Fleet London itself again" in flat(told[0].text)
    assert "UNITS LEFT TO YOU" not in lent.send("cleo", "").text
    assert "belongs to England" in flat(lent.send("cleo", "F Lon - Eng").text)
    process(lent)
    assert "F nth" in {str(unit) for unit in paris(lent).opened.units["England"]}


def test_it_holds_for_one_phase(lent: Play) -> None:
    process(lent)
    assert "F lon" in {str(unit) for unit in paris(lent).opened.units["England"]}
    assert "belongs to England" in flat(lent.send("cleo", "F Lon - Eng").text)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("F Lon P England", "England orders it itself"),
        ("A Par P England", "The army in Paris belongs to France."),
        ("F Nth P France", "There is no unit in the North Sea"),
        ("F Lon P", "No province is called P."),
        ("PHASE F1901M\nF Lon P France", "only in the phase that is open"),
    ],
)
def test_what_cannot_be_left_is_answered_with_the_reason(play: Play, line: str, why: str) -> None:
    play.start("PROXY")
    assert why in flat(play.send("bob", line).text)
    assert on_file(play, "England") == []


def test_a_unit_is_not_left_twice(lent: Play) -> None:
    answer = lent.send("cleo", "F Lon P Germany")
    assert "it cannot be left to somebody else" in flat(answer.text)


def test_it_takes_the_games_leave(play: Play) -> None:
    play.start()
    answer = play.send("bob", "F Lon P France")
    assert "units cannot be left to other powers" in flat(answer.text)
    assert on_file(play, "England") == []
