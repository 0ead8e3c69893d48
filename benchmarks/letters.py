"""What letters weigh, in bytes as they go out, pictures drawn: games by chance on several boards.

`python -m benchmarks.letters` weighs them alone.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from benchmarks.rows import Row, say, show
from judge.game.state import State
from judge.mail.pictures import draw_pictures
from judge.maps.notes import picture_of
from tests.boards.tables import Table, lines
from tests.game.play import REPLIES, Play, Received, answer_first_letters

BOARDS = ("standard", "era_of_empire", "modern", "hundred", "chaos")
ANSWER, RESULTS, HTML, PICTURE = 40_000, 120_000, 30_000, 78_000
PHASE, SEATS, ANSWERS = 1_500_000, 7, 20
"""The most bytes of each; those of a phase are for so many players and answers."""


@dataclass
class Weights:
    """The heaviest of a game, in bytes: of each kind of letter, of its HTML, of its picture."""

    whole: dict[str, int] = field(default_factory=dict)
    html: int = 0
    picture: int = 0
    phase: int = 0

    def add(self, raw: bytes, kind: str, to: str) -> int:
        """Take a letter as it goes out, and return its bytes."""
        letter = Received(to, kind, raw)
        self.whole[kind] = max(self.whole.get(kind, 0), len(raw))
        for part in letter.message.walk():
            content = part.get_payload(decode=True)
            size = len(content) if isinstance(content, bytes) else 0
            if part.get_content_type() == "text/html":
                self.html = max(self.html, size)
            elif part.get_content_maintype() == "image":
                self.picture = max(self.picture, size)
        return len(raw)


def weigh(board: str, phases: int, seed: str = "letters") -> Weights:
    """Play so many phases on a board, orders by chance, and weigh every letter."""
    found, chance, draw = Weights(), random.Random(seed), cache(picture_of)
    table = Table(board)
    with tempfile.TemporaryDirectory() as folder:
        answer_first_letters()
        play = Play(Path(folder))
        play.send("max", f"CREATE ?atlas {table.options}, MOVE DELAY 0 MIN 0")
        people = [f"p{number}" for number in range(table.people)]
        for who in people:
            play.send(who, "JOIN atlas")
        letters = play.run()
        for _ in range(phases):
            for who in people:
                game = play.storage.games.by_name("atlas")
                person = play.storage.people.by_address(f"{who}@people.example")
                assert game is not None
                assert person is not None
                wanted = lines(State(play.storage, game), person.id, chance)
                if wanted:
                    letters.append(play.send(who, "\n".join(wanted)))
            phase = _phase_of(play)
            letters += [each for each in play.run() if each.kind not in REPLIES]
            if _phase_of(play) == phase:
                letters += play.wake()
            weighed = [
                (each.kind, found.add(draw_pictures(each.raw, draw), each.kind, each.to))
                for each in letters
            ]
            replies = [size for kind, size in weighed if kind in REPLIES]
            results = [size for kind, size in weighed if kind == "results"]
            if replies and results:
                found.phase = max(found.phase, _phase(replies, results))
            letters = []
        play.storage.close()
    return found


def _phase_of(play: Play) -> str | None:
    game = play.storage.games.by_name("atlas")
    return None if game is None else game.phase


def _phase(replies: Sequence[int], results: Sequence[int]) -> int:
    """The bytes of a phase of seven players who write twenty times, by the mean of its letters."""
    return sum(results) * SEATS // len(results) + sum(replies) * ANSWERS // len(replies)


def letters(boards: Sequence[str] = BOARDS, phases: int = 8) -> Iterator[Row]:
    """The heaviest letters of a game on each board."""
    for board in boards:
        say(f"weighing letters, {board}")
        found = weigh(board, phases)
        answers = max(size for kind, size in found.whole.items() if kind in REPLIES)
        for what, size, most in (
            ("reply", answers, ANSWER),
            ("results", found.whole["results"], RESULTS),
            ("HTML", found.html, HTML),
            ("picture", found.picture, PICTURE),
            (f"phase of {SEATS} with {ANSWERS} replies", found.phase, PHASE),
        ):
            kept = size <= most
            yield Row(
                f"{board}: largest {what}", f"{size / 1000:.1f} kB", f"<= {most // 1000} kB", kept
            )


def main() -> None:
    """Print the weights alone; fails when one is missed."""
    kept = [show(row) for row in letters()]
    raise SystemExit(not all(kept))


if __name__ == "__main__":
    main()
