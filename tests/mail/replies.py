"""Replies in the shapes of mail programs, made from letters of the judge: `python -m
tests.mail.replies` says how many are read exactly, of the kept third and of the others."""

from __future__ import annotations

import argparse
import base64
import html
import itertools
import quopri
import random
import re
import tempfile
import textwrap
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email import message_from_bytes
from email.header import Header
from email.policy import default
from functools import cache
from pathlib import Path
from typing import Any

from judge import variants
from judge.commands import TABLE
from judge.game.orders.order_context import OrderContext
from judge.intake.dry_run import dry_run
from judge.mail import headers
from judge.mail.html_text import html_to_text
from judge.mail.message import parse
from tests.game.play import Play, Received

ADDRESS = "judge@judge.example"
KINDS = ("start", "results", "reminder", "press", "reply")
LANGUAGES = tomllib.loads(Path(__file__).with_name("replies.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Letter:
    """A letter of the judge: its bytes, and what programs quote of it."""

    kind: str
    raw: bytes
    sender: str
    subject: str
    message_id: str
    text: str
    page: str

    @property
    def shown(self) -> str:
        """The text that programs make of its HTML."""
        return "\n".join(line.rstrip() for line in html_to_text(self.page).strip().split("\n"))

    @property
    def body(self) -> str:
        """What its HTML shows."""
        found = re.search(r"<body[^>]*>(.*)</body>", self.page, re.DOTALL)
        return found[1] if found else self.page


@cache
def letters() -> tuple[Letter, ...]:
    """A letter of each kind, to the player of France."""
    with tempfile.TemporaryDirectory() as folder:
        play = Play(Path(folder))
        found: dict[str, Received] = {"start": play.start("NMR")["cleo"]}
        found["reply"] = play.send("cleo", "A par - bur\nSET WAIT", answers=found["start"])
        play.send("dora", "PRESS TO France\nLet us meet.\nA par - gas\nWell?\nENDPRESS")
        arrived = play.run()
        while True:
            for letter in arrived:
                if letter.to.startswith("cleo") and letter.kind in KINDS:
                    found.setdefault(letter.kind, letter)
            if len(found) == len(KINDS):
                break
            arrived = play.wake()
        play.storage.close()
    return tuple(map(_letter, KINDS, (found[kind].raw for kind in KINDS)))


def _letter(kind: str, raw: bytes) -> Letter:
    message = message_from_bytes(raw, policy=default)
    plain, page = message.get_body(("plain",)), message.get_body(("html",))
    assert plain is not None
    return Letter(
        kind,
        raw,
        headers.addresses([str(message["From"])])[0][0],
        str(message["Subject"]),
        str(message["Message-ID"]),
        str(plain.get_content()).rstrip("\n"),
        "" if page is None else str(page.get_content()),
    )


@dataclass(frozen=True)
class Case:
    """A reply: its bytes, what its writer wrote, and the letter it answers."""

    name: str
    raw: bytes
    wrote: list[str]
    letter: Letter


@dataclass(frozen=True)
class Draft:
    """What is put together: own lines above, between and below, and how things are said."""

    letter: Letter
    words: dict[str, object]
    where: str
    own: tuple[str, ...]
    width: int
    noise: str
    chance: random.Random

    @property
    def announced(self) -> str:
        wrote = self.words["wrote"]
        assert isinstance(wrote, list)
        said: str = self.chance.choice(wrote)
        return said.format(name=self.letter.sender, address=ADDRESS)

    def header(self, order: str = "fstj", bold: str = "", between: str = ": ") -> str:
        labels, date = self.words["labels"], self.words["date"]
        assert isinstance(labels, list)
        values = {
            "f": (labels[0], f"{self.letter.sender} <{ADDRESS}>"),
            "s": (labels[1], str(date)),
            "t": (labels[2], "Cleo <cleo@people.example>"),
            "j": (labels[3], self.letter.subject),
        }
        rows = (values[each] for each in order)
        return "\n".join(f"{bold}{label}{between}{bold}{value}" for label, value in rows)

    def quoted(self, mark: str = "", from_page: bool = False) -> str:
        """The letter with marks, broken anew, with what was typed there in its place."""
        text = self.letter.shown if from_page and self.letter.page else self.letter.text
        lines = NOISES[self.noise](text).split("\n")
        if self.width:
            lines = [
                piece
                for line in lines
                for piece in (_folded(line, self.width) if len(line) > self.width else [line])
            ]
        if mark:
            lines = [f"{mark}{line}" if line or mark != ">" else mark for line in lines]
        place = len(lines) // 2
        while place < len(lines) and lines[place].strip(" >|"):
            place += 1
        if self.where == "between":
            lines[place:place] = ["", *self.own, ""]
        elif self.where == "typed":
            lines[place + 1 : place + 1] = [f"{mark}{line}" for line in self.own]
        return "\n".join(lines)

    def page(self) -> str:
        """The letter as HTML, with what was typed there in its place."""
        body = self.letter.body if self.letter.page else _lines(self.letter.text)
        if self.where == "typed":
            ends = [found.end() for found in re.finditer(r"</p>", body)]
            place = ends[len(ends) // 2]
            typed = "".join(f"<div>{html.escape(line)}</div>" for line in self.own)
            body = f"{body[:place]}{typed}{body[place:]}"
        return re.sub(r'<img[^>]*src="cid:[^>]*>', '<img src="cid:1" alt="[map]">', body)

    @property
    def above(self) -> str:
        return "\n".join(self.own) if self.where == "above" else ""

    @property
    def below(self) -> str:
        return "\n".join(self.own) if self.where == "below" else ""


def _folded(line: str, width: int) -> list[str]:
    indent = line[: len(line) - len(line.lstrip())]
    return textwrap.wrap(
        line, width, initial_indent="", subsequent_indent=indent[:0], break_long_words=False,
        break_on_hyphens=False, drop_whitespace=True, replace_whitespace=False, tabsize=1,
    ) or [""]  # fmt: skip


def _trimmed(text: str) -> str:
    lines = text.split("\n")
    return "\n".join(lines[: max(6, len(lines) // 3)])


NOISES: dict[str, Callable[[str], str]] = {
    "none": lambda text: text,
    "no blank lines": lambda text: re.sub(r"\n\s*\n+", "\n", text),
    "blank lines doubled": lambda text: text.replace("\n", "\n\n"),
    "bold": lambda text: re.sub(r"(?m)^([A-Z ()]{8,})$", r"*\1*", text),
    "links": lambda text: text.replace("HELP", "HELP<mailto:judge@judge.example?body=HELP>"),
    "hard blanks": lambda text: text.replace("  ", "\u00a0\u00a0"),
    "typography": lambda text: text.replace("'", "\u2019").replace("...", "\u2026"),
    "trimmed": _trimmed,
    "banner": lambda text: "CAUTION: This email came from outside of Example Ltd.\n\n" + text,
    "clipped": lambda text: _trimmed(text) + "\n...\n\n[Message clipped]  View entire message",
}
"""What programs and their users do to a letter that they quote."""


def _lines(text: str) -> str:
    return "<br>\n".join(html.escape(line) for line in text.split("\n"))


def _divs(text: str) -> str:
    return "".join(f"<div>{html.escape(line) or '<br>'}</div>" for line in text.split("\n"))


Shape = Callable[[Draft], tuple[str, str]]
"""The plain text and the HTML of a reply; "" where a program sends none."""

SHAPES: dict[str, Shape] = {}


def shape(*names: str) -> Callable[[Shape], Shape]:
    def add(made: Shape) -> Shape:
        SHAPES.update(dict.fromkeys(names, made))
        return made

    return add


def _around(draft: Draft, head: str, quote: str, gap: str = "\n\n") -> str:
    return f"{draft.above}{gap if draft.above else ''}{head}{quote}\n{draft.below}".rstrip() + "\n"


@shape("gmail", "gmail-android")
def gmail(draft: Draft) -> tuple[str, str]:
    head = textwrap.fill(draft.announced, 76) + "\n\n"
    return _around(draft, head, draft.quoted("> ", from_page=True)), ""


@shape("gmail-tight", "fairemail")
def tight(draft: Draft) -> tuple[str, str]:
    return _around(draft, f"{draft.announced}\n", draft.quoted("> "), "\n"), ""


@shape("gmail-page")
def gmail_page(draft: Draft) -> tuple[str, str]:
    quote = (
        f'<div class="gmail_quote"><div dir="ltr" class="gmail_attr">{html.escape(draft.announced)}'
        '<br></div><blockquote class="gmail_quote" style="border-left:1px solid #ccc">'
        f"{draft.page()}</blockquote></div>"
    )
    return "", f'<div dir="ltr">{_divs(draft.above)}</div>{quote}{_divs(draft.below)}'


@shape("outlook", "exchange", "notes")
def outlook(draft: Draft) -> tuple[str, str]:
    text = _around(draft, f"{draft.header()}\n\n", draft.quoted(from_page=True), "\n\n\n")
    return text, ""


@shape("outlook-page")
def outlook_page(draft: Draft) -> tuple[str, str]:
    def rows(text: str) -> str:
        return "".join(
            f"<p class=MsoNormal>{html.escape(x)}<o:p></o:p></p>" for x in text.split("\n")
        )

    head = "<br>".join(
        f"<b>{html.escape(x.partition(':')[0])}:</b>{html.escape(x.partition(':')[2])}"
        for x in draft.header().split("\n")
    )
    return "", (
        f"<html><body><div class=WordSection1>{rows(draft.above)}<p class=MsoNormal>&nbsp;</p>"
        '<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm">'
        f"<p class=MsoNormal>{head}</p></div>{draft.page()}{rows(draft.below)}</div></body></html>"
    )


@shape("outlook-reply-mark", "owa")
def owa(draft: Draft) -> tuple[str, str]:
    head = "<br>".join(f"<b>{html.escape(x)}</b>" for x in draft.header().split("\n"))
    return "", (
        f"<div>{_divs(draft.above)}</div><div id='appendonsend'></div><hr><div id='divRplyFwdMsg'>"
        f"<font>{head}</font><div>&nbsp;</div></div><div>{draft.page()}</div>{_divs(draft.below)}"
    )


@shape("outlook-mobile", "outlook-mac")
def outlook_mobile(draft: Draft) -> tuple[str, str]:
    above = f"{draft.above}\n\nGet Outlook for iOS<https://aka.ms/o0ukef>" if draft.above else ""
    ruler = "_" * 32
    quote = f"{ruler}\n{draft.header()}\n\n{draft.quoted(from_page=True)}\n{draft.below}"
    return f"{above}\n{quote}\n", ""


@shape("outlook-bold")
def outlook_bold(draft: Draft) -> tuple[str, str]:
    return _around(draft, f"{draft.header('fstj', '*')}\n\n", draft.quoted()), ""


@shape("ruler", "naver", "zimbra")
def ruler(draft: Draft) -> tuple[str, str]:
    head = f"-----{draft.words['ruler']}-----\n{draft.header('ftsj')}\n\n"
    return _around(draft, head, draft.quoted()), ""


@shape("samsung", "bluemail", "qq")
def samsung(draft: Draft) -> tuple[str, str]:
    head = f"-------- {draft.words['ruler']} --------\n{draft.header('fstj')}\n"
    return _around(draft, head, draft.quoted(from_page=True)), ""


@shape("gmx", "web.de", "lotus")
def gmx(draft: Draft) -> tuple[str, str]:
    return _around(draft, f"{draft.header('sftj')}\n\n", draft.quoted(from_page=True)), ""


@shape("apple", "iphone", "airmail")
def apple(draft: Draft) -> tuple[str, str]:
    above = f"{draft.above}\n\n{draft.words['phone']}\n\n" if draft.above else ""
    head = f"> {draft.announced}\n> \n"
    return f"{above}{head}{draft.quoted('> ', from_page=True)}\n\n{draft.below}\n", ""


@shape("iphone-page")
def iphone_page(draft: Draft) -> tuple[str, str]:
    return "", (
        f'<html><body dir="auto">{_divs(draft.above)}<br>'
        f'<div dir="ltr">{draft.words["phone"]}</div>'
        f'<div dir="ltr"><br><blockquote type="cite">{html.escape(draft.announced)}<br><br>'
        f'</blockquote></div><blockquote type="cite"><div dir="ltr">{draft.page()}</div>'
        f"</blockquote>{_divs(draft.below)}</body></html>"
    )


@shape("thunderbird", "roundcube", "horde", "mutt", "spark")
def thunderbird(draft: Draft) -> tuple[str, str]:
    return _around(draft, f"{draft.announced}\n", draft.quoted("> ")), ""


@shape("mail.ru", "k9")
def narrow(draft: Draft) -> tuple[str, str]:
    return _around(draft, f"{draft.announced}\n", draft.quoted(">")), ""


@shape("yahoo", "aol", "bare", "163")
def yahoo(draft: Draft) -> tuple[str, str]:
    lines = draft.quoted(from_page=True).split("\n")
    return _around(draft, f"{draft.announced}\n \n", "\n".join(f"  {x}  " for x in lines)), ""


@shape("yahoo-page")
def yahoo_page(draft: Draft) -> tuple[str, str]:
    return "", (
        f"<div>{_divs(draft.above)}</div><div id='yahoo_quoted_1' class='yahoo_quoted'><div>"
        f"{html.escape(draft.announced)}</div><div>{draft.page()}</div></div>{_divs(draft.below)}"
    )


@shape("proton", "yandex", "zoho")
def proton(draft: Draft) -> tuple[str, str]:
    return "", (
        f"{_divs(draft.above)}<div class='protonmail_quote'>{html.escape(draft.announced)}<br>"
        f"<blockquote type='cite'>{draft.page()}</blockquote></div>{_divs(draft.below)}"
    )


@shape("silent")
def silent(draft: Draft) -> tuple[str, str]:
    return _around(draft, "", draft.quoted()), ""


@shape("bars")
def bars(draft: Draft) -> tuple[str, str]:
    return _around(draft, f"{draft.announced}\n", draft.quoted("| ")), ""


OWN = (
    ("A par - bur", "F bre - mao", "A mar - spa"),
    ("Hello judge,", "", "A par - pic", "F bre - eng", "A mar S A par - bur", "", "Cleo"),
    ("SET WAIT", "A par - bur"),
    ("A par H",),
    ("PRESS TO Germany", "Shall we meet at 20:00? Write to ann@example.org:", "soon", "ENDPRESS"),
    ("Ann of ann@example.org told me at 20:00 the following:", "A mar - spa"),
    ("A mar S A par - bur", "I will be back at 20:00"),
    ("F bre - gas", "A par - bur", "A mar H", "HELP orders"),
)
TYPED = (("A mar - pie",), ("A mar - pie", "F bre - pic"))
CHARSETS = {
    "ru": "koi8-r", "uk": "windows-1251", "el": "iso-8859-7", "tr": "windows-1254",
    "he": "windows-1255", "ar": "windows-1256", "ja": "iso-2022-jp", "ko": "euc-kr",
    "zh-Hans": "gb18030", "zh-Hant": "big5", "pl": "iso-8859-2", "cs": "windows-1250",
    "hu": "iso-8859-2", "th": "tis-620", "vi": "windows-1258",
}  # fmt: skip


def cases() -> Iterator[Case]:
    """All replies, each shape in each language."""
    chance = random.Random(17)
    for number, (language, name) in enumerate(itertools.product(LANGUAGES, SHAPES)):
        if chance.random() > _SHARE:
            continue
        letter = chance.choice(letters())
        is_page = name.endswith("-page") or SHAPES[name] in (owa, proton)
        places = ["above"] * 5 + ["below"] * 2 + ["typed"] + ([] if is_page else ["between"])
        where = chance.choice(places)
        own = chance.choice(TYPED if where == "typed" else OWN)
        width = chance.choice((0, 0, 72, 76))
        noise = chance.choice(["none", *NOISES])
        if noise == "clipped" and where != "above":
            noise = "none"
        draft = Draft(letter, LANGUAGES[language], where, own, width, noise, chance)
        plain, page = SHAPES[name](draft)
        yield Case(
            f"{number:04}-{name}-{language}-{letter.kind}-{where}-{noise}",
            _mail(draft, plain, page, language, name),
            [line for line in own if line],
            letter,
        )


_SHARE = 0.5


def _mail(draft: Draft, plain: str, page: str, language: str, name: str) -> bytes:
    charset = CHARSETS.get(language, "iso-8859-1") if draft.chance.random() < 0.4 else "utf-8"
    try:
        f"{plain}{page}".encode(charset)
    except UnicodeError:
        charset = "utf-8"
    subject = Header(f"Re: {draft.letter.subject}", "utf-8").encode()
    head = (
        f"From: Cleo <cleo@people.example>\nTo: The Judge <{ADDRESS}>\nSubject: {subject}\n"
        f"Message-ID: <{name}.{language}@people.example>\nIn-Reply-To: {draft.letter.message_id}\n"
        "Date: Fri, 20 Nov 2026 15:00:00 +0100\nMIME-Version: 1.0\n"
    ).encode()
    if plain and page:
        raise AssertionError("one of both")
    kind = "plain" if plain else "html"
    body = (plain or page).encode(charset)
    encoding = draft.chance.choice(("base64", "quoted-printable", "8bit"))
    if encoding == "base64":
        body = base64.encodebytes(body)
    elif encoding == "quoted-printable":
        body = quopri.encodestring(body)
    fields = (
        f"Content-Type: text/{kind}; charset={charset}\nContent-Transfer-Encoding: {encoding}\n\n"
    )
    return head + fields.encode() + body


def read(case: Case) -> list[str]:
    """The lines that count in a reply."""
    return _lines_of(_found(case.raw, [case.letter.raw])["text"])


def taken_wrongly(case: Case, got: list[str]) -> bool:
    """Whether a line of the writer's is lost, or a quoted order, command or press would act."""
    meant = f"From: cleo@people.example\nSubject: Re: {case.letter.subject}\n\n"
    wanted = _found((meant + "\n".join(case.wrote)).encode(), [])
    found = _found(case.raw, [case.letter.raw])
    acts = ("orders", "commands")
    beyond = any(_flat(found[each]) - _flat(wanted[each]) for each in acts)
    return beyond or not set(case.wrote) <= set(got)


def _flat(value: dict[str, list[str]] | list[str]) -> set[str]:
    return {x for each in value.values() for x in each} if isinstance(value, dict) else {*value}


def _found(raw: bytes, answers: list[bytes]) -> dict[str, Any]:
    turn = OrderContext(variants.load("standard"))
    return dry_run(parse(raw), TABLE, turn, answers)


def _lines_of(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.split("\n") if line.strip()]


def held_back() -> list[Case]:
    """Every third reply, by which nothing was built."""
    return list(itertools.islice(cases(), 0, None, 3))


def main() -> None:
    """Print the rates, and the cases that are read wrongly."""
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--show", type=int, default=0, help="how many wrong ones to print")
    options = arguments.parse_args()
    held = {case.name for case in held_back()}
    count, right, wrong = Counter[bool](), Counter[bool](), Counter[bool]()
    for case in cases():
        kept, got = case.name in held, read(case)
        count[kept] += 1
        right[kept] += got == case.wrote
        wrong[kept] += got != case.wrote and taken_wrongly(case, got)
        if got != case.wrote and not kept and options.show:
            options.show -= 1
            print(case.name, "\n  wrote", case.wrote, "\n  read ", got[:12])
    for kept, words in ((False, "looked at"), (True, "held back")):
        print(f"{words}: {right[kept]} of {count[kept]} exact, {wrong[kept]} taken wrongly")


if __name__ == "__main__":
    main()
