"""Nothing in a mail, and no warning of a library, changes what the judge does with it."""

from __future__ import annotations

import threading
import warnings
from concurrent.futures import ThreadPoolExecutor

import pytest

from judge.mail import body, message
from judge.mail.message import MailKind
from judge.mail.safety import never_raises, quiet


def test_a_librarys_warning_changes_nothing_in_a_mail(monkeypatch: pytest.MonkeyPatch) -> None:
    def texts_of(*arguments: object) -> object:
        warnings.warn("old-fashioned", DeprecationWarning, stacklevel=2)
        return original(*arguments)  # type: ignore[arg-type]

    original = body.texts_of
    monkeypatch.setattr(message, "texts_of", texts_of)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = message.parse(b"From: ann@example.org\r\n\r\nA Par - Bur\r\n")
        with pytest.raises(DeprecationWarning):
            warnings.warn("of our own", DeprecationWarning, stacklevel=2)
    assert (found.kind, found.text) == (MailKind.MESSAGE, "A Par - Bur")


def test_whatever_is_raised_gives_the_answer_for_it() -> None:
    def deep(number: int) -> int:
        return deep(number + 1)

    assert never_raises(lambda error: type(error).__name__)(deep)(0) == "RecursionError"


def test_threads_that_overlap_leave_the_filters_as_they_were() -> None:
    before = list(warnings.filters)
    meet = threading.Barrier(4)

    def read(turns: int) -> int:
        meet.wait()
        for _ in range(turns):
            with quiet:
                warnings.warn("old-fashioned", DeprecationWarning, stacklevel=2)
        return turns

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        expected = list(warnings.filters)
        with ThreadPoolExecutor(4) as threads:
            assert list(threads.map(read, [300, 200, 100, 50])) == [300, 200, 100, 50]
        assert list(warnings.filters) == expected
    assert list(warnings.filters) == before
