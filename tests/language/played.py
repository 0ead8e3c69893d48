"""Mails played at a judge, and what came of them: the instrument of measure.py.

What a mail means is said in lines that the judge reads beyond doubt; they are played in the same
situation, and the two outcomes are compared. Nothing here knows how a mail is read.
"""

from __future__ import annotations

import html
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from email.utils import parseaddr
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct, convert

from judge.i18n import LANGUAGES, gettext, speaking
from tests.game.play import Received
from tests.language.world import Facts, World, sent_to


class Case(
    Struct, frozen=True, kw_only=True, rename={"situation": "in"}, forbid_unknown_fields=True
):
    """A mail, the situation, and what must come of it.

    `means` is what the mail asks for, in lines that are read beyond doubt; a line `@rome` says
    that those below it answer the last letter of that game. `others` are outcomes that are as
    good, and `yes` those that are good only once the writer has said YES. `shows` stands in the
    answer. `talk` asks for nothing, so the answer need say nothing. `then` is sent
    in answer to the reply. `answers` names a letter as `World.letter` has it.
    """

    name: str
    text: str
    situation: str = "spring"
    who: str = "cleo"
    answers: str = ""
    subject: str = ""
    date: str = ""
    means: str = ""
    others: tuple[str, ...] = ()
    yes: tuple[str, ...] = ()
    shows: str = ""
    talk: bool = False
    page: bool = False
    then: str = ""
    says: str = ""
    """What its writer says to the questions of the answer, YES to all if nothing is said."""


@dataclass(frozen=True)
class Outcome:
    """What came of a mail: a verdict, and what is to be looked at."""

    verdict: str
    why: str = ""


VERDICTS = ("right", "asked", "not done", "silent", "wrong", "leaked")


def cases(file: Path) -> Iterator[Case]:
    """The mails of a table, or of the shapes that it describes."""
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    if "own" in table:
        yield from _quoting(file.stem, table)
        return
    for number, row in enumerate(table["mail"], 1):
        voice = row.pop("as", "")
        yield convert(
            {**row, "name": f"{file.stem}-{number}{f' ({voice})' if voice else ''}"}, Case
        )


def _quoting(name: str, table: dict[str, Any]) -> Iterator[Case]:
    """Replies to press and to the judge, in which each announcement stands in two layouts."""
    plain, pages = table["layouts"], table["pages"]
    shapes: list[tuple[str, str, bool]] = []
    for number, said in enumerate(table["announcements"]):
        shapes += [(said, plain[(number + shift) % len(plain)], False) for shift in (0, 1)]
        if number % 4 == 0:
            shapes.append((said, pages[number // 4 % len(pages)], True))
    for said in table["blocks"]:
        shapes.append((said, "{own}\n\n{said}\n{letter}", False))
        shapes.append((said, "{said}\n{letter}\n\n{own}", False))
    own = {to: [each["text"] for each in table["own"] if each["to"] == to] for to in _TO}
    for number, (said, layout, page) in enumerate(shapes):
        to = _TO[(number + number // 2) % 2]
        text = own[to][number // 2 % len(own[to])]
        shown = text.replace("\n", "<br>\n") if page else text
        announced = html.escape(said) if page else said
        yield Case(
            name=f"{name}-{number + 1} (to {to})",
            text=layout.replace("{own}", shown).replace("{said}", announced),
            situation="press",
            answers="press Germany" if to == "press" else "start",
            means=f"PRESS TO Germany\n{text}\nENDPRESS" if to == "press" else text,
            page=page,
        )


_TO = ("press", "judge")


class Judged:
    """Plays cases and says what came of each."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._meant: dict[tuple[object, ...], Facts] = {}

    def meant(self, case: Case, lines: str) -> Facts:
        """The facts once `lines` have been sent as plainly as can be."""
        key = (case.situation, case.who, lines)
        if key not in self._meant:
            self.world.enter(case.situation)
            game, parts = "paris", [("paris", "")]
            for line in lines.strip().splitlines():
                if re.fullmatch(r"@[a-z]+", line):
                    game = line[1:].strip()
                    parts.append((game, ""))
                else:
                    parts[-1] = (game, f"{parts[-1][1]}{line}\n")
            for game, text in parts:
                if text:
                    self._plainly(case.who, game, text)
            self._meant[key] = self.world.facts()
        return self._meant[key]

    def _plainly(self, who: str, game: str, text: str) -> None:
        letters = [
            each
            for each in sent_to(self.world.play, who)
            if f":{game}" in each.subject and each.kind not in ("press", "question")
        ]
        back = self.world.send(who, text, letters[-1])
        for reply in back:
            if reply.to.startswith(who) and asks(reply):
                self.world.send(who, "YES", reply)

    def play(self, case: Case) -> Outcome:
        """What came of a case."""
        wanted = [self.meant(case, each) for each in (case.means, *case.others)]
        # Afterwards the judge would have to be brought here again.
        for each in case.yes:
            self.meant(case, each)
        self.world.enter(case.situation)
        before = self.world.before
        answered = self.world.letter(case.who, case.answers)
        text = filled(case.text, answered)
        headers = {"Date": case.date} if case.date else {}
        back = self.world.send(case.who, text, answered, case.subject, case.page, headers)
        every = mine = [each for each in back if each.to.startswith(f"{case.who}@")]
        if case.then and mine:
            back += (more := self.world.send(case.who, case.then, mine[-1]))
            mine = [each for each in more if each.to.startswith(f"{case.who}@")]
            every = [*every, *mine]
        after = self.world.facts()
        leak = self._leak(case, before, after, wanted, back)
        if leak:
            return Outcome("leaked", leak)
        if after in wanted and (after != before or case.talk or case.shows):
            if not case.shows or any(re.search(case.shows, each.text) for each in mine):
                return Outcome("right")
            return Outcome("not done" if told(every, text) else "silent", "does not show it")
        beyond = [(after ^ before) - (each ^ before) for each in wanted]
        extra = sorted(beyond, key=len)[0]
        if extra:
            return Outcome("wrong", changes(extra, after))
        wanted += [self.meant(case, each) for each in case.yes]
        found = self._undone(case, before, after, wanted, mine)
        silent = found.verdict == "not done" and not told(every, text)
        return replace(found, verdict="silent") if silent else found

    def _undone(
        self,
        case: Case,
        before: Facts,
        after: Facts,
        wanted: list[Facts],
        mine: list[Received],
    ) -> Outcome:
        """What the answer offers instead of something that was not done."""
        lacks = [(each ^ before) - (after ^ before) for each in wanted]
        question = next((each for each in reversed(mine) if asks(each)), None)
        if question is not None:
            every = "\n".join(dict.fromkeys(re.findall(r"YES \d+", question.text)))
            said = case.says or every or "YES"
            back = self.world.send(case.who, said, question)
            if (then := self.world.facts()) in wanted and then != after:
                return Outcome("asked")
            if leak := self._leak(case, after, then, wanted, back):
                return Outcome("leaked", f"by a YES: {leak}")
        offered = offers(mine)
        for each in filter(None, lacks):
            missing = {row[-1] for row in each if row[0] == "order" and row in before ^ each}
            if missing and missing <= offered and all(row[0] == "order" for row in each):
                return Outcome("asked")
        why = "; ".join(sorted(map(_said, sorted(lacks, key=len)[0])))
        return Outcome("not done", why)

    def leaked_address(self, who: str, back: list[Received]) -> str:
        """Who reads a reply address of somebody else's in letters, and which; "" if nobody does."""
        others = [each for each in back if not each.to.startswith(f"{who}@")]
        own = sent_to(self.world.play, who) if others else []
        hidden = set[str]().union(*(tokens(_head(each)) for each in own))
        for letter in others:
            shown = letter.raw.decode("latin-1") + " ".join(letter.contents("text"))
            if found := hidden & tokens(shown):
                return f"{letter.to} reads {found}"
        return ""

    def _leak(
        self,
        case: Case,
        before: Facts,
        after: Facts,
        wanted: list[Facts],
        back: list[Received],
    ) -> str:
        """What reached others that was not addressed to them."""
        if found := self.leaked_address(case.who, back):
            return found
        meant = {row[2:4]: set[str]() for each in wanted for row in each if row[0] == "press"}
        for each in wanted:
            for row in each:
                if row[0] == "press":
                    meant[row[2:4]].update(row[-1].splitlines())
        for row in after - before:
            known = meant.get(row[2:4], ()) if row[0] == "press" else ()
            lines = row[-1].splitlines() if row[0] == "press" else ()
            # What a line begins with may be theirs without the rest.
            if beyond := [x for x in lines if not any(each.startswith(x) for each in known)]:
                return f"{row[3]} reads {beyond}"
        return ""


def filled(text: str, letter: Received | None) -> str:
    """A mail's text with what it quotes in its place."""
    if letter is None or "{" not in text:
        return text
    address = parseaddr(str(letter.message["Reply-To"]))[1]
    name = parseaddr(str(letter.message["From"]))[0]
    lines = letter.text.strip().splitlines()
    return (
        text.replace("{quote}", "\n".join(f"> {line}".rstrip() for line in lines))
        .replace("{letter}", "\n".join(lines))
        .replace("{half}", "\n".join(f"> {line}".rstrip() for line in lines[: len(lines) // 2]))
        .replace("{rest}", "\n".join(f"> {line}".rstrip() for line in lines[len(lines) // 2 :]))
        .replace("{address}", address)
        .replace("{name}", name)
        .replace("{token}", address.partition("@")[0])
        .replace("{line}", max(lines, key=len).strip())
        .replace("{subject}", letter.subject)
        .replace("{html}", "<br>\n".join(map(html.escape, lines)))
    )


def tokens(text: str) -> set[str]:
    """What stands behind the plus of reply addresses."""
    return set(re.findall(r"judge\+(r[a-z0-9]{20,})", text))


def _head(letter: Received) -> str:
    return letter.raw.partition(b"\r\n\r\n")[0].decode("latin-1")


def asks(letter: Received) -> bool:
    """Whether a letter waits for a YES."""
    return re.search(r"\bYES\b", letter.text) is not None


@cache
def _understood() -> frozenset[str]:
    """The heading of what was done, in all languages."""
    found = set[str]()
    for each in LANGUAGES:
        with speaking(each):
            found.add(gettext("WHAT I UNDERSTOOD"))
    return frozenset(found)


def _left(letters: list[Received]) -> Iterator[str]:
    """The paragraphs of the answer, but for those that say what was done."""
    for letter in letters:
        above = ""
        # Where nothing stands above what was asked, it has no heading.
        section = min(_understood()) if letter.text.startswith("  >") else ""
        for paragraph in letter.text.split("\n\n"):
            if not paragraph.startswith(" ") and paragraph.upper() == paragraph:
                section = paragraph.strip()
            # What was done is followed by lines that another sentence announces.
            elif section not in _understood() or (
                paragraph.startswith("  >")
                and above
                and not above.startswith(" ")
                and above != section
            ):
                yield paragraph
            above = paragraph.strip("\n")


def told(letters: list[Received], text: str) -> bool:
    """Whether the answer names a line of the mail as one that was not done."""
    lines = {_bare(line) for line in text.splitlines() if _bare(line)}
    for paragraph in _left(letters):
        whole = _bare(paragraph)
        # The sheet shows orders of other lines, too, which are shorter.
        if any(line in whole for line in lines if len(line) >= _LONG):
            return True
        for row in paragraph.splitlines():
            said, quoted = _bare(row), row.strip().startswith(">")
            if said in lines:
                return True
            if quoted and said and any(said[:40] in line or line[:40] in said for line in lines):
                return True
    return False


_LONG = 16


def offers(letters: list[Received]) -> set[str]:
    """The lines that the answer proposes to send instead."""
    found = set[str]()
    for paragraph in _left(letters):
        rows = paragraph.splitlines()
        for row in rows if any(row.strip().startswith(">") for row in rows) else ():
            if not row.strip().startswith(">"):
                found.add(row.rpartition(":  ")[2].strip())
                found.add(row.rpartition(": ")[2].strip())
    return found


def _bare(line: str) -> str:
    return re.sub(r"[\W_]+", "", line).lower()


def _said(row: tuple[str, ...]) -> str:
    return " ".join(part if len(part) < 200 else part[:200] + "..." for part in row)


def changes(rows: Facts, after: Facts) -> str:
    """What was done beyond what was asked."""
    return "; ".join(sorted(f"{'+' if row in after else '-'} {_said(row)}" for row in rows))
