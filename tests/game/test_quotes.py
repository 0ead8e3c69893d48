"""What a mail quotes of the letter it answers does nothing; what was typed into it counts."""

from __future__ import annotations

from datetime import timedelta

import pytest

from judge.mail.quotes import packed
from tests.game.play import Play, Received

WROTE = "On Mon, 23 Nov 2026 at 09:00, The Judge <judge@judge.example> wrote:\n"
ARABIC = (
    "________________________________\n"
    "من: The Judge <judge@judge.example>\nتم الإرسال: الإثنين, 23 نوفمبر، 2026 09:00\n"
    "إلى: Cleo <cleo@people.example>\nالموضوع: JUDGE:paris - S1901M Start\n\n"
)
SHEET = "A par, Army Paris"


def text_of(letter: Received, changes: dict[str, str]) -> str:
    """The text of a letter, with lines that somebody changed."""
    text = letter.text
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    return text


def quote(letter: Received, changes: dict[str, str]) -> str:
    """The letter as most programs quote it."""
    return WROTE + "".join(f"> {line}\n" for line in text_of(letter, changes).splitlines())


def orders(play: Play, body: str, answers: Received | None) -> list[str]:
    """The orders of France once the judge has read a mail."""
    play.send("cleo", body, answers=answers)
    return on_file(play)


def on_file(play: Play) -> list[str]:
    game = play.storage.games.by_name("paris")
    assert game is not None
    found = play.storage.orders(game.id).of_phase("S1901M").get("France", [])
    return sorted(order.text for order in found)


def test_an_order_typed_into_the_quote_counts(play: Play) -> None:
    start = play.start()["cleo"]
    body = "F bre - mao\n\n" + quote(start, {SHEET: f"A par - bur\n{SHEET}"})
    assert orders(play, body, start) == ["A par - bur", "F bre - mid"]
    # What stands above the quote changes it.
    assert orders(play, "A par H\n\n" + body, start) == ["A par H", "F bre - mid"]


def test_a_sheet_that_was_filled_in_counts(play: Play) -> None:
    start = play.start()["cleo"]
    sheet = play.send("cleo", "A par - bur", answers=start)
    filled = {
        "F bre                NO": "F bre - mao          NO",
        "A mar                NO ORDER YET (Army Marseilles)": "A mar - spa",
        "A par - bur          Army": "A par - pic          Army",
    }
    assert orders(play, quote(sheet, filled), sheet) == [
        "A mar - spa",
        "A par - pic",
        "F bre - mid",
    ]


def test_a_sheet_that_was_written_anew_counts(play: Play) -> None:
    sheet = play.send("cleo", "STATUS", answers=play.start()["cleo"])
    own = ("F bre - mao", "A mar - spa", "A par - bur")
    rows = [row for row in sheet.text.split("\n") if "NO ORDER YET" in row]
    body = quote(sheet, dict(zip(rows, own, strict=True)))
    assert orders(play, body, sheet) == ["A mar - spa", "A par - bur", "F bre - mid"]


@pytest.mark.parametrize("head", [WROTE + "\n", ARABIC, ""])
def test_a_letter_quoted_without_marks_does_nothing(play: Play, head: str) -> None:
    start = play.start()["cleo"]
    body = f"A par - bur\nF bre - mao\n\n{head}{text_of(start, {})}"
    assert orders(play, body, start) == ["A par - bur", "F bre - mid"]
    # "BROADCAST instead of PRESS TO ... writes to everybody."
    assert "press" not in [letter.kind for letter in play.run()]
    # Answers below and within it count.
    within = text_of(start, {"Reply with one order": "A mar - spa\n\nReply with one order"})
    assert orders(play, f"{head}{within}\n\nA par - pic\n", start) == [
        "A mar - spa",
        "A par - pic",
        "F bre - mid",
    ]


def test_a_line_of_ones_own_counts_though_the_letter_has_it(play: Play) -> None:
    start = play.start()["cleo"]
    samples = "A mar S F bre - gas\nF bre - gas\nA par H"
    for body in (f"{samples}\n\n{quote(start, {})}", samples, f"{samples}\n{quote(start, {})}"):
        assert orders(play, body, start) == ["A mar S F bre - gas", "A par H", "F bre - gas"]
        play.send("cleo", "A par - pic\nA mar H\nF bre H", answers=start)


def test_orders_copied_out_of_a_letter_count(play: Play) -> None:
    start = play.start()["cleo"]
    sheet = play.send("cleo", "A par - bur\nF bre - mao\nA mar - spa", answers=start)
    lines = sheet.text.splitlines()
    ours = [line for line in lines if line.startswith(("  A ", "  F ")) and " - " in line]
    play.send("cleo", "A par H\nF bre H\nA mar H", answers=sheet)
    copied = "\n".join(dict.fromkeys(ours))
    assert copied.count("moves to") == 3
    assert orders(play, copied, sheet) == ["A mar - spa", "A par - bur", "F bre - mid"]


def test_a_mail_that_names_no_letter_is_cut_by_the_last_ones(play: Play) -> None:
    start = play.start()["cleo"]
    answer = play.send("cleo", f"A par - bur\n\n{ARABIC}{start.text}")
    assert on_file(play) == ["A par - bur"]
    assert "nothing was done" not in answer.text
    assert "YOUR FIRST ORDERS" not in answer.text


def test_letters_are_known_when_their_text_is_thrown_away(play: Play) -> None:
    start = play.start()["cleo"]
    play.deliver()
    assert play.storage.erasure.letters(play.clock.now() + timedelta(seconds=1), packed) > 10
    filled = text_of(start, {SHEET: f"F bre - mao\n{SHEET}"})
    body = f"A par - bur\n\n{ARABIC}{filled}"
    assert orders(play, body, start) == ["A par - bur", "F bre - mid"]


def test_no_mail_takes_a_letter_apart(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    start = play.start()["cleo"]
    monkeypatch.setattr("judge.intake.letters.packed", None)
    for _ in range(2):
        assert orders(play, f"A par - bur\n\n{ARABIC}{start.text}", None) == ["A par - bur"]


def test_letters_without_digests_are_known_by_their_text(play: Play) -> None:
    start = play.start()["cleo"]
    play.storage._engine.database.execute_sql("UPDATE letter SET digests = x''")
    assert orders(play, f"A par - bur\n\n{ARABIC}{start.text}", None) == ["A par - bur"]


def test_letters_of_others_are_no_measure(play: Play) -> None:
    starts = play.start()
    # Who could cut by them would learn what they say.
    body = f"A par - bur\n\n{text_of(starts['dora'], {})}"
    assert "A ber" in play.send("cleo", body, answers=starts["dora"], to=None).text


def test_a_command_typed_into_the_quote_is_asked_about(play: Play) -> None:
    start = play.start()["cleo"]
    body = quote(start, {SHEET: f"SET WAIT\nHISTORY\nA par - bur\n{SHEET}"})
    asked = play.send("cleo", body, answers=start)
    assert on_file(play) == ["A par - bur"]
    assert "nothing has happened yet" in asked.text
    assert not waits(play)
    play.send("cleo", "YES", answers=asked)
    assert waits(play)


def waits(play: Play) -> bool:
    game = play.storage.games.by_name("paris")
    assert game is not None
    return any(seat.wait for seat in play.storage.seats.of_game(game.id))


def test_an_older_mail_of_ones_own_is_no_order(play: Play) -> None:
    start = play.start()["cleo"]
    older = "".join(f"> {line}\n" for line in f"A mar - spa\n\n{quote(start, {})}".splitlines())
    assert orders(play, f"F bre - mao\n\n{WROTE}{older}", start) == ["F bre - mid"]
    flat = f"F bre - mao\n\n{WROTE}> A mar - spa\n> \n" + "".join(
        f"> {line}\n" for line in f"{ARABIC}{start.text}".splitlines()
    )
    assert orders(play, flat, start) == ["F bre - mid"]


def test_an_order_in_quoted_press_is_no_order(play: Play) -> None:
    play.start()
    play.send("dora", "PRESS TO France\nYou could write\nA par - bur\nand so on\nENDPRESS")
    press = next(letter for letter in play.run() if letter.kind == "press")
    play.send("cleo", f"Never!\nA par - pic\n\n{ARABIC}{press.text}", answers=press)
    letters = play.run()
    sent = next(letter for letter in letters if letter.kind == "press")
    assert "Never!" in sent.text
    assert "You could" not in sent.text
    assert on_file(play) == ["A par - pic"]


def test_a_yes_counts_below_the_quote_of_a_letter_whose_button_says_yes(play: Play) -> None:
    start = play.start("NO CARETAKER")["ann"]
    asked = play.send("ann", "RESIGN", answers=start)
    quoted = "\n".join(f"> {line}" for line in asked.text.splitlines())
    text = f"On Mon, Jun 01, 2026 at 12:00:00+0000, The Judge wrote:\n{quoted}\n\nYES\n\n-- \nAnn"
    assert "You no longer play Austria" in play.send("ann", text, answers=asked).text


def test_what_is_kept_of_a_letter_as_it_is_written_is_what_stands_in_it(play: Play) -> None:
    """Whatever stands in it: signs that no text has, another alphabet, files, a name of its own."""
    play.start()
    play.send("cleo", "A par - bur\nFoo bar baz", answers=None)
    play.send("dora", "PRESS TO France\nSi\x01gnées \x0b Grüße: a\u2028b <c@d.example>\nENDPRESS")
    play.send("ann", "SET LANGUAGE Deutsch\nSTATUS\nGAME FILE")
    play.run()
    kept = [play.storage.outbound.find(number) for number in range(1, 200)]
    letters = [letter for letter in kept if letter is not None]
    assert {"start", "press", "reply"} <= {letter.kind for letter in letters}
    for letter in letters:
        assert letter.digests == packed(letter.raw), letter.kind
