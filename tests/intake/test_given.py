"""What a function may touch stands in its parameters; the whole context is for who needs most."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from judge.intake.command import rows
from judge.intake.context import Cursor, MessageContext
from judge.intake.given import PARTS, check, give, given

ROOT = Path(__file__).parents[2]

MOST = 4
"""Parts of a context that a function names one by one; who needs more takes the whole."""

IN_CURSOR = PARTS & set(Cursor.__struct_fields__)
"""What whoever has the cursor has, too."""


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


class Taken(NamedTuple):
    """What a function does with the context it takes: which parts it names, and to whom it gives
    the whole, "" for somebody who cannot be told."""

    parts: frozenset[str]
    given_to: frozenset[str]


def taken(source: str, module: str) -> Iterator[tuple[str, Taken]]:
    """Yield the functions of a module that take a whole context, by their full names."""
    tree = ast.parse(source)
    known = {
        each.name: f"{module}.{each.name}"
        for each in tree.body
        if isinstance(each, ast.FunctionDef)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            known |= {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for each in function.args.args:
                if each.annotation and ast.unparse(each.annotation) == "MessageContext":
                    yield f"{module}.{function.name}", _taken(function, each.arg, known)


def _taken(function: ast.FunctionDef, name: str, known: dict[str, str]) -> Taken:
    parts, given_to, seen = set[str](), set[str](), 0
    for node in ast.walk(function):
        match node:
            case ast.Attribute(value=ast.Name(id=of), attr=part) if of == name:
                parts.add(part)
                seen += 1
            case ast.Call(func=func, args=args):
                whole = [each for each in args if isinstance(each, ast.Name) and each.id == name]
                if whole:
                    head, dot, rest = ast.unparse(func).partition(".")
                    given_to.add(f"{known[head]}{dot}{rest}" if head in known else "")
                    seen += len(whole)
    every = sum(isinstance(node, ast.Name) and node.id == name for node in ast.walk(function))
    return Taken(frozenset(parts), frozenset(given_to | ({""} if every > seen else set())))


def needed(name: str, functions: dict[str, Taken]) -> frozenset[str] | None:
    """Return the parts that a function needs, by itself or through those to whom it gives the
    whole; None where somebody among them may need any."""
    found, left, done = set[str](), [name], set[str]()
    while left:
        each = left.pop()
        if each not in functions:
            return None
        done.add(each)
        found |= functions[each].parts
        left += functions[each].given_to - done
    return frozenset(found)


def few(parts: frozenset[str] | None) -> bool:
    """Whether parts can be named one by one."""
    if parts is None:
        return False
    return min(len(parts), len(parts - IN_CURSOR | {"cursor"})) <= MOST


def test_nobody_takes_a_whole_context_who_needs_a_few_of_its_parts() -> None:
    functions = dict(
        found
        for path in sorted((ROOT / "judge").rglob("*.py"))
        for found in taken(
            path.read_text(encoding="utf-8"),
            ".".join(path.relative_to(ROOT).with_suffix("").parts),
        )
    )
    assert [each for each in functions if few(needed(each, functions))] == []


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
    functions = dict(taken(source, "judge.x"))
    assert few(needed("judge.x.f", functions)) is enough
