"""A turn played by mail in a language that is nothing but a folder: English with a syllable before
each word. `make` writes the folder; run as a module, with the judge that has it, this plays.
"""

from __future__ import annotations

import re
import tempfile
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from tests.render.texts import found

CODE = "eo"
"""The code of a language whose dates and numbers the library knows."""

_BEFORE = "ku"
_KEPT = re.compile(r"(%\(\w+\)s|\{[^}]*\}|<[^>]*>|\\\w|[A-Z]{2,})")


READING = """
[verbs]
hold = "kuholds"
support = "kusupports"

[kinds]
army = "kuarmy"
fleet = "kufleet"

[words]
to = "kuto"
"""
"""How orders are written in the language."""


def said(text: str) -> str:
    """A text in the language; places, tags, and commands in capitals stay."""
    if "MMM" in text or "HH" in text:
        # How the library is to write dates.
        return text
    return "".join(
        part if number % 2 else re.sub(r"\b([a-z])", rf"{_BEFORE}\1", part)
        for number, part in enumerate(_KEPT.split(text))
    )


def make(locale: Path) -> None:
    """Write the folder of the language among those of others."""
    from judge import variants
    from judge.commands import TABLE
    from judge.i18n import language_data

    folder = locale / CODE
    folder.mkdir()
    board = variants.load("standard")
    german = language_data("de")
    english = language_data("en")
    common = " ".join(english["common"]).split()
    tables: dict[str, Mapping[str, str]] = {
        "commands": _like(("press to", *(command.words[0] for command in TABLE))),
        "ends": _like(("end", "endpress")),
        "powers": {_word(each): each for each in board.powers},
        "provinces": {_word(each.name): each.name for each in board.board.provinces.values()},
        "words": _like(("and", "all")),
        **{
            kind: _like(set(german[kind].values()) - {""})
            for kind in ("phases", "conditions", "pace")
        },
    }
    lines = ['name = "Kulingvo"', 'called = "kulingvo"', f'common = ["{_word(" ".join(common))}"]']
    for kind, words in tables.items():
        lines += [f"\n[{kind}]", *(f'"{local}" = "{meant}"' for local, meant in words.items())]
    lines += ["\n[dates]", 'weekdays = ["kumon", "kutue", "kuwed", "kuthu", "kufri"]']
    text = "\n".join(lines) + "\n"
    tomllib.loads(text)
    (folder / "words.toml").write_text(text, encoding="utf-8")
    (folder / "reading.toml").write_text(READING, encoding="utf-8")
    catalog = Catalog(locale=CODE)
    for message in found():
        if message.id:
            ids = (message.id,) if isinstance(message.id, str) else message.id
            texts = tuple(map(said, ids))
            string = texts[0] if isinstance(message.id, str) else texts
            catalog.add(message.id, string, context=message.context)
    with (folder / "catalog.po").open("wb") as file:
        write_po(file, catalog)


def _word(text: str) -> str:
    return re.sub(r"\b(?=\w)", _BEFORE, text)


def _like(words: Iterable[str]) -> dict[str, str]:
    return {_word(each.lower()): each for each in words}


def play() -> None:
    """Play a turn in the language."""
    from judge.i18n import LANGUAGES
    from tests.game.play import Play, answer_first_letters

    assert CODE in LANGUAGES
    with tempfile.TemporaryDirectory() as folder:
        answer_first_letters()
        game = Play(Path(folder))
        game.start()
        answer = game.send("cleo", "kuset kulanguage kulingvo").text
        assert "Kulingvo" in answer, answer
        told = game.send("cleo", "kuhelp").text
        assert "kuyour" in told, told
        told = game.send(
            "cleo",
            "kuarmy kuParis kuto kuBurgundy\nkufleet kuBrest kuholds\nA Mar - Spa\n"
            "kuset kuabsence kuFri\n"
            "kupress kuto kuEngland\nShall we leave the kuEnglish kuChannel alone?\nkuendpress\n",
        ).text
        on_file = {each.text for each in game.storage.orders(1).of_power("France")["S1901M"]}
        assert on_file == {"A par - bur", "F bre H", "A mar - spa"}, (on_file, told)
        assert "LINES I COULD NOT USE" not in told, told
        assert "Kuarmy kuParis kumoves kuto kuBurgundy" in told, told
        press = [each for each in game.letters() if each.kind == "press"]
        assert [each.to.partition("@")[0] for each in press] == ["bob"], told
        assert "leave the kuEnglish" in press[0].text
        assert "kuendpress" not in press[0].text
        reply = game.send("cleo", "kucancel kuBrest").text
        assert "F bre" not in "".join(
            each.text for each in game.storage.orders(1).of_power("France")["S1901M"]
        ), reply
        game.storage.close()


if __name__ == "__main__":
    play()
