"""Games as files: what they tell, that others can check them, and that other judges take them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from judge.game.game_object import file_away, game_file, play_on
from judge.game.scores import scores_of, years_of
from judge.game.state import State
from judge.interchange.game_files import read_game_file
from judge.interchange.text import InterchangeError
from judge.records.signing import canonical, public_key, signed
from judge.storage import Storage
from tests.game.play import ADDRESS, PEOPLE, Play, Received
from tests.storage.laid import lay

CHECKER = Path(__file__).parent.parent.parent / "docs" / "check_game.py"


def state_of(storage: Storage, name: str = "paris") -> State:
    game = storage.games.by_name(name)
    assert game is not None
    return State(storage, game)


def attached(letter: Received, name: str) -> bytes:
    for part in letter.message.iter_attachments():
        if part.get_filename() == name:
            content = part.get_payload(decode=True)
            assert isinstance(content, bytes)
            return content
    raise AssertionError(f"{name} is not attached to {letter.subject}")


def filed(play: Play) -> bytes:
    """The file of the game, as a player gets it who asks for it as the letter of the end says."""
    return attached(play.send("cleo", "GAME FILE paris"), "paris-game.json")


@pytest.fixture
def over(play: Play) -> Received:
    """The end of a game of three phases."""

    def made() -> None:
        play.start("NMR, MANUAL PROCESS, SCORING sum of squares")
        play.send("cleo", "A Par - Bur\nF Bre - Mid\nBROADCAST\nBonjour.\nENDBROADCAST")
        play.send("dora", "A Mun - Bur")
        for phase in ("S1901M", "F1901M"):
            play.send("max", f"PROCESS {phase}")
        for who in PEOPLE:
            play.send(who, "SET DRAW")
        play.judge.work()

    play.once("over, and filed", made)
    return next(each for each in play.letters() if each.kind == "end")


def checked(path: Path, *more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(CHECKER), str(path), *more]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_end_tells_of_the_file_of_a_game_that_comes_to_anybody_who_asks(
    play: Play, over: Received
) -> None:
    assert "GAME FILE paris" in over.text
    raw = filed(play)
    data = json.loads(raw)
    assert data["people"]["France"][0]["name"] == "Cleo"
    assert [each["phase"] for each in data["phases"]][:2] == ["S1901M", "S1901R"]
    assert data["phases"][0]["orders"]["France"] == ["A par - bur", "F bre - mid"]
    assert data["phases"][0]["results"]["France"][0]["reason"] == "bounced"
    assert [(each["from"], each["text"]) for each in data["press"]] == [("France", "Bonjour.")]
    assert b"cleo@" not in raw
    play.send("zoe", "REGISTER")
    assert attached(play.send("zoe", "GAME FILE paris"), "paris-game.json") == raw


def test_another_judge_takes_a_game_in_and_gives_it_out_byte_for_byte(
    play: Play, over: Received, tmp_path: Path
) -> None:
    raw = filed(play)
    lay(tmp_path / "other.db")
    other = Storage.open(f"sqlite:{tmp_path / 'other.db'}")
    with other.transaction():
        found = read_game_file(raw)
        file_away(other, "lutetia", found, raw, play.clock.now())
        play_on(other, "again", found, "F1901M", play.clock.now())
    state = state_of(other, "lutetia")
    assert game_file(state, "other@other.example") == raw
    mine = state_of(play.storage)
    runs = [storage.history.of_game(each.game.id) for storage, each in
            ((play.storage, mine), (other, state))]  # fmt: skip
    for here, there in zip(*runs, strict=True):
        assert here.results["orders"] == there.results["orders"]
        assert here.position == there.position
    again = state_of(other, "again")
    assert (again.game.state, again.game.phase) == ("paused", "F1901M")
    assert again.opened.units["France"] == state_of(other, "again").opened.units["France"]
    assert again.powers.open() == list(again.variant.powers)
    other.close()


def test_a_changed_order_is_found_by_the_judge_and_by_the_checker(
    play: Play, over: Received, tmp_path: Path
) -> None:
    raw = filed(play)
    path = tmp_path / "paris.json"
    path.write_bytes(raw)
    key = public_key(play.storage.tickets.secret)
    good = checked(path, key)
    assert good.returncode == 0, good.stdout + good.stderr
    assert checked(path, "00" * 32).returncode == 1
    changed = raw.replace(b'"A par - bur","F bre - mid"', b'"A par - pic","F bre - mid"')
    assert changed != raw
    with pytest.raises(InterchangeError, match="signature"):
        read_game_file(changed)
    path.write_bytes(changed)
    found = checked(path, key)
    assert found.returncode == 1
    assert "S1901M" in found.stdout
    assert "France" in found.stdout
    # Somebody else's signature does not make it right.
    data = {name: value for name, value in json.loads(changed).items() if name != "signature"}
    forged = canonical(signed(data, b"another secret"))
    with pytest.raises(InterchangeError, match=r"France.*pic"):
        read_game_file(forged)
    path.write_bytes(forged)
    assert "France" in checked(path, key).stdout


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"version": 2}, "version"),
        ({"format": "other"}, "no game file"),
        ({"phases": [{}]}, "phases.0.: .*missing"),
        ({"variant": "atlantis"}, "variant"),
        ({"final": None}, "damaged"),
    ],
)
def test_files_of_others_damaged_and_newer_ones_are_refused_in_a_sentence(
    play: Play, over: Received, change: dict[str, Any], said: str
) -> None:
    data = json.loads(filed(play)) | change
    data.pop("signature")
    with pytest.raises(InterchangeError, match=said):
        read_game_file(canonical(signed(data, b"x")))
    for raw in (b"", b"[]", b"{}", b"\xff", b"{" * 100_000):
        with pytest.raises(InterchangeError):
            read_game_file(raw)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"outcome": {"ending": "draw", "winners": [7]}}, r"outcome.winners\[0\]: Expected `str`"),
        ({"people": {"France": [{"name": "Cleo", "player": []}]}}, r"people.*player: Expected"),
        ({"centers": {"soon": {}}}, "regex"),
        ({"ended": "yesterday"}, "ended: "),
        ({"settings": {"press": 3}}, r"settings\.press: "),
    ],
)
def test_a_signed_file_that_would_stop_a_list_of_games_is_not_taken_in(
    play: Play, over: Received, change: dict[str, Any], said: str
) -> None:
    data = json.loads(filed(play)) | change
    data.pop("signature")
    raw = canonical(signed(data, b"x"))
    found = read_game_file(raw)
    with pytest.raises(InterchangeError, match=said), play.storage.transaction():
        file_away(play.storage, "oslo", found, raw, play.clock.now())
    with pytest.raises(InterchangeError, match=said), play.storage.transaction():
        play_on(play.storage, "oslo", found, None, play.clock.now())
    assert play.storage.games.by_name("oslo") is None


def test_a_gunboat_game_names_nobody_while_it_runs_and_a_blind_one_has_no_file(play: Play) -> None:
    play.start("gunboat, NMR, MANUAL PROCESS")
    play.send("max", "PROCESS S1901M")
    data = json.loads(attached(play.send("cleo", "GAME FILE paris"), "paris-game.json"))
    people = [each for rows in data["people"].values() for each in rows]
    assert {(each["name"], each["player"], each["computer"]) for each in people} == {
        (None, None, None)
    }
    assert not re.search("|".join(PEOPLE), json.dumps(data["people"]), re.IGNORECASE)


def test_a_blind_game_has_a_file_when_it_is_over(play: Play) -> None:
    play.start("blind, NMR, MANUAL PROCESS")
    play.send("max", "PROCESS S1901M")
    refused = play.send("max", "GAME FILE paris")
    assert "when it is over" in refused.text
    assert not list(refused.message.iter_attachments())


def test_a_game_says_how_it_is_scored_and_what_it_was_worth(play: Play, over: Received) -> None:
    assert "Sum of Squares" in play.send("cleo", "LIST paris").text
    state = state_of(play.storage)
    scores = scores_of(state, years_of(state))
    assert scores is not None
    assert round(float(sum(scores.values()))) == 100
    assert f"Russia: {float(scores['Russia']):.3f}" in over.text
    assert json.loads(filed(play))["scores"]["Russia"] == float(scores["Russia"])


def test_the_start_says_what_a_concession_counts_as(play: Play) -> None:
    start = play.start("SCORING c-diplo 100")
    told = " ".join(start["ann"].text.split())
    assert "scored by C-Diplo 100. A concession counts by the centers" in told


def test_systems_for_34_centers_are_refused_on_other_boards(play: Play) -> None:
    play.send("max", "REGISTER")
    found = play.send("max", "CREATE ?rome ancient_mediterranean\nSET SCORING Bangkok")
    assert "34 centers" in " ".join(found.text.split())
    found = play.send("max", "SIGN ON mrome\nSET SCORING Draw Size")
    assert state_of(play.storage, "rome").settings.scoring == "draw_size"
    assert "no scoring system" in play.send("max", "SIGN ON mrome\nSET SCORING xyzzy").text


def test_address_of_the_judge(play: Play, over: Received) -> None:
    assert json.loads(filed(play))["judge"] == ADDRESS


@pytest.mark.parametrize("text", [None, "{", "[]", '{"format": "judge game"}'])
def test_the_checker_says_so_of_what_is_no_game_file(tmp_path: Path, text: str | None) -> None:
    path = tmp_path / "paris.json"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    told = checked(path)
    assert told.returncode == 1
    assert "no game file" in told.stderr
    assert "Traceback" not in told.stderr
