"""What commands print where their output is a terminal."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from judge.cli.common import table
from judge.variants import names


def on_terminal(*arguments: str, **environment: str) -> str:
    """What a command prints on a terminal of its own."""
    ours, its = pty.openpty()
    command = [sys.executable, "-m", "judge", *arguments]
    running = subprocess.Popen(
        command, stdin=its, stdout=its, stderr=its, env={**os.environ, **environment}
    )
    os.close(its)
    said = b""
    try:
        while part := os.read(ours, 65536):
            said += part
    except OSError:
        # What Linux says where nobody holds the other end any more.
        pass
    finally:
        os.close(ours)
        running.wait()
    return said.decode()


def test_variants_are_listed_with_titles_on_a_terminal_and_by_name_into_a_pipe() -> None:
    shown = on_terminal("variant", "list", COLUMNS="100")
    assert "The Ancient Mediterranean" in shown
    command = [sys.executable, "-m", "judge", "variant", "list"]
    piped = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert piped.splitlines() == list(names())


def test_colors_are_left_out_where_they_are_not_wanted(tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text("title = 1\n")
    assert "\x1b[31m" in on_terminal("variant", "check", str(bad))
    assert "\x1b[31m" not in on_terminal("variant", "check", str(bad), NO_COLOR="1")


def test_a_table_fits_the_terminal_and_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [("brest", " ".join(["picardy"] * 20), "x"), ("paris", "burgundy", "y")]
    assert len(table(rows, ("from", "to", "who")).splitlines()) == 3
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "60")
    lines = table(rows, ("from", "to", "who")).splitlines()
    assert max(map(len, lines)) <= 60
    assert sum(line.count("picardy") for line in lines) == 20
    monkeypatch.setenv("COLUMNS", "40")
    names = [("western_world_901", "Western World 901", 9), ("pure", "Pure", 7)]
    assert "western_world_901" in table(names, ("variant", "title", "players"))
