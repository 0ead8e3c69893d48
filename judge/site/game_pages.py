"""The pages of one game: its own, one for each phase, broadcasts, a feed, and the pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from judge import maps
from judge.game.state import State
from judge.game.visibility.eyes import BoardPicture, ShownPhase
from judge.maps import View, notes
from judge.maps.atlas import drawing_of
from judge.sentences.terms import phase_words
from judge.site import facts
from judge.site.chart import chart

if TYPE_CHECKING:
    from judge.site import Site


_REEL, _REEL_BYTES = 512, 50_000
"""Pixels across a picture of the replay of a game, and its bytes, if it can be: 20 phases have less
than 1 MB, with their page, its script and its style."""


def _small(view: View) -> bytes:
    """Return a phase with its orders as a PNG with large names."""
    whole = maps.overview(view)
    if whole is None:
        return maps.png(view, _REEL)
    return maps.theater_png(view, maps.narrower(whole, _REEL / whole.width), _REEL_BYTES)


@dataclass
class GamePages:
    """The pages of a game; `known` are digests of the pictures that are there."""

    site: Site
    state: State
    known: Mapping[str, str]
    drawn: dict[str, str] = field(default_factory=dict)
    files: set[str] = field(default_factory=set)

    def write(self) -> tuple[set[str], dict[str, str]]:
        """Write them; return the files, and digests of what the pictures among them show."""
        state = self.state
        past = facts.shown_phases(state)
        runs = [each for each in past if each.report["orders"]]
        powers, years = facts.center_counts(state)
        colors = facts.badges(state)
        lines = chart(years, {power: colors[power] for power in powers}, state.victory)
        if lines is not None:
            self._page("centers.svg", {"chart": lines}, "chart.svg")
        drawing = drawing_of(state.variant)
        width, height = drawing.size
        told = facts.game_page(state, self.site.now) | {
            "steps": [facts.step(run) for run in runs],
            "chart": lines is not None,
            "size": (round(width), round(height)),
            "replay": bool(runs) and not drawing.schematic,
        }
        alts: list[str] = []
        for number, run in enumerate(runs):
            following = runs[number + 1].phase if number + 1 < len(runs) else None
            shown = self._phase(run, following)
            alts.append(shown["alt"] if shown else "")
            told_here = {
                "picture": shown,
                "before": runs[number - 1].phase if number else None,
                "after": following,
            }
            self._page(
                f"{run.phase}.html",
                told | facts.phase_page(state, past, run) | told_here,
                "phase.html",
            )
        if told["replay"]:
            reel = {"alts": alts, "reel": (_REEL, round(_REEL * height / width))}
            self._page("replay.html", told | reel, "replay.html")
        board = None
        seen = facts.seen(state)
        if seen.all and (now := seen.picture()) is not None:
            self._picture("now.svg", now, maps.draw)
            self._picture("small.png", now, maps.thumbnail)
            board = {"file": "now.svg", "alt": now.alt}
        said = facts.press(state)
        about = {"board_now": board, "said": said, "years": years, "year_powers": powers}
        self._page("index.html", told | about, "game.html")
        if said:
            self._page("press.html", told | {"said": said}, "press.html")
        self._page("feed.xml", told | self._feed(past, runs), "feed.xml")
        return self.files, self.drawn

    def _page(self, file: str, told: Mapping[str, object], source: str) -> None:
        self.files.add(file)
        self.site.page(f"games/{self.state.game.name}/{file}", told, source)

    def _phase(self, run: ShownPhase, following: str | None) -> dict[str, str] | None:
        """Draw a phase: the board before it, and the one after it with its orders; the one after it
        without them is where the `following` phase begins."""
        board = run.picture()
        if board is None:
            return None
        files = {"before": f"{run.phase}-before.svg", "orders": f"{run.phase}.svg"}
        files["after"] = f"{following}-before.svg" if following else f"{run.phase}-after.svg"
        self._picture(files["before"], board, maps.draw_opened)
        self._picture(files["orders"], board, maps.draw)
        if not following:
            self._picture(files["after"], board, maps.draw_left)
        small = f"{run.phase}.png"
        self._picture(small, board, _small)
        marks = notes.drawn(board.shown, maps.order_marks)
        return files | {"alt": board.alt, "marks": marks, "small": small}

    def _picture(
        self,
        file: str,
        board: BoardPicture,
        draw: Callable[[View], notes.Drawing],
    ) -> None:
        """Draw a picture, unless the one that is there shows the same."""
        self.files.add(file)
        self.drawn[file] = board.digest
        path = f"games/{self.state.game.name}/{file}"
        if self.known.get(file) == board.digest and (self.site.folder / path).is_file():
            return
        self.site.write(path, notes.drawn(board.shown, draw))

    def _feed(self, past: Sequence[ShownPhase], runs: Sequence[ShownPhase]) -> dict[str, object]:
        game = self.state.game
        entries = [
            {
                "title": phase_words(run.phase),
                "file": f"{run.phase}.html",
                "id": f"{game.id}/{run.phase}",
                "at": run.at,
                **facts.phase_page(self.state, past, run),
            }
            for run in runs[-20:]
        ]
        base = self.site.address.rstrip("/")
        return {
            "entries": entries[::-1],
            "updated": runs[-1].at if runs else game.created_at,
            "base": f"{base}/games/{game.name}/" if base else "",
            "domain": self.site.mail.rpartition("@")[2],
            "id": game.id,
            "created": game.created_at,
        }
