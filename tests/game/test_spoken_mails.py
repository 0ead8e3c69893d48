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
        "Armee München soll nach Burgund ziehen.\nDen Rest schicke ich morgen.",
        "A mun - bur",
    ),
    (
        "cleo",
        "Paris va en Picardie, Brest dans la Manche, Marseille en Bourgogne",
        "A mar - bur; A par - pic; F bre - eng",
    ),
    ("cleo", "Je voudrais que Paris aille en Bourgogne.", "A par - bur"),
    (
        "dora",
        "Alles hält, nur die Flotte geht nach Dänemark. Danke und viele Grüße",
        "A ber H; A mun H; F kie - den",
    ),
    (
        "dora",
        "München unterstützt die französische Armee von Paris nach Burgund",
        "A mun S A par - bur",
    ),
    ("cleo", "Mon armée de Paris part en Bourgogne", "A par - bur"),
    ("cleo", "La flotte de Brest va vers l'Atlantique", "F bre - mid"),
    # Others look like words of it.
    ("cleo", "An army can die there\nA Par en Bur", "A par - bur"),
]

CHANGED = [
    # Second thoughts.
    (
        "dora",
        "wait, no: Munich should go to Burgundy instead, everything else stays as above.",
        "A ber - kie; A mun - bur; F kie - den",
    ),
    ("gwen", "Replace F Ank H with F Ank - Bla", "A con - bul; A smy H; F ank - bla"),
    ("gwen", "Actually make Smyrna go to Armenia.", "A con - bul; A smy - arm; F ank H"),
    (
        "dora",
        "Sorry, Tippfehler! Statt F Kie - Den bitte F Kie - Hol.",
        "A ber - kie; A mun - ruh; F kie - hol",
    ),
    (
        "cleo",
        "Finalement, l'armée de Paris va plutôt en Gascogne.",
        "A mar - spa; A par - gas; F bre - mid",
    ),
    # Orders that stay are left as they are.
    ("dora", "F Kie - Hol, the rest stays as is", "A ber - kie; A mun - ruh; F kie - hol"),
    ("dora", "F Kie - Hol\nEverything else stands.", "A ber - kie; A mun - ruh; F kie - hol"),
    ("dora", "F Kiel - Holland. Der Rest bleibt.", "A ber - kie; A mun - ruh; F kie - hol"),
    ("cleo", "A Par - Pic, les autres restent", "A mar - spa; A par - pic; F bre - mid"),
    ("dora", "F Kie - Hol, the rest hold", "A ber H; A mun H; F kie - hol"),
    # What is on file is what the command above has left.
    ("dora", "CLEAR NOW\nThe rest hold.\n\nThanks", "A ber H; A mun H; F kie H"),
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


POLITE = [
    ("SET WAIT please :-)", "I will not adjudicate"),
    ("Set the language to German please", "Deutsch"),
    ("SET WAIT (I'm not done negotiating)", "I will not adjudicate"),
    ("SET NO WAIT, thanks", "I can adjudicate"),
    ("EXTEND 24H please", "You ask for another deadline"),
    ("EXTEND to 12 June", "You ask for another deadline, Friday 12 June"),
    ("SET REMINDER 12H, thank you!", "12 hours before the deadline"),
    ("HELP orders please", "Write one line for each unit"),
    ("MAP bitte!", "Army Budapest, Fleet Trieste"),
    ("HISTORY paris please", "nothing has happened yet"),
    ("PRESS TO Germany please\nHi there\nENDPRESS", "Sent to Germany"),
]


@pytest.mark.parametrize(("mail", "expected"), POLITE)
def test_thanks_behind_a_command_change_nothing(play: Play, mail: str, expected: str) -> None:
    play.start()
    reply = play.send("cleo", mail).text
    assert expected in " ".join(reply.split())
    assert "COULD NOT" not in reply


def test_preferences_and_invitations_with_thanks(play: Play) -> None:
    play.send("max", "CREATE ?paris standard")
    reply = play.send("ann", "JOIN paris please\nSET PREFERENCE Germany, France, Italy thanks").text
    assert "Germany, then France, then Italy" in reply
    play.answer("ann", "INVITE zoe@people.example, please")
    assert "zoe@people.example" in [letter.to for letter in play.letters()]
    reply = play.answer("ann", "INVITE yan@people.example and kim@people.example").text
    assert "is not an email address" in " ".join(reply.split())
    assert "kim@people.example" not in [letter.to for letter in play.letters()]


def test_a_text_keeps_its_thanks(play: Play) -> None:
    play.start()
    assert "Thanks" in play.send("ann", "STATEMENT I played well. Thanks").text
    assert "please" in play.send("ann", "DIARY remember to say please").text
    play.mail("ann", "BROADCAST Good game everybody, thanks!")
    press = [letter for letter in play.run() if letter.kind == "press"]
    assert "Good game everybody, thanks!" in press[0].text


@pytest.mark.parametrize(("head", "offered"), [("To all:", True), ("Hello all,", False)])
def test_below_orders_a_letter_to_all_is_offered_and_no_greeting(
    play: Play, head: str, offered: bool
) -> None:
    play.start()
    reply = play.send("cleo", f"A Par H\n\n{head}\nI want peace in Belgium and shall not go there.")
    assert ("BROADCAST\n" in reply.text) == offered
    assert on_file(play, "cleo") == "A par H"


def test_a_word_of_thanks_may_be_a_password(play: Play) -> None:
    starts = play.start()
    play.send("cleo", "SET PASSWORD cheers", answers=starts["cleo"])
    play.send("cleo", "SIGN ON fparis cheers\nA Par - Bur")
    assert on_file(play, "cleo") == "A par - bur"


def test_who_finds_something_clear_clears_nothing(play: Play) -> None:
    play.start()
    ahead = "A Par - Bur\nPHASE F1901M\nA Bur - Mun"
    play.send("cleo", ahead)
    play.send("cleo", "Clear, thanks!")
    assert "A bur - mun" in play.send("cleo", "STATUS").text


def test_who_quotes_a_letter_is_no_vacation_program(play: Play) -> None:
    start = play.start()["cleo"]
    quoted = "".join(f"> {line}\n" for line in start.text.splitlines())
    text = "I'll be on holiday from 20 June to 3 July without internet."
    wrote = "On Mon, 1 Jun 2026 at 09:00, The Judge wrote:\n"
    reply = play.send("cleo", f"{text}\n\n{wrote}{quoted}", answers=start).text
    assert "SET ABSENCE 20 Jun to 3 Jul" in reply


@pytest.mark.parametrize(
    ("heading", "kept"),
    [
        ("Next turn:", "KEPT FOR FALL 1901"),
        ("And for the following season", "KEPT FOR FALL 1901"),
        ("nächster Zug:", "KEPT FOR FALL 1901"),
        ("Tour suivant :", "KEPT FOR FALL 1901"),
        ("Fall orders:", "KEPT FOR FALL 1901"),
        ("Spring", None),
        ("This turn:", None),
    ],
)
def test_a_heading_without_a_year_says_when_orders_are_for(
    play: Play, heading: str, kept: str | None
) -> None:
    play.start()
    reply = play.send("cleo", f"A Mar H\n\n{heading}\nA Mar - Spa").text
    assert on_file(play, "cleo") == ("A mar H" if kept else "A mar - spa")
    assert (kept or "KEPT") in reply or not kept
    reply = play.send("cleo", f"A Mar H\n{heading}\nA Mar - Spa\nThis turn:\nA Par - Bur").text
    assert "A par - bur" in on_file(play, "cleo")


def test_a_heading_above_all_orders_may_mean_the_open_phase(play: Play) -> None:
    play.start()
    play.send("cleo", "My orders for next turn:\nA Par - Bur")
    assert on_file(play, "cleo") == "A par - bur"
    assert "KEPT FOR FALL 1901" in play.send("cleo", "Fall orders:\nA Mar - Spa").text
    assert "KEPT FOR WINTER" in play.send("cleo", "A Mar H\nWinter:\nBuild A Par").text
