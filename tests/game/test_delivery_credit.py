"""Nobody is late for what the judge did not deliver: the deadline moves."""

from __future__ import annotations

from datetime import timedelta

from judge.storage.models import OutboundRow
from tests.game.play import Play, flat
from tests.game.test_clock import PACE, at, clock
from tests.game.test_phases import everybody, paris


def hold_post(play: Play, *who: str) -> list[int]:
    """Letters on their way to these people stay there; their ids."""
    found = []
    for number in range(1, 1000):
        letter = play.storage.outbound.find(number)
        if letter is None:
            break
        if letter.recipient.partition("@")[0] in who and letter.state == "queued":
            later = play.clock.now() + timedelta(days=300)
            play.storage.outbound.failed(letter.id, "try again later", later)
            found.append(letter.id)
    return found


def test_a_letter_on_its_way_moves_the_deadline_by_a_day_at_a_time(play: Play) -> None:
    play.start(PACE)
    held = hold_post(play, "cleo")
    everybody(play, "cleo")
    hold_post(play, "cleo")
    play.clock.set(at("2026-06-05 20:00"))
    told = [letter for letter in play.run() if letter.kind == "deadline"]
    assert clock(play) == (at("2026-06-06 20:00"), at("2026-06-08 20:00"))
    assert "did not reach a player in time" in flat(told[0])
    hold_post(play, "cleo")
    play.clock.set(at("2026-06-06 20:00"))
    play.run()
    assert clock(play)[0] == at("2026-06-07 20:00")
    hold_post(play, "cleo")
    # It arrives six days after it was written; two of them were given.
    play.clock.set(at("2026-06-07 12:00"))
    for number in held:
        play.storage.outbound.sent(number, play.clock.now())
    play.clock.set(at("2026-06-07 20:00"))
    play.run()
    assert clock(play)[0] == at("2026-06-11 20:00")
    play.clock.set(at("2026-06-11 20:00"))
    assert {letter.kind for letter in play.run()} >= {"late"}
    assert clock(play)[0] == at("2026-06-11 20:00")


def test_a_letter_that_came_back_moves_it_by_one_day_once(play: Play) -> None:
    play.start(PACE)
    play.unreachable.add("cleo@people.example")
    everybody(play, "cleo")
    play.clock.set(at("2026-06-05 20:00"))
    play.run()
    assert clock(play)[0] == at("2026-06-06 20:00")
    play.clock.set(at("2026-06-06 20:00"))
    # The letter that says who is late is on its way then, and moves nothing.
    for _ in range(3):
        play.judge.run_game(1)
        assert clock(play)[0] == at("2026-06-06 20:00")
    play.run()
    assert clock(play)[0] == at("2026-06-06 20:00")
    assert paris(play).game.phase == "S1901M"


def test_who_had_his_letter_in_time_is_late(play: Play) -> None:
    play.start(PACE)
    everybody(play, "cleo")
    play.clock.set(at("2026-06-05 20:00"))
    assert {letter.kind for letter in play.run()} >= {"late"}
    assert clock(play)[0] == at("2026-06-05 20:00")


def test_an_undelivered_letter_to_somebody_whose_orders_are_in_moves_nothing(play: Play) -> None:
    play.start(PACE)
    everybody(play, "dora")
    hold_post(play, "cleo")
    play.clock.set(at("2026-06-05 20:00"))
    play.run()
    assert clock(play)[0] == at("2026-06-05 20:00")


def test_time_given_for_letters_stands_in_the_log(play: Play) -> None:
    play.start(PACE)
    hold_post(play, "cleo")
    everybody(play, "cleo")
    hold_post(play, "cleo")
    play.clock.set(at("2026-06-05 20:00"))
    play.run()
    told = [each.facts for each in play.storage.events.last(30) if each.what == "undelivered"]
    assert told == [{"phase": "S1901M", "seconds": timedelta(days=1).total_seconds()}]


def test_who_was_written_nothing_about_the_phase_is_late_like_others(play: Play) -> None:
    play.start(PACE)
    everybody(play, "cleo")
    with play.storage.transaction():
        play.storage._engine.run(
            OutboundRow.update(game_id=None).where(OutboundRow.recipient == "cleo@people.example")
        )
    play.clock.set(at("2026-06-05 20:00"))
    assert {letter.kind for letter in play.run()} >= {"late"}
    assert clock(play)[0] == at("2026-06-05 20:00")
