"""What of a mail that answers press is press: no order and no command goes out with it unmarked.

Each line is looked at by itself. What is certainly for the judge is carried out; what may be is
kept back, for what was told to others cannot be taken back; sentences to a human being are press,
whatever they speak of.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from enum import Enum
from itertools import pairwise

from msgspec import Struct, field

from judge.game.orders.interpret import gives_order
from judge.game.orders.likeness import GOES
from judge.game.orders.order_context import OrderContext
from judge.game.orders.possible import order_named
from judge.game.state.answers import Answer
from judge.intake.addressees import (
    ALL,
    JUDGE,
    Hear,
    courtesies,
    greetings,
    head_of,
    is_for_others,
    names_judge,
    powers_named,
    sent_on_to,
)
from judge.intake.command import CommandTable, end_in_english, said_elsewhere
from judge.intake.labels import Label, label_to_people
from judge.intake.likely import Likely, can_be_likely
from judge.intake.lines import SIGN_OFF, Line, end_mark, is_end, meant, read_lines
from judge.intake.paragraphs import BRACKETED, asides, is_withheld, rows_alone, topics
from judge.intake.wishes import Request, command_of, learned, marks
from judge.intake.wishes import asks as is_for_judge
from judge.language.names import Names, words_of
from judge.language.speech import (
    KEEP,
    OWN,
    PERSON,
    QUOTED,
    YOU,
    goes_on,
    is_secret,
    is_told,
    speaks,
)
from judge.language.vocabulary import tokens
from judge.language.wish_model import plain, sentences
from judge.limits import BOUNDS
from judge.rules.orders import place


class Side(Enum):
    """Who a line of an answer to press is for."""

    JUDGE = "an order or a command, beyond doubt"
    OTHERS = "press"
    EITHER = "like an order or a command, or like what says of other lines for whom they are"
    WISH = "in words that may ask for a command"
    BRIEF = "an order in one word, which may be an answer to a question"
    ADDRESSED = "said to the judge, with the lines below it"
    LATER = "press, with the orders below it for a later phase, or in doubt"


class Told(Struct):
    """The lines of a mail told apart, by rows: press, what is for the judge, what may be either."""

    said: dict[int, str] = field(default_factory=dict)
    ours: set[int] = field(default_factory=set)
    doubtful: dict[int, str] = field(default_factory=dict)
    whole: bool = False
    """Whether all is kept back though nothing is in doubt by itself."""
    topics: set[int] = field(default_factory=set)
    """Rows of a list that begin with what they are about, and not with whom they are for."""
    aside: set[int] = field(default_factory=set)
    """What is in doubt as a list that is part of no letter."""

    def put(self, row: int, written: str, sides: Collection[Side], headed: int) -> None:
        """Put a row where it belongs, by whom it may be for; `headed` is the row of its heading."""
        if sides == {Side.JUDGE} and not written.lstrip().startswith(">"):
            self.ours.add(row)
            if self.said.get(row - 1, "").rstrip().endswith((":", "：")):
                headed = row - 1
            if self.said.pop(headed, None) is not None:
                self.ours.add(headed)
        elif {Side.OTHERS}.issuperset(sides):
            self.said[row] = written
        else:
            self.doubtful[row] = written

    def text_of(self, row: int, written: str) -> str:
        """Return what counts of a row, or of a part of it."""
        text = meant(written.lstrip(" >"))
        return text.partition(":")[2].strip() if row in self.topics else text

    def doubt(self, row: int, sides: Collection[Side], headed: int) -> set[Side]:
        """Return whom a row may be for, where it stands; `headed` is the row of its heading."""
        aside = row in self.aside and Side.OTHERS in sides
        return {Side.EITHER} if aside else {_in_doubt(each, headed) for each in sides}

    def put_unread(self, row: int, written: str, text: str) -> None:
        """Put a row of a text that is too long to be read: its writer is asked about all of it."""
        (self.doubtful if text and not self.doubtful else self.said)[row] = written

    @property
    def kept(self) -> dict[int, str]:
        """What is kept back: all, where anything is; a proposal without its orders is none."""
        kept = {**self.said, **self.doubtful} if self.whole or self.doubtful else {}
        return {row: kept[row] for row in sorted(kept.keys() - self.ours)}

    @property
    def sent(self) -> dict[int, str]:
        """What goes out as press, without a ruled line or blank ones at its end."""
        last = max((row for row, text in self.said.items() if text.strip(_RULE)), default=-1)
        return {} if self.kept else {k: v for k, v in self.said.items() if k <= last}

    @property
    def facts(self) -> dict[str, object]:
        """What the question about the lines that are kept back says of them."""
        doubtful = (self.doubtful or self.kept).values()
        return {"doubtful": list(filter(None, map(str.strip, doubtful)))}


def press_lines(rows: Mapping[int, str]) -> Iterator[Line]:
    """Rows of press as lines, blank ones left out."""
    for row, written in rows.items():
        if text := written.strip():
            yield Line(text, "press", text, rows=range(row, row + 1))


Turn = Callable[[], OrderContext]


def ends_press(line: str) -> bool:
    """Return whether a line would end press, or the mail, if it stood in press."""
    mark = end_in_english(end_mark(line))
    return mark == SIGN_OFF or is_end(mark, ("endpress", "endbroadcast", "end"))


def is_ruled(line: str) -> bool:
    """Return whether a line parts what stands below it from a letter."""
    return len(line.strip()) > 2 and not line.strip(_RULE)


def up_to_orders(letter: Request, turn: OrderContext) -> tuple[list[str], str]:
    """Return what of a letter that is offered as press stands above its first sentence that gives
    an order to a unit of the writer's or begins a letter to somebody else, and the rest of that
    sentence's line; lines that would end press are left out. A letter in quotation marks is whole.
    """
    found: list[str] = []
    quoted = QUOTED.fullmatch("\n".join(letter.block).strip()) is not None
    for line in letter.block:
        # Its first words may greet all of its readers.
        to = letter.to if any(found) else (*letter.to, *[ALL][: len(letter.to)])
        for each in () if quoted else sentences([line]):
            gives = gives_order(each.text, turn) and not is_told(each.text)
            gives = gives and _may_be_own(each.text, turn)
            if gives or (to and is_for_others(each.text, turn.variant, to, surely=False)):
                above, given, behind = line.partition(each.text)
                return [*found, *filter(None, [above.rstrip()])], f"{given}{behind}"
        if not ends_press(line):
            found.append(line)
    return found, ""


def _may_be_own(text: str, turn: OrderContext) -> bool:
    """Return whether an order that a sentence gives may be for a unit of the writer's."""
    found = order_named(text, turn) if turn.position else None
    return found is None or turn.owner(place(found[1])) in turn.mine


def is_marked(text: str, table: CommandTable, turn: Turn) -> bool:
    """Return whether the writer marks press explicitly, or acts for another seat."""
    return any(
        line.command is not None and line.command.marks and line.label is None
        for line in read_lines(text, table, turn)
    )


def tell_apart(
    rows: Sequence[str],
    table: CommandTable,
    turn: Turn,
    plays: bool,
    to: Collection[str] = (),
    heard: Hear = str,
) -> Told:
    """Tell the lines of an answer to press apart.

    `plays` says whether the writer has orders to give; anyone who has none only talks of them. `to`
    are the labels of those whom it goes to, none where they are not known, or all get it; `heard`
    calls people by their labels.

    Of a text that is too long to be read nothing goes out as press before its writer said so.
    """
    told = Told(topics=topics(rows, turn().variant), aside=asides(rows, turn()))
    alone = rows_alone(rows)
    gap, later, left = False, False, BOUNDS.words
    ours, headed = False, -1
    known: dict[tuple[str, bool], tuple[bool, set[Side]]] = {}
    for row, written in enumerate(rows):
        if written.lstrip().startswith("//"):
            # A comment is for nobody.
            continue
        text = heard(told.text_of(row, written))
        # Behind a bullet, too, a quote and a comment are none of the writer's lines.
        text = text if meant(text) else ""
        if left < 0:
            told.put_unread(row, written, text)
            continue
        here = text, row in alone
        if here not in known:
            left -= len(tokens(text))
            known[here] = _sides(text, table, turn, plays, to, row in alone)
        stops, sides = known[here]
        if stops:
            break
        ours = Side.ADDRESSED in sides or (
            ours and not is_for_others(text, turn().variant, (JUDGE,))
        )
        if ours:
            told.ours.add(row)
            if Side.ADDRESSED in sides:
                # What it asks may be not to send the rest.
                told.doubtful[row] = written
            continue
        headed = _headed(headed, row, text, sides, turn)
        sides = told.doubt(row, sides, headed)
        if sides == {Side.JUDGE} and row - 1 in told.doubtful | told.said and goes_on(text):
            # It is one sentence with the line above.
            sides = {Side.EITHER}
        if Side.LATER in sides:
            later, sides = True, {Side.OTHERS}
        elif later and Side.JUDGE in sides:
            sides = {Side.EITHER}
        if gap and not written.strip():
            # What stood between two blank lines is gone.
            continue
        gap = not sides <= {Side.OTHERS} and not next(reversed(told.said.values()), "_").strip()
        told.put(row, written, sides, headed)
    told.whole = _is_mixed(told)
    return told


def _may_be_for_us(text: str, turn: OrderContext, plays: bool, alone: bool) -> bool:
    """Return whether a text gives several orders in whatever words, or is a paragraph `alone` that
    speaks to nobody and orders a unit of the writer's, or asks for what the judge knows (`Change my
    army in Paris to Picardy`)."""
    if plays and orders_in(text, turn):
        return True
    if not alone or speaks(text, YOU):
        return False
    said = [each.text for each in sentences([text]) if not _tells_of_people(each.text)]
    wishes = (learned().guesses(each, marks(turn.variant))[:1] for each in said)
    if any(command_of(guess.wish)[0] in ("STATUS", "MAP") for each in wishes for guess in each):
        return True
    return plays and any(gives_order(each, turn) and _may_be_own(each, turn) for each in said)


def _tells_of_people(text: str) -> bool:
    """Return whether a text speaks of anybody but as the owner of something."""
    return any(speaks(each, PERSON) and not speaks(each, OWN) for each in text.split())


def _is_mixed(told: Told) -> bool:
    """Return whether text that may be about what is for the judge stands beside or below it."""
    rows = [row for row, text in told.said.items() if text.strip(_RULE)]
    if any(greetings()["greet"].match(plain(told.said[row].strip())) for row in rows[1:]):
        # A second letter.
        return True
    end = next((row for row, text in told.said.items() if is_ruled(text)), max(rows, default=0))
    if any(row > end and not courtesies([told.said[row]])[0] for row in rows):
        return True
    first = min(told.ours, default=None)
    if first is None:
        return False
    beside = {row + step for row in told.ours for step in (-1, 1)}
    below = [text for row, text in told.said.items() if row > first or row in beside - {*rows[:1]}]
    # A name below it is a signature.
    said = [text for text in below if text.strip(_RULE) and not text.strip().istitle()]
    return any(not courtesies([text])[0] for text in said)


_RULE = " -_=*~#+"
"""What ruled lines are made of."""


def is_apart(text: str, to: Collection[str], turn: OrderContext) -> bool:
    """Return whether a text in a letter to `to` is not said to them: it begins with words in
    brackets or stands in them whole, tells others something in brackets, names the judge, greets
    or is headed by others, ends with others to whom it goes, names them without addressing them, or
    the writer beside them, or wants something not to be sent."""
    aside, variant = _ASIDE.findall(text), turn.variant
    said = [*sentences([each.partition(":")[0] for each in (text, *aside)])]
    if _TAG.match(text) or BRACKETED.fullmatch(text):
        return True
    if speaks_of_judge(text) and not courtesies([text])[0]:
        return True
    if any(
        each.wish == "CLEAR NOW"
        for sentence in said
        for each in learned().guesses(sentence.text, marks(variant))[:1]
    ):
        return True
    if any(_is_for_nobody_here(each, to, turn) for each in aside):
        return True
    head, readers = head_of(text, variant), {*to, *turn.mine, ALL}
    if head is not None and head.greets:
        binds = head.binds or speaks(text, PERSON, YOU)
        return bool(to) and binds and readers.isdisjoint(head.to)
    if to and any(sent_on_to(each.text, variant) - readers for each in said):
        return True
    heading, _, behind = text.partition(":")
    if to and behind and len(heading.split()) <= _FEW and powers_named(heading, variant) - readers:
        return True
    rest = (_CALLED.sub(_unless_told, each.text) for each in sentences([text]))
    named = [powers_named(each, variant) for each in rest]
    return any(not each.isdisjoint(to) and each.isdisjoint(turn.mine) for each in named)


def _is_for_nobody_here(aside: str, to: Collection[str], turn: OrderContext) -> bool:
    """Return whether what stands in brackets is for others, or headed as not to be sent."""
    head, colon, _ = aside.partition(":")
    others = bool(to) and is_for_others(aside, turn.variant, to, surely=False)
    return others or (colon != "" and is_withheld(head, turn))


def _unless_told(called: re.Match[str]) -> str:
    """Return what stands before a name where it tells of them (`I trust Ann,`), else nothing."""
    return called[0] if speaks(called[0], PERSON) else ""


def orders_in(text: str, turn: OrderContext) -> list[str]:
    """Return the orders that a text gives for several units, in whatever words, else []: one unit
    people speak of to each other."""
    if not can_be_likely(turn):
        return []
    found = Likely(turn, {})
    found.read({0: text})
    return [*found.texts().values()] if len(found.orders) > 1 else []


def open_end(
    rows: Sequence[str], table: CommandTable, turn: Turn, too_long: bool
) -> tuple[int, Answer | None]:
    """Say how many rows of press without an end are press: those above the first order or command.
    Where that is not beyond doubt it is all of them, and why to ask before they are sent."""
    whole = "\n".join(rows).strip("\n")
    if too_long:
        return len(rows), Answer("open_press", {"lines": (), "text": whole, "private": False})
    end, doubtful, private, said = len(rows), list[str](), False, {Side.OTHERS, Side.WISH}
    for row, text in enumerate(map(meant, rows)):
        _, sides = _sides(text, table, turn, True, ())
        sides = {_in_doubt(each, -1) for each in sides}
        label = label_to_people(text, turn())
        for_nobody = label is not None and (label.ours or (label.nobody and label.sure))
        private = private or for_nobody or is_secret(text)
        if Side.LATER in sides:
            # A plan, with the orders below it.
            said |= sides
        elif sides == {Side.JUDGE} and Side.LATER not in said:
            end = min(row, end)
        elif not (sides <= said or is_told(text) or text.endswith("?")):
            doubtful.append(text)
        elif end < row and text and not (text.istitle() or courtesies([text])[0]):
            # Press goes on below them.
            doubtful += map(meant, rows[end:row])
            end = len(rows)
    if not doubtful:
        return end, None
    return len(rows), Answer("open_press", {"lines": doubtful, "text": whole, "private": private})


def speaks_of_judge(text: str) -> bool:
    """Return whether a text names the judge, and not in a sentence that is said to its reader (`If
    you ask the judge for a day`)."""
    every = [each.text for each in sentences([text])]
    return any(names_judge(each) and (len(every) == 1 or not speaks(each, YOU)) for each in every)


def _headed(headed: int, row: int, text: str, sides: set[Side], turn: Turn) -> int:
    """Return the row of the heading that a row stands below, or is; -1 for none."""
    if text and sides == {Side.OTHERS}:
        # It says nothing but that those below it are orders, or are for the judge.
        label, colon = label_to_people(text, turn()), text.endswith((":", "："))
        ours = (courtesies([text])[0] and names_judge(text)) or (label and label.power)
        return row if (heads_orders(text, turn()) if colon else ours) else -1
    return headed if sides <= {Side.JUDGE, Side.BRIEF} else -1


def _in_doubt(side: Side, headed: int) -> Side:
    briefly = Side.EITHER if headed < 0 else Side.JUDGE
    return briefly if side is Side.BRIEF else side


def heads_orders(text: str, turn: OrderContext) -> bool:
    """Return whether a line begins with a heading of orders, or is one."""
    head, colon, _ = text.replace("：", ":").partition(":")
    return colon != "" and label_to_people(f"{head}:", turn) == Label()


def _sides(
    text: str,
    table: CommandTable,
    turn: Turn,
    plays: bool,
    to: Collection[str],
    alone: bool = False,
) -> tuple[bool, set[Side]]:
    """Return whether a row, which may be a paragraph `alone`, ends the mail, and who its lines are
    for."""
    found = list(read_lines(text, table, turn)) if text else []
    if any(line.command and line.command.stops for line in found):
        return True, set()
    label = label_to_people(text, turn()) if found else None
    if label and label.ours:
        return False, {Side.ADDRESSED}
    if label and (label.game or label.several or label.is_for_others(to, turn().powers or ())):
        # What is meant for somebody else must not reach them, nor the lines below it.
        return False, {Side.EITHER}
    certain = any(line.command and is_certain(line) for line in found)
    if not certain and is_apart(text, to, turn()):
        # Whatever it says of the line, it need not be for others.
        return False, {Side.EITHER}
    if label and label.nobody:
        return False, {Side.LATER}
    sides = {_side(line, text, table, turn, plays) for line in found}
    if sides == {Side.OTHERS} and _may_be_for_us(text, turn(), plays, alone):
        sides = {Side.EITHER}
    return False, sides


def _side(line: Line, text: str, table: CommandTable, turn: Turn, plays: bool) -> Side:
    if line.command is not None:
        if line.label is not None:
            return Side.LATER
        if is_certain(line):
            return Side.JUDGE
        return Side.EITHER
    if line.asked is not None:
        return _side_of_order(line, text, turn()) if plays else Side.OTHERS
    if line.kind == "unknown":
        return Side.EITHER
    if _speaks_of_command(text, table, turn):
        return Side.WISH
    names, words = Names.of(turn().variant), words_of(text)
    known = names.provinces.exact
    # Two provinces with a sign between them.
    is_pair = len(words) == 2 and all(len(each) > 2 and each in known for each in words)
    return Side.EITHER if plays and (is_pair or gives_order(text, turn())) else Side.OTHERS


def _side_of_order(line: Line, text: str, turn: OrderContext) -> Side:
    assert line.asked is not None
    if line.kind == "text":
        return Side.OTHERS
    # A waiver has no place.
    where, read = line.asked.place, line.kind == "order"
    mine = turn.position is None or (where is None and read) or turn.owner(where) in turn.mine
    gives = gives_order(text, turn)
    if line.asked.barred and not speaks(text, OWN, YOU) and _orders_own(text, turn):
        return Side.EITHER
    if line.asked.barred and (speaks(text, OWN, YOU) or not gives or not mine):
        return Side.OTHERS
    if not mine and not GOES.search(text):
        return Side.OTHERS
    good = read and line.problem is None and not text.endswith("?")
    # In sentences people tell each other what they order, in one word anything.
    if not good or not mine or _tells(text):
        return Side.EITHER
    return Side.BRIEF if len(text.split()) == 1 else Side.JUDGE


def _tells(text: str) -> bool:
    """Return whether a line tells of orders, as `me: A Par - Bur` does beside those of others."""
    named, _, said = text.rpartition(":")
    return is_told(text) or speaks(said, OWN) or (len(named.split()) == 1 and speaks(named))


def _orders_own(text: str, turn: OrderContext) -> bool:
    """Return whether a sign that says where something goes stands behind a unit of the writer's."""
    known, found = Names.of(turn.variant).provinces.exact, tokens(text)
    return any(
        before.key in known and turn.owner(known[before.key]) in turn.mine and sign.kind == "-"
        for before, sign in pairwise(found)
    )


_TAG = re.compile(
    r"[\[<{][^\W\d_]+(?: [^\W\d_]+){0,3}(?:[\]>}]\s*\S|:)|[-=#~]{2,} ?\w[\w ]*[-=#~]{2,}\Z"
)
"""Words in brackets before a text, or before a colon, or between rules."""

_CALLED = re.compile(r"(?:(?:\A|[.!?:;] )(?:[^\W\d_]+ ){0,2}|, ?)[^\W\d_]+(?=[,.!?]|\Z)|\"[^\"]+\"")
"""Who is called: between commas or where a sentence begins or ends, behind two words at most; and
what is quoted."""

_ASIDE = re.compile(r"[(\[]([^()\[\]]{3,})[)\]]")
"""What stands in brackets in a text."""

_FEW = 3
"""Words of a line that names what a command does, and is no sentence yet."""

_MOST_WORDS = 10
"""Words of a sentence with a command behind a label that may be for the judge."""

_MOST_ARGUMENTS = 8
"""Words behind a command that is one beyond doubt."""


def _speaks_of_command(text: str, table: CommandTable, turn: Turn) -> bool:
    """Return whether ordinary text may be a command: in brief, or in another language."""
    words = len(text.split())
    if words <= _FEW and end_mark(text) in table.ends:
        return True
    if words <= _BRIEF and (speaks(text, KEEP) or (not speaks(text, YOU) and is_for_judge([text]))):
        return True
    if is_secret(text):
        return True
    named, _, rest = text.partition(":")
    if words <= _MOST_WORDS and rest and table.find(f"{named}:"):
        return True
    elsewhere = said_elsewhere(text)
    return elsewhere is not None and any(
        line.command is not None for line in read_lines(elsewhere.english, table, turn)
    )


_BRIEF = 6
"""Words of a line that asks the judge for something, and no friend."""


def is_certain(line: Line) -> bool:
    """Return whether a command is written so that nobody would write it to a human being."""
    assert line.command is not None
    text = " ".join(line.text.lower().split())
    if line.problem is not None or text.endswith("?"):
        return False
    if len(line.arguments.split()) > _MOST_ARGUMENTS:
        return False
    return line.text.split()[0].isupper() or any(
        " " in words and text.startswith(words) and not text.startswith("no ")
        for words in line.command.words
    )
