"""A browser, and what is asked of every page that it shows."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
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


def faults(page: Page, *, without: tuple[str, ...] = ()) -> list[str]:
    """What axe-core finds wrong with a page as it is shown, contrast among it."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    rules: dict[str, Any] = {rule: {"enabled": False} for rule in without}
    found = page.evaluate(
        "(options) => axe.run(document, options)",
        {"runOnly": {"type": "tag", "values": list(RULES)}, "rules": rules},
    )
    return [
        f"{each['id']}: {json.dumps([node['html'][:150] for node in each['nodes'][:3]])}"
        for each in found["violations"]
    ]
