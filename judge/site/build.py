"""A folder of pages, kept up to date: what has not changed is neither made nor written again.

A file of notes in the folder (`NOTES`) says for each game what its pages were made from, and which
files they are; files that are no pages of ours are left alone. Whatever befalls a build, the next
one ends with the same files: every file is put in its place whole, and the notes come last.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from judge import __version__
from judge.data import data_directory
from judge.game.state import State
from judge.game.visibility import pictures
from judge.game.visibility.pictures import svg_of
from judge.i18n import speaking
from judge.messages.html_message import plain_macros
from judge.messages.text_to_html import prose, written_html
from judge.render import templates
from judge.rules.phase import Phase
from judge.sentences.terms import phase_words
from judge.site import facts
from judge.site.chart import chart
from judge.storage import GameState, PhaseRun, Storage

NOTES = ".site.json"

POLICY = (
    "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)
"""What a page may load (Content Security Policy, level 3): its own pictures, style and script."""

ASSETS = ("style.css", "step.js", "icon.svg")
"""Files that go beside the pages as they are."""


@cache
def _templates() -> Any:
    environment = templates.environment(autoescape=True)
    environment.globals.update(plain_macros(), policy=POLICY)
    environment.filters.update(prose=prose, written=written_html)
    return environment


@dataclass(frozen=True)
class GameNotes:
    """What a build notes of a game: a digest of what its pages tell, and which files they are.

    `pictures` are digests of what the pictures among the files show.
    """

    stamp: str = ""
    files: list[str] = field(default_factory=list)
    pictures: dict[str, str] = field(default_factory=dict)


@dataclass
class Built:
    """What a build did: `games` made again, `files` written, pages that were `removed`."""

    games: int = 0
    files: int = 0
    removed: int = 0


@dataclass
class Site:
    """The pages of a judge called `judge`, at `domain`, in `folder`, in one language.

    `address` is where the folder is served, such as `https://judge.example.org/games`, for the
    links in feeds; without it they lead nowhere outside.
    """

    storage: Storage
    folder: Path
    judge: str
    domain: str
    now: datetime
    language: str = "en"
    address: str = ""
    built: Built = field(default_factory=Built)

    def build(self) -> Built:
        """Bring the folder up to date. Raises OSError."""
        self.folder.mkdir(parents=True, exist_ok=True)
        before = self._notes()
        with speaking(self.language):
            return self._build(before)

    def _build(self, before: Mapping[str, GameNotes]) -> Built:
        states = facts.shown_games(self.storage)
        after: dict[str, GameNotes] = {}
        for state in states:
            name = state.game.name
            known = before.get(name, GameNotes())
            stamp = self._stamp(state)
            if known.stamp == stamp and self._all_there(known.files):
                after[name] = known
            else:
                self.built.games += 1
                after[name] = replace(self._game(state, known), stamp=stamp)
        common = ["index.html", "players.html", *ASSETS]
        self._common(states)
        kept = {file for each in after.values() for file in each.files} | set(common)
        self._remove({file for each in before.values() for file in each.files} - kept)
        games = {name: asdict(each) for name, each in after.items()}
        self._write(NOTES, json.dumps({"made_by": self._maker(), "games": games}, indent=1))
        return self.built

    # The pages

    def _common(self, states: list[State]) -> None:
        for name in ASSETS:
            self._write(name, (data_directory("templates") / "site" / name).read_bytes())
        order = {
            GameState.ACTIVE: 0,
            GameState.PAUSED: 0,
            GameState.FORMING: 1,
            GameState.ENDED: 2,
        }
        listed = sorted(states, key=lambda state: (order[state.game.state], state.game.name))
        games = [facts.game_page(state, self.now) for state in listed]
        self._page("index.html", {"games": games})
        self._page("players.html", {"records": facts.records(self.storage, states)})

    def _game(self, state: State, known: GameNotes) -> GameNotes:
        """Write the pages of a game, and return their notes without a stamp."""
        name = f"games/{state.game.name}"
        told = facts.game_page(state, self.now)
        runs = facts.shown_runs(state)
        made: dict[str, str] = {}
        files = [f"{name}/index.html"]
        drawn = known.pictures
        for number, run in enumerate(runs):
            file = f"{name}/{run.phase}"
            picture = self._picture(
                f"{file}.svg", pictures.of_run(state, run, None, moving=True), drawn, made
            )
            self._page(
                f"{file}.html",
                told
                | facts.phase_page(state, run)
                | {
                    "picture": picture,
                    "first": runs[0].phase,
                    "before": runs[number - 1].phase if number else None,
                    "after": runs[number + 1].phase if number + 1 < len(runs) else None,
                    "last": runs[-1].phase,
                },
                source="phase.html",
            )
            files.append(f"{file}.html")
        board = None
        if facts.is_shown(state):
            board = self._picture(f"{name}/now.svg", pictures.now(state, None), drawn, made)
        said = facts.press(state)
        phases = [{"phase": run.phase, "year": Phase.read(run.phase).year} for run in runs]
        powers, years = facts.center_counts(state)
        lines = chart(years, powers, state.victory)
        told |= {"years": years, "year_powers": powers}
        self._page(
            f"{name}/index.html",
            told | {"board": board, "chart": lines, "said": said, "runs": phases},
            source="game.html",
        )
        if said:
            self._page(f"{name}/press.html", told | {"said": said}, source="press.html")
            files.append(f"{name}/press.html")
        self._page(f"{name}/feed.xml", told | self._feed(state, runs), source="feed.xml")
        return GameNotes(files=[*files, f"{name}/feed.xml", *made], pictures=made)

    def _picture(
        self,
        file: str,
        board: pictures.Board | None,
        drawn: Mapping[str, str],
        made: dict[str, str],
    ) -> dict[str, str] | None:
        """Write a picture, unless the one that is there shows the same; what pages say of it."""
        if board is None:
            return None
        made[file] = board.digest
        if drawn.get(file) != board.digest or not (self.folder / file).is_file():
            self._write(file, svg_of(board.shown))
        return {"file": Path(file).name, "alt": board.alt}

    def _feed(self, state: State, runs: Sequence[PhaseRun]) -> dict[str, object]:
        entries = [
            {
                "title": phase_words(run.phase),
                "file": f"{run.phase}.html",
                "id": f"{state.game.id}/{run.phase}",
                "at": run.processed_at,
                **facts.phase_page(state, run),
            }
            for run in runs[-20:]
        ]
        base = self.address.rstrip("/")
        changed = runs[-1].processed_at if runs else state.game.created_at
        return {
            "entries": entries[::-1],
            "updated": changed,
            "base": f"{base}/games/{state.game.name}/" if base else "",
            "domain": self.domain,
            "id": state.game.id,
            "created": state.game.created_at,
        }

    def _page(self, file: str, told: Mapping[str, object], source: str = "") -> None:
        """Write the page that the template `source` makes; by default the one named as the file."""
        told = {"judge": self.judge, "game": None, **told}
        with templates.flowing():
            text = (
                _templates()
                .get_template(f"site/{source or file}")
                .render(told, view=told, language=self.language, root="../" * file.count("/"))
            )
        self._write(file, text)

    # The folder

    def _maker(self) -> list[str]:
        return [__version__, self.language, self.judge, self.domain, self.address]

    def _notes(self) -> dict[str, GameNotes]:
        """Read what the last build noted.

        Of what another version or other settings made the files alone: they are made again, and
        those that are gone are removed.
        """
        try:
            found = json.loads((self.folder / NOTES).read_text(encoding="utf-8"))
            notes = {name: GameNotes(**each) for name, each in found["games"].items()}
        except (OSError, ValueError, TypeError, LookupError):
            return {}
        if found["made_by"] == self._maker():
            return notes
        return {name: GameNotes(files=each.files) for name, each in notes.items()}

    def _stamp(self, state: State) -> str:
        """What changes whenever a page of the game would."""
        past = self.storage.history.of_game(state.game.id)
        press = self.storage.press.of_game(state.game.id)
        people = [(seat.state, seat.person_id and state.person(seat).name) for seat in state.seats]
        return _digest(
            state.game.version,
            state.game.state,
            state.game.phase,
            state.game.deadline,
            [(run.phase, run.processed_at) for run in past],
            [(each.id, each.held) for each in press],
            people,
        )

    def _all_there(self, files: Iterable[str]) -> bool:
        return all((self.folder / file).is_file() for file in files)

    def _write(self, file: str, content: str | bytes) -> None:
        data = content.encode() if isinstance(content, str) else content
        path = self.folder / file
        if path.is_file() and path.read_bytes() == data:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(path.name + ".new")
        fresh.write_bytes(data)
        fresh.replace(path)
        self.built.files += file != NOTES

    def _remove(self, files: Iterable[str]) -> None:
        for file in sorted(files):
            path = (self.folder / file).resolve()
            if path.is_relative_to(self.folder.resolve()) and path.is_file():
                path.unlink()
                self.built.removed += 1
                if not any(path.parent.iterdir()):
                    path.parent.rmdir()


def _digest(*values: object) -> str:
    return sha256(repr(values).encode()).hexdigest()[:32]
