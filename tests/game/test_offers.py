"""Questions whose YES carries lines out: who can say it, how often, how long, and to what."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from judge.game.state import State
from judge.game.state.profile import TrustLevel
from judge.storage import Role, SeatState
from tests.game.play import ADDRESS, Play, Received, flat
from tests.game.test_trust import paris


def plays(play: Play, power: str = "France") -> bool:
    return paris(play).seats.player(power) is not None


def no(*words: str) -> list[tuple[str, bool]]:
    return [(word, False) for word in words]


@pytest.fixture
def two(play: Play) -> Play:
    """Cleo plays in paris, and in milan, which Max runs as well; nobody is in empty."""

    def make() -> None:
        play.start()
        play.send("max", "CREATE ?milan, MANUAL START\nCREATE ?empty")
        play.send("cleo", "JOIN milan")

    play.begin("two", make=make)
    return play


def state_of(play: Play, name: str) -> str | None:
    game = play.storage.games.by_name(name)
    return None if game is None else game.state


@pytest.mark.parametrize("word", ["YES", "Yes!", "yes please", "NO"])
def test_a_yes_to_no_question_is_told_that_it_did_nothing(two: Play, word: str) -> None:
    two.send("cleo", "SIGN ON paris\nRESIGN")
    said = two.send("cleo", word).text
    assert f"> {word}\n" in said
    assert "YES and NO count in a reply to the message that asks the question." in said
    assert plays(two)


def test_a_question_is_put_once_and_its_button_stands_below_it(two: Play) -> None:
    asked = two.ask("cleo", "SIGN ON paris\nA Par - Bur\nRESIGN")
    assert asked.sender == "paris: YES or NO?"
    assert asked.text.count("YES") == 1
    page = asked.contents("text/html")[0]
    assert page.index("body=YES") < page.index("Army Paris moves to Burgundy")
    assert "not done" in two.ask("cleo", "SIGN ON paris\nRESIGN\nF Bre - Mos").sender


@pytest.mark.parametrize("line", ["RESIGN milan", "leave milan", "Withdraw from the game milan!"])
def test_who_leaves_leaves_the_game_he_names(two: Play, line: str) -> None:
    two.send("cleo", f"SIGN ON paris\n{line}\nA Par - Bur")
    milan = two.storage.games.by_name("milan")
    assert milan is not None
    assert not State(two.storage, milan).seats.active(Role.PLAYER)
    assert plays(two)
    assert [str(order) for order in paris(two).orders["France"]] == ["A par - bur"]


def test_masters_end_and_delete_the_game_they_name(two: Play) -> None:
    asked = two.send("max", "SIGN ON mparis\nTERMINATE milan\nPURGE empty\nSET WAIT")
    assert (state_of(two, "milan"), state_of(two, "empty")) == ("forming", "forming")
    two.send("max", "YES to all", answers=asked)
    assert (state_of(two, "milan"), state_of(two, "empty")) == ("ended", None)
    assert state_of(two, "paris") == "active"


@pytest.mark.parametrize("line", ["TERMINATE nosuch", "PURGE nosuch", "RESIGN nosuch"])
def test_a_player_who_names_no_game_is_told_so(two: Play, line: str) -> None:
    answer = two.send("cleo", f"SIGN ON paris\n{line}")
    assert "No game is called nosuch" in " ".join(answer.text.split())


def test_a_practice_game_of_somebody_else_is_none(two: Play) -> None:
    two.send("ann", "JOIN PRACTICE standard")
    for line in ("TERMINATE practice1", "RESIGN practice1"):
        text = " ".join(two.send("cleo", line).text.split())
        assert "No game is called practice1" in text, line


@pytest.mark.parametrize("line", ["RESIGN empty", "TERMINATE empty", "LEAVE nosuch"])
def test_a_game_that_is_not_his_is_left_alone(two: Play, line: str) -> None:
    answer = two.send("cleo", line)
    assert "YES" not in answer.text.partition("COULD NOT USE")[2]
    assert plays(two)
    assert state_of(two, "empty") == "forming"


@pytest.mark.parametrize("line", ["leave", "Unsubscribe", "withdraw!", "LEAVE THE GAME, please"])
def test_each_word_for_leaving_leads_to_the_question(play: Play, line: str) -> None:
    play.start()
    play.sure("cleo", line)
    assert not plays(play)


LEFT = {
    "EJECT france": lambda play: plays(play),
    "UNSTART": lambda play: paris(play).position is not None,
    "TERMINATE paris": lambda play: state_of(play, "paris") == "active",
    "PURGE empty": lambda play: state_of(play, "empty") is not None,
}


@pytest.mark.parametrize("line", LEFT)
def test_nothing_that_cannot_be_undone_happens_at_once(two: Play, line: str) -> None:
    asked = two.send("max", f"SIGN ON mparis\n{line}")
    assert LEFT[line](two)
    two.send("max", "NO", answers=asked)
    assert LEFT[line](two)
    two.sure("max", f"SIGN ON mparis\n{line}")
    assert not LEFT[line](two)


def test_what_a_master_was_asked_is_for_that_phase(play: Play) -> None:
    play.start()
    asked = play.send("max", "EJECT france")
    play.send("max", "PROCESS S1901M")
    assert "moved on" in play.send("max", "YES", answers=asked).text
    assert plays(play)


@pytest.fixture
def asked(play: Play) -> tuple[Play, Received]:
    """France is asked whether to leave paris."""
    play.start()
    return play, play.send("cleo", "RESIGN")


@pytest.mark.parametrize(
    ("text", "done"),
    [
        *[(word, True) for word in ("YES", "Yes!", "Yes, please.", "Ja", "oui", "OK, do it")],
        *no("NO", "nein", "Yes, but only if Germany agrees", "Yesterday I wrote", "No idea"),
        *no("A Par - Bur\nYES", "> YES", "Not sure", "YES 2", "", "y" * 90),
    ],
)
def test_only_a_yes_on_the_first_line_acts(
    asked: tuple[Play, Received], text: str, done: bool
) -> None:
    play, question = asked
    assert plays(play), "nothing is done before"
    assert play.send("cleo", text, answers=question).kind in ("reply", "nothing")
    assert plays(play) is not done


def test_what_follows_a_yes_is_read(asked: tuple[Play, Received]) -> None:
    play, question = asked
    play.send("cleo", "NO\n\nA Par - Bur\n", answers=question)
    assert [str(order) for order in paris(play).orders["France"]] == ["A par - bur"]
    assert plays(play)


def test_a_yes_counts_once(asked: tuple[Play, Received]) -> None:
    play, question = asked
    play.send("cleo", "YES", answers=question)
    assert not plays(play)
    play.send("cleo", "TAKE OVER france@paris")
    assert plays(play)
    again = play.send("cleo", "YES", answers=question)
    assert "answered this question before" in again.text
    assert plays(play)


def test_a_no_ends_it(asked: tuple[Play, Received]) -> None:
    play, question = asked
    play.send("cleo", "No.", answers=question)
    play.send("cleo", "YES", answers=question)
    assert plays(play)


def test_a_yes_comes_too_late(asked: tuple[Play, Received]) -> None:
    play, question = asked
    play.clock.advance(days=8)
    assert "too long ago" in play.send("cleo", "YES", answers=question).text
    assert plays(play)


@pytest.mark.parametrize("level", list(TrustLevel))
def test_nobody_else_can_say_yes(asked: tuple[Play, Received], level: TrustLevel) -> None:
    play, question = asked
    play.judge.profile = replace(play.judge.profile, trust=level)
    for who in ("ann", "max", "stranger@else.example"):
        play.mail(who, "YES", answers=question)
    # Who forges the address does not know where to.
    play.mail("cleo", "YES", to=ADDRESS)
    play.run()
    assert plays(play)
    assert {seat.state for seat in paris(play).seats} == {SeatState.ACTIVE}


def test_one_question_is_enough_whatever_has_to_be_proved(play: Play) -> None:
    play.start()
    play.judge.profile = replace(play.judge.profile, trust=TrustLevel.TOKEN)
    asked = play.send("cleo", "RESIGN", to=ADDRESS)
    assert (asked.kind, asked.to) == ("reply", "cleo@people.example")
    assert plays(play)
    play.send("cleo", "YES", answers=asked)
    assert not plays(play)


def test_several_questions_have_numbers(play: Play) -> None:
    play.send("max", "CREATE ?rome, MANUAL START\nCREATE ?milan, MANUAL START\nCREATE ?oslo")
    lines = "".join(f"SIGN ON m{name}\nTERMINATE {name}\n" for name in ("rome", "milan", "oslo"))
    asked = play.send("max", lines)
    assert "YES 3" in asked.text

    def ended() -> list[str]:
        return [game.name for game in play.storage.games.all() if game.state == "ended"]

    which = play.send("max", "YES", answers=asked)
    assert ended() == []
    assert "YES 3" in which.text, "it asks again"
    assert "before" in play.send("max", "YES 1", answers=asked).text
    assert ended() == []
    play.send("max", "Yes, 1 and 2 please", answers=which)
    assert ended() == ["rome", "milan"]
    play.send("max", "YES", answers=which)
    assert ended() == ["rome", "milan", "oslo"], "one is left"


def test_each_line_may_answer_one(play: Play) -> None:
    play.send("max", "CREATE ?rome\nCREATE ?milan\nCREATE ?oslo")
    lines = "".join(f"SIGN ON m{name}\nTERMINATE {name}\n" for name in ("rome", "milan", "oslo"))
    asked = play.send("max", lines)
    answer = play.send("max", "YES 1\nNO 2\n\nYES 3\nLIST", answers=asked)
    states = {game.name: game.state for game in play.storage.games.all()}
    assert states == {"rome": "ended", "milan": "forming", "oslo": "ended"}
    assert "milan" in answer.text, "what is below is read"
    assert "nobody received" not in answer.text


def test_a_yes_to_all(play: Play) -> None:
    play.send("max", "CREATE ?rome\nCREATE ?milan")
    asked = play.send("max", "SIGN ON mrome\nTERMINATE rome\nSIGN ON mmilan\nTERMINATE milan")
    play.send("max", "YES to all", answers=asked)
    assert {game.state for game in play.storage.games.all()} == {"ended"}


def test_it_holds_in_the_next_phase_for_the_same_part(asked: tuple[Play, Received]) -> None:
    play, question = asked
    play.send("max", "PROCESS S1901M")
    play.clock.advance(days=1)
    play.send("cleo", "YES", answers=question)
    assert not plays(play)


def test_who_has_lost_his_part_is_told(asked: tuple[Play, Received]) -> None:
    play, question = asked
    play.send("cleo", "YES", answers=play.send("cleo", "RESIGN"))
    play.clock.advance(minutes=5)
    assert "moved on" in play.send("cleo", "YES", answers=question).text


def test_a_message_that_is_worked_again_acts_once(asked: tuple[Play, Received]) -> None:
    play, question = asked
    mail = play.mail("cleo", "YES", answers=question)

    class Killed(BaseException):
        pass

    def killed(*_: object, **__: object) -> None:
        raise Killed

    done = play.storage.inbound.done
    play.storage.inbound.done = killed  # type: ignore[method-assign]
    with pytest.raises(Killed):
        play.judge.process_message(mail)
    play.storage.inbound.done = done  # type: ignore[method-assign]
    assert plays(play)
    play.judge.process_message(mail)
    assert not plays(play)


@pytest.mark.parametrize(
    "text", ["Is a draw proposed?", "Did someone propose a draw?", "Gibt es einen Remisvorschlag?"]
)
def test_who_asks_whether_others_want_a_draw_hears_that_votes_are_secret(
    play: Play, text: str
) -> None:
    play.start()
    answer = play.ask("cleo", text)
    assert "SET DRAW" in answer.text
    assert "Votes are secret" in flat(answer)
    assert "Votes are secret" not in flat(play.ask("cleo", "I propose a draw."))
