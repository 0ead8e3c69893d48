"""SET VARIANT: the board, and what is special about the game."""

from __future__ import annotations

from judge import variants
from judge.game.setting import Wanted, setting
from judge.game.state import State
from judge.i18n import say
from judge.intake.command import Command
from judge.rules.rulebook import Rulebook
from judge.storage import Role

OPTIONS = ("gunboat", "blind", "no press")
"""What can follow a variant's name."""


def split(text: str) -> list[str] | None:
    """The variants and options that a text consists of; None where it holds anything else."""
    words = text.lower().replace(",", " ").replace("-", "_").strip(" .").split()
    found = []
    while words:
        word = words.pop(0)
        if word == "no" and words[:1] == ["press"]:
            word = f"no {words.pop(0)}"
        elif word in ("no_press", "nopress"):
            word = "no press"
        if word not in OPTIONS and word not in variants.names():
            return None
        found.append(word)
    return found


def _read(text: str) -> list[str]:
    found = split(text)
    if not found:
        known = ", ".join((*variants.names(), *OPTIONS))
        raise ValueError(say("{text!r} is no variant; there are {known}", text=text, known=known))
    return found


def _change(wanted: Wanted) -> None:
    for word in _read(wanted.arguments):
        if word in OPTIONS:
            _set(wanted.state, word, True)
        else:
            _board(wanted.state, word)
    forget_zone(wanted)


def _take_back(wanted: Wanted) -> None:
    for word in _read(wanted.arguments):
        if word not in OPTIONS:
            raise ValueError(
                say("{word} is a board; SET VARIANT and another one takes its place", word=word)
            )
        _set(wanted.state, word, False)


def forget_zone(wanted: Wanted) -> None:
    """Let a gunboat game not have the time zone of who made it: he may play in it."""
    state, context = wanted.state, wanted.context
    if state.settings.gunboat and state.settings.zone == context.zone:
        state.set(zone=context.profile.zone)


def _set(state: State, option: str, on: bool) -> None:
    if option == "no press":
        state.set(press="none" if on else "white")
    else:
        state.set(**{option: on})


def _board(state: State, name: str) -> None:
    """Play on another board, by the rulebook it was made for; wishes were for the old one."""
    variant = variants.load(name)
    if name == state.variant.name:
        return
    there = len(state.active(Role.PLAYER))
    if there > len(variant.powers):
        raise ValueError(
            say(
                "{there} players have joined, and {name} has {count} powers",
                there=there,
                name=name,
                count=len(variant.powers),
            )
        )
    state.game.variant = name
    state.set(centers=None, people=None, in_play=None, lineup=None)
    state.use_rulebook(Rulebook.edition(variant.rulebook))
    for seat in state.active(Role.PLAYER):
        seat.preferences = ""
        state.seat(seat)


def _worded(state: State) -> str:
    settings = state.settings
    flags = (settings.gunboat, settings.blind, settings.press == "none")
    on = [option for option, flag in zip(OPTIONS, flags, strict=True) if flag]
    return ", ".join((state.variant.name, *on))


VARIANT = setting(
    words=("set variant",),
    name="variant",
    summary="the board, and options: gunboat, blind, no press",
    help=(
        "The name of a board, with options or without; options alone leave the board as it is. "
        "On another board the wishes of those who have joined are void, and the rulebook is the "
        "one it was made for. HELP gunboat and HELP blind explain the options."
    ),
    usage="[board] [options]",
    example="SET VARIANT standard gunboat",
    change=_change,
    show=_worded,
    write=lambda state: state.variant.name,
    before_start=True,
)

NOT_VARIANT = setting(
    words=("set not variant", "set no variant"),
    name="variant",
    summary="take options of the variant back",
    help="Options of SET VARIANT: GUNBOAT, BLIND, NO PRESS.",
    usage="options",
    example="SET NOT VARIANT gunboat",
    change=_take_back,
    show=_worded,
    before_start=True,
)

COMMANDS: tuple[Command, ...] = (VARIANT, NOT_VARIANT)
