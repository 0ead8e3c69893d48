"""What lines ask for that are neither an order nor a command nor press."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice

from msgspec.structs import replace

from judge.game.orders.interpret import taken_apart
from judge.game.orders.order_context import OrderContext
from judge.intake.addressees import ALL, JUDGE, MASTER, Hear, courtesies, letters
from judge.intake.context import Fate
from judge.intake.lengths import days_in, end_in, hours_in, length_of
from judge.intake.lines import Line
from judge.intake.wishes import SHORT, Request, command_of, learned, marks, places
from judge.language.cover import COURTESY, JOIN, MARK, POSSIBLE, WORD
from judge.language.names import words_of
from judge.language.vocabulary import ARROWS, DASHES, Vocabulary
from judge.language.wish_model import ENOUGH, MOST, Guess, Sentence, Wishes, sentences
from judge.limits import BOUNDS
from judge.rules.variant import Variant

MOST_GUESSES = 2
"""Wishes of a mail that are offered, and questions that are answered: a wrong guess costs its
reader a few lines."""


_Guessed = tuple[Sentence, list[Guess]]
"""A sentence and what it may wish for."""


def is_remark(text: str, turn: OrderContext) -> bool:
    """Return whether ordinary text has no word that an order, a command or an address could have,
    and nothing that could change the meaning of one, and wishes for nothing."""
    if len(text) > BOUNDS.line:
        return False
    parts = taken_apart(text, turn).parts
    wishes = learned().guesses(text, marks(turn.variant))
    return not wishes and all(part.kind in _SAYS for part in parts)


_SAYS = frozenset({WORD, COURTESY, JOIN, MARK, POSSIBLE})


def fate_of(asked: Request) -> Fate:
    """Return what becomes of the lines that ask for something."""
    if asked.about:
        return Fate.DONE
    return Fate.NOTHING if asked.open else Fate.ASKED


def asked_by(
    lines: Sequence[Line],
    variant: Variant,
    now: datetime,
    zone: str,
    had: Collection[Request] = (),
    *,
    plays: bool = True,
    heard: Hear = str,
) -> list[Request]:
    """Return what ordinary text asks for, in order, by places in the list of lines. Rows between
    the lines count as blank ones; `had` was asked for in lines before. `plays`: its writer is in a
    game. `heard` calls people by their powers."""
    texts: list[str] = []
    owners: list[int] = []
    for number, line in enumerate(lines):
        gap = line.rows.start - lines[number - 1].rows.stop if number else 0
        text = line.text if line.problem is None else str(line.problem.facts.get("left", ""))
        texts += ["", text[: BOUNDS.line]] if gap > 0 else [text[: BOUNDS.line]]
        owners += [number, number] if gap > 0 else [number]
    return [
        replace(each, first=owners[each.first], end=owners[each.end - 1] + 1)
        for each in requests_in(texts, variant, now, zone, had, learned(plays=plays), heard)
    ]


def requests_in(
    lines: Sequence[str],
    variant: Variant,
    now: datetime,
    zone: str,
    had: Collection[Request] = (),
    known: Wishes | None = None,
    heard: Hear = str,
) -> list[Request]:
    """Return what plain text asks for, as `asked_by` does, by what was learned (`known`). Of wishes
    and of questions only the likeliest count. Every date is the day that it means `now`, since a
    YES may come later."""
    known = known or learned()
    left = list(lines)
    found: list[Request] = []
    for letter in letters(lines, variant, heard):
        if JUDGE in letter.to:
            continue
        if letter.greets and not {ALL, MASTER}.isdisjoint(letter.to):
            # The judge may be meant by it.
            said = [*[""] * letter.first, letter.body]
            if not letter.says_something or any(_wishes(said, variant, now, zone, known)):
                continue
        offer = "BROADCAST" if ALL in letter.to else f"PRESS TO {' '.join(letter.to)}"
        where = (lines[letter.first].strip(), letter.first, letter.end)
        found.append(Request(offer, *where, block=letter.block, to=letter.to))
        left[letter.first : letter.end] = [""] * (letter.end - letter.first)
    wishes: list[Request] = []
    # Who greets wishes for nothing.
    left = ["" if polite else text for text, polite in zip(left, courtesies(left), strict=True)]
    for each in _wishes(left, variant, now, zone, known):
        same = next((other for other in wishes if other.offer == each.offer), None)
        if same is None:
            wishes.append(each)
        elif each.first <= same.end:
            # Said twice, in other words.
            wishes[wishes.index(same)] = replace(same, end=max(same.end, each.end))
    wishes.sort(key=lambda each: each.chance, reverse=True)
    for asks in (False, True):
        left_over = MOST_GUESSES - sum(bool(each.about) is asks for each in had if not each.block)
        found += [each for each in wishes if bool(each.about) is asks][: max(0, left_over)]
    return sorted(found, key=lambda each: (each.first, -each.chance))


def _wishes(
    lines: Sequence[str], variant: Variant, now: datetime, zone: str, known: Wishes
) -> Iterator[Request]:
    """Yield what sentences wish for, a second guess with half the chance of the first."""
    for sentence, guesses in _guessed(lines, known, variant):
        for rank, guess in enumerate(guesses):
            command, about = command_of(guess.wish)
            make = _WITH.get(command)
            asks = make is _unit or (make is _places and sentence.text.endswith("?"))
            if not asks and " - " in _places(sentence.text, variant):
                # What names two places speaks of an order.
                continue
            behind = make(sentence.text, variant, now, zone) if make else ""
            if make is _unit and behind is None:
                continue
            yield Request(
                offer=f"{command} {behind or ''}".strip(),
                said=" ".join(sentence.text.split()),
                first=sentence.first,
                end=sentence.end,
                about=about,
                open=behind is None,
                chance=guess.chance / (1 + rank),
            )


def _guessed(lines: Sequence[str], known: Wishes, variant: Variant) -> list[_Guessed]:
    """Return the sentences that wish for something, each with what it may be. What goes on in the
    next line is one sentence where neither line wishes for anything else."""
    found: list[_Guessed] = []
    before: list[Guess] = []
    joined: _Guessed | None = None
    for sentence in islice(sentences(lines), MOST):
        # What has an arrow between two places speaks of an order, whatever else it says.
        is_order = _ARROW.search(sentence.text) and " - " in _places(sentence.text, variant)
        # So mails begin, with the names of those they are to.
        begins = sentence.first == 0 and sentence.text.endswith(",")
        says = not (is_order or (begins and len(sentence.text.split()) <= _GREETING))
        guesses = known.guesses(sentence.text, marks(variant)) if says else []
        known_so = not guesses or any(each.wish == _LEGAL for each in guesses)
        asks = sentence.text.endswith("?")
        if known_so and asks and " " in _places(sentence.text, variant).partition(" - ")[0]:
            # It asks something of a kind of unit and a place, whatever its words.
            guesses = [Guess(_LEGAL, ENOUGH)]
        if sentence.end - sentence.first > 1:
            more = guesses and (not before or guesses[0].chance > before[0].chance)
            joined = (sentence, guesses) if more and _agree(before, guesses) else None
            continue
        if joined is not None and _agree(guesses, joined[1]):
            found[len(found) - bool(before) :] = [joined]
        elif guesses:
            found.append((sentence, guesses))
        before, joined = guesses, None
    return found


_GREETING = 4
"""Words of a line that greets."""

_LEGAL = "LEGAL MOVES (legal)"
"""The question what a unit can do."""


def _agree(one: Sequence[Guess], other: Sequence[Guess]) -> bool:
    """Return whether a sentence wishes for nothing but what another one does."""
    return not one or one[0].wish == other[0].wish


# What stands behind the words of a command: "" for nothing, None where it is missing


def _how_long(text: str, variant: Variant, now: datetime, zone: str) -> str:
    """For how long, or until when."""
    if end := end_in(text, now, zone):
        return f"UNTIL {end}"
    hours = hours_in(text)
    return length_of(hours) if hours else ""


def _places(text: str, variant: Variant, *_: object) -> str:
    """Return the move, or the place with a kind of unit, that a sentence speaks of."""
    known, words = places(variant), words_of(text)
    found: list[str] = []
    place = 0
    while place < len(words):
        for length in (3, 2, 1):
            name = "".join(words[place : place + length])
            if name in known and (len(name) > SHORT or name.capitalize() in text):
                found.append(known[name])
                place += length - 1
                break
        place += 1
    kinds = filter(None, (Vocabulary.of(variant.board).kind([word]) for word in words))
    kind = next(kinds, "") if len(found) == 1 else ""
    return f"{kind} {' - '.join(found[:2])}".strip()


def _unit(text: str, variant: Variant, *_: object) -> str | None:
    """Return the unit that a sentence speaks of, by its province."""
    return _places(text, variant).partition(" - ")[0].rpartition(" ")[2] or None


_ARROW = re.compile(rf"[{re.escape(ARROWS)}]|\w ?[{re.escape(DASHES)}]+>? ?\w")
_WITH: Mapping[str, Callable[[str, Variant, datetime, str], str | None]] = {
    "EXTEND": lambda *said: _how_long(*said) or "24H",
    "PAUSE": _how_long,
    "SET ABSENCE": lambda text, _, now, zone: days_in(text, now, zone),
    "LEGAL MOVES": _places,
    "CANCEL": _unit,
}
