"""What people prefer: messages, reminders, addresses, passwords, and powers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from judge.game.clock.deadlines import read_reminders
from judge.game.fairness import BadPreferences, read_preferences
from judge.game.phases import begin_daily
from judge.game.state.answers import Answer, Refused
from judge.game.state.profile import TrustLevel
from judge.intake.authentication import lock, note, prove, words_of
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
    summary="offer to take over powers without a player",
    help=(
        "When a power is abandoned, I send you its position. To play it, send TAKE OVER. I ask "
        "again every two days while the game waits. REGISTER has it too, as `Stand-in: yes`."
    ),
    example="SET STANDIN",
    bare=True,
    run=wishing(lambda wishes: replace(wishes, stand_in=True), Answer("standin", {"wish": True})),
)

NO_STANDIN = Command(
    words=("set no standin", "set no stand-in"),
    who="anybody",
    personal=True,
    summary="undo SET STANDIN",
    help="I no longer tell you about powers that need a player.",
    example="SET NO STANDIN",
    bare=True,
    run=wishing(lambda wishes: replace(wishes, stand_in=False), Answer("standin", {"wish": False})),
)


# SET HTML and SET NO HTML: whether letters have an HTML part beside the plain text

HTML = Command(
    words=("set html",),
    who="anybody",
    summary="get messages with HTML and pictures (the default)",
    help=(
        "If your email program shows HTML, messages show the board and tables. The plain text "
        "next to it says the same."
    ),
    example="SET HTML",
    bare=True,
    run=wishing(lambda wishes: replace(wishes, html=True), Answer("html", {"wish": True})),
)

NO_HTML = Command(
    words=("set no html", "set plain"),
    who="anybody",
    summary="get messages as plain text only",
    help="You get messages without HTML and pictures. SET HTML undoes it.",
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
    summary="get a daily report on each game you run (the default)",
    help=(
        "Game masters get it at 7:00 in their own time zone: who has sent orders, who is late, "
        "who has set WAIT, and what they must decide. Reply to it with commands."
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
    summary="get no daily report on the games you run",
    help="STATUS still shows who has sent orders.",
    example="SET NO DAILY",
    bare=True,
    run=wishing(
        lambda wishes: replace(wishes, daily=False), Answer("daily", {"wish": False}), _begin
    ),
    group="masters",
)


# SET REMINDER: when players are reminded of missing orders


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
    summary="choose when I remind you of missing orders, in all your games",
    help=(
        "Write up to five times before the deadline, or NONE. I send each reminder once per "
        "deadline, and only if orders of yours are missing. The default is one reminder, 8 hours "
        "before. Calendar entries of deadlines have alarms at the same times."
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
    summary="say which powers you would like, before the game starts",
    help=(
        "Write the powers' letters in your order, with brackets around equal ones; * means any. "
        "Without preferences you get whichever power is left. I assign the powers so that all "
        "preferences together are met best. Between equals, chance decides."
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
    summary="choose where I send messages of this game",
    help=(
        "Write one or more of your addresses, or none for the address you write from. I must know "
        "each as yours: add one with I AM ALSO, or with an E-mail line in REGISTER. NONE restores "
        "your usual address."
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
    words = words_of(call.arguments)
    if len(words) != 1 or words[0] != call.arguments:
        for word in words:
            note(context, word)
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
    summary="set a password for your seat in this game (optional)",
    help=(
        "Messages that are not replies must then sign on with it (SIGN ON fparis password). "
        "Replies need none, because only you get my messages. I never repeat the password, and "
        "nobody can read it here."
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
    summary="remove your password in this game",
    help="Then your address, or a reply, is enough again.",
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
