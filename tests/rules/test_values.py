"""Frozen values are what `dataclass(frozen=True, slots=True)` would make of their classes."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import KW_ONLY, FrozenInstanceError, dataclass, field, replace
from typing import Any

import pytest

from judge.rules.orders import Hold
from judge.rules.outcome import Held, Outcome, Waived
from judge.rules.position import Unit
from judge.rules.values import frozen

MADE: list[Callable[[type], type]] = [frozen, dataclass(frozen=True, slots=True)]


def place(made: Callable[[type], type]) -> Any:
    """A class of everything that fields can be."""

    class Place:
        """Somewhere."""

        name: str
        _: KW_ONLY
        tags: list[str] = field(default_factory=list, compare=False)
        secret: str = field(default="", repr=False)
        far: bool = False

        def __post_init__(self) -> None:
            if not self.name:
                raise ValueError("a place has a name")

    return made(Place)


@pytest.mark.parametrize("made", MADE)
def test_values_are_made_shown_and_compared_by_their_fields(made: Callable[[type], type]) -> None:
    kind = place(made)
    value = kind("par", secret="x")
    assert repr(value).endswith("Place(name='par', tags=[], far=False)")
    assert value == kind("par", tags=["a"], secret="x")
    assert value != kind("par")
    assert value != ("par", [], "x", False)
    assert hash(value) == hash(kind("par", tags=["a"], secret="x"))
    assert replace(value, far=True) == kind("par", secret="x", far=True)
    assert copy.deepcopy(value) == value
    assert value.tags is not kind("par").tags
    assert kind.__match_args__ == ("name",)
    with pytest.raises(TypeError, match="positional argument"):
        kind("par", [])
    with pytest.raises(TypeError, match="name"):
        kind()
    with pytest.raises(ValueError, match="has a name"):
        kind("")


@pytest.mark.parametrize("made", MADE)
def test_values_cannot_be_changed(made: Callable[[type], type]) -> None:
    value = place(made)("par")
    with pytest.raises(FrozenInstanceError):
        value.name = "mar"
    with pytest.raises(FrozenInstanceError):
        del value.name
    assert not hasattr(value, "__dict__")


def test_values_of_two_kinds_are_never_equal() -> None:
    assert Held() != Outcome()
    assert Held() == Held()
    assert len({Held(), Held(), Outcome()}) == 2


def test_a_class_is_shown_in_its_own_way_or_that_of_its_base() -> None:
    assert repr(Waived(2)) == "Waived(count=2)"


def test_values_go_to_other_processes() -> None:
    order = Hold(Unit("A", "par"))
    assert pickle.loads(pickle.dumps(order)) == order
