"""Commands look into one house, by default the main one; mail by a pipe finds its own."""

from __future__ import annotations

from pathlib import Path

from judge.storage import Storage
from tests.cli.conftest import Call
from tests.storage.test_contract import add_game

CLUB = '\n[[houses]]\nkey = "club"\naddress = "club@example.org"\nname = "The Club"\n'


def test_a_command_is_for_one_house(home: Path, storage: Storage, call: Call) -> None:
    add_game(storage.of("club"), name="rome")
    add_game(storage.of(""), name="paris")
    file = home / "judge.toml"
    file.write_text(file.read_text() + CLUB)
    assert "rome" not in call("game", "list").stdout
    listed = call("--house", "club", "game", "list").stdout
    assert "rome" in listed
    assert "paris" not in listed
    assert call("game", "show", "rome").exit_code == 1
    done = call("--house", "club", "game", "do", "rome", "SET PRESS GREY")
    assert done.exit_code == 0, done.stderr
    club = storage.of("club")
    found = club.games.by_name("rome")
    assert found is not None
    assert found.settings["press"] == "grey"
    rules = call("--house", "club", "house", "rules", "Be kind.")
    assert rules.exit_code == 0, rules.stderr
    assert club.keeper_settings.get("rules") == "Be kind."
    assert storage.keeper_settings.get("rules") is None
    wrong = call("--house", "clap", "game", "list")
    assert wrong.exit_code == 1
    assert "there is no house clap" in wrong.stderr
    assert call("--house", "club", "status").exit_code == 2


def test_a_mail_by_the_pipe_is_of_the_house_it_is_for(
    home: Path, storage: Storage, call: Call
) -> None:
    file = home / "judge.toml"
    file.write_text(file.read_text() + CLUB)
    mail = "From: ann@x.example\nTo: {to}\nMessage-ID: <{to}>\n\nHELP\n"
    for to in ("club@example.org", "judge@example.org"):
        assert call("mail", input=mail.format(to=to)).exit_code == 0
    said = ("mail", "--to", "club+x@example.org")
    assert call(*said, input=mail.format(to="undisclosed@x.example")).exit_code == 0
    assert [storage.houses.of_mail(each) for each in (1, 2, 3)] == ["club", "", "club"]
