"""What of a reply stands in the letter it answers, whatever program quoted it and how.

Programs break lines anew, mark them, drop blank lines, write `*bold*`, and put the targets of links
behind their words; the words stay, in their order. So a letter is known by the digests of each few
words in a row, which also outlast its text: nobody reads a letter in them.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from email.message import Message
from email.parser import BytesHeaderParser
from functools import lru_cache
from hashlib import blake2b
from itertools import accumulate, groupby
from struct import pack, unpack

from msgspec import Struct

from judge.i18n import in_all_languages
from judge.mail import headers
from judge.mail.compose import Mailbox
from judge.mail.safety import decode, never_raises

_ROW = 4
"""Words in a row that make a digest. Orders such as `A par - bur` have fewer: alone, none of them
is part of a letter."""

_MOST = 10_000
"""Words that are compared; the longest letters have a fifth of that."""

_FIRST = 3
"""Digests that tell where a letter begins."""

_NAME = 8
"""Words of a sender's name that are compared, its last."""

_LONGEST = 400
"""Characters of a line that is looked for alone."""

_WIDEST = 40
"""Characters of a word with what stands around it, where many words are looked for."""

_MARKS = " \t>|\ufeff"
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_]+(?:[?\ufffd][^\W_]+)*")
_LINK = re.compile(r"<?\b(?:https?://|mailto:|tel:)[^\s>]*>?|\[(?:image|cid):[^\]\n]{0,200}\]")
_SCRIPT = re.compile(r"[^a-z0-9]")

_BLIND = re.compile(r"<(head|style|title)\b.*?</\1\s*>", re.DOTALL | re.IGNORECASE)
_PREVIEW = re.compile(r'<div class="preview"[^>]{0,2000}>[^<]{0,2000}</div>')
"""What lists of mails show of a letter; it stands in the letter, too, and does not begin it."""

_BREAK = re.compile(
    r"<(?:br|/?(?:p|div|tr|td|th|li|h\d|table|pre|blockquote))\b[^>]{0,2000}>", re.IGNORECASE
)
_TAG = re.compile(r"<[^>]{0,20000}>")


class Word(Struct, frozen=True):
    """A word as it is compared, and where it stands in its line."""

    key: str
    start: int
    end: int


def words_of(line: str) -> list[Word]:
    """Return the words of a line, links and signs left out, spelled as any charset leaves them."""
    found = _WORD.finditer(_without_links(line))
    return [Word(_key(each[0]), each.start(), each.end()) for each in found]


def _without_links(line: str) -> str:
    if "/" in line or ":" in line:
        return _LINK.sub(lambda found: " " * len(found[0]), line)
    return line


def _key(word: str) -> str:
    folded = word.casefold()
    # A letter that a charset lacks comes as another one, as two, or as a question mark.
    return folded if folded.isascii() and folded.isalnum() else _SCRIPT.sub("", folded) or folded


def _digest(mark: str, words: Iterable[str]) -> int:
    return _digests_of([f"{mark}{' '.join(words)}".encode("utf-8", "replace")])[0]


def _digests_of(rows: Collection[bytes]) -> tuple[int, ...]:
    made = [blake2b(row, digest_size=4).digest() for row in rows]
    return unpack(f">{len(made)}I", b"".join(made))


@never_raises(lambda error: frozenset[int]())
def digests(raw: bytes) -> frozenset[int]:
    """Return the digests of a letter of ours: of its words in rows, of its lines, and of who sent
    it."""
    message, *parts = _taken_apart(raw.replace(b"\r\n", b"\n"))
    texts = [each for each in (message, *parts) if each.get_content_disposition() != "attachment"]
    plain, pages = (
        [_text(each) for each in texts if each.get_content_type() == f"text/{kind}"]
        for kind in ("plain", "html")
    )
    fields = [headers.raw_all(message, name) for name in ("From", "Reply-To")]
    return _digests([pair for field in fields for pair in headers.addresses(field)], plain, pages)


def _digests(
    senders: Iterable[tuple[str, str]], plain: Iterable[str], pages: Iterable[str]
) -> frozenset[int]:
    found: set[int] = set()
    for name, address in senders:
        found.add(_digest("@", [word.key for word in words_of(name)][-_NAME:]))
        found.add(_digest("<", [address.lower()]))
    # The text and its HTML say the same: most rows are in both.
    rows: set[bytes] = set()
    for text in plain:
        rows.update(_rows_of(text, _FIRST))
    for page in pages:
        page = _BREAK.sub("\n", _PREVIEW.sub("", _BLIND.sub(" ", page)))
        rows.update(_rows_of(html.unescape(_TAG.sub("", page)), _FIRST))
    return frozenset(found.union(_digests_of(rows)))


_READ = re.compile(
    rb"^content-type: (?:text/(?:plain|html)|multipart/)", re.IGNORECASE | re.MULTILINE
)


def _taken_apart(raw: bytes) -> Iterator[Message]:
    """Yield the parts of a letter of ours that have text, itself the first, each one that holds
    others without them. A parser for anybody's mails takes as long as all that is done with them
    then."""
    head, _, body = raw.partition(b"\n\n")
    part = BytesHeaderParser().parsebytes(head + b"\n\n")
    boundary = part.get_boundary() if part.get_content_maintype() == "multipart" else None
    if boundary is None:
        part.set_payload(body.decode("ascii", "surrogateescape"))
    yield part
    if boundary is not None:
        for each in (b"\n" + body).split(b"\n--" + boundary.encode())[1:-1]:
            if _READ.search(each.partition(b"\n\n")[0]):
                yield from _taken_apart(each.removeprefix(b"\n"))


def digests_of_text(text: str) -> frozenset[int]:
    """Return the digests of what somebody wrote, as `digests` returns those of a letter."""
    return frozenset(_digests_of(_rows_of(text, 0)))


def _text(part: Message) -> str:
    data = part.get_payload(decode=True)
    charset = part.get_param("charset")
    return decode(data, str(charset)) if isinstance(data, bytes) else ""


# What buttons of letters say, and people type.
_BUTTONS = {
    words.partition(",")[0].upper()
    for kind in ("yes", "no")
    for words in in_all_languages(kind, "answers")
}


def _rows_of(text: str, first: int) -> list[bytes]:
    found: list[bytes] = []
    keys: list[bytes] = []
    for line in filter(None, text.split("\n")):
        whole, words = _said_in(line)
        found += whole
        keys += words
        if len(keys) > _MOST:
            break
    rows = list(map(b" ".join, zip(*(keys[k:] for k in range(_ROW)), strict=False)))
    return [*found, *rows, *(b"^" + row for row in rows[:first])]


@lru_cache(maxsize=1024)
def _said_in(line: str) -> tuple[list[bytes], list[bytes]]:
    """Return the row that a line is, and those of its words that make rows with others; nothing for
    a button. Letters of a phase, and a letter and its HTML, have the same lines."""
    said = _without_links(line)
    # Nearly all are spelled as any charset leaves them.
    plain = said.isascii() and "?" not in said
    keys = _WORD.findall(said.lower()) if plain else map(_key, _WORD.findall(said))
    words = [key.encode("utf-8", "replace") for key in keys]
    if not words or line.strip() in _BUTTONS:
        return [], []
    return [b"|" + b" ".join(words)], [] if _is_badge(line) else words


def _is_badge(line: str) -> bool:
    """Return whether a line is one sign, as a power's badge is, which programs put anywhere in the
    text beside it."""
    return len(line.strip()) == 1


def packed(raw: bytes) -> bytes:
    """Return the digests of a letter of ours as they are stored."""
    return _packed(digests(raw))


def packed_of(senders: Iterable[Mailbox], text: str, page: str | None) -> bytes:
    """Return the same of a letter that is being written, which nobody needs to take apart then, by
    what it is sent from and answered to, its text, and its HTML."""
    named = [(each.name, each.address) for each in senders]
    return _packed(_digests(named, [text], [] if page is None else [page]))


def _packed(digests: frozenset[int]) -> bytes:
    known = sorted(digests)
    return pack(f"<{len(known)}I", *known)


def unpacked(stored: Iterable[bytes]) -> frozenset[int]:
    """Return the stored digests of letters."""
    # One that holds part of a number is damaged.
    whole = [each for each in stored if len(each) % 4 == 0]
    return frozenset().union(*(unpack(f"<{len(each) // 4}I", each) for each in whole))


class ReplyLine(Struct):
    """A line of a reply, and what of it stands in the letters.

    `depth` counts the marks before it, `bare` is the line without them; `words` are its words, each
    of which is `known` or not. `linked`: the words before it and its first stand so in a letter.
    `begins`: a letter begins with it; `whole`: a letter has just this line.
    """

    line: str
    bare: str
    depth: int
    words: list[Word]
    known: list[bool]
    linked: bool = False
    begins: bool = False
    whole: bool = False

    @property
    def is_known(self) -> bool:
        """Whether it holds nothing but what stands in a letter, in the place where it does: who
        fills a sheet in may write what the letter has elsewhere, as an example."""
        return bool(self.words) and all(self.known)

    @property
    def count(self) -> int:
        """How many of its words stand in a letter."""
        return sum(self.known)

    @property
    def longest(self) -> int:
        """How many of its words that do follow each other."""
        return max((sum(1 for _ in run) for yes, run in groupby(self.known) if yes), default=0)

    def typed(self) -> tuple[str, ...]:
        """Return what may have been typed into it: without the words of the letter after it, all of
        it, or without those before it."""
        fresh = [word for word, known in zip(self.words, self.known, strict=True) if not known]
        if not fresh:
            return ()
        whole, start, end = self.bare.strip(), fresh[0].start, fresh[-1].end
        return tuple(dict.fromkeys((self.bare[:end].strip(), whole, self.bare[start:].strip())))


def _has_badge(words: Sequence[Word], letters: frozenset[int]) -> bool:
    """Return whether a line is one of a letter with a badge before it, which stands alone there."""
    keys = [word.key for word in words]
    return (
        len(keys) > 1
        and len(keys[0]) == 1
        and all(_digest("|", each) in letters for each in (keys[:1], keys[1:]))
    )


def is_line(text: str, letters: frozenset[int]) -> bool:
    """Return whether a text of a few words is a whole line of a letter."""
    words = [word.key for word in words_of(text[:_LONGEST])]
    return len(words) > 1 and _digest("|", words) in letters


def rows_of(
    lines: Sequence[str], depths: Sequence[int], letters: frozenset[int]
) -> list[ReplyLine]:
    """Return the lines of a reply, with the number of marks before each, compared with the digests
    of letters."""
    rows, left = [], _MOST
    for line, depth in zip(lines, depths, strict=False):
        bare = line.lstrip(_MARKS)
        words = words_of(bare[: left * _WIDEST])[:left] if left else []
        if _is_badge(bare) and _digest("|", (word.key for word in words)) in letters:
            words = []
        if _has_badge(words, letters):
            words = words[1:]
        left -= len(words)
        rows.append(ReplyLine(line, bare, depth, words, [False] * len(words)))
    # What stands between the marked lines of a quote does not part them.
    _compare([row for row in rows if row.depth], letters)
    for row in rows:
        row.linked = False
    _compare(rows, letters)
    for row in rows:
        keys = [word.key for word in row.words]
        row.whole = bool(keys) and _digest("|", keys) in letters
        if row.is_known and not row.whole and len(keys) >= _ROW:
            # Words that a letter has in two places are none of its lines together.
            row.known = _known_within(keys, letters)
    return rows


def _known_within(keys: Sequence[str], letters: frozenset[int]) -> list[bool]:
    """Return which words of a line stand in a letter with others of it."""
    known = [False] * len(keys)
    for place in range(len(keys) - _ROW + 1):
        if _digest("", keys[place : place + _ROW]) in letters:
            known[place : place + _ROW] = [True] * _ROW
    return known


def names_address(line: str, letters: frozenset[int]) -> tuple[bool, bool]:
    """Return whether a line has the address of who sent a letter in it, and whether it has their
    name just before it, as only programs write."""
    if "@" not in line:
        return False, False
    for found in headers.ADDRESS.finditer(line):
        if _digest("<", [found[0].lower()]) in letters:
            keys = [word.key for word in words_of(line[: found.start()])][-_NAME:]
            named = any(_digest("@", keys[start:]) in letters for start in range(len(keys)))
            return True, named
    return False, False


def names_sender(row: ReplyLine, letters: frozenset[int], *, last: bool) -> bool:
    """Return whether a line has the name of who sent a letter in it; with `last`, at its end."""
    keys = [word.key for word in row.words]
    ends = [len(keys)] if last else range(1, len(keys) + 1)
    return any(
        _digest("@", keys[max(0, end - size) : end]) in letters
        for end in ends
        for size in range(1, _NAME + 1)
    )


def goes_on(above: ReplyLine | None, row: ReplyLine, letters: frozenset[int]) -> bool:
    """Return whether a letter goes on from the end of one line with the beginning of another."""
    last = [word.key for word in above.words[1 - _ROW :]] if above else []
    next_ = [word.key for word in row.words[: _ROW - 1]]
    around = last + next_
    places = range(max(0, len(last) + 1 - _ROW), min(len(last), len(around) - _ROW + 1))
    return bool(places) and all(
        _digest("", around[place : place + _ROW]) in letters for place in places
    )


def _compare(rows: Sequence[ReplyLine], letters: frozenset[int]) -> None:
    keys = [word.key for row in rows for word in row.words]
    starts = list(accumulate((len(row.words) for row in rows), initial=0))
    for place in range(len(keys) - _ROW + 1):
        said = keys[place : place + _ROW]
        if _digest("", said) not in letters:
            continue
        at = first = bisect_right(starts, place) - 1
        for offset in range(_ROW):
            while place + offset >= starts[at + 1]:
                at += 1
            number = place + offset - starts[at]
            rows[at].known[number] = True
            rows[at].linked = rows[at].linked or (offset > 0 and number == 0)
        rows[first].begins = rows[first].begins or _digest("^", said) in letters


# Marks before the lines of a quote: `>`, names before it, and whatever else people set.

MOST_LINES = 2_000
"""Lines in which a copy may begin: twice as many as are ever carried out, and as letters have."""

_QUOTED = re.compile(r"\s*>(?!From )(?:\s?>)*")
# Some programs put the initials of whom they quote before the mark, or a name.
_NAMED = re.compile(r"\s{0,2}([^\W\d_a-zа-я][\w.-]{0,19})(?=>+(?:\s|\Z))")
_INITIALS = 4
"""Characters of them at most; what is longer may be a place, and is a mark in three lines."""
_MARK = re.compile(r"\s{0,8}(?:[\w.-]{1,20}(?: [\w.-]{1,20}){0,2}\s?)?[^\w\s]{1,3}")
"""What may be a mark of a quote: signs, with or without a name before them."""
_MARKED = 3
"""Lines of a letter behind such a mark, or it is none."""


def with_plain_marks(lines: list[str], letters: frozenset[int]) -> list[str]:
    """Return the lines with `>` for another mark, where most lines of a letter have that."""
    found = [_MARK.match(line) for line in lines[:MOST_LINES]]
    marks = [
        mark[0]
        for line, mark in zip(lines, found, strict=False)
        if mark and is_line(line[mark.end() :], letters)
    ]
    if not marks:
        return lines
    (mark, count), *_ = Counter(marks).most_common(1)
    bare = sum(is_line(line, letters) for line in lines[:MOST_LINES] if not line.startswith(mark))
    if ">" in mark[:-1] or count < max(_MARKED, bare):
        return lines
    return [f">{line.removeprefix(mark)}" if line.startswith(mark) else line for line in lines]


def depths(lines: list[str]) -> list[int]:
    """Return how many marks of a quote stand before each line."""
    found = [_QUOTED.match(line) if ">" in line else None for line in lines]
    return [quoted[0].count(">") if quoted else 0 for quoted in found]


def without_names(lines: list[str]) -> list[str]:
    """Return the lines with marks alone where names stand before them."""
    marked = [_NAMED.match(line) if ">" in line[:24] else None for line in lines]
    if not any(marked):
        return lines
    counts = Counter(found[1] for found in marked if found)
    return [
        line[found.end() :]
        if found and counts[found[1]] > 1 + (len(found[1]) > _INITIALS)
        else line
        for found, line in zip(marked, lines, strict=True)
    ]


def quoted_above(rows: Sequence[str], shown: str) -> dict[int, str]:
    """Return the quoted line right above rows of a writer's own text, by their numbers.

    `shown` is the text as it came, with its quotes; the rows stand in it in their order.
    """
    if ">" not in shown:
        return {}
    lines = shown.splitlines()
    marks = depths(lines)
    own = [(number, text) for number, row in enumerate(rows) if (text := row.strip())]
    found: dict[int, str] = {}
    above, at = "", 0
    for line, depth in zip(lines, marks, strict=True):
        if depth:
            above = line.lstrip("> ").strip() or above
        elif text := line.strip():
            near = range(at, min(at + _NEAR, len(own)))
            here = next((each for each in near if own[each][1] == text), None)
            if here is not None:
                at = here + 1
                found |= {own[here][0]: above} if above else {}
            above = ""
    return found


_NEAR = 8
"""Rows among which the next line of the text as it came is looked for."""
