"""`judge status`: how the judge is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from judge.cli.common import config_option, json_option, table
from judge.cli.configuration import load_config
from judge.cli.database import open_storage
from judge.cli.printing import echo, echo_json
from judge.ops.machine import machine_of
from judge.ops.status import Status, queues, status, takes_writes


@click.command()
@click.option("--alive", "asked", flag_value="alive",
              help="Only say whether a judge runs and its database takes writes.")  # fmt: skip
@click.option("--ready", "asked", flag_value="ready",
              help="The same, and whether mail goes in and out.")  # fmt: skip
@json_option
@config_option
def status_command(asked: str | None, as_json: bool, config_path: Path | None) -> None:
    """Show the queues, the next deadlines, and problems.

    Exit code 1: no judge runs, or its database takes no writes; 3: it is disconnected; 4: an
    alarm is on. With --alive and --ready the latter two do not count that were not asked about.

    \b
    judge status
    judge status --json
    judge status --alive
    """
    config = load_config(config_path)
    with open_storage(config) as storage:
        now = status(storage, config.clock.clock(), machine_of(config))
        writable = takes_writes(storage, now.now)
    if as_json:
        echo_json({**now.to_json(), "writable": writable})
    elif asked is None:
        for line, color in _page(now, writable):
            echo(line, color)
    if not now.running or not writable:
        raise SystemExit(1)
    if now.cut_off and asked != "alive":
        raise SystemExit(3)
    if now.alarms and asked is None:
        raise SystemExit(4)


def _page(now: Status, writable: bool = True) -> Iterator[tuple[str, str | None]]:
    """Return lines, each with its color."""
    seen = f"{now.seen:%Y-%m-%d %H:%M} UTC" if now.seen else "never"
    runs, color = ("runs", "green") if now.running else ("DOES NOT RUN", "red")
    yield f"The judge {runs}; it was last seen {seen}.", color
    if now.stopped:
        yield f"It was stopped at {now.stopped:%Y-%m-%d %H:%M} UTC.", None
    if not writable:
        text = "The database TAKES NO WRITES: no mail is taken in, and no phase runs."
        yield text, "red"
    if now.cut_off:
        yield (
            f"It is CUT OFF since {now.cut_off:%Y-%m-%d %H:%M} UTC: a mailbox cannot be read, or"
            " nobody takes letters. No phase runs; `judge check` tells more.",
            "red",
        )
    yield f"\n{table(queues(now), ('queue', 'count', 'oldest'))}\n", None
    yield "Games: " + (", ".join(f"{n} {state}" for state, n in now.games.items()) or "none"), None
    if now.backup:
        yield f"Last backup: {now.backup:%Y-%m-%d %H:%M} UTC", None
    if now.next:
        nexts = [(e.name, e.phase, f"{e.at:%Y-%m-%d %H:%M}") for e in now.next]
        yield f"\n{table(nexts, ('game', 'phase', 'deadline (UTC)'))}", None
    for title, lines, color in (
        ("ALARMS", [f"{e.name}, since {e.since:%Y-%m-%d %H:%M}" for e in now.alarms], "red"),
        ("LAST ERRORS", now.errors, "yellow"),
    ):
        if lines:
            yield "\n".join((f"\n{title}", *(f"  {line}" for line in lines))), color
