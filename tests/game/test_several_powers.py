"""One person with several powers is one person: orders, lateness, takeovers, votes, letters."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from judge import variants
from judge.game.endings import leader, most_centers
from judge.game.people.lateness import LAST_CALL, abandoned_at
from judge.game.state import State
from judge.rules.phase import Phase
from judge.storage import Reliability
from tests.game.play import PEOPLE, Play, Received, flat

STANDARD = variants.load("standard")
WISHES = {"ann": "E", "bob": "R", "cleo": "T"}
GROUPS = {
    "ann": {"Austria", "England", "Germany"},
    "bob": {"Italy", "Russia"},
    "cleo": {"France", "Turkey"},
}


@pytest.fixture
def three(play: Play) -> Play:
    """Three people with the groups of the 2023 rulebook."""
    play.send("max", "CREATE ?paris standard, PLAYERS 3, RATED, NO CARETAKER\nSET NO DAILY")
    for who, wish in WISHES.items():
        play.send(who, f"JOIN paris\nSET PREFERENCE {wish}")
    play.judge.work()
    play.letters()
    return play


def paris(play: Play) -> State:
    game = play.storage.games.by_name("paris")
    assert game is not None
    return State(play.storage, game)


def person_id(play: Play, who: str) -> int:
    person = play.storage.people.by_address(f"{who}@people.example")
    assert person is not None
    return person.id


def holds(play: Play, *powers: str) -> str:
    return "\n".join(f"{unit} H" for power in powers for unit in paris(play).opened.units[power])


def test_orders_for_several_powers_go_in_one_mail_without_their_names(three: Play) -> None:
    reply = three.send("bob", "A ven - tyr\nA mos - ukr\nF nap - ion\nF sev - bla")
    assert "COULD NOT USE" not in reply.text
    state = paris(three)
    assert [str(order) for order in state.orders["Italy"]] == ["A ven - tyr", "F nap - ion"]
    assert [str(order) for order in state.orders["Russia"]] == ["A mos - ukr", "F sev - bla"]


def test_the_example_of_press_is_to_two_people(play: Play) -> None:
    play.send("max", "CREATE ?paris standard, PLAYERS 3")
    assert "2 more players are needed" in flat(play.send("ann", "JOIN paris"))
    for who in PEOPLE[1:3]:
        play.send(who, "JOIN paris")
    start = next(each for each in play.run() if each.kind == "start")
    (line,) = re.findall(r"^  PRESS TO (.+)", start.text, re.M)
    played = {seat.power: seat.person_id for seat in paris(play).seats if seat.power}
    assert len({played[power] for power in line.split(", ")}) == 2


def test_whose_builds_are_waived_is_asked_where_several_have_some(three: Play) -> None:
    def winter(*building: str) -> None:
        with three.storage.transaction():
            state = paris(three)
            units = {
                power: own[:-1] if power in building else own
                for power, own in STANDARD.start.items()
            }
            state.open(replace(state.opened, phase=Phase.read("W1901A"), units=units))
            state.save()

    winter("England")
    assert "COULD NOT USE" not in three.send("ann", "WAIVE").text
    assert paris(three).sheets.of("England").complete
    winter("England", "Germany")
    reply = three.send("ann", "WAIVE")
    assert "Germany WAIVE" in reply.text
    assert not paris(three).sheets.of("Germany").complete
    assert "COULD NOT USE" not in three.send("ann", "England WAIVE\nGermany WAIVE").text
    assert all(paris(three).sheets.of(power).complete for power in ("England", "Germany"))


def test_who_lacks_orders_of_one_power_is_late_once(three: Play) -> None:
    three.send("ann", holds(three, "Austria", "England"))
    three.send("bob", holds(three, "Italy", "Russia"))
    three.clock.advance(days=7, hours=12)
    letters = three.run()
    assert [each.kind for each in letters if each.to.startswith("ann")].count("late") == 1
    seat = paris(three).seats.holder("Turkey")
    assert seat is not None
    three.clock.set(abandoned_at(paris(three), seat) - LAST_CALL)
    again = [each for each in three.run() if each.kind == "late"]
    # One letter to each who is late, however many powers that are.
    assert sorted(each.to.partition("@")[0] for each in again) == ["ann", "cleo"]
    three.send("ann", holds(three, "Germany"))
    three.send("cleo", holds(three, "France", "Turkey"))
    three.run()
    rows = three.storage.reliability_log.of_game(paris(three).game.id)
    assert [row.what for row in rows if row.person_id == person_id(three, "ann")] == [
        Reliability.LATE
    ]
    assert [row.what for row in rows if row.person_id == person_id(three, "cleo")] == [
        Reliability.LATE
    ]
    assert [row.what for row in rows if row.person_id == person_id(three, "bob")] == [
        Reliability.ON_TIME
    ]


def test_all_powers_of_somebody_are_abandoned_and_taken_over_together(three: Play) -> None:
    three.send("ann", holds(three, "Austria", "England"))
    for who in ("bob", "cleo"):
        three.send(who, holds(three, *GROUPS[who]))
    three.letters()
    while not paris(three).powers.vacant():
        three.wake()
    state = paris(three)
    assert set(state.powers.vacant()) == GROUPS["ann"]
    three.letters()
    three.send("dora", "REGISTER")
    three.letters()
    reply = three.send("dora", "TAKE OVER germany@paris")
    assert "are yours" in reply.text
    state = paris(three)
    mine = {seat.power for seat in state.seats.of(person_id(three, "dora"))}
    assert mine == GROUPS["ann"]
    # The orders that were there are hers, too.
    assert state.sheets.of("Austria").complete
    letters = three.letters()
    assert [each.kind for each in letters if each.to.startswith("dora")].count("taken") == 1
    assert [each.kind for each in letters if each.to.startswith("ann")] == ["replaced"]
    assert [each.kind for each in letters if each.to.startswith("bob")] == ["takeover"]


def test_who_comes_back_has_all_of_them_again(three: Play) -> None:
    for who in ("bob", "cleo"):
        three.send(who, holds(three, *GROUPS[who]))
    while not paris(three).powers.vacant():
        three.wake()
    three.letters()
    state = paris(three)
    rows = three.storage.reliability_log.of_game(state.game.id)
    abandoned = [row.person_id for row in rows if row.what is Reliability.ABANDONED]
    assert abandoned == [person_id(three, "ann")], "once, however many powers these are"
    three.send("ann", holds(three, "Austria"))
    state = paris(three)
    assert not state.powers.vacant()


def test_one_vote_is_for_all_his_powers(three: Play) -> None:
    three.send("ann", "SET DRAW")
    three.send("bob", "SET DRAW")
    assert paris(three).game.state == "active"
    three.send("cleo", "SET DRAW")
    three.run()
    game = three.storage.games.by_name("paris")
    assert game is not None
    assert game.outcome is not None
    assert game.outcome.ending == "draw"
    assert set(game.outcome.winners) == set().union(*GROUPS.values())


def test_the_others_concede_to_a_player_with_all_his_powers(three: Play) -> None:
    state = paris(three)
    # Nine centers against seven and six.
    assert set(leader(state)) == GROUPS["ann"]
    assert set(most_centers(state)) == GROUPS["ann"]
    refused = three.send("ann", "SET CONCEDE E")
    assert paris(three).seats.player("England").draw is None  # type: ignore[union-attr]
    assert "COULD NOT USE" in refused.text
    three.send("bob", "SET CONCEDE A")
    assert paris(three).game.state == "active"
    three.send("cleo", "SET CONCEDE G")
    three.run()
    game = three.storage.games.by_name("paris")
    assert game is not None
    assert game.outcome is not None
    assert game.outcome.ending == "concession"
    assert set(game.outcome.winners) == GROUPS["ann"]


def test_press_to_two_of_his_powers_reaches_him_once(three: Play) -> None:
    three.send("ann", "PRESS TO France, Turkey\nShall we?\nENDPRESS")
    press = [each for each in three.letters() if each.kind == "press"]
    assert [each.to for each in press] == ["cleo@people.example"]


def test_a_reminder_comes_once_for_all_powers(three: Play) -> None:
    kinds: list[str] = []
    while "reminder" not in kinds:
        kinds = [each.kind for each in three.wake() if each.to.startswith("ann")]
    assert kinds.count("reminder") == 1


def test_units_count_where_a_game_by_the_rules_of_1976_is_stopped(play: Play) -> None:
    play.send("max", "CREATE ?paris standard, RULES 1976, PLAYERS 3-RUSSIA\nSET NO DAILY")
    for who, wish in (("ann", "R"), ("bob", "E"), ("cleo", "T")):
        play.send(who, f"JOIN paris\nSET PREFERENCE {wish}")
    play.judge.work()
    state = paris(play)
    position = state.opened
    rich = {
        **position.centers,
        "Russia": (*position.centers["Russia"], "nwy", "swe", "rum", "den", "bul", "gre", "ser"),
    }
    state.open(type(position)(position.phase, position.units, rich))
    # Eleven centers are more than nine, but four units are fewer than nine.
    assert set(most_centers(state)) == {
        *("England", "France", "Germany", "Austria", "Italy", "Turkey")
    }
    state.game.rulebook = "2023"
    assert most_centers(state) == ("Russia",)


def test_what_is_alike_for_his_powers_is_said_once(three: Play) -> None:
    told = flat(three.send("ann", "SET DRAW"))
    assert "Austria, England and Germany vote for a draw of all survivors." in told
    assert told.count("If orders of") == 1
    assert "If orders of Austria, England and Germany are missing" in told
    three.send("ann", holds(three, "England"))
    told = flat(three.send("ann", "STATUS"))
    assert "If orders of Austria and Germany are missing" in told
    assert told.count("vote for a draw") == 1


def test_letters_say_once_what_is_alike_for_his_powers(three: Play) -> None:
    three.send("ann", "SET DRAW")
    for who in ("ann", "bob", "cleo"):
        three.send(who, holds(three, *GROUPS[who]))
    letters: list[Received] = []
    while not {"results", "reminder", "late"} <= {each.kind for each in letters}:
        letters += [each for each in three.wake() if each.to.startswith("ann")]
    results, reminder, late = (
        next(each for each in letters if each.kind == kind)
        for kind in ("results", "reminder", "late")
    )
    lapsed = "The votes of Austria, England and Germany for a draw have ended."
    for part in (results.text, *results.contents("text/html")):
        assert " ".join(part.split()).count("for a draw") == 1
    assert lapsed in flat(results)
    for letter in (reminder, late):
        assert letter.text.count("for example:") == 1
        assert [each for each in ("A bud", "A lvp", "A ber") if f"  {each} " in letter.text]


def test_who_played_says_who_fell_silent_and_when(three: Play) -> None:
    for who in ("bob", "cleo"):
        three.send(who, holds(three, *GROUPS[who]))
    while not paris(three).powers.open():
        three.wake()
    three.sure("max", "TERMINATE paris")
    end = next(each for each in three.run() if each.kind == "end" and each.to.startswith("bob"))
    assert "England: Ann, silent since Spring 1901" in flat(end)
    assert "Russia: Bob Turkey" in flat(end)


def test_a_master_reads_of_who_asks_in_their_own_language(three: Play) -> None:
    three.ask("max", "SET LANGUAGE de")
    three.send("ann", "EXTEND 24H")
    (asked,) = [each for each in three.run() if each.kind == "proposal"]
    assert "Österreich bittet um eine andere Frist" in flat(asked)
