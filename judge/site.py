"""Pages of the public games, for anybody to browse: static files, safe to serve anywhere.

They tell what a stranger may read by mail: the game is asked for it as for a reader whom nobody
knows. A folder is kept up to date: what has not changed is neither made nor written again.

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
from judge.game.people.reliability import Figures, of_person
from judge.game.phases import center_years, game_facts
from judge.game.state import State
from judge.game.state.boards import with_words
from judge.game.state.settings import Settings
from judge.game.visibility import fog, identity, pictures
from judge.game.visibility.pictures import svg_of
from judge.game.visibility.press import entry, readable, statements
from judge.i18n import speaking
from judge.messages.html_message import plain_macros, prose, written_html
from judge.render import templates
from judge.rules.phase import Phase
from judge.sentences.terms import phase_words
from judge.storage import GameState, PhaseRun, Role, SeatState, Storage

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
        states = shown_games(self.storage)
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
        games = [game_page(state, self.now) for state in listed]
        self._page("index.html", {"games": games})
        self._page("players.html", {"records": records(self.storage, states)})

    def _game(self, state: State, known: GameNotes) -> GameNotes:
        """Write the pages of a game, and return their notes without a stamp."""
        name = f"games/{state.game.name}"
        told = game_page(state, self.now)
        runs = shown_runs(state)
        made: dict[str, str] = {}
        files = [f"{name}/index.html"]
        drawn = known.pictures
        for number, run in enumerate(runs):
            file = f"{name}/{run.phase}"
            picture = self._picture(f"{file}.svg", pictures.of_run(state, run, None), drawn, made)
            self._page(
                f"{file}.html",
                told
                | phase_page(state, run)
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
        if is_shown(state):
            board = self._picture(f"{name}/now.svg", pictures.now(state, None), drawn, made)
        said = press(state)
        phases = [{"phase": run.phase, "year": Phase.read(run.phase).year} for run in runs]
        powers, years = center_counts(state)
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
                **phase_page(state, run),
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


NOBODY = None
"""The reader for whom the pages are made."""


def shown_games(storage: Storage) -> list[State]:
    """Return the games that have pages: the public ones, those that are over among them."""
    games = storage.games.all(GameState)
    return [State(storage, game) for game in games if Settings.from_json(game.settings).listed]


def game_page(state: State, now: datetime) -> dict[str, object]:
    """Return the facts of a game's own page."""
    return game_facts(state, now, NOBODY) | {
        "zone": "UTC",
        "statements": statements(state, NOBODY),
        "started": state.game.started_at,
        "ended": state.game.ended_at,
    }


def center_counts(state: State) -> tuple[list[str], Sequence[Mapping[str, Any]]]:
    """Return powers, and the rows of years with the number of their centers."""
    powers, years = fog.years(state, NOBODY, center_years(state))
    return powers, years if state.position is not None else ()


def is_shown(state: State) -> bool:
    """Return whether strangers may see the board and what has happened on it."""
    return fog.sees_all(state, NOBODY)


def shown_runs(state: State) -> list[PhaseRun]:
    """Return the phases in which anybody had something to order; of an open blind game none."""
    past = state.storage.history.of_game(state.game.id) if is_shown(state) else []
    return [run for run in past if run.results["orders"]]


def phase_page(state: State, run: PhaseRun) -> dict[str, object]:
    """Return the facts of the page of a phase that has run."""
    report = with_words(fog.report(state, run, NOBODY), state.variant)
    return {"report": report, "at": run.processed_at}


def press(state: State) -> list[dict[str, object]]:
    """Return what was said to everybody, oldest first."""
    said = readable(state, NOBODY)
    return [entry(state, each, NOBODY) for each in said if not each.held]


@dataclass(frozen=True)
class Part:
    """What somebody was in a game; `state` as `standing` words it."""

    game: str
    power: str
    state: str
    won: bool


@dataclass
class Record:
    """A player's parts in public games, and how reliable they are."""

    name: str
    figures: Figures
    parts: list[Part] = field(default_factory=list)


def records(storage: Storage, states: Sequence[State]) -> list[Record]:
    """Everybody who plays, or has played, in these games and may be known, by name."""
    found: dict[int, Record] = {}
    for state in states:
        for seat in state.seats:
            if seat.role != Role.PLAYER or seat.person_id is None or seat.power is None:
                continue
            if not identity.is_known(state, seat, NOBODY):
                continue
            if seat.person_id not in found:
                figures = of_person(storage, seat.person_id)
                found[seat.person_id] = Record(state.person(seat).name, figures)
            outcome = state.game.outcome
            active = seat.state is SeatState.ACTIVE
            found[seat.person_id].parts.append(
                Part(
                    state.game.name,
                    seat.power,
                    state.game.state if active else seat.state,
                    active and outcome is not None and seat.power in outcome.winners,
                )
            )
    return sorted(found.values(), key=lambda record: record.name.casefold())


WIDTH, HEIGHT = 640, 260
LEFT, TOP, BOTTOM = 34, 12, 30
_NAMES, _LETTER = 118, 8
"""Units kept for the names at the ends of lines, at least, and for a letter of them."""

_APART = 3.0
"""Units between lines that would run in one."""

_LABEL = 15
"""Units between the names at the ends of two lines, at least."""

DASHES = ("", "7 3", "2 3", "9 3 2 3", "12 4", "4 2 1 2", "1 4")
"""How lines differ for who sees no colors; with the names at their ends they need no legend."""


@dataclass(frozen=True)
class Line:
    """A power's line: its `points` as SVG has them, its dots, where its name stands."""

    power: str
    points: str
    dots: tuple[tuple[float, float], ...]
    label: float
    dash: str
    number: int


@dataclass(frozen=True)
class Chart:
    """Lines with the marks of both axes, each a position and a text; `right` is where they end."""

    lines: tuple[Line, ...]
    right: float
    years: tuple[tuple[float, str], ...]
    counts: tuple[tuple[float, int], ...]
    goal: float | None


def chart(
    rows: Sequence[Mapping[str, Any]], powers: Sequence[str], victory: int | None = None
) -> Chart | None:
    """Return the chart of these years, as `center_years` counts them; None for fewer than two."""
    if len(rows) < 2 or not powers:
        return None
    most: int = max(max(row["counts"].get(power, 0) for row in rows) for power in powers)
    top = max(most, 4)
    if victory is not None and most >= 0.6 * victory:
        top = max(top, victory)
    right = WIDTH - max(_NAMES, max(map(len, powers)) * _LETTER + 16)
    across = (right - LEFT) / (len(rows) - 1)

    def x(place: int) -> float:
        return round(LEFT + place * across, 1)

    def y(count: float) -> float:
        return round(HEIGHT - BOTTOM - count * (HEIGHT - TOP - BOTTOM) / top, 1)

    apart = [_apart(row["counts"], powers) for row in rows]
    labels = _spread({power: y(rows[-1]["counts"].get(power, 0)) for power in powers})
    lines = []
    for number, power in enumerate(powers):
        dots = tuple(
            (x(at), round(y(row["counts"].get(power, 0)) + apart[at][power], 1))
            for at, row in enumerate(rows)
        )
        points = " ".join(f"{left:g},{down:g}" for left, down in dots)
        dash = DASHES[number % len(DASHES)]
        lines.append(Line(power, points, dots, labels[power], dash, number % 8))
    step = max(1, -(-top // 6))
    every = -(-len(rows) // 10)
    return Chart(
        tuple(lines),
        right,
        tuple((x(at), str(row["year"])) for at, row in enumerate(rows) if at % every == 0),
        tuple((y(count), count) for count in range(0, top + 1, step)),
        y(victory) if victory is not None and victory <= top else None,
    )


def _apart(counts: Mapping[str, int], powers: Sequence[str]) -> dict[str, float]:
    """How far each line is moved, so that those of equal counts are seen beside each other."""
    found = {}
    for count in {counts.get(power, 0) for power in powers}:
        equal = [power for power in powers if counts.get(power, 0) == count]
        for place, power in enumerate(equal):
            found[power] = (place - (len(equal) - 1) / 2) * _APART
    return found


def _spread(wanted: Mapping[str, float]) -> dict[str, float]:
    """Heights near the wanted ones, none nearer than a line of text to another."""
    placed: dict[str, float] = {}
    height = float(TOP)
    for power, at in sorted(wanted.items(), key=lambda item: item[1]):
        height = max(at, height)
        placed[power] = height
        height += _LABEL
    over = max(0.0, height - _LABEL - (HEIGHT - 6))
    return {power: round(at - over, 1) for power, at in placed.items()}
