"""Which lines of a mail are not carried out before their writer says so: orders that a line beside
them takes back or leaves open, and what is likely to mean orders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace as replace_order
from types import MappingProxyType

from msgspec.structs import replace

from judge.game.orders.interpret import taken_apart
from judge.game.orders.order_context import OrderContext
from judge.game.state.answers import Answer, LineResult
from judge.intake.addressees import JUDGE, MASTER
from judge.intake.context import Cursor, Fate, Report
from judge.intake.labels import trailing_game
from judge.intake.likely import Likely, can_be_likely
from judge.intake.lines import Line, is_talk, meant
from judge.intake.offers import offer
from judge.intake.second_thoughts import (
    Taken,
    asked_about,
    in_letters,
    is_good,
    is_of_other_game,
    leads_elsewhere,
    may_be_talk,
    ordered_by,
    provinces_named,
    revoked,
    unit_at,
)
from judge.language.cover import CONDITION, NAME, ORDER
from judge.language.misreadings import Fault, Misreading
from judge.language.vocabulary import Verb, Vocabulary, tokens
from judge.rules.orders import Move, Order, Support, Unreadable, order_text


def in_doubt(
    lines: Sequence[Line],
    turn: OrderContext,
    rows: Sequence[str],
    above: Mapping[int, str] = MappingProxyType({}),
) -> Taken:
    """Return the lines that are not carried out before their writer said so, each with what is
    asked or said of it: orders that a line beside them takes back (`revoked`), and lines in which
    an order is likely and was not read. `rows` is the text of them all, `above` the quoted line
    right above rows of it.
    """
    found = _likely(lines, turn, rows, above)
    aims = {
        (line.rows, line.text): _offered(line, [order_text(order, turn.wanted)], [], turn, rows)
        for line, order in _aimed(lines, found.orders, turn)
    }
    said = {row for row, left in found.left.items() if not left.strip()}
    others = [each for each in lines if unit_at(each) not in found.replaced]
    others = [each for each in others if not said.issuperset(each.rows)]
    good = [(each, found.against.get(unit_at(each), "")) for each in others if is_good(each)]
    again = [(each, why) for each, why in good if why]
    asked = asked_about([_held(others, turn, rows), again], others, turn)
    taken = {**aims, **revoked(others, turn), **asked}
    held = {line.asked.place for line in lines if line.asked and (line.rows, line.text) in taken}
    orders = {each: text for each, text in found.texts().items() if each not in held}
    for line in lines if orders else ():
        left = [found.left[row] for row in line.rows if row in found.left]
        unread = left and _is_unread(line, turn) and (line.rows, line.text) not in taken
        if unread or unit_at(line) in found.replaced:
            taken[line.rows, line.text] = _offered(line, [*orders.values()], left, turn, rows)
    return taken


def _offered(
    line: Line, orders: Sequence[str], left: Sequence[str], turn: OrderContext, rows: Sequence[str]
) -> Answer:
    """Return what is asked about a line that is likely to mean orders, of what it `left`."""
    texts = "\n".join(orders)
    known = provinces_named(texts, turn)
    barred = line.asked.barred if line.asked else ()
    beside = [each for each in barred if not provinces_named(each, turn) <= known]
    # What was misspelled in one way only is told as well as asked about.
    alone = not (is_talk(line) or any(left) or barred) and len(line.offers) == 1
    facts = {"lines": texts, "count": len(orders), "problem": line.problem}
    facts["left"] = "".join(left) or " … ".join(dict.fromkeys(beside))
    said = " ".join(rows[row] for row in line.rows)
    why = line.problem if alone else None
    return Answer("likely_orders", facts | {"why": why, "said": said})


def _given(lines: Sequence[Line]) -> dict[str, Order]:
    """Return the orders of lines that were read, by the province of their unit."""
    return {unit_at(x): x.asked.order for x in lines if x.asked and is_good(x)}


def _aimed(
    lines: Sequence[Line], likely: Mapping[str, Order], turn: OrderContext
) -> Iterator[tuple[Line, Order]]:
    """Yield the lines that say that a unit supports another one, which is ordered to move, each
    with the support of that move: in words, or where the unit could not support the other one where
    it stands. Who writes no `S` and no `holds` may mean either."""
    if not can_be_likely(turn):
        return
    every = {**likely, **_given(lines)}
    holds = Vocabulary.of(turn.variant.board).acts[turn.wanted]
    for line in lines:
        order = line.asked.order if line.asked and not line.later else None
        if not isinstance(order, Support) or order.to is not None:
            continue
        cannot = line.problem is not None and line.problem.code == "impossible_order"
        if not (cannot or is_good(line)):
            continue
        aim, said = every.get(order.target.province), tokens(line.text)
        acts = (holds.find(said, at) for at in range(len(said)))
        formal = any(each.key == "s" for each in said) or Verb.HOLD in [a[0] for a in acts if a]
        if isinstance(aim, Move) and (cannot or not formal):
            checked = turn.check(turn.mine[0], replace_order(order, to=aim.to))
            if checked.problem is None:
                yield line, checked.order


def _held(lines: Sequence[Line], turn: OrderContext, rows: Sequence[str]) -> list[tuple[Line, str]]:
    """Return the orders that a heading or a condition leaves open, with it: one that names nothing
    of the game, and may be no more than talk (`until I know more`, `I hope it's ok like this:`)."""
    headings = {line.text for line in lines if line.label and may_be_talk(line.label)}
    found: list[tuple[Line, str]] = []
    orders: dict[str, set[str]] = {}
    for line in lines:
        orders.setdefault(unit_at(line), set()).add(ordered_by(line))
    for line in lines:
        several = len(orders[unit_at(line)]) > 1
        if line.asked is None or line.problem is None or line.later or several:
            continue
        why = str(line.problem.facts.get("label", ""))
        asks = any(rows[row].rstrip().endswith("?") for row in line.rows)
        if line.asked.hangs and len(line.offers) == 1 and not asks:
            beside = taken_apart(" ".join(line.asked.barred), turn)
            names = any(part.kind in (NAME, ORDER) for part in beside.parts)
            text = " ".join(rows[row] for row in line.rows)
            word = (beside.words_of(CONDITION) or " ").split(" ")[-1]
            why = text[max(text.rfind(f" {word}"), 0) :].strip()
            if not names and not provinces_named(why, turn):
                found.append((line, why))
        elif line.read and why in headings:
            found.append((line, why))
    return found


def _likely(
    lines: Sequence[Line], turn: OrderContext, rows: Sequence[str], above: Mapping[int, str]
) -> Likely:
    """Return the orders that are likely in lines that were not read."""
    none = Likely(turn, {})
    elsewhere = any(leads_elsewhere(line) and not _leads_here(line, turn) for line in lines)
    unread = any(_is_unread(line, turn) for line in lines)
    if elsewhere or not unread or not can_be_likely(turn):
        return none
    letter = in_letters(lines, turn)
    found = _read(lines, turn, rows, above, letter)
    if letter and not found.orders:
        # Who orders all of his units below a letter speaks to us.
        whole = _read(lines, turn, rows, above, set())
        found = whole if whole.is_whole else found
    told = in_letters(lines, turn, (JUDGE, MASTER)) if len(found.orders) < 2 else ()
    # Who greets everybody may tell them of an order.
    tells = any(row in found.left for number in told for row in lines[number].rows)
    return none if tells or not (found.orders or found.against) else found


def _read(
    lines: Sequence[Line],
    turn: OrderContext,
    rows: Sequence[str],
    above: Mapping[int, str],
    letter: Set[int],
) -> Likely:
    """Return the orders that are likely in all lines for this game, but those of a `letter`."""
    told = {line.rows.start: line.asked.order for line in lines if line.asked and is_good(line)}
    found = Likely(turn, _given(lines), rows, told=told)
    unread, read, offers = set[int](), set[int](), list[tuple[str, str]]()
    for number, line in enumerate(lines):
        if number in letter or any(_is_elsewhere(line, rows[row], turn) for row in line.rows):
            continue
        heads = line.kind == "text" and line.label is not None and line.label.binds
        if _is_unread(line, turn) or (heads and _leads_here(line, turn)):
            unread.update(line.rows)
        elif is_good(line):
            read.update(line.rows)
        if _is_misspelled(line) and line.offers:
            # What is offered instead of those that were misspelled stands behind their own words.
            offers.append((line.text, line.offers[0]))
    texts = {row: found.headed(above.get(row, ""), meant(rows[row])) for row in unread | read}
    found.read(dict(sorted(texts.items())), offers, read - unread)
    found.left = {row: left for row, left in found.left.items() if row in unread}
    for line in lines:
        # What was read as a whole may have been read in parts, too.
        whole = not any(found.left.get(row, "?").strip() for row in line.rows)
        if line.asked and line.read and line.problem is not None and not whole:
            found.bar(line.asked.order)
    found.finish()
    return found


def _is_elsewhere(line: Line, text: str, turn: OrderContext) -> bool:
    """Return whether a row is for another game, or the orders in it are (`Par - Bur (rome)`)."""
    ends = trailing_game(text.rstrip(" ).!"), turn) if line.asked else ()
    return is_of_other_game(text, turn) or any(game != turn.game for _, game in ends)


def _is_unread(line: Line, turn: OrderContext) -> bool:
    """Return whether a line is ordinary text, or an order for a unit that there is not."""
    asked = line.asked
    if asked is None or line.later or asked.question or "?" in line.text:
        return is_talk(line)
    nobody = line.problem is not None and asked.place and turn.owner(asked.place) is None
    return line.kind == "unknown" or bool(line.kind == "order" and nobody)


def _is_misspelled(line: Line) -> bool:
    """Return whether a line was read, or is an order misspelled in one way only."""
    asked = line.asked
    if asked is None or asked.hangs or asked.denied or (asked.general and asked.barred):
        return False
    problem = asked.order.problem if isinstance(asked.order, Unreadable) else None
    if isinstance(problem, Misreading) and problem.fault is Fault.NO_ACTION:
        # That it holds is a guess.
        return False
    return is_good(line) or (line.kind == "unknown" and len(line.offers) == 1)


def _leads_here(line: Line, turn: OrderContext) -> bool:
    """Return whether a label names the game and the power that its line is for anyhow."""
    label = line.label
    return label is not None and (
        not label.several
        and label.phase in (None, turn.phase)
        and label.game in ("", turn.game)
        and label.power in ("", *turn.mine)
    )


def is_in_doubt(line: Line) -> bool:
    """Return whether a YES files what a line orders, says of orders, or is likely to mean."""
    return line.problem is not None and line.problem.code in ("doubted_orders", "likely_orders")


def held_back(line: Line, taken: Taken) -> Line:
    """Return an order that a line beside it takes back as one that is not carried out, and that
    line as one that asks for nothing besides."""
    problem = taken.get((line.rows, line.text))
    asks = problem is not None and problem.code in ("likely_orders", "doubted_orders")
    if problem is None or not (is_talk(line) or is_good(line) or asks):
        return line
    if problem.code == "likely_orders":
        likely = (*str(problem.facts["lines"]).split("\n"),)
        return replace(line, problem=problem, read=None, offers=line.offers or likely)
    return replace(line, problem=problem, offers=(ordered_by(line),) if ordered_by(line) else ())


def offer_doubted(cursor: Cursor, report: Report, lines: Sequence[Line]) -> None:
    """Ask whether to file orders that words beside them leave in doubt, as they stand: a question
    for each of those words, which are among the `lines`."""
    questions: dict[str, LineResult] = {}
    told = set[str]()
    for line in lines:
        assert line.problem is not None
        orders = str(line.problem.facts["lines"])
        if orders not in questions:
            about = [(each, each.problem.facts) for each in lines if each.problem]
            # Those that are likely to mean these orders, but for those told by themselves.
            said = [
                str(facts.get("said", each.text)).strip()
                for each, facts in about
                if facts.get("lines") == orders and facts.get("why", each) is None
            ]
            quoted = " / ".join(dict.fromkeys(said))
            questions[orders] = offer(cursor, report, orders, line=quoted, answer=line.problem)
            report.results.append(questions[orders])
        result, why = questions[orders], line.problem.facts.get("why")
        if isinstance(why, Answer):
            result = LineResult(line.text, "refused", why, line.read, line.offers)
            report.results.append(result)
        left = str(line.problem.facts.get("left", "")).strip()
        if left and left not in told and provinces_named(left, cursor.turn()):
            told.add(left)
            report.results.append(LineResult(left, "refused", Answer("no_line")))
        report.sheet.give(line, Fate.ASKED, result)
