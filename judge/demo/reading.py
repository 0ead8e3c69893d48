"""What a player reads in the judge's messages by eye."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from judge import i18n
from judge.rules.phase import Kind, Phase, Season
from judge.rules.position import Unit
from judge.sentences.terms import phase_words


@dataclass(frozen=True)
class Task:
    """What a message asks of its reader.

    `choices` are the units it lists with the places it names for each; in an adjustment phase the
    units to build or remove, of which `count` are due.
    """

    phase: Phase
    choices: dict[Unit, list[str]]
    count: int = 0
    removals: bool = False


_UNIT = re.compile(r"  (A|F) ([a-z]{3}(?:/[a-z]{2})?), [^:]+(?:: (.*))?$")
_PLACE = re.compile(r"\b([a-z]{3}(?:/[a-z]{2})?) [A-Z]")

_MOVES = "Your units, and where each can go in one step:"
_RETREATS = "Your dislodged units, and where each can retreat:"
_BUILDS = (
    "You may build %(count)s unit. What can be built, and where:",
    "You may build %(count)s units. What can be built, and where:",
)
_REMOVALS = (
    "You have %(count)s more unit than supply centers: %(count)s must go. Your units:",
    "You have %(count)s more units than supply centers: %(count)s must go. Your units:",
)
_FIRST = {
    "start": ("you play %(powers)s",),
    "results": ("%(powers)s, your orders please", "%(game)s: results of %(phases)s."),
    "reminder": ("I am waiting for your orders",),
    "late": ("%(powers)s, your orders are late", "orders are late"),
    "over": ("The game is over",),
}
"""What the first lines of messages say, by their kind."""
_RESULTS = "ALL ORDERS OF %(phase)s"
_REFUSED = "LINES I COULD NOT USE"


@dataclass(frozen=True)
class _Wording:
    """How messages say these things in one language, as patterns."""

    phases: dict[Phase, re.Pattern[str]]
    task: re.Pattern[str]
    refused: str
    first: dict[str, re.Pattern[str]]


@cache
def _wordings() -> tuple[_Wording, ...]:
    found = []
    for language in i18n.LANGUAGES:
        with i18n.speaking(language):
            counted = [
                "|".join(
                    _pattern(i18n.ngettext(*both, count), f"{name}{count}") for count in (1, 2)
                )
                for name, both in (("builds", _BUILDS), ("removals", _REMOVALS))
            ]
            said = [_pattern(i18n.gettext(each)) for each in (_MOVES, _RETREATS)]
            found.append(
                _Wording(
                    {phase: _dated(phase) for phase in _PHASES},
                    re.compile(f"^(?:{'|'.join(said + counted)})$", re.MULTILINE),
                    i18n.gettext(_REFUSED),
                    {
                        kind: re.compile("|".join(_pattern(i18n.gettext(each)) for each in said))
                        for kind, said in _FIRST.items()
                    },
                )
            )
    return tuple(found)


def _pattern(message: str, number: str = "") -> str:
    """Return a pattern for a text with placeholders; `number` names its count."""
    text = re.escape(message).replace(r"\ ", r"\s+")
    text = text.replace(r"%\(count\)s", f"(?P<{number}>\\d+)" if number else "", 1)
    return re.sub(r"%\\\(\w+\\\)s", r"(?s:.+?)", text)


_YEAR = 8888
_PHASES = [Phase(season, _YEAR, kind) for season in Season for kind in Kind]


def _dated(phase: Phase) -> re.Pattern[str]:
    return re.compile(re.escape(phase_words(phase)).replace(str(_YEAR), r"(\d+)"))


def kind_of(text: str) -> str | None:
    """Return the kind of a message by its first lines: start, results, reminder, late, over."""
    first = " ".join(text.partition("\n\n")[0].split())
    for wording in _wordings():
        for kind, said in wording.first.items():
            if said.search(first):
                return kind
    return None


def results_in(text: str, phase: Phase) -> int:
    """Return how often a message has the results of a phase."""
    flat = " ".join(text.split())
    found = 0
    for language in i18n.LANGUAGES:
        with i18n.speaking(language):
            heading = i18n.gettext(_RESULTS) % {"phase": phase_words(phase).upper()}
        found += flat.count(heading)
    return found


def refuses(text: str) -> bool:
    """Return whether a reply says that something could not be used."""
    return any(wording.refused in text for wording in _wordings())


def phase_in(text: str) -> Phase | None:
    """Return the first phase that is named in words."""
    found = [
        (match.start(), Phase(phase.season, int(match[1]), phase.kind))
        for wording in _wordings()
        for phase, pattern in wording.phases.items()
        if (match := pattern.search(text))
    ]
    return min(found, key=lambda each: each[0])[1] if found else None


def task_in(text: str) -> Task | None:
    """Return what the reader is asked to decide, if anything."""
    for wording in _wordings():
        asked = wording.task.search(text)
        if asked is None:
            continue
        phase = phase_in(text)
        if phase is None:
            return None
        counts = {name[:-1]: int(count) for name, count in asked.groupdict().items() if count}
        return Task(
            phase,
            dict(_units(_unfolded(text[asked.end() :]))),
            count=sum(counts.values()),
            removals="removals" in counts,
        )
    return None


def _units(lines: Iterable[str]) -> Iterator[tuple[Unit, list[str]]]:
    """Yield the listed units up to the first other paragraph."""
    for line in lines:
        found = _UNIT.match(line)
        if found:
            yield Unit(found[1], found[2]), _PLACE.findall(found[3] or "")
        elif line.strip():
            return


def _unfolded(text: str) -> Iterator[str]:
    """Yield list entries unfolded: lines that are indented further belong to the one above."""
    held = ""
    for line in text.splitlines():
        if held.startswith("  ") and line.startswith("    "):
            held = f"{held} {line.strip()}"
        else:
            yield held
            held = line
    yield held
