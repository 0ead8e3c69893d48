"""Hearing from other judges on the same PostgreSQL that there is something to do (LISTEN)."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

import psycopg

from judge.storage.connection import AT_WORK, CHANNEL
from judge.storage.engine import Engine

log = logging.getLogger(__name__)

_AGAIN = 2.0
"""Seconds after which a connection that broke is made anew."""

_HERE = "judge"
"""What one announces that has begun to listen."""

_COUNT = 60.0
"""Seconds after which judges are counted again: nobody says that they have gone."""

_JUDGES = """\
SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database
WHERE locktype = 'advisory' AND classid = 0 AND objid = %s AND datname = current_database()
"""


class Listener:
    """A thread with a connection of its own, on which it hears what others announce.

    Nothing depends on it: a judge that does not hear looks by itself, only later.
    """

    def __init__(self, engine: Engine, heard: Callable[[str], None]) -> None:
        """`heard` is called, in the listener's thread, with what was announced: mail or letter;
        with both after each new connection, for what was said before was not heard."""
        self._engine, self._heard = engine, heard
        engine.heard = heard
        self._stop = threading.Event()
        self.connected = False
        """Whether announcements are heard right now."""
        self._thread = threading.Thread(target=self._run, name="listener", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End; what is being called is waited for."""
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        url = self._engine.database.database
        while not self._stop.is_set():
            try:
                with psycopg.connect(url, autocommit=True, connect_timeout=10) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, _HERE))
                    count = 0.0
                    self.connected = True
                    for what in ("mail", "letter"):
                        self._heard(what)
                    while not self._stop.is_set():
                        if (now := time.monotonic()) >= count:
                            row = connection.execute(_JUDGES, (AT_WORK,)).fetchone()
                            self._engine.alone, count = row == (1,), now + _COUNT
                        for said in connection.notifies(timeout=0.5):
                            if said.payload == _HERE:
                                count = 0.0
                            else:
                                self._heard(said.payload)
                            if self._stop.is_set():
                                break
            except psycopg.Error as error:
                log.debug("announcements are not heard: %s", error)
            self.connected = self._engine.alone = False
            self._stop.wait(_AGAIN)
