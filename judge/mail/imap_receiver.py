"""The door mail is fetched from: a mailbox on an IMAP server, watched by a thread of its own."""

from __future__ import annotations

import contextlib
import logging
import math
import re
import ssl
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, LoginError

log = logging.getLogger(__name__)

Accept = Callable[[bytes, str | None, list[str]], None]
"""What makes a message safe: called with its bytes, the return path the mailbox noted (None when
it noted none, "" for the null path), and the recipients it noted."""

# Seconds to wait after the first, second, ... failure in a row.
_PAUSES = (1, 2, 5, 10, 30, 60, 120, 300)

# The longest of them where the server did not refuse us, but could not be reached: phases wait
# until it is read again.
_AWAY = 60

# The first wait for an announcement after something happened, in seconds; each further one is
# twice as long, up to `ImapSettings.renew`.
_FIRST_PATIENCE = 1.0

# How long a stop or a wish to look may go unnoticed while nothing happens, in seconds.
_TICK = 0.5

# Seconds between looks for what was put aside too long ago, and messages deleted at a time.
_TIDY = 86_400.0
_AT_ONCE = 500

# Seconds after which a message that cannot be accepted keeps nobody waiting any more. Longer than a
# database may be away without an outage: nobody may wait for mail that nobody could have stored.
_STUBBORN = 240.0

# How often a connection may break over one message before that is left alone, and for how many
# seconds it is.
_BREAKS = 5
_LEFT = 86_400.0

_RETURN_PATH = re.compile(rb"^Return-Path:[ \t]*<?([^>\r\n]*)>?[ \t]*\r?$", re.I | re.M)
_DELIVERED = re.compile(
    rb"^(?:X-Original-To|Delivered-To):[ \t]*([^\r\n]*?)[ \t]*\r?$", re.I | re.M
)


@dataclass(frozen=True, slots=True)
class ImapSettings:
    """Where the mailbox is and how it is watched.

    `security` is tls, starttls or none; with either of the former the server's certificate must
    be good for `host`. What has been taken in is moved to the folder `moved_to`, or, without
    one, marked as read; then a message somebody else has read is not seen by the judge. `poll`
    is the seconds between two looks where the server cannot notify us (RFC 2177, IDLE); where it
    can, it is asked again after `renew` seconds at the latest, long before servers and routers
    drop a silent connection. Of a message longer than `max_size` bytes only so many are read.
    What has lain in `moved_to` for more than `keep_days` is deleted, never where that is 0.
    `timeout` is how many seconds an answer may take. `token` gives an OAuth 2 access token, which
    is used in place of the password (XOAUTH2); it expires soon, so each login asks for it anew.
    """

    host: str
    port: int
    user: str
    password: str = field(default="", repr=False)
    token: Callable[[], str] | None = field(default=None, repr=False)
    security: str = "tls"
    folder: str = "INBOX"
    moved_to: str | None = None
    keep_days: int = 0
    poll: float = 60.0
    renew: float = 240.0
    timeout: float = 60.0
    max_size: int = 1_000_000
    context: ssl.SSLContext | None = None

    def __post_init__(self) -> None:
        if self.security not in ("none", "starttls", "tls"):
            raise ValueError(f"security is none, starttls or tls, not {self.security!r}")


@dataclass(frozen=True, slots=True)
class Probed:
    """A mailbox that can be read: how many messages lie there, and whether it announces more."""

    waiting: int
    idle: bool


def probe(settings: ImapSettings) -> Probed:
    """Look whether a mailbox can be read, and touch nothing. Raises what is in the way."""
    with _connected(settings) as client:
        found = client.select_folder(settings.folder, readonly=True)
        return Probed(int(found[b"EXISTS"]), bool(client.has_capability("IDLE")))


@contextlib.contextmanager
def _connected(settings: ImapSettings) -> Iterator[IMAPClient]:
    """Open a connection, logged in."""
    client = IMAPClient(
        settings.host,
        settings.port,
        ssl=settings.security == "tls",
        ssl_context=settings.context if settings.security == "tls" else None,
        timeout=SocketTimeout(connect=settings.timeout, read=settings.timeout),
    )
    try:
        if settings.security == "starttls":
            client.starttls(settings.context or ssl.create_default_context())
        if settings.token is not None:
            client.oauth2_login(settings.user, settings.token())
        else:
            client.login(settings.user, settings.password)
        yield client
        client.logout()
    finally:
        with contextlib.suppress(IMAPClientError, OSError):
            client.shutdown()


class ImapReceiver:
    """Brings in what lies in a mailbox, and what arrives there, at once.

    A message is moved or marked only after it was accepted. A crash between the two brings it in
    twice, which the inbox notices. A connection that breaks is made again, after pauses that
    grow; a message that cannot be accepted stays for the next look.
    """

    def __init__(
        self,
        settings: ImapSettings,
        accept: Accept,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        looked: Callable[[], None] = lambda: None,
    ) -> None:
        """`now` is the clock that `heard` is told by; `looked` is called after each look."""
        self._settings = settings
        self._accept = accept
        self._now = now
        self._looked = looked
        self._stop = threading.Event()
        self._nudged = threading.Event()
        self.heard: datetime | None = None
        """Up to when all that came into the mailbox has been taken in; None before the first look
        is over. It stays what it is while the mailbox cannot be read."""
        self.deaf = True
        """Whether the last tries to look came to nothing. One alone does not tell: servers hang up
        on clients that were silent for long."""
        self.problem: str | None = None
        """What keeps the mailbox from being read right now, None when nothing does."""
        folder = "" if settings.folder == "INBOX" else f" ({settings.folder})"
        self.name = f"{settings.user} on {settings.host}{folder}"
        """The mailbox, as its keeper knows it."""
        self._tidied: float | None = None
        self._failing = math.inf
        """Since when, by `time.monotonic`, there has been a message that cannot be accepted."""
        self._accepted: set[int] = set()
        """Messages that were, and could not be put aside."""
        self._validity: int | None = None
        self._breaks: Counter[int] = Counter()
        self._left: dict[int, float] = {}
        """Messages that are left alone until an instant of `time.monotonic`."""
        self._thread = threading.Thread(target=self._run, name="imap-door", daemon=True)
        self._patience = _FIRST_PATIENCE

    def look(self) -> None:
        """Look at the mailbox soon, announced or not; from any thread."""
        self._nudged.set()

    @property
    def alive(self) -> bool:
        """Whether the thread that watches is there."""
        return self._thread.is_alive()

    def start(self) -> None:
        """Begin to watch. Returns at once; a server that cannot be reached is tried for ever."""
        self._thread.start()

    def stop(self) -> None:
        """Stop watching; a message that is being accepted is finished first."""
        self._stop.set()
        self._nudged.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        settings, failures = self._settings, 0
        while not self._stop.is_set():
            try:
                with self._mailbox() as client:
                    while not self._stop.is_set():
                        # Whether what cannot be accepted is waited for.
                        patient = time.monotonic() < self._failing + _STUBBORN
                        problem = self._take_all(client, patient=patient)
                        self._looked()
                        if problem is not None:
                            failures += 1
                            self.problem = problem
                            pause = min(_pause(failures), settings.poll)
                            (self._stop if patient else self._nudged).wait(pause)
                            client.noop()
                            continue
                        failures, self.problem = 0, None
                        if not self._tidy(client):
                            self._wait(client)
            except (IMAPClientError, OSError) as error:
                self.deaf = self.heard is None or failures > 0
                failures += 1
                problem = in_words(error)
                # Once is enough for the log, however long it lasts.
                level = logging.DEBUG if problem == self.problem else logging.WARNING
                log.log(level, "mailbox %s on %s: %s", settings.user, settings.host, problem)
                self.problem = problem
                self._stop.wait(min(_pause(failures), _longest(error)))
            except Exception:
                self.deaf = True
                failures += 1
                log.exception("the mailbox door stumbled; it goes on")
                self.problem = "an error of the judge's own; see the log"
                self._stop.wait(_pause(failures))

    @contextlib.contextmanager
    def _mailbox(self) -> Iterator[IMAPClient]:
        """Open a connection with the folder selected."""
        settings = self._settings
        with _connected(settings) as client:
            if settings.moved_to is not None and not client.folder_exists(settings.moved_to):
                client.create_folder(settings.moved_to)
            self._select(client)
            self._patience = _FIRST_PATIENCE
            yield client

    def _select(self, client: IMAPClient) -> None:
        found = client.select_folder(self._settings.folder)
        self._accepted.clear()
        if found.get(b"UIDVALIDITY") != self._validity:
            # The numbers are those of other messages (RFC 3501 section 2.3.1.1).
            self._validity = found.get(b"UIDVALIDITY")
            self._breaks.clear()
            self._left.clear()

    def _take_all(self, client: IMAPClient, *, patient: bool) -> str | None:
        """Bring in all there is; what is wrong with what stays. `patient`: as long as there are
        messages that could not be accepted, not everything has been heard."""
        failed: set[int] = set()
        stuck: set[int] = set()
        wanted = ["UNDELETED"] if self._settings.moved_to is not None else ["UNSEEN", "UNDELETED"]
        while True:
            # Anyone who wants a look from here on gets another one.
            self._nudged.clear()
            if self._stop.is_set():
                break
            began = self._now()
            seen = failed | stuck
            found = [uid for uid in client.search(wanted) if uid not in seen]
            for uid in found:
                if self._stop.is_set():
                    return None
                if uid not in self._accepted and not self._take(client, uid):
                    failed.add(uid)
                elif not self._put_aside(client, uid):
                    stuck.add(uid)
            if not (failed and patient):
                self.heard, self.deaf = began, False
            if not found:
                break
        if not failed:
            self._failing = math.inf
            return f"{len(stuck)} messages could not be put aside" if stuck else None
        self._failing = min(self._failing, time.monotonic())
        return f"{len(failed)} messages could not be accepted"

    def _take(self, client: IMAPClient, uid: int) -> bool:
        """Bring one message in; whether it could be accepted."""
        if time.monotonic() < self._left.get(uid, -math.inf):
            return False
        try:
            raw = self._fetch(client, uid)
        except (IMAPClientAbortError, OSError) as error:
            # There are servers that hang up when asked for what they cannot read.
            self._breaks[uid] += 1
            if self._breaks[uid] >= _BREAKS:
                log.error("message %d stays in the mailbox: %s", uid, error)
                self._left[uid] = time.monotonic() + _LEFT
            raise
        except IMAPClientError as error:
            # One that the server cannot hand out must not keep back those behind it.
            log.error("message %d stays in the mailbox: %s", uid, error)
            return False
        self._breaks.pop(uid, None)
        if raw is None:
            return True
        head = raw.partition(b"\r\n\r\n")[0] + b"\r\n"
        found = _RETURN_PATH.search(head)
        path = found and found[1].decode("utf-8", "replace").strip()
        delivered = [each.decode("utf-8", "replace") for each in _DELIVERED.findall(head)]
        try:
            self._accept(raw, path, delivered)
        except Exception:
            log.exception("message %d could not be stored; it stays in the mailbox", uid)
            return False
        return True

    def _fetch(self, client: IMAPClient, uid: int) -> bytes | None:
        """Return the bytes of a message, None when somebody took it away meanwhile.

        Fetching does not mark it as read.
        """
        answer: dict[int, dict[bytes, Any]] = client.fetch(
            [uid], [f"BODY.PEEK[]<0.{self._settings.max_size}>"]
        )
        if uid not in answer:
            return None
        for key, value in answer[uid].items():
            if key.startswith(b"BODY[]"):
                raw = value if isinstance(value, bytes) else b""
                # Of one that another judge has just put aside servers may hand out nothing.
                return raw if raw or _is_there(client, uid) else None
        raise IMAPClientError(f"the server does not hand out message {uid}")

    def _put_aside(self, client: IMAPClient, uid: int) -> bool:
        """Move or mark a message that was accepted; whether the server did."""
        try:
            self._move(client, uid)
        except IMAPClientAbortError:
            raise
        except IMAPClientError as error:
            # A quota is full, or rights are missing: that is nothing to keep others back for.
            log.error("message %d was accepted and cannot be put aside: %s", uid, error)
            self._accepted.add(uid)
            return False
        self._accepted.discard(uid)
        return True

    def _move(self, client: IMAPClient, uid: int) -> None:
        folder = self._settings.moved_to
        if folder is None:
            client.add_flags([uid], [rb"\Seen"], silent=True)
        elif client.has_capability("MOVE"):
            client.move([uid], folder)
        else:
            client.copy([uid], folder)
            _delete(client, [uid])

    def _tidy(self, client: IMAPClient) -> bool:
        """Once a day delete what was put aside long ago; whether it is time for another look."""
        folder, days = self._settings.moved_to, self._settings.keep_days
        now = time.monotonic()
        if not (folder and days) or (self._tidied is not None and now < self._tidied + _TIDY):
            return False
        # Whatever comes of it: mail is not kept waiting for this more than once a day.
        self._tidied = now
        try:
            self._delete_old(client, folder, days)
        except IMAPClientAbortError:
            raise
        except IMAPClientError as error:
            log.warning("what is old stays in %s: %s", folder, error)
        self._select(client)
        return True

    def _delete_old(self, client: IMAPClient, folder: str, days: int) -> None:
        client.select_folder(folder)
        # Servers compare days of their own zone (RFC 3501 section 6.4.4): rather one too late. They
        # know nothing of the judge's clock, which may be a fast one.
        old = client.search(["BEFORE", (datetime.now(UTC) - timedelta(days=days + 1)).date()])
        for start in range(0, len(old), _AT_ONCE):
            if self._nudged.is_set():
                self._tidied = None
                break
            _delete(client, old[start : start + _AT_ONCE])
            log.info("old messages deleted from %s", folder)

    def _wait(self, client: IMAPClient) -> None:
        """Wait for a message, or until it is time to look anyway."""
        if not client.has_capability("IDLE"):
            self._nudged.wait(self._settings.poll)
            client.noop()
            return
        # A message that arrives just when a search ends or IDLE begins may be announced to nobody.
        # So after anything happened the next look comes soon, and the later ones ever less soon.
        patience = min(self._patience, self._settings.renew)
        self._patience = patience * 2
        end = time.monotonic() + patience
        client.idle()
        while not self._nudged.is_set() and time.monotonic() < end:
            asked = time.monotonic()
            said = client.idle_check(timeout=_TICK)
            if any(len(each) > 1 and each[1] in (b"EXISTS", b"RECENT") for each in said):
                self._patience = _FIRST_PATIENCE
                break
            if not said and time.monotonic() - asked < _TICK / 2:
                # The library tells a closed connection by silence that comes too soon.
                break
        client.idle_done()
        # RFC 3501 section 6.1.2: this is when servers look for what is new.
        client.noop()


def in_words(error: Exception) -> str:
    """Return what is in the way, in the server's words if it said some."""
    # The library shows a refused login as Python writes bytes.
    return re.sub(r"^b(['\"])(.*)\1$", r"\2", str(error)) or type(error).__name__


def _is_there(client: IMAPClient, uid: int) -> bool:
    # RFC 3501 section 7.4.1: not before this does a server tell that a message is gone.
    client.noop()
    return bool(client.search(["UID", str(uid)]))


def _delete(client: IMAPClient, uids: list[int]) -> None:
    client.add_flags(uids, [rb"\Deleted"], silent=True)
    if client.has_capability("UIDPLUS"):
        client.uid_expunge(uids)
    else:
        client.expunge()


def _longest(error: Exception) -> float:
    # Anyone who tries a password too often may be shut out for it.
    return _PAUSES[-1] if isinstance(error, LoginError) else _AWAY


def _pause(failures: int) -> float:
    return _PAUSES[min(failures, len(_PAUSES)) - 1]
