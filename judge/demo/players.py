"""The people of the demo: seven players with habits, and the master of their game."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from judge.demo import clients, notations, sample
from judge.demo.correspondent import Correspondent, Received
from judge.demo.notations import Notation
from judge.demo.reading import kind_of, refuses
from judge.interchange import bot_object
from judge.language.read import read_order
from judge.rules.phase import Kind, Phase
from judge.rules.variant import Variant
from judge.sentences.terms import phase_words

GAME = "sample"

LATE = "F1901M"
"""The phase in which the late player replies only to the reminder, or to being told."""

MISSED = "S1903M"
"""The phase in which the late player sends no orders at all; in the next one they resign."""

LATE_POWER = "Russia"
"""Theirs, which a computer plays after them."""


@dataclass
class Player:
    """One player, and how they write.

    Attributes:
        letter: That of the power they want.
        habit: What is special about them.
        answer: The power whose press they answer, and what they say.
        opened: The open phase, as the last letter that had it attached.
        left: Whether they have resigned: "", "asked" if they are sure, "sure", "gone", "watches".
    """

    person: Correspondent
    letter: str
    power: str
    habit: str
    notation: Notation
    join: str
    write: Callable[[Player, Received, Phase, list[str]], None]
    variant: Variant
    chance: random.Random
    answer: tuple[str, str] | None
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
            elif (kind := kind_of(letter.text)) == "over":
                self.over = True
            elif kind is not None:
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
        self.write(self, letter, phase, [self.notation(order, self.variant) for order in orders])

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


def short(player: Player, letter: Received, phase: Phase, lines: list[str]) -> None:
    """Write only the orders, and a word to everybody at the start."""
    text = "\n".join(lines)
    if str(phase) == "S1901M":
        text += "\n\nBROADCAST\nGood luck to all of you!\nENDBROADCAST"
    _reply(player, letter, text)


def polite(player: Player, letter: Received, phase: Phase, lines: list[str]) -> None:
    """Write with greeting and regards, the orders in whole words."""
    text = ["Dear Judge,", "", "please find my orders below.", "", *(f"{line}." for line in lines)]
    if str(phase) == "S1901M":
        text += ["", "PRESS TO FRANCE", "Shall we leave the Channel empty?", "ENDPRESS"]
    text += ["", "Kind regards,", player.person.name]
    _reply(player, letter, "\n".join(text))


def correcting(player: Player, letter: Received, phase: Phase, lines: list[str]) -> None:
    """Write too soon, set WAIT, and correct it in a second message."""
    if phase.kind is not Kind.MOVEMENT:
        _reply(player, letter, "\n".join(lines))
        return
    hasty = re.sub(r"^(\S+?)[ -].*", r"\1 h", lines[-1])
    _reply(player, letter, "\n".join([*lines[:-1], hasty, "set wait"]))
    _reply(player, letter, "\n".join(["Sorry, I meant:", lines[-1], "set nowait"]))


def chaotic(player: Player, letter: Received, phase: Phase, lines: list[str]) -> None:
    """Write good orders amid nonsense; sometimes a message with nothing in it."""
    text = ["A Atlantis - Shangri-La", "A Par - Bur", "SET WIAT", *lines, "where is my tank?"]
    if str(phase) == "F1901M":
        _reply(player, letter, "")
        text += ["PRESS", "a secret that must not be told"]
    _reply(player, letter, "\n".join(text))


def one_line(player: Player, letter: Received, phase: Phase, lines: list[str]) -> None:
    """Write all orders on one line."""
    _reply(player, letter, "; ".join(lines))


def plain(player: Player, letter: Received, phase: Phase, lines: list[str]) -> None:
    """Write one order per line."""
    _reply(player, letter, "\n".join(lines))


def numbered(player: Player, letter: Received, phase: Phase, lines: list[str]) -> None:
    """Write a numbered list, under another subject."""
    text = "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))
    _reply(player, letter, text, subject="İşte emirler — my orders")


CAST = (
    # name, letter, power, habit, mail program, what is told of them, notation, how to join,
    # how to write, whose press to answer and what
    ("Anna", "A", "Austria", "short", clients.gmail, "Gmail: nothing but the orders",
     notations.rulebook, "JOIN {game}\nSET PREFERENCE A", short, None),
    ("Bertram", "E", "England", "long", clients.outlook, "Outlook: whole words, greetings, regards",
     notations.spelled_out,
     "Dear Judge,\n\nREGISTER\nName: Bertram Finch-Hatton\nTime zone: Europe/London\nEND\n"
     "JOIN england@{game}\n\nKind regards,\nBertram", polite, None),
    ("Chloé", "F", "France", "correcting", clients.iphone, "iPhone: corrects orders later",
     notations.bare, "register\nname: Chloé Dubois\ntime zone: Europe/Paris\nend\n"
     "join {game}\nset preference F[AEGIRT]", correcting,
     ("England", "D'accord, I keep out if you do.")),
    ("Dieter", "G", "Germany", "chaotic", clients.proton, "Proton: nonsense along with the orders",
     notations.capitals, "Guten Tag!\nJOIN {game}\nSET PREFERENCE G\nich freue mich", chaotic,
     None),
    ("Enzo", "I", "Italy", "one line", clients.k9, "K-9: everything on one line, no unit letters",
     notations.bare, "join {game}\nset preference i", one_line,
     ("Austria", "Grazie, buona fortuna!")),
    ("Fyodor", "R", "Russia", "late", clients.mutt, "mutt: is reminded, misses a deadline, resigns",
     notations.arrows, "JOIN {game}\nSET PREFERENCE R*", plain, None),
    ("Gül", "T", "Turkey", "numbered", clients.thunderbird,
     "Thunderbird: numbered lists in the midst of the letter", notations.arrows,
     "JOIN turkey@{game}", numbered, None),
)  # fmt: skip


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
    late = kind_of(letter.text) == "late" and phase_words(MISSED) in text
    return late and f"and {LATE_POWER} is late" in text


def is_resignation(letter: Received) -> bool:
    """Return whether a message says that the late player plays no more."""
    return f"The player of {LATE_POWER} has resigned" in " ".join(letter.text.split())
