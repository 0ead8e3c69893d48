"""Why an order is not allowed, or a text cannot be read, in the language that is spoken."""

from __future__ import annotations

from collections.abc import Iterable
from zoneinfo import ZoneInfo

from judge.i18n import gettext, language, sentences, weekday
from judge.language.misreadings import Fault, Misreading
from judge.rules.board import COASTS, Board
from judge.rules.problems import Illegal, Problem, Said
from judge.schedule.dates import SHORT_MONTHS
from judge.schedule.deadlines import TimeFault, TimeProblem
from judge.sentences.terms import (
    NAMED_SEASONS,
    armies,
    clauses,
    either,
    kind_words,
    listed,
    named,
    one,
    place,
    place_words,
)


def problem_words(problem: Problem, board: Board) -> str:
    """Return what is wrong with an order, as a clause: no capital, no full stop."""
    if isinstance(problem, Said):
        return problem.text
    if isinstance(problem, Misreading):
        return _misread(problem, board)
    assert isinstance(problem, Illegal)
    texts = sentences("illegal", language())
    text = texts[problem.code.value]
    if not isinstance(text, str):
        text = text[0 if problem.count == 1 else 1]
    words: str = text.format_map(_illegal_pieces(problem, board))
    if not problem.write or "{lines}" in text:
        return words
    return clauses(words, texts["write"].format(lines=either(problem.write)))


def _illegal_pieces(problem: Illegal, board: Board) -> dict[str, object]:
    """Return what stands in the places of the texts."""
    found: dict[str, object] = {
        "lines": either(problem.write),
        "word": problem.word,
        "places": listed([place(each, board) for each in problem.places]),
        "power": named(problem.power),
        "power2": named(problem.other_power),
        "count": problem.count,
        "count2": problem.ordered,
    }
    if problem.kind is not None:
        found["kind"], found["one"] = kind_words(problem.kind, board), one(problem.kind, board)
        found["armies"] = armies((problem.kind,), board)
    if problem.unit is not None:
        kind, location = problem.unit
        found["kind"], found["place"] = kind_words(kind, board), place(location, board)
        found["who"] = gettext("the {kind} in {place}").format_map(found)
    if problem.place is not None:
        found["place"] = place(problem.place, board)
    if problem.goal is not None:
        found["place2"] = place(problem.goal, board)
    if problem.other_kind is not None:
        found["kind2"] = kind_words(problem.other_kind, board)
    if problem.kinds:
        found["ones"] = either([one(kind, board) for kind in problem.kinds])
        found["armies"] = armies(problem.kinds, board)
    if problem.coast is not None:
        found["word"] = gettext(COASTS.get(problem.coast, problem.coast))
    if problem.other_coast is not None:
        found["word2"] = gettext(COASTS.get(problem.other_coast, problem.other_coast))
    if problem.season is not None:
        found["season"] = NAMED_SEASONS[problem.season]
    if problem.because is not None:
        found["clause"] = problem_words(problem.because, board)
    return found


def _misread(problem: Misreading, board: Board) -> str:
    def with_ids(locations: Iterable[str]) -> str:
        return either([f"{place_words(each, board)} ({each})" for each in locations])

    texts, key = sentences("misread", language()), problem.fault.value
    where, unit, text = problem.place, problem.unit, problem.text
    pieces = {
        "word": text,
        "lines": either(problem.candidates),
        "phases": ", ".join(problem.candidates),
        "order": problem.after,
        "unit": unit,
        "kind": gettext("unit") if unit is None or not unit.kind else kind_words(unit.kind, board),
        "power": named(problem.power),
        "count": problem.count,
        "place": place_words(where, board),
    }
    match problem.fault:
        case Fault.NO_UNIT if f"{key}_{text.lower()}" in texts:
            key += f"_{text.lower()}"
        case Fault.UNKNOWN_PROVINCE | Fault.UNKNOWN_POWER if not text:
            pieces["word"] = gettext("nothing")
        case Fault.WHICH_UNIT if not problem.count:
            pieces["count"] = gettext("none")
        case Fault.AMBIGUOUS_PROVINCE:
            pieces["places"] = with_ids(problem.candidates)
        case Fault.NO_SUCH_COAST:
            province = where.partition("/")[0]
            pieces["place"] = place_words(province, board)
            pieces["coast"] = place_words(where, board).rpartition("(")[2].rstrip(")")
            if board.provinces[province].coasts:
                there = texts["other_coasts"].format(places=with_ids(problem.candidates))
                return clauses(texts[key].format_map(pieces), there)
    words: str = texts[key].format_map(pieces)
    return words


# -- times ----------------------------------------------------------------------------------------


def time_problem_words(problem: TimeProblem) -> str:
    """Return a problem with a time as a clause: no capital at its beginning, no full stop."""
    texts, fault, key = sentences("times", language()), problem.fault, problem.fault.value
    pieces: dict[str, object] = {
        "word": problem.text,
        "rest": problem.rest,
        "country": problem.country,
        "count": problem.count,
        "lines": ", ".join(problem.choices),
        "choices": " / ".join(problem.choices),
    }
    if when := problem.when:
        pieces["date"] = f"{when.day} {SHORT_MONTHS[when.month]} {when.year}"
        pieces["day"] = weekday(when)
        pieces["time"] = f"{pieces['date']}, {when:%H:%M}"
        if fault is TimeFault.PAST and isinstance(when.tzinfo, ZoneInfo):
            pieces["time"] = f"{pieces['time']} ({when.tzinfo.key})"
    match fault:
        case TimeFault.NO_ZONE if problem.choices:
            key = "no_zone_but"
        case TimeFault.NO_HOLIDAYS if problem.country and problem.choices:
            key = "no_holidays_but"
        case TimeFault.NO_DATE if problem.rest:
            key = "no_date_all"
        case TimeFault.NO_PACE if problem.text:
            neither = texts["no_pace_read_all" if problem.rest else "no_pace_read"]
            return clauses(texts[key], neither.format_map(pieces))
    words: str = texts[key].format_map(pieces)
    return words
