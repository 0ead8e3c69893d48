"""Every line that people expect, settings aside, sent by mail; what came of it.

Each function plays some lines of `floor` and asserts what they do; that a line is understood is
`test_documented`'s.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from judge.game.state import State
from judge.storage import Reliability, ReliabilityEntry, Role
from tests.commands.floor import ASKING, MASTERS, PEOPLE_AND_GAMES, PLAYING
from tests.commands.test_floor_settings import OTHERWISE
from tests.game.play import PEOPLE, Play, Received

EFFECTS: dict[str, Callable[[Play, str], None]] = {}


def shows(*lines: str) -> Callable[[Callable[[Play, str], None]], Callable[[Play, str], None]]:
    """The function plays these lines of the floor, one at a time."""

    def keep(effect: Callable[[Play, str], None]) -> Callable[[Play, str], None]:
        EFFECTS.update(dict.fromkeys(lines, effect))
        return effect

    return keep


def test_every_line_has_its_effect_here() -> None:
    expected = (*PEOPLE_AND_GAMES, *ASKING, *PLAYING, *MASTERS)
    assert {each.line for each in expected} | OTHERWISE == set(EFFECTS)


# What the effects are seen by


def paris(play: Play, name: str = "paris") -> State:
    game = play.storage.games.by_name(name)
    assert game is not None
    return State(play.storage, game)


def flat(letter: Received) -> str:
    return " ".join(letter.text.split())


def on_file(play: Play, power: str = "France") -> list[str]:
    return sorted(str(order) for order in paris(play).orders.get(power, ()))


def kept(play: Play, phase: str) -> list[str]:
    """What France has sent ahead for a phase."""
    return [order.text for order in play.storage.orders(1).of_power("France").get(phase, ())]


def parts(play: Play, who: str, game: str = "paris") -> list[str]:
    person = play.storage.people.by_address(f"{who}@people.example")
    return paris(play, game).seats.parts_of(person.id) if person else []


def told(play: Play, kind: str) -> dict[str, str]:
    """The letters of a kind since the last look, by reader."""
    found = [letter for letter in play.letters() if letter.kind == kind]
    return {letter.to.partition("@")[0]: flat(letter) for letter in found}


# Where they begin


def forming(play: Play) -> None:
    """Ann has joined paris, which Max runs, and Zoe is known here."""
    play.send("max", "CREATE ?paris standard\nSET NO DAILY")
    play.send("ann", "JOIN paris")
    play.send("zoe", "REGISTER")


def years(play: Play) -> None:
    """F1903M is open; France has taken Spain, and there has been a broadcast."""
    play.start("MANUAL PROCESS")
    play.send("cleo", "A Mar - Spa\nBROADCAST\nHello everybody.\nENDBROADCAST")
    phases = ("S1901M", "F1901M", "W1901A", "S1902M", "F1902M", "W1902A", "S1903M")
    for phase in phases:
        if paris(play).game.phase == phase:
            play.send("max", f"PROCESS {phase}")
    assert paris(play).game.phase == "F1903M"


def in_1903(play: Play) -> None:
    play.once("F1903M", lambda: years(play))
    play.letters()


@pytest.mark.parametrize("line", EFFECTS)
def test_a_line_has_its_effect(play: Play, line: str) -> None:
    EFFECTS[line](play, line)


# People and games


@shows("SIGN ON fparis", "LOGIN fparis")
def _(play: Play, line: str) -> None:
    play.start()
    play.send("cleo", f"{line}\nA Par - Bur")
    assert on_file(play) == ["A par - bur"]
    play.send("ann", f"{line}\nA Mar - Spa")
    assert on_file(play) == ["A par - bur"]


@shows("SIGN ON france@paris xyzzy")
def _(play: Play, line: str) -> None:
    starts = play.start()
    play.send("cleo", "SET PASSWORD xyzzy", answers=starts["cleo"])
    answer = play.send("cleo", f"{line}\nA Par - Bur")
    assert on_file(play) == ["A par - bur"]
    assert "xyzzy" not in answer.text
    play.send("cleo", f"{line}y\nA Par - Pic")
    assert on_file(play) == ["A par - bur"]


@shows("SIGN ON mparis")
def _(play: Play, line: str) -> None:
    play.start()
    play.send("max", f"{line}\nPAUSE")
    assert paris(play).game.state == "paused"


@shows("SIGN ON ?paris", "JOIN paris")
def _(play: Play, line: str) -> None:
    play.once("forming", lambda: forming(play))
    play.send("bob", line)
    assert parts(play, "bob") == ["player"]


@shows("JOIN france@paris")
def _(play: Play, line: str) -> None:
    play.once("forming", lambda: forming(play))
    play.send("bob", line)
    assert parts(play, "bob") == ["player"]
    assert paris(play).seats.active(Role.PLAYER)[-1].preferences == "F"


@shows("SIGN ON ?", "JOIN")
def _(play: Play, line: str) -> None:
    play.once("forming", lambda: forming(play))
    assert "no public game" in flat(play.send("bob", line)).lower()
    play.send("max", "SET LIST")
    play.send("bob", line)
    assert parts(play, "bob") == ["player"]


@shows("CREATE ?paris standard")
def _(play: Play, line: str) -> None:
    play.send("ann", f"{line}\nSET NO PRESS")
    assert parts(play, "ann") == ["master"]
    assert (paris(play).game.variant, paris(play).settings.press) == ("standard", "none")


@shows("OBSERVE paris", "WATCH paris", "SIGN ON oparis", "MONITOR paris")
def _(play: Play, line: str) -> None:
    play.start("MANUAL PROCESS")
    play.send("zoe", line)
    assert parts(play, "zoe") == ["observer"]
    play.letters()
    play.send("cleo", "BROADCAST\nHello.\nENDBROADCAST")
    play.send("max", "PROCESS S1901M")
    kinds = [letter.kind for letter in play.letters() if letter.to.startswith("zoe")]
    assert kinds == (["results"] if "MONITOR" in line else ["press", "results"])


@shows("REGISTER")
def _(play: Play, line: str) -> None:
    play.send("ann", f"{line}\nName: Ann Lee\nTime zone: Europe/London\nLanguage: de\nEND\nLIST")
    person = play.storage.people.by_address("ann@people.example")
    assert person is not None
    known = (person.name, person.time_zone, person.language)
    assert known == ("Ann Lee", "Europe/London", "de")
    play.send("ann", f"{line}\nName: Annie\nEND")
    again = play.storage.people.by_address("ann@people.example")
    assert again is not None
    assert (again.name, again.language) == ("Annie", "de")


@shows("TAKE OVER france@paris")
def _(play: Play, line: str) -> None:
    play.start()
    play.send("zoe", "REGISTER")
    play.send("zoe", line)
    assert parts(play, "zoe") == []
    play.sure("cleo", "A Par - Bur\nRESIGN")
    play.send("zoe", line)
    assert parts(play, "zoe") == ["France"]
    assert on_file(play) == ["A par - bur"]


@shows("I AM ALSO ann@old.example")
def _(play: Play, line: str) -> None:
    play.send("ann@old.example", "REGISTER\nName: Ann Lee\nEND")
    play.letters()
    play.send("ann", line)
    assert play.storage.people.by_address("ann@people.example") is None
    [question] = [each for each in play.letters() if each.to == "ann@old.example"]
    play.send("ann@old.example", "YES", answers=question)
    person = play.storage.people.by_address("ann@people.example")
    assert person is not None
    assert person.name == "Ann Lee"


# Questions


@shows("HELP", "HELP orders", "GET press", "GET PACKAGE", "VERSION", "PING")
def _(play: Play, line: str) -> None:
    play.send("ann", "REGISTER")
    said = {
        "HELP": "JOIN PRACTICE",
        "HELP orders": "one line for each unit",
        "GET press": "ENDPRESS",
        "GET PACKAGE": "ENDPRESS",
        "VERSION": "The Judge",
        "PING": "The Judge",
    }
    assert said[line] in play.send("ann", line).text


@shows("LIST", "LIST FULL", "LIST paris", "WHO GAME paris", "SUMMARY paris")
def _(play: Play, line: str) -> None:
    play.start("LIST")
    play.send("zoe", "REGISTER")
    text = flat(play.send("zoe", line))
    assert "paris" in text
    if line != "LIST":
        assert "Cleo" in text
        assert "@people.example" not in text.replace("zoe@people.example", "")
    if line in ("LIST FULL", "LIST paris"):
        assert "Movement: deadlines" in text
    if line == "SUMMARY paris":
        assert "Aus Eng Fra Ger Ita Rus Tur Start 3 3 3 3 3 4 3" in text


@shows("MAP paris F1903M")
def _(play: Play, line: str) -> None:
    in_1903(play)
    play.send("zoe", "REGISTER")
    assert "no position for" in flat(play.send("zoe", "MAP paris F1905M"))
    text = flat(play.send("zoe", line))
    assert "paris, Fall 1903, movement:" in text
    assert "Army Spain" in text


@shows("HISTORY paris FROM S1901M", "HISTORY paris FROM S1901M TO F1902M")
def _(play: Play, line: str) -> None:
    in_1903(play)
    play.send("zoe", "REGISTER")
    text = flat(play.send("zoe", line))
    assert "A mar-spa" in text
    assert "Hello everybody." in text
    assert "FALL 1902, MOVEMENT" in text
    assert ("SPRING 1903, MOVEMENT" in text) == ("TO" not in line.split())


@shows("INFO PLAYER ann@example.org")
def _(play: Play, line: str) -> None:
    play.send("max", "CREATE ?paris")
    play.send("bob", "JOIN paris")
    play.send("ann@example.org", "REGISTER\nName: Ann Lee\nEND")
    # Who does not play with her is not told that she is on file.
    assert "nobody" in flat(play.send("bob", line))
    play.send("ann@example.org", "JOIN paris")
    assert "Ann Lee" in flat(play.send("bob", line))


@shows("GET DEDICATION")
def _(play: Play, line: str) -> None:
    play.start()
    reliable(play, "ann", 20)
    assert "20" in flat(play.send("ann", line)).partition(line)[2]


@shows("STATUS")
def _(play: Play, line: str) -> None:
    play.start()
    play.send("cleo", "A Par - Bur")
    text = play.send("cleo", line).text
    assert "A par - bur          Army Paris moves to Burgundy" in text
    assert "F bre                NO ORDER YET (Fleet Brest)" in text


# Playing


@shows("CLEAR", "CLEAR NOW", "CLEAR F1903M", "PHASE F1903R", "PHASE spring 1904 move")
def _(play: Play, line: str) -> None:
    in_1903(play)
    if line.startswith("PHASE"):
        phase = "F1903R" if "R" in line.split()[1] else "S1904M"
        order = "A Par R Bur" if phase == "F1903R" else "A Par - Bur"
        answer = play.send("cleo", f"{line}\n{order}")
        assert kept(play, phase) == ["A par R bur" if phase == "F1903R" else "A par - bur"]
        assert "KEPT FOR" in answer.text
        assert on_file(play) == []
        return
    play.send("cleo", "A Par - Bur\nPHASE S1904M\nA Par - Pic")
    play.send("cleo", line)
    now, later = on_file(play), kept(play, "S1904M")
    if line == "CLEAR":
        assert (now, later) == (["A par - bur"], [])
    else:
        assert (now, later) == ([], ["A par - pic"])


@shows("IF NOT French A Ruh", "ELSE IF F Kie", "ELSE", "ENDIF")
def _(play: Play, line: str) -> None:
    play.start("MANUAL PROCESS")
    lines = "IF NOT French A Ruh\nA Par - Bur\nELSE IF F Kie\nA Par - Pic\nELSE\nA Par H\nENDIF"
    if line == "ELSE IF F Kie":
        lines = lines.replace("NOT French A Ruh", "French A Ruh")
    elif line == "ELSE":
        lines = lines.replace("NOT French A Ruh", "French A Ruh").replace("F Kie", "F Hol")
    play.send("cleo", f"PHASE F1901M\n{lines}\nA Mar H")
    play.send("max", "PROCESS S1901M")
    first = {"ELSE IF F Kie": "A par - pic", "ELSE": "A par H"}.get(line, "A par - bur")
    assert on_file(play) == sorted([first, "A mar H"])


@shows("PRESS TO FG", "BROADCAST", "POSTAL PRESS")
def _(play: Play, line: str) -> None:
    play.start("MANUAL PROCESS, POSTAL PRESS")
    play.letters()
    play.send("ann", f"{line}\nShall we?\nENDPRESS\nA Vie H")
    assert on_file(play, "Austria") == ["A vie H"]
    readers = told(play, "press")
    if line == "PRESS TO FG":
        assert {*readers} - {"ann"} == {"cleo", "dora"}
    elif line == "BROADCAST":
        assert {*readers} - {"ann"} == {*PEOPLE, "max"} - {"ann"}
    else:
        assert readers == {}
        play.send("max", "PROCESS S1901M")
        readers = told(play, "press")
        assert {*readers} - {"ann"} == {*PEOPLE, "max"} - {"ann"}
    assert "Shall we?" in readers["cleo"]
    assert "from Austria" in readers["cleo"]


@shows("DIARY", "DIARY RECORD", "DIARY LIST", "DIARY READ 1", "DIARY DELETE 1")
def _(play: Play, line: str) -> None:
    play.start()
    head = line if line in ("DIARY", "DIARY RECORD") else "DIARY"
    play.send("ann", f"{head}\nI do not trust Italy.\nENDDIARY")
    assert "I do not trust Italy." in flat(play.send("ann", "DIARY LIST"))
    answer = (play.sure if "DELETE" in line else play.send)("ann", line)
    if line in ("DIARY LIST", "DIARY READ 1"):
        assert "I do not trust Italy." in answer.text
    if line == "DIARY DELETE 1":
        assert "I do not trust Italy." not in flat(play.send("ann", "DIARY LIST"))
    assert "Italy" not in play.send("bob", "DIARY LIST").text.partition("DIARY LIST")[2]


@shows("SET WAIT", "SET NO WAIT", "SET NOWAIT")
def _(play: Play, line: str) -> None:
    play.start()
    play.send("cleo", "SET WAIT" if "NO" in line else "SET NO WAIT")
    play.send("cleo", line)
    seat = paris(play).seats.player("France")
    assert seat is not None
    assert seat.wait == (line == "SET WAIT")


@shows(
    "SET ABSENCE 24 Dec to 2 Jan",
    "SET HOLIDAY 24 Dec",
    "SET VACATION 24 Dec to 2 Jan",
    "SET NO ABSENCE 24 Dec",
)
def _(play: Play, line: str) -> None:
    play.clock.advance(days=197)
    play.start()
    play.letters()
    if line == "SET NO ABSENCE 24 Dec":
        play.send("cleo", "SET ABSENCE 20 Dec to 28 Dec")
        play.send("cleo", line)
        seat = paris(play).seats.player("France")
        assert seat is not None
        assert not seat.absence
        return
    text = flat(play.send("cleo", line))
    end = "Thursday 24 December, 23:59" if "HOLIDAY" in line else "Saturday 2 January, 23"
    assert f"away from Thursday 24 December, 00:00 (UTC) to {end}" in text
    assert [*told(play, "absence")] == ["max"]


@shows("SET DRAW", "SET DRAW AEF", "SET NO DRAW", "SET CONCEDE R", "SET NO CONCEDE")
def _(play: Play, line: str) -> None:
    play.start("NO DIAS" if "AEF" in line else "")
    others = [who for who in PEOPLE if who not in ("ann", "finn" if "CONCEDE" in line else "")]
    wish = line.replace("NO ", "") + (" R" if line == "SET NO CONCEDE" else "")
    for who in others:
        play.send(who, wish)
    if " NO " in line:
        play.send(others[0], line)
    play.judge.work()
    assert paris(play).game.state == "active"
    play.send("ann", wish)
    play.judge.work()
    if " NO " in line:
        assert paris(play).game.state == "active"
        return
    outcome = paris(play).game.outcome
    assert outcome is not None
    shares = {"SET DRAW AEF": ["Austria", "England", "France"], "SET CONCEDE R": ["Russia"]}
    assert list(outcome.winners) == shares.get(line, list(paris(play).variant.powers))


@shows("SET PREFERENCE E[FGR]TAI", "SET PREFERENCE *")
def _(play: Play, line: str) -> None:
    play.once("forming", lambda: forming(play))
    play.send("ann", line)
    assert paris(play).seats.active(Role.PLAYER)[0].preferences == line.split()[-1]


@shows("RESIGN", "WITHDRAW")
def _(play: Play, line: str) -> None:
    play.start()
    play.letters()
    play.sure("cleo", f"A Par - Bur\n{line}")
    state = paris(play)
    assert state.powers.condition("France") == "caretaker"
    assert on_file(play) == ["A par - bur"]
    assert "ann" in told(play, "resigned")


@shows("SET PASSWORD xyzzy42")
def _(play: Play, line: str) -> None:
    starts = play.start()
    play.send("cleo", line, answers=starts["cleo"])
    play.send("cleo", "SIGN ON fparis wrong\nA Par - Bur")
    assert on_file(play) == []
    play.send("cleo", "SIGN ON fparis xyzzy42\nA Par - Bur")
    assert on_file(play) == ["A par - bur"]


@shows("SET ADDRESS ann@example.org")
def _(play: Play, line: str) -> None:
    play.start("MANUAL PROCESS")
    play.answer("ann", "REGISTER\nE-mail: ann@example.org\nEND")
    question = next(each for each in play.letters() if each.to == "ann@example.org")
    play.send("ann@example.org", "YES", answers=question)
    play.answer("ann", line)
    play.letters()
    play.send("max", "PROCESS S1901M")
    to = {each.to for each in play.letters() if each.kind == "results"}
    assert "ann@example.org" in to
    assert "ann@people.example" not in to


# Masters


@shows("BECOME france")
def _(play: Play, line: str) -> None:
    play.start()
    play.letters()
    play.send("max", f"SET QUIET\n{line}\nA Par - Bur")
    assert on_file(play) == ["A par - bur"]
    letters = told(play, "acted")
    assert [*letters] == ["cleo"]
    assert "A Par - Bur" in letters["cleo"]
    assert "QUIET" not in letters["cleo"]


@shows("PROCESS F1903M", "PREDICT", "PREVIEW")
def _(play: Play, line: str) -> None:
    in_1903(play)
    play.send("max", "PROCESS\nPROCESS S1903M\nPROCESS W1903A")
    assert paris(play).game.phase == "F1903M"
    play.letters()
    play.send("max", line)
    if line == "PROCESS F1903M":
        assert paris(play).game.phase != "F1903M"
        assert {*told(play, "results")} == {*PEOPLE, "max"}
    else:
        assert paris(play).game.phase == "F1903M"
        assert [*told(play, "preview")] == ["max"]


@shows("ROLLBACK F1902M", "RESTORE F1902M", "ROLLFORWARD F1902M")
def _(play: Play, line: str) -> None:
    in_1903(play)
    play.send("max", "ROLLBACK F1902M")
    state = paris(play)
    assert state.game.phase == "F1902M"
    assert state.game.opened_at == play.clock.now()
    assert {*told(play, "rollback")} == {*PEOPLE, "max"}
    if line != "ROLLBACK F1902M":
        play.send("max", line)
        assert paris(play).game.phase == "F1903M"
        assert {*told(play, "restored")} == {*PEOPLE, "max"}


@shows("PAUSE", "SUSPEND", "RESUME")
def _(play: Play, line: str) -> None:
    play.start()
    first = paris(play).game.deadline
    play.send("max", "SUSPEND" if line == "SUSPEND" else "PAUSE")
    assert paris(play).game.state == "paused"
    play.clock.advance(days=30)
    play.judge.work()
    assert paris(play).game.phase == "S1901M"
    if line == "RESUME":
        play.send("max", line)
        game = paris(play).game
        assert game.state == "active"
        assert first is not None
        assert game.deadline is not None
        assert game.deadline > play.clock.now() > first


@shows("TERMINATE paris", "REVEAL")
def _(play: Play, line: str) -> None:
    play.start("GUNBOAT, NO REVEAL")
    play.send("max", "TERMINATE rome")
    assert paris(play).game.state == "active"
    play.letters()
    play.sure("max", "TERMINATE paris")
    game = paris(play).game
    assert game.state == "ended"
    assert game.outcome is not None
    assert not game.outcome.winners
    ends = told(play, "end")
    assert {*ends} == {*PEOPLE, "max"}
    assert "Cleo" not in ends["ann"]
    if line == "REVEAL":
        play.sure("max", line)
        assert "France: Cleo" in told(play, "revealed")["ann"]


@shows("PROMOTE ann@example.org")
def _(play: Play, line: str) -> None:
    play.start()
    play.send("ann@example.org", "OBSERVE paris")
    play.send("max", line)
    person = play.storage.people.by_address("ann@example.org")
    assert person is not None
    assert "master" in paris(play).seats.parts_of(person.id)


@shows("EJECT france", "EJECT ann@example.org")
def _(play: Play, line: str) -> None:
    play.start()
    play.send("ann@example.org", "OBSERVE paris")
    play.sure("max", line)
    person = play.storage.people.by_address("ann@example.org")
    assert person is not None
    watches = paris(play).seats.parts_of(person.id)
    left = (paris(play).powers.condition("France"), watches)
    assert left == (("caretaker", ["observer"]) if "france" in line else ("played", []))


@shows("SET ALLOW PLAYER ann@example.org", "SET DENY PLAYER ann@example.org")
def _(play: Play, line: str) -> None:
    play.once("forming", lambda: forming(play))
    play.send("max", line)
    before = len(paris(play).seats.active(Role.PLAYER))
    play.send("ann@example.org", "JOIN paris")
    play.send("zoe", "JOIN paris")
    [came] = paris(play).seats.active(Role.PLAYER)[before:]
    assert paris(play).seats.person(came).name == ("Ann" if "ALLOW" in line else "Zoe")
    play.send("max", line.replace("ann@", "-ann@"))
    play.send("ann@example.org", "JOIN paris")
    play.send("zoe", "JOIN paris")
    assert len(paris(play).seats.active(Role.PLAYER)) == before + 2


@shows("FORCE BEGIN", "UNSTART")
def _(play: Play, line: str) -> None:
    play.once("forming", lambda: forming(play))
    play.send("bob", "JOIN paris")
    play.send("max", "FORCE BEGIN")
    play.judge.work()
    state = paris(play)
    assert state.game.state == "active"
    conditions = [state.powers.condition(power) for power in state.variant.powers]
    assert sorted(conditions) == ["caretaker"] * 5 + ["played"] * 2
    if line == "UNSTART":
        play.sure("max", line)
        play.judge.work()
        state = paris(play)
        assert (state.game.state, state.position) == ("forming", None)
        assert {seat.power for seat in state.seats} == {None}


@shows("DUMMY germany", "REVIVE germany")
def _(play: Play, line: str) -> None:
    play.start()
    play.send("max", "DUMMY germany")
    state = paris(play)
    assert state.powers.condition("Germany") == "dummy"
    assert "Germany" not in state.sheets.missing()
    if line == "REVIVE germany":
        play.send("max", line)
        state = paris(play)
        assert state.powers.condition("Germany") == "played"
        assert parts(play, "dora") == ["Germany"]


@shows("OFFICIAL House rules")
def _(play: Play, line: str) -> None:
    play.start()
    play.letters()
    play.send("max", f"{line}\nBe kind.\nEND")
    letters = told(play, "official")
    assert {*letters} == set(PEOPLE)
    assert "Be kind." in letters["ann"]


@shows("RENAME rome")
def _(play: Play, line: str) -> None:
    play.start()
    play.letters()
    play.send("max", line)
    assert play.storage.games.by_name("paris") is None
    assert paris(play, "rome").game.phase == "S1901M"
    assert {*told(play, "renamed")} == set(PEOPLE)


@shows("PURGE paris")
def _(play: Play, line: str) -> None:
    play.send("max", "CREATE ?paris")
    play.send("max", "PURGE rome")
    assert play.storage.games.by_name("paris") is not None
    play.sure("max", line)
    assert play.storage.games.by_name("paris") is None


# Settings that need more than one line


@shows("SET DEADLINE 15 Jun", "SET GRACE 20 Jun")
def _(play: Play, line: str) -> None:
    play.start("MOVE NEXT 48H CLOCK 20:00")
    play.letters()
    game = paris(play).game
    play.send("max", line)
    then = paris(play).game
    assert then.deadline is not None
    assert then.grace_end is not None
    if "DEADLINE" in line:
        assert f"{then.deadline:%d %b %H:%M}" == "15 Jun 20:00"
        assert then.grace_end > then.deadline
    else:
        assert then.deadline == game.deadline
        assert f"{then.grace_end:%d %b %H:%M}" == "20 Jun 20:00"
    assert {*told(play, "deadline" if "DEADLINE" in line else "clock")} == set(PEOPLE)


@shows("SET APPROVED france", "SET NOT APPROVED france")
def _(play: Play, line: str) -> None:
    play.start()
    play.sure("max", "SET APPROVAL\nEJECT france")
    play.send("zoe", "REGISTER")
    play.send("zoe", "TAKE OVER france@paris")
    play.send("max", line)
    play.answer("zoe", "A Par - Bur")
    assert on_file(play) == ([] if "NOT" in line else ["A par - bur"])


@shows("SET DEDICATION 20", "SET ONTIMERAT 0.9")
def _(play: Play, line: str) -> None:
    play.once("forming", lambda: forming(play))
    assert "above your own figure" in flat(play.send("max", line))
    reliable(play, "max", 20)
    play.send("max", line)
    settings = paris(play).settings
    assert (settings.dedication, settings.ontimerat) == (
        (20, None) if "DEDICATION" in line else (None, 0.9)
    )
    play.send("zoe", "JOIN paris")
    assert parts(play, "zoe") == []


@shows("SET MODERATED")
def _(play: Play, line: str) -> None:
    play.once("forming", lambda: forming(play))
    play.send("max", "SET UNMODERATED")
    assert not paris(play).game.moderated
    play.answer("ann", line)
    assert paris(play).game.moderated
    assert parts(play, "max") == ["master"]


def reliable(play: Play, who: str, phases: int) -> None:
    """Somebody has been on time in so many phases of the one game there is."""
    person = play.storage.people.by_address(f"{who}@people.example")
    assert person is not None
    with play.storage.transaction():
        for number in range(phases):
            play.storage.reliability_log.record(
                ReliabilityEntry(
                    person_id=person.id,
                    game_id=1,
                    phase=f"S{1901 + number}M",
                    power="France",
                    what=Reliability.ON_TIME,
                    at=play.clock.now(),
                )
            )
