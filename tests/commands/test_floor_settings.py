"""Every setting that people expect, sent by mail: what it was set to, and who was told."""

from __future__ import annotations

from typing import Any

import pytest

from judge.commands import TABLE
from judge.commands.help import LEFT_OUT as LEFT_OUT_GROUP
from judge.game.state import State
from judge.schedule.deadlines import CLASSIC
from tests.commands.floor import SETTINGS
from tests.game.play import Play

MOVE, RETREAT, ADJUST = CLASSIC["M"], CLASSIC["R"], CLASSIC["A"]

EFFECTS: dict[str, tuple[str, str, Any]] = {
    # The line, what is set before it, and what it sets to what.
    "SET VARIANT standard": ("SET VARIANT fleet_rome", "variant", "standard"),
    "SET NOT VARIANT gunboat": ("SET VARIANT gunboat", "gunboat", False),
    "SET VARIANT blind": ("", "blind", True),
    "SET PLAYERS 5": ("", "people", 5),
    "SET PRFLIST": ("SET PRFRAND", "preferences", "list"),
    "SET PRFRAND": ("", "preferences", "random"),
    "SET PRFBOTH": ("", "preferences", "both"),
    "SET MANUAL START": ("", "manual_start", True),
    "SET NO MANUAL START": ("SET MANUAL START", "manual_start", False),
    "SET AUTO START": ("SET MANUAL START", "manual_start", False),
    "SET UNMODERATED": ("", "moderated", False),
    "SET LIST": ("", "listed", True),
    "SET NO LIST": ("SET LIST", "listed", False),
    "SET PUBLIC": ("", "listed", True),
    "SET PRIVATE": ("SET PUBLIC", "listed", False),
    "SET NMR": ("", "nmr", True),
    "SET NO NMR": ("SET NMR", "nmr", False),
    "SET CD": ("", "nmr", True),
    "SET MOVE NEXT 48 CLOCK 20:00 DAYS -MTWTF-": ("SET MOVE DAYS SMTWTFS", "move.next", 48),
    "SET RETREAT NEXT 24": ("", "retreat.next", 24),
    "SET ADJUST NEXT 24": ("", "adjust.next", 24),
    "SET CLOCK 1410": ("SET CLOCK 20:00", "move.clock", 23 * 60 + 30),
    "SET MIN 12": ("SET MIN 2", "move.min", 12),
    "SET NEXT 3D": ("", "move.next", 72),
    "SET DELAY 0.5": ("SET DELAY 2", "move.delay", 0.5),
    "SET DAYS -MTWTF-": ("SET DAYS SMTWTFS", "move.days", "-MTWTF-"),
    "SET WHITE": ("SET GREY", "press", "white"),
    "SET GREY": ("", "press", "grey"),
    "SET WHITE/GREY": ("", "press", "white/grey"),
    "SET GREY/WHITE": ("", "press", "grey/white"),
    "SET NONE": ("", "press", "none"),
    "SET PARTIAL": ("SET NO PARTIAL", "partial", True),
    "SET NO PARTIAL": ("", "partial", False),
    "SET OBSERVER ANY": ("SET OBSERVER NO", "observer_press", "any"),
    "SET OBSERVER WHITE": ("", "observer_press", "white"),
    "SET OBSERVER NO": ("", "observer_press", "no"),
    "SET MINOR PRESS": ("SET NO MINOR PRESS", "minor_press", True),
    "SET NO MINOR PRESS": ("", "minor_press", False),
    "SET DIAS": ("SET NO DIAS", "dias", True),
    "SET NO DIAS": ("", "dias", False),
    "SET POWERS 5": ("", "in_play", 5),
    "SET MANUAL PROCESS": ("", "manual_process", True),
    "SET NO MANUAL PROCESS": ("SET MANUAL PROCESS", "manual_process", False),
    "SET AUTO PROCESS": ("SET MANUAL PROCESS", "manual_process", False),
    "SET APPROVAL": ("", "approval", True),
    "SET NO APPROVAL": ("SET APPROVAL", "approval", False),
    "SET RATED": ("SET UNRATED", "rated", True),
    "SET UNRATED": ("", "rated", False),
    "SET RESRAT 0.1": ("", "resrat", 0.1),
    "SET LEVEL amateur": ("REGISTER\nLevel: expert\nEND", "level", "amateur"),
    "SET MAX ABSENCE 15": ("SET MAX ABSENCE 3", "max_absence", 15),
    "SET STRICT GRACE": ("", "strict_grace", True),
    "SET NO STRICT GRACE": ("SET STRICT GRACE", "strict_grace", False),
    "SET STRICT WAIT": ("", "strict_wait", True),
    "SET NO STRICT WAIT": ("SET STRICT WAIT", "strict_wait", False),
    "SET LATE COUNT": ("SET NO LATE COUNT", "late_count", True),
    "SET NO LATE COUNT": ("", "late_count", False),
    "SET LATE PRESS": ("SET NO LATE PRESS", "late_press", True),
    "SET NO LATE PRESS": ("", "late_press", False),
    "SET MUST ORDER": ("", "must_order", True),
    "SET NO MUST ORDER": ("SET MUST ORDER", "must_order", False),
    "SET ALL PRESS": ("", "all_press", True),
    "SET NORMAL PRESS": ("SET ALL PRESS", "all_press", False),
    "SET CONCESSIONS": ("SET NO CONCESSIONS", "concessions", True),
    "SET NO CONCESSIONS": ("", "concessions", False),
    "SET CENTERS 18": ("SET CENTERS 12", "centers", 18),
    "SET CENTRES 18": ("SET CENTERS 12", "centers", 18),
    "SET QUIET": ("", "quiet", True),
    "SET NO QUIET": ("SET QUIET", "quiet", False),
    "SET REVEAL": ("SET NO REVEAL", "reveal", True),
    "SET NO REVEAL": ("", "reveal", False),
    "SET HOME CENTERS": ("SET ANY CENTERS", "builds", "home"),
    "SET ONE CENTERS": ("", "builds", "one"),
    "SET ANY CENTERS": ("", "builds", "any"),
    "SET AUTO DISBAND": ("", "auto_disband", True),
    "SET BLANK BOARD": ("", "blank_board", True),
    "SET COMMENT a friendly game": ("", "comment", "a friendly game"),
    "SET COMMENT BEGIN": ("", "house_rules", "Be kind."),
    "SET START 15 Jun": ("", "not_before", "2026-06-15T23:30:00+00:00"),
    "SET NO FAKE": ("SET PARTIAL MAY BE FAKED", "fakes", "no"),
    "SET PARTIAL MAY BE FAKED": ("", "fakes", "partial"),
    "SET PARTIAL FAKES BROADCAST": ("", "fakes", "broadcast"),
    "SET PARTIAL FAKES BROADCAST BY DEFAULT": ("", "fakes", "default"),
    "SET POSTAL PRESS": ("", "postal_press", True),
    "SET NO POSTAL PRESS": ("SET POSTAL PRESS", "postal_press", False),
    "SET TOUCH PRESS": ("", "touch_press", True),
    "SET NO TOUCH PRESS": ("SET TOUCH PRESS", "touch_press", False),
    "SET GRACE PRESS": ("SET NO GRACE PRESS", "grace_press", True),
    "SET NO GRACE PRESS": ("", "grace_press", False),
    "SET SECRET": ("", "secret", True),
    "SET NO SECRET": ("SET SECRET", "secret", False),
    "SET SHOW": ("SET NO SHOW", "show", True),
    "SET NO SHOW": ("", "show", False),
    "SET PROXY": ("", "proxy", True),
    "SET TRANSFORM": ("", "transform", True),
}

OTHERWISE = {
    # What needs more than one line is in `test_floor`.
    *("SET DEADLINE 15 Jun", "SET GRACE 20 Jun", "SET APPROVED france", "SET NOT APPROVED france"),
    *("SET DEDICATION 20", "SET ONTIMERAT 0.9", "SET MODERATED"),
}

LEFT_OUT = {
    line.line
    for line in SETTINGS
    if (found := TABLE.find(line.line)) and found[0].group == LEFT_OUT_GROUP
}


def test_every_setting_has_its_effect_here() -> None:
    assert {each.line for each in SETTINGS} == {*EFFECTS, *OTHERWISE, *LEFT_OUT}


def paris(play: Play) -> State:
    game = play.storage.games.by_name("paris")
    assert game is not None
    return State(play.storage, game)


def setting(play: Play, name: str) -> Any:
    game = paris(play).game
    found: Any = paris(play).settings
    if name == "not_before":
        moment = game.options.not_before
        return moment and moment.isoformat()
    if name in ("variant", "moderated"):
        return getattr(game, name)
    for part in name.split("."):
        found = getattr(found, part)
    return found


def create(play: Play) -> None:
    play.send("max", "CREATE ?paris standard\nSET NO DAILY")
    play.send("ann", "JOIN paris")


@pytest.mark.parametrize("line", EFFECTS)
def test_a_setting_is_made_and_told_to_all_with_what_was_before(play: Play, line: str) -> None:
    before, name, value = EFFECTS[line]
    play.once("ann has joined paris", lambda: create(play))
    if before:
        play.send("max", before)
    assert setting(play, name) != value or "DAYS" in line
    play.letters()
    answer = play.send("max", f"{line}\nBe kind.\nEND" if line.endswith("BEGIN") else line)
    assert "COULD NOT USE" not in answer.text
    assert setting(play, name) == value
    if line.endswith("DAYS -MTWTF-"):
        assert setting(play, "move.days") == "-MTWTF-"
        assert setting(play, "move.clock") == (20 * 60 if "CLOCK" in line else MOVE.clock)
    [told] = [each for each in play.letters() if each.to == "ann@people.example"]
    assert told.kind in ("settings", "clock")
    text = " ".join(told.text.split())
    if name not in ("not_before", "house_rules"):
        assert "now " in text
        assert "before: " in text


@pytest.mark.parametrize("line", sorted(LEFT_OUT))
def test_what_is_left_out_says_so_and_changes_nothing(play: Play, line: str) -> None:
    play.once("ann has joined paris", lambda: create(play))
    before = paris(play).settings
    play.letters()
    answer = play.send("max", line)
    assert "leaves it out" in " ".join(answer.text.split())
    assert paris(play).settings == before
    assert [each.kind for each in play.letters()] == ["reply"]
