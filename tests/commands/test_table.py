"""The table of commands: found by their words, refused when two share one, explained by HELP."""

from __future__ import annotations

import ast
from itertools import pairwise
from pathlib import Path

import pytest

import judge.commands
from judge.commands import TABLE
from judge.commands.help import LEFT_OUT
from judge.game.state.answers import Answer
from judge.intake.command import Command, CommandTable, described, rows
from judge.intake.context import MessageContext
from judge.intake.lines import Line
from tests.game.play import KEEPER, Play

ROOT = Path(__file__).parents[2]


def command(*words: str, bare: bool = False) -> Command:
    def run(context: MessageContext, call: Line) -> Answer:
        return Answer("status")

    arguments = () if bare else ("text?",)
    return Command(
        words=words, who="anybody", summary="", help="", example="", run=run, arguments=arguments
    )


def test_two_commands_cannot_share_words_however_they_are_spaced() -> None:
    with pytest.raises(ValueError, match="sign on"):
        CommandTable((command("signon"), command("set wait"), command("sign on")))


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("SET NO TIME LIMIT", "SET TIME LIMIT"),
        ("set no comment.", "SET COMMENT"),
        ("SET NO REMINDERS please", "SET REMINDER"),
        ("Set no pictures!", "SET PICTURES"),
        ("SET NO CLOCK", "SET CLOCK"),
    ],
)
def test_set_no_takes_back_what_takes_none(line: str, name: str) -> None:
    found = TABLE.find(line)
    assert found is not None
    assert (found[0].name, found[1]) == (name, "NONE")


def test_no_press_is_not_offered_for_what_cannot_be_taken_back() -> None:
    assert TABLE.find("SET NO RULES") is None
    found = TABLE.mend("SET NO RULES")
    assert found is not None
    assert found[1] == "SET RULES 1976"


def test_the_opposite_is_not_offered_for_a_blank_too_many() -> None:
    found = TABLE.mend("SET NO GRACEP RESS")
    assert found is not None
    assert found[1] == "SET NO GRACE PRESS"


def test_a_row_with_a_key_that_nobody_knows_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(rows(), "terminate", rows()["terminate"] | {"comfirm": True})
    with pytest.raises(TypeError, match="comfirm"):
        described("terminate", command("terminate").run)


def test_every_row_is_a_command() -> None:
    assert {each.words[0] for each in TABLE.commands} >= set(rows())


def test_case_and_blanks_do_not_matter_and_the_longest_wins() -> None:
    short, long = command("set"), command("set no wait", "hold on")
    table = CommandTable((short, long))
    for line in ("SET NO WAIT", "set nowait", "SetNoWait", "set  no   wait", "HOLDON"):
        assert table.find(line) == (long, "")
    assert table.find("set wait") == (short, "wait")
    assert table.find("settle") is None
    assert table.find("s et no wait") is None
    assert table.find("set no wa it") == (short, "no wa it")


def test_a_bare_command_is_not_the_beginning_of_a_sentence() -> None:
    table = CommandTable((command("status", bare=True),))
    assert table.find("Status.") is not None
    assert table.find("status of our alliance") is None


@pytest.mark.parametrize(
    ("line", "near"),
    [
        ("SET WIAT", "set wait"),
        ("sing on fparis", "sign on"),
        ("PRES TO FG", "press"),
        ("Histroy paris", "history"),
        ("statsu", "status"),
        ("Dear all,", None),
        ("Thanks, Bob", None),
        ("See you soon", None),
        ("Best wishes", None),
    ],
)
def test_a_misspelled_command_is_recognized(line: str, near: str | None) -> None:
    mended = TABLE.mend(line)
    assert (mended[0].words[0] if mended else None) == near


def test_the_example_of_every_command_is_that_command() -> None:
    for command in TABLE:
        found = TABLE.find(command.example.splitlines()[0])
        assert found is not None
        assert found[0] is command


def test_every_command_is_explained(play: Play) -> None:
    play.send("ann", "REGISTER")
    play.send(KEEPER, "REGISTER")
    for who in ("ann", KEEPER):
        mine = [each for each in TABLE if (each.who == "keepers") == (who == KEEPER)]
        for some in (mine[start : start + TOGETHER] for start in range(0, len(mine), TOGETHER)):
            answer = play.send(who, "\n".join(f"HELP {each.words[-1]}" for each in some))
            text = " ".join(answer.text.split())
            for each in some:
                assert f"{each.form}: {each.effect}." in text
                assert " ".join(each.help.split()) in text
                assert each.example.splitlines()[0] in answer.text


TOGETHER = 10
"""Commands that one mail asks about."""


def test_each_setting_has_a_line_in_a_short_list_and_a_page(play: Play) -> None:
    play.send("ann", "REGISTER")
    page = play.send("ann", "HELP settings")
    assert len(page.raw) <= 21_000
    text = " ".join(page.text.split())
    for each in (each for each in TABLE if each.group == "settings"):
        assert each.words[0].removeprefix("set ").upper() in text
    caretaker = play.send("ann", "HELP CARETAKER").text
    assert "SET NO CARETAKER:" in caretaker
    assert "SET CARETAKER:" in caretaker
    assert "SET NMR:" not in caretaker


def test_help_and_its_three_long_pages_list_every_command_once(play: Play) -> None:
    play.send(KEEPER, "REGISTER")
    pages = "HELP commands\nHELP settings\nHELP masters\nHELP tournaments"
    lines = play.send(KEEPER, pages).text.splitlines()
    # What it is for stands below each; the pages have examples, too.
    listed = [line for line, below in pairwise(lines) if below.startswith("      ")]
    for each in TABLE:
        if each.group in (LEFT_OUT, "settings"):
            continue
        # A long form may have been folded.
        assert sum(line.strip() == each.form[:70].strip() for line in listed) == 1, each.form


@pytest.mark.parametrize("topic", ["guide", "orders", "press", "deadlines", "rules", "settings"])
def test_every_topic_has_its_page(play: Play, topic: str) -> None:
    play.send("ann", "REGISTER")
    first = (ROOT / "templates" / "help" / f"{topic}.txt").read_text().splitlines()[0]
    title = first.removeprefix("{% trans %}").removesuffix("{% endtrans %}")
    assert title in play.send("ann", f"get {topic}").text


def codes() -> set[str]:
    """Every code that an Answer or a Refused is made with."""
    found = {command.empty for command in TABLE.commands if command.empty}
    found |= {row["args"]["code"] for row in rows().values() if "code" in row.get("args", ())}
    for path in (ROOT / "judge").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case (
                    ast.Call(
                        func=ast.Name("Answer" | "LikelyMeant" | "Refused" | "refused"),
                        args=[ast.Constant(code), *_],
                    )
                    | ast.Call(
                        func=ast.Attribute(ast.Name("render"), "answer"),
                        args=[ast.Constant(code), *_],
                    )
                    | ast.Call(
                        func=ast.Attribute(
                            ast.Name("sender") | ast.Attribute(attr="sender"), "confirm"
                        ),
                        args=[ast.Constant(code)],
                    )
                ):
                    found.add(str(code))
                case ast.Call(
                    func=ast.Name("Answer" | "Refused"),
                    args=[ast.IfExp(body=ast.Constant(one), orelse=ast.Constant(other)), *_],
                ):
                    found |= {str(one), str(other)}
    return found


def test_every_answer_has_its_words_and_no_words_are_left_over() -> None:
    # What begins with an underscore is a part of others.
    written = {path.stem for path in (ROOT / "templates" / "answers").glob("[!_]*.txt")}
    # Why press was refused is said by one template.
    said = {code for code in codes() if not code.startswith("press_")} | {"press_refused"}
    assert said == written


def test_a_row_that_is_wrong_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    row = {**rows()["map"], "states": ["nowhere"]}
    monkeypatch.setattr(judge.commands, "rows", lambda: {"map": row})
    with pytest.raises(ValueError) as told:
        list(judge.commands._commands())
    assert told.value.__notes__ == ["in [map] of templates/commands.toml"]
