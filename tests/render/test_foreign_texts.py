"""What people write is shown as it is: nothing in it is a template, or HTML."""

from __future__ import annotations

import pytest
from jinja2.exceptions import SecurityError

from judge import render
from tests.game.play import Play
from tests.ops.conftest import play

__all__ = ["play"]

BAIT = "{{ 6 * 7 }} {% if x %} {{ view.__class__.__mro__ }} %(name)s {0} <b>x</b>"


@pytest.mark.parametrize(
    ("who", "command"),
    [
        ("max", f"SET COMMENT {BAIT}"),
        ("max", f"SET HOUSE RULES\n{BAIT}\nEND"),
        ("ann", f"PRESS TO England\n{BAIT}\nENDPRESS"),
        ("ann", f"DIARY\n{BAIT}\nENDDIARY"),
        ("ann", f"REGISTER\nname: {BAIT}"),
        ("ann", BAIT),
    ],
)
def test_a_text_with_the_signs_of_a_template_is_a_text(play: Play, who: str, command: str) -> None:
    play.start()
    play.send(who, command)
    for asks in ("STATUS", "LIST paris", "HISTORY", "SUMMARY"):
        play.send("bob", asks)
    play.judge.work()
    letters_ = play.letters()
    assert letters_
    for letter in letters_:
        assert "42" not in letter.text.replace("1942", "")
        page = letter.message.get_body(("html",))
        if page is not None:
            assert "<b>x</b>" not in page.as_bytes().decode("utf-8", "replace")
    assert play.storage.inbound.held() == []


@pytest.mark.parametrize(
    "template",
    [
        "{{ ''.__class__.__mro__ }}",
        "{{ cycler.__init__.__globals__.os.system('true') }}",
    ],
)
def test_even_a_template_could_reach_nothing(template: str) -> None:
    made = render.environment(autoescape=False).from_string(template)
    with pytest.raises(SecurityError):
        made.render(fact=[])


def test_html_is_escaped() -> None:
    made = render.environment(autoescape=True).from_string("{{ said }}")
    assert made.render(said="<b>") == "&lt;b&gt;"
