"""Orders as people say them, put into the words in which orders are read.

The rows are data (`phrases.toml`). They are tried only on what is no order as it stands, and what
comes out is read like any other line, so that nothing becomes an order that names no unit and no
act of the board.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import ClassVar, Final

from judge.language.names import Names, words_of
from judge.language.split import LONGEST_ORDER
from judge.language.vocabulary import VERBS, Verb, tokens
from judge.rules.board import Derived
from judge.rules.phase import Kind
from judge.rules.values import frozen
from judge.rules.variant import Variant

_DATA: Final = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_KINDS: Final = {
    Kind.MOVEMENT: "movement",
    Kind.RETREATS: "retreats",
    Kind.ADJUSTMENTS: "adjustments",
}
_LONGEST: Final = 160
"""A longer text tells a story."""

_ALL: Final = frozenset(_DATA["hold"]["all"])
_REST: Final = frozenset(_DATA["hold"]["rest"])
_BESIDES: Final = frozenset(_DATA["hold"]["besides"])


@frozen
class ForAll:
    """A sentence by which several units hold at once, or disband where they must retreat.

    `owner` is the power whose they are, None where none is named; `kinds` the letters of those
    that are meant, none for all; `rest`: those only that have no other order. `stays`: it may mean
    that their orders are to stay as well.
    """

    owner: str | None
    kinds: frozenset[str]
    rest: bool
    stays: bool = False


_STAYS: Final = re.compile(
    r"\b(?:stays?|stands?|remains?|bleib(?:t|en)|restent)(?: as (?:is|it is|they are))?[.! ]*$"
)


class Phrases:
    """What is said on one board. Make it by `Phrases.of(variant)`."""

    of: ClassVar[Derived[Variant, Phrases]]
    """The phrases of a board, made once and kept with it."""

    def __init__(self, variant: Variant) -> None:
        self.names = names = Names.of(variant)
        words = names.words
        long = [" ".join(pair) for pair in words.pairs]
        long += [key for key in words.kinds if len(key) > 2]
        long.sort(key=len, reverse=True)
        kinds = "(?:" + "|".join(map(re.escape, long)) + ")"
        codes = "(?:" + "|".join(map(re.escape, [*long, *words.kinds])) + ")"

        parts = {"kind": kinds, "code": codes, **_DATA["parts"]}

        def made(pattern: str) -> re.Pattern[str]:
            for name, part in parts.items():
                pattern = pattern.replace(f"{{{name}}}", part)
            return re.compile(pattern)

        self._rows = {
            kind: [(made(pattern), instead) for pattern, instead in (*_DATA["any"], *_DATA[name])]
            for kind, name in _KINDS.items()
        }
        self._apart = [(made(pattern), lines) for pattern, lines in _DATA["apart"]]
        self._lists = [(made(pattern), line) for pattern, line in _DATA["lists"]]
        self._conditions = [(made(pattern), instead) for pattern, instead in _DATA["condition"]]
        self._it = made(_DATA["it"])
        self._plurals = {kind.plural.lower() for kind in variant.board.kinds.values()}
        there = {province.name for province in variant.board.provinces.values()}
        self._adjectives = [
            (re.compile(rf"\b(?:{said})(?= (?:units?\b|{kinds}\b))"), name.lower())
            for name, said in _DATA["adjectives"].items()
            if name in there and said not in names.powers.exact
        ]
        self.instead: Callable[[str, Kind], str | None] = lru_cache(maxsize=256)(self._instead)
        """The text in other words, for a phase of a kind; None where nothing fits."""

    def _instead(self, text: str, kind: Kind) -> str | None:
        # A line is asked for whole, in pieces, and as more than one thing.
        if len(text) > _LONGEST or "?" in (plain := _comparable(text)):
            return None
        said = plain
        for pattern, name in self._adjectives:
            said = pattern.sub(name, said)
        said = _put(said, self._rows[kind])
        if kind is Kind.RETREATS and self.names.provinces.find(tuple(words_of(said))).ids:
            return f"unit retreats to {said}"
        return None if said == plain else said

    def condition(self, text: str) -> str:
        """What stands behind an IF, with each of its clauses in the words of conditions."""
        clauses = _JOINTS.split(text)
        said = [
            clause if number % 2 else _put(_comparable(clause), self._conditions)
            for number, clause in enumerate(clauses)
        ]
        return "".join(said)

    def named(self, text: str, before: str, *, beside: bool = True) -> str | None:
        """A text that speaks of the order before it ("A Mar supports it"), with that order in its
        words; None for another one. Only right `beside` it may the text leave out what it aids."""
        match = self._it.fullmatch(_comparable(text)) if before and len(text) <= _LONGEST else None
        if match is None or not (match[2] or beside):
            return None
        # Who aids an aid aids the unit that it is for.
        return f"{match[1]} {_AID.split(before)[-1]}"

    def apart(self, line: str) -> Iterator[list[str]]:
        """The lines that a sentence for several units may come to."""
        said = _comparable(line)
        if len(line) <= _LONGEST and "?" not in said:
            for pattern, lines in self._apart:
                if match := pattern.search(said):
                    yield [match.expand(each) for each in lines]
            for pattern, text in self._lists:
                if match := pattern.search(said):
                    named = _BETWEEN.split(match["each"])
                    yield [text.format_map(match.groupdict() | {"each": each}) for each in named]

    def for_all(self, text: str, kind: Kind) -> ForAll | None:
        """Which units a sentence lets hold at once or, in a phase for retreats, disband; None for
        other texts."""
        ends = (Verb.HOLD,) if kind is Kind.MOVEMENT else (Verb.DISBAND, Verb.REMOVE)
        for said in (text, self.instead(text, kind)):
            if said is None or len(said) > LONGEST_ORDER:
                continue
            found = [token.key for token in tokens(said) if token.kind == "word"]
            for count in range(min(len(found), 4)):
                owner = self.names.powers.find(tuple(found[:count])).ids if count else ()
                if (not count or len(owner) == 1) and (meant := self._meant(found[count:], ends)):
                    kinds, rest = meant
                    stays = _STAYS.search(_comparable(text)) is not None
                    return ForAll(owner[0] if owner else None, kinds, rest, stays)
        return None

    def _meant(self, words: list[str], ends: Sequence[str]) -> tuple[frozenset[str], bool] | None:
        """The kinds of units, and whether only the rest of them, that are to do what `ends` are."""
        verbs = [VERBS.get(word) in ends for word in words]
        others = [word for word, verb in zip(words, verbs, strict=True) if not verb]
        known = self.names.words
        pairs = [pair for pair in pairwise(others) if pair in known.pairs]
        single = [word for word in others if len(word) > 2 and word in known.kinds]
        kinds = {known.kinds[word] for word in single} | {known.pairs[pair] for pair in pairs}
        named = {*single, *(word for pair in pairs for word in pair)}
        named_all = verbs[-1:] == [True] and not self._plurals.isdisjoint(others)
        whole = named_all or not _ALL.isdisjoint(others)
        rest = not _REST.isdisjoint(others)
        strange = set(others) - _ALL - _REST - _BESIDES - named
        if sum(verbs) != 1 or strange or not (whole or rest):
            return None
        return frozenset(kinds), rest


def _put(said: str, rows: Sequence[tuple[re.Pattern[str], str]]) -> str:
    """A text in other words, one row after another."""
    for pattern, instead in rows:
        said = pattern.sub(instead, said)
    return said


def _comparable(text: str) -> str:
    """The text in lower case without accents, and without the stop at its end, or the question mark
    of a polite request."""
    text = text.translate(_QUOTES).lower()
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text)
        text = "".join(sign for sign in text if not unicodedata.combining(sign))
    text = re.sub(r"\s+", " ", text).strip(" .!\t")
    return text.rstrip("? ") if text.endswith("?") and _REQUEST.match(text) else text


_REQUEST: Final = re.compile(
    r"(?:please )?(?:(?:can|could|would) you|will you please|(?:kann|konn|wurd)\w+ (?:du|sie))\b"
    r"|(?:pourr|peu|pouv)\w+-(?:tu|vous)\b"
)
_AID: Final = re.compile(r" [SC] ")
_BETWEEN: Final = re.compile(r"\s*(?:,(?: and\b)?|\b(?:and|und|et)\b|[&+])\s*")
_JOINTS: Final = re.compile(r"(\s*(?:\b(?:and|or)\b|[()])\s*)", re.IGNORECASE)
_QUOTES: Final = str.maketrans("’‘`´–—−", "''''---")

Phrases.of = Derived(Phrases)
