"""Fifty people who play by mail against a real daemon, under a fast clock, while it is killed and
the mail server that takes its letters misbehaves."""

from __future__ import annotations

import random
import smtplib
import time
from collections import Counter
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

from judge import config
from judge.daemon import LetterSender, Loop
from judge.daemon.factory import house_judges, transport_of
from judge.demo.server import ADDRESS, HOST, Server, vouched
from judge.game.state import State
from judge.ops.replay import replay
from judge.rules.legal_orders import legal_orders
from judge.storage import Game, GameState, InboundMessage, OutboundState, Storage
from tests.clocks import ManualClock
from tests.faults.post import HARMLESS, Post
from tests.game.play import REPLIES

NONSENSE = ("", "Buy our watches!", "A Par - Moon", "SET DRAW MAYBE", "\x00\xff", "> > >", "JOIN")
TROUBLES = (*HARMLESS, "554 no")
TALK = (
    "PRESS TO ALL\nHello?\nENDPRESS",
    "STATUS",
    "LIST",
    "SET WAIT",
    "HELP",
    "SET ABSENCE 2 DAYS",
)


class Town:
    """The people, the games and the judge."""

    def __init__(self, folder: Path, *, people: int, speed: float, seed: int) -> None:
        """`speed` is how many times as fast as ours the judge's clock runs."""
        self.post = Post()
        doors = (
            "[smtp]\nport = 0\n[limits]\nhour = 1000\nstranger = 1000\nstrangers = 100000\n"
            f"[outgoing.relay]\nhost = '{HOST}'\nport = {self.post.port}\nsecurity = 'none'\n"
        )
        self.server = Server(folder, speed, doors, patience=300)
        text = self.server.config.read_text()
        self.server.config.write_text(text.replace("port = 0", f"port = {self.server.port}"))
        self.chance = random.Random(seed)
        self.people = [f"p{number:02}" for number in range(people)]
        self.games = people // 7
        self.made = 0
        self.sent: Counter[str] = Counter()
        self.waiting: list[tuple[str, bytes]] = []
        self.kills = 0
        self.troubles = 0
        self.server.start()
        self.storage = Storage.open(self.server.database)

    def close(self) -> None:
        """End the judge."""
        self.storage.close()
        self.server.kill()
        self.post.close()

    # What happens

    def live(self, seconds: float, kill_every: float) -> None:
        """Let so many real seconds pass; the judge is killed now and then, and started again."""
        end = time.monotonic() + seconds
        next_kill = time.monotonic() + kill_every
        while time.monotonic() < end:
            self._people_act()
            if time.monotonic() >= next_kill:
                self.server.kill()
                self.kills += 1
                self.server.start()
                next_kill = time.monotonic() + self.chance.uniform(0.2, 1.8) * kill_every
            time.sleep(0.1)
        self.settle()

    def settle(self, seconds: float = 300.0) -> None:
        """Wait until all mails were taken; then stop the judge, and let another one, whose clock
        stands, do what is left."""
        end = time.monotonic() + seconds
        while self.waiting:
            assert time.monotonic() < end, "mails are not taken"
            self._post_waiting()
            time.sleep(0.1)
        assert self.server.stop() == 0
        configured = config.load(self.server.config)
        clock = ManualClock(configured.clock.clock().now())
        judge = house_judges(configured, self.storage, clock)
        while (mail_id := self.storage.inbound.next_new()) is not None:
            judge.process_message(mail_id)
        out = transport_of(configured)
        sender = LetterSender(self.storage, out, clock, judge.message_failed)
        still = Loop("soak", lambda loop: 0.0)
        while (due := self.storage.outbound.next_due()) is not None:
            clock.set(max(due, clock.now()))
            sender.step(still)

    def _people_act(self) -> None:
        games = self.storage.games.all((GameState.FORMING, GameState.ACTIVE))
        if len(games) < self.games:
            self._found_game()
        for game in games:
            if game.state == "forming":
                self._join(game)
            else:
                self._play(game)
        if self.chance.random() < 0.2:
            self._write(self.chance.choice(self.people), self.chance.choice(NONSENSE))
        if not self.post.ways and self.chance.random() < 0.1:
            self.post.ways += self.chance.choices(TROUBLES, k=3)
            self.troubles += 3
        self._post_waiting()

    def _found_game(self) -> None:
        self.made += 1
        text = f"CREATE ?g{self.made}\nSET MOVE NEXT 24H MIN 2H GRACE 48H CLOCK NONE DAYS SMTWTFS"
        text += "\nSET RETREAT NEXT 12H MIN 2H\nSET ADJUST NEXT 12H MIN 2H\nSET END AFTER F1904"
        self._write(f"m{self.made}", f"{text}\nSET NMR" if self.made % 2 else text)

    def _join(self, game: Game) -> None:
        if self.chance.random() < 0.2:
            self._write(self.chance.choice(self.people), f"JOIN {game.name}")

    def _play(self, game: Game) -> None:
        if self.chance.random() > 0.5:
            return
        with self.storage.transaction():
            state = State(self.storage, game)
            missing = state.sheets.missing()
            powers = [power for power in missing if state.seats.player(power)]
            vacant = state.powers.open()
            if powers and game.phase:
                power = self.chance.choice(powers)
                seat = state.seats.player(power)
                assert seat is not None
                address = self.storage.people.addresses(seat.person_id or 0)[0].address
                orders = legal_orders(state.variant, state.opened, power, state.rulebook)
                lines = [str(self.chance.choice(list(each))) for each in orders.values() if each]
                text = f"SIGN ON {power.lower()}@{game.name}\n" + "\n".join(lines)
                if self.chance.random() < 0.15:
                    text += "\n" + self.chance.choice(TALK)
                self._write(address.partition("@")[0], text)
        if vacant and self.chance.random() < 0.3:
            power = self.chance.choice(vacant)
            who = self.chance.choice(self.people)
            self._write(who, f"TAKE OVER {power.lower()}@{game.name}")

    # Mail

    def _write(self, who: str, text: str) -> None:
        message = EmailMessage()
        message["From"] = f"{who}@players.example"
        message["To"] = ADDRESS
        message_id = f"<{sum(self.sent.values())}.{who}@players.example>"
        message["Message-ID"] = message_id
        message.set_content(text.replace("\x00", "?"), charset="utf-8")
        self.sent[message_id] += 1
        self.waiting.append((who, message.as_bytes()))

    def _post_waiting(self) -> None:
        """Who cannot be rid of his mail keeps it, as mail servers do."""
        while self.waiting:
            who, raw = self.waiting[0]
            try:
                with smtplib.SMTP(HOST, self.server.port, timeout=30) as server:
                    sender = f"{who}@players.example"
                    server.sendmail(sender, [ADDRESS], vouched(raw, sender))
            except (OSError, smtplib.SMTPServerDisconnected, smtplib.SMTPDataError):
                return
            self.waiting.pop(0)

    # What must be

    def broken(self) -> Iterator[str]:
        """Everything that is not as it must be, a sentence each."""
        storage = self.storage
        for each in replay(storage):
            yield from (f"{each.game}: {fault}" for fault in each.faults)
        for mail in storage.inbound.held():
            yield f"mail {mail.id} is held: {(mail.problem or '')[-300:]}"
        mails = list(self._mails())
        found = Counter(mail.message_id for mail in mails)
        yield from (f"{each} was lost" for each in self.sent if each not in found)
        yield from (f"{each} is there {n} times" for each, n in found.items() if n != 1)
        yield from (f"mail {mail.id} is {mail.state}" for mail in mails if mail.state != "done")
        for mail in mails:
            answers = [each for each in storage.outbound.of_mail(mail.id) if each.kind in REPLIES]
            if len(answers) > 1:
                yield f"mail {mail.id} has {len(answers)} answers"
        yield from self._letters()
        seen: Counter[tuple[int, str]] = Counter()
        for game in storage.games.all():
            for run in storage.history.of_game(game.id):
                seen[game.id, run.phase] += 1
        yield from (f"{where} ran {n} times" for where, n in seen.items() if n != 1)

    def _mails(self) -> Iterator[InboundMessage]:
        number = 0
        while (mail := self.storage.inbound.find(number := number + 1)) is not None:
            yield mail

    def _letters(self) -> Iterator[str]:
        """Each letter was delivered once, and there is none that nobody wrote."""
        delivered = Counter(message_id for _, message_id in self.post.kept)
        secret = Counter(self.post.secret)
        written = {}
        number = 0
        while (letter := self.storage.outbound.find(number := number + 1)) is not None:
            written[letter.message_id] = letter
            true = {"sent"} if delivered[letter.message_id] else set()
            true |= {"failed"} if letter.message_id in self.post.refused else set()
            if letter.state not in true:
                yield f"letter {letter.id} is {letter.state}, in truth {true or 'lost'}"
        # Nobody can know whether a letter got there when its sender died before it was told.
        again = Counter({each: n - 1 - secret[each] for each, n in delivered.items()})
        if (again := +again).total() > self.kills:
            yield f"letters came again: {again}"
        yield from (f"{each} was written by nobody" for each in delivered if each not in written)
        told = Counter(
            (each.game_id, each.person_id, each.subject)
            for each in written.values()
            if each.kind == "results"
        )
        yield from (f"results {each} were told {n} times" for each, n in told.items() if n != 1)

    def told(self) -> str:
        """What there was, in a line."""
        storage = self.storage
        games = storage.games.all()
        phases = sum(len(storage.history.of_game(game.id)) for game in games)
        ended = sum(game.state == "ended" for game in games)
        first = min((game.created_at for game in games), default=None)
        last = storage.heartbeat.last()
        days = (last - first).days if first and last else 0
        letters = storage.outbound.count(OutboundState.SENT)
        return (
            f"{len(self.people)} people, {len(games)} games ({ended} over), {phases} phases, "
            f"{sum(self.sent.values())} mails, {letters} letters, {days} days, {self.kills} kills, "
            f"{self.troubles} troubles of the mail server"
        )
