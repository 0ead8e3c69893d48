"""Where variant files are found."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from judge.data import data_directory
from judge.rules.board import name_key


def directory() -> Path:
    """The folder with the variants that are shipped, in a checkout as well as installed."""
    return data_directory("variants")


def folders() -> list[Path]:
    """All folders with variants, those first that go before others: the folders a keeper names in
    the environment variable JUDGE_VARIANTS, separated as in PATH, then the one that is shipped."""
    own = os.environ.get("JUDGE_VARIANTS", "").split(os.pathsep)
    return [*map(Path, filter(None, own)), directory()]


def names() -> list[str]:
    """The names of all variants there are, in alphabetical order."""
    return sorted({path.stem for folder in folders() for path in folder.glob("*.toml")})


def find(name: str, where: Iterable[Path]) -> Path | None:
    """The file of a variant; None for what is no name. The name may come from outside, and must
    not lead out of the folders."""
    if name_key(name.replace("_", "")) != name.replace("_", ""):
        return None
    files = (folder / f"{name}.toml" for folder in where)
    return next((path for path in files if path.is_file()), None)
