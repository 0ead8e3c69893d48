"""The one reply that every message gets, and what players hear of what masters did for them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from judge import render
from judge.events import EventKind, reader
from judge.game.state import State
from judge.game.state.answers import LineResult
from judge.game.state.profile import JudgeProfile, house_rules, new_message_of_the_day
from judge.game.visibility.eyes import (
    MOST_OF_REPLY,
    MOST_PICTURED,
    BoardPicture,
    as_attachments,
    boards_of_reply,
)
from judge.i18n import LANGUAGES, language, language_data, say, speaking
from judge.intake import reception
from judge.intake.authentication import blanked, note_offers, shown
from judge.intake.authorization import is_outsider
from judge.intake.command import CommandTable, said_elsewhere
from judge.intake.context import (
    MOST_NAMED,
    Cursor,
    Fate,
    MessageContext,
    ReplySheet,
    Report,
    Sender,
)
from judge.intake.letters import old_phase
from judge.intake.offers import chosen
from judge.intake.outward import shown as visible
from judge.intake.questions import ANSWERS
from judge.intake.reception import DAY, FIRST, GUESSED
from judge.intake.talk import is_remark
from judge.intake.ways import ways
from judge.limits import BOUNDS
from judge.mail.compose import Attachment
from judge.mail.message import ParsedMessage
from judge.messages.html_message import likes_html
from judge.messages.views import reader_facts
from judge.render import Facts, clip
from judge.rules.phase import Kind
from judge.storage import GameState, Storage

_LONGEST_ECHO = 120
"""Characters of a line that are quoted back."""

_MOST_TALK = 8
"""Lines of ordinary text that are quoted back."""

_MOST_SAID, _ENTRY = 9_000, 80
"""Characters of a reply that say what came of lines, and what each of them takes beside its own:
with the HTML part the whole message stays below 60 kB."""

_NOTHING_SAID: Mapping[str, object] = dict.fromkeys(
    ("code", "listed", "line", "read", "write", "number", "long", "unknown", "back"), ""
)

_MOST_LOOKED_AT = 300
"""Lines of it in which commands are looked for."""


def _other_games(cursor: Cursor) -> list[str]:
    """Return games that the message may have been about, if it said none and was asked nothing."""
    if cursor.state is not None or cursor.asked_which:
        return []
    return list(cursor.names()[:MOST_NAMED])


def reply(context: MessageContext) -> None:
    """Reply: every line as understood, what was not, and how the game stands.

    A stranger is told what this is and how to begin. Nothing they wrote is quoted, nor anything of
    a newcomer's first message: the address may be forged, and somebody else may get the reply.
    """
    sender, cursor, report = context.sender, context.cursor, context.report
    incoming, profile = context.incoming, context.profile
    note_offers(sender, report)
    person = sender.person
    if report.quiet and (person is None or sender.known_before):
        return
    results = report.results
    facts = {
        "said": _fitting(
            results,
            describe_results(sender, profile, context.table, context.now, results, sender.zone),
        ),
        "unsure": person is not None and not sender.sure,
        "doubled": incoming.doubled,
        "again": report.again,
    }
    if person is None:
        _reply_to_stranger(context, facts)
        return
    reported = [] if _only_asked(report) else cursor.taken_part()
    views = [_view(sender, report, context.now, each) for each in reported]
    # Where a sign-on failed, an answer is about the game that the reply shows.
    state = cursor.state or (reported[0] if len(reported) == 1 else None)
    # A robot that passes for a person is away, too.
    acts = not _says_who_is_away(results)
    kind = EventKind.REPLY if acts else EventKind.NOTHING
    talk = list(report.sheet.untold())
    left = _left(cursor, profile, incoming, context.now, talk, kind)
    if left == 0:
        return
    brief, listed = _right_at_once(sender, report, views, talk)
    context.answer(
        kind,
        facts
        | {
            # Who may never have written here is sent few bytes.
            "plain": not (sender.known_before or sender.sure),
            "name": person.name,
            "subject": _subject(sender, incoming, state),
            "about": _about(state, views),
            "zone": sender.zone,
            "zone_set": any(item.answer.code == "registered" for item in results),
            "games": views,
            "brief": listed,
            **_gone(results),
            "old_phase": old_phase(cursor, sender),
            "other_games": _other_games(cursor),
            "registered_now": not sender.known_before,
            # Of a newcomer's first message nothing is quoted.
            "talk": [clip(shown(sender, line)) for line in talk[:_MOST_TALK]]
            if sender.known_before
            else [],
            "unsaid": len(talk),
            "undone": undone(report.sheet),
            # What it answers, nobody knows.
            "astray": any(map(chosen, talk[:_MOST_LOOKED_AT])),
            "instead": _instead(talk) if sender.known_before else [],
            "menu": _menu(cursor, context.table, context.now, asked=_wishes(cursor, report, talk)),
            "pictured": bool(_asked_boards(report)),
            "left_out": report.left_out,
            "unread": kind is EventKind.NOTHING and incoming.texts.unread,
            "news": report.news,
            "house_rules": None if sender.known_before else house_rules(context.storage),
            "motd": new_message_of_the_day(context.storage, person),
            "last_nothing": left == 1,
        },
        state,
        _files(sender, report, profile, reported, brief=brief),
    )


def _right_at_once(
    sender: Sender, report: Report, views: Sequence[Facts], talk: Sequence[str]
) -> tuple[bool, bool]:
    """Return whether there is nothing to say of a mail but that its orders are on file, and whether
    the sheets say all of what it brought: those of who plays all powers do.

    The first is so if all that are due are on file, and there is nothing to warn of.
    """
    if not _brings_but_orders(sender, report, views, talk):
        return False, False
    mine = views[0]["mine"]
    brief = all(each["sheet"].complete and not each["hints"] for each in mine)
    return brief, brief or (views[0]["private"] and len(mine) > 1)


def _brings_but_orders(
    sender: Sender, report: Report, views: Sequence[Facts], talk: Sequence[str]
) -> bool:
    """Return whether a mail brought nothing but orders of one game, none of which took the place of
    anything; not for anyone who wishes for all pictures."""
    if talk or not report.results or len(views) != 1 or report.acted:
        return False
    if not sender.sure or sender.registered.options.pictures == "all":
        return False
    return all(map(_in_sheet, report.results))


def _in_sheet(item: LineResult) -> bool:
    """Return whether the list of orders on file says all that came of a line."""
    facts = item.answer.facts
    return item.answer.code == "order" and not (
        facts["earlier"] or facts["left"] or facts["replaces"]
    )


def _wishes(cursor: Cursor, report: Report, talk: Sequence[str]) -> bool:
    """Return whether ordinary text may ask for anything, or a command was guessed and offered; a
    question is answered, rightly or not."""
    if any(not each.about and not each.block for each in report.guessed):
        return True
    if not talk:
        return False
    turn = cursor.turn()
    return len(talk) > _MOST_TALK or not all(is_remark(text, turn) for text in talk)


def _gone(results: Sequence[LineResult]) -> dict[str, object]:
    """Return what of a message is the whole of its reply: how the writer has stepped through a game
    of their own, and to whom press went, where there are no orders beside it."""
    steps = {item.answer.code for item in results if item.answer.facts.get("steps")}
    ordered = any(item.kind == "order" for item in results)
    sent: dict[str, None] = {}
    for each in (item.answer.facts for item in results if item.answer.code in _PRESS):
        if not ordered and not each["held"] and not each["unknown"]:
            to: Any = each["truth"] or each["to"]
            sent |= dict.fromkeys([say("everybody")] if each["public"] else to)
    # Another letter brings all that the new player of a power needs.
    seats = [item.answer.facts for item in results if item.answer.code in ("taken_over", "seat")]
    handed_over = any("taken" in each for each in seats)
    return {"steps": steps, "sent": list(sent), "handed_over": handed_over}


_PRESS = ("press", "answered_press")


def _left(
    cursor: Cursor,
    profile: JudgeProfile,
    incoming: ParsedMessage,
    now: datetime,
    talk: Sequence[str],
    kind: EventKind,
) -> int | None:
    """Return how many replies the sender may still get today, this one included, to messages with
    nothing in them for us; None where that does not count."""
    if kind is not EventKind.NOTHING or _asks(cursor.sender, talk):
        return None
    return max(0, profile.limits.nothing - _had_nothing(cursor.storage, incoming, now))


def _asks(sender: Sender, talk: Sequence[str]) -> bool:
    """Return whether somebody asks who has proven, by where they wrote, that they are no robot that
    answers what it never read: they had the letter, and put a question."""
    answered = sender.answered
    asks = any(line.rstrip().endswith("?") for line in talk[:_MOST_TALK])
    return answered is not None and answered.proves and asks


def undone(sheet: ReplySheet) -> int:
    """Return how many lines were not done, those included that wait for a YES."""
    left = [each for each in sheet.fated if each.fate in (Fate.NOTHING, Fate.ASKED)]
    rows = {row for each in left for row in each.line.rows if 0 <= row < len(sheet.rows)}
    return sum(bool(sheet.rows[row].strip()) for row in rows)


def _view(sender: Sender, report: Report, now: datetime, state: State) -> Facts:
    """Return what the sender may know of a game, with the powers they acted for."""
    also = [power for game_id, power in report.acted if game_id == state.game.id]
    person_id = sender.person_id
    found = reader_facts(state, person_id, sender.zone, now, also)
    if not state.terms.alone:
        return found
    # Where the units of all powers can go would be most of the reply: LEGAL MOVES says it.
    mine = [
        each | ({"options": (), "sample": ()} if each["kind"] == Kind.MOVEMENT.value else {})
        for each in found["mine"]
    ]
    return found | {"mine": mine}


def _files(
    sender: Sender, report: Report, profile: JudgeProfile, reported: Sequence[State], *, brief: bool
) -> tuple[Attachment, ...]:
    """Return the pictures and files of a reply; a brief one has none."""
    return () if brief else (*_boards(sender, report, profile, reported), *_asked_files(report))


def _asked_files(report: Report) -> Iterator[Attachment]:
    """Yield the files that were asked for."""
    for item in report.results:
        if isinstance(file := item.answer.facts.get("file"), Attachment):
            yield file


def _boards(
    sender: Sender, report: Report, profile: JudgeProfile, reported: Sequence[State]
) -> tuple[Attachment, ...]:
    """Return the boards that were asked for, or else the one with the orders as they are, where
    this message has changed them, and where it asks how they stand and some are missing."""
    if not (sender.known_before or sender.sure):
        # Who may never have written here is sent few bytes.
        return ()
    asked = _asked_boards(report)
    answers = [item.answer for item in report.results]
    changed = any(each.facts.get("changed") for each in answers)
    stands = any(each.code == "status" for each in answers)
    if profile.pictures and asked:
        return _shown(asked[:MOST_PICTURED])
    if not (profile.pictures and (changed or stands) and likes_html(sender.registered)):
        return ()
    return _shown(list(boards_of_reply(reported, sender.registered, changed=changed)))


def _shown(boards: Sequence[BoardPicture]) -> tuple[Attachment, ...]:
    return as_attachments(boards, MOST_OF_REPLY * len(boards))


def _asked_boards(report: Report) -> list[BoardPicture]:
    facts = [item.answer.facts.get("board") for item in report.results]
    return [board for board in facts if isinstance(board, BoardPicture)]


def _says_who_is_away(results: Sequence[LineResult]) -> bool:
    """Return whether nothing came of a message but guesses, one of them that somebody is away."""
    guesses = [
        "SET ABSENCE" if item.answer.code == "unclear_wish" else str(item.answer.facts["lines"])
        for item in results
        if item.answer.code in _GUESSES
    ]
    away = any(each.startswith("SET ABSENCE") for each in guesses)
    return len(guesses) == len(results) and (away or not results)


def _instead(talk: Sequence[str]) -> list[str]:
    """Return what commands in a language that is not the sender's are in English, and the line that
    makes that language theirs."""
    lines = (line[: BOUNDS.line] for line in talk[:_MOST_LOOKED_AT])
    elsewhere = [said for line in lines if (said := said_elsewhere(line)) is not None]
    languages = dict.fromkeys(f"SET LANGUAGE {said.language}" for said in elsewhere)
    return list(dict.fromkeys(map(clip, (*languages, *(said.english for said in elsewhere)))))


_ABSENCE = "SET ABSENCE"
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MENU = {
    GameState.FORMING: ("LEAVE", _ABSENCE, "HELP"),
    GameState.ACTIVE: ("RESIGN", "EXTEND 24H", _ABSENCE, "SET DRAW", "MAP", "HELP"),
    GameState.PAUSED: ("RESIGN", _ABSENCE, "MAP", "HELP"),
}
"""The lines that people most often look for who wrote in plain words, for those who play."""


def _reply_to_stranger(context: MessageContext, facts: dict[str, object]) -> None:
    report = context.report
    tongues = [language_data(each)["instead"] for each in LANGUAGES if each != language()]
    # Which games look for people is told to nobody else.
    closed = is_outsider(context.sender, context.profile, context.incoming)
    facts |= {"keeper": context.profile.keeper, "tongues": tongues, "closed": closed}
    sender, incoming = context.sender, context.incoming
    if reception.may_be_made_up(context.storage, sender, incoming, context.now):
        guessed = all(item.answer.code in _GUESSES for item in report.results)
        report.why = GUESSED if guessed and report.why != FIRST else FIRST
        context.answer(EventKind.WELCOME, facts | {"slight": True, "buttons": _FIRST_LINES})
        return
    answered = any(item.answer.code in ANSWERS for item in report.results)
    facts |= {"ways": [] if closed else ways(context.cursor), "slight": False}
    context.answer(EventKind.ANSWERED if answered else EventKind.WELCOME, facts)


_FIRST_LINES = "YES", "JOIN PRACTICE"
"""What a tap in the first letter to a stranger says."""

_GUESSES = ("offer", "unclear_wish")
"""What is said of plain words that may wish for something."""


def _menu(
    cursor: Cursor, table: CommandTable, now: datetime, *, asked: bool
) -> list[dict[str, str]]:
    """Return the lines to choose from, each with what it does, for one who is in no game, and for
    anyone who `asked` for something in words that were not understood, or that were guessed."""
    state = cursor.state
    # Who keeps the judge and plays nowhere has not asked for a game.
    if state is None and not cursor.names() and (asked or not cursor.sender.keeper):
        return ways(cursor)
    if not asked:
        return []
    lines: Sequence[str] = ("LIST", "JOIN", "HELP")
    if state is not None:
        plays = state.game.state in _MENU and cursor.playing()
        lines = _MENU[state.game.state] if plays else ("MAP", "HELP")
        if plays and state.terms.private and state.game.state is GameState.ACTIVE:
            begins = state.game.phase == str(state.variant.start_phase)
            lines = ("PROCESS", *(() if begins else ("BACK",)), "RESIGN", "MAP", "HELP")
    found = [(line, table.find(line)) for line in lines]
    start, end = now + timedelta(days=14), now + timedelta(days=21)
    days = [f"{day.day} {_MONTHS[day.month - 1]}" for day in (start, end)]
    example = {_ABSENCE: f"{_ABSENCE} {' to '.join(days)}"}
    return [
        # One tap asks for the dates, for those of an example are nobody's.
        {"line": example.get(line, line), "does": command.effect, "tap": line}
        for line, (command, _) in ((line, each) for line, each in found if each)
    ]


def _had_nothing(storage: Storage, incoming: ParsedMessage, now: datetime) -> int:
    """Return how many replies the sender got in a day to messages with nothing in them for us."""
    sender = incoming.sender
    return storage.outbound.lately((EventKind.NOTHING.word,), now - DAY, sender)


def _fitting(
    results: Sequence[LineResult], said: Sequence[dict[str, object]]
) -> list[dict[str, object]]:
    """Return as many results as a reply has room for, in characters, and how many more there are.

    What asks for a YES is always there, for its number would be another one; so are the pages that
    were asked for, which are few, and the last, which may say that there was more than is read.
    """
    left, fitting = _MOST_SAID, list[dict[str, object]]()
    for result, each in zip(results, said, strict=True):
        left -= _ENTRY + sum(len(str(each[part])) for part in ("line", "text", "write", "read"))
        if left > 0 or result.kind == "asked" or result.asks or each is said[-1]:
            fitting.append(each)
    if out := len(said) - len(fitting):
        text = render.answer("cut_reply", {"lines": out})
        fitting.append({**_NOTHING_SAID, "kind": "refused", "text": text})
    return fitting


def describe_results(
    sender: Sender,
    profile: JudgeProfile,
    table: CommandTable,
    now: datetime,
    items: Sequence[LineResult],
    zone: str,
) -> list[dict[str, object]]:
    """Return what came of lines, as messages print it, for a reader in that time zone."""
    known = {
        "judge": profile.name,
        "judge_address": profile.address,
        "keeper": profile.keeper,
        "now": now,
        "zone": zone,
        "stranger": sender.person is None,
        "newcomer": not sender.known_before,
    }
    said = []
    asked = [item for item in items if item.kind == "asked"]
    last = {_topic(item): item for item in items}
    for item in items:
        facts = known | {"again": last[_topic(item)] is not item} | dict(item.answer.facts)
        text = render.answer(item.answer.code, facts)
        if not sender.known_before:
            text = _without_links(text, profile)
        said.append(
            {
                "kind": item.kind,
                "code": item.answer.code,
                "listed": _in_sheet(item),
                "line": _echo(sender, table, item),
                "read": item.read,
                "write": [
                    blanked(line)
                    for line in item.write
                    if sender.known_before or not _LINK.search(line)
                ],
                "text": text,
                "number": asked.index(item) + 1 if len(asked) > 1 and item in asked else None,
                "long": "\n" in text,
                "unknown": item.answer.code in ("unknown_sender", "not_signed_on"),
                "back": item.answer.facts.get("back") if sender.known_before else None,
            }
        )
    return said


def _topic(item: LineResult) -> tuple[str, object]:
    """Return what a line's answer is about: the last of several says what holds after all of
    them."""
    return item.answer.code, item.answer.facts.get("game")


_LINK = re.compile(r"\S*\w(?:\.\w|:/|@\w)\S*")


def _without_links(text: str, profile: JudgeProfile) -> str:
    """Return a text without links and addresses, except our own."""
    ours = (profile.address.lower(), (profile.keeper or "").lower())
    return _LINK.sub(lambda link: link[0] if link[0].lower() in ours else "...", text)


def _echo(sender: Sender, table: CommandTable, item: LineResult) -> str:
    if not sender.known_before:
        # The bare command: the rest of the line is a stranger's text.
        found = table.find(item.read or "")
        return found[0].name if found else item.read or ""
    line = shown(sender, item.line)
    return line if len(line) <= _LONGEST_ECHO else f"{line[:_LONGEST_ECHO]} ..."


def _only_asked(report: Report) -> bool:
    """Return whether the message only asked for something that concerns no game of the sender's."""
    return bool(report.results) and all(
        item.kind in ("command", "asked") and item.asks for item in report.results
    )


def _subject(sender: Sender, incoming: ParsedMessage, state: State | None) -> str:
    subject = shown(sender, " ".join(incoming.subject.split()))
    if subject and sender.known_before:
        return f"Re: {subject}"
    if state is None:
        return "JUDGE"
    return f"JUDGE:{state.game.name}"


def _about(state: State | None, views: Sequence[Facts]) -> str | None:
    """Return the game that a reply is about, if that is one."""
    return state.game.name if state is not None and len(views) < 2 else None


# What masters do in the place of players


def tell_players(context: MessageContext) -> None:
    """Tell each player what a game master did for them: that, and nothing else of the message.

    It is in the log, whether or not anybody plays the power.
    """
    for (game_id, power), results in context.report.acted.items():
        own = context.profile.address
        items = [
            each
            for each in results
            if each.kind != "asked" and visible(context.addresses, own, [each.line])
        ]
        if items:
            _tell_player(context, context.cursor.states[game_id], power, items)


def _tell_player(
    context: MessageContext, state: State, power: str, items: Sequence[LineResult]
) -> None:
    lines = [item.read or item.line for item in items if item.kind != "refused"]
    context.log.of(state, "acted", {"power": power, "phase": state.game.phase, "lines": lines})
    seat = state.seats.holder(power)
    if seat is None or seat.person_id is None or seat.person_id not in state.seats.everybody():
        return
    person = context.storage.people.find(seat.person_id)
    assert person is not None
    with speaking(person.language):
        said = describe_results(
            context.sender,
            context.profile,
            context.table,
            context.now,
            items,
            context.profile.zone_of(person),
        )
    facts = {"power": power, "said": said}
    state.tell(EventKind.ACTED, facts, to=reader(seat), mail_id=context.mail.id)
