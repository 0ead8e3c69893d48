"""What one of two houses does reaches nobody in the other: not by a letter, not by a page."""

from __future__ import annotations

import re
from datetime import time
from pathlib import Path

import pytest

from judge.game.people.reliability import of_person
from judge.game.state import State
from judge.game.visibility.eyes import Eyes
from judge.game.visibility.identity import knows_all
from judge.game.visibility.readable_press import readable
from judge.mail.address import addressed
from judge.service import Judge
from judge.site import Site
from judge.storage import Game, PersonOptions, Reliability, ReliabilityEntry
from tests.game.houses import CLUB, Town
from tests.game.play import ADDRESS, KEEPER, Received

SEVEN = [f"{name}@clubhouse.example" for name in ["ada", "ben", "cyd", "dan", "eva", "fay", "gus"]]

_MADE = re.compile(
    r"[a-z2-7]{25}|=\n|(?:boundary=|==)\S+|[0-9a-f]{32,64}|\b\d{6}\b|:\d+</id>|(?<=players/)\d+"
)
"""Tokens, and what is made of ids."""


def fill(town: Town) -> None:
    """Let much happen in the main house, under the names that the club uses and under others."""

    def write(who: str, line: str, name: str | None = None) -> None:
        town.ask(who, line, name=name, to=town.reply_to(who, town.main))

    zebulon = "zebulon@quarry.example"
    town.ask(zebulon, "REGISTER\nName: Zebulon Quarry\nEND\nCREATE ?xanadu standard")
    write(zebulon, "SET LIST")
    town.ask(SEVEN[0], "CREATE ?paris blind", name="Ada Quarry")
    write(SEVEN[0], "SET LIST")
    for who in (*SEVEN[:2], "rosebud@quarry.example"):
        town.ask(who, "JOIN xanadu\nSET STANDIN\nSET KNOWN", name="Rosebud")
    town.ask("rosebud@quarry.example", "JOIN blind")
    town.ask("rosebud@quarry.example", "JOIN PRACTICE")
    town.ask(zebulon, "CREATE TOURNAMENT grandprix")
    town.ask(KEEPER, "REGISTER")
    write(KEEPER, "MOTD\nxanadu is on.\nEND\nHOUSE RULES\nquarry rules.\nEND\nDENY ben@*")
    town.run()


def play_in_club(town: Town) -> list[Received]:
    """Let the club play, ask what there is, and make mistakes; every letter of the club."""
    town.number_from(1000)
    ask, ada, stranger = town.ask, SEVEN[0], "newcomer@elsewhere.example"
    for who in SEVEN:
        ask(who, f"REGISTER\nName: {who[:3]}\nEND\nLIST", to=CLUB)
    for line in (
        "LIST ALL", "INFO PLAYER zebulon@quarry.example", "WHO GAME xanadu", "MAP xanadu",
        "JOIN xanadu", "BLOCK zebulon@quarry.example", "SIGN ON xanadu", "HISTORY OF ME", "RULES",
        "LIST TOURNAMENTS", "JOIN TOURNAMENT grandprix", "SUMMARY xanadu", "GET DEDICATION",
        "MY DATA", "VERSION", "Hello, is anybody here?", "JOIN PRACTICE", "I AM ALSO x@y.example",
    ):  # fmt: skip
        ask(ada, line, to=CLUB)
    ask(stranger, "Hello, can I play?", to=CLUB)
    ask(SEVEN[1], "CREATE ?paris standard", to=CLUB)
    ask(SEVEN[1], "SET LIST", to=town.reply_to(SEVEN[1], town.club))
    ask(stranger, "What is there?\nLIST", to=CLUB)
    for who in SEVEN:
        ask(who, "JOIN paris", to=town.reply_to(who, town.club))
    town.run()
    ask(SEVEN[2], "BROADCAST\nHello all of you.\nENDPRESS", to=town.reply_to(SEVEN[2], town.club))
    for _ in range(9):
        town.clock.advance(days=1)
        town.run()
    return town.letters_of(town.club)


def plain(letter: Received) -> str:
    """A letter without what is made of ids and of chance."""
    parts = [f"{name}: {value}" for name, value in letter.headers]
    parts += [*letter.contents("text/plain"), *letter.contents("text/html")]
    return _MADE.sub("#", "\n".join(parts))


@pytest.fixture(scope="module")
def two_worlds(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Town, list[Received]]]:
    """A town whose main house is empty, and one where much is going on there, each with the letters
    of a club that has played."""
    towns = []
    for name in ("quiet", "busy"):
        folder = tmp_path_factory.mktemp(name)
        towns.append(Town(folder, keeper="host@clubhouse.example", digest=time(8)))
    fill(towns[1])
    return [(town, play_in_club(town)) for town in towns]


def test_letters_of_a_house_are_the_same_whatever_happens_in_another(
    two_worlds: list[tuple[Town, list[Received]]],
) -> None:
    quiet, busy = (letters for _, letters in two_worlds)
    assert [(each.to, each.kind) for each in busy] == [(each.to, each.kind) for each in quiet]
    kinds = {"start", "press", "reply", "welcome", "late", "digest"}
    assert {each.kind for each in busy} >= kinds
    for one, other in zip(quiet, busy, strict=True):
        assert plain(other) == plain(one)
        assert not [mark for mark in (ADDRESS, "The Judge") if mark in other.raw.decode()]


def pages(town: Town, house: Judge, folder: Path) -> dict[str, str]:
    """The pages of a house, without what depends on ids."""
    name, address = house.profile.name, house.profile.address
    Site(house.storage, folder, name, address, town.clock.now()).build()
    return {
        _MADE.sub("#", str(each.relative_to(folder))): _MADE.sub(
            "#", each.read_text(errors="replace")
        )
        for each in sorted(folder.rglob("*"))
        if each.suffix in (".html", ".json", ".xml", ".txt") and each.name[0] != "."
    }


def test_pages_of_a_house_have_its_games_alone(
    two_worlds: list[tuple[Town, list[Received]]], tmp_path: Path
) -> None:
    towns = [town for town, _ in two_worlds]
    quiet, busy = (pages(t, t.club, tmp_path / f"{id(t)}") for t in towns)
    assert busy == quiet
    assert "games/paris/index.html" in busy
    main = pages(towns[1], towns[1].main, tmp_path / "main")
    assert "games/xanadu/index.html" in main
    assert not [page for page in main.values() if "Knights" in page or "clubhouse" in page]


def test_a_reply_address_of_one_house_opens_nothing_in_another(tmp_path: Path) -> None:
    town = Town(tmp_path)
    town.ask("max", "CREATE ?paris standard")
    token = town.reply_to("max@people.example", town.main).partition("+")[2].partition("@")[0]
    there = CLUB.replace("@", f"+{token}@")
    reply = town.ask("max", "RENAME paris rome", to=there)
    assert reply.message["From"].addresses[0].addr_spec == CLUB
    assert town.main.storage.games.by_name("paris") is not None
    assert town.club.storage.games.all() == []
    assert "paris" not in reply.text.replace("RENAME paris", "").replace("?paris", "")


def test_a_mail_is_of_the_house_it_came_for() -> None:
    club = ([CLUB, "postmaster@clubhouse.example"], "chess-club+*@clubhouse.example")
    whole = (["judge@clubhouse.example"], "*@clubhouse.example")
    houses = {"": ([ADDRESS], "judge+*@judge.example"), "club": club}
    mail = f"From: a@b.example\r\nTo: {CLUB}\r\n\r\nx\r\n".encode()
    code = CLUB.replace("@", "+abc@")
    assert addressed(houses, [ADDRESS, code], mail) == {"": [ADDRESS], "club": [code]}
    assert addressed(houses, ["mailbox@provider.example"], mail) == {"club": [CLUB]}
    assert addressed(houses, ["postmaster@clubhouse.example"], b"\r\n") == {
        "club": ["postmaster@clubhouse.example"]
    }
    assert addressed(houses, ["who@ever.example"], b"\r\n") == {"": ["who@ever.example"]}
    assert addressed({"": whole, "club": club}, [code, "x@clubhouse.example"], mail) == {
        "club": [code],
        "": ["x@clubhouse.example"],
    }


def test_a_house_with_members_takes_in_nobody_else(tmp_path: Path) -> None:
    town = Town(tmp_path, members=("*@clubhouse.example",), settings=("press grey", "nmr"))
    ada, eve = SEVEN[0], "eve@elsewhere.example"
    assert "press: grey" in town.ask(ada, "CREATE ?paris standard", to=CLUB).text.lower()
    town.ask(ada, "SET LIST", to=town.reply_to(ada, town.club))
    for line in ("LIST", "JOIN paris", "REGISTER", "SET STANDIN", "WHO GAME paris", "Hello you"):
        reply = town.ask(eve, line, to=CLUB)
        assert "is for its members" in reply.text, line
        assert "paris" not in reply.text.replace(line, ""), line
    assert list(town.club.storage.people.names().values()) == ["Ada"]
    assert "paris" not in town.ask(eve, "LIST").text.replace("?paris", "")


def test_a_house_writes_in_its_language_to_who_shows_none(tmp_path: Path) -> None:
    town = Town(tmp_path, language="de")
    assert "Hallo" in town.ask("eve", "x", to=CLUB).text
    assert "Hi!" in town.ask("eve", "x").text


HOST = "teacher@clubhouse.example"


@pytest.mark.parametrize("plays", [False, True])
def test_the_host_sees_all_of_a_game_unless_they_play_in_it(tmp_path: Path, plays: bool) -> None:
    town = Town(tmp_path, hosts=(HOST,))
    town.ask(HOST, "REGISTER\nName: Tess Teacher\nEND", to=CLUB)
    max_ = "max@clubhouse.example"
    town.ask(max_, "CREATE ?paris gunboat blind press grey", to=CLUB)
    for who in (*SEVEN[:6], HOST if plays else SEVEN[6]):
        town.ask(who, "JOIN paris", to=CLUB)
    town.judge.work()
    starts = [each for each in town.letters_of(town.club) if each.kind == "start"]
    assert len(starts) >= 8
    for each in starts:
        assert (
            "Tess Teacher is a host of this house and sees all" in " ".join(each.text.split())
        ) is (not plays)
    game = town.club.storage.games.by_name("paris")
    teacher = town.club.storage.people.by_address(HOST)
    assert game is not None
    assert teacher is not None
    writes = town.reply_to(SEVEN[0], town.club)
    town.ask(SEVEN[0], "PRESS TO MASTER\nA secret plan.\nENDPRESS", to=writes)
    state = State(town.club.storage, game)
    assert knows_all(state, teacher.id) is not plays
    assert [each.text for each in readable(state, teacher.id)] == (
        [] if plays else ["A secret plan."]
    )
    who = town.ask(HOST, "WHO GAME paris", to=CLUB).text
    assert ("Ada" in who) is not plays
    # Who comes later reads it, too.
    who = town.ask(SEVEN[0], "WHO GAME paris", to=writes).text
    assert ("host, who sees everything: Tess Teacher" in who) is not plays


@pytest.mark.parametrize("plays", [False, True])
def test_only_a_host_who_does_not_play_learns_of_orders_on_file(
    tmp_path: Path, plays: bool
) -> None:
    """In two worlds that differ in nothing but an order on file, all letters but the host's are the
    same, and the host's are where they play."""
    read_in = []
    for world, order in enumerate(("A bud - ser", "A bud - tri")):
        (tmp_path / f"{world}").mkdir()
        town = Town(tmp_path / f"{world}", hosts=(HOST,))
        town.ask(HOST, "REGISTER\nName: Tess Teacher\nEND", to=CLUB)
        town.ask("max@clubhouse.example", "CREATE ?paris standard", to=CLUB)
        people = (*SEVEN[:6], HOST if plays else SEVEN[6])
        for who, letter in zip(people, "AEFGIRT", strict=True):
            town.ask(who, f"JOIN paris\nSET PREFERENCE {letter}", to=CLUB)
        town.judge.work()
        before = {each.raw for each in town.letters_of(town.club)}
        town.ask(SEVEN[0], f"{order}\nA vie H", to=town.reply_to(SEVEN[0], town.club))
        for who in (*people, HOST):
            town.ask(who, "STATUS\nWHO GAME\nMAP", to=town.reply_to(who, town.club))
        letters = [each for each in town.letters_of(town.club) if each.raw not in before]
        read_in.append([plain(each) for each in letters if each.to not in (SEVEN[0], HOST)])
        read_in[-1] += [plain(each) for each in letters if each.to == HOST and plays]
        hosts = "\n".join(each.text for each in letters if each.to == HOST)
        assert (order in hosts) is not plays
    assert read_in[0] == read_in[1]


def test_who_has_seen_all_as_a_host_takes_over_no_power(tmp_path: Path) -> None:
    town = Town(tmp_path, hosts=(HOST,))
    town.ask(HOST, "REGISTER\nName: Tess Teacher\nEND", to=CLUB)
    town.ask("max@clubhouse.example", "CREATE ?paris standard", to=CLUB)
    for who, letter in zip(SEVEN, "AEFGIRT", strict=True):
        town.ask(who, f"JOIN paris\nSET PREFERENCE {letter}", to=CLUB)
    town.judge.work()
    asked = town.ask(SEVEN[1], "RESIGN", to=town.reply_to(SEVEN[1], town.club))
    town.send(SEVEN[1], "YES", answers=asked, to=str(asked.message["Reply-To"]))
    refused = town.ask(HOST, "TAKE OVER england@paris", to=CLUB)
    assert "you cannot play in it" in " ".join(refused.text.split())
    late = "late@clubhouse.example"
    town.ask(late, "TAKE OVER england@paris", to=CLUB)
    taken = next(each for each in town.letters_of(town.club) if each.kind == "taken")
    assert taken.to == late
    assert "Tess Teacher is a host of this house" in " ".join(taken.text.split())
    people, game = town.club.storage.people, town.club.storage.games.by_name("paris")
    assert game is not None

    def sees(who: str) -> Eyes:
        person = people.by_address(who)
        assert person is not None
        return Eyes(State(town.club.storage, game), person.id)

    assert len(sees(HOST).sheets()) == 7
    assert not any(sees(who).sheets() for who in (SEVEN[0], "max@clubhouse.example"))
    town.ask(HOST, "LEAVE paris", to=CLUB)
    assert (sees(HOST).sheets(), sees(HOST).may_not_play) == ({}, True)


def test_reliability_counts_across_houses_where_both_are_told_so(tmp_path: Path) -> None:
    town = Town(tmp_path)
    for to in (ADDRESS, CLUB):
        town.ask("ann", "REGISTER", to=to)
    here, there = (
        house.storage.people.by_address("ann@people.example") for house in (town.main, town.club)
    )
    assert here is not None
    assert there is not None
    with town.main.storage.transaction():
        game = Game(name="rome", variant="standard", created_at=town.clock.now())
        game = town.main.storage.games.add(game)
        entry = ReliabilityEntry(
            person_id=here.id, game_id=game.id, phase="S1901M", power="Italy",
            what=Reliability.ON_TIME, at=town.clock.now(),
        )  # fmt: skip
        town.main.storage.reliability_log.record(entry)

    def counted() -> int:
        return of_person(town.club.storage, there.id).on_time

    town.ask("ann", "SET KNOWN", to=CLUB)
    for house in (town.main, town.club):
        with house.storage.transaction():
            house.storage.people.prove("ann@people.example")
    assert counted() == 0
    here.options = PersonOptions(known=True)
    with town.main.storage.transaction():
        town.main.storage.people.save(here)
    assert counted() == 1
