"""Log lines that people and programs can read."""

from __future__ import annotations

import io
import json
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
    logging.getLogger("judge.test").info("mail processed", extra={"mail": 12, "error": 'a "b" c'})
    time, rest = stream.getvalue().split(" ", 1)
    assert time.endswith("Z")
    assert rest == 'INFO judge.test "mail processed" mail=12 error="a \\"b\\" c"\n'


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


def test_what_a_thread_is_about_stands_in_every_line(stream: io.StringIO) -> None:
    logger = logging.getLogger("judge.test")
    with logs.about(mail=12, game="paris"):
        logger.info("read", extra={"game": "rome"})
        with logs.about(phase="S1901M"):
            logger.info("processed")
    logger.info("rested")
    first, second, third = stream.getvalue().splitlines()
    assert first.endswith('"read" game=rome mail=12')
    assert second.endswith('"processed" mail=12 game=paris phase=S1901M')
    assert third.endswith('"rested"')


def test_lines_for_programs_are_json(stream: io.StringIO) -> None:
    logs.set_up("info", stream, "json")
    with logs.about(mail=12):
        try:
            raise ValueError("a bug")
        except ValueError:
            logging.getLogger("judge.test").exception("it failed\ntwice")
    (line,) = stream.getvalue().splitlines()
    found = json.loads(line)
    assert (found["level"], found["message"], found["mail"]) == ("ERROR", "it failed\ntwice", 12)
    assert "ValueError: a bug" in found["traceback"]
    assert found["time"].endswith("Z")


def test_what_a_client_of_the_smtp_server_said_is_in_no_line(stream: io.StringIO) -> None:
    logging.getLogger("mail.log").warning("%r unrecognised: %s", ("192.0.2.9", 25), "SECRET")
    assert stream.getvalue() == ""
