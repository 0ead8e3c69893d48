"""What stands below a text that its writer did not write for it: signatures, advertisements of
programs, and footers of mailing lists."""

from __future__ import annotations

import re
from functools import cache

from judge.mail.quotes import MOST_LINES
from judge.mail.words import word_lists

WIDEST = 200
"""Characters of a line that programs write: no attribution or copied header is longer."""

SIGNATURE = re.compile(r"\s*(?:--|[—–]{1,2})\s?\Z")


@cache
def _sent_from() -> re.Pattern[str]:
    """Return lines by which programs and telephones advertise."""
    words = word_lists("reply")
    sent, device, whole = ("|".join(words[name]) for name in ("sent", "device", "sent_from"))
    return re.compile(
        rf"(?:{sent})\w*\W(?=.*(?:{device}))|(?=.{{0,60}}(?:{sent})\w*\W*\Z).*(?:{device})|{whole}",
        re.IGNORECASE,
    )


def without_signature(lines: list[str]) -> list[str]:
    """Return the lines of a text without signature and advertisements of programs."""
    kept: list[str] = []
    for number, line in enumerate(lines):
        if SIGNATURE.match(line):
            break
        looked_at = line and len(line) <= WIDEST and number < MOST_LINES
        if not (looked_at and _sent_from().match(line.strip())):
            kept.append(line)
    while kept and not kept[-1].strip(" _=*-~"):
        del kept[-1]
    # Whatever the language: what names a telephone below all else.
    if len(kept) > 1 and not kept[-2] and _TELEPHONE.search(kept[-1]):
        del kept[-1]
    return kept


def footer(lines: list[str]) -> int:
    """Return where what mailing lists put below a mail begins; the end where nothing does."""
    last = next((line for line in reversed(lines) if line), "")
    if "://" in last:
        for number in range(max(0, len(lines) - _FOOTER), len(lines)):
            if _LISTED.fullmatch(lines[number]):
                return number
    return len(lines)


_TELEPHONE = re.compile(r"\A\D{0,60}\b(?:iPhon\w*|iPad|Android|Galaxy|Xiaomi|Huawei)\D{0,30}\Z")
_LISTED = re.compile(r"[_=-]{20,}")
_FOOTER = 10
"""Lines of one at most, its ruler included."""
