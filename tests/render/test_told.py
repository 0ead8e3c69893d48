"""Every sentence the rules and the reading of orders say is known again and can be translated."""

from __future__ import annotations

import pytest

from judge import variants
from judge.language.read import read_order
from judge.language.write import describe
from judge.render import told
from judge.render.i18n import speaking
from judge.rules import engine
from tests.datc.test_cases import _cases, _position


def _is_known(sentence: str, monkeypatch: pytest.MonkeyPatch) -> bool:
    monkeypatch.setattr(told, "gettext", lambda pattern: f"«{pattern}»")
    with speaking("de"):
        return all(each.startswith("«") for each in told.told(sentence).split("; "))


def test_every_result_of_the_test_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    unknown = set()
    for case in _cases():
        variant, inputs, _, rulebook = case.values
        before = None
        for given in inputs:
            position = _position(given, before)
            orders = {
                power: [read_order(line[2:], variant, position.phase, power) for line in lines]
                for power, lines in given["orders"].items()
            }
            before = engine.adjudicate(variant, position, orders, rulebook)
            for results in before.results.values():
                unknown |= {each.note for each in results if not _is_known(each.note, monkeypatch)}
    assert unknown == set()


def test_every_order_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    standard = variants.load("standard")
    spring = standard.start_phase
    for line in (
        *(
            "A par H",
            "A par - bur",
            "A lon - nwy via convoy",
            "A mar S A par",
            "F nth C A lon - nwy",
        ),
        *("A mar S A par - bur", "F stp/nc H"),
    ):
        order = read_order(line, standard, spring, "France")
        assert _is_known(describe(order, standard), monkeypatch), line
