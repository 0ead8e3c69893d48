"""Adjudication by JSON objects: what is read, what is answered, what is refused."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from judge import variants
from judge.i18n import speaking
from judge.interchange import (
    InterchangeError,
    adjudicate_line,
    adjudicate_object,
    orders_object,
    position_object,
    read_question,
)

POSITION: dict[str, Any] = {
    "id": {"any": ["thing"]},
    "phase": "S1901M",
    "units": {"France": ["A par", "A mar"], "Germany": ["A mun"], "Austria": ["A tyr", "F tri"]},
    "orders": {
        "France": ["A par - bur", "A mar S A par - bur"],
        "Germany": ["A mun H"],
        "Austria": ["A tyr - mun"],
    },
}


def asked(**changes: Any) -> dict[str, Any]:
    """The position with fields replaced; None takes one away."""
    data = copy.deepcopy(POSITION) | changes
    return {key: value for key, value in data.items() if value is not None}


def orders_of(answer: dict[str, Any], power: str) -> list[str]:
    return [result["order"] for result in answer["results"][power]]


# -- the answer -------------------------------------------------------------------------------


def test_an_answer_has_every_field_of_the_format() -> None:
    answer = adjudicate_object(asked())
    assert list(answer) == [
        *("id", "variant", "phase", "next_phase", "results"),
        *("units", "dislodged", "contested", "centers", "winner"),
    ]
    assert answer["id"] == {"any": ["thing"]}
    assert answer["variant"] == "standard"
    assert (answer["phase"], answer["next_phase"]) == ("S1901M", "F1901M")
    assert answer["units"] == {
        "France": ["A bur", "A mar"],
        "Germany": ["A mun"],
        "Austria": ["A tyr", "F tri"],
    }
    assert answer["dislodged"] == {}
    assert answer["contested"] == []
    assert answer["centers"] == {}
    assert answer["winner"] is None


def test_results_are_in_input_order_and_units_without_one_follow() -> None:
    answer = adjudicate_object(asked())
    assert list(answer["results"]) == ["France", "Germany", "Austria"]
    assert orders_of(answer, "France") == ["A par - bur", "A mar S A par - bur"]
    failed, idle = answer["results"]["Austria"]
    assert {key: failed[key] for key in ("order", "unit", "outcome", "reason")} == {
        "order": "A tyr - mun",
        "unit": "A tyr",
        "outcome": "fails",
        "reason": "bounced",
    }
    assert "Munich" in failed["note"]
    assert (idle["order"], idle["outcome"], idle["reason"]) == ("F tri H", "succeeds", None)
    assert idle["note"].startswith("no order was given")


def test_notes_are_left_out_on_request_and_only_then() -> None:
    with_notes = adjudicate_object(asked())
    for data in (asked(notes=False), asked(notes=False), asked(notes=True)):
        answer = adjudicate_object(data)
        told = [row for rows in answer["results"].values() for row in rows]
        assert all(("note" in row) is data["notes"] for row in told)
        for rows in with_notes["results"].values() if not data["notes"] else ():
            for row in rows:
                row.pop("note", None)
        assert answer == (with_notes if not data["notes"] else adjudicate_object(asked()))
    with pytest.raises(InterchangeError, match="notes"):
        adjudicate_object(asked(notes="no"))


def test_without_an_id_it_is_null() -> None:
    assert adjudicate_object(asked(id=None))["id"] is None


def test_a_line_is_answered_as_its_object_is() -> None:
    assert json.loads(adjudicate_line(json.dumps(POSITION))) == adjudicate_object(POSITION)
    assert "\n" not in adjudicate_line(json.dumps(POSITION))
    assert adjudicate_line(b"\xef\xbb\xbf" + json.dumps(POSITION).encode())


def test_an_order_answered_before_is_told_by_what_becomes_of_it_now() -> None:
    alone = asked(orders={"France": ["A par - bur"]})
    met = asked(orders={"France": ["A par - bur"], "Germany": ["A mun - bur"]})
    rows = [adjudicate_object(data)["results"]["France"][0] for data in (alone, met, alone)]
    with speaking("de"):
        german = adjudicate_object(alone)["results"]["France"][0]
    assert [row["reason"] for row in rows] == [None, "bounced", None]
    assert rows[0] == rows[2] == german | {"note": rows[0]["note"]}
    assert len({row["note"] for row in (*rows, german)}) == 3


def test_the_input_is_not_changed() -> None:
    before = copy.deepcopy(POSITION)
    adjudicate_object(POSITION)
    assert before == POSITION


# -- reading ----------------------------------------------------------------------------------


def test_names_are_read_however_they_are_written() -> None:
    data = {
        "phase": "f1901m",
        "units": {
            "FRANCE": ["a Paris", "f mao", "Fleet Spain (north coast)"],
            "russian": ["F St. Petersburg (south coast)", "army Moscow"],
        },
        "centers": {"france": ["Paris", "BRE"], "Russia": ["stp", "St. Petersburg"][:1]},
        "orders": {"French": ["Par – Bur", "MAO to western med", "F Spa/nc S A Gas"]},
    }
    answer = adjudicate_object(data)
    assert answer["units"]["France"] == ["A bur", "F wes", "F spa/nc"]
    assert answer["units"]["Russia"] == ["F stp/sc", "A mos"]
    assert orders_of(answer, "France") == ["A par - bur", "F mid - wes", "F spa/nc S A gas"]


def test_letters_left_out_are_filled_in_and_canonical_orders_stay_as_they_are() -> None:
    data = asked(
        units={"Russia": ["F stp/sc", "A war"], "Turkey": ["F bla", "A con", "A bul"]},
        orders={
            "Russia": ["F stp - bot", "war-gal"],
            "Turkey": ["Bla C Con - Ank", "con-ank", "bul s con hold"],
        },
    )
    answer = adjudicate_object(data)
    assert orders_of(answer, "Russia") == ["F stp - bot", "A war - gal"]
    assert orders_of(answer, "Turkey") == ["F bla C A con - ank", "A con - ank", "A bul S A con"]


@pytest.mark.parametrize("text", ["A par - xyz", "", "nonsense", "A par", "A par - nor", "S A mar"])
def test_an_order_that_cannot_be_read_is_void_and_says_why(text: str) -> None:
    answer = adjudicate_object(asked(orders={"France": [text]}))
    first = answer["results"]["France"][0]
    assert first["order"] == text
    assert (first["outcome"], first["reason"]) == ("fails", "void")
    assert first["note"]
    assert answer["units"]["France"] == ["A par", "A mar"]


def test_an_order_for_somebody_elses_unit_is_void() -> None:
    answer = adjudicate_object(asked(orders={"Germany": ["A par - pic"]}))
    first = answer["results"]["Germany"][0]
    assert (first["order"], first["unit"], first["reason"]) == ("A par - pic", "A par", "void")
    assert answer["units"]["France"] == ["A par", "A mar"]


@pytest.mark.parametrize("order", ["B A par", "A par D", "D A mun", "A par R pic", "WAIVE"])
def test_an_order_of_another_phase_is_void(order: str) -> None:
    answer = adjudicate_object(asked(orders={"France": [order]}))
    assert answer["results"]["France"][0]["reason"] == "void"


def test_options_and_rules_are_heeded() -> None:
    data = {
        "phase": "S1901M",
        "units": {"France": ["F gas"]},
        "orders": {"France": ["F gas - spa/sc"]},
    }
    assert adjudicate_object(data)["units"]["France"] == ["F gas"]
    other = adjudicate_object(data | {"rules": "1976", "options": {"4.B.3": "a"}})
    assert other["units"]["France"] == ["F spa/nc"]


# -- phases -----------------------------------------------------------------------------------

DISLODGED: dict[str, Any] = {
    "phase": "F1901R",
    "units": {"France": ["A bur"], "Germany": ["A ruh"]},
    "centers": {"France": ["par"], "Germany": ["mun", "ber"]},
    "dislodged": {"Germany": [{"unit": "A mun", "attacker": "bur"}]},
    "contested": ["boh"],
}


def test_a_dislodged_unit_is_answered_with_its_ways_out() -> None:
    data = {
        "phase": "S1901M",
        "units": {"France": ["A bur", "A ruh"], "Germany": ["A mun", "A ber"]},
        "orders": {"France": ["A bur - mun", "A ruh S A bur - mun"]},
    }
    answer = adjudicate_object(data)
    assert answer["next_phase"] == "S1901R"
    assert answer["dislodged"] == {
        "Germany": [{"unit": "A mun", "attacker": "bur", "retreats": ["boh", "kie", "sil", "tyr"]}]
    }


def test_retreats_are_worked_out_from_the_position() -> None:
    legal = orders_object(DISLODGED, "Germany")
    assert legal == {
        "A mun": ["A mun R ber", "A mun R kie", "A mun R sil", "A mun R tyr", "A mun D"]
    }
    for attempt, arrived in (("A mun - tyr", True), ("A mun R boh", False), ("A mun R bur", False)):
        answer = adjudicate_object(DISLODGED | {"orders": {"Germany": [attempt]}})
        assert ("A tyr" in answer["units"]["Germany"]) == arrived
        assert answer["results"]["Germany"][0]["order"] in (attempt, "A mun R tyr")
    assert answer["results"]["Germany"][0]["reason"] == "not_allowed"


def test_disbanding_is_written_after_the_unit_in_a_retreat_phase() -> None:
    for text in ("A mun D", "D A mun", "disband A Mun"):
        answer = adjudicate_object(DISLODGED | {"orders": {"Germany": [text]}})
        result = answer["results"]["Germany"][0]
        assert (result["order"], result["outcome"]) == (
            "D A mun" if text == "D A mun" else "A mun D",
            "succeeds",
        )


def test_a_retreat_phase_without_dislodged_units_has_nothing_to_do() -> None:
    for data in (asked(phase="S1901R", orders=None), asked(phase="S1901R", dislodged={})):
        answer = adjudicate_object(data | {"orders": {}})
        assert answer["results"] == {}
        assert answer["units"] == POSITION["units"]
        assert answer["next_phase"] == "F1901M"


def test_phases_in_which_nobody_decides_are_passed_over_but_carried_out() -> None:
    """After Fall the centers change hands even when nobody retreats (see the format's phases)."""
    data = {
        "phase": "F1901M",
        "units": {"France": ["A spa", "A par"], "Germany": ["A mun"]},
        "centers": {"France": ["par", "bre"], "Germany": ["mun"]},
    }
    answer = adjudicate_object(data)
    assert answer["centers"] == {"France": ["par", "bre", "spa"], "Germany": ["mun"]}
    assert answer["next_phase"] == "W1901A"
    quiet = data | {"units": {"France": ["A spa", "A par", "A mar"], "Germany": ["A mun"]}}
    answer = adjudicate_object(quiet | {"centers": {"France": ["par"], "Germany": ["mun"]}})
    assert answer["next_phase"] == "S1902M"
    assert answer["centers"]["France"] == ["par", "spa", "mar"]


def test_builds_and_removals_are_carried_out_automatic_ones_included() -> None:
    data = {
        "phase": "W1901A",
        "units": {"France": ["A spa"], "Germany": ["A mun", "A ruh", "A war"], "Italy": ["A rom"]},
        "centers": {
            "France": ["par", "bre", "spa"],
            "Germany": ["mun", "ber"],
            "Italy": ["rom", "ven"],
        },
        "orders": {"France": ["F Bre", "waive"], "Italy": ["A Ven", "A Rom"]},
    }
    answer = adjudicate_object(data)
    assert answer["next_phase"] == "S1902M"
    assert answer["units"] == {
        "France": ["A spa", "F bre"],
        "Germany": ["A mun", "A ruh"],
        "Italy": ["A rom", "A ven"],
    }
    assert orders_of(answer, "France") == ["B F bre", "WAIVE"]
    (removed,) = answer["results"]["Germany"]
    assert (removed["order"], removed["unit"], removed["outcome"]) == (
        "D A war",
        "A war",
        "succeeds",
    )
    assert removed["note"]
    assert [result["outcome"] for result in answer["results"]["Italy"]] == ["succeeds", "fails"]


def test_the_winner_is_named() -> None:
    centers = [p.id for p in variants.load("standard").board.provinces.values() if p.supply_center]
    data = {
        "phase": "F1907M",
        "units": {"France": ["A war"], "Turkey": ["A con"]},
        "centers": {"France": [key for key in centers if key not in ("con", "war")][:17]},
    }
    answer = adjudicate_object(data)
    assert answer["winner"] == "France"
    assert len(answer["centers"]["France"]) == 18


# -- errors -----------------------------------------------------------------------------------

ERRORS: list[tuple[Any, str]] = [
    ([], "the object: must be a JSON object, not []"),
    (None, "the object: must be a JSON object, not null"),
    (asked(variant="standrd"), 'variant: "standrd": there is no such variant; there are '),
    (asked(variant="../standard"), 'variant: "../standard": there is no such variant'),
    (asked(variant=7), "variant: must be a text, not 7"),
    (asked(rules="2022"), "rules: there is no rulebook '2022'; there are 2023, 1976"),
    (asked(rules=2023), "rules: must be a text, not 2023"),
    (asked(options={"4.A.9": "a"}), "options: option '4.A.9': there is no such issue"),
    (asked(options={"4.A.2": "z"}), "options: option 4.A.2: choice 'z' does not exist"),
    (asked(options={"4.A.2": 1}), "options.4.A.2: must be a letter, not 1"),
    (asked(options=["4.A.2"]), "options: must be an object of issues and letters"),
    (asked(phase=None), "phase: is missing"),
    (asked(phase=1901), "phase: must be a text, not 1901"),
    (asked(phase="X1901M"), 'phase: "X1901M" is no phase; write one like S1901M'),
    (asked(phase="U1901M"), 'phase: there is no "U1901M" in this game; there is S1901M, '),
    (asked(phase="S1901A"), 'phase: there is no "S1901A" in this game'),
    (asked(units=None), "units: is missing"),
    (asked(units=["A par"]), 'units: must be an object keyed by powers, not ["A par"]'),
    (asked(units={"Spain": []}), 'units: there is no power "Spain"; there are Austria, '),
    (asked(units={"France": [], "french": []}), "units: France is named twice"),
    (asked(units={"France": "A par"}), 'units.France: must be a list, not "A par"'),
    (asked(units={"France": [5]}), 'units.France[0]: must be a text like "A par", not 5'),
    (asked(units={"France": [["A par"]]}), 'units.France[0]: must be a text like "A par"'),
    (asked(units={"France": ["par"]}), 'units.France[0]: "par" is no unit; write one like "A'),
    (asked(units={"France": ["X par"]}), 'units.France[0]: "X par" is no unit'),
    (asked(units={"France": ["A xyz"]}), 'units.France[0]: "A xyz": no province is called xyz'),
    (asked(units={"France": ["A nor"]}), 'units.France[0]: "A nor": nor could mean North Africa'),
    (asked(units={"France": ["A par", "F mun"]}), 'units.France[1]: "F mun": a fleet cannot stand'),
    (asked(units={"France": ["A nth"]}), 'units.France[0]: "A nth": an army cannot stand in North'),
    (asked(units={"France": ["F spa"]}), 'units.France[0]: "F spa": the coast is missing; write F'),
    (asked(units={"France": ["F spa/ec"]}), 'units.France[0]: "F spa/ec": Spain has no east coast'),
    (asked(units={"France": ["A spa/nc"]}), 'units.France[0]: "A spa/nc": an army stands on no'),
    (
        asked(units={"France": ["A par"], "Italy": ["A rom", "A par"]}),
        'units.Italy[1]: "A par" stands where France\'s A par stands',
    ),
    (
        asked(units={"France": ["A spa", "F spa/nc"]}),
        'units.France[1]: "F spa/nc" stands where France\'s A spa stands',
    ),
    (asked(centers={"France": ["bur"]}), 'centers.France[0]: "bur" is no supply center'),
    (asked(centers={"France": ["xyz"]}), 'centers.France[0]: "xyz": no province is called xyz'),
    (asked(centers={"France": [3]}), "centers.France[0]: must be a province, not 3"),
    (asked(centers={"France": 3}), "centers.France: must be a list, not 3"),
    (
        asked(centers={"France": ["par"], "Italy": ["rom", "Paris"]}),
        'centers.Italy[1]: "par" is France\'s already',
    ),
    (asked(centers=3), "centers: must be an object keyed by powers, not 3"),
    (
        asked(phase="W1901A", orders={}),
        "centers: is missing; it decides who builds and who removes",
    ),
    (
        asked(dislodged={"France": [{"unit": "A bur"}]}),
        "dislodged: has units, but in S1901M nobody retreats",
    ),
    (
        asked(phase="S1901R", dislodged={"France": ["A bur"]}, orders={}),
        'dislodged.France[0]: must be an object with a unit and an attacker, not "A bur"',
    ),
    (
        asked(phase="S1901R", dislodged={"France": [{"unit": "F bur"}]}, orders={}),
        'dislodged.France[0].unit: "F bur": a fleet cannot stand in Burgundy',
    ),
    (
        asked(phase="S1901R", dislodged={"France": [{"unit": "A bur", "attacker": "x"}]}),
        'dislodged.France[0].attacker: "x": no province is called x',
    ),
    (
        asked(phase="S1901R", dislodged={"France": [{"unit": "A bur"}, {"unit": "A bur"}]}),
        'dislodged.France[1]: "A bur" stands where France\'s A bur stands',
    ),
    (asked(contested="bur"), 'contested: must be a list of provinces, not "bur"'),
    (asked(contested=["x"]), 'contested[0]: "x": no province is called x'),
    (asked(orders={"Spain": []}), 'orders: there is no power "Spain"'),
    (asked(orders={"France": "A par H"}), 'orders.France: must be a list, not "A par H"'),
    (asked(orders={"France": ["A par H", 3]}), "orders.France[1]: must be a text, not 3"),
    (asked(orders={"France": [["A"]]}), 'orders.France[0]: must be a text, not ["A"]'),
    (
        asked(orders={"France": ["A par H", "A pic - bre"]}),
        'orders.France[1]: "A pic - bre" is for nobody\'s unit; there is none in Picardy (pic)',
    ),
    (
        asked(phase="S1901R", orders={"France": ["A pic R bre"]}),
        'orders.France[0]: "A pic R bre" is for nobody\'s unit',
    ),
]


@pytest.mark.parametrize(("data", "message"), ERRORS)
def test_what_is_no_position_is_an_error_with_field_and_value(data: Any, message: str) -> None:
    with pytest.raises(InterchangeError) as caught:
        adjudicate_object(data)
    assert str(caught.value).startswith(message)


def test_a_removal_of_a_unit_that_is_not_there_is_a_result() -> None:
    """DATC 6.J.1 answers it as an order that fails."""
    answer = adjudicate_object(
        {
            "phase": "W1901A",
            "units": {"France": ["A par", "A pic"]},
            "centers": {"France": ["par"]},
            "orders": {"France": ["D F gol"]},
        }
    )
    first = answer["results"]["France"][0]
    assert (first["order"], first["unit"], first["outcome"]) == ("D F gol", "F gol", "fails")
    assert first["reason"] == "void"


@pytest.mark.parametrize("line", ["", "{", "[1, 2", "nonsense", b"\xff\xfe", "[" * 100_000])
def test_a_line_that_is_no_json_is_an_error(line: str | bytes) -> None:
    with pytest.raises(InterchangeError, match=r"the line: is not (JSON|UTF-8)"):
        adjudicate_line(line)


# -- other questions --------------------------------------------------------------------------


def test_legal_orders_are_listed_by_unit() -> None:
    legal = orders_object(asked(), "germany")
    assert list(legal) == ["A mun"]
    assert "A mun - bur" in legal["A mun"]
    assert "A mun S A par - bur" in legal["A mun"]
    with pytest.raises(InterchangeError, match="power: no power is called Spain"):
        orders_object(asked(), "Spain")


@pytest.mark.parametrize("data", [asked(centers={"France": ["par"]}), DISLODGED])
def test_a_position_is_written_as_it_is_read(data: dict[str, Any]) -> None:
    question = read_question(data)
    written = position_object(question.variant, question.position)
    assert read_question(written).position == question.position


def test_how_many_centers_win() -> None:
    question = {
        "phase": "F1901M",
        "units": {"France": ["A par", "A mun"]},
        "centers": {"France": ["par", "bre"], "Germany": ["kie"]},
        "orders": {},
    }
    assert adjudicate_object(question)["winner"] is None
    assert adjudicate_object(question | {"victory": 3})["winner"] == "France"
    assert adjudicate_object(question | {"victory": 4})["winner"] is None
    for wrong in ("3", 0, True, 2.5):
        with pytest.raises(InterchangeError, match="victory: must be a number of supply centers"):
            adjudicate_object(question | {"victory": wrong})


def test_modules_that_settings_add() -> None:
    question = {
        "phase": "W1901A",
        "units": {"France": ["A par"]},
        "centers": {"France": ["par", "mun", "bre"]},
        "orders": {"France": ["B A mun"]},
    }
    assert adjudicate_object(question)["results"]["France"][0]["outcome"] == "fails"
    anywhere = adjudicate_object(question | {"modules": ["conscription"]})
    assert anywhere["results"]["France"][0]["outcome"] == "succeeds"
    wrong: object
    for wrong in ("chaos", ["chaos"], {}):
        with pytest.raises(InterchangeError, match=r"modules\[0\]: there is no "):
            adjudicate_object(question | {"modules": [wrong]})
    for wrong in ("chaos", 6, [], {}):
        with pytest.raises(InterchangeError, match="players: standard has no lineup"):
            adjudicate_object(question | {"players": wrong})
    with pytest.raises(InterchangeError, match="must be a list"):
        adjudicate_object(question | {"modules": "conscription"})
