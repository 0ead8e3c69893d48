"""The files that go with messages: the records of phases, and all orders and diaries at the end."""

from __future__ import annotations

import json
from collections.abc import Mapping

from judge.game.fairness.record import record
from judge.game.press.diaries import published
from judge.game.state import State
from judge.game.state.report import tells, with_words
from judge.i18n import speaking
from judge.mail.compose import Attachment
from judge.render import templates
from judge.storage import Game, PhaseRun


def phase_record(game: Game, run: PhaseRun) -> Attachment:
    """Return the record of a phase as a file, such as `paris-S1901M.json`."""
    text = json.dumps(record(game, run), ensure_ascii=False, indent=1) + "\n"
    return Attachment(f"{game.name}-{run.phase}.json", "application/json", text.encode())


def archive(state: State) -> list[Attachment]:
    """Return what everybody gets of a game that is over, in English whoever has ended it.

    These are `paris-diaries.txt`, if there are any, and, if anything has run, all orders: to read
    in `paris-orders.txt`, for programs in `paris-orders.json`.
    """
    name, files = state.game.name, []
    with speaking("en"):
        if diaries := published(state):
            files.append(_text(f"{name}-diaries.txt", "_diaries", {"diaries": diaries}))
        if runs := state.storage.history.of_game(state.game.id):
            reports = [with_words(run.results, state.variant) for run in runs if tells(run.results)]
            facts = {"game": name, "reports": reports}
            files.append(_text(f"{name}-orders.txt", "_orders", facts))
            data = json.dumps(
                [record(state.game, run) for run in runs], ensure_ascii=False, indent=1
            )
            json_name = f"{name}-orders.json"
            files.append(Attachment(json_name, "application/json", f"{data}\n".encode()))
    return files


def _text(name: str, template: str, facts: Mapping[str, object]) -> Attachment:
    text = templates.answer(template, facts) + "\n"
    return Attachment(name, "text/plain", text.encode(), (("charset", "utf-8"),))
