"""The page that the demo ends with shows the whole game, with all letters."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import lxml.html
import pytest

from judge.demo import pages
from judge.demo.correspondent import Correspondent
from judge.demo.play import Demo
from tests.game.play import Play
from tests.site.test_site import order


def test_the_whole_game_is_on_one_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play = Play(tmp_path)
    start = play.start()["cleo"]
    play.send("max", "SET LIST")
    letters = [start, play.send("cleo", "A par - bur")]
    order(play)
    box = tmp_path / "mail"
    (box / "new").mkdir(parents=True)
    cleo = Correspondent("Cleo", "cleo@people.example", box, lambda *_: None)
    for number, letter in enumerate(letters):
        (box / "new" / str(number)).write_bytes(letter.raw)
    cleo.sent[str(letters[1].message["In-Reply-To"]).strip()] = "A par - bur, please"
    master = Correspondent("Max", "max@people.example", tmp_path, lambda *_: None)
    monkeypatch.setattr(pages, "GAME", "paris")
    demo = SimpleNamespace(
        folder=tmp_path,
        server=SimpleNamespace(database=f"sqlite:{play.file}"),
        master=master,
        players=[SimpleNamespace(person=cleo, power="France")],
    )
    page = pages.write_pages(cast(Demo, demo))
    play.storage.close()
    tree = lxml.html.parse(page).getroot()
    assert "A par - bur, please" in tree.text_content()
    assert f"Cleo (France): {len(letters)} letters" in " ".join(tree.text_content().split())
    links = [str(link).partition("#")[0] for link in tree.xpath("//main//a/@href")]
    assert len(links) >= len(letters) + 3
    assert "games/paris/S1901M.html" in links
    for link in links:
        assert (page.parent / link).is_file(), link
    for letter_page in (page.parent / "letters").glob("*.html"):
        assert "cid:" not in letter_page.read_text()
