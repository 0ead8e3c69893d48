"""Global Diplomacy by mail: the opening build, its kinds of units, bombs, and its endings."""

from __future__ import annotations

import re

import pytest

from judge.game.state import State
from judge.rules.position import Position
from tests.game.play import Play, Received, flat, read
from tests.rules.globe import position

SIX = {"U": "ann", "R": "bob", "S": "cleo", "E": "dora", "G": "emil", "P": "finn"}
"""Who plays which power, by its letter."""


def globe(play: Play) -> State:
    game = play.storage.games.by_name("globe")
    assert game is not None
    return State(play.storage, game)


def begin(play: Play, options: str = "") -> dict[str, Received]:
    """A game `globe` of six in its first phase; the start letters by reader."""
    pace = "PACE MIN 0 DELAY 0"

    def make() -> None:
        play.send("max", f"CREATE ?globe global, {pace}{', ' + options if options else ''}")
        for letter, who in SIX.items():
            play.send(who, f"JOIN globe\nSET PREFERENCE {letter}")
        play.judge.work()

    play.begin("globe", options, make=make)
    starts = [letter for letter in play.letters() if letter.kind == "start"]
    return {letter.to.partition("@")[0]: letter for letter in starts}


def test_the_game_begins_with_builds_on_an_empty_board(play: Play) -> None:
    start = flat(begin(play)["ann"])
    assert globe(play).game.phase == "F2100A"
    assert "You play" in start
    assert "You may build 4 units." in start
    assert "B AF cus Air force Central United States" in start
    assert "N cus" not in start
    assert "There is no unit on the board yet." in start
    assert "United States: 4 centers, 0 units, builds 4" in start
    assert "The first player to own 16 supply centers after a spring or fall turn wins." in start
    reply = flat(play.send("ann", "army CUS, Air Force SUS, navy ala, F wus"))
    assert "United States: everything is decided." in reply
    assert "B N ala Build navy Alaska" in reply
    assert "B N wus Build navy Western United States" in reply


def test_a_power_with_blanks_in_its_name_is_signed_on_to_and_taken_over(play: Play) -> None:
    begin(play)
    assert "as European Union" in flat(play.send("dora", "SIGN ON European Union@globe"))
    assert "as European Union" in flat(play.send("dora", "SIGN ON eu@globe"))
    play.sure("max", "EJECT united states")
    play.send("zoe", "LIST\nREGISTER\nName: Zoe\nEND")
    taken = flat(play.send("zoe", "JOIN united states@globe\nB AF CUS"))
    assert "United States in globe is yours." in taken
    assert "Build air force Central United States" in taken


@pytest.mark.parametrize("listed", ["RF, GA", "Russian Federation, Africa", "RG"])
def test_press_goes_to_powers_by_the_names_of_the_rules(play: Play, listed: str) -> None:
    begin(play)
    said = flat(play.send("ann", f"PRESS TO {listed}\nHello\nENDPRESS"))
    assert "Sent to Russian Federation and Greater African Union" in said


def test_letters_that_are_a_name_as_well_are_asked_about(play: Play) -> None:
    begin(play)
    assert "US is United States, but also the letters of" in flat(
        play.send("dora", "PRESS TO US\nHello\nENDPRESS")
    )


def place(play: Play, position: Position) -> None:
    """Let the game stand in this position, no orders on file."""
    with play.storage.transaction():
        claimed = play.storage.games.claim(globe(play).game.id)
        assert claimed is not None
        state = State(play.storage, claimed)
        state.open(position)
        state.save()


def answer(play: Play, who: str, kind: str, text: str) -> Received:
    """Answer the last letter of a kind that somebody got."""
    person = play.storage.people.by_address(f"{who}@people.example")
    assert person is not None
    found = [letter for letter in play.storage.outbound.of_person(person.id) if letter.kind == kind]
    return play.send(who, text, answers=read(found[-1]))


def outcome(play: Play) -> tuple[str, list[str]] | None:
    found = globe(play).game.outcome
    return None if found is None else (found.ending, list(found.winners))


# Bombs


CHAIN = position(
    "U2101M", {"US": "R sus, N nat", "SA": "A sah", "GA": "AF egy, A saf", "PR": "N sio"}
)
"""Example 2 of the rules, the chain in the hands of three powers."""


@pytest.mark.parametrize(
    "line", ["All units hold.", "all my units hold", "RF: all units hold", "HOLD ALL"]
)
def test_all_units_hold_is_an_order(line: str, play: Play) -> None:
    begin(play)
    place(play, position("W2101M", {"US": "A cus", "RF": "A rus, AF ura, R yak"}))
    reply = play.send("bob", line)
    assert [str(order) for order in globe(play).orders["Russian Federation"]] == [
        *("A rus H", "AF ura H", "R yak H")
    ]
    assert "With that you may build an arsenal" in flat(reply).replace("with", "With")
    play.letters()
    play.send("ann", "A CUS - EUS")
    told = next(flat(each) for each in play.run() if each.kind == "results")
    held = "All units of Russian Federation held: it may build an arsenal in any later"
    assert held in told
    assert held in flat(play.send("cleo", "HISTORY"))
    for asked in ("MAP", "SUMMARY"):
        assert "Russian Federation may build an arsenal" in flat(play.send("cleo", asked))


def three_hands(play: Play) -> None:
    """A game of three with two powers each, in which each power has an army."""

    def make() -> None:
        play.send("max", "CREATE ?globe global, PLAYERS 3, PACE MIN 0 DELAY 0")
        for who in ("ann", "bob", "cleo"):
            play.send(who, "JOIN globe")
        play.run()

    play.begin("three hands", make=make)
    units = {
        "US": "A cus",
        "SA": "A bra",
        "RF": "A rus",
        "EU": "A weu",
        "GA": "A egy",
        "PR": "A nch",
    }
    place(play, position("W2101M", units))


def test_all_units_hold_for_each_power_of_a_player(play: Play) -> None:
    three_hands(play)
    mine = mine_of(play, "ann")
    play.send("ann", f"{mine[0]}: all units hold")
    assert {power for power in mine if globe(play).orders.get(power)} == {mine[0]}
    play.send("ann", "all units hold")
    assert all(len(globe(play).orders[power]) == 1 for power in mine)


@pytest.mark.parametrize(
    "line", ["plane yak", "fighter yak", "B bomber yak", "aircraft Yakutskaya"]
)
def test_words_of_everyday_speech_for_an_air_force(line: str, play: Play) -> None:
    begin(play)
    assert "Build air force Yakutskaya" in flat(play.send("bob", line))


def of_five(play: Play) -> dict[str, Received]:
    """The game for five, in which nobody plays the European Union; the start letters by reader."""
    play.send("max", "CREATE ?globe global, PLAYERS 5, PACE MIN 0 DELAY 0")
    for letter, who in SIX.items():
        if letter != "E":
            play.send(who, f"JOIN globe\nSET PREFERENCE {letter}")
    starts = [letter for letter in play.run() if letter.kind == "start"]
    return {letter.to.partition("@")[0]: letter for letter in starts}


def test_with_five_players_the_sheet_and_its_samples_are_those_of_their_game(play: Play) -> None:
    starts = of_five(play)
    start = starts["ann"]
    assert "Scandinavia and Yakutskaya are no supply centers in this game." in flat(start)
    examples = re.findall(r"^  PRESS TO (.+)", start.text, re.MULTILINE)
    # The European Union and Oceania are nobody's.
    assert examples
    assert not {"European Union", "Oceania"} & {*", ".join(examples).split(", ")}
    assert all("PRESS TO European" not in each.text for each in starts.values())


def test_press_to_a_power_nobody_plays_or_to_oneself_is_refused(play: Play) -> None:
    of_five(play)
    said = flat(play.send("ann", "PRESS TO EU, RF\nHello\nENDPRESS"))
    assert "Nobody plays European Union in globe" in said
    said = flat(play.send("ann", "PRESS TO United States\nHello\nENDPRESS"))
    assert "Nothing was sent. You play United States yourself." in said
    assert "Sent to Russian Federation and Greater African Union" in flat(
        play.send("ann", "PRESS TO RF, GA\nHello\nENDPRESS")
    )


def test_the_sheet_says_what_each_kind_of_unit_can_do(play: Play) -> None:
    begin(play)
    units = {"US": "A cus", "GA": "A egy, R waf, AF saf", "RF": "A rus"}
    place(play, position("W2101M", units, {"GA": "waf egy"}))
    said = flat(play.send("emil", "STATUS"))
    assert "it stays where it is; its bomb reaches" in said
    assert "med Mediterranean Sea" in said
    assert "it supports up to two spaces away" in said
    sheet = play.send("emil", "STATUS").text
    line = next(each for each in sheet.splitlines() if "R waf bomb" in each).split("   ")[0].strip()
    reply = play.send("emil", line)
    assert "COULD NOT USE" not in reply.text
    assert [str(order) for order in globe(play).orders["Greater African Union"]] == [line]


def test_who_has_several_powers_reads_whose_unit_each_is(play: Play) -> None:
    three_hands(play)
    for who in ("ann", "bob", "cleo"):
        said = flat(play.send(who, "STATUS"))
        for power in mine_of(play, who):
            assert f"{power}: Your units" in said
        play.send(who, "all units hold")
    results = [each for each in play.run() if each.kind == "results"]
    ann = next(each for each in results if each.to.startswith("ann"))
    for power in mine_of(play, "ann"):
        assert f"{power}: Your units" in flat(ann)


def mine_of(play: Play, who: str) -> list[str]:
    person = play.storage.people.by_address(f"{who}@people.example")
    assert person is not None
    return [seat.power or "" for seat in globe(play).seats.of(person.id)]


def test_what_belongs_to_another_board_is_answered(play: Play) -> None:
    begin(play)
    said = flat(play.send("bob", "convert the fleet in Constantinople into an army"))
    assert "LINES I COULD NOT USE" in said


def test_a_chain_of_three_powers_destroys_a_space(play: Play) -> None:
    begin(play)
    place(play, CHAIN)
    said = flat(
        play.send(
            "ann", "Arsenal SUS bomb via NAT SAH EGY to SIO\nN NAT carry bomb from SUS via SAH"
        )
    )
    assert (
        "Arsenal Southern United States bombs South Indian Ocean by way of North Atlantic Ocean and"
        in said
    )
    assert "Look again" not in said
    said = flat(play.send("cleo", "A SAH carry bomb from NAT via EGY"))
    assert "Army Sahara takes the bomb from North Atlantic Ocean on to Egypt" in said
    play.send("emil", "AF EGY drop bomb from SAH to SIO\nA SAF H")
    play.letters()
    play.send("finn", "N SIO H")
    results = {letter.to[:3]: letter for letter in play.run() if letter.kind == "results"}
    told = flat(results["fin"])
    assert "South Indian Ocean: no unit can ever enter it again." in told
    assert "Navy South Indian Ocean (People's Republic of Asia) is destroyed with it." in told
    assert "Bombed the South Indian Ocean, which is destroyed" in told
    assert globe(play).game.phase == "F2101M"
    play.send("zoe", "REGISTER")
    assert "South Indian Ocean" in flat(play.send("zoe", "HISTORY globe"))
    for asked in ("MAP", "SUMMARY"):
        assert "Destroyed: South Indian Ocean." in flat(play.send("ann", asked)), asked
    assert "sio" not in flat(play.send("emil", "STATUS")).partition("Your units")[2]


def test_a_chain_says_what_it_misses(play: Play) -> None:
    begin(play)
    place(play, CHAIN)
    said = flat(play.send("ann", "R SUS bomb via NAT SAH EGY to SIO"))
    assert "N nat stands on the way of that bomb and is not ordered to carry it on." in said
    assert "Write for example: N nat bomb from sus via sah to sio" in said
    said = flat(play.send("ann", "R SUS H\nN NAT carry bomb from SUS via SAH"))
    assert "R sus is not ordered to give a bomb to N nat." in said


def test_bombs_can_be_ordered_ahead(play: Play) -> None:
    begin(play)
    place(play, CHAIN)
    said = flat(play.send("ann", "PHASE F2101M\nR SUS bomb via NAT SAH to EGY\nR SUS bomb TIB"))
    assert "Kept for Fall 2101, movement" in said or "kept" in said
    assert "TIB" in said.partition("COULD NOT USE")[2]


# Arsenals


HOMES = {"US": "cus sus wus ala", "RF": "rus ura kaz yak"}


def test_all_units_hold_and_the_right_to_an_arsenal_is_told(play: Play) -> None:
    begin(play)
    place(play, position("S2101M", {"US": "A cus", "RF": "A rus"}, HOMES))
    said = flat(play.send("ann", "A CUS H"))
    assert "All your units hold: with that you may build an arsenal in a later build phase." in said
    play.send("bob", "A RUS - URA")
    results = {each.to[:3]: flat(each) for each in play.run() if each.kind == "results"}
    assert globe(play).game.phase == "S2101A"
    assert "United States may build 1 arsenal as one of its builds" in results["ann"]
    assert "All units of United States held" in results["bob"]
    assert "Russian Federation may build" not in results["bob"]
    refused = flat(play.send("bob", "B R RUS"))
    assert "can be built once after each turn in which all units were ordered to hold" in refused
    said = flat(play.send("ann", "B R ALA, B R WUS, B A SUS"))
    assert "Build arsenal Alaska" in said


# Seasons


def test_a_space_that_is_closed_for_the_season_is_named(play: Play) -> None:
    begin(play)
    place(play, position("W2101M", {"US": "N ala", "RF": "N ear"}))
    said = flat(play.send("ann", "N ALA - POL"))
    assert "No unit can enter or leave the Polar Arctic in winter" in said
    assert "pol Polar Arctic" not in said


# Endings


SIXTEEN = {
    "US": "ala cus sus wus mex cam gre eca jap nze soz ino ven bra per arg",
    "RF": "rus ura kaz yak eeu tur sau ind gbr sca spn weu man nch sch sea",
    "GA": "egy mad saf waf",
}


def two_with_enough(play: Play) -> list[Received]:
    place(play, position("S2101M", {"US": "A cus", "RF": "A rus", "GA": "A egy"}, SIXTEEN))
    for who, line in (("ann", "A CUS H"), ("bob", "A RUS - URA"), ("emil", "A EGY H")):
        play.send(who, line)
    play.letters()
    return play.run()


def test_two_with_enough_centers_can_share_the_game(play: Play) -> None:
    begin(play)
    letters = two_with_enough(play)
    asked = [letter for letter in letters if letter.kind == "sharing"]
    assert sorted(letter.to[:3] for letter in asked) == ["ann", "bob"]
    assert "United States and Russian Federation both own at least 16" in flat(
        next(each for each in letters if each.kind == "results" and each.to.startswith("emil"))
    )
    said = answer(play, "ann", "sharing", "YES")
    assert "You want to share the game with Russian Federation." in flat(said)
    assert outcome(play) is None
    assert "You want to share the game with Russian Federation;" in flat(play.send("ann", "STATUS"))
    assert "share" not in flat(play.send("emil", "STATUS"))
    answer(play, "bob", "sharing", "Yes, please")
    end = next(each for each in play.run() if each.kind == "end")
    assert outcome(play) == ("two-way draw", ["United States", "Russian Federation"])
    assert "agreed to share the game: it is a draw between them." in flat(end)


def test_unless_both_want_to_share_the_game_goes_on_and_they_are_asked_again(play: Play) -> None:
    begin(play)
    two_with_enough(play)
    answer(play, "ann", "sharing", "YES")
    answer(play, "bob", "sharing", "NO")
    assert outcome(play) is None
    for who in ("ann", "bob", "emil"):
        play.send(who, "WAIVE")
    play.run()
    assert globe(play).game.phase == "U2101M"
    late = flat(answer(play, "ann", "sharing", "YES"))
    assert "is over: its phase was adjudicated" in late
    for _ in range(2):
        for who, unit in (("ann", "A CUS"), ("bob", "A URA"), ("emil", "A EGY")):
            play.send(who, f"{unit} H")
        letters = play.run()
    assert globe(play).game.phase == "F2101A"
    assert sorted(each.to[:3] for each in letters if each.kind == "sharing") == ["ann", "bob"]


def test_the_phase_waits_for_the_two_until_its_deadline(play: Play) -> None:
    begin(play)
    two_with_enough(play)
    for who in ("ann", "bob", "emil"):
        play.send(who, "WAIVE")
    play.run()
    assert globe(play).game.phase == "S2101A"
    deadline = globe(play).game.deadline
    while globe(play).game.phase == "S2101A":
        play.wake()
    assert globe(play).game.phase == "U2101M"
    assert play.clock.now() == deadline


def test_after_a_rollback_the_two_are_asked_anew(play: Play) -> None:
    begin(play)
    two_with_enough(play)
    answer(play, "ann", "sharing", "YES")
    answer(play, "bob", "sharing", "NO")
    play.send("max", "PROCESS S2101A")
    assert globe(play).game.phase == "U2101M"
    play.letters()
    play.send("max", "ROLLBACK S2101A")
    asked = [letter.to[:3] for letter in play.letters() if letter.kind == "sharing"]
    assert sorted(asked) == ["ann", "bob"]
    answer(play, "bob", "sharing", "YES")
    assert play.run() is not None
    assert outcome(play) is None
    answer(play, "ann", "sharing", "YES")
    play.run()
    assert outcome(play) == ("two-way draw", ["United States", "Russian Federation"])


def test_sixteen_alone_win(play: Play) -> None:
    begin(play)
    place(play, position("S2101M", {"US": "A cus", "RF": "A rus"}, SIXTEEN | {"RF": "rus ura"}))
    play.send("ann", "A CUS H")
    play.send("bob", "A RUS H")
    play.run()
    assert outcome(play) == ("victory", ["United States"])


def foreseen(play: Play) -> str:
    """What the master reads of the phase that is open."""
    play.letters()
    play.send("max", "STATUS")
    play.answer("max", "PREDICT")
    return flat(next(letter for letter in play.letters() if letter.kind == "preview"))


def test_all_lose_when_the_globe_is_uninhabitable(play: Play) -> None:
    begin(play)
    wasted = [*SIXTEEN["US"].split(), *SIXTEEN["GA"].split()]
    place(
        play,
        position("U2101M", {"RF": "R rus, A ura"}, {"RF": SIXTEEN["RF"]}, destroyed=sorted(wasted)),
    )
    play.send("bob", "R RUS bomb SCA, A URA H")
    assert "fewer than 16 supply centers would be left, and everybody would lose" in foreseen(play)
    letters = play.run()
    assert outcome(play) == ("uninhabitable", [])
    end = flat(next(each for each in letters if each.kind == "end"))
    assert "the globe is uninhabitable, and everybody has lost." in end
    assert "the globe is uninhabitable" in flat(play.send("zoe", "LIST globe"))


def test_a_globe_that_nobody_can_win_is_a_draw_of_all_who_are_left(play: Play) -> None:
    begin(play)
    # America, Africa, Eurasia and Oceania stand alone when the last sea is gone.
    seas = {p.id for p in globe(play).variant.board.provinces.values() if p.terrain == "sea"}
    gone = sorted((seas | {"egy", "isr", "kaz", "mie", "rus", "wsi", "cam"}) - {"nat"})
    units = {"US": "R eus, A cus", "RF": "A ura", "PR": "A nch"}
    centers = {"US": "cus wus", "RF": "ura", "PR": "nch"}
    place(play, position("W2102M", units, centers, destroyed=gone))
    play.send("ann", "R EUS bomb NAT, A CUS H")
    play.send("bob", "A URA H")
    play.send("finn", "A NCH H")
    assert "nobody could still get 16 supply centers" in foreseen(play)
    letters = play.run()
    left = ["United States", "Russian Federation", "People's Republic of Asia"]
    assert outcome(play) == ("impossible", left)
    end = flat(next(letter for letter in letters if letter.kind == "end"))
    assert "Nobody can still get 16 supply centers: the game is a draw of all" in end


def test_a_center_that_has_no_way_to_others_is_told_when_it_disappears(play: Play) -> None:
    begin(play)
    ruins = ["kaz", "mie", "nio", "sea", "tib"]
    units, centers = {"US": "A pak", "RF": "A rus"}, {"US": "ind", "RF": "rus ura"}
    place(
        play,
        position("U2102M", units, centers, destroyed=ruins, cut_off={"ind": "S2102"}),
    )
    play.send("ann", "A PAK - IND")
    play.send("bob", "A RUS H")
    results = next(flat(each) for each in play.run() if each.kind == "results")
    assert "India has no way left to any other supply center and is one no more." in results
    assert "Destroyed: Kazakhstan, Middle East, North Indian Ocean, Southeast Asia and" in results
    assert "India" not in flat(play.send("zoe", "LIST globe")).partition("nobody owns")[2]


def test_the_survivors_draw_by_a_unanimous_vote(play: Play) -> None:
    begin(play)
    for who in SIX.values():
        play.send(who, "SET DRAW")
    play.run()
    assert outcome(play) == ("draw", list(globe(play).variant.powers))


def test_help_tells_what_the_game_has_beyond_the_standard_rules(play: Play) -> None:
    start = begin(play)["ann"]
    part = start.text.partition("WHAT DIFFERS FROM THE STANDARD GAME")[2].partition("HELP global")[
        0
    ]
    assert 4 < len(part.strip().splitlines()) <= 10
    assert "HELP global tells all of it, with examples." in flat(start)
    page = play.send("ann", "HELP global")
    assert "A bomb destroys a space for good" in flat(page)
    bombs = play.send("ann", "HELP bombs").text
    place(play, position("S2101M", {"US": "R ala, AF nwt, A sus"}))
    shown = [line.strip().split("  ")[0] for line in bombs.splitlines() if " bomb " in line]
    chain = [line for line in shown if line.startswith(("R ala bomb via", "AF nwt"))]
    assert len(chain) == 2
    said = flat(play.send("ann", "\n".join(chain)))
    assert "COULD NOT USE" not in said
    assert "Look again" not in said
