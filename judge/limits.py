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
        what_if: Answers to WHAT IF and EXPLAIN GAME for one person in a day.
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


class Bounds(Struct, frozen=True, kw_only=True):
    """What is done of one message, and of one person, each alike: far more than anybody needs,
    so that nothing costs without bound. docs/limits.md says what each writer is told.

    Attributes:
        commands: Commands of a message that are carried out; a game is set up with half of that.
        asked: Questions of a message that are answered: each may take pages.
        letters: Letters that come of the commands of a message: a game of 34 may hear of three
            things.
        passwords: Passwords in a message; each takes as long as many commands.
        lines: Lines of a message that are read; nobody plays with more.
        text: Characters of a message that are read.
        line: Characters of a line; a longer one is prose, save in press.
        words: Words and signs of a message that are compared with all names and words, which is
            what reading costs; behind commands none are, save that a text becomes a letter.
        parts: Parts of a message, of all levels together.
        containers: Parts that hold parts. No nesting can be deeper, forwarded mails in forwarded
            mails included.
        header: Bytes of the header of a message.
        fields: Fields in the header of a message.
        header_lines: Lines of it: fields that go on in the next line count each.
        parameters: Characters of a field that describes content: a boundary and a file name fit in
            far less.
        raw_lines: Lines of a message with all its parts: attachments of 35 MB have so many.
        recipients: Recipients of a message in one SMTP conversation.
        statement: Characters of a statement.
        absences: Absences that one person can have announced in a game.
        years_ahead: Years ahead for which orders are kept.
        held: Messages about held ones that the keeper gets in an hour; `judge held list` shows all.
        sent_on: Mails to the postmaster that are sent on to the keeper in an hour; others are held.
        invitations: Invitations of one person in a day: each may go to somebody who never wrote.
        seat_codes: Codes for seats that one person makes in a day: enough for two classes.
        blocks: People whom one person blocks.
        reports: Reports of one person to the keeper in a day.
        pages: Pages of one diary.
        page: Characters of a page.
        ahead: Lines that are kept for one power and one later phase.
        conditions: IFs within each other.
        reminders: Reminders before one deadline.
        tournaments: Tournaments that one person directs at a time.
        tournament_name: Letters of the name of a tournament: those of its games are longer.
        rounds: Rounds of a tournament.
        notices: Notices of its director to everybody in a tournament in a day.
        team: Letters of the name of a team.
        name: Characters of a person's name that the keeper sets.
        house_rules: Characters of the house rules; the message of the day has a quarter of it.
    """

    commands: int = 70
    asked: int = 12
    letters: int = 120
    passwords: int = 10
    lines: int = 1000
    text: int = 200_000
    line: int = 4000
    words: int = 2_000
    parts: int = 100
    containers: int = 30
    header: int = 200_000
    fields: int = 1_000
    header_lines: int = 4_000
    parameters: int = 10_000
    raw_lines: int = 500_000
    recipients: int = 50
    statement: int = 10_000
    absences: int = 3
    years_ahead: int = 5
    held: int = 20
    sent_on: int = 20
    invitations: int = 10
    seat_codes: int = 60
    blocks: int = 50
    reports: int = 5
    pages: int = 500
    page: int = 20_000
    ahead: int = 200
    conditions: int = 8
    reminders: int = 5
    tournaments: int = 5
    tournament_name: int = 14
    rounds: int = 30
    notices: int = 3
    team: int = 30
    name: int = 60
    house_rules: int = 4000


BOUNDS = Bounds()
