"""BLOCK, MUTE, and REPORT: people are left in peace, and nobody learns who wanted it."""

from __future__ import annotations

import pytest

from judge.ops.forgetting import forget
from judge.tournaments.standings import FORMS, pair
from tests.game.play import Play
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
        if seat.person_id and paris(met).person(seat).name == "Lee"
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
