"""The one reply that every mail gets."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from judge import variants
from judge.game.intake.answering import DAY
from judge.game.intake.lines import asked_for, doubtful
from judge.game.intake.passwords import blanked, note_offers, shown
from judge.game.intake.questions import ANSWERS
from judge.game.keepers.keeper import message_for, rules
from judge.game.pictures import Board, attached, likes_html, of_orders
from judge.game.state import State
from judge.game.state.profile import House
from judge.game.visit import Item, Visit
from judge.i18n import say
from judge.language.names import Names
from judge.mail.compose import Attachment
from judge.render import letters
from judge.render.heard import said_elsewhere
from judge.render.words import clip

_LONGEST_ECHO = 120
"""Characters of a line that are quoted back."""

_MOST_TALK = 8
"""Lines taken for talk that are quoted back."""


def reply(visit: Visit) -> None:
    """Queue the reply: every line as understood, what was not, and how the game stands.

    A stranger is told what this is and how to begin. Nothing is quoted of what he wrote, nor of a
    newcomer's first mail: his address may be forged, and somebody else get the letter.
    """
    note_offers(visit)
    if visit.quiet:
        return
    facts = _answers(visit)
    address = visit.incoming.sender
    person = visit.person
    if person is None:
        answered = any(item.answer.code in ANSWERS for item in visit.items)
        visit.post.send(
            "answered" if answered else "welcome",
            address,
            facts | {"zone": visit.house.zone, "keeper": visit.house.keeper},
            answers=visit.incoming,
            mail_id=visit.mail.id,
        )
        return
    reported = [] if _only_asked(visit) else visit.reported()
    shown = [visit.view(each) for each in reported]
    # Where a sign-on failed, an answer is about the game that the reply shows.
    state = visit.state or (reported[0] if len(reported) == 1 else None)
    kind = "reply" if visit.items else "nothing"
    if kind == "nothing" and _had_nothing(visit) >= visit.house.limits.nothing:
        return
    talk = _talk(visit)
    visit.post.send(
        kind,
        address,
        facts
        | {
            "name": person.name,
            "subject": _subject(visit, state),
            "zone": visit.post.zone(person),
            "zone_set": person.time_zone is not None,
            "games": shown,
            "other_games": [game.name for game in visit.games()] if visit.state is None else [],
            "registered_now": not visit.known_before,
            "talk": list(map(clip, talk)),
            "instead": _instead(visit, talk),
            "unread": kind == "nothing" and visit.incoming.unread,
            "news": visit.news,
            "house_rules": None if visit.known_before else rules(visit.storage),
            "motd": message_for(visit.storage, person),
            "last_nothing": kind == "nothing"
            and _had_nothing(visit) + 1 == visit.house.limits.nothing,
        },
        person=person,
        state=state,
        answers=visit.incoming,
        mail_id=visit.mail.id,
        attachments=_boards(visit, reported),
    )


def _boards(visit: Visit, reported: Sequence[State]) -> tuple[Attachment, ...]:
    """The boards that were asked for, and else the one with the orders as they are."""
    assert visit.person is not None
    facts = [item.answer.facts.get("board") for item in visit.items]
    asked = [board for board in facts if isinstance(board, Board)]
    if visit.house.pictures == "off" or not (asked or likes_html(visit.person)):
        return ()
    return attached(asked[:3] or list(of_orders(reported, visit.person)))


def _talk(visit: Visit) -> list[str]:
    """Lines that were left alone though they may have been meant; nothing goes to newcomers."""
    if not visit.known_before:
        return []
    variant = visit.state.variant if visit.state else variants.load("standard")
    found = doubtful(visit.lines, Names.of(variant))
    return found[:_MOST_TALK]


def _instead(visit: Visit, talk: Sequence[str]) -> list[str]:
    """Lines that do what was spoken of in these; for commands in a language that is not the
    writer's, the one that makes it his, and what they are in English."""
    elsewhere = {line: said for line in talk if (said := said_elsewhere(line)) is not None}
    languages = dict.fromkeys(said.language for said in elsewhere.values())
    commands = map(
        visit.table.find_words, asked_for([line for line in talk if line not in elsewhere])
    )
    lines = (
        *(f"SET LANGUAGE {language}" for language in languages),
        *(said.english for said in elsewhere.values()),
        *(each.example for each in commands if each is not None),
    )
    return list(dict.fromkeys(map(clip, lines)))


def _had_nothing(visit: Visit) -> int:
    """How many answers the writer has had in a day to mails with nothing for us in them."""
    sender = visit.incoming.sender
    return visit.storage.letters.lately(("nothing",), visit.now - DAY, sender)


def _answers(visit: Visit) -> dict[str, Any]:
    return {"said": worded(visit, visit.items, visit.post.zone(visit.person))}


def worded(visit: Visit, items: Sequence[Item], zone: str) -> list[dict[str, Any]]:
    """What came of lines, as letters print it, for a reader in that time zone."""
    known = {
        "judge": visit.house.name,
        "judge_address": visit.house.address,
        "keeper": visit.house.keeper,
        "now": visit.now,
        "zone": zone,
        "stranger": visit.person is None,
        "newcomer": not visit.known_before,
    }
    said = []
    for item in items:
        text = letters.answer(item.answer.code, known | dict(item.answer.facts))
        if not visit.known_before:
            text = _without_links(text, visit.house)
        said.append(
            {
                "kind": item.kind,
                "line": _echo(visit, item),
                "read": item.read,
                "write": [
                    blanked(line) for line in item.write if visit.known_before or not _linked(line)
                ],
                "text": text,
                "long": "\n" in text,
                "unknown": item.answer.code in ("unknown_sender", "not_signed_on"),
                "back": item.answer.facts.get("back") if visit.known_before else None,
            }
        )
    return said


_LINK = re.compile(r"\S*\w(?:\.\w|:/|@\w)\S*")


def _linked(text: str) -> bool:
    return _LINK.search(text) is not None


def _without_links(text: str, house: House) -> str:
    """A text without whatever somebody could follow or write to, ourselves aside."""
    ours = (house.address.lower(), (house.keeper or "").lower())
    return _LINK.sub(lambda link: link[0] if link[0].lower() in ours else "...", text)


def _echo(visit: Visit, item: Item) -> str:
    if not visit.known_before:
        # The bare command: what stood behind it is his.
        found = visit.table.find(item.read or "")
        return found[0].name if found else item.read or ""
    line = shown(visit, item.line)
    return line if len(line) <= _LONGEST_ECHO else f"{line[:_LONGEST_ECHO]} ..."


def _only_asked(visit: Visit) -> bool:
    """Whether the mail only asked for something that has nothing to do with his own game."""
    return bool(visit.items) and all(item.kind == "command" and item.asks for item in visit.items)


def _subject(visit: Visit, state: State | None) -> str:
    subject = shown(visit, " ".join(visit.incoming.subject.split()))
    if subject and visit.known_before:
        return f"Re: {subject}"
    if state is None:
        return "JUDGE"
    game = state.game
    forming, received = say("Forming"), say("Received")
    return f"JUDGE:{game.name} - {game.phase or forming} {received}"
