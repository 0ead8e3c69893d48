"""Where what is shipped beside the code is found (variants, templates, config, the unit of a
service), and where the configuration of a judge is."""

from __future__ import annotations

import os
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def data_path(name: str) -> Path:
    """Return the folder `name` ("variants", "templates", "config"), or the file `judge.service`.

    In a checkout or an editable install it stands beside the package; a wheel carries it inside
    the package, under `_data`. Raises FileNotFoundError, naming both places, when neither is there.
    """
    places = (_PACKAGE.parent / name, _PACKAGE / "_data" / name)
    # Beside an installed package stand other people's packages, so only a checkout counts there.
    checkout = (_PACKAGE.parent / "pyproject.toml").is_file()
    for place in places if checkout else places[1:]:
        if place.exists():
            return place
    raise FileNotFoundError(f"{name!r} is missing; looked for {places[0]}, {places[1]}")


PLACES = ("judge.toml", "~/.config/judge/judge.toml", "/etc/judge/judge.toml")
"""Where a configuration is looked for when none is named; JUDGE_CONFIG comes before them."""


def find_config() -> Path:
    """Return the configuration that is meant when none is named.

    Raises FileNotFoundError, naming the places, when there is none.
    """
    named = os.environ.get("JUDGE_CONFIG")
    places = [Path(place).expanduser() for place in ((named,) if named else PLACES)]
    for place in places:
        if place.is_file():
            return place
    raise FileNotFoundError(
        f"no configuration in {', '.join(map(str, places))}; `judge init` writes one"
    )
