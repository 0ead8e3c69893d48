"""The pages as text, from the templates in `templates/site`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from judge import i18n
from judge.data import data_directory
from judge.render import letters
from judge.render.hypertext import plain_macros
from judge.render.prose import prose, written

POLICY = (
    "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)
"""What a page may load (Content Security Policy, level 3): its own pictures, style and script."""

ASSETS = ("style.css", "step.js", "icon.svg")
"""Files that go beside the pages as they are."""


@cache
def _templates() -> Any:
    environment = letters.environment(autoescape=True)
    environment.globals.update(plain_macros(), policy=POLICY)
    environment.filters.update(prose=prose, written=written)
    return environment


def page(name: str, facts: Mapping[str, Any], language: str, root: str) -> str:
    """The page made by the template of that name; `root` leads from it to the first page."""
    with i18n.speaking(language), letters.flowing():
        found: str = (
            _templates()
            .get_template(f"site/{name}")
            .render(facts, view=facts, language=language, root=root)
        )
    return found


def asset(name: str) -> bytes:
    """A file that goes beside the pages."""
    return (data_directory("templates") / "site" / name).read_bytes()
