"""Gunboat and blind games: their settings, what is hidden, and orders into the dark."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from judge import variants
from judge.game.fairness import read_assignment
from judge.game.state import State
from judge.game.visibility import fog, identity
from judge.game.visibility.readers import reader_of
from judge.rules.phase import Phase
from judge.rules.position import Dislodged, Position, Unit
from judge.storage import Role, SeatState
from tests.game.play import PEOPLE, Play, flat


def paris(play: Play) -> State:
    game = play.storage.games.by_name("paris")
    assert game is not None
    return State(play.storage, game)


# What a blind player sees


def test_a_blind_player_sees_from_dislodged_units_and_no_standoff_out_of_sight() -> None:
    standard = variants.load("standard")
    gone = Dislodged(Unit("A", "ser"), "bul", ())
    position = Position(
        Phase.read("F1901R"),
        units={"France": (Unit("A", "par"),), "Turkey": (Unit("A", "ser"),)},
        dislodged={"Austria": (gone,)},
        contested=("bur", "ruh"),
    )
    known = fog.seen(standard, position, ["Austria"])
    assert {"ser", "bud", "bul", "gre"} <= known
    assert "par" not in known
    shown = fog.part_of(position, fog.seen(standard, position, ["France"]), ["France"])
    assert shown.contested == ("bur",)
    assert shown.dislodged == {"Austria": ()}
    assert fog.part_of(position, known, ["Austria"]).dislodged == {"Austria": (gone,)}
    # From where others were attacked, and where they can go, is theirs to know.
    assert fog.part_of(position, known, ["Turkey"]).dislodged == {
        "Austria": (Dislodged(gone.unit, None),)
    }


def test_a_blind_player_sees_no_ruins_and_arsenals_out_of_sight() -> None:
    board = variants.load("global")
    extra = {"destroyed": ["lon", "par"], "cut_off": {"lon": "S2103"}, "arsenals": {"A": 1, "B": 2}}
    position = replace(board.opening, extra=extra)
    assert fog.part_of(position, frozenset({"par"}), ["B"]).extra == {
        "destroyed": ["par"],
        "cut_off": {},
        "arsenals": {"B": 2},
    }


# Settings


@pytest.mark.parametrize(
    ("line", "gunboat", "blind", "press"),
    [
        ("standard gunboat blind", True, True, "white"),
        ("standard, GUNBOAT", True, False, "white"),
        ("blind no press", False, True, "none"),
        ("standard, VARIANT gunboat, NO PRESS", True, False, "none"),
        ("gunboat standard", True, False, "white"),
        ("standard", False, False, "white"),
    ],
)
def test_create_takes_options_of_the_variant(
    play: Play, line: str, gunboat: bool, blind: bool, press: str
) -> None:
    play.send("max", f"CREATE ?paris {line}")
    settings = paris(play).settings
    assert (settings.gunboat, settings.blind, settings.press) == (gunboat, blind, press)


def test_options_are_set_and_taken_back_until_the_start(play: Play) -> None:
    play.send("max", "CREATE ?paris")
    answer = play.send("max", "SET VARIANT standard gunboat blind\nSET NOT VARIANT blind")
    assert "Variant: now standard, gunboat, blind (before: standard)" in flat(answer)
    assert "Variant: now standard, gunboat (before: standard, gunboat, blind)" in flat(answer)
    assert "is no variant" in flat(play.send("max", "SET VARIANT atlantis"))
    assert "takes its place" in flat(play.send("max", "SET NOT VARIANT standard"))
    for who in PEOPLE:
        play.send(who, "JOIN paris")
    play.run()
    play.send("max", "SET NOT VARIANT gunboat\nSET NO GUNBOAT\nSET SECRET")
    assert paris(play).settings.gunboat
    assert not paris(play).settings.secret


def test_another_board_takes_its_rulebook_and_forgets_wishes(play: Play) -> None:
    play.send("max", "CREATE ?paris")
    play.send("ann", "JOIN paris\nSET PREFERENCE FEG")
    play.send("max", "SET VARIANT era_of_empire")
    state = paris(play)
    assert state.variant.name == "era_of_empire"
    assert [seat.preferences for seat in state.seats.active(Role.PLAYER)] == [""]


def test_a_secret_game_does_not_say_how_many_have_joined(play: Play) -> None:
    play.send("max", "CREATE ?paris gunboat, LIST, SECRET")
    texts = [flat(play.send(who, "JOIN paris\nLIST\nLIST paris\nSTATUS")) for who in PEOPLE[:3]]
    numbers = [re.findall(r"power assignment is (\d+)", text) for text in texts]
    bare = [
        re.sub(rf"{number}|Ann|Bob|Cleo", "", text)
        for (number,), text in zip(numbers, texts, strict=True)
    ]
    assert bare[0] == bare[1] == bare[2]
    assert "3 of 7" in flat(play.send("max", "LIST paris"))


@pytest.mark.parametrize(
    ("options", "shown"),
    [("", True), ("NO SHOW", False), ("gunboat", False), ("gunboat, SHOW", True)],
)
def test_who_changed_a_setting_is_told_as_set(play: Play, options: str, shown: bool) -> None:
    play.start(options)
    play.send("max", "SET MAX ABSENCE 3")
    (letter,) = [each for each in play.letters() if each.kind == "settings" and "cleo" in each.to]
    assert ("Max has changed" in letter.text) is shown


def test_in_an_unmoderated_gunboat_game_the_power_is_shown(play: Play) -> None:
    play.send("ann", "CREATE ?paris gunboat, SHOW")
    play.answer("ann", "JOIN paris")
    for who in PEOPLE[1:]:
        play.send(who, "JOIN paris")
    play.run()
    play.answer("ann", "SET MAX ABSENCE 3")
    (letter,) = [each for each in play.letters() if each.kind == "settings" and "cleo" in each.to]
    assert re.search(
        r"^(Austria|England|France|Germany|Italy|Russia|Turkey) has changed", letter.text, re.M
    )


# Who is who


def test_the_draw_stands_in_the_order_of_numbers_told_to_each_alone(play: Play) -> None:
    play.send("max", "CREATE ?paris gunboat, MANUAL START")
    numbers = {}
    for who in PEOPLE:
        found = re.search(r"power assignment is (\d+)", flat(play.send(who, "JOIN paris")))
        assert found
        numbers[who] = found[1]
    play.letters()
    play.answer("max", "START")
    starts = [letter for letter in play.run() if letter.kind == "start"]
    listed = re.search(r"Numbers: ([\d ]+)", starts[0].text)
    assert listed
    assert listed[1].split() == sorted(numbers.values())
    draw, _ = read_assignment(starts[0].text)
    for letter in starts:
        who = letter.to.partition("@")[0]
        if who in numbers:
            place = listed[1].split().index(numbers[who])
            assert f"You play {', '.join(draw.powers[place])}." in letter.first


@pytest.mark.parametrize("reveal", [True, False])
def test_names_are_told_at_the_end_as_set(play: Play, reveal: bool) -> None:
    play.start("gunboat" if reveal else "gunboat, NO REVEAL")
    assert "Dora" not in play.send("cleo", "WHO GAME").text
    play.sure("max", "TERMINATE paris")
    (end,) = [each for each in play.letters() if each.kind == "end" and "cleo" in each.to]
    assert ("Germany: Dora" in end.text) is reveal
    if not reveal:
        assert "Dora" not in play.send("cleo", "WHO GAME paris\nSUMMARY paris\nLIST paris").text
        play.sure("max", "SIGN ON paris\nREVEAL")
        (told,) = [each for each in play.letters() if each.kind == "revealed" and "cleo" in each.to]
        assert "Germany: Dora" in told.text


def test_the_master_of_a_gunboat_game_knows_who_is_who(play: Play) -> None:
    play.start("gunboat")
    assert "Germany: Dora" in play.send("max", "WHO GAME").text
    assert "master: Max" in play.send("cleo", "WHO GAME").text


def test_in_an_unmoderated_gunboat_game_nobody_is_told_who_is_away(play: Play) -> None:
    play.send("ann", "CREATE ?paris gunboat")
    play.answer("ann", "JOIN paris")
    for who in PEOPLE[1:]:
        play.send(who, "JOIN paris")
    play.run()
    play.send("bob", "SET ABSENCE 20 Jul to 22 Jul")
    assert [letter.to for letter in play.letters() if letter.kind == "absence"] == []


def test_what_somebody_does_in_a_running_gunboat_game_does_not_show_in_his_figures(
    play: Play,
) -> None:
    play.start("gunboat")
    before = flat(play.send("cleo", "INFO PLAYER dora@people.example"))
    play.sure("dora", "RESIGN")
    assert flat(play.send("cleo", "INFO PLAYER dora@people.example")) == before
    play.sure("max", "TERMINATE paris")
    assert "powers: 1, rated games: 1" in flat(play.send("cleo", "INFO PLAYER dora@people.example"))


def test_a_gunboat_game_has_not_the_time_zone_of_who_made_it(play: Play) -> None:
    play.send("ann", "REGISTER\nTime zone: Asia/Kathmandu\nEND\nCREATE ?paris gunboat")
    assert paris(play).settings.zone == "UTC"
    play.answer("ann", "CREATE ?rome")
    rome = play.storage.games.by_name("rome")
    assert rome is not None
    assert rome.settings["zone"] == "Asia/Kathmandu"


def test_no_deadline_tells_in_which_time_zone_somebody_is_away(play: Play) -> None:
    deadlines = []
    for options in ("gunboat", ""):
        play.send("max", f"CREATE ?{'a' if options else 'b'}game {options}, MOVE CLOCK -1 NEXT 24H")
        name = "agame" if options else "bgame"
        for who in PEOPLE:
            play.send(who, f"JOIN {name}")
        play.send("bob", f"REGISTER\nTime zone: Asia/Kathmandu\nEND\nSIGN ON {name}\n"
                  "SET ABSENCE 3 Jun to 4 Jun")  # fmt: skip
        play.run()
        game = play.storage.games.by_name(name)
        assert game is not None
        assert game.deadline is not None
        deadlines.append(game.deadline.strftime("%d %H:%M"))
    assert deadlines[0].endswith(("23:59", "00:00"))
    assert deadlines[1].endswith(("18:14", "18:15"))


# The dark


def blind(play: Play) -> None:
    play.start("blind, NMR, MOVE GRACE 25H")


def test_a_support_into_the_dark_counts_when_it_was_right(play: Play) -> None:
    blind(play)
    for who, lines in {
        "cleo": "A Par S Mun - Bur\nA Mar - Bur\nF Bre H",
        "dora": "A Mun - Bur\nF Kie H\nA Ber H",
    }.items():
        assert "COULD NOT USE" not in play.send(who, lines).text
    play.lapse()
    assert "A bur" in [str(unit) for unit in paris(play).opened.units["Germany"]]


def test_a_unit_without_an_order_is_told_like_one_that_was_to_hold(play: Play) -> None:
    blind(play)
    play.send("cleo", "A Par H")
    found = [letter for letter in play.lapse() if letter.kind == "results"]
    told = next(letter.text for letter in found if letter.to.startswith("cleo"))
    happened = told.partition("WHAT YOU SAW OF")[2]
    assert "A par H  ok" in happened
    assert "A mar H  ok" in happened


@pytest.mark.parametrize("place", ["Ruh", "Mun", "Ber", "Tyr"])
def test_an_order_for_a_unit_in_the_dark_is_refused_in_the_same_words(
    play: Play, place: str
) -> None:
    blind(play)
    answer = play.send("cleo", f"A {place} H")
    assert "No unit of yours stands in" in answer.text
    assert "Germany" not in answer.text


@pytest.mark.parametrize("line", ["A Par S Ruh - Bur", "A Par S Mun - Bur", "A Par S A Mun - Bur"])
def test_a_support_in_the_dark_is_taken_whether_there_is_a_unit_or_not(
    play: Play, line: str
) -> None:
    blind(play)
    answer = play.send("cleo", line)
    assert "COULD NOT USE" not in answer.text
    assert "Germany" not in answer.text.replace("(Germany)", "")


def test_whose_unit_a_player_sees_he_may_be_told(play: Play) -> None:
    blind(play)
    play.send("dora", "A Mun - Bur\nF Kie H\nA Ber H")
    play.lapse()
    assert "Germany" in play.send("cleo", "A Bur H").text


def test_what_a_power_sees_is_what_lies_one_step_from_its_units_and_centers(play: Play) -> None:
    blind(play)
    state = paris(play)
    seen = fog.seen(state.variant, state.opened, ["France"])
    assert seen == {
        *("par", "mar", "bre", "bur", "gas", "pic", "spa", "pie", "eng", "mid", "gol"),
    }


def test_at_the_end_of_a_blind_game_all_is_shown(play: Play) -> None:
    blind(play)
    play.send("dora", "A Mun - Sil")
    play.lapse()
    assert "Sil" not in play.send("cleo", "HISTORY paris FROM S1901M\nLIST paris").text
    play.sure("max", "TERMINATE paris")
    answer = play.send("cleo", "HISTORY paris FROM S1901M\nLIST paris\nSUMMARY paris")
    assert "A mun-sil" in answer.text
    assert "A sil" in answer.text


def test_who_takes_over_sees_what_his_power_sees_and_stand_ins_nothing(play: Play) -> None:
    blind(play)
    play.send("zoe", "OBSERVE paris\nSET STANDIN")
    play.send("yan", "REGISTER\nName: Yan\nEND\nSET STANDIN")
    play.sure("dora", "RESIGN")
    play.letters()
    play.wake()
    play.send("yan", "TAKE OVER germany@paris")
    (taken,) = [each for each in play.letters() if each.kind == "taken"]
    assert "A ber, F kie, A mun" in taken.text
    assert "Warsaw" not in taken.text
    assert "bud" not in taken.text


def test_the_masters_of_a_moderated_game_see_all(play: Play) -> None:
    blind(play)
    state = paris(play)
    (master,) = state.seats.active(Role.MASTER)
    assert identity.knows_all(state, reader_of(master.person_id))
    assert "Germany: 3 centers, A ber, F kie, A mun" in play.send("max", "LIST paris").text


# What people are called


def test_what_people_are_called(play: Play) -> None:
    play.send("max", "CREATE ?paris gunboat")
    play.send("walt", "OBSERVE paris")
    play.send("cleo", "JOIN paris")
    state = paris(play)
    by_role = {seat.role: seat for seat in state.seats}
    cleo, walt, max_ = (by_role[role] for role in (Role.PLAYER, Role.OBSERVER, Role.MASTER))
    assert [identity.name_of(state, seat) for seat in (cleo, walt, max_)] == [
        "A player", "An observer", "Max",
    ]  # fmt: skip
    assert identity.name_of(state, cleo, reader_of(max_.person_id)) == "Cleo"
    assert identity.called(state, state.seats.person(cleo)) == "A player"
    assert identity.called(state, state.seats.person(cleo), reader_of(max_.person_id)) == "Cleo"
    assert identity.changer(state, None) is None
    assert identity.number_of(state, cleo.person_id) is not None
    cleo.power = "France"
    assert identity.name_of(state, cleo) == "France"
    max_.person_id = None
    assert identity.name_of(state, walt) == "An observer"
    walt.person_id = cleo.person_id
    walt.role = Role.MASTER
    assert identity.knows_all(state, reader_of(cleo.person_id)), "whatever else he is there"


def test_in_other_games_everybody_is_known(play: Play) -> None:
    play.send("max", "CREATE ?paris")
    play.send("walt", "OBSERVE paris")
    joined = play.send("cleo", "JOIN paris")
    assert "power assignment is" not in flat(joined)
    state = paris(play)
    assert not state.terms.hides_people
    (cleo,) = state.seats.active(Role.PLAYER)
    assert identity.number_of(state, cleo.person_id) is None
    assert identity.name_of(state, cleo) == "Cleo"
    assert {row["name"] for row in identity.people(state)} == {"Max", "Cleo", "Walt"}
    state.seats.active(Role.OBSERVER)[0].state = SeatState.LEFT
    assert {row["name"] for row in identity.people(state)} == {"Max", "Cleo"}
    play.storage.tickets.secret = b"k" * 32
    cleo.id = 7
    assert identity.number(state, cleo) == 989873, "it stays what was told"


def test_another_position_is_shown_where_one_is_given(play: Play) -> None:
    play.start()
    state = paris(play)
    (max_,) = state.seats.active(Role.MASTER)
    other = Position(
        Phase.read("S1905M"), units={"France": (Unit("A", "mun"),)}, centers={"France": ("mun",)},
        extra={"destroyed": ["par"]},
    )  # fmt: skip
    assert fog.destroyed(state, reader_of(max_.person_id), other) == ["Paris"]
    assert fog.destroyed(state, reader_of(max_.person_id)) == []
    assert "Paris" not in fog.neutral(state, reader_of(max_.person_id))
    assert "Vienna" in fog.neutral(state, reader_of(max_.person_id), other)
    rows = {row["power"]: row for row in fog.standings(state, reader_of(max_.person_id), other)}
    assert rows["France"]["count"] == 1
