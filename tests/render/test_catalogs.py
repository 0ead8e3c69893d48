"""The catalogs say what the texts say: the same places in each message, a form for each number."""

from __future__ import annotations

import ast
import re

import pytest
from babel.messages import catalog as catalogs

from judge import render
from judge.i18n import OTHERS, Message, Phrase, Translations, gettext, language, say, speaking
from judge.render import hours_in_words, plural
from judge.sentences.terms import listed
from tests.render.texts import KEYWORDS, ROOT, catalog, found, missing

_PLACES = re.compile(r"(%\(|\{)(?:\w+ )?(\w+(?:\)s|(?:!r)?\}))")


def places(text: str) -> set[str]:
    """The places of a message, without the words that join the names there."""
    return {opening + rest for opening, rest in _PLACES.findall(text)}


def forms(message: catalogs.Message) -> list[str]:
    """The translation, with a form for each number; [] where there is none."""
    texts = message.string or ""
    return [each for each in ([texts] if isinstance(texts, str) else texts) if each]


def translated(language: str) -> list[catalogs.Message]:
    return [message for message in catalog(language) if message.id and forms(message)]


@pytest.mark.parametrize("language", OTHERS)
def test_every_message_is_translated(language: str) -> None:
    assert missing(language) == []


def test_no_message_hides_in_an_f_string() -> None:
    """Only Python 3.12 and newer look into them when the catalogs are made."""
    hidden = [
        f"{path.relative_to(ROOT)}:{part.lineno}"
        for path in sorted((ROOT / "judge").rglob("*.py"))
        for part in ast.walk(ast.parse(path.read_text()))
        if isinstance(part, ast.JoinedStr)
        for call in ast.walk(part)
        if isinstance(call, ast.Call)
        if getattr(call.func, "id", getattr(call.func, "attr", "")) in KEYWORDS
        if call.args and isinstance(call.args[0], ast.Constant)
    ]
    assert hidden == []


@pytest.mark.parametrize("language", OTHERS)
def test_every_translation_is_of_a_message_there_is(language: str) -> None:
    used = found()
    known = [message for message in catalog(language) if message.id]
    assert [each.id for each in known if used.get(each.id, each.context) is None] == []


@pytest.mark.parametrize("language", OTHERS)
def test_every_translation_has_the_places_of_its_message(language: str) -> None:
    wrong = []
    for message in translated(language):
        ids = [message.id] if isinstance(message.id, str) else list(message.id)
        known = {place for text in ids for place in places(text)}
        said = [places(form) for form in forms(message)]
        # One alone may be said in words.
        good = len(said) == len(ids) and all(each <= known for each in said) and said[-1] == known
        if not good:
            wrong.append(message.id)
    assert wrong == []


@pytest.mark.parametrize("language", OTHERS)
def test_translations_can_be_formatted(language: str) -> None:
    for message in translated(language):
        for text in forms(message):
            if "%(" in text:
                assert Phrase(text, language) % {name[2:-2]: "x" for name in places(text)}


def test_texts_are_said_in_the_language_that_is_spoken() -> None:
    text = Message("draw")
    each = Translations.of(lambda: say("{names} and {last}", names="A", last="B"))
    with speaking("de"):
        assert (str(text), str(each), language()) == ("Remis", "A und B", "de")
        assert listed(["France", "Italy"], "or") == "Frankreich oder Italien"
    with speaking("fr"):
        assert (str(text), str(each)) == ("match nul", "A et B")
        assert hours_in_words(49) == "2 jours 1 heure"
    assert (str(text), str(each)) == ("draw", "A and B")


def test_a_language_without_letters_is_english() -> None:
    with speaking("nl"):
        assert language() == "en"
        assert gettext("draw") == "draw"


def test_numbers_take_their_forms() -> None:
    with speaking("de"):
        assert [plural(count, "unit") for count in (0, 1, 2)] == [
            "0 Einheiten",
            "1 Einheit",
            "2 Einheiten",
        ]
    with speaking("fr"):
        assert plural(0, "unit") == "0 unité"


def test_a_letter_is_in_the_language_it_is_asked_for() -> None:
    facts = {"mail_id": 7, "problem": "?", "answered": True, "waiting": []}
    assert render.message("held", facts).subject == "JUDGE - Message 7 is held"
    assert render.message("held", facts, "de").subject == "JUDGE - Mail 7 liegt fest"
