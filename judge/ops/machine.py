"""What a machine itself may have wrong: its disks, certificates, backups, and its clock."""

from __future__ import annotations

import os
import shutil
import ssl
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median

from msgspec import Struct

from judge.config import Config
from judge.storage import Alarm

SUFFIX = ".judge-backup"

LEAST_SHARE, LEAST_FREE = 0.05, 1_000_000_000
"""A disk is nearly full when less than this share of it, and less than these bytes, are free."""

ENDS_SOON = timedelta(days=14)
"""How long before its end a certificate is the keeper's business; one that is made for less than
four times as long is so in its last quarter."""

TWICE = 2
"""So many times as old as it may be by the configuration a backup is too old."""

FIRST = timedelta(hours=1)
"""How long a judge that has started may take for its first backup."""

OFF = timedelta(minutes=5)
"""How far a clock may be off by the dates of mails."""

LEAST_MAILS = 5
"""Mails by which a clock is judged."""


class Machine(Struct, frozen=True):
    """The machine that a judge runs on: its name, the folders it writes to, the files with its
    certificates, and where its backups go, so often, if they do."""

    name: str
    folders: Sequence[Path] = ()
    certificates: Sequence[Path] = ()
    backups: Path | None = None
    every: timedelta | None = None
    started: datetime | None = None
    """Since when the judge that makes them runs here, where it does."""

    def troubles(self, now: datetime) -> Iterator[Alarm]:
        """Yield what is wrong at an instant, as alarms of this machine's own."""
        yield from self._of_disks(now)
        yield from self._of_certificates(now)
        yield from self._of_backups(now)

    def alarm(self, now: datetime, kind: str, what: object, **facts: object) -> Alarm:
        """Return an alarm that nobody else is to end."""
        facts["machine"] = self.name
        return Alarm(name=f"{kind} {what} at {self.name}", kind=kind, since=now, facts=facts)

    def _of_disks(self, now: datetime) -> Iterator[Alarm]:
        for folder in self.folders:
            try:
                disk = shutil.disk_usage(folder)
            except OSError:
                continue
            if disk.free < min(LEAST_FREE, disk.total * LEAST_SHARE):
                free = disk.free // 1_000_000
                yield self.alarm(now, "disk", folder, folder=str(folder), free=free)

    def _of_certificates(self, now: datetime) -> Iterator[Alarm]:
        for file in self.certificates:
            if (valid := validity(file)) is None:
                continue
            start, end = valid
            if end - now < min(ENDS_SOON, (end - start) / 4):
                yield self.alarm(now, "certificate", file, file=str(file), end=f"{end:%Y-%m-%d}")

    def _of_backups(self, now: datetime) -> Iterator[Alarm]:
        if self.backups is None or self.every is None:
            return
        last = last_backup(self.backups)
        if last is None and self.started is not None and now - self.started < FIRST:
            return
        if last is None or now - last > TWICE * self.every:
            hours = self.every / timedelta(hours=1)
            told = "" if last is None else f"{last:%Y-%m-%d %H:%M} UTC"
            facts = {"folder": str(self.backups), "last": told, "hours": f"{hours:g}"}
            yield self.alarm(now, "backup", self.backups, **facts)


def machine_of(config: Config, started: datetime | None = None) -> Machine:
    """This machine, as far as the judge that is configured, and was `started` here, depends on
    it."""
    folders = [] if config.database.file is None else [config.database.file.parent]
    if config.outgoing.relay is None:
        folders.append(config.outgoing.maildir)
    file, backups = config.smtp.certificate_file, config.backup.folder
    every = None if backups is None else timedelta(hours=config.backup.every)
    return Machine(os.uname().nodename, folders, (file,) if file else (), backups, every, started)


def validity(file: Path) -> tuple[datetime, datetime] | None:
    """Return from when and until when the first certificate of a file is good; None where the file
    tells none."""
    try:
        found = ssl._ssl._test_decode_cert(str(file))  # type: ignore[attr-defined]
        start, end = (ssl.cert_time_to_seconds(found[key]) for key in ("notBefore", "notAfter"))
    except (OSError, AttributeError, KeyError, ValueError):
        return None
    return datetime.fromtimestamp(start, UTC), datetime.fromtimestamp(end, UTC)


def name_for(now: datetime) -> str:
    """Return the name of a backup made at `now` (UTC): names sort as the instants do."""
    return f"{now:%Y-%m-%dT%H%M%SZ}{SUFFIX}"


def last_backup(folder: Path) -> datetime | None:
    """Return when the newest backup in a folder was made, by its name; None where there is none."""
    for path in sorted(folder.glob(f"*{SUFFIX}"), reverse=True):
        with suppress(ValueError):
            return datetime.strptime(path.name.removesuffix(SUFFIX), "%Y-%m-%dT%H%M%S%z")
    return None


def clock_off(times: Sequence[tuple[datetime, datetime]]) -> timedelta | None:
    """Return how far this clock is ahead of others, less than nothing where it is behind.

    `times` are mails: when each came in by this clock, and when it was written by its writer's. A
    mail may have been on its way for long, and some clocks are wrong. None: it is not off, or so
    few mails do not tell.
    """
    if len(times) < LEAST_MAILS:
        return None
    late = sorted(came - written for came, written in times)
    # The quickest but one: a single clock may be far ahead.
    if late[1] > OFF:
        return late[1]
    middle = timedelta(seconds=median(each.total_seconds() for each in late))
    return middle if middle < -OFF else None
