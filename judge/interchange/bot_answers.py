"""What a computer player orders in a position: anyone who adjudicates needs none."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import Any, Final

from judge.bots import orders_of
from judge.bots.levels import LEVELS
from judge.interchange.position_objects import read_power, read_question
from judge.interchange.text import an_object, given_or, refuse, shown
from judge.rules.orders import order_text

MOST_SECONDS: Final = 600
"""How long a computer player may think."""


def bot_object(data: object, clock: Callable[[], float]) -> dict[str, Any]:
    """Answer one input object with the orders of its `power`; `clock` is in seconds of processor
    time. Raises InterchangeError.
    """
    data = an_object(data)
    question = read_question({key: value for key, value in data.items() if key != "orders"})
    power = read_power(question, data.get("power"))
    level, seed = given_or(data, "level", LEVELS[-1]), given_or(data, "seed", 0)
    if not isinstance(level, str) or level not in LEVELS:
        refuse("level", f"must be {', '.join(LEVELS[:-1])} or {LEVELS[-1]}, not {shown(level)}")
    if not isinstance(seed, int) or isinstance(seed, bool):
        refuse("seed", f"must be a whole number, not {shown(seed)}")
    orders = orders_of(
        question.variant,
        question.position,
        power,
        level,
        seed=seed,
        seconds=_seconds(data.get("seconds")),
        clock=clock,
        rulebook=question.rulebook,
    )
    kind = question.position.phase.kind
    return {
        "id": data.get("id"),
        "power": power,
        "orders": [order_text(order, kind) for order in orders],
    }


def _seconds(value: object) -> float | None:
    if value is None:
        return None
    if not isinstance(value, int | float) or isinstance(value, bool) or not isfinite(value):
        refuse("seconds", f"must be a number, not {shown(value)}")
    if not 0 < value <= MOST_SECONDS:
        refuse("seconds", f"must be above 0 and at most {MOST_SECONDS}, not {shown(value)}")
    return value
