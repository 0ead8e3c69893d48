"""What a list of mails tells of a player's letters, whose news they begin with, and how many come:
the letters of three years of the rulebook's sample game, as one player and the master get them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

import lxml.html
import pytest

from judge.demo import sample
from judge.storage import phase_root
from tests.game.play import PEOPLE, REPLIES, Play, Received
from tests.game.test_html_letters import html_of
from tests.game.test_service import paris

NAMES = dict(zip("AEFGIRT", PEOPLE, strict=True))
PREVIEW = re.compile(r'<div class="preview"[^>]*>(.*?)</div>', re.DOTALL)


@pytest.fixture(scope="module")
def letters(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Received]]:
    play = Play(tmp_path_factory.mktemp("inbox"))
    play.start("MOVE MIN 0, RETREAT MIN 0, ADJUST MIN 0")
    play.send("dora", "PRESS TO France\nShall we leave Burgundy empty?\nENDPRESS")
    play.send("ann", "BROADCAST\nGood luck to all.\nENDBROADCAST")
    play.send("cleo", "SET DRAW\nMAP")
    found: dict[str, list[Received]] = defaultdict(list)
    for each in [*sample.phases()][:6]:
        play.clock.advance(hours=145)
        play.run()
        for power, orders in each.orders.items():
            play.send(NAMES[power[0]], "\n".join(map(str, orders)))
        play.send("max", f"PROCESS {each.phase}")
        play.run()
    play.sure("max", f"TERMINATE {paris(play).game.name}")
    play.run()
    play._seen = 0
    for letter in play.letters():
        found[letter.to.partition("@")[0]].append(letter)
    play.storage.close()
    return found


def preview(letter: Received) -> str:
    """The first words, as lists of mails show them."""
    shown = PREVIEW.search(html_of(letter))
    assert shown is not None, letter.kind
    return shown[1]


def test_no_two_kinds_of_letter_share_sender_and_subject(
    letters: dict[str, list[Received]],
) -> None:
    for who, found in letters.items():
        kinds = defaultdict(set)
        for letter in found:
            kind = "answer" if letter.kind in REPLIES else letter.kind
            kinds[letter.sender, letter.subject.removeprefix("Re: ")].add(kind)
        assert {"answer", "results", "end"} <= set.union(*kinds.values())
        assert [each for each in kinds.items() if len(each[1]) > 1] == [], who


TASKS = re.compile(
    r"(\d of )?\d orders?|(Build|Remove|Retreat) .*|Nothing to do until .*|All orders are in"
    r"|You play .*"
)
"""What stands above a letter about orders."""


def test_the_heading_says_what_to_do(letters: dict[str, list[Received]]) -> None:
    told = 0
    for who in PEOPLE:
        # The answer to who writes for the first time is plain.
        for letter in [each for each in letters[who] if each.contents("text/html")]:
            heading = lxml.html.document_fromstring(html_of(letter)).findtext(".//h1")
            lacks = "NO ORDER YET" in letter.text
            if letter.kind in ("start", "results") or (letter.kind == "reply" and lacks):
                assert heading is not None
                assert TASKS.fullmatch(heading), (who, heading)
                told += 1
    assert told > 40


def test_nobody_is_asked_for_anything_before_the_phase_until_which_nothing_is_to_do(
    letters: dict[str, list[Received]],
) -> None:
    told = 0
    for who in PEOPLE:
        rest = ""
        for letter in (each for each in letters[who] if each.kind == "results"):
            task = letter.sender.partition(": ")[2]
            found = re.fullmatch("Nothing to do until (.*)", task)
            if rest and not found:
                assert letter.subject.endswith(rest), (who, task)
                told += 1
            rest = found[1] if found else ""
    assert told


def test_a_deadline_is_told_once_and_without_its_year(letters: dict[str, list[Received]]) -> None:
    for who, found in letters.items():
        for letter in found:
            if letter.kind not in ("start", "results", "reply"):
                continue
            deadline = re.search(r"(?:Due|Deadline:) ([^(]*\d\d:\d\d) \(UTC\)", letter.text)
            if deadline is None:
                continue
            assert not re.search(r"\b20\d\d\b", deadline[1])
            page = lxml.html.document_fromstring(PREVIEW.sub("", html_of(letter)))
            for said in (letter.text, page.text_content()):
                assert " ".join(said.split()).count(deadline[1]) == 1, (who, letter.subject)


def test_a_letter_that_tells_nothing_new_is_not_sent(letters: dict[str, list[Received]]) -> None:
    for who, found in letters.items():
        unasked = [each for each in found if each.kind not in (*REPLIES, "press")]
        texts = Counter(each.text for each in unasked)
        assert [text for text, count in texts.items() if count > 1] == []
        begun = [each.kind for each in found].index("start")
        assert "joined" not in [each.kind for each in found[begun:]], who
        once = Counter((each.kind, each.subject) for each in unasked)
        assert set(once.values()) == {1}, who


def test_what_is_owed_is_said_first_and_when_it_is_due(letters: dict[str, list[Received]]) -> None:
    wanting = [each for each in letters["cleo"] if each.kind in ("results", "reminder", "start")]
    assert {each.kind for each in wanting} == {"results", "start"}
    for letter in wanting:
        first = " ".join(letter.text.split())
        assert preview(letter)[:40] == first.replace("'", "&#39;")[:40]
        if "Nothing to do" not in letter.sender:
            assert re.search(r"\bDue \w{3} (\d+ \w{3}, )?\d\d:\d\d", first[:40]), first[:60]


def test_press_comes_under_the_name_of_its_power(letters: dict[str, list[Received]]) -> None:
    press = {each.told.partition(";")[0]: each for each in letters["cleo"] if each.kind == "press"}
    assert press["kind=press"].sender == "Germany (paris)"
    assert press["kind=broadcast"].sender == "Austria to all (paris)"
    assert preview(press["kind=press"]) == "Shall we leave Burgundy empty?"


def test_every_letter_says_to_programs_what_it_is(letters: dict[str, list[Received]]) -> None:
    pattern = re.compile(
        r"kind=(welcome|start|results|reminder|answer|press|broadcast|question|proposal|notice|end"
        r"|digest|keeper)(; game=paris)?(; phase=[SFW]\d{4}[MRA])?"
    )
    for letter in letters["cleo"] + letters["max"]:
        assert pattern.fullmatch(letter.told), letter.told
    ran = [each.told for each in letters["cleo"] if each.kind == "results"]
    assert ran[:2] == [f"kind=results; game=paris; phase={each}" for each in ("S1901M", "F1901M")]


def test_lost_centers_stand_in_the_news_of_their_owner(
    letters: dict[str, list[Received]],
) -> None:
    told = 0
    for who, owner in zip(PEOPLE, sorted(NAMES), strict=True):
        for letter in letters[who]:
            if letter.kind == "results":
                news = letter.text.split("\n\n")[1].split("\n")
                assert len(news) <= 4, (owner, news)
                told += any(line.startswith(("  Took: ", "  Lost: ")) for line in news)
    assert told >= 7


def test_the_end_and_each_phase_are_one_letter(letters: dict[str, list[Received]]) -> None:
    for who in ("cleo", "max"):
        told = Counter(each.told for each in letters[who])
        once = {each: count for each, count in told.items() if "results" in each or "end" in each}
        assert set(once.values()) == {1}, once
    joined = [each for each in letters["max"] if each.kind == "joined"]
    assert len(joined) == 1


def test_who_wants_it_has_one_thread_a_game(play: Play) -> None:
    start = play.start()["cleo"]
    thread = paris(play).game.thread
    assert thread is not None
    assert str(start.message["References"]) == phase_root(thread, "S1901M")
    play.send("cleo", "SET THREADS GAME")
    play.send("dora", "PRESS TO France\nShall we?\nENDPRESS")
    press = play.letters()[-2:]
    letter = next(each for each in press if each.kind == "press")
    assert (letter.subject, str(letter.message["References"])) == ("JUDGE:paris", thread)
    play.send("cleo", "SET THREADS PHASE")
    play.send("dora", "PRESS TO France\nWell?\nENDPRESS")
    letter = next(each for each in play.letters() if each.kind == "press")
    assert letter.subject == "JUDGE:paris - Spring 1901"


def test_a_reply_finds_its_game_by_the_root_of_a_phase(play: Play) -> None:
    play.start()
    play.send("cleo", "CREATE ?rome")
    root = phase_root(paris(play).game.thread, "S1901M")
    answer = play.send("cleo", "A par - bur", headers={"References": str(root)})
    assert "A par - bur" in answer.text
    assert "game=paris" in answer.told


def test_a_plain_answer_begins_with_what_was_asked(play: Play) -> None:
    play.start()
    assert play.send("max", "MAP paris").first.startswith("> MAP paris")
    assert play.send("cleo", "STATUS").first.startswith("[!] France: 3 orders of 3")


def test_the_same_orders_below_a_letter_that_lists_them_count_again(play: Play) -> None:
    play.start()
    orders = "A par - bur\nA mar S A par - bur\nF bre H"
    blocked = "A mun - bur\nA ruh H"
    play.send("cleo", orders)
    play.send("dora", blocked)
    play.send("max", "PROCESS S1901M")
    letter = next(
        each for each in play.run() if each.kind == "results" and each.to.startswith("cleo")
    )
    again = "F bre H\nA mar S A par - bur\nA par - bur"
    quoted = "\n".join(f"> {line}" for line in letter.text.splitlines())
    mail = f"On Mon, {letter.sender} wrote:\n{quoted}\n\nF bre - mid\nA mar - spa\nA bur - mun"
    first = play.send("cleo", mail, answers=letter)
    assert "3 orders of 3" not in first.text
    mail = f"On Mon, {letter.sender} wrote:\n{quoted}\n\n{again}"
    second = play.send("cleo", mail, answers=letter)
    for line in ("F bre H", "A mar S A par - bur", "A par - bur"):
        assert f"> {line}" in second.text, line


def test_buttons_that_fill_a_phone_stand_below_the_board(
    letters: dict[str, list[Received]],
) -> None:
    found = defaultdict(set)
    for letter in (each for who in PEOPLE for each in letters[who] if each.kind == "results"):
        page = html_of(letter)
        chips = [
            match.start() for match in re.finditer(r'class="chip( many)?"[^>]*>(?!SET )', page)
        ]
        if chips and 'class="board"' in page:
            found['"chip many"' in page].add(page.index('class="board"') < chips[0])
    assert found == {True: {True}, False: {False}}
