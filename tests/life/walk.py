"""A walk: moves one after another from a seed, watched; and the shortest one that still fails."""

from __future__ import annotations

import itertools
import re
import shutil
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from random import Random

from judge.game.state.sheet import missing
from tests import memory
from tests.game.test_returned import dsn
from tests.life.moves import STARTS, Fate, Move
from tests.life.table import ADDRESS, KEEPER, PEOPLE, Seen, Start, Table, address_of
from tests.life.watch import Watch

LENGTH = 24
"""Moves of the longest walks; the shortest have a third as many."""

DESERTED = 0.04
"""How many walks end with nobody writing any more, which takes long."""

MOST_WAKES = 40
"""Wake-ups within one move in which time passes."""


@dataclass(frozen=True)
class Failure:
    """What went wrong, and the moves that lead there."""

    seed: int
    start: Start
    moves: tuple[Move, ...]
    problem: str

    def __str__(self) -> str:
        steps = "\n".join(f"    {move}," for move in self.moves)
        return f"seed {self.seed}: {self.start}\n{steps}\n{self.problem}"


@contextmanager
def folder() -> Iterator[Path]:
    """A folder for databases, in memory where the system has one there."""
    made = Path(tempfile.mkdtemp(dir=memory.folder()))
    try:
        yield made
    finally:
        shutil.rmtree(made)


def walk(seed: int, where: Path, length: int = LENGTH) -> Failure | None:
    """Play by chance; what went wrong, or None."""
    random = Random(seed)
    start = random.choice(STARTS)
    fate = Fate(random, start)
    table = Table(where, start)
    moves: list[Move] = []
    try:
        play = Play(table)
        for _ in range(random.randint(length // 3, length)):
            moves.append(fate.next(table, play.watch.before.state))
            play.do(moves[-1])
        if random.random() < DESERTED:
            moves.append(Move("desert"))
            play.do(moves[-1])
    except Exception:
        return Failure(seed, start, tuple(moves), traceback.format_exc())
    finally:
        table.close()
    return None


def replay(start: Start, moves: Sequence[Move], where: Path) -> str | None:
    """Make these moves; what went wrong, or None."""
    table = Table(where, start)
    try:
        play = Play(table)
        for move in moves:
            play.do(move)
    except Exception:
        return traceback.format_exc()
    finally:
        table.close()
    return None


def shortened(failure: Failure, where: Path) -> Failure:
    """A failure of the same kind that needs fewer moves."""
    moves, problem = list(failure.moves), failure.problem
    kind = _kind(problem)
    place = len(moves) - 1
    while place >= 0:
        fewer = moves[:place] + moves[place + 1 :]
        found = replay(failure.start, fewer, where)
        if found is not None and _kind(found) == kind:
            moves, problem = fewer, found
        place -= 1
    return Failure(failure.seed, failure.start, tuple(moves), problem)


def _kind(problem: str) -> str:
    """By what two failures are the same: where in the code they came up."""
    places = re.findall(r'File "([^"]+)", line (\d+)', problem)
    return str(places[-1:])


class Play:
    """Makes moves at a table and has each of them watched."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.watch = Watch(table)
        self.raws: list[tuple[str, bytes, str]] = []

    def do(self, move: Move) -> None:
        """Make one move, and check all that must hold after it."""
        answered: list[tuple[int, str]] = []
        texts: list[str] = []
        match move.kind:
            case "mail" | "killed" | "twin":
                if move.kind == "twin":
                    self._twin(move)
                texts.append(f"{move.who}:\n{move.text}")
                mail_id = self._put(move.who, move.text, move.answers)
                if move.kind == "killed":
                    self._killed(mail_id, int(move.number))
                self.table.judge.process_message(mail_id)
                answered.append((mail_id, move.who))
                # Whatever is repeated does nothing.
                assert not self.table.judge.process_message(mail_id)
            case "together":
                for text in move.text.split("\n\n"):
                    who, _, lines = text.partition(":\n")
                    texts.append(text)
                    answered.append((self._put(who, lines, True), who))
            case "robot":
                self._robot(move)
            case "again":
                self._again(int(move.number))
            case "wake":
                self.table.deliver()
                self.table.wake()
            case "pass":
                self._pass(move.number)
            case "desert":
                self._desert()
            case "outage":
                self.table.outage(move.number)
            case "restart":
                self.table.restart()
            case "bounce":
                self._bounce(move)
            case "lost":
                self.table.unreachable.add(address_of(move.who))
            case "found":
                self.table.unreachable.discard(address_of(move.who))
            case "jam" | "flow":
                self.table.posts = move.kind == "flow"
        if move.kind in ("mail", "killed", "twin"):
            self.watch.check(answered, texts)
            answered = []
        # The clock has its turn, and its work is looked at by itself.
        failed = self.table.deliver()
        processed = self.table.work()
        if failed or processed or not texts or answered:
            self.watch.check(answered, texts if move.kind == "together" else [])
        if processed:
            assert not self.table.judge.run_game(1)
        assert not self.table.letters(), "a game that had nothing to do wrote letters"

    def _put(self, who: str, text: str, answers: bool) -> int:
        self.watch.wrote_lines(who, text)
        last = self.table.last.get(address_of(who)) if answers else None
        own = [seen for seen in last or () if seen.letter.kind != "press" or "talk about" in text]
        mail_id = self.table.put(who, text, own[-1].reply_to if own else ADDRESS)
        mail = self.table.storage.inbound.find(mail_id)
        assert mail is not None
        self.raws.append((address_of(who), mail.raw, mail.envelope_to[0]))
        return mail_id

    def _killed(self, mail_id: int, after: int) -> None:
        letters = len(self.table.storage.outbound.of_mail(mail_id))
        with self.table.dying(after) as killed:
            self.table.judge.process_message(mail_id)
        if killed:
            left = len(self.table.storage.outbound.of_mail(mail_id))
            assert left == letters, "half a mail was processed"

    def _again(self, number: int) -> None:
        """A mail comes in a second time."""
        if number > len(self.raws):
            return
        sender, raw, to = self.raws[-number]
        known = set(self.table.mails)
        mail_id = self.table.raw(raw, sender, to)
        assert mail_id in known, "a duplicate is a mail of its own"
        assert not self.table.judge.process_message(mail_id)

    def _robot(self, move: Move) -> None:
        headers = {"Auto-Submitted": "auto-replied"}
        mail_id = self.table.put(move.who, move.text, headers=headers)
        self.table.judge.process_message(mail_id)
        letters = self.table.storage.outbound.of_mail(mail_id)
        assert not letters, f"a robot got {[letter.kind for letter in letters]}"

    def _bounce(self, move: Move) -> None:
        letters = self.table.last.get(address_of(move.who))
        if not letters or not letters[-1].letter.envelope_from:
            return
        raw = dsn(address_of(move.who), move.text).replace(
            b"Message-ID: <", b"Message-ID: <%d." % len(self.table.mails), 1
        )
        mail_id = self.table.raw(raw, "", letters[-1].letter.envelope_from)
        self.table.judge.process_message(mail_id)

    def _pass(self, hours: float) -> None:
        """Time goes by, and the judge wakes whenever it is to."""
        end = self.table.clock.now() + timedelta(hours=hours)
        for _ in range(MOST_WAKES):
            self.table.deliver()
            moment = self.table.judge.next_wake()
            if moment is None or moment >= end:
                break
            self.table.clock.set(max(moment, self.table.clock.now()))
            self.table.work()
            self.watch.check([], [])
        else:
            return
        self.table.clock.set(max(end, self.table.clock.now()))

    def _desert(self) -> None:
        """Nobody ever writes again: a game whose clock runs comes to its end by itself."""
        end = self.table.clock.now() + timedelta(days=200)
        self.table.posts = True
        while self._runs() and self.table.clock.now() < end:
            self.table.deliver()
            assert self.table.wake()
            self.table.work()
            self.watch.check([], [])
        assert not self._runs() or self._waits(), "the game goes on though nobody plays it"

    def _waits(self) -> bool:
        """Whether a power is free, and somebody who owes nothing would play on with its taker."""
        state = self.watch.before.state
        if state is None or not state.powers.vacant():
            return False
        played = [
            power for power in state.variant.powers if state.powers.condition(power) == "played"
        ]
        return any(power not in state.sheets.missing() for power in played)

    def _runs(self) -> bool:
        state = self.watch.before.state
        if state is None or state.game.state != "active":
            return False
        return not state.settings.manual_process

    # What others see

    def _twin(self, move: Move) -> None:
        """Nobody else sees from any letter which of two things somebody wrote: as long as the
        phase does not run, all letters to others are the same."""
        image, number = self.table.image(), next(self.table._number)
        ends = []
        for text in (move.text, move.other):
            with folder() as made:
                twin = _copy(self.table, image, number, made)
                try:
                    ends.append(self._seen_by_others(twin, move, text))
                finally:
                    twin.close()
        one, other = ends
        # How many orders somebody owes is told to masters.
        if one is None or other is None or one[1] != other[1]:
            return
        for left, right in zip(one[0], other[0], strict=True):
            assert left == right, f"others see what {move.who} wrote:\n{left}\n---\n{right}"

    def _seen_by_others(
        self, twin: Table, move: Move, text: str
    ) -> tuple[list[str], dict[str, int]] | None:
        """The letters others have got, and how many orders each power owes; None where the phase
        has run or the game is over."""
        last = self.table.last.get(address_of(move.who)) if move.answers else None
        own = [seen for seen in last or () if seen.letter.kind != "press"]
        twin.judge.process_message(twin.put(move.who, text, own[-1].reply_to if own else ADDRESS))
        state = twin.state()
        if state is None or state.game.state != "active":
            return None
        phase = state.game.phase
        asked = "SIGN ON paris\nSTATUS\nLIST paris\nSUMMARY\nHISTORY\nAUDIT\nWHO GAME"
        for who in PEOPLE:
            person = twin.storage.people.by_address(address_of(who))
            if who != move.who and person is not None and state.seats.of(person.id):
                twin.judge.process_message(twin.put(who, asked))
        seen = [
            _plain(each)
            for each in twin.letters()
            if not each.letter.recipient.startswith(move.who)
        ]
        state = twin.state()
        if state is None or state.game.phase != phase:
            return None
        kind = state.opened.phase.kind
        return seen, {
            power: missing(kind, owed, state.orders.get(power, ()))
            for power, owed in state.owed.items()
        }


_SECRET = re.compile(r"judge\+[a-z0-9.]+@|<[^>]*@judge\.example>|boundary=\S+|--=+\S+")


def _plain(seen: Seen) -> str:
    """A letter without what is another in each."""
    if seen.letter.recipient == KEEPER:
        return ""
    return _SECRET.sub("", seen.all)


def _copy(table: Table, image: bytes, number: int, made: Path) -> Table:
    """Another table with the same database, at the same time."""
    twin = Table.__new__(Table)
    twin.__dict__.update(table.__dict__)
    twin.file = made / "judge.db"
    twin.file.write_bytes(image)
    twin.clock = type(table.clock)(table.clock.now())
    twin.mails = list(table.mails)
    twin.last = {}
    twin._number = itertools.count(number)
    twin.open()
    return twin
