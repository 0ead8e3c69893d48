"""The rule modules that the judge brings, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from judge.rules.modules import arsenals, bombs, conscription, destruction, standing
from judge.rules.winning import alone_wins, lead_wins, nobody_can_win

MODULES: Final[Mapping[str, Mapping[str, Callable[..., object]]]] = {
    "alone_wins": {"winners": alone_wins},
    "any_home": {"can_build": conscription.builds_in_any_home},
    "arsenals": {
        "build_limit": arsenals.builds_with_rights,
        "after_moves": arsenals.earned,
        "after_builds": arsenals.spent,
    },
    "arsenals_unordered": {"after_moves": partial(arsenals.earned, unordered=True)},
    "bombs": {"bombs": bombs.strikes},
    "bombs_own_attacks": {"bombs": partial(bombs.strikes, own_attacks=True)},
    "conscription": {"can_build": conscription.builds_anywhere},
    "conversion": {"can_convert": conscription.converts_in_centers},
    "cut_off_centers": {"vanishing": destruction.fade},
    "cut_off_centers_late": {"vanishing": destruction.fade_late},
    "first_armies": {"default_builds": conscription.armies_at_the_start},
    "home_centers": {"can_build": conscription.builds_at_home},
    "lead_wins": {"winners": lead_wins},
    "neutral_armies": {
        "only_holds": standing.holds_if_named,
        "default_builds": standing.armies_come_back,
    },
    "no_retreats": {"can_retreat": standing.never_retreats},
    "one_home": {"can_build": conscription.builds_holding_home},
    "standing": {"only_holds": standing.holds_if_named},
    "unwinnable": {"ending": nobody_can_win},
}
"""Rule modules by name: the hooks that each fills."""
