"""Break a module one line at a time, and see whether its tests notice.

    python -m tools.mutate judge/game/visibility/fog.py -- tests/game/test_hidden.py

Each mutant changes one comparison, operator, number or condition, or leaves out one statement. The
tests run against a copy of the project, so that nothing here changes. Mutants that no test notices
are listed; some of them are equal to the original in all that can be seen.
"""

from __future__ import annotations

import argparse
import ast
import copy
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 300
"""How long the tests of one mutant may take: a mutant that hangs is noticed."""

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE,
    ast.GtE: ast.Gt, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}  # fmt: skip
CALLED = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True)
class Mutant:
    """A module with one change: its line, what was there, what is there instead, and all of it."""

    line: int
    before: str
    after: str
    source: str


def mutants(source: str) -> Iterator[Mutant]:
    """Return every mutant of a module, in the order of its lines."""
    tree = ast.parse(source)
    spots = [node for node in ast.walk(tree) if isinstance(node, ast.expr | ast.stmt)]
    for number, node in enumerate(spots):
        for change in range(3):
            other = copy.deepcopy(tree)
            changed = [each for each in ast.walk(other) if isinstance(each, ast.expr | ast.stmt)]
            before = ast.unparse(node).split("\n")[0]
            new = _changed(changed[number], change)
            if new is None:
                break
            whole = ast.unparse(_Put(changed[number], new).visit(other))
            yield Mutant(node.lineno, before, ast.unparse(new).split("\n")[0], whole)


def _changed(node: ast.AST, change: int) -> ast.AST | None:
    """Return the change number `change` of a node; None where it has no more."""
    found: list[ast.AST] = []
    if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARED:
        found = [ast.Compare(node.left, [COMPARED[type(node.ops[0])]()], node.comparators)]
    elif isinstance(node, ast.BoolOp):
        other = ast.And() if isinstance(node.op, ast.Or) else ast.Or()
        found = [ast.BoolOp(other, node.values), node.values[0], node.values[-1]]
    elif isinstance(node, ast.BinOp) and type(node.op) in COMPUTED:
        found = [ast.BinOp(node.left, COMPUTED[type(node.op)](), node.right)]
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        found = [node.operand]
    elif isinstance(node, ast.IfExp):
        found = [node.body, node.orelse]
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        found = [ast.Constant(not node.value)]
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        found = [ast.Constant(node.value + 1)]
    elif isinstance(node, ast.Assign | ast.AugAssign | ast.Expr | ast.Raise | ast.Continue):
        documents = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        found = [] if documents else [ast.Pass()]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLED:
        found = [ast.Call(ast.Name(CALLED[node.func.id]), node.args, node.keywords)]
    elif isinstance(node, ast.If):
        found = [ast.If(ast.Constant(value), node.body, node.orelse) for value in (True, False)]
    return found[change] if change < len(found) else None


class _Put(ast.NodeTransformer):
    """Put a node in the place of another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        """Return the tree with the one node changed."""
        if node is self.old:
            return ast.copy_location(self.new, node)
        visited: ast.AST = super().visit(node)
        return visited


def _workshop() -> Path:
    """Return a copy of the project in which only `judge/` is a real copy."""
    place = Path(tempfile.mkdtemp(prefix="judge-mutants-"))
    for each in ROOT.iterdir():
        if each.name == "judge":
            shutil.copytree(each, place / "judge", ignore=shutil.ignore_patterns("__pycache__"))
        elif each.name not in (".git", ".venv", ".hypothesis", ".pytest_cache"):
            (place / each.name).symlink_to(each)
    return place


def _is_noticed(place: Path, module: Path, source: str, tests: list[str]) -> bool:
    (place / module).write_text(source)
    command = [sys.executable, "-B", "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    try:
        done = subprocess.run(command, cwd=place, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0


def main() -> int:
    """Try the mutants of one module; the exit status is 1 when any survives."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutate", description=__doc__)
    parser.add_argument("module", type=Path)
    parser.add_argument("tests", nargs="+")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--most", type=int, help="try so many, chosen by chance")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    original = given.module.read_text()
    tried = list(mutants(original))
    if given.most is not None and given.most < len(tried):
        chosen = random.Random(given.seed).sample(range(len(tried)), given.most)
        tried = [tried[number] for number in sorted(chosen)]
    free: SimpleQueue[Path] = SimpleQueue()
    places = [_workshop() for _ in range(given.jobs)]
    for place in places:
        free.put(place)

    def survives(mutant: Mutant) -> bool:
        place = free.get()
        try:
            return not _is_noticed(place, given.module, mutant.source, given.tests)
        finally:
            free.put(place)

    try:
        if not survives(Mutant(0, "", "", original)):
            print("The tests fail without any change.", file=sys.stderr)
            return 2
        with ThreadPoolExecutor(given.jobs) as pool:
            results = list(zip(tried, pool.map(survives, tried), strict=True))
    finally:
        for place in places:
            shutil.rmtree(place)
    left = [mutant for mutant, alive in results if alive]
    for mutant in left:
        print(f"{given.module}:{mutant.line}: {mutant.before}  ->  {mutant.after}")
    print(f"{len(tried) - len(left)} of {len(tried)} mutants were noticed.")
    return 1 if left else 0


if __name__ == "__main__":
    raise SystemExit(main())
