"""What is decided and what is missing in the open phase of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.bots.levels import CARETAKER
from judge.game.state.sheet import Seal, Sheet, fill, incomplete, seal
from judge.rules import engine
from judge.rules.engine import Checked
from judge.rules.orders import Order
from judge.rules.phase import Kind, Phase
from judge.storage import GameState, SeatState

if TYPE_CHECKING:
    from judge.game.state.game_state import State


class Sheets:
    """What every power must decide in the open phase, and what it has decided."""

    __slots__ = ("_state",)

    def __init__(self, state: State) -> None:
        self._state = state

    def of(self, power: str) -> Sheet:
        """Return what `power` must decide in the open phase, and what it has decided."""
        orders = self._state.orders.get(power, ())
        return fill(
            self._state.variant,
            self._state.opened.phase.kind,
            power,
            self._state.owed.get(power),
            orders,
        )

    def ahead(self, power: str) -> dict[Phase, list[str]]:
        """Return what `power` has on file for later phases as it is kept, the next one first."""
        key = self._state.variant.calendar.key
        on_file = self._state.on_file.of_power(power).items()
        kept = {Phase.read(name): [each.text for each in orders] for name, orders in on_file}
        later = [phase for phase in kept if key(phase) > key(self._state.opened.phase)]
        return {phase: kept[phase] for phase in sorted(later, key=key)}

    @property
    def sealed_as(self) -> str:
        """The game's name in the seals of the open phase: that under which the phase opened."""
        kept = self._state.game.options.sealed_as
        return (
            kept.name
            if kept is not None and kept.phase == self._state.game.phase
            else self._state.game.name
        )

    def seal(self, power: str) -> Seal:
        """Return the seal of the orders of `power` for the open phase."""
        game, orders = self._state.game, self._state.orders.get(power, ())
        assert game.opened_at is not None
        secret, phase = self._state.storage.tickets.secret, str(self._state.opened.phase)
        return seal(secret, self.sealed_as, phase, game.opened_at, power, map(str, orders))

    def seals(self) -> dict[str, dict[str, str]]:
        """Return key and seal of every power with orders, as the history stores them."""
        sealed = [self.seal(power) for power, orders in self._state.orders.items() if orders]
        return {each.power: {"key": each.key, "seal": each.digest} for each in sealed}

    def check(self, power: str, order: Order) -> Checked:
        """Return whether `power` can give this order in the open phase."""
        return engine.check(
            self._state.variant, self._state.opened, power, order, self._state.rulebook
        )

    def complete(self) -> bool:
        """Return whether every power the game waits for has sent all orders it owes."""
        return not self.missing()

    def missing(self) -> list[str]:
        """Return the powers the game waits for whose orders are incomplete."""
        return [power for power in self.unfinished() if self._state.powers.awaited(power)]

    def unfinished(self) -> list[str]:
        """Return the powers whose orders are incomplete, whether or not the game waits for them."""
        return incomplete(self._state.opened.phase.kind, self._state.owed, self._state.orders)

    def waiting(self) -> bool:
        """Return whether anybody who may (STRICT WAIT) asked to wait for the deadline."""
        strict = self._state.settings.strict_wait
        return bool(self.undecided()) or any(
            seat.wait and (not strict or seat.power in self._state.owed)
            for seat in self._state.seats
            if seat.state == SeatState.ACTIVE
        )

    def undecided(self) -> list[str]:
        """Return the powers that owe nothing but can convert units, and have not said anything.

        Others' complete orders do not end the phase for them before the deadline.
        """
        if self._state.phase is None or self._state.phase.kind is not Kind.ADJUSTMENTS:
            return []
        found = []
        for power in self._state.owed:
            seat = self._state.seats.player(power)
            if seat is None or not self.of(power).optional or self._state.orders.get(power):
                continue
            if seat.options.content != str(self._state.opened.phase):
                found.append(power)
        return found

    def bots_owing(self) -> dict[str, str]:
        """Return the powers for which computers have not decided what they must in the open phase,
        with the levels of those computers."""
        if self._state.game.state != GameState.ACTIVE:
            return {}
        seats = self._state.seats.players().items()
        bots = {power: level for power, seat in seats if (level := seat.options.bot) is not None}
        bots |= dict.fromkeys(self._state.powers.in_care(), CARETAKER)
        if not bots:
            return {}
        open_ = {*self.unfinished(), *self.undecided()}
        return {power: level for power, level in bots.items() if power in open_}
