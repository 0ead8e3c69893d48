"""Look up known weaknesses of the libraries that requirements.txt pins (pip-audit).

Ends with status 1 if one is known, and with 3 if it could not look: what is unknown is not safe.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

PINS = Path(__file__).resolve().parent.parent / "requirements.txt"
UNREACHABLE = ("ConnectionError", "Max retries", "NameResolution", "Dependency not found on PyPI")
COULD_NOT = 3


def main() -> int:
    """Ask; the exit status."""
    with tempfile.TemporaryDirectory() as folder:
        tool = Path(folder) / "bin"
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        done = _run(tool / "pip", "install", "--quiet", "pip-audit>=2.7,<3")
        installed = done.returncode == 0
        if installed:
            done = _run(tool / "pip-audit", "--require-hashes", "--disable-pip", "-r", PINS)
    said = done.stdout + done.stderr
    if installed and not any(each in said for each in UNREACHABLE):
        print(said)
        return done.returncode
    print("NOT AUDITED: the data about weaknesses cannot be reached from here.", file=sys.stderr)
    print("Run pip-audit -r requirements.txt on a machine that reaches it.", file=sys.stderr)
    return COULD_NOT


def _run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)


if __name__ == "__main__":
    sys.exit(main())
