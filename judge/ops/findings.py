"""What `judge check` finds."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class CheckResult(Struct, frozen=True):
    """One thing that was looked at.

    `state`: good; bad, so that the judge cannot work; or advice, without which it works, but less
    well. `mend` is what to do, empty where nothing is to be done.
    """

    subject: str
    state: Literal["good", "bad", "advice"]
    said: str
    mend: str = ""


def good(subject: str, said: str) -> CheckResult:
    """Return that all is well."""
    return CheckResult(subject, "good", said)


def bad(subject: str, said: str, mend: str) -> CheckResult:
    """Return that the judge cannot work like that."""
    return CheckResult(subject, "bad", said, mend)


def advice(subject: str, said: str, mend: str) -> CheckResult:
    """Return that it would be better otherwise."""
    return CheckResult(subject, "advice", said, mend)
