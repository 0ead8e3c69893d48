"""Carry a message out: find its game and its language, then do what each line says.

What each line is says `judge.intake.lines`. A message may begin with the YES or NO to a question
for game masters; whatever follows is read as usual.

What of it is a quote is told by the letters of ours that it answers. What was typed into a quote
counts as far as it is an order, a sheet that was filled in or a line that was changed, or a command
beyond doubt. Everything else there may be some program's doing.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from judge.events import EventKind, reader
from judge.game.orders import possible
from judge.game.orders.advance import first_counts
from judge.game.orders.interpret import InterpretedOrder
from judge.game.orders.order_context import OrderContext, order_context
from judge.game.state import State
from judge.game.state.answers import Answer, LikelyMeant, LineResult, Refused, Unconfirmed
from judge.game.state.profile import TrustLevel
from judge.game.state.sheet import worded
from judge.intake import letters
from judge.intake.addressees import ALL, MASTER, courtesies, head_of
from judge.intake.ahead import keep_order
from judge.intake.arguments import check_no_tournament
from judge.intake.authentication import prove
from judge.intake.authorization import allow, check_part, elsewhere, meant
from judge.intake.command import Command, CommandTable
from judge.intake.context import Answered, Cursor, Fate, MessageContext, Report
from judge.intake.doubts import held_back, in_doubt, is_in_doubt, offer_doubted
from judge.intake.gate import is_certain, orders_in, up_to_orders
from judge.intake.labels import game_named
from judge.intake.lines import Line, acts, is_talk, read_lines
from judge.intake.offers import offer
from judge.intake.talk import asked_by, fate_of
from judge.intake.which_game import ask_which, enter_named, is_open
from judge.intake.wishes import Request
from judge.limits import BOUNDS
from judge.mail.message import MailKind, ParsedMessage, answering
from judge.mail.quotes import quoted_above
from judge.rules.orders import Order, Proxy, lent_units, order_text, place
from judge.rules.phase import Kind as PhaseKind
from judge.sentences import Wording
from judge.storage import EarlierOrders, GameState, InboundMessage, Person, Storage


def work_through(context: MessageContext, rows: Container[int] | None = None) -> None:
    """Carry out a mail line by line, or those `rows` of it; `context.report` says what came of it.
    What a line tells people is published at once, while the games stand as the line left them. A
    line that fails changes nothing and spoils no other one."""
    if context.incoming.kind is MailKind.UNREADABLE:
        answer = Answer("unreadable_mail", {"reason": context.incoming.reason})
        context.report.results.append(LineResult("", "refused", answer))
        return
    sheet, attached = context.report.sheet, context.incoming.attached
    if attached.strip() and not acts(sheet.rest(), context.table, context.cursor.turn):
        sheet.add(attached)
    elif attached.strip():
        context.report.left_out = acts(attached, context.table, context.cursor.turn)
    limit, talk, doubted, fate = _Limit(), list[Line](), list[Line](), Fate.NOTHING
    result: LineResult | None = None
    text = sheet.rest(rows)
    enter_named(context.cursor, context.table, text)
    above = quoted_above(text.splitlines(), context.incoming.texts.shown)
    orders, lines, open_ = _lines(context.cursor, context.table, text, above)
    which = ask_which(context.cursor, context.report, context.table, text) if open_ else {}
    orders = orders or bool(which)
    for line in lines:
        question = next((which[row] for row in line.rows if row in which), None)
        if question is not None and line.command is None:
            sheet.give(line, Fate.ASKED, question)
            continue
        doubted += [line] * is_in_doubt(line)
        talk += [line] * is_talk(line)
        if is_in_doubt(line) or is_talk(line):
            continue
        _settle(context, talk, orders)
        if not line.below:
            with _noting(context.cursor, context.report):
                fate, result = _work(context, line, limit)
        elif fate is Fate.NOTHING and result and "back" not in result.answer.facts:
            # The reply says of the command alone why it was refused.
            result = None
        sheet.give(line, fate, result)
    _settle(context, talk, orders)
    offer_doubted(context.cursor, context.report, doubted)
    if limit.passed:
        most = {"commands": BOUNDS.commands, "asked": BOUNDS.asked, "letters": BOUNDS.letters}
        most["passwords"] = BOUNDS.passwords
        context.report.results.append(LineResult("", "refused", Answer("too_many", most)))


@contextmanager
def _noting(cursor: Cursor, report: Report) -> Iterator[None]:
    """Inside, a line is carried out: what comes of it is noted if it is in somebody's place."""
    start, seat, seats = len(report.results), cursor.became, cursor.seats
    yield
    # Anyone who enters a seat has another list of seats, even if it is the same seat.
    if seat is not None and seat.power is not None and cursor.seats is seats:
        report.acted[seat.game_id, seat.power] += report.results[start:]


def _lines(
    cursor: Cursor, table: CommandTable, text: str, above: Mapping[int, str]
) -> tuple[bool, Iterator[Line], bool]:
    """Say whether a text has orders that can be taken, give its lines, those held back that a line
    takes back, and say whether it is open for which game they are. What commands change is heard:
    lines they may change are read again when they are due. `above` is the quoted line right above
    rows of it.
    """
    turn = cursor.turn()
    lines = list(read_lines(text, table, lambda: turn))
    taken = in_doubt(lines, turn, text.splitlines(), above)
    likely = any(answer.code == "likely_orders" for answer in taken.values())
    orders = likely or any(line.kind == "order" and line.problem is None for line in lines)
    again = read_lines(text, table, cursor.turn) if _may_change(lines) else lines
    which = is_open(cursor, [held_back(line, taken) for line in lines])
    return orders, (held_back(line, taken) for line in again), which


def _may_change(lines: Sequence[Line]) -> bool:
    """Return whether a command among lines may change what those below it are read as: one that
    enters a seat all of them, others all but courtesy and commands that say nothing of lines."""
    for number, line in enumerate(lines):
        if line.command is None or line.command.frames or line.command.asks:
            continue
        below = [each for each in lines[number + 1 :] if not each.below]
        if line.command.enters or any(each.command and each.command.marks for each in below):
            return bool(below)
        return not all(courtesies([each.text for each in below if each.command is None]))
    return False


class _Limit(Struct):
    """How many commands were carried out, and what came of them; whether any was left out."""

    commands: int = 0
    asked: int = 0
    letters: int = 0
    passed: bool = False

    def add(self, command: Command, hashed: int) -> bool:
        """Count a command, behind others with so many passwords; whether it is one too many."""
        self.commands += 1
        self.asked += command.asks
        self.passed |= self.commands > BOUNDS.commands or self.asked > BOUNDS.asked
        self.passed |= self.letters >= BOUNDS.letters or hashed >= BOUNDS.passwords
        return self.passed


def _settle(context: MessageContext, talk: list[Line], orders: bool) -> None:
    """Give lines of ordinary text their fates together; `orders` may stand beside them."""
    if not talk:
        return
    sheet, results = context.report.sheet, context.report.results
    variant, before, fates = context.cursor.turn().variant, len(results), sheet.fates_of(talk)
    with _noting(context.cursor, context.report):
        # Nothing is offered to who may never have written here.
        known = context.sender.person is not None or context.sender.sure
        had = context.report.guessed
        plays = bool(context.cursor.names())
        zone = context.sender.zone
        ask = partial(asked_by, plays=plays, heard=context.cursor.turn().heard)
        asked = ask(talk, variant, context.now, zone, had) if known else []
        for each in asked:
            if (result := _answer(context, each, orders)) is not None:
                results.append(result)
                fates[each.first : each.end] = [fate_of(each)] * (each.end - each.first)
        had += asked
    for line, fate in zip(talk, fates, strict=True):
        told = next(
            (each for each in results[before:] if line.text in each.line.splitlines()), None
        )
        if not is_in_doubt(line):
            sheet.give(line, fate, told)
    talk.clear()


def _answer(context: MessageContext, asked: Request, orders: bool) -> LineResult | None:
    """Answer a question, or offer the command, for a YES to carry out, that is wished for."""
    text, said = asked.said, asked.offer
    state = context.cursor.state
    if said == "RESIGN" and state is not None and state.game.state == GameState.FORMING:
        # Nobody plays yet who could resign.
        said = "LEAVE"
    found = context.table.find(said)
    assert found is not None
    (command, arguments), turn = found, context.cursor.turn()
    game = game_named(text, turn)
    if asked.about:
        line = Line(text, "command", said, command=command, arguments=arguments, game=game)
        result = _carry_out(context, line)
        failed = result is not None and result.kind == "refused"
        # That they are in no game is no answer.
        return None if failed and _is_nowhere(context.cursor, game) else result
    if command.who in _IN_GAMES and _is_nowhere(context.cursor, game):
        # A YES to it would be refused.
        return None
    if asked.open:
        return LineResult(text, "refused", Answer("unclear_wish"), None, (command.example,))
    if _is_idle(said, asked, orders, turn):
        return None
    block, left = up_to_orders(asked, turn)
    if left:
        answer = Answer("below_label", {"label": text})
        refused = LineResult(left, "refused", answer)
        if not any(block):
            return refused
        context.report.results.append(refused)
    if command.who in _IN_GAMES and not game and state is not None:
        try:
            check_part(context.cursor, command)
        except Refused as refused:
            # A YES to it would be refused.
            return LineResult(text, "refused", refused.answer, command.form, refused.offers)
    there = [f"SIGN ON {game}"] if game and not asked.block else []
    lines = (*there, said, *block, *(end.upper() for end in command.ends[:1]))
    return offer(context.cursor, context.report, "\n".join(lines), line=text, lasting=True)


def _is_nowhere(cursor: Cursor, game: str) -> bool:
    """Return whether a sentence that names no game is by somebody who is in none."""
    return not (game or cursor.state or cursor.names())


def _is_idle(said: str, asked: Request, orders: bool, turn: OrderContext) -> bool:
    """Return whether a YES to a wish would do nothing, or tell people what is for the judge."""
    if said == "CLEAR NOW":
        return orders or not turn.filed
    head = head_of(turn.heard(asked.said), turn.variant) if orders and asked.block else None
    if orders and ALL in asked.to and (head is None or head.greets):
        return True
    if head is not None and head.greets and MASTER in asked.to and "?" not in "".join(asked.block):
        return True
    return not {ALL, MASTER}.isdisjoint(asked.to) and bool(orders_in(" ".join(asked.block), turn))


def _work(context: MessageContext, line: Line, limit: _Limit) -> tuple[Fate, LineResult | None]:
    """Do what a line says: its fate, and what the reply says of it."""
    if line.command is not None and (line.problem is None or line.kind == "press"):
        if limit.add(line.command, context.sender.hashed):
            return Fate.NOTHING, None
        result = _carry_out(context, line)
    elif line.asked is not None:
        result = _take(
            context.cursor, context.report, context.incoming, context.now, line, line.asked
        )
    elif line.problem is not None:
        result = LineResult(line.text, "refused", line.problem, line.read, line.offers)
    else:
        # The heading of orders that follow.
        return Fate.DONE, None
    if result is None:
        return Fate.NOTHING, None
    if not any(each is result for each in context.report.results):
        context.report.results.append(result)
    if context.events or result.kind == "command":
        limit.letters += context.publish()
    done = Fate.SENT if line.kind == "press" else Fate.DONE
    return {"refused": Fate.NOTHING, "asked": Fate.ASKED}.get(result.kind, done), result


def take_typed(
    cursor: Cursor, report: Report, table: CommandTable, incoming: ParsedMessage
) -> None:
    """Let the orders typed into a quote stand above what its writer wrote outside of it, which may
    change them, and ask whether to carry out the commands."""
    press = cursor.replying is not None
    found, asked = typed_lines(incoming.typed, table, cursor.turn, press)
    report.sheet.put_above(found)
    for line in asked:
        result = offer(cursor, report, line.text, line=line.text, lasting=True)
        report.results.append(result)
        report.sheet.give(line, Fate.ASKED, result)


def not_understood(report: Report) -> Iterator[LineResult]:
    """Yield the lines that were taken for talk, for a writer who has nobody to talk to."""
    for text in report.sheet.untold():
        yield LineResult(text, "refused", Answer("no_command"), None, ("HELP",))


def _carry_out(context: MessageContext, line: Line) -> LineResult | None:
    """Run a command; what came of it."""
    assert line.command is not None
    if not line.text and (context.cursor.state is None or context.report.results):
        # An empty mail about no game, and one that was no more than a YES, ask for no status.
        return None
    command = meant(context.cursor, context.table, line.command)
    try:
        named = line.arguments if command.names_game else line.game
        with elsewhere(context.cursor, context.now, named):
            try:
                if context.cursor.state is None and command.who in _IN_GAMES:
                    check_no_tournament(context.storage, line.arguments)
                allow(context, command, named)
                if command.refuses(line):
                    raise Refused(command.empty, write=command.example.partition("\n")[0])
                if (doubt := line.doubt) is not None:
                    if doubt.facts["private"]:
                        raise Refused(doubt.code, None, back=doubt.facts["text"], **doubt.facts)
                    raise Unconfirmed(doubt.code, **doubt.facts)
                answer = command.run(context, line)
            except Unconfirmed as asked:
                answer = Answer(asked.code, asked.facts)
                lasting = command.who != "masters" and not command.of_phase
                cursor, report, ends = context.cursor, context.report, line.command.ends[:1]
                said = "\n".join([line.read or line.text, *line.block, *map(str.upper, ends)])
                return offer(cursor, report, said, line=line.text, answer=answer, lasting=lasting)
    except LikelyMeant as likely:
        meant_line, answer = likely.offers[0], likely.answer
        return offer(context.cursor, context.report, meant_line, line=line.text, answer=answer)
    except Refused as refused:
        return LineResult(line.text, "refused", refused.answer, command.form, refused.offers)
    return LineResult(line.text, "command", answer, command.name, asks=command.asks)


_IN_GAMES = ("participants", "players", "masters")
"""Who may give a command that is for a game."""


def _take(
    cursor: Cursor,
    report: Report,
    incoming: ParsedMessage,
    now: datetime,
    line: Line,
    asked: InterpretedOrder,
) -> LineResult:
    """Put an order on file, or say what is wrong with it, or why none are taken here and now."""
    try:
        state = _taking_orders(cursor, report)
    except Refused as refused:
        return LineResult(line.text, "refused", refused.answer, None, refused.offers)
    power, problem = asked.power, line.problem
    if asked.question:
        told = possible.answer(order_context(state, cursor.powers()), asked)
        if told is not None:
            return LineResult(asked.question, "command", told, "LEGAL MOVES", asks=True)
    if problem is not None:
        standing = on_file(state, power, asked.place)
        earlier = None if standing is None else str(standing)
        if line.offers == (earlier,) and asked.denied:
            # It is on file as it is.
            return offer(cursor, report, f"CANCEL {earlier}", line=line.text)
        if problem.code == "impossible_order":
            problem = Answer(problem.code, {**problem.facts, "earlier": earlier})
        return LineResult(line.text, "refused", problem, line.read, line.offers)
    as_master = cursor.orders_for_all()
    try:
        if as_master:
            # Anyone who can forge an address must not order everybody's units with it.
            prove(cursor, state, TrustLevel.TOKEN)
            if power is None:
                raise Refused("name_a_power", powers=list(state.variant.powers))
        if line.later is not None:
            answer = keep_order(cursor, report, state, line, asked)
        elif not (line.dated or as_master) and letters.wrote_before(cursor.sender, incoming, state):
            return _ask_again(cursor, report, state, line)
        else:
            answer = put_on_file(cursor, report, now, state, asked)
    except Refused as refused:
        return LineResult(line.text, "refused", refused.answer, line.read)
    answer = Answer(answer.code, {**answer.facts, "left": asked.left})
    item = LineResult(line.text, "order", answer, line.read)
    if as_master and power is not None:
        report.acted.setdefault((state.game.id, power), []).append(item)
    return item


def _ask_again(cursor: Cursor, report: Report, state: State, line: Line) -> LineResult:
    """Ask once whether orders that were written before the open phase began are for this one."""
    before, read = report.early.get(state.game.id), line.read or line.text
    if before is None:
        answer = Answer("written_before", {"phase": state.game.phase, "lines": [read]})
        result = offer(cursor, report, read, line="", answer=answer)
        report.early[state.game.id] = len(report.offers) - 1, result
        return result
    number, result = before
    said = report.offers[number]
    report.offers[number] = replace(said, text=f"{said.text}\n{read}")
    lines = result.answer.facts["lines"]
    assert isinstance(lines, list)
    lines.append(read)
    return result


def _taking_orders(cursor: Cursor, report: Report) -> State:
    """Return the game of these lines, if it takes orders of their writer now. Raises Refused."""
    state = cursor.here()
    if state.game.state != GameState.ACTIVE:
        raise Refused("no_orders_now", game=state.game.name, state=state.game.state)
    if not cursor.playing() and not cursor.orders_for_all():
        raise Refused("players_only", game=state.game.name)
    if cursor.became is None and any(map(state.seats.awaits_approval, cursor.playing())):
        raise Refused("not_approved_yet", game=state.game.name)
    report.came.add(state.game.id)
    return state


def put_on_file(
    cursor: Cursor, report: Report, now: datetime, state: State, asked: InterpretedOrder
) -> Answer:
    """Put an order that can be carried out on file, and say so. Raises Refused."""
    assert asked.power is not None
    cursor.check_in_time(state)
    prove(cursor, state)
    power = _file_under(state, cursor, asked)
    earlier = _ordered(report, state, power, asked)
    kind = state.opened.phase.kind
    if earlier is not None and first_counts(state):
        raise Refused("first_counts", earlier=order_text(earlier, kind))
    before = on_file(state, power, asked.place)
    anew = (state.game.id, power, state.game.phase, "") not in report.renewed
    # A unit has one order, the last; a mail's adjustments replace earlier ones.
    again = kind is PhaseKind.ADJUSTMENTS and anew
    orders = () if again else state.orders.get(power, ())
    kept = [other for other in orders if place(other) != place(asked.order)]
    refile(report, cursor.mail, now, state, power, [*kept, asked.order])
    _announce_proxy(state, cursor.mail, power, before, asked.order)
    facts = {
        "words": worded(state.variant, asked.order, state.owed.get(asked.power)),
        "power": asked.power,
        "earlier": order_text(earlier, kind) if earlier is not None else None,
        "changed": before != asked.order,
        # Who plays alone has all orders in a list, the changed ones, too.
        "replaces": before not in (None, asked.order) and not state.terms.alone,
    }
    return Answer("order", facts)


def _ordered(report: Report, state: State, power: str, asked: InterpretedOrder) -> Order | None:
    """Return what this mail ordered the unit before, if something else (4.D.3 a)."""
    if asked.place is None:
        return None
    key = (state.game.id, power, asked.place)
    earlier = report.ordered.get(key)
    if earlier is None or not first_counts(state):
        report.ordered[key] = asked.order
    return earlier if earlier != asked.order else None


def on_file(state: State, power: str | None, province: str | None) -> Order | None:
    """Return what is on file for the unit in a province."""
    if power is None or province is None:
        return None
    return next((each for each in state.orders.get(power, ()) if place(each) == province), None)


def refile(
    report: Report,
    mail: InboundMessage,
    now: datetime,
    state: State,
    power: str,
    orders: Sequence[Order],
) -> None:
    """Make these orders all that a power has on file, and note what it had before this mail."""
    game = state.game
    noted = game.options.earlier.get(power)
    if noted is None or noted.phase != game.phase or noted.mail != mail.id:
        before = tuple(map(str, state.orders.get(power, ())))
        earlier = EarlierOrders(game.phase or "", mail.id, before)
        state.note(earlier={**game.options.earlier, power: earlier})
    state.file(power, orders, mail.received_at, mail.id)
    report.renewed.add((game.id, power, game.phase, ""))
    game.last_change = now


def _file_under(state: State, cursor: Cursor, asked: InterpretedOrder) -> str:
    """Under which power an order is to be filed: a lent unit's under the power it is left to."""
    owner, mine = asked.power, cursor.powers()
    assert owner is not None
    lent = () if owner in mine or isinstance(asked.order, Proxy) else lent_units(state.orders)
    for lender, proxy in lent:
        if lender == owner and proxy.unit.province == asked.place and proxy.power in mine:
            return proxy.power
    return owner


def _announce_proxy(
    state: State, mail: InboundMessage, owner: str, before: Order | None, now: Order
) -> None:
    """Tell the power to which a unit is left, or is left no more."""
    for order, given in ((before, False), (now, True)):
        if not isinstance(order, Proxy) or order == (now if not given else before):
            continue
        seat = state.seats.player(order.power)
        if seat is not None:
            facts = {
                "owner": owner,
                "unit": str(order.unit),
                "unit_name": Wording(order.unit, state.variant),
                "given": given,
            }
            state.tell(EventKind.PROXY, facts, to=reader(seat), mail_id=mail.id)


_MOST = 100
"""Lines of a quote in which something was typed."""

_MOST_ASKED = 5
"""Commands typed into a quote that are asked about."""

_LONGEST = 200
"""Characters of a line that may be an order."""


def without_quotes(
    storage: Storage, incoming: ParsedMessage, person: Person | None, named: Answered | None
) -> ParsedMessage:
    """Return a mail without what it quotes of the letters that it answers; where it names none, of
    the last ones to its sender, who is `person`. `named` is the one whose address it came to."""
    if incoming.kind is not MailKind.MESSAGE:
        return incoming
    quoted = letters.answered(storage, incoming, person, named)
    if not (names := bool(quoted)):
        reader = person.id if person else incoming.sender
        quoted = storage.outbound.latest(reader, letters.MOST)
    cut = answering(incoming, letters.digests_of(storage, quoted))
    # Anyone who says again what a reply repeated quotes nothing.
    return cut if names or cut.text.strip() else incoming


def typed_lines(
    typed: Sequence[Sequence[str]],
    table: CommandTable,
    turn: Callable[[], OrderContext],
    press: bool,
) -> tuple[list[str], list[Line]]:
    """Return what counts of that which was typed into a quote, and what is asked about. Orders for
    the writer's own units count, those that cannot be carried out, too, save in answers to press;
    so do commands that only ask. Other commands are asked about."""
    found: dict[str, None] = {}
    asked: dict[str, Line] = {}
    for readings in typed[:_MOST]:
        read = [list(read_lines(said, table, turn)) for said in readings if len(said) <= _LONGEST]
        if (command := next(filter(None, map(_command, read)), None)) is not None:
            assert command.command is not None
            if command.command.asks or command.command.harmless:
                found[command.text] = None
            else:
                # It stands in no row of the writer's own text.
                asked[command.text] = replace(command, rows=range(0))
            continue
        right = [lines for lines in read if lines and all(_is_own(line, turn()) for line in lines)]
        good = [lines for lines in right if not any(line.problem for line in lines)]
        lines = next(iter(good if good or press else right), [])
        found |= dict.fromkeys(line.text for line in lines)
    return list(found), list(asked.values())[:_MOST_ASKED]


def _command(lines: Sequence[Line]) -> Line | None:
    """Return the one command that lines are, beyond doubt and complete."""
    command = lines[0].command if len(lines) == 1 and lines[0].kind == "command" else None
    if command is None or command.ends or command.frames or command.stops or command.enters:
        return None
    return lines[0] if is_certain(lines[0]) else None


def _is_own(line: Line, turn: OrderContext) -> bool:
    """Return whether a line is an order for a unit of the writer's own, as far as that is known."""
    if line.kind not in ("order", "unknown") or line.asked is None:
        return False
    owner = turn.owner(line.asked.place)
    return not turn.powers or owner in turn.powers
