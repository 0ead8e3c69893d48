"""BLOCK, MUTE, and REPORT: people are left in peace, and nobody learns who wanted it."""

from __future__ import annotations

import pytest

from judge.ops.forgetting import forget
from judge.ops.hints import hints
from judge.tournaments.standings import FORMS, pair
from tests.game.play import KEEPER, Play
from tests.tournaments.test_seats import paris

CUP = list(range(1, 15))


@pytest.fixture
def met(play: Play) -> Play:
    """Ann and bob have met in a game, and zoe makes another one that takes seven."""
    play.start()
    play.send("zoe", "CREATE ?rome standard, PUBLIC")
    return play


def names_in(play: Play, name: str) -> set[str]:
    game = play.storage.games.by_name(name)
    assert game is not None
    return {
        person.name
        for seat in play.storage.seats.of_game(game.id)
        if (person := play.storage.people.find(seat.person_id or 0)) is not None
    }


@pytest.mark.parametrize(("blocks", "other"), [("ann", "bob"), ("bob", "ann")])
@pytest.mark.parametrize("line", ["BLOCK {}@people.example", "BLOCK {}"])
def test_those_at_odds_come_into_no_game_together(
    met: Play, blocks: str, other: str, line: str
) -> None:
    met.send(blocks, line.format(other.capitalize() if "@" not in line else other))
    met.send("bob", "JOIN rome")
    refusal = met.send("ann", "JOIN rome").text
    assert names_in(met, "rome") == {"Zoe", "Bob"}
    assert "UNBLOCK" not in refusal
    # What the judge chooses is another one.
    met.send("ann", "JOIN")
    assert names_in(met, "rome") == {"Zoe", "Bob"}


def test_the_refusal_is_that_of_the_masters_list(met: Play) -> None:
    met.send("zoe", "CREATE ?oslo standard, PUBLIC, DENY PLAYER ann@people.example")
    by_master = met.send("ann", "JOIN oslo").text
    met.send("bob", "BLOCK ann@people.example\nJOIN rome")
    assert met.send("ann", "JOIN rome").text == by_master.replace("oslo", "rome")


def test_unblock_ends_it(met: Play) -> None:
    met.send("bob", "BLOCK ann@people.example")
    assert "Ann" in met.send("bob", "BLOCK").text
    met.send("bob", "UNBLOCK Ann")
    met.send("bob", "JOIN rome")
    met.send("ann", "JOIN rome")
    assert {"Ann", "Bob"} <= names_in(met, "rome")


def test_a_game_that_hides_its_people_betrays_nobody(met: Play) -> None:
    met.send("zoe", "CREATE ?oslo standard, PUBLIC, GUNBOAT")
    met.send("bob", "JOIN oslo")
    met.send("ann", "BLOCK bob@people.example")
    met.send("ann", "JOIN oslo")
    assert {"Ann", "Bob"} <= names_in(met, "oslo")


def test_nobody_is_found_whom_one_may_not_know(play: Play) -> None:
    play.start("GUNBOAT")
    play.send("zoe", "REGISTER")
    known = play.send("ann", "BLOCK bob@people.example").text
    assert known.replace("bob", "zoe") == play.send("ann", "BLOCK zoe@people.example").text
    assert known.replace("bob", "eve") == play.send("ann", "BLOCK eve@people.example").text
    assert "nobody" in play.send("ann", "BLOCK England").text


def test_an_open_power_is_not_for_them_either(met: Play) -> None:
    met.send("zoe", "RESIGN rome")
    met.send("lee@new.example", "JOIN rome")
    met.send("lee@new.example", "OBSERVE paris")
    met.send("bob", "BLOCK Lee")
    met.sure("max", "EJECT france")
    met.send("lee@new.example", "TAKE OVER france@paris")
    assert all(
        seat.power is None
        for seat in paris(met).seats
        if seat.person_id and paris(met).seats.person(seat).name == "Lee"
    )


@pytest.mark.parametrize("form", FORMS)
def test_a_tournament_seats_them_apart(form: str) -> None:
    rounds = [[CUP[:7], CUP[7:]]]
    for one, other in ((1, 2), (8, 14), (3, 9), (1, 13)):
        boards = pair(form, CUP, 7, rounds, {}, "seed", apart={(one, other)})
        assert sorted(who for board in boards for who in board) == CUP
        assert not any({one, other} <= set(board) for board in boards)


def test_a_top_board_does_so_too() -> None:
    boards = pair("seeded", CUP, 7, [], {}, "seed", top=True, apart={(1, 2)})
    assert not any({1, 2} <= set(board) for board in boards)


def test_who_is_forgotten_stands_on_no_list(met: Play) -> None:
    met.send("zoe", "SIGN ON mrome\nINVITE lee@new.example")
    met.send("lee@new.example", "JOIN rome")
    met.send("zoe", "BLOCK Lee")
    lee = met.storage.people.by_address("lee@new.example")
    zoe = met.storage.people.by_address("zoe@people.example")
    assert lee is not None
    assert zoe is not None
    assert zoe.options.blocked == (lee.id,)
    met.send("lee@new.example", "RESIGN rome")
    forget(met.storage, "lee@new.example", met.clock.now())
    zoe = met.storage.people.find(zoe.id)
    assert zoe is not None
    assert zoe.options.blocked is None


# MUTE


def press_to(play: Play, reader: str) -> list[str]:
    return [
        each.text
        for each in play.letters()
        if each.kind == "press" and each.to == f"{reader}@people.example"
    ]


def test_who_is_muted_is_not_read_and_does_not_know(play: Play) -> None:
    play.start()
    line = "PRESS TO A\nYou fool.\nENDPRESS\nBROADCAST\nAll fools.\nENDBROADCAST"
    before = play.send("bob", line).text
    play.letters()
    play.clock.advance(hours=1)
    told = play.send("ann", "MUTE England").text
    assert "England" in told
    assert not [each for each in play.letters() if each.to == "bob@people.example"]
    assert play.send("bob", line.replace("fool", "frog")).text == before.replace("fool", "frog")
    letters = play.letters()
    mine = [each for each in letters if each.kind == "press" and "ann" in each.to]
    others = [each for each in letters if each.kind == "press"]
    assert not mine
    assert len(others) == 6
    assert "frog" not in play.send("ann", "HISTORY paris").text
    play.send("ann", "UNMUTE England")
    play.clock.advance(hours=1)
    play.send("bob", line.replace("fool", "toad"))
    assert len(press_to(play, "ann")) == 2


def test_unsigned_press_comes_though_its_writer_is_muted(play: Play) -> None:
    play.start("WHITE/GREY")
    play.letters()
    play.send("ann", "MUTE England")
    play.send("bob", "PRESS GREY TO A\nPsst.\nENDPRESS")
    assert len(press_to(play, "ann")) == 1


def test_who_follows_is_heard(play: Play) -> None:
    play.start()
    play.send("ann", "MUTE England")
    play.sure("max", "EJECT england")
    play.send("lee@new.example", "TAKE OVER england@paris")
    play.letters()
    play.send("lee@new.example", "PRESS TO A\nHello.\nENDPRESS")
    assert len(press_to(play, "ann")) == 1


# REPORT


def reports(play: Play) -> dict[str, str]:
    return {each.to: each.text for each in play.letters() if each.kind == "reported"}


def test_the_master_reads_what_was_written_and_nobody_else(play: Play) -> None:
    play.start()
    play.send("bob", "PRESS TO A\nI know where you live.\nENDPRESS")
    play.send("bob", "PRESS TO F\nNice weather.\nENDPRESS")
    play.send("ann", "MUTE England")
    play.letters()
    play.send("ann", "REPORT England\nHe threatens me.\nEND\nSTATUS")
    found = reports(play)
    assert set(found) == {"max@people.example"}
    text = found["max@people.example"]
    assert "I know where you live." in text
    assert "He threatens me." in text
    assert "Nice weather" not in text
    assert "report" not in play.send("bob", "AUDIT paris").text.lower()


def test_the_keeper_reads_what_is_about_the_master(play: Play) -> None:
    play.start()
    play.send("max", "SIGN ON mparis\nPRESS TO A\nPay me.\nENDPRESS")
    (letter,) = [each for each in play.letters() if each.kind == "press"]
    play.send("ann", "REPORT\nHe wants money.\nEND", answers=letter)
    found = reports(play)
    assert set(found) == {KEEPER}
    assert "Pay me." in found[KEEPER]


def test_a_report_names_nobody_who_writes_unsigned(play: Play) -> None:
    play.start("GUNBOAT, GREY")
    play.letters()
    play.send("bob", "PRESS GREY TO A\nBoo.\nENDPRESS")
    (letter,) = [each for each in play.letters() if each.to == "ann@people.example"]
    answer = play.send("ann", "REPORT\nNot nice.\nEND", answers=letter)
    assert "England" not in answer.text
    assert "Bob" not in answer.text
    assert "Boo." in reports(play)["max@people.example"]


def test_a_keeper_who_is_in_the_game_reads_neither_press_nor_who_wrote_it(play: Play) -> None:
    play.start("GREY")
    play.send(KEEPER, "OBSERVE paris")
    play.letters()
    play.send("max", "SIGN ON mparis\nPRESS GREY TO A\nBoo.\nENDPRESS")
    letter = next(each for each in play.letters() if each.to == "ann@people.example")
    play.send("ann", "REPORT\nNot nice.\nEND", answers=letter)
    text = reports(play)[KEEPER]
    assert "Not nice." in text
    assert "Boo." not in text
    assert "Max" not in text
    assert "master" not in text.lower()


def test_five_a_day_are_enough(play: Play) -> None:
    play.start()
    for _ in range(6):
        play.send("ann", "REPORT England\nAgain.\nEND")
        play.clock.advance(minutes=5)
    assert len([each for each in play.letters() if each.kind == "reported"]) == 5


# Hints for the keeper that two people are one


def test_people_who_share_a_way_of_their_own_are_named(play: Play) -> None:
    play.start()
    people = play.storage.people
    with play.storage.transaction():
        for who in ("ann", "bob", "cleo", "dora", "emil"):
            people.remember(f"{who}@people.example", "everybody's")
        for who in ("ann", "dora"):
            people.remember(f"{who}@people.example", "theirs")
    own = [set(each.names) for each in hints(play.storage) if each.ways]
    assert own == [{"Ann", "Dora"}]


def test_one_mailbox_is_named_however_it_is_written(play: Play) -> None:
    play.start()
    play.send("ann+two@people.example", "REGISTER")
    assert not [each for each in hints(play.storage) if each.mailbox]
    (found,) = [each for each in hints(play.storage, together=False) if each.mailbox]
    assert set(found.addresses[0] + found.addresses[1]) == {
        "ann@people.example",
        "ann+two@people.example",
    }


def test_who_is_forgotten_gives_no_hint(play: Play) -> None:
    play.send("ann+two@people.example", "REGISTER")
    play.send("ann", "REGISTER")
    assert any(each.mailbox for each in hints(play.storage, together=False))
    forget(play.storage, "ann+two@people.example", play.clock.now())
    assert not any(each.mailbox for each in hints(play.storage, together=False))


@pytest.mark.parametrize("word", ["RATING", "Ratings", "LEADERBOARD"])
def test_words_of_other_sites_say_what_there_is(play: Play, word: str) -> None:
    play.send("ann", "REGISTER")
    assert "ratings follow from the archive" in " ".join(play.send("ann", word).text.split())
