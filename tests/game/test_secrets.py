"""Lines of code by which somebody would know or do what is not theirs, each held by a test."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace

import pytest

from judge import variants
from judge.game import endings
from judge.game.state import State
from judge.game.state.profile import TrustLevel
from judge.game.visibility import fog, identity
from judge.game.visibility.eyes import ANYBODY, JUDGE, Eyes
from judge.intake.authentication import is_surely, level
from judge.intake.reception import awaited
from judge.interchange.stored_values import position_to_json
from judge.ops.forgetting import forget
from judge.rules.phase import Phase
from judge.rules.position import Position, Unit
from judge.storage import (
    Condition,
    InboundMessage,
    InboundState,
    Role,
    SeatOptions,
    SeatState,
    Vote,
)
from tests.game.play import Play
from tests.game.test_phases import everybody

SECRET = "Nobody else may read this plan"


def paris(play: Play) -> State:
    game = play.storage.games.by_name("paris")
    assert game is not None
    return State(play.storage, game)


def person_id(play: Play, who: str) -> int:
    person = play.storage.people.by_address(f"{who}@people.example")
    assert person is not None
    return person.id


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


def waited_for(play: Play) -> InboundMessage | None:
    game = paris(play).game
    assert game.deadline is not None
    return awaited(play.storage, play.judge.profile, game, game.deadline)


def test_no_phase_waits_for_a_mail_that_was_held_before_it_opened(play: Play) -> None:
    play.start()
    mail_id = play.mail("cleo", "A Par - Bur")
    with play.storage.transaction():
        play.storage.inbound.blame(mail_id, "a bug", play.clock.now())
        play.storage.inbound.hold(mail_id, "a bug", play.clock.now())
    assert waited_for(play) is not None
    play.clock.advance(hours=1)
    play.send("max", "PROCESS S1901M")
    play.run()
    assert paris(play).game.phase == "F1901M"
    assert waited_for(play) is None


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


def test_the_vote_of_who_fell_silent_is_not_there_again_when_they_are_back(play: Play) -> None:
    play.start("NO CARETAKER")
    everybody(play, "emil")
    play.send("emil", "SET DRAW")
    while "Italy" not in paris(play).powers.vacant():
        play.wake()
    for who in ("ann", "bob", "cleo", "dora", "finn", "gwen"):
        play.send(who, "SET DRAW")
    play.run()
    assert paris(play).game.state == "active", "nobody votes for Italy"
    play.send("emil", "A Ven H")
    play.run()
    assert paris(play).seats.player("Italy") is not None
    assert paris(play).game.state == "active", "Emil has not voted since"
    play.send("emil", "SET DRAW")
    play.run()
    assert paris(play).game.state == "ended"


def test_only_the_votes_of_those_who_play_are_counted(play: Play) -> None:
    play.start("NO CARETAKER")
    state = paris(play)
    for seat in state.seats:
        seat.draw = Vote("all")
    assert endings.agreed(state) is not None
    italy = state.seats.holder("Italy")
    assert italy is not None
    italy.state, italy.options = SeatState.ABANDONED, SeatOptions(condition=Condition.ABANDONED)
    assert endings.agreed(state) is None


def test_a_blind_player_does_not_learn_what_kept_a_unit_out_of_where_nobody_sees(
    play: Play,
) -> None:
    play.start("BLIND")
    with play.storage.transaction():
        state = paris(play)
        units = dict(state.opened.units)
        units |= {"England": (Unit("A", "lon"), Unit("F", "eng"))}
        units |= {"France": (Unit("F", "mid"), Unit("A", "por"))}
        state.open(replace(state.opened, units=units))
        state.save()
    play.send("bob", "A Lon - Por\nF Eng C A Lon - Por")
    play.send("cleo", "F Mid C A Lon - Por\nA Por H")
    play.letters()
    play.send("max", "PROCESS S1901M")
    play.run()
    state = paris(play)
    run = play.storage.history.find(state.game.id, "S1901M")
    assert run is not None
    told = {
        who: next(
            line
            for line in fog.report(state, run, person_id(play, who))["orders"]["England"]
            if line["unit"] == "A lon"
        )
        for who in ("bob", "max")
    }
    assert told["max"]["reason"] == "bounced"
    assert [told["bob"][each] for each in ("done", "reason", "outcome")] == [False, None, None]


def test_nobody_is_named_by_what_else_they_are_or_by_having_left(play: Play) -> None:
    play.send("max", "CREATE ?paris gunboat, unmoderated, PLAYERS 3")
    for who in ("ann", "bob", "cleo"):
        play.send(who, "JOIN paris")
    play.run()
    state = paris(play)
    ann = play.storage.people.by_address("ann@people.example")
    bob = play.storage.people.by_address("bob@people.example")
    assert ann is not None
    assert bob is not None
    mine = state.seats.parts_of(ann.id)
    assert len(mine) > 1
    assert identity.called(state, ann, bob.id) == ", ".join(mine)
    state.seats.of(ann.id)[-1].role = Role.OBSERVER
    assert "Ann" not in identity.called(state, ann, bob.id)
    for seat in state.seats.of(ann.id):
        seat.state = SeatState.RESIGNED
    assert identity.called(state, ann, bob.id) == "A player"


@pytest.mark.parametrize(("options", "until"), [("", "end"), (", NO REVEAL", "always")])
def test_a_reader_is_told_until_when_names_are_hidden_from_them(
    play: Play, options: str, until: str
) -> None:
    play.start(f"gunboat{options}")
    state = paris(play)
    found = {who: Eyes(state, person_id(play, who)).people()["hidden"] for who in ("cleo", "max")}
    assert found == {"cleo": until, "max": None}
    assert Eyes(state, ANYBODY).people()["hidden"] == until
    assert Eyes(state, JUDGE).people()["hidden"] is None


def test_how_many_play_is_a_secret_until_the_game_starts(play: Play) -> None:
    play.send("max", "CREATE ?paris gunboat, SECRET")
    play.send("cleo", "JOIN paris")
    forming = paris(play)
    assert Eyes(forming, ANYBODY).count is None
    assert Eyes(forming, person_id(play, "max")).count == 1
    for who in ("ann", "bob", "dora", "emil", "finn", "gwen"):
        play.send(who, "JOIN paris")
    play.run()
    assert Eyes(paris(play), ANYBODY).count == 7


def test_a_host_who_plays_or_has_played_sees_no_more_than_others(play: Play) -> None:
    play.start("gunboat")
    play.send("zoe", "OBSERVE paris")
    state, zoe = paris(play), person_id(play, "zoe")
    (watches,) = state.seats.of(zoe)
    watches.options = SeatOptions(host=True)
    assert identity.knows_all(state, zoe)
    assert not identity.knows_all(state, ANYBODY)
    for how in (SeatState.ACTIVE, SeatState.RESIGNED):
        played = state.seats.new(zoe, Role.PLAYER, play.clock.now(), state=how)
        state.seats.append(played)
        assert not identity.knows_all(state, zoe)
        state.seats.remove(played)


def test_an_address_is_taken_out_of_unsigned_press_however_it_is_written() -> None:
    text = "Write to ANN@People.Example today."
    assert "nn@" not in identity.plain(text, ["Ann", "ann@people.example"]).casefold()


def test_a_power_sees_around_a_center_where_none_of_its_units_is() -> None:
    standard = variants.load("standard")
    at = Position(Phase.read("F1901M"), units={}, centers={"France": ("lon",)})
    assert fog.seen(standard, at, ["France"]) == {"lon", "wal", "yor", "eng", "nth"}
    assert fog.seen(standard, at, ["Germany"]) == set()


@pytest.mark.parametrize(
    ("signed", "proved"), [((), False), ((1,), False), ((2,), False), ((1, 2), True)]
)
def test_who_acts_in_two_seats_signs_on_to_both(
    play: Play, signed: tuple[int, ...], proved: bool
) -> None:
    play.send("max", "CREATE ?paris")
    state = paris(play)
    seats = [state.seats.new(1, Role.PLAYER, play.clock.now(), id=each) for each in (1, 2)]
    sender = SimpleNamespace(
        verified=False,
        confirmed=False,
        known_before=True,
        mailbox=None,
        way=None,
        signed=signed,
        proof=None,
        answered=None,
    )
    cursor = SimpleNamespace(state=state, seats=seats, became=None, sender=sender)
    assert (level(cursor, state) is TrustLevel.TOKEN) is proved  # type: ignore[arg-type]


def test_diaries_are_closed_until_the_end(play: Play) -> None:
    play.start()
    play.send("cleo", f"DIARY\n{SECRET}\nENDDIARY")
    state = paris(play)
    seat = state.seats.holder("France")
    assert seat is not None
    assert play.storage.diaries.of_seat(seat.id)
    assert Eyes(state, person_id(play, "max")).diaries() == {}
    play.sure("max", "TERMINATE paris")
    assert list(Eyes(paris(play), ANYBODY).diaries()) == ["France"]


@pytest.mark.parametrize("of", ["paris", "rome"])
def test_the_reply_address_of_one_game_runs_no_other(play: Play, of: str) -> None:
    addresses = {}
    for name in ("paris", "rome"):
        play.send("max", f"CREATE ?{name}")
        addresses[name] = play.last_reply_to("max@people.example")
    play.judge.process_message(play.mail("max", "SIGN ON paris\nSET NMR", to=addresses[of]))
    assert paris(play).settings.nmr is (of == "paris")


@pytest.mark.parametrize(
    ("proof", "verified", "way", "sure"),
    [
        ("token", False, None, True),
        (None, True, None, True),
        (None, False, "usual", True),
        (None, False, "other", False),
        (None, False, None, False),
    ],
)
def test_what_shows_whose_a_mail_is(
    proof: str | None, verified: bool, way: str | None, sure: bool
) -> None:
    mailbox = SimpleNamespace(ways=["usual"])
    sender = SimpleNamespace(verified=verified, mailbox=mailbox, way=way, proof=proof)
    assert is_surely(sender) is sure  # type: ignore[arg-type]


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
    cleo = person_id(play, "cleo")
    rows = {str(row["power"]): row for row in fog.standings(state, cleo)}
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


def test_who_steps_through_a_blind_game_is_told_what_their_units_see(play: Play) -> None:
    play.send("ann", "REGISTER Ann")
    play.send("ann", "JOIN PRACTICE\nSET BLIND")
    play.run()
    answer = play.send("ann", "PROCESS")
    assert "England: F edi, A lvp, F lon" in answer.text
    assert not re.search(r"Turkey|Russia|A mos|F ank", answer.text)


def test_only_the_writer_reads_in_the_history_to_whom_a_faked_message_went(play: Play) -> None:
    play.start("PARTIAL MAY BE FAKED")
    play.send("ann", f"PRESS TO F FAKE TO FG\n{SECRET}\nENDPRESS")
    play.send("ann", "PRESS TO G\nThis one says to whom it goes\nENDPRESS")
    went = {
        who: [
            (said["mine"], said["went"]) for said in Eyes(paris(play), person_id(play, who)).press()
        ]
        for who in ("ann", "cleo", "dora")
    }
    assert went == {
        "ann": [(True, ["France"]), (True, None)],
        "cleo": [(False, None)],
        "dora": [(False, None)],
    }


@pytest.mark.parametrize(
    ("rules", "who", "shown"),
    [("BLIND", "zoe", False), ("BLIND", "ann", True), ("BLIND", "max", True), ("", "zoe", True)],
)
def test_a_board_is_shown_to_who_sees_all_of_it_or_has_units_on_it(
    play: Play, rules: str, who: str, shown: bool
) -> None:
    play.start(rules)
    play.send("zoe", "REGISTER Zoe")
    play.send("zoe", "OBSERVE paris")
    state = paris(play)
    opened = Eyes(state, person_id(play, who)).picture()
    play.send("max", "PROCESS S1901M")
    play.run()
    run = Eyes(paris(play), person_id(play, who)).phases()[0]
    assert [opened is not None, run.picture() is not None] == [shown, shown]
