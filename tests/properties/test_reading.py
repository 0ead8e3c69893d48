"""What is printed is read back as what it was; whatever is given is answered, never a crash."""

from __future__ import annotations

import contextlib
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from judge import interchange
from judge.language.read import Reader, read_order
from judge.rules.legal_orders import legal_orders
from judge.rules.orders import Order, Unreadable
from judge.rules.phase import Kind
from judge.rules.position import Position
from judge.rules.variant import Variant
from judge.sentences import order_words
from tests.properties.strategies import (
    LOCATIONS,
    STANDARD,
    any_orders,
    positions,
    situations,
)
from tests.prove.generate import Orders


def legal(position: Position) -> list[tuple[str, Order]]:
    """All legal orders of all powers."""
    return [
        (power, order)
        for power in STANDARD.powers
        for own in legal_orders(STANDARD, position, power).values()
        for order in own
    ]


@given(positions(), st.randoms(use_true_random=False))
def test_canonical_orders_are_read_back(position: Position, random: Any) -> None:
    orders = legal(position)
    for power, order in random.sample(orders, k=min(60, len(orders))):
        text = str(order)
        assert read_order(text, STANDARD, position.phase, power, position) == order
        assert read_order(text.upper(), STANDARD, position.phase, power, position) == order


@given(positions(), st.randoms(use_true_random=False))
def test_orders_in_words_are_read_back(position: Position, random: Any) -> None:
    orders = legal(position)
    for power, order in random.sample(orders, k=min(40, len(orders))):
        text = order_words(order, STANDARD.board)
        assert read_order(text, STANDARD, position.phase, power, position) == order, text


@given(positions(), st.randoms(use_true_random=False))
def test_orders_on_one_line_are_taken_apart(position: Position, random: Any) -> None:
    orders = legal(position)
    some = random.sample(orders, k=min(5, len(orders)))
    line = random.choice([", ", "; ", ". "]).join(str(order) for _, order in some)
    read = [
        read_order(text, STANDARD, position.phase, None, position)
        for text in pieces(line, position.phase.kind)
    ]
    assert read == [order for _, order in some]


def pieces(line: str, kind: Kind) -> list[str]:
    """The orders of a line, as they are written."""
    return [each.text for each in Reader.of(STANDARD).line(line, kind).orders]


@given(situations())
def test_a_position_is_read_back(made: tuple[Variant, Position, Orders]) -> None:
    variant, position, orders = made
    if variant is not STANDARD:
        return
    data = interchange.position_object(variant, position)
    data["orders"] = {power: list(map(str, own)) for power, own in orders.items()}
    question = interchange.read_question(json.loads(json.dumps(data)))
    assert question.position.units == position.units
    assert question.position.phase == position.phase
    assert {power: list(own) for power, own in question.orders.items()} == orders


@given(positions())
def test_an_answer_is_the_next_question(position: Position) -> None:
    data = interchange.position_object(STANDARD, position)
    answer = interchange.adjudicate_object(json.loads(json.dumps(data)))
    following = {
        "phase": answer["next_phase"],
        **{key: answer[key] for key in ("units", "centers", "dislodged", "contested")},
    }
    if not answer["next_phase"].endswith("R"):
        following["dislodged"] = {}
    question = interchange.read_question(following)
    assert interchange.position_object(STANDARD, question.position)["units"] == answer["units"]


ORDER_WORDS = st.sampled_from(
    [
        *LOCATIONS,
        *"AFSCHRDB-",
        "->",
        "via",
        "convoy",
        "holds",
        "to",
        "supports",
        "Paris",
        "North Sea",
    ]
)
texts = st.text(max_size=30) | st.lists(ORDER_WORDS, max_size=8).map(" ".join)


@given(texts, st.sampled_from(list(Kind)), st.none() | st.sampled_from(STANDARD.powers))
def test_any_text_is_an_order_or_unreadable(text: str, kind: Kind, power: str | None) -> None:
    phase = next(
        STANDARD.start_phase._replace(season=season, kind=step)
        for season, step in STANDARD.calendar.year
        if step is kind
    )
    order = read_order(text, STANDARD, phase, power, None)
    if isinstance(order, Unreadable):
        assert order.problem
    else:
        assert read_order(str(order), STANDARD, phase, power, None) == order
    for part in pieces(text, phase.kind):
        assert part.strip()


json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from([*STANDARD.powers, "x", "unit"]), inner, max_size=4)
    ),
    max_leaves=12,
)
units = st.builds(
    "{} {}".format, st.sampled_from("AF"), st.sampled_from(LOCATIONS)
) | st.sampled_from(["A par", "F bre", "A Paris", "f stp (sc)", "X par"])
fields: dict[str, st.SearchStrategy[Any]] = {
    "id": json_values,
    "variant": st.sampled_from(["standard", "nosuch", 3, None]),
    "rules": st.sampled_from(["2023", "1976", "1900", None, 7]),
    "options": st.sampled_from([{}, {"4.A.2": "c"}, {"4.A.9": "x"}, None, [], {"4.A.2": 3}]),
    "phase": st.sampled_from(["S1901M", "F1901R", "W1901A", "Q1901M", "U1900M", "", 5, None]),
    "units": st.dictionaries(
        st.sampled_from(STANDARD.powers), st.lists(units, max_size=3), max_size=4
    ),
    "centers": st.dictionaries(
        st.sampled_from(STANDARD.powers),
        st.lists(st.sampled_from(LOCATIONS), max_size=3),
        max_size=4,
    ),
    "dislodged": st.dictionaries(
        st.sampled_from(STANDARD.powers),
        st.lists(
            st.fixed_dictionaries(
                {"unit": units}, optional={"attacker": st.none() | st.sampled_from(LOCATIONS)}
            ),
            max_size=2,
        ),
        max_size=2,
    ),
    "contested": st.lists(st.sampled_from(LOCATIONS), max_size=2),
    "orders": st.dictionaries(
        st.sampled_from(STANDARD.powers),
        st.lists(texts | any_orders.map(str), max_size=5),
        max_size=4,
    ),
}
NEEDED = ("phase", "units", "orders")
objects = st.fixed_dictionaries(
    {name: own for name, own in fields.items() if name in NEEDED},
    optional={name: own for name, own in fields.items() if name not in NEEDED},
)


def answered(data: Any) -> dict[str, Any] | None:
    """The answer to an object, None where it is refused; nothing else may happen."""
    try:
        answer = interchange.adjudicate_object(data)
    except interchange.InterchangeError:
        return None
    json.dumps(answer)
    return answer


@given(objects)
def test_objects_of_the_right_shape_are_answered_or_refused(data: dict[str, Any]) -> None:
    answer = answered(data)
    if answer is not None:
        for power, lines in data["orders"].items():
            assert len(answer["results"].get(power, [])) >= len(lines)


@given(objects, st.sampled_from(sorted(fields)), json_values)
def test_a_field_of_any_shape_is_answered_or_refused(
    data: dict[str, Any], name: str, value: Any
) -> None:
    answered({**data, name: value})


@given(st.binary(max_size=40) | json_values.map(json.dumps).map(str.encode))
def test_any_line_is_answered(line: bytes) -> None:
    with contextlib.suppress(interchange.InterchangeError):
        interchange.adjudicate_line(line)
