"""Labels: which lines are one, what each says, and what comes of the lines below it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from msgspec.structs import replace

from judge import variants
from judge.commands import TABLE
from judge.game.orders.order_context import OrderContext
from judge.intake.gate import tell_apart
from judge.intake.labels import Label, label_of, trailing_game
from judge.rules.phase import Phase
from judge.rules.position import Position
from tests.game.play import Play
from tests.game.test_spoken_mails import on_file
from tests.language.world import sent_to

STANDARD = variants.load("standard")


def turn(phase: str = "S1901M", power: str | None = "France") -> OrderContext:
    """A player of two games, paris and rome, who answers a letter of paris."""
    units = {each: tuple(own) for each, own in STANDARD.start.items()}
    position = Position(Phase.read(phase), units, dict.fromkeys(units, ()))
    powers = None if power is None else (power,)
    return OrderContext(STANDARD, position, powers=powers, games=("paris", "rome"), game="paris")


def said(label: Label | None) -> str:
    """A label in short: what it names, its rest behind a bar."""
    if label is None:
        return "-"
    named = [
        label.game,
        "several" if label.several else "",
        str(label.phase or ""),
        label.power,
        f"{'also ' if label.also else ''}to {', '.join(label.to)}" if label.to else "",
        "nobody" if label.nobody else "",
        "judge" if label.ours else "",
    ]
    return (
        f"{'; '.join(filter(None, named)) or 'nothing'}{f' | {label.rest}' if label.rest else ''}"
    )


GAMES = [
    ("GAME rome", "rome"),
    ("In rome:", "rome"),
    ("Game rome", "rome"),
    ("GAME: rome", "rome"),
    ("[rome]", "rome"),
    ("*** Rome ***", "rome"),
    ("These are for paris, not rome:", "paris"),
    ("Not for rome, for paris:", "paris"),
    ("both games:", "several"),
    ("For both games please:", "several"),
    ("paris and rome:", "several"),
    ("Game 2 (rome)", "rome"),
    ("This one is for rome", "rome"),
    ("that was for paris. In rome please", "rome"),
    ("Hi, this is about the game paris, I only find the rome letter.", "paris"),
    ("rome: SET WAIT", "rome | SET WAIT"),
    ("rome France", "rome; France"),
    ("GAME milan", "milan"),
    ("Spiel rome:", "rome"),
    ("Beide Spiele:", "several"),
    ("Partie rome :", "rome"),
    ("Pour la partie rome :", "rome"),
    ("Partida rome:", "rome"),
    ("Per la partita rome:", "rome"),
    ("Voor het spel rome:", "rome"),
    # Sentences, orders, and places that are called so.
    ("Rome - Venice", "-"),
    ("Rome: Ven", "-"),
    ("I like rome more than paris.", "-"),
    ("Game over", "-"),
    ("Is this for rome?", "-"),
]


@pytest.mark.parametrize(("line", "means"), GAMES)
def test_labels_of_games(line: str, means: str) -> None:
    assert said(label_of(line, turn())) == means


def test_without_games_no_word_is_one() -> None:
    nobody = replace(turn(), games=(), game="")
    for line in ("rome:", "GAME milan", "In rome:", "both games:"):
        label = label_of(line, nobody)
        assert label is None or not label.game


PHASES = [
    ("Spring 1901", "S1901M"),
    ("S1901M", "S1901M"),
    ("F1901M:", "F1901M"),
    ("F01", "F1901M"),
    ("Fall:", "F1901M"),
    ("for the fall turn:", "F1901M"),
    ("Fall 1901: A Mar - Spa", "F1901M | A Mar - Spa"),
    ("Orders for France, fall 1901", "F1901M; France"),
    ("Winter builds:", "W1901A"),
    ("Fall 1900", "F1900M"),
    ("1905:", "S1905M"),
    ("1901:", "S1901M"),
    ("This turn:", "S1901M"),
    ("Printemps 1901 :", "S1901M"),
    ("Herbst 1901:", "F1901M"),
    ("Otoño de 1901:", "F1901M"),
    ("Autunno 1901:", "F1901M"),
    ("Najaar 1901:", "F1901M"),
    ("Outono de 1901:", "F1901M"),
    ("Jesień 1901:", "F1901M"),
    # No phase, or none that could be meant.
    ("Next turn:", "nothing"),
    ("Retreats: none", "-"),
    ("disband it", "-"),
    ("no builds", "-"),
    ("12.10.2026", "-"),
    ("1066 and all that:", "-"),
    ("In fall I shall go north.", "-"),
    ("Fall back to Paris", "-"),
]


@pytest.mark.parametrize(("line", "means"), PHASES)
def test_labels_of_phases(line: str, means: str) -> None:
    assert said(label_of(line, turn())) == means


@pytest.mark.parametrize(
    ("phase", "below", "line", "means"),
    [
        ("F1901M", False, "Spring:", "S1901M"),
        ("F1901M", True, "Spring:", "S1902M"),
        ("F1901M", False, "Winter:", "W1901A"),
        ("F1901R", False, "Fall 1901:", "F1901R"),
        ("S1901M", True, "Next turn:", "F1901M"),
        ("S1901M", True, "nächster Zug:", "F1901M"),
        ("S1901M", True, "Tour suivant :", "F1901M"),
        ("W1901A", False, "1902:", "S1902M"),
    ],
)
def test_a_season_without_a_year_is_one_of_the_running_year(
    phase: str, below: bool, line: str, means: str
) -> None:
    assert said(label_of(line, turn(phase), below=below)) == means


PEOPLE = [
    ("France:", "France"),
    ("FRENCH ORDERS", "France"),
    ("France only: all hold", "France | all hold"),
    ("Germany:", "to Germany"),
    ("Orders for Austria:", "to Austria"),
    ("Italy only: hello", "to Italy | hello"),
    ("@Italy: hello", "to Italy | hello"),
    ("To Italy: hello", "to Italy | hello"),
    ("Forward to Russia:", "to Russia"),
    ("cc Germany:", "also to Germany"),
    ("Everyone: a draw?", "to ALL | a draw?"),
    ("Dear Germany,", "to Germany"),
    ("Keep this between us, Italy!", "to Italy"),
    ("An Italien: hallo", "to Italy | hallo"),
    ("Pour l'Italie : bonjour", "to Italy | bonjour"),
    ("Para Italia: hola", "to Italy | hola"),
    ("Note to self:", "nobody"),
    ("(Note to self: he lies.)", "nobody | he lies."),
    ("Notiz an mich: er lügt", "nobody | er lügt"),
    ("Nota para mí:", "nobody"),
    ("These are not orders:", "nobody"),
    ("Judge, when is the deadline?", "judge"),
    ("My orders:", "nothing"),
    ("France: A Par - Bur", "France | A Par - Bur"),
    # What speaks of people, or orders their units.
    ("Germany: A Mun - Bur", "-"),
    ("Tell Germany nothing.", "-"),
    ("I fear Austria, Italy and Russia.", "-"),
    ("Hello all,", "-"),
    ("Thanks, everyone!", "-"),
    ("Thanks, Germany", "-"),
]


@pytest.mark.parametrize(("line", "means"), PEOPLE)
def test_labels_of_people(line: str, means: str) -> None:
    assert said(label_of(line, turn())) == means


def test_a_master_orders_for_every_power() -> None:
    assert said(label_of("Germany:", turn(power=None))) == "Germany"


def test_what_a_master_writes_to_one_power_is_kept_from_another() -> None:
    told = tell_apart(["To Italy: hurry up."], TABLE, lambda: turn(power=None), False, ("Germany",))
    assert told.kept
    assert not tell_apart(["Italy is late."], TABLE, turn, False, ("Germany",)).kept


@pytest.mark.parametrize(
    ("line", "means"),
    [
        ("set wait in rome", [("set wait", "rome")]),
        ("SET WAIT (rome)", []),
        ("set wait for the game rome", [("set wait", "rome")]),
        ("set wait in milan", []),
    ],
)
def test_a_game_behind_a_command(line: str, means: list[tuple[str, str]]) -> None:
    assert list(trailing_game(line, turn()))[:1] == means


# -- whole mails --------------------------------------------------------------------------------


def test_orders_below_a_past_phase_are_offered(play: Play) -> None:
    play.start()
    answer = play.send("cleo", "Fall 1900\nA Mar - Spa").text
    assert on_file(play, "cleo") == ""
    assert "Fall 1900" in answer
    assert "A mar - spa" in answer


def test_a_season_above_all_orders_keeps_them_for_it(play: Play) -> None:
    play.start()
    play.send("cleo", "A Mar H\nF Bre H\nA Par H")
    answer = play.send("cleo", "Fall:\nA Mar - Spa").text
    assert "A mar H" in on_file(play, "cleo")
    assert "KEPT FOR FALL 1901" in answer


def test_orders_below_a_reader_are_not_filed(play: Play) -> None:
    play.start()
    answer = play.send("cleo", "Forward to Russia:\nA Par - Bur").text
    assert on_file(play, "cleo") == ""
    assert "A par - bur" in answer
    play.send("cleo", "To Russia: are we friends?\n\nA Par - Bur")
    assert on_file(play, "cleo") == "A par - bur"


@pytest.mark.parametrize("options", ["standard", "standard, gunboat"])
def test_people_are_written_to_by_their_names_where_these_are_known(
    play: Play, options: str
) -> None:
    play.start(options)
    text = "A Par - Bur\n\nDora: I go to Burgundy, and the Ruhr is yours."
    answer = play.send("cleo", text).text
    known = options == "standard"
    # What is said to her does not hold the order back.
    assert on_file(play, "cleo") == ("A par - bur" if known else "")
    assert ("PRESS TO Germany" in answer) is known
    assert "Germany" not in answer or known


def test_a_letter_in_quotation_marks_is_offered_whole_and_others_up_to_ones_own_order(
    play: Play,
) -> None:
    play.start()
    told = "Paris goes to Burgundy, and nowhere else."
    assert f"{told}”" in shown(play.send("cleo", f"To Germany:\n“Agreed. {told}”").text)
    assert "nowhere else.” ENDPRESS" not in shown(play.send("cleo", f"To Germany:\n{told}").text)
    others = "Galicia stays empty, ok?"
    answer = shown(play.send("cleo", f"to Germany: {others}").text)
    assert f"PRESS TO Germany {others} ENDPRESS" in answer


def shown(text: str) -> str:
    return " ".join(text.split())


def test_orders_below_another_power_are_not_ones_own(play: Play) -> None:
    play.start()
    answer = play.send("cleo", "Germany:\nA Par - Bur").text
    assert on_file(play, "cleo") == ""
    assert "A par - bur" in answer


def test_a_note_to_oneself_is_offered_to_nobody(play: Play) -> None:
    play.start()
    play.send("dora", "PRESS TO F\nShall we?\nENDPRESS")
    letter = next(
        each for each in play.letters() if each.to.startswith("cleo") and each.kind == "press"
    )
    answer = play.send("cleo", "Gladly.\n\nNote to self:\nhe lies.", answers=letter)
    play.letters()
    play.send("cleo", "YES", answers=answer)
    read = [each.text for each in play.letters() if each.to.startswith("dora")]
    assert read
    assert not [text for text in read if "lies" in text]


def test_what_was_written_before_its_phase_is_asked_about_once(play: Play) -> None:
    play.start()

    def filed() -> list[str]:
        game = play.storage.games.by_name("paris")
        assert game is not None
        found = play.storage.orders(game.id).of_phase("F1901M").get("France", [])
        return sorted(each.text for each in found)

    letter = next(each for each in sent_to(play, "cleo") if each.kind == "start")
    written = play.clock.now()
    play.clock.advance(days=1)
    play.send("max", "PROCESS S1901M")
    play.clock.advance(hours=1)
    late = {"Date": f"{written:%a, %d %b %Y %H:%M:%S} +0000"}
    question = play.send("cleo", "A Par - Bur\nF Bre - Mid", answers=letter, headers=late)
    assert filed() == []
    assert "Spring 1901" in question.text.splitlines()[0]
    play.send("cleo", "YES", answers=question)
    assert filed() == ["A par - bur", "F bre - mid"]


@pytest.mark.parametrize(("before", "asked"), [(0, False), (50, False), (70, True)])
def test_a_clock_that_is_a_little_slow_makes_no_mail_an_early_one(
    play: Play, before: int, asked: bool
) -> None:
    play.start()
    play.clock.advance(days=1)
    play.send("max", "PROCESS S1901M")
    written = play.clock.now() - timedelta(seconds=before)
    late = {"Date": f"{written:%a, %d %b %Y %H:%M:%S} +0000"}
    reply = play.send("cleo", "A Par - Bur", headers=late, to="judge@judge.example")
    assert ("You wrote this before" in " ".join(reply.text.split())) is asked


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Sure Germany, Burgundy stays empty.", False),
        ("Deal, Germany.", False),
        ("Germany does not know yet.", True),
        ("I told Germany nothing.", True),
    ],
)
def test_who_is_called_is_not_spoken_of(said: str, kept: bool) -> None:
    assert bool(tell_apart([said], TABLE, turn, True, ("Germany",)).kept) is kept
