"""Reading speed over the corpus of mails."""

from __future__ import annotations

import json
from pathlib import Path

from judge import interchange
from judge.commands import TABLE
from judge.game.orders.order_context import OrderContext
from judge.intake.dry_run import dry_run
from judge.mail.message import parse
from judge.variants import load

CORPUS = Path(__file__).resolve().parent.parent / "tests" / "mail" / "corpus"


def mails() -> list[tuple[bytes, OrderContext]]:
    """Each mail of the corpus with the board it is about."""
    views: dict[str, OrderContext] = {}
    found = []
    for path in sorted(CORPUS.glob("*.eml")):
        game = json.loads(path.with_suffix(".json").read_text(encoding="utf-8")).get("game")
        key = json.dumps(game)
        if key not in views:
            asked = interchange.read_question(game) if game else None
            views[key] = (
                OrderContext(asked.variant, asked.position, asked.rulebook)
                if asked
                else OrderContext(load("standard"))
            )
        found.append((path.read_bytes(), views[key]))
    return found


def take_apart(all_mails: list[tuple[bytes, OrderContext]]) -> None:
    """Bytes to the text that counts."""
    for raw, _ in all_mails:
        parse(raw)


def read(all_mails: list[tuple[bytes, OrderContext]]) -> None:
    """Bytes to orders, commands and press, as `judge read` makes them."""
    for raw, turn in all_mails:
        dry_run(parse(raw), TABLE, turn)
