"""Commands in the languages of players."""

from __future__ import annotations

import tomllib

import pytest

from judge.commands import TABLE
from judge.data import data_directory
from judge.render.heard import hearing, in_english, spoken_in
from tests.game.play import Play


@pytest.mark.parametrize(
    ("language", "line", "english"),
    [
        ("de", "Hilfe", "HELP"),
        ("de", "BEITRETEN paris", "JOIN paris"),
        ("de", "Presse an Frankreich und Türkei", "PRESS TO France and Turkey"),
        ("de", "PRESS TO Österreich", "PRESS TO Austria"),
        ("de", "presse an alle außer Russland", "PRESS TO all but Russia"),
        ("de", "Presse grau an Frankreich", "PRESS GREY TO France"),
        ("de", "kein remis", "SET NO DRAW"),
        ("de", "Mehr Zeit 24H", "EXTEND 24H"),
        ("de", "Tagebuch lesen 2", "DIARY READ 2"),
        ("de", "Sieg überlassen Türkei", "SET CONCEDE Turkey"),
        ("fr", "rejoindre paris", "JOIN paris"),
        ("fr", "Lettre à Allemagne", "PRESS TO Germany"),
        ("fr", "Presse grise à Allemagne", "PRESS GREY TO Germany"),
        ("fr", "ne pas attendre", "SET NO WAIT"),
        ("fr", "plus de temps 24H", "EXTEND 24H"),
        ("fr", "Pas d'absence 24 Dec", "SET NO ABSENCE 24 Dec"),
        ("fr", "CONCÉDER Turquie", "SET CONCEDE Turkey"),
    ],
)
def test_a_command_is_read_in_the_language_that_is_heard(
    language: str, line: str, english: str
) -> None:
    with hearing(language):
        assert in_english(line) == english
    assert in_english(line) == line


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
        assert in_english(line) == line


@pytest.mark.parametrize("language", ["de", "fr"])
def test_every_word_stands_for_a_command_there_is(language: str) -> None:
    path = data_directory("templates") / "locale" / f"{language}.toml"
    for local, english in tomllib.loads(path.read_text(encoding="utf-8"))["commands"].items():
        assert TABLE.find(f"{english} x") or TABLE.find(english), local


@pytest.mark.parametrize("language", ["de", "fr"])
def test_no_word_is_another_command_in_english(language: str) -> None:
    path = data_directory("templates") / "locale" / f"{language}.toml"
    for local, english in tomllib.loads(path.read_text(encoding="utf-8"))["commands"].items():
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


def test_whoever_sets_a_language_is_answered_in_it_at_once(play: Play) -> None:
    play.send("ann", "REGISTER")
    assert "Briefe an dich" in play.send("ann", "SET LANGUAGE deutsch").text
    assert "There are no letters" not in play.send("ann", "SPRACHE klingonisch").text
    assert "Letters to you are in this language" in play.send("ann", "SPRACHE english").text
