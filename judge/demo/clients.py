"""Mails as the players' programs write them: parts, encodings, and the quoted letter, each in the
program's own shape, as the raw mails in tests/mail/corpus have them."""

from __future__ import annotations

import base64
import html
import quopri
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from email.header import Header
from email.utils import format_datetime, formataddr
from typing import TypeAlias
from uuid import uuid4

from judge.mail.body import html_to_text


@dataclass(frozen=True)
class Quoted:
    """The letter that a mail answers, as far as mail programs look at it."""

    message_id: str
    references: str
    subject: str
    author: str
    address: str
    date: datetime
    text: str
    page: str = ""
    """Its HTML, "" where it has none: programs that show it quote it."""

    @property
    def shown(self) -> str:
        """Its text, as programs that show HTML quote it in plain text."""
        return html_to_text(self.page) if self.page else self.text

    @property
    def body(self) -> str:
        """Its HTML as it is put into an answer: what stands in its body."""
        found = _BODY.search(self.page)
        return found[1] if found else _broken(self.text)


_BODY = re.compile(r"<body[^>]*>(.*)</body>", re.DOTALL)


@dataclass(frozen=True)
class Draft:
    """What somebody typed, and where: `text` without quote or signature of the program.

    Without a `subject`, an answer has that of the letter, in the manner of the program.
    """

    name: str
    address: str
    to: str
    subject: str
    text: str
    date: datetime
    answers: Quoted | None = None


Client: TypeAlias = Callable[[Draft], str]
"""Writes a whole message, header and all, with \\n at the ends of its lines."""


def gmail(draft: Draft) -> str:
    """Gmail in a browser: the answer above the letter, in plain text and as HTML."""
    plain, page = draft.text, f'<div dir="ltr">{_divs(draft.text)}</div>'
    if told := draft.answers:
        date = f"{told.date:%a, %b %d, %Y at %I:%M}\u202f{told.date:%p}"
        said = f"On {date} {told.author} <{told.address}> wrote:"
        plain += f"\n\n{textwrap.fill(said, 76)}\n\n{_marked(told.shown)}"
        page += (
            '<br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">'
            f"{html.escape(said)}<br></div>"
            '<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;'
            'border-left:1px solid rgb(204,204,204);padding-left:1ex">'
            f"{told.body}</blockquote></div>"
        )
    return _head(draft, f"CAF{uuid4().hex}@mail.players.example") + _alternative(
        f"000000000000{uuid4().hex[:16]}", plain, page
    )


def outlook(draft: Draft) -> str:
    """Outlook on a desk: Word's paragraphs, and the letter below a copy of its header, unmarked."""
    rows, below = [(draft.text, "MsoNormal")], ""
    plain = draft.text
    if told := draft.answers:
        sent = f"{told.date:%A, %d %B %Y %H:%M}"
        head = (
            f"From: {told.author} <{told.address}>\nSent: {sent}\n"
            f"To: {draft.name} <{draft.address}>\nSubject: {told.subject}"
        )
        plain += f"\n\n\n{head}\n\n{told.shown}"
        rows.append(("\n" + head, "MsoNormal"))
        if told.page:
            below = told.body
        else:
            rows.append(("\n" + told.text, "MsoPlainText"))
    body = "\n".join(
        f'<p class="{kind}">{html.escape(line) or "&nbsp;"}<o:p></o:p></p>'
        for text, kind in rows
        for line in text.split("\n")
    )
    page = (
        '<html xmlns:o="urn:schemas-microsoft-com:office:office">\n<head>\n'
        '<meta name="Generator" content="Microsoft Word 15 (filtered medium)">\n'
        "<style><!--\np.MsoNormal, p.MsoPlainText\n\t{margin:0cm;\n\tfont-size:11.0pt;}\n"
        '--></style>\n</head>\n<body lang="EN-GB" link="#0563C1">\n<div class="WordSection1">\n'
        f"{body}\n{below}</div>\n</body>\n</html>"
    )
    # Word's paragraphs have a blank line between them in the plain text.
    return _head(
        draft,
        f"AM9PR07MB{uuid4().hex[:16].upper()}@AM9PR07MB1234.eurprd07.players.example",
        prefix="RE: ",
        more="x-ms-publictraffictype: Email\nContent-Language: en-GB\n",
    ) + _alternative(f"_000_AM9PR07MB{uuid4().hex.upper()}_", plain.replace("\n", "\n\n"), page)


def iphone(draft: Draft) -> str:
    """Mail on a French iPhone, with the line by which it advertises itself."""
    plain = f"{draft.text}\n\nEnvoyé de mon iPhone"
    page = f'{_divs(draft.text)}<br><div dir="ltr">Envoyé de mon iPhone</div>'
    if told := draft.answers:
        said = f"Le {told.date:%d/%m/%Y à %H:%M}, {told.author} <{told.address}> a écrit :"
        plain += f"\n\n> {said}\n> \n> \ufeff{_marked(told.shown)[2:]}"
        page += (
            '<div dir="ltr"><br><blockquote type="cite">'
            f'{html.escape(said)}<br><br></blockquote></div><blockquote type="cite">'
            f'<div dir="ltr">\ufeff{told.body}</div></blockquote>'
        )
    return _head(
        draft,
        f"{str(uuid4()).upper()}@players.example",
        prefix="Rép\u00a0: ",
        more="X-Mailer: iPhone Mail (22B91)\n",
    ) + _alternative(
        f"Apple-Mail-{str(uuid4()).upper()}",
        plain,
        f'<html><body dir="auto">{page}</body></html>',
    )


def proton(draft: Draft) -> str:
    """Proton's web mail, sending HTML only, in base64."""
    style = 'style="font-family: Arial, sans-serif; font-size: 14px;"'
    page = "".join(
        f"<div {style}>{html.escape(line) or '<br>'}</div>" for line in draft.text.split("\n")
    )
    page += (
        f'<div class="protonmail_signature_block" {style}><div '
        'class="protonmail_signature_block-proton">Gesendet mit <a href="https://proton.me/">'
        "Proton Mail</a> sichere E-Mail.</div></div>"
    )
    if told := draft.answers:
        said = f"Am {told.date:%d.%m.%Y} um {told.date:%H:%M} schrieb {told.author}"
        page += (
            f'<div class="protonmail_quote">{said} &lt;{told.address}&gt;:<br>'
            '<blockquote class="protonmail_quote" type="cite">'
            f"{told.body}</blockquote><br></div>"
        )
    body = base64.encodebytes(page.encode()).decode()
    return _head(draft, f"{uuid4().hex}=@players.example") + (
        "Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: base64\n\n" + body
    )


def k9(draft: Draft) -> str:
    """K-9 on an Italian phone: plain text, its signature above the letter."""
    text = f"{draft.text}\n-- \nInviato dal mio dispositivo Android con K-9 Mail."
    if told := draft.answers:
        said = f"Il {told.date:%d/%m/%Y %H:%M}, {told.author} <{told.address}> ha scritto:"
        text += f"\n\n{said}\n{_marked(told.text, '>')}"
    return _head(
        draft,
        f"{str(uuid4()).upper()}@players.example",
        prefix="R: ",
        more="User-Agent: K-9 Mail for Android\n",
    ) + _part("plain", text)


def mutt(draft: Draft) -> str:
    """mutt, the answer below the letter as it was once done, and a signature."""
    text = draft.text
    if told := draft.answers:
        said = f"On {told.date:%a, %b %d, %Y at %H:%M:%S%z}, {told.author} wrote:"
        text = f"{said}\n{_marked(told.text)}\n\n{text}"
    return _head(draft, f"{draft.date:%Y%m%d%H%M%S}.{uuid4().hex[:10]}@players.example") + (
        "Content-Type: text/plain; charset=utf-8\nContent-Disposition: inline\n"
        f"Content-Transfer-Encoding: 8bit\n\n{text}\n\n-- \n{draft.name}\n"
    )


def thunderbird(draft: Draft) -> str:
    """Thunderbird in Turkish, the answer in the middle of the letter, format=flowed."""
    text = draft.text
    if told := draft.answers:
        above, mark, below = told.text.partition("\nReply with one")
        said = f"{told.date:%d.%m.%Y %H:%M} tarihinde {told.author} yazdı:"
        text = f"{said}\n{_marked(above)}\n\n{text}\n\n{_marked((mark + below).lstrip())}"
    return _head(
        draft,
        f"{uuid4()}@players.example",
        more="User-Agent: Mozilla Thunderbird\nContent-Language: tr\n",
    ) + (
        "Content-Type: text/plain; charset=UTF-8; format=flowed\n"
        f"Content-Transfer-Encoding: 8bit\n\n{text}\n"
    )


def _head(draft: Draft, message_id: str, prefix: str = "Re: ", more: str = "") -> str:
    """The header up to where it tells what the body is."""
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
    """A text in quoted-printable with the fields that say so."""
    encoded = quopri.encodestring(f"{text}\n".encode()).decode()
    return (
        f'Content-Type: text/{kind}; charset="utf-8"\n'
        f"Content-Transfer-Encoding: quoted-printable\n\n{encoded}"
    )


def _marked(text: str, mark: str = "> ") -> str:
    """The lines of a letter with the mark of a quote."""
    return "\n".join(f"{mark}{line}" for line in text.rstrip("\n").split("\n"))


def _divs(text: str) -> str:
    return "".join(f"<div>{html.escape(line) or '<br>'}</div>" for line in text.split("\n"))


def _broken(text: str) -> str:
    """The lines of a letter as HTML, blanks at their beginning kept."""
    return "<br>\n".join(
        "&nbsp;" * (len(line) - len(line.lstrip())) + html.escape(line.lstrip())
        for line in text.split("\n")
    )
