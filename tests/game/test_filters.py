"""What makes filters take mail for advertising or worse, in letters of many kinds."""

from __future__ import annotations

import re
import subprocess

import lxml.html
import pytest

from judge.mail.pictures import draw_pictures
from judge.maps.notes import picture_of
from tests.game.play import Play, Received
from tests.game.test_html_letters import html_of
from tests.site.test_site import ORDERS

COINS = re.compile(r"\b(?<!=)[13][a-km-zA-HJ-NP-Z1-9]{29,34}\b|\bbc1[ac-hj-np-z02-9]{30,90}\b")
"""What SpamAssassin takes for a Bitcoin account (__BITCOIN_ID of its rules)."""

HIDDEN = re.compile(
    r"display: ?none|visibility: ?hidden|font-size: ?[01](px|pt)?[;\"]|max-height: ?0|opacity: ?0"
)


@pytest.fixture(scope="module")
def letters(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Received]:
    """A letter of each kind that a game and its people bring."""
    play = Play(tmp_path_factory.mktemp("filters"))
    found = [*play.start().values(), play.send("who@else.example", "hello")]
    found.append(play.send("zoe", "OBSERVE paris"))
    play.send("dora", "PRESS TO France\nShall we leave Burgundy empty?\nENDPRESS")
    play.send("max", "SET COMMENT slow\nEXTEND 24H")
    play.send("emil", "SET DIGEST 08:00")
    found.append(play.send("cleo", "A par - bur\nnonsense\nSET DRAW"))
    found += play.wake()
    for who, orders in ORDERS.items():
        found.append(play.send(who, orders))
    found += play.lapse()
    play.send("max", "PAUSE")
    play.send("max", "RESUME")
    play.send("max", "ROLLBACK S1901M")
    play.sure("gwen", "RESIGN")
    play.sure("max", "TERMINATE paris")
    play.clock.advance(hours=24)
    found += play.run()
    play.storage.close()
    return {each.kind: each for each in found}


def test_letters_of_many_kinds_are_looked_at(letters: dict[str, Received]) -> None:
    assert {"start", "results", "reminder", "end", "reply", "press", "day"} <= set(letters)
    assert {"welcome", "rollback", "resigned", "settings", "deadline"} <= set(letters)


def test_nothing_is_hidden_and_pictures_have_words_and_a_link(
    letters: dict[str, Received],
) -> None:
    for kind, letter in letters.items():
        page = html_of(letter)
        # The first words, which lists of messages show.
        shown = re.sub(r'<div class="preview".*?</div>', "", page, count=1, flags=re.DOTALL)
        assert not HIDDEN.search(shown), kind
        tree = lxml.html.document_fromstring(page)
        for picture in tree.xpath("//img"):
            assert picture.get("alt"), kind
            assert picture.getparent().tag == "a", kind
        title = tree.xpath("string(//title)")
        # HTML_TITLE_SUBJ_DIFF
        assert title == letter.subject or letter.kind == "reply", kind


def test_no_seal_looks_like_an_account(letters: dict[str, Received]) -> None:
    for kind, letter in letters.items():
        text = letter.text + lxml.html.document_fromstring(html_of(letter)).text_content()
        assert not COINS.search(text), kind
        assert not re.search(r"\b[0-9a-f]{29,34}\b", text), kind


@pytest.mark.spamassassin
def test_spamassassin_finds_nothing(letters: dict[str, Received]) -> None:
    kinds = ("start", "results", "reply", "end", "day", "welcome")
    # Its rules take longer to be read than all of these.
    box = b"\n".join(
        b"From judge@judge.example Mon Jun  1 12:00:00 2026\n"
        + draw_pictures(letters[kind].raw, picture_of).replace(b"\r\n", b"\n")
        for kind in kinds
    )
    run = subprocess.run(
        ["spamassassin", "--local", "--mbox"],
        input=box,
        capture_output=True,
        check=True,
        timeout=120,
    )
    said = run.stdout.decode("latin-1")
    scores = re.findall(r"^X-Spam-Status: .*?score=(\S+)", said, re.MULTILINE)
    assert len(scores) == len(kinds)
    assert {
        kind: score for kind, score in zip(kinds, scores, strict=True) if float(score) > 1
    } == {}
