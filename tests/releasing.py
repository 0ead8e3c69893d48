"""Try what is released: `make release`, or `python -m tests.releasing dist`.

The source distribution and the wheel are each installed in an empty environment, with the libraries
that they ask for, and do what a stranger does first, away from this folder.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from email.parser import Parser
from pathlib import Path

import judge

ROOT = Path(__file__).resolve().parent.parent
NAME = f"pbem_judge-{judge.__version__}"

POSITION = """\
{"phase": "S1901M", "units": {"France": ["A par", "A bur"]}, "orders": {"France": ["A par - bur"]}}
"""

STEPS = (
    ("--version",),
    ("variant", "show", "global"),
    ("adjudicate", "position.json"),
    ("map", "position.json", "--orders", "-o", "map.png"),
    ("init", "house", "--address", "judge@example.org", "--keeper", "you@example.org"),
    ("status", "--config", "house/judge.toml"),
    ("game", "list", "--config", "house/judge.toml"),
)
"""What is run, in this order; `status` tells by 1 that no judge runs."""


def main(folder: Path) -> int:
    """Try both files in `folder`; returns the exit status."""
    wheel, source = folder / f"{NAME}-py3-none-any.whl", folder / f"{NAME}.tar.gz"
    wrong = [f"{each} is missing" for each in (wheel, source) if not each.is_file()]
    wrong = wrong or _metadata(wheel) + _contents(source)
    for each in () if wrong else (wheel, source):
        wrong += _tried(each)
    if f"## {judge.__version__} (unreleased)" in (ROOT / "CHANGELOG.md").read_text():
        print(
            f"CHANGELOG.md calls {judge.__version__} unreleased: give it its date before the tag."
        )
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


def _metadata(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as file:
        told = Parser().parsestr(file.read(f"{NAME}.dist-info/METADATA").decode())
    urls = " ".join(told.get_all("Project-URL", []))
    wrong = ["a URL is a placeholder"] if "example" in urls or "<" in urls else []
    return wrong if told["License-Expression"] == "MIT" else [*wrong, "the license is not said"]


def _contents(source: Path) -> list[str]:
    wanted = ("README.md", "LICENSE", "docs/keeper.md", "requirements.txt", "judge.service")
    with tarfile.open(source) as file:
        names = set(file.getnames())
    return [f"{source.name} lacks {each}" for each in wanted if f"{NAME}/{each}" not in names]


def _tried(file: Path) -> list[str]:
    """Install a file and run the steps; returns what went wrong."""
    with tempfile.TemporaryDirectory(prefix="judge-release-") as folder:
        home = Path(folder)
        venv.create(home / "venv", with_pip=True)
        programs = home / "venv" / "bin"
        install = [str(programs / "pip"), "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, str(file.resolve())], check=True, cwd=home)
        subprocess.run([programs / "pip", "check"], check=True, cwd=home)
        (home / "position.json").write_text(POSITION)
        for step in STEPS:
            ran = subprocess.run(
                [programs / "judge", *step],
                cwd=home,
                # Nothing of this checkout is in its way.
                env={"PATH": "/usr/bin:/bin", "HOME": folder, "LANG": "C.UTF-8"},
                capture_output=True,
                text=True,
            )
            if ran.returncode != (1 if step[0] == "status" else 0):
                return [
                    f"{file.name}: judge {' '.join(step)} ended with {ran.returncode}",
                    ran.stderr,
                ]
    print(f"OK {file.name}")
    return []


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
