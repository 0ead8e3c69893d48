"""What people and fate do next, by chance. A move is a plain value: a walk can be played again."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from random import Random
from typing import Any

from judge.commands import TABLE
from judge.game.state import State
from judge.rules.legal_orders import legal_orders
from judge.rules.phase import Kind
from tests.life.table import OTHERS, PEOPLE, Start, Table, address_of


@dataclass(frozen=True)
class Move:
    """One thing that happens.

    `kind` is mail (a mail, by `who`; an answer to his last letter where `answers`), killed (the
    same, but the process dies after `number` writes and starts again), robot (a vacation notice),
    twin (a mail, and what others would see had he written `other`), again (the last mail but
    `number` - 1 comes a second time), wake (time passes until something is due), pass (`number`
    hours go by), desert (nobody writes any more), outage (the judge is down for `number` hours),
    restart, bounce (his last letter comes back), lost and found (letters no longer reach him, and
    do), jam and flow (no letter is delivered, and all are), together (several mails wait at once:
    `text` has them, by writers).
    """

    kind: str
    who: str = ""
    text: str = ""
    answers: bool = True
    number: float = 0
    other: str = ""

    def __str__(self) -> str:
        shown = {key: value for key, value in asdict(self).items() if value != DEFAULTS[key]}
        return f"Move({', '.join(f'{key}={value!r}' for key, value in shown.items())})"


DEFAULTS: dict[str, Any] = {
    "kind": None,
    "who": "",
    "text": "",
    "answers": True,
    "number": 0,
    "other": "",
}

STARTS = (
    Start("hundred", 3),
    Start("hundred, NMR", 3),
    Start("hundred, NMR, QUIET, NONE, MOVE NEXT 48H GRACE 30H", 3),
    Start("hundred gunboat, WHITE/GREY", 3),
    Start("hundred gunboat, NMR, NO MINOR PRESS, GREY", 3),
    Start("hundred, UNMODERATED", 3),
    Start("hundred, UNMODERATED, NMR, NO DIAS", 3),
    Start("hundred, NO DIAS, PROXY, WHITE/GREY", 3),
    Start("hundred, MANUAL PROCESS", 3),
    Start("hundred blind", 3),
    Start("hundred, END AFTER 1430, STRICT WAIT", 3),
    Start("hundred, APPROVAL, MANUAL START", 3, joined=False),
    Start("hundred gunboat, SECRET", 3, joined=False),
    Start("hundred, NMR, RETREAT NEXT 12H, ADJUST NEXT 12H, PARTIAL MAY BE FAKED", 3),
    Start("france_austria", 2),
    Start("standard", 7),
    Start("standard gunboat, NMR, WHITE/GREY", 7),
)

GARBAGE = (
    "A Par - Nowhere",
    "hello, how are you?",
    "PHASE",
    "IF",
    "ENDIF",
    "SET DEADLINE yesterday",
    "PROCESS",
    "ROLLBACK",
    "SIGN ON fparis",
    "SIGN ON xrome wrong",
    "SET MOVE",
    "BECOME nobody",
    "\u00c4\u00d6\u00dc \u2026 \u0442\u0435\u0441\u0442",
    "-- ",
    "> A Par - Bur",
    "YES",
    "NO",
    "TAKE OVER",
    "PRESS TO Q\nhm\nENDPRESS",
    "A A A A - - -",
    "SET",
    "END",
    "",
)

DATES = ("Fri 20:00", "tomorrow 12:00", "2026-06-15 20:00", "2026-07-01 12:00", "Mon 08:00")
SPANS = ("24H", "2D", "1W", "30M")


class Fate:
    """Chooses what happens next. The same chance on the same table chooses the same."""

    def __init__(self, random: Random, start: Start) -> None:
        self.random = random
        self.start = start
        self.opening = 2 * random.choice((0, 0, 1, 2, 3))
        """Moves in which the game first goes its usual way."""

    def next(self, table: Table, state: State | None) -> Move:
        """The next move in a game that stands like this."""
        if self.opening:
            self.opening -= 1
            return Move("wake") if self.opening % 2 == 0 else self._everybody(table, state)
        choose = self.random.choices
        kinds = {
            "orders": 26, "wish": 10, "master": 14, "wake": 14, "pass": 6, "everybody": 9,
            "outage": 2, "restart": 1, "bounce": 2, "lost": 1, "jam": 1, "again": 2, "robot": 1,
            "garbage": 3, "example": 5, "stranger": 4, "press": 5, "ahead": 4, "together": 2,
        }  # fmt: skip
        kind = choose(list(kinds), list(kinds.values()))[0]
        if state is not None and state.game.state == "forming" and self.random.random() < 0.5:
            return self._forming()
        move: Move = getattr(self, f"_{kind}")(table, state)
        if move.kind == "mail" and self.random.random() < 0.06:
            return Move("killed", move.who, move.text, move.answers, self.random.randint(0, 25))
        return move

    # Fate

    def _wake(self, table: Table, state: State | None) -> Move:
        return Move("wake")

    def _pass(self, table: Table, state: State | None) -> Move:
        return Move("pass", number=self.random.choice((0.2, 1, 9, 30, 80, 200)))

    def _outage(self, table: Table, state: State | None) -> Move:
        return Move("outage", number=self.random.choice((0.03, 1, 30, 300)))

    def _restart(self, table: Table, state: State | None) -> Move:
        return Move("restart")

    def _bounce(self, table: Table, state: State | None) -> Move:
        return Move("bounce", self._anybody(), self.random.choice(("5.1.1", "5.2.2", "4.4.1")))

    def _lost(self, table: Table, state: State | None) -> Move:
        return Move(self.random.choice(("lost", "found", "found")), self._anybody())

    def _jam(self, table: Table, state: State | None) -> Move:
        return Move(self.random.choice(("jam", "flow", "flow")))

    def _again(self, table: Table, state: State | None) -> Move:
        return Move("again", number=self.random.randint(1, 3))

    def _robot(self, table: Table, state: State | None) -> Move:
        return Move("robot", self._anybody(), "I am away until Monday.")

    # People

    def _anybody(self) -> str:
        return self.random.choice([*PEOPLE[: self.start.players], *OTHERS])

    def _somebody(self, state: State | None) -> tuple[str, str | None]:
        """A player and his power; sometimes one who plays no more."""
        seats = [seat for seat in state.seats if seat.role == "player"] if state else []
        seats = [seat for seat in seats if seat.person_id is not None]
        if state is None or not seats:
            return self._anybody(), None
        seat = self.random.choice(seats)
        found = state.storage.people.addresses(seat.person_id or 0)
        return found[0].address.partition("@")[0], seat.power

    def _given(self, state: State, power: str, all_: bool) -> list[str]:
        """Orders for a power by chance: all that it owes, or some."""
        if state.position is None or power not in state.owed:
            return []
        choices = legal_orders(state.variant, state.position, power, state.rulebook)
        lines = [
            str(self.random.choice(list(options)))
            for options in choices.values()
            if options and (all_ or self.random.random() < 0.6)
        ]
        if state.position.phase.kind is Kind.ADJUSTMENTS:
            owed = state.owed[power]
            most = owed.builds + owed.removals
            self.random.shuffle(lines)
            lines = lines[:most] + ["WAIVE"] * (owed.builds - len(lines))
        return lines

    def _orders(self, table: Table, state: State | None) -> Move:
        who, power = self._somebody(state)
        if state is None or power is None:
            return Move("mail", who, "STATUS")
        lines = self._given(state, power, self.random.random() < 0.8)
        extra = self.random.random()
        if extra < 0.12:
            lines.append("SET WAIT")
        elif extra < 0.3:
            lines.append("SET NO WAIT")
        elif extra < 0.36:
            lines.insert(self.random.randint(0, len(lines)), self.random.choice(GARBAGE))
        elif extra < 0.42 and lines and state.position is not None:
            number = len(lines)
            other = self._given(state, power, True)
            if len(other) == number:
                return Move("twin", who, "\n".join(lines), other="\n".join(other))
        return Move("mail", who, "\n".join(lines) or "STATUS", self.random.random() < 0.8)

    def _everybody(self, table: Table, state: State | None) -> Move:
        """All who owe orders send them at once, so that games go on."""
        if state is None or state.position is None or state.game.state != "active":
            return Move("wake")
        texts = []
        for power in state.owed:
            seat = state.seats.player(power)
            if seat is not None and seat.person_id is not None:
                who = state.storage.people.addresses(seat.person_id)[0].address.partition("@")[0]
                lines = self._given(state, power, True)
                texts.append("\n".join((f"{who}:", *lines, "SET NO WAIT")))
        return Move("together", text="\n\n".join(texts)) if texts else Move("wake")

    def _together(self, table: Table, state: State | None) -> Move:
        texts = []
        for _ in range(3):
            move = self.random.choice((self._orders, self._wish, self._master))(table, state)
            texts.append(f"{move.who}:\n" + move.text.replace("\n\n", "\n"))
        return Move("together", text="\n\n".join(texts))

    def _wish(self, table: Table, state: State | None) -> Move:
        who, _ = self._somebody(state)
        powers = list(state.variant.powers) if state else ["France"]
        some = self.random.choice
        line = some(
            (
                "SET DRAW", "SET DRAW", "SET NO DRAW", f"SET DRAW {some(powers)}, {some(powers)}",
                f"SET CONCEDE {some(powers)}", "SET NO CONCEDE",
                "SET WAIT", "SET NO WAIT", "CLEAR NOW", "CLEAR", "STATUS", "HISTORY", "SUMMARY",
                "LIST paris", "WHO GAME", f"EXTEND {some(SPANS)}", f"SET DEADLINE {some(DATES)}",
                "SET ABSENCE 20 Jun to 24 Jun", "SET ABSENCE 3 Jun to 9 Jun",
                "SET NO ABSENCE 20 Jun", "RESIGN", "PAUSE", "RESUME", "YES", "NO", "AUDIT",
                "SET LANGUAGE de", "SET LANGUAGE fr", "SET REMINDER 24H 2H", "GET DEDICATION",
                "I AM ALSO other@people.example", "SET PASSWORD", "SIGN OFF", "HELP",
                "DIARY\nmy plan\nENDDIARY", "DIARY LIST",
            )
        )  # fmt: skip
        if line == "SET DRAW" and self.random.random() < 0.3:
            return Move("twin", who, "SET DRAW", other="SET NO DRAW")
        return Move("mail", who, line, self.random.random() < 0.7)

    def _press(self, table: Table, state: State | None) -> Move:
        who, _ = self._somebody(state)
        powers = list(state.variant.powers) if state else ["France"]
        to, fake = self.random.choice(powers), self.random.choice(powers)
        head = self.random.choice(
            (
                f"PRESS TO {to}", f"PRESS GREY TO {to}", f"PRESS TO {to} FAKE TO {fake}",
                "BROADCAST", "BROADCAST GREY", "PRESS TO M", "PRESS TO O", f"PRESS TO ALL BUT {to}",
                "POSTAL PRESS", "PRESS TO ALL", "", f"GREY PRESS TO {to}",
            )
        )  # fmt: skip
        if not head:
            # An answer to whatever he got last, which may be press.
            return Move("mail", who, f"Let us talk about that, {self._word()}.")
        text = f"{head}\nWe should talk, {self._word()}.\nENDPRESS"
        return Move("mail", who, text, self.random.random() < 0.5)

    def _word(self) -> str:
        """A word that is written once only."""
        return f"qq{self.random.randrange(10**9)}"

    def _ahead(self, table: Table, state: State | None) -> Move:
        who, power = self._somebody(state)
        if state is None or state.position is None or power is None:
            return Move("mail", who, "PHASE S1902M")
        phase = state.position.phase
        for _ in range(self.random.randint(1, 3)):
            phase = state.variant.calendar.next(phase)
        units = state.position.units.get(power, ())
        lines = [f"PHASE {phase}"]
        lines += [f"{unit} H" for unit in units if self.random.random() < 0.7]
        if units and self.random.random() < 0.4:
            lines += [f"IF {units[0]}", f"{units[0]} H", "ELSE", "SET WAIT", "ENDIF"]
        return Move("mail", who, "\n".join(lines))

    def _stranger(self, table: Table, state: State | None) -> Move:
        who = self.random.choice(OTHERS[1:])
        powers = list(state.variant.powers) if state else ["France"]
        open_ = (state.powers.open() if state and state.position else None) or powers
        text = self.random.choice(
            (
                f"TAKE OVER {self.random.choice(open_)}@paris", "TAKE OVER paris", "OBSERVE paris",
                "JOIN paris", "SET STANDIN", "LIST", "HISTORY paris", "SUMMARY paris", "RESIGN",
                f"TAKE OVER {self.random.choice(open_)}@paris",
                "WHO GAME paris", "BROADCAST\nHello from the gallery\nENDBROADCAST",
            )
        )  # fmt: skip
        return Move("mail", who, text, self.random.random() < 0.5)

    def _garbage(self, table: Table, state: State | None) -> Move:
        lines = self.random.choices(GARBAGE, k=self.random.randint(1, 4))
        return Move("mail", self._anybody(), "\n".join(lines), self.random.random() < 0.5)

    def _example(self, table: Table, state: State | None) -> Move:
        """The example of any command at all, by anybody, most often by who may give it."""
        command = self.random.choice(TABLE.commands)
        who = "max" if command.who == "masters" else self._anybody()
        if self.random.random() < 0.1:
            who = self._anybody()
        return Move("mail", who, command.example)

    def _master(self, table: Table, state: State | None) -> Move:
        some = self.random.choice
        powers = list(state.variant.powers) if state else ["France"]
        power = some(powers)
        ran = [run.phase for run in table.storage.history.of_game(1)] if state else []
        phase = state.game.phase if state and state.game.phase else "S1901M"
        lines: list[str] = []
        if state is not None and state.position is not None:
            lines = self._given(state, power, True)
        text = some(
            (
                f"PROCESS {phase}", f"PROCESS {phase}", f"PROCESS {some(ran or [phase])}",
                f"ROLLBACK {some(ran or [phase])}", f"ROLLBACK {(ran or [phase])[-1]}",
                "RESTORE", "RESTORE", "PAUSE", "RESUME", "RESUME", "PREDICT",
                f"DUMMY {power}", f"REVIVE {power}", f"EJECT {power}",
                "\n".join((f"BECOME {power}", *lines)),
                f"BECOME {power}\n{some(('SET WAIT', 'SET DRAW', 'RESIGN', 'STATUS'))}",
                "\n".join(lines) or "STATUS",
                f"SET DEADLINE {some(DATES)}", f"SET GRACE {some(DATES)}", f"EXTEND {some(SPANS)}",
                f"SET START {some(DATES)}", "OFFICIAL news\nHello all.\nEND",
                "YES", "NO", "YES", "STATUS", "AUDIT", "FORCE BEGIN", "START", "UNSTART",
                f"SET MOVE NEXT {some(SPANS)}", "SET NMR", "SET NO NMR", "SET QUIET",
                "SET UNMODERATED", "SET MODERATED", "SET MANUAL PROCESS", "SET AUTO PROCESS",
                "SET STRICT WAIT", "SET PROXY", "SET NONE", "SET WHITE/GREY", "SET NO DIAS",
                "SET DIAS", "SET POSTAL PRESS", "SET ALL PRESS", "SET APPROVAL",
                f"SET APPROVED {power}", f"SET NOT APPROVED {power}", "SET MINOR PRESS",
                f"PROMOTE {address_of('oona')}", f"SET CENTERS {some((4, 6, 9))}",
                "SET TIME LIMIT 5D", f"SET END AFTER {phase[:-1]}", "SET RULES 1976",
                f"INFO PLAYER {address_of('bob')}", "SET MAX ABSENCE 2", "SET DAILY",
            )
        )  # fmt: skip
        if ran and self.random.random() < 0.25:
            text = some((f"ROLLBACK {some(ran)}", f"ROLLBACK {ran[-1]}", "RESTORE"))
        if self.random.random() < 0.03:
            text = some(("TERMINATE paris", "PURGE paris", "REVEAL"))
        who = "max"
        if state is not None and not state.game.moderated and self.random.random() < 0.7:
            who, _ = self._somebody(state)
        elif self.random.random() < 0.08:
            who = self._anybody()
        return Move("mail", who, text, self.random.random() < 0.9)

    def _forming(self) -> Move:
        """Somebody joins, or the master lets it begin."""
        some = self.random.choice
        if self.random.random() < 0.2:
            return Move("mail", "max", some(("START", "FORCE BEGIN", "YES", "SET APPROVED A")))
        text = some(("JOIN paris", "JOIN paris\nSET PREFERENCE FEB", "SET PREFERENCE *", "RESIGN"))
        return Move("mail", self._anybody(), text, answers=False)
