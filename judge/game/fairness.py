"""What players can check: who plays what, and the coin that decides whom a neutral power joins.

Both are drawn from a seed that is sealed when the game opens, and shown when it is used. The coin
has a seed of its own, because everyone knows that of the assignment from the start on. Seeds and
secrets are passed in.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from msgspec import Struct, structs
from munkres import Munkres

from judge.game.state import State
from judge.i18n import say
from judge.rules.variant import JOINED, Joins, Variant, lineup_of
from judge.storage import CoinSeed, Condition, SeatOptions, SeatState

NONE = "-"
"""How the message lists a player without preferences."""


def seed_seal(state: State) -> str | None:
    """Return the seal of the assignment to come in a game that is forming, if there is one."""
    seed = state.game.options.seed
    return None if seed is None else seal(seed)


class Assignment(Struct, frozen=True):
    """An assignment as the start message shows it: all that is needed to repeat it.

    `preferences` are the players' in the order they joined (or of their numbers), `powers` what
    each of them got, and `lineup` is the variant's lineup that is played, if any.
    """

    variant: str
    seed: str
    preferences: tuple[str, ...]
    powers: tuple[tuple[str, ...], ...]
    lineup: str | None = None

    @property
    def seal(self) -> str:
        """Return the seal that messages before the start must have shown."""
        return seal(self.seed)


def assign_powers(
    variant: Variant, preferences: Sequence[str], seed: str, count: int | None = None
) -> Assignment:
    """Assign `count` powers (by default one each), as evenly as possible.

    `preferences` are texts as SET PREFERENCE takes them, "" for none. In a lineup each player gets
    one of its groups of powers.
    """
    read = _read(variant, preferences)
    texts = tuple(text or NONE for text in preferences)
    if (groups := groups_of(variant)) is not None:
        leaders = {power: group[0] for group in groups for power in group}
        by_leader = {group[0]: group for group in groups}
        chosen = assign(list(by_leader), [each.of_groups(leaders) for each in read], seed)
        got_groups = tuple(by_leader[leader] for leader in chosen)
        return Assignment(variant.name, seed, texts, got_groups, variant.lineup)
    owners = shares(len(read), len(read) if count is None else count, seed)
    dealt = assign(variant.played, [read[player] for player in owners], seed)
    got = dict(zip(dealt, owners, strict=True))
    powers = tuple(
        tuple(power for power in variant.powers if got.get(power) == player)
        for player in range(len(read))
    )
    return Assignment(variant.name, seed, texts, powers, variant.lineup)


def groups_of(variant: Variant) -> tuple[tuple[str, ...], ...] | None:
    """Return the groups of powers that a variant's lineup assigns; None where it has no lineup."""
    lineup = lineup_of(variant)
    if lineup is None or lineup.lots:
        return None
    return tuple((power,) for power in variant.played) if lineup.merged else lineup.groups


def shares(players: int, count: int, seed: str) -> list[int]:
    """Return which player each of `count` powers goes to: equally many to each, and what is left
    over to players chosen by `seed`."""
    owners = list(range(players)) * (count // players)
    left = count % players
    if left:
        chosen = list(range(players))
        SeededRandom(f"{seed}:more").shuffle(chosen)
        owners += sorted(chosen[:left])
    return owners


def _read(variant: Variant, preferences: Sequence[str]) -> list[Preferences]:
    texts = ["" if text == NONE else text for text in preferences]
    return [read_preferences(text, variant.letters, variant.played) for text in texts]


_LINEUP = "Players"
"""The line that names the lineup of games that have one."""
_LINE = {
    name: re.compile(rf"^[>\s]*{name}: *(\S+)\s*$", re.IGNORECASE | re.MULTILINE)
    for name in ("Variant", "Seed", "Seal", _LINEUP)
}
_PLAYER = re.compile(r"^[>\s]*(\d+)\. +(\S.*?) += +(\S.*?)\s*$", re.MULTILINE)


def read_assignment(text: str) -> tuple[Assignment, str]:
    """Read the assignment in a start message, quoted or not, and the seal printed beside it.

    Raises ValueError, naming what is missing.
    """
    found = {name: match[1] for name, line in _LINE.items() if (match := line.search(text))}
    for name in _LINE:
        if name not in found and name != _LINEUP:
            raise ValueError(f"there is no line {name}: ... in it")
    players = list(_PLAYER.finditer(text, text.find(found["Seed"])))
    if [int(match[1]) for match in players] != list(range(1, len(players) + 1)) or not players:
        raise ValueError("the players are not all there: lines like `1. FEG = France`")
    assignment = Assignment(
        found["Variant"],
        found["Seed"],
        tuple(match[2] for match in players),
        tuple(tuple(re.split(r"\s*,\s*", match[3])) for match in players),
        found.get(_LINEUP),
    )
    return assignment, found["Seal"].lower()


class BadPreferences(ValueError):
    """A preference list that cannot be read; the message says why in one sentence."""


class Preferences(Struct, frozen=True):
    """What a player would like to play.

    `ranks` are groups of equally wanted powers, most wanted first; powers in no group come last.
    `any_power` asks for any power at all, drawn before anyone else's preferences count. A player
    with neither gets whichever power is left.
    """

    ranks: tuple[tuple[str, ...], ...] = ()
    any_power: bool = False

    def cost(self, power: str) -> int:
        """Return how many groups of powers the player would rather have."""
        if not self.ranks:
            return 0
        for rank, group in enumerate(self.ranks):
            if power in group:
                return rank
        return len(self.ranks)

    def of_groups(self, leaders: Mapping[str, str]) -> Preferences:
        """Return the preferences among groups of powers, each named by its leader in `leaders`; a
        group ranks where its best-ranked power does."""
        said: set[str] = set()
        ranks = []
        for rank in self.ranks:
            groups = dict.fromkeys(leaders[power] for power in rank if power in leaders)
            if fresh := tuple(group for group in groups if group not in said):
                ranks.append(fresh)
                said.update(fresh)
        return Preferences(tuple(ranks), self.any_power)


def read_preferences(text: str, letters: Mapping[str, str], powers: Sequence[str]) -> Preferences:
    """Read `E[FGR]TAI`, `*`, or names with commas (`France, Italy`).

    `letters` maps a letter to its power, as in the variant. Raises BadPreferences.
    """
    text = text.strip().strip(".")
    if text == "*":
        return Preferences(any_power=True)
    letters = {letter: power for letter, power in letters.items() if power in powers}
    names = {power.lower(): power for power in powers}
    spelled = [part for part in re.split(r"[,\s]+", text.strip("[] ")) if part]
    if spelled and all(part.strip("[]").lower() in names for part in spelled):
        return _ranked([(names[part.strip("[]").lower()],) for part in spelled])
    groups: list[tuple[str, ...]] = []
    open_group: list[str] | None = None
    for sign in re.sub(r"[\s,]+", "", text):
        if sign in "[(":
            if open_group is not None:
                raise BadPreferences(say("brackets cannot stand inside brackets"))
            open_group = []
        elif sign in "])":
            if open_group is None:
                raise BadPreferences(say("a bracket is closed that was not opened"))
            groups.append(tuple(open_group))
            open_group = None
        elif sign == "*":
            if open_group is not None:
                raise BadPreferences(
                    say("* stands for all other powers; it cannot stand in brackets")
                )
            said = {power for group in groups for power in group}
            groups.append(tuple(power for power in powers if power not in said))
        else:
            power = letters.get(sign.upper())
            if power is None:
                known = ", ".join(f"{letter} {name}" for letter, name in letters.items())
                unknown = say("no power has the letter {word}", word=sign)
                known = say("the letters are {lines}", lines=known)
                raise BadPreferences(f"{unknown}; {known}")
            if open_group is None:
                groups.append((power,))
            else:
                open_group.append(power)
    if open_group is not None:
        raise BadPreferences(say("a bracket is opened that is not closed"))
    return _ranked(groups)


def _ranked(groups: Sequence[tuple[str, ...]]) -> Preferences:
    said = [power for group in groups for power in group]
    twice = sorted({power for power in said if said.count(power) > 1})
    if twice:
        raise BadPreferences(say("{word} stands in it twice", word=" + ".join(twice)))
    return Preferences(ranks=tuple(group for group in groups if group))


def assign(powers: Sequence[str], preferences: Sequence[Preferences], seed: str) -> list[str]:
    """Return the power of each player, in the order of `preferences`.

    Players who want any power draw first; for the others the sum of `Preferences.cost` is as small
    as possible, and `seed` decides between equal solutions. Anyone who knows `seed` can repeat it
    (docs/fairness.md has the steps). There must be no more players than powers.
    """
    chance = SeededRandom(seed)
    pool = sorted(powers)
    chance.shuffle(pool)
    assigned = {player: pool.pop() for player, each in enumerate(preferences) if each.any_power}
    rest = [player for player in range(len(preferences)) if player not in assigned]
    chance.shuffle(rest)
    if rest:
        # One rank outweighs all the noise there can be.
        noise = 1000
        weight = noise * len(rest) + 1
        costs = [
            [preferences[player].cost(power) * weight + chance.below(noise) for power in pool]
            for player in rest
        ]
        for row, column in Munkres().compute(costs):
            assigned[rest[row]] = pool[column]
    return [assigned[player] for player in range(len(preferences))]


def seal(seed: str) -> str:
    """Return what is published of a seed before it is revealed: its SHA-256, 64 hex digits."""
    return hashlib.sha256(seed.encode()).hexdigest()


class SeededRandom:
    """Numbers derived from a seed, the same in every language that has SHA-256.

    The n-th number (from 1) below m is SHA-256 of the text `seed:n`, read as a big-endian integer,
    modulo m. With 256 bits, no m we use is biased by more than 2 ** -240.
    """

    def __init__(self, seed: str) -> None:
        """Start from `seed` as the message prints it, in UTF-8."""
        self._seed = seed
        self._drawn = 0

    def below(self, limit: int) -> int:
        """Return the next number, from 0 to `limit` - 1."""
        self._drawn += 1
        digest = hashlib.sha256(f"{self._seed}:{self._drawn}".encode()).digest()
        return int.from_bytes(digest, "big") % limit

    def shuffle(self, things: list[Any]) -> None:
        """Shuffle `things` in place (Fisher-Yates, from the end)."""
        for last in range(len(things) - 1, 0, -1):
            other = self.below(last + 1)
            things[last], things[other] = things[other], things[last]


class Toss(Struct, frozen=True):
    """How the coin fell: `power` joins the player of `side`, one of `sides`."""

    power: str
    seed: str
    sides: tuple[tuple[str, ...], ...]
    side: tuple[str, ...]

    @property
    def seal(self) -> str:
        """Return the seal that earlier messages must have shown."""
        return seal(self.seed)


def fall(seed: str, sides: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the side that a coin with this seed chooses."""
    return sides[SeededRandom(seed).below(len(sides))]


def commit_coin(state: State, seed: Callable[[], str]) -> None:
    """Commit to a seed for the toss to come, if there is to be one; a seed that everybody has seen,
    as after a rollback, is replaced."""
    if _joins(state) is None or joined(state):
        return
    kept = state.game.options.coin
    if kept is None or kept.shown:
        state.note(coin=CoinSeed(seed()))


def coin_seal(state: State) -> str | None:
    """Return the seal of the toss to come, if there is one."""
    kept = state.game.options.coin
    return None if kept is None or kept.shown else seal(kept.seed)


def joined(state: State) -> bool:
    """Return whether the coin has fallen in the open position."""
    return state.position is not None and JOINED in state.position.extra


def toss(state: State, now: datetime) -> Toss | None:
    """Toss the coin if the phase that has just opened begins with that."""
    joins, kept = _joins(state), state.game.options.coin
    lineup = lineup_of(state.variant)
    if joins is None or lineup is None or kept is None or joined(state):
        return None
    position, key = state.opened, state.variant.calendar.key
    if key(position.phase) < key(joins.drawn):
        return None
    side = fall(kept.seed, lineup.groups)
    state.note(coin=structs.replace(kept, shown=True))
    state.open(replace(position, extra={**position.extra, JOINED: {joins.power: side[0]}}))
    fallen = Toss(joins.power, kept.seed, lineup.groups, side)
    state.log(now, "coin", {"seed": fallen.seed, "power": joins.power, "side": list(side)})
    return fallen


def settle_coin(state: State, now: datetime) -> None:
    """Give the power that joined a player to that player from its first phase on, and to nobody
    before: a rollback may lead back there."""
    joins = _joins(state)
    seat = None if joins is None else state.seats.holder(joins.power)
    if joins is None or seat is None:
        return
    key = state.variant.calendar.key
    is_in = joined(state) and key(state.opened.phase) >= key(joins.since)
    if is_in and seat.person_id is None:
        whom = state.opened.extra[JOINED][joins.power]  # type: ignore[index]
        ally = state.seats.holder(whom)
        if ally is not None:
            seat.person_id, seat.state, seat.joined_at = ally.person_id, ally.state, now
            seat.password, seat.options = ally.password, ally.options
            state.seats.keep(seat)
    elif not is_in and seat.person_id is not None:
        seat.person_id, seat.state, seat.password = None, SeatState.ABANDONED, None
        seat.wait, seat.draw = False, None
        seat.options = SeatOptions(condition=Condition.DUMMY, since=now)
        state.seats.keep(seat)


def _joins(state: State) -> Joins | None:
    lineup = lineup_of(state.variant)
    return None if lineup is None else lineup.joins


_FALLEN = re.compile(
    r"^[>\s]*Coin: *(?P<seed>\S+)\s*^[>\s]*Seal: *(?P<seal>[0-9a-f]{64})\s*"
    r"(?P<sides>(?:^[>\s]*\d+\. +\S.*\s*)+)^[>\s]*Side: *(?P<side>\d+)",
    re.IGNORECASE | re.MULTILINE,
)
_SIDE = re.compile(r"^[>\s]*\d+\. +(\S.*?)\s*$", re.MULTILINE)


def read_coin(text: str) -> tuple[Toss, str] | None:
    """Read the toss in a results message, and the seal printed beside it, if there is one."""
    found = _FALLEN.search(text)
    if found is None:
        return None
    sides = tuple(tuple(re.split(r"\s*,\s*", each)) for each in _SIDE.findall(found["sides"]))
    number = int(found["side"])
    side = sides[number - 1] if 0 < number <= len(sides) else ()
    return Toss("", found["seed"], sides, side), found["seal"].lower()
