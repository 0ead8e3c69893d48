"""The orders of Global Diplomacy: its kinds of units, and bombs in every form of its text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge import i18n, variants
from judge.language.read import Reader, read_order
from judge.rules.orders import Launch, Order, Relay, Unreadable
from judge.rules.phase import Kind, Phase
from judge.rules.position import Unit
from judge.sentences import in_words, order_words

GLOBAL = variants.load("global")
STANDARD = variants.load("standard")
PHASES = {kind: GLOBAL.start_phase._replace(kind=kind) for kind in Kind}


def order(text: str, kind: Kind = Kind.MOVEMENT) -> Order:
    return read_order(text, GLOBAL, PHASES[kind])


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        # XII+, "An example of a bombing chain", tersely.
        ("R WAF bomb via ISR via MIE to TIB", "R waf bomb via isr via mie to tib"),
        ("AF ISR bomb from WAF via PAK to TIB", "AF isr bomb from waf via pak to tib"),
        ("A MIE bomb from WAF from ISR to TIB", "A mie bomb from waf from isr to tib"),
        # The same in prose.
        (
            "Arsenal West Africa delivers to Israel to Middle East to drop on Tibet",
            "R waf bomb via isr via mie to tib",
        ),
        (
            "Air force in Israel carries bomb from West Africa to Pakistan to drop on Tibet",
            "AF isr bomb from waf via pak to tib",
        ),
        (
            "Army Pakistan carries bomb from West Africa (via) Israel to drop on Tibet",
            "A pak bomb from waf from isr to tib",
        ),
        (
            "Army Pakistan carries bomb from West Africa via Israel to drop on Tibet",
            "A pak bomb from waf from isr to tib",
        ),
        # XII+, "bombs that space directly"
        ("arsenal WAF bombs MED", "R waf bomb med"),
        # Examples 1 to 3.
        ("Arsenal RUS bomb SCA", "R rus bomb sca"),
        (
            "Arsenal SUS bomb via NAT SAH EGY to SIO",
            "R sus bomb via nat via sah via egy to sio",
        ),
        ("N NAT carry bomb from SUS via SAH", "N nat bomb from sus via sah"),
        ("A SAH carry bomb from NAT via EGY", "A sah bomb from nat via egy"),
        ("AF EGY drop bomb from SAH to SIO", "AF egy bomb from sah to sio"),
        # As people write them.
        ("Arsenal SUS bomb via NAT, SAH, EGY to SIO", "R sus bomb via nat via sah via egy to sio"),
        ("R sus bombs via Navy NAT and via A SAH to EGY", "R sus bomb via nat via sah to egy"),
        ("Nuclear Arsenal West Africa drops the bomb on Egypt", "R waf bomb egy"),
        ("Arsenal in Russia bombs Scandinavia!", "R rus bomb sca"),
        ("R WAF: bomb -> TIB", "R waf bomb tib"),
        ("Navy nat carries the bomb from arsenal sus to sah", "N nat bomb from sus to sah"),
        ("R waf bomb via isr (via mie) to tib", "R waf bomb via isr via mie to tib"),
        ("Arsenal WAF bombardiert Mediterranean Sea", "R waf bomb med"),
        ("N NAT trägt die Bombe von SUS nach SAH", "N nat bomb from sus to sah"),
        (
            "Arsenal SUS bombardiert SIO über NAT, SAH, EGY",
            "R sus bomb via nat via sah via egy to sio",
        ),
    ],
)
def test_bombs_are_read(written: str, canonical: str) -> None:
    found = order(written)
    assert str(found) == canonical
    assert isinstance(found, Launch | Relay)
    assert order(canonical) == found
    assert Reader.of(GLOBAL).is_canonical(canonical)


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        ("R RUS bomb", "it does not say what is to be bombed"),
        ("R WAF bomb via ISR", "it does not say what is to be bombed"),
        ("R WAF carries bomb to ISR", "it does not say what is to be bombed"),
        ("A MIE bomb from WAF", "it does not say where the bomb is to go"),
        ("R WAF bomb Tibbett", "no province is called Tibbett"),
        ("A MIE bomb from WAF from ISR to XYZ", "no province is called XYZ"),
        (
            "AF ISR carries bomb from WAF via MIE to drop on TIB",
            "it could mean AF isr bomb from waf from mie to tib"
            " or AF isr bomb from waf via mie to tib",
        ),
    ],
)
def test_bombs_that_cannot_be_read_say_why(written: str, problem: str) -> None:
    found = order(written)
    assert isinstance(found, Unreadable)
    assert in_words(found.problem, GLOBAL) == problem


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("N NAT - MAT", "N nat - mat"),
        ("Navy North Atlantic Ocean to Middle Atlantic Ocean", "N nat - mat"),
        ("F NAT - MAT", "N nat - mat"),
        ("fleet NAT moves to MAT", "N nat - mat"),
        ("Flotte NAT nach MAT", "N nat - mat"),
        # XII+, the attacks that destroy the mission.
        ("Air Force Saudi Arabia to Israel", "AF sau - isr"),
        ("Air Force Tibet to Pakistan", "AF tib - pak"),
        # IX.1
        ("AF TIB S IND", "AF tib S ind"),
        ("Air force in Tibet supports navy India to North Indian Ocean", "AF tib S N ind - nio"),
        ("airforce egypt H", "AF egy H"),
        ("Luftflotte EGY - ISR", "AF egy - isr"),
        ("aviation EGY - ISR", "AF egy - isr"),
        ("N POL C AF GRE - YAK", "N pol C AF gre - yak"),
        ("R WAF H", "R waf H"),
        ("Arsenal West Africa holds", "R waf H"),
        ("the American air force in Alaska - NWT", "AF ala - nwt"),
        ("N Mexico west coast to East Pacific", "N mex/wc - epa"),
    ],
)
def test_every_kind_of_unit_is_read(written: str, canonical: str) -> None:
    assert str(order(written)) == canonical


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("B A ALA", "B A ala"),
        ("Build navy MEX/wc", "B N mex/wc"),
        ("F SUS", "B N sus"),
        ("Air force CUS", "B AF cus"),
        ("AF CUS", "B AF cus"),
        # R is an arsenal here; a removal only before a unit named in full.
        ("R SUS", "B R sus"),
        ("build arsenal Alaska", "B R ala"),
        ("D R SUS", "D R sus"),
        ("R A CUS", "D A cus"),
        ("R AF CUS", "D AF cus"),
        ("disband Air Force CUS", "D AF cus"),
    ],
)
def test_builds_and_removals_are_read(written: str, canonical: str) -> None:
    assert str(order(written, Kind.ADJUSTMENTS)) == canonical


def test_an_arsenal_is_no_retreat() -> None:
    assert str(order("AF CUS R EUS", Kind.RETREATS)) == "AF cus R eus"
    assert str(order("R AF CUS - EUS", Kind.RETREATS)) == "AF cus R eus"


def test_several_bombs_on_a_line_are_several_orders() -> None:
    line = "AF egy drop bomb from sah to sio. A sah carry bomb from nat via egy, N nat - mat"
    parts = Reader.of(GLOBAL).line(line, Kind.MOVEMENT).orders
    assert [str(order(each.text)) for each in parts] == [
        "AF egy bomb from sah to sio",
        "A sah bomb from nat via egy",
        "N nat - mat",
    ]


@pytest.mark.parametrize("text", ["A Bur drops Par", "A Bur bombs Par"])
def test_the_standard_game_knows_no_bombs(text: str) -> None:
    phase = Phase.read("S1901M")
    assert isinstance(read_order(text, STANDARD, phase), Unreadable)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("R rus bomb sca", "Arsenal Russia bombs Scandinavia"),
        (
            "R waf bomb via isr via mie to tib",
            "Arsenal West Africa bombs Tibet by way of Israel and Middle East",
        ),
        (
            "AF isr bomb from waf via pak to tib",
            "Air force Israel takes the bomb from West Africa by way of Pakistan to Tibet",
        ),
        (
            "A mie bomb from waf from isr to tib",
            "Army Middle East takes the bomb from Israel, which came from West Africa, to Tibet",
        ),
        (
            "N nat bomb from sus via sah",
            "Navy North Atlantic Ocean takes the bomb from Southern United States on to Sahara",
        ),
        ("AF egy bomb from sah to sio", "Air force Egypt takes the bomb from Sahara to South"),
    ],
)
def test_bombs_are_said_in_words_in_every_language(text: str, words: str) -> None:
    said = order_words(order(text), GLOBAL.board)
    assert said.startswith(words)
    for language in ("de", "fr"):
        with i18n.speaking(language):
            assert order_words(order(text), GLOBAL.board) != said


spaces = st.sampled_from(sorted(GLOBAL.board.provinces))
routes = st.lists(spaces, min_size=0, max_size=4).map(tuple)
units = st.builds(Unit, st.sampled_from(["A", "N", "AF", "R"]), spaces)


@given(st.builds(Launch, units, spaces, routes))
def test_every_launch_is_read_as_it_is_written(launch: Launch) -> None:
    assert order(str(launch)) == launch


@given(
    st.builds(
        Relay,
        units,
        routes.filter(bool),
        routes,
        st.none() | spaces,
    ).filter(lambda relay: relay.to is not None or bool(relay.via))
)
def test_every_relay_is_read_as_it_is_written(relay: Relay) -> None:
    assert order(str(relay)) == relay
