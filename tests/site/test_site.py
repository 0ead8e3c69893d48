"""The pages of public games: what is on them, what must not be, how little is done again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from urllib.parse import parse_qs
from xml.etree import ElementTree

import lxml.html
import pytest
from msgspec.structs import replace

from judge import site, variants
from judge.game.people.reliability import of_person
from judge.game.state import State
from judge.i18n import OTHERS
from judge.site import Site, SiteChanges
from judge.site.chart import HEIGHT, MOST, chart
from judge.site.facts import badges
from tests.game.play import PEOPLE, Play

ORDERS = {
    "ann": "A vie - gal\nA bud - ser\nF tri - alb",
    "bob": "F lon - nth\nA lvp - yor\nF edi - nwg",
    "cleo": "A par - bur\nA mar S A par - bur\nF bre - mao",
    "dora": "F kie - den\nA ber - kie\nA mun - bur",
    "emil": "A ven - tyr\nA rom - ven\nF nap - ion",
    "finn": "A mos - ukr\nA war - gal\nF sev - bla\nF stp/sc - bot",
    "gwen": "A con - bul\nA smy - con\nF ank - bla",
}


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Play]:
    play = Play(tmp_path)
    yield play
    play.storage.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "site"


def build(play: Play, folder: Path, language: str = "en") -> SiteChanges:
    now = play.clock.now()
    return Site(play.storage, folder, "The Judge", "judge@judge.example", now, language).build()


def public(play: Play, options: str = "") -> None:
    def make() -> None:
        play.start(options)
        play.send("max", "SET LIST")

    play.begin("public", options, make=make)


def order(play: Play) -> None:
    for who, orders in ORDERS.items():
        play.send(who, orders)
    play.lapse()


def words(folder: Path, file: str) -> str:
    return " ".join(lxml.html.parse(folder / file).getroot().text_content().split())


def texts(folder: Path, file: str) -> list[str]:
    found = lxml.html.parse(folder / file).getroot().itertext()
    return [text.strip() for text in found if text.strip()]


def everything(folder: Path) -> str:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    # The archive's index is a database.
    return "\n".join(
        path.read_bytes().decode(errors="replace") for path in files if path.suffix != ".png"
    )


def test_each_board_has_a_picture_and_a_button_that_asks_for_it(play: Play, folder: Path) -> None:
    build(play, folder)
    page = lxml.html.parse(folder / "boards.html").getroot()
    mails = [parse_qs(link.partition("?")[2]) for link in page.xpath("//a/@href")]
    lines = [mail["body"][0].strip() for mail in mails if "body" in mail]
    for name in variants.names():
        assert len((folder / f"boards/{name}.png").read_bytes()) < 15_000
        assert f"JOIN {name}" in lines
    play.send("ann", "REGISTER")
    for line in [each for each in lines if "PRACTICE" not in each][::10]:
        assert "noted what you want" in " ".join(play.send("ann", line).text.split()), line
    assert build(play, folder).files == 0


@pytest.mark.parametrize("language", OTHERS)
def test_boards_are_described_in_the_language_of_the_pages(
    play: Play, folder: Path, language: str
) -> None:
    build(play, folder, language)
    said = " ".join(texts(folder, "boards.html"))
    for name in variants.names():
        board = variants.load(name)
        assert board.title in said
        assert board.description not in said


def test_a_game_is_told_phase_by_phase(play: Play, folder: Path) -> None:
    public(play)
    play.send("cleo", "BROADCAST\nHello <b>all</b>.\nENDBROADCAST")
    order(play)
    build(play, folder)
    assert "paris" in words(folder, "index.html")
    game = words(folder, "games/paris/index.html")
    assert "Fall 1901, movement" in game
    assert "France Cleo" in " ".join(texts(folder, "games/paris/index.html"))
    phase = words(folder, "games/paris/S1901M.html")
    assert "A mun → bur ✗ bounced" in phase
    for name in ("S1901M", "S1901M-before", "now"):
        ElementTree.parse(folder / f"games/paris/{name}.svg")
    assert len((folder / "games/paris/small.png").read_bytes()) <= 15_000
    assert "Hello <b>all</b>." in words(folder, "games/paris/press.html")
    assert "Cleo 1 – 100 %" in " ".join(texts(folder, "players.html"))
    assert "paris France active" in " ".join(texts(folder, "players/4.html"))


def test_links_lead_to_files_that_are_there(play: Play, folder: Path) -> None:
    public(play)
    play.send("cleo", "BROADCAST\nHello.\nENDBROADCAST")
    order(play)
    build(play, folder)
    for page in folder.rglob("*.html"):
        for link in lxml.html.parse(page).getroot().xpath("//@href | //@src"):
            file, _, fragment = link.partition("#")
            if link.startswith("mailto:"):
                continue
            assert not file or (page.parent / file).is_file(), f"{page.name}: {link}"
            if fragment and not file.endswith(".svg"):
                shown = lxml.html.parse(page.parent / file if file else page).getroot()
                assert fragment in shown.xpath("//@id"), f"{page.name}: {link}"
            elif fragment:
                assert f'id="{fragment}"' in (page.parent / file).read_text()


def test_pages_load_nothing_from_anywhere(play: Play, folder: Path) -> None:
    public(play)
    order(play)
    build(play, folder)
    for page in folder.rglob("*.html"):
        tree = lxml.html.parse(page).getroot()
        (policy,) = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert not tree.xpath("//style | //*[@style] | //*[@onclick] | //script[not(@src)]")


def test_what_strangers_may_not_know_is_nowhere(play: Play, folder: Path) -> None:
    public(play, "gunboat, blind")
    play.send("cleo", "PRESS TO England\nA secret.\nENDPRESS\nSET DRAW")
    order(play)
    play.send("cleo", "A mar - spa")
    build(play, folder)
    (folder / "guide.html").unlink()
    text = everything(folder)
    for name in ("Ann", "Bob", "Cleo", "Dora", "Emil", "Finn", "Gwen"):
        assert not re.search(rf"\b{name}\b", text), name
    for secret in ("people.example", "A secret", "Burgundy", "Galicia", "A bur", "bounced", "SET"):
        assert secret not in text, secret
    assert not list(folder.rglob("*M.html"))
    assert "blind game" in words(folder, "games/paris/index.html")


def test_neither_open_orders_nor_private_press_are_told(play: Play, folder: Path) -> None:
    public(play)
    play.send("cleo", "PRESS TO England\nA secret.\nENDPRESS\nA par - pic\nSET DRAW\nSET WAIT")
    build(play, folder)
    text = everything(folder)
    assert "A secret" not in text
    assert "Picardy" not in words(folder, "games/paris/index.html")
    assert "people.example" not in text


def test_games_that_are_not_public_have_no_pages(play: Play, folder: Path) -> None:
    play.start()
    build(play, folder)
    assert not (folder / "games").exists()
    play.send("max", "SET LIST")
    build(play, folder)
    assert (folder / "games/paris/index.html").is_file()
    play.send("max", "SET NO LIST")
    assert build(play, folder).removed > 0
    assert not (folder / "games/paris").exists()


def test_only_what_has_changed_is_made_again(play: Play, folder: Path) -> None:
    public(play)
    order(play)
    assert build(play, folder).games == 1
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}
    assert build(play, folder) == SiteChanges()
    play.send("cleo", "BROADCAST\nHello.\nENDBROADCAST")
    assert build(play, folder).games == 1
    kept = folder / "games/paris/S1901M.svg"
    assert kept.stat().st_mtime_ns == before[kept]
    (folder / "games/paris/S1901M.html").unlink()
    build(play, folder)
    assert (folder / "games/paris/S1901M.html").is_file()


def test_what_was_taken_back_goes_and_what_is_not_ours_stays(play: Play, folder: Path) -> None:
    public(play)
    order(play)
    build(play, folder)
    (folder / "robots.txt").write_text("mine")
    play.send("max", "ROLLBACK S1901M")
    build(play, folder)
    assert not (folder / "games/paris/S1901M.html").exists()
    assert (folder / "robots.txt").read_text() == "mine"


def test_a_pass_without_changes_reads_no_game(
    play: Play, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    public(play)
    build(play, folder)
    monkeypatch.setattr(play.storage.games, "find", lambda _: pytest.fail("a game was read"))
    assert build(play, folder) == SiteChanges()


def test_a_new_name_is_told_everywhere(play: Play, folder: Path) -> None:
    public(play)
    build(play, folder)
    play.send("cleo", "REGISTER\nName: Cleopatra\nEND")
    assert build(play, folder).games == 1
    for file in ("games/paris/index.html", "players.html", "players/4.html"):
        assert "Cleopatra" in words(folder, file)
    assert "Cleopatra" in (folder / "names.js").read_text()


def link(folder: Path, file: str, start: str) -> str:
    """What the mail says that a button starts."""
    tree = lxml.html.parse(folder / file).getroot()
    found = next(a for a in tree.iter("a") if a.text_content().startswith(start))
    address, _, rest = str(found.get("href")).partition("?")
    assert address == "mailto:judge@judge.example"
    said = parse_qs(rest)
    assert said["body"][0].endswith(f"{said['subject'][0]}\r\n")
    return said["body"][0]


def test_strangers_join_with_one_button(play: Play, folder: Path) -> None:
    play.send("max", "CREATE ?lunch gunboat\nSET LIST")
    build(play, folder)
    assert "Needs 7 more players" in words(folder, "index.html")
    assert "lunch" in play.send("zoe", link(folder, "index.html", "Join by mail")).text
    play.send("yan", link(folder, "index.html", "Join lunch"))
    build(play, folder)
    assert "Needs 5 more players" in words(folder, "index.html")


def test_a_power_without_a_player_is_offered(play: Play, folder: Path) -> None:
    public(play)
    order(play)
    play.sure("finn", "RESIGN paris")
    build(play, folder)
    assert "Russia needs a player" in words(folder, "index.html")
    reply = play.send("zoe", link(folder, "index.html", "Take over Russia"))
    assert "Russia" in reply.text
    build(play, folder)
    assert "Russia needs" not in words(folder, "index.html")
    assert "Zoe" in words(folder, "games/paris/index.html")
    # Who gave up a power is not on time in all of their phases.
    assert "Finn 1 – 50 % 1" in " ".join(texts(folder, "players.html"))
    assert "Resigned 1 power." in words(folder, "players/7.html")


def test_a_players_page_has_results_beside_what_others_had_of_the_power(
    play: Play, folder: Path
) -> None:
    public(play, "no dias")
    order(play)
    for who in PEOPLE:
        play.send(who, "SET DRAW France, Italy")
    play.run()
    build(play, folder)
    assert "paris France 0.50" in " ".join(texts(folder, "players/4.html"))
    assert "France Diplomacy 1 0.50 0.50" in " ".join(texts(folder, "players/4.html"))
    assert "Russia Diplomacy 1 0.00 0.00" in " ".join(texts(folder, "players/7.html"))


def test_players_of_a_gunboat_game_have_no_pages(play: Play, folder: Path) -> None:
    public(play, "gunboat")
    order(play)
    build(play, folder)
    assert not (folder / "players").exists()
    assert "Nobody has played yet." in words(folder, "players.html")
    assert "Cleo" not in (folder / ".site.json").read_text()


@pytest.mark.parametrize(("options", "told"), [("", True), (", no reveal", False)])
def test_a_record_names_nobody_whom_the_game_does_not(
    play: Play, folder: Path, options: str, told: bool
) -> None:
    public(play, f"gunboat{options}")
    order(play)
    play.sure("finn", "RESIGN paris")
    play.sure("max", "TERMINATE paris")
    finn = play.storage.people.by_address("finn@people.example")
    assert finn is not None
    assert of_person(play.storage, finn.id).resigned == told
    assert of_person(play.storage, finn.id, public=False).resigned
    build(play, folder)
    assert (folder / f"players/{finn.id}.html").exists() is told


def test_computers_have_no_pages_of_their_own(play: Play, folder: Path) -> None:
    play.send("max", "CREATE ?lunch hundred\nSET LIST")
    play.send("cleo", "JOIN lunch")
    play.send("max", "SIGN ON Mlunch\nSET BOTS 2 easy")
    play.judge.work()
    build(play, folder)
    assert [path.name for path in folder.glob("players/*")] == ["2.html"]
    assert ", a computer" in words(folder, "games/lunch/index.html")
    links = lxml.html.parse(folder / "games/lunch/index.html").getroot().xpath("//td/a/@href")
    assert links == ["../../players/2.html"]


def test_powers_have_the_letters_of_the_map(play: Play) -> None:
    play.send("max", "CREATE ?crowd chaos")
    (game,) = play.storage.games.all()
    state = State(play.storage, game)
    letters = {badge[0]: power for power, badge in badges(state).items()}
    assert letters == state.variant.letters


def test_lists_are_paged(play: Play, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site, "LONG", 2)
    for number in range(5):
        play.send("max", f"CREATE ?game{number}\nSET LIST")
    build(play, folder)
    assert "game4" in words(folder, "lists/games-3.html")
    play.send("max", "SIGN ON Mgame4\nSET NO LIST")
    build(play, folder)
    assert not (folder / "lists/games-3.html").exists()
    assert "lists/games-2.html" in (folder / "index.html").read_text()
    # The oldest games come first, so that a new one changes the last page alone.
    assert "game0" in words(folder, "lists/games-1.html")


def test_the_feed_is_atom(play: Play, folder: Path) -> None:
    public(play)
    order(play)
    build(play, folder)
    feed = ElementTree.parse(folder / "games/paris/feed.xml").getroot()
    atom = "{http://www.w3.org/2005/Atom}"
    assert feed.tag == f"{atom}feed"
    assert [feed.find(f"{atom}{name}") is not None for name in ("id", "title", "updated")]
    (entry,) = feed.findall(f"{atom}entry")
    assert entry.findtext(f"{atom}title") == "paris: Spring 1901, movement"
    assert "A par-bur" in (entry.findtext(f"{atom}content") or "")


def test_pages_come_in_other_languages(play: Play, folder: Path) -> None:
    public(play)
    build(play, folder, "de")
    assert "Wer spielt" in words(folder, "games/paris/index.html")
    assert build(play, folder, "en").games == 1
    assert "Who plays" in words(folder, "games/paris/index.html")


def test_the_chart_keeps_names_apart() -> None:
    powers = {f"P{number}": (str(number), "#224466", "#ffffff") for number in range(9)}
    rows = [{"year": "Start", "counts": dict.fromkeys(powers, 3)}] * 2
    lines = chart(rows, powers)
    assert lines is not None
    labels = sorted(line.label for line in lines.lines)
    assert all(b - a >= 17 for a, b in pairwise(labels))
    assert 0 <= labels[0] - 8 <= labels[-1] + 9 <= HEIGHT
    assert chart(rows[:1], powers) is None
    many = {f"P{number}": ("X", "#224466", "#ffffff") for number in range(34)}
    rows = [{"year": "Start", "counts": dict.fromkeys(many, 1) | {"P33": 2}}] * 2
    shown = chart(rows, many)
    assert shown is not None
    assert len(shown.lines) == MOST
    assert "P33" in [line.power for line in shown.lines]
    # Lines of equal counts lie beside each other.
    assert len({line.points for line in lines.lines}) == len(powers)


def test_letters_lead_to_the_page_of_a_public_game(play: Play, folder: Path) -> None:
    play.start()
    play.judge.profile = replace(play.judge.profile, web="https://judge.example/games")
    play.send("cleo", "BROADCAST\nHello.\nENDBROADCAST")
    assert not [letter for letter in play.letters() if "https://" in letter.text]
    play.send("max", "SET LIST")
    for who, orders in ORDERS.items():
        play.send(who, orders)
    address = "https://judge.example/games/games/paris/index.html"
    results = [letter for letter in play.lapse() if letter.kind == "results"]
    assert len(results) >= 7
    for letter in results:
        assert f"This game on the web: {address}" in " ".join(letter.text.split())
        (html,) = letter.contents("text/html")
        links = lxml.html.fromstring(html).xpath("//a[img]/@href")
        assert links == [address]
    build(play, folder)
    assert (folder / "games/paris/index.html").is_file()
