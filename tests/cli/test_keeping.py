"""What a keeper does at the command line: init, mail, held, game."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click
import pytest

from judge import config
from judge.cli import main
from judge.cli.common import LazyGroup, Verbs
from judge.cli.variant_command import variant_command
from judge.storage import (
    AddressState,
    Game,
    GameState,
    InboundState,
    Outward,
    Person,
    Role,
    Seat,
    Storage,
    StoredEnding,
    StoredOutcome,
    Ticket,
)
from tests.cli.conftest import Call

MAIL = b"From: ann@example.org\r\nMessage-ID: <1@example.org>\r\n\r\nhelp\r\n"
NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


# judge


def groups(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """All commands that have commands, which suggest one for a name that is none."""
    assert isinstance(group, Verbs)
    yield path
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        if isinstance(command, click.Group):
            yield from groups(command, (*path, name))


def test_help_says_of_every_command_what_it_does(call: Call) -> None:
    found = [*groups(main)]
    assert ("game",) in found
    for path in found:
        _, _, listed = call(*path, "--help").output.partition("Commands:\n")
        rows = listed.splitlines()
        assert rows
        # A row that is too long for the screen is cut with dots.
        assert [row for row in rows if row.endswith("...") or len(row.split()) < 3] == []


@pytest.mark.parametrize(("path", "group"), [((), main), (("variant",), variant_command)])
def test_what_is_listed_of_a_command_is_its_help(
    path: tuple[str, ...], group: LazyGroup, call: Call
) -> None:
    context = click.Context(group)
    _, _, listed = call(*path, "--help").output.partition("Commands:\n")
    completed = {each.value: each.help for each in group.shell_complete(context, "")}
    assert list(completed) == [row.split()[0] for row in listed.splitlines()]
    for row in listed.splitlines():
        command = group.get_command(context, row.split()[0])
        assert command is not None
        assert row.split(maxsplit=1)[1].removesuffix("...") in command.get_short_help_str(200)
        assert completed[row.split()[0]] == command.get_short_help_str()


def test_help_loads_no_command() -> None:
    code = "import sys; from judge.cli import main; main(['--help'], standalone_mode=False);"
    code += "print('judge.storage' in sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stderr == b"False\n"


def test_an_unknown_command_is_refused(call: Call) -> None:
    result = call("rnu")
    assert result.exit_code == 2
    assert "No such command" in result.stderr


def test_version(call: Call) -> None:
    assert call("--version").output.startswith("judge 0.")


# judge init


def test_init_writes_a_configuration_that_can_be_used(tmp_path: Path, call: Call) -> None:
    result = call(
        "init", str(tmp_path / "new"), "--address", "judge@example.org",
        "--keeper", "ann@example.org", "--zone", "Europe/Paris",
    )  # fmt: skip
    assert result.exit_code == 0
    found = config.load(tmp_path / "new" / "judge.toml")
    assert found.judge.address == "judge@example.org"
    assert found.judge.keeper == "ann@example.org"
    assert found.judge.zone == "Europe/Paris"
    assert (tmp_path / "new" / "judge.db").is_file()
    assert (tmp_path / "new" / "judge.toml").stat().st_mode & 0o077 == 0
    assert "judge run --config" in result.output


def test_init_asks_for_the_address(tmp_path: Path, call: Call) -> None:
    result = call("init", str(tmp_path), input="judge@example.org\n")
    assert result.exit_code == 0
    assert config.load(tmp_path / "judge.toml").judge.address == "judge@example.org"


def test_init_overwrites_nothing(home: Path, call: Call) -> None:
    before = (home / "judge.toml").read_bytes()
    result = call("init", str(home), "--address", "other@example.org")
    assert result.exit_code == 1
    assert "is there already" in result.stderr
    assert (home / "judge.toml").read_bytes() == before


def test_init_refuses_what_it_could_not_run_with(tmp_path: Path, call: Call) -> None:
    result = call("init", str(tmp_path), "--address", "judge", "--zone", 'Mars"/Base')
    assert result.exit_code == 1
    assert "judge.address" in result.stderr
    assert "judge.zone" in result.stderr
    assert list(tmp_path.iterdir()) == []


# judge mail


def test_a_mail_is_stored_and_a_second_copy_is_not(storage: Storage, call: Call) -> None:
    for _ in range(2):
        assert call("mail", "--from", "ann@example.org", input=MAIL).exit_code == 0
    mail = storage.inbound.find(1)
    assert mail is not None
    assert (mail.raw, mail.door, mail.envelope_from) == (MAIL, "pipe", "ann@example.org")
    assert mail.envelope_to == ["judge@example.org"]
    assert storage.inbound.count(InboundState.NEW) == 1


def test_the_line_of_an_mbox_names_the_sender(storage: Storage, call: Call) -> None:
    line = b"From bob@example.org Mon Jun  1 12:00:00 2026\n"
    assert call("mail", input=line + MAIL).exit_code == 0
    mail = storage.inbound.find(1)
    assert mail is not None
    assert (mail.raw, mail.envelope_from) == (MAIL, "bob@example.org")


def test_the_environment_of_a_mail_server_names_both_ends(
    storage: Storage, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SENDER", "ann@example.org")
    monkeypatch.setenv("RECIPIENT", "judge+paris@example.org")
    assert call("mail", input=MAIL).exit_code == 0
    mail = storage.inbound.find(1)
    assert mail is not None
    assert mail.envelope_from == "ann@example.org"
    assert mail.envelope_to == ["judge+paris@example.org"]


@pytest.mark.parametrize(
    ("named", "path"), [(None, None), ("", None), ("<>", ""), ("MAILER-DAEMON", "")]
)
def test_a_return_path_that_nobody_names_is_not_the_empty_one(
    storage: Storage,
    call: Call,
    monkeypatch: pytest.MonkeyPatch,
    named: str | None,
    path: str | None,
) -> None:
    monkeypatch.delenv("SENDER", raising=False)
    if named is not None:
        monkeypatch.setenv("SENDER", named)
    assert call("mail", input=MAIL).exit_code == 0
    mail = storage.inbound.find(1)
    assert mail is not None
    assert mail.envelope_from == path


def test_nothing_and_too_much_are_refused_for_good(storage: Storage, call: Call) -> None:
    empty = call("mail", input=b"\r\n")
    assert empty.exit_code == 65
    assert "no message" in empty.stderr
    large = call("mail", input=MAIL + b"x" * 1_000_000)
    assert large.exit_code == 65
    assert "1000000 bytes" in large.stderr
    assert storage.inbound.count(InboundState.NEW) == 0


@pytest.mark.parametrize("arguments", [("--config", "/nowhere/judge.toml"), ("--bogus",)])
def test_a_mail_that_cannot_be_stored_now_is_left_to_its_server(
    arguments: tuple[str, ...], call: Call
) -> None:
    result = call("mail", *arguments, input=MAIL)
    assert result.exit_code == 75
    assert "not stored, try again" in result.stderr


def test_a_database_out_of_reach_costs_no_mail(home: Path, call: Call) -> None:
    database = home / "judge.db"
    database.unlink()
    database.mkdir()
    assert call("mail", input=MAIL).exit_code == 75


# judge held


def hold(storage: Storage) -> int:
    mail = storage.inbound.accept(
        MAIL, door="smtp", envelope_from="ann@example.org", envelope_to=["j"], received_at=NOW
    )
    with storage.transaction():
        storage.inbound.hold(mail.mail_id, "Traceback ...\nValueError: a bug\n", NOW)
    return mail.mail_id


def test_held_mails_are_listed_and_shown(storage: Storage, call: Call) -> None:
    assert call("held", "list").output == "No mail is held.\n"
    number = hold(storage)
    listed = call("held", "list").output
    assert "ann@example.org" in listed
    assert "ValueError: a bug" in listed
    shown = call("held", "show", str(number)).output
    assert "Traceback" in shown
    assert "help" in shown
    assert call("held", "show", "--raw", str(number)).stdout_bytes == MAIL


def test_no_stranger_steers_the_keepers_terminal(storage: Storage, call: Call) -> None:
    evil = "\x07\x9b2J\u202e\u200b"
    call("mail", "--from", f'"{evil}x"@example.org', "--to", f"judge+{evil}@x.org", input=MAIL)
    number = storage.inbound.newest()
    with storage.transaction():
        storage.inbound.hold(number, f"ValueError: {evil}", NOW)
    for command in (("held", "list"), ("held", "show", str(number)), ("status",)):
        for form in ((), ("--json",)):
            assert not set(evil) & set(call(*command, *form).output) - {"2", "J"}
    assert json.loads(call("held", "list", "--json").output)[0]["from"] == f'"{evil}x"@example.org'


def test_a_held_mail_is_worked_again(storage: Storage, call: Call) -> None:
    number = hold(storage)
    assert call("held", "retry", str(number)).exit_code == 0
    assert storage.inbound.next_new() == number


def test_all_held_mails_are_worked_again(storage: Storage, call: Call) -> None:
    hold(storage)
    assert call("held", "retry", "--all").output == "1 to be processed again.\n"
    assert storage.inbound.count(InboundState.HELD) == 0


def test_what_is_not_held_is_said(storage: Storage, call: Call) -> None:
    result = call("held", "retry", "7")
    assert result.exit_code == 1
    assert "not held: 7" in result.stderr
    assert call("held", "show", "7").exit_code == 1
    assert call("held", "retry").exit_code == 2
    assert call("held", "retry", "--all", "7").exit_code == 2


def ask(storage: Storage) -> int:
    """A mail whose claimed sender was asked."""
    raw = MAIL.replace(b"help", b"SIGN ON fparis xyzzy42")
    mail = storage.inbound.accept(
        raw, door="smtp", envelope_from="ann@example.org", envelope_to=["j"], received_at=NOW
    )
    until = NOW + timedelta(days=14)
    with storage.transaction():
        storage.inbound.ask(mail.mail_id, NOW, "ann@example.org", None)
        storage.tickets.add(
            Ticket(kind="question", address="ann@example.org", mail_id=mail.mail_id,
                   created_at=NOW, expires_at=until)
        )  # fmt: skip
    return mail.mail_id


def test_mails_that_were_asked_about_are_listed_too(storage: Storage, call: Call) -> None:
    held, asked = hold(storage), ask(storage)
    rows = call("held", "list").output.splitlines()
    assert [row.split()[:2] for row in rows[1:]] == [[str(held), "held"], [str(asked), "asked"]]
    assert rows[2].endswith("ann@example.org was asked, until 2026-06-15")
    first, second = json.loads(call("held", "list", "--json").output)
    assert (first["id"], first["state"], first["asked"]) == (held, "held", None)
    assert first["problem"].endswith("ValueError: a bug\n")
    assert (second["id"], second["state"], second["problem"]) == (asked, "asked", None)
    assert second["asked"]["address"] == "ann@example.org"
    assert second["asked"]["until"] == "2026-06-15T12:00:00+00:00"
    assert call("held", "list", "--json").output.startswith("[")


def test_a_mail_is_shown_without_its_password(storage: Storage, call: Call) -> None:
    number = ask(storage)
    shown = call("held", "show", str(number)).output
    assert "was asked, until" in shown
    assert "SIGN ON fparis ********" in shown or "base64" in shown
    facts = json.loads(call("held", "show", "--json", str(number)).output)
    assert facts["state"] == "asked"
    assert "ann@example.org" in facts["message"]
    for output in (shown, facts["message"]):
        assert "xyzzy42" not in output


def test_only_who_was_asked_lets_a_mail_count(storage: Storage, call: Call) -> None:
    number = ask(storage)
    assert "not held" in call("held", "retry", str(number)).stderr
    assert call("held", "retry", "--all").output == "0 to be processed again.\n"
    assert storage.inbound.count(InboundState.ASKED) == 1


def test_a_mail_is_given_up(storage: Storage, call: Call) -> None:
    held, asked = hold(storage), ask(storage)
    assert call("held", "drop", str(held), str(asked), "--yes").output == "2 given up.\n"
    assert storage.inbound.count(InboundState.DONE) == 2
    mail = storage.inbound.find(asked)
    assert mail is not None
    assert b"xyzzy42" not in mail.raw
    again = call("held", "drop", str(held), "--yes")
    assert again.exit_code == 1
    assert f"not waiting: {held}" in again.stderr
    assert call("held", "list", "--json").output == "[]\n"


# judge game


def add_game(storage: Storage) -> None:
    with storage.transaction():
        game = storage.games.add(
            Game(name="paris", variant="standard", state=GameState.ACTIVE, phase="S1901M",
                 deadline=NOW, created_at=NOW,
                 position={"units": {"France": ["A par", "A mar"]}, "centers": {"France": ["par"]}})
        )  # fmt: skip
        storage.games.add(
            Game(name="old", variant="standard", state=GameState.ENDED, created_at=NOW)
        )
        storage.seats.add(
            Seat(game_id=game.id, person_id=None, role=Role.PLAYER, power="France", joined_at=NOW)
        )
        storage.orders(game.id).replace(
            "S1901M", "France", ["A par - bur"], arrived_at=NOW, mail_id=None
        )


def test_games_are_listed(storage: Storage, call: Call) -> None:
    assert call("game", "list").output == "There is no game.\n"
    add_game(storage)
    listed = call("game", "list").output
    assert "paris" in listed
    assert "2026-06-01 12:00" in listed
    assert "old" not in listed
    assert "old" in call("game", "list", "--all").output
    facts = json.loads(call("game", "list", "--json").output)
    assert [each["name"] for each in facts] == ["paris"]


def test_the_last_games_that_ended_are_listed(storage: Storage, call: Call) -> None:
    with storage.transaction():
        for number in range(12):
            at = NOW + timedelta(days=number)
            storage.games.add(
                Game(name=f"g{number}", variant="standard", state=GameState.ENDED,
                     created_at=NOW, ended_at=at,
                     outcome=StoredOutcome(StoredEnding.DRAW, ("France", "Italy")))
            )  # fmt: skip
    listed = [line.split()[0] for line in call("game", "list").output.splitlines()[1:]]
    assert listed == [f"g{number}" for number in range(2, 12)]
    page = call("game", "show", "g2").output
    assert "ORDERS IN" not in page
    assert "Ended: Wed 2026-06-03 12:00 UTC, by draw, France and Italy" in page


@pytest.mark.parametrize(
    ("line", "meant"),
    [(("stauts",), "status"), (("game", "lst"), "list"), (("player", "shwo", "ann"), "show")],
)
def test_a_misspelled_command_gets_a_suggestion(
    line: tuple[str, ...], meant: str, call: Call
) -> None:
    result = call(*line)
    assert result.exit_code == 2
    assert f"Did you mean '{meant}'?" in result.stderr


def test_a_game_is_shown(storage: Storage, call: Call) -> None:
    add_game(storage)
    page = call("game", "show", "paris").output
    assert "S1901M" in page
    row = next(line for line in page.splitlines() if line.startswith("France"))
    assert row.split() == ["France", "1", "2", "1", "nobody"]
    assert "Phase: Spring 1901, movement (S1901M), deadline Mon 2026-06-01 12:00 UTC" in page
    assert not {"{", "null", "None"} & set(page.split())
    facts = json.loads(call("game", "show", "PARIS", "--json").output)
    assert facts["orders_in"] == {"France": 1}


def test_who_is_not_reached_is_marked(storage: Storage, call: Call) -> None:
    add_game(storage)
    with storage.transaction():
        person = storage.people.add(Person(name=Outward("Max"), created_at=NOW))
        storage.people.add_address(person.id, "max@example.org", NOW)
        storage.seats.add(Seat(game_id=1, person_id=person.id, role=Role.MASTER, joined_at=NOW))
    assert "come back" not in call("game", "show", "paris").output
    with storage.transaction():
        (address,) = storage.people.addresses(person.id)
        address.state = AddressState.FAILING
        storage.people.save_address(address)
    page = call("game", "show", "paris").output
    assert "Master: Max <max@example.org>, messages come back" in page
    seats = json.loads(call("game", "show", "paris", "--json").output)["seats"]
    assert [seat["unreached"] for seat in seats] == [False, True]


def test_an_unknown_game_is_refused(storage: Storage, call: Call) -> None:
    result = call("game", "show", "rome")
    assert result.exit_code == 1
    assert "there is no game rome" in result.stderr
    add_game(storage)
    assert "did you mean paris?" in call("game", "show", "pairs").stderr
    assert "Traceback" not in result.stderr


def test_a_broken_configuration_is_explained(home: Path, call: Call) -> None:
    (home / "judge.toml").write_text("[smtp]\nport = 70000\n")
    result = call("game", "list")
    assert result.exit_code == 1
    assert "smtp.port: 65535 or less is allowed" in result.stderr
    assert "judge: it is required" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("backup", "a" * 300), 1, "File name too long"),
        (("variant", "show", "a" * 300), 1, "File name too long"),
        (("read", "/proc/self/mem"), 1, "Input/output error"),
        (("game", "set", "paris", "--file", sys.executable), 1, "is no text in UTF-8"),
        (("held", "show", "9" * 20), 2, "not in the range"),
        (("held", "drop", "--yes", "9" * 20), 2, "not in the range"),
    ],
)
def test_what_cannot_be_read_is_one_line(
    home: Path, call: Call, arguments: tuple[str, ...], code: int, said: str
) -> None:
    result = call(*arguments)
    assert (result.exit_code, said in result.stderr) == (code, True), result.stderr
    assert result.stderr.count("Error: ") == 1


def test_shells_can_complete_commands(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (
        ("_JUDGE_COMPLETE", "bash_complete"),
        ("COMP_WORDS", "judge game sh"),
        ("COMP_CWORD", "2"),
    ):
        monkeypatch.setenv(name, value)
    assert "show" in call("").output
