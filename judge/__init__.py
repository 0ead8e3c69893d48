"""judge: a daemon that lets people play Diplomacy and its variants by email."""

__version__ = "0.2.0"
