"""The pages in a browser: nothing fails to load, every width and key works, contrast is enough."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from judge.site import Site
from tests.browser.conftest import faults, served
from tests.game.play import Play
from tests.site.test_site import ORDERS

pytestmark = pytest.mark.browser

PAGES = (
    "index.html",
    "players.html",
    "games/paris/index.html",
    "games/paris/S1901M.html",
    "games/paris/press.html",
)
FALL = {
    "ann": "A vie H\nA ser H\nF alb - gre",
    "bob": "F nth C A yor - nwy\nA yor - nwy\nF nwg - bar",
    "cleo": "A bur - bel\nA mar - spa\nF mao - por",
    "dora": "F den H\nA kie - hol\nA mun - ruh",
    "emil": "A tyr - vie\nA ven H\nF ion - tun",
    "finn": "A ukr - rum\nA war - gal\nF sev S A ukr - rum\nF bot - swe",
    "gwen": "A bul - ser\nA con - bul\nF ank - con",
}
WIDTHS = (390, 768, 1200)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("pages")
    play = Play(tmp_path_factory.mktemp("game"))
    play.start()
    play.send("max", "SET LIST")
    play.send("cleo", "BROADCAST\nHello.\n> said he\nYes.\nENDBROADCAST")
    for who, orders in ORDERS.items():
        play.send(who, orders)
    play.lapse()
    for who, orders in FALL.items():
        play.send(who, orders)
    play.lapse()
    Site(play.storage, folder, "The Judge", "judge.example", play.clock.now()).build()
    play.storage.close()
    with served(folder) as found:
        yield found


def heard(page: Page) -> list[str]:
    """What goes wrong on a page from now on."""
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("requestfailed", lambda request: said.append(request.url))
    return said


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_works_at_every_width(browser: Browser, address: str, scheme: str) -> None:
    wrong: dict[str, list[str]] = {}
    for width in WIDTHS:
        with browser.new_context(
            viewport={"width": width, "height": 800},
            color_scheme=scheme,  # type: ignore[arg-type]
            bypass_csp=False,
        ) as context:
            page = context.new_page()
            said = heard(page)
            for name in PAGES:
                page.goto(f"{address}/{name}", wait_until="load")
                found = [*said, *faults(page)]
                said.clear()
                wide = page.evaluate("document.documentElement.scrollWidth")
                if wide > width:
                    found.append(f"{wide} pixels wide")
                if found:
                    wrong[f"{name} at {width}"] = found
    assert wrong == {}


def test_keys_and_links_lead_through_the_phases(browser: Browser, address: str) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{address}/games/paris/S1901M.html")
        page.keyboard.press("ArrowRight")
        page.wait_for_url("**/F1901M.html")
        page.keyboard.press("ArrowLeft")
        page.wait_for_url("**/S1901M.html")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"


def test_everything_is_there_without_scripts(browser: Browser, address: str) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{address}/index.html")
        page.click("text=paris")
        page.click("text=S1901M")
        page.click("a[rel=next]")
        assert page.url.endswith("F1901M.html")
        assert page.locator("h1").inner_text() == "Fall 1901, movement"


def test_a_picture_moves_for_whom_motion_does_not_disturb(browser: Browser, address: str) -> None:
    for wish, shown, moves in (
        ("no-preference", "S1901M.svg", True),
        ("no-preference", "S1901M.svg#still", False),
        ("reduce", "S1901M.svg", False),
    ):
        with browser.new_context(reduced_motion=wish) as context:  # type: ignore[arg-type]
            page = context.new_page()
            page.goto(f"{address}/games/paris/{shown}")
            spent = page.evaluate(
                "document.getAnimations().map(each => each.effect.getComputedTiming().endTime)"
            )
            assert bool(spent) is moves
            assert all(each < 5000 for each in spent)
