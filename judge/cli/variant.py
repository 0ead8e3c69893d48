"""`judge variant`: the boards and rules that are installed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from judge.cli.common import closed_pipe_is_fine, table

if TYPE_CHECKING:
    from judge.rules.variant import Variant


@click.group()
def command() -> None:
    """Look at variants, or check a file that is to become one.

    \b
    judge variant list
    judge variant show standard
    judge variant show standard --json
    judge variant check my_variant.toml
    """


@command.command("list")
def list_variants() -> None:
    """List the variants installed, one a line."""
    from judge import variants

    for name in variants.names():
        click.echo(name)


@command.command("show")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Everything, as one JSON object.")
def show_variant(name: str, as_json: bool) -> None:
    """Show what the judge knows of a variant."""
    from judge import interchange, variants

    try:
        variant = variants.load(name)
    except variants.VariantError as error:
        raise click.ClickException(str(error)) from error
    with closed_pipe_is_fine():
        if as_json:
            facts = interchange.variant_object(variant)
            click.echo(json.dumps(facts, indent=2, ensure_ascii=False))
        else:
            click.echo(_page(variant))


@command.command("check")
@click.argument("path", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def check_variant(path: Path) -> None:
    """Check a variant file and report everything wrong with it at once."""
    from judge import variants

    problems = variants.check(path)
    for problem in problems:
        click.echo(problem, err=True)
    if problems:
        raise click.ClickException(f"{path}: {len(problems)} problems")
    click.echo(f"{path} is a good variant.")


def _page(variant: Variant) -> str:
    """A variant in words: powers, provinces with neighbors, how to win."""
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
            f"{variant.title} ({variant.name}): {len(variant.powers)} powers, "
            f"{len(board.provinces)} provinces, "
            f"{sum(each.supply_center for each in board.provinces.values())} supply centers, "
            f"{variant.victory} to win, rules of {variant.rulebook}, "
            f"begins with {variant.start_phase.words}",
            "",
            table(powers, ("power", "letter", "starts with")),
            "",
            table(provinces, ("id", "name", "terrain", "center", "armies go to", "fleets go to")),
        ]
    )
