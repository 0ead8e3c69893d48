"""The game that a command is for, and what it names: a phase, the game itself, a power, or somebody
in the game; and new games, under a name that somebody chose, or the next of a kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import cache
from itertools import count

from rapidfuzz import fuzz, process

from judge import variants
from judge.game.people.entry import turned_away
from judge.game.press.recipients import labels
from judge.game.state import State
from judge.game.state.answers import Refused
from judge.game.state.profile import JudgeProfile
from judge.game.state.settings import TABLE as SETTINGS
from judge.game.state.settings import Settings
from judge.intake.arguments import ADDRESS
from judge.intake.context import Cursor
from judge.language.misreadings import ReadError
from judge.language.names import Names
from judge.language.phase_names import read_phase
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant
from judge.sentences import Wording, error_wording
from judge.storage import (
    Game,
    NameTaken,
    Person,
    Role,
    Seat,
    Storage,
)


@contextmanager
def reading(write: str, variant: Variant | None = None) -> Iterator[None]:
    """Let what cannot be read inside raise Refused instead of ValueError, offering `write`."""
    try:
        yield
    except ValueError as error:
        problem = error_wording(error, variant)
        raise Refused("bad_setting", write=write, problem=problem) from None


def boards_near(text: str) -> list[str]:
    """Return the boards that a text may mean, by their names; at most three."""
    word = text.strip().lower().replace("-", "_").replace(" ", "_")[:60]
    parts = {each: each for each in variants.names()}
    for name in variants.names():
        parts |= {part: name for part in name.split("_") if len(part) > _SHORT}
    found = process.extract(word, list(parts), scorer=fuzz.ratio, limit=3, score_cutoff=_ALIKE)
    return list(dict.fromkeys(parts[part] for part, *_ in found))


def settings_near(text: str) -> list[str]:
    """Return the words of settings that a text begins with, misspelled; one at most."""
    spelled = {
        words.replace(" ", ""): words for row in SETTINGS.values() for words in row.all_words
    }
    written = text.lower()[:60].split()
    found = [
        (score, word)
        for end in range(1, 4)
        for word, score, _ in process.extract(
            "".join(written[:end]), list(spelled), scorer=fuzz.ratio, score_cutoff=_ALIKE
        )
    ]
    return [spelled[max(found)[1]]] if found else []


_SHORT = 3
"""Letters of a part of a board's name that says nothing of it."""

_ALIKE = 80
"""How alike a misspelled setting or board is to its word, in hundredths."""


def phase_named(state: State, text: str, write: str) -> str:
    """Return the phase that `text` names, in its short form. Raises Refused, offering `write`."""
    with reading(write, state.variant):
        return str(read_phase(text.strip(" .!"), state.variant))


def must_name(state: State, text: str, command: str) -> None:
    """Raise Refused unless `text` names this game: `command` cannot be undone."""
    name = text.strip(" .!?").lower()
    if name != state.game.name:
        write = f"{command} {state.game.name}"
        raise Refused("name_this_game", write=write, game=state.game.name, named=name)


def power_named(state: State, text: str, write: str, *, spelled: bool = False) -> str:
    """Return the power that `text` names, by letter or name. Raises Refused, offering `write`.

    With `spelled` a misspelled name is refused, and offered as it is spelled: for commands that
    act on others without a question.
    """
    word = text.strip(" .!").partition("@")[0]
    if not word:
        raise Refused("name_a_power", write=write, powers=list(state.variant.powers))
    names = Names.of(state.variant)
    try:
        power = names.power(word)
    except ReadError as error:
        problem = Wording(error.problem, state.variant)
        raise Refused("bad_power", write=write, problem=problem, game=state.game.name) from None
    if spelled and names.is_guess(word):
        command = write.rpartition(" ")[0]
        facts = {"word": word, "power": power}
        raise Refused("near_power", write=f"{command} {power.lower()}", **facts)
    return power


def powers_named(state: State, text: str, write: str) -> list[str]:
    """Return the powers that `text` names, as letters in one word or names.

    Raises Refused, offering `write`.
    """
    try:
        found = labels(state.variant, text)
    except Refused:
        found = []
    if not found or not set(found) <= set(state.variant.powers):
        raise Refused(
            "which_powers", write=write, text=text.strip(), letters=dict(state.variant.letters)
        )
    return found


def person_named(
    cursor: Cursor, storage: Storage, text: str, write: str
) -> tuple[Person, list[Seat]]:
    """Return who in this game has the address `text`, and their seats.

    Raises Refused, offering `write`.

    What is said of an address does not depend on whether it is known elsewhere.
    """
    state = cursor.here()
    address = _address(text)
    person = storage.people.by_address(address) if "@" in address else None
    seats = state.seats.of(person.id) if person else []
    if person is None or not seats:
        raise Refused("nobody_there", write=write, address=address, game=state.game.name)
    return person, seats


def newcomers_named(
    cursor: Cursor, storage: Storage, text: str, write: str, refused: bool = False
) -> list[Seat]:
    """Return the seats of players, named by powers or addresses.

    With `refused` also those of people who were turned away, by addresses. Raises Refused, offering
    `write`.
    """
    state = cursor.here()
    words = text.replace(",", " ").replace(";", " ").split()
    if not words:
        raise Refused("name_a_power", write=write, powers=list(state.variant.powers))
    found = []
    for word in words:
        gone = _turned_away(storage, state, word) if refused else None
        if gone is not None:
            seats = [gone]
        elif "@" in word:
            seats = [
                seat
                for seat in person_named(cursor, storage, word, write)[1]
                if seat.role == Role.PLAYER
            ]
        else:
            power = power_named(state, word, write, spelled=True)
            seat = state.seats.player(power)
            if seat is None:
                raise Refused("nobody_plays", game=state.game.name, power=power)
            seats = [seat]
        if gone is None and not any(map(state.seats.awaits_approval, seats)):
            # An observer has no seat among these.
            who = list(map(cursor.eyes(state).name_of, seats[:1]))
            instead = None if refused or not who else f"EJECT {word}"
            facts = {"game": state.game.name, "who": who, "yes": refused}
            raise Refused("approved_already", write=instead, **facts)
        found += [seat for seat in seats if seat not in found]
    return found


def _turned_away(storage: Storage, state: State, word: str) -> Seat | None:
    """Return the seat of the person with this address, if they were turned away."""
    person = storage.people.by_address(_address(word)) if "@" in word else None
    return None if person is None else turned_away(state, person.id)


def _address(text: str) -> str:
    return text.strip(" .!<>").lower()


_PART = re.compile(r"\s*\??\s*([^@]*\S)@(\w+)(?=\s|[.,;!]|\Z)")


def words_with_seat(storage: Storage, text: str) -> list[str]:
    """Return the words of `text`; a power's name with blanks is one word with the game behind it.

    Where the first word names a game, what follows is a password, whatever stands in it.
    """
    found, split = _PART.match(text), text.split()
    if found is None or len(found[1].split()) < 2 or _is_game(storage, split[0]):
        return split
    if storage.games.by_name(found[2].lower()) is None:
        return split
    return [f"{found[1]}@{found[2]}", *text[found.end() :].strip(" .,;!").split()]


def _is_game(storage: Storage, word: str) -> bool:
    """Return whether a word names a game, alone or behind the letter of a part."""
    name = word.strip("?.,;").lower()
    games = storage.games
    return games.by_name(name) is not None or games.by_name(name[1:]) is not None


def addresses_changed(
    known: Iterable[str], text: str, *, gone: bool = False, patterns: bool = False
) -> list[str]:
    """Return the `known` addresses as a text changes them: those with a minus before them are taken
    out, all where they are to be `gone`. `patterns` are those of keepers. Raises ValueError with a
    word that is no address."""
    found = list(known)
    for word in text.replace(",", " ").replace(";", " ").split():
        address = word.lower().strip("<>.").lstrip("+")
        off = gone or address.startswith("-")
        address = address.lstrip("-<")
        if not ADDRESS.fullmatch(address) or (patterns and "?" in address):
            raise ValueError(word)
        found = [each for each in found if each != address]
        if not off:
            found.append(address)
    return found


def board_named(word: str) -> str | None:
    """Return the board of that name, as its players write it; None where there is none."""
    name = {"era": "era_of_empire"}.get(word, word.replace("-", "_"))
    return name if name in variants.names() else None


@cache
def _long_boards() -> re.Pattern[str]:
    """Return a pattern for the boards whose names are several words, the longest first."""
    names = sorted((name for name in variants.names() if "_" in name), key=len, reverse=True)
    any_name = "|".join(name.replace("_", "[ _-]") for name in names)
    return re.compile(rf"\b(?:the )?({any_name})\b", re.IGNORECASE)


def with_boards(text: str) -> str:
    """Return a text in which the boards that it names are one word each."""
    return _long_boards().sub(lambda found: re.sub("[ -]", "_", found[1].lower()), text)


def new_game(
    cursor: Cursor,
    profile: JudgeProfile,
    now: datetime,
    seed: Callable[[], str],
    name: str,
    board: str,
    settings: Settings,
    *,
    moderated: bool = False,
) -> State:
    """Return a new game without anybody in it, its seed sealed. Raises NameTaken."""
    game = Game(
        name=name,
        variant=board,
        rulebook=Rulebook.edition(variants.load(board).rulebook).name,
        moderated=moderated,
        settings=settings.to_json(),
        thread=profile.new_message_id(),
        created_at=now,
    )
    state = cursor.load(cursor.storage.games.add(game).id)
    state.note(seed=seed(), spread=state.game.id % (profile.spread + 1))
    return state


def numbered_game(
    cursor: Cursor,
    profile: JudgeProfile,
    now: datetime,
    seed: Callable[[], str],
    kind: str,
    board: str,
    settings: Settings,
) -> State:
    """Return a new game under the next free name of a kind, such as `practice7`."""
    # People may give their games names that begin so, too.
    names = cursor.storage.games.last_named(kind, 100)
    numbers = (name.removeprefix(kind) for name in names)
    for number in count(int(next(filter(str.isdigit, numbers), 0)) + 1):
        try:
            return new_game(cursor, profile, now, seed, f"{kind}{number}", board, settings)
        except NameTaken:
            continue
    raise AssertionError("there is always another number")
