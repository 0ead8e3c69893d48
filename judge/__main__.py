"""`python -m judge` is `judge`."""

from judge.cli import main

main(prog_name="judge")
