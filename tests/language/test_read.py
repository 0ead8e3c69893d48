"""Orders in every notation: two tables of texts, and properties of all orders."""

from __future__ import annotations

import random
import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge import variants
from judge.language.misreadings import Fault, Misreading
from judge.language.names import words_of
from judge.language.read import LONGEST_ORDER, Reader, read_order
from judge.rules.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    Support,
    Unreadable,
    Waive,
)
from judge.rules.phase import Kind, Phase
from judge.rules.position import Dislodged, Position, Unit
from judge.sentences import in_words, order_words

STANDARD = variants.load("standard")
PHASES = {
    "M": Phase.read("S1901M"),
    "R": Phase.read("S1901R"),
    "A": Phase.read("W1901A"),
}


def table(name: str) -> list[list[str]]:
    """The rows of a table beside this file, cells stripped but for what is written."""
    rows = []
    for line in (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            kind, *cells = line.split(" | ")
            rows.append([kind.strip(), *cells])
    return rows


@pytest.mark.parametrize(("kind", "written", "order"), table("readings.txt"))
def test_what_is_written_is_read(kind: str, written: str, order: str) -> None:
    found = read_order(written, STANDARD, PHASES[kind])
    assert not isinstance(found, Unreadable), found.problem
    assert str(found) == order


@pytest.mark.parametrize(("kind", "written", "unit", "problem"), table("refusals.txt"))
def test_what_is_no_order_is_said_to_be_none(
    kind: str, written: str, unit: str, problem: str
) -> None:
    found = read_order(written, STANDARD, PHASES[kind])
    assert isinstance(found, Unreadable), found
    assert in_words(found.problem, STANDARD) == problem
    assert str(found.unit or "-") == unit
    assert found.text == written


# -- every order ------------------------------------------------------------------------------

LOCATIONS = sorted(Reader.of(STANDARD).locations)
SEAS = sorted(p.id for p in STANDARD.board.provinces.values() if p.terrain == "sea")
locations = st.sampled_from(LOCATIONS)
units = st.builds(Unit, st.sampled_from(["A", "F"]), locations)
armies = st.builds(Unit, st.just("A"), locations)
paths = st.lists(st.sampled_from(SEAS), min_size=1, max_size=3, unique=True).map(tuple)
movement = st.one_of(
    st.builds(Hold, units),
    st.builds(Move, units, locations, st.sampled_from([None, True])),
    st.builds(Move, armies, locations, st.just(True), paths),
    st.builds(Support, units, units, st.none() | locations),
    st.builds(Convoy, units, units, locations),
)
retreats = st.one_of(st.builds(Retreat, units, locations), st.builds(Disband, units))
adjustments = st.one_of(
    st.builds(Build, units),
    st.builds(Disband, units),
    st.builds(Waive, st.none() | st.integers(1, 20)),
)
orders = st.one_of(
    st.tuples(st.just("M"), movement),
    st.tuples(st.just("R"), retreats),
    st.tuples(st.just("A"), adjustments),
)


def slowly(text: str, kind: Kind) -> Order:
    """The order read from tokens, without the shortcut for canonical texts."""
    reader = Reader(STANDARD)
    reader.canonical = lambda text, kind: None  # type: ignore[method-assign]
    return reader.read(text, kind).order


@given(orders)
def test_an_order_is_read_back_from_its_canonical_form(case: tuple[str, Order]) -> None:
    kind, order = case
    assert read_order(str(order), STANDARD, PHASES[kind]) == order


@given(orders)
def test_the_shortcut_for_canonical_texts_reads_what_the_grammar_reads(
    case: tuple[str, Order],
) -> None:
    kind, order = case
    assert slowly(str(order), PHASES[kind].kind) == order


@given(orders)
def test_an_order_is_read_back_from_its_words(case: tuple[str, Order]) -> None:
    kind, order = case
    assert read_order(order_words(order, STANDARD.board), STANDARD, PHASES[kind]) == order


@given(orders, st.randoms(use_true_random=False))
def test_case_and_spacing_do_not_matter(case: tuple[str, Order], dice: random.Random) -> None:
    kind, order = case
    text = "".join(dice.choice((char.upper(), char.lower())) for char in str(order))
    text = text.replace(" ", dice.choice((" ", "  ", "\t", "\xa0"))).replace(
        "-", dice.choice("-–—−")
    )
    assert read_order(f" {text}. ", STANDARD, PHASES[kind]) == order


@given(st.text(max_size=60), st.sampled_from("MRA"))
def test_no_text_makes_the_reader_fail(text: str, kind: str) -> None:
    order = read_order(text, STANDARD, PHASES[kind])
    assert isinstance(order, Unreadable) == bool(getattr(order, "problem", ""))


JUMBLE = """
a f h m s c r d b t w - / ( ) ? : , . & st north sea of the coast nc to via in army fleet supports
convoy french gulf par spa stp mid nor
"""
words = st.sampled_from(JUMBLE.split())


@given(st.lists(words, max_size=120), st.sampled_from("MRA"))
def test_no_jumble_of_words_takes_long(jumble: list[str], kind: str) -> None:
    start = time.process_time()
    read_order(" ".join(jumble), STANDARD, PHASES[kind])
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    "part",
    [
        "mid-atlantic-",
        "nth - ",
        "via nth and ",
        "s a par ",
        "english ",
        "north sea ",
        "((",
        "xyz - ",
    ],
)
def test_no_repetition_takes_long(part: str) -> None:
    start = time.process_time()
    for before in ("", "A lon - ", "F nth C A "):
        read_order((before + part * 200)[:LONGEST_ORDER], STANDARD, PHASES["M"])
    assert time.process_time() - start < 2


def test_an_overlong_text_is_refused_unread() -> None:
    order = read_order("A par - bur " * 1000, STANDARD, PHASES["M"])
    assert isinstance(order, Unreadable)
    assert order.problem == Misreading(Fault.TOO_LONG)


# -- what depends on the position ---------------------------------------------------------------


def position(phase: str, units: str = "", centers: str = "", dislodged: str = "") -> Position:
    """France's position; the other powers have nothing."""

    def read_units(text: str) -> tuple[Unit, ...]:
        pairs = (part.split() for part in text.split(",") if part)
        return tuple(Unit(kind, place) for kind, place in pairs)

    return Position(
        Phase.read(phase),
        {"France": read_units(units)},
        {"France": tuple(centers.split())},
        {"France": tuple(Dislodged(unit, None) for unit in read_units(dislodged))},
    )


@pytest.mark.parametrize(
    ("text", "units", "order"),
    [
        ("F Stands", "A par, F bre", "F bre H"),
        ("F S A Par - Bur", "A par, F bre", "F bre S A par - bur"),
        ("A holds", "A par, F bre", "A par H"),
        ("F Stands", "F mar, F bre", None),
        ("F Stands", "A par", None),
    ],
)
def test_the_only_unit_of_a_kind_need_not_be_named(
    text: str, units: str, order: str | None
) -> None:
    there = position("S1901M", units)
    found = read_order(text, STANDARD, there.phase, "France", there)
    if order is None:
        assert isinstance(found, Unreadable)
        assert "it does not say which fleet is meant" in in_words(found.problem, STANDARD)
    else:
        assert str(found) == order


def test_the_only_dislodged_unit_need_not_be_named() -> None:
    there = position("S1901R", "A par, A mar", dislodged="A gas")
    assert str(read_order("A D", STANDARD, there.phase, "France", there)) == "D A gas"


@pytest.mark.parametrize(
    ("text", "units", "centers", "order"),
    [
        ("F Bre", "A par", "par bre", "B F bre"),
        ("Bre", "A par", "par bre", "B bre"),
        ("F Bre", "F bre, A par", "par", "D F bre"),
        ("Bre", "F bre, A par", "par", "D bre"),
        ("F Bre", "F bre, A par", "par bre", "D F bre"),
        ("F Bre", "A par, A pic", "par bre", "B F bre"),
    ],
)
def test_a_bare_unit_is_built_or_removed_as_is_due(
    text: str, units: str, centers: str, order: str
) -> None:
    there = position("W1901A", units, centers)
    assert str(read_order(text, STANDARD, there.phase, "France", there)) == order


# -- more than the order ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "owner", "other"),
    [
        ("French A Par S German A Mun - Bur", "France", "Germany"),
        ("FRANCE: A Par S Mun - Bur", "France", None),
        ("A Par S the Italian army in Mun to Bur", None, "Italy"),
        ("F Nth C Austro-Hungarian A Lon - Nwy", None, "Austria"),
        ("A Par - Bur", None, None),
    ],
)
def test_powers_named_before_units_are_told(
    text: str, owner: str | None, other: str | None
) -> None:
    reading = Reader.of(STANDARD).read(text, Kind.MOVEMENT)
    assert not isinstance(reading.order, Unreadable)
    assert (reading.owner, reading.other) == (owner, other)


def test_a_misread_name_offers_what_it_may_have_been() -> None:
    reading = Reader.of(STANDARD).read("A Mar S A Pra - Bur", Kind.MOVEMENT)
    assert [str(order) for order in reading.offers] == [
        "A mar S A par - bur",
        "A mar S A pru - bur",
    ]


def test_an_ambiguous_name_offers_each_of_its_meanings() -> None:
    reading = Reader.of(STANDARD).read("A Liv H", Kind.MOVEMENT)
    assert [str(order) for order in reading.offers] == ["A lvp H", "A lvn H"]


def test_the_same_text_gives_the_same_order_object() -> None:
    first, second = (read_order("A Par–Bur", STANDARD, PHASES["M"]) for _ in range(2))
    assert first is second


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Reader, "MOST_REMEMBERED", 10)
    reader = Reader(STANDARD)
    for location in LOCATIONS:
        reader.read(f"A {location} H", Kind.MOVEMENT)
    assert 0 < len(reader.settled[Kind.MOVEMENT]) <= 10
    reader.read("A par - bur" + " " * 100, Kind.RETREATS)
    assert not reader.settled[Kind.RETREATS]


def named(province: str, text: str) -> bool:
    """Whether some words of `text` can stand for a province at all."""
    index = Reader.of(STANDARD).names.provinces
    words = words_of(text)
    spans = (
        words[i:j] for i in range(len(words)) for j in range(i + 1, min(i + 6, len(words) + 1))
    )
    return any(
        province in (*index.find(span).ids, *index.guess("".join(span)).ids) for span in spans
    )


@given(st.lists(words | st.sampled_from(LOCATIONS), max_size=9), st.sampled_from("MRA"))
def test_an_order_names_no_province_that_its_text_does_not(jumble: list[str], kind: str) -> None:
    text = " ".join(jumble)
    order = read_order(text, STANDARD, PHASES[kind])
    if not isinstance(order, Unreadable):
        for province in STANDARD.board.provinces.keys() & re.findall(r"[a-z]+", str(order)):
            assert named(province, text), order
