"""Mails as the players' programs write them: parts, encodings, and the quoted letter, each in the
program's own shape (`clients.toml`), as the raw mails in tests/mail/corpus have them."""

from __future__ import annotations

import base64
import html
import quopri
import textwrap
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from email.header import Header
from email.utils import format_datetime, formataddr
from pathlib import Path
from typing import TypeAlias
from uuid import uuid4

from jinja2 import StrictUndefined
from jinja2.sandbox import SandboxedEnvironment

from judge.demo.mail_programs import Received


@dataclass(frozen=True)
class ComposedMail:
    """What somebody typed, and where: `text` without quote or signature of the program.

    Without a `subject`, an answer has that of the letter, in the manner of the program.
    """

    name: str
    address: str
    to: str
    subject: str
    text: str
    date: datetime
    answers: Received | None = None


Client: TypeAlias = Callable[[ComposedMail], str]
"""Writes a whole message, header and all, with \\n at the ends of its lines."""


def _client(name: str, shape: Mapping[str, str]) -> Client:
    """Return what writes as one program does."""
    made = {key: JINJA.from_string(text) for key, text in shape.items()}

    def write(draft: ComposedMail) -> str:
        facts = {"draft": draft, "text": draft.text, "told": draft.answers}
        message_id = made["id"].render(facts)
        for key in ("said", "plain", "page") if draft.answers else ("plain", "page"):
            facts[key] = made[key].render(facts) if key in made else ""
        head = _head(draft, message_id, shape.get("prefix", "Re: "), shape.get("more", ""))
        return head + made["body"].render(facts)

    write.__name__ = name
    return write


def _head(draft: ComposedMail, message_id: str, prefix: str, more: str) -> str:
    """Return the header up to where it tells what the body is."""
    told = draft.answers
    subject = draft.subject
    if told and not subject:
        subject = prefix + told.subject.removeprefix("Re: ")
    thread = f"{told.references} {told.message_id}".strip() if told else ""
    return (
        f"From: {formataddr((draft.name, draft.address))}\n"
        f"To: {draft.to}\n"
        f"Subject: {Header(subject, None if subject.isascii() else 'utf-8').encode()}\n"
        f"Date: {format_datetime(draft.date)}\n"
        f"Message-ID: <{message_id}>\n"
        + (f"In-Reply-To: {told.message_id}\n" if told else "")
        + (f"References: {thread.replace(' ', chr(10) + ' ')}\n" if told else "")
        + f"{more}MIME-Version: 1.0\n"
    )


def _alternative(boundary: str, plain: str, page: str) -> str:
    return (
        f'Content-Type: multipart/alternative; boundary="{boundary}"\n\n'
        f"--{boundary}\n{_part('plain', plain)}\n"
        f"--{boundary}\n{_part('html', page)}\n--{boundary}--\n"
    )


def _part(kind: str, text: str) -> str:
    """Return a text in quoted-printable with the fields that say so."""
    encoded = quopri.encodestring(f"{text}\n".encode()).decode()
    return (
        f'Content-Type: text/{kind}; charset="utf-8"\n'
        f"Content-Transfer-Encoding: quoted-printable\n\n{encoded}"
    )


def _marked(text: str, mark: str = "> ") -> str:
    """Return the lines of a letter with the mark of a quote."""
    return "\n".join(f"{mark}{line}" for line in text.rstrip("\n").split("\n"))


def _divs(text: str) -> str:
    return "".join(f"<div>{html.escape(line) or '<br>'}</div>" for line in text.split("\n"))


JINJA = SandboxedEnvironment(
    trim_blocks=True, keep_trailing_newline=True, undefined=StrictUndefined
)
JINJA.globals.update(
    alternative=_alternative,
    part=_part,
    hex=lambda: uuid4().hex,
    uuid=lambda: str(uuid4()),
)
JINJA.filters.update(
    base64=lambda text: base64.encodebytes(text.encode()).decode(),
    divs=_divs,
    escaped=html.escape,
    folded=lambda text: textwrap.fill(text, 76),
    marked=_marked,
)

CLIENTS: Mapping[str, Client] = {
    name: _client(name, shape)
    for name, shape in tomllib.loads(
        Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    ).items()
}
"""The programs by their names."""

gmail, outlook, iphone, proton, k9, mutt, thunderbird = CLIENTS.values()
