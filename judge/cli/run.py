"""`judge init`, `run`, `demo`, `mail`: a new judge, the daemon, a first look, and the pipe."""

from __future__ import annotations

import gc
import os
import re
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import click

from judge.cli.common import config_option, counted, load_config, open_storage


@click.command()
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path), default=".")
@click.option("--address", metavar="ADDRESS", help="The address players write to.")
@click.option("--keeper", metavar="ADDRESS", help="Your own address, for people who need help.")
@click.option("--zone", metavar="ZONE", help='Your time zone, such as "Europe/Paris".')
def init_command(
    directory: Path, address: str | None, keeper: str | None, zone: str | None
) -> None:
    """Write a configuration with comments, and create a database.

    Both go into DIRECTORY. It overwrites nothing. Without --address, it asks for the address.

    \b
    judge init --address judge@example.org --keeper ann@example.org
    judge init /srv/judge --address judge@example.org --zone Europe/Paris
    """
    from judge import config

    path = directory / "judge.toml"
    if path.exists():
        raise click.ClickException(f"{path} is there already; edit it, or move it away first")
    if address is None:
        address = click.prompt("The address players write to", type=str)
    text = config.example()
    for key, value in (("address", address), ("keeper", keeper), ("zone", zone)):
        if value is not None:
            text = _filled_in(text, key, value)
    try:
        checked = config.parse(text, path)
    except config.ConfigError as error:
        raise click.ClickException("; ".join(error.problems)) from error
    directory.mkdir(parents=True, exist_ok=True)
    with open_storage(checked):
        pass
    # It may come to hold passwords. Written last: it is the sign that all is there.
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
    named = "" if directory == Path() else f" --config {path}"
    click.echo(
        f"Wrote {path} and created the database {checked.database.url}.\n"
        f"Letters go into Maildirs under {checked.outgoing.maildir} until you name a relay.\n"
        f"Look through {path}, then start the judge:\n\n    judge run{named}"
    )


def _filled_in(text: str, key: str, value: str) -> str:
    """The text with the first setting `key`, commented out or not, set to `value`."""
    quoted = '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return re.sub(rf"^#?{key} = .*$", lambda _: f"{key} = {quoted}", text, count=1, flags=re.M)


@click.command()
@config_option
def run_command(config_path: Path | None) -> None:
    """Start the judge.

    SIGTERM and SIGINT (Ctrl-C) stop it after the current message. Nothing is lost if you kill it.
    It logs to standard error and tells systemd when it is ready.

    \b
    judge run
    judge run --config /etc/judge/judge.toml
    """
    # What is loaded stays: it is no garbage to look for.
    gc.disable()
    # msgspec takes from it what has long been in typing; others may load it later.
    if spared := "typing_extensions" not in sys.modules:
        sys.modules["typing_extensions"] = None  # type: ignore[assignment]
    config = load_config(config_path)
    if spared:
        del sys.modules["typing_extensions"]
    # Where it is installed, babel looks for the file of each of its 600 time zones.
    sys.modules["pytz"] = None  # type: ignore[assignment]
    if config.database.url.startswith("sqlite:"):
        # peewee loads this driver wherever it is installed, which takes longer than peewee itself.
        sys.modules["psycopg"] = None  # type: ignore[assignment]
    # From the bottom up: deep in the stack Python 3.11 gets memory anew at every call.
    for each in ("language.read", "sentences", "storage", "render"):
        import_module(f"judge.{each}")
    from judge import logs
    from judge.daemon import Daemon, StartError

    gc.freeze()
    gc.enable()
    logs.set_up(config.log.level, form=config.log.format)
    try:
        status = Daemon(config).run()
    except StartError as error:
        raise click.ClickException(str(error)) from error
    sys.exit(status)


@click.command()
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path), default="demo")
@click.option(
    "--until", "last_turn", default="F1905", show_default=True, metavar="TURN",
    help="The turn after which the game ends.",
)  # fmt: skip
@click.option("--seed", default=1901, show_default=True, help="Seed of the players' choices.")
def demo_command(directory: Path, last_turn: str, seed: int) -> None:
    """Watch seven players play a game by email.

    It starts a real judge in DIRECTORY, with its own database and ports. The players play the
    sample game of the 2023 rulebook, continue until TURN, and check every phase. Their mailboxes
    stay in DIRECTORY, with pages that show the whole game.

    Exit code 1: a result differed from the expected one.

    \b
    judge demo
    judge demo /tmp/demo --until F1907
    """
    from judge.demo.pages import write_pages
    from judge.demo.play import Demo, DemoFailed, exchange, letter_to
    from judge.demo.players import GAME
    from judge.demo.server import ServerFailed

    _make_room(directory)
    began = time.monotonic()
    demo = Demo(directory.absolute(), say=click.echo, last_turn=last_turn, seed=seed, pictures=True)
    try:
        differences = demo.play()
    except (DemoFailed, ServerFailed) as error:
        raise click.ClickException(str(error)) from error
    click.echo()
    by_power = {player.power: player.person for player in demo.players}
    for line in (
        *exchange(by_power["England"], "Spring 1901, movement"),
        *letter_to(by_power["France"], "Winter 1902, adjustments"),
    ):
        click.echo(line)
    config = demo.server.config
    count = sum(len(person.all_letters()) for person in by_power.values())
    click.echo(
        f"{count} messages are in {demo.server.mail}, a Maildir for each player "
        f"(mutt -f {by_power['France'].mailbox}).\n"
        f"The judge's log is {demo.server.log}. To look into this judge, or to write to it:\n"
        f"  {sys.argv[0]} game list --config {config}\n"
        f"  {sys.argv[0]} game show {GAME} --config {config}\n"
        f"  {sys.argv[0]} run --config {config}"
    )
    page = write_pages(demo)
    minutes, seconds = divmod(round(time.monotonic() - began), 60)
    click.echo(f"It took {counted(minutes, 'minute')} {counted(seconds, 'second')}.")
    if differences:
        click.echo("\nNOT AS IT SHOULD BE:", err=True)
        for difference in differences:
            click.echo(f"  {difference}", err=True)
        sys.exit(1)
    click.echo("Everything was as it should be.")
    click.echo(f"The whole game, with all messages, in a browser: {page}")


def _make_room(directory: Path) -> None:
    """Empty the folder of an earlier demo; refuse one that holds anything else."""
    if directory.is_dir() and any(directory.iterdir()):
        config = directory / "judge.toml"
        if not (config.is_file() and "judge demo" in config.read_text(errors="replace")):
            raise click.ClickException(f"{directory} holds something that is no demo; name another")
        shutil.rmtree(directory)


# judge mail: a message on standard input goes into the inbox

# What a mail server does with the message is decided by these (sysexits.h).
EX_DATAERR = 65
EX_TEMPFAIL = 75


@contextmanager
def _or_later(command: str) -> Iterator[None]:
    """What fails inside ends the command, to be tried again later."""
    try:
        yield
    except Exception as error:
        said = error.format_message() if isinstance(error, click.ClickException) else repr(error)
        click.echo(f"judge {command}: not stored, try again: {said}", err=True)
        sys.exit(EX_TEMPFAIL)


class _Mail(click.Command):
    """A command that is called wrongly must not cost a mail either."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            click.echo(f"judge mail: not stored, try again: {error.format_message()}", err=True)
            sys.exit(EX_TEMPFAIL)


@click.command(cls=_Mail)
@click.option(
    "--from", "sender", metavar="ADDRESS", help="Envelope sender, <> for none; else $SENDER."
)
@click.option(
    "--to", "recipient", metavar="ADDRESS", help="Envelope recipient; else $ORIGINAL_RECIPIENT "
    "or $RECIPIENT.",
)  # fmt: skip
@config_option
def mail_command(sender: str | None, recipient: str | None, config_path: Path | None) -> None:
    """Store a message from standard input in the inbox.

    Use it in .forward files, procmail, and pipes. Exit codes: 0 if the message is stored, 75 if it
    cannot be stored now (the mail server tries again), 65 if it is empty or too large. The daemon
    processes it within seconds.

    \b
    In ~/.forward:      "|/usr/local/bin/judge mail --config /etc/judge/judge.toml"
    By hand:            judge mail < message.eml
    """
    # Whatever goes wrong, the message must not be lost: its sender's server keeps it.
    with _or_later("mail"):
        _accept(sender, recipient, config_path)


def _accept(sender: str | None, recipient: str | None, config_path: Path | None) -> None:
    from judge.mail.headers import network

    config = load_config(config_path)
    raw = sys.stdin.buffer.read(config.smtp.max_size + 1)
    if raw.startswith(b"From "):
        # The separator of an mbox, which some mail servers put in front, names the envelope sender.
        separator, _, raw = raw.partition(b"\n")
        words = separator.decode("ascii", "replace").split()
        sender = sender or (words[1] if len(words) > 1 else None)
    if not raw.strip():
        click.echo("judge mail: there is no message on standard input", err=True)
        sys.exit(EX_DATAERR)
    if len(raw) > config.smtp.max_size:
        limit = config.smtp.max_size
        click.echo(f"judge mail: refused, larger than {limit} bytes (smtp.max_size)", err=True)
        sys.exit(EX_DATAERR)
    environment = os.environ
    with open_storage(config) as storage:
        storage.inbound.accept(
            raw,
            door="pipe",
            envelope_from=_path(sender or environment.get("SENDER")),
            envelope_to=[
                recipient
                or environment.get("ORIGINAL_RECIPIENT")
                or environment.get("RECIPIENT")
                or config.judge.address
            ],
            received_at=config.clock.clock().now(),
            most=config.limits.megabytes * 1_000_000,
            network=network(raw, config.trust.servers),
        )


def _path(sender: str | None) -> str | None:
    """The return path a mail server names; None where it names none, "" where there is none.

    The null path is `<>`, or what Postfix makes of it (pipe(8), `null_sender`). An empty word is
    none that anybody set, and no reason to leave a mail unanswered.
    """
    if not sender:
        return None
    return "" if sender in ("<>", "MAILER-DAEMON") else sender.strip("<> ")


# judge unsubscribe: what a web server was posted


@click.command()
@click.argument("token")
@config_option
def unsubscribe_command(token: str, config_path: Path | None) -> None:
    """Do what one click on "unsubscribe" in a mail program asks for.

    TOKEN is what follows the address that `[outgoing] unsubscribe` names. It is put into the inbox
    like the mail that the same button writes elsewhere: an observer stops watching, and whoever
    plays is asked first. Exit codes: 0 if it is stored, 65 if the token is none of this judge's, 75
    if it cannot be stored now.
    """
    from judge.daemon.factory import profile_of
    from judge.intake.one_click import unsubscribe

    with _or_later("unsubscribe"):
        config = load_config(config_path)
        with open_storage(config) as storage:
            now = config.clock.clock().now()
            known = unsubscribe(storage, profile_of(config), token, now)
    if not known:
        click.echo("judge unsubscribe: this token is none of mine", err=True)
        sys.exit(EX_DATAERR)
