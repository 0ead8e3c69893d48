"""What masters can do, what is told about it, and what stays as it is when they may not."""

from __future__ import annotations

import pytest

from judge.game.state import State
from judge.storage import Storage
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
    assert "Spring 1901, movement has run." in flat(reply)
    state = paris(started)
    assert state.game.phase == "F1901M"
    assert all(state.condition(power) == "played" for power in state.variant.powers)
    assert "A bur" in [str(unit) for unit in state.opened.units["France"]]


@pytest.mark.parametrize("line", ["PROCESS", "PROCESS F1901M", "PROCESS paris", "PROCESS S1902M"])
def test_process_runs_nothing_unless_the_phase_is_named(started: Play, line: str) -> None:
    reply = started.send("max", line)
    assert "PROCESS S1901M" in reply.text
    assert "WHAT I COULD NOT USE" in reply.text
    assert ran(started.storage) == []


def test_a_mail_from_before_the_phase_runs_and_takes_back_nothing(started: Play) -> None:
    early = started.mail("max", "PROCESS S1901M\nROLLBACK S1901M")
    started.clock.advance(hours=1)
    started.send("max", "PROCESS S1901M")
    started.send("max", "ROLLBACK S1901M")
    started.judge.work_mail(early)
    assert paris(started).game.phase == "S1901M"
    assert ran(started.storage) == []


def test_a_preview_goes_to_the_masters_and_changes_nothing(started: Play) -> None:
    started.send("cleo", "A Par - Bur")
    before = paris(started)
    started.letters()
    started.send("max", "PREDICT")
    letters = {letter.kind: letter for letter in started.letters()}
    assert letters["preview"].to == "max@people.example"
    assert set(letters) == {"preview", "reply"}
    assert "Army Paris moves to Burgundy." in letters["preview"].text
    after = paris(started)
    assert ran(started.storage) == []
    assert (after.game.phase, after.game.deadline) == (before.game.phase, before.game.deadline)
    assert files(after) == files(before)


def test_a_player_can_neither_look_nor_run(started: Play) -> None:
    started.letters()
    reply = started.answer("cleo", "PREDICT\nPROCESS S1901M\nROLLBACK S1901M\nRESTORE")
    assert flat(reply).count("Only the master of paris can do that") == 4
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


def test_a_rollback_brings_back_position_orders_and_a_fresh_deadline(started: Play) -> None:
    first = paris(started)
    play_two(started)
    started.send("cleo", "B F Bre\nWAIVE")
    promised = paris(started).game.deadline
    started.letters()
    started.clock.advance(hours=5)
    reply = started.send("max", "ROLLBACK S1901M")
    assert "S1901M" not in flat(reply).partition("WHAT I COULD NOT USE")[2]
    state = paris(started)
    assert state.game.phase == "S1901M"
    assert state.opened == first.opened
    assert files(state) == {"France": ["A mar - spa", "F bre - mid", "A par H"]}
    assert state.game.opened_at == started.clock.now()
    assert state.game.deadline is not None
    assert promised is not None
    assert state.game.deadline >= promised
    assert state.game.deadline >= started.clock.now().replace(second=0)
    assert started.storage.orders.of_power(state.game.id, "France").keys() == {"S1901M"}
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
    assert counts(summary) == {"Start", "1901"}
    assert "  3   3   4   3" in summary
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
    assert paris(started).complete()
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


def test_nothing_is_restored_when_something_has_run_since(started: Play) -> None:
    play_two(started)
    started.send("max", "ROLLBACK F1901M")
    wrong = started.send("max", "RESTORE S1901M")
    assert "the last rollback was to F1901M" in flat(wrong)
    started.send("max", "PROCESS F1901M")
    assert "There is no rollback of paris to be taken back" in flat(started.send("max", "RESTORE"))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("ROLLBACK", "name the phase"),
        ("ROLLBACK W1901A", "has not run"),
        ("ROLLBACK S1902M", "has not run"),
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
    assert "The game is not over any more" in flat(
        next(letter for letter in play.letters() if letter.kind == "rollback")
    )
    play.send("max", "RESTORE")
    again = paris(play)
    assert (again.game.state, again.game.outcome) == ("ended", ended.game.outcome)
    assert again.game.ended_at == ended.game.ended_at
    assert again.game.wake_at is None
