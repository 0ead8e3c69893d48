"""Logs of one line an event, `key=value` after the message, for people and programs alike.

Anyone who logs passes facts as `extra={"mail": 12, "game": "paris"}`. No message text, address of a
player or password belongs in them.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import TextIO

_NOT_PLAIN = re.compile('[ "=]')

_OWN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


_ABOUT: ContextVar[dict[str, object]] = ContextVar("about", default={})  # noqa: B039


@contextmanager
def about(**facts: object) -> Iterator[None]:
    """Put these facts into every line logged inside, by this thread: `about(mail=12)`."""
    token = _ABOUT.set(_ABOUT.get() | facts)
    try:
        yield
    finally:
        _ABOUT.reset(token)


def facts_of(record: logging.LogRecord) -> dict[str, object]:
    """Return what is known about an event besides its message."""
    own = {key: value for key, value in vars(record).items() if key not in _OWN}
    return own | {key: value for key, value in _ABOUT.get().items() if key not in own}


class _Formatter(logging.Formatter):
    """`2026-06-01T12:00:00Z INFO judge.daemon "mail processed" mail=12`, its traceback under it; or
    one JSON object a line: time, level, logger, message, the facts, and `traceback`."""

    def __init__(self, form: str) -> None:
        super().__init__()
        self._is_json = form == "json"

    def format(self, record: logging.LogRecord) -> str:
        at, level, name = _second(int(record.created)), record.levelname, record.name
        message, facts = record.getMessage(), facts_of(record)
        trace = self.formatException(record.exc_info) if record.exc_info else None
        if self._is_json:
            told = {"time": at, "level": level, "logger": name, "message": message, **facts}
            if trace is not None:
                told["traceback"] = trace
            return json.dumps(told, ensure_ascii=False, default=str)
        said = (f"{key}={_value(value)}" for key, value in facts.items())
        line = " ".join((at, level, name, _quoted(message), *said))
        return line if trace is None else f"{line}\n{trace}"


def _value(value: object) -> str:
    text = str(value)
    plain = text.isprintable() and not _NOT_PLAIN.search(text)
    return text if text and plain else _quoted(text)


_quoted = json.JSONEncoder(ensure_ascii=False).encode


@lru_cache(4)
def _second(instant: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(instant))


def set_up(level: str, stream: TextIO | None = None, form: str = "text") -> None:
    """Log from `level` ("debug" to "error") on to `stream`, standard error by default; `form` is
    text or json."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(_Formatter(form))
    # No line says from where in the code, or from which thread, it comes.
    logging._srcfile = None
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    # Libraries say too much: the alarm clock every alarm, the SMTP server every command. peewee
    # would even log whole mails as parameters of its statements.
    for chatty in ("apscheduler", "imapclient", "peewee"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
    # It warns of each word that is no command, be it of a mail whose recipient was refused.
    logging.getLogger("mail.log").setLevel(logging.ERROR)
