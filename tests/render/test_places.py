"""Provinces in the reader's language, which is understood from him, too."""

from __future__ import annotations

import pytest

from judge.i18n import OTHERS, speaking, word_list
from judge.rules.position import Unit
from judge.sentences.terms import listed, placed, unit_words
from judge.variants import load


@pytest.mark.parametrize("language", OTHERS)
def test_what_letters_say_is_what_may_be_written_and_names_one_province(language: str) -> None:
    board = load("standard").board
    known = word_list(language, "provinces")
    said = {}
    with speaking(language):
        for province in board.provinces.values():
            said[province.name] = placed(province.name)
    assert len(set(said.values())) == len(said)
    for english, local in said.items():
        assert known.get(local, local) == english
    assert set(known.values()) <= set(said)


def test_coasts_sentences_and_lists_have_them() -> None:
    with speaking("de"):
        assert placed("St. Petersburg (south coast)") == "Sankt Petersburg (Südküste)"
        assert unit_words(Unit("A", "vie"), load("standard").board) == "Armee Wien"
        assert listed(["Munich", "Paris"]) == "München und Paris"
    with speaking("fr"):
        assert placed("Bulgaria (east coast)") == "Bulgarie (côte est)"
        assert placed("Middle Earth") == "Middle Earth"
    assert placed("Munich") == "Munich"
