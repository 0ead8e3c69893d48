"""Variants as data: reads the board files in `variants/` and finds everything wrong with them.

A variant is one TOML file; `docs/variants.md` tells the form. Nothing here knows a variant by name.
"""

from __future__ import annotations

from judge.variants.files import configure, directory, folders, head, names, within
from judge.variants.keys import LINEUP, POWER, PROVINCE, TOP
from judge.variants.reader import VariantError, check, load, read
from judge.variants.tailored import added_modules, before, tailored
