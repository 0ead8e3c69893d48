"""The text of unsigned press without what identifies its writer: mail program, name, address, and
the width of the screen."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_SIGNS = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛`´′", "'"),
        **dict.fromkeys("“”„‟«»″", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        **dict.fromkeys("\u2028\u2029\v\f", "\n"),
    }
)
_QUOTED = re.compile(r"\s{0,2}(?:[^\W\d_]{0,3}[>|]\s?)+")
_ITEM = re.compile(r"(?:[*•·◦-]\s|\d{1,2}[.)]\s)")
_AROUND = " \t-~_*.,;:!()[]<>/\\'\""

_BROKEN = 50
"""The column at which programs break lines at the earliest."""


def plain(text: str, names: Iterable[str]) -> str:
    """Return the text as readers of grey press get it.

    `names` are what its writer is called, addresses among them. The name at the end is removed, and
    addresses everywhere; quotation marks, dashes, bullets, quotes, blanks, and line breaks are
    written in one way.
    """
    own = {name.casefold() for name in names if name.strip()}
    text = unicodedata.normalize("NFKC", text.translate(_SIGNS)).translate(_SIGNS)
    text = re.sub(r"(?<=[^\S\n])-{2,3}(?=\s)", "-", text)
    lines = [_line(line) for line in text.split("\n")]
    while lines and (not lines[-1] or lines[-1].strip(_AROUND).casefold() in own):
        lines.pop()
    text = "\n".join(_whole(lines)).strip("\n")
    for address in sorted((name for name in own if "@" in name), key=len, reverse=True):
        text = re.sub(re.escape(address), "...", text, flags=re.IGNORECASE)
    return text


def _line(line: str) -> str:
    """Return one line without invisible characters or trailing blanks, marks written in one way."""
    line = "".join(
        sign for sign in line.replace("\t", "    ") if unicodedata.category(sign)[0] != "C"
    )
    line = line.rstrip()
    if line.lstrip()[:1] in ("*", "•", "·", "◦"):
        line = re.sub(r"\A(\s*)[*•·◦]+\s+", r"\1- ", line)
    quoted = _QUOTED.match(line)
    return f"> {line[quoted.end() :].strip()}".rstrip() if quoted else line


def _whole(lines: Iterable[str]) -> list[str]:
    """Return the lines with those that a program has broken joined again, and single blank
    lines."""
    out: list[str] = []
    broken = False
    for line in lines:
        if not line and (not out or not out[-1]):
            continue
        if broken and line and not line.startswith((" ", ">")) and not _ITEM.match(line):
            out[-1] = f"{out[-1]} {line}"
        else:
            out.append(line)
        broken = len(line) >= _BROKEN and not line.startswith((" ", ">"))
    return out
