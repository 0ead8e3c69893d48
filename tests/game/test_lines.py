"""What each line of a mail is: orders in all their shapes, commands, press, and talk."""

from __future__ import annotations

from typing import Any

import pytest

from judge import interchange
from judge.commands import TABLE
from judge.game.orders.order_context import OrderContext
from judge.intake.dry_run import dry_run
from judge.intake.spoken import heard
from judge.mail.message import parse
from tests.game.play import Play

START = {
    "phase": "S1901M",
    "units": {
        "Austria": ["A bud", "F tri", "A vie"],
        "England": ["F edi", "A lvp", "F lon"],
        "France": ["F bre", "A mar", "A par"],
        "Germany": ["A ber", "F kie", "A mun"],
        "Russia": ["A mos", "F sev", "F stp/sc", "A war"],
    },
}
FALL = {
    "phase": "F1901M",
    "units": {
        "England": ["F nth", "F nrg", "A yor"],
        "France": ["F mid", "A bur", "A spa"],
        "Germany": ["A ruh"],
    },
}
BUILDS = {
    "phase": "W1901A",
    "units": {"Germany": ["F den", "A hol", "A bel"]},
    "centers": {"Germany": ["ber", "kie", "mun", "den", "hol"]},
}


def turn(game: object = START, power: str | None = None) -> OrderContext:
    asked = interchange.read_question(game)
    return OrderContext(asked.variant, asked.position, asked.rulebook, (power,) if power else None)


def read(text: str, game: object = START, power: str | None = None) -> dict[str, Any]:
    raw = "From: ann@example.org\nContent-Type: text/plain; charset=utf-8\n\n" + text
    with heard(text, "en", known=False):
        return dry_run(parse(raw.encode()), TABLE, turn(game, power))


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        (
            "My orders are: A Par-Bur, A Mar-Spa and F Bre-MAO.",
            "A par - bur|A mar - spa|F bre - mid",
        ),
        ("1) A PAR-BUR 2) A MAR S A PAR-BUR 3) F BRE H", "A par - bur|A mar S A par - bur|F bre H"),
        ("• A Par - Bur • A Mar - Spa", "A par - bur|A mar - spa"),
        ("A Par - Bur / A Mar - Spa / F Bre - Mao", "A par - bur|A mar - spa|F bre - mid"),
        ("A Paris - Burgundy (supported by Mar)", "A par - bur|A mar S A par - bur"),
        ("A Paris - Burgundy (Mar supports)", "A par - bur|A mar S A par - bur"),
        ("Paris to Burgundy with support from Mar", "A par - bur|A mar S A par - bur"),
        ("Paris - Burgundy, Marseilles supporting", "A par - bur|A mar S A par - bur"),
        ("Everything holds except F Bre - Mid", "F bre - mid|A mar H|A par H"),
        ("hold everything but Paris to Picardy", "A par - pic|F bre H|A mar H"),
        ("France, Spring 1901\nA Par - Bur", "A par - bur"),
        ("Brest in den Kanal, Marseille ins Piemont", "F bre - eng|A mar - pie"),
        ("Die Flotte in Brest fährt in den Mittelatlantik", "F bre - mid"),
        ("Paris soll nach Burgund ziehen, Marseille hält sich", "A par - bur|A mar H"),
        ("Ich ziehe Paris nach Burgund und Marseille nach Spanien", "A par - bur|A mar - spa"),
        ("Paris, Marseille und Brest bleiben stehen", "A par H|A mar H|F bre H"),
        ("Meine Armee in Paris soll nach Burgund ziehen", "A par - bur"),
        ("A Par - Bur\nA Mar unterstützt ihn", "A par - bur|A mar S A par - bur"),
        ("Paris soll nicht ziehen", "A par H"),
        ("Paris et Marseille tiennent", "A par H|A mar H"),
        ("Mon armée à Paris va en Bourgogne", "A par - bur"),
        ("Paris ne bouge pas", "A par H"),
        ("A Par - Bur\nA Mar le soutient", "A par - bur|A mar S A par - bur"),
        ("Je voudrais que Paris aille en Bourgogne", "A par - bur"),
        ("Armee Paris greift Burgund an", "A par - bur"),
        ("Paris nach Burgund, unterstützt von Marseille", "A par - bur|A mar S A par - bur"),
        (
            "Alle Einheiten halten, außer Brest, das in den Kanal fährt",
            "F bre - eng|A mar H|A par H",
        ),
        ("Brest va dans la Manche, Paris marche sur la Bourgogne", "F bre - eng|A par - bur"),
        ("Paris vers la Bourgogne avec le soutien de Marseille", "A par - bur|A mar S A par - bur"),
        ("Toutes les unités tiennent sauf Brest, qui va en Manche", "F bre - eng|A mar H|A par H"),
        ("Könntest du bitte Paris nach Burgund ziehen?", "A par - bur"),
        ("Paris und Marseille nach Burgund", "A par - bur|A mar - bur"),
        ("Schicke Paris und Marseille nach Burgund", "A par - bur|A mar - bur"),
        ("Schicken Sie bitte Paris nach Burgund", "A par - bur"),
        ("Marseille soll Paris nach Burgund unterstützen", "A mar S A par - bur"),
        ("Envoyez Paris en Bourgogne", "A par - bur"),
        ("Paris nach Gascogne statt Burgund", "A par - gas"),
        ("Die Flotte in Brest in den Kanal", "F bre - eng"),
        ("Pourriez-vous déplacer Paris en Bourgogne ?", "A par - bur"),
        ("Paris et Marseille en Bourgogne", "A par - bur|A mar - bur"),
        ("Paris en Gascogne au lieu de Bourgogne", "A par - gas"),
        ("La flotte va dans la Manche", "F bre - eng"),
        ("F BRE → MAO ✓\nA PAR → BUR (bounced)", "F bre - mid|A par - bur"),
        ("Move: A Par -> Bur\nHold: F Bre", "A par - bur|F bre H"),
        ("А Par - Bur\nА Мar - Spa", "A par - bur|A mar - spa"),
        ("A Par à Bur\nF Bre è Mid J", "A par - bur|F bre - mid"),
        (
            "Par - Bur bitte\nA Mar - Spa, merci!\nBre - Mid s'il vous plaît",
            "A par - bur|A mar - spa|F bre - mid",
        ),
        ("Ａ　Ｐａｒ　ー　Ｂｕｒ\nＦ　Ｂｒｅ　－　Ｍｉｄ", "A par - bur|F bre - mid"),
        ("A Par hält\nF Bre nach Mid", "A par H|F bre - mid"),
        ("fleet brest sails to mid atlantic", "F bre - mid"),
        (
            "France: Army Marseilles SUPPORT Army Paris -> Burgundy.  (*void*)",
            "A mar S A par - bur",
        ),
        (
            "The army at Marseilles support move to Burgundy from Paris. (fail)",
            "A mar S A par - bur",
        ),
        ("FRANCE: A PAR - BUR  (bounce)\nFRANCE: F BRE - MAO", "A par - bur|F bre - mid"),
        ("France: Army Paris moves to Burgundy. Bounced with the German army.", "A par - bur"),
        (
            "France: Army Marseilles supports the French Army Paris moving to\nBurgundy",
            "A mar S A par - bur",
        ),
        ("I'd like to move my army in Paris to Burgundy", "A par - bur"),
        ("I would like my fleet in Brest to go to the Mid-Atlantic", "F bre - mid"),
        ("I'm going to support Paris to Burgundy with Marseilles", "A mar S A par - bur"),
        ("My fleet in Brest should go to the Mid-Atlantic", "F bre - mid"),
        ("Army Par -> Bur\nArmy Mar supports it", "A par - bur|A mar S A par - bur"),
        ("Hi all,\nMy orders: A Par - Bur, A Mar - Spa", "A par - bur|A mar - spa"),
        ("Hello everyone,\nI order: A Par - Bur", "A par - bur"),
        ("Par-Bur, Mar S, Bre-Mid", "A par - bur|A mar S A par - bur|F bre - mid"),
        (
            "This turn I'd like Paris to go to Burgundy. Marseilles should support that move. And"
            " let the fleet in Brest sail to the English Channel.",
            "A par - bur|A mar S A par - bur|F bre - eng",
        ),
        (
            "I will go with A Par-Bur, A Mar-Spa and F Bre-Mid this time",
            "A par - bur|A mar - spa|F bre - mid",
        ),
        (
            "Paris takes Burgundy, backed by Marseilles; Brest stays home",
            "A par - bur|A mar S A par - bur|F bre H",
        ),
        ("please enter A Par - Bur for me", "A par - bur"),
        (
            "My orders this turn are Par-Bur, Mar-Spa and Bre-Mid",
            "A par - bur|A mar - spa|F bre - mid",
        ),
        ("A Par - Bur\n\nA Mar S that move", "A par - bur|A mar S A par - bur"),
    ],
)
def test_orders_of_one_power(text: str, orders: str) -> None:
    found = read(text, power="France")
    assert found["orders"] == {"France": orders.split("|")}
    assert all(line["problem"] is None for line in found["lines"])


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("IF Bur THEN A Mar H ELSE A Mar - Bur", ["A mar - bur"]),
        ("IF NOT Bur THEN A Mar - Bur ELSE A Mar H\nA Par H", ["A mar - bur", "A par H"]),
        ("IF Bur THEN A Mar H, otherwise A Mar - Bur\nA Par H", ["A mar - bur", "A par H"]),
        # It may be meant of where units go now.
        ("IF Bur is empty: A Mar - Bur; else A Mar H\n\nF Bre H", ["F bre H"]),
        ("IF Bur THEN A Mar H ELSE IF Spa THEN A Mar - Gas ELSE A Mar - Spa", ["A mar - spa"]),
        ("In case Germany takes Burgundy, A Mar holds", None),
        ("When Germany moves, A Par - Bur", None),
        ("A Par - Bur\nA Mar S", ["A par - bur"]),
    ],
)
def test_what_cannot_be_meant_is_left_out(text: str, orders: list[str] | None) -> None:
    assert read(text, power="France")["orders"].get("France") == orders


def test_a_condition_for_a_later_phase_may_be_a_sentence() -> None:
    lines = "PHASE F1901M\nIf Burgundy is empty: A Mar - Bur, otherwise A Mar H\nA Par H"
    found = read(lines, power="France")
    assert found["commands"] == ["PHASE F1901M", "IF NOT bur", "ELSE"]
    assert [line["read"] for line in found["lines"] if line["kind"] == "order"] == [
        *("A mar - bur", "A mar H", "A par H"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Dear Germany,\nI'll go Par-Gas and Mar-Spa this turn.\nAnn",
        "To: Germany\nLet's bounce. I will move Paris to Burgundy.",
        "Tell Germany: I will move Paris to Burgundy",
        "Germany, I will move Paris to Burgundy",
        "Hello all,\nI will move Paris to Burgundy. Good luck!",
    ],
)
def test_what_a_letter_tells_of_orders_is_no_order(text: str) -> None:
    found = read(text, power="France")
    assert not found["orders"]
    ((wish),) = found["wishes"]
    assert wish["offer"] in ("PRESS TO Germany", "BROADCAST")
    assert text.splitlines()[-1].rpartition(": ")[2] in (wish["text"] or "")


BOTH_GONE = {
    "phase": "F1901R",
    "units": {"France": ["A spa"], "Germany": ["A bur"], "England": ["F nth"]},
    "dislodged": {
        "France": [{"unit": "A par", "attacker": "bur"}, {"unit": "F eng", "attacker": "nth"}]
    },
}
PARIS_AND_BREST = {
    "phase": "W1901A",
    "units": {"France": ["A bur"]},
    "centers": {"France": ["par", "mar", "bre"]},
}


@pytest.mark.parametrize(
    ("text", "game", "orders"),
    [
        ("fleet to the channel", START, "F bre - eng"),
        ("send my fleet to MAO, Paris to Burgundy", START, "F bre - mid|A par - bur"),
        ("The army goes to Gascony, the fleet to Brest", BOTH_GONE, "A par R gas|F eng R bre"),
        ("disband both", BOTH_GONE, "A par D|F eng D"),
        ("Beide auflösen", BOTH_GONE, "A par D|F eng D"),
        ("Paris - Gascony, disband the rest", BOTH_GONE, "A par R gas|F eng D"),
        ("Paris zieht sich in die Gascogne zurück", BOTH_GONE, "A par R gas"),
        ("Paris recule en Picardie et la flotte se disperse", BOTH_GONE, "A par R pic|F eng D"),
        ("Build fleets in Brest and Marseilles", PARIS_AND_BREST, "B F bre|B F mar"),
        ("Ich baue in Paris eine Armee", PARIS_AND_BREST, "B A par"),
        ("build nothing this year", PARIS_AND_BREST, "WAIVE"),
    ],
)
def test_units_that_only_the_board_tells(text: str, game: dict[str, Any], orders: str) -> None:
    assert read(text, game, "France")["orders"] == {"France": orders.split("|")}


@pytest.mark.parametrize(
    "text", ["All hold except the best one", "Alle Einheiten halten, außer der schönsten"]
)
def test_nothing_holds_where_the_exception_is_not_understood(text: str) -> None:
    assert read(text, power="France")["orders"] == {}


@pytest.mark.parametrize(
    ("heading", "read_as"),
    [
        ("Fall 1901:", "PHASE F1901M"),
        ("F1901M", "PHASE F1901M"),
        ("Orders for France, fall 1901", "PHASE F1901M"),
        ("Herbst 1901", "PHASE F1901M"),
        ("Winter 1901:", "PHASE W1901A"),
    ],
)
def test_orders_below_a_later_phase_are_for_that_phase(heading: str, read_as: str) -> None:
    found = read(f"A Par - Bur\n{heading}\nA Par - Gas\nSpring 1901:\nF Bre - Mid", power="France")
    assert found["lines"][1]["read"] == read_as
    assert found["orders"] == {"France": ["A par - bur", "F bre - mid"]}


@pytest.mark.parametrize("heading", ["Spring 1901", "S1901M", "12.10.2026", "1901"])
def test_a_heading_that_names_no_other_phase_changes_nothing(heading: str) -> None:
    assert read(f"{heading}\nA Par - Bur", power="France")["orders"] == {"France": ["A par - bur"]}


def test_headings_and_prefixes_name_powers() -> None:
    found = read("ENGLAND\nF Edi-Nrg\nOrders for France:\nA Par H\nGermany: A Mun - Ruh")
    assert found["orders"] == {
        "England": ["F edi - nrg"],
        "France": ["A par H"],
        "Germany": ["A mun - ruh"],
    }


@pytest.mark.parametrize(
    "text",
    [
        "I support your proposal.",
        "Will you hold Burgundy? I move to Belgium.",
        "A move to Burgundy would be rude.",
        "Press freedom is important to me.",
        "Wait for me!",
        "I resign to my fate",
        "Start with the easy ones.",
        "Join us for dinner on Monday, will you?",
        "Sorry, I was in Spain - no net there.",
        "A - B - C: easy as 1 2 3",
        "F that.",
        "I'd like to move to Burgundy with you.",
        "I will hold on to my fleets.",
    ],
)
def test_talk_is_left_alone(text: str) -> None:
    found = read(text, power="France")
    assert {line["kind"] for line in found["lines"]} == {"text"}
    assert (found["orders"], found["commands"], found["press"]) == ({}, [], [])


def test_the_text_of_a_setting_keeps_the_word_set() -> None:
    found = read("SET COMMENT We set the pace together, and set it again")
    assert found["commands"] == ["SET COMMENT We set the pace together, and set it again"]


def test_who_is_late_is_a_command_with_and_without_thanks() -> None:
    found = read("who is late\nWho is late, thanks", power="France")
    assert found["commands"] == ["WHO IS LATE", "WHO IS LATE"]


def test_two_candidates_are_both_offered_and_none_taken() -> None:
    line = read("F Nth - Nor", FALL, "England")["lines"][0]
    assert (line["kind"], line["read"]) == ("unknown", None)
    assert line["suggestions"] == ["F nth - nwy", "F nth - nrg"]


def test_a_coast_that_is_missing_is_asked_for_with_each_line_that_would_do() -> None:
    line = read("F Mid - Spa", FALL, "France")["lines"][0]
    assert "coast" in line["problem"]
    assert line["suggestions"] == ["F mid - spa/nc", "F mid - spa/sc"]


@pytest.mark.parametrize(
    ("game", "power", "text", "order", "suggestions"),
    [
        (FALL, "England", "A Yor - Nwy", "A yor - nwy", ["F nth C A yor - nwy"]),
        (FALL, "England", "F Nth C A Yor - Nwy", "F nth C A yor - nwy", ["A yor - nwy"]),
        (START, "France", "A Mar S A Par - Bur", "A mar S A par - bur", ["A par - bur"]),
        (
            START,
            "France",
            "A Par - Gas\nA Mar S A Par - Bur",
            "A mar S A par - bur",
            ["A par - bur", "A mar S A par - gas"],
        ),
        (BUILDS, "Germany", "B A Mun\nB F Kie\nB A Ber", "B A ber", []),
    ],
)
def test_what_does_not_fit_in_ones_own_orders(
    game: object, power: str, text: str, order: str, suggestions: list[str]
) -> None:
    (hint,) = read(text, game, power)["hints"]
    assert (hint["order"], hint["suggestions"]) == (order, suggestions)


def test_nothing_is_said_of_what_depends_on_others() -> None:
    found = read("A Bur S A Ruh - Bel\nF Mid - Por\nA Spa H", FALL, "France")
    assert found["hints"] == []


def test_orders_for_a_later_phase_are_none_for_this_one() -> None:
    found = read("A Bur - Bel\nPHASE S1902M\nA Bel - Hol\nPHASE F1901M\nA Spa H", FALL, "France")
    assert found["orders"] == {"France": ["A bur - bel", "A spa H"]}
    assert found["commands"] == ["PHASE S1902M", "PHASE F1901M"]


def test_an_attached_text_counts_where_the_mail_itself_asks_nothing() -> None:
    def attached(text: str) -> dict[str, Any]:
        raw = (
            "From: ann@example.org\nContent-Type: multipart/mixed; boundary=x\n\n"
            f"--x\n\n{text}\n--x\nContent-Type: text/plain\n"
            "Content-Disposition: attachment; filename=o.txt\n\nA Par - Bur\n--x--\n"
        )
        return dry_run(parse(raw.encode()), TABLE, turn(power="France"))

    assert attached("see attachment")["orders"] == {"France": ["A par - bur"]}
    assert attached("A Mar - Spa")["orders"] == {"France": ["A mar - spa"]}


def test_orders_attached_to_orders_are_not_left_out_without_a_word(play: Play) -> None:
    play.start()
    raw = (
        "From: Cleo <cleo@people.example>\nTo: judge@judge.example\nMIME-Version: 1.0\n"
        "Message-ID: <{name}@people.example>\nContent-Type: multipart/mixed; boundary=x\n\n"
        "--x\n\nA Par - Bur\n--x\nContent-Type: text/plain\n"
        "Content-Disposition: attachment; filename=o.txt\n\n{text}\n--x--\n"
    )
    for name, text, told in (("a", "A Mar - Spa", True), ("b", "just a poem", False)):
        play.letters()
        mail = raw.format(name=name, text=text).encode()
        play.judge.process_message(play.raw(mail, "cleo@people.example"))
        (letter,) = play.letters()
        assert ("did not read the attached text" in " ".join(letter.text.split())) is told
        assert "A mar" not in letter.text.partition("YOUR ORDERS")[0]


def test_who_attaches_what_nobody_reads_is_told(play: Play) -> None:
    play.start()
    raw = (
        "From: Cleo <cleo@people.example>\nTo: judge@judge.example\n"
        "Message-ID: <a@people.example>\n"
        "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n"
        "--x\n\n{text}\n--x\nContent-Type: {kind}\n"
        "Content-Disposition: attachment; filename={name}\n\nxx\n--x--\n"
    )

    def told(text: str, kind: str, name: str) -> bool:
        mail = raw.format(text=text, kind=kind, name=name).replace(
            "<a@", f"<{kind[-3:]}{text[:1]}@"
        )
        play.letters()
        play.judge.process_message(play.raw(mail.encode(), "cleo@people.example"))
        (letter,) = play.letters()
        return "did not read what is attached" in letter.text

    assert told("see my orders", "application/pdf", "orders.pdf")
    assert not told("A Par - Bur", "text/plain", "remark.txt")
    assert told("see my orders", "image/jpeg", "orders.jpg")
    assert not told("A Par - Bur", "application/pdf", "map.pdf")
    assert not told("see my orders", "application/pgp-signature", "signature.asc")


def test_one_word_between_orders_is_not_dropped_without_a_word() -> None:
    lines = read("A Par - Bur\nfrobnicate\nF Bre H\nAnn", power="France")["lines"]
    assert [line["kind"] for line in lines] == ["order", "unknown", "order", "text"]


def test_each_line_has_its_fate() -> None:
    text = (
        "Hi judge,\nhere are my orders:\n// a note\nA Par - Bur\nfoo bar baz\nA Mar - Lon\n"
        "PRESS TO G\nShall\n\nwe?\nENDPRESS\nSET WAIT\nThanks,\nAnn\nSIGN OFF\nbelow it all"
    )
    found = [(each["line"], each["fate"]) for each in read(text, power="France")["lines"]]
    assert found == [
        ("Hi judge,", "greeting"),
        ("here are my orders:", "greeting"),
        ("// a note", "greeting"),
        ("A Par - Bur", "done"),
        ("foo bar baz", "nothing"),
        ("A Mar - Lon", "nothing"),
        ("PRESS TO G", "sent"),
        ("Shall", "sent"),
        ("we?", "sent"),
        ("ENDPRESS", "sent"),
        ("SET WAIT", "done"),
        ("Thanks,", "greeting"),
        ("Ann", "greeting"),
        ("SIGN OFF", "done"),
        ("below it all", "nothing"),
    ]


def test_courtesy_around_orders_makes_no_noise(play: Play) -> None:
    play.start()
    bare = play.send("cleo", "A Par - Bur\nA Mar H\nF Bre - Mid").text
    kind = play.send(
        "cleo",
        "Dear judge,\n\nhere are my orders:\n\nA Par - Bur\nA Mar H\nF Bre - Mid\n\n"
        "Thank you very much for running this game!\n\nBest regards,\nCleo\nFrance",
    ).text
    assert kind.replace("\n\n", "\n") == bare.replace("\n\n", "\n")


def test_what_is_answered_by_itself_is_named_once(play: Play) -> None:
    play.start()
    assert play.send("cleo", "I will be away.").text.count("> I will be away.") == 1


def test_what_nothing_was_done_with_is_named_in_brief(play: Play) -> None:
    play.start()
    prose = [f"Nobody reads sentence {number} of this story." for number in range(30)]
    said = play.send("cleo", "\n".join(["A Par - Bur", *prose])).text
    assert "nobody received them" in " ".join(said.split())
    assert prose[0] in said
    assert "22 more lines" in said
    # Below SIGN OFF, behind the last line that is read, and outside of press.
    assert "> Call me" in play.send("cleo", "STATUS\nSIGN OFF\nCall me").text
    assert "> zebras" in play.send("cleo", "\n".join(["A Par H"] * 334 + ["zebras"])).text
    assert "> I like it" in play.send("cleo", "PRESS TO G\nhi\nENDPRESS\nI like it").text


def test_below_talk_stands_what_people_often_ask_for(play: Play) -> None:
    play.start()
    text = "A Par - Bur\nPlease wait for me, Germany is thinking.\nThanks!"
    said = " ".join(play.send("cleo", text).text.split())
    assert "Please wait for me" in said
    assert "EXTEND 24H: " in said
    assert "SET DRAW: " in said
    assert "Thanks" not in said


def test_a_text_behind_a_command_that_takes_one_is_no_talk(play: Play) -> None:
    play.start()
    assert "I lied to all of them." in play.send("ann", "DIARY I lied to all of them.").text
    assert "I won because" in play.send("ann", "STATEMENT I won because you slept.").text
    text = "OFFICIAL The deadline is moved.\nBecause of the holidays.\nEND"
    assert "The deadline is moved" in play.answer("max", text).text
    reply = play.send("ann", "Diary of a liar\nOfficial is what is official.\nA Vie - Gal").text
    assert "> Diary" not in reply.partition("nobody received")[0]


def test_commands_in_a_language_that_is_not_the_writers_are_named(play: Play) -> None:
    play.start()
    text = "A Par - Bur\nWARTEN\nPRESSE AN England\nHallo!\nENDE PRESSE"
    said = " ".join(play.send("cleo", text).text.split())
    assert "nobody received them: > WARTEN > PRESSE AN England" in said
    assert "like: SET LANGUAGE de, SET WAIT or PRESS TO England" in said
    assert [letter.kind for letter in play.letters() if letter.kind == "press"] == []
    # That one is read in all of them.
    said = " ".join(play.send("cleo", f"SPRACHE deutsch\n{text}").text.split())
    assert "in dieser Sprache: Deutsch" in said
    assert [letter.to for letter in play.letters() if letter.kind == "press"] == [
        "bob@people.example"
    ]


def test_a_polite_word_behind_a_command_that_takes_nothing(play: Play) -> None:
    play.start()
    assert "I adjudicate at the deadline" in play.send("cleo", "Wait, please!").text


def test_press_swallows_its_lines_and_names_its_readers() -> None:
    found = read("press to e,g:\nhello\nA Par - Bur\nendpress\nA Mar - Spa", power="France")
    assert found["press"] == [
        {"to": ["England", "Germany"], "colour": "white", "text": "hello\nA Par - Bur"}
    ]
    assert found["orders"] == {"France": ["A mar - spa"]}
    assert [line["kind"] for line in found["lines"]] == ["press"] * 4 + ["order"]


def test_an_empty_mail_asks_for_the_status() -> None:
    assert read("\n\n> quoted\n")["commands"] == ["STATUS"]


def test_builds_beyond_what_is_due_are_a_problem_and_the_first_ones_count() -> None:
    found = read("B A Ber\nF Kie\nB A Mun", BUILDS, "Germany")
    assert found["orders"] == {"Germany": ["B A ber", "B F kie"]}
    assert "2 are due" in found["lines"][2]["problem"]


def test_lines_below_phase_and_if_are_shown_as_they_would_be_kept() -> None:
    found = read("A Par - Bur\nPHASE F1901M\nIF NOT German A Mun\nA Bur - Mun\nELSE\nA Bur H")
    assert found["orders"] == {"France": ["A par - bur"]}
    assert found["ahead"] == {
        "F1901M": {
            "null": [
                "IF NOT Germany A mun THEN A bur - mun",
                "IF NOT Germany A mun ELSE THEN A bur H",
            ]
        }
    }
    assert found["commands"] == ["PHASE F1901M", "IF NOT Germany A mun", "ELSE"]


def test_an_answer_to_press_is_press_but_for_its_orders() -> None:
    raw = (
        "From: ann@example.org\nSubject: Re: JUDGE:paris - F1901M Press from England to France\n\n"
        "Hi Bob,\nBelgium it is.\n\nA Par - Bur\n\nAnn\n"
    )
    found = dry_run(parse(raw.encode()), TABLE, turn(power="France"))
    assert found["orders"] == {"France": ["A par - bur"]}
    assert found["press"] == [
        {"to": ["England"], "colour": "white", "text": "Hi Bob,\nBelgium it is.\n\nAnn"}
    ]


def test_observers_have_a_letter_and_a_name() -> None:
    found = read("PRESS TO O\nhi\nENDPRESS\nPRESS TO France, observers\nhi")
    assert [each["to"] for each in found["press"]] == [["Observers"], ["France", "Observers"]]


@pytest.mark.parametrize("text", ["DIARY", "DIARY RECORD\n\nENDDIARY", "STATEMENT"])
def test_a_command_without_its_text_does_nothing(text: str) -> None:
    (line, *_) = read(text)["lines"]
    assert (line["fate"], bool(line["problem"])) == ("nothing", True)
    (line, *_) = read(f"{text.split()[0]} what I think")["lines"]
    assert line["fate"] == "done"


def test_of_several_orders_in_the_same_words_each_that_is_refused_is_told() -> None:
    found = read("A Vie - Tyr, supported by A Bud", power="Austria")
    assert found["orders"] == {"Austria": ["A vie - tyr"]}
    assert [line["fate"] for line in found["lines"]] == ["done", "nothing"]
    assert found["lines"][1]["line"]
