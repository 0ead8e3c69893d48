"""Which lines of the judge the tests run, at next to no price: the floor that CI holds.

With `JUDGE_COVERED=FOLDER pytest -p tests.covered` each process of the run notes in a folder which
lines it ran, and `python -m tests.covered FOLDER` adds them up and fails where a package has fallen
below its floor. A line is noted once and then costs nothing more (sys.monitoring, Python 3.12);
older versions note nothing. What runs in processes that tests start, such as a whole daemon, is
not counted.
"""

from __future__ import annotations

import json
import os
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = str(ROOT / "judge") + os.sep

FLOORS = Path(__file__).with_name("floors.json")
"""The percentage of lines that each package must not fall below."""

_MONITORING: Any = getattr(sys, "monitoring", None)

_ran: dict[str, set[int]] = defaultdict(set)


def _note_lines(monitoring: Any) -> None:
    """Note lines from here on, while nothing of the judge has been imported yet."""
    events, tool = monitoring.events, monitoring.COVERAGE_ID
    monitoring.use_tool_id(tool, "covered")

    def begun(code: CodeType, _: int) -> Any:
        if code.co_filename.startswith(PACKAGE):
            monitoring.set_local_events(tool, code, events.LINE)
        return monitoring.DISABLE

    def reached(code: CodeType, line: int) -> Any:
        _ran[code.co_filename].add(line)
        return monitoring.DISABLE

    monitoring.register_callback(tool, events.PY_START, begun)
    monitoring.register_callback(tool, events.LINE, reached)
    monitoring.set_events(tool, events.PY_START)


def pytest_sessionfinish() -> None:
    """Note in the folder what this process ran."""
    if _ran:
        _MONITORING.set_events(_MONITORING.COVERAGE_ID, 0)
        folder = Path(os.environ["JUDGE_COVERED"])
        folder.mkdir(exist_ok=True, parents=True)
        ran = {str(Path(file).relative_to(ROOT)): sorted(each) for file, each in _ran.items()}
        (folder / f"{os.getpid()}.json").write_text(json.dumps(ran))


def lines_of(code: CodeType) -> Iterator[int]:
    """Yield the lines on which something can be run."""
    yield from (line for *_, line in code.co_lines() if line)
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from lines_of(each)


def shares(folder: Path) -> dict[str, float]:
    """Return the percentage of each package's lines that ran, and that of all ("judge")."""
    ran: dict[str, set[int]] = defaultdict(set)
    for each in folder.glob("*.json"):
        for file, lines in json.loads(each.read_text()).items():
            ran[file].update(lines)
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for path in sorted((ROOT / "judge").rglob("*.py")):
        file = str(path.relative_to(ROOT))
        there = set(lines_of(compile(path.read_bytes(), file, "exec")))
        parts = path.relative_to(ROOT).parts
        for package in {"judge", "judge/" + parts[1] if len(parts) > 2 else "judge"}:
            counts[package][0] += len(there & ran[file])
            counts[package][1] += len(there)
    return {package: 100 * of / most for package, (of, most) in sorted(counts.items()) if most}


def main(folder: str) -> int:
    """Print the share of each package beside its floor; returns 1 where one has fallen below."""
    floors: dict[str, int] = json.loads(FLOORS.read_text())
    low = False
    for package, share in shares(Path(folder)).items():
        floor = floors.get(package, 0)
        below = share < floor
        low |= below
        print(f"{package:20} {share:5.1f} % {floor:3}{'  BELOW ITS FLOOR' if below else ''}")
    return int(low)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
if "JUDGE_COVERED" in os.environ and _MONITORING is not None:
    _note_lines(_MONITORING)
