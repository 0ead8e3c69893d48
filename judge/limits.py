"""How much the judge writes, stores, and lets one person have."""

# Hints are read at every start, and are no text here: each would have to be compiled.

from typing import Annotated

from msgspec import Meta, Struct

Count = Annotated[int, Meta(ge=1, le=1_000_000)]


class Limits(Struct, frozen=True, kw_only=True):
    """How many messages the judge writes. Senders who reach a limit are told so once; what they
    write counts all the same.

    Attributes:
        hour: Replies to one person on file in an hour.
        stranger: Replies to one unknown address in a day.
        strangers: Replies in five minutes to unknown addresses of one domain, and to those from
            one network, that nobody vouches for; later messages wait until there is room.
        nothing: Replies to one person in a day to messages with nothing in them for the judge:
            that is what a robot writes that looks like a person.
        press: Press messages that one seat may send in an hour; more are refused.
        letters: Letters that the press of one person may become in a day, one for each recipient
            of a message; a message that would make more is refused.
        megabytes: What is stored in a day of the messages from one address that is not on file.
        questions: Questions open at one address whether another one belongs to its owner; no more
            are asked.
        games: Games that are not over in which one person may have a seat; the keeper may
            have more.
        passwords: Wrong passwords from one person for one game in an hour; then even the right
            one is refused for that hour.
        what_if: Answers to WHAT IF for one person in a day.
    """

    hour: Count = 60
    stranger: Count = 10
    strangers: Count = 250
    nothing: Count = 5
    questions: Count = 3
    press: Count = 100
    letters: Count = 500
    megabytes: Count = 5
    games: Count = 50
    passwords: Count = 5
    what_if: Count = 100
