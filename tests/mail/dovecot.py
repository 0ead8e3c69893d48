"""A dovecot of our own: private configuration, one user, a free port, no encryption."""

from __future__ import annotations

import base64
import contextlib
import grp
import hmac
import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from imapclient import IMAPClient

USER = "judge@example.com"
PASSWORD = "only for tests"

_CONFIGURATION = """\
base_dir = {root}/run
state_dir = {root}/state
log_path = {root}/log
info_log_path = {root}/log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
auth_mechanisms = plain login xoauth2
default_internal_user = {internal}
default_internal_group = {internal_group}
default_login_user = {login}
first_valid_uid = 1
# Only root may shut processes into a folder.
service anvil {{
  chroot =
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    address = 127.0.0.1
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service stats {{
  chroot =
}}
passdb {{
  driver = passwd-file
  args = scheme=PLAIN {root}/users
}}
passdb {{
  driver = oauth2
  mechanisms = xoauth2
  args = {root}/oauth2.conf
}}
userdb {{
  driver = static
  args = uid={owner} gid={owner_group} home={root}/home/%u
}}
mail_location = maildir:{root}/mail/%u
namespace inbox {{
  inbox = yes
  separator = /
}}
imap_capability = {capability}
protocol imap {{
  mail_max_userip_connections = 20
}}
"""


_OAUTH2 = """\
introspection_mode = local
local_validation_key_dict = fs:posix:prefix={root}/keys/
username_attribute = email
"""

_KEY = b"only for tests, and long enough"


def token(email: str = USER, lasts: float = 3600.0) -> str:
    """An access token that the server knows to be good (RFC 7519)."""

    def plain(raw: bytes) -> str:
        return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()

    now = int(time.time())
    claims = {"email": email, "sub": email, "iat": now - 60, "exp": now + int(lasts)}
    head = plain(json.dumps({"alg": "HS256", "typ": "JWT"}).encode())
    body = plain(json.dumps(claims).encode())
    sign = hmac.digest(_KEY, f"{head}.{body}".encode(), "sha256")
    return f"{head}.{body}.{plain(sign)}"


class Dovecot:
    """A server that can be stopped and started again; its mail stays."""

    def __init__(self, program: str, root: Path, port: int) -> None:
        self._program = program
        self._root = root
        self._process: subprocess.Popen[bytes] | None = None
        self.port = port

    @property
    def box(self) -> Path:
        """The user's Maildir."""
        return self._root / "mail" / USER

    def start(self) -> None:
        self._process = subprocess.Popen(
            [self._program, "-F", "-c", str(self._root / "dovecot.conf")],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            # A group of its own, so that `stop` reaches the processes that serve connections.
            start_new_session=True,
        )
        end = time.monotonic() + 120
        while True:
            with (
                contextlib.suppress(OSError),
                socket.create_connection(("127.0.0.1", self.port), 1) as connection,
            ):
                connection.settimeout(2)
                if connection.recv(20).startswith(b"* OK"):
                    return
            if time.monotonic() > end or self._process.poll() is not None:
                raise RuntimeError(f"dovecot does not start: {self.log()}")
            time.sleep(0.05)

    def stop(self) -> None:
        """Stop; connections are cut."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(120)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process = None

    def log(self) -> str:
        log = self._root / "log"
        return log.read_text(errors="replace") if log.exists() else "nothing was logged"


@contextlib.contextmanager
def mailbox(server: Dovecot) -> Iterator[IMAPClient]:
    """The user's own connection."""
    client = IMAPClient("127.0.0.1", server.port, ssl=False)
    client.login(USER, PASSWORD)
    try:
        yield client
    finally:
        client.logout()


@contextlib.contextmanager
def dovecot(*, capability: str = "") -> Iterator[Dovecot]:
    """Start a server and take it away in the end. `capability` overrides what it claims to do."""
    program = shutil.which("dovecot", path="/usr/sbin:/usr/bin:/sbin:" + os.environ["PATH"])
    if program is None:
        raise RuntimeError("dovecot is not installed (Debian: dovecot-imapd)")
    root = Path(tempfile.mkdtemp(prefix="judge-dovecot-"))
    root.chmod(0o755)
    if os.getuid() == 0:
        # Never as root: dovecot refuses that for mail, and rightly so.
        internal, login, owner = (
            pwd.getpwnam("dovecot"),
            pwd.getpwnam("dovenull"),
            pwd.getpwnam("nobody"),
        )
    else:
        internal = login = owner = pwd.getpwuid(os.getuid())
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    for folder in ("run", "state"):
        (root / folder).mkdir()
    for folder in ("mail", "home"):
        (root / folder).mkdir()
        if os.getuid() == 0:
            os.chown(root / folder, owner.pw_uid, owner.pw_gid)
    (root / "users").write_text(f"{USER}:{{PLAIN}}{PASSWORD}::::::\n")
    if os.getuid() == 0:
        os.chown(root / "users", internal.pw_uid, internal.pw_gid)
    keys = root / "keys" / "default" / "HS256"
    keys.mkdir(parents=True)
    (keys / "default").write_bytes(base64.b64encode(_KEY))
    (root / "oauth2.conf").write_text(_OAUTH2.format(root=root))
    (root / "dovecot.conf").write_text(
        _CONFIGURATION.format(
            root=root,
            port=port,
            internal=internal.pw_name,
            internal_group=grp.getgrgid(internal.pw_gid).gr_name,
            login=login.pw_name,
            owner=owner.pw_uid,
            owner_group=owner.pw_gid,
            capability=capability,
        )
    )
    server = Dovecot(program, root, port)
    try:
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(root, ignore_errors=True)
