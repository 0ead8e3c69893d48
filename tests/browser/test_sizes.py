"""How large letters are on a phone: their height, where the board begins, how sharp it is, and
their bytes. The phase has as many orders as the standard board can have units."""

from __future__ import annotations

from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser

from judge.interchange.stored_values import position_from_json, position_to_json
from judge.mail.pictures import draw_pictures
from judge.maps.notes import picture_of
from judge.messages import html_message
from judge.messages.views import Tap
from judge.rules.legal_orders import legal_orders
from judge.rules.orders import Move
from judge.rules.phase import Phase
from judge.rules.position import Unit
from tests.browser.pictures import html_of
from tests.game.play import PEOPLE, Play, Received
from tests.game.test_bots import game
from tests.game.test_service import paris

pytestmark = pytest.mark.browser

MORE = {
    "Austria": ("A ser", "A gre"),
    "England": ("A nwy",),
    "France": ("A spa", "F por"),
    "Germany": ("A den", "F hol", "A bel"),
    "Italy": ("F tun",),
    "Russia": ("A swe", "A rum"),
    "Turkey": ("A bul",),
}
"""With these each of the 34 centers has a unit of its owner's."""

ORDERS = {
    "ann": "A ser S A bud - rum\nA gre - bul\nA vie - boh\nA bud - rum\nF tri - ven",
    "bob": "A nwy - swe\nF lon - nth\nF edi - nwg\nA lvp - yor",
    "cleo": "A spa - mar\nF por - mid\nA par - pic\nA mar - pie\nF bre - eng",
    "dora": "A den - swe\nF hol S A bel\nA bel H\nA ber - sil\nA mun - bur\nF kie - den",
    "emil": "F tun - ion\nF nap - tyn\nA rom - ven\nA ven - tri",
    "finn": "A swe - den\nA rum - bul\nF sev - bla\nA mos - ukr\nA war - gal\nF stp/sc - bot",
    "gwen": "A bul - rum\nF ank - bla\nA con - bul\nA smy - con",
}
LANGUAGES = {"cleo": "en", "dora": "de", "finn": "fr"}

MANY = (
    html_message._templates()
    .from_string(
        '{% import "letters/html/_parts.html" as html %}{{ html.ways(g, mine, "a@b", "") }}'
    )
    .render(
        g={},
        mine=[
            {
                "sheet": SimpleNamespace(owes=True, complete=False),
                "steps": False,
                "keeps": None,
                "taps": [Tap("A mos + A sev", "B A mos\nB A sev")] * 18,
            }
        ],
    )
)
"""A list of buttons as long as that of two builds in six ways."""


class Shown(NamedTuple):
    """What a phone shows of a letter: CSS pixels, and pixels of its first picture for each."""

    height: float
    board: float
    sharp: float
    wide: float


def shown(browser: Browser, letter: Received, width: int = 360) -> Shown:
    with browser.new_context(viewport={"width": width, "height": 640}, offline=True) as context:
        page = context.new_page()
        page.set_content(html_of(letter), wait_until="load")
        board = "document.images[0].getBoundingClientRect()"
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        return Shown(
            page.evaluate("document.body.offsetHeight"),
            page.evaluate(f"document.images.length ? {board}.top : 0"),
            page.evaluate(
                f"document.images.length ? document.images[0].naturalWidth / {board}.width : 2"
            ),
            page.evaluate(f"document.images.length ? {board}.width : 0"),
        )


def bytes_of(letter: Received) -> tuple[int, int]:
    """The bytes of a letter with its pictures, and of its HTML."""
    raw = draw_pictures(letter.raw, picture_of)
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    page = message.get_body(("html",))
    return len(raw), len(str(page.get_content()).encode()) if page else 0


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Received]]:
    """Letters of a phase with 34 orders and of its beginning, by who got them."""
    play = Play(tmp_path_factory.mktemp("crowded"))
    starts = play.start("MOVE MIN 0")
    game = paris(play).game
    opened = position_from_json(game.position or {})
    units = {
        power: (*held, *(Unit(each[0], each[2:]) for each in MORE[power]))
        for power, held in opened.units.items()
    }
    centers = {
        power: (*held, *(each[2:] for each in MORE[power]))
        for power, held in opened.centers.items()
    }
    later = replace(opened, phase=Phase.read("F1905M"), units=units, centers=centers)
    game.phase, game.position = "F1905M", position_to_json(later)
    with play.storage.transaction():
        play.storage.games.save(game)
    for who, language in LANGUAGES.items():
        play.send(who, f"SET LANGUAGE {language}")
    found = {"start": [starts[who] for who in PEOPLE], "answers": [], "again": [], "reminder": []}
    while not found["reminder"]:
        found["reminder"] = [each for each in play.wake() if each.kind == "reminder"]
    found["status"] = [play.send(who, "STATUS") for who in PEOPLE]
    for who, orders in ORDERS.items():
        found["answers"].append(play.send(who, orders))
        found["again"].append(play.send(who, f"{orders[:5]} H"))
    asked = (("cleo", "MAP"), ("cleo", "WHAT IF A mar - bur"), ("max", "MAP"))
    found["asked"] = [play.send(who, line) for who, line in asked]
    play.letters()
    play.send("max", "PROCESS F1905M")
    found["results"] = [each for each in play.run() if each.kind == "results"]
    return found


def test_letters_of_a_crowded_phase_are_short_and_show_the_board_at_once(
    browser: Browser, crowded: dict[str, list[Received]]
) -> None:
    assert sum(orders.count("\n") + 1 for orders in ORDERS.values()) == 34
    for kind, highest, most in (
        ("results", 2_000, 120_000),
        ("start", 2_200, 120_000),
        ("reminder", 1_500, 120_000),
    ):
        for letter in crowded[kind]:
            seen, (whole, page) = shown(browser, letter), bytes_of(letter)
            assert seen.height <= highest, (kind, letter.to, seen)
            assert 0 < seen.board < 400, (kind, letter.to, seen)
            assert seen.sharp >= 2, (kind, letter.to, seen)
            assert (whole <= most, page <= 30_000) == (True, True), (kind, letter.to, whole, page)


def test_orders_that_are_right_at_once_are_answered_in_six_kilobytes(
    browser: Browser, crowded: dict[str, list[Received]]
) -> None:
    brief = [each for each in crowded["answers"] if 'class="card"' not in html_of(each)]
    assert {each.to.partition("@")[0] for each in brief} >= {*LANGUAGES, "finn"}
    for letter in brief:
        seen, (whole, _) = shown(browser, letter), bytes_of(letter)
        assert (whole <= 6_000, seen.board, seen.height < 900) == (True, 0, True), (whole, seen)
        (given,) = [each for each in ORDERS if letter.to.startswith(each)]
        for line in ORDERS[given].splitlines():
            assert line[:5].lower() in letter.text.lower(), (given, line)


def test_answers_are_small_and_their_pictures_as_sharp(
    browser: Browser, crowded: dict[str, list[Received]]
) -> None:
    wide = []
    for letter in crowded["again"]:
        seen, (whole, page) = shown(browser, letter), bytes_of(letter)
        assert seen.sharp >= 2, (letter.to, seen)
        assert (whole <= 40_000, page <= 30_000) == (True, True), (letter.to, whole, page)
        wide += [seen.wide] if seen.wide else []
    assert len(wide) == len(crowded["again"])
    assert min(wide) >= 300, wide


def test_who_asks_how_a_game_stands_that_waits_sees_its_board_at_once(
    browser: Browser, crowded: dict[str, list[Received]]
) -> None:
    for letter in crowded["status"]:
        seen, (whole, page) = shown(browser, letter), bytes_of(letter)
        assert 0 < seen.board < 400, (letter.to, seen)
        assert (seen.sharp >= 2, seen.wide >= 250) == (True, True), (letter.to, seen)
        assert (whole <= 40_000, page <= 30_000) == (True, True), (letter.to, whole, page)


def test_small_buttons_are_large_enough_for_a_thumb(
    browser: Browser, crowded: dict[str, list[Received]]
) -> None:
    heights = []
    with browser.new_context(viewport={"width": 360, "height": 640}, offline=True) as context:
        page = context.new_page()
        for html in (*map(html_of, crowded["reminder"]), MANY):
            page.set_content(html, wait_until="load")
            heights += page.evaluate(
                "[...document.querySelectorAll('a[href^=mailto]')].filter(a => !a.children.length)"
                ".map(a => [a.textContent, (a.closest('.press td') || a).offsetHeight])"
            )
    assert {"EXTEND 24H", "A mos + A sev"} <= {said for said, _ in heights}
    assert [each for each in heights if each[1] < 44] == []


def test_who_asks_for_a_picture_gets_it_first(
    browser: Browser, crowded: dict[str, list[Received]]
) -> None:
    for letter in crowded["asked"]:
        seen, (whole, _) = shown(browser, letter), bytes_of(letter)
        assert 0 < seen.board < 100, (letter.text, seen)
        assert seen.sharp >= 2, (letter.text, seen)
        assert whole <= 40_000, letter.text
        assert seen.wide >= (300 if "WHAT IF" in letter.text else 275), (letter.text, seen)


def test_no_picture_is_shown_wider_than_its_pixels(
    browser: Browser, crowded: dict[str, list[Received]]
) -> None:
    for letter in (crowded["results"][0], crowded["again"][0], crowded["asked"][1]):
        assert shown(browser, letter, width=1000).sharp >= 1, letter.text


def test_letters_of_seventeen_powers_are_short(browser: Browser, tmp_path: Path) -> None:
    """All powers move each unit to the first place of its list, where many meet."""
    play = Play(tmp_path)
    play.send("ann", "REGISTER\nName: Ann\nEND")
    play.send("ann", "CREATE ?lab world_ix SOLO")
    play.run()
    state = game(play, "lab")
    lines = []
    for power in state.variant.powers:
        for unit, orders in legal_orders(state.variant, state.opened, power).items():
            moves = [order for order in orders if isinstance(order, Move)]
            lines.append(f"{power}: {moves[0] if moves else f'{unit} H'}")
    answer = play.send("ann", "\n".join(["SIGN ON lab", *lines]))
    letters = [answer, *(each for each in play.run() if each.kind == "results")]
    assert len(letters) == 2
    for letter in letters:
        seen, (whole, page) = shown(browser, letter), bytes_of(letter)
        assert seen.height <= 2_000, seen
        assert (whole <= 120_000, page <= 30_000) == (True, True), (whole, page)
