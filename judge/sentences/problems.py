"""Why something cannot be read, in the language that is spoken."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from judge.i18n import gettext, say
from judge.language.problems import Fault, Misreading
from judge.rules.board import Board
from judge.sentences.terms import clauses, either, kind_words, named, place_words

_Words: TypeAlias = Callable[[Misreading, Board], str]


def misreading_words(problem: Misreading, board: Board) -> str:
    """Return a problem with a text as a clause: no capital at its beginning, no full stop."""
    return _WORDS[problem.fault](problem, board)


def _no_unit(problem: Misreading, _: Board) -> str:
    match problem.text:
        case "H":
            return say("it does not say which unit is to hold")
        case "M":
            return say("it does not say which unit is to move")
        case "S":
            return say("it does not say which unit is to support")
        case "C":
            return say("it does not say which unit is to convoy")
        case "R":
            return say("it does not say which unit is to retreat")
    return say("it names no unit and nothing to do")


def _which_unit(problem: Misreading, board: Board) -> str:
    assert problem.unit is not None
    which = say("it does not say which {kind} is meant", kind=_kind(problem, board))
    count = str(problem.count or gettext("none"))
    return clauses(which, say("{power} has {count}", power=named(problem.power), count=count))


def _one_space(problem: Misreading, _: Board) -> str:
    alone = say("{unit} can go one space only", unit=problem.unit)
    return clauses(alone, say("it names {count}", count=problem.count))


def _no_coast(problem: Misreading, board: Board) -> str:
    province = problem.place.partition("/")[0]
    coast = place_words(problem.place, board).rpartition("(")[2].rstrip(")")
    words = say("{place} has no {word}", place=place_words(province, board), word=coast)
    if not board.provinces[province].coasts:
        return words
    coasts = either(_with_ids(problem, board))
    return clauses(words, say("there is {coasts}", coasts=coasts))


def _no_phase(problem: Misreading, _: Board) -> str:
    words = say("'{word}' is no phase of this game", word=problem.text)
    phases = ", ".join(problem.candidates)
    return clauses(words, say("its phases are like {lines}", lines=phases))


def _kind(problem: Misreading, board: Board) -> str:
    return "" if problem.unit is None else kind_words(problem.unit.kind, board)


def _with_ids(problem: Misreading, board: Board) -> list[str]:
    return [f"{place_words(each, board)} ({each})" for each in problem.candidates]


_WORDS: Final[Mapping[Fault, _Words]] = {
    Fault.TOO_LONG: lambda p, b: say("it is too long for an order"),
    Fault.EMPTY: lambda p, b: say("there is nothing to read in it"),
    Fault.QUESTION: lambda p, b: say("it ends with a question mark; a question is no order"),
    Fault.AMBIGUOUS: lambda p, b: say("it could mean {lines}", lines=either(p.candidates)),
    Fault.LEFT_OVER: lambda p, b: say(
        "after {order} the words “{word}” are not understood", order=p.after, word=p.text
    ),
    Fault.NO_ACTION: lambda p, b: say("it does not say what {word} is to do", word=p.unit),
    Fault.NO_RETREAT: lambda p, b: say(
        "it does not say where {word} is to retreat to", word=p.unit
    ),
    Fault.BUILD_OR_REMOVE: lambda p, b: say(
        "it does not say whether to build or to remove {word}", word=p.unit
    ),
    Fault.NO_UNIT: _no_unit,
    Fault.NO_PLACE: lambda p, b: say("it does not say where the {kind} stands", kind=_kind(p, b)),
    Fault.WHICH_UNIT: _which_unit,
    Fault.ONE_SPACE: _one_space,
    Fault.NO_WATER: lambda p, b: say(
        "{place} is no water that an army could be convoyed over", place=place_words(p.place, b)
    ),
    Fault.NO_BOMB_AIM: lambda p, b: say("it does not say where the bomb is to go"),
    Fault.NO_BOMB_TARGET: lambda p, b: say("it does not say what is to be bombed"),
    Fault.UNKNOWN_PROVINCE: lambda p, b: say(
        "no province is called {word}", word=p.text or gettext("nothing")
    ),
    Fault.UNKNOWN_POWER: lambda p, b: say(
        "no power is called {word}", word=p.text or gettext("nothing")
    ),
    Fault.AMBIGUOUS_PROVINCE: lambda p, b: say(
        "{word} could mean {lines}", word=p.text, lines=either(_with_ids(p, b))
    ),
    Fault.AMBIGUOUS_POWER: lambda p, b: say(
        "{word} could mean {lines}", word=p.text, lines=either(p.candidates)
    ),
    Fault.NO_SUCH_COAST: _no_coast,
    Fault.CONDITION_TOO_LONG: lambda p, b: clauses(
        say("it is too long"), say("{count} characters are read", count=p.count)
    ),
    Fault.NO_PROVINCE: lambda p, b: say("it names no province"),
    Fault.TOO_NESTED: lambda p, b: say("it has too many brackets"),
    Fault.OPEN_BRACKET: lambda p, b: say("a bracket is not closed after {word}", word=p.after),
    Fault.ENDS_EARLY: lambda p, b: say("it ends where a province should stand"),
    Fault.NO_PHASE: _no_phase,
}
