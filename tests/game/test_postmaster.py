"""What somebody writes to the postmaster reaches the keeper, and no robot of theirs makes more."""

from __future__ import annotations

from msgspec.structs import replace

from judge.limits import BOUNDS
from judge.storage import InboundState
from tests.game.play import KEEPER, Play

POSTMASTER = "postmaster@judge.example"
ABUSE = (
    b"From: abuse@big.example\r\nTo: postmaster@judge.example\r\nSubject: Your server\r\n"
    b"Message-ID: <%d@big.example>\r\n\r\nPlease look at it.\r\nJOIN\r\n"
)


def test_the_keeper_gets_it_and_its_sender_no_answer(play: Play) -> None:
    mail = play.raw(ABUSE % 1, "abuse@big.example", [POSTMASTER])
    (letter,) = play.run()
    assert letter.to == KEEPER
    assert letter.told == "kind=keeper"
    for each in ("abuse@big.example", "Your server", "Please look at it."):
        assert each in letter.text
    done = play.storage.inbound.find(mail)
    assert done is not None
    assert done.state is InboundState.DONE
    # What came to the judge as well is for the judge.
    play.raw(
        ABUSE.replace(b"abuse", b"zoe") % 2, "zoe@big.example", [POSTMASTER, "judge@judge.example"]
    )
    assert [each.to for each in play.run()] == ["zoe@big.example"]


def test_a_flood_of_them_is_held(play: Play) -> None:
    for number in range(BOUNDS.sent_on + 3):
        play.raw(ABUSE % number, "abuse@big.example", [POSTMASTER])
    assert [each.to for each in play.run()] == [KEEPER] * BOUNDS.sent_on
    assert len(play.storage.inbound.held()) == 3


def test_without_a_keeper_it_is_held(play: Play) -> None:
    play.judge.profile = replace(play.judge.profile, keeper=None)
    play.raw(ABUSE % 1, "abuse@big.example", [POSTMASTER])
    assert play.run() == []
    assert len(play.storage.inbound.held()) == 1


def test_a_keeper_who_is_the_postmaster_gets_his_mail_elsewhere(play: Play) -> None:
    assert play.judge.profile.postmaster == POSTMASTER
    assert replace(play.judge.profile, keeper=POSTMASTER).postmaster is None
