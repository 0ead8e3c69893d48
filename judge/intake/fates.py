"""What becomes of a message: every line of its writer's own text has one fate.

A `Sheet` numbers the lines as they stand in the text. Whatever reads them says what became of each
one it covers; a line that nobody spoke of was not read, and that is a fate, too.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from judge.game.state.answers import LineResult
from judge.intake.lines import Line, meant
from judge.language.greetings import courtesies
from judge.mail.message import ParsedMessage


class Fate(Enum):
    """What became of a line."""

    DONE = "done"
    """An order or a command that was carried out."""
    SENT = "sent"
    """Press that went out."""
    ASKED = "asked"
    """Kept until a question is answered."""
    NOTHING = "nothing"
    """Nothing was done with it and nobody was sent it."""
    GREETING = "greeting"
    """A salutation, thanks, a signature, or a comment: nothing need be said of it."""


@dataclass(frozen=True)
class Fated:
    """A line with its fate; `told` says that the reply has an answer to it of its own."""

    line: Line
    fate: Fate
    told: bool


@dataclass
class Sheet:
    """The writer's own text by rows, and the fates of its lines in the order they were read."""

    rows: list[str] = field(default_factory=list)
    names: frozenset[str] = frozenset()
    """Words of the writer's names, in lower case: who signs with one says nothing by it."""
    fated: list[Fated] = field(default_factory=list)

    def give(self, line: Line, fate: Fate, result: LineResult | None = None) -> None:
        """Say what became of a line; `result` is what the reply says of it."""
        self.fated.append(Fated(line, fate, result is not None))

    def add(self, text: str) -> None:
        """Let a text go on below the rows there are."""
        self.rows.extend(text.splitlines())

    def put_above(self, lines: Sequence[str]) -> None:
        """Let lines stand above all others, and a blank one below them."""
        below = [*lines, ""] if lines else []
        self.rows[:0] = below
        for number, each in enumerate(self.fated):
            rows = each.line.rows
            moved = range(rows.start + len(below), rows.stop + len(below))
            self.fated[number] = replace(each, line=replace(each.line, rows=moved))

    def rest(self, rows: Container[int] | None = None) -> str:
        """The text that has no fate yet, or those `rows` of it, each line in its own row."""
        covered = self._covered()
        return "\n".join(
            "" if row in covered or (rows is not None and row not in rows) else text
            for row, text in enumerate(self.rows)
        )

    def first(self) -> tuple[int, str]:
        """The first row that has text, and the text; "" where there is none."""
        found = ((row, text.strip()) for row, text in enumerate(self.rows) if text.strip())
        return next(found, (0, ""))

    def begin(self, row: int, end: int, read: str, fate: Fate = Fate.DONE) -> None:
        """Say what became of the beginning of a row, up to `end`; what follows is still read."""
        text = self.rows[row].strip()
        self.rows[row] = text[end:]
        rows = range(0) if text[end:] else range(row, row + 1)
        self.fated.append(Fated(Line(text[:end], "command", read, rows=rows), fate, told=True))

    def close(self) -> None:
        """Give a fate to every row that nobody spoke of: it was not read."""
        covered = self._covered()
        left = [
            Line(text.strip(), "text", rows=range(row, row + 1))
            for row, text in enumerate(self.rows)
            if row not in covered and text.strip()
        ]
        for line, fate in zip(left, self.fates_of(left) if left else (), strict=True):
            self.give(line, fate)
        self.fated.sort(key=lambda each: each.line.rows.start)

    def fates_of(self, lines: Sequence[Line]) -> list[Fate]:
        """The fates of ordinary text that asks for nothing; the lines follow each other."""
        read = lines[:_MOST]
        courtesy = courtesies([line.text for line in read], self.names)
        fates = [
            Fate.GREETING if is_courtesy or not meant(line.text) else Fate.NOTHING
            for line, is_courtesy in zip(read, courtesy, strict=True)
        ]
        return fates + [Fate.NOTHING] * (len(lines) - len(read))

    def untold(self) -> Iterator[str]:
        """The lines with which nothing was done, and of which the reply says nothing yet."""
        for each in self.fated:
            if each.fate is Fate.NOTHING and not each.told:
                yield each.line.text

    def _covered(self) -> set[int]:
        return {row for each in self.fated for row in each.line.rows}


def names_of(incoming: ParsedMessage) -> frozenset[str]:
    """Words of the names by which the sender of a message may sign."""
    return frozenset(
        _WORD.findall(f"{incoming.sender_name} {incoming.sender.partition('@')[0]}".casefold())
    )


_MOST = 1000
"""Lines among which courtesy is looked for."""

_WORD = re.compile(r"[^\W\d_]+")
