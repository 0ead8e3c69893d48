"""Tournaments as players and directors have them: what each line does, and what letters tell."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest

from judge.game import directing
from judge.game.state import State
from judge.site import Site
from judge.storage import EntrantState, GameState, Role, Tournament, TournamentState
from tests.game.play import ADDRESS, Play, Received, flat
from tests.tournaments.season import Season

SEVEN = ("ann", "bob", "cleo", "dora", "emil", "finn", "gwen")
CREATE = "CREATE TOURNAMENT cup standard, 2 rounds, scoring draw size, no dias"


def cup(play: Play) -> Tournament:
    found = play.storage.tournaments.by_name("cup")
    assert found is not None
    return found


def running(play: Play, options: str = "", *more: str) -> dict[str, State]:
    """A tournament whose first round is played by seven and some more; its games by name."""

    def make() -> None:
        play.send("max", f"{CREATE}{options}")
        for who in (*SEVEN, *more):
            play.send(who, "ENTER TOURNAMENT cup")
        play.send("max", "START TOURNAMENT cup")
        play.judge.work()

    play.once(("cup", options, more), make)
    games = play.storage.games.all((GameState.ACTIVE,))
    return {game.name: State(play.storage, game) for game in games}


def told(letters: list[Received], kind: str) -> dict[str, Received]:
    return {each.to.partition("@")[0]: each for each in letters if each.kind == kind}


def draw(play: Play, state: State, share: str) -> list[Received]:
    """Let everybody in a game agree on a draw among some."""
    for seat in state.seats.active(Role.PLAYER):
        who = str(state.seats.person(seat).name).lower()
        power = (seat.power or "")[0].lower()
        play.send(who, f"SIGN ON {power}{state.game.name}\nSET DRAW {share}")
    return play.run()


def test_fourteen_play_two_rounds_by_themselves(play: Play) -> None:
    season = Season(play, 14, 2)
    season.run()
    assert cup(play).state is TournamentState.ENDED
    mine = [each for each in season.letters if each.to.startswith("max")]
    # One mail of the director's, and one letter a day beside what everybody gets.
    assert len(mine) >= 4
    days = [str(each.message["Date"])[:16] for each in mine if each.kind == "director"]
    assert max(Counter(days).values()) == 1
    rounds = Counter(each.to for each in season.letters if each.kind == "round")
    assert sum(count == 2 for count in rounds.values()) == 13
    boards = play.storage.boards.of_tournament(cup(play).id)
    assert [(each.round, each.number, each.ended) for each in boards] == [
        (1, 1, True),
        (1, 2, True),
        (2, 1, True),
    ]
    table = directing.standings(play.storage, cup(play))
    states = {row["name"]: row["state"] for row in table["rows"]}  # type: ignore[attr-defined]
    assert states.pop("P03") == EntrantState.DROPPED
    assert set(states.values()) == {EntrantState.ACTIVE}
    assert "final standings" in told(season.letters, "standings")["p00"].subject


def test_a_draw_is_scored_and_the_last_game_begins_the_next_round(play: Play) -> None:
    (state,) = running(play).values()
    powers = {
        power: str(state.seats.person(seat).name) for power, seat in state.seats.players().items()
    }
    play.letters()
    letters = draw(play, state, "AEF")
    assert cup(play).round == 2
    text = told(letters, "round")["ann"].text
    for power in ("Austria", "England", "France"):
        assert f"{powers[power]}  33.333" in text
    (second,) = play.storage.games.all((GameState.ACTIVE,))
    again = {
        p: str(state.seats.person(s).name)
        for p, s in State(play.storage, second).seats.players().items()
    }
    assert not set(powers.items()) & set(again.items())


def test_the_power_in_the_letter_is_the_one_of_the_game(play: Play) -> None:
    (state,) = running(play).values()
    letters = told(play.letters(), "round")
    for power, seat in state.seats.players().items():
        assert (
            f"You play {power} in cup1a"
            in letters[str(state.seats.person(seat).name).lower()].first
        )


def test_eight_people_are_told_that_one_sits_out(play: Play) -> None:
    play.send("max", CREATE)
    for who in (*SEVEN, "hal"):
        reply = play.send(who, "ENTER TOURNAMENT cup")
    assert "1 would have to sit out" in " ".join(reply.text.split())
    play.send("max", "START TOURNAMENT cup")
    assert "you sit it out" in " ".join(told(play.run(), "round")["hal"].text.split())


def test_who_leads_before_a_top_board_never_sits_out(play: Play) -> None:
    (state,) = running(play, ", top board", "hal").values()
    # Who entered last, and has not sat out yet, would be the next to sit out.
    players = state.seats.players()
    leads = next(p for p, seat in players.items() if state.seats.person(seat).name == "Gwen")
    play.letters()
    letters = told(draw(play, state, leads[0]), "round")
    assert "you sit it out" not in flat(letters["gwen"])
    assert sum("you sit it out" in flat(each) for each in letters.values()) == 1


def test_a_director_names_a_game_behind_a_line(play: Play) -> None:
    running(play)
    play.answer("ann", "all hold")
    said = flat(play.send("max", "STATUS cup1a"))
    assert said.count("3 orders missing") + said.count("4 orders missing") == 6
    assert "complete" in said
    old = play.storage.games.by_name("cup1a")
    assert old is not None
    assert old.deadline is not None
    play.send("max", "SIGN ON cup1a\nSET DEADLINE +2 days")
    play.send("max", "GAME cup1a\nEXTEND 24H")
    new = play.storage.games.by_name("cup1a")
    assert new is not None
    assert new.deadline == old.deadline + timedelta(days=3)


def test_directors_read_for_whose_orders_a_game_waits(play: Play) -> None:
    (state,) = running(play).values()
    assert state.game.deadline is not None
    for who in SEVEN[1:]:
        play.answer(who, "all hold")
    play.clock.set(state.game.deadline)
    play.run()
    late = next(p for p, s in state.seats.players().items() if state.seats.person(s).name == "Ann")
    letter = told(play.wake(), "director")["max"]
    assert f"for the orders of {late}" in flat(letter)


def test_thirteen_fill_two_boards_where_somebody_plays_twice(play: Play) -> None:
    play.send("max", CREATE)
    for who in (*SEVEN, "hal", "ida", "jon", "kim", "leo"):
        play.send(who, "ENTER TOURNAMENT cup")
    play.send("mia", "ENTER TOURNAMENT cup twice")
    play.send("max", "START TOURNAMENT cup")
    play.run()
    games = play.storage.games.all((GameState.ACTIVE,))
    seats = [each.person_id for game in games for each in play.storage.seats.of_game(game.id)]
    assert len(games) == 2
    assert sorted(Counter(seats).values()) == [1] * 12 + [2]


def test_a_substitute_fills_a_board_and_hears_of_open_powers(play: Play) -> None:
    play.send("max", CREATE)
    for who in SEVEN[:6]:
        play.send(who, "ENTER TOURNAMENT cup")
    assert "at least 7" in play.send("max", "START TOURNAMENT cup").text
    play.send("sue", "ENTER TOURNAMENT cup as substitute")
    play.send("tom", "ENTER TOURNAMENT cup as substitute")
    play.send("max", "START TOURNAMENT cup")
    letters = play.run()
    assert "sue" in told(letters, "round")
    assert "tom" not in told(letters, "round")
    play.sure("ann", "SIGN ON cup1a\nRESIGN")
    assert "tom" in told(play.run(), "wanted")


def test_points_are_divided_by_what_each_has_played(play: Play) -> None:
    (state,) = running(play).values()
    seat = next(each for each in state.seats.active(Role.PLAYER) if each.power == "France")
    who = str(state.seats.person(seat).name).lower()
    play.sure(who, "SIGN ON fcup1a\nRESIGN")
    play.send("sue", "ENTER TOURNAMENT cup as substitute")
    play.send("sue", "TAKE OVER france@cup1a")
    letters = draw(play, State(play.storage, state.game), "AFE")
    board = play.storage.boards.of_tournament(cup(play).id)[0]
    assert board.shares is not None
    shares = {key: each for key, each in board.shares.items() if each.power == "France"}
    assert {key: each.gave_up for key, each in shares.items()}[str(seat.id)] is True
    assert sorted(each.points for each in shares.values()) == ["0", "100/3"]
    assert who in told(letters, "dropped")


def test_a_game_without_a_result_waits_for_the_director_and_nothing_else(play: Play) -> None:
    running(play)
    play.letters()
    play.sure("max", "SIGN ON mcup1a\nTERMINATE cup1a")
    letters = play.run()
    assert "SCORE BOARD cup1a" in told(letters, "director")["max"].text
    assert "The ending is scored" not in flat(told(letters, "end")["ann"])
    # The round that begins has no column yet.
    assert "|" not in told(letters, "round")["ann"].text
    assert cup(play).round == 2
    assert "35.5" in play.send("max", "SCORE BOARD cup1a Austria 20 England 35.5").text
    for points in ("Austria twenty", "Austria", ""):
        refused = flat(play.send("max", f"SCORE BOARD cup1a {points}"))
        assert "stand its points, a number. Write for example: SCORE BOARD cup1a" in refused
    assert "only a director" in play.send("ann", "SCORE BOARD cup1a A 9").text.lower()


def test_standings_that_change_after_the_end_are_told_to_all_and_why_it_ended(play: Play) -> None:
    running(play)
    play.sure("max", "SIGN ON mcup1a\nTERMINATE cup1a")
    play.run()
    play.sure("max", "CANCEL TOURNAMENT cup")
    ended = flat(told(play.letters(), "standings")["ann"])
    assert "its director has ended it" in ended
    assert "too few players" not in ended
    play.send("max", "SCORE BOARD cup1a Austria 20 England 35.5")
    assert "35.5" in told(play.letters(), "standings")["ann"].text


def test_who_withdraws_keeps_their_game_and_is_seated_no_more(play: Play) -> None:
    (state,) = running(play, "", "hal").values()
    text = " ".join(play.send("bob", "LEAVE TOURNAMENT cup").text.split())
    assert "cup1a" in text
    draw(play, state, "AEF")
    (second,) = play.storage.games.all((GameState.ACTIVE,))
    names = {
        str(each.name)
        for each in map(state.seats.person, State(play.storage, second).seats.active(Role.PLAYER))
    }
    assert "Bob" not in names
    assert "Hal" in names


def test_who_becomes_a_substitute_in_mid_round_keeps_their_place_and_points(
    play: Play,
) -> None:
    (state,) = running(play, "", "hal").values()
    assert "You are a substitute" in play.send("ann", "ENTER TOURNAMENT cup substitute").text

    def points() -> dict[str, str]:
        rows: list[dict[str, str]] = directing.standings(play.storage, cup(play))["rows"]  # type: ignore[assignment]
        return {row["name"]: row["points"] for row in rows}

    assert points()["Ann"] == "0"
    power = next(
        each.power
        for each in state.seats.active(Role.PLAYER)
        if state.seats.person(each).name == "Ann"
    )
    draw(play, state, (power or "")[0])
    assert points()["Ann"] == "100"
    play.send("ann", "LEAVE TOURNAMENT cup")
    assert points()["Ann"] == "100"


def test_rounds_are_scored_by_one_system_and_options_keep_their_commas(play: Play) -> None:
    play.send("max", CREATE)
    play.send("max", "SET TOURNAMENT cup 2 rounds, drop 2, gunboat, press none")
    assert "3 rounds" in play.send("max", "SET TOURNAMENT 3 rounds").text
    plan = cup(play).plan
    assert (plan.rounds, plan.drop) == (3, 2)
    assert plan.settings["gunboat"] is True
    assert "keeps its name" in play.send("max", "SET TOURNAMENT cup name trophy").text
    unknown = play.send("max", "CREATE TOURNAMENT bowl standard, wobbly 5").text
    assert "wobbly is neither" in unknown
    assert "SET TOURNAMENT bowl standard" in unknown
    for who in SEVEN:
        play.send(who, "ENTER TOURNAMENT cup")
    play.send("max", "START TOURNAMENT cup")
    play.run()
    assert "cup has begun" in play.send("max", "SET TOURNAMENT cup scoring bangkok").text
    assert cup(play).plan.scoring == "draw_size"
    assert "is not over" in play.send("max", "SCORE BOARD cup1a A 3").text


def test_an_entry_counts_once_and_a_new_name_shows(play: Play) -> None:
    play.send("max", CREATE)
    play.send("ann", "ENTER TOURNAMENT cup")
    assert "already" in play.send("ann", "ENTER TOURNAMENT cup").text
    play.send("ann", "REGISTER\nname: Anna Karenina\nEND")
    text = play.send("max", "TOURNAMENT cup").text
    assert "Anna Karenina" in text
    assert "1 HAS ENTERED" in text
    assert "two games in a round" in flat(play.send("ann", "ENTER TOURNAMENT cup twice"))
    assert "tournament called cup" in flat(play.send("max", CREATE))


def test_who_has_withdrawn_before_they_played_is_not_counted_and_stands_nowhere(play: Play) -> None:
    play.send("max", CREATE)
    for who in (*SEVEN, "hal"):
        play.send(who, "ENTER TOURNAMENT cup")
    play.send("hal", "LEAVE TOURNAMENT cup")
    text = play.send("max", "TOURNAMENT cup").text
    assert "7 HAVE ENTERED" in text
    assert "Hal - withdrew" in text
    assert "sit out" not in text
    play.send("max", "START TOURNAMENT cup")
    assert "Hal" not in play.send("max", "STANDINGS cup").text


def test_nobody_has_powers_at_two_boards_unless_they_offered_to(play: Play) -> None:
    more = ("hal", "ida", "jan", "kay", "lea", "mia", "ned")
    first, second = running(play, "", *more).values()
    gone = next(seat for seat in second.seats.active(Role.PLAYER))
    power, who = str(gone.power), str(second.seats.person(gone).name).lower()
    play.sure(who, f"SIGN ON {power}@{second.game.name}\nRESIGN")
    other = str(first.seats.person(first.seats.active(Role.PLAYER)[0]).name).lower()
    line = f"TAKE OVER {power}@{second.game.name}"
    assert "ENTER TOURNAMENT cup twice" in flat(play.send(other, line))
    play.send(other, "ENTER TOURNAMENT cup twice")
    assert "is yours" in flat(play.send(other, line))


def test_a_deputy_directs_and_a_director_who_plays_does_not_judge_his_board(play: Play) -> None:
    play.send("max", CREATE)
    for who in (*SEVEN[:6], "max"):
        play.send(who, "ENTER TOURNAMENT cup")
    assert "Only a director" in play.send("ann", "START TOURNAMENT cup").text
    unknown = flat(play.send("max", "SET DEPUTY cup zoe@people.example"))
    assert "Write for example: SET DEPUTY cup" in unknown
    play.send("zoe", "REGISTER")
    play.letters()
    play.send("max", "SET DEPUTY cup zoe@people.example")
    assert "made you a deputy" in flat(told(play.letters(), "director")["zoe"])
    play.answering.add("zoe@people.example")
    play.send("zoe", "START TOURNAMENT cup")
    play.run()
    assert "players must not see or decide more" in " ".join(
        play.send("max", "SIGN ON mcup1a\nPAUSE").text.split()
    )
    play.send("zoe", "SIGN ON cup1a\nPAUSE")
    assert play.storage.games.by_name("cup1a").state is GameState.PAUSED  # type: ignore[union-attr]


def test_entries_close_by_themselves_and_again_where_there_are_too_few(play: Play) -> None:
    play.send("max", f"{CREATE}, entries until in 3 days")
    letters = play.wake()
    assert "too few entries" in told(letters, "director")["max"].subject
    for who in SEVEN:
        play.send(who, "ENTER TOURNAMENT cup")
    assert set(told(play.wake(), "round")) == set(SEVEN)


def test_a_round_ends_at_its_deadline(play: Play) -> None:
    running(play, ", round 3 days, 1 round")
    while cup(play).state is TournamentState.RUNNING:
        letters = play.wake()
    assert "final standings" in told(letters, "standings")["max"].subject


def test_a_notice_goes_to_all_who_take_part(play: Play) -> None:
    running(play)
    play.letters()
    play.send("max", "TELL TOURNAMENT cup\nHurry up, please.\nEND")
    letters = told(play.letters(), "notice")
    assert set(letters) == set(SEVEN)
    assert "Hurry up, please." in letters["ann"].text


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("CREATE TOURNAMENT cup2 standard", "cannot be the name"),
        ("CREATE TOURNAMENT cup era_of_empire, scoring bangkok", "34 centers"),
        ("CREATE TOURNAMENT cup standard, scoring nonsense", "the systems are"),
        ("CREATE TOURNAMENT cup standard, adding best 9 rounds", "these ways"),
        ("CREATE TOURNAMENT cup standard, form circle", "seeded"),
        ("CREATE TOURNAMENT cup standard, gunboat, no reveal", "who played what"),
        ("CREATE TOURNAMENT cup standard, rounds 0", "HELP CREATE TOURNAMENT"),
        ("ENTER TOURNAMENT nowhere", "No tournament"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(play: Play, line: str, said: str) -> None:
    reply = " ".join(play.send("max", line).text.split())
    assert said in reply
    assert play.storage.tournaments.all() == []


@pytest.mark.parametrize("line", ["JOIN cup", "OBSERVE cup", "LIST Cup."])
def test_who_takes_a_tournament_for_a_game_is_told_how_to_enter(play: Play, line: str) -> None:
    play.send("max", "REGISTER")
    created = play.send("max", "CREATE TOURNAMENT cup standard, gunboat")
    assert "CREATE TOURNAMENT cup standard, gunboat" in created.text
    for who in ("max", "zoe"):
        assert "ENTER TOURNAMENT cup" in " ".join(play.send(who, line).text.split())


def test_a_tournament_is_not_renamed_like_a_game(play: Play) -> None:
    running(play)
    for line in ("RENAME cup cupper", "RENAME TOURNAMENT cup cupper"):
        reply = flat(play.send("max", line))
        assert "cup is a tournament. It keeps its name" in reply
        assert "which game" not in reply
    assert play.storage.games.by_name("cup1a") is not None


@pytest.mark.parametrize("line", ["STANDINGS", "standings cup", "Standings please."])
def test_standings_can_be_asked_for(play: Play, line: str) -> None:
    running(play)
    play.send("eve", "CREATE TOURNAMENT bowl standard" if "cup" in line else "REGISTER")
    assert "1. Ann" in play.send("ann", line).text


def test_nobody_hears_who_is_at_a_gunboat_board(play: Play) -> None:
    running(play, ", gunboat")
    text = told(play.letters(), "round")["ann"].text
    assert not any(who.capitalize() in text for who in SEVEN[1:])


def test_teams_add_up(play: Play) -> None:
    play.send("max", f"{CREATE}, teams, 1 round")
    for number, who in enumerate(SEVEN):
        team = "Otters" if number < 3 else "Newts"
        play.send(who, f"ENTER TOURNAMENT cup team {team}")
    play.send("max", "START TOURNAMENT cup")
    play.run()
    (game,) = play.storage.games.all((GameState.ACTIVE,))
    draw(play, State(play.storage, game), "AEFGIRT")
    teams = directing.standings(play.storage, cup(play))["teams"]
    assert teams == [{"name": "Newts", "points": "57.143"}, {"name": "Otters", "points": "42.857"}]


def test_the_standings_are_a_page(play: Play, tmp_path: Path) -> None:
    (state,) = running(play).values()
    draw(play, state, "AEF")
    site = Site(play.storage, tmp_path / "site", "The Judge", ADDRESS, play.clock.now())
    site.build()
    page = (tmp_path / "site/tournaments/cup.html").read_text()
    assert page.count("33.333") == 6
    assert "tournaments/cup.html" in (tmp_path / "site/index.html").read_text()


def test_the_games_say_the_score_that_the_tournament_counts(play: Play) -> None:
    (state,) = running(play).values()
    assert state.settings.scoring == "draw_size"
    letters = draw(play, state, "ef")
    (end,) = (each for each in letters if each.kind == "end" and each.to.startswith("bob"))
    assert "Draw Size" in end.text


# Two worlds that differ in a secret send equal letters to all who may not know it

WORLDS = [
    (", gunboat", "bob", "SIGN ON cup1a\n{}", ("A Par - Bur", "A Par H"), 1),
    (", gunboat", "bob", "SIGN ON cup1a\n{}", ("SET DRAW efgirta", "SET NO DRAW"), 1),
    ("", "bob", "BLOCK {}", ("cleo@people.example", "ann@people.example"), 1),
    ("", "bob", "SIGN ON cup1a\nMUTE {}", ("Turkey", "Italy"), 1),
]


@pytest.mark.parametrize(("options", "who", "line", "secrets", "days"), WORLDS)
def test_two_worlds_that_differ_in_a_secret_send_equal_letters(
    play: Play, options: str, who: str, line: str, secrets: tuple[str, str], days: int
) -> None:
    def sent(secret: str) -> tuple[str, list[tuple[str, str, str, str]]]:
        running(play, options)
        play.letters()
        answer = play.send(who, line.format(secret)).text
        play.letters()
        play.send("zoe", "TOURNAMENT cup")
        for each in ("max", *SEVEN):
            if each != who:
                play.send(each, "TOURNAMENT cup")
        play.send("max", "TELL TOURNAMENT cup\nPlay on!\nEND")
        play.clock.advance(days=days)
        letters = [*play.run(), *play.letters()]
        return answer, sorted(
            (each.to, each.kind, each.subject, each.text)
            for each in letters
            if not each.to.startswith(who)
        )

    (one, first), (two, second) = map(sent, secrets)
    assert one != two
    assert len(first) > len(SEVEN)
    assert first == second
