"""What one person writes and another reads: nothing of the judge's goes with it."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.game.play import ADDRESS, Play, Received

SHARED = 4
"""Words of a line that nobody has in common with a letter by chance."""


def reply_address(letter: Received) -> str:
    return str(letter.message["Reply-To"]).partition("<")[2].strip(">")


def announced(letter: Received, text: str) -> str:
    """What most programs write above a quote, in a language that nobody listed."""
    return f"2026. nov. 23. 9:00 keltezéssel, The Judge <{reply_address(letter)}> ezt írta:\n{text}"


def below(letter: Received) -> str:
    """The same where the announcement stands below, and is broken."""
    address = reply_address(letter)
    return f"{letter.text}\nThe Judge\n<{address[:20]}\n> {address[20:]}> ezt írta"


SHAPES: dict[str, Callable[[Received], str]] = {
    "marked": lambda letter: announced(letter, textwrap.indent(letter.text, "> ", lambda _: True)),
    "marked by a sign": lambda letter: textwrap.indent(letter.text, "| ", lambda _: True),
    "unmarked": lambda letter: announced(letter, letter.text),
    "bare": lambda letter: letter.text,
    "from its middle": lambda letter: letter.text.split("\n", 12)[12],
    "announced below": below,
    "forwarded": lambda letter: (
        f"-------- Továbbított üzenet --------\nTárgy: {letter.subject}\nFeladó: The Judge "
        f"<{ADDRESS}>\nVálaszcím: {reply_address(letter)}\n\n{letter.text}"
    ),
    "broken anew": lambda letter: "\n".join(
        line
        for each in letter.text.splitlines()
        for line in textwrap.wrap(each, 44, break_long_words=False) or [""]
    ),
    "on one line": lambda letter: " ".join(letter.text.split()),
    "its address alone": lambda letter: f"write to {reply_address(letter).upper()} then",
    "its token alone": lambda letter: (
        f"x{reply_address(letter).partition('+')[2].partition('@')[0]}"
    ),
    "its Message-ID": lambda letter: f"in {letter.message['Message-ID']} it says so",
}

CARRIERS = {
    "press": "PRESS TO G\n{own}{said}\nENDPRESS",
    "press that does not end": "PRESS TO G\n{own}{said}",
    "broadcast": "BROADCAST\n{own}{said}\nENDBROADCAST",
    "diary": "DIARY RECORD\n{own}{said}\nENDDIARY",
}


def own_words(letter: Received) -> set[str]:
    """The lines of a letter that nobody else gets, by their words."""
    lines = (" ".join(line.split()) for line in letter.text.splitlines())
    return {line for line in lines if len(line.split()) >= SHARED}


def leaks(play: Play, letter: Received, others: list[Received]) -> list[str]:
    """What of a letter stands in those of others."""
    token = reply_address(letter).partition("+")[2].partition("@")[0]
    secret, found = own_words(letter), []
    for other in others:
        assert other.to != letter.to
        text = "\n".join([*(value for _, value in other.headers), *other.contents("text/")])
        if token in text.lower():
            found.append(f"{other.to} has the token")
        written = other.text.partition("----------")[0]
        said = " ".join(written.replace("|", " ").replace(">", " ").split())
        found += [f"{other.to} reads: {line}" for line in secret if line in said]
    return found


def to_others(play: Play, letter: Received) -> list[Received]:
    """The letters to others since the last look."""
    return [each for each in play.run() if each.to != letter.to]


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("own", ["Dear Germany,\nlet us talk.\n\n", ""])
def test_a_letter_reaches_nobody_else(play: Play, shape: str, carrier: str, own: str) -> None:
    start = play.start()["cleo"]
    order = play.send("cleo", "A par - bur\nF bre - mao\nA mar S A par - bur", answers=start)
    play.run()
    for letter in (start, order):
        play.send("cleo", CARRIERS[carrier].format(own=own, said=SHAPES[shape](letter)))
        told = to_others(play, letter)
        assert leaks(play, letter, told) == []
        if carrier != "diary":
            assert all("let us talk" in each.text for each in told if each.kind == "press")
        # Diaries are read by all when the game is over.
        for page in play.storage.diaries.of_seat(3):
            assert "Reply with one order" not in page.text


@pytest.mark.parametrize("shape", SHAPES)
def test_an_answer_to_press_carries_no_other_letter(play: Play, shape: str) -> None:
    start = play.start()["cleo"]
    play.send("dora", "PRESS TO F\nShall we?\nENDPRESS")
    press = next(each for each in play.run() if each.kind == "press")
    body = f"Yes, we shall.\n\n{SHAPES[shape](start)}"
    play.send("cleo", body, answers=press)
    told = to_others(play, start)
    assert leaks(play, start, told) == []
    for each in told:
        assert "Yes, we shall." in each.text or each.kind != "press"


@pytest.mark.parametrize("shape", SHAPES)
def test_nothing_about_a_game_quotes_a_letter_of_its_master(play: Play, shape: str) -> None:
    play.start()
    letter = play.answer("max", "STATUS")
    play.run()
    said = SHAPES[shape](letter)
    for text in (
        f"SET COMMENT {' '.join(said.split())[:190]}",
        f"SET GAME RULES\n{said}\nEND",
        f"OFFICIAL Rules\n{said}\nEND",
    ):
        play.answer("max", text)
        assert leaks(play, letter, to_others(play, letter)) == []
    token = reply_address(letter).partition("+")[2].partition("@")[0]
    entry = play.send("dora", "LIST paris").text
    assert token not in entry.lower()
    assert not own_words(letter) & set(entry.splitlines())


def test_no_name_holds_an_address_of_the_judge(play: Play) -> None:
    start = play.start()["cleo"]
    address = reply_address(start)
    play.send("cleo", f"REGISTER\nname: {address}\nEND")
    play.send("new@people.example", "OBSERVE paris", name=f'"{address}"')
    names = list(play.storage.people.names().values())
    assert "Cleo" in names
    assert "new" in names
    assert not any(address.partition("@")[0].partition("+")[2] in name for name in names)


def test_the_writer_hears_what_stayed_behind_and_why(play: Play) -> None:
    start = play.start()["cleo"]
    shape = SHAPES["its address alone"](start)
    answer = play.send("cleo", f"PRESS TO G\nHello\n\n{shape}\nBye\nENDPRESS")
    assert "from this line on" in answer.text
    assert [each.text for each in play.storage.press.of_game(1)] == ["Hello"]
    answer = play.send("cleo", f"PRESS TO G\nLook:\n{shape}\nBye\nENDPRESS")
    answer = play.send("cleo", f"PRESS TO G\n{shape}\nBye\nENDPRESS")
    assert "Nothing was sent." in answer.text
    assert "Bye" in answer.text
    assert len(play.storage.press.of_game(1)) == 2


@pytest.mark.parametrize(
    "text",
    [
        # What letters to the writer say again because somebody wrote it may be said again.
        "I propose that we keep Burgundy empty for the next two years.\nWhat do you think of it?",
        "My plan:\nA par - bur\nF bre - mao\nA mar S A par - bur\nA par S A mar - bur",
        "France: A par - bur, and England: F lon - eng. The deadline is on Friday at 20:00.",
        "Write to me at cleo@people.example, or to judge@another.example.",
    ],
)
def test_what_people_say_goes_out_as_often_as_they_like(play: Play, text: str) -> None:
    play.start()
    play.send("cleo", "A par - bur\nF bre - mao\nA mar S A par - bur")
    for power in "GEI":
        answer = play.send("cleo", f"PRESS TO {power}\n{text}\nENDPRESS")
        assert "from this line on" not in answer.text
    play.run()
    press = play.storage.press.of_game(1)
    assert [each.text for each in press] == [text] * 3


def test_press_of_others_may_be_told(play: Play) -> None:
    play.start()
    said = "Italy will attack you in the fall, and it asked me to help in that.\nBeware of it."
    play.send("dora", f"PRESS TO F\n{said}\nENDPRESS")
    press = next(each for each in play.run() if each.kind == "press")
    play.send("cleo", f"PRESS TO I\nGermany writes:\n{said}\nENDPRESS")
    told = next(each for each in play.run() if each.kind == "press")
    assert said in told.text
    play.send("cleo", f"PRESS TO I\nGermany writes:\n{press.text}\nENDPRESS")
    assert [each.text for each in play.run() if "Reply, and" in each.text] != [press.text]


_MAKERS = (
    "judge/intake/outward.py",
    "judge/storage/",
    "judge/game/state/settings.py",
    "judge/game/game_object.py",  # names in a file that a keeper takes in, each kept to a line
)
_OWN_WORDS = ("judge/game/bots.py",)


def test_only_the_door_makes_what_others_read() -> None:
    root = Path(__file__).parents[2]
    made = {
        str(path.relative_to(root))
        for path in (root / "judge").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("Outward")
    }
    assert [each for each in made if not each.startswith((*_MAKERS, *_OWN_WORDS))] == []
