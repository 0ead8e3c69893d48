"""What a letter must know of the judge itself."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class House:
    """This judge: the name and address its letters come from, and who looks after it.

    `keeper` is the keeper's address, None where nobody is to be told; `zone` the IANA time zone
    of people who named none.
    """

    name: str = "The Judge"
    address: str
    keeper: str | None = None
    zone: str = "UTC"

    @property
    def domain(self) -> str:
        """The part of the address behind the @, where our Message-IDs belong."""
        return self.address.rpartition("@")[2]
