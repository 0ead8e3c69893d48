"""Plain text as HTML: the same words, with headings, paragraphs, lists, and columns marked up.

Letters are written as plain text that reads well in a terminal. Its shape says what is what: a line
in capitals is a heading, indented lines are a list, two blanks and more part columns. Whatever
comes out is escaped; nothing in the text is taken for HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from markupsafe import Markup, escape

_INDENT = re.compile(r" *")
_GAP = re.compile(r"(?<=\S) {2,}(?=\S)")
_RULE = re.compile(r"-{5,}")
_QUOTE = re.compile(r"> ?")


def prose(text: str) -> Markup:
    """Return the text as headings, paragraphs, lists, and tables.

    The text must not be folded: each line is one of these, or a line of one.
    """
    return Markup("\n").join(_blocks(text))


def written_html(text: str) -> Markup:
    """Return what somebody wrote: with its own line ends, and with quotes marked as quotes."""
    return Markup("\n").join(_quoted(text.split("\n")))


class Section(NamedTuple):
    """A heading and the text below it; the first one of a message has no heading, ""."""

    heading: str
    text: str


def sections(text: str) -> list[Section]:
    """Return a text that is not folded, cut at its headings; empty sections are left out."""
    found: list[tuple[str, list[str]]] = [("", [])]
    for line in text.split("\n"):
        if is_heading(line):
            found.append((line.strip(), []))
        else:
            found[-1][1].append(line)
    cut = [Section(heading, "\n".join(lines).strip("\n")) for heading, lines in found]
    return [each for each in cut if each.heading or each.text]


def is_heading(line: str) -> bool:
    """Whether a line is a heading: in capitals, except for a part in brackets at its end."""
    words = line.partition("(")[0]
    letters = [char for char in words if char.isalpha()]
    return (
        len(letters) > 2
        and len(line) <= 80
        and not line.startswith(" ")
        and all(char.isupper() or not char.islower() for char in letters)
        and not line.rstrip().endswith((".", "!"))
        and not any(char in words for char in "@/=")
    )


def _blocks(text: str) -> Iterator[Markup]:
    block: list[str] = []
    for line in [*text.split("\n"), ""]:
        line = line.rstrip()
        if block and (not line or line.startswith(" ") != block[-1].startswith(" ")):
            yield from _block(block)
            block = []
        if line:
            block.append(line)


def _block(lines: list[str]) -> Iterator[Markup]:
    if not lines[0].startswith(" "):
        for line in lines:
            yield _line(line)
    elif any(len(_GAP.split(line)) > 2 for line in lines):
        yield Markup('<pre class="as-is">{}</pre>').format("\n".join(lines))
    elif all(_GAP.search(line.strip()) for line in lines):
        yield _columns(lines)
    else:
        yield _rows(lines)


def _line(line: str) -> Markup:
    if _RULE.fullmatch(line):
        return Markup("<hr>")
    if is_heading(line):
        return Markup("<h2>{}</h2>").format(line)
    return Markup("<p>{}</p>").format(line)


_SHORT = 24
"""Characters that fit into the first column on a phone."""


def _columns(lines: Iterable[str]) -> Markup:
    cells = (_GAP.split(line.strip()) for line in lines)
    rows = (
        Markup('<tr><td class="key{}">{}</td><td class="value">{}</td></tr>').format(
            " short" if len(key) <= _SHORT else "", key, value
        )
        for key, value in cells
    )
    return Markup('<table role="presentation" class="rows">{}</table>').format(Markup().join(rows))


def _rows(lines: list[str]) -> Markup:
    depths = [len(match[0]) for line in lines if (match := _INDENT.match(line))]
    least = min(depths)
    rows = (
        _row(line.strip(), (depth - least) // 2) for depth, line in zip(depths, lines, strict=True)
    )
    return Markup('<div class="list">{}</div>').format(Markup("\n").join(rows))


def _row(line: str, depth: int) -> Markup:
    if line.startswith("> "):
        # What somebody wrote to us, above what became of it.
        return Markup('<p class="row echo">{}</p>').format(line[2:])
    return Markup('<p class="row deep{}">{}</p>').format(min(depth, 3), line)


def _quoted(lines: list[str]) -> Iterator[Markup]:
    """Yield lines as they are, and quoted ones as quotes, to any depth that people read."""
    run: list[str] = []
    marked = False
    for line in [*lines, None]:
        is_marked = line is not None and line.startswith(">")
        if run and (line is None or is_marked != marked):
            if marked:
                inner = [_QUOTE.sub("", each, count=1) for each in run]
                yield Markup('<div class="said">{}</div>').format(Markup().join(_quoted(inner)))
            else:
                yield from _paragraphs(run)
            run = []
        if line is not None:
            run.append(line)
        marked = is_marked


def _paragraphs(lines: list[str]) -> Iterator[Markup]:
    for paragraph in re.split(r"\n\s*\n", "\n".join(lines)):
        if paragraph.strip():
            broken = (_spaced(line) for line in paragraph.strip("\n").split("\n"))
            yield Markup("<p>{}</p>").format(Markup("<br>\n").join(broken))


def _spaced(line: str) -> Markup:
    """Return a line that keeps the blanks at its beginning."""
    bare = line.lstrip(" ")
    return Markup("&nbsp;") * (len(line) - len(bare)) + escape(bare.rstrip())
