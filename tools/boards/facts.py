"""python -m tools.boards.facts FACTS.json: a board's facts as a variant file and as a recipe.

Facts are JSON: powers, provinces, pairs of borders, homes, first units, places on a plane. What a
file of facts says of doubts and special rules comes into the variant's file as comments.
"""

from __future__ import annotations

import argparse
import json
import textwrap
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import Path
from typing import Any

from judge import variants
from judge.rules.board import province_of

ADJECTIVES = {
    "Argentina": "Argentine", "Australia": "Australian", "Austria": "Austrian",
    "Austria-Hungary": "Austro-Hungarian", "Bavaria": "Bavarian", "Bolivia": "Bolivian",
    "Brazil": "Brazilian", "Brasil": "Brazilian", "Britain": "British", "Bulgaria": "Bulgarian",
    "Burgundy": "Burgundian", "Byzantium": "Byzantine", "California": "Californian",
    "Cambodia": "Cambodian", "Canada": "Canadian", "Carthage": "Carthaginian",
    "Castile": "Castilian", "Castille": "Castilian", "Chile": "Chilean", "China": "Chinese",
    "Colombia": "Colombian", "Cuba": "Cuban", "Denmark": "Danish", "Egypt": "Egyptian",
    "England": "English", "Europe": "European", "Florida": "Floridian", "France": "French",
    "Germany": "German", "Ghana": "Ghanaian", "Greece": "Greek", "Hungary": "Hungarian",
    "Iberia": "Iberian", "India": "Indian", "Indonesia": "Indonesian", "Ireland": "Irish",
    "Israel": "Israeli", "Italy": "Italian", "Japan": "Japanese", "Kenya": "Kenyan",
    "Laos": "Laotian", "Libya": "Libyan", "Mali": "Malian", "Mexico": "Mexican",
    "Naples": "Neapolitan", "Nigeria": "Nigerian", "Northumbria": "Northumbrian",
    "Norway": "Norwegian", "Pakistan": "Pakistani", "Papacy": "Papal", "Paraguay": "Paraguayan",
    "Persia": "Persian", "Peru": "Peruvian", "Poland": "Polish", "Portugal": "Portuguese",
    "Prussia": "Prussian", "Romania": "Romanian", "Rome": "Roman", "Russia": "Russian",
    "Scandinavia": "Scandinavian", "Scotland": "Scottish", "Serbia": "Serbian",
    "Siberia": "Siberian", "Sicily": "Sicilian", "South Africa": "South African",
    "Spain": "Spanish", "Sweden": "Swedish", "Thailand": "Thai", "Turkey": "Turkish",
    "Ukraine": "Ukrainian", "Venezuela": "Venezuelan", "Venice": "Venetian", "Wales": "Welsh",
    "Ottoman Empire": "Ottoman", "French Empire": "French", "British Empire": "British",
    "Italian Empire": "Italian", "Japanese Empire": "Japanese", "Holland": "Dutch",
    "Byzantine Empire": "Byzantine", "Mercia": "Mercian", "Anglia": "Anglian",
    "Seljuk Turks": "Seljuk", "Soviet Union": "Soviet", "Soviet Russia": "Soviet",
    "Holy Roman Empire": "Imperial", "West Francia": "West Frankish", "Texas": "Texan",
    "East Francia": "East Frankish", "Middle Francia": "Middle Frankish", "Quebec": "Quebecer",
    "North Vietnam": "North Vietnamese", "South Vietnam": "South Vietnamese",
    "New Zealand": "New Zealander", "USSR": "Soviet", "Yugoslavia": "Yugoslav",
    "Habsburg Empire": "Habsburg",
    "Britons": "British", "Romans": "Roman", "Frysians": "Frysian",
}  # fmt: skip
"""How the units of powers are called, where not as the power itself."""


GRAY = "#9f9292"
"""The color of nobody's units, the last of the palette."""


def letters(powers: list[str]) -> dict[str, str]:
    """A letter of its own for each power: one of its name if there is one left."""
    found: dict[str, str] = {}
    for power in powers:
        own = [char for char in power.upper() if char.isascii() and char.isalpha()]
        options = [*own, *"ABCDEFGHIJKLNPQRSTUVWXYZ", *"123456789"]
        found[power] = next(c for c in options if c not in "MO" and c not in found.values())
    return found


def borders(pairs: list[list[str]], one_way: list[list[str]]) -> dict[str, list[str]]:
    """The places one step away, by place."""
    only = {(here, there) for here, there in one_way}
    found: dict[str, set[str]] = {}
    for here, there in pairs:
        found.setdefault(here, set()).add(there)
        if (here, there) not in only:
            found.setdefault(there, set()).add(here)
    return {place: sorted(others) for place, others in found.items()}


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _comment(text: str) -> list[str]:
    return textwrap.wrap(text, 98, initial_indent="# ", subsequent_indent="# ")


def _doubts(facts: Mapping[str, Any]) -> Iterator[str]:
    """Where sources differ, a sentence each: what this file has and what the other one."""
    for source, found in facts.get("compared", {}).items():
        for kind, *lists in found:
            what, here, there = kind, "", ""
            if len(lists) == 2:
                here, there = map(_listed, lists)
            elif kind.endswith((" only a", "only b")):
                what = kind[:-7] if " " in kind[:-2] and not kind.startswith("only") else "spaces"
                here, there = (
                    (_listed(lists[0]), "") if kind[-1] == "a" else ("", _listed(lists[0]))
                )
            else:
                what, here = kind, _listed(lists[0])
            parts = [
                f"{where} {text}" for where, text in (("here", here), ("there", there)) if text
            ]
            yield f"{source} differs ({what}): {', '.join(parts)}."


def _listed(entries: list[Any]) -> str:
    return " ".join(e if isinstance(e, str) else "-".join(map(str, e)).strip("?") for e in entries)


def with_neutral(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts with a power that stands for the units of nobody, if there are any."""
    units = facts.get("neutral_units", [])
    if not units:
        return {"standing": (), **facts}
    name = facts.get("neutral_power", "Neutral")
    centers = [unit.partition(" ")[2] for unit in units]
    rule = "neutral_armies" if "raised again in its" in facts["neutral_rule"] else "standing"
    return {
        **facts,
        "powers": [*facts["powers"], name],
        "start": {**facts["start"], name: units},
        "centers": {**facts["centers"], name: centers},
        "modules": [*facts.get("modules", []), rule],
        "standing": (name,),
    }


def header(facts: Mapping[str, Any]) -> list[str]:
    """What the board is, whose, and what is doubtful, as comments."""
    author = facts.get("author") or "?"
    by = "an unnamed author" if author == "?" else author
    same = [name for name, found in facts.get("compared", {}).items() if not found]
    sources = facts["sources"]
    lines = _comment(f"{facts['title']} for {len(facts['powers'])} players, by {by}.")
    lines += _comment(f"Sources of facts: the repositories {', '.join(sources)}.")
    if same:
        lines += _comment(f"They agree in every border, center and first unit with {same[0]}.")
    elif len(sources) == 1:
        lines += _comment("No second source has it, so nothing confirms a border.")
    lines += [line for text in (*facts["special"], *_doubts(facts)) for line in _comment(text)]
    return lines


def variant_file(facts: Mapping[str, Any], description: str) -> str:
    """Return the text of the variant's file."""
    top = header(facts)
    facts = with_neutral(facts)
    powers = facts["powers"]
    initials = letters(powers)
    one_way = {
        kind: [pair[1:] for pair in facts.get("one_way", []) if pair[0] == kind]
        for kind in ("army", "fleet")
    }
    army = borders(facts["army"], one_way["army"])
    fleet = borders(facts["fleet"], one_way["fleet"])
    season, year, kind = facts["start_phase"][0], facts["start_phase"][1:-1], "M"
    centers = sum(each["supply_center"] for each in facts["provinces"])
    lines = [*top, "", f"title = {_quoted(facts['title'])}"]
    lines.append(f"description = {_quoted(description)}")
    if facts.get("modules"):
        lines.append(f"modules = [{', '.join(map(_quoted, facts['modules']))}]")
    if facts.get("notes"):
        lines.append(f"notes = [{', '.join(map(_quoted, facts['notes']))}]")
    lines.append(f'start = "{season}{int(year)}{kind}"')
    lines.append('calendar = "SM SR FM FR WA"')
    if "years that count down" in facts.get("no_module_for", []):
        lines.append("years = -1  # before Christ")
    lines.append(f"victory = {facts['victory']}")
    if "lead" in facts:
        lines.append(f"lead = {facts['lead']}")
    lines.append(f"count = {{ provinces = {len(facts['provinces'])}, centers = {centers} }}")
    if facts.get("one_way"):
        pairs = [f"{here} {there}" for _, here, there in facts["one_way"]]
        lines.append(f"one_way = [{', '.join(map(_quoted, pairs))}]")
    if facts.get("seasonal"):
        lines += ["", "[seasonal]"]
        lines += [f"{place} = {_quoted(text)}" for place, text in facts["seasonal"].items()]
    lines += ["", "[powers]"]
    for power in powers:
        units, owned = facts["start"].get(power, []), facts["centers"].get(power, [])
        home = [p["id"] for p in facts["provinces"] if p["home"] == power and p["supply_center"]]
        parts = [f"letter = {_quoted(initials[power])}"]
        if power in ADJECTIVES:
            parts.append(f"adjective = {_quoted(ADJECTIVES[power])}")
        parts.append(f"units = {_quoted(', '.join(units))}")
        named = {each["name"]: each["id"] for each in facts["provinces"]}
        if later := facts.get("home_when_owned", {}).get(power):
            parts.append(f"home = {_quoted(named[later])}")
        if set(owned) != set(home) or later:
            parts.append(f"centers = {_quoted(' '.join(owned))}")
        if len(units) > len(owned):
            parts.append(f"surplus = {len(units) - len(owned)}")
        if power in facts["standing"]:
            parts.append("standing = true")
        name = power if power.isascii() and power.replace("-", "").isalnum() else _quoted(power)
        lines.append(f"{name} = {{ {', '.join(parts)} }}")
    for owner in (*powers, None):
        group = [each for each in facts["provinces"] if each["home"] == owner]
        if group:
            lines += ["", f"# {owner or 'Nobody at home'}"]
        for each in sorted(group, key=lambda each: (each["type"] == "sea", each["id"])):
            lines += [
                "",
                *_province(each, army, fleet, each["id"] in facts.get("convoying_coasts", [])),
            ]
    return "\n".join(lines) + "\n"


def _province(
    each: Mapping[str, Any],
    army: Mapping[str, list[str]],
    fleet: Mapping[str, list[str]],
    convoys: bool,
) -> Iterator[str]:
    key = each["id"]
    yield f"[provinces.{key}]"
    yield f"name = {_quoted(each['name'])}"
    yield f'type = "{each["type"]}"'
    if each["home"]:
        yield f"home = {_quoted(each['home'])}"
    if each["supply_center"]:
        yield "center = true"
    if convoys:
        yield "convoys = true"
    if key in army:
        yield f'army = "{" ".join(army[key])}"'
    for coast in each["coasts"]:
        yield f'fleet.{coast} = "{" ".join(fleet.get(f"{key}/{coast}", []))}"'
    if key in fleet:
        yield f'fleet = "{" ".join(fleet[key])}"'
    if each["aliases"]:
        yield f"aliases = [{', '.join(map(_quoted, each['aliases']))}]"


def recipe_file(facts: Mapping[str, Any]) -> str:
    """Return the text of the recipe for the drawing: places on a plane, north up."""
    lines = _comment(f"Places of {facts['title']} on a plane, x to the east and y to the north.")
    lines.append(f"wrap = {str(facts.get('wrap', False)).lower()}")
    if facts.get("neutral_units"):
        lines.append(f'colors = {{ {facts.get("neutral_power", "Neutral")} = "{GRAY}" }}')
    lines += ["", "[places]"]
    places = {**facts["position"], **facts.get("coast_position", {})}
    for key in sorted(places, key=lambda key: (province_of(key), key)):
        x, y = places[key]
        name = _quoted(key) if "/" in key else key
        lines.append(f"{name} = [{round(x, 1):g}, {round(y, 1):g}]")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("facts", type=Path)
    parser.add_argument("--description", default="")
    parser.add_argument("--folder", type=Path, default=variants.directory())
    given = parser.parse_args()
    facts = json.loads(unescape(given.facts.read_text()))
    name, folder = given.facts.stem, given.folder
    if "provinces" in facts:
        text = variant_file(facts, given.description)
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    recipes = folder / "maps" / "recipes"
    recipes.mkdir(parents=True, exist_ok=True)
    (recipes / f"{name}.toml").write_text(recipe_file(facts), encoding="utf-8")


if __name__ == "__main__":
    main()
