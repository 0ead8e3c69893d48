"""What a pass over the pages of public games costs the processor when nothing has changed."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from unittest import mock

from benchmarks.rows import Row, say
from benchmarks.scale.meter import Meter
from benchmarks.scale.places import Kind, databases
from benchmarks.scale.sizes import Sizes
from benchmarks.scale.town import town
from judge import maps
from judge.maps import notes
from judge.site import Site, SiteChanges
from judge.storage import Game

GAMES = 10_000
"""Over so many games a pass may take `SECONDS`; fewer must be proportionally faster."""
SECONDS = 2.0

MADE = 100
"""Games whose pages are made in earnest; those of all others are empty files."""


def unchanged(kind: Kind, sizes: Sizes) -> Iterator[Row]:
    """The time of a pass that finds nothing new, and of one that finds one game changed."""
    with (
        databases(kind) as new,
        town(new(), sizes.pages) as made,
        tempfile.TemporaryDirectory() as at,
    ):
        meter = Meter(made.storage)
        games = list(made.storage.games.all())

        def publish(some: list[Game]) -> None:
            with made.storage.transaction():
                for game in some:
                    game.settings = {**game.settings, "listed": True}
                    made.storage.games.save(game)

        def build() -> tuple[SiteChanges, float]:
            start = meter.spent()
            site = Site(made.storage, Path(at), "The Judge", "judge@demo.example", made.clock.now())
            return site.build(), meter.spent() - start

        say(f"{kind}: the pages of {sizes.pages} games, without pictures")
        drawn = notes.drawn

        def blank(shown: Mapping[str, Any], draw: Callable[..., str]) -> str:
            return drawn(shown, draw) if draw is maps.order_marks else "<svg/>"

        with mock.patch.object(notes, "drawn", blank):
            publish(games[:MADE])
            built, spent = build()
            yield Row(f"{kind}: seconds to make the pages of {built.games} games", f"{spent:.1f}")
            publish(games[MADE:])
            with mock.patch.object(Site, "page", lambda site, file, *_: site.write(file, "")):
                build()
            best = min(build()[1] for _ in range(3))
            target = SECONDS * max(sizes.pages, 100) / GAMES
            yield Row(
                f"{kind}: seconds of a pass over {sizes.pages:,} games that finds nothing new",
                f"{best:.2f}",
                f"<= {target:g} s",
                best <= target,
            )
            publish(games[:1])
            yield Row(f"{kind}: seconds of a pass with one game changed", f"{build()[1]:.2f}")
