"""Why an order ended as it did, read off the resolver's decisions.

`Story` has the sentence for each result of a movement phase; `argument` the whole case for one
order, step by step, with the rules it rests on. Nothing here decides anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from judge.rules import bombs_told
from judge.rules.bombs import Strikes
from judge.rules.closures import closures
from judge.rules.lineup import of_phase
from judge.rules.modules import seams
from judge.rules.movement import SUCCEEDS, Resolver
from judge.rules.orders import Convoy, Move, Order, Support, Waive
from judge.rules.outcome import Reason
from judge.rules.phase import Kind
from judge.rules.planner import AID, BOMB, CONVOY, SUPPORT, planner
from judge.rules.position import Position
from judge.rules.rulebook import Rulebook
from judge.rules.submission import BY_SEA, LAND, Submission, submit
from judge.rules.variant import Variant

_NUMBERS: Final = (
    "none",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)

RULES: Final[Mapping[str, str]] = {
    "equal": "rule 3: units of equal strength trying to occupy the same province all stay",
    "standoff": "rule 4: a standoff does not dislodge a unit that is there already",
    "blocked": "rule 5: one unit not moving can stop a series of other units from moving",
    "head on": "rule 6: units cannot trade places without the use of a convoy",
    "circle": "rule 7: three or more units can rotate",
    "hold": "rule 8: a unit not ordered to move is supported where it stands",
    "match": "rule 9: a unit ordered to move is supported only by an order for that very move",
    "elsewhere": "rule 10: a dislodged unit still causes a standoff elsewhere",
    "no effect": "rule 11: a dislodged unit has no effect on the province that dislodged it",
    "own unit": "rule 12: no country dislodges its own unit or helps to dislodge it",
    "cut": "rule 13: a support is cut by an attack from anywhere but where it is given to",
    "fallen": "rule 14: a support is cut when its unit is dislodged",
    "own cut": "rule 16: an attack on a unit of the same country cuts no support",
    "convoy": "rule 17: the dislodgment of a fleet a convoy needs makes the convoy fail",
    "swap": "rule 19: two units can exchange places if either is convoyed",
    "routes": "rule 20: one open route is enough for a convoy",
    "landing": "rule 21: a convoyed army does not cut a support against a fleet it needs",
    "other route": "rule 22: with another route open it does",
    "impossible": "an impossible order leaves the unit holding (DATC 4.E.1)",
    "chain": "Global Diplomacy, XII+: a bomb falls if every unit on its way carries it",
    "stopped": "Global Diplomacy, XII+: any attack on one of these units stops the bomb",
    "falls": "Global Diplomacy, XII+: bombs fall after movement and before retreats",
    "paradox": "a landing may not decide about its own convoy (DATC 4.A.2)",
}
"""The rules arguments rest on: numbers are those of the list of 22 in the 2023 rulebook."""


def count(number: int) -> str:
    """A strength in words: `one`, `two`."""
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def listed(names: Iterable[str], last: str = "and") -> str:
    """Names as a list in words: `a, b and c`."""
    *head, tail = names
    return f"{', '.join(head)} {last} {tail}" if head else tail


class Story:
    """Tells what became of the orders of one movement phase, from the decisions that were made."""

    __slots__ = ("_called", "resolver", "strikes", "sub", "variant")

    def __init__(
        self,
        variant: Variant,
        sub: Submission,
        resolver: Resolver,
        strikes: Strikes | None = None,
    ) -> None:
        self.variant = variant
        self.sub = sub
        self.resolver = resolver
        self.strikes = strikes
        self._called: dict[int, str] = {}

    # -- reasons ------------------------------------------------------------------------------

    def why_not_moved(self, u: int) -> Reason:
        """The reason of a move that failed."""
        sub, resolver = self.sub, self.resolver
        if sub.sails[u] == BY_SEA and not resolver.gets_there(u):
            if self.resolver.had_route(u):
                return Reason.CONVOY_DISRUPTED
            return Reason.NO_CONVOY
        facing = sub.at[sub.dest[u]]
        if facing < 0 or sub.owner[facing] != sub.owner[u] or sub.helpers[u] is None:
            return Reason.BOUNCED
        if sub.dest[facing] >= 0 and resolver.state[facing] == SUCCEEDS:
            return Reason.BOUNCED
        return Reason.OWN_UNIT if resolver.would_win(u) else Reason.BOUNCED

    def silenced(self, u: int) -> bool:
        """Whether the paradox rule keeps the convoying fleet u from carrying."""
        return any(u in fleets for fleets in self.resolver.paradoxes)

    # -- names --------------------------------------------------------------------------------

    def place(self, number: int) -> str:
        """The name of a place, as it stands within a sentence."""
        return self.sub.planner.geometry.spoken[number]

    def who(self, u: int) -> str:
        """A unit in words: `the Russian army from Warsaw` when it moves, else `... in Warsaw`."""
        called = self._called.get(u)
        if called is None:
            sub = self.sub
            power = sub.owner[u]
            nation = self.variant.adjectives.get(power, power)
            kind = sub.planner.kind(sub.units[u]).name
            link = "in" if sub.dest[u] < 0 else "from"
            called = self._called[u] = f"the {nation} {kind} {link} {self.place(sub.where[u])}"
        return called

    def listed(self, units: Iterable[int]) -> str:
        """Several units in words."""
        return listed(map(self.who, units))

    def own(self, u: int) -> str:
        """The same for a unit of the power that is spoken to: `its own army in Warsaw`."""
        sub = self.sub
        link = "in" if sub.dest[u] < 0 else "from"
        kind = sub.planner.kind(sub.units[u]).name
        return f"its own {kind} {link} {self.place(sub.where[u])}"

    # -- sentences ----------------------------------------------------------------------------

    def tell(self, number: int) -> str:
        """The sentence for an entry of the submission, or for the unit -1 - `number`."""
        told = self._tell(number)
        if self.strikes is None:
            return told
        u = -1 - number if number < 0 else self.sub.whom[number]
        return told + bombs_told.destroyed(self, u)

    def _tell(self, number: int) -> str:
        sub = self.sub
        if number < 0:
            u = -1 - number
            if sub.dest[u] >= 0:
                return f"no order was given, but others of its power implied it; {self._move(u)}"
            fall = self.fall(u)
            return f"no order was given; {fall}" if fall else "no order was given, so it held"
        u = sub.meant(number)
        fate = sub.fates.get(number) if sub.fates else None
        if fate is not None:
            told = fate.problem or self._unmatched(u)
            if fate.reason is Reason.VOID and u >= 0:
                told += self._instead(u, sub.orders[number])
            fall = self.fall(u) if sub.whom[number] >= 0 else ""
            return f"{told}; it was {fall}" if fall else told
        if sub.dest[u] >= 0:
            return self._move(u)
        if sub.aim[u] >= 0:
            return self._support(u)
        plan = sub.plans[u]
        if plan is not None and plan.kind == CONVOY:
            return self._convoy(u)
        fall = self.fall(u)
        if plan is not None and plan.kind == BOMB and self.strikes is not None:
            told = bombs_told.told(self, u)
            return f"{told}; it was {fall}" if fall else told
        return fall or self._held(u)

    def fall(self, u: int) -> str:
        """`dislodged by ..., two against one`, or nothing when the unit was not dislodged."""
        attacker = self.resolver.dislodged(u)
        if attacker < 0:
            return ""
        attack = self.resolver.attack(attacker)
        defence = self.resolver.defence(u, attacker)
        score = f", {count(attack)} against {count(defence)}"
        return f"dislodged by {self.who(attacker)}{score}"

    def _held(self, u: int) -> str:
        attackers = [a for a in self._arriving(u) if self.resolver.gets_there(a)]
        if not attackers:
            return "held"
        return f"held against {listed(self.who(a) for a in attackers)}"

    def _arriving(self, u: int) -> Sequence[int]:
        return self.sub.arriving[self.sub.where[u]] or ()

    def _rivals(self, u: int) -> Sequence[int]:
        """The units that move where u moves, itself among them."""
        return self.sub.arriving[self.sub.dest[u]] or ()

    def _move(self, u: int) -> str:
        resolver, sub = self.resolver, self.sub
        if resolver.state[u] != SUCCEEDS:
            told = self._stayed(u)
            fall = self.fall(u)
            return f"{told}; it was {fall}" if fall else told
        there = self.place(sub.dest[u])
        facing = sub.at[sub.dest[u]]
        if facing < 0 and not sub.sails[u] and len(self._rivals(u)) == 1:
            return f"moved to {there}"
        by_sea = " by convoy" if resolver.by_sea(u) else ""
        if facing >= 0 and resolver.dislodged(facing) == u:
            score = f"{count(resolver.attack(u))} against {count(resolver.defence(facing, u))}"
            return f"arrived{by_sea} and dislodged {self.who(facing)}, {score}"
        rivals = [
            v for v in self._rivals(u) if v != u and resolver.gets_there(v) and resolver.prevents(v)
        ]
        if rivals:
            best = max(rivals, key=resolver.prevents)
            score = f"{count(resolver.attack(u))} against {count(resolver.prevents(best))}"
            return f"arrived{by_sea} ahead of {listed(map(self.who, rivals))}, {score}"
        for circle in resolver.circles:
            if u in circle:
                if len(circle) == 2:
                    return f"changed places with {self.who(facing)}{by_sea}"
                return f"moved to {there}{by_sea}, one of a ring of units changing places"
        return f"moved to {there}{by_sea}"

    def _stayed(self, u: int) -> str:
        """Why a move failed."""
        sub, resolver = self.sub, self.resolver
        plain = sub.helpers[u] is None and not sub.sails[u]
        reason = Reason.BOUNCED if plain else self.why_not_moved(u)
        there = self.place(sub.dest[u])
        if reason is Reason.NO_CONVOY:
            if sub.fleets.get(u):
                fleets = listed(map(self.who, sub.fleets[u]))
                return f"{fleets} alone could not carry it to {there}"
            return f"no fleet was ordered to convoy it to {there}"
        if reason is Reason.CONVOY_DISRUPTED:
            return self._broken(u)
        facing = sub.at[sub.dest[u]]
        if reason is Reason.OWN_UNIT:
            tried = ", which could not leave" if sub.dest[facing] >= 0 else ""
            return f"no power dislodges its own unit, here {self.own(facing)}{tried}"
        attack = resolver.attack(u)
        blocker, defence = resolver.blocker(u)
        score = f"{count(attack)} against {count(defence)}"
        if blocker != facing:
            told = f"bounced with {self.who(blocker)}, {score}"
        elif sub.owner[facing] == sub.owner[u]:
            if resolver.head_on(u):
                return f"{self.own(facing)} came the other way, and they could not trade places"
            return f"{self.own(facing)} did not leave"
        elif resolver.head_on(u):
            told = f"met {self.who(facing)} head to head, {score}"
        elif sub.dest[facing] >= 0:
            told = f"bounced off {self.who(facing)}, which could not leave, {score}"
        else:
            told = f"bounced off {self.who(facing)}, {score}"
        idle = resolver.against_own(u)
        if idle:
            told += f"; support of {sub.owner[facing]} does not count against its own unit"
        return told

    def _broken(self, u: int) -> str:
        """Which fleet's fall broke a convoy."""
        sub, resolver = self.sub, self.resolver
        fallen = [f for f in sub.fleets.get(u, ()) if resolver.dislodged(f) >= 0]
        silent = [f for f in sub.fleets.get(u, ()) if self.silenced(f)]
        broken = [f"{self.who(f)} was {self.fall(f)}" for f in fallen]
        if silent and not fallen:
            fleets = listed(map(self.who, silent))
            return (
                f"its landing would have decided about its own convoy, so {fleets} did not carry"
                " it (a convoy paradox)"
            )
        told = f"the convoy was broken: {listed(broken)}"
        return f"{told}; the landing could not prevent that (a convoy paradox)" if silent else told

    def _support(self, u: int) -> str:
        resolver, sub = self.resolver, self.sub
        plan = sub.plans[u]
        assert plan is not None
        target = sub.at[plan.at]
        fall = self.fall(u)
        if resolver.state[u] != SUCCEEDS:
            cutters = resolver.cutters(u)
            if fall and (not cutters or resolver.dislodged(u) in cutters):
                return f"{fall}, so its support was lost"
            told = f"cut by {listed(map(self.who, cutters))}"
            return f"{told}; it was {fall}" if fall else told
        if plan.kind == SUPPORT:
            told = f"supported {self.who(target)}"
        else:
            told = f"supported {self.who(target)} to {self.place(plan.aim)}"
            facing = sub.at[plan.aim]
            if u in resolver.against_own(target):
                told += f", but it did not count against {self.own(facing)}"
        landed = resolver.spared(u)
        if landed:
            told += f"; the landing of {listed(map(self.who, landed))} did not cut it"
        lost = [a for a in self._arriving(u) if not resolver.gets_there(a)]
        if lost:
            told += f"; {listed(map(self.who, lost))} never landed to cut it"
        return f"{told}; it was {fall}" if fall else told

    def _convoy(self, u: int) -> str:
        sub, resolver = self.sub, self.resolver
        fall = self.fall(u)
        plan = sub.plans[u]
        assert plan is not None
        army = sub.at[plan.at]
        if fall:
            return f"{fall}, so it carried nobody"
        if self.silenced(u):
            return (
                f"{self.who(army)} would have decided about its own convoy by landing, so this"
                " fleet did not carry it (a convoy paradox)"
            )
        goal = self.place(plan.aim)
        if sub.sails[army] == LAND:
            return f"stood ready, but {self.who(army)} went to {goal} by land"
        if resolver.by_sea(army) and resolver.state[army] == SUCCEEDS:
            if not resolver.on_route(u, army):
                return f"stood ready, but {self.who(army)} went to {goal} by another route"
            return f"convoyed {self.who(army)} to {goal}"
        return f"stood ready to convoy {self.who(army)} to {goal}, which did not arrive"

    def _unmatched(self, u: int) -> str:
        """What was ordered instead of what a support or a convoy is for."""
        sub = self.sub
        plan = sub.plans[u]
        assert plan is not None
        target = sub.at[plan.at]
        who = self.who(target)
        other = sub.plans[target]
        ordered = other.order if other is not None else "no order"
        if plan.kind == SUPPORT:
            if target in sub.immovable:
                return f"{who} was ordered to move, though it could not"
            return f"{who} was ordered to move ({ordered}), so it cannot be supported in place"
        goal = plan.order.to if isinstance(plan.order, Support | Convoy) else ""
        said = f"its order was {ordered}" if other is not None else "it had no order"
        return f"{who} was not ordered to {self.variant.board.spoken(goal or '')} ({said})"

    def _instead(self, u: int, order: Order) -> str:
        """What would have been legal, for an order that was not."""
        geometry = self.sub.planner.geometry
        steps = geometry.steps(self.sub.units[u])
        near = sorted(map(self.place, steps))
        if not near or not isinstance(order, Move | Support):
            return ""
        aim = order.to if isinstance(order, Move) else order.to or order.target.location
        if geometry.place.get(aim.partition("/")[0]) in steps:
            # The place is in reach, so something else was wrong with the order.
            return ""
        could = "go to" if isinstance(order, Move) else "support in"
        return f"; it could {could} {listed(near, 'or')}"


# -- the whole argument -------------------------------------------------------------------------


def argument(
    variant: Variant,
    position: Position,
    orders: Mapping[str, Sequence[Order]],
    order: Order,
    rulebook: Rulebook | None = None,
) -> list[str]:
    """Why `order` ended as it did, a line for each step, the rules it rests on named.

    `order` is one of `orders`, or names the unit (of any power) whose order is meant. Raises
    LookupError when there is no such order.
    """
    from judge.rules import engine

    rules = rulebook or Rulebook.edition(variant.rulebook)
    variant = of_phase(variant, position.phase)
    adjudication = engine.adjudicate(variant, position, orders, rules)
    place = _province(order)
    found = [
        result
        for results in adjudication.results.values()
        for result in results
        if result.order == order
    ] or [
        result
        for results in adjudication.results.values()
        for result in results
        if place and _province(result.order) == place
    ]
    if not found:
        raise LookupError(f"there is no order {order} among the orders given")
    lines = []
    for result in found:
        verdict = "succeeds" if result.succeeded else f"fails ({result.reason.value})"  # type: ignore[union-attr]
        lines.append(f"{result.power}: {result.order} {verdict}: {result.note}.")
    if position.phase.kind is Kind.MOVEMENT:
        plans = planner(variant.board, rules, closures(variant, position))
        sub = submit(plans, position, engine.followed(variant, orders))
        resolver = Resolver(sub)
        resolver.resolve()
        strikes = seams(variant).strikes
        story = Story(variant, sub, resolver, strikes and strikes(sub, resolver))
        for result in found:
            if result.unit is not None:
                lines += _Argument(story).unit(result.unit.province)
    elif position.phase.kind is Kind.RETREATS:
        lines.append(
            "Rests on: retreats go one step, never to a province that is occupied, contested or"
            " where the attacker came from; two to one province are both disbanded"
            " (2023, Retreat and Disbanding Phase; DATC 6.H)."
        )
    else:
        lines.append(
            "Rests on: as many units as centers; builds in own, empty home centers"
            " (2023, Gaining and Losing Units; DATC 4.D.4 to 4.D.8, 6.I, 6.J)."
        )
    return lines


def _province(order: Order) -> str:
    if isinstance(order, Waive):
        return ""
    unit = order.unit
    return unit.province if unit is not None else ""


class _Argument:
    """Builds the lines about one unit's order."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self.sub = story.sub
        self.resolver = story.resolver
        self.lines: list[str] = []
        self.rules: dict[str, None] = {}

    def unit(self, province: str) -> list[str]:
        u = self.sub.at[self.sub.planner.geometry.place[province]]
        plan = self.sub.plans[u]
        fate = self.sub.fates.get(self.sub.number(u))
        if fate is not None and fate.reason is Reason.VOID:
            self.rules["impossible"] = None
        if self.sub.dest[u] >= 0:
            self._move(u)
        elif plan is not None and plan.kind in (SUPPORT, AID):
            self._support(u)
        elif plan is not None and plan.kind == BOMB and self.story.strikes is not None:
            for line, rule in bombs_told.steps(self.story, u):
                self._say(line, rule)
            self._fallen(u)
        else:
            self._stands(u)
        if self.rules:
            self.lines.append(f"Rests on: {'; '.join(map(self._rule, self.rules))}.")
        return self.lines

    def _rule(self, key: str) -> str:
        letter = self.sub.planner.rulebook.paradox
        return RULES[key] + (f", here choice {letter}" if key == "paradox" else "")

    def _say(self, line: str, *rules: str) -> None:
        self.lines.append(line)
        self.rules.update(dict.fromkeys(rules))

    def _cap(self, text: str) -> str:
        return text[0].upper() + text[1:]

    def _supports(self, u: int, foe: str | None) -> None:
        """The supports of a unit, those that count and those that do not."""
        sub, resolver, story = self.sub, self.resolver, self.story
        for s in sub.helpers[u] or ():
            who = self._cap(story.who(s))
            if resolver.state[s] != SUCCEEDS:
                fall = story.fall(s)
                cutters = resolver.cutters(s)
                if fall and (not cutters or resolver.dislodged(s) in cutters):
                    self._say(f"  {who}: support lost, {fall}.", "fallen")
                else:
                    by = listed(map(story.who, cutters))
                    self._say(f"  {who}: support cut by {by}.", "cut")
            elif sub.owner[s] == foe:
                self._say(
                    f"  {who}: its support does not count against a unit of its own.", "own unit"
                )
            else:
                self._say(f"  {who}: its support counts.")
            harmless = [
                a
                for a in sub.arriving[sub.where[s]] or ()
                if a not in resolver.cutters(s) and resolver.state[s] == SUCCEEDS
            ]
            for a in harmless:
                self._harmless(s, a)
        for s, plan in enumerate(sub.plans):
            idle = plan is not None and plan.kind in (SUPPORT, AID) and plan.at == sub.where[u]
            if idle and sub.aim[s] < 0:
                fate = sub.fates[sub.number(s)]
                why = fate.problem or story._unmatched(s)
                self._say(f"  {self._cap(story.who(s))}: no support, {why}.", "match")

    def _harmless(self, s: int, a: int) -> None:
        sub, resolver, story = self.sub, self.resolver, self.story
        who = story.who(a)
        if sub.owner[a] == sub.owner[s]:
            self._say(f"    The attack of {who} does not cut it: the same power.", "own cut")
        elif not resolver.gets_there(a):
            silent = any(map(story.silenced, sub.fleets.get(a, ())))
            self._say(
                f"    {self._cap(who)} never got there: its convoy failed.",
                "paradox" if silent else "convoy",
            )
        elif sub.where[a] == sub.aim[s]:
            self._say(f"    The attack of {who} comes from where the support is given to.", "cut")
        else:
            self._say(f"    The landing of {who} does not cut it.", "landing")

    def _move(self, u: int) -> None:
        sub, resolver, story = self.sub, self.resolver, self.story
        goal = story.place(sub.dest[u])
        if sub.sails[u] != LAND:
            self._path(u)
            if not resolver.gets_there(u):
                self._fallen(u)
                return
        facing = sub.at[sub.dest[u]]
        leaves = facing >= 0 and sub.dest[facing] >= 0 and resolver.state[facing] == SUCCEEDS
        foe = sub.owner[facing] if facing >= 0 and not leaves else None
        own = foe == sub.owner[u]
        strength = 0 if own else resolver.strength(u, foe)
        self._say(f"Attack strength of {story.who(u)} on {goal}: {count(strength)}.")
        if own:
            self._say(f"  {self._cap(story.who(facing))} is of the same power.", "own unit")
        self._supports(u, foe)
        if facing >= 0:
            self._opponent(u, facing, leaves)
        for rival in sub.arriving[sub.dest[u]] or ():
            if rival != u:
                self._rival(rival, facing, leaves)
        _, most = resolver.blocker(u)
        if resolver.state[u] == SUCCEEDS:
            self._say(f"{self._cap(count(strength))} is more than {count(most)}: it moves.")
            if any(u in circle for circle in resolver.circles):
                self._say("All units of the ring move on together.", "circle")
        else:
            self._say(f"{self._cap(count(strength))} is not more than {count(most)}: it stays.")
            self.rules["equal"] = None
            self._fallen(u)

    def _opponent(self, u: int, facing: int, leaves: bool) -> None:
        sub, resolver, story = self.sub, self.resolver, self.story
        who = self._cap(story.who(facing))
        if resolver.head_on(u):
            self._say(
                f"{who} comes the other way; defend strength {count(resolver.defence(facing, u))}.",
                "head on",
            )
            self._supports(facing, None)
        elif leaves:
            by_sea = sub.dest[facing] == sub.where[u]
            self._say(f"{who} leaves; hold strength none.", *(["swap"] if by_sea else []))
        elif sub.dest[facing] >= 0:
            self._say(f"{who} was to leave but does not; hold strength one.", "blocked")
        else:
            strength = count(resolver.strength(facing, None))
            self._say(f"{who} stays; hold strength {strength}.")
            self._supports(facing, None)

    def _rival(self, rival: int, facing: int, leaves: bool) -> None:
        resolver, story = self.resolver, self.story
        who = self._cap(story.who(rival))
        if not resolver.gets_there(rival):
            self._say(f"{who} is no rival: its convoy failed.", "convoy")
        elif leaves and resolver.prevents(rival) == 0:
            by = story.who(facing)
            self._say(f"{who} is dislodged by {by} and prevents nothing there.", "no effect")
        else:
            self._say(f"{who} wants in too; prevent strength {count(resolver.prevents(rival))}.")
            self._supports(rival, None)
            if resolver.dislodged(rival) >= 0:
                self.rules["elsewhere"] = None

    def _path(self, u: int) -> None:
        sub, resolver, story = self.sub, self.resolver, self.story
        for f in sub.fleets.get(u, ()):
            fall = story.fall(f)
            if fall:
                self._say(f"{self._cap(story.who(f))} was {fall}.", "convoy")
            elif story.silenced(f):
                self._say(
                    f"{self._cap(story.who(f))} does not carry: the landing would decide about"
                    " its own convoy.",
                    "paradox",
                )
            else:
                self._say(f"{self._cap(story.who(f))} carries.")
        if not resolver.gets_there(u):
            self._say("No route is open, so the army stays and has no effect.")
        elif resolver.by_sea(u):
            self._say("The convoy has an open route.", "routes")
        else:
            self._say("The army goes by land.")

    def _support(self, u: int) -> None:
        sub, resolver, story = self.sub, self.resolver, self.story
        if sub.aim[u] < 0:
            self.rules["match" if "impossible" not in self.rules else "impossible"] = None
            self._fallen(u)
            return
        cutters = resolver.cutters(u)
        plan = sub.plans[u]
        self.rules["match" if plan is not None and plan.kind == AID else "hold"] = None
        for a in sub.arriving[sub.where[u]] or ():
            if a in cutters:
                self._say(f"{self._cap(story.who(a))} attacks it and undoes the support.", "cut")
            else:
                self._harmless(u, a)
        if not sub.arriving[sub.where[u]]:
            self._say("Nobody attacks the supporting unit.")
        self._fallen(u)

    def _stands(self, u: int) -> None:
        sub, resolver, story = self.sub, self.resolver, self.story
        for a in sub.arriving[sub.where[u]] or ():
            if not resolver.gets_there(a):
                self._say(f"{self._cap(story.who(a))} never got there: its convoy failed.")
                continue
            strength = count(resolver.attack(a))
            self._say(f"{self._cap(story.who(a))} attacks with {strength}.")
            self._supports(a, sub.owner[u])
        hold = count(resolver.strength(u, None))
        self._say(f"Hold strength of {story.who(u)}: {hold}.")
        self._supports(u, None)
        self._fallen(u)
        if not story.fall(u) and len(sub.arriving[sub.where[u]] or ()) > 1:
            self.rules["standoff"] = None

    def _fallen(self, u: int) -> None:
        fall = self.story.fall(u)
        if fall:
            self._say(f"{self._cap(self.story.who(u))} is {fall}.")
