"""What a function may touch stands in its parameters; the whole context is for who needs most."""

from __future__ import annotations

import ast
import dataclasses
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from judge.intake.command import rows
from judge.intake.context import MessageContext
from judge.intake.given import PARTS, check, give, given
from tools.figures import MOST, need_few, taken

ROOT = Path(__file__).parents[2]

CURSOR = "class Cursor:\n    storage: Storage\n    mail: Mail\n    events: list[Event]\n"


def test_a_function_is_given_what_it_names_and_nothing_else() -> None:
    context: Any = SimpleNamespace(now="noon", storage="a base")

    def run(now: str, call: str, often: int = 2) -> tuple[str, str, int]:
        return now, call, often

    assert give(run, context, call="a line", state="a game") == ("noon", "a line", 2)


def test_a_function_that_names_what_nobody_has_is_no_command() -> None:
    def run(time: str, call: str) -> Any: ...

    with pytest.raises(TypeError, match="time"):
        given(run)
    with pytest.raises(TypeError, match="call"):
        check(run, "time")


@pytest.mark.parametrize("path", sorted({row["run"] for row in rows().values() if "run" in row}))
def test_a_command_names_parts_by_what_they_are(path: str) -> None:
    module, _, name = path.partition(".")
    said = getattr(import_module(f"judge.commands.{module}"), name).__annotations__
    parts = {each.name: each.type for each in dataclasses.fields(MessageContext)}
    assert {each: said[each] for each in said.keys() & PARTS} == {
        each: parts[each] for each in said.keys() & PARTS
    }


# No function takes the whole context that gets along with a few of its parts


def test_nobody_takes_a_whole_context_who_needs_a_few_of_its_parts() -> None:
    package = ROOT / "judge"
    trees = {
        str(path.relative_to(package)): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(package.rglob("*.py"))
    }
    assert sum(1 for path, tree in trees.items() for _ in taken(tree, path)) > MOST
    assert need_few(trees) == []


@pytest.mark.parametrize(
    ("body", "enough"),
    [
        ("return context.now", True),
        ("return other(context)", True),
        ("return context.now, context.log, context.profile, context.seed, other(context)", False),
        ("return context.storage, context.cursor, context.mail, context.events, context.now", True),
        ("return unknown(context)", False),
        ("return [context]", False),
    ],
)
def test_who_needs_few_parts_is_found(body: str, enough: bool) -> None:
    head = "def {}(context: MessageContext):\n    {}\n"
    source = head.format("other", "context.table") + head.format("f", body)
    assert (
        "judge.x.f" in need_few({"x.py": ast.parse(source), "c.py": ast.parse(CURSOR)})
    ) is enough
