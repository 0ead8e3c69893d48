"""A browser, and what is asked of every page that it shows."""

from __future__ import annotations

import json
import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

HERE = Path(__file__).parent
AXE = HERE / "node_modules" / "axe-core" / "axe.min.js"
RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    # Chromium does not shut its processes in when root starts it.
    root = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=root)
        yield browser
        browser.close()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Nothing; the tests say what is wrong."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """A folder on a web server of this machine; its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def faults(page: Page, *, without: tuple[str, ...] = (), colors: bool = False) -> list[str]:
    """What axe-core finds wrong with a page as it is shown, contrast among it.

    With `colors` it looks at contrast alone, for pages that differ by their colors from one that
    was looked at before.
    """
    page.evaluate(AXE.read_text(encoding="utf-8"))
    rules: dict[str, Any] = {rule: {"enabled": False} for rule in without}
    options = {"runOnly": {"type": "tag", "values": list(RULES)}, "rules": rules}
    if colors:
        options = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
    found = page.evaluate("(options) => axe.run(document, options)", options)
    return [
        f"{each['id']}: {json.dumps([node['html'][:150] for node in each['nodes'][:3]])}"
        for each in found["violations"]
    ]
