"""What pictures of a game show to whom."""

from __future__ import annotations

from judge.game.state import State
from judge.game.visibility.readers import ANYBODY, JUDGE
from judge.game.visibility.shown_boards import last_played, now_view, past_view
from judge.maps import describe, draw
from judge.storage import GameState
from tests.game.play import Play


def paris(play: Play) -> State:
    game = play.storage.games.by_name("paris")
    assert game is not None
    return State(play.storage, game)


def person(state: State, power: str) -> int:
    seat = state.seats.player(power)
    assert seat is not None
    assert seat.person_id is not None
    return seat.person_id


def test_a_player_sees_the_board_and_his_own_orders(play: Play) -> None:
    play.start()
    play.send("cleo", "A Par - Bur\nF Bre H\nA Mar - Spa")
    state = paris(play)
    view = now_view(state, person(state, "France"), ["France"])
    assert [(told.power, str(told.order), told.done) for told in view.orders] == [
        ("France", "A par - bur", None),
        ("France", "F bre H", None),
        ("France", "A mar - spa", None),
    ]
    assert len(view.units) == 7
    assert not view.unseen
    assert now_view(state, ANYBODY).orders == ()


def test_in_a_blind_game_each_sees_his_own_part(play: Play) -> None:
    play.start("blind, NMR, MOVE GRACE 25H")
    play.send("cleo", "A Par - Bur\nF Bre H\nA Mar - Bur")
    play.send("dora", "A Mun - Bur\nF Kie H\nA Ber H")
    play.lapse()
    state = paris(play)
    run = last_played(state)
    assert run is not None
    cleo = person(state, "France")
    for view in (now_view(state, cleo), past_view(state, run, cleo)):
        shown = draw(view) + describe(view)
        assert {power for power, units in view.units.items() if units} <= {"France", "Germany"}
        assert "mos" in view.unseen
        assert "Moscow" not in describe(view)
        assert 'data-unit="A mos"' not in shown
    assert "A mos" in draw(past_view(state, run, JUDGE))
    told = past_view(state, run, cleo).orders
    assert {each.power for each in told} <= {"France", "Germany"}
    assert all(each.power == "France" for each in told if "ber" in str(each.order))
    assert not any(
        unit for units in past_view(state, run, ANYBODY).units.values() for unit in units
    )


def test_what_became_of_orders_is_in_the_picture_of_a_phase(play: Play) -> None:
    play.start("NMR, MOVE GRACE 25H")
    play.send("cleo", "A Par - Bur\nF Bre H\nA Mar - Spa")
    play.send("dora", "A Mun - Bur\nF Kie H\nA Ber H")
    play.lapse()
    state = paris(play)
    run = last_played(state)
    assert run is not None
    found = {
        str(told.order): (told.done, told.reason) for told in past_view(state, run, ANYBODY).orders
    }
    assert found.get("A par - bur") == (False, "bounced")
    assert found["A mar - spa"] == (True, None)
    assert past_view(state, run, ANYBODY, orders=False).orders == ()


def test_the_board_of_a_game_that_is_over_shows_nothing_to_be_decided(play: Play) -> None:
    play.start("NMR, MOVE GRACE 25H")
    play.send("cleo", "A Par - Bur\nF Bre H\nA Mar - Spa")
    play.lapse()
    play.lapse()
    state = paris(play)
    *_, run = state.storage.history.of_game(state.game.id)

    def decisions() -> list[object]:
        views = now_view(state, ANYBODY), past_view(state, run, ANYBODY).board
        return [each for view in views for each in (view.owed, view.sites) if each]

    assert len(decisions()) == 4
    state.game.state = GameState.ENDED
    assert decisions() == []
