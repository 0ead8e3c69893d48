"""The templates: `letters/` are messages, `answers/` what commands say, `help/` the HELP pages.

The template of a message begins with a line `Subject: ...` and a blank one. Text is folded so that
it reads well on a phone and in a terminal; templates need not count columns.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from gettext import NullTranslations
from typing import Any

import jinja2
from jinja2.ext import InternationalizationExtension
from jinja2.sandbox import SandboxedEnvironment

from judge import i18n
from judge.data import data_directory
from judge.render import words
from judge.sentences.terms import listed, named, phase_words

WIDTH = 72
"""Columns of a message: with some quote marks it still fits 80 (RFC 3676 section 4.2)."""


@dataclass(frozen=True)
class MessageText:
    """The subject and text of a message; lines fit `WIDTH` where words allow.

    `headline` is what a message of a thread says in its first line in place of the subject; ""
    where its template words the first line itself.
    """

    subject: str
    text: str
    headline: str = ""

    @property
    def title(self) -> str:
        """What tells it from others of its thread."""
        first = self.headline or " ".join(self.text.partition("\n\n")[0].split())
        return f"{self.subject} - {first[:100]}"


class Sentences(InternationalizationExtension):
    """Leaves text inside `trans` on its line, as if there were no `trans`.

    `trim_blocks` and `lstrip_blocks` are for blocks that say nothing.
    """

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Return the template as Jinja is to read it."""
        return _TRANS.sub(r"{%+ \1", source).replace("{% endtrans %}", "{% endtrans +%}")


_TRANS = re.compile(r"\{% (trans\b)")


def _gettext(message: str, /, **facts: object) -> str:
    return _filled(_catalog().gettext(message), facts)


def _ngettext(one: str, many: str, number: int, /, **facts: object) -> str:
    return _filled(_catalog().ngettext(one, many, number), facts)


def _pgettext(context: str, message: str, /, **facts: object) -> str:
    return _filled(_catalog().pgettext(context, message), facts)


def _npgettext(context: str, one: str, many: str, number: int, /, **facts: object) -> str:
    return _filled(_catalog().npgettext(context, one, many, number), facts)


def _filled(message: str, facts: Mapping[str, object]) -> str:
    return message % {name: _printed(fact) for name, fact in facts.items()}


def _catalog() -> NullTranslations:
    return i18n.catalog(i18n.language())


def _printed(fact: object) -> object:
    # In English everything is called what it is; most messages are English.
    return fact if i18n.language() == "en" else named(fact)


def _alike(macro: Callable[..., str], report: Mapping[str, Any]) -> str:
    """Return what a macro says of a report (`judge.game.state.boards.with_words`), which it says
    once to all who read it in one language and form."""
    said: dict[object, str] = report["said"]
    form = (macro, i18n.language(), _folding.get())
    if form not in said:
        said[form] = macro(report)
    return said[form]


class _Sandbox(SandboxedEnvironment):
    """What finds nothing of Python. It asks once for each attribute of each type."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._safe: set[tuple[type, str]] = set()

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Whether a template may read an attribute of a value."""
        if (type(obj), attr) in self._safe:
            return True
        if safe := super().is_safe_attribute(obj, attr, value):
            self._safe.add((type(obj), attr))
        return safe


def environment(*, autoescape: bool) -> jinja2.Environment:
    """Return Jinja with all filters and the catalogs; `autoescape` where it makes HTML."""
    # Texts of players and masters come in as facts, never as templates. Should one get further, it
    # finds nothing of Python there.
    environment = _Sandbox(
        extensions=[Sentences],
        loader=jinja2.FileSystemLoader(data_directory("templates")),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        autoescape=autoescape,
        auto_reload=False,
        finalize=_printed,
    )
    environment.policies["ext.i18n.trimmed"] = True
    environment.newstyle_gettext = True  # type: ignore[attr-defined]
    environment.globals.update(
        _=_gettext,
        gettext=_gettext,
        ngettext=_ngettext,
        pgettext=_pgettext,
        npgettext=_npgettext,
        alike=_alike,
    )
    environment.filters.update(
        listed=listed,
        phase=phase_words,
        when=words.when,
        hour=words.hour,
        left=words.left,
        due_in=words.due_in,
        ending=words.ending,
        group=words.group,
        keyed=words.keyed,
        sentence=words.sentence,
        capfirst=words.capfirst,
        loud=words.loud,
        named=named,
        press=words.press,
        role=words.role,
        standing=words.standing,
        clip=words.clip,
        pace=words.pace,
        on_the_web=words.on_the_web,
        plural=words.plural,
        hours=words.hours_in_words,
        halved=words.halved,
        indented=indented,
        answer=lambda said: answer(said.code, said.facts),
        tame=lambda name, instead: name if words.is_tame(name) else instead,
    )
    return environment


@cache
def _templates() -> jinja2.Environment:
    # Plain text goes out as it is; no browser reads it.
    return environment(autoescape=False)


@cache
def plain_module(name: str) -> jinja2.environment.TemplateModule:
    """Return the macros of a plain template; they speak the language spoken when called."""
    return _templates().get_template(name).module


_SUBJECT = re.compile(r"(JUDGE:(\S+)) - (.+)")


def message(
    kind: str, facts: Mapping[str, object], language: str = "en", *, threaded: bool = False
) -> MessageText:
    """Return the message of that kind with these facts, which it also has together as `view`.

    All messages of a thread bear the same subject: Gmail parts what differs, and others group by
    subject where References are lost (RFC 5256 section 2.1, base subject). What the template's
    subject says of this one becomes its first line, which lists of messages show beside it.
    Raises jinja2.UndefinedError for a fact that the template needs and lacks.
    """
    with i18n.speaking(language):
        head, body = _rendered(kind, facts)
        if "web" in facts:
            body += f"\n\n{words.on_the_web(str(facts['web']))}"
    subject = " ".join(head.removeprefix("Subject:").split())
    if threaded and (found := _SUBJECT.fullmatch(subject)):
        subject, game, headline = found.groups()
        return MessageText(subject, fold(f"{game}: {headline}\n\n{body}"), headline)
    return MessageText(subject, fold(body))


def body(kind: str, facts: Mapping[str, object]) -> str:
    """Return the text of a message in the language that is spoken, not folded."""
    return _rendered(kind, facts)[1].strip("\n")


@contextmanager
def flowing() -> Iterator[None]:
    """Leave every paragraph on one line inside, texts further in included."""
    before = _folding.set(False)
    try:
        yield
    finally:
        _folding.reset(before)


def _rendered(kind: str, facts: Mapping[str, object]) -> tuple[str, str]:
    text = _templates().get_template(f"letters/{kind}.txt").render(facts, view=facts)
    head, _, body = text.lstrip().partition("\n\n")
    return head, body


_folding: ContextVar[bool] = ContextVar("folding", default=True)


def answer(code: str, facts: Mapping[str, object]) -> str:
    """Return what a command says, in the language that is spoken.

    It has no newlines at its ends; the message will fold it.
    """
    return _templates().get_template(f"answers/{code}.txt").render(facts).strip("\n")


@cache
def topics() -> tuple[str, ...]:
    """Return the names of all help pages."""
    return tuple(
        name.removeprefix("help/").removesuffix(".txt")
        for name in sorted(_templates().list_templates())
        if name.startswith("help/")
    )


def page(topic: str, facts: Mapping[str, object]) -> str:
    """Return a help page in the language that is spoken, without newlines at its ends."""
    return _templates().get_template(f"help/{topic}.txt").render(facts).strip("\n")


def indented(text: str, by: int) -> str:
    """Return the text `by` columns further in, folded as it would be at the margin."""
    width = WIDTH - by if _folding.get() else len(text)
    return textwrap.indent(fold(text, width), " " * by).rstrip("\n")


_INDENT = re.compile(r"\s*(?:> )?")


def fold(text: str, width: int = WIDTH) -> str:
    """Fold lines longer than `width` at blanks, and continue them two columns further in.

    Unindented lines are paragraphs and continue at the margin. There is never more than one blank
    line in a row, and none at the ends.
    """
    out: list[str] = []
    for line in text.splitlines():
        line = line.rstrip()
        if len(line) <= width:
            if line or (out and out[-1]):
                out.append(line)
            continue
        match = _INDENT.match(line)
        indent = match[0] if match else ""
        out += textwrap.wrap(
            line,
            width,
            subsequent_indent=indent + "  " if indent else "",
            break_long_words=False,
            break_on_hyphens=False,
        )
    while out and not out[-1]:
        out.pop()
    return "\n".join(out) + "\n"
