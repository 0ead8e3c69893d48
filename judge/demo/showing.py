"""Letters of the demo for whoever watches it: what was typed, and what the judge wrote."""

from __future__ import annotations

from collections.abc import Iterator

from judge.demo.correspondent import Correspondent, Received


def exchange(person: Correspondent, subject: str) -> Iterator[str]:
    """A mail to the judge, and the judge's answer: the first of which the answer's subject ends
    so. Nothing when there is none."""
    for letter in person.all_letters():
        typed = person.sent.get(str(letter.message["In-Reply-To"]).strip())
        if typed and letter.is_reply and letter.subject.endswith(subject):
            yield f"What {person.name} typed, answering a letter:"
            yield from _framed(typed)
            yield from _shown(letter, f"The judge's answer to {person.name}")
            return


def letter_to(person: Correspondent, subject: str) -> Iterator[str]:
    """A letter that answers none of its reader's, with a subject that ends so."""
    for letter in person.all_letters():
        if not letter.is_reply and letter.subject.endswith(subject):
            yield from _shown(letter, f"A letter to {person.name}")
            return


def _shown(letter: Received, what: str) -> Iterator[str]:
    yield f"{what}, “{letter.subject}”:"
    yield from _framed(letter.text)


def _framed(text: str) -> Iterator[str]:
    yield ""
    for line in text.strip("\n").split("\n"):
        yield f"    | {line}".rstrip()
    yield ""
