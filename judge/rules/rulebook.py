"""A rulebook: one choice for every point that the published rules leave in dispute.

The issues, their numbers and most letters are those of chapter 4 of the Diplomacy Adjudicator Test
Cases 3.0 (DATC). `docs/choices.md` says what each edition chooses and why.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache, cached_property
from typing import Final


class RulebookError(ValueError):
    """A rulebook, an issue or a letter that does not exist; the message names key and value."""


def _choice(issue: str, default: str, letters: str, refused: str = "", why: str = "") -> str:
    """Return a field for one issue: its `letters` can be chosen; `why` says why those `refused`
    cannot."""
    metadata = {"issue": issue, "letters": letters, "refused": refused, "why": why}
    value: str = field(default=default, metadata=metadata)
    return value


@dataclass(frozen=True)
class Rulebook:
    """The choices in force, by issue; the defaults are those of the 2023 rulebook.

    Immutable and hashable. Make one by `Rulebook.edition(...)` and `with_options(...)`.
    """

    name: str = "2023"

    short_game: str = "centers"
    """What decides a game that is stopped at a set time, and who has a share in a draw: the centers
    that a player owns (2023, "Object of the Game") or his units on the board (1976, II and III)."""

    routes_lost: str = _choice("4.A.1", "b", "ab")
    """A convoy with several routes fails a: with the first lost, b: with the last lost."""
    paradox: str = _choice(
        "4.A.2", "f", "abcdf", "e", 'what an army "causes" was never made precise enough to follow'
    )
    """A landing that decides about its own convoy. a: 1971, b: 1982, c: 2000/2023 to the letter,
    d: all moves of the paradox fail, f: Szykman."""
    land_or_sea: str = _choice("4.A.3", "c", "abcde")
    """How an army travels next door when a convoy is ordered too. a: 1971, b: intent of its player,
    c: an own convoying fleet or "via convoy", d: as c with the land to fall back on, e: only
    "via convoy"."""
    cut_by_sea: str = _choice("4.A.4", "a", "ab")
    """An attack by sea on a support aimed at the army's own province. a: no cut, b: cut."""
    retreat_to_sailor: str = _choice("4.A.5", "b", "ab")
    """Retreat to the province a convoyed attacker came from. a: barred, b: allowed."""
    named_route: str = _choice("4.A.6", "b", "abc")
    """Waters named in the army's order. a: they only say that it wants to sail, b: it goes that way
    or not at all, c: as b, and an army that names no waters does not sail."""
    dislodged_effect: str = _choice("4.A.7", "b", "ab")
    """A dislodged unit's move to where its attacker came from. a: no effect ever, b: no effect only
    after a head-to-head battle."""

    coast_missing: str = _choice("4.B.1", "a", "ab")
    """Fleet to one of two possible coasts, none named. a: fails, b: the first by name."""
    coast_implied: str = _choice("4.B.2", "a", "ab")
    """Fleet to the only possible coast, not named. a: goes there, b: fails."""
    coast_impossible: str = _choice("4.B.3", "b", "ab")
    """Fleet to a coast out of reach while another is in reach. a: takes that, b: illegal."""
    support_coast: str = _choice("4.B.4", "c", "abc")
    """The coast in a support of a fleet's move, two being possible. a: must be named, b: may be
    left out for the own fleet, c: may be left out."""
    wrong_coast: str = _choice("4.B.5", "b", "ab")
    """A fleet written with a coast it is not on. a: fails, b: the coast is overlooked."""
    idle_coast: str = _choice("4.B.6", "b", "ab")
    """A coast that does not exist or does not matter. a: fails, b: overlooked."""
    build_coast: str = _choice("4.B.7", "a", "ab")
    """Fleet built where there are two coasts, none named. a: fails, b: the first by name."""

    letter_missing: str = _choice("4.C.1", "b", "abc")
    """Order without A or F. a: invalid, b: valid, c: valid unless another names the unit right."""
    letter_wrong: str = _choice("4.C.2", "b", "abc")
    """Order with the wrong letter; letters as for 4.C.1."""
    build_letter: str = _choice("4.C.3", "c", "abc")
    """Build without A or F. a: fails, b: an army inland, c: also a fleet where a coast is named."""
    fleet_inland: str = _choice("4.C.4", "a", "ab")
    """Fleet built inland. a: fails, b: an army is built."""
    nation_missing: str = _choice("4.C.5", "b", "abc")
    """Support or convoy of a foreign unit without its nationality. a: invalid, b: valid, c: valid
    unless another order for the supporting or convoying unit has it."""
    nation_wrong: str = _choice("4.C.6", "b", "abc")
    """The same with a wrong nationality; letters as for 4.C.5."""

    order_sets: str = _choice(
        "4.D.1",
        "a",
        "a",
        "bcd",
        "several mails are always combined, so that no mail undoes what it does not speak of",
    )
    """Several sets of orders in a known sequence. a: combined, the last word on a unit counts."""
    order_sets_unknown: str = _choice(
        "4.D.2", "b", "b", "a", "mails always have a sequence, that of their arrival"
    )
    """Several sets in an unknown sequence. b: combined."""
    twice_ordered: str = _choice("4.D.3", "c", "abc")
    """Several different legal orders for a unit in one set. a: the first, b: the last, c: none."""
    too_many_builds: str = _choice("4.D.4", "b", "abc")
    """More builds than owed. a: none, b: the first legal ones, c: the last legal ones."""
    built_twice: str = _choice("4.D.5", "b", "abc")
    """Two builds in one place. a: none, b: the first, c: the last."""
    too_many_removals: str = _choice("4.D.6", "b", "abc")
    """More removals than due. a: as in civil disorder, b: the first legal ones, c: the last."""
    waiving: str = _choice("4.D.7", "a", "ab")
    """Declining a build. a: allowed, b: not allowed."""
    removal: str = _choice("4.D.8", "b", "abc")
    """Which unit goes when none is named. a: farthest from home by its own way, b: farthest from an
    owned center over provinces of any kind, c: as b, but units on centers last."""
    disorder_support: str = _choice("4.D.9", "b", "ab")
    """Supporting a unit of a power that gave no orders at all. a: fails, b: counts."""

    impossible: str = _choice("4.E.1", "a", "ab")
    """An impossible move. a: ignored, the unit holds and can be supported; b: it cannot."""
    poorly_written: str = _choice(
        "4.E.2", "a", "a", "b", "an order that is read in the light of others is guessed at"
    )
    """Badly written orders. a: each is read by itself."""
    implied: str = _choice("4.E.3", "b", "ab")
    """Orders implied by a support or a convoy. a: allowed for a unit of the same power that was
    given no order, b: not allowed."""
    perpetual: str = _choice(
        "4.E.4", "b", "b", "a", "orders are for one phase; nothing is carried over to the next"
    )
    """Orders to be repeated every turn. b: not allowed."""
    proxy: str = _choice(
        "4.E.5",
        "c",
        "c",
        "ab",
        "it needs the owner's consent, which an order cannot carry",
    )
    """Letting another player order a unit. c: not allowed."""

    @staticmethod
    def edition(name: str) -> Rulebook:
        """Return the rulebook called `name`; one of `editions()`. Raises RulebookError."""
        return _edition(name)

    @property
    def year(self) -> str:
        """What people call it by: the year it was published in."""
        return _YEARS.get(self.name, self.name)

    def with_options(self, options: Mapping[str, str]) -> Rulebook:
        """Return this rulebook with single issues chosen otherwise, such as `{"4.A.2": "c"}`.

        Raises RulebookError naming the issue and the letter when either does not exist.
        """
        return _with_options(self, tuple(sorted(options.items()))) if options else self

    @cached_property
    def asks_nationality(self) -> bool:
        """Whether it matters which power is written before a unit that is supported or convoyed."""
        return (self.nation_missing, self.nation_wrong) != ("b", "b")

    @cached_property
    def prefers_proper_names(self) -> bool:
        """Whether an order that names its units properly puts aside others for the same unit."""
        choices = self.letter_missing, self.letter_wrong, self.nation_missing, self.nation_wrong
        return "c" in choices

    @property
    def options(self) -> dict[str, str]:
        """Every issue and the letter chosen, as `with_options` takes them."""
        return {issue: getattr(self, item.name) for issue, item in _FIELDS.items()}

    @cached_property
    def _hash(self) -> int:
        return hash((self.name, *self.options.values()))

    def __hash__(self) -> int:
        return self._hash


_FIELDS: Final = {item.metadata["issue"]: item for item in fields(Rulebook) if item.metadata}

_EDITIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "2023": {},
    "1976": {"4.A.2": "b", "4.A.3": "b", "4.A.5": "a", "4.D.8": "a"},
    "era": {"4.D.3": "a"},
}
_YEARS: Final[Mapping[str, str]] = {"era": "2025"}
_SHORT_GAMES: Final[Mapping[str, str]] = {"1976": "units"}


def editions() -> tuple[str, ...]:
    """Return the names of the rulebooks there are."""
    return tuple(_EDITIONS)


@cache
def _edition(name: str) -> Rulebook:
    try:
        chosen = _EDITIONS[name]
    except KeyError:
        known = ", ".join(_EDITIONS)
        raise RulebookError(f"there is no rulebook {name!r}; there are {known}") from None
    short_game = _SHORT_GAMES.get(name, "centers")
    return Rulebook(name=name, short_game=short_game).with_options(chosen)


@cache
def _with_options(rulebook: Rulebook, options: tuple[tuple[str, str], ...]) -> Rulebook:
    changes: dict[str, str] = {}
    for written, letter in options:
        issue = str(written).strip().upper()
        if issue not in _FIELDS:
            raise RulebookError(
                f"option {written!r}: there is no such issue; there are {', '.join(_FIELDS)}"
            )
        item = _FIELDS[issue]
        letters, refused = item.metadata["letters"], item.metadata["refused"]
        chosen = letter.strip().lower() if isinstance(letter, str) else letter
        if chosen not in tuple(letters):
            reason = item.metadata["why"]
            why = f"is not available: {reason}" if chosen in tuple(refused) else "does not exist"
            raise RulebookError(
                f"option {issue}: choice {letter!r} {why}; choose {' or '.join(letters)}"
            )
        changes[item.name] = chosen
    return replace(rulebook, **changes)
