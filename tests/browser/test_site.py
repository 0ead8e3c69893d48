"""The pages in a browser: nothing fails to load, every width and key works, contrast is enough."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Request

from judge.site import Site
from tests.browser.conftest import faults, served
from tests.game.play import Play
from tests.site.test_site import ORDERS

pytestmark = pytest.mark.browser

PAGES = (
    "index.html",
    "players.html",
    "boards.html",
    "games/paris/index.html",
    "games/paris/S1901M.html",
    "games/paris/press.html",
    "players/4.html",
    "lists/games-1.html",
    "guide.html",
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
WIDTHS = (360, 768, 1280)


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
    Site(play.storage, folder, "The Judge", "judge@judge.example", play.clock.now()).build()
    play.storage.close()
    with served(folder) as found:
        yield found


def heard(page: Page) -> list[str]:
    """What goes wrong on a page from now on."""
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("requestfailed", lambda request: said.extend(failed(request)))
    return said


def failed(request: Request) -> list[str]:
    """What was not loaded, unless the browser went on to the next page before it had come."""
    return [] if request.failure == "net::ERR_ABORTED" else [request.url]


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
                found = [*said, *faults(page, colors=scheme == "dark")]
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
        page.click("text=Spr")
        page.click("a[rel=next]")
        assert page.url.endswith("F1901M.html")
        assert page.locator("h1").inner_text() == "Fall 1901, movement"


def shown(page: Page) -> str:
    """Which board a page of a phase shows."""
    return str(
        page.evaluate(
            "[...document.querySelectorAll('.board img')].filter(each => each.offsetWidth)"
            ".map(each => each.getAttribute('src').replace(/[?]\\d+/, '')).join()"
        )
    )


def test_every_view_has_an_address_and_needs_no_scripts(browser: Browser, address: str) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        for view, picture in (
            ("", "S1901M.svg#board"),
            ("#before", "S1901M-before.svg#board"),
            ("#after", "F1901M-before.svg#board"),
            ("#orders", "S1901M.svg#board"),
            ("#play", "S1901M.svg#board"),
        ):
            page.goto("about:blank")
            page.goto(f"{address}/games/paris/S1901M.html{view}")
            assert shown(page) == picture
        page.click("text=Before")
        assert page.url.endswith("#before")
        assert shown(page) == "S1901M-before.svg#board"


def test_replay_leads_through_all_phases(browser: Browser, address: str) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{address}/games/paris/S1901M.html")
        page.click("a.play")
        page.wait_for_url("**/F1901M.html#play")
        assert "Stop" in page.inner_text("a.play")
        page.keyboard.press("Escape")
        page.wait_for_url("**/F1901M.html#orders")


def test_the_board_can_be_enlarged(browser: Browser, address: str) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{address}/games/paris/S1901M.html")
        before = page.evaluate("document.querySelector('#orders').offsetWidth")
        page.click("button[aria-label=Larger]")
        assert page.evaluate("document.querySelector('#orders').offsetWidth") > 1.3 * before
        assert page.evaluate("document.documentElement.scrollWidth") <= 1280


def test_an_order_and_its_arrow_light_each_other(browser: Browser, address: str) -> None:
    with browser.new_context(viewport={"width": 1280, "height": 800}) as context:
        page = context.new_page()
        said = heard(page)
        page.goto(f"{address}/games/paris/F1901M.html", wait_until="load")
        line = page.locator(".orders li", has_text="A bur → bel")
        arrow = page.locator(".order[data-order='A bur - bel']")

        def lit() -> list[str]:
            return [each.split()[1] for each in page.locator("li.lit code").all_inner_texts()]

        line.hover()
        assert arrow.evaluate("each => getComputedStyle(each).opacity") == "1"
        assert "Army Burgundy moves to Belgium" in page.inner_text(".told")
        page.mouse.move(5, 5)
        assert lit() == []
        assert arrow.evaluate("each => getComputedStyle(each).opacity") == "0"
        box = arrow.bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + box["width"] / 2 + 3, box["y"] + box["height"] / 2)
        assert lit() == ["bur"]
        page.locator(".orders li").first.focus()
        page.keyboard.press("ArrowDown")
        assert lit() == ["ser"]
        assert said == []
    with browser.new_context(viewport={"width": 360, "height": 640}, has_touch=True) as context:
        page = context.new_page()
        page.goto(f"{address}/games/paris/F1901M.html", wait_until="load")
        page.locator(".orders li", has_text="A ukr → rum").last.tap()
        box = page.locator(".order[data-order='A ukr - rum']").bounding_box()
        assert box is not None
        assert 0 <= box["x"] <= 360 - box["width"]
        assert 0 <= box["y"] <= 640 - box["height"]


def test_cards_can_be_read_without_pictures(browser: Browser, address: str) -> None:
    with browser.new_context(viewport={"width": 360, "height": 640}) as context:
        page = context.new_page()
        page.route("**/*.png", lambda route: route.abort())
        page.goto(f"{address}/index.html", wait_until="load")
        box = page.locator(".card h3").bounding_box()
        assert box is not None
        assert 0 < box["x"] < box["x"] + box["width"] <= 360


def test_games_and_players_are_found(browser: Browser, address: str) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        said = heard(page)
        page.goto(f"{address}/lists/games-1.html")
        page.fill("input[type=search]", "cle")
        page.click(".search a:text-is('Cleo')")
        page.wait_for_url("**/players/4.html")
        assert said == []


def test_the_first_screen_has_board_orders_and_chart(browser: Browser, address: str) -> None:
    with browser.new_context(viewport={"width": 1280, "height": 800}) as context:
        page = context.new_page()
        page.goto(f"{address}/games/paris/F1901M.html", wait_until="load")
        # As many orders as there are centers.
        page.evaluate(
            """() => {
                const all = [...document.querySelectorAll(".orders")];
                for (let n = document.querySelectorAll(".orders li").length; n < 34; n += 1)
                    all[n % 7].append(all[n % 7].firstElementChild.cloneNode(true));
            }"""
        )
        for part in ("#orders", ".powers"):
            box = page.locator(part).bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= 800, part
        page.goto(f"{address}/index.html")
        for width in (360, 1280):
            page.set_viewport_size({"width": width, "height": 640})
            button = page.locator("text=Join by mail").bounding_box()
            assert button is not None
            assert button["y"] < 400


def test_no_order_is_cut_and_the_board_comes_first_on_a_phone(
    browser: Browser, address: str
) -> None:
    cut = "[...document.querySelectorAll('.orders li, .orders span')]"
    with browser.new_context(viewport={"width": 1280, "height": 800}) as context:
        page = context.new_page()
        page.goto(f"{address}/games/paris/F1901M.html", wait_until="load")
        assert page.locator(".orders li").count() > 20
        assert (
            page.evaluate(
                f"{cut}.filter(each => each.scrollWidth > each.clientWidth + 1 && "
                "getComputedStyle(each).overflow !== 'visible').length"
            )
            == 0
        )
        assert "Portugal" in page.inner_text(".news")
        page.set_viewport_size({"width": 360, "height": 640})
        tops = [
            page.locator(each).first.bounding_box()
            for each in (".board", ".full .steps", ".powers")
        ]
        assert [each["y"] for each in tops if each] == sorted(each["y"] for each in tops if each)
        page.goto(f"{address}/games/paris/index.html", wait_until="load")
        board = page.locator(".pan").first.bounding_box()
        buttons = page.locator("main .do a, main nav a").all()
        assert board
        assert len(buttons) > 3
        assert all(each.bounding_box()["y"] > board["y"] for each in buttons)  # type: ignore[index]


def test_a_phone_shows_all_of_the_menu_of_the_players_and_of_the_powers(
    browser: Browser, address: str
) -> None:
    with browser.new_context(viewport={"width": 360, "height": 640}) as context:
        page = context.new_page()
        for path in ("players.html", "games/paris/index.html"):
            page.goto(f"{address}/{path}", wait_until="load")
            assert page.evaluate("document.querySelector('header').offsetHeight") < 60
            table = "document.querySelector('.wide')"
            assert page.evaluate(f"{table}.scrollWidth <= {table}.clientWidth"), path


def test_times_are_those_of_the_reader_and_utc_without_scripts(
    browser: Browser, address: str
) -> None:
    told = {}
    for scripts in (True, False):
        with browser.new_context(timezone_id="Asia/Tokyo", java_script_enabled=scripts) as context:
            page = context.new_page()
            page.goto(f"{address}/games/paris/index.html")
            time = page.locator("time").first
            told[scripts] = (time.inner_text(), page.inner_text("footer"))
            stamp = time.get_attribute("datetime")
    assert stamp
    assert stamp.endswith(":30:00Z")
    assert "(UTC)" in told[False][0]
    assert "UTC" in told[False][1]
    assert "UTC" not in "".join(told[True])
    assert told[True][0].endswith(f"{(int(stamp[11:13]) + 9) % 24:02}:30")


def test_a_whole_game_replays_on_one_page_in_few_bytes(browser: Browser, address: str) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{address}/games/paris/index.html")
        with page.expect_response("**/S1901M.png") as first:
            page.click("text=Replay")
        assert len(first.value.body()) < 950_000 / 19
        assert page.url.endswith("replay.html")
        assert page.locator(".reel figure:visible").count() == 1
        page.keyboard.press("ArrowRight")
        assert "Fall 1901" in page.inner_text(".reel figure:visible")
        assert page.url.endswith("replay.html")


def test_links_to_games_bring_a_picture_and_feeds_are_named(browser: Browser, address: str) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        for name in ("index.html", "S1901M.html"):
            page.goto(f"{address}/games/paris/{name}")
            told = {
                each: page.get_attribute(f'meta[property="og:{each}"]', "content")
                for each in ("title", "description", "image")
            }
            assert "paris" in str(told["title"])
            assert told["description"]
            assert str(told["image"]).endswith(".png")
            shown = page.request.get(f"{address}/games/paris/{told['image']}")
            assert shown.body().startswith(b"\x89PNG")
        page.goto(f"{address}/index.html")
        assert page.get_attribute("link[type='application/atom+xml']", "href")
        assert page.locator("a:text-is('feed')").count() == 1
