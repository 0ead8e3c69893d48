"""How games end by mail: draws of some, concessions, centers to win, ties."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge.game.state import State
from judge.rules.phase import Phase
from tests.game.play import PEOPLE, Play, flat


def paris(play: Play) -> State:
    game = play.storage.games.by_name("paris")
    assert game is not None
    return State(play.storage, game)


def own(play: Play, phase: str = "", **centers: str) -> None:
    """Give centers to powers as if they had been taken; the others keep theirs.

    The phase goes on, or another begins.
    """
    with play.storage.transaction():
        game = play.storage.games.by_name("paris")
        assert game is not None
        claimed = play.storage.games.claim(game.id)
        assert claimed is not None
        state = State(play.storage, claimed)
        new = {power: tuple(text.split()) for power, text in centers.items()}
        taken = {center for each in new.values() for center in each}
        kept = {
            power: tuple(center for center in held if center not in taken)
            for power, held in state.opened.centers.items()
        }
        now = Phase.read(phase) if phase else state.opened.phase
        state.open(replace(state.opened, phase=now, centers=kept | new))
        state.save()


def vote(play: Play, **lines: str) -> None:
    for who, line in lines.items():
        play.send(who, line)
    play.judge.work()


def outcome(play: Play) -> tuple[str, list[str]] | None:
    found = paris(play).game.outcome
    return None if found is None else (found.ending, list(found.winners))


def test_a_list_is_told_in_words_that_fit(play: Play) -> None:
    play.start("NO DIAS")
    one = " ".join(play.send("cleo", "SET DRAW EF").text.split())
    assert "France accepts a draw with England, and with nobody else." in one
    assert "You do not vote to let anybody win." in play.send("ann", "SET NO CONCEDE").text
    some = " ".join(play.send("cleo", "SET DRAW EFG").text.split())
    assert "France accepts a draw with England and Germany, or with some of them." in some


@pytest.mark.parametrize(("rules", "sharing"), [("1976", "Italy"), ("2023", "Germany")])
def test_by_the_rules_of_1976_who_has_pieces_shares_in_a_draw(
    rules: str, sharing: str, play: Play
) -> None:
    play.start(f"RULES {rules}")
    own(play, Italy="", Austria="rom ven nap")
    with play.storage.transaction():
        game = play.storage.games.by_name("paris")
        assert game is not None
        state = State(play.storage, game)
        state.open(replace(state.opened, units={**state.opened.units, "Germany": ()}))
        state.save()
    others = {"Austria", "England", "France", "Russia", "Turkey"}
    assert set(paris(play).powers.survivors()) == others | {sharing}
    voter = {"Italy": "emil", "Germany": "dora"}
    vote(play, **{who: "SET DRAW" for who in PEOPLE if who not in voter.values()})
    assert outcome(play) is None
    vote(play, **{voter[sharing]: "SET DRAW"})
    found = outcome(play)
    assert found is not None
    assert set(found[1]) == others | {sharing}


def test_before_anybody_has_pieces_owners_of_centers_can_agree(play: Play) -> None:
    play.start("RULES 1976, BLANK BOARD")
    assert len(paris(play).powers.survivors()) == 7


def test_the_largest_draw_that_all_accept_happens(play: Play) -> None:
    play.start("NO DIAS")
    vote(play, ann="SET DRAW AEF", bob="SET DRAW AEF", cleo="SET DRAW AEF, NO DRAW")
    vote(play, dora="SET DRAW AEF", emil="SET DRAW AEFG", finn="SET DRAW AEF")
    vote(play, gwen="SET DRAW AEFGI")
    assert outcome(play) is None
    said = play.send("cleo", "SET DRAW AFE").text
    assert "France accepts a draw with Austria and England, or with some of them." in said
    letters = play.run()
    assert outcome(play) == ("draw", ["Austria", "England", "France"])
    end = next(each for each in letters if each.kind == "end" and each.to.startswith("ann"))
    assert "shared equally by Austria, England and France" in " ".join(end.text.split())


def test_no_draw_accepts_only_a_win_of_ones_own(play: Play) -> None:
    play.start("NO DIAS")
    vote(play, **{who: "SET DRAW R" for who in PEOPLE if who != "finn"})
    assert outcome(play) == ("concession", ["Russia"])


def test_lists_need_no_dias_and_survivors(play: Play) -> None:
    play.start()
    assert "includes all survivors" in " ".join(play.send("ann", "SET DRAW AE").text.split())
    play.send("max", "SET NO DIAS")
    own(play, Turkey="", France="par bre mar ank con smy")
    answer = play.send("ann", "SET DRAW AET")
    assert "Turkey has no share" in answer.text
    assert "SET DRAW AE" in answer.text
    assert "cannot read XY" in " ".join(play.send("ann", "SET DRAW XY").text.split())
    assert "no vote" in " ".join(play.send("gwen", "SET DRAW").text.split())


def test_all_others_let_the_leader_win(play: Play) -> None:
    play.start()
    assert "owns more supply centers than any other" not in play.send("ann", "STATUS").text
    refused = " ".join(play.send("ann", "SET CONCEDE F").text.split())
    assert "that is Russia" in refused
    said = play.send("ann", "SET CONCEDE R")
    assert "Austria votes to let Russia win." in said.text
    assert "Austria votes to let Russia win." in play.send("ann", "STATUS").text
    for who in PEOPLE[1:5]:
        play.send(who, "SET CONCEDE Russia")
    assert play.judge.work() == 0
    assert "not needed" in play.send("finn", "SET CONCEDE R").text
    play.send("gwen", "SET CONCEDE R")
    play.letters()
    letters = play.run()
    assert outcome(play) == ("concession", ["Russia"])
    assert "All others have agreed to let Russia win." in letters[0].text


def test_nobody_is_given_a_game_without_concessions(play: Play) -> None:
    play.start("NO CONCESSIONS, NO DIAS")
    assert "nobody can concede" in play.send("ann", "SET CONCEDE R").text
    vote(play, **{who: "SET DRAW R" for who in PEOPLE if who != "finn"})
    assert outcome(play) is None


def test_votes_are_nobody_elses_business_and_end_with_the_phase(play: Play) -> None:
    play.start("NMR")
    vote(play, ann="SET CONCEDE R", bob="SET DRAW")
    letters = play.lapse()
    told = [each.text for each in letters if each.kind != "reply"]
    assert told
    assert not any("CONCEDE" in text or "let Russia" in text for text in told)
    assert not any(seat.draw for seat in paris(play).seats)


@pytest.mark.parametrize("number", ["4", "35", "many"])
def test_the_number_of_centers_must_leave_something_to_play_for(play: Play, number: str) -> None:
    play.start()
    assert "no number of centers" in play.send("max", f"SET CENTERS {number}").text
    assert paris(play).victory == 18


def test_a_tie_at_the_top_plays_on_and_takes_one_more(play: Play) -> None:
    play.start("CENTERS 5, NMR, MANUAL PROCESS")
    play.send("max", "PROCESS S1901M")
    own(play, France="par bre mar spa por", Russia="mos stp sev war swe")
    play.letters()
    play.send("max", "PROCESS F1901M")
    told = [" ".join(each.text.split()) for each in play.letters() if each.kind == "results"]
    assert len(told) == 8
    assert all("nobody has won yet. From now on it takes 6." in each for each in told)
    state = paris(play)
    assert state.game.state == "active"
    assert state.victory == 6
    play.send("zoe", "REGISTER\nName: Zoe\nEND")
    assert "Victory: 6 centers" in play.send("zoe", "LIST paris").text


def wipe_out(play: Play, power: str, heir: str) -> None:
    """Leave nothing to a power: its units are gone, its centers another's."""
    state = paris(play)
    centers = " ".join((*state.opened.centers[heir], *state.opened.centers[power]))
    own(play, **{heir: centers, power: ""})
    with play.storage.transaction():
        claimed = play.storage.games.claim(state.game.id)
        assert claimed is not None
        state = State(play.storage, claimed)
        state.open(replace(state.opened, units={**state.opened.units, power: ()}))
        state.save()


def test_a_game_can_end_with_the_year_of_the_first_elimination(play: Play) -> None:
    starts = play.start("END WITH ELIMINATION, NMR, MANUAL PROCESS")
    said = "ends with the first year in which a player is eliminated"
    assert said in " ".join(starts["ann"].text.split())
    late = " ".join(play.send("max", "SET NO END WITH ELIMINATION").text.split())
    assert "elimination cannot be changed" in late
    wipe_out(play, "Turkey", "Russia")
    play.send("max", "PROCESS S1901M")
    assert outcome(play) is None
    play.letters()
    play.send("max", "PROCESS F1901M")
    assert outcome(play) == ("elimination", ["Russia"])
    end = next(each for each in play.letters() if each.kind == "end")
    assert "Russia has the most supply centers and wins." in " ".join(end.text.split())


def test_a_game_goes_on_after_an_elimination_unless_that_was_agreed(play: Play) -> None:
    play.start("NMR, MANUAL PROCESS")
    wipe_out(play, "Turkey", "Russia")
    for phase in ("S1901M", "F1901M"):
        play.send("max", f"PROCESS {phase}")
    assert paris(play).game.phase == "S1902M"


def test_the_end_has_all_orders_in_a_text_and_the_position_in_words(play: Play) -> None:
    play.start("NMR, MANUAL PROCESS")
    play.send("cleo", "A Par - Bur")
    play.send("max", "PROCESS S1901M")
    play.letters()
    vote(play, **dict.fromkeys(PEOPLE, "SET DRAW"))
    end = next(each for each in play.letters() if each.kind == "end")
    assert "Army Burgundy" in end.text
    files = {part.get_filename(): part for part in end.message.iter_attachments()}
    text = files["paris-orders.txt"].get_content()
    assert "paris, SPRING 1901, MOVEMENT" in text
    assert "A par-bur  " in text
    # Programs ask for all of it; nobody else needs it beside the text.
    assert set(files) <= {"paris-orders.txt", "paris.ics"}
    answer = play.send("cleo", "GAME FILE paris")
    assert any(part.get_filename() == "paris-game.json" for part in answer.message.walk())


def test_statements_are_for_the_end_and_everybody_reads_them(play: Play) -> None:
    play.start()
    early = play.send("cleo", "STATEMENT\nI shall win.\nEND\nA Par H")
    assert "not over" in early.text
    assert "I shall win" not in "".join(each.text for each in play.letters() if each != early)
    vote(play, **dict.fromkeys(PEOPLE, "SET DRAW"))
    play.letters()
    play.answer("cleo", "STATEMENT\nI should not have trusted Italy.\nEND")
    told = [each for each in play.letters() if each.kind == "statement"]
    assert len(told) == 7
    assert "France (Cleo):\n\n  I should not have trusted Italy." in told[0].text
    play.send("zoe", "REGISTER")
    assert "trusted Italy" in play.send("zoe", "SUMMARY paris").text
    play.answer("cleo", "STATEMENT\nWell played.")
    summary = play.send("zoe", "SUMMARY paris").text
    assert "Well played." in summary
    assert "trusted Italy" not in summary


def test_powers_in_civil_disorder_have_no_vote_and_no_share(play: Play) -> None:
    play.start("NMR, MOVE DELAY 0 MIN 0")
    for who in PEOPLE[1:]:
        lines = [f"{unit} H" for unit in paris(play).opened.units[power_of(play, who)]]
        play.send(who, "\n".join(lines))
    play.lapse()
    assert paris(play).powers.condition("Austria") == "disorder"
    vote(play, **dict.fromkeys(PEOPLE[1:], "SET DRAW"))
    assert outcome(play) == (
        "draw",
        ["England", "France", "Germany", "Italy", "Russia", "Turkey"],
    )


def power_of(play: Play, who: str) -> str:
    person = play.storage.people.by_address(f"{who}@people.example")
    assert person is not None
    (power,) = [seat.power for seat in paris(play).seats.of(person.id)]
    assert power is not None
    return power


@pytest.mark.parametrize("lines", ["D A Par", "D A Par\nD A Mar\nD F Bre"])
def test_who_must_remove_all_units_may_name_them_all(lines: str, play: Play) -> None:
    play.start()
    own(play, "W1901A", Germany="ber kie mun par mar bre")
    answer = play.answer("cleo", lines).text.lower()
    assert all(line.removeprefix("D ").lower() in answer for line in lines.splitlines())


def test_who_wins_has_the_most_only_of_those_who_were_played(play: Play) -> None:
    play.start("END AFTER S1901")
    play.sure("max", "DUMMY russia")
    play.letters()
    play.sure("max", "PROCESS S1901M")
    (end, *_) = [each for each in play.letters() if each.kind == "end"]
    assert "Of the powers that a player had at the end: Austria, England" in flat(end)
