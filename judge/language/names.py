"""Names of provinces and powers as people write them.

Three ways to know a name, the surer first: it is one of the board's names (id, full name, alias);
it is the beginning of the names of one province only, word by word (`Norw. Sea`, `Mid Atl`); it is
one slip of the pen away from one name and from no other. Two candidates are never guessed between.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import ClassVar, NamedTuple

from judge.language.misreadings import Fault, Misreading, ReadError
from judge.language.vocabulary import SAID, Token, Vocabulary, listed, tokens
from judge.rules.board import COASTS, Board, Derived, name_key, province_of
from judge.rules.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support
from judge.rules.position import Unit
from judge.rules.variant import Variant

EXACT, PREFIX, FUZZY = range(3)
"""How sure a match is; less is surer."""

MOST_WORDS = 5
"""No name is looked for over more words than this."""

_SHORTEST_PREFIX = 3
_SHORTEST_FUZZY = 5
_MOST_CANDIDATES = 6

_ORDER_LETTERS = "abcdfhmrstw"
"""Letters that are units or verbs in an order."""

_COASTS = {name_key(said): coast for coast, names in listed("coasts").items() for said in names}
"""How each coast is written; in brackets or after a slash its first letter does, too."""
for _coast, _whole in COASTS.items():
    _side = _whole.removesuffix(" coast")
    for _said in (_whole, _coast, _side, f"{_side}ern coast", f"{_coast[0]} coast"):
        _COASTS[name_key(_said)] = _coast
_COAST_LETTERS = {coast[0]: coast for coast in COASTS}


class Match(NamedTuple):
    """What a text may mean: one id, or several when it is ambiguous, and how sure that is."""

    ids: tuple[str, ...]
    tier: int


_NOTHING = Match((), EXACT)


class Index:
    """Finds ids by names: a table of what each id is called, and the ways to know a name.

    `unclear` are names that mean several ids on purpose; `foreign` names are known where no other
    id is called so, and not by their beginnings.
    """

    def __init__(
        self,
        called: Mapping[str, Iterable[str]],
        unclear: Mapping[str, tuple[str, ...]] | None = None,
        foreign: Mapping[str, Iterable[str]] | None = None,
    ) -> None:
        self.exact: dict[str, str] = {}
        self.unclear = {name_key(name): ids for name, ids in (unclear or {}).items()}
        rows = [(key, name) for key, names in called.items() for name in names]
        self.words = [(key, words_of(name)) for key, name in rows]
        for (key, name), (_, words) in zip(rows, self.words, strict=True):
            for spelled in (name_key(name), "".join(words)):
                self.exact.setdefault(spelled, key)
        own = frozenset(self.exact)
        others = [(key, name) for key, names in (foreign or {}).items() for name in names]
        rows += [row for row in others if self.exact.setdefault(name_key(row[1]), row[0]) == row[0]]
        self.hyphened: set[tuple[str, ...]] = set()
        """Words with which a name begins that is written with a hyphen."""
        self._written: set[tuple[str, ...]] = set()
        for _, name in rows:
            words = words_of(name)
            self._written |= {words, _spoken(name)}
            if "-" in name:
                self.hyphened |= {words[:count] for count in range(2, len(words) + 1)}
        self._near = Spellings(self.exact).near
        self._foreign = self.exact.keys() - own
        self._beginnings: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
        for meaning, parts in self.words:
            full = tuple(word for word in parts if word != "of")
            self._beginnings.setdefault("".join(full)[:1], []).append((meaning, full))
        self._joined = [(meaning, "".join(parts)) for meaning, parts in self.words]
        self.find: Callable[[tuple[str, ...]], Match] = lru_cache(maxsize=20_000)(self._find)
        """What words mean together, by exact name or by beginnings; no ids when nothing."""
        self.guess: Callable[[str], Match] = lru_cache(maxsize=20_000)(self._guess)
        """The one id whose name is a slip or two away from a key, if no other comes near."""

    def mean(self, words: tuple[str, ...]) -> Match:
        """Return what words mean together, misspelled ones, too."""
        match = self.find(words)
        return match if match.ids else self.guess("".join(words))

    def _find(self, words: tuple[str, ...]) -> Match:
        if max(map(len, words), default=0) < 2:
            return _NOTHING
        if words not in self._written and not _are_name_words(words):
            return _NOTHING
        key = "".join(words)
        if key in self.unclear:
            return Match(self.unclear[key], EXACT)
        if key in self.exact:
            whole = len(words) == 1 or words in self._written
            return Match((self.exact[key],), EXACT if whole else PREFIX)
        if len(words) == 1:
            return Match(self._beginning(key), PREFIX)
        return Match(self._abbreviated(words), PREFIX)

    def _beginning(self, key: str) -> tuple[str, ...]:
        if len(key) < _SHORTEST_PREFIX:
            return ()
        found = (meaning for meaning, name in self._joined if name.startswith(key))
        return tuple(dict.fromkeys(found))

    def beginnings(self, key: str) -> tuple[str, ...]:
        """Return the ids that a word is the name of, or the beginning of a name."""
        known = self.find((key,))
        exact = known.ids if known.tier == EXACT else ()
        return tuple(dict.fromkeys((*exact, *self._beginning(key))))

    def short_for(self, key: str) -> Match:
        """Return the one id whose name in some other language a short word begins (`esp`)."""
        begun = {self.exact[name] for name in self._foreign if name.startswith(key)}
        short = _SHORTEST_PREFIX <= len(key) < _SHORTEST_FUZZY and len(begun) == 1
        return Match(tuple(begun), FUZZY) if short else _NOTHING

    def ranked(self, key: str, ids: Collection[str]) -> list[tuple[str, int]]:
        """Return how sure it is that a word is short for the name of each id: where it begins names
        of one word, it is for none of several."""
        named = self._beginnings.get(key[:1], ())
        alone = {each for each, name in named if len(name) == 1 and name[0].startswith(key)}
        rest = PREFIX if alone.isdisjoint(ids) else FUZZY
        return [(each, PREFIX if each in alone else rest) for each in ids]

    def _abbreviated(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """Ids with a name that the words begin, each the word in its place (`norw sea`)."""
        bare = tuple(word for word in words if word and word != "of")
        if len(bare) < 2:
            return self._beginning("".join(bare))
        if max(map(len, bare)) < _SHORTEST_PREFIX:
            return ()
        alike = self._beginnings.get(bare[0][0], ())
        found = (
            meaning
            for meaning, full in alike
            if len(bare) <= len(full) and all(map(str.startswith, full, bare))
        )
        return tuple(dict.fromkeys(found))

    def _guess(self, key: str) -> Match:
        if len(key) < _SHORTEST_FUZZY:
            return _NOTHING
        allowed = 1 if len(key) < 8 else 2
        near = list(self._near(key, allowed + 1, _SHORTEST_FUZZY))
        first = min((distance for _, distance in near), default=allowed + 1)
        if first > allowed:
            return _NOTHING
        # Beside one of the board's own names, one of another language has to come as near.
        own = any(distance == first and name not in self._foreign for name, distance in near)
        rivals = (
            self.exact[name]
            for name, distance in sorted(near, key=lambda each: each[1])
            if distance + (own and name in self._foreign) <= first + 1
        )
        return Match(tuple(dict.fromkeys(rivals)), FUZZY)

    def guess_of(self, words: Sequence[str]) -> Match:
        """Return what words are together if they are misspelled, unless each by itself is a
        name."""
        guess = self.guess("".join(words))
        named = {self.exact.get(word, "") for word in words}
        return guess if "" in named or named <= {*guess.ids} else _NOTHING

    def candidates(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """Return what words that mean nothing may have been meant for, likeliest first."""
        key = "".join(words)
        if len(key) < _SHORTEST_PREFIX:
            return ()
        limit = 1 if len(key) < 5 else 2 if len(key) < 8 else 3
        near = dict.fromkeys(self.exact[name] for name, _ in self._near(key, limit))
        if len(key) >= 4:
            spaced = ((meaning, " " + " ".join(parts)) for meaning, parts in self.words)
            near |= dict.fromkeys(meaning for meaning, name in spaced if f" {key}" in name)
        return tuple(near)[:_MOST_CANDIDATES]


def _are_name_words(words: tuple[str, ...]) -> bool:
    """Return whether single letters among the words may be parts of a name.

    They may where a point of the compass stands first (`N. Atl.`), after "of" (`Gulf of L.`), and
    if they are no unit or verb (`St. P.`): `tyr r adr` is a retreat, not one from `Tyrr.`
    """
    return all(
        len(word) > 1
        or (
            word in "nsew" if place == 0 else words[place - 1] == "of" or word not in _ORDER_LETTERS
        )
        for place, word in enumerate(words)
    )


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text in comparable form; dots, hyphens and apostrophes do not count."""
    text = re.sub(r"['’`´]s\b", "", text)
    return tuple(filter(None, map(name_key, re.split(r"[^\w'’`´]+|_", text))))


def _spoken(name: str) -> tuple[str, ...]:
    """Return the words of a name as they stand in a line."""
    return tuple(token.key for token in tokens(name) if token.kind == "word")


def coast_of(
    words: tuple[str, ...], *, marked: bool, own: Collection[str] = frozenset()
) -> str | None:
    """Return the coast that the words name, None when they name none.

    `marked` says that a slash or brackets set the words off, so that single letters will do.
    `own` are the coasts that only the board has, by their words.
    """
    key = "".join(words)
    if own and (bare := key.removesuffix("coast")) in own:
        return bare
    if len(words) == 1 and len(key) == 3 and key.endswith("cs"):
        # As DAIDE writes them; in two words the second is a verb (`Spa/nc S A Gas`).
        key = key[:2]
    if marked and key in _COAST_LETTERS:
        return _COAST_LETTERS[key]
    return _COASTS.get(key)


class Names:
    """The names of one variant's provinces and powers. Make it by `Names.of(variant)`."""

    of: ClassVar[Derived[Variant, Names]]
    """The names of a variant, made once and kept with it."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        provinces = variant.board.provinces.values()
        foreign, powers = listed("provinces"), listed("powers")
        self.provinces = Index(
            {p.id: (p.id, p.name, *p.aliases) for p in provinces},
            variant.unclear,
            {
                # The Wash is the Wash, too.
                p.id: (*foreign.get(p.name, ()), re.sub(r"\A[Tt]he\s+", "", p.name))
                for p in provinces
            },
        )
        self.powers = Index(
            {
                power: (power, variant.adjectives[power], *variant.aliases.get(power, ()))
                for power in variant.powers
            },
            foreign={power: powers.get(power, ()) for power in variant.powers},
        )
        by_name = {p.name: p.id for p in provinces}
        self.adjectives = {
            name_key(said): by_name[name]
            for name, spoken in listed("adjectives").items()
            for said in spoken
            if name in by_name and name_key(said) not in self.powers.exact
        }
        """Provinces by what belongs to them: `the Serbian army`."""
        self.words = Vocabulary.of(variant.board)
        own = {kind.name for kind in variant.board.kinds.values()}
        self.kinds = Spellings(each for each in self.words.kinds if len(each) > 4 or each in own)
        """Words for units that may be misspelled."""
        self.single = frozenset(self.provinces.exact)
        """What is a name as a word by itself."""
        self.begin = frozenset(parts[0] for _, parts in self.provinces.words)
        """What names begin with."""
        self.coasts = frozenset(coast for p in provinces for coast in p.coasts) - {*COASTS}
        """The coasts that are none of the usual four: a river."""
        self.location: Callable[[str], str] = lru_cache(maxsize=20_000)(self._location)
        """The location that a text names: a province id, with `/nc` and the like for a coast.
        Raises ReadError: it names none or several, or a coast that the province does not have."""

    def _location(self, text: str) -> str:
        whole = self.provinces.find(words_of(text))
        if whole.tier == EXACT and len(whole.ids) == 1:
            # A name may end like a coast: the Middle East.
            return whole.ids[0]
        name, coast = _split_coast(text, self.coasts)
        words = words_of(name)
        ids = self.provinces.mean(words).ids
        if len(ids) != 1:
            raise ReadError(self.province_problem(name, words))
        (province,) = ids
        if coast is None:
            return province
        location = f"{province}/{coast}"
        if location not in self.variant.board.provinces[province].locations:
            raise ReadError(missing_coast(self.variant.board, location))
        return location

    def province_problem(self, text: str, words: tuple[str, ...]) -> Misreading:
        """Return why `text`, taken apart into `words`, is no province."""
        if ids := self.provinces.mean(words).ids:
            return Misreading(Fault.AMBIGUOUS_PROVINCE, text.strip(), ids)
        candidates = self.provinces.candidates(words)
        return Misreading(Fault.UNKNOWN_PROVINCE, text.strip(), candidates)

    def power(self, text: str) -> str:
        """Return the power that `text` names, by its name, adjective, letter or beginning. Raises
        ReadError where it names none or several."""
        text = text.strip()
        if letter := self.variant.letters.get(text.upper()):
            return letter
        words = words_of(text)
        ids = self.powers.mean(words).ids
        if len(ids) == 1:
            return ids[0]
        fault = Fault.AMBIGUOUS_POWER if ids else Fault.UNKNOWN_POWER
        raise ReadError(Misreading(fault, text, ids or self.powers.candidates(words)))

    def is_guess(self, text: str) -> bool:
        """Return whether a text names a power only if it is misspelled."""
        letter = self.variant.letters.get(text.strip().upper())
        return letter is None and not self.powers.find(words_of(text.strip())).ids


def _split_coast(text: str, own: Collection[str]) -> tuple[str, str | None]:
    """Return a location as written, in two: the name, and the coast if it ends with one."""
    if match := re.fullmatch(r"(.*?)(?:/|\(|\[)([^/()\[\]]*)[)\]]?[\s.]*", text, re.DOTALL):
        coast = coast_of(words_of(match[2]), marked=True, own=own)
        return (match[1], coast) if coast else (text, None)
    words = words_of(re.sub(r"\b([nsew])\.\s?c\b", r"\1c", text, flags=re.IGNORECASE))
    for count in (2, 1):
        if len(words) > count and (coast := coast_of(words[-count:], marked=False, own=own)):
            return " ".join(words[:-count]), coast
    return text, None


def missing_coast(board: Board, location: str) -> Misreading:
    """Return what is wrong with a location whose coast the province does not have."""
    there = board.provinces[location.partition("/")[0]].locations
    return Misreading(Fault.NO_SUCH_COAST, candidates=there, place=location)


Names.of = Derived(Names)


# -- other ways to take a line that cannot be read as it stands -----------------------------------

# People put units in brackets, glue a unit's letter to its province, and shorten names that only
# the board tells apart: `A(Bur)-Mun`, `fmid-por`, `A Liv.-Yor.`

_BRACKETS = ("(", ")")


def spellings(found: list[Token], names: Names) -> Iterator[list[Token]]:
    """Yield the tokens of a line: as written, without brackets, with glued letters apart."""
    yield found
    bare = [token for token in found if token.kind not in _BRACKETS]
    if len(bare) < len(found):
        yield bare
    apart = list(_apart(bare, names))
    if len(apart) > len(bare):
        yield apart


def _apart(found: list[Token], names: Names) -> Iterator[Token]:
    """Part the letter of a unit from the name of a province that follows it at once."""
    kinds = names.words.kinds
    for token in found:
        letter, rest = token.key[:1], token.key[1:]
        known = names.provinces.find((token.key,)).ids or token.key in kinds
        named = names.provinces.find((rest,)) if rest and not known else None
        one = named is not None and named.tier == EXACT and len(named.ids) == 1
        if letter in kinds and one and not any(token.key in each for each in SAID.values()):
            cut = token.start + 1
            yield Token("word", letter, letter, token.start, cut)
            yield Token("word", token.text[1:], rest, cut, token.end)
        else:
            yield token


def scanned(found: list[Token], names: Names) -> Iterator[list[Token]]:
    """Yield the tokens as they stood before a scan took a stop or an I for an l, or a V for a y
    (`Bull`, `ElO`, `yen`); for a line that can be nothing as it stands."""
    exact = names.provinces.exact
    mended = [_mended(token, exact) for token in found]
    if mended != found:
        yield mended


def _mended(token: Token, exact: Mapping[str, str]) -> Token:
    text = token.text
    if token.kind != "word" or not 3 <= len(text) <= 4 or not ("l" in text or text[0] == "y"):
        return token
    capitals = ("V" + text[1:] if text[0] == "y" else text).replace("l", "I")
    for read in (text[:-1] if text.endswith("l") and token.key not in exact else "", capitals):
        if len(read) == 3 and read != text and read.lower() in exact:
            return token._replace(text=read, key=read.lower())
    return token


def could_be(order: object, board: Board, *, by_sea: bool = True) -> bool:
    """Return whether the board allows an order, whatever stands on it; `by_sea`: also where an
    army's move needs a convoy that it does not name."""
    goes = _arrives if by_sea else _reaches
    if not isinstance(order, Hold | Move | Support | Convoy | Retreat | Build | Disband):
        return True
    if not could_stand(order.unit, board):
        return False
    match order:
        case Move() if order.path:
            return not (order.unit.kind and board.kind(order.unit.kind).afloat)
        case Move() if not order.via:
            return goes(order.unit, order.to, board)
        case Retreat():
            return _reaches(order.unit, order.to, board)
        case Support(target=target, to=to):
            near = _reaches(order.unit, target.location if to is None else to, board)
            return near and could_stand(target, board) and (to is None or goes(target, to, board))
        case Convoy():
            return could_stand(order.army, board) and _terrain(order.to, board) != "sea"
    return True


def _terrain(location: str, board: Board) -> str:
    return board.provinces[province_of(location)].terrain


def could_stand(unit: Unit, board: Board) -> bool:
    """Return whether there can be such a unit on the board, as far as it is named."""
    if not unit.kind or not unit.location:
        return True
    places = (unit.location, *board.provinces[unit.province].locations)
    return any(board.stands(unit.kind, place) for place in places)


def _reaches(unit: Unit, goal: str, board: Board) -> bool:
    """Return whether a unit is one step away from a province."""
    if not unit.location:
        return True
    places = {unit.location, *board.provinces[unit.province].locations}
    kinds = [unit.kind] if unit.kind else list(board.kinds)
    units = (Unit(kind, place) for kind in kinds for place in places)
    return province_of(goal) in board.provinces_near(units)


def _arrives(unit: Unit, goal: str, board: Board) -> bool:
    """Return whether a unit could get to a province, by convoy if need be."""
    if not unit.location:
        return True
    by_sea = _terrain(unit.location, board) == _terrain(goal, board) == "coast"
    by_sea = by_sea and province_of(goal) != unit.province
    return _reaches(unit, goal, board) or (by_sea and not board.kind(unit.kind).afloat)


def one_possible(orders: list[Order], board: Board) -> Order | None:
    """Return the one of several readings that the board allows, if there is exactly one."""
    possible = [order for order in dict.fromkeys(orders) if could_be(order, board, by_sea=False)]
    return possible[0] if len(possible) == 1 else None


# -- how far two spellings are apart --------------------------------------------------------------

# The language needs the standard library only; a few hundred names of a board are compared in less
# than a millisecond, because most differ in too many letters to be looked at.


class Spellings:
    """Words that are looked for by spellings close to theirs."""

    def __init__(self, words: Iterable[str]) -> None:
        self._by_length: dict[int, list[tuple[int, str, int]]] = {}
        for place, word in enumerate(words):
            self._by_length.setdefault(len(word), []).append((place, word, _letters(word)))

    def near(self, text: str, limit: int, shortest: int = 0) -> list[tuple[str, int]]:
        """Return the words within `limit` edits of `text`, with their distance, nearest first;
        none with fewer letters than `shortest`."""
        letters = _letters(text)
        found: list[tuple[int, int, str]] = []
        for length in range(max(len(text) - limit, shortest), len(text) + limit + 1):
            for place, word, others in self._by_length.get(length, ()):
                # Each edit adds one letter at most that the other spelling lacks.
                if (letters & ~others).bit_count() <= limit >= (others & ~letters).bit_count():
                    distance = edits(text, word, limit)
                    if distance <= limit:
                        found.append((distance, place, word))
        return [(word, distance) for distance, _, word in sorted(found)]


def _letters(word: str) -> int:
    """Return the set of a word's letters, as bits."""
    found = 0
    for letter in word:
        found |= 1 << (ord(letter) & 63)
    return found


def edits(left: str, right: str, limit: int) -> int:
    """Return how many letters to add, leave out, replace or swap with their neighbor make one word
    of the other (optimal string alignment); any number above `limit` where it takes more."""
    if abs(len(left) - len(right)) > limit:
        return limit + 1
    far = limit + 1
    older: list[int] = []
    before: list[int] = [*range(min(far, len(right)) + 1), *[far] * (len(right) - far)]
    for place, letter in enumerate(left):
        row = [far] * (len(right) + 1)
        row[0] = least = place + 1
        # What lies farther from the diagonal takes more edits than are allowed.
        for other in range(max(0, place - limit), min(len(right), place + far)):
            written = right[other]
            cost: int = before[other]
            if letter != written:
                cost += 1
                if row[other] < cost - 1:
                    cost = row[other] + 1
                if before[other + 1] < cost - 1:
                    cost = before[other + 1] + 1
                if place and other and letter == right[other - 1] and left[place - 1] == written:
                    cost = min(cost, older[other - 1] + 1)
            row[other + 1] = cost
            least = min(least, cost)
        if least > limit:
            return far
        older, before = before, row
    return before[-1]
