"""What a change of one package needs, in about twenty seconds: `make quick P=rules`.

Style is checked, then tests run beside the types until the time is over: those in the folder and
the files that have the package's name, then some of those that import it, which import the fewest
other packages of ours. What was left out is counted at the end.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import time
from pathlib import Path

SECONDS = 20

ROOT = Path(__file__).resolve().parent.parent

OTHERS = 6
"""How many files run that only import the package: to collect more takes what time there is."""

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
    # It takes as long as many tests, which run beside it.
    types = subprocess.Popen([_tool("mypy")], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    # They are collected in the order in which they are given.
    files = [*own, ROOT / "tests" / "test_layers.py", *others[:OTHERS]]
    workers = str(min(os.cpu_count() or 1, len(files)))
    options = ["-q", "-n", workers, "--dist", "loadfile", "--no-loadscope-reorder"]
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *map(str, files)],
        cwd=ROOT,
        env={**os.environ, "JUDGE_UNTIL": str(time.time() + SECONDS - time.monotonic() + begun)},
    )
    if len(others) > OTHERS:
        print(f"{len(others) - OTHERS} more test files import it; make test runs all.")
    said, _ = types.communicate()
    print(said.rstrip())
    return ran.returncode or types.returncode


def _tool(name: str) -> Path:
    """Return a program of the environment that runs this."""
    return Path(sys.executable).with_name(name)


def concerned(path: str) -> tuple[list[Path], list[Path]]:
    """Return the test files that bear the name of a package or module below `judge`, and the others
    that import it, closest first."""
    module = "judge." + path.replace("/", ".")
    own, others = [], []
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        folder = file.relative_to(ROOT / "tests").parts[0]
        imported = _imported(file)
        if folder == path or file.stem == f"test_{Path(path).name}":
            own.append(file)
        elif folder not in SLOW and any(f"{each}.".startswith(f"{module}.") for each in imported):
            others.append((len({each.split(".")[1] for each in imported if "." in each}), file))
    return own, [file for _, file in sorted(others)]


def _imported(file: Path) -> set[str]:
    """Return the modules of ours that a file imports, and what it imports from them."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {f"{node.module}.{each.name}" for each in node.names}
    return {each for each in found if each.split(".")[0] == "judge"}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else ""))
