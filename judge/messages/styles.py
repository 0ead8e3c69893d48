"""The style sheet of letters, written into each element: many mail programs know no other way.

`templates/letters/html/letter.css` says how a letter looks. Templates are read with its styles in
them, so that no letter is gone through for them. Its rules look at an element, its classes, and
the classes of the tables and divisions around it.
"""

from __future__ import annotations

import re
from functools import cache

import css_inline
from jinja2.ext import Extension

from judge.data import data_directory

_TAG = re.compile(r"<(/?)(body|table|td|th|div|h[1-6]|p|a|hr|pre|span|strong|img)\b([^<>]*)>")
_CLASS = re.compile(r'\bclass="([^"]*)"')
_STYLE = re.compile(r'\bstyle="([^"]*)"')
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

    return _TAG.sub(tag, html)


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
    style = data_directory("templates") / "letters" / "html" / "letter.css"
    return css_inline.CSSInliner(
        extra_css=style.read_text(encoding="utf-8"),
        minify_css=True,
        load_remote_stylesheets=False,
    )
