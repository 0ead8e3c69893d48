"""Letters as mail programs show them: in light and dark, on a telephone and on a desk."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import HERE, faults
from tests.game.play import Play

pytestmark = pytest.mark.browser

PROGRAMS = ("gmail", "outlook", "apple-mail", "thunderbird", "yahoo", "samsung-email", "protonmail")

GOES_WITHOUT = {
    # What some program leaves out, and why the letter reads as well without.
    "@media": "light colors and two columns, which stand in each element, are kept",
    "<body> element": "the ground is a table with the same color",
    "border-radius": "badges and buttons have corners",
    "role attribute": "for programs that read aloud, which see few tables less",
    "aria-hidden attribute": "a mark is read aloud, and the words say the same",
    "word-break": "a long seal makes the letter wider",
    "white-space": "a short order is broken into two lines",
    "text-decoration": "a button's words are underlined",
    "display:none": "the words for the list of mails stand above in the color of the ground",
    "overflow": "the same: they are one pixel high",
}


WANTING = ("start", "reply", "deadline", "reminder", "late", "results")
"""The kinds of letters here that want orders."""

ORDERS = {
    "ann": "A vie - gal\nA bud - ser\nF tri - alb",
    "bob": "F lon - nth\nA lvp - yor\nF edi - nwg",
    "cleo": "F bre - mao",
    "dora": "F kie - den\nA ber - kie\nA mun - bur",
    "emil": "A ven - tyr\nA rom - ven\nF nap - ion",
    "finn": "A mos - ukr\nA war - gal\nF sev - bla\nF stp/sc - bot",
    "gwen": "A con - bul\nA smy - con\nF ank - bla",
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A letter of each kind that a short game brings, as HTML."""
    play = Play(tmp_path_factory.mktemp("letters"))
    found = [play.start()["cleo"]]
    found.append(
        play.send(
            "cleo",
            "A Par - Bur\nA mar S A par - bur\nA foo - bar\nPRESS TO Germany\nShall <we>?\n"
            "> said he\nYes.\nENDPRESS\nSET DRAW\nSUMMARY",
        )
    )
    found += play.letters()
    play.send("cleo", "SET LANGUAGE de")
    play.send("max", "SET COMMENT slow\nEXTEND 24H")
    while not any(each.kind == "late" for each in found):
        found += play.wake()
    for who, orders in ORDERS.items():
        play.send(who, orders)
    found += play.run()
    play.sure("max", "TERMINATE paris")
    found += play.letters()
    pages: dict[str, str] = {}
    for letter in found:
        part = letter.message.get_body(("html",))
        assert part is not None, letter.subject
        if letter.to.startswith(("cleo", "dora")):
            html = part.get_content()
            pages.setdefault(letter.kind if 'class="card"' in html else "brief", html)
    assert {"press", "end", "settings", "brief", *WANTING} <= set(pages)
    return pages


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_letters_can_be_read_by_everybody(
    browser: Browser, pages: dict[str, str], scheme: str
) -> None:
    wrong: dict[str, list[str]] = {}
    for width in (360, 600, 1000):
        with browser.new_context(
            viewport={"width": width, "height": 800},
            color_scheme=scheme,  # type: ignore[arg-type]
            offline=True,
        ) as context:
            page = context.new_page()
            for kind, html in pages.items():
                page.set_content(html)
                # Mail programs show letters inside a page with landmarks of its own.
                found = faults(
                    page, without=("region", "landmark-one-main"), colors=scheme == "dark"
                )
                wide = page.evaluate("document.documentElement.scrollWidth")
                if wide > width:
                    found.append(f"{wide} pixels wide on a screen of {width}")
                if found:
                    wrong[f"{kind} at {width}"] = found
    assert wrong == {}


def test_what_to_do_stands_in_the_first_screen_of_a_phone(
    browser: Browser, pages: dict[str, str]
) -> None:
    """Whose it is, the phase, when it is due, and the button, in this order."""
    with browser.new_context(viewport={"width": 360, "height": 640}, offline=True) as context:
        page = context.new_page()
        for kind in WANTING:
            page.set_content(pages[kind])
            ends = [
                page.locator(each).first.evaluate("each => each.getBoundingClientRect().bottom")
                for each in (".badge", ".top-small", ".due, .good-due, .late-due", "a.button")
            ]
            badge, phase, due, button = ends
            assert max(badge, phase) < due < button <= 640, (kind, ends)
            assert re.search(r"1901", page.locator(".top-small").first.inner_text()), kind
            # Before anybody's orders come one's own units.
            units = page.locator(".sheet").first
            assert kind == "deadline" or button < units.evaluate(
                "each => each.getBoundingClientRect().top"
            )


def test_known_mail_programs_support_what_letters_use(pages: dict[str, str]) -> None:
    unknown = {}
    for kind, html in pages.items():
        run = subprocess.run(
            ["node", str(HERE / "lint.mjs"), *(f"{each}.*" for each in PROGRAMS)],
            input=html, capture_output=True, text=True, check=True, cwd=HERE,
        )  # fmt: skip
        left_out = {
            feature: programs
            for feature, programs in json.loads(run.stdout).items()
            if feature not in GOES_WITHOUT
        }
        if left_out:
            unknown[kind] = left_out
    assert unknown == {}


def test_the_linter_knows_what_mail_programs_leave_out() -> None:
    run = subprocess.run(
        ["node", str(HERE / "lint.mjs"), "outlook.windows"],
        input='<div style="display: flex">x</div>', capture_output=True, text=True, check=True,
        cwd=Path(HERE),
    )  # fmt: skip
    assert "outlook.windows" in run.stdout


def test_a_letter_that_cannot_be_read_is_found(browser: Browser) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        page.set_content('<html lang="en"><title>x</title><p style="color: #ccc">pale</p></html>')
        assert any("color-contrast" in fault for fault in faults(page))
