"""judge: a daemon that lets people play Diplomacy and its variants by e-mail."""

__version__ = "0.1.0"
