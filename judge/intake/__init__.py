"""A mail on its way in: who writes, what its lines are, and the one reply."""
