"""Takes words out of a message for good, whatever its parts are encoded in."""

from __future__ import annotations

import re
from collections.abc import Collection
from email import encoders, message_from_bytes
from email.message import Message
from html.entities import codepoint2name

from judge.mail import headers, safety
from judge.mail.safety import never_raises

REDACTED = "********"

UNREADABLE = b"Subject: (blanked)\r\n\r\nThis message held a password and could not be read.\r\n"
"""What is left of a message from which a word cannot be taken."""

# Control characters, soft hyphens, joiners and marks of direction.
_UNSEEN = "[\0-\b\v-\x1f\x7f\u00ad\u034f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]*"

# A shorter word stands in other ones, too; it is taken out where nothing adjoins it.
_DISTINCT = 6


# Nothing may stay readable because a part is malformed.
@never_raises(lambda error: UNREADABLE)
def redact(raw: bytes, words: Collection[str]) -> bytes:
    """Return the message with each of `words` blanked in its header and in its texts.

    Never raises: of a message that cannot be taken apart only a short note is left.
    """
    patterns = [_pattern(word) for word in words if word]
    if not patterns:
        return raw
    if safety.refused(raw):
        return UNREADABLE
    message = message_from_bytes(raw)
    changed = False
    for part in message.walk():
        changed |= _redact_header(part, patterns)
        if not part.is_multipart():
            changed |= _redact_payload(part, patterns)
        for around in ("preamble", "epilogue"):
            text = getattr(part, around)
            if text and (new := _out(text, patterns)) != text:
                setattr(part, around, new)
                changed = True
    return message.as_bytes() if changed else raw


def _pattern(word: str) -> re.Pattern[str]:
    """Return the word as it may be written: in HTML, or with characters in it that nobody sees."""
    text = _UNSEEN.join(map(_character, word))
    return re.compile(text if len(word) >= _DISTINCT else rf"(?<!\w){text}(?!\w)")


def _character(char: str) -> str:
    code = ord(char)
    name = "apos" if char == "'" else codepoint2name.get(code)
    entity = f"|&{name};" if name else ""
    return rf"(?:{re.escape(char)}|&#0*{code};?|&#[xX]0*(?i:{code:x});?{entity})"


def _redact_header(part: Message, patterns: list[re.Pattern[str]]) -> bool:
    changed = False
    for name in {name.lower() for name in part}:
        old = [headers.text(value) for value in headers.raw_all(part, name)]
        new = [_out(value, patterns) for value in old]
        if new != old:
            del part[name]
            for value in new:
                part[name] = value.encode("ascii", "replace").decode()
            changed = True
    return changed


def _redact_payload(part: Message, patterns: list[re.Pattern[str]]) -> bool:
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):
        return False
    for charset in (part.get_content_charset() or "utf-8", "utf-8", "latin-1"):
        try:
            text = data.decode(charset)
        except (LookupError, UnicodeError):
            continue
        new = _out(text, patterns)
        if new == text:
            return False
        part.set_payload(new.encode(charset))
        del part["Content-Transfer-Encoding"]
        encoders.encode_base64(part)
        return True
    return False


def _out(text: str, patterns: list[re.Pattern[str]]) -> str:
    for pattern in patterns:
        text = pattern.sub(REDACTED, text)
    return text
