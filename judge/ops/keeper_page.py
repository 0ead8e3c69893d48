"""One page for the keeper: queues, alarms, messages on hold, and games.

It has the addresses of people and private games in it, so it has a folder of its own, which is
never within the public pages; who serves it asks for a password.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from html import escape
from pathlib import Path

from judge.ops.status import Status, queues
from judge.storage import Game, GameState, Storage

FILE = "index.html"

_OPEN = (GameState.FORMING, GameState.ACTIVE, GameState.PAUSED)

_STYLE = (
    "body{font:16px/1.4 system-ui,sans-serif;margin:1.5rem auto;max-width:60rem;padding:0 1rem}"
    "table{border-collapse:collapse;width:100%}td,th{padding:.2rem .6rem .2rem 0;text-align:left;"
    "vertical-align:top;overflow-wrap:anywhere}tr+tr{border-top:1px solid #8884}"
    ".bad{color:#b00020;font-weight:bold}:root{color-scheme:light dark}"
    "@media(prefers-color-scheme:dark){.bad{color:#ff8a80}}"
)


def write(storage: Storage, now: Status, folder: Path, name: str) -> Path:
    """Put the page of a judge called `name` into its folder, whole; return the file. Raises
    OSError, Unavailable."""
    folder.mkdir(mode=0o750, parents=True, exist_ok=True)
    file = folder / FILE
    fresh = file.with_name(f"{FILE}.new")
    fresh.write_text("".join(_page(storage, now, name)), encoding="utf-8")
    # The group is the web server's; nobody else reads who waits for what.
    fresh.chmod(0o640)
    fresh.replace(file)
    return file


def _page(storage: Storage, now: Status, name: str) -> Iterator[str]:
    title = escape(f"{name}: {len(now.alarms) or 'no'} alarm{'s' * (len(now.alarms) != 1)}")
    yield (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        '<meta name="robots" content="noindex"><meta http-equiv="refresh" content="60">'
        f"<title>{title}</title><style>{_STYLE}</style><h1>{title}</h1>"
        f"<p>As of {_moment(now.now)}. If this is older than a few minutes, the judge does not"
        " work: <code>judge status</code> tells more."
    )
    if now.cut_off:
        yield f'<p class="bad">No mail goes in or out since {_moment(now.cut_off)}.'
    alarms = [(f"{each.name}", _moment(each.since)) for each in now.alarms]
    yield from _table("Alarms", ("alarm", "since"), alarms, "bad")
    yield from _table("Queues", ("queue", "count", "oldest"), queues(now))
    mails = sorted([*storage.inbound.held(), *storage.inbound.asked()], key=lambda mail: mail.id)
    waiting = [
        (
            mail.id,
            mail.state.value,
            _moment(mail.received_at),
            mail.envelope_from or "<>",
            (mail.problem or "").strip().rpartition("\n")[2],
        )
        for mail in mails
    ]
    yield from _table("Messages on hold", ("id", "state", "received", "from", "why"), waiting)
    if waiting:
        yield "<p><code>judge held show ID</code>, <code>retry ID</code>, <code>drop ID</code>"
    overdue = {each.name for each in now.overdue}
    games = [_game(game, overdue) for game in storage.games.all(_OPEN)]
    yield from _table("Games", ("game", "state", "phase", "deadline", ""), games)
    yield from _table("Last errors", ("",), [(line,) for line in now.errors])


def _game(game: Game, overdue: Iterable[str]) -> Sequence[str]:
    """Return a row of a game: nothing of what players have sent."""
    late = "overdue" if game.name in overdue else ""
    return game.name, game.state.value, game.phase or "", _moment(game.deadline), late


def _table(
    title: str, head: Sequence[str], rows: Sequence[Sequence[object]], mark: str = ""
) -> Iterator[str]:
    yield f"<h2>{title}</h2>"
    if not rows:
        yield "<p>None."
        return
    yield f"<table><tr>{''.join(f'<th>{escape(each)}' for each in head)}"
    for row in rows:
        cells = "".join(f"<td>{escape(str(each))}" for each in row)
        yield f'<tr class="{mark}">{cells}' if mark else f"<tr>{cells}"
    yield "</table>"


def _moment(at: object) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC" if isinstance(at, datetime) else ""
