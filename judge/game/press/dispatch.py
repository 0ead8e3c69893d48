"""Press: who may write what, to whom, and when; and how it is told to its readers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from judge.events import EventKind, Recipient
from judge.game.people import lateness
from judge.game.people.contact import hears
from judge.game.press.recipients import NO_FAKE, PressHead, Recipients, everybody, read_claim
from judge.game.state import State
from judge.game.state.answers import Refused
from judge.game.state.settings import Fakes, ObserverPress
from judge.game.visibility import readable_press as views
from judge.rules.phase import Kind
from judge.storage import GameState, Press, PressColor, Role, Seat


def send_out(
    state: State,
    press: Press,
    mail_id: int | None = None,
    but: int | None = None,
) -> None:
    """Tell everyone a message is for, except the person `but`, who has just written it."""
    reached = {seat.person_id for seat in state.seats if seat.id in press.seats}
    watching = (
        {seat.person_id for seat in state.seats.active(Role.MASTER)} if press.overseen else set()
    )
    for person_id in state.seats.everybody():
        if person_id == but or views.is_muted(state, press, person_id):
            continue
        wanted = person_id in reached and hears(state, person_id, EventKind.PRESS)
        if wanted or person_id in watching:
            facts = views.heading(state, press, person_id) | {"copy": person_id not in reached}
            state.tell(
                EventKind.PRESS, facts, to=Recipient(person_id), mail_id=mail_id, press=press
            )


def release(state: State, now: datetime) -> None:
    """Send the broadcasts that were held for the results of a phase."""
    for press in state.storage.press.held(state.game.id):
        seats = [seat.id for seat in everybody(state).seats]
        sent = replace(press, sent_at=now, seats=seats)
        state.storage.press.release(sent)
        seat = views.writer_seat(state, press)
        send_out(state, sent, but=None if seat is None else seat.person_id)


class Manner(Struct, frozen=True):
    """How a message goes out: its color, and the recipients that its heading shows."""

    color: PressColor
    shown: tuple[str, ...]


def settle(
    state: State, sender: Sequence[Seat], to: Recipients, head: PressHead, now: datetime
) -> Manner:
    """Return the color and visible recipients of a press message. Raises Refused if not allowed.

    Game masters may write anything; anybody may write to masters alone, signed and not faked.
    """
    if state.game.moderated and any(seat.role == Role.MASTER for seat in sender):
        if _fakes(head):
            raise Refused("press_fake_master")
        return _shown(state, sender, to, head.color or PressColor.WHITE)
    if to.labels == (views.MASTER,):
        if _fakes(head):
            raise Refused("press_fake_master", "PRESS TO M")
        if head.color is PressColor.GREY:
            raise Refused("press_signed", "PRESS TO M")
        return _shown(state, sender, to, PressColor.WHITE)
    if state.game.state == GameState.PAUSED:
        raise _refused(state, "press_paused")
    colors = views.COLORS[state.settings.press]
    # Before the start and after the end people may always write.
    if state.game.state != GameState.ACTIVE:
        colors = colors or (PressColor.WHITE,)
    if not colors:
        raise _refused(state, "press_none")
    if all(seat.role == Role.OBSERVER for seat in sender):
        colors = _observer_colors(state, to, head, colors)
    color = head.color or colors[0]
    if color not in colors:
        raise _refused(state, "press_color", _again(to, colors[0]), color=colors[0])
    if state.game.state == GameState.ACTIVE:
        _in_time(state, sender, now)
        if not to.public:
            _to_some(state, sender, to)
        elif state.settings.touch_press and state.storage.press.broadcasts(
            [seat.id for seat in sender], state.game.phase
        ):
            raise _refused(state, "press_touch_once")
    claimed = _claim(state, to, head)
    return Manner(color, claimed) if claimed else _shown(state, sender, to, color)


def _refused(state: State, code: str, write: str | None = None, **facts: object) -> Refused:
    """Build the refusal, with the game's details."""
    return Refused(code, write, game=state.game.name, moderated=state.game.moderated, **facts)


def _shown(state: State, sender: Sequence[Seat], to: Recipients, color: PressColor) -> Manner:
    """Return a true heading; that of unsigned press keeps its writer among the recipients, whom
    a list of all but one would give away."""
    mine = views.label(state, sender)
    shown = tuple(each for each in to.labels if color is PressColor.GREY or each != mine)
    return Manner(color, shown or to.labels)


def _again(to: Recipients, color: PressColor) -> str | None:
    """Return the line that is allowed instead; None for a reply to somebody unknown."""
    if to.public:
        return f"BROADCAST {color.upper()}"
    if views.ANONYMOUS in to.labels:
        return None
    return f"PRESS {color.upper()} TO {', '.join(to.labels)}"


def _observer_colors(
    state: State, to: Recipients, head: PressHead, colors: tuple[PressColor, ...]
) -> tuple[PressColor, ...]:
    kind = state.settings.observer_press
    if kind is ObserverPress.NO:
        raise _refused(state, "press_observers_no")
    if kind is ObserverPress.ANY:
        return colors
    if not to.public or head.color is PressColor.GREY:
        raise _refused(state, "press_observers_white", "BROADCAST")
    return (PressColor.WHITE,)


def _in_time(state: State, sender: Sequence[Seat], now: datetime) -> None:
    settings = state.settings
    if not settings.minor_press and state.opened.phase.kind is not Kind.MOVEMENT:
        raise _refused(state, "press_minor")
    late = lateness.late(state, now)
    mine = [seat.power for seat in sender if seat.role == Role.PLAYER and seat.power]
    if not settings.late_press and set(mine) & set(late):
        raise _refused(state, "press_late")
    if not settings.grace_press and late:
        raise _refused(state, "press_grace")
    owing = [power for power in mine if power in state.owed]
    if settings.must_order and not all(state.sheets.of(power).complete for power in owing):
        raise _refused(state, "press_must_order")


def _to_some(state: State, sender: Sequence[Seat], to: Recipients) -> None:
    if not state.settings.partial:
        raise _refused(state, "press_no_partial", "BROADCAST")
    # A refusal must not tell who wrote unsigned; they were near enough to write.
    if not state.settings.touch_press or views.ANONYMOUS in to.labels:
        return
    mine = {seat.power for seat in sender if seat.role == Role.PLAYER and seat.power}
    near = neighbors(state, mine) | mine
    far = [
        named
        for seat in to.seats
        if seat.role != Role.MASTER and (named := views.label(state, [seat])) not in near
    ]
    if far:
        raise _refused(state, "press_touch", "BROADCAST", far=list(dict.fromkeys(far)))


def neighbors(state: State, powers: Iterable[str]) -> set[str]:
    """Return the powers with a unit one step away from a unit of these powers."""
    own, position = set(powers), state.opened
    places, reach = {}, {}
    for power in state.variant.powers:
        gone = [each.unit for each in position.dislodged.get(power, ())]
        units = [*position.units.get(power, ()), *gone]
        places[power] = {unit.province for unit in units}
        reach[power] = state.variant.board.provinces_near(units)
    return {
        other
        for other in places
        if other not in own
        if any(reach[power] & places[other] or reach[other] & places[power] for power in own)
    }


def _fakes(head: PressHead) -> bool:
    return head.fake not in ("", NO_FAKE)


def _claim(state: State, to: Recipients, head: PressHead) -> tuple[str, ...] | None:
    """Return the recipients that the heading claims; None if it tells the truth."""
    kind = state.settings.fakes
    if to.public:
        if _fakes(head):
            raise _refused(state, "press_fake_public", "BROADCAST")
        return None
    if head.fake == NO_FAKE:
        if kind is Fakes.BROADCAST:
            raise _refused(state, "press_fakes_all")
        return None
    if not head.fake:
        # Replies to somebody unknown, and what masters read, never claim to be broadcasts.
        veiled = {views.ANONYMOUS, views.MASTER} & set(to.labels)
        by_itself = kind in (Fakes.BROADCAST, Fakes.DEFAULT) and not veiled
        return (views.ALL,) if by_itself else None
    if kind is Fakes.NO:
        raise _refused(state, "press_no_fakes")
    claimed = read_claim(state, head.fake)
    if views.MASTER in to.labels or views.MASTER in claimed:
        raise _refused(state, "press_fake_master")
    if kind is Fakes.BROADCAST and claimed != (views.ALL,):
        raise _refused(state, "press_fakes_all")
    return claimed
