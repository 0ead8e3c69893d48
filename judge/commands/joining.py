"""Ways into a game: CREATE, JOIN, OBSERVE, MONITOR, TAKE OVER, INVITE, and REPLACE."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from functools import cache
from itertools import islice

from judge import variants
from judge.commands import admission
from judge.commands.names_meant import (
    boards_near,
    new_game,
    power_named,
    settings_near,
    with_boards,
    words_with_seat,
)
from judge.commands.setting_values import split_variant
from judge.commands.waiting import Wish, forget, wait
from judge.events import At, Event, EventKind
from judge.game.fairness import seed_seal
from judge.game.people import muster, peace
from judge.game.people.entry import INVITED, begins_at, check, digest_of, is_barred, was_invited
from judge.game.state import State
from judge.game.state.answers import Answer, Refused
from judge.game.state.profile import JudgeProfile, TrustLevel
from judge.game.state.settings import CALLED_PACES, TABLE, PressRule, Settings
from judge.game.visibility.eyes import ANYBODY, Eyes
from judge.intake.arguments import can_name_game, check_no_tournament
from judge.intake.authentication import blanked_words, lock, prove
from judge.intake.authorization import check_welcome, ensure_registered
from judge.intake.command import CommandTable, example, summary
from judge.intake.context import Cursor, Log, MessageContext, Sender
from judge.intake.lines import Line
from judge.intake.offers import Offer, to_claim
from judge.intake.ways import MOST_NAMED, looking
from judge.language.vocabulary import LABELS
from judge.limits import BOUNDS
from judge.mail.message import ParsedMessage
from judge.rules.rulebook import editions
from judge.rules.variant import Variant
from judge.schedule.deadlines import Pace
from judge.storage import GameState, NameTaken, Person, Role, Seat, Storage

# CREATE: a new game

_SOLO = re.compile(r"(?:\A|[,;\s])\s*solo\s*(?=[,;\s]|\Z)", re.IGNORECASE)
"""What makes one person play all powers of a new game."""

_ALONE = Pace(clock=None, next=30 * 24, min=0, delay=0, grace=30 * 24)
"""The pace of games of one person: each phase runs as soon as all orders are there."""


def alone_settings(zone: str) -> Settings:
    """Return what holds in games of one person, who is not pressed for time."""
    none, pace = PressRule.NONE, _ALONE
    return Settings(
        zone=zone, people=1, press=none, rated=False, move=pace, retreat=pace, adjust=pace
    )


def new_game_command(context: MessageContext, call: Line) -> Answer:
    if not call.arguments.startswith("?"):
        return _create(context, call)
    with context.cursor.entering(f"CREATE {call.arguments.split()[0].rstrip(',;.')}"):
        return _create(context, call)


def _create(context: MessageContext, call: Line) -> Answer:
    check_welcome(context.cursor, context.profile, context.incoming)
    said, _, rest = call.arguments.partition(" ")
    text = rest if said.lower() in LABELS["game"] else call.arguments
    words = text.lstrip("? ").split(None, 1)
    name = words[0].lower().rstrip(",;.") if words else ""
    if not can_name_game(name):
        raise Refused("bad_game_name", write="CREATE ?paris", name=name)
    if name in variants.names() and not text.startswith("?"):
        # CREATE STANDARD: it has no name yet.
        raise Refused("bad_game_name", write=f"CREATE ?paris {name}", name="")
    said = words[1] if len(words) > 1 else ""
    alone = _SOLO.search(said) is not None
    variant, options = board_and_rest(_SOLO.sub(",", said).strip(" ,;"))
    usual = "" if alone else ",".join(context.profile.settings)
    begins, table = f"CREATE ?{name}", context.table
    found = options_of(context.sender, table, begins, variant, usual)
    found += options_of(context.sender, table, begins, variant, options)
    zone = context.sender.zone
    settings = alone_settings(zone) if alone else Settings(zone=zone)
    try:
        state = new_game(
            context.cursor,
            context.profile,
            context.now,
            context.seed,
            name,
            variant,
            settings,
            moderated=not alone,
        )
    except NameTaken:
        raise Refused("name_taken", write=f"CREATE ?{name}2", name=name) from None
    game = state.game
    role = Role.PLAYER if alone else Role.MASTER
    state.seats.keep(state.seats.new(ensure_registered(context).id, role, context.now))
    context.cursor.enter(state)
    context.cursor.created.add(game.id)
    context.log("created", {"variant": variant})
    problems, rows = [], []
    for option in found:
        assert option.command is not None
        try:
            answer = option.command.run(context, option)
            if answer.code == "setting":
                rows.append({each: answer.facts[each] for each in ("name", "new")})
        except Refused as refused:
            problem = refused.facts.get("problem", refused.code)
            problems.append({"line": option.text, "problem": problem})
    context.report.changes.pop(game.id, None)
    facts = {
        "seats": state.terms.places,
        "listed": state.settings.listed,
        "rulebook": state.rulebook.year,
        "address": context.profile.address,
        "options": rows,
        "problems": problems,
    }
    return Answer("solo" if alone else "created", _described(state) | facts)


def _described(state: State) -> dict[str, object]:
    """Return what is told of a game to those who come into it."""
    return {
        "game": state.game.name,
        "title": state.variant.title,
        "manual": state.settings.manual_start,
        "moderated": state.game.moderated,
        "settings": state.settings,
        "places": state.terms.places,
        "seal": seed_seal(state),
    }


def is_new_game(text: str, _: Variant) -> bool:
    """Return whether a text is a name for a new game, with a board and settings behind it if with
    any."""
    name, *more = text.lstrip("? ").split(None, 1)
    options = board_and_rest(more[0])[1] if more else ""
    pieces = filter(None, map(str.strip, re.split("[,;]", _SOLO.sub(",", options))))
    return can_name_game(name.rstrip(",;.")) and all(
        split_variant(each) or _begins_setting().match(each) for each in pieces
    )


@cache
def _begins_setting() -> re.Pattern[str]:
    words = {words for row in TABLE.values() for words in row.all_words}
    return re.compile(rf"(?:set )?(?:{'|'.join(map(re.escape, words))})\b", re.IGNORECASE)


def board_and_rest(text: str) -> tuple[str, str]:
    """Return the variant named at the beginning of `text` (standard where none is), and what
    follows."""
    text = with_boards(text)
    word, _, rest = text.strip().partition(" ")
    name = word.strip(",;").lower().replace("-", "_")
    if name in variants.names():
        return name, rest
    return "standard", text


def options_of(
    sender: Sender, table: CommandTable, begins: str, board: str, text: str
) -> list[Line]:
    """Return the settings named after the variant, parted by commas or blanks, each as the line
    that sets it; `begins` is what stands before them. Raises Refused for anything else."""
    variant, found = variants.load(board), list[Line]()
    for piece in filter(None, map(str.strip, re.split(r"[,;]", text))):
        words = re.sub(r"^set\s+", "", piece, flags=re.IGNORECASE).split()
        while words:
            for end in range(len(words), 0, -1):
                line = _option(table, variant, " ".join(words[:end]))
                if line is not None:
                    found.append(line)
                    words = words[end:]
                    break
            else:
                raise _bad_option(sender, table, begins, piece, " ".join(words))
    return found


def _option(table: CommandTable, variant: Variant, text: str) -> Line | None:
    """Return the line that sets what an option asks for; None where it is none."""
    lines = [f"SET {text}", f"SET PACE {CALLED_PACES.get(text.lower(), text)}"]
    if text in editions():
        lines.append(f"SET RULES {text}")
    if people := _PEOPLE.fullmatch(text):
        lines.append(f"SET PLAYERS {people[1]}")
    if split_variant(text):
        lines = [f"SET VARIANT {text}"]
    for line in lines:
        found = table.find(line)
        if found is not None and found[0].setting and found[0].fits(found[1], variant):
            return Line(line, "command", command=found[0], arguments=found[1])
    return None


_PEOPLE = re.compile(r"(\d{1,2})\s*(?:players?|people)", re.IGNORECASE)


def _bad_option(sender: Sender, table: CommandTable, begins: str, piece: str, text: str) -> Refused:
    """Say that what an option begins with is none, and how it is written if it has a value."""
    found = table.find(f"SET {text}")
    setting = found[0] if found is not None and found[0].setting else None
    near = [] if setting else _near(text)
    if password := "" if setting or near else blanked_words(f"{begins} {piece}"):
        # Other judges take a word here for a password.
        sender.secrets.add(password)
    example = setting.example.partition(" ")[2].partition("\n")[0] if setting else "standard"
    return Refused(
        "bad_option",
        write=f"{begins} {example}",
        option="" if password else text if setting else text.split()[0],
        value=setting is not None,
        hidden=bool(password),
        near=near,
    )


def _near(text: str) -> list[str]:
    """Return what an option that is none may begin with, misspelled."""
    first = text.split()[0]
    if first.isdecimal() and len(first) == len(editions()[0]):
        return list(editions())
    return settings_near(text) or boards_near(text) or boards_near(first)


# JOIN: take part in a game that is forming

_POLITE = {"please", "thanks", "thx", "now", "a", "game"}


def _words(storage: Storage, text: str) -> list[str]:
    """Return the words behind JOIN that mean something: a game, a password, wishes."""
    said = words_with_seat(storage, text.replace("?", " "))
    named = [word for word in said[:1] if _is_name(storage, word.rpartition("@")[2])]
    return named + [word for word in said[len(named) :] if word.lower().strip(".,!") not in _POLITE]


def _letter(state: State, power: str) -> str:
    """Return the letter of the power that a text names. Raises Refused."""
    wanted = power_named(state, power, f"JOIN {state.game.name}")
    return next(key for key, value in state.variant.letters.items() if value == wanted)


def _admit(
    cursor: Cursor, profile: JudgeProfile, incoming: ParsedMessage, now: datetime, state: State
) -> None:
    """Raise Refused where the writer may not join."""
    admission.admit(cursor, profile, incoming, state)
    if cursor.sender.person is not None:
        check(state, cursor.sender.person)
        if state.settings.listed and not state.settings.approval:
            admission.check_conduct(cursor.sender, cursor.storage, now)


def join(context: MessageContext, text: str) -> Answer:
    """Join the game named, as `paris` or `france@paris`; the next public one where none is.

    A word behind it is the password that the player's part is to have. Raises Refused.
    """
    words = _words(context.storage, text)
    password = words[1] if len(words) == 2 else None
    if password is not None:
        context.sender.secrets.add(password)
    power, _, name = words[0].rpartition("@") if words else ("", "", "")
    if _is_name(context.storage, name):
        state = context.cursor.game_named(name)
    else:
        wish = Wish.read(" ".join(words))
        found = _to_join(
            context.cursor, context.sender, name if wish is None or not wish.words else "", wish
        )
        if found is None:
            return wait(context, wish or Wish())
        state = found
    game = state.game
    seats = state.seats.of(context.sender.person_id)
    if any(seat.role == Role.PLAYER for seat in seats):
        # A message sent again is meant with the lines below it, too.
        context.cursor.enter(state)
        return Answer("already_in", {"game": game.name})
    if power and state.powers.open():
        return admission.take_over(context, state, power_named(state, power, f"JOIN {game.name}"))
    free = _free_places(state)
    preferences = _letter(state, power) if power else ""
    runs = game.moderated and any(seat.role == Role.MASTER for seat in seats)
    if runs:
        # It takes their powers away, which nobody else may do.
        prove(context.cursor, state, TrustLevel.TOKEN)
    prove(context.cursor, None)
    _admit(context.cursor, context.profile, context.incoming, context.now, state)
    person = ensure_registered(context)
    state.seats.leave(seat for seat in seats if seat.role == Role.OBSERVER)
    if person.options.waits_for_game:
        forget(state, person)
    seat = state.seats.new(person.id, Role.PLAYER, context.now, preferences=preferences)
    if password is not None:
        lock(context.sender, [seat], password)
    state.seats.keep(seat)
    if password is not None:
        context.sender.signed.add(seat.id)
    if runs:
        # Who plays must not see or decide more than the others.
        game.moderated = False
    context.cursor.enter(state)
    context.log("joined", {"person": person.id})
    facts = _joined(context.cursor, context.now, state, person, seat, free - 1, runs)
    return Answer("joined", facts | {"password": password is not None})


def _joined(
    cursor: Cursor, now: datetime, state: State, person: Person, seat: Seat, free: int, runs: bool
) -> dict[str, object]:
    """Tell of a new player, and return what the player reads of the game.

    Args:
        context: The message that joined.
        state: The game.
        person: The new player.
        seat: The player's seat.
        free: How many players it still takes.
        runs: Whether the player was its master before.
    """
    game = state.game
    asked = admission.newcomer(cursor.mail, state, seat)
    seen = Eyes(state, person.id)
    secret = seen.count is None
    # Masters hear of joiners once a day, and when the game is full; players, when it starts.
    full = not free and (state.settings.manual_start or not begins_at(state, now))
    quiet = full or (free > 0 and _told_lately(state, now))
    if not asked and ((game.moderated and not quiet) or (runs and not secret)):
        state.note(joined_told=now)
        cursor.tell(
            EventKind.JOINED,
            {"who": Eyes(state, ANYBODY).called(person), "free": free, "unmoderated": runs},
            masters=game.moderated,
        )
    admission.tell_if_full(cursor, state)
    facts = {
        "free": None if secret else free,
        "number": seen.number,
        "asks": muster.due_at(state, now) is not None,
        "moderated": game.moderated,
        "approval": asked,
        "unmoderated": runs,
        "letters": {
            letter: power
            for letter, power in state.variant.letters.items()
            if power in state.variant.played
        },
    }
    return _described(state) | admission.awaited(cursor, now, state) | facts


def _told_lately(state: State, now: datetime) -> bool:
    """Return whether the game's masters heard of a new player in the last day."""
    told = state.game.options.joined_told
    return told is not None and now - told < timedelta(days=1)


def _free_places(state: State) -> int:
    """Return how many players a game that has not started still takes. Raises Refused if none."""
    game = state.game
    if game.state == GameState.ENDED:
        raise Refused("game_over", game=game.name)
    if found := state.powers.open():
        write = f"TAKE OVER {found[0].lower()}@{game.name}"
        raise Refused("not_open", write=write, game=game.name, power=None, open=found)
    free = state.terms.free_places
    if game.state != GameState.FORMING or not free:
        raise Refused("game_full", write=f"OBSERVE {game.name}", game=game.name, state=game.state)
    return free


def _is_name(storage: Storage, word: str) -> bool:
    return bool(word) and storage.games.by_name(word.strip(".,;!?")) is not None


def _to_join(cursor: Cursor, sender: Sender, name: str, wish: Wish | None) -> State | None:
    """Return the game to join: the public one that has been looking for players longest and is as
    they wish, None where there is none. Raises Refused where another `name` was given."""
    if name:
        check_no_tournament(cursor.storage, name)
        names = [state.game.name for state in islice(looking(cursor), _MOST_LISTED)]
        write = tuple(f"JOIN {each}" for each in names[:MOST_NAMED])
        raise Refused("no_game_to_join", write, name=name, games=names)
    me = sender.person_id
    wish = wish or Wish()
    for state in looking(cursor, wish.board, wish.traits):
        joined = me in {seat.person_id for seat in state.seats.active(Role.PLAYER)}
        if not joined and wish.fits(state, me):
            return cursor.load(state.game.id)
    return None


_MOST_LISTED = 20
"""Games that are told to anyone who writes a wrong name."""


# OBSERVE: get a game's results and broadcasts


def observe(context: MessageContext, text: str, results_only: bool = False) -> Answer:
    """Make the writer an observer of the game that `text` begins with, `results_only` for nothing
    but results. An observer can change between the two. Raises Refused."""
    if not text:
        raise Refused("name_a_game", write="LIST")
    state = context.cursor.game_named(text.split()[0])
    if state.game.state == GameState.ENDED:
        raise Refused("game_over", game=state.game.name)
    prove(context.cursor, None)
    person = ensure_registered(context)
    seats = state.seats.of(person.id)
    now_so = context.cursor.eyes(state).results_only
    if now_so is results_only or any(seat.role != Role.OBSERVER for seat in seats):
        raise Refused("already_in", game=state.game.name)
    seat = seats[0] if seats else state.seats.new(person.id, Role.OBSERVER, context.now)
    state.seats.mark(seat, results_only=results_only)
    context.cursor.enter(state)
    context.log("observes", {"person": person.id})
    return Answer("observing", {"game": state.game.name, "results_only": results_only})


# TAKE OVER: become the player of a power that nobody plays


def take_over(context: MessageContext, call: Line) -> Answer:
    text = call.arguments.strip(" .!?")
    with context.cursor.entering(f"TAKE OVER {text}".rstrip()):
        return admission.take_over(context, *_named(context.cursor, context.storage, text))


def _named(cursor: Cursor, storage: Storage, text: str) -> tuple[State, str]:
    """Return the game and the power that `france@paris`, `fparis`, `paris` or `france` names."""
    name, _, game = text.partition("@")
    if game:
        state = cursor.game_named(game)
    elif storage.games.by_name(text) is not None:
        state, name = cursor.game_named(text), ""
    elif len(text) > 1 and storage.games.by_name(text[1:]) is not None:
        state, name = cursor.game_named(text[1:]), text[0]
    elif "@" not in text and cursor.state is not None:
        state = cursor.state
    else:
        raise Refused("no_such_game", write="LIST", name=text)
    if name:
        return state, power_named(state, name, f"TAKE OVER france@{state.game.name}")
    admission.check_begun(state)
    found = state.powers.open()
    if len(found) == 1:
        return state, found[0]
    write = f"TAKE OVER {found[0].lower()}@{state.game.name}" if found else "LIST"
    raise Refused("not_open", write=write, game=state.game.name, power=None, open=found)


# How people are asked into a game: INVITE and REPLACE, and SET NO INVITATIONS against them

_ADDRESS = re.compile(
    r"(?P<power>.*?)\s*\b(?:with|by)?\s*<?(?P<address>[^\s<>,;:@]+@[^\s<>,;:@]+)>?", re.IGNORECASE
)

_UNWILLING = "uninvited"
"""The keeper's list of those who want no invitations, as digests."""


def _read(text: str, write: str) -> tuple[str, str]:
    """Return the power and the address in a line. Raises Refused."""
    found = _ADDRESS.fullmatch(text.strip(" .!")[:_LONGEST])
    if found is None or "@" in found["power"]:
        # Two addresses need a line each.
        raise Refused("bad_address", write=write, address=text)
    return found["power"], found["address"].lower()


_LONGEST = 200


def _check(sender: Sender, storage: Storage, now: datetime, state: State, address: str) -> None:
    """Raise Refused where no invitation may go to an address any more."""
    if was_invited(storage, state.game.id, address):
        check_invited(sender, storage, now, "")
        raise Refused("was_invited", address=address, game=state.game.name)
    check_invited(sender, storage, now, address)


def check_invited(sender: Sender, storage: Storage, now: datetime, address: str) -> None:
    """Raise Refused where the sender has asked too many people today, or somebody has asked this
    one."""
    events, me = storage.events, sender.registered.id
    lately = events.lately(INVITED, now - timedelta(days=1))
    if sum(each.facts["by"] == me for each in lately) >= BOUNDS.invitations:
        raise Refused("too_many_invited", most=BOUNDS.invitations)
    digest = digest_of(storage, address)
    if any(each.facts["to"] == digest for each in lately):
        raise Refused("was_invited", address=address, game=None)


def will_not_be_asked(sender: Sender, storage: Storage, log: Log, address: str) -> bool:
    """Note that the sender asks somebody to play; whether they are not to be written to."""
    digest = digest_of(storage, address)
    log(INVITED, {"by": sender.registered.id, "to": digest})
    unwilling = storage.keeper_settings.get(_UNWILLING) or ()
    return digest in unwilling or is_barred(storage, [address])


def _write(
    cursor: Cursor, profile: JudgeProfile, log: Log, state: State, address: str, power: str | None
) -> None:
    """Invite somebody to a game, or to play a power in it, unless they may not or will not come."""
    person = cursor.storage.people.by_address(address)
    if will_not_be_asked(cursor.sender, cursor.storage, log, address) or (
        person is not None and peace.at_odds(person, cursor.sender.registered)
    ):
        return
    if person is not None and state.seats.of(person.id):
        return
    name = state.game.name
    line = f"{'OBSERVE' if state.terms.private else 'JOIN'} {name}"
    if power is not None:
        line = f"TAKE OVER {power.lower()}@{name}"
    facts = _described(state) | {
        "who": None if state.terms.hides_people else cursor.sender.registered.name,
        "power": power,
        "watch": state.terms.private,
        "line": line,
        "zone": profile.zone_of(person),
    }
    cursor.events.append(
        Event(
            kind=EventKind.INVITATION,
            to=At(address, person.id if person else None),
            facts=facts,
            mail_id=cursor.mail.id,
            claim=to_claim([Offer(line, no="SET NO INVITATIONS")]),
        )
    )


def invite(
    cursor: Cursor, profile: JudgeProfile, now: datetime, log: Log, state: State, call: Line
) -> Answer:
    _, address = _read(call.arguments, example("invite"))
    if state.game.state != GameState.FORMING and not state.terms.private:
        raise Refused("has_started", game=state.game.name)
    if not any(seat.role != Role.OBSERVER for seat in cursor.mine()):
        raise Refused("players_only", game=state.game.name, would=summary("invite"))
    prove(cursor, state, TrustLevel.TOKEN)
    _check(cursor.sender, cursor.storage, now, state, address)
    _write(cursor, profile, log, state, address, None)
    return Answer("invited", {"address": address, "game": state.game.name, "power": None})


def replace(
    cursor: Cursor, profile: JudgeProfile, now: datetime, log: Log, state: State, call: Line
) -> Answer:
    word, address = _read(call.arguments, example("replace"))
    power = power_named(state, word, example("replace"))
    _check(cursor.sender, cursor.storage, now, state, address)
    seat = state.seats.player(power)
    if seat is not None and seat.person_id is not None:
        who = cursor.eyes(state).name_of(seat)
        cursor.sender.confirm(
            "replacing", game=state.game.name, who=who, power=power, address=address
        )
        admission.end_part(
            cursor, now, log, state, [each for each in state.seats.of(seat.person_id) if each.power]
        )
    elif power not in state.powers.open():
        raise Refused("nobody_plays", game=state.game.name, power=power)
    else:
        prove(cursor, state, TrustLevel.TOKEN)
    _write(cursor, profile, log, state, address, power)
    return Answer("invited", {"address": address, "game": state.game.name, "power": power})


def set_invitations(storage: Storage, incoming: ParsedMessage, wanted: bool) -> Answer:
    mine = digest_of(storage, incoming.sender.lower())
    kept = [each for each in storage.keeper_settings.get(_UNWILLING) or () if each != mine]
    storage.keeper_settings.put(_UNWILLING, (kept if wanted else [*kept, mine]) or None)
    return Answer("invitations", {"wanted": wanted})


def join_command(context: MessageContext, call: Line) -> Answer:
    return join(context, call.arguments)


def observe_command(context: MessageContext, call: Line, results_only: bool = False) -> Answer:
    return observe(context, call.arguments, results_only)
