"""What players can check: the power assignment, the coin, and the record of a phase."""
