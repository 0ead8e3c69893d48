"""What the writer wrote: a text without what it quotes and without its signature.

No table of languages is ever complete, so most of this goes by shape: a line that announces a
quote has a date and an address or ends with a colon, a copied header is a block of fields one of
which is a known word for "from", a ruler has words between its dashes. A library adds the
announcements it knows.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

from mailparser_reply.constants import MAIL_LANGUAGES
from mailparser_reply.parser import EmailMessage

from judge.mail.body import CUT
from judge.mail.words import patterns, word_lists

# No attribution or copied header is longer than this many lines of this many characters; the
# library's patterns take more than linear time, so they are shown no more, and no more often.
_WINDOW = 6
_WIDEST = 200
_MOST_LOOKS = 300
_MOST_LINES = 5_000
"""Lines in which a copy may begin; far fewer are ever carried out."""

_QUOTED = re.compile(r"\s*>(?!From )")
# The Bat and others put the initials of whom they quote before the mark.
_INITIALS = re.compile(r"\s{0,2}([^\W\d_a-zа-я]{1,3}\d?)>+(?:\s|\Z)")
# A year or a time of day, or an address: what an attribution has and an order has not.
_WHEN = re.compile(
    r"\b(?:19|20)\d\d\b|\b\d{1,2}[:.h]\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|年|년"
)
_WHO = re.compile(r"\S@\S")
_COLON = re.compile(r"[:：]\s*\Z")
_CLOSED = re.compile(r"(?:[:：]|-{2,})\s*\Z")
_FIELD = re.compile(r"[* ]*[^\W\d][\w ]{0,20}[*]? ?[:：]")
_RULER = re.compile(r"\s*[-_=*]{5,}.*")
_SIGNATURE = re.compile(r"\s*(?:--|[—–]{1,2})\s?\Z")


@cache
def _wrote() -> re.Pattern[str]:
    """Verbs of lines that announce a quote."""
    words = word_lists("reply")
    bounded, others = ("|".join(words[name]) for name in ("wrote", "wrote_cjk"))
    return re.compile(rf"\b(?:{bounded})|{others}", re.IGNORECASE)


@cache
def _sent_from() -> re.Pattern[str]:
    """Lines by which programs and telephones advertise."""
    words = word_lists("reply")
    sent, device, whole = ("|".join(words[name]) for name in ("sent", "device", "sent_from"))
    return re.compile(
        rf"(?:{sent})\w*\W(?=.*(?:{device}))|(?=.{{0,60}}(?:{sent})\w*\W*\Z).*(?:{device})|{whole}",
        re.IGNORECASE,
    )


@cache
def _labels() -> tuple[frozenset[str], frozenset[str]]:
    """Labels of copied header fields: those that name the writer, and all there are."""
    words = word_lists("reply")
    return frozenset(words["from"]), frozenset([*words["from"], *words["field"]])


_PGP_BEGIN = "-----BEGIN PGP SIGNED MESSAGE-----"
_PGP_SIGNATURE = "-----BEGIN PGP SIGNATURE-----"
_PGP_END = "-----END PGP SIGNATURE-----"


def written(text: str, *, forwarded: bool = False) -> str:
    """Return the lines of `text` its sender wrote, blank lines around them dropped.

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
    lines = _without_quotes(_without_armor(lines))
    start, end = _unmarked(lines)
    above = _without_signature(lines[:start])
    if forwarded and not any(above):
        above = _without_signature(lines[end:])
    return "\n".join(above).strip("\n")


def _without_armor(lines: list[str]) -> list[str]:
    """The text of a message signed in place (RFC 9580, 7), its escaped dashes restored."""
    if _PGP_BEGIN not in lines:
        return lines
    start = lines.index(_PGP_BEGIN)
    body = start + 1
    while body < len(lines) and lines[body]:
        body += 1
    end = lines.index(_PGP_SIGNATURE, body) if _PGP_SIGNATURE in lines[body:] else len(lines)
    after = lines.index(_PGP_END, end) + 1 if _PGP_END in lines[end:] else len(lines)
    inside = [line.removeprefix("- ") for line in lines[body:end]]
    return [*lines[:start], *inside, *lines[after:]]


# -- quotes with marks


def _without_quotes(lines: list[str]) -> list[str]:
    marked = [line for line in lines if ">" in line[:8]]
    found = [match[1] for line in marked if (match := _INITIALS.match(line))]
    initials = {name for name, count in Counter(found).items() if count > 1}
    kept: list[str] = []
    quoting = False
    for line in lines:
        named = _INITIALS.match(line) if initials else None
        if _QUOTED.match(line) or (named and named[1] in initials):
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
    if not end:
        return
    last = kept[end - 1]
    if not _CLOSED.search(last) and not (_WHEN.search(last) and _WHO.search(last)):
        return
    start = end - 1
    # Programs break long ones: the date is then on a line above the name.
    while start and end - start < 4 and kept[start - 1] and _WHEN.search(kept[start - 1]):
        start -= 1
    whole = " ".join(kept[start:end])
    if _WHEN.search(whole) or _WHO.search(whole) or (len(last) < 80 and _wrote().search(last)):
        del kept[start:]
        while kept and _RULER.fullmatch(kept[-1]):
            del kept[-1]


# -- copies without marks


def _unmarked(lines: list[str]) -> tuple[int, int]:
    """Where an unmarked copy of another mail begins, and where its own header ends."""
    looks = 0
    for number, line in enumerate(lines[:_MOST_LINES]):
        if not line:
            continue
        size = _ruled(lines, number) or _header(lines, number) or _sentence(lines, number)
        if not size and _may_announce(lines, number):
            looks += 1
            size = _known(lines, number) if looks <= _MOST_LOOKS else 0
        if size:
            start = number
            while start and (not lines[start - 1] or _RULER.fullmatch(lines[start - 1])):
                start -= 1
            end = number + size
            while end < len(lines) and lines[end] and _FIELD.match(lines[end]):
                end += 1
            return start, end
    return len(lines), len(lines)


_BETWEEN_DASHES = re.compile(
    r"[\s>]{0,4}[-_=*]{2,40}\s*(?P<words>[\x22\x27(]?[^\W\d_][^=*]{2,120}?)\s*[-_=*]{2,40}\s*\Z"
)


def _ruled(lines: list[str], number: int) -> int:
    """How many lines from `number` on are a ruler that says that a copy follows."""
    line = lines[number]
    if len(line) > _WIDEST:
        return 0
    found = _BETWEEN_DASHES.match(line)
    if found is None:
        return 0
    if patterns("reply")["copy"].search(found["words"]):
        return 1
    # Whatever the words: a date or an address is never between the dashes of one's own heading.
    if _WHO.search(line) and (_WHEN.search(line) or _wrote().search(line)):
        return 1
    return 1 + size if (size := _header(lines, _next(lines, number + 1))) else 0


def _next(lines: list[str], number: int) -> int:
    """The next line that is not blank."""
    while number < len(lines) and not lines[number]:
        number += 1
    return number


_LABELED = re.compile(r"[\s*|>]{0,6}([^\W\d_][^:：\n]{0,24}?)[\s*]{0,3}[:：][\s*]*(.*)\Z")


def _label(line: str) -> tuple[str, str]:
    """The label of a copied header field and its value; "" when it is none."""
    if found := _LABELED.match(line[:_WIDEST]):
        label = " ".join(found[1].split()).casefold().strip("*")
        return (label, found[2]) if label in _labels()[1] else ("", "")
    # eM Client writes no colons.
    label, _, value = line.strip().partition(" ")
    label = label.casefold()
    known = label in _labels()[1]
    return (label, value) if known and (_WHO.search(value) or _WHEN.search(value)) else ("", "")


def _header(lines: list[str], number: int) -> int:
    """How many lines from `number` on are the copied header of a mail."""
    if number >= len(lines) or not _label(lines[number])[0]:
        return 0
    labels: set[str] = set()
    count = 0
    proof = False
    for line in lines[number : number + 12]:
        label, value = _label(line)
        if label:
            labels.add(label)
            proof = proof or bool(_WHO.search(value) or _WHEN.search(value))
        elif line and not line.startswith((" ", "\t")) and count and not _LABELED.match(line):
            break
        count += 1
    known = len(labels)
    named = any(label in _labels()[0] for label in labels)
    enough = known >= 3 or (known == 2 and proof)
    return count if named and enough and (proof or known >= 3) else 0


def _sentence(lines: list[str], number: int) -> int:
    """How many lines from `number` on are one sentence with a date and an address, ending in a
    colon: nobody announces anything so exactly but a mail program."""
    whole = ""
    for size in (1, 2, 3):
        if number + size > len(lines) or not lines[number + size - 1]:
            return 0
        whole += lines[number + size - 1][:_WIDEST] + " "
        if _COLON.search(whole):
            if _FIELD.match(lines[number]) and not _WHEN.search(lines[number].partition(":")[0]):
                return 0
            exact = _WHEN.search(whole) or _wrote().search(whole)
            return size if exact and _WHO.search(whole) else 0
    return 0


def _may_announce(lines: list[str], number: int) -> bool:
    """Whether it is worth a look: a field, or a sentence that ends with a colon soon."""
    return _FIELD.match(lines[number]) is not None or any(
        _COLON.search(line) for line in lines[number : number + 3]
    )


def _known(lines: list[str], number: int) -> int:
    """How many lines from `number` on are an announcement that the library knows."""
    window = "\n".join(each[:_WIDEST] for each in lines[number : number + _WINDOW])
    match = _announcements().match(window)
    found = match.group() if match else ""
    if found.strip() and (_WHEN.search(found) or _WHO.search(found)):
        return found.count("\n") + 1
    return 0


@cache
def _announcements() -> re.Pattern[str]:
    """The library's pattern for "On ... X wrote:" and copied headers, in all its languages."""
    pattern = EmailMessage("", languages=list(MAIL_LANGUAGES)).HEADER_REGEX
    assert isinstance(pattern, re.Pattern)
    return pattern


# -- signatures


def _without_signature(lines: list[str]) -> list[str]:
    kept: list[str] = []
    for number, line in enumerate(lines):
        if _SIGNATURE.match(line):
            break
        looked_at = line and len(line) <= _WIDEST and number < _MOST_LINES
        if not (looked_at and _sent_from().match(line.strip())):
            kept.append(line)
    return kept
