"""The judge at work, and its transactions: one message, one step of one game, and what the keeper
does at the command line."""

from __future__ import annotations

import logging
import secrets
import traceback
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from msgspec.structs import replace

from judge.clock import Clock
from judge.commands.admission import come_back
from judge.commands.ending_commands import DECISIONS
from judge.commands.setting_commands import tell_changes
from judge.commands.waiting import tell_of_openings
from judge.events import Event, EventKind, HouseKeeper
from judge.game import bots, directing, keeper_report, phases
from judge.game.clock import game_clock, outage
from judge.game.clock.outage import AlwaysConnected, Connectivity, Heartbeat
from judge.game.people import muster
from judge.game.people.entry import seat_hosts
from judge.game.state import State
from judge.game.state.profile import JudgeProfile, TrustLevel
from judge.intake import authentication, letters, reading, reception, spoken
from judge.intake.authorization import enter_as_keeper, greet_keeper
from judge.intake.command import CommandTable, of_people
from judge.intake.context import KEEPER_AT_HAND, MessageContext, Sender
from judge.intake.correspondence import answer_press
from judge.intake.decisions import decide
from judge.intake.outward import ours
from judge.intake.questions import ask_adoption, ask_waiting, ask_writer, lapse, take_answer
from judge.intake.reception import (
    FIRST,
    HOUR,
    SHORTLY,
    FirstMail,
    awaited,
    may_answer,
    receive,
    take_up,
    waiting_for,
)
from judge.intake.returned import ReturnedMail
from judge.limits import BOUNDS
from judge.mail import bounces
from judge.mail.message import ParsedMessage, header, parse, typed
from judge.messages.outbox import Outbox
from judge.messages.reply import describe_results, reply, tell_players
from judge.storage import (
    AlreadyRun,
    GameState,
    InboundMessage,
    Lacking,
    OutboundMessage,
    Person,
    SeatState,
    Stale,
    Storage,
    Unavailable,
    is_of_machine,
)

log = logging.getLogger(__name__)
_SECOND = timedelta(seconds=1)


class Unsure(Exception):
    """Lines ask for a YES, and nothing was done. `questions` are those they ask."""

    def __init__(self, questions: Sequence[str]) -> None:
        super().__init__(*questions)
        self.questions = tuple(questions)


class Judge:
    """Processes messages and deadlines.

    Every method may be called at any time, again, and by several processes on one database: the
    database decides what is still to be done.
    """

    def __init__(
        self,
        storage: Storage,
        clock: Clock,
        profile: JudgeProfile,
        table: CommandTable,
        seed: Callable[[], str] = lambda: secrets.token_hex(16),
        verify: Callable[[bytes, str], bool] | None = None,
        reach: Connectivity | None = None,
    ) -> None:
        """Make a judge.

        Args:
            table: `judge.commands.TABLE`.
            seed: Where chance comes from. It is asked once for each power assignment, when a game
                opens, and its answer is sealed then.
            verify: Whether the domain in the From of a message, which came by a door, vouches for
                it; None if nobody can tell.
            reach: What mail has been taken in; None if all of it is delivered to the judge.
        """
        self.storage = storage
        self.clock = clock
        self.profile = profile
        self.table = table
        self.seed = seed
        self.verify = verify
        self.reach = reach or AlwaysConnected(clock)
        self.heartbeat = Heartbeat()
        self._lapse_at: datetime | None = None
        self._again_at: datetime | None = None
        self._owing = False

    def process_message(self, mail_id: int) -> bool:
        """Process one message of the inbox: all of it, its reply included, or nothing.

        Returns whether there was anything to do. A message that makes the judge fail is held with
        its traceback, and its sender and the keeper are told. Raises Unavailable, of which Lacking
        is one, and MemoryError: the same can be tried again later.
        """
        storage = self.storage
        try:
            verified = self._is_verified(mail_id)
            with storage.transaction():
                mail = storage.inbound.claim(mail_id, in_turn=True)
                if mail is None:
                    return False
                self._work(mail, verified)
        except (Unavailable, MemoryError):
            raise
        except (authentication.Unproved, FirstMail) as asks:
            with storage.transaction():
                mail = storage.inbound.claim(mail_id)
                if mail is None:
                    return True
                incoming, now = self._read(mail), self.clock.now()
                sender = (context := self._context(mail, incoming, now)).sender
                made_up = reception.may_be_made_up(storage, sender, incoming, now)
                if isinstance(asks, FirstMail) or made_up:
                    self._work(mail, verified, first=True)
                else:
                    ask_writer(context, asks)
                    context.publish()
        except Exception as error:
            if is_of_machine(error):
                raise Lacking(repr(error)) from error
            # What went wrong may repeat what the mail says.
            told = traceback.format_exc().splitlines(keepends=True)
            problem = "".join(map(authentication.blanked_anywhere, told))
            log.error("mail %d is held\n%s", mail_id, problem)
            with storage.transaction():
                mail = storage.inbound.claim(mail_id)
                if mail is not None:
                    self._hold(mail, problem)
        return True

    def blame(self, mail_id: int, problem: str) -> bool:
        """Set a message aside that ended the process that processed it; whether it has to be held
        instead, for it did so before. It is neither read nor is anybody told."""
        with self.storage.transaction():
            mail = self.storage.inbound.claim(mail_id, wait=True)
            # One that is done no more ended its process only after its commit.
            if mail is None or mail.attempts:
                return mail is not None
            self.storage.inbound.blame(mail_id, problem, self.clock.now())
            return False

    def hold(self, mail_id: int, problem: str, answer: bool = True) -> None:
        """Hold a message that ended its process twice; only its header is looked at, and without
        an `answer` nothing of it: then its sender is not told."""
        with self.storage.transaction():
            mail = self.storage.inbound.claim(mail_id, wait=True)
            if mail is not None:
                self._hold(replace(mail, raw=header(mail.raw)), problem, answer)

    def awaited(self, game_id: int, newest: int, by: datetime) -> int | None:
        """Return the message to be processed before what is due in a game; as `run_game`."""
        if not self.storage.inbound.next_new():
            return None
        game = self.storage.games.find(game_id)
        at = min(by, self.clock.now())
        found = None if game is None else awaited(self.storage, self.profile, game, at, newest)
        return None if found is None or found.attempts else found.id

    def run_game(self, game_id: int, newest: int | None = None, by: datetime | None = None) -> bool:
        """Do what is due in a game: start it, adjudicate its phase, remind, or end it.

        Returns whether anything was done. A phase waits for messages of its players and masters
        that came in before now and have not been processed, if they may be about its game: they
        count. With `newest`, the id of a message, it waits for those up to that one and others that
        came in by `by`, which is what `heard` said when the game was found to be due: what falls
        due later waits, for mail may still come that counts for it. A phase is adjudicated once.

        Raises what went wrong inside, or Lacking; nothing was done then, and the keeper is told
        once a phase.
        """
        try:
            with self.storage.transaction():
                # No matter who else works it may do what is due, too.
                game = self.storage.games.claim(game_id, wait=False)
                now = self.clock.now()
                at = now if by is None else min(by, now)
                if game is None or awaited(self.storage, self.profile, game, at, newest):
                    return False
                before = game.phase
                state = State(self.storage, game)
                game_clock.credit(state)
                if state.game.state is GameState.FORMING:
                    seat_hosts(state, self.profile.hosts, now)
                processed = phases.work(state, at, self.seed)
                if state.game.state is GameState.FORMING:
                    tell_of_openings(state)
                directing.follow(self._hall(at, state.events), state)
                tasks = bots.tasks(state)
                self._outbox(at).dispatch(state.events, [state])
            facts = {"game": game.name, "phase": before, "opens": game.phase}
            log.info("game processed" if processed else "nothing due", extra=facts)
            return (bool(tasks) and self._let_bots_order(game_id, tasks)) or processed
        except (AlreadyRun, Stale) as error:
            log.warning("game %d was processed elsewhere: %s", game_id, error)
            return False
        except (Unavailable, MemoryError):
            raise
        except Exception as error:
            if is_of_machine(error):
                raise Lacking(repr(error)) from error
            self.game_failed(game_id, traceback.format_exc())
            raise

    def _let_bots_order(self, game_id: int, tasks: Sequence[bots.Task]) -> bool:
        """Let computer players think, in no transaction, and store what they order."""
        thought = [(task, bots.think(task)) for task in tasks]
        with self.storage.transaction():
            game = self.storage.games.claim(game_id, wait=False)
            if game is None:
                return False
            state, now = State(self.storage, game), self.clock.now()
            ordered = bots.file(state, now, thought)
            phases.reschedule(state, now)
            state.save()
        return ordered

    def keep(
        self, lines: Sequence[str], game: str | None = None, sure: bool = False
    ) -> list[dict[str, Any]]:
        """Carry out lines the keeper gives at the command line, messages included, or nothing.

        They are for the game of that name, which the keeper runs then, or for none. Returns what
        came of each line, as `reply.describe_results` does. Raises LookupError if there is no such
        game, and Unsure for what cannot be undone unless they are `sure`.
        """
        with self.storage.transaction():
            context = self._keeper_context(lines)
            context.sender.confirmed = sure
            if game is not None:
                found = self.storage.games.by_name(game)
                if found is None:
                    raise LookupError(f"there is no game {game}")
                enter_as_keeper(context.cursor, context.now, context.cursor.load(found.id))
            reading.work_through(context)
            context.report.sheet.close()
            self._settle(context)
            results = [*context.report.results, *reading.not_understood(context.report)]
            sender, profile, table = context.sender, self.profile, context.table
            said = describe_results(sender, profile, table, context.now, results, profile.zone)
            if not sure and context.report.offers:
                raise Unsure([str(each["text"]) for each in said if each["kind"] == "asked"])
            return said

    def message_failed(self, letter: OutboundMessage, said: str) -> None:
        """Give up a message, for what the relay `said` last.

        What that means for the address, and who has to know, is one transaction with it.
        """
        try:
            with self.storage.transaction():
                self.storage.outbound.failed(letter.id, said, None)
                now, events = self.clock.now(), list[Event]()
                ReturnedMail(self.storage, events, now).came_back(letter, bounces.of_refusal(said))
                self._outbox(now).dispatch(events)
        except Unavailable:
            raise
        except Exception:
            # Whatever is wrong, the same letter must not be sent again and again.
            log.exception("letter %d was not delivered", letter.id)
            self.storage.outbound.failed(letter.id, said, None)

    def tidy(self, wake: datetime | None = None) -> None:
        """Write to the keeper and to anyone who wants it once a day, let tournaments go on that are
        due, drop once an hour what nobody answered in time, and ask about what waits. `wake` is
        what `next_wake` has just said, if it was asked."""
        now = self.clock.now()
        if self._lapse_at is None or wake is None or wake <= now:
            self._write_digests(now)
        if self._lapse_at is None or now >= self._lapse_at:
            with self.storage.transaction():
                lapse(self.storage, now)
                self._outbox(now).dispatch(ask_waiting(self.storage, self.profile, now))
            self._lapse_at = now + HOUR
        if self._again_at is None or now >= self._again_at:
            with self.storage.transaction():
                take_up(self.storage, self.profile.limits, now)
            self._again_at = now + SHORTLY

    def _write_digests(self, now: datetime) -> None:
        keeper_report.begin(self.storage, self.profile, now)
        due = keeper_report.due_at(self.storage, self.profile)
        if due is not None and due <= now:
            with self.storage.transaction():
                self._outbox(now).dispatch(keeper_report.take(self.storage, self.profile, now))
        for tournament_id in self.storage.tournaments.due(now):
            with self.storage.transaction():
                hall = self._hall(now, [])
                directing.look(hall, tournament_id)
                self._outbox(now).dispatch(hall.events)
        for person_id in self.storage.outbound.kept_for(now):
            with self.storage.transaction():
                self._outbox(now).send_digest(person_id)

    def keep_heartbeat(self, progress: Callable[[], None] = lambda: None) -> bool:
        """Note that the judge works and can be reached; after an outage, first give time back.

        Call it often, and always before `run_game`: it does something once a minute, and as long as
        there are games left to move or people to tell after an outage. Returns whether there are.
        `progress` is called at each step of what may take minutes.
        """
        now = self.clock.now()
        if self.heartbeat.is_due(now, self.reach):
            self.heartbeat.note(self.storage, self.clock, self.reach)
            self._owing = outage.owing(self.storage)
        if self._owing:
            with self.storage.transaction():
                told = outage.give_back(self.storage, progress)
                self._owing = told is not None
                self._outbox(now).dispatch(told or [])
        return self._owing

    def heard(self) -> datetime | None:
        """Return up to when all mail was taken in, now at the latest; None if that is unknown."""
        until = self.reach.until()
        return None if until is None else min(until, self.clock.now())

    def due(self, by: datetime | None = None) -> list[int]:
        """Return the ids of games in which something is due, the longest overdue first.

        What counts is `by`, or else what has been `heard`: mail that lay in a mailbox before a
        deadline counts for it.
        """
        by = by or self.heard()
        return [] if by is None else self.storage.games.due(by)

    def next_wake(self) -> datetime | None:
        """Return when `due` next has something, maybe in the past; None: not before a message."""
        moments = (
            self.storage.games.next_wake(),
            keeper_report.due_at(self.storage, self.profile),
            self.storage.outbound.next_kept(),
            self.storage.tournaments.next_wake(),
        )
        return min((moment for moment in moments if moment is not None), default=None)

    def work(self) -> int:
        """Process all messages and all that is due; return how many steps that took.

        For tests and the command line; the daemon takes the same steps one by one.
        """
        self.tidy()
        steps = 0
        while True:
            mail_id = self.storage.inbound.next_new()
            if mail_id is not None:
                self.process_message(mail_id)
                steps += 1
                continue
            by = self.heard()
            ran = [game_id for game_id in self.due(by) if self.run_game(game_id, by=by)]
            if not ran:
                return steps
            steps += len(ran)

    # One mail

    def _is_verified(self, mail_id: int) -> bool:
        """Return whether the sender's domain vouches for a message.

        It is asked outside of transactions: the answer may have to come from far away.
        """
        if self.verify is None:
            return False
        found = self.storage.inbound.waiting(mail_id)
        return found is not None and self.verify(*found)

    def _work(self, mail: InboundMessage, verified: bool, first: bool = False) -> None:
        """Work a message; of a stranger's `first` one nothing is done before they answer again."""
        now = self.clock.now()
        context = self._context(mail, self._read(mail), now, verified)
        if context.sender.keeper and not context.sender.known_before:
            greet_keeper(context)
        wanted = receive(context)
        context.publish()
        if wanted:
            with spoken.understood(context.cursor, context.profile, context.incoming, context.now):
                self._carry_out(context, first)

    def _carry_out(self, context: MessageContext, first: bool) -> None:
        mail, now = context.mail, context.now
        if first:
            context.report.why = FIRST
        elif not self._read_through(context):
            context.publish()
            return
        context.report.sheet.close()
        for state in [context.cursor.states[each] for each in context.report.came]:
            if any(seat.state is SeatState.ABANDONED for seat in state.seats):
                come_back(context, state)
        for state in context.cursor.states.values():
            if context.sender.person is not None and state.game.state is GameState.FORMING:
                muster.answered(state, context.sender.person.id)
        self._settle(context)
        with spoken.understood(context.cursor, context.profile, context.incoming, context.now):
            # It may have changed with the mail.
            reply(context)
            context.publish()
        if not first:
            # What it wants may need its password.
            authentication.put_away(self.storage, mail, context.sender.secrets, context.incoming)
        self.storage.inbound.done(
            mail.id,
            now,
            game_id=context.cursor.state.game.id if context.cursor.state else None,
            person_id=context.sender.person_id,
            why=context.report.why,
        )
        game = context.cursor.state.game if context.cursor.state else None
        facts = {"game": game.name, "phase": game.phase} if game else {}
        log.info("mail read", extra={"lines": len(context.report.results), **facts})

    def _settle(self, context: MessageContext) -> None:
        """Keep what was done to games, and tell the others."""
        for state in context.cursor.states.values():
            phases.reschedule(state, context.now)
            state.save()
            directing.follow(self._hall(context.now, context.events), state)
        tell_changes(context.cursor, context.report)
        for state in context.cursor.states.values():
            if state.game.state is GameState.FORMING:
                tell_of_openings(state)
        tell_players(context)
        context.publish()

    def _hall(self, now: datetime, events: list[Event]) -> directing.Hall:
        return directing.Hall(self.storage, self.profile, now, self.seed, events)

    def _outbox(self, now: datetime) -> Outbox:
        return Outbox(self.storage, self.profile, now)

    def _read_through(self, context: MessageContext) -> bool:
        """Find out what a message answers, and do what it says; False where it has to wait."""
        incoming, found = context.incoming, context.sender.named
        if found is not None and found.ticket.kind == EventKind.QUESTION.word:
            more = take_answer(context, found)
            letters.locate(context.cursor, context.incoming)
            if more:
                reading.work_through(context)
            return True
        person = context.sender.person
        if found is not None and authentication.is_readers(found.ticket, incoming, person):
            context.sender.answered = found
            if found.proves and context.sender.sure:
                proved = found.ticket.address == incoming.sender
                authentication.remember(context.sender, self.storage, incoming, proved=proved)
        elif found is not None and found.valid and person is None:
            owner = self.storage.people.find(found.ticket.person_id or 0)
            if owner is not None:
                ask_adoption(context, owner)
                return False
        letters.locate(context.cursor, context.incoming)
        if (answers := context.sender.answered) is not None and answers.ticket.claim is not None:
            more = decide(context, answers, DECISIONS)
            context.publish()
            if not more:
                return True
        reading.take_typed(context.cursor, context.report, context.table, context.incoming)
        if (
            context.cursor.replying is not None
            and context.sender.answered is not None
            and context.cursor.state is not None
        ):
            answer_press(
                context,
                context.cursor.state,
                context.cursor.replying,
                context.sender.answered.to_all,
            )
        else:
            reading.work_through(context)
        return True

    def _context(
        self, mail: InboundMessage, incoming: ParsedMessage, now: datetime, verified: bool = False
    ) -> MessageContext:
        addresses = self.profile.addresses(self.storage.tickets.secret)
        named = None
        if incoming.answerable:
            named = authentication.answered(self.storage, addresses, mail, incoming, now)
        mailbox = self.storage.people.mailbox(incoming.sender)
        person = self.storage.people.find(mailbox.person_id) if mailbox else None
        keeps = authentication.is_keeper(self.storage, self.profile, incoming.sender, person)
        sender = Sender(
            person,
            address=incoming.sender.lower(),
            mailbox=mailbox,
            known_before=person is not None,
            keeper=keeps,
            way=authentication.way_of(self.profile, mail),
            verified=verified,
            named=named,
            proof=mail.proof,
        )
        text = reading.without_quotes(self.storage, incoming, person, named)
        context = self._made(mail, text, now, sender)
        context.sender.sure = authentication.is_surely(context.sender)
        return context

    def _keeper_context(self, lines: Sequence[str]) -> MessageContext:
        """Return the context of lines that the keeper gives in person.

        They are kept as a message is, so that what comes of them can refer to it.
        """
        now, profile = self.clock.now(), self.profile
        address = profile.keeper or profile.address
        incoming = typed(address, "\n".join(lines))
        head = f"From: {address}\r\nMessage-ID: {profile.new_message_id()}\r\n\r\n"
        raw, proof = f"{head}{incoming.text}\r\n".encode(), TrustLevel.VERIFIED.word
        mail = self.storage.inbound.note(raw, door="keeper", proof=proof, now=now)
        keeper = Person(id=KEEPER_AT_HAND, name=ours("The keeper"), created_at=now)
        sender = Sender(keeper, known_before=True, keeper=True, proof=proof)
        return self._made(mail, incoming, now, sender)

    def _made(
        self, mail: InboundMessage, incoming: ParsedMessage, now: datetime, sender: Sender
    ) -> MessageContext:
        """Return the context of a message, which turns what people must be told into messages."""
        if self.clock.real_seconds(_SECOND) < 1:
            # A clock that runs faster shows another time than those of the senders.
            incoming = replace(incoming, date=None)
        sender.needed, sender.usual_zone = self.profile.trust, self.profile.zone
        context = MessageContext(
            storage=self.storage,
            profile=self.profile,
            table=self.table if sender.keeper else of_people(self.table),
            mail=mail,
            incoming=incoming,
            now=now,
            addresses=self.profile.addresses(self.storage.tickets.secret),
            seed=self.seed,
            sender=sender,
        )
        context.dispatch = self._outbox(now).dispatch
        context.cursor.claimed = game_clock.credit
        return context

    def _hold(self, mail: InboundMessage, problem: str, answer: bool = True) -> None:
        """Keep a mail aside and say so: to its sender the first time, to the keeper always."""
        now, storage = self.clock.now(), self.storage
        known = [letter.kind for letter in storage.outbound.of_mail(mail.id)]
        storage.inbound.blame(mail.id, problem, now)
        storage.inbound.hold(mail.id, problem, now)
        facts = {"waiting": waiting_for(storage, mail), "zone": self.profile.zone}
        if storage.outbound.lately((EventKind.HELD.word,), now - HOUR) < BOUNDS.held:
            said = {**facts, "mail_id": mail.id, "problem": problem, "answered": answer}
            event = Event(kind=EventKind.HELD, to=HouseKeeper(), facts=said, mail_id=mail.id)
            self._outbox(now).dispatch([event])
        if not answer or EventKind.TROUBLE.word in known:
            return
        context = self._context(mail, self._read(mail), now)
        if may_answer(context):
            context.answer(EventKind.TROUBLE, {**facts, "zone": context.sender.zone})
        context.publish()

    def game_failed(self, game_id: int, problem: str) -> None:
        """Tell the keeper that a game cannot go on, once for each phase."""
        with self.storage.transaction():
            game = self.storage.games.find(game_id)
            known = [each for each in self.storage.events.of_game(game_id) if each.what == "stuck"]
            if game is None or game.phase in [each.facts["phase"] for each in known]:
                return
            now = self.clock.now()
            facts = {"game": game.name, "phase": game.phase, "problem": problem}
            self.storage.events.log(now, "stuck", facts, game_id=game_id)
            told = Event(kind=EventKind.STUCK, to=HouseKeeper(), facts=facts)
            self._outbox(now).dispatch([told])

    def _read(self, mail: InboundMessage) -> ParsedMessage:
        return parse(mail.raw, mail.envelope_from, own=(self.profile.address,))
