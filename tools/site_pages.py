"""Pages of the documentation that are written when it is built (`make site`): the first page, the
papers beside README.md, and the reference of the library. A hook of mkdocs (mkdocs.yml).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parent.parent
PAPERS = ("CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md", "CHANGELOG.md")

LIBRARY = {
    # what docs/library.md is about: module and title
    "judge.rules.engine": "Adjudicate",
    "judge.rules.legal_orders": "Legal orders",
    "judge.rules.variant": "Boards with their rules",
    "judge.rules.board": "Boards",
    "judge.rules.phase": "Phases",
    "judge.rules.position": "Positions",
    "judge.rules.orders": "Orders",
    "judge.rules.result": "Results",
    "judge.rules.outcome": "Outcomes",
    "judge.rules.problems": "Problems",
    "judge.rules.rulebook": "Rulebooks",
    "judge.variants": "Load a board",
    "judge.language.read": "Read orders",
    "judge.sentences": "Word orders and results",
    "judge.sentences.explain": "Explain an order",
    "judge.interchange": "JSON",
    "judge.interchange.stored_values": "Outcomes as JSON",
    "judge.maps": "Draw maps",
    "judge.records.scoring": "Score endings",
}


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that no file in docs has."""
    pages = {name: (ROOT / name).read_text(encoding="utf-8") for name in PAPERS}
    pages["index.md"] = (ROOT / "README.md").read_text(encoding="utf-8")
    pages["api.md"] = (
        "# Reference of the library\n\n[library.md](library.md) begins with an example.\n"
    )
    for module, title in LIBRARY.items():
        pages["api.md"] += f"\n## {title}\n\n`{module}`\n\n::: {module}\n"
    for name, text in pages.items():
        files.append(File.generated(config, name, content=_moved(text)))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Let pages of docs find the papers, which are beside them in the site."""
    names = "|".join(map(re.escape, PAPERS))
    return re.sub(rf"\]\(\.\./({names})", r"](\1", markdown)


def _moved(text: str) -> str:
    """Return a paper as it is in the site: beside the pages of docs, and without links to files
    that the site does not have."""
    text = re.sub(r"\]\(docs/", "](", text).replace("](README.md", "](index.md")
    here = r"\[([^]]*)\]\((?!https?:|#)(?![\w./-]*\.(?:md|webp|svg))[^)]*\)"
    return re.sub(here, r"\1", text)
