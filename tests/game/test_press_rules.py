"""Who may write what, to whom, and when: the table of the rules for press, row by row, by mail."""

from __future__ import annotations

import re

import pytest

from judge.game.state.settings import Settings
from judge.storage import Game
from tests.game.play import PEOPLE, Play

ALL = {*PEOPLE, "max", "zoe"}
"""Everybody in the game: seven players, their master, and an observer."""


def readers(play: Play) -> set[str]:
    return {letter.to.partition("@")[0] for letter in play.letters() if letter.kind == "press"}


def say(play: Play, who: str, head: str, text: str = "Hello there.") -> str:
    """Write a piece of press; what its writer is answered, in one line."""
    play.letters()
    answer = play.send(who, f"{head}\n{text}\nENDPRESS")
    return " ".join(answer.text.split())


def paris(play: Play) -> Game:
    game = play.storage.games.by_name("paris")
    assert game is not None
    return game


def begin(play: Play, settings: str) -> None:
    """A game with these settings, and an observer."""
    play.start(settings)
    play.send("zoe", "OBSERVE paris")


# What the game says, who writes what, and who reads it, from whom; or why nobody does.
TABLE: tuple[tuple[str, str, str, set[str], str], ...] = (
    # WHITE: signed with the power.
    ("", "ann", "PRESS TO F", {"cleo"}, "Press from Austria (Ann) to France"),
    ("", "ann", "PRESS WHITE TO F", {"cleo"}, "Press from Austria (Ann) to France"),
    ("", "ann", "PRESS GREY TO F", set(), "press is white: it is signed"),
    ("", "ann", "BROADCAST GREY", set(), "press is white: it is signed"),
    ("", "ann", "BROADCAST", ALL - {"ann"}, "Broadcast from Austria (Ann) to everybody"),
    # Who leaves somebody out writes to players: who watches is named, or gets nothing.
    ("", "ann", "PRESS TO ALL BUT I", set(PEOPLE) - {"ann", "emil"}, "Press from Austria (Ann)"),
    ("", "ann", "PRESS TO -IT", set(PEOPLE) - {"ann", "emil", "gwen"}, "Press from Austria (Ann)"),
    # GREY: unsigned.
    ("GREY", "ann", "PRESS TO F", {"cleo"}, "Press from Anonymous to France"),
    ("GRAY", "ann", "PRESS GRAY TO F", {"cleo"}, "Press from Anonymous to France"),
    ("GREY", "ann", "PRESS WHITE TO F", set(), "press is grey: it is not signed"),
    ("GREY", "ann", "BROADCAST", ALL - {"ann"}, "Broadcast from Anonymous to everybody"),
    # WHITE/GREY: either, white unless said; GREY/WHITE: grey unless said.
    ("WHITE/GREY", "ann", "PRESS TO F", {"cleo"}, "Press from Austria (Ann) to France"),
    ("WHITE/GREY", "ann", "PRESS GREY TO F", {"cleo"}, "Press from Anonymous to France"),
    ("WHITE/GREY", "ann", "PRESS TO F GREY", {"cleo"}, "Press from Anonymous to France"),
    ("GREY/WHITE", "ann", "PRESS TO F", {"cleo"}, "Press from Anonymous to France"),
    ("GREY/WHITE", "ann", "PRESS WHITE TO F", {"cleo"}, "Press from Austria (Ann) to France"),
    ("GREY/WHITE", "ann", "BROADCAST WHITE", ALL - {"ann"}, "Broadcast from Austria (Ann)"),
    # NO PARTIAL: broadcasts only; NONE: nothing.
    ("NO PARTIAL", "ann", "PRESS TO F", set(), "only to everybody or to the game master"),
    ("NO PARTIAL", "ann", "PRESS TO ALL", ALL - {"ann"}, "Broadcast from Austria"),
    ("NO PARTIAL", "ann", "BROADCAST", ALL - {"ann"}, "Broadcast from Austria"),
    ("NONE", "ann", "BROADCAST", set(), "played without press"),
    ("NONE", "ann", "PRESS TO F", set(), "played without press"),
    # OBSERVER ANY: as players; WHITE: signed broadcasts only; NO: not at all.
    ("", "zoe", "PRESS TO F", {"cleo"}, "Press from Observer (Zoe) to France"),
    ("GREY", "zoe", "BROADCAST", ALL - {"zoe"}, "Broadcast from Anonymous"),
    ("OBSERVER WHITE", "zoe", "PRESS TO F", set(), "observers may only broadcast, signed"),
    ("OBSERVER WHITE", "zoe", "BROADCAST", ALL - {"zoe"}, "Broadcast from Observer (Zoe)"),
    ("OBSERVER WHITE, GREY", "zoe", "BROADCAST", ALL - {"zoe"}, "Broadcast from Observer (Zoe)"),
    ("OBSERVER WHITE, GREY", "zoe", "BROADCAST GREY", set(), "only broadcast, signed"),
    ("OBSERVER NO", "zoe", "BROADCAST", set(), "observers can write only to the game master"),
    ("OBSERVER NO", "zoe", "PRESS TO M", {"max"}, "Press from Observer (Zoe) to Master"),
    ("OBSERVER NO", "ann", "PRESS TO O", {"zoe"}, "Press from Austria (Ann) to Observers"),
    # Fakes: what the heading claims, never from or to the master.
    (
        "",
        "ann",
        "PRESS TO F FAKE BROADCAST",
        set(),
        "the heading of press always names its true recipients",
    ),
    ("", "ann", "PRESS TO F NO FAKE", {"cleo"}, "Press from Austria (Ann) to France in"),
    (
        "PARTIAL MAY BE FAKED",
        "ann",
        "PRESS TO F FAKE BROADCAST",
        {"cleo"},
        "Broadcast from Austria (Ann) to everybody",
    ),
    (
        "PARTIAL MAY BE FAKED",
        "ann",
        "PRESS TO F FAKE TO FGI",
        {"cleo"},
        "Press from Austria (Ann) to France, Germany and Italy",
    ),
    ("PARTIAL MAY BE FAKED", "ann", "PRESS TO F", {"cleo"}, "from Austria (Ann) to France in"),
    ("PARTIAL MAY BE FAKED", "ann", "PRESS TO FM FAKE TO F", set(), "to or from the game master"),
    ("PARTIAL MAY BE FAKED", "ann", "PRESS TO F FAKE TO FM", set(), "to or from the game master"),
    ("PARTIAL MAY BE FAKED", "ann", "PRESS TO M FAKE TO F", set(), "to or from the game master"),
    ("PARTIAL MAY BE FAKED", "max", "PRESS TO F FAKE TO FG", set(), "to or from the game master"),
    ("PARTIAL MAY BE FAKED", "ann", "PRESS TO ALL FAKE TO F", set(), "nothing to fake"),
    ("PARTIAL MAY BE FAKED", "ann", "PRESS TO F FAKE TO FX", set(), 'I know nobody called "FX"'),
    ("PARTIAL FAKES BROADCAST", "ann", "PRESS TO F", {"cleo"}, "Broadcast from Austria (Ann)"),
    ("PARTIAL FAKES BROADCAST", "ann", "PRESS TO F FAKE TO G", set(), "you cannot change that"),
    ("PARTIAL FAKES BROADCAST", "ann", "PRESS TO F NO FAKE", set(), "you cannot change that"),
    ("PARTIAL FAKES BROADCAST", "ann", "PRESS TO FM", {"cleo", "max"}, "to France and Master"),
    (
        "PARTIAL FAKES BROADCAST BY DEFAULT",
        "ann",
        "PRESS TO F",
        {"cleo"},
        "Broadcast from Austria (Ann) to everybody",
    ),
    (
        "PARTIAL FAKES BROADCAST BY DEFAULT",
        "ann",
        "PRESS TO F NO FAKE",
        {"cleo"},
        "Press from Austria (Ann) to France in",
    ),
    # Private only to powers with a unit one step away.
    ("TOUCH PRESS", "ann", "PRESS TO I", {"emil"}, "Press from Austria (Ann) to Italy"),
    ("TOUCH PRESS", "ann", "PRESS TO IF", set(), "France has none there"),
    ("TOUCH PRESS", "zoe", "PRESS TO F", set(), "France has none there"),
    ("TOUCH PRESS", "ann", "PRESS TO M", {"max"}, "Press from Austria (Ann) to Master"),
    ("TOUCH PRESS", "ann", "BROADCAST", ALL - {"ann"}, "Broadcast from Austria"),
    # Only with valid orders in.
    ("MUST ORDER", "ann", "PRESS TO F", set(), "you can send press once all your orders are in"),
    ("MUST ORDER", "zoe", "PRESS TO F", {"cleo"}, "Press from Observer (Zoe)"),
    # Always allowed: to the master alone, signed; and anything by a master.
    ("NONE", "ann", "PRESS TO M", {"max"}, "Press from Austria (Ann) to Master"),
    ("NONE", "ann", "PRESS TO FM", set(), "played without press"),
    ("GREY", "ann", "PRESS TO M", {"max"}, "Press from Austria (Ann) to Master"),
    ("GREY", "ann", "PRESS GREY TO M", set(), "always signed"),
    ("GREY, NO PARTIAL, MUST ORDER", "ann", "PRESS TO M", {"max"}, "from Austria (Ann) to Master"),
    ("NONE", "max", "PRESS TO F", {"cleo"}, "Press from Master (Max) to France"),
    ("NO PARTIAL", "max", "PRESS TO F", {"cleo"}, "Press from Master (Max) to France"),
    ("GREY", "max", "BROADCAST", ALL - {"max"}, "Broadcast from Master (Max)"),
    ("WHITE", "max", "PRESS GREY TO F", {"cleo"}, "Press from Anonymous to France"),
)


@pytest.mark.parametrize(("settings", "who", "head", "reads", "said"), TABLE)
def test_the_table(
    play: Play, settings: str, who: str, head: str, reads: set[str], said: str
) -> None:
    begin(play, settings)
    play.letters()
    answer = play.send(who, f"{head}\nHello there.\nENDPRESS")
    letters = [letter for letter in play.letters() if letter.kind == "press"]
    assert {letter.to.partition("@")[0] for letter in letters} == reads
    assert "Hello there." in answer.text
    if reads:
        assert all(said in " ".join(letter.text.split()) for letter in letters)
    else:
        text = " ".join(answer.text.split())
        assert "Nothing was sent." in text
        assert said in text


@pytest.mark.parametrize("settings", ["NONE", "NO PARTIAL", "MUST ORDER", "TOUCH PRESS"])
def test_before_the_start_and_after_the_end_press_is_free(play: Play, settings: str) -> None:
    play.send("max", f"CREATE ?paris, {settings}")
    play.send("ann", "JOIN paris")
    assert "Broadcast, from Ann" in say(play, "ann", "BROADCAST")
    play.sure("max", "TERMINATE paris")
    assert "Broadcast, from" in say(play, "max", "BROADCAST")


def test_in_a_paused_game_one_writes_to_the_master(play: Play) -> None:
    begin(play, "")
    play.send("max", "PAUSE")
    assert "is paused" in say(play, "ann", "PRESS TO F")
    assert "is paused" in say(play, "ann", "BROADCAST")
    assert readers(play) == set()
    say(play, "ann", "PRESS TO M")
    assert readers(play) == {"max"}
    say(play, "max", "BROADCAST")
    assert readers(play) == ALL - {"max"}
    play.send("max", "RESUME")
    say(play, "ann", "PRESS TO F")
    assert readers(play) == {"cleo"}


def test_in_retreats_and_adjustments_where_the_rulebook_has_none(play: Play) -> None:
    begin(play, "NO MINOR PRESS")
    say(play, "ann", "PRESS TO F")
    assert readers(play) == {"cleo"}
    play.send("ann", "A Bud - Ser")
    play.send("max", "PROCESS S1901M")
    play.send("max", "PROCESS F1901M")
    assert paris(play).phase == "W1901A"
    assert "press in movement phases only" in say(play, "ann", "PRESS TO F")
    assert "press in movement phases only" in say(play, "ann", "BROADCAST")
    assert readers(play) == set()
    say(play, "ann", "PRESS TO M")
    assert readers(play) == {"max"}


HOLDS = {"ann": "F Tri H\nA Bud H\nA Vie H", "cleo": "F Bre H\nA Par H\nA Mar H"}


@pytest.mark.parametrize(
    ("setting", "late", "punctual", "why"),
    [
        ("LATE PRESS", {"cleo"}, {"ann"}, ""),
        ("NO LATE PRESS", set(), {"ann"}, "Your orders are late"),
        ("NO GRACE PRESS", set(), set(), "Someone's orders are late"),
    ],
)
def test_after_the_deadline(
    play: Play, setting: str, late: set[str], punctual: set[str], why: str
) -> None:
    begin(play, setting)
    play.send("cleo", HOLDS["cleo"])
    assert "Sent to France" in say(play, "ann", "PRESS TO F")
    deadline = paris(play).deadline
    assert deadline is not None
    play.clock.set(deadline)
    play.clock.advance(minutes=5)
    play.run()
    answer = say(play, "ann", "PRESS TO F")
    assert (readers(play), why in answer) == (late, True)
    say(play, "cleo", "PRESS TO A")
    assert readers(play) == punctual
    say(play, "ann", "PRESS TO M")
    assert readers(play) == {"max"}
    if setting == "NO LATE PRESS":
        # Orders and then press, in one mail.
        play.send("ann", HOLDS["ann"] + "\nPRESS TO F\nhere they are")
        assert readers(play) == {"cleo"}


def test_orders_come_first_where_they_must(play: Play) -> None:
    begin(play, "MUST ORDER")
    assert "above the press" in say(play, "ann", "PRESS TO F")
    play.send("ann", HOLDS["ann"] + "\nPRESS TO F\nnow")
    assert readers(play) == {"cleo"}


def test_where_neighbors_write_there_is_one_broadcast_a_phase(play: Play) -> None:
    begin(play, "TOUCH PRESS")
    assert "Broadcast, from Austria" in say(play, "ann", "BROADCAST")
    assert "you have had yours" in say(play, "ann", "BROADCAST")
    assert "Broadcast, from France" in say(play, "cleo", "BROADCAST")
    play.send("max", "PROCESS S1901M")
    assert "Broadcast, from Austria" in say(play, "ann", "BROADCAST")


def test_neighbors_change_with_their_units(play: Play) -> None:
    begin(play, "TOUCH PRESS")
    assert "none there" in say(play, "ann", "PRESS TO T")
    play.send("ann", "A Bud - Ser")
    play.send("gwen", "A Con - Bul")
    play.send("max", "PROCESS S1901M")
    say(play, "ann", "PRESS TO T")
    assert readers(play) == {"gwen"}


# Masters


def test_masters_see_who_wrote_unsigned_and_to_whom_a_fake_went(play: Play) -> None:
    begin(play, "WHITE/GREY, PARTIAL MAY BE FAKED, ALL PRESS")
    play.letters()
    play.send("ann", "BROADCAST GREY\nBoo!")
    letters = {letter.to.partition("@")[0]: letter for letter in play.letters()}
    assert (
        "(For game masters: it is from Austria (Ann) and went to everybody.)" in letters["max"].text
    )
    assert "For game masters" not in letters["cleo"].text
    play.send("ann", "PRESS TO F FAKE TO FG\nBoo!")
    letters = {letter.to.partition("@")[0]: letter for letter in play.letters()}
    assert "Press from Austria (Ann) to France and Germany" in letters["cleo"].text
    assert "it is from Austria (Ann) and went to France.)" in letters["max"].text
    assert "dora" not in letters


def test_masters_see_private_press_only_where_all_are_told_so(play: Play) -> None:
    starts = play.start("ALL PRESS")
    assert "The game masters see private press." in " ".join(starts["ann"].text.split())
    listed = " ".join(play.send("zoe", "LIST paris").text.split())
    assert "Game masters and press: see private press." in listed
    say(play, "ann", "PRESS TO F")
    assert readers(play) == {"cleo", "max"}
    play.send("max", "SET NORMAL PRESS")
    say(play, "ann", "PRESS TO F")
    assert readers(play) == {"cleo"}
    play.send("max", "SET ALL PRESS")
    told = [letter for letter in play.letters() if letter.kind == "settings"]
    assert {letter.to.partition("@")[0] for letter in told} == set(PEOPLE)
    say(play, "ann", "PRESS TO F")
    assert readers(play) == {"cleo", "max"}


# Postal press


def test_postal_press_goes_out_with_the_results(play: Play) -> None:
    begin(play, "POSTAL PRESS")
    answer = say(play, "ann", "POSTAL PRESS")
    assert "Kept until the results go out" in answer
    assert readers(play) == set()
    assert "Hello there." not in play.send("cleo", "HISTORY paris").text
    play.letters()
    play.send("max", "PROCESS S1901M")
    letters = [letter for letter in play.letters() if letter.to == "cleo@people.example"]
    assert [letter.kind for letter in letters] == ["results", "press"]
    assert "Broadcast from Austria (Ann) to everybody in paris, Spring 1901" in letters[1].text
    assert "Hello there." in play.send("cleo", "HISTORY paris").text
    play.letters()
    play.send("max", "PROCESS F1901M")
    assert readers(play) == set()


def test_postal_press_needs_its_setting_and_a_game_that_runs(play: Play) -> None:
    begin(play, "")
    assert "no broadcast is held back" in say(play, "ann", "POSTAL PRESS")
    play.send("max", "SET POSTAL PRESS\nSET GREY")
    assert "Kept until the results" in say(play, "ann", "POSTAL PRESS")
    play.letters()
    play.sure("max", "TERMINATE paris")
    letters = [letter for letter in play.letters() if letter.kind == "press"]
    assert {letter.to.partition("@")[0] for letter in letters} == ALL - {"ann"}
    assert all("Broadcast from Anonymous" in letter.text for letter in letters)


# Settings


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ("WHITE", "press", "white"),
        ("GREY", "press", "grey"),
        ("GRAY", "press", "grey"),
        ("WHITE/GREY", "press", "white/grey"),
        ("grey/white", "press", "grey/white"),
        ("Gray/White", "press", "grey/white"),
        ("NONE", "press", "none"),
        ("NO PRESS", "press", "none"),
        ("NO PARTIAL", "partial", False),
        ("PARTIAL", "partial", True),
        ("OBSERVER ANY", "observer_press", "any"),
        ("OBSERVER WHITE", "observer_press", "white"),
        ("OBSERVER NO", "observer_press", "no"),
        ("NO OBSERVER", "observer_press", "no"),
        ("NO MINOR PRESS", "minor_press", False),
        ("MINOR PRESS", "minor_press", True),
        ("NO LATE PRESS", "late_press", False),
        ("LATE PRESS", "late_press", True),
        ("MUST ORDER", "must_order", True),
        ("NO MUST ORDER", "must_order", False),
        ("ALL PRESS", "all_press", True),
        ("NORMAL PRESS", "all_press", False),
        ("NO FAKE", "fakes", "no"),
        ("PARTIAL MAY BE FAKED", "fakes", "partial"),
        ("PARTIAL FAKES BROADCAST", "fakes", "broadcast"),
        ("PARTIAL FAKES BROADCAST BY DEFAULT", "fakes", "default"),
        ("POSTAL PRESS", "postal_press", True),
        ("NO POSTAL PRESS", "postal_press", False),
        ("TOUCH PRESS", "touch_press", True),
        ("NO TOUCH PRESS", "touch_press", False),
        ("NO GRACE PRESS", "grace_press", False),
        ("GRACE PRESS", "grace_press", True),
    ],
)
def test_a_setting_is_read_and_kept(play: Play, line: str, name: str, value: object) -> None:
    play.send("max", "CREATE ?paris, NO PARTIAL, MUST ORDER, POSTAL PRESS, TOUCH PRESS, ALL PRESS")
    answer = play.send("max", f"SET {line}")
    assert "COULD NOT USE" not in answer.text
    assert getattr(Settings.from_json(paris(play).settings), name) == value


def test_what_observers_may_write_is_one_of_three(play: Play) -> None:
    play.send("max", "CREATE ?paris")
    answer = " ".join(play.send("max", "SET OBSERVER LOUD").text.split())
    assert "Did you mean SET OBSERVER NO" in answer


def test_minor_press_is_settled_before_the_start(play: Play) -> None:
    begin(play, "")
    assert "COULD NOT USE" in play.send("max", "SET NO MINOR PRESS").text
    assert Settings.from_json(paris(play).settings).minor_press


# Answers, which follow the same rules


def test_answers_keep_to_the_rules(play: Play) -> None:
    begin(play, "PARTIAL FAKES BROADCAST BY DEFAULT")
    play.letters()
    play.send("ann", "PRESS TO F\nFor all?")
    [letter] = [letter for letter in play.letters() if letter.kind == "press"]
    play.send("cleo", "Yes!", answers=letter)
    [back] = [letter for letter in play.letters() if letter.kind == "press"]
    assert back.to == "ann@people.example"
    assert "Broadcast from France (Cleo) to everybody" in back.text
    # Who answers all of a broadcast that was none writes to all.
    to = f"{letter.message['Reply-To']}, {letter.message['Cc']}"
    play.send("cleo", "Yes!", answers=letter, to=to)
    assert readers(play) == ALL - {"cleo"}
    play.send("max", "SET NO PARTIAL")
    answer = play.send("cleo", "Yes!", answers=letter)
    assert "only to everybody or to the game master" in " ".join(answer.text.split())


# Gunboat


def test_in_gunboat_games_powers_write_and_never_persons(play: Play) -> None:
    begin(play, "GUNBOAT")
    play.letters()
    play.send("ann", "PRESS TO FM\nHello.\nENDPRESS\nBROADCAST\nHello.", name="Ann Vogel")
    letters = [letter for letter in play.letters() if letter.kind == "press"]
    assert {letter.to.partition("@")[0] for letter in letters} == ALL - {"ann"}
    for letter in letters:
        if letter.to != "max@people.example":
            seen = letter.message.as_string().lower()
            assert "austria" in seen
            assert not re.search(r"\bann\b|vogel", seen)
    assert "Austria (Ann)" in next(each.text for each in letters if each.to.startswith("max"))
    assert "Ann" not in play.send("cleo", "HISTORY paris").text


@pytest.mark.parametrize(
    ("mail", "readers"),
    [
        ("PRESS TO Germany, Italy\nHello.\nENDPRESS", {"Germany", "Italy"}),
        ("BROADCAST\nHello.\nENDPRESS", {"everybody"}),
        ("PRESS TO Germany\nHello.\nENDPRESS\nA bud H", set()),
        ("PRESS TO Germany\nHello.\nENDPRESS\nSET WITHOUT SENSE", set()),
    ],
)
def test_the_answer_to_press_alone_begins_with_who_reads_it(
    play: Play, mail: str, readers: set[str]
) -> None:
    begin(play, "")
    begins = play.send("ann", mail).text.partition("\n")[0]
    assert {name for name in ("Germany", "Italy", "everybody") if name in begins} == readers


@pytest.mark.parametrize(
    ("answer", "sent"),
    [
        ("Dear Emil, I agree.", True),
        ("Will you support me? Dora is a problem.", True),
        ("For Dora: not yet.", False),
        ("Deal! (for Max: my orders come tonight)", False),
        ("Dear Dora, yes.\n\nDear Emil, no.", False),
    ],
)
def test_what_names_somebody_else_goes_to_nobody_it_does_not_name(
    play: Play, answer: str, sent: bool
) -> None:
    begin(play, "")
    play.send("emil", "PRESS TO France\nWhat do you think?\nENDPRESS")
    (letter,) = [each for each in play.letters() if each.kind == "press"]
    asked = play.ask("cleo", answer, answers=letter)
    got = [each for each in play.letters() if each.kind == "press"]
    assert [each.to for each in got] == ["emil@people.example"] * sent
    if not sent and re.search(r"\bYES\b", asked.text):
        play.ask("cleo", "YES", answers=asked)
        got = [each for each in play.letters() if each.kind == "press"]
        assert not any("Dora" in each.text for each in got if each.to.startswith("emil"))
