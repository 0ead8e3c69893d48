"""Why an order cannot be read or carried out, as values."""

from __future__ import annotations


class Problem:
    """What is wrong with an order: the base of frozen values that hold all that a sentence needs.

    `judge.sentences` words them in the reader's language.
    """

    __slots__ = ()
