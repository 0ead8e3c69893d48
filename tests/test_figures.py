"""The figures of a tree are counted as they are called."""

from __future__ import annotations

from pathlib import Path

import judge
from tools.figures import WORTH, figures

GAME = """
class State:
    def save(self): ...
    def load(self):
        import json
        return json

class Line: ...
"""
MAIL = """
class Line: ...
class _Own: ...

def few(context: MessageContext, line):
    return context.now or line

def many(context: MessageContext):
    return context.a, context.b, context.c, context.d, few(context, 1)
"""


def test_what_has_to_be_read_is_counted() -> None:
    found = figures({"game/state.py": GAME, "mail/state.py": MAIL, "clock.py": "class _Own: ...\n"})
    assert {name: count for name, count in found.items() if not name.startswith("lines of")} == {
        "modules": 3,
        "longest module": 9,
        "class names that mean several things": 1,
        "module names that mean several things": 1,
        "functions that take the whole context": 2,
        "of these, those that need at most 4 of its parts": 1,
        "methods of State": 2,
        "functions with more than 20 branches": 0,
        "most branches of a function": 2,
        "imports within functions": 1,
        "lines": 18,
    }
    assert found["lines of game"] == 8


def test_what_games_were_worth_takes_at_most_five_thousand_lines() -> None:
    packages = Path(judge.__file__).parent
    modules = {str(path.relative_to(packages)): path.read_text() for path in packages.rglob("*.py")}
    # Paths that are gone would be counted as nothing.
    assert all(any(path.startswith(each) for path in modules) for each in WORTH)
    assert figures(modules)["lines of what games were worth"] <= 5000
