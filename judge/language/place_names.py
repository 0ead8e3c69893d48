"""The names in a line: places with their coasts, powers, and units, wherever one may stand."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from enum import Enum
from functools import lru_cache
from typing import Final, NamedTuple

from judge.language.drafts import Misread
from judge.language.names import EXACT, FUZZY, MOST_WORDS, PREFIX, Match, Names, coast_of
from judge.language.vocabulary import LINE, SAID, Phrases, Token
from judge.rules.phase import Kind
from judge.rules.position import Unit


class Location(NamedTuple):
    location: str
    end: int
    tier: int


class NamedUnit(NamedTuple):
    unit: Unit
    owner: str | None
    end: int
    tier: int


class Aim(NamedTuple):
    """Where a move goes: its end, waters on the way, whether it is to go by convoy."""

    to: str
    path: tuple[str, ...]
    via: bool | None
    end: int
    tier: int


class Mode(Enum):
    """How names are read: as they are; short ones as any that begin so, of which the board allows
    one; misspelled; and words that are none in their place, to say what is wrong."""

    PLAIN = "plain"
    OPEN = "open"
    FUZZY = "fuzzy"
    LENIENT = "lenient"


class NameParser:
    """Finds the places, powers and units that are named in a line. Positions are indices into its
    tokens."""

    def __init__(
        self, names: Names, found: Sequence[Token], kind: Kind, mode: Mode = Mode.PLAIN
    ) -> None:
        self.names, self.found, self.kind, self.mode = names, found, kind, mode
        self.open, self.fuzzy = mode is Mode.OPEN, mode in (Mode.FUZZY, Mode.LENIENT)
        self.words = names.words
        self._at, self._ways, self._owned = _found_in(names, (*found,), mode)
        self._depth = 0

    # -- tokens

    def key(self, place: int) -> str:
        """Return the word at `place` in comparable form, "" where there is none."""
        return self.found[place].key if place < len(self.found) else ""

    def kind_at(self, place: int) -> str:
        """Return the kind of the token at `place`, "" behind the last."""
        return self.found[place].kind if place < len(self.found) else ""

    def _is_elided(self, place: int) -> bool:
        """Return whether an article that lost its vowel (`l'armée`) stands at `place`."""
        return place < len(self.found) and self.found[place].text[-1:] in ("'", "’")

    def act(self, place: int) -> tuple[str, int] | None:
        """Return what a unit is told to do at `place`, by its letter, and the place after the
        words."""
        if self._is_elided(place):
            return None
        return self.words.acts[self.kind].find(self.found, place)

    def verb(self, place: int) -> str | None:
        """Return the letter of what a unit is told to do at `place`."""
        act = self.act(place)
        return act[0] if act else None

    def unit_kind(self, place: int) -> tuple[str, int] | None:
        """Return the letter of the kind of unit named at `place`, and the place after its name."""
        first = self.key(place)
        if self._is_elided(place):
            return None
        if self.words.pairs and (code := self.words.pairs.get((first, self.key(place + 1)))):
            return code, place + 2
        code = self.words.kinds.get(first)
        return (code, place + 1) if code else None

    def skip(self, place: int, words: Phrases | Collection[str]) -> int:
        """Return the place after one of `words`, if one stands at `place`."""
        if isinstance(words, Phrases):
            return words.end(self.found, place)
        return place + 1 if self.key(place) in words else place

    def before_name(self, place: int, words: Phrases | Collection[str]) -> int:
        """Return the place after one of `words`, which may stand before the name of a place, unless
        it is the name itself."""
        word = self.key(place)
        named = word in self.names.single and not self.locations(place + 1)
        return place if named else self.skip(place, words)

    def skip_kind(self, place: int, kind: str) -> int:
        """Return the place after a token of `kind`, if one stands at `place`."""
        return place + 1 if self.kind_at(place) == kind else place

    # -- names

    def locations(self, place: int) -> list[Location]:
        """Return what location may be named from `place` on, longest first."""
        found = self._at.get(place)
        if found is None:
            found = self._at[place] = list(self._coasted(self._provinces(place)))
            found += self._coast_first(place)
        return found

    def _coasted(self, provinces: Iterator[Location]) -> Iterator[Location]:
        for location, end, tier in provinces:
            coast, after = self._coast(location, end)
            if not coast or isinstance(location, Misread):
                yield Location(location, after, tier)
                continue
            split, marked = self._split(location), self.kind_at(end) in ("/", "(")
            yield Location(f"{location}/{coast}", after, tier if split or marked else PREFIX)
            if not marked:
                # Or a place of its own: South China Sea (scs), Coast of Vietnam.
                yield Location(location, end, PREFIX if split else tier)

    def _coast(self, province: str, place: int) -> tuple[str | None, int]:
        """Return the coast named at `place` behind a province, and the place after it."""
        place = self.skip_kind(before := place, ",")
        mark = self.kind_at(place)
        start = place + 1 if mark in ("/", "(") else place
        for count in (2, 1):
            words = tuple(self.key(index) for index in range(start, start + count))
            if not all(words):
                continue
            coast = coast_of(words, marked=start > place, own=self.names.coasts)
            end = start + count
            if place > before and start == place:
                # Behind a comma another place may come.
                longer = any(after > end for _, after, _ in self.locations(start))
                if longer or words[0] in self.names.single:
                    continue
            if coast is None or (mark == "(" and self.kind_at(end) != ")"):
                continue
            if mark == "(" and self.verb(start) and not self._is_marked(province, end + 1):
                continue
            bare = words[-1] in SAID["bare_coast"] or coast in self.names.coasts
            if mark not in ("/", "(") and bare and not self._split(province):
                continue
            return coast, end + (mark == "(")
        return None, before

    def _is_marked(self, province: str, place: int) -> bool:
        """Return whether a letter in brackets is a coast, not the verb in `A bur (S) A pic`."""
        goes_on = self.kind_at(place) == "word" and not self.verb(place)
        return self._split(province) and not goes_on

    def _split(self, province: str) -> bool:
        known = self.names.variant.board.provinces.get(province)
        return known is not None and bool(known.coasts)

    def _coast_first(self, place: int) -> Iterator[Location]:
        """`north coast of Spain`."""
        place = self.skip(place, {"the"})
        words = (self.key(place), self.key(place + 1))
        if words[1] == "coast" and (coast := coast_of(words, marked=False, own=self.names.coasts)):
            for location, end, tier in self._provinces(self.skip(place + 2, {"of"})):
                yield Location(f"{location}/{coast}", end, tier)

    def _provinces(self, place: int) -> Iterator[Location]:
        if self.key(place) == "the":
            # Of the name, or an article.
            yield from self._called(place)
            place += 1
        yield from self._called(place)

    def _words_from(self, start: int) -> tuple[list[str], list[int], list[bool]]:
        """Return the words that may be one name, where each ends, and whether behind a dash."""
        words: list[str] = []
        ends: list[int] = []
        dashes: list[bool] = []
        dashed = False
        index = start
        while len(words) < MOST_WORDS and (token := self.kind_at(index)) in ("word", "-"):
            if token == "-":
                if not words or (dashed and not dashes[-1]):
                    break
                dashed = True
            else:
                words.append(self.key(index))
                ends.append(index + 1)
                dashes.append(dashed)
            index += 1
        return words, ends, dashes

    def _called(self, start: int) -> Iterator[Location]:
        words, ends, dashes = self._words_from(start)
        hyphened = self.names.provinces.hyphened
        whole = False
        for count in range(len(words), 0, -1):
            if self._is_elided(ends[count - 1] - 1):
                continue
            match = self.names.provinces.find(tuple(words[:count]))
            small = words[0] in SAID["article"] or any(words[0] in each for each in _NO_NAMES)
            if count == 1 and match.tier == PREFIX and small:
                # What names begin with, too: the Philippines.
                continue
            # A letter before a name is a unit's or a verb's, not a part of it misspelled.
            if not match.ids and self._may_guess(words[:count], dashes[count - 1]):
                match = self._guessed(start, words[:count])
            if self.open and not dashes[count - 1]:
                known = self.names.provinces
                several = known.beginnings(words[0]) if count == 1 else match.ids
                if len(several) > 1 or several != match.ids:
                    ranked, end = known.ranked(words[0], several), ends[count - 1]
                    yield from (Location(each, end, tier) for each, tier in ranked)
                    continue
            if len(match.ids) == 1:
                # `swe - den` spells Sweden, too; a dash within a name is the less likely reading
                # unless the name has one.
                joined = dashes[count - 1] and tuple(words[:count]) not in hyphened
                # So is half a name: "Mediterranean Sea" is rather one space than two.
                tier = max(match.tier, PREFIX) if joined or whole else match.tier
                whole = whole or tier == EXACT
                yield Location(match.ids[0], ends[count - 1], tier)
        if self.mode is Mode.LENIENT:
            yield from self._misread(start, words, ends, dashes)

    def _guessed(self, start: int, words: Sequence[str]) -> Match:
        """Return what words are that are no name: one misspelled, or one of another language cut
        short."""
        match = self.names.provinces.guess_of(words)
        cut = not match.ids and len(words) == 1 and self._is_signed(start)
        return self.names.provinces.short_for(words[0]) if cut else match

    def _is_signed(self, place: int) -> bool:
        """Return whether a dash or the letter of a unit says that a word is a name."""
        before = place - 1 if place else len(self.found)
        letter = len(self.key(before)) == 1 and self.unit_kind(before) is not None
        return letter or "-" in (self.kind_at(before), self.kind_at(place + 1))

    def _may_guess(self, words: Sequence[str], dashed: bool) -> bool:
        return (
            self.fuzzy
            and not dashed
            and min(map(len, words)) > 2
            and self.words.verbs.keys().isdisjoint(words[:-1])
            and not self.names.powers.find(tuple(words)).ids
        )

    def _misread(
        self, start: int, words: list[str], ends: list[int], dashes: list[bool]
    ) -> Iterator[Location]:
        """Words in a name's place that are no name: one, or two that are no verbs."""
        for count in (1, 2):
            if count > len(words) or dashes[count - 1]:
                return
            taken = words[:count]
            if len(self.names.provinces.find(tuple(words[:1])).ids) == 1:
                return
            if any(map(self._is_known, taken)):
                return
            text = " ".join(token.text for token in self.found[start : ends[count - 1]])
            name = Misread(text)
            name.names, name.words = self.names, tuple(taken)
            yield Location(name, ends[count - 1], FUZZY + count)

    def _is_known(self, word: str) -> bool:
        """Return whether a word is one of orders, stands around them, or is a power or a number."""
        words = self.words
        around = any(word in each for each in (SAID["to"], *_NO_NAMES))
        known = around or word in words.verbs or word in words.kinds
        return known or word in self.names.powers.exact or word.isdecimal()

    def owners(self, place: int) -> Iterator[tuple[str | None, int, int]]:
        """Yield the power named from `place` on, with the end of its name; also none at all."""
        yield None, place, EXACT
        words: list[str] = []
        index = place
        while len(words) < MOST_WORDS and self.kind_at(index) in ("word", "-"):
            if self.kind_at(index) == "word":
                words.append(self.key(index))
                match = self.names.powers.find(tuple(words))
                if len(match.ids) == 1:
                    yield match.ids[0], self.skip_kind(index + 1, ":"), match.tier
            index += 1
        letter = self.names.variant.letters.get(self.key(place).upper())
        if letter and self.kind_at(place + 1) == ":":
            yield letter, place + 2, EXACT

    # -- units

    def owned_units(self, place: int) -> list[NamedUnit]:
        """Return the units that may be named from `place` on: `the French army in Paris`."""
        found = self._owned.get(place)
        if found is None:
            found = self._owned[place] = [
                NamedUnit(
                    unit, owner, end, max(tier, unit_tier, self._skipped(place, start, after, then))
                )
                for start in self._articles(place)
                for owner, after, tier in self.owners(start)
                for then in self._articles(after)
                for unit, end, unit_tier in self.units(then)
            ]
            found.extend(self._owned_behind(place))
        return found

    def _owned_behind(self, place: int) -> Iterator[NamedUnit]:
        """Yield the units whose owner stands behind a word for them (`l'armée autrichienne de
        Serbie`)."""
        start = self._articles(place)[-1]
        named = self.unit_kind(start) if len(self.key(start)) > 2 else None
        for owner, after, tier in self.owners(named[1]) if named else ():
            for at in self._at_places(after) if owner else ():
                for location, end, place_tier in self.locations(at):
                    unit = Unit(named[0] if named else "", location)
                    yield NamedUnit(unit, owner, end, max(tier, place_tier))

    def _skipped(self, place: int, start: int, after: int, then: int) -> int:
        """Return how sure names are behind articles: where one is a name itself, that is surer."""
        skipped = [self.key(each) for each in (*range(place, start), *range(after, then))]
        return PREFIX if any(each in self.names.single for each in skipped) else EXACT

    def _articles(self, place: int) -> list[int]:
        """Return where a name may begin behind articles, and where what may be one begins a name
        itself; a letter is an article only where a longer word for a unit follows."""
        found: list[int] = []
        for _ in range(_MOST_ARTICLES):
            after = self.skip(place, SAID["article"])
            if self.skip(place, SAID["unit"]) > place and self.skip(after, SAID["at"]) > after:
                break
            word = self.key(place)
            letter = word == "an" or (len(word) == 1 and not self._is_elided(place))
            if after == place or (letter and not self._is_unit_word(after)):
                break
            if self.key(place) in self.names.begin:
                found.append(place)
            place = after
        return [*found, place]

    def _is_unit_word(self, place: int) -> bool:
        """Return whether a whole word for a unit stands here, or an adjective before one."""
        return any(
            len(self.key(each)) > 2 and self.unit_kind(each) is not None
            for each in (place, place + 1)
        )

    def units(self, place: int) -> Iterator[tuple[Unit, int, int]]:
        """Yield the units that may be named from `place` on, without their owner."""
        if named := self.unit_kind(place):
            for start in self._at_places(named[1]):
                for location, end, tier in self.locations(start):
                    yield Unit(named[0], location), end, tier
        start = self.skip(place, SAID["unit"])
        for at in [place, *(self._at_places(start) if start > place else [])]:
            begin = at if at > place else self.before_name(place, SAID["aim"])
            for location, end, tier in self.locations(begin):
                yield Unit("", location), end, tier
                # `the Madras fleet`, `the Bulgarian unit`
                behind = self.unit_kind(end) or ("", self.skip(end, SAID["unit"]))
                if at == place and len(self.key(end)) > 2 and behind[1] > end:
                    yield Unit(behind[0], location), behind[1], max(tier, PREFIX)

        province = self.names.adjectives.get(self.key(place))
        if province is not None:
            behind = self.unit_kind(place + 1) or ("", self.skip(place + 1, SAID["unit"]))
            if behind[1] > place + 1 and len(self.key(place + 1)) > 2:
                yield Unit(behind[0], province), behind[1], EXACT

    def _at_places(self, place: int) -> list[int]:
        """Return where the name of a unit's place may begin: at once, or behind `in`."""
        dashed = place
        if self.kind_at(place) == "-" and len(self.key(place - 1)) > 2:
            # A letter of French that a program makes an arrow of, and that people write.
            dashed += self.found[place].text == "→"
        after = self.skip(start := self.skip_kind(dashed, ":"), SAID["at"])
        after += after == start and self._is_elided(after)
        return [place, self._named(after)] if after > place else [place]

    def _named(self, place: int) -> int:
        """Return the place after an article, or `the port of`, that is no part of a name."""
        after = self.before_name(place, SAID["place_of"])
        longer = after > place and any(end > after for _, end, _ in self.locations(place))
        return place if longer else after


@lru_cache(maxsize=64)
def _found_in(
    names: Names, found: tuple[Token, ...], mode: Mode
) -> tuple[dict[int, list[Location]], dict[int, list[Aim]], dict[int, list[NamedUnit]]]:
    """Return what the parsers of a line find by place, whatever phase they read it for."""
    return {}, {}, {}


_NO_NAMES: Final = [LINE[name] for name in ("join", "condition", "negation", "doubt", "time")]
_MOST_ARTICLES: Final = 4
