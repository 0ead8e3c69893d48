"""Every line of every mail has one fate, and the reply says which."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from judge.commands import TABLE
from judge.intake.context import Fate, Fated, MessageContext
from judge.limits import Limits
from judge.messages.reply import undone
from judge.service import Judge
from tests.game.play import Play, Received

ORDERS = ("A Par - Bur", "a par-bur", "F Bre H", "army marseilles to spain", "A Mar S A Par - Bur")
NEAR_ORDERS = ("A Pra - Bur", "A Par -", "A Par - Mos", "Par Bur?", "A Par - Bur if Italy agrees")
COMMANDS = ("SET WAIT", "status", "HELP press", "SET DRAW, NO WAIT", "EXTEND 2 days", "LIST")
NEAR_COMMANDS = (
    "SET WIAT",
    "extned 2 days",
    "vote yes",
    "Draw?",
    "hlep",
    "SET FOO 3",
    "RESIGN rome",
)
GREETINGS = ("Hi judge,", "Thanks!", "Viele Grüße", "Bonjour,", "Cleo", "// a note", "--", ":-)")
FRAMES = (
    *("PRESS TO G", "ENDPRESS", "PRESS TO nobody", "DIARY", "END", "SIGN OFF", "SIGN ON rome"),
    *("STATEMENT", "OFFICIAL news", "WHAT IF", "SET COMMENT BEGIN", "POSTAL PRESS"),
    *("IF A Mun", "ELSE", "ENDIF", "PHASE F1901M", "France:", "BROADCAST", "- SET WAIT"),
)
PROSE = (
    "the {} of this morning was fine with all of us",
    "ich habe heute {} gesehen und nichts verstanden",
    "nous avons parlé de {} pendant des heures",
    "> {} stood in another mail",
    "• {} 🎲 \N{NO-BREAK SPACE}кот 象棋",
    "{} " + "and so on " * 500,
)

word = st.integers(10_000, 99_999).map("zq{}".format)
line = st.one_of(
    *map(st.sampled_from, (ORDERS, NEAR_ORDERS, COMMANDS, NEAR_COMMANDS, GREETINGS, FRAMES)),
    st.tuples(st.sampled_from(PROSE), word).map(lambda found: found[0].format(found[1])),
    st.just(""),
)
mails = st.one_of(
    st.lists(line, max_size=14),
    st.tuples(st.sampled_from((*ORDERS, *COMMANDS)), st.integers(90, 1100), line).map(
        lambda found: [*[found[0]] * found[1], found[2], *ORDERS]
    ),
).map("\n".join)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Play, Received]]:
    """A running game, and a press letter of Austria's to France."""
    play = Play(tmp_path_factory.mktemp("fates"))
    play.start()
    plenty = Limits(hour=10_000, press=10_000, nothing=10_000, stranger=10_000, strangers=10_000)
    play.judge = Judge(play.storage, play.clock, replace(play.judge.profile, limits=plenty), TABLE)
    play.letters()
    play.send("ann", "PRESS TO F\nShall we?\nENDPRESS")
    yield play, next(each for each in play.letters() if each.kind == "press")
    play.storage.close()


@given(text=mails, answers=st.booleans(), who=st.sampled_from(["cleo", "zoe"]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_line_vanishes(
    running: tuple[Play, Received], text: str, answers: bool, who: str
) -> None:
    play, letter = running
    contexts: list[MessageContext] = []
    with pytest.MonkeyPatch.context() as patch:
        real = Judge._settle

        def settle(judge: Judge, context: MessageContext) -> None:
            contexts.append(context)
            real(judge, context)

        patch.setattr(Judge, "_settle", settle)
        mail_id = play.mail(who, text, answers=letter if answers and who == "cleo" else None)
        play.judge.process_message(mail_id)
    letters = play.letters()
    mail = play.storage.inbound.find(mail_id)
    assert mail is not None
    assert mail.state in ("done", "asked"), mail.problem
    if mail.state == "asked":
        return
    (context,) = contexts
    sheet = context.report.sheet
    covered = {row for each in sheet.fated for row in each.line.rows}
    left = [row for row, each in enumerate(sheet.rows) if each.strip() and row not in covered]
    assert left == []
    # Above it may stand what was typed into a quote.
    assert "".join("".join(sheet.rows).split()).endswith("".join(context.incoming.text.split()))
    replies = [each.text for each in letters if each.to.startswith(who) and each.kind == "reply"]
    press = "\n".join(each.text for each in letters if each.kind == "press")
    for each in sheet.fated:
        _check(each, press, "\n".join(replies), brief=len(sheet.rows) < 8 and bool(replies))
    if replies and (untold := list(sheet.untold())):
        assert "nobody received" in " ".join(replies[0].split())
        assert len(untold) > 8 or all(each.split()[0] in replies[0] for each in untold)
    for reply in replies:
        assert bool(undone(sheet)) == (reply.splitlines()[0].endswith("not done."))
        assert _EMPTY_QUOTE.search(reply) is None


_EMPTY_QUOTE = re.compile(r"“\s*”|\"\s*\"|^ *>\s*$", re.MULTILINE)


def _check(fated: Fated, press: str, reply: str, *, brief: bool) -> None:
    """What went out as press is said to, and nothing else did; what nothing was done with is said
    in a reply to a `brief` mail."""
    marks = [word for word in fated.line.text.split() if word.startswith("zq")]
    for mark in marks:
        assert (mark in press) == (fated.fate is Fate.SENT)
        # What is many lines, or long, is told in part.
        if fated.fate is Fate.NOTHING and brief and len(fated.line.text) < 100:
            assert mark in reply, fated
    if fated.fate is Fate.GREETING:
        assert not marks


@pytest.mark.parametrize("head", ["STATEMENT", "OFFICIAL news"])
def test_lines_below_what_was_refused_are_told(running: tuple[Play, Received], head: str) -> None:
    play, _ = running
    told = play.send("cleo", f"{head}\nzebras cross the street").text
    assert "zebras cross the street" in told


def test_the_answer_begins_with_how_many_lines_were_not_done(play: Play) -> None:
    play.start()
    answer = play.send(
        "cleo",
        "A Par - Bur\nA Mar - Spa\nF Bre - Mao\nF Bre - Mos\nEurope says Munich is weak\n"
        "Good luck everyone",
    )
    head, _, rest = answer.text.partition("\n")
    assert head == "[!] 3 lines were not done."
    assert "> Good luck everyone" in rest, "what is told is counted"
    assert rest.startswith("[+]")
    assert rest.index("> F Bre - Mos") < rest.index("> Europe") < rest.index("A par - bur")
    page = answer.contents("text/html")[0].partition("<h1")[2]
    assert page.index("3 lines were not done.") < page.index("all orders are in")
    assert page.count("lines were not done") == 1


@pytest.mark.parametrize("beside", ["A Mar S A Par - Gas", "F Bre - Mos", "SET WAIT", "zebras"])
def test_an_order_that_says_all_by_itself_is_told_once(play: Play, beside: str) -> None:
    play.start()
    answer = play.ask("cleo", f"A Par - Bur\n{beside}")
    assert answer.text.count("Army Paris moves to Burgundy") == 1
    again = play.ask("cleo", "A Par - Pic\nA Par - Bur")
    assert again.text.count("Army Paris moves to Burgundy") == 2
    assert "takes the place" in again.text


def test_words_left_over_of_an_order_are_said(play: Play) -> None:
    play.start()
    said = play.send("cleo", "A Par - Bur k\nPHASE F1901M\nA Mar H k").text
    assert "Army Paris moves to Burgundy. I left out: k" in said
    assert "I left out: k" in said
