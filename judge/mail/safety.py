"""Keep what strangers write from stopping the judge, and libraries from changing what it means."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")


class _Quiet:
    """A block in which warnings are ignored.

    `warnings.catch_warnings` alone is not made for threads: of two blocks that overlap, the one
    that ends last may restore what the other had set. Here the first block to begin saves the
    filters, and the last one to end restores them.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open = 0
        self._saved = warnings.catch_warnings()

    def __enter__(self) -> None:
        with self._lock:
            if not self._open:
                self._saved = warnings.catch_warnings()
                self._saved.__enter__()
                warnings.simplefilter("ignore")
            self._open += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._open -= 1
            if not self._open:
                self._saved.__exit__(None, None, None)


quiet = _Quiet()
"""`with quiet:` ignores warnings, which are for developers: where Python makes errors of them, one
of a library's would make a mail unreadable that is not."""


def never_raises(
    otherwise: Callable[[Exception], T],
) -> Callable[[Callable[P, R]], Callable[P, R | T]]:
    """Make a function that reads mail return `otherwise(error)` where it or a library raises.

    Nothing is promised by libraries about malformed mail: ValueError, LookupError, RecursionError
    and others have all been seen. Their warnings are ignored.
    """

    def decorate(read: Callable[P, R]) -> Callable[P, R | T]:
        @wraps(read)
        def guarded(*args: P.args, **kwargs: P.kwargs) -> R | T:
            try:
                with quiet:
                    return read(*args, **kwargs)
            except Exception as error:
                return otherwise(error)

        return guarded

    return decorate
