"""Each line that a letter shows to be sent is sent by its reader: it is done, or asked about."""

from __future__ import annotations

import re
from urllib.parse import unquote

import pytest

from tests.game.play import Play, Received

SHOWN = re.compile(
    r"^ {2}((?:[A-Z]{3,}\b|[AF] [a-z]{3}\b|B [AF]|D [AF])[^:,\n]*?)(?: {2,}\S.*|: .*)?$", re.M
)
LINKED = re.compile(r"mailto:[^\"]*?body=([^\"&]*)")
NOT_DONE = ("COULD NOT", "I did nothing with")


def offered(letter: Received) -> list[str]:
    """The lines that a letter shows, and those that its buttons write, each once."""
    html = "".join(letter.contents("text/html"))
    linked = [unquote(body).strip() for body in LINKED.findall(html)]
    shown = [line for line in SHOWN.findall(letter.text) if not line.startswith("PRESS")]
    # A sheet is to be filled in.
    sheets = [each for each in linked if re.search(r"^[AF] \S+\s*$", each, re.M)]
    lines = [each for each in dict.fromkeys([*shown, *linked]) if each and each not in sheets]
    return [each for each in lines if not re.fullmatch(r"[AF] \S+", each)]


MAILS = {
    "a stranger": ("hello",),
    "who waits": ("JOIN",),
    "the list": ("LIST",),
    "help": ("HELP",),
    "practice": ("JOIN PRACTICE",),
    "practice on Era": ("JOIN PRACTICE era",),
    "a sandbox": ("CREATE ?box solo",),
    "a new game": ("CREATE ?den gunboat 1976 fast 3 players",),
    "a wrong option": ("CREATE ?den gunboat nonsense",),
    "plain words": ("JOIN PRACTICE", "I feel lucky today"),
}


def written(play: Play, mails: tuple[str, ...]) -> list[Received]:
    """All that comes of some mails of a newcomer to them."""
    found = []
    for mail in mails:
        found += [play.send("zoe", mail), *play.run()]
    return [letter for letter in found if letter.to.startswith("zoe@")]


@pytest.mark.parametrize("name", MAILS)
def test_each_line_that_is_offered_is_taken(play: Play, name: str) -> None:
    play.begin("offered", name, make=lambda: written(play, MAILS[name]))
    letters = {letter.kind: letter for letter in play.letters() if letter.to.startswith("zoe@")}
    lines = [(kind, line) for kind in letters for line in offered(letters[kind])]
    assert lines
    for kind, line in lines:
        play.once(("offered", name, play.secret), lambda: None)
        answer = play.send("zoe", line, answers=letters[kind])
        assert not any(each in answer.text for each in NOT_DONE), (line, answer.text)
