"""How much the judge writes to one person, to people it does not know, and for one to others."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Numbers of answers. Whoever reaches one is told so once; his mails count all the same.

    `hour`: to one person on file in an hour. `stranger`: to one address that is not, in a day.
    `strangers`: to all such addresses together in a day; what comes after that is kept for the
    keeper. `nothing`: to one person in a day for mails with nothing in them for the judge, which
    is what a robot writes that could not be told from a person. `press` is how many letters to the
    others one part in a game may send in an hour; more are refused. `questions` is how many may
    wait for an answer from one address; mails that would cause one more are kept without a word.
    `passwords` is how many wrong ones a person may give in an hour for his part in one game; then
    even the right one is refused for that hour.
    """

    hour: int = 60
    stranger: int = 10
    strangers: int = 200
    nothing: int = 5
    questions: int = 3
    press: int = 100
    passwords: int = 5
