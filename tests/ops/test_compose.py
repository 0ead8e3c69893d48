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
CONTENT = dedent(TEXT.partition("    content: |\n")[2].partition("\nnetworks:")[0])
SERVICES = dict(re.findall(r"^  (judge|postfix|database):\n((?:    .*\n|\n)+)", _HEAD, re.M))


def test_the_parts_find_each_other() -> None:
    found = {name: re.findall(r"ipv4_address: ([\d.]+)", each) for name, each in SERVICES.items()}
    hosts = {name: each[0] for name, each in found.items() if each}
    judge = config.parse(CONTENT, Path("/srv/judge/judge.toml"))
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


def test_names_of_volumes_files_and_variables_agree() -> None:
    image = (ROOT / "Containerfile").read_text()
    mounts = re.findall(r'volumes: \["(\w+):([^"]+)"\]', TEXT)
    declared = re.findall(r"(\w+): \{\}", TEXT.partition("\nvolumes: ")[2])
    assert sorted(declared) == sorted(name for name, _ in mounts)
    (state,) = re.findall(r"^VOLUME (.*)$", image, re.M)
    assert dict(mounts)["state"] == state
    judge = config.parse(CONTENT, Path("/etc/judge/judge.toml"))
    for path in (judge.backup.key_file, judge.backup.folder):
        assert path is not None
        assert path.is_relative_to(state)
    files = re.findall(r"JUDGE_CONFIG: ([^}]+)|target: ([^}]+)|--config\", \"([^\"]+)", TEXT)
    assert {name for found in files for name in found if name} == {"/etc/judge/judge.toml"}
    used = set(re.findall(r"\$\$([A-Z]+)", SERVICES["postfix"]))
    assert used == set(re.findall(r"([A-Z]+): \*", SERVICES["postfix"]))
    user, name = re.findall(r"POSTGRES_(?:USER|DB): (\w+)", SERVICES["database"])
    assert judge.database.url == f"postgresql://{user}@172.30.37.4/{name}"
    assert "`compose.yaml`" in (ROOT / "docs/keeper.md").read_text()


def test_nothing_is_published_but_port_25() -> None:
    assert re.findall(r"ports: (.*)", TEXT) == ['["25:25"]']


def test_images_are_built_without_what_is_no_source() -> None:
    ignored = (ROOT / ".dockerignore").read_text()
    assert ignored == (ROOT / ".containerignore").read_text()
