"""Years without a keeper: backups, proofs, alarms, measurements and advice, beside the game."""
