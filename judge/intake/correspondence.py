"""Press that people send, and answers to it: their text goes on as press, the orders and commands
among it are followed.

Which line is which says `judge.intake.gate`. What may be meant for the judge is kept back, and its
writer is told how to send it as press.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta

from msgspec import Struct
from msgspec.structs import replace

from judge.game.press import recipients as press
from judge.game.press.dispatch import Manner, send_out, settle
from judge.game.press.recipients import PressHead, Recipients
from judge.game.state import State
from judge.game.state.answers import Answer, LineResult, Refused
from judge.game.state.profile import JudgeProfile
from judge.game.visibility import readable_press as views
from judge.intake.addressees import ALL, Hear, hearing, powers_named
from judge.intake.authentication import prove, shown
from judge.intake.command import CommandTable
from judge.intake.context import Cursor, Fate, MessageContext, Report, Sender
from judge.intake.gate import (
    Told,
    ends_press,
    heads_orders,
    is_apart,
    is_marked,
    is_ruled,
    orders_in,
    press_lines,
    speaks_of_judge,
    tell_apart,
)
from judge.intake.labels import Label, label_to_people
from judge.intake.lines import meant, read_lines
from judge.intake.offers import offer
from judge.intake.outward import bare, passed, unsigned
from judge.intake.reading import work_through
from judge.language.speech import is_secret
from judge.language.wish_model import sentences
from judge.mail.message import ParsedMessage
from judge.storage import GameState, Press, PressColor, Role, Seat, Storage

Find = Callable[[State, Press, Sequence[Seat]], Recipients]


def answer_press(context: MessageContext, state: State, written: Press, to_all: bool) -> None:
    """Work a mail that answers press; what came of it is in `context.report`."""
    text = context.report.sheet.rest()
    if not any(map(meant, text.splitlines())) or is_marked(
        text, context.table, context.cursor.turn
    ):
        work_through(context)
        return
    plays = state.game.state == GameState.ACTIVE and bool(context.cursor.playing())
    find = press.to_all if to_all else press.to_writer
    to: tuple[str, ...] = ()
    with suppress(Refused):
        found = find(state, written, context.cursor.seats)
        # Where those whom it goes to are known.
        to = () if views.ANONYMOUS in found.labels else (ALL,) if found.public else found.labels
    heard = hearing(context.cursor.eyes(state).names)
    told = tell_apart(text.splitlines(), context.table, context.cursor.turn, plays, to, heard)
    # The subject that the conversation has, as its next letter bears it.
    subject = shown(context.sender, " ".join(context.incoming.subject.split()))
    begun = "JUDGE:" in subject
    if begun and not written.subject:
        # It is that of the thread, which the letter gets anyway.
        subject = ""
    elif subject:
        subject = f"Re: {subject}" if begun else f"JUDGE:{state.game.name} - {subject}"
    if told.ours:
        work_through(context, told.ours)
    else:
        # Press has no attachments: the reply names what went nowhere.
        context.report.sheet.add(context.incoming.attached)
    if context.cursor.state is not state or not context.cursor.seats:
        # A line of it ended their seat (RESIGN).
        return
    if any(press_lines(told.sent)):
        _settle(context.report, told.sent, *_send(context, state, find, written, told, subject))
    if any(press_lines(told.kept)):
        cursor, report, table = context.cursor, context.report, context.table
        for each in _keep(cursor, report, table, state, find, written, told, heard):
            _settle(report, *each)


def _settle(report: Report, rows: Mapping[int, str], fate: Fate, result: LineResult) -> None:
    """Give rows that have text the fate that came of them, of which the reply says `result`."""
    report.results.append(result)
    for line in press_lines(rows):
        report.sheet.give(line, fate, result)


class KeptPress(Struct, frozen=True):
    """Lines that were kept back, by rows, and what a YES to them does: a command, with those lines
    below it if it is `press`. Without a command they are for nobody."""

    rows: Mapping[int, str]
    command: str
    to: Sequence[str] = ()

    @property
    def text(self) -> str:
        """The lines as press has them."""
        return "\n".join(each for each in self.rows.values() if not ends_press(each)).strip("\n")

    @property
    def carried_out(self) -> str:
        """Exactly what a YES carries out."""
        return f"{self.command}\n{self.text}\nENDPRESS" if self.to else self.command


def _send(
    context: MessageContext, state: State, find: Find, written: Press, told: Told, subject: str
) -> tuple[Fate, LineResult]:
    lines = list(told.sent.values())
    facts: dict[str, object] = {"taken": len(told.ours)}
    try:
        to = find(state, written, context.cursor.seats)
        # Replies to unsigned press stay unsigned unless the writer says otherwise.
        unsigned = views.is_hidden_from(state, written, context.cursor.seats)
        color = PressColor.GREY if unsigned else None
        manner = settle(state, context.cursor.seats, to, PressHead(color, ""), context.now)
        prove(context.cursor, state, press=True)
        context.report.came.add(state.game.id)
        sent = send_press(context, state, to, manner, lines, subject)
    except Refused as refused:
        facts = {"back": "\n".join(lines).strip("\n"), "why": refused.code, **refused.facts}
        answer = Answer("press_refused", facts)
        return Fate.NOTHING, LineResult("", "refused", answer, "PRESS", refused.offers)
    return Fate.SENT, LineResult("", "command", Answer("answered_press", facts | sent), "PRESS")


def _keep(
    cursor: Cursor,
    report: Report,
    table: CommandTable,
    state: State,
    find: Find,
    written: Press,
    told: Told,
    heard: Hear,
) -> Iterator[tuple[Mapping[int, str], Fate, LineResult]]:
    """Keep back what may be meant for the judge, and ask whether to do what its pieces say."""
    seats = cursor.seats
    back = KeptPress(told.kept, "").text
    facts = told.facts | {"to": [], "back": back, "command": "", "text": "", "first": True}
    try:
        to = find(state, written, seats)
    except Refused as refused:
        answer = Answer("press_refused", facts | {"why": refused.code, **refused.facts})
        yield told.kept, Fate.NOTHING, LineResult("", "refused", answer, "PRESS", refused.offers)
        return
    if views.ANONYMOUS in to.labels:
        # No line of press names them.
        answer = Answer("kept_back", facts)
        yield told.kept, Fate.NOTHING, LineResult("", "refused", answer, "PRESS")
        return
    grey = "GREY " if views.is_hidden_from(state, written, seats) else ""
    head = f"BROADCAST {grey}" if to.public else f"PRESS {grey}TO {', '.join(to.labels)}"
    first = True
    whole = KeptPress({}, head.strip(), to.labels)
    for each in _Pieces(cursor, table, told, whole, heard).read():
        begins = first and bool(each.command)
        first = first and not begins
        about = {"to": each.to, "text": each.text, "command": each.command, "first": begins}
        answer = Answer("kept_back", told.facts | about)
        if each.command:
            # Orders are for the phase that is open.
            lasts = table.find(each.command) is not None
            question = offer(cursor, report, each.carried_out, answer=answer, lasting=lasts)
            yield each.rows, Fate.ASKED, question
        else:
            yield each.rows, Fate.NOTHING, LineResult("", "refused", answer, "PRESS")


class _Pieces:
    """What was kept back in pieces: a command each, and all that is for the same people: whom a
    line names, as it is `heard`, who wrote what the mail answers (the empty piece `whole`), or
    nobody."""

    def __init__(
        self, cursor: Cursor, table: CommandTable, told: Told, whole: KeptPress, heard: Hear
    ) -> None:
        self.cursor, self.table, self.told = cursor, table, told
        self.whole, self.heard = whole, heard
        self.turn, self.mine = cursor.turn(), {*cursor.powers()}
        self.found: dict[object, KeptPress] = {}
        self.piece, self.paragraph, self.last = whole, False, -1

    def read(self) -> list[KeptPress]:
        """Return the pieces of what was kept back."""
        for row, written, apart in self._parted(self.told.kept):
            self._put(row, written, apart)
        return [each for each in self.found.values() if any(map(str.strip, each.rows.values()))]

    def _parted(self, kept: Mapping[int, str]) -> Iterator[tuple[int, str, bool]]:
        """Yield rows with their numbers, those that are apart in two parts where another sentence
        than the first one is: what stands above it, if that is not for others, and the rest, of
        which it is said that it is apart."""
        for row, written in kept.items():
            apart = self._apart(self.heard(self.told.text_of(row, written)))
            every = [each.text for each in sentences([written])] if apart else []
            first = next((each for each in every if self._apart(self.heard(meant(each)))), "")
            above = written[: written.find(first)].rstrip() if first else ""
            named = powers_named(self.heard(above), self.turn.variant)
            if not above or not named <= {*self.whole.to, *self.mine}:
                yield row, written, False
                continue
            yield row, above, False
            yield row, written[len(above) :].lstrip(), True

    def _apart(self, text: str, doubtful: bool = True, unlabelled: bool = True) -> bool:
        """Return whether no YES sends a text: it is secret, names us, or is not said to readers."""
        names_us = heads_orders(text, self.turn) or speaks_of_judge(text) if doubtful else False
        if is_secret(text) or names_us:
            return True
        return unlabelled and is_apart(text, self.whole.to, self.turn)

    def _put(self, row: int, written: str, apart: bool) -> None:
        """Put a row, or a part of it, where it belongs."""
        text = self.told.text_of(row, written)
        said = self.heard(text)
        doubtful = row in self.told.doubtful
        label = None if apart else label_to_people(said, self.turn)
        if self.paragraph and (not text or row > self.last + 1):
            self.piece, self.paragraph = self.whole, False
        self.last = row
        # Below a label it is said to those whom that names.
        unlabelled = self.piece.to == self.whole.to and label is None
        heads = apart or (doubtful and _is_for_others(label, text))
        secret = heads or (doubtful and row in self.told.aside)
        secret = secret or self._apart(said, doubtful, unlabelled)
        alone = doubtful and (secret or label is None)
        command = _command(self.cursor, self.table, text, secret) if alone else ""
        if command or secret:
            self.found[row] = KeptPress(self._headed(row, written, secret), command)
            if secret and (_HEADS.fullmatch(text) or speaks_of_judge(text)):
                # Nor is what it heads.
                self.piece, self.paragraph = KeptPress({}, ""), True
        else:
            self._say(row, written, label)

    def _say(self, row: int, written: str, label: Label | None) -> None:
        """Put a row where it is said to whom it is for."""
        if is_ruled(written):
            self.piece, self.paragraph = KeptPress({}, ""), False
        elif label is not None and label.for_reader and label.sure:
            self.piece, self.paragraph = _for(label, self.whole, self.mine), bool(label.rest)
            written = _behind(label, written)
        before = self.found.get(self.piece.command, self.piece)
        self.found[self.piece.command] = replace(before, rows={**before.rows, row: written})

    def _headed(self, row: int, written: str, secret: bool) -> Mapping[int, str]:
        """Return a row, if it is `secret` with the line above that says that it is for nobody."""
        above = self.found.get(self.piece.command, self.piece).rows
        heading = self.heard(meant(above.get(row - 1, ""))) if secret else ""
        label = label_to_people(heading, self.turn)
        if label is None or not label.nobody:
            return {row: written}
        rest = {each: above[each] for each in above if each < row - 1}
        self.found[self.piece.command] = replace(self.piece, rows=rest)
        return {row - 1: above[row - 1], row: written}


_ENDS_OPEN = re.compile(r":[)\]}>\s]*\Z")
_HEADS = re.compile(r".*[:=#~-][)\]}>\s]*|[(\[{<].*[)\]}>]\W*")
"""A line that says of those below it, to the end of their paragraph, what they are: it ends so, or
stands in brackets."""


def _behind(label: Label, written: str) -> str:
    """Return what of a line is for those whom its label names: its greeting, too."""
    named = label.to and not label.greets and meant(written).endswith(label.rest)
    return label.rest if named else written


def _for(label: Label, whole: KeptPress, mine: Collection[str]) -> KeptPress:
    """Return the empty piece for the readers that a label names; `whole` is for those answered."""
    named = dict.fromkeys([*(whole.to if label.also else ()), *label.to])
    others = [each for each in named if each not in mine]
    if label.nobody or label.ours or not others:
        return KeptPress({}, "")
    if ALL in others:
        return KeptPress({}, "BROADCAST", (ALL,))
    to = f"PRESS TO {', '.join(others)}"
    return whole if set(others) <= set(whole.to) else KeptPress({}, to, others)


def _is_for_others(label: Label | None, text: str) -> bool:
    """Return whether a line in doubt says in a sentence, or heads, who is to read what follows."""
    if label is None:
        return _ENDS_OPEN.search(text) is not None
    return bool(label.game or label.several or (label.for_reader and not label.sure))


def _command(cursor: Cursor, table: CommandTable, text: str, secret: bool) -> str:
    """Return the command that a line is, or the orders that a `secret` line gives, else ""."""
    if secret:
        return "\n".join(orders_in(text, cursor.turn()))
    read = list(read_lines(text, table, cursor.turn))
    found = read[0] if len(read) == 1 else None
    if found is None or found.command is None or found.problem is not None:
        return ""
    command = found.command
    if command.marks or command.ends or command.frames or command.stops or command.enters:
        return ""
    return found.read or found.text


def send_press(
    context: MessageContext,
    state: State,
    to: Recipients,
    manner: Manner,
    lines: Sequence[str],
    subject: str = "",
    held: bool = False,
) -> dict[str, object]:
    """Send press from the sender's seats, and return the facts of their own copy, which shows what
    others see.

    `subject` is that of the conversation, "" for one that begins. A `held` message waits for the
    results. Raises Refused when it is empty, one too many in an hour, or would become more letters
    than one person may cause in a day.
    """
    grey = manner.color == PressColor.GREY
    sender, now, most = context.cursor.seats, context.now, context.profile.limits.press
    found = passed(context, lines)
    text = found.text
    if grey:
        text = unsigned(text, _names(context.cursor, context.incoming, state))
    if not text.strip():
        raise Refused("press_empty")
    if context.report.again:
        raise Refused("press_again")
    ids = [seat.id for seat in sender]
    if context.storage.press.lately(ids, now - timedelta(hours=1)) >= most:
        raise Refused("press_too_often", most=most)
    _check_letters(context.sender, context.storage, context.profile, context.now, to)
    seat = next((s for s in sender if s.role == Role.PLAYER), sender[0])
    who = views.label(state, sender)
    sent = context.storage.press.add(
        Press(
            game_id=state.game.id,
            phase=state.game.phase,
            sender_id=seat.id,
            from_label=views.ANONYMOUS if grey else who,
            to=list(manner.shown),
            color=manner.color,
            text=text,
            public=to.public,
            sent_at=now,
            subject=bare(context, "" if grey else subject),
            seats=[each.id for each in to.seats],
            held=held,
            overseen=state.game.moderated and state.settings.all_press,
        )
    )
    if not held:
        send_out(state, sent, context.mail.id, context.sender.person_id)
    computers = [each.power for each in to.seats if each.options.bot and each.power]
    return {
        "sender": who,
        "grey": grey,
        "to": list(sent.to),
        "public": views.is_broadcast(sent),
        "truth": None if views.tells_truth(state, sent) else views.true_labels(state, sent),
        "held": held,
        "text": text,
        "cut": found.cut,
        "quotes": found.quotes,
        "unknown": views.ANONYMOUS in sent.to,
        # Where everybody may know who plays.
        "computers": [] if to.public or state.terms.hides_people else computers,
    }


def _check_letters(
    sender: Sender, storage: Storage, profile: JudgeProfile, now: datetime, to: Recipients
) -> None:
    """Raise Refused where a message is for more people than the sender may write to today."""
    me, most = sender.person_id, profile.limits.letters
    if me is None:
        return
    left = most - storage.press.letters(me, now - timedelta(days=1))
    people = sum(seat.person_id != me for seat in to.seats)
    if people > left:
        raise Refused("press_too_many", most=most, left=max(left, 0), people=people)


def _names(cursor: Cursor, incoming: ParsedMessage, state: State) -> list[str]:
    """Return what the sender may be called, in the text or by a mail program."""
    seats = cursor.seats
    names = [incoming.sender, incoming.sender_name or "", views.label(state, seats)]
    people = [state.seats.person(seat) for seat in seats if seat.person_id is not None]
    if cursor.sender.person is not None:
        people.append(cursor.sender.person)
    for person in {person.id: person for person in people}.values():
        names += [person.name, *person.name.split()]
        names += [each.address for each in cursor.storage.people.addresses(person.id)]
    return names
