"""What kind of game one is: what follows from its settings and from who plays it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.storage import GameState, Role

PRACTICE = "practice"
"""With what the names of games against computers begin."""


if TYPE_CHECKING:
    from judge.game.state.game_state import State


class Terms:
    """The terms on which a game is played."""

    __slots__ = ("_state",)

    def __init__(self, state: State) -> None:
        self._state = state

    @property
    def places(self) -> int:
        """How many people can play."""
        settings = self._state.settings
        return settings.people or settings.in_play or len(self._state.variant.played)

    @property
    def free_places(self) -> int:
        """How many people more can join while the game forms."""
        return self.places - len(self._state.seats.active(Role.PLAYER))

    @property
    def alone(self) -> bool:
        """Whether one person plays all powers, and so runs the game, too."""
        return self._state.settings.people == 1 and not self._state.game.moderated

    @property
    def practice(self) -> bool:
        """Whether one person plays against computers (JOIN PRACTICE)."""
        bots = any(seat.options.bot for seat in self._state.seats)
        return (
            bots and self._state.game.name.startswith(PRACTICE) and not self._state.game.moderated
        )

    @property
    def private(self) -> bool:
        """Whether it is one person's own: nobody hears that it exists, unless invited."""
        return self.of_one and not self._state.settings.listed

    @property
    def of_one(self) -> bool:
        """Whether one person plays it, alone or against computers: nobody else waits for orders."""
        return self.alone or self.practice

    @property
    def blind(self) -> bool:
        """Whether players see only what their units see: in a blind game that is not over."""
        return self._state.settings.blind and self._state.game.state != GameState.ENDED

    @property
    def hides_people(self) -> bool:
        """Whether nobody may learn who plays: until the end, or ever if names are not revealed."""
        if not self._state.settings.gunboat or self._state.game.options.revealed:
            return False
        return self._state.game.state != GameState.ENDED or not self._state.settings.reveal

    @property
    def rated(self) -> bool:
        """Whether the game counts for people's reliability."""
        rated = self._state.settings.rated
        return self._state.game.moderated if rated is None else rated

    @property
    def caretaker(self) -> bool:
        """Whether a computer orders for powers that nobody plays any more."""
        chosen, settings = self._state.settings.caretaker, self._state.settings
        return not (settings.nmr or self.private) if chosen is None else chosen

    @property
    def musters(self) -> bool:
        """Whether players are asked before the start if they are there: strangers in a game that
        takes months, unless the setting says otherwise."""
        chosen, settings = self._state.settings.muster, self._state.settings
        return settings.listed and settings.move.next >= 24 if chosen is None else chosen

    @property
    def nmr(self) -> bool:
        """Whether the game goes on without orders that are missing."""
        return self._state.settings.nmr and not self.caretaker
