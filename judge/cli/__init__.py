"""The command line, whose modules are loaded when their commands are called for.

Exit codes: 0 done; 1 not done, with one line on standard error saying why; 2 not called rightly;
`judge mail` follows sysexits.h, so that a mail server knows what to do with the mail.
"""

from __future__ import annotations

from importlib import import_module

import click

from judge import __version__
from judge.cli.common import Verbs, use_own_boards

COMMANDS = {
    "init": "run", "run": "run", "mail": "run", "demo": "run",
    "unsubscribe": "run",
    "game": "game", "player": "player", "house": "house", "held": "house", "site": "status",
    "status": "status", "check": "status",
    "backup": "backup", "restore": "backup", "verify": "backup", "move": "backup",
    "variant": "boards", "adjudicate": "boards", "orders": "boards", "explain": "boards",
    "score": "boards", "bot": "boards", "map": "boards", "read": "boards", "fair": "fair",
}  # fmt: skip
"""Every command with its module, in the order of the help: keeping a judge, looking into it, tools.
The command `game` is `game_command` in its module."""


class _Commands(Verbs):
    """Commands that are imported when they are needed: `judge adjudicate` loads no database."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"judge.cli.{COMMANDS[cmd_name]}")
        command = getattr(module, f"{cmd_name}_command")
        assert isinstance(command, click.Command)
        return command

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise
        except OSError as error:
            # A file or a folder that is not as it should be, whatever the command.
            raise click.ClickException(str(error)) from error


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="judge %(version)s")
@click.pass_context
def main(context: click.Context) -> None:
    """Run Diplomacy games by email.

    \b
    A first look:         judge demo
    A judge of your own:  judge init --address judge@example.org
                          judge run
    """
    if COMMANDS.get(context.invoked_subcommand or "") in ("boards", "fair"):
        use_own_boards()
