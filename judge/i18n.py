"""The languages of letters: one is spoken at a time, and texts come in it from its catalog.

A language is a folder, `templates/locale/<code>`, with its words (`words.toml`) and, where there
are letters in it, their texts (`catalog.po`, GNU gettext). One who renders something for a reader
does so inside `speaking(their language)`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import date
from functools import cache, lru_cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import Any

from judge.data import data_path

DEFAULT_LANGUAGE = "en"
"""The language of the texts themselves, which is everybody's until they choose another."""


def _folder(language: str) -> Path:
    return data_path("templates") / "locale" / language


READ = tuple(sorted(each.name for each in _folder("").iterdir() if each.is_dir()))
"""The codes of the languages that anything is known of: `de`, `en`."""

LANGUAGES = (
    DEFAULT_LANGUAGE,
    *(each for each in READ if (_folder(each) / "catalog.po").is_file()),
)
"""The codes of the languages there are letters in, that of the texts themselves first."""

OTHERS = LANGUAGES[1:]
"""These without the language of the texts themselves."""

_spoken: ContextVar[str] = ContextVar("language", default=DEFAULT_LANGUAGE)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Word everything inside in this language, or in that of the texts where there is no such
    catalog."""
    before = _spoken.set(language if language in LANGUAGES else DEFAULT_LANGUAGE)
    try:
        yield
    finally:
        _spoken.reset(before)


language: Callable[[], str] = _spoken.get
"""Return the code of the language that is spoken at this moment."""


def _babel() -> Any:
    """Return babel, which only other languages need: to adjudicate takes 25 ms less without it."""
    import babel.messages.mofile
    import babel.messages.pofile

    return babel


@cache
def catalog(language: str) -> NullTranslations:
    """Return the messages of a language, read when they are first needed."""
    if language == DEFAULT_LANGUAGE:
        return NullTranslations()
    compiled = BytesIO()
    _babel().messages.mofile.write_mo(compiled, _messages(language))
    compiled.seek(0)
    return _Catalog(compiled, language)


class _Catalog(GNUTranslations):
    """A catalog, of which texts may join words to names."""

    def __init__(self, compiled: BytesIO, language: str) -> None:
        super().__init__(compiled)
        self._phrase = lru_cache(None)(lambda text: _phrase(text, language))

    def gettext(self, message: str) -> str:
        """Return a message, and so below."""
        return self._phrase(super().gettext(message))

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self._phrase(super().ngettext(msgid1, msgid2, n))

    def pgettext(self, context: str, message: str) -> str:
        return self._phrase(super().pgettext(context, message))

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        return self._phrase(super().npgettext(context, msgid1, msgid2, n))


_JOINS = re.compile(r"(?:\{|%\()(\w+) (\w+)[)}]")


def _phrase(text: str, language: str) -> str:
    return Phrase(text, language) if _JOINS.search(text) else text


class Phrase(str):
    """A text that has a word within the braces of a name, `{de power}` or `%(de power)s`, which is
    printed as the two go together: "de Paris", "d'Ancône", "du Tyrol" (`names.toml`)."""

    language: str
    joins: frozenset[tuple[str, str]]

    def __new__(cls, text: str, language: str) -> Phrase:
        """Return the text as one of this language."""
        found = super().__new__(cls, text)
        found.language, found.joins = language, frozenset(_JOINS.findall(text))
        return found

    def joining(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        """Return the facts, and the names among them as words join them."""
        names = {name: _as_name(facts[name]) for _, name in self.joins}
        found = {
            f"{word} {name}": joined(word, names[name], self.language) for word, name in self.joins
        }
        return {**facts, **found}

    def format(self, *args: object, **facts: object) -> str:
        """Return the text with its facts."""
        return super().format_map(self.joining(facts))

    def format_map(self, facts: Mapping[str, Any]) -> str:  # type: ignore[override]
        """Return the text with its facts."""
        return super().format_map(self.joining(facts))

    def __mod__(self, facts: Any) -> str:
        return super().__mod__(self.joining(facts))


def _as_name(fact: object) -> str:
    # What is HTML stays so.
    return fact if isinstance(fact, str) else str(fact)


@lru_cache(4096, typed=True)
def joined(word: str, names: str, language: str) -> str:
    """Return a word and the name, or the list of names, before which it stands, in a language; with
    a capital where the word has one.

    `names.toml` says which article a name has, and what becomes of word and article. The word is
    told with each name of a list if one of these has an article.
    """
    data, small = _names(language), word.lower()
    parts = data.between.split(_TAGS.sub("", names))
    if len(parts) > 1 and any(data.article(each) for each in parts[::2]):
        # Without what marks them up: names of a list are plain.
        parts[::2] = [data.before(small, each) + each for each in parts[::2]]
        said = "".join(parts)
    else:
        said = data.before(small, parts[0]) + names
    for pattern, instead in data.changes:
        said = pattern.sub(instead, said)
    return said if word == small else said[:1].upper() + said[1:]


_TAGS = re.compile(r"<[^>]*>")


@dataclass(frozen=True)
class _NameRules:
    """What `names.toml` says of a language: words by article, articles by name or first word of
    one, what begins with a vowel, what stands between the names of a list, and what changes in a
    name behind its word."""

    joined: Mapping[str, Mapping[str, str]]
    articles: Mapping[str, str]
    vowels: re.Pattern[str]
    between: re.Pattern[str]
    changes: Sequence[tuple[re.Pattern[str], str]]

    def article(self, name: str) -> str:
        """Return the article of a name, or ""."""
        first = name.partition(" ")[0]
        return self.articles.get(name) or self.articles.get(first, "")

    def before(self, word: str, name: str) -> str:
        """Return a word, with the article of the name that follows."""
        forms, vowel = self.joined[word], self.vowels.match(name)
        article = self.article(name)
        form = forms.get(f"{article} vowel") if vowel else None
        return forms[article] if form is None else form


@cache
def _names(language: str) -> _NameRules:
    data = language_data(language, "names")
    return _NameRules(
        data["joined"],
        {name: article for article, names in data["articles"].items() for name in names},
        re.compile(data["vowels"], re.IGNORECASE),
        re.compile(data["between"]),
        [(re.compile(pattern), instead) for pattern, instead in data.get("changes", ())],
    )


def _messages(language: str) -> Any:
    with (_folder(language) / "catalog.po").open("rb") as file:
        return _babel().messages.pofile.read_po(file, locale=language)


@cache
def vocabularies() -> Mapping[str, Set[str]]:
    """Return the words of all texts of letters by their language, in small letters."""
    found: dict[str, Set[str]] = {}
    for language in OTHERS:
        for code, name in ((language, "string"), (DEFAULT_LANGUAGE, "id")):
            said = (getattr(each, name) for each in _messages(language) if code not in found)
            texts = [text if isinstance(text, str) else " ".join(text) for text in said]
            words = re.findall(r"[^\W\d_]+", " ".join(texts).lower())
            found.setdefault(code, frozenset(words))
    return found


def weekday(day: date) -> str:
    """Return the name of a day of the week in the language that is spoken: `Monday`."""
    if language() == DEFAULT_LANGUAGE:
        return f"{day:%A}"
    return str(_babel().Locale.parse(language()).days["format"]["wide"][day.weekday()])


@cache
def language_data(language: str, name: str = "words") -> Mapping[str, Any]:
    """Return what a file of a language's folder has, `<name>.toml`; nothing where it is missing."""
    path = _folder(language) / f"{name}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def word_list(language: str, kind: str) -> Mapping[str, str]:
    """Return the words of a kind that players may write in a language, each with its English."""
    found: Mapping[str, str] = language_data(language).get(kind, {})
    return found


def in_all_languages(name: str, table: str | None = None) -> Iterator[Any]:
    """Yield an entry of `words.toml`, or of a table of it, from each language that has it, that of
    the texts first."""
    for language in sorted(READ, key=DEFAULT_LANGUAGE.__ne__):
        data = language_data(language)
        found = data if table is None else data.get(table, {})
        if name in found:
            yield found[name]


def own_name(language: str) -> str:
    """Return what a language is called in itself: `Deutsch`."""
    name: str = language_data(language)["name"]
    return name


def find_language(text: str) -> str | None:
    """Return the code of the language with letters that `text` names, in itself or in another one;
    None for others."""
    word = text.strip(" .").lower()
    return next((each for each in LANGUAGES if word in _calls(each)), None)


def _calls(language: str) -> list[str]:
    return [language, *language_data(language).get("called", "").split()]


@cache
def sentences(kind: str, language: str) -> Mapping[str, Any]:
    """Return the texts of one kind in `templates/sentences.toml`, by key, in a language: a text, or
    a list of those for one thing and for several."""
    said = catalog(language).gettext
    return {
        key: said(text) if isinstance(text, str) else list(map(said, text))
        for key, text in _sentences()[kind].items()
    }


@cache
def _sentences() -> dict[str, dict[str, Any]]:
    path = data_path("templates") / "sentences.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


def gettext(message: str) -> str:
    """Return the message in the language that is spoken."""
    spoken = language()
    return message if spoken == DEFAULT_LANGUAGE else catalog(spoken).gettext(message)


def ngettext(one: str, many: str, count: int) -> str:
    """Return the message in the form that `count` takes in the language that is spoken."""
    return catalog(language()).ngettext(one, many, count)


def pgettext(context: str, message: str) -> str:
    """Return a message that means different things in different places; `context` says where."""
    return catalog(language()).pgettext(context, message)


def say(message: str, **facts: object) -> str:
    """Return the message now, in the language that is spoken, with `{name}` for each fact."""
    return gettext(message).format(**facts)


def say_n(one: str, many: str, count: int, **facts: object) -> str:
    """Return the same for a message about a number, which is `{count}` in it."""
    return ngettext(one, many, count).format(count=count, **facts)


@dataclass(frozen=True, slots=True)
class Message:
    """A text of ours with its facts: `str()` has it in the language spoken at that moment."""

    text: str
    facts: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        said = gettext(self.text)
        return said.format(**self.facts) if self.facts else said


@dataclass(frozen=True, slots=True)
class Translations:
    """What was said at one moment, in every language, for letters to several readers: `str()` has
    it in the language spoken at that moment."""

    said: tuple[str, ...]

    @classmethod
    def of(cls, word: Callable[[], object]) -> Translations:
        """Keep what `word` says in each language."""
        said = []
        for each in LANGUAGES:
            with speaking(each):
                said.append(str(word()))
        return cls(tuple(said))

    def __str__(self) -> str:
        return self.said[LANGUAGES.index(language())]


def in_english(text: object) -> str:
    """Return what a text says in English, which is what is stored."""
    with speaking(DEFAULT_LANGUAGE):
        return str(text)
