"""A game whose players fall silent, through the running daemon."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from pathlib import Path

from judge.bots import orders_of
from judge.game.state import State
from judge.rules.orders import order_text
from judge.storage import Storage, StoredEnding
from tests.daemon.test_daemon import POWERS
from tests.daemon.test_fates import Table
from tests.mail.waiting import until

SILENT = "FGIR"


def test_a_game_whose_four_players_fall_silent_comes_to_its_end(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.daemon.start()
    try:
        table.begin(", TURN LIMIT F1901, CARETAKER, GRACE 1H")
        storage = Storage.open(table.config.database.url)

        def state() -> State:
            found = storage.games.by_name("paris")
            assert found is not None
            return State(storage, found)

        def moves_on(wake: datetime | None) -> bool:
            return state().game.wake_at != wake

        ordered = None
        while state().game.state == "active":
            now = state()
            for letter in sorted({*POWERS} - {*SILENT}) if now.game.phase != ordered else ():
                (power,) = (each for each in now.variant.powers if each[0] == letter)
                orders = orders_of(now.variant, now.opened, power, "easy")
                if orders:
                    text = "\r\n".join(order_text(each, now.opened.phase.kind) for each in orders)
                    table.ask(letter.lower(), text)
            ordered, wake = now.game.phase, state().game.wake_at
            if wake is not None:
                table.clock.set(max(wake, table.clock.now()))
            until(partial(moves_on, wake))
        outcome = state().game.outcome
        assert outcome is not None
        assert outcome.ending == StoredEnding.TURN_LIMIT
        assert len(storage.history.of_game(state().game.id)) >= 2
        storage.close()
    finally:
        table.daemon.stop()
