"""Over real SMTP: answers through real sub-addresses, and forgers who have none."""

from __future__ import annotations

import smtplib
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from judge.demo.correspondent import Correspondent, smtp
from judge.demo.mail_programs import Received
from judge.demo.server import ADDRESS, HOST, Server
from judge.mail.transport import mailbox_name
from judge.storage import Storage

PATIENCE = 120.0


class Town:
    """A judge that believes answers to its letters only, and people who write to it."""

    def __init__(self, folder: Path, sub_addresses: str) -> None:
        self.server = Server(folder, 3600, "[smtp]\nport = 0\n[trust]\nlevel = 'token'\n")
        config = self.server.config.read_text().replace("port = 0", f"port = {self.server.port}")
        judge = f'[judge]\nsub_addresses = "{sub_addresses}"'
        self.server.config.write_text(config.replace("[judge]", judge, 1))
        self.server.start()
        self.people: dict[str, Correspondent] = {}
        self.unread: dict[str, list[Received]] = {}

    def person(self, name: str) -> Correspondent:
        address = f"{name}@players.example"
        if name not in self.people:
            box = self.server.mail / mailbox_name(address)
            self.people[name] = Correspondent(name, address, box, smtp(HOST, self.server.port))
        return self.people[name]

    def letter(self, name: str, says: str) -> Received:
        """Wait for a letter to somebody that says something."""
        unread = self.unread.setdefault(name, [])

        def found() -> list[Received]:
            return [letter for letter in unread if says in " ".join(letter.text.split())]

        def came() -> bool:
            unread.extend(self.person(name).letters())
            return bool(found())

        wait(came)
        first = found()[0]
        unread.remove(first)
        return first

    def answer(self, name: str, letter: Received, text: str) -> None:
        self.person(name).write(letter.answer_to, f"Re: {letter.subject}", text, answers=letter)


def wait(done: Callable[[], bool]) -> None:
    limit = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < limit, "it did not happen"
        time.sleep(0.05)


@pytest.fixture(params=["judge-*@demo.example", "*@games.demo.example"])
def town(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Town]:
    made = Town(tmp_path, request.param)
    yield made
    made.server.stop()


def test_answers_are_all_it_takes_and_all_that_helps(town: Town) -> None:
    storage = Storage.open(town.server.database)

    def seats() -> int:
        game = storage.games.by_name("paris")
        return 0 if game is None else len(storage.seats.of_game(game.id))

    # Begun by a mail that proves nothing, and a YES.
    town.person("mia").write(ADDRESS, "a game", "CREATE ?paris, MANUAL START")
    question = town.letter("mia", "I do not know your address")
    assert question.answer_to != ADDRESS
    assert seats() == 0
    town.answer("mia", question, "Yes")
    created = town.letter("mia", "The game paris")
    assert seats() == 1

    # A stranger answers what he was sent, and is in.
    town.person("ann").write(ADDRESS, "hi", "hello?")
    town.answer("ann", town.letter("ann", "I run Diplomacy games"), "JOIN paris")
    joined = town.letter("ann", "You are in paris")
    assert seats() == 2

    # Somebody who has no letter of hers: she is asked, and nothing happens.
    eve = smtp(HOST, town.server.port)
    forger = Correspondent("Ann", "ann@players.example", town.person("ann").mailbox, eve)
    forger.write(ADDRESS, "", "SIGN ON paris\nRESIGN")
    altered = joined.answer_to.replace("@", "a@") if "games" in joined.answer_to else ADDRESS
    forger.write(altered, "", "JOIN paris\nSET WAIT\nRESIGN")
    asked = town.letter("ann", "RESIGN")
    town.answer("ann", asked, "NO")
    town.letter("ann", "discarded")
    game = storage.games.by_name("paris")
    assert game is not None
    assert [seat.state for seat in storage.seats.of_game(game.id)] == ["active", "active"]

    # The master by his letter; nobody else by it.
    forged = Correspondent("Mia", "eve@evil.example", town.person("mia").mailbox, eve)
    forged.write(created.answer_to, "", "SET NO PRESS", answers=created)
    town.letter("mia", "eve@evil.example")
    town.answer("mia", created, "SET END AFTER F1907")
    town.letter("mia", "Last turn: now after F1907")
    settings = storage.games.by_name("paris")
    assert settings is not None
    assert settings.settings["press"] == "white"

    # No relay for anybody else's addresses.
    with smtplib.SMTP(HOST, town.server.port) as server:
        server.ehlo()
        server.mail("eve@evil.example")
        assert server.rcpt("somebody@elsewhere.example")[0] == 550
    assert storage.inbound.held() == []
    storage.close()
