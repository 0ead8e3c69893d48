"""What `judge status` and Prometheus are told."""

from __future__ import annotations

import fcntl
import json
import smtplib
import threading
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from judge import config
from judge.cli.status_command import _page
from judge.daemon import Daemon
from judge.demo.server import Server
from judge.ops.prometheus import PrometheusMetrics
from judge.ops.status import Lag, Status, status
from judge.storage import InboundState, Storage, occupied
from tests.cli.conftest import Call, call
from tests.game.play import ADDRESS, Play
from tests.mail.waiting import until

__all__ = ["call"]


def test_the_picture_of_a_judge_that_never_ran(storage: Storage, play: Play) -> None:
    now = status(storage, play.clock)
    assert not now.running
    assert now.mails == {"new": 0, "held": 0, "asked": 0}
    assert now.lag == Lag(mails=0.0, letters=0.0, games=0.0)
    assert [*now.next, *now.overdue, *now.alarms, *now.errors] == []


def test_the_picture_of_a_judge_at_work(played: Play) -> None:
    played.deliver()
    played.judge.keep_heartbeat()
    played.mail("ann", "help")
    played.clock.advance(minutes=2)
    assert not status(played.storage, played.clock).running
    with occupied(f"sqlite:{played.file}"):
        now = status(played.storage, played.clock)
    assert now.running
    assert now.mails[InboundState.NEW] == 1
    assert now.lag.mails == 120
    assert now.games == {"active": 1}
    assert now.next[0].name == "paris"
    assert now.next[0].phase == "F1901M"


def test_a_judge_that_is_cut_off_says_since_when(played: Play) -> None:
    played.judge.keep_heartbeat()
    since = played.clock.now()
    assert status(played.storage, played.clock).cut_off is None
    for minutes in (2, 1):
        assert status(played.storage, played.clock).cut_off is None
        played.clock.advance(minutes=minutes)
        with played.storage.transaction():
            played.storage.heartbeat.beat(played.clock.now())
    now = status(played.storage, played.clock)
    assert now.cut_off == since
    assert f"CUT OFF since {since:%Y-%m-%d %H:%M} UTC" in "\n".join(line for line, _ in _page(now))
    metrics = PrometheusMetrics()
    metrics.watch(lambda: now)
    assert "judge_cut_off 1.0" in scraped(metrics)


def test_what_went_wrong_last_is_there(played: Play) -> None:
    played.deliver()
    played.storage.outbound.failed(1, "550 nobody here", None)
    played.mail("ann", "help")
    mail_id = played.storage.inbound.next_new()
    assert mail_id is not None
    with played.storage.transaction():
        played.storage.inbound.hold(mail_id, "Traceback\nValueError: a bug\n", played.clock.now())
    errors = status(played.storage, played.clock).errors
    assert f"mail {mail_id} is held: ValueError: a bug" in errors
    assert any(each.endswith("was given up: 550 nobody here") for each in errors)


def scraped(metrics: PrometheusMetrics) -> str:
    with (
        metrics.served("127.0.0.1", 0) as port,
        urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer,
    ):
        return str(answer.read().decode())


def test_prometheus_gets_numbers_and_no_names(played: Play) -> None:
    metrics = PrometheusMetrics()
    metrics.count("stored", "smtp")
    metrics.watch(lambda: status(played.storage, played.clock))
    told = scraped(metrics)
    assert 'judge_mails_stored_total{door="smtp"} 1.0' in told
    assert 'judge_games{state="active"} 1.0' in told
    assert 'judge_lag_seconds{queue="mails"} 0.0' in told
    assert "judge_up 1.0" in told
    assert "judge_cut_off 0.0" in told
    assert "paris" not in told
    assert "example" not in told


def test_a_database_out_of_reach_shows_as_down() -> None:
    metrics = PrometheusMetrics()

    def broken() -> Status:
        raise OSError("gone")

    metrics.watch(broken)
    assert "judge_up 0.0" in scraped(metrics)


def test_judge_status_says_it_in_words_and_json(
    played: Play, tmp_path: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "judge.toml").write_text(
        f'[judge]\naddress = "judge@judge.example"\n[database]\nurl = "sqlite:{played.file}"\n'
    )
    monkeypatch.setenv("JUDGE_CONFIG", str(tmp_path / "judge.toml"))
    told = call("status")
    assert told.exit_code == 1
    assert "The judge DOES NOT RUN" in told.output
    assert "paris  F1901M" in told.output
    found = json.loads(call("status", "--json").output)
    assert found["next"][0]["game"] == "paris"
    assert found["running"] is False


def test_a_judge_that_was_killed_is_not_there_at_once(tmp_path: Path, call: Call) -> None:
    server = Server(tmp_path, speed=1)
    server.start()
    asked = ("status", "--alive", "--config", str(server.config))
    try:
        until(lambda: call(*asked).exit_code == 0, 30)
    finally:
        server.kill()
    assert call(*asked).exit_code == 1


def test_a_judge_is_seen_on_either_database(new_url: Callable[..., str]) -> None:
    url = new_url()
    storage = Storage.open(url)
    assert not storage.is_served()
    with occupied(url):
        assert storage.is_served()
    assert not storage.is_served()
    storage.close()


def test_who_only_asks_keeps_no_judge_from_starting(tmp_path: Path) -> None:
    url = f"sqlite:{tmp_path / 'judge.db'}"
    with Path(f"{tmp_path / 'judge.db'}.lock").open("w") as asking:
        fcntl.flock(asking, fcntl.LOCK_SH)
        threading.Timer(0.2, fcntl.flock, (asking, fcntl.LOCK_UN)).start()
        with occupied(url):
            assert Storage.open(url).is_served()


def test_a_running_judge_is_measured_and_names_mail_and_game_in_its_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "judge.toml"
    file.write_text(
        f'[judge]\naddress = "{ADDRESS}"\n[smtp]\nport = 0\n'
        "[metrics]\nenabled = true\nport = 0\n[retention]\ndays = 1\n[work]\napart = false\n"
    )
    daemon = Daemon(config.load(file))
    caplog.set_level("INFO")
    daemon.start()
    try:
        raw = b"From: mia@x.example\r\nMessage-ID: <1@x>\r\n\r\nCREATE ?paris\r\n"
        assert daemon.smtp_port is not None
        with smtplib.SMTP("127.0.0.1", daemon.smtp_port) as server:
            server.sendmail("mia@x.example", [ADDRESS], raw)
        where = f"http://127.0.0.1:{daemon.metrics_port}/metrics"

        def told() -> str:
            with urllib.request.urlopen(where) as answer:
                return str(answer.read().decode())

        until(lambda: 'judge_letters_total{outcome="sent"} 1.0' in told())
        assert 'judge_mails_stored_total{door="smtp"} 1.0' in told()
        assert 'judge_games{state="forming"} 1.0' in told()
        assert "judge_mail_work_seconds_count 1.0" in told()
    finally:
        daemon.stop()
    (record,) = [each for each in caplog.records if each.message == "mail read"]
    assert record.__dict__["game"] == "paris"
