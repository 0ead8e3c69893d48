"""What the writer wrote: a text without what it quotes and without its signature."""

from __future__ import annotations

import re
from functools import cache

from mailparser_reply import EmailReplyParser
from mailparser_reply.constants import MAIL_LANGUAGES

from judge.mail.body import CUT

# No attribution or copied header is longer than this many lines of this many characters; the
# library's patterns take more than linear time, so they are shown no more, and no more often.
_WINDOW = 6
_WIDEST = 200
_MOST_LOOKS = 300

_QUOTED = re.compile(r"\s*>")
# A year or a time of day, or an address: what an attribution has and an order has not.
_WHEN = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[:.h]\d\d\b|年")
_WHO = re.compile(r"\S@\S")
_COLON = re.compile(r"[:：]\s*\Z")
_FIELD = re.compile(r"[* ]*[^\W\d][\w ]{0,20}[*]? ?[:：]")
_RULER = re.compile(r"\s*[-_=*]{5,}.*")
_SIGNATURE = re.compile(r"\s*--\s?\Z")
_SENT_FROM = re.compile(
    r"sent (from|via|with|by) |get outlook for "
    r"|gesendet (von|mit|aus) |von meinem .{1,40} gesendet|diese nachricht wurde von mein"
    r"|envoyé (de|depuis|avec|à partir de) |inviato da(l|lla)? "
    r"|enviado (de|do|desde|com|con|a partir) |verzonden (vanaf|met|van|via) |verstuurd vanaf "
    r"|wysłan[eoy] z |skickat från |sendt fra |lähetetty |odesláno z "
    r"|отправлено (с|из) |надіслано з "
    r"|.{1,30}から送信|发自我的|從我的 .{1,20}傳送|나의 .{1,20}에서 보냄",
    re.IGNORECASE,
)


def written(text: str, *, forwarded: bool = False) -> str:
    """The lines of `text` its sender wrote, blank lines around them dropped.

    Quoted lines go with the line that announces them, wherever they stand, so that answers
    above, below and between stay. A mail quoted without marks ends the text. With `forwarded`,
    when nothing stands above such a mail, the mail itself counts. A signature goes from its mark
    on, and so do lines by which telephones advertise.
    """
    lines = [line.rstrip() for line in text.split("\n")]
    for number, line in enumerate(lines):
        if CUT in line:
            lines = lines[:number]
            break
    lines = _without_quotes(lines)
    start, end = _unmarked(lines)
    above = _without_signature(lines[:start])
    if forwarded and not any(above):
        above = _without_signature(lines[end:])
    return "\n".join(above).strip("\n")


def _without_quotes(lines: list[str]) -> list[str]:
    kept: list[str] = []
    quoting = False
    for line in lines:
        if _QUOTED.match(line):
            if not quoting:
                _drop_attribution(kept)
            quoting = True
        else:
            kept.append(line)
            quoting = quoting and not line
    return kept


def _drop_attribution(kept: list[str]) -> None:
    """Take the line or lines that announce a quote off the end, in whatever language they are."""
    end = len(kept)
    while end and not kept[end - 1] and len(kept) - end < 2:
        end -= 1
    if not end or not _COLON.search(kept[end - 1]):
        return
    start = end - 1
    # Programs break long ones: the date is then on a line above the name.
    while start and end - start < 4 and kept[start - 1] and _WHEN.search(kept[start - 1]):
        start -= 1
    whole = " ".join(kept[start:end])
    if _WHEN.search(whole) or _WHO.search(whole):
        del kept[start:]


def _unmarked(lines: list[str]) -> tuple[int, int]:
    """Where an unmarked copy of another mail begins, and where its own header ends."""
    looks = 0
    for number in range(len(lines)):
        if not _may_announce(lines, number):
            continue
        looks += 1
        if looks > _MOST_LOOKS:
            break
        window = "\n".join(each[:_WIDEST] for each in lines[number : number + _WINDOW])
        match = _announcements().match(window)
        found = match.group() if match else ""
        if found.strip() and (_WHEN.search(found) or _WHO.search(found)):
            start = number
            while start and (not lines[start - 1] or _RULER.fullmatch(lines[start - 1])):
                start -= 1
            end = number + found.count("\n") + 1
            while end < len(lines) and lines[end] and _FIELD.match(lines[end]):
                end += 1
            return start, end
    return len(lines), len(lines)


def _may_announce(lines: list[str], number: int) -> bool:
    """Whether it is worth a look: a field, or a sentence that ends with a colon soon."""
    return bool(lines[number]) and (
        _FIELD.match(lines[number]) is not None
        or any(_COLON.search(line) for line in lines[number : number + 3])
    )


@cache
def _announcements() -> re.Pattern[str]:
    """The library's pattern for "On ... X wrote:" and copied headers, in all its languages."""
    pattern = EmailReplyParser(languages=list(MAIL_LANGUAGES)).read("").HEADER_REGEX
    assert isinstance(pattern, re.Pattern)
    return pattern


def _without_signature(lines: list[str]) -> list[str]:
    kept: list[str] = []
    for line in lines:
        if _SIGNATURE.match(line):
            break
        if not _SENT_FROM.match(line.strip()):
            kept.append(line)
    return kept
