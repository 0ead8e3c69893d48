"""Plain requests in three languages: how many are understood, and how much talk is taken for one.

The figures are those of `python -m tests.language.wishes`: nothing that is read was learned.
"""

from __future__ import annotations

import time
from functools import cache

import pytest

from judge.commands import TABLE
from judge.intake.addressees import head_of, letters
from judge.intake.talk import MOST_GUESSES, requests_in
from judge.intake.wishes import Request, asks, command_of, examples, marks
from judge.language.wish_model import LONGEST, NOTHING, Wishes, read_examples
from tests.language.wishes import NOW, SETS, STANDARD, Figures, measure, rows


def asked_in(text: str) -> list[Request]:
    return requests_in(text.split("\n"), STANDARD, NOW, "UTC")


def offers(text: str) -> list[str]:
    return [each.offer for each in asked_in(text)]


@cache
def figures(name: str) -> Figures:
    return measure(name)


@pytest.mark.parametrize(
    ("name", "share"),
    [
        *(("requests", 0.72), ("requests_held", 0.82), ("requests_more", 0.84)),
        *(("requests_plain", 0.70), ("requests_again", 0.70), ("requests_third", 0.76)),
        *(("requests_fourth", 0.84), ("requests_fifth", 0.83), ("requests_sixth", 0.84)),
    ],
)
def test_the_right_offer_is_among_the_first_two(name: str, share: float) -> None:
    found = figures(name)
    assert found.two >= share * found.wishes


def test_most_offers_are_right_with_what_stands_behind_the_command() -> None:
    whole = sum((figures(name) for name in SETS), start=Figures(0, 0, 0, 0, 0, 0))
    assert whole.two >= 0.78 * whole.wishes
    assert whole.exact >= 0.95 * whole.two


def test_little_press_draws_an_offer() -> None:
    found = figures("press")
    assert found.talk > 200
    assert found.taken <= 0.10 * found.talk


def test_little_talk_that_sounds_like_a_wish_draws_one() -> None:
    whole = sum((figures(name) for name in SETS), start=Figures(0, 0, 0, 0, 0, 0))
    assert whole.taken <= 0.15 * whole.talk


def test_no_example_is_press_that_is_measured() -> None:
    held = {row.mail for row in rows("press")}
    assert held.isdisjoint(text for _, text in examples())


@pytest.mark.parametrize(
    ("text", "offer"),
    [
        ("I am on vacation until 3 January", "SET ABSENCE 22 Nov to 3 Jan"),
        ("I'm away until Monday.", "SET ABSENCE 22 Nov to 23 Nov"),
        (
            "Just so you know I'm away until 3 January (seeing my nan in Cornwall,"
            " where the wifi is basically two cans and some string).",
            "SET ABSENCE 22 Nov to 3 Jan",
        ),
        ("Away (24 Dec to 2 Jan)", "SET ABSENCE 24 Dec to 2 Jan"),
        ("Ich bin vom 24.12. bis 2.1. verreist.", "SET ABSENCE 24 Dec to 2 Jan"),
        ("Ich bin vom 24. Dezember bis zum 2. Januar verreist.", "SET ABSENCE 24 Dec to 2 Jan"),
        ("I am away from the 24th to the 28th", "SET ABSENCE 24 Nov to 28 Nov"),
        ("Je serai absent du 24 décembre au 2 janvier", "SET ABSENCE 24 Dec to 2 Jan"),
        ("I will be away next week", "SET ABSENCE 23 Nov to 29 Nov"),
        ("I'll be away for two days.", "SET ABSENCE 22 Nov to 24 Nov"),
        ("on a work trip december 1-5", "SET ABSENCE 1 Dec to 5 Dec"),
        ("Can we extend the deadline until Friday?", "EXTEND UNTIL 27 Nov 23:30"),
        (
            "I'm busy until Wednesday, can we extend the deadline until Friday?",
            "EXTEND UNTIL 27 Nov 23:30",
        ),
        ("could the deadline be moved to Sunday 20:00?", "EXTEND UNTIL 29 Nov 20:00"),
        ("I'd like a one week extension", "EXTEND 7 days"),
        ("I need 12 more hours, sorry", "EXTEND 12 hours"),
        ("I need more time", "EXTEND 24H"),
    ],
)
def test_dates_and_lengths_are_those_of_the_day_it_was_written(text: str, offer: str) -> None:
    assert offers(text) == [offer]


@pytest.mark.parametrize(
    "text", ["I will be on vacation soon", "I am on vacation until 31 February"]
)
def test_a_wish_without_its_dates_is_open(text: str) -> None:
    (found,) = asked_in(text)
    assert (found.offer, found.open) == ("SET ABSENCE", True)


def test_a_letter_is_one_request_with_all_its_lines() -> None:
    letter = ["Dear Germany,", "", "shall we ally? I could leave the game to you.", "", "Ann"]
    (found, _) = asked_in("\n".join([*letter, "", "@Italy hello", ""]))
    assert (found.offer, found.block) == ("PRESS TO Germany", tuple(letter))
    assert (found.first, found.end) == (0, 5)


def test_who_greets_all_below_a_line_that_names_readers_writes_to_those_alone() -> None:
    told = ["Please forward to Russia and Italy:", "", "Gentlemen, there is one Trieste."]
    (found,) = asked_in("\n".join(told))
    assert (found.offer, found.block) == ("PRESS TO Russia Italy", tuple(told[1:]))


def test_please_behind_a_reader_is_no_part_of_the_letter() -> None:
    (found,) = asked_in("Pourriez-vous écrire à l'Italie, s'il vous plaît ?\n\nBonjour")
    assert (found.offer, found.block) == ("PRESS TO Italy", ("", "Bonjour"))


@pytest.mark.parametrize(
    ("line", "to"),
    [
        ("Dear Mr President of France, I surrender.", ["France"]),
        ("Lieber Italiener, Frieden?", ["Italy"]),
        ("Mon cher Anglais, quelle trahison !", ["England"]),
        ("@Angleterre tu vas en Norvège ce tour ?", ["England"]),
        ("Hi England and France, what about Germany?", ["England", "France"]),
        ("To: Germany", ["Germany"]),
        ("For Germany's eyes only: move to Denmark.", ["Germany"]),
        ("Message to Turkey: the Black Sea stays empty.", ["Turkey"]),
        ("Austria, Russia: who of you took Galicia?", []),
        ("England is my friend", []),
        ("Germany:", []),
    ],
)
def test_heads_of_letters_name_whom_they_are_for(line: str, to: list[str]) -> None:
    head = head_of(line, STANDARD, surely=True)
    assert (head.to if head else []) == to


@pytest.mark.parametrize(
    ("line", "to"),
    [
        ("Austria, Russia: who of you took Galicia?", ("Austria", "Russia")),
        ("Tell England that I will support him into Belgium", ("England",)),
        ("Könntest du Frankreich fragen, ob er Belgien will?", ("France",)),
        ("Dites à l'Angleterre que j'accepte", ("England",)),
        ("Would you be so good as to let France have this from me: hello", ("France",)),
        ("Veuillez répondre à l'Allemagne, Monsieur l'arbitre : bonjour", ("Germany",)),
    ],
)
def test_what_may_speak_of_somebody_is_a_letter_where_it_is_only_offered(
    line: str, to: tuple[str, ...]
) -> None:
    (letter,) = letters([line], STANDARD)
    assert letter.to == to
    assert head_of(line, STANDARD, surely=True) is None


@pytest.mark.parametrize(
    "head",
    ["Hello judge, please to send this to Italy:", "My orders are with you. To Italy, please:"],
)
def test_a_letter_may_be_headed_by_the_last_words_of_a_line(head: str) -> None:
    (letter,) = letters([head, "", "Peace?"], STANDARD)
    assert (letter.to, letter.block) == (("Italy",), ("", "Peace?"))


def test_a_letter_ends_where_the_judge_is_spoken_to() -> None:
    lines = ["To Germany:", "", "Belgium is yours.", "", "And for you, Judge:", "Paris - Burgundy"]
    assert letters(lines, STANDARD)[0].block == ("", "Belgium is yours.")


def test_who_greets_everybody_may_mean_the_judge() -> None:
    assert offers("Hi all, could we get two more days?") == ["EXTEND 2 days"]
    assert offers("Hi all, good luck to you and have fun!") == ["BROADCAST"]
    assert offers("Hi all!") == []


def test_each_line_without_a_stop_may_ask_for_something() -> None:
    found = asked_in("when is the deadline\nwho is late\nplease extend by 2 days\nthanks")
    assert [(each.offer, each.first, each.end) for each in found] == [
        ("STATUS", 0, 1),
        ("WHO IS LATE", 1, 2),
        ("EXTEND 2 days", 2, 3),
    ]


def test_a_sentence_may_go_on_in_the_next_line() -> None:
    (found,) = asked_in("Hello,\ncould we get two\nmore days? Thanks")
    assert (found.offer, found.first, found.end) == ("EXTEND 2 days", 1, 3)


def test_few_guesses_are_offered_for_a_whole_mail() -> None:
    text = "please remove me\nI'd like a draw\nplease pause the game\nI need more time"
    first = asked_in(text)
    assert len(first) == MOST_GUESSES
    assert not requests_in([text.split("\n")[0]], STANDARD, NOW, "UTC", first)


@pytest.mark.parametrize("line", ["A Pra - Bur", "A Par - Bur 7", "F Bre", "A Mar S A Pra - Bur"])
def test_what_names_a_place_asks_for_nothing(line: str) -> None:
    assert not asks([line])


def test_a_new_sentence_and_a_new_command_are_learned_from_the_table() -> None:
    table = "= DANCE\nlet us waltz around the room\n= nothing\nthe weather is fine today\n"
    more = "= LEAP\njump over the fence please\n" + table
    known = Wishes(read_examples(more * 3), marks(STANDARD))
    assert known.weigh(["waltz", "around", "the", "room"])[0].wish == "DANCE"
    assert known.weigh(["jump", "over", "the", "fence"])[0].wish == "LEAP"


def test_every_wish_of_the_tables_is_a_command() -> None:
    wishes = {command_of(wish)[0] for wish, _ in examples() if wish != NOTHING}
    assert [wish for wish in wishes if TABLE.find(wish) is None] == []


def test_no_text_costs_without_bound() -> None:
    started = time.process_time()
    for text in ("please " * 60, "to 1 " * 48, "England, " * 30, "qui est avec les avec " * 10):
        requests_in([text[:LONGEST]] * 1000, STANDARD, NOW, "UTC")
    assert time.process_time() - started < 10


@pytest.mark.parametrize("asked", ["Ist das Spiel anonym?", "Can you stop sending me all this?"])
def test_a_question_is_taken_for_a_wish_to_leave_only_where_it_is_one(asked: str) -> None:
    assert "RESIGN" not in offers(asked)
    assert "RESIGN" in offers("Please remove me from this game.")


@pytest.mark.parametrize(
    "said", ["Please mark me absent.", "Ich bin da echt unschlüssig.", "Please don't mix them up."]
)
def test_what_cannot_be_got_back_is_not_offered_for_what_is_only_like_it(said: str) -> None:
    assert {"RESIGN", "CLEAR NOW"}.isdisjoint(offers(said))
