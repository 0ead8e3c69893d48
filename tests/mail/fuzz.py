"""The fuzz target: whatever bytes come in as a mail, reading them keeps three promises.

It never raises, it takes no longer than `MOST_SECONDS`, and it reads no order that the text does
not contain: each province of each order can be named from words that stand there, save the one
of a unit that was called by its kind alone (`F stands`).

`make fuzz` runs it under atheris, from the mails of the corpus on; `test_fuzz.py` a little of it
with every test run.
"""

from __future__ import annotations

import importlib
import json
import re
import sys
import tempfile
import time
from pathlib import Path

MOST_SECONDS = 10.0
"""Of processor time, for one mail."""

CORPUS = Path(__file__).parent / "corpus"
MOST_WORDS = 5
LETTER = b"""Subject: JUDGE:paris - S1901M Reminder

paris is waiting for your orders for Spring 1901, movement.

  A par                NO ORDER YET (Army Paris)
  A mar - bur          Army Marseilles moves to Burgundy

Reply as often as you like until the phase is adjudicated.
"""


def prepare() -> tuple[object, ...]:
    """Import what is attacked; apart, so that atheris can watch the imports."""
    from judge import interchange
    from judge.commands import TABLE
    from judge.game.orders.interpret import OrderContext

    game = json.loads((CORPUS / "001-gmail-web-en.json").read_text(encoding="utf-8"))["game"]
    asked = interchange.read_question(game)
    open_to_all = OrderContext(asked.variant, asked.position, asked.rulebook)
    no_board = OrderContext(asked.variant)
    return TABLE, (open_to_all, no_board)


def attack(raw: bytes) -> None:
    """Read `raw` with a board and without, and check the promises."""
    from judge.commands import TABLE
    from judge.game.orders.interpret import OrderContext
    from judge.intake.dry_run import dry_run
    from judge.mail.message import Kind, delivered_to, parse

    _, desks = _prepared()
    for desk in desks:
        assert isinstance(desk, OrderContext)
        start = time.process_time()
        incoming = parse(raw, own=delivered_to(raw))
        found = dry_run(incoming, TABLE, desk, [LETTER])
        spent = time.process_time() - start
        assert spent < MOST_SECONDS, f"{spent:.1f} s"
        assert incoming.kind is not Kind.UNREADABLE or "cannot be read:" not in incoming.reason, (
            incoming.reason
        )
        json.dumps(found, ensure_ascii=False).encode("utf-8", "surrogatepass")
        named = nameable(found["text"], desk)
        for orders in found["orders"].values():
            for order in orders:
                missing = provinces(order, desk) - named
                assert not missing, f"{order}: {sorted(missing)} not in {found['text']!r}"


_done: list[tuple[object, ...]] = []


def _prepared() -> tuple[object, tuple[object, ...]]:
    if not _done:
        _done.append(prepare())
    table, desks = _done[0]
    assert isinstance(desks, tuple)
    return table, desks


def provinces(order: str, desk: object) -> set[str]:
    """The provinces in a canonical order."""
    from judge.game.orders.interpret import OrderContext

    assert isinstance(desk, OrderContext)
    words = {word.partition("/")[0] for word in re.split(r"\s+", order)}
    return words & set(desk.variant.board.provinces)


def nameable(text: str, desk: object) -> set[str]:
    """The provinces that words of `text` name, however short or misspelled."""
    from judge.game.orders.interpret import OrderContext
    from judge.language.names import Names
    from judge.language.vocabulary import tokens

    assert isinstance(desk, OrderContext)
    names = Names.of(desk.variant).provinces
    words = [token.key for token in tokens(text) if token.kind == "word"]
    runs = {
        tuple(words[start : start + count])
        for start in range(len(words))
        for count in range(1, MOST_WORDS + 1)
    }
    # The letter of a unit may adjoin its place.
    runs |= {(word[1:],) for word in words if word.startswith(("a", "f"))}
    found: set[str] = set()
    for run in runs:
        found.update(names.find(run).ids or names.guess("".join(run)).ids)
    kinds = {"a", "army", "f", "fleet"} & set(words)
    if kinds and desk.position is not None:
        # A power's only fleet needs no place.
        for power, units in desk.position.units.items():
            for kind in ("A", "F"):
                alone = [unit for unit in units if unit.kind == kind]
                if len(alone) == 1 and power:
                    found.add(alone[0].province)
    return found


def main() -> None:
    """Attack for as long as libFuzzer's options on the command line say."""
    atheris = importlib.import_module("atheris")

    with atheris.instrument_imports(include=["judge"]):
        _prepared()
        importlib.import_module("judge.intake.dry_run")
        importlib.import_module("judge.mail.message")

    with tempfile.TemporaryDirectory() as seeds:
        for path in CORPUS.glob("*.eml"):
            (Path(seeds) / path.name).write_bytes(path.read_bytes())
        atheris.Setup([*sys.argv, seeds], attack)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
