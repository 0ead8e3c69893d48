"""The player of docs/programs.md plays by mail through the real daemon."""

from __future__ import annotations

import re
import subprocess
import sys
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from judge.demo.server import ADDRESS, HOST, Server
from judge.storage import Storage

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "programs.md"
ME = "robot@players.example"


@pytest.mark.parametrize("board", ["hundred", "standard"])
def test_a_program_plays_from_what_comes_with_letters(tmp_path: Path, board: str) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert code.count("\n") <= 100
    program, letters = tmp_path / "player.py", 7
    program.write_text(code, encoding="utf-8")
    server = Server(tmp_path / "judge", 1, patience=120)
    server.start()
    try:
        server.mail.mkdir(exist_ok=True)
        box = server.mail / ME
        words = [box, f"{HOST}:{server.port}", ME, ADDRESS, f"JOIN PRACTICE {board}", letters]
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
    texts = []
    for file in [*box.glob("new/*"), *box.glob("cur/*")]:
        body = message_from_bytes(file.read_bytes(), policy=policy.default).get_body(("plain",))
        assert body is not None
        texts.append(body.get_content())
    assert len(texts) > letters
    assert not [text for text in texts if "COULD NOT USE" in text]
    storage = Storage.open(server.database)
    game = storage.games.by_name("practice1")
    assert game is not None
    assert len([run for run in storage.history.of_game(game.id) if run.orders]) >= letters - 1
    storage.close()
