"""Units of Global Diplomacy: air forces, canals, seasons, builds, limits, arsenals (VI to XII)."""

from __future__ import annotations

import pytest

from judge.rules.adjustments import builds, first_to_go, raisable
from judge.rules.engine import adjudicate, check, owed
from judge.rules.hooks import with_modules
from judge.rules.legal_orders import legal_orders
from judge.rules.orders import Build, Hold, Move
from judge.rules.position import Unit
from judge.rules.retreats import open_retreats
from tests.rules.globe import GLOBAL, POWERS, RULES, order, play, position, standing, told
from tests.rules.table import said

US, EU, PR, GA = POWERS["US"], POWERS["EU"], POWERS["PR"], POWERS["GA"]


# -- air forces: support over two spaces ----------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "text", "fate"),
    [
        ("A ind", "AF tib S A ind", "ok"),  # IX.1, a hold in India
        ("N nio", "AF tib S N nio", "ok"),  # in the North Indian Ocean
        ("N sio", "AF tib S N sio", "void"),  # but not in the South Indian Ocean
        ("N sea", "AF tib S N sea - nio", "ok"),
        ("N eaf", "AF tib S N eaf - sio", "void"),
    ],
)
def test_an_air_force_in_tibet(target: str, text: str, fate: str) -> None:
    orders = {"PR": text}
    goal = text.partition(" - ")[2]
    if goal:
        orders["GA"] = f"{target} - {goal}"
    outcome = play(position("W2101M", {"PR": "AF tib", "GA": target}), orders)
    assert told(outcome, text)[0] == fate
    if fate == "void":
        assert told(outcome, text)[1].startswith(
            "the South Indian Ocean is more than two spaces away from the air force in Tibet"
        )


@pytest.mark.parametrize("between", ["", "A pak", "destroyed"])
def test_what_is_in_the_space_between_does_not_matter(between: str) -> None:
    # Every way from Tibet to the North Indian Ocean leads over one of these.
    spaces = ["ind", "mie", "pak", "sea"]
    units = {"PR": "AF tib", "GA": "N sau, N nio", "RF": "A rus"}
    gone = spaces if between == "destroyed" else []
    if between == "A pak":
        units["RF"] = ", ".join(f"A {space}" for space in spaces)
    before = position("W2101M", units, destroyed=gone)
    assert told(play(before, {"PR": "AF tib S N nio"}), "AF tib S N nio")[0] == "ok"


def test_an_attack_from_the_space_between_cuts_the_support() -> None:
    before = position("W2101M", {"PR": "AF tib", "GA": "N nio", "RF": "A pak"})
    outcome = play(before, {"PR": "AF tib S N nio", "RF": "A pak - tib"})
    assert told(outcome, "AF tib S N nio")[0] == "cut"


def test_support_at_a_distance_counts_for_an_attack() -> None:
    before = position("W2101M", {"PR": "AF tib, N sea", "GA": "N nio"})
    outcome = play(before, {"PR": "AF tib S N sea - nio; N sea - nio"})
    assert standing(outcome) == "AF tib, N nio"
    assert outcome.dislodged.keys() == {GA}


def test_an_attack_from_the_space_the_support_is_given_to_does_not_cut_it() -> None:
    before = position("W2101M", {"PR": "AF kaz, A mie", "GA": "A pak"})
    orders = {"PR": "AF kaz S A mie - pak; A mie - pak", "GA": "A pak - kaz"}
    outcome = play(before, orders)
    assert told(outcome, "AF kaz S A mie - pak")[0] == "ok"
    assert outcome.dislodged


def test_armies_and_navies_support_where_they_could_go() -> None:
    before = position("W2101M", {"PR": "A tib, N scs", "GA": "N nio, A sch"})
    assert told(play(before, {"PR": "A tib S N nio; N scs H"}), "A tib S N nio")[0] == "void"
    outcome = play(before, {"PR": "A tib S A sch; N scs S A sch"})
    assert told(outcome, "A tib S A sch")[0] == "ok"
    assert told(outcome, "N scs S A sch")[0] == "ok"


# -- air forces: never supported, one step, by convoy ----------------------------------------------


def test_an_air_force_is_given_no_support() -> None:
    before = position("W2101M", {"PR": "AF tib, A ind, A mie, AF kaz"})
    orders = {"PR": "AF tib - pak; A ind S AF tib - pak; A mie S AF kaz; AF kaz H"}
    outcome = play(before, orders)
    for text in ("A ind S AF tib - pak", "A mie S AF kaz"):
        assert told(outcome, text) == ("void", "an air force cannot be given support")


def test_an_air_force_is_dislodged_by_two_whatever_would_support_it() -> None:
    units = {"PR": "A tib, A nch", "GA": "AF mon, A wsi"}
    orders = {"PR": "A tib - mon; A nch S A tib - mon", "GA": "AF mon H; A wsi S AF mon"}
    outcome = play(position("W2101M", units), orders)
    assert outcome.dislodged.keys() == {GA}


def test_an_air_force_moves_one_space_on_land() -> None:
    before = position("W2101M", {"PR": "AF ind"})
    for text, problem in (
        ("AF ind - nio", "an air force cannot go to sea, and the North Indian Ocean is water"),
        ("AF ind - kaz", "Kazakhstan cannot be reached from India"),
    ):
        found = check(GLOBAL, before, PR, order(text, before, "PR")).problem
        assert said(found, GLOBAL) == problem
    assert told(play(before, {"PR": "AF ind - tib"}), "AF ind - tib")[0] == "ok"


def test_an_air_force_is_convoyed_and_does_not_convoy() -> None:
    before = position("W2101M", {"PR": "AF jap, N soj, A amu"})
    outcome = play(before, {"PR": "AF jap - kor; N soj C AF jap - kor; A amu H"})
    assert told(outcome, "N soj C AF jap - kor") == (
        "ok",
        "convoyed the Asian air force from Japan to Korea",
    )
    assert "AF kor" in standing(outcome)
    before = position("W2101M", {"PR": "AF jap, A kor, R man"})
    problem = check(GLOBAL, before, PR, order("AF jap C A kor - amu", before, "PR")).problem
    assert said(problem, GLOBAL) == "only a navy can convoy"
    before = position("W2101M", {"PR": "N soj, N kor"})
    problem = check(GLOBAL, before, PR, order("N soj C N kor - amu", before, "PR")).problem
    assert (
        said(problem, GLOBAL)
        == "the unit in Korea is a navy, and only armies and air forces are convoyed"
    )


def test_legal_orders_are_possible_and_those_left_out_are_not() -> None:
    before = position("W2101M", {"PR": "AF sea, N nio, A ind, N pol", "GA": "A mad, N sio, AF ant"})
    for power in (PR, GA):
        for unit, orders in legal_orders(GLOBAL, before, power).items():
            assert len(set(orders)) == len(orders)
            for each in orders:
                assert check(GLOBAL, before, power, each).problem is None, each
            for place in GLOBAL.board.provinces:
                move = Move(unit, place)
                if not any(isinstance(each, Move) and each.to.startswith(place) for each in orders):
                    assert check(GLOBAL, before, power, move).problem is not None, move


# -- canals and coasts ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("unit", "to"),
    [
        *(("A cam", "col"), ("AF col", "cam"), ("A egy", "isr"), ("AF isr", "egy")),
        *(("N car", "epa"), ("N epa", "car"), ("N med", "nio"), ("N nio", "med")),
        *(("N cam", "col"), ("N egy", "isr"), ("N cam", "car"), ("N cam", "epa")),
        *(("N col", "car"), ("N col", "epa"), ("N isr", "med"), ("N isr", "nio")),
    ],
)
def test_canals_are_crossings_of_four(unit: str, to: str) -> None:
    outcome = play(position("W2101M", {"US": unit}), {"US": f"{unit} - {to}"})
    assert told(outcome, f"{unit} - {to}")[0] == "ok"


def test_both_ways_of_a_canal_can_be_used_at_once() -> None:
    before = position("W2101M", {"US": "A egy", "GA": "N med"})
    outcome = play(before, {"US": "A egy - isr", "GA": "N med - nio"})
    assert standing(outcome) == "A isr, N nio"


def test_there_is_no_water_between_new_guinea_and_queensland() -> None:
    before = position("W2101M", {"US": "N png/nc", "GA": "A que"})
    assert check(GLOBAL, before, US, order("N png/nc - que/wc", before, "US")).problem is not None
    assert check(GLOBAL, before, US, order("N png/nc - sio", before, "US")).problem is not None
    assert told(play(before, {"GA": "A que - png", "US": "N png/nc - que/ec"}), "A que - png")[1]
    for here, there in (("png", "que"), ("ino", "png")):
        assert there in GLOBAL.board.army[here]


@pytest.mark.parametrize("space", ["mex", "weu", "rus", "png", "que"])
def test_two_coasts(space: str) -> None:
    assert len(GLOBAL.board.provinces[space].coasts) == 2
    one, other = GLOBAL.board.provinces[space].locations
    assert (
        not set(GLOBAL.board.fleet[one])
        & set(GLOBAL.board.fleet[other])
        & {place.id for place in GLOBAL.board.provinces.values() if place.terrain == "sea"}
    )


# -- the seasonal spaces --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("phase", "into_ant", "into_pol"),
    [
        ("W2101M", True, False),
        ("S2101M", False, True),
        ("U2101M", False, True),
        ("F2101M", True, False),
    ],
)
def test_movement_in_and_out_by_season(phase: str, into_ant: bool, into_pol: bool) -> None:
    before = position(phase, {"US": "N spa, N npa"})
    outcome = play(before, {"US": "N spa - ant; N npa - pol"})
    assert (told(outcome, "N spa - ant")[0] == "ok") is into_ant
    assert (told(outcome, "N npa - pol")[0] == "ok") is into_pol
    out = play(position(phase, {"US": "N ant, N pol"}), {"US": "N ant - spa; N pol - npa"})
    assert (told(out, "N ant - spa")[0] == "ok") is into_ant
    assert (told(out, "N pol - npa")[0] == "ok") is into_pol
    legal = legal_orders(GLOBAL, before, US)
    assert (Move(Unit("N", "spa"), "ant") in legal[Unit("N", "spa")]) is into_ant


def test_a_closed_space_is_named_with_the_season() -> None:
    outcome = play(position("W2101M", {"US": "N npa"}), {"US": "N npa - pol"})
    assert told(outcome, "N npa - pol")[1].startswith(
        "no unit can enter or leave the Polar Arctic in winter"
    )


def test_armies_are_convoyed_into_antarctica_in_season_only() -> None:
    for phase, fate in (("F2101M", "ok"), ("S2101M", "void")):
        before = position(phase, {"SA": "A chl, N spa"})
        outcome = play(before, {"SA": "A chl - ant; N spa C A chl - ant"})
        assert told(outcome, "A chl - ant")[0] == fate


@pytest.mark.parametrize("phase", ["W2101M", "S2101M", "U2101M", "F2101M"])
def test_support_out_of_the_polar_arctic_in_all_seasons(phase: str) -> None:
    # The question of the text: "Can a fleet in Pol offer support for an action (eg. GRE) during the
    # cold seasons?"
    before = position(phase, {"US": "N pol, N nat", "EU": "A gre"})
    outcome = play(before, {"US": "N pol S N nat - gre; N nat - gre"})
    assert told(outcome, "N pol S N nat - gre")[0] == "ok"
    assert outcome.dislodged
    before = position(phase, {"US": "AF ant, N spa", "EU": "N sio"})
    outcome = play(before, {"US": "AF ant S N spa - sio; N spa - sio"})
    assert told(outcome, "AF ant S N spa - sio")[0] == "ok"


def test_support_into_a_closed_space() -> None:
    before = position("W2101M", {"US": "N npa, N pol"})
    assert told(play(before, {"US": "N npa S N pol"}), "N npa S N pol")[0] == "ok"


@pytest.mark.parametrize(("phase", "fate"), [("W2101M", "ok"), ("S2101M", "cut")])
def test_support_out_of_a_closed_space_is_not_cut(phase: str, fate: str) -> None:
    # "Can this support be cut?"
    before = position(phase, {"US": "N pol, N nat", "EU": "A gre", "RF": "N npa"})
    outcome = play(before, {"US": "N pol S N nat - gre; N nat - gre", "RF": "N npa - pol"})
    assert told(outcome, "N pol S N nat - gre")[0] == fate


@pytest.mark.parametrize("phase", ["W2101M", "S2101M", "U2101M", "F2101M"])
@pytest.mark.parametrize("cargo", ["A", "AF"])
def test_convoys_across_the_polar_arctic_in_all_seasons(phase: str, cargo: str) -> None:
    before = position(phase, {"US": f"{cargo} ala, N pol"})
    outcome = play(before, {"US": f"{cargo} ala - gre; N pol C {cargo} ala - gre"})
    assert told(outcome, f"{cargo} ala - gre")[0] == "ok"


@pytest.mark.parametrize("phase", ["W2101M", "S2101M", "U2101M", "F2101M"])
def test_bombs_are_carried_through_closed_spaces_in_all_seasons(phase: str) -> None:
    before = position(phase, {"US": "R ala, N pol"})
    outcome = play(before, {"US": "R ala bomb via pol to gre; N pol bomb from ala to gre"})
    assert outcome.destroyed == ("gre",)


@pytest.mark.parametrize(
    ("phase", "ant", "pol"), [("W2101R", True, False), ("S2101R", False, True)]
)
def test_retreats_by_season(phase: str, ant: bool, pol: bool) -> None:
    before = position(phase, {}, dislodged={"US": {"N spa": "wpa", "N npa": "wpa"}})
    south, north = before.dislodged[US]
    assert ("ant" in open_retreats(GLOBAL, before, south)) is ant
    assert ("pol" in open_retreats(GLOBAL, before, north)) is pol
    outcome = play(before, {"US": "N spa R ant; N npa R pol"})
    assert (told(outcome, "N spa R ant")[0] == "ok") is ant
    if not ant:
        assert told(outcome, "N spa R ant")[1] == (
            "no unit can enter or leave Antarctica in spring, so it was disbanded"
        )


def test_retreats_offered_after_movement_are_open_ones() -> None:
    before = position("W2101M", {"US": "N npa", "RF": "N jap, N wpa"})
    outcome = play(before, {"US": "N npa H", "RF": "N jap - npa; N wpa S N jap - npa"})
    ((gone,),) = outcome.dislodged.values()
    assert "pol" not in gone.retreats
    assert "wca" in gone.retreats


# -- builds ---------------------------------------------------------------------------------------


def test_the_game_begins_with_builds_on_an_empty_board() -> None:
    opening = GLOBAL.opening
    assert {power: each.builds for power, each in owed(GLOBAL, opening).items()} == dict.fromkeys(
        GLOBAL.powers, 4
    )
    outcome = play(opening, {"US": "B A ala; B AF cus; B N wus; B R sus"})
    assert standing(outcome) == "A ala, AF cus, N wus"
    assert told(outcome, "B R sus") == (
        "not_allowed",
        "an arsenal can be built once after each turn in which all units were ordered to hold",
    )
    assert str(outcome.position.phase) == "W2101M"


def test_units_are_built_in_vacant_centers_of_the_home_country() -> None:
    before = position("S2101A", {"US": "A sus"}, {"US": "sus wus eca"})
    assert [str(each) for each in raisable(GLOBAL, before, US, "wus")] == [
        "A wus",
        "N wus",
        "AF wus",
    ]
    outcome = play(before, {"US": "B A eca; B A sus; B N wus"})
    assert standing(outcome) == "A sus, N wus"
    assert told(outcome, "B A eca")[1] == "Eastern Canada is not a center of your home country"
    assert told(outcome, "B A sus")[1] == "Southern United States is occupied"


def test_a_navy_is_built_on_a_coast_that_is_named_where_there_are_two() -> None:
    before = position("S2101A", {}, {"RF": "rus kaz"})
    assert told(play(before, {"RF": "B N rus"}), "B N rus")[1] == (
        "the coast of Russia must be named: rus/nc or rus/sc"
    )
    assert standing(play(before, {"RF": "B N rus/nc"})) == "N rus/nc"
    assert told(play(before, {"RF": "B N kaz"}), "B N kaz")[1] == (
        "a navy cannot be built inland, and Kazakhstan has no coast"
    )


@pytest.mark.parametrize(
    ("kind", "plural"), [("A", "armies"), ("N", "navies"), ("AF", "air forces")]
)
def test_no_more_than_five_of_a_kind(kind: str, plural: str) -> None:
    units = ", ".join(f"{kind} {space}" for space in ("nwt", "wca", "eca", "eus"))
    before = position("S2101A", {"US": units}, {"US": "ala wus eca sus gre mex cam"})
    assert builds(GLOBAL, before, US) == 3
    outcome = play(before, {"US": f"B {kind} ala; B {kind} wus"})
    assert told(outcome, f"B {kind} ala")[0] == "ok"
    refused = ("not_allowed", f"no more than 5 {plural} are allowed")
    assert told(outcome, f"B {kind} wus") == refused
    full = position("F2101A", {"US": f"{units}, {kind} gre"}, {"US": "ala wus eca sus gre mex cam"})
    assert told(play(full, {"US": f"B {kind} ala"}), f"B {kind} ala") == refused
    assert Unit(kind, "ala") not in legal_orders(GLOBAL, full, US)


def test_each_power_has_its_own_five() -> None:
    units = "A ala, A cus, A sus, A wus, A eca"
    before = position("S2101A", {"US": units}, {"US": "", "PR": "man"})
    assert told(play(before, {"PR": "B A man"}), "B A man")[0] == "ok"


def test_builds_that_no_kind_is_left_for_are_not_owed() -> None:
    # Five of each on the board but navies, and nothing free but an inland center.
    spaces = "nwt wca eca eus mex cam col ven per ama"
    kinds = ["A"] * 5 + ["AF"] * 5
    units = ", ".join(f"{k} {s}" for k, s in zip(kinds, spaces.split(), strict=True))
    centers = "cus eca mex cam ven per bra arg gre jap sau"
    before = position("S2101A", {"US": units}, {"US": centers})
    assert builds(GLOBAL, before, US) == 0
    assert US not in owed(GLOBAL, before)
    with_coast = position("S2101A", {"US": units}, {"US": centers + " wus"})
    assert builds(GLOBAL, with_coast, US) == 1


def test_centers_change_hands_after_spring_and_fall_before_builds() -> None:
    units, centers = {"US": "A eca", "EU": "N gre"}, {"US": "ala", "EU": "gbr"}
    for phase, owned in (("S2101R", True), ("F2101R", True), ("W2101R", False), ("U2101R", False)):
        after = play(position(phase, units, centers), {}).position
        assert ("eca" in after.centers[US]) is owned
        assert after.phase.kind.value == ("A" if owned else "M")
    after = play(position("S2101A", units, centers), {}).position
    assert after.centers[US] == ("ala",)


# -- removals -------------------------------------------------------------------------------------


def test_removals_without_orders() -> None:
    before = position(
        "F2101A", {"US": "A ala, N nat, AF eca, R sus, AF mie, A mie"}, {"US": "ala wus"}
    )
    units = before.units[US]
    first = [str(each) for each in first_to_go(GLOBAL, before, US, units, RULES)]
    # Farthest from home first; of two equally far a navy first, then by name.
    assert first == ["AF mie", "A mie", "N nat", "AF eca", "A ala", "R sus"]
    outcome = play(position("F2101A", {"US": "A ala, N nat, AF eca, R sus"}, {"US": "ala wus"}), {})
    assert standing(outcome) == "A ala, R sus"


def test_no_way_home_leads_over_what_is_destroyed() -> None:
    units = {"US": "A nwt, A eus"}
    near = position("F2101A", units, {"US": "ala"})
    assert standing(play(near, {})) == "A nwt"
    far = position("F2101A", units, {"US": "ala"}, destroyed=["ala", "wca", "war", "eca"])
    assert standing(play(far, {})) == "A eus"


def test_an_arsenal_is_disbanded_as_any_unit() -> None:
    before = position("F2101A", {"US": "A ala, R sus"}, {"US": "ala"})
    assert standing(play(before, {"US": "D R sus"})) == "A ala"


# -- arsenals -------------------------------------------------------------------------------------


def test_a_turn_in_which_all_units_hold_gives_one_arsenal() -> None:
    before = position("W2101M", {"US": "A ala, N nat", "EU": "A spn, A weu"}, {"US": "ala sus wus"})
    outcome = play(before, {"US": "A ala H; N nat H", "EU": "A spn H; A weu S A spn"})
    assert outcome.position.extra == {"arsenals": {US: 1}}
    # It is kept for any build phase that follows.
    later = play(
        position("S2102A", {"US": "A ala"}, {"US": "ala sus wus"}, arsenals={US: 1}),
        {"US": "B R sus; B R wus"},
    )
    assert standing(later) == "A ala, R sus"
    assert told(later, "B R wus")[0] == "not_allowed"
    assert later.position.extra == {"arsenals": {}}


def test_several_turns_give_several_arsenals() -> None:
    before = position("W2101M", {"US": "A ala"}, arsenals={US: 1})
    outcome = play(before, {"US": "A ala H"})
    assert outcome.position.extra == {"arsenals": {US: 2}}


def test_holding_without_an_order_gives_none() -> None:
    before = position("W2101M", {"US": "A ala, N nat", "EU": "A spn"})
    outcome = play(before, {"US": "A ala H"})
    assert outcome.position.extra == {}
    # The other reading is a rule module, which changes nothing else.
    loose = with_modules(GLOBAL, ("arsenals_unordered",))
    outcome = play(before, {"US": "A ala H"}, loose)
    assert outcome.position.extra == {"arsenals": {US: 1, EU: 1}}
    outcome = play(before, {"US": "A ala H; N nat - gre", "EU": "A spn - weu"}, loose)
    assert outcome.position.extra == {}
    # An impossible order is none to hold.
    outcome = play(before, {"US": "A ala H; N nat - cus"})
    assert outcome.position.extra == {}


def test_dislodged_units_have_held_as_well() -> None:
    before = position("W2101M", {"US": "A eca", "EU": "N nat, N war"})
    outcome = play(before, {"US": "A eca H", "EU": "N nat - eca; N war S N nat - eca"})
    assert outcome.dislodged
    assert outcome.position.extra == {"arsenals": {US: 1}}


def test_an_arsenal_is_destroyed_when_it_is_dislodged() -> None:
    before = position("W2101M", {"US": "R sus", "EU": "A mex, A cus"})
    outcome = play(before, {"US": "R sus H", "EU": "A mex - sus; A cus S A mex - sus"})
    ((gone,),) = outcome.dislodged.values()
    assert gone.retreats == ()
    assert not outcome.position.dislodged
    assert standing(outcome) == "A cus, A sus"


def test_no_unit_moves_or_retreats_to_where_an_arsenal_stands() -> None:
    # "May a unit retreat to a space with an arsenal?" No.
    before = position("W2101M", {"US": "R sus", "EU": "A mex"})
    outcome = play(before, {"US": "R sus H", "EU": "A mex - sus"})
    assert told(outcome, "A mex - sus")[0] == "bounced"
    before = position("W2101R", {"US": "R sus"}, dislodged={"EU": {"A mex": "cam"}})
    assert open_retreats(GLOBAL, before, before.dislodged[EU][0]) == ("wus",)


def test_the_whole_phase_is_one_value() -> None:
    # The rights of a position are not changed by what follows from it.
    before = position("S2101A", {}, {"US": "sus"}, arsenals={US: 1})
    adjudicate(GLOBAL, before, {US: [Build(Unit("R", "sus"))]})
    assert before.extra == {"arsenals": {US: 1}}
    assert (
        Hold(Unit("R", "sus"))
        in legal_orders(GLOBAL, position("W2102M", {"US": "R sus"}), US)[Unit("R", "sus")]
    )
