"""Orders that do not come: notices, grace, abandonment, disorder, takeover and return, by mail."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from judge.game.people.reliability import figures, of_person
from judge.game.state import State
from judge.storage import Reliability, ReliabilityEntry, Role
from tests.game.play import PEOPLE, Play, Received
from tests.game.test_phases import OPENING, deadline, everybody, paris

PACE = "NO CARETAKER, MOVE NEXT 24H CLOCK NONE DAYS SMTWTFS GRACE 72H DELAY 1H MIN 0"
"""The first phase has twice that: it ends after two days, its grace after five."""


def kinds(letters: list[Received], *but: str) -> dict[str, list[str]]:
    """Who got which letters, those of kinds `but` aside."""
    found: dict[str, list[str]] = {}
    for letter in letters:
        if letter.kind not in but:
            found.setdefault(letter.kind, []).append(letter.to.partition("@")[0])
    return {kind: sorted(readers) for kind, readers in found.items()}


def grace(play: Play) -> datetime:
    found = paris(play).game.grace_end
    assert found is not None
    return found


def flat(text: str) -> str:
    return " ".join(text.split())


def pass_deadline(play: Play, *late: str, options: str = PACE) -> list[Received]:
    """A game whose first deadline passes without the orders of `late`; the letters of then."""

    def make() -> None:
        play.start(options)
        everybody(play, *late)
        play.clock.set(deadline(play) - timedelta(minutes=1))
        play.run()
        play.clock.set(deadline(play))

    play.begin("deadline", options, late, make=make)
    play.letters()
    return play.run()


def person(play: Play, who: str) -> int:
    found = play.storage.people.by_address(f"{who}@people.example")
    assert found is not None
    return found.id


def conduct(play: Play, who: str) -> list[tuple[str, str]]:
    return [
        (each.phase, each.what)
        for each in play.storage.reliability_log.of_person(person(play, who))
    ]


# Late


def test_at_the_deadline_all_are_told_who_is_late_and_nothing_runs(play: Play) -> None:
    letters = pass_deadline(play, "cleo", "dora")
    assert kinds(letters) == {"late": sorted([*PEOPLE, "max"])}
    ann = next(each for each in letters if each.to.startswith("ann"))
    assert "France and Germany are late" in flat(ann.text)
    assert "Sat 12:00 (UTC)" in flat(ann.text)
    assert "NO ORDER YET" not in ann.text
    cleo = next(each for each in letters if each.to.startswith("cleo"))
    assert "NO ORDER YET (Army Marseilles)" in cleo.text
    assert "Army Berlin" not in cleo.text
    assert paris(play).game.phase == "S1901M"


def test_a_quiet_game_names_nobody(play: Play) -> None:
    letters = pass_deadline(play, "cleo", options=f"{PACE}, QUIET")
    assert kinds(letters) == {"late": sorted([*PEOPLE, "max"])}
    ann = next(each for each in letters if each.to.startswith("ann"))
    assert "France" not in ann.text


def test_who_is_late_hears_it_once_more_a_day_before_it_matters(play: Play) -> None:
    first = next(each for each in pass_deadline(play, "cleo") if each.to.startswith("cleo"))
    play.clock.advance(hours=47)
    assert play.run() == []
    play.clock.advance(hours=1)
    (last,) = play.run()
    assert (last.kind, last.to) == ("late", "cleo@people.example")
    assert first.sender != last.sender
    assert "Late: 3 orders. You have until Sat 12:00 (UTC)" in last.first
    play.clock.advance(hours=23)
    assert play.run() == []


def test_where_the_time_is_short_once_is_enough(play: Play) -> None:
    pass_deadline(play, "cleo", options=PACE.replace("GRACE 72H", "GRACE 47H"))
    play.clock.advance(hours=46)
    assert play.run() == []


def test_each_who_is_late_hears_it_a_day_before_their_own_time_ends(play: Play) -> None:
    pass_deadline(play, "cleo", "dora")
    play.clock.advance(hours=10)
    # As long as another power is vacant the deadline stays.
    play.sure("emil", "RESIGN")
    play.sure("dora", "RESIGN")
    play.send("zoe", "REGISTER\nEND\nTAKE OVER germany@paris")
    play.letters()
    heard = []
    for hour in range(11, 60):
        play.clock.advance(hours=1)
        heard += [(hour, who) for who in kinds(play.run()).get("late", [])]
    assert heard == [(48, "cleo"), (58, "zoe")]


def test_the_last_missing_set_runs_the_phase_at_once(play: Play) -> None:
    pass_deadline(play, "cleo", "dora")
    play.send("cleo", OPENING["cleo"])
    assert play.judge.work() == 0
    # Orders can still be changed, also those that were in on time.
    assert "COULD NOT USE" not in play.send("ann", "A Vie - Gal").text
    play.send("dora", OPENING["dora"])
    assert play.judge.work() == 1
    run = play.storage.history.find(paris(play).game.id, "S1901M")
    assert run is not None
    assert "A vie - gal" in run.orders["Austria"]


def test_min_holds_a_late_phase_too(play: Play) -> None:
    pass_deadline(play, "cleo", options=PACE.replace("MIN 0", "MIN 60H"))
    play.send("cleo", OPENING["cleo"])
    assert play.judge.work() == 0
    play.clock.advance(hours=12)
    assert play.judge.work() == 1


def test_nobody_is_late_for_what_was_not_delivered(play: Play) -> None:
    play.unreachable = {"cleo@people.example"}
    play.start(PACE)
    everybody(play, "cleo", "dora")
    play.clock.set(deadline(play))
    assert "late" not in kinds(play.run())
    # A day later his letters still come back, and the others have waited long enough.
    play.clock.set(deadline(play))
    letters = play.run()
    ann = next(each for each in letters if each.kind == "late" and each.to.startswith("ann"))
    assert "Germany is late" in flat(ann.text)
    assert "France" not in ann.text
    play.send("max", "PROCESS S1901M")
    assert conduct(play, "cleo") == []
    assert conduct(play, "dora") == [("S1901M", "late")]


# Abandoned


def test_without_nmr_the_power_is_abandoned_and_the_game_waits(play: Play) -> None:
    pass_deadline(play, "cleo")
    play.clock.set(grace(play) - timedelta(minutes=1))
    assert kinds(play.run()) == {"late": ["cleo"]}
    play.clock.set(grace(play))
    letters = play.run()
    assert kinds(letters) == {"abandoned": sorted([*PEOPLE, "max"])}
    state = paris(play)
    assert state.powers.condition("France") == "abandoned"
    assert state.powers.vacant() == ["France"]
    ann = next(each for each in letters if each.to.startswith("ann"))
    assert "France counts as abandoned" in flat(ann.text)
    assert "TAKE OVER france@paris" in flat(ann.text)
    cleo = next(each for each in letters if each.to.startswith("cleo"))
    assert "It is still yours" in flat(cleo.text)
    play.clock.advance(days=20)
    assert play.run() == []
    assert paris(play).game.phase == "S1901M"


def test_a_quiet_game_tells_only_him_and_the_master(play: Play) -> None:
    pass_deadline(play, "cleo", options=f"{PACE}, QUIET")
    play.clock.set(grace(play))
    assert kinds(play.run(), "late") == {"abandoned": ["cleo", "max"]}


def test_stand_ins_are_called_every_two_days(play: Play) -> None:
    play.send("zoe", "REGISTER\nStand-in: yes\nEND")
    play.send("yves", "SET STANDIN")
    play.send("ann", "SET STANDIN")
    play.send("xena", "SET STANDIN\nSET NO STANDIN")
    pass_deadline(play, "cleo")
    play.send("gwen", "A Con - Bul")
    play.clock.set(grace(play))
    letters = play.run()
    assert kinds(letters, "abandoned", "reply")["wanted"] == ["yves", "zoe"]
    text = flat(next(each for each in letters if each.kind == "wanted").text)
    assert "France has no player in paris, Spring 1901, movement." in text
    assert "Units of France: Fleet Brest, Army Marseilles and Army Paris." in text
    assert "Supply centers (3): Brest, Marseilles and Paris." in text
    assert "Near it: Germany (3 centers) with Army Munich." in text
    assert "TAKE OVER france@paris" in text
    assert "people.example" not in text
    for _ in range(2):
        play.clock.advance(hours=47)
        assert play.run() == []
        play.clock.advance(hours=1)
        assert kinds(play.run()) == {"wanted": ["yves", "zoe"]}


def test_stand_ins_are_called_for_a_paused_game_without_a_deadline(play: Play) -> None:
    play.send("zoe", "SET STANDIN")
    play.start(PACE)
    play.send("max", "PAUSE")
    play.letters()
    play.sure("cleo", "RESIGN paris")
    letters = [*play.letters(), *play.run()]
    play.clock.advance(days=3)
    letters += play.run()
    for letter in letters:
        assert letter.kind != "wanted" or "deadline" not in letter.text.lower()
    play.send("max", "RESUME")
    assert "zoe" in kinds(play.letters() + play.run())["wanted"]


def test_with_nmr_a_day_passes_between_abandoned_and_disorder(play: Play) -> None:
    pass_deadline(play, "cleo", options=f"{PACE}, NMR")
    play.clock.set(grace(play) - timedelta(hours=24))
    letters = play.run()
    assert kinds(letters) == {"abandoned": sorted([*PEOPLE, "max"])}
    assert paris(play).powers.condition("France") == "abandoned"
    end = grace(play)
    play.clock.set(end - timedelta(minutes=1))
    assert play.run() == []
    play.clock.set(end)
    letters = play.run()
    results = next(each for each in letters if each.kind == "results")
    assert "France is in civil disorder" in flat(results.text)
    state = paris(play)
    assert state.game.phase == "F1901M"
    assert state.powers.condition("France") == "disorder"
    events = [each.what for each in play.storage.events.of_game(state.game.id)]
    assert events[-1] == "civil disorder"
    assert "abandoned" in events


def test_orders_that_are_there_count_in_disorder(play: Play) -> None:
    pass_deadline(play, "cleo", options=f"{PACE}, NMR")
    play.send("cleo", "A Par - Bur")
    play.lapse()
    run = play.storage.history.find(paris(play).game.id, "S1901M")
    assert run is not None
    lines = {line["order"]: line["given"] for line in run.results["orders"]["France"]}
    assert lines["A par - bur"]
    assert len(lines) == 3


def test_nmr_needs_a_long_grace(play: Play) -> None:
    play.send("max", "CREATE ?paris")
    play.send("max", "SET MOVE GRACE 12H")
    refused = flat(play.send("max", "SET NMR").text)
    assert "GRACE must be longer than that" in refused
    play.send("max", "SET MOVE GRACE 25H\nSET NMR")
    assert paris(play).settings.nmr
    assert "COULD NOT USE" in play.send("max", "SET MOVE GRACE 1H").text
    assert paris(play).settings.move.grace == 25
    play.send("max", "SET NO CD")
    assert not paris(play).settings.nmr


def test_process_marks_nobody(play: Play) -> None:
    pass_deadline(play, "cleo", options=f"{PACE}, NMR")
    play.send("max", "PROCESS S1901M")
    assert paris(play).powers.condition("France") == "played"


# Back and taken over


@pytest.fixture
def abandoned(play: Play) -> Play:
    """France is abandoned in a NoNMR game, with one order on file."""

    def make() -> None:
        pass_deadline(play, "cleo")
        play.send("cleo", "A Par - Bur")
        play.clock.set(grace(play))
        play.run()

    play.begin("abandoned", make=make)
    play.letters()
    assert paris(play).powers.condition("France") == "abandoned"
    return play


def test_its_player_comes_back_by_any_mail_for_it(abandoned: Play) -> None:
    before = deadline(abandoned)
    abandoned.letters()
    abandoned.send("cleo", "STATUS")
    # Nobody has to do anything about it: the results say so.
    assert kinds(abandoned.letters(), "reply") == {}
    assert paris(abandoned).powers.condition("France") == "played"
    assert deadline(abandoned) == before
    # He has a day, and once in a phase that is all it takes.
    abandoned.clock.advance(hours=23)
    abandoned.run()
    assert paris(abandoned).powers.condition("France") == "played"
    abandoned.clock.advance(hours=1)
    assert "abandoned" in kinds(abandoned.run())
    reply = flat(abandoned.send("cleo", "A Mar H").text)
    assert "France is yours again when all its orders are in" in reply
    assert paris(abandoned).powers.condition("France") == "abandoned"
    abandoned.send("cleo", "F Bre H")
    assert paris(abandoned).powers.condition("France") == "played"
    abandoned.letters()
    told = [each for each in abandoned.run() if each.kind == "results"]
    assert paris(abandoned).game.phase == "F1901M"
    said = "The player of France in paris is back and plays on."
    assert {each.to.partition("@")[0]: flat(each.text).count(said) for each in told} == {
        **dict.fromkeys([*PEOPLE, "max"], 1),
        "cleo": 0,
    }
    assert paris(abandoned).game.options.back == ()


@pytest.mark.parametrize("line", ["SIGN ON fparis", "SIGN ON france@paris", "F Bre H", "STATUS"])
def test_every_way_back(abandoned: Play, line: str) -> None:
    abandoned.send("cleo", line)
    assert paris(abandoned).powers.condition("France") == "played"


@pytest.mark.parametrize("line", ["HELP", "LIST", "Sorry, I was away."])
def test_what_is_not_for_the_power_brings_nobody_back(abandoned: Play, line: str) -> None:
    abandoned.send("cleo", line)
    assert paris(abandoned).powers.condition("France") == "abandoned"


@pytest.mark.parametrize(
    "line", ["TAKE OVER france@paris", "TAKE OVER paris", "SIGN ON fparis", "JOIN france@paris"]
)
def test_somebody_else_takes_it_over(abandoned: Play, line: str) -> None:
    abandoned.send("zoe", "REGISTER")
    abandoned.letters()
    answer = flat(abandoned.send("zoe", line).text)
    assert "France in paris is yours" in answer
    letters = abandoned.letters()
    told = kinds(letters, "reply")
    assert told["taken"] == ["zoe"]
    assert told["replaced"] == ["cleo"]
    assert told["takeover"] == sorted({*PEOPLE, "max"} - {"cleo"})
    taken = next(each for each in letters if each.kind == "taken").text
    assert "A par - bur" in taken
    assert "NO ORDER YET (Army Marseilles)" in taken
    assert "Cleo: " not in taken
    state = paris(abandoned)
    assert state.powers.condition("France") == "played"
    # All powers have players: a fresh deadline, and everybody waits for it.
    assert state.game.deadline is not None
    assert state.game.deadline - abandoned.clock.now() == timedelta(hours=48)
    assert all(seat.wait for seat in state.seats.active(Role.PLAYER))
    assert "yours" not in abandoned.send("cleo", "STATUS").text
    abandoned.send("zoe", "A Mar H, F Bre H")
    assert abandoned.judge.work() == 0
    for who in (*PEOPLE, "zoe"):
        if who != "cleo":
            abandoned.send(who, "SET NO WAIT")
    abandoned.clock.advance(hours=2)
    abandoned.judge.work()
    assert paris(abandoned).game.phase == "F1901M"
    assert ("S1901M", "on time") in conduct(abandoned, "zoe")


def test_who_takes_over_hears_how_long_he_has(play: Play) -> None:
    pass_deadline(play, "cleo", "dora")
    play.clock.set(grace(play))
    play.run()
    play.clock.advance(days=10)
    play.run()
    play.send("zoe", "REGISTER")
    answer = flat(play.send("zoe", "TAKE OVER france@paris").text)
    grace_hours = paris(play).settings.move.grace
    until = play.clock.now() + timedelta(hours=grace_hours)
    assert "The game waits for the orders of France." in answer
    assert f"If they have not come by {until:%a %H:%M} (UTC)" in answer
    assert "at the deadline" not in answer.partition("WHAT HAPPENS NEXT")[2]
    complete = flat(play.send("zoe", "A Mar H, F Bre H, A Par H").text)
    assert "I adjudicate the phase as soon as nobody's orders are missing." in complete


def test_who_waits_after_the_deadline_is_not_told_that_it_is_to_come(play: Play) -> None:
    play.start()
    waits = play.send("ann", "A bud H\nF tri H\nA vie H\nSET WAIT")
    assert "WAIT is set" in waits.text
    while "late" not in [each.kind for each in play.wake()]:
        pass
    for line in ("STATUS", "SET NO WAIT\nSET WAIT"):
        said = flat(play.send("ann", line).text)
        assert "WAIT is set" not in said
        assert "before its deadline" not in said
        assert "as soon as nobody's orders are missing" in said


def test_in_a_no_press_game_only_who_owes_orders_waits(play: Play) -> None:
    pass_deadline(play, "cleo", options=f"{PACE}, NO PRESS, QUIET")
    play.clock.set(grace(play))
    play.run()
    play.send("zoe", "REGISTER")
    play.letters()
    play.send("zoe", "TAKE OVER france@paris")
    assert set(kinds(play.letters(), "reply")) == {"taken", "replaced"}
    assert all(seat.wait for seat in paris(play).seats.active(Role.PLAYER))


def test_the_clock_stands_until_all_powers_have_players(play: Play) -> None:
    pass_deadline(play, "cleo", "dora")
    play.clock.set(grace(play))
    play.run()
    before = deadline(play)
    for who in ("zoe", "yves"):
        play.send(who, "REGISTER")
    play.send("zoe", "TAKE OVER france@paris")
    assert deadline(play) == before
    play.clock.advance(days=2)
    play.run()
    assert paris(play).powers.condition("France") == "played"
    play.send("yves", "TAKE OVER germany@paris")
    assert deadline(play) > play.clock.now()
    play.clock.advance(hours=1)
    play.letters()
    assert not [each for each in play.run() if each.kind in ("late", "abandoned")]


def test_a_power_in_disorder_can_be_taken_over(play: Play) -> None:
    pass_deadline(play, "cleo", options=f"{PACE}, NMR")
    play.lapse()
    assert paris(play).powers.condition("France") == "disorder"
    play.send("zoe", "REGISTER")
    play.send("zoe", "TAKE OVER france@paris\nA Par - Bur")
    state = paris(play)
    assert state.powers.condition("France") == "played"
    assert [str(order) for order in state.orders["France"]] == ["A par - bur"]


@pytest.mark.parametrize(
    ("who", "line", "says"),
    [
        ("ann", "TAKE OVER france@paris", "You take part in paris already"),
        ("max", "TAKE OVER france@paris", "cannot play in it"),
        ("zoe", "TAKE OVER germany@paris", "Germany in paris cannot be taken over"),
        ("zoe", "TAKE OVER atlantis@paris", "tlantis"),
        ("zoe", "TAKE OVER france@rome", "No game is called rome"),
        ("zoe", "JOIN paris", "France needs a player"),
    ],
)
def test_who_cannot_take_over(abandoned: Play, who: str, line: str, says: str) -> None:
    abandoned.send("zoe", "REGISTER")
    assert says in flat(abandoned.send(who, line).text)
    assert paris(abandoned).powers.condition("France") == "abandoned"


def test_orders_below_a_refused_takeover_are_for_nobody(abandoned: Play) -> None:
    abandoned.send("ann", "TAKE OVER france@paris\nA Vie - Tri")
    assert "A vie - tri" not in [str(order) for order in paris(abandoned).orders["Austria"]]


def test_a_stranger_to_whom_a_letter_was_passed_on_takes_over_with_its_line(
    abandoned: Play,
) -> None:
    told = abandoned.send("zoe", "TAKE OVER france@paris")
    assert "I know you as Zoe" in flat(told.text)
    assert paris(abandoned).powers.condition("France") == "played"
    seat = paris(abandoned).seats.player("France")
    assert seat is not None
    assert seat.person_id == person(abandoned, "zoe")


def test_a_stranger_who_cannot_take_over_stays_one(abandoned: Play) -> None:
    told = abandoned.send("zoe", "TAKE OVER germany@paris")
    assert told.kind == "welcome"
    assert "JOIN" in flat(told.text)
    assert abandoned.storage.people.by_address("zoe@people.example") is None


# Resigned


def test_a_resigned_power_is_open_at_once_and_its_orders_stand(play: Play) -> None:
    play.send("zoe", "SET STANDIN")
    play.start(PACE)
    everybody(play)
    play.letters()
    play.sure("cleo", "RESIGN")
    letters = play.run()
    assert kinds(letters, "reply")["wanted"] == ["zoe"]
    assert paris(play).powers.condition("France") == "abandoned"
    play.clock.advance(hours=2)
    play.run()
    assert paris(play).game.phase == "F1901M"
    # For the next phase it is waited for.
    everybody(play, "cleo")
    play.clock.advance(hours=20)
    play.run()
    assert paris(play).game.phase == "F1901M"
    play.send("zoe", "TAKE OVER france@paris")
    assert paris(play).powers.condition("France") == "played"
    # He has left for good.
    assert "yours" not in play.send("cleo", "F Bre H").text
    assert conduct(play, "cleo") == [("S1901M", "resigned")]


# The end


def test_a_game_nobody_plays_ends_after_thirty_days(play: Play) -> None:
    play.start(PACE)
    play.clock.set(deadline(play))
    play.run()
    play.clock.set(grace(play))
    letters = play.run()
    text = flat(next(each for each in letters if each.kind == "abandoned").text)
    assert "Monday 6 July, 12:00 (UTC), the game ends without a result" in text
    play.clock.advance(days=29)
    play.run()
    assert paris(play).game.state == "active"
    play.clock.advance(days=1)
    assert "end" in kinds(play.run())
    outcome = paris(play).game.outcome
    assert outcome is not None
    assert outcome.ending == "deserted"


def test_disorder_alone_does_not_play_on(play: Play) -> None:
    play.start(f"{PACE}, NMR")
    play.lapse()
    assert paris(play).game.phase == "F1901M"
    play.clock.advance(days=10)
    play.run()
    assert paris(play).game.phase == "F1901M"
    play.send("cleo", "A Par H, A Mar H, F Bre H")
    assert paris(play).powers.condition("France") == "played"
    play.clock.advance(hours=1)
    play.run()
    assert paris(play).game.phase == "S1902M"


# Reliability


def rows(*what: str, game: int = 1) -> list[ReliabilityEntry]:
    at = datetime.fromisoformat("2026-06-01T12:00+00:00")
    return [
        ReliabilityEntry(
            person_id=1, game_id=game, phase="S1901M", power="France", what=Reliability(each), at=at
        )
        for each in what
    ]


def test_the_figures() -> None:
    assert figures([]).punctuality is None
    assert figures(rows("on time")).punctuality == 1
    assert figures(rows("late")).punctuality == 0
    recent = figures(rows("late", "on time")).punctuality
    old = figures(rows("on time", "late")).punctuality
    assert recent is not None
    assert old is not None
    assert recent > 0.5 > old
    assert recent + old == pytest.approx(1)
    # Twenty phases on, one weighs half.
    weights = [0.5 ** (age / 20) for age in range(21)]
    share = figures(rows("late", *["on time"] * 20)).punctuality
    assert share == pytest.approx(1 - 0.5 / sum(weights))
    lost = figures(rows("on time", "on time", "late", "resigned") + rows("on time", game=2))
    assert lost.dedication == 3 - 1 - 10
    assert lost.resignations == 0.5


def test_phases_count_in_rated_games(play: Play) -> None:
    pass_deadline(play, "cleo")
    play.send("cleo", OPENING["cleo"])
    play.judge.work()
    assert conduct(play, "ann") == [("S1901M", "on time")]
    assert conduct(play, "cleo") == [("S1901M", "late")]
    text = flat(play.send("cleo", "GET DEDICATION").text)
    assert "On time: 0.000 (0 of 1 phase, " in text
    assert "Dedication: -1" in text
    text = flat(play.send("ann", "INFO PLAYER cleo@people.example").text)
    assert "Cleo" in text
    assert "Dedication: -1" in text
    assert "I know nobody" in play.send("ann", "INFO PLAYER nobody@people.example").text


@pytest.mark.parametrize("option", ["UNRATED", "NO LATE COUNT"])
def test_some_games_do_not_count(play: Play, option: str) -> None:
    pass_deadline(play, "cleo", options=f"{PACE}, {option}")
    play.send("cleo", OPENING["cleo"])
    play.judge.work()
    assert conduct(play, "ann") == []
    assert conduct(play, "cleo") == []


def test_a_quiet_game_keeps_its_secret_until_it_is_over(play: Play) -> None:
    pass_deadline(play, "cleo", options=f"{PACE}, QUIET")
    play.send("cleo", OPENING["cleo"])
    play.judge.work()
    assert of_person(play.storage, person(play, "cleo")).late == 0
    assert of_person(play.storage, person(play, "cleo"), public=False).late == 1
    for who in PEOPLE:
        play.sure(who, "RESIGN")
    play.run()
    assert paris(play).game.state == "ended"
    assert of_person(play.storage, person(play, "cleo")).late == 1


def reliable(play: Play) -> None:
    """Max gets a record: a phase on time in another game."""
    with play.storage.transaction():
        state = paris(play)
        for phase in ("S1901M", "F1901M"):
            play.storage.reliability_log.record(
                ReliabilityEntry(
                    person_id=person(play, "max"),
                    game_id=state.game.id,
                    phase=phase,
                    power="France",
                    what=Reliability.ON_TIME,
                    at=play.clock.now(),
                )
            )


def test_bars_name_themselves_and_ones_own_figure(play: Play) -> None:
    play.send("max", "CREATE ?paris")
    refused = flat(play.send("max", "SET DEDICATION 1").text)
    assert "No bar may be above your own figure, and yours is 0" in refused
    reliable(play)
    play.send("max", "SET DEDICATION 2")
    assert paris(play).settings.dedication == 2
    play.send("zoe", "REGISTER")
    refused = flat(play.send("zoe", "JOIN paris").text)
    assert "paris is for people with a dedication of 2 at least; yours is 0." in refused
    play.send("max", "SET DEDICATION NONE\nSET ONTIMERAT 90%")
    refused = flat(play.send("zoe", "JOIN paris").text)
    assert "a share of 0.9 of their phases at least; yours is 0.0." in refused
    play.send("max", "SET ONTIMERAT NONE\nSET RESRAT 0.1\nREGISTER\nLevel: expert\nEND")
    play.send("max", "SET LEVEL amateur")
    refused = flat(play.send("zoe", "JOIN paris").text)
    assert "of level amateur at least; yours is novice" in refused
    play.send("zoe", "REGISTER\nLevel: advanced\nEND")
    assert "You are in paris" in play.send("zoe", "JOIN paris").text


def test_bars_hold_for_takeovers_and_calls(abandoned: Play) -> None:
    reliable(abandoned)
    abandoned.send("max", "SET ONTIMERAT 0.5")
    abandoned.send("zoe", "SET STANDIN")
    assert "yours is 0.0" in flat(abandoned.send("zoe", "TAKE OVER france@paris").text)
    abandoned.letters()
    abandoned.clock.advance(hours=48)
    assert "wanted" not in kinds(abandoned.run())


def test_state_of_powers_without_seats(play: Play) -> None:
    play.start()
    state = paris(play)
    assert state.powers.condition("France") == "played"
    assert isinstance(state, State)
    state.seats.clear()
    assert state.powers.condition("France") == "dummy"
    assert not state.powers.awaited("France")


def test_list_shows_who_is_needed_and_how_reliable_people_are(abandoned: Play) -> None:
    abandoned.send("max", "SET LIST")
    abandoned.send("zoe", "REGISTER")
    entry = flat(abandoned.send("zoe", "LIST").text)
    assert "Needs a player for France (3 units, 3 centers): TAKE OVER france@paris" in entry
    abandoned.send("cleo", OPENING["cleo"])
    abandoned.judge.work()
    entry = flat(abandoned.send("zoe", "LIST paris").text)
    assert "France: 3 centers, F bre, A mar, A par; late once; on time 0.000" in entry
    assert "Austria: 3 centers, A bud, F tri, A vie; on time 1.000" in entry
    # Who is on time is told to nobody where nobody may know who is late.
    abandoned.send("max", "SET QUIET")
    entry = flat(abandoned.send("zoe", "LIST paris").text)
    assert "late" not in entry.partition("France:")[2]
    assert "on time" not in entry


def test_after_the_deadline_anybody_who_asks_hears_who_has_sent(play: Play) -> None:
    play.start(PACE)
    play.letters()
    everybody(play, "cleo")
    assert "and Turkey are in" not in flat(play.send("ann", "WHO IS LATE").text)
    play.clock.set(deadline(play))
    play.run()
    told = flat(play.send("ann", "who is late?").text)
    assert "France is late" in told
    assert "Austria, England, Germany, Italy, Russia and Turkey are in" in told


def test_votes_are_secret_and_anybody_who_asks_is_told_so(play: Play) -> None:
    play.start(PACE)
    play.send("cleo", "SET DRAW")
    asked = [play.send("ann", line).text for line in ("who voted?", "who has voted for the draw?")]
    assert all("secret" in each and "France" not in each for each in asked)
    assert "France votes for a draw" in play.send("cleo", "WHO VOTED").text
