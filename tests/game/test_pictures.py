"""The board in letters: each reader's own view, drawn once on the way out, and never in the way."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from judge import variants
from judge.daemon.fork_server import ForkServer, Service
from judge.mail import drawer
from judge.mail.pictures import NOTE, Apart, draw_pictures
from judge.maps import Theater, position_view, raster
from judge.maps.hard_edges import Plate
from judge.maps.laid import Laid
from judge.maps.notes import alike, noted, picture_of
from tests.game.play import Play, Received
from tests.mail.waiting import until
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
    # Each has one picture, of what concerns its reader.
    assert all(len(each) == 1 for each in shown)
    parts = [each[0].pop("theater", None) for each in shown]
    assert ["France"] in parts
    assert len({str(each[0].pop("cut", None)) for each in shown}) > 1
    assert all(each == shown[0] for each in shown)
    ((board,),) = [shown[0]]
    assert ["Germany", "A mun - bur", False, "bounced"] in board["orders"]
    assert "F mid" in board["then"]["units"]["France"]


def test_results_tell_no_more_than_the_reader_sees(play: Play) -> None:
    play.start("blind, NMR")
    for who, orders in ORDERS.items():
        play.send(who, orders)
    letters = [letter for letter in play.lapse() if letter.kind == "results"]
    letter = next(letter for letter in letters if letter.to.startswith("cleo"))
    (board,) = notes(letter)
    assert "mos" in board["unseen"]
    assert "Russia" not in {power for power, units in board["units"].items() if units}


def _draw(note: bytes, most: int = 0) -> bytes:
    """Draw notes that say what becomes of who draws them."""
    if note == b"dies":
        os._exit(1)
    if note == b"hangs":
        time.sleep(60)
    if note.startswith(b"slow"):
        time.sleep(0.2)
    if note == b"nonsense":
        raise LookupError("no board")
    return PNG + note + str(os.getpid()).encode()


def _serve(asks: Connection, quiet: float | None = None) -> None:
    drawer.serve(asks, _draw, 0.5, quiet)


@contextmanager
def drawing(quiet: float | None = None) -> Iterator[Apart]:
    server = ForkServer({"draw": Service(partial(_serve, quiet=quiet))})
    apart = Apart(lambda: server.fork("draw").pipe, seconds=20, alike=alike)
    try:
        yield apart
    finally:
        apart.close()
        server.close()


def test_pictures_are_drawn_by_another_process_each_once() -> None:
    with drawing() as apart:
        first = apart(b"one")
        assert first.startswith(PNG + b"one")
        assert str(os.getpid()).encode() not in first
        with pytest.raises(ValueError, match="no board"):
            apart(b"nonsense")
        # It goes on after a note that cannot be drawn, and starts anew when it has died.
        assert apart(b"two")[-3:] == first[-3:]
        for note in (b"dies", b"hangs"):
            with pytest.raises(ValueError, match="has ended"):
                apart(note)
        assert apart(b"three").startswith(PNG + b"three")
        assert apart(b"one") == first
        apart._seconds = 0.1
        with pytest.raises(ValueError, match=r"more than 0\.1 seconds"):
            apart(b"hangs")


def test_processes_draw_side_by_side_and_end_when_it_is_quiet() -> None:
    with drawing(quiet=0.3) as apart:
        apart._most = 2
        notes = [b"slow 1", b"slow 2", b"slow 1"]
        with ThreadPoolExecutor() as threads:
            drawn = list(threads.map(apart, notes))
        assert drawn[0] == drawn[2] != drawn[1]
        processes = {each.removeprefix(PNG + note) for each, note in zip(drawn, notes, strict=True)}
        assert len(processes) == 2
        until(lambda: not any(Path(f"/proc/{int(each)}").exists() for each in processes))
        assert apart(b"again").removeprefix(PNG + b"again") not in processes


def test_an_answer_shows_ones_own_orders_and_nobody_elses(play: Play) -> None:
    play.start()
    play.send("dora", "A mun - bur")
    for line in ("A par - bur", "STATUS", "A mar H, F bre H\nSET WAIT"):
        (board,) = notes(play.send("cleo", line))
        assert ["France", "A par - bur", None, None] in board["orders"]
        assert {power for power, *_ in board["orders"]} == {"France"}
    assert notes(play.send("cleo", "STATUS")) == []
    assert notes(play.send("dora", "PRESS TO France\nShall we?\nENDPRESS")) == []


def test_who_may_never_have_written_is_sent_no_board(play: Play) -> None:
    first = play.ask("zoe", "CREATE ?box solo\nMAP")
    assert (notes(first), len(first.raw) < 4_000) == ([], True)
    assert len(notes(play.ask("zoe", "MAP box"))) == 1


def test_each_game_that_waits_has_its_board_below_its_button(play: Play) -> None:
    play.start()
    play.send("max", "CREATE ?rome standard, PLAYERS 3\nSET NO DAILY")
    for who in ("ann", "bob", "cleo"):
        play.send(who, "JOIN rome")
    play.judge.work()
    answer = play.send("cleo", "STATUS paris\nSTATUS rome")
    assert [board["game"] for board in notes(answer)] == ["paris", "rome"]
    page = answer.contents("text/html")[0]
    buttons = [at.start() for at in re.finditer('class="button"', page)]
    boards = [at.start() for at in re.finditer('class="board"', page)]
    assert sorted([*buttons, *boards]) == [buttons[0], boards[0], buttons[1], boards[1]]
    assert len(draw_pictures(answer.raw, picture_of)) <= 80_000


def test_letters_that_want_orders_show_the_board_with_those_on_file(play: Play) -> None:
    play.start("NMR")
    play.send("cleo", "A par - bur")
    play.send("dora", "A mun H\nA ber H\nF kie H")
    play.letters()
    found = [each for each in play.lapse() if each.kind in ("reminder", "late")]
    mine = [each for each in found if each.to.startswith("cleo")]
    assert {each.kind for each in mine} == {"reminder", "late"}
    for letter in mine:
        (board,) = notes(letter)
        assert board["theater"] == ["France"]
        assert [order for _, order, *_ in board["orders"]] == ["A par - bur"]
    # Who owes nothing only hears that others are late.
    assert [notes(each) for each in found if each.to.startswith("dora")] == [[]]
    play.send("max", "ROLLBACK S1901M")
    told = [each for each in play.letters() if each.kind == "rollback"]
    assert len(told) == 8
    for letter in told:
        above, *below = letter.contents("text/html")[0].split("<img ")
        assert (len(notes(letter)), len(below), "<h2" in above) == (1, 1, False)


def test_an_answer_has_a_picture_only_where_orders_have_changed(play: Play) -> None:
    play.start()
    assert notes(play.send("cleo", "A par - bur\nA mar H\nF bre H")) == []
    assert notes(play.send("cleo", "A par - bur")) == []
    assert notes(play.send("cleo", "A par - gas"))
    warned = play.send("dora", "A mun S A ber - sil\nA ber H\nF kie H")
    assert "Look again" in warned.text
    assert notes(warned)
    assert notes(play.send("ann", "A vie H\nA bud H\nF tri H\nF tri - ven"))


@pytest.mark.parametrize(
    ("wish", "shown"), [("ALL", (1, 1)), ("RESULTS", (0, 1)), ("NONE", (0, 0))]
)
def test_pictures_come_as_they_are_wished(play: Play, wish: str, shown: tuple[int, int]) -> None:
    play.start("NMR")
    play.send("cleo", f"SET PICTURES {wish}")
    reply = play.send("cleo", "A par H\nA mar H\nF bre H")
    play.letters()
    results = next(
        each for each in play.lapse() if each.kind == "results" and each.to.startswith("cleo")
    )
    assert (len(notes(reply)), len(notes(results))) == shown
    assert len(notes(play.send("cleo", "MAP paris"))) == 1
    assert "ALL messages" in play.send("cleo", "SET PICTURES SOME").text


def test_a_picture_tells_whose_it_is_where_it_is_not_shown(play: Play) -> None:
    start = play.start()["ann"]
    page = str(start.message.get_body(("html",)).get_content())  # type: ignore[union-attr]
    (alt,) = re.findall(r'<img[^>]* alt="([^"]*)"', page)
    assert "Austria A bud, F tri, A vie." in alt
    assert "Next to you: Italy A ven." in alt
    assert "Turkey" not in alt


def test_who_sees_little_is_shown_little(play: Play) -> None:
    play.start("blind")
    (board,) = notes(play.send("cleo", "A par - bur\nA mar H\nF bre H\nSET WAIT"))
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
    done = draw_pictures(raw, picture_of)
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


def test_a_picture_takes_no_more_bytes_than_its_letter_has_room_for(play: Play) -> None:
    raw = raw_of(play, play.start()["cleo"])
    whole = len(draw_pictures(raw, picture_of))
    for less in (5_000, 10_000):
        most = str(whole - less).encode()
        narrow = raw.replace(b'most="118000"', b'most="' + most + b'"')
        assert narrow != raw
        assert whole / 3 < len(draw_pictures(narrow, picture_of)) <= whole - less


def test_the_boards_that_are_asked_for_share_the_room_of_a_letter(play: Play) -> None:
    play.start()
    play.send("max", "PROCESS S1901M")
    play.letters()
    asked = play.send("cleo", "MAP\nMAP S1901M\nMAP F1901M").raw
    assert asked.count(NOTE.encode()) == 3
    assert 60_000 < len(draw_pictures(asked, lambda _, most: b"x" * most)) <= 120_000


def test_a_board_that_has_too_many_bytes_is_drawn_plainly_at_once_and_then_smaller(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    variant = variants.load("standard")
    note = noted(position_view(variant, variant.opening))
    note |= {"variant": "standard", "settings": {}, "language": "en", "theater": []}
    whole = json.dumps(note).encode()
    most = len(picture_of(whole)) * 3 // 4
    drawn: list[bool] = []

    def board(
        laid: Laid,
        scale: float,
        theater: Theater,
        plate: Plate | None = None,
        names: str = raster.NAMED,
    ) -> Image.Image:
        drawn.append(plate is not None)
        return made(laid, scale, theater, plate, names)

    made = raster._board
    monkeypatch.setattr(raster, "_board", board)
    assert len(picture_of(whole, most)) <= most
    assert drawn == [True]
    for most, narrowest in ((25_000, 600), (16_000, 440)):
        small = picture_of(whole, most)
        assert (len(small) <= most, narrowest < int.from_bytes(small[16:20], "big") < 660) == (
            True,
            True,
        )


def test_one_phase_costs_one_drawing_for_each_player(play: Play) -> None:
    starts = play.start()
    made: list[bytes] = []

    def draw(data: bytes, most: int) -> bytes:
        made.append(data)
        return PNG

    for letter in starts.values():
        draw_pictures(raw_of(play, letter), draw)
    assert len(made) == len(starts)
    # What differs is which part of the board is whose.
    boards = [json.loads(note) for note in made]
    assert len({tuple(board.pop("theater", ())) for board in boards}) == 8
    assert len({str(board.pop("cut", None)) for board in boards}) > 1
    assert all(board == boards[0] for board in boards)


def test_a_letter_goes_out_without_a_picture_that_cannot_be_drawn(play: Play) -> None:
    def draw(data: bytes, most: int) -> bytes:
        return picture_of(b'{"variant": "none"}')

    raw = draw_pictures(raw_of(play, play.start()["cleo"]), draw)
    assert b"YOUR FIRST ORDERS" in raw
    assert NOTE.encode() not in raw


def test_what_players_write_is_never_taken_for_a_picture(play: Play) -> None:
    play.start()
    play.send(
        "cleo", f"PRESS TO Germany\n--x\nContent-Type: {NOTE}\n\nAAAA\n--x--\nENDPRESS\nA par H"
    )
    (press,) = [letter for letter in play.letters() if letter.kind == "press"]
    raw = raw_of(play, press)
    assert message_from_bytes(draw_pictures(raw, picture_of)).get_payload() is not None
    assert draw_pictures(raw, picture_of) == raw


def test_a_board_is_drawn_by_the_process_that_has_drawn_it_for_another_reader() -> None:
    def note(game: str, reader: str) -> bytes:
        return f'slow {game} "theater" {reader} '.encode()

    with drawing() as apart, ThreadPoolExecutor(2) as threads:
        apart._most = 2
        notes = [note("one", "France"), note("two", "France")]
        one, two = (each.split()[-1] for each in threads.map(apart, notes))
        assert one != two
        for game, process in (("one", one), ("two", two)):
            assert apart(note(game, "Italy")).split()[-1] == process
            assert apart(note(game, "Turkey")).split()[-1] == process
