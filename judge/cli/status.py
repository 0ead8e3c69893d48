"""`judge status`, `check`, `site`: how the judge is, whether it is set up well, and its pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from judge.cli import common
from judge.data import find_config
from judge.i18n import DEFAULT_LANGUAGE, LANGUAGES

if TYPE_CHECKING:
    from judge.ops.status import Status


@click.command()
@click.option("--alive", "asked", flag_value="alive",
              help="Only say whether a judge runs and its database takes writes.")  # fmt: skip
@click.option("--ready", "asked", flag_value="ready",
              help="The same, and whether mail goes in and out.")  # fmt: skip
@common.json_option
@common.config_option
def status_command(asked: str | None, as_json: bool, config_path: Path | None) -> None:
    """Show the queues, the next deadlines, and problems.

    Exit code 1: no judge runs, or its database takes no writes; 3: it is disconnected; 4: an
    alarm is on. With --alive and --ready the latter two do not count that were not asked about.

    \b
    judge status
    judge status --json
    judge status --alive
    """
    from judge.ops.status import status

    config = common.load_config(config_path)
    with common.open_storage(config) as storage:
        now = status(storage, config.clock.clock())
    if as_json:
        common.echo_json(now.to_json())
    elif asked is None:
        common.echo("\n".join(_page(now)))
    if not now.running or not now.writable:
        raise SystemExit(1)
    if now.cut_off and asked != "alive":
        raise SystemExit(3)
    if now.alarms and asked is None:
        raise SystemExit(4)


def _page(now: Status) -> Iterator[str]:
    from judge.storage import InboundState

    seen = f"{now.seen:%Y-%m-%d %H:%M} UTC" if now.seen else "never"
    yield f"The judge {'runs' if now.running else 'DOES NOT RUN'}; it was last seen {seen}."
    if now.stopped:
        yield f"It was stopped at {now.stopped:%Y-%m-%d %H:%M} UTC."
    if not now.writable:
        yield "The database TAKES NO WRITES: no mail is taken in, and no phase runs."
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
    yield common.table(rows, ("queue", "count", "oldest"))
    yield ""
    yield "Games: " + (", ".join(f"{n} {state}" for state, n in now.games.items()) or "none")
    if now.next:
        yield ""
        nexts = [(e.name, e.phase, f"{e.at:%Y-%m-%d %H:%M}") for e in now.next]
        yield common.table(nexts, ("game", "phase", "deadline (UTC)"))
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


_MARKS = {"good": "ok", "advice": "better", "bad": "BAD"}


@click.command()
@common.json_option
@common.config_option
def check_command(as_json: bool, config_path: Path | None) -> None:
    """Check that everything works, and say how to fix what does not.

    It looks at the configuration, database, mailboxes, relay, DNS, and clock. It changes nothing.
    It sends nothing, except, if [trust] authserv_id is set, one message with forged results to the
    judge itself, which should be running. Exit code 1: something is bad. Results marked "better"
    work, but messages may be taken for spam, or nobody may get alarms.

    \b
    judge check
    judge check --json
    """
    from judge.daemon.factory import StartError, imap_settings, signers_of, transport_of
    from judge.ops.check import Parts, check

    config = common.load_config(config_path)
    try:
        parts = Parts(
            [imap_settings(section, config.smtp.max_size) for section in config.imap],
            transport_of(config),
            signers_of(config),
        )
    except StartError as error:
        raise click.ClickException(str(error)) from error
    found = []
    for finding in check(config, config_path or find_config(), parts):
        found.append(finding)
        if not as_json:
            click.echo(f"{_MARKS[finding.state]:<7} {finding.subject}: {finding.said}")
            if finding.mend:
                click.echo(f"        -> {finding.mend}")
    if as_json:
        common.echo_json(found)
    if any(each.state == "bad" for each in found):
        raise SystemExit(1)


@click.group(cls=common.Verbs)
def site_command() -> None:
    """Write web pages of the public games."""


@site_command.command()
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--language",
    type=click.Choice(LANGUAGES),
    default=DEFAULT_LANGUAGE,
    show_default=True,
    help="The language of the pages.",
)
@click.option("--address", default="", metavar="URL", help="URL of the folder, for feeds.")
@common.config_option
def build(directory: Path, language: str, address: str, config_path: Path | None) -> None:
    """Update the pages in DIRECTORY.

    They show what anybody can ask for by email, and need no program on the web server. Unchanged
    pages stay as they are, so you can run this as often as you like. The judge can be running.

    \b
    judge site build /srv/www/judge
    judge site build /srv/www/judge --address https://judge.example.org
    """
    from judge.daemon import profile_of
    from judge.site import Site

    config = common.load_config(config_path)
    with common.open_storage(config) as storage:
        now = config.clock.clock().now()
        profile = profile_of(config)
        site = Site(storage, directory, profile.name, profile.address, now, language, address)
        try:
            built = site.build()
        except OSError as error:
            place = error.filename or directory
            raise click.ClickException(f"{place}: {error.strerror}") from error
    games, files = common.counted(built.games, "game"), common.counted(built.files, "file")
    click.echo(f"{games} made again: {files} written, {built.removed} removed")
