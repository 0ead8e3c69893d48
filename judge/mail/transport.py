"""SMTP relays, and folders of mailboxes for trying things out: the transports of letters."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import smtplib
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import KW_ONLY, dataclass, field
from datetime import timedelta
from functools import partial
from math import ceil
from pathlib import Path
from typing import Protocol

from judge.mail.address import deliverable


class TemporaryFailure(Exception):
    """Not now: the letter is to be tried again later. The text is what the other side said."""


class Unreachable(TemporaryFailure):
    """The way out itself is closed: no letter would fare better now, and none is to blame."""


class PermanentFailure(Exception):
    """Never: this letter to this recipient is refused. The text is what the other side said."""


class Transport(Protocol):
    """What takes letters away."""

    def deliver(self, raw: bytes, recipient: str, message_id: str, sender: str = "") -> None:
        """Hand a letter over for one recipient; when it returns, the other side is responsible.

        `sender` is the return path. Raises TemporaryFailure, of which Unreachable is one, or
        PermanentFailure.
        """

    def close(self) -> None:
        """Let go of connections."""


MANY_LETTERS = 50
"""So many letters at once are a storm."""


class Finishing:
    """A way out that finishes each letter before it hands it on: draws its pictures, signs it. The
    outbox keeps letters as they were, so that a new key is used from the moment it is configured.
    For one thread.
    """

    def __init__(self, transport: Transport, finish: Callable[[bytes], bytes]) -> None:
        self._transport = transport
        self._finish = finish
        self._threads = ThreadPoolExecutor(os.cpu_count())
        self._ahead: dict[bytes, Future[bytes]] = {}

    def foresee(self, letters: Sequence[bytes]) -> None:
        """Begin to finish letters that are to be delivered next, one a core at a time."""
        # A few are finished where they are delivered: a process more that draws takes memory.
        ahead = letters if len(letters) >= MANY_LETTERS else ()
        self._ahead = {each: Future() for each in ahead}
        # Each core has a part of them: letters about one board lie together, and have much alike.
        part = ceil(len(ahead) / (os.cpu_count() or 1)) or 1
        for first in range(0, len(ahead), part):
            self._threads.submit(self._finish_all, dict(self._ahead), ahead[first : first + part])

    def _finish_all(self, ahead: Mapping[bytes, Future[bytes]], letters: Sequence[bytes]) -> None:
        for each in letters:
            if ahead[each].set_running_or_notify_cancel():
                try:
                    ahead[each].set_result(self._finish(each))
                except Exception as error:
                    ahead[each].set_exception(error)

    def deliver(self, raw: bytes, recipient: str, message_id: str, sender: str = "") -> None:
        """Finish the letter and hand it on; as `Transport.deliver`."""
        ahead = self._ahead.pop(raw, None)
        finished = self._finish(raw) if ahead is None else ahead.result()
        self._transport.deliver(finished, recipient, message_id, sender)

    def close(self) -> None:
        """Let go of connections."""
        self._threads.shutdown(cancel_futures=True)
        self._transport.close()


# Seconds a program may take to print a token.
_TOKEN_PATIENCE = 60.0

# Minutes after the first, second, ... failure, then the last for ever: soon at first because
# most failures pass, slowly later because a relay that is down stays down.
_PAUSES = (1, 5, 15, 30, 60, 120, 240)


def next_try(attempts: int) -> timedelta | None:
    """Return how long to wait when `attempts` deliveries of a letter have failed; None: give up.

    Gives up after about five days, as RFC 5321 section 4.5.4.1 advises.
    """
    if attempts < 1:
        return timedelta(0)
    waited = sum(_PAUSES) + max(0, attempts - 1 - len(_PAUSES)) * _PAUSES[-1]
    if attempts > len(_PAUSES) and waited >= 5 * 24 * 60:
        return None
    return timedelta(minutes=_PAUSES[min(attempts, len(_PAUSES)) - 1])


class Maildir:
    """Delivers into a folder: one Maildir per recipient, named by the address.

    The file is named after the Message-ID, so that a letter that is delivered again is there
    once. https://cr.yp.to/proto/maildir.html
    """

    def __init__(self, root: Path) -> None:
        self._root = root

    def deliver(self, raw: bytes, recipient: str, message_id: str, sender: str = "") -> None:
        """Put the letter into the recipient's folder `new`, durably."""
        box = self._root / mailbox_name(recipient)
        name = hashlib.sha256(message_id.encode()).hexdigest()[:32] + ".judge"
        try:
            for folder in ("tmp", "new", "cur"):
                (box / folder).mkdir(parents=True, exist_ok=True)
            # A reader moves what it has seen to `cur` and adds flags to the name.
            if (box / "new" / name).exists() or any((box / "cur").glob(f"{name}*")):
                return
            passing = box / "tmp" / f"{name}.{os.getpid()}.{threading.get_ident()}"
            with passing.open("wb") as file:
                file.write(raw.replace(b"\r\n", b"\n"))
                file.flush()
                os.fsync(file.fileno())
            passing.rename(box / "new" / name)
            sync_folder(box / "new")
        except OSError as error:
            raise TemporaryFailure(f"{box}: {error.strerror}") from error

    def close(self) -> None:
        """Do nothing: nothing is held open."""


def mailbox_name(recipient: str) -> str:
    """Return the folder name for an address: itself, but for what could name another folder."""
    return re.sub(r"[^a-z0-9@._+=-]", "_", recipient.lower()).lstrip(".") or "_"


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk. Raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@dataclass(eq=False, repr=False)
class RelayServer:
    """Delivers through an SMTP server, over one connection as long as it lasts.

    One thread at a time. `security` is none, starttls or tls; with either of the latter the
    server's certificate must be good for `host`. `token` gives an OAuth 2 access token, used in
    place of a password (XOAUTH2) and asked for anew at each login. `hello` is the name we give in
    EHLO, `timeout` the seconds an answer may take; a connection not used for `idle` seconds is not
    used again.
    """

    host: str
    port: int
    _: KW_ONLY
    security: str = "none"
    user: str | None = None
    password: str | None = None
    token: Callable[[], str] | None = None
    hello: str | None = None
    timeout: float = 60.0
    idle: float = 60.0
    context: ssl.SSLContext | None = None
    _server: smtplib.SMTP | None = field(default=None, init=False)
    _used: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        if self.security not in ("none", "starttls", "tls"):
            raise ValueError(f"security is none, starttls or tls, not {self.security!r}")

    def __repr__(self) -> str:
        return f"Relay({self.host}:{self.port})"

    def deliver(self, raw: bytes, recipient: str, message_id: str, sender: str = "") -> None:
        """Hand the letter to the relay. It is responsible once this returns."""
        recipient = deliverable(recipient)
        try:
            server, step, code, said = self._begun(sender, recipient, len(raw))
            if step == "mail":
                self._rest(code)
                # The relay does not take our mail at all: its keeper or ours must mend that, and
                # the letter waits. Only a size it announced (RFC 1870) is about this letter.
                raise _failure(code if code == 552 else 451, f"{code} {_words(said)}")
            if taken := step == "data" and code == 354:
                server.send(_dotted(raw))
                code, said = server.getreply()
                taken = code in _TAKEN
            if not taken:
                self._rest(code)
                raise _failure(code, said)
            self._used = time.monotonic()
        except smtplib.SMTPResponseException as error:
            self._rest(error.smtp_code)
            raise _failure(error.smtp_code, error.smtp_error) from error
        except (smtplib.SMTPException, OSError, ValueError, UnicodeError) as error:
            self.close()
            raise TemporaryFailure(f"{self!r}: {error or type(error).__name__}") from error

    def _begun(
        self, sender: str, recipient: str, size: int
    ) -> tuple[smtplib.SMTP, str, int, bytes]:
        """Begin with a letter, on a new connection where the kept one is over. Returns the server,
        and as `_said`."""
        for is_new in (self._server is None, True):
            server = self._connected()
            try:
                server.ehlo_or_helo_if_needed()
                announced = f" size={size}" if server.has_extn("size") else ""
                if not recipient.isascii():
                    if not server.has_extn("smtputf8"):
                        raise PermanentFailure(_NO_UTF8)
                    announced += " smtputf8"
                    server.command_encoding = "utf-8"
                commands = f"mail FROM:<{sender}>{announced}", f"rcpt TO:<{recipient}>", "data"
                step, code, said = _said(server, commands)
            except (smtplib.SMTPException, OSError):
                if is_new:
                    raise
            else:
                if is_new or step != "mail" or not _is_closing(code):
                    break
            self.close()
        return server, step, code, said

    def probe(self) -> str:
        """Connect and log in, and say what was found. Sends nothing. Raises Unreachable."""
        server = self._connected()
        sealed = isinstance(server.sock, ssl.SSLSocket)
        how = "encrypted" if sealed else "in clear"
        return f"{self.host}:{self.port} takes letters, {how}" + (
            ", and knows us" if self.user is not None else ""
        )

    def close(self) -> None:
        """Say goodbye and close the connection."""
        server, self._server = self._server, None
        if server is None:
            return
        try:
            server.quit()
        except (smtplib.SMTPException, OSError):
            server.close()

    def _rest(self, code: int) -> None:
        """Keep the connection after a refusal, unless the server is closing it."""
        if _is_closing(code):
            self.close()
        elif self._server is not None:
            # What is wrong with the connection shows with the next letter.
            with contextlib.suppress(smtplib.SMTPException, OSError):
                self._server.rset()
        self._used = time.monotonic()

    def _connected(self) -> smtplib.SMTP:
        if self._server is not None and time.monotonic() - self._used > self.idle:
            self.close()
        if self._server is not None:
            return self._server
        try:
            self._server = self._connect()
        except smtplib.SMTPResponseException as error:
            # Wrong password, closed for maintenance: the relay's state, not the letter's fault.
            raise Unreachable(f"{self!r}: {error.smtp_code} {_words(error.smtp_error)}") from error
        except (smtplib.SMTPException, OSError, ValueError) as error:
            raise Unreachable(f"{self!r}: {error or type(error).__name__}") from error
        self._used = time.monotonic()
        return self._server

    def _connect(self) -> smtplib.SMTP:
        if self.context is None and self.security != "none":
            # Once: to load whom one trusts takes longer than all else of a letter.
            self.context = ssl.create_default_context()
        kind: Callable[..., smtplib.SMTP] = smtplib.SMTP
        if self.security == "tls":
            kind = partial(smtplib.SMTP_SSL, context=self.context)
        server = kind(self.host, self.port, local_hostname=self.hello, timeout=self.timeout)
        try:
            if self.security == "starttls":
                server.starttls(context=self.context)
            if self.token is not None:
                said = f"user={self.user}\x01auth=Bearer {self.token()}\x01\x01"
                server.ehlo_or_helo_if_needed()
                # A refusal is told in a challenge, which an empty answer ends.
                server.auth("XOAUTH2", lambda challenge=None: said if challenge is None else "")
            elif self.user is not None and self.password is not None:
                server.login(self.user, self.password)
        except BaseException:
            server.close()
            raise
        return server


class NoToken(OSError):
    """There is no token now; the message says why, and holds none."""


def token_by(command: Sequence[str]) -> str:
    """Return the access token a program prints, as programs for OAuth 2 beside mail clients do.

    Such a program renews it (RFC 6749 section 6). Raises NoToken.
    """
    try:
        done = subprocess.run(
            list(command), capture_output=True, text=True, timeout=_TOKEN_PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired, UnicodeError) as error:
        raise NoToken(f"{command[0]} gives no token: {type(error).__name__}") from error
    token = done.stdout.strip()
    if done.returncode or not token or any(not each.isprintable() for each in token):
        raise NoToken(f"{command[0]} gives no token: it ended with status {done.returncode}")
    return token


_LINE_END = re.compile("[\r\n]")

_NO_UTF8 = "550 5.6.7 the relay takes no addresses with letters beyond ASCII (RFC 6531)"

_TAKEN = (250, 251)
"""RFC 5321 section 4.2.3: it goes on here, or somewhere else."""


def _said(server: smtplib.SMTP, commands: Sequence[str]) -> tuple[str, int, bytes]:
    """Say these to a server, at once where it takes that (RFC 2920). Returns the first word of the
    one that it refused, or else of the last, and the answer."""
    together = server.has_extn("pipelining")
    if together:
        if any(map(_LINE_END.search, commands)):
            raise ValueError("an address with a line end")
        server.send("\r\n".join((*commands, "")))
    found = None
    for each in commands:
        if not together:
            server.putcmd(each)
        code, said = server.getreply()
        if found is None and (code not in _TAKEN or each is commands[-1]):
            found = each[:4], code, said
        if _is_closing(code) or (found is not None and not together):
            break
    assert found is not None
    if code == 354 and found[0] != "data":
        # It waits for the text of a letter to nobody.
        server.docmd(".")
    return found


def _dotted(raw: bytes) -> bytes:
    """Return a text as it goes over a connection, with its end (RFC 5321 section 4.5.2)."""
    text = (b"\n" + raw).replace(b"\n.", b"\n..")[1:]
    return text + (b".\r\n" if text.endswith(b"\r\n") else b"\r\n.\r\n")


def _is_closing(code: int) -> bool:
    """Return whether a server closes the connection by an answer (421), or it is none (-1)."""
    return code == 421 or code < 0


# A relay that wants a login (RFC 4954), or has had as many letters as it takes in a day: its keeper
# or ours must mend that, and no letter is to be lost until then.
_ABOUT_US = re.compile(
    r"\A5(?:25|3[0458]) |\A5\d\d[- ]5\.4\.5\b|unable to relay|authentication (?:is )?required"
    r"|relay(?:ing)?\b.{0,30}\b(?:denied|prohibited|not (?:allowed|permitted))"
    r"|(?:sending|daily|hourly|submission|outbound|per (?:hour|day)).{0,30}(?:limit|quota|exceeded)"
    r"|exceeded.{0,30}(?:daily|hourly|per (?:hour|day))",
    re.IGNORECASE | re.DOTALL,
)


def _failure(code: int, said: bytes | str) -> TemporaryFailure | PermanentFailure:
    """RFC 5321 section 4.2.1: 5xx is for good, all else may pass; so may what is about us."""
    text = f"{code} {_words(said)}"
    lasts = 500 <= code < 600 and not _ABOUT_US.search(text)
    return PermanentFailure(text) if lasts else TemporaryFailure(text)


def _words(said: bytes | str) -> str:
    return said.decode("utf-8", "replace") if isinstance(said, bytes) else said
