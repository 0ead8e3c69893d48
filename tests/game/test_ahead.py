"""Orders sent ahead: kept, listed, read when their phase opens, dropped."""

from __future__ import annotations

import pytest

from judge.game.orders import advance
from judge.game.state import State
from judge.rules.phase import Phase
from tests.game.play import PEOPLE, Play, Received

HOLDS = {
    "ann": "A Bud H, F Tri H, A Vie H",
    "bob": "F Edi H, A Lvp H, F Lon H",
    "cleo": "F Bre H, A Mar H, A Par H",
    "dora": "A Ber H, F Kie H, A Mun H",
    "emil": "F Nap H, A Rom H, A Ven H",
    "finn": "A Mos H, F Sev H, F StP/sc H, A War H",
    "gwen": "F Ank H, A Con H, A Smy H",
}


def paris(play: Play) -> State:
    game = play.storage.games.by_name("paris")
    assert game is not None
    return State(play.storage, game)


def kept(play: Play, phase: str, power: str = "France") -> list[str]:
    return [str(row) for row in advance.rows(paris(play), power, Phase.read(phase))]


def on_file(play: Play, power: str = "France") -> list[str]:
    return [str(order) for order in paris(play).orders.get(power, ())]


def process(play: Play) -> dict[str, list[Received]]:
    """The master runs the open phase; the letters by reader, in order."""
    play.letters()
    play.send("max", f"PROCESS {paris(play).game.phase}")
    found: dict[str, list[Received]] = {who: [] for who in PEOPLE}
    for letter in play.letters():
        found.setdefault(letter.to.partition("@")[0], []).append(letter)
    return found


def flat(text: str) -> str:
    return " ".join(text.split())


def test_orders_ahead_are_kept_listed_and_put_on_file_when_their_phase_opens(play: Play) -> None:
    play.start()
    answer = play.send("cleo", "A Par - Bur\nPHASE F1901M\nA Bur - Mun\nF Bre - Mid\nA Mar H")
    assert on_file(play) == ["A par - bur"]
    assert kept(play, "F1901M") == ["A bur - mun", "F bre - mid", "A mar H"]
    listed = answer.text[answer.text.index("KEPT FOR FALL 1901, MOVEMENT (France)") :]
    assert "  A bur - mun\n  F bre - mid\n  A mar H\n" in listed
    assert "KEPT FOR FALL 1901" in play.send("cleo", "").text
    letters = process(play)
    assert paris(play).game.phase == "F1901M"
    assert on_file(play) == ["A bur - mun", "F bre - mid", "A mar H"]
    assert kept(play, "F1901M") == ["A bur - mun", "F bre - mid", "A mar H"]
    assert [letter.kind for letter in letters["cleo"]] == ["results", "ahead"]
    letter = letters["cleo"][1]
    assert letter.sender == "paris: Orders sent ahead"
    assert "A bur - mun\n    Army Burgundy moves to Munich." in letter.text
    assert "France: all orders are in." in letter.text
    assert "KEPT FOR" not in play.send("cleo", "").text


def test_what_became_impossible_is_told_with_the_reason(play: Play) -> None:
    play.start()
    play.send("cleo", "A Par H\nPHASE fall 1901\nA Bur - Mun\nA Par - Bur\nA Mar S A Par - Bur")
    letter = process(play)["cleo"][1]
    assert on_file(play) == ["A par - bur", "A mar S A par - bur"]
    text = flat(letter.text)
    assert "A bur - mun NOT TAKEN. There is no unit in Burgundy." in text
    assert "F bre NO ORDER YET" in text
    assert "1 order of 3 is missing" in text


def test_they_count_as_received_so_that_a_phase_may_run_at_once(play: Play) -> None:
    play.start("MOVE DELAY 1")
    for who, orders in HOLDS.items():
        play.send(who, f"{orders}\nPHASE F1901M\n{orders}")
    play.wake()
    assert paris(play).game.phase == "F1901M"
    opened = play.clock.now()
    assert paris(play).sheets.complete()
    play.wake()
    assert paris(play).game.phase == "S1902M"
    assert (play.clock.now() - opened).total_seconds() < 24 * 3600


IFS = """PHASE F1901M
IF NOT german a mun
  A Mar - Gas
ELSE IF French A Pic
  A Mar S A Par - Bur
ELSE
  A Mar - Bur
  SET WAIT
ENDIF
F Bre H
"""


@pytest.mark.parametrize(
    ("first", "taken", "waits"),
    [
        ({"dora": "A Mun - Ruh"}, "A mar - gas", False),
        ({"cleo": "A Par - Pic"}, None, False),
        ({}, "A mar - bur", True),
    ],
)
def test_ifs_look_at_the_position_with_which_the_phase_opens(
    play: Play, first: dict[str, str], taken: str | None, waits: bool
) -> None:
    play.start()
    answer = play.send("cleo", IFS)
    for line in (
        "  IF NOT Germany A mun\n    A mar - gas\n  ELSE IF France A pic\n",
        "    A mar S A par - bur\n",
        "  ELSE\n    A mar - bur\n    SET WAIT\n  ENDIF\n  F bre H\n",
    ):
        assert line in answer.text
    for who, orders in first.items():
        play.send(who, orders)
    letter = process(play)["cleo"][1]
    assert [order for order in on_file(play) if "mar" in order] == ([taken] if taken else [])
    assert "F bre H" in on_file(play)
    assert paris(play).sheets.waiting() is waits
    so = "IF NOT Germany A mun (true)" if "dora" in first else "IF NOT Germany A mun (false)"
    assert so in flat(letter.text)
    if taken is None:
        # The support is for an army in Paris, and the army has gone to Picardy.
        assert "A mar S A par - bur NOT TAKEN." in flat(letter.text)
    assert ("I will not adjudicate the phase before its deadline." in letter.text) is waits


def test_the_end_of_the_mail_closes_what_is_open(play: Play) -> None:
    play.start()
    play.send("cleo", "PHASE F1901M\nIF A Mun\nIF A Ber\nA Par - Bur")
    play.send("cleo", "A Par - Pic\nPHASE F1901M\nF Bre - Mid")
    assert kept(play, "F1901M") == ["IF A mun THEN IF A ber THEN A par - bur", "F bre - mid"]
    assert on_file(play) == ["A par - pic"]


def test_a_later_mail_changes_only_the_units_it_names(play: Play) -> None:
    play.start()
    play.send("cleo", "PHASE F1901M\nIF A Mun\nA Par - Bur\nELSE\nA Par - Pic\nENDIF\nF Bre - Mid")
    play.send("cleo", "PHASE F1901M\nA Par H\nA Mar - Spa")
    assert kept(play, "F1901M") == ["F bre - mid", "A par H", "A mar - spa"]
    play.send("cleo", "PHASE F1901M\nA Par - Gas\nIF A Mun\nA Par - Bur\nENDIF")
    assert kept(play, "F1901M")[2:] == ["A par - gas", "IF A mun THEN A par - bur"]


def test_later_builds_take_the_place_of_earlier_ones_and_the_first_legal_ones_count(
    play: Play,
) -> None:
    play.start()
    play.send("cleo", "PHASE W1901A\nB A Par")
    play.send("cleo", "PHASE W1901A\nB F Mar\nB A Par\nB F Bre\nSET WAIT")
    assert kept(play, "W1901A") == ["B F mar", "B A par", "B F bre", "SET WAIT"]
    play.send("cleo", "A Mar - Spa\nF Bre - Pic\nA Par - Bur")
    process(play)
    # Marseilles is taken again by an own unit, so that the first build wanted is not to be had.
    play.send("cleo", "A Spa H\nF Pic - Bel\nA Bur - Mar")
    letter = process(play)["cleo"][1]
    assert paris(play).game.phase == "W1901A"
    assert on_file(play) == ["B A par", "B F bre"]
    assert "B F mar NOT TAKEN." in flat(letter.text)
    assert paris(play).sheets.of("France").complete


def test_more_builds_than_due_are_marked(play: Play) -> None:
    play.start()
    play.send("cleo", "A Mar - Spa\nPHASE W1901A\nB F Bre\nB A Par\nB A Mar")
    process(play)
    play.send("cleo", "A Spa H")
    play.send("cleo", "A Par - Bur\nF Bre - Mid")
    letter = process(play)["cleo"][1]
    assert "B F bre" in on_file(play)
    assert "NOT CARRIED OUT: one too many" in flat(letter.text)


def test_what_is_for_a_phase_passed_over_is_dropped_and_told_to_its_player_alone(
    play: Play,
) -> None:
    play.start()
    play.send("cleo", "PHASE S1901R\nA Par - Gas\nPHASE F1901R\nA Par - Gas")
    letters = process(play)
    assert "Spring 1901, retreats was passed over" in flat(letters["cleo"][0].text)
    assert [letter.kind for letter in letters["cleo"]] == ["results"]
    assert all("passed over" not in letter.text for letter in letters["bob"])
    assert kept(play, "S1901R") == []
    assert kept(play, "F1901R") == ["A par R gas"]


def test_clear_drops_what_it_names(play: Play) -> None:
    play.start()
    ordered = "A Par - Bur\nPHASE F1901M\nA Par H\nPHASE S1902M\nA Par H\nA Mar H"
    play.send("cleo", ordered)
    assert "1 line for Fall 1901, movement dropped" in play.send("cleo", "CLEAR F1901M").text
    assert (kept(play, "F1901M"), len(kept(play, "S1902M"))) == ([], 2)
    assert "2 lines for later phases dropped" in play.send("cleo", "clear").text
    assert on_file(play) == ["A par - bur"]
    assert "Nothing was kept for later phases" in play.send("cleo", "CLEAR").text
    refused = flat(play.send("cleo", "CLEAR tomorrow").text)
    assert "'tomorrow' is no phase of this game" in refused
    assert "I ignored the lines below it" not in refused
    assert "Nothing was kept for Spring 1900, movement" in play.send("cleo", "CLEAR S1900M").text
    play.send("cleo", "CLEAR S1901M")
    assert on_file(play) == []
    play.send("cleo", ordered)
    play.send("cleo", "CLEAR NOW")
    assert on_file(play) == []
    assert len(kept(play, "S1902M")) == 2


@pytest.mark.parametrize(
    ("mail", "why"),
    [
        ("PHASE S1900M\nA Par - Bur", "Spring 1900, movement is over"),
        ("PHASE F1907M\nA Par - Bur", "too far ahead: I keep orders for up to 5 years"),
        ("PHASE 1902\nA Par - Bur", "is no phase of this game"),
        ("PHASE F1901R\nB A Par", "This order is not valid in Fall 1901, retreats."),
        ("PHASE W1901A\nA Par - Bur", "This order is not valid in Winter 1901, adjustments."),
        ("PHASE F1901M\nA Par - Mos", "Moscow cannot be reached from Paris."),
        ("PHASE F1901M\nF Bre - Par", "fleet cannot go inland"),
        ("PHASE F1901M\nF Mid - Spa", "write spa/nc or spa/sc"),
        ("PHASE F1901M\nA Mun S A Ber - Mos", "it cannot support there"),
        ("PHASE W1901A\nB A Mos", "Moscow"),
        ("PHASE W1901A\nB F Par", "Paris"),
        ("PHASE F1901M\nA Par - Xyz", "No province is called Xyz."),
        ("PHASE F1901M\nGerman A Mun - Bur", "That is a unit of Germany; you play France."),
        ("PHASE F1901M\nIF A Xyz\nA Par - Bur", "No province is called Xyz."),
        ("PHASE F1901M\nIF A Liv\nA Par - Bur\nELSE\nA Par H\nENDIF", "Liv could mean"),
        ("PHASE F1901M\nELSE\nA Par - Bur", "This ELSE has no matching IF."),
        ("ENDIF", "This ENDIF has no matching IF."),
        ("PHASE F1901M\nIF A Mun\nRESIGN", "Only orders and SET WAIT can stand under IF."),
        ("IF A Xyz\nA Par - Bur", "No province is called Xyz."),
    ],
)
def test_what_cannot_be_kept_is_answered_with_the_reason_and_nothing_taken_for_now(
    play: Play, mail: str, why: str
) -> None:
    play.start()
    answer = play.send("cleo", mail)
    assert why in flat(answer.text)
    assert "KEPT FOR" not in answer.text
    assert on_file(play) == []
    assert paris(play).seats.player("France") is not None


@pytest.mark.parametrize(
    "line",
    [
        "A Lon - Nwy",
        "F Nth C A Lon - Nwy",
        "A Mun S Ber - Kie",
        "Spa S Mar",
        "F Spa/nc - Gas",
        "Spa - Mar",
        "A Wal - Eng - Bre",
    ],
)
def test_what_could_be_possible_then_is_kept(play: Play, line: str) -> None:
    play.start()
    play.send("cleo", f"PHASE F1904M\n{line}")
    assert len(kept(play, "F1904M")) == 1


def test_phase_naming_the_open_one_is_now_and_ifs_are_looked_at_at_once(play: Play) -> None:
    play.start()
    play.send("cleo", "PHASE S1901M\nA Par - Bur\nIF A Mun\nF Bre - Mid\nELSE\nF Bre H\nENDIF")
    assert on_file(play) == ["A par - bur", "F bre - mid"]
    answer = play.send("cleo", "IF German A Par\nA Mar H\nENDIF")
    assert "its condition (IF Germany A par) is not so" in flat(answer.text)
    assert on_file(play) == ["A par - bur", "F bre - mid"]


def test_where_units_are_hidden_there_are_no_conditions(play: Play) -> None:
    play.start()
    with play.storage.transaction():
        state = paris(play)
        state.set(blind=True)
        state.save()
    answer = play.send("cleo", "PHASE F1901M\nIF German A Mun\nA Par - Bur\nENDIF\nF Bre H")
    assert "There are no conditions in this game" in flat(answer.text)
    assert kept(play, "F1901M") == ["F bre H"]


def test_sentences_that_begin_with_if_phase_or_else_are_left_alone(play: Play) -> None:
    play.start()
    answer = play.send(
        "cleo",
        "If you ask me, this is a good opening.\nPhase two of the plan comes later.\n"
        "Else nothing new.\nA Par - Bur",
    )
    assert on_file(play) == ["A par - bur"]
    assert "LINES I COULD NOT USE" not in answer.text


@pytest.mark.parametrize(
    ("mail", "rows"),
    [
        ("PHASE F1901M: A Par - Bur, A Mar H\nSET WAIT", ["A par - bur", "A mar H", "SET WAIT"]),
        ("PHASE Fall 1901, movement\nA Par - Bur", ["A par - bur"]),
        ("PHASE F1901M, SET WAIT", ["SET WAIT"]),
        (
            "phase f1901m\nif a mun then\na par h\nend if\na mar h",
            ["IF A mun THEN A par H", "A mar H"],
        ),
        ("PHASE F1901M\nA Par H\nPHASE X\nA Mar H", ["A par H"]),
        ("PHASE F1901M\nＩＦ　Ａ　Ｍｕｎ\nA Par H", ["IF A mun THEN A par H"]),
        ("PHASE F1901M\nIF " + "(" * 5000 + "mun\nA Par H\nENDIF\nA Mar H", ["A mar H"]),
        (
            "PHASE F1901M\n" + "IF A Mun\n" * 50 + "A Par H\n" + "ENDIF\n" * 50 + "A Mar H",
            ["A mar H"],
        ),
        (
            "PHASE F1901M\nIF A Mun THEN A Par H\nENDIF\nA Mar H",
            ["IF A mun THEN A par H", "A mar H"],
        ),
        # Conditions with their orders on the same line.
        (
            "PHASE F1901M\nIF A Mun THEN A Par H\nA Mar H",
            ["IF A mun THEN A par H", "A mar H"],
        ),
        (
            "PHASE F1901M\nif a mun: A Par H, F Bre - Mid\n\nElse if F Kie, then A Par - Bur\n"
            "ELSE A Par - Pic\nA Mar H",
            [
                "IF A mun THEN A par H",
                "IF A mun THEN F bre - mid",
                "IF A mun ELSE IF F kie THEN A par - bur",
                "IF A mun ELSE IF F kie ELSE THEN A par - pic",
                "A mar H",
            ],
        ),
        (
            "PHASE F1901M\nIF A Mun THEN A Par H\nIF F Kie\nF Bre H\nENDIF\nA Mar H",
            ["IF A mun THEN A par H", "IF F kie THEN F bre H", "A mar H"],
        ),
        (
            "PHASE F1901M\nIF A Mun THEN A Par H\nF Bre H\nENDIF\nA Mar H",
            ["IF A mun THEN A par H", "IF A mun THEN F bre H", "A mar H"],
        ),
        ("PHASE F1901M\nIf possible, A Mar - Spa\nA Par H", ["A mar - spa", "A par H"]),
        ("PHASE F1901M\nIF you can: A Mar - Spa", ["A mar - spa"]),
        ("PHASE F1901M\nA Par H\n-- \nPHASE S1902M\nA Par H", ["A par H"]),
        ("> PHASE F1902M\n> A Mar H\nPHASE F1901M\nA Par H", ["A par H"]),
    ],
)
def test_phase_and_if_are_read_as_people_write_them(play: Play, mail: str, rows: list[str]) -> None:
    play.start()
    play.send("cleo", mail)
    assert kept(play, "F1901M") == rows
    assert on_file(play) == []


def test_a_kind_word_before_an_order_makes_no_condition(play: Play) -> None:
    play.start()
    answer = play.send("cleo", "If possible, F Bre - Mid\nA Mar - Spa")
    assert on_file(play) == ["F bre - mid", "A mar - spa"]
    assert "talk" not in answer.text


def test_a_unit_without_a_letter_is_told_as_one(play: Play) -> None:
    play.start()
    answer = play.send("cleo", "PHASE F1901M\nA Bur S Mun\nA Par S Gas - Bur")
    assert "Army Burgundy supports the unit in Munich." in flat(answer.text)
    assert "Army Paris supports the unit in Gascony in its move to Burgundy." in flat(answer.text)


@pytest.mark.parametrize(
    ("now", "ahead", "order", "why"),
    [
        ("", "A Bur S A Mar - Gas\nA Mar H", "A bur S A mar - gas", "A mar is not ordered to go"),
        ("", "A Bur S A Mar\nA Mar - Gas", "A bur S A mar", "A mar is ordered to leave"),
        ("", "A Pic - Bel\nF Eng - Bel", "F eng - bel", "A pic - bel goes there, too"),
        ("", "F Eng C A Lon - Bel\nA Lon H", "F eng C A lon - bel", "nobody to carry"),
        # Where its own orders bring its units is known.
        ("A Mar - Spa", "A Par S A Bur - Mun\nA Spa S F Mid - Por", None, None),
        ("F Bre - Mid", "A Spa S F Mid - Por", "A spa S F mid - por", "it has no order"),
        # What never counts together does not clash.
        ("", "IF A Kie\nA Por - Spa\nELSE\nF Mid - Spa/nc\nENDIF", None, None),
        ("", "IF A Kie\nA Por - Spa\nENDIF\nA Gas - Spa", "A gas - spa", "A por - spa goes there"),
    ],
)
def test_what_does_not_fit_is_pointed_out_before_its_phase(
    play: Play, now: str, ahead: str, order: str | None, why: str | None
) -> None:
    play.start()
    text = play.send("cleo", f"{now}\nPHASE F1901M\n{ahead}").text
    _, _, below = text.partition("KEPT FOR FALL 1901")
    assert below
    if order is None:
        assert "Look again" not in below
    else:
        assert why is not None
        assert f"{order}: " in below
        assert why in " ".join(below.split())
    assert "Look again" not in text.partition("KEPT FOR FALL 1901")[0]


def test_two_retreats_to_one_place_are_pointed_out(play: Play) -> None:
    play.start()
    text = flat(play.send("cleo", "PHASE F1901R\nA Bur - Gas\nA Mar - Gas").text)
    assert "A mar R gas: A bur R gas goes there, too: two that retreat to one place" in text


def test_nobody_else_learns_what_was_sent_ahead(play: Play) -> None:
    play.start()
    play.letters()
    play.send("cleo", IFS)
    process(play)
    for letter in play.letters():
        if not letter.to.startswith("cleo"):
            assert "mar - gas" not in letter.text


def test_a_player_of_several_powers_names_whose_order_it_is(play: Play) -> None:
    play.start()
    with play.storage.transaction():
        state = paris(play)
        seat, mine = state.seats.player("Germany"), state.seats.player("France")
        assert seat is not None
        assert mine is not None
        seat.person_id = mine.person_id
        state.seats.keep(seat)
    answer = play.send("cleo", "PHASE F1901M\nA Mun - Bur\nA Gas H\nFrance A Gas H")
    assert "whose order is it?" in flat(answer.text)
    assert kept(play, "F1901M", "Germany") == ["A mun - bur"]
    assert kept(play, "F1901M", "France") == ["A gas H"]


def test_a_master_names_the_power_whose_orders_he_sends_ahead(play: Play) -> None:
    play.start()
    answer = play.send("max", "PHASE F1901M\nA Boh H\nGermany A Mun - Bur")
    assert "Name a power" in flat(answer.text)
    assert kept(play, "F1901M", "Germany") == ["A mun - bur"]


def test_what_is_left_is_forgotten_when_the_game_ends(play: Play) -> None:
    play.start("END AFTER S1901")
    play.send("cleo", "PHASE F1901M\nA Par - Bur")
    process(play)
    assert paris(play).game.state == "ended"
    assert kept(play, "F1901M") == []
