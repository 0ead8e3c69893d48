"""WHAT IF: the processor time of an answer, and of the picture that goes along.

A hundred questions come at once, each with other orders for a dozen units. One process answers
them while another draws, so on two cores 95 are answered within 2 seconds where each of the two
takes no more than 2/95 of a second. The first answers are left out: they load what others keep.

`python -m benchmarks.whatif` measures it alone.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from msgspec.structs import replace

from benchmarks.rows import Row, show
from judge.game.state import State
from judge.limits import Limits
from judge.mail.pictures import draw_pictures
from judge.maps.notes import picture_of
from judge.rules.legal_orders import legal_orders
from tests.game.play import Play, answer_first_letters

QUESTIONS, FIRST, WITHIN = 100, 5, 2.0
MOST = WITHIN / 95


def questions(state: State, random: Random) -> Iterator[str]:
    """Yield so many questions, each with legal orders by chance for four powers."""
    for _ in range(FIRST + QUESTIONS):
        powers = random.sample(state.variant.played, 4)
        legal = [legal_orders(state.variant, state.opened, power).values() for power in powers]
        orders = [random.choice(list(choices)) for given in legal for choices in given]
        yield "\n".join(["WHAT IF", *map(str, orders)])


def rows() -> Iterator[Row]:
    """The two figures, with what they may be."""
    with tempfile.TemporaryDirectory() as folder:
        answer_first_letters()
        play = Play(Path(folder))
        play.judge.profile = replace(play.judge.profile, limits=Limits(hour=1000, what_if=1000))
        starts = play.start()
        found = play.storage.games.by_name("paris")
        assert found is not None
        asked = list(questions(State(play.storage, found), Random("what if")))
        people = list(starts)
        mails = [
            play.mail(who := people[number % len(people)], text, answers=starts[who])
            for number, text in enumerate(asked)
        ]
        play.letters()
        for mail in mails[:FIRST]:
            play.judge.process_message(mail)
        began = time.process_time()
        for mail in mails[FIRST:]:
            play.judge.process_message(mail)
        answered = time.process_time()
        letters = [letter for letter in play.letters() if letter.kind == "reply"]
        if len(letters) != FIRST + QUESTIONS:
            raise RuntimeError(f"{len(letters)} answers to {FIRST + QUESTIONS} questions")
        for letter in letters[:FIRST]:
            draw_pictures(letter.raw, picture_of)
        drawing = time.process_time()
        for letter in letters[FIRST:]:
            draw_pictures(letter.raw, picture_of)
        drawn = time.process_time()
        play.storage.close()
    for what, spent in (("an answer", answered - began), ("its picture", drawn - drawing)):
        each = spent / QUESTIONS
        yield Row(
            f"WHAT IF: processor time of {what}, {QUESTIONS} at once",
            f"{each * 1000:.1f} ms",
            f"<= {MOST * 1000:.0f} ms",
            each <= MOST,
        )


def main() -> None:
    """Print the figures alone; fails when one is missed."""
    kept = [show(row) for row in rows()]
    raise SystemExit(not all(kept))


if __name__ == "__main__":
    main()
