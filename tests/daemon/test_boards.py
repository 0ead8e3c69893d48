"""What the rulebooks beyond the standard one ask of mail, from an SMTP conversation to the letters
that go out: an example of each, on four boards in one running daemon."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from email.message import EmailMessage
from email.utils import parseaddr

import pytest

from judge.game.state import State
from judge.rules.phase import Phase
from judge.rules.position import Unit
from judge.storage import Storage
from tests.daemon.test_daemon import JudgeProfile, flat
from tests.daemon.test_fates import Post


class Boards(JudgeProfile):
    """A judge with games of several boards that have started; each player is called by the game and
    the letter of their power."""

    out: Post

    def start(self) -> None:
        self.out = self.daemon._transport = Post()
        self.daemon.start()
        self.storage = Storage.open(self.config.database.url)
        self.starts: dict[str, str] = {}
        self.created = {
            "era": self.begin("era", "era_of_empire", "BCFJNRT"),
            "book": self.begin("book", "standard, RULES 1976", "AEFGIRT"),
            "globe": self.begin("globe", "global, PLAYERS 5", "URSGP"),
            "trio": self.begin("trio", "standard, PLAYERS 3", "AIF"),
        }

    def begin(self, game: str, options: str, letters: str) -> str:
        """Let people create and fill a game; return what its master reads first."""
        told = self.ask(
            "mia", f"CREATE ?{game} {options}, MOVE DELAY 0 MIN 0, ADJUST DELAY 0 MIN 0"
        )
        for letter in letters:
            self.write(f"{game}-{letter.lower()}", f"JOIN {game}\nSET PREFERENCE {letter}")
        for letter in letters:
            started = self.out.take(f"{game}-{letter.lower()}@example.com", "You play")
            self.starts[f"{game}-{letter.lower()}"] = flat(started)
        return told

    def ask(self, who: str, text: str, answers: EmailMessage | None = None) -> str:
        """What the judge replies to a mail, in one line."""
        to = parseaddr(answers["Reply-To"])[1] if answers else "judge@example.org"
        self.write(who, text, to)
        return flat(self.out.answering(f"<{self.sent}@example.com>"))

    def state(self, game: str) -> State:
        found = self.storage.games.by_name(game)
        assert found is not None
        return State(self.storage, found)

    def place(self, game: str, phase: str, units: dict[str, str], **centers: str) -> None:
        """Let a game stand in a phase with these units and centers; other powers keep theirs."""
        with self.storage.transaction():
            claimed = self.storage.games.claim(self.state(game).game.id)
            assert claimed is not None
            state = State(self.storage, claimed)
            standing = {
                power: tuple(Unit(*each.split()) for each in filter(None, listed.split(", ")))
                for power, listed in units.items()
            }
            owned = {power: tuple(listed.split()) for power, listed in centers.items()}
            at = state.opened
            state.open(
                replace(
                    at,
                    phase=Phase.read(phase),
                    units={**at.units, **standing},
                    centers={**at.centers, **owned},
                )
            )
            state.save()


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Boards]:
    limits = "[limits]\nhour = 900\nstranger = 900\npress = 900\n"
    made = Boards(tmp_path_factory.mktemp("boards"), limits)
    made.start()
    yield made
    made.storage.close()
    made.daemon.stop()


def test_a_conversion_takes_no_build(judge: Boards) -> None:
    judge.place("era", "W1870A", {"Britain": "F mad, F ade"})
    told = judge.ask("era-b", "A mad\nA ade")
    assert "2 builds of 2 still to be ordered" in told
    told = judge.ask("era-b", "A mad\nA ade\nB A del\nWAIVE")
    assert "everything is decided" in told
    assert "NOT CARRIED OUT" not in told


@pytest.mark.parametrize(
    ("power", "line", "order"),
    [
        ("i", "F Tyr C A Spa-Nap", "F tyn C A spa - nap"),
        ("i", "F Tyr.-Gulf of L.", "F tyn - gol"),
        ("e", "A Liv.-Yor.", "A lvp - yor"),
        ("r", "A Norw.-St. P.", "A nwy - stp"),
        ("r", "A Ser S Turk. A Con-Bul", "A ser S A con - bul"),
    ],
)
def test_orders_are_read_as_the_older_book_prints_them(
    judge: Boards, power: str, line: str, order: str
) -> None:
    units = {
        "Italy": "F tyn, F ion",
        "France": "A spa, F wes",
        "England": "A lvp",
        "Russia": "A nwy, A ser",
        "Turkey": "A con",
    }
    judge.place("book", "S1902M", units)
    assert order in judge.ask(f"book-{power}", line)


def test_who_has_pieces_left_votes_on_a_draw_by_the_older_book(judge: Boards) -> None:
    judge.place("book", "S1903M", {"Italy": "A tun", "Austria": ""}, Italy="")
    assert "no vote" not in judge.ask("book-i", "SET DRAW")
    assert "still has units on the board, so you have no vote" in judge.ask("book-a", "SET DRAW")


def test_a_created_game_names_its_rulebook(judge: Boards) -> None:
    assert "1976" in judge.created["book"]
    assert "2023" not in judge.created["book"]


def test_all_units_hold_is_an_order_that_all_hear_of(judge: Boards) -> None:
    units = {"Russian Federation": "A rus, AF ura", "United States": "A cus"}
    judge.place("globe", "W2101M", {"Greater African Union": "", **units})
    told = judge.ask("globe-r", "All units hold.")
    assert "A rus H" in told
    assert "AF ura H" in told
    judge.ask("globe-u", "A cus - eus")
    told = flat(judge.out.take("globe-s@example.com", "All units of Russian Federation held"))
    assert "it may build an arsenal" in told
    for asked in ("MAP", "SUMMARY", "HISTORY"):
        assert "may build an arsenal" in judge.ask("globe-s", f"{asked} globe")


@pytest.mark.parametrize("line", ["plane ura", "fighter ura"])
def test_an_air_force_has_words_of_everyday_speech(judge: Boards, line: str) -> None:
    judge.place("globe", "F2101A", {"Russian Federation": ""})
    assert "Build air force Ural" in judge.ask("globe-r", line)


def test_what_belongs_to_another_board_is_answered(judge: Boards) -> None:
    told = judge.ask("globe-r", "convert the fleet in Constantinople into an army")
    assert "nobody received" not in told


def test_the_sheet_shows_what_units_can_do_and_which_centers_are_none(judge: Boards) -> None:
    judge.place("globe", "W2101M", {"Greater African Union": "R waf, AF saf"})
    told = judge.ask("globe-g", "STATUS")
    assert "R waf bomb" in told
    assert "up to two spaces away" in told


def test_press_to_oneself_and_to_nobody_is_answered(judge: Boards) -> None:
    told = judge.ask("globe-u", "PRESS TO European Union\nHello\nENDPRESS")
    assert "Nobody plays European Union" in told
    told = judge.ask("globe-u", "PRESS TO United States\nHello\nENDPRESS")
    assert "You play United States yourself" in told


def test_with_five_players_two_centers_are_none(judge: Boards) -> None:
    told = judge.starts["globe-r"]
    assert "Scandinavia and Yakutskaya are no supply centers in this game" in told


def test_who_has_several_powers_reads_which_unit_is_whose(judge: Boards) -> None:
    judge.place("trio", "S1901M", {})
    told = judge.ask("trio-a", "STATUS")
    for power, unit in {"Austria": "A bud", "England": "F edi", "Germany": "A mun"}.items():
        after = told.partition(f"{power.upper()}")[2] or told.partition(power)[2]
        assert unit in after
    told = judge.ask("trio-a", "A bud - ser\nF edi - nth\nA mun - ruh")
    for order in ("A bud - ser", "F edi - nth", "A mun - ruh"):
        assert order in told
    assert "COULD NOT USE" not in told
    assert "NOT CARRIED OUT" not in told


def test_who_orders_no_first_build_of_chaos_gets_armies(judge: Boards) -> None:
    judge.ask("eve", "CREATE ?lab chaos, SOLO")
    judge.out.take("eve@example.com", "You play Ankara")
    judge.ask("eve", "SIGNON lab\nbuild fleet London\nPROCESS")
    units = {str(each) for held in judge.state("lab").opened.units.values() for each in held}
    assert len(units) == 34
    assert "A par" in units
    assert "A lon" not in units
