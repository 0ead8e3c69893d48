"""What no mail of a person has: looked for in its bytes, before anything takes it apart.

The standard parser takes quadratic time and deep recursion on nested parts and long parameters,
so whoever could send it those could stop the judge with one mail. Each limit is far above what
mail programs write; the size itself is limited at the doors (552 in SMTP, RFC 1870).
"""

from __future__ import annotations

import re

MOST_PARTS = 100
"""Parts of a message, of all levels together."""

MOST_CONTAINERS = 30
"""Parts that hold parts. No nesting can be deeper, forwarded mails in forwarded mails included."""

LONGEST_HEADER = 200_000
"""Bytes of the header of a message."""

MOST_FIELDS = 1_000
"""Fields in the header of a message."""

LONGEST_PARAMETERS = 10_000
"""Characters of a field that describes content: a boundary and a file name fit in far less."""

MOST_LINES = 500_000
"""Lines of a message: attachments of 35 MB have so many."""

_PART = re.compile(rb"^content-type[ \t]*:", re.IGNORECASE | re.MULTILINE)
_CONTAINER = re.compile(
    rb"^content-type[ \t]*:\s*(?:multipart|message)/", re.IGNORECASE | re.MULTILINE
)
_PARAMETERS = re.compile(
    rb"^content-[a-z-]+[ \t]*:(?:[^\r\n]|\r?\n[ \t]){%d}" % LONGEST_PARAMETERS,
    re.IGNORECASE | re.MULTILINE,
)
_FIELD = re.compile(rb"^[!-9;-~]+[ \t]*:", re.MULTILINE)
_HEADER_END = re.compile(rb"\r?\n\r?\n")


def header(raw: bytes) -> bytes:
    """The header of a message, as much of it as is ever looked at."""
    end = _HEADER_END.search(raw, 0, LONGEST_HEADER)
    return raw[: end.end() if end else LONGEST_HEADER]


def refused(raw: bytes) -> str:
    """Why no more than the header of a message is read, as a sentence; "" when all of it is."""
    head = header(raw)
    if len(head) == LONGEST_HEADER and len(raw) > LONGEST_HEADER:
        return f"Its header has more than {LONGEST_HEADER:,} bytes."
    if _more(_FIELD, head, MOST_FIELDS):
        return f"Its header has more than {MOST_FIELDS:,} fields."
    if _more(_PART, raw, MOST_PARTS):
        return f"It has more than {MOST_PARTS} parts."
    if _more(_CONTAINER, raw, MOST_CONTAINERS):
        return f"Its parts are nested more than {MOST_CONTAINERS} times."
    if raw.count(b"\n") > MOST_LINES:
        return f"It has more than {MOST_LINES:,} lines."
    if _PARAMETERS.search(raw):
        return f"It has a header field of more than {LONGEST_PARAMETERS:,} characters."
    return ""


def _more(pattern: re.Pattern[bytes], raw: bytes, most: int) -> bool:
    """Whether a pattern is found more than `most` times; stops looking when it is."""
    return any(number >= most for number, _ in enumerate(pattern.finditer(raw)))
