"""The one reply that every mail gets."""

from __future__ import annotations

from typing import Any

from judge.game.visit import Item, Visit
from judge.render import letters

_LONGEST_ECHO = 120
"""Characters of a line that are quoted back."""


def reply(visit: Visit) -> None:
    """Queue the reply: every line as understood, what was not, and how the game stands.

    A stranger is told what this is and how to begin; nothing he wrote is quoted, for his address
    may be forged and somebody else get the letter.
    """
    facts = _answers(visit)
    address = visit.incoming.sender
    person = visit.person
    if person is None:
        visit.post.send(
            "welcome",
            address,
            facts | {"zone": visit.house.zone, "keeper": visit.house.keeper},
            answers=visit.incoming,
            mail_id=visit.mail.id,
        )
        return
    shown = [] if _only_asked(visit) else [visit.view(state) for state in visit.reported()]
    state = visit.state
    visit.post.send(
        "reply",
        address,
        facts
        | {
            "name": person.name,
            "subject": _subject(visit),
            "zone": visit.post.zone(person),
            "zone_set": person.time_zone is not None,
            "games": shown,
            "other_games": [game.name for game in visit.games()] if state is None else [],
            "registered_now": not visit.known_before,
        },
        person=person,
        state=state,
        answers=visit.incoming,
        mail_id=visit.mail.id,
    )


def _answers(visit: Visit) -> dict[str, Any]:
    known = {
        "judge": visit.house.name,
        "judge_address": visit.house.address,
        "keeper": visit.house.keeper,
        "now": visit.now,
        "zone": visit.post.zone(visit.person),
        "stranger": visit.person is None,
    }
    said = []
    for item in visit.items:
        text = letters.answer(item.answer.code, known | dict(item.answer.facts))
        said.append(
            {
                "kind": item.kind,
                "line": _echo(visit, item),
                "read": item.read,
                "write": item.write,
                "text": text,
                "long": "\n" in text,
                "unknown": item.answer.code == "unknown_sender",
                "back": item.answer.facts.get("back"),
            }
        )
    return {"said": said}


def _echo(visit: Visit, item: Item) -> str:
    if visit.person is None:
        return item.read or ""
    line = item.line
    return line if len(line) <= _LONGEST_ECHO else f"{line[:_LONGEST_ECHO]} ..."


def _only_asked(visit: Visit) -> bool:
    """Whether the mail only asked for something that has nothing to do with his own game."""
    return bool(visit.items) and all(item.kind == "command" and item.asks for item in visit.items)


def _subject(visit: Visit) -> str:
    subject = " ".join(visit.incoming.subject.split())
    if subject:
        return f"Re: {subject}"
    if visit.state is None:
        return "JUDGE"
    game = visit.state.game
    return f"JUDGE:{game.name} - {game.phase or 'Forming'} Received"
