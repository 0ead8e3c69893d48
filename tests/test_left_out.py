"""What a run of the tests leaves out is said at its end."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
UNIT = "tests/ops/test_unit.py"


def run(*options: str, file: str = UNIT, **environment: str) -> str:
    """What a run of the tests in a file prints."""
    surroundings = {**os.environ, **environment}
    for each in ("CI", "PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER", "JUDGE_SHUFFLE"):
        surroundings.pop(each, None)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, file]
    ran = subprocess.run(command, cwd=ROOT, env=surroundings, capture_output=True, text=True)
    return ran.stdout


@pytest.mark.parametrize("options", [(), ("-n", "1")], ids=["alone", "xdist"])
def test_what_needs_a_missing_program_is_counted(options: tuple[str, ...], tmp_path: Path) -> None:
    said = run(*options, PATH=str(tmp_path))
    assert "5 tests were NOT run" in said
    assert "They need systemd" in said


@pytest.mark.parametrize("options", [(), ("-n", "1")], ids=["alone", "xdist"])
def test_what_there_was_no_time_for_is_counted(options: tuple[str, ...]) -> None:
    said = run(*options, JUDGE_UNTIL="1")
    assert "tests were NOT run" in said
    assert "passed" not in said


def test_what_mounts_is_counted_where_nothing_can_be_mounted(tmp_path: Path) -> None:
    said = run("--collect-only", file="tests/ops/test_backup.py", PATH=str(tmp_path))
    assert "They need mount" in said
