"""Letters that come back: the address is marked, others are used, the right people are told."""

from __future__ import annotations

from datetime import timedelta

import pytest

from judge.storage import Address, OutboundMessage, Role, SeatState
from tests.game.play import ADDRESS, KEEPER, Play
from tests.game.test_service import paris

CLEO = "cleo@people.example"
OTHER = "cleo@elsewhere.example"


def dsn(
    recipient: str = CLEO,
    status: str = "5.1.1",
    action: str = "failed",
    said: str = "550 Unknown user",
) -> bytes:
    return (
        f"From: MAILER-DAEMON@mx.people.example\nTo: {ADDRESS}\nSubject: Undelivered\n"
        f"Message-ID: <{status}.{action}.{recipient}>\nAuto-Submitted: auto-replied\n"
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n"
        "--b\nContent-Type: text/plain\n\nIt did not arrive.\n"
        "--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx\n\n"
        f"Final-Recipient: rfc822; {recipient}\nAction: {action}\nStatus: {status}\n"
        f"Diagnostic-Code: smtp; {said}\n\n--b--\n"
    ).encode()


def letter_to(play: Play, who: str, kind: str) -> OutboundMessage:
    """The last letter of a kind to somebody."""
    found = [
        letter
        for number in range(1, 400)
        if (letter := play.storage.outbound.find(number)) is not None
        and letter.recipient == who
        and letter.kind == kind
    ]
    return found[-1]


def returned(play: Play, letter: OutboundMessage, raw: bytes | None = None, to: str = "") -> None:
    """A mail system sends a bounce to the return path of a letter, and it is processed."""
    accepted = play.storage.inbound.accept(
        raw or dsn(letter.recipient),
        door="smtp",
        envelope_from="",
        envelope_to=[to or letter.envelope_from],
        received_at=play.clock.now(),
    )
    play.judge.process_message(accepted.mail_id)
    assert not accepted.duplicate


def address(play: Play, of: str = CLEO) -> Address:
    person = play.storage.people.by_address(of)
    assert person is not None
    return next(each for each in play.storage.people.addresses(person.id) if each.address == of)


@pytest.fixture
def started(play: Play) -> Play:
    play.start()
    play.letters()
    return play


def test_each_letter_has_a_return_path_of_its_own(play: Play) -> None:
    play.start()
    numbers = range(1, 60)
    letters = [letter for number in numbers if (letter := play.storage.outbound.find(number))]
    paths = [letter.envelope_from for letter in letters]
    assert len(set(paths)) == len(paths) > 10
    local, _, domain = ADDRESS.partition("@")
    assert all(path.startswith(f"{local}+") and path.endswith(f"@{domain}") for path in paths)
    # It is seen on the envelope alone, so that nobody who has the letter can write to it.
    assert not any(letter.envelope_from.encode() in letter.raw for letter in letters)


def test_a_hard_bounce_marks_the_address_and_the_master_is_told_at_once(started: Play) -> None:
    returned(started, letter_to(started, CLEO, "start"))
    assert address(started).state == "failing"
    told = started.letters()
    assert [(letter.kind, letter.to) for letter in told] == [("unreached", "max@people.example")]
    assert "France" in told[0].text
    assert CLEO not in told[0].text
    assert told[0].sender == "paris: Messages do not reach France"
    # A second one is no news.
    returned(started, letter_to(started, CLEO, "start"), dsn(status="5.1.2"))
    assert started.letters() == []


def test_he_is_still_written_to_and_the_master_hears_again_with_the_reminder(
    started: Play,
) -> None:
    returned(started, letter_to(started, CLEO, "start"))
    started.letters()
    letters = started.wake()
    reminded = {letter.to for letter in letters if letter.kind == "reminder"}
    assert CLEO in reminded
    assert [letter.to for letter in letters if letter.kind == "unreached"] == ["max@people.example"]


def test_after_a_month_nothing_more_is_sent_there(started: Play) -> None:
    returned(started, letter_to(started, CLEO, "start"))
    started.clock.advance(days=31)
    letters = started.run()
    assert CLEO not in {letter.to for letter in letters}
    assert "bob@people.example" in {letter.to for letter in letters}


def test_a_mail_from_the_address_heals_it_and_he_hears_what_was(started: Play) -> None:
    returned(started, letter_to(started, CLEO, "start"))
    reply = started.send("cleo", "A Par - Bur")
    assert "Messages to cleo@people.example came back (550 Unknown user)" in reply.text
    assert address(started).state == "active"
    assert "came back" not in started.send("cleo", "STATUS").text
    # And it can fail again.
    returned(started, letter_to(started, CLEO, "start"), dsn(status="5.1.6"))
    assert address(started).state == "failing"


def test_other_addresses_are_used_once_proved(started: Play) -> None:
    cleo = address(started)
    with started.storage.transaction():
        started.storage.people.save_address(cleo)
        started.storage.people.prove(CLEO)
        started.storage.people.add_address(cleo.person_id, OTHER, started.clock.now(), proved=True)
        started.storage.people.add_address(
            cleo.person_id, "unproved@people.example", started.clock.now()
        )
    returned(started, letter_to(started, CLEO, "start"))
    (moved,) = started.letters()
    assert (moved.kind, moved.to) == ("moved", OTHER)
    assert "You play France." in " ".join(moved.text.split())
    letters = started.wake()
    assert OTHER in {letter.to for letter in letters if letter.kind == "reminder"}
    assert not [letter for letter in letters if letter.kind == "unreached"]
    # When that one fails as well, the master has to know.
    returned(started, letter_to(started, OTHER, "reminder"))
    assert [letter.kind for letter in started.letters()] == ["unreached"]
    reply = started.send(OTHER, "STATUS")
    assert f"Messages to {OTHER} came back" in reply.text
    assert address(started).state == "failing"


def test_without_a_master_the_keeper_is_told(play: Play) -> None:
    play.start()
    with play.storage.transaction():
        state = paris(play)
        for seat in state.seats.active(Role.MASTER):
            seat.state = SeatState.RESIGNED
            state.seats.keep(seat)
    play.letters()
    returned(play, letter_to(play, CLEO, "start"))
    assert [(each.kind, each.to) for each in play.letters()] == [("unreached", KEEPER)]


def test_a_host_that_is_unknown_is_believed_on_the_second_day(started: Play) -> None:
    unknown = dsn(status="5.1.2", said="550 5.1.2 Host unknown")
    letter = letter_to(started, CLEO, "start")
    returned(started, letter, unknown)
    started.clock.advance(hours=2)
    returned(started, letter, unknown.replace(b"<5.1.2", b"<again.5.1.2"))
    assert address(started).state == "active"
    started.clock.advance(days=1)
    returned(started, letter, unknown.replace(b"<5.1.2", b"<later.5.1.2"))
    assert address(started).state == "failing"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("550 5.1.0 Your host is not allowed to send mail here: banned", "It blocks the server"),
        ("550 5.1.1 Listed at zen.spamhaus.org", "blocklist named above"),
        ("550 5.7.26 Fails DMARC", "SPF, DKIM, and DMARC"),
        ("554 5.7.1 Spam", "took the message for spam"),
    ],
)
def test_of_mail_that_is_refused_the_keeper_hears_once_a_day(
    started: Play, said: str, told: str
) -> None:
    refusal = dsn(said=said)
    letter = letter_to(started, CLEO, "start")
    returned(started, letter, refusal)
    (heard,) = started.letters()
    assert (heard.kind, heard.to) == ("refused", KEEPER)
    assert "people.example" in heard.subject
    assert said in heard.text
    assert told in " ".join(heard.text.split())
    assert address(started).state == "active"
    # Other addresses there are no news; what comes back from the keeper is told to nobody.
    other = letter_to(started, "bob@people.example", "start")
    returned(started, other, dsn("bob@people.example", said=said))
    assert started.letters() == []
    keeper_s = letter_to(started, KEEPER, "refused")
    returned(started, keeper_s, dsn(KEEPER, said=said))
    assert started.letters() == []
    started.clock.advance(hours=25)
    started.letters()
    returned(started, letter, refusal.replace(b"<5.1.1", b"<later.5.1.1"))
    assert [each.kind for each in started.letters()] == ["refused"]


def test_soft_failures_mark_it_after_days_only(started: Play) -> None:
    letter = letter_to(started, CLEO, "start")
    for hours, state in ((4, "active"), (44, "active"), (26, "failing")):
        started.clock.advance(hours=hours)
        returned(started, letter, dsn(status=f"4.4.{hours}", action="delayed"))
        assert address(started).state == state


def test_a_mail_between_them_begins_the_count_anew(started: Play) -> None:
    first = letter_to(started, CLEO, "start")
    returned(started, first, dsn(status="4.4.1", action="delayed"))
    started.send("cleo", "A Par - Bur")
    started.clock.advance(days=14)
    started.run()
    returned(started, letter_to(started, CLEO, "late"), dsn(status="4.4.7"))
    assert address(started).state == "active"


@pytest.mark.parametrize("changed", ["", "judge@judge.example", "first", "last", "purpose"])
def test_a_forged_bounce_marks_nothing(started: Play, changed: str) -> None:
    """Neither to our address, nor to a return path that was altered, nor to a reply address."""
    letter = letter_to(started, CLEO, "start")
    path = letter.envelope_from
    local, _, domain = path.partition("@")
    token = local.partition("+")[2]
    to = {
        "": ADDRESS,
        "judge@judge.example": "judge@judge.example",
        "first": f"judge+{token[0]}{'a' if token[1] != 'a' else 'b'}{token[2:]}@{domain}",
        "last": f"judge+{token[:-1]}{'a' if token[-1] != 'a' else 'b'}@{domain}",
        "purpose": f"judge+r{token[1:]}@{domain}",
    }[changed]
    assert to != path
    returned(started, letter, to=to)
    assert address(started).state == "active"
    assert started.letters() == []
    assert started.storage.bounces.of(CLEO) == []


def test_where_no_envelope_is_known_a_field_names_the_path(started: Play) -> None:
    """Mail that came by a pipe or a mailbox."""
    path = letter_to(started, CLEO, "start").envelope_from
    raw = f"Delivered-To: {path}\nReturn-Path: <>\n".encode() + dsn()
    accepted = started.storage.inbound.accept(
        raw, door="pipe", envelope_from=None, envelope_to=[], received_at=started.clock.now()
    )
    started.judge.process_message(accepted.mail_id)
    assert address(started).state == "failing"


def test_what_a_bounce_says_of_others_is_not_believed(started: Play) -> None:
    returned(started, letter_to(started, CLEO, "start"), dsn("bob@people.example"))
    assert address(started).state == "failing"
    assert address(started, "bob@people.example").state == "active"


@pytest.mark.parametrize(
    "fields",
    [
        "Auto-Submitted: auto-replied\nSubject: Out of office",
        "Subject: Re: JUDGE:paris - S1901M Start",
        "Content-Type: multipart/report; report-type=disposition-notification; boundary=b",
    ],
)
def test_other_mail_to_a_return_path_means_nothing(started: Play, fields: str) -> None:
    raw = f"From: {CLEO}\n{fields}\n\nA Par - Bur\nI am away.\n".encode()
    returned(started, letter_to(started, CLEO, "start"), raw)
    assert address(started).state == "active"
    assert started.letters() == []
    assert paris(started).orders == {}


def test_a_letter_to_a_stranger_that_comes_back_is_nobodys(play: Play) -> None:
    play.send("zoe", "HELP")
    play.letters()
    returned(play, letter_to(play, "zoe@people.example", "welcome"))
    assert play.letters() == []


def test_what_our_own_relay_refuses_counts_the_same(started: Play) -> None:
    letter = letter_to(started, CLEO, "start")
    started.judge.message_failed(letter, "550 5.1.1 No such user")
    kept = started.storage.outbound.find(letter.id)
    assert kept is not None
    assert kept.state == "failed"
    assert address(started).state == "failing"
    assert [each.kind for each in started.letters()] == ["unreached"]


def test_what_could_not_be_sent_for_days_counts_as_well(started: Play) -> None:
    letter = letter_to(started, CLEO, "start")
    started.clock.advance(days=5)
    started.judge.message_failed(letter, "451 4.4.1 No answer from host")
    assert address(started).state == "failing"
    assert started.storage.bounces.of(CLEO)[0].at - letter.queued_at == timedelta(days=5)


# Masters, the all-clear, and deadlines

MAX = "max@people.example"


def test_the_keeper_hears_once_of_a_master_who_is_not_reached_and_when_he_is_again(
    started: Play,
) -> None:
    returned(started, letter_to(started, MAX, "start"))
    told = started.letters()
    assert [(each.kind, each.to) for each in told] == [("master_unreached", KEEPER)]
    assert told[0].subject == "JUDGE:paris - Messages do not reach the game master"
    assert "Max, a game master of paris" in told[0].text
    returned(started, letter_to(started, MAX, "start"), dsn(status="5.1.2"))
    started.clock.advance(days=14)
    kinds = [each.kind for each in started.run()]
    assert "master_unreached" not in kinds
    assert "reached" not in kinds
    started.mail("max", "STATUS")
    told = [each for each in started.run() if each.kind == "reached"]
    assert [each.to for each in told] == [KEEPER]
    assert "Messages reach the game master again" in told[0].subject
    started.mail("max", "STATUS\nwell")
    assert "reached" not in [each.kind for each in started.run()]


def test_the_master_hears_that_a_player_is_reached_again(started: Play) -> None:
    returned(started, letter_to(started, CLEO, "start"))
    started.letters()
    started.mail("cleo", "A Par H")
    told = [each for each in started.run() if each.kind == "reached"]
    assert [each.to for each in told] == [MAX]
    assert told[0].sender == "paris: Messages reach France again"
    assert CLEO not in told[0].text


def test_another_address_is_an_all_clear_as_well(started: Play) -> None:
    returned(started, letter_to(started, CLEO, "start"))
    cleo = address(started)
    with started.storage.transaction():
        started.storage.people.add_address(cleo.person_id, OTHER, started.clock.now(), proved=True)
    started.letters()
    started.mail(OTHER, "STATUS", to=started.last_reply_to(CLEO))
    assert [each.to for each in started.run() if each.kind == "reached"] == [MAX]


def test_of_a_player_under_a_master_who_is_not_reached_either_the_keeper_hears(
    started: Play,
) -> None:
    returned(started, letter_to(started, MAX, "start"))
    started.letters()
    returned(started, letter_to(started, CLEO, "start"))
    assert [(each.kind, each.to) for each in started.letters()] == [("unreached", KEEPER)]


def test_a_full_mailbox_is_told_before_the_deadline_not_days_after(started: Play) -> None:
    full = dsn(status="4.2.2", action="failed")
    returned(started, letter_to(started, CLEO, "start"), full)
    assert started.letters() == []
    letters = started.wake()
    deadline = paris(started).game.deadline
    assert deadline is not None
    assert started.clock.now() < deadline
    assert CLEO in [each.to for each in letters if each.kind == "reminder"]
    assert [each.to for each in letters if each.kind == "unreached"] == [MAX]
    assert address(started).state == "active"


def test_a_reminder_that_comes_back_is_told_at_once(started: Play) -> None:
    started.wake()
    returned(started, letter_to(started, CLEO, "reminder"), dsn(status="4.4.1", action="delayed"))
    assert [(each.kind, each.to) for each in started.letters()] == [("unreached", MAX)]
    returned(started, letter_to(started, CLEO, "reminder"), dsn(status="4.4.7", action="delayed"))
    assert started.letters() == []


# Complaints


def arf(kind: str = "abuse") -> bytes:
    """A complaint as a large provider's feedback loop sends it (RFC 5965, appendix B)."""
    return (
        "From: <abusedesk@people.example>\nSubject: FW: Results\nMIME-Version: 1.0\n"
        'Content-Type: multipart/report; report-type=feedback-report;\n boundary="part1"\n\n'
        "--part1\nContent-Type: text/plain\n\nThis is an email abuse report.\n\n"
        f"--part1\nContent-Type: message/feedback-report\n\nFeedback-Type: {kind}\n"
        "User-Agent: SomeGenerator/1.0\nVersion: 1\nOriginal-Rcpt-To: <bob@people.example>\n\n"
        "--part1\nContent-Type: message/rfc822\n\nFrom: judge@judge.example\n\nResults\n"
        "--part1--\n"
    ).encode()


def test_a_complaint_ends_watching_and_the_keeper_hears_once(started: Play) -> None:
    started.send("olga", "OBSERVE paris")
    started.clock.advance(days=14)
    started.run()
    letter = letter_to(started, "olga@people.example", "late")
    returned(started, letter, arf())
    assert paris(started).seats.active(Role.OBSERVER) == []
    (told,) = started.letters()
    assert (told.kind, told.to) == ("complaint", KEEPER)
    assert "olga@people.example" in told.text
    assert "ended the watching of paris" in told.text
    returned(started, letter, arf("fraud"))
    assert started.letters() == []
    started.clock.advance(days=14)
    assert "olga@people.example" not in {each.to for each in started.run()}


def test_a_player_who_complains_plays_on(started: Play) -> None:
    returned(started, letter_to(started, CLEO, "start"), arf())
    assert len(paris(started).seats.active(Role.PLAYER)) == 7
    assert address(started).state == "active"
    (told,) = started.letters()
    assert "a seat in paris" in told.text
    (event,) = [each for each in started.storage.events.last() if each.what == "complaint"]
    assert event.facts["address"] == CLEO
    # Of whom a report speaks is not believed.
    assert "bob@people.example" not in str(event)


@pytest.mark.parametrize("kind", ["not-spam", "auth-failure", "", "nonsense"])
def test_what_is_no_complaint_changes_nothing(started: Play, kind: str) -> None:
    started.send("olga", "OBSERVE paris")
    started.letters()
    returned(started, letter_to(started, "olga@people.example", "reply"), arf(kind))
    assert started.letters() == []
    assert len(paris(started).seats.active(Role.OBSERVER)) == 1


def test_a_forged_complaint_changes_nothing(started: Play) -> None:
    started.send("olga", "OBSERVE paris")
    started.letters()
    letter = letter_to(started, "olga@people.example", "reply")
    returned(started, letter, arf(), to=ADDRESS)
    returned(started, letter, arf("other"), to=letter.envelope_from.replace("+b", "+r"))
    assert started.letters() == []
    assert len(paris(started).seats.active(Role.OBSERVER)) == 1


class TestWatching:
    """An observer's mail program has a button, and it works."""

    def stop(self, play: Play, to: str, headers: str = "") -> None:
        raw = f"From: odd@people.example\nSubject: unsubscribe\n{headers}\nunsubscribe\n"
        play.judge.process_message(
            play.storage.inbound.accept(
                raw.encode() + str(play.clock.now()).encode(),
                door="smtp",
                envelope_from="odd@people.example",
                envelope_to=[to],
                received_at=play.clock.now(),
            ).mail_id
        )

    def button(self, play: Play) -> str:
        play.start()
        play.send("olga", "OBSERVE paris")
        play.clock.advance(days=8)
        play.run()
        raw = letter_to(play, "olga@people.example", "late").raw
        (line,) = [line for line in raw.split(b"\r\n") if line.startswith(b"List-Unsubscribe:")]
        found = line.decode().partition("<mailto:")[2].partition("?")
        assert found[2] == "subject=unsubscribe>"
        return found[0]

    @pytest.mark.parametrize("headers", ["", "Auto-Submitted: auto-generated\n"])
    def test_it_ends_the_watching(self, play: Play, headers: str) -> None:
        to = self.button(play)
        self.stop(play, to, headers)
        (letter,) = [each for each in play.letters() if each.kind == "unwatched"]
        assert letter.to == "olga@people.example"
        assert paris(play).seats.active(Role.OBSERVER) == []
        assert len(paris(play).seats.active(Role.PLAYER)) == 7
        play.clock.advance(days=30)
        assert "olga@people.example" not in {each.to for each in play.run()}

    def test_players_are_asked_first(self, play: Play) -> None:
        self.button(play)
        letter = letter_to(play, CLEO, "start")
        (line,) = [
            line for line in letter.raw.split(b"\r\n") if line.startswith(b"List-Unsubscribe:")
        ]
        to, _, asked = line.decode().partition("<mailto:")[2].rstrip(">").partition("?")
        assert asked == "subject=unsubscribe&body=unsubscribe"
        answer = play.send("cleo", "unsubscribe", subject="unsubscribe", to=to)
        assert "YES" in answer.text
        assert len(paris(play).seats.active(Role.PLAYER)) == 7

    def test_it_is_for_watching_alone(self, play: Play) -> None:
        to = self.button(play)
        play.send("olga", "RESIGN paris")
        play.letters()
        self.stop(play, to)
        assert [each.kind for each in play.letters()] == ["unwatched"]
        self.stop(play, to[:-1] + "x", "\n")
        assert not [each for each in play.letters() if each.kind == "unwatched"]
