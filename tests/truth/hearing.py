"""What letters say, heard where templates say it: each sentence by its English, with its facts.

So a claim is about a sentence in every language, and no pattern need find it in a letter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from judge import render
from judge.storage import OutboundMessage
from judge.storage.outbound import OutboundMessages
from tests.game.play import Received, read


class Sentence(NamedTuple):
    """A sentence as templates have it, its facts, and how it was said."""

    message: str
    facts: Mapping[str, Any]
    said: str


class Hearing:
    """Keeps the sentences that are said, and hands each letter on as soon as it is written, while
    games are as they were when it was."""

    def __init__(self, judged: Callable[[Received, list[Sentence]], None]) -> None:
        self._judged = judged
        self._sentences: dict[tuple[str, str], Sentence] = {}

    def forget(self) -> None:
        """Forget what was said; what several readers get may be said once."""
        self._sentences.clear()

    def said(self, message: str, facts: Mapping[str, Any], text: str) -> None:
        """Keep a sentence that was said so."""
        flat = " ".join(text.split())
        self._sentences[message, flat] = Sentence(message, facts, flat)

    def written(self, letter: Received) -> None:
        """Hand a letter on, with the sentences that are in it however its lines are broken."""
        whole = " ".join(letter.text.split())
        self._judged(letter, [each for each in self._sentences.values() if each.said in whole])

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Hear all that is said inside."""
        _ears.append(self)
        try:
            yield
        finally:
            _ears.pop()


_ears: list[Hearing] = []


@contextmanager
def all_ears() -> Iterator[None]:
    """Let what is said inside be heard; templates are read anew for that."""
    before = render._printing, OutboundMessages.queue

    def heard(name: str) -> Callable[..., str]:
        say = before[0](name)

        def said(*message: Any, **facts: Any) -> str:
            text = say(*message, **facts)
            for each in _ears[-1:]:
                each.said(message[1] if name[:2] in ("pg", "np") else message[0], facts, text)
            return text

        return said

    def queued(messages: OutboundMessages, letter: OutboundMessage) -> None:
        before[1](messages, letter)
        for each in _ears[-1:]:
            each.written(read(letter))

    _say(heard, queued)
    try:
        yield
    finally:
        _say(*before)


def _say(printing: Callable[[str], Callable[..., str]], queue: Any) -> None:
    """Have templates say all by `printing`, and letters queued by `queue`."""
    render._printing, OutboundMessages.queue = printing, queue  # type: ignore[assignment, method-assign]
    render.templates.cache_clear()
    render.macros.cache_clear()
