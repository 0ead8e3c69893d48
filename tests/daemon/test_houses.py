"""Several houses on one daemon: mail finds its house by the address that took it, and letters leave
as their house's."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path

import pytest

from judge import config
from judge.daemon import Daemon, Loop, StartError, factory
from judge.storage import Storage
from tests.clocks import ManualClock
from tests.daemon.test_daemon import JudgeProfile
from tests.mail.keys import key_pair
from tests.storage.test_contract import add_game

HOUSES = """
[[houses]]
key = "club"
name = "Club Knights"
address = "club@clubhouse.example"
pages = "club"
settings = ["press grey"]
"""


def test_a_daemon_works_for_all_houses(tmp_path: Path) -> None:
    made = JudgeProfile(tmp_path, '[site]\nfolder = "main"\n' + HOUSES)
    made.daemon.start()
    try:
        made.write("ann", "CREATE ?paris standard", "club@clubhouse.example")
        letter = made.out.take("ann@example.com", "Press: grey")
        assert "Club Knights" in letter["Reply-To"]
        assert letter["Reply-To"].addresses[0].domain == "clubhouse.example"
        assert "judge@example.org" not in letter.as_string()
        made.write("ann", "SET PRESS WHITE", str(letter["Reply-To"].addresses[0].addr_spec))
        made.out.take("ann@example.com", "paris")
        made.write("ann", "CREATE ?paris standard")
        assert "Press: white" in made.out.wait("ann@example.com", "paris")
    finally:
        made.daemon.stop()
    with closing(Storage.open(made.config.database.url)) as storage:
        club = storage.of("club").games.by_name("paris")
        assert club is not None
        assert club.settings["press"] == "white"
        assert storage.houses.all() == {"", "club"}


def test_pages_are_each_houses_own(tmp_path: Path) -> None:
    made = JudgeProfile(tmp_path, '[site]\nfolder = "main"\n' + HOUSES)
    with closing(Storage.open(made.config.database.url)) as storage:
        for house, name in (("", "paris"), ("club", "rome")):
            add_game(storage.of(house), name=name, settings={"listed": True})
        step = factory.pages(made.config, storage, ManualClock())
        assert step is not None
        step(Loop("pages", step))
    games = {
        folder: {each.parent.name for each in (tmp_path / folder).glob("games/*/index.html")}
        for folder in ("main", "club")
    }
    assert games == {"main": {"paris"}, "club": {"rome"}}


def test_a_judge_that_stops_does_not_wait_for_its_pages(tmp_path: Path) -> None:
    made = JudgeProfile(tmp_path, '[site]\nfolder = "main"\n')
    with closing(Storage.open(made.config.database.url)) as storage:
        step = factory.pages(made.config, storage, ManualClock())
        assert step is not None
        stops, goes_on = Loop("pages", step), Loop("pages", step)
        stops.stop()
        step(stops)
        assert not list((tmp_path / "main").rglob("*.html"))
        begun = time.monotonic()
        step(goes_on)
    assert (tmp_path / "main" / "index.html").is_file()
    assert goes_on.idle < time.monotonic() - begun, "a long build is no thread that hangs"


def test_a_house_that_is_not_configured_keeps_the_judge_from_starting(tmp_path: Path) -> None:
    made = JudgeProfile(tmp_path)
    with closing(Storage.open(made.config.database.url)) as storage:
        add_game(storage.of("club"))
    with pytest.raises(StartError, match=r"the database has a house 'club'"):
        made.daemon.start()


def test_usual_settings_that_no_game_can_have_keep_the_judge_from_starting(tmp_path: Path) -> None:
    good = ["press grey", "scoring bangkok", "players 6", "move next 48h", "gunboat", "grace 12h"]
    bad = ["press pink, or so", "scoring nonsense", "players 99", "move next 48 bananas"]
    made = JudgeProfile(tmp_path, HOUSES.replace('["press grey"]', str([*good, *bad])))
    with pytest.raises(StartError) as refused:
        Daemon(config.load(made.file)).start()
    _, *lines = str(refused.value).splitlines()
    assert [line.split("'")[1] for line in lines] == bad


def test_letters_of_another_domain_are_not_signed_for_it(tmp_path: Path) -> None:
    (tmp_path / "dkim.pem").write_bytes(key_pair()[0])
    dkim = '[dkim]\nselector = "s1"\nkey_file = "dkim.pem"\n'
    made = JudgeProfile(tmp_path, dkim + HOUSES)
    way_out = factory.signing(made.config, made.out)
    for house in ("judge@example.org", "club@clubhouse.example"):
        raw = f"From: <{house}>\r\nTo: a@b.example\r\nSubject: x\r\n\r\nx\r\n".encode()
        way_out.deliver(raw, "a@b.example", "<1@x>", "")
    signed = [made.out.take("a@b.example")["DKIM-Signature"] for _ in range(2)]
    assert [each is not None for each in signed] == [True, False]
    way_out.close()


@pytest.mark.parametrize("main", [True, False])
def test_letters_of_a_house_are_signed_with_its_own_key(tmp_path: Path, main: bool) -> None:
    for name in ("main", "own"):
        (tmp_path / f"{name}.pem").write_bytes(key_pair()[0])
    dkim = '[dkim]\nselector = "s1"\nkey_file = "main.pem"\n' if main else ""
    own = '[houses.dkim]\nselector = "s2"\nkey_file = "own.pem"\n'
    made = JudgeProfile(tmp_path, dkim + HOUSES + own)
    way_out = factory.signing(made.config, made.out)
    for house in ("judge@example.org", "club@clubhouse.example"):
        raw = f"From: <{house}>\r\nTo: a@b.example\r\nSubject: x\r\n\r\nx\r\n".encode()
        way_out.deliver(raw, "a@b.example", "<1@x>", "")
    signed = [str(made.out.take("a@b.example")["DKIM-Signature"]) for _ in range(2)]
    assert ("d=example.org; i=@example.org; q=dns/txt; s=s1;" in signed[0]) is main
    assert "clubhouse.example" not in signed[0]
    assert "d=clubhouse.example; i=@clubhouse.example; q=dns/txt; s=s2;" in signed[1]
    way_out.close()
