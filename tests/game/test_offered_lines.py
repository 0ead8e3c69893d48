"""Each line that a letter shows to be sent is sent by its reader: it is done, or asked about."""

from __future__ import annotations

import re
from datetime import time, timedelta
from urllib.parse import unquote

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from judge.cli import main
from judge.commands import TABLE
from tests.clocks import ManualClock
from tests.game.play import KEEPER, PEOPLE, Play, Received, flat, read
from tests.sampled import FULL

SHOWN = re.compile(
    r"^ {2}((?:[A-Z]{3,}\b|[AF] [a-z]{3}\b|B [AF]|D [AF])[^:,\n]*?)(?: {2,}\S.*|: .*)?$", re.M
)
LINKED = re.compile(r"mailto:[^\"]*?body=([^\"&]*)")
BLOCK = re.compile(r"PRESS|ENDPRESS")
NOT_DONE = ("COULD NOT", "I did nothing with")


def offered(letter: Received) -> list[str]:
    """The lines that a letter shows, and those that its buttons write, each once."""
    html = "".join(letter.contents("text/html"))
    linked = [unquote(body).strip() for body in LINKED.findall(html)]
    # What has brackets says how a command is written.
    shown = [
        each for each in SHOWN.findall(letter.text) if not BLOCK.match(each) and "[" not in each
    ]
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


GAMES = {
    "gunboat": ("standard gunboat", 7),
    "three with 1976": ("standard, PLAYERS 3, RULES 1976", 3),
    "two with Global": ("global, PLAYERS 2", 2),
    "Era": ("era_of_empire", 7),
}


def grown(play: Play, options: str, players: int) -> None:
    """A game in which nobody orders, with a master, an observer, and somebody who would stand in,
    until its powers count as abandoned."""
    play.send("zoe", "REGISTER\nName: Zoe\nStand-in: yes\nEND")
    play.send("max", f"CREATE ?paris {options}")
    for who in PEOPLE[:players]:
        play.send(who, "JOIN paris")
    play.send("otto", "REGISTER\nName: Otto\nEND\nOBSERVE paris")
    play.run()
    while play.clock.now() < ManualClock().now() + timedelta(days=16):
        play.wake()


@pytest.mark.parametrize("name", GAMES)
def test_each_line_of_a_running_game_is_taken_from_whom_it_addresses(play: Play, name: str) -> None:
    options, players = GAMES[name]
    play.begin("grown", name, make=lambda: grown(play, options, players))
    lines: dict[tuple[str, str, str], tuple[Received, str]] = {}
    for letter in play.letters():
        who = letter.to.partition("@")[0]
        reader = "player" if who in PEOPLE[:players] else who
        if letter.kind not in ("reply", "joined"):
            for line in offered(letter):
                # One line of each form will do.
                form = re.sub(r"\b[a-z]{3}(/[a-z]{2})?\b|(?<=OVER ).*", "x", line)
                kind = letter.kind if FULL else ""
                lines.setdefault((reader, kind, form), (letter, line))
    assert {reader for reader, *_ in lines} >= {"player", "max"}
    for letter, line in lines.values():
        play.once(("grown", name, play.secret), lambda: None)
        answer = play.send(letter.to.partition("@")[0], line, answers=letter)
        assert not any(each in answer.text for each in NOT_DONE), (line, answer.text)


@pytest.mark.parametrize("word", ["YES", "NO"])
def test_who_decides_about_a_wish_is_told_that_and_nothing_else(play: Play, word: str) -> None:
    play.start()
    play.send("bob", "EXTEND 24H")
    (wish,) = [each for each in play.run() if each.kind == "proposal" and "max" in each.to]
    assert {"YES", "NO"} <= set(offered(wish))
    answer = play.ask("max", word, answers=wish)
    assert not any(each in answer.text for each in NOT_DONE), answer.text


NAMED = re.compile(r"\b[A-Z]{2,}(?: [A-Z]{2,})*(?: \d+)?\b")
SHELL = re.compile(r"(?:^ {2}|`)judge ([a-z][\w .-]*?)(?:`|$)", re.M)


def kept(play: Play) -> None:
    """A judge that holds a mail, and writes to its keeper once a day."""
    play.send(KEEPER, "HELD")
    play.answering.add(KEEPER)
    play.judge.profile = replace(play.judge.profile, digest=time(8))
    play.run()
    with pytest.MonkeyPatch.context() as broken:
        broken.setattr("judge.service.reply", _fails)
        play.judge.process_message(play.mail("zoe", "REGISTER"))
    play.send("ann", "CREATE ?oslo, PRIVATE")
    play.clock.advance(days=1)
    play.run()
    for line in ("HELD", "LIST ALL", "WHO IS ann@people.example", "HELP HELD"):
        play.send(KEEPER, line)


def _fails(*_: object) -> None:
    raise ValueError("a bug")


def test_each_line_that_letters_name_to_the_keeper_is_taken_from_them(play: Play) -> None:
    kept(play)
    lines: dict[str, Received] = {}
    shells: set[str] = set()
    letters = map(read, filter(None, map(play.storage.outbound.find, range(1, 30))))
    for letter in letters:
        if letter.to == KEEPER:
            # What answers say of a command is how it is written.
            named = NAMED.findall(flat(letter)) if letter.kind != "reply" else []
            for line in (*offered(letter), *filter(TABLE.find, named)):
                lines.setdefault(line, letter)
            shells |= set(SHELL.findall(letter.text))
    assert {"HELD", "LIST ALL", "SET NO REPORT"} <= lines.keys()
    assert [line for line in lines if line.startswith("RELEASE ")]
    for line, letter in lines.items():
        answer = play.send(KEEPER, line, answers=letter)
        assert not any(each in answer.text for each in NOT_DONE), (line, answer.text)
    assert shells
    for shell in shells:
        ran = CliRunner().invoke(main, [*shell.split(), "--help"])
        assert ran.exit_code == 0, (shell, ran.output)
