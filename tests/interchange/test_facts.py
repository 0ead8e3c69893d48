"""A variant as an object of facts."""

from __future__ import annotations

import json

import pytest

from judge import variants
from judge.interchange import variant_object

FACTS = variant_object(variants.load("standard"))


def test_the_object_is_json_with_every_field_of_the_format() -> None:
    assert json.loads(json.dumps(FACTS)) == FACTS
    assert list(FACTS)[:10] == [
        *("name", "title", "powers", "start_phase", "victory"),
        *("provinces", "army", "fleet", "start", "centers"),
    ]
    assert FACTS["name"] == "standard"
    assert FACTS["title"] == "Diplomacy"
    assert FACTS["start_phase"] == "S1901M"
    assert FACTS["victory"] == 18
    assert FACTS["start"]["Austria"] == ["A bud", "F tri", "A vie"]
    assert FACTS["centers"]["Austria"] == ["bud", "tri", "vie"]


def test_a_province_is_described() -> None:
    (stp,) = [province for province in FACTS["provinces"] if province["id"] == "stp"]
    assert stp["name"] == "St. Petersburg"
    assert stp["type"] == "coast"
    assert stp["supply_center"] is True
    assert stp["home"] == "Russia"
    assert stp["coasts"] == ["nc", "sc"]
    assert stp["aliases"][0] == "st petersburg"
    (nth,) = [province for province in FACTS["provinces"] if province["id"] == "nth"]
    assert (nth["type"], nth["home"], nth["coasts"]) == ("sea", None, [])
    assert len(FACTS["provinces"]) == 75


@pytest.mark.parametrize(("kind", "count"), [("army", 111), ("fleet", 141)])
def test_every_border_is_listed_once(kind: str, count: int) -> None:
    pairs = FACTS[kind]
    assert len(pairs) == count == len({frozenset(pair) for pair in pairs})
    assert all(here < there for here, there in pairs)
    assert pairs == sorted(pairs)


def test_borders_name_coasts() -> None:
    assert ["mid", "spa/nc"] in FACTS["fleet"]
    assert ["bot", "stp/sc"] in FACTS["fleet"]
    assert ["boh", "mun"] in FACTS["army"]
