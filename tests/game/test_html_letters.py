"""The HTML part of letters: beside the whole plain one, closed to what people write, answerable."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.message import EmailMessage
from urllib.parse import quote, unquote

import css_inline
import lxml.html
import pytest
from lxml import etree

from judge.data import data_path
from judge.demo import clients, mail_programs
from judge.demo.clients import Client, ComposedMail
from judge.messages import html_message
from tests.game.play import Play, Received

CLIENTS = (
    clients.gmail,
    clients.outlook,
    clients.iphone,
    clients.proton,
    clients.k9,
    clients.mutt,
    clients.thunderbird,
)


def html_of(letter: Received) -> str:
    part = letter.message.get_body(("html",))
    assert isinstance(part, EmailMessage)
    return str(part.get_content())


def words(text: str) -> set[str]:
    return set(re.findall(r"[^\W_]{2,}", text.casefold()))


def test_html_stands_beside_the_plain_text_and_says_the_same(play: Play) -> None:
    letters = [*play.start().values(), play.send("cleo", "A Par - Bur\nnonsense\nSUMMARY\nHELP")]
    letters += play.letters()
    for letter in letters:
        body = letter.message
        while body.get_content_type() == "multipart/mixed":
            body = next(part for part in body.iter_parts() if isinstance(part, EmailMessage))
        plain, shown = body.iter_parts()
        assert plain.get_content_type() == "text/plain"
        assert shown.get_content_type() in ("text/html", "multipart/related")
        page = lxml.html.document_fromstring(html_of(letter))
        said = words(" ".join(page.itertext()))
        # What each power has is listed by codes, and of the draw its seed and seal.
        lists = r"(?s)^WHERE EVERYBODY.*?(?=^TALK TO)|^THE POWER ASSIGNMENT, FOR ANYBODY.*"
        text = re.sub(lists, "", letter.text, flags=re.MULTILINE)
        assert words(text) - said == set(), letter.subject


def styles(page: str) -> list[tuple[str, str | None, set[str]]]:
    """Each element with its class and the declarations of its style."""
    elements = lxml.html.document_fromstring(page).iter(etree.Element)
    return [
        (each.tag, each.get("class"), set(each.get("style", "").split(";")))
        for each in elements
        if each.tag != "tbody"
    ]


def test_each_element_has_the_style_that_the_sheet_gives_it_where_it_stands(play: Play) -> None:
    sheet = data_path("templates") / "letters" / "html" / "letter.css"
    inliner = css_inline.CSSInliner(
        extra_css=sheet.read_text(encoding="utf-8"),
        inline_style_tags=False,
        keep_style_tags=True,
        minify_css=True,
    )
    letters = [*play.start().values(), play.send("cleo", "A Par - Bur\nnonsense\nSUMMARY\nHELP")]
    letters += [*play.lapse(), *play.letters()]
    for page in map(html_of, letters):
        # The badge has colors of its own, and each picture a width.
        bare = re.sub(r' style="(?!width:40px|[^"]*max-width:608px")[^"]*"', "", page)
        assert styles(page) == styles(inliner.inline(bare))


def test_a_start_letter_has_its_calendar_entry_as_before(play: Play) -> None:
    start = play.start()["cleo"]
    kinds = [part.get_content_type() for part in start.message.iter_parts()]
    assert kinds == ["multipart/alternative", "text/calendar", "application/json"]


def test_nothing_is_fetched_from_anywhere(play: Play) -> None:
    for letter in [*play.start().values(), play.send("cleo", "HELP")]:
        tree = lxml.html.document_fromstring(html_of(letter))
        assert not tree.xpath("//script | //link | //iframe | //object | //form | //*[@srcset]")
        assert all(each.startswith("cid:") for each in tree.xpath("//@src"))
        assert all(each.startswith("mailto:") for each in tree.xpath("//@href"))
        assert "url(" not in html_of(letter)
        assert "http" not in html_of(letter)


def test_what_people_write_is_never_markup(play: Play) -> None:
    play.start()
    evil = "<script>alert(1)</script> {{ 7 * 191 }} {% raw %} <b>bold</b> &amp;"
    letters = [play.send("cleo", f"A par {evil}\nSET COMMENT {evil}\nPRESS TO E\n{evil}\nENDPRESS")]
    letters += play.letters()
    assert any(letter.kind == "press" for letter in letters)
    for letter in letters:
        page = html_of(letter)
        tree = lxml.html.document_fromstring(page)
        assert not tree.xpath("//script | //b")
        assert "1337" not in page
        if letter.kind == "press":
            assert evil in " ".join(tree.text_content().split())


def test_the_sheet_starts_an_answer_with_a_line_for_each_unit(play: Play) -> None:
    start = play.start()["cleo"]
    link, *_ = lxml.html.document_fromstring(html_of(start)).xpath("//a/@href")
    address = re.search(r"<(.+)>", str(start.message["Reply-To"]))
    assert address is not None
    assert link.startswith(f"mailto:{address[1].replace('+', '%2B')}?subject=Re%3A%20JUDGE%3Aparis")
    assert link.endswith("&body=F%20bre%20%0D%0AA%20mar%20%0D%0AA%20par%20%0D%0A")


def buttons(letter: Received) -> list[str]:
    """The lines that the buttons of a letter write."""
    tree = lxml.html.document_fromstring(html_of(letter))
    links = tree.xpath("//a[@class='button']/@href")
    return [unquote(link.partition("body=")[2]).strip() for link in links]


def test_letters_that_want_an_answer_have_a_button_for_it(play: Play) -> None:
    play.send("max", "CREATE ?rome\nINVITE kim@people.example")
    (invitation,) = [each for each in play.run() if each.kind == "invitation"]
    assert buttons(invitation) == ["YES", "NO"]
    play.start()
    assert buttons(play.send("gwen", "RESIGN")) == ["YES"]
    play.send("dora", "EXTEND 24H")
    (proposal,) = [each for each in play.letters() if each.kind == "proposal"]
    assert buttons(proposal) == ["YES", "NO"]
    # A press of the button is an answer to the letter.
    (link, _) = lxml.html.document_fromstring(html_of(proposal)).xpath("//a[@class='button']/@href")
    assert f"subject={quote('Re: ' + proposal.subject)}" in link
    play.send("max", "YES", answers=proposal)
    assert "deadline" in {each.kind for each in play.letters()}


def test_each_letter_names_its_phase_once(play: Play) -> None:
    play.start()
    play.send("max", "SET COMMENT slow")
    (letter, *_) = [each for each in play.letters() if each.kind == "settings"]
    top = lxml.html.document_fromstring(html_of(letter)).xpath("//td[@class='what']")[0]
    assert "S1901M" not in letter.text
    assert "S1901M" not in top.text_content()
    assert "Spring 1901, movement" in top.text_content()


def test_who_is_late_or_gone_can_still_write_at_once(play: Play) -> None:
    play.start()
    found = play.lapse() if play.send("max", "SET NMR") else []
    for kind in ("late", "abandoned"):
        letter = next(each for each in found if each.kind == kind and each.to.startswith("cleo"))
        assert buttons(letter) == ["F bre \r\nA mar \r\nA par"], kind
        assert letter.text.count("NO ORDER YET") == 3


def test_who_wants_plain_text_gets_plain_text(play: Play) -> None:
    play.start()
    assert play.send("cleo", "SET NO HTML").message.get_body(("html",)) is None
    assert play.send("cleo", "A par H").message.get_content_type() == "text/plain"
    assert play.send("dora", "A ber H").message.get_body(("html",)) is not None
    assert play.send("cleo", "SET HTML").message.get_body(("html",)) is not None


def test_what_is_too_large_for_mail_programs_comes_as_plain_text(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    play.start()
    monkeypatch.setattr(html_message, "LARGEST", 3_000)
    assert play.send("cleo", "SUMMARY").message.get_body(("html",)) is None


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.__name__)
def test_no_order_is_lost_in_an_answer_that_quotes_html(play: Play, client: Client) -> None:
    letter = play.start()["cleo"]
    typed = "A Par - Bur\nA Mar S A Par - Bur\nF Bre - Mao"
    to = re.search(r"<(.+)>", str(letter.message["Reply-To"]))
    assert to is not None
    now = datetime(2026, 6, 1, 13, 0, tzinfo=UTC)
    draft = ComposedMail(
        "Cleo", "cleo@people.example", to[1], "", typed, now, mail_programs.Received(letter.message)
    )
    raw = client(draft).replace("\n", "\r\n").encode()
    mail_id = play.raw(raw, "cleo@people.example", [to[1]])
    play.letters()
    play.judge.process_message(mail_id)
    (reply,) = play.letters()
    assert "France: all orders are in." in reply.text
    assert "LINES I COULD NOT USE" not in reply.text
    assert "nobody received" not in reply.text


def taps(letter: Received) -> list[str]:
    """What the links of a letter write to the judge."""
    return [unquote(each) for each in re.findall(r'[?&](?:amp;)?body=([^"]*)"', html_of(letter))]


HOLDING = "A par H\nA mar H\nF bre H"


def test_a_vote_that_ended_is_cast_again_by_one_tap(play: Play) -> None:
    play.start("NMR")
    assert "SET NO DRAW" in taps(play.send("cleo", f"{HOLDING}\nSET DRAW"))
    play.letters()
    results = {each.to[:4]: each for each in play.lapse() if each.kind == "results"}
    assert "SET DRAW" in taps(results["cleo"])
    assert "reply SET DRAW" in " ".join(results["cleo"].text.split())
    assert "SET DRAW" not in html_of(results["dora"])
    again = play.send("cleo", "SET DRAW", answers=results["cleo"])
    assert "votes for a draw" in " ".join(again.text.split())


def of(letters: list[Received], who: str) -> Received:
    """The one of these letters that is somebody's."""
    (found,) = (each for each in letters if each.to.startswith(who))
    return found


def test_orders_that_can_be_given_again_are_given_by_one_tap(play: Play) -> None:
    play.start("NMR")
    play.send("cleo", HOLDING)
    play.send("dora", "A mun H\nA ber H\nF kie - den")
    play.letters()
    letters = [each for each in play.lapse() if each.kind == "results"]
    line = "SAME AS LAST TIME"
    found = of(letters, "cleo")
    assert line in taps(found)
    assert line in found.text
    # A fleet that has moved has no order to give again.
    moved = of(letters, "dora")
    assert line not in moved.text + html_of(moved)
    answer = play.send("cleo", line, answers=found)
    assert "France: all orders are in." in answer.text


def test_what_is_on_file_is_kept_by_one_tap_and_the_rest_holds(play: Play) -> None:
    play.start()
    play.send("cleo", "A par - bur")
    found: list[Received] = []
    while not found:
        found = [each for each in play.wake() if each.kind == "reminder"]
    reminder = of(found, "cleo")
    (body,) = (each for each in taps(reminder) if each.startswith("SAME AS LAST TIME"))
    assert f"  {body.replace(chr(10), chr(10) + '  ')}\n" in reminder.text
    assert "SAME AS LAST TIME" not in of(found, "dora").text
    answer = play.send("cleo", body, answers=reminder)
    assert "France: all orders are in." in answer.text
    assert "par-bur" in answer.text.replace(" ", "").lower()


def test_a_vote_for_some_is_repeated_for_the_same(play: Play) -> None:
    play.start("NMR, NO DIAS")
    play.send("cleo", f"{HOLDING}\nSET DRAW FIT")
    play.letters()
    results = next(
        each for each in play.lapse() if each.kind == "results" and each.to.startswith("cleo")
    )
    assert "SET DRAW FIT" in taps(results)


def test_a_reminder_offers_more_time_by_one_tap(play: Play) -> None:
    play.start()
    found: list[Received] = []
    while not found:
        found = [each for each in play.wake() if each.kind == "reminder"]
    assert "EXTEND 24H" in taps(found[0])
    asked = play.send(found[0].to, "EXTEND 24H", answers=found[0])
    assert [each.kind for each in play.letters()].count("proposal") == 1, asked.text
