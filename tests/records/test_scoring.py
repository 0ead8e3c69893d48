"""Endings by every scoring system: worked examples, ties, wins, and concessions."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from judge.records.scoring import SYSTEMS, GameEnding

POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
START = (3, 3, 3, 3, 3, 4, 3)


def ending(counts: dict[int, tuple[int, ...]], **more: Any) -> GameEnding:
    """An ending on the standard board after its start."""
    years = {1900: START} | counts
    named = {year: dict(zip(POWERS, count, strict=True)) for year, count in years.items()}
    return GameEnding(named, first=1901, victory=18, on_board=34, **more)


def scored(system: str, end: GameEnding, **more: Any) -> list[float]:
    """The scores in the order of the powers, to three places."""
    return [round(float(score), 3) for score in SYSTEMS[system].scores(end, **more).values()]


# Two are out after 1902; nobody wins.
LIMIT = ending(
    {
        1901: (4, 5, 5, 3, 4, 5, 5),
        1902: (0, 5, 8, 0, 6, 6, 9),
        1903: (0, 4, 10, 0, 5, 5, 10),
        1904: (0, 4, 11, 0, 5, 4, 10),
    }
)
# England wins in 1904; all others but France are out, one of them a year earlier.
WIN = ending(
    {
        1901: (3, 6, 5, 3, 4, 5, 4),
        1902: (0, 9, 9, 2, 3, 4, 5),
        1903: (0, 14, 13, 0, 1, 3, 3),
        1904: (0, 18, 16, 0, 0, 0, 0),
    }
)

EXAMPLES = {
    "draw_size": (0, 20, 20, 0, 20, 20, 20),
    "solo_or_bust": (0, 0, 0, 0, 0, 0, 0),
    "sum_of_squares": (0, 5.755, 43.525, 0, 8.993, 5.755, 35.971),
    "bangkok": (0.3, 7, 21.2, 0.3, 8, 7, 17.8),
    "olympic": (0.3, 7, 22.727, 0.3, 8, 7, 16.273),
    "bangkok_pike": (0.2, 7, 20, 0.2, 8, 7, 17),
    "base_3": (0, 7, 23, 0, 8, 7, 13),
    "carnage_with_dead_equal": (1500, 3504, 7011, 1500, 5005, 3504, 6010),
    "carnage_with_elimination_order": (1500, 3504, 7011, 1500, 5005, 3504, 6010),
    "center_count_carnage": (1501.5, 5503.5, 12507, 1501.5, 7505, 5503.5, 11006),
    "carnage_2023": (1500, 3504, 7311, 1500, 5005, 3504, 6010),
    "cdiplo_100": (1, 5, 50, 1, 13, 5, 25),
    "cdiplo_80": (0, 4, 36, 0, 12, 4, 24),
    "c_diplo_namur": (1, 15, 62, 1, 24, 15, 37),
    "detour09": (0.25, 11.111, 33.333, 0.25, 16.667, 11.111, 27.778),
    "duct_tape_v2": (3, 11.5, 51, 3, 20, 11.5, 34),
    "duct_tape_v2_with_elimination_order": (3, 11.5, 51, 3, 20, 11.5, 34),
    "haight_v1_0": (2, 62, 181, 2, 94, 62, 155),
    "manorcon": (0.1, 9.125, 34.411, 0.1, 11.597, 9.125, 29.658),
    "original_manorcon": (0.1, 9.125, 34.411, 0.1, 11.597, 9.125, 29.658),
    "manorcon_v2": (0.1, 9.717, 36.640, 0.1, 12.348, 9.717, 31.579),
    "maxonian": (2, 3, 7, 1, 5, 4, 6),
    "7eleven": (2, 3, 7, 1, 5, 4, 6),
    "mischief": (0, 4, 16, 0, 5, 4, 10),
    "omg": (0, 14, 34, 0, 17, 14, 26),
    "tribute": (0, 12.2, 44.2, 0, 13.2, 12.2, 18.2),
    "opentribute": (0, 39, 110, 0, 43, 39, 63),
    "ranked_classic": (1, 105, 340, 1, 140, 105, 220),
    "ranked_classic_v2": (1, 105, 340, 1, 140, 105, 220),
    "southern_sun": (6, 95, 270, 6, 130, 95, 210),
    "sydney_league": (152, 450, 975, 152, 625, 450, 850),
    "vulcan": (0, 17, 69, 0, 22, 17, 52),
    "whipping": (2, 52, 144, 2, 62, 52, 112),
    "world_classic": (1, 70, 188, 1, 80, 70, 130),
    "summer_classic": (1, 70, 188, 1, 80, 70, 130),
    "your_draw_size_short_games": (0, 30, 70, 0, 30, 30, 42),
    "your_draw_size_unlimited_games": (0, 30, 70, 0, 30, 30, 42),
}

# What the winner gets, the second who is alive, who was out after 1902 and 1903, and after 1904.
WINS = {
    "draw_size": (100, 0, 0, 0, 0),
    "solo_or_bust": (100, 0, 0, 0, 0),
    "sum_of_squares": (100, 0, 0, 0, 0),
    "bangkok": (41, 8, 0, 0, 0),
    "olympic": (46, 0, 0, 0, 0),
    "bangkok_pike": (60, 0.4, 0.2, 0.3, 0.4),
    "base_3": (46, 0, 0, 0, 0),
    "carnage_with_dead_equal": (28034, 0, 0, 0, 0),
    "carnage_with_elimination_order": (28034, 0, 0, 0, 0),
    "center_count_carnage": (39028, 1000, 1000, 1000, 1000),
    "carnage_2023": (28034, 0, 0, 0, 0),
    "cdiplo_100": (100, 0, 0, 0, 0),
    "cdiplo_80": (80, 0, 0, 0, 0),
    "c_diplo_namur": (85, 0, 0, 0, 0),
    "detour09": (110, 0.75, 0.25, 0.5, 0.75),
    "duct_tape_v2": (75, 0, 0, 0, 0),
    "duct_tape_v2_with_elimination_order": (75, 0, 0, 0, 0),
    "haight_v1_0": (451, 80, 2, 3, 4),
    "manorcon": (75, 0.3, 0.1, 0.2, 0.3),
    "original_manorcon": (100, 0.3, 0.1, 0.2, 0.3),
    "manorcon_v2": (100, 0.3, 0.1, 0.2, 0.3),
    "maxonian": (12, 6, 1, 2, 3),
    "7eleven": (14, 6, 1, 2, 3),
    "mischief": (34, 0, 0, 0, 0),
    "omg": (100, 0, 0, 0, 0),
    "tribute": (100, 0, 0, 0, 0),
    "opentribute": (340, 0, 0, 0, 0),
    "ranked_classic": (550, 3, 1, 2, 3),
    "ranked_classic_v2": (550, 3, 1, 2, 3),
    "southern_sun": (500, 0, 0, 0, 0),
    "sydney_league": (1725, 500, 51, 101.5, 202),
    "vulcan": (130, 5, 0, 0, 0),
    "whipping": (468, 4, 2, 3, 4),
    "world_classic": (420, 3, 1, 2, 3),
    "summer_classic": (420, 3, 1, 2, 3),
    "your_draw_size_short_games": (300, 0, 0, 0, 0),
    "your_draw_size_unlimited_games": (320, 0, 0, 0, 0),
}


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_worked_example_of_a_limit(system: str) -> None:
    assert scored(system, LIMIT) == pytest.approx(EXAMPLES[system])


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_worked_example_of_a_win(system: str) -> None:
    austria, england, france, germany, italy, _, _ = scored(system, WIN)
    assert (england, france, austria, germany, italy) == pytest.approx(WINS[system])


def test_every_system_has_its_examples() -> None:
    assert set(SYSTEMS) == set(EXAMPLES) == set(WINS)


def last(*counts: int) -> GameEnding:
    """An ending after one year with these centers."""
    return ending({1901: counts})


@pytest.mark.parametrize(
    ("system", "counts", "scores"),
    [
        # three and four on the first place
        ("base_3", (8, 8, 8, 4, 3, 2, 1), (12, 12, 12, 7, 6, 5, 4)),
        ("world_classic", (8, 8, 8, 4, 3, 2, 1), (126, 126, 126, 70, 60, 50, 40)),
        ("summer_classic", (8, 8, 8, 4, 3, 2, 1), (110, 110, 110, 70, 60, 50, 40)),
        ("summer_classic", (9, 9, 6, 4, 3, 2, 1), (144, 144, 90, 70, 60, 50, 40)),
        ("mischief", (9, 9, 6, 4, 3, 2, 1), (10, 10, 6, 4, 3, 2, 1)),
        ("mischief", (8, 8, 8, 4, 3, 2, 1), (8, 8, 8, 4, 3, 2, 1)),
        ("ranked_classic", (8, 8, 8, 4, 3, 2, 1), (170, 170, 170, 110, 90, 70, 50)),
        ("ranked_classic_v2", (8, 8, 8, 4, 3, 2, 1), (180, 180, 180, 110, 90, 70, 50)),
        ("ranked_classic", (9, 9, 6, 4, 3, 2, 1), (255, 255, 150, 110, 90, 70, 50)),
        ("opentribute", (9, 9, 6, 4, 3, 2, 1), (68, 68, 49, 41, 37, 33, 29)),
        ("tribute", (9, 9, 6, 4, 3, 2, 1), (25.929, 25.929, 12.429, 10.429, 9.429, 8.429, 7.429)),
        ("vulcan", (9, 9, 6, 4, 3, 2, 1), (48, 48, 25, 15, 11, 8, 6)),
        # a half is rounded to the even number
        ("southern_sun", (7, 7, 7, 7, 3, 2, 1), (172, 172, 172, 172, 80, 60, 50)),
        # a lone leader ahead of a gap gets what nobody is near enough for
        ("bangkok_pike", (10, 8, 5, 4, 3, 2, 2), (23, 13, 8, 7, 6, 5, 5)),
        ("bangkok_pike", (12, 8, 4, 4, 2, 2, 2), (27, 11, 7, 7, 5, 5, 5)),
        ("bangkok_pike", (10, 9, 5, 4, 2, 2, 2), (19, 16, 8, 7, 5, 5, 5)),
        # who ties for a place has the lower one
        ("haight_v1_0", (9, 9, 6, 4, 3, 2, 1), (145, 145, 104, 73, 52, 31, 10)),
        # one who is far behind pays half of what they have
        ("omg", (17, 5, 5, 2, 2, 2, 1), (81, 9.375, 9.375, 6, 6, 6, 5.25)),
        # one of 34 centers has no owner, six are alive
        ("whipping", (9, 8, 6, 4, 3, 3, 0), (118, 90, 70, 50, 40, 40, 1)),
    ],
)
def test_ties_and_gaps(system: str, counts: tuple[int, ...], scores: tuple[float, ...]) -> None:
    assert scored(system, last(*counts)) == pytest.approx(scores, abs=0.001)


def test_who_is_out_later_has_the_better_place_where_the_order_counts() -> None:
    end = ending({1901: (0, 8, 8, 7, 4, 4, 3), 1902: (0, 12, 11, 0, 0, 6, 5)})
    assert scored("carnage_with_elimination_order", end)[0] == 1000
    assert scored("carnage_with_elimination_order", end)[3:5] == [2500, 2500]
    assert scored("carnage_with_dead_equal", end)[0] == 2000
    assert scored("duct_tape_v2_with_elimination_order", end)[3:5] == [4.5, 4.5]
    assert scored("haight_v1_0", end)[:1] == [1]
    assert scored("haight_v1_0", end)[3:5] == [13, 13]


def test_who_was_ahead_last_has_the_better_place() -> None:
    played: dict[int, tuple[int, ...]] = {1901: (5, 4, 5, 5, 5, 5, 5), 1902: (4, 5, 5, 5, 5, 5, 5)}
    end = ending(played | {1903: (4, 4, 4, 4, 6, 6, 6)})
    assert scored("maxonian", end)[:4] == [1, 2, 3.5, 3.5]
    # Russia began with one more; that is no year of the game.
    assert scored("maxonian", end)[4:] == [6, 6, 6]


def test_a_system_counts_a_concession_as_its_rules_say_or_as_is_chosen() -> None:
    end = ending({1901: (4, 9, 8, 4, 3, 3, 3)}, conceded="England")
    assert scored("bangkok", end)[1] == 41
    assert scored("bangkok", end, concedes=False) == scored("bangkok", last(4, 9, 8, 4, 3, 3, 3))
    assert scored("cdiplo_100", end)[1] == 48
    assert scored("cdiplo_100", end, concedes=True) == [0, 100, 0, 0, 0, 0, 0]
    assert scored("haight_v1_0", end)[:3] == [20, 451, 40]


def test_a_draw_is_shared_by_those_in_it() -> None:
    end = ending({1901: (4, 9, 8, 4, 3, 3, 3)}, draw=("England", "France"))
    assert scored("draw_size", end) == [0, 50, 50, 0, 0, 0, 0]


def test_other_boards_have_systems_of_their_own() -> None:
    small = GameEnding({1: {"A": 2, "B": 2}, 2: {"A": 3, "B": 1}}, first=1, victory=4, on_board=5)
    assert [name for name, each in SYSTEMS.items() if each.fits(5, 4, 2)] == [
        "draw_size",
        "solo_or_bust",
        "sum_of_squares",
    ]
    assert SYSTEMS["sum_of_squares"].scores(small) == {"A": 90, "B": 10}
    with pytest.raises(ValueError, match="bangkok"):
        SYSTEMS["bangkok"].scores(small)


CONSTANT = {
    "draw_size": 100,
    "sum_of_squares": 100,
    "tribute": 100,
    "maxonian": 28,
    "carnage_with_dead_equal": 28034,
}


@pytest.mark.parametrize("seed", range(20))
def test_whatever_the_ending_scores_are_exact_and_fair(seed: int) -> None:
    chance = random.Random(seed)
    alive = chance.randint(3, 7)
    cuts = sorted(chance.sample(range(1, 34), alive - 1))
    held = [high - low for low, high in zip([0, *cuts], [*cuts, 34], strict=True)]
    counts = [*held, *[0] * (7 - alive)]
    if max(counts) > 13:
        counts = [6, 6, 6, 6, 5, 5, 0]
    end = last(*chance.sample(counts, 7))
    for name, system in SYSTEMS.items():
        scores = system.scores(end)
        assert list(scores) == list(POWERS)
        assert all(isinstance(score, int | Fraction) and score >= 0 for score in scores.values())
        assert name not in CONSTANT or sum(scores.values()) == CONSTANT[name]
        # Nobody with fewer centers has the higher score, but for what years of life are worth.
        order = sorted(end.alive, key=lambda power: end.centers[power])
        assert [scores[power] for power in order] == sorted(scores[power] for power in order), name
