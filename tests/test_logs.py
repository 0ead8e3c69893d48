"""Log lines that people and programs can read."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator

import pytest

from judge import logs


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    before = root.handlers[:], root.level
    made = io.StringIO()
    logs.set_up("info", made)
    yield made
    root.handlers[:], root.level = before


def test_facts_stand_behind_the_message(stream: io.StringIO) -> None:
    logging.getLogger("judge.test").info("mail worked", extra={"mail": 12, "error": 'a "b" c'})
    time, rest = stream.getvalue().split(" ", 1)
    assert time.endswith("Z")
    assert rest == 'INFO judge.test "mail worked" mail=12 error="a \\"b\\" c"\n'


def test_an_event_is_one_line_whatever_is_in_it(stream: io.StringIO) -> None:
    logging.getLogger("judge.test").info("two\nlines %s", "\x1b[31m", extra={"fact": "a\nb"})
    assert stream.getvalue().count("\n") == 1
    assert "\x1b" not in stream.getvalue()


def test_a_traceback_follows(stream: io.StringIO) -> None:
    try:
        raise ValueError("a bug")
    except ValueError:
        logging.getLogger("judge.test").exception("it failed")
    assert "ValueError: a bug" in stream.getvalue()


def test_the_level_counts(stream: io.StringIO) -> None:
    logging.getLogger("judge.test").debug("whisper")
    logging.getLogger("apscheduler.scheduler").info("chatter")
    logging.getLogger("peewee").debug("a whole mail")
    assert stream.getvalue() == ""
