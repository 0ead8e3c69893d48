"""The command line: one module for each command, loaded when it is called for.

Exit codes: 0 done; 1 not done, with one line on standard error saying why; 2 not called rightly;
`judge mail` follows sysexits.h, so that a mail server knows what to do with the mail.
"""

from __future__ import annotations

from importlib import import_module

import click

from judge import __version__

COMMANDS = (
    "init", "run", "mail", "demo",
    "game", "player", "house", "held", "site",
    "status", "check", "backup", "restore", "verify", "move",
    "variant", "adjudicate", "orders", "explain", "map", "read", "fair",
)  # fmt: skip
"""Every command, in the order the help lists them: keeping a judge, looking into it, tools."""


class _Commands(click.Group):
    """Commands that are imported when they are needed: `judge adjudicate` loads no database."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"judge.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="judge %(version)s")
def main() -> None:
    """Run games of Diplomacy and its variants by e-mail.

    \b
    A first look:       judge demo
    A judge of my own:  judge init --address judge@example.org
                        judge run
    """
