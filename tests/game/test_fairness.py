"""What players can check: the draw, by its seal and seed, and the orders, by theirs."""

from __future__ import annotations

import json
import re
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from judge.cli.fair import fair_command
from judge.game.fairness import SeededRandom, seal
from judge.interchange import adjudicate_object
from tests.game.play import PEOPLE, Play, Received

SEAL = seal("seed")
ORDERS = "A par - bur\nF bre - mid\nA mar H"


def fair(tmp_path: Path, content: bytes | str) -> Result:
    file = tmp_path / "letter.eml"
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return CliRunner().invoke(fair_command, [str(file)])


def records(letter: Received) -> list[dict[str, Any]]:
    found = []
    for part in letter.message.iter_attachments():
        assert isinstance(part, EmailMessage)
        if part.get_content_type() == "application/json":
            found.append(json.loads(part.get_content()))
    return [each for each in found if "orders" in each]


def seals(text: str) -> list[str]:
    return [a + b for a, b in re.findall(r"\b([0-9a-f]{16})\s([0-9a-f]{16})\b", text)]


def results(play: Play) -> dict[str, Received]:
    while not (found := [each for each in play.wake() if each.kind == "results"]):
        pass
    return {letter.to.partition("@")[0]: letter for letter in found}


def ordered(play: Play, **orders: str) -> dict[str, Received]:
    """Everybody orders: what is said here, else all hold; the results."""
    for who, power in zip(PEOPLE, ("Aus", "Eng", "Fra", "Ger", "Ita", "Rus", "Tur"), strict=True):
        play.send(who, orders.get(who) or HOLDS[power])
    return results(play)


HOLDS = {
    "Aus": "A vie H\nA bud H\nF tri H",
    "Eng": "F lon H\nF edi H\nA lvp H",
    "Fra": "A par H\nA mar H\nF bre H",
    "Ger": "A ber H\nA mun H\nF kie H",
    "Ita": "A rom H\nA ven H\nF nap H",
    "Rus": "A mos H\nA war H\nF sev H\nF stp/sc H",
    "Tur": "A con H\nA smy H\nF ank H",
}


def test_the_seal_is_told_before_the_start_and_the_seed_after_it(play: Play) -> None:
    assert SEAL in play.send("max", "CREATE ?paris standard, PUBLIC").text
    for who in PEOPLE[:-1]:
        joined = play.send(who, "JOIN paris").text
        assert SEAL in joined
        assert "Seed:" not in joined
    assert SEAL in play.send("zoe", "LIST paris").text
    play.send("gwen", "JOIN paris")
    started = [letter for letter in play.run() if letter.kind == "start"]
    assert len(started) == 8
    for letter in started:
        assert "Seed: seed\n" in letter.text
        assert f"Seal: {SEAL}\n" in letter.text


def test_anybody_can_repeat_the_draw_from_the_letter(play: Play, tmp_path: Path) -> None:
    letter = play.start(preferences="FFFFFFF")["cleo"]
    answer = fair(tmp_path, letter.message.as_bytes())
    assert answer.exit_code == 0, answer.output
    assert SEAL in answer.output
    quoted = "".join(f"> {line}\n" for line in letter.text.splitlines())
    assert fair(tmp_path, quoted).exit_code == 0


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (r"Seed: seed", "Seed: other", "DOES NOT FIT"),
        (r"Seal: \w", "Seal: x", "DOES NOT FIT"),
        (r"1\. F = \w+", "1. F = Nobody", "DOES NOT COME OUT"),
        (r"3\. F =", "3. G =", "DOES NOT COME OUT"),
    ],
)
def test_what_was_changed_in_a_letter_shows(
    play: Play, tmp_path: Path, old: str, new: str, says: str
) -> None:
    text = play.start(preferences="FFFFFFF")["cleo"].text
    changed, times = re.subn(old, new, text, count=1)
    assert times == 1
    assert changed != text
    answer = fair(tmp_path, changed)
    assert answer.exit_code == 1
    assert says in answer.output


def test_a_letter_with_nothing_to_check_says_what_is_wanted(tmp_path: Path) -> None:
    answer = fair(tmp_path, "Hello")
    assert answer.exit_code == 1
    assert "save the whole message" in answer.output


def test_chance_is_sha_256_of_seed_and_number() -> None:
    # Computed by hand with sha256sum: so anybody can write it again.
    lot = SeededRandom("seed")
    assert [lot.below(1000) for _ in range(3)] == [946, 729, 56]


def test_an_answer_has_the_seal_of_the_orders_on_file_and_results_show_it(
    play: Play, tmp_path: Path
) -> None:
    play.start()
    first = seals(play.send("cleo", ORDERS).text)
    again = seals(play.send("cleo", "STATUS").text)
    changed = seals(play.send("cleo", "A mar - spa").text)
    assert len(first) == 1
    assert first == again
    assert first != changed
    letters = ordered(play, cleo=ORDERS)
    for letter in letters.values():
        (record,) = records(letter)
        assert record["seals"]["France"]["seal"] == first[0]
        assert len(record["seals"]) == 7
    answer = fair(tmp_path, letters["ann"].message.as_bytes())
    assert answer.exit_code == 0, answer.output
    assert f"paris S1901M, France: the seal {first[0]} fits its orders" in answer.output


def test_orders_changed_afterwards_do_not_fit(play: Play, tmp_path: Path) -> None:
    play.start()
    [record] = records(ordered(play, cleo=ORDERS)["ann"])
    record["orders"]["France"][0] = "A mar - spa"
    answer = fair(tmp_path, json.dumps(record))
    assert answer.exit_code == 1
    assert "France: the seal" in answer.output
    assert answer.output.count("DOES NOT FIT") == 1


def test_the_record_of_a_phase_runs_again_to_the_same_results(play: Play) -> None:
    play.start()
    supported = "A par - bur\nA mar S A par - bur\nF bre H"
    [record] = records(ordered(play, cleo=supported, dora="A mun - bur\nA ber H\nF kie H")["max"])
    answer = adjudicate_object(record)
    again = {
        (line["order"], line["outcome"], line["reason"])
        for lines in answer["results"].values()
        for line in lines
    }
    stated = {
        (line["order"], line["outcome"], line["reason"])
        for lines in record["results"].values()
        for line in lines
    }
    assert again == stated
    assert ("A mun - bur", "fails", "bounced") in stated
    assert answer["units"] == record["units_after"]


def test_the_record_says_how_many_centers_win(play: Play) -> None:
    play.start("CENTERS 20")
    [record] = records(ordered(play)["ann"])
    assert record["victory"] == 20


def test_the_record_names_the_modules_that_settings_add(play: Play) -> None:
    play.start("ANY CENTERS, AUTO DISBAND")
    [record] = records(ordered(play)["ann"])
    assert record["modules"] == ["conscription", "no_retreats"]
    assert adjudicate_object(record)["units"] == record["units_after"]


def test_a_seal_says_nothing_of_other_powers_and_every_phase_has_another(play: Play) -> None:
    play.start()
    of_france = seals(play.send("cleo", ORDERS).text)[0]
    assert of_france not in seals(play.send("ann", HOLDS["Aus"]).text)
    letters = ordered(play)
    keys = {power: each["key"] for power, each in records(letters["ann"])[0]["seals"].items()}
    assert len(set(keys.values())) == 7
    [after] = records(ordered(play)["ann"])
    assert not set(keys.values()) & {each["key"] for each in after["seals"].values()}


def test_a_game_that_starts_anew_has_a_new_draw_under_a_new_seal(play: Play) -> None:
    play.start()
    play.judge.seed = lambda: "another"
    play.sure("max", "SIGN ON mparis\nUNSTART")
    told = [letter for letter in play.letters() if letter.kind == "unstarted"]
    assert told
    assert all(seal("another") in letter.text for letter in told)
    play.send("max", "SIGN ON mparis\nSTART")
    starts = [letter for letter in play.run() if letter.kind == "start"]
    assert "Seed: another\n" in starts[0].text


def test_a_phase_that_is_played_again_has_other_keys(play: Play) -> None:
    play.start()
    [before] = records(ordered(play)["ann"])
    play.clock.advance(minutes=1)
    play.send("max", "SIGN ON mparis\nROLLBACK S1901M")
    [after] = records(ordered(play)["ann"])
    assert before["phase"] == after["phase"] == "S1901M"
    assert before["seals"]["France"] != after["seals"]["France"]
