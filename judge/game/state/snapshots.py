"""What a picture shows, as JSON: messages wait in the outbox with it, and are drawn when sent.

It is all that a picture needs and no more than its reader may know, so that it can be drawn when
the game has gone on, or is gone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from judge import maps
from judge.game.state import State, boards
from judge.game.state.boards import read_unit
from judge.game.state.settings import Settings
from judge.i18n import language, speaking
from judge.language.read import read_order
from judge.maps import ShownOrder, View
from judge.maps.style import WIDTH
from judge.rules.lineup import of_phase
from judge.rules.phase import Phase
from judge.rules.position import Dislodged
from judge.rules.variant import Variant

_SETTINGS = ("lineup", "centers", "builds", "auto_disband", "transform", "blank_board")
"""The settings that change the board or what can happen on it (see `boards.played`)."""


def snapshot(state: State, view: View) -> dict[str, Any]:
    """Return a view of a game as JSON values, to be drawn in the language that is spoken."""
    return {
        "language": language(),
        "variant": state.game.variant,
        "settings": {name: getattr(state.settings, name) for name in _SETTINGS},
        **_shown(view),
    }


def _shown(view: View) -> dict[str, Any]:
    found = {
        "game": view.game,
        "phase": str(view.phase),
        "units": {power: [str(unit) for unit in units] for power, units in view.units.items()},
        "centers": {power: list(centers) for power, centers in view.centers.items()},
        "dislodged": {
            power: [[str(each.unit), list(each.retreats)] for each in gone]
            for power, gone in view.dislodged.items()
        },
        "orders": [[each.power, str(each.order), each.done, each.reason] for each in view.orders],
        "unseen": sorted(view.unseen),
        "gone": list(view.gone),
        "contested": list(view.contested),
        "beaten": list(view.beaten),
    }
    return found if view.then is None else found | {"then": _shown(view.then)}


def view_of(shown: Mapping[str, Any]) -> View:
    """Read the view that `snapshot` wrote."""
    return _view(shown, boards.played(shown["variant"], Settings.from_json(shown["settings"])))


def _view(shown: Mapping[str, Any], played: Variant) -> View:
    phase = Phase.read(shown["phase"])
    variant = of_phase(played, phase)
    return View(
        variant=variant,
        phase=phase,
        units={power: [read_unit(unit) for unit in held] for power, held in shown["units"].items()},
        centers=shown["centers"],
        dislodged={
            power: [Dislodged(read_unit(unit), None, tuple(open_to)) for unit, open_to in gone]
            for power, gone in shown["dislodged"].items()
        },
        orders=[
            ShownOrder(power, read_order(order, variant, phase, power), done, reason)
            for power, order, done, reason in shown["orders"]
        ],
        unseen=frozenset(shown["unseen"]),
        gone=shown["gone"],
        game=shown["game"],
        contested=shown["contested"],
        beaten=shown["beaten"],
        then=_view(shown["then"], played) if "then" in shown else None,
    )


def svg_of(shown: Mapping[str, Any]) -> str:
    """Draw the picture, moving if it has what came next."""
    with speaking(shown["language"]):
        return maps.animate(view_of(shown))


def packed(shown: Mapping[str, Any]) -> bytes:
    """Return what messages in the outbox hold in place of a picture.

    Its `width` is that of the picture in pixels, if not the usual one.
    """
    return json.dumps(shown, sort_keys=True, ensure_ascii=False).encode()


@lru_cache(maxsize=32)
def _svg(data: bytes) -> str:
    return svg_of(json.loads(data))


def picture_of(data: bytes) -> bytes:
    """Draw what `packed` wrote as PNG, or as GIF if it moves and is small enough, each only once.

    Raises ValueError where it cannot be drawn.
    """
    try:
        shown = json.loads(data)
        if "then" not in shown:
            return maps.png(_svg(data), shown.get("width", WIDTH))
        with speaking(shown["language"]):
            return maps.gif_or_png(view_of(shown), data)
    except (KeyError, TypeError, LookupError) as error:
        raise ValueError(f"no picture can be made of it: {error!r}") from error
