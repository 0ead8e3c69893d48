"""The door mail is delivered at: an SMTP or LMTP server in a thread of its own."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import re
import ssl
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from judge.limits import BOUNDS
from judge.mail.address import is_one_of
from judge.mail.headers import address_of, trace
from judge.mail.safety import header

log = logging.getLogger(__name__)

Accept = Callable[[bytes, str, list[str]], None]
"""What makes a message safe: called with its bytes, the return path and the recipients."""

# Storing a mail is one short transaction each; more threads would only wait for each other.
_THREADS = 4

_SLOW = 5.0
"""Seconds after which a mail that is being stored says that no other could be stored now."""

# Connections at a time, of all and from one host or network: a process may have some 1000 open
# files, and the database needs its share. Mail servers open 20 to one place at most.
_MOST_GUESTS = 400
_MOST_FROM_ONE = 50

_BARE_CR = re.compile(rb"\r(?!\n)")
_BARE_LF = re.compile(rb"(?<!\r)\n")
_FALSE_END = re.compile(rb"(?<!\r)\n\.\r?\n")

# Of any length: programs put much into return paths. Of any script (RFC 6531); bytes that are no
# UTF-8 are surrogates here.
_ADDRESS = re.compile(r"[^\s@\"\0-\x1f\x7f\ud800-\udfff]+@[^\s@\"\0-\x1f\x7f\ud800-\udfff]+")

_POSTMASTER = re.compile(r"<postmaster>", re.IGNORECASE)
"""The one recipient that needs no domain (RFC 5321 section 4.5.1)."""

_PLAIN = re.compile(
    r"<([\w+=-]+(?:\.[\w+=-]+)*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*)> *([\w= -]*)", re.ASCII
)
"""An address as nearly all write it, and what follows it."""


class Refusal(Exception):
    """What makes a message safe will not have it; the text is the answer, with its codes."""


class SmtpReceiver(Controller):
    """Takes mail for the judge's own addresses and passes each on before it says 250.

    An open relay it is not: a recipient outside `addresses` and `patterns` is refused. Line ends
    other than CR LF do not end a message (RFC 5321 section 2.3.8), and a message in which they
    could have meant something to another server, its end or a field of its header, is refused.
    Above each stands from where it came (`judge.mail.headers.trace`).
    """

    def __init__(
        self,
        host: str,
        port: int,
        accept: Accept,
        *,
        addresses: Collection[str] = (),
        patterns: Collection[str] = (),
        max_size: int = 1_000_000,
        per_minute: int = 0,
        lmtp: bool = False,
        timeout: float = 300.0,
        hostname: str | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        """`accept` is called in a thread; the sender hears 250 only after it returned, and 451
        (try again) when it raises.

        `addresses` say whom mail is taken for, sub-addresses (`judge+x@...`) included, and so do
        `patterns`, which have a `*` for any text (`judge-*@...`). `max_size` is in
        bytes, more is refused with 552; beyond `per_minute` mails one sending host is asked to come
        back later (450), 0 is without end, and hosts of private networks, which pass on what others
        write, are never asked. After `timeout` seconds of silence a connection is closed.
        `hostname` is the name in the greeting, `tls` offers STARTTLS. Port 0 takes a free one.
        """
        self._accept = accept
        self._addresses, self._patterns = addresses, patterns
        self._flow = Flow(per_minute)
        self._begun: dict[object, float] = {}
        """When each mail that is being stored began to be, by `time.monotonic`."""
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="smtp-door")
        self._protocol: type[SMTP] = _Lmtp if lmtp else _Smtp
        self.guests: dict[asyncio.BaseProtocol, str] = {}
        """The connections there are, each with the address it comes from."""
        super().__init__(
            self,
            hostname=host,
            port=port,
            data_size_limit=max_size,
            timeout=timeout,
            server_hostname=hostname or "localhost",
            ident="judge",
            tls_context=tls,
            enable_SMTPUTF8=True,
            # RFC 5321 4.5.3.2.7: nobody needs as many; a client that sends them is guessing.
            command_call_limit={"*": 200},
        )

    @property
    def alive(self) -> bool:
        """Whether the thread that listens is there."""
        return self._thread is not None and self._thread.is_alive()

    def start(self) -> None:
        """Listen; mail may come in from here on. Raises OSError when the port is taken."""
        try:
            super().start()
        except BaseException:
            if self._thread is not None:
                # It ends by itself, once it has said what went wrong.
                self._thread.join(timeout=1)
            self._threads.shutdown()
            self.loop.close()
            raise
        log.info("listening for mail on %s port %d", self.hostname, self.port)

    def stop(self, no_assert: bool = False) -> None:
        """Stop listening. A message whose sender has not heard 250 is the sender's to keep."""
        if self.alive:
            super().stop(no_assert)
        self._threads.shutdown(wait=True)

    def factory(self) -> SMTP:
        return self._protocol(self, **self.SMTP_kwargs)

    def _run(self, ready_event: threading.Event) -> None:
        super()._run(ready_event)
        # Where it could not listen the library would wait for its timeout all the same.
        ready_event.set()

    def _trigger_server(self) -> None:
        if self._thread_exception is not None:
            raise self._thread_exception
        assert self.server is not None
        self.port = self.server.sockets[0].getsockname()[1]  # type: ignore[attr-defined]
        super()._trigger_server()  # type: ignore[no-untyped-call]

    # The answers at each step of a delivery

    async def handle_EHLO(  # noqa: N802 (the library's name)
        self, server: SMTP, session: Session, _: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        session.host_name = hostname
        # Nobody signs on here; the library offers it wherever there is TLS.
        return [each for each in responses if not each[4:].startswith("AUTH")]

    async def handle_MAIL(  # noqa: N802 (the library's name)
        self, server: SMTP, _: Session, envelope: Envelope, address: str | None, options: list[str]
    ) -> str:
        if not self._flow.allows(self.guests.get(server, "")):
            log.warning("a host sends more than it may; it was asked to come back later")
            return "450 4.7.0 Too many mails from you in a minute; please try again later"
        if address and address != "<>" and not _ADDRESS.fullmatch(address):
            return "553 5.1.7 No address that can be answered; it has to be name@domain"
        envelope.mail_from = address
        return "250 2.1.0 OK"

    async def handle_RCPT(  # noqa: N802 (the library's name)
        self, server: SMTP, _: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if len(envelope.rcpt_tos) >= BOUNDS.recipients:
            return "452 4.5.3 Too many recipients"
        if not is_one_of(address, self._addresses, self._patterns):
            return "550 5.7.1 Not an address of the judge; no mail is relayed here"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(  # noqa: N802 (the library's name)
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        recipients = [str(address) for address in envelope.rcpt_tos]
        raw, sender = envelope.original_content, envelope.mail_from
        assert raw is not None
        if sender is None or sender == "<>":
            sender = ""
        if _is_ambiguous(raw):
            log.warning("a mail that can be read in two ways was refused")
            return "554 5.6.0 Lines end in CR LF; here a CR or a LF stands alone where it matters"
        now = time.monotonic()
        if len(self._begun) >= _THREADS and now - min(self._begun.values()) > _SLOW:
            # The connection is for others then, and so is anyone who waits at its other end.
            log.warning("mails take long to be stored; a sender was asked to come back later")
            return "451 4.3.2 Storing takes long now; please try again later"
        host, greeting = self.guests.get(server, ""), str(session.host_name or "")
        protocol = "LMTP" if isinstance(server, LMTP) else "ESMTP"
        traced = trace(host.partition("%")[0], greeting, server.hostname, protocol) + raw
        mark = object()
        self._begun[mark] = now
        try:
            await asyncio.get_running_loop().run_in_executor(
                self._threads, self._accept, traced, sender, recipients
            )
        except Refusal as refusal:
            log.warning("a mail was refused: %s", refusal)
            return str(refusal)
        except Exception:
            log.exception("a mail could not be stored; its sender keeps it")
            return "451 4.3.0 It could not be stored; please try again later"
        finally:
            del self._begun[mark]
        return "250 2.0.0 Stored"

    async def handle_exception(self, error: Exception) -> str:
        log.error("a connection failed", exc_info=error)
        return "451 4.3.0 An error of the judge's own; please try again later"


class Flow:
    """How many mails each host has begun to send in this minute."""

    def __init__(self, most: int, now: Callable[[], float] = time.monotonic) -> None:
        """`most` of one host in a minute, 0 for no end; `now` in seconds."""
        self._most = most
        self._now = now
        self._minute = 0
        self._counts: Counter[str] = Counter()

    def allows(self, address: str) -> bool:
        """Return whether a host may send one more, which is counted."""
        network = _network(address) if self._most else None
        if network is None:
            return True
        minute = int(self._now() // 60)
        if minute != self._minute:
            self._minute, self._counts = minute, Counter()
        self._counts[network] += 1
        return self._counts[network] <= self._most


def _network(address: str) -> str | None:
    """Return the network of a host that is one somebody can have alone (RFC 6177: a /64); None for
    one that belongs here."""
    host = address_of(address)
    if host is None or not host.is_global:
        return None
    return str(ipaddress.ip_network((host, 32 if host.version == 4 else 64), strict=False))


def _is_ambiguous(raw: bytes) -> bool:
    """Return whether line ends other than CR LF let a message be read in two ways.

    Scripts write LF alone in texts, which is harmless: what other servers end a message at is not
    in them, and their header has line ends of one kind.
    """
    head = header(raw)
    mixed = b"\r\n" in head and _BARE_LF.search(head)
    return bool(_BARE_CR.search(raw) or _FALSE_END.search(raw) or mixed)


class _BulkReader(asyncio.StreamReader):
    """Hands out as much of a text at once as needs no look at its lines, where the library would
    take each for itself."""

    _buffer: bytearray
    _limit: int
    most: int
    """Bytes of a line, beyond which it is the library's to refuse."""

    async def readuntil(self, separator: Any = b"\n") -> bytes:
        if separator == b"\r\n" and not self._buffer.startswith(b"."):
            # What begins with a dot is the library's, and so is what is longer than a line may be.
            dotted = self._buffer.find(b"\r\n.", 0, self._limit)
            last = self._buffer.rfind(b"\r\n", 0, self._limit) if dotted < 0 else dotted
            if last >= 0:
                return await self.readexactly(last + 2)
        line = b""
        while True:
            try:
                return line + await super().readuntil(separator)
            except asyncio.LimitOverrunError as error:
                if len(line) + error.consumed > self.most:
                    raise
                line += await self.readexactly(error.consumed)


class _Smtp(SMTP):
    """The library's server, with a little more patience."""

    # RFC 5321 4.5.3.1.6 allows 1001, but programs that send HTML, or a file in base64, in one line
    # are common. More than this is put together piece by piece (`_BulkReader`).
    line_length_limit = 100_000

    def __init__(self, *arguments: Any, **parameters: Any) -> None:
        # The library keeps one dictionary for all connections, and each new one empties it.
        self.command_size_limits = defaultdict(lambda: self.command_size_limit)
        super().__init__(*arguments, **parameters)
        assert self.data_size_limit is not None
        self.line_length_limit += self.data_size_limit
        del self._smtp_methods["AUTH"]

    def _reset_timeout(self, duration: float | None = None) -> None:
        # A timer for each command would cost more than one that looks whether there was another.
        self._idle_at = self.loop.time() + self._timeout_duration
        if self._timeout_handle is None:
            super()._reset_timeout(duration)

    def _timeout_cb(self) -> None:
        if (left := self._idle_at - self.loop.time()) > 0:
            self._timeout_handle = self.loop.call_later(left, self._timeout_cb)
        else:
            super()._timeout_cb()  # type: ignore[no-untyped-call]

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        # The library takes each address apart by the grammar of fields, which takes longer than all
        # else that it does with a mail.
        found = _PLAIN.fullmatch(arg)
        if _POSTMASTER.fullmatch(arg.strip()):
            return f"postmaster@{self.hostname}", ""
        return (found[1], found[2]) if found else super()._getaddr(arg)

    def _cb_client_connected(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        reader.__class__ = _BulkReader
        assert isinstance(reader, _BulkReader)
        reader.most = self.line_length_limit
        super()._cb_client_connected(reader, writer)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # Called once more for the same connection when it is encrypted.
        guests = self.event_handler.guests
        address = str((transport.get_extra_info("peername") or ("",))[0])
        network = _network(address) or address
        from_there = sum((_network(each) or each) == network for each in guests.values())
        if self not in guests and (len(guests) >= _MOST_GUESTS or from_there >= _MOST_FROM_ONE):
            assert isinstance(transport, asyncio.Transport)
            transport.write(b"421 4.7.0 Too many connections; please come back later\r\n")
            transport.close()
            return
        guests[self] = address
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        if self.event_handler.guests.pop(self, None) is not None:
            super().connection_lost(error)


class _Lmtp(_Smtp, LMTP):
    """LMTP answers the end of the data once for every recipient (RFC 2033 section 4.2)."""

    _recipients = 0
    _reading = False

    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802 (the library's name)
        assert self.envelope is not None
        self._recipients = len(self.envelope.rcpt_tos)
        try:
            await super().smtp_DATA(arg)
        finally:
            self._recipients, self._reading = 0, False

    async def push(self, status: Any) -> None:
        for _ in range(self._recipients if self._reading else 1):
            await super().push(status)
        self._reading = bool(self._recipients) and str(status).startswith("354")
