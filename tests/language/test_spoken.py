"""Orders as people say them: a table of sentences, each with what the turn makes of it.

What can mean one thing only is followed, the rest is asked about.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from judge import variants
from judge.game.orders.interpret import ask
from judge.game.orders.order_context import OrderContext
from judge.rules.phase import Phase
from judge.rules.position import Dislodged, Position, Unit
from tests.language.test_documents import told


def views() -> dict[str, OrderContext]:
    """Whose orders are read, by the headings of the table."""

    def turn(
        board: str, phase: str, power: str, units: dict[str, str], centers: str = "", gone: str = ""
    ) -> OrderContext:
        variant = variants.load(board)
        position = Position(
            Phase.read(phase),
            {
                whose: tuple(Unit(*each.split()) for each in listed.split(", "))
                for whose, listed in units.items()
            },
            {power: tuple(centers.split())},
            {power: (Dislodged(Unit(*gone.split()), None),)} if gone else {},
        )
        return OrderContext(variant, position, powers=(power,))

    era = {"Britain": "A del, F mad, A bom, F ade, F ans", "Netherlands": "A sum"}
    globe = {"United States": "A cus, R ala, AF wca, N nat, A mex", "European Union": "A weu"}
    europe = {"Austria": "A ser, F tri, A vie, F alb", "Italy": "F ion, A tun", "Turkey": "A bul"}
    return {
        "era": turn("era_of_empire", "S1871M", "Britain", era),
        "era winter": turn(
            "era_of_empire",
            "W1870A",
            "Britain",
            {"Britain": "A del, F mad, A bom, F ade"},
            "del mad bom ade cey",
        ),
        "global": turn("global", "W2101M", "United States", globe),
        "global builds": turn(
            "global", "F2101A", "United States", {"United States": "A cus"}, "cus ala wus"
        ),
        "standard": turn("standard", "F1901M", "Austria", europe),
        "standard builds": turn(
            "standard", "W1901A", "Austria", {"Austria": "A ser, F alb"}, "tri bud vie ser gre"
        ),
        "standard removals": turn(
            "standard", "W1901A", "Austria", {"Austria": "A ser, F alb, A bud, A tri"}, "tri bud"
        ),
        "standard retreats": turn(
            "standard", "F1901R", "Austria", {"Austria": "F alb, A bud"}, "bud", "A ser"
        ),
    }


DESKS = views()


def rows() -> list[tuple[str, str, str]]:
    """The table: heading, sentence and meaning."""
    found, heading = [], ""
    file = Path(__file__).with_name("spoken.txt")
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            heading = line[3:]
        elif line and not line.startswith("#"):
            said, means = line.rsplit(" | ", 1)
            found.append((heading, said, means))
    return found


@pytest.mark.parametrize(("heading", "said", "means"), rows())
def test_what_is_said_is_followed_or_asked_about(heading: str, said: str, means: str) -> None:
    pieces = ask(said, DESKS[heading])
    assert ("; ".join(map(told, pieces)) or "~") == means
