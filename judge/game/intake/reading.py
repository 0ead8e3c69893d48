"""Carries a mail out, line by line; what each line is says `judge.game.intake.lines`."""

from __future__ import annotations

from collections.abc import Iterator

from judge import variants
from judge.game.command import Answer, Command, Refused
from judge.game.intake.lines import Line, counted, read_lines
from judge.game.intake.quotes import not_counted
from judge.game.intake.trust import prove
from judge.game.keepers.keeper import meant
from judge.game.orders.ahead import conditions_allowed
from judge.game.orders.desk import Desk
from judge.game.orders.filing import on_file, put_on_file
from judge.game.orders.kept import keep_order
from judge.game.people.admission import awaits
from judge.game.rights import allow
from judge.game.state.profile import Level
from judge.game.visibility.fog import desk_for
from judge.game.visit import Item, Visit
from judge.mail.message import Kind

MOST_COMMANDS = 100
"""Commands of one mail that are carried out; a game is set up with a third of that."""

MOST_ASKED = 12
"""Questions of one mail that are answered: each may take pages."""


def work_through(visit: Visit) -> None:
    """Carry out a mail line by line; what came of each is in `visit.items`.

    A line that fails changes nothing and spoils no other one.
    """
    if visit.incoming.kind is Kind.UNREADABLE:
        facts = {"reason": visit.incoming.reason}
        visit.items.append(Item("", "refused", Answer("unreadable_mail", facts)))
        return
    attached = visit.incoming.attached
    text = counted(visit.incoming.text, attached, visit.table, lambda: desk_of(visit))
    commands = asked = 0
    for line in read_lines(text, visit.table, lambda: desk_of(visit)):
        visit.lines.append(line)
        if line.command is not None and (line.problem is None or line.kind == "press"):
            commands += 1
            asked += line.command.asks
            if commands > MOST_COMMANDS or asked > MOST_ASKED:
                continue
            if _carry_out(visit, line, line.command):
                return
        elif line.kind == "order" and line.problem is None:
            visit.items.append(_take(visit, line))
        elif line.problem is not None:
            visit.items.append(_refused(visit, line))
    if commands > MOST_COMMANDS or asked > MOST_ASKED:
        most = {"commands": MOST_COMMANDS, "asked": MOST_ASKED}
        visit.items.append(Item("", "refused", Answer("too_many", most)))
    visit.items.extend(not_counted(visit, lambda: desk_of(visit)))


def desk_of(visit: Visit) -> Desk:
    """What the next line is about: the game of this visit, as far as orders can be given in it."""
    state = visit.state
    if state is None:
        return Desk(variants.load("standard"))
    powers = tuple(seat.power for seat in visit.playing() if seat.power)
    if state.game.state == "active" and visit.orders_for_all():
        return Desk(state.variant, state.opened, state.rulebook)
    if state.game.state != "active" or not powers:
        return Desk(state.variant)
    allowed = conditions_allowed(state)
    return desk_for(state, powers, allowed)


def not_understood(visit: Visit) -> Iterator[Item]:
    """The lines that were taken for talk, for a writer who has nobody to talk to."""
    for line in visit.lines:
        if line.kind == "text" and line.text:
            yield Item(line.text, "refused", Answer("no_command"), None, ("HELP",))


def _carry_out(visit: Visit, line: Line, command: Command) -> bool:
    """Run a command; whether reading ends with it."""
    assert line.call is not None
    if not line.text and visit.state is None:
        # An empty mail about no game: there is no status to tell.
        return False
    command = meant(visit, command)
    try:
        allow(visit, command)
        answer = command.run(visit, line.call)
    except Refused as refused:
        answer = Answer(refused.code, refused.facts)
        visit.items.append(Item(line.text, "refused", answer, command.form, refused.offers))
        return False
    visit.items.append(Item(line.text, "command", answer, command.name, asks=command.asks))
    return answer.ends


def _take(visit: Visit, line: Line) -> Item:
    """Put an order on file, or say why no orders are taken here and now."""
    barred = _barred(visit, line)
    if barred is not None:
        return barred
    assert visit.state is not None
    assert line.asked is not None
    state, power = visit.state, line.asked.power
    as_master = visit.orders_for_all()
    if as_master:
        # Whoever can forge an address must not order everybody's units with it.
        prove(visit, state, Level.TOKEN)
        if power is None:
            facts = {"powers": list(state.variant.powers)}
            return Item(line.text, "refused", Answer("name_a_power", facts), line.read)
    if line.later is not None:
        item = keep_order(visit, state, line, line.asked)
    else:
        item = put_on_file(visit, state, line.asked)
    if as_master and item.kind == "order":
        assert power is not None
        visit.given.setdefault((state.game.id, power), []).append(item)
    return item


def _refused(visit: Visit, line: Line) -> Item:
    """The answer to a line that cannot be used."""
    assert line.problem is not None
    if line.asked is not None:
        barred = _barred(visit, line)
        if barred is not None:
            return barred
    problem = line.problem
    if problem.code == "impossible_order" and visit.state is not None and line.asked is not None:
        standing = on_file(visit.state, line.asked.power, line.asked.place)
        earlier = None if standing is None else str(standing)
        problem = Answer(problem.code, {**problem.facts, "earlier": earlier})
    return Item(line.text, "refused", problem, line.read, line.offers)


def _barred(visit: Visit, line: Line) -> Item | None:
    """Why no orders are taken where this one stands; None where they are."""
    state = visit.state
    if state is None:
        try:
            visit.here()
        except Refused as refused:
            return Item(
                line.text, "refused", Answer(refused.code, refused.facts), None, refused.offers
            )
        raise AssertionError("a visit without a state is nowhere")
    facts: dict[str, object] = {"game": state.game.name}
    if state.game.state != "active":
        facts["state"] = state.game.state
        return Item(line.text, "refused", Answer("no_orders_now", facts))
    if not visit.playing() and not visit.orders_for_all():
        return Item(line.text, "refused", Answer("players_only", facts))
    if visit.became is None and any(awaits(state, seat) for seat in visit.playing()):
        return Item(line.text, "refused", Answer("not_approved_yet", facts))
    visit.came.add(state.game.id)
    return None
