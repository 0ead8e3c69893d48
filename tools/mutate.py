"""Break a module one line at a time, and see whether its tests notice.

    python -m tools.mutate judge/game/visibility/fog.py -- tests/game/test_hidden.py

Each mutant changes one comparison, operator, number or condition, or leaves out one statement. It
is put into a fork of the tests that are loaded, and only those run that reach its line; no file
changes. Mutants that no test notices are listed; some of them are equal to the original in all that
can be seen. What runs when a module is loaded (its constants) is not tried, but listed, too.
"""

from __future__ import annotations

import argparse
import ast
import copy
import gc
import inspect
import json
import math
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

HUNG = 20, 5
"""Seconds that the tests of a mutant may take at least, and how many times as long as else: what
hangs is noticed."""

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
    """A module with one change: its lines, what was there, what is there instead, and all of it."""

    line: int
    last: int
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
            # What decides between two values may stand below them.
            last = (isinstance(node, ast.IfExp) and node.end_lineno) or node.lineno
            yield Mutant(node.lineno, last, before, ast.unparse(new).split("\n")[0], whole)


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


class _Mutating:
    """A pytest plugin: collect once, and try each mutant in a fork of what is loaded by then."""

    def __init__(self, module: Path, tried: list[Mutant], forks: bool) -> None:
        self.file, self.tried, self.forks = str(module.resolve()), tried, forks
        self.original = compile(ast.unparse(ast.parse(module.read_text())), self.file, "exec")
        self.left: list[Mutant] = []
        self.loaded: list[FunctionType] = []
        """Its functions, whose code a fork replaces."""
        self.loading: list[Mutant] = []
        """Mutants of what runs when the module is loaded, which a fork comes too late for."""

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests once, to see which of them reach which line; then each mutant's."""
        reached = self._reached(session)
        gc.unfreeze()
        self.loaded = [
            each
            for each in gc.get_objects()
            if isinstance(each, FunctionType) and each.__code__.co_filename == self.file
        ]
        gc.freeze()
        for done, mutant in enumerate(self.tried, 1):
            code = compile(mutant.source, self.file, "exec")
            new = {
                name: each
                for name, each in functions(code).items()
                if each != functions(self.original).get(name)
            }
            # A line within a statement may have no number of its own.
            near = (mutant.line - each for each in range(12))
            line = next((each for each in near if each in reached), mutant.line)
            lines = {line, *range(mutant.line, mutant.last + 1)}
            reaching = {number: taken for each in lines for number, taken in reached.get(each, [])}
            if self.forks and not reaching:
                # Perhaps in a process that a test forks.
                reaching = {number: taken for all_ in reached.values() for number, taken in all_}
            tests = sorted(reaching.items(), key=itemgetter(1))
            if not new:
                self.loading.append(mutant)
            elif not _in_fork(
                partial(self._notices, session, new, [each for each, _ in tests]),
                HUNG[0] + HUNG[1] * math.ceil(sum(taken for _, taken in tests)),
            ):
                self.left.append(mutant)
                print(f"\n{mutant.line}: {mutant.before}  ->  {mutant.after} ({len(tests)})")
            print(f"\r{done} of {len(self.tried)}", end="", file=sys.stderr, flush=True)
        return True

    def _reached(self, session: pytest.Session) -> dict[int, list[tuple[int, float]]]:
        """Return the tests that reach each line, by number, with how long each takes."""
        with tempfile.TemporaryDirectory() as folder:
            written = Path(folder, "reached")

            def watch() -> bool:
                found: dict[int, list[tuple[int, float]]] = {}
                for number, item in enumerate(session.items):
                    lines: set[int] = set()
                    tracer = partial(_trace, self.file, lines)
                    threading.settrace(tracer)
                    sys.settrace(tracer)
                    began = time.perf_counter()
                    failed = _fails(item)
                    sys.settrace(None)
                    if failed:
                        print(f"{item.nodeid} fails without any change.", file=sys.stderr)
                        return True
                    for line in lines:
                        found.setdefault(line, []).append((number, time.perf_counter() - began))
                written.write_text(json.dumps(list(found.items())))
                return False

            if _in_fork(watch, 3600):
                raise SystemExit(2)
            return dict(json.loads(written.read_bytes()))

    def _notices(self, session: pytest.Session, new: dict[str, CodeType], tests: list[int]) -> bool:
        for each in self.loaded:
            each.__code__ = new.get(each.__code__.co_qualname, each.__code__)
        return any(_fails(session.items[number]) for number in tests)


def functions(code: CodeType) -> dict[str, CodeType]:
    """Return the functions and methods of a module that has been compiled, by qualified name."""
    found: dict[str, CodeType] = {}
    for each in code.co_consts:
        if isinstance(each, CodeType):
            is_class = not each.co_flags & inspect.CO_OPTIMIZED
            found.update(functions(each) if is_class else {each.co_qualname: each})
    return found


def _trace(file: str, lines: set[int], frame: FrameType, event: str, _: object) -> Any:
    if frame.f_code.co_filename != file:
        return None
    lines.add(frame.f_lineno)
    return partial(_trace, file, lines)


def _fails(item: pytest.Item) -> bool:
    reports = runtestprotocol(item, log=False, nextitem=None)
    return any(each.failed for each in reports)


def _in_fork(task: Callable[[], bool], seconds: int) -> bool:
    """Return what a task says in a process of its own; True if it hangs or dies."""
    child = os.fork()
    if not child:
        signal.alarm(seconds)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        try:
            os._exit(int(task()))
        finally:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0


def main() -> int:
    """Try the mutants of one module; the exit status is 1 when any survives."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutate", description=__doc__)
    parser.add_argument("module", type=Path)
    parser.add_argument("tests", nargs="+")
    parser.add_argument("--most", type=int, help="try so many, chosen by chance")
    parser.add_argument("--seed", type=int, default=1)
    help_ = "run all tests for what none reaches in its own process"
    parser.add_argument("--forks", action="store_true", help=help_)
    given = parser.parse_args()
    tried = list(mutants(given.module.read_text()))
    if given.most is not None and given.most < len(tried):
        chosen = random.Random(given.seed).sample(range(len(tried)), given.most)
        tried = [tried[number] for number in sorted(chosen)]
    trial = _Mutating(given.module, tried, given.forks)
    ended = pytest.main(["-q", "-s", "-p", "no:cacheprovider", *given.tests], plugins=[trial])
    if ended not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        return 2
    for mutant in trial.loading:
        print(f"{given.module}:{mutant.line}: {mutant.before}  ->  {mutant.after} (not tried)")
    for mutant in trial.left:
        print(f"{given.module}:{mutant.line}: {mutant.before}  ->  {mutant.after}")
    run = len(tried) - len(trial.loading)
    print(f"{run - len(trial.left)} of {run} mutants were noticed.")
    return 1 if trial.left else 0


if __name__ == "__main__":
    raise SystemExit(main())
