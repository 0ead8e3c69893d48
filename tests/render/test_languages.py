"""A language is a folder: what depends on it stands there, and no module knows which there are."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from judge.i18n import (
    DEFAULT_LANGUAGE,
    LANGUAGES,
    OTHERS,
    READ,
    find_language,
    language_data,
    own_name,
    word_list,
)
from judge.mail.detect_language import detect_language
from tests.render import made_up
from tests.render.texts import LOCALE, ROOT


def test_languages_are_the_folders_there_are() -> None:
    assert set(READ) == {each.name for each in LOCALE.iterdir()}
    assert {DEFAULT_LANGUAGE, *(each.parent.name for each in LOCALE.glob("*/catalog.po"))} == set(
        LANGUAGES
    )
    assert (DEFAULT_LANGUAGE, *OTHERS) == LANGUAGES


@pytest.mark.parametrize("language", READ)
def test_a_language_says_what_it_is_called(language: str) -> None:
    assert own_name(language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_is_found_by_what_it_is_called(language: str) -> None:
    called = [language, own_name(language), *language_data(language)["called"].split()]
    assert {find_language(f" {each.upper()}. ") for each in called} == {language}


def test_a_word_that_is_no_language_names_none() -> None:
    assert find_language("Klingon") is None
    assert find_language("") is None


def test_a_kind_of_words_that_a_language_lacks_is_empty() -> None:
    assert word_list(DEFAULT_LANGUAGE, "commands") == {}


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Привет, вот мои приказы", "ru"),
        ("Привіт, ось мої накази", "uk"),
        ("命令をお送りします", "ja"),
        ("这是我的命令", "zh"),
    ],
)
def test_scripts_that_share_letters_are_told_apart(text: str, language: str) -> None:
    assert detect_language(text) == language


def test_no_module_names_a_language() -> None:
    """But for the one constant, the language of the texts themselves."""
    named = [
        f"{path.relative_to(ROOT)}:{each.lineno}: {each.value}"
        for path in sorted((ROOT / "judge").rglob("*.py"))
        for each in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(each, ast.Constant) and each.value in LANGUAGES
    ]
    assert [each.split(":")[0] for each in named] == ["judge/i18n.py"], named


def test_a_turn_is_played_in_a_language_that_is_only_a_folder(tmp_path: Path) -> None:
    shutil.copytree(
        ROOT / "judge", tmp_path / "judge", ignore=shutil.ignore_patterns("__pycache__")
    )
    shutil.copytree(ROOT / "templates", tmp_path / "templates")
    for name in ("variants", "config", "pyproject.toml"):
        (tmp_path / name).symlink_to(ROOT / name)
    made_up.make(tmp_path / "templates" / "locale")
    paths = os.pathsep.join((str(tmp_path), str(ROOT)))
    done = subprocess.run(
        [sys.executable, "-m", "tests.render.made_up"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
