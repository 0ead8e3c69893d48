"""The places that words of a sentence name: in full, misspelled, and in the ways that only those
who are near them would."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from judge.game.orders.order_context import OrderContext
from judge.intake.wishes import places
from judge.language.names import Names, words_of
from judge.language.vocabulary import LINE, NUMBERS, SAID, Token, Vocabulary, listed, tokens
from judge.rules.board import Derived, name_key
from judge.rules.phase import Kind
from judge.rules.position import Unit
from judge.rules.variant import Variant


class Mention(NamedTuple):
    """A place that words name, from one token up to another."""

    start: int
    end: int
    province: str


def units_of(turn: OrderContext) -> Mapping[str, Unit]:
    """Return the writer's units that need an order, by province."""
    assert turn.position is not None
    power, units = turn.mine[0], list[Unit]()
    if turn.wanted is Kind.RETREATS:
        units = [each.unit for each in turn.position.dislodged.get(power, ())]
    elif turn.wanted is Kind.MOVEMENT:
        units = [*turn.position.units.get(power, ())]
    return {each.province: each for each in units}


def named(found: Sequence[Token], variant: Variant, near: NearNames) -> Iterator[Mention]:
    """Yield the places that words name, misspelled ones, too."""
    words = [at for at, token in enumerate(found) if token.kind == "word"]
    at = 0
    while at < len(words):
        here = [found[each].key for each in words[at : at + _LONGEST]]
        lengths = range(len(here), 0, -1)
        exact = ((n, to) for n in lengths if (to := _exact(here[:n], variant)))
        alike = ((n, to) for n in lengths if (to := _misspelled(here[:n], variant)))
        small = near.large and found[words[at]].text.islower()
        length, province = (
            next(exact, None)
            or (None if small else next(alike, None))
            or (1, near.find(here[0], small))
        )
        # `s'il` is no `Sil`.
        cut = length == 1 and not {*"'’"}.isdisjoint(found[words[at]].text)
        if province and not (cut and len(here[0]) < _SHORTEST):
            yield Mention(words[at], words[at + length - 1] + 1, province)
        at += length


def _written(text: str, variant: Variant) -> Iterator[str]:
    """Yield the names behind the first word of a text as they are written there."""
    words = [token for token in tokens(text) if token.kind == "word"]
    for at, word in enumerate(words[1:], 1):
        both = [each.key for each in words[at : at + 2]]
        if _exact(both[:1], variant) or _exact(both, variant):
            yield word.text


def _exact(words: Sequence[str], variant: Variant) -> str | None:
    """Return the place that words name together; an ordinary word is none by itself."""
    known, key = places(variant), "".join(words)
    if key not in known or (len(words) == 1 and key in _ORDINARY):
        return None
    return Names.of(variant).provinces.exact["".join(words_of(known[key]))]


def _misspelled(words: Sequence[str], variant: Variant) -> str | None:
    """Return the one place that words name together, misspelled."""
    if sum(map(len, words)) <= _GUESSED or words[0] in _ORDINARY or words[-1] in LINE["join"]:
        return None
    kinds = Vocabulary.of(variant.board).kinds
    if any(each in kinds for each in words):
        return None
    ids = Names.of(variant).provinces.mean(tuple(words)).ids
    return ids[0] if len(ids) == 1 else None


@Derived
def _by_letter(variant: Variant) -> Mapping[str, Sequence[tuple[str, str, bool]]]:
    """Return the names of the places of a board, and the words of those that have several, by their
    first letter: each with the place, and whether it is a part."""
    provinces = Names.of(variant).provinces
    every = {
        (name, provinces.exact["".join(words_of(known))], False)
        for name, known in places(variant).items()
    }
    every |= {(word, to, True) for to, words in provinces.words if len(words) > 1 for word in words}
    for english, local in listed("provinces").items():
        to = provinces.exact.get(name_key(english))
        words = [word for each in local for word in words_of(each) if " " in each.strip()]
        every |= {(word, to, True) for word in words if to and word not in _ORDINARY}
    found: dict[str, list[tuple[str, str, bool]]] = {}
    for each in sorted(every):
        if len(each[0]) >= _SHORTEST:
            found.setdefault(each[0][0], []).append(each)
    return found


class NearNames:
    """Words that name a place only for those whose units are there or can go there, where names
    are as large as in `texts` of the same mail."""

    def __init__(self, turn: OrderContext, texts: Iterable[str]) -> None:
        units = units_of(turn)
        self.own = units.keys()
        self.near = self.own | turn.variant.board.provinces_near([*units.values()])
        self.known = _by_letter(turn.variant)
        self._kinds = Vocabulary.of(turn.variant.board).kinds
        written = [each for text in texts for each in _written(text, turn.variant)]
        # Then no small word (`elle pousse`) is a name misspelled.
        self.large = bool(written) and not any(each.islower() for each in written)

    def find(self, word: str, small: bool) -> str | None:
        """Return the place near by of whose name a word is a part (`the Atlantic`), or unless it is
        too `small` for a name, from which it is made (`the Parisians`), or whose letters it has in
        another order."""
        if len(word) < _SHORTEST or word in _ORDINARY:
            return None
        alike = [each for each in self.known.get(word[0], ()) if each[1] in self.near]
        found = {
            to
            for part, to, is_part in alike
            if is_part
            and (same := _alike(word, part)) > _SHORTEST
            # Up to its ending.
            and max(len(word), len(part)) - same < _CUT
        }
        if not (found or small):
            found = {to for name, to, part in alike if not part and self._is_made(word, name, to)}
        return found.pop() if len(found) == 1 else None

    def _is_made(self, word: str, name: str, province: str) -> bool:
        """Return whether a word is a name in another order of letters, or of who lives there."""
        if len(word) == len(name) and sorted(word) == sorted(name):
            return True
        if province not in self.own:
            return False
        alike = _alike(word, name)
        cut, put_on = len(name) - alike, len(word) - alike
        # `York wanders up to Edinburgh`, `die Ruhrarmee`
        begun, joined = not put_on, word[alike:] in self._kinds
        return alike >= _SHORTEST and (begun or cut <= _CUT) and (joined or put_on <= _PUT_ON)


def _alike(word: str, name: str) -> int:
    """Return with how many equal letters two words begin."""
    pairs = enumerate(zip(word, name, strict=False))
    return next((at for at, (one, other) in pairs if one != other), min(len(word), len(name)))


_SHORTEST, _CUT, _PUT_ON = 4, 2, 4
"""Letters of a word that is near a name, and those that an adjective may cut of it and put on."""

_LONGEST = 4
"""Words of a name."""

_ORDINARY = (
    frozenset(word for words in (*SAID.values(), *LINE.values()) for word in words.single)
    | NUMBERS.keys()
)
"""Words that say something of their own."""

_GUESSED = 5
"""Letters of words that may be a name misspelled."""
