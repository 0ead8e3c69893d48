"""The sentences of the rules core and of the language modules, as patterns for `told`."""

from __future__ import annotations

KINDS = {
    "army": "army",
    "fleet": "fleet",
    "unit": "unit",
    "navy": "navy",
    "air force": "air force",
    "arsenal": "arsenal",
}
"""Types of units as sentences name them."""

ONES = {
    "an army": "an army",
    "a fleet": "a fleet",
    "a unit": "a unit",
    "a navy": "a navy",
    "an air force": "an air force",
    "an arsenal": "an arsenal",
}
"""The same with their articles."""

PLURALS = {
    "armies": "armies",
    "fleets": "fleets",
    "units": "units",
    "navies": "navies",
    "air forces": "air forces",
    "arsenals": "arsenals",
}
"""The same, several of them."""

SEASONS = {word: word for word in ("spring", "summer", "fall", "winter")}
"""Seasons as sentences name them."""

ADJECTIVES = {
    "Austrian": "Austria",
    "English": "England",
    "French": "France",
    "German": "Germany",
    "Italian": "Italy",
    "Russian": "Russia",
    "Turkish": "Turkey",
}
"""Whose unit it is, for powers whose names are printed in the reader's language."""

NUMBERS = {
    word: word
    for word in (
        *("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
        *("eleven", "twelve"),
    )
}
"""Strengths in words."""

_NAMES = (
    "{kind} {place}",
    "its own {kind} in {place}",
    "the {kind} in {place}",
    "the {nation} {kind} in {place}",
    *KINDS,
    *ONES,
    *PLURALS,
    *SEASONS,
    *NUMBERS,
)

ORDERS = (
    # An order in words (judge.language.write).
    "{unit} holds",
    "{unit} moves to {place}",
    "{unit} moves to {place} by convoy",
    "{unit} moves to {place} by convoy over {places}",
    "{unit} supports {unit2}",
    "{unit} supports {unit2} in its move to {place}",
    "{unit} convoys {unit2} to {place}",
    "{unit} bombs {place}",
    "{unit} bombs {place} by way of {places}",
    "{unit} takes the bomb from {place} to {place2}",
    "{unit} takes the bomb from {place} on to {places}",
    "{unit} takes the bomb from {place} by way of {places} to {place2}",
    "{unit} takes the bomb from {place}, which came from {places}, to {place2}",
    "{unit} takes the bomb from {place}, which came from {places}, on to {places2}",
    "{unit} takes the bomb from {place}, which came from {places}, by way of {places2} to {place2}",
    "{unit} retreats to {place}",
    "{unit} disbands",
    "build {unit}",
    "waive all other builds",
    "waive one build",
    "waive {count} builds",
    # What the lines to copy mean (judge.messages.views).
    "{unit} supports that move",
    "{unit} holds, it stays",
    "{unit} is disbanded",
    "or it is disbanded",
    "a new {unit}",
    "builds you do not want are left out",
)

PATTERNS = (*_NAMES, *ORDERS)
"""All of them, as messages for the catalogs."""
