"""What a change of one package needs, in about twenty seconds: `make quick P=rules`.

Style is checked, then tests run beside the types until the time is over: those in the folder and
the files that have the package's name, what has been changed and then the closest first, and some
of those that import it. Close is what imports the fewest other packages of ours. What was left out
is counted at the end.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

SECONDS = 17
"""When the last test ends; what began late is given up, and what was started is stopped."""

ROOT = Path(__file__).resolve().parent.parent

OWN, OTHERS = 24, 6
"""How many files run that have the package's name, and that only import it: to collect more takes
what time there is."""

NOTHING_TO_RUN = 5
"""pytest's exit status where it has no tests."""

SLOW = ("benchmarks", "boards", "browser", "end_to_end", "faults")
"""Folders whose files take longer than there is time, each."""


def main(package: str) -> int:
    """Check what concerns `package`, such as `rules` or `game/clock`; returns the exit status."""
    begun = time.monotonic()
    path = package.strip("/").removeprefix("judge/").removesuffix(".py")
    own, others = concerned(path)
    if not path or not any((ROOT / "judge").glob(f"{path}*")):
        packages = sorted(
            each.stem
            for each in (ROOT / "judge").iterdir()
            if each.name[0].islower() and each.suffix != ".typed"
        )
        print(f"Write make quick P=PACKAGE, which is one of {', '.join(packages)}, or in one.")
        return 2
    for words in (["check", "-q"], ["format", "--check", "-q"]):
        if subprocess.run([_tool("ruff"), *words], cwd=ROOT).returncode:
            return 1
    # They take as long as many tests, which run beside them.
    types = subprocess.Popen([_tool("mypy")], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    files = [*own[:OWN], ROOT / "tests" / "test_layers.py", *others[:OTHERS]]
    failed = _run(files, time.time() + SECONDS - time.monotonic() + begun)
    if more := len(own[OWN:]) + len(others[OTHERS:]):
        print(f"{more} more test files have to do with it; make test runs all.")
    said, _ = types.communicate()
    print(said.rstrip())
    return failed or types.returncode


def _run(files: list[Path], until: float) -> int:
    """Run tests until a time, and return the exit status. Each process collects files of its own,
    in the order in which they are given: xdist would have each collect all."""
    at_once = min(os.cpu_count() or 1, len(files))
    ran = [
        subprocess.Popen(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", *map(str, files[at::at_once])],
            cwd=ROOT,
            env={**os.environ, "JUDGE_UNTIL": str(until)},
            stdout=subprocess.PIPE,
            text=True,
        )
        for at in range(at_once)
    ]
    for each in ran:
        print(each.communicate()[0].rstrip())
    # All that a share has may need what is not to be had.
    return max((each.returncode for each in ran if each.returncode != NOTHING_TO_RUN), default=0)


def _tool(name: str) -> Path:
    """Return a program of the environment that runs this."""
    return Path(sys.executable).with_name(name)


def concerned(path: str) -> tuple[list[Path], list[Path]]:
    """Return the test files that bear the name of a package or module below `judge`, and the others
    that import it, closest first."""
    module = "judge." + path.replace("/", ".")
    changed = _changed()
    own, others = [], []
    for file in (ROOT / "tests").rglob("test_*.py"):
        folder = file.relative_to(ROOT / "tests").parts[0]
        imported = _imported(file)
        distance = (file not in changed, len({each.split(".")[1] for each in imported}), file)
        if folder == path or file.stem == f"test_{Path(path).name}":
            own.append(distance)
        elif folder not in SLOW and any(f"{each}.".startswith(f"{module}.") for each in imported):
            others.append(distance)
    return [file for *_, file in sorted(own)], [file for *_, file in sorted(others)]


def _changed() -> set[Path]:
    """Return the files that differ from the last commit."""
    asked = ["git", "status", "--porcelain", "--untracked-files=all", "-z"]
    said = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    return {ROOT / each[3:] for each in said.split("\0")}


_IMPORT = re.compile(
    r"^ *(?:from (judge[\w.]*) import (\([^)]*\)|.*)|import (judge\.[\w.]*))", re.MULTILINE
)


def _imported(file: Path) -> set[str]:
    """Return the modules of ours that a file imports, and what it imports from them."""
    return {
        f"{package}.{name}" if package else module
        for package, names, module in _IMPORT.findall(file.read_text(encoding="utf-8"))
        for name in (re.findall(r"\w+", names) or [""])
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else ""))
