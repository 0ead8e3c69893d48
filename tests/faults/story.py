"""A game that is played while the judge is killed: its mails, and the moments that pass."""

from __future__ import annotations

from dataclasses import dataclass
from email.message import EmailMessage

from judge.demo import sample

ADDRESS = "judge@judge.example"
POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")


@dataclass(frozen=True)
class Step:
    """Something happens: a mail comes in, or, without one, the clock goes on to what it waits for
    next."""

    name: str
    sender: str = ""
    text: str = ""

    def mail(self, number: int) -> bytes:
        """The mail of this step; the same each time it is sent."""
        message = EmailMessage()
        message["From"] = f"{self.sender.title()} <{self.sender}@players.example>"
        message["To"] = ADDRESS
        message["Subject"] = self.name
        message["Message-ID"] = f"<{number}@players.example>"
        message.set_content(self.text)
        return message.as_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def _orders(phase: sample.SamplePhase) -> list[Step]:
    return [
        Step(f"{power} orders in {phase.phase}", power.lower(), "\n".join(phase.orders[power]))
        for power in POWERS
        if phase.orders.get(power)
    ]


def story() -> list[Step]:
    """The sample game from its creation to the second winter: people join, order, write to each
    other, write nonsense; everybody is in time at first, and somebody is late then."""
    steps = [Step("create", "mia", "CREATE ?paris\nSET NO DAILY")]
    steps += [
        Step(f"{power} joins", power.lower(), f"JOIN paris\nSET PREFERENCE {power[0]}")
        for power in POWERS
    ]
    phases = sample.phases()
    steps += _orders(phases[0])[:3]
    press = "PRESS TO England, Germany\nShall we?\nENDPRESS"
    steps.append(Step("press", "france", press))
    steps.append(Step("nonsense", "eve", "Buy our watches!"))
    steps += _orders(phases[0])[3:]
    # All are in: the phase runs at its deadline, or when the game says so.
    steps.append(Step("time passes"))
    steps += _orders(phases[1])[:-1]
    # Reminders, lateness, and the orders that come at last.
    steps += [Step("time passes")] * 4
    steps += _orders(phases[1])[-1:]
    steps.append(Step("time passes"))
    for phase in phases[2:4]:
        steps += [*_orders(phase), Step("time passes")]
    return steps
