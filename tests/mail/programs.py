"""More replies, in shapes and languages that replies.py lacks: `python -m tests.mail.programs` says
how many are read exactly."""

from __future__ import annotations

import html
import random
import textwrap
import tomllib
from collections.abc import Iterator
from pathlib import Path

from tests.mail import replies
from tests.mail.replies import ADDRESS, LANGUAGES, TYPED, Case, Draft, Shape, letters

DATA = tomllib.loads(Path(__file__).with_name("programs.toml").read_text(encoding="utf-8"))
MORE = DATA["languages"] | {
    each: LANGUAGES[each] for each in ("en", "de", "fr", "it", "ar", "ru", "ja", "zh-Hans", "he")
}


def around(draft: Draft, head: str, quote: str, gap: str = "\n\n") -> tuple[str, str]:
    return f"{draft.above}{gap if draft.above else ''}{head}{quote}\n{draft.below}".rstrip(), ""


def announced(head: str) -> Shape:
    return lambda draft: around(
        draft, head.format(name=draft.letter.sender, address=ADDRESS), draft.quoted("> ")
    )


def groupwise(draft: Draft) -> tuple[str, str]:
    return around(
        draft, f">>> {draft.letter.sender} <{ADDRESS}> 20.11.2026 14:03 >>>\n", draft.quoted()
    )


def notes(draft: Draft) -> tuple[str, str]:
    sender, subject = draft.letter.sender, draft.letter.subject
    head = (
        f"{sender} ---20.11.2026 14:03:11---{subject}\n\nFrom:\t{sender} <{ADDRESS}>\n"
        f"To:\tcleo@people.example,\nDate:\t20.11.2026 14:03\nSubject:\t{subject}\n\n\n"
    )
    return around(draft, head, draft.quoted())


def prefixed(draft: Draft) -> tuple[str, str]:
    quote = f"-----{draft.words['ruler']}-----\n{draft.header()}\n\n{draft.quoted()}"
    return around(draft, "", "\n".join(f"> {line}" for line in quote.split("\n")))


def t_online(draft: Draft) -> tuple[str, str]:
    head = (
        f"-----Original-Nachricht-----\nBetreff: {draft.letter.subject}\n"
        f'Datum: 2026-11-20T14:03:11+0100\nVon: "{draft.letter.sender}" <{ADDRESS}>\n'
        'An: "Cleo" <cleo@people.example>\n\n\n\n'
    )
    return around(draft, head, draft.quoted(from_page=True))


def hotmail(draft: Draft) -> tuple[str, str]:
    head = (
        f"> Date: Fri, 20 Nov 2026 14:03:11 +0100\n> From: {ADDRESS}\n> To: cleo@people.example\n"
        f"> Subject: {draft.letter.subject}\n> \n"
    )
    return around(draft, head, draft.quoted("> "))


def folded(draft: Draft) -> tuple[str, str]:
    """Lines broken behind the mark, which only their first part has."""
    lines = draft.quoted("> ").split("\n")
    quote = "\n".join(textwrap.fill(line, 70) if len(line) > 70 else line for line in lines)
    return around(draft, textwrap.fill(draft.announced, 60) + "\n\n", quote)


def double(draft: Draft) -> tuple[str, str]:
    return around(draft, f"{draft.announced}\n> {draft.announced}\n>> \n", draft.quoted(">> "))


def supercite(draft: Draft) -> tuple[str, str]:
    head = f'>>>>> "Judge" == {draft.letter.sender} <{ADDRESS}> writes:\n\n'
    return around(draft, head, draft.quoted("Judge> "))


def plain_marks(draft: Draft) -> tuple[str, str]:
    mark = draft.chance.choice((": ", "| ", "% ", "} ", "The Judge> ", "    TJ> ", "|", "J: "))
    return around(draft, f"According to {draft.letter.sender}:\n", draft.quoted(mark))


def stacked(draft: Draft) -> tuple[str, str]:
    """Labels and values in lines of their own."""
    head = f"{draft.letter.sender} <{ADDRESS}>\n20.11.2026 14:03\n\n"
    fields = f"An\ncleo@people.example\nKopie\n\nThema\n{draft.letter.subject}\n\n\n\n"
    return around(draft, head + fields, draft.quoted())


def right_to_left(draft: Draft) -> tuple[str, str]:
    head = draft.announced.replace(ADDRESS, f"\u202a{ADDRESS}\u202c")
    return around(draft, f"\u202b{head}\u202c\n\n", draft.quoted("> ", from_page=True))


def hidden(draft: Draft) -> tuple[str, str]:
    own = draft.above or draft.below or "\n".join(draft.own)
    return f"{own}\n\n{draft.announced}\n> [Quoted text hidden]\n", ""


def lines_in_page(draft: Draft) -> tuple[str, str]:
    above, below = (
        "<br>".join(map(html.escape, text.splitlines())) for text in (draft.above, draft.below)
    )
    return "", (
        f'<html><body><p>{above}</p><div class="moz-cite-prefix">{html.escape(draft.announced)}'
        f'<br></div><blockquote type="cite" cite="mid:x@y">{draft.page()}</blockquote>'
        f"<p>{below}</p></body></html>"
    )


def table_page(draft: Draft) -> tuple[str, str]:
    above = "<br>".join(map(html.escape, draft.above.splitlines()))
    below = "".join(f"<div>{html.escape(line)}</div>" for line in draft.below.split("\n"))
    return "", (
        f"<table><tr><td>{above}</td></tr></table><hr><table><tr><td>"
        f"{html.escape(draft.announced)}</td></tr><tr><td>{draft.page()}</td></tr></table>{below}"
    )


SHAPES: tuple[Shape, ...] = (
    *map(announced, DATA["announced"].values()),
    *(groupwise, notes, prefixed, t_online, hotmail, folded, double, supercite, right_to_left),
    *(hidden, lines_in_page, table_page, plain_marks, stacked),
)
WHOLE = (prefixed, hidden, supercite)
"""Nobody writes between the lines of these."""

OWN = (
    ("A par - bur", "F bre - mao", "A mar - spa"),
    ("hi there", "par-bur", "mar s par-bur", "bre-eng", "thanks"),
    ("A Paris -> Burgundy", "Fleet Brest holds"),
    ("A par - pic", "I wrote at 14:03 to bob@example.org that:", "F bre - eng"),
    ("PRESS TO England", "On Monday you wrote: no.", "ENDPRESS", "A mar H"),
)
TAILS = (
    *((), ("", "-- ", "Cleo Example", "Acme Corp., Paris"), ("", "--", "Cleo"), ("", "—", "Cleo")),
    *(("", "{phone}"), ("", "Get Outlook for Android"), ("", "Envoyé de mon mobile Orange")),
    *(("", "Sent with Proton Mail secure email."), ("", "_" * 20)),
)
FOOTERS = (
    *("", "", "\n\n\nVirus-free.www.avast.com"),
    "\n\n-- \nThis email has been checked for viruses by Avast antivirus software.\n",
    f"\n\n{'_' * 47}\nGames mailing list\nGames@lists.example\nhttps://lists.example/games\n",
)


def cases(count: int = 96, seed: int = 99) -> Iterator[Case]:
    """That many replies, each shape in turn."""
    chance = random.Random(seed)
    for number in range(count):
        made = SHAPES[number % len(SHAPES)]
        language = chance.choice(list(MORE))
        where = chance.choice(["above"] * 5 + ["below"] * 2 + ["typed"])
        where = "above" if made in WHOLE else where
        own = chance.choice(TYPED if where == "typed" else OWN)
        words = MORE[language]
        tail = chance.choice(TAILS) if where == "above" else ()
        shown = own + tuple(line.format(**words) for line in tail)
        letter, width = chance.choice(letters()), chance.choice((0, 0, 66, 72, 78))
        draft = Draft(letter, words, where, shown, width, "none", chance)
        plain, page = made(draft)
        if plain and where == "above":
            plain += chance.choice(FOOTERS)
        name = f"{number:03}-{made.__name__}-{language}-{letter.kind}-{where}"
        raw = replies._mail(draft, plain, page, language, f"more{number}")
        yield Case(name, raw, list(own), letter)


if __name__ == "__main__":
    found = [(case, replies.read(case)) for case in cases(300)]
    wrong = [(case, got) for case, got in found if got != case.wrote]
    for case, got in wrong:
        print(case.name, "\n  wrote", case.wrote, "\n  read ", got[:12])
    print(f"{len(found) - len(wrong)} of {len(found)} exact")
