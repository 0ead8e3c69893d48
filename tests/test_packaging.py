"""What a stranger meets first: a name that is ours, a license, and a changelog that is true."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import click
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import judge
from judge.cli import main

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PAGES = [
    *ROOT.glob("*.md"),
    *(ROOT / "docs").rglob("*.md"),
    ROOT / "Containerfile",
]


def test_the_version_has_its_entry_in_the_changelog() -> None:
    headings = re.findall(r"^## (\d+\.\d+\.\d+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[0] == judge.__version__
    assert headings == sorted(headings, reverse=True)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_nobody_is_told_to_install_a_strangers_package(path: Path) -> None:
    """`judge` in the public index is another project: only paths and our own name are installed."""
    told = re.findall(r"(?:pip|pipx|uv) install ([^\n`]*)", path.read_text())
    words = [word.strip("'\"") for line in told for word in line.split()]
    assert [word for word in words if re.fullmatch(r"judge(\[.*\])?", word)] == []


def test_the_distribution_may_be_used() -> None:
    assert PROJECT["name"] == "pbem-judge"
    assert PROJECT["license"] == "MIT"
    assert "MIT License" in (ROOT / "LICENSE").read_text()
    assert (ROOT / "judge" / "py.typed").exists()


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_a_page_links_to_is_there(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_commits_that_are_examples_are_there() -> None:
    """Where the history is: not in a source distribution, nor in a shallow clone."""
    git = ("git", "-C", str(ROOT))
    shallow = subprocess.run([*git, "rev-parse", "--is-shallow-repository"], capture_output=True)
    if shallow.stdout.strip() != b"false":
        return
    named = re.findall(r'git log -p --grep "(.*?)"', (ROOT / "CONTRIBUTING.md").read_text())
    for title in named:
        found = subprocess.check_output([*git, "log", "--format=%s", "--grep", title], text=True)
        assert found.splitlines() == [title]


def test_what_comes_with_the_next_release_is_a_line_a_file() -> None:
    changes = {*(ROOT / "docs" / "changes").glob("*.md")} - {ROOT / "docs/changes/README.md"}
    kinds = tuple(f".{each}.md" for each in ("players", "masters", "keepers", "programs"))
    assert [each.name for each in changes if not each.name.endswith(kinds)] == []
    assert [each.name for each in changes if len(each.read_text().splitlines()) != 1] == []


def test_the_site_leads_to_every_page() -> None:
    nav = (ROOT / "mkdocs.yml").read_text().partition("\nnav:\n")[2]
    led = re.findall(r"[- ] ([\w/.-]+\.md)$", nav, re.MULTILINE)
    # What comes with the next release is no page before (`exclude_docs`).
    pages = {str(each.relative_to(ROOT / "docs")) for each in (ROOT / "docs").rglob("*.md")}
    pages = {each for each in pages if not each.startswith("changes/")}
    papers = {each.name for each in ROOT.glob("*.md")} - {"README.md"}
    # README.md is its first page, and the reference is written from the docstrings.
    assert sorted(led) == sorted(pages | papers | {"index.md", "api.md"})


MAPS = [ROOT / "docs" / "architecture.md", *(ROOT / "docs" / "decisions").glob("*.md")]
"""The pages by which a reader finds the code."""


@pytest.mark.parametrize("page", MAPS, ids=lambda path: path.name)
def test_files_that_a_page_names_are_there(page: Path) -> None:
    folders = r"(?:benchmarks|config|docs|judge|templates|tests|tools|variants)"
    named = re.findall(rf"`({folders}/[\w./*-]+)`", page.read_text())
    assert [each for each in named if not any(ROOT.glob(each))] == []


def test_the_picture_of_the_ways_shows_packages() -> None:
    picture = (ROOT / "docs" / "pictures" / "ways.svg").read_text()
    shown = re.findall(r">(judge/[\w.]+)</text>", picture)
    assert picture.count('rx="6"') == len(shown) <= 15
    assert [each for each in shown if not (ROOT / each).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_of_a_page_are_there(page: Path) -> None:
    """Each line of a block that begins with `judge` or `make` names a command, and its options."""
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    wrong = []
    for line in re.findall(r"^ {4}(?:\S*/)?((?:judge|make) \S.*)", page.read_text(), re.MULTILINE):
        program, *words = re.split(r" {2,}| #| [<>|&]", line)[0].split()
        wrong += (
            [line] if not (_known(words) if program == "judge" else words[0] in targets) else []
        )
    assert wrong == []


def _known(words: list[str]) -> bool:
    """Whether the words begin with a command of the judge, and name only options that it has."""
    command: click.Command | None = main
    if words[:1] == ["--house"]:
        words = words[2:]
    while isinstance(command, click.Group):
        within = click.Context(command)
        command = command.get_command(within, words.pop(0)) if words else None
    if command is None:
        return False
    options = {each for parameter in command.params for each in parameter.opts}
    return {word.partition("=")[0] for word in words if word.startswith("-")} - {
        "-",
        "--",
    } <= options


def test_the_lock_file_pins_with_digests_all_that_a_judge_wants() -> None:
    """Who changes a dependency in pyproject.toml writes the lock file anew (`make lock`)."""
    pins = re.split(r"\n(?=[a-z])", (ROOT / "requirements.txt").read_text())[1:]
    locked = {}
    for pin in pins:
        name, version = re.match(r"([a-z0-9.-]+)==(\S+) ", pin).groups()  # type: ignore[union-attr]
        assert "--hash=sha256:" in pin
        locked[name] = version
    extras = PROJECT["optional-dependencies"]
    wanted = PROJECT["dependencies"] + extras["holidays"] + extras["metrics"] + extras["postgres"]
    for each in map(Requirement, wanted):
        assert each.specifier.contains(locked[canonicalize_name(each.name)]), each


def test_the_container_and_the_guide_install_from_the_lock_file() -> None:
    locked = "--require-hashes"
    assert locked in (ROOT / "Containerfile").read_text()
    assert locked in (ROOT / "docs" / "keeper.md").read_text()
