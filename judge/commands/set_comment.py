"""SET COMMENT: a line about the game for LIST, and its house rules for everybody who joins."""

from __future__ import annotations

from judge.game.setting import Wanted, setting
from judge.game.state import State
from judge.i18n import say

LONGEST_COMMENT = 200
LONGEST_RULES = 10_000
"""Characters."""

_NONE = ("none", "no", "off", "-")


def _comment(wanted: Wanted) -> None:
    text = " ".join(wanted.arguments.split())
    if len(text) > LONGEST_COMMENT:
        raise ValueError(
            say(
                "a comment has at most {most} characters, and this one has {count}; longer house "
                "rules go between SET COMMENT BEGIN and END",
                most=LONGEST_COMMENT,
                count=len(text),
            )
        )
    wanted.state.set(comment="" if text.lower() in _NONE else text)


COMMENT = setting(
    words=("set comment",),
    name="comment",
    summary="a line about the game, shown in LIST",
    help="One line that LIST shows. NONE takes it back.",
    usage="text",
    example="SET COMMENT a friendly game",
    change=_comment,
    show=lambda state: state.settings.comment or say("none"),
    write=lambda state: state.settings.comment or None,
)


def _rules(wanted: Wanted) -> None:
    text = "\n".join(wanted.block).strip("\n")
    if len(text) > LONGEST_RULES:
        raise ValueError(
            say(
                "house rules have at most {most} characters, and these have {count}",
                most=LONGEST_RULES,
                count=len(text),
            )
        )
    wanted.state.set(house_rules=text)


def _show(state: State) -> str:
    return state.settings.house_rules or say("none")


RULES = setting(
    words=("set comment begin", "set game rules"),
    name="house rules",
    summary="house rules, shown to everybody who joins",
    help=(
        "The lines below, up to END or the end of the mail, are the house rules of the game. LIST "
        "with its name shows them, and so do the letters to who joins and of the start. Without "
        "lines the game has none."
    ),
    usage="... END",
    example="SET COMMENT BEGIN\nNo deals across games, please.\nEND",
    change=_rules,
    show=_show,
    write=lambda state: f"\n{rules}\nEND" if (rules := state.settings.house_rules) else None,
    ends=("end", "endcomment", "commentend"),
)

COMMANDS = (COMMENT, RULES)
