"""What becomes of the lines of a mail, from an SMTP conversation to the letters that go out: one
example of each promise, all through one running daemon."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import closing
from email.message import EmailMessage
from email.utils import parseaddr
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge.cli import main
from judge.storage import Storage
from tests.daemon.test_daemon import POWERS, JudgeProfile, Out, text_of

ARABIC = (
    "________________________________\r\nمن: The Judge <judge@example.org>\r\n"
    "تم الإرسال: الإثنين, 23 نوفمبر، 2026 09:00\r\nإلى: F <f@example.com>\r\n"
    "الموضوع: JUDGE:paris - S1901M Start\r\n\r\n"
)
BOUNCE = """\
From: MAILER-DAEMON@mx.example.com
Subject: Undelivered Mail Returned to Sender
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.com

Final-Recipient: rfc822; {to}
Action: failed
Status: 5.0.0
Diagnostic-Code: smtp; {said}

--b--
"""


class Post(Out):
    """Keeps the return path of each letter as well, and how many there were to whom."""

    def __init__(self) -> None:
        super().__init__()
        self.paths: dict[str, str] = {}
        self.had: list[str] = []

    def deliver(self, raw: bytes, recipient: str, message_id: str, sender: str = "") -> None:
        self.paths[message_id] = sender
        self.had.append(recipient)
        super().deliver(raw, recipient, message_id, sender)

    def answering(self, message_id: str) -> EmailMessage:
        """The letter that answers this mail; waits for it."""

        def found() -> list[EmailMessage]:
            every = [letter for _, letter in self._letters]
            return [each for each in every if str(each["In-Reply-To"]) == message_id]

        with self._news:
            assert self._news.wait_for(lambda: bool(found()), 120), self.had
            return found()[0]


class Table(JudgeProfile):
    """A judge with a game that has started, and the start letter of each player."""

    out: Post

    def __init__(self, folder: Path) -> None:
        super().__init__(
            folder, "[limits]\nhour = 900\nstranger = 900\npress = 900\nletters = 90_000\n"
        )
        self.out = self.daemon._transport = Post()

    def begin(self, options: str = "") -> None:
        pace = "SET MOVE NEXT 24H CLOCK NONE DAYS SMTWTFS"
        self.write("mia", f"CREATE ?paris, PUBLIC{options}\n{pace}")
        self.out.wait("mia@example.com")
        for letter in POWERS:
            self.write(letter.lower(), f"JOIN paris\nSET PREFERENCE {letter}")
        self.starts = {
            letter.lower(): self.out.take(f"{letter.lower()}@example.com", "You play")
            for letter in POWERS
        }
        self.starts["mia"] = self.out.take("mia@example.com", "paris")
        self.begun = self.out.had.copy()

    def worked(self) -> None:
        """Wait until all mails are processed."""
        limit = time.monotonic() + 120
        with closing(Storage.open(self.config.database.url)) as storage:
            while storage.inbound.next_new() is not None:
                assert time.monotonic() < limit
                time.sleep(0.02)

    def answer(self, who: str, letter: EmailMessage, text: str) -> None:
        self.write(who, text, to=parseaddr(letter["Reply-To"])[1])

    def ask(self, who: str, text: str, letter: EmailMessage | None = None) -> str:
        """What the judge replies to a mail, in one line."""
        return " ".join(text_of(self.reply(who, text, letter)).split())

    def reply(self, who: str, text: str, letter: EmailMessage | None = None) -> EmailMessage:
        letter = letter or self.starts.get(who)
        self.write(who, text, parseaddr(letter["Reply-To"])[1] if letter else "judge@example.org")
        return self.out.answering(f"<{self.sent}@example.com>")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    made = Table(tmp_path_factory.mktemp("fates"))
    made.daemon.start()
    made.begin()
    yield made
    made.daemon.stop()


def filed(status: str) -> str:
    """What is on file in an answer to STATUS, without the orders that it gives as examples."""
    listed = status.partition("YOUR ORDERS")[2]
    assert "NO ORDER YET" in listed
    return listed.partition("for example")[0]


def test_quotes_are_cut_by_the_letter(table: Table) -> None:
    # The clock stands, and among many letters of one moment the first is not looked for.
    quote = ARABIC + text_of(table.starts["a"])
    told = table.ask("a", f"A vie H\r\n\r\n{quote}")
    assert "LINES I COULD NOT USE" not in told
    assert "A vie H Army Vienna holds" in filed(told)


def test_every_line_has_a_fate_that_the_reply_tells(table: Table) -> None:
    told = table.ask("f", "F bre - mao\r\nzebras cross the street\r\nThanks!\r\nF")
    assert "zebras cross the street" in told
    assert "nobody received" in told
    assert "Thanks" not in told


def test_no_command_goes_out_as_press(table: Table) -> None:
    table.write("g", "PRESS TO France\r\nShall we?\r\nENDPRESS", to="judge@example.org")
    press = table.out.take("f@example.com", "Press")
    table.answer("f", press, "Gladly.\r\nSET ABSENCE 24 Dec to 2 Jan\r\nEXTEND 2 days")
    back = table.out.wait("g@example.com", "Press")
    assert "Gladly." in back
    assert "ABSENCE" not in back
    assert "EXTEND" not in back


@pytest.mark.parametrize(
    ("words", "offer"),
    [
        ("Could we get two more days?", "EXTEND 2 days"),
        ("Bitte nehmt mich aus dem Spiel", "RESIGN"),
        ("Chère Allemagne, faisons la paix.", "PRESS TO Germany"),
    ],
)
def test_a_wish_becomes_an_offer(table: Table, words: str, offer: str) -> None:
    told = table.ask("f", words)
    assert offer in told
    assert "YES" in told


def test_nothing_that_cannot_be_undone_is_done_without_a_yes(table: Table) -> None:
    asked = table.reply("i", "withdraw!")
    assert "YES" in text_of(asked)
    assert "not yours" not in table.ask("i", "A ven H")
    assert "A ven H" in table.ask("i", "STATUS")


def test_a_copied_letter_gives_nothing_away(table: Table) -> None:
    table.answer("mallory", table.starts["t"], "A con - bul")
    assert "mallory@example.com" in text_of(table.out.take("t@example.com", "Did you write this?"))
    assert "A con - bul" not in filed(table.ask("t", "STATUS"))


def test_identifiers_say_nothing(table: Table) -> None:
    first, second = table.reply("a", "STATUS"), table.reply("a", "STATUS")
    for name in ("Message-ID", "Reply-To", "Return-Path"):
        marks = [
            str(each[name]) if name in each else table.out.paths[str(each["Message-ID"])]
            for each in (first, second)
        ]
        one, two = (mark.partition("@")[0].rpartition("+")[2] for mark in marks)
        alike = sum(left == right for left, right in zip(one, two, strict=False))
        assert alike < len(one) // 2, (name, marks)


def test_bounces_are_understood_by_their_reason(table: Table) -> None:
    letter = table.reply("e", "STATUS")
    path = table.out.paths[str(letter["Message-ID"])]
    for said in ("550 5.1.1 blocked using a list", "550 5.1.0 mailbox full", "550 no such user"):
        before = len(table.out.had)
        table.hand_in(BOUNCE.format(to="e@example.com", said=said).encode(), "", path)
        # Mails of two writers that wait take turns: the later one may be answered first.
        table.worked()
        table.ask("r", "STATUS")
        news = [each for each in table.out.had[before:] if each == "mia@example.com"]
        # Only an address that is nobody's is a matter for the game's master.
        assert bool(news) == ("no such user" in said)


def test_automatic_mail_gets_no_answer(table: Table) -> None:
    before = table.out.had.count("r@example.com")
    table.write("r", "👍")
    table.ask("a", "STATUS")
    assert table.out.had.count("r@example.com") == before


def test_orders_are_read_in_any_notation(table: Table) -> None:
    told = table.ask("f", "soldiers in paris go to burgundy\r\nA(Mar)-Spa\r\nfbre-mid")
    for order in ("A par - bur", "A mar - spa", "F bre - mid"):
        assert order in told


def test_commands_do_what_they_say(table: Table) -> None:
    made = table.reply("mia", "CREATE ?milan", table.starts["mia"])
    assert "gunbaot is neither" in table.ask("mia", "CREATE ?oslo gunbaot", made)
    told = table.ask("mia", "SET PASSWORD two words", made)
    assert "I have set none" in told
    assert "two" not in told
    told = table.ask("mia", "SET MOVE 10 minutes", made)
    assert all(f"12:{minutes} (UTC)" in told for minutes in (10, 20, 30))
    assert "Least level of newcomers" in table.ask("mia", "SET LEVEL ANY", made)
    table.ask("mia", "INVITE nora@example.com", made)
    assert "milan" in table.out.wait("nora@example.com", "invites you")
    assert "you named nosuch" in table.ask("mia", "PURGE nosuch")
    for line in ("REPLACE france WITH nick@example.com", "EJECT france"):
        assert "REPLY YES OR NO" in table.ask("mia", line)
    asked = table.reply("mia", "TERMINATE milan")
    assert "milan" in text_of(asked)
    assert "milan is over" in table.ask("mia", "YES", asked)
    for line in ("RESIGN nosuch", "TERMINATE nosuch"):
        assert "Reply with YES" not in table.ask("f", line)
    assert "Deadline" in table.ask("f", "STATUS")


def test_strangers_get_an_answer_that_fits_a_screen(table: Table) -> None:
    for name, line, says in (
        ("zoe", "VERSION", "The Judge, version"),
        ("zara", "INFO PLAYER f@example.com", "reply with one of these lines"),
        ("zeno", "INFO PLAYER nobody@example.com", "reply with one of these lines"),
        ("zita", "JOIN nosuch", "No game is called that"),
        ("zack", "JOIN", "will write to you"),
    ):
        told = text_of(table.reply(name, line))
        assert says in " ".join(told.split())
        assert len(told.strip().splitlines()) <= 25, told


def test_results_of_other_servers_vouch_for_nobody(table: Table) -> None:
    said = "Authentication-Results: example.com; dkim=pass header.d=example.com; spf=pass\r\n"
    mail = f"From: r@example.com\r\nTo: judge@example.org\r\n{said}Message-ID: <forged@example.com>"
    table.hand_in(f"{mail}\r\n\r\nSIGN ON r@paris\r\nF sev - rum\r\n".encode(), "eve@evil.example")
    table.out.take("r@example.com", "Did you write this?")
    assert "F sev - rum" not in filed(table.ask("r", "STATUS"))


def test_nobody_gets_more_letters_than_they_need(table: Table) -> None:
    # The reply to JOIN and the start letter, and no news of the six others.
    assert {table.begun.count(f"{each.lower()}@example.com") for each in POWERS} <= {1, 2}
    table.write("yan", "hello?")
    welcome = table.out.wait("yan@example.com")
    assert "JOIN" in welcome
    assert len(welcome.strip().splitlines()) <= 25


def test_judge_read_is_the_daemon(table: Table, tmp_path: Path) -> None:
    start = table.starts["f"]
    (tmp_path / "start.eml").write_bytes(start.as_bytes())
    body = f"A par - pic\r\n\r\n{ARABIC}{text_of(start)}"
    mail = f"From: f@example.com\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{body}"
    (tmp_path / "mail.eml").write_bytes(mail.encode())
    done = CliRunner().invoke(
        main,
        ["read", f"{tmp_path}/mail.eml", "--answering", f"{tmp_path}/start.eml", "--json"],
    )
    assert json.loads(done.output)["orders"] == {"null": ["A par - pic"]}
    assert "A par - pic" in table.ask("f", body)
