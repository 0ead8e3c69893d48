"""What a board's data can say besides the usual: coasts on which fleets convoy, years that count
down, units of nobody, builds in any home, victory by a lead."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge import variants
from judge.language.read import read_order
from judge.rules.engine import adjudicate, owed
from judge.rules.legal_orders import legal_orders
from judge.rules.legality import check
from judge.rules.orders import Build, Convoy, Move, Order, Retreat, Support
from judge.rules.phase import Calendar, Phase
from judge.rules.position import Dislodged, Position, Unit
from judge.rules.problems import Code, Illegal
from judge.rules.variant import Variant


def with_convoys(*coasts: str) -> Variant:
    """The standard board with coasts on which fleets convoy."""
    variant = variants.load("standard")
    provinces = {
        key: replace(place, convoys=key in coasts) for key, place in variant.board.provinces.items()
    }
    return replace(variant, board=replace(variant.board, provinces=provinces))


def landed(variant: Variant) -> set[Unit]:
    """Where the units of England are after a convoy by a fleet in Denmark."""
    army, fleet = Unit("A", "kie"), Unit("F", "den")
    position = Position(
        phase=Phase.read("S1901M"),
        units={"England": (army, fleet)},
        centers=variant.centers,
    )
    orders: list[Order] = [Move(army, "swe", via=True), Convoy(fleet, army, "swe")]
    return set(adjudicate(variant, position, {"England": orders}).position.units["England"])


def test_a_fleet_convoys_on_a_coast_that_says_so() -> None:
    assert Unit("A", "kie") in landed(with_convoys())
    assert Unit("A", "swe") in landed(with_convoys("den"))


def test_before_christ_years_count_down() -> None:
    usual = variants.load("standard").calendar
    ancient = Calendar(usual.year, usual.ownership, -1)
    last = Phase.read("W400A")
    assert ancient.next(last) == Phase.read("S399M")
    assert ancient.key(last) < ancient.key(Phase.read("S399M"))
    assert usual.key(last) > usual.key(Phase.read("S399M"))


# -- units of nobody ------------------------------------------------------------------------------

SENGOKU = variants.load("sengoku")
"""A neutral army in each of Bungo, Hizen, Izumo and four more centers."""


def in_sengoku(phase: str, mori: str, owned: str = "nag", **others: str) -> Position:
    """Some units of Mori, and Neutral's as at the start or as named."""
    opening = SENGOKU.opening
    units = {"Mori": tuple(Unit(*each.split()) for each in mori.split(", "))}
    neutral = others.get("neutral")
    listed = neutral.split(", ") if neutral else map(str, opening.units["Neutral"])
    units["Neutral"] = tuple(Unit(*each.split()) for each in listed)
    rest = [c for c in opening.centers["Neutral"] if c not in owned.split()]
    centers = {"Mori": tuple(owned.split()), "Neutral": tuple(rest)}
    return Position(Phase.read(phase), units, centers)


def test_neutral_armies_stand_and_nobody_plays_them() -> None:
    assert "Neutral" not in SENGOKU.played
    assert len(SENGOKU.played) == 8
    position = SENGOKU.opening
    assert legal_orders(SENGOKU, position, "Neutral") == {}
    assert "Neutral" not in owed(SENGOKU, position)
    done = adjudicate(SENGOKU, position, {"Neutral": [Move(Unit("A", "izm"), "hok")]})
    assert Unit("A", "izm") in done.position.units["Neutral"]


def test_a_neutral_army_holds_with_support_and_is_disbanded_without() -> None:
    position = in_sengoku("S1570M", "A iwm, A hok, A bin")
    attack: list[Order] = [
        Move(Unit("A", "iwm"), "izm"),
        Support(Unit("A", "hok"), Unit("A", "iwm"), "izm"),
    ]
    done = adjudicate(SENGOKU, position, {"Mori": attack})
    assert done.dislodged["Neutral"][0].unit == Unit("A", "izm")
    assert not done.position.dislodged
    held: list[Order] = [*attack[:1], Support(Unit("A", "hok"), Unit("A", "izm"))]
    assert not adjudicate(SENGOKU, position, {"Mori": held}).dislodged


def test_a_neutral_army_comes_back_where_its_center_is_empty_and_nobodys() -> None:
    left = "A hiz, A bug, A biz, A min, A mus, A yas"
    empty = in_sengoku("W1570A", "F nag", neutral=left)
    assert "Neutral" not in owed(SENGOKU, empty)
    after = adjudicate(SENGOKU, empty, {}).position.units["Neutral"]
    assert Unit("A", "izm") in after
    taken = in_sengoku("W1570A", "F nag, A izm", "nag izm", neutral=left)
    after = adjudicate(SENGOKU, taken, {}).position.units["Neutral"]
    assert Unit("A", "izm") not in after
    passing = in_sengoku("W1570A", "A izm", neutral=left)
    after = adjudicate(SENGOKU, passing, {}).position.units["Neutral"]
    assert Unit("A", "izm") not in after


# -- builds and victory ---------------------------------------------------------------------------


def test_units_are_built_in_any_home_but_not_in_what_was_neutral() -> None:
    variant = replace(variants.load("standard"), modules=("any_home",))
    centers = {"France": ("par", "mun", "bel")}
    winter = Position(Phase.read("W1901A"), {"France": ()}, centers)
    assert owed(variant, winter)["France"].builds == 2
    done = adjudicate(
        variant, winter, {"France": [Build(Unit("A", "mun")), Build(Unit("A", "bel"))]}
    )
    assert done.position.units["France"] == (Unit("A", "mun"),)


def test_a_lead_wins_that_is_smaller_every_year() -> None:
    variant = replace(variants.load("standard"), modules=("lead_wins",), lead=1905)

    def winners(year: int, france: str, italy: str) -> tuple[str, ...]:
        centers = {"France": tuple(france.split()), "Italy": tuple(italy.split())}
        fall = Position(Phase.read(f"F{year}R"), {"France": (), "Italy": ()}, centers)
        return adjudicate(variant, fall, {}).winners

    five, two, four = "par bre mar spa por", "rom nap", "rom nap ven tun"
    assert winners(1903, five, two) == ("France",)
    assert winners(1902, five, two) == ()
    assert winners(1904, five, four) == ()
    assert winners(1905, five, four) == ("France",)
    assert winners(1910, five, four) == ("France",)
    assert winners(1910, "par", "rom") == ()


# -- weak borders ---------------------------------------------------------------------------------

LOEB = variants.load("loeb9")
"""Cordoba - North Africa and Naples - Sicily count supports only."""


def crossed(*written: str) -> tuple[str, ...]:
    """What units of England (each with what it does) do to a unit of Spain; where all stand."""
    orders: dict[str, list[Order]] = {"England": [], "Spain": []}
    units: dict[str, list[Unit]] = {"England": [], "Spain": []}
    for text in written:
        power = "Spain" if text.startswith("*") else "England"
        unit = Unit(*text.strip("* ").split()[:2])
        units[power].append(unit)
        order = read_order(text.strip("* "), LOEB, Phase.read("S1901M"))
        orders[power].append(order)
    position = Position(
        Phase.read("S1901M"), {power: tuple(each) for power, each in units.items()}, LOEB.centers
    )
    done = adjudicate(LOEB, position, orders)
    gone = [f"{d.unit} out" for each in done.dislodged.values() for d in each]
    return (*gone, *(str(u) for each in done.position.units.values() for u in each))


@pytest.mark.parametrize(
    ("written", "after"),
    [
        # Nobody in the way, then somebody; two against one; nobody beside it.
        (("A cor - naf",), ("A naf",)),
        (("A cor - naf", "* A naf H"), ("A cor", "A naf")),
        (("A cor - naf", "F wes S A cor - naf", "* A naf H"), ("A cor", "F wes", "A naf")),
        (("A cor - naf", "F wes S A cor - naf", "F mao S A cor - naf", "* A naf H"), None),
        # A rival at full strength is not held up; another weak one would be.
        (("A cor - naf", "* F mao - naf"), ("A cor", "F naf")),
        # Without support it cuts none; with support it does.
        (("A cor - naf", "F ion - tun", "* A naf S F tys - tun", "* F tys - tun"), None),
        # None is given across.
        (("A cor S A naf - tun", "A naf - tun", "* F tun H"), ("A cor", "A naf", "F tun")),
    ],
)
def test_across_a_weak_border_only_supports_count(
    written: tuple[str, ...], after: tuple[str, ...] | None
) -> None:
    found = crossed(*written)
    if after is not None:
        assert found == after
    elif "F mao S A cor - naf" in written:
        assert "A naf out" in found
    else:
        assert "F tun" in found
        more = crossed(*written, "F wes S A cor - naf")
        assert "F tys" in more


def test_who_retreats_across_a_weak_border_gives_way() -> None:
    gone = {
        "Italy": (Dislodged(Unit("A", "nap"), "rom", ("sic",)),),
        "Turkey": (Dislodged(Unit("F", "ion"), "gre", ("sic",)),),
    }
    position = Position(Phase.read("S1901R"), {}, LOEB.centers, gone)
    retreats: dict[str, list[Order]] = {
        "Italy": [Retreat(Unit("A", "nap"), "sic")],
        "Turkey": [Retreat(Unit("F", "ion"), "sic")],
    }
    after = adjudicate(LOEB, position, retreats).position.units
    assert after["Turkey"] == (Unit("F", "sic"),)
    assert not after.get("Italy")


def test_a_weak_border_is_explained() -> None:
    spain, tunis = Unit("A", "cor"), Unit("A", "naf")
    position = Position(Phase.read("S1901M"), {"Spain": (spain, tunis)}, LOEB.centers)
    assert Move(spain, "naf") in legal_orders(LOEB, position, "Spain")[spain]
    assert not any(
        isinstance(each, Support) and each.target == tunis and each.to is None
        for each in legal_orders(LOEB, position, "Spain")[spain]
    )
    wrong = check(LOEB, position, "Spain", Support(spain, tunis)).problem
    assert isinstance(wrong, Illegal)
    assert wrong.code is Code.WEAK_SUPPORT


# -- coasts of any name ---------------------------------------------------------------------------


def with_river() -> Variant:
    """The standard board on which the south coast of Spain is a river."""
    variant = variants.load("standard")

    def called(place: str) -> str:
        return place.replace("spa/sc", "spa/river")

    board = variant.board
    fleet = {called(here): tuple(map(called, there)) for here, there in board.fleet.items()}
    spain = replace(board.provinces["spa"], coasts=("nc", "river"))
    board = replace(board, fleet=fleet, provinces={**board.provinces, "spa": spain})
    return replace(variant, board=board)


@pytest.mark.parametrize(
    "written",
    [
        "F lyo - spa/river",
        "F Gulf of Lyon - Spain (river)",
        "fleet gol to river coast of Spain",
        "F lyo-Spain river",
    ],
)
def test_a_coast_of_any_name_is_read_as_people_write_it(written: str) -> None:
    variant, fleet = with_river(), Unit("F", "gol")
    spring = Phase.read("S1901M")
    order = read_order(written, variant, spring)
    position = Position(spring, {"France": (fleet,)}, variant.centers)
    done = adjudicate(variant, position, {"France": [order]})
    assert done.position.units["France"] == (Unit("F", "spa/river"),)
    assert variant.board.name("spa/river") == "Spain (river)"
