"""Bombs: the examples of the text of Global Diplomacy, and what its sentences say (XII+)."""

from __future__ import annotations

import pytest

from judge.rules.board_index import destroyed
from judge.rules.engine import check
from judge.rules.hooks import with_modules
from judge.rules.legal_orders import legal_orders
from judge.rules.orders import Launch, Relay
from judge.rules.position import Unit
from judge.sentences.explain import argument
from tests.rules.globe import GLOBAL, POWERS, order, play, position, result, standing, told
from tests.rules.table import said

EXAMPLE_2 = {
    "US": "R sus bomb via nat via sah via egy to sio; N nat bomb from sus via sah",
    "GA": "A sah bomb from nat via egy; AF egy bomb from sah to sio",
}
UNITS_2 = {"US": "R sus, N nat", "GA": "A sah, AF egy", "EU": "N spn, A waf, AF sau, A caf"}
CHAIN = {
    "GA": "R waf bomb via isr via mie to tib; AF isr bomb from waf via mie to tib",
    "RF": "A mie bomb from waf from isr to tib",
}
UNITS = {"GA": "R waf, AF isr", "RF": "A mie", "PR": "AF tib, AF sau"}


# -- the examples ---------------------------------------------------------------------------------


def test_example_1() -> None:
    before = position("W2101M", {"RF": "R rus"}, {"EU": "sca gbr"})
    outcome = play(before, {"RF": "R rus bomb sca"})
    assert told(outcome, "R rus bomb sca") == (
        "ok",
        "bombed Scandinavia, which is destroyed",
    )
    assert outcome.destroyed == ("sca",)
    assert destroyed(outcome.position) == ["sca"]
    assert outcome.position.centers[POWERS["EU"]] == ("gbr",)


def test_example_2() -> None:
    outcome = play(position("W2101M", UNITS_2), EXAMPLE_2)
    assert outcome.destroyed == ("sio",)
    assert told(outcome, "R sus bomb via nat via sah via egy to sio") == (
        "ok",
        "bombed the South Indian Ocean, which is destroyed",
    )
    assert told(outcome, "N nat bomb from sus via sah") == (
        "ok",
        "passed the bomb on to Sahara, and the South Indian Ocean is destroyed",
    )
    assert told(outcome, "AF egy bomb from sah to sio") == (
        "ok",
        "dropped the bomb on the South Indian Ocean, which is destroyed",
    )


def test_example_3() -> None:
    outcome = play(position("W2101M", UNITS_2), EXAMPLE_2 | {"EU": "N spn - nat"})
    assert outcome.destroyed == ()
    assert told(outcome, "N nat bomb from sus via sah") == (
        "cut",
        "the bomb was stopped by the attack of the European navy from Spain",
    )
    assert told(outcome, "AF egy bomb from sah to sio") == (
        "cut",
        "the bomb was stopped by the attack of the European navy from Spain on the American navy"
        " in the North Atlantic Ocean",
    )
    # The navy in NAT is not dislodged, and the arsenal can try again.
    assert not outcome.dislodged
    assert "N nat" in standing(outcome)
    assert "R sus" in standing(outcome)


def test_the_chain_in_the_text() -> None:
    outcome = play(position("W2101M", UNITS), CHAIN)
    assert outcome.destroyed == ("tib",)
    # The prose gives the last link to the army in Pakistan instead.
    orders = {
        "GA": "R waf bomb via isr via pak to tib; AF isr bomb from waf via pak to tib",
        "RF": "A pak bomb from waf from isr to tib",
    }
    outcome = play(position("W2101M", UNITS | {"RF": "A pak"}), orders)
    assert outcome.destroyed == ("tib",)


def test_an_arsenal_in_west_africa_reaches_the_mediterranean() -> None:
    outcome = play(position("W2101M", {"GA": "R waf"}), {"GA": "R waf bomb med"})
    assert outcome.destroyed == ("med",)


# -- what stops a bomb ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attack", "attacked"),
    [
        ("AF sau - isr", "isr"),  # the text's, on a unit in the chain
        ("AF tib - mie", "mie"),  # the text's, from the space that is to be bombed
        ("A caf - waf", "waf"),  # on the arsenal itself
    ],
)
def test_any_attack_on_any_unit_in_the_chain_stops_the_bomb(attack: str, attacked: str) -> None:
    units = UNITS | {"PR": "AF tib, AF sau, A caf"}
    outcome = play(position("W2101M", units), CHAIN | {"PR": attack})
    assert outcome.destroyed == ()
    mission = [text for lines in CHAIN.values() for text in lines.split("; ")]
    assert {told(outcome, text)[0] for text in mission} <= {"cut", "dislodged"}
    for text in mission:
        if text.split()[1] == attacked and attack != "A caf - waf":
            assert told(outcome, text)[0] == "cut"


def test_an_attack_on_a_space_beside_the_chain_stops_nothing() -> None:
    outcome = play(position("W2101M", UNITS), CHAIN | {"PR": "AF sau - egy; AF tib - ind"})
    assert outcome.destroyed == ("tib",)


def test_an_army_that_lands_attacks_and_one_that_does_not_land_does_not() -> None:
    units = {"US": "R sus, N nat", "GA": "A sah, AF egy", "EU": "N med, A spn"}
    orders = EXAMPLE_2 | {"EU": "N med C A spn - sah; A spn - sah"}
    assert play(position("W2101M", units), orders).destroyed == ()
    orders = EXAMPLE_2 | {"EU": "N med H; A spn - sah"}
    assert play(position("W2101M", units), orders).destroyed == ("sio",)


def test_units_of_the_attacked_units_own_power_stop_nothing() -> None:
    units = UNITS_2 | {"EU": "N spn", "US": "R sus, N nat, N eus"}
    orders = {**EXAMPLE_2, "US": f"{EXAMPLE_2['US']}; N eus - nat"}
    before = position("W2101M", units)
    assert play(before, orders).destroyed == ("sio",)
    # The other reading of "any attack" is a rule module.
    literal = with_modules(GLOBAL, ("bombs_own_attacks",))
    assert play(before, orders, literal).destroyed == ()


def test_a_power_in_the_chain_can_stop_its_ally() -> None:
    orders = {**EXAMPLE_2, "GA": f"{EXAMPLE_2['GA']}; N mat - nat"}
    before = position("W2101M", UNITS_2 | {"GA": "A sah, AF egy, N mat"})
    assert play(before, orders).destroyed == ()


@pytest.mark.parametrize(
    ("instead", "reason"),
    [
        ("A sah H", "unmatched"),
        ("A sah bomb from nat to egy", None),
        ("A sah bomb from sus from nat via egy to sio", None),
        ("A sah bomb from nat via waf", "unmatched"),
        ("A sah bomb from spn via egy", "unmatched"),
        ("A sah bomb from nat via egy to nio", "unmatched"),
        ("A sah S AF egy", "unmatched"),
    ],
)
def test_every_unit_must_carry_this_very_bomb(instead: str, reason: str | None) -> None:
    orders = EXAMPLE_2 | {"GA": f"{instead}; AF egy bomb from sah to sio"}
    outcome = play(position("W2101M", UNITS_2), orders)
    arsenal = told(outcome, "R sus bomb via nat via sah via egy to sio")
    assert arsenal[0] == (reason or "ok")
    assert outcome.destroyed == (() if reason else ("sio",))
    if instead == "A sah H":
        assert arsenal[1] == (
            "the bomb did not get through: the African army in Sahara was not ordered to carry it"
            " (its order was A sah H)"
        )


def test_a_unit_without_an_order_carries_nothing() -> None:
    orders = {"US": EXAMPLE_2["US"], "GA": "AF egy bomb from sah to sio"}
    outcome = play(position("W2101M", UNITS_2), orders)
    assert told(outcome, "N nat bomb from sus via sah")[1].endswith("(it had no order)")


def test_a_bomb_that_nobody_sends_is_carried_by_nobody() -> None:
    outcome = play(position("W2101M", UNITS_2), EXAMPLE_2 | {"US": "R sus H; N nat H"})
    assert told(outcome, "A sah bomb from nat via egy") == (
        "unmatched",
        "no bomb was sent from the North Atlantic Ocean by way of this unit to Egypt",
    )
    assert outcome.destroyed == ()


def test_the_arsenal_stays_and_can_bomb_again() -> None:
    first = play(position("W2101M", {"GA": "R waf", "SA": "A bra"}), {"GA": "R waf bomb med"})
    assert "R waf" in standing(first)
    again = play(position("S2101M", {"GA": "R waf"}, destroyed=["med"]), {"GA": "R waf bomb egy"})
    assert again.destroyed == ("egy",)
    assert destroyed(again.position) == ["egy", "med"]


# -- who can carry what where ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("R waf bomb tib", "the arsenal in West Africa cannot take a bomb to Tibet"),
        (
            "R waf bomb via mie to tib",
            "the arsenal in West Africa cannot take a bomb to Middle East",
        ),
        ("R waf bomb via egy to med", "there is no unit in Egypt that could carry a bomb"),
        (
            "AF isr bomb from waf to saf",
            "the air force in Israel cannot take a bomb to South Africa",
        ),
        ("AF isr bomb from tur via mie", "there is no unit in Turkey that could carry a bomb"),
        ("AF isr bomb from waf via egy", "there is no unit in Egypt that could carry a bomb"),
        ("AF isr bomb tib", "only an arsenal launches a bomb"),
        ("R waf bomb via isr via isr to mie", "no unit carries a bomb twice"),
        ("R waf S AF isr", "an arsenal cannot give support"),
        ("AF isr S R waf", "an arsenal cannot be given support"),
        ("R waf - egy", "an arsenal never moves"),
    ],
)
def test_what_is_impossible_is_told(text: str, problem: str) -> None:
    before = position("W2101M", {"GA": "R waf, AF isr", "RF": "A mie"})
    found = check(GLOBAL, before, POWERS["GA"], order(text, before, "GA")).problem
    assert said(found, GLOBAL) == problem
    outcome = play(before, {"GA": text})
    reason, note = told(outcome, text)
    assert reason == "void"
    assert note.startswith(problem)


def test_without_an_arsenal_nobody_carries_a_bomb() -> None:
    before = position("W2101M", {"GA": "A egy, AF isr"})
    problem = check(
        GLOBAL, before, POWERS["GA"], order("AF isr bomb from egy to mie", before, "GA")
    ).problem
    assert said(problem, GLOBAL) == "there is nobody who could launch a bomb"


def test_armies_and_navies_carry_bombs_one_space_and_air_forces_two() -> None:
    def can(text: str) -> bool:
        before = position("W2101M", {"GA": "R waf, A egy, AF isr, N med"})
        return check(GLOBAL, before, POWERS["GA"], order(text, before, "GA")).problem is None

    assert can("A egy bomb from waf to isr")
    assert not can("A egy bomb from waf to med")  # an army could not go there
    assert not can("A egy bomb from waf to tur")
    assert can("AF isr bomb from egy to kaz")
    assert not can("AF isr bomb from egy to ura")
    assert can("N med bomb from waf to rus")
    assert not can("N med bomb from waf to kaz")
    assert not can("N med bomb from egy to rus")  # the army in Egypt could not hand it over


# -- what a bomb does -----------------------------------------------------------------------------


def test_who_stands_there_is_destroyed() -> None:
    outcome = play(
        position("W2101M", {"RF": "R rus", "EU": "A sca, N gbr"}), {"RF": "R rus bomb sca"}
    )
    assert standing(outcome) == "N gbr, R rus"
    assert outcome.lost == {POWERS["EU"]: (Unit("A", "sca"),)}
    assert told(outcome, "A sca H") == (
        "destroyed",
        "no order was given, so it held; it was destroyed by the bomb on Scandinavia",
    )


def test_who_enters_is_destroyed_and_who_has_left_is_not() -> None:
    units = {"RF": "R rus", "EU": "A sca", "PR": "A ura"}
    before = position("W2101M", units | {"EU": "A eeu", "GA": "N sca"})
    orders = {"RF": "R rus bomb sca", "GA": "N sca - nos"}
    outcome = play(before, orders)
    assert standing(outcome) == "A eeu, A ura, N nos, R rus"
    before = position("W2101M", {"RF": "R rus", "GA": "N sca", "EU": "N nos"})
    orders = {"RF": "R rus bomb sca", "GA": "N sca - ear", "EU": "N nos - sca"}
    outcome = play(before, orders)
    assert standing(outcome) == "N ear, R rus"
    assert told(outcome, "N nos - sca") == (
        "ok",
        "moved to Scandinavia; it was destroyed by the bomb on Scandinavia",
    )


def test_attacker_and_dislodged_unit_are_both_destroyed() -> None:
    units = {"RF": "R rus", "GA": "N sca", "EU": "N nos, N ear"}
    orders = {"RF": "R rus bomb sca", "GA": "N sca H", "EU": "N nos - sca; N ear S N nos - sca"}
    outcome = play(position("W2101M", units), orders)
    assert standing(outcome) == "N ear, R rus"
    ((gone,),) = outcome.dislodged.values()
    assert (gone.unit, gone.retreats) == (Unit("N", "sca"), ())
    assert not outcome.position.dislodged
    assert told(outcome, "N sca H") == (
        "dislodged",
        "dislodged by the European navy from the North Sea, two against one;"
        " it was destroyed by the bomb on Scandinavia",
    )


def test_nobody_retreats_into_a_destroyed_space() -> None:
    units = {"GA": "R waf, A egy", "EU": "A isr, N nio, A caf"}
    orders = {"GA": "R waf bomb sah; A egy H", "EU": "A isr - egy; N nio S A isr - egy; A caf H"}
    outcome = play(position("W2101M", units), orders)
    assert outcome.destroyed == ("sah",)
    ((gone,),) = outcome.position.dislodged.values()
    assert gone.unit == Unit("A", "egy")
    assert "sah" not in gone.retreats
    assert "eaf" in gone.retreats


def test_two_arsenals_destroy_each_other() -> None:
    units = {"GA": "R waf, A saf", "EU": "R egy, A spn"}
    outcome = play(position("W2101M", units), {"GA": "R waf bomb egy", "EU": "R egy bomb waf"})
    assert outcome.destroyed == ("egy", "waf")
    assert standing(outcome) == "A saf, A spn"
    assert told(outcome, "R waf bomb egy") == (
        "ok",
        "bombed Egypt, which is destroyed; it was destroyed by the bomb on West Africa",
    )


def test_supports_of_a_unit_that_is_bombed_count() -> None:
    # All bombs fall after movement.
    outcome = play(
        position("W2101M", {"RF": "R rus", "EU": "AF sca, A eeu", "GA": "A weu"}),
        {"RF": "R rus bomb sca", "EU": "A eeu - weu; AF sca S A eeu - weu"},
    )
    assert str(*outcome.position.units[POWERS["EU"]]) == "A weu"
    assert told(outcome, "AF sca S A eeu - weu")[0] == "ok"


# -- afterwards -----------------------------------------------------------------------------------


def test_no_unit_moves_or_retreats_into_a_destroyed_space() -> None:
    before = position("W2101M", {"EU": "N nos, A eeu"}, destroyed=["sca"])
    outcome = play(before, {"EU": "N nos - sca; A eeu H"})
    assert told(outcome, "N nos - sca")[0] == "void"
    assert told(outcome, "N nos - sca")[1].startswith("Scandinavia is destroyed")
    retreat = position(
        "W2101R", {"GA": "N nos"}, dislodged={"EU": {"N nos": "nat"}}, destroyed=["sca"]
    )
    outcome = play(retreat, {"EU": "N nos R sca"})
    assert told(outcome, "N nos R sca") == (
        "not_allowed",
        "Scandinavia is destroyed, so it was disbanded",
    )


def test_air_forces_give_support_and_carry_bombs_over_destroyed_spaces() -> None:
    units = {"PR": "AF tib, N nio, A sau", "GA": "R tur, N sio"}
    before = position("W2101M", units, destroyed=["ind", "pak", "mie", "sea"])
    outcome = play(before, {"PR": "AF tib S N nio; N nio H"})
    assert told(outcome, "AF tib S N nio")[0] == "ok"
    before = position("W2101M", {"GA": "R tur, AF kaz, N sio"}, destroyed=["mie", "pak"])
    outcome = play(
        before, {"GA": "R tur bomb via kaz to ind; AF kaz bomb from tur to ind; N sio H"}
    )
    assert outcome.destroyed == ("ind",)


def test_what_is_destroyed_is_not_bombed_again() -> None:
    before = position("W2101M", {"GA": "R waf"}, destroyed=["med"])
    outcome = play(before, {"GA": "R waf bomb med"})
    assert told(outcome, "R waf bomb med")[:2] == (
        "void",
        "the Mediterranean Sea is destroyed",
    )


# -- around it ------------------------------------------------------------------------------------


def test_units_that_carry_bombs_are_supported_as_units_that_stay() -> None:
    units = UNITS_2 | {"EU": "N spn, N mat", "GA": "A sah, AF egy, N war"}
    orders = EXAMPLE_2 | {
        "GA": f"{EXAMPLE_2['GA']}; N war S N nat",
        "EU": "N spn - nat; N mat S N spn - nat",
    }
    outcome = play(position("W2101M", units), orders)
    assert told(outcome, "N war S N nat")[0] == "ok"
    assert not outcome.dislodged


def test_legal_orders_with_an_arsenal_on_the_board() -> None:
    before = position("W2101M", {"GA": "R waf, AF isr", "RF": "A mie"})
    legal = legal_orders(GLOBAL, before, POWERS["GA"])
    assert order("R waf bomb med", before, "GA") in legal[Unit("R", "waf")]
    assert order("R waf bomb via isr to mie", before, "GA") in legal[Unit("R", "waf")]
    assert order("AF isr bomb from waf via mie", before, "GA") in legal[Unit("AF", "isr")]
    for orders in legal.values():
        for each in orders:
            assert check(GLOBAL, before, POWERS["GA"], each).problem is None, each
    without = position("W2101M", {"GA": "A waf, AF isr", "RF": "A mie"})
    for orders in legal_orders(GLOBAL, without, POWERS["GA"]).values():
        assert not any(isinstance(each, Launch | Relay) for each in orders)


def test_the_whole_argument() -> None:
    before = position("W2101M", UNITS)
    orders = {
        POWERS[power]: [order(text, before, power) for text in lines.split("; ")]
        for power, lines in (CHAIN | {"PR": "AF sau - isr"}).items()
    }
    lines = argument(GLOBAL, before, orders, order("AF isr H", before, "GA"))
    assert lines == [
        "Greater African Union: AF isr bomb from waf via mie to tib fails (cut): the bomb was"
        " stopped by the attack of the Asian air force from Saudi Arabia.",
        "The way of the bomb: West Africa - Israel - Middle East - Tibet.",
        "The African air force in Israel was ordered to carry it.",
        "The Russian army in Middle East was ordered to carry it.",
        "The Asian air force from Saudi Arabia attacks the African air force in Israel.",
        "The bomb falls nowhere, and the arsenal stays.",
        "Rests on: Global Diplomacy, XII+: a bomb falls if every unit on its way carries it; Global"
        " Diplomacy, XII+: any attack on one of these units stops the bomb.",
    ]


def test_an_order_for_a_bomb_has_a_result_for_each_unit() -> None:
    outcome = play(position("W2101M", UNITS), CHAIN)
    assert result(outcome, "A mie bomb from waf from isr to tib").unit == Unit("A", "mie")
