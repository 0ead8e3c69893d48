"""The text of a message: the right part of it, decoded, HTML rendered, flowed lines joined."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import Message
from typing import NamedTuple

import lxml.etree
import lxml.html
from inscriptis.css_profiles import STRICT_CSS_PROFILE
from inscriptis.html_engine import Inscriptis
from inscriptis.model.config import ParserConfig

from judge.mail.charsets import decode

# In characters. What is written by hand is shorter by far, and what is quoted below it may go.
# HTML is expensive: a million characters of nothing but table cells take four seconds.
_LONGEST = 5_000_000
_LONGEST_HTML = 200_000

CUT = "\ue000"
"""Stands in rendered HTML where a mail program put the mail that is answered, and nothing of the
writer's follows. A private character, so that nobody can type it by accident."""

# Where mail programs mark up what they quote below an answer. Their elements are the last of it.
_QUOTED_TO_THE_END = (
    "//*[@id='divRplyFwdMsg' or @id='appendonsend' or @id='mail-editor-reference-message-container'"
    " or @id='reply-intro' or @name='messageReplySection'"
    " or contains(concat(' ', @class, ' '), ' yahoo_quoted ')"
    " or contains(concat(' ', @class, ' '), ' protonmail_quote ')]"
)
_ATTRIBUTION = (
    "//*[contains(concat(' ', @class, ' '), ' gmail_attr ')"
    " or contains(concat(' ', @class, ' '), ' moz-cite-prefix ')]"
)
_SIGNATURE = (
    "//*[contains(concat(' ', @class, ' '), ' gmail_signature ')"
    " or contains(concat(' ', @class, ' '), ' moz-signature ')"
    " or contains(concat(' ', @class, ' '), ' protonmail_signature_block ')"
    " or @id='ms-outlook-mobile-signature']"
)
_NO_LINE = re.compile(r"border(-left)?\s*:\s*(none|0)", re.IGNORECASE)
_XML = re.compile(r"<\?xml[^>]*\?>", re.IGNORECASE)


class Part(NamedTuple):
    """A readable part: its text, whether there was more of it than is read, and whether it is
    shown in place rather than attached."""

    text: str
    cut: bool
    shown: bool


def text_of(message: Message) -> tuple[str, bool]:
    """The text of a message as its reader would see it, quotes still in it, lines ended by \\n;
    and whether there was more of it than is read.

    Parts shown in place count; of alternatives, the plain one unless it is empty. Attached texts
    and messages count only where there is nothing else.
    """
    parts = [part for part in _Reader().texts(message) if part.text.strip()]
    parts = [part for part in parts if part.shown] or parts
    text = "\n".join(part.text for part in parts)
    return _clean(text[:_LONGEST]), len(text) > _LONGEST or any(part.cut for part in parts)


class _Reader:
    """Takes one message apart, and keeps account of how much HTML it may still render."""

    def __init__(self) -> None:
        self._html_left = _LONGEST_HTML

    def texts(self, message: Message) -> Iterator[Part]:
        """The readable parts in order."""
        kind = message.get_content_type()
        if kind == "multipart/alternative":
            # The plain version says the same with less around it.
            versions = sorted(_parts(message), key=lambda part: not _is_plain(part))
            for version in versions:
                found = list(self.texts(version))
                if any(part.text.strip() for part in found):
                    yield from found
                    return
        elif kind == "message/rfc822":
            for inner in _parts(message):
                yield from (part._replace(shown=False) for part in self.texts(inner))
        elif message.is_multipart():
            for inner in _parts(message):
                yield from self.texts(inner)
        elif kind in ("text/plain", "text/html"):
            data = message.get_payload(decode=True)
            text = decode(data if isinstance(data, bytes) else b"", _charset(message))
            shown = message.get_content_disposition() != "attachment"
            if kind == "text/html":
                cut = len(text) > self._html_left
                rendered = html_to_text(text[: self._html_left])
                self._html_left = max(0, self._html_left - len(text))
                yield Part(rendered, cut, shown)
            else:
                yield Part(_plain(message, text[:_LONGEST]), len(text) > _LONGEST, shown)


def _parts(message: Message) -> list[Message]:
    payload = message.get_payload()
    inner = payload if isinstance(payload, list) else []
    return [part for part in inner if isinstance(part, Message)]


def _is_plain(message: Message) -> bool:
    return message.get_content_type() == "text/plain"


def _plain(part: Message, text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if str(part.get_param("format", "")).lower() == "flowed":
        return unflow(text, delsp=str(part.get_param("delsp", "")).lower() == "yes")
    return text


def _charset(part: Message) -> str | None:
    try:
        found = part.get_param("charset")
        # RFC 2231 gives charset, language and value.
        return found[2] if isinstance(found, tuple) else found
    except Exception:  # malformed parameters raise several kinds
        return None


def html_to_text(html: str) -> str:
    """Text of an HTML mail. Quoted blocks become lines of `>`; `CUT` stands where the rest is
    the mail that is answered."""
    parser = lxml.html.HTMLParser(encoding="utf-8", recover=True)
    clean = _XML.sub("", html.replace("\0", "").replace(CUT, ""))
    try:
        tree = lxml.html.document_fromstring(
            clean.encode("utf-8", "replace") or b"<p></p>", parser=parser
        )
    except (lxml.etree.LxmlError, ValueError, AssertionError):
        return ""
    for mark in tree.xpath(_QUOTED_TO_THE_END):
        _replace(mark, CUT)
    for block in tree.xpath("//blockquote"):
        # Gmail's indentation is a block quote too, told by its missing line.
        if not _NO_LINE.search(block.get("style", "")):
            _replace(block, ">")
    for element in tree.xpath(f"{_ATTRIBUTION} | {_SIGNATURE}"):
        _replace(element, "")
    for element in tree.xpath("//ul | //ol | //li"):
        # Bullets and numbers would be read as part of the line.
        element.tag = "div"
    config = ParserConfig(css=STRICT_CSS_PROFILE)
    return str(Inscriptis(tree, config).get_text())


def _replace(element: lxml.html.HtmlElement, text: str) -> None:
    """Put a block of text where an element was; what follows it stays."""
    tail = element.tail
    element.clear()
    element.tag = "div"
    element.text = text
    element.tail = tail


def unflow(text: str, *, delsp: bool = False) -> str:
    """Join the soft-wrapped lines of format=flowed text (RFC 3676 section 4), quotes by depth."""
    joined: list[tuple[int, str]] = []
    soft = False
    for line in text.split("\n"):
        body = line.lstrip(">")
        depth = len(line) - len(body)
        body = body.removeprefix(" ")
        if soft and joined[-1][0] == depth and body != "-- ":
            joined[-1] = (depth, joined[-1][1] + body)
        else:
            joined.append((depth, body))
        soft = body.endswith(" ") and body != "-- "
        if soft and delsp:
            joined[-1] = (depth, joined[-1][1][:-1])
    return "\n".join(">" * depth + (" " if depth else "") + body for depth, body in joined)


# Blanks that are not the blank, and characters nobody sees.
_BLANK = re.compile("[\\t\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000]")
_UNSEEN = re.compile(
    "[\\u0000-\\u0008\\u000b-\\u001f\\u007f\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\ufeff]"
)


def _clean(text: str) -> str:
    return _UNSEEN.sub("", _BLANK.sub(" ", text.replace("\u2028", "\n").replace("\u0085", "\n")))
