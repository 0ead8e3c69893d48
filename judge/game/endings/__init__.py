"""How games end: votes, and who has won."""
