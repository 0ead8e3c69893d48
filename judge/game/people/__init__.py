"""The people of a game: how they come in, fall silent, come back, and what they are called."""
