"""The caretaker: a computer that orders for powers which nobody plays any more."""

from __future__ import annotations

from datetime import timedelta

import pytest

from judge import variants
from judge.bots import orders_of
from judge.bots.levels import CARETAKER
from judge.game.people.lateness import ordered_for
from judge.game.state import State
from judge.rules import engine
from judge.rules.board import province_of
from judge.rules.orders import Build, Disband, Move, Order
from judge.rules.phase import Kind
from judge.rules.position import Position
from judge.rules.variant import Variant
from judge.storage import StoredEnding
from tests.game.play import Play
from tests.game.test_lateness import PACE, conduct, flat, grace, kinds, pass_deadline
from tests.game.test_phases import deadline, everybody, paris

CARED = PACE.replace("NO CARETAKER", "CARETAKER")


@pytest.fixture
def cared(play: Play) -> Play:
    """France did not order in S1901M, so that the caretaker did; now it is F1901M."""

    def make() -> None:
        pass_deadline(play, "cleo", options=CARED)
        play.send("cleo", "A Par - Bur")
        play.clock.set(grace(play) - timedelta(minutes=1))
        play.run()
        assert paris(play).game.phase == "S1901M"
        play.clock.set(grace(play))
        play.run()
        assert paris(play).game.phase == "F1901M"

    play.begin("cared", make=make)
    play.letters()
    return play


def test_the_phase_runs_with_its_orders_and_those_that_were_left(cared: Play) -> None:
    run = cared.storage.history.find(paris(cared).game.id, "S1901M")
    assert run is not None
    assert "A par - bur" in run.orders["France"]
    assert len(run.orders["France"]) == 3
    assert paris(cared).powers.condition("France") == "caretaker"
    assert conduct(cared, "cleo") == [("S1901M", "abandoned")]
    # Nobody waits for France from here on.
    assert "France" not in paris(cared).sheets.missing()
    everybody(cared, "cleo")
    cared.clock.advance(hours=2)
    cared.run()
    assert paris(cared).game.phase != "F1901M"


def test_everybody_is_told_what_the_caretaker_plays(play: Play) -> None:
    pass_deadline(play, "cleo", options=CARED)
    play.letters()
    play.clock.set(grace(play))
    letters = {each.to.partition("@")[0]: each for each in play.run() if each.kind == "results"}
    assert {"ann", "cleo", "max"} <= set(letters)
    for letter in letters.values():
        assert "The caretaker, a computer, ordered for France." in flat(letter.text)
    told = flat(letters["ann"].text)
    assert "The caretaker, a computer, orders for it and defends it" in told
    assert "TAKE OVER france@paris" in told
    assert "caretaker" not in flat(next(iter(pass_on(play))).text)


def pass_on(play: Play) -> list:  # type: ignore[type-arg]
    """The player of France is back, so that the next results name nobody."""
    play.send("cleo", "SET NO WAIT")
    everybody(play)
    play.send("cleo", "SET NO WAIT")
    play.clock.advance(hours=2)
    return [each for each in play.run() if each.kind == "results"]


@pytest.mark.parametrize(("line", "waits"), [("SET NO WAIT", False), ("SET WAIT", True)])
def test_what_who_is_back_says_of_waiting_counts(cared: Play, line: str, waits: bool) -> None:
    """The caretaker has ordered for France, for which its player would be given time."""
    assert ordered_for(paris(cared), "France")
    cared.send("cleo", f"F Bre H\n{line}")
    seat = paris(cared).seats.player("France")
    assert seat is not None
    assert seat.wait is waits


def test_who_it_plays_for_is_told_so_once_a_letter(play: Play) -> None:
    pass_deadline(play, "cleo", options=CARED)
    play.letters()
    play.clock.set(grace(play))
    results = [each for each in play.run() if each.kind == "results"]
    (letter,) = [each for each in results if each.to.startswith("cleo")]
    for part in (letter.text, *letter.contents("text/html")):
        assert " ".join(part.split()).count("plays France for you") == 1


def test_it_is_not_said_to_have_ordered_for_who_left_orders_for_all_units(play: Play) -> None:
    """Ann plays England, Germany and Austria, and lacks an order for one unit of Austria."""
    options = f"standard, PLAYERS 3, {CARED}"
    play.send("max", f"CREATE ?paris {options}\nSET NO DAILY")
    for who, wish in (("ann", "E"), ("bob", "R"), ("cleo", "T")):
        play.send(who, f"JOIN paris\nSET PREFERENCE {wish}")
    play.judge.work()
    for who in ("bob", "cleo"):
        play.send(who, all_hold(play, who))
    play.send("ann", all_hold(play, "ann").replace("A vie H\n", ""))
    play.letters()
    while paris(play).game.phase == "S1901M":
        play.wake()
    ran = play.storage.history.find(paris(play).game.id, "S1901M")
    assert ran is not None
    assert ran.results["caretaker"] == ["Austria"]


def all_hold(play: Play, who: str) -> str:
    """Orders that let all units of somebody hold."""
    state, person = paris(play), play.storage.people.by_address(f"{who}@people.example")
    assert person is not None
    powers = [seat.power for seat in state.seats.of(person.id)]
    units = [unit for power in powers if power for unit in state.opened.units[power]]
    return "".join(f"{unit} H\n" for unit in units)


def test_a_quiet_game_tells_nobody(play: Play) -> None:
    pass_deadline(play, "cleo", options=f"{CARED}, QUIET")
    play.letters()
    play.clock.set(grace(play))
    results = [each for each in play.run() if each.kind == "results"]
    assert results
    assert not any("caretaker, a computer, ordered" in flat(each.text) for each in results)


@pytest.mark.parametrize("line", ["F Bre H", "STATUS"])
def test_the_player_comes_back_and_has_time(cared: Play, line: str) -> None:
    cared.send("cleo", line)
    assert paris(cared).powers.condition("France") == "played"
    # What the caretaker ordered is not carried out before they have read it.
    everybody(cared, "cleo")
    cared.clock.advance(hours=2)
    cared.run()
    assert paris(cared).game.phase == "F1901M"
    cared.send("cleo", "SET NO WAIT")
    cared.clock.advance(hours=2)
    cared.run()
    assert paris(cared).game.phase != "F1901M"


def test_whose_power_it_plays_is_not_told_that_the_orders_are_their_own(cared: Play) -> None:
    cared.clock.set(deadline(cared))
    late = [each for each in cared.run() if each.kind == "late"]
    (told,) = [each for each in late if each.to.startswith("cleo")]
    assert "your own orders are in" not in flat(told.text).lower()
    assert "plays France for you" in flat(told.text)
    assert "TAKE OVER" not in told.text
    (other,) = [each for each in late if each.to.startswith("ann")]
    assert "TAKE OVER france@paris" in flat(other.text)


def test_somebody_takes_over_and_no_deadline_moves(cared: Play) -> None:
    before = deadline(cared)
    cared.send("zoe", "REGISTER")
    assert cared.send("zoe", "TAKE OVER france@paris").kind == "reply"
    assert paris(cared).powers.condition("France") == "played"
    assert deadline(cared) == before
    assert {seat.power for seat in paris(cared).seats if seat.wait} == {"France"}


def test_a_resigned_power_is_played_at_once(play: Play) -> None:
    play.start(CARED)
    play.sure("cleo", "RESIGN")
    play.run()
    state = paris(play)
    assert state.powers.condition("France") == "caretaker"
    assert state.sheets.of("France").complete
    assert state.powers.open() == ["France"]


def test_volunteers_are_asked_once_a_week(cared: Play) -> None:
    cared.send("zoe", "SET STANDIN")
    for _ in range(15):
        cared.clock.advance(hours=25)
        everybody(cared, "cleo")
        cared.send("ann", "SET WAIT")
        cared.run()
    calls = [each for each in cared.storage.outbound.of_person(8 + 1) if each.kind == "wanted"]
    assert len(calls) in (2, 3)


def test_without_it_the_game_waits(play: Play) -> None:
    pass_deadline(play, "cleo", options=f"{PACE}, NO CARETAKER")
    play.clock.set(grace(play))
    play.run()
    assert paris(play).powers.condition("France") == "abandoned"
    assert paris(play).sheets.bots_owing() == {}
    play.send("max", "SET CARETAKER")
    play.run()
    assert paris(play).game.phase == "F1901M"


def test_it_is_the_default_where_others_wait(play: Play) -> None:
    play.send("max", "CREATE ?lab solo")
    alone = play.storage.games.by_name("lab")
    assert alone is not None
    assert not State(play.storage, alone).terms.caretaker
    play.send("max", "CREATE ?paris standard")
    assert paris(play).terms.caretaker
    play.send("max", "SET PUBLIC")
    assert paris(play).terms.caretaker
    # Who asks for NMR has said what becomes of missing orders.
    play.send("max", "SET MOVE GRACE 48H\nSET RETREAT GRACE 48H\nSET ADJUST GRACE 48H\nSET NMR")
    assert paris(play).terms.nmr
    assert not paris(play).terms.caretaker
    play.send("max", "SET CARETAKER")
    assert paris(play).terms.caretaker
    play.send("max", "SET NO CARETAKER")
    assert not paris(play).terms.caretaker


def test_nmr_changes_nothing_then(play: Play) -> None:
    pass_deadline(play, "cleo", options=f"{CARED}, NMR")
    play.clock.set(grace(play) - timedelta(minutes=1))
    play.run()
    assert paris(play).powers.condition("France") == "played"
    play.clock.set(grace(play))
    play.run()
    assert paris(play).powers.condition("France") == "caretaker"
    assert paris(play).game.phase == "F1901M"


SILENT = ("cleo", "dora", "emil", "finn")


def test_a_game_in_which_four_fall_silent_comes_to_its_end(play: Play) -> None:
    pass_deadline(play, *SILENT, options=f"{CARED}, TURN LIMIT F1902")
    for _ in range(200):
        if paris(play).game.state == "ended":
            break
        everybody(play, *SILENT)
        play.wake()
    outcome = paris(play).game.outcome
    assert outcome is not None
    assert outcome.ending == StoredEnding.TURN_LIMIT
    runs = play.storage.history.of_game(paris(play).game.id)
    assert runs[0].phase == "S1901M"
    waited = runs[-1].processed_at - runs[0].processed_at
    # Nobody was waited for after the first grace period.
    assert waited <= timedelta(hours=24) * len(runs)


def test_those_who_are_left_agree_on_a_draw(cared: Play) -> None:
    for who in ("ann", "bob", "dora", "emil", "finn", "gwen"):
        cared.send(who, "SET DRAW")
    cared.run()
    outcome = paris(cared).game.outcome
    assert outcome is not None
    assert outcome.ending == StoredEnding.DRAW
    assert "France" not in outcome.winners


def test_a_game_of_four_that_all_leave_ends(play: Play) -> None:
    play.send("max", "CREATE ?paris standard\nSET NO DAILY\nSET PLAYERS 4 EVENLY\nSET CARETAKER")
    play.send("max", f"SET {PACE}")
    for who in ("ann", "bob", "cleo", "dora"):
        play.send(who, "JOIN paris")
    play.run()
    assert paris(play).game.state == "active"
    for _ in range(60):
        if paris(play).game.state == "ended":
            break
        play.wake()
    assert paris(play).game.state == "ended"
    # It did not play on alone: anybody who comes back finds the game as it was left.
    assert play.storage.history.of_game(paris(play).game.id) == []


def test_the_reader_of_history_sees_it_again(cared: Play) -> None:
    assert "ordered for France" in flat(cared.send("ann", "HISTORY paris").text)


def legal(variant: Variant, position: Position, power: str, orders: list[Order]) -> None:
    for order in orders:
        assert engine.check(variant, position, power, order).problem is None, order


@pytest.mark.parametrize("board", ["standard", "hundred", "era_of_empire"])
def test_it_takes_nothing_that_others_own(board: str) -> None:
    variant = variants.load(board)
    position = variant.opening
    powers = [power for power in variant.powers if position.units.get(power)]
    for number in range(12):
        orders = {}
        for power in powers:
            level = CARETAKER if power == powers[0] else "easy"
            orders[power] = orders_of(variant, position, power, level, seed=number)
        legal(variant, position, powers[0], orders[powers[0]])
        if position.phase.kind is Kind.MOVEMENT:
            taken = {province_of(o.to) for o in orders[powers[0]] if isinstance(o, Move)}
            others = set(powers) - {powers[0]}
            assert not taken & {c for p in others for c in position.centers.get(p, ())}
            stand = {u.province for p in others for u in position.units.get(p, ())}
            assert not taken & stand
        elif position.phase.kind is Kind.ADJUSTMENTS:
            assert all(isinstance(o, Build | Disband) or str(o) for o in orders[powers[0]])
        position = engine.adjudicate(variant, position, orders).position


def test_a_draw_says_whom_it_leaves_out_and_its_end_who_played_when(cared: Play) -> None:
    cared.send("zoe", "REGISTER")
    cared.sure("dora", "RESIGN")
    cared.send("zoe", "TAKE OVER germany@paris")
    told = flat(cared.send("ann", "SET DRAW").text)
    assert "A draw would leave out France" in told
    assert "leave out" not in flat(cared.send("ann", "SET NO DRAW").text)
    cared.send("ann", "SET DRAW")
    for who in ("bob", "zoe", "emil", "finn", "gwen"):
        cared.send(who, "SET DRAW")
    text = next(flat(each.text) for each in cared.run() if each.kind == "end")
    outcome = paris(cared).game.outcome
    assert outcome is not None
    assert "France" not in outcome.winners
    assert "Nobody played France at the end" in text
    assert "The caretaker, a computer, ordered for France." in text
    assert "The last phase that I adjudicated was Spring 1901" in text
    assert "Germany: Dora, who resigned Germany from Fall 1901, movement: Zoe" in text


def test_who_is_away_for_a_year_hears_once_a_phase_and_is_back_with_one_word(cared: Play) -> None:
    while paris(cared).opened.phase.year == 1901:
        everybody(cared, "cleo")
        letters = cared.lapse()
    assert "away" in kinds(letters)
    everybody(cared, "cleo")
    cared.send("bob", "BROADCAST\nIs anybody there?\nENDPRESS")
    letters = [each for each in cared.lapse() if each.to.startswith("cleo")]
    assert [each.kind for each in letters] == ["away"]
    assert len(letters[0].text) < 400
    assert paris(cared).powers.condition("France") == "caretaker"
    cared.send("cleo", "BACK", answers=letters[0])
    assert paris(cared).powers.condition("France") == "played"
    assert "results" in [each.kind for each in cared.lapse() if each.to.startswith("cleo")]


def test_who_comes_back_hears_once_more_that_their_vote_has_ended(play: Play) -> None:
    pass_deadline(play, "cleo", options=CARED)
    play.send("cleo", "SET DRAW")
    play.clock.set(grace(play))
    play.run()
    assert paris(play).powers.condition("France") == "caretaker"
    assert "To cast it again, reply SET DRAW" in flat(play.send("cleo", "BACK").text)
    assert "To cast it again" not in flat(play.send("cleo", "STATUS").text)


def test_who_comes_back_is_offered_once_more_what_waits_for_a_yes(play: Play) -> None:
    pass_deadline(play, "cleo")
    play.clock.set(grace(play) - timedelta(hours=1))
    play.run()
    assert "REPLY YES OR NO" in play.send("cleo", "What about GO TO BURGUNDY?\nRESIGN").text
    play.clock.set(grace(play))
    play.run()
    assert paris(play).powers.condition("France") == "abandoned"
    back = play.send("cleo", "BACK")
    assert "REPLY YES OR NO" in back.text
    assert "REPLY YES OR NO" not in play.send("cleo", "STATUS").text
    play.send("cleo", "YES", answers=back)
    assert paris(play).seats.player("France") is None


def test_who_comes_back_is_asked_again_once_what_is_still_open(cared: Play) -> None:
    cared.send("max", "SET UNMODERATED paris")
    cared.send("bob", "EXTEND 24H")
    cared.send("dora", "EXTEND 48H")
    asked = [each for each in cared.letters() if each.to.startswith("cleo")]
    assert "proposal" not in [each.kind for each in asked]
    cared.send("cleo", "A bur H")
    asked = [each for each in cared.letters() if each.to.startswith("cleo")]
    assert sorted(each.kind for each in asked) == ["proposal", "proposal", "reply"]
    question = next(
        each for each in asked if "England asks for another deadline" in flat(each.text)
    )
    assert "Reply with YES or NO" in flat(question.text)
    assert "BACK" not in question.text
    cared.send("cleo", "YES", answers=question)
    (proposal,) = [
        each for each in paris(cared).game.options.proposals.values() if len(each.yes) == 2
    ]
    assert proposal.asker == "England"
    cared.send("cleo", "BACK")
    assert "proposal" not in [each.kind for each in cared.letters()]
