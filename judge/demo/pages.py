"""One page on which the whole game can be looked at: the site of the demo, with all letters."""

from __future__ import annotations

from email.message import EmailMessage
from hashlib import sha256
from html import escape
from pathlib import Path

from judge.demo.correspondent import Correspondent
from judge.demo.mail_programs import Received
from judge.demo.play import Demo
from judge.demo.players import GAME
from judge.demo.server import ADDRESS
from judge.game.state import State
from judge.maps.atlas import drawing_of
from judge.site import Site, facts
from judge.storage import Storage


def write_pages(demo: Demo) -> Path:
    """Write the pages of a demo that has been played into its folder, and return the one to begin
    with."""
    storage = Storage.open(demo.server.database)
    try:
        game = storage.games.by_name(GAME)
        assert game is not None
        site = Site(
            storage, demo.folder / "pages", "The Judge", ADDRESS, game.ended_at or game.created_at
        )
        site.build()
        people = [
            (demo.master, "game master"),
            *((each.person, each.power) for each in demo.players),
        ]
        state = State(storage, game)
        told = {
            "game": GAME,
            "size": tuple(map(round, drawing_of(state.variant).size)),
            "steps": [facts.step(run) for run in facts.shown_phases(state) if run.report["orders"]],
            "people": [
                {"name": person.name, "part": part, "letters": _letters(site, person)}
                for person, part in people
            ],
        }
        site.page("demo.html", told)
        return site.folder / "demo.html"
    finally:
        storage.close()


def _letters(site: Site, person: Correspondent) -> list[dict[str, str | None]]:
    """Write what somebody got; return for each letter its file, its first line, and what they had
    typed if it answers that."""
    found = []
    for number, letter in enumerate(person.all_letters(), 1):
        file = f"letters/{person.address.partition('@')[0]}-{number:03}.html"
        site.write(file, _shown(site, letter))
        typed = person.sent.get(letter.replies_to)
        found.append({"file": file, "first": letter.first, "typed": typed})
    return found


def _shown(site: Site, letter: Received) -> str:
    """Return a letter as mail programs show it, its pictures as files beside it."""
    page = letter.page or f"<!doctype html><meta charset=utf-8><pre>{escape(letter.text)}</pre>"
    for part in letter.message.walk():
        cid = str(part["Content-ID"] or "").strip("<>")
        if cid and f"cid:{cid}" in page and isinstance(part, EmailMessage):
            data = part.get_content()
            name = f"{sha256(data).hexdigest()[:16]}.{part.get_content_subtype()}"
            site.write(f"letters/{name}", data)
            page = page.replace(f"cid:{cid}", name)
    return page
