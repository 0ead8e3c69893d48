"""A flood of made-up names while honest people want to play: how long who waits, and how many games
begin.

For ten minutes forged mails come in evenly: half of them in the name of a domain each, half in that
of the domains of honest people, all through two networks. Meanwhile 30 people make a game each, and
then seven friends of each join it. Half of them write by four large providers whose signatures
prove them; of the others, whom nothing proves, a third has a domain and a network of its own, a
third sits in a flooded network, and a third writes there from one town's domain, which signs
nothing and in whose name the flood writes, too. Honest people answer a letter a minute later; who
made a name up never gets it. The clock is made-up, so that only limits keep anybody waiting.

`python -m benchmarks.strangers` measures it alone.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from msgspec.structs import replace

from benchmarks.rows import Row, show
from judge.intake.reception import FIRST
from judge.limits import Limits
from judge.service import Judge
from judge.storage import GameState, InboundState, Storage
from tests.game.play import ADDRESS, Play, read

FORGED, HONEST = 10_000, 240
AT_A_GAME = 8
"""A game's master and seven players."""
STEP, FLOOD, PATIENCE = timedelta(seconds=5), timedelta(minutes=10), timedelta(minutes=5)
FLOODED = "9.9.9.0/24", "9.9.8.0/24"
PROVIDERS = [f"provider{number}.example" for number in range(4)]
TOWN = "town.example"
ANSWERS_AFTER = timedelta(minutes=1)
ASKS = ("knock", "welcome")
"""Letters that a stranger answers, nobody vouching for the address."""


def honest(number: int) -> tuple[str, str]:
    """The address of an honest person and the network it writes from."""
    if number % 2:
        return f"h{number}@{PROVIDERS[number // 2 % 4]}", f"7.7.{number // 2 % 4}.0/24"
    if number % 3 == 0:
        return f"h{number}@neighbor{number}.example", FLOODED[number // 2 % 2]
    if number % 3 == 1:
        return f"h{number}@{TOWN}", FLOODED[number // 2 % 2]
    return f"h{number}@school{number}.example", f"8.8.{number}.0/24"


def forged(number: int) -> tuple[str, str]:
    """The same of a made-up one."""
    others = (*PROVIDERS, TOWN)
    domain = f"made-up{number}.example" if number % 2 else others[number // 2 % len(others)]
    return f"x{number}@{domain}", FLOODED[number // 2 % 2]


def said(number: int, people: int) -> str:
    """What an honest person writes; those who make a game write first."""
    games = people // AT_A_GAME
    name = f"friends{number % games}"
    return f"REGISTER Host\nCREATE ?{name}" if number < games else f"JOIN {name}"


def put(
    storage: Storage,
    who: str,
    network: str,
    now: datetime,
    text: str = "JOIN",
    to: str = ADDRESS,
) -> int:
    """Put a mail into the inbox; its id."""
    raw = f"From: {who}\nTo: {to}\nMessage-ID: <{now:%H%M%S}.{who}>\n\n{text}\n".encode()
    return storage.inbound.accept(
        raw, door="smtp", envelope_from=who, envelope_to=[to], received_at=now, network=network
    ).mail_id


def rows(made_up: int = FORGED, people: int = HONEST) -> Iterator[Row]:
    """The figures, with what they may be."""
    with tempfile.TemporaryDirectory() as folder:
        play = Play(Path(folder))
        profile = replace(play.judge.profile, limits=Limits())
        table = play.judge.table
        play.judge = Judge(
            play.storage, play.clock, profile, table, verify=lambda raw, _: b"From: h" in raw
            and b"@provider" in raw,
        )  # fmt: skip
        storage, start = play.storage, play.clock.now()
        steps = FLOOD // STEP
        waits: dict[int, datetime] = {}
        writers: dict[int, int] = {}
        asked: dict[int, datetime] = {}
        longest = timedelta()
        begun, last = time.process_time(), 0
        while play.clock.now() - start < FLOOD or waits or last < people:
            step = (play.clock.now() - start) // STEP
            if step > 3 * steps:
                break
            for number in range(made_up * step // steps, made_up * (step + 1) // steps):
                if step < steps:
                    put(storage, *forged(number), play.clock.now())
            while last < people and last * steps <= people * step:
                text = said(last, people)
                mail_id = put(storage, *honest(last), play.clock.now(), text)
                waits[mail_id], writers[mail_id] = play.clock.now(), last
                last += 1
            play.judge.work()
            for mail_id in waits:
                _answer(storage, mail_id, writers[mail_id], asked, play.clock.now())
            for mail_id, came in list(waits.items()):
                if _is_done(storage, mail_id):
                    longest = max(longest, play.clock.now() - came)
                    del waits[mail_id]
            play.clock.advance(seconds=STEP.total_seconds())
        spent = time.process_time() - begun
        games = people // AT_A_GAME
        found = [storage.games.by_name(f"friends{number}") for number in range(games)]
        active = sum(each is not None and each.state is GameState.ACTIVE for each in found)
        mails = f"{made_up:,} forged and {people} honest mails"
        yield Row(f"{mails}, a second", f"{(made_up + people) / spent:,.0f}")
        minutes = longest / timedelta(minutes=1)
        kept = longest <= PATIENCE + STEP and not waits
        told = f"{minutes:.1f}, {len(waits)} for good"
        yield Row("minutes an honest newcomer is kept out at most", told, "<= 5", kept)
        yield Row("honest newcomers who are asked to answer a letter", f"{len(asked)} of {people}")
        yield Row("games of honest people that begin", f"{active}", f"{games}", active == games)


def _answer(
    storage: Storage, mail_id: int, writer: int, asked: dict[int, datetime], now: datetime
) -> None:
    """Answer the first letter that an honest person gets, a while after it came."""
    for letter in storage.outbound.of_mail(mail_id):
        if letter.kind in ASKS and writer not in asked:
            asked[writer] = now + ANSWERS_AFTER
        if letter.kind in ASKS and asked[writer] <= now < asked[writer] + STEP:
            put(storage, *honest(writer), now, "", str(read(letter).message["Reply-To"]))


def _is_done(storage: Storage, mail_id: int) -> bool:
    mail = storage.inbound.find(mail_id)
    return mail is not None and mail.state is InboundState.DONE and mail.problem != FIRST


if __name__ == "__main__":
    for each in rows(*map(int, sys.argv[1:])):
        show(each)
