"""INVITE and REPLACE: one letter to each address, which a YES follows and a NO ends for good."""

from __future__ import annotations

import pytest

from tests.game.play import ADDRESS, Play, Received
from tests.game.test_trust import paris

LEE = "lee@new.example"


def invitations(play: Play) -> dict[str, Received]:
    return {each.to: each for each in play.letters() if each.kind == "invitation"}


@pytest.fixture
def host(play: Play) -> Play:
    play.send("max", "CREATE ?paris")
    play.letters()
    return play


@pytest.mark.parametrize("who", [LEE, "zoe@people.example"])
def test_a_yes_to_an_invitation_joins(host: Play, who: str) -> None:
    host.send("zoe", "REGISTER")
    host.send("max", f"INVITE {who}")
    letter = invitations(host)[who]
    assert "paris" in letter.text
    assert "Max" in letter.text
    assert "people.example" not in letter.text
    host.send(who, "Yes, please", answers=letter)
    assert [paris(host).seats.person(seat).name for seat in paris(host).seats][1:] == [
        who.partition("@")[0].capitalize()
    ]


def test_nobody_else_can_say_yes(host: Play) -> None:
    host.send("max", f"INVITE {LEE}")
    letter = invitations(host)[LEE]
    host.mail("eve@evil.example", "YES", answers=letter)
    host.mail(LEE, "YES", to=ADDRESS)
    host.run()
    assert len(paris(host).seats) == 1


def test_each_address_is_written_to_once_for_a_game(host: Play) -> None:
    host.send("max", f"INVITE {LEE}")
    assert LEE in invitations(host)
    assert "has been invited" in host.send("max", f"INVITE {LEE.upper()}").text
    host.send("max", "CREATE ?rome")
    assert "tomorrow" in host.send("max", f"SIGN ON mrome\nINVITE {LEE}").text
    assert invitations(host) == {}
    host.clock.advance(days=1, minutes=1)
    assert "has been invited" not in host.send("max", f"SIGN ON mrome\nINVITE {LEE}").text
    assert LEE in invitations(host)


def test_who_says_no_is_never_invited_again(host: Play) -> None:
    host.send("max", f"INVITE {LEE}")
    host.send(LEE, "No, thanks", answers=invitations(host)[LEE])
    host.letters()
    host.clock.advance(days=1, minutes=1)
    host.send("max", "CREATE ?rome")
    again = host.send("max", f"SIGN ON mrome\nINVITE {LEE}")
    assert "unless they" in again.text, "who wants none is nobody's business"
    assert invitations(host) == {}
    host.send(LEE, "SET INVITATIONS")
    host.clock.advance(days=1, minutes=1)
    host.send("max", f"CREATE ?oslo\nINVITE {LEE}")
    assert LEE in invitations(host)


def test_nobody_writes_to_the_world_through_us(host: Play) -> None:
    addresses = [f"p{number}@new.example" for number in range(15)]
    host.send("max", "\n".join(f"INVITE {each}" for each in addresses))
    assert len(invitations(host)) == 10
    host.send("max", "CREATE ?rome")
    assert "in a day" in host.send("max", "SIGN ON mrome\nINVITE q@new.example").text
    host.clock.advance(days=1, minutes=1)
    host.send("max", "SIGN ON mrome\nINVITE q@new.example")
    assert set(invitations(host)) == {"q@new.example"}


def test_strangers_and_forgers_invite_nobody(host: Play) -> None:
    host.send("zoe", f"SIGN ON paris\nINVITE {LEE}")
    host.send("zoe", f"OBSERVE paris\nINVITE {LEE}")
    host.mail("max", f"INVITE {LEE}", to=ADDRESS)
    host.run()
    assert not [each for each in host.storage.outbound.of_mail(1) if each.recipient == LEE]
    assert invitations(host) == {}


def test_a_player_is_replaced(play: Play) -> None:
    play.start()
    asked = play.send("max", f"REPLACE france WITH {LEE}")
    assert paris(play).seats.player("France") is not None
    play.letters()
    play.send("max", "YES", answers=asked)
    assert paris(play).seats.player("France") is None
    letter = invitations(play)[LEE]
    assert "France" in letter.text
    play.send(LEE, "YES", answers=letter)
    seat = paris(play).seats.player("France")
    assert seat is not None
    assert paris(play).seats.person(seat).name == "Lee"
