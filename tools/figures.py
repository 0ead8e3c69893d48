"""What one has to read to change one thing, in figures: `python -m tools.figures HEAD~100 HEAD`.

Each argument is a commit; the table has a column for each. Lines are those of Python in `judge`.
"""

from __future__ import annotations

import ast
import io
import subprocess
import sys
import tarfile
from collections import Counter
from collections.abc import Iterator, Mapping, Set
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent

MOST = 4
"""Parts of a whole context that a function names one by one; who needs more takes the whole."""

_WHOLE = {"Visit", "MessageContext"}
"""What the whole context of a message was called, and is."""

_CURSOR = "Cursor"
"""The part of it that has some of the others, too."""

WORTH = (
    *("records/", "tournaments/", "game/directing", "game/explained", "game/scores", "houses"),
    *("game/game_object", "game/people/peace", "commands/tournament_commands", "commands/seats"),
    *("commands/own_history", "commands/peace_commands", "site/archive", "storage/tournament_rows"),
    *("cli/archive_commands", "cli/convert_command", "cli/game_file_commands", "cli/score"),
    *("interchange/convert", "interchange/game_files", "interchange/ending_objects"),
)
"""What games were worth: files of games, archive, scores, ratings, tournaments, seats by a code,
houses, peace among players, and games explained, each by what its path begins with."""

_BRANCHES = (
    *(ast.If, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.match_case, ast.IfExp),
)

Function = ast.FunctionDef | ast.AsyncFunctionDef


def sources(commit: str) -> dict[str, str]:
    """Return the modules of `judge` at a commit, by their paths below it."""
    packed = subprocess.run(
        ["git", "archive", commit, "judge"], cwd=ROOT, check=True, capture_output=True
    )
    found = {}
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
        for member in archive:
            if member.name.endswith(".py") and (file := archive.extractfile(member)) is not None:
                found[member.name.removeprefix("judge/")] = file.read().decode("utf-8")
    return found


def functions(tree: ast.AST) -> Iterator[Function]:
    """Yield all functions, those within others included."""
    yield from (node for node in ast.walk(tree) if isinstance(node, Function))


def branches(function: Function) -> int:
    """Return how many ways there are through a function, with those of conditions in a line."""
    count, within = 1, list(ast.iter_child_nodes(function))
    while within:
        node = within.pop()
        if isinstance(node, Function | ast.ClassDef):
            continue
        if isinstance(node, ast.comprehension):
            count += len(node.ifs)
        elif isinstance(node, ast.BoolOp):
            count += len(node.values) - 1
        count += isinstance(node, _BRANCHES)
        within += ast.iter_child_nodes(node)
    return count


def _imports(function: Function) -> int:
    return sum(isinstance(node, ast.Import | ast.ImportFrom) for node in ast.walk(function))


class Taken(NamedTuple):
    """What a function does with the whole context it takes: which parts it names, and to whom it
    gives the whole, "" for somebody who cannot be told."""

    parts: frozenset[str]
    given_to: frozenset[str]


def taken(tree: ast.Module, module: str) -> Iterator[tuple[str, Taken]]:
    """Yield the functions of a module that take a whole context, by their full names."""
    known = {
        each.name: f"{module}.{each.name}"
        for each in tree.body
        if isinstance(each, ast.FunctionDef)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            known |= {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}
    for function in functions(tree):
        for each in function.args.args:
            if each.annotation and ast.unparse(each.annotation).strip("\"'") in _WHOLE:
                yield f"{module}.{function.name}", _taken(function, each.arg, known)


def _taken(function: Function, name: str, known: Mapping[str, str]) -> Taken:
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


def needed(name: str, takers: Mapping[str, Taken]) -> frozenset[str] | None:
    """Return the parts that a function needs, by itself or through those to whom it gives the
    whole; None where somebody among them may need any."""
    found, left, done = set[str](), [name], set[str]()
    while left:
        each = left.pop()
        if each not in takers:
            return None
        done.add(each)
        found |= takers[each].parts
        left += takers[each].given_to - done
    return frozenset(found)


def few(parts: frozenset[str] | None, in_cursor: Set[str]) -> bool:
    """Whether parts can be named one by one; functions that have the cursor have those `in_cursor`,
    too."""
    if parts is None:
        return False
    return min(len(parts), len(parts - in_cursor | {_CURSOR.lower()})) <= MOST


def need_few(trees: Mapping[str, ast.Module]) -> list[str]:
    """Return the functions that take a whole context and get along with a few of its parts, by
    their full names."""
    takers = dict(
        found
        for path, tree in trees.items()
        for found in taken(tree, f"judge.{path.removesuffix('.py').replace('/', '.')}")
    )
    in_cursor = {
        node.target.id
        for tree in trees.values()
        for each in tree.body
        if isinstance(each, ast.ClassDef) and each.name == _CURSOR
        for node in each.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    return [each for each in takers if few(needed(each, takers), in_cursor)]


def figures(modules: Mapping[str, str]) -> dict[str, int]:
    """Return the figures of a tree, in the order in which they are printed."""
    trees = {path: ast.parse(source) for path, source in modules.items()}
    every = [each for tree in trees.values() for each in functions(tree)]
    whole = [found for path, tree in trees.items() for found in taken(tree, path)]
    classes = Counter(
        node.name
        for path, tree in trees.items()
        if "migrations" not in path
        for node in tree.body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    names = Counter(Path(path).stem for path in modules)
    state = [
        node
        for tree in trees.values()
        for node in tree.body
        if isinstance(node, ast.ClassDef) and node.name == "State"
    ]
    found = {
        "modules": len(modules),
        "longest module": max(source.count("\n") for source in modules.values()),
        "class names that mean several things": sum(each > 1 for each in classes.values()),
        "module names that mean several things": sum(
            count > 1 for name, count in names.items() if not name.startswith("__")
        ),
        "functions that take the whole context": len(whole),
        f"of these, those that need at most {MOST} of its parts": len(need_few(trees)),
        "methods of State": max((len(list(functions(each))) for each in state), default=0),
        "functions with more than 20 branches": sum(branches(each) > 20 for each in every),
        "most branches of a function": max(map(branches, every)),
        "imports within functions": sum(map(_imports, every)),
        "lines": sum(source.count("\n") for source in modules.values()),
    }
    lines = Counter[str]()
    for path, source in modules.items():
        lines[path.partition("/")[0] if "/" in path else "(beside)"] += source.count("\n")
    found["lines of what games were worth"] = sum(
        source.count("\n") for path, source in modules.items() if path.startswith(WORTH)
    )
    return found | {f"lines of {package}": lines[package] for package in sorted(lines)}


def main(commits: list[str]) -> None:
    """Print the table."""
    columns = [figures(sources(each)) for each in commits]
    rows = list(dict.fromkeys(row for column in columns for row in column))
    print("| | " + " | ".join(commits) + " |")
    print("|---" + "|---:" * len(commits) + "|")
    for row in rows:
        said = (f"{column[row]:,}" if row in column else "" for column in columns)
        print(f"| {row} | " + " | ".join(said) + " |")


if __name__ == "__main__":
    main(sys.argv[1:] or ["HEAD"])
