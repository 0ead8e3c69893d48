"""When phases run, what is made up for, and how games end."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from msgspec import structs

from judge.game import phases
from judge.game.state import State
from judge.rules.phase import Phase
from judge.rules.position import Unit
from judge.storage import StoredEnding, StoredOutcome
from tests.game.play import PEOPLE, Play, flat

OPENING = {
    "ann": "A Vie H\nA Bud H\nF Tri H",
    "bob": "F Lon H\nF Edi H\nA Lvp H",
    "cleo": "A Par H\nA Mar H\nF Bre H",
    "dora": "A Ber H\nA Mun H\nF Kie H",
    "emil": "A Rom H\nA Ven H\nF Nap H",
    "finn": "A Mos H\nA War H\nF Sev H\nF StP H",
    "gwen": "A Con H\nA Smy H\nF Ank H",
}


def paris(play: Play) -> State:
    game = play.storage.games.by_name("paris")
    assert game is not None
    return State(play.storage, game)


def deadline(play: Play) -> datetime:
    found = paris(play).game.deadline
    assert found is not None
    return found


def everybody(play: Play, *but: str) -> None:
    for who, orders in OPENING.items():
        if who not in but:
            play.send(who, orders)


def test_the_first_phase_has_twice_the_time(play: Play) -> None:
    play.start("MOVE NEXT 24H CLOCK NONE DAYS SMTWTFS")
    assert (deadline(play) - play.clock.now()).total_seconds() == 48 * 3600


def test_a_phase_runs_early_when_all_orders_are_in_and_second_thoughts_are_over(
    play: Play,
) -> None:
    play.start("MOVE DELAY 1H MIN 0")
    play.clock.advance(hours=3)
    everybody(play)
    assert play.judge.work() == 0
    # The first phase has twice the DELAY, and a change within it starts it anew.
    play.clock.advance(minutes=100)
    play.send("cleo", "A Par - Bur")
    play.clock.advance(minutes=119)
    assert play.judge.work() == 0
    play.clock.advance(minutes=1)
    assert play.judge.work() == 1
    assert paris(play).game.phase == "F1901M"


def test_min_keeps_phases_apart(play: Play) -> None:
    play.start("MOVE DELAY 0 MIN 12H")
    everybody(play)
    play.clock.advance(hours=11, minutes=59)
    assert play.judge.work() == 0
    play.clock.advance(minutes=1)
    assert play.judge.work() == 1


def test_wait_holds_a_phase_until_its_deadline_and_ends_with_it(play: Play) -> None:
    play.start("MOVE DELAY 0 MIN 0")
    everybody(play)
    play.send("cleo", "SET WAIT")
    play.clock.advance(hours=24)
    assert play.judge.work() == 0
    play.clock.set(deadline(play))
    assert play.judge.work() == 1
    assert not any(seat.wait for seat in paris(play).seats)


def test_no_wait_lets_it_run(play: Play) -> None:
    play.start("MOVE DELAY 0 MIN 0")
    play.send("cleo", "SET WAIT")
    everybody(play)
    assert play.judge.work() == 0
    play.send("cleo", "SET NO WAIT")
    assert play.judge.work() == 1


def test_who_is_missing_is_reminded_once_and_after_the_grace_not_waited_for(play: Play) -> None:
    play.start("NMR")
    everybody(play, "cleo", "dora")
    play.send("dora", "A Ber H")
    play.letters()
    reminders = play.wake()
    assert [(each.kind, each.to) for each in reminders] == [
        ("reminder", "cleo@people.example"),
        ("reminder", "dora@people.example"),
    ]
    assert (deadline(play) - play.clock.now()).total_seconds() == 8 * 3600
    assert "2 of 3 orders" in reminders[1].text
    kinds = {each.kind for each in play.lapse()}
    assert kinds == {"late", "abandoned", "results"}
    assert paris(play).game.phase == "F1901M"


def test_after_the_deadline_missing_retreats_and_removals_are_made_up_for(play: Play) -> None:
    play.start("NMR")
    everybody(play, "cleo", "dora")
    play.send("dora", "A Mun - Bur")
    play.send("cleo", "A Par - Pic, A Mar - Gas")
    play.lapse()
    everybody(play, "cleo", "dora", "gwen")
    play.send("cleo", "A Pic - Bur, A Gas S A Pic - Bur")
    play.send("dora", "A Bur H")
    play.send("gwen", "A Con - Bul")
    play.lapse()
    assert paris(play).game.phase == "F1901R"
    letters = play.lapse()
    runs = {run.phase: run for run in play.storage.history.of_game(paris(play).game.id)}
    line = runs["F1901R"].results["orders"]["Germany"][0]
    assert line["outcome"] == {"is": "Disbanded", "why": "unordered"}
    # Germany has two units left for its three centers, Turkey three for its four.
    assert paris(play).game.phase == "W1901A"
    assert set(paris(play).owed) == {"Germany", "Turkey"}
    turkey = next(each for each in letters if each.to.startswith("gwen"))
    assert "You may build 1 unit." in turkey.text
    play.lapse()
    assert paris(play).game.phase == "S1902M"
    assert len(paris(play).opened.units["Turkey"]) == 3


def test_phases_with_nothing_to_decide_are_skipped_and_kept_in_the_history(play: Play) -> None:
    play.start("NMR")
    for _ in range(2):
        everybody(play)
        play.lapse()
    phases = [run.phase for run in play.storage.history.of_game(paris(play).game.id)]
    assert phases == ["S1901M", "S1901R", "F1901M", "F1901R", "W1901A"]
    assert paris(play).game.phase == "S1902M"


def test_nobody_waits_for_a_power_in_civil_disorder(play: Play) -> None:
    play.start("MOVE DELAY 0 MIN 0, NMR")
    everybody(play, "cleo")
    assert play.judge.work() == 0
    play.lapse()
    assert paris(play).powers.condition("France") == "disorder"
    everybody(play, "cleo")
    assert play.judge.work() == 1
    assert paris(play).game.phase == "S1902M"


def test_all_survivors_can_agree_on_a_draw(play: Play) -> None:
    play.start()
    for who in PEOPLE[:-1]:
        play.send(who, "SET DRAW")
    assert play.judge.work() == 0
    play.send("gwen", "SET NO DRAW")
    assert play.judge.work() == 0
    play.send("gwen", "SET DRAW")
    play.letters()
    letters = play.run()
    assert {each.kind for each in letters} == {"end"}
    assert len(letters) == 8
    assert "the game is a draw, shared equally by Austria, England, France" in " ".join(
        letters[0].text.split()
    )
    game = paris(play).game
    assert game.state == "ended"
    assert game.wake_at is None
    assert game.outcome is not None
    assert game.outcome.ending == "draw"


def test_votes_end_with_their_phase_and_are_nobody_elses_business(play: Play) -> None:
    play.start("NMR")
    for who in PEOPLE[:-1]:
        play.send(who, "SET DRAW")
    everybody(play)
    letters = play.lapse()
    results = [each for each in letters if each.kind == "results"]
    told = {each.to.partition("@")[0] for each in results if "draw" in each.text.lower()}
    assert told == set(PEOPLE[:-1])
    assert not any(seat.draw for seat in paris(play).seats)
    play.send("gwen", "SET DRAW")
    assert play.judge.work() == 0


def test_who_has_resigned_has_no_say_in_a_draw(play: Play) -> None:
    play.start()
    play.sure("ann", "RESIGN")
    for who in PEOPLE[1:]:
        play.send(who, "SET DRAW")
    play.run()
    outcome = paris(play).game.outcome
    assert outcome is not None
    assert outcome.winners == ("England", "France", "Germany", "Italy", "Russia", "Turkey")


def test_the_turn_limit_ends_the_game_after_its_last_phase_and_ties_are_shared(
    play: Play,
) -> None:
    play.start("END AFTER F1901, NMR")
    play.send("gwen", "A Con - Bul")
    play.send("finn", "A War - Ukr, F Sev - Rum")
    play.lapse()
    play.send("gwen", "A Bul H")
    play.send("finn", "F Rum - Bla")
    letters = play.lapse()
    game = paris(play).game
    assert game.outcome == StoredOutcome(StoredEnding.TURN_LIMIT, ("Russia", "Turkey"), "F1901R")
    end = next(each for each in letters if each.kind == "end" and each.to.startswith("max"))
    told = " ".join(end.text.split())
    assert "Russia and Turkey have the most supply centers and share the victory" in told
    assert "1901     3   3   3   3   3   4   4" in end.text


@pytest.mark.parametrize("limit", ["30D", "2026-07-01 12:00"])
def test_the_time_limit_ends_the_game_without_running_the_open_phase(
    play: Play, limit: str
) -> None:
    play.start(f"MOVE NEXT 20D, TIME LIMIT {limit}")
    while paris(play).game.state == "active":
        play.wake()
    game = paris(play).game
    assert (play.clock.now().month, play.clock.now().day) == (7, 1)
    assert game.outcome == StoredOutcome(StoredEnding.TIME_LIMIT, ("Russia",))
    assert [run.phase for run in play.storage.history.of_game(game.id)] == []


def test_a_game_whose_end_was_missed_ends_now_and_is_not_overdue(play: Play) -> None:
    play.start()
    state, now = paris(play), play.clock.now()
    state.settings = structs.replace(state.settings, ends_at=now - timedelta(days=2))
    phases.reschedule(state, now)
    assert state.game.wake_at == now


def test_what_becomes_due_only_now_is_not_overdue(play: Play) -> None:
    """Or else the keeper is told of a deadline that nobody missed; one that is late stays so."""
    play.start("MOVE DELAY 1H MIN 0, ALWAYS WAIT")
    everybody(play)
    play.clock.advance(days=1)
    state, now = paris(play), play.clock.now()
    state.settings = structs.replace(state.settings, always_wait=False)
    phases.reschedule(state, now)
    assert state.game.wake_at == now
    phases.reschedule(state, now + timedelta(hours=1))
    assert state.game.wake_at == now


def test_eighteen_centers_win(play: Play) -> None:
    play.start()
    state = paris(play)
    position = state.opened
    # Russia is made to own 17 centers, with an army beside Sweden in a fall.
    russian = [
        *("mos", "sev", "stp", "war", "ank", "con", "smy", "bul", "rum", "gre", "ser"),
        *("bud", "vie", "tri", "ber", "mun", "nwy"),
    ]
    centers = {
        power: tuple(russian) if power == "Russia" else tuple(set(owned) - set(russian))
        for power, owned in position.centers.items()
    }
    units: dict[str, tuple[Unit, ...]] = {
        **dict.fromkeys(position.units, ()),
        "Russia": (Unit("A", "fin"),),
        "France": (Unit("A", "par"),),
    }
    fall = replace(position, phase=Phase.read("F1905M"), centers=centers, units=units)
    with play.storage.transaction():
        state.open(fall)
        state.save()
    play.send("finn", "A Fin - Swe")
    play.send("cleo", "A Par H")
    letters = [each for each in (*play.wake(), *play.run()) if each.kind == "end"]
    assert len(letters) == 8
    assert "Russia owns at least 18 supply centers and wins." in letters[0].text
    assert paris(play).game.outcome == StoredOutcome(StoredEnding.VICTORY, ("Russia",), "F1905R")


def test_a_game_nobody_plays_any_more_is_over(play: Play) -> None:
    play.start()
    for who in PEOPLE:
        play.sure(who, "RESIGN")
    letters = play.run()
    assert paris(play).game.outcome == StoredOutcome(StoredEnding.DESERTED, ())
    assert [each.to for each in letters if each.kind == "end"] == ["max@people.example"]


def test_after_an_outage_deadlines_lie_ahead_again(play: Play) -> None:
    play.start()
    everybody(play)
    play.clock.advance(days=60)
    play.judge.work()
    assert paris(play).game.phase == "F1901M"
    assert deadline(play) > play.clock.now()


def test_status_may_name_the_only_game(play: Play) -> None:
    play.start()
    assert "Austria: 3 orders of 3 are missing" in flat(play.answer("ann", "STATUS paris"))
    assert "line was not done" not in play.answer("ann", "STATUS paris").text
