"""What kind of game somebody looks for (LIST, JOIN), and the people who wait for one."""

from __future__ import annotations

import dataclasses
import re
from math import inf, isinf
from statistics import median_low

from msgspec import Struct, field
from msgspec.structs import replace

from judge import variants
from judge.commands.admission import check_conduct
from judge.commands.names_meant import board_named, numbered_game, with_boards
from judge.events import EventKind, Recipient
from judge.game.people import muster
from judge.game.people.peace import in_peace, kept_apart
from judge.game.state import State
from judge.game.state.answers import Answer
from judge.game.state.settings import PressRule, Settings
from judge.game.visibility.eyes import Eyes, reader_of
from judge.intake.authentication import prove
from judge.intake.authorization import check_welcome, ensure_registered
from judge.intake.context import MessageContext
from judge.intake.offers import Offer, to_claim
from judge.intake.ways import looks_for_players
from judge.rules.variant import Variant
from judge.storage import GameState, Person, Role, Storage

_HOURS = re.compile(r"(\d{1,3})h")


class Wish(Struct):
    """What somebody looks for: games on a `board`, `gunboat`, `blind`, or without press, with
    movement phases of so many `hours`, that need at most `needs` players. `words` are those that
    say so."""

    words: list[str] = field(default_factory=list)
    board: str | None = None
    gunboat: bool = False
    blind: bool = False
    no_press: bool = False
    hours: int | None = None
    needs: float | None = None
    page: int = 1
    full: bool = False
    every: bool = False

    @staticmethod
    def read(text: str) -> Wish | None:
        """Return what the words behind LIST or JOIN ask for, None where one of them says
        nothing."""
        wish = Wish()
        words = re.split(r"[\s,;]+", with_boards(text.lower().replace("no press", "nopress")))
        rest = [word for word in words if word]
        while rest:
            word = rest.pop(0)
            number = int(rest.pop(0)) if word in ("page", "needs") and _is_number(rest) else None
            if word == "page":
                wish.page = max(number or 1, 1)
                continue
            if word not in ("games", "full", "all"):
                wish.words += [word] if number is None else [word, str(number)]
            if word == "needs":
                wish.needs = inf if number is None else number
            elif word in ("gunboat", "blind", "full"):
                setattr(wish, word, True)
            elif word == "nopress":
                wish.no_press = True
            elif hours := _HOURS.fullmatch(word):
                wish.hours = int(hours[1])
            elif board := board_named(word):
                wish.board = board
            elif word in ("all", "games"):
                wish.every |= word == "all"
            else:
                return None
        return wish

    @property
    def traits(self) -> list[str]:
        """The words that `Game.traits` must have."""
        said = {"gunboat": self.gunboat, "blind": self.blind, "nopress": self.no_press}
        said[f"{self.hours}h"] = self.hours is not None
        return [word for word, wanted in said.items() if wanted]

    def fits(self, state: State, person_id: int | None) -> bool:
        """Return whether a game is one of those that are asked for, as far as the reader may
        know."""
        settings = state.settings
        return (
            self.board in (None, state.game.variant)
            and (settings.gunboat or not self.gunboat)
            and (settings.blind or not self.blind)
            and (settings.press is PressRule.NONE or not self.no_press)
            and self.hours in (None, settings.move.next)
            and (self.needs is None or self._needs(state, Eyes(state, reader_of(person_id))))
        )

    def _needs(self, state: State, seen: Eyes) -> bool:
        """Return whether a game needs people, and not too many."""
        assert self.needs is not None
        if state.game.state != GameState.FORMING:
            return 0 < len(state.powers.open()) <= self.needs
        there = seen.count
        return isinf(self.needs) if there is None else 0 < state.terms.places - there <= self.needs

    @property
    def kind(self) -> tuple[object, ...]:
        """What two wishes share that the same game fulfills."""
        return self.board or "standard", self.gunboat, self.blind, self.no_press, self.hours

    def settings(self, zone: str) -> Settings:
        """Return those of a game that is made for this wish."""
        made = Settings(zone=zone, listed=True, rated=True, gunboat=self.gunboat, blind=self.blind)
        if self.no_press:
            made = replace(made, press=PressRule.NONE)
        if self.hours:
            made = replace(made, move=dataclasses.replace(made.move, next=self.hours))
        return made


def is_wish(text: str, _: Variant) -> bool:
    """Return whether every word of a text says what kind of game somebody looks for."""
    return Wish.read(text) is not None


def _is_number(words: list[str]) -> bool:
    return bool(words) and words[0].isascii() and words[0].isdigit() and len(words[0]) < 5


# JOIN, where no game is there to be joined


def wait(context: MessageContext, wish: Wish) -> Answer:
    """Note that the sender waits for a public game of a kind; make one if enough people do."""
    prove(context.cursor, None)
    check_welcome(context.cursor, context.profile, context.incoming)
    person = ensure_registered(context)
    check_conduct(context.sender, context.storage, context.now)
    waits = replace(
        person.options, waits_for_game=True, wish=" ".join(wish.words), waits_since=context.now
    )
    person.options = waits
    context.storage.people.save(person)
    places = len(variants.load(str(wish.kind[0])).played)
    alike = [
        each
        for each in context.storage.people.waiting_for_game()
        if (wished := _wish_of(each)) is not None and wished.kind == wish.kind
    ]
    together = in_peace(alike)
    if len(together) >= places:
        return _formed(context, wish, together[:places])
    # That somebody is left out must not show.
    there = min(len(alike), places - 1)
    facts = {"wish": waits.wish, "there": there, "places": places, "usual": _usual(context.storage)}
    return Answer("waits_for_game", facts)


def _wish_of(person: Person) -> Wish | None:
    return Wish.read(person.options.wish or "")


def _formed(context: MessageContext, wish: Wish, people: list[Person]) -> Answer:
    """Make a game for people who wait for the same one."""
    state = numbered_game(
        context.cursor,
        context.profile,
        context.now,
        context.seed,
        "public",
        str(wish.kind[0]),
        wish.settings("UTC"),
    )
    for person in people:
        since = person.options.waits_since or context.now
        state.seats.keep(state.seats.new(person.id, Role.PLAYER, since))
        forget(state, person)
        if context.sender.person is None or person.id != context.sender.person.id:
            state.tell(EventKind.OPENING, {"formed": True, "buttons": ()}, to=Recipient(person.id))
    context.cursor.enter(state)
    context.log("formed", {"people": [person.id for person in people]})
    asks = muster.due_at(state, context.now) is not None
    facts = {"game": state.game.name, "title": state.variant.title, "asks": asks}
    return Answer("formed", facts)


def forget(state: State, person: Person) -> None:
    """Take somebody from the list of those who wait."""
    person.options = replace(person.options, waits_for_game=None, wish=None, waits_since=None)
    state.storage.people.save(person)


_ENOUGH = 3
"""Games from which it can be told how long it usually takes until one is full."""


def _usual(storage: Storage) -> int | None:
    """Return in how many days half of the last public games had all players; None where there
    were hardly any games."""
    times = [
        game.started_at - game.created_at
        for game in storage.games.last_started(100)
        if game.started_at is not None and Settings.from_json(game.settings).listed
    ]
    return median_low(times).days + 1 if len(times) >= _ENOUGH else None


def tell_of_openings(state: State) -> None:
    """Write to everybody who waits for such a game, once, if this one needs them."""
    if not looks_for_players(state):
        return
    for person in state.storage.people.waiting_for_game():
        wish = _wish_of(person)
        if state.seats.of(person.id) or wish is None or not wish.fits(state, person.id):
            continue
        if kept_apart(state, person):
            continue
        forget(state, person)
        offered = to_claim([Offer(f"JOIN {state.game.name}")])
        state.tell(EventKind.OPENING, {"formed": False}, to=Recipient(person.id), claim=offered)
