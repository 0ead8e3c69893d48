"""Look up known weaknesses of the libraries that are installed here (pip-audit).

Ends with status 1 where one is known. Where nobody can be asked it says so, loudly, and what to do
by hand; that is no failure of the judge.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

UNREACHABLE = ("ConnectionError", "Max retries", "NameResolution", "Dependency not found on PyPI")


def main() -> int:
    """Ask; the exit status."""
    frozen = [sys.executable, "-m", "pip", "freeze", "--exclude-editable"]
    pins = subprocess.run(frozen, capture_output=True, text=True, check=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        tool, list_ = Path(folder) / "tool", Path(folder) / "pins.txt"
        list_.write_text(pins)
        subprocess.run([sys.executable, "-m", "venv", tool], check=True)
        install: list[str | Path] = [
            tool / "bin" / "pip",
            "install",
            "--quiet",
            "pip-audit>=2.7,<3",
        ]
        installed = subprocess.run(install, capture_output=True, text=True, check=False)
        audit: list[str | Path] = [
            tool / "bin" / "pip-audit",
            "--no-deps",
            "--disable-pip",
            "-r",
            list_,
        ]
        done = installed
        if installed.returncode == 0:
            done = subprocess.run(audit, capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    if installed.returncode or any(each in said for each in UNREACHABLE):
        print("NOT AUDITED: the data about weaknesses cannot be reached from here.")
        print("Take this list to a machine that reaches it, and run pip-audit -r on it:\n")
        print(pins)
        return 0
    print(said)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
