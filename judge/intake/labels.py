"""Labels: lines that say what the lines below them are for, and heads of lines before a colon.

A label names a game of the writer's, a phase, a power, or readers. The words that may stand beside
the names are data: `[labels]` in `templates/locale/<code>/reading.toml`; how people address each
other is `[address]` in `words.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache

from msgspec import Struct, field
from msgspec.structs import replace

from judge.game.orders.interpret import taken_apart
from judge.game.orders.order_context import OrderContext
from judge.game.state.answers import Answer
from judge.i18n import in_all_languages
from judge.intake.addressees import (
    ALL,
    JUDGE,
    MASTER,
    Head,
    head_heard,
    is_for_stranger,
    powers_named,
)
from judge.intake.arguments import can_name_game
from judge.language.cover import CONDITION, COURTESY, DOUBT, NEGATION, ORDER
from judge.language.grammar import Parser
from judge.language.misreadings import ReadError
from judge.language.names import EXACT, Names
from judge.language.phase_names import is_kind, is_season, read_phase
from judge.language.speech import PERSON, YOU, speaks
from judge.language.vocabulary import LABELS, LINE, SAID, Phrases, Token, tokens
from judge.limits import BOUNDS
from judge.rules.board import name_key
from judge.rules.phase import Kind, Phase


class Label(Struct, frozen=True):
    """What a label says of what stands behind it (`rest`, "" for nothing) and below it.

    `game` is the name of a game, which need not be one of the writer's; `several`: it names more
    than one, or none of them beyond doubt. `power` is one of those whose orders the writer gives.
    `to` are readers, as press names them, `also` beside those whom it goes to anyhow; `nobody`: it
    is for its writer alone; `ours`: it is for the judge. `greets`: it belongs to the text
    below it. `sure`: it stands as a heading does, and in no sentence. A label that names nothing
    (`My orders:`) ends the one above it.
    """

    game: str = ""
    several: bool = False
    phase: Phase | None = None
    power: str = ""
    to: tuple[str, ...] = ()
    also: bool = False
    nobody: bool = False
    ours: bool = False
    greets: bool = False
    sure: bool = True
    rest: str = ""

    @property
    def for_reader(self) -> bool:
        """Whether it says who is to read the lines, and not what they are for."""
        return self.nobody or self.ours or bool(self.to)

    @property
    def binds(self) -> bool:
        """Whether it says what the lines are for, and not who is to read them."""
        return bool(self.game or self.several or self.phase or self.power)

    def refusal(self, turn: OrderContext) -> tuple[Answer, tuple[str, ...]] | None:
        """Return why it does not say which game is meant, and what to write instead; None where it
        does, and where it says nothing of games."""
        if not self.several and self.game in ("", *turn.games):
            return None
        problem = Answer("which_game", {"names": list(turn.games), "more": 0})
        if not self.several:
            problem = Answer("no_such_game", {"name": self.game, "stranger": False})
        return problem, tuple(f"SIGN ON {name}" for name in turn.games)

    def command(self, turn: OrderContext, later: Phase | None) -> str:
        """Return the command that says the same where other lines are for the phase `later`, if not
        for the open one; "" where that changes nothing."""
        if self.game not in ("", turn.game):
            return f"SIGN ON {self.power}@{self.game}" if self.power else f"SIGN ON {self.game}"
        if self.phase is None or self.phase == (later or turn.phase):
            return ""
        return f"PHASE {'NOW' if self.phase == turn.phase else self.phase}"

    def is_for_others(self, to: Collection[str], mine: Collection[str]) -> bool:
        """Return whether what it heads is not for those who are called `to`, `mine` being the
        writer's own powers: it is for somebody else, or for nobody."""
        if not self.sure or self.binds or not self.for_reader:
            return False
        if self.nobody or self.ours:
            return True
        if self.also or (ALL in self.to and not self.greets and ALL not in to):
            return True
        return bool(to) and not {*to, *mine, ALL}.issuperset(self.to)


def _of_words(text: str, turn: OrderContext, below: bool) -> Label | None:
    """Return the label that the words of a line make, if they name a game, a phase, or powers."""
    head, colon, rest = text.replace("：", ":").partition(":")
    heads = colon != "" or text[-1] in "])*" or text[0] == "@"
    found = _in_sentence(_SENTENCES.split(text), turn, below)
    found = found or _named(tokens(text), turn, below)
    if found is not None:
        rest = ""
    elif rest.strip():
        found = _named(tokens(head), turn, below, LINE[COURTESY])
        clause = _CLAUSES.split(head)[-1]
        if found is None and clause != head:
            said = _named(tokens(clause), turn, below)
            found = said if said and said.powers and said.beside else None
    if found is None:
        # Places are named in sentences, too.
        found, rest = _in_sentence(_CLAUSES.split(text), turn, below), ""
        sure = found is not None and (found.called or found.beside > 1)
        parts = taken_apart(text, turn).parts if sure else ()
        found = None if not sure or any(part.kind == ORDER for part in parts) else found
    label = found.label(turn, rest.strip(), heads) if found else None
    return None if label is not None and _is_order(label, text, turn) else label


def label_of(line: str, turn: OrderContext, *, below: bool = False) -> Label | None:
    """Return the label that a line is or begins with, None for any other line. `below` says whether
    other orders stand above it: then a season that is over is next year's."""
    text = line.strip()
    if not text or len(text) > _LONGEST:
        return None
    if alone := _to_self().match(text):
        return Label(nobody=True, rest=(alone["rest"] or "").strip(" )"))
    label = None if "?" in text.partition(":")[0] else _of_words(text, turn, below)
    if label is not None and (label.binds or label.for_reader):
        return _with_rest(label, text, turn, below)
    read = _addressed(text, turn)
    if read is not None and JUDGE in read.to:
        return Label(ours=True)
    # A greeting of all may be for the judge.
    if read is None or not read.binds or (read.greets and {ALL, MASTER}.issuperset(read.to)):
        return _for_nobody(text, turn) or label
    rest = "" if read.greets else read.begins
    label = Label(to=tuple(read.to), also=read.also, greets=read.greets, rest=rest)
    return None if _is_order(label, text, turn) else label


def _addressed(text: str, turn: OrderContext) -> Head | None:
    """Return whom a line addresses, by name, too, unless it is an order and nothing else."""
    plainly = [part.kind for part in taken_apart(text, turn).parts] == [ORDER]
    heard = str if plainly else turn.heard
    *heads, _ = (each.rpartition(". ")[2] for each in text.split(":"))
    if sum(len(powers_named(each, turn.variant)) for each in heads) > 1:
        # `England: evasive. Italy: talkative.`
        return None
    read = head_heard(text.lstrip("([{ "), turn.variant, heard)
    head = text.partition(":")[0]
    if read is None and (clause := _CLAUSES.split(head)[-1]) != head:
        # `P.S. for Italy: ...`
        read = head_heard(text[head.rindex(clause) :], turn.variant, heard)
    return read


def _with_rest(label: Label, text: str, turn: OrderContext, below: bool) -> Label:
    """Return a label of a game or phase with the sentences behind those that name what it says."""
    if label.rest or not label.binds:
        return label
    for end in _SENTENCE_ENDS.finditer(text):
        before = _of_words(text[: end.start()].rstrip(), turn, below)
        if before is not None and replace(before, sure=label.sure) == label:
            return replace(label, rest=text[end.end() :].strip())
    return label


_SENTENCE_ENDS = re.compile(r"(?<=[^\W\d_]{2}[.!])\s+(?=\S)")


def label_to_people(line: str, turn: OrderContext) -> Label | None:
    """Return the label that a line of a letter to people is or begins with: a master, who orders
    for all powers, names them there as readers."""
    return label_of(line, replace(turn, powers=turn.powers or ()))


_LONGEST = 240
"""Characters of a line that may begin with a label."""


@cache
def _to_self() -> re.Pattern[str]:
    words = "|".join(in_all_languages("to_self"))
    return re.compile(rf"\W*(?:{words})\W*(?:\Z|[:,–—-](?P<rest>.*))", re.IGNORECASE)


def _for_nobody(text: str, turn: OrderContext) -> Label | None:
    """Return the label of a line below which nothing is for this game, or is an order."""
    if is_for_stranger(text):
        return Label(nobody=True)
    return Label(nobody=True, sure=False) if _bars(text, turn) else None


def _bars(text: str, turn: OrderContext) -> bool:
    """Return whether a heading says that what stands below it is no order beyond doubt (`If Germany
    attacks:`, `These are not orders:`). What its last clause does not say may be talk, save what is
    a condition."""
    if text[-1] not in ":：":
        return False
    clauses = [each for each in _CLAUSES.split(text[:-1]) if each.strip()]
    for each in clauses:
        parts = taken_apart(each, turn).parts
        kinds = {part.kind for part in parts if not speaks(part.text, PERSON, YOU)}
        if ORDER in kinds:
            return False
        if CONDITION in kinds or (each is clauses[-1] and kinds & {NEGATION, DOUBT}):
            return True
    return False


def _is_order(label: Label, text: str, turn: OrderContext) -> bool:
    """Return whether a line is an order, of which the label is only a place or an owner."""
    if label.phase or label.power or not label.rest:
        return False
    parts = taken_apart(text, turn).parts
    return bool(parts) and parts[0].kind == ORDER


class _LabelNames(Struct):
    """What the words of a label name."""

    games: list[str] = field(default_factory=list)
    powers: list[str] = field(default_factory=list)
    when: list[str] = field(default_factory=list)
    """Words of the name of a phase; `kind`: one says what is decided in it."""
    kind: bool = False
    phase: Phase | None = None
    following: bool = False
    """Whether the next turn is named."""
    several: bool = False
    denied: int = 0
    """Games that are named and not meant; `negated`: the next one is not."""
    negated: bool = False
    called: bool = False
    """Whether a word says that a game is named; `loudly`: in capitals, or before a colon."""
    loudly: bool = False
    beside: int = 0
    """Words beside the names."""

    def take(self, parser: Parser, place: int, turn: OrderContext) -> int:
        """Return the place behind what stands at a place of the line; that itself where it is no
        label's word."""
        found, token = parser.found, parser.found[place]
        key, last = token.key, place + 1 == len(parser.found)
        if token.kind != "word":
            return place + (token.kind in ":,()")
        name = next((each for each in turn.games if each.lower() == key), "")
        if not name and last and self.loudly and turn.games and can_name_game(key):
            name = key
        if name and (self.called or not _is_time(found, place)):
            self.games += [] if self.negated else [name]
            self.denied, self.negated = self.denied + self.negated, False
            return place + 1
        owners = [each for each in parser.owners(place) if each[0] and each[2] == EXACT]
        if owners:
            power, end, _ = max(owners, key=lambda each: each[1])
            self.powers.append(power or "")
            return end
        if _is_time(found, place):
            self.when.append(token.text)
            self.kind |= is_kind(key) or (not key.isalpha() and key[-1:].isalpha())
            return place + 1
        return self._take_word(parser, place, turn)

    def _take_word(self, parser: Parser, place: int, turn: OrderContext) -> int:
        """Return the place behind a word that labels have, at a place of the line."""
        found, token = parser.found, parser.found[place]
        key = token.key
        ends = {name: words.end(found, place) for name, words in LABELS.items()}
        ends["not"] = SAID["not"].end(found, place)
        ends["beside"] = max(ends["beside"], SAID["phase_filler"].end(found, place))
        end = place + 1 if self.called and key.isdecimal() else max(ends.values())
        what = next((name for name, each in ends.items() if each == end > place), "")
        self.negated |= what == "not"
        self.following |= what == "next"
        self.phase = turn.phase if what == "open" else self.phase
        self.several |= what == "several"
        if what == "game":
            self.called = True
            self.loudly = token.text.isupper() or parser.kind_at(end) == ":"
        self.beside += what not in ("", "not", "several")
        return end

    def label(self, turn: OrderContext, rest: str, heads: bool) -> Label | None:
        games, powers = list(dict.fromkeys(self.games)), list(dict.fromkeys(self.powers))
        several = self.several or len(games) > 1 or (self.denied > 0 and not games)
        game = games[0] if games and not several else ""
        own = [each for each in powers if each in turn.mine or game not in ("", turn.game)]
        if not (game or several or powers or self.phase):
            return Label() if heads and not rest and self.beside else None
        if powers and not own:
            return Label(game, several, to=tuple(powers), sure=heads, rest=rest)
        power = own[0] if len(own) == 1 else ""
        if game not in ("", turn.game) and self.phase:
            # When that is, the other game knows.
            return Label(game, power=power, sure=heads, rest=f"{' '.join(self.when)}: {rest}")
        return Label(game, several, self.phase, power, sure=heads, rest=rest)


def _named(
    found: tuple[Token, ...], turn: OrderContext, below: bool, beside: Phrases | None = None
) -> _LabelNames | None:
    """Return what the words of a line name, None where one is none of a label's or `beside` one."""
    said, place = _LabelNames(), 0
    parser = Parser(Names.of(turn.variant), found, Kind.MOVEMENT)
    while place < len(found):
        end = said.take(parser, place, turn)
        if end == place and beside is not None:
            end = beside.end(found, place)
        if end == place:
            return None
        place = end
    if said.several and not said.called:
        return None
    # What is decided is named by orders, too.
    if any(not is_kind(name_key(each)) for each in said.when):
        said.phase = _phase(" ".join(said.when), said.kind, turn, below)
    elif said.following and below and turn.phase is not None:
        said.phase = turn.variant.calendar.following(turn.phase, Kind.MOVEMENT)
    return said


def _is_time(found: Sequence[Token], place: int) -> bool:
    """Return whether a word is of the name of a phase: `fall`, `1901`, `F01`, `builds`."""
    key = found[place].key
    if key in LABELS["beside"]:
        return False
    if key.isdecimal():
        amid = place > 0 and is_season(found[place - 1].key)
        return len(key) == 4 or (amid and len(key) == 2)
    if written := _LETTERS.fullmatch(key):
        return is_season(written[1]) and (not written[2] or is_kind(written[2]))
    return len(key) > 1 and (is_season(key) or is_kind(key))


_LETTERS = re.compile(r"([^\W\d_])\d{2,4}([^\W\d_]?)")


def _phase(said: str, kind: bool, turn: OrderContext, below: bool) -> Phase | None:
    """Return the phase that words of a label mean. A season without a year is that of the running
    year, or below other orders the next one to come; a year by itself its first phase that is not
    over."""
    now, calendar = turn.phase, turn.variant.calendar
    year = next((each for each in re.findall(r"\d+", said)), "")
    if said == year:
        if now is None or abs(int(year) - now.year) > BOUNDS.years_ahead * abs(calendar.years):
            return None
        return (
            now
            if int(year) == now.year
            else Phase(calendar.year[0][0], int(year), calendar.year[0][1])
        )
    if not year and now is None:
        return None
    try:
        phase = read_phase(said if year or now is None else f"{said} {now.year}", turn.variant)
    except ReadError:
        return None
    if now is None:
        return phase
    if not kind and phase[:2] == now[:2]:
        return now
    if not year and below and calendar.key(phase) < calendar.key(now):
        return phase._replace(year=phase.year + calendar.years)
    return phase


def _in_sentence(parts: Sequence[str], turn: OrderContext, below: bool) -> _LabelNames | None:
    """Return what the last of the parts of a line that names a game says."""
    if len(parts) < 2 or not turn.games:
        return None
    found = [_named(tokens(each), turn, below) for each in parts if each.strip()]
    named = [each for each in found if each and (each.games or each.several) and each.beside]
    return named[-1] if named else None


_SENTENCES = re.compile(r"[.;!]\s+(?=\S)")
_CLAUSES = re.compile(r"[.,;:!]\s+")


def game_named(text: str, turn: OrderContext) -> str:
    """Return the game of the writer's that a sentence names beside a word for a game (`in my rome
    game`), "" where it names none, or several."""
    found, games = tokens(text), {each.lower(): each for each in turn.games}
    named = {
        games[token.key]
        for place, token in enumerate(found)
        if token.key in games
        and any(LABELS["game"].end(found, at) > at for at in (place - 1, place + 1) if at >= 0)
    }
    return named.pop() if len(named) == 1 else ""


def trailing_game(text: str, turn: OrderContext) -> Iterator[tuple[str, str]]:
    """Yield what stands before a label of a game at the end of a line, or before its name alone,
    and that game (`set wait in rome`, `status rome`), the shortest text first."""
    found = tokens(text)
    names = {each.lower() for each in turn.games}
    start = len(found) if names.isdisjoint(each.key for each in found[-2:]) else 1
    for place in range(max(start, len(found) - _MOST_BEHIND), len(found)):
        named = _named(found[place:], turn, False)
        last = place == len(found) - 1
        label = named and (named.beside or last) and named.label(turn, "", False)
        if label and label.game in turn.games:
            yield text[: found[place].start].rstrip(" ,;(["), label.game


_MOST_BEHIND = 5
"""Words of a label behind a command."""
