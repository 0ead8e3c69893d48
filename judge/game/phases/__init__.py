"""The life of a game: it starts, phases run and open, it ends."""
