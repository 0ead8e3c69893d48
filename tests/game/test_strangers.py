"""Whatever a stranger writes first, a second mail that says what the answer shows is enough."""

from __future__ import annotations

import re

import pytest

from judge.messages.html_message import says_all
from judge.storage import GameState, Person
from tests.game.play import Play, Received, read

FIRST = {
    "en": """I would like to join a slow game
        Hi! I want to play Diplomacy.
        how do I play
        HELP
        JOIN
        LIST
        JOIN paris
        TAKE OVER france@veil
        A Par - Bur
        practice
        PRACTICE easy
        start a game against the computer please
        Dear Tom, thanks for your letter. I think we should attack Germany together. Best, Ann
        is there a gunboat game I could join?
        CREATE rome nonsense
        WHO GAME
        Can I play tonight?
        is anyone looking for players?
        REGISTER
        SET LANGUAGE en
        YES""",
    "de": """spiel mit mir
        HILFE
        Hallo, ich möchte gerne mitspielen
        Wie funktioniert das?
        Ich suche ein Spiel
        übung
        SPIELE
        MITSPIELEN
        Gibt es eine langsame Partie für Anfänger?
        Ich würde gern gegen den Computer üben
        SET LANGUAGE DE
        SPRACHE deutsch""",
    "fr": """AIDE
        facile
        je voudrais jouer
        bonjour, comment rejoindre une partie ?
        JOUER
        Je cherche une partie lente
        entraînement
        Bonjour, je veux apprendre à jouer à Diplomacy
        SET LANGUAGE FR
        LANGUE français""",
}
MAILS = [(code, each.strip()) for code, mails in FIRST.items() for each in mails.splitlines()]
OFFERED = re.compile(r"^  (JOIN PRACTICE)\b", re.M)


def person(play: Play) -> Person:
    found = play.storage.people.by_address("zoe@people.example")
    assert found is not None
    return found


def plays(play: Play) -> bool:
    me = play.storage.people.by_address("zoe@people.example")
    return me is not None and bool(play.storage.games.of_person(me.id, (GameState.ACTIVE,)))


def says(letter: Received) -> str:
    return " ".join(letter.text.split())


@pytest.mark.parametrize(("language", "mail"), MAILS)
def test_the_second_mail_leads_into_a_game(play: Play, language: str, mail: str) -> None:
    answer = play.send("zoe", mail)
    play.run()
    if not plays(play):
        offered = OFFERED.search(answer.text)
        assert offered, answer.text
        assert "JOIN%20PRACTICE" in "".join(answer.contents("text/html"))
        play.send("zoe", offered[1], answers=answer)
        play.run()
    assert plays(play)
    assert person(play).language == language


@pytest.mark.parametrize(
    ("mail", "date", "zone"),
    [
        ("REJOINDRE", "Mon, 1 Jun 2026 14:00:00 +0200", "Europe/Paris"),
        ("MITSPIELEN", "Mon, 1 Jun 2026 14:00:00 +0200", "Europe/Berlin"),
        ("JOIN", "Mon, 1 Jun 2026 07:00:00 -0500", "America/Chicago"),
        ("JOIN", "Mon, 1 Jun 2026 12:00:00 +0000", None),
        ("JOIN", "Mon, 1 Jun 2026 12:00:00 +0413", None),
    ],
)
def test_the_clock_of_the_first_mail_is_kept(
    play: Play, mail: str, date: str, zone: str | None
) -> None:
    play.send("zoe", mail, headers={"Date": date})
    assert person(play).time_zone == zone


def test_a_friend_takes_over_a_power_by_the_line_of_a_letter(play: Play) -> None:
    play.start("PUBLIC")
    play.sure("emil", "RESIGN")
    said = says(play.send("zoe", "TAKE OVER italy@paris"))
    assert "You are new here" in said
    state = play.storage.games.by_name("paris")
    assert state is not None
    seats = play.storage.seats.of_person(person(play).id)
    assert [seat.power for seat in seats] == ["Italy"]


def test_who_waits_is_told_with_how_many_and_what_to_do_until_then(play: Play) -> None:
    play.send("ann", "JOIN")
    said = says(play.send("bob", "JOIN"))
    assert "2 people wait for such a game, you included; it starts once 7 do." in said
    assert "JOIN PRACTICE" in said
    assert "2 people wait for it" in says(play.send("cleo", "LIST"))


def test_a_public_game_that_needs_players_is_offered_by_name(play: Play) -> None:
    play.send("max", "CREATE ?rome standard, PUBLIC")
    answer = play.send("zoe", "hello")
    assert "  JOIN rome" in answer.text
    assert "You are in rome" in says(play.send("zoe", "JOIN rome", answers=answer))


def test_the_name_for_a_new_game_that_is_offered_is_free(play: Play) -> None:
    play.send("max", "CREATE ?paris")
    assert "CREATE ?rome" in play.send("zoe", "LIST").text


def test_the_first_answer_fits_two_kilobytes_whatever_is_asked(play: Play) -> None:
    """Its reader may never have written: nobody is to be sent much by forged mail."""
    play.start()
    asked = (
        *("hello", "HELP", "LIST", "LIST paris", "HELP press", "HISTORY paris", "MAP", "VERSION"),
        *("INFO PLAYER cleo@people.example", "WHAT IF A Par - Bur", "VARIANTS", "HELP settings"),
        *("HILFE", "AIDE", "HILFE Presse", "LISTE"),
        "HELP\nLIST\nHELP press\nHELP orders\nHELP joining",
    )
    for number, text in enumerate(asked):
        mail = play.mail(f"zoe@elsewhere{number}.example", text)
        play.judge.process_message(mail)
        (letter,) = map(read, play.storage.outbound.of_mail(mail))
        assert len(letter.text.encode()) <= 2_048, (text, letter.text)
        assert sum(len(each.encode()) for each in letter.contents("text/html")) <= 2_000, text
        assert not list(letter.message.iter_attachments())


@pytest.mark.parametrize("text", ["hello", "HELP", "HILFE", "AIDE"])
def test_its_small_html_says_all_that_the_text_does_and_has_a_line_to_tap(
    play: Play, text: str
) -> None:
    first = play.send("zoe", text)
    (page,) = first.contents("text/html")
    assert says_all(page, first.text)
    assert "<style" not in page
    assert "JOIN%20PRACTICE" in page
    (page,) = play.send("zoe", f"{text}\nLIST").contents("text/html")
    assert "<style" in page, "who has had an answer gets letters like everybody"
