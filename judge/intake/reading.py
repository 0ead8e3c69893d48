"""Carries a mail out, line by line; what each line is says `judge.intake.lines`."""

from __future__ import annotations

from collections.abc import Iterator

from judge import variants
from judge.game.orders.ahead import conditions_allowed
from judge.game.orders.kept import keep_order
from judge.game.orders.order_context import OrderContext, desk_for
from judge.game.orders.save import on_file, put_on_file
from judge.game.people.admission import awaits
from judge.game.state.answers import Answer, LineResult, Refused
from judge.game.state.profile import TrustLevel
from judge.intake.authentication import prove
from judge.intake.authorization import allow, meant
from judge.intake.command import Command
from judge.intake.context import MessageContext
from judge.intake.lines import Line, counted, read_lines
from judge.intake.quotes import not_counted
from judge.mail.message import Kind
from judge.storage import GameState

MOST_COMMANDS = 100
"""Commands of one mail that are carried out; a game is set up with a third of that."""

MOST_ASKED = 12
"""Questions of one mail that are answered: each may take pages."""


def work_through(context: MessageContext) -> None:
    """Carry out a mail line by line; what came of each is in `context.report.results`.

    What a line tells people is published at once, while the games stand as the line left them. A
    line that fails changes nothing and spoils no other one.
    """
    if context.incoming.kind is Kind.UNREADABLE:
        facts = {"reason": context.incoming.reason}
        context.report.results.append(LineResult("", "refused", Answer("unreadable_mail", facts)))
        return
    attached = context.incoming.attached
    text = counted(context.incoming.text, attached, context.table, lambda: desk_of(context))
    commands = asked = 0
    for line in read_lines(text, context.table, lambda: desk_of(context)):
        context.report.lines.append(line)
        if line.command is not None and (line.problem is None or line.kind == "press"):
            commands += 1
            asked += line.command.asks
            if commands > MOST_COMMANDS or asked > MOST_ASKED:
                continue
            ends = _carry_out(context, line, line.command)
            context.publish()
            if ends:
                return
        elif line.kind == "order" and line.problem is None:
            context.report.results.append(_take(context, line))
            context.publish()
        elif line.problem is not None:
            context.report.results.append(_refused(context, line))
    if commands > MOST_COMMANDS or asked > MOST_ASKED:
        most = {"commands": MOST_COMMANDS, "asked": MOST_ASKED}
        context.report.results.append(LineResult("", "refused", Answer("too_many", most)))
    context.report.results.extend(not_counted(context, lambda: desk_of(context)))


def desk_of(context: MessageContext) -> OrderContext:
    """What the next line is about: the game at the cursor, as far as it takes orders."""
    state = context.cursor.state
    if state is None:
        return OrderContext(variants.load("standard"))
    powers = tuple(seat.power for seat in context.cursor.playing() if seat.power)
    if state.game.state == GameState.ACTIVE and context.cursor.orders_for_all():
        return OrderContext(state.variant, state.opened, state.rulebook)
    if state.game.state != GameState.ACTIVE or not powers:
        return OrderContext(state.variant)
    allowed = conditions_allowed(state)
    return desk_for(state, powers, allowed)


def not_understood(context: MessageContext) -> Iterator[LineResult]:
    """The lines that were taken for talk, for a writer who has nobody to talk to."""
    for line in context.report.lines:
        if line.kind == "text" and line.text:
            yield LineResult(line.text, "refused", Answer("no_command"), None, ("HELP",))


def _carry_out(context: MessageContext, line: Line, command: Command) -> bool:
    """Run a command; whether reading ends with it."""
    assert line.call is not None
    if not line.text and context.cursor.state is None:
        # An empty mail about no game: there is no status to tell.
        return False
    command = meant(context, command)
    try:
        allow(context, command)
        answer = command.run(context, line.call)
    except Refused as refused:
        answer = Answer(refused.code, refused.facts)
        context.report.results.append(
            LineResult(line.text, "refused", answer, command.form, refused.offers)
        )
        return False
    context.report.results.append(
        LineResult(line.text, "command", answer, command.name, asks=command.asks)
    )
    return answer.ends


def _take(context: MessageContext, line: Line) -> LineResult:
    """Put an order on file, or say why no orders are taken here and now."""
    barred = _barred(context, line)
    if barred is not None:
        return barred
    assert context.cursor.state is not None
    assert line.asked is not None
    state, power = context.cursor.state, line.asked.power
    as_master = context.cursor.orders_for_all()
    if as_master:
        # Whoever can forge an address must not order everybody's units with it.
        prove(context, state, TrustLevel.TOKEN)
        if power is None:
            facts = {"powers": list(state.variant.powers)}
            return LineResult(line.text, "refused", Answer("name_a_power", facts), line.read)
    if line.later is not None:
        item = keep_order(context, state, line, line.asked)
    else:
        item = put_on_file(context, state, line.asked)
    if as_master and item.kind == "order":
        assert power is not None
        context.report.given.setdefault((state.game.id, power), []).append(item)
    return item


def _refused(context: MessageContext, line: Line) -> LineResult:
    """The answer to a line that cannot be used."""
    assert line.problem is not None
    if line.asked is not None:
        barred = _barred(context, line)
        if barred is not None:
            return barred
    problem = line.problem
    if (
        problem.code == "impossible_order"
        and context.cursor.state is not None
        and line.asked is not None
    ):
        standing = on_file(context.cursor.state, line.asked.power, line.asked.place)
        earlier = None if standing is None else str(standing)
        problem = Answer(problem.code, {**problem.facts, "earlier": earlier})
    return LineResult(line.text, "refused", problem, line.read, line.offers)


def _barred(context: MessageContext, line: Line) -> LineResult | None:
    """Why no orders are taken where this one stands; None where they are."""
    state = context.cursor.state
    if state is None:
        try:
            context.cursor.here()
        except Refused as refused:
            return LineResult(
                line.text, "refused", Answer(refused.code, refused.facts), None, refused.offers
            )
        raise AssertionError("a context without a state is nowhere")
    facts: dict[str, object] = {"game": state.game.name}
    if state.game.state != GameState.ACTIVE:
        facts["state"] = state.game.state
        return LineResult(line.text, "refused", Answer("no_orders_now", facts))
    if not context.cursor.playing() and not context.cursor.orders_for_all():
        return LineResult(line.text, "refused", Answer("players_only", facts))
    if context.cursor.became is None and any(
        awaits(state, seat) for seat in context.cursor.playing()
    ):
        return LineResult(line.text, "refused", Answer("not_approved_yet", facts))
    context.report.came.add(state.game.id)
    return None
