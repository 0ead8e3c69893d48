"""Two programs that answer by themselves, and do not say so, come to an end through the judge."""

from __future__ import annotations

import pytest

from tests.game.play import Play

BACK = "I am away until 3 August and shall read your message when I am back at my desk."


@pytest.mark.parametrize("numbered", [False, True])
def test_two_players_robots_stop_after_ten_mails(play: Play, numbered: bool) -> None:
    play.start()
    play.letters()
    play.send("bob", "PRESS TO France\nShall we ally?\nENDPRESS")
    robots = {"bob@people.example", "cleo@people.example"}
    written = 0
    for _ in range(200):
        letters = [each for each in play.run() if each.to in robots]
        if not letters:
            break
        for letter in letters:
            written += 1
            who = letter.to.partition("@")[0]
            said = f"{BACK}\nTicket {written}" if numbered else BACK
            play.mail(who, said, subject=f"Re: {letter.subject}", answers=letter)
        play.clock.advance(minutes=1)
    assert written <= 10
