"""What a picture of a game may show to one reader, as a view and as a file of a message.

Messages wait in the outbox with what their picture shows, as JSON, and it is drawn when they are
sent. That is all a picture needs and no more than its reader may know, so that it can be drawn when
the game has gone on, or is gone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import islice
from typing import Any

from msgspec import Struct, structs

from judge import maps
from judge.events import Event, EventKind
from judge.game.state import State
from judge.game.state.settings import of_board
from judge.game.visibility import fog
from judge.game.visibility.readers import JUDGE, Reader
from judge.i18n import Message, language, say, say_n
from judge.interchange.stored_values import outcome_from_json, position_from_json
from judge.language.read import read_order
from judge.mail.compose import Attachment
from judge.mail.pictures import NOTE
from judge.maps import ShownOrder, View, position_view
from judge.maps.notes import noted, part_of
from judge.maps.view import decided, why
from judge.rules.orders import Convoy
from judge.rules.phase import Kind, Phase
from judge.rules.position import Position, Unit, read_unit
from judge.rules.variant import of_phase
from judge.sentences.terms import named, phase_words
from judge.storage import GameState, Person, PhaseRun


def now_view(state: State, reader: Reader, powers: Sequence[str] = ()) -> View:
    """Return the open position, with the orders that `powers` have sent so far.

    The reader must be allowed to see these orders.
    """
    position = state.position or state.variant.opening
    orders = {power: state.orders.get(power, ()) for power in powers}
    position, unseen = fog.known_to(state, position, reader)
    view = position_view(state.variant, position, orders, game=state.game.name, unseen=unseen)
    return decided(view) if state.game.state == GameState.ENDED else view


def past_view(
    state: State,
    run: PhaseRun,
    reader: Reader,
    *,
    orders: bool = True,
    until: PhaseRun | None = None,
) -> View:
    """Return the position in which a phase opened, and, with `orders`, what became of all orders,
    and the board as the phase left it, or as the later one `until` did."""
    # All who see all of it see the same, until there is another board, or what is open changes.
    seen_by = JUDGE if fog.sees_all(state, reader) else reader
    now = state.variant, state.position, state.game.state
    return state.once(_past_view, state, run, seen_by, orders, until or run, *now)


def _past_view(
    state: State, run: PhaseRun, reader: Reader, orders: bool, until: PhaseRun, *_: object
) -> View:
    found = fog.report(state, run, reader)
    before = position_from_json(run.position)
    position, unseen = fog.known_to(state, before, reader)
    view = position_view(state.variant, position, game=state.game.name, unseen=unseen)
    if not orders:
        return view
    return replace(
        view,
        orders=tuple(_told(state, before.phase, found["orders"])),
        beaten=[read_unit(each["unit"]).province for each in found["dislodged"]],
        then=_left(state, until, reader),
    )


def _left(state: State, run: PhaseRun, reader: Reader) -> View | None:
    """Return the board as a phase left it: as the next one opened, or the open one."""
    following = state.storage.history.after(run)
    if following is None:
        return None if state.position is None else now_view(state, reader)
    position, unseen = fog.known_to(state, position_from_json(following.position), reader)
    return position_view(state.variant, position, game=state.game.name, unseen=unseen)


def last_played(state: State) -> PhaseRun | None:
    """Return the last phase in which anything was ordered, if any has run."""
    runs = state.storage.history.of_game(state.game.id)
    return next((run for run in reversed(runs) if run.results["orders"]), None)


def of_trial(
    state: State,
    before: Position,
    after: Position,
    orders: Mapping[str, Sequence[Mapping[str, Any]]],
    reader: Reader,
) -> BoardPicture:
    """Return what orders that nobody has sent would lead to, from a position that the reader
    knows: the part of the board where they were given."""
    _, unseen = fog.known_to(state, before, reader)
    variant, game = of_phase(state.variant, before.phase), state.game.name
    view = replace(
        position_view(variant, before, game=game, unseen=unseen),
        orders=tuple(_told(state, before.phase, orders)),
        then=position_view(variant, after, game=game, unseen=unseen),
    )
    given = [power for power, lines in orders.items() if any(line["given"] for line in lines)]
    return _cut(_board(state, view, reader), given, "orders")


def _told(
    state: State, phase: Phase, orders: Mapping[str, Sequence[Mapping[str, Any]]]
) -> Iterator[ShownOrder]:
    for power, lines in orders.items():
        for line in lines:
            veil = line.get("veil")
            if veil != "order":
                order = read_order(line["order"], state.variant, phase, power)
                outcome = line.get("outcome") if isinstance(order, Convoy) else None
                reason = why(outcome_from_json(outcome)) if outcome else line["reason"]
                yield ShownOrder(power, order, line["done"], reason)


class BoardPicture(Struct, frozen=True):
    """A picture: what it shows, as `snapshots` has it and as a view, its file name, and its
    alternative text; its width in pixels, and what stands below it."""

    shown: dict[str, object]
    view: View
    name: str
    alt: str
    width: int = 0
    caption: str = ""

    @property
    def digest(self) -> str:
        """A digest that equal pictures share."""
        return sha256(packed(self.shown)).hexdigest()[:32]


def of_run(
    state: State,
    run: PhaseRun,
    reader: Reader,
    *,
    orders: bool = True,
    until: PhaseRun | None = None,
) -> BoardPicture | None:
    """Return a past phase with what became of its orders, as far as the reader sees it, on the
    board that it left, or that the later one `until` did. None if they see nothing."""
    if not _sees(state, reader):
        return None
    return _board(state, past_view(state, run, reader, orders=orders, until=until), reader)


def now(state: State, reader: Reader, powers: Sequence[str] = ()) -> BoardPicture | None:
    """Return the open position with the orders of `powers`, whose orders the reader may know.

    None if they see nothing.
    """
    if not _sees(state, reader):
        return None
    return _board(state, now_view(state, reader, powers), reader)


def theater(board: BoardPicture, state: State, reader: Reader) -> BoardPicture:
    """Return the part of a board that matters to a player, made for a phone; all of it for others,
    made for one, too."""
    return _cut(board, sorted(fog.eyes(state, reader)), "units")


def overview(board: BoardPicture) -> BoardPicture:
    """Return all of a board, made for a phone."""
    return _cut(board, (), "all")


def _cut(board: BoardPicture, powers: Sequence[str], of: str) -> BoardPicture:
    shown = board.shown | {"theater": list(powers), "of": of}
    part = part_of(board.view, shown)
    if part is None:
        return structs.replace(board, shown=shown, width=maps.WIDE)
    # What draws it need not look for it again.
    shown["cut"] = [part.box, part.zoom, part.powers, part.width]
    beyond = maps.outside(board.view, part) if of != "all" else {}
    caption = _beyond(beyond)
    return structs.replace(board, shown=shown, width=part.width, caption=caption)


_MOST_NAMED = 6


def _beyond(found: Mapping[str, Sequence[Unit]]) -> str:
    """Return which units a picture does not show, in one line; "" for none."""
    count = sum(map(len, found.values()))
    sides = []
    for side, units in found.items():
        place, some = str(_SIDES[side]), len(units)
        sides.append(say_n("{count} more {side}", "{count} more {side}", some, side=place))
        if count <= _MOST_NAMED:
            sides[-1] += ": " + ", ".join(map(str, units))
    return "; ".join(sides)


_SIDES = {
    "north": Message("in the north"),
    "south": Message("in the south"),
    "east": Message("in the east"),
    "west": Message("in the west"),
}


def _sees(state: State, reader: Reader) -> bool:
    return fog.sees_all(state, reader) or bool(fog.eyes(state, reader))


def _board(state: State, view: View, reader: Reader) -> BoardPicture:
    return BoardPicture(
        snapshot(state, view), view, f"{state.game.name}-{view.phase}", _alt(state, view, reader)
    )


def _alt(state: State, view: View, reader: Reader) -> str:
    """Return what a picture shows, for who does not see it: the reader's units and their
    neighbors; the rest stands in the message."""
    facts = {"game": state.game.name, "phase": phase_words(view.phase)}
    said = (
        say("The board of {game}, {phase}.", **facts)
        if view.then is None
        else say("The board of {game} after {phase}.", **facts)
    )
    view = view.then or view
    mine = [power for power in fog.eyes(state, reader) if view.units.get(power)]
    if not mine:
        return said
    units = [unit for power in mine for unit in view.units[power]]
    near = fog.around(state.variant.board, {unit.province for unit in units})
    found = [_units(power, view.units[power]) for power in mine]
    others = [
        _units(power, standing)
        for power, held in view.units.items()
        if power not in mine and (standing := [unit for unit in held if unit.province in near])
    ]
    next_to_you = say("Next to you: {units}.", units="; ".join(others)) if others else ""
    return f"{said} {'; '.join(found)}. {next_to_you}".rstrip()


def _units(power: str, units: Sequence[Unit]) -> str:
    return f"{named(power)} {', '.join(map(str, units))}"


# In messages


MOST_PICTURED = 3
"""The games of a message that shows boards of several: so many fill a phone in its bytes."""

MOST_OF_REPLY, MOST_OF_LETTER = 39_000, 118_000
"""The bytes of a reply with its picture, and of another letter: where it would have more, its
picture is drawn with less."""


def boards_of(event: Event, state: State, person: Person) -> Iterator[BoardPicture]:
    """Yield what the message of an event shows, in the language that is spoken."""
    if person.options.pictures == "none":
        return
    found: Sequence[BoardPicture | None] = ()
    wanted = event.kind.row.board
    if wanted == "results":
        played = [run for run in event.runs if run.results["orders"]]
        # Retreats and adjustments that left nobody a choice are seen in what they left.
        found = [of_run(state, run, person.id, until=event.runs[-1]) for run in played[:1]]
    elif wanted == "now" and not (event.kind is EventKind.START and state.terms.alone):
        # Who starts a sandbox knows how its game begins.
        found = [now(state, person.id)]
    yield from (theater(board, state, person.id) for board in found if board is not None)
    if wanted == "ordered":
        yield from of_orders(state, person)


def of_orders(state: State, person: Person, *, few: bool = False) -> Iterator[BoardPicture]:
    """Yield the open position with what somebody has ordered, where they owe orders; as much of it
    as has `few` bytes, or all that matters to them."""
    if person.options.pictures == "none" or state.game.state != GameState.ACTIVE:
        return
    due, complete = _due(state, person)
    if due and not complete and (board := now(state, person.id, due)) is not None:
        yield _cut(board, due, "few") if few else theater(board, state, person.id)


def _due(state: State, person: Person) -> tuple[list[str], bool]:
    """Return the powers of somebody that have something to order, and whether all is on file."""
    due = [power for power in fog.eyes(state, person.id) if power in state.owed]
    return due, all(state.sheets.of(power).complete for power in due)


def of_results(state: State, run: PhaseRun, person: Person) -> BoardPicture | None:
    """Return what an answer that tells what became of a phase shows: the board that it left, or
    that those left which nobody had anything to decide in; None where no picture is wished for."""
    if person.options.pictures == "none" or person.options.html is False:
        return None
    board = of_run(state, run, person.id, until=state.storage.history.last(state.game.id))
    return None if board is None else theater(board, state, person.id)


def boards_of_reply(
    states: Sequence[State], person: Person, *, changed: bool = True
) -> Iterator[BoardPicture]:
    """Yield what the reply to orders, or to who asks how games stand, shows: the board of each game
    that waits for orders, or else of the one in which those on file have `changed`."""
    if person.options.pictures in ("results", "none"):
        return
    running = [state for state in states if state.game.state == GameState.ACTIVE]
    # Who plays all powers has the board in the letter before, and would have it with each.
    owing = [state for state in running if not state.terms.alone]
    waiting = (board for state in owing for board in of_orders(state, person, few=True))
    if shown := list(islice(waiting, MOST_PICTURED)):
        yield from shown
        return
    if not changed or len(running) != 1 or len(states) != 1:
        return
    powers, complete = _due(running[0], person)
    # Builds and retreats are told in a line each, on a board that was in the letter before.
    moves = running[0].opened.phase.kind is Kind.MOVEMENT
    if moves and powers and complete and (board := now(running[0], person.id, powers)) is not None:
        yield _cut(board, powers, "few")


def as_attachments(
    boards: Sequence[BoardPicture], most: int | None = None
) -> tuple[Attachment, ...]:
    """Return boards as parts of a message, shown where its HTML names them, drawn when it is
    sent, so that all of it has no more than `most` bytes if it can."""
    parameters = () if most is None else (("most", str(most)),)
    return tuple(
        Attachment(
            f"{board.name}.png",
            NOTE,
            packed(board.shown),
            parameters,
            content_id=f"{board.digest}@board",
            description=board.alt,
            width=board.width,
            caption=board.caption,
        )
        for board in boards
    )


# As a note


def snapshot(state: State, view: View) -> dict[str, Any]:
    """Return a view of a game as JSON values, to be drawn in the language that is spoken."""
    return {
        "language": language(),
        "variant": state.game.variant,
        "settings": of_board(state.settings),
        **noted(view),
    }


def packed(shown: Mapping[str, Any]) -> bytes:
    """Return what messages in the outbox hold in place of a picture."""
    return json.dumps(shown, sort_keys=True, ensure_ascii=False).encode()
