"""A program that only adjudicates needs the standard library, and nothing else."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGES = ("rules", "language", "variants", "sentences", "interchange", "maps", "batch")

# Runs in a process of its own, in which everything outside the standard library is missing.
_FORBID = """
import importlib, pkgutil, sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        known = top == "judge" or top in sys.stdlib_module_names
        # Python's own settings at build time are listed nowhere.
        if not known and not top.startswith("_sysconfigdata"):
            raise ModuleNotFoundError(f"{name} is no part of the standard library")

sys.meta_path.insert(0, Missing())
"""
_SCRIPT = """
# These make pixels.
PIXELS = {f"judge.maps.{each}" for each in ("encoding", "hard_edges", "hatches", "pen", "raster")}
package = importlib.import_module(f"judge.{sys.argv[1]}")
for each in pkgutil.walk_packages(getattr(package, "__path__", ()), package.__name__ + "."):
    if each.name not in PIXELS:
        importlib.import_module(each.name)

from judge import variants
from judge.language.read import read_order
from judge.sentences import in_words

standard = variants.load("standard")
order = read_order("Army Prais -> Burgundy", standard, standard.start_phase, "France")
print(in_words(order, standard))
order = read_order("A Pra - Bur", standard, standard.start_phase, "France")
print(in_words(order.problem, standard))

from judge import maps

print(maps.draw(maps.position_view(standard, standard.opening))[:4])
"""


def test_the_page_for_programmers_does_what_it_says(tmp_path: Path) -> None:
    page = (Path(__file__).parent.parent / "docs" / "library.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (printed,) = re.findall(r"```text\n(.*?)```", page, re.DOTALL)
    imports, _, lines = code.rpartition("\n\n")
    assert len(lines.splitlines()) == 8
    ran = subprocess.run(
        [sys.executable, "-c", f"{_FORBID}{imports}\n{lines}"],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=tmp_path,
    )
    assert ran.stdout == printed, ran.stderr
    assert (tmp_path / "map.svg").read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_needs_the_standard_library_only(package: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", _FORBID + _SCRIPT, package],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ran.stdout.splitlines() == [
        "Army Paris moves to Burgundy",
        "no province is called Pra",
        "<svg",
    ], ran.stderr
