"""The boards that games are played on, for a page that shows each of them."""

from __future__ import annotations

from functools import cache

from judge import maps
from judge.game.state.about import about
from judge.maps import position_view
from judge.variants import load, names


@cache
def cards() -> list[dict[str, object]]:
    """Return what the page tells of each board, the usual one first."""
    named = sorted((name != "standard", load(name).title.casefold(), name) for name in names())
    return [_told(name) for _, _, name in named]


def _told(name: str) -> dict[str, object]:
    found = about(load(name))
    told = {
        key: found[key] for key in ("name", "title", "description", "centers", "victory", "counts")
    }
    powers = found["powers"]
    assert isinstance(powers, list)
    return told | {"players": len(powers)}


@cache
def picture(name: str) -> bytes:
    """Return a board as it is at the beginning, as a small PNG."""
    variant = load(name)
    return maps.thumbnail(position_view(variant, variant.opening))
