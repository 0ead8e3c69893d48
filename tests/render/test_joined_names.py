"""Words join the names that texts print behind them, as a language's `names.toml` says."""

from __future__ import annotations

import re
from string import Formatter

import pytest
from markupsafe import Markup

from judge import render
from judge.i18n import OTHERS, Phrase, catalog, joined, language_data, speaking
from judge.sentences.terms import named, turn_words
from judge.variants import load
from tests.render.test_catalogs import forms, translated

JOINING = [each for each in OTHERS if language_data(each, "names")]

BOARDS = "standard", "ancient_mediterranean", "colonial", "era_of_empire", "canton"


def names(language: str) -> list[str]:
    """Powers, places, and people, some of whom begin with a vowel, as letters say them."""
    with speaking(language):
        standard = load("standard")
        places = [str(named(each.name)) for each in standard.board.provinces.values()]
        powers = [str(named(power)) for board in BOARDS for power in load(board).powers]
    return [*places, *powers, "Émile", "Zoë", "Anne et Bob"]


def test_there_is_a_language_that_joins() -> None:
    assert JOINING


def shown(language: str) -> list[str]:
    """Every form of every text of a language."""
    return [text for message in translated(language) for text in forms(message)]


@pytest.mark.parametrize("language", JOINING)
def test_no_catalog_has_a_bare_word_before_a_name(language: str) -> None:
    """But in lines that have codes."""
    before = [forms[""].strip() for forms in language_data(language, "names")["joined"].values()]
    bare = "|".join(re.escape(word) for word in before if word)
    bare_name = re.compile(rf"\b(?:{bare})\s(?:{{|%\()(?:place|power|winner)", re.IGNORECASE)
    kept = {
        text
        for message in translated(language)
        for text in forms(message)
        if "sentences.toml: short" in str(message.auto_comments)
    }
    assert [text for text in shown(language) if text not in kept and bare_name.search(text)] == []


@pytest.mark.parametrize("language", JOINING)
def test_no_text_leaves_a_word_before_a_vowel(language: str) -> None:
    """Neither in a catalog, where each word stands bare, nor in what is made of it."""
    rules = language_data(language, "names")
    elided = [forms[""].strip() for forms in rules["joined"].values() if " vowel" in forms]
    bare = "|".join(re.escape(word) for word in elided if word)
    if not bare:
        pytest.skip("no word of this language is elided")
    before_name = re.compile(rf"\b(?:{bare})\s(?:{{|%\()", re.IGNORECASE)
    texts = shown(language)
    assert [text for text in texts if before_name.search(text)] == []
    joining = [text for text in texts if "{" in text or "%(" in text]
    vowels = re.compile(rules["vowels"], re.IGNORECASE)
    for name in (each for each in names(language) if vowels.match(each)):
        wrong = re.compile(rf"(?<!\w)(?:{bare}) {re.escape(name)}", re.IGNORECASE)
        for text in joining:
            assert not wrong.search(with_name(text, language, name))


def with_name(text: str, language: str, name: str) -> str:
    """What a text says where each of its places has this name."""
    if "%(" in text:
        facts = {each.split()[-1]: name for each in re.findall(r"%\(([^)]*)\)s", text)}
        return str(Phrase(text, language) % facts)
    found = (each for _, each, _, _ in Formatter().parse(text) if each)
    return Phrase(text, language).format(**{each.split()[-1]: name for each in found})


@pytest.mark.parametrize("language", JOINING)
def test_every_word_of_a_text_is_known(language: str) -> None:
    words = {
        word.lower()
        for message in translated(language)
        for text in forms(message)
        for word in re.findall(r"(?:\{|%\()(\w+) \w+[)}]", text)
    }
    assert words == set(language_data(language, "names")["joined"])


@pytest.mark.parametrize("language", JOINING)
def test_every_article_is_of_a_name_there_is(language: str) -> None:
    known = {part for name in names(language) for part in (name, name.partition(" ")[0])}
    with speaking(language):
        board = load("standard").board
        known |= {catalog(language).gettext(kind.name) for kind in board.kinds.values()}
        known |= {turn_words(f"{season}1901M").partition(" ")[0] for season in "SUFW"}
    articles = language_data(language, "names")["articles"].values()
    assert {name for names in articles for name in names} <= known


@pytest.mark.parametrize(
    ("word", "name", "said"),
    [
        ("nach", "Türkei", "in die Türkei"),
        ("nach", "Wien", "nach Wien"),
        ("nach", "Schwarzes Meer", "ins Schwarze Meer"),
        ("in", "Schwarzes Meer", "im Schwarzen Meer"),
        ("in", "Niederlande", "in den Niederlanden"),
        ("der", "Bottnischer Meerbusen", "der Bottnische Meerbusen"),
        ("von", "Russland und Türkei", "von Russland und von der Türkei"),
        ("Von", "Irische See", "Von der Irischen See"),
        ("dem", "Golf von Lyon", "dem Golf von Lyon"),
    ],
)
def test_german_words_join(word: str, name: str, said: str) -> None:
    assert joined(word, name, "de") == said


@pytest.mark.parametrize(
    ("word", "name", "said"),
    [
        ("de", "Autriche", "de l'Autriche"),
        ("de", "France", "de la France"),
        ("De", "Pouilles", "Des Pouilles"),
        ("de", "Édimbourg", "d'Édimbourg"),
        ("de", "Paris", "de Paris"),
        ("de", "Autriche, France et Italie", "de l'Autriche, de la France et de l'Italie"),
        ("de", "Anne et Bob", "d'Anne et Bob"),
        ("de", "Yémen", "de Yémen"),
        ("de", "11", "de 11"),
        ("que", "Argentina", "qu'Argentina"),
        ("en", "Danemark", "au Danemark"),
        ("en", "Bulgarie (côte est)", "en Bulgarie (côte est)"),
        ("Le", "Turquie", "La Turquie"),
        ("le", "Paris", "Paris"),
        ("de", "", "de "),
    ],
)
def test_french_words_join(word: str, name: str, said: str) -> None:
    assert joined(word, name, "fr") == said


def test_names_are_joined_wherever_a_text_is_printed() -> None:
    said = "%(power)s votes to let %(winner)s win."
    template = f'{{{{ gettext("{said}", power=power, winner=winner) }}}}'
    with speaking("fr"):
        text = catalog("fr").gettext("Centers of {power}: {centers}.")
        assert text.format(power="Autriche", centers=3) == "Centres de l'Autriche : 3."
        assert text.format_map({"power": "Bob", "centers": 3}) == "Centres de Bob : 3."
        facts: dict[str, str] = {"power": "Austria", "winner": "Turkey"}
        plain = render.environment(autoescape=False).from_string(template).render(facts)
        assert plain == "L'Autriche vote pour laisser la victoire à la Turquie."
        facts["winner"] = Markup("<b>Autriche</b>")
        marked = render.environment(autoescape=True).from_string(template).render(facts)
        assert "à l&#39;<b>Autriche</b>." in marked
    assert joined("de", Markup("Italie"), "fr") == "de l&#39;Italie"
    assert joined("de", "Italie", "fr") == "de l'Italie"
