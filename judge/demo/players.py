"""The people of the demo: seven players with habits, and the master of their game."""

from __future__ import annotations

import random
import re
import time
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jinja2 import Template

from judge.demo import sample
from judge.demo.correspondent import Correspondent
from judge.demo.mail_programs import Received, kind_of, refuses
from judge.demo.notations import Notation
from judge.interchange.bot_answers import bot_object
from judge.language.read import read_order
from judge.rules.phase import Phase
from judge.rules.variant import Variant

GAME = "sample"

LATE = "F1901M"
"""The phase in which the late player replies only to the reminder, or to being told."""

MISSED = "S1903M"
"""The phase in which the late player sends no orders at all; in the next one they resign."""

LATE_POWER = "Russia"
"""Theirs, which a computer plays after them."""


CAST: Mapping[str, Mapping[str, Any]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)
"""The players by name."""


@dataclass
class Player:
    """One player, and how they write.

    Attributes:
        letter: That of the power they want.
        habit: What is special about them.
        typed: What they type around their orders.
        subject: That of their messages with orders, "" for that of the letter they answer.
        answer: The power whose press they answer, and what they say.
        opened: The open phase, as the last letter that had it attached.
        left: Whether they have resigned: "", "asked" if they are sure, "sure", "gone", "watches".
    """

    person: Correspondent
    letter: str
    power: str
    habit: str
    notation: Notation
    typed: Template
    variant: Variant
    chance: random.Random
    subject: str = ""
    answer: tuple[str, str] | None = None
    opened: Mapping[str, Any] = field(default_factory=dict)
    over: bool = False
    left: str = ""
    answered: set[str] = field(default_factory=set)
    refused: list[str] = field(default_factory=list)

    def read(self) -> None:
        """Read new messages, and reply to those that ask for it."""
        for letter in self.person.letters():
            if letter.is_reply:
                if refuses(letter.text):
                    self.refused.append(letter.text)
                if self.left == "asked" and "YES" in letter.text:
                    self.left = "sure"
                    _reply(self, letter, "YES")
                elif self.left == "sure" and "You no longer play" in letter.text:
                    self.left = "gone"
                    _reply(self, letter, f"OBSERVE {GAME}")
                elif self.left == "gone":
                    self.left = "watches"
            elif (kind := kind_of(letter)) == "end":
                self.over = True
            elif kind in ("start", "results", "reminder", "late"):
                self._answer(letter, kind)
            elif self.answer and press_of(letter) == self.answer[0]:
                _reply(self, letter, self.answer[1])

    def _answer(self, letter: Received, kind: str) -> None:
        self.opened = letter.opened or self.opened
        if not any(self.opened.get("owed", {}).get(self.power, {}).values()):
            return
        phase = Phase.read(self.opened["phase"])
        if str(phase) in self.answered:
            return
        if self.habit == "late" and str(phase) == MISSED:
            return
        if self.habit == "late" and str(phase) == LATE and kind not in ("reminder", "late"):
            return
        if self.habit == "late" and phase.year >= Phase.read(MISSED).year:
            if not self.left or (self.left == "sure" and kind == "late"):
                self.left = "asked"
                _reply(self, letter, "RESIGN")
            return
        self.answered.add(str(phase))
        orders = [
            read_order(text, self.variant, phase, self.power) for text in self._orders(str(phase))
        ]
        lines = [self.notation(order, self.variant) for order in orders]
        text = self.typed.render(lines=lines, phase=str(phase), kind=phase.kind.value)
        for each in text.split("\n=====\n"):
            _reply(self, letter, each, self.subject)

    def _orders(self, phase: str) -> list[str]:
        """Return the orders of this power in the sample game; once that is over, what a computer
        would order that is easy to beat."""
        for each in sample.phases():
            if each.phase == phase:
                return list(each.orders.get(self.power, ()))
        asked = {"power": self.power, "level": "easy", "seed": self.chance.getrandbits(32)}
        found: list[str] = bot_object({**self.opened, **asked}, time.process_time)["orders"]
        return found


def press_of(letter: Received) -> str | None:
    """Return the power whose press a message brings, if any."""
    found = re.match(rf"(\w+) in {GAME} <", str(letter.message["Reply-To"]))
    return found[1] if found else None


def _reply(player: Player, letter: Received, text: str, subject: str = "") -> None:
    player.person.write(letter.answer_to, subject, text, answers=letter)


def master_mail(last_turn: str) -> str:
    """Return the message that creates the game, which ends after `last_turn` (`F1905`)."""
    # The grace period outlasts the slowest machine.
    pace = "NEXT 12H GRACE 480H CLOCK NONE DAYS SMTWTFS DELAY 15M MIN 0"
    paces = "\n".join(f"SET {kind} {pace}" for kind in ("MOVE", "RETREAT", "ADJUST"))
    return (
        "REGISTER\nName: Mia\nEND\n"
        f"CREATE ?{GAME} standard, PUBLIC, NO CARETAKER\n{paces}\nSET END AFTER {last_turn}\n"
    )


def is_last(letter: Received) -> bool:
    """Return whether a message to the game master says that only the orders of `MISSED` that never
    come are missing."""
    text = " ".join(letter.text.split())
    late = kind_of(letter) == "late" and f"phase={MISSED}" in str(letter.message["X-Judge"])
    return late and f"and {LATE_POWER} is late" in text


def asks_to_process(letter: Received) -> bool:
    """Return whether a message asks the game master whether to go on without those orders."""
    asks = f"without all orders of {LATE_POWER}" in " ".join(letter.text.split())
    return asks and "YES" in letter.text


def is_resignation(letter: Received) -> bool:
    """Return whether a message says that the late player plays no more."""
    return f"The player of {LATE_POWER} has resigned" in " ".join(letter.text.split())
