"""Whole mails of players who talk around their orders: what is on file when they have been read."""

from __future__ import annotations

import pytest

from tests.game.play import PEOPLE, Play

POWERS = dict(
    zip(
        PEOPLE,
        ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey"),
        strict=True,
    )
)

SENT = {
    "cleo": "A Par - Bur\nF Bre - Mid\nA Mar - Spa",
    "dora": "A Ber - Kie\nF Kie - Den\nA Mun - Ruh",
    "gwen": "A Con - Bul\nA Smy H\nF Ank H",
}
"""What some have sent before they write again."""

SAID = [
    # In a language that they have not set.
    ("dora", "Flotte Kiel in die Ostsee", "F kie - bal"),
    ("dora", "Armee München ins Ruhrgebiet\nRest bleibt stehen.", "A ber H; A mun - ruh; F kie H"),
    (
        "dora",
        "Armee München soll nach Burgund ziehen. Den Rest schicke ich morgen.",
        "A mun - bur",
    ),
    (
        "cleo",
        "Paris va en Picardie, Brest dans la Manche, Marseille en Bourgogne",
        "A mar - bur; A par - pic; F bre - eng",
    ),
    ("cleo", "Je voudrais que Paris aille en Bourgogne.", "A par - bur"),
    # Others look like words of it.
    ("cleo", "An army can die there\nA Par en Bur", ""),
]

CHANGED = [
    # Orders that stay are left as they are.
    ("dora", "F Kie - Hol, the rest stays as is", "A ber - kie; A mun - ruh; F kie - hol"),
    ("dora", "F Kie - Hol\nEverything else stands.", "A ber - kie; A mun - ruh; F kie - hol"),
    ("dora", "F Kiel - Holland. Der Rest bleibt.", "A ber - kie; A mun - ruh; F kie - hol"),
    ("cleo", "A Par - Pic, les autres restent", "A mar - spa; A par - pic; F bre - mid"),
    ("dora", "F Kie - Hol, the rest hold", "A ber H; A mun H; F kie - hol"),
]


def on_file(play: Play, who: str) -> str:
    game = play.storage.games.by_name("paris")
    assert game is not None
    found = play.storage.orders(game.id).of_phase("S1901M").get(POWERS[who], [])
    return "; ".join(sorted(order.text for order in found))


@pytest.mark.parametrize(("who", "mail", "expected"), SAID)
def test_what_is_ordered(play: Play, who: str, mail: str, expected: str) -> None:
    play.start()
    play.send(who, mail)
    assert on_file(play, who) == expected


@pytest.mark.parametrize(("who", "mail", "expected"), CHANGED)
def test_what_is_changed(play: Play, who: str, mail: str, expected: str) -> None:
    play.start()
    play.send(who, SENT[who])
    play.send(who, mail)
    assert on_file(play, who) == expected
