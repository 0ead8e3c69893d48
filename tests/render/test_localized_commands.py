"""Commands in the languages of players."""

from __future__ import annotations

import pytest

from judge import variants
from judge.commands import TABLE
from judge.i18n import word_list
from judge.intake.command import (
    command_in_english,
    hearing,
    spoken_in,
)
from judge.language.read import read_order
from tests.game.play import Play


@pytest.mark.parametrize(
    ("language", "line", "english"),
    [
        ("de", "Hilfe", "HELP"),
        ("de", "Hilfe Befehle", "HELP ORDERS"),
        ("de", "BEITRETEN paris", "JOIN paris"),
        ("de", "Presse an Frankreich und Türkei", "PRESS TO France and Turkey"),
        ("de", "PRESS TO Österreich", "PRESS TO Austria"),
        ("de", "presse an alle außer Russland", "PRESS TO all but Russia"),
        ("de", "Presse grau an Frankreich", "PRESS GREY TO France"),
        ("de", "kein remis", "SET NO DRAW"),
        ("de", "Mehr Zeit 24H", "EXTEND 24H"),
        ("de", "Tagebuch lesen 2", "DIARY READ 2"),
        ("de", "Sieg überlassen Türkei", "SET CONCEDE Turkey"),
        ("fr", "Aide règles", "HELP RULES"),
        ("fr", "rejoindre paris", "JOIN paris"),
        ("fr", "Lettre à Allemagne", "PRESS TO Germany"),
        ("fr", "Presse grise à Allemagne", "PRESS GREY TO Germany"),
        ("fr", "ne pas attendre", "SET NO WAIT"),
        ("fr", "plus de temps 24H", "EXTEND 24H"),
        ("fr", "Pas d'absence 24 Dec", "SET NO ABSENCE 24 Dec"),
        ("fr", "CONCÉDER Turquie", "SET CONCEDE Turkey"),
        # Words of other sites, and what is written without its accent.
        ("de", "Rangliste", "RATING"),
        ("de", "STUMMSCHALTEN Türkei", "MUTE Turkey"),
        ("de", "Beschwerde über Türkei", "REPORT Turkey"),
        ("de", "ERSTELLE ?freitag gunboat", "CREATE ?freitag gunboat"),
        ("fr", "Classement", "RATING"),
        ("fr", "Qui est en retard", "WHO IS LATE"),
        ("fr", "SIGNALER Turquie", "REPORT Turkey"),
        ("fr", "Rendre muet Turquie", "MUTE Turkey"),
        ("fr", "PRESSE A TOUS SAUF Turquie", "PRESS TO all but Turkey"),
    ],
)
def test_a_command_is_read_in_the_language_that_is_heard(
    language: str, line: str, english: str
) -> None:
    with hearing(language):
        assert command_in_english(line) == english
    assert command_in_english(line) == line


@pytest.mark.parametrize(
    ("language", "line", "english"),
    [
        ("de", "Wenn nicht A München oder Flotte Nordsee", "if not A München or Flotte Nordsee"),
        ("de", "SONST", "ELSE"),
        ("de", "PHASE Herbst 1903 Rückzug", "PHASE fall 1903 retreat"),
        ("de", "PROCESS Frühjahr 1903", "PROCESS spring 1903"),
        ("de", "SET MOVE jeden Mo und Do 20:00", "SET MOVE every Mo and Do 20:00"),
        ("de", "Tempo werktags 21 Uhr", "SET PACE weekdays 21 o'clock"),
        ("fr", "SI A Bohême ET NON F mer du Nord", "IF A Bohême and not F mer du Nord"),
        ("fr", "PHASE automne 1903 retraites", "PHASE fall 1903 retreats"),
        ("fr", "SET MOVE deux fois par semaine", "SET MOVE twice a week"),
    ],
)
def test_what_stands_behind_a_command_is_read_too(language: str, line: str, english: str) -> None:
    with hearing(language):
        assert command_in_english(line) == english


@pytest.mark.parametrize(
    ("language", "line", "english"),
    [
        ("de", "Armee München nach Burgund", "army Munich - Burgundy"),
        ("de", "A Muenchen - Boehmen", "A Munich - Bohemia"),
        (
            "de",
            "Flotte Nordsee unterstützt F Norwegen nach Norwegische See",
            "fleet North Sea S F Norway - Norwegian Sea",
        ),
        ("de", "F Ostsee konvoiert A Berlin nach Schweden", "F Baltic Sea C A Berlin - Sweden"),
        ("de", "Flotte St. Petersburg (Nordküste) hält", "fleet St. Petersburg (north coast) H"),
        ("fr", "A Munich soutient A Berlin vers Kiel", "A Munich S A Berlin - Kiel"),
        ("fr", "l'armée de Marseille va en Espagne", "army Marseilles - Spain"),
        ("fr", "F Mer d’Irlande convoie A Galles - Belgique", "F Irish Sea C A Wales - Belgium"),
        ("fr", "A Boheme tient", "A Bohemia H"),
        ("fr", "A Paris - Bourgogne", "A Paris - Burgundy"),
    ],
)
def test_an_order_is_read_in_any_language(language: str, line: str, english: str) -> None:
    standard = variants.load("standard")
    read, plainly = (read_order(each, standard, standard.start_phase) for each in (line, english))
    assert str(read) == str(plainly)


@pytest.mark.parametrize("language", ["de", "fr"])
def test_every_province_there_is_one_of_the_standard_board(language: str) -> None:
    named = word_list(language, "provinces").values()
    board = variants.load("standard").board
    assert set(named) <= {each.name for each in board.provinces.values()}
    assert len(set(named)) > 50


def test_orders_are_taken_in_german(play: Play) -> None:
    play.start()
    play.send("dora", "SET LANGUAGE de")
    answer = play.send(
        "dora",
        "A München - Burgund\nFlotte Kiel bewegt sich nach Dänemark\nA Ber - Kie\n"
        "PHASE Herbst 1901\nWENN A Böhmen ODER Flotte Nordsee DANN A Burgund hält\n"
        "SONST A Burgund - Paris\nF Dänemark - Schweden\n",
    ).text
    assert "Armee München zieht nach Burgund" in answer
    assert orders_of(play, "Germany", "S1901M") == ["A mun - bur", "F kie - den", "A ber - kie"]
    assert orders_of(play, "Germany", "F1901M") == [
        "IF A boh OR F nth THEN A bur H",
        "IF A boh OR F nth ELSE THEN A bur - par",
        "F den - swe",
    ]


def test_orders_are_taken_in_french_and_english_ones_as_ever(play: Play) -> None:
    play.start()
    play.send("cleo", "SET LANGUAGE fr")
    play.send(
        "cleo",
        "A Mar - Spa\nLa flotte de Brest va vers la Manche\nA Paris soutient A Marseille vers "
        "Bourgogne",
    )
    assert orders_of(play, "France", "S1901M") == [
        "A mar - spa",
        "F bre - eng",
        "A par S A mar - bur",
    ]


@pytest.mark.parametrize(
    "line",
    [
        "Ich glaube, die Armee in Berlin bleibt nicht lange stehen, wenn Russland angreift.",
        "Wenn du magst, schreib mir.",
        "Was macht die Flotte in der Nordsee?",
    ],
)
def test_talk_in_german_stays_talk(play: Play, line: str) -> None:
    play.start()
    play.send("dora", "SET LANGUAGE de")
    play.send("dora", f"A Mun - Bur\n\n{line}")
    assert orders_of(play, "Germany", "S1901M") == ["A mun - bur"]
    told = play.send("dora", line).text
    assert "NICHTS ANFANGEN" not in told


def test_help_shows_what_stands_behind_a_command_in_the_readers_language(play: Play) -> None:
    play.send("dora", "REGISTER\nName: Dora\nLanguage: de\nEND")
    told = play.send("dora", "HELP take over").text
    assert "TAKE OVER Macht@Spiel" in told
    play.send("ann", "REGISTER\nName: Ann\nEND")
    told = play.send("ann", "HELP take over").text
    assert "TAKE OVER power@game" in told


def orders_of(play: Play, power: str, phase: str) -> list[str]:
    kept = play.storage.orders(1).of_power(power).get(phase, ())
    return [each.text for each in kept]


@pytest.mark.parametrize(
    "line",
    [
        "A par - bur",
        "Hilfen gibt es hier nicht",
        "Warten wir doch noch ein wenig, bis alle anderen geschrieben haben",
        "France: A par - bur",
    ],
)
def test_other_lines_stay_as_they_are(line: str) -> None:
    with hearing("de"):
        assert command_in_english(line) == line


@pytest.mark.parametrize("language", ["de", "fr"])
def test_every_word_stands_for_a_command_there_is(language: str) -> None:
    for local, english in word_list(language, "commands").items():
        assert TABLE.find(f"{english} x") or TABLE.find(english), local


@pytest.mark.parametrize("language", ["de", "fr"])
def test_no_word_is_another_command_in_english(language: str) -> None:
    for local, english in word_list(language, "commands").items():
        alike = TABLE.find(local)
        said = TABLE.find(english) or TABLE.find(f"{english} x")
        assert alike is None or (said is not None and alike[0] is said[0]), local


def test_a_strangers_command_tells_his_language() -> None:
    assert spoken_in("Hi!\n\nMITSPIELEN paris") == "de"
    assert spoken_in("REJOINDRE paris") == "fr"
    assert spoken_in("JOIN paris\nobserver of other games until now") is None


@pytest.mark.parametrize(
    ("mail", "language"),
    [
        ("JOIN paris", "en"),
        ("Hello, I am new here, what is this?\nJOIN paris", "en"),
        ("Hallo, ich bin neu hier und möchte gern mitspielen, danke!\nJOIN paris", "de"),
        ("Bonjour, je voudrais jouer avec vous, merci.\nJOIN paris", "fr"),
        ("Hola, quiero jugar con ustedes, gracias y un saludo\nJOIN paris", "en"),
    ],
)
def test_a_newcomer_is_answered_in_his_language_where_it_is_certain(
    play: Play, mail: str, language: str
) -> None:
    play.send("max", "CREATE ?paris")
    play.send("ann", mail)
    person = play.storage.people.by_address("ann@people.example")
    assert person is not None
    assert person.language == language


def test_who_sets_a_language_is_answered_in_it_at_once(play: Play) -> None:
    play.send("ann", "REGISTER")
    assert "Briefe an dich" in play.send("ann", "SET LANGUAGE deutsch").text
    assert "I write only in" not in play.send("ann", "SPRACHE klingonisch").text
    assert "Messages to you are now in this language" in play.send("ann", "SPRACHE english").text
