"""Positions, orders and results as JSON: how tools outside the daemon talk to the engine.

The objects are described in `docs/formats.md`. Input is read leniently as to writing (any name the
order reader knows) and strictly as to facts: what cannot be a position is an InterchangeError that
names the field and the value. An order that cannot be read or followed is a result, not an error.
"""

from __future__ import annotations

from judge.interchange.codec import Question
from judge.interchange.position_objects import (
    adjudicate_line,
    adjudicate_object,
    adjudicate_text,
    answer_stream,
    launches_bombs,
    orders_object,
    position_object,
    read_question,
    variant_object,
)
from judge.interchange.text import LONGEST_LINE, InterchangeError, parse, written
