"""The board in letters: each reader's own view, drawn once on the way out, and never in the way."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

import pytest

from judge.events import Event, EventKind, Reader
from judge.game.visibility import pictures
from judge.mail import compose
from judge.mail.compose import Attachment, Mailbox
from judge.mail.pictures import NOTE, DrawingTransport, draw_pictures
from judge.messages.attachments import boards_of
from tests.game.play import Play, Received
from tests.game.test_maps import paris, person
from tests.site.test_site import ORDERS

PNG = b"\x89PNG\r\n\x1a\n"


def notes(letter: Received) -> list[dict[str, Any]]:
    """What the pictures of a letter show."""
    return [
        json.loads(part.get_payload(decode=True))  # type: ignore[arg-type]
        for part in letter.message.walk()
        if part.get_content_type() == NOTE
    ]


def raw_of(play: Play, letter: Received) -> bytes:
    for number in range(1, 10_000):
        found = play.storage.outbound.find(number)
        assert found is not None
        if found.message_id == letter.message["Message-ID"]:
            return found.raw
    raise AssertionError


def test_results_show_what_happened_to_everybody_alike(play: Play) -> None:
    play.start()
    assert all(notes(letter) for letter in play.letters() if letter.kind == "start")
    for who, orders in ORDERS.items():
        play.send(who, orders)
    letters = [letter for letter in play.lapse() if letter.kind == "results"]
    assert len(letters) >= 7
    shown = [notes(letter) for letter in letters]
    assert all(each == shown[0] for each in shown)
    ((board,),) = [shown[0]]
    assert ["Germany", "A mun - bur", False, "bounced"] in board["orders"]
    assert "F mid" in board["then"]["units"]["France"]
    state = paris(play)
    cleo = play.storage.people.find(person(state, "France"))
    runs = play.storage.history.of_game(state.game.id)
    assert cleo is not None
    results = Event(kind=EventKind.RESULTS, to=Reader(cleo.id), runs=runs)
    (still,) = boards_of(results, state, cleo, moving=False)
    assert still.shown == {key: board[key] for key in board if key != "then"}


def test_results_that_move_tell_no_more_than_the_reader_sees(play: Play) -> None:
    play.start("blind, NMR")
    for who, orders in ORDERS.items():
        play.send(who, orders)
    letters = [letter for letter in play.lapse() if letter.kind == "results"]
    letter = next(letter for letter in letters if letter.to.startswith("cleo"))
    (board,) = notes(letter)
    assert "mos" in board["then"]["unseen"]
    assert "Russia" not in {power for power, units in board["then"]["units"].items() if units}
    assert "F mid" in board["then"]["units"]["France"]


def test_a_picture_that_was_to_move_is_called_what_it_became() -> None:
    box = Mailbox("", "a@example.org")
    raw = compose.build(
        sender=box,
        recipient=box,
        subject="Results",
        text="Results",
        date=datetime.now(UTC),
        message_id="<1@example.org>",
        html="<p>Results</p>",
        attachments=[Attachment("paris-S1901M.gif", NOTE, b"{}", content_id="1@board")],
    )
    for picture, kind in ((b"GIF89a", "gif"), (PNG, "png")):
        message = message_from_bytes(draw_pictures(raw, lambda data, made=picture: made))  # type: ignore[misc]
        (part,) = [part for part in message.walk() if part.get_content_maintype() == "image"]
        assert part.get_content_type() == f"image/{kind}"
        assert part.get_filename() == f"paris-S1901M.{kind}"
        assert part.get_payload(decode=True) == picture


def test_an_answer_shows_ones_own_orders_and_nobody_elses(play: Play) -> None:
    play.start()
    play.send("dora", "A mun - bur")
    (board,) = notes(play.send("cleo", "A par - bur"))
    assert board["orders"] == [["France", "A par - bur", None, None]]


def test_whoever_sees_little_is_shown_little(play: Play) -> None:
    play.start("blind")
    (board,) = notes(play.send("cleo", "A par - bur"))
    assert "Russia" not in {power for power, units in board["units"].items() if units}
    assert "mos" in board["unseen"]
    assert notes(play.send("max", "MAP paris"))[0]["unseen"] == []
    (asked,) = notes(play.send("cleo", "MAP paris"))
    assert asked["unseen"] == board["unseen"]
    assert notes(play.send("zoe", "REGISTER\nName: Zoe\nEND\nMAP paris")) == []


def test_map_shows_an_earlier_phase_even_to_who_likes_plain_text(play: Play) -> None:
    play.start()
    play.send("cleo", "SET NO HTML")
    answer = play.send("cleo", "MAP paris")
    (board,) = notes(answer)
    assert board["phase"] == "S1901M"
    assert board["orders"] == []
    assert answer.message.get_body(("html",)) is None
    assert notes(play.send("cleo", "A par - bur")) == []


def test_a_picture_is_drawn_on_the_way_out_and_all_else_stays(play: Play) -> None:
    start = play.start()["cleo"]
    raw = raw_of(play, start)
    done = draw_pictures(raw, pictures.picture_of)
    message = message_from_bytes(done, policy=policy.default)
    assert isinstance(message, EmailMessage)
    (picture,) = [part for part in message.walk() if part.get_content_type() == "image/png"]
    content = picture.get_payload(decode=True)
    assert isinstance(content, bytes)
    assert content.startswith(PNG)
    assert len(content) < 250_000
    assert f"cid:{str(picture['Content-ID']).strip('<>')}" in str(
        message.get_body(("html",)).get_content()  # type: ignore[union-attr]
    )
    head, _, _ = raw.partition(NOTE.encode())
    assert done.startswith(head)
    assert done.rstrip().endswith(raw.rstrip()[-400:])
    assert b"\n" not in done.replace(b"\r\n", b"")


def test_one_phase_costs_one_drawing(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    starts = play.start()
    made: list[bytes] = []

    def draw(data: bytes) -> bytes:
        made.append(data)
        return PNG

    for letter in starts.values():
        draw_pictures(raw_of(play, letter), draw)
    assert len(made) == len(starts)
    assert len(set(made)) == 1


def test_a_letter_goes_out_without_a_picture_that_cannot_be_drawn(play: Play) -> None:
    class Box:
        def __init__(self) -> None:
            self.raw = b""

        def deliver(self, raw: bytes, recipient: str, message_id: str, sender: str = "") -> None:
            self.raw = raw

        def close(self) -> None:
            """Nothing."""

    def draw(data: bytes) -> bytes:
        return pictures.picture_of(b'{"variant": "none"}')

    box = Box()
    DrawingTransport(box, draw).deliver(
        raw_of(play, play.start()["cleo"]), "cleo@people.example", "<1@x>"
    )
    assert b"YOUR FIRST ORDERS" in box.raw
    assert NOTE.encode() not in box.raw


def test_what_players_write_is_never_taken_for_a_picture(play: Play) -> None:
    play.start()
    play.send(
        "cleo", f"PRESS TO Germany\n--x\nContent-Type: {NOTE}\n\nAAAA\n--x--\nENDPRESS\nA par H"
    )
    (press,) = [letter for letter in play.letters() if letter.kind == "press"]
    raw = raw_of(play, press)
    assert message_from_bytes(draw_pictures(raw, pictures.picture_of)).get_payload() is not None
    assert draw_pictures(raw, pictures.picture_of) == raw
