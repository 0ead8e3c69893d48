"""What somebody with bad intentions says to the running judge, over a socket, and what comes of it.

Ann and Cleo play; Eve knows all names and addresses, and has a letter of her own.
"""

from __future__ import annotations

import io
import re
import socket
import zipfile
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest
from msgspec.structs import asdict

from judge.storage import Game, OutboundState
from tests.daemon.test_returned import CLEO, World

JUDGE = "judge@example.org"
EVE = "eve@example.com"
PLAYERS = ("cleo", "ann", "bob", "dan", "fay", "gus", "eve")
SERVER = "mx.example.org"


class Siege(World):
    """The judge with a game `paris`, and everybody's letters."""

    def __init__(self, folder: Path, trust: str) -> None:
        super().__init__(folder, f'[trust]\nlevel = "{trust}"\nauthserv_id = "{SERVER}"\n', 1000)
        self.vouched = (
            f"Authentication-Results: {SERVER}; dmarc=pass header.from=example.com\r\n"
            if trust == "verified"
            else ""
        )
        self.begin()

    def begin(self) -> None:
        self.say("mia", "CREATE ?paris, MOVE DELAY 0 MIN 0 DEADLINE 72H")
        self.settled()
        for who, letter in zip(PLAYERS, "FAEGIRT", strict=True):
            self.say(who, f"JOIN paris\nSET PREFERENCE {letter}")
            self.settled()
        self.starts = {
            who: self.wait(f"{who}@example.com", "paris, Spring 1901")[0]
            for who in ("cleo", "ann", "bob", "eve", "mia")
        }
        self.forget()

    def say(self, who: str, text: str, to: str = JUDGE, headers: str = "") -> None:
        """A mail as somebody sends it, answering the question where one is asked."""
        self.sent += 1
        raw = (
            f"{self.vouched}From: {who}@example.com\r\nTo: {to}\r\n{headers}"
            f"Message-ID: <{self.sent}@example.com>\r\nSubject: hi\r\n\r\n{text}\r\n"
        )
        self.hand_in(raw.encode(), f"{who}@example.com", to)
        self.settled()
        asked = [
            message
            for message, _, _, recipient in self.letters
            if recipient == f"{who}@example.com" and "Did you write" in str(message["Subject"])
        ]
        if asked:
            self.letters = [each for each in self.letters if each[0] is not asked[0]]
            self.say(who, "YES", reply_to(asked[0]))

    def settled(self) -> None:
        """Wait until all mails are processed and all letters are out."""
        self.until(lambda: self.storage.inbound.next_new() is None)
        self.until(lambda: self.storage.outbound.count(OutboundState.QUEUED) == 0)

    def forget(self) -> None:
        with self.news:
            self.letters.clear()

    def game(self) -> Game:
        game = self.storage.games.by_name("paris")
        assert game is not None
        return game

    def standing(self) -> object:
        """All that a mail could change."""
        game = self.game()
        return (
            {key: value for key, value in vars_of(game).items() if key != "version"},
            self.storage.seats.of_game(game.id),
            self.storage.orders(game.id).of_phase(game.phase or ""),
            self.storage.press.of_game(game.id),
            [self.storage.people.addresses(person) for person in range(1, 12)],
        )

    def to(self, who: str) -> list[EmailMessage]:
        """The letters somebody got since `forget`."""
        return [each for each, _, _, to in self.letters if to == f"{who}@example.com"]


def vars_of(game: Game) -> dict[str, object]:
    return asdict(game)


def reply_to(letter: EmailMessage) -> str:
    found = re.search(r"<([^>]+)>", str(letter["Reply-To"]))
    assert found is not None
    return found[1]


def text_of(letter: EmailMessage) -> str:
    body = letter.get_body(("plain",))
    assert body is not None
    return " ".join(str(body.get_content()).split())


@pytest.fixture(scope="module")
def siege(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Siege]:
    """At the level of trust that is asked for, `token` if none is."""
    with pytest.MonkeyPatch.context() as patch:
        # Letters are sought often, for each test waits for its own.
        patch.setattr("judge.daemon.POLL", 0.05)
        made = Siege(tmp_path_factory.mktemp("siege"), getattr(request, "param", "token"))
        yield made
        made.close()


both_levels = pytest.mark.parametrize("siege", ["token", "verified"], indirect=True)


@pytest.fixture
def quiet(siege: Siege) -> Iterator[Siege]:
    """Whatever happens, the game stays as it was, nothing is held, and the judge lives."""
    siege.settled()
    siege.forget()
    before = siege.standing()
    yield siege
    siege.settled()
    assert siege.standing() == before
    assert siege.storage.inbound.held() == []
    assert siege.daemon.healthy()


WANTED = "SIGN ON paris\r\nA Par - Bur\r\nSET WAIT\r\nRESIGN\r\n"


def forged(siege: Siege, head: str, text: str = WANTED, to: str = JUDGE, path: str = EVE) -> None:
    siege.sent += 1
    raw = f"{head}Message-ID: <f{siege.sent}@evil.example>\r\n\r\n{text}"
    siege.hand_in(raw.encode("utf-8", "surrogateescape"), path, to)


SENDERS = [
    f"From: {CLEO}\r\n",
    f"From: Cleo <{CLEO}>\r\nSender: {EVE}\r\nReply-To: {EVE}\r\n",
    f'From: "{CLEO}" <{EVE}>\r\n',
    f'From: "france@paris" <{EVE}>\r\n',
    f"From: {CLEO} <{EVE}>\r\n",
    f"From: {EVE}\r\nFrom: {CLEO}\r\n",
    f"From: {CLEO}\r\nFrom: {EVE}\r\n",
    f"From: {EVE}, {CLEO}\r\n",
    f"From: =?utf-8?q?x_=3C{CLEO.replace('@', '=40')}=3E?= <{EVE}>\r\n",
    f"From: =?utf-8?b?PGNsZW9AZXhhbXBsZS5jb20+?= <{EVE}>\r\n",
    f"From: <{CLEO}> <{EVE}>\r\n",
    f"From: {EVE} ({CLEO})\r\n",
    f"From: x:{CLEO};\r\n",
    f"From:\r\n {CLEO}\r\n",
    f"Resent-From: {CLEO}\r\nFrom: {EVE}\r\n",
    "From: cl\u0435o@example.com\r\n",
    f"From: {CLEO}\x00\r\n",
]


@both_levels
@pytest.mark.parametrize("sender", SENDERS)
def test_no_name_above_a_mail_is_believed(quiet: Siege, sender: str) -> None:
    forged(
        quiet, f"{sender}To: {JUDGE}\r\nSubject: JUDGE:paris\r\n", WANTED.replace("RESIGN\r\n", "")
    )


@pytest.mark.parametrize("siege", ["verified"], indirect=True)
@pytest.mark.parametrize(
    "results",
    [
        "mx.evil.example; dmarc=pass header.from=example.com",
        "mx.example.org.evil; dmarc=pass header.from=example.com",
        "mx.evil.example (mx.example.org); dmarc=pass header.from=example.com",
        "mx.example.org; dmarc=none\r\nAuthentication-Results: mx.example.org; "
        "dmarc=pass header.from=example.com",
        "mx.example.org; dmarc=fail (dmarc=pass header.from=example.com) header.from=example.com",
        "mx.example.org;\r\n dmarc=fail\r\n header.from=example.com;\r\n"
        " dkim=pass header.d=example.com",
        "mx.example.org; dkim=pass header.d=com",
        'mx.example.org; spf=pass smtp.mailfrom="x; dmarc=pass header.from=example.com"',
    ],
)
def test_results_that_are_not_our_servers_vouch_for_nobody(quiet: Siege, results: str) -> None:
    head = f"Authentication-Results: {results}\r\nFrom: {CLEO}\r\nTo: {JUDGE}\r\n"
    forged(quiet, head)


@pytest.mark.parametrize("change", ["first", "last", "middle", "longer", "purpose", "other"])
def test_no_altered_reply_address_opens_anything(quiet: Siege, change: str) -> None:
    address = reply_to(quiet.starts["cleo"])
    token = address.partition("+")[2].partition("@")[0]
    other = {"a": "b"}
    new = {
        "first": token[0] + other.get(token[1], "a") + token[2:],
        "last": token[:-1] + other.get(token[-1], "a"),
        "middle": token[:12] + other.get(token[12], "a") + token[13:],
        "longer": f"{token}a",
        "purpose": "m" + token[1:],
        "other": "r" + "a" * (len(token) - 1),
    }[change]
    to = address.replace(token, new)
    forged(quiet, f"From: {CLEO}\r\nTo: {to}\r\n", to=to)


@both_levels
def test_eves_letters_open_nothing_of_cleos(quiet: Siege) -> None:
    to = reply_to(quiet.starts["eve"])
    message_id = str(quiet.starts["eve"]["Message-ID"])
    forged(quiet, f"From: {CLEO}\r\nTo: {to}\r\n", to=to)
    forged(quiet, f"From: {CLEO}\r\nTo: {JUDGE}\r\nIn-Reply-To: {message_id}\r\n")
    forged(
        quiet, f"From: {CLEO}\r\nTo: {JUDGE}\r\nReferences: {message_id}\r\nX-Original-To: {to}\r\n"
    )


@both_levels
def test_nor_does_a_master_have_more_than_his_letters(quiet: Siege) -> None:
    text = "SIGN ON mparis\r\nPROCESS S1901M\r\nSET NO PRESS\r\n"
    to = reply_to(quiet.starts["eve"])
    forged(quiet, f"From: mia@example.com\r\nTo: {to}\r\n", text, to=to)
    forged(quiet, f"From: mia@example.com\r\nTo: {JUDGE}\r\n", text)
    forged(quiet, f"From: {EVE}\r\nTo: {to}\r\n", text, to=reply_to(quiet.starts["mia"]))


@pytest.mark.parametrize(
    "head",
    [
        f"From: {CLEO}\r\nReply-To: {EVE}\r\n",
        f"From: {CLEO}\r\nSender: {EVE}\r\nReturn-Path: <{EVE}>\r\nErrors-To: {EVE}\r\n",
        f"From: {CLEO}\r\nCc: {EVE}\r\nDisposition-Notification-To: {EVE}\r\n",
    ],
)
def test_nobody_has_anothers_answers_sent_to_himself(quiet: Siege, head: str) -> None:
    forged(quiet, f"{head}To: {JUDGE}\r\n", "SIGN ON paris\r\nSTATUS\r\n")
    quiet.settled()
    assert quiet.to("eve") == []


EVIL = [
    "x\r\n Bcc: victim@example.com",
    "=?utf-8?q?x=0D=0ABcc:_victim@example.com?=",
    "=?utf-8?b?eA0KQmNjOiB2aWN0aW1AZXhhbXBsZS5jb20=?=",
    "x\u2028Bcc: victim@example.com",
    "x\x0bBcc: victim@example.com\x0c\x1c\x85",
    "x\x00y",
    "=?utf-8?q?=E2=80=AEevil?=",
    "x" * 5000,
]


@pytest.mark.parametrize("evil", EVIL)
def test_nothing_in_a_header_makes_one_of_ours(quiet: Siege, evil: str) -> None:
    who = f"mallory{quiet.sent}@example.com"
    head = f"From: {evil} <{who}>\r\nTo: {evil} <{JUDGE}>\r\nSubject: {evil}\r\n"
    head += f"References: <{evil}@x>\r\nIn-Reply-To: {evil}\r\n"
    forged(quiet, head, "HELP\r\n", path=who)
    quiet.settled()
    with quiet.news:
        for _, raw, _, to in quiet.letters:
            assert to != "victim@example.com"
            message = message_from_bytes(raw, policy=policy.default)
            assert message["Bcc"] is None
            assert message.defects == []
            names = [name.lower() for name in message]
            once = ("from", "to", "subject", "message-id", "date", "reply-to")
            assert all(names.count(name) == 1 for name in once)
            assert raw.partition(b"\r\n\r\n")[0].isascii()


def test_names_given_to_the_judge_make_none_either(siege: Siege) -> None:
    siege.settled()
    siege.forget()
    text = (
        "REGISTER\nName: Eve\u2028Bcc: victim@example.com =?utf-8?q?=0D=0ABcc:_v@example.com?=\n"
        "Country: x\x0bBcc: v@example.com\nEND\nBROADCAST\nSubject: x\nhello\nENDBROADCAST\n"
        "CREATE ?a\u2028b\nCREATE ?../../etc\n"
    )
    siege.say("eve", text, reply_to(siege.starts["eve"]))
    siege.settled()
    assert [game.name for game in siege.storage.games.all()] == ["paris"]
    with siege.news:
        assert siege.letters
        for _, raw, _, to in siege.letters:
            message = message_from_bytes(raw, policy=policy.default)
            assert message["Bcc"] is None
            assert message.defects == []
            assert to != "victim@example.com"


def bomb(name: str) -> bytes:
    head = f"From: {EVE}\r\nTo: {JUDGE}\r\nMIME-Version: 1.0\r\n"
    zipped = io.BytesIO()
    if name.startswith("zip"):
        with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("orders.txt", b"A Par - Bur\n" * 2_000_000)
    message = EmailMessage()
    message["From"], message["To"] = EVE, JUDGE
    message.set_content("STATUS")
    if name == "zip":
        message.add_attachment(zipped.getvalue(), maintype="application", subtype="zip")
        return message.as_bytes(policy=policy.SMTP)
    if name == "zip as text":
        message.add_attachment(
            zipped.getvalue(), maintype="text", subtype="plain", filename="a.txt"
        )
        return message.as_bytes(policy=policy.SMTP)
    bombs = {
        "parts": head
        + "Content-Type: multipart/mixed; boundary=b\r\n\r\n"
        + "--b\r\nContent-Type: text/plain\r\n\r\nx\r\n" * 15_000,
        "nesting": head
        + "".join(
            f"Content-Type: multipart/mixed; boundary=b{n}\r\n\r\n--b{n}\r\n" for n in range(9_000)
        ),
        "one line": head + "\r\n" + "A Par - Bur " * 7_000 + "\r\n",
        "lines": head + "\r\n" + "A Par - Bur\r\n" * 60_000,
        "sign ons": head + "\r\n" + "SIGN ON fparis guess\r\n" * 40_000,
        "quotes": head + "\r\n" + ">" * 90_000 + "\r\n" + "> A Par H\r\n" * 50_000,
        "html": head + "Content-Type: text/html\r\n\r\n" + "<div>\r\n" * 100_000,
        "fields": head + "X: y\r\n" * 120_000 + "\r\nx\r\n",
        "references": head + "References: " + "<a@b> " * 15_000 + "\r\n\r\nSTATUS\r\n",
        "nulls": head + "Subject: \0\0\r\n\r\n" + "\0" * 80_000 + "\r\nA Par H\r\n",
        "8 bit": head
        + "Subject: \udcff\udcfe\udce4\r\nX-\udcff: y\r\n\r\n\udcff\udcfe A P\udce4r H\r\n",
        "addresses": f"From: {EVE}\r\nTo: "
        + ", ".join(f"x{n}@y.example" for n in range(4_000))
        + "\r\n\r\nx\r\n",
    }
    return bombs[name].encode("ascii", "surrogateescape")


@pytest.mark.parametrize(
    "name",
    [
        *("zip", "zip as text", "parts", "nesting", "one line", "lines", "sign ons", "quotes"),
        *("html", "fields", "references", "nulls", "8 bit", "addresses"),
    ],
)
def test_no_bomb_keeps_the_judge_from_the_next_mail(quiet: Siege, name: str) -> None:
    """The next mail is answered, and Eve's own orders are in Eve's hands only."""
    with socket.create_connection(("127.0.0.1", quiet.daemon.smtp_port or 0), 20) as client:
        file = client.makefile("rb")
        file.readline()
        for line in (b"HELO x", b"MAIL FROM:<eve@example.com>", b"RCPT TO:<judge@example.org>"):
            client.sendall(line + b"\r\n")
            assert file.readline().startswith(b"250")
        client.sendall(b"DATA\r\n")
        assert file.readline().startswith(b"354")
        client.sendall(re.sub(rb"(?m)^\.", b"..", bomb(name)) + b"\r\n.\r\n")
        said = file.readline()
        assert said[:3] in (b"250", b"500", b"552", b"554"), said
    forged(quiet, f"From: next{quiet.sent}@example.com\r\nTo: {JUDGE}\r\n", "HELP\r\n")
    quiet.settled()
    assert any(to.startswith("next") for _, _, _, to in quiet.letters)


@pytest.mark.parametrize(
    "recipient",
    [
        "<victim@elsewhere.example>",
        "<@example.org:victim@elsewhere.example>",
        "<judge@example.org@elsewhere.example>",
        "<judge%elsewhere.example@example.com>",
        '<"judge@example.org"@elsewhere.example>',
        "<judge@example.org.evil.example>",
        "<notjudge@example.org>",
        "<judge+x@evil.example>",
        "<judge@[127.0.0.1]>",
        "<>",
    ],
)
def test_no_recipient_is_relayed(quiet: Siege, recipient: str) -> None:
    with socket.create_connection(("127.0.0.1", quiet.daemon.smtp_port or 0), 20) as client:
        file = client.makefile("rb")
        file.readline()
        for line in ("HELO x", "MAIL FROM:<eve@example.com>"):
            client.sendall(line.encode() + b"\r\n")
            assert file.readline().startswith(b"250")
        client.sendall(f"RCPT TO:{recipient}\r\n".encode())
        assert file.readline()[:1] == b"5"


def test_a_hidden_orders_file_or_html_is_not_cleos(quiet: Siege) -> None:
    message = EmailMessage()
    message["From"], message["To"] = EVE, JUDGE
    message.set_content("see attachment")
    inner = EmailMessage()
    inner["From"], inner["To"] = CLEO, reply_to(quiet.starts["eve"])
    inner.set_content("A Par - Bur")
    message.add_attachment(inner)
    quiet.hand_in(message.as_bytes(policy=policy.SMTP), EVE, JUDGE)


@both_levels
def test_what_cleo_writes_herself_counts(siege: Siege) -> None:
    """Or else nothing above would prove anything."""
    before = siege.standing()
    siege.say("cleo", "A Par - Bur", reply_to(siege.starts["cleo"]))
    siege.settled()
    orders = siege.storage.orders(siege.game().id).of_phase("S1901M")
    assert [order.text for order in orders["France"]] == ["A par - bur"]
    assert siege.standing() != before
