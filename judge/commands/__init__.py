"""The commands by topic. Their table refuses two that share a word when it is made."""

from judge.commands import (
    deadlines,
    endings,
    help,
    information,
    invitations,
    joining,
    keepers,
    lifecycle,
    masters,
    orders,
    pace,
    preferences,
    press,
    questions,
    registration,
    settings,
    sign_on,
)
from judge.intake.command import Table

TABLE = Table(
    (
        *orders.COMMANDS,
        *deadlines.COMMANDS,
        *endings.COMMANDS,
        *press.COMMANDS,
        *joining.COMMANDS,
        *invitations.COMMANDS,
        *sign_on.COMMANDS,
        *registration.COMMANDS,
        *preferences.COMMANDS,
        *questions.COMMANDS,
        *information.COMMANDS,
        *settings.COMMANDS,
        *pace.COMMANDS,
        *masters.COMMANDS,
        *lifecycle.COMMANDS,
        *keepers.COMMANDS,
        *help.COMMANDS,
    )
)
"""Every command there is, in the order in which HELP shows those of each group."""
