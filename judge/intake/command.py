"""What a command is: its words, its help and what it does, in one value.

A command never words anything: it returns an `Answer`, or raises `Refused`.

What people write in their own language is read as the same in English; the words are in
`templates/locale/*/words.toml`. Another language is read from its speakers and from strangers.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from msgspec import Struct
from rapidfuzz import fuzz, process

from judge.data import data_path
from judge.game.state.answers import Answer
from judge.i18n import DEFAULT_LANGUAGE, OTHERS, Message, gettext, pgettext, speaking, word_list
from judge.intake.arguments import FREE, KINDS, Here, Named, can_name_game, covers
from judge.language.speech import is_idiom, speaks
from judge.language.vocabulary import Vocabulary, without_thanks

if TYPE_CHECKING:
    from judge.intake.context import MessageContext
    from judge.intake.gate import Turn
    from judge.intake.lines import Line
    from judge.rules.variant import Variant

Who = Literal["anybody", "people", "participants", "players", "masters", "keepers"]
"""Who may give a command: any sender; people known to the judge; anyone who has a part in the game;
its players; its masters (settings: in an unmoderated game its players); the judge's keeper."""

Frame = Literal["", "phase", "if", "else if", "else", "end if"]
Run = Callable[["MessageContext", "Line"], Answer]
"""What a command does. Raises Refused where it cannot."""

OpenEnd = Callable[[Sequence[str], "CommandTable", "Turn", bool], tuple[int, Answer | None]]
"""How many of some lines belong to a block that no line ends, and why to ask about it; the last
argument says whether they are too long to be read."""


class Command(Struct, frozen=True, kw_only=True):
    """One command: how it is written, who may give it, and what it does. `templates/commands.toml`
    has all but what it does. `summary` and `help` are printed in the reader's language; `make
    texts` takes them from the table."""

    words: tuple[str, ...]
    """The ways to write it, the first being the canonical one: in lower case with single blanks,
    though blanks are optional when read."""
    who: Who
    summary: str
    help: str
    example: str
    run: Run
    usage: str = ""
    """Its arguments, as HELP shows them."""
    arguments: tuple[str, ...] = ()
    """The kinds of its arguments (`judge.intake.arguments`); a line with more in it than these is
    not this command where there are none."""
    own: Callable[[str, Variant], bool] | None = None
    """Whether a text is an argument that only this command takes, where it has such a one."""
    ends: tuple[str, ...] = ()
    """The lines that end its block (compared by `end_mark`), if it takes the lines after it."""
    empty: str = ""
    """The refusal where neither its line nor its block says anything, if that is one."""
    takes: Callable[[str], bool] | None = None
    """Which lines belong to its block; None: all."""
    open_end: OpenEnd | None = None
    """Where its block ends if no line ends it; None: where the mail does."""
    asks: bool = False
    """Whether it changes nothing and its answer stands for itself."""
    setting: str = ""
    """The setting that it changes, in the table of settings; CREATE takes these as options."""
    harmless: bool = False
    """Whether it needs no proof of who writes, though it does something."""
    names_game: bool = False
    """Whether it may name the game that it is for, whichever the lines around it are for."""
    confirm: bool = False
    """Whether it cannot be undone, so that it asks for a YES (`Sender.confirm`)."""
    of_phase: bool = False
    """Whether a YES to its question is for the open phase only; those of masters all are."""
    group: str = "games"
    """Where HELP lists it."""
    wrong: Callable[[Variant, str], Answer | None] | None = None
    """What is wrong with arguments, as far as that can be told from them alone."""
    default: str = ""
    """What holds or is meant where nothing is said."""
    is_default: bool = False
    """Whether it sets what a new game has."""
    own_game: bool = False
    """Whether who practices (`State.practice`) may give it, too, though it is for masters."""
    as_self: bool = False
    """Whether game masters give it as themselves while they act in somebody's place."""
    personal: bool = False
    """Whether it is about the sender, so that nobody can give it in another's place."""
    of_keeper: bool = False
    """Whether the keeper may give it for any game, though it is for participants."""
    enters: bool = False
    """Whether the lines after it are for the game, or the seat, that it names."""
    stops: bool = False
    """Whether nothing after it is read."""
    frames: Frame = ""
    """What it says of the lines after it: a phase, or a condition they stand under."""
    may_hang: bool = False
    """Whether it may stand under IF, though it does something."""
    takes_none: bool = False
    """Whether NONE takes back what it sets, so that SET NO may stand before what it is about."""
    of_game: str = ""
    """The words of the setting of one game that mean this one from those who cannot set it."""

    @property
    def bare(self) -> bool:
        """Whether it takes no arguments."""
        return not self.arguments

    def fits(self, arguments: str, variant: Variant, is_game: Named = can_name_game) -> bool:
        """Return whether arguments are wholly what it takes, as far as they, the board, and the
        names of games tell."""
        if self.takes_none and arguments.strip(" .!").upper() == "NONE":
            return True
        if self.wrong is not None and arguments:
            return self.wrong(variant, arguments) is None
        return covers(self.arguments, arguments, Here(variant, is_game, self.own))

    def is_meant(self, arguments: str, text: str, variant: Variant) -> bool:
        """Return whether a line that begins with its words is no sentence to a human being. In
        capitals it is meant. Else what follows must be wholly what it takes, or, misspelled, have
        no word of sentences behind its own name; a text begins on the next line."""
        first, bare = text.split()[0], arguments.strip(" .,;!?")
        if len(first) > 1 and first.isupper():
            return True
        asks = self.asks or self.harmless or bool(self.ends)
        if text.rstrip().endswith("?") and not (asks and bare):
            # Whether to, that is to be asked.
            return asks
        if is_idiom(text):
            return False
        if not bare:
            return True
        named = text.lower().startswith(self.words[0])
        if "text" in self.kinds and self.ends:
            return (named and " " in self.words[0]) or text.rstrip().endswith(":")
        units = Vocabulary.of(variant.board).kinds

        def may_be_game(word: str) -> bool:
            return can_name_game(word) and not speaks(word) and word not in units

        if self.fits(arguments, variant, may_be_game):
            return True
        # It may be misspelled; a word that is no address is none.
        word = " " not in bare or _MARK.search(bare) is not None
        return named and word and not self.kinds <= {"address"} and not speaks(bare)

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of its arguments, in whatever order."""
        return frozenset(kind for each in self.arguments for kind in each.strip("?/").split("|"))

    @property
    def marks(self) -> bool:
        """Whether its writer says what the lines after it are."""
        return bool(self.ends or self.enters or self.frames)

    def refuses(self, line: Line) -> bool:
        """Return whether it lacks the text that it is for."""
        return bool(self.empty) and not any(map(str.strip, (line.arguments, *line.block)))

    @property
    def name(self) -> str:
        """The canonical words in capitals, as letters print them."""
        return self.words[0].upper()

    @property
    def effect(self) -> str:
        """The summary in the reader's language; it says so where it is how a new game stands."""
        summary = gettext(self.summary)
        if not self.is_default:
            return summary
        return gettext("{effect} (the default)").format(effect=summary)

    @property
    def explanation(self) -> str:
        """The help in the reader's language."""
        asks = gettext("It happens once you have replied YES to my question.")
        return f"{gettext(self.help)} {asks}" if self.confirm else gettext(self.help)

    @property
    def form(self) -> str:
        """How to write it, arguments included, in the reader's language."""
        usage = pgettext("usage", self.usage) if self.usage else ""
        return f"{self.name} {usage}".rstrip()


@cache
def rows() -> dict[str, dict[str, Any]]:
    """Return what `templates/commands.toml` says of each command, by its canonical words, in the
    order in which HELP lists them."""
    text = (data_path("templates") / "commands.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def described(words: str, run: Run, **functions: Any) -> Command:
    """Return a command that does what `run` says, as its row describes it; `functions` are further
    ones that it needs. Raises KeyError for a command without a row, TypeError for an unknown key
    in it."""
    row = rows()[words]
    said = {key: value for key, value in row.items() if key not in ("also", "args", "states")}
    said |= {key: tuple(row.get(key, ())) for key in ("arguments", "ends")}
    said["words"] = (words, *row.get("also", ()))
    return Command(**said | functions | {"run": run})


def summary(words: str) -> Message:
    """Return what a command is for, by its canonical words."""
    found: str = rows()[words]["summary"]
    return Message(found)


def example(words: str) -> str:
    """Return how a command may be written, by its canonical words."""
    found: str = rows()[words]["example"]
    return found


_OF_GAME = re.compile(
    r"\A\W*(?:(?:from|in|at)\b\s*)?(?:(?:the|this|my)\b\s*)?(?:game\b\s*)?", re.IGNORECASE
)
"""What may stand before the name of a game, or in its place."""

_MARK = re.compile(r"[\d@]")
"""What an argument may have, and no word."""


_DENIED = re.compile(r"\s*set\s+no\s+(.+?)[\s.!,;]*", re.IGNORECASE)
"""SET NO, and what is not to be set any more."""

_REMARK = re.compile(r"\s*\([^()]*\)[\s.!]*\Z")
"""What somebody adds to a command that takes nothing."""


def arguments_of(command: Command, arguments: str) -> str:
    """Return the arguments without thanks behind them, unless the command takes any words."""
    kinds = command.kinds & KINDS.keys()
    if len(command.arguments) == 1 and all(KINDS[each].is_value for each in kinds):
        arguments = re.sub(r"\Ato\s+", "", arguments, flags=re.IGNORECASE)
    return arguments if kinds & FREE else without_thanks(arguments)


class CommandTable:
    """All commands, found by their words. Refuses two commands that share one."""

    def __init__(self, commands: Sequence[Command]) -> None:
        """Raises ValueError, naming them, when two commands have the same words."""
        self.commands = tuple(commands)
        self._owner: dict[str, Command] = {}
        for command in self.commands:
            for words in command.words:
                key = words.replace(" ", "")
                if key in self._owner:
                    raise ValueError(f"two commands are called {words!r}")
                self._owner[key] = command
        spellings = sorted(words for command in self.commands for words in command.words)
        self.names = frozenset(spellings)
        self.ends = frozenset(mark for command in self.commands for mark in command.ends)
        """What ends the block of some command, as `lines.end_mark` reads it."""
        self._beyond_game = {each.of_game: each for each in self.commands if each.of_game}
        # Blanks may be missing or too many.
        self._by_words = {
            taken: {
                words: words
                for words in spellings
                if taken in (len(words.split()), 1 if " " in words else 2)
            }
            for taken in range(1, _MOST_WORDS + 1)
        }
        self._starts = {key[: end + 1] for key in self._owner for end in range(len(key))}
        self._spelled = {words.replace(" ", ""): words.split() for words in spellings}

    def __iter__(self) -> Iterator[Command]:
        return iter(self.commands)

    def find(self, line: str) -> tuple[Command, str] | None:
        """Return the command that `line` begins with, and the arguments behind its words."""
        found = self._beginning(line)
        if found is None:
            denied = self._denied(line)
            return (denied, "NONE") if denied is not None and denied.takes_none else None
        command = self._owner[found[0]]
        arguments = line[found[1] :].strip().lstrip(":").strip()
        if command.names_game:
            name = _OF_GAME.sub("", without_thanks(arguments)).strip(" .!,;")
            arguments = arguments if " " in name else name
        arguments = arguments_of(command, arguments)
        if command.bare and _REMARK.sub("", arguments).strip(" .!;,:-)("):
            return None
        return command, "" if command.bare else arguments

    def _beginning(self, line: str) -> tuple[str, int] | None:
        """Return longest words that `line` begins with, without their blanks, and where they end.
        Blanks may be missing or too many between the words of a command, not inside one."""
        found, key, gaps = None, "", set[int]()
        for place, char in enumerate(line):
            if char.isspace():
                gaps.add(len(key))
                continue
            key += char.lower()
            if key not in self._starts:
                break
            after = line[place + 1 : place + 2]
            if key in self._owner and not after.isalnum():
                ends = set(accumulate(map(len, self._spelled[key])))
                if gaps <= ends:
                    found = key, place + 1
        return found

    def _denied(self, line: str) -> Command | None:
        """Return command that sets what `line` says SET NO of, where no command is called that."""
        said = _DENIED.fullmatch(without_thanks(line[:_LONGEST_SPELLING]))
        if said is None or self.find_words(f"set no {said[1]}") is not None:
            return None
        return self.find_words(f"set {said[1]}")

    def find_words(self, words: str) -> Command | None:
        """Return the command called exactly `words`, blanks and case aside."""
        return self._owner.get("".join(words.lower().split()))

    def beyond_game(self, command: Command) -> Command | None:
        """Return what does for all games, or for its writer, what `command` does for one game."""
        return self._beyond_game.get(command.words[0])

    def mend(self, line: str) -> tuple[Command, str] | None:
        """Return command that `line` may begin with a misspelling of, and the line with it mended.
        None if no command is near, or the line is too long to be one."""
        if (denied := self._denied(line)) is not None:
            return denied, denied.example
        near = self._near(line)
        if near is None or len(line.split()) > len(near[0].split()) + 3:
            return None
        command = self._owner[near[0].replace(" ", "")]
        rest = "" if command.bare else " ".join(line.split()[near[1] :])
        return command, f"{near[0].upper()} {rest}".rstrip()

    def _near(self, line: str) -> tuple[str, int] | None:
        """Return words that `line` may begin with a misspelling of, and how many of its words."""
        words = line.lower().split(None, _MOST_WORDS)[:_MOST_WORDS]
        best: tuple[float, str, int] | None = None
        for taken in range(1, len(words) + 1):
            written = " ".join(words[:taken]).strip(".,;:!?")[:_LONGEST_SPELLING]
            if len(written) < _SHORTEST_SPELLING:
                continue
            spellings = self._by_words[taken]
            found = process.extract(
                written, spellings, scorer=fuzz.ratio, score_cutoff=79, limit=None
            )
            if not found and len(written) > _SHORTEST_SPELLING:
                # Two letters in the wrong order weigh much in a short word.
                swapped = (
                    f"{written[:at]}{written[at + 1]}{written[at]}{written[at + 2 :]}"
                    for at in range(len(written) - 1)
                )
                found = [(each, 80, each) for each in swapped if each in spellings]
            for spelling, score, _ in found:
                # Of equals, the spelling that explains more of the line.
                if best is None or (score, len(spelling)) > (best[0], len(best[1])):
                    best = (score, spelling, taken)
        return best[1:] if best else None


_MOST_WORDS = 4
"""Words that a command may have."""

_SHORTEST_SPELLING = 3
"""Letters of a word that is not merely short (`an alle`)."""

_LONGEST_SPELLING = 60
_heard: ContextVar[tuple[str, ...]] = ContextVar("heard", default=())

_MOST_BEHIND = 8
"""Words behind a command in another language; a longer line is talk."""

_MOST_ELSEWHERE = 4
"""The same in a language that is not the writer's."""

_MOST_IN_CONDITION = 40
"""The same behind a word for IF."""

_OPENS = re.compile(r"(?:if|else\s*if|phase)\b\s*", re.IGNORECASE)

_BEHIND = {
    kind: re.compile(rf"(?:{commands})\b\s*", re.IGNORECASE)
    for kind, commands in {
        "pace": r"set\s+(?:move|retreat|adjust|pace|days|next|min|delay|clock|grace)",
        "conditions": r"if|else\s*if",
        "phases": r"phase|process|roll\s*back|restore|clear|map|history|set\s+end\s+after",
        "words": r"cancel|same\s+(?:as|orders|moves)(?:\s+(?:last\s+time|before))?",
        "names": r"press|become|take over|sign on|dummy|revive|eject|set approved|set not approved",
    }.items()
}
"""English commands behind which words of another language may stand, by the kind of words."""


class _Dictionary(NamedTuple):
    """Words of a language, as they are found in a text and as they are in English."""

    pattern: re.Pattern[str]
    english: Mapping[str, str]

    def translate(self, text: str) -> str:
        """Return the text with each of these words in English."""
        return self.pattern.sub(lambda found: self.english[_key(found[1])], text)


class _CommandWords(NamedTuple):
    commands: _Dictionary
    ends: Mapping[str, str]
    behind: Mapping[str, _Dictionary]


@contextmanager
def hearing(language: str, *more: str) -> Iterator[None]:
    """Inside, commands are read in `language`, which letters are worded in, and in `more`."""
    before = _heard.set(
        tuple(dict.fromkeys(each for each in (language, *more) if each != DEFAULT_LANGUAGE))
    )
    try:
        with speaking(language):
            yield
    finally:
        _heard.reset(before)


@cache
def _words(language: str) -> _CommandWords:
    commands, powers = (word_list(language, each) for each in ("commands", "powers"))
    return _CommandWords(
        _Dictionary(_pattern(commands), {_key(local): said for local, said in commands.items()}),
        word_list(language, "ends"),
        {kind: _dictionary(word_list(language, kind)) for kind in _BEHIND}
        | {"names": _dictionary({**powers, **word_list(language, "words")})},
    )


def _dictionary(words: Mapping[str, str]) -> _Dictionary:
    """These words, also as they are written where a keyboard lacks their letters."""
    spelled = {_key(each): english for word, english in words.items() for each in _spellings(word)}
    return _Dictionary(_pattern(spelled), spelled)


def _spellings(word: str) -> Iterator[str]:
    """Yield a word without its accents (`Boheme`, `Munchen`), with two letters for an umlaut
    (`Muenchen`), without an elided article (`mer Irlande`), and as it is."""
    whole = word.lower()
    for text in (_ELIDED.sub("", whole), whole):
        plain = unicodedata.normalize("NFD", text)
        if len(text) > _SHORT:
            yield "".join(sign for sign in plain if not unicodedata.combining(sign))
        yield text.translate(_UMLAUTS)
        yield text.replace("ß", "ss")
        yield text


_SHORT = 3
"""Letters of a word that could be another one without its accents."""

_ELIDED = re.compile(r"\b[dl]['’]", re.IGNORECASE)
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


def _pattern(words: Mapping[str, str]) -> re.Pattern[str]:
    spelled = sorted(words, key=len, reverse=True)
    either = "|".join(r"\s+".join(map(re.escape, each.split())) for each in spelled if each)
    return re.compile(rf"(?<![^\W_])({either})(?![^\W_])", re.IGNORECASE)


def _key(text: str) -> str:
    return " ".join(text.lower().split())


def command_in_english(line: str) -> str:
    """Return a line that begins with a command in a language that is heard, with its English words.
    The names of powers behind it are put into English as well, and behind English commands that
    take one. Any other line as it is."""
    for language in _heard.get():
        if (said := _in_english(line, language)) is not None:
            return said
        if found := next(filter(None, (each.match(line) for each in _BEHIND.values())), None):
            return found[0] + _behind(found[0], line[found.end() :], _words(language))
    elsewhere = said_elsewhere(line)
    # Anyone who wants another language says so in it.
    if elsewhere is not None and elsewhere.sets_language:
        return elsewhere.english
    return line


class Elsewhere(NamedTuple):
    """A line in a language that is not heard, and what it is in English."""

    language: str
    english: str

    @property
    def sets_language(self) -> bool:
        """Whether it asks for a language."""
        return self.english.lower().startswith("set language")


def said_elsewhere(line: str) -> Elsewhere | None:
    """Return what a line is that begins with a command in a language that is not heard; None for
    others. A word that opens a condition is none here: it opens sentences as well."""
    return _said_in([each for each in OTHERS if each not in _heard.get()], line, _MOST_ELSEWHERE)


def _said_in(languages: Sequence[str], line: str, most: int) -> Elsewhere | None:
    line = line.strip()
    for language in languages:
        said = _in_english(line, language, most)
        if said is not None and not _OPENS.match(said) and said.lower() != line.lower():
            return Elsewhere(language, said)
    return None


def _behind(command: str, text: str, words: _CommandWords) -> str:
    """Return what stands behind an English command, in English as far as it takes such words."""
    kind = next((kind for kind, each in _BEHIND.items() if each.match(command)), "names")
    return words.behind[kind].translate(_ELIDED.sub("", text) if kind == "conditions" else text)


# A mail is looked through for its language, twice, and then for its commands.
@lru_cache(256)
def _in_english(line: str, language: str, most: int = _MOST_BEHIND) -> str | None:
    words = _words(language)
    found = words.commands.pattern.match(line)
    # A field such as Stand-in is no STAND.
    if found is None or line.startswith("-", found.end()):
        return None
    rest = line[found.end() :]
    english = words.commands.english[_key(found[1])]
    opens = _OPENS.match(english) is not None
    if len(rest.split()) > (_MOST_IN_CONDITION if opens else most):
        return None
    # A word that opens a sentence as well is a command in capitals only.
    command = english.upper() if found[1].isupper() or not opens else english
    return command + _behind(english, rest, words)


def end_in_english(mark: str) -> str:
    """Return a mark that ends a block, as `judge.intake.blocks.end_mark` reads it, in English."""
    for language in _heard.get():
        mark = _words(language).ends.get(mark, mark)
    return mark


def spoken_in(text: str) -> str | None:
    """Return the language, other than English, in whose words a line of `text` is a command."""
    found = (_said_in(OTHERS, line, 2) for line in text.splitlines()[:50])
    return next((each.language for each in found if each is not None), None)


@cache
def of_people(table: CommandTable) -> CommandTable:
    """Return the commands that are not the keeper's alone."""
    return CommandTable([command for command in table if command.who != "keepers"])
