"""What masters can do, what is told about it, and what stays as it is when they may not."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

from judge.game.state import State
from judge.game.visibility.record import seals_of
from judge.rules.phase import Phase
from judge.storage import Role, Storage, StoredEnding, StoredOutcome
from tests.game.play import PEOPLE, Play, Received


def paris(play: Play) -> State:
    game = play.storage.games.by_name("paris")
    assert game is not None
    return State(play.storage, game)


def flat(letter: Received) -> str:
    return " ".join(letter.text.split())


def ran(storage: Storage, game_id: int = 1) -> list[str]:
    """The phases in the history in which anybody had something to decide."""
    return [run.phase for run in storage.history.of_game(game_id) if run.results["orders"]]


def files(state: State) -> dict[str, list[str]]:
    return {power: [str(order) for order in given] for power, given in state.orders.items()}


def counts(summary: str) -> set[str]:
    """The years of a summary's table."""
    found = (line.split() for line in summary.splitlines())
    return {words[0] for words in found if words and words[0] in ("Start", "1901", "1902")}


def to(play: Play, kind: str) -> set[str]:
    return {letter.to.partition("@")[0] for letter in play.letters() if letter.kind == kind}


@pytest.fixture
def started(play: Play) -> Play:
    play.start("MOVE NEXT 48H CLOCK 20:00, LIST")
    return play


# PROCESS and PREDICT


def test_process_runs_the_phase_it_names_with_what_is_there(started: Play) -> None:
    started.send("cleo", "A Par - Bur")
    reply = started.send("max", "PROCESS S1901M")
    assert "I adjudicated Spring 1901, movement." in flat(reply)
    state = paris(started)
    assert state.game.phase == "F1901M"
    assert all(state.powers.condition(power) == "played" for power in state.variant.powers)
    assert "A bur" in [str(unit) for unit in state.opened.units["France"]]


@pytest.mark.parametrize("line", ["PROCESS", "PROCESS F1901M", "PROCESS paris", "PROCESS S1902M"])
def test_process_runs_nothing_unless_the_phase_is_named(started: Play, line: str) -> None:
    reply = started.send("max", line)
    assert "PROCESS S1901M" in reply.text
    assert "LINES I COULD NOT USE" in reply.text
    assert ran(started.storage) == []


def test_a_preview_goes_to_the_masters_and_changes_nothing(started: Play) -> None:
    started.send("cleo", "A Par - Bur")
    before = paris(started)
    started.letters()
    started.send("max", "PREDICT")
    letters = {letter.kind: letter for letter in started.letters()}
    assert letters["preview"].to == "max@people.example"
    assert set(letters) == {"preview", "reply"}
    assert "A par-bur  ok" in letters["preview"].text
    after = paris(started)
    assert ran(started.storage) == []
    assert (after.game.phase, after.game.deadline) == (before.game.phase, before.game.deadline)
    assert files(after) == files(before)


def test_a_player_can_neither_look_nor_run(started: Play) -> None:
    started.letters()
    reply = started.answer("cleo", "PREDICT\nPROCESS S1901M\nROLLBACK S1901M\nRESTORE")
    assert flat(reply).count("Only the game master of paris can do that") == 4
    assert to(started, "preview") == set()
    assert ran(started.storage) == []


# ROLLBACK and RESTORE


def play_two(play: Play) -> None:
    """Two phases, in which France takes Spain and Portugal."""
    play.send("cleo", "A Mar - Spa\nF Bre - Mid\nA Par H")
    play.send("max", "PROCESS S1901M")
    play.send("cleo", "F Mid - Por\nA Spa H\nA Par H")
    play.send("max", "PROCESS F1901M")
    assert paris(play).game.phase == "W1901A"


def ahead(play: Play, power: str = "France") -> dict[str, list[str]]:
    """What a power has on file for later phases."""
    state = paris(play)
    kept = play.storage.orders(state.game.id).of_power(power)
    return {
        phase: [each.text for each in lines]
        for phase, lines in kept.items()
        if phase != state.game.phase
    }


def test_a_rollback_brings_back_position_orders_and_a_fresh_deadline(started: Play) -> None:
    first = paris(started)
    play_two(started)
    started.send("cleo", "B F Bre\nWAIVE")
    promised = paris(started).game.deadline
    started.letters()
    started.clock.advance(hours=5)
    reply = started.send("max", "ROLLBACK S1901M")
    assert "S1901M" not in flat(reply).partition("LINES I COULD NOT USE")[2]
    state = paris(started)
    assert state.game.phase == "S1901M"
    assert state.opened == first.opened
    assert files(state) == {"France": ["A mar - spa", "F bre - mid", "A par H"]}
    assert state.game.opened_at == started.clock.now()
    assert state.game.deadline is not None
    assert promised is not None
    assert state.game.deadline >= promised
    assert state.game.deadline >= started.clock.now().replace(second=0)
    assert started.storage.orders(state.game.id).of_power("France").keys() == {"S1901M"}
    assert to(started, "rollback") == {
        *("ann", "bob", "cleo", "dora", "emil", "finn", "gwen"),
        "max",
    }


def test_history_and_summary_show_what_counts_and_the_rest_stays_on_file(started: Play) -> None:
    play_two(started)
    started.send("max", "ROLLBACK F1901M")
    assert ran(started.storage) == ["S1901M"]
    assert "Portugal" not in started.send("cleo", "HISTORY paris FROM S1901M").text
    summary = started.send("cleo", "SUMMARY paris").text
    assert counts(summary) == {"Start"}
    kept = started.storage.history.rolled_back(1)
    assert kept[0].phase == "F1901M"
    assert kept[0].orders["France"] == ["F mid - por", "A spa H", "A par H"]


def test_a_phase_rolled_back_does_not_run_again_by_itself_at_once(started: Play) -> None:
    for who, line in (
        ("ann", "bud H, tri H, vie H"),
        ("bob", "edi H, lvp H, lon H"),
        ("cleo", "bre H, mar H, par H"),
        ("dora", "ber H, kie H, mun H"),
        ("emil", "nap H, rom H, ven H"),
        ("finn", "mos H, sev H, stp H, war H"),
        ("gwen", "ank H, con H, smy H"),
    ):
        started.send(who, line)
    started.wake()
    assert ran(started.storage) == ["S1901M"]
    started.send("max", "ROLLBACK S1901M")
    deadline = paris(started).game.deadline
    assert paris(started).sheets.complete()
    started.clock.advance(hours=12)
    started.run()
    assert ran(started.storage) == []
    while paris(started).game.phase == "S1901M":
        started.wake()
    assert deadline is not None
    assert started.clock.now() >= deadline
    assert ran(started.storage) == ["S1901M"]


def test_a_phase_may_run_again_after_a_rollback_and_comes_out_by_its_new_orders(
    started: Play,
) -> None:
    play_two(started)
    started.send("max", "ROLLBACK F1901M")
    started.send("cleo", "F Mid - Iri")
    started.send("max", "PROCESS F1901M")
    state = paris(started)
    assert ran(started.storage) == ["S1901M", "F1901M"]
    assert "F iri" in [str(unit) for unit in state.opened.units["France"]]
    assert state.opened.centers["France"] == ("bre", "mar", "par", "spa")


def test_a_restored_game_stands_as_it_did(started: Play) -> None:
    play_two(started)
    started.send("cleo", "B F Bre\nWAIVE")
    before = paris(started)
    started.send("max", "ROLLBACK S1901M")
    started.send("cleo", "A Par - Gas")
    started.letters()
    started.send("max", "ROLLFORWARD")
    after = paris(started)
    assert after.game.phase == before.game.phase
    assert after.opened == before.opened
    assert files(after) == files(before)
    assert after.game.deadline is not None
    assert before.game.deadline is not None
    assert after.game.deadline >= before.game.deadline
    assert ran(started.storage) == ["S1901M", "F1901M"]
    assert len(to(started, "restored")) == 8
    assert "no rollback" in flat(started.send("max", "RESTORE"))


def test_what_was_sent_ahead_waits_for_its_phase_again(started: Play) -> None:
    started.send("cleo", "A Mar - Spa\nPHASE F1901M\nA Spa - Por\nPHASE F1901R\nA Spa D\n")
    started.send("cleo", "PHASE S1902M\nA Por H\nSET WAIT\n")
    before = ahead(started)
    started.send("max", "PROCESS S1901M")
    assert files(paris(started))["France"] == ["A spa - por"]
    started.send("max", "PROCESS F1901M")
    started.letters()
    started.send("max", "ROLLBACK S1901M")
    assert files(paris(started)) == {"France": ["A mar - spa"]}
    assert ahead(started) == before
    # It is read again when its phase opens again, and dropped again where that has been.
    started.send("max", "RESTORE")
    assert ahead(started) == {"S1902M": ["A por H", "SET WAIT"]}
    started.send("max", "ROLLBACK F1901M")
    assert files(paris(started)) == {"France": ["A spa - por"]}
    started.send("max", "ROLLBACK S1901M")
    assert ahead(started) == before
    started.send("cleo", "CLEAR F1901M")
    started.send("max", "PROCESS S1901M")
    assert files(paris(started)) == {}


def test_what_was_sent_ahead_waits_again_where_the_game_was_over(started: Play) -> None:
    started.send("cleo", "PHASE S1902M\nA Par - Bur")
    started.send("max", "PROCESS S1901M")
    started.sure("max", "TERMINATE paris")
    assert ahead(started) == {}
    started.send("max", "ROLLBACK S1901M")
    assert ahead(started) == {"S1902M": ["A par - bur"]}
    started.send("max", "RESTORE")
    assert paris(started).game.state == "ended"
    assert ahead(started) == {}


def test_a_phase_that_counts_no_longer_counts_for_nobodys_reliability(started: Play) -> None:
    def conduct() -> dict[tuple[str, str], str]:
        rows = started.storage.reliability_log.of_game(paris(started).game.id)
        return {(row.phase, row.power): row.what for row in rows}

    started.send("cleo", "A Mar H\nA Par H\nF Bre H")
    started.send("max", "PROCESS S1901M")
    assert conduct() == {("S1901M", "France"): "on time"}
    started.send("max", "ROLLBACK S1901M")
    assert conduct() == {}
    started.send("max", "RESTORE")
    assert conduct() == {("S1901M", "France"): "on time"}
    started.send("max", "ROLLBACK S1901M")
    started.send("ann", "bud H, tri H, vie H")
    started.send("max", "PROCESS S1901M")
    assert conduct() == {("S1901M", "France"): "on time", ("S1901M", "Austria"): "on time"}


def test_the_order_files_hold_what_was_played_in_the_end(started: Play) -> None:
    play_two(started)
    started.send("max", "ROLLBACK S1901M")
    started.send("cleo", "A Mar - Bur\nF Bre H\nA Par H")
    started.send("max", "PROCESS S1901M")
    started.letters()
    started.sure("max", "TERMINATE paris")
    (end,) = [each for each in started.letters() if each.kind == "end" and each.to[:3] == "ann"]
    files = {part.get_filename(): part.get_content() for part in end.message.iter_attachments()}
    assert "A mar-bur  " in files["paris-orders.txt"]
    assert "Spain" not in files["paris-orders.txt"]
    assert "FALL 1901" not in files["paris-orders.txt"]


def test_nothing_is_restored_when_something_has_run_since(started: Play) -> None:
    play_two(started)
    started.send("max", "ROLLBACK F1901M")
    wrong = started.send("max", "RESTORE S1901M")
    assert "the last rollback was to F1901M" in flat(wrong)
    started.send("max", "PROCESS F1901M")
    assert "paris has no rollback to undo" in flat(started.send("max", "RESTORE"))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("ROLLBACK", "name an adjudicated phase"),
        ("ROLLBACK W1901A", "was not adjudicated"),
        ("ROLLBACK S1902M", "was not adjudicated"),
        ("ROLLBACK S1901R", "nobody had anything to decide"),
        ("ROLLBACK soon", "is no phase of this game"),
    ],
)
def test_a_rollback_must_name_a_phase_that_ran(started: Play, line: str, said: str) -> None:
    play_two(started)
    reply = started.send("max", line)
    assert said in flat(reply)
    assert "ROLLBACK F1901M" in reply.text
    assert paris(started).game.phase == "W1901A"


def test_nothing_can_be_rolled_back_before_anything_ran(play: Play) -> None:
    play.send("max", "CREATE ?paris")
    assert "has not started yet" in flat(play.send("max", "ROLLBACK S1901M\nRESTORE\nPREDICT"))


def test_a_game_that_is_over_goes_on_after_a_rollback_and_is_over_again(play: Play) -> None:
    play.start("MOVE NEXT 48H CLOCK 20:00, END AFTER S1901")
    play.send("max", "PROCESS S1901M")
    ended = paris(play)
    assert ended.game.state == "ended"
    play.letters()
    play.send("max", "ROLLBACK S1901M")
    state = paris(play)
    assert (state.game.state, state.game.phase, state.game.outcome) == ("active", "S1901M", None)
    assert state.game.ended_at is None
    assert state.game.deadline is not None
    assert "The game is no longer over" in flat(
        next(letter for letter in play.letters() if letter.kind == "rollback")
    )
    play.send("max", "RESTORE")
    again = paris(play)
    assert (again.game.state, again.game.outcome) == ("ended", ended.game.outcome)
    assert again.game.ended_at == ended.game.ended_at
    assert again.game.wake_at is None


@pytest.mark.parametrize("seed", [1, 2])
def test_whatever_is_run_and_taken_back_the_history_stays_one_line(
    started: Play, seed: int
) -> None:
    chance = random.Random(seed)
    history = started.storage.history
    first = paris(started)
    key = first.variant.calendar.key
    promised, on_file = first.game.deadline, 0
    undone: list[tuple[str, object]] = []
    for _ in range(14):
        started.clock.advance(hours=1)
        before = paris(started)
        past = ran(started.storage)
        choice = chance.choice(("PROCESS", "PROCESS", "ROLLBACK", "RESTORE"))
        if choice == "PROCESS":
            started.send("max", f"PROCESS {before.game.phase}")
            undone.clear()
        elif choice == "ROLLBACK" and past:
            started.send("max", f"ROLLBACK {chance.choice(past)}")
            undone.append((str(before.game.phase), before.opened))
        elif choice == "RESTORE":
            started.send("max", "RESTORE")
            if undone:
                phase, position = undone.pop()
                assert (paris(started).game.phase, paris(started).opened) == (phase, position)
        state = paris(started)
        runs = history.of_game(state.game.id)
        keys = [key(Phase.read(run.phase)) for run in runs]
        assert keys == sorted(set(keys))
        assert not keys or keys[-1] < key(state.opened.phase)
        assert state.game.deadline is not None
        assert promised is not None
        assert state.game.deadline >= promised
        promised = state.game.deadline
        count = len(runs) + sum(len(history.rolled_back(number)) for number in range(1, 20))
        assert count >= on_file
        on_file = count


# BECOME, and orders for any unit


def test_who_acts_in_a_place_is_seen_by_its_player_exactly_so_far(started: Play) -> None:
    started.letters()
    started.send(
        "max",
        "PRESS TO E\nsecret one\nENDPRESS\nBECOME france\nA Par - Bur\nA Mar - Lon\nSET WAIT\n"
        "SIGN ON mparis\nPRESS TO G\nsecret two\nENDPRESS",
    )
    letters = started.letters()
    told = [letter for letter in letters if letter.kind == "acted"]
    assert [letter.to for letter in told] == ["cleo@people.example"]
    text = flat(told[0])
    assert "Army Paris moves to Burgundy" in text
    assert "Not carried out" in text
    assert "SET WAIT" in told[0].text
    assert "secret" not in text
    assert "BECOME" not in text
    state = paris(started)
    assert files(state) == {"France": ["A par - bur"]}
    seat = state.seats.player("France")
    assert seat is not None
    assert seat.wait
    reply = next(letter for letter in letters if letter.kind == "reply")
    assert "A par - bur" in reply.text
    assert "secret one" in reply.text


def test_orders_of_a_master_count_for_whatever_unit(started: Play) -> None:
    started.send("cleo", "A Par - Bur\nA Mar H")
    started.letters()
    reply = started.send("max", "A Par - Gas\nFrance: F Bre - Mid\nA Ber - Kie\nA Boh - Vie")
    assert "no unit stands in Bohemia" in flat(reply).replace("No unit", "no unit")
    assert files(paris(started)) == {
        "France": ["A mar H", "A par - gas", "F bre - mid"],
        "Germany": ["A ber - kie"],
    }
    told = {letter.to: letter for letter in started.letters() if letter.kind == "acted"}
    assert set(told) == {"cleo@people.example", "dora@people.example"}
    assert "Kiel" not in told["cleo@people.example"].text
    assert "Gascony" not in told["dora@people.example"].text
    assert "A mar H" in told["cleo@people.example"].text


def test_in_somebodys_place_a_master_is_no_master(started: Play) -> None:
    reply = started.send(
        "max", "BECOME f\nPROCESS S1901M\nA Ber - Kie\nBECOME germany\nA Ber - Kie\nSIGN ON paris"
    )
    assert "write SIGN ON paris before it" in flat(reply)
    assert "belongs to Germany" in flat(reply)
    assert files(paris(started)) == {"Germany": ["A ber - kie"]}
    assert ran(started.storage) == []


@pytest.mark.parametrize("line", ["BECOME", "BECOME atlantis", "BECOME x"])
def test_what_follows_a_failed_become_is_carried_out_for_nobody(started: Play, line: str) -> None:
    started.send("max", f"{line}\nA Par - Bur\nSET WAIT")
    state = paris(started)
    assert files(state) == {}
    assert not any(seat.wait for seat in state.seats)


def test_nobody_else_can_act_in_a_place(started: Play) -> None:
    reply = started.answer("bob", "BECOME france\nA Par - Bur")
    assert "Only the game master of paris can do that" in flat(reply)
    assert files(paris(started)) == {}


def test_a_masters_acts_need_more_than_his_address(started: Play) -> None:
    reply = started.send("max", "BECOME france\nA Par - Bur", to="judge@judge.example")
    assert reply.kind == "question"
    started.mail("max", "A Par - Bur", to="judge@judge.example")
    started.run()
    assert files(paris(started)) == {}


def test_the_vote_of_a_player_is_not_shown_to_who_takes_his_place(started: Play) -> None:
    started.send("cleo", "SET DRAW")
    reply = started.send("max", "BECOME france\nA Par - Bur")
    assert "voted" not in reply.text


@pytest.mark.parametrize("line", ["RESIGN", "SET PASSWORD abcdefgh", "SET ABSENCE 24 Dec"])
def test_what_is_personal_nobody_does_in_somebodys_place(started: Play, line: str) -> None:
    reply = started.send("max", f"BECOME france\n{line}\nA Par - Bur")
    assert "is personal" in flat(reply)
    state = paris(started)
    assert files(state) == {"France": ["A par - bur"]}
    seat = state.seats.player("France")
    assert seat is not None
    assert (seat.state, seat.password, seat.absence) == ("active", None, None)


# AUDIT


def test_every_act_of_a_master_is_in_a_log_that_tells_orders_after_the_end(play: Play) -> None:
    play.start("MOVE NEXT 48H CLOCK 20:00")
    play.send("max", "SET LIST\nPREDICT\nBECOME france\nA Par - Bur")
    play.send("max", "PROCESS S1901M")
    play.send("max", "ROLLBACK S1901M\nRESTORE")
    during = play.send("cleo", "AUDIT").text
    for said in (
        "Listing: listed (before: not listed)",
        "looked at a preview of S1901M",
        "took the place of France in S1901M",
        "acted for France in S1901M: 1 line, shown after the end",
        "ran S1901M by hand",
        "back to the moment before S1901M ran",
        "took the rollback to S1901M back",
    ):
        assert said in " ".join(during.split()), said
    assert "Max" in during
    assert "people.example" not in during
    assert "A par - bur" not in during
    play.sure("max", "TERMINATE paris")
    after = " ".join(play.send("cleo", "GET LOG paris").text.split())
    assert "acted for France in S1901M: A par - bur" in after
    assert "ended the game without a result" in after


def test_the_log_is_for_those_in_the_game(started: Play) -> None:
    started.send("zoe", "REGISTER")
    assert "OBSERVE paris" in started.send("zoe", "AUDIT paris").text
    assert "Listing: listed" in flat(started.send("ann", "AUDIT paris"))


# The end, masters and parts


@pytest.mark.parametrize("line", ["TERMINATE", "TERMINATE rome", "TERMINATE F1901M"])
def test_a_game_is_not_terminated_unless_it_is_named(started: Play, line: str) -> None:
    reply = started.send("max", line)
    assert "TERMINATE paris" in reply.text
    assert paris(started).game.state == "active"


def test_a_terminated_game_is_over_without_result_and_can_be_taken_back(started: Play) -> None:
    play_two(started)
    started.letters()
    started.sure("max", "TERMINATE paris")
    letters = started.letters()
    ends = [letter for letter in letters if letter.kind == "end"]
    assert len(ends) == 8
    assert "Its game master ended it, so there is no result" in flat(ends[0])
    game = paris(started).game
    assert (game.state, game.wake_at) == ("ended", None)
    assert game.outcome == StoredOutcome(StoredEnding.TERMINATED, (), "F1901R")
    assert "is over" in flat(started.send("max", "TERMINATE paris"))
    started.send("max", "ROLLBACK F1901M")
    assert paris(started).game.state == "active"


def test_a_game_is_called_off_before_its_start(play: Play) -> None:
    play.send("max", "CREATE ?paris")
    play.send("ann", "JOIN paris")
    play.letters()
    play.sure("max", "TERMINATE paris")
    assert to(play, "called_off") == {"ann"}
    assert paris(play).game.state == "ended"


def test_an_observer_is_promoted_and_can_do_what_masters_do(started: Play) -> None:
    started.send("zoe", "REGISTER\nOBSERVE paris")
    started.letters()
    for line, why in (
        ("PROMOTE zack@people.example", "Nobody with the address"),
        ("PROMOTE cleo@people.example", "does not watch paris"),
        ("MASTER cleo@people.example", "does not watch paris"),
        ("PROMOTE", "Name someone"),
    ):
        assert why in flat(started.send("max", line))
    started.letters()
    started.send("max", "PROMOTE zoe@people.example")
    assert len(to(started, "promoted")) == 8
    assert "is a game master of paris" in flat(started.send("max", "PROMOTE zoe@people.example"))
    started.answer("zoe", "PROCESS S1901M")
    assert ran(started.storage) == ["S1901M"]


def test_the_last_master_promotes_another_one_before_he_goes(started: Play) -> None:
    reply = started.send("max", "EJECT max@people.example")
    assert "would have no game master" in flat(reply)
    started.send("zoe", "REGISTER\nOBSERVE paris")
    started.sure("max", "PROMOTE zoe@people.example")
    started.sure("max", "EJECT max@people.example")
    assert [seat.role for seat in paris(started).seats if seat.person_id == 1] == ["master"]
    masters = paris(started).seats.active(Role.MASTER)
    assert [paris(started).seats.person(seat).name for seat in masters] == ["Zoe"]
    started.send("max", "PROCESS S1901M")
    assert ran(started.storage) == []


@pytest.mark.parametrize("who", ["france", "F", "cleo@people.example"])
def test_who_is_ejected_is_out_and_his_power_is_open(started: Play, who: str) -> None:
    started.send("cleo", "A Par - Bur")
    started.letters()
    started.sure("max", f"EJECT {who}")
    told = {each.to: flat(each) for each in started.letters() if each.kind == "ejected"}
    assert len(told) == 7
    assert "you no longer play France" in told.pop("cleo@people.example")
    assert all("TAKE OVER france@paris" in each for each in told.values())
    state = paris(started)
    assert state.powers.condition("France") == "caretaker"
    assert files(state) == {"France": ["A par - bur"]}
    reply = started.send("cleo", "A Par - Gas")
    assert files(paris(started)) == {"France": ["A par - bur"]}
    assert "Gascony" not in reply.text
    assert "Nobody plays France" in flat(started.send("max", "EJECT france"))


def test_an_observer_is_ejected_without_a_word_to_the_others(started: Play) -> None:
    started.send("zoe", "REGISTER\nOBSERVE paris")
    started.letters()
    started.sure("max", "EJECT zoe@people.example")
    assert to(started, "ejected") == {"zoe"}


# Start and dummies


def test_a_game_is_begun_without_the_players_who_are_missing(play: Play) -> None:
    play.send("max", "CREATE ?paris\nFORCE BEGIN")
    assert paris(play).game.state == "forming"
    for who, wish in (("ann", "A"), ("cleo", "F")):
        play.send(who, f"JOIN paris\nSET PREFERENCE {wish}")
    reply = play.send("max", "FORCE BEGIN")
    assert "5 powers have no player" in flat(reply)
    play.judge.work()
    state = paris(play)
    assert state.game.state == "active"
    assert {power: state.powers.condition(power) for power in state.variant.powers} == {
        power: "played" if power in ("Austria", "France") else "caretaker"
        for power in state.variant.powers
    }
    play.send("zoe", "REGISTER\nTAKE OVER england@paris")
    assert paris(play).powers.condition("England") == "played"


def test_the_start_is_taken_back_in_the_first_phase_only(started: Play) -> None:
    started.send("cleo", "A Par - Bur")
    started.letters()
    started.sure("max", "UNSTART")
    assert len(to(started, "unstarted")) == 7
    state = paris(started)
    assert (state.game.state, state.game.phase, state.position) == ("forming", None, None)
    assert state.game.wake_at is None
    assert {seat.power for seat in state.seats} == {None}
    assert started.storage.orders(state.game.id).of_power("France") == {}
    started.send("max", "START")
    started.judge.work()
    state = paris(started)
    assert (state.game.state, files(state)) == ("active", {})
    assert state.seats.player("France") is not None
    started.send("max", "PROCESS S1901M")
    assert "a phase was adjudicated since" in flat(started.send("max", "UNSTART"))
    assert paris(started).game.phase == "F1901M"
    started.sure("max", "ROLLBACK S1901M\nUNSTART")
    assert paris(started).game.state == "forming"


def test_nobody_waits_for_a_dummy_until_it_is_revived(started: Play) -> None:
    started.letters()
    started.send("max", "DUMMY g")
    assert len(to(started, "dummy")) == 7
    state = paris(started)
    assert state.powers.condition("Germany") == "dummy"
    assert "Germany" not in state.sheets.missing()
    assert "is a dummy in paris already" in flat(started.send("max", "DUMMY germany"))
    started.send("max", "REVIVE germany")
    state = paris(started)
    assert state.powers.condition("Germany") == "played"
    seat = state.seats.player("Germany")
    assert seat is not None
    assert state.seats.person(seat).name == "Dora"
    assert "nothing to revive" in flat(started.send("max", "REVIVE germany"))
    started.sure("dora", "RESIGN")
    assert "Anybody may take it over" in flat(started.send("max", "REVIVE germany"))


# Notices and names


def test_a_notice_goes_to_everybody_in_the_masters_name(started: Play) -> None:
    started.letters()
    reply = started.send("max", "OFFICIAL House rules\nBe kind.\nA Par - Bur\nEND\nPREDICT")
    assert "Be kind." in reply.text
    letters = started.letters()
    told = [letter for letter in letters if letter.kind == "official"]
    assert len(told) == 7
    assert told[0].sender == "paris: Notice: House rules"
    assert "Be kind.\nA Par - Bur" in told[0].text
    assert files(paris(started)) == {}
    assert any(letter.kind == "preview" for letter in letters)
    assert "I sent nothing" in flat(started.send("max", "OFFICIAL Nothing"))


def test_a_game_gets_another_name(started: Play) -> None:
    started.letters()
    started.send("max", "RENAME my-game\nRENAME rome")
    assert len(to(started, "renamed")) == 7
    assert started.storage.games.by_name("paris") is None
    assert started.storage.games.by_name("rome") is not None
    assert "Spring 1901" in started.answer("cleo", "A Par - Bur").text
    started.send("max", "CREATE ?paris\nSIGN ON mrome\nRENAME paris")
    assert started.storage.games.by_name("rome") is not None


def test_the_seals_of_a_phase_keep_the_name_it_opened_under(started: Play) -> None:
    shown = started.send("cleo", "A Mar - Spa")
    seal = re.search(
        r"^Seal of.*?\s([0-9a-f]{16})\s([0-9a-f]{16})$", shown.text, re.MULTILINE | re.DOTALL
    )
    assert seal is not None
    started.send("max", "RENAME rome")
    again = started.send("cleo", "STATUS")
    digest = seal[1] + seal[2]
    assert digest in "".join(again.text.split())
    started.letters()
    started.send("max", "PROCESS S1901M")
    for who, records in attached_records(started.letters()).items():
        assert who
        for data in records:
            sealed = dict(seals_of(data))
            assert data["game"] == "paris"
            assert sealed
            assert all(each.digest == printed for each, printed in sealed.items())
            assert data["seals"]["France"]["seal"] == digest
    started.send("cleo", "A Spa H")
    started.send("max", "PROCESS F1901M")
    ran = attached_records(started.letters())["cleo"]
    assert ran[0]["game"] == "rome"
    started.sure("max", "TERMINATE rome")
    answer = started.send("cleo", "GAME FILE rome")
    (file,) = answer.contents("application/json")
    phases = json.loads(file)["phases"]
    assert [each["sealed_as"] for each in phases if each["seals"]][:1] == ["paris"]


def attached_records(letters: list[Received]) -> dict[str, list[dict[str, Any]]]:
    """The records of phases that came with results, by reader."""
    return {
        letter.to.partition("@")[0]: [
            json.loads(part.get_content())
            for part in letter.message.iter_attachments()
            if str(part.get_filename()).endswith("M.json")
        ]
        for letter in letters
        if letter.kind == "results"
    }


def test_a_game_nobody_has_joined_is_deleted_and_its_name_free(play: Play) -> None:
    play.send("max", "CREATE ?paris")
    assert "PURGE paris" in play.send("max", "PURGE rome").text
    assert "is deleted" in flat(play.sure("max", "PURGE"))
    assert play.storage.games.by_name("paris") is None
    play.send("ann", "CREATE ?paris")
    play.send("bob", "JOIN paris")
    assert "TERMINATE paris" in play.answer("ann", "PURGE paris").text
    assert paris(play).game.state == "forming"


def test_names_are_told_after_the_end_only(started: Play) -> None:
    assert "names stay as they are" in flat(started.send("max", "REVEAL"))
    started.sure("max", "TERMINATE paris")
    started.letters()
    started.sure("max", "REVEAL")
    assert len(to(started, "revealed")) == 7


# Settings about masters


def test_with_manual_process_no_phase_runs_by_itself(play: Play) -> None:
    play.start("MOVE NEXT 48H CLOCK 20:00, MANUAL PROCESS, NMR")
    play.clock.advance(days=60)
    play.run()
    assert ran(play.storage) == []
    play.send("max", "PROCESS S1901M")
    assert ran(play.storage) == ["S1901M"]


def test_an_unmoderated_game_has_nobody_with_a_masters_powers(started: Play) -> None:
    started.send("max", "SET UNMODERATED paris")
    assert not paris(started).game.moderated
    reply = started.send("max", "PROCESS S1901M\nTERMINATE paris\nEJECT f\nBECOME f\nA Par - Bur")
    text = flat(reply)
    assert "I adjudicate a phase by myself" in text
    assert "SET DRAW" in text
    assert "RESIGN" in text
    assert files(paris(started)) == {}
    assert "has started" in flat(started.answer("cleo", "SET MODERATED"))


def test_a_master_who_plays_nothing_is_warned_before_he_gives_his_powers_up(started: Play) -> None:
    started.letters()
    warned = flat(started.send("max", "SET UNMODERATED"))
    assert "nobody can make you its game master again" in warned
    assert "SET UNMODERATED paris" in warned
    assert paris(started).game.moderated
    assert "SET UNMODERATED paris" in flat(started.send("max", "SET UNMODERATED rome"))
    assert to(started, "settings") == set()
    started.send("max", "SET UNMODERATED paris")
    assert not paris(started).game.moderated
    assert to(started, "settings") == set(PEOPLE)


def test_a_game_is_moderated_again_only_by_somebody_who_does_not_play(play: Play) -> None:
    play.send("max", "CREATE ?paris\nSET UNMODERATED")
    play.send("ann", "JOIN paris")
    play.answer("ann", "SET MODERATED")
    assert paris(play).game.moderated
    play.send("max", "JOIN paris")
    assert not paris(play).game.moderated
    assert "could be its game master" in flat(play.send("max", "SET MODERATED")).replace("N", "n")
    assert not paris(play).game.moderated


def test_newcomers_play_when_the_master_says_yes(play: Play) -> None:
    play.send("max", "CREATE ?paris, APPROVAL")
    for who in PEOPLE:
        play.letters()
        assert "once the game master approves you" in flat(play.send(who, "JOIN paris"))
        asked = [letter for letter in play.letters() if letter.kind == "approval"]
        assert [letter.to for letter in asked] == ["max@people.example"]
        if who != "gwen":
            assert "may play in paris" in flat(play.send("max", "YES", answers=asked[0]))
    play.judge.work()
    assert paris(play).game.state == "forming"
    assert "may play in paris" in flat(play.send("max", "yes!\nSET LIST", answers=asked[0]))
    assert "decided already" in flat(play.send("max", "NO", answers=asked[0]))
    play.judge.work()
    assert paris(play).game.state == "active"
    assert paris(play).settings.listed


def test_a_newcomer_is_turned_away_by_a_no(play: Play) -> None:
    play.send("max", "CREATE ?paris, APPROVAL")
    play.send("ann", "JOIN paris")
    asked = [letter for letter in play.letters() if letter.kind == "approval"]
    assert "turned away" in flat(play.send("max", "No, sorry.", answers=asked[0]))
    assert paris(play).seats.active(Role.PLAYER) == []
    assert to(play, "ejected") == {"ann"}


def test_who_was_turned_away_is_told_so_and_the_master_is_not_asked_again(play: Play) -> None:
    play.send("max", "CREATE ?paris, APPROVAL")
    play.send("ann", "JOIN paris")
    asked = next(letter for letter in play.letters() if letter.kind == "approval")
    play.send("max", "NO", answers=asked)
    play.letters()
    again = flat(play.send("ann", "JOIN paris"))
    assert "Max, the game master of paris, turned you away" in again
    assert "OBSERVE paris" in again
    assert to(play, "approval") == set()
    assert paris(play).seats.active(Role.PLAYER) == []
    # Others can be in the game meanwhile, and the master changes his mind.
    play.send("max", "SET APPROVED ann@people.example")
    told = next(letter for letter in play.letters() if letter.kind == "invited")
    assert (told.to, "JOIN paris" in told.text) == ("ann@people.example", True)
    play.send("ann", "JOIN paris")
    assert to(play, "approval") == set()
    assert len(paris(play).seats.active(Role.PLAYER)) == 1


def test_a_master_who_said_no_says_yes_to_the_same_letter(play: Play) -> None:
    play.send("max", "CREATE ?paris, APPROVAL")
    play.send("ann", "JOIN paris")
    asked = next(letter for letter in play.letters() if letter.kind == "approval")
    play.send("max", "NO", answers=asked)
    assert "may play in paris" in flat(play.send("max", "YES", answers=asked))
    assert to(play, "invited") == {"ann"}
    assert "decided already" in flat(play.send("max", "YES", answers=asked))


def test_who_is_turned_away_hears_it_and_others_need_not(play: Play) -> None:
    play.send("max", "CREATE ?paris standard, APPROVAL")
    play.send("ann", "JOIN paris")
    play.send("max", "SET APPROVED ann@people.example")
    play.send("bob", "JOIN paris")
    play.letters()
    play.send("max", "SET NOT APPROVED bob@people.example")
    told = [letter for letter in play.letters() if letter.kind == "ejected"]
    assert [letter.to for letter in told] == ["bob@people.example"]
    assert "turned you away" in flat(told[0])


@pytest.mark.parametrize("whom", ["france", "cleo@people.example"])
def test_who_plays_already_is_put_out_by_eject_alone(started: Play, whom: str) -> None:
    started.letters()
    said = flat(started.send("max", f"SET NOT APPROVED {whom}"))
    assert "Cleo was approved and plays in paris." in said
    assert f"EJECT {whom}" in said
    assert "Cleo may play in paris already." in flat(started.send("max", f"SET APPROVED {whom}"))
    assert paris(started).seats.player("France") is not None
    assert to(started, "approved") == to(started, "ejected") == set()


def test_who_takes_over_cannot_order_before_the_master_agrees(started: Play) -> None:
    started.sure("max", "SET APPROVAL\nEJECT france")
    started.send("zoe", "REGISTER\nTAKE OVER france@paris")
    reply = started.answer("zoe", "A Par - Bur")
    assert "has not approved you yet" in flat(reply)
    assert files(paris(started)) == {}
    started.letters()
    started.send("max", "SET APPROVED f")
    assert to(started, "approved") == {"zoe"}
    started.answer("zoe", "A Par - Bur")
    assert files(paris(started)) == {"France": ["A par - bur"]}


def test_the_lists_of_people_keep_others_out_and_are_told_to_nobody(play: Play) -> None:
    play.send("max", "CREATE ?paris")
    play.send("ann", "JOIN paris")
    play.letters()
    play.send("max", "SET DENY PLAYER bob@people.example, eve@people.example")
    told = [letter for letter in play.letters() if letter.kind == "settings"]
    assert "2 addresses" in told[0].text
    assert "bob@" not in told[0].text
    assert "You cannot play in paris" in flat(play.send("bob", "REGISTER\nJOIN paris"))
    play.send("max", "SET DENY PLAYER -bob@people.example")
    assert "You are in paris" in play.send("bob", "JOIN paris").text
    play.send("max", "SET ALLOW PLAYER cleo@people.example")
    same = flat(play.send("dora", "REGISTER\nJOIN paris"))
    assert "You cannot play in paris" in same
    assert "You are in paris" in play.send("cleo", "REGISTER\nJOIN paris").text
    assert "is no address" in flat(play.send("max", "SET ALLOW PLAYER dora"))
    play.send("max", "SET ALLOW PLAYER -cleo@people.example")
    assert "You are in paris" in play.send("dora", "JOIN paris").text


# The letter a day


def dailies(play: Play, days: int) -> list[Received]:
    """The daily letters of so many days, hour by hour."""
    found = []
    for _ in range(24 * days):
        play.clock.advance(hours=1)
        found += [letter for letter in play.run() if letter.kind == "daily"]
    return found


def test_a_master_gets_one_letter_a_day_and_answers_it_with_commands(play: Play) -> None:
    play.start("MOVE NEXT 10D CLOCK 20:00, TIME ZONE UTC")
    assert dailies(play, 2) == []
    play.send("max", "SET DAILY\nDUMMY turkey")
    play.send("cleo", "bre H, mar H, par H\nSET WAIT")
    letters = dailies(play, 1)
    assert [letter.to for letter in letters] == ["max@people.example"]
    text = letters[-1].text
    assert "  France: complete, waits\n" in text
    assert "  Austria: 3 orders missing\n" in text
    assert "  Turkey: a dummy, 3 orders missing\n" in text
    assert "bre" not in text
    play.send("max", "PROCESS S1901M\nSET NO DAILY", answers=letters[-1])
    assert ran(play.storage) == ["S1901M"]
    assert dailies(play, 2) == []


def test_the_hour_of_the_daily_letter_is_the_masters_own(play: Play) -> None:
    play.start("MOVE NEXT 10D CLOCK 20:00")
    play.send("max", "REGISTER\nTime zone: America/New_York\nEND\nSET DAILY")
    letters = [letter for letter in play.wake() if letter.kind == "daily"]
    assert len(letters) == 1
    # Seven in New York is eleven in UTC in summer.
    assert play.clock.now().hour == 11


def test_a_day_on_which_nothing_has_changed_has_no_letter(play: Play) -> None:
    play.start("MOVE NEXT 10D CLOCK 20:00, TIME ZONE UTC")
    play.send("max", "SET DAILY")
    assert len(dailies(play, 1)) == 1
    assert dailies(play, 1) == []
    play.send("cleo", "A par H")
    assert len(dailies(play, 2)) == 1
    play.send("max", "SET DAILY")
    assert len(dailies(play, 1)) == 1


def test_after_an_outage_of_days_there_is_one_letter(play: Play) -> None:
    play.start("MOVE NEXT 10D CLOCK 20:00")
    play.send("max", "SET DAILY")
    play.letters()
    play.clock.advance(days=4)
    assert len([letter for letter in play.run() if letter.kind == "daily"]) == 1


def test_who_waits_for_the_masters_word_is_in_the_daily_letter(play: Play) -> None:
    play.start("MOVE NEXT 10D CLOCK 20:00")
    play.sure("max", "SET APPROVAL\nEJECT france\nSET DAILY")
    play.send("zoe", "REGISTER\nTAKE OVER france@paris")
    letters = dailies(play, 1)
    assert "Zoe wants to play France: SET APPROVED France" in flat(letters[0])


# A paused game


def test_a_paused_game_stays_paused_when_it_is_taken_back(started: Play) -> None:
    play_two(started)
    promised = paris(started).game.deadline
    assert promised is not None
    started.send("max", "PAUSE 3 days")
    started.send("max", "ROLLBACK S1901M")
    game = paris(started).game
    assert (game.state, game.phase, game.deadline) == ("paused", "S1901M", None)
    assert "Only the game master of paris" in flat(started.answer("cleo", "RESUME"))
    started.send("max", "RESUME")
    game = paris(started).game
    assert game.state == "active"
    assert game.deadline is not None
    assert game.deadline >= promised
    started.send("max", "PAUSE")
    assert "paused the game" in flat(started.send("cleo", "AUDIT"))


def test_what_players_ask_for_is_in_the_daily_letter(play: Play) -> None:
    play.start("MOVE NEXT 10D CLOCK 20:00")
    play.send("max", "SET DAILY")
    play.answer("cleo", "SET DEADLINE 2026-06-30")
    letters = dailies(play, 1)
    assert "France asks for another deadline" in flat(letters[0])
