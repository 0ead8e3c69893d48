"""A game in work: its record with board, people and orders read. Imports nothing of the game's."""

from judge.game.state.game_state import CONTACT, IN_USE, PRACTICE, State, part

__all__ = ["CONTACT", "IN_USE", "PRACTICE", "State", "part"]
