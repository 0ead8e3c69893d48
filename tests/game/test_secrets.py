"""Lines of code by which somebody would know or do what is not theirs, each held by a test."""

from __future__ import annotations

from datetime import timedelta

import pytest

from judge.game.state import State
from judge.game.visibility import fog
from judge.interchange.stored_values import position_to_json
from judge.ops.forgetting import forget
from judge.rules.phase import Phase
from judge.storage import InboundState
from tests.game.play import Play

SECRET = "Nobody else may read this plan"


def paris(play: Play) -> State:
    game = play.storage.games.by_name("paris")
    assert game is not None
    return State(play.storage, game)


@pytest.mark.parametrize("all_press", [False, True])
def test_private_press_stands_in_the_history_of_whom_it_concerns(
    play: Play, all_press: bool
) -> None:
    play.start("ALL PRESS" if all_press else "NORMAL PRESS")
    play.send("zoe", "REGISTER Zoe")
    play.send("zoe", "OBSERVE paris")
    play.send("bob", f"PRESS TO France\n{SECRET}\nENDPRESS")
    play.send("max", "PROCESS S1901M")
    play.run()
    reads = {
        who: SECRET in play.send(who, "HISTORY paris").text
        for who in ("bob", "cleo", "dora", "zoe", "max")
    }
    writer_and_reader = {"bob": True, "cleo": True, "dora": False, "zoe": False}
    assert reads == writer_and_reader | {"max": all_press}


def test_a_mail_that_came_before_the_phase_counts_for_none_that_opened_since(play: Play) -> None:
    play.start()
    mail_id = play.mail("cleo", "A Par - Bur")
    with play.storage.transaction():
        play.storage.inbound.hold(mail_id, "for a test", play.clock.now())
    play.clock.advance(hours=1)
    play.send("max", "PROCESS S1901M")
    play.run()
    assert paris(play).game.phase == "F1901M"
    assert play.storage.inbound.retry(mail_id)
    play.run()
    mail = play.storage.inbound.find(mail_id)
    assert mail is not None
    assert mail.state is InboundState.DONE
    assert paris(play).orders.get("France", ()) == ()


def test_the_vote_of_who_has_left_is_not_counted(play: Play) -> None:
    play.start()
    play.send("emil", "SET DRAW")
    play.sure("emil", "RESIGN")
    play.send("zoe", "REGISTER Zoe")
    play.send("zoe", "TAKE OVER italy@paris")
    for who in ("ann", "bob", "cleo", "dora", "finn", "gwen"):
        play.send(who, "SET DRAW")
    play.run()
    assert paris(play).game.state == "active", "Zoe has not voted"


def test_who_is_out_is_hidden_where_nobody_sees(play: Play) -> None:
    play.start("BLIND")
    state = paris(play)
    gone = {power: own for power, own in state.opened.units.items() if power != "Turkey"}
    owned = {power: own for power, own in state.opened.centers.items() if power != "Turkey"}
    units = type(state.opened)(Phase.read("F1903M"), units=gone, centers=owned)
    game = state.game
    game.phase, game.position = "F1903M", position_to_json(units)
    with play.storage.transaction():
        play.storage.games.save(game)
    state = paris(play)
    person = play.storage.people.by_address("cleo@people.example")
    assert person is not None
    rows = {str(row["power"]): row for row in fog.standings(state, person.id)}
    assert [rows[each]["out"] for each in ("Turkey", "Germany")] == [False, False]
    assert rows["Turkey"]["count"] == rows["Germany"]["count"]


def test_the_name_of_who_is_forgotten_leaves_the_log(play: Play) -> None:
    play.send("zoe", "REGISTER\nname: Zoe Doe\nEND")
    now = play.clock.now()
    with play.storage.transaction():
        play.storage.events.log(
            now, "moved", {"who": "Zoe Doe", "to": ["Zoe Doe"]}, actor="Zoe Doe"
        )
    forget(play.storage, "zoe@people.example", now + timedelta(days=1))
    assert [each for each in play.storage.events.last(20) if "Zoe" in repr(each)] == []
