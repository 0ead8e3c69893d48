"""All orders of a game that is over, as files for its players: one to read, one for programs."""

from __future__ import annotations

import json

from judge.game.fairness.record import record
from judge.game.state import State
from judge.game.state.report import tells, with_words
from judge.i18n import speaking
from judge.mail.compose import Attachment
from judge.render import templates


def attached(state: State) -> list[Attachment]:
    """`paris-orders.txt` and `paris-orders.json`, with every phase that counts; none where nothing
    has run."""
    runs = state.storage.history.of_game(state.game.id)
    if not runs:
        return []
    name = f"{state.game.name}-orders"
    reports = [with_words(run.results, state.variant) for run in runs if tells(run.results)]
    # One file for all, whoever has ended the game.
    with speaking("en"):
        text = templates.answer("_orders", {"game": state.game.name, "reports": reports}) + "\n"
    data = json.dumps([record(state.game, run) for run in runs], ensure_ascii=False, indent=1)
    return [
        Attachment(f"{name}.txt", "text/plain", text.encode(), (("charset", "utf-8"),)),
        Attachment(f"{name}.json", "application/json", f"{data}\n".encode()),
    ]
