"""The rules give values; sentences are made in `judge.sentences`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

RULES = Path(__file__).resolve().parents[2] / "judge" / "rules"
FILES = sorted(RULES.rglob("*.py"))

ALLOWED = {
    # orders in canonical form, as players write them
    "orders.py",
    # names on the board
    "board.py",
    # faults of a program or of a settings file, never of an order
    "rulebook.py",
    # methods, to be compiled
    "values.py",
}


def sentences(tree: ast.AST) -> Iterator[str]:
    """Strings with a blank that are neither docstrings nor what an exception says."""
    silent: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr | ast.Raise | ast.Assert):
            silent |= {id(each) for each in ast.walk(node) if isinstance(each, ast.Constant)}
    for node in ast.walk(tree):
        text = node.value if isinstance(node, ast.Constant) and id(node) not in silent else None
        if isinstance(text, str) and " " in text.strip():
            yield text


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_rules_speak_no_english(path: Path) -> None:
    found = list(sentences(ast.parse(path.read_text(encoding="utf-8"))))
    assert (found == []) != (path.name in ALLOWED)


def test_a_sentence_would_be_found() -> None:
    told = 'def told(place):\n    """Say so."""\n    return f"no unit stands in {place}"'
    assert list(sentences(ast.parse(told))) == ["no unit stands in "]
