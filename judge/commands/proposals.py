"""What players ask for and others decide: more time, a long absence, a pause.

In a moderated game the game masters decide, and the first answer counts. In an unmoderated one
players vote: on a deadline those who owe orders in this phase, on a pause all of them. More than
half must say yes; asking counts as yes. Nobody learns who voted how. Where the game master has
paused a game without an end, its players vote on going on.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from msgspec.structs import asdict, replace

from judge.events import EventKind, Recipient
from judge.game.clock import game_clock as clock
from judge.game.endings import ask_to_share, undecided
from judge.game.state import State
from judge.game.state.answers import Answer, Refused
from judge.game.visibility.eyes import ANYBODY, Eyes
from judge.intake.context import Cursor, Log, Sender
from judge.storage import InboundMessage, Proposal, ProposalKind, ProposedTimes, Role


def propose(
    cursor: Cursor, now: datetime, log: Log, state: State, kind: ProposalKind, times: ProposedTimes
) -> Answer:
    """Ask those who decide, and return the answer to the sender.

    It replaces an open question of the same kind from the same person. Where players vote, one who
    asks for what somebody has proposed votes for that.

    Raises Refused where nobody can decide.
    """
    me = cursor.sender.registered.id
    masters = [] if votes(state, kind) else _masters(state, me)
    if not (masters or votes(state, kind)):
        raise Refused("nobody_decides", game=state.game.name)
    for number, each in _open(state).items():
        same = (each.kind, each.phase, each.facts) == (kind, state.game.phase, times)
        if same and each.by != me and not masters:
            return act(cursor, now, log, state, number, True)
    deciders = masters or [each for each in _voters(state, kind) if each != me]
    kept = {
        key: each
        for key, each in _open(state).items()
        if (each.kind, each.by) != (kind, me) and each.phase == state.game.phase
    }
    number = str(max((int(key) for key in _open(state)), default=cursor.mail.id * 10) + 1)
    powers = [seat.power for seat in state.seats.of(me) if seat.power]
    # Who plays several powers is called by the first.
    asker = next(iter(powers), "") or Eyes(state, ANYBODY).called(cursor.sender.registered)
    proposal = Proposal(kind, me, asker, state.game.phase, times, yes=(me,))
    state.note(proposals={**kept, number: proposal})
    log(f"asked for {kind}", _logged(proposal))
    told = _told(proposal)
    if not masters and _result(state, proposal):
        return _carry(cursor, now, log, state, number, proposal)
    for person in deciders:
        _ask(cursor.mail, state, number, proposal, person)
    count = {"voters": len(deciders) + 1, "vote": not masters}
    return Answer("proposed", told | count)


def _ask(
    mail: InboundMessage, state: State, number: str, proposal: Proposal, person_id: int
) -> None:
    """Put a question to one of those who decide."""
    state.tell(
        EventKind.PROPOSAL,
        _told(proposal) | {"vote": votes(state, proposal.kind)},
        to=Recipient(person_id),
        mail_id=mail.id,
        claim=number,
    )


def ask_again(sender: Sender, mail: InboundMessage, state: State) -> None:
    """Put to the writer, who was away and plays again, what is open and wants their word."""
    me = sender.registered.id
    for number, each in _open(state).items():
        said = me in (*each.yes, *each.no) or each.phase != state.game.phase
        votes_on = votes(state, each.kind) and not said
        if votes_on and me in _voters(state, each.kind):
            _ask(mail, state, number, each, me)
    ask_to_share(state, [sender.registered] if me in undecided(state) else [])


def _open(state: State) -> Mapping[str, Proposal]:
    return state.game.options.proposals


def _logged(proposal: Proposal) -> dict[str, str]:
    """Return what a proposal asks for, as the log has it."""
    times = asdict(proposal.facts).items()
    return {name: moment.isoformat() for name, moment in times if moment is not None}


def votes(state: State, kind: ProposalKind) -> bool:
    """Return whether players decide about questions of a kind."""
    endless = kind is ProposalKind.RESUME and clock.pause_ends_at(state) is None
    return endless or not state.game.moderated


def _masters(state: State, but: int) -> list[int]:
    """Return the ids of those who run a game."""
    return [
        seat.person_id
        for seat in state.seats.active(Role.MASTER)
        if seat.person_id is not None and seat.person_id != but
    ]


def _voters(state: State, kind: ProposalKind) -> list[int]:
    """Return the ids of the people who decide about a question of a kind."""
    powers = state.powers.deciding() if kind is ProposalKind.DEADLINE else state.powers.survivors()
    seats = [state.seats.player(power) for power in powers]
    people = [seat.person_id for seat in seats if seat is not None and not seat.options.bot]
    return list(dict.fromkeys(each for each in people if each is not None))


def _told(proposal: Proposal) -> dict[str, object]:
    """Return a proposal as facts for the templates."""
    return {"kind_of": proposal.kind, "asker": proposal.asker, **asdict(proposal.facts)}


def _result(state: State, proposal: Proposal) -> bool | None:
    """Return whether a vote has passed, None where it is open still."""
    voters = set(_voters(state, proposal.kind))
    if 2 * len(voters & set(proposal.yes)) > len(voters):
        return True
    return False if 2 * len(voters & set(proposal.no)) >= len(voters) else None


def act(cursor: Cursor, now: datetime, log: Log, state: State, claim: str, yes: bool) -> Answer:
    """Follow a YES or NO to the letter about the proposal with the number `claim`."""
    proposal = _open(state).get(claim)
    if proposal is None or proposal.phase != state.game.phase:
        raise Refused("proposal_over")
    me = cursor.sender.registered.id
    if not votes(state, proposal.kind):
        if not cursor.is_master():
            raise Refused("not_yours_to_decide", game=state.game.name)
        return (
            _carry(cursor, now, log, state, claim, proposal)
            if yes
            else _decline(cursor.sender, cursor.mail, now, log, state, claim)
        )
    if me not in _voters(state, proposal.kind):
        raise Refused("no_say")
    said_yes, said_no = (
        tuple(each for each in said if each != me) + ((me,) if mine else ())
        for said, mine in ((proposal.yes, yes), (proposal.no, not yes))
    )
    proposal = replace(proposal, yes=said_yes, no=said_no)
    state.note(proposals={**_open(state), claim: proposal})
    result = _result(state, proposal)
    if result is None:
        return Answer("vote_counted", _told(proposal) | {"yes": yes})
    return (
        _carry(cursor, now, log, state, claim, proposal)
        if result
        else _decline(cursor.sender, cursor.mail, now, log, state, claim)
    )


def _close(state: State, claim: str) -> None:
    left = {key: each for key, each in _open(state).items() if key != claim}
    state.note(proposals=left)


def _carry(
    cursor: Cursor, now: datetime, log: Log, state: State, claim: str, proposal: Proposal
) -> Answer:
    """Do what was asked for, and tell everybody it concerns."""
    kind, told = proposal.kind, _told(proposal)
    me = cursor.sender.registered.id
    vote = votes(state, kind)
    _close(state, claim)
    if kind is ProposalKind.DEADLINE:
        new = proposal.facts.to
        assert new is not None
        clock.keep_promise(state, clock.running(state), new, cursor.is_master())
        if new <= now:
            raise Refused("proposal_over")
        clock.set_deadline(state, new, "vote" if vote else "request", but=me)
    elif kind is ProposalKind.PAUSE:
        clock.pause(state, now, "vote", but=me, until=proposal.facts.to)
    elif kind is ProposalKind.RESUME:
        clock.resume(state, now, "vote", but=me)
    else:
        span = (proposal.facts.start, proposal.facts.end)
        clock.change_absences(
            state,
            state.seats.of(proposal.by),
            now,
            lambda known: [
                replace(each, approved=each.approved or (each.start, each.end) == span)
                for each in known
            ],
        )
        _tell_asker(cursor.sender, cursor.mail, state, proposal, True)
    log(f"granted {kind}", _logged(proposal))
    return Answer("granted", told)


def _decline(
    sender: Sender, mail: InboundMessage, now: datetime, log: Log, state: State, claim: str
) -> Answer:
    proposal = _open(state)[claim]
    _close(state, claim)
    if proposal.kind is ProposalKind.ABSENCE:
        clock.change_absences(
            state,
            state.seats.of(proposal.by),
            now,
            lambda known: [a for a in known if a.approved or a.start != proposal.facts.start],
        )
    log(f"declined {proposal.kind}", _logged(proposal))
    _tell_asker(sender, mail, state, proposal, False)
    return Answer("declined", _told(proposal))


def _tell_asker(
    sender: Sender, mail: InboundMessage, state: State, proposal: Proposal, yes: bool
) -> None:
    asker = proposal.by
    if sender.person is not None and asker != sender.person.id:
        facts = _told(proposal) | {"yes": yes, "vote": votes(state, proposal.kind)}
        state.tell(EventKind.DECIDED, facts, to=Recipient(asker), mail_id=mail.id)
