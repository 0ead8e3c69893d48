"""Install the judge in each way docs/keeper.md tells, to the letter, and write to it.

`make installs`, or `python -m tests.installing pipx debian container`, as root on Debian with
systemd-container and podman (and debootstrap, where images cannot be fetched). The first two ways
run on a machine of their own: a systemd that starts with all that this machine has, below a layer
that ends with it. Libraries are fetched anew each time. Nobody else may listen on port 25, 2525,
2526, or 8025 of this machine. More options for podman can be given in PODMAN, PODMAN_BUILD and
PODMAN_RUN, such as a mirror of the libraries.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import smtplib
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

ROOT = Path(__file__).resolve().parents[1]
DOC = ROOT / "docs" / "keeper.md"
SOURCE = "/path/to/judge"
"""Where the guide has the project."""
PORT = 8025
SINK, RELAY = 2526, 2525
PASSWORD = "hunter2"
BASE = re.findall(r"^ARG BASE=(.+)$", (ROOT / "Containerfile").read_text(), re.M)[0]
INSTEAD = "localhost/judge-base"
"""What stands for the base of the image where that cannot be fetched."""
PATH = "/root/.local/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def main() -> int:
    """Do all of it; the exit status."""
    if os.getuid():
        print("This must be run as root: it installs for a whole machine.", file=sys.stderr)
        return 2
    if lacking := [each for each in ("systemd-nspawn", "podman") if not shutil.which(each)]:
        told = "apt install systemd-container podman"
        print(f"{' and '.join(lacking)} must be here: {told}", file=sys.stderr)
        return 2
    ways: dict[str, Callable[[Path], None]] = {
        "pipx": _pipx, "debian": _debian, "container": _container,
    }  # fmt: skip
    for name in sys.argv[1:] or ways:
        begun = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="judge-installing-") as folder:
            ways[name](Path(folder))
        print(f"OK {name}: {time.monotonic() - begun:.0f} s", flush=True)
    return 0


def _copy(target: Path) -> None:
    """What the project has under version control, at another place: building writes there."""
    files = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    for name in files.split("\0")[:-1]:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target / name)


def _run(script: str, *within: str, check: bool = True) -> str:
    """What lines of a shell print, run as a keeper would: as root, with the system's own Python."""
    kept = ("PIP_", "SSL_", "HTTP", "http")
    environment = {key: value for key, value in os.environ.items() if key.startswith(kept)}
    environment |= {"HOME": "/root", "PATH": PATH, "LANG": "C.UTF-8", "PIP_QUIET": "1"}
    environment["DEBIAN_FRONTEND"] = "noninteractive"
    print(f"$ {script}", flush=True)
    done = subprocess.run(
        [*within, "sh", "-euc", script], env=environment, cwd="/", check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    print(done.stdout, end="", flush=True)
    if check and done.returncode:
        raise SystemExit(f"it ended with {done.returncode}")
    return done.stdout


def _wait(what: str, come: Callable[[], object]) -> None:
    end = time.monotonic() + 60
    while not come():
        if time.monotonic() > end:
            raise SystemExit(f"in vain: {what}")
        time.sleep(0.2)


class _Machine:
    """A machine that systemd has started, with the files of this one and its network."""

    def __init__(self, folder: Path) -> None:
        root, layer, source = folder / "root", folder / "layer", folder / "source"
        for each in (root, layer):
            each.mkdir()
        _run(f"mount -t tmpfs tmpfs {layer} && mkdir {layer}/upper {layer}/work")
        options = f"lowerdir=/,upperdir={layer}/upper,workdir={layer}/work"
        _run(f"mount -t overlay overlay -o {options} {root}")
        _copy(source)
        (folder / "console").touch()
        self._mounted = root, layer
        with (folder / "console").open("w") as console:
            self._spawned = subprocess.Popen(
                ["systemd-nspawn", "--quiet", f"--directory={root}", f"--bind={source}:{SOURCE}",
                 "--register=no", "--keep-unit", "--machine=keeper", "--link-journal=no", "--boot",
                 "systemd.unit=basic.target"],
                stdin=subprocess.DEVNULL, stdout=console, stderr=console,
            )  # fmt: skip
        try:
            _wait("a machine starts", self._first)
            self._within = ["nsenter", "--all", f"--target={self._first()}"]
            _wait(
                "systemd is there",
                lambda: "running" in self.run("systemctl is-system-running", check=False),
            )
        except BaseException:
            print((folder / "console").read_text())
            self.__exit__()
            raise

    def _first(self) -> str:
        """The number of its first process, "" before there is one: what has made it ends then."""
        spawned = self._spawned.pid
        for child in Path(f"/proc/{spawned}/task/{spawned}/children").read_text().split():
            with contextlib.suppress(OSError):
                if re.search(r"^NSpid:.*\t1$", Path(f"/proc/{child}/status").read_text(), re.M):
                    return child
        return ""

    def run(self, script: str, check: bool = True) -> str:
        """What lines of a shell print there."""
        return _run(script, *self._within, check=check)

    def write(self, path: str, change: Callable[[str], str]) -> None:
        """Edit a file there."""
        file = self._mounted[0] / path.lstrip("/")
        file.write_text(change(file.read_text() if file.exists() else ""))

    def __enter__(self) -> _Machine:
        return self

    def __exit__(self, *raised: object) -> None:
        if raised and raised[0]:
            self.run("journalctl --no-pager --lines=100", check=False)
        self._spawned.terminate()
        try:
            self._spawned.wait(60)
        finally:
            self._spawned.kill()
            for each in self._mounted:
                _run(f"umount {each}")


def told(heading: str) -> list[list[str]]:
    """The blocks of lines under a heading of the guide, without remarks."""
    text = DOC.read_text().partition(f"\n### {heading}\n")[2].partition("\n##")[0]
    blocks = re.findall(r"(?:^    .*\n)+", text, re.M)
    return [[line.partition("   #")[0].strip() for line in each.splitlines()] for each in blocks]


def _write(number: int = 1, port: int = PORT) -> None:
    """Write a mail to the judge, as its people do, once somebody listens. Each comes from another
    one: a stranger is answered once a day."""

    def listens() -> bool:
        with socket.socket() as probe:
            return not probe.connect_ex(("127.0.0.1", port))

    _wait("somebody listens", listens)
    with smtplib.SMTP("127.0.0.1", port) as server:
        mail = f"From: ann{number}@example.net\r\nMessage-ID: <{number}@x>\r\n\r\nHELP\r\n"
        server.sendmail(f"ann{number}@example.net", ["judge@example.org"], mail.encode())


def _answered(shown: Callable[[str], str]) -> None:
    """Wait until an answer that tells how to join lies in the Maildir where a command is run."""
    find = "grep -rl JOIN mail/ann*@example.net/new 2> /dev/null || :"
    _wait("an answer that tells how to join", lambda: shown(find).strip())


def _pipx(folder: Path) -> None:
    ((install, init, start), *_) = told("With pipx")
    with _Machine(folder) as machine:
        machine.run("python3 -m venv /opt/pipx && /opt/pipx/bin/pip install -q pipx")
        machine.run("ln -s /opt/pipx/bin/pipx /usr/local/bin/pipx")
        machine.run(install)
        machine.run(init)
        # Nobody answers in the DNS for example.org; that is advice, and no failure.
        checked, _, command = start.rpartition(" && ")
        machine.run(checked)
        machine.run(
            "systemd-run --unit=by-hand --property=Type=notify --working-directory=/root/judge"
            f" --setenv=PATH={PATH} {command}"
        )
        _write()
        _answered(lambda find: machine.run(f"cd ~/judge && {find}"))
        machine.run("systemctl stop by-hand")
        machine.run("cd ~/judge && judge verify && judge variant show standard > /dev/null")


class _Relay:
    """A mail server that takes letters: from anybody who knows the password, or from anybody."""

    def __init__(self, port: int, *, knowing: bool) -> None:
        self._got: list[str] = []
        self._controller = Controller(
            self, "127.0.0.1", port, authenticator=self._allowed, auth_require_tls=False,
            auth_required=knowing,
        )  # fmt: skip

    def _allowed(
        self, server: SMTP, session: Session, envelope: Envelope, kind: str, login: object
    ) -> AuthResult:
        knows = isinstance(login, LoginPassword) and login.password == PASSWORD.encode()
        return AuthResult(success=knows)

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        self._got += [each for each in envelope.rcpt_tos if each.startswith("ann")]
        return "250 OK"

    def __enter__(self) -> _Relay:
        self._controller.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._controller.stop()

    def wait(self, *numbers: int) -> None:
        """Until those have their answers who wrote the mails of these numbers, and nobody else."""
        wanted = sorted(f"ann{number}@example.net" for number in numbers)
        end = time.monotonic() + 60
        while not set(wanted) <= set(self._got):
            if time.monotonic() > end:
                raise SystemExit("no answer came to the relay")
            time.sleep(0.1)
        time.sleep(1)
        if sorted(self._got) != wanted:
            raise SystemExit(f"answers came twice: {self._got}")


def _debian(folder: Path) -> None:
    installed, started, status, check, postgresql = told("On Debian, as a service")
    postfix, whole_domain = told("Postfix")
    relayed, check_with_password = told("A relay with a password")
    backup, restore = told("Backups")
    as_judge = "runuser -u judge -- "
    unit = "/etc/judge/judge.service"
    with (
        _Machine(folder) as machine,
        _Relay(SINK, knowing=False) as sink,
        _Relay(RELAY, knowing=True) as relay,
    ):
        for line in installed:
            machine.run(line.replace("apt install", "apt-get install -qy"))
        for line in postfix[:-1]:
            machine.run(line.replace("apt install", "apt-get install -qy"))
        machine.run(f"echo 'example.net smtp:[127.0.0.1]:{SINK}' >> /etc/postfix/transport")
        machine.run("systemctl start postfix")
        machine.run(postfix[-1])
        # Before there is a judge, Postfix has its mail.
        _write(1, port=25)
        for line in started[:-1]:
            machine.run(line)
        sink.wait(1)
        machine.run(status[0])
        machine.run(check[0])
        machine.run("systemd-analyze security --no-pager --threshold=20 judge.service | tail -n 1")
        if stray := machine.run("find /var/lib/judge -mindepth 1 -perm /077"):
            raise SystemExit(f"others can read {stray}")
        _died(machine)
        _write(2, port=25)
        sink.wait(1, 2)
        machine.run(as_judge + backup[0])
        newest = machine.run("ls /var/lib/judge/backups | tail -n 1").strip()
        # The restore that is tried, and the one on the bad day.
        tried = restore[0].replace("NEWEST", newest).split(" && ")
        machine.run("sed s,/judge.db,/other.db, /etc/judge/judge.toml > /etc/judge/other.toml")
        for command in tried:
            machine.run(f"cd /etc/judge && {as_judge}{command}")
        machine.run("systemctl stop judge && rm /var/lib/judge/judge.db*")
        for command in tried:
            machine.run(as_judge + command.replace(" --config other.toml", ""))
        # What comes while it is down waits, and is there at once when it is up.
        _write(3, port=25)
        machine.run("systemctl start judge")
        sink.wait(1, 2, 3)
        # What the backup has already is known.
        _write(1, port=25)
        machine.run("apt-get install -qy postgresql && systemctl start postgresql")
        _wait("PostgreSQL is there", lambda: "online" in machine.run("pg_lsclusters"))
        for line in postgresql:
            machine.run(line)
        machine.run("systemctl stop judge")
        file = "/var/lib/judge/judge.db"
        machine.run(f"{as_judge}judge move sqlite:{file} postgresql:///judge")
        machine.write(
            "/etc/judge/judge.toml",
            lambda text: text.replace(f"sqlite:{file}", "postgresql:///judge"),
        )
        for line in whole_domain:
            machine.run(line)
        machine.write(
            "/etc/judge/judge.toml",
            lambda text: _configured(text, ["[judge]", 'sub_addresses = "*@games.example.org"']),
        )
        machine.run("systemctl start judge")
        _write(2, port=25)
        _write(4, port=25)
        sink.wait(1, 2, 3, 4)
        machine.run("systemctl stop judge")
        machine.write("/etc/judge/judge.toml", lambda text: _relayed(text, relayed))
        machine.run(f"umask 077 && echo {PASSWORD} > /etc/judge/relay.password")
        machine.write(unit, lambda text: text.replace("#LoadCredential=", "LoadCredential="))
        machine.run("systemctl daemon-reload")
        machine.run("systemctl restart judge")
        _write(5, port=25)
        relay.wait(5)
        machine.run("\n".join(check_with_password))
        machine.run(as_judge + "judge verify")
        sink.wait(1, 2, 3, 4)


def _configured(text: str, lines: list[str]) -> str:
    """The configuration with lines of the guide, each section's at its top."""
    section = ""
    for line in lines:
        if line.startswith("["):
            section = line
            if f"\n{section}\n" not in text:
                text += f"\n{section}\n"
        else:
            text = text.replace(f"\n{section}\n", f"\n{section}\n{line}\n", 1)
    return text


def _relayed(text: str, lines: list[str]) -> str:
    """The configuration with the guide's lines about a relay, which is one of this machine."""
    before = text.partition("\n[outgoing.relay]\n")[0]
    here = "\n".join(lines).replace("smtp.example.org", "127.0.0.1")
    return f"{before}\n[outgoing.relay]\n{here}\nport = {RELAY}\nsecurity = 'none'\n"


def _died(machine: _Machine) -> None:
    """Kill the judge, and let it hang: systemd starts it anew each time."""
    sooner = "/etc/systemd/system/judge.service.d/sooner.conf"
    machine.run(f"mkdir {Path(sooner).parent}")
    machine.write(sooner, lambda text: "[Service]\nWatchdogSec=6\n")
    machine.run("systemctl daemon-reload && systemctl restart judge && sleep 15")

    def runs(after: int) -> bool:
        shown = machine.run("systemctl show judge -P NRestarts -P ActiveState").split()
        return shown == [str(after), "active"]

    if not runs(after=0):
        raise SystemExit("it does not feed the watchdog")
    machine.run("systemctl kill --signal=KILL judge")
    _wait("it is started again", lambda: runs(after=1))
    machine.run("systemctl kill --signal=STOP judge")
    _wait("it is started again", lambda: runs(after=2))
    machine.run(f"rm {sooner} && systemctl daemon-reload && systemctl restart judge")


def _container(folder: Path) -> None:
    ((build, started), *_) = told("In a container")
    _copy(folder / "source")
    places = f"--root {folder}/root --runroot {folder}/run {os.environ.get('PODMAN', '')}"

    def podman(line: str, check: bool = True) -> str:
        _, verb, rest = line.split(" ", 2)
        more = os.environ.get(f"PODMAN_{verb.upper()}", "")
        command = f"podman {places} {verb} {more} {rest}"
        return _run(f"cd {folder}/source && {command}", check=check)

    try:
        if "Error" in podman(f"podman pull {BASE}", check=False):
            print(f"THE BASE IS NOT TRIED: {BASE} cannot be fetched here, Debian stands for it.")
            base = folder / "base"
            wanted = "--variant=minbase --include=python3-venv,ca-certificates"
            _run(f"debootstrap {wanted} bookworm {base}")
            _run(f"chroot {base} python3 -m venv /usr/local")
            _run(f"tar -C {base} -c . | podman {places} import --quiet - {INSTEAD}")
            build = build.replace(" build ", f" build --build-arg BASE={INSTEAD} ")
        podman(build)
        address = "-e JUDGE_ADDRESS=judge@example.org -p"
        # The image is there now; some machines cannot run it, such as those within a container.
        begun = podman(started.replace("-p 25:", f"{address} {PORT}:"), check=False)
        if "Error" in begun:
            raise SystemExit("the image was built, and this machine cannot run it (see above)")
        _wait("the judge is well", lambda: not podman("podman healthcheck run judge", check=False))
        _write(1)
        _answered(lambda find: podman(f'podman exec judge sh -c "{find}"'))
        podman("podman stop judge")
        podman("podman start judge")
        _wait("the judge is well", lambda: not podman("podman healthcheck run judge", check=False))
        _write(1)
        _write(2)
        said = "judge status && ls mail/ann*@example.net/new"
        _wait(
            "one more answer",
            lambda: podman(f'podman exec judge sh -c "{said}"').count(".judge") == 2,
        )
    finally:
        podman("podman rm --force judge", check=False)
        _run(f"umount {folder}/root/overlay || :")


if __name__ == "__main__":
    sys.exit(main())
