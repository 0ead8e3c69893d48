"""A Postfix of our own: Debian's configuration with the changes the keeper's guide describes, in a
folder and on a port of its own."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests import memory
from tests.faults.disks import AS_ROOT
from tests.mail.waiting import until

HOST = "127.0.0.1"
_PROGRAMS = Path("/usr/sbin")
_MAIN = """\
compatibility_level = 3.6
queue_directory = {root}/queue
data_path = {root}/data
maillog_file = {root}/log/mail
maillog_file_prefixes = {root}
syslog_name = postfix
myhostname = mx.example.org
mynetworks = 127.0.0.0/8
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
smtpd_relay_restrictions = permit_mynetworks permit_sasl_authenticated defer_unauth_destination
alias_maps =
biff = no
append_dot_mydomain = no
"""


def free_port() -> int:
    """Return a port on which nobody listens."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


class Postfix:
    """A mail server that takes mail at `port` for whom it was told."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._home = root / "etc"
        self.port = free_port()
        for name in ("etc", "queue", "log"):
            (root / name).mkdir()
        (self._home / "main.cf").write_text(_MAIN.format(root=root))
        shutil.copy("/usr/share/postfix/master.cf.dist", self._home / "master.cf")
        # What listens is here; nothing is shut into its folder, where it would lack libraries.
        self.run(f"postconf -M# smtp/inet && postconf -Me '{self.port}/inet={self.port} inet"
                 " n - n - - smtpd' && postconf -F '*/*/chroot = n'")  # fmt: skip

    def run(self, script: str) -> str:
        """Run lines of a shell as the keeper of this Postfix; return what they print."""
        environment = {
            "MAIL_CONFIG": str(self._home),
            "PATH": f"{_PROGRAMS}:{os.environ['PATH']}",
        }
        done = subprocess.run(
            [*AS_ROOT, "sh", "-euc", script.replace("/etc/postfix", str(self._home))],
            env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            raise RuntimeError(f"{script}: {done.stdout}{done.stderr}{self.log()}")
        return done.stdout

    def log(self) -> str:
        """Return what it has said."""
        said = self._root / "log" / "mail"
        return said.read_text() if said.exists() else ""

    def waiting(self) -> int:
        """Return how many messages are in its queue."""
        return self.run("postqueue -j").count("\n")

    def start(self) -> None:
        """Start it; it takes mail then."""
        self.run("postfix start")

        def listens() -> bool:
            with socket.socket() as probe:
                return not probe.connect_ex((HOST, self.port))

        until(listens, 60)


@contextlib.contextmanager
def postfix(lines: list[str]) -> Iterator[Postfix]:
    """Start a Postfix that was configured by such lines of a shell, and end it."""
    # Its processes run as different users, who must all get there.
    root = Path(tempfile.mkdtemp(prefix="judge-postfix-", dir=memory.folder()))
    root.chmod(0o755)
    try:
        made = Postfix(root)
        for line in lines:
            if not line.startswith(("apt ", "systemctl ")):
                made.run(line)
        try:
            made.start()
            yield made
        finally:
            made.run("postfix stop")
    finally:
        subprocess.run([*AS_ROOT, "rm", "-rf", str(root)], check=False)
