"""Lines that are neither an order nor a command nor press."""

from __future__ import annotations

from collections.abc import Sequence

from judge.intake.context import MessageContext
from judge.intake.fates import Fate
from judge.intake.lines import Line


def fates_of_talk(context: MessageContext, lines: Sequence[Line]) -> list[Fate]:
    """Say what becomes of ordinary text: the lines that follow each other between two others.

    Whoever does or asks something because of a line says so in `context.report.results`.
    """
    return context.report.sheet.fates_of(lines)
