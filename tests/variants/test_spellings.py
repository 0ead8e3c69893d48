"""The names of every board, wherever a place can stand, in every notation.

An even sample here; `JUDGE_PROVE=full pytest tests/variants/test_spellings.py` takes all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

import pytest

from judge import variants
from judge.commands import TABLE
from judge.game.orders.interpret import ask
from judge.game.orders.order_context import OrderContext
from judge.game.orders.spelled import misread, spellings
from judge.i18n import LANGUAGES, word_list
from judge.intake.command import hearing
from judge.intake.lines import read_lines
from judge.language.read import read_order
from judge.rules.orders import Unreadable
from judge.rules.variant import Variant
from judge.sentences import order_words
from tests.sampled import some

EVERY = some(193, 1)
"""A prime, so that the sample meets every frame."""


@pytest.mark.parametrize("name", variants.names())
def test_every_spelling_of_a_board_is_read_as_what_it_says(name: str) -> None:
    variant = variants.load(name)
    assert not [f"{spelled}: {read}" for spelled, read in misread(variant, EVERY)]


@pytest.mark.parametrize(
    ("board", "line", "read"),
    [
        ("ancient_mediterranean", "mem - the", ["mem - the"]),
        ("ancient_mediterranean", "army in the the holds please", ["A the H"]),
        ("ancient_mediterranean", "the army in mem goes to the the", ["A mem - the"]),
        ("colonial", "now F sum to and please", ["F sum - and"]),
        ("colonial", "F sum - and and F mal - eio", ["F sum - and", "F mal - eio"]),
        ("colonial", "F sum - eio and", ["F sum - eio"]),
        ("year_1880", "F bar S F not - now (cut)", ["F bar S F not - now"]),
        ("dark_ages", "North Sea to the Wash", ["nor - the"]),
        ("heptarchy_4", "fleet in Wash holds", ["F was H"]),
        ("american_empire", "A kan - ok", ["A kan - okl"]),
        ("american_empire", "A kan - mis ok", ["A kan - mis"]),
        ("american_empire", "F ven scs", ["F ven - scs"]),
        ("american_empire", "Chesapeake Bay - Washington D.C.", ["chb - wdc"]),
        ("sail_ho", "F Eastern Ocean - Strife’s Cave", ["F eas - str"]),
        ("unconstitutional", "F sar - Turks and Caicos", ["F sar - tur"]),
        ("vietnam_war", "F hue S Coast of Vietnam", ["F hue S coa"]),
        ("gateway_west", "A jef - ste and A ste - jef", ["A jef - ste", "A ste - jef"]),
        ("heptarchy_4", "A sup - edi", ["A sup - edi"]),
        ("heptarchy_4", "A sup edi", ["A sup - edi"]),
        ("standard", "A par - bur now", ["A par - bur"]),
        ("standard", "and now A par - bur, ok", ["A par - bur"]),
        ("standard", "F stp sc - fin", ["F stp/sc - fin"]),
    ],
)
def test_the_words_of_a_board_go_before_courtesy_connectives_and_coasts(
    board: str, line: str, read: list[str]
) -> None:
    found = ask(line, OrderContext(variants.load(board)))
    assert [each.read for each in found] == read


def test_a_name_that_is_declared_unclear_is_not_tried() -> None:
    variant = variants.load("era_hawes")
    assert "as" in variant.unclear
    assert not any(" as - " in spelled.text for spelled in spellings(variant))


# -- in other languages ---------------------------------------------------------------------------

STANDARD = variants.load("standard")
TURN = OrderContext(STANDARD)

OTHERS = [language for language in LANGUAGES if language != "en"]

SENTENCES = {
    "de": {
        "{w} in {x} hält": "{k} {here} H",
        "die {w} in der {x} bleibt stehen": "{k} {here} H",
        "{w} aus {x} nach {there}": "{k} {here} - {there}",
        "{w} von {there} geht nach {x}": "{k} {there} - {here}",
        "{k} {there} - {x}": "{k} {there} - {here}",
        "{x} - {there}": "{here} - {there}",
        "{w} {there} unterstützt {w} {x}": "{k} {there} S {k} {here}",
        "{x} unterstützt {there}": "{here} S {there}",
        "baue {w} {x}": "B {k} {here}",
    },
    "fr": {
        "{w} à {x} tient": "{k} {here} H",
        "la {w} de {x} reste": "{k} {here} H",
        "{w} en {x} tient": "{k} {here} H",
        "{w} de la {x} vers {there}": "{k} {here} - {there}",
        "{w} d'{x} vers {there}": "{k} {here} - {there}",
        "{w} {there} vers l'{x}": "{k} {there} - {here}",
        "{w} {there} va en {x}": "{k} {there} - {here}",
        "{k} {there} - {x}": "{k} {there} - {here}",
        "{x} - {there}": "{here} - {there}",
        "{w} {there} soutient {w} {x}": "{k} {there} S {k} {here}",
        "{x} soutient {there}": "{here} S {there}",
        "construire {w} à {x}": "B {k} {here}",
    },
}
KINDS = {"de": {"A": "Armee", "F": "Flotte"}, "fr": {"A": "armée", "F": "flotte"}}


def said_in(language: str) -> Iterator[tuple[str, str]]:
    """Sentences with every name of the standard board in a language, and the orders they say."""
    board = STANDARD.board
    ids = {province.name: province.id for province in board.provinces.values()}
    for name, english in word_list(language, "provinces").items():
        here = ids[english]
        for kind, word in KINDS[language].items():
            near = [each for each in board.steps(kind, here) if "/" not in each]
            for text, order in SENTENCES[language].items() if near else ():
                if "'{x}" in text and name[0] not in "AEIOUÉÎ":
                    # Nothing is left out before a consonant.
                    continue
                known = {"k": kind, "w": word, "x": name, "here": here, "there": near[0]}
                yield text.format_map(known), order.format_map(known)


def as_printed(variant: Variant, step: int) -> Iterator[tuple[str, str]]:
    """Every border of a board, or one of so many spellings, as an order in the words that are
    printed in the language that is spoken."""
    for spelled in islice(spellings(variant), 0, None, step):
        order = read_order(spelled.text, variant, variant.start_phase)
        # A retreat is no order of a movement phase.
        if spelled.orders == spelled.text and " R " not in spelled.text:
            assert not isinstance(order, Unreadable)
            yield f"{order_words(order, variant.board)}.", spelled.orders


@pytest.mark.parametrize("language", OTHERS)
def test_names_in_another_language_are_understood_in_sentences(language: str) -> None:
    whole = EVERY == 1
    said = islice(said_in(language), 0, None, 1 if whole else 11)
    with hearing(language):
        for text, order in chain(said, as_printed(STANDARD, 1 if whole else 7)):
            found = list(read_lines(text, TABLE, lambda: TURN))
            assert [(line.kind, line.read) for line in found] == [("order", order)], text


@pytest.mark.parametrize(
    ("board", "language"), [("american_empire", "fr"), ("modern", "de"), ("global", "fr")]
)
def test_what_is_printed_of_another_board_is_understood(board: str, language: str) -> None:
    variant = variants.load(board)
    turn = OrderContext(variant)
    with hearing(language):
        for text, order in as_printed(variant, 1 if EVERY == 1 else 499):
            found = list(read_lines(text, TABLE, lambda: turn))
            assert [(line.kind, line.read) for line in found] == [("order", order)], text


@pytest.mark.parametrize(
    ("language", "line", "read"),
    [
        ("de", "Flotte Konstantinopel zieht nach Bulgarien (Ostküste)", "F con - bul/ec"),
        ("de", "Armee Albanien zieht nach Venedig per Konvoi über Adria", "A alb - adr - ven"),
        ("de", "Armee von den geht nach Schweden", "A den - swe"),
        ("fr", "Flotte Finlande soutient flotte Saint-Pétersbourg (côte sud)", "F fin S F stp/sc"),
        ("fr", "armée de St. Petersburg vers fin", "A stp - fin"),
        ("fr", "flotte de la Manche vers la mer d'Irlande", "F eng - iri"),
    ],
)
def test_words_of_a_language_do_not_eat_names(language: str, line: str, read: str) -> None:
    with hearing(language):
        found = list(read_lines(line, TABLE, lambda: TURN))
    assert [line.read for line in found] == [read]


@pytest.mark.parametrize(
    ("board", "line", "read"),
    [
        ("crusades_1201", "F bal - den and F den - bal", "F bal - den; F den - bal"),
        ("american_empire", "kan-ok, ok-kan", "kan - okl; okl - kan"),
        ("american_empire", "or H", "ore H"),
        ("cold_war", "mid-West Canada, West Canada-mid", "mid - wca; wca - mid"),
        ("dark_ages", "fleet in the now holds", "F now H"),
        ("global", "A ind - south-east asia", "A ind - sea"),
        ("global", "eeu-west europe, west europe-eeu", "eeu - weu; weu - eeu"),
    ],
)
def test_names_outrank_words_that_stand_around_names(board: str, line: str, read: str) -> None:
    found = ask(line, OrderContext(variants.load(board)))
    assert "; ".join(each.read or "" for each in found) == read
