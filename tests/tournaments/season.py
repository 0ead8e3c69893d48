"""A tournament played by mail from the first message to the last, by people who are simulated.

The director writes one mail. A tenth of the people fall silent in some round. Everybody else holds,
and says how the game is to end. Nothing but the mails is chance, and that is drawn from a seed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any

from judge.storage import Game, GameState, Person, Seat, Tournament, TournamentState
from tests.game.play import Play, Received


class Killed(BaseException):
    """The judge ends here, whatever it does."""


MAIL = (
    "CREATE TOURNAMENT cup standard, {rounds} rounds, scoring draw size, move next 24h, grace 24h, "
    "delay 0, no dias, round 10 days, entries {people}"
)


@dataclass
class Season:
    """What is played: how many people and rounds; `letters` are all that were written.

    The judge is killed before each of the writes whose numbers are in `kills`, and begun again."""

    play: Play
    people: int
    rounds: int
    seed: int = 0
    kills: frozenset[int] = frozenset()
    letters: list[Received] = field(default_factory=list)
    writes: int = 0
    killed: int = 0
    _works: bool = False
    _played: set[tuple[int, str | None]] = field(default_factory=set)

    def run(self) -> None:
        """Play all of it."""
        self._mail("max", MAIL.format(rounds=self.rounds, people=self.people))
        for number in range(self.people):
            self._mail(f"p{number:02}", "ENTER TOURNAMENT cup")
        self._work()
        while self._tournament().state is TournamentState.RUNNING:
            for game in self._going_on():
                if (game.id, game.phase) not in self._played:
                    self._played.add((game.id, game.phase))
                    self._play(game)
                    break
            else:
                self._wake()

    def _tournament(self) -> Tournament:
        found = self.play.storage.tournaments.by_name("cup")
        assert found is not None
        return found

    def _going_on(self) -> list[Game]:
        return self.play.storage.games.all((GameState.ACTIVE,))

    def silent(self, person: Person, round_: int) -> bool:
        """Whether somebody has fallen silent by some round: a tenth of all, evenly."""
        number = int(str(person.name).removeprefix("P"))
        return number % 10 == 3 and number // 10 % self.rounds < round_

    def _play(self, game: Game) -> None:
        """Let everybody at a board hold, and agree on who shares the game."""
        seats = [each for each in self.play.storage.seats.of_game(game.id) if each.power]
        seats = [each for each in seats if each.power in game.position["units"]]
        share = Random(f"{self.seed} {game.name}").sample([each.power or "" for each in seats], 3)
        round_ = self._tournament().round
        for seat in seats:
            person = self.play.storage.people.find(seat.person_id or 0)
            assert person is not None
            still = self.play.storage.games.find(game.id)
            on = still is not None and (still.state, still.phase) == (game.state, game.phase)
            if on and not self.silent(person, round_):
                self._orders(game, seat, person, share)

    def _orders(self, game: Game, seat: Seat, person: Person, share: list[str]) -> None:
        units = game.position["units"][seat.power]
        lines = [f"SIGN ON {(seat.power or '')[0].lower()}{game.name}"]
        lines += [f"{' '.join(map(str, unit.split()))} H" for unit in units]
        lines.append("SET DRAW " + ", ".join(share))
        self._mail(str(person.name).lower(), "\n".join(lines))

    def _mail(self, who: str, text: str) -> None:
        self.play.mail(who, text)
        self._work()

    def _work(self) -> None:
        self._step(self.play.run)

    def _wake(self) -> None:
        self._step(self.play.wake)

    def _step(self, step: Callable[[], list[Received]]) -> None:
        while True:
            self._watch(self.play.storage._engine)
            try:
                self._works = True
                self.letters += step()
                return
            except Killed:
                self.killed += 1
                step = self.play.run
                self.play.storage.close()
                self.play._open()
            finally:
                self._works = False

    def _watch(self, engine: Any) -> None:
        """Let each write of a database be counted, and some of them be the judge's last."""
        if "run" in vars(engine):
            return
        for name in ("run", "add", "add_new", "add_all"):
            setattr(engine, name, partial(self._write, getattr(engine, name)))

    def _write(self, write: Callable[..., Any], *arguments: Any) -> Any:
        # What a mail server could not hand over, it hands over later.
        self.writes += self._works
        if self._works and self.writes in self.kills:
            raise Killed
        return write(*arguments)

    def standings(self) -> str:
        """The last letter of the standings that the director got."""
        found = [each for each in self.letters if each.kind == "standings" and "max" in each.to]
        return found[-1].text
