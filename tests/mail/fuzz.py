"""The fuzz target: whatever bytes come in as a mail, reading them keeps three promises.

It never raises, it takes no longer than `MOST_SECONDS`, and it reads no order that the text does
not contain: each province of each order can be named from words that stand there, save the one
of a unit that was called by its kind alone (`F stands`).

Working and committing such a mail, as a stranger's and as a player's answer, keeps others: it is
never held for a fault of ours, and what it makes the judge write has bounds.

`make fuzz` runs both under atheris, from the mails of the corpus on; `test_fuzz.py` a little
of them with every test run.
"""

from __future__ import annotations

import importlib
import json
import re
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.game.play import Play

MOST_SECONDS = 10.0
"""Of processor time, for one mail."""

CORPUS = Path(__file__).parent / "corpus"
MOST_WORDS = 5
MOST_LETTERS = 250
"""Letters that one mail makes the judge write."""
MOST_BYTES = 150_000
"""Of one letter, its picture left to be drawn later: 60 kB of text, and the same as HTML."""
FRESH = 200
"""Mails after which the judge that works them is laid anew."""
ADDRESS = "judge@judge.example"
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
    from judge.game.orders.order_context import OrderContext

    game = json.loads((CORPUS / "001-gmail-web-en.json").read_text(encoding="utf-8"))["game"]
    asked = interchange.read_question(game)
    open_to_all = OrderContext(asked.variant, asked.position, asked.rulebook)
    no_board = OrderContext(asked.variant)
    return TABLE, (open_to_all, no_board)


def attack(raw: bytes) -> None:
    """Read `raw` with a board and without, and check the promises."""
    from judge.commands import TABLE
    from judge.game.orders.order_context import OrderContext
    from judge.intake.dry_run import dry_run
    from judge.mail.message import MailKind, delivered_to, parse

    _, views = _prepared()
    for turn in views:
        assert isinstance(turn, OrderContext)
        start = time.process_time()
        incoming = parse(raw, own=delivered_to(raw))
        found = dry_run(incoming, TABLE, turn, [LETTER])
        spent = time.process_time() - start
        assert spent < MOST_SECONDS, f"{spent:.1f} s"
        assert (
            incoming.kind is not MailKind.UNREADABLE or "cannot be read:" not in incoming.reason
        ), incoming.reason
        json.dumps(found, ensure_ascii=False).encode("utf-8", "surrogatepass")
        named = nameable(found["text"], turn)
        for orders in found["orders"].values():
            for order in orders:
                missing = provinces(order, turn) - named
                assert not missing, f"{order}: {sorted(missing)} not in {found['text']!r}"


_done: list[tuple[object, ...]] = []


def _prepared() -> tuple[object, tuple[object, ...]]:
    if not _done:
        _done.append(prepare())
    table, views = _done[0]
    assert isinstance(views, tuple)
    return table, views


def provinces(order: str, turn: object) -> set[str]:
    """The provinces in a canonical order."""
    from judge.game.orders.order_context import OrderContext

    assert isinstance(turn, OrderContext)
    words = {word.partition("/")[0] for word in re.split(r"\s+", order)}
    return words & set(turn.variant.board.provinces)


def nameable(text: str, turn: object) -> set[str]:
    """The provinces that words of `text` name, however short or misspelled."""
    from judge.game.orders.order_context import OrderContext
    from judge.language.names import Names
    from judge.language.vocabulary import tokens

    assert isinstance(turn, OrderContext)
    names = Names.of(turn.variant).provinces
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
    if kinds and turn.position is not None:
        # A power's only fleet needs no place.
        for power, units in turn.position.units.items():
            for kind in ("A", "F"):
                alone = [unit for unit in units if unit.kind == kind]
                if len(alone) == 1 and power:
                    found.add(alone[0].province)
    return found


class Table:
    """A judge with a game of seven, which works whatever comes and begins anew now and then."""

    def __init__(self) -> None:
        from tests.game.play import Play

        self._folder = tempfile.TemporaryDirectory(prefix="judge-fuzz-")
        self.play: Play = Play(Path(self._folder.name))
        self._worked = 0
        self._lay()

    def _lay(self) -> None:
        from msgspec.structs import replace

        from judge.limits import Limits

        self.play.once(("fuzz",), self.play.start)
        most = 10**6
        plenty = Limits(hour=most, stranger=most, strangers=most, nothing=most, questions=most)
        self.play.judge.profile = replace(self.play.judge.profile, limits=plenty)
        self.reply = self.play.last_reply_to("ann@people.example") or ""
        assert self.reply

    def work(self, raw: bytes) -> None:
        """Let the judge work a mail as it is, and as a player's answer to a letter of his game."""
        self._worked += 1
        if self._worked % FRESH == 0:
            self._lay()
        ann = b"From: Ann <ann@people.example>\r\n"
        for number, (head, to) in enumerate(((b"", ADDRESS), (ann, self.reply))):
            # A copy of a mail that was processed would be left alone.
            head += f"Message-ID: <{self._worked}.{number}@people.example>\r\n".encode()
            start = time.process_time()
            mail_id = self.play.raw(head + raw, "ann@people.example", [to])
            self.play.judge.process_message(mail_id)
            spent = time.process_time() - start
            assert spent < MOST_SECONDS, f"{spent:.1f} s"
            processed = self.play.storage.inbound.find(mail_id)
            assert processed is not None
            assert processed.state != "held", processed.problem
            letters = self.play.storage.outbound.of_mail(mail_id)
            assert len(letters) <= MOST_LETTERS, f"{len(letters)} letters"
            assert all(len(each.raw) <= MOST_BYTES for each in letters)


@cache
def table() -> Table:
    """Lay the judge that works what is thrown at it."""
    return Table()


def commit(raw: bytes) -> None:
    """Let a judge work `raw`, and check its promises."""
    table().work(raw)


def main() -> None:
    """Attack for as long as libFuzzer's options on the command line say."""
    atheris = importlib.import_module("atheris")

    with atheris.instrument_imports(include=["judge"]):
        _prepared()
        importlib.import_module("judge.intake.dry_run")
        importlib.import_module("judge.mail.message")
        table()

    def both(raw: bytes) -> None:
        attack(raw)
        commit(raw)

    with tempfile.TemporaryDirectory() as seeds:
        for path in CORPUS.glob("*.eml"):
            (Path(seeds) / path.name).write_bytes(path.read_bytes())
        atheris.Setup([*sys.argv, seeds], both)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
