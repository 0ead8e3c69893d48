"""Deadlines as pure functions, and the alarm clock that wakes the daemon at them."""
