"""docs/commands.md: made from the commands, and nothing that people expect is missing in it."""

from __future__ import annotations

import pytest

from judge.commands import TABLE
from judge.commands.help import LEFT_OUT
from tests.commands.document import FILE, document
from tests.commands.floor import FLOOR, Expected

DOCUMENTED = FILE.read_text(encoding="utf-8")


def test_the_page_is_made_from_the_commands() -> None:
    assert document() == DOCUMENTED, "run `make docs`"


@pytest.mark.parametrize("expected", FLOOR, ids=lambda expected: expected.line)
def test_what_people_expect_is_understood_and_documented(expected: Expected) -> None:
    found = TABLE.find(expected.line)
    assert found is not None
    command = found[0]
    documented, _, left = DOCUMENTED.partition("## Not supported")
    if command.group == LEFT_OUT:
        assert expected.mark == "N"
        assert f"`{command.form}`" in left
    else:
        assert f"| `{command.form}`" in documented
