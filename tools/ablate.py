"""Leave out what reads mails, one piece at a time, and see which rows of the corpora get worse.

    python -m tools.ablate judge/intake judge/language judge/game/orders > found.jsonl

A piece is a function (it returns nothing, or its text as it is), a branch, an operand of `and` and
`or`, a condition of a comprehension, or a case. Rows that a piece decides are noted once; without
the piece only those are played again, in a fork. Most lines saved for each row that is lost come
first. A piece that guards against attacks, or that files nothing where another one files nothing
already, may decide no row and still be needed: look before it goes.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import functools
import gc
import importlib.abc
import importlib.machinery
import json
import os
import random
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

NEUTRAL: dict[str, Callable[[], object]] = {
    "bool": bool, "int": int, "tuple": tuple, "list": list, "set": set, "frozenset": frozenset,
    "dict": dict, "Mapping": dict, "Sequence": tuple, "Collection": tuple, "None": lambda: None,
    "Iterator": lambda: iter(()),
}  # fmt: skip

ORDER = ("right", "asked", "not done", "silent", "wrong", "leaked")
"""What may come of a row, the better first."""

MANY = 12
"""Rows that are played first, and where not more than `ENOUGH` come out otherwise up to eight
times as many."""

ENOUGH = 4


@dataclass
class Site:
    """A piece that can be left out, the lines that this saves, and the rows that it decides."""

    file: str
    line: int
    size: int
    kind: str
    text: str
    rows: set[int] = field(default_factory=set)


SITES: list[Site] = []
_STATE = {"off": -1, "row": -1}


def _decides(number: int, decided: bool) -> bool:
    """Note that a piece decides a row; return whether it is left out."""
    if decided:
        SITES[number].rows.add(_STATE["row"])
    return number == _STATE["off"]


def _unless(number: int, value: object) -> object:
    return False if _decides(number, bool(value)) else value


def _only(number: int, value: object) -> object:
    return True if _decides(number, not value) else value


def _function(number: int, kind: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def around(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def changed(*args: Any, **named: Any) -> Any:
            if number == _STATE["off"]:
                texts = [each for each in (*args, *named.values()) if isinstance(each, str)]
                return next(iter(texts), "") if kind == "str" else NEUTRAL[kind]()
            found = function(*args, **named)
            if kind == "Iterator":
                return _noted(number, found)
            _decides(number, kind in ("None", "str") or bool(found))
            return found

        return changed

    return around


def _noted(number: int, found: Iterator[Any]) -> Iterator[Any]:
    for each in found:
        _decides(number, True)
        yield each


class _Marker(ast.NodeTransformer):
    """Put a call around each piece of a module."""

    def __init__(self, file: str) -> None:
        self.file = file

    def _call(self, name: str, node: ast.expr, kind: str, size: int, near: ast.AST) -> ast.expr:
        SITES.append(
            Site(self.file, near.lineno, size, kind, ast.unparse(node).split("\n")[0])  # type: ignore[attr-defined]
        )
        number = ast.Constant(len(SITES) - 1)
        return ast.Call(ast.Name(name, ast.Load()), [number, node], [])

    def visit_If(self, node: ast.If) -> ast.AST:
        size = node.body[-1].end_lineno - node.lineno + 1  # type: ignore[operator]
        plain = node.test
        self.generic_visit(node)
        if not (isinstance(plain, ast.Name) and plain.id == "TYPE_CHECKING"):
            node.test = self._call("_ablate_unless", node.test, "if", size, node)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        node.test = self._call("_ablate_unless", node.test, "first", 1, node)
        node.test = self._call("_ablate_only", node.test, "else", 1, node)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        sizes = [each.end_lineno - each.lineno + 1 for each in node.values]  # type: ignore[operator]
        self.generic_visit(node)
        either = isinstance(node.op, ast.Or)
        name, kind = ("_ablate_unless", "or") if either else ("_ablate_only", "and")
        node.values = [
            self._call(name, each, kind, size, each)
            for each, size in zip(node.values, sizes, strict=True)
        ]
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        node.ifs = [self._call("_ablate_only", each, "filter", 1, each) for each in node.ifs]
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        self.generic_visit(node)
        size = node.body[-1].end_lineno - node.body[0].lineno + 2  # type: ignore[operator]
        if not (isinstance(node.pattern, ast.MatchAs) and node.pattern.pattern is None):
            guard = node.guard or ast.Constant(True)
            node.guard = self._call("_ablate_unless", guard, "case", size, node.pattern)
            SITES[-1].text = ast.unparse(node.pattern)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        size = node.end_lineno - node.lineno + 1 + len(node.decorator_list)  # type: ignore[operator]
        self.generic_visit(node)
        said = ast.unparse(node.returns) if node.returns else ""
        kind = "None" if said.endswith("| None") else said.partition("[")[0]
        if (kind in NEUTRAL or kind == "str") and not node.name.startswith("__"):
            SITES.append(Site(self.file, node.lineno, size, "function", node.name))
            arguments: list[ast.expr] = [ast.Constant(len(SITES) - 1), ast.Constant(kind)]
            node.decorator_list.append(
                ast.Call(ast.Name("_ablate_function", ast.Load()), arguments, [])
            )
        return node


class _Loader(importlib.machinery.SourceFileLoader):
    def get_code(self, fullname: str) -> Any:
        source = Path(self.path).read_text(encoding="utf-8")
        tree = _Marker(os.path.relpath(self.path)).visit(ast.parse(source))
        return compile(ast.fix_missing_locations(tree), self.path, "exec")


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, packages: Sequence[str]) -> None:
        self.packages = packages

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if not name.startswith(tuple(f"{each}." for each in self.packages)):
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        if spec is not None and spec.origin and spec.submodule_search_locations is None:
            spec.loader = _Loader(name, spec.origin)
        return spec


class Trial:
    """The corpora, each row of which can be played by itself; what others come to is remembered."""

    def __init__(self, packages: Sequence[str], only: str) -> None:
        from tests.language import measure
        from tests.mail import replies, test_corpus

        self.measure, self.packages, self.only = measure, packages, only
        self.chosen: set[int] | None = None
        self.known: dict[tuple[int, int], object] = {}
        self.calls = 0
        self.inner = False
        """Whether what is called is part of something that is played."""
        measure.read_as = self._chosen(measure.read_as)
        test_corpus.read = self._chosen(test_corpus.read)
        replies.read = self._chosen(replies.read)
        judged = measure.judged()
        world = judged.world
        for owner, name in ((judged, "play"), (world, "enter"), (world, "letter"), (world, "send")):
            setattr(owner, name, self._chosen(getattr(owner, name)))
        self.spans: dict[str, range] = {}
        self.base: list[str] = []
        self.names: list[str] = []

    def _chosen(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def play(*args: Any, **named: Any) -> Any:
            key = (_STATE["row"], self.calls)
            if self.inner:
                return function(*args, **named)
            self.calls += 1
            if self.chosen is not None and key[0] not in self.chosen:
                return self.known[key]
            self.inner = True
            try:
                found = function(*args, **named)
            finally:
                self.inner = False
            if self.chosen is None:
                self.known[key] = found
            return found

        return play

    def _corpora(self) -> list[Any]:
        return [each for each in self.measure.corpora() if self.only in each.name]

    def record(self) -> None:
        """Play all rows, and note which piece decides which."""
        for corpus in self._corpora():
            first = len(self.base)
            for row in self._rows(corpus, first):
                self.base.append(row[2].verdict)
                self.names.append(f"{corpus.name} | {row[0]} | {row[1]}")
            self.spans[corpus.name] = range(first, len(self.base))
            print(corpus.name, len(self.base), file=sys.stderr, flush=True)
        _STATE["row"] = -1
        # What a fork leaves open would keep the next one from putting the judge back.
        self.measure.judged().world.play.storage.close()

    def _rows(self, corpus: Any, first: int) -> Iterator[Any]:
        known = [
            each
            for each in gc.get_objects()
            if isinstance(each, functools._lru_cache_wrapper)
            and each.cache_parameters()["maxsize"] is not None
            and (getattr(each, "__module__", "") or "").startswith(tuple(self.packages))
        ]
        _STATE["row"], self.calls = first, 0
        for row in corpus.rows(1):
            yield row
            _STATE["row"], self.calls = _STATE["row"] + 1, 0
            for each in known if self.chosen is None else ():
                # What one row has read would not be reached by the next.
                each.cache_clear()

    def without(self, number: int, rows: set[int]) -> list[tuple[int, str]]:
        """Return what the rows come to without a piece, where that is something else."""
        self.chosen = rows
        self._forget()
        _STATE["off"] = number
        found = []
        for corpus in self._corpora():
            span = self.spans[corpus.name]
            if not rows.isdisjoint(span):
                for place, row in zip(span, self._rows(corpus, span.start), strict=False):
                    if place in rows and row[2].verdict != self.base[place]:
                        found.append((place, row[2].verdict))
        self.measure.judged().world.play.storage.close()
        return found

    def _forget(self) -> None:
        """Forget what was read before."""
        gc.unfreeze()
        for each in gc.get_objects():
            if isinstance(each, functools._lru_cache_wrapper):
                module = getattr(each, "__module__", "") or ""
                if module.startswith(tuple(self.packages)) and module not in KEPT:
                    each.cache_clear()
            elif type(each).__name__ == "Reader" and hasattr(each, "_known"):
                for known in (*each._known.values(), *each.settled.values()):
                    known.clear()
            elif type(each).__name__ == "Variant" and hasattr(each, "derived"):
                for key in list(each.derived):
                    if key.make.__module__.startswith(tuple(self.packages)):
                        del each.derived[key]


KEPT = ("judge.intake.wishes",)
"""Where a model is learned, which takes long."""


def tried(trial: Trial, number: int) -> dict[str, Any]:
    """What comes of leaving out a piece."""
    site = SITES[number]
    rows = sorted(site.rows - {-1})
    random.Random(1).shuffle(rows)
    lost: list[tuple[int, str]] = []
    played = 0
    for part in (rows[:MANY], rows[MANY : 8 * MANY]):
        if not part or len(lost) > ENOUGH:
            break
        changed = _in_fork(lambda part=part: trial.without(number, set(part)), 30 + len(part))  # type: ignore[misc]
        played += len(part)
        if isinstance(changed, str):
            return _row(site, played, changed or "hangs", [])
        lost += changed
    worse = [
        f"{trial.base[place]} -> {verdict}: {trial.names[place]}"
        for place, verdict in lost
        if ORDER.index(verdict) > ORDER.index(trial.base[place])
    ]
    return _row(site, played, len(worse), worse) | {"better": len(lost) - len(worse)}


def _row(site: Site, played: int, worse: object, lost: list[str]) -> dict[str, Any]:
    found = {"at": f"{site.file}:{site.line}", "size": site.size, "kind": site.kind}
    found |= {"text": site.text, "rows": len(site.rows - {-1}), "made": -1 in site.rows}
    return found | {"played": played, "worse": worse, "lost": lost[:40]}


def _in_fork(task: Callable[[], Any], seconds: int) -> Any:
    """Return what a task returns in a process of its own; how it failed if it did."""
    with tempfile.TemporaryFile() as told:
        child = os.fork()
        if not child:
            try:
                signal.alarm(seconds)
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, 1)
                os.dup2(nowhere, 2)
                os.write(told.fileno(), json.dumps(task()).encode())
                os._exit(0)
            except Exception as error:
                os.write(told.fileno(), repr(error).encode())
            finally:
                os._exit(1)
        failed = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        told.seek(0)
        found = told.read().decode()
        return found if failed else json.loads(found)


def main() -> int:
    """Leave out each piece of packages, and print what comes of it as JSON, a line for each."""
    parser = argparse.ArgumentParser(prog="python -m tools.ablate", description=__doc__)
    parser.add_argument("packages", nargs="+")
    parser.add_argument("--least", type=int, default=1, help="lines that a piece must have")
    parser.add_argument("--only", default="", help="files with this in the path")
    parser.add_argument("--corpora", default="", help="corpora with this in the name")
    given = parser.parse_args()
    packages = [each.strip("/").replace("/", ".") for each in given.packages]
    sys.meta_path.insert(0, _Finder(packages))
    builtins._ablate_unless = _unless  # type: ignore[attr-defined]
    builtins._ablate_only = _only  # type: ignore[attr-defined]
    builtins._ablate_function = _function  # type: ignore[attr-defined]
    from tests import memory

    memory.use()
    trial = Trial(packages, given.corpora)
    trial.record()
    numbers = [each for each in range(len(SITES)) if SITES[each].size >= given.least]
    only = given.only.split(",")
    numbers = [each for each in numbers if any(part in SITES[each].file for part in only)]
    for number in numbers:
        names = [trial.names[row] for row in sorted(SITES[number].rows - {-1})[:8]]
        print(json.dumps(_row(SITES[number], 0, 0, names)), flush=True)
    live = [each for each in numbers if SITES[each].rows - {-1}]
    live.sort(key=lambda each: len(SITES[each].rows) / SITES[each].size)
    for done, number in enumerate(live, 1):
        print(json.dumps(tried(trial, number)), flush=True)
        print(f"{done} of {len(live)}", file=sys.stderr, flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
