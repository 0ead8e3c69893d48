"""How fast the engine is: `make bench` measures it beside the PyPI package `diplomacy`."""
