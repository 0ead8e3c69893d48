"""The demo from the first message to the last, and everything that is checked on the way."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from judge import variants
from judge.demo import notations, sample
from judge.demo.clients import CLIENTS, JINJA, Client, mutt
from judge.demo.correspondent import Correspondent, Post, smtp
from judge.demo.mail_programs import Received, kind_of, results_in
from judge.demo.players import (
    CAST,
    GAME,
    LATE_POWER,
    MISSED,
    Player,
    asks_to_process,
    is_last,
    is_resignation,
    master_mail,
    press_of,
)
from judge.demo.server import ADDRESS, HOST, Server, ServerFailed
from judge.game.state import State
from judge.mail.transport import mailbox_name
from judge.rules.phase import Phase
from judge.storage import Game, InboundState, PhaseRun, Storage, StoredEnding

SPEED = 3600
"""The daemon's clock: an hour of the game is a second of ours."""

BOT = "Bot Ada, a computer"
"""Who plays for the player who resigns."""

LONGEST = 1800.0
"""Seconds after which something must be wrong."""


_OF_PLAYER = ("letter", "power", "habit", "subject", "answer")


class DemoFailed(Exception):
    """The demo did not finish; the message says how far it got."""


@dataclass
class Demo:
    """A demo in a folder.

    Attributes:
        say: Is called with one line for each thing that happens.
        seed: The same seed makes the players choose alike.
        speed: How fast the daemon's clock runs.
        pictures: Whether messages show the board.
        doors: For tests: configuration of another receiver than SMTP, used by `post`.
        between: For tests: is called with the server again and again, and may kill it.
    """

    folder: Path
    say: Callable[[str], None]
    last_turn: str = "F1905"
    seed: int = 1901
    speed: float = SPEED
    pictures: bool = False
    doors: str | None = None
    post: Post | None = None
    between: Callable[[Server], None] | None = None
    differences: list[str] = field(default_factory=list)
    players: list[Player] = field(default_factory=list)
    resignation: Received | None = None

    def play(self) -> list[str]:
        """Play it all, and return every difference from what should happen, a sentence each.

        Raises DemoFailed if it does not finish, ServerFailed if the daemon does not start or dies.
        """
        self._began = time.monotonic()
        self.server = Server(self.folder, self.speed, self.doors, pictures=self.pictures)
        self.server.start()
        try:
            if self.post is None:
                self.say(f"A judge takes mail on {HOST} port {self.server.port}.")
            storage = Storage.open(self.server.database)
            try:
                self._gather()
                self._watch(storage)
                self._finish(storage)
            finally:
                storage.close()
        finally:
            self.server.stop()
        return self.differences

    def _person(self, name: str, client: Client = mutt) -> Correspondent:
        local = name.lower().replace("é", "e").replace("ü", "ue")
        address = f"{local}@players.example"
        box = self.server.mail / mailbox_name(address)
        return Correspondent(name, address, box, self.post or smtp(HOST, self.server.port), client)

    def _gather(self) -> None:
        """Let the game master create the game, and the players join it."""
        self.master = self._person("Mia")
        self.master.write(ADDRESS, "A new game", master_mail(self.last_turn))
        self.say(f"Mia creates the game {GAME}; seven players join it:")
        self._wait(lambda: any(GAME in letter.text for letter in self.master.letters()), "created")
        variant = variants.load("standard")
        for name, cast in CAST.items():
            power = cast["power"]
            player = Player(
                person=self._person(name, CLIENTS[cast["client"]]),
                notation=getattr(notations, cast["notation"]),
                typed=JINJA.from_string(cast["typed"]),
                variant=variant,
                chance=random.Random(f"{self.seed} {power}"),
                **{key: cast[key] for key in _OF_PLAYER if key in cast},
            )
            self.players.append(player)
            player.person.write(ADDRESS, "I want to play", cast["join"].format(game=GAME))
            self.say(f"  {name:<8} {power:<8} {cast['told']}")

    def _wait(self, done: Callable[[], bool], what: str) -> None:
        """Let the players act until `done`."""
        while not done():
            if time.monotonic() - self._began > LONGEST:
                raise DemoFailed(f"after {LONGEST:.0f} seconds the game is not {what}")
            if not self.server.running:
                raise ServerFailed(f"the daemon has died; see {self.server.log}")
            for player in self.players:
                player.read()
            self._run_game()
            if self.between is not None:
                self.between(self.server)
            time.sleep(0.05)

    def _run_game(self) -> None:
        """Let the game master read, who does not wait for orders that never come, and lets a
        computer play for anyone who resigns."""
        for letter in self.master.letters():
            if is_last(letter):
                self.master.write(letter.answer_to, "", f"PROCESS {MISSED}", answers=letter)
            elif asks_to_process(letter):
                self.master.write(letter.answer_to, "", "YES", answers=letter)
            elif is_resignation(letter):
                self.resignation = letter
        # Anyone who resigned reads all results if the game waits until they watch it.
        if self.resignation and any(player.left == "watches" for player in self.players):
            letter, self.resignation = self.resignation, None
            self.master.write(letter.answer_to, "", "SET BOTS 1 normal", answers=letter)
            self.say(f"Fyodor resigns; {BOT}, plays {LATE_POWER}.")

    def _watch(self, storage: Storage) -> None:
        """Play to the end, checking each phase of the sample game as soon as it has run."""
        told: set[str] = set()

        def over() -> bool:
            for line in self._news(storage, told):
                self.say(line)
            return all(player.over for player in self.players)

        self._wait(over, "over")
        missing = [each.phase for each in sample.phases() if each.phase not in told]
        self._expect(not missing, f"phases of the sample game that never ran: {missing}")

    def _news(self, storage: Storage, told: set[str]) -> Iterator[str]:
        """Yield a line for each phase that has run since the last call."""
        game = storage.games.by_name(GAME)
        if game is None or game.phase is None:
            return
        history = storage.history.of_game(game.id)
        checked = sample.check(game, history)
        book = {each.phase for each in sample.phases()}
        for run in history:
            phase = run.phase
            if phase in told or (phase in book and phase not in checked):
                continue
            told.add(phase)
            if not any(run.results["orders"].values()):
                continue
            found = checked.get(phase, [])
            self.differences += found
            verdict = "" if phase not in book else "as in the rulebook"
            if found:
                verdict = "NOT AS IN THE RULEBOOK: " + "; ".join(found)
            elif phase == MISSED:
                verdict = "Fyodor's orders did not come"
            count = sum(len(lines) for lines in run.results["orders"].values())
            seconds = time.monotonic() - self._began
            noun = "order " if count == 1 else "orders"
            yield f"{seconds:5.0f} s  {phase}  {count:3} {noun}  {verdict}".rstrip()

    def _finish(self, storage: Storage) -> None:
        game = storage.games.by_name(GAME)
        assert game is not None
        self._wait(lambda: storage.outbound.next_due() is None, "told to everybody")
        for player in self.players:
            player.read()
        status = self.server.stop()
        self._expect(status == 0, f"the daemon ended with status {status}")
        self._check_ending(game)
        ran = [
            run for run in storage.history.of_game(game.id) if any(run.results["orders"].values())
        ]
        if any(run.phase == MISSED for run in ran):
            self._check_computer(storage, game, ran)
        for player in self.players:
            self._check_answers(player)
            self._check_results(player, ran)
        self._check_press()
        held = len(storage.inbound.held())
        waiting = storage.inbound.count(InboundState.NEW)
        self._expect(not held, f"{held} mails made the judge fail")
        self._expect(not waiting, f"{waiting} mails were not processed")

    def _expect(self, good: object, otherwise: str) -> None:
        if not good:
            self.differences.append(otherwise)

    def _check_ending(self, game: Game) -> None:
        outcome = game.outcome
        limited = outcome is not None and outcome.ending is StoredEnding.TURN_LIMIT
        self._expect(limited, f"the game did not end by its turn limit: {outcome}")
        winners = " and ".join(outcome.winners if outcome else ())
        self.say(f"The game is over after {self.last_turn}: {winners} had the most centers.")

    def _check_computer(self, storage: Storage, game: Game, ran: list[PhaseRun]) -> None:
        """Check that the computer has the seat of one who resigned, and ordered for all units."""
        state = State(storage, game)
        seat = state.seats.holder(LATE_POWER)
        plays = seat is not None and state.seats.person(seat).name == BOT
        self._expect(plays, f"{LATE_POWER} is not played by {BOT}")
        lines = ran[-1].results["orders"].get(LATE_POWER, ())
        missing = [line["unit"] for line in lines if not line["given"]]
        self._expect(not missing, f"{BOT}, did not order {missing}")

    def _check_answers(self, player: Player) -> None:
        """Check that every message was answered once, and only nonsense was refused."""
        name, refused = player.person.name, player.refused
        letters = player.person.all_letters()
        replies = Counter(letter.replies_to for letter in letters if letter.is_reply)
        for sent in player.person.sent:
            count = replies[sent]
            self._expect(count == 1, f"{name}: a mail was answered {count} times")
        if player.habit == "chaotic":
            told = refused and all("Atlantis" in text for text in refused[-3:])
            self._expect(told, f"{name} was not told what is wrong with Atlantis")
        elif refused:
            self._expect(False, f"{name} was not understood:\n{refused[0]}")

    def _check_results(self, player: Player, ran: list[PhaseRun]) -> None:
        """Check that each result came once, and says what the book says of the sample game."""
        name = player.person.name
        letters = [letter for letter in player.person.all_letters() if not letter.is_reply]
        told = Counter(str(letter.message["X-Judge"]) for letter in letters)
        for said, count in told.items():
            once = count == 1 or "kind=results" not in said
            self._expect(once, f"{name}: {said!r} came {count} times")
        kinds = Counter(map(kind_of, letters))
        for kind in ("start", "end"):
            count = kinds[kind]
            self._expect(count == 1, f"{name}: there are {count} letters of the kind {kind!r}")
        book = {each.phase: each for each in sample.phases()}
        records = [record for letter in letters for record in letter.records()]
        for run in ran:
            phase = run.phase
            count = sum(results_in(letter.text, Phase.read(phase)) for letter in letters)
            kept = [record for record in records if record["phase"] == phase]
            if (count, len(kept)) != (1, 1):
                self._expect(False, f"{name}: the results of {phase} came {count} times")
                continue
            results = [line for lines in kept[0]["results"].values() for line in lines]
            fails = sum(line["outcome"] == "fails" for line in results)
            if phase in book:
                expected = sum(map(len, book[phase].fail.values()))
                said = f"{fails} orders fail in the letter, {expected} in the book"
                self._expect(fails == expected, f"{name}: {phase}: {said}")
            missing = any("no order was given" in line["note"] for line in results)
            named = missing or phase != MISSED
            self._expect(named, f"{name}: the letter does not say whose orders were missing")

    def _check_press(self) -> None:
        """Check that broadcasts reached everybody else, and press and replies one player alone."""
        for player in self.players:
            senders = [press_of(letter) for letter in player.person.all_letters()]
            for sender, powers in _PRESS.items():
                came = senders.count(sender)
                right = came == (player.letter in powers)
                self._expect(right, f"{player.person.name}: press from {sender} came {came} times")


_PRESS = {"Austria": set("EFGIRT"), "England": {"F"}, "France": {"E"}, "Italy": {"A"}}
"""Who reads what a power writes."""


def exchange(person: Correspondent, phase: str) -> Iterator[str]:
    """Yield the lines of a message to the judge and its reply, the first in that phase (`Spring
    1901, movement`), if there is one."""
    for letter in person.all_letters():
        typed = person.sent.get(letter.replies_to)
        if typed and letter.is_reply and f", {phase})" in letter.first:
            yield f"What {person.name} typed, answering a letter:"
            yield from _framed(typed)
            yield from _shown(letter, f"The judge's answer to {person.name}")
            return


def letter_to(person: Correspondent, phase: str) -> Iterator[str]:
    """Yield the lines of the first message, but no reply, that asks for orders of that phase."""
    for letter in person.all_letters():
        if not letter.is_reply and f", {phase}: " in letter.first:
            yield from _shown(letter, f"A letter to {person.name}")
            return


def _shown(letter: Received, what: str) -> Iterator[str]:
    yield f"{what}, “{letter.first}”:"
    yield from _framed(letter.text)


def _framed(text: str) -> Iterator[str]:
    yield ""
    for line in text.strip("\n").split("\n"):
        yield f"    | {line}".rstrip()
    yield ""
