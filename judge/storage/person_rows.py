"""Persons, their addresses, what they did in rated games, and what the keeper has laid down."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace
from peewee import fn

from judge.storage import models
from judge.storage.queries import Changing, Rows, TableGroup
from judge.storage.records import Address, Json, Person, ReliabilityEntry
from judge.storage.values import GameState, Reliability, SeatState

_P = models.PersonRow
_A = models.AddressRow
_C = models.ReliabilityRow
_S = models.SeatRow
_G = models.GameRow

MOST_WAYS = 100
"""Ways of an address that are remembered: the last ones."""


def normal(address: str) -> str:
    """Return an address as it is compared: without blanks around it, in lower case.

    RFC 5321 lets a local part be case-sensitive; no provider in use does, and people write theirs
    either way.
    """
    return address.strip().lower()


DOTLESS = ("gmail.com", "googlemail.com")
"""Providers at which dots in an address mean nothing."""


def mailbox(address: str) -> tuple[str, str]:
    """Return the mailbox of an address, however that is spelled: what stands before an @ without a
    +tag, and without dots where they mean nothing, and the domain without dots behind it."""
    local, _, domain = normal(address).rpartition("@")
    local, domain = local.partition("+")[0] or local, domain.rstrip(".")
    if domain in DOTLESS:
        local, domain = local.replace(".", ""), DOTLESS[0]
    return local, domain


class People(Changing[Person]):
    """Everybody the judge knows. Reads are free; writes belong in a transaction."""

    model, kind = _P, Person

    def all_of(self, person_ids: Sequence[int]) -> list[Person]:
        """Return the people of these ids, in one query."""
        return self._having(id=tuple(person_ids))

    def playing(self, after: int, limit: int) -> list[int]:
        """Return the ids of so many people with a part in a game that is played, those that follow
        an id."""
        playing = (
            _S.select(_S.id)
            .join(_G, on=_G.id == _S.game_id)
            .where(
                (_S.person_id == _P.id)
                & _S.state.in_((SeatState.ACTIVE, SeatState.ABANDONED))
                & (_G.state == GameState.ACTIVE)
            )
        )
        query = _P.select(_P.id).where((_P.id > after) & fn.EXISTS(playing)).order_by(_P.id)
        return [key for (key,) in self._engine.tuples(query.limit(limit))]

    def names(self) -> dict[int, str]:
        """Return what everybody is called, by id."""
        return dict(self._engine.tuples(_P.select(_P.id, _P.name)))

    def mailbox(self, address: str) -> Address | None:
        """Return what is on file about an address."""
        return self._engine.one(Address, _A, address=normal(address))

    def by_address(self, address: str) -> Person | None:
        """Return whose address this is."""
        query = _P.select().join(_A, on=_A.person_id == _P.id)
        return self._engine.record(Person, query.where(_A.address == normal(address)))

    def elsewhere(self, person_id: int) -> list[tuple[str, int]]:
        """In which other houses, and under which ids, a person is on file who wishes to be known
        across houses, as they wish it there: by an address that has been proved in both."""
        here = self._engine.house
        me = self.find(person_id) if here is not None else None
        if me is None or not me.options.known:
            return []
        mine = [each.address for each in self.addresses(person_id) if each.proved]
        same = _A.proved & _A.address.in_(mine) & (_A.house != here)
        query = _P.select(_P.house, _P.id, _P.options).join(_A, on=_A.person_id == _P.id)
        rows = self._engine.whole.tuples(query.where(same).order_by(_P.id).distinct())
        return [(house, key) for house, key, options in rows if options.known]

    def replacements(self) -> list[Person]:
        """Return those who want to hear of powers without a player, in the order they came."""
        return self._where(models.STANDS_IN)

    def waiting_for_game(self) -> list[Person]:
        """Return those who want to hear of the next game that needs players, in that order."""
        return self._where(models.WAITS)

    def block_instead(self, gone_id: int, instead: int | None) -> None:
        """Let anyone who blocks one person block another one `instead`, or nobody."""
        for person in self._where(models.BLOCKS):
            blocked = person.options.blocked or ()
            if gone_id in blocked:
                kept = (instead if each == gone_id else each for each in blocked)
                found = tuple(dict.fromkeys(each for each in kept if each not in (None, person.id)))
                person.options = replace(person.options, blocked=found or None)
                self.save(person)

    def add_address(
        self, person_id: int, address: str, now: datetime, *, proved: bool = False
    ) -> bool:
        """Give a person an address; False if somebody (it may be the same person) has it."""
        record = Address(person_id=person_id, address=normal(address), proved=proved, added_at=now)
        return self._engine.add_new(_A, record) is not None

    def prove(self, address: str) -> None:
        """Note that somebody reads mail sent to an address, if it is on file."""
        self.remember(address, None, proved=True)

    def move_address(self, address: str, person_id: int) -> None:
        """Give an address on file to another person, by whatever ways mail came from it."""
        change = _A.update(person_id=person_id, ways=[])
        self._engine.run(change.where(_A.address == normal(address)))

    def ways(self, address: str) -> list[str]:
        """Return by which ways mail from an address comes; none where nobody has it."""
        found: list[str] = self._engine.column(_A, "ways", address=normal(address)) or []
        return found

    def remember(self, address: str, way: str | None, *, proved: bool = False) -> None:
        """Note that mail of the owner of an address, if it is on file, comes by a way.

        `proved`: they read mail sent to it. By which ways mail came before that is forgotten then:
        anybody may have sent it.
        """
        found = self.mailbox(address)
        if found is not None:
            self.note_way(found, way, proved=proved)

    def note_way(self, mailbox: Address, way: str | None, *, proved: bool = False) -> None:
        """Do as `remember`, of what is on file about an address."""
        ways = [] if proved and not mailbox.proved else mailbox.ways
        if way is not None and way not in ways:
            ways = [*ways, way][-MOST_WAYS:]
        mailbox.proved, mailbox.ways = proved or mailbox.proved, ways
        self.save_address(mailbox)

    def save_address(self, address: Address) -> None:
        """Store what changed about an address, which may be whose it is."""
        self._engine.save(_A, address)

    def addresses(self, person_id: int) -> list[Address]:
        """Return a person's addresses, oldest first: letters go to the first active one."""
        return self._engine.having(Address, _A, person_id=person_id)

    def all_addresses(self, person_ids: Sequence[int]) -> dict[int, list[Address]]:
        """Return the addresses of each of these people, in one query, as `addresses` has them."""
        found: dict[int, list[Address]] = {each: [] for each in person_ids}
        for address in self._engine.having(Address, _A, person_id=tuple(person_ids)):
            found[address.person_id].append(address)
        return found

    def last(self, most: int | None = None) -> list[Person]:
        """Return those who have an address, or the `most` of them who came last, in the order they
        came."""
        known = _P.select().where(_P.id.in_(_A.select(_A.person_id))).order_by(_P.id.desc())
        return self._engine.records(Person, known.limit(most))[::-1]

    def remove_address(self, address: str) -> bool:
        """Forget whose address that is; whether it was somebody's."""
        return bool(self._engine.run(_A.delete().where(_A.address == normal(address))))

    def merge(self, gone_id: int, kept_id: int) -> None:
        """Let one person have all that was another's: addresses, parts, mails, letters and record.

        The other one stays on file without anything, for the log names them.
        """
        for model in (
            _A,
            models.SeatRow,
            models.InboundRow,
            models.OutboundRow,
            models.TicketRow,
            models.EntrantRow,
        ):
            self._engine.run(model.update(person_id=kept_id).where(model.person_id == gone_id))
        for row in self._engine.rows(_C.select().where(_C.person_id == gone_id)):
            del row["id"]
            self._engine.add_new(_C, row | {"person_id": kept_id})
        self._engine.run(_C.delete().where(_C.person_id == gone_id))


class ReliabilityLog(Rows[ReliabilityEntry]):
    """What people did in rated games. Reads are free; writes belong in a transaction."""

    model, kind = _C, ReliabilityEntry

    def record(self, *conduct: ReliabilityEntry) -> None:
        """Record what somebody did, or several did; what is on record already counts once."""
        self._engine.add_missing(_C, conduct)

    def take_back(
        self, game_id: int, phases: Sequence[str], what: Sequence[Reliability]
    ) -> list[ReliabilityEntry]:
        """Forget what is recorded of these kinds about phases of a game that were taken back; what
        that was."""
        those = (_C.game_id == game_id) & _C.phase.in_(list(phases)) & _C.what.in_(list(what))
        gone = self._where(those)
        self._engine.run(_C.delete().where(those))
        return gone


_H = models.HouseRow


class KeeperSettings(TableGroup):
    """Values by name. Reads are free; writes belong in a transaction."""

    def get(self, name: str) -> Json:
        """Return the value of that name; None where nothing was laid down."""
        return self._engine.column(_H, "value", name=name)

    def put(self, name: str, value: Json) -> None:
        """Lay a value down; None forgets it."""
        if value is None:
            self._engine.run(_H.delete().where(_H.name == name))
        elif not self._engine.run(_H.update(value=value).where(_H.name == name)):
            self._engine.add_new(_H, {"name": name, "value": value})
