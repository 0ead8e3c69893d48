"""People can have what is known of them, and be forgotten; old texts are thrown away."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest

from judge import config
from judge.daemon import Daemon
from judge.mail.quotes import packed
from judge.ops.alarms import Watch
from judge.ops.forgetting import PlaysStill, forget
from judge.ops.replay import replay
from judge.storage import OutboundState, Person, Storage
from tests.clocks import ManualClock
from tests.game.play import ADDRESS, Play
from tests.mail.waiting import until

ANN = "ann@people.example"


def everything(storage: Storage) -> str:
    """All bytes of all tables, as text."""
    found = []
    read = storage._engine.database.execute_sql
    for (name,) in read("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        for row in read(f'SELECT * FROM "{name}"').fetchall():
            found += [
                value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
                for value in row
            ]
    return "\n".join(found)


def test_who_plays_still_is_not_forgotten(played: Play) -> None:
    with pytest.raises(PlaysStill, match="paris"):
        forget(played.storage, ANN, played.clock.now())
    assert ANN in everything(played.storage)


def test_nobody_is_nobody(played: Play) -> None:
    with pytest.raises(LookupError, match="nobody has"):
        forget(played.storage, "eve@evil.example", played.clock.now())


def test_who_is_forgotten_stands_nowhere_and_the_games_stay(played: Play) -> None:
    played.send("ann", "REGISTER\nname: Annabella Lee\ncountry: Utopia\nEND")
    played.send("ann", "DIARY\nI am clever.\nENDDIARY")
    played.judge.work()
    played.sure("ann", "RESIGN")
    played.judge.work()
    played.deliver()
    before = everything(played.storage)
    assert "Annabella" in before
    forget(played.storage, ANN, played.clock.now())
    found = played.storage
    # What others were told stays theirs.
    others = [
        letter.raw.decode("utf-8", "replace")
        for number in range(1, 200)
        if (letter := found.outbound.find(number)) is not None and letter.raw
    ]
    left = everything(found)
    for text in others:
        left = left.replace(text, "")
    for word in (ANN, "Annabella", "Utopia", "I am clever"):
        assert word not in left, word
    assert [each.faults for each in replay(found)] == [()]
    assert [event.what for event in found.events.last(1)] == ["forgotten"]
    # He can come back, as somebody new.
    assert played.send("ann", "STATUS").to == ANN
    assert played.storage.people.by_address(ANN) is None
    assert played.storage.inbound.held() == []
    played.send("bob", "LIST paris")
    played.send("bob", "STATUS")
    assert played.storage.inbound.held() == []


def test_old_texts_are_thrown_away_and_young_ones_not(played: Play) -> None:
    played.deliver()
    played.clock.advance(days=30)
    played.send("bob", "STATUS")
    played.deliver()
    storage = played.storage
    before = played.clock.now() - timedelta(days=10)
    assert storage.erasure.mails(before) + storage.erasure.letters(before, packed) > 10
    assert storage.erasure.mails(before) + storage.erasure.letters(before, packed) == 0
    first = storage.outbound.find(1)
    assert first is not None
    assert first.raw == b""
    newest = max(n for n in range(1, 200) if storage.inbound.find(n))
    mail = storage.inbound.find(newest)
    assert mail is not None
    assert b"STATUS" in mail.raw
    assert [each.faults for each in replay(storage)] == [()]
    # Answers to letters whose texts are gone are known by their addresses still.
    assert played.answer("ann", "STATUS").kind == "reply"


@pytest.mark.parametrize(
    ("days", "text", "kept"),
    [(89, "", True), (91, "", False), (91, "letters = 0", True), (91, "days = 100", False)],
)
def test_letters_that_were_delivered_leave_a_running_judge_after_90_days(
    played: Play, tmp_path: Path, days: int, text: str, kept: bool
) -> None:
    played.deliver()
    newest = next(each for each in range(300, 0, -1) if played.storage.outbound.find(each))
    file = tmp_path / "judge.toml"
    file.write_text(
        f'[judge]\naddress = "{ADDRESS}"\n[database]\nurl = "sqlite:{played.file}"\n'
        f"[smtp]\nport = 0\n[retention]\n{text}\n"
    )
    clock = ManualClock(played.clock.now() + timedelta(days=days))
    daemon, looks, look = Daemon(config.load(file), clock=clock), list[int](), Watch.look

    def counted(watch: Watch) -> None:
        look(watch)
        looks.append(1)

    def looked_again() -> bool:
        # It throws away behind the first look.
        daemon.wake("watch")
        return len(looks) > 1

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Watch, "look", counted)
        daemon.start()
        try:
            until(looked_again)
        finally:
            daemon.stop()
    letter = played.storage.outbound.find(newest)
    assert letter is not None
    assert bool(letter.raw) == kept
    assert played.storage.outbound.count(OutboundState.SENT)


def test_my_data_goes_to_oneself_once_a_day(played: Play) -> None:
    played.send("ann", "DIARY\nI am clever.\nENDDIARY")
    played.letters()
    said = played.send("ann", "MY DATA")
    assert "is on its way to ann@people.example" in said.text
    (letter,) = [each for each in played.letters() if each.kind == "data"]
    assert letter.to == ANN
    (file,) = [
        each for each in letter.message.iter_attachments() if each.get_filename() == "my-data.json"
    ]
    found = json.loads(file.get_content())
    assert found["person"]["addresses"][0]["address"] == ANN
    # All there is on file of them, under its own name but for these.
    inner = {"id", "created_at", "options"}
    assert {*Person.__struct_fields__} - inner <= {*found["person"]}
    assert found["parts"][0]["part"] == "Austria"
    assert found["parts"][0]["orders"]["F1901M"] == ["F alb - gre"]
    assert found["parts"][0]["diary"][0]["text"] == "I am clever."
    assert any("tri - alb" in (mail["message"] or "") for mail in found["mails"])
    text = json.dumps(found)
    for other in ("bob@people.example", "cleo@people.example", "Shall we"):
        assert other not in text
    assert "once a day" in " ".join(played.send("ann", "MY DATA").text.split())
    # Somebody who writes in her name gets nothing of it.
    played.clock.advance(days=2)
    played.letters()
    played.raw(
        b"From: ann@people.example\r\nReply-To: eve@evil.example\r\nMessage-ID: <e@evil>\r\n\r\n"
        b"MY DATA\r\n",
        "eve@evil.example",
    )
    played.judge.work()
    assert {each.to for each in played.letters() if each.kind == "data"} <= {ANN}


def test_who_is_unknown_has_no_data(play: Play) -> None:
    assert "I know nothing of you yet" in play.send("zoe", "MY DATA").text


def test_it_is_the_same_on_either_engine(played: Play, url: str) -> None:
    played.sure("ann", "RESIGN")
    played.judge.work()
    storage = Storage.open(url)
    try:
        played.storage.copy_to(storage)
        forget(storage, ANN, played.clock.now())
        assert storage.people.by_address(ANN) is None
        letters = [storage.outbound.find(number) for number in range(1, 60)]
        assert ANN not in {each.recipient for each in letters if each is not None}
        assert all(ANN not in str((e.actor, e.facts)) for e in storage.events.last(1000))
        assert storage.erasure.mails(played.clock.now() + timedelta(days=1)) > 10
    finally:
        storage.close()
