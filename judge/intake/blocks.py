"""PHASE and IF while a mail is read: which phase, and under what conditions, its lines are for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct, field

from judge.game.orders.later import Branch, Path, is_so, path_text
from judge.game.orders.order_context import OrderContext
from judge.game.state.answers import Answer, Refused
from judge.intake.command import Command, Frame
from judge.language.misreadings import ReadError
from judge.language.names import Names
from judge.language.phase_names import read_condition, read_phase
from judge.language.speech import is_polite
from judge.limits import BOUNDS
from judge.rules.phase import Phase
from judge.sentences import Wording


def phase_named(text: str, turn: OrderContext) -> Phase | None:
    """Return the later phase that stands behind PHASE; None for the one that is open. Raises
    Refused for what is no phase, one that is over, and one too far ahead."""
    text = text.strip(" .:;,")
    now = turn.phase
    if text.lower() == "now":
        return None
    try:
        phase = read_phase(text, turn.variant)
    except ReadError as error:
        problem = Wording(error.problem, turn.variant)
        raise Refused("bad_phase", write=now and f"PHASE {now}", problem=problem) from None
    if now is None:
        return phase
    calendar = turn.variant.calendar
    if calendar.key(phase) < calendar.key(now):
        raise Refused("past_phase", write=f"PHASE {now}", named=phase.words, phase=str(now))
    if abs(phase.year - now.year) > BOUNDS.years_ahead * abs(calendar.years):
        raise Refused("far_phase", named=phase.words, years=BOUNDS.years_ahead)
    return None if phase == now else phase


class Block(Struct):
    """What the lines that are read now stand under. `phase`: as `phase_named` says; `lost`: why
    lines here cannot be used, because the PHASE, IF or ELSE above them could not."""

    phase: Phase | None = None
    said: bool = False
    """Whether a line names the phase that is open for what stands below it."""
    _lost: Answer | None = None
    _branches: list[Branch | None] = field(default_factory=list)
    """The branches that are open; None for one whose condition could not be read."""

    @property
    def path(self) -> Path:
        """The branches that lines here stand in."""
        return tuple(branch for branch in self._branches if branch is not None)

    @property
    def lost(self) -> bool:
        """Whether a PHASE that could not be used stands above."""
        return self._lost is not None

    @property
    def conditional(self) -> bool:
        """Whether an IF is open."""
        return bool(self._branches)

    def opens(self, line: str) -> bool:
        """Return whether a line that is too long to be read begins with an IF in this place."""
        return (self.phase is not None or self.conditional) and _IF.match(line) is not None

    def trouble(self, turn: OrderContext) -> Answer | None:
        """Return why an order that stands here is not taken, None where it is."""
        if self._lost is not None:
            return self._lost
        if None in self._branches:
            return Answer("condition_lost")
        if self.phase is not None or not self._branches:
            return None
        facts = {"condition": path_text(self.path)}
        if turn.position is None:
            return Answer("condition_unknown", facts)
        return None if is_so(self.path, turn.position) else Answer("condition_false", facts)

    def close(self) -> None:
        """End the innermost IF: its line held its order."""
        if self._branches:
            self._branches.pop()

    def begin(self, frame: Frame, arguments: str, turn: OrderContext) -> tuple[Answer | None, str]:
        """Go on below a line PHASE, IF, ELSE IF, ELSE or ENDIF. Why it cannot be used, None if it
        can; and the line in canonical form."""
        read = f"{frame.upper()} {' '.join(arguments.split())}".rstrip()
        try:
            match frame:
                case "phase":
                    self._lost, self._branches = Answer("phase_lost"), []
                    self.phase = phase_named(arguments, turn)
                    self._lost, self.said = None, self.phase is None
                    read = f"PHASE {self.phase or turn.phase or 'NOW'}"
                case "if":
                    self._branches.append(None)
                    if len(self._branches) > BOUNDS.conditions:
                        raise Refused("too_many_ifs", most=BOUNDS.conditions)
                    self._branches[-1] = branch = self._branch((), arguments, turn)
                    read = f"IF {branch[-1]}"
                case "else if":
                    before = self._before(frame)
                    self._branches[-1] = branch = self._branch(before, arguments, turn)
                    read = f"ELSE IF {branch[-1]}"
                case "else":
                    self._branches[-1] = (*self._before(frame), None)
                case "end if":
                    read = "ENDIF"
                    if not self._branches:
                        raise Refused("no_if", words=read)
                    self._branches.pop()
        except Refused as refused:
            return refused.answer, read
        return None, read

    def _before(self, words: str) -> Branch:
        """Return the conditions before an ELSE; from here on nothing counts by itself."""
        if not self._branches:
            self._branches.append(None)
            raise Refused("no_if", words=words.upper())
        before = self._branches[-1]
        self._branches[-1] = None
        if before is None:
            raise Refused("condition_lost")
        if before[-1] is None:
            raise Refused("after_else", words=words.upper())
        return before

    def _branch(self, before: Branch, text: str, turn: OrderContext) -> Branch:
        if not turn.conditions:
            raise Refused("no_conditions")
        try:
            # Of the open phase a sentence may mean what comes of it, which nobody knows yet.
            spoken = self.phase is not None
            return (*before, read_condition(without_then(text), turn.variant, spoken=spoken))
        except ReadError as error:
            problem = Wording(error.problem, turn.variant)
            raise Refused("bad_condition", problem=problem) from None


def without_then(text: str) -> str:
    """Return what stands behind IF, without a THEN or a colon at its end."""
    text = text.strip(" .,:;")
    return text[: -len("then")].strip(" ,") if text.lower().endswith(" then") else text


_THEN = re.compile(
    # Each run of signs is looked at once.
    r"(?P<condition>.+?)(?:(?<![\s,:])[\s,:]++then\b[\s,:]*|(?<!\s)\s*+:\s*)(?P<rest>\S.*)",
    re.IGNORECASE,
)
ELSE = re.compile(r"else\b(?!\s*if\b)[\s,:]*(?P<rest>[^\W_].*)", re.IGNORECASE)
INNER_ELSE = re.compile(r"[\s,;:.]++(?:else|otherwise)\b[\s,:]*(?P<rest>\S.*)", re.IGNORECASE)
_ANY_ELSE = re.compile(r"(?:else|elsif|elif)\b", re.IGNORECASE)
_PHASE = re.compile(r"phase\b", re.IGNORECASE)
_END = re.compile(r"end\s*if\b", re.IGNORECASE)


def cut_then(arguments: str) -> tuple[str, str]:
    """Return what stands behind IF in two: the condition, and the orders on the same line, "" if
    none (`F Kie THEN A Ber - Kie`)."""
    found = _THEN.fullmatch(arguments.strip())
    return (found["condition"], found["rest"]) if found else (arguments, "")


def going_on(lines: Sequence[str]) -> list[bool]:
    """For each line, whether an IF or ELSE with its order on the line above it goes on from there
    on: with another branch, or down to an ENDIF of its own."""
    found: list[bool] = []
    ends, branch = 0, False
    for line in map(str.strip, reversed(lines)):
        if line:
            branch = _ANY_ELSE.match(line) is not None
        if _PHASE.match(line):
            ends = 0
        elif _END.match(line):
            ends += 1
        elif _IF.match(line) and not branch and not is_polite(line):
            ends = max(0, ends - 1)
        found.append(branch or ends > 0)
    return found[::-1]


def is_meant(command: Command, arguments: str, line: str, block: Block, turn: OrderContext) -> bool:
    """Return whether a line that begins with PHASE or IF is that command, and no sentence."""
    if command.frames == "phase":
        arguments, _ = cut_phase(arguments, turn)
        return command.is_meant(arguments, line, turn.variant)
    if command.frames != "if" or block.phase is not None or block.conditional:
        return not is_polite(line)
    arguments = without_then(cut_then(arguments)[0])
    return not is_polite(line) and command.is_meant(arguments, line, turn.variant)


def cut_phase(arguments: str, turn: OrderContext) -> tuple[str, str]:
    """Return what stands behind PHASE in two: the phase, and what follows it (`F1903M: A Par -
    Bur`)."""
    marks = _MARK.finditer(arguments, 0, _LONGEST_PHASE)
    for end in (len(arguments), *(mark.start() for mark in marks)):
        try:
            read_phase(arguments[:end].strip(" .:;,"), turn.variant)
        except ValueError:
            continue
        return arguments[:end], arguments[end + 1 :].strip()
    return arguments, ""


_IF = re.compile(r"(?:else\s*)?if\b", re.IGNORECASE)
_MARK = re.compile(r"[:;,]")
_LONGEST_PHASE = 60
"""Characters in which a phase ends that something follows on its line."""


def signed_on(arguments: str, turn: OrderContext) -> str | None:
    """Return the power in `france@paris`, `fparis` or `france`."""
    word = arguments.split()[0].strip(".,;:") if arguments.split() else ""
    part, at, _ = word.rpartition("@")
    if word.startswith("?") or word.lower() in ("", *map(str.lower, turn.games)):
        return None
    if not at:
        part = word if word.lower() in Names.of(turn.variant).powers.exact else word[0]
    try:
        return Names.of(turn.variant).power(part)
    except ReadError:
        return None
