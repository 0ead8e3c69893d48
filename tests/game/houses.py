"""Two houses on one database, and the people who write to them."""

from __future__ import annotations

from itertools import count
from pathlib import Path

from judge.commands import TABLE
from judge.game.state.profile import JudgeProfile
from judge.houses import Houses
from judge.mail.address import addressed
from judge.service import Judge
from tests.game.play import ADDRESS, Play, Received, read

CLUB = "chess-club@clubhouse.example"


class Town(Play):
    """The main house and a club, whose own addresses say which of them a mail is for."""

    def __init__(self, folder: Path, **of_club: object) -> None:
        """`of_club` is what the profile of the club has besides its name and address."""
        self.of_club = of_club
        super().__init__(folder)

    def _open(self) -> None:
        super()._open()
        main = self.judge.profile
        club = JudgeProfile(name="Club Knights", address=CLUB, **self.of_club)  # type: ignore[arg-type]
        self.profiles = {"": main, "club": club}
        judges = {
            key: Judge(self.storage.of(key), self.clock, each, TABLE, seed=lambda: "seed")
            for key, each in self.profiles.items()
        }
        self.judge = Houses(self.storage, judges)
        self.club, self.main = judges["club"], judges[""]

    def raw(self, raw: bytes, sender: str = "", to: tuple[str, ...] = (ADDRESS,)) -> int:  # type: ignore[override]
        """As `Play.raw`, in the house that the mail came for."""
        reached = {key: ([each.address], each.pattern) for key, each in self.profiles.items()}
        ids = [
            self.storage.inbound.accept(
                raw,
                door="imap",
                envelope_from=sender,
                envelope_to=own,
                received_at=self.clock.now(),
                house=house,
            ).mail_id
            for house, own in addressed(reached, list(to), raw).items()
        ]
        return ids[0]

    def number_from(self, number: int) -> None:
        """Number the mails from here on."""
        self._number = count(number)

    def reply_to(self, who: str, house: Judge) -> str:
        """The reply address of the last letter of a house to somebody."""
        person = house.storage.people.by_address(who)
        assert person is not None
        last = house.storage.outbound.of_person(person.id)[-1]
        return str(read(last).message["Reply-To"])

    def letters_of(self, house: Judge) -> list[Received]:
        """Every letter of a house, in order."""
        ids = sorted(each.id for each in house.storage.traces.letters(10_000))
        return [read(house.storage.outbound.find(each)) for each in ids]
