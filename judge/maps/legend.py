"""What stands around the board: game and phase above; powers and the legend below."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from judge.i18n import Message
from judge.maps import symbols
from judge.maps.drawing import Spot, drawing_of
from judge.maps.strokes import (
    CHOICE,
    FAILED,
    RETREAT,
    broken_arrow,
    burst,
    cross,
    crossed_out,
    move_arrow,
    octagon,
    outlined,
    path_data,
    point_along,
    ring,
    slashes,
    stroke,
    support_line,
    wave,
)
from judge.maps.symbols import BORDER, COAST, INK, WIDTH
from judge.maps.view import View, clipped, phase_line
from judge.sentences.terms import named

HEADER: Final = 62
EDGE: Final = 22
WIDE: Final = 0.56
"""Width of a letter of the font, by its size, on the average of words."""


class Words(NamedTuple):
    """Words in a picture: where they start, or `end`, and how large they are."""

    at: Spot
    words: str
    size: float
    bold: bool = False
    end: bool = False

    @property
    def svg(self) -> str:
        """The words as SVG."""
        anchor = "end" if self.end else "start"
        return symbols.text(self.at, self.words, self.size, bold=self.bold, anchor=anchor)


def header(view: View) -> tuple[Words, Words]:
    """Return the name of the game, or of the board, and the phase."""
    left = clipped(view.game or view.variant.title, 34)
    middle = HEADER / 2
    return (
        Words((EDGE, middle), left, 30, bold=True),
        Words((WIDTH - EDGE, middle), phase_line(view), 30, bold=True, end=True),
    )


class _Entry(NamedTuple):
    """One thing that the legend explains: when it is there, its words, and how it is drawn."""

    key: str
    words: Message
    sign: Callable[[float, float], str]


_ANY: Final = "#d8d2c2"
"""The color of no power."""


def _along(draw: Callable[[list[Spot]], str]) -> Callable[[float, float], str]:
    """A sign drawn along a line from left to right."""
    return lambda x, y: draw([(x - 28, y), (x + 24, y)])


def _failed(points: list[Spot]) -> str:
    return broken_arrow(points, FAILED) + cross(point_along(points, 0.42)[0], 6)


def _choice(points: list[Spot]) -> str:
    return broken_arrow(points, CHOICE, INK, 2, 8)


def _cut(points: list[Spot]) -> str:
    return outlined(path_data(points), 4.4, 7, "0.1 7.5") + slashes(point_along(points, 0.5)[0], 0)


def _removal(x: float, y: float) -> str:
    return _unit("A")(x, y) + crossed_out((x, y), 28, 20)


def _build(x: float, y: float) -> str:
    return _unit("A")(x, y) + symbols.badge((x + 18, y - 12), "+")


def _site(x: float, y: float) -> str:
    return stroke(symbols.rounded((x, y), *symbols.UNIT, 6), 2.2, INK, "4 3")


def _unit(kind: str, *, beaten: bool = False) -> Callable[[float, float], str]:
    return lambda x, y: symbols.placed(symbols.unit(kind, 1.0, _ANY, "", beaten=beaten), (x, y))


def _center(scale: float, color: str | None, letter: str) -> Callable[[float, float], str]:
    return lambda x, y: symbols.placed(symbols.center(scale, color, letter), (x, y))


def _box(fill: str, hatch: str) -> Callable[[float, float], str]:
    def sign(x: float, y: float) -> str:
        place = f'x="{x - 22:.1f}" y="{y - 12:.1f}" width="44" height="24"'
        return (
            f'<rect {place} fill="{fill}"/>'
            f'<rect {place} fill="url(#{hatch})" stroke="{INK}" stroke-width="1"/>'
        )

    return sign


def _line(width: float, color: str, dash: str) -> Callable[[float, float], str]:
    return lambda x, y: stroke(path_data([(x - 24, y), (x + 24, y)]), width, color, dash)


def _seam(x: float, y: float) -> str:
    return "".join(
        stroke(path_data([(x + k * 8, y - 7), (x + k * 14, y), (x + k * 8, y + 7)]), 2.4, COAST)
        for k in (-1, 1)
    )


LEGEND: Final = (
    _Entry("unit A", Message("army"), _unit("A")),
    _Entry("unit F", Message("fleet"), _unit("F")),
    _Entry("unit N", Message("navy"), _unit("N")),
    _Entry("unit AF", Message("air force"), _unit("AF")),
    _Entry("unit R", Message("arsenal"), _unit("R")),
    _Entry("center", Message("center"), _center(1.1, None, "")),
    _Entry("move", Message("move"), _along(lambda points: move_arrow(points, _ANY))),
    _Entry("origin", Message("came from"), lambda x, y: ring((x, y), INK)),
    _Entry("support", Message("support"), _along(lambda points: support_line(points, _ANY))),
    _Entry("hold", Message("hold"), lambda x, y: octagon((x, y), 44, 30)),
    _Entry(
        "convoy",
        Message("convoy"),
        lambda x, y: "".join(
            stroke(wave([(x - 24, y + k), (x + 24, y + k)]), 2.4) for k in (-5, 5)
        ),
    ),
    _Entry("bomb", Message("bomb"), lambda x, y: burst((x, y), 15, "#ffd75e", 12)),
    _Entry("failed", Message("fails"), _along(_failed)),
    _Entry("cut", Message("support is cut"), _along(_cut)),
    _Entry("beaten", Message("dislodged"), lambda x, y: burst((x, y), 16, "#ffffff", 12)),
    _Entry("dislodged", Message("must retreat"), _unit("A", beaten=True)),
    _Entry("possible", Message("can retreat"), _along(_choice)),
    _Entry("retreat", Message("retreat"), _along(lambda points: broken_arrow(points, RETREAT))),
    _Entry("contested", Message("standoff"), lambda x, y: burst((x, y), 12, "#ffffff", 8)),
    _Entry("build", Message("build"), _build),
    _Entry("site", Message("can be built"), _site),
    _Entry("surplus", Message("can be removed"), lambda x, y: symbols.badge((x, y), "−")),
    _Entry("removal", Message("removal"), _removal),
    _Entry("closed", Message("closed this season"), _box("#c4d5dd", "closed")),
    _Entry("gone", Message("destroyed"), _box("#5d5a57", "gone")),
    _Entry("unseen", Message("out of sight"), _box("#b0b5b8", "fog")),
    _Entry("void", Message("impassable"), _box("#c9c4b8", "void")),
    _Entry("strait", Message("strait"), _line(2.6, INK, "0.1 5")),
    _Entry("joint", Message("way across"), lambda x, y: symbols.joint((x, y))),
    _Entry("seam", Message("wraps around"), _seam),
    _Entry("link", Message("land border"), _line(2.4, BORDER, "")),
    _Entry("route", Message("sea route"), _line(2.4, COAST, "2 5")),
)  # fmt: skip


Signed = tuple[str, Words]
"""A sign as SVG, and its words."""


def footer(
    view: View, colors: Mapping[str, str], used: set[str], top: float
) -> tuple[list[Signed], int]:
    """Return the powers with their centers, and the legend of what is `used` in the picture; and
    where it ends."""
    shown, bottom = _flow(list(_powers(view.board, colors)), top + 34, 21)
    wanted = used | _states(view) if used else used
    entries = [(str(entry.words), entry.sign, 62.0) for entry in LEGEND if entry.key in wanted]
    legend, bottom = _flow(entries, bottom + 38, 19)
    return shown + legend, round(bottom + 28)


def _states(view: View) -> set[str]:
    """The states of provinces that the picture has."""
    season = view.phase.season
    found = set()
    if any(season not in seasons for seasons in view.variant.seasonal.values()):
        found.add("closed")
    if view.gone:
        found.add("gone")
    if view.unseen:
        found.add("unseen")
    drawing = drawing_of(view.variant)
    if drawing.voids:
        found.add("void")
    found |= {line.kind for line in drawing.lines} & {"strait", "link", "route"}
    found |= {key for key, there in (("joint", drawing.joints), ("seam", drawing.seam)) if there}
    return found


def _powers(
    view: View, colors: Mapping[str, str]
) -> Iterator[tuple[str, Callable[[float, float], str], float]]:
    letters = {power: letter for letter, power in view.variant.letters.items()}
    for power in view.variant.powers:
        count = len(view.centers.get(power, ()))
        if not count and not view.units.get(power):
            continue
        words = str(named(power)) + ("" if view.unseen else f" {count}")
        yield words, _center(1.5, colors[power], letters.get(power, "?")), 34.0


def _flow(
    entries: Sequence[tuple[str, Callable[[float, float], str], float]], top: float, size: float
) -> tuple[list[Signed], float]:
    """Signs with words in columns of one width, as many rows as it takes; and the last row."""
    if not entries:
        return [], top - 36
    widest = max(room + len(words) * size * WIDE + 22 for words, _, room in entries)
    columns = max(min(int((WIDTH - 2 * EDGE) / widest), len(entries)), 1)
    rows = -(-len(entries) // columns)
    columns = -(-len(entries) // rows)
    wide = (WIDTH - 2 * EDGE) / columns
    shown: list[Signed] = []
    y = top
    for index, (words, sign, room) in enumerate(entries):
        row, column = divmod(index, columns)
        x, y = EDGE + column * wide, top + row * (size + 17)
        shown.append((sign(x + room / 2 - 4, y), Words((x + room, y), words, size)))
    return shown, y
