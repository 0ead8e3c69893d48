"""Orders in a writer's own words: what is offered of sentences that nobody can read for sure."""

from __future__ import annotations

import dataclasses

import pytest
from msgspec.structs import replace

from judge import variants
from judge.intake.likely import Likely
from judge.intake.wishes import places
from judge.rules.orders import Order
from judge.rules.position import Unit
from tests.language.measure import done, france, proposed, read_as

SAID = {
    # Names of a unit and of one place where it can go, whatever stands between.
    "my army from Paris she go to Burgundy": ["A par - bur"],
    "Die Truppen aus Paris sollen Burgund besetzen": ["A par - bur"],
    "I want Burgundy taken by Paris": ["A par - bur"],
    # Several, in either order; what is named again says nothing new.
    "So it's Burgundy for Paris, Spain for Marseilles, and the Channel for Brest": [
        "A par - bur",
        "A mar - spa",
        "F bre - eng",
    ],
    "The fleet in breast sorry Brest goes to the mid Atlantic Ocean.": ["F bre - mid"],
    # Conditions of other languages are none: `se`.
    "l'armée de Paris se rend en Bourgogne, celle de Marseille gagne l'Espagne": [
        "A par - bur",
        "A mar - spa",
    ],
    # Who aids aids what was said before.
    "Paris must to enter Burgundy. Marseille must help Paris for entering there.": [
        "A par - bur",
        "A mar S A par - bur",
    ],
    # A word for a kind of which there is one unit; where it stays, its own place.
    "Fleet will remain where it is in Brest.": ["F bre H"],
    # What cannot be is left out.
    "I'd like Paris to go up to Picardy, and my Marseilles boys straight on to Portugal, "
    "and the Brest boat into the English Channel": ["A par - pic", "F bre - eng"],
    # Not every unit need be in an order that is read.
    "Marseilles is quiet and Paris marches to Burgundy": ["A par - bur"],
    # What stands in brackets with other words is an aside, and no letter before all names a code.
    "those of Paris sit in the rain (I promised Picardy to nobody)": [],
    "c paris ds picardie, marseille ds espagne et brest ds la manche": [
        "A par - pic",
        "A mar - spa",
        "F bre - eng",
    ],
    # No small word is a name misspelled where names are large, and who goes there does not stay.
    "Die von Marseille spannen die Pferde an.": [],
    "those of Brest go there": [],
    # A place to which nothing is to go.
    "Paris goes to Picardy, not to Burgundy": ["A par - pic"],
    "Paris goes to Picardy instead of Burgundy": ["A par - pic"],
    # What is a goal and a unit.
    "Paris moves in on Brest and Brest makes off to Gascony": ["A par - bre", "F bre - gas"],
    # Who lives there, a part of a name, and letters in another order.
    "the Parisians march on Burgundy": ["A par - bur"],
    "send those of Brest out into the Atlantic": ["F bre - mid"],
    "those of Brets sail into the English Channel": ["F bre - eng"],
    # Whom a unit aids, by where that goes, and somebody else's.
    "Paris must enter Burgundy, and Marseilles must help into Burgundy": [
        "A par - bur",
        "A mar S A par - bur",
    ],
    "Marseilles helps Munich to get into Burgundy": ["A mar S A mun - bur"],
    # A unit with which nothing is to be done stays.
    "Marseilles takes Spain, and don't touch Paris": ["A mar - spa", "A par H"],
    "Marseilles marches on Spain. Paris does not budge an inch.": ["A mar - spa", "A par H"],
    "Marseille marschiert nach Spanien, Paris verbleibt.": ["A mar - spa", "A par H"],
    "Marseilles sets off for Spain, Paris sits tight.": ["A mar - spa", "A par H"],
    # A word for a kind of unit, whose place is named for another one.
    "my Paris boys to Brest, and the fleet gets to the Channel": ["A par - bre", "F bre - eng"],
    # A part of a name in other languages.
    "ab mit Brest in den Mittleren": ["F bre - mid"],
    "Paris nicht nach Burgund": [],
    # What is said last of a unit counts.
    "Paris marches on Picardy no scratch that Paris marches on Burgundy": ["A par - bur"],
    # A place that no unit can reach is none of this season, and one may be on the way.
    "Brest wades into the Mid-Atlantic to get down to Portugal": ["F bre - mid"],
    "Marseilles takes Spain, and Paris nears Belgium by way of Picardy": [
        "A mar - spa",
        "A par - pic",
    ],
    # What is for a later season stands behind its name.
    "Paris marches on Burgundy, so that in the autumn Marseilles gets to Spain": ["A par - bur"],
    "In the autumn my men of Paris get to Burgundy": [],
    "Back in 1974 my men of Paris took Burgundy": [],
    # A word that says when, and nothing of a unit.
    "hello, it is now me again and so my Paris she go to Burgundy": ["A par - bur"],
    # What somebody says to others.
    "Tell him: “my army from Paris she go to Burgundy, old friend”": [],
    # A unit by itself heads what follows.
    "1. Paris. Over into Burgundy. 2. The fleet in Brest. Out to the Mid-Atlantic.": [
        "A par - bur",
        "F bre - mid",
    ],
    # Two units that do alike; who aids, in words made of a verb, or misspelled.
    "Paris marches on Burgundy. Brest and Marseilles sit tight, my dear.": [
        "A par - bur",
        "F bre H",
        "A mar H",
    ],
    "Paris marches on Burgundy, with Marseilles suport": ["A par - bur", "A mar S A par - bur"],
    "Paris marschiert nach Burgund, unter Unterstützung aus Marseille": [
        "A par - bur",
        "A mar S A par - bur",
    ],
    "Paris nach Burgund, und Marseille gibt Paris dabei support": [
        "A par - bur",
        "A mar S A par - bur",
    ],
    "Paris aide Brest à tenir, et Brest ne bouge pas": ["F bre H", "A par S F bre"],
    # What stands behind a comma has a clause of its own.
    "Paris into Burgundy, Marseilles lends support, and Brest to Gascony": [
        "A par - bur",
        "A mar S A par - bur",
        "F bre - gas",
    ],
    # Whom it aids stands behind the verb, or is that of a list.
    "(1) Marseilles lends support to the move under (3). (2) Brest takes to the Channel. "
    "(3) Paris marches on Burgundy.": ["F bre - eng", "A par - bur", "A mar S A par - bur"],
    # What an order denies.
    "I change it: Paris not to Burgundy, but to Picardy.": ["A par - pic"],
    # What may change the order, or leaves a choice.
    "I still think about Paris to Burgundy and Paris to Picardy": [],
    "those of Paris either take Burgundy or hold": [],
    "my army from Paris she go to Burgundy if Germany agrees": [],
    "my army from Paris she go to Burgundy or Picardy": [],
    "I do not want that my Paris she go to Burgundy": [],
    "can the men of Paris march on Burgundy?": [],
    "Paris she is a nice town": [],
    "they say in Burgundy that Picardy is nice": [],
    # What is said last is asked about.
    "My Paris she go to Burgundy. My Paris she go to Picardy.": ["A par - pic"],
}


@pytest.mark.parametrize(("text", "orders"), SAID.items(), ids=list(SAID))
def test_a_sentence_means_the_orders_it_divides_into(text: str, orders: list[str]) -> None:
    found = Likely(france(), {}, [text])
    found.read({0: text})
    assert list(found.texts().values()) == orders


def test_where_units_move_a_retreat_is_offered_as_a_move() -> None:
    for text in ("Paris goes back to Burgundy", "A par R bur"):
        (line,) = read_as(text, france())["lines"]
        assert line["suggestions"] == ["A par - bur"]
        assert line["fate"] == "nothing"


RESTS = {
    # What no unit is named for is for the one that is left.
    "Paris marches on Burgundy, Marseilles on Spain, and the boat goes out to the Mid-Atlantic": [
        "A par - bur",
        "A mar - spa",
        "F bre - mid",
    ],
    "The army of the capital takes Burgundy, the southern one Spain, the navy the Mid-Atlantic": [
        "A par - bur",
        "A mar - spa",
        "F bre - mid",
    ],
    # More units than places, a place beside one that is ordered, or words that may change it.
    "Paris marches on Burgundy, and the boat goes out to the Mid-Atlantic": [],
    "Paris marches on Burgundy, Marseilles on Spain to keep Italy out of the Gulf of Lyon": [
        "A par - bur",
        "A mar - spa",
    ],
    "I hope for the Mid-Atlantic. Paris marches on Burgundy, Marseilles on Spain": [
        "A par - bur",
        "A mar - spa",
    ],
    # The place and the unit are spoken of apart.
    "Paris marches on Burgundy, Marseilles on Spain. Brest is lovely. I mistrust the Channel": [
        "A par - bur",
        "A mar - spa",
    ],
}


@pytest.mark.parametrize(("text", "orders"), RESTS.items(), ids=list(RESTS))
def test_what_is_left_is_for_the_units_that_are_left(text: str, orders: list[str]) -> None:
    found = Likely(france(), {})
    found.read({0: text})
    found.finish()
    assert sorted(found.texts().values()) == sorted(orders)


STAY = {
    "All three of them will be staying put, thank you": ["A mar H", "A par H", "F bre H"],
    "Everything stays but the fleet, which wades out into the Channel": [
        "A mar H",
        "A par H",
        "F bre - eng",
    ],
    "On ne touche à rien sauf Brest, qui part en Manche": ["A mar H", "A par H", "F bre - eng"],
    "Brest takes to the Channel. The other two don't move.": ["A mar H", "A par H", "F bre - eng"],
    "Brest takes to the Channel. Everybody else sits tight.": ["A mar H", "A par H", "F bre - eng"],
    "Tout le monde reste sur place sauf la flotte de Brest, qui part en Manche": [
        "A mar H",
        "A par H",
        "F bre - eng",
    ],
    "The fleet can away to the Channel. The other two bide where they are, I am not in a hurry.": [
        "A mar H",
        "A par H",
        "F bre - eng",
    ],
    # What is named apart, and not read, is left out.
    "Everything stays but the fleet": ["A mar H", "A par H"],
    "All of them stay if Germany agrees": [],
    "Not everything stays": [],
    "Does everything stay?": [],
    "I do not want to be the one for whom all wait": [],
    "celle de Brest reste": ["F bre H"],
    "there are three of us": [],
    "bitte an alle rausgeben:": [],
}


@pytest.mark.parametrize(("text", "orders"), STAY.items(), ids=list(STAY))
def test_what_all_do_is_for_those_of_which_nothing_else_is_said(
    text: str, orders: list[str]
) -> None:
    found = Likely(france(), {})
    found.read({0: text})
    found.finish()
    assert sorted(found.texts().values()) == orders


AFLOAT = {
    "those of Picardy get to London over the Channel": ["A pic - lon", "F eng C A pic - lon"],
    "The Channel takes Picardy over to London.": ["A pic - lon", "F eng C A pic - lon"],
    "l'armée de Picardie va à Londres, la flotte de la Manche la convoie": [
        "A pic - lon",
        "F eng C A pic - lon",
    ],
    "Picardy goes aboard in the Channel and lands at London": [
        "A pic - lon",
        "F eng C A pic - lon",
    ],
    # It goes on foot, or the fleet does something else.
    "Picardy marches on Belgium, to the joy of the Channel": ["A pic - bel"],
    "Picardy wades over to London, the Channel sits tight": ["A pic - lon", "F eng H"],
}


@pytest.mark.parametrize(("text", "orders"), AFLOAT.items(), ids=list(AFLOAT))
def test_a_fleet_that_is_named_takes_the_army_that_cannot_go_without(
    text: str, orders: list[str]
) -> None:
    turn = france()
    assert turn.position is not None
    units = (Unit("A", "pic"), Unit("F", "eng"))
    position = dataclasses.replace(turn.position, units={"France": units})
    found = Likely(replace(turn, position=position), {})
    found.read({0: text})
    found.finish()
    assert sorted(found.texts().values()) == orders


def test_a_unit_that_is_named_by_no_place_has_its_order_beside_others() -> None:
    turn = france()
    assert turn.position is not None
    units = {"France": (Unit("A", "ukr"), Unit("F", "rum"), Unit("F", "bot"))}
    found = Likely(replace(turn, position=dataclasses.replace(turn.position, units=units)), {})
    found.read({0: "L'Ukraine en Galicie, la flotte roumaine ne bouge pas, celle de Botnie: Suède"})
    assert sorted(found.texts().values()) == ["A ukr - gal", "F bot - swe", "F rum H"]


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("York wanders up to Edinburgh", ["A yor - edi"]),
        ("York hops over to Norway via the North Sea", ["A yor - nwy", "F nth C A yor - nwy"]),
        ("nach Belgien zieht die Ruhrarmee", ["A ruh - bel"]),
        ("Yo, Edinburgh is lovely", []),
    ],
)
def test_a_unit_may_be_named_by_the_beginning_of_its_place_or_joined_to_a_kind(
    text: str, orders: list[str]
) -> None:
    turn = france()
    assert turn.position is not None
    units = {"France": (Unit("A", "yor"), Unit("F", "nth"), Unit("A", "ruh"))}
    found = Likely(replace(turn, position=dataclasses.replace(turn.position, units=units)), {})
    found.read({0: text})
    assert sorted(found.texts().values()) == orders


def test_a_unit_between_two_places_is_who_goes_to_the_second() -> None:
    turn = france()
    assert turn.position is not None
    units = {"France": (Unit("A", "bur"), Unit("A", "par"), Unit("F", "bre"))}
    found = Likely(replace(turn, position=dataclasses.replace(turn.position, units=units)), {})
    found.read(
        {0: "Burgundy ups to Ruhr (good air), Paris follows to Burgundy, the fleet to Gascony"}
    )
    assert sorted(found.texts().values()) == ["A bur - ruh", "A par - bur", "F bre - gas"]


def test_a_unit_of_somebody_elses_is_supported_where_it_stands() -> None:
    turn = france()
    assert turn.position is not None
    units = {**turn.position.units, "Germany": (Unit("A", "bur"),)}
    found = Likely(replace(turn, position=dataclasses.replace(turn.position, units=units)), {})
    found.read({0: "Paris is to back the German in Burgundy (yes really)"})
    found.finish()
    assert [*found.texts().values()] == ["A par S A bur"]


def test_an_order_of_a_list_is_aided_by_its_number() -> None:
    found = Likely(france(), {})
    found.read({0: "a) Marseilles gives support to the move under b).", 1: "b) Paris to Burgundy."})
    assert [*found.texts().values()] == ["A par - bur", "A mar S A par - bur"]


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        (
            "Paris to Burgundy\nMarseilles supports the above\nBrest to Gascony",
            "A mar S A par - bur",
        ),
        ("Paris to Picardy\nBrest to Gascony\nMarseilles helps the latter", "A mar S F bre - gas"),
    ],
)
def test_who_aids_nobody_by_name_aids_the_order_above(text: str, orders: str) -> None:
    assert orders in proposed(read_as(text, france()))


def test_of_several_orders_none_is_aided_from_above_them() -> None:
    text = "Marseilles supports the above\nParis to Burgundy\nBrest to Gascony"
    assert not {"A mar S A par - bur", "A mar S F bre - gas"} & proposed(read_as(text, france()))


def test_a_fleet_that_carries_an_army_does_not_go_there_itself() -> None:
    turn = france()
    assert turn.position is not None
    units = (Unit("A", "pic"), Unit("F", "eng"))
    turn = replace(turn, position=dataclasses.replace(turn.position, units={"France": units}))
    found = read_as(
        "Picardy is going to London\nThe fleet of the Channel convoys her to London", turn
    )
    assert {*done(found), *proposed(found)} == {"A pic - lon", "F eng C A pic - lon"}


def test_what_stays_as_it_is_keeps_the_order_on_file() -> None:
    filed = Likely(france(), {})
    filed.read({0: "my army from Paris she go to Burgundy"})
    turn = replace(france(), filed=filed.orders)
    found = Likely(turn, {})
    found.read({0: "Brest takes to the Channel. The other two don't move."})
    found.finish()
    assert sorted(found.texts().values()) == ["A mar H", "F bre - eng"]


def test_a_unit_that_a_condition_speaks_of_is_in_doubt_wherever_it_is_named() -> None:
    found = Likely(france(), {})
    text = "If Germany comes, my Paris she go to Burgundy. Marseilles takes Spain. Paris stays home"
    found.read({0: text})
    assert [*found.texts().values()] == ["A mar - spa"]


WRAPPED = """I have thought about it for a long time, and now my men will march from
Paris over into Burgundy, while those of Marseilles take the road to
Spain. Brest wades out into the English Channel."""


def test_what_a_program_broke_into_lines_is_one_text() -> None:
    found = Likely(france(), {})
    found.read(dict(enumerate(WRAPPED.splitlines())))
    assert [*found.texts().values()] == ["A par - bur", "A mar - spa", "F bre - eng"]
    assert [*found.left.values()] == ["", "", ""]


def test_what_is_left_of_the_first_row_is_offered_too() -> None:
    text = "so then paris en gascogne, marseille a espagne, le bateau au portugal. mon dernier mot"
    turn = france()
    assert turn.position is not None
    units = {"France": (Unit("A", "par"), Unit("A", "mar"), Unit("F", "mid"))}
    position = dataclasses.replace(turn.position, units=units)
    offered = "\n".join(proposed(read_as(text, replace(turn, position=position)))).split("\n")
    assert {"A par - gas", "A mar - spa", "F mid - por"} <= {*offered}


def test_what_takes_an_order_back_in_words_nobody_read_bars_it() -> None:
    found = Likely(france(), {})
    found.read({0: "Paris marches on Picardy. No, on Burgundy. Marseilles takes to Spain."})
    assert [*found.texts().values()] == ["A mar - spa"]


@pytest.mark.parametrize("board", variants.names())
def test_names_of_any_language_are_looked_for_on_any_board(board: str) -> None:
    game = variants.load(board)
    turn = replace(france(), variant=game, position=game.opening, powers=game.powers[:1])
    every = [*places(game)]
    found = Likely(turn, {})
    found.read({row: " ".join(every[row : row + 8]) for row in range(0, len(every), 8)})


def test_a_sentence_may_go_on_in_the_next_line() -> None:
    found = Likely(france(), {})
    found.read({0: "my army from Paris she", 1: "go to Burgundy", 3: "Bye"})
    assert list(found.texts().values()) == ["A par - bur"]
    assert found.left == {0: "", 1: ""}


def test_what_was_read_is_not_said_again() -> None:
    known = Likely(france(), {})
    known.read({0: "the men of Paris go to Burgundy"})
    given: dict[str, Order] = dict(known.orders)
    found = Likely(france(), given)
    found.read({0: "Marseille must help Paris for entering there."})
    assert list(found.texts().values()) == ["A mar S A par - bur"]
    found.read({1: "the men of Paris go to Picardy"})
    assert "par" not in found.texts()


def test_units_are_those_of_the_writer() -> None:
    found = Likely(replace(france(), powers=("Germany",)), {})
    found.read({0: "my army from Paris she go to Burgundy", 1: "Munich she go to Burgundy"})
    assert list(found.texts().values()) == ["A mun - bur"]


def test_one_question_offers_all_that_is_likely() -> None:
    found = read_as(
        "my army from Paris she go to Burgundy\nSpain for Marseilles\nthe boat of Brest, Channel",
        france(),
    )
    assert done(found) == []
    assert all(line["fate"] == "asked" or line["problem"] for line in found["lines"])
    assert proposed(found) == {"A par - bur", "A mar - spa", "F bre - eng"}


def test_what_an_order_is_beside_is_not_said_again() -> None:
    found = read_as("A Par - Bur\nmy army from Paris she go to Picardy", france())
    assert "A par - pic" not in proposed(found)


def test_an_order_that_was_read_does_not_count_where_likely_words_say_another() -> None:
    found = read_as(
        "A Par - Bur\nA Mar - Spa\n\nI have thought about it: the men of Paris must go to Picardy.",
        france(),
    )
    assert done(found) == ["A mar - spa"]


def test_what_takes_the_place_of_an_order_that_was_read_is_offered_instead() -> None:
    found = read_as(
        "A Par - Bur\nA Mar - Spa\n\nHold on. I change it: Paris not to Burgundy, but to Picardy.",
        france(),
    )
    assert done(found) == ["A mar - spa"]
    assert proposed(found) == {"A par - pic"}


@pytest.mark.parametrize(
    ("text", "filed", "asked"),
    [
        ("Paris to Picardy\nBrest helps Paris", ["A par - pic"], {"F bre S A par - pic"}),
        ("Paris - Burgundy\nA Mar S A Par", ["A par - bur"], {"A mar S A par - bur"}),
        # Who writes so means just that.
        ("A Bre - Gas\nA Par S A Bre", ["A bre - gas", "A par S A bre"], set()),
        ("Brest to Gascony\nParis helps Brest hold", ["A bre - gas", "A par S A bre"], set()),
    ],
)
def test_support_in_words_for_what_moves_is_asked_about(
    text: str, filed: list[str], asked: set[str]
) -> None:
    turn = france()
    assert turn.position is not None
    units = [*turn.position.units["France"]]
    if "Gas" in text:
        units = [Unit("A", "bre"), Unit("A", "par")]
    position = dataclasses.replace(turn.position, units={"France": tuple(units)})
    found = read_as(text, replace(turn, position=position))
    assert (done(found), proposed(found)) == (filed, asked)


def test_support_in_words_is_read_where_no_position_is_known() -> None:
    turn = replace(france(), position=None)
    text = "Army Brest to Gascony\nArmy Paris helps army Brest"
    assert done(read_as(text, turn)) == ["A bre - gas", "A par S A bre"]


def test_one_order_told_to_everybody_is_none_but_several_are() -> None:
    told = read_as("Hello all,\nthe men of Paris march on Burgundy. Good luck!", france())
    assert "A par - bur" not in proposed(told)
    given = read_as(
        "Hello all,\nthe men of Paris march on Burgundy, those of Marseilles on Spain.", france()
    )
    assert {"A par - bur", "A mar - spa"} <= proposed(given)


def test_a_condition_that_names_nothing_of_the_game_leaves_all_orders_of_its_line_to_a_yes() -> (
    None
):
    text = "Paris into Burgundy, Marseilles to Spain, fleet stays until I know what he is up to."
    found = read_as(text, france())
    assert done(found) == []
    assert [line["fate"] for line in found["lines"]] == ["asked"] * 3
    board = read_as("Paris into Burgundy unless Germany goes there", france())
    assert [line["fate"] for line in board["lines"]] == ["nothing"]


def test_what_a_heading_says_that_may_be_talk_leaves_its_orders_to_a_yes() -> None:
    found = read_as("I hope it's ok to write it like this:\nA Par - Bur", france())
    assert (done(found), proposed(found)) == ([], {"A par - bur"})
    assert {line["fate"] for line in found["lines"]} == {"asked"}
