"""A game in work: its record with board, people and orders read. Imports nothing of the game's."""

from judge.game.state.game_seats import CONTACT, IN_USE, part
from judge.game.state.game_state import State
from judge.game.state.game_terms import PRACTICE

__all__ = ["CONTACT", "IN_USE", "PRACTICE", "State", "part"]
