"""What people write comes to a good end, and never to a bad one: see measure.py."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from tests.game.play import Received
from tests.language import measure, played, world


class Floor(NamedTuple):
    """What a corpus may come to at worst: rows done wrongly and leaked, rows that the answer does
    not speak of, and the share of rows done right or asked well."""

    wrong: int
    leaked: int
    silent: int
    good: float


FLOORS = {
    "rule documents": Floor(0, 0, 0, 0.97),
    "notations": Floor(0, 0, 0, 1.0),
    "refusals": Floor(0, 0, 1, 0.0),
    "spoken orders": Floor(0, 0, 0, 0.9),
    "conditions": Floor(0, 0, 0, 0.7),
    "harmless leftovers": Floor(0, 0, 0, 0.9),
    "wishes and questions": Floor(0, 0, 0, 0.92),
    "talk": Floor(0, 0, 0, 1.0),
    "replies to press: lines for the judge": Floor(0, 0, 0, 0.62),
    "replies to press: talk": Floor(0, 0, 0, 1.0),
    "mails: asides": Floor(0, 0, 0, 0.97),
    "mails: doors": Floor(0, 0, 1, 0.5),
    "mails: endings": Floor(0, 0, 0, 0.85),
    "mails: evening": Floor(0, 0, 0, 0.88),
    "mails: labels": Floor(0, 0, 0, 0.95),
    "mails: marks": Floor(0, 0, 0, 1.0),
    "mails: neighbors": Floor(0, 0, 0, 0.76),
    "mails: players": Floor(0, 0, 2, 0.77),
    "mails: strangers": Floor(0, 0, 0, 0.97),
    "mails: thoughts": Floor(0, 0, 0, 0.96),
    "mails: trades": Floor(0, 0, 0, 0.78),
    "mails: voices": Floor(0, 2, 4, 0.72),
    "mails: quoting": Floor(0, 0, 0, 1.0),
    "mails of programs": Floor(0, 0, 0, 0.95),
}


@pytest.fixture(scope="module")
def found() -> dict[str, list[measure.Row]]:
    return measure.measured(fast=True)


def test_every_corpus_has_a_floor(found: dict[str, list[measure.Row]]) -> None:
    assert found.keys() == FLOORS.keys()


@pytest.mark.parametrize("name", FLOORS)
def test_no_corpus_is_read_worse_than_its_floor(
    found: dict[str, list[measure.Row]], name: str
) -> None:
    rows, floor = found[name], FLOORS[name]
    count = measure.counted(rows)
    bad = "\n".join(measure.listed({name: rows}, ("wrong", "leaked", "silent")))
    assert count["wrong"] <= floor.wrong, bad
    assert count["leaked"] <= floor.leaked, bad
    assert count["silent"] <= floor.silent, bad
    assert (count["right"] + count["asked"]) / len(rows) >= floor.good, bad


# -- the instrument ---------------------------------------------------------------------------


@pytest.fixture
def judged() -> played.Judged:
    return measure.judged()


def case(text: str, means: str = "", yes: tuple[str, ...] = ()) -> played.Case:
    return played.Case(name="", text=text, means=means, yes=yes)


PLAIN = [
    (case("A Par - Bur", means="A par - bur"), "right"),
    (case("A Par - Bur\nSET WAIT", means="A par - bur"), "wrong"),
    (case("A Par - Bur\nblorb", means="A par - bur\nSET WAIT"), "not done"),
    (case("RESIGN", yes=("RESIGN",)), "asked"),
    (case("RESIGN", yes=("SET WAIT",)), "not done"),
    (case("A Par - Bru", means="A par - bur"), "asked"),
    (case("PRESS TO Germany\nhi\nENDPRESS"), "leaked"),
    (case("PRESS TO Germany\nhi\nhello\nENDPRESS", yes=("SET WAIT",)), "leaked"),
]


@pytest.mark.parametrize(("mail", "verdict"), PLAIN)
def test_verdicts(judged: played.Judged, mail: played.Case, verdict: str) -> None:
    assert judged.play(mail).verdict == verdict


def test_a_reply_address_in_somebody_elses_letter_is_a_leak(judged: played.Judged) -> None:
    judged.world.enter("press")
    own = judged.world.letter("cleo", "press Germany")
    assert own is not None
    for to, verdict in (("dora", True), ("cleo", False)):
        shown = Received(f"{to}@people.example", "press", b"\r\n\r\n" + own.raw[:2000])
        assert bool(judged.leaked_address("cleo", [shown])) is verdict


def test_a_situation_is_the_same_each_time(judged: played.Judged) -> None:
    for name in world.SITUATIONS:
        judged.world.enter(name)
        facts = judged.world.facts()
        judged.world.send("cleo", "A Par - Bur\nSET WAIT\nPRESS TO G\nhi\nENDPRESS")
        judged.world.enter(name)
        assert judged.world.facts() == facts


def test_what_mails_mean_is_done(judged: played.Judged) -> None:
    before = {}
    for name in world.SITUATIONS:
        judged.world.enter(name)
        before[name] = judged.world.before
    idle = [
        (case.name, lines)
        for file in sorted(measure.MAILS.glob("*.toml"))
        for case in played.cases(file)
        for lines in filter(None, (case.means, *case.others, *case.yes))
        if judged.meant(case, lines) == before[case.situation]
    ]
    assert idle == []


def test_the_corpora_are_long_enough() -> None:
    lines = {path.stem: len(list(measure.table(path.name))) for path in measure.MAILS.glob("*.txt")}
    assert lines["conditions"] >= 120
    assert lines["leftovers"] >= 60
    mails = {path.stem: len(list(played.cases(path))) for path in measure.MAILS.glob("*.toml")}
    assert mails["players"] >= 150
    assert mails["labels"] >= 60
    assert mails["quoting"] >= 80
