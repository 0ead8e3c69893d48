"""What destruction leads to: centers that disappear, games won and games that nobody can win."""

from __future__ import annotations

import pytest

from judge.rules.engine import adjudicate, victory
from judge.rules.hooks import with_modules
from judge.rules.modules.destruction import centers_left, parts
from judge.rules.position import Position
from judge.rules.result import Adjudication, Ending
from tests.rules.globe import GLOBAL, POWERS, SHORT, play, position

US, PR, RF, GA = POWERS["US"], POWERS["PR"], POWERS["RF"], POWERS["GA"]


def on(after: Position, phase: str) -> Position:
    """The position after phases without orders, when `phase` opens."""
    while str(after.phase) != phase:
        after = adjudicate(GLOBAL, after, {}).position
    return after


def owned(after: Position, power: str) -> str:
    return " ".join(after.centers.get(POWERS[power], ()))


# -- centers cut off (V) --------------------------------------------------------------------------


def test_the_example_of_india() -> None:
    # "if NIO, KAZ, TIB and SEA are all destroyed by nuclear destruction by season A, and MIE is
    # destroyed in season B, then the supply center in India is removed at the end of season C."
    units = {"PR": "A ind, A pak", "GA": "R isr", "US": "A ala, A cus, A sus, A wus"}
    centers = {"PR": "ind man nch sch", "US": "ala cus sus wus eca gre mex cam", "GA": "egy waf"}
    gone = ["kaz", "nio", "sea", "tib"]
    season_b = play(position("S2102M", units, centers, destroyed=gone), {"GA": "R isr bomb mie"})
    assert season_b.destroyed == ("mie",)
    assert season_b.position.extra["cut_off"] == {"ind": "S2102"}
    assert "ind" in owned(season_b.position, "PR")
    season_c = on(season_b.position, "U2102M")
    assert "ind" in owned(season_c, "PR")
    movement = adjudicate(GLOBAL, season_c, {})
    assert movement.vanished == ()
    assert "ind" in owned(movement.position, "PR")
    end = adjudicate(GLOBAL, movement.position, {})
    assert end.vanished == ("ind",)
    assert "ind" not in owned(end.position, "PR")
    assert "cut_off" not in end.position.extra
    # "PAK and IND may continue to exist (without a supply center in IND) and units may remain".
    assert {"A ind", "A pak"} <= set(map(str, end.position.units[PR]))
    # Who stands there in the fall does not get it back.
    fall = on(end.position, "F2102A")
    assert "ind" not in owned(fall, "PR")
    assert "ind" not in centers_left(GLOBAL, fall)


def test_a_center_is_gone_before_the_count_of_its_last_season() -> None:
    centers = {"PR": "ind man nch sch", "GA": "egy"}
    before = position(
        "F2102R",
        {"PR": "A ind, A man, A nch"},
        centers,
        destroyed=["kaz", "mie", "nio", "sea", "tib"],
        cut_off={"ind": "U2102"},
    )
    outcome = play(before, {})
    assert outcome.vanished == ("ind",)
    assert owned(outcome.position, "PR") == "man nch sch"


def test_or_after_it_by_the_other_module() -> None:
    late = with_modules(GLOBAL, ("cut_off_centers_late",))
    ruins = ["kaz", "mie", "nio", "sea", "tib"]
    units, centers = {"PR": "A ind, A man"}, {"PR": "ind man"}
    before = position("F2102R", units, centers, destroyed=ruins, cut_off={"ind": "U2102"})
    counted = play(before, {}, late)
    assert (counted.vanished, owned(counted.position, "PR")) == ((), "ind man")
    after = adjudicate(late, counted.position, {})
    assert (after.vanished, owned(after.position, "PR")) == (("ind",), "man")
    before = position("U2102R", units, centers, destroyed=ruins, cut_off={"ind": "S2102"})
    assert play(before, {}, late).vanished == ("ind",)


def test_a_center_that_is_destroyed_in_time_does_not_disappear_twice() -> None:
    before = position(
        "U2102M",
        {"GA": "R isr, AF egy", "PR": "A man"},
        {"PR": "ind man", "GA": "egy"},
        destroyed=["kaz", "mie", "nio", "sea", "tib"],
        cut_off={"ind": "S2102"},
    )
    outcome = play(before, {"GA": "R isr bomb pak"})
    assert outcome.position.extra["cut_off"] == {"ind": "S2102"}
    before = position("U2102M", {"GA": "R pak"}, {"PR": "ind"}, **before.extra)  # type: ignore[arg-type]
    outcome = play(before, {"GA": "R pak bomb ind"})
    assert "cut_off" not in outcome.position.extra
    assert adjudicate(GLOBAL, outcome.position, {}).vanished == ()


def test_two_centers_that_still_have_a_way_to_each_other_stay() -> None:
    # New Zealand and Southern Australia are left with the water between them.
    board = GLOBAL.board
    around = {"ant", "arg", "chl", "epa", "per", "png", "que", "sat", "sio", "wau", "wpa"}
    found = next(part for part in parts(board, around) if "nze" in part)
    assert found == {"nze", "spa", "soz"}
    before = position("S2102M", {"GA": "R saf"}, {"GA": "saf"}, destroyed=sorted(around - {"sat"}))
    outcome = play(before, {"GA": "R saf bomb sat"})
    assert outcome.position.extra["cut_off"] == {"mad": "S2102"}
    assert "nze" in centers_left(GLOBAL, outcome.position)


def test_spaces_without_a_center_may_be_cut_off() -> None:
    before = position("S2102M", {"GA": "R saf"}, {"GA": "saf"}, destroyed=["sat", "spa"])
    outcome = play(before, {"GA": "R saf bomb sio"})
    assert any(part == {"ant"} for part in parts(GLOBAL.board, ["sat", "sio", "spa"]))
    assert set(outcome.position.extra["cut_off"]) == {"mad", "nze"}  # type: ignore[call-overload]


# -- victory (II) ---------------------------------------------------------------------------------

MOST = "ala cus sus wus eca gre mex cam ven per bra arg jap nze soz"  # 15 of them
OTHERS = "kaz rus ura yak gbr spn weu eeu tur sau ind man nch sch sea egy"


def counted(phase: str, us: str, rf: str, **extra: object) -> Adjudication:
    before = position(phase, {"US": "A ala", "RF": "A rus"}, {"US": us, "RF": rf}, **extra)  # type: ignore[arg-type]
    return play(before, {})


@pytest.mark.parametrize("phase", ["S2102R", "F2102R"])
def test_sixteen_centers_win_at_the_end_of_a_building_season(phase: str) -> None:
    assert counted(phase, MOST, "rus").winners == ()
    assert counted(phase, f"{MOST} ino", "rus").winners == (US,)


@pytest.mark.parametrize("phase", ["W2102R", "U2102R", "W2102M"])
def test_at_no_other_time(phase: str) -> None:
    assert counted(phase, f"{MOST} ino", "rus").winners == ()


def test_two_with_sixteen_have_not_won() -> None:
    outcome = counted("F2102R", f"{MOST} ino", OTHERS)
    assert (outcome.winners, outcome.rivals) == ((), (US, RF))
    # It goes on until only one has sixteen, be it with fewer than the other had.
    assert victory(GLOBAL, outcome.position) == 16
    outcome = counted("S2103R", f"{MOST} ino mad", OTHERS)
    assert (outcome.winners, outcome.rivals) == ((), (US, RF))
    outcome = counted("F2103R", f"{MOST} ino", OTHERS.removesuffix(" egy"))
    assert (outcome.winners, outcome.rivals) == ((US,), ())


# -- games that nobody can win (II) ---------------------------------------------------------------


@pytest.mark.parametrize(("kept", "ending"), [(16, Ending.UNINHABITABLE), (17, None)])
def test_fewer_than_sixteen_centers_left_is_the_end_for_everybody(
    kept: int, ending: Ending | None
) -> None:
    every = [p.id for p in GLOBAL.board.provinces.values() if p.supply_center]
    left = ["rus", "sca", *(center for center in every if center not in ("rus", "sca"))][:kept]
    before = position(
        "W2102M",
        {"RF": "R rus, A ura", "US": "A nwt"},
        {"RF": "rus", "US": "ala"},
        destroyed=sorted(set(every) - set(left)),
    )
    assert len(centers_left(GLOBAL, before)) == kept
    outcome = play(before, {"RF": "R rus bomb sca"})
    assert len(centers_left(GLOBAL, outcome.position)) == kept - 1
    assert (outcome.ending, outcome.winners) == (ending, ())


def test_no_way_left_for_anybody_to_sixteen_is_a_draw() -> None:
    # The seas and a belt of land are gone: America, Africa, Eurasia and Oceania stand alone.
    seas = [p.id for p in GLOBAL.board.provinces.values() if p.terrain == "sea"]
    gone = sorted({*seas, "egy", "isr", "kaz", "mie", "rus", "wsi", "cam"} - {"nat"})
    units = {"US": "R eus, A cus", "RF": "A ura", "PR": "A nch", "EU": "A weu"}
    centers = {"US": "cus wus", "RF": "ura", "PR": "nch", "EU": "weu"}
    before = position("W2102M", units, centers, destroyed=gone)
    outcome = play(before, {"US": "R eus bomb nat"})
    assert outcome.destroyed == ("nat",)
    assert len(centers_left(GLOBAL, outcome.position)) >= 16
    assert outcome.ending is Ending.IMPOSSIBLE


def test_a_way_for_one_power_is_enough() -> None:
    units = {"US": "R eus, A cus", "RF": "A ura", "PR": "A nch"}
    before = position("W2102M", units, {"US": "cus", "RF": "ura", "PR": "nch"}, destroyed=["med"])
    outcome = play(before, {"US": "R eus bomb nat"})
    assert outcome.destroyed == ("nat",)
    assert outcome.ending is None


def test_without_destruction_nothing_is_asked() -> None:
    before = position("W2102M", {"US": "A ala"}, {"US": "ala"})
    assert play(before, {}).ending is None
    assert SHORT[GA] == "GA"
