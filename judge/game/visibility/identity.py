"""What people are called, and who may know it: the one place that says who is who in a game.

In a gunboat game powers write, act, and are late, never persons. Only the game masters of a
moderated game and the hosts of the house, who do not play, know who plays what; everybody knows
them.

Unsigned press loses what identifies its writer: mail program, name, address, and the width of the
screen.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import unicodedata
from collections.abc import Iterable

from judge.game.state import IN_USE, State
from judge.game.visibility.readers import ANYBODY, JUDGE, Reader, id_of, reader_of
from judge.i18n import Message
from judge.storage import GameState, Person, Role, Seat, SeatState


def knows_all(state: State, reader: Reader) -> bool:
    """Return whether the reader may know what players may not: who runs the game without playing,
    the host of its house, and the judge itself."""
    if reader is JUDGE:
        return True
    mine = state.seats.of(id_of(reader)) if state.game.moderated else ()
    return any(seat.role == Role.MASTER for seat in mine) or is_host(state, reader)


def is_host(state: State, reader: Reader) -> bool:
    """Return whether a reader has the seat of a host, who reads all press and all orders, too. Who
    plays in the game, or has played in it, sees no more than others."""
    return any(seat.state in IN_USE for seat in _host_seats(state, reader))


def has_seen_all(state: State, reader: Reader) -> bool:
    """Return whether a reader sees a game that has begun as a host, or has until they left it."""
    return state.position is not None and bool(_host_seats(state, reader))


def _host_seats(state: State, reader: Reader) -> list[Seat]:
    """Return the seats that somebody has, or had, as a host; none of who plays, or has played."""
    every = [seat for seat in state.seats if seat.person_id == id_of(reader) is not None]
    plays = any(seat.role == Role.PLAYER for seat in every)
    return [] if plays else [seat for seat in every if seat.options.host]


def hosts(state: State) -> list[str]:
    """Return the names of those who see all of the game as hosts of the house."""
    found = [seat for seat in state.seats if seat.options.host]
    return [
        state.seats.person(each).name for each in found if is_host(state, reader_of(each.person_id))
    ]


def is_known(state: State, seat: Seat, reader: Reader = ANYBODY) -> bool:
    """Return whether the reader may know the name of the person of a seat."""
    return _may_name(state, seat.person_id, reader)


def _may_name(state: State, person_id: int | None, reader: Reader) -> bool:
    """Return whether the reader may know the name of a person: whatever they are in the game, and
    when they have left it, too."""
    return any(
        (
            not state.terms.hides_people,
            knows_all(state, reader),
            knows_all(state, reader_of(person_id)),
        )
    )


def name_of(state: State, seat: Seat, reader: Reader = ANYBODY) -> str:
    """Return what a person is called by a seat: their name, or else their power or role."""
    person = state.seats.person(seat)
    if is_known(state, seat, reader):
        return person.name
    return seat.power or _ROLES[seat.role]


def called(state: State, person: Person, reader: Reader = ANYBODY) -> str:
    """Return what messages call a person: their name, or else their powers or role."""
    if _may_name(state, person.id, reader):
        return person.name
    seats = state.seats.of(person.id)
    powers = [seat.power for seat in seats if seat.power]
    return ", ".join(powers) or _ROLES[seats[0].role if seats else Role.PLAYER]


def changer(state: State, person: Person | None) -> str | None:
    """Return who changed a setting, as the others read it; None if they are not told (SET NO
    SHOW)."""
    show = state.settings.show
    if person is None or not (not state.settings.gunboat if show is None else show):
        return None
    return called(state, person)


_ROLES = {Role.MASTER: "The master", Role.OBSERVER: "An observer", Role.PLAYER: "A player"}


def people(state: State, reader: Reader = ANYBODY) -> list[dict[str, object]]:
    """Return who plays what, or played and left, by name, without addresses.

    There are no rows of people whom the reader may not know.
    """
    shown = [
        seat
        for seat in sorted(state.seats, key=lambda seat: seat.power or "")
        if seat.person_id is not None and (seat.power or seat.state in IN_USE)
        if is_known(state, seat, reader)
    ]
    state.seats.load_people(shown)
    elsewhere: list[dict[str, object]] = [
        {"role": Role.PLAYER, "power": power, "name": name, "left": False, "replaced": False}
        for power, name in state.game.options.played_by.items()
    ]
    lent = [(seat.power, seat.options.sits_for) for seat in state.seats.active(Role.PLAYER)]
    return elsewhere + [
        {
            "role": seat.role,
            "power": seat.power,
            "name": _name(state, seat),
            "host": seat.options.host and is_host(state, reader_of(seat.person_id)),
            "left": seat.state not in IN_USE,
            "replaced": seat.state == SeatState.REPLACED,
            "lent": (seat.power, seat.person_id) in lent,
        }
        for seat in shown
    ]


COMPUTER = ", a computer"
"""How the name of a computer ends, as it is stored."""


def _name(state: State, seat: Seat) -> str | Message:
    """Return the name of anyone who has a seat; of a computer in the language of the letter."""
    name = state.seats.person(seat).name
    own = name.removesuffix(COMPUTER)
    return name if own == name else Message("{name}, a computer", {"name": own})


def people_facts(state: State, reader: Reader) -> dict[str, object]:
    """Return `people`, the `hosts`, and `hidden`: until when the reader may not know who plays,
    `end` or `always`, None if they may."""
    hidden = None
    if state.terms.hides_people and not knows_all(state, reader):
        hidden = "end" if state.settings.reveal else "always"
    return {"people": people(state, reader), "hidden": hidden, "hosts": hosts(state)}


def counted(state: State, reader: Reader = ANYBODY) -> int | None:
    """Return how many people play; None if the reader may not know (SET SECRET)."""
    forming = state.game.state == GameState.FORMING
    if state.settings.secret and forming and not knows_all(state, reader):
        return None
    return len(state.seats.active(Role.PLAYER))


def number(state: State, seat: Seat) -> int:
    """Return the number of a player in the assignment of a gunboat game, which only they know.

    The order of joining, which others know in part, would tell who they are.
    """
    about = f"draw number|{state.game.id}|{seat.id}"
    digest = hmac.new(state.storage.tickets.secret, about.encode(), hashlib.sha256).digest()
    return 100_000 + int.from_bytes(digest[:8], "big") % 900_000


def in_assignment_order(state: State) -> list[Seat]:
    """Return the players in the order of the assignment: that of joining, or of their numbers."""
    seats = state.seats.active(Role.PLAYER)
    if not state.settings.gunboat:
        return seats
    return sorted(seats, key=lambda seat: (number(state, seat), seat.id))


def number_of(state: State, person_id: int | None) -> int | None:
    """Return the assignment number of a player of a gunboat game that has not started yet."""
    if not state.settings.gunboat:
        return None
    mine = [seat for seat in state.seats.active(Role.PLAYER) if seat.person_id == person_id]
    return number(state, mine[0]) if mine else None


_SIGNS = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛`´′", "'"),
        **dict.fromkeys("“”„‟«»″", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        **dict.fromkeys("\u2028\u2029\v\f", "\n"),
    }
)
_QUOTED = re.compile(r"\s{0,2}(?:[^\W\d_]{0,3}[>|]\s?)+")
_ITEM = re.compile(r"(?:[*•·◦-]\s|\d{1,2}[.)]\s)")
_AROUND = " \t-~_*.,;:!()[]<>/\\'\""

_BROKEN = 50
"""The column at which programs break lines at the earliest."""


def plain(text: str, names: Iterable[str]) -> str:
    """Return the text as readers of grey press get it.

    `names` are what its writer is called, addresses among them. The name at the end is removed, and
    addresses everywhere; quotation marks, dashes, bullets, quotes, blanks, and line breaks are
    written in one way.
    """
    own = {name.casefold() for name in names if name.strip()}
    text = unicodedata.normalize("NFKC", text.translate(_SIGNS)).translate(_SIGNS)
    text = re.sub(r"(?<=[^\S\n])-{2,3}(?=\s)", "-", text)
    lines = [_line(line) for line in text.split("\n")]
    while lines and (not lines[-1] or lines[-1].strip(_AROUND).casefold() in own):
        lines.pop()
    text = "\n".join(_whole(lines)).strip("\n")
    for address in sorted((name for name in own if "@" in name), key=len, reverse=True):
        text = re.sub(re.escape(address), "...", text, flags=re.IGNORECASE)
    return text


def _line(line: str) -> str:
    """Return one line without invisible characters or trailing blanks, marks written in one way."""
    line = "".join(
        sign for sign in line.replace("\t", "    ") if unicodedata.category(sign)[0] != "C"
    )
    line = line.rstrip()
    line = re.sub(r"\A(\s*)[*•·◦]+\s+", r"\1- ", line)
    quoted = _QUOTED.match(line)
    return f"> {line[quoted.end() :].strip()}".rstrip() if quoted else line


def _whole(lines: Iterable[str]) -> list[str]:
    """Return the lines with those that a program has broken joined again, and single blank
    lines."""
    out: list[str] = []
    broken = False
    for line in lines:
        if not line and (not out or not out[-1]):
            continue
        if broken and line and not line.startswith((" ", ">")) and not _ITEM.match(line):
            out[-1] = f"{out[-1]} {line}"
        else:
            out.append(line)
        broken = len(line) >= _BROKEN and not line.startswith((" ", ">"))
    return out
