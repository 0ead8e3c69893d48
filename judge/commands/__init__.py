"""The commands by topic. Their table refuses two that share a word when it is made."""

from judge.commands import (
    computers,
    deadlines,
    endings,
    help,
    information,
    joining,
    keepers,
    lifecycle,
    masters,
    pace,
    preferences,
    press,
    questions,
    registration,
    sandbox,
    settings,
)
from judge.intake.command import Table, listed

TABLE = Table(
    [
        *listed(
            (
                *deadlines.COMMANDS,
                *endings.COMMANDS,
                *press.COMMANDS,
                *joining.COMMANDS,
                *computers.COMMANDS,
                *registration.COMMANDS,
                *preferences.COMMANDS,
                *questions.COMMANDS,
                *information.COMMANDS,
                *sandbox.COMMANDS,
                *masters.COMMANDS,
                *lifecycle.COMMANDS,
                *keepers.COMMANDS,
                *help.COMMANDS,
            )
        ),
        *settings.COMMANDS,
        *pace.COMMANDS,
    ]
)
"""Every command there is, in the order in which HELP shows those of each group."""
