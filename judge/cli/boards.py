"""Tools that need no judge: `judge variant`, `adjudicate`, `orders`, `explain`, `score`, `map`,
`read`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from judge.cli import common
from judge.i18n import DEFAULT_LANGUAGE, LANGUAGES

if TYPE_CHECKING:
    from judge.game.orders.context import OrderContext
    from judge.maps import View
    from judge.rules.variant import Variant


@click.group(cls=common.Verbs)
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


@variant_command.command("list")
@click.option("--sources", is_flag=True, help="Add authors, sources, doubts, and drawings.")
def list_variants(sources: bool) -> None:
    """List the installed variants, one per line."""
    from judge import variants
    from judge.maps.drawing import file_of

    with common.closed_pipe_is_fine():
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
    from judge import interchange, variants

    try:
        variant = variants.load(name)
    except variants.VariantError as error:
        raise click.ClickException(str(error)) from error
    with common.closed_pipe_is_fine():
        if as_json:
            facts = interchange.variant_object(variant)
            common.echo_json(facts)
        else:
            click.echo(_variant_page(variant))


@variant_command.command("check")
@click.argument("path", type=click.Path(exists=True, path_type=Path))
def check_variant(path: Path) -> None:
    """Report everything wrong in a variant file, or in all of a folder."""
    from judge import variants

    files = variants.within(path) if path.is_dir() else [path]
    if not files:
        raise click.ClickException(f"{path}: no variant file (name.toml, or name/name.toml)")
    bad = []
    for file in files:
        problems = variants.check(file)
        told = f"{file} is a good variant."
        if not problems:
            tried, problems = _spellings(variants.read(file))
            told += f" Its names are understood in {tried:,} orders."
        for problem in problems:
            click.echo(problem if file == path else f"{file}: {problem}", err=True)
        if problems:
            bad.append(f"{file}: {common.counted(len(problems), 'problem')}")
        else:
            click.echo(told)
    if bad:
        raise click.ClickException("; ".join(bad))


def _spellings(variant: Variant) -> tuple[int, list[str]]:
    """How many orders the names of a board were tried in, and which are not read as they should."""
    from judge.game.orders.spelled import misread, spellings

    problems = [
        f"{spelled.text!r} is {f'read as {read!r}' if read else 'refused'} instead of "
        f"{spelled.orders!r}"
        for spelled, read in misread(variant)
    ]
    return sum(1 for _ in spellings(variant)), problems


def _variant_page(variant: Variant) -> str:
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
            f"{variant.title} ({variant.name}): {len(variant.played)} powers, "
            f"{len(board.provinces)} provinces, "
            f"{len(board.centers)} supply centers, "
            f"{variant.victory} to win, rules of {variant.rulebook}, "
            f"begins with {variant.start_phase.words}",
            "",
            common.table(powers, ("power", "letter", "starts with")),
            "",
            common.table(
                provinces, ("id", "name", "terrain", "center", "armies go to", "fleets go to")
            ),
        ]
    )


@click.command()
@click.argument("file", type=click.File("rb"), metavar="FILE|-")
@click.option("--jsonl", is_flag=True, help="Read one object per line, print one answer per line.")
def adjudicate_command(file: BinaryIO, jsonl: bool) -> None:
    """Adjudicate the position and orders in FILE.

    - stands for standard input. It needs no configuration and no running judge. docs/formats.md
    describes the objects. With --jsonl, a bad line gets an error, the others are still adjudicated,
    and the exit code is 1.

    \b
    judge adjudicate position.json
    judge adjudicate - --jsonl < positions.jsonl > answers.jsonl
    """
    from judge import interchange

    with common.closed_pipe_is_fine():
        if jsonl:
            sys.exit(interchange.answer_stream(file, sys.stdout, interchange.adjudicate_text))
        with common.input_errors():
            answer = interchange.adjudicate_object(common.json_object(file))
        click.echo(interchange.written(answer, indent=2))


@click.command()
@click.argument("file", type=click.File("rb"), metavar="FILE|-")
@click.option("--power", required=True, metavar="NAME", help="Whose orders.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print a JSON object of units and their orders."
)
def orders_command(file: BinaryIO, power: str, as_json: bool) -> None:
    """List every legal order of each unit of a power.

    FILE has the position. In an adjustment phase, these are the units you can build or remove.

    \b
    judge orders position.json --power France
    judge orders position.json --power F --json
    """
    from judge import interchange

    with common.input_errors():
        legal = interchange.orders_object(common.json_object(file), power)
    with common.closed_pipe_is_fine():
        if as_json:
            common.echo_json(legal)
            return
        for unit, orders in legal.items():
            click.echo(f"{unit}: {len(orders)}")
            for order in orders:
                click.echo(f"  {order}")
        if not legal:
            click.echo(f"{power} has nothing to order.", err=True)


@click.command()
@click.argument("file", type=click.File("rb"), metavar="FILE|-")
@click.option("--order", "text", required=True, metavar="ORDER", help='Such as "A par - bur".')
def explain_command(file: BinaryIO, text: str) -> None:
    """Explain step by step why an order in FILE succeeds or fails.

    \b
    judge explain position.json --order "A par - bur"
    """
    from judge import interchange
    from judge.language.read import read_order
    from judge.sentences.explain import argument

    try:
        asked = interchange.read_question(common.json_object(file))
        order = read_order(
            text, asked.variant, asked.position.phase, None, asked.position, asked.rulebook
        )
        lines = argument(asked.variant, asked.position, asked.orders, order, asked.rulebook)
    except (interchange.InterchangeError, LookupError) as error:
        raise click.ClickException(str(error.args[0])) from error
    with common.closed_pipe_is_fine():
        click.echo("\n".join(lines))


@click.command()
@click.argument("file", type=click.File("rb"), metavar="FILE|-")
@click.option("--power", metavar="NAME", help="Who the computer plays.")
@click.option("--level", metavar="LEVEL", help="easy, normal, or hard (the default).")
@click.option("--seed", type=int, metavar="N", help="Decides everything left to chance; default 0.")
@click.option("--seconds", type=float, metavar="S",
              help="Processor time to think; default: the level's.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@click.option("--jsonl", is_flag=True, help="Read one object per line, print one answer per line.")
def bot_command(file: BinaryIO, as_json: bool, jsonl: bool, **chosen: object) -> None:
    """Let a computer player order for a power.

    FILE has the position (- for standard input). With --jsonl, power, level, seed, and seconds can
    stand in the objects, too; they count more than the options. docs/formats.md describes the
    objects.

    \b
    judge bot position.json --power France
    judge bot position.json --power France --level easy --seed 7
    judge bot - --jsonl < positions.jsonl > orders.jsonl
    """
    from time import process_time

    from judge import interchange

    given = {name: value for name, value in chosen.items() if value is not None}

    def answer(data: object) -> dict[str, Any]:
        if isinstance(data, dict):
            data = given | data if jsonl else data | given
        return interchange.bot_object(data, process_time)

    def said(data: object) -> str:
        return interchange.written(answer(data))

    with common.closed_pipe_is_fine():
        if jsonl:
            sys.exit(interchange.answer_stream(file, sys.stdout, said, always_id=True))
        with common.input_errors():
            found = answer(common.json_object(file))
        if as_json:
            common.echo_json(found)
        else:
            click.echo("\n".join(found["orders"]))


@click.command()
@click.argument("file", type=click.File("rb"), metavar="FILE|-", required=False)
@click.option("--system", metavar="NAME", help="A scoring system, such as bangkok.")
@click.option("--jsonl", is_flag=True, help="Read one object per line, print one answer per line.")
@click.option("--list", "show", is_flag=True, help="List the systems, one per line.")
def score_command(file: BinaryIO | None, system: str | None, jsonl: bool, show: bool) -> None:
    """Score the ending of a game.

    FILE has the centers of every power, year by year (- for standard input). With --jsonl, the
    system can stand in the objects, too; it counts more than the option. docs/formats.md describes
    the objects.

    \b
    judge score ending.json --system bangkok
    judge score - --jsonl < endings.jsonl > scores.jsonl
    judge score --list
    """
    from judge import interchange
    from judge.interchange.endings import score_object
    from judge.records.scoring import SYSTEMS

    if (file is None) != show:
        raise click.UsageError("Name a FILE, or ask for the --list.")
    given = {} if system is None else {"system": system}

    def answer(data: object) -> dict[str, Any]:
        if isinstance(data, dict):
            data = given | data if jsonl else data | given
        return score_object(data)

    with common.closed_pipe_is_fine():
        if file is None:
            for each in SYSTEMS.values():
                click.echo(f"{each.name:36}{each.title}; {each.source}")
        elif jsonl:
            sys.exit(
                interchange.answer_stream(
                    file,
                    sys.stdout,
                    lambda data: interchange.written(answer(data)),
                    always_id=True,
                )
            )
        else:
            with common.input_errors():
                found = answer(common.json_object(file))
            click.echo(interchange.written(found, indent=2))


@click.command()
@click.argument("what", metavar="GAME|FILE")
@click.option(
    "--phase", metavar="PHASE", help="Phase of the game, such as F1903M; default: the last."
)
@click.option("--orders", is_flag=True,
              help="With orders: of a game what became of them, in the last phase that has run; "
              "of a file those in it.")  # fmt: skip
@click.option("--animated", is_flag=True,
              help="With --orders: animate the units (SVG or GIF).")  # fmt: skip
@click.option("--output", "-o", type=click.Path(dir_okay=False, path_type=Path),
              metavar="FILE", required=True, help="Output file: .svg, .png, or .gif.")  # fmt: skip
@common.config_option
def map_command(
    what: str,
    phase: str | None,
    orders: bool,
    animated: bool,
    output: Path,
    config_path: Path | None,
) -> None:
    """Draw the board of a game, or of a position in FILE.

    The name of the output says whether as SVG, PNG, or animated GIF.

    \b
    judge map paris -o paris.png
    judge map paris --phase F1903M --orders -o paris.svg
    judge map position.json --orders -o map.png
    judge map paris --animated -o paris.gif
    """
    animated = animated or output.suffix == ".gif"
    orders = orders or animated
    if output.suffix not in (".svg", ".gif" if animated else ".png"):
        endings = ".svg or .gif, which move" if animated else ".svg, .png or .gif"
        raise click.UsageError(f"{output} must end in {endings}")
    if Path(what).is_file():
        if phase is not None:
            raise click.UsageError("--phase is for games; a file says itself which phase it is")
        view = _of_file(Path(what), orders)
    else:
        view = _of_game(what, phase, orders, config_path)
    output.write_bytes(_drawn(view, output.suffix, animated))


def _drawn(view: View, ending: str, animated: bool) -> bytes:
    from judge import maps

    if ending == ".gif":
        data = maps.animated_gif(view)
        if data is None:
            raise click.ClickException("nothing moves in it, or it would be too large to be sent")
        return data
    if ending == ".png":
        return maps.png(view, width=1200)
    return (maps.animate(view) if animated else maps.draw(view)).encode()


def _of_file(path: Path, orders: bool) -> View:
    from judge import interchange
    from judge.maps import position_view, results_view
    from judge.rules.engine import adjudicate

    with common.input_errors():
        asked = interchange.read_question(interchange.parse(path.read_bytes(), str(path)))
    if not orders:
        return position_view(asked.variant, asked.position)
    outcome = adjudicate(asked.variant, asked.position, asked.orders, asked.rulebook)
    return results_view(asked.variant, asked.position, outcome)


def _of_game(name: str, phase: str | None, orders: bool, config_path: Path | None) -> View:
    from judge.game.state import State
    from judge.game.visibility.pictures import last_played, now_view, past_view
    from judge.language.phases import read_phase
    from judge.language.problems import ReadError
    from judge.sentences import in_words

    with common.open_storage(common.load_config(config_path)) as storage:
        state = State(storage, common.game_named(storage, name, ", and no such file"))
        try:
            wanted = None if phase is None else str(read_phase(phase, state.variant))
        except ReadError as error:
            raise click.ClickException(in_words(error.problem, state.variant)) from error
        if wanted is None and orders:
            run = last_played(state)
            if run is None:
                raise click.ClickException(f"no phase of {name} has run yet")
            return past_view(state, run, None, whole=True)
        opened = state.phase or (state.position or state.variant.opening).phase
        if wanted is None or (wanted == str(opened) and not orders):
            return now_view(state, None, whole=True)
        run = storage.history.find(state.game.id, wanted)
        if run is None:
            raise click.ClickException(f"{wanted} has not run in {name}")
        return past_view(state, run, None, orders=orders, whole=True)


@click.command()
@click.argument("file", type=click.File("rb"), metavar="FILE.eml|-")
@click.option("--game", type=click.File("rb"), metavar="FILE", help="A position to check against.")
@click.option(
    "--power", metavar="NAME", help="Power that sends the orders; default: each power named."
)
@click.option("--own", multiple=True, metavar="ADDRESS", help="The judge's own address; "
    "else where the mail says it was delivered.",
)  # fmt: skip
@click.option("--answering", type=click.File("rb"), multiple=True, metavar="LETTER.eml",
    help="A message of the judge's that this one may reply to; may be given repeatedly.",
)  # fmt: skip
@click.option("--language", type=click.Choice(LANGUAGES), help="The writer's language.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object (docs/formats.md).")
def read_command(
    file: BinaryIO,
    game: BinaryIO | None,
    power: str | None,
    own: tuple[str, ...],
    answering: tuple[BinaryIO, ...],
    language: str | None,
    as_json: bool,
) -> None:
    """Show how the judge would read a raw message.

    Changes nothing, and needs no configuration and no running judge. A position (see
    docs/formats.md) lets orders be checked, and supplies what they leave out; quotes are cut by the
    messages that it may answer.

    \b
    judge read mail.eml
    judge read mail.eml --game position.json --power France --json
    judge read mail.eml --answering results.eml --language de
    """
    from judge.commands import TABLE
    from judge.intake.dry_run import dry_run
    from judge.intake.reading import heard
    from judge.mail.message import delivered_to, parse

    desk = _desk(game, power)
    raw = file.read()
    incoming = parse(raw, own=own or delivered_to(raw))
    with heard(incoming.text, language or DEFAULT_LANGUAGE, known=language is not None):
        found = dry_run(incoming, TABLE, desk, [letter.read() for letter in answering])
    with common.closed_pipe_is_fine():
        if as_json:
            common.echo_json(found)
        else:
            click.echo("\n".join(_reading(found)))


def _desk(game: BinaryIO | None, power: str | None) -> OrderContext:
    """The board that the mail is about. Raises ClickException."""
    from judge import interchange, variants
    from judge.game.orders.context import OrderContext
    from judge.language.names import Names
    from judge.language.problems import ReadError
    from judge.sentences import in_words

    desk = OrderContext(variants.load("standard"))
    try:
        if game is not None:
            with common.input_errors():
                asked = interchange.read_question(common.json_object(game))
            desk = OrderContext(asked.variant, asked.position, asked.rulebook)
        if power is not None:
            named = Names.of(desk.variant).power(power)
            desk = OrderContext(desk.variant, desk.position, desk.rulebook, (named,))
    except ReadError as error:
        raise click.ClickException(in_words(error.problem, desk.variant)) from error
    return desk


def _reading(found: Mapping[str, Any]) -> Iterator[str]:
    """The findings for human eyes."""
    yield f"From:      {found['from'] or 'nobody'}"
    yield f"Kind:      {found['kind']}{', is answered' if found['answerable'] else ', no answer'}"
    if found["reason"]:
        yield f"Because:   {found['reason']}"
    yield f"Language:  {found['language']}"
    if found["lines"]:
        yield ""
    for line in found["lines"]:
        yield f"{line['kind']:<8} {line['line']}"
        if line["read"] and line["read"] != line["line"]:
            yield f"         = {line['read']}"
        if line["problem"]:
            yield f"         ! {line['problem']}"
        for offer in line["suggestions"]:
            yield f"         ? {offer}"
    for hint in found["hints"]:
        yield f"hint     {hint['order']}: {hint['problem']}"
    for power, orders in found["orders"].items():
        yield ""
        yield f"{'Orders' if power == 'null' else power}: {', '.join(orders)}"
    for press in found["press"]:
        yield ""
        yield f"Press ({press['colour']}) to {', '.join(press['to'])}"
