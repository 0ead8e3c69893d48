"""What games were worth, as values and pure functions over what they ended with."""
