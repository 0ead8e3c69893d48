"""The archive of a judge: the files of all public games that are over, with an index.

    games/paris.json    the game file, signed
    index.jsonl         a row for each game, in the order in which they ended
    index.sqlite        the same as a table

What has not changed is not made again. Every file is put in its place whole.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from judge.game.game_object import game_file
from judge.game.state import State
from judge.game.state.settings import PressRule
from judge.records.ratings import INDEX
from judge.records.signing import canonical
from judge.site.facts import seen
from judge.storage import Game, GameState, Storage

TABLE = "index.sqlite"
NOTES = ".archive.json"

_COLUMNS = (
    *("game", "file", "sha256", "judge", "variant", "class", "scoring", "started", "ended"),
    *("ending", "winners", "people", "scores", "final_centers"),
)


def build(storage: Storage, folder: Path, judge: str) -> tuple[int, int]:
    """Bring an archive up to date for the judge with this address. Return how many games it has,
    and how many were written. Raises OSError."""
    (folder / "games").mkdir(parents=True, exist_ok=True)
    before = _notes(folder)
    marks, kept, written = storage.games.marks(), {}, 0
    names = storage.people.names()
    for game in storage.games.all([GameState.ENDED]):
        mark = f"{judge} {marks[game.id]}"
        old = before.get(game.name)
        if old and old["mark"] == mark and _holds(old["row"], names, folder, storage):
            kept[game.name] = old
            continue
        row = _row(storage, game, folder, judge)
        if row is not None:
            kept[game.name] = {"mark": mark, "row": row}
            written += 1
    for name in before.keys() - kept.keys():
        (folder / "games" / f"{name}.json").unlink(missing_ok=True)
    if kept != before or not (folder / INDEX).is_file() or not (folder / TABLE).is_file():
        rows = sorted(
            (each["row"] for each in kept.values()),
            key=lambda row: (row["ended"] or "", row["game"]),
        )
        _put(folder / INDEX, b"".join(canonical(row) + b"\n" for row in rows))
        _put_table(folder / TABLE, rows)
        # Games have marks in it that tell of their versions.
        _put(folder / NOTES, canonical(kept))
        (folder / NOTES).chmod(0o600)
    return len(kept), written


def _notes(folder: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads((folder / NOTES).read_bytes())
    except (OSError, ValueError):
        return {}
    return found


def _holds(
    row: Mapping[str, Any], names: Mapping[int, str], folder: Path, storage: Storage
) -> bool:
    """Return whether a row, and the file that it is about, tell of people as they are now."""
    if not (folder / row["file"]).is_file():
        return False
    return all(
        names.get(each["player"]) == each["name"]
        and each["rated"] == _is_rated(storage, each["player"])
        for rows in row["people"].values()
        for each in rows
        if row["own"] and each["player"] is not None
    )


def _is_rated(storage: Storage, person_id: int) -> bool:
    person = storage.people.find(person_id)
    return person is not None and person.options.rated is not False


def _row(storage: Storage, game: Game, folder: Path, judge: str) -> dict[str, Any] | None:
    """Write the file of a game, and return its row in the index; None if it is not public."""
    state = State(storage, game)
    if not state.settings.listed or not seen(state).phases():
        return None
    data, file = game_file(state, judge), f"games/{game.name}.json"
    _put(folder / file, data)
    told = json.loads(data)
    settings, centers = told["settings"], told["centers"]
    kind = "gunboat" if settings.get("gunboat") else "press"
    if settings.get("press") == PressRule.NONE:
        kind = "no press"
    own = not storage.files.of_game(game.id)
    for rows in told["people"].values() if own else ():
        for each in rows:
            known = each["player"] is not None
            each["rated"] = known and _is_rated(storage, each["player"])
    return {
        **{name: told[name] for name in ("judge", "variant", "started", "ended", "outcome")},
        "people": told["people"],
        "scores": told.get("scores"),
        "class": kind,
        "scoring": settings.get("scoring"),
        "final_centers": centers[max(centers, key=int)],
        "game": game.name,
        "file": file,
        "sha256": sha256(data).hexdigest(),
        "own": own,
    }


def _put(path: Path, data: bytes) -> None:
    if path.is_file() and path.read_bytes() == data:
        return
    fresh = path.with_name(path.name + ".new")
    fresh.write_bytes(data)
    fresh.replace(path)


def _put_table(path: Path, rows: list[dict[str, Any]]) -> None:
    database = sqlite3.connect(":memory:")
    named = ", ".join(f'"{each}"' for each in _COLUMNS)
    database.execute(f"CREATE TABLE game ({named})")
    places = ", ".join("?" * len(_COLUMNS))
    for row in rows:
        outcome = row["outcome"] or {"ending": None, "winners": []}
        told = row | outcome
        values = [
            told[each] if isinstance(told[each], str | None) else json.dumps(told[each])
            for each in _COLUMNS
        ]
        database.execute(f"INSERT INTO game VALUES ({places})", values)  # noqa: S608
    database.commit()
    _put(path, database.serialize())
    database.close()
