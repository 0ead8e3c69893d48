"""The words of order lines in every language that is read, and how a line is taken into words.

Each language is a folder with a file `reading.toml`; players mix languages, so all are read at
once. docs/reading.md says what each list in it does.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, ClassVar, Final, NamedTuple

from judge.data import data_path
from judge.i18n import DEFAULT_LANGUAGE
from judge.rules.board import Board, Derived, UnitKind, name_key
from judge.rules.phase import Kind


class Verb:
    """What units do, by the letters that stand for it."""

    HOLD, MOVE, SUPPORT, CONVOY, RETREAT, DISBAND, REMOVE, BUILD, CONVERT = "HMSCRD-B="
    BOMB, CARRY, DROP = "*+!"
    RAISE, LOSE = BUILD, REMOVE
    """Said of a unit where units are built and removed, and of anything elsewhere."""
    BRING = "<"
    """What a writer does with a unit: it goes where he sends it."""


Words = tuple[str, ...]
"""Words that follow each other, in comparable form."""


def _words(text: str) -> Words:
    return tuple(filter(None, map(name_key, re.split(r"[\s-]+|(?<=\b[^\W\daeiouy])['’]", text))))


class Phrases:
    """Words and phrases with what each stands for; of those in one place the longest counts."""

    def __init__(self, rows: Iterable[tuple[str, str]]) -> None:
        self.single: dict[str, str] = {}
        """The words that stand by themselves."""
        self._longer: dict[str, list[tuple[Words, str]]] = {}
        for said, meaning in rows:
            words = _words(said)
            if len(words) == 1:
                self.single.setdefault(words[0], meaning)
            elif words:
                self._longer.setdefault(words[0], []).append((words, meaning))
        for each in self._longer.values():
            each.sort(key=lambda row: -len(row[0]))

    def __contains__(self, word: str) -> bool:
        return word in self.single

    def find(self, found: Sequence[Token], place: int) -> tuple[str, int] | None:
        """Return what stands at a place of a line, and the place after it."""
        if place >= len(found):
            return None
        key = found[place].key
        for words, meaning in self._longer.get(key, ()):
            end = place
            for word in words:
                # `pouvez-vous`
                end += end > place and end < len(found) and found[end].kind == "-"
                if end >= len(found) or found[end].key != word:
                    break
                end += 1
            else:
                return meaning, end
        meaning = self.single.get(key, "")
        return (meaning, place + 1) if meaning else None

    def end(self, found: Sequence[Token], place: int) -> int:
        """Return the place after what stands at a place, the place itself where nothing does."""
        here = self.find(found, place)
        return place if here is None else here[1]


def _split(listed: str) -> Iterator[str]:
    """Return the words of a list, those with an umlaut as two letters, too."""
    words = [each.strip() for each in listed.split(",") if each.strip()]
    return iter(dict.fromkeys([*words, *(each.translate(_UMLAUTS) for each in words)]))


_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


@cache
def languages() -> Mapping[str, Mapping[str, Any]]:
    """Return what each language that is read has in its `reading.toml`, by its code, English
    first."""
    folders = sorted((data_path("templates") / "locale").glob("*/reading.toml"))
    read = {each.parent.name: tomllib.loads(each.read_text(encoding="utf-8")) for each in folders}
    return {DEFAULT_LANGUAGE: read[DEFAULT_LANGUAGE], **read}


def listed(section: str, among: Collection[str] | None = None) -> dict[str, list[str]]:
    """Return the words of a section by what they are for, in all languages together, or in those
    `among` them."""
    found: dict[str, list[str]] = {}
    for code in languages() if among is None else among:
        read = languages()[code]
        for name, words in read.get(section, {}).items():
            found.setdefault(name, []).extend(_split(words))
    for local, english in _places().items() if section == "provinces" else ():
        found.setdefault(english, []).append(local)
    return found


@cache
def _places() -> Mapping[str, str]:
    """Return what letters in other languages call the places of the standard board."""
    folder = data_path("templates") / "locale"
    files = (
        tomllib.loads(each.read_text(encoding="utf-8")) for each in folder.glob("*/words.toml")
    )
    return {local: name for read in files for local, name in read.get("provinces", {}).items()}


_FIRST: Final[Mapping[Kind, tuple[str, ...]]] = {
    Kind.MOVEMENT: (),
    Kind.RETREATS: ("retreat", "disband", "remove"),
    Kind.ADJUSTMENTS: ("build", "raise", "lose", "remove", "disband", "convert"),
}
"""What a word that is several verbs means first, by the kind of phase."""


def _verbs(bombs: bool, kind: Kind) -> Phrases:
    rows = (listed("bombs") if bombs else {}) | listed("verbs")
    if kind is not Kind.ADJUSTMENTS:
        del rows["raise"], rows["lose"]
    first = [name for name in _FIRST[kind] if name in rows]
    return Phrases(
        (word, getattr(Verb, name.upper()))
        for name in dict.fromkeys([*first, *rows])
        for word in rows[name]
    )


def _phrases(rows: Mapping[str, list[str]]) -> Mapping[str, Phrases]:
    return {name: Phrases((word, name) for word in words) for name, words in rows.items()}


SAID: Final = _phrases(listed("words"))
"""Further words, by what they are for."""

LINE: Final = _phrases(listed("line"))
"""Words that stand around the orders of a line, by what they do to it."""

_LABELS: Final = listed("labels")
_TURNS: Final = _LABELS.pop("turn")
for _when in ("open", "next"):
    _pairs = [(word, turn) for word in _LABELS[_when] for turn in _TURNS]
    _LABELS[_when] = [f"{one} {two}" for pair in _pairs for one, two in (pair, pair[::-1])]

LABELS: Final = _phrases(_LABELS)
"""Words of lines that say what the lines below them are for."""

NUMBERS: Final[Mapping[str, int]] = {
    word: count for read in languages().values() for word, count in read.get("numbers", {}).items()
}
"""How many a word says; 0 is all there are."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What words mean in the orders of one board. Make it by `Vocabulary.of(board)`.

    `kinds` has the letters of units by their words in comparable form, `pairs` by those of two
    words; `acts` what units do, by the kind of phase. `bombs`: whether any can carry a bomb.
    """

    of: ClassVar[Derived[Board, Vocabulary]]
    """The words for a board, made once and kept with it."""

    kinds: Mapping[str, str]
    pairs: Mapping[tuple[str, str], str]
    plurals: frozenset[str]
    acts: Mapping[Kind, Phrases]
    bombs: bool

    @property
    def verbs(self) -> Mapping[str, str]:
        """The letters of what units do when they move, by the words for it."""
        return self.acts[Kind.MOVEMENT].single

    def kind(self, words: Iterable[str]) -> str | None:
        """Return the letter of the kind of unit that one word or two mean, None for no kind's."""
        return self.kinds.get("".join(map(name_key, words)))


def _made(kinds: Mapping[str, UnitKind]) -> Vocabulary:
    single: dict[str, str] = {}
    pairs: dict[tuple[str, str], str] = {}

    def add(text: str, letter: str) -> None:
        words = _words(text)
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
    for name, words in listed("kinds").items():
        if name_key(name) in single:
            for word in words:
                add(word, single[name_key(name)])
    bombs = any(kind.bombs for kind in kinds.values())
    plurals = frozenset(name_key(kind.plural) for kind in kinds.values())
    acts = {kind: _verbs(bombs, kind) for kind in Kind}
    return Vocabulary(single, pairs, plurals, acts, bombs)


Vocabulary.of = Derived(lambda board: _made(board.kinds))


# -- lines: words, dashes, brackets ---------------------------------------------------------------

DASHES = "-–—−‐‑‒―﹣－~"
ARROWS = ">→➔➜➝➞➡⇒⟶⟹»"


class Token(NamedTuple):
    """A piece of a line. `kind` is "word" or one of - / ( ) : , ?; `text` is as written.

    `key` is the word in comparable form; two words a dash apart keep their dash as a token. `start`
    and `end` say where it stands in the line.
    """

    kind: str
    text: str
    key: str = ""
    start: int = 0
    end: int = 0


_TOKEN = re.compile(
    rf"""
      (?P<initials>(?<![^\W_])[^\W\d_](?:\.[^\W\d_])+(?![^\W_])\.?)  # n.c., M.A.O.
    | (?P<elided>[b-hj-np-zB-HJ-NP-Z]['’](?=[^\W_]{{2}}))
    | (?P<word>[^\W_]+(?:['’`´][^\W_]+)*)
    | (?P<dash>(?:(?<![{re.escape(DASHES)}=])[{re.escape(DASHES)}=]++)?[{re.escape(ARROWS)}]+
        |[{re.escape(DASHES)}]+)
    | (?P<open>[(\[{{])
    | (?P<close>[)\]}}])
    | (?P<slash>[/\\|])
    | (?P<colon>[:：=])
    | (?P<comma>[,;，；、\n\r]|(?<=\s)[&+](?=\s))
    | (?P<question>[?？])
    """,
    re.VERBOSE,
)
_KINDS = {"open": "(", "close": ")", "slash": "/", "colon": ":", "comma": ","}
_KINDS |= {"question": "?", "dash": "-"}
_POSSESSIVE = re.compile(r"['’`´]s\Z", re.IGNORECASE)


@lru_cache(maxsize=1024)
def tokens(text: str) -> tuple[Token, ...]:
    """Return the pieces of a line that mean something; other punctuation is passed over."""
    found: list[Token] = []
    spelled, origin = plain(text)
    for match in _TOKEN.finditer(spelled):
        group = match.lastgroup or ""
        kind = _KINDS.get(group, "word")
        if kind == "-" and found and found[-1].kind == "-":
            continue
        key = name_key(_POSSESSIVE.sub("", match[0])) if kind == "word" else ""
        start, end = match.span()
        if origin is not None:
            start, end = origin[start], origin[end - 1] + 1
        found.append(Token(kind, match[0], key, start, end))
    return tuple(found)


def plain(text: str) -> tuple[str, list[int] | None]:
    """Return the text with typographic variants made one (widths, ligatures, letters of other
    keyboards), and where each of its letters stands in the text; None where that has not
    changed."""
    if text.isascii():
        return text, None
    whole = [
        (letter, place)
        for place, sign in enumerate(_ARROW_LETTERS.sub("→", text))
        for letter in unicodedata.normalize("NFKC", sign)
    ]
    # A letter and the accent behind it are one.
    composed: list[tuple[str, int]] = []
    for letter, place in whole:
        if composed and unicodedata.combining(letter):
            one = unicodedata.normalize("NFC", composed[-1][0] + letter)
            if len(one) == 1:
                composed[-1] = (one, composed[-1][1])
                continue
        composed.append((letter, place))
    spelled = "".join(letter for letter, _ in composed)
    if _LATIN.search(spelled):
        spelled = _OTHER_LETTERS.sub(_in_latin, _LONG_VOWEL.sub(_dash, spelled))
    return spelled, [place for _, place in composed]


# Word makes an arrow of "-->" that is a letter of the font Wingdings, and that letter elsewhere.
_ARROW_LETTERS = re.compile(r"[\uf0e0\uf0e8\uf0f0]|(?<=\s)[àè](?=\s)")

_LATIN = re.compile(r"[A-Za-z]")
_LONG_VOWEL = re.compile("[ー一─━]")
_OTHER_LETTERS = re.compile(r"[\u0370-\u04ff]+")
# Letters of Russian and Greek keyboards that look like Latin ones; Ф alone is a fleet.
_LOOK_ALIKE = str.maketrans(
    "АВЕКМНОРСТУХІЅЈаеорсухіѕј" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEKMHOPCTYXISJaeopcyxisj" + "ABEZHIKMNOPTYXo"
)


def _dash(match: re.Match[str]) -> str:
    """Return what a Japanese keyboard has where others have a dash, if it lengthens no vowel."""
    # Compiled into a pattern, the range would take longer than all other patterns here.
    beside = match.string[max(match.start() - 1, 0) : match.end() + 1].replace(match[0], "", 1)
    return match[0] if any("\u3040" <= each <= "\u9fff" for each in beside) else "-"


def _in_latin(match: re.Match[str]) -> str:
    """Return a word of another alphabet in Latin letters, if each of its letters looks like one."""
    word = match[0]
    if word in ("Ф", "ф"):
        return "F"
    latin = word.translate(_LOOK_ALIKE)
    return latin if latin.isascii() else word


# -- what decorates an order: a bullet or a number before it, a comment or an outcome behind it ----

# Of numbers those with a mark, and bare ones before a unit.
_BULLET = re.compile(
    rf"\A(?:[\s*•·‣▪●○+#№{re.escape(DASHES)}]|[(\[]?\d{{1,2}}\ufe0f?[.):/\]\u20e3]"
    r"|[(]?[a-hA-H][)](?=\s)|\d{1,2}\s+(?=(?:a|f|army|fleet)\b))+(?=\w)",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"\s(?://|#).*\Z", re.DOTALL)


def core(text: str) -> tuple[int, int]:
    """Return where the orders of a text begin and end: without the bullet or number before them,
    and the comment behind them."""
    bullet, comment = _BULLET.match(text), _COMMENT.search(text)
    start, end = bullet.end() if bullet else 0, comment.start() if comment else len(text)
    return start, max(start, end)


_THANKS = re.compile(
    r"(?<![\s,;.!])[\s,;.!]+(?:"
    + "|".join(
        re.escape(word).replace(r"\ ", r"\W+")
        for word in sorted(listed("polite").get("thanks", ()), key=len, reverse=True)
    )
    + r")[\s.!:;)(-]*\Z",
    re.IGNORECASE,
)


def without_thanks(text: str) -> str:
    """Return a text without the thanks that it ends with."""
    return _THANKS.sub("", f" {text}").strip()


def unmarked(text: str) -> tuple[str, str]:
    """Return a text without the marks around it that say whether it is wanted, and the one of them
    that says it is not."""
    text = _TICKED.sub("", text)
    crossed = _CROSSED.search(text)
    return (_CROSSED.sub("", text).strip(), crossed[0]) if crossed else (text, "")


_DONE, _UNDONE = ("|".join(map(re.escape, listed("marks")[kind])) for kind in ("done", "undone"))
_TICKED = re.compile(rf"\A(?:{_DONE})\s*", re.IGNORECASE)
_CROSSED = re.compile(rf"\A(?:{_UNDONE})|(?:{_UNDONE})\ufe0f?\Z")
