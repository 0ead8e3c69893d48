"""How the powers of a game are doing: who plays them, and which of them are in it yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.game.state.game_seats import IN_USE
from judge.rules.variant import lineup_of
from judge.storage import Condition, GameState, SeatState

if TYPE_CHECKING:
    from judge.game.state.game_state import State


class Powers:
    """The powers of a game."""

    __slots__ = ("_state",)

    def __init__(self, state: State) -> None:
        self._state = state

    def hands(self) -> list[tuple[str, ...]]:
        """Return the powers of each person who plays or last played several, and the others alone.

        Powers that nobody ever played are grouped as the lineup gives them to players.
        """
        lineup = lineup_of(self._state.variant)
        groups = lineup.groups if lineup is not None else ()
        dealt = {power: group for group in groups for power in group}
        found: dict[object, list[str]] = {}
        for power in self._state.variant.powers:
            seat = self._state.seats.holder(power)
            person_id = None if seat is None else seat.person_id
            found.setdefault(person_id or dealt.get(power, power), []).append(power)
        return list(map(tuple, found.values()))

    def hand(self, power: str) -> tuple[str, ...]:
        """Return all powers of the player, or last player, of `power`, itself among them."""
        return next(hand for hand in self.hands() if power in hand)

    def condition(self, power: str) -> Condition:
        """Return whether `power` is played, or else its condition (see `people.lateness`)."""
        seat = self._state.seats.holder(power)
        if seat is None:
            return Condition.DUMMY
        if seat.state == SeatState.ACTIVE:
            return Condition.PLAYED
        found = seat.options.condition or Condition.ABANDONED
        return (
            Condition.CARETAKER
            if self._state.terms.caretaker and found != Condition.DUMMY
            else found
        )

    def awaited(self, power: str) -> bool:
        """Return whether the game waits for orders of `power`."""
        return self.condition(power) not in (Condition.DISORDER, Condition.DUMMY)

    def owes(self, power: str) -> bool:
        """Return whether `power` has something to decide in the open phase."""
        return power in self._state.owed

    def deciding(self) -> list[str]:
        """Return the powers that have something to decide in the open phase."""
        return list(self._state.owed)

    def most_centers(self) -> int:
        """Return how many centers the largest power has, before the start as well."""
        position = self._state.position or self._state.variant.opening
        return max(map(len, position.centers.values()), default=0)

    def alive(self, power: str) -> bool:
        """Return whether `power` has a unit or a supply center."""
        position = self._state.opened
        return any(at.get(power) for at in (position.units, position.centers, position.dislodged))

    def vacant(self) -> list[str]:
        """Return the powers that the game waits for and nobody plays."""
        return self._alive_in(Condition.ABANDONED)

    def in_care(self) -> list[str]:
        """Return the powers for which the caretaker orders."""
        return self._alive_in(Condition.CARETAKER) if self._state.terms.caretaker else []

    def _alive_in(self, condition: Condition) -> list[str]:
        powers = self._state.variant.powers
        return [each for each in powers if self.condition(each) == condition and self.alive(each)]

    def open(self) -> list[str]:
        """Return the powers to take over: abandoned, in civil disorder, or a computer's."""
        if self._state.game.state not in (GameState.ACTIVE, GameState.PAUSED):
            return []
        return [
            power
            for power in self._state.variant.powers
            if (
                self.condition(power) not in (Condition.PLAYED, Condition.DUMMY)
                or ((seat := self._state.seats.player(power)) is not None and seat.options.bot)
            )
            and self.alive(power)
        ]

    @property
    def draw_needs(self) -> str:
        """What a power needs to share in a draw: `centers`, `units`, or `either`."""
        return self._state.variant.draw or self._state.rulebook.short_game

    def survivors(self) -> list[str]:
        """Return the powers that are in the game yet and can agree on a draw.

        2023: "players who still have supply centers"; 1976, II: "who still have pieces on the
        board", centers as long as nobody has any. Players who have only fallen silent keep their
        vote as long as the game waits for them.
        """
        position, needed = self._state.opened, self.draw_needs
        standing = {
            power: position.units.get(power) or position.dislodged.get(power)
            for power in self._state.variant.powers
        }
        if needed == "units" and not any(standing.values()):
            needed = "centers"
        return [
            power
            for power in self._state.variant.powers
            if (needed != "units" and position.centers.get(power))
            or (needed != "centers" and standing[power])
            if (seat := self._state.seats.holder(power)) and seat.state in IN_USE
            if self.condition(power) in (Condition.PLAYED, Condition.ABANDONED)
        ]
