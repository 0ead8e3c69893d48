"""Orders in what a mail quotes: never carried out, and told to whoever typed them there."""

from __future__ import annotations

from tests.game.play import Play, Received


def quote(letter: Received, changes: dict[str, str]) -> str:
    """The letter as most programs quote it, with lines that somebody changed."""
    text = str(letter.message.get_body(("plain",)).get_content())  # type: ignore[union-attr]
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    lines = "".join(f"> {line}\n" for line in text.splitlines())
    return f"On Mon, 23 Nov 2026 at 09:00, The Judge <judge@judge.example> wrote:\n{lines}"


def test_an_order_typed_into_the_quote_is_told_and_does_not_count(play: Play) -> None:
    start = play.start()["cleo"]
    body = "F bre - mao\n\n" + quote(start, {"A par, Army Paris": "A par - bur\nA par, Army Paris"})
    answer = play.send("cleo", body, answers=start)
    assert "  > A par - bur\n    This line is in the quoted part of my message" in answer.text
    assert "A par                NO ORDER YET" in answer.text
    # Told once, and not where it stands above the quote, too.
    assert answer.text.count("the quoted part") == 1
    again = play.send("cleo", "A par - bur\n\n" + body, answers=start)
    assert "the quoted part" not in again.text


def test_what_is_quoted_as_it_was_sent_is_passed_over(play: Play) -> None:
    start = play.start()["cleo"]
    answer = play.send("cleo", "A par - bur\n\n" + quote(start, {}), answers=start)
    assert "COULD NOT USE" not in answer.text
    # The answer shows orders; lines broken anew and marks of bold are no news.
    changes = {"A par - bur": "*A par - bur*", "Army Paris moves": "Army Paris\nmoves"}
    body = "F bre H\n\n" + quote(answer, changes)
    assert "COULD NOT USE" not in play.send("cleo", body, answers=answer).text


def test_older_quotes_and_letters_of_others_are_left_alone(play: Play) -> None:
    start = play.start()["cleo"]
    body = "F bre H\n\n" + quote(start, {"A par, Army Paris": "> A par - bur\nA par, Army Paris"})
    assert "COULD NOT USE" not in play.send("cleo", body, answers=start).text
    plain = "F bre H\n\n> A par - bur\n> A mar - spa"
    assert "COULD NOT USE" not in play.send("cleo", plain).text
