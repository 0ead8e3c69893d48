"""What the keeper decides for all games, and is told."""
