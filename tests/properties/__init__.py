"""Properties that hold for all inputs: a few dozen here, thousands by `make prove`."""
