"""What people ask of the judge in plain words: wishes, questions, and letters without a keyword.

A wish is a command line that is offered, never carried out; a question is something to be told.
The words are data (`requests.toml`): English, German and French, tried one after another.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from judge.language.names import Spellings
from judge.rules.values import frozen

LONGEST = 240
"""Characters of a sentence that is read; a longer one is a story."""

MOST = 40
"""Sentences of a text that are read."""

ALL = "ALL"
MASTER = "M"


@frozen
class Wish:
    """What was asked for, as the command line that does it.

    `block` are the lines that belong to it, for press. `open`: something is missing in it that its
    writer must say, so it cannot be offered.
    """

    offer: str
    block: tuple[str, ...] = ()
    open: bool = False


@frozen
class Question:
    """What was asked, as one word (deadline, orders, late, players, map, legal, rules or help) and
    as the command line that answers it."""

    about: str
    offer: str


@frozen
class Request:
    """A wish or a question, and the lines that it stands in, from `first` up to `end`.

    `said` is the sentence, or the first line of the letter, as it was written.
    """

    what: Wish | Question
    first: int
    end: int
    said: str


def requests(lines: Sequence[str], powers: Mapping[str, str], today: date) -> list[Request]:
    """What a stretch of plain text asks for, in order.

    Args:
        lines: The text as it was written, blank lines included.
        powers: What the powers of the game are called, in any language, and which each name means.
        today: The day on which it was written, where its writer is.
    """
    reader = _Reader(_words(), _addressed(frozenset(powers.items())), today)
    found: list[Request] = []
    for each in reader.read(lines):
        if found and found[-1].what == each.what:
            # Said twice, in other words.
            found[-1] = replace(found[-1], end=each.end)
        else:
            found.append(each)
    return found


def asks(lines: Sequence[str]) -> bool:
    """Whether a stretch of plain text asks the judge for anything, letters to others aside."""
    return any(_Reader(_words(), _Addressed(), date.min).read(lines))


def addressees(line: str, powers: Mapping[str, str], *, surely: bool = True) -> list[str]:
    """Whom a line greets, or says that a letter is for, by `powers` as in `requests`.

    `surely`: only where it cannot speak of them.
    """
    reader = _Reader(_words(), _addressed(frozenset(powers.items()), heads=surely), date.min)
    head = reader._head(line)
    return head[0] if head is not None else []


# Texts in comparable form


def plain(text: str) -> str:
    """The text in lower case without accents, letter by letter, so that places stay the same."""
    if text.isascii():
        return text.lower().translate(_PLAIN_ASCII)
    return text.translate(_PLAIN_SIGNS)


class _Plain(dict[int, str]):
    """How each sign is written without accent and in lower case, learned as signs are met."""

    def __missing__(self, code: int) -> str:
        bare = unicodedata.normalize("NFKD", chr(code))[0].lower()
        bare = bare if len(bare) == 1 else chr(code)
        # There are a million signs, and who writes them all means no good.
        if len(self) < _MOST_SIGNS:
            self[code] = bare
        return bare


_MOST_SIGNS = 4096
_PLAIN = {"ß": "s", "’": "'", "‘": "'", "`": "'", "´": "'", "\N{NO-BREAK SPACE}": " "} | {
    "“": '"', "”": '"', "„": '"', "\u202f": " ", "\t": " ", "œ": "o", "Œ": "o"
}  # fmt: skip
_PLAIN_SIGNS = _Plain({ord(sign): said for sign, said in _PLAIN.items()})
_PLAIN_ASCII = str.maketrans({sign: said for sign, said in _PLAIN.items() if sign.isascii()})

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


def _respelled(text: str, words: _Words) -> str:
    """The text with words as they are spelled that people shorten, or that miss a letter."""

    def better(found: re.Match[str]) -> str:
        word = plain(found[0])
        if word in words.data["spelled"]:
            return str(words.data["spelled"][word])
        if len(word) < _SHORTEST_NEAR or found[0][0].isupper() or word in words.known:
            return found[0]
        near = words.near.near(word, 1)
        # Another ending makes another word.
        same = near and near[0][0][0] == word[0] and near[0][0][-2:] == word[-2:]
        return near[0][0] if same else found[0]

    return _WORD.sub(better, text.replace("’", "'"))


_UMLAUT = re.compile(r"(?<=[aou])e")
_END = re.compile(
    r"(?<![.!?…])[.!?…]++(?:(?<=[!?])[\"')]*+\s+|[\"')]*+(?:[^\S\n]*+\n\s*+|\s+"
    r"(?=[^\W\d_a-zäöüàâéèêçß]|[\"'(]|\Z)))|\Z"
)
_SHORTENED = re.compile(r"(?:\d|\b\w{1,2})\Z")
_STOPS = " .!?…\"'()*_:;,"


def _sentences(text: str) -> Iterator[tuple[int, str]]:
    """The sentences of a paragraph, with where each begins."""
    start = 0
    for end in _END.finditer(text):
        # `3. Januar` and `Mr. X` go on.
        if (
            end[0].startswith(".")
            and _SHORTENED.search(text, max(start, end.start() - 2), end.start())
            and end.end() < len(text)
        ):
            continue
        before = text[start : end.start()]
        if before.strip(_STOPS):
            yield start, before.strip() + "?" * ("?" in end[0])
        start = end.end()


class _Kind:
    """One thing that people ask for: whole sentences (`forms`), or what one begins with, has and
    lacks, with so many words at `most`; `signs` speak for it or against it, and how much."""

    def __init__(self, facts: Mapping[str, Any], known: Mapping[str, str]) -> None:
        known = {**known, **facts.get("words", {})}

        def made(pattern: str) -> re.Pattern[str]:
            return re.compile(_filled(pattern, known))

        self.facts = facts
        self.forms = [made(each) for each in facts.get("patterns", ())]
        self.starts = made(f"(?:{facts['starts']})") if "starts" in facts else None
        self.has, self.lacks = (made(f"(?:{facts.get(name, '')})") for name in ("has", "lacks"))
        self.most: int = facts.get("most", 0)
        self.signs = [(weight, made(sign)) for weight, sign in facts.get("signs", ())]

    def form(self, text: str) -> re.Match[str] | None:
        """The form that a sentence has."""
        return next(filter(None, (form.fullmatch(text) for form in self.forms)), None)

    def fits(self, text: str) -> bool:
        """Whether a sentence asks for this by its parts."""
        return (
            self.starts is not None
            and len(text.split()) <= self.most
            and self.starts.match(text) is not None
            and self.has.search(text) is not None
            and self.lacks.search(text) is None
        )

    def weight(self, text: str) -> int:
        """How much speaks for it that a sentence asks for this."""
        return sum(weight for weight, sign in self.signs if sign.search(text))


class _Words:
    """The data, ready for use."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        known = {**data["groups"], **data["words"]}
        courtesy, misspelled = data["courtesy"], data["often"]["misspelled"]
        either = "|".join
        self.data = data
        self.kinds = cache(lambda: [_Kind(each, known) for each in data["request"]])
        self.spans = [re.compile(_filled(each, known)) for each in data["spans"]["patterns"]]
        self.before = re.compile(rf"(?:{either(courtesy['before'])})(?: ?[,!.:;-]+)? ")
        self.after = re.compile(rf"[,;.!]* (?:{either(courtesy['after'])})\Z")
        self.tail = re.compile(either(courtesy["tail"]))
        self.others = re.compile(rf"\b{courtesy['others']}\b")
        self.clause = re.compile(either(courtesy["clause"]))
        self.near, self.known = Spellings(misspelled), frozenset(misspelled)
        self.continues = re.compile(rf"(?:{data['press']['continues']})(?!\w)")
        self.when = re.compile(_filled("{when}", known))
        self.topics = {
            topic: re.compile(rf"\b(?:{words})") for topic, words in data["topics"].items()
        }


@cache
def _words() -> _Words:
    path = Path(__file__).with_name("requests.toml")
    return _Words(tomllib.loads(path.read_text(encoding="utf-8")))


def _filled(pattern: str, known: Mapping[str, str]) -> str:
    """A pattern with each `{word}` put in, words within words too."""
    before = None
    while before != pattern:
        before = pattern
        pattern = re.sub(
            r"\{([a-z]+)\}",
            lambda found: f"(?:{known[found[1]]})" if found[1] in known else found[0],
            pattern,
        )
    return pattern


class _Addressed(NamedTuple):
    """The ways to address players, whom each name means, and a pattern of what powers are called,
    which few mails need."""

    patterns: Sequence[re.Pattern[str]] = ()
    means: Mapping[str, str] = {}
    powers: str = ""


@cache
def _addressed(names: frozenset[tuple[str, str]], heads: bool = False) -> _Addressed:
    """How to address players, `heads` only in ways beyond doubt."""
    data = _words().data
    press = data["press"]
    means = {plain(name): power for name, power in names}
    for power, called in data["people"].items():
        if power in means.values():
            means |= {name: power for name in called if name not in means}
    powers = rf"\b(?:{_either(means)})\b" if means else ""
    means |= dict.fromkeys(press["all"], ALL) | dict.fromkeys(press["master"], MASTER)
    either = _either(means)
    name = rf"{press['article']}(?:{either})(?!\w)"
    known = {"powers": rf"{name}(?:{press['and']}{name}){{0,6}}", "title": press["title"]}
    ways = press["heads"] + ([] if heads else press["patterns"])
    return _Addressed([re.compile(_filled(each, known)) for each in ways], means, powers)


def _either(names: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(names, key=len, reverse=True)))


@dataclass
class _Reader:
    words: _Words
    addressed: _Addressed
    today: date
    left: int = MOST

    def read(self, lines: Sequence[str]) -> Iterator[Request]:
        """What the lines ask for, paragraph by paragraph, letters first."""
        start = 0
        while start < len(lines):
            if not lines[start].strip():
                start += 1
                continue
            if (letter := self._letter(lines, start)) is not None:
                yield letter
                start = letter.end
                continue
            end = start + 1
            while end < len(lines) and lines[end].strip() and self._head(lines[end]) is None:
                end += 1
            yield from self._paragraph(lines, start, end)
            start = end

    # -- letters

    def _head(self, line: str) -> tuple[list[str], str, bool] | None:
        """Whom a line addresses, what of it belongs to the letter, and whether that greets them;
        None where nobody."""
        text = line.strip()
        patterns, means, _ = self.addressed
        for pattern in patterns:
            found = pattern.match(plain(text[:LONGEST]))
            if found is None:
                continue
            rest = text[found.end() :].lstrip()
            greets = "greeting" in pattern.groupindex
            bound = rest[:1].isalnum() and text[found.end() - 1].isalnum() and text[0] != "@"
            if greets and bound and self.words.continues.match(plain(rest)) is None:
                continue
            names = re.findall(_either(means), found["power"])
            to = list(dict.fromkeys(means[name] for name in names))
            if greets and not rest and "," not in text and ":" in text:
                continue
            return to, text if greets else rest, greets
        return None

    def _letter(self, lines: Sequence[str], start: int) -> Request | None:
        """The letter to others that begins in a line and goes on to the next such line."""
        head = self._head(lines[start])
        if head is None:
            return None
        to, first, greets = head
        end = start + 1
        while end < len(lines) and self._head(lines[end]) is None:
            end += 1
        block = [first, *(line.rstrip() for line in lines[start + 1 : end])]
        block = block if first else block[1:]
        while block and not block[-1].strip():
            block.pop()
            end -= 1
        if not block:
            return None
        if greets and not {ALL, MASTER}.isdisjoint(to):
            # Who greets everybody may mean the judge.
            said = plain(" ".join(block).partition(",")[2] or " ".join(block[1:])).strip()
            if len(said.split()) < _LEAST or re.match(self.words.data["press"]["never"], said):
                return None
            if any(self._paragraph([said], 0, 1)):
                return None
        offer = "BROADCAST" if ALL in to else f"PRESS TO {' '.join(to)}"
        return Request(Wish(offer, tuple(block)), start, end, lines[start].strip())

    # -- sentences

    def _paragraph(self, lines: Sequence[str], start: int, end: int) -> Iterator[Request]:
        """What the sentences of lines in a row ask for; a sentence may go on in the next line."""
        ends: list[int] = []
        text = ""
        for line in lines[start:end]:
            if len(text) > _LONGEST_PARAGRAPH:
                break
            text = f"{text}\n{line.strip()}".strip()
            ends.append(len(text))
        for place, sentence in _sentences(text):
            for what, said, at in self._asked(sentence):
                begins = place + at + self._courtesy(said.replace("\n", " "))
                first = next(number for number, until in enumerate(ends) if begins < until)
                last = place + at + len(said)
                final = next(number for number, until in enumerate(ends) if last <= until)
                yield Request(what, start + first, start + final + 1, " ".join(said.split("\n")))

    def _asked(self, sentence: str) -> Iterator[tuple[Wish | Question, str, int]]:
        """What a sentence asks for, in which of its words, and where they begin.

        Whoever ends no sentence with a stop has one on each line.
        """
        self.left -= 1
        if self.left < 0:
            return
        what = self._sentence(sentence)
        alone = []
        place = 0
        for line in sentence.split("\n") if "\n" in sentence else ():
            self.left -= 1
            if self.left >= 0 and (asked := self._sentence(line)) is not None:
                alone.append((asked, line, place))
            place += len(line) + 1
        apart = len(alone) > 1 if what is None else what in [asked for asked, _, _ in alone]
        if apart:
            yield from alone
        elif what is not None:
            yield what, sentence, 0

    def _courtesy(self, sentence: str) -> int:
        """How long the courtesy is that a sentence begins with."""
        start, text = 0, plain(sentence)
        while found := self.words.before.match(text, start):
            start = found.end()
        return start

    def _sentence(self, written: str) -> Wish | Question | None:
        """What one sentence asks for, as it is written or else as it was meant to be."""
        if len(written) > LONGEST:
            return None
        for text in dict.fromkeys((written, _respelled(written, self.words))):
            if (what := self._spelled(" ".join(text.split()).strip(_STOPS))) is not None:
                return what
        return self._weighed(text)

    def _weighed(self, written: str) -> Wish | Question | None:
        """What most speaks for in a sentence of no known form, if that is enough."""
        text = plain(" ".join(written.split()))
        if not 1 < len(text.split()) <= _MOST_WEIGHED:
            return None
        if self.addressed.powers:
            text = re.sub(self.addressed.powers, "@", text)
        text, known, dates = self._undated(text, text)
        kinds = [(kind.weight(text), kind) for kind in self.words.kinds() if kind.signs]
        weight, kind = max(kinds, key=lambda each: each[0])
        if weight < _ENOUGH:
            return None
        return self._what(kind.facts, self._spans(text, known, dates), text)

    def _spans(self, text: str, known: str, dates: Sequence[str]) -> _Groups:
        """What a sentence of no known form says of a length of time."""
        found = next(filter(None, (each.search(text) for each in self.words.spans)), None)
        return _groups(found, known, dates) if found else {}

    def _spelled(self, written: str) -> Wish | Question | None:
        spelled = plain(written)
        if " " not in spelled and spelled not in self.words.data["courtesy"]["single"]:
            return None
        for text in dict.fromkeys((spelled, _UMLAUT.sub("", spelled))):
            text, known, dates = self._undated(text, written if text == spelled else text)
            cores = [
                (core, text.index(core, first))
                for first, last in self._cores(text)
                if (core := text[first:last].strip(_STOPS + " -"))
            ]
            for kind in self.words.kinds():
                for core, start in cores:
                    if (found := kind.form(core)) is not None:
                        return self._what(kind.facts, _groups(found, known[start:], dates), text)
                for core, start in cores:
                    if kind.fits(core):
                        groups = self._spans(core, known[start:], dates)
                        return self._what(kind.facts, groups, text)
        return None

    def _undated(self, text: str, written: str) -> tuple[str, str, list[str]]:
        """The sentence in both spellings with `#0` and so on for its dates, and these."""
        dates: list[str] = []
        plainly, as_written, last = "", "", 0
        for found in islice(self.words.when.finditer(text), _MOST_DATES):
            mark = f"#{len(dates)}"
            dates.append(written[found.start() : found.end()].strip())
            plainly += text[last : found.start()] + mark
            as_written += written[last : found.start()] + mark
            last = found.end()
        return plainly + text[last:], as_written + written[last:], dates

    def _cores(self, text: str) -> Iterator[tuple[int, int]]:
        """Where a sentence begins and ends without courtesy, and without what is behind it."""
        starts = [0]
        while len(starts) < _COURTESIES and (found := self.words.before.match(text, starts[-1])):
            starts.append(found.end())
        starts.reverse()
        for clause in islice(self.words.clause.finditer(text), _CLAUSES):
            if not self.words.others.search(text[: clause.start()]):
                starts.append(clause.end())
                starts += [
                    found.end() for found in [self.words.before.match(text, clause.end())] if found
                ]
        ends = [len(text)]
        while len(ends) < _COURTESIES and (found := self.words.after.search(text[: ends[-1]])):
            ends.append(found.start())
        ends += [found.start() for found in self.words.tail.finditer(text)][:_TAILS]
        for end in dict.fromkeys(ends):
            for start in starts:
                if start < end:
                    yield start, end

    def _what(self, kind: Mapping[str, str], groups: _Groups, text: str) -> Wish | Question:
        if "about" in kind:
            behind = ""
            if kind["about"] == "legal":
                move = (groups[name][1].strip() for name in ("unit", "to") if name in groups)
                behind = " - ".join(filter(None, move))
            elif kind["about"] == "help":
                topics = self.words.topics.items()
                behind = next((topic for topic, words in topics if words.search(text)), "")
            return Question(kind["about"], f"{kind['offer']} {behind}".rstrip())
        if "{span}" not in kind["offer"]:
            return Wish(kind["offer"])
        command = kind["offer"].removesuffix("{span}")
        span = (self._longer if command == "EXTEND " else self._away)(groups)
        return Wish(f"{command}{span}".strip(), open=not span)

    def _longer(self, groups: _Groups) -> str:
        """By how much more time: as asked for, else by a day."""
        if until := groups.get("until", groups.get("on")):
            return f"UNTIL {until[1]}"
        if "number" not in groups:
            return "24H"
        count, hours = self._count(groups["number"][0]), self._hours(groups["length"][0])
        number, unit = (count, "hour") if hours == 1 else (count * hours // 24, "day")
        return f"{number} {unit}{'s' if number != 1 else ''}"

    def _away(self, groups: _Groups) -> str:
        """From when to when, "" where nothing says it."""
        today = self.today
        if "until" in groups:
            return f"{_day(today)} to {groups['until'][1]}"
        if "from" in groups:
            begin, end = groups["from"][1], groups["to"][1]
            # The month is said once: "December 1-5".
            return f"{begin} to {re.sub('[0-9]+', end, begin) if end.isdecimal() else end}"
        if "on" in groups:
            return groups["on"][1]
        if "number" in groups:
            hours = self._count(groups["number"][0]) * self._hours(groups["length"][0])
            return f"{_day(today)} to {_day(today + timedelta(hours=max(hours, 24)))}"
        monday = today - timedelta(days=today.weekday())
        if "week" in groups:
            this = groups["week"][0].startswith(("this", "diese", "cette"))
            first = today if this else monday + timedelta(days=7)
            return f"{_day(first)} to {_day(first + timedelta(days=6 - first.weekday()))}"
        if "weekend" in groups:
            after = groups["weekend"][0].startswith(("next", "nachst", "kommend"))
            saturday = monday + timedelta(days=12 if after and today.weekday() > 4 else 5)
            return f"{_day(max(saturday, today))} to {_day(saturday + timedelta(days=1))}"
        return ""

    def _count(self, text: str) -> int:
        word = text.split()[-1] if not text.endswith(" of") else text.split()[-2]
        return int(word) if word.isdecimal() else self.words.data["numbers"].get(word, 1)

    def _hours(self, text: str) -> int:
        return next(
            (each for start, each in self.words.data["hours"].items() if text.startswith(start)), 24
        )


_Groups = Mapping[str, tuple[str, str]]
"""What was taken out of a sentence, by name: in comparable form, and as it was written."""


def _groups(found: re.Match[str], written: str, dates: Sequence[str]) -> _Groups:
    return {
        name.rstrip("0123456789"): (text, _dated(written[slice(*found.span(name))], dates))
        for name, text in found.groupdict().items()
        if text is not None
    }


def _dated(text: str, dates: Sequence[str]) -> str:
    return re.sub(r"#(\d)", lambda found: dates[int(found[1])], text)


def _day(day: date) -> str:
    return f"{day.day} {day:%b}"


_LEAST = 3
"""Words of a letter to everybody; fewer are a greeting."""

_SHORTEST_NEAR = 7
"""Letters of a word that may be misspelled."""

_COURTESIES = 5
_CLAUSES = 3

_ENOUGH = 12
"""The weight of signs that is enough, and of two that each say half of it."""

_MOST_WEIGHED = 18
"""Words of a sentence that is weighed."""
_TAILS = 6
_MOST_DATES = 10
_LONGEST_PARAGRAPH = 8000
