"""What plain words ask for, learned from examples: sentences, and the line that each wishes for.

A sentence is cut into words and into runs of their letters. What of these tells a wish from talk is
learned by logistic regression, and which wish it is by naive Bayes. A guess is only ever offered.
"""

from __future__ import annotations

import math
import re
import unicodedata
from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, chain
from sys import intern
from typing import NamedTuple

from judge.language.speech import unbroken

LONGEST, MOST = 240, 40
"""Characters of a sentence that is read, a longer one is a story; and sentences of a text."""

NOTHING = "nothing"
"""What talk asks for."""

ENOUGH = 0.69
"""How likely a sentence must be a wish."""

_GRAVE: Mapping[str, float] = {"RESIGN": 0.4, "CLEAR NOW": 0.4}
"""What cannot be got back, and how likely a sentence must wish for just that, by what tells it from
all other wishes as well as from talk."""

Marks = Mapping[str, str]
"""Words of one kind, by what they are read as: names of places, of powers, and dates are alike."""


class Guess(NamedTuple):
    """A wish that a sentence may have, and how likely it has it."""

    wish: str
    chance: float


def read_examples(text: str) -> Iterator[tuple[str, str]]:
    """Yield what each line of a table of examples wishes, and the line.

    A line `= RESIGN` begins those that wish for it; `#` begins a comment.
    """
    wish = NOTHING
    for line in map(str.strip, text.splitlines()):
        if line.startswith("= "):
            wish = line[2:]
        elif line and not line.startswith("#"):
            yield wish, line


class Sentence(NamedTuple):
    """A sentence, and the lines that it stands in, from `first` up to `end`."""

    text: str
    first: int
    end: int


def sentences(lines: Sequence[str]) -> Iterator[Sentence]:
    """Yield the sentences of lines, which programs may have broken, and what follows on the next
    line after one without a stop.

    Where such a sentence goes on, both lines are yielded as one first, then each by itself.
    """
    open_before: Sentence | None = None
    for rows in unbroken(lines):
        text = " ".join(lines[rows.start : rows.stop])
        ends = [*zip(rows, accumulate(len(lines[row]) + 1 for row in rows), strict=True)]
        parts = [part for part in map(str.strip, _END.split(text)) if any(map(str.isalpha, part))]
        behind = 0
        for part in parts:
            start = text.index(part, behind)
            behind = start + len(part)
            first = next(row for row, end in ends if start + 1 < end)
            last = next(row for row, end in ends if behind < end)
            alone = Sentence(part, first, last + 1)
            if open_before is not None:
                yield Sentence(f"{open_before.text} {part}", open_before.first, last + 1)
            yield alone
            open_before = None
        open_before = alone if parts and _GOES_ON.search(text) else None


# `3. January` and `Mr. X` go on.
_END = re.compile(r"(?:(?<=[^\W\d_]{3}[.…])|(?<=[!?]))[\"')]*\s+")
_GOES_ON = re.compile(r"[^\W_]\s*\Z")


class Classifier:
    """What tells sentences of one kind from others, learned by logistic regression."""

    def __init__(self, examples: Sequence[tuple[bool, Sequence[str]]]) -> None:
        """`examples` are sentences in words, each with whether it is of that kind."""
        self._ids: dict[str, int] = {}
        ids = self._ids
        rows = [
            [ids.setdefault(intern(each), len(ids)) for each in _features(words)]
            for _, words in examples
        ]
        self._learn(rows, [told for told, _ in examples])

    def reads(self, words: Sequence[str]) -> bool:
        """Return whether most words of a sentence are those of examples; a single one must be an
        example itself, for names and greetings are the others."""
        if len({*words}) == 1:
            return f"^ {words[0]} $" in self._ids
        return 2 * sum(f"<{word}>" in self._ids for word in words) > len(words)

    def known(self, words: Sequence[str]) -> tuple[list[int], int]:
        """Return the features of a sentence that were learned, and how many others it has."""
        found = _features(words)
        known = [self._ids[each] for each in found if each in self._ids]
        return known, len(found) - len(known)

    def weight(self, known: Sequence[int], unknown: int) -> float:
        """Return how much features speak for that kind: the logarithm of the odds."""
        length = math.sqrt(sum(map(self._rare.__getitem__, known)) + unknown * self._rarest or 1)
        return self._bias + sum(map(self._telling.__getitem__, known)) / length

    def chance(self, words: Sequence[str]) -> float:
        """Return how likely a sentence is of that kind."""
        return _likely(self.weight(*self.known(words)))

    def _learn(self, rows: Sequence[Sequence[int]], told: Sequence[bool]) -> None:
        count = len(rows)
        often = [0] * len(self._ids)
        for feature in chain.from_iterable(rows):
            often[feature] += 1
        # What many sentences have says little.
        rare = [math.log((count + 1) / each) ** 2 for each in often]
        self._rarest = math.log(count + 1) ** 2
        lengths = [math.sqrt(sum(map(rare.__getitem__, row)) or 1) for row in rows]
        telling = [0.0] * len(rare)
        self._bias, rate = _BIAS, _RATE
        order = sorted(range(count), key=lambda place: place * _GOLDEN % 1)
        for _ in range(_ROUNDS):
            for place in order:
                row, length = rows[place], lengths[place]
                off = told[place] - _likely(
                    self._bias + sum(map(telling.__getitem__, row)) / length
                )
                if -_MARGIN < off < _MARGIN:
                    continue
                self._bias += off * rate / 10
                off *= rate / length
                for feature in row:
                    telling[feature] += off * rare[feature]
            rate *= 0.9
        self._rare, self._telling = array("d", rare), array("d", telling)


class Wishes:
    """What was learned from examples of wishes and of talk."""

    def __init__(self, examples: Iterable[tuple[str, str]], marks: Marks) -> None:
        said = [(wish, in_words(text, marks)) for wish, text in examples]
        self._told = Classifier([(wish != NOTHING, words) for wish, words in said])
        self._grave: dict[str, Classifier] = {}
        self._said = said
        self._tell_apart([(wish, self._told.known(words)[0]) for wish, words in said])

    def guesses(self, sentence: str, marks: Marks) -> list[Guess]:
        """Return what a sentence may wish for, the likeliest first; nothing for talk."""
        words = in_words(_ASIDE.sub(" ", sentence), marks) or in_words(sentence, marks)
        if len(words) == 1 and not self._told.reads(words):
            return []
        return [
            each
            for each in self.weigh(words)
            if each.chance >= ENOUGH and self._is_sure(each.wish, words)
        ]

    def _is_sure(self, wish: str, words: Sequence[str]) -> bool:
        """Return whether words are likely enough to wish for this, and for nothing like it."""
        if wish not in _GRAVE:
            return True
        if wish not in self._grave:
            self._grave[wish] = Classifier([(each == wish, words) for each, words in self._said])
        return self._grave[wish].chance(words) >= _GRAVE[wish]

    def weigh(self, words: Sequence[str]) -> list[Guess]:
        """Return the one or two wishes that words speak most for, however little that is."""
        known, unknown = self._told.known(words)
        scores = {wish: at - len(known) * self._totals[wish] for wish, at in self._prior.items()}
        for feature in known:
            for wish, weight in self._weights[feature]:
                scores[wish] += weight
        talk, size = scores.pop(NOTHING), math.sqrt(len(known) + unknown or 1)
        best = sorted(scores, key=scores.__getitem__, reverse=True)[:2]
        if scores[best[0]] - scores[best[-1]] > _NEAR * size:
            del best[1:]
        told = self._told.weight(known, unknown)
        chance = _likely(told + _TRUST * (scores[best[0]] - talk) / size)
        return [Guess(wish, chance) for wish in best]

    def _tell_apart(self, examples: Sequence[tuple[str, Sequence[int]]]) -> None:
        counts: dict[str, dict[int, int]] = {}
        often: dict[str, int] = {}
        features: set[int] = set()
        for wish, row in examples:
            features.update(row)
            had = counts.setdefault(wish, {})
            often[wish] = often.get(wish, 0) + 1
            for feature in row:
                had[feature] = had.get(feature, 0) + 1
        self._prior: dict[str, float] = {}
        weights: dict[int, list[tuple[str, float]]] = {}
        alike: dict[tuple[str, float], tuple[str, float]] = {}
        for wish, had in counts.items():
            self._prior[wish] = math.log(often[wish])
            for feature, times in had.items():
                weight = wish, math.log((times + _SMOOTH) / _SMOOTH)
                weights.setdefault(feature, []).append(alike.setdefault(weight, weight))
        self._weights = {feature: tuple(told) for feature, told in weights.items()}
        self._totals = {
            wish: math.log(sum(had.values()) + _SMOOTH * len(features))
            for wish, had in counts.items()
        }


_BIAS, _RATE, _ROUNDS, _MARGIN = -1.0, 4.0, 6, 0.1
_GOLDEN = (math.sqrt(5) - 1) / 2
_SMOOTH = 0.2
_NEAR, _TRUST = 1.0, 0.25


def _likely(weight: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, weight))))


# Texts as words, and words as letters


def in_words(text: str, marks: Marks) -> list[str]:
    """Return the words of a sentence in plain letters, numbers and those with a mark as that. What
    an address is made of says nothing."""
    found: list[str] = []
    for word in _WORD.findall(plain(_ADDRESS.sub("@", text[:LONGEST]))):
        word = marks.get(word, word)
        if word[0].isdigit():
            word = "@n" if word.isdecimal() else "@d"
        # A name of several words is one.
        if not (found and found[-1] == word and word[0] == "@"):
            found.append(word)
    return found


_ASIDE = re.compile(r"\([^()\d]*\s[^()\d]*\)")
"""Words in brackets, which say why."""
_ADDRESS = re.compile(r"[^\s<>()]+@[^\s<>()]+")
_WORD = re.compile(r"[^\W\d_]+|\d[\w.:/-]*|[?!@]")


def _features(words: Sequence[str]) -> Collection[str]:
    """Return what a sentence is known by: its words, runs of their letters, and words in a row."""
    row = ["^", *words, "$"]
    found = [" ".join(row[at : at + size]) for size in (2, 3) for at in range(len(row) - size + 1)]
    for whole in (f"<{word}>" for word in words):
        found.append(whole)
        if whole[1] != "@":
            found += [
                whole[at : at + size] for size in (3, 4) for at in range(len(whole) - size + 1)
            ]
    return dict.fromkeys(found)


def plain(text: str) -> str:
    """Return a text in lower case without accents, letter by letter, so that places stay the
    same."""
    text = text.translate(_PLAIN)
    return text.lower() if text.isascii() else "".join(map(_bare, text))


@lru_cache(4096)
def _bare(sign: str) -> str:
    """Return a sign without accent and in lower case."""
    bare = unicodedata.normalize("NFKD", sign)[0].lower()
    return bare if len(bare) == 1 else sign


_PLAIN = str.maketrans("ßœŒ’‘`´“”„\t\N{NO-BREAK SPACE}\u202f", "soo''''\"\"\"   ")
