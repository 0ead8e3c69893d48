"""Pages of the public games, for anybody to browse: static files, safe to serve anywhere.

They tell what a stranger may read by mail: the game is asked for it as for a reader whom nobody
knows. A folder is kept up to date: what has not changed is neither made nor written again, and a
pass that finds nothing new asks the database four questions, however many games there are.

A file of notes in the folder (`NOTES`) says what the lists were made from, and one in the folder
of each game which files its pages are; files that are no pages of ours are left alone. Whatever
befalls a build, the next one ends with the same files: every file is put in its place whole, and
the notes come last.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from msgspec import MsgspecError, Struct
from msgspec.json import decode, encode

from judge import __version__, render
from judge.data import data_path
from judge.game import directing
from judge.game.people.reliability import Figures, of_person
from judge.game.state import State
from judge.game.state.about import about
from judge.i18n import DEFAULT_LANGUAGE, speaking
from judge.messages.html_message import plain_macros, prose, written_html
from judge.records.ratings import by_power, courses
from judge.records.signing import public_key
from judge.site import archive, board_cards, facts
from judge.site.facts import Record, Tenure
from judge.site.game_pages import GamePages
from judge.storage import GameState, Storage, TournamentState
from judge.variants import load

T = TypeVar("T")

NOTES = ".site.json"

POLICY = (
    "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)
"""What a page may load (Content Security Policy, level 3): its own pictures, style and script."""

ASSETS = ("style.css", "step.js", "icon.svg")
"""Files that go beside the pages as they are."""

COMMON = ("index.html", "boards.html", "players.html", "guide.html", "names.js")
"""Files that every folder of pages has."""

LONG = 100
"""Lines of a list on one page."""

_CUP = "tournament.html"

SOME = 12
"""Games of a kind on the first page."""


@cache
def _templates() -> Any:
    environment = render.environment(autoescape=True)
    environment.globals.update(plain_macros(), policy=POLICY)
    environment.filters.update(prose=prose, written=written_html, moment=render.moment)
    return environment


class GameNotes(Struct):
    """What a build notes of a game: the `mark` that it had, the people on its pages, its `card` in
    lists, None for a game without pages, and when the folder of its pages was changed."""

    mark: str
    card: dict[str, Any] | None = None
    parts: list[Tenure] = []
    touched: int = 0


class Notes(Struct):
    """What the last build left: the version and settings of who made it, games by id, people's
    figures by id, digests of lists, and when the folders of lists and players were changed."""

    made_by: list[str] = []
    games: dict[int, GameNotes] = {}
    figures: dict[int, Figures] = {}
    lists: dict[str, str] = {}
    touched: dict[str, int] = {}


class PageNotes(Struct):
    """What the folder of a game notes: its files, and digests of what the pictures among them
    show."""

    files: list[str] = []
    drawn: dict[str, str] = {}


@dataclass
class SiteChanges:
    """What a build did: `games` made again, `files` written, pages that were `removed`."""

    games: int = 0
    files: int = 0
    removed: int = 0


@dataclass
class Site:
    """The pages of a judge called `judge`, which takes mail at `mail`, in `folder`, in one
    language.

    `address` is where the folder is served, such as `https://judge.example.org/games`, for the
    links in feeds; without it they lead nowhere outside. `between` is called before each file is
    put in its place; what it raises ends the build.
    """

    storage: Storage
    folder: Path
    judge: str
    mail: str
    now: datetime
    language: str = DEFAULT_LANGUAGE
    address: str = ""
    between: Callable[[], None] = lambda: None
    built: SiteChanges = field(default_factory=SiteChanges)

    def build(self) -> SiteChanges:
        """Bring the folder up to date. Raises OSError."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with speaking(self.language):
            return self._build()

    def _build(self) -> SiteChanges:
        before = _read(self.folder / NOTES, Notes)
        made_by = [__version__, self.language, self.judge, self.mail, self.address]
        # Of another version or settings all is made again, and what is gone is removed.
        ours = before.made_by == made_by
        marks = {key: _digest(mark) for key, mark in self.storage.games.marks().items()}
        names = self.storage.people.names()
        stale = [
            key
            for key, mark in marks.items()
            if not (ours and key in before.games and self._fresh(before.games[key], mark, names))
        ]
        gone = before.games.keys() - marks.keys()
        common = before.touched == self._touched() and all(
            (self.folder / file).is_file() for file in ASSETS + COMMON
        )
        if ours and not stale and not gone and common:
            return self.built
        games = {key: before.games[key] for key in marks if key in before.games}
        after = Notes(made_by, games)
        asked: set[int] = set()
        for key in stale:
            game = self.storage.games.find(key)
            if game is None:
                continue
            state = State(self.storage, game)
            asked |= state.people
            after.games[key] = self._noted(state, marks[key])
        kept = {each.card["game"] for each in after.games.values() if each.card}
        for each in before.games.values():
            if each.card and each.card["game"] not in kept:
                folder = f"games/{each.card['game']}"
                files = [*_read(self.folder / folder / NOTES, PageNotes).files, NOTES]
                self._remove(f"{folder}/{file}" for file in files)
        archive.build(self.storage, self.folder / "archive", self.mail)
        self._lists(before if ours else Notes(), after, asked)
        left = before.figures.keys() - after.figures.keys()
        self._remove(before.lists.keys() - after.lists.keys())
        self._remove(f"players/{person}.html" for person in left)
        after.touched = self._touched()
        self.write(NOTES, encode(after))
        # Private games have marks in it.
        (self.folder / NOTES).chmod(0o600)
        return self.built

    def _fresh(self, noted: GameNotes, mark: str, names: Mapping[int, str]) -> bool:
        """Return whether nothing has changed of which the pages of a game tell."""
        if noted.mark != mark:
            return False
        if noted.card and noted.touched != _touched(self.folder / "games" / noted.card["game"]):
            return False
        return all(names.get(part.person) == part.name for part in noted.parts)

    def _noted(self, state: State, mark: str) -> GameNotes:
        """Bring the pages of a game up to date, and return its notes."""
        if not state.settings.listed:
            return GameNotes(mark)
        folder = self.folder / "games" / state.game.name
        past = _read(folder / NOTES, PageNotes)
        self.built.games += 1
        files, drawn = GamePages(self, state, past.drawn).write()
        self._remove(f"games/{state.game.name}/{file}" for file in {*past.files} - files)
        self.write(f"games/{state.game.name}/{NOTES}", encode(PageNotes(sorted(files), drawn)))
        made = GameNotes(mark, facts.card(state), facts.parts(state), _touched(folder))
        # As the next build will read it: digests of lists must not change by that.
        return decode(encode(made), type=GameNotes)

    # The lists

    def _rate(self, records: Mapping[int, Record], cards: Iterable[Mapping[str, Any]]) -> None:
        """Tell people how their ratings went, which follow from the archive, and how their results
        compare with those that the cards of games tell."""
        results = defaultdict[str, list[list[str]]](list)
        for card in cards:
            if card["winners"]:
                results[card["title"]].append(card["winners"])
        for each in records.values():
            parts = ((part.board, part.power, part.share) for part in each.parts)
            each.by_power = by_power(parts, results)
        for person, course in courses(self.folder / "archive", self.mail).items():
            if person in records:
                records[person].course = course

    def _lists(self, before: Notes, after: Notes, asked: set[int]) -> None:
        """Write what is made of all games: the first page, lists, players, and what is searched."""
        cards = [each.card for _, each in sorted(after.games.items()) if each.card]
        records: dict[int, Record] = {}
        for each in after.games.values():
            for part in each.parts:
                if part.person not in records:
                    figures = before.figures.get(part.person)
                    if figures is None or part.person in asked:
                        figures = of_person(self.storage, part.person)
                    after.figures[part.person] = figures
                    records[part.person] = Record(part.person, part.name, figures)
                records[part.person].parts.append(part)
        self._rate(records, cards)
        people = sorted(records.values(), key=lambda each: (each.name.casefold(), each.person))
        for name in ASSETS:
            self.write(name, (data_path("templates") / "site" / name).read_bytes())

        def listed(file: str, told: dict[str, Any], source: str = "") -> None:
            after.lists[file] = _digest(told)
            if before.lists.get(file) != after.lists[file] or not (self.folder / file).is_file():
                self.page(file, told, source)

        listed("guide.html", {"text": render.page("guide", {"board": about(load("standard"))})})
        listed("boards.html", {"boards": board_cards.cards()})
        self._boards(before, after)
        last = -(-len(cards) // LONG)
        begun = [cup for cup in self.storage.tournaments.all() if cup.round]
        for cup in begun:
            about_it = {"name": cup.name, "round": cup.round, "rounds": cup.plan.rounds}
            over = cup.state is TournamentState.ENDED
            shown = about_it | directing.standings(self.storage, cup) | {"over": over}
            listed(f"tournaments/{cup.name}.html", shown, _CUP)
        cups = [cup.name for cup in begun]
        key = public_key(self.storage.tickets.secret)
        told = {"sections": _sections(cards), "count": len(cards), "last": last}
        told |= {"cups": cups, "key": key}
        listed("index.html", told)
        # Blocks of games begin with the oldest, so that new ones change the last page alone.
        blocks = [cards[at : at + LONG][::-1] for at in range(0, len(cards), LONG)]
        for number, rows in enumerate(blocks, 1):
            told = {"rows": rows, "number": number, "pages": len(blocks)}
            listed(f"lists/games-{number}.html", told, "games.html")
        parts = [people[at : at + LONG] for at in range(0, len(people), LONG)] or [[]]
        for number, some in enumerate(parts, 1):
            file = f"lists/players-{number}.html" if number > 1 else "players.html"
            told = {"records": some, "number": number, "pages": len(parts)}
            listed(file, told, "players.html")
        kept = before.touched.get("players") == _touched(self.folder / "players")
        known = before.figures.keys() - asked if kept else set()
        for record in people:
            # What is told of people changes with a game of theirs.
            if record.person not in known:
                self.page(f"players/{record.person}.html", {"record": record}, "player.html")
        found = [[each["game"], f"games/{each['game']}/index.html"] for each in cards]
        found += [
            [each.name, f"players/{each.person}.html"]
            for each in people
            if render.is_tame(each.name)
        ]
        self.write("names.js", f"found({json.dumps(found, ensure_ascii=False)});\n")

    def _boards(self, before: Notes, after: Notes) -> None:
        """Write the pictures of boards, which are as they were until there is another version."""
        for each in board_cards.cards():
            file = f"boards/{each['name']}.png"
            after.lists[file] = ""
            if file not in before.lists or not (self.folder / file).is_file():
                self.write(file, board_cards.picture(str(each["name"])))

    def page(self, file: str, told: Mapping[str, object], source: str = "") -> None:
        """Write the page that the template `source` makes; by default the one named as the file."""
        base = self.address.rstrip("/")
        here = f"{base}/{file.rpartition('/')[0]}/" if base else ""
        told = {"judge": self.judge, "game": None, "address": here, **told}
        template = _templates().get_template(f"site/{source or file}")
        with render.flowing():
            text = template.render(
                told,
                view=told,
                language=self.language,
                mail=self.mail,
                mailto=self._mailto,
                root="../" * file.count("/"),
            )
        self.write(file, text)

    def _mailto(self, line: str, *before: str) -> str:
        """Return the address of a message to the judge that says one line, and others before it."""
        body = "".join(f"{quote(each)}%0D%0A" for each in (*before, line))
        return f"mailto:{quote(self.mail, safe='@')}?subject={quote(line)}&body={body}"

    # The folder

    def _touched(self) -> dict[str, int]:
        return {name: _touched(self.folder / name) for name in ("lists", "players")}

    def write(self, file: str, content: str | bytes) -> None:
        """Put a file in its place, unless it is there already."""
        self.between()
        data = content.encode() if isinstance(content, str) else content
        path = self.folder / file
        if path.is_file() and path.read_bytes() == data:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(path.name + ".new")
        fresh.write_bytes(data)
        fresh.replace(path)
        self.built.files += path.name != NOTES

    def _remove(self, files: Iterable[str]) -> None:
        for file in sorted(files):
            path = (self.folder / file).resolve()
            if path.is_relative_to(self.folder.resolve()) and path.is_file():
                path.unlink()
                self.built.removed += path.name != NOTES
                if not any(path.parent.iterdir()):
                    path.parent.rmdir()


def _sections(cards: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the games of the first page by what can be done about them: join, watch, replay."""
    found: dict[str, list[Mapping[str, Any]]] = {"open": [], "playing": [], "over": []}
    for each in sorted(cards, key=lambda each: each["at"], reverse=True):
        wanted = each["state"] == GameState.FORMING or each["needs"]
        over = each["state"] == GameState.ENDED
        found["over" if over else "open" if wanted else "playing"].append(each)
    # Who waits longest comes first; else what is new.
    found["open"].sort(key=lambda each: each["at"])
    return [
        {"name": name, "games": games[:SOME], "more": len(games) - SOME}
        for name, games in found.items()
    ]


def _read(path: Path, kind: type[T]) -> T:
    """Return notes; empty ones where there are none, or others wrote them."""
    try:
        return decode(path.read_bytes(), type=kind)
    except (OSError, MsgspecError):
        return kind()


def _touched(folder: Path) -> int:
    """Return when something was last put into a folder, or removed from it."""
    try:
        return folder.stat().st_mtime_ns
    except OSError:
        return 0


def _digest(*values: object) -> str:
    return sha256(repr(values).encode()).hexdigest()[:32]
