"""Hearing from other judges on the same PostgreSQL that there is something to do (LISTEN)."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

import psycopg

from judge.storage.connection import CHANNEL
from judge.storage.engine import Engine

log = logging.getLogger(__name__)

_AGAIN = 2.0
"""Seconds after which a connection that broke is made anew."""


class Listener:
    """A thread with a connection of its own, on which it hears what others announce.

    Nothing depends on it: a judge that does not hear looks by itself, only later.
    """

    def __init__(self, engine: Engine, heard: Callable[[str], None]) -> None:
        """`heard` is called, in the listener's thread, with what was announced: mail or letter;
        with both after each new connection, for what was said before was not heard."""
        self._url = engine.database.database
        self._heard = heard
        self._stop = threading.Event()
        self._connected = False
        self._thread = threading.Thread(target=self._run, name="listener", daemon=True)

    @property
    def connected(self) -> bool:
        """Whether announcements are heard right now."""
        return self._connected

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End; what is being called is waited for."""
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                with psycopg.connect(self._url, autocommit=True, connect_timeout=10) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    self._connected = True
                    for what in ("mail", "letter"):
                        self._heard(what)
                    while not self._stop.is_set():
                        for said in connection.notifies(timeout=0.5):
                            self._heard(said.payload)
                            if self._stop.is_set():
                                break
            except psycopg.Error as error:
                log.debug("announcements are not heard: %s", error)
            self._connected = False
            self._stop.wait(_AGAIN)
