"""Text of mails in HTML."""

from __future__ import annotations

import re
from functools import cache

import lxml.etree
import lxml.html
from inscriptis.css_profiles import STRICT_CSS_PROFILE
from inscriptis.html_engine import Inscriptis
from inscriptis.model.config import ParserConfig

from judge.mail.words import CUT, word_lists

_OPEN, _CLOSE = "\ue001", "\ue002"
"""Stand around the lines of a block quote until they are marked."""

# What a reader does not see, or sees crossed out.
_GONE = "//*[self::s or self::strike or self::del or @hidden or @style]"
_GONE_STYLE = re.compile(r"line-through|display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_NO_LINE = re.compile(r"border(-left)?\s*:\s*(none|0)", re.IGNORECASE)
_OURS = re.compile(f"[\0{CUT}{_OPEN}{_CLOSE}]")
_MOST_CELLS = 3_000
"""Cells of tables that are laid out beside each other, which takes long."""

_DEEPEST = 20
"""Marks before a line of a quote in a quote."""
_NOT_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_XML = re.compile(r"<\?xml[^>]{0,200}\?>", re.IGNORECASE)


@cache
def _elements(kind: str) -> str:
    """Return the path to elements of a kind, as mail programs mark them up."""
    return f"//*[{' or '.join(word_lists('pages')[kind])}]"


def html_to_text(html: str) -> str:
    """Return text of an HTML mail. The lines of quoted blocks begin with `>`; `CUT` stands where
    the rest is the mail that is answered."""
    parser = lxml.html.HTMLParser(encoding="utf-8", recover=True)
    clean = _XML.sub("", _OURS.sub("", html))
    try:
        tree = lxml.html.document_fromstring(
            clean.encode("utf-8", "replace") or b"<p></p>", parser=parser
        )
    except (lxml.etree.LxmlError, ValueError, AssertionError):
        return ""
    for element in tree.xpath(_GONE):
        gone = element.tag in ("s", "strike", "del") or "hidden" in element.attrib
        if gone or _GONE_STYLE.search(element.get("style", "")):
            _empty(element, "span")
    for mark in tree.xpath(_elements("quoted")):
        _insert(mark, 0, CUT)
    for block in tree.xpath("//blockquote"):
        # Gmail's indentation is a block quote too, told by its missing line.
        if not _NO_LINE.search(block.get("style", "")):
            _insert(block, 0, _OPEN)
            _insert(block, len(block), _CLOSE)
    for element in tree.xpath(_elements("beside")):
        _empty(element, "div")
    # Bullets and numbers would be read as part of the line.
    blocks = "//ul | //ol | //li"
    if tree.xpath("count(//td)") > _MOST_CELLS:
        blocks += " | //table | //tr | //td"
    for element in tree.xpath(blocks):
        element.tag = "div"
    config = ParserConfig(css=STRICT_CSS_PROFILE)
    return _marked(str(Inscriptis(tree, config).get_text()))


def _marked(text: str) -> str:
    """Return the text with marks before the lines of block quotes."""
    if _OPEN not in text:
        return text
    lines: list[str] = []
    depth = 0
    for line in text.split("\n"):
        depth += line.count(_OPEN)
        said = line.replace(_OPEN, "").replace(_CLOSE, "").rstrip()
        if said or _OPEN not in line:
            lines.append("> " * min(depth, _DEEPEST) + said)
        depth = max(0, depth - line.count(_CLOSE))
    return "\n".join(lines)


def _empty(element: lxml.html.HtmlElement, tag: str) -> None:
    """Take all from an element; what follows it stays, behind a `div` on a line of its own."""
    element.clear(keep_tail=True)
    element.tag = tag


def _insert(element: lxml.html.HtmlElement, place: int, text: str) -> None:
    """Put a block of text into an element."""
    mark = element.makeelement("div")
    mark.text = text
    if place == 0:
        # References such as &#1; make characters that may be read here, and not be put back.
        mark.tail, element.text = _NOT_XML.sub("", element.text or ""), None
    element.insert(place, mark)
