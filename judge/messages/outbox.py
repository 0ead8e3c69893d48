"""The outbox: turns events into messages and queues them, in the transaction that caused them.

Each message is worded in its reader's language and shows what that reader may see of the game at
the moment of dispatch. It joins the thread of its game, and carries addresses that tell what a
reply to it is about.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, time, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from itertools import groupby
from typing import Any, NamedTuple
from urllib.parse import quote
from zoneinfo import ZoneInfo

from markupsafe import Markup
from msgspec.structs import replace

from judge import render
from judge.events import At, Event, EventKind, Everybody, HouseKeeper, Recipient
from judge.game.people.contact import addresses_of, hears, is_away
from judge.game.people.reliability import tenures
from judge.game.phases import game_facts, next_hour
from judge.game.state import State
from judge.game.state.boards import with_words
from judge.game.state.profile import JudgeProfile
from judge.game.visibility.eyes import ALL as EVERYBODY
from judge.game.visibility.eyes import (
    ANYBODY,
    MOST_OF_LETTER,
    MOST_PICTURED,
    BoardPicture,
    Eyes,
    as_attachments,
    boards_of,
    of_orders,
    several,
)
from judge.i18n import language, speaking
from judge.mail import compose
from judge.mail.address import ALL, BOUNCE, REPLY, STOP
from judge.mail.compose import Attachment, Mailbox
from judge.mail.message import ParsedMessage
from judge.mail.pictures import NOTE
from judge.mail.quotes import packed_of
from judge.messages import html_message
from judge.messages.attachments import archive, calendar_files, phase_record, position_file
from judge.messages.html_message import likes_html, pictures_in
from judge.messages.news import news_of
from judge.messages.threads import PROGRAMS, for_programs, thread_of
from judge.messages.views import reader_facts
from judge.render import is_tame
from judge.storage import (
    Game,
    GameState,
    OutboundMessage,
    OutboundState,
    Person,
    PhaseRun,
    Press,
    PressColor,
    Role,
    Storage,
    Ticket,
)

HIDDEN, GREY = timedelta(minutes=5), timedelta(minutes=15)
"""The steps in which messages go out that come of a player's message: in games where nobody may
know who plays, and with unsigned press."""

_NEVER = datetime.max.replace(tzinfo=UTC)

log = logging.getLogger(__name__)


def _references(root: str | None, answers: ParsedMessage | None) -> list[str]:
    """Return the ids of the messages before this one: the root of its thread, and what it answers.

    What answers a letter of a phase before stands below that letter, in its thread.
    """
    found = [root] if root and (answers is None or not answers.references) else []
    if answers is not None:
        found += [each for each in answers.references if each not in found]
        if answers.message_id and answers.message_id not in found:
            found.append(answers.message_id)
    return found


def _hides(state: State, press: Press | None) -> timedelta | None:
    """Return how long a message that comes of somebody's own has to stay behind, so that what else
    they did in that one does not tell who they are; None where everybody may know."""
    if press is not None and press.color == PressColor.GREY:
        return GREY
    return HIDDEN if state.terms.hides_people else None


def send_time(now: datetime, step: timedelta | None) -> datetime:
    """Return when such a message is dated and goes out: at the next full step.

    Unsigned ones come later than all others, so that the two never go together.
    """
    if step is None:
        return now
    after = now + HIDDEN if step == GREY else now
    over = (after - datetime.min.replace(tzinfo=UTC)) % step
    return after + (step - over) if over else after


def _name_of(person: Person | None) -> str:
    """Return the name that a message is addressed to; "" where it could be more than a name."""
    return person.name if person and is_tame(person.name) else ""


class _PhaseNews(NamedTuple):
    """A phase as somebody may see it: its results in words, and as a file if it had orders."""

    run: PhaseRun
    report: Mapping[str, object]
    record: Attachment | None


class _Owing(NamedTuple):
    """A game in which somebody's orders are missing: what they may know of it, what a reply is
    about, and the board."""

    view: Mapping[str, object]
    ticket: Ticket
    boards: Sequence[BoardPicture]


class Outbox:
    """Queues messages. Everything it queues commits or vanishes with the caller's transaction."""

    def __init__(self, storage: Storage, profile: JudgeProfile, now: datetime) -> None:
        self.storage = storage
        self.profile = profile
        self.now = now
        self.addresses = profile.addresses(storage.tickets.secret)
        self._shown: dict[int, _PhaseNews] = {}
        self._queued = 0

    def dispatch(
        self, events: list[Event], states: Iterable[State] = (), writer: Person | None = None
    ) -> int:
        """Queue the messages of these events, in order, and empty the list; how many there are.

        `states` are the games as the caller works them, and `writer` is whose mail is processed;
        others are as they are stored.
        """
        known = {state.game.id: state for state in states}
        taken, before = tuple(events), self._queued
        events.clear()
        for event in taken:
            state = self._state(event.game_id, known)
            if state is not None and event.kind.row.archive:
                event = replace(event, files=(*event.files, *archive(state)))
            match event.to:
                case Everybody(but):
                    assert state is not None
                    told = [each for each in state.seats.everybody() if each not in but]
                    told = [each for each in told if hears(state, each, event.kind)]
                    self._to_people(event, told, known)
                case Recipient(person_id):
                    self._to_people(event, [person_id], known)
                case HouseKeeper():
                    if self.profile.keeper:
                        facts = {"zone": self.profile.zone, **event.facts}
                        self._send(event, self.profile.keeper, facts)
                case At(address, at_person):
                    person = writer
                    if writer is None or writer.id != at_person:
                        person = self.storage.people.find(at_person or 0)
                    self._send(event, address, event.facts, person, state, event.files)
        return self._queued - before

    def send_digest(self, person_id: int) -> None:
        """Queue the one message of somebody's day: what was kept for it, and what they owe."""
        person = self.storage.people.find(person_id)
        kept = self.storage.outbound.take_kept(person_id)
        if person is None:
            return
        event = Event(kind=EventKind.DAY, to=Recipient(person_id))
        for recipient in dict.fromkeys(each.recipient for each in kept):
            letters = [each for each in kept if each.recipient == recipient]
            owed = list(self._owed(event, recipient, person))
            facts = {
                "zone": self.profile.zone_of(person),
                "owed": [each.view for each in owed],
                "told": entries(letters),
            }
            # Where one game waits, a plain reply is about that one.
            about = replace(event, ticket=owed[0].ticket if len(owed) == 1 else None)
            boards = [board for each in owed[:MOST_PICTURED] for board in each.boards]
            files = (*files_of(letters), *as_attachments(boards, MOST_OF_LETTER))
            self._send(about, recipient, facts, person, files=files)

    def _owed(self, event: Event, address: str, person: Person) -> Iterator[_Owing]:
        """Yield each game in which orders are missing, soonest first, with where they are sent."""
        zone, waiting = self.profile.zone_of(person), list[tuple[State, dict[str, object]]]()
        for game in self.storage.games.of_person(person.id, [GameState.ACTIVE]):
            state = State(self.storage, game)
            with speaking(person.language):
                view = dict(reader_facts(state, person.id, zone, self.now))
            if owes(view):
                waiting.append((state, view))
        waiting.sort(key=lambda each: each[0].game.deadline or _NEVER)
        for state, view in waiting:
            with speaking(person.language):
                few = len(waiting) > 1
                boards = list(of_orders(state, person, few=few)) if self._shows(person) else []
            ticket = self.storage.tickets.add(self._ticket(event, address, person, state))
            view |= {"reply_address": self.addresses.make(ticket.id, REPLY)}
            yield _Owing(view, ticket, boards)

    def _shows(self, person: Person) -> bool:
        """Return whether messages to somebody have pictures where there are any."""
        return self.profile.pictures and likes_html(person)

    def _state(self, game_id: int | None, known: dict[int, State]) -> State | None:
        if game_id is None:
            return None
        if game_id not in known:
            game = self.storage.games.find(game_id)
            assert game is not None
            known[game_id] = State(self.storage, game)
        return known[game_id]

    def _to_people(self, event: Event, ids: Sequence[int], known: dict[int, State]) -> None:
        """Queue a message for people on file."""
        state = None if event.kind.row.outside else self._state(event.game_id, known)
        people = {each.id: each for each in self.storage.people.all_of(ids)}
        where = self.storage.people.all_addresses(ids)
        told = [
            (person, address)
            for person in filter(None, map(people.get, ids))
            for address in addresses_of(self.storage, person, where[person.id], self.now, state)
        ]
        asked = [
            event.ticket or self._ticket(event, address, person, state) for person, address in told
        ]
        tickets = zip(told, self.storage.tickets.add_all(asked), strict=True)
        for person, group in groupby(tickets, key=lambda each: each[0][0]):
            letters = [(address, ticket) for (_, address), ticket in group]
            self._to_person(event, person, letters, known)

    def _to_person(
        self,
        event: Event,
        person: Person,
        letters: Sequence[tuple[str, Ticket]],
        known: dict[int, State],
    ) -> None:
        """Queue a message to these addresses of somebody, with the tickets behind them, and with
        their own view of the game if it has one."""
        state = self._state(event.game_id, known)
        if event.kind is EventKind.RESULTS and state is not None and is_away(state, person.id):
            event = replace(event, kind=EventKind.AWAY, runs=(), files=())
        zone = self.profile.zone_of(person)
        view: dict[str, object] = {"zone": zone, "now": self.now}
        if state is not None and event.kind.row.outside:
            view |= game_facts(state, self.now, Eyes(state, ANYBODY))
            state = None
        dated = [self._state(game_id, known) for game_id in event.calendars]
        files = [*event.files, *self._calendars(event, person, [*dated, state])]
        if state is not None:
            seen = Eyes(state, person.id)
            with speaking(person.language):
                view = dict(reader_facts(state, person.id, zone, self.now))
            if event.kind.row.people:
                view |= seen.people()
            if event.kind is EventKind.END:
                view["periods"] = tenures(state, seen)
            shown = [self._show(state, seen.record_of(run)) for run in event.runs]
            reports = [each.report for each in shown]
            mine = [seat.power for seat in state.seats.of(person.id) if seat.role is Role.PLAYER]
            view |= {"reports": reports, "news": news_of(reports, [*filter(None, mine)])}
            files += [each.record for each in shown if each.record]
            if event.kind in (EventKind.START, EventKind.RESULTS):
                files += filter(None, [position_file(state, person.id)])
            if self._shows(person):
                with speaking(person.language):
                    boards = list(boards_of(event, state, person))
                files += as_attachments(boards, MOST_OF_LETTER)
        facts = view | {"name": person.name} | dict(event.facts)
        for address, ticket in letters:
            self._send(event, address, facts, person, state, files, ticket)

    def _calendars(
        self, event: Event, person: Person, states: Sequence[State | None]
    ) -> Iterable[Attachment]:
        for state in states:
            if state is not None:
                yield from calendar_files(event.kind, state, person, self.profile.address, self.now)

    def _leaves(self, event: Event, state: State | None) -> datetime:
        """Return when a message leaves: with a delay where it would tell who wrote."""
        answers = event.to.answers if isinstance(event.to, At) else None
        if state is None or event.mail_id is None or answers is not None:
            return self.now
        return send_time(self.now, _hides(state, event.press))

    def _view(self, event: Event, facts: Mapping[str, Any], state: State | None) -> dict[str, Any]:
        """Return what the template of a message gets: the facts, and what all messages have."""
        view = {"judge": self.profile.name, "judge_address": self.profile.address, "now": self.now}
        view |= {"buttons": event.kind.row.buttons} | dict(facts)
        if self.profile.web and state is not None and state.settings.listed:
            view["web"] = f"{self.profile.web}/games/{state.game.name}/index.html"
        return view

    def _send(
        self,
        event: Event,
        address: str,
        facts: Mapping[str, Any],
        person: Person | None = None,
        state: State | None = None,
        files: Sequence[Attachment] = (),
        ticket: Ticket | None = None,
    ) -> None:
        """Queue a message to an address, in the language of whose it is, or in the one spoken
        now; `ticket` stands behind it if that is on file already."""
        kind, press = event.kind.word, event.press
        answers = event.to.answers if isinstance(event.to, At) else None
        view = self._view(event, facts, state)
        reader = person or self.storage.people.by_address(address)
        spoken = reader.language if reader else language()
        with speaking(spoken):
            thread = thread_of(state.game if state else None, person)
        letter = render.message(kind, view, spoken, thread=thread.words)
        ticket = ticket or self.storage.tickets.add(
            event.ticket or self._ticket(event, address, person, state)
        )
        html = None
        if likes_html(reader):
            view["reply_address"] = self.addresses.make(ticket.id, REPLY)
            html = html_message.page(kind, view, letter, spoken, pictures_in(files))
        message_id = self.addresses.message_id(ticket.id)
        game = state.game if state else None
        when = self._leaves(event, state)
        references = _references(thread.root, answers)
        sender = Mailbox(letter.sender or self.profile.name, self.profile.address)
        reply_to = self._reply_to(ticket, press, game)
        try:
            raw = compose.build(
                sender=sender,
                recipient=Mailbox(_name_of(person), address),
                subject=letter.subject,
                text=letter.text,
                date=when,
                message_id=message_id,
                in_reply_to=references[-1] if references else None,
                # What somebody may have made up is not made longer by what it refers to.
                references=() if facts.get("slight") else references,
                automatic="auto-replied" if answers else "auto-generated",
                list_id=self._list_id(game, answers is None),
                reply_to=reply_to,
                cc=self._everybody(ticket, press),
                headers=[
                    (PROGRAMS, for_programs(event, state, view)),
                    *self._stop(event, ticket, state, person),
                ],
                attachments=files,
                html=html,
            )
        except ValueError as error:
            # An address no message can go to must not keep the game from going on.
            log.warning("no letter: %s", error)
            return
        self._queued += 1
        until = kept_until(event, person, state, self.now, self.profile)
        self.storage.outbound.queue(
            OutboundMessage(
                message_id=message_id,
                game_id=game.id if game else None,
                person_id=person.id if person else None,
                mail_id=event.mail_id,
                recipient=address,
                envelope_from=self.addresses.make(ticket.id, BOUNCE),
                kind=kind,
                subject=letter.title if state else letter.subject,
                raw=raw,
                # Now that it is at hand: its reader's next mail is compared with it.
                digests=packed_of((sender, reply_to), letter.text, html),
                state=OutboundState.KEPT if until else OutboundState.QUEUED,
                next_try=until or when,
                queued_at=self.now,
                sent_at=self.now if until else None,
            )
        )

    def _show(self, state: State, run: PhaseRun) -> _PhaseNews:
        """Return a phase as somebody sees it. What everybody sees alike is written once."""
        kept = self._shown.get(id(run))
        if kept is None or kept.run is not run:
            record = phase_record(state.game, run) if run.results["orders"] else None
            report = with_words(run.results, state.variant)
            kept = self._shown[id(run)] = _PhaseNews(run, report, record)
        return kept

    def _ticket(
        self, event: Event, address: str, person: Person | None, state: State | None
    ) -> Ticket:
        """Return what a reply is about, and may do: the message's reader, game, and phase."""
        return Ticket(
            kind=event.kind.word,
            address=address,
            person_id=person.id if person else None,
            game_id=state.game.id if state else None,
            phase=state.game.phase if state else None,
            parts=state.seats.parts_of(person.id) if state and person else [],
            press_id=event.press.id if event.press else None,
            claim=event.claim,
            created_at=self.now,
            expires_at=self.now + timedelta(days=self.profile.reply_days),
        )

    def _reply_to(self, ticket: Ticket, press: Press | None, game: Game | None) -> Mailbox:
        name = f"{press.from_label} in {game.name}" if press and game else self.profile.name
        return Mailbox(name, self.addresses.make(ticket.id, REPLY))

    def _everybody(self, ticket: Ticket, press: Press | None) -> list[Mailbox]:
        """Return what a mail program answers as well when its user replies to all."""
        if press is None or not several(press):
            return []
        name = "Everybody" if press.to == [EVERYBODY] else ", ".join([press.from_label, *press.to])
        return [Mailbox(name, self.addresses.make(ticket.id, ALL))]

    def _list_id(self, game: Game | None, unasked: bool) -> str | None:
        """Return the list a message is of (RFC 2919): its game's, else the judge's."""
        domain = self.profile.domain
        return f"{game.name}.{domain}" if game else f"judge.{domain}" if unasked else None

    def _stop(
        self, event: Event, ticket: Ticket, state: State | None, person: Person | None
    ) -> list[tuple[str, str]]:
        """Return what a mail program's buttons write (RFC 2369 sections 3.1 and 3.2).

        The one to unsubscribe ends the watching of an observer at once. One who plays or runs the
        game is asked first: nobody leaves by mistake. Where the keeper's web server takes it, one
        click does the same (RFC 8058 section 3.1). Nobody unsubscribes from answers.
        """
        if isinstance(event.to, At) and event.to.answers is not None:
            return []
        seats = state.seats.of(person.id) if state and person else []
        watches = bool(seats) and all(seat.role == Role.OBSERVER for seat in seats)
        purpose = STOP if watches else REPLY
        stop = f"<mailto:{self.addresses.make(ticket.id, purpose)}?subject=unsubscribe"
        stop += ">" if watches else f"&body={quote(event.kind.row.stop)}>"
        helps = ("List-Help", f"<mailto:{self.profile.address}?subject=help&body=HELP>")
        if self.profile.unsubscribe is None:
            return [helps, ("List-Unsubscribe", stop)]
        url = f"<{self.profile.unsubscribe}{self.addresses.click(ticket.id, purpose)}>"
        one_click = ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
        return [helps, ("List-Unsubscribe", f"{url}, {stop}"), one_click]


# The one message a day of one who wants one (SET DIGEST). What would come too late by then is not
# kept: a message about a deadline goes at once where that deadline is before the next digest.


_SAID = (EventKind.REMINDER.word, EventKind.LATE.word)
"""What these say is what is owed, which the digest says as it is when it goes out."""

_ROWS = re.compile(r'<tr><td class="top".*(?=<tr><td class="foot")', re.DOTALL)
_PICTURE = re.compile(r"<p[^>]*>(<a [^>]*>)?<img [^>]*>(</a>)?</p>")


def kept_until(
    event: Event, person: Person | None, state: State | None, now: datetime, profile: JudgeProfile
) -> datetime | None:
    """Return when the digest comes that a message waits for; None for what goes out at once."""
    row = event.kind.row
    if person is None or person.options.digest is None or not row.waits:
        return None
    if row.essential and person.options.results_at_once:
        return None
    zone = ZoneInfo(profile.zone_of(person))
    moment = next_hour(now, zone, time.fromisoformat(person.options.digest))
    deadline = state.game.deadline if state and row.clock else None
    return None if deadline is not None and deadline <= moment else moment


def owes(view: Mapping[str, Any]) -> bool:
    """Return whether orders of the reader's are missing in a game, as `reader_facts` has it."""
    return any(each["sheet"].owes and not each["sheet"].complete for each in view["mine"])


def entries(letters: Sequence[OutboundMessage]) -> list[dict[str, object]]:
    """Return what messages that were kept say: when, as `text`, as `rows` of the HTML, and where a
    reply to press goes."""
    return [_entry(each) for each in letters if each.kind not in _SAID]


def _entry(letter: OutboundMessage) -> dict[str, object]:
    message = _parsed(letter)
    plain, page = message.get_body(("plain",)), message.get_body(("html",))
    assert plain is not None
    # Lines end in mails as no text of ours may.
    found = _ROWS.search(str(page.get_content()).replace("\r\n", "\n")) if page else None
    return {
        "at": letter.queued_at,
        "text": str(plain.get_content()).strip("\n"),
        # Our own HTML, in which all that people wrote is escaped.
        "reply_to": message["Reply-To"].addresses[0].addr_spec
        if letter.kind == EventKind.PRESS.word
        else None,
        "rows": found and Markup(_PICTURE.sub("", found[0])),  # noqa: S704
    }


def files_of(letters: Sequence[OutboundMessage]) -> list[Attachment]:
    """Return what goes with the messages but for pictures: of each file the last."""
    found: dict[str, Attachment] = {}
    for part in (part for letter in letters for part in _parsed(letter).walk()):
        name, content = part.get_filename(), part.get_payload(decode=True)
        if name and isinstance(content, bytes) and part.get_content_type() != NOTE:
            parameters = tuple((key, str(value)) for key, value in (part.get_params() or [])[1:])
            found[name] = Attachment(name, part.get_content_type(), content, parameters)
    return list(found.values())


def _parsed(letter: OutboundMessage) -> EmailMessage:
    message = message_from_bytes(letter.raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message
