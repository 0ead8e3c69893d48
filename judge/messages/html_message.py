"""Messages as HTML: the words of the plain text in a frame that every mail program can show.

`templates/letters/html/<kind>.html` lays a message out; those without one are laid out by the
shape of their plain text. Words come from the macros of the plain messages and
from the same catalogs. Everything printed is escaped: a macro of a plain message returns plain
text.

Letters are written as plain text that reads well in a terminal. Its shape says what is what: a line
in capitals is a heading, indented lines are a list, two blanks and more part columns.

`templates/letters/html/letter.css` says how a letter looks. It is written into each element, for
many mail programs know no other way: templates are read with its styles in them, so that no letter
is gone through for them. Its rules look at an element, its classes, and the classes of the tables
and divisions around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from html import escape as _escape
from html import unescape
from itertools import groupby
from typing import Any, NamedTuple
from urllib.parse import quote

import css_inline
import jinja2
from jinja2.ext import Extension
from markupsafe import Markup, escape

from judge import i18n, render
from judge.data import data_path
from judge.mail.compose import Attachment, shown_width
from judge.storage import Person

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


_IN_ADDRESSES = frozenset("@/=")


def is_heading(line: str) -> bool:
    """Return whether a line is a heading: in capitals, except for a part in brackets at its end."""
    if not line or line[0] == " " or len(line) > 80:
        return False
    words = line.partition("(")[0]
    # Nearly all lines have a small letter near their beginning.
    return (
        not any(map(str.islower, words))
        and sum(map(str.isalpha, words)) > 2
        and not line.rstrip().endswith((".", "!"))
        and _IN_ADDRESSES.isdisjoint(words)
    )


def _blocks(text: str) -> Iterator[Markup]:
    def kind(line: str) -> tuple[bool, bool]:
        return not line, line.startswith(" ")

    for (is_blank, _), block in groupby(map(str.rstrip, text.split("\n")), kind):
        if not is_blank:
            yield from _block(list(block))


def _block(lines: list[str]) -> Iterator[Markup]:
    if not lines[0].startswith(" "):
        for line in lines:
            yield _line(line)
    elif any(len(_GAP.split(line)) > 2 for line in lines):
        yield Markup('<pre class="as-is">%s</pre>') % "\n".join(lines)
    elif all(_GAP.search(line.strip()) for line in lines):
        yield _columns(lines)
    else:
        yield _rows(lines)


_SIGNS = {"[+] ": ("good", "✓"), "[!] ": ("bad", "!")}
"""What a line begins with that says whether all is well; its class and sign."""


def _line(line: str) -> Markup:
    if _RULE.fullmatch(line):
        return Markup("<hr>")
    if is_heading(line):
        return Markup("<h2>%s</h2>") % line
    if sign := _SIGNS.get(line[:4]):
        return Markup('<p><strong class="%s">%s</strong> %s</p>') % (*sign, line[4:])
    return Markup("<p>%s</p>") % line


_SHORT = 24
"""Characters that fit into the first column on a phone."""


def _columns(lines: Iterable[str]) -> Markup:
    cells = (_GAP.split(line.strip()) for line in lines)
    rows = (
        Markup('<tr><td class="key%s">%s</td><td class="value">%s</td></tr>')
        % (" short" if len(key) <= _SHORT else "", key, value)
        for key, value in cells
    )
    return Markup('<table role="presentation" class="rows">%s</table>') % Markup().join(rows)


def _rows(lines: list[str]) -> Markup:
    depths = [len(line) - len(line.lstrip(" ")) for line in lines]
    least = min(depths)
    rows = (
        _row(line.strip(), (depth - least) // 2) for depth, line in zip(depths, lines, strict=True)
    )
    return Markup('<div class="list">%s</div>') % Markup("\n").join(rows)


def _row(line: str, depth: int) -> Markup:
    if line.startswith("> "):
        # What somebody wrote to us, above what became of it.
        return Markup('<p class="row echo">%s</p>') % line[2:]
    said = Markup('<a href="%s">%s</a>') % (line, line) if _SEAT_LINK.fullmatch(line) else line
    return Markup('<p class="row deep%s">%s</p>') % (min(depth, 3), said)


_SEAT_LINK = re.compile(r"mailto:[^\s?&]+\?subject=SEAT%20([a-z]{4}-[a-z]{4})&body=SEAT%20\1")
"""What gives a seat away; no other address in a text becomes a link, for people write texts too."""


def _quoted(lines: list[str]) -> Iterator[Markup]:
    """Yield lines as they are, and quoted ones as quotes, to any depth that people read."""
    for is_marked, run in groupby(lines, lambda line: line.startswith(">")):
        if is_marked:
            inner = [_QUOTE.sub("", each, count=1) for each in run]
            yield Markup('<div class="said">%s</div>') % Markup().join(_quoted(inner))
        else:
            yield from _paragraphs(list(run))


def _paragraphs(lines: list[str]) -> Iterator[Markup]:
    for paragraph in re.split(r"\n\s*\n", "\n".join(lines)):
        if paragraph.strip():
            broken = (_spaced(line) for line in paragraph.strip("\n").split("\n"))
            yield Markup("<p>%s</p>") % Markup("<br>\n").join(broken)


def _spaced(line: str) -> Markup:
    """Return a line that keeps the blanks at its beginning."""
    bare = line.lstrip(" ")
    return Markup("&nbsp;") * (len(line) - len(bare)) + escape(bare.rstrip())


AUTO = "letters/html/auto.html"
"""The layout of every message that has none of its own."""

LARGEST = 100_000
"""The maximum HTML of a message, in bytes: Gmail cuts off what is longer than 102 kB."""

SLIGHT = 2_000
"""The same of the first answer to somebody who may never have written."""

_SLIGHT, _BRIEF = "letters/html/slight.html", "letters/html/brief.html"

LONGEST_LINK = 1_800
"""The maximum length of a link that starts a reply; Windows hands on no more than 2,048
characters."""


_MACROS = (
    "coach", "parts", "late", "ahead", "fair", "press", "ending", "offers", "votes", "sheets",
)  # fmt: skip


def plain_macros() -> dict[str, object]:
    """Return the macros of the plain messages for templates of HTML: `parts_.deadline(view)`."""
    return {f"{name}_": render.macros(f"letters/_{name}.txt") for name in _MACROS}


@lru_cache(256)
def _prose(text: str, around: str = "") -> Markup:
    """Return `prose` with its styles; what several readers get alike is made once."""
    return Markup(styled(prose(text), around))  # noqa: S704 - escaped as it was made


def _bare(text: str) -> Markup:
    """Return a text as paragraphs of lines in as few bytes as there can be."""
    short = _GAP.sub(": ", _INDENT.sub("", _escape(text.strip(), quote=False)))
    lines = _BLANK.sub("<p>", short).split("\n")
    return Markup("<br>".join(lines))  # noqa: S704 - escaped above


_BLANK = re.compile(r"\n{2,}")
_INDENT = re.compile(r"^ +", re.M)


def _places(places: Iterable[Any]) -> Markup:
    """Return places by their codes, which stand out, and names."""
    shown = render.escaped
    named = [f"<strong>{shown(each.id)}</strong> {shown(each.name)}" for each in places]
    return Markup(", ".join(named))  # noqa: S704 - escaped above


def _written(text: str) -> Markup:
    return Markup(styled(written_html(text)))  # noqa: S704 - escaped as it was made


@cache
def _templates() -> jinja2.Environment:
    environment = render.environment(autoescape=True)
    environment.globals.update(plain_macros(), answer_link=_answer_link, line_link=_line_link)
    environment.filters.update(
        bare=_bare, prose=_prose, written=_written, lines=_lines, places=_places, sections=sections
    )
    environment.add_extension(Styles)
    return environment


def page(
    kind: str,
    facts: Mapping[str, Any],
    letter: render.MessageText,
    language: str = i18n.DEFAULT_LANGUAGE,
    pictures: Sequence[Mapping[str, object]] = (),
) -> str | None:
    """Return the HTML of a message whose plain text is `letter`; None where it would be larger
    than mail programs show, or than may be sent to somebody who may never have written (`slight` in
    `facts`, `plain` where there is much to say).

    `pictures` are shown in it: each has its content id as `cid`, what it is as `alt`, how wide it
    is shown at most, and what stands below it as `caption`. Whatever
    the plain text says stands in the HTML, too: where a layout leaves a word out, the letter is
    laid out by the shape of its plain text.
    """
    if facts.get("plain"):
        return None
    with i18n.speaking(language), render.flowing():
        known = (
            {"game": None, "phase": None, "web": "", "buttons": ()}
            | dict(facts)
            | {
                "reply_address": facts.get("reply_address"),
                "view": facts,
                "letter": letter,
                "language": language,
                "pictures": pictures,
            }
        )
        slight = bool(facts.get("slight"))
        most = SLIGHT if slight else LARGEST
        layout = _BRIEF if facts.get("brief") else f"letters/html/{kind}.html"
        for name in (_SLIGHT,) if slight else (layout, AUTO):
            if name not in _names():
                continue
            found = dressed(_templates().get_template(name).render(known))
            fits = len(found.encode()) <= most
            said = [text for key, text in letter.kept.items() if key.startswith("words")]
            if fits and (name in (AUTO, _SLIGHT) or says_all(found, letter.text, said)):
                return found
    return None


def dressed(page: str) -> str:
    """Return a page with those rules of its style sheet alone that its elements have use for."""
    before, start, rest = page.partition("<style>")
    sheet, end, body = rest.partition("</style>")
    classes = frozenset(word for found in _CLASS.findall(body) for word in found.split())
    return "".join((before, start, _used(sheet, classes), end, body))


@lru_cache(64)
def _used(sheet: str, classes: frozenset[str]) -> str:
    """Return those rules of a style sheet that elements of these classes have use for, which are
    the same ones in most letters of a kind."""

    def used(found: re.Match[str]) -> str:
        names = found[1].split(", ")
        kept = [name for name in names if classes.issuperset(_CLASSES.findall(name))]
        return f"{', '.join(kept)} {found[2]}" if kept else ""

    return _SHEET_RULE.sub(used, sheet)


_SHEET_RULE = re.compile(r"^([a-z.][^{}@:\n]*) (\{.*\}\n)", re.MULTILINE)
_CLASSES = re.compile(r"\.([\w-]+)")


def load(kinds: Iterable[str]) -> None:
    """Load how messages of these kinds are worded and laid out, and what layouts share."""
    known = "letters/_", "letters/html/", *(f"letters/{kind}." for kind in kinds)
    for name in _names():
        if name.startswith(known) and name.endswith((".txt", ".html")):
            plain = name.endswith(".txt")
            (render.templates() if plain else _templates()).get_template(name)


@cache
def _names() -> frozenset[str]:
    return frozenset(_templates().list_templates())


_SHOWN = re.compile(r">([^<]+)")
"""Text between tags."""

_WORD = re.compile(r"[^\W_]+")
_PHASE = re.compile(r"[a-z]\d+[a-z]")


def says_all(page: str, text: str, otherwise: Iterable[str] = ()) -> bool:
    """Return whether the HTML has every word of the plain text, save the phase in its short form,
    which it has in words, and what it says `otherwise`: parts of the plain text."""
    # Most words stand in both with the same signs around them, or with a few more.
    shown = frozenset(" ".join(_SHOWN.findall(page)).casefold().split())
    left = {word.strip("()[]") for word in {*text.casefold().split()} - shown} - shown
    missing = {
        word for word in {*_WORD.findall(" ".join(left))} - shown if not _PHASE.fullmatch(word)
    }
    missing -= {*_WORD.findall(" ".join(otherwise).casefold())} if missing else set()
    return not missing or missing <= set(_WORD.findall(unescape(" ".join(shown))))


def _lines(text: str) -> list[str]:
    """Return the lines of a text that are not blank, stripped."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def _answer_link(address: str, subject: str, powers: Sequence[Mapping[str, Any]]) -> str:
    """Return a link that starts a reply with the orders of these powers' units, one line each;
    without the lines where it would get too long."""
    lines = [
        row.order or f"{row.unit} "
        for p in powers
        for row in p["sheet"].rows
        if row.order or row.unit
    ]
    start = f"mailto:{quote(address, '@')}?subject={quote('Re: ' + subject)}"
    whole = start + "&body=" + quote("\r\n".join([*lines, ""]))
    return whole if len(whole) <= LONGEST_LINK else start


def _line_link(address: str, line: str, answers: str = "") -> str:
    """Return a link that starts a message to the judge with one line: a reply, if the subject that
    it answers is given."""
    subject = f"subject={quote('Re: ' + answers)}&" if answers else ""
    return f"mailto:{quote(address, '@')}?{subject}body={quote(line)}"


_STYLED = re.compile(r"<(/?)(body|table|td|th|div|h[1-6]|p|a|hr|pre|span|strong|img)\b([^<>]*)>")
_CLASS = re.compile(r'class="([^"]*)"')
_STYLE = re.compile(r'style="([^"]*)"')
_AROUND = ("table", "div")


class Styles(Extension):
    """Templates of HTML are read with the styles of letters in them.

    What a class is must stand in the template, and which table or division an element is in.
    """

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Return the template as Jinja is to read it."""
        return styled(source)


def styled(html: str, around: str = "") -> str:
    """Return HTML, or a template of it, with the styles of letters in its elements; `around` are
    the classes of what it will stand in."""
    classes = [around]

    def tag(found: re.Match[str]) -> str:
        closing, name, attributes = found.groups()
        if closing:
            if name in _AROUND:
                classes.pop()
            return found[0]
        own = _CLASS.search(attributes)
        style = _style(name, own[1] if own else "", " ".join(filter(None, classes)))
        if name in _AROUND:
            classes.append(own[1] if own else "")
        if not style:
            return found[0]
        if _STYLE.search(attributes):
            return found[0].replace('style="', f'style="{style};', 1)
        return f'<{name}{attributes} style="{style}">'

    return _STYLED.sub(tag, html)


@cache
def _style(name: str, classes: str, around: str) -> str:
    """Return the style of an element of these classes within such as have the others."""
    element = f'<{name} id="it" class="{classes}">'
    if name in ("td", "th"):
        element = f"<table><tr>{element}"
    page = element if name == "body" else f'<div class="{around}">{element}'
    found = re.search(r'<[^>]*id="it"[^>]*>', _inliner().inline(page))
    style = found and _STYLE.search(found[0])
    return style[1] if style else ""


@cache
def _inliner() -> css_inline.CSSInliner:
    style = data_path("templates") / "letters" / "html" / "letter.css"
    return css_inline.CSSInliner(
        extra_css=style.read_text(encoding="utf-8"),
        minify_css=True,
        load_remote_stylesheets=False,
    )


def likes_html(person: Person | None) -> bool:
    """Return whether messages to somebody have an HTML part beside the plain one."""
    return person is None or person.options.html is not False


def pictures_in(files: Sequence[Attachment]) -> list[dict[str, object]]:
    """Return what the HTML of a message shows of its attachments."""
    return [
        {
            "cid": each.content_id,
            "name": each.name,
            "alt": each.description,
            "width": shown_width(each.width),
            "caption": each.caption,
        }
        for each in files
        if each.content_id
    ]
