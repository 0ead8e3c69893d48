"""A stream of objects, one a line."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from judge import variants
from judge.interchange import adjudicate_line, adjudicate_object, adjudicate_text, answer_stream
from judge.interchange import position_objects as answering
from judge.interchange import text as lines
from judge.interchange.codec import Codec
from judge.language.read import Reader
from judge.rules.engine import adjudicate

GOOD = {"id": 1, "phase": "S1901M", "units": {"France": ["A par"]}}
BAD = {"id": 2, "phase": "S1901M", "units": {"France": ["F par"]}}


def stream(*lines: object) -> tuple[int, list[dict[str, Any]]]:
    """The exit status and the answers to lines; texts and bytes are sent as they are."""
    sent = b"".join(
        line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines
    )
    out = io.StringIO()
    status = answer_stream(io.BytesIO(sent), out, adjudicate_text)
    return status, [json.loads(line) for line in out.getvalue().splitlines()]


def test_each_line_is_answered_in_turn() -> None:
    status, answers = stream(GOOD, GOOD | {"id": 2})
    assert status == 0
    assert [answer["id"] for answer in answers] == [1, 2]
    assert answers[0] == adjudicate_object(GOOD)


def test_a_bad_line_is_answered_by_an_error_and_the_stream_goes_on() -> None:
    status, answers = stream(GOOD, b"nonsense\n", BAD, b"\xff\n", GOOD)
    assert status == 1
    assert [answer.get("line") for answer in answers] == [None, 2, 3, 4, None]
    assert answers[2]["id"] == 2
    assert answers[2]["error"].startswith('units.France[0]: "F par"')
    assert answers[4] == answers[0]


def test_half_a_character_goes_back_as_it_came() -> None:
    # JSON can name half of a surrogate pair, UTF-8 cannot hold it.
    status, answers = stream(GOOD | {"id": "\ud800"}, BAD | {"id": "\udfff"}, GOOD)
    assert status == 1
    assert [answer["id"] for answer in answers] == ["\ud800", "\udfff", 1]
    order = GOOD | {"orders": {"France": ["A par - \ud800"]}}
    for line in (GOOD | {"id": "\ud800"}, order):
        adjudicate_line(json.dumps(line)).encode()


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e999"])
def test_a_number_that_is_none_is_refused_and_not_answered(number: str) -> None:
    line = b'{"id":%s,"phase":"S1901M","units":{}}\n' % number.encode()
    status, answers = stream(line, GOOD)
    assert status == 1
    assert answers[0] == {"error": f"the line: is not JSON: {number} is no number", "line": 1}


@pytest.mark.parametrize(
    ("line", "field"),
    [
        (b'{"phase":"S1901M","phase":"F1901M","units":{}}\n', "phase"),
        (b'{"phase":"S1901M","units":{"France":["A par"],"France":["A bre"]}}\n', "France"),
    ],
)
def test_a_field_given_twice_is_refused(line: bytes, field: str) -> None:
    status, answers = stream(line, GOOD)
    assert status == 1
    assert answers[0] == {"error": f"{field}: is given twice", "line": 1}


@pytest.mark.parametrize("depth", range(850, 1050, 5))
def test_however_deep_an_id_is_the_stream_goes_on(depth: int) -> None:
    deep = b"[" * depth + b"]" * depth
    for units in (b"{}", b'{"France":["F par"]}'):
        _, answers = stream(b'{"id":%s,"phase":"S1901M","units":%s}\n' % (deep, units), GOOD)
        assert len(answers) == 2
        assert "error" not in answers[1]


def test_blank_lines_are_passed_over_and_counted() -> None:
    status, answers = stream(b"\n", GOOD, b"  \r\n", BAD)
    assert status == 1
    assert [answer.get("line") for answer in answers] == [None, 4]


def test_the_last_line_needs_no_end() -> None:
    status, answers = stream(GOOD, json.dumps(GOOD).encode())
    assert (status, len(answers)) == (0, 2)


def test_an_empty_stream_is_fine() -> None:
    assert stream() == (0, [])


def test_an_endless_line_is_refused_without_being_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (lines, answering):
        monkeypatch.setattr(module, "LONGEST_LINE", 200)
    status, answers = stream(GOOD, b'"' + b"x" * 1000 + b'"\n', GOOD)
    assert status == 1
    assert answers[1] == {"error": "the line: is longer than 200 bytes", "line": 2}
    assert answers[2] == answers[0]
    assert stream(GOOD, b"x" * 201)[1][1]["line"] == 2


def test_a_fault_of_the_engine_costs_one_line_only(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(variant: Any, position: Any, *rest: Any, **how: Any) -> Any:
        if "Italy" in position.units:
            raise RuntimeError("out of order")
        return adjudicate(variant, position, *rest, **how)

    monkeypatch.setattr(answering, "adjudicate", failing)
    status, answers = stream(GOOD, GOOD | {"units": {"Italy": ["A rom"]}}, GOOD)
    assert status == 1
    assert answers[1]["error"] == "the engine failed: RuntimeError('out of order')"
    assert answers[2] == answers[0]


def test_every_answer_is_let_through_at_once() -> None:
    class Pipe(io.StringIO):
        flushed = 0

        def flush(self) -> None:
            self.flushed += 1

    pipe = Pipe()
    answer_stream(io.BytesIO(b"{}\n{}\n"), pipe, adjudicate_text)
    assert pipe.flushed == 2


def test_what_is_remembered_does_not_grow_with_the_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    standard = variants.load("standard")
    codec = Codec(standard)
    monkeypatch.setattr(Codec, "MOST_REMEMBERED", 20)
    monkeypatch.setattr(Reader, "MOST_REMEMBERED", 20)
    monkeypatch.setitem(standard.derived, Codec.of, codec)
    for province in standard.board.army:
        for spelling in (f"A {province}", f"A  {province}", f"a {province.upper()}"):
            unit = {"France": [spelling]}
            orders = {"France": [f"A {province} H", f"{spelling} h"]}
            adjudicate_text({"phase": "S1901M", "units": unit, "orders": orders})
    assert len(codec._standing) <= 20
    assert len(codec._places) <= 20
    assert all(len(known) <= 20 for known in codec._rows.values())
