"""The rule modules, on the boards that use them: conscription and conversion."""

from __future__ import annotations

import pytest

from judge import variants
from judge.language.read import read_order
from judge.rules.adjustments import conversions, sites
from judge.rules.engine import Owed, adjudicate, check, owed
from judge.rules.hooks import RuleHooks, rule_hooks
from judge.rules.legal_orders import legal_orders
from judge.rules.modules.registry import MODULES
from judge.rules.orders import Build, Disband, Order
from judge.rules.outcome import Reason
from judge.rules.phase import Phase
from judge.rules.position import Position, Unit
from judge.rules.result import Adjudication
from judge.rules.rulebook import Rulebook
from tests.rules.table import said

ERA = variants.load("era_of_empire")
STANDARD = variants.load("standard")
WINTER = Phase.read("W1870A")


def position(units: str, centers: str, power: str = "Britain") -> Position:
    """What one power has in Winter 1870."""
    standing = tuple(Unit(*text.split()) for text in units.split(", ") if text)
    return Position(WINTER, {power: standing}, {power: tuple(centers.split())})


def run(before: Position, *orders: str) -> Adjudication:
    """The winter of the one power there is, with these orders."""
    (power,) = before.units
    read: list[Order] = [read_order(text, ERA, WINTER, power, before) for text in orders]
    return adjudicate(ERA, before, {power: read})


def outcome(result: Adjudication) -> list[str]:
    """The orders with + or the reason why not, those the judge gave in brackets."""
    ((_, results),) = result.results.items()
    return [
        f"{'+' if each.reason is None else each.reason.value} {each.order}"
        if each.given
        else f"({each.order})"
        for each in results
    ]


def standing(result: Adjudication) -> str:
    ((_, units),) = result.position.units.items()
    return ", ".join(sorted(map(str, units)))


# -- the hooks ------------------------------------------------------------------------------------


def test_every_module_fills_hooks_that_exist() -> None:
    for filled in MODULES.values():
        assert filled.keys() <= vars(RuleHooks()).keys()


def test_the_standard_rules_fill_what_no_module_does() -> None:
    assert rule_hooks(STANDARD) == RuleHooks()
    assert rule_hooks(ERA).can_build is MODULES["conscription"]["can_build"]
    assert rule_hooks(ERA).can_convert is MODULES["conversion"]["can_convert"]


# -- conscription ---------------------------------------------------------------------------------


def test_units_are_raised_in_any_center_that_is_owned_and_empty() -> None:
    before = position("A del, F sud", "del mad bom ade sud egy")
    assert set(sites(ERA, before, "Britain")) == {"mad", "bom", "ade", "egy"}
    assert owed(ERA, before)["Britain"].builds == 4
    result = run(before, "build army egypt", "F Mad", "B A kar", "B A del")
    assert outcome(result) == [
        *("+ B A egy", "+ B F mad", "not_allowed B A kar", "not_allowed B A del", "(WAIVE 2)")
    ]
    assert said(result.results["Britain"][2], ERA) == "Karachi is not yours"


def test_on_other_boards_only_at_home() -> None:
    before = Position(WINTER, {"Turkey": ()}, {"Turkey": ("ank", "bul")})
    assert sites(STANDARD, before, "Turkey") == ("ank",)


# -- conversion -----------------------------------------------------------------------------------


def test_what_can_be_converted() -> None:
    before = position("F sud, A ben, A del, A pun, F goa, A tib", "sud ben del mad")
    assert conversions(ERA, before, "Britain") == {
        Unit("F", "sud"): (Unit("A", "sud"),),
        Unit("A", "ben"): (Unit("F", "ben"),),
    }


def test_on_other_boards_nothing_can_be_converted() -> None:
    before = Position(WINTER, {"Turkey": (Unit("A", "con"),)}, {"Turkey": ("con",)})
    assert conversions(STANDARD, before, "Turkey") == {}
    assert owed(STANDARD, before) == {}
    answer = check(STANDARD, before, "Turkey", Build(Unit("F", "con")))
    assert said(answer.problem) == "Constantinople is occupied"


@pytest.mark.parametrize(
    ("centers", "due"), [("sud", 0), ("sud mad", 1), ("sud mad bom", 2)], ids=["none", "one", "two"]
)
def test_a_conversion_takes_no_build(centers: str, due: int) -> None:
    before = position("F sud", centers)
    assert owed(ERA, before)["Britain"] == Owed(builds=due, conversions=(Unit("F", "sud"),))
    result = run(before, "Army Sudan", *[f"B A {center}" for center in centers.split()[1:]])
    assert all(line.startswith("+") for line in outcome(result))
    assert len(outcome(result)) == 1 + due
    assert standing(result) == ", ".join(sorted(f"A {center}" for center in centers.split()))


def test_a_conversion_is_told_in_words() -> None:
    (told,) = run(position("F sud", "sud"), "Army Sudan").results["Britain"]
    assert said(told, ERA) == "the fleet in Sudan is an army now"
    assert (told.unit, told.order) == (Unit("A", "sud"), Build(Unit("A", "sud")))
    (told,) = run(position("A ben", "ben"), "Fleet Bengal").results["Britain"]
    assert said(told, ERA) == "the army in Bengal is a fleet now"


@pytest.mark.parametrize(
    ("units", "centers", "order", "problem"),
    [
        ("A del", "del", "B F del", "a fleet cannot be built inland, and Delhi has no coast"),
        ("F egy", "egy ade", "B F egy", "Egypt is occupied by a fleet already"),
        ("F egy", "egy", "B egy", "write whether an army or a fleet is to be built in Egypt"),
        ("A del", "del", "B del", "write what an army in Delhi is to become"),
        ("F egy", "ade", "B A egy", "Egypt is not yours"),
        ("F rs", "ade", "B A rs", "the Red Sea is not a supply center"),
    ],
)
def test_what_cannot_be_converted(units: str, centers: str, order: str, problem: str) -> None:
    before = position(units, centers)
    result = run(before, order)
    (told,) = result.results["Britain"][:1]
    assert told.reason is Reason.NOT_ALLOWED
    assert said(told, ERA) == problem
    assert standing(result) == units
    answer = check(ERA, before, "Britain", told.order)
    assert said(answer.problem, ERA) == problem


def test_nobody_converts_the_units_of_others() -> None:
    before = Position(
        WINTER,
        {"Turkey": (Unit("F", "egy"),), "Britain": (Unit("A", "ade"),)},
        {"Turkey": ("egy",), "Britain": ("ade", "bom")},
    )
    order = read_order("B A egy", ERA, WINTER, "Britain", before)
    told = adjudicate(ERA, before, {"Britain": [order]}).results["Britain"][0]
    assert (told.reason, said(told, ERA)) == (Reason.NOT_ALLOWED, "Egypt belongs to Turkey")


def test_of_two_conversions_the_first_counts() -> None:
    result = run(position("F sud", "sud"), "B A sud", "B A sud", "B F sud")
    assert outcome(result) == ["+ B A sud", "superseded B A sud", "superseded B F sud"]
    result = run(position("F sud", "sud"), "B F sud", "B A sud")
    assert outcome(result) == ["not_allowed B F sud", "+ B A sud"]


def test_a_power_with_removals_due_can_convert() -> None:
    before = position("F sud, F egy, F ade", "sud ade")
    assert owed(ERA, before)["Britain"].removals == 1
    result = run(before, "Army Sudan", "Fleet Egypt")
    assert outcome(result) == ["+ B A sud", "+ D F egy"]
    assert standing(result) == "A sud, F ade"


def test_of_a_conversion_and_a_removal_of_one_unit_the_first_counts() -> None:
    before = position("F sud, F egy", "sud")
    result = run(before, "D F sud", "B A sud")
    assert outcome(result) == ["+ D F sud", "superseded B A sud"]
    result = run(before, "B A sud", "D F sud")
    assert outcome(result) == ["+ B A sud", "superseded D F sud", "(D F egy)"]
    # A removal that is not due is no order that could count.
    result = run(position("F sud", "sud"), "D F sud", "B A sud")
    assert outcome(result) == ["not_allowed D F sud", "+ B A sud"]


def test_a_unit_that_is_removed_unasked_is_not_converted() -> None:
    # Only where the way home counts can a unit in a center go before one that is in none.
    rules = Rulebook.edition("era").with_options({"4.D.8": "a"})
    before = position("F sud, A pun", "sud")
    order = Build(Unit("A", "sud"))
    result = adjudicate(ERA, before, {"Britain": [order]}, rules)
    assert outcome(result) == ["not_allowed B A sud", "(D F sud)"]
    assert standing(result) == "A pun"
    assert standing(adjudicate(ERA, before, {"Britain": [order]})) == "A sud"


def test_a_name_alone_is_read_as_what_can_be_meant() -> None:
    def read(text: str, units: str, centers: str) -> Order:
        return read_order(text, ERA, WINTER, "Britain", position(units, centers))

    assert read("Army Sudan", "F sud", "sud") == Build(Unit("A", "sud"))
    assert read("Army Sudan", "F sud, F ade", "sud") == Build(Unit("A", "sud"))
    assert read("Fleet Sudan", "F sud, F ade", "sud") == Disband(Unit("F", "sud"))
    assert read("Army Sudan", "F sud, F ade", "ade") == Disband(Unit("A", "sud"))


def test_every_legal_order_is_carried_out_alone() -> None:
    for centers in ("sud", "sud ben mad del", "sud ben mad del egy ade"):
        before = position("F sud, A ben, A del, F goa", centers)
        legal = legal_orders(ERA, before, "Britain")
        assert legal
        for orders in legal.values():
            for order in orders:
                assert check(ERA, before, "Britain", order).problem is None
                told = adjudicate(ERA, before, {"Britain": [order]}).results["Britain"][0]
                assert told.reason is None
    assert legal[Unit("F", "sud")] == [Build(Unit("A", "sud"))]


def test_nothing_due_and_nothing_to_convert_is_nothing_to_decide() -> None:
    before = position("A del, F goa", "del bom")
    assert owed(ERA, before) == {}
