"""Mails as people's programs send them, read by `judge read`'s own path: see corpus/README.md."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from judge import interchange, variants
from judge.commands import TABLE
from judge.game.orders.order_context import OrderContext
from judge.intake.dry_run import dry_run
from judge.language.names import Names
from judge.mail.message import delivered_to, parse

CORPUS = Path(__file__).parent / "corpus"
CASES = sorted(path.stem for path in CORPUS.glob("*.eml"))

EQUAL = ("from", "answerable", "kind", "language", "commands")


def case_of(name: str) -> dict[str, Any]:
    case: dict[str, Any] = json.loads((CORPUS / f"{name}.json").read_text(encoding="utf-8"))
    return case


def read(name: str, case: dict[str, Any]) -> dict[str, Any]:
    """The mail, read as `judge read --json` reads it."""
    turn = OrderContext(variants.load("standard"))
    if case.get("game"):
        asked = interchange.read_question(case["game"])
        turn = OrderContext(asked.variant, asked.position, asked.rulebook)
    if case.get("power"):
        power = Names.of(turn.variant).power(case["power"])
        turn = OrderContext(turn.variant, turn.position, turn.rulebook, (power,))
    raw = (CORPUS / f"{name}.eml").read_bytes()
    return dry_run(parse(raw, own=delivered_to(raw)), TABLE, turn)


def single(text: str) -> str:
    """Runs of blanks and line ends as one blank."""
    return " ".join(text.split())


def faults(case: dict[str, Any], found: dict[str, Any]) -> list[str]:
    """Everything in which the reading is not what the case says it must be."""
    wrong = [
        f"{key}: {found[key]!r}, not {case[key]!r}"
        for key in EQUAL
        if key in case and found[key] != case[key]
    ]
    if "orders" in case:
        wanted = {power: sorted(orders) for power, orders in case["orders"].items()}
        got = {power: sorted(orders) for power, orders in found["orders"].items()}
        if got != wanted:
            wrong.append(f"orders: {got}, not {wanted}")
    if "press" in case:
        got_press = [
            {key: single(value) if key == "text" else value for key, value in piece.items()}
            for piece in found["press"]
        ]
        wanted_press = [
            {key: single(value) if key == "text" else value for key, value in piece.items()}
            for piece in case["press"]
        ]
        same = len(got_press) == len(wanted_press) and all(
            {key: piece[key] for key in wanted} == wanted
            for piece, wanted in zip(got_press, wanted_press, strict=True)
        )
        if not same:
            wrong.append(f"press: {got_press}, not {wanted_press}")
    for wanted in case.get("lines", ()):
        lines = [line for line in found["lines"] if single(line["line"]) == single(wanted["line"])]
        if not any(fits(line, wanted) for line in lines):
            wrong.append(f"line {wanted}: {lines or 'not there'}")
    wrong += [f"lacks {text!r}" for text in case.get("has", ()) if text not in found["text"]]
    wrong += [f"has {text!r}" for text in case.get("lacks", ()) if text in found["text"]]
    return wrong


def fits(line: dict[str, Any], wanted: dict[str, Any]) -> bool:
    for key, value in wanted.items():
        if key == "problem" and isinstance(value, str):
            if line["problem"] is None or value.lower() not in line["problem"].lower():
                return False
        elif key != "line" and line[key] != value:
            return False
    return True


@pytest.mark.parametrize("name", CASES)
def test_a_mail_is_read_as_its_writer_meant_it(name: str) -> None:
    case = case_of(name)
    found = read(name, case)
    assert faults(case, found) == [], found["text"]


def test_the_corpus_is_whole() -> None:
    assert len(CASES) >= 80
    assert sorted(path.stem for path in CORPUS.glob("*.json")) == CASES
