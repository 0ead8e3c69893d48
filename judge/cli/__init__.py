"""The command line, whose modules are loaded when their commands are called for.

Exit codes: 0 done; 1 not done, with one line on standard error saying why; 2 not called rightly;
`judge mail` follows sysexits.h, so that a mail server knows what to do with the mail.
"""

from __future__ import annotations

import os

import click

from judge import __version__
from judge.cli.common import LazyGroup

COMMANDS = {
    "init": "init:init_command",
    "run": "run:run_command",
    "mail": "pipe:mail_command",
    "letter": "tracing_commands:letter_command",
    "demo": "demo_game:demo_command",
    "unsubscribe": "unsubscribe:unsubscribe_command",
    "game": "game:game_command",
    "player": "player:player_command",
    "house": "house:house_command",
    "held": "held:held_command",
    "archive": "archive_commands:archive_command",
    "ratings": "archive_commands:ratings_command",
    "site": "site_build:site_command",
    "status": "status_command:status_command",
    "config": "config_command:config_command",
    "check": "setup_check:check_command",
    "backup": "backup_commands:backup_command",
    "restore": "backup_commands:restore_command",
    "verify": "backup_commands:verify_command",
    "move": "backup_commands:move_command",
    "variant": "variant_command:variant_command",
    "adjudicate": "positions:adjudicate_command",
    "orders": "positions:orders_command",
    "explain": "positions:explain_command",
    "score": "score:score_command",
    "convert": "convert_command:convert_command",
    "bot": "bot:bot_command",
    "map": "map:map_command",
    "read": "read_mail:read_command",
    "fair": "fair:fair_command",
}
"""Every command with its module, in the order of the help: keeping a judge, looking into it,
tools."""


OF_ONE_HOUSE = ("game", "player", "house", "letter", "archive", "site", "verify", "map")
"""Those that show and change what is in one house, by default the main one."""


class _Commands(LazyGroup):
    """The commands of the judge: `judge adjudicate` loads no database."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise
        except OSError as error:
            # A file or a folder that is not as it should be, whatever the command.
            raise click.ClickException(str(error)) from error


@click.group(cls=_Commands, lazy=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="judge %(version)s")
@click.option("--house", metavar="KEY", help="Look into this house of several.")
@click.pass_context
def main(context: click.Context, house: str | None) -> None:
    """Run Diplomacy games by email.

    \b
    A first look:         judge demo
    A judge of your own:  judge init --address judge@example.org
                          judge run
    """
    named = context.invoked_subcommand
    if house is not None and named not in OF_ONE_HOUSE:
        raise click.UsageError(f"--house is for {', '.join(OF_ONE_HOUSE)}; {named} is for all")
    context.meta["judge.house"] = house or ("" if named in OF_ONE_HOUSE else None)
    if os.environ.get("NO_COLOR"):
        # https://no-color.org
        context.color = False
