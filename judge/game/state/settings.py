"""The settings of a game: one frozen value, the table of what is said of each, and the board as
they let it be played.

A setting is a field of `Settings`, which says its type and default, and a row of
`templates/settings.toml`, which says the words that set it, what messages call it, when it is
locked, and its help. From these follow the forms of SET and CREATE, what HELP and docs/commands.md
say, and how it is stored. `judge.commands.setting_commands` makes the commands. See
CONTRIBUTING.md.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from types import NoneType
from typing import Any, NamedTuple, get_args, get_type_hints

from msgspec import Struct, convert, to_builtins

from judge.data import data_path
from judge.i18n import say
from judge.rules.phase import Kind, Phase
from judge.rules.variant import Variant
from judge.schedule.deadlines import CLASSIC, Number, Pace
from judge.storage import Outward
from judge.variants import added_modules, tailored


class Builds(StrEnum):
    """In which centers units are built."""

    HOME = "home"
    ONE = "one"
    """In any, while holding one at home."""
    ANY = "any"


class AssignmentRule(StrEnum):
    """How powers are assigned to players."""

    LIST = "list"
    """By their preferences."""
    RANDOM = "random"
    BOTH = "both"
    """By preferences, and at random to those who have none."""


class PressRule(StrEnum):
    """The colors of press that players may send, the first where they name none."""

    WHITE = "white"
    GREY = "grey"
    WHITE_GREY = "white/grey"
    GREY_WHITE = "grey/white"
    NONE = "none"


class ObserverPress(StrEnum):
    """What observers may write: as players, signed broadcasts only, or nothing."""

    ANY = "any"
    WHITE = "white"
    NO = "no"


class Fakes(StrEnum):
    """Whether headings of press may claim other recipients."""

    NO = "no"
    PARTIAL = "partial"
    """Where the writer says so."""
    BROADCAST = "broadcast"
    """They always claim everybody."""
    DEFAULT = "default"
    """They claim everybody unless the writer says something else."""


class Experience(StrEnum):
    """How experienced people say they are, least first."""

    NOVICE = "novice"
    AMATEUR = "amateur"
    INTERMEDIATE = "intermediate"
    ADVANCED = "advanced"
    EXPERT = "expert"


NOTICE = 24
"""Hours for which a power is open to others, at least, before it falls into civil disorder."""

PACES = {Kind.MOVEMENT: "move", Kind.RETREATS: "retreat", Kind.ADJUSTMENTS: "adjust"}


class Settings(Struct, frozen=True, kw_only=True):
    """The settings of one game, kept as JSON values in the database.

    Fields without a row belong to those that have one. Raises ValueError, saying what to write,
    for settings that do not go together.
    """

    # When phases are adjudicated, and what happens without orders

    move: Pace = CLASSIC["M"]
    retreat: Pace = CLASSIC["R"]
    adjust: Pace = CLASSIC["A"]
    zone: str = "UTC"
    max_absence: int = 15
    strict_grace: bool = False
    strict_wait: bool = False
    always_wait: bool = False
    holidays: str | None = None
    reminder: Number = 8
    """Hours before the deadline at which people are reminded who chose no times of their own."""
    nmr: bool = False
    caretaker: bool | None = None
    """Whether a computer plays powers without a player; None: if there are others whom their player
    keeps waiting, and they chose no NMR."""
    quiet: bool = False
    late_count: bool = True
    rated: bool | None = None

    # The powers, the board, and how the game ends

    people: int | None = None
    lineup: str | None = None
    """The variant's lineup by which they play (`rules.variant.Lineup`), None for an even one."""
    in_play: int | None = None
    preferences: AssignmentRule = AssignmentRule.LIST
    builds: Builds | None = None
    auto_disband: bool = False
    transform: bool = False
    blank_board: bool = False
    proxy: bool = False
    turn_limit: str | None = None
    elimination_ends: bool = False
    time_limit: Number | None = None
    """Hours from the start to the end."""
    ends_at: datetime | None = None
    """The instant of the time limit, set at the start where it is a length of time."""
    centers: int | None = None
    dias: bool = True
    concessions: bool = True
    scoring: str | None = None
    concession_wins: bool | None = None

    # Who may write what to whom, and who learns what

    press: PressRule = PressRule.WHITE
    partial: bool = True
    observer_press: ObserverPress = ObserverPress.ANY
    minor_press: bool = True
    late_press: bool = True
    grace_press: bool = True
    must_order: bool = False
    touch_press: bool = False
    all_press: bool = False
    fakes: Fakes = Fakes.NO
    postal_press: bool = False
    gunboat: bool = False
    blind: bool = False
    reveal: bool = True
    secret: bool = False
    show: bool | None = None

    # Who may enter the game, what they read of it, and when it starts

    listed: bool = False
    manual_start: bool = False
    muster: bool | None = None
    """Whether players are asked before the start if they are there; None: as `State.musters`."""
    forced: bool = False
    """Whether the game starts without the players who are missing (FORCE BEGIN)."""
    manual_process: bool = False
    approval: bool = False
    allowed: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()
    dedication: Number | None = None
    ontimerat: Number | None = None
    resrat: Number | None = None
    level: Experience | None = None
    comment: Outward = Outward("")
    house_rules: Outward = Outward("")

    def __post_init__(self) -> None:
        for word, pace in (("MOVE", self.move), ("RETREAT", self.retreat), ("ADJUST", self.adjust)):
            if self.nmr and pace.grace <= NOTICE:
                hours = f"{pace.grace:g}"
                problem = say(
                    "in an NMR game everybody is told {notice} hours before a power falls into "
                    "civil disorder, so GRACE must be longer than that; {phases} GRACE is {hours}H "
                    "(SET {phases} GRACE 48H)",
                    notice=NOTICE,
                    phases=word,
                    hours=hours,
                )
                raise ValueError(problem)

    def pace(self, phase: Phase, first: bool = False) -> Pace:
        """Return the pace of `phase`; `first` for the game's first one, which has twice the
        time."""
        pace: Pace = getattr(self, PACES[phase.kind])
        return pace.first_phase(self.press is not PressRule.NONE) if first else pace

    def to_json(self) -> dict[str, object]:
        """Return the settings as JSON values; `from_json` gives back an equal value."""
        values: dict[str, object] = to_builtins(self, builtin_types=[datetime])
        values["ends_at"] = self.ends_at and self.ends_at.isoformat()
        return values

    @staticmethod
    def from_json(values: Mapping[str, Any]) -> Settings:
        """Return the settings that `to_json` wrote; what is missing there has its default."""
        return convert(values, Settings)


def _type(hint: Any) -> Any:
    """Return the type of a field's values, None aside."""
    hint = getattr(hint, "__supertype__", hint)
    return next((each for each in get_args(hint) if each is not NoneType), hint)


_TYPES = {name: _type(hint) for name, hint in get_type_hints(Settings).items()}


class Choice(NamedTuple):
    """One value of a setting: how messages word it, what HELP says it does, and the words behind
    SET that choose it."""

    shown: str
    effect: str
    words: tuple[str, ...] = ()


class Setting(Struct, frozen=True, kw_only=True):
    """One row of the table of settings.

    `called` is its name in messages. `choices` are its values that are set by words of their own;
    where there are none, `words` take a value, written like `usage` and of the kinds `arguments`,
    which `judge.commands.setting_values` reads. `effect` is one line of HELP, `help` the rest.
    `none` words the value None, which NONE gives. `locked` are the choices that cannot be set once
    the game has started, `before_start` locks all values. `in_entry`: the entry of a game in LIST
    shows it in any case, so its list of what is special leaves it out. `ends` are the lines that
    end the block of lines that it takes. `longest`: how many characters a text may have.
    """

    called: str
    default: Any = None
    choices: Mapping[Any, Choice]
    words: tuple[str, ...] = ()
    usage: str = ""
    arguments: tuple[str, ...] = ()
    effect: str = ""
    help: str = ""
    example: str = ""
    none: str = ""
    before_start: bool = False
    locked: tuple[Any, ...] = ()
    in_entry: bool = False
    ends: tuple[str, ...] = ()
    longest: int | None = None

    @property
    def all_words(self) -> tuple[str, ...]:
        """The words behind SET that set it, those of its choices included."""
        return (*self.words, *(words for each in self.choices.values() for words in each.words))


def _table() -> dict[str, Setting]:
    text = (data_path("templates") / "settings.toml").read_text(encoding="utf-8")
    said = tomllib.loads(text)
    return {name: _row(name, said.get(row.pop("like", ""), {}) | row) for name, row in said.items()}


def _row(name: str, said: Mapping[str, Any]) -> Setting:
    choices = {
        _value(name, key): Choice(each["shown"], each["effect"], tuple(each["words"]))
        for key, each in said.get("choices", {}).items()
    }
    lists = {key: tuple(said.get(key, ())) for key in ("words", "ends", "arguments")}
    locked = tuple(_value(name, key) for key in said.get("locked", ()))
    default = getattr(Settings(), name) if name in _TYPES else _IN_GAME[name]
    return Setting(**{**said, **lists, "choices": choices, "locked": locked, "default": default})


def _value(name: str, key: str) -> Any:
    """Return the value of a setting that a key stands for: one of its enum, or yes and no."""
    kind = _TYPES.get(name, bool)
    return key == "yes" if kind is bool else kind(key)


_IN_GAME = {"variant": None, "rulebook": None, "moderated": True}
"""The settings that a game keeps outside its `Settings`, with what they are in a new one."""

TABLE: Mapping[str, Setting] = _table()
"""All settings, by the names of their values, in the order in which HELP shows them."""

STORED: Mapping[str, Setting] = {name: row for name, row in TABLE.items() if name in _TYPES}
"""Those that a game keeps in its `Settings`."""


def played(name: str, settings: Settings) -> Variant:
    """Return the variant called `name` as a game with these settings plays it.

    Raises VariantError when there is no such variant.
    """
    return tailored(name, **of_board(settings))


def of_board(settings: Settings) -> dict[str, Any]:
    """Return the settings that change the board or what can happen on it, as `variants.tailored`
    takes them."""
    return {name: getattr(settings, name) for name in _OF_BOARD}


_OF_BOARD = ("lineup", "centers", "builds", "auto_disband", "transform", "blank_board")


def modules(settings: Settings) -> tuple[str, ...]:
    """Return the rule modules that settings add to those of the variant."""
    return added_modules(
        settings.builds, auto_disband=settings.auto_disband, transform=settings.transform
    )


CALLED_PACES = {"fast": "24h", "slow": "7 days"}
"""What else a pace of a new game is called."""
