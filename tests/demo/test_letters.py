"""All letters of the demo, as their readers' mail programs list them and show them first."""

from __future__ import annotations

import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import lxml.html
import pytest

from judge import variants
from judge.demo import mail_programs
from judge.demo.play import Demo
from judge.demo.players import CAST
from judge.demo.server import Server
from judge.i18n import LANGUAGES, speaking
from judge.mail.transport import mailbox_name
from judge.sentences.terms import place
from tests.game.play import Play, Received

Boxes = Mapping[str, list[Received]]
"""What each player got, in order, by the power he plays."""

ASKED = ("start", "results", "reminder")
"""Letters that ask for orders where some are owed."""


class Daemon(Server):
    """A judge in this process, which works whenever the players of the demo have read."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, 1)
        self.play = Play(folder)
        self.boxes: dict[str, list[Received]] = defaultdict(list)

    @property
    def running(self) -> bool:
        return True

    def post(self, message: bytes, sender: str, recipient: str) -> None:
        self.play.raw(message, sender, [recipient])

    def work(self, _: Server) -> None:
        """Do what is due, and hand over what it brings; where nothing is, let time pass."""
        found = self.play.run()
        if not found and self.play.judge.next_wake():
            found = self.play.wake()
        for letter in found:
            box = self.mail / mailbox_name(letter.to) / "new"
            box.mkdir(parents=True, exist_ok=True)
            (box / f"{sum(map(len, self.boxes.values())):06}").write_bytes(letter.raw)
            self.boxes[letter.to].append(letter)


@pytest.fixture(scope="module")
def boxes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Boxes]:
    """The letters of two years and a half of the demo."""
    daemon = Daemon(tmp_path_factory.mktemp("demo"))
    demo = Demo(daemon.folder, lambda _: None, "S1903", post=daemon.post, between=daemon.work)
    demo.server, demo._began = daemon, time.monotonic()
    with pytest.MonkeyPatch.context() as patch:
        clock = SimpleNamespace(monotonic=time.monotonic, sleep=lambda _: None)
        patch.setattr("judge.demo.play.time", clock)
        demo._gather()
        demo._wait(lambda: all(each.over for each in demo.players), "over")
    yield {each.power: daemon.boxes[each.person.address] for each in demo.players}
    daemon.play.storage.close()


def asking(boxes: Boxes) -> Iterator[tuple[str, Received, Mapping[str, Any]]]:
    """Letters that open a phase or remind of it: to which power, and the open phase as data."""
    for power, box in boxes.items():
        opened: Mapping[str, Any] = {}
        for letter in box:
            opened = mail_programs.Received(letter.message).opened or opened
            if letter.kind in ASKED:
                yield power, letter, opened


def named(province: str) -> set[str]:
    """What a province is called in each language."""
    board, found = variants.load("standard").board, set()
    for language in LANGUAGES:
        with speaking(language):
            found.add(str(place(province, board)))
    return found


def test_no_two_kinds_of_letter_look_alike_in_the_mailbox_of_a_player(boxes: Boxes) -> None:
    assert set(boxes) == {each["power"] for each in CAST.values()}
    for power, box in boxes.items():
        kinds: dict[tuple[str, str], set[str]] = defaultdict(set)
        for letter in box:
            kinds[letter.sender, letter.subject].add(letter.kind)
        assert [each for each in kinds.items() if len(each[1]) > 1] == [], power
        assert {"start", "reply", "results", "press", "end"} - set(map(_kind, box)) <= {"press"}


def _kind(letter: Received) -> str:
    return letter.kind


def test_the_first_line_says_what_is_owed_and_until_when(boxes: Boxes) -> None:
    """In the letters that ask, as it is when they arrive; nothing where nothing is."""
    seen = Counter[bool]()
    for _, letter, opened in asking(boxes):
        (owed,) = opened["owed"].values() if opened["owed"] else ({},)
        count = owed.get("builds", 0) + owed.get("removals", 0) or len(owed.get("orders", ()))
        if "dislodged" in opened:
            said = [named(unit[2:5]) for unit in owed.get("orders", ())]
        else:
            said = [{str(count)}] if count else []
        left = datetime.fromisoformat(opened["deadline"])
        assert f"{left:%M}" in letter.first
        assert all(any(map(letter.first.count, each)) for each in said), (letter.first, owed)
        assert bool(re.search("Nothing to do|Nichts zu tun", letter.first)) == (not count)
        seen[bool(count)] += 1
    assert min(seen[True], seen[False]) >= 3


def test_what_a_player_lost_stands_in_four_lines_above_all_orders(boxes: Boxes) -> None:
    lost = failed = 0
    for power, letter, _ in asking(boxes):
        if letter.kind != "results":
            continue
        mail = mail_programs.Received(letter.message)
        rows = lxml.html.fromstring(mail.page).xpath("//table[contains(@class, 'news')]//tr")
        news = " ".join(row.text_content() for row in rows)
        assert len(rows) <= 4
        before: dict[str, str] = {}
        for record in mail.records():
            for line in record["results"].get(power, ()):
                if line["outcome"] != "fails":
                    continue
                failed += 1
                words = line["order"].split(" ")
                assert words[1][:3] in news or re.search(r"\d", news), (line, news)
            before = before or {p: owner for owner, ps in record["centers"].items() for p in ps}
        after = (mail.opened or {}).get("centers", {power: before})
        for center, owner in before.items():
            if owner == power and center not in after[power]:
                lost += 1
                assert any(map(news.count, named(center))), (center, news)
    assert min(failed // 5, lost) > 1


def test_no_letter_tells_what_the_one_before_told(boxes: Boxes) -> None:
    for power, box in boxes.items():
        unasked = [each for each in box if each.kind not in ("reply", "press", "reminder")]
        told = Counter(each.told for each in unasked)
        assert [each for each, count in told.items() if count > 1] == [], power
        texts = Counter(each.text for each in box if each.kind != "reply")
        assert max(texts.values()) == 1, power
        kinds = Counter(each.kind for each in unasked)
        ran = {each.told for each in unasked if each.kind == "results"}
        assert kinds == Counter({**dict.fromkeys(kinds, 1), "results": len(ran)}), power


def test_a_time_soon_is_told_without_its_year(boxes: Boxes) -> None:
    for box in boxes.values():
        for letter in box:
            flat = " ".join(letter.text.split())
            assert not re.search(r"\b20\d\d, \d\d:\d\d", flat), letter.kind
