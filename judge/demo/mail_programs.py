"""The judge's messages as mail programs show and quote them, and what a player reads in them by
eye: what they are about, in any language."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.utils import parseaddr, parsedate_to_datetime
from functools import cache
from typing import Any

from judge import i18n
from judge.mail.html_text import html_to_text
from judge.rules.phase import Phase
from judge.sentences.terms import phase_words

_BODY = re.compile(r"<body[^>]*>(.*)</body>", re.DOTALL)


def _broken(text: str) -> str:
    """Return the lines of a letter as HTML, blanks at their beginning kept."""
    return "<br>\n".join(
        "&nbsp;" * (len(line) - len(line.lstrip())) + html.escape(line.lstrip())
        for line in text.split("\n")
    )


@dataclass(frozen=True)
class Received:
    """A message as its reader sees it."""

    message: EmailMessage

    @property
    def subject(self) -> str:
        """The subject, unfolded."""
        return " ".join(str(self.message["Subject"] or "").split())

    @property
    def text(self) -> str:
        """The plain text."""
        part = self.message.get_body(preferencelist=("plain",))
        return "" if part is None else str(part.get_content())

    @property
    def first(self) -> str:
        """The first paragraph on one line, which lists of messages show beside the subject."""
        return " ".join(self.text.partition("\n\n")[0].split())

    @property
    def page(self) -> str:
        """The HTML, "" if there is none."""
        part = self.message.get_body(preferencelist=("html",))
        return "" if part is None else str(part.get_content())

    def records(self) -> list[Mapping[str, Any]]:
        """Return the attached records of phases."""
        return [each for each in self._objects() if "results" in each]

    @property
    def opened(self) -> Mapping[str, Any] | None:
        """The attached object of the open phase, as `judge bot` takes it."""
        return next((each for each in self._objects() if "legal" in each), None)

    def _objects(self) -> list[Mapping[str, Any]]:
        found = [
            json.loads(part.get_content())
            for part in self.message.iter_attachments()
            if isinstance(part, EmailMessage) and part.get_content_type() == "application/json"
        ]
        # The message of the end has the records of all phases in one list.
        return [each for each in found if isinstance(each, dict)]

    @property
    def answer_to(self) -> str:
        """The address that a reply goes to."""
        return parseaddr(str(self.message["Reply-To"] or self.message["From"]))[1]

    @property
    def message_id(self) -> str:
        """Its Message-ID."""
        return str(self.message["Message-ID"])

    @property
    def references(self) -> str:
        """The Message-IDs of the thread before it."""
        return str(self.message["References"] or "")

    @property
    def author(self) -> tuple[str, str]:
        """The name and the address it comes from."""
        return parseaddr(str(self.message["From"]))

    @property
    def date(self) -> datetime:
        """When it was written, as it says."""
        return parsedate_to_datetime(str(self.message["Date"]))

    @property
    def shown(self) -> str:
        """Its text, as programs that show HTML quote it in plain text."""
        return html_to_text(self.page) if self.page else self.text

    @property
    def body(self) -> str:
        """Its HTML as it is put into an answer: what stands in its body."""
        found = _BODY.search(self.page)
        return found[1] if found else _broken(self.text)

    @property
    def replies_to(self) -> str:
        """The Message-ID of what it answers."""
        return str(self.message["In-Reply-To"]).strip()

    @property
    def is_reply(self) -> bool:
        """Whether it answers a message of the reader's (RFC 3834)."""
        return str(self.message["Auto-Submitted"]).startswith("auto-replied")


_LATE = "%(powers)s, your orders are late", "orders are late"
_RESULTS = "ALL ORDERS OF %(phase)s"
_REFUSED = "LINES I COULD NOT USE"


def _said(message: str) -> Iterator[str]:
    """Yield a text in each language that letters are in."""
    for language in i18n.LANGUAGES:
        with i18n.speaking(language):
            yield i18n.gettext(message)


def kind_of(letter: Received) -> str | None:
    """Return what a message is to programs (docs/formats.md); `late` if it reminds of that."""
    found = re.search(r"\bkind=(\w+)", str(letter.message["X-Judge"] or ""))
    if found and found[1] == "reminder" and _lates().search(letter.author[0]):
        return "late"
    return found and found[1]


@cache
def _lates() -> re.Pattern[str]:
    """Return what the sender of a message about late orders is called, in any language."""
    return re.compile("|".join(_pattern(said) for each in _LATE for said in _said(each)))


def _pattern(message: str) -> str:
    """Return a pattern for a text with placeholders."""
    text = re.escape(message).replace(r"\ ", r"\s+")
    return re.sub(r"%\\\(\w+\\\)s", r"(?s:.+?)", text)


def results_in(text: str, phase: Phase) -> int:
    """Return how often a message has the results of a phase."""
    flat = " ".join(text.split())
    found = 0
    for language in i18n.LANGUAGES:
        with i18n.speaking(language):
            heading = i18n.gettext(_RESULTS) % {"phase": phase_words(phase).upper()}
        found += flat.count(heading)
    return found


def refuses(text: str) -> bool:
    """Return whether a reply says that something could not be used."""
    return any(said in text for said in _said(_REFUSED))
