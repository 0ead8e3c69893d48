"""Walks through what people write at first, and through games of each kind. Each letter is read as
soon as it is written, and what it says is compared with the games as they are then."""

from __future__ import annotations

import random
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from judge.game.state import State
from judge.mail.detect_language import certain_language
from judge.rules.legal_orders import legal_orders
from judge.rules.orders import Build
from judge.rules.phase import Kind
from judge.storage import GameState, Role
from tests.game.play import PEOPLE, Play, Received
from tests.truth.claims import untrue
from tests.truth.hearing import Hearing, Sentence

FIRST = {
    "en": """JOIN PRACTICE
        JOIN
        LIST
        HELP
        HELP settings
        I would like to join a slow game
        How does this work?
        Hello, is anybody there?
        play with me
        set language de
        WHO
        CREATE ?alpha
        CREATE ?alpha gunboat, 1976, players 3
        CREATE ?alpha solo
        JOIN PRACTICE england
        A Par - Bur
        I want to play against the computer
        easy""",
    "de": """spiel mit mir
        Hallo, ich möchte gerne mitspielen
        HILFE
        MITSPIELEN
        leicht
        Ich würde gern ein Spiel gegen Computer spielen.
        Wie funktioniert das hier?
        Gibt es eine Warteliste?
        SET LANGUAGE de
        JOIN PRACTICE
        Guten Tag, wann beginnt das nächste Spiel? Viele Grüße aus Köln""",
    "fr": """AIDE
        Bonjour, je voudrais jouer
        facile
        REJOINDRE
        Comment ça marche ?
        Je cherche une partie lente avec six amis
        SET LANGUAGE fr
        JOIN PRACTICE
        Une partie contre l'ordinateur, s'il vous plaît
        Bonjour, y a-t-il une liste d'attente ?
        LISTE""",
}
"""What people write first."""

GAMES: dict[str, tuple[str, int]] = {
    "practice": ("", 1),
    "sandbox": ("solo", 1),
    "gunboat": ("standard gunboat", 7),
    "three with 1976": ("standard, PLAYERS 3, RULES 1976", 3),
    "two with Global": ("global, PLAYERS 2", 2),
    "Era": ("era_of_empire", 7),
}
"""Games by their kind: options, and how many play."""

LANGUAGES = ("en", "de", "fr")


@dataclass
class Walk:
    """A house of its own, whose letters are read as they are written."""

    title: str
    play: Play
    secret: bool = False
    false: list[str] = field(default_factory=list)
    met: set[str] = field(default_factory=set)
    """The claims that letters made."""

    def __post_init__(self) -> None:
        self.hearing = Hearing(self._judge)

    def _judge(self, letter: Received, said: list[Sentence]) -> None:
        self.false += [
            f"{self.title}: {each}" for each in untrue(self.play, letter, said, self.met)
        ]
        if self.secret and letter.kind != "end" and not letter.to.startswith("max"):
            names = set(re.findall(r"Quux\d", letter.text)) - {f"Quux{letter.to[0]}"}
            self.false += [f"{self.title}: {letter.subject} names {each}" for each in names]

    def send(self, who: str, text: str, name: str | None = None) -> list[Received]:
        """Have somebody answer the last letter, or write anew, and return what that brings."""
        self.hearing.forget()
        play = self.play
        address = f"{who}@people.example"
        play.letters()
        play.judge.process_message(play.mail(who, text, to=play.last_reply_to(address), name=name))
        return [*play.letters(), *play.run()]

    def wake(self) -> list[Received]:
        """Let time go on until the judge has something to do."""
        self.hearing.forget()
        return self.play.wake()

    @property
    def state(self) -> State | None:
        """The game that is played."""
        found = next(iter(self.play.storage.games.all([GameState.ACTIVE])), None)
        return None if found is None else State(self.play.storage, found)


def first_mails(sample: int | None = None) -> Iterator[Walk]:
    """Write each of the first mails, or some of each language, as somebody new, and then what the
    answer offers: anybody who wants to is in a game after that."""
    for language, listed in FIRST.items():
        for number, line in enumerate([*map(str.strip, listed.splitlines())][:sample]):
            with tempfile.TemporaryDirectory() as folder:
                yield _first_mail(Play(Path(folder)), language, number, line)


def _first_mail(play: Play, language: str, number: int, line: str) -> Walk:
    walk = Walk(line, play)
    play.once(("truth", "first"), lambda: _waiting(play))
    with walk.hearing.listening():
        who = f"{language}{number}"
        letters = walk.send(who, line, name="Zenobia Quux")
        mine = [each for each in letters if each.to.startswith(f"{who}@")]
        if not mine:
            walk.false.append(f"{line}: no answer")
        for letter in mine:
            walk.false += [f"{line}: {each}" for each in _offered(play, letter)]
        person = play.storage.people.by_address(f"{who}@people.example")
        if person and certain_language(line, 2) == language and person.language != language:
            walk.false.append(f"{line}: is written to in {person.language}")
        if person and person.name not in ("Zenobia Quux", "Zenobia"):
            walk.false.append(f"{line}: is called {person.name}")
        if not _plays(play, who):
            if any("JOIN PRACTICE" in each.text for each in mine):
                walk.send(who, "JOIN PRACTICE", name="Zenobia Quux")
            if not _plays(play, who):
                walk.false.append(f"{line}: is in no game after two mails")
    play.storage.close()
    return walk


def _plays(play: Play, who: str) -> bool:
    person = play.storage.people.by_address(f"{who}@people.example")
    if person is None:
        return False
    games = play.storage.games.of_person(person.id, [GameState.ACTIVE, GameState.FORMING])
    return bool(list(games))


def _waiting(play: Play) -> None:
    """A house in which a game forms and somebody waits for the next one."""
    play.send("max", "CREATE ?rome standard\nSET NO DAILY")
    for who in PEOPLE[:2]:
        play.send(who, "JOIN rome")
    play.send("gwen", "JOIN")
    play.judge.work()


def _offered(play: Play, letter: Received) -> Iterator[str]:
    """The games that a letter names as open and that are not."""
    for row in letter.text.splitlines():
        line = re.split(r":| {2}", row.strip())[0].split()
        if row.startswith("  ") and len(line) == 2 and line[0] == "JOIN" and line[1].islower():
            game = play.storage.games.by_name(line[1])
            if game is None or game.state is not GameState.FORMING:
                yield f"offers {row.strip()}"


def stranger(language: str, years: int) -> Walk:
    """Play practice for so many years knowing only what letters say, from a first mail on."""
    with tempfile.TemporaryDirectory() as folder:
        walk = Walk(f"a stranger in {language}", Play(Path(folder)))
        with walk.hearing.listening():
            letters = walk.send("zoe", FIRST[language].splitlines()[-1].strip())
            if walk.state is None:
                letters = walk.send("zoe", "JOIN PRACTICE")
            while (state := walk.state) and state.opened.phase.year - 1901 < years:
                before = state.game.phase
                asked = [each for each in letters if each.kind in ("start", "results")]
                letters = walk.send("zoe", _as_told(asked[-1])) if asked else []
                if walk.state and walk.state.game.phase == before:
                    walk.false.append(f"{walk.title}: what {before} says does not end it")
                    break
            else:
                if walk.state is None:
                    walk.false.append(f"{walk.title}: is in no game")
        walk.play.storage.close()
    return walk


_GOES = re.compile(r"^  ([AF] [\w/]+), [^:]+: ([\w/]+) ", re.MULTILINE)
_DOES = re.compile(r"^  ([AF] [\w/]+ R [\w/]+|[BD] [AF] [\w/]+)  ", re.MULTILINE)


def _as_told(letter: Received) -> str:
    """Orders that a letter shows: the first thing that each unit can do, as often as it wants."""
    if moves := _GOES.findall(letter.text):
        return "\n".join(f"{unit} - {place}" for unit, place in moves)
    by_unit = {
        line.split()[-1 if line[0] in "BD" else 1]: line for line in _DOES.findall(letter.text)
    }
    wanted = int((re.findall(r"\d+", letter.first) or ["1"])[0])
    return "\n".join(list(by_unit.values())[:wanted])


def game(kind: str, seed: int, phases: int) -> Walk:
    """Play some phases of a game by chance."""
    with tempfile.TemporaryDirectory() as folder:
        walk = Walk(f"{kind} {seed}", Play(Path(folder)), secret=kind == "gunboat")
        with walk.hearing.listening():
            _play(walk, kind, seed, phases)
        walk.play.storage.close()
    return walk


def _play(walk: Walk, kind: str, seed: int, phases: int) -> None:
    chance = random.Random(f"{kind} {seed}")
    options, players = GAMES[kind]
    people = PEOPLE[:players]
    for number, who in enumerate(people):
        language = LANGUAGES[(number + seed) % 3]
        named = f"REGISTER\nName: {who.capitalize()} Quux{who[0]}\nEND\nSET LANGUAGE {language}"
        walk.send(who, named)
    if kind == "practice":
        walk.send(people[0], "JOIN PRACTICE")
    elif players == 1:
        walk.send(people[0], f"CREATE ?paris {options}")
    else:
        walk.send("max", f"CREATE ?paris {options}")
        for who in people:
            walk.send(who, "JOIN paris")
    silent = people[-1] if seed % 2 else None
    for number in range(phases):
        state = walk.state
        if state is None:
            return
        phase = state.game.phase
        for who in chance.sample(people, len(people)):
            if who == silent and number > 1:
                continue
            if (players == 1 or chance.random() < 0.85) and (text := _mail(state, who, chance)):
                walk.send(who, text)
        for _ in range(_MOST_WAKES):
            state = walk.state
            if state is None or state.game.phase != phase or walk.play.judge.next_wake() is None:
                break
            walk.wake()


_MOST_WAKES = 12
"""How often time goes on in a phase."""


def _mail(state: State, who: str, chance: random.Random) -> str:
    """Orders by chance for most units of somebody's powers, and now and then something else."""
    person = state.storage.people.by_address(f"{who}@people.example")
    assert person is not None
    lines: list[str] = []
    for seat in state.seats.of(person.id):
        if seat.role is not Role.PLAYER or not seat.power or seat.power not in state.owed:
            continue
        power, owed = seat.power, state.owed[seat.power]
        legal = legal_orders(state.variant, state.opened, power)
        if state.opened.phase.kind is Kind.ADJUSTMENTS:
            sites = {unit.province: str(Build(unit)) for unit in legal}
            lines += [f"D {unit}" for unit in list(legal)[: owed.removals]]
            lines += list(sites.values())[: owed.builds]
        else:
            lines += [
                str(chance.choice(orders)) for orders in legal.values() if chance.random() < 0.97
            ]
    said = (
        "",
        "",
        "",
        "SET WAIT",
        "SET NO WAIT",
        "STATUS",
        "EXTEND 24H",
        "SET DRAW",
        "WHO IS LATE?",
    )
    more = chance.choice(said)
    if state.terms.of_one:
        more = chance.choice(("", "PROCESS", "STATUS", "BACK"))
    return "\n".join([*lines, *filter(None, [more])])


def everything(games: int, phases: int, only: str | None = None) -> Iterator[Walk]:
    """Walk all of it, or games of one kind: so many of each, each so many phases long."""
    if only is None:
        yield from first_mails()
        yield from (stranger(language, 2) for language in LANGUAGES)
    for kind in GAMES if only is None else (only,):
        for seed in range(games):
            yield game(kind, seed, phases)
