"""The text of a message: the right part of it, decoded, HTML rendered, flowed lines joined."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from email import message_from_bytes, message_from_string
from email.message import Message
from functools import lru_cache
from typing import NamedTuple

from judge.limits import BOUNDS
from judge.mail import headers, safety
from judge.mail.safety import decode, never_raises

# In characters. What is written by hand is shorter by far, and what is quoted below it may go.
# HTML is expensive: 10,000 table cells take 0.4 seconds.
_LONGEST = 300_000
_LONGEST_HTML = 200_000
_MOST_TAGS = 10_000

_CROSSED_OUT = re.compile(r"<(?:s|strike|del)\b|line-through", re.IGNORECASE)
_TILDES = re.compile(r"~~(?=\S)[^~\n]{1,200}(?<=\S)~~")


class BodyPart(NamedTuple):
    """A readable part: its text, and whether it is a text that was attached, or what its sender
    wrote in another mail attached to it."""

    text: str
    attached: bool


class Texts(NamedTuple):
    """What there is to read in a message: the text shown, and each text attached.

    `closed` says why nothing could be read, if so; `unread` that a document or a picture was
    attached, which nobody here reads. `page` is the HTML beside a plain text that is shown.
    """

    shown: str = ""
    attached: tuple[str, ...] = ()
    closed: str = ""
    unread: bool = False
    page: str = ""

    def beside(self) -> str:
        """Return what the HTML beside the plain text says in lines that this has not: some
        programs put nothing in it but what they quote."""
        if not self.page:
            return ""
        plain = _NO_WORD.sub("", self.shown).casefold()
        lines = _clean(_page_text(self.page)).split("\n")
        said = ((line, _NO_WORD.sub("", line).casefold()) for line in lines)
        return "\n".join(line for line, words in said if not words or words not in plain)


_NO_WORD = re.compile(r"[\W_]+")


@never_raises(lambda error: Texts(closed=f"It cannot be read: {error!r}"))
def texts_of(message: Message, sender: str = "") -> Texts:
    """Return the texts of a message as its reader would see them, quotes still in it, lines ended
    by \\n.

    Of alternatives the plain one counts unless it is empty or only points to the other. Attached
    messages count that `sender` wrote; the mails of others are not their words. Never raises.
    """
    reader = _BodyReader(sender.lower())
    parts = [part for part in reader.texts(message) if part.text.strip()]
    shown = "\n".join(part.text for part in parts if not part.attached)
    attached = [_clean(part.text[:_LONGEST]) for part in parts if part.attached]
    closed = reader.closed or (_ENCRYPTED if _PGP in shown else "")
    read = _clean(shown[:_LONGEST])
    return Texts(read, tuple(attached[:_MOST_ATTACHED]), closed, reader.unread, reader.page)


_ENCRYPTED = "It is encrypted, and the judge has no key to it."
_OPAQUE = "Its signature encloses the text, so that it cannot be read."
_PGP = "-----BEGIN PGP MESSAGE-----"


class _BodyReader:
    """Takes one message apart, and keeps account of how much HTML it may still render."""

    def __init__(self, sender: str) -> None:
        self._sender = sender
        self._html_left = _LONGEST_HTML
        self._tags_left = _MOST_TAGS
        self._enclosed = 0
        self.closed = ""
        self.unread = False
        self.page = ""

    def texts(self, message: Message) -> Iterator[BodyPart]:
        """Yield the readable parts in order."""
        kind = message.get_content_type()
        if kind == "multipart/alternative" and message.is_multipart():
            yield from self._alternative(_parts(message))
        elif kind == "multipart/encrypted":
            self.closed = _ENCRYPTED
        elif kind in ("application/pkcs7-mime", "application/x-pkcs7-mime"):
            enveloped = "signed" not in str(message.get_param("smime-type", "")).lower()
            self.closed = _ENCRYPTED if enveloped else _OPAQUE
        elif kind in ("message/rfc822", "message/global"):
            for inner in _parts(message):
                yield from self._mail(inner)
        elif message.is_multipart():
            for inner in _parts(message):
                yield from self.texts(inner)
        elif kind.startswith("multipart/"):
            yield from self.texts(_mended(message))
        else:
            yield from self._leaf(message, kind)

    def _alternative(self, versions: list[Message]) -> Iterator[BodyPart]:
        # The plain version says the same with less around it.
        ordered = sorted(versions, key=lambda part: part.get_content_type() != "text/plain")
        if any(_crosses_out(part) for part in versions):
            # But not that something is crossed out.
            ordered.reverse()
        empty: list[BodyPart] = []
        for version in ordered:
            found = list(self.texts(version))
            if any(part.text.strip() for part in found):
                if version is ordered[-1] or not _points_elsewhere(found):
                    yield from found
                    self._keep_page(ordered[ordered.index(version) + 1 :])
                    return
                empty = found
        yield from empty

    def _keep_page(self, versions: list[Message]) -> None:
        """Keep the HTML among other versions of what is shown."""
        leaves = (leaf for version in versions for leaf in version.walk())
        page = next((leaf for leaf in leaves if leaf.get_content_type() == "text/html"), None)
        if page is not None and not self._enclosed:
            self.page = self._afforded(decode(_data(page), _charset(page)))

    def _mail(self, inner: Message) -> Iterator[BodyPart]:
        """Yield an attached mail: only what the sender of the whole wrote in it."""
        field = headers.raw_all(inner, "From")[:1]
        wrote = {address.lower() for _, address in headers.addresses(field)}
        if self._sender not in wrote or self._enclosed:
            return
        self._enclosed += 1
        for part in self.texts(inner):
            yield part._replace(attached=True)
        self._enclosed -= 1

    def _leaf(self, message: Message, kind: str) -> Iterator[BodyPart]:
        name = _file_name(message)
        sent_along = message.get_content_disposition() == "attachment"
        attached = sent_along and not _GATEWAY_NAME.fullmatch(name)
        if name.endswith(".eml"):
            yield from self._mail(message_from_bytes(_data(message)))
        elif kind == "text/html":
            if not attached:
                read = self._afforded(decode(_data(message), _charset(message)))
                yield BodyPart(_page_text(read), attached=False)
        elif kind in _PLAIN or (name.endswith((".txt", ".text")) and kind in _UNTOLD):
            text = decode(_data(message), _charset(message))
            yield from self._text(message, text[:_LONGEST], attached or kind not in _PLAIN)
        elif sent_along and kind.startswith(("application/", "image/")) and kind not in _SEALS:
            self.unread = True

    def _text(self, message: Message, text: str, attached: bool) -> Iterator[BodyPart]:
        """Yield a plain text, which may be HTML all the same, and files within it (uuencode)."""
        if _PAGE.match(text):
            yield BodyPart(_page_text(self._afforded(text)), attached)
            return
        pieces = _ENCODED.split(_plain(message, text))
        yield BodyPart("\n".join(pieces[::3]), attached)
        for name, lines in zip(pieces[1::3], pieces[2::3], strict=True):
            if name.lower().endswith((".txt", ".text")):
                yield BodyPart(decode(_uudecoded(lines), None), attached=True)
            else:
                self.unread = True

    def _afforded(self, html: str) -> str:
        """Return as much of `html` as may still be rendered."""
        read = html[: self._html_left]
        pieces = read.split("<", self._tags_left + 1)
        if len(pieces) > self._tags_left + 1:
            read = "<".join(pieces[:-1])
        self._html_left -= len(read)
        self._tags_left -= read.count("<")
        return read


_PLAIN = ("text/plain", "text/markdown", "text/x-markdown", "text/enriched")
_UNTOLD = ("application/octet-stream", "application/x-unknown", "application/text", "text/txt")
_SEALS = (
    *("application/pgp-signature", "application/pgp-keys", "application/ms-tnef"),
    *("application/pkcs7-signature", "application/x-pkcs7-signature"),
)
"""What programs attach by themselves."""

# How HTML begins, and a file in a text.
_PAGE = re.compile(r"\s*<(?:!doctype\s+html|html|head|body|div|table|meta)\b[^<>]*>", re.IGNORECASE)
_ENCODED = re.compile(r"^begin [0-7]{3,4} (\S[^\n]*)\n((?:[ -`]{1,62}\n)*)end *$", re.MULTILINE)


def _uudecoded(lines: str) -> bytes:
    """Return the bytes of a file, as far as they can be told."""
    with suppress(binascii.Error):
        return b"".join(map(binascii.a2b_uu, lines.split("\n")))
    return b""


_MOST_ATTACHED = 10
# Exchange takes mails with pictures in the text apart, and names the pieces.
_GATEWAY_NAME = re.compile(r"att\d+\.(?:txt|htm|html)")


def _data(message: Message) -> bytes:
    data = message.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def _file_name(message: Message) -> str:
    try:
        described = f"{message.get('Content-Disposition', '')} {message.get('Content-Type', '')}"
        if "name" not in described.lower():
            return ""
        return headers.text(message.get_filename() or "").lower()
    except Exception:  # malformed parameters raise several kinds
        return ""


_BOUNDARY = re.compile(r"^--(\S[^\n]{0,68}?)\r?\nContent-", re.MULTILINE | re.IGNORECASE)


def _mended(message: Message) -> Message:
    """Return a message that says it has parts, and in which its boundary never comes: by the
    boundary that does, or else as one text."""
    payload = message.get_payload()
    text = payload if isinstance(payload, str) else ""
    found = _BOUNDARY.search(text)
    if found and text.count(f"--{found[1].strip()}") <= BOUNDS.parts:
        head = f'Content-Type: multipart/mixed; boundary="{found[1].strip()}"\n\n'
        mended = message_from_string(head + text)
        if mended.is_multipart():
            return mended
    return message_from_string("Content-Type: text/plain\n\n" + text)


def _points_elsewhere(parts: list[BodyPart]) -> bool:
    """Return whether a plain version only says that there is another one."""
    text = " ".join(part.text for part in parts).strip()
    return len(text) < 300 and ("html" in text.lower() or _ONLY_LINK.fullmatch(text) is not None)


_ONLY_LINK = re.compile(r"(?:[^\n]{0,80}[:\s])?https?://\S+")


def _crosses_out(version: Message) -> bool:
    """Return whether an HTML version has something crossed out, which a plain one shows like the
    rest."""
    if version.is_multipart():
        return any(_crosses_out(part) for part in _parts(version))
    if version.get_content_type() != "text/html":
        return False
    return _CROSSED_OUT.search(_data(version)[:_LONGEST_HTML].decode("latin-1")) is not None


def _parts(message: Message) -> list[Message]:
    payload = message.get_payload()
    inner = payload if isinstance(payload, list) else []
    return [part for part in inner if isinstance(part, Message)]


def _plain(part: Message, text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    known = _parameters(str(part.get("Content-Type", "")))
    if str(known.get("format", "")).lower() == "flowed":
        return unflow(text, delsp=str(known.get("delsp", "")).lower() == "yes")
    return text


def _charset(part: Message) -> str | None:
    try:
        found = _parameters(str(part.get("Content-Type", ""))).get("charset")
        # RFC 2231 gives charset, language and value.
        return found[2] if isinstance(found, tuple) else found
    except Exception:  # malformed parameters raise several kinds
        return None


@lru_cache(256)
def _parameters(described: str) -> Mapping[str, str | tuple[str, str, str]]:
    """Return parameters of a Content-Type field by their names. Most parts are described alike."""
    part = Message()
    part["Content-Type"] = described
    # Of several of one name the first counts.
    return {name.lower(): said for name, said in reversed(part.get_params([]))}


def _page_text(html: str) -> str:
    # Loaded by the first mail in HTML: a start takes 25 ms less without it, and a judge 5 MB.
    from judge.mail.html_text import html_to_text

    return html_to_text(html)


def unflow(text: str, *, delsp: bool = False) -> str:
    """Join the soft-wrapped lines of format=flowed text (RFC 3676 section 4), quotes by depth."""
    joined: list[tuple[int, list[str]]] = []
    soft = False
    for line in text.split("\n"):
        body = line.lstrip(">")
        depth = len(line) - len(body)
        body = body.removeprefix(" ")
        continues = soft and joined[-1][0] == depth and body != "-- "
        soft = body.endswith(" ") and body != "-- "
        if soft and delsp:
            body = body[:-1]
        if continues:
            joined[-1][1].append(body)
        else:
            joined.append((depth, [body]))
    return "\n".join(
        ">" * depth + (" " if depth else "") + "".join(bodies) for depth, bodies in joined
    )


# Blanks that are not the blank.
_BLANK = re.compile("[\\t\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000]")
_LINE_ENDS = re.compile("[\\u0085\\u2028\\u2029]")


def _clean(text: str) -> str:
    text = _BLANK.sub(" ", _LINE_ENDS.sub("\n", text))
    return _TILDES.sub("", safety.cleaned(text))
