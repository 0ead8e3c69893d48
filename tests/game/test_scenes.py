"""Mails in, letters out, shown whole: each file in `scenes/` is played and every letter compared.

A scene is read from top to bottom; a line that begins with `==` says what comes next:

    == a game starts: OPTIONS        `paris`, seven players, each with the power he wishes
    == cleo writes                   the lines below are her mail; it is processed at once
    == cleo answers                  the same, but it answers the last letter she got, press aside
    == cleo answers press            the same, but it answers the last letter of that kind
    == the clock strikes             time goes on to the next moment the judge waits for
    == 9 hours pass                  time goes on, and what is due is done
    == the phase runs                time goes on until the open phase has run, whatever comes
    == cleo gets results             the lines below are the next letter of that kind to her

`JUDGE_SCENES=rewrite pytest tests/game/test_scenes.py` writes down the letters as they are now;
read the difference before it is committed.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.game.play import Play, Received

SCENES = Path(__file__).parent / "scenes"
WIDTH = 72

_SEAL = re.compile(r"\b[0-9a-f]{16}(?=\s[0-9a-f]{16}\b)|(?<=\b[0-9a-f]{16}\s)[0-9a-f]{16}\b")
"""Seals of orders depend on a secret that every database makes for itself."""


def steps(text: str) -> Iterator[tuple[str, str]]:
    """Each direction with the lines below it."""
    head, *rest = re.split(r"^== ?(.*)$", text, flags=re.MULTILINE)
    assert not head.strip(), "a scene begins with a direction"
    for direction, body in zip(rest[::2], rest[1::2], strict=True):
        yield direction.strip(), body.strip("\n")


class Stage:
    """Plays a scene and keeps the letters nobody has read yet, by reader and kind."""

    def __init__(self, play: Play) -> None:
        self.play = play
        self.unread: dict[tuple[str, str], list[Received]] = defaultdict(list)

    def collect(self) -> None:
        for letter in self.play.letters():
            self.unread[letter.to.partition("@")[0], letter.kind].append(letter)

    def act(self, direction: str, body: str) -> str:
        """Do one direction; the lines that should stand below it."""
        if found := re.match(r"a game starts(?:: (.*))?$", direction):
            starts = self.play.start(found[1] or "")
            for who, letter in starts.items():
                self.unread[who, "start"].append(letter)
        elif found := re.match(r"(\S+) writes$", direction):
            self.unread.pop((found[1], "reply"), None)
            self.play.judge.process_message(self.play.mail(found[1], body))
            self.collect()
        elif found := re.match(r"(\S+) answers(?: (\w+))?$", direction):
            self.unread.pop((found[1], "reply"), None)
            to = self.play.last_reply_to(f"{found[1]}@people.example", found[2])
            self.play.judge.process_message(self.play.mail(found[1], body, to=to))
            self.collect()
        elif direction == "the clock strikes":
            moment = self.play.judge.next_wake()
            assert moment is not None, "nothing is waited for"
            self.play.clock.set(max(moment, self.play.clock.now()))
            self.play.judge.work()
            self.collect()
        elif direction == "the phase runs":
            for letter in self.play.lapse():
                self.unread[letter.to.partition("@")[0], letter.kind].append(letter)
        elif found := re.match(r"(\d+) hours pass$", direction):
            self.play.clock.advance(hours=int(found[1]))
            self.play.judge.work()
            self.collect()
        elif found := re.match(r"(\S+) gets (\w+)$", direction):
            letters = self.unread[found[1], found[2]]
            unread = [" ".join(each) for each in self.unread if self.unread[each]]
            assert letters, f"there is no such letter: {direction}, but {unread}"
            letter = letters.pop(0)
            text = _SEAL.sub("0" * 16, letter.text)
            return f"From: {letter.sender}\nSubject: {letter.subject}\n\n{text}".strip("\n")
        else:
            raise AssertionError(f"no such direction: {direction}")
        return body


@pytest.mark.parametrize("path", sorted(SCENES.glob("*.txt")), ids=lambda path: path.stem)
def test_scene(path: Path, play: Play) -> None:
    # Numbers in the draw of gunboat games depend on it.
    play.secret = play.storage.tickets.secret = b"scene"
    stage = Stage(play)
    played = []
    for direction, body in steps(path.read_text()):
        shown = stage.act(direction, body)
        if os.environ.get("JUDGE_SCENES") != "rewrite":
            assert shown == body, f"{path.name}: {direction}"
        assert all(len(line) <= WIDTH for line in shown.splitlines() if "gets" in direction)
        played.append(f"== {direction}\n" + (f"\n{shown}\n" if shown else ""))
    if os.environ.get("JUDGE_SCENES") == "rewrite":
        path.write_text("\n".join(played))
