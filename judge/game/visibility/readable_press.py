"""What readers see of press: who wrote it, to whom it went, and what they may read of it later."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from judge.game.state import State
from judge.game.state.settings import ObserverPress, PressRule
from judge.game.visibility import identity
from judge.game.visibility.readers import Reader, id_of
from judge.storage import DiaryPage, GameState, Press, PressColor, Role, Seat

MASTER = "Master"
ALL = "All"
OBSERVERS = "Observers"
ANONYMOUS = "Anonymous"
"""What readers of grey press are told of its writer."""

OBSERVER = "Observer"

COLORS: dict[PressRule, tuple[PressColor, ...]] = {
    PressRule.WHITE: (PressColor.WHITE,),
    PressRule.GREY: (PressColor.GREY,),
    PressRule.WHITE_GREY: (PressColor.WHITE, PressColor.GREY),
    PressRule.GREY_WHITE: (PressColor.GREY, PressColor.WHITE),
    PressRule.NONE: (),
}
"""The colors that players may send by the setting PRESS, the first where they name none."""


def called(state: State, seat: Seat) -> str:
    """Return what the heading of a message calls a recipient."""
    if seat.role == Role.PLAYER:
        return seat.power or identity.name_of(state, seat)
    return MASTER if seat.role == Role.MASTER else OBSERVERS


def label(state: State, seats: Sequence[Seat]) -> str:
    """Return as whom these seats write."""
    for seat in seats:
        if seat.role == Role.PLAYER:
            return called(state, seat)
    return MASTER if any(seat.role == Role.MASTER for seat in seats) else OBSERVER


def several(press: Press) -> bool:
    """Return whether the heading of a message shows more than one recipient."""
    in_one = press.to in ([MASTER], [OBSERVERS])
    return press.to == [ALL] or len(press.to) > 1 or (in_one and len(press.seats) > 1)


def is_hidden_from(state: State, press: Press, sender: Sequence[Seat]) -> bool:
    """Return whether a message may answer grey press of these seats: its writer does not know them
    by name, or by a name among others."""
    if ANONYMOUS not in press.to:
        return False
    mine = {seat.id for seat in sender}
    said = state.storage.press.of_game(state.game.id)
    wrote = any(each.sender_id in mine and each.color == PressColor.GREY for each in said)
    return wrote or label(state, sender) not in press.to


def answers_unsigned(state: State, press: Press, reader: Sequence[Seat]) -> bool:
    """Return whether a plain reply of these seats to a message goes out unsigned."""
    runs = state.game.moderated and any(seat.role == Role.MASTER for seat in reader)
    if not reader or runs or press.from_label == MASTER:
        return False
    if is_hidden_from(state, press, reader):
        return True
    watches = all(seat.role == Role.OBSERVER for seat in reader)
    usual = COLORS[state.settings.press][:1]
    return usual == (PressColor.GREY,) and not (
        watches and state.settings.observer_press is ObserverPress.WHITE
    )


def writer_seat(state: State, press: Press) -> Seat | None:
    """Return the seat that a message came from, if it is still on file."""
    return next((seat for seat in state.seats if seat.id == press.sender_id), None)


def is_broadcast(press: Press) -> bool:
    """Return whether the heading of a message says that it went to everybody."""
    return press.to == [ALL]


def heading(state: State, press: Press, reader: Reader) -> dict[str, object]:
    """Return what one reader sees of a message: from whom, to whom, when, and its text.

    `truth` is for game masters only, of a message whose heading does not tell it.
    """
    seat = writer_seat(state, press)
    name = press.from_label
    if press.color != PressColor.GREY and seat is not None and seat.person_id is not None:
        known = identity.is_known(state, seat, reader)
        name = state.seats.person(seat).name if known else name
    truth: dict[str, object] | None = None
    veiled = press.color == PressColor.GREY or not tells_truth(state, press)
    if veiled and identity.knows_all(state, reader) and seat is not None:
        truth = {
            "sender": label(state, [seat]),
            "name": identity.name_of(state, seat, reader),
            "to": true_labels(state, press),
        }
    return {
        "sender": press.from_label,
        "sender_name": name,
        "grey": press.color == PressColor.GREY,
        "to": press.to,
        "public": is_broadcast(press),
        "several": several(press),
        "unsigned": answers_unsigned(state, press, state.seats.of(id_of(reader))),
        "truth": truth,
        "text": press.text,
        "subject": press.subject,
        "phase": press.phase,
        "state": "active" if press.held else state.game.state,
    }


def true_labels(state: State, press: Press) -> list[str]:
    """Return to whom a message really went."""
    if press.public:
        return [ALL]
    seats = [seat for seat in state.seats if seat.id in press.seats]
    return list(dict.fromkeys(called(state, seat) for seat in seats))


def tells_truth(state: State, press: Press) -> bool:
    """Return whether the heading of a message shows to whom it really went."""
    if press.public or ANONYMOUS in press.to:
        return True
    writer = writer_seat(state, press)
    shown = set(press.to) - ({called(state, writer)} if writer is not None else set())
    return shown == set(true_labels(state, press))


def _seats_of(state: State, reader: Reader) -> set[int]:
    """Return the ids of all seats a person has, or had; of nobody none."""
    return {seat.id for seat in state.seats if seat.person_id == reader}


def is_muted(state: State, press: Press, reader: Reader) -> bool:
    """Return whether a person does not want a message, by its signature: anyone who could leave out
    what is unsigned would learn by what is missing who wrote it."""
    return press.color is PressColor.WHITE and any(
        press.sender_id in seat.options.muted for seat in state.seats.of(id_of(reader))
    )


def readable(state: State, reader: Reader, muted: bool = False) -> list[Press]:
    """Return the press that a person may read: broadcasts, and what went to or came from them.

    What they have `muted` is left out by default. Game masters also read what they got copies of,
    the hosts of the house all.
    A player who takes over a power does not read what the player before them got.
    """
    mine = _seats_of(state, reader)
    oversees = identity.knows_all(state, reader)
    hosts = identity.is_host(state, reader)
    return [
        said
        for said in state.storage.press.of_game(state.game.id)
        if not said.held or said.sender_id in mine
        if muted or not is_muted(state, said, reader)
        if said.public
        or said.sender_id in mine
        or mine & set(said.seats)
        or (said.overseen and oversees)
        or hosts
    ]


def entry(state: State, said: Press, reader: Reader) -> dict[str, object]:
    """Return a message as its reader saw it; its writer also sees that it is theirs."""
    is_mine = said.sender_id in _seats_of(state, reader)
    return heading(state, said, reader) | {
        "at": said.sent_at,
        "mine": is_mine,
        "went": true_labels(state, said) if is_mine and not tells_truth(state, said) else None,
        "held": said.held,
    }


def published_diaries(state: State) -> dict[str, list[DiaryPage]]:
    """Return the diaries of a game that is over, by power; none before."""
    if state.game.state != GameState.ENDED:
        return {}
    pages = state.storage.diaries.of_game(state.game.id)
    found = {}
    for seat in sorted(state.seats, key=lambda seat: seat.power or ""):
        own = [page for page in pages if page.seat_id == seat.id]
        if own and seat.power:
            found[seat.power] = own
    return found


class ShownStatement(Struct, frozen=True):
    """The statement of a power's player; no `name` if the reader may not know it."""

    power: str | None
    name: str | None
    text: str


def statements(state: State, reader: Reader) -> list[ShownStatement]:
    """Return the statements by power."""
    kept = state.game.options.statements
    seats = sorted(state.seats, key=lambda seat: seat.power or "")
    return [
        ShownStatement(
            power=seat.power,
            name=state.seats.person(seat).name if identity.is_known(state, seat, reader) else None,
            text=kept[str(seat.id)].text,
        )
        for seat in seats
        if str(seat.id) in kept
    ]
