"""Takes lines with several orders apart."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Final

from judge.language.grammar import Parser
from judge.language.names import Names, coast_of
from judge.language.vocabulary import (
    SAID,
    Token,
    Verb,
    Vocabulary,
    is_outcome,
    tokens,
    undecorated,
)
from judge.rules.phase import Kind

if TYPE_CHECKING:
    from judge.language.read import Reader

LONGEST_LINE: Final = 4000
"""A longer line is left in one piece; a power with 34 units fills a third of that."""

LONGEST_ORDER: Final = 400
"""A longer text is no order, so nothing ends one behind it."""

IsOrder = Callable[[str], bool]
"""Whether a text is one order, its names spelled as they should be."""


def split(line: str, reader: Reader) -> list[str]:
    """The orders on one line, cut where its form or the names in it tell that one ends."""
    pieces = [line]
    if len(line) <= LONGEST_LINE:
        apart = _at_commas(line, reader.names)
        pieces = [part for piece in apart for part in _at_stops(piece, reader)]
    return [order for piece in pieces for order in _cut(piece, reader)]


def _at_commas(line: str, names: Names) -> list[str]:
    pieces: list[str] = []
    known = names.words
    for piece in _COMMAS.split(line):
        words = tokens(piece)
        if not words:
            continue
        if pieces and (
            _continues(words, names)
            or pieces[-1].count("(") > pieces[-1].count(")")
            or (known.bombs and _goes_on(pieces[-1], words, known))
        ):
            pieces[-1] += ", " + piece.strip()
        else:
            pieces.append(piece.strip())
    return pieces


# Also numbers and bullets in the middle of a line, and bars before a unit.
_COMMAS: Final = re.compile(
    r"[,;，；、\n\r]+|\s\(or\)(?=\s)|\s\(?\d{1,2}[.)](?=\s+[^\W\d])|\s[•·‣▪●]\s"
    r"|(?:\s[|/]|(?<=\w{3})(?<!army)/)(?=\s*(?:a|f|army|fleet)\s)",
    re.IGNORECASE,
)
_STOPS: Final = re.compile(
    r"(?:(?<![.!。])[.!。]++(?=\s|[AFaf]\s|\Z)"
    r"|\s(?:and|while|then|plus|und|während|et|y|e|en|og|och|oraz|i|и|&|\+)(?=\s))"
)
# Of a name that never ends there; "A War - St. P." does.
_SAINT: Final = re.compile(r"\b(?:st|ste|saint)\Z", re.IGNORECASE)


def _continues(words: Sequence[Token], names: Names) -> bool:
    """Whether a piece behind a comma goes on with the order before it."""
    key = words[0].key
    aided = key in SAID["aided"] and any(word.key in SAID["tail"] for word in words[1:])
    if key in SAID["tail"] or aided:
        return True
    told = coast_of((key,), marked=False) is not None or is_outcome(words[0].text)
    return told and not Parser(names, words, Kind.MOVEMENT).locations(0)


def _goes_on(before: str, words: Sequence[Token], known: Vocabulary) -> bool:
    """Whether a piece behind a comma names further spaces on the way of a bomb."""
    verbs = {known.verbs.get(word.key) for word in tokens(before)}
    return not verbs.isdisjoint({Verb.BOMB, Verb.CARRY, Verb.DROP}) and not any(
        word.kind == "-"
        or word.key in known.kinds
        or known.verbs.get(word.key) not in (None, Verb.DROP)
        for word in words
    )


def _at_stops(piece: str, reader: Reader) -> Iterator[str]:
    """A piece without commas, cut where a full stop or `and` ends an order."""
    start = tried = 0
    stops = list(_STOPS.finditer(piece))
    for number, stop in enumerate(stops):
        tried += 1
        if tried > _MOST_STOPS:
            break
        left = piece[start : stop.start()]
        until = stops[number + 1].start() if number + 1 < len(stops) else len(piece)
        right = piece[stop.end() : until]
        joins = stop[0].strip().lower() in reader.names.within
        if joins and any(is_order(piece[start:until]) for is_order in reader.tests):
            continue  # within a name: Turks and Caicos
        if (
            len(left) <= LONGEST_ORDER
            and not (stop[0] == "." and _SAINT.search(left))
            and not (stop[0] == "." and reader.is_shortened(left, right))
            and _is_whole(left, reader.names)
            and (_is_start(right, reader.words) or reader.ends(left, right))
        ):
            yield left.strip()
            start, tried = stop.end(), 0
    if rest := piece[start:].strip(" \t."):
        yield rest


_MOST_STOPS: Final = 16
"""Full stops and words for `and` in one order."""

# Signs without a word between them end one sentence.
_SENTENCE: Final = re.compile(r"(?:[.!?。]+\s+)+(?=\S)")
_LONGEST_TALK: Final = 200
_MOST_SENTENCES: Final = 8


def _cut(piece: str, reader: Reader) -> list[str]:
    """A piece of a line, cut behind the talk that it begins with, and at its blanks if that makes
    orders of it."""
    if any(reader.is_order(piece, kind) for kind in (Kind.MOVEMENT, Kind.ADJUSTMENTS)):
        return [piece]
    talk, rest = _behind_talk(piece, reader)
    return ([talk] if talk else []) + _at_blanks(rest, reader)


def _behind_talk(piece: str, reader: Reader) -> tuple[str, str]:
    """A piece that is no order, cut where talk ends and one begins (`Hello! Bur-Bel`); the talk is
    "" where there is none."""
    for stop in islice(_SENTENCE.finditer(piece, 0, _LONGEST_TALK), _MOST_SENTENCES):
        if _SAINT.search(piece, 0, stop.start()):
            continue
        talk, rest = piece[: stop.end()].strip(), piece[stop.end() :]
        words = tokens(talk)
        acts = any(word.kind == "-" or word.key in reader.words.verbs for word in words)
        named = any(reader.names.provinces.find((word.key,)).ids for word in words)
        if acts and (named or len(rest.split()) == 1):
            # In winter, a place by itself would be built in.
            break
        if len(rest) <= LONGEST_ORDER and any(is_order(rest) for is_order in reader.tests):
            return talk, rest
    return "", piece


MOST_WORDS: Final = 60
"""A piece of more words than this is not cut at its blanks: nobody commands as many units."""

_LONGEST: Final = 16
"""Words that an order cut out at blanks may have."""


def _at_blanks(piece: str, reader: Reader) -> list[str]:
    """A piece that is no order, cut into orders at its blanks (`bur-bel mid-por`).

    It is left whole where that can be done in several ways, or anything would be left over. All
    orders must fit one of the reader's tests for kinds of phases, the first that they can.
    """
    words = [word for word in piece.split() if word not in ("&", "+")]
    if not 1 < len(words) <= MOST_WORDS:
        return [piece]
    alone = cache(lambda text: _stands_alone(text, reader.names))
    begun = cache(reader.begins)
    ways = (_in_row(words, each, alone, begun) for each in reader.tests)
    return next(filter(None, ways), [piece])


def _in_row(words: Sequence[str], is_order: IsOrder, alone: IsOrder, begins: IsOrder) -> list[str]:
    """The words as orders in a row; [] where that cannot be done, or in several ways."""
    fits = cache(lambda text: alone(text) and is_order(text))
    lasts = (" ".join(words[start:]) for start in range(max(0, len(words) - _LONGEST), len(words)))
    if not any(len(text) <= LONGEST_ORDER and fits(text) for text in lasts):
        # What is left at the end would be no order.
        return []
    ways: dict[int, list[list[str]]] = {0: [[]]}
    for start in range(len(words)):
        if start not in ways:
            continue
        texts = list(_from(words, start))
        if not texts or not begins(texts[-1]):
            continue
        for end, text in enumerate(texts, start + 1):
            if len(ways.get(end, ())) < 2 and fits(text):
                ways.setdefault(end, []).extend([*way, text] for way in ways[start])
    found = ways.get(len(words), [])
    return found[0] if len(found) == 1 and len(found[0]) > 1 else []


def _from(words: Sequence[str], start: int) -> Iterator[str]:
    """The texts that begin with a word and may be an order."""
    for end in range(start + 1, min(len(words), start + _LONGEST) + 1):
        text = " ".join(words[start:end])
        if len(text) > LONGEST_ORDER:
            return
        yield text


def _stands_alone(text: str, names: Names) -> bool:
    """Whether a text says by its form where an order begins: by a unit, a verb or a dash."""
    words = tokens(text)
    if len(words) < 2 or words[0].kind != "word" or words[-1].kind in ("-", "("):
        return False
    return words[0].key in names.words.kinds or _is_whole(text, names)


def _is_whole(text: str, names: Names) -> bool:
    """Whether a text has a verb or a dash, and something behind it unless it is a hold."""
    words = tokens(undecorated(text, names.single))
    if not words:
        return False
    verbs = [names.words.verbs.get(word.key) for word in words]
    acts = any(
        verb or word.kind == "-" or (place and word.key in SAID["to"])
        for place, (verb, word) in enumerate(zip(verbs, words, strict=True))
    )
    waives = any(word.key in SAID["waive"] for word in words)
    last = verbs[-1]
    if names.ends(words) or (len(words) > 1 and words[-2].key in SAID["tail"]):
        last = None  # "via convoy" ends an order, it does not begin one; nor does a place.
    return waives or (
        acts and words[-1].kind != "-" and last in (None, Verb.HOLD, Verb.DISBAND, Verb.REMOVE)
    )


def _is_start(text: str, known: Vocabulary) -> bool:
    """Whether a text looks like the beginning of an order."""
    words = tokens(text)
    if len(words) < 2 or words[0].kind != "word" or words[0].key in SAID["tail"]:
        return False
    if words[0].key in known.kinds or (words[0].key, words[1].key) in known.pairs:
        return words[1].kind in ("word", "(")
    verb = known.verbs.get(words[0].key)
    if verb is not None:
        return (
            verb in (Verb.BUILD, Verb.REMOVE, Verb.DISBAND, Verb.RETREAT) and words[1].kind != "-"
        )
    return any(word.kind == "-" or word.key in known.verbs for word in words[1:])
