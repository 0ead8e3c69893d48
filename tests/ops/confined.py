"""Run a program within the limits of judge.service: `python -m tests.ops.confined PROGRAM ...`.

systemd need not run; what it would tell the kernel is told here: which system calls there are, of
which families sockets may be, and that no memory is both written and executed.
"""

from __future__ import annotations

import ctypes
import errno
import os
import socket
import subprocess
import sys
from pathlib import Path

UNIT = Path(__file__).resolve().parents[2] / "judge.service"

# seccomp.h, linux/prctl.h
_ALLOW, _REFUSE, _EQUAL = 0x7FFF0000, 0x00050000 | errno.EPERM, 4
_NO_NEW_PRIVILEGES, _NO_WRITE_AND_EXECUTE = 38, 65


def settings() -> dict[str, list[str]]:
    """What the unit says: for each name all that it is set to, in order."""
    found: dict[str, list[str]] = {}
    for line in UNIT.read_text().splitlines():
        if line and line[0] not in "#[":
            name, _, value = line.partition("=")
            found.setdefault(name, []).append(value)
    return found


def system_calls() -> set[str]:
    """The system calls that SystemCallFilter leaves."""
    allowed: set[str] = set()
    for line in settings()["SystemCallFilter"]:
        named = {call for name in line.removeprefix("~").split() for call in _members(name)}
        allowed = allowed - named if line.startswith("~") else allowed | named
    return allowed


def _members(name: str) -> set[str]:
    if not name.startswith("@"):
        return {name}
    shown = subprocess.run(
        ["systemd-analyze", "syscall-filter", "--no-pager", name],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    words = [line.strip() for line in shown.splitlines()[1:]]
    named = [word for word in words if word and not word.startswith("#")]
    return {call for word in named for call in _members(word)}


class _Comparison(ctypes.Structure):
    _fields_ = (
        ("argument", ctypes.c_uint),
        ("operator", ctypes.c_int),
        ("value", ctypes.c_uint64),
        ("other", ctypes.c_uint64),
    )


def confine() -> None:
    """Set the limits for this process and all it becomes. Raises OSError."""
    families = [getattr(socket, each) for each in settings()["RestrictAddressFamilies"][0].split()]
    calls = system_calls() - {"socket"}
    libc = ctypes.CDLL(None, use_errno=True)
    _done(libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0))
    # Linux has this since 6.3; systemd itself does it by a filter on older ones.
    libc.prctl(_NO_WRITE_AND_EXECUTE, 1, 0, 0, 0)
    seccomp = ctypes.CDLL("libseccomp.so.2", use_errno=True)
    seccomp.seccomp_init.restype = ctypes.c_void_p
    rules = ctypes.c_void_p(seccomp.seccomp_init(ctypes.c_uint32(_REFUSE)))
    for name in calls:
        number = seccomp.seccomp_syscall_resolve_name(name.encode())
        if number >= 0:
            _done(seccomp.seccomp_rule_add(rules, ctypes.c_uint32(_ALLOW), number, 0))
    number = seccomp.seccomp_syscall_resolve_name(b"socket")
    for family in families:
        only = _Comparison(0, _EQUAL, family, 0)
        _done(
            seccomp.seccomp_rule_add_array(
                rules, ctypes.c_uint32(_ALLOW), number, 1, ctypes.byref(only)
            )
        )
    _done(seccomp.seccomp_load(rules))


def _done(status: int) -> None:
    if status:
        raise OSError(-status, os.strerror(abs(status)))


if __name__ == "__main__":
    confine()
    os.execvp(sys.argv[1], sys.argv[1:])
