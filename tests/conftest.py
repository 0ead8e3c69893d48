"""Tests that need a server are left out, loudly, where it is not installed; never under CI."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from judge.rules import kernel
from tests import memory
from tests.faults.disks import AS_ROOT
from tests.storage.postgres import Cluster, cluster

# The same few examples each time, however slow the machine is; thousands by `make prove`.
settings.register_profile(
    "quick",
    max_examples=50,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile(
    "full", settings.get_profile("quick"), max_examples=2000, derandomize=False
)
settings.load_profile("full" if os.environ.get("JUDGE_PROVE") == "full" else "quick")

memory.use()

_LEFT_OUT = pytest.StashKey[dict[str, int]]()
"""How many tests are left out, by what they need."""

_NO_TIME = "there was no time for it"


_MAY_BE_MADE_UP = pytest.StashKey[object]()
"""What says whether a stranger gets the first letter."""


@pytest.fixture(autouse=True)
def first_letter(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is marked so is about that."""
    if "first_letters" in request.keywords:
        real = request.config.stash[_MAY_BE_MADE_UP]
        monkeypatch.setattr("judge.intake.reception.may_be_made_up", real)


def _has_dovecot() -> bool:
    return bool(shutil.which("dovecot")) or Path("/usr/sbin/dovecot").exists()


def _has_postgres() -> bool:
    return bool(shutil.which("initdb")) or any(Path("/usr/lib/postgresql").glob("*/bin/initdb"))


def _has_browser() -> bool:
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    packages = Path(__file__).parent / "browser" / "node_modules" / "axe-core"
    return bool(found and shutil.which("node") and packages.is_dir())


def _has_postfix() -> bool:
    return bool(shutil.which("smtp-source")) or Path("/usr/sbin/smtp-source").exists()


def _has_kernel() -> bool:
    return kernel.BUILT


def _has_faketime() -> bool:
    return bool(shutil.which("faketime"))


def _has_systemd() -> bool:
    return bool(shutil.which("systemd-analyze"))


def _has_spamassassin() -> bool:
    return bool(shutil.which("spamassassin"))


def _may_mount() -> bool:
    tried = [*AS_ROOT, "unshare", "--mount", "true"]
    found = all(map(shutil.which, (tried[0], "unshare")))
    return found and subprocess.run(tried, capture_output=True, check=False).returncode == 0


# They wait for servers and clocks: what needs the processor is tested beside them.
LONGEST = ("end_to_end", "faults", "benchmarks", "browser", "boards", "daemon", "mail")

SERVERS = {
    "browser": (_has_browser, "apt-get install chromium nodejs npm, then make test once more"),
    "dovecot": (_has_dovecot, "apt-get install dovecot-imapd"),
    "faketime": (_has_faketime, "apt-get install faketime"),
    "kernel": (_has_kernel, "apt-get install gcc libc6-dev, then make kernel"),
    "mount": (_may_mount, "run the tests as root"),
    "postfix": (_has_postfix, "apt-get install postfix"),
    "postgres": (_has_postgres, "apt-get install postgresql"),
    "root": (_may_mount, "run the tests as root"),
    "spamassassin": (_has_spamassassin, "apt-get install spamassassin"),
    "systemd": (_has_systemd, "apt-get install systemd"),
}


@pytest.fixture(scope="session")
def postgres_cluster() -> Iterator[Cluster]:
    """A server for all tests that need one; anybody who stops one makes his own."""
    with cluster() as made:
        yield made


@pytest.fixture
def postgres_url(postgres_cluster: Cluster) -> Iterator[str]:
    """Where an empty database is."""
    with postgres_cluster.laid() as url:
        yield url


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: many tests wait for a server or a clock."""
    return (os.cpu_count() or 1) + 1


def _turn(path: Path) -> int:
    folder = path.relative_to(Path(__file__).parent).parts[0]
    return LONGEST.index(folder) if folder in LONGEST else len(LONGEST)


def _turns(items: list[pytest.Item]) -> dict[Path, float]:
    """When each file is begun: those that wait and the others take turns to the end, each kind as
    evenly as it can, and what waits longest is first, so that no worker is left alone with it."""
    files = sorted(dict.fromkeys(item.path for item in items), key=_turn)
    kinds = (
        [path for path in files if _turn(path) < len(LONGEST)],
        [path for path in files if _turn(path) == len(LONGEST)],
    )
    return {path: at / len(kind) for kind in kinds for at, path in enumerate(kind)}


def _shuffle(items: list[pytest.Item], chance: Random) -> None:
    """Bring the files into another order, and the tests in each of them."""
    files = sorted({item.path for item in items})
    chance.shuffle(files)
    chance.shuffle(items)
    items.sort(key=lambda item: files.index(item.path))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if seed := os.environ.get("JUDGE_SHUFFLE"):
        _shuffle(items, Random(seed))
    if not _until():
        turns = _turns(items)
        items.sort(key=lambda item: turns[item.path])
    left_out: dict[str, int] = {}
    config.stash[_LEFT_OUT] = left_out
    if os.environ.get("CI") == "true":
        return
    for marker, (installed, _) in SERVERS.items():
        out = [item for item in items if item.get_closest_marker(marker)]
        if not out or installed():
            continue
        left_out[marker] = len(out)
        config.hook.pytest_deselected(items=out)
        items[:] = [item for item in items if not item.get_closest_marker(marker)]


def _until() -> float:
    """When the tests end that there is no more time for (`make quick`); 0 where all run."""
    return float(os.environ.get("JUDGE_UNTIL", 0))


def pytest_runtest_protocol(item: pytest.Item) -> bool | None:
    if 0 < _until() < time.time():
        item.config.stash[_LEFT_OUT][_NO_TIME] = item.config.stash[_LEFT_OUT].get(_NO_TIME, 0) + 1
        return True
    return None


def _in_time() -> Iterator[None]:
    """What is not done when there is no more time is left out, as what has not been begun."""
    if not _until():
        yield
        return
    signal.signal(signal.SIGALRM, lambda *_: pytest.skip(_NO_TIME))
    # Nothing would stop it in no time at all.
    signal.setitimer(signal.ITIMER_REAL, max(_until() - time.time(), 0.001))
    try:
        yield
    except BaseException:
        # What is stopped may fail at what it does then.
        if _until() <= time.time():
            pytest.skip(_NO_TIME)
        raise
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Iterator[None]:
    yield from _in_time()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Iterator[None]:
    yield from _in_time()


def pytest_collection_finish(session: pytest.Session) -> None:
    """What was collected stays to the end: nobody need look through it for garbage. And strangers
    have answered their first letter, for a test that is about something else."""
    reception = sys.modules.get("judge.intake.reception")
    if reception is not None:
        session.config.stash[_MAY_BE_MADE_UP] = reception.may_be_made_up
        reception.may_be_made_up = lambda *_: False  # type: ignore[attr-defined]
    gc.collect()
    gc.freeze()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Under xdist only workers collect: each tells the process that prints what it left out."""
    if (output := getattr(session.config, "workeroutput", None)) is not None:
        output["left_out"] = session.config.stash.get(_LEFT_OUT, {})


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """All workers collect the same; one that crashed tells nothing."""
    told = getattr(node, "workeroutput", {}).get("left_out", {})
    node.config.stash.setdefault(_LEFT_OUT, {}).update(told)


def pytest_report_teststatus(report: pytest.TestReport) -> tuple[str, str, str] | None:
    """Tests without time are counted, and not listed one by one."""
    if report.skipped and _NO_TIME in str(report.longrepr):
        return _NO_TIME, "", ""
    return None


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    left_out = config.stash.setdefault(_LEFT_OUT, {})
    stopped = len(terminalreporter.stats.get(_NO_TIME, ()))
    left_out[_NO_TIME] = left_out.get(_NO_TIME, 0) + stopped
    for marker, count in left_out.items():
        if not count:
            continue
        terminalreporter.write_sep("!", f"{count} tests were NOT run", red=True, bold=True)
        if marker == _NO_TIME:
            terminalreporter.write_line("The time was over; make test runs all.")
        else:
            how = SERVERS[marker][1]
            terminalreporter.write_line(f"They need {marker}, which is not to be had here: {how}")
