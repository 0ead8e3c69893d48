"""Whole games by mail through the real daemon: over SMTP, over IMAP, and killed again and again.

What a game must be is checked by the demo itself: every phase of the sample game is the
rulebook's, every mail is answered once, every result reaches everybody once.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError

from judge.demo.play import Demo
from judge.demo.server import Server
from tests.mail import dovecot

LAST_TURN = "F1903"
SHORT = "W1902"
"""The turns after which a game with a missed deadline and one without are over."""


def test_a_game_over_smtp_is_played_to_its_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    demo = Demo(tmp_path, say=print, last_turn=LAST_TURN, speed=7200)
    assert demo.play() == []
    told = capsys.readouterr().out
    assert told.count("as in the rulebook") == 7
    assert "Fyodor's orders did not come" in told
    assert "Bot Ada, a computer, plays Russia" in told
    assert "The game is over after F1903" in told


@pytest.mark.dovecot
def test_a_game_over_imap_is_played_to_its_end(tmp_path: Path) -> None:
    with dovecot.dovecot() as server:
        doors = (
            f"[smtp]\nenabled = false\n[[imap]]\nhost = '127.0.0.1'\nport = {server.port}\n"
            f"user = '{dovecot.USER}'\npassword = '{dovecot.PASSWORD}'\nsecurity = 'none'\n"
        )

        def post(message: bytes, sender: str, recipient: str) -> None:
            try:
                with IMAPClient("127.0.0.1", server.port, ssl=False) as client:
                    client.login(dovecot.USER, dovecot.PASSWORD)
                    client.append("INBOX", message)
            except IMAPClientError as error:
                raise OSError(str(error)) from error

        demo = Demo(tmp_path, say=print, last_turn=SHORT, speed=7200, doors=doors, post=post)
        assert demo.play() == []
        with IMAPClient("127.0.0.1", server.port, ssl=False) as client:
            client.login(dovecot.USER, dovecot.PASSWORD)
            client.select_folder("INBOX")
            assert client.search() == []
            client.select_folder("judge-done")
            written = [each for player in demo.players for each in player.person.sent]
            assert len(client.search()) == len([*written, *demo.master.sent])


def test_a_daemon_that_is_killed_loses_no_order_and_mails_no_result_twice(tmp_path: Path) -> None:
    chance = random.Random(20)
    killed: list[int] = []
    next_kill = 2

    def kill(server: Server) -> None:
        """Right after somebody has written, so that there is work in progress."""
        nonlocal next_kill
        written = sum(len(each.sent) for each in [demo.master, *(p.person for p in demo.players)])
        if written >= next_kill:
            server.kill()
            killed.append(written)
            next_kill = written + chance.choice((2, 3, 5, 7))
            server.start()

    demo = Demo(tmp_path, say=print, last_turn=SHORT, between=kill)
    assert demo.play() == []
    # Where the machine is slow, several write between two looks.
    assert len(killed) >= 5
