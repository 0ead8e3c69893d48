"""What stands around the board: game and phase above; powers and the legend below."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from judge.i18n import language, sentences
from judge.maps import strokes, symbols
from judge.maps.atlas import drawing_of
from judge.maps.drawing import WIDTH, Spot, rounded
from judge.maps.symbols import BORDER, COAST, INK
from judge.maps.view import View, clipped
from judge.rules.variant import letters_of
from judge.sentences.terms import named, phase_words

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
        Words((WIDTH - EDGE, middle), phase_words(view.phase), 30, bold=True, end=True),
    )


_ANY: Final = "#d8d2c2"
"""The color of no power."""

_WAY: Final = [(-28.0, 0.0), (24.0, 0.0)]
"""The line along which signs of orders are drawn."""

_LEVEL: Final = [(-24.0, 0.0), (24.0, 0.0)]
"""That of lines that are no orders."""


def _unit(kind: str, *, beaten: bool = False) -> str:
    return symbols.unit(kind, 1.0, _ANY, "", beaten=beaten)


def _box(fill: str, hatch: str) -> str:
    place = 'x="-22" y="-12" width="44" height="24"'
    return (
        f'<rect {place} fill="{fill}"/>'
        f'<rect {place} fill="url(#{hatch})" stroke="{INK}" stroke-width="1"/>'
    )


def _line(points: Sequence[Spot], width: float, color: str, dash: str = "") -> str:
    return strokes.stroke(strokes.path_data(points), width, color, dash)


LEGEND: Final[Mapping[str, str]] = {
    "unit A": _unit("A"),
    "unit F": _unit("F"),
    "unit N": _unit("N"),
    "unit AF": _unit("AF"),
    "unit R": _unit("R"),
    "center": symbols.center(1.1, None, ""),
    "home": _unit("A") + symbols.placed(symbols.center(symbols.HOME, None, ""), (-18, -13)),
    "move": strokes.move_arrow(_WAY, _ANY),
    "origin": strokes.ring((0, 0), INK),
    "support": strokes.support_line(_WAY, _ANY),
    "hold": strokes.octagon((0, 0), 44, 30),
    "convoy": "".join(strokes.stroke(strokes.wave([(-24, y), (24, y)]), 2.4) for y in (-5, 5)),
    "bomb": strokes.burst((0, 0), 15, "#ffd75e", 12),
    "failed": strokes.broken_arrow(_WAY, strokes.FAILED)
    + strokes.cross(strokes.point_along(_WAY, 0.42)[0], 6),
    "cut": strokes.outlined(strokes.path_data(_WAY), 4.4, 7, "0.1 7.5")
    + strokes.slashes((-2, 0), 0),
    "beaten": strokes.burst((0, 0), 16, "#ffffff", 12),
    "dislodged": _unit("A", beaten=True),
    "possible": strokes.broken_arrow(_WAY, strokes.CHOICE, INK, 2, 8),
    "retreat": strokes.broken_arrow(_WAY, strokes.RETREAT),
    "contested": strokes.burst((0, 0), 12, "#ffffff", 8),
    "build": _unit("A") + symbols.badge((18, -12), "+"),
    "site": strokes.stroke(rounded((0, 0), *symbols.UNIT, 6), 2.2, INK, "4 3"),
    "surplus": symbols.badge((0, 0), "−"),
    "removal": _unit("A") + strokes.crossed_out((0, 0), 28, 20),
    "closed": _box("#c4d5dd", "closed"),
    "gone": _box("#5d5a57", "gone"),
    "unseen": _box("#b0b5b8", "fog"),
    "void": _box("#c9c4b8", "void"),
    "strait": _line(_LEVEL, 2.6, INK, "0.1 5"),
    "joint": symbols.joint((0, 0)),
    "seam": "".join(_line([(k * 8, -7), (k * 14, 0), (k * 8, 7)], 2.4, COAST) for k in (-1, 1)),
    "link": _line(_LEVEL, 2.4, BORDER),
    "route": _line(_LEVEL, 2.4, COAST, "2 5"),
}
"""What a picture can have, each as it is drawn around 0 0; `templates/sentences.toml` has its
words."""

_Entry = tuple[str, str, float]
"""Words, a sign around 0 0, and how much room that has."""

Signed = tuple[str, Words]
"""A sign as SVG, and its words."""


def footer(
    view: View, colors: Mapping[str, str], used: set[str], top: float
) -> tuple[list[Signed], int]:
    """Return the powers with their centers, and the legend of what is `used` in the picture; and
    where it ends."""
    shown, bottom = _flow(list(_powers(view.board, colors)), top + 34, 21)
    wanted = used | _states(view) if used else used
    words = sentences("legend", language())
    entries = [(words[key], sign, 62.0) for key, sign in LEGEND.items() if key in wanted]
    legend, bottom = _flow(entries, bottom + 38, 19)
    return shown + legend, round(bottom + 28)


def _states(view: View) -> set[str]:
    """Return the states of provinces that the picture has."""
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


def _powers(view: View, colors: Mapping[str, str]) -> Iterator[_Entry]:
    letters = letters_of(view.variant)
    for power in view.variant.powers:
        count = len(view.centers.get(power, ()))
        if not count and not view.units.get(power):
            continue
        words = str(named(power)) + ("" if view.unseen else f" {count}")
        yield words, symbols.center(1.5, colors[power], letters.get(power, "?")), 34.0


def _flow(entries: Sequence[_Entry], top: float, size: float) -> tuple[list[Signed], float]:
    """Return signs with words in columns of one width, as many rows as it takes; and the last
    row."""
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
        sign = symbols.placed(sign, (x + room / 2 - 4, y))
        shown.append((sign, Words((x + room, y), words, size)))
    return shown, y
