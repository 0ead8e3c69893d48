"""The configuration file: defaults, paths, secrets, and every error with its key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from msgspec import to_builtins
from msgspec.structs import fields

from judge import config, data
from judge.clock import SystemClock

FILE = Path("/srv/judge/judge.toml")
LEAST = '[judge]\naddress = "judge@example.org"\n'


def read(text: str) -> config.Config:
    return config.parse(LEAST + text, FILE)


def problems(text: str, least: str = LEAST) -> list[str]:
    with pytest.raises(config.ConfigError) as caught:
        config.parse(least + text, FILE)
    assert str(caught.value).startswith(str(FILE))
    return caught.value.problems


def uncommented() -> str:
    """The example with every setting switched on, one way to give a password left."""
    lines = (
        line[1:] if re.match(r"#(\w+ = |\[)", line) else line
        for line in config.example().splitlines()
    )
    return "\n".join(
        line for line in lines if not re.match(r"(password_(file|env)|token_command) = ", line)
    )


def values(found: config.Config) -> Any:
    return to_builtins(found, builtin_types=[datetime], enc_hook=str)


def test_the_example_as_it_stands_has_the_defaults() -> None:
    assert config.parse(config.example(), FILE) == read("")


def test_what_the_example_shows_commented_are_the_defaults() -> None:
    shown = config.parse(uncommented(), FILE)
    plain = read(
        '[[imap]]\nhost = "imap.example.org"\nuser = "judge"\npassword = "secret"\n'
        '[outgoing.relay]\nhost = "smtp.example.org"\nuser = "judge"\npassword = "secret"\n'
        '[dkim]\nselector = "judge"\nkey_file = "dkim.pem"\ndomain = "example.org"\n'
        'second_selector = "judge2"\nsecond_key_file = "dkim2.pem"\n'
        '[[houses]]\nkey = "club"\naddress = "diplomacy@club.example"\n'
        'keeper = "host@example.org"\n'
        'sub_addresses = "diplomacy+*@club.example"\npages = "/srv/www/club"\n'
        '[houses.dkim]\nselector = "judge"\nkey_file = "club.pem"\ndomain = "club.example"\n'
        'second_selector = "judge2"\nsecond_key_file = "club2.pem"\n'
    )
    expected = values(plain)
    expected["judge"]["keeper"] = "keeper@example.org"
    expected["judge"]["sub_addresses"] = "judge+*@example.org"
    expected["trust"]["authserv_id"] = "mx.example.org"
    live = Path("/etc/letsencrypt/live/judge.example.org")
    expected["smtp"]["certificate_file"] = str(live / "fullchain.pem")
    expected["smtp"]["key_file"] = str(live / "privkey.pem")
    expected["outgoing"]["unsubscribe"] = "https://judge.example.org/unsubscribe?"
    expected["site"]["folder"] = "/srv/www/judge"
    expected["site"]["keeper_folder"] = "/srv/judge-keeper"
    expected["backup"]["folder"] = "/var/backups/judge"
    expected["clock"]["start"] = datetime(2026, 6, 1, 12, tzinfo=UTC)
    assert values(shown) == expected


def keys(place: Sequence[str]) -> list[str]:
    """The settings that the section at `place` allows; the sections where that is empty."""
    section: Any = config.Config
    for name in place:
        kind = get_type_hints(section)[name]
        # A section may be missing, and of some there are several.
        section = next(iter(get_args(kind)), kind)
    return [each.name for each in fields(section)]


def test_the_example_shows_every_setting() -> None:
    text = config.example()
    for name in (*keys([]), "outgoing.relay", "houses.dkim"):
        block = re.split(rf"^#?\[+{re.escape(name)}\]+$", text, flags=re.MULTILINE)[1]
        block = re.split(r"^#?\[", block, flags=re.MULTILINE)[0]
        for key in keys(name.split(".")):
            if key not in ("relay", "dkim"):
                assert re.search(rf"^#?{key} = ", block, re.MULTILINE), f"{name}.{key}"


def test_every_setting_is_used() -> None:
    sources = (path.read_text() for path in Path(config.__file__).parent.rglob("*.py"))
    used = {name for source in sources for name in re.findall(r"\.(\w+)", source)}
    sections = [[each] for each in keys([])] + [["outgoing", "relay"], ["houses", "dkim"]]
    assert [key for place in sections for key in keys(place) if key not in used] == []


def test_the_least_file() -> None:
    found = read("")
    assert found.judge.address == "judge@example.org"
    assert found.smtp.port == 8025
    assert found.outgoing.relay is None
    now = datetime.now(UTC)
    assert now <= found.clock.clock().now() <= now + timedelta(minutes=1)


def test_paths_start_at_the_folder_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", "/var/lib/judge")
    assert read("").database.url == "sqlite:/srv/judge/judge.db"
    assert read("").outgoing.maildir == Path("/srv/judge/mail")
    text = '[database]\nurl = "sqlite:$STATE_DIRECTORY/j.db"\n[outgoing]\nmaildir = "/elsewhere"'
    assert read(text).database.url == "sqlite:/var/lib/judge/j.db"
    assert read(text).outgoing.maildir == Path("/elsewhere")


def test_a_postgresql_url_is_left_as_it_is() -> None:
    url = "postgresql://judge:secret@db.example.org/judge"
    assert read(f'[database]\nurl = "{url}"').database.url == url


def test_the_usual_port_of_each_security() -> None:
    imap = '[[imap]]\nhost = "h"\nuser = "u"\npassword = "p"\n'
    both = read(imap + imap + 'security = "starttls"').imap
    assert [each.port for each in both] == [993, 143]
    for security, port in {"starttls": 587, "tls": 465, "none": 25}.items():
        relay = read(f'[outgoing.relay]\nhost = "h"\nsecurity = "{security}"').outgoing.relay
        assert relay is not None
        assert relay.port == port


def test_a_password_from_a_file_or_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "word").write_text("from a file\n")
    monkeypatch.setenv("JUDGE_WORD", "from the environment")
    relay = '[outgoing.relay]\nhost = "h"\nuser = "u"\n'
    ways = {
        f'password_file = "{tmp_path}/word"': "from a file",
        'password_env = "JUDGE_WORD"': "from the environment",
        'password = "as it is"': "as it is",
    }
    for line, expected in ways.items():
        found = read(relay + line).outgoing.relay
        assert found is not None
        assert found.secret() == expected


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('password_file = "missing"', "password_file /srv/judge/missing cannot be read: No such"),
        ('password_env = "JUDGE_UNSET"', "password_env JUDGE_UNSET is not set"),
    ],
)
def test_only_who_needs_a_password_must_have_it(line: str, said: str) -> None:
    """systemd hands them to the service, not to anybody who asks how it is."""
    relay = read(f'[outgoing.relay]\nhost = "h"\nuser = "u"\n{line}').outgoing.relay
    assert relay is not None
    with pytest.raises(config.NoSecret, match=said):
        relay.secret()


def test_no_secret_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    found = read(
        '[database]\nurl = "postgresql://judge:hunter2@db/judge"\n'
        '[[imap]]\nhost = "h"\nuser = "u"\npassword = "hunter2"\n'
    )
    assert "hunter2" not in repr(found)
    said = problems(
        '[database]\nurl = "mysql://judge:hunter2@db/judge"\n'
        '[[imap]]\nhost = "h"\nuser = "u"\npassword = "hunter2"\npassword_env = "hunter2"\n'
        '[outgoing.relay]\nhost = "h"\npassword = "hunter2"\npasword = "hunter2"\n'
    )
    assert len(said) >= 3
    assert "hunter2" not in "\n".join(said)


def test_a_fast_clock() -> None:
    clock = read("[clock]\nspeed = 3600\nstart = 2026-06-01T12:00:00Z").clock.clock()
    assert isinstance(clock, SystemClock)
    assert clock.speed == 3600


@pytest.mark.parametrize(
    ("value", "shown"),
    [('"animated"', True), ('"still"', True), ('"off"', False), ("false", False)],
)
def test_a_file_of_another_version_still_says_whether_letters_have_pictures(
    value: str, shown: bool
) -> None:
    assert read(f"[outgoing]\npictures = {value}").outgoing.pictures is shown


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[judge]\nname = "x"', "judge.address: it is required"),
        ('[judge]\naddress = "judge"', "judge.address: write a mail address such as"),
        ('[judge]\naddress = "The Judge <j@x.org>"', "judge.address: write the bare address"),
        ('[judge]\naddress = "j@x.org"\nname = ""', "judge.name: 1 to 60 printable"),
        ('[judge]\naddress = "j@x.org"\nzone = "Mars/Base"', "judge.zone: write an IANA time zone"),
        ('[judge]\naddress = "j@x.org"\nkeeper = ""', "judge.keeper: write a mail address"),
        ("", "judge: it is required"),
        ('[judge]\nadress = "j@x.org"', "did you mean address?"),
        ('[judge]\naddress = "J@x.org"\nkeeper = "j@x.org"', "judge: keeper must be an address"),
        ('[judge]\naddress = "j@x.org"\nkeeper = "J+me@x.org"', "judge: keeper must be an address"),
    ],
)
def test_what_is_wrong_about_the_judge_itself(text: str, said: str) -> None:
    assert any(said in problem for problem in problems(text, least=""))


def test_a_keeper_may_have_a_mailbox_in_the_judges_domain() -> None:
    text = '[judge]\naddress = "j@x.org"\nkeeper = "me@x.org"\nsub_addresses = "*@x.org"'
    assert config.parse(text, FILE).judge.keeper == "me@x.org"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[smtp]\nport = 70000", "smtp.port: 65535 or less is allowed, not 70000"),
        ("[smtp]\nport = -1", "smtp.port: 0 or more is allowed, not -1"),
        ('[smtp]\nport = "25"', "smtp.port: a whole number is allowed, not '25'"),
        ("[smtp]\nlmtp = 1", "smtp.lmtp: true or false is allowed, not 1"),
        ("[smtp]\nmax_size = 10", "smtp.max_size: 10000 or more is allowed, not 10"),
        ('[database]\nurl = "judge.db"', 'database.url: write "sqlite:PATH" or'),
        ("[imap]\nhost = 1", "imap: write [[imap]] with two brackets"),
        ('[[imap]]\nhost = "h"', "imap.0.user: it is required"),
        ('[[imap]]\nhost = "h"\nuser = "u"', "imap.0: a user needs one of password"),
        (
            '[[imap]]\nhost = "h"\nuser = "u"\npassword = "p"\ndone_folder = "Inbox"',
            "imap.0: done_folder must be another one than folder",
        ),
        ('[outgoing.relay]\nhost = "h"\npassword = "p"', "relay: a password needs a user"),
        (
            '[outgoing.relay]\nhost = "h"\nsecurity = "ssl"',
            "outgoing.relay.security: 'starttls', 'tls' or 'none' is allowed, not 'ssl'",
        ),
        ('[trust]\nauthserv_id = ""', "trust.authserv_id: write a name such as"),
        ('[trust]\nauthserv_id = "mx.x.org "', "trust.authserv_id: write a name such as"),
        ("[clock]\nspeed = 0.5", "clock.speed: 1 or more is allowed, not 0.5"),
        ('[log]\nlevel = "loud"', "log.level: 'debug', 'info', 'warning' or 'error' is allowed"),
        ("[clock]\nspeed = 60", "clock: a speed needs a start"),
        ("[clock]\nstart = 2026-06-01T12:00:00", "clock.start: a time needs its offset"),
        ("[smpt]\nport = 25", "smpt: there is no such setting; did you mean smtp?"),
        ("[smtp]\nprot = 25", "smtp.prot: there is no such setting; did you mean port?"),
        ("[smtp", "it is not TOML"),
    ],
)
def test_an_error_names_its_key_and_what_is_allowed(text: str, said: str) -> None:
    assert any(said in problem for problem in problems(text)), problems(text)


def test_all_errors_come_at_once() -> None:
    found = problems("[smtp]\nport = 70000\nhots = 1\n[log]\nlevel = 3\n[clock]\nspeed = 0")
    assert len(found) == 4
    assert [problem.partition(":")[0] for problem in found] == [
        "smtp.port", "smtp.hots", "log.level", "clock.speed",
    ]  # fmt: skip


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(config.ConfigError, match="cannot be read"):
        config.load(tmp_path / "missing.toml")
    (tmp_path / "latin.toml").write_bytes(b'[judge]\nname = "\xe9"')
    with pytest.raises(config.ConfigError, match="cannot be read"):
        config.load(tmp_path / "latin.toml")


def test_where_a_configuration_is_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("JUDGE_CONFIG", raising=False)
    monkeypatch.setattr(data, "PLACES", data.PLACES[:2])
    with pytest.raises(FileNotFoundError, match="judge init"):
        data.find_config()
    (tmp_path / ".config" / "judge").mkdir(parents=True)
    (tmp_path / ".config" / "judge" / "judge.toml").touch()
    assert data.find_config() == tmp_path / ".config" / "judge" / "judge.toml"
    (tmp_path / "judge.toml").touch()
    assert data.find_config() == Path("judge.toml")
    (tmp_path / "other.toml").touch()
    monkeypatch.setenv("JUDGE_CONFIG", "other.toml")
    assert data.find_config() == Path("other.toml")
    monkeypatch.setenv("JUDGE_CONFIG", "gone.toml")
    with pytest.raises(FileNotFoundError, match=r"gone\.toml"):
        data.find_config()


def test_the_example_is_toml() -> None:
    assert set(tomllib.loads(uncommented())) == set(keys([]))


@pytest.mark.parametrize(
    "pattern", ["judge+*@example.org", "judge-*@example.org", "*@games.example.org"]
)
def test_sub_addresses_are_a_pattern(pattern: str) -> None:
    found = config.parse(f'[judge]\naddress = "a@b.org"\nsub_addresses = "{pattern}"\n', FILE)
    assert found.judge.sub_addresses == pattern


@pytest.mark.parametrize(
    "pattern", ["judge@example.org", "j**@example.org", "*@*.org", "*", "j" * 40 + "*@example.org"]
)
def test_what_is_no_pattern_is_said(pattern: str) -> None:
    with pytest.raises(config.ConfigError, match=r"judge\.sub_addresses"):
        config.parse(f'[judge]\naddress = "a@b.org"\nsub_addresses = "{pattern}"\n', FILE)


def test_somebody_must_verify_what_is_to_be_verified() -> None:
    with pytest.raises(config.ConfigError, match=r"needs authserv_id or check_dkim"):
        read('[trust]\nlevel = "verified"\ncheck_dkim = false\n')
    assert read('[trust]\nlevel = "verified"\n').trust.level == "verified"


def test_own_mail_servers_are_addresses_or_networks() -> None:
    assert read('[trust]\nservers = ["192.0.2.0/24", "::1"]\n').trust.servers == (
        "192.0.2.0/24", "::1",
    )  # fmt: skip
    with pytest.raises(config.ConfigError, match=r"trust\.servers.*an address or a network"):
        read('[trust]\nservers = ["mx.example.org"]\n')


def test_each_key_has_a_selector_of_its_own() -> None:
    dkim = '[dkim]\nselector = "a"\nkey_file = "a.pem"\n'
    both = read(dkim + 'second_selector = "b"\nsecond_key_file = "b.pem"\n').dkim
    assert both is not None
    assert [(name, file.name) for name, file in both.signers()] == [("a", "a.pem"), ("b", "b.pem")]
    for bad, why in (
        ('second_selector = "b"\n', "go together"),
        ('second_key_file = "b.pem"\n', "go together"),
        ('second_selector = "a"\nsecond_key_file = "b.pem"\n', "of its own"),
    ):
        with pytest.raises(config.ConfigError, match=why):
            read(dkim + bad)


KEY = '[houses.dkim]\nselector = "own"\nkey_file = "own.pem"\n'
CLUB = '[[houses]]\nkey = "club"\naddress = "club@example.org"\n'


def test_a_house_has_what_it_names_and_else_what_all_have() -> None:
    found = read(
        '[smtp]\nport = 2525\n[outgoing]\nunsubscribe = "https://x.example/?"\n'
        '[site]\nfolder = "pages"\n[dkim]\nselector = "s"\nkey_file = "k"\n'
        + CLUB
        + 'name = "Club"\nlanguage = "de"\npages = "club"\nmembers = ["*@school.example"]\n'
        + '[[houses]]\nkey = "away"\naddress = "x@other.example"\n'
    )
    houses = found.by_house()
    assert [*houses] == ["", "club", "away"]
    assert houses[""].judge.name == "The Judge"
    club = houses["club"]
    assert (club.judge.name, club.judge.keeper, club.smtp.port) == ("Club", None, 2525)
    assert (club.site.folder, club.site.language) == (FILE.parent / "club", "de")
    assert club.judge.members == ("*@school.example",)
    assert houses["away"].site.folder is None
    # A letter of another domain must not tell by its signature where it comes from.
    assert [each.dkim is None for each in houses.values()] == [False, False, True]
    own = read('[[houses]]\nkey = "away"\naddress = "x@other.example"\n' + KEY)
    assert [each.dkim and each.dkim.selector for each in own.by_house().values()] == [None, "own"]
    assert [each.outgoing.unsubscribe is None for each in houses.values()] == [False, False, True]
    assert found.reached() == {
        "": (["judge@example.org", "postmaster@example.org"], "judge+*@example.org"),
        "club": (["club@example.org"], "club+*@example.org"),
        "away": (["x@other.example", "postmaster@other.example"], "x+*@other.example"),
    }


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (CLUB + CLUB.replace("club@", "other@"), "two houses have the same key, club"),
        (CLUB + CLUB.replace('"club"', '"other"'), "two houses have the same address"),
        (CLUB.replace("club@", "JUDGE@"), "two houses have the same address, judge@example.org"),
        (
            CLUB + 'sub_addresses = "judge+*@example.org"\n',
            "have the same sub_addresses",
        ),
        (CLUB + '[houses.dkim]\nselector = "s"\nkey_file = "k"\n', "by the section .dkim."),
        (CLUB + 'keeper = "judge@example.org"\n', "must not be the address of a house"),
        ('[site]\nfolder = "www"\n' + CLUB + 'pages = "www/club"\n', "a site folder of its own"),
        (CLUB.replace('"club"', '"Our club"'), "write a short name"),
        (CLUB + 'members = ["school.example"]\n', "write an address, or a pattern"),
    ],
)
def test_houses_that_cannot_be_told_apart_are_refused(text: str, why: str) -> None:
    with pytest.raises(config.ConfigError, match=why):
        read(text)
