"""Every way to write an order, sent by mail: what is on file then."""

from __future__ import annotations

from typing import Any

import pytest

from judge import interchange
from judge.game.state import State
from tests.game.play import PEOPLE, Play
from tests.game.test_order_forms import COPIED, TABLE


def begin(play: Play, question: dict[str, Any]) -> None:
    """The game stands as it says."""
    play.start("MANUAL PROCESS")
    with play.storage.transaction():
        game = play.storage.games.claim(1)
        assert game is not None
        state = State(play.storage, game)
        state.open(interchange.read_question(question).position)
        state.save()


@pytest.mark.parametrize(
    ("question", "power", "order", "forms"),
    [*TABLE, *COPIED],
    ids=[f"{order}-{number}" for number, (_, _, order, _) in enumerate([*TABLE, *COPIED])],
)
def test_every_form_is_on_file_as_the_one_order(
    play: Play, question: dict[str, Any], power: str, order: str, forms: tuple[str, ...]
) -> None:
    play.once(str(question), lambda: begin(play, question))
    game = play.storage.games.find(1)
    assert game is not None
    who = dict(zip(State(play.storage, game).variant.powers, PEOPLE, strict=True))[power]
    # A disband is kept as it is written in adjustments, too.
    order = f"D {order[:-2]}" if order.endswith(" D") else order
    for form in forms:
        answer = play.send(who, f"CLEAR NOW\n{form}")
        filed = play.storage.orders(1).of_power(power)
        assert [each.text for each in filed[str(question["phase"])]] == [order], form
        assert order in answer.text
