"""Whatever people write: one reply, nothing lost, no line of a letter too long for a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from judge.commands import TABLE
from judge.limits import Limits
from judge.service import Judge
from tests.game.play import PEOPLE, REPLIES, Play

WORDS = (
    *("A", "F", "army", "par", "Bur", "mar", "spa/nc", "-", "->", "S", "C", "H", "via", "convoy"),
    *("B", "D", "R", "waive", "Paris", "London", "germany", "F1901R", "S1901M", "paris", "rome"),
    *("fparis", "?", "?rome", "to", "all", "but", "FG", "48H", "NEXT", "CLOCK", "20:00", "none"),
    *("please", "Thanks,", "//", ">", "--", ",", ";", ".", "(", "E[FG]", "*", "€", "\u2028", "\t"),
)

lines = st.one_of(
    st.lists(st.sampled_from(WORDS), max_size=7).map(" ".join),
    st.sampled_from([words for command in TABLE for words in command.words]),
    st.tuples(
        st.sampled_from([words for command in TABLE for words in command.words]),
        st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join),
    ).map(" ".join),
    st.text(max_size=30),
)
mails = st.lists(lines, max_size=12).map("\n".join)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Play:
    play = Play(tmp_path_factory.mktemp("any"))
    play.start()
    most = 10_000
    plenty = Limits(hour=most, stranger=most, strangers=most, nothing=most, questions=most)
    house = replace(play.judge.profile, limits=plenty)
    play.judge = Judge(play.storage, play.clock, house, TABLE)
    return play


@given(who=st.sampled_from([*PEOPLE, "max", "zoe"]), text=mails, subject=st.text(max_size=30))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_mail_gets_one_reply(running: Play, who: str, text: str, subject: str) -> None:
    clean = " ".join("".join(sign for sign in subject if sign.isprintable()).split())
    mail_id = running.mail(who, text, clean)
    running.judge.process_message(mail_id)
    mail = running.storage.inbound.find(mail_id)
    assert mail is not None
    assert mail.state in ("done", "asked"), mail.problem
    letters = running.letters()
    replies = [letter for letter in letters if letter.kind in REPLIES]
    assert [letter.to for letter in replies] == [f"{who}@people.example"]
    for letter in letters:
        assert letter.text.strip()
        assert "{{" not in letter.text
        assert "{%" not in letter.text


@pytest.fixture(autouse=True, scope="module")
def _closed(running: Play) -> object:
    yield
    running.storage.close()


def test_a_name_is_no_template(running: Play, tmp_path: Path) -> None:
    running.send("yan", "REGISTER\nName: Yan\nEND")
    answer = running.send("yan", "REGISTER\nName: {{ 7 * 7 }}{% raw %}\nEND")
    assert "{{ 7 * 7 }}{% raw %}" in answer.text
    running.letters()
