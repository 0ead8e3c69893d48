"""Nobody learns by mail what is not his: orders not yet run, waits, votes, addresses."""

from __future__ import annotations

import re
from urllib.parse import unquote

import pytest

from judge.game.state import State
from tests.game.play import ADDRESS, KEEPER, PEOPLE, Play, Received

POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
ORDERS = {
    "ann": "A Vie - Gal\nA Bud - Rum\nF Tri - Alb",
    "bob": "F Lon - Nth\nF Edi - Nrg\nA Lvp - Wal",
    "cleo": "A Par - Gas\nA Mar - Pie\nF Bre - Pic",
    "dora": "A Ber - Sil\nA Mun - Ruh\nF Kie - Bal",
    "emil": "A Rom - Tus\nA Ven - Tyr\nF Nap - Ion",
    "finn": "A Mos - Ukr\nA War - Lvn\nF Sev - Arm\nF StP - Bot",
    "gwen": "A Con - Bul\nA Smy - Syr\nF Ank - Bla",
}


def secrets_of(who: str) -> list[str]:
    """What only `who` may read before the phase has run, as letters would print it."""
    return [line.lower() for line in ORDERS[who].splitlines()]


def check(letters: list[Received]) -> None:
    """No letter holds another one's orders or address."""
    for letter in letters:
        reader = letter.to.partition("@")[0]
        # Links to the judge hold its address as they must.
        raw = unquote(letter.raw.decode().replace("=\r\n", ""))
        own = {letter.to, ADDRESS, KEEPER}
        addresses = set(re.findall(r"[\w.+]+@(?:people|judge)\.example", raw))
        ids = set(re.findall(r"<([^>]+@[^>]+)>", raw))
        ours = {each for each in addresses if re.fullmatch(r"judge\+[a-z2-7]+@judge.example", each)}
        assert addresses - own - ids - ours == set(), (letter.to, letter.subject)
        for who in PEOPLE:
            if who != reader:
                for secret in secrets_of(who):
                    assert secret not in letter.text.lower(), (letter.to, secret)


def test_before_a_phase_has_run_nobody_reads_anybodys_orders_or_address(play: Play) -> None:
    starts = play.start()
    play.send("zoe", "OBSERVE paris")
    for who, orders in ORDERS.items():
        play.send(who, f"{orders}\nSET WAIT, DRAW\nBROADCAST\nPeace!", answers=starts[who])
    for who in (*PEOPLE, "max", "zoe"):
        play.send(
            who, "STATUS\nLIST paris\nHISTORY\nSUMMARY\nWHO GAME\nSIGN ON fparis\nSTATUS\nHELP"
        )
    state = State(play.storage, play.storage.games.by_name("paris"))  # type: ignore[arg-type]
    assert all(state.sheets.of(power).complete for power in POWERS)
    check(play.letters())


def test_who_waits_and_who_votes_is_not_told(play: Play) -> None:
    play.start()
    others = (*PEOPLE[:2], *PEOPLE[3:])
    before = {who: play.send(who, "STATUS\nLIST paris\nSUMMARY").text for who in others}
    play.send("cleo", "A Par H\nSET WAIT\nSET DRAW\nSET CONCEDE R")
    for who in others:
        assert play.send(who, "STATUS\nLIST paris\nSUMMARY").text == before[who]


def test_a_master_sees_how_far_everybody_is_but_no_orders(play: Play) -> None:
    play.start()
    play.send("cleo", "A Par - Gas\nSET WAIT")
    text = play.send("max", "STATUS").text
    assert "France: 2 orders missing, waits" in text
    assert "par - gas" not in text.lower()


@pytest.mark.parametrize("line", ["A Ber - Sil", "G: A Ber - Sil", "Germany A Ber - Sil"])
def test_a_refusal_says_nothing_of_what_is_on_file_elsewhere(play: Play, line: str) -> None:
    play.start()
    play.send("dora", ORDERS["dora"])
    text = play.send("cleo", line).text
    refused = text[text.index("COULD NOT USE") :].replace(line, "").lower()
    assert "a ber - sil" not in refused
    assert "silesia" not in refused


def test_a_held_mail_is_shown_to_the_keeper_only(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    from judge import service

    def fail(context: object) -> None:
        raise ValueError("A Par - Gas")

    play.start()
    play.letters()
    monkeypatch.setattr(service, "reply", fail)
    play.judge.process_message(play.mail("cleo", "A Par - Gas"))
    letters = {letter.to: letter for letter in play.letters()}
    assert set(letters) == {"cleo@people.example", KEEPER}
    assert "Gas" not in letters["cleo@people.example"].text
