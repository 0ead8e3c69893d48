"""A flood of made-up names while honest people want to play: how long who waits, and how many games
begin.

For ten minutes forged mails come in evenly: half of them in the name of a domain each, half in that
of the domains of honest people, all through two networks. Meanwhile 30 people make a game each, and
then seven friends of each join it. Half of them write by four large providers whose signatures
prove them, half from a domain and a network of their own, which proves nothing. Of a dozen more who
prove nothing and sit in a flooded network nothing tells them from the flood: of them is only said
how many get through. The clock is made-up, so that only limits keep anybody waiting.

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
from judge.limits import Limits
from judge.service import Judge
from judge.storage import GameState, InboundState, Storage
from tests.game.play import ADDRESS, Play

FORGED, HONEST, NEIGHBORS = 10_000, 240, 12
AT_A_GAME = 8
"""A game's master and seven players."""
STEP, FLOOD, PATIENCE = timedelta(seconds=5), timedelta(minutes=10), timedelta(minutes=5)
FLOODED = "9.9.9.0/24", "9.9.8.0/24"
PROVIDERS = [f"provider{number}.example" for number in range(4)]


def honest(number: int) -> tuple[str, str]:
    """The address of an honest person and the network it writes from."""
    if number < 0:
        return f"h{number}@neighbor{number}.example", FLOODED[0]
    if number % 2:
        return f"h{number}@{PROVIDERS[number // 2 % 4]}", f"7.7.{number // 2 % 4}.0/24"
    return f"h{number}@school{number}.example", f"8.8.{number}.0/24"


def forged(number: int) -> tuple[str, str]:
    """The same of a made-up one."""
    domain = f"made-up{number}.example" if number % 2 else PROVIDERS[number // 2 % 4]
    return f"x{number}@{domain}", FLOODED[number // 2 % 2]


def said(number: int, people: int) -> str:
    """What an honest person writes; those who make a game write first."""
    games = people // AT_A_GAME
    name = f"friends{number % games}"
    return f"REGISTER Host\nCREATE ?{name}" if number < games else f"JOIN {name}"


def put(storage: Storage, who: str, network: str, now: datetime, text: str = "JOIN") -> int:
    """Put a mail into the inbox; its id."""
    raw = f"From: {who}\nTo: {ADDRESS}\nMessage-ID: <1.{who}>\n\n{text}\n".encode()
    return storage.inbound.accept(
        raw, door="smtp", envelope_from=who, envelope_to=[ADDRESS], received_at=now, network=network
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
        neighbors: list[int] = []
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
                waits[put(storage, *honest(last), play.clock.now(), text)] = play.clock.now()
                last += 1
            if step < steps and step % (steps // NEIGHBORS) == 0:
                neighbors.append(put(storage, *honest(-1 - step), play.clock.now()))
            play.judge.work()
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
        through = sum(_is_done(storage, each) for each in neighbors)
        of = f"{through} of {len(neighbors)}"
        yield Row("unproven ones in a flooded network that get through", of)
        yield Row("games of honest people that begin", f"{active}", f"{games}", active == games)


def _is_done(storage: Storage, mail_id: int) -> bool:
    mail = storage.inbound.find(mail_id)
    return mail is not None and mail.state is InboundState.DONE


if __name__ == "__main__":
    for each in rows(*map(int, sys.argv[1:])):
        show(each)
