"""The player of docs/programs.md, and a newcomer made of it, play through the real daemon."""

from __future__ import annotations

import contextlib
import re
import subprocess
import sys
import time
from collections.abc import Callable
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import pytest

from judge import variants
from judge.demo.server import ADDRESS, HOST, Server
from judge.interchange.bot_answers import bot_object
from judge.rules.phase import Phase
from judge.storage import Storage
from tests.mail.waiting import until

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "programs.md"
ME = "robot@players.example"


def player() -> str:
    """The program that the guide shows."""
    (code,) = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    return str(code)


def texts_in(box: Path) -> list[str]:
    """The plain texts of all letters in a mailbox, in the order they came."""
    files = sorted([*box.glob("new/*"), *box.glob("cur/*")], key=lambda file: file.name)
    letters = [message_from_bytes(file.read_bytes(), policy=policy.default) for file in files]
    bodies = [letter.get_body(("plain",)) for letter in letters]
    return [str(body.get_content()) for body in bodies if body is not None]


def test_a_program_plays_from_what_comes_with_letters(tmp_path: Path) -> None:
    code = player()
    assert code.count("\n") <= 100
    program, letters = tmp_path / "player.py", 7
    program.write_text(code, encoding="utf-8")
    server = Server(tmp_path / "judge", 1, patience=120)
    server.start()
    try:
        server.mail.mkdir(exist_ok=True)
        box = server.mail / ME
        words = [box, f"{HOST}:{server.port}", ME, ADDRESS, "JOIN PRACTICE hundred", letters]
        done = subprocess.run(
            [sys.executable, program, *map(str, words)],
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        assert done.returncode == 0, done.stderr + server.log.read_text()
    finally:
        server.stop()
    texts = texts_in(box)
    assert len(texts) > letters
    bad = [text for text in texts if "COULD NOT USE" in text]
    assert not bad, bad[0]
    storage = Storage.open(server.database)
    game = storage.games.by_name("practice1")
    assert game is not None
    assert len([run for run in storage.history.of_game(game.id) if run.orders]) >= letters - 1
    storage.close()


class Done(Exception):
    """The newcomer has played long enough."""


@pytest.mark.parametrize(
    ("board", "level", "last"),
    [("standard", "normal", 1907), ("era", "easy", None), ("global", "easy", None)],
)
def test_a_newcomer_plays_years_of_practice(
    tmp_path: Path, board: str, level: str, last: int | None
) -> None:
    phases: list[str] = []
    beaten = False

    def choose(position: dict[str, Any], power: str) -> list[str]:
        phase, variant = Phase.read(position["phase"]), variants.load(position["variant"])
        first, step = variant.start_phase.year, variant.calendar.years
        assert position["units"].get(power) or position["centers"].get(power)
        if phase.year > (last or first + step):
            raise Done
        phases.append(position["phase"])
        asked = position | {"power": power, "level": level}
        orders: list[str] = bot_object(asked, lambda: 0.0)["orders"]
        return orders

    guide: dict[str, Any] = {"__name__": "player"}
    exec(player(), guide)
    guide["choose"] = choose
    server = Server(tmp_path / "judge", 1, patience=120)
    server.mail.mkdir()
    server.start()
    newcomer = guide["Player"](server.mail / ME, f"{HOST}:{server.port}", ME, ADDRESS)
    guide["time"] = _Patience(lambda: len(newcomer.box) > len(newcomer.seen))
    try:
        # Where others have taken its last center by then, the game is over.
        with contextlib.suppress(Done):
            newcomer.play(f"JOIN PRACTICE {board}, easy", None)
            beaten = True
    finally:
        server.stop()
    assert len(set(phases)) == len(phases) >= 4
    with contextlib.closing(Storage.open(server.database)) as storage:
        game = storage.games.by_name("practice1")
        assert game is not None
        assert (game.outcome is not None) is beaten, phases
    texts = texts_in(server.mail / ME)
    bad = [text for text in texts if "COULD NOT USE" in text]
    assert not bad, bad[0]
    assert sum("FOR YOUR FIRST YEAR" in text for text in texts) == 1
    assert sum("PLAY WITH PEOPLE" in text for text in texts) == 1


class _Patience:
    """The clock of the player, which gives up where no letter comes for two minutes."""

    time_ns = staticmethod(time.time_ns)

    def __init__(self, has_come: Callable[[], bool]) -> None:
        self._has_come = has_come

    def sleep(self, seconds: float) -> None:
        until(self._has_come)
