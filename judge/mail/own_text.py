"""What the writer wrote: a text without what it quotes and without its signature.

No table of languages is ever complete, so most of this goes by shape: a line that announces a
quote has a date and an address or ends with a colon, a copied header is a block of fields one of
which is a known word for "from", a ruler has words between its dashes. A library adds the
announcements it knows.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from msgspec import Struct

from judge.mail import quotes
from judge.mail.quotes import MOST_LINES, ReplyLine
from judge.mail.signatures import SIGNATURE, footer, without_signature
from judge.mail.signatures import WIDEST as _WIDEST
from judge.mail.words import CUT, patterns, word_lists

# A year or a time of day, or an address: what an attribution has and an order has not.
_WHEN = re.compile(
    r"\b(?:19|20)\d\d\b|\b\d{1,2}[:.h]\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|年|년"
)
_DATE = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|年|년")
_WHO = re.compile(r"\S@\S")
_COLON = re.compile(r"[:：]\s*\Z")
_CLOSED = re.compile(r"(?:[:：]|-{2,})\s*\Z")
_FIELD = re.compile(r"[* ]*[^\W\d][\w ]{0,20}[*]? ?[:：]")
_RULER = re.compile(r"\s*[-_=*]{5,}.*")


@cache
def _wrote() -> re.Pattern[str]:
    """Return verbs of lines that announce a quote."""
    return re.compile(rf"\b(?:{'|'.join(word_lists('reply')['wrote'])})", re.IGNORECASE)


@cache
def _said() -> re.Pattern[str]:
    """Return the end of a line that announces a quote, with the address of who wrote in it."""
    return re.compile(
        rf"\S@\S.*(?:{_wrote().pattern}).{{0,4}}[:：]\s*\Z|\S@\S+\s*[:：]\s*\Z", re.IGNORECASE
    )


@cache
def _labels() -> tuple[frozenset[str], frozenset[str]]:
    """Return labels of copied header fields: those that name the writer, and all there are."""
    words = word_lists("reply")
    return frozenset(words["from"]), frozenset([*words["from"], *words["field"]])


_PGP_BEGIN = "-----BEGIN PGP SIGNED MESSAGE-----"
_PGP_SIGNATURE = "-----BEGIN PGP SIGNATURE-----"
_PGP_END = "-----END PGP SIGNATURE-----"


class Reply(Struct, frozen=True):
    """What somebody wrote: their own lines, and what they typed into lines of the quote, each as it
    may be read, likeliest first."""

    text: str
    typed: tuple[tuple[str, ...], ...] = ()
    quotes: bool = False
    """Whether it quotes one of the letters."""


def written(text: str, letters: frozenset[int] = frozenset(), *, forwarded: bool = False) -> Reply:
    """Return what its sender wrote of `text`, blank lines around it dropped.

    `letters` are the digests (`judge.mail.quotes`) of those it may answer: what stands in one is a
    quote, with or without marks, and what announces it goes with it, so that answers above, below
    and between stay. Without them, or where none is quoted, quoted lines are known by their marks,
    and a mail quoted without marks ends the text. With `forwarded`, when nothing stands above such
    a mail, the mail itself counts. A signature goes from its mark on, and so do lines by which
    telephones advertise.
    """
    lines = _without_armor([line.rstrip() for line in text.split("\n")])
    if letters:
        lines = quotes.with_plain_marks(lines, letters)
    lines = quotes.without_names(lines)
    del lines[footer(lines) :]
    if letters:
        marks = quotes.depths(lines)
        found = _Quotes(quotes.rows_of(lines[:MOST_LINES], marks, letters), letters)
        if found.met:
            quoted = [*found.quoted, *(depth > 0 for depth in marks[MOST_LINES:])]
            shown = [line.replace(CUT, "") for line in lines]
            own = "\n".join(_own_lines(shown, quoted, letters))
            return Reply(own.strip("\n"), tuple(found.typed()), True)
    quoted = [depth > 0 for depth in quotes.depths(lines)]
    parts, named = _parts(lines, quoted, letters)
    named |= _drop_named(parts[-1], letters)
    marked = [line for part in parts for line in part]
    cut = next((number for number, line in enumerate(marked) if CUT in line), len(marked))
    del marked[cut:]
    start, end = _unmarked(marked) if _COPIED.search(text) else (len(marked), len(marked))
    above = without_signature(marked[:start])
    if forwarded and not any(above):
        above = without_signature(marked[end:])
    named |= _drop_named(above, letters, above=start < len(marked))
    return Reply("\n".join(above).strip("\n"), quotes=named)


def _own_lines(
    lines: Sequence[str], are_quoted: Sequence[bool], letters: frozenset[int]
) -> list[str]:
    """Return writer's lines between quotes, without signatures and what names who sent a letter."""
    parts = list(map(without_signature, _parts(lines, are_quoted, letters)[0]))
    _drop_named(parts[-1], letters)
    return [line for part in parts for line in part]


def _drop_named(kept: list[str], letters: frozenset[int], *, above: bool = False) -> bool:
    """Drop a line with the address of who sent a letter: with their name or a date, as programs
    write it, wherever it stands; the last below others; and `above` a quote one of the last, with
    all between. Whether there was any."""
    found, below, number = False, 0, len(kept) if letters else 0
    while number:
        number -= 1
        if not kept[number].strip(_NOTHING):
            continue
        by_address, by_name = quotes.names_address(kept[number], letters)
        by_name |= bool(_COLON.search(kept[number]) and _DATE.search(kept[number]))
        last = (not below and any(kept[:number])) or (above and below < _BETWEEN)
        if not (by_address and (by_name or last)):
            below += 1
            continue
        end = len(kept) if last else number + 1
        while number and _goes_on(kept, number, letters):
            number -= 1
        del kept[number:end]
        found = True
    return found


def _goes_on(lines: list[str], number: int, letters: frozenset[int]) -> bool:
    """Return whether what names the judge in a line began in the line above."""
    above, line = lines[number - 1], lines[number]
    if quotes.names_address(f"{above} {line}", letters) != quotes.names_address(line, letters):
        return True
    long = len(above) >= _NARROWEST or _WHEN.search(above) is not None
    return _is_moment(above) or (long and _is_broken(lines, number))


_BETWEEN = 3
"""Lines from one that names the judge to a quote."""

_NOTHING = " \t>|*_-=" + CUT


def _without_armor(lines: list[str]) -> list[str]:
    """Return the text of a message signed in place (RFC 9580, 7), its escaped dashes restored."""
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


# -- quotes


def _parts(
    lines: Sequence[str], are_quoted: Sequence[bool], letters: frozenset[int]
) -> tuple[list[list[str]], bool]:
    """Return the writer's own lines, in a list for each piece between quotes, which what announces
    them goes with; and whether the sender of a letter was named there."""
    parts: list[list[str]] = [[]]
    quoting = named = False
    for line, quoted in zip(lines, are_quoted, strict=True):
        if not quoted:
            parts[-1].append(line)
            quoting = quoting and not line
        elif not quoting:
            named |= _drop_announcement(parts[-1], letters)
            parts.append([])
            quoting = True
    return parts, named


class _Quotes:
    """Which lines of a text are quotes: by their marks, and by what stands in the letters."""

    def __init__(self, rows: list[ReplyLine], letters: frozenset[int]) -> None:
        self._rows = rows
        self._letters = letters
        self.quoted = [row.depth > 0 for row in rows]
        """Whether each line is a quote."""
        self._typed: set[int] = set()
        self._in_words = [number for number, row in enumerate(rows) if row.words]
        self._marked = [number for number in self._in_words if rows[number].depth]
        self.met = sum(row.count for row in rows) >= _LEAST
        """Whether a letter is quoted at all."""
        if self.met:
            self._typed_between_marks()
            self._beside_marks(self._in_words)
            self._beside_marks(self._in_words[::-1])
            self._without_marks()
            self._copied_headers()
            self._names()
            self._signs(range(len(rows)))
            self._signs(range(len(rows) - 1, -1, -1))

    def typed(self) -> list[tuple[str, ...]]:
        """Return what was typed into lines of the quote."""
        rows = [self._rows[number] for number in sorted(self._typed)]
        found = (row.typed() for row in rows if row.depth or not _is_field(row.line))
        return [typed for typed in found if typed]

    def _typed_between_marks(self) -> None:
        """Find what was typed behind the marks of the letter, not of an older mail beside it."""
        at: dict[int, bool] = {}
        waiting: dict[int, list[int]] = {}
        for number in self._in_words:
            row = self._rows[number]
            if not row.depth:
                continue
            if row.is_known:
                if row.count:
                    at[row.depth] = True
                    self._typed.update(waiting.pop(row.depth, ()))
            elif _WHO.search(row.bare) or (_WHEN.search(row.bare) and _CLOSED.search(row.bare)):
                at[row.depth] = False
                waiting.pop(row.depth, None)
            elif at.get(row.depth):
                self._typed.add(number)
            elif row.depth not in at:
                waiting.setdefault(row.depth, []).append(number)

    def _beside_marks(self, numbers: Sequence[int]) -> None:
        """Find what programs that break lines left behind without a mark."""
        before: int | None = None
        for number in numbers:
            row = self._rows[number]
            if (
                before is not None
                and not self.quoted[number]
                and row.count == len(row.words)
                and not self._is_put_in(number)
            ):
                later = self._rows[max(number, before)]
                self.quoted[number] = self.quoted[before] and later.linked
            before = number

    def _is_put_in(self, number: int) -> bool:
        """Return whether a line stands between two marked ones that follow each other in a letter:
        a line of one's own may say again what stands there."""
        place = bisect(self._marked, number)
        if place in (0, len(self._marked)):
            return False
        above, below = (self._rows[self._marked[each]] for each in (place - 1, place))
        return quotes.goes_on(above, below, self._letters)

    def _without_marks(self) -> None:
        """Find the lines of a letter that is quoted without marks, and what was typed there."""
        start = min(self._run(), self._header(0))
        within = [n for n in self._in_words if n >= start and not self.quoted[n]]
        if sum(self._rows[number].count for number in within) < _LEAST:
            return
        last = max(number for number in within if self._rows[number].count)
        above: ReplyLine | None = None
        for place, number in enumerate(within):
            row = self._rows[number]
            if number > last and not self.quoted[within[place - 1]]:
                # Below the letter, a line of one's own may say again what stands in it.
                break
            next_ = self._rows[within[place + 1]] if place + 1 < len(within) else None
            beside = row.linked or (next_ is not None and next_.linked)
            on = quotes.goes_on(above, row, self._letters)
            if row.count == len(row.words):
                # A line of one's own may repeat a few words of the letter elsewhere.
                self.quoted[number] = beside or on or row.whole or row.count > _FEW
            elif row.count > 1 and (beside or row.count * 2 >= len(row.words)):
                self.quoted[number] = True
                self._typed.add(number)
            else:
                self.quoted[number] = on and row.whole
            if self.quoted[number]:
                above = row

    def _run(self) -> int:
        """Return where lines begin that are, one after another, a letter from its beginning, or
        sentences of it; the end where there are none. Orders may be copied from a letter, and count
        then."""
        start, count, sentences, begins = 0, 0, 0, False
        for number in self._in_words:
            row = self._rows[number]
            if not (row.linked and count):
                start, count, sentences, begins = number, 0, 0, False
            count, begins = count + row.count, begins or row.begins
            sentences += row.count >= _LEAST and _SENTENCE.search(row.line) is not None
            if not row.count:
                count = 0
            elif count >= _LEAST and (begins or sentences >= _MANY):
                return start
        return len(self._rows)

    def _header(self, start: int) -> int:
        """Return where the copied header of a mail begins, or a mark of its program stands, from a
        line on; the end where none does."""
        numbers = [n for n in range(start, len(self._rows)) if not self.quoted[n]]
        lines = [self._rows[number].line for number in numbers]
        found = _unmarked(lines, sentences=False)[0]
        return numbers[found] if found < len(lines) else len(self._rows)

    def _copied_headers(self) -> None:
        """Drop copied headers with all up to the next quote, or to the end."""
        start = 0
        for _ in range(_MOST_HEADERS):
            start = self._header(start)
            while start < len(self._rows) and not self.quoted[start]:
                self.quoted[start] = True
                start += 1

    def _names(self) -> None:
        """Drop lines above a quote that say by its sender's name whose it is."""
        below = len(self._rows)
        for number in reversed(self._in_words):
            row = self._rows[number]
            if below < len(self._rows) and self.quoted[below] and not _WHO.search(row.line):
                dated = len(row.line) < _WIDEST and _DATE.search(row.line)
                if dated or _COLON.search(row.line):
                    last = not dated
                    self.quoted[number] |= quotes.names_sender(row, self._letters, last=last)
            below = number

    def _signs(self, numbers: Iterable[int]) -> None:
        """Drop rulers and empty marks beside a quote."""
        beside = False
        for number in numbers:
            line = self._rows[number].line
            if not self._rows[number].words and line and not SIGNATURE.match(line):
                self.quoted[number] = self.quoted[number] or beside
            if line:
                beside = self.quoted[number]


_MOST_HEADERS = 20
"""Mails that are copied into one."""

_LEAST = 8
"""Words of a letter that must be found in a reply, or it does not quote it."""

_FEW = 12
"""Words that somebody may repeat in a line of their own."""

_MANY = 3
"""Sentences of a letter that nobody types anew."""

_SENTENCE = re.compile(r"[.,:?!]\Z")


def without_announcement(above: Sequence[str]) -> list[str]:
    """Return the lines above a quote without those that announce it."""
    kept = list(above)
    _drop_announcement(kept, frozenset())
    return kept


def _drop_announcement(kept: list[str], letters: frozenset[int]) -> bool:
    """Take what announces a quote off the end, in whatever language it is: a copied header, or the
    line or lines that say who wrote when. Whether the sender of a letter is named there."""
    end = _above_blanks(kept, len(kept))
    start = min(_header_above(kept, end), _announcement_above(kept, end))
    unnamed = kept[start:] if start < end else list(kept)
    named = _drop_named(unnamed, letters, above=True)
    if start == end:
        start = _attribution_above(kept, end)
        if len(unnamed) < min(start, end):
            kept[:] = unnamed
            return named
    if start < end:
        del kept[start:]
        while kept and _RULER.fullmatch(kept[-1]):
            del kept[-1]
    return named


def _above_blanks(kept: list[str], end: int) -> int:
    """Return the end of the lines above one or two blank ones."""
    for _ in range(2):
        end -= end > 0 and not kept[end - 1]
    return end


def _announcement_above(kept: list[str], end: int) -> int:
    """Return where an announcement begins behind which a mail server put a warning before the
    quote; `end` where none does."""
    above = end
    for _ in range(_MOST_WARNINGS):
        if not above or len(kept[above - 1]) < _SHORTEST_WARNING:
            break
        above = _above_blanks(kept, above - 1)
        start = _header_above(kept, above)
        if start < above:
            return start
        if above and _sentence(kept, above - 1) and _DATE.search(kept[above - 1]):
            return above - 1
    return end


_MOST_WARNINGS = 3
_SHORTEST_WARNING = 30
"""Lines, and characters of one: orders are shorter."""


def _header_above(kept: list[str], end: int) -> int:
    """Return where the copied header begins that ends there; `end` where none does."""
    start = top = end
    while start and end - start < 10 and _LABELED.match(kept[start - 1][:_WIDEST]):
        start -= 1
        if _PROOF.search(kept[start]):
            top = start
    proofs = sum(_PROOF.search(line) is not None for line in kept[top:end])
    return top if proofs > 1 and end - top > 2 else end


def _attribution_above(kept: list[str], end: int) -> int:
    """Return where the sentence begins that ends there and says who wrote when; `end` where none
    does."""
    last = kept[end - 1] if end else ""
    if not _CLOSED.search(last) and not (_WHEN.search(last) and _WHO.search(last)):
        return end
    for start in range(end - 1, max(end - 4, -1), -1):
        whole = " ".join(kept[start:end])
        wrote = len(last) < 80 and _wrote().search(last)
        if (_WHEN.search(whole) and (_WHO.search(whole) or wrote)) or not _is_broken(kept, start):
            said = _WHEN.search(whole) or _WHO.search(whole) or wrote
            # The date may stand in a line of its own.
            dated = start > 0 and not _WHEN.search(whole) and _is_moment(kept[start - 1])
            return start - dated if said else end
    return end


def _is_moment(line: str) -> bool:
    """Return whether a line is a date with a time, and nothing else."""
    dated = len(line) < _NARROWEST and _DATE.search(line) and _TIME.search(line)
    return bool(dated) and len(_LETTERS.findall(line)) <= _FEW_LETTERS


def _is_broken(lines: Sequence[str], number: int) -> bool:
    """Return whether a line seems to be the rest of the one above, which had no room for more."""
    if not number or not lines[number - 1] or _ENDED.search(lines[number - 1]):
        return False
    above, rest = lines[number - 1], lines[number].lstrip()
    width = len(above) + 1 + len(rest.partition(" ")[0])
    return rest.startswith("<") or (width > _NARROWEST and _WHEN.search(above) is not None)


_TIME = re.compile(r"\b\d{1,2}:\d\d\b")
_LETTERS = re.compile(r"[^\W\d_]+")
_FEW_LETTERS = 4
"""Words of a date and a time: of the day, the month, and the like."""

_NARROWEST = 60
"""Columns at which programs that break lines do so at the earliest."""

_ENDED = re.compile(r"[.!?…:：]\s*\Z")
_PROOF = re.compile(rf"{_WHEN.pattern}|{_WHO.pattern}|JUDGE:")


# -- copies without marks


_COPIED = re.compile(rf"[:：@\d年년{CUT}]|[-_=*]{{2}}")
"""What every copy has, in fields, moments or rulers, and most mails have not."""


def _unmarked(lines: list[str], *, sentences: bool = True) -> tuple[int, int]:
    """Return where an unmarked copy of another mail begins, and where its own header ends; without
    `sentences`, only one with a copied header or a ruler."""
    for number, line in enumerate(lines[:MOST_LINES]):
        if not line:
            continue
        start = number
        size = CUT in line or _ruled(lines, number)
        if not size and (size := _header(lines, number)):
            # The first of its labels may be in no list.
            while start and _is_field(lines[start - 1]):
                start -= 1
        if not size and sentences:
            size = _sentence(lines, number)
        if size:
            while start and (not lines[start - 1] or _leads(lines[start - 1])):
                start -= 1
            end = number + size
            while end < len(lines) and lines[end] and _FIELD.match(lines[end]):
                end += 1
            return start, end
    return len(lines), len(lines)


def _leads(line: str) -> bool:
    """Return whether a line stands above a copied header: a ruler, or words that say what
    follows."""
    said = line[:_WIDEST].strip(" \t>*|:：")
    return bool(_RULER.fullmatch(line) or patterns("reply")["forwards"].fullmatch(said))


_BETWEEN_DASHES = re.compile(
    r"[\s>]{0,4}[-_=*]{2,40}\s*(?P<words>[\x22\x27(]?[^\W\d_][^=*]{2,120}?)\s*[-_=*]{2,40}\s*\Z"
)


def _ruled(lines: list[str], number: int) -> int:
    """Return how many lines from `number` on are a ruler that says that a copy follows."""
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
    """Return the next line that is not blank."""
    while number < len(lines) and not lines[number]:
        number += 1
    return number


_LABELED = re.compile(r"[\s*|>]{0,6}([^\W\d_][^:：\n]{0,24}?)[\s*]{0,3}[:：][\s*]*(.*)\Z")


def _is_field(line: str) -> bool:
    """Return whether a line is a field of a copied header, whatever its label."""
    return _LABELED.match(line[:_WIDEST]) is not None and _PROOF.search(line) is not None


@lru_cache(1024)
def _label(line: str) -> tuple[str, str]:
    """Return the label of a copied header field and its value; "" when it is none. A line is looked
    at once for each line above it that may begin a header."""
    if found := _LABELED.match(line):
        label = " ".join(found[1].split()).casefold().strip("*")
        return (label, found[2]) if label in _labels()[1] else ("", "")
    # eM Client writes no colons.
    label, _, value = line.strip().partition(" ")
    label = label.casefold()
    known = label in _labels()[1]
    return (label, value) if known and (_WHO.search(value) or _WHEN.search(value)) else ("", "")


def _header(lines: list[str], number: int) -> int:
    """Return how many lines from `number` on are the copied header of a mail."""
    if number >= len(lines) or not _label(lines[number][:_WIDEST])[0]:
        return 0
    labels: set[str] = set()
    count = 0
    proof = False
    for line in lines[number : number + 12]:
        label, value = _label(line[:_WIDEST])
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
    """Return how many lines from `number` on are one sentence that says who wrote, at which
    address, and when, and ends with that and a colon: nobody announces anything so exactly but a
    program."""
    if _FIELD.match(lines[number]) and not _WHEN.search(lines[number].partition(":")[0]):
        return 0
    whole = ""
    for size in (1, 2, 3):
        place = number + size - 1
        if place >= len(lines) or not lines[place] or (size > 1 and not _is_broken(lines, place)):
            return 0
        whole += lines[place][:_WIDEST] + " "
        if _COLON.search(whole):
            wrote = _wrote().search(whole)
            return size if (wrote or _DATE.search(whole)) and _said().search(whole) else 0
    return 0
