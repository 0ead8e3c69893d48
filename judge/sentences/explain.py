"""Why an order ended as it did, step by step, with the rules it rests on; in English."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

from judge.rules import engine
from judge.rules.board_index import closed_provinces
from judge.rules.equations import SUCCEEDS
from judge.rules.hooks import rule_hooks
from judge.rules.matching import submit
from judge.rules.modules.bombs import Mission
from judge.rules.movement import Resolver
from judge.rules.orders import Launch, Order, Relay, Waive
from judge.rules.outcome import Outcome, Reason
from judge.rules.phase import Kind
from judge.rules.planner import AID, BOMB, SUPPORT, planner
from judge.rules.position import Position
from judge.rules.reasons import Reasons
from judge.rules.result import Result
from judge.rules.rulebook import Rulebook
from judge.rules.submission import LAND, Submission
from judge.rules.variant import Variant, of_phase
from judge.sentences.outcome_words import fall_words, not_ordered_to_carry, result_words
from judge.sentences.terms import everyone, place, who
from judge.sentences.terms import strength as count


@cache
def _rules() -> Mapping[str, str]:
    """Return the rules that arguments rest on."""
    path = Path(__file__).with_name("rules.toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))


# -- the whole argument -------------------------------------------------------------------------


def argument(
    variant: Variant,
    position: Position,
    orders: Mapping[str, Sequence[Order]],
    order: Order,
    rulebook: Rulebook | None = None,
) -> list[str]:
    """Return why `order` ended as it did, a line for each step, the rules it rests on named.

    `order` is one of `orders`, or names the unit (of any power) whose order is meant. Raises
    LookupError when there is no such order.
    """
    rules = rulebook or Rulebook.edition(variant.rulebook)
    variant = of_phase(variant, position.phase)
    adjudication = engine.adjudicate(variant, position, orders, rules)
    where = _province(order)
    results = [each for given in adjudication.results.values() for each in given]
    found = [each for each in results if each.order == order] or [
        each for each in results if where and _province(each.order) == where
    ]
    if not found:
        raise LookupError(f"there is no order {order} among the orders given")
    lines = []
    for result in found:
        verdict = "succeeds" if result.succeeded else f"fails ({result.reason.value})"  # type: ignore[union-attr]
        note = result_words(result, variant)
        lines.append(f"{result.power}: {result.order} {verdict}: {note}.")
    if position.phase.kind is Kind.MOVEMENT:
        plans = planner(variant.board, rules, closed_provinces(variant, position))
        sub = submit(plans, position, engine.followed(variant, orders))
        resolver = Resolver(sub)
        resolver.resolve()
        strikes = rule_hooks(variant).bombs
        reasons = Reasons(sub, resolver, strikes and strikes(sub, resolver))
        for result in found:
            if result.unit is not None:
                lines += _Argument(variant, reasons).unit(result.unit.province)
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
    unit = None if isinstance(order, Waive) else order.unit
    return "" if unit is None else unit.province


class _Argument:
    """Builds the lines about one unit's order."""

    def __init__(self, variant: Variant, reasons: Reasons) -> None:
        self.variant = variant
        self.reasons = reasons
        self.sub: Submission = reasons.sub
        self.resolver = reasons.resolver
        self.lines: list[str] = []
        self.rules: dict[str, None] = {}

    def unit(self, province: str) -> list[str]:
        u = self.sub.at[self.sub.planner.index.place[province]]
        plan = self.sub.plans[u]
        fate = self.sub.fates.get(self.sub.numbers[u])
        if fate is not None and fate.reason is Reason.VOID:
            self.rules["impossible"] = None
        if self.sub.dest[u] >= 0:
            self._move(u)
        elif plan is not None and plan.kind in (SUPPORT, AID):
            self._support(u)
        elif plan is not None and plan.kind == BOMB and self.reasons.strikes is not None:
            self._bomb(u, self.reasons.strikes.of.get(u))
            self._fallen(u)
        else:
            self._stands(u)
        if self.rules:
            self.lines.append(f"Rests on: {'; '.join(map(self._rule, self.rules))}.")
        return self.lines

    def _rule(self, key: str) -> str:
        letter = self.sub.planner.rulebook.paradox
        return _rules()[key] + (f", here choice {letter}" if key == "paradox" else "")

    def _say(self, line: str, *rules: str) -> None:
        """Add a line, which begins with a capital, and the rules it rests on."""
        said = line.lstrip()
        self.lines.append(line.removesuffix(said) + said[0].upper() + said[1:])
        self.rules.update(dict.fromkeys(rules))

    def _who(self, u: int) -> str:
        return who(self.reasons.piece(u), self.variant)

    def _place(self, number: int) -> str:
        return place(self.sub.name(number), self.variant.board)

    def _all(self, units: Iterable[int]) -> str:
        return everyone(self.reasons.pieces(units), self.variant)

    def _words(self, u: int, outcome: Outcome) -> str:
        """Return an outcome of unit u in words."""
        plan = self.sub.plans[u]
        assert plan is not None
        unit = self.sub.units[u]
        return result_words(Result.of(self.sub.owner[u], unit, plan.order, outcome), self.variant)

    def _fall(self, u: int) -> str:
        """Return how a unit was dislodged; nothing when it was not."""
        fall = self.reasons.fall(u)
        return "" if fall is None else fall_words(fall, self.variant)

    def _supports(self, u: int, foe: str | None) -> None:
        """Explain the supports of a unit, those that count and those that do not."""
        sub, resolver = self.sub, self.resolver
        for s in sub.helpers[u] or ():
            who = self._who(s)
            if resolver.state[s] != SUCCEEDS:
                fall = self._fall(s)
                cutters = resolver.cutters(s)
                if fall and (not cutters or resolver.dislodged(s) in cutters):
                    self._say(f"  {who}: support lost, {fall}.", "fallen")
                else:
                    by = self._all(cutters)
                    self._say(f"  {who}: support cut by {by}.", "cut")
            elif sub.owner[s] == foe:
                self._say(
                    f"  {who}: its support does not count against a unit of its own.", "own unit"
                )
            else:
                self._say(f"  {who}: its support counts.")
            for a in sub.arriving[sub.where[s]] or ():
                if a not in resolver.cutters(s) and resolver.state[s] == SUCCEEDS:
                    self._harmless(s, a)
        for s, plan in enumerate(sub.plans):
            idle = plan is not None and plan.kind in (SUPPORT, AID) and plan.at == sub.where[u]
            if idle and sub.aim[s] < 0:
                why = self._words(s, self.reasons.outcome(sub.numbers[s]))
                self._say(f"  {self._who(s)}: no support, {why}.", "match")

    def _harmless(self, s: int, a: int) -> None:
        sub, resolver = self.sub, self.resolver
        who = self._who(a)
        if sub.owner[a] == sub.owner[s]:
            self._say(f"    The attack of {who} does not cut it: the same power.", "own cut")
        elif not resolver.gets_there(a):
            silent = any(map(self.reasons.silenced, sub.fleets.get(a, ())))
            self._say(
                f"    {who} never got there: its convoy failed.",
                "paradox" if silent else "convoy",
            )
        elif sub.where[a] == sub.aim[s]:
            self._say(f"    The attack of {who} comes from where the support is given to.", "cut")
        else:
            self._say(f"    The landing of {who} does not cut it.", "landing")

    def _move(self, u: int) -> None:
        sub, resolver = self.sub, self.resolver
        goal = self._place(sub.dest[u])
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
        self._say(f"Attack strength of {self._who(u)} on {goal}: {count(strength)}.")
        if own:
            self._say(f"  {self._who(facing)} is of the same power.", "own unit")
        self._supports(u, foe)
        if facing >= 0:
            self._opponent(u, facing, leaves)
        for rival in sub.arriving[sub.dest[u]] or ():
            if rival != u:
                self._rival(rival, facing, leaves)
        _, most = resolver.blocker(u)
        if resolver.state[u] == SUCCEEDS:
            self._say(f"{count(strength)} is more than {count(most)}: it moves.")
            if any(u in circle for circle in resolver.circles):
                self._say("All units of the ring move on together.", "circle")
        else:
            self._say(f"{count(strength)} is not more than {count(most)}: it stays.")
            self.rules["equal"] = None
            self._fallen(u)

    def _opponent(self, u: int, facing: int, leaves: bool) -> None:
        sub, resolver = self.sub, self.resolver
        who = self._who(facing)
        if resolver.head_on(u):
            self._say(
                f"{who} comes the other way; defend strength {count(resolver.defense(facing, u))}.",
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
        resolver = self.resolver
        who = self._who(rival)
        if not resolver.gets_there(rival):
            self._say(f"{who} is no rival: its convoy failed.", "convoy")
        elif leaves and resolver.prevents(rival) == 0:
            by = self._who(facing)
            self._say(f"{who} is dislodged by {by} and prevents nothing there.", "no effect")
        else:
            self._say(f"{who} wants in too; prevent strength {count(resolver.prevents(rival))}.")
            self._supports(rival, None)
            if resolver.dislodged(rival) >= 0:
                self.rules["elsewhere"] = None

    def _path(self, u: int) -> None:
        sub, resolver = self.sub, self.resolver
        for f in sub.fleets.get(u, ()):
            fall = self._fall(f)
            if fall:
                self._say(f"{self._who(f)} was {fall}.", "convoy")
            elif self.reasons.silenced(f):
                self._say(
                    f"{self._who(f)} does not carry: the landing would decide about"
                    " its own convoy.",
                    "paradox",
                )
            else:
                self._say(f"{self._who(f)} carries.")
        if not resolver.gets_there(u):
            self._say("No route is open, so the army stays and has no effect.")
        elif resolver.by_sea(u):
            self._say("The convoy has an open route.", "routes")
        else:
            self._say("The army goes by land.")

    def _support(self, u: int) -> None:
        sub, resolver = self.sub, self.resolver
        if sub.aim[u] < 0:
            self.rules["match" if "impossible" not in self.rules else "impossible"] = None
            self._fallen(u)
            return
        cutters = resolver.cutters(u)
        plan = sub.plans[u]
        self.rules["match" if plan is not None and plan.kind == AID else "hold"] = None
        for a in sub.arriving[sub.where[u]] or ():
            if a in cutters:
                self._say(f"{self._who(a)} attacks it and undoes the support.", "cut")
            else:
                self._harmless(u, a)
        if not sub.arriving[sub.where[u]]:
            self._say("Nobody attacks the supporting unit.")
        self._fallen(u)

    def _stands(self, u: int) -> None:
        sub, resolver = self.sub, self.resolver
        for a in sub.arriving[sub.where[u]] or ():
            if not resolver.gets_there(a):
                self._say(f"{self._who(a)} never got there: its convoy failed.")
                continue
            strength = count(resolver.attack(a))
            self._say(f"{self._who(a)} attacks with {strength}.")
            self._supports(a, sub.owner[u])
        hold = count(resolver.strength(u, None))
        self._say(f"Hold strength of {self._who(u)}: {hold}.")
        self._supports(u, None)
        self._fallen(u)
        if not self._fall(u) and len(sub.arriving[sub.where[u]] or ()) > 1:
            self.rules["standoff"] = None

    def _fallen(self, u: int) -> None:
        fall = self._fall(u)
        if fall:
            self._say(f"{self._who(u)} is {fall}.")

    def _bomb(self, u: int, mission: Mission | None) -> None:
        """Explain a bombing order."""
        plans = self.sub.plans
        plan = plans[u]
        if mission is None:
            if plan is not None and isinstance(plan.order, Launch | Relay):
                number = self.sub.numbers[u]
                self._say(f"{self._words(u, self.reasons.outcome(number))}.", "chain")
            return
        way = " - ".join(map(self._place, mission.route))
        self._say(f"The way of the bomb: {way}.", "chain")
        for carrier in mission.carriers[1:]:
            if carrier in mission.idle:
                other = plans[carrier]
                order = None if other is None else other.order
                piece = self.reasons.piece(carrier)
                said = not_ordered_to_carry(piece, order, self.variant)
                self._say(f"{said}.", "chain")
            else:
                self._say(f"{self._who(carrier)} was ordered to carry it.", "chain")
        for carrier, attacker in mission.attacks:
            attack = f"{self._who(attacker)} attacks {self._who(carrier)}."
            self._say(attack, "stopped")
        if mission.reason is None:
            self._say(f"{self._place(mission.target)} is destroyed.", "falls")
        else:
            self._say("The bomb falls nowhere, and the arsenal stays.", "chain")
