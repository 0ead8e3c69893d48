"""What votes come to, held against the definition by trying every result there is."""

from __future__ import annotations

from itertools import chain, combinations
from typing import Literal

from hypothesis import given
from hypothesis import strategies as st

from judge.game.endings import agreed_share, sole_leader
from judge.storage import Vote
from judge.storage.columns import ValueField

POWERS = "AEFGI"
SETS = st.frozensets(st.sampled_from(POWERS), min_size=1)
VOTERS = st.frozensets(st.sampled_from(POWERS), min_size=1)


def accepts(voter: str, share: frozenset[str] | None, result: frozenset[str]) -> bool:
    """The words of the rule, one by one."""
    if share is None:
        return result == {voter}
    if voter in share:
        return voter in result and result <= share
    return result <= share or result - {voter} <= share


def results(powers: frozenset[str]) -> list[frozenset[str]]:
    sizes = (combinations(sorted(powers), size) for size in range(1, len(powers) + 1))
    return [frozenset(each) for each in chain.from_iterable(sizes)]


@given(VOTERS, st.data())
def test_the_greatest_result_that_all_accept(voters: frozenset[str], data: st.DataObject) -> None:
    lists = st.none() | st.frozensets(st.sampled_from(sorted(voters)), min_size=1)
    votes = {voter: data.draw(lists, label=voter) for voter in sorted(voters)}
    accepted = [
        result
        for result in results(voters)
        if all(accepts(voter, share, result) for voter, share in votes.items())
    ]
    greatest = max(map(len, accepted), default=0)
    found = agreed_share(votes)
    assert [found] == [each for each in accepted if len(each) == greatest] or not (
        found or accepted
    )


def test_examples() -> None:
    def votes(**lists: str | None) -> dict[str, frozenset[str] | None]:
        return {power: None if said is None else frozenset(said) for power, said in lists.items()}

    assert agreed_share(votes(A="AEF", E="AEF", F="AEF")) == frozenset("AEF")
    assert agreed_share(votes(A="AEF", E="AE", F="AE")) == frozenset("AE")
    assert agreed_share(votes(A="AEF", E="AE", F="F")) is None
    assert agreed_share(votes(A="AE", E="AE", F=None)) is None
    assert agreed_share(votes(A=None, E="A", F="A")) == frozenset("A")
    assert agreed_share(votes(A="A", E="EA")) is None
    assert agreed_share({}) is None


@given(st.none() | SETS | st.just("all"), st.none() | st.sampled_from(POWERS))
def test_ballots_survive_the_database(
    share: frozenset[str] | Literal["all"] | None, concede: str | None
) -> None:
    column, ballot = ValueField(Vote), Vote(share, concede)
    assert column.load(column.dump(ballot)) == ballot


def test_who_is_alone_at_the_top() -> None:
    assert sole_leader({"A": 3, "E": 2}) == "A"
    assert sole_leader({"A": 3, "E": 3, "F": 1}) is None
    assert sole_leader({"A": 0}) is None
