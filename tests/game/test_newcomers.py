"""Newcomers who know a board only by the judge's letters play a year on it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from judge.game.state import State
from judge.rules.phase import Kind
from tests.game.play import PEOPLE, Play, Received, flat

SAMPLE = re.compile(r"^ {2,4}(\S.*?) {2,}(\S.*)$", re.M)
"""A line to copy, and what it means."""
CHOICE = re.compile(r"^  ((?:A|F|N|AF|R) [\w/]+), ([^:\n]+)(?:: ([^\n]*(?:\n    [^\n]*)*))?$", re.M)
"""A unit of the sheet by its code and its name, and where it can go."""
NEUTRAL = re.compile(r"Supply centers that nobody owns: ([^.]*)\.")


class Newcomer:
    """Somebody who writes what the letters show, in the words that they use."""

    def __init__(self, play: Play, who: str) -> None:
        self.play, self.who = play, who
        self.read: list[str] = []
        self.neutral: set[str] = set()

    def gets(self, letter: Received) -> None:
        """Read a letter."""
        self.learns(letter.text)

    def learns(self, text: str) -> None:
        """Keep a text, and which centers it says nobody owns."""
        self.read.append(text)
        if found := NEUTRAL.search(" ".join(text.split())):
            self.neutral = set(re.split(", | and ", found[1]))

    def asks(self, line: str) -> str:
        """Send one line and read the reply."""
        reply = self.play.send(self.who, line)
        assert "COULD NOT USE" not in reply.text, reply.text
        assert "Look again" not in reply.text, reply.text
        self.learns(reply.text)
        return reply.text

    def sheet(self) -> str:
        """The last letter with an order sheet."""
        sheets = ("for example:", "where each can go in one step:", "What can be built, and where:")
        return next(text for text in reversed(self.read) if any(each in text for each in sheets))

    def moves(self) -> str:
        """Each unit goes to a center that nobody owns, if its sheet says it can; else holds."""
        lines, aims = [], set()
        for _, name, places in CHOICE.findall(self.sheet()):
            reached = [each.strip() for each in re.sub(r"\s+", " ", places).split(", ")]
            named = [each.partition(" ")[2].split(";")[0] for each in reached]
            free = [each for each in named if each in self.neutral and each not in aims]
            aims.update(free[:1])
            lines.append(f"{name} to {free[0]}" if free else f"{name} holds")
        return "\n".join(lines)

    def copied(self, text: str) -> Iterator[str]:
        """The lines that a letter shows as examples."""
        for line, _ in SAMPLE.findall(text):
            yield line


def state_of(play: Play) -> State:
    game = play.storage.games.by_name("paris")
    assert game is not None
    return State(play.storage, game)


def sit_down(play: Play, board: str, count: int) -> dict[str, Newcomer]:
    play.send(
        "max", f"CREATE ?paris {board}, MOVE DELAY 0 MIN 0, ADJUST DELAY 0 MIN 0\nSET NO DAILY"
    )
    people = {who: Newcomer(play, who) for who in PEOPLE[:count]}
    for who in people:
        play.send(who, "JOIN paris")
    deal(play, people)
    return people


def deal(play: Play, people: dict[str, Newcomer]) -> list[Received]:
    """Let the judge work, and everybody read."""
    letters = play.run()
    for letter in letters:
        if (someone := people.get(letter.to.partition("@")[0])) is not None:
            someone.gets(letter)
    return letters


def until(play: Play, people: dict[str, Newcomer], year: int) -> Iterator[State]:
    """Each phase up to a year; the judge must not have to wait for anybody."""
    while (state := state_of(play)).opened.phase.year < year:
        before = state.game.phase
        yield state
        deal(play, people)
        while state_of(play).game.phase == before:
            assert not state_of(play).sheets.missing(), before
            play.wake()
            deal(play, people)


def test_a_year_of_era_by_the_letters_alone(play: Play) -> None:
    people = sit_down(play, "era_of_empire", 7)
    start = next(each for each in people["ann"].read if "WHAT DIFFERS" in each)
    assert "Conscription: you build in any empty supply center" in " ".join(start.split())
    for person in people.values():
        person.asks("MAP")
    built, converted = 0, 0
    for state in until(play, people, 1871):
        for person in people.values():
            if state.opened.phase.kind is Kind.MOVEMENT:
                person.asks(person.moves())
                continue
            sheet = person.sheet()
            examples = list(person.copied(sheet.partition("for example:")[2].partition("WHAT")[0]))
            builds = [each for each in examples if each.startswith("B ")]
            if "may build" in sheet or builds:
                built += "You may build" in sheet
                converted += "can be converted" in sheet
                person.asks("\n".join([*builds, "WAIVE"] if "You may build" in sheet else builds))
    after = state_of(play)
    home = {place for owned in after.variant.centers.values() for place in owned}
    run = next(
        each for each in play.storage.history.of_game(after.game.id) if each.phase == "W1870A"
    )
    told = str(run.results["orders"])
    assert built
    assert converted
    assert "converted" in told.lower()
    raised = {
        line["order"].split()[2]
        for lines in run.results["orders"].values()
        for line in lines
        if line["done"] and line["order"].startswith("B ")
    }
    assert raised - home, "nobody built outside a home country"


def test_a_year_of_global_by_the_letters_alone(play: Play) -> None:
    people = sit_down(play, "global", 6)
    ann = people["ann"]
    help_page = ann.asks("HELP global")
    hold = "All units hold"
    assert hold in help_page
    armed = bombed = False
    for state in until(play, people, 2103):
        kind = state.opened.phase.kind
        for person in people.values():
            if kind is Kind.MOVEMENT:
                sheet = person.sheet()
                bombs = [line for line in person.copied(sheet) if " bomb " in line]
                if str(state.opened.phase) == "W2101M" and person is ann:
                    person.asks(hold)
                elif bombs:
                    person.asks("\n".join([person.moves(), bombs[0]]))
                    bombed = True
                else:
                    person.asks(person.moves())
            elif kind is Kind.ADJUSTMENTS:
                sheet = person.sheet()
                arsenals = [line[2:] for line in person.copied(sheet) if line.startswith("B R ")]
                shown = list(
                    person.copied(sheet.partition("for example:")[2].partition("WHERE")[0])
                )
                choices = [line for line in person.copied(sheet) if line.startswith("B ")]
                # Where each choice is a button, the letter has no example. One is left for later.
                by_place = {line.split()[-1]: line for line in choices[::-1]}
                samples = [line for line in shown if line.startswith("B ")]
                samples = samples or [*by_place.values()][1:]
                if arsenals and person is ann and not armed:
                    samples = [f"build arsenal {arsenals[0].split()[1]}"]
                    armed = True
                if "You may build" in sheet:
                    person.asks("\n".join([*samples, "WAIVE"]))
                elif samples or "must go" in sheet:
                    person.asks("\n".join(shown))
        if bombed:
            break
    assert armed
    assert bombed
    letters = deal(play, people)
    told = " ".join(next(each.text for each in letters if each.kind == "results").split())
    assert "no unit can ever enter it again" in told


def test_who_left_a_practice_game_is_offered_nothing_that_takes_a_phase_back(play: Play) -> None:
    play.send("zoe", "JOIN PRACTICE")
    told: list[Received] = []
    while not told:
        told = [each for each in play.wake() if each.kind == "abandoned"]
    assert "send your orders" in flat(told[0])
    assert "BACK" not in told[0].text
