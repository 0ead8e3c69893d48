"""How well the judge reads what people write, by corpora: `python -m tests.language.measure`.

Each row of a corpus comes to one of six ends. *Done right*: what the mail asked was done, all of
it and nothing else. *Asked*: nothing wrong was done, and the answer asks about or offers exactly
the right thing. *Not done*: it was not done, or not all of it, and the answer says so about the
line. *Silent*: the same, and the answer does not say so. *Done wrongly*: something was done that
the writer did not ask for. *Leaked*: somebody read what was not addressed to them.
"""

from __future__ import annotations

import argparse
import re
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import format_datetime
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Any

from judge import variants
from judge.commands import TABLE
from judge.game.orders.order_context import OrderContext
from judge.intake.dry_run import dry_run
from judge.mail.message import parse
from judge.rules.phase import Phase
from judge.rules.position import Position
from tests import memory
from tests.game.test_press_gate import LINES as GATE
from tests.language import test_documents, test_read, test_spoken, test_talk, wishes
from tests.language.played import VERDICTS, Case, Judged, Outcome, asks, cases, told
from tests.language.world import World
from tests.mail import programs, replies, test_corpus

HERE = Path(__file__).parent
MAILS = HERE / "mails"

Row = tuple[str, str, Outcome]
"""The name of a row, what was written, and what came of it."""


@dataclass(frozen=True)
class Corpus:
    """Rows that are measured together.

    Where time is short only every `step`-th row is, and none if that is 0: other tests hold these.
    """

    name: str
    rows: Callable[[int], Iterator[Row]]
    step: int = 1


# -- lines, read as `judge read` reads them -----------------------------------------------------


def read_as(text: str, turn: OrderContext) -> dict[str, Any]:
    """What the judge would make of a mail with this text."""
    message = EmailMessage()
    message["From"] = "Cleo <cleo@people.example>"
    message["To"] = "judge@judge.example"
    message["Message-ID"] = "<1@people.example>"
    message["Date"] = format_datetime(wishes.NOW)
    message.set_content(text)
    return dry_run(parse(message.as_bytes()), TABLE, turn)


def done(found: dict[str, Any]) -> list[str]:
    """Everything that would be carried out or sent on."""
    orders = [order for given in found["orders"].values() for order in given]
    ahead = [
        order for kept in found["ahead"].values() for given in kept.values() for order in given
    ]
    press = [f"press to {each['to']}" for each in found["press"]]
    return [*orders, *ahead, *found["commands"], *press]


def seen(found: dict[str, Any]) -> bool:
    """Whether the answer would speak of what was not done."""
    return any(line["fate"] in ("nothing", "asked") for line in found["lines"])


def proposed(found: dict[str, Any]) -> set[str]:
    """All lines that the answer would offer."""
    lines = found["lines"]
    every = [each for line in lines for each in (line["suggestions"] or [])]
    asked = [line["read"] for line in lines if line["fate"] == "asked" and line["read"]]
    return {*every, *asked, *(each["offer"] for each in found["wishes"])}


def compared(wanted: Sequence[str], found: dict[str, Any], offered: Sequence[str] = ()) -> Outcome:
    """What came of a line of which `wanted` should be filed, or some of `offered` be offered."""
    filed = done(found)
    if beyond := [each for each in filed if each not in wanted]:
        return Outcome("wrong", f"files {'; '.join(beyond)}")
    if wanted and set(wanted) <= set(filed):
        return Outcome("right")
    good = {*wanted, *offered}
    has = proposed(found)
    if good & has or (good and any(each.startswith("IF ") for each in has)):
        return Outcome("asked")
    if not good:
        return Outcome("right") if not has else Outcome("not done", f"offers {'; '.join(has)}")
    why = f"offers {'; '.join(has)}" if has else ""
    return Outcome("not done" if seen(found) else "silent", why)


def _orders(means: str) -> list[str]:
    """The orders in what the tables say a sentence means."""
    pieces = [each.strip() for each in means.split("; ")]
    good = [each for each in pieces if each and not each.startswith(("!", "~"))]
    return [re.sub(r"\A[A-Z][\w ]+: ", "", each) for each in good]


def _documents(step: int) -> Iterator[Row]:
    for each in test_documents.sentences()[::step]:
        found = read_as(each.text, test_documents.turn_of(each))
        yield each.document, each.text, compared(_orders(each.means), found)


def _spoken(step: int) -> Iterator[Row]:
    for heading, said, means in test_spoken.rows()[::step]:
        found = read_as(said, test_spoken.DESKS[heading])
        yield heading, said, compared(_orders(means), found)


def _readings(step: int) -> Iterator[Row]:
    for kind, written, order in test_read.table("readings.txt")[::step]:
        turn = OrderContext(test_read.STANDARD, later=test_read.PHASES[kind])
        found = read_as(written, turn)
        # Retreats are filed as `A mun D`.
        filed = re.sub(r"\AD (.*)", r"\1 D", order) if kind == "R" else order
        yield kind, written, compared([filed], found)


def _refusals(step: int) -> Iterator[Row]:
    for kind, written, *_ in test_read.table("refusals.txt")[::step]:
        if ", A " in written:  # two orders in a mail, though not one
            continue
        turn = OrderContext(test_read.STANDARD, later=test_read.PHASES[kind])
        found = read_as(written, turn)
        if filed := done(found):
            yield kind, written, Outcome("wrong", f"files {'; '.join(filed)}")
        else:
            yield kind, written, Outcome("not done" if seen(found) else "silent")


def _requests(step: int) -> Iterator[Row]:
    for file in sorted(HERE.glob("requests*.txt")):
        for language, asked, mail in islice(wishes.rows(file.stem), 0, None, step):
            found = read_as(mail, wishes.DESK)
            # These are orders and commands, which ask for nothing else.
            ending = (
                Outcome("right") if language == "--" and done(found) else _requested(asked, found)
            )
            yield f"{file.stem} {language}", mail, ending


def _requested(asked: str, found: dict[str, Any]) -> Outcome:
    """Commands are compared by their names; what their arguments are is held by tests."""
    wanted = [] if asked == "-" else asked.split(" & ")
    filed = done(found)
    answering = {_name(wishes.DONE.get(each, each)) for each in wanted}
    # An empty mail asks for STATUS, which changes nothing.
    beyond = [each for each in filed if _name(each) not in {*answering, "STATUS"}]
    if beyond:
        return Outcome("wrong", f"does {'; '.join(beyond)}")
    offered = {_name(each["offer"]) for each in found["wishes"]}
    offered |= {each["about"] for each in found["questions"]}
    if filed and answering <= {_name(each) for each in filed}:
        return Outcome("right")
    if not wanted:
        return Outcome("right") if not offered else Outcome("not done", f"offers {offered}")
    if all(_name(each) in offered | answering - {_name(x) for x in wanted} for each in wanted):
        return Outcome("asked")
    return Outcome("not done" if seen(found) else "silent", f"offers {offered}" if offered else "")


def _name(line: str) -> str:
    """What a command line is compared by: press with its readers, all else without arguments."""
    found = re.match(r"SET [A-Z]+|PRESS TO .*|WHO [A-Z ]+|[A-Z]+", line)
    return found[0].strip() if found else line


def _talk(step: int) -> Iterator[Row]:
    for line in test_talk.TALK[::step]:
        filed = [each for each in done(read_as(line, test_talk.DESK)) if each != "STATUS"]
        yield "talk", line, Outcome("wrong", f"does {filed}") if filed else Outcome("right")


@cache
def france() -> OrderContext:
    """France in the spring of 1901, with all units in their places."""
    variant = variants.load("standard")
    units = {power: tuple(own) for power, own in variant.start.items()}
    position = Position(Phase.read("S1901M"), units, dict.fromkeys(units, ()))
    return OrderContext(variant, position, powers=("France",))


def table(name: str) -> Iterator[list[str]]:
    """The rows of a table in `mails`, with its headings left out; `\\n` is a line break."""
    for line in (MAILS / name).read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            yield [cell.strip().replace("\\n", "\n") for cell in line.split(" | ")]


def _conditions(step: int) -> Iterator[Row]:
    """Nothing is filed of an order with a condition, a negation, a doubt or a time."""
    for said, may, offered in islice(table("conditions.txt"), 0, None, step):
        found = read_as(said, france())
        allowed = _orders(may)
        if beyond := [each for each in done(found) if each not in allowed]:
            yield "conditions", said, Outcome("wrong", f"files {'; '.join(beyond)}")
            continue
        good = [*allowed, *(_orders(offered) if offered != "-" else [])]
        ending = Outcome("right") if done(found) else compared(good, found)
        yield "conditions", said, ending


def _leftovers(step: int) -> Iterator[Row]:
    """What is left over cannot change the meaning, so the orders count."""
    for said, means in islice(table("leftovers.txt"), 0, None, step):
        yield "leftovers", said, compared(_orders(means), read_as(said, france()))


def _programs_corpus(step: int) -> Iterator[Row]:
    for name in test_corpus.CASES[::step]:
        case = test_corpus.case_of(name)
        found = test_corpus.read(name, case)
        wrong = test_corpus.faults(case, found)
        beyond = [
            each
            for key in ("orders", "commands")
            if key in case
            for each in _flat(found[key])
            if each not in _flat(case[key])
        ]
        beyond += [each["text"] for each in found["press"] if "press" in case and not case["press"]]
        ending = "wrong" if beyond else "not done" if wrong else "right"
        yield name, found["text"], Outcome(ending, "; ".join(wrong))


def _flat(value: dict[str, list[str]] | list[str]) -> list[str]:
    return [x for each in value.values() for x in each] if isinstance(value, dict) else value


def _replies(step: int) -> Iterator[Row]:
    for case in (*replies.cases(), *programs.cases(300))[::step]:
        got = replies.read(case)
        if got == case.wrote:
            yield case.name, "", Outcome("right")
        else:
            ending = "wrong" if replies.taken_wrongly(case, got) else "not done"
            yield case.name, "\n".join(case.wrote), Outcome(ending, str(got[:8]))


# -- mails, played at a judge -------------------------------------------------------------------


@cache
def judged() -> Judged:
    return Judged(World())


def _played(file: Path, step: int) -> Iterator[Row]:
    for case in islice(cases(file), 0, None, step):
        try:
            ending = judged().play(case)
        except Exception as error:
            raise RuntimeError(f"{case.name}: {case.text}") from error
        yield case.name, case.text, ending


def _gate_kept(step: int) -> Iterator[Row]:
    """A line for the judge in a reply to press reaches nobody."""
    world = judged().world
    for line in GATE["kept"][::step]:
        world.enter("press")
        before = world.before
        back = world.send("cleo", f"Hello Ann\n{line}", world.letter("cleo", "press Austria"))
        after = world.facts()
        words = line.strip("*•->1. ")
        mine = [each for each in back if each.to.startswith("cleo@")]
        if [row for row in after - before if row[0] == "press" and words in row[-1]]:
            yield "kept", line, Outcome("leaked", "is sent on")
        elif any(row[0] != "press" for row in after ^ before):
            yield "kept", line, Outcome("right")
        elif any(map(asks, mine)):
            yield "kept", line, Outcome("asked")
        else:
            yield "kept", line, Outcome("not done" if told(mine, line) else "right")


def _gate_talk(step: int) -> Iterator[Row]:
    """A sentence to a person reaches them."""
    for line in GATE["talk"][::step]:
        means = f"PRESS TO Austria\n{line}\nENDPRESS"
        case = Case(name="talk", text=line, situation="press", answers="press Austria", means=means)
        yield "talk", line, judged().play(case)


def _files() -> Iterator[Corpus]:
    for file in sorted(MAILS.glob("*.toml")):
        yield Corpus(f"mails: {file.stem}", partial(_played, file))


def corpora() -> list[Corpus]:
    """Everything that is measured, in the order of the table."""
    return [
        Corpus("rule documents", _documents, 8),
        Corpus("notations", _readings, 8),
        Corpus("refusals", _refusals),
        Corpus("spoken orders", _spoken, 8),
        Corpus("conditions", _conditions),
        Corpus("harmless leftovers", _leftovers),
        Corpus("wishes and questions", _requests, 16),
        Corpus("talk", _talk, 4),
        Corpus("replies to press: lines for the judge", _gate_kept, 16),
        Corpus("replies to press: talk", _gate_talk, 16),
        *_files(),
        Corpus("mails of programs", _programs_corpus, 4),
        Corpus("quoting shapes, read", _replies, 0),
    ]


# -- the table ----------------------------------------------------------------------------------


def measured(fast: bool = False, only: str = "") -> dict[str, list[Row]]:
    """The rows of all corpora, or of those whose name has `only` in it."""
    found = {}
    for corpus in corpora():
        step = corpus.step if fast else 1
        if only in corpus.name and step:
            found[corpus.name] = list(corpus.rows(step))
    return found


def counted(rows: Sequence[Row]) -> Counter[str]:
    return Counter(outcome.verdict for *_, outcome in rows)


HEADS = ("corpus", "rows", "done right", "asked", "not done", "silent", "done wrongly", "leaked")


def lines(found: dict[str, list[Row]]) -> Iterator[list[str]]:
    """The cells of the table, with the sum below."""
    whole: list[Row] = []
    for name, rows in [*found.items(), ("all", whole)]:
        if rows is not whole:
            whole.extend(rows)
        count = counted(rows)
        yield [name, str(len(rows)), *(str(count[each]) for each in VERDICTS)]


def markdown(found: dict[str, list[Row]]) -> str:
    """The table as Markdown."""
    rows = [list(HEADS), ["---", *["---:"] * (len(HEADS) - 1)], *lines(found)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def plain(found: dict[str, list[Row]]) -> str:
    """The table for a terminal."""
    rows = [list(HEADS), *lines(found)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(HEADS))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if at == 0 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )


def listed(found: dict[str, list[Row]], verdicts: Sequence[str]) -> Iterator[str]:
    """Every row that came to one of some ends, under its corpus, as Markdown."""
    for name, rows in found.items():
        chosen = [row for row in rows if row[2].verdict in verdicts]
        if chosen:
            yield f"\n## {name} ({len(chosen)})\n"
        for label, text, outcome in chosen:
            yield f"**{label}**: {outcome.verdict}: {outcome.why}\n"
            yield textwrap.indent(text, "    ") + "\n"


def main() -> None:
    """Print the table, and the rows that came to an end that is asked for."""
    arguments = argparse.ArgumentParser(description=main.__doc__)
    arguments.add_argument("only", nargs="?", default="", help="only corpora with this in the name")
    arguments.add_argument("--markdown", action="store_true", help="the table as Markdown")
    arguments.add_argument("--fast", action="store_true", help="leave out what takes long")
    arguments.add_argument(
        "--show", default="", help="verdicts whose rows are printed: wrong,leaked"
    )
    options = arguments.parse_args()
    memory.use()
    found = measured(options.fast, options.only)
    print(markdown(found) if options.markdown else plain(found))
    for line in listed(found, options.show.split(",")):
        print(line)


if __name__ == "__main__":
    with suppress(BrokenPipeError):
        main()
