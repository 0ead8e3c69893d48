"""What the machine lacks is no fault of a mail or a game: it is tried again, never held."""

from __future__ import annotations

import errno

import pytest
from jinja2 import TemplateNotFound

from judge.storage import InboundState, Lacking
from tests.game.play import Play

MISSING = [
    OSError(errno.EMFILE, "Too many open files"),
    FileNotFoundError(errno.ENOENT, "no such folder"),
    ImportError("libssl.so.3: cannot open shared object file"),
    TemplateNotFound("letters/reply.txt"),
]


@pytest.mark.parametrize("error", MISSING, ids=lambda each: type(each).__name__)
def test_a_mail_waits_for_what_is_missing(
    play: Play, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(*_: object) -> None:
        raise error

    mail_id = play.mail("zoe", "HELP")
    with monkeypatch.context() as broken:
        broken.setattr("judge.service.reply", fail)
        with pytest.raises(Lacking):
            play.judge.process_message(mail_id)
        assert play.letters() == []
    mail = play.storage.inbound.find(mail_id)
    assert mail is not None
    assert (mail.state, mail.attempts) == (InboundState.NEW, 0)
    assert [each.to for each in play.run()] == ["zoe@people.example"]


def test_a_game_waits_for_what_is_missing(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    play.start()
    play.letters()
    moment = play.judge.next_wake()
    assert moment is not None
    play.clock.set(moment)
    (game,) = play.judge.due()

    def fail(*_: object) -> None:
        raise MISSING[0]

    with monkeypatch.context() as broken:
        broken.setattr("judge.service.phases.work", fail)
        with pytest.raises(Lacking):
            play.judge.run_game(game)
    assert play.letters() == [], "the keeper is told by an alarm, if it lasts"
    assert play.judge.run_game(game)


def test_a_name_that_no_machine_takes_is_a_fault_of_the_mail(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENAMETOOLONG, "File name too long")

    monkeypatch.setattr("judge.service.reply", fail)
    mail_id = play.mail("zoe", "HELP")
    assert play.judge.process_message(mail_id)
    assert play.storage.inbound.held()[0].id == mail_id
