"""What looks at the whole house, where it is large: LIST and JOIN by mail, lists of the shell."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.rows import Row, say
from benchmarks.scale.meter import Meter
from benchmarks.scale.places import Kind, databases
from benchmarks.scale.sizes import Sizes
from benchmarks.scale.town import Town, put, town
from judge.demo.server import Server

ASKED = 20
"""Mails of each kind; the first of them warm what is cached."""

MAIL, SHELL = 50.0, 2.0
"""Milliseconds that a mail may take, and seconds that a command of the shell may."""

LISTS = (("player", "list"), ("game", "list"))


def asked(kind: Kind, sizes: Sizes) -> Iterator[Row]:
    """What strangers' LIST and JOIN cost the processor, and the keeper's lists, with many games."""
    with databases(kind) as new, tempfile.TemporaryDirectory() as folder:
        say(f"{kind}: making {sizes.house} games")
        url = new()
        with town(url, sizes.house) as made:
            # All of them are public.
            listed = """UPDATE game SET listed = TRUE,
                settings = replace(settings, '"listed":false', '"listed":true')"""
            made.storage._engine.database.execute_sql(listed)
            of_games = f"with {sizes.house:,} games"
            _say(made, "master@players.example", "CREATE ?open PUBLIC")
            made.clock.advance(hours=1)
            meter = Meter(made.storage)
            for lines in ("LIST", "JOIN open"):
                costs = []
                for number in range(ASKED):
                    sender = f"{lines.split()[0].lower()}{number}@strangers.example"
                    _say(made, sender, f"REGISTER Some Body\n{lines}")
                    mail = put(made.judge, sender, lines)
                    before = meter.spent()
                    made.judge.process_message(mail)
                    costs.append((meter.spent() - before) * 1e3)
                each = sum(costs[ASKED // 4 :]) / len(costs[ASKED // 4 :])
                what = f"{kind}: milliseconds a mail that says {lines.split()[0]}, {of_games}"
                yield Row(what, f"{each:.0f}", f"<= {MAIL:.0f}", each <= MAIL)
        server = Server(Path(folder), speed=1, pictures=False)
        text = server.config.read_text().replace("sqlite:judge.db", url)
        server.config.write_text(text)
        for words in LISTS:
            say(f"{kind}: judge {' '.join(words)}")
            spent = _shell(*words, config=server.config)
            what = f"{kind}: seconds of judge {' '.join(words)}, {of_games}"
            yield Row(what, f"{spent:.2f}", f"< {SHELL:g} s", spent < SHELL)


def _say(made: Town, sender: str, text: str) -> None:
    made.judge.process_message(put(made.judge, sender, text))


def _shell(*words: str, config: Path) -> float:
    """Seconds of the processor that a command of the judge takes, its start included."""
    command = [sys.executable, "-m", "judge", *words, "--config", str(config)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return sum(after[:2]) - sum(before[:2])
