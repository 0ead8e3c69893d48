"""compose.yaml: its parts name each other rightly, and the judge can run by its configuration."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

from judge import config
from judge.ops.workable import unworkable

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "compose.yaml").read_text()
_HEAD = TEXT.partition("\nconfigs:")[0]
SERVICES = dict(re.findall(r"^  (judge|postfix|database):\n((?:    .*\n|\n)+)", _HEAD, re.M))


def test_the_parts_find_each_other() -> None:
    found = {name: re.findall(r"ipv4_address: ([\d.]+)", each) for name, each in SERVICES.items()}
    hosts = {name: each[0] for name, each in found.items() if each}
    content = dedent(TEXT.partition("    content: |\n")[2].partition("\nnetworks:")[0])
    judge = config.parse(content, Path("/srv/judge/judge.toml"))
    assert f"x-address: &address {judge.judge.address}\n" in TEXT
    assert f"x-domain: &domain {judge.judge.domain}\n" in TEXT
    assert judge.trust.servers == (hosts["postfix"],)
    assert f"@{hosts['database']}/" in judge.database.url
    relay = judge.outgoing.relay
    assert relay is not None
    assert (relay.host, relay.port) == (hosts["postfix"], 25)
    assert f"lmtp:inet:{hosts['judge']}:{judge.smtp.port}" in SERVICES["postfix"]
    assert f"{hosts['judge']}/32" in SERVICES["postfix"]
    assert (judge.smtp.lmtp, judge.smtp.host) == (True, "0.0.0.0")
    # The volume is not here.
    assert all("/srv/judge" in each for each in unworkable(judge))


def test_nothing_is_published_but_port_25() -> None:
    assert re.findall(r"ports: (.*)", TEXT) == ['["25:25"]']


def test_images_are_built_without_what_is_no_source() -> None:
    ignored = (ROOT / ".dockerignore").read_text()
    assert ignored == (ROOT / ".containerignore").read_text()
