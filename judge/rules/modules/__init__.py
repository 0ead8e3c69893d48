"""Rules beyond the standard ones, a file for each topic; `registry` has them by name."""
