"""`judge variant`: the boards there are."""

from __future__ import annotations

import sys

import click

from judge import interchange, variants
from judge.cli.common import LazyGroup, closed_pipe_is_fine, table
from judge.cli.tools import use_own_boards
from judge.maps.atlas import file_of
from judge.rules.variant import Variant


@click.group(cls=LazyGroup, lazy={"check": "board_check:check_variant"})
def variant_command() -> None:
    """Show variants, or check a variant file.

    \b
    judge variant list
    judge variant list --sources
    judge variant show standard
    judge variant show standard --json
    judge variant check my_variant.toml
    judge variant check my_variants/
    """
    use_own_boards()


@variant_command.command("list")
@click.option("--sources", is_flag=True, help="Add authors, sources, doubts, and drawings.")
def list_variants(sources: bool) -> None:
    """List the installed variants: names, and on a terminal what they are."""
    with closed_pipe_is_fine():
        if sys.stdout.isatty() and not sources:
            boards = [(name, variants.load(name)) for name in variants.names()]
            rows = [(name, board.title, len(board.played)) for name, board in boards]
            click.echo(table(rows, ("variant", "title", "players")))
            return
        for name in variants.names():
            click.echo(name)
            if sources:
                drawing = file_of(variants.load(name))
                lines = [*variants.head(name).splitlines(), f"Drawing: {drawing or 'none'}"]
                click.echo("".join(f"    {line}".rstrip() + "\n" for line in lines))


@variant_command.command("show")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print everything as a JSON object.")
def show_variant(name: str, as_json: bool) -> None:
    """Show a variant: powers, provinces, and how to win."""
    try:
        variant = variants.load(name)
    except variants.VariantError as error:
        raise click.ClickException(str(error)) from error
    with closed_pipe_is_fine():
        if as_json:
            facts = interchange.variant_object(variant)
            click.echo(interchange.written(facts, indent=2))
        else:
            click.echo(_variant_page(variant))


def _variant_page(variant: Variant) -> str:
    """Return a variant in words: powers, provinces with neighbors, how to win."""
    board = variant.board
    powers = [
        (power, letter, ", ".join(map(str, variant.start.get(power, ()))))
        for letter, power in variant.letters.items()
        if power in variant.powers
    ]
    provinces = [
        (
            province.id,
            province.name,
            province.terrain,
            ("center" + (f" of {province.home}" if province.home else ""))
            if province.supply_center
            else (province.home or ""),
            " ".join(board.army.get(province.id, ())) or "-",
            "; ".join(
                (f"{place.partition('/')[2]}: " if province.coasts else "")
                + " ".join(board.fleet.get(place, ()))
                for place in province.locations
            )
            or "-",
        )
        for province in board.provinces.values()
    ]
    return "\n".join(
        [
            f"{variant.title} ({variant.name}): {len(variant.played)} powers, "
            f"{len(board.provinces)} provinces, "
            f"{len(board.centers)} supply centers, "
            f"{variant.victory} to win, rules of {variant.rulebook}, "
            f"begins with {variant.start_phase.words}",
            "",
            table(powers, ("power", "letter", "starts with")),
            "",
            table(provinces, ("id", "name", "terrain", "center", "armies go to", "fleets go to")),
        ]
    )
