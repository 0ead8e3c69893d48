"""Whether what people write in words of their own was meant as an order, and whether an order that
they wrote was meant as another one, of which a slip has made it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from judge.language.names import Names, edits, words_of
from judge.language.phases import read_phase
from judge.language.problems import Fault, Misreading
from judge.language.read import read_order
from judge.language.vocabulary import ARROWS, DASHES, Vocabulary
from judge.rules.board import province_of
from judge.rules.orders import Build, Hold, Move, Order, Retreat, Support, Unreadable, place
from judge.rules.phase import Phase
from judge.rules.position import Unit
from judge.rules.variant import Variant

PROSE: Mapping[str, list[str]] = tomllib.loads(
    Path(__file__).with_name("prose.toml").read_text(encoding="utf-8")
)
"""Words of talk about orders, by what they do there."""

ANY = {name: "|".join(words) for name, words in PROSE.items()}
"""The same as patterns."""

_DOING = re.compile(rf"--?>|[-–—→=]|\b(?:{ANY['doing']})\b", re.IGNORECASE)
_VERBS = frozenset(PROSE["verbs"])
_MOST_WORDS = 12  # a line of more is prose, whatever it names
_JOINING = frozenset(PROSE["joining"])
_EVERYDAY = frozenset(PROSE["everyday"])
# Words next to a dash or an arrow, or behind the letter of a unit.
_AIMED = re.compile(
    r"(?:\b[AF]\.?\s|[-–—→➡>]\s?)([^\W\d_]{3,}+)|(?<![^\W\d_])([^\W\d_]{3,}+)\s?(?=[-–—→➡>])"
)
_LIKE_A_UNIT = re.compile(r"[AF]\s[A-Z][^\W\d_]{2,}\W*\Z")


def looks_like_order(line: str, names: Names) -> bool:
    """Whether a line that could not be read was probably meant as an order.

    It begins as orders do, with a unit, a province or a verb (a power may come first), names a
    province, and says something to do; what people write to a human being seldom does all three.
    """
    words = list(words_of(line))
    if words and words[0] in names.powers.exact:
        del words[0]
    if not words or len(words) > _MOST_WORDS:
        return False
    places = [word for word in words if len(word) > 2 and word in names.provinces.exact]
    known = names.words
    if words[0] in _VERBS:
        converts = words[0] == "convert" and not known.kinds.keys().isdisjoint(words[1:])
        return bool(places) or words[0] == "waive" or converts
    if words[0] in ("s", "c") and words[1:] and words[1] in known.kinds:
        return bool(places)
    if words[0] == "a" and len(words) > 1 and words[1] in _VERBS:
        # An article: "A move to Burgundy would be rude".
        return False
    acts = _DOING.search(line) is not None
    acts = acts or (known.bombs and any(word in known.verbs for word in words))
    if tuple(words[:2]) in known.pairs:
        return acts or (len(words) > 2 and words[2] in places)
    if words[0] in known.kinds:
        rest = line.partition(" ")[2].lstrip()
        named = len(words) > 1 and words[1] in places
        doing = _DOING.search(rest) is not None or (known.bombs and acts)
        return named or (rest[:1].isalpha() and doing)
    return words[0] in places and acts


def names_unit(order: Unreadable) -> bool:
    """Whether what could not be read speaks of a unit, wherever that may be."""
    fault = order.problem.fault if isinstance(order.problem, Misreading) else None
    unplaced = fault in (Fault.WHICH_UNIT, Fault.WHERE_BUILT)
    return unplaced or bool(order.unit and order.unit.kind)


def mentions_order(line: str, names: Names) -> bool:
    """Whether a line of talk names a province and says something to do, somewhere."""
    words = words_of(line)
    known = names.provinces.exact
    aimed = {each for found in _AIMED.findall(line) for each in words_of(" ".join(found))}
    places = sum(
        len(word) > 2 and word in known and (word not in _EVERYDAY or word in aimed)
        for word in words
    )
    acts = not _VERBS.isdisjoint(words) or any(word in known for word in aimed)
    return places > 1 or (places == 1 and acts) or _LIKE_A_UNIT.match(line) is not None


def is_terse_order(line: str, names: Names) -> bool:
    """Whether a line of talk that mentions an order has hardly a word that is none of an order."""
    if _DOING.search(line) is None or not mentions_order(line, names):
        return False
    words = words_of(line)
    known = names.words
    others = [
        word
        for word in words
        if not any(word in each for each in (names.provinces.exact, names.powers.exact))
        and not any(word in each for each in (known.kinds, known.verbs, _JOINING))
    ]
    return 3 * len(others) <= len(words)


_GAP = re.compile(r"(.+?\S)[ \t]{2,}([^\W\d_][\w. ]*)[.! ]*\Z")
GOES = re.compile(f"[{re.escape(DASHES + ARROWS)}]")
"""What stands between a unit and where it goes, and leaves no doubt of that."""


def meanings(text: str, order: Order, variant: Variant, units: Iterable[Unit]) -> tuple[str, ...]:
    """Return what a line may mean as well, as orders, the one that was read first; () where there
    is no doubt. `units` are the writer's own; there is nothing that `GOES`."""
    if isinstance(order, Move) and not order.path:
        # A letter between two blanks is soon lost, and a move looks like the support without it.
        gap = _GAP.match(text.strip())
        there = _standing(units, order.to)
        if gap and there and _is_unit(gap[1], order.unit, variant):
            return str(order), str(Support(order.unit, there))
    if isinstance(order, Support) and order.to is not None:
        there = _standing(units, order.to)
        if there is not None and _is_misspelled_kind(text, order.target, variant):
            return str(order), str(Support(order.unit, there))
    return ()


def _standing(units: Iterable[Unit], location: str) -> Unit | None:
    return next((unit for unit in units if unit.province == province_of(location)), None)


def _is_unit(text: str, unit: Unit, variant: Variant) -> bool:
    """Whether a text names this unit, and no verb."""
    found = read_order(f"{text.rstrip(' :')} H", variant, variant.start_phase)
    return isinstance(found, Hold) and found.unit.province == unit.province


def _is_misspelled_kind(text: str, unit: Unit, variant: Variant) -> bool:
    """Whether the word that was read as a unit may be the word for a kind of unit: `asmy`."""
    names, kinds = Names.of(variant).provinces, Vocabulary.of(variant.board).kinds
    return any(
        edits(word, kind, 1) == 1 and names.find((word[1:],)).ids == (unit.province,)
        for word in words_of(text)
        for kind in kinds
        if len(kind) > 3
    )


_LONGEST_NAME = 3
"""Words of a unit's name; a label of more is talk."""


def names_other_phase(label: str, variant: Variant, phase: Phase | None) -> bool:
    """Whether a label names a phase other than the one that is open."""
    if phase is None:
        return False
    try:
        return read_phase(label, variant)[:2] != phase[:2]
    except ValueError:
        return False


def places_named(label: str, variant: Variant) -> set[str | None]:
    """The provinces that a label names, as a unit in whatever notation or misspelled."""
    known = Names.of(variant).provinces
    unit = place(read_order(f"{label} H", variant, variant.start_phase))
    words = [word for word in words_of(label) if len(word) > 2]
    if len(words) > _LONGEST_NAME:
        return set()
    near = (known.find((word,)).ids or known.guess(word).ids for word in words)
    named: set[str | None] = {name for ids in near if len(ids) == 1 for name in ids}
    return {unit} if unit is not None else named


def power_named(label: str, variant: Variant) -> str | None:
    """The one power that a label names."""
    known = Names.of(variant).powers.exact
    found = {known[word] for word in words_of(label) if word in known}
    return found.pop() if len(found) == 1 else None


def with_coasts(order: Order, variant: Variant) -> Sequence[Order]:
    """The order with each coast of the province it ends in, where it names none or a wrong one."""
    provinces = variant.board.provinces
    match order:
        case Move(path=()) | Retreat():
            province = provinces.get(order.to.partition("/")[0])
            return [replace(order, to=to) for to in province.locations] if province else []
        case Build():
            province = provinces.get(order.unit.province)
            if province is None:
                return []
            return [
                replace(order, unit=order.unit._replace(location=there))
                for there in province.locations
            ]
    return []
