"""Judges that are brought into situations, and what is so at them as facts."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from judge.commands import TABLE
from judge.limits import Limits
from judge.service import Judge
from judge.storage import InboundState
from tests.game.play import PEOPLE, Play, Received, answer_first_letters, read

Facts = frozenset[tuple[str, ...]]
"""What is so at a judge: orders, seats, settings and press, each as a kind with its values."""

POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")


def _holds(play: Play, game: str = "paris") -> None:
    found = play.storage.games.by_name(game)
    assert found is not None
    assert isinstance(found.position, dict)
    for who, power in zip(PEOPLE, POWERS, strict=True):
        units = found.position["units"][power]
        play.send(who, "\n".join(f"{unit} H" for unit in units), to=_way(play, who, game))


def _way(play: Play, who: str, game: str) -> str | None:
    letters = [each for each in sent_to(play, who) if f":{game}" in each.subject]
    return str(letters[-1].message["Reply-To"]) if letters else None


def _run(play: Play) -> None:
    """Let the master adjudicate the open phase, all orders being in."""
    game = play.storage.games.by_name("paris")
    assert game is not None
    play.clock.advance(days=1)
    play.send("max", f"PROCESS {game.phase}", to=_way(play, "max", "paris"))


def spring(play: Play) -> None:
    """A game of seven in its first phase; Cleo plays France."""
    play.start()


def sent(play: Play) -> None:
    """As `spring`; all orders of France are on file."""
    play.start()
    play.send("cleo", "A Par - Bur\nF Bre - Mid\nA Mar - Spa")


def press(play: Play) -> None:
    """As `spring`; Germany, Italy and Austria have written to France."""
    play.start()
    for who, text in (
        ("emil", "Ciao, what are your plans for Piedmont?"),
        ("ann", "Will you help me against Italy?"),
        ("dora", "Shall we leave Burgundy empty?\nI would move to Denmark then."),
    ):
        play.send(who, f"PRESS TO France\n{text}\nENDPRESS")


def two(play: Play) -> None:
    """Two games, paris and rome, in both of which Cleo plays France."""
    play.start()
    play.send("max", "CREATE ?rome standard\nSET NO DAILY", to="judge@judge.example")
    for who, letter in zip(PEOPLE, "AEFGIRT", strict=True):
        play.send(who, f"JOIN rome\nSET PREFERENCE {letter}", to="judge@judge.example")
    play.judge.work()


def groups(play: Play) -> None:
    """A game of three: Ann has England, Germany and Austria, Bob Italy and Russia."""
    play.send("max", "CREATE ?paris standard, PLAYERS 3\nSET NO DAILY")
    for who, wish in (("ann", "E"), ("bob", "R"), ("cleo", "T")):
        play.send(who, f"JOIN paris\nSET PREFERENCE {wish}")
    play.judge.work()


def fall(play: Play) -> None:
    """The fall of 1901, after a spring in which France went to Burgundy, Spain and the sea."""
    play.start()
    _holds(play)
    play.send("cleo", "A Par - Bur\nF Bre - Mid\nA Mar - Spa", to=_way(play, "cleo", "paris"))
    _run(play)


def stood(play: Play) -> None:
    """The fall of 1901, after a spring in which every unit held."""
    play.start()
    _holds(play)
    _run(play)


def winter(play: Play) -> None:
    """The winter of 1901: France has taken Spain and Portugal, and may build two."""
    fall(play)
    _holds(play)
    orders = "A Bur H\nF Mid - Por\nA Spa H"
    play.send("cleo", orders, to=_way(play, "cleo", "paris"))
    _run(play)


def later(play: Play) -> None:
    """The spring of 1902; letters of a whole year have gone out."""
    winter(play)
    play.send("cleo", "Build A Par\nBuild F Bre", to=_way(play, "cleo", "paris"))
    _run(play)


def limited(play: Play) -> None:
    """As `spring`; one more mail, and Cleo has had all replies of an hour."""
    play.start()
    for order in ("A Mar H", "F Bre H"):
        play.send("cleo", order)


SITUATIONS: dict[str, Callable[[Play], None]] = {
    each.__name__: each
    for each in (spring, sent, press, two, groups, fall, stood, winter, later, limited)
}


class World:
    """A judge that is brought into situations, and to which mails are sent there."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        answer_first_letters()
        self.play = Play(Path(self._folder.name))
        self.play.once("measure nothing", lambda: None)
        self._situation = ""
        self._answered: dict[tuple[object, ...], Received] = {}
        self._before: dict[str, Facts] = {}

    def _free(self) -> None:
        """Lift the bounds on how much people may write, or set the one that is measured."""
        limits = (
            Limits(hour=3) if self._situation == "limited" else Limits(hour=10_000, press=10_000)
        )
        profile = replace(self.play.judge.profile, limits=limits)
        play = self.play
        play.judge = Judge(play.storage, play.clock, profile, TABLE, seed=lambda: "seed")

    def close(self) -> None:
        self.play.storage.close()
        self._folder.cleanup()

    def enter(self, situation: str) -> None:
        """Bring the judge into a situation; what it was asked before is forgotten."""

        def make() -> None:
            self.play.once("measure nothing", lambda: None)
            self._free()
            SITUATIONS[situation](self.play)

        self._situation = situation
        self.play.once(("measure", situation), make)
        self._free()
        if situation not in self._before:
            self._before[situation] = self.facts()

    @property
    def before(self) -> Facts:
        """What was so when the situation was entered."""
        return self._before[self._situation]

    def facts(self) -> Facts:
        return frozenset(_facts(self.play.file))

    def letter(self, who: str, answers: str) -> Received | None:
        """The letter that a mail answers: the last with all these words, which are a game and a
        kind, or stand in its first lines (`press Germany`); none for `none`."""
        if answers == "none":
            return None
        key = (self._situation, who, answers)
        if key not in self._answered:
            self._answered[key] = self._letter(who, answers)
        return self._answered[key]

    def _letter(self, who: str, answers: str) -> Received:
        found = sent_to(self.play, who)
        for word in answers.split():
            found = [
                each
                for each in found
                if word == each.kind
                or f":{word}" in each.subject
                or (word.istitle() and word in each.first)
            ]
        if not answers:
            found = [each for each in found if each.kind not in ("press", "question")]
        assert found, (who, answers)
        return found[-1]

    def send(
        self,
        who: str,
        text: str,
        answers: Received | None = None,
        subject: str = "",
        page: bool = False,
        headers: Mapping[str, str] | None = None,
    ) -> list[Received]:
        """Send a mail, and return all letters that it brings."""
        play = self.play
        before = _last_letter(play)
        fields, subtype = dict(headers or {}), "html" if page else "plain"
        if answers is None:
            to = _way(play, who, "paris")
            mail = play.mail(who, text, subject, to=to, headers=fields, subtype=subtype)
        else:
            mail = play.mail(who, text, subject, answers, headers=fields, subtype=subtype)
        play.judge.process_message(mail)
        processed = play.storage.inbound.find(mail)
        assert processed is not None
        if processed.state is InboundState.HELD:
            raise RuntimeError(processed.problem)
        return [read(each) for each in _letters(play, before)]


def sent_to(play: Play, who: str) -> list[Received]:
    """All letters to somebody, in order."""
    address = who if "@" in who else f"{who}@people.example"
    return [read(each) for each in _letters(play, 0) if each.recipient == address]


def _last_letter(play: Play) -> int:
    # A connection that stays open would keep what was written from being put back.
    with closing(sqlite3.connect(play.file)) as base:
        return int(base.execute("select coalesce(max(id), 0) from letter").fetchone()[0])


def _letters(play: Play, after: int) -> Iterator[Any]:
    number = after + 1
    while (letter := play.storage.outbound.find(number)) is not None:
        yield letter
        number += 1


# -- facts ------------------------------------------------------------------------------------


def _facts(file: Path) -> Iterator[tuple[str, ...]]:
    with closing(sqlite3.connect(file)) as base:
        base.row_factory = sqlite3.Row
        yield from _rows(base)


def _rows(base: sqlite3.Connection) -> Iterator[tuple[str, ...]]:
    games = {row["id"]: row["name"] for row in base.execute("select id, name from game")}
    for row in base.execute("select * from orders"):
        yield ("order", games[row["game_id"]], row["phase"], row["power"], row["text"])
    for row in base.execute("select * from seat"):
        whose = (games[row["game_id"]], str(row["power"] or row["role"]))
        for name in ("person_id", "preferences", "state", "wait", "draw", "absence"):
            yield ("seat", *whose, name, str(row[name]))
        yield ("seat", *whose, "password", str(row["password"] is not None))
        for key, value in json.loads(row["options"]).items():
            yield ("seat", *whose, key, _flat(value))
    for row in base.execute("select * from game"):
        for name in ("state", "phase", "settings", "deadline"):
            yield ("game", row["name"], name, str(row[name]))
        options = json.loads(row["options"])
        # What was on file before follows from what is.
        options.pop("earlier", None)
        for each in options.pop("proposals", {}).values():
            yield ("proposal", row["name"], _flat(each))
        for key, value in options.items():
            if key != "pace":
                yield ("game", row["name"], key, _flat(value))
    for row in base.execute("select * from person"):
        for name in ("name", "language", "time_zone", "country"):
            yield ("person", str(row["id"]), name, str(row[name]))
        for key, value in json.loads(row["options"] or "{}").items():
            yield ("person", str(row["id"]), key, _flat(value))
    for row in base.execute("select * from press"):
        to = ", ".join(sorted(json.loads(row["to"])))
        text = "\n".join(line.strip() for line in row["text"].splitlines() if line.strip())
        yield ("press", games[row["game_id"]], row["from_label"], to, row["color"], text)
    for row in base.execute("select * from note"):
        yield ("diary", str(row["seat_id"]), row["text"])


def _flat(value: object) -> str:
    return json.dumps(value, sort_keys=True)
