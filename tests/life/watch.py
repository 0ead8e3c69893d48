"""What must hold whatever happens to a game: looked at after every move."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from judge.events import REPLIES
from judge.game import phases
from judge.game.state import State
from judge.game.visibility import identity
from judge.interchange.stored_values import position_from_json, position_to_json
from judge.language.read import read_order
from judge.rules import engine
from judge.rules.orders import carried_out
from judge.rules.phase import Kind, Phase
from judge.rules.variant import Variant
from judge.storage import PhaseRun
from tests.life.table import ADDRESS, KEEPER, PEOPLE, Seen, Table, address_of, name_of

ADDRESSES = tuple(address_of(who) for who in PEOPLE)
NAMES = {who: name_of(who).lower() for who in PEOPLE}
_DUE = re.compile(r"DTSTART:(\d{8}T\d{6})Z")
_WORD = re.compile(r"\bqq\d+\b")
_EXAMPLE = re.compile(r"(?:write for example|schreib zum beispiel|[ée]cris par exemple)\W.*")
"""What is said to somebody whose order was not understood; it is made from his own words."""
_TEMPLATE = re.compile(r"\{\{|\{%|\bNone\b|Undefined|<judge\.|datetime\.")


@dataclass
class Before:
    """How things stood before a move."""

    state: State | None
    orders: dict[str, list[str]] = field(default_factory=dict)
    missing: frozenset[str] = frozenset()
    hidden: bool = False


class Watch:
    """Sees every letter and every change, and raises AssertionError at the first that is wrong."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.promised: dict[int, datetime] = {}
        """The deadline of which each person was told last."""
        self.wrote: dict[str, set[str]] = {who: set() for who in PEOPLE}
        """Lines that each has written himself, which may come back to him."""
        self.published: set[str] = set()
        """Orders that have been carried out, so that everybody may know them."""
        self.named = False
        """Whether a letter about the end has named everybody."""
        self.insiders: set[str] = set()
        """Who has been shown orders that are not his: masters who acted for others."""
        self.runs: dict[int, PhaseRun] = {}
        self.look(table.state())
        for seen in table.letters():
            self._note(seen)

    def look(self, state: State | None) -> None:
        """Take note of how things stand."""
        self.before = Before(state)
        if state is None:
            return
        game = state.game
        self.before.hidden = state.terms.hides_people
        if state.position is not None:
            self.before.orders = {
                power: [str(order) for order in orders] for power, orders in state.orders.items()
            }
        if game.state == "active":
            self.before.missing = frozenset(state.sheets.missing())

    # After a move

    def check(self, answered: Sequence[tuple[int, str]], texts: Sequence[str]) -> None:
        """Look at all that a move has brought: `answered` are the mails with an answer due, and
        who wrote them, `texts` what was written in them."""
        state = self.table.state()
        letters = self.table.letters()
        self._answers(answered)
        self._not_stuck(state)
        by_mail = any("process" in text.lower() or "begin" in text.lower() for text in texts)
        self._played(state, texts)
        if state is not None:
            self._runs(state, letters, texts, by_mail)
            self._promises(state, by_mail, texts)
            self._waking(state)
        for seen in letters:
            self._letter(seen, state)
            self._note(seen)
        self.look(state)

    def _answers(self, answered: Sequence[tuple[int, str]]) -> None:
        storage = self.table.storage
        for mail_id, who in answered:
            mail = storage.inbound.find(mail_id)
            assert mail is not None
            assert mail.state in ("done", "asked"), (mail.state, mail.problem)
            to = address_of(who)
            kinds = [
                letter.kind
                for letter in storage.outbound.of_mail(mail_id)
                if letter.recipient == to and letter.kind in REPLIES
            ]
            assert len(kinds) == 1, f"a mail of {who} got the answers {kinds}"

    def _not_stuck(self, state: State | None) -> None:
        held = self.table.storage.inbound.held()
        assert not held, f"a mail is held:\n{held[0].problem}" if held else ""
        if state is not None:
            for event in self.table.storage.events.of_game(state.game.id):
                assert event.what != "stuck", f"the game is stuck:\n{event.facts['problem']}"

    # Phases

    def _runs(self, state: State, letters: list[Seen], texts: Sequence[str], by_mail: bool) -> None:
        storage, game = self.table.storage, state.game
        runs = storage.history.of_game(game.id)
        names = [run.phase for run in runs]
        assert len(set(names)) == len(names), f"a phase ran twice: {names}"
        keys = [state.variant.calendar.key(Phase.read(name)) for name in names]
        assert keys == sorted(keys), f"phases ran in disorder: {names}"
        if game.phase is not None and names and game.state in ("active", "paused"):
            key = state.variant.calendar.key(Phase.read(game.phase))
            assert key > keys[-1], f"{game.phase} is open, and {names[-1]} has run"
        fresh = [run for run in runs if run.id not in self.runs]
        for run in fresh:
            self._replay(state, run)
            self.runs[run.id] = run
            for orders in run.orders.values():
                self.published.update(order.lower() for order in orders)
        positions = [run.position for run in runs]
        if game.position is not None and game.state != "forming":
            positions.append(game.position)
        centers = [_owned(position, state.variant) for position in positions]
        for earlier, later in pairwise(centers):
            assert earlier <= later, f"nobody owns {earlier - later} any more"
        voted = any("draw" in text.lower() or "concede" in text.lower() for text in texts)
        if fresh and game.state == "active" and not voted:
            drawn = [seat.power for seat in state.seats if seat.draw is not None]
            assert not drawn, f"votes of {drawn} outlive their phase"
        told: dict[tuple[str, str], int] = {}
        for seen in letters:
            if seen.letter.kind == "results":
                key_ = (seen.letter.recipient, seen.letter.subject)
                told[key_] = told.get(key_, 0) + 1
        twice = [key_ for key_, count in told.items() if count > 1]
        assert not twice or by_mail, f"results went twice to {twice}"

    def _replay(self, state: State, run: PhaseRun) -> None:
        """What has run leads where its orders lead."""
        # The rules it ran by are those before the move: no mail changes them and runs a phase.
        was = self.before.state if self.before.state and self.before.state.position else state
        variant, rulebook = was.variant, was.rulebook
        position = position_from_json(run.position)
        assert position_to_json(position) == run.position
        assert str(position.phase) == run.phase
        orders = {
            power: [
                read_order(text, variant, position.phase, power, position, rulebook)
                for text in texts
            ]
            for power, texts in run.orders.items()
        }
        assert {p: [str(each) for each in given] for p, given in orders.items()} == run.orders
        came = engine.adjudicate(variant, position, carried_out(orders), rulebook)
        runs = self.table.storage.history.of_game(state.game.id)
        place = [each.id for each in runs].index(run.id)
        after = runs[place + 1].position if place + 1 < len(runs) else state.game.position
        assert after == position_to_json(came.position), f"{run.phase} leads elsewhere"
        _sound(came.position, variant)

    def _promises(self, state: State, by_mail: bool, texts: Sequence[str]) -> None:
        """Nobody who owes orders has less time than he was told."""
        game = state.game
        if game.state == "forming":
            self.promised.clear()
        before = self.before.state
        if before is None or before.game.state != "active" or by_mail:
            return
        ran = game.phase != before.game.phase and game.state == "active"
        back = any("roll" in text.lower() or "restore" in text.lower() for text in texts)
        for power in self.before.missing:
            seat = before.seats.player(power)
            told = self.promised.get(seat.person_id or 0) if seat is not None else None
            if seat is None or told is None:
                continue
            now = self.table.clock.now()
            complete = game.state == "active" and power not in state.sheets.missing()
            if game.state == "active" and not ran and not complete:
                assert game.deadline is not None
                assert game.deadline >= told, (
                    f"{power} owes orders and was promised {told}, not {game.deadline}"
                )
            if ran and not back and not any(texts):
                # His orders were missing, and nobody wrote: so they were not in when it ran.
                assert now >= told, f"{power} was promised {told}; the phase ran at {now}"
                assert before.settings.nmr, f"{before.game.phase} ran without orders of {power}"

    def _waking(self, state: State) -> None:
        """A game in play is looked at again, and in time."""
        game = state.game
        now = self.table.clock.now()
        if game.state != "active":
            return
        needed = phases._next_look(state, now)
        if game.wake_at is None:
            assert needed is None, f"{game.phase} sleeps for ever; {needed} is due"
            assert state.settings.manual_process, f"nothing will ever happen in {game.phase}"
            return
        assert needed is None or game.wake_at <= needed, (
            f"the game wakes at {game.wake_at}, and something is due at {needed}"
        )

    # Letters

    def _note(self, seen: Seen) -> None:
        """Remember what a letter has promised."""
        person_id = seen.letter.person_id
        for kind, content in seen.files:
            found = _DUE.search(content)
            if kind == "text/calendar" and found and "METHOD:PUBLISH" in content and person_id:
                due = datetime.strptime(found[1], "%Y%m%dT%H%M%S").replace(tzinfo=UTC)
                self.promised[person_id] = due

    def _played(self, state: State | None, texts: Sequence[str]) -> None:
        """Who may know orders that are not his."""
        if state is None:
            return
        for text in texts:
            who, _, lines = text.partition(":\n")
            if re.search(r"(?i)become|predict|preview", lines):
                self.insiders.add(who)

    def wrote_lines(self, who: str, text: str) -> None:
        """Somebody has written this, and may read it again."""
        self.wrote[who].update(line.strip().lower() for line in text.splitlines())

    def _letter(self, seen: Seen, state: State | None) -> None:
        letter = seen.letter
        reader = letter.recipient.partition("@")[0]
        where = f"the letter {letter.kind} to {letter.recipient} ({letter.subject})"
        assert seen.text.strip(), f"{where} is empty"
        wrong = _TEMPLATE.search(seen.text + letter.subject)
        assert wrong is None, f"{where} has {wrong and wrong[0]} in it:\n{seen.text}"
        if letter.recipient in (KEEPER, ADDRESS):
            return
        everything = seen.all.lower()
        own = "\n".join(self.wrote.get(reader, ()))
        for address in ADDRESSES:
            if address != letter.recipient and address in everything and address not in own:
                raise AssertionError(f"{where} shows the address {address}:\n{seen.all}")
        self._names(seen, state, where, everything, own)
        self._orders(seen, state, where, _EXAMPLE.sub("", everything), own)
        self._press(seen, state, where, everything, own)

    def _names(self, seen: Seen, state: State | None, where: str, text: str, own: str) -> None:
        """In a gunboat game nobody is named whom the reader may not know."""
        if seen.letter.kind == "end":
            # A game that is rolled back after its end goes on with names that all have read.
            self.named = True
        if state is None or not (state.terms.hides_people and self.before.hidden) or self.named:
            return
        person_id = seen.letter.person_id
        if person_id is not None and identity.knows_all(state, person_id):
            return
        players = {seat.person_id for seat in state.seats if seat.role == "player"}
        for who, name in NAMES.items():
            if name not in text:
                continue
            person = self.table.storage.people.by_address(address_of(who))
            if person is None or person.id == person_id or person.id not in players:
                continue
            # Who asks about an address learns whose it is, and nothing of the game.
            known = any(each in own for each in (person.name.lower(), name, address_of(who)))
            assert known, f"{where} names {who}:\n{seen.all}"

    def _press(self, seen: Seen, state: State | None, where: str, text: str, own: str) -> None:
        """Nobody reads press that did not go to him, or to his power, or that he wrote."""
        words = [word for word in set(_WORD.findall(text)) if word not in own]
        if state is None or not words:
            return
        person_id = seen.letter.person_id
        mine = [seat for seat in state.seats if seat.person_id == person_id]
        powers = {seat.power for seat in mine if seat.power}
        ids = {seat.id for seat in state.seats if seat in mine or seat.power in powers}
        master = any(seat.role == "master" for seat in mine)
        for press in self.table.storage.press.of_game(state.game.id):
            told = ids.intersection((*press.seats, press.sender_id))
            if not any(word in press.text for word in words) or press.public or told:
                continue
            seen_by_master = press.overseen and master
            assert seen_by_master, f"{where} has press of others:\n{seen.all}"

    def _orders(self, seen: Seen, state: State | None, where: str, text: str, own: str) -> None:
        """Nobody reads what another one has on file for a phase that has not run."""
        if state is None or state.game.state != "active" or state.position is None:
            return
        reader = seen.letter.recipient.partition("@")[0]
        person = seen.letter.person_id
        roles = {seat.role for seat in state.seats if seat.person_id == person}
        if seen.letter.kind == "preview" and "master" in roles:
            # One of them has asked for it.
            self.insiders.add(reader)
        if reader in self.insiders:
            return
        mine = {seat.power for seat in state.seats if seat.person_id == person and seat.power}
        flat = " ".join(text.split())
        # What his own units were told to support, by himself or by a master for him, he may read.
        his = {str(each).lower() for power in mine for each in state.orders.get(power, ())}
        same = self.before.state is not None and self.before.state.game.phase == state.game.phase
        for power, orders in state.orders.items():
            if power in mine:
                continue
            for order in orders:
                line = str(order).lower()
                kept = same and str(order) in self.before.orders.get(power, ())
                if not kept or "waive" in line or line in self.published or line in own:
                    continue
                if line not in flat:
                    continue
                whole = rf"(?<![\w-]){re.escape(line)}(?! ?- |\s+via|[\w/])"
                found = re.search(whole, self._without(flat, his | self.published))
                assert found is None, f"{where} tells that {power} ordered {line}:\n{seen.all}"

    @staticmethod
    def _without(text: str, known: set[str]) -> str:
        """A text without the orders in it that its reader may know: one is part of another where
        a unit supports it."""
        for order in sorted(known, key=len, reverse=True):
            text = text.replace(order, "")
        return text


def _owned(position: Any, variant: Variant) -> set[str]:
    """The centers somebody owns."""
    found = [center for owned in position_from_json(position).centers.values() for center in owned]
    assert len(set(found)) == len(found), f"a center has two owners: {sorted(found)}"
    everywhere = {place.id for place in variant.board.provinces.values() if place.supply_center}
    assert set(found) <= everywhere, set(found) - everywhere
    return set(found)


def _sound(position: Any, variant: Variant) -> None:
    """No two units share a province, and after builds nobody has more units than centers."""
    places = [unit.province for units in position.units.values() for unit in units]
    assert len(set(places)) == len(places), f"two units share a province: {sorted(places)}"
    if position.phase.kind is Kind.ADJUSTMENTS:
        return
