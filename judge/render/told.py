"""Sentences that come from the rules and from the reading of orders, in the reader's language."""

from __future__ import annotations


def told(text: str) -> str:
    """The sentence in the language that is spoken; in English where it is not known."""
    return text
