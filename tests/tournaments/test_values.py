"""Seeding, adding up, and standings against the values that are known of them."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest

from judge.tournaments.adding import WAYS, Total, add_up
from judge.tournaments.seeding import Boards, deal, meetings, repeats, seat
from judge.tournaments.standings import all_met, of_teams, pair, ranked, sit_out

POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")


def season(people: int, rounds: int, form: str = "seeded") -> list[Boards]:
    played: list[Boards] = []
    for number in range(rounds):
        played.append(pair(form, list(range(people)), 7, played, {}, f"seed {number}"))
    return played


def test_fourteen_meet_as_few_again_as_can_be() -> None:
    first, second = season(14, 2)
    met = meetings([first])
    # A split of 3 and 4 repeats 2 x (3 + 6) pairs; scoring.md of the community knows no better.
    again = [pair for board in second for pair in combinations(sorted(board), 2) if met[pair]]
    assert len(again) == 18
    best = min(
        repeats([[0, *few], [each for each in range(1, 14) if each not in few]], met)
        for few in combinations(range(1, 14), 6)
    )
    assert repeats(second, met) == best


def test_forty_nine_meet_nobody_twice_in_four_rounds() -> None:
    assert max(meetings(season(49, 4)).values()) == 1


def test_one_who_is_missing_does_not_make_a_season_bad() -> None:
    played = season(49, 1)
    there = [who for who in range(49) if who not in range(7)]
    boards = seat(there, 7, meetings(played), "seed")
    assert sorted(who for board in boards for who in board) == there
    assert max(meetings([*played, boards]).values()) <= 2


def test_boards_depend_on_the_seed_alone() -> None:
    met = meetings(season(28, 1))
    assert seat(range(28), 7, met, "a") == seat(range(27, -1, -1), 7, met, "a")
    assert seat(range(28), 7, met, "a") != seat(range(28), 7, met, "b")


def test_third_meetings_weigh_more_than_second_ones() -> None:
    met = {(0, 1): 2, (2, 3): 1}
    assert repeats([[0, 1]], met) == 4
    assert repeats([[2, 3]], met) == 2


def test_nobody_has_a_power_twice_in_seven_rounds() -> None:
    had: dict[int, list[str]] = {}
    for number in range(7):
        for who, power in deal(range(7), POWERS, had, str(number)).items():
            had.setdefault(who, []).append(power)
    assert all(sorted(powers) == list(POWERS) for powers in had.values())


def test_a_power_comes_again_only_where_it_must() -> None:
    had = {who: ["Austria"] for who in range(7)} | {3: ["England"]}
    dealt = deal(range(7), POWERS, had, "seed")
    assert dealt[3] == "Austria"


F = Fraction
GAMES = {1: [[F(40)], [F(10)], [F(30)], [F(20)]], 2: [[F(25)], [F(25), F(5)], [], [F(50)]]}
WORTH = {
    "all rounds": (100, 100),
    "best 2 rounds": (70, 75),
    "best 3 rounds": (90, 100),
    "best 4 rounds": (100, 100),
    "best 5 rounds": (100, 100),
    "best game": (40, 50),
    "best 3 games": (90, 100),
    "best 4 games": (100, 105),
    "best 5 games": (100, 105),
    "best 2 and half the mean": (F(155, 2), F(325, 4)),
    "best 2 and half the next": (80, F(175, 2)),
    "best 3 and half the next": (95, 100),
    "best 2 and third or fourth": (80, F(175, 2)),
    "sum over games and ten": (F(100, 14), F(105, 14)),
    "wdc 2025": (100, 125),
}


@pytest.mark.parametrize("way", WAYS)
def test_games_add_up(way: str) -> None:
    found = add_up(way, GAMES)
    assert tuple(found[who].points for who in (1, 2)) == WORTH[way]


def test_there_are_fifteen_ways() -> None:
    assert len(WAYS) == 15 == len(WORTH)


def test_a_second_game_in_a_round_counts_where_that_is_chosen() -> None:
    assert add_up("all rounds", GAMES, both=True)[2].points == 105


def test_the_leaders_are_a_pool_of_their_own() -> None:
    games = {who: [[F(who)], [], [], [F(0)]] for who in range(25)}
    games[2][3] = [F(1000)]
    found = add_up("wdc 2025", games)
    # 24 down to 4 are the 21 leaders.
    assert [place.who for place in ranked(found)][:2] == [24, 23]
    assert found[2] == Total(F(1002), 1)
    assert found[4].pool == 0


def test_equal_points_are_an_equal_rank() -> None:
    totals = {who: Total(F(points)) for who, points in enumerate((50, 39, 39, 39, 20))}
    assert [place.rank for place in ranked(totals)] == [1, 2, 2, 2, 5]


def test_a_team_has_what_its_members_have() -> None:
    totals = {who: Total(F(who)) for who in range(4)}
    teams = {0: "Otters", 1: "Otters", 2: "Newts", 3: ""}
    assert of_teams(totals, teams) == [("Newts", F(2)), ("Otters", F(1))]


def test_of_eight_nobody_sits_out_twice_before_all_have() -> None:
    people, sat = list(range(8)), dict[int, int]()
    for _ in range(8):
        (out,) = sit_out(people, 7, sat)
        sat[out] = sat.get(out, 0) + 1
    assert sat == dict.fromkeys(people, 1)
    assert sit_out(people, 7, {}) == [7]


def test_swiss_rounds_seat_neighbors_of_the_standings() -> None:
    order = list(reversed(range(14)))
    first = pair("swiss", order, 7, [], {}, "seed")
    assert pair("swiss", order, 7, [first], {}, "seed") == [order[:7], order[7:]]


def test_the_best_two_of_a_rung_go_up_and_the_last_two_down() -> None:
    rungs = [list(range(7)), list(range(7, 14))]
    results = {who: F(100 - who) for who in range(14)}
    upper, lower = pair("ladder", list(range(14)), 7, [rungs], results, "seed")
    assert set(upper) == {0, 1, 2, 3, 4, 7, 8}
    assert set(lower) == {5, 6, 9, 10, 11, 12, 13}


def test_the_leaders_have_a_board_of_their_own() -> None:
    boards = pair("seeded", list(range(20, -1, -1)), 7, [], {}, "seed", top=True)
    assert boards[0] == list(range(20, 13, -1))


def test_a_league_is_over_when_all_have_met() -> None:
    people, played = list(range(14)), list[Boards]()
    while not all_met(people, played):
        played.append(pair("league", people, 7, played, {}, str(len(played))))
    # One meets 6 others at a board, and 13 are to be met.
    assert 3 <= len(played) <= 4
