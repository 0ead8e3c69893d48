"""What is installed works away from the source: the wheel, and how the container starts."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel unpacked, and nothing of the source."""
    folder = tmp_path_factory.mktemp("wheel")
    build: list[str | Path] = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--wheel-dir",
    ]
    subprocess.run([*build, folder, ROOT], check=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as file:
        file.extractall(folder / "site")
    return folder / "site"


def run(installed: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(installed), "PYTHONSAFEPATH": "1"}
    return subprocess.run(
        [sys.executable, "-m", "judge", *arguments],
        cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_the_wheel_has_all_it_needs(installed: Path, tmp_path: Path) -> None:
    made = run(installed, tmp_path, "init", "--address", "judge@example.org")
    assert made.returncode == 0, made.stderr
    where = "import judge; print(judge.__file__)"
    environment = {**os.environ, "PYTHONPATH": str(installed), "PYTHONSAFEPATH": "1"}
    found = subprocess.run(
        [sys.executable, "-c", where], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert found.stdout.startswith(str(installed))
    shown = run(installed, tmp_path, "variant", "show", "standard")
    assert shown.returncode == 0, shown.stderr
    status = run(installed, tmp_path, "status", "--json")
    assert json.loads(status.stdout)["games"] == {}


def test_the_base_of_the_container_is_named_by_its_digest() -> None:
    text = (ROOT / "Containerfile").read_text()
    bases = re.findall(r"^FROM (\S+)", text, re.M)
    assert set(bases) == {"${BASE}"}
    assert re.findall(r"^ARG BASE=\S+@sha256:[0-9a-f]{64}$", text, re.M)


def test_a_container_writes_its_configuration_and_takes_mail(tmp_path: Path) -> None:
    text = (ROOT / "Containerfile").read_text()
    command = json.loads(re.findall(r"^CMD (\[.*\])$", text, re.M)[0])
    judge = tmp_path / "bin" / "judge"
    judge.parent.mkdir()
    judge.write_text(f'#!/bin/sh\nexec {sys.executable} -m judge "$@"\n')
    judge.chmod(0o755)
    home = tmp_path / "home"
    home.mkdir()
    environment = {
        **os.environ, "PATH": f"{judge.parent}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT),
        "JUDGE_ADDRESS": "judge@example.org", "JUDGE_KEEPER": "ann@example.org",
    }  # fmt: skip
    process = subprocess.Popen(
        command, cwd=home, env=environment, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip
    try:
        assert process.stderr is not None
        said = ""
        end = time.monotonic() + 240
        while '"judge started"' not in said and time.monotonic() < end:
            line = process.stderr.readline()
            said += line
            if not line:
                break
        # The port may be taken on this machine; it is not in a container.
        assert '"judge started"' in said or "cannot listen on 0.0.0.0" in said, said
        written = (home / "judge.toml").read_text()
        assert written.count('\nhost = "0.0.0.0"') == 1
        assert 'keeper = "ann@example.org"' in written
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(120)
        process.stderr.close()  # type: ignore[union-attr]
