"""Letters to other players in ordinary text, whom a line greets or names at its head, and courtesy.

The words are those of every language (`[address]` in `templates/locale/*/words.toml`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from judge.i18n import in_all_languages
from judge.language.cover import COURTESY
from judge.language.names import words_of
from judge.language.speech import PERSON, YOU, is_barring, says_nothing, speaks
from judge.language.vocabulary import LINE, listed, tokens
from judge.language.wish_model import LONGEST, plain
from judge.rules.board import Derived
from judge.rules.variant import Variant

Hear = Callable[[str], str]
"""Gives a text in which people are called by their labels."""

ALL, MASTER, JUDGE = "ALL", "M", "JUDGE"
"""Labels of all others, of the game master, and of this program."""


class Letter(NamedTuple):
    """A letter among ordinary lines, from `first` up to `end`: whom it is for, and its text.
    `greets`: it begins with a greeting, which the judge may be meant by if it is for all or for the
    game master."""

    to: tuple[str, ...]
    block: tuple[str, ...]
    first: int
    end: int
    greets: bool

    @property
    def body(self) -> str:
        """What it says behind the greeting, on one line."""
        return " ".join(" ".join(self.block).partition(",")[2].split() or self.block[1:])

    @property
    def says_something(self) -> bool:
        """Whether it says more than a greeting, and announces no orders."""
        words = plain(self.body)
        return len(words.split()) >= _LEAST and greetings()["announces"].match(words) is None


def letters(lines: Sequence[str], variant: Variant, heard: Hear = str) -> list[Letter]:
    """Find the letters in lines of ordinary text, to powers of a variant: each goes on to the next
    that begins. `heard` calls people by their powers."""
    heads: list[tuple[int, Head]] = []
    for place, line in enumerate(lines):
        head = head_heard(line, variant, heard)
        if head is None or not (head.begins or not head.bare or _is_above(lines, place)):
            continue
        if not (heads and _greets_readers(lines, heads[-1], (place, head))):
            heads.append((place, head))
    ends = [*(place for place, _ in heads[1:]), len(lines)]
    found = []
    for (first, head), end in zip(heads, ends, strict=False):
        if head.hands or (head.bare and not head.begins):
            # What follows the first paragraph may be for us.
            rows = range(first + (not head.begins), end)
            begins_at = next((at for at in rows if lines[at].strip()), end)
            end = next((at for at in range(begins_at, end) if not lines[at].strip()), end)
        begins = [head.begins] if head.begins else []
        block = [*begins, *(line.rstrip() for line in lines[first + 1 : end])]
        while block and not block[-1].strip():
            block.pop()
            end -= 1
        if block:
            found.append(Letter(tuple(head.to), tuple(block), first, end, head.greets))
    return found


def head_heard(line: str, variant: Variant, heard: Hear) -> Head | None:
    """Return whom a line addresses, by name, too; what it begins is as it is written."""
    head = head_of(line, variant)
    # To know what people are called takes longer than all else here.
    if head is not None or not line or (said := heard(line)) == line:
        return head
    if (head := head_of(said, variant)) is None:
        return None
    written = line.strip() if head.greets else line.partition(":")[2].strip()
    return head._replace(begins=written) if written or not head.begins else None


def _is_above(lines: Sequence[str], place: int) -> bool:
    """Return whether a sentence stands right below a line."""
    below = lines[place + 1] if place + 1 < len(lines) else ""
    return len(below.split()) > _LEAST


def _greets_readers(lines: Sequence[str], above: tuple[int, Head], found: tuple[int, Head]) -> bool:
    """Return whether a greeting of everybody is that of those for whom the line above says that
    the letter is."""
    (first, head), (place, greeting) = above, found
    between = any(line.strip() for line in lines[first + 1 : place])
    return greeting.greets and greeting.to == [ALL] and not (head.begins or between)


def is_for_others(line: str, variant: Variant, to: Collection[str], *, surely: bool = True) -> bool:
    """Return whether a line heads a letter to somebody who is not among the labels in `to`;
    `surely`: only where it cannot speak of them."""
    head = head_of(line, variant, surely=surely)
    return head is not None and not set(to).issuperset(head.to)


@Derived
def called(variant: Variant) -> Mapping[str, str]:
    """Return what the powers of a game are called in every language, each with its name."""
    found = {
        name: power for power in variant.powers for name in (power, *variant.aliases.get(power, ()))
    }
    spoken = listed("powers")
    return {name: power for power in variant.powers for name in spoken.get(power, ())} | found


@Derived
def _in_one_word(variant: Variant) -> Mapping[str, str]:
    """Return what powers are called, in comparable form."""
    return {"".join(words_of(name)): power for name, power in called(variant).items()}


def powers_named(text: str, variant: Variant) -> set[str]:
    """Return the powers that a text names, wherever in it."""
    known = _in_one_word(variant)
    return {known[word] for word in words_of(text) if word in known}


def sent_on_to(text: str, variant: Variant) -> set[str]:
    """Return whom the last words of a sentence say that something goes to (`Fwd to Italy`)."""
    ways = _ways(variant)
    found = ways.ends.fullmatch(plain(text[:LONGEST]))
    if found is None or speaks(text, PERSON):
        return set()
    return {ways.means[name] for name in ways.name.findall(found["power"])}


_LEAST = 3
"""Words of a letter to everybody, and of a line that calls somebody; fewer are a greeting."""


class Head(NamedTuple):
    """Whom a line addresses, and what of it belongs to the letter. `greets`: that greets them.
    `binds`: the line addresses them and cannot speak of them. `also`: they are to read it beside
    others. `bare`: it is their names and a colon."""

    to: list[str]
    begins: str
    greets: bool
    binds: bool
    also: bool
    bare: bool
    hands: bool


def _is_bound(text: str, end: int) -> bool:
    """Return whether a name that ends in a text is the subject of what follows."""
    rest = text[end:].lstrip()
    bound = rest[:1].isalnum() and text[end - 1].isalnum() and text[0] != "@"
    return bound and greetings()["goes_on"].match(plain(rest)) is None


def head_of(line: str, variant: Variant, *, surely: bool = False) -> Head | None:
    """Return whom a line addresses, of the powers of a variant and all others, None where nobody.
    `surely`: only where it cannot speak of them."""
    text = line.strip()
    head = _head_in(text, _ways(variant), surely) if text else None
    if text[-1:] != ":" or (head is not None and head.to != [JUDGE]):
        return head
    # `Orders follow. For Italy, please:`, `Hello judge, please send this to Turkey:`
    _, stop, last = text.rpartition(". ") if head is None else text.partition(",")
    after = head_of(last, variant, surely=surely) if stop else None
    return after if after is not None and (head is None or after.hands) else head


def _head_in(text: str, ways: _AddressForms, surely: bool) -> Head | None:
    """Return whom a text addresses at its beginning."""
    said = plain(text[:LONGEST])
    for number, pattern in enumerate(ways.tried(said, surely)):
        found = pattern.match(said)
        if found is None:
            continue
        groups = pattern.groupindex
        greets, calls = "greeting" in groups, "calls" in groups
        rest = text[found.end() :].lstrip()
        if greets and not calls and _is_bound(text, found.end()):
            continue
        to, but = (
            list(dict.fromkeys(ways.means[name] for name in ways.name.findall(named or "")))
            for named in found.group("power", "but")
        )
        if "heads" in groups and not _heads(said, found):
            continue
        if calls and (_lists(said, found, ways) or not {ALL, MASTER}.isdisjoint(to)):
            # A list of names, or thanks.
            continue
        to = [f"{ALL} BUT {', '.join(but)}"] if but else to
        begins = text if greets else _but_please(rest)
        hands = "heads" in groups or ("tells" in groups and not begins)
        binds = number < len(ways.sure) or ":" in found[0] or calls
        bare = "bare" in groups and not rest
        return Head(to, begins, greets, binds, "also" in groups, bare, hands)
    return None


def _but_please(text: str) -> str:
    """Return a text, "" if it says nothing but please."""
    words = [each for each in tokens(text) if each.kind == "word"]
    # `Germany: thanks` is a letter.
    asks = text.endswith("?") and LINE[COURTESY].end(words, 0) == len(words)
    return "" if asks or {*words_of(text)} <= {*_words()["please"]} else text


def _lists(said: str, found: re.Match[str], ways: _AddressForms) -> bool:
    """Return whether what stands before a name is no sentence, but a list of names."""
    before = said[: found.start("power")]
    return len(before.split()) < _LEAST or ways.name.search(before) is not None


def _heads(said: str, found: re.Match[str]) -> bool:
    """Return whether a line that says whom something goes to heads it: with a colon, or with words
    that ask to send it on; with a comma or a dash only where nothing else stands before the name.
    """
    at = found.start("power")
    before, words, end = words_of(said[:at]), words_of(found[0]), found[0].rstrip()[-1:]
    if any(map(is_barring, words)) or end == "." or (end in ",-" and len(before) > 1):
        return False
    lists = _words()
    if "asks" in found.re.groupindex:
        return any(speaks(word, YOU) for word in words) or not {*lists["please"]}.isdisjoint(words)
    if any(speaks(word, PERSON) and not speaks(word, YOU) for word in before):
        return False
    asks = {each for kind in ("please", "only", "note", "tells") for each in lists[kind]}
    return end in ":,-" or not asks.isdisjoint(words)


def hearing(names: Callable[[], Mapping[str, str]]) -> Hear:
    """Return what calls people in a text by their labels, whose `names` it asks for once. At the
    beginning a word that others follow may be no name ("Will you ..."), and a small one is a name
    before a colon or behind an `@`."""

    @cache
    def labels() -> tuple[re.Pattern[str], Mapping[str, str]]:
        known = {each: label for each, label in names().items() if _NAME.match(each)}
        name = "|".join(map(re.escape, sorted(known, key=len, reverse=True))) or "(?!)"
        called = re.compile(
            rf"(?<![\w@])(?:(?<=[\w,;][ ,])|(?=(?:{name})\s?[,:!-]))(?:{name})(?![\w@.]\w|\w)"
            rf"|(?<![\w@])(?i:{name})(?=\s?:)|(?<=\A@)(?i:{name})(?!\w)"
        )
        return called, {each.casefold(): _SPOKEN.get(to, to) for each, to in known.items()}

    def heard(text: str) -> str:
        called, spoken = labels()
        return called.sub(lambda found: spoken[found[0].casefold()], text)

    return heard


_NAME = re.compile(r"[^\W\d_]\w\w")
"""A name that may stand in a sentence: initials are none."""

_SPOKEN = {"M": "GM"}
"""What is heard in a sentence for a label that is none there."""


def is_for_stranger(line: str) -> bool:
    """Return whether a line says that it is only for somebody (`To Ann only:`), one or many."""
    return greetings()["stranger"].match(plain(line.strip()[:LONGEST])) is not None


def names_judge(line: str) -> bool:
    """Return whether a line names this program, or the game master."""
    return greetings()["judge"].search(plain(line)) is not None


@cache
def greetings() -> Mapping[str, re.Pattern[str]]:
    """Return what a line begins with that greets or takes leave, or is only for a `stranger`, and
    what names the `judge`, in plain letters, by kind."""
    lists = _words()
    judge = _either({*lists["judge"], *lists["master"]})
    before = _either({*lists["article"], *lists["to"], *lists["title"], *lists["greet"]})
    to, only = _either(lists["to"]), _either(set(lists["only"]) - set(lists["please"]))
    kinds = ("greet", "closing", "wishing", "announces", "goes_on")
    return {kind: re.compile(rf"{_either(lists[kind])}(?!\w)") for kind in kinds} | {
        # `History will judge us`
        "judge": re.compile(
            rf"(?:\A|[^\w\s] *|\b{before} ){judge}(?!\w)|\b{judge} *(?:[^\w\s]|\Z)"
        ),
        "stranger": re.compile(rf"(?:{to} \w+ {only}|{only} {to} \w+) ?:"),
    }


class _AddressForms(NamedTuple):
    """The ways to address people, those beyond doubt first, and whom each name means."""

    sure: Sequence[re.Pattern[str]]
    all: Sequence[re.Pattern[str]]
    name: re.Pattern[str]
    means: Mapping[str, str]
    ends: re.Pattern[str]
    """A sentence that ends with whom something goes to."""

    def tried(self, said: str, surely: bool) -> Sequence[re.Pattern[str]]:
        """Return the ways in which a text may address people, none where it has no name."""
        if self.name.search(said) is None:
            return ()
        return self.sure if surely else self.all


@cache
def _words() -> Mapping[str, list[str]]:
    """Return the words of each kind, in all languages."""
    found: dict[str, list[str]] = {}
    for entry in in_all_languages("address"):
        for kind, words in entry.items():
            if kind != "people":
                found.setdefault(kind, []).extend(map(plain, words.split(", ")))
    return found


def _either(words: Iterable[str]) -> str:
    found = sorted(words, key=len, reverse=True)
    # An apostrophe joins a word to the next one.
    return f"(?:{'|'.join(map(re.escape, found))})"


@Derived
def _ways(variant: Variant) -> _AddressForms:
    # They take long to make, and boards whose powers are called alike share them.
    return _ways_to(frozenset(called(variant).items()))


@cache
def _ways_to(powers: frozenset[tuple[str, str]]) -> _AddressForms:
    lists = _words()
    means = {plain(name): power for name, power in powers}
    for entry in in_all_languages("address"):
        for power, called in entry.get("people", {}).items():
            if power in means.values():
                means = dict.fromkeys(map(plain, called.split()), power) | means
    means |= dict.fromkeys(lists["all"], ALL) | dict.fromkeys(lists["master"], MASTER)
    means |= dict.fromkeys(lists["judge"], JUDGE)

    def either(kind: str) -> str:
        return _either(lists[kind])

    def some(kind: str) -> str:
        """Return any number of these words, each with what parts it from the next one."""
        return rf"(?:{either(kind)}(?:\.? |(?<=')))*"

    name = rf"{some('article')}{_either(means)}(?!\w)"
    names = rf"{name}(?: ?(?:[@,/&+]|{either('join')} ) ?{some('dear')}{name}){{0,6}}"
    joined = rf"(?P<power>{names})(?: {either('but')} (?P<but>{names}))?"
    hails = rf"{some('greet')}(?:{some('title')}){joined}(?P<greeting>)"
    only = rf"(?:.s)?(?: {either('only')})* ?"
    asks, tells = some("please"), rf"{either('tell')}[ :]? ?"
    ours = _either({*lists["judge"], *lists["master"]})
    word, ways = r"[^\W\d_]+", {*lists["to"], *lists["tell"], *lists["note"]}
    words = rf"(?:{word}[ ,'-]+)"
    behind = rf"(?:,? {either('that')}(?!\w))*(?: ?[:,-])? ?"
    sure = [
        rf"(?={either('greet')}[ ,]){hails}",
        rf"(?={either('title')}\.? ){hails}",
        rf"@ ?{joined}(?P<greeting>)",
        rf"(?:{either('note')} )?(?:{either('only')} )?{either('to')} ?{joined}{only}: ?",
        rf"{either('to')} ?: ?{joined}\Z",
        rf"{either('also')}[ :] ?{joined}(?P<also>)(?:\Z|:) ?",
    ]
    unsure = [
        rf"{joined}(?P<bare>) ?:(?: |\Z)",
        rf"{joined}(?: ?[,!]| [-–])(?: |\Z)(?P<greeting>)",
        rf"[^,]*[^, ], ?{joined}[ .!]*(?P<calls>)(?P<greeting>)\Z",
        rf"{joined}(?= {either('asks')} )(?P<greeting>)",
        rf"(?:{either('to')} )?{joined}(?:.s)?(?: {either('only')})+ ?[:,-] ?",
        rf"{asks}{tells}{joined}(?P<tells>){behind}",
        rf"{words}{{0,7}}?(?:{_either(ways)}(?: |(?<='))|{either('tell')} {words}{{1,2}})"
        rf"{joined}(?P<heads>)(?: {word}){{0,4}} ?(?:[:,-] ?|[.!?]*\Z)",
        rf"{some('please')}(?<= ){joined} (?:{either('please')} )?{either('tells')}{behind}",
        rf"{words}{{0,4}}(?P<power>{ours})(?P<but>(?!))? ?: ?",
        rf"{words}{{0,12}}?{joined}(?P<heads>)(?P<asks>)(?:[ ,']+{word}){{0,6}} ?: ?",
    ]
    made = list(map(re.compile, sure))
    ends = re.compile(
        rf"(?:[^\W_]+ )?{either('to')} ?{joined}(?:[ ,]+[^\W_]+(?:'[^\W_]+)?){{0,3}}[ .!)]*"
    )
    return _AddressForms(
        made, [*made, *map(re.compile, unsure)], re.compile(_either(means)), means, ends
    )


# Courtesy: salutations, thanks, closings and signatures, which ask for nothing. A line of it has
# words that say nothing by themselves, and names behind a greeting or a closing.

_LONGEST = 80
"""Characters of a line of courtesy."""

_SIGNATURE = 3
"""Lines below a closing that are a signature."""

_MOST_WORDS, _MOST_NAMES = 5, 3
"""Words of a line of a signature, and of a name."""


def courtesies(lines: Sequence[str], names: Collection[str] = ()) -> list[bool]:
    """Say of each of these lines, which follow each other, whether it is courtesy. `names` are
    words of the writer's name, in lower case. A line that is none of it ends a signature; one
    without a letter says nothing, either."""
    found: list[bool] = []
    below = 0
    for line in lines:
        words = _WORD.findall(line)
        says_nothing = len(line) <= _LONGEST and _is_courtesy(line, words, names)
        if says_nothing and _begins("closing", line):
            below = _SIGNATURE + 1
        signs = below > 0 and len(words) <= _MOST_WORDS and len(line) <= _LONGEST
        below = below - 1 if signs else 0
        found.append(says_nothing or signs)
    return found


_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def _is_courtesy(line: str, words: Sequence[str], names: Collection[str]) -> bool:
    """Return whether a line has no other words than of courtesy, and names behind a greeting."""
    if _begins("wishing", line):
        return True
    plainly = {each: plain(each) for each in words if each.casefold() not in names}
    rest = [word for word, key in plainly.items() if key not in _common() and not says_nothing(key)]
    if not plainly:
        return True
    greets, closes = _begins("greet", line), _begins("closing", line)
    if not rest:
        return greets or closes or line.rstrip().endswith(":") or _begins("announces", line)
    # Who is greeted stands before the comma, who takes leave may stand behind it.
    named = _WORD.findall(line if closes else line.partition(",")[0])
    return (
        (greets or closes)
        and len(rest) <= _MOST_NAMES
        and all(each[0].isupper() and each in named for each in rest)
    )


def _begins(kind: str, line: str) -> bool:
    found = greetings()[kind].match(plain(line.lstrip(" *_~-–—(")))
    return found is not None


@cache
def _common() -> frozenset[str]:
    return frozenset(
        plain(word)
        for listed in in_all_languages("common")
        for line in listed
        for word in line.split()
        if not is_barring(plain(word))
    )
