"""Deadlines and dates as pure functions."""
