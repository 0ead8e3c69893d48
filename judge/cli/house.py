"""`judge house`, `held`: what the keeper lays down for the whole judge, and messages that wait."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from judge.cli import common

_MAIL_ID = click.IntRange(1, 2**63 - 1)
_OFF = click.option("--off", is_flag=True, help="Remove it.")


@click.group(cls=common.Verbs)
def house_command() -> None:
    """House rules, message of the day, report, and who can join.

    The people concerned get a message, and the log records what you do. The judge can be running.

    \b
    judge house show
    judge house rules "One person, one power."
    judge house rules - < rules.txt
    judge house motd "We move on Sunday."
    judge house digest 08:00
    judge house allow "*@club.example"
    """


@house_command.command("show")
@common.json_option
@common.config_option
def show(as_json: bool, config_path: Path | None) -> None:
    """Show all of it."""
    found = _facts(config_path)
    if as_json:
        common.echo_json(found)
        return
    at = found["digest"]
    digest = "none" if at is None else f"{at}{', every day' if found['digest_always'] else ''}"
    for head, text in (
        ("House rules", found["rules"] or "none"),
        ("Message of the day", found["motd"] or "none"),
        ("Letter a day", digest),
        ("Let into no game", ", ".join(found["denied"]) or "nobody"),
        ("Only let into games", ", ".join(found["allowed"]) or "everybody"),
    ):
        lines = text.splitlines()
        click.echo(f"{head}: {lines[0]}" if len(lines) == 1 else f"{head}:")
        for line in lines if len(lines) > 1 else ():
            click.echo(f"  {line}")


def _facts(config_path: Path | None) -> dict[str, Any]:
    from judge.daemon import profile_of
    from judge.game import keepers
    from judge.game.people import entry
    from judge.game.state.profile import house_rules, message_of_the_day

    config = common.load_config(config_path)
    with common.open_storage(config) as storage:
        at, always = keepers.wish(storage, profile_of(config))
        return {
            "rules": house_rules(storage),
            "motd": message_of_the_day(storage),
            "digest": at and f"{at:%H:%M}",
            "digest_always": always,
            "denied": list(entry.listed(storage, entry.DENIED)),
            "allowed": list(entry.listed(storage, entry.ALLOWED)),
        }


@house_command.command("rules")
@click.argument("text", metavar="[TEXT|-]", default="")
@_OFF
@common.json_option
@common.config_option
def rules(text: str, off: bool, as_json: bool, config_path: Path | None) -> None:
    """Set the house rules. - reads them from standard input. Without a text: show them."""
    _lay_down("SET HOUSE RULES", "SET NO HOUSE RULES", text, off, as_json, config_path)


@house_command.command("motd")
@click.argument("text", metavar="[TEXT|-]", default="")
@_OFF
@common.json_option
@common.config_option
def motd(text: str, off: bool, as_json: bool, config_path: Path | None) -> None:
    """Set the message of the day. Everybody gets it once. Without a text: show it."""
    _lay_down("MOTD BEGIN", "NO MOTD", text, off, as_json, config_path)


def _lay_down(
    begin: str, none: str, text: str, off: bool, as_json: bool, config_path: Path | None
) -> None:
    if off and text:
        raise click.UsageError("a text and --off say opposite things")
    if text == "-":
        text = sys.stdin.read()
    lines = text.strip("\n").splitlines()
    if any(line.strip().lower() == "end" for line in lines):
        raise click.ClickException("a line that is only END would end the text")
    if text and not text.strip():
        raise click.ClickException("there is no text; --off takes back what there is")
    # The lines of a block are one thing to do.
    common.keep(config_path, [none] if off else [begin, *lines, "END"], as_json)


@house_command.command("digest")
@click.argument("time", metavar="[HH:MM]", default="")
@click.option("--always", is_flag=True, help="Send it even if nothing happened.")
@_OFF
@common.json_option
@common.config_option
def digest(time: str, always: bool, off: bool, as_json: bool, config_path: Path | None) -> None:
    """Set the time of the daily report on the judge."""
    if off and (time or always):
        raise click.UsageError("a time and --off say opposite things")
    wanted = f"SET REPORT {time} {'ALWAYS' if always else ''}".strip()
    common.keep(config_path, ["SET NO REPORT" if off else wanted], as_json)


common.keeping(
    house_command,
    "allow",
    "SET ALLOW EVERYWHERE {address}",
    "Let only these people into games. One with a minus before it is taken off the list. Without "
    "an address, show it. `judge player ban` keeps people out.",
    "[ADDRESS...]",
)


# judge held: for the keeper, or for their senders' word


@click.group(cls=common.Verbs)
def held_command() -> None:
    """Show, retry, and discard held messages.

    A message is held if the judge failed on it. It is stored with the traceback, and its sender was
    told once. Fix the cause, then retry it. Other messages await confirmation, because they do not
    prove their sender: the judge asked the sender for a YES, and discards them after two weeks
    without one.

    \b
    judge held list
    judge held show 12
    judge held retry 12
    judge held drop 12
    """


@held_command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list.")
@common.config_option
def list_held(as_json: bool, config_path: Path | None) -> None:
    """List the waiting messages, oldest first."""
    from judge.intake import questions

    with common.open_storage(common.load_config(config_path)) as storage:
        found: Any = questions.all_waiting(storage)
    if as_json:
        common.echo_json(found)
        return
    if not found:
        click.echo("No mail is held.")
        return
    rows = [
        (
            each["id"],
            each["state"],
            f"{each['received_at']:%Y-%m-%d %H:%M}",
            each["from"] or "<>",
            each["bytes"],
            _why(each),
        )
        for each in found
    ]
    common.echo(common.table(rows, ("id", "state", "received", "from", "bytes", "why")))


@held_command.command("show")
@click.argument("mail_id", type=_MAIL_ID, metavar="ID")
@click.option("--raw", is_flag=True, help="Print only the raw message.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@common.config_option
def show_held(mail_id: int, raw: bool, as_json: bool, config_path: Path | None) -> None:
    """Show a message, how it arrived, and why it waits. Passwords are hidden."""
    from judge.intake import questions

    with common.open_storage(common.load_config(config_path)) as storage:
        mail = storage.inbound.find(mail_id)
        if mail is None:
            raise click.ClickException(f"there is no mail {mail_id}")
        facts: Any = questions.waiting_mail(storage, mail_id)
        message = questions.message_of(storage, mail_id)
    if raw:
        sys.stdout.buffer.write(mail.raw)
        return
    if as_json:
        common.echo_json(facts | {"message": message})
        return
    common.echo(
        f"Mail {mail.id}, {mail.state}, came by {mail.door} at {mail.received_at:%Y-%m-%d %H:%M} "
        f"UTC\nfrom <{mail.envelope_from or ''}> to {', '.join(mail.envelope_to)}\n"
        f"attempts: {mail.attempts}\n\n{(mail.problem or _why(facts)).strip()}\n\n"
        f"{'-' * 72}\n{message}"
    )


@held_command.command("retry")
@click.argument("mail_ids", type=_MAIL_ID, metavar="ID...", nargs=-1)
@click.option("--all", "every", is_flag=True, help="All held messages.")
@common.config_option
def retry_held(mail_ids: tuple[int, ...], every: bool, config_path: Path | None) -> None:
    """Let the running judge process held messages again.

    Messages awaiting confirmation need a YES from their sender.
    """
    if every == bool(mail_ids):
        raise click.UsageError("name the mails by their ids, or write --all")
    with common.open_storage(common.load_config(config_path)) as storage:
        ids = [mail.id for mail in storage.inbound.held()] if every else list(mail_ids)
        missing = [mail_id for mail_id in ids if not storage.inbound.retry(mail_id)]
    click.echo(f"{len(ids) - len(missing)} to be worked again.")
    if missing:
        raise click.ClickException(f"not held: {', '.join(map(str, missing))}")


@held_command.command("drop")
@click.argument("mail_ids", type=_MAIL_ID, metavar="ID...", nargs=-1, required=True)
@click.option("--yes", is_flag=True, help="Skip the confirmation prompt.")
@common.config_option
def drop_held(mail_ids: tuple[int, ...], yes: bool, config_path: Path | None) -> None:
    """Discard held messages unprocessed. They stay on file, without passwords."""
    from judge.intake.questions import drop

    if not yes:
        click.confirm("Give these messages up for good?", abort=True, err=True)
    with common.open_storage(common.load_config(config_path)) as storage:
        missing = []
        for mail_id in mail_ids:
            with storage.transaction():
                if not drop(storage, mail_id):
                    missing.append(mail_id)
    click.echo(f"{len(mail_ids) - len(missing)} given up.")
    if missing:
        raise click.ClickException(f"not waiting: {', '.join(map(str, missing))}")


def _why(facts: Any) -> str:
    """Why a mail waits, in a line."""
    if facts["state"] == "asked":
        asked = facts["asked"]
        if asked is None:
            return "its sender is asked in the next question, one a day"
        return f"{asked['address']} was asked, until {asked['until']:%Y-%m-%d}"
    return facts["why"] or "no problem"
