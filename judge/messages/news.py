"""What a phase means to one reader: at most four lines, the worst first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from judge.interchange.stored_values import CLASS

MOST_NEWS = 4
"""Lines of news in a message."""

_MOST, _LONGEST = 4, 34
"""Things that one line names, and characters of their codes that fit into it on a phone."""

What = Literal["lost", "won", "fell", "gone", "failed", "held", "built", "done"]


class News(Struct, frozen=True):
    """A line of news: centers by who has them now or had them, or orders and units by their codes.

    `more` is how many the line leaves out; `brief` says of a single order what became of it.
    """

    what: What
    items: Sequence[Any]
    more: int = 0
    brief: object = ""

    @property
    def good(self) -> bool:
        """Whether the reader likes to hear it."""
        return self.what in ("won", "held", "built", "done")


def news_of(reports: Iterable[Mapping[str, Any]], powers: Sequence[str]) -> list[News]:
    """Return what is new for the player of some powers, from results as they may see them."""
    found: dict[What, list[Any]] = {}
    for report in reports:
        for what, item in _told(report, powers):
            found.setdefault(what, []).append(item)
    order: tuple[What, ...] = ("lost", "fell", "gone", "won", "failed", "held", "built", "done")
    # Where anything failed or was attacked, the rest needs no line.
    if any(what in found for what in ("fell", "failed", "held")):
        found.pop("done", None)
    return [_line(what, found[what]) for what in order if what in found][:MOST_NEWS]


def _line(what: What, items: list[Any]) -> News:
    if what in ("lost", "won"):
        sides: dict[str | None, list[str]] = {}
        for power, place in items[:_MOST]:
            sides.setdefault(power, []).append(place)
        return News(what, list(sides.items()), len(items[_MOST:]))
    if what == "done":
        return News(what, (), len(items))
    if len(items) == 1:
        code, brief = items[0]
        return News(what, [code], brief=brief if what in ("fell", "failed") else "")
    codes = [_tried(each) if what == "failed" else each for each, _ in items]
    shown = codes[:1]
    for code in codes[1:]:
        if len(", ".join([*shown, code])) > _LONGEST:
            break
        shown.append(code)
    return News(what, shown, len(items) - len(shown))


def _tried(code: str) -> str:
    """Return an order as news of several has it: `gal-bud`, or its unit. It is none that could be
    typed: anyone who tries the same again must not seem to quote the letter."""
    words = code.split(" ")
    return words[1] if len(words) == 2 and "-" in words[1] else " ".join(words[:2])


def _told(report: Mapping[str, Any], powers: Sequence[str]) -> Iterator[tuple[What, Any]]:
    for each in report["taken"]:
        if each["from"] in powers and each["to"] not in powers:
            yield "lost", (each["to"], each["name"])
        elif each["to"] in powers and each["from"] not in powers:
            yield "won", (each["from"], each["name"])
    for power in powers:
        left = {each["unit"] for each in report["dislodged"] if each["power"] == power}
        for line in report["orders"].get(power, ()):
            if what := _became(line, left):
                unit = line["unit"] if what not in ("failed", "done") else None
                yield what, (unit or line["code"], line.get("fall" if what == "fell" else "brief"))


def _became(line: Mapping[str, Any], left: set[str]) -> What | None:
    """Return what became of an order as news has it."""
    outcome = (line.get("outcome") or {}).get(CLASS)
    if line["unit"] in left or line["reason"] == "dislodged":
        return "fell"
    if outcome in ("Disbanded", "RetreatClash", "NowhereToGo"):
        return "gone"
    if outcome == "Built":
        return "built"
    if line["done"] is False:
        return "failed"
    if outcome == "Held" and line["telling"] and line["given"]:
        return "held"
    return "done" if line["given"] and line["done"] else None
