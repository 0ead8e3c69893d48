"""LIST in full, and all help pages at once."""

from __future__ import annotations

from tests.game.play import Play


def test_a_full_entry_shows_what_is_special_and_nobodys_address(play: Play) -> None:
    play.send(
        "max",
        "CREATE ?paris standard, PUBLIC, NO DIAS, CENTERS 20, ALLOW PLAYER eve@people.example",
    )
    play.send("max", "CREATE ?rome standard, PUBLIC, PLAYERS 3")
    play.send("max", "CREATE ?secret standard")
    play.send("zoe", "REGISTER")
    text = " ".join(play.send("zoe", "LIST FULL").text.split())
    assert "paris: Diplomacy (standard)" in text
    assert "Draws: any that all agree on." in text
    assert "Victory: 20 centers" in text
    assert "rome: Diplomacy (standard)" in text
    assert "Number of players: 3." in text
    assert "secret" not in text
    assert "eve@people.example" not in text


def test_an_entry_says_whether_orders_are_missing_and_not_whose(play: Play) -> None:
    play.start()
    assert "Orders of some power are missing." in play.send("zoe", "LIST paris").text


def test_a_package_has_all_pages(play: Play) -> None:
    play.send("ann", "REGISTER")
    text = play.send("ann", "GET PACKAGE").text
    for page in ("guide", "orders", "press", "deadlines"):
        heading = play.send("ann", f"GET {page}").text.splitlines()[4]
        assert heading.strip()
        assert heading in text
