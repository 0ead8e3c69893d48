"""Games of before keep the rules under which they began: no caretaker."""

from __future__ import annotations

from typing import Any


def up(migrator: Any, database: Any) -> None:
    """Write into the settings of each game what it was without this word."""
    database.execute_sql("""\
UPDATE game SET settings = '{"caretaker":false' || CASE settings WHEN '{}' THEN '' ELSE ',' END
    || substr(settings, 2) WHERE replace(settings, '"caretaker":', '') = settings
""")
