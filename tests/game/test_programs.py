"""The open phase as a file, for programs that play (docs/programs.md)."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from judge import interchange
from judge.game.state import State
from judge.messages import attachments
from judge.messages.attachments import position_file
from judge.rules.phase import Phase
from judge.rules.position import Dislodged, Unit
from tests.game.play import Play, Received


def opened(letter: Received) -> dict[str, Any]:
    """The file in a letter."""
    (found,) = [
        part.get_content()
        for part in letter.message.iter_attachments()
        if (part.get_filename() or "").endswith("-open.json")
    ]
    data: dict[str, Any] = json.loads(found)
    return data


def paris(play: Play) -> State:
    game = play.storage.games.by_name("paris")
    assert game is not None
    return State(play.storage, game)


def shown(play: Play, who: str) -> dict[str, Any]:
    """The file that somebody would get now."""
    person = play.storage.people.by_address(f"{who}@people.example")
    assert person is not None
    file = position_file(paris(play), person.id)
    assert file is not None
    data: dict[str, Any] = json.loads(file.content)
    return data


def test_start_and_results_have_what_can_be_ordered(play: Play) -> None:
    start = opened(play.start()["ann"])
    assert start["game"] == "paris"
    assert start["deadline"].endswith("+00:00")
    assert start["legal"]["Austria"] == interchange.orders_object(start, "Austria")
    assert start["owed"] == {
        "Austria": {"orders": ["A bud", "F tri", "A vie"], "builds": 0, "removals": 0}
    }
    assert start["complete"]
    play.letters()
    play.send("max", "PROCESS S1901M")
    letters = [letter for letter in play.letters() if letter.kind == "results"]
    files = {letter.to: letter for letter in letters}
    assert opened(files["ann@people.example"])["phase"] == "F1901M"
    names = [part.get_filename() for part in files["max@people.example"].message.walk()]
    assert not [name for name in names if name and name.endswith("-open.json")]


def test_retreats_and_builds_stand_in_it(play: Play) -> None:
    play.start()
    with play.storage.transaction():
        state = paris(play)
        units = {**state.opened.units, "Austria": (Unit("A", "bud"),)}
        units["Turkey"] = (Unit("A", "ser"), Unit("A", "con"))
        gone = {"Austria": (Dislodged(Unit("A", "ser"), "bul", ("alb", "gre")),)}
        phase = Phase.read("F1901R")
        state.open(replace(state.opened, phase=phase, units=units, dislodged=gone))
        state.save()
    found = shown(play, "ann")
    assert found["dislodged"]["Austria"][0]["retreats"] == ["alb", "gre"]
    legal = found["legal"]["Austria"]["A ser"]
    assert {"A ser R alb", "A ser R gre"} < set(legal)
    with play.storage.transaction():
        state = paris(play)
        phase = Phase.read("W1901A")
        state.open(replace(state.opened, phase=phase, dislodged={}))
        state.save()
    found = shown(play, "ann")
    assert found["owed"]["Austria"]["builds"] == 2
    assert found["legal"]["Austria"]["A vie"] == ["B A vie", "WAIVE"]


def test_a_blind_game_shows_what_its_reader_sees(play: Play) -> None:
    start = opened(play.start("BLIND")["ann"])
    assert set(start["units"]) == {"Austria", "Italy"}
    assert "England" not in json.dumps(start)


def test_a_large_one_leaves_out_what_helps_others(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attachments, "_MOST_OF_PHASE", 1_000)
    play.start()
    found = shown(play, "ann")
    assert not found["complete"]
    assert "A vie - gal" in found["legal"]["Austria"]["A vie"]
    assert not [order for order in found["legal"]["Austria"]["A vie"] if " S " in order]
