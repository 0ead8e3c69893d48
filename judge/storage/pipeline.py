"""PostgreSQL's prepared statements, several in one exchange with the server.

An exchange costs both sides more than most statements do. So what needs no answer waits for the
next statement that does, or for the end of its transaction.
https://www.postgresql.org/docs/current/libpq-pipeline-mode.html
"""

from __future__ import annotations

import select
from collections.abc import Sequence
from typing import Any

import psycopg
from psycopg.abc import Buffer
from psycopg.adapt import Transformer
from psycopg.errors import error_from_result
from psycopg.pq import ConnStatus, ExecStatus, Format, TransactionStatus

from judge.storage.connection import Answer, Asked

_MOST = 250
"""Statements a server keeps for a connection; beyond that it forgets them all."""

_IN_ERROR = TransactionStatus.INERROR

_FAILED = (ExecStatus.FATAL_ERROR, ExecStatus.BAD_RESPONSE)


class Pipeline:
    """A connection's way to its server. For one thread, as the connection."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self.connection = connection
        self._server = connection.pgconn
        self._names: dict[str, bytes] = {}
        self._loader = Transformer(connection)
        self._poll = select.poll()

    def ask(self, asked: Sequence[Asked]) -> list[Answer]:
        """Run these in their order, in one exchange; returns what came of each.

        Raises psycopg.Error for the first that fails; those behind it are not run.
        """
        # In a transaction that has failed nothing but its end is run.
        if len(self._names) > _MOST and self._server.transaction_status != _IN_ERROR:
            self.connection.execute("DEALLOCATE ALL")
            self._names.clear()
        try:
            self._server.enter_pipeline_mode()
            new = [self._send(each) for each in asked]
            self._server.pipeline_sync()
            answers = self._answers()
            self._server.exit_pipeline_mode()
        except BaseException:
            # Nobody knows any more which answer belongs to what.
            self.connection.close()
            raise
        answers.reverse()
        found = []
        for each, name in zip(asked, new, strict=True):
            if name is not None:
                self._check(answers.pop())
                self._names[each.sql] = name
            found.append(self._read(answers.pop()))
        return found

    def told(self) -> bool:
        """Whether the server said something nobody asked for, as when it leaves."""
        if self.connection.closed:
            return True
        self._poll.register(self._server.socket, select.POLLIN)
        return bool(self._poll.poll(0))

    def _read(self, result: Any) -> Answer:
        self._check(result)
        if not result.ntuples:
            return Answer([], result.command_tuples or 0)
        self._loader.set_pgresult(result)
        return Answer(self._loader.load_rows(0, result.ntuples, tuple), result.command_tuples or 0)

    def _send(self, asked: Asked) -> bytes | None:
        """Send a statement; returns what it is called if it is new here, and kept."""
        values, formats = zip(*map(_sent, asked.values), strict=True) if asked.values else ((), ())
        name, new = self._names.get(asked.sql), None
        if name is None:
            parts = asked.sql.split("%s")
            numbered = [f"{part}${place}" for place, part in enumerate(parts[:-1], 1)]
            sql = "".join((*numbered, parts[-1])).encode()
            if not asked.kept:
                self._server.send_query_params(
                    sql, values, param_formats=formats, result_format=Format.BINARY
                )
                return None
            name = new = f"judge{len(self._names)}_{id(asked)}".encode()
            self._server.send_prepare(name, sql)
        self._server.send_query_prepared(name, values, formats, Format.BINARY)
        return new

    def _answers(self) -> list[Any]:
        """Wait for the server, while other threads go on; what it answers, in order."""
        server = self._server
        found: list[Any] = []
        while server.flush():
            self._wait(select.POLLIN | select.POLLOUT)
        while True:
            while server.is_busy():
                self._wait(select.POLLIN)
            result = server.get_result()
            if result is not None and result.status == ExecStatus.PIPELINE_SYNC:
                return found
            if result is not None:
                found.append(result)
            elif server.status == ConnStatus.BAD:
                raise psycopg.OperationalError(server.get_error_message())

    def _wait(self, what: int) -> None:
        self._poll.register(self._server.socket, what)
        if any(event != select.POLLOUT for _, event in self._poll.poll()):
            self._server.consume_input()

    def _check(self, result: Any) -> None:
        if result.status in _FAILED:
            raise error_from_result(result, encoding=self.connection.info.encoding)


def _sent(value: Any) -> tuple[Buffer | None, Format]:
    """What a server gets for a value, whose type it knows from where it stands."""
    if isinstance(value, str):
        # With its length: a null character ends nothing.
        return value.encode(), Format.BINARY
    if value is None or isinstance(value, bytes | bytearray):
        return value, Format.BINARY
    if isinstance(value, list):
        return b"{%s}" % b",".join(b"%d" % each for each in value), Format.TEXT
    return (b"true" if value else b"false") if isinstance(
        value, bool
    ) else b"%d" % value, Format.TEXT
