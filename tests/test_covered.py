"""The floor of coverage counts what can be run, and fails where a package fell below it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import covered

ROOT = Path(__file__).resolve().parent.parent


def test_lines_are_those_that_can_be_run() -> None:
    source = 'def f(a):\n    """What it is."""\n    # why\n    return a\n\n\nb = 1\n'
    assert set(covered.lines_of(compile(source, "x", "exec"))) == {1, 4, 7}


def test_a_package_below_its_floor_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = ROOT / "judge" / "schedule" / "plain.py"
    lines = sorted(set(covered.lines_of(compile(path.read_bytes(), "x", "exec"))))
    (tmp_path / "1.json").write_text(json.dumps({"judge/schedule/plain.py": lines[::2]}))
    (tmp_path / "2.json").write_text(json.dumps({"judge/schedule/plain.py": lines[1::2]}))
    share = covered.shares(tmp_path)["judge/schedule"]
    assert 5 < share < 95
    assert covered.shares(tmp_path)["judge/rules"] == 0
    floors = tmp_path / "floors"
    monkeypatch.setattr(covered, "FLOORS", floors)
    floors.write_text(json.dumps({"judge/schedule": int(share)}))
    assert covered.main(str(tmp_path)) == 0
    floors.write_text(json.dumps({"judge/schedule": int(share) + 1}))
    assert covered.main(str(tmp_path)) == 1


def test_a_run_notes_the_lines_it_ran(tmp_path: Path) -> None:
    surroundings = {**os.environ, "JUDGE_COVERED": str(tmp_path)}
    surroundings.pop("PYTEST_ADDOPTS", None)
    command = [sys.executable, "-m", "pytest", "-q", "-n", "1", "-p", "tests.covered"]
    command += ["-p", "no:cacheprovider", "tests/test_clock.py"]
    subprocess.run(command, cwd=ROOT, env=surroundings, check=True, capture_output=True)
    noted = [json.loads(each.read_text()) for each in tmp_path.glob("*.json")]
    # Older versions note nothing.
    assert any("judge/clock.py" in each for each in noted) is hasattr(sys, "monitoring")
