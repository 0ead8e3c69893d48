"""Ratings follow from the index of an archive alone, to the last digit."""

from __future__ import annotations

import math
from typing import Any

import pytest

from judge.records.ratings import placed, rated_game, ratings

POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")


def game(number: int, winners: list[str], **more: Any) -> dict[str, Any]:
    people = {
        power: [{"player": n, "name": power.upper(), "held": "active", "computer": None}]
        for n, power in enumerate(POWERS)
    }
    return {
        "game": f"g{number}", "judge": "j@j", "variant": "standard", "class": "press",
        "scoring": None, "ended": f"2026-01-{number:02}", "people": people, "scores": None,
        "outcome": {"ending": "draw" if len(winners) > 1 else "victory", "winners": winners},
        "final_centers": dict.fromkeys(POWERS, 4) | {winners[0]: 10},
    } | more  # fmt: skip


def values(*rows: dict[str, Any], system: str = "ghost", category: str = "overall") -> list[float]:
    found = {each.name: each.value for each in ratings(rows, system, category)}
    return [found[power.upper()] for power in POWERS if power.upper() in found]


def test_a_solo_of_seven_newcomers_is_worth_what_the_code_of_ghostrating_says() -> None:
    assert values(game(1, ["Austria"])) == [134.285714] + [94.285714] * 6


def test_a_draw_of_three_is_shared() -> None:
    found = values(game(1, ["Austria", "England", "France"]))
    assert found == [107.619048] * 3 + [94.285714] * 4


def test_gunboat_and_other_boards_weigh_less() -> None:
    row = game(1, ["Austria"], **{"class": "gunboat", "variant": "ancient_mediterranean"})
    assert values(row)[0] == round(100 + 700 / 17.5 / 8 * 6 / 7, 6)
    assert values(row, category="gunboat") == values(row)
    assert values(row, category="press") == []


def test_sum_of_squares_counts_centers() -> None:
    row = game(1, ["Austria"], scoring="sum_of_squares")
    assert values(row)[0] == round(100 + 40 * (100 / 196 - 1 / 7), 6)


def test_elo_goes_by_pairs_and_its_changes_sum_to_nothing() -> None:
    found = values(game(1, ["Austria"]), system="elo")
    assert found[0] == 1516
    assert sum(found) == pytest.approx(7 * 1500)
    two = game(1, ["Austria"])
    two["people"] = {power: two["people"][power] for power in POWERS[:2]}
    assert values(two, system="elo") == [1516, 1484]


def test_openskill_is_plackett_luce_with_ties_as_its_authors_have_it() -> None:
    """Weng and Lin 2011, algorithm 4, reckoned by hand: of seven newcomers one is first, the others
    share the second place. Who loses falls, which version 6.1.3 of the library had otherwise."""
    pytest.importorskip("openskill")
    (first, *others) = ratings([game(1, ["Austria"])], "openskill")
    variance, beta = round(25 / 3, 6) ** 2 + (25 / 300) ** 2, 25 / 6
    scale = math.sqrt(7 * (variance + beta**2))
    assert first.mu == pytest.approx(25 + variance / scale * (1 - 1 / 7), abs=1e-6)
    fell = -1 / 7 + (1 - 6 * 1 / 6) / 6
    assert {each.mu for each in others} == {round(25 + variance / scale * fell, 6)}
    assert first.value == round(first.mu - 3 * first.sigma, 6)


def test_the_order_of_rows_does_not_matter_and_that_of_games_does() -> None:
    rows = [game(2, ["England"]), game(1, ["Austria"]), game(3, ["Austria", "Italy"])]
    assert values(*rows) == values(*rows[::-1])
    assert values(*rows) != values(game(1, ["England"]), game(2, ["Austria"]), rows[2])


@pytest.mark.parametrize("change", ["computer", "unknown", "deserted", "twice"])
def test_games_that_do_not_count(change: str) -> None:
    row = game(1, ["Austria"])
    first = row["people"]["Austria"][0]
    if change == "computer":
        first["computer"] = "easy"
    elif change == "unknown":
        first["player"] = None
    elif change == "twice":
        first["player"] = 1
    else:
        row["outcome"]["ending"] = "deserted"
    assert rated_game(row) is None


def test_who_gives_up_loses_and_who_takes_over_or_is_removed_is_not_rated() -> None:
    row = game(1, ["Austria"])
    other = {"player": 9, "name": "NEW", "held": "active", "computer": None}
    row["people"]["Austria"] = [row["people"]["Austria"][0] | {"held": "resigned"}, other]
    row["people"]["England"] = [row["people"]["England"][0] | {"held": "ejected"}, dict(other)]
    row["people"]["England"][1]["player"] = 10
    counted = rated_game(row)
    assert counted is not None
    assert sorted(counted.shares) == [f"{n}@j@j" for n in (0, 2, 3, 4, 5, 6)]
    assert counted.shares["0@j@j"] == 0


def test_people_stay_out_and_equal_ratings_share_a_place() -> None:
    row = game(1, ["Austria"])
    row["people"]["Italy"][0]["rated"] = False
    found = ratings([row], "ghost")
    assert "ITALY" not in [each.name for each in found]
    assert [place for place, _ in placed(found)] == [1, 2, 2, 2, 2, 2]
    assert all(each.provisional for each in found)
    five = ratings([game(n, ["Austria"]) for n in range(1, 6)], "ghost")
    assert not any(each.provisional for each in five)
