"""Games of before keep the rules under which they began: unlisted ones have no caretaker."""

from __future__ import annotations

from typing import Any


def up(migrator: Any, database: Any) -> None:
    """Say of each game that is not listed, and chose nothing, what it was without a choice."""
    database.execute_sql("""\
UPDATE game SET settings = replace(settings, '"caretaker":null', '"caretaker":false')
    WHERE replace(settings, '"listed":true', '') = settings
""")
