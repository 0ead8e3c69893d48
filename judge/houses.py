"""Several houses on one daemon and one database: what is processed is given to the judge of the
house it belongs to, who finds nothing of the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from judge.service import Judge
from judge.storage import OutboundMessage, Storage


class Houses(Judge):
    """The judges of all houses as one, for anyone who works through what is there. What is not of
    one mail, letter or game is done in each house, and `keep` in the main one."""

    def __init__(self, storage: Storage, judges: Mapping[str, Judge]) -> None:
        """`storage` has the rows of all houses, each of the `judges` those of its own."""
        main = judges[""]
        super().__init__(storage, main.clock, main.profile, main.table, reach=main.reach)
        self._judges = judges

    def _at(self, house: str | None) -> Judge:
        return self._judges[house or ""]

    def process_message(self, mail_id: int) -> bool:
        return self._at(self.storage.houses.of_mail(mail_id)).process_message(mail_id)

    def hold(self, mail_id: int, problem: str, answer: bool = True) -> None:
        self._at(self.storage.houses.of_mail(mail_id)).hold(mail_id, problem, answer)

    def awaited(self, game_id: int, newest: int, by: datetime) -> int | None:
        return self._at(self.storage.houses.of_game(game_id)).awaited(game_id, newest, by)

    def run_game(self, game_id: int, newest: int | None = None, by: datetime | None = None) -> bool:
        return self._at(self.storage.houses.of_game(game_id)).run_game(game_id, newest, by)

    def game_failed(self, game_id: int, problem: str) -> None:
        self._at(self.storage.houses.of_game(game_id)).game_failed(game_id, problem)

    def message_failed(self, letter: OutboundMessage, said: str) -> None:
        self._at(self.storage.houses.of_letter(letter.id)).message_failed(letter, said)

    def keep(
        self, lines: Sequence[str], game: str | None = None, sure: bool = False
    ) -> list[dict[str, Any]]:
        return self._at("").keep(lines, game, sure)

    def tidy(self, wake: datetime | None = None) -> None:
        for judge in self._judges.values():
            judge.tidy(wake)

    def keep_heartbeat(self, progress: Callable[[], None] = lambda: None) -> bool:
        owing = [judge.keep_heartbeat(progress) for judge in self._judges.values()]
        return any(owing)

    def next_wake(self) -> datetime | None:
        moments = [judge.next_wake() for judge in self._judges.values()]
        return min((moment for moment in moments if moment is not None), default=None)
