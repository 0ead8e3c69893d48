"""The arrows between packages point one way, and libraries stay where they belong."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from judge.storage import Seat, SeatOptions
from tools.figures import branches

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "judge"

VALUES = {
    *("judge.mail.message", "judge.mail.compose", "judge.mail.address", "judge.mail.bounces"),
    *(
        "judge.mail.detect_language",
        "judge.mail.redact",
        "judge.mail.pictures",
        "judge.mail.drawer",
        "judge.mail.quotes",
        "judge.mail.headers",
        "judge.mail.own_text",
    ),
}
TIMES = {f"judge.schedule.{each}" for each in ("deadlines", "dates", "plain", "holidays")}
INNER = {
    *("judge.rules", "judge.data", "judge.variants", "judge.language", "judge.sentences"),
    "judge.bots",
}

ROOMS: dict[str, set[str]] = {
    # of judge.game, from the bottom up: which rooms each may import, annotations included
    "state": set(),
    "visibility": {"state"},
    "scores": {"state"},
    "fairness": {"state", "visibility"},
    "clock": {"state", "visibility"},
    "orders": {"state", "visibility"},
    "people": {"state", "visibility", "fairness", "clock"},
    "press": {"state", "visibility", "people"},
    "bots": {"state", "visibility", "fairness", "people"},
    "endings": {"state", "visibility", "fairness", "press"},
    "phases": {
        *("state", "visibility", "fairness", "clock", "orders", "people", "press", "bots"),
        *("endings", "scores"),
    },
}
ROOMS["explained"] = {"state", "visibility"}
ROOMS["keeper_report"] = ROOMS["rollbacks"] = ROOMS["directing"] = ROOMS["game_object"] = {
    *ROOMS["phases"],
    "phases",
}
BELOW_GAME = INNER | VALUES | TIMES | {"judge.storage", "judge.clock", "judge.i18n", "judge.limits"}
BELOW_GAME |= {"judge.events", "judge.render", "judge.maps", "judge.interchange"}
FOR_INTAKE = {f"judge.game.{room}" for room in ("state", "visibility", "orders", "people", "press")}

MAY_IMPORT: dict[str, set[str]] = {
    # package or module: what of ours it may import besides itself
    "judge.rules": set(),
    "judge.bots": {"judge.rules"},
    "judge.batch": {"judge.rules", "judge.variants"},
    "judge.data": set(),
    "judge.clock": set(),
    "judge.limits": set(),
    "judge.i18n": {"judge.data"},
    "judge.schedule.deadlines": set(),
    "judge.schedule.dates": {"judge.schedule.deadlines", "judge.i18n"},
    "judge.schedule.plain": TIMES | {"judge.i18n"},
    "judge.schedule.holidays": {"judge.schedule.deadlines"},
    "judge.schedule.waker": {"judge.clock"},
    "judge.mail": {"judge.limits"},
    "judge.mail.drawer": {"judge.memory"},
    "judge.memory": set(),
    "judge.mail.detect_language": {"judge.i18n"},
    "judge.mail.quotes": {"judge.i18n", "judge.mail"},
    "judge.variants": {"judge.rules", "judge.data"},
    "judge.language": {"judge.rules", "judge.data", "judge.i18n"},
    "judge.sentences": {"judge.rules", "judge.language", "judge.i18n"} | TIMES,
    "judge.records": {"judge.rules"},
    **{
        f"judge.records.{each}": {"judge.rules", "judge.bots", "judge.records"}
        for each in ("outlook", "turning")
    },
    "judge.tournaments": set(),
    "judge.interchange": INNER | {"judge.i18n", "judge.records"},
    "judge.storage": {"judge.rules", "judge.clock", "judge.i18n"},
    "judge.storage.migrations": INNER | {"judge.storage", "judge.interchange"},
    "judge.render": INNER | VALUES | {"judge.i18n", "judge.schedule.deadlines", "judge.clock"},
    "judge.maps": INNER | {"judge.i18n"},
    "judge.events": VALUES | {"judge.rules", "judge.storage"},
    "judge.game": set(),
    **{
        f"judge.game.{room}": BELOW_GAME
        | {"judge.records"}
        | {f"judge.game.{each}" for each in lower}
        for room, lower in ROOMS.items()
    },
    "judge.game.directing": BELOW_GAME | {"judge.game", "judge.records", "judge.tournaments"},
    "judge.intake": BELOW_GAME | FOR_INTAKE,
    "judge.commands.tournament_commands": BELOW_GAME
    | {"judge.game", "judge.intake", "judge.commands", "judge.records", "judge.tournaments"},
    "judge.commands": BELOW_GAME | {"judge.game", "judge.intake", "judge.records"},
    "judge.messages": BELOW_GAME | {"judge.game", "judge.intake"},
    "judge.service": BELOW_GAME
    | {"judge.game", "judge.intake", "judge.commands", "judge.messages"},
    "judge.site": BELOW_GAME | {"judge.game", "judge.messages", "judge.records"},
    "judge.houses": {"judge.service", "judge.storage"},
    "judge.config": {
        *("judge.config_reader", "judge.data", "judge.clock", "judge.limits", "judge.i18n")
    },
    "judge.config_reader": set(),
    "judge.logs": set(),
    "judge.ops": INNER
    | {
        "judge.records",
        "judge.interchange",
        "judge.game",
        "judge.storage",
        "judge.mail",
        "judge.config",
        "judge.clock",
        "judge.commands",
        "judge.events",
        "judge.messages",
        "judge.service",
    },
    "judge.daemon": {"judge"},
    "judge.demo": {"judge"},
    "judge.cli": {"judge"},
}

ONLY_IN: dict[str, set[str]] = {
    # library: where it may be imported
    "peewee": {"judge.storage"},
    "playhouse": {"judge.storage"},
    "psycopg": {"judge.storage"},
    "sqlite3": {"judge.storage", "judge.site.archive"},
    "aiosmtpd": {"judge.mail"},
    "imapclient": {"judge.mail"},
    "smtplib": {"judge.mail", "judge.demo"},
    "dkim": {"judge.mail"},
    "dns": {"judge.mail"},
    "socket": {"judge.mail", "judge.daemon", "judge.demo"},
    "apscheduler": {"judge.schedule.waker"},
    "babel": {"judge.i18n", "judge.render"},
    "nacl": {"judge.ops.backup", "judge.records.signing"},
    "css_inline": {"judge.messages"},
    "jinja2": {"judge.render", "judge.messages", "judge.demo"},
    "markupsafe": {"judge.render", "judge.messages"},
    # The others need the standard library only, whose own values are dataclasses.
    "msgspec": {
        *(f"judge.{each}" for each in ("cli", "commands", "config", "daemon", "events", "game")),
        *(f"judge.{each}" for each in ("intake", "mail", "messages", "ops", "render", "service")),
        *("judge.config_reader", "judge.limits", "judge.site", "judge.storage"),
    },
    "click": {"judge.cli"},
    "holidays": {"judge.schedule.holidays"},
    "icalendar": {"judge.messages"},
    "prometheus_client": {"judge.ops.prometheus"},
    "PIL": {
        *(f"judge.maps.{each}" for each in ("encoding", "hard_edges", "hatches", "pen", "raster"))
    },
    "resvg_py": {"judge.maps.raster"},
    "zopfli": {"judge.maps.encoding"},
    "zlib_ng": {"judge.maps.encoding", "judge.maps.raster", "judge.storage.columns"},
}

OUTSIDE = {
    # what only developers have: nothing installed may need it
    *("tools", "tests", "benchmarks", "numpy", "scipy", "shapely"),
}

IMPURE = {
    # what the rules core must not see: clocks, chance, files, logs, processes
    *("asyncio", "datetime", "io", "logging", "os", "pathlib", "random", "secrets", "socket"),
    *("subprocess", "tempfile", "threading", "time", "uuid"),
}


def within(module: str, package: str) -> bool:
    return module == package or module.startswith(package + ".")


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(source: str, module: str) -> Iterator[tuple[int, str]]:
    """Each import as (line, dotted name); `from a import b` counts as `a.b`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}:{node.lineno}: imports are written in full"
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def layer_of(module: str) -> str | None:
    return max((layer for layer in MAY_IMPORT if within(module, layer)), key=len, default=None)


def faults(source: str, module: str) -> Iterator[str]:
    """Everything that is wrong with the imports of one module."""
    layer = layer_of(module)
    if layer is None:
        if module not in ("judge", "judge.__main__", "judge.schedule"):
            yield f"{module} has no place in the table of layers"
        return
    for line, name in imports(source, module):
        where = f"{module}:{line} imports {name}"
        if name in ("judge", "judge.__version__"):
            continue
        if within(name, "judge"):
            if not any(within(name, good) for good in {layer, *MAY_IMPORT[layer]}):
                yield f"{where}, which {layer} must not know"
            continue
        top = name.partition(".")[0]
        if top in OUTSIDE:
            yield f"{where}, which is not installed with the judge"
        if top in ONLY_IN and not any(within(module, good) for good in ONLY_IN[top]):
            yield f"{where}, which belongs in {', '.join(sorted(ONLY_IN[top]))}"
        if layer == "judge.bots" and top not in sys.stdlib_module_names:
            yield f"{where}, but computer players need the standard library only"
        if layer == "judge.rules" and (top in IMPURE or top not in sys.stdlib_module_names):
            yield f"{where}, but the rules core is pure"


GATE = {"judge.game.visibility.eyes", "judge.game.visibility.readers"}
"""Where letters, answers, pages and files for other programs ask what a reader may see."""
ACT = ("judge.messages", "judge.commands", "judge.game.game_object")
"""What acts on games, or writes them down, by what somebody may see of them."""
ASK_THERE = (*ACT, "judge.site", "judge.interchange")
MADE_THERE = {
    # what only the gate hands out
    *("BoardPicture", "SeenPosition", "ShownPhase", "ShownPress", "ShownReport", "ShownSeat"),
    "ShownStatement",
}
RAW = {
    # of a game and its storage: what has secrets in it, out of reach of the pages
    *("diaries", "draw", "filed", "history", "on_file", "opened", "orders", "owed", "person"),
    *("position", "press", "results", "seats", "sheets", "standings", "wait"),
}
RAW_RECORDS = {f"judge.storage.{each}" for each in ("DiaryPage", "PhaseRun", "Press", "Seat")}
SEES_NOTHING_RAW = ("judge.site",)
SECRETS = RAW - {"seats", "sheets"}
SECRETS |= {"sheets.of", "sheets.ahead"}
"""What letters and commands, which act on a game, ask the gate about, too: orders, where all
stands, what has run, press, diaries, and who people are. Writing is no reading: what they add or
remove is theirs."""
PUBLIC_OF_SEATS = {"id", "game_id", "person_id", "role", "power", "state", "options"}
"""What letters and commands may read of a seat. By the id of a person letters find their way; who
that is `storage.people` tells where `NAMED` says, and else the gate."""
PUBLIC_OF_OPTIONS = {"bot"}
"""What they may read of what is noted of a seat: everybody is told where a computer plays."""
NAMED = {
    # who may turn the id of a person into a name, and why nobody learns a secret by it
    "judge.messages.outbox": "letters go to people",
    "judge.messages.reply": "in the language of whom it is told to",
    "judge.commands.registration": "the sender's own, and whom they block",
    "judge.commands.preferences": "the sender's own",
    "judge.commands.peace_commands": "whom the sender blocks",
    "judge.commands.keeper_commands": "the keeper's",
    "judge.commands.admission": "the addresses of those who are asked in",
    "judge.commands.tournament_commands": "who plays in a tournament is public",
}
PEOPLE = {"people.find", "people.all_of", "people.names", "people.addresses"}
WRITES = {"add", "remove"}


def leaks(source: str, module: str) -> Iterator[str]:
    """Every way by which a module could show what a reader may not see."""
    tree = ast.parse(source)
    asks = any(within(module, package) for package in ASK_THERE)
    raw = RAW if any(within(module, each) for each in SEES_NOTHING_RAW) else frozenset[str]()
    acts = any(within(module, each) for each in ACT)
    if acts:
        raw = SECRETS if module in NAMED else SECRETS | PEOPLE
    of_seats = set(Seat.__struct_fields__) - PUBLIC_OF_SEATS
    of_options = set(SeatOptions.__struct_fields__) - PUBLIC_OF_OPTIONS
    written = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in WRITES
    }
    for line, name in imports(source, module):
        parent = name.rpartition(".")[0]
        if asks and name == "judge.game.visibility.eyes.JUDGE":
            yield f"{module}:{line} imports {name}, who sees all"
        if asks and within(name, "judge.game.visibility") and parent not in GATE:
            yield f"{module}:{line} imports {name}, and has to ask the gate"
        if any(within(module, each) for each in SEES_NOTHING_RAW) and name in RAW_RECORDS:
            yield f"{module}:{line} imports {name}, which is raw"
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in MADE_THERE:
                if not within(module, "judge.game.visibility"):
                    yield f"{module}:{node.lineno} makes {name}, which the gate makes"
            case ast.Attribute(value=ast.Name(id=of) | ast.Attribute(attr=of), attr=name) if (
                (name in raw and of in _OF_GAMES) or f"{of}.{name}" in raw
            ) and id(node) not in written:
                yield f"{module}:{node.lineno} reads {name}, which is raw"
            case ast.Attribute(attr=name, ctx=ast.Load()) if acts and name in of_seats:
                yield f"{module}:{node.lineno} reads {name}, which only its own seat may"
            case ast.Attribute(value=ast.Attribute(value=owner, attr="options"), attr=name) if (
                acts and name in of_options and not ast.unparse(owner).endswith("game")
            ):
                yield f"{module}:{node.lineno} reads {name}, which only its own seat may"


_OF_GAMES = {"state", "storage", "game", "seats"}


def test_the_rooms_of_the_game_form_no_circle() -> None:
    rooms = list(ROOMS)
    for place, room in enumerate(rooms):
        assert ROOMS[room] <= set(rooms[:place]), room


MODULES = {module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}


ROUND = ("judge.game.state", "judge.intake", "judge.language", "judge.site", "judge.storage")
"""Packages in which a part names the whole it is part of, in annotations."""


def test_modules_form_no_circle_with_annotations_counted() -> None:
    arrows: dict[str, set[str]] = {}
    for module, path in MODULES.items():
        if not any(within(module, package) for package in ROUND):
            names = (name for _, name in imports(path.read_text(), module))
            named = {each if each in MODULES else each.rpartition(".")[0] for each in names}
            arrows[module] = named & MODULES.keys() - {module}
    TopologicalSorter(arrows).prepare()


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_only_what_its_layer_may_know(module: str) -> None:
    assert list(faults(MODULES[module].read_text(), module)) == []


@pytest.mark.parametrize("module", MODULES)
def test_what_readers_may_see_is_asked_at_one_gate(module: str) -> None:
    assert list(leaks(MODULES[module].read_text(), module)) == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("judge.messages.outbox", "from judge.game.visibility import fog"),
        ("judge.messages.outbox", "from judge.game.visibility.fog import report"),
        ("judge.commands.information", "import judge.game.visibility.identity"),
        ("judge.interchange.text", "from judge.game.visibility.record import record"),
        ("judge.site.facts", "from judge.storage import PhaseRun"),
        ("judge.site.facts", "state.storage.history.of_game(1)"),
        ("judge.site.facts", "storage.press.of_game(1)"),
        ("judge.site.facts", "def f(state):\n    return state.seats"),
        ("judge.site.game_pages", "self.state.orders"),
        ("judge.commands.information", "ShownPress({})"),
        ("judge.commands.information", "from judge.game.visibility.eyes import JUDGE"),
        ("judge.commands.changes", "state.orders[power]"),
        ("judge.commands.changes", "context.cursor.state.sheets.of(power)"),
        ("judge.commands.lifecycle", "context.storage.history.find(1, phase)"),
        ("judge.commands.press_commands", "context.storage.diaries.of_seat(1)"),
        ("judge.commands.master_commands", "state.seats.person(seat).name"),
        ("judge.messages.views", "turn.state.orders"),
        ("judge.messages.views", "turn.state.opened"),
        ("judge.messages.views", "state.owed[power]"),
        ("judge.messages.views", "any(each.wait for each in others)"),
        ("judge.commands.ending_commands", "replace(seat.draw)"),
        ("judge.commands.information", "self.state.position"),
        ("judge.messages.reply", "context.storage.press.of_game(1)"),
        ("judge.messages.views", "facts(mine[0].preferences)"),
        ("judge.messages.views", "facts(seat.absence)"),
        ("judge.commands.joining", "any(each.options.results_only for each in seats)"),
        ("judge.commands.master_commands", "seat.options.muted"),
        ("judge.commands.master_commands", "storage.people.find(seat.person_id).name"),
        ("judge.commands.lifecycle", "cursor.storage.people.all_of(state.seats.everybody())"),
        ("judge.game.game_object", "state.storage.history.of_game(1)"),
        ("judge.game.game_object", "game.position"),
        ("judge.game.phases", "SeenPosition(position)"),
    ],
)
def test_what_goes_around_the_gate_is_found(module: str, source: str) -> None:
    assert len(list(leaks(source, module))) == 1


@pytest.mark.parametrize(
    ("module", "source", "fault"),
    [
        ("judge.rules.moves", "import judge.storage", "must not know"),
        ("judge.rules.moves", "from judge import storage", "must not know"),
        ("judge.rules.moves", "import random", "pure"),
        ("judge.rules.moves", "import rapidfuzz", "pure"),
        ("judge.service", "def f():\n    import peewee", "belongs in judge.storage"),
        ("judge.service", "from judge.mail import smtp_receiver", "must not know"),
        ("judge.mail.message", "from judge.rules import board", "must not know"),
        ("judge.storage.games", "from judge import service", "must not know"),
        ("judge.game.state.boards", "import judge.game.visibility.fog", "must not know"),
        ("judge.game.loose", "import judge.rules", "must not know"),
        ("judge.game.people.entry", "from judge.intake import context", "must not know"),
        ("judge.game.phases", "from judge.messages import outbox", "must not know"),
        ("judge.intake.lines", "from judge.game import phases", "must not know"),
        ("judge.intake.lines", "from judge.commands import press_commands", "must not know"),
        ("judge.commands.press_commands", "from judge.messages import reply", "must not know"),
        ("judge.game.visibility.fog", "if 0:\n    from judge.game import clock", "must not know"),
        ("judge.schedule.deadlines", "import judge.clock", "must not know"),
        ("judge.rules.winning", "from judge.records import scoring", "must not know"),
        ("judge.intake.lines", "from judge.records import scoring", "must not know"),
        ("judge.tournaments.seeding", "import judge.storage", "must not know"),
        ("judge.game.phases", "from judge.tournaments import adding", "must not know"),
        ("judge.maps.svg", "from tools.boards import recipe", "not installed"),
        ("judge.maps.svg", "import numpy", "not installed"),
        ("judge.interchange.text", "import judge.storage", "must not know"),
        ("judge.interchange.text", "from judge.game.state import State", "must not know"),
        ("judge.novelty", "", "no place in the table"),
    ],
)
def test_an_import_that_points_the_wrong_way_is_found(module: str, source: str, fault: str) -> None:
    assert any(fault in found for found in faults(source, module))


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("judge.rules.moves", "from judge.rules.board import Board\nimport re"),
        (
            "judge.service",
            "from judge.mail.message import ParsedMessage\nimport judge.storage",
        ),
        ("judge.storage.games", "import peewee"),
        ("judge.daemon", "from judge.mail import smtp_receiver"),
    ],
)
def test_an_import_that_points_the_right_way_is_left_alone(module: str, source: str) -> None:
    assert list(faults(source, module)) == []


_WHEN_USED = {
    "PIL",
    "dkim",
    "dns",
    "icalendar",
    "inscriptis",
    "lxml",
    "nacl",
    "resvg_py",
}


def test_a_judge_starts_without_what_few_messages_need() -> None:
    code = "import sys, judge.daemon.daemon; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = set(done.stdout.split())
    assert not {name.partition(".")[0] for name in modules} & _WHEN_USED


def test_the_layout_of_html_mails_loads_no_http_client() -> None:
    """inscriptis names one for its command line (docs/decisions/0012-html-text.md)."""
    code = (
        "import sys; from judge.mail.html_text import html_to_text; html_to_text('<p>A par H'); "
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    clients = {"requests", "urllib3", "certifi", "http.client"}
    assert not set(done.stdout.split()) & clients


IN_FUNCTIONS = {
    # where a function imports, since it was measured to matter; each says its figure
    *("judge.cli.run.run_command", "judge.i18n._babel", "judge.mail.body._page_text"),
    *("judge.mail.dkim_library.dkim_library", "judge.messages.attachments.calendar_entry"),
    *("judge.records.signing.sodium", "judge.variants.files._installed"),
}
OF_EXTRAS = {
    # libraries that are not installed everywhere (pyproject.toml: optional-dependencies)
    *("judge.daemon.daemon._measured", "judge.records.ratings._skill"),
    "judge.schedule.holidays._library",
}


def importing(source: str, module: str) -> Iterator[str]:
    """Each function that imports, by its full name but for classes. What it finds by a name that
    it is given, such as the function of a command, is no import of its own."""
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) and any(
            map(_imports, ast.walk(function))
        ):
            yield f"{module}.{function.name}"


def _imports(node: ast.AST) -> bool:
    match node:
        case ast.Import() | ast.ImportFrom():
            return True
        case ast.Call(func=ast.Name(id="import_module"), args=[ast.Constant()]):
            return True
    return False


def test_what_draws_has_little_of_the_judge_in_memory() -> None:
    code = "import sys; from judge.maps import notes, raster; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = set(done.stdout.split())
    above = {"game", "mail", "storage", "messages", "daemon", "config", "events", "intake"}
    assert not modules & {f"judge.{each}" for each in above}
    assert not modules & {"peewee", "jinja2", "msgspec", "email", "multiprocessing"}


def test_imports_stand_at_the_top_but_for_seven_that_were_measured() -> None:
    found = [name for module in MODULES for name in importing(MODULES[module].read_text(), module)]
    assert sorted(found) == sorted(IN_FUNCTIONS | OF_EXTRAS)
    assert len(IN_FUNCTIONS) <= 7


def test_an_import_in_a_function_is_found() -> None:
    for way in ("import y", "from y import z", 'y = import_module("y")'):
        source = f"class A:\n    def f(self):\n        if x:\n            {way}"
        assert list(importing(source, "judge.clock")) == ["judge.clock.f"]
    assert not list(importing("def f(name):\n    import_module(name)", "judge.clock"))


def test_no_module_and_no_function_is_too_long_to_be_read() -> None:
    long = []
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text()
        if len(text.splitlines()) > 600:
            long.append(str(path))
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                assert node.end_lineno is not None
                if node.end_lineno - node.lineno >= 80:
                    long.append(f"{path}: {node.name}")
    assert not long


MOST_BRANCHES = 20


def test_no_function_has_too_many_branches() -> None:
    found = {
        f"{module}.{node.name}"
        for module, path in MODULES.items()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and branches(node) > MOST_BRANCHES
    }
    assert not found


def test_conditions_within_a_line_are_branches() -> None:
    source = "def f(a, b):\n    if a and b:\n        return [x for x in a if x] if b else a"
    (function,) = ast.parse(source).body
    assert isinstance(function, ast.FunctionDef)
    assert branches(function) == 5


def test_a_name_of_a_class_means_one_thing() -> None:
    found: dict[str, list[str]] = {}
    for path in sorted((ROOT / "judge").rglob("*.py")):
        if "migrations" in path.parts:
            # What was stored once has its names from then.
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            # peewee wants a class Meta in each table.
            if isinstance(node, ast.ClassDef) and node.name != "Meta":
                name = node.name.lstrip("_")
                found.setdefault(name, []).append(str(path.relative_to(ROOT)))
    assert not {name: files for name, files in found.items() if len(files) > 1}


def test_a_name_of_a_module_means_one_thing() -> None:
    found: dict[str, list[str]] = {}
    for path in sorted((ROOT / "judge").rglob("*.py")):
        if not path.stem.startswith("__"):
            found.setdefault(path.stem, []).append(str(path.relative_to(ROOT)))
    assert not {name: files for name, files in found.items() if len(files) > 1}


_NOUNS = {
    *("The", "A", "An", "Whether", "What", "How", "Where", "When", "Which", "Who", "Whose", "Why"),
    *("Those", "All", "Each", "Every", "Everything", "One", "Its", "Some", "Both", "Two", "Any"),
    *("It", "As", "Up", "Something", "Nothing", "Lists", "Points", "Builds", "Centers", "Mails"),
    *("Keeps", "Makes", "Tells", "Finds", "Inserts", "Reads", "Gives", "Takes", "Shows", "Says"),
}
"""Words that begin a description of a value, or of somebody else, and of no deed."""

_NAMED_AS_VALUES = ("property", "command", "group")
"""Decorators of what is read as a value, or whose text a person reads as help."""


def test_docstrings_of_functions_say_what_they_do_or_return() -> None:
    found = [
        f"{path}:{node.lineno}"
        for path in MODULES.values()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and not any(
            each in " ".join(map(ast.unparse, node.decorator_list)) for each in _NAMED_AS_VALUES
        )
        and (ast.get_docstring(node) or "?").split()[0].strip(",.:") in _NOUNS
    ]
    assert not found
