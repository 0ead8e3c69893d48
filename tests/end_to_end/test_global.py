"""A game of Global Diplomacy through the real daemon, over SMTP, from CREATE to its ending."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.demo.correspondent import Correspondent, smtp
from judge.demo.server import ADDRESS, HOST, Server
from judge.game.state import State
from judge.mail.transport import mailbox_name
from judge.storage import Storage, StoredEnding, StoredOutcome

PATIENCE = 240.0
BUILDS = {
    "U": "Army Central United States\nAir Force SUS\nB N ALA\nnavy wus",
    "R": "A RUS, A URA, A KAZ, N YAK",
    "S": "build A bra, N ven, A per, A arg",
    "E": "N GBR, Fleet SPN, A WEU, A SCA",
    "G": "A EGY, AF WAF, A SAF, N MAD",
    "P": "A MAN, AF NCH, A SCH, A SEA",
}
"""The opening build of each power, by its letter."""


class Globe:
    """The judge, six players and what they get."""

    def __init__(self, folder: Path) -> None:
        self.server = Server(folder, 60)
        self.server.start()
        self.storage = Storage.open(self.server.database)
        self.people = {name: self._person(f"{name.lower()}@players.example") for name in BUILDS}
        self.got = dict.fromkeys(BUILDS, "")
        self.master = self._person("max@players.example")

    def _person(self, address: str) -> Correspondent:
        box = self.server.mail / mailbox_name(address)
        return Correspondent(address[0].upper(), address, box, smtp(HOST, self.server.port))

    @property
    def state(self) -> State:
        game = self.storage.games.by_name("globe")
        assert game is not None
        return State(self.storage, game)

    def until(self, phase: str) -> None:
        """Wait for a phase, or for a state of the game."""
        limit = time.monotonic() + PATIENCE
        while True:
            game = self.storage.games.by_name("globe")
            if game is not None and phase in (game.phase, game.state):
                return
            assert time.monotonic() < limit, (phase, game and game.phase)
            time.sleep(0.05)

    def hears(self, name: str, says: str) -> None:
        """Wait until a letter to somebody says something."""
        limit = time.monotonic() + PATIENCE
        while True:
            for letter in self.people[name].letters():
                self.got[name] += " ".join(letter.text.split())
            if says in self.got[name]:
                return
            assert time.monotonic() < limit, (name, says)
            time.sleep(0.05)

    def order(self, **lines: str) -> None:
        """What some write; the units of all others hold."""
        state = self.state
        for name, power in state.variant.letters.items():
            units = state.opened.units.get(power, ())
            said = lines.get(name, "\n".join(f"{unit} H" for unit in units))
            self.people[name].write(ADDRESS, "orders", said)


@pytest.fixture
def globe(tmp_path: Path) -> Iterator[Globe]:
    made = Globe(tmp_path)
    yield made
    made.storage.close()
    made.server.stop()


def test_a_game_from_create_to_a_draw_of_the_survivors(globe: Globe) -> None:
    globe.master.write(ADDRESS, "a game", "CREATE ?globe global, PACE MIN 0 DELAY 0")
    globe.until("forming")
    for name, person in globe.people.items():
        person.write(ADDRESS, "hi", f"JOIN globe\nSET PREFERENCE {name}")
    globe.until("F2100A")
    globe.hears("U", "You may build 4 units.")

    globe.order(**BUILDS)
    globe.until("W2101M")
    globe.hears("E", "AF sus")

    # All hold: every power may build an arsenal.
    globe.order()
    globe.until("S2101M")
    globe.hears("E", "European Union may build 1 arsenal")
    globe.order(U="N WUS - MEX/wc\nA CUS H\nAF SUS H\nN ALA H")
    globe.until("S2101A")
    globe.hears("U", "1 arsenal")
    globe.people["U"].write(ADDRESS, "builds", "Arsenal WUS")

    globe.until("U2101M")
    globe.order(
        U="Arsenal WUS bomb via CUS to ECA\nA CUS drop bomb from WUS to ECA\nAF SUS S N MEX\n"
        "N MEX H\nN ALA H"
    )
    globe.until("F2101M")
    for name in globe.people:
        globe.hears(name, "Eastern Canada: no unit can ever enter it again.")
    assert list(globe.state.opened.extra["destroyed"]) == ["eca"]  # type: ignore[call-overload]

    for person in globe.people.values():
        person.write(ADDRESS, "enough", "SET DRAW")
    globe.until("ended")
    assert globe.state.game.outcome == StoredOutcome(
        StoredEnding.DRAW, tuple(globe.state.variant.powers), "U2101R"
    )
    globe.hears("P", "shared equally by")
    assert globe.storage.inbound.held() == []
