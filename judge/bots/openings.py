"""What computers order in the first spring of the standard game: what people do, as often as they.

The shares are in percent. A: counted in 127,619 games, benchmarks/opening-book-analysis.md of
github.com/freeeve/polite-betrayal (A rom - nap: by where units stood in fall). B: its
opening_book_1901.json, whose 4.7 and 4.8 are those of diplomacyopenings.wordpress.com. C: postal
games, New Statsman, by diplomacy-archive.com/resources/strategy/articles/naming.htm. D has
no count: it is known, and gets the share of a rare one. Games without orders are left out.
"""

from __future__ import annotations

from random import Random
from typing import Final

from judge.bots.options import Scene
from judge.rules.orders import Order

BOARD: Final = "standard"

OPENINGS: Final[dict[str, tuple[tuple[float, str], ...]]] = {
    "Austria": (
        (16.2, "A vie - gal, F tri - alb, A bud - ser"),  # A
        (15.5, "A vie - tri, F tri - alb, A bud - ser"),  # A
        (10.9, "A vie - bud, F tri - alb, A bud - ser"),  # A
        (4.8, "A vie - bud, F tri H, A bud - ser"),  # B
        (3.0, "A vie - gal, F tri - ven, A bud - ser"),  # D
    ),
    "England": (
        (29.9, "F edi - nrg, F lon - nth, A lvp - yor"),  # A
        (20.0, "F edi - nrg, F lon - nth, A lvp - edi"),  # A
        (19.5, "F edi - nth, F lon - eng, A lvp - yor"),  # A
        (7.5, "F edi - nth, F lon - eng, A lvp - wal"),  # C
        (1.3, "F edi - nrg, F lon - eng, A lvp - edi"),  # C
        (0.9, "F edi - nth, F lon - eng, A lvp - edi"),  # C
    ),
    "France": (
        (19.1, "F bre - mid, A par - bur, A mar - spa"),  # A
        (14.9, "F bre - mid, A par - pic, A mar - spa"),  # A
        (11.8, "F bre - mid, A par - bur, A mar S A par - bur"),  # A
        (7.3, "F bre - eng, A par - pic, A mar - spa"),  # B
        (3.0, "F bre - eng, A par - bur, A mar - spa"),  # D
    ),
    "Germany": (
        (29.9, "F kie - den, A ber - kie, A mun - ruh"),  # A
        (15.6, "F kie - hol, A ber - kie, A mun - ruh"),  # A
        (18.6, "F kie - den, A ber - kie, A mun - bur"),  # B
        (12.3, "F kie - hol, A ber - kie, A mun - bur"),  # C
        (1.9, "F kie - den, A ber - kie, A mun H"),  # C
    ),
    "Italy": (
        (16.7, "F nap - ion, A rom - ven, A ven - tyr"),  # A
        (13.6, "F nap - ion, A rom - apu, A ven H"),  # A
        (8.0, "F nap - ion, A rom - ven, A ven - pie"),  # B
        (7.5, "F nap - ion, A rom - nap, A ven H"),  # A
        (5.0, "F nap - ion, A rom - ven, A ven - tri"),  # B
    ),
    "Russia": (
        (25.2, "F stp/sc - bot, F sev - bla, A mos - ukr, A war - gal"),  # A
        (9.2, "F stp/sc - bot, F sev - rum, A mos - ukr, A war - gal"),  # B
        (7.8, "F stp/sc - bot, F sev - bla, A mos - stp, A war - ukr"),  # B
        (5.0, "F stp/sc - bot, F sev - bla, A mos - stp, A war - gal"),  # B
        (3.0, "F stp/sc - bot, F sev - bla, A mos - sev, A war - gal"),  # D
    ),
    "Turkey": (
        (48.2, "A con - bul, A smy - con, F ank - bla"),  # A
        (20.4, "A con - bul, A smy - arm, F ank - bla"),  # A
        (8.7, "A con - bul, A smy - arm, F ank - con"),  # B
        (4.7, "A con - bul, A smy - con, F ank H"),  # B
        (3.0, "A con - bul, A smy - ank, F ank - con"),  # D
    ),
}


def opening(scene: Scene, power: str, random: Random) -> list[Order] | None:
    """Return the orders of an opening drawn by its share; None where the game does not begin as
    the standard one does."""
    variant, position = scene.variant, scene.position
    first = variant.name == BOARD and position.phase == variant.start_phase
    if not first or power not in OPENINGS:
        return None
    shares, openings = zip(*OPENINGS[power], strict=True)
    (chosen,) = random.choices(openings, shares)
    legal = {str(order): order for orders in scene.legal(power).values() for order in orders}
    found = [legal.get(each) for each in chosen.split(", ")]
    orders = [each for each in found if each is not None]
    return orders if len(orders) == len(found) == len(scene.legal(power)) else None
