"""What each line of a mail is: a command, an order, press, or talk. Nothing is carried out here.

The daemon processes a mail by these lines, `judge read` prints them: both see the same.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace
from rapidfuzz.distance import OSA

from judge.game.orders.interpret import InterpretedOrder, ask
from judge.game.orders.later import Path
from judge.game.orders.order_context import OrderContext
from judge.game.state.answers import Answer
from judge.i18n import Message
from judge.intake import blocks
from judge.intake.addressees import JUDGE, MASTER, is_for_others
from judge.intake.command import (
    Command,
    CommandTable,
    arguments_of,
    command_in_english,
    end_in_english,
)
from judge.intake.labels import Label, label_of, trailing_game
from judge.intake.wishes import asks
from judge.language.speech import is_around, is_broken, is_idiom, is_told, speaks
from judge.language.vocabulary import tokens, unmarked, without_thanks
from judge.limits import BOUNDS
from judge.rules.phase import Phase

_BULLET = re.compile(r"\A(?:[*•·‣◦–-]\s+|\d{1,2}[.)]\s+)(?=\S)")

_LETTER = 80

SIGN_OFF = "signoff"

Kind = Literal["order", "command", "press", "text", "unknown"]
"""`text` is talk that is left alone, `unknown` was meant for the judge but cannot be used."""


class Line(Struct, frozen=True):
    """A line, or the part of one that is an order or a setting by itself, and what it was read as.

    `read` is canonical. `problem` names the template that says why it cannot be used, `offers`
    are lines that would be accepted instead. `asked` is the order; `command` is there where one
    begins, not on the further lines of its block, which are in `block`, and `arguments` is what
    stands behind its words. `later` is the phase that it is for, if not the one that is open,
    `path` the branches of IF that it stands in.
    """

    text: str
    kind: Kind
    read: str | None = None
    problem: Answer | None = None
    offers: tuple[str, ...] = ()
    asked: InterpretedOrder | None = None
    command: Command | None = None
    arguments: str = ""
    block: tuple[str, ...] = ()
    later: Phase | None = None
    path: Path = ()
    label: Label | None = None
    """What it says of the lines below it, if it is a label."""
    game: str = ""
    """Which of the writer's games it is for, if it says so itself."""
    dated: bool = False
    """Whether a line above says that it is for the phase that is open."""
    rows: range = range(0)
    """Where it stands in the text, by number."""
    below: bool = False
    """Whether it belongs to the block of the command above it."""
    doubt: Answer | None = None
    """Why to ask before its block is sent, which has no end."""


def end_mark(line: str) -> str:
    """`line` as an end mark is compared: letters and digits only, in lower case."""
    return re.sub(r"[\W_]+", "", line).lower()


def is_end(mark: str, ends: Sequence[str]) -> bool:
    """Return whether a mark is one of `ends`, or a longer one misspelled; they begin alike."""
    if mark in ends:
        return True
    if mark[:1] != "e" or not _SHORTEST_MARK <= len(mark) <= _LONGEST_MARK:
        return False

    return any(OSA.distance(mark, end) == 1 for end in ends if len(end) >= _SHORTEST_MARK)


_SHORTEST_MARK, _LONGEST_MARK = 7, 14
"""Letters of an end mark that is not merely short (`END`)."""


def meant(line: str) -> str:
    """Return what counts of a line, bullets and numbers cut; "" for blanks, quotes, comments."""
    line = line.replace("\N{NO-BREAK SPACE}", " ").strip()
    if line.startswith((">", "//")):
        return ""
    if len(line) > 1 and line[0] == line[-1] == "|":
        # A row of a table.
        line = " ".join(line.split("|")).strip(" -:")
    return _BULLET.sub("", line, count=1)


def read_lines(text: str, table: CommandTable, turn: Callable[[], OrderContext]) -> Iterator[Line]:
    """Yield the lines of a mail's text in order, blank lines and comments left out. `turn` is asked
    anew for each line, so that anyone who carries a command out before he takes the next line may
    change what the lines after it are about."""
    every = [line.rstrip() for line in text.splitlines()]
    total = accumulate(map(len, every[: BOUNDS.lines]))
    fitting = (at for at, length in enumerate(total) if length > BOUNDS.text)
    # Of text the first line at least is read.
    most = max(1, next(fitting, min(len(every), BOUNDS.lines)))
    reader = _TextLines(every[:most], table, turn)
    if not any(map(meant, every)):
        # An empty answer asks how things stand.
        status = table.find_words("status")
        if status is not None:
            yield Line("", "command", status.name, command=status)
        return
    yield from reader.read()
    if most < len(every) and reader.place >= len(reader.lines):
        yield _too_long(every[most], most)


def _too_long(line: str, row: int) -> Line:
    """Return the line at which reading ends."""
    problem = Answer("too_long", {"lines": row})
    return Line(line.strip(), "unknown", problem=problem, rows=range(row, row + 1))


def is_talk(line: Line) -> bool:
    """Return whether a line is ordinary text."""
    return line.kind == "text" and not (line.label and line.label.binds) and not line.below


def acts(text: str, table: CommandTable, turn: Callable[[], OrderContext]) -> bool:
    """Return whether a text has a line that is no ordinary text. What is attached to a mail counts
    only where its text has none: with orders in the body, an attached text is an illustration;
    without, it has the orders."""
    return any(line.text and line.kind != "text" for line in read_lines(text, table, turn))


class _TextLines(Struct):
    lines: list[str]
    table: CommandTable
    turn: Callable[[], OrderContext]
    place: int = 0
    power: str | None = None
    """The power that a heading or a sign-on named for the lines that follow."""
    block: blocks.Block = field(default_factory=blocks.Block)
    """The PHASE and the IFs that the lines stand under."""
    left: int = BOUNDS.words
    """Words that may still be read."""
    brief: int | None = None
    """The line below an IF or ELSE that has its order on its own line."""
    acted: bool = False
    """Whether the line right above was an order or a command."""
    ordered: set[str] = field(default_factory=set)
    """The provinces whose units the lines above have orders for."""
    before: str = ""
    """The order above, which the next line may speak of."""
    joined: int = 0
    """How many lines without an order were read with the next one, too."""
    withheld: Answer | None = None
    """Why lines below a label are not carried out, if they are not."""
    paragraph: bool = False
    """Whether that ends with the paragraph."""
    owned: Label | None = None
    """Whose the orders of the line are, where it begins with that."""
    letter: bool = False
    """Whether the lines stand in a letter to others, in which sentences tell of orders."""
    _going_on: list[bool] | None = None
    """What `going_on` says of the last lines."""
    _rows: list[int] = field(default_factory=list)
    """Where each line stands in the text: what is put in shares the row of the line above."""

    def __post_init__(self) -> None:
        self._rows.extend(range(len(self.lines)))

    def read(self) -> Iterator[Line]:
        while self.place < len(self.lines):
            text = meant(self.lines[self.place])
            if not text:
                self.place += 1
                self.acted = False
                if self.paragraph:
                    self.withheld, self.paragraph = None, False
                continue
            if self.place >= BOUNDS.lines or self.left < 0:
                yield _too_long(self.lines[self.place], self._rows[self.place])
                return
            self._end_brief()
            start = self.place
            self.place += 1
            # What is one letter here may be many where it is spelled out.
            full = len(text if text.isascii() else unicodedata.normalize("NFKC", text))
            if full > BOUNDS.line:
                if not self.block.opens(text):
                    yield Line(text, "text", rows=self._from(start))
                    continue
                text = text[: BOUNDS.line]
            turn = self.turn()
            parts = self._trailed(text, turn) or self._commands(text)
            parts = self._labelled(text, turn) if parts is None else parts
            if parts is None:
                found = self._no_commands(text)
                yield from (replace(line, rows=self._from(start)) for line in found)
                continue
            for line in (replace(part, rows=self._from(start)) for part in parts):
                if line.command is None:
                    yield line
                    continue
                before = self.place
                whole = self._unheld(self._followed(self._with_block(line)))
                self.left -= _LETTER if line.command.ends else 0
                yield whole
                if line.command.stops:
                    return
                # The further lines of its block are listed, too.
                for row in range(before, self.place):
                    if below := self.lines[row].strip():
                        rows = range(self._rows[row], self._rows[row] + 1)
                        yield Line(below, whole.kind, below, rows=rows, below=True)
            self.acted = True

    def _no_commands(self, text: str) -> list[Line]:
        """Return what a line is that has no command: orders, or ordinary text."""
        (wanted, crossed), held = unmarked(text), self.withheld
        self.withheld = Answer("below_label", {"label": crossed}) if crossed else held
        orders, self.withheld = self._orders(wanted), held
        found = orders or [self._other(text)]
        questions = any(each.asked and each.asked.question for each in orders)
        if any(each.kind == "unknown" for each in found) and not any(x.offers for x in orders):
            # Plain words that have the form of none.
            found = [Line(text, "text")] if questions or asks([text]) else found
        self.acted = any(line.kind in ("order", "unknown") for line in found)
        self.before = next((line.read for line in found[::-1] if line.read), self.before)
        self.ordered |= {line.asked.place for line in found if line.asked and line.asked.place}
        return found

    def _from(self, start: int) -> range:
        """Return the rows of the lines from `start` on that have been read."""
        return range(self._rows[start], self._rows[self.place - 1] + 1)

    # -- commands

    def _commands(self, text: str) -> list[Line] | None:
        """Return commands of a line: one, or several settings with commas; None when it is none."""
        written, text = text, command_in_english(text)
        if not text.isascii():
            # Keyboards of other scripts have letters of their own for ours.
            text = unicodedata.normalize("NFKC", text)
        if self.block.conditional and (behind := blocks.ELSE.fullmatch(text.strip())):
            self._insert_brief(behind["rest"])
            written = text = "ELSE"
        head = _SET.match(text)
        if head is None or is_idiom(text):
            return self._one_command(text, written)
        elsewhere = self.table.find(text) if written != text else None
        if elsewhere and not elsewhere[0].is_meant(elsewhere[1], written, self.turn().variant):
            return None
        parts: list[Line] = []
        for number, piece in enumerate(self._settings(text, head.end())):
            if number and not without_thanks(piece.strip()):
                continue
            part = "SET " + _SET.sub("", piece.strip())
            shown = head[0] + piece if number == 0 else part
            found = self.table.find(part)
            before = parts[-1] if parts else None
            if found is not None:
                parts.append(self._command(shown, *found))
            elif before and before.command and not before.command.bare:
                # No setting of its own: the comma belongs to the arguments before it.
                arguments = arguments_of(before.command, f"{before.arguments},{piece}")
                parts[-1] = self._command(f"{before.text},{piece}", before.command, arguments)
            else:
                parts.append(self._no_command(part, shown))
        if len(parts) == 1:
            parts = [replace(parts[0], text=written)]
        return parts

    def _settings(self, text: str, start: int) -> list[str]:
        """Return the parts of a line from `start` on that can be settings of their own."""
        whole = self.table.find(text)
        # A text has commas of its own.
        most = 0 if whole and whole[0].arguments[-1:] == ("text",) else _MOST_SETTINGS
        return text[start:].split(",", most)

    def _one_command(self, text: str, written: str) -> list[Line] | None:
        """Return the command that a line is, which was `written` so; None when it is none."""
        found = self.table.find(text)
        if found is None:
            return None
        command, arguments = found
        if command.frames:
            meant_so = blocks.is_meant(command, arguments, text, self.block, self.turn())
        else:
            meant_so = command.is_meant(arguments, written, self.turn().variant)
        return [self._command(written, *found)] if meant_so else None

    def _labelled(self, text: str, turn: OrderContext) -> list[Line] | None:
        """Return what a label says of lines below it, as SIGN ON or PHASE; None for none."""
        label = label_of(text, turn, below=bool(self.ordered))
        if label is None or label.ours:
            self.withheld = None if label else self.withheld
            return None
        heading = Line(text, "text", label=label)
        if not (label.binds or label.for_reader):
            # It may stand in a letter, too.
            if self.place < 2 or not meant(self.lines[self.place - 2]):
                self.withheld = None
            return [heading]
        self.withheld, self.paragraph = None, False
        if label.for_reader:
            self.withheld, self.paragraph = Answer("below_label", {"label": text}), bool(label.rest)
            self.letter = self.letter or not label.rest
            return [heading]
        if label.power and label.rest and not (label.game or label.phase):
            # It says whose the orders of its own line are.
            self.owned = label
            return None
        self._insert(label.rest)
        if (refusal := label.refusal(turn)) is not None:
            self.withheld = Answer("below_label", {"label": text})
            return [replace(heading, kind="unknown", problem=refusal[0], offers=refusal[1])]
        found = self.table.find(label.command(turn, self.block.phase))
        self.block.said |= label.phase is not None and label.phase == turn.phase
        self.power = label.power or self.power
        return [replace(self._command(text, *found), label=label)] if found else [heading]

    def _trailed(self, text: str, turn: OrderContext) -> list[Line] | None:
        """Return a command with the game behind it that it is for."""
        for before, game in trailing_game(text, turn):
            if (found := self.table.find(before)) is not None and found[0].bare:
                return [replace(self._command(text, *found), game=game)]
        return None

    def _command(self, text: str, command: Command, arguments: str) -> Line:
        kind: Kind = "press" if command.group == "press" else "command"
        read = f"{command.name} {arguments}".rstrip()
        problem = command.wrong and command.wrong(self.turn().variant, arguments)
        return Line(text, kind, read, problem, command=command, arguments=arguments)

    def _with_block(self, line: Line) -> Line:
        """Return the command with the lines that belong to it, which count as read then."""
        assert line.command is not None
        if not line.command.ends:
            return line
        block: list[str] = []
        while self.place < len(self.lines):
            text = self.lines[self.place]
            mark = end_in_english(end_mark(text))
            # SIGN OFF ends the mail as well, so it is left to be read.
            if mark == SIGN_OFF:
                break
            if is_end(mark, line.command.ends):
                self.place += 1
                return replace(line, block=tuple(block))
            if line.command.takes is not None and not line.command.takes(text):
                break
            if line.command.group == "press" and self._opens_press(meant(text)):
                # Its readers are not to read what is for others.
                break
            block.append(text)
            self.place += 1
        if line.command.open_end is None:
            return replace(line, block=tuple(block))
        self.left -= len(tokens(" ".join(block)))
        left, doubt = line.command.open_end(block, self.table, self.turn, self.left < 0)
        self.place -= len(block) - left
        return replace(line, block=tuple(block[:left]), doubt=doubt)

    def _opens_press(self, text: str) -> bool:
        """Return whether a line names the readers of the lines below it, and says nothing else."""
        if len(text) > _LONGEST_HEADING:
            return False
        found = self.table.find(command_in_english(text))
        command, readers = found or (None, "")
        if command is None or command.group != "press" or command.wrong is None or not readers:
            return False
        return command.wrong(self.turn().variant, readers) is None

    def _no_command(self, text: str, shown: str) -> Line:
        """Return a line that was meant as a command, and is none."""
        mended = self.table.mend(text)
        # Anyone who is in no game cannot mean what those in one do.
        here = self.turn().games or self.turn().position
        if mended is None or not (here or mended[0].who in ("anybody", "people")):
            return Line(shown, "unknown", None, Answer("no_command"), ("HELP",))
        command, line = mended
        facts = {"near": command.name, "summary": Message(command.summary)}
        return Line(shown, "unknown", None, Answer("near_command", facts), (line,))

    def _followed(self, line: Line) -> Line:
        """Return the command as it stands under PHASE and IF; note what it says of lines below."""
        command = line.command
        assert command is not None
        frame, turn = command.frames, self.turn()
        if frame:
            if frame in ("if", "else if", "else"):
                arguments, rest = blocks.cut_then(line.arguments) if frame != "else" else ("", "")
                line = replace(line, arguments=arguments)
                self._insert_brief(rest)
            if frame == "phase":
                # What stands on the line behind the phase is a line of its own.
                arguments, rest = blocks.cut_phase(line.arguments, turn)
                line = replace(line, arguments=arguments)
                self._insert(rest)
            problem, read = self.block.begin(frame, line.arguments, turn)
            line = replace(line, problem=problem, read=read)
        elif command.enters:
            self.power = blocks.signed_on(line.arguments, turn)
            self.block = blocks.Block()
        elif self.block.conditional and not (
            # What belongs to the phase, or acts on nothing, may stand under IF.
            command.asks or command.harmless or command.may_hang or command.group == "press"
        ):
            line = replace(line, problem=Answer("not_in_if"))
        return replace(line, later=self.block.phase, path=self.block.path)

    def _unheld(self, line: Line) -> Line:
        """Return the command, unless a label above it leaves open whether it is carried out."""
        command = line.command
        assert command is not None
        if command.enters or command.frames or (command.group == "press" and self.letter):
            self.withheld = None
        if self.withheld is None or command.asks or command.harmless or line.problem is not None:
            return line
        offers = () if line.block or line.read is None else (line.read,)
        return replace(line, kind="unknown", command=None, problem=self.withheld, offers=offers)

    def _insert_brief(self, rest: str) -> None:
        """Let the orders on the line of an IF or ELSE, and an ELSE behind them, be lines."""
        if other := blocks.INNER_ELSE.search(rest):
            self._insert(f"ELSE {other['rest']}")
            rest = rest[: other.start()]
        if rest:
            self._insert(rest)
            self.brief = self.place + 1

    def _insert(self, rest: str) -> None:
        """Let the rest of a line be the next one."""
        if rest:
            self.lines.insert(self.place, rest)
            self._rows.insert(self.place, self._rows[self.place - 1])

    def _end_brief(self) -> None:
        """Close an IF that had its orders on its own line, unless what follows belongs to it."""
        if self.brief is None or self.place < self.brief:
            return
        self.brief = None
        if blocks.going_on([self.lines[self.place]])[0]:
            return
        if self._going_on is None:
            below = [command_in_english(line.strip()) for line in self.lines[self.place :]]
            self._going_on = blocks.going_on(below)
        # What is put in stands above the lines that are left.
        left = len(self.lines) - self.place
        if not (left and self._going_on[-left]):
            self.block.close()

    # -- orders

    def _orders(self, text: str) -> list[Line]:
        """Return the orders of a line, and of the lines it goes on in; [] when it is none."""
        turn = self.turn()
        if is_told(text) and (self.letter or self._heads_letter(text, surely=False)):
            return []
        self.left -= len(tokens(text))
        owned, self.owned = self.owned, None
        found = self._read_orders(owned.rest, turn, owned.power) if owned else []
        found[:1] = [replace(each, text=text) for each in found[:1]]
        found = found or self._read_orders(text, turn)
        # A program that breaks long lines may do so in the middle of an order.
        while self.left > 0 and (found or self.joined < _MOST_JOINED) and self._is_broken(text):
            more = meant(self.lines[self.place])
            self.left -= len(tokens(text)) if found else 0
            self.joined += not found
            joined = self._read_orders(f"{text} {more}", turn)
            good = [line.read for line in joined if line.kind == "order"]
            same = good == [line.read for line in found]
            if not good or len(good) < max(len(joined), len(found)) or same:
                # They are no order by what they say together.
                break
            if _are_good(found) and _are_good(self._read_orders(more, turn)):
                # Each stands by itself.
                break
            text, found = f"{text} {more}", joined
            self.place += 1
        return found

    def _read_orders(self, text: str, turn: OrderContext, power: str = "") -> list[Line]:
        block = self.block
        above = frozenset(self.ordered) or turn.ordered
        turn = replace(turn, ordered=above)
        trouble = block.trouble(turn)
        read = ask(text, turn, power or self.power, block.phase, self.before)
        found = [Line(a.text, a.kind, a.read, a.problem, a.offers, a) for a in read]
        stands = {"later": block.phase, "path": block.path, "dated": block.said}
        return [self._held(replace(each, **stands), trouble, turn) for each in found]

    def _held(self, line: Line, trouble: Answer | None, turn: OrderContext) -> Line:
        """Return an order below what was not used, or beside the name of another game."""
        if line.kind == "text":
            return line
        if trouble is not None:
            offers = (line.read,) if line.read and self.block.lost else ()
            return replace(line, problem=trouble, offers=offers)
        others = {*turn.games} - {turn.game}
        left = line.asked.left if line.asked else ()
        other = next((each for each in left if each.lower() in others), "")
        why = Answer("below_label", {"label": other}) if other else self.withheld
        if why is None or line.read is None or line.problem is not None:
            return line
        return replace(line, problem=why, offers=(line.read,))

    def _is_broken(self, text: str) -> bool:
        """Return whether the next line may be the rest of this: its first word had no room."""
        if self.place >= len(self.lines):
            return False
        above, more = self.lines[self.place - 1], meant(self.lines[self.place])
        if not is_broken(above, more) or max(len(above), len(text) // _JOINS) > _WIDEST:
            return False
        return self._commands(more) is None

    # -- the rest

    def _heads_letter(self, text: str, *, surely: bool) -> bool:
        """Return whether a line heads a letter to other players."""
        turn = self.turn()
        ours = (JUDGE, MASTER, *(turn.powers or ()))
        return is_for_others(turn.heard(text), turn.variant, ours, surely=surely)

    def _other(self, text: str) -> Line:
        """Return a line that is neither command nor order: meant for us but wrong, or talk."""
        self.letter = self.letter or self._heads_letter(text, surely=True)
        heads = text.endswith(":")
        mended = None if heads or self.table.find(text) or is_idiom(text) else self.table.mend(text)
        if mended is not None:
            # Words behind a misspelled command's name may make a sentence of it.
            command, line = mended
            words = text.split()
            trails = len(words) > len(line.split()) if command.bare else speaks(" ".join(words[1:]))
            if text.isupper() or not trails:
                return self._no_command(text, text)
        if self.acted and _SINGLE_WORD.fullmatch(text) and not is_around(text):
            after = meant(self.lines[self.place]) if self.place < len(self.lines) else ""
            if after and (self._commands(after) or self._read_orders(after, self.turn())):
                # One word by itself right between orders is no talk.
                return Line(text, "unknown", None, Answer("no_line"), ())
        return Line(text, "text")


_SET = re.compile(r"\Aset\b\s*(?:the\s+)?", re.IGNORECASE)
_MOST_SETTINGS = 50
"""Commas in a line of settings at which it is parted."""

_MOST_JOINED, _JOINS = 40, 5
"""Lines of prose in the middle of which an order may begin that goes on in the next line, and the
widest lines that orders may go on over."""

_WIDEST = 200
"""Columns at which programs that break lines do so at the latest."""

_SINGLE_WORD = re.compile(r"[^\W\d_]{3,}")
_LONGEST_HEADING = 60


def _are_good(lines: Sequence[Line]) -> bool:
    """Return whether lines are orders that are taken as they stand."""
    return bool(lines) and all(line.kind == "order" and line.problem is None for line in lines)
