"""Engine and reference agree: a sample here, everything by `make prove`.

`JUDGE_PROVE_SEED` moves the sample, so that a busy builder sees other positions every time.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from judge import interchange
from tests.prove.compare import compare
from tests.prove.proof import FOUND, Stream, Tally, run, streams

SEED = int(os.environ.get("JUDGE_PROVE_SEED", "0"))


@pytest.mark.parametrize("stream", streams(), ids=lambda stream: stream.name)
def test_sample(stream: Stream) -> None:
    count = 400 if stream.small or stream.name == "standard, legal orders" else 100
    tally = Tally()
    for _ in run(stream, SEED, count, tally):
        pass
    assert tally.positions > 90
    assert tally.disagreements == []
    if stream.name == "standard, legal orders":
        assert tally.paradoxes > 10
    if stream.name == "archipelago, legal orders":
        assert tally.nested > 1


@pytest.mark.parametrize("path", sorted(FOUND.glob("*.json")), ids=lambda path: path.stem)
def test_found(path: Path) -> None:
    question = interchange.read_question(json.loads(path.read_text(encoding="utf-8")))
    _, differences = compare(question.variant, question.position, question.orders)
    assert differences == []
