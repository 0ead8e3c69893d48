"""Era of Empire by mail: conversions, the first of two orders, pairs of powers as one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge.game.orders import advance
from judge.game.state import State
from judge.rules.phase import Phase
from judge.rules.position import Unit
from judge.storage import Role
from tests.game.play import PEOPLE, Play, Received


def paris(play: Play) -> State:
    game = play.storage.games.by_name("paris")
    assert game is not None
    return State(play.storage, game)


def started(
    play: Play, board: str = "era_of_empire", wishes: str = "BCFJNRT", options: str = ""
) -> None:
    pace = "MOVE DELAY 0 MIN 0, ADJUST DELAY 0 MIN 0"

    def make() -> None:
        play.send("max", f"CREATE ?paris {board}, {pace}{options}\nSET NO DAILY")
        for who, letter in zip(PEOPLE, wishes, strict=True):
            play.send(who, f"JOIN paris\nSET PREFERENCE {letter}")
        play.judge.work()

    play.begin("era", board, wishes, options, make=make)
    play.letters()


@pytest.fixture
def era(play: Play) -> Play:
    started(play)
    return play


def place(
    play: Play, phase: str, units: dict[str, str], centers: dict[str, str] | None = None
) -> None:
    """Put the game into a phase with the units and centers given; others keep theirs."""
    with play.storage.transaction():
        state = paris(play)
        position = state.opened
        standing = {
            power: tuple(Unit(*each.split()) for each in listed.split(", "))
            for power, listed in units.items()
        }
        owned = {power: tuple(listed.split()) for power, listed in (centers or {}).items()}
        state.open(
            replace(
                position,
                phase=Phase.read(phase),
                units={**position.units, **standing},
                centers={**position.centers, **owned},
            )
        )
        state.save()


def winter(play: Play, **units: str) -> None:
    """Put the game into Winter 1870 with the units given; each power owns what it started with."""
    place(play, "W1870A", units)


def phase(play: Play) -> str | None:
    return paris(play).game.phase


def to(letters: list[Received], who: str, kind: str) -> Received:
    return next(each for each in letters if each.kind == kind and each.to.startswith(who))


# Inland units cannot be converted: only Britain's fleet in Madras and Japan's can.
INLAND = {
    "China": "A lan, A mon, A tib",
    "France": "A cam, A may, A ban",
    "Netherlands": "F js, F cs, F sio",
    "Russia": "A oms, A kir, A bok, A ore",
    "Turkey": "A ara, A syr, A mec",
}


def test_a_winter_waits_for_anybody_who_may_convert_until_its_deadline(era: Play) -> None:
    winter(era, Britain="A del, F mad, A bom, F ade", Japan="F soj, F ys, F upo", **INLAND)
    assert paris(era).sheets.undecided() == ["Britain"]
    assert paris(era).sheets.missing() == []
    # Another one's word does not let it run.
    era.send("bob", "SET NO WAIT")
    era.run()
    assert phase(era) == "W1870A"
    deadline = paris(era).game.deadline
    assert deadline is not None
    while phase(era) == "W1870A":
        era.wake()
    assert era.clock.now() >= deadline


def test_what_he_converts_is_his_word(era: Play) -> None:
    winter(era, Britain="A del, F mad, A bom, F ade", Japan="F soj, F ys, F upo", **INLAND)
    reply = era.send("ann", "Army Madras")
    assert "COULD NOT USE" not in reply.text
    assert "one too many" not in reply.text
    era.run()
    era.wake()
    assert phase(era) == "S1871M"
    assert Unit("A", "mad") in paris(era).opened.units["Britain"]


def test_no_wait_says_that_he_converts_nothing(era: Play) -> None:
    winter(era, Britain="A del, F mad, A bom, F ade", Japan="F soj, F ys, F upo", **INLAND)
    reply = era.send("ann", "HOLD ON\nSTATUS")
    told = " ".join(reply.text.split())
    assert "F mad, Fleet Madras: B A mad" in told
    assert "SET NO WAIT says that you convert nothing" in told
    era.send("ann", "SET NO WAIT")
    assert paris(era).sheets.undecided() == []
    era.run()
    era.wake()
    assert phase(era) == "S1871M"
    assert Unit("F", "mad") in paris(era).opened.units["Britain"]


def test_nobody_is_late_for_what_he_need_not_do(era: Play) -> None:
    winter(era, Britain="A del, F mad, A bom, F ade", Japan="F soj, F ys, F upo", **INLAND)
    letters: list[Received] = []
    while phase(era) == "W1870A":
        letters += era.wake()
    assert not [each for each in letters if each.kind == "late"]


def test_builds_and_conversions_stand_on_one_sheet(era: Play) -> None:
    winter(era, Britain="F mad, A bom, F ade", Japan="F soj, F ys, F upo", **INLAND)
    sheet = paris(era).sheets.of("Britain")
    assert (sheet.builds, sheet.missing, sheet.optional) == (1, 1, False)
    reply = era.send("ann", "B A del\nF ade to army\nArmy Aden")
    state = paris(era)
    rows = {row.order: row.counts for row in state.sheets.of("Britain").rows}
    assert rows == {"B A del": True, "B A ade": True}
    assert "one too many" not in reply.text


@pytest.mark.parametrize("options", ["", ", TRANSFORM"])
def test_a_conversion_is_no_build_that_is_due(options: str, play: Play) -> None:
    if options:
        started(play, "standard", "AEFGIRT", options + ", ANY CENTERS")
        place(play, "W1901A", {"Turkey": "F con, A smy"}, {"Turkey": "con smy ank bul"})
        who, lines, free = "gwen", ("A con", "F smy", "B A ank"), "A ank"
    else:
        started(play)
        winter(play, Britain="F mad, F ade", Japan="F soj, F ys, F upo", **INLAND)
        who, lines, free = "ann", ("A mad", "A ade", "B A del"), "A del"
    reply = play.send(who, "\n".join(lines[:2]))
    assert "2 builds of 2 still to be ordered" in reply.text
    assert f"B {free} " in reply.text
    power = "Turkey" if options else "Britain"
    assert power in paris(play).sheets.missing()
    reply = play.send(who, "\n".join(lines))
    assert "1 build of 2 still" in reply.text
    reply = play.send(who, "\n".join([*lines, "WAIVE"]))
    assert power not in paris(play).sheets.missing()
    assert "Look again" not in reply.text
    assert "NOT CARRIED OUT" not in reply.text
    play.letters()
    letters = play.lapse()
    kinds = {str(unit) for unit in paris(play).opened.units[power]}
    assert set(lines[:2]) | {free} == kinds
    told = to(letters, who, "results").text
    assert f"{lines[0]}  ok" in told


def test_a_conversion_is_no_removal_that_is_due(era: Play) -> None:
    winter(era, Britain="F mad, F ade, A del, A pun, A raj", Japan="F soj", **INLAND)
    reply = era.send("ann", "A mad")
    assert "1 unit still to be named for removal" in reply.text
    reply = era.send("ann", "A mad\nD A raj")
    assert paris(era).sheets.of("Britain").complete
    assert "Look again" not in reply.text


@pytest.mark.parametrize(
    "line",
    [
        "convert F Mad to A",
        "convert the fleet in Madras into an army",
        "I convert the fleet in Madras into an army",
        "Convert Madras",
        "Fleet Madras becomes an army",
        "F Mad -> A",
        "Madras: fleet to army",
        "turn my fleet in Madras into an army",
        "Wandle F Madras in eine Armee um",
    ],
)
def test_a_conversion_is_read_in_plain_words(line: str, era: Play) -> None:
    winter(era, Britain="F mad, F ade", Japan="F soj", **INLAND)
    reply = era.send("ann", line)
    assert [str(order) for order in paris(era).orders["Britain"]] == ["B A mad"], reply.text
    assert "Fleet Madras becomes army Madras" in reply.text or "Madras wird" in reply.text


def test_what_cannot_be_converted_is_answered(era: Play) -> None:
    winter(era, Britain="F mad, F ade", Japan="F soj", **INLAND)
    assert "No unit of yours stands in Delhi" in era.send("ann", "convert A del to F").text
    reply = era.send("ann", "convert the fleet in Atlantis into an army")
    assert "No province is called Atlantis" in reply.text


def test_a_game_without_conversions_says_so(play: Play) -> None:
    play.start()
    told = " ".join(
        play.send("gwen", "convert the army in Constantinople into a fleet").text.split()
    )
    assert "In this game an army stays an army" in told


def test_of_two_orders_in_one_mail_the_first_counts(era: Play) -> None:
    reply = era.send("ann", "A del - pun\nA del - raj")
    told = " ".join(reply.text.split())
    assert "the first order for a unit counts, and yours is A del - pun" in told
    assert [str(order) for order in paris(era).orders["Britain"]] == ["A del - pun"]
    # The same order twice has one meaning.
    assert "the first order" not in era.send("ann", "A bom - raj\nA bom - raj").text
    # Another mail is another sheet.
    era.send("ann", "A del - raj")
    assert "A del - raj" in map(str, paris(era).orders["Britain"])


def test_of_two_orders_sent_ahead_in_one_mail_the_first_counts(era: Play) -> None:
    def kept() -> list[str]:
        return [str(row) for row in advance.rows(paris(era), "Britain", Phase.read("F1870M"))]

    reply = era.send("ann", "PHASE F1870M\nA pun H\nA pun - raj\nA pun H\nA bom H")
    told = " ".join(reply.text.split())
    assert "the first order for a unit counts, and yours is A pun H." in told
    assert kept() == ["A pun H", "A bom H"]
    # Another mail is another sheet, and may say the same of a unit under a condition first.
    reply = era.send("ann", "PHASE F1870M\nIF A raj\nA pun - raj\nENDIF\nA pun - del")
    assert "the first order" not in reply.text
    assert kept() == ["A bom H", "IF A raj THEN A pun - raj", "A pun - del"]
    # Under the condition this one would never count.
    reply = era.send("ann", "PHASE F1870M\nA pun H\nIF A raj\nA pun - raj")
    assert "yours is A pun H." in " ".join(reply.text.split())
    assert kept() == ["A bom H", "A pun H"]


def test_of_two_kept_orders_that_may_both_count_the_first_does(era: Play) -> None:
    era.send("ann", "A del - pun\nPHASE F1870M\nIF A pun\nA pun - raj\nENDIF\nA pun H")
    letter = next(each for each in process(era) if each.kind == "ahead")
    assert [str(order) for order in paris(era).orders["Britain"]] == ["A pun - raj"]
    assert "A pun H NOT TAKEN. By the rules of this game" in " ".join(letter.text.split())


def process(play: Play) -> list[Received]:
    """The master runs the open phase; the letters about it."""
    play.letters()
    play.send("max", f"PROCESS {phase(play)}")
    return play.letters()


def test_in_other_games_the_last_one_counts(play: Play) -> None:
    play.start()
    play.send("cleo", "A par - bur\nA par - pic")
    assert [str(order) for order in paris(play).orders["France"]] == ["A par - pic"]


def test_too_many_builds_the_first_count(era: Play) -> None:
    winter(era, Britain="F mad, F ade", **INLAND, Japan="F soj, F ys, F upo")
    era.send("ann", "B A del\nB F bom\nB A mad")
    rows = [(row.order, row.counts) for row in paris(era).sheets.of("Britain").rows]
    assert rows == [("B A del", True), ("B F bom", True), ("B A mad", True)]
    winter(era, Britain="F mad, F ade, A raj", **INLAND, Japan="F soj, F ys, F upo")
    era.send("ann", "B A del\nB F bom")
    rows = [(row.order, row.counts) for row in paris(era).sheets.of("Britain").rows]
    assert rows == [("B A del", True), ("B F bom", False)]


@pytest.mark.parametrize("people", [2, 3, 4, 5, 6])
def test_the_games_for_two_to_six(people: int, play: Play) -> None:
    play.send("max", f"CREATE ?paris era_of_empire, PLAYERS {people}\nSET NO DAILY")
    for who in PEOPLE[:people]:
        play.send(who, "JOIN paris")
    play.judge.work()
    state = paris(play)
    assert state.game.state == "active"
    seats = state.seats.active(Role.PLAYER)
    # Each has one power, made of those that the rulebook gives him.
    assert len(seats) == len({seat.person_id for seat in seats}) == people
    names = sorted(name for seat in seats for name in (seat.power or "").split("-"))
    standing = {2: ["Russia"], 6: ["China"]}.get(people, [])
    assert sorted([*names, *standing]) == [
        *("Britain", "China", "France", "Japan", "Netherlands", "Russia", "Turkey")
    ]
    for seat in seats:
        lines = [f"{unit} H" for unit in state.opened.units[seat.power or ""]]
        who = state.seats.person(seat).name.lower()
        assert "COULD NOT USE" not in play.send(who, "\n".join(lines)).text
    play.run()
    while phase(play) == "S1870M":
        play.wake()
    assert phase(play) == "F1870M"


def test_press_to_one_of_a_pair_reaches_its_player(play: Play) -> None:
    play.send("max", "CREATE ?paris era_of_empire, PLAYERS 4\nSET NO DAILY")
    for who, wish in (("ann", "R"), ("bob", "T"), ("cleo", "F"), ("dora", "N")):
        play.send(who, f"JOIN paris\nSET PREFERENCE {wish}")
    play.judge.work()
    play.letters()
    for name in ("China", "Turkey", "Turkey-China", "T"):
        reply = play.send("ann", f"PRESS TO {name}\nShall we?\nENDPRESS")
        assert "COULD NOT USE" not in reply.text, reply.text
        press = [each for each in play.letters() if each.kind == "press"]
        assert [each.to for each in press] == ["bob@people.example"]
    answer = play.send("bob", "Yes.", answers=press[0])
    assert "COULD NOT USE" not in answer.text
    assert [each.to for each in play.letters() if each.kind == "press"] == ["ann@people.example"]
