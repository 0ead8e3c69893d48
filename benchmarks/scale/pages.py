"""What a pass over the pages of public games costs the processor when nothing has changed."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

from benchmarks.rows import Row, say
from benchmarks.scale.meter import Meter
from benchmarks.scale.places import Kind, databases
from benchmarks.scale.sizes import Sizes
from benchmarks.scale.town import town
from judge.game.visibility import pictures
from judge.site import Built, Site

GAMES = 10_000
"""Over so many games a pass may take `SECONDS`; fewer must be proportionally faster."""
SECONDS = 2.0


def unchanged(kind: Kind, sizes: Sizes) -> Iterator[Row]:
    """The time of a pass that finds nothing new, and of one that finds one game changed."""
    with (
        databases(kind) as new,
        town(new(), sizes.pages) as made,
        tempfile.TemporaryDirectory() as at,
    ):
        for game in made.storage.games.all():
            with made.storage.transaction():
                game.settings = {**game.settings, "listed": True}
                made.storage.games.save(game)

        meter = Meter(made.storage)

        def build() -> tuple[Built, float]:
            start = meter.spent()
            site = Site(made.storage, Path(at), "The Judge", "judge@demo.example", made.clock.now())
            return site.build(), meter.spent() - start

        say(f"{kind}: the pages of {sizes.pages} games, without pictures")
        with (
            mock.patch.object(pictures, "svg_of", return_value="<svg/>"),
            mock.patch.object(pictures, "thumbnail_of", return_value=b""),
        ):
            built, spent = build()
            assert built.games == sizes.pages
            yield Row(f"{kind}: seconds to make pages of {sizes.pages:,} games", f"{spent:.1f}")
            best = min(build()[1] for _ in range(3))
            target = SECONDS * max(sizes.pages, 100) / GAMES
            yield Row(
                f"{kind}: seconds of a pass that finds nothing new",
                f"{best:.2f}",
                f"<= {target:g} s",
                best <= target,
            )
            (game,) = made.storage.games.all()[:1]
            with made.storage.transaction():
                made.storage.games.save(game)
            yield Row(f"{kind}: seconds of a pass with one game changed", f"{build()[1]:.2f}")
