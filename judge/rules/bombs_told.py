"""What became of bombs, in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from judge.rules.bombs import Mission
from judge.rules.orders import Launch, Relay

if TYPE_CHECKING:
    from judge.rules.explain import Story


def told(story: Story, u: int) -> str:
    """What came of the order of unit u, which was to launch a bomb or to carry one."""
    assert story.strikes is not None
    mission = story.strikes.of.get(u)
    if mission is None:
        return _not_met(story, u)
    if mission.idle:
        return f"the bomb did not get through: {_idle(story, mission, u)}"
    if mission.attacks:
        return _stopped(story, mission, u)
    target = story.place(mission.target)
    if u == mission.carriers[0]:
        return f"bombed {target}, which is destroyed"
    if u == mission.carriers[-1]:
        return f"dropped the bomb on {target}, which is destroyed"
    number = mission.carriers.index(u)
    after = story.place(mission.route[number + 1])
    return f"passed the bomb on to {after}, and {target} is destroyed"


def destroyed(story: Story, u: int) -> str:
    """How the sentence on a unit goes on that was destroyed with a province; "" for others."""
    if story.strikes is None or u not in story.strikes.lost:
        return ""
    return f"; it was destroyed by the bomb on {story.place(story.strikes.lost[u])}"


def _not_met(story: Story, u: int) -> str:
    plan = story.sub.plans[u]
    assert plan is not None
    assert isinstance(plan.order, Relay)
    origin = story.place(story.sub.planner.geometry.place[plan.order.origins[-1].partition("/")[0]])
    return f"no bomb was sent from {origin} by way of this unit to {story.place(plan.aim)}"


def _idle(story: Story, mission: Mission, u: int) -> str:
    """The first unit on the way that does not carry the bomb, with what it was ordered."""
    idle = mission.idle[0]
    plan = story.sub.plans[idle]
    said = "it had no order" if plan is None else f"its order was {plan.order}"
    return f"{story.who(idle)} was not ordered to carry it ({said})"


def _stopped(story: Story, mission: Mission, u: int) -> str:
    own = [attacker for carrier, attacker in mission.attacks if carrier == u]
    if own:
        return f"the bomb was stopped by the attack of {story.listed(own)}"
    carrier = mission.attacks[0][0]
    attackers = [attacker for other, attacker in mission.attacks if other == carrier]
    return (
        f"the bomb was stopped by the attack of {story.listed(attackers)} on {story.who(carrier)}"
    )


def steps(story: Story, u: int) -> Iterator[tuple[str, str]]:
    """The case for a bombing order, a line for each step, with the rule it rests on."""
    assert story.strikes is not None
    mission = story.strikes.of.get(u)
    plan = story.sub.plans[u]
    if mission is None:
        if plan is not None and isinstance(plan.order, Launch | Relay):
            yield f"{_cap(_not_met(story, u))}.", "chain"
        return
    way = " - ".join(map(story.place, mission.route))
    yield f"The way of the bomb: {way}.", "chain"
    for carrier in mission.carriers[1:]:
        who = _cap(story.who(carrier))
        if carrier in mission.idle:
            order = story.sub.plans[carrier]
            said = "it had no order" if order is None else f"its order was {order.order}"
            yield f"{who} was not ordered to carry it ({said}).", "chain"
        else:
            yield f"{who} was ordered to carry it.", "chain"
    for carrier, attacker in mission.attacks:
        yield f"{_cap(story.who(attacker))} attacks {story.who(carrier)}.", "stopped"
    if mission.reason is None:
        yield f"{_cap(story.place(mission.target))} is destroyed.", "falls"
    else:
        yield "The bomb falls nowhere, and the arsenal stays.", "chain"


def _cap(text: str) -> str:
    return text[0].upper() + text[1:]
