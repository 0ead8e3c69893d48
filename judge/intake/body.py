"""The body of a mail as lines that mean something, and where reading ends."""

from __future__ import annotations

import re
from collections.abc import Iterator

_BULLET = re.compile(r"\A(?:[*•·‣◦–-]\s+|\d{1,2}[.)]\s+)(?=\S)")


def end_mark(line: str) -> str:
    """`line` as an end mark is compared: letters and digits only, in lower case."""
    return re.sub(r"[\W_]+", "", line).lower()


def lines_of(text: str) -> Iterator[str]:
    """The lines of `text` up to a signature mark, each with the blanks at its end cut.

    Everything else is left in, blank lines too, because press is sent on as it was written.
    """
    for line in text.splitlines():
        # RFC 3676 4.3: "-- " alone on a line; many programs drop the blank.
        if line.rstrip() == "--":
            return
        yield line.rstrip()


def meant(line: str) -> str:
    """What counts of a line: bullets and numbering cut; "" for blank, quoted and comment lines."""
    line = line.replace("\N{NO-BREAK SPACE}", " ").strip()
    if line.startswith((">", "//")):
        return ""
    return _BULLET.sub("", line, count=1)
