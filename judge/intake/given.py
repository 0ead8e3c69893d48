"""A command says by its parameters what it may touch, and is given that and nothing else.

A parameter that is called as a part of `MessageContext` is (`cursor`, `storage`, `now`) is given
that part; `state` is the game of these lines, `call` the line, and `context` the whole, which only
those take who need most of it. So `def moves(cursor: Cursor, call: Line)` can neither write to the
log nor answer, and who reads it, or tests it, need know no more.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from judge.game.state.answers import Answer
from judge.intake.command import Run
from judge.intake.context import MessageContext

_T = TypeVar("_T")

PARTS = frozenset(each.name for each in dataclasses.fields(MessageContext))
"""What a parameter can be called to be given the part of that name."""


@cache
def names(function: Callable[..., Any]) -> tuple[str, ...]:
    """Return what the parameters without a default are called, in order."""
    parameters = inspect.signature(function).parameters.values()
    return tuple(each.name for each in parameters if each.default is each.empty)


def give(function: Callable[..., _T], context: MessageContext, **others: Any) -> _T:
    """Call a function with the parts of a context that it names, and those of `others`."""
    offered = {"context": context, **others}
    return function(
        **{
            name: offered[name] if name in offered else getattr(context, name)
            for name in names(function)
        }
    )


def check(function: Callable[..., Any], *others: str) -> None:
    """Raise TypeError where a function names what it cannot be given."""
    for name in names(function):
        if name not in (*PARTS, "context", *others):
            raise TypeError(f"{function.__qualname__} wants {name!r}, which nobody has")


def given(function: Callable[..., Answer]) -> Run:
    """Return what a command does, from a function that names what it needs of a context and of
    the `call`."""
    check(function, "call")
    return lambda context, call: give(function, context, call=call)
