"""The keeper's page: what they have to see to, and nothing of what players send."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from judge import config
from judge.daemon import factory
from judge.daemon.loop import Loop
from judge.ops import keeper_page
from judge.ops.status import status
from judge.storage import Alarm
from tests.game.play import Play

SECRET = "Nobody else may read this plan"


@pytest.fixture
def play(tmp_path: Path) -> Play:
    return Play(tmp_path)


def page(play: Play, folder: Path) -> str:
    now = status(play.storage, play.clock)
    return keeper_page.write(play.storage, now, folder / "keeper", "The <Judge>").read_text()


def test_the_page_of_an_idle_judge(play: Play, tmp_path: Path) -> None:
    text = page(play, tmp_path)
    assert "The &lt;Judge&gt;: no alarms" in text
    assert text.count("<p>None.") == 4
    assert not (tmp_path / "keeper" / "index.html.new").exists()


def test_it_shows_what_waits_what_is_wrong_and_all_games(play: Play, tmp_path: Path) -> None:
    play.start()
    play.send("max", "SET NO LIST")
    play.send("bob", f"PRESS TO France\n{SECRET}\nENDPRESS")
    play.send("cleo", "A Par - Bur")
    mail_id = play.mail("zoe", f"{SECRET}\nA Mar - Spa", subject=SECRET)
    with play.storage.transaction():
        play.storage.inbound.hold(mail_id, "Traceback\nValueError: <b>odd</b>", play.clock.now())
        alarm = Alarm(name="disk of here", kind="disk", since=play.clock.now())
        assert play.storage.alarms.begin(alarm)
    text = page(play, tmp_path)
    assert "1 alarm<" in text
    assert "disk of here" in text
    assert f"<td>{mail_id}<td>held" in text
    assert "zoe@people.example" in text
    assert "ValueError: &lt;b&gt;odd&lt;/b&gt;" in text
    assert re.search(r"<td>paris<td>active<td>S1901M<td>2026-\S+ \S+ UTC", text)
    for secret in (SECRET, "Bur", "bur", "Spa", "Traceback"):
        assert secret not in text


def test_only_its_group_reads_it(play: Play, tmp_path: Path) -> None:
    page(play, tmp_path)
    folder = tmp_path / "keeper"
    assert folder.stat().st_mode & 0o007 == 0
    assert (folder / "index.html").stat().st_mode & 0o777 == 0o640


def test_the_judge_writes_it_where_a_folder_is_named(play: Play, tmp_path: Path) -> None:
    file = tmp_path / "judge.toml"
    file.write_text('[judge]\naddress = "judge@example.org"\n')
    assert factory.keepers_page(config.load(file), play.storage, play.clock) is None
    file.write_text(f'{file.read_text()}[site]\nkeeper_folder = "mine"\n')
    step = factory.keepers_page(config.load(file), play.storage, play.clock)
    assert step is not None
    for _ in range(2):
        assert step(Loop("page", step)) == factory.PAGES
        text = (tmp_path / "mine" / "index.html").read_text()
        assert f"As of {play.clock.now():%Y-%m-%d %H:%M} UTC" in text
        play.clock.advance(minutes=5)
