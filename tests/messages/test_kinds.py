"""The registry of what people are told: each row has its templates, and each template its row."""

from __future__ import annotations

import re
from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path

import pytest

from judge.data import data_path
from judge.events import REPLIES, Event, EventKind, Everybody, HouseKeeper, Recipient
from judge.game.clock.game_clock import pause
from judge.game.state import State
from judge.i18n import LANGUAGES, catalog
from judge.messages.outbox import Outbox
from tests.game.play import Play

LETTERS = data_path("templates") / "letters"
NO_MESSAGES = {"calendar"}
"""Templates that are a part of other messages."""


def names(folder: Path, suffix: str) -> set[str]:
    return {path.stem for path in folder.glob(f"*.{suffix}") if not path.stem.startswith("_")}


@pytest.fixture
def state(play: Play) -> State:
    play.start("")
    play.letters()
    game = play.storage.games.by_name("paris")
    assert game is not None
    return State(play.storage, game)


def test_each_kind_has_its_template_and_each_template_its_kind() -> None:
    words = [kind.word for kind in EventKind]
    assert len(words) == len(set(words))
    assert set(words) == names(LETTERS, "txt") - NO_MESSAGES


HEAD = re.compile(r"(?:Subject|From): .*")
SAID = re.compile(r"{% trans[^%]*%}(.*?){% endtrans %}|_\(\"(.*?)\"\)")


def heads(kind: EventKind) -> str:
    """What a list of letters shows of a kind, as its template has it."""
    return "\n".join(HEAD.findall((LETTERS / f"{kind.word}.txt").read_text(encoding="utf-8")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_kinds_of_a_game_look_alike_in_a_list(language: str) -> None:
    kinds: dict[str, set[str]] = defaultdict(set)
    for kind in EventKind:
        head = heads(kind)
        said = {one or other for one, other in SAID.findall(head)}
        if "JUDGE:{{ game }}" in head:
            assert said or "parts." in head or "lateness." in head, kind
        for text in said:
            message = re.sub(r"{{ (\w+) }}", r"%(\1)s", text)
            words = catalog(language).gettext(message)
            kinds[re.sub(r"%\(\w+\)s", "%s", words)].add(kind.word)
    assert len(kinds) > 80
    assert [each for each in kinds.items() if len(each[1]) > 1] == []


def test_a_layout_belongs_to_a_kind() -> None:
    small = {"auto", "slight", "brief"}
    assert names(LETTERS / "html", "html") - small <= {kind.word for kind in EventKind}


def test_what_answers_a_message_counts_toward_the_limits() -> None:
    assert "reply" in REPLIES
    assert "results" not in REPLIES


def test_what_happens_in_a_game_is_a_list_of_events(state: State, play: Play) -> None:
    pause(state, datetime(2026, 6, 2, tzinfo=UTC), "set", "Max")
    (event,) = state.events
    assert event == Event(
        kind=EventKind.PAUSED,
        to=Everybody(),
        game_id=state.game.id,
        facts={"why": "set", "who": "Max", "until": None},
    )
    assert play.letters() == []


def test_dispatch_empties_the_list_and_reaches_the_audience(state: State, play: Play) -> None:
    people = state.seats.everybody()
    outbox = Outbox(play.storage, play.judge.profile, play.clock.now())
    facts = {"why": "set", "who": "Max", "until": None}
    state.tell(EventKind.PAUSED, facts, but=people[:1])
    state.tell(EventKind.PAUSED, facts, to=Recipient(people[0]))
    state.events.append(Event(kind=EventKind.STRANGERS, to=HouseKeeper(), facts={"most": 3}))
    with play.storage.transaction():
        outbox.dispatch(state.events, [state])
    assert state.events == []
    told = [letter for letter in play.letters() if letter.kind == "paused"]
    assert len(told) == len({letter.to for letter in told}) == len(people)


def test_each_line_is_told_with_the_game_as_it_left_it(play: Play) -> None:
    play.start("MOVE 24H")
    play.letters()
    play.answer("max", "EXTEND 24H\nEXTEND 24H")
    first, second = (
        letter.text
        for letter in play.letters()
        if letter.kind == "deadline" and letter.to.startswith("ann")
    )
    assert _time(first, "Deadline:") == _time(second, "Before, it was")
    assert _time(first, "Deadline:") != _time(second, "Deadline:")


def _time(text: str, label: str) -> str:
    return text.partition(f"{label} ")[2].partition(" (UTC)")[0]
