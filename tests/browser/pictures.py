"""Screenshots of letters and pages for docs/pictures: python -m tests.browser.pictures"""

from __future__ import annotations

import shutil
import tempfile
from email import message_from_bytes, policy
from email.message import EmailMessage
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from judge.mail.pictures import draw_pictures
from judge.maps.notes import picture_of
from judge.site import Site
from tests.browser.conftest import served
from tests.browser.test_site import FALL
from tests.game.play import Play, Received
from tests.site.test_site import ORDERS

OUT = Path(__file__).resolve().parents[2] / "docs" / "pictures"
LARGEST = 150_000

SHARP = 2
"""Pixels of a picture for each that its window has: screens of today show them all."""

SHOTS = (
    # name, what, width, height, scheme
    ("results-phone", "results", 390, 1500, "light"),
    ("results-tablet-dark", "results", 768, 1500, "dark"),
    ("answer-phone-dark", "reply", 390, 560, "dark"),
    ("press-phone", "press", 390, 560, "light"),
    ("start-desk", "start", 1200, 1300, "light"),
    ("page-first-desk", "index.html", 1280, 800, "light"),
    ("page-game-desk", "games/paris/index.html", 1280, 1100, "light"),
    ("page-phase-desk", "games/paris/F1901M.html", 1280, 800, "light"),
    ("page-phase-desk-dark", "games/paris/F1901M.html", 1280, 800, "dark"),
    ("page-phase-phone-dark", "games/paris/S1901M.html", 390, 1500, "dark"),
)


def html_of(letter: Received) -> str:
    """The HTML of a letter with its pictures in it, as a mail program shows them."""
    message = message_from_bytes(draw_pictures(letter.raw, picture_of), policy=policy.default)
    assert isinstance(message, EmailMessage)
    part = message.get_body(("html",))
    assert part is not None
    html = str(part.get_content())
    for each in message.walk():
        if each.get_content_type() == "image/png":
            cid, data = str(each["Content-ID"]).strip("<>"), str(each.get_payload())
            html = html.replace(f"cid:{cid}", f"data:image/png;base64,{''.join(data.split())}")
    return html


def play_all(play: Play, folder: Path) -> dict[str, str]:
    """A game of a year, its pages in `folder`; letters to France by kind."""
    letters = {"start": play.start()["cleo"]}
    play.send("max", "SET LIST")
    play.send("dora", "PRESS TO France\n> Shall we leave Burgundy empty?\nYes, gladly.\nENDPRESS")
    letters["press"] = next(each for each in play.letters() if each.kind == "press")
    for who, orders in ORDERS.items():
        letters |= {"reply": reply} if (reply := play.send(who, orders)).to[:4] == "cleo" else {}
    found = play.lapse()
    letters["results"] = next(
        each for each in found if each.kind == "results" and each.to.startswith("cleo")
    )
    for who, orders in FALL.items():
        play.send(who, orders)
    play.lapse()
    Site(play.storage, folder, "The Judge", "judge@judge.example", play.clock.now()).build()
    return {kind: html_of(letter) for kind, letter in letters.items()}


def shoot(browser: Browser, letters: dict[str, str], address: str) -> None:
    """Take all screenshots, each small enough to be kept."""
    for name, what, width, height, scheme in SHOTS:
        with browser.new_context(
            viewport={"width": width, "height": height},
            device_scale_factor=SHARP,
            color_scheme=scheme,  # type: ignore[arg-type]
            reduced_motion="reduce",
        ) as context:
            page = context.new_page()
            if what in letters:
                page.set_content(letters[what], wait_until="load")
            else:
                page.goto(f"{address}/{what}", wait_until="load")
            with Image.open(BytesIO(page.screenshot())) as shot:
                small = shot.convert("RGB")
        for quality in (70, 60, 50, 40, 30, 20):
            file = BytesIO()
            small.save(file, "WEBP", quality=quality, method=6)
            if len(file.getvalue()) < LARGEST:
                break
        (OUT / f"{name}.webp").write_bytes(file.getvalue())
        print(f"{name}: {len(file.getvalue())} bytes")


def main() -> None:
    """Write all pictures anew."""
    OUT.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        play = Play(Path(folder))
        letters = play_all(play, Path(folder) / "site")
        play.storage.close()
        path = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        with served(Path(folder) / "site") as address:
            shoot(browser, letters, address)
        browser.close()


if __name__ == "__main__":
    main()
