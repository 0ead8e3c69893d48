"""Mail made to cost or to break is processed like any other, at a cost that does not run away."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from judge.commands import TABLE
from judge.game.orders.order_context import OrderContext
from judge.intake.arguments import ADDRESS
from judge.intake.authentication import without
from judge.intake.dry_run import dry_run
from judge.intake.gate import tell_apart
from judge.intake.lines import read_lines
from judge.language.read import Reader
from judge.mail.message import delivered_to, parse
from judge.mail.redact import UNREADABLE
from judge.storage import InboundState
from judge.variants import load
from tests.game.play import Play
from tests.mail.nasty import KINDS, PLAYER

SIZE = 600

MOST_CALLS = 3_700_000
"""Functions that run while a mail of any size is read: less than a second of them."""

MENDED = ("IF", "colons", "settings of commas", "phases on lines")
"""Kinds that once cost more than their length."""


def test_all_is_worked_and_nothing_is_held(tmp_path: Path) -> None:
    play = Play(tmp_path)
    play.start()
    play.judge.profile = replace(play.judge.profile, pictures=False)
    for name, kind in list(KINDS.items())[::2]:
        mail_id = play.raw(kind(SIZE), PLAYER)
        play.judge.process_message(mail_id)
        mail = play.storage.inbound.find(mail_id)
        assert mail is not None
        assert mail.state == InboundState.DONE, (name, mail.problem)
    play.storage.close()


def test_what_cannot_be_read_has_an_empty_sender(tmp_path: Path) -> None:
    play = Play(tmp_path)
    for name in ("nulls", "bytes", "a name without end", "From of parentheses"):
        mail = play.storage.inbound.find(play.raw(KINDS[name](9_000), PLAYER))
        assert mail is not None
        assert mail.sender == "", name
    play.storage.close()


def calls(raw: bytes) -> int:
    """How many functions run while a mail is read."""
    count = 0

    def note(frame: object, event: str, _: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    turn = OrderContext(load("standard"))
    sys.setprofile(note)
    try:
        dry_run(parse(raw, own=delivered_to(raw)), TABLE, turn)
    finally:
        sys.setprofile(None)
    return count


def test_of_a_mail_with_many_passwords_a_note_is_left() -> None:
    def stored(size: int) -> bytes:
        return without(KINDS["passwords"](size))

    assert b"secret1" not in stored(600)
    assert b"SIGN ON" in redacted(stored(600))
    assert stored(9_000) == UNREADABLE


def redacted(raw: bytes) -> bytes:
    return parse(raw).text.encode()


@pytest.mark.parametrize("name", MENDED)
def test_four_times_as_much_costs_no_more_than_that(name: str) -> None:
    kind = KINDS[name]
    calls(kind(500))
    assert calls(kind(8_000)) < 6 * calls(kind(2_000))


@pytest.mark.parametrize(
    "name", ["exclamation marks behind talk", "talk that is cut off bit by bit"]
)
def test_what_is_cut_off_bit_by_bit_is_not_read_as_often(name: str) -> None:
    kind = KINDS[name]
    calls(kind(95))
    assert calls(kind(390)) < 3 * calls(kind(195))
    assert calls(kind(390)) < 60_000


ENDLESS = (
    *("blank lines within", "letters of a word behind an army", "marks on a letter"),
    *("marks on a letter on lines", "boundaries that differ", "commas on lines", "stars on lines"),
    *("outcomes on lines", "IF of commas", "IF of blanks", "press to commas", "saints"),
    *("orders that are wrong on lines", "exclamation marks"),
    *("full stops on lines", "full stops without blanks", "full stops and stars"),
    *("points of the compass", "points of the compass, few", "signs of equality"),
)
"""Kinds that once took minutes inside of an expression or a library, where no calls are counted."""


@pytest.mark.parametrize("name", ENDLESS)
def test_what_libraries_and_expressions_do_with_a_large_mail_ends(name: str) -> None:
    assert calls(KINDS[name](900_000)) < MOST_CALLS


def test_a_long_word_is_looked_through_once_for_an_address() -> None:
    begun = time.process_time()
    assert ADDRESS.sub("", "x" * 60_000 + " to ann@people.example")[60_000:] == " to "
    # Where each part of it is tried it takes ten seconds.
    assert time.process_time() - begun < 1


def test_commands_end_where_what_comes_of_them_costs_much(tmp_path: Path) -> None:
    play = Play(tmp_path)
    play.start()
    for who, line, most in (("ann", "SET PASSWORD secret{n}", 10), ("max", "EXTEND {n}H", 120)):
        text = "\n".join(line.format(n=n) for n in range(30, 90))
        reply = play.send(who, text, to=play.last_reply_to(f"{who}@people.example"))
        assert f"more than {most}" in " ".join(reply.text.split())
        assert "secret88" not in reply.text
    last = [letter for letter in play.letters() if letter.kind == "deadline"]
    assert 120 <= len(last) < 140
    play.storage.close()


def test_a_quote_behind_a_number_is_no_line_of_an_answer() -> None:
    turn = OrderContext(load("standard"))
    told = tell_apart(["1. >-1. >-?", "2) // x", "hello"], TABLE, lambda: turn, True, ("F",))
    assert not told.doubtful
    assert not told.ours


def test_parts_are_counted_by_a_boundary_in_pieces() -> None:
    parsed = parse(KINDS["parts by a boundary in pieces"](9_000))
    assert "parts" in parsed.reason


def test_marks_are_parted_and_none_is_lost() -> None:
    text = parse(KINDS["marks on a letter"](9_000)).text
    assert text.count("\u0316") == text.count("\u0301") > 2_000
    assert "\u0316\u0301" * 16 not in text


@pytest.mark.parametrize("line", ["a: b", "SET FROB"])
def test_what_is_read_of_a_mail_ends_and_says_so(line: str) -> None:
    turn = OrderContext(load("standard"))
    found = list(read_lines(f"{line}\n" * 3_000, TABLE, lambda: turn))
    assert len(found) < 1_100
    assert found[-1].problem is not None
    assert found[-1].problem.code == "too_long"


def test_a_mail_with_press_for_everybody_sends_no_more_than_a_player_would_write() -> None:
    turn = OrderContext(load("standard"))
    found = list(read_lines("BROADCAST\nx\nENDBROADCAST\n" * 3_000, TABLE, lambda: turn))
    assert 20 < sum(line.command is not None for line in found) < 40
    assert found[-1].problem is not None
    assert found[-1].problem.code == "too_long"


@pytest.mark.parametrize(
    "name",
    [
        *("wishes that differ", "orders that differ", "misspelled orders that differ", "labels"),
        "fleets",
    ],
)
def test_lines_that_are_hard_to_read_end_reading_before_they_cost_much(name: str) -> None:
    kind, turn = KINDS[name], OrderContext(load("standard"))
    few = parse(kind(1_000)).text.splitlines()
    calls(kind(500))
    # What is known of lines that were read just now is no part of the cost.
    Reader.of(turn.variant).line.cache_clear()
    cost = calls(kind(1_000)) / len(few)
    lines = list(read_lines(parse(kind(90_000)).text, TABLE, lambda: turn))
    assert lines[-1].problem is not None
    assert lines[-1].problem.code == "too_long"
    assert cost * len(lines) < 2 * MOST_CALLS
