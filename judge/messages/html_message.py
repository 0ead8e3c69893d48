"""Messages as HTML: the words of the plain text in a frame that every mail program can show.

`templates/letters/html/<kind>.html` lays a message out; those without one are laid out by the
shape of their plain text (`text_to_html`). Words come from the macros of the plain messages and
from the same catalogs. Everything printed is escaped: a macro of a plain message returns plain
text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from html import unescape
from typing import Any
from urllib.parse import quote

import css_inline
import jinja2

from judge import i18n
from judge.data import data_directory
from judge.messages.text_to_html import Section, prose, sections, written_html
from judge.render import templates

AUTO = "letters/html/auto.html"
"""The layout of every message that has none of its own."""

LARGEST = 100_000
"""The maximum HTML of a message, in bytes: Gmail cuts off what is longer than 102 kB."""

LONGEST_LINK = 1_800
"""The maximum length of a link that starts a reply; Windows hands on no more than 2,048
characters."""


class _Macros:
    """The macros of a plain template; each returns text without newlines at its ends."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, macro: str) -> Callable[..., str]:
        found = getattr(templates.plain_module(self._name), macro)

        def said(*arguments: object, **named: object) -> str:
            # Called from here a macro's text is a plain string; called by a template that escapes,
            # it would count as HTML.
            return str.__str__(found(*arguments, **named)).strip("\n")

        return said


_MACROS = (
    "parts",
    "late",
    "ahead",
    "fair",
    "house",
    "press",
    "lent",
    "votes",
    "absences",
    "said",
    "statements",
    "ending",
)


def plain_macros() -> dict[str, object]:
    """Return the macros of the plain messages for templates of HTML: `parts_.deadline(view)`."""
    return {f"{name}_": _Macros(f"letters/_{name}.txt") for name in _MACROS}


@cache
def _templates() -> jinja2.Environment:
    environment = templates.environment(autoescape=True)
    environment.globals.update(plain_macros(), answer_link=_answer_link)
    environment.filters.update(prose=prose, written=written_html, lines=_lines)
    return environment


@cache
def _inliner() -> css_inline.CSSInliner:
    style = data_directory("templates") / "letters" / "html" / "letter.css"
    return css_inline.CSSInliner(
        extra_css=style.read_text(encoding="utf-8"),
        # The rules for dark screens stay where they are.
        inline_style_tags=False,
        keep_style_tags=True,
        load_remote_stylesheets=False,
    )


def page(
    kind: str,
    facts: Mapping[str, Any],
    letter: templates.MessageText,
    language: str = "en",
    pictures: Sequence[Mapping[str, str]] = (),
) -> str | None:
    """Return the HTML of a message whose plain text is `letter`; None where it would be larger
    than mail programs show.

    `pictures` are shown in it: each has its content id as `cid` and what it is as `alt`. Whatever
    the plain text says stands in the HTML, too: where a layout leaves a word out, the letter is
    laid out by the shape of its plain text.
    """
    with i18n.speaking(language), templates.flowing():
        known = (
            {"game": None, "phase": None}
            | dict(facts)
            | {
                "view": facts,
                "letter": letter,
                "preheader": _first_words(letter.text),
                "language": language,
                "pictures": pictures,
                "sections": _Sections(kind, facts),
            }
        )
        for name in (f"letters/html/{kind}.html", AUTO):
            if name not in _names():
                continue
            found = _templates().get_template(name).render(known)
            if name == AUTO or says_all(found, letter.text):
                found = _inliner().inline(found)
                if len(found.encode()) <= LARGEST:
                    return found
    return None


class _Sections:
    """The sections of a plain message, made when a layout asks for them."""

    def __init__(self, kind: str, facts: Mapping[str, Any]) -> None:
        self._kind, self._facts = kind, facts

    def __iter__(self) -> Iterator[Section]:
        return iter(sections(templates.body(self._kind, self._facts)))


@cache
def _names() -> frozenset[str]:
    return frozenset(_templates().list_templates())


_TAG = re.compile(r"<[^>]*>")
_WORD = re.compile(r"[^\W_]+")


def says_all(page: str, text: str) -> bool:
    """Whether the HTML has every word of the plain text."""
    return set(_WORD.findall(text)) <= set(_WORD.findall(unescape(_TAG.sub(" ", page))))


def _first_words(text: str) -> str:
    """Return what mail programs show beside the subject, before a message is opened."""
    return " ".join(text.split())[:140]


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
    start = f"mailto:{quote(address, safe='@')}?subject={quote('Re: ' + subject)}"
    whole = start + "&body=" + quote("\r\n".join([*lines, ""]))
    return whole if len(whole) <= LONGEST_LINK else start
