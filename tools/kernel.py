"""Builds `judge/rules/_kernel`, the extension for those who adjudicate by the million.

`python -m tools.kernel` builds it in this checkout, where git does not see it; hatch builds it into
a wheel where it is asked to (`HATCH_BUILD_HOOKS_ENABLE=true pip wheel .`). A C compiler and the
headers of Python are all it takes; it is made for the stable ABI, so one serves 3.11 and later.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:
    BuildHookInterface = object

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "judge" / "rules" / "kernel.c"
NAME = "_kernel.abi3.so"


def build(target: Path) -> Path:
    """Compile the extension to a file, and return it.

    `CC` and `CFLAGS` are heeded. Raises CalledProcessError when the compiler fails.
    """
    compiler = (os.environ.get("CC") or "cc").split()
    flags = ["-O3", "-fPIC", "-shared", *os.environ.get("CFLAGS", "").split()]
    if sys.platform == "darwin":
        flags += ["-undefined", "dynamic_lookup"]
    headers = f"-I{sysconfig.get_path('include')}"
    subprocess.run([*compiler, *flags, headers, str(SOURCE), "-o", str(target)], check=True)
    return target


class KernelHook(BuildHookInterface):  # type: ignore[misc]  # hatchling is not installed here
    """Puts the extension into a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile it, and say for which machines the wheel is."""
        made = build(Path(tempfile.mkdtemp()) / NAME)
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["pure_python"] = False
        build_data["tag"] = f"cp311-abi3-{platform}"
        build_data["force_include"][str(made)] = f"judge/rules/{NAME}"


def main() -> int:
    """Build in place what is not there yet; without a compiler say so, and go on."""
    target = SOURCE.with_name(NAME)
    if target.exists() and target.stat().st_mtime >= SOURCE.stat().st_mtime:
        return 0
    target.unlink(missing_ok=True)
    if not shutil.which((os.environ.get("CC") or "cc").split()[0]):
        print("No C compiler: the extension is left out, and the engine does all by itself.")
        return 0
    try:
        # A judge that runs meanwhile keeps the old one.
        build(target.with_suffix(".new")).rename(target)
    except subprocess.CalledProcessError:
        print("The extension could not be built: the engine does all by itself.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
