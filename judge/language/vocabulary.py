"""The words of orders, for units and for what they do, and how a line is taken apart into words."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Container, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import ClassVar, Final, NamedTuple

from judge.rules.board import Board, Derived, UnitKind, name_key
from judge.rules.values import frozen


class Verb:
    """What units do, by the letters that stand for it."""

    HOLD, MOVE, SUPPORT, CONVOY, RETREAT, DISBAND, REMOVE, BUILD, CONVERT = "HMSCRD-B="
    BOMB, CARRY, DROP = "*+!"


_DATA: Final = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def _verbs(rows: Mapping[str, str]) -> dict[str, str]:
    return {
        word: getattr(Verb, name.upper()) for name, words in rows.items() for word in words.split()
    }


VERBS: Final = _verbs(_DATA["verbs"])
_BOMBS: Final = _verbs(_DATA["bombs"])
"""Verbs that only a game with bombs knows."""

SAID: Final[Mapping[str, frozenset[str]]] = {
    name: frozenset(words.split()) for name, words in _DATA["words"].items()
}
"""Further words, by what they are for."""
NUMBERS: Final[Mapping[str, int]] = _DATA["numbers"]
"""How many a word says; 0 is all there are."""


@frozen
class Vocabulary:
    """What words mean in the orders of one board. Make it by `Vocabulary.of(board)`.

    `kinds` has the letters of units by their words in comparable form, `pairs` by those of two
    words; `verbs` the letters of what units do. `bombs`: whether any can carry a bomb.
    """

    of: ClassVar[Derived[Board, Vocabulary]]
    """The words for a board, made once and kept with it."""

    kinds: Mapping[str, str]
    pairs: Mapping[tuple[str, str], str]
    verbs: Mapping[str, str]
    bombs: bool

    def kind(self, words: Iterable[str]) -> str | None:
        """The letter of the kind of unit that one word or two mean, None for no kind's."""
        return self.kinds.get("".join(map(name_key, words)))


def _made(kinds: Mapping[str, UnitKind]) -> Vocabulary:
    single: dict[str, str] = {}
    pairs: dict[tuple[str, str], str] = {}

    def add(text: str, letter: str) -> None:
        words = [name_key(word) for word in text.split()]
        single.setdefault("".join(words), letter)
        if len(words) == 2:
            pairs.setdefault((words[0], words[1]), letter)

    # A kind's own names go before what others are called as well.
    for letter, kind in kinds.items():
        for word in (letter, kind.name, kind.plural):
            add(word, letter)
    for letter, kind in kinds.items():
        for word in kind.words:
            add(word, letter)
    for name, words in _DATA["kinds"].items():
        if name_key(name) in single:
            for word in words.split():
                add(word, single[name_key(name)])
    bombs = any(kind.bombs for kind in kinds.values())
    return Vocabulary(single, pairs, VERBS | _BOMBS if bombs else VERBS, bombs)


Vocabulary.of = Derived(lambda board: _made(board.kinds))


# -- lines: words, dashes, brackets; what decorates a line is taken off before that ---------------

DASHES = "-–—−‐‑‒―﹣－~"
ARROWS = ">→➔➜➝➞➡⇒⟶⟹»"


class Token(NamedTuple):
    """A piece of a line. `kind` is "word" or one of - / ( ) : , ?; `text` is as written.

    `key` is the word in comparable form; two words a dash apart keep their dash as a token.
    """

    kind: str
    text: str
    key: str = ""


_TOKEN = re.compile(
    rf"""
      (?P<initials>(?<![^\W_])[^\W\d_](?:\.[^\W\d_])+(?![^\W_])\.?)  # n.c., M.A.O.
    | (?P<word>[^\W_]+)
    | (?P<dash>(?:(?<![{re.escape(DASHES)}=])[{re.escape(DASHES)}=]++)?[{re.escape(ARROWS)}]+
        |[{re.escape(DASHES)}]+)
    | (?P<open>[(\[{{])
    | (?P<close>[)\]}}])
    | (?P<slash>[/\\])
    | (?P<colon>:)
    | (?P<comma>[,;])
    | (?P<question>\?)
    """,
    re.VERBOSE,
)
_KINDS = {"open": "(", "close": ")", "slash": "/", "colon": ":", "comma": ","}
_KINDS |= {"question": "?", "dash": "-"}


def tokens(text: str) -> list[Token]:
    """The pieces of `text` that mean something; other punctuation is passed over."""
    # A line that is no order is tried in parts, each of them many times.
    return [*(_of_short(text) if len(text) <= _SHORT else _of_long(text))]


_SHORT = 200


@lru_cache(maxsize=2048)
def _of_short(text: str) -> list[Token]:
    return _tokens(text)


@lru_cache(maxsize=16)
def _of_long(text: str) -> list[Token]:
    return _tokens(text)


def _tokens(text: str) -> list[Token]:
    found: list[Token] = []
    for match in _TOKEN.finditer(plain(text)):
        group = match.lastgroup or ""
        kind = _KINDS.get(group, "word")
        if kind == "-" and found and found[-1].kind == "-":
            continue
        found.append(Token(kind, match[0], name_key(match[0]) if kind == "word" else ""))
    return found


def plain(text: str) -> str:
    """The text with typographic variants made one: widths, ligatures, spaces, possessives."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", _ARROW_LETTERS.sub("→", text))
        if _LATIN.search(text):
            text = _LONG_VOWEL.sub(_dash, text)
            text = _OTHER_LETTERS.sub(_in_latin, text)
    return re.sub(r"(?<=\w)['’`´]s?\b", "", text)


# Word makes an arrow of "-->" that is a letter of the font Wingdings, and that letter elsewhere.
_ARROW_LETTERS = re.compile(r"[\uf0e0\uf0e8\uf0f0]|(?<=\s)[àè](?=\s)")

_LATIN = re.compile(r"[A-Za-z]")
_LONG_VOWEL = re.compile("[ー一─━]")
_OTHER_LETTERS = re.compile(r"[\u0370-\u04ff]+")
# Letters of Russian and Greek keyboards that look like Latin ones; Ф alone is a fleet.
_LOOK_ALIKE = str.maketrans(
    "АВЕКМНОРСТУХІЅЈаеорсухіѕј" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο",
    "ABEKMHOPCTYXISJaeopcyxisj" + "ABEZHIKMNOPTYXo",
)


def _dash(match: re.Match[str]) -> str:
    """What a Japanese keyboard has where others have a dash, if it lengthens no vowel."""
    # Compiled into a pattern, the range would take longer than all other patterns here.
    beside = match.string[max(match.start() - 1, 0) : match.end() + 1].replace(match[0], "", 1)
    return match[0] if any("\u3040" <= each <= "\u9fff" for each in beside) else "-"


def _in_latin(match: re.Match[str]) -> str:
    """A word of another alphabet in Latin letters, if each of its letters looks like one."""
    word = match[0]
    if word in ("Ф", "ф"):
        return "F"
    latin = word.translate(_LOOK_ALIKE)
    return latin if latin.isascii() else word


# Of numbers those with a mark, and bare ones before a unit.
_BULLET = re.compile(
    rf"(?:[\s*•·‣▪●○+#№{re.escape(DASHES)}]|[(\[]?\d{{1,2}}\ufe0f?[.):/\]\u20e3]|[(]?[a-hA-H][)](?=\s)"
    r"|\d{1,2}\s+(?=(?:a|f|army|fleet)\b))+(?=\w)",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"\s(?://|#).*\Z", re.DOTALL)

_SAID_POLITELY = _DATA["remarks"]["polite"]
_POLITE, _THANKS = (
    re.compile(rf"(?<![\s,;.!])[\s,;.!]+(?:{'|'.join(words)})[\s.!:;)(-]*\Z", re.IGNORECASE)
    # A single letter, which a smiley may have become, may also be that of a power.
    for words in (_SAID_POLITELY, [word for word in _SAID_POLITELY if len(word) > 1])
)
_OUTCOME = f"(?:{'|'.join(_DATA['remarks']['outcome'])})"
"""What judges write behind an order in their results."""
_OUTCOMES = tuple(
    re.compile(pattern, re.IGNORECASE | re.DOTALL)
    for pattern in (
        r"(?<!\s)\s*[(\[{]?(?<!\*)(?:\*++[^*]*+\*++|\*{2,}+)[)\]}]?[\s.!]*+\Z",
        rf"(?<!\s)\s*[(\[{{]\s*{_OUTCOME}\b[^()\[\]{{}}]*[)\]}}][\s.!]*\Z",
        rf"(?<!\s)\s*[:;,]\s*(?:it\s+)?{_OUTCOME}\b.*\Z",
        rf"(?<!\s)\s+(?:[{re.escape(DASHES)}]+\s*)?{_OUTCOME}[\s.!]*\Z",
    )
)


def is_outcome(text: str) -> bool:
    """Whether a text begins with a word that judges write behind an order in their results."""
    return re.match(rf"{_OUTCOME}\b", text, re.IGNORECASE) is not None


@lru_cache(maxsize=256)
def undecorated(text: str, own: Container[str] = frozenset()) -> str:
    """An order without bullets and numbers before it; without remarks, thanks and a result's
    outcome after it, unless their words are among `own`, in comparable form."""

    def without(match: re.Match[str]) -> str:
        return match[0] if any(token.key in own for token in tokens(match[0])) else ""

    text = _BULLET.sub("", _COMMENT.sub("", text), count=1) if _BULLET.match(text) else text
    text = _COMMENT.sub("", text).strip("«»")
    for _ in range(_MOST_REMARKS):
        before = text
        for decoration in (_POLITE, *_OUTCOMES):
            text = decoration.sub(without, text)
        if text == before:
            break
    return text


def without_thanks(text: str) -> str:
    """A text without the thanks that it ends with."""
    return _THANKS.sub("", f" {text}").strip()


_MOST_REMARKS = 5
"""Remarks, thanks and outcomes behind an order, one after another."""


# As words between others, politeness and whoever speaks are no part of an order either.
def stripped(found: list[Token], own: Container[str] = frozenset()) -> list[Token]:
    """The tokens without politeness and stray marks at either end, but for words among `own`."""
    start, end = 0, len(found)

    def is_courtesy(token: Token) -> bool:
        return token.key in SAID["courtesy"] and token.key not in own

    while start < end and (is_courtesy(found[start]) or found[start].kind in (":", "-", ",")):
        start += 1
    if end - start > 2 and found[start].key in SAID["speaker"] and found[start].key not in own:
        # `I convert the fleet`: the letter of a power has no such word behind it.
        said = start + 1
        while said < end and found[said].key in SAID["wish"]:
            said += 1
        verb = found[said].key if said < end else ""
        if said > start + 1 or (verb in VERBS and len(verb) > 3):
            start = said
    while end > start and (is_courtesy(found[end - 1]) or found[end - 1].kind in (":", ",")):
        end -= 1
    return found[start:end]
