"""Whole lives of games, played at random by mail, while somebody watches that nothing breaks."""
