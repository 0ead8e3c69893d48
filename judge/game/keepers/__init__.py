"""What the keeper lays down for all games, and what he is told."""
