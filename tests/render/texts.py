"""The messages there are, found where they stand; `make texts` brings the catalogs up to date.

python -m tests.render.texts             update templates/locale/*/catalog.po
python -m tests.render.texts --missing   only list what is not translated yet
"""

from __future__ import annotations

import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from judge import variants
from judge.commands import TABLE
from judge.game.state.settings import TABLE as SETTINGS
from judge.i18n import OTHERS

ROOT = Path(__file__).resolve().parents[2]
LOCALE = ROOT / "templates" / "locale"

KEYWORDS: dict[str, Any] = {
    "gettext": None,
    "_": None,
    "say": None,
    "Message": None,
    "BadSetting": None,
    "say_n": (1, 2),
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}


_TEMPLATES = ("**.txt", "**.html", "**.xml")
_JINJA = {"trimmed": "true", "newstyle_gettext": "true"}


@cache
def found() -> Catalog:
    """Every message of templates, code, commands and the sentences of the rules."""
    catalog = Catalog(project="judge")
    for folder, method in (("templates", "jinja2"), ("judge", "python")):
        for path, _, message, comments, context in extract_from_dir(
            ROOT / folder,
            method_map=[
                ("**.txt", "jinja2"),
                ("**.html", "jinja2"),
                ("**.xml", "jinja2"),
                ("**.py", "python"),
            ],
            options_map=dict.fromkeys(("**.txt", "**.html"), _JINJA),
            keywords=KEYWORDS,
            comment_tags=("NOTE:",),
            strip_comment_tags=True,
        ):
            if method == "jinja2" or not path.startswith(("rules/", "i18n")):
                place = f"{folder}/{Path(path).as_posix()}"
                catalog.add(
                    message, locations=[(place, 0)], auto_comments=comments, context=context
                )
    sentences = tomllib.loads((ROOT / "templates" / "sentences.toml").read_text())
    for one, many in sentences.pop("counted").values():
        catalog.add((one, many), auto_comments=["counted things"])
    for kind, texts in sentences.items():
        for text in texts.values():
            for each in [text] if isinstance(text, str) else text:
                catalog.add(each, auto_comments=[f"templates/sentences.toml: {kind}"])
    for command in TABLE:
        place = f"judge/commands: {command.name}"
        for text in (command.summary, command.help):
            if text:
                catalog.add(text, auto_comments=[place])
        if command.usage:
            catalog.add(command.usage, auto_comments=[place], context="usage")
    for name, setting in SETTINGS.items():
        shown = (choice.shown for choice in setting.choices.values())
        for text in (setting.called, setting.none, *shown):
            if text:
                catalog.add(text, auto_comments=[f"judge/game/settings: {name}"])
    for name in variants.names():
        catalog.add(variants.load(name).description, auto_comments=[f"variants/{name}.toml"])
    return catalog


def catalog(language: str) -> Catalog:
    """The catalog of a language as it stands in its file."""
    with (LOCALE / language / "catalog.po").open("rb") as file:
        return read_po(file, locale=language)


def missing(language: str) -> list[str]:
    """The messages that have no translation yet."""
    known = catalog(language)
    lacking = []
    for message in found():
        if not message.id:
            continue
        there = known.get(message.id, message.context)
        texts = there.string if there is not None and not there.fuzzy else ""
        if not texts or not all([texts] if isinstance(texts, str) else texts):
            lacking.append(message.id if isinstance(message.id, str) else message.id[0])
    return lacking


def update(language: str) -> None:
    """Bring a catalog's file up to date: what is new comes in empty, what is gone goes."""
    known = catalog(language)
    known.update(found(), no_fuzzy_matching=True, update_header_comment=False)
    known.obsolete.clear()
    with (LOCALE / language / "catalog.po").open("wb") as file:
        # Sorted by text and without places, so that code can move without a change here.
        write_po(file, known, width=100, sort_output=True, no_location=True)


def main() -> None:
    """Do what the command line says."""
    for language in OTHERS:
        if "--missing" not in sys.argv:
            update(language)
        lacking = missing(language)
        print(f"{language}: {len(lacking)} messages are not translated")
        for text in lacking if "--missing" in sys.argv else ():
            print(f"  {text}")


if __name__ == "__main__":
    main()
