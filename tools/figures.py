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
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

FEW = 4
"""Attributes of a whole context that are few."""

_WHOLE = {"Visit", "MessageContext"}
"""What the whole context of a message was called, and is."""

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


def _takes_whole(function: Function) -> str | None:
    """Return the name of the parameter that is a whole context, if there is one."""
    for each in function.args.args:
        if each.annotation is not None and ast.unparse(each.annotation).strip("\"'") in _WHOLE:
            return each.arg
    return None


def _named(function: Function, whole: str) -> int:
    """Return how many attributes of a whole context a function names, and one more if it gives
    the whole to somebody."""
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name) and node.id == whole]
    read = [
        node.attr
        for node in ast.walk(function)
        if isinstance(node, ast.Attribute) and node.value in names
    ]
    return len(set(read)) + (len(names) > len(read))


def figures(modules: Mapping[str, str]) -> dict[str, int]:
    """Return the figures of a tree, in the order in which they are printed."""
    trees = {path: ast.parse(source) for path, source in modules.items()}
    every = [each for tree in trees.values() for each in functions(tree)]
    whole = [(each, name) for each in every if (name := _takes_whole(each)) is not None]
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
        f"of these, those that name at most {FEW} of its parts": sum(
            _named(each, name) <= FEW for each, name in whole
        ),
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
