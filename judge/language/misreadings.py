"""Why a text could not be read, as values; `judge.sentences.problem_words` words them.

There are three questions, and each needs another answer: what cannot be read (correct the
spelling), what has several meanings (pick one of the candidates), and what can be read but not be
done (`judge.rules`: choose another order).
"""

from __future__ import annotations

from dataclasses import dataclass

from judge.rules.phase import Constant
from judge.rules.position import Unit
from judge.rules.problems import Problem


class Fault(Constant):
    """The kinds of misreadings; behind each stands which pieces it has."""

    # of a whole order
    TOO_LONG = "too_long"
    EMPTY = "empty"
    QUESTION = "question"
    AMBIGUOUS = "ambiguous"  # candidates: what it could mean, in canonical form
    LEFT_OVER = "left_over"  # after: what was read; text: the words behind it
    # of what an order needs
    NO_ACTION = "no_action"  # unit
    NO_RETREAT = "no_retreat"  # unit
    BUILD_OR_REMOVE = "build_or_remove"  # unit
    NO_UNIT = "no_unit"  # text: the letter of the verb, "" where there is no verb either
    NO_PLACE = "no_place"  # unit: its kind
    WHERE_BUILT = "where_built"  # unit: its kind; candidates: the builds there can be
    WHICH_UNIT = "which_unit"  # unit: its kind; power; count: how many it has
    ONE_SPACE = "one_space"  # unit; count: the spaces that are named
    NO_WATER = "no_water"  # place
    NO_BOMB_AIM = "no_bomb_aim"
    NO_BOMB_TARGET = "no_bomb_target"
    # of a name
    UNKNOWN_PROVINCE = "unknown_province"  # text; candidates: ids of those spelled alike
    UNKNOWN_POWER = "unknown_power"  # text; candidates
    AMBIGUOUS_PROVINCE = "ambiguous_province"  # text; candidates: ids
    AMBIGUOUS_POWER = "ambiguous_power"  # text; candidates
    NO_SUCH_COAST = "no_such_coast"  # place: with that coast; candidates: the locations there are
    # of a condition
    CONDITION_TOO_LONG = "condition_too_long"  # count: the characters that are read
    NO_PROVINCE = "no_province"
    TOO_NESTED = "too_nested"
    OPEN_BRACKET = "open_bracket"  # after: what stands in the bracket
    ENDS_EARLY = "ends_early"
    # of a phase
    NO_PHASE = "no_phase"  # text; candidates: the phases of a year


@dataclass(frozen=True, slots=True)
class Misreading(Problem):
    """Why a text could not be read: its kind, and the pieces that kind has.

    Attributes:
        text: The fragment at fault, as it was written.
        candidates: What may have been meant, likeliest first.
        after: What could be read before the fragment, in canonical form.
        place: A location.
    """

    fault: Fault
    text: str = ""
    candidates: tuple[str, ...] = ()
    after: str = ""
    unit: Unit | None = None
    power: str | None = None
    place: str = ""
    count: int = 0


class ReadError(ValueError):
    """A text that could not be read; `problem` says why."""

    def __init__(self, problem: Misreading) -> None:
        super().__init__(problem)
        self.problem = problem
