"""What the keeper of a judge does by mail, and that nobody else can."""

from __future__ import annotations

from datetime import time, timedelta

import pytest
from msgspec.structs import replace

from judge.commands import TABLE
from judge.service import Judge
from judge.storage import AddressState
from tests.game.play import KEEPER, Play, Received


@pytest.fixture
def kept(play: Play) -> Play:
    """A judge whose keeper answers letters, so that it is sure that it is he."""
    first = play.send(KEEPER, "HELD")
    assert first.kind == "reply"
    play.answering.add(KEEPER)
    return play


def flat(letter: Received) -> str:
    return " ".join(letter.text.split())


# Who he is


def test_a_mail_in_the_keepers_name_is_not_enough(play: Play) -> None:
    mail_id = play.mail(KEEPER, "BAN ann@people.example")
    play.judge.process_message(mail_id)
    (question,) = play.letters()
    assert (question.kind, question.to) == ("question", KEEPER)
    assert "does not let you join new games" not in flat(play.send("ann", "CREATE ?paris"))
    play.send(KEEPER, "YES", answers=question)
    play.run()
    assert "does not let you join new games" in flat(play.send("ann", "CREATE ?rome"))


def test_his_words_are_nobody_elses(kept: Play) -> None:
    kept.send("ann", "REGISTER")
    kept.send("bob", "REGISTER", name="Bob Roberts")
    for line in ("BAN bob@people.example", "HELD", "WHO IS bob@people.example", "DROP 1"):
        answer = flat(kept.send("ann", line))
        assert "Roberts" not in answer
        assert "No messages are held" not in answer
    assert kept.storage.keeper_settings.get("denied") is None
    assert "KEEPERS" not in kept.send("ann", "HELP commands").text
    assert "KEEPERS" in kept.send(KEEPER, "HELP commands").text


# Who comes in


def test_who_is_banned_comes_into_no_game_and_plays_on_in_his(kept: Play) -> None:
    kept.start()
    kept.send("zoe", "CREATE ?rome")
    assert "ann@people.example" in kept.send(KEEPER, "SET DENY PLAYER ann@people.example").text
    for line in ("JOIN rome", "CREATE ?athens"):
        refused = flat(kept.send("ann", line))
        assert "does not let you join new games" in refused
        assert KEEPER in refused
    assert kept.storage.games.by_name("athens") is None
    assert "A vie - tri" in kept.send("ann", "SIGN ON aparis\nA vie-tri").text
    kept.send(KEEPER, "SET DENY PLAYER -ann@people.example")
    assert "does not let you join new games" not in flat(kept.send("ann", "JOIN rome"))


def test_a_whole_domain_is_banned_and_only_a_club_let_in(kept: Play) -> None:
    kept.send("zoe", "CREATE ?rome")
    kept.send(KEEPER, "BAN *@people.example")
    assert "does not let you join new games" in flat(kept.send("bob", "JOIN rome"))
    kept.send(KEEPER, "UNBAN *@people.example\nSET ALLOW PLAYER *@club.example")
    assert "does not let you join new games" in flat(kept.send("dave", "JOIN rome"))
    assert "does not let you join new games" not in flat(kept.send("cy@club.example", "JOIN rome"))


def test_a_master_keeps_his_own_lists(kept: Play) -> None:
    kept.send(KEEPER, "CREATE ?rome\nSET DENY PLAYER ann@people.example")
    assert kept.storage.keeper_settings.get("denied") is None
    assert "You cannot play in rome" in flat(kept.send("ann", "JOIN rome"))


# Rules, and the message of the day


def test_house_rules_go_to_newcomers_and_into_help(kept: Play) -> None:
    kept.send(KEEPER, "SET HOUSE RULES\nOne person, one power.\nBe kind.\nEND\nHELD")
    rules = "One person, one power.\nBe kind.\n"
    assert rules in kept.send("ann", "REGISTER").text
    assert rules not in kept.send("ann", "LIST").text
    assert rules in kept.send("ann", "HELP house").text
    assert rules in kept.send("ann", "GET rules").text
    kept.send(KEEPER, "SET NO HOUSE RULES")
    assert "no house rules" in flat(kept.send("ann", "HELP house"))


def test_the_message_of_the_day_is_shown_once_until_it_changes(kept: Play) -> None:
    kept.send("ann", "REGISTER")
    both = kept.send(KEEPER, "MOTD We move on Sunday, all of us.\nHELD").text
    assert "No messages are held" in both
    message = "We move on Sunday, all of us."
    assert message in kept.send("ann", "LIST").text
    assert message not in kept.send("ann", "LIST").text
    assert message in kept.send("bob", "REGISTER").text
    kept.send(KEEPER, "SET MOTD BEGIN\nWe have moved.\nDone.\nEND")
    assert "We have moved.\nDone.\n" in kept.send("ann", "LIST").text
    kept.send(KEEPER, "NO MOTD")
    assert "Done." not in kept.send("bob", "LIST").text


# Games


def test_he_is_shown_private_games(kept: Play) -> None:
    kept.send("zoe", "CREATE ?rome, PRIVATE")
    assert "rome" not in kept.send("bob", "LIST ALL").text
    assert "rome" in kept.send(KEEPER, "LIST ALL").text


def test_he_acts_as_the_master_of_any_game_and_the_log_says_so(kept: Play) -> None:
    kept.start()
    answer = kept.send(KEEPER, "SIGN ON mparis\nSET MOVE NEXT 48H\nPROCESS S1901M")
    assert "act as the game master of paris" in flat(answer)
    letters = kept.run()
    assert {letter.to for letter in letters if letter.kind == "results"} >= {"ann@people.example"}
    assert {letter.to for letter in letters if letter.kind == "settings"} >= {"max@people.example"}
    game = kept.storage.games.by_name("paris")
    assert game is not None
    assert game.phase == "F1901M"
    log = flat(kept.send("ann", "AUDIT paris"))
    assert "the keeper of the judge: ran S1901M by hand" in log
    assert KEEPER not in log


def test_he_pauses_a_game_without_a_master(kept: Play) -> None:
    kept.start("UNMODERATED")
    kept.send(KEEPER, "SIGN ON mparis\nPAUSE")
    game = kept.storage.games.by_name("paris")
    assert game is not None
    assert game.state == "paused"
    kept.sure(KEEPER, "SIGN ON mparis\nTERMINATE paris")
    game = kept.storage.games.by_name("paris")
    assert game is not None
    assert game.state == "ended"


def test_a_preview_is_for_nobody_else(kept: Play) -> None:
    kept.start("UNMODERATED")
    kept.letters()
    answer = flat(kept.send(KEEPER, "SIGN ON mparis\nPREDICT\nAUDIT paris"))
    assert "to the keeper, in a separate message" in answer
    assert "looked at a preview of S1901M" in answer
    assert [letter.to for letter in kept.letters() if letter.kind == "preview"] == [KEEPER]
    (said,) = kept.judge.keep(["PREDICT"], "paris")
    assert "to the keeper, in a separate message" in said["text"]


def test_what_the_keeper_types_is_cleaned_too(kept: Play) -> None:
    kept.send("ann", "REGISTER")
    kept.judge.keep(["RENAME PLAYER ann@people.example Ann\u202e\x9b Lee"])
    person = kept.storage.people.by_address("ann@people.example")
    assert person is not None
    assert person.name == "Ann Lee"


def test_who_plays_in_a_game_does_not_run_it_as_keeper(kept: Play) -> None:
    kept.send("max", "CREATE ?paris")
    kept.send(KEEPER, "JOIN paris")
    refused = flat(kept.send(KEEPER, "SIGN ON mparis\nTERMINATE paris"))
    assert "players must not" in refused
    game = kept.storage.games.by_name("paris")
    assert game is not None
    assert game.state == "forming"


def test_he_has_no_part_in_the_games_he_runs(kept: Play) -> None:
    kept.start()
    refused = flat(kept.send(KEEPER, "SIGN ON mparis\nPRESS TO ALL\nHello\nENDPRESS\nRESIGN"))
    assert refused.count("have no seat in it") == 2
    assert "Notice" in flat(kept.send(KEEPER, "SIGN ON mparis\nOFFICIAL Notice\nHello\nEND"))
    officials = [letter for letter in kept.letters() if letter.kind == "official"]
    assert len(officials) == 8


# Mails that wait


def test_mails_are_looked_at_released_and_dropped(
    kept: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object) -> None:
        raise ValueError("a bug")

    with monkeypatch.context() as broken:
        broken.setattr("judge.service.reply", fail)
        held = [kept.mail(who, "REGISTER") for who in ("ann", "bob")]
        for mail_id in held:
            kept.judge.process_message(mail_id)
    listed = kept.send(KEEPER, "HELD").text
    assert listed.count("ValueError: a bug") == 2
    assert "REGISTER" in kept.send(KEEPER, f"HELD {held[0]}").text
    kept.sure(KEEPER, f"RELEASE {held[0]}\nDROP {held[1]}")
    kept.run()
    assert kept.storage.people.by_address("ann@people.example") is not None
    assert kept.storage.people.by_address("bob@people.example") is None
    assert "No messages are held" in kept.send(KEEPER, "HELD").text
    assert "is not waiting" in kept.send(KEEPER, f"RELEASE {held[1]}").text
    assert "no message 999" in kept.send(KEEPER, "HELD 999").text


# People


def test_he_looks_at_people_and_puts_two_together(kept: Play) -> None:
    kept.start()
    kept.send("ann@old.example", "CREATE ?rome", name="Ann Old")
    about = kept.send(KEEPER, "WHO IS ann@people.example").text
    assert "paris: Austria, active (active)" in about
    refused = kept.send(KEEPER, "MERGE bob@people.example INTO ann@people.example")
    assert "a part in paris" in flat(refused)
    both = kept.sure(KEEPER, "MERGE ann@old.example INTO ann@people.example").text
    assert "ann@old.example" in both
    assert "rome: master" in both
    (told,) = [letter for letter in kept.letters() if letter.kind == "account"]
    assert told.to == "ann@people.example"
    assert "ann@old.example" in told.text
    assert kept.send("ann@old.example", "LIST rome").kind == "reply"


def test_he_changes_names_and_addresses(kept: Play) -> None:
    kept.send("ann", "REGISTER")
    kept.send(KEEPER, "RENAME PLAYER ann@people.example Ann Lee")
    kept.send(KEEPER, "ADD ADDRESS lee@new.example FOR ann@people.example")
    person = kept.storage.people.by_address("lee@new.example")
    assert person is not None
    assert person.name == "Ann Lee"
    kept.sure(KEEPER, "REMOVE ADDRESS ann@people.example")
    assert kept.storage.people.by_address("ann@people.example") is None
    assert "only address" in flat(kept.send(KEEPER, "REMOVE ADDRESS lee@new.example"))
    assert "Nobody here has" in flat(kept.send(KEEPER, "WHO IS ann@people.example"))
    assert [letter.kind for letter in kept.letters()].count("account") == 3


# The letter of the day


@pytest.fixture
def told(kept: Play) -> Play:
    """A judge that writes to its keeper at eight every morning."""
    kept.judge.profile = replace(kept.judge.profile, digest=time(8))
    kept.run()
    kept.clock.advance(minutes=1)
    return kept


def digests(letters: list[Received]) -> list[Received]:
    return [letter for letter in letters if letter.kind == "digest"]


def next_morning(play: Play) -> list[Received]:
    now = play.clock.now()
    day = now.replace(hour=8, minute=0, second=0, microsecond=0)
    play.clock.set(day if day > now else day + timedelta(days=1))
    return digests(play.run())


def test_the_keeper_hears_once_a_day_what_happened(told: Play) -> None:
    told.send("ann", "REGISTER")
    told.send("zoe", "CREATE ?rome, PRIVATE")
    (letter,) = next_morning(told)
    assert letter.to == KEEPER
    assert "2 messages came in." in letter.text
    assert "ann@people.example" in letter.text
    assert "1 forming" in letter.text
    assert digests(told.run()) == []
    assert next_morning(told) == []


def test_what_waits_is_told_until_it_is_done(told: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> None:
        raise ValueError("a bug")

    with monkeypatch.context() as broken:
        broken.setattr("judge.service.reply", fail)
        mail_id = told.mail("ann", "REGISTER")
        told.judge.process_message(mail_id)
    for _ in range(2):
        (letter,) = next_morning(told)
        assert "1 message is held" in letter.text
    told.clock.advance(minutes=1)
    told.sure(KEEPER, f"DROP {mail_id}", answers=letter)
    (letter,) = next_morning(told)
    assert "held" not in letter.text
    assert next_morning(told) == []


def test_it_is_written_once_by_who_comes_first(told: Play) -> None:
    told.send("ann", "REGISTER")
    told.clock.advance(days=1)
    other = Judge(told.storage, told.clock, told.judge.profile, TABLE)
    other.tidy()
    told.judge.tidy()
    assert len(digests(told.letters())) == 1


def test_the_clock_wakes_the_judge_for_it(told: Play) -> None:
    due = told.judge.next_wake()
    assert due is not None
    assert (due.hour, due.minute) == (8, 0)
    told.send("ann", "REGISTER")
    assert len(digests(told.wake())) == 1
    again = told.judge.next_wake()
    assert again == due + timedelta(days=1)


def test_he_says_when_he_wants_it(told: Play) -> None:
    assert "the next one on" in flat(told.send(KEEPER, "SET REPORT 21:30 ALWAYS"))
    due = told.judge.next_wake()
    assert due is not None
    assert (due.hour, due.minute) == (21, 30)
    for _ in range(2):
        assert len(digests(told.wake())) == 1
    assert "no daily message" in flat(told.send(KEEPER, "SET NO REPORT"))
    assert told.judge.next_wake() is None
    assert "is not a time" in flat(told.send(KEEPER, "SET REPORT 25:00"))


def test_it_tells_no_orders_press_or_votes(told: Play) -> None:
    told.start()
    told.send("ann", "A vie-gal\nSET DRAW\nPRESS TO ENGLAND\nLet us be friends.\nENDPRESS")
    (letter,) = next_morning(told)
    for secret in ("gal", "Gal", "friends", "draw", "Austria"):
        assert secret not in letter.text
    assert "1 played" in letter.text


def test_who_is_not_reached_and_what_is_stuck_or_overdue_is_told(
    told: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object) -> None:
        raise ValueError("a bug")

    told.start()
    with told.storage.transaction():
        bob = told.storage.people.by_address("bob@people.example")
        assert bob is not None
        (address,) = told.storage.people.addresses(bob.id)
        address.state = AddressState.FAILING
        told.storage.people.save_address(address)
    paris = told.storage.games.by_name("paris")
    assert paris is not None
    monkeypatch.setattr("judge.game.phases.work", fail)
    told.clock.advance(days=30)
    with pytest.raises(ValueError, match="a bug"):
        told.judge.run_game(paris.id)
    told.judge.tidy()
    (letter,) = digests(told.letters())
    assert "Messages to Bob come back: bob@people.example." in flat(letter)
    assert "paris cannot go on" in flat(letter)
    assert "paris waits beyond the deadline of S1901M" in flat(letter)


def test_the_keeper_hears_nothing_of_computers_and_of_who_plays_them(told: Play) -> None:
    told.send("ann", "REGISTER")
    told.send("ann", "JOIN PRACTICE")
    for _ in range(40):
        for letter in next_morning(told):
            assert "come back" not in letter.text
            assert "beyond the deadline" not in letter.text
