"""The text of a message: the right part of it, decoded, HTML rendered, flowed lines joined."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import Message

import lxml.etree
import lxml.html
from inscriptis.css_profiles import STRICT_CSS_PROFILE
from inscriptis.html_engine import Inscriptis
from inscriptis.model.config import ParserConfig

from judge.mail.charsets import decode

# What is written by hand is shorter by far; what is quoted below may be cut. HTML made of nothing
# but table cells takes four seconds for a million characters.
LONGEST = 1_000_000
_LONGEST_HTML = 300_000

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


def text_of(message: Message) -> str:
    """The text of a message as its reader would see it, quotes still in it, lines ended by \\n.

    Parts shown in place count; of alternatives, the plain one unless it is empty. Attached texts
    and messages count only where there is nothing else.
    """
    shown: list[str] = []
    attached: list[str] = []
    for part, in_place in _texts(message):
        (shown if in_place else attached).append(part)
    for parts in (shown, attached):
        found = "\n".join(filter(str.strip, parts))
        if found:
            return _clean(found[:LONGEST])
    return ""


def _texts(message: Message) -> Iterator[tuple[str, bool]]:
    """The readable parts in order; whether each is shown in place rather than attached."""
    kind = message.get_content_type()
    if kind == "multipart/alternative":
        versions = [list(_texts(part)) for part in _parts(message)]
        for wanted in versions:
            if any(text.strip() for text, _ in wanted):
                yield from wanted
                return
    elif kind == "message/rfc822":
        for part in _parts(message):
            yield from ((text, False) for text, _ in _texts(part))
    elif message.is_multipart():
        for part in _parts(message):
            yield from _texts(part)
    elif kind in ("text/plain", "text/html"):
        yield _decoded(message, kind), message.get_content_disposition() != "attachment"


def _parts(message: Message) -> list[Message]:
    payload = message.get_payload()
    parts = (
        [part for part in payload if isinstance(part, Message)] if isinstance(payload, list) else []
    )
    if message.get_content_type() == "multipart/alternative":
        # The plain version says the same with less around it.
        parts.sort(key=lambda part: part.get_content_type() != "text/plain")
    return parts


def _decoded(part: Message, kind: str) -> str:
    data = part.get_payload(decode=True)
    raw = data if isinstance(data, bytes) else b""
    text = decode(raw[: 4 * LONGEST], _charset(part))[:LONGEST]
    if kind == "text/html":
        return html_to_text(text[:_LONGEST_HTML])
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
