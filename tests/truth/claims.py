"""What letters say of games in general, and whether it is so in the game at hand.

A sentence is known by its English in the templates, whatever language it is said in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from judge.game.clock import game_clock
from judge.game.people import lateness
from judge.game.state import State
from judge.game.state.sheet import Sheet
from judge.i18n import gettext, language, speaking
from judge.render import due_in, soon, when
from judge.storage import GameState, Person, Role, Seat, SeatState
from tests.game.play import Play, Received
from tests.truth.hearing import Sentence


class Said(NamedTuple):
    """A sentence of a letter: the game it is about, its reader, their seats and zone, and its
    facts."""

    play: Play
    state: State
    reader: Person
    mine: list[Seat]
    facts: Mapping[str, Any]

    @property
    def zone(self) -> str:
        return self.play.judge.profile.zone_of(self.reader)

    @property
    def waits(self) -> bool:
        return any(seat.wait for seat in self.mine) or self.state.settings.always_wait

    @property
    def in_time(self) -> bool:
        """Whether the deadline of the open phase is still to come."""
        deadline = self.state.game.deadline
        return deadline is not None and deadline > self.play.clock.now()

    def sheet(self, seat: Seat) -> Sheet:
        """The orders of a seat of the reader."""
        return self.state.sheets.of(seat.power or "")

    @property
    def others(self) -> set[int]:
        """The people besides the reader who play."""
        players = {each.person_id for each in self.state.seats.active(Role.PLAYER)}
        bots = {each.person_id for each in self.state.seats if each.options.bot}
        return {each for each in players - bots if each is not None} - {self.reader.id}

    def is_time(self, *moments: datetime | None) -> bool:
        """Whether the sentence tells one of these times."""
        now, told = self.play.clock.now(), self.facts["time"]
        return any(
            told in (soon(each, self.zone, now), full, full.replace(f" {each.year}", ""))
            for each in moments
            if each is not None
            for full in [when(each, self.zone)]
        )

    def powers(self, name: str = "powers") -> list[str]:
        """The powers that a fact names."""
        said = str(self.facts[name])
        return [each for each in self.state.variant.powers if _power_in(each, said)]


def _power_in(power: str, text: str) -> bool:
    return bool(re.search(rf"\b({re.escape(power)}|{re.escape(gettext(power))})\b", text))


Holds = Callable[[Said], object]


def _all(*claims: Holds) -> Holds:
    return lambda said: all(each(said) for each in claims)


def _no(claim: Holds) -> Holds:
    return lambda said: not claim(said)


def in_time(said: Said) -> object:
    return said.in_time


def private(said: Said) -> object:
    return said.state.terms.private


def waits(said: Said) -> object:
    return said.waits


def caretaker(said: Said) -> object:
    return said.state.terms.caretaker and not said.state.terms.private


def nmr(said: Said) -> object:
    return said.state.terms.nmr


def _deadline(said: Said) -> object:
    deadline, now = said.state.game.deadline, said.play.clock.now()
    return said.is_time(deadline) and deadline and said.facts["left"] == due_in(deadline, now)


def _earliest(said: Said) -> object:
    return said.is_time(game_clock.earliest(said.state, said.play.clock.now()))


def _free_at(said: Said) -> object:
    """The time at which a power of the reader is free for others, or the caretaker's."""
    found = [lateness.abandoned_at(said.state, seat) for seat in said.mine]
    return said.is_time(*found, said.state.game.grace_end)


def _grace(said: Said) -> object:
    return said.is_time(said.state.game.grace_end)


def _incomplete(said: Said) -> object:
    powers = said.powers("power") if "power" in said.facts else []
    return powers and all(not said.state.sheets.of(each).complete for each in powers)


def _complete(said: Said) -> object:
    return all(said.state.sheets.of(each).complete for each in said.powers("power"))


def _count_missing(said: Said) -> object:
    (power,) = said.powers("power")
    sheet = said.state.sheets.of(power)
    known = [sheet.missing, len(sheet.rows)] if "all" in said.facts else [sheet.missing]
    return [said.facts["count"], *filter(None, [said.facts.get("all")])][: len(known)] == known


def _owes_nothing(said: Said) -> object:
    return all(each not in said.state.owed for each in said.powers("power"))


def _late(said: Said) -> object:
    return not said.in_time and set(said.powers()) == set(said.state.sheets.missing())


def _in(condition: str) -> Holds:
    def holds(said: Said) -> object:
        found = {str(said.state.powers.condition(each)) for each in said.powers()}
        return found == {condition}

    return holds


def _caretaker_does(said: Said) -> object:
    return set(said.powers()) <= set(said.state.powers.in_care())


def _forms(said: Said) -> object:
    # It may be another game than the one that the letter is about.
    state = _named(said)
    return (
        state is not None
        and state.game.state is GameState.FORMING
        and int(said.facts["players"]) == len(state.seats.active(Role.PLAYER))
        and int(said.facts["all"]) == state.terms.places
    )


def _named(said: Said) -> State | None:
    game = said.play.storage.games.by_name(str(said.facts["game"]))
    return None if game is None else State(said.play.storage, game)


def _free(said: Said) -> object:
    return int(said.facts["count"]) == said.state.terms.free_places


def _in_state(*states: GameState) -> Holds:
    def holds(said: Said) -> object:
        state = _named(said)
        return state is not None and state.game.state in states

    return holds


def _reads_others(said: Said) -> object:
    """Whether others than the reader could read what goes to everybody."""
    return len(said.state.seats.everybody()) > 1


def _of(power: str) -> Holds:
    return lambda said: set(said.powers(power)) <= {seat.power for seat in said.mine}


def _several(said: Said) -> object:
    return len(said.mine) > 1


def _zone(said: Said) -> object:
    return str(said.facts["zone"]) == said.zone


def _votes_at(said: Said) -> object:
    return any(seat.draw and seat.draw.share is not None for seat in said.mine)


_NOT_BEFORE = _all(in_time, _no(waits), _no(private))
_IF_LATE = _all(in_time, _incomplete, _no(private), _free_at)

CLAIMS: dict[str, Holds] = {
    # When a phase runs, and what can be changed until then
    "I adjudicate the phase soon after everyone's orders are in, at the deadline at the latest. "
    "Until then you can change anything; SET WAIT makes me wait for the deadline.": _NOT_BEFORE,
    "I adjudicate the phase once everyone's orders are in, not before %(time)s and at the deadline "
    "at the latest. Until then you can change anything; SET WAIT makes me wait for the deadline.": (
        _all(_NOT_BEFORE, _earliest)
    ),
    "I adjudicate this phase once everyone's orders are in, not before %(time)s and at its "
    "deadline at the latest.": _all(in_time, _no(waits), _no(private), _earliest),
    "I adjudicate a phase soon after everyone's orders are in, at its deadline at the latest.": (
        _all(in_time, _no(waits), _no(private))
    ),
    "I adjudicate the phase at its deadline. Until then you can change anything.": (
        _all(in_time, waits)
    ),
    "I adjudicate the phase as soon as nobody's orders are missing. Until then you can change "
    "anything.": _no(in_time),
    "I adjudicate the phase as soon as I have all orders of %(power)s. Nobody is in a hurry.": (
        _all(private, _incomplete)
    ),
    "I adjudicate a phase as soon as I have all your orders.": private,
    "I adjudicate the phase as soon as all orders are in. PROCESS does it at once, with the orders "
    "there are; BACK takes the last phase back.": _all(
        private, lambda said: said.state.sheets.missing()
    ),
    "I adjudicate as soon as I have all your orders; PROCESS does it with those there are.": (
        private
    ),
    "BACK takes the last phase back.": lambda said: (
        said.state.terms.private and said.state.storage.history.of_game(said.state.game.id)
    ),
    "Reply as often as you like until the phase is adjudicated: a message with builds or removals "
    "replaces all you sent before. HELP on a line by itself explains the rest.": _no(_several),
    "Reply as often as you like until the phase is adjudicated: a message with builds or removals "
    "of a power replaces all you sent for it before. HELP on a line by itself explains the rest.": (
        _several
    ),
    "A phase runs at its deadline, even if all orders are in.": lambda said: (
        said.state.settings.always_wait
    ),
    "Change what you like: PROCESS adjudicates it.": lambda said: said.state.terms.of_one,
    "WAIT is set, so I adjudicate at the deadline (SET NO WAIT undoes that).": lambda said: (
        said.in_time and any(seat.wait for seat in said.mine)
    ),
    "I will not adjudicate %(phase)s before its deadline.": in_time,
    "The deadline of %(phase)s is over, so I adjudicate it as soon as nobody's orders are "
    "missing.": (_no(in_time)),
    "Deadline: %(time)s, %(left)s.": _deadline,
    "Due %(time)s, %(left)s": _all(
        _deadline, lambda said: any(not said.sheet(s).complete for s in said.mine)
    ),
    "It is later than usual because somebody is away, or for a public holiday.": in_time,
    "Not all orders for %(phase)s are in. The deadline is %(time)s.": lambda said: (
        said.state.sheets.missing() and said.is_time(said.state.game.deadline)
    ),
    "Your own orders are in. You can still change them until the phase is adjudicated.": (
        lambda said: all(said.sheet(seat).complete for seat in said.mine)
    ),
    "Of two orders for one unit in a message, the first counts.": lambda said: (
        said.state.rulebook.twice_ordered == "a"
    ),
    "The phase waits for your word until its deadline. SET NO WAIT says that you convert "
    "nothing.": (
        lambda said: {seat.power for seat in said.mine} & set(said.state.sheets.undecided())
    ),
    # What follows where orders do not come
    "If orders of %(power)s are missing at the deadline, I tell everyone that they are late, and "
    "the game waits. If they have not come by %(time)s, the caretaker, a computer, plays %(power)s "
    "until you write again or somebody else takes over.": _all(_IF_LATE, caretaker),
    "The game waits for the orders of %(power)s. If they have not come by %(time)s, the caretaker, "
    "a computer, plays %(power)s until you write again or somebody else takes over.": _all(
        _no(in_time), _incomplete, caretaker, _free_at
    ),
    "If orders of %(power)s are missing at the deadline, I tell everyone that they are late, and "
    "the game waits. If they have not come by %(time)s, others can take %(power)s over.": (
        _all(_IF_LATE, _no(caretaker), _no(nmr))
    ),
    "If orders are missing then, the game waits. After the grace period a computer plays a power "
    "without orders until somebody sends some.": caretaker,
    "If orders are missing then, the game waits. After the grace period I adjudicate without "
    "them.": nmr,
    "If orders are missing then, the game waits. After the grace period others can take over a "
    "power without orders.": _all(_no(caretaker), _no(nmr)),
    "I adjudicate the phase as soon as everything is there. From %(time)s on, the caretaker, a "
    "computer, orders for powers without orders, and others can take them over.": _all(
        caretaker, _no(in_time), _grace
    ),
    "The deadline has passed, and orders are missing.": lambda said: (
        said.state.sheets.missing() and not said.in_time
    ),
    "The deadline has passed, and %(powers)s is late.": _late,
    "%(powers)s, your orders are late": lambda said: (
        not said.in_time
        and set(said.powers())
        == {seat.power for seat in said.mine} & set(said.state.sheets.unfinished())
    ),
    "%(powers)s is late with orders for %(phase)s.": _late,
    "The orders of %(powers)s are in.": lambda said: (
        not (set(said.powers()) & set(said.state.sheets.unfinished()))
    ),
    "These powers have something to order: %(powers)s.": lambda said: (
        set(said.powers()) == set(said.state.owed)
    ),
    "Nobody plays %(powers)s. The caretaker, a computer, orders for it and defends it until its "
    "player is back or somebody else plays it: %(line)s": _in("caretaker"),
    "Nobody plays %(powers)s, and the game waits for somebody who does: %(line)s": _in("abandoned"),
    "The player of %(power)s in %(game)s is back and plays on.": lambda said: all(
        said.state.seats.player(each) for each in said.powers("power")
    ),
    "Until then the caretaker, a computer, orders for %(powers)s, and nobody waits. I ask everyone "
    "who offered to stand in, now and once a week.": _caretaker_does,
    "Orders of %(powers)s for %(phase)s in %(game)s are still missing. %(powers)s counts as "
    "abandoned and is free for others to take over.": lambda said: (
        set(said.powers()) <= set(said.state.powers.open())
    ),
    "Orders of yours for %(phase)s in %(game)s are still missing, so %(powers)s counts as "
    "abandoned and is free for others to take over. It is still yours: write anything that is "
    "about the game, best of all your orders, and you play it again.": _all(
        _of("powers"), lambda said: set(said.powers()) <= set(said.state.powers.open())
    ),
    "Orders of yours for %(phase)s in %(game)s are still missing. The game waits for you: send "
    "your orders, and it goes on. RESIGN ends it.": private,
    # How far the orders are
    "%(power)s: all orders are in.": _complete,
    "%(power)s: everything is decided.": _complete,
    "%(power)s: %(count)s order of %(all)s is missing.": _count_missing,
    "%(power)s has nothing to decide in %(phase)s.": _owes_nothing,
    "%(power)s has no unit and no supply center left. You may stay and watch.": lambda said: (
        not (any(map(said.state.powers.alive, said.powers("power"))))
    ),
    "All orders are in.": lambda said: not any(said.sheet(seat).missing for seat in said.mine),
    "%(count)s order is missing.": lambda said: (
        int(said.facts["count"]) == sum(said.sheet(seat).missing for seat in said.mine)
    ),
    # Who sees what
    "No other player sees your orders before that.": lambda said: bool(said.others),
    "Nobody sees this game but you and whom you INVITE to watch.": private,
    "This is a gunboat game: while it runs, nobody learns who plays what (HELP gunboat).": (
        lambda said: said.state.settings.gunboat and not said.state.game.moderated
    ),
    "This is a gunboat game: while it runs, no player learns who plays what; the game master "
    "knows (HELP gunboat).": (
        lambda said: said.state.settings.gunboat and said.state.game.moderated
    ),
    "Who plays is told when the game is over.": lambda said: (
        said.state.terms.hides_people and said.state.settings.reveal
    ),
    "There is no press in this game: players do not write to each other.": lambda said: (
        said.state.settings.press == "none"
    ),
    "To write to other players, put this in a message to me, above or below your orders:": (
        lambda said: said.state.settings.press != "none" and said.others
    ),
    "BROADCAST instead of PRESS TO ... writes to everybody.": lambda said: (
        said.state.settings.press != "none" and said.others
    ),
    "Your vote is secret and holds for %(phase)s.": _votes_at,
    "%(power)s votes for a draw of all survivors.": _all(_of("power"), _votes_at),
    "The vote of %(powers)s for a draw has ended. To cast it again, reply %(line)s": (
        _all(_of("powers"), _no(_votes_at))
    ),
    # Whose game it is, and how it ends
    "You play all these powers. Reply with one line for each unit that is to do something, then "
    "PROCESS: units without an order hold. LEGAL MOVES shows where units can go, MAP the board, "
    "BACK takes back the last phase.": lambda said: private(said) and len(said.mine) > 1,
    "Your practice game %(game)s (%(title)s) starts now: computers play the other powers.": (
        lambda said: said.state.terms.practice and said.facts["game"] == said.state.game.name
    ),
    "%(title)s, rulebook of %(rulebook)s. The first player to own %(victory)s supply centers after "
    "a %(seasons)s turn wins.": lambda said: int(said.facts["victory"]) == said.state.victory,
    "All survivors together can end it as a draw (SET DRAW).": lambda said: (
        set(said.state.powers.survivors()) != {seat.power for seat in said.mine}
    ),
    "To say something to everyone now that it is over, reply with STATEMENT, your lines below it, "
    "and END.": _reads_others,
    "Nobody is playing, so there is no result.": lambda said: (
        said.state.game.outcome and not said.state.game.outcome.winners
    ),
    "HISTORY %(game)s FROM %(phase)s brings all results again.": lambda said: (
        said.state.storage.history.of_game(said.state.game.id)
    ),
    "%(game)s is over.": _in_state(GameState.ENDED),
    "%(game)s is over. SUMMARY %(game)s shows how it went.": _in_state(GameState.ENDED),
    # How many play, and what a game waits for
    "%(game)s is forming: %(players)s of %(all)s players have joined.": _forms,
    "%(who)s has joined %(game)s. %(count)s power is still free.": _free,
    "All powers are taken: the game starts now, and I send you a message with your power.": (
        lambda said: said.state.terms.free_places == 0
    ),
    "It has room for %(count)s player. Ask your friends to send a message to %(address)s with the "
    "line": _free,
    "May strangers find it? Then send SET LIST; now only people who know its name can join.": (
        lambda said: not said.state.settings.listed
    ),
    "Your preferences: none, you take what the others leave.": lambda said: any(
        not seat.preferences for seat in said.mine
    ),
    "The game %(game)s (%(title)s, rulebook of %(rulebook)s) is open, and you are its game "
    "master.": lambda said: said.state.game.moderated,
    "You ask for %(what)s. The game master decides, and I tell you. Until then nothing changes.": (
        lambda said: said.state.game.moderated and said.state.game.options.proposals
    ),
    "You take part in no game that is running. LIST shows which need people.": lambda said: (
        not (list(said.play.storage.games.of_person(said.reader.id, [GameState.ACTIVE])))
    ),
    "There are no public games yet.": lambda said: (
        not any(
            State(said.play.storage, game).settings.listed
            for game in said.play.storage.games.all([GameState.FORMING, GameState.ACTIVE])
        )
    ),
    "Times are shown in %(zone)s: SET MY TIME ZONE changes that, REGISTER your name.": _zone,
    "Times in messages to you are now those of %(zone)s.": _zone,
    "Messages to you are now in this language: %(language)s.": lambda said: (
        said.reader.language == language()
    ),
}
"""The sentences, and what must hold where one is said."""


def untrue(play: Play, letter: Received, said: Iterable[Sentence], met: set[str]) -> Iterator[str]:
    """What a letter says that is not so now; `met` is filled with the claims that it makes."""
    game = play.storage.games.by_name(re.split(r"[ ,-]", letter.subject.partition("JUDGE:")[2])[0])
    person = play.storage.people.by_address(letter.to)
    if person is None:
        return
    for sentence in said:
        if sentence.message not in CLAIMS:
            continue
        if game is None and "game" in sentence.facts:
            game = play.storage.games.by_name(str(sentence.facts["game"]))
        if game is None:
            continue
        state = State(play.storage, game)
        mine = [
            seat
            for seat in state.seats
            if seat.person_id == person.id and seat.role is Role.PLAYER
            if seat.state in (SeatState.ACTIVE, SeatState.ABANDONED)
        ]
        met.add(sentence.message)
        with speaking(person.language or "en"):
            if not CLAIMS[sentence.message](Said(play, state, person, mine, sentence.facts)):
                yield f"{letter.to}, {letter.kind}, {letter.subject}: {sentence.said}"
