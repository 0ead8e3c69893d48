"""`judge status`: how the judge is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from judge.cli.common import config_option, json_option, load_config, open_storage, table

if TYPE_CHECKING:
    from judge.ops.status import Status


@click.command()
@json_option
@config_option
def command(as_json: bool, config_path: Path | None) -> None:
    """Show the queues, how long the oldest has waited, the next deadlines, and what is wrong.

    Exit code 1 where no judge runs, it is cut off or an alarm is on, so that a script may ask.

    \b
    judge status
    judge status --json
    """
    from judge.ops.status import status

    config = load_config(config_path)
    with open_storage(config) as storage:
        now = status(storage, config.clock.clock())
    if as_json:
        click.echo(
            json.dumps(now.to_json(), indent=2, ensure_ascii=False, default=datetime.isoformat)
        )
    else:
        click.echo("\n".join(_page(now)))
    if not now.running or now.cut_off or now.alarms:
        raise SystemExit(1)


def _page(now: Status) -> Iterator[str]:
    from judge.storage import InboundState

    seen = f"{now.seen:%Y-%m-%d %H:%M} UTC" if now.seen else "never"
    yield f"The judge {'runs' if now.running else 'DOES NOT RUN'}; it was last seen {seen}."
    if now.cut_off:
        yield (
            f"It is CUT OFF since {now.cut_off:%Y-%m-%d %H:%M} UTC: a mailbox cannot be read, or"
            " nobody takes letters. No phase runs; `judge check` tells more."
        )
    yield ""
    mails, letters, lag = now.mails, now.letters, now.lag
    rows = [
        ("mails to be worked", mails[InboundState.NEW], _long(lag.mails)),
        ("mails held", mails[InboundState.HELD], ""),
        ("mails whose senders were asked", mails[InboundState.ASKED], ""),
        ("letters to be sent", letters.queued, _long(lag.letters)),
        ("of those tried in vain", letters.tried, ""),
        ("games overdue", len(now.overdue), _long(lag.games)),
    ]
    yield table(rows, ("queue", "count", "oldest"))
    yield ""
    yield "Games: " + (", ".join(f"{n} {state}" for state, n in now.games.items()) or "none")
    if now.next:
        yield ""
        nexts = [(e.name, e.phase, f"{e.at:%Y-%m-%d %H:%M}") for e in now.next]
        yield table(nexts, ("game", "phase", "deadline (UTC)"))
    for title, lines in (
        ("ALARMS", [f"{e.name}, since {e.since:%Y-%m-%d %H:%M}" for e in now.alarms]),
        ("LAST ERRORS", now.errors),
    ):
        if lines:
            yield f"\n{title}"
            yield from (f"  {line}" for line in lines)


def _long(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min" if minutes else f"{rest} s"
