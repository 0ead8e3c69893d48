"""What people prefer: messages, reminders, addresses, passwords, and powers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from judge.game.clock.deadlines import read_reminders
from judge.game.fairness.assignment import BadPreferences, read_preferences
from judge.game.phases.lifecycle import begin_daily
from judge.game.state.answers import Answer, Refused
from judge.game.state.profile import TrustLevel
from judge.intake.authentication import lock, prove
from judge.intake.authorization import ensure_registered
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.sentences import error_wording
from judge.storage import GameState, Person, PersonOptions

# What people wish about their own letters, or do not: an option in two commands


def wishing(
    change: Callable[[PersonOptions], PersonOptions],
    answer: Answer,
    also: Callable[[MessageContext, Person], None] | None = None,
) -> Callable[[MessageContext, Call], Answer]:
    """Build what a command does that changes what its writer wishes; `also` follows from it."""

    def run(context: MessageContext, call: Call) -> Answer:
        person = ensure_registered(context)
        person.options = change(person.options)
        context.storage.people.save(person)
        context.log(answer.code, {"person": person.id, **answer.facts})
        if also is not None:
            also(context, person)
        return answer

    return run


# SET STANDIN and SET NO STANDIN: whether somebody is told of powers that need a player

STANDIN = Command(
    words=("set standin", "set stand-in"),
    who="anybody",
    personal=True,
    summary="be told when a power needs a new player",
    help=(
        "Whenever a power is abandoned you get a letter that shows its position in words; TAKE "
        "OVER makes it yours. While a game waits for somebody the letter comes again every two "
        "days. REGISTER has it too, as `Stand-in: yes`."
    ),
    example="SET STANDIN",
    bare=True,
    run=wishing(lambda wishes: replace(wishes, stand_in=True), Answer("standin", {"wish": True})),
)

NO_STANDIN = Command(
    words=("set no standin", "set no stand-in"),
    who="anybody",
    personal=True,
    summary="take back SET STANDIN",
    help="You are told of no more powers that need a player.",
    example="SET NO STANDIN",
    bare=True,
    run=wishing(lambda wishes: replace(wishes, stand_in=False), Answer("standin", {"wish": False})),
)


# SET HTML and SET NO HTML: whether letters have an HTML part beside the plain text

HTML = Command(
    words=("set html",),
    who="anybody",
    summary="have your letters as HTML, too",
    help=(
        "Letters show the board and set their lists in tables, where your mail program shows "
        "HTML; the plain text beside it says the same. This is how it is where nothing is said."
    ),
    example="SET HTML",
    bare=True,
    run=wishing(lambda wishes: replace(wishes, html=True), Answer("html", {"wish": True})),
)

NO_HTML = Command(
    words=("set no html", "set plain"),
    who="anybody",
    summary="have your letters as plain text only",
    help="Your letters come without HTML and without pictures. SET HTML takes that back.",
    example="SET NO HTML",
    bare=True,
    run=wishing(lambda wishes: replace(wishes, html=False), Answer("html", {"wish": False})),
)


# SET DAILY and SET NO DAILY: the letter a day to who runs a game


def _begin(context: MessageContext, person: Person) -> None:
    """When a game's clock is looked at next changes with the wish."""
    for game in context.cursor.games():
        begin_daily(context.cursor.load(game), person, context.now)


DAILY = Command(
    words=("set daily",),
    who="people",
    personal=True,
    summary="a letter a day about each game you run (the default)",
    help=(
        "Masters of running games get it at seven in the morning of their own time zone: how far "
        "every power is, who is late, who waits, what is to be decided. Answer it with commands."
    ),
    example="SET DAILY",
    bare=True,
    run=wishing(
        lambda wishes: replace(wishes, daily=True), Answer("daily", {"wish": True}), _begin
    ),
    group="masters",
)

NO_DAILY = Command(
    words=("set no daily",),
    who="people",
    personal=True,
    summary="no letter a day about the games you run",
    help="STATUS still tells how far everybody is.",
    example="SET NO DAILY",
    bare=True,
    run=wishing(
        lambda wishes: replace(wishes, daily=False), Answer("daily", {"wish": False}), _begin
    ),
    group="masters",
)


# SET REMINDER: when somebody is reminded of the orders he owes


def _reminder(context: MessageContext, call: Call) -> Answer:
    try:
        hours = read_reminders(call.arguments)
    except ValueError as error:
        raise Refused(
            "bad_setting", write="SET REMINDER 24H 8H", problem=error_wording(error)
        ) from None
    person = ensure_registered(context)
    person.options = replace(person.options, reminders=hours)
    context.storage.people.save(person)
    # The games of this mail have looked the person up before.
    for state in context.cursor.states.values():
        state.known(person)
    context.log("reminders", {"person": person.id, "hours": hours})
    return Answer("reminders", {"hours": hours})


REMINDER = Command(
    words=("set reminder", "set reminders", "set remind"),
    who="people",
    personal=True,
    summary="when you are reminded of orders you owe, in all your games",
    help=(
        "Times before the deadline, up to five; NONE for no reminder. Each comes once for a "
        "deadline, and only while orders of yours are missing. Without it you are reminded once, "
        "8 hours before. Calendars that take the deadlines from letters ring at the same times."
    ),
    usage="times",
    example="SET REMINDER 24H 8H",
    run=_reminder,
    group="playing",
)


# SET PREFERENCE: which powers a player would like to have


def _preference(context: MessageContext, call: Call) -> Answer:
    state = context.cursor.here()
    if state.game.state != GameState.FORMING:
        raise Refused("locked", name="preferences", value="dealt")
    text = call.arguments.strip().strip(".")
    if text.lower() in ("none", "-"):
        text = ""
    try:
        wishes = read_preferences(text, state.variant.letters, state.variant.powers)
    except BadPreferences as problem:
        raise Refused(
            "bad_setting", write="SET PREFERENCE E[FGR]TAI", problem=str(problem)
        ) from None
    for seat in context.cursor.playing():
        seat.preferences = text
        state.seat(seat)
    return Answer("preference", {"wishes": wishes})


PREFERENCE = Command(
    words=("set preference", "set preferences", "set pref", "preference"),
    who="players",
    summary="which powers you would like, before the game starts",
    help=(
        "Letters in the order of your wishes, equals in brackets. * asks for the lot. Who says "
        "nothing takes what the others leave. The powers are dealt so that all together get as "
        "much of what they want as possible; chance decides between equals."
    ),
    usage="E[FGR]TAI",
    example="SET PREFERENCE E[FGR]TAI",
    run=_preference,
    group="games",
)


# SET ADDRESS: where letters about one game go

_NONE = ("none", "no", "default", "-")


def _address(context: MessageContext, call: Call) -> Answer:
    state = context.cursor.here()
    assert context.sender.person is not None
    # Whoever forges an address must not send somebody's letters elsewhere.
    prove(context, state, TrustLevel.TOKEN)
    text = call.arguments.strip(" .<>").lower()
    known = {
        each.address: each for each in context.storage.people.addresses(context.sender.person.id)
    }
    chosen = [] if text in _NONE else re.split(r"[\s,;<>]+", text) if text else None
    if chosen is None:
        chosen = [context.incoming.sender]
    strange = [each for each in chosen if each not in known or not known[each].proved]
    if strange:
        raise Refused("not_your_address", write="SET ADDRESS", addresses=strange)
    for seat in context.cursor.own():
        seat.options = replace(seat.options, addresses=tuple(chosen))
        state.seat(seat)
    context.log("address chosen", {"count": len(chosen)})
    return Answer("address_chosen", {"game": state.game.name, "addresses": chosen})


ADDRESS = Command(
    words=("set address",),
    who="participants",
    summary="where letters about this game go",
    help=(
        "One or several addresses of yours; without any, the one you write from. They must be "
        "known to the judge as yours: I AM ALSO, or REGISTER with a line E-mail, adds one. "
        "NONE: your usual address again."
    ),
    usage="[address, ...]",
    example="SET ADDRESS ann@example.org",
    default="the address you write from",
    run=_address,
    as_self=True,
    group="games",
)


# SET PASSWORD and SET NO PASSWORD: a word without which, or a reply address, nobody acts


def set_password(context: MessageContext, call: Call) -> Answer:
    state = context.cursor.here()
    words = call.arguments.split()
    if len(words) != 1:
        raise Refused("which_password", write="SET NO PASSWORD")
    # Whoever forges an address must not lock its owner out.
    prove(context, state, TrustLevel.TOKEN)
    lock(context, context.cursor.seats, words[0])
    for seat in context.cursor.seats:
        state.seat(seat)
    context.log("password set")
    return Answer("password_set", {"game": state.game.name, "there": True})


def set_no_password(context: MessageContext, call: Call) -> Answer:
    state = context.cursor.here()
    prove(context, state, TrustLevel.TOKEN)
    for seat in context.cursor.seats:
        seat.password = None
        state.seat(seat)
    context.log("password removed")
    return Answer("password_set", {"game": state.game.name, "there": False})


PASSWORD = Command(
    words=("set password",),
    who="participants",
    personal=True,
    summary="a password for your part in this game (nobody needs one)",
    help=(
        "Mails that begin anew must then sign on with it (SIGN ON fparis password); answers to "
        "letters need none, for only you get those. It is never repeated, and nobody can read it "
        "here."
    ),
    usage="word",
    example="SET PASSWORD xyzzy42",
    run=set_password,
    group="games",
)

NO_PASSWORD = Command(
    words=("set no password",),
    who="participants",
    personal=True,
    summary="take back SET PASSWORD",
    help="Your address, or an answer to a letter, is then enough again.",
    example="SET NO PASSWORD",
    bare=True,
    run=set_no_password,
    group="games",
)


COMMANDS: tuple[Command, ...] = (
    STANDIN,
    NO_STANDIN,
    HTML,
    NO_HTML,
    DAILY,
    NO_DAILY,
    REMINDER,
    PREFERENCE,
    ADDRESS,
    PASSWORD,
    NO_PASSWORD,
)
