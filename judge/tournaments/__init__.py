"""Tournaments and leagues as values: who plays whom, what rounds add up to, who stands where."""
