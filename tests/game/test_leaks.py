"""Whole games by mail in which things are hidden; every byte sent to each is searched for them.

In a gunboat game nobody but the master may learn who anybody is: names, addresses, domains, time
zones, reply tokens of others. In a blind game nobody but the master may read of provinces that his
units have never seen, save where he named them himself, and what a letter shows of the board is
exactly what he sees. `JUDGE_PROVE=full pytest tests/game/test_leaks.py` plays many more games.
"""

from __future__ import annotations

import html
import json
import random
import re
from collections import defaultdict
from dataclasses import dataclass, field, replace
from email.message import EmailMessage
from functools import cached_property
from pathlib import Path

import pytest

from judge.game.state import State
from judge.i18n import speaking
from judge.interchange.stored_values import position_from_json
from judge.rules.legal_orders import legal_orders
from judge.rules.orders import Build
from judge.rules.phase import Kind
from judge.rules.position import Position, read_unit
from judge.rules.variant import Variant
from judge.sentences.terms import placed
from judge.storage import OutboundMessage
from tests.game.play import Play, Received, read
from tests.sampled import FULL

GREY = "Somebody told me a secret."
_TAG = re.compile(r"<[^>]*>")
ALL = ("gunboat", "blind", "gunboat blind", "gunboat unmoderated", "gunboat blind unmoderated")
GAMES = (
    [(options, seed) for seed in range(10) for options in ALL]
    if FULL
    else [("gunboat unmoderated", 0), ("gunboat blind", 0)]
)
LAST = "F1905" if FULL else "F1901"


@dataclass
class Human:
    """Somebody with marks by which he could be known."""

    name: str
    address: str
    zone: str
    language: str = "en"
    prefix: str = "Re"
    """What his mail program puts before the subject of an answer."""
    wrote: list[str] = field(default_factory=list)
    """All he has written himself: that may come back to him."""

    @property
    def marks(self) -> list[str]:
        local, _, domain = self.address.partition("@")
        city = self.zone.rpartition("/")[2]
        prefix = [] if self.prefix == "Re" else [f"{self.prefix}:"]
        return [*self.name.split(), local, domain.removesuffix(".example"), city, *prefix]


CAST = [
    Human("Zebulon Quarrie", "zebq@quarriefarm.example", "Asia/Kathmandu", "de", "AW"),
    Human("Ottoline Brandt", "ottob@brandtwerke.example", "Australia/Adelaide", "fr", "TR"),
    Human("Ignatius Pell", "iggy77@pellmell.example", "America/Caracas", "en", "SV"),
    Human("Wilhelmina Zoll", "wzoll@zollamt.example", "Pacific/Chatham", "de", "Antw"),
    Human("Thaddeus Krum", "tkrum@krumbach.example", "Africa/Nairobi", "en", "VS"),
    Human("Philippa Vane", "pvane@vaneisle.example", "America/Halifax", "en", "Odp"),
    Human("Leopold Fisk", "lfisk@fisketorp.example", "Asia/Colombo", "fr", "RIF"),
    Human("Henrike Moss", "hmoss@mossheim.example", "Asia/Tokyo", "en", "Vl"),
]
"""Seven who play, and one who takes a power over."""
WATCHER = Human("Ursula Thorn", "uthorn@thornbury.example", "Asia/Dubai")
STRANGER = Human("Barnaby Stook", "bstook@stookhay.example", "Asia/Manila")
MASTER = Human("Maximilian Reger", "mreger@regerhof.example", "Europe/Zurich")


@dataclass(frozen=True)
class Sent:
    """A letter with its bytes, and what its reader had seen of the board when it went out."""

    reader: Human
    letter: Received
    raw: bytes
    seen: frozenset[str]
    over: bool
    number: int

    @cached_property
    def everything(self) -> str:
        """All a reader could look at: the raw letter, its headers and its parts decoded, and what a
        browser shows of them."""
        found = [self.raw.decode("utf-8", "replace")]
        found += [f"{name}: {value}" for name, value in self.letter.headers]
        found += self.letter.contents()
        found += [html.unescape(_TAG.sub("", page)) for page in self.letter.contents("text/html")]
        return "\n".join(found)

    @cached_property
    def folded(self) -> str:
        """The same in lower case."""
        return self.everything.lower()


class Table:
    """A game with its people, and what each of them has been sent."""

    def __init__(self, play: Play, options: str, chance: random.Random) -> None:
        self.play = play
        self.chance = chance
        words = options.split()
        self.moderated = "unmoderated" not in words
        self.gunboat, self.blind = "gunboat" in words, "blind" in words
        self.variant = " ".join(word for word in words if word != "unmoderated")
        self.people = [replace(each, wrote=[]) for each in (*CAST, WATCHER, STRANGER, MASTER)]
        self.by_address = {each.address: each for each in self.people}
        self.players, self.standin = self.people[:7], self.people[7]
        self.watcher, self.stranger, self.master = self.people[8:]
        chance.shuffle(self.players)
        self.seen: dict[str, set[str]] = defaultdict(set)
        self.sent: list[Sent] = []
        self.at = 0
        self.phases = 0
        self.grey: list[tuple[Human, str, int]] = []
        """Who has written unsigned, as which power, and how many letters there were then."""

    # What people do

    def write(self, human: Human, text: str, answers: Received | None = None) -> Received:
        human.wrote.append(text)
        to = None
        if human is self.master and answers is None:
            to = self.play.last_reply_to(human.address)
        # A stranger who says the same again is not answered within a day.
        subject = f"{human.prefix}: {answers.subject}" if answers else f"Number {len(human.wrote)}"
        found = self.play.send(human.address, text, subject, answers, name=human.name, to=to)
        self.collect()
        return found

    def collect(self) -> None:
        """Take the letters that went out, each with what its reader may know now."""
        while (letter := self.play.storage.outbound.find(self.at + 1)) is not None:
            self.at += 1
            human = self.by_address.get(letter.recipient)
            if human is not None:
                state = self.state_or_none()
                over = state is not None and state.game.state == "ended"
                self.look(human)
                seen = frozenset(self.seen[human.address])
                self.sent.append(Sent(human, read(letter), letter.raw, seen, over, self.at))

    def begin(self) -> None:
        chance = self.chance
        creator = self.master if self.moderated else self.players[0]
        for human in self.people:
            if human is not self.stranger:
                lines = f"REGISTER\nName: {human.name}\nTime zone: {human.zone}\nEND"
                self.write(human, f"{lines}\nSET LANGUAGE {human.language}")
        options = (
            f"{self.variant}, WHITE/GREY, NMR, RETREAT GRACE 48H, ADJUST GRACE 48H, MOVE GRACE 48H"
        )
        self.write(
            creator,
            f"CREATE ?paris standard {options}, END AFTER {LAST}\nSET NO DAILY\n"
            "SET MANUAL START\nSET TIME ZONE UTC",
        )
        self.write(self.standin, "SET STANDIN")
        self.write(self.watcher, "OBSERVE paris")
        for human in self.players:
            wish = "".join(chance.sample("AEFGIRT", chance.randrange(8)))
            answers = self.letter(human) if human is creator else None
            self.write(human, f"JOIN paris\nSET PREFERENCE {wish or '*'}", answers)
            self.write(
                human, "STATUS\nBROADCAST\nHello everybody.\nENDBROADCAST", self.letter(human)
            )
        self.ask()
        self.write(creator, "SET AUTO START", self.letter(creator, "reply"))
        self.play.judge.work()
        self.collect()

    def letter(self, human: Human, kind: str | None = None) -> Received | None:
        """The last letter to somebody, press aside."""
        for sent in reversed(self.sent):
            found = sent.letter.kind
            if sent.reader is human and (found == kind if kind else found != "press"):
                return sent.letter
        return None

    def state(self) -> State:
        game = self.play.storage.games.by_name("paris")
        assert game is not None
        return State(self.play.storage, game)

    def powers(self, human: Human, state: State | None = None) -> list[str]:
        state = state or self.state()
        person = self.play.storage.people.by_address(human.address)
        seats = state.seats.of(person.id) if person else []
        return [seat.power for seat in seats if seat.power]

    def ask(self) -> None:
        """Everybody asks for all there is to be asked for."""
        for human in self.people:
            asked = ["LIST", "LIST paris", "SUMMARY paris", "HISTORY paris FROM S1901M"]
            asked += ["MAP paris", "WHO GAME paris", "GAME FILE paris"]
            first = self.phases % len(asked)
            lines = "\n".join(asked[first:] + asked[:first])
            if human is not self.stranger:
                lines += "\nAUDIT paris\nGET DEDICATION\nSIGN ON fparis\nA Par H\nF Lon - Nth"
            self.write(human, lines)

    def phase(self) -> None:
        """The open phase: orders, talk, refusals, somebody late, and then time passes."""
        chance = self.chance
        state = self.state()
        assert state.phase is not None
        phase = state.phase
        # In the second phase somebody is silent for good, and is replaced.
        self.phases += 1
        silent = self.players[0] if self.phases == 2 else None
        for human in self.players:
            for power in self.powers(human, state):
                if human is silent or power not in state.owed:
                    continue
                lines = orders(state, power, chance)
                self.write(human, "\n".join(lines), self.letter(human))
                if chance.random() < 0.3:
                    self.write(human, "SET DRAW\nSET WAIT\nSET NO WAIT\nA Tun S F Ion - Tys")
        self.talk()
        one = chance.choice(self.players)
        self.write(one, "SET ABSENCE 24 Dec to 26 Dec\nEXTEND 3H\nSET NO ABSENCE")
        setter = self.master if self.moderated else chance.choice(self.players)
        last = self.letter(setter, "results") or self.letter(setter, "start")
        # Never twice the same, which is what a program writes.
        lines = ["SET MAX ABSENCE 12", "SET MOVE MIN 1"][:: (-1) ** self.phases]
        self.write(setter, "\n".join((*lines, "SET MAX ABSENCE 15")), last)
        if chance.random() < 0.5:
            self.ask()
        before = str(phase)
        for _ in range(40):
            moment = self.play.judge.next_wake()
            assert moment is not None
            self.play.clock.set(max(moment, self.play.clock.now()))
            self.play.judge.work()
            self.collect()
            state = self.state()
            if state.game.state != "active" or str(state.phase) != before:
                break
            if (open_powers := state.powers.vacant()) and self.standin not in self.players:
                left = [each for each in self.players if open_powers[0] in self.powers(each, state)]
                self.write(self.standin, f"TAKE OVER {open_powers[0]}@paris")
                if self.powers(self.standin):
                    self.players.append(self.standin)
                    # Who plays a power may read what it ordered before.
                    self.standin.wrote += [text for each in left for text in each.wrote]

    def talk(self) -> None:
        """Press, and an answer to it that quotes and is signed."""
        one, other = self.chance.sample(self.players, 2)
        to = self.powers(other)
        if not to or not self.powers(one):
            return
        self.write(one, f"PRESS TO {to[0]}\nShall we?\nENDPRESS\n\n-- \n{one.name}\n{one.zone}")
        signed = f"{GREY}\n\n-- \n{one.name}"
        self.write(one, f"BROADCAST GREY\n{GREY}\nENDBROADCAST\nPRESS GREY TO {to[0]}\n{signed}")
        self.grey.append((one, self.powers(one)[0], self.at))
        if (press := self.letter(other, "press")) is not None and GREY not in press.text:
            quoted = "\n".join(f"> {line}" for line in press.text.splitlines())
            self.write(
                other,
                f"Gladly.\n\nOn Mon, 1 Jun 2026 at 14:02, The Judge <judge@judge.example> wrote:\n"
                f"{quoted}\n\n-- \n{other.name}\n{other.address}",
                press,
            )

    # What they may know

    def look(self, human: Human) -> None:
        """Note what the reader sees of the board now."""
        state = self.state_or_none()
        if state is not None and state.position is not None:
            for power in self.powers(human, state):
                self.seen[human.address] |= sight(state.variant, state.opened, power)

    def state_or_none(self) -> State | None:
        game = self.play.storage.games.by_name("paris")
        return None if game is None else State(self.play.storage, game)


def orders(state: State, power: str, chance: random.Random) -> list[str]:
    legal = legal_orders(state.variant, state.opened, power)
    owed = state.owed[power]
    if state.opened.phase.kind is not Kind.ADJUSTMENTS:
        return [str(chance.choice(choices)) for choices in legal.values()]
    if owed.removals:
        return [f"D {unit}" for unit in list(legal)[: owed.removals]]
    return [str(Build(unit)) for unit in list(legal)[: owed.builds]] or ["WAIVE"]


def sight(variant: Variant, position: Position, power: str) -> set[str]:
    """The provinces a power sees: where it has something, and where that is one step away."""
    held = {unit.province for unit in position.units.get(power, ())}
    held |= {each.unit.province for each in position.dislodged.get(power, ())}
    held |= set(position.centers.get(power, ()))
    board = variant.board
    seen = set(held)
    for province in board.provinces.values():
        for place in (province.id, *province.locations):
            for kind in ("A", "F"):
                if {there.partition("/")[0] for there in board.steps(kind, place)} & held:
                    seen.add(province.id)
    return seen


def around(word: str, text: str) -> str | None:
    """Where a text has a word that must not be in it."""
    # Most letters have it nowhere, and that is seen much sooner.
    found = re.search(rf"\b{re.escape(word)}\b", text) if word in text else None
    return found and text[max(0, found.start() - 200) : found.end() + 60]


def check_identities(table: Table) -> None:
    """Nobody reads a mark of somebody else, but the master of a moderated game, and his marks."""
    tokens: dict[str, set[str]] = defaultdict(set)
    for sent in table.sent:
        found = re.findall(r"\b[armbu][a-z2-7]{24}\b", sent.raw.decode())
        tokens[sent.reader.address] |= set(found)
    for sent in table.sent:
        human, letter = sent.reader, sent.letter
        if sent.over or (table.moderated and human is table.master):
            continue
        text = sent.everything
        for other in table.people:
            if other is human or (table.moderated and other is table.master):
                continue
            for mark in other.marks:
                where = around(mark.lower(), sent.folded)
                assert not where, (human.name, letter.kind, letter.subject, mark, where)
            own = tokens[human.address]
            foreign = {token for token in tokens[other.address] - own if token in text}
            assert not foreign, (human.name, letter.subject)


def check_grey(table: Table) -> None:
    """Nothing in a letter that carries unsigned press says which power wrote it."""
    letters = [
        sent for sent in table.sent if sent.letter.kind == "press" and GREY in sent.everything
    ]
    assert letters
    first = 0
    for writer, power, last in table.grey:
        for sent in letters:
            master = table.moderated and sent.reader is table.master
            if first < sent.number <= last and sent.reader is not writer and not master:
                assert power not in sent.everything, (sent.reader.name, power)
        first = last


def check_board(table: Table, variant: Variant) -> None:
    """No letter names a province that its reader has never seen, nor written himself."""
    names = {province.id: province.name for province in variant.board.provinces.values()}
    spoken: dict[str, dict[str, str]] = {}
    for each in table.people:
        with speaking(each.language):
            spoken[each.language] = {place: placed(name) for place, name in names.items()}
    for sent in table.sent:
        human, letter = sent.reader, sent.letter
        if sent.over or (table.moderated and human is table.master):
            continue
        text = sent.everything.replace("Europe/London", "")
        wrote = "\n".join(human.wrote).lower()
        for place, name in names.items():
            if place not in sent.seen and not re.search(rf"\b{place}\b", wrote):
                named, others = spoken[human.language][place], text
                for longer in spoken[human.language].values():
                    # "Mer de Norvège" does not name Norway.
                    if named in longer and named != longer:
                        others = re.sub(r"\s+".join(longer.split()), "", others)
                for word in (f"A {place}", f"F {place}", name, named):
                    where = around(word, others)
                    assert not where, (human.name, letter.kind, letter.subject, place, where)


@pytest.mark.parametrize(("options", "seed"), GAMES)
def test_nobody_learns_what_is_hidden(options: str, seed: int, tmp_path: Path) -> None:
    play = Play(tmp_path)
    table = Table(play, options, random.Random(f"{options} {seed}"))
    looked = 0
    table.begin()
    assert table.state().game.state == "active"
    while table.state().game.state == "active":
        table.phase()
        looked += check_what_is_shown(table)
    table.ask()
    kinds = {sent.letter.kind for sent in table.sent}
    expected = {"start", "results", "reply", "press", "settings", "late", "abandoned", "wanted"}
    assert expected | {"taken", "takeover", "end"} <= kinds
    assert play.storage.inbound.held() == []
    check_grey(table)
    if table.gunboat:
        check_identities(table)
        check_revealed(table)
    if table.blind:
        assert looked
        check_board(table, table.state().variant)


def check_what_is_shown(table: Table) -> int:
    """What the last results show of the board is what their readers see; how many they are."""
    state = table.state()
    if not table.blind or state.game.state != "active":
        return 0
    looked = 0
    for human in table.players:
        letter = table.letter(human, "results")
        powers = table.powers(human, state)
        if letter is None or len(powers) != 1:
            continue
        (power,) = powers
        files = [
            json.loads(part.get_content())
            for part in letter.message.iter_attachments()
            if isinstance(part, EmailMessage) and part.get_content_type() == "application/json"
        ]
        (now,) = (each for each in files if "legal" in each)
        known = sight(state.variant, state.opened, power)
        for units in now["units"].values():
            assert known >= {read_unit(unit).province for unit in units}
        assert set(now["legal"]) == {power}
        files.remove(now)
        runs = {run.phase: run for run in state.storage.history.of_game(state.game.id)}
        if not files:
            # Nothing happened in his sight.
            run = list(runs.values())[-1]
            sees = sight(state.variant, position_from_json(run.position), power)
            lines = [line for each in run.results["orders"].values() for line in each]
            seen = [line["unit"] for line in lines if line["unit"]]
            assert not sees.intersection(read_unit(unit).province for unit in seen)
            continue
        last = files[-1]
        run = runs[last["phase"]]
        after = Position(
            phase=state.opened.phase,
            units={
                each: tuple(map(read_unit, units)) for each, units in run.results["units"].items()
            },
            centers={each: tuple(own) for each, own in run.results["centers"].items()},
        )
        if any(each["power"] == power for each in run.results["dislodged"]):
            continue
        before = Position(
            phase=state.opened.phase,
            units={each: tuple(map(read_unit, own)) for each, own in run.position["units"].items()},
            centers={each: tuple(own) for each, own in run.position["centers"].items()},
            dislodged={},
        )
        if run.position["dislodged"].get(power):
            continue
        sees = sight(state.variant, before, power)
        for other, lines in last["results"].items():
            for line in lines:
                assert other == power or read_unit(line["unit"]).province in sees
        sees |= sight(state.variant, after, power)
        for other, units in run.results["units"].items():
            shown = {unit for unit in units if read_unit(unit).province in sees}
            assert set(last["units_after"][other]) == shown, (human.name, other)
        assert set(last["orders"]) <= {power}
        assert set(last["seals"]) <= {power}
        looked += 1
    return looked


def check_revealed(table: Table) -> None:
    """At the end everybody learns who played."""
    for human in table.players:
        if (letter := table.letter(human, "end")) is not None:
            assert any(other.name in letter.text for other in table.players if other is not human)


# Two worlds that differ in what others wrote, and when

_RANDOM = re.compile(
    rb"(?<![a-z0-9])[armbu][a-z2-7]{24}(?=@)|(?<==[012]_)[0-9a-f]{32}|(?<=<)\d+(?=@people)"
)
"""Tokens; the lines that part a letter, which are a digest of what it says with its tokens; and the
numbers that people here give to their own mails."""
_WRAPPED = re.compile(rb"=\r\n")
POLL = "STATUS\nLIST\nLIST paris\nSUMMARY paris\nHISTORY paris\nWHO GAME paris\nAUDIT paris\nMAP"
OTHERS = ("ann", "bob", "dora", "emil", "finn")
ORDERED = {
    "ann": "A Vie - Gal\nA Bud - Ser\nF Tri - Alb",
    "bob": "F Lon - Nth\nF Edi - Nrg\nA Lvp - Yor",
    "cleo": "A Par - Bur\nA Mar - Spa\nF Bre - Mid",
    "dora": "A Ber - Kie\nA Mun - Ruh\nF Kie - Den",
    "emil": "A Rom - Apu\nA Ven H\nF Nap - Ion",
    "finn": "A Mos - Ukr\nA War - Gal\nF Sev - Bla\nF StP/sc - Bot",
    "gwen": "A Con - Bul\nA Smy - Con\nF Ank - Bla",
}
LAST_ONE = [("gwen", ORDERED["gwen"])]
"""When the last orders come is told: a game's entry says whether some are missing."""
QUIET: dict[int, list[tuple[str, str]]] = {
    9: [(who, ORDERED[who]) for who in reversed(OTHERS)],
    10: LAST_ONE,
}
BUSY: dict[int, list[tuple[str, str]]] = {
    1: [(who, ORDERED[who]) for who in OTHERS[:4]],
    2: [("ann", "CLEAR NOW"), ("ann", ORDERED["ann"]), ("zeb@far.example", "HELP")],
    3: [("bob", "SET DRAW\nSET WAIT"), ("ann", "SET CONCEDE R"), ("gwen", "STATUS")],
    4: [("ann", "PRESS TO E\nShall we?\nENDPRESS"), ("bob", "PRESS GREY TO A\nYes.\nENDPRESS")],
    5: [("dora", "DIARY\nI trust nobody.\nENDDIARY"), ("emil", "SET PASSWORD secret")],
    6: [(who, ORDERED[who]) for who in OTHERS[4:]],
    7: [("bob", "SET NO DRAW\nSET NO WAIT"), ("ann", "SET NO CONCEDE")],
    8: [("bob", "I AM ALSO me@b.example"), ("emil", "A Rom - Ven"), ("emil", ORDERED["emil"])],
    10: LAST_ONE,
}


def watched(folder: Path, options: str, doings: dict[int, list[tuple[str, str]]]) -> list[bytes]:
    """All that a player who polls is sent in two phases, and an observer and a stranger who do."""
    folder.mkdir()
    play = Play(folder)
    starts = play.start(options)

    def write(who: str, text: str) -> None:
        play.judge.process_message(play.mail(who, text, answers=starts.get(who)))

    write("walt", "OBSERVE paris")
    write("cleo", f"{ORDERED['cleo']}\nSET WAIT")
    for hour in range(12):
        play.clock.advance(hours=1)
        for who, text in doings.get(hour, ()):
            write(who, text)
        for who in ("cleo", "walt", "stan"):
            write(who, POLL)
    play.lapse()
    assert play.storage.inbound.held() == []
    for who in ("cleo", "walt", "stan"):
        write(who, POLL)
    sent: list[OutboundMessage] = []
    while (letter := play.storage.outbound.find(len(sent) + 1)) is not None:
        sent.append(letter)
    return [
        _RANDOM.sub(b"RANDOM", _WRAPPED.sub(b"", letter.raw))
        + _RANDOM.sub(b"RANDOM", f"{letter.envelope_from} {letter.next_try}".encode())
        for letter in sent
        if letter.recipient.partition("@")[0] in ("cleo", "walt", "stan")
    ]


@pytest.mark.parametrize(
    "options", ["GUNBOAT BLIND, WHITE/GREY", "", *(["GUNBOAT, WHITE/GREY"] if FULL else [])]
)
def test_polling_tells_nothing_of_what_others_write(options: str, tmp_path: Path) -> None:
    quiet, busy = (
        watched(tmp_path / name, options, doings)
        for name, doings in (("quiet", QUIET), ("busy", BUSY))
    )
    assert len(quiet) == len(busy) > 30
    for one, other in zip(quiet, busy, strict=True):
        assert one.decode() == other.decode()
