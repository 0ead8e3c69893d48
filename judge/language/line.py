"""What a line was read as: parts that together cover it, and what is left over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from judge.language import cover as covers
from judge.language.cover import BARRING
from judge.language.drafts import Draft, Parse
from judge.language.misreadings import Fault, Misreading
from judge.language.vocabulary import ARROWS, DASHES, SAID
from judge.rules.orders import Order, Unreadable

_SHORT_WORD: Final = 4
_PARTING: Final = (",", ";", "&", "+", "、", "，", "；")


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text was read as, by itself.

    `order` is Unreadable when it is no order. `owner` is the power named before the unit, `other`
    the one named before the unit that is supported or convoyed. `offers` are orders that the text
    would be if a name that is not known stood for one that is spelled like it.
    """

    order: Order
    owner: str | None = None
    other: str | None = None
    offers: tuple[Order, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a line, from `start` up to `end` of it.

    `kind` is one of those in `cover`. An order or an attempt at one has its `found`: a Parse that
    the position may still have to finish, or a Reading. `more` are further orders of the same
    words.
    """

    kind: str
    text: str
    start: int
    end: int
    found: Parse | Reading | None = None
    more: tuple[Draft, ...] = ()

    @property
    def rule(self) -> str:
        """What read it: the form of an order, or the words or signs that stand for its kind."""
        if self.found is None:
            return _RULES.get(self.kind, f"[line] {self.kind}")
        return type(self.found.order).__name__


_RULES: Final = {
    covers.MARK: "signs",
    covers.WORD: "no rule",
    covers.NAME: "names of the board",
    covers.NUMBER: "numbers",
    covers.VERB: "[verbs]",
    covers.COMMAND: "names of commands",
    covers.LABEL: "phases",
}
"""What reads pieces for which no list of `reading.toml` has the words."""


@dataclass(frozen=True, slots=True)
class LineReading:
    """What a line was read as: parts that together cover it, in order."""

    text: str
    parts: tuple[Part, ...]

    @property
    def orders(self) -> list[Part]:
        """The orders of the line and what was meant as one."""
        return [each for each in self.parts if each.kind in (covers.ORDER, covers.ATTEMPT)]

    @property
    def barred(self) -> list[Part]:
        """What is left over and may change the meaning of the orders beside it.

        An `or` between two that are the same says the same in other words.
        """
        return [
            each
            for number, each in enumerate(self.parts)
            if (each.kind in BARRING and not self._says_again(number))
            or self._runs_into_order(number)
        ]

    def _runs_into_order(self, number: int) -> bool:
        """Return whether a part runs into an order with no sign between them that parts two: what
        was meant as an order, words before it, which may say what it is for, or short words that
        may be a part of it misspelled."""
        part = self.parts[number]
        if part.kind == covers.ATTEMPT and _is_place(part):
            return any(each.kind == covers.ORDER for each in self.parts)
        if part.kind == covers.ATTEMPT:
            return self._is_order(number, -1) or self._is_order(number, 1)
        if part.kind == covers.MARK and part.text.strip(DASHES + ARROWS + "=") == "":
            # It says where something goes, and nobody knows where.
            after = self.parts[number + 1 : number + 2]
            return any(each.kind in (covers.WORD, covers.ATTEMPT) for each in after)
        if part.kind == covers.WORD and self._is_order(number, 1):
            return True
        if part.kind != covers.WORD or len(part.text) > _SHORT_WORD:
            return False
        before, after = self.parts[number - 1] if number else None, self.parts[number + 1 :][:1]
        again = [each for each in after if each.kind == covers.WORD]
        return bool(again) and before is not None and before.kind == covers.ORDER

    def _is_order(self, number: int, step: int) -> bool:
        """Return whether the next part in a direction is an order, unless a sign parts them."""
        part, here = self.parts[number], number + step
        between = (covers.MARK, covers.COURTESY, covers.WORD)
        while 0 <= here < len(self.parts) and self.parts[here].kind in between:
            if self.parts[here].text in _PARTING:
                return False
            here += step
        if not 0 <= here < len(self.parts) or self.parts[here].kind != covers.ORDER:
            return False
        first, second = sorted((part, self.parts[here]), key=lambda each: each.start)
        return not any(sign in ".!" for sign in self.text[first.end : second.start])

    def _says_again(self, number: int) -> bool:
        around = [each for each in self.parts[:number] if each.kind == covers.ORDER][-1:]
        around += [each for each in self.parts[number:] if each.kind == covers.ORDER][:1]
        orders = [each.found and each.found.order for each in around]
        word = self.parts[number].text.casefold()
        return word in SAID["or"] and len(orders) == 2 and orders[0] == orders[1]

    @property
    def left_over(self) -> list[str]:
        """The words that were not understood."""
        return [
            each.text for each in self.parts if each.kind in BARRING or each.kind == covers.WORD
        ]

    def words_of(self, *kinds: str) -> str:
        """Return the text from the first piece of these kinds on up to the next order."""
        start = next((each.start for each in self.parts if each.kind in kinds), None)
        if start is None:
            return ""
        ends = (each.start for each in self.parts if each.kind == covers.ORDER)
        return self.text[start : next((end for end in ends if end > start), len(self.text))].strip(
            " ,;:"
        )


def _is_place(part: Part) -> bool:
    """Return whether nothing but a place was meant as an order."""
    order = part.found and part.found.order
    if not isinstance(order, Unreadable) or not isinstance(order.problem, Misreading):
        return False
    unit = order.problem.unit
    return order.problem.fault is Fault.NO_ACTION and unit is not None and not unit.kind
