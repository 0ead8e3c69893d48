"""For which of a writer's games orders are that do not say so: they are read for each of them, and
asked about for those where they can be given."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from judge.game.state.answers import Answer, LineResult
from judge.intake.authorization import left_again
from judge.intake.command import CommandTable
from judge.intake.context import Cursor, Report
from judge.intake.doubts import held_back, in_doubt
from judge.intake.lines import Line, read_lines
from judge.intake.offers import offer
from judge.intake.second_thoughts import counting, names_other_game, ordered_by
from judge.language.vocabulary import tokens

_MOST = 4
"""Games for which the orders of a mail are read."""


def is_open(cursor: Cursor, lines: Sequence[Line]) -> bool:
    """Return whether it is unknown for which of the sender's games the lines of a mail are: no
    letter, subject or only game tells, or a line names another one and is no heading."""
    if any(line.command is not None and line.command.enters for line in lines):
        return False
    if cursor.state is None:
        return cursor.closed is None
    problems = [line.problem for line in lines if line.problem is not None]
    # What is not carried out for the games that are named above or beside it.
    beside = [str(each.facts.get("label", "")) for each in problems if each.code == "below_label"]
    several = any(each.code == "which_game" for each in problems)
    if several or not beside:
        return several
    turn = cursor.turn()
    return any(names_other_game(label, turn) for label in beside)


def ask_which(
    cursor: Cursor, report: Report, table: CommandTable, text: str
) -> dict[int, LineResult]:
    """Ask for each of the sender's games where orders of a text can be given whether to file them
    there; return the questions, which are in the report, by the rows of those orders."""
    asked: dict[int, LineResult] = {}
    words = {token.key for token in tokens(text)}
    # What a line names stands first.
    games = sorted(cursor.first_games().items(), key=lambda each: each[1] not in words)
    for game_id, _ in games[:_MOST]:
        known = game_id in cursor.states
        state = cursor.load(game_id)
        with left_again(cursor):
            cursor.enter(state)
            rows, orders = _orders(cursor, table, text)
            if orders:
                facts = {"game": state.game.name, "lines": orders, "count": len(orders)}
                lines = "\n".join(orders)
                question = offer(cursor, report, lines, answer=Answer("orders_for_game", facts))
                report.results.append(question)
                asked = dict.fromkeys(rows, question) | asked
            elif not known:
                # The reply says nothing of it.
                del cursor.states[game_id]
    return asked


def _orders(cursor: Cursor, table: CommandTable, text: str) -> tuple[set[int], list[str]]:
    """Return the orders that a text gives in the game that is entered, and their rows."""
    assert cursor.state is not None
    if not cursor.powers():
        return set(), []
    # What names games is what is not understood.
    turn = replace(cursor.turn(), games=())
    lines = list(read_lines(text, table, lambda: turn))
    taken = in_doubt(lines, turn, text.splitlines())
    held = [held_back(line, taken) for line in lines]
    said: dict[str, set[str]] = {}
    for line in held:
        if line.asked and line.asked.place and (order := ordered_by(line)):
            said.setdefault(line.asked.place, set()).add(order)
    if any(len(each) > 1 for each in said.values()):
        # They may be those of two games.
        return set(), []
    rows, orders = set[int](), dict[str, None]()
    for line in (each for given in counting(held).values() for each in given):
        rows.update(line.rows)
        orders[str(line.read)] = None
    for line in held:
        if line.problem is not None and line.problem.code == "likely_orders":
            rows.update(line.rows)
            orders |= dict.fromkeys(str(line.problem.facts["lines"]).splitlines())
    return rows, [*orders]


def enter_named(cursor: Cursor, table: CommandTable, text: str) -> None:
    """Enter the one game of the sender's that headings of a text name, if no other is entered."""
    if cursor.state is not None or cursor.closed is not None or len(cursor.first_games()) < 2:
        return
    turn = cursor.turn()
    labels = [line.label for line in read_lines(text, table, lambda: turn) if line.label]
    named = {each.game for each in labels if each.game or each.several}
    for game_id, name in cursor.first_games().items():
        if named == {name}:
            cursor.enter(cursor.load(game_id))
