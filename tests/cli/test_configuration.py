"""`judge config`, what looking makes, and a judge that reads its configuration anew."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.cli.conftest import Call


def test_what_was_changed_is_shown_without_secrets(home: Path, call: Call) -> None:
    assert call("config", "--changed").output.splitlines()[1:] == [
        'judge.address = "judge@example.org"'
    ]
    path = home / "judge.toml"
    told = '[outgoing.relay]\nhost = "mail.example.org"\nuser = "judge"\npassword = "hunter2"\n'
    text = path.read_text().replace("\n[limits]\n", "\n[limits]\nhour = 7\n")
    path.write_text(text + told)
    shown = call("config", "--changed").output
    assert "limits.hour = 7" in shown
    assert "limits.press" not in shown
    assert "hunter2" not in shown
    assert {each for each in shown.splitlines() if each.startswith("outgoing.relay")} == {
        'outgoing.relay.host = "mail.example.org"',
        'outgoing.relay.user = "judge"',
        'outgoing.relay.password = "(hidden)"',
    }
    told = '[[imap]]\nhost = "mail.example.org"\nuser = "judge"\npassword = "hunter2"\n'
    house = '[[houses]]\nkey = "club"\naddress = "club@example.org"\n'
    path.write_text(text + told + told + "poll = 7\n" + house)
    shown = call("config", "--changed").output
    assert "hunter2" not in shown + call("config").output + call("config", "--json").output
    assert "imap.0.poll" not in shown
    assert "imap.1.poll = 7" in shown
    assert [each for each in shown.splitlines() if each.startswith("houses")] == [
        'houses.0.address = "club@example.org"',
        'houses.0.key = "club"',
    ]


def test_looking_makes_no_database(home: Path, call: Call) -> None:
    for path in home.glob("judge.db*"):
        path.unlink()
    for asked in (["status"], ["game", "list"], ["held", "list"], ["mail", "list"]):
        assert call(*asked).exit_code == 1
    assert call("mail", input="From: a@b.example\n\nHELP\n").exit_code == 75
    assert "there is no database" in call("check").output
    assert not list(home.glob("judge.db*"))


def _await(log: Path, said: str, times: int = 1) -> None:
    limit = time.monotonic() + 60
    while log.read_text().count(said) < times:
        assert time.monotonic() < limit, log.read_text()
        time.sleep(0.1)


def test_sighup_reads_the_configuration_anew_and_never_kills(home: Path, tmp_path: Path) -> None:
    path, log = home / "judge.toml", tmp_path / "log"
    text = path.read_text().replace("\n[smtp]\n", "\n[smtp]\nport = 0\n")
    path.write_text(text)
    with log.open("w") as out:
        command = [sys.executable, "-m", "judge", "run", "--config", str(path)]
        daemon = subprocess.Popen(command, stderr=out)
        try:
            _await(log, "judge started")
            path.write_text(text + "\nnonsense = [")
            daemon.send_signal(signal.SIGHUP)
            _await(log, "goes on with the old one")
            path.write_text(text.replace("\n[log]\n", '\n[log]\nformat = "json"\n'))
            daemon.send_signal(signal.SIGHUP)
            _await(log, "judge started", times=2)
            assert '"message": "judge started"' in log.read_text()
            # No matter where in its start it is hit, none kills, and the last one is followed.
            for _ in range(20):
                daemon.send_signal(signal.SIGHUP)
                time.sleep(0.05)
            path.write_text(text.replace("\n[log]\n", '\n[log]\nformat = "text"\n'))
            daemon.send_signal(signal.SIGHUP)
            _await(log, 'daemon "judge started"', times=2)
            assert daemon.poll() is None
            # It takes a moment to stop, in which it may be told to end.
            daemon.send_signal(signal.SIGHUP)
            time.sleep(0.2)
        finally:
            daemon.terminate()
            assert daemon.wait(30) == 0
