"""Settings about who comes in and reads of the game, and about its start."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from judge.game.state.settings.row import optional, switch, value


class Experience(StrEnum):
    """How experienced people say they are, least first."""

    NOVICE = "novice"
    AMATEUR = "amateur"
    INTERMEDIATE = "intermediate"
    ADVANCED = "advanced"
    EXPERT = "expert"


def _bar(words: str, called: str, effect: str, help: str, example: str) -> Any:
    return value(
        None,
        (words,),
        called,
        "value",
        effect,
        f"{help} NONE: no bar. It cannot be above your own figure (GET DEDICATION).",
        example,
        none="no bar",
        decode=optional(Experience) if words == "level" else None,
    )


@dataclass(frozen=True, kw_only=True)
class EntrySettings:
    """Who may enter the game, what they read of it, and when it starts."""

    listed: bool = switch(
        False,
        "list",
        "listing",
        ("listed", "show the game to everybody in LIST"),
        ("not listed", "only people who know its name find the game"),
        "A bare JOIN finds only games that are listed.",
        yes_words=("public",),
        no_words=("private",),
        in_entry=True,
    )
    manual_start: bool = switch(
        False,
        "manual start",
        "start",
        ("on command", "wait for START when all powers are taken"),
        ("when all powers are taken", "start when all powers are taken"),
        yes_words=("no auto start",),
        no_words=("auto start",),
        before_start=True,
    )
    forced: bool = False
    """Whether the game starts without the players who are missing (FORCE BEGIN)."""
    manual_process: bool = switch(
        False,
        "manual process",
        "adjudication",
        ("on the game master's command", "adjudicate a phase only on PROCESS"),
        ("automatic", "adjudicate a phase once its orders are in, or at its deadline"),
        "With MANUAL PROCESS, deadlines are kept and announced all the same.",
        yes_words=("no auto process",),
        no_words=("auto process",),
    )
    approval: bool = switch(
        False,
        "approval",
        "approval of newcomers",
        ("needed", "newcomers cannot order before the game master approves them"),
        ("not needed", "newcomers play at once"),
        "When somebody joins or takes over a power, I ask the game master, who replies with YES or "
        "NO. Until then I take no orders from them, and the game does not start. Newcomers who are "
        "waiting when this changes still wait (SET APPROVED).",
    )
    allowed: tuple[str, ...] = value(
        (),
        ("allow player",),
        "people who may join",
        "address",
        "only these people may join; a minus before an address removes it",
        "Addresses, with commas. While there is one, nobody else can join or take over a power. "
        "The others are told how many there are, not who.",
        "SET ALLOW PLAYER ann@example.org",
        decode=tuple,
    )
    denied: tuple[str, ...] = value(
        (),
        ("deny player",),
        "people who may not join",
        "address",
        "these people may not join; a minus before an address removes it",
        "Addresses, with commas. People who are in the game stay in it (EJECT). The others are "
        "told how many there are, not who.",
        "SET DENY PLAYER ann@example.org",
        decode=tuple,
    )
    dedication: float | None = _bar(
        "dedication",
        "least dedication of newcomers",
        "only people with this many points of dedication may enter",
        "HELP reliability says how points are counted.",
        "SET DEDICATION 20",
    )
    ontimerat: float | None = _bar(
        "ontimerat",
        "least share of phases on time",
        "only people who are on time this often may enter",
        "A share from 0 to 1 or in percent; recent phases weigh more (HELP reliability).",
        "SET ONTIMERAT 0.9",
    )
    resrat: float | None = _bar(
        "resrat",
        "greatest share of games given up",
        "only people who give up no more games than this may enter",
        "The share, from 0 to 1 or in percent, of a person's games that they gave up.",
        "SET RESRAT 0.1",
    )
    level: Experience | None = _bar(
        "level",
        "least level of newcomers",
        "only people of this experience may enter, by what they say themselves",
        f"What people say of themselves with REGISTER: {', '.join(Experience)}.",
        "SET LEVEL amateur",
    )

    # What people read of it

    comment: str = value(
        "",
        ("comment",),
        "comment",
        "text",
        "a line about the game, shown in LIST",
        "NONE removes it.",
        "SET COMMENT a friendly game",
        none="none",
        longest=200,
        in_entry=True,
    )
    house_rules: str = value(
        "",
        ("comment begin", "game rules"),
        "house rules",
        "... END",
        "house rules, shown to everybody who joins",
        "The lines below, up to END or the end of the message. LIST with the name of the game "
        "shows them, and so do the messages to people who join and at the start. Without lines "
        "the game has none.",
        "SET COMMENT BEGIN\nNo deals across games, please.\nEND",
        none="none",
        in_entry=True,
        ends=("end", "endcomment", "commentend"),
        longest=10_000,
    )
