"""CREATE, JOIN, SIGN ON, OBSERVE, SET PREFERENCE, START, REGISTER, and who may what."""

from __future__ import annotations

import pytest

from judge.game.state import State
from judge.storage import Role
from tests.game.play import PEOPLE, Play, flat


def game(play: Play, name: str = "paris") -> State:
    found = play.storage.games.by_name(name)
    assert found is not None
    return State(play.storage, found)


# REGISTER


def test_register_takes_what_it_is_told_and_says_what_it_cannot_use(play: Play) -> None:
    answer = play.send(
        "ann",
        "Register\nname:  Ann   Lee \nTime zone: Pariss\nEmail: ann@people.example, b@x.example\n"
        "Level: novice\nLanguage: Klingon\nShoe size: 44\nEND\nLIST",
    )
    assert "no field 'Shoe size'" in " ".join(answer.text.split())
    assert "Name: Ann Lee" in answer.text
    assert "no time zone is called 'Pariss'" in answer.text.replace("No", "no")
    assert "Europe/Paris" in answer.text
    assert "Level: novice" in answer.text
    assert "I write only in" in answer.text
    assert "add other email addresses only" in " ".join(answer.text.lower().split())
    assert "There are no public games" in answer.text


def test_register_again_changes_only_what_is_said(play: Play) -> None:
    play.send("ann", "REGISTER\nName: Ann Lee\nTime zone: UTC+2\nEND")
    play.send("ann", "REGISTER\nCountry: Wales\nEND")
    person = play.storage.people.by_address("ANN@people.example")
    assert person is not None
    assert (person.name, person.time_zone, person.country) == ("Ann Lee", "Etc/GMT-2", "Wales")


def test_register_without_its_end_swallows_no_commands(play: Play) -> None:
    play.send("max", "CREATE ?paris")
    answer = play.send("ann", "REGISTER\nName: Ann Lee\n\nJOIN paris")
    assert "You are in paris" in answer.text


def test_times_are_shown_in_the_readers_own_zone(play: Play) -> None:
    play.send("cleo", "REGISTER\nTime zone: New York\nEND")
    starts = play.start("MOVE NEXT 48H CLOCK 20:00")
    assert "Due Fri 16:00 (New York)" in starts["cleo"].text
    assert "New York" not in starts["dora"].text


@pytest.mark.parametrize(
    ("mails", "own", "of_game"),
    [
        (["{}"], True, False),
        (["CREATE ?den standard", "{}"], False, True),
        (["JOIN PRACTICE", "{}"], True, False),
        (["CREATE ?den solo", "{}"], True, False),
        (["CREATE ?den solo", "SET MY TIME ZONE America/Lima"], True, False),
        (["JOIN paris", "{}"], True, False),
        (["CREATE ?den standard", "SET MY TIME ZONE America/Lima"], True, False),
    ],
)
def test_a_time_zone_is_that_of_the_game_for_who_can_set_that_and_ones_own_for_others(
    play: Play, mails: list[str], own: bool, of_game: bool
) -> None:
    play.send("max", "CREATE ?paris standard")
    play.answering.add("zoe@people.example")
    for mail in mails:
        play.send("zoe", mail.format("SET TIME ZONE America/Lima"))
    zoe = play.storage.people.by_address("zoe@people.example")
    assert zoe is not None
    assert (zoe.time_zone == "America/Lima") == own
    games = [State(play.storage, each) for each in play.storage.games.all()]
    assert ("America/Lima" in [each.settings.zone for each in games]) == of_game


def test_letters_that_mean_several_zones_are_a_question_about_ones_own(play: Play) -> None:
    asked = play.ask("zoe", "SET MY TIME ZONE IST")
    play.ask("zoe", "YES", answers=asked)
    zoe = play.storage.people.by_address("zoe@people.example")
    assert zoe is not None
    assert zoe.time_zone == "Asia/Kolkata"
    assert "No time zone" in flat(play.ask("zoe", "SET MY TIME ZONE Atlantis"))


# CREATE


def test_who_creates_a_game_is_its_master(play: Play) -> None:
    answer = play.send("max", "create ?Paris")
    assert "The game paris (Diplomacy, rulebook of 2023) is open" in answer.text
    state = game(play)
    assert state.game.moderated
    assert [seat.role for seat in state.seats] == ["master"]


@pytest.mark.parametrize("name", ["", "?", "?p", "?1900", "?my-game", "?a.b", "?" + "x" * 30])
def test_a_game_needs_a_name_of_letters_and_digits(play: Play, name: str) -> None:
    play.send("max", "REGISTER")
    answer = play.send("max", f"CREATE {name}")
    assert "letters and digits" in " ".join(answer.text.split())
    assert play.storage.games.all() == []


def test_a_name_is_given_once(play: Play) -> None:
    play.send("max", "CREATE ?paris")
    answer = play.send("ann", "REGISTER\nCREATE ?PARIS")
    assert "There is or was a game called paris already" in answer.text
    assert len(play.storage.games.all()) == 1


def test_an_option_that_is_none_makes_no_game(play: Play) -> None:
    play.send("max", "REGISTER")
    answer = play.send("max", "CREATE ?paris chess")
    said = " ".join(answer.text.split())
    assert "chess is neither a board nor a setting, so I did nothing. " in said
    assert play.storage.games.all() == []


@pytest.mark.parametrize(
    ("option", "meant"),
    [
        ("nopres", "no press"),
        ("playerz 3", "players"),
        ("gunbaot", "gunboat"),
        ("no dais", "no dias"),
    ],
)
def test_a_misspelled_option_is_named_with_what_it_may_mean(
    play: Play, option: str, meant: str
) -> None:
    play.send("max", "REGISTER")
    said = flat(play.send("max", f"CREATE ?paris standard {option}"))
    assert f"{option.split()[0]} is neither a board nor a setting" in said
    assert f"Did you mean {meant}?" in said
    assert play.storage.games.all() == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("standart gunboat", "standart is neither a board nor a setting"),
        ("standart gunboat", "Did you mean standard?"),
        ("gunboat, 1982", "1982 is neither a board nor a setting"),
        ("gunboat, 1982", "1976"),
        ("gunboat, ancient mediteranean", "Did you mean ancient_mediterranean?"),
        ("standard speed fast", "The word that I show as ******** is neither a board nor"),
    ],
)
def test_the_option_that_is_none_is_told_from_those_beside_it(
    play: Play, options: str, said: str
) -> None:
    play.send("max", "REGISTER")
    assert said in flat(play.send("max", f"CREATE ?paris {options}"))


@pytest.mark.parametrize("option", ["standard, anonymous", "standard, langsam", "standard, rapide"])
def test_boards_that_an_option_is_not_like_are_not_offered(play: Play, option: str) -> None:
    play.send("max", "REGISTER")
    assert "Did you mean" not in flat(play.send("max", f"CREATE ?paris {option}"))


def test_what_follows_a_game_that_was_not_made_falls_to_no_other(play: Play) -> None:
    play.send("max", "CREATE ?paris")
    text = " ".join(play.send("max", "CREATE ?rome chess\nSET LIST\nSET NMR").text.split())
    assert text.count("Not carried out, because CREATE ?rome above it failed.") == 2
    assert not game(play).settings.listed


def test_an_option_with_a_bad_value_is_named_and_makes_no_game(play: Play) -> None:
    play.send("max", "REGISTER")
    answer = play.send("max", "CREATE ?paris standard, MOVE NEXT soon, END AFTER 1905, PUBLIC")
    assert "I cannot set MOVE NEXT soon" in " ".join(answer.text.split())
    assert play.storage.games.all() == []


@pytest.mark.parametrize(
    "options",
    [
        "gunboat, 1976, fast, players 3, END AFTER 1905",
        "standard gunboat 1976 fast 3 players end after 1905",
        "rules 1976 PLAYERS 3 end after 1905 PACE 24H gunboat",
    ],
)
def test_options_stand_with_commas_or_blanks_and_each_is_told(play: Play, options: str) -> None:
    answer = " ".join(play.send("max", f"CREATE ?paris {options}").text.split())
    state = game(play)
    assert state.settings.gunboat
    assert state.rulebook.name == "1976"
    assert (state.settings.people, state.settings.move.next) == (3, 24)
    assert state.settings.turn_limit == "F1905"
    assert all(each in answer for each in ("gunboat", "Rulebook: 1976", "1 day after", "1905"))
    assert "***" not in answer
    for number, first in enumerate(
        ("1976 3 players", "3 players fast", "fast gunboat", "slow 1976")
    ):
        again = play.send("max", f"CREATE ?rome{number} {first}").text
        assert "***" not in again
        assert f"rome{number}" in again


def test_a_new_game_is_in_its_creators_time_zone(play: Play) -> None:
    play.send("max", "REGISTER\nTime zone: Europe/Berlin\nEND\nCREATE ?paris")
    assert game(play).settings.zone == "Europe/Berlin"


# JOIN


def test_a_bare_join_takes_the_public_game_that_waits_longest(play: Play) -> None:
    play.send("max", "CREATE ?hidden\nCREATE ?open1 standard, PUBLIC\nCREATE ?open2, PUBLIC")
    assert "You are in open1" in play.send("ann", "JOIN").text
    assert "You are in open2" in play.send("ann", "SIGN ON ?").text
    assert "No public game needs players" in play.send("ann", "JOIN").text


def test_who_has_no_part_hears_how_he_gets_one(play: Play) -> None:
    play.send("zoe", "REGISTER")
    play.send("max", "CREATE ?rome\nSET NO DAILY")
    assert "JOIN rome" in play.send("zoe", "SIGN ON frome").text
    play.start()
    assert "OBSERVE paris" in play.send("zoe", "SIGN ON fparis").text
    play.sure("max", "TERMINATE paris")
    assert "SUMMARY paris" in play.send("zoe", "SIGN ON fparis").text


def test_who_sends_his_join_again_means_what_stands_below_it(play: Play) -> None:
    play.send("max", "CREATE ?paris")
    play.send("ann", "JOIN paris")
    reply = play.send("ann", "JOIN paris\nSET PREFERENCE F")
    assert "You take part in paris already" in reply.text
    assert "Your preferences: France" in reply.text


def test_nobody_joins_twice_or_too_late(play: Play) -> None:
    play.start()
    assert "You take part in paris already" in play.send("ann", "JOIN paris").text
    answer = play.send("zoe", "REGISTER\nJOIN paris")
    assert "paris has started already" in answer.text
    assert "OBSERVE paris" in answer.text


def test_an_eighth_player_finds_no_room(play: Play) -> None:
    play.send("max", "CREATE ?paris, MANUAL START")
    for who in PEOPLE:
        play.send(who, "JOIN paris")
    assert "All powers of paris are taken" in play.send("zoe", "REGISTER\nJOIN paris").text


def test_an_observer_can_become_a_player(play: Play) -> None:
    play.send("max", "CREATE ?paris")
    play.send("ann", "OBSERVE paris")
    assert "You are in paris" in play.send("ann", "JOIN paris").text
    person = play.storage.people.by_address("ann@people.example")
    assert person is not None
    assert [seat.role for seat in game(play).seats.of(person.id)] == ["player"]


def test_a_stranger_whose_join_fails_stays_a_stranger(play: Play) -> None:
    answer = play.send("zoe", "JOIN <b>atlantis</b>")
    assert answer.kind == "welcome"
    assert "JOIN [game]: No game is called that." in answer.text
    assert "atlantis" not in answer.text
    assert play.storage.people.by_address("zoe@people.example") is None


def test_a_master_who_plays_gives_up_his_powers(play: Play) -> None:
    play.send("max", "CREATE ?paris, MANUAL START")
    play.send("ann", "JOIN paris")
    play.letters()
    assert "unmoderated from now on" in " ".join(play.send("max", "JOIN paris").text.split())
    told = next(letter for letter in play.letters() if letter.to.startswith("ann"))
    assert "no longer moderated" in told.text
    for who in PEOPLE[1:6]:
        play.send(who, "JOIN paris")
    play.answer("cleo", "SET AUTO START")
    play.run()
    answer = play.send("max", "PROCESS S1901M")
    assert "paris is not moderated, so nobody can do that" in answer.text
    assert game(play).game.phase == "S1901M"


# SET PREFERENCE


def test_preferences_decide_who_plays_what(play: Play) -> None:
    play.start(preferences="GGGGGGT")
    state = game(play)
    turkey = state.seats.player("Turkey")
    assert turkey is not None
    assert state.seats.person(turkey).name == "Gwen"


def test_preferences_that_cannot_be_read_change_nothing(play: Play) -> None:
    play.send("max", "CREATE ?paris")
    play.send("ann", "JOIN france@paris")
    answer = play.send("ann", "SET PREFERENCE EXF")
    assert "No power has the letter X" in answer.text
    assert game(play).seats.active(Role.PLAYER)[0].preferences == "F"


def test_preferences_are_locked_after_the_start(play: Play) -> None:
    play.start()
    assert "The game has started" in play.send("ann", "SET PREF F").text


# SIGN ON


@pytest.mark.parametrize(
    "line", ["SIGN ON fparis", "signon france@paris secret", "LOGIN paris", "sign on FPARIS"]
)
def test_signing_on_names_game_and_part(play: Play, line: str) -> None:
    play.start()
    play.send("cleo", "CREATE ?rome")
    answer = play.send("cleo", f"{line}\nA Par - Bur")
    assert "The next lines are for paris, as France." in answer.text
    assert [str(order) for order in game(play).orders["France"]] == ["A par - bur"]


def test_lines_after_a_failed_sign_on_are_not_carried_out_in_another_part(play: Play) -> None:
    play.start()
    answer = play.send("cleo", "SIGN ON gparis\nA Par - Bur\nSET WAIT\nsign on fparis\nA Par H")
    assert "Germany in paris is not yours: there you are France" in answer.text
    assert answer.text.count("Not carried out, because SIGN ON gparis above it failed.") == 2
    assert [str(order) for order in game(play).orders["France"]] == ["A par H"]


def test_one_mail_can_serve_several_games(play: Play) -> None:
    play.start()
    play.send("ann", "CREATE ?rome")
    answer = play.send("cleo", "A Par - Bur\nJOIN rome\nSET PREFERENCE T\nSIGN ON fparis\nF Bre H")
    assert "rome is forming: 1 of 7" in answer.text
    assert len(game(play).orders["France"]) == 2
    assert game(play, "rome").seats.active(Role.PLAYER)[0].preferences == "T"


def test_a_stranger_cannot_sign_on(play: Play) -> None:
    play.start()
    answer = play.send("zoe", "SIGN ON fparis\nA Par - Bur")
    assert answer.kind == "welcome"
    assert play.storage.people.by_address("zoe@people.example") is None


# OBSERVE, START, RESIGN


def test_observers_get_results_and_broadcasts_and_can_leave(play: Play) -> None:
    play.start()
    assert "You watch paris now" in play.send("zoe", "WATCH paris").text
    play.send("cleo", "BROADCAST\nhello\nENDBROADCAST\nPRESS TO G\nsecret")
    play.send("max", "PROCESS S1901M")
    letters = [letter for letter in play.letters() if letter.to.startswith("zoe")]
    letters = [letter for letter in letters if letter.kind not in ("reply", "press")]
    assert [letter.kind for letter in letters] == ["results"]
    assert "WHAT HAPPENED TO YOU" not in letters[0].text
    assert "You no longer watch paris" in play.send("zoe", "RESIGN").text
    play.letters()
    play.send("max", "PROCESS F1901M")
    assert not [letter for letter in play.letters() if letter.to.startswith("zoe")]


@pytest.mark.parametrize("text", ["SIGN ON oparis", "LOGIN observer@paris", "SIGNON OPARIS"])
def test_a_stranger_can_watch_by_a_sign_on(play: Play, text: str) -> None:
    play.start()
    assert "You watch paris now" in play.send("zoe", text).text
    assert "The next lines are for paris, as observer" in play.send("zoe", text).text


def test_a_stranger_is_not_told_what_came_of_the_lines_below_a_sign_on(play: Play) -> None:
    play.start()
    answer = play.send("zoe", "SIGN ON fparis\nA Par - Bur")
    assert answer.kind == "welcome"
    assert "None" not in answer.text


def test_who_may_not_hears_what_it_would_have_done(play: Play) -> None:
    play.start()
    play.send("zoe", "OBSERVE paris")
    answer = " ".join(play.send("zoe", "CLEAR NOW").text.split())
    assert "Only players of paris can do that, and you are none of them: delete all your" in answer


def test_list_names_the_master(play: Play) -> None:
    play.send("max", "CREATE ?paris standard gunboat, PUBLIC")
    text = " ".join(play.send("zoe", "LIST").text.split())
    assert "Diplomacy gunboat, needs 7 more players: JOIN paris." in text
    assert "press: white; game master: Max." in text


def test_list_invites_nobody_to_a_full_game(play: Play) -> None:
    play.send("max", "CREATE ?paris, PUBLIC, MANUAL START")
    for who in PEOPLE:
        play.send(who, "JOIN paris")
    text = play.send("zoe", "LIST").text
    assert "paris" in text
    assert "JOIN paris" not in text


def test_a_manual_start_waits_for_its_master(play: Play) -> None:
    play.send("max", "CREATE ?paris, MANUAL START")
    for who in PEOPLE[:6]:
        play.send(who, "JOIN paris")
    assert "1 more player must join paris" in play.send("max", "START").text
    play.send("gwen", "JOIN paris")
    play.run()
    assert game(play).game.state == "forming"
    assert "Only the game master" in play.send("ann", "START").text
    assert "paris starts now" in play.send("max", "START").text
    play.run()
    assert game(play).game.state == "active"
    assert "paris has started already" in play.send("max", "START").text


@pytest.mark.parametrize("start", ["START", "FORCE BEGIN"])
def test_nobody_is_told_that_a_game_starts_which_waits_for_approval(play: Play, start: str) -> None:
    play.send("max", "CREATE ?paris, PLAYERS 2, APPROVAL, MANUAL START")
    for who in PEOPLE[:2]:
        play.send(who, "JOIN paris")
    play.send("max", "SET APPROVED ann@people.example")
    answer = flat(play.send("max", start))
    assert "paris starts once you have approved Bob (SET APPROVED)." in answer
    play.run()
    assert game(play).game.state == "forming"
    play.send("max", "SET APPROVED bob@people.example")
    play.run()
    assert game(play).game.state == "active"


def test_a_forced_start_counts_places_and_not_powers(play: Play) -> None:
    play.send("max", "CREATE ?paris, PLAYERS 5 BY LOT")
    for who in PEOPLE[:4]:
        play.send(who, "JOIN paris")
    assert "1 place has no player" in flat(play.send("max", "FORCE BEGIN"))
    play.run()
    state = game(play)
    assert len(state.powers.open()) == 2


@pytest.mark.parametrize("line", ["CREATE standard", "CREATE Global, PLAYERS 3"])
def test_a_board_alone_is_no_name_of_a_game(play: Play, line: str) -> None:
    play.send("max", "REGISTER")
    board = line.split()[1].lower().rstrip(",")
    assert f"CREATE ?paris {board}" in play.send("max", line).text
    assert play.storage.games.by_name(board) is None


@pytest.mark.parametrize(
    "line",
    [
        "CREATE ?paris ancient mediterranean gunboat",
        "CREATE ?paris, gunboat, The Ancient Mediterranean",
        "JOIN PRACTICE ancient mediterranean, easy",
        "CREATE TOURNAMENT cup ancient mediterranean, 1 round",
    ],
)
def test_the_name_of_a_board_may_have_blanks(play: Play, line: str) -> None:
    play.send("max", "REGISTER")
    answer = play.send("max", line).text
    assert "*" not in answer
    boards = {each.variant for each in play.storage.games.all()}
    boards |= {cup.plan.variant for cup in play.storage.tournaments.all()}
    assert boards == {"ancient_mediterranean"}


@pytest.mark.parametrize("start", ["AUTO START", "MANUAL START"])
def test_a_game_that_waits_for_a_date_says_so_everywhere(play: Play, start: str) -> None:
    date = "The game does not start before Wednesday 10 June, 20:00 (UTC)."
    play.send("max", f"CREATE ?paris, PLAYERS 2, {start}")
    assert date in flat(play.send("max", "SET START 10 Jun 20:00"))
    play.send("ann", "JOIN paris")
    joined = flat(play.send("bob", "JOIN paris"))
    assert date in joined
    assert "now" not in joined.partition("JOIN")[2]
    if start == "MANUAL START":
        started = flat(play.send("max", "START"))
        assert date in started
        assert "starts now" not in started
    listed = flat(play.send("zoe", "LIST paris"))
    assert date in listed
    assert "JOIN paris" not in listed
    assert date in flat(play.send("ann", "STATUS"))
    play.wake()
    assert game(play).game.state == "active"


def test_leaving_before_the_start_makes_room(play: Play) -> None:
    play.send("max", "CREATE ?paris")
    for who in PEOPLE[:6]:
        play.send(who, "JOIN paris")
    assert "You have left paris" in play.send("ann", "RESIGN").text
    play.send("gwen", "JOIN paris")
    play.run()
    assert game(play).game.state == "forming"
    play.send("zoe", "JOIN paris")
    play.run()
    assert game(play).game.state == "active"


def test_resigning_names_no_other_game(play: Play) -> None:
    play.start()
    assert "No game is called rome" in play.send("ann", "RESIGN rome").text
    assert game(play).seats.player("Austria") is not None


def test_the_last_master_cannot_resign(play: Play) -> None:
    play.start()
    assert "PROMOTE ann@example.org" in play.send("max", "RESIGN").text
    assert len(game(play).seats.active(Role.MASTER)) == 1


def test_a_master_hands_the_game_over(play: Play) -> None:
    play.start()
    play.send("ivy", "REGISTER\nName: Ivy\nEND")
    play.send("ivy", "OBSERVE paris")
    play.send("max", "PROMOTE ivy@people.example")
    play.run()
    play.sure("max", "RESIGN")
    told = {each.to for each in play.run() if each.kind == "ejected"}
    assert told == {f"{who}@people.example" for who in (*PEOPLE, "ivy")}
    (runs,) = game(play).seats.active(Role.MASTER)
    assert game(play).seats.person(runs).name == "Ivy"
    before = game(play).game.deadline
    play.send("max", "EXTEND 5D")
    assert game(play).game.deadline == before


# Boards


@pytest.mark.parametrize(
    ("asked", "book", "wins"),
    [
        ("standard, RULES 1976", "Diplomacy, rulebook of 1976", "18 centers"),
        ("standard, RULES 1976, PLAYERS 2", "Diplomacy, rulebook of 1976", "24 units on the board"),
        ("era_of_empire", "Diplomacy: Era of Empire, rulebook of 2025", "22 centers"),
        ("global", "Global Diplomacy, rulebook of 1976", "16 centers"),
        ("global, RULES 2023", "Global Diplomacy, rulebook of 2023", "16 centers"),
    ],
)
def test_a_new_game_names_its_rulebook_and_what_wins(
    asked: str, book: str, wins: str, play: Play
) -> None:
    assert f"({book})" in " ".join(play.send("max", f"CREATE ?paris {asked}").text.split())
    assert f"Victory: {wins}." in play.send("max", "LIST paris").text


def test_the_word_game_before_a_name_is_none(play: Play) -> None:
    play.send("ann", "CREATE GAME")
    assert play.storage.games.by_name("game") is None
    assert play.send("ann", "CREATE GAME oslo").subject.startswith("JUDGE:oslo")


def test_nobody_without_a_game_is_offered_to_leave_one(play: Play) -> None:
    assert "RESIGN" not in play.ask("zoe", "subscribe").text
