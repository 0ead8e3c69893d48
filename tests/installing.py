"""Install the judge in each way docs/keeper.md tells, to the letter, and write to it.

`make installs`, or `python -m tests.installing pipx debian container`, as root on Debian; fetches
the libraries three times. Nothing of the machine is changed: /etc, /opt and the like lie under a
layer that ends with the run. Where systemd or podman would be at work, what they would do is done
by hand: the unit is run as a user without rights, within its limits; the lines of the Containerfile
are run in a row.
"""

from __future__ import annotations

import json
import os
import pwd
import re
import shlex
import shutil
import smtplib
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from tests.ops.confined import settings

ROOT = Path(__file__).resolve().parents[1]
DOC = ROOT / "docs" / "keeper.md"
LAYERED = ("etc", "opt", "root", "srv", "usr/local", "var")
PORT = 8025
PASSWORD = "hunter2"


def main() -> int:
    """Do all of it; the exit status."""
    if os.getuid():
        print("This must be run as root: it installs for the whole machine.", file=sys.stderr)
        return 2
    if sys.argv[1:2] != ["inside"]:
        with tempfile.TemporaryDirectory(prefix="judge-installing-") as layer:
            command = [sys.executable, "-m", "tests.installing", "inside", layer, *sys.argv[1:]]
            unshared = ["unshare", "--mount", *command]
            return subprocess.run(unshared, check=False, cwd=ROOT).returncode
    _cover(Path(sys.argv[2]))
    # The path that the guide names.
    source = Path("/opt/path/to/judge")
    files = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    for name in files.split("\0")[:-1]:
        target = source / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target)
    ways = {"pipx": _pipx, "debian": _debian, "container": _container}
    for name in sys.argv[3:] or ways:
        begun = time.monotonic()
        ways[name](source)
        print(f"OK {name}: {time.monotonic() - begun:.0f} s", flush=True)
    return 0


def _cover(layer: Path) -> None:
    """Put a layer over all that is written to, in this process's own view of the files."""
    _run(f"mount -t tmpfs tmpfs {layer}")
    for name in LAYERED:
        upper, work = layer / "upper" / name, layer / "work" / name
        upper.mkdir(parents=True)
        work.mkdir(parents=True)
        options = f"lowerdir=/{name},upperdir={upper},workdir={work}"
        _run(f"mount -t overlay overlay -o {options} /{name}")


def _run(script: str, **more: str) -> None:
    """Run lines of a shell as a keeper would: as root, with the system's own Python."""
    kept = ("PIP_", "SSL_", "HTTP", "http")
    environment = {key: value for key, value in os.environ.items() if key.startswith(kept)}
    path = "/root/.local/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    environment |= {"HOME": "/root", "PATH": path, "LANG": "C.UTF-8", "PIP_QUIET": "1", **more}
    done = subprocess.run(
        ["sh", "-euxc", script], env=environment, cwd="/", check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    print(done.stdout, end="", flush=True)
    if done.returncode:
        raise SystemExit(f"it ended with {done.returncode}")


def _told(heading: str) -> list[list[str]]:
    """The blocks of lines under a heading of the guide, without remarks."""
    text = DOC.read_text().partition(f"\n### {heading}\n")[2].partition("\n##")[0]
    blocks = re.findall(r"(?:^    .*\n)+", text, re.M)
    return [[line.partition("   #")[0].strip() for line in each.splitlines()] for each in blocks]


@contextmanager
def _running(command: list[str], uid: int, folder: Path, **more: str) -> Iterator[None]:
    """A judge that is running, as another user."""
    log = Path("/var/judge.log")
    with log.open("wb") as said:
        process = subprocess.Popen(
            command, cwd=folder, user=uid, group=uid, extra_groups=[], umask=0o077,
            stdout=said, stderr=said, env={"PATH": "/usr/local/bin:/usr/bin:/bin", **more},
        )  # fmt: skip
    try:
        end = time.monotonic() + 60
        while "judge started" not in log.read_text():
            if process.poll() is not None or time.monotonic() > end:
                raise SystemExit(f"the judge does not start:\n{log.read_text()}")
            time.sleep(0.1)
        yield
        process.terminate()
        if process.wait(60):
            raise SystemExit(f"the judge ended with {process.returncode}:\n{log.read_text()}")
    finally:
        process.kill()
        process.wait()


def _write(number: int = 1) -> None:
    """Write a mail to the judge, as its people do."""
    with smtplib.SMTP("127.0.0.1", PORT) as server:
        mail = f"From: ann@example.net\r\nMessage-ID: <{number}@x>\r\n\r\nHELP\r\n"
        server.sendmail("ann@example.net", ["judge@example.org"], mail.encode())


def _answered(maildir: Path) -> None:
    end = time.monotonic() + 30
    while not (found := list(maildir.glob("ann@example.net/new/*"))):
        if time.monotonic() > end:
            raise SystemExit(f"no answer came to {maildir}")
        time.sleep(0.1)
    if b"JOIN" not in found[0].read_bytes():
        raise SystemExit("the answer does not tell how to join")


def _pipx(source: Path) -> None:
    _run("python3 -m venv /opt/pipx && /opt/pipx/bin/pip install -q pipx")
    _run("ln -s /opt/pipx/bin/pipx /usr/local/bin/pipx")
    ((install, init, start), *_) = _told("With pipx")
    _run(install.replace("/path/to/judge", str(source)))
    _run(init)
    # Nobody answers in the DNS for example.org; that is advice, and no failure.
    changed, _, running = start.rpartition(" && ")
    _run(changed)
    home = Path("/root/judge")
    with _running(["/root/.local/bin/" + running.split()[0], running.split()[1]], 0, home):
        _write()
        _answered(home / "mail")
    _run(
        "cd ~/judge && judge verify && judge variant show standard > /dev/null && judge status || :"
    )


class _Relay:
    """A mail server that takes letters from whoever knows the password."""

    def __init__(self) -> None:
        self._answers = 0
        self._controller = Controller(
            self, "127.0.0.1", 2525, authenticator=self._allowed, auth_require_tls=False,
            auth_required=True,
        )  # fmt: skip

    def _allowed(
        self, server: SMTP, session: Session, envelope: Envelope, kind: str, login: object
    ) -> AuthResult:
        knows = isinstance(login, LoginPassword) and login.password == PASSWORD.encode()
        return AuthResult(success=knows)

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        self._answers += envelope.rcpt_tos == ["ann@example.net"]
        return "250 OK"

    def __enter__(self) -> _Relay:
        self._controller.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._controller.stop()

    def wait(self, answers: int) -> None:
        """Until so many answers have come."""
        end = time.monotonic() + 60
        while self._answers < answers:
            if time.monotonic() > end:
                raise SystemExit("no answer came to the relay")
            time.sleep(0.1)
        time.sleep(1)
        if self._answers > answers:
            raise SystemExit("an answer came twice")


def _debian(source: Path) -> None:
    installed, configured, _, status, *_ = _told("On Debian, as a service")
    for line in installed:
        _run(line.replace("apt install", "apt-get -s install").replace("/path/to", "/opt/path/to"))
    file = Path("/etc/judge/judge.toml")
    text = file.read_text()
    section = ""
    for line in configured:
        if line.startswith("["):
            section = line
            if f"\n{section}\n" not in text:
                text += f"\n{section}\n"
        else:
            line = line.replace("smtp.example.org", "127.0.0.1")
            text = text.replace(f"\n{section}\n", f"\n{section}\n{line}\n", 1)
    file.write_text(f"{text}port = 2525\nsecurity = 'none'\n")
    _run("chmod 644 /etc/judge/judge.toml")
    unit = settings()
    user = pwd.getpwnam(unit["User"][0])
    credentials = Path("/etc/credentials")
    credentials.mkdir(mode=0o700)
    (credentials / "relay").write_text(PASSWORD + "\n")
    for path in (credentials, credentials / "relay"):
        os.chown(path, user.pw_uid, user.pw_gid)
    confined = [sys.executable, "-m", "tests.ops.confined", *shlex.split(unit["ExecStart"][0])]
    more = {"CREDENTIALS_DIRECTORY": str(credentials)}
    state = Path("/var/lib/judge")
    _, cron, restore = _told("Backups")
    as_judge = "runuser -u judge -- "
    with _Relay() as relay:
        with _running(confined, user.pw_uid, ROOT, **more):
            _write(1)
            relay.wait(1)
            _run(status[0])
            _run(as_judge + cron[0].partition(" judge ")[2])
        if stray := [path for path in state.iterdir() if path.stat().st_mode & 0o077]:
            raise SystemExit(f"others can read {stray}")
        # The restore that is tried, and the one on the bad day.
        (newest,) = Path("/var/backups/judge").iterdir()
        other = file.read_text().replace("/judge.db", "/other.db")
        Path("/etc/judge/other.toml").write_text(other)
        tried = restore[0].replace("NEWEST", newest.name).split(" && ")
        for command in tried:
            _run(f"cd /etc/judge && {as_judge}{command}")
        _run("rm /var/lib/judge/judge.db*")
        for command in tried:
            _run(as_judge + command.replace(" --config other.toml", ""))
        with _running(confined, user.pw_uid, ROOT, **more):
            # What the backup has already is known; what is new is answered.
            _write(1)
            _write(2)
            relay.wait(2)


def _container(source: Path) -> None:
    """The lines of the Containerfile in a row, in a place of their own instead of an image."""
    text = (ROOT / "Containerfile").read_text().replace("\\\n", " ")
    _run("python3 -m venv /opt/image")
    path = "/opt/image/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    for line in re.findall(r"^RUN (.*)$", text, re.M):
        line = line.replace("/wheels", "/opt/wheels-made").replace("'/src[", f"'{source}[")
        _run(line, PATH=path, PIP_FIND_LINKS="")
    (command,) = re.findall(r"^CMD (\[.*\])$", text, re.M)
    home = Path("/srv/judge")
    uid = home.stat().st_uid
    more = {"PATH": path, "JUDGE_ADDRESS": "judge@example.org", "HOME": str(home)}
    with _running(json.loads(command), uid, home, **more):
        _write()
        _answered(home / "mail")
        _run(f"cd {home} && judge status", PATH=path)


if __name__ == "__main__":
    sys.exit(main())
