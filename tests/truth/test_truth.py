"""Letters say what is so in the game at hand: a part of `python -m tests.truth`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from tests.game.play import Play
from tests.render.texts import LOCALE
from tests.truth import claims, walks
from tests.truth.hearing import Hearing, Sentence, all_ears


@pytest.fixture(scope="module", autouse=True)
def heard() -> Iterator[None]:
    with all_ears():
        yield


def test_first_mails_are_answered_by_what_is_so() -> None:
    for walk in walks.first_mails(sample=1):
        assert walk.false == []


@pytest.mark.parametrize("kind", ["practice", "Era"])
def test_a_game_says_what_is_so(kind: str) -> None:
    walk = walks.game(kind, 0, 1)
    assert walk.false == []
    assert len(walk.met) > 3


def test_each_claim_is_about_a_sentence_that_letters_have() -> None:
    with (LOCALE / "de" / "catalog.po").open("rb") as file:
        said = {each.id[0] if isinstance(each.id, tuple) else each.id for each in read_po(file)}
    assert claims.CLAIMS.keys() - said == set()


def test_a_stranger_plays_by_what_letters_say() -> None:
    assert walks.stranger("de", 1).false == []


def test_what_is_not_so_is_found(tmp_path: Path) -> None:
    """Letters that tell of a deadline after it was moved."""
    walk = walks.Walk("moved", Play(tmp_path))
    walk.play.start()
    said: list[Sentence] = []
    walk.hearing = Hearing(lambda _, sentences: said.extend(sentences))
    with walk.hearing.listening():
        letter = walk.send("cleo", "STATUS")[0]
    assert list(claims.untrue(walk.play, letter, said, set())) == []
    game = walk.play.storage.games.by_name("paris")
    assert game is not None
    game.deadline = None
    with walk.play.storage.transaction():
        walk.play.storage.games.save(game)
    assert list(claims.untrue(walk.play, letter, said, set()))
    walk.play.storage.close()
