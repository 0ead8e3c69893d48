"""What the engine answers to objects."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from judge.interchange.codec import Codec
from judge.interchange.errors import InterchangeError, refuse
from judge.interchange.questions import launches_bombs, read_question, remembered
from judge.interchange.text import LONGEST_LINE, Sink, Source, lines_of, parse, written
from judge.language.names import Names
from judge.language.problems import ReadError
from judge.rules.engine import adjudicate, owed
from judge.rules.legal_orders import legal_orders
from judge.rules.orders import (
    order_text,
)
from judge.rules.phase import Kind
from judge.rules.position import Position
from judge.rules.result import Adjudication
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant
from judge.sentences import in_words


def adjudicate_object(data: object) -> dict[str, Any]:
    """The answer to one input object. Raises InterchangeError."""
    question = read_question(data)
    assert isinstance(data, dict)
    variant, position = question.variant, question.position
    outcome = adjudicate(variant, position, question.orders, question.rulebook)
    codec = Codec.of(variant)
    results = codec.results(question, outcome)
    after, last = _next_decision(variant, outcome, question.rulebook)
    winners = last.winners
    answer = {
        "id": data.get("id"),
        "variant": variant.name,
        "phase": str(position.phase),
        "next_phase": str(after.phase),
        "results": results,
        "units": codec.units(after.units),
        "dislodged": {
            power: list(map(codec.dislodged, units))
            for power, units in outcome.dislodged.items()
            if units
        },
        "contested": list(outcome.contested),
        "centers": {power: list(owned) for power, owned in after.centers.items() if owned},
        "winner": winners[0] if len(winners) == 1 else list(winners) or None,
    }
    if launches_bombs(variant):
        answer["ending"] = None if last.ending is None else last.ending.value
        answer |= remembered(after)
    return answer


def adjudicate_line(line: str | bytes) -> str:
    """The answer to one input object, JSON to JSON. Raises InterchangeError."""
    return written(adjudicate_object(parse(line)))


def adjudicate_stream(source: Source, sink: Sink) -> int:
    """Answer objects, one a line, in the order they come, in constant memory.

    A bad line is answered by `{"error": ..., "line": N}`, N counted from 1, and the stream goes on;
    blank lines are passed over. Returns the exit status: 1 if there was a bad line, else 0.
    """
    status = 0
    for number, line in enumerate(lines_of(source), 1):
        if line is not None and not line.strip():
            continue
        data: object = None
        try:
            if line is None:
                refuse("the line", f"is longer than {LONGEST_LINE} bytes")
            data = parse(line)
            answer = written(adjudicate_object(data))
        except InterchangeError as error:
            status = 1
            answer = _failure(str(error), number, data)
        except Exception as error:  # a fault of ours in one line must not cost the others theirs
            status = 1
            answer = _failure(f"the engine failed: {error!r}", number, data)
        sink.write(answer + "\n")
        sink.flush()
    return status


def _failure(problem: str, number: int, data: object) -> str:
    said: dict[str, Any] = {"error": problem, "line": number}
    if isinstance(data, dict) and "id" in data:
        with suppress(RecursionError):
            return written(said | {"id": data["id"]})
    return written(said)


def _next_decision(
    variant: Variant, outcome: Adjudication, rulebook: Rulebook
) -> tuple[Position, Adjudication]:
    """The next position in which somebody has something to decide, and the phase that led to it."""
    position = outcome.position
    while not outcome.winners and not outcome.ending and position.phase.kind is not Kind.MOVEMENT:
        if position.phase.kind is Kind.RETREATS:
            if position.dislodged:
                break
        elif owed(variant, position, rulebook):
            break
        outcome = adjudicate(variant, position, {}, rulebook)
        position = outcome.position
    return position, outcome


def orders_object(data: object, power: str) -> dict[str, list[str]]:
    """Every legal order of each unit of `power` in the position of an input object.

    Raises InterchangeError, also when there is no such power.
    """
    question = read_question(data)
    try:
        named = Names.of(question.variant).power(power)
    except ReadError as error:
        refuse("power", in_words(error.problem, question.variant))
    legal = legal_orders(question.variant, question.position, named, question.rulebook)
    kind = question.position.phase.kind
    return {
        str(unit): [order_text(order, kind) for order in orders] for unit, orders in legal.items()
    }
