"""Templates and facts in, words out: `letters/` are messages, `answers/` what commands say, `help/`
the HELP pages. Decides nothing.

The template of a message begins with a line `Subject: ...` and a blank one. Text is folded so that
it reads well on a phone and in a terminal; templates need not count columns.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from gettext import NullTranslations
from types import BuiltinFunctionType, FunctionType, SimpleNamespace
from typing import Any, Final
from zoneinfo import ZoneInfo

import jinja2
from babel.dates import format_datetime
from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.ext import InternationalizationExtension
from jinja2.runtime import Context, Macro
from jinja2.sandbox import SandboxedEnvironment
from jinja2.utils import missing
from markupsafe import Markup, escape
from msgspec import Struct, field

from judge import i18n
from judge.data import data_path
from judge.i18n import Message, Phrase, say
from judge.schedule.deadlines import Pace, clock_in_words
from judge.sentences.terms import listed, named, phase_words, turn_words

WIDTH = 72
"""Columns of a message: with some quote marks it still fits 80 (RFC 3676 section 4.2)."""

_PREVIEW = 150
"""Characters of a letter that a list of messages shows at most."""


class MessageText(Struct, frozen=True):
    """The subject and text of a message; lines fit `WIDTH` where words allow.

    `sender` is the name it comes from, which tells it from others of its thread; "" where that is
    the judge's. `headline` is what the template's subject says of it beside its game. `body` is
    what the template says, not folded; `kept` is what of it the template keeps for the HTML by a
    name, `keep("head", ...)`, and what the HTML may say in other words, `keep("words", ...)`.
    """

    subject: str
    text: str
    sender: str = ""
    headline: str = ""
    body: str = ""
    kept: Mapping[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """What tells it from others of its thread."""
        first = self.headline or " ".join(self.text.partition("\n\n")[0].split())
        return f"{self.subject} - {first[:100]}"

    @property
    def preview(self) -> str:
        """The first words, which lists of messages show beside the subject."""
        words = " ".join((self.kept.get("preview") or self.body).split())
        return words.removeprefix("[+] ").removeprefix("[!] ")[:_PREVIEW]


class Sentences(InternationalizationExtension):
    """Leaves text inside `trans` on its line, as if there were no `trans`.

    `trim_blocks` and `lstrip_blocks` are for blocks that say nothing.
    """

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Return the template as Jinja is to read it."""
        return _TRANS.sub(r"{%+ \1", source).replace("{% endtrans %}", "{% endtrans +%}")


_TRANS = re.compile(r"\{% (trans\b)")


def _printing(name: str) -> Callable[..., str]:
    """Return a function of the catalogs for templates, which prints facts into what it finds."""

    def said(*message: object, **facts: object) -> str:
        text: str = getattr(_catalog(), name)(*message)
        printed: Mapping[str, object] = {key: _printed(fact) for key, fact in facts.items()}
        # What is HTML already stays so, and makes HTML of all.
        made = any(isinstance(each, Markup) for each in printed.values())
        if made and isinstance(text, Phrase):
            printed = text.joining(printed)
        return (Markup.escape(text) if made else text) % printed

    return said


def _catalog() -> NullTranslations:
    return i18n.catalog(i18n.language())


def _printed(fact: object) -> object:
    # In English everything is called what it is; most messages are English.
    return fact if i18n.language() == i18n.DEFAULT_LANGUAGE else named(fact)


def _as_text(fact: object) -> str:
    return str(_printed(fact))


def escaped(fact: object) -> str:
    """Return how a template of HTML prints this."""
    return escape(_printed(fact))


def _alike(macro: Callable[..., str], shown: Any, *more: bool) -> str:
    """Return what a macro says of a report, a line of it, or all powers (`with_words`, `Standings`
    in `judge.game.state.boards`), which it says once to all who read it in one language and
    form."""
    said: dict[object, str] = shown["said"] if isinstance(shown, dict) else shown.said
    form = (macro, i18n.language(), _folding.get(), *more)
    if form not in said:
        said[form] = macro(shown, *more)
    return said[form]


def _places(places: Iterable[Any]) -> str:
    """Return places by their codes and names."""
    return ", ".join(f"{_as_text(each.id)} {_as_text(each.name)}" for each in places)


def _having(rows: Iterable[Mapping[str, Any]], name: str, *values: object) -> list[Any]:
    """Return those of which a fact has one of these values, or any that counts as true."""
    return [each for each in rows if (each[name] in values if values else each[name])]


def _owing(mine: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return those of a reader's powers that have anything to decide."""
    return [each for each in mine if each["sheet"].owes]


class Facts(Mapping[str, Any]):
    """Facts for a template, some of which are found when it first asks for them: most letters say
    few of all there are of a game."""

    def __init__(self, known: dict[str, Any], **later: Callable[[], object]) -> None:
        """`later` finds the facts that are not `known` yet."""
        self.known, self._later = known, later

    def __getitem__(self, name: str) -> Any:
        if name not in self.known:
            self.known[name] = self._later[name]()
        return self.known[name]

    def __iter__(self) -> Iterator[str]:
        return iter({**self._later, **self.known})

    def __len__(self) -> int:
        return len({**self._later, **self.known})

    def __or__(self, more: Mapping[str, Any]) -> Facts:
        return Facts({**self.known, **more}, **self._later)


_OF_DICTS = frozenset(dir(dict))


class _Printing(CodeGenerator):
    """Lets one function print a fact, where there would be two for each."""

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        self.write("environment.printed(")

    def _output_child_post(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        self.write(")")


class _Sandbox(SandboxedEnvironment):
    """What finds nothing of Python. It asks once for each attribute of each type, and takes short
    ways to facts and macros, which are nearly all that templates ask for."""

    code_generator_class = _Printing

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.printed = escaped if options["autoescape"] else _as_text
        self._safe: set[tuple[type, str]] = set()

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Return whether a template may read an attribute of a value."""
        if safe := super().is_safe_attribute(obj, attr, value):
            self._safe.add((type(obj), attr))
        return safe

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return an attribute, or else an item, of a value."""
        kind = type(obj)
        if kind is Facts and attribute in obj.known:
            return obj.known[attribute]
        if kind is dict and attribute in obj and attribute not in _OF_DICTS:
            return obj[attribute]
        # How a text is formatted is asked anew each time.
        if (kind, attribute) in self._safe:
            found = getattr(obj, attribute, missing)
            if found is not missing:
                return found
        return super().getattr(obj, attribute)

    def call(
        self, context: Context, obj: Any, /, *args: Any,
        _block_vars: object = None, _loop_vars: object = None, **kwargs: Any,
    ) -> Any:  # fmt: skip
        """Return what a macro, a function or a method of a value returns."""
        # The variables are for those that ask for the context; of ours none does.
        kind = type(obj)
        if kind is Macro:
            return _said(obj, *args, **kwargs)
        if kind is FunctionType or kind is BuiltinFunctionType:
            return obj(*args, **kwargs)
        return super().call(context, obj, *args, **kwargs)

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return what all templates know; none has more of its own."""
        return self.globals


def _said(macro: Macro, *args: Any, **kwargs: Any) -> str:
    """Return what a macro says, which it would tell by itself with more ado."""
    lacking = macro._argument_count - len(args)
    if kwargs or lacking < 0 or macro.caller or macro.catch_kwargs or macro.catch_varargs:
        return macro(*args, **kwargs)
    said = macro._func(*args, *(missing,) * lacking)
    return Markup(said) if macro._default_autoescape else said  # noqa: S704 - escaped by it


def environment(*, autoescape: bool) -> jinja2.Environment:
    """Return Jinja with all filters and the catalogs; `autoescape` where it makes HTML."""
    # Texts of players and masters come in as facts, never as templates. Should one get further, it
    # finds nothing of Python there.
    environment = _Sandbox(
        extensions=[Sentences],
        loader=jinja2.FileSystemLoader(data_path("templates")),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        autoescape=autoescape,
        auto_reload=False,
        cache_size=-1,
        finalize=_printed,
    )
    environment.policies["ext.i18n.trimmed"] = True
    environment.newstyle_gettext = True  # type: ignore[attr-defined]
    for name in ("gettext", "ngettext", "pgettext", "npgettext"):
        environment.globals[name] = _printing(name)
    environment.globals.update(_=environment.globals["gettext"], alike=_alike)
    environment.filters.update(
        listed=listed,
        places=_places,
        phase=phase_words,
        turn=lambda phase: turn_words(str(phase)),
        soon=soon,
        when=_when,
        hour=hour,
        left=left,
        due_in=due_in,
        keyed=keyed,
        sentence=sentence,
        called=called,
        capfirst=capfirst,
        loud=loud,
        named=named,
        clip=clip,
        pace=pace,
        on_the_web=on_the_web,
        plural=plural,
        having=_having,
        owing=_owing,
        powers=lambda mine: [each["power"] for each in mine],
        votes=lambda mine: [each["vote"] for each in mine if each["vote"]],
        lacking=lambda mine: [each for each in _owing(mine) if not each["sheet"].complete],
        hours=hours_in_words,
        halved=halved,
        indented=indented,
        answer=lambda said: answer(said.code, said.facts),
        tame=lambda name, instead: name if is_tame(name) else instead,
    )
    return environment


@cache
def templates() -> jinja2.Environment:
    """Return the environment of plain text, which goes out as it is: no browser reads it."""
    return environment(autoescape=False)


@cache
def macros(name: str) -> SimpleNamespace:
    """Return the macros of a plain template, each of which returns text without newlines at its
    ends; they speak the language spoken when called."""
    module = templates().get_template(name).module
    found = {each: _plain(macro) for each, macro in vars(module).items() if callable(macro)}
    return SimpleNamespace(**found)


def _plain(macro: Macro) -> Callable[..., str]:
    def said(*arguments: object, **named: object) -> str:
        # Called from here a macro's text is a plain string; called by a template that escapes,
        # it would count as HTML.
        return str.__str__(_said(macro, *arguments, **named)).strip("\n")

    return said


_SUBJECT = re.compile(r"(JUDGE:(\S+))(?: - (.+))?")


def message(
    kind: str,
    facts: Mapping[str, object],
    language: str = i18n.DEFAULT_LANGUAGE,
    *,
    thread: str | None = None,
) -> MessageText:
    """Return the message of that kind with these facts, which it also has together as `view`.

    All messages of a thread bear one subject, which ends in `thread` ("" where the game is one
    thread): Gmail parts what differs, and others group by subject where References are lost (RFC
    5256 section 2.1, base subject). What the template's subject says of this one becomes the
    name of its sender, unless the template has a line `From:` below it. Without a thread the
    subject is that of the template.
    Raises jinja2.UndefinedError for a fact that the template needs and lacks.
    """
    kept: dict[str, str] = {}
    with i18n.speaking(language), _folded(None):
        template = templates().get_template(f"letters/{kind}.txt")
        text = template.render(facts, view=facts, keep=kept.setdefault)
        head, _, body = text.lstrip().partition("\n\n")
        web = f"\n\n{on_the_web(str(facts['web']))}" if "web" in facts else ""
    fields = dict(line.split(": ", 1) for line in head.split("\n") if ": " in line)
    subject, sender = " ".join(fields["Subject"].split()), fields.get("From", "")
    headline = subject.partition("JUDGE - ")[2]
    if thread is not None and (found := _SUBJECT.fullmatch(subject)):
        subject, game, headline = found[1], found[2], found[3] or ""
        subject += f" - {thread}" if thread else ""
        sender = sender or (f"{game}: {headline}" if headline else "")
    text, body = body + web, body.replace(_MARGIN, "").strip("\n")
    return MessageText(subject, fold(text), " ".join(sender.split()), headline, body, kept)


def flowing() -> AbstractContextManager[None]:
    """Leave every paragraph on one line inside, texts further in included."""
    return _folded(False)


@contextmanager
def _folded(at_once: bool | None) -> Iterator[None]:
    before = _folding.set(at_once)
    try:
        yield
    finally:
        _folding.reset(before)


_folding: ContextVar[bool | None] = ContextVar("folding", default=True)
"""Whether texts further in are folded at once; None: with the message that they stand in."""


def answer(code: str, facts: Mapping[str, object]) -> str:
    """Return what a command says, in the language that is spoken.

    It has no newlines at its ends; the message will fold it.
    """
    return templates().get_template(f"answers/{code}.txt").render(facts).strip("\n")


@cache
def topics() -> tuple[str, ...]:
    """Return the names of all help pages."""
    return tuple(
        name.removeprefix("help/").removesuffix(".txt")
        for name in sorted(templates().list_templates())
        if name.startswith("help/")
    )


def page(topic: str, facts: Mapping[str, object]) -> str:
    """Return a help page in the language that is spoken, without newlines at its ends."""
    return templates().get_template(f"help/{topic}.txt").render(facts).strip("\n")


_MARGIN = "\x1f"
"""Stands where the margin of a line is that is not folded yet; nothing that people write has it."""


def indented(text: str, by: int) -> str:
    """Return the text `by` columns further in, folded as it would be at the margin."""
    folding = _folding.get()
    width = WIDTH - by if folding else len(text)
    margin = " " * by + ("" if folding is not None else _MARGIN)
    return textwrap.indent(fold(text, width), margin).rstrip("\n")


_INDENT = re.compile(r"\s*(?:> )?")


def fold(text: str, width: int = WIDTH) -> str:
    """Fold lines longer than `width` at blanks, and continue them two columns further in.

    Unindented lines are paragraphs and continue at the margin. There is never more than one blank
    line in a row, and none at the ends.
    """
    out: list[str] = []
    for line in text.splitlines():
        margin, line = "", line.rstrip()
        if _MARGIN in line:
            margin, _, line = line.rpartition(_MARGIN)
            margin = margin.replace(_MARGIN, "")
        if len(margin) + len(line) > width:
            out += (margin + each for each in _wrapped(line, width - len(margin)))
        elif line or (out and out[-1]):
            out.append(margin + line)
    while out and not out[-1]:
        out.pop()
    return "\n".join(out) + "\n"


@lru_cache(1024)
def _wrapped(line: str, width: int) -> list[str]:
    """Return a line folded. Letters to several readers have the same ones."""
    match = _INDENT.match(line)
    further = match[0] + "  " if match and match[0] else ""
    # French has a blank before such marks, which begin no line.
    line = re.sub(r"(?<=\S) (?=[;:!?»](?!\S))", _MARGIN, line)
    folded = textwrap.wrap(
        line, width, subsequent_indent=further, break_long_words=False, break_on_hyphens=False
    )
    return [each.replace(_MARGIN, " ") for each in folded]


# Facts as words: units, lists, instants, lengths of time

_TAME = re.compile(r"(?:[^\W_]|[ '’-]|\.(?!\w)){1,40}")


def is_tame(name: str) -> bool:
    """Return whether a stranger's name is no more than that: no text, no link, no address."""
    return _TAME.fullmatch(name) is not None


_OTHERWISE = {
    "ended": Message("over"),
    "uninhabitable": Message("the globe is uninhabitable"),
    "impossible": Message("draw, since nobody can win any more"),
}
"""What messages call otherwise than the code does."""


def called(name: str) -> str:
    """Return a part, a group of commands, an ending, a setting of press or a state, as messages say
    it: the words `called` so in `templates/sentences.toml`."""
    return str(_OTHERWISE.get(name) or _catalog().gettext(name))


def keyed(letters: Mapping[str, str]) -> str:
    """Return powers by their letters: "A Austria, E England"."""
    return ", ".join(f"{letter} {named(power)}" for letter, power in letters.items())


def moment(instant: str | datetime) -> Markup:
    """Return an instant in UTC as an element of HTML, which scripts show in the zone of anyone who
    reads it."""
    at = datetime.fromisoformat(instant) if isinstance(instant, str) else instant
    stamp = at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Markup('<time datetime="%s">%s</time>') % (stamp, when(at, "UTC"))


def when(instant: datetime, zone: str) -> str:
    """Return an instant in the reader's zone: "Friday 5 June 2026, 20:00 (Europe/Berlin)"."""
    # NOTE: how a date and a time are written, in the signs of CLDR.
    pattern = _catalog().gettext("EEEE d MMMM y, HH:mm")
    return f"{_written(instant, zone, pattern, i18n.language())} ({zone})"


@jinja2.pass_context
def _when(context: Context, instant: datetime, zone: str) -> str:
    """Return the same for a reader whose `now` the template has: without the year where the next or
    the last such day is meant."""
    now = context.get("now")
    if now is None or abs(instant - now) > _HALF_A_YEAR:
        return when(instant, zone)
    # NOTE: how a date without its year and a time are written out, in the signs of CLDR.
    pattern = _catalog().gettext("EEEE d MMMM, HH:mm")
    return f"{_written(instant, zone, pattern, i18n.language())} ({zone})"


_HALF_A_YEAR: Final = timedelta(days=182)


def hour(instant: datetime, zone: str) -> str:
    """Return an instant in that zone, where the date is told beside it: "Fri 20:00"."""
    return _written(instant, zone, "EEE HH:mm", i18n.language())


def soon(instant: datetime, zone: str, now: datetime) -> str:
    """Return a deadline in the reader's zone: "Mon 07:50 (Paris)", dated from the sixth day on."""
    pattern = "EEE HH:mm"
    if instant - now >= timedelta(days=6):
        # NOTE: how a date without its year and a time are written, in the signs of CLDR.
        pattern = _catalog().gettext("EEE d MMM, HH:mm")
    city = zone.rpartition("/")[2].replace("_", " ")
    return f"{_written(instant, zone, pattern, i18n.language())} ({city})"


@lru_cache(1024)
def _written(instant: datetime, zone: str, pattern: str, language: str) -> str:
    """Return an instant in that zone. One message tells the same ones several times."""
    return format_datetime(instant.astimezone(ZoneInfo(zone)), pattern, locale=language)


def left(instant: datetime, now: datetime) -> str:
    """Return how long until `instant`, in its two largest units: "2 days 3 hours"; else "now"."""
    minutes = int((instant - now).total_seconds() // 60)
    return say("now") if minutes < 1 else " ".join(_lengths(minutes)[:2])


def _lengths(minutes: int) -> list[str]:
    """Return parts of a length of time that are not nought: "2 days", "3 hours", "5 minutes"."""
    days, hours = divmod(minutes // 60, 24)
    counted = ((days, "day"), (hours, "hour"), (minutes % 60, "minute"))
    return [plural(count, noun) for count, noun in counted if count]


def hours_in_words(hours: float) -> str:
    """Return a length of time: "3 days", "2 days 12 hours", "30 minutes", "no time"."""
    return " ".join(_lengths(round(hours * 60))) or say("no time")


def due_in(instant: datetime, now: datetime) -> str:
    """Return "in 5 days", "in 1 day 3 hours", or that it is past."""
    if instant - now < timedelta(minutes=1):
        return say("which is over")
    minutes = int((instant - now).total_seconds() // 60)
    units = 2 if minutes < 180 or 24 * 60 <= minutes < 72 * 60 else 1
    return say("in {time}", time=" ".join(_lengths(minutes)[:units]))


def pace(pace: Pace) -> str:
    """Return how fast a type of phase goes, in one line."""
    told = say("deadlines {time} after the last phase", time=hours_in_words(pace.next))
    if pace.clock is not None:
        told += say(", at {time}", time=clock_in_words(pace.clock))
    return told if pace.days == "SMTWTFS" else told + say(", days {days}", days=pace.days)


def on_the_web(page: str) -> str:
    """Return where a game is shown."""
    return say("This game on the web: {page}", page=page)


def plural(count: int, one: str, many: str | None = None) -> str:
    """ "1 army", "2 armies"; `many` where an s will not do. The nouns are those `counted` in
    `templates/sentences.toml`."""
    forms = f"{{count}} {one}", f"{{count}} {many or one + 's'}"
    return _catalog().ngettext(*forms, count).format(count=count)


def capfirst(text: str) -> str:
    """Return the text with a capital at its beginning, the rest as it is."""
    # What is marked for translation is another text than its value.
    text = str(text)
    return text[:1].upper() + text[1:]


def loud(text: str) -> str:
    """Return the text with its first word in capitals."""
    first, blank, rest = text.partition(" ")
    return f"{first.upper()}{blank}{rest}"


def sentence(text: str) -> str:
    """Return a clause as a sentence: a capital first, a full stop last."""
    text = capfirst(str(text).strip())
    return text if text.endswith((".", "!", "?")) else f"{text}."


def clip(text: str) -> str:
    """Return what somebody wrote, short enough to be quoted."""
    return text if len(text) <= 60 else f"{text[:60]} ..."


def halved(seal: str) -> str:
    """Return the seal of orders as two words: as one, filters take it for an account of coins."""
    return f"{seal[:16]} {seal[16:]}"
