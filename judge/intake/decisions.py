"""Follow the YES or NO that a mail begins with: to a question for those in a game, or to offers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from judge.events import EventKind
from judge.game.state import part
from judge.game.state.answers import Answer, LineResult, Refused
from judge.game.state.profile import TrustLevel
from judge.intake.authentication import prove
from judge.intake.context import Answered, MessageContext, ReplySheet, Report
from judge.intake.given import give
from judge.intake.offers import OPEN_FOR, Offer, chosen, from_claim, renew, said_yes, to_claim
from judge.intake.reading import work_through


class Decision(Struct, frozen=True):
    """A kind of message that can be answered so, and what the reply does.

    `act` may name parts of the context (`judge.intake.given`), `state`, the ticket's `claim`, which
    says what is to be decided, and whether the reply is `yes`; it raises Refused where there is
    nothing left to decide. With `masters` only game masters
    decide.
    """

    kind: EventKind
    act: Callable[..., Answer]
    masters: bool = True


def decide(context: MessageContext, found: Answered, decisions: Iterable[Decision]) -> bool:
    """Carry out the first lines of a mail that answer such a letter, and leave the rest in it.
    Returns whether there is anything else to be read. A letter that asks has a claim."""
    row, first = context.report.sheet.first()
    known = {each.kind.word: each for each in decisions}
    decision, end = known.get(found.ticket.kind), 0
    if decision is not None and found.valid:
        if end := _decide(context, found, decision, first):
            context.report.sheet.begin(row, end)
    else:
        # `YES 1` and `NO 2` may stand on a line each.
        while (left := _take(context, found, first)) is not None:
            context.report.sheet.begin(row, end := len(first))
            found = left
            row, first = context.report.sheet.first()
    return not end or decision is not None or bool(context.report.sheet.rest().strip())


def _decide(context: MessageContext, found: Answered, decision: Decision, line: str) -> int:
    """Follow what a line says to a question; how many of its characters say it."""
    said, state = said_yes(line), context.cursor.state
    if said is None or state is None or (decision.masters and not context.cursor.is_master()):
        return 0
    # Its address is enough for what its letter asks, though that is of an earlier phase.
    prove(context.cursor, None if found.proves else state, TrustLevel.TOKEN)
    word = "YES" if said[0] else "NO"
    claim = found.ticket.claim or ""
    try:
        answer = give(decision.act, context, state=state, claim=claim, yes=said[0])
    except Refused as refused:
        _refuse(context.report, line, refused.answer, word)
    else:
        context.report.results.append(LineResult(line, "command", answer, word))
    return len(line) - len(said[1])


def _picked(left: list[int], numbers: Sequence[int], *, every: bool) -> list[int]:
    """Return which of the offers that are left somebody means who wrote these numbers."""
    return left if every else [each for each in dict.fromkeys(numbers) if each in left]


def _take(context: MessageContext, found: Answered, line: str) -> Answered | None:
    """Follow what a line says to offers; return what is left of them, None for no answer."""
    offers, said = from_claim(found.ticket.claim), chosen(line)
    if not offers or said is None:
        return None
    yes, numbers, every = said
    if context.now > found.ticket.created_at + OPEN_FOR or not found.valid:
        _refuse(context.report, line, Answer("offer_over", {"why": "expired"}))
        return found
    # Nobody is taken out of a game by a From alone, whatever the keeper wants to be proved.
    prove(context.cursor, None, TrustLevel.TOKEN)
    left = [number for number, each in enumerate(offers, 1) if not each.done]
    every = every or (not numbers and (len(left) == 1 or not yes))
    picked = _picked(left, numbers, every=every)
    again = [] if picked else left
    after = to_claim(
        replace(each, done=each.done or number in picked + again)
        for number, each in enumerate(offers, 1)
    )
    over = not left or (numbers and not picked)
    # Two processes may have read them alike.
    if over or not context.storage.tickets.reclaim(found.ticket.id, found.ticket.claim, after):
        _refuse(context.report, line, Answer("offer_over", {"why": "done"}))
        return found
    for each in (offers[number - 1] for number in picked):
        if text := each.text if yes else each.no:
            _carry_out(context, replace(each, text=text), line)
    if not yes and not context.report.results:
        context.report.results.append(LineResult(line, "command", Answer("offer_declined"), "NO"))
    # Yes to which of them? The reply asks once more, and each by its number.
    context.report.results.extend(renew(context.report, offers[each - 1]) for each in again)
    return replace(found, ticket=replace(found.ticket, claim=after))


def _carry_out(context: MessageContext, offer: Offer, line: str) -> None:
    """Do what was offered, in the game and the seats that it was offered for."""
    if offer.game_id is not None:
        game = context.storage.games.find(offer.game_id)
        assert game is not None
        state = context.cursor.load(game.id)
        mine = state.seats.of(context.sender.person_id)
        seats = [seat for seat in mine if part(seat) in offer.parts]
        if len(seats) < len(offer.parts) or offer.phase not in (None, game.phase):
            facts = {"why": "moved", "game": game.name, "phase": game.phase}
            _refuse(context.report, line, Answer("offer_over", facts))
            return
        context.cursor.enter(state, seats)
    whole, sheet = context.incoming, context.report.sheet
    context.incoming = replace(whole, attached="", typed=())
    context.report.sheet = ReplySheet(offer.text.splitlines())
    context.sender.confirmed = True
    work_through(context)
    context.sender.confirmed = False
    context.incoming, context.report.sheet = whole, sheet


def _refuse(report: Report, line: str, answer: Answer, read: str = "YES") -> None:
    report.results.append(LineResult(line, "refused", answer, read))
