"""Orders from a line to the file: what they are, whether they can be, and those for later."""
