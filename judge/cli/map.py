"""`judge map`: pictures of boards."""

from __future__ import annotations

from pathlib import Path

import click

from judge import interchange, maps
from judge.cli.common import config_option
from judge.cli.configuration import load_config
from judge.cli.database import game_named, open_storage
from judge.cli.tools import Tool, input_errors
from judge.game.state import State
from judge.game.visibility.readers import JUDGE
from judge.game.visibility.shown_boards import last_played, now_view, past_view
from judge.language.misreadings import ReadError
from judge.language.phase_names import read_phase
from judge.maps import View, position_view, results_view
from judge.rules.engine import adjudicate
from judge.sentences import in_words


@click.command(cls=Tool)
@click.argument("what", metavar="GAME|FILE")
@click.option(
    "--phase", metavar="PHASE", help="Phase of the game, such as F1903M; default: the last."
)
@click.option("--orders", is_flag=True,
              help="With orders: of a game what became of them, in the last phase that has run; "
              "of a file those in it.")  # fmt: skip
@click.option("--output", "-o", type=click.Path(dir_okay=False, path_type=Path),
              metavar="FILE", required=True, help="Output file: .svg or .png.")  # fmt: skip
@config_option
def map_command(
    what: str,
    phase: str | None,
    orders: bool,
    output: Path,
    config_path: Path | None,
) -> None:
    """Draw the board of a game, or of a position in FILE.

    The name of the output says whether as SVG or PNG.

    \b
    judge map paris -o paris.png
    judge map paris --phase F1903M --orders -o paris.svg
    judge map position.json --orders -o map.png
    """
    if output.suffix not in (".svg", ".png"):
        raise click.UsageError(f"{output} must end in .svg or .png")
    if Path(what).is_file():
        if phase is not None:
            raise click.UsageError("--phase is for games; a file says itself which phase it is")
        view = _of_file(Path(what), orders)
    else:
        view = _of_game(what, phase, orders, config_path)
    png = output.suffix == ".png"
    output.write_bytes(maps.png(view, width=1200) if png else maps.draw(view).encode())


def _of_file(path: Path, orders: bool) -> View:

    with input_errors():
        asked = interchange.read_question(interchange.parse(path.read_bytes(), str(path)))
    if not orders:
        return position_view(asked.variant, asked.position)
    outcome = adjudicate(asked.variant, asked.position, asked.orders, asked.rulebook)
    return results_view(asked.variant, asked.position, outcome)


def _of_game(name: str, phase: str | None, orders: bool, config_path: Path | None) -> View:

    with open_storage(load_config(config_path)) as storage:
        state = State(storage, game_named(storage, name, ", and no such file"))
        try:
            wanted = None if phase is None else str(read_phase(phase, state.variant))
        except ReadError as error:
            raise click.ClickException(in_words(error.problem, state.variant)) from error
        if wanted is None and orders:
            run = last_played(state)
            if run is None:
                raise click.ClickException(f"no phase of {name} has run yet")
            return past_view(state, run, JUDGE)
        opened = state.phase or (state.position or state.variant.opening).phase
        if wanted is None or (wanted == str(opened) and not orders):
            return now_view(state, JUDGE)
        run = storage.history.find(state.game.id, wanted)
        if run is None:
            raise click.ClickException(f"{wanted} has not run in {name}")
        return past_view(state, run, JUDGE, orders=orders)
