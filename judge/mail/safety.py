"""Keep what strangers write from stopping the judge, and libraries from changing what it means.

The limits are what no mail of a person has, looked for in its bytes before anything takes it apart:
the standard parser takes quadratic time and deep recursion on nested parts and long parameters, so
that one mail could stop the judge. Each is far above what mail programs write; the size itself is
limited by the receivers (552 in SMTP, RFC 1870).

Nor can bytes be trusted to be in the charset that they are labeled with: text is read from them
whatever the label says, without characters that nobody sees.
"""

from __future__ import annotations

import codecs
import re
import threading
import unicodedata
import warnings
from bisect import bisect_left
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache, wraps
from itertools import islice
from typing import ParamSpec, TypeVar
from urllib.parse import unquote_to_bytes

from charset_normalizer import from_bytes

from judge.limits import BOUNDS

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")


_PART = re.compile(rb"^content-type[ \t]*:", re.IGNORECASE | re.MULTILINE)
_CONTAINER = re.compile(
    rb"^content-type[ \t]*:\s*(?:multipart|message)/", re.IGNORECASE | re.MULTILINE
)
_PARAMETERS = re.compile(
    rb"^content-[a-z-]+[ \t]*:(?:[^\r\n]|\r?\n[ \t]){%d}" % BOUNDS.parameters,
    re.IGNORECASE | re.MULTILINE,
)
# RFC 2231 lets a parameter go on in others, and spell its value out.
_BOUNDARY = re.compile(rb"\bboundary(?:\*0?\*?)?\s*=\s*\"?([^\"\r\n;]{1,70})", re.IGNORECASE)
_DELIMITER = re.compile(rb"\n--([^\n]{0,70})")
_FIELD = re.compile(rb"^[!-9;-~]+[ \t]*:", re.MULTILINE)
_HEADER_END = re.compile(rb"\r?\n\r?\n")
_LINE_END = re.compile(rb"\r\n|\r|\n")


def header(raw: bytes) -> bytes:
    """Return the header of a message, as much of it as is ever looked at."""
    return _header(raw)[0]


def _header(raw: bytes) -> tuple[bytes, bool]:
    """Return the header, as much of it as is ever looked at, and whether it has too many lines."""
    end = _HEADER_END.search(raw, 0, BOUNDS.header)
    head = raw[: end.end() if end else BOUNDS.header]
    if len(head) < BOUNDS.header_lines:
        return head, False
    last = next(islice(_LINE_END.finditer(head), BOUNDS.header_lines - 1, None), None)
    return (head[: last.end()], True) if last else (head, False)


def refused(raw: bytes) -> str:
    """Return why no more than the header of a message is read, as a sentence; "" when all of it
    is."""
    head, is_long = _header(raw)
    if len(head) == BOUNDS.header and len(raw) > BOUNDS.header:
        return f"Its header has more than {BOUNDS.header:,} bytes."
    if is_long:
        return f"Its header has more than {BOUNDS.header_lines:,} lines."
    if _more(_FIELD, head, BOUNDS.fields):
        return f"Its header has more than {BOUNDS.fields:,} fields."
    if _more(_PART, raw, BOUNDS.parts):
        return f"It has more than {BOUNDS.parts} parts."
    if _more(_CONTAINER, raw, BOUNDS.containers):
        return f"Its parts are nested more than {BOUNDS.containers} times."
    # Parts need no header of their own.
    lines = sorted(_DELIMITER.findall(raw)) if raw.count(b"\n--") > BOUNDS.parts else []
    for boundary in _boundaries(raw) if lines else ():
        last = bisect_left(lines, boundary) + BOUNDS.parts
        if last < len(lines) and lines[last].startswith(boundary):
            return f"It has more than {BOUNDS.parts} parts."
    if raw.count(b"\n") > BOUNDS.raw_lines:
        return f"It has more than {BOUNDS.raw_lines:,} lines."
    if len(raw) > BOUNDS.parameters and _PARAMETERS.search(raw):
        return f"It has a header field of more than {BOUNDS.parameters:,} characters."
    return ""


def _boundaries(raw: bytes) -> set[bytes]:
    """Return what a boundary may begin with."""
    written = {found[1].strip() for found in _BOUNDARY.finditer(raw)}
    spelled = {unquote_to_bytes(each.rpartition(b"'")[2]) for each in written}
    return (written | spelled) - {b""}


def _more(pattern: re.Pattern[bytes], raw: bytes, most: int) -> bool:
    """Return whether a pattern, which begins a line, is found more than `most` times; stops looking
    when it is."""
    found = enumerate(pattern.finditer(raw)) if raw.count(b"\n") >= most else ()
    return any(number >= most for number, _ in found)


_EMOJI = "\u2190-\u2bff\ufe0f\U0001f000-\U0001faff"
_JOINED = "\u0600-\u0dff"
_UNSEEN = re.compile(
    # A flag spelled in tags; emoji joined to one; joiners in words of Arabic and Indic scripts.
    "(\U0001f3f4[\U000e0020-\U000e007e]{1,8}\U000e007f"
    f"|(?<=[{_EMOJI}])\u200d(?=[{_EMOJI}])|(?<=[{_JOINED}])[\u200c\u200d](?=[{_JOINED}]))"
    "|[\0-\b\v-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\U000e0000-\U000e007f]"
)


def cleaned(text: str) -> str:
    """Return a text without characters that nobody sees, and that steer terminals or turn lines
    around: C0 (save tab and line feed) and C1, marks of direction, zero widths, and tags.

    Letters written from right to left need no marks and stay. Joiners stay within emoji and within
    words of scripts that need them (U+0600 to U+0DFF), and tags in the flags they spell.

    No more than 30 marks stand on one letter (Unicode Standard Annex #15, stream-safe text): the
    library puts each run of them in order, in quadratic time.
    """
    return _MARKS.sub(_parted, _UNSEEN.sub(r"\1", text))


def escaped(text: str) -> str:
    """Return a text in JSON with the characters that `cleaned` leaves out written as its escapes,
    so that anyone who reads the JSON gets them all."""
    return _UNSEEN.sub(lambda found: found[1] or _escape(found[0]), text)


def _escape(char: str) -> str:
    return re.sub("(....)", r"\\u\1", char.encode("utf-16-be").hex())


_MOST_MARKS = 30
_MARKS = re.compile(rf"[^\w\s!-~]{{{_MOST_MARKS + 1},}}")


def _parted(found: re.Match[str]) -> str:
    """Return a run of signs, with a joiner that is no mark between marks where it has too many of
    them."""
    run = found[0]
    if not any(map(unicodedata.combining, run)):
        return run
    starts = range(0, len(run), _MOST_MARKS)
    return "\u034f".join(run[start : start + _MOST_MARKS] for start in starts)


class _Quiet:
    """A block in which warnings are ignored.

    `warnings.catch_warnings` alone is not made for threads: of two blocks that overlap, the one
    that ends last may restore what the other had set. Here the first block to begin saves the
    filters, and the last one to end restores them.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open = 0
        self._saved = warnings.catch_warnings()

    def __enter__(self) -> None:
        with self._lock:
            if not self._open:
                self._saved = warnings.catch_warnings()
                self._saved.__enter__()
                warnings.simplefilter("ignore")
            self._open += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._open -= 1
            if not self._open:
                self._saved.__exit__(None, None, None)


quiet = _Quiet()
"""`with quiet:` ignores warnings, which are for developers: where Python makes errors of them, one
of a library's would make a mail unreadable that is not."""


def never_raises(
    otherwise: Callable[[Exception], T],
) -> Callable[[Callable[P, R]], Callable[P, R | T]]:
    """Make a function that reads mail return `otherwise(error)` where it or a library raises.

    Nothing is promised by libraries about malformed mail: ValueError, LookupError, RecursionError
    and others have all been seen. Their warnings are ignored.
    """

    def decorate(read: Callable[P, R]) -> Callable[P, R | T]:
        @wraps(read)
        def guarded(*args: P.args, **kwargs: P.kwargs) -> R | T:
            try:
                with quiet:
                    return read(*args, **kwargs)
            except Exception as error:
                return otherwise(error)

        return guarded

    return decorate


# Labels that mean a superset in practice (https://encoding.spec.whatwg.org/#names-and-labels):
# mail programs write the old name and use the characters the newer set added.
_WIDER = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
    "tis-620": "cp874",
}

# Python calls these text encodings too, but no mail uses them honestly, and some take
# quadratic time (idna, punycode).
_REFUSED = {"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "mbcs", "oem"}

# Charsets in which bytes of ASCII are not what they look like.
_STATEFUL = ("iso2022", "utf-7", "utf-16", "utf-32", "hz")

# Enough to tell a language by; guessing looks at the whole sample several times over.
_SAMPLE = 20_000

_SHORT = 8
"""Bytes that are too few to tell anything by."""


def decode(data: bytes, label: str | None) -> str:
    """Return text from bytes that are labeled with a charset, which may be missing, unknown or
    wrong."""
    name = _known(label)
    if data.isascii() and (name is None or not name.startswith(_STATEFUL)):
        return data.decode("ascii")
    if name is None or not name.startswith(("utf-8", *_STATEFUL)):
        # Text of another charset is hardly ever valid UTF-8 by chance, but UTF-8 is often
        # labeled as something else.
        with suppress(UnicodeDecodeError):
            return data.decode("utf-8")
    if name is not None:
        with suppress(ValueError):
            return data.decode(_WIDER.get(name, name))
    return guess(data)


def guess(data: bytes) -> str:
    """Return text from bytes without a label. Never fails; what cannot be read becomes U+FFFD."""
    with suppress(UnicodeDecodeError):
        return data.decode("utf-8-sig")
    sample = data[:_SAMPLE]
    letters = sum(byte < 0x80 for byte in sample)
    if letters > len(sample) * 0.8 or len(sample) < _SHORT:
        name = _latin(sample)
    else:
        name = _japanese(sample) or _other(sample)
    return data.decode(_WIDER.get(name, name), "replace")


# The letters of Western and of Central European text, and the marks that programs put in it.
# Statistics need more text than most mails have; which of these few charsets makes letters of
# the bytes tells more.
_LETTERS = {
    "cp1252": "àâäáãåæçéèêëíìîïñóòôöõøœúùûüßÿ€„“”’‘–—…«»°·¡¿",
    "cp1250": "ąćęłńóśźżáčďéěíňřšťúůýžőűöüäăâîß„“”’‘–—…",
    "iso8859-2": "ąćęłńóśźżáčďéěíňřšťúůýžőűöüäăâîß",
    "cp1254": "âçğıîöşüİ„“”’‘–—…",
}


def _latin(sample: bytes) -> str:
    """Return the charset of a text in Latin letters."""

    def letters(name: str) -> int:
        text = sample.decode(name, "replace").lower()
        return sum(char in _LETTERS[name] for char in text if char > "\x7f")

    return max(_LETTERS, key=letters)


def _japanese(sample: bytes) -> str | None:
    """Return the Japanese charset that makes kana of the bytes; other East Asian text has none."""
    for name in ("cp932", "euc_jp"):
        text = sample.decode(name, "replace")
        foreign = [char for char in text if char > "\x7f"]
        kana = sum("\u3040" <= char <= "\u30ff" for char in foreign)
        if kana > len(foreign) * 0.3 and "\ufffd" not in text[:-2]:
            return name
    return None


_USUAL = ("cp1251", "koi8_r", "gb18030", "big5", "cp949", "cp1253", "cp1255", "cp1256")
"""What text that is not in Latin letters is mailed in."""


def _other(sample: bytes) -> str:
    found = [match.encoding for match in from_bytes(sample)]
    return next((name for name in found if name in _USUAL), found[0] if found else "cp1252")


# Spellings that Python does not know, and the direction of Hebrew (RFC 1556), which is no matter.
_SPELLED = re.compile(r"\Ax-(?=\w)|\A(?P<cp>windows-)(?=\d)|-[ei]\Z", re.IGNORECASE)


@lru_cache(256)
def _known(label: str | None) -> str | None:
    """Return Python's own name of a charset, None when it is none for text."""
    written = (label or "").strip(" \"'").strip()
    spelled = _SPELLED.sub(lambda found: "cp" if found["cp"] else "", written)
    for name in (written, spelled):
        with suppress(LookupError, ValueError):
            known = codecs.lookup(name).name
            # What is no encoding of text, such as hex, decodes nothing but no bytes at all.
            b" ".decode(known, "replace")
            return None if known in _REFUSED else known
    return None
