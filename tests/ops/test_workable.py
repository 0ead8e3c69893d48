"""A configuration that cannot work here is refused at the start, with all that is wrong with it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from judge import config
from judge.daemon import StartError, check
from judge.ops.workable import unworkable


def problems(folder: Path, text: str, judge: str = "") -> list[str]:
    file = folder / "judge.toml"
    file.write_text(f'[judge]\naddress = "judge@example.org"\n{judge}\n{text}')
    return list(unworkable(config.load(file)))


RELAY = '[outgoing.relay]\nhost = "{}"\nport = {}\nsecurity = "{}"\n'
LOGIN = 'user = "judge"\npassword = "x"\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (RELAY.format("localhost", 8025, "none"), "the judge's own"),
        (RELAY.format("127.0.0.1", 8025, "none"), "the judge's own"),
        (RELAY.format("0.0.0.0", 8025, "none"), "the judge's own"),
        (RELAY.format(os.uname().nodename.upper(), 8025, "none"), "the judge's own"),
        (RELAY.format("relay.example.org", 25, "none") + LOGIN, "in clear"),
        ('[[imap]]\nhost = "192.0.2.1"\nsecurity = "none"\n' + LOGIN, "in clear"),
        (
            RELAY.format("relay.example.org", 587, "tls") + 'user = "judge"\npassword_env = "NO_1"',
            "NO_1 is not set",
        ),
        ('[backup]\nkey_file = "$NO_2/key"\nfolder = "kept"', "$NO_2 is not set"),
        (
            RELAY.format("relay.example.org", 587, "tls")
            + 'user = "judge"\npassword_file = "$NO_3/relay"',
            "$NO_3 is not set",
        ),
        ("[smtp]\nenabled = false", "no mail would come in"),
        (
            '[[imap]]\nhost = "A.example"\nfolder = "inbox"\n'
            + LOGIN
            + '[[imap]]\nhost = "a.example"\n'
            + LOGIN,
            "INBOX of judge at a.example is named 2 times",
        ),
        ('[database]\nurl = "sqlite:none/judge.db"', "none is missing"),
        ('[database]\nurl = "sqlite:."', "is a folder"),
        ('[outgoing]\nmaildir = "judge.toml"', "is a file"),
        ('[site]\nfolder = "judge.toml/pages"', "is a file"),
        ('[backup]\nfolder = "none/kept"', "none is missing"),
        ('[site]\nkeeper_folder = "judge.toml/mine"', "is a file"),
        ('[[houses]]\nkey = "b"\naddress = "b@x.example"\npages = "judge.toml"', "is a file"),
    ],
)
def test_what_cannot_work_is_named(tmp_path: Path, text: str, said: str) -> None:
    (found,) = problems(tmp_path, text)
    assert said in found


@pytest.mark.parametrize(
    "text",
    [
        "",
        RELAY.format("localhost", 25, "none") + LOGIN,
        RELAY.format("relay.example.org", 8025, "starttls") + LOGIN,
        "[smtp]\nenabled = false\n" + RELAY.format("localhost", 8025, "none"),
        '[smtp]\nport = 0\n[site]\nfolder = "pages"\n[backup]\nfolder = "kept"',
        '[site]\nfolder = "pages"\nkeeper_folder = "pages-of-mine"',
        '[backup]\nfolder = "."\n[dkim]\nselector = "a"\nkey_file = "key"\n'
        + '[smtp]\ncertificate_file = "key"\nkey_file = "key"',
    ],
)
def test_what_can_is_not(tmp_path: Path, text: str) -> None:
    assert problems(tmp_path, text, judge="pipe = true") == []


@pytest.mark.parametrize("boards", ["none", "$NO_4/boards", "judge.toml"])
def test_boards_lie_in_folders(tmp_path: Path, boards: str) -> None:
    (found,) = problems(tmp_path, "", judge=f'variants = [".", "{boards}"]')
    assert "judge.variants" in found
    assert boards in found


DKIM = '[dkim]\nselector = "a"\nkey_file = "{}"\n'


@pytest.mark.parametrize(
    "text",
    [
        '[backup]\nkey_file = "one"\nfolder = "one"',
        '[backup]\nkey_file = "one"\n[database]\nurl = "sqlite:./one"',
        '[backup]\nkey_file = "one"\n[outgoing]\nmaildir = "link"',
        '[backup]\nkey_file = "judge.db-wal"',
        '[outgoing]\nmaildir = "judge.db.lock"',
        '[backup]\nkey_file = "one"\n' + DKIM.format("one"),
        DKIM.format("judge.db"),
        '[smtp]\ncertificate_file = "one"\n[outgoing]\nmaildir = "one"',
        '[backup]\nfolder = "one"\n[outgoing]\nmaildir = "one"',
        '[backup]\nfolder = "one"\n[site]\nkeeper_folder = "one/"',
        '[site]\nfolder = "one"\nkeeper_folder = "./one"',
        '[site]\nkeeper_folder = "judge.db"',
        '[site]\nkeeper_folder = "one"\n'
        + '[[houses]]\nkey = "b"\naddress = "b@x.example"\npages = "link"',
    ],
)
def test_no_two_settings_name_one_place_where_the_judge_writes(tmp_path: Path, text: str) -> None:
    (tmp_path / "link").symlink_to("one")
    found = [each for each in problems(tmp_path, text) if "a link to" not in each]
    assert len(found) == 1
    assert "both name" in found[0]


def test_boards_do_not_lie_where_mail_does(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (found,) = problems(tmp_path, '[outgoing]\nmaildir = "one"', judge='variants = ["one"]')
    assert "both name" in found


@pytest.mark.parametrize("shown", ["folder", "keeper_folder"])
@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('[database]\nurl = "sqlite:www/judge.db"', "database.url"),
        ('[outgoing]\nmaildir = "www/mail"', "outgoing.maildir"),
        ('[backup]\nkey_file = "www/backup.key"', "backup.key_file"),
        ('[backup]\nfolder = "link/kept"', "backup.folder"),
        (DKIM.format("www/key"), "the key of the DKIM selector a"),
        ('[smtp]\ncertificate_file = "cert"\nkey_file = "www/key"', "smtp.key_file"),
        (
            '[outgoing.relay]\nhost = "x.example"\nuser = "a"\npassword_file = "www/key"',
            "outgoing.relay.password_file",
        ),
        (
            '[[houses]]\nkey = "b"\naddress = "b@x.example"\n[houses.dkim]\nselector = "a"\n'
            'key_file = "www/key"',
            "the key of the DKIM selector a",
        ),
    ],
)
def test_nothing_of_the_judges_is_where_a_web_server_shows_it(
    tmp_path: Path, text: str, named: str, shown: str
) -> None:
    (tmp_path / "www").mkdir()
    (tmp_path / "www" / "key").write_text("x")
    (tmp_path / "link").symlink_to(tmp_path / "www")
    (found,) = problems(tmp_path, f'{text}\n[site]\n{shown} = "www"')
    assert found.startswith(named)
    assert "is shown to" in found


@pytest.mark.parametrize(("public", "own"), [("www", "www/mine"), ("mine/www", "mine")])
def test_public_pages_and_the_keepers_lie_apart(tmp_path: Path, public: str, own: str) -> None:
    (tmp_path / "www").mkdir()
    (tmp_path / "mine").mkdir()
    (found,) = problems(tmp_path, f'[site]\nfolder = "{public}"\nkeeper_folder = "{own}"')
    assert "is shown to" in found


def test_public_pages_are_not_beside_the_configuration(tmp_path: Path) -> None:
    found = problems(tmp_path, '[site]\nfolder = "."\nkeeper_folder = "mine"')
    names = {each.partition(":")[0] for each in found}
    private = {"database.url", "outgoing.maildir", "backup.key_file"}
    assert names == {*private, "site.keeper_folder"}


def test_all_of_it_is_said_at_once(tmp_path: Path) -> None:
    text = "[smtp]\nenabled = false\n" + RELAY.format("relay.example.org", 25, "none") + LOGIN
    problems(tmp_path, text)
    with pytest.raises(StartError) as told:
        check(config.load(tmp_path / "judge.toml"))
    assert str(told.value).count("\n") == 2


def test_a_folder_that_is_a_link_to_nothing_is_named(tmp_path: Path) -> None:
    (tmp_path / "mail").symlink_to(tmp_path / "disk")
    (found,) = problems(tmp_path, "")
    assert "a link to" in found
    (tmp_path / "disk").mkdir()
    assert problems(tmp_path, "") == []
