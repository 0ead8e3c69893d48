"""No secret stands where somebody might look: in reprs, logs, tracebacks, errors."""

from __future__ import annotations

import io
import logging
import socket
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge import config, logs
from judge.daemon.factory import imap_settings, signers_of, transport_of
from judge.mail.imap_receiver import ImapReceiver, probe
from judge.mail.transport import RelayServer, TemporaryFailure
from judge.storage import Storage, Unavailable

SECRET = "hunter2hunter2"


@pytest.fixture
def loaded(tmp_path: Path) -> config.Config:
    """A configuration with a secret everywhere one can be."""
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        port = nobody.getsockname()[1]
    (tmp_path / "password").write_text(f"{SECRET}\n")
    file = tmp_path / "judge.toml"
    file.write_text(
        '[judge]\naddress = "judge@example.org"\n'
        f'[database]\nurl = "postgresql://judge:{SECRET}@127.0.0.1:{port}/judge"\n'
        f'[[imap]]\nhost = "127.0.0.1"\nport = {port}\nuser = "judge"\nsecurity = "none"\n'
        f'password = "{SECRET}"\n'
        f'[outgoing.relay]\nhost = "127.0.0.1"\nport = {port}\nuser = "judge"\n'
        'security = "none"\npassword_file = "password"\n'
    )
    return config.load(file)


@pytest.fixture
def heard() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    before = root.handlers[:], root.level
    stream = io.StringIO()
    logs.set_up("debug", stream, "json")
    yield stream
    root.handlers[:], root.level = before


def test_what_is_configured_shows_no_secret(loaded: config.Config) -> None:
    settings = imap_settings(loaded.imap[0], 1000)
    relay = transport_of(loaded)
    shown = (
        loaded, loaded.imap[0], loaded.outgoing, loaded.database, settings, relay,
        ImapReceiver(settings, lambda *mail: None), signers_of(loaded),
    )  # fmt: skip
    for each in shown:
        assert SECRET not in repr(each)
        assert SECRET not in str(each)


@pytest.mark.parametrize(
    "wrong",
    [
        f'[database]\nurl = "postgresql:{SECRET}"',
        f'[database]\nurl = "mysql://judge:{SECRET}@h/d"',
        f'[[imap]]\nhost = "h"\npassword = "{SECRET}"',
        f'[[imap]]\nhost = "h"\nuser = "u"\npassword = ["{SECRET}"]',
        f'[outgoing.relay]\nhost = "h"\nuser = "u"\npassword = "{SECRET}"\npassword_env = "X"',
    ],
)
def test_an_error_in_the_configuration_shows_no_secret(tmp_path: Path, wrong: str) -> None:
    with pytest.raises(config.ConfigError) as raised:
        config.parse(f'[judge]\naddress = "j@example.org"\n{wrong}\n', tmp_path / "judge.toml")
    told = "".join(traceback.format_exception(raised.value))
    assert SECRET not in told


def test_failures_of_what_logs_in_show_no_secret(loaded: config.Config, heard: io.StringIO) -> None:
    told = []
    relay = transport_of(loaded)
    assert isinstance(relay, RelayServer)
    for fails in (
        lambda: Storage.open(loaded.database.url),
        lambda: probe(imap_settings(loaded.imap[0], 1000)),
        lambda: relay.deliver(b"x", "ann@example.org", "<1@x>"),
    ):
        try:
            fails()
        except (Unavailable, OSError, TemporaryFailure) as error:
            logging.getLogger("judge.test").exception("it failed")
            told.append("".join(traceback.format_exception(error)))
    assert len(told) == 3
    for each in (*told, heard.getvalue()):
        assert SECRET not in each
