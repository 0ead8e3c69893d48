"""What the judge reads in a mail, in the shapes people's programs send."""

from __future__ import annotations

import base64
import binascii
import quopri
import time
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from encodings.aliases import aliases

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from judge.limits import BOUNDS
from judge.mail.body import Texts, unflow
from judge.mail.html_text import html_to_text
from judge.mail.message import MailKind, ParsedMessage, answering, parse
from judge.mail.quotes import digests

ORDERS = "A Par - Bur\nF Bre - MAO"


def mail(body: bytes = b"A Par - Bur\n", *fields: str) -> bytes:
    head = ["From: Ann Lee <Ann@Example.org>", "To: judge@example.com", *fields]
    return "\n".join(head).encode("utf-8", "surrogateescape") + b"\n\n" + body


def text(body: bytes, *fields: str) -> str:
    return parse(mail(body, *fields)).text


class TestHeaders:
    def test_all_there_is_to_know(self) -> None:
        incoming = parse(
            mail(
                b"A Par - Bur\n",
                "Cc: Bob <BOB@example.net>, judge@example.com",
                "Reply-To: ann+play@example.org",
                "Subject: Re: AW: Re[2]: Fwd: JUDGE:paris - S1901M Results",
                "Message-ID: <1@example.org>",
                "In-Reply-To: <9@example.com>",
                "References: <7@example.com>\n <8@example.com>",
                "Date: Mon, 15 Jun 2026 20:00:00 +0200 (CEST)",
            )
        )
        assert incoming == ParsedMessage(
            sender="ann@example.org",
            sender_name="Ann Lee",
            reply_to="ann+play@example.org",
            to=("judge@example.com", "bob@example.net"),
            subject="JUDGE:paris - S1901M Results",
            message_id="<1@example.org>",
            in_reply_to=("<9@example.com>",),
            references=("<7@example.com>", "<8@example.com>"),
            text="A Par - Bur",
            texts=Texts("A Par - Bur\n"),
            date=datetime(2026, 6, 15, 18, 0, tzinfo=UTC),
            offset=timedelta(hours=2),
            kind=MailKind.MESSAGE,
            reason="",
        )
        assert incoming.answerable
        assert incoming.answer_to == "ann+play@example.org"

    @pytest.mark.parametrize(
        ("field", "name", "address"),
        [
            ("ann@example.org", "", "ann@example.org"),
            ('"Lee, Ann" <ann@example.org>', "Lee, Ann", "ann@example.org"),
            ("=?utf-8?q?Ann_L=C3=A9?= <ann@example.org>", "Ann Lé", "ann@example.org"),
            ("=?iso-8859-1?B?QW5uIEzp?=\n <ann@example.org>", "Ann Lé", "ann@example.org"),
            ("Ann Lé <ann@example.org>", "Ann Lé", "ann@example.org"),
            ("=?utf-8?q?evil=40x=2Eorg=2C?= <ann@example.org>", "evil@x.org,", "ann@example.org"),
            ("=?klingon?q?Ann?= <ann@example.org>", "Ann", "ann@example.org"),
            ("=?utf-8?b?!!!?= <ann@example.org>", "=?utf-8?b?!!!?=", "ann@example.org"),
            ("Ann Lee ann@example.org", "", "ann@example.org"),
            ("ann @ home <ann@example.org>", "ann @ home", "ann@example.org"),
            ("a@b.c, d@e <ann@example.org>", "", "a@b.c"),
            ('"evil@x.org" @ <ann@example.org>', "", "ann@example.org"),
            ("Ann <ann@example.org", "Ann", "ann@example.org"),
            ("nobody", "", ""),
            ("", "", ""),
            ("undisclosed-recipients:;", "", ""),
        ],
    )
    def test_who_writes(self, field: str, name: str, address: str) -> None:
        incoming = parse(f"From: {field}\n\nA Par - Bur\n".encode())
        assert incoming.sender == address
        assert incoming.sender_name in (name, "")
        assert incoming.answerable == bool(address)

    def test_blanks_before_a_colon_do_not_end_the_header(self) -> None:
        raw = (
            b"From : Ann <ann@example.org>\nTo    : Mary <mary@example.org>\nSubject\t: x\n\nHELP\n"
        )
        incoming = parse(raw)
        assert (incoming.sender, incoming.subject) == ("ann@example.org", "x")
        assert (incoming.to, incoming.text) == (("mary@example.org",), "HELP")

    @pytest.mark.parametrize("name", ["From", "Sender", "Date", "Message-ID", "In-Reply-To"])
    def test_fields_that_may_stand_once_are_named_when_they_do_not(self, name: str) -> None:
        assert parse(mail(b"x\n", f"{name}: a", f"{name.lower()} : b")).doubled == (name,)
        assert parse(mail(b"x\n", "Received: a", "Received: b", "Cc: a", "Cc: b")).doubled == ()

    def test_without_from_the_return_path_tells(self) -> None:
        assert parse(b"\nA Par - Bur\n", "Ann@example.org").sender == "ann@example.org"
        assert parse(b"Sender: a@b.c\n\nx\n", "d@e.f").sender == "a@b.c"

    @pytest.mark.parametrize(
        ("subject", "read"),
        [
            ("Re: re: RE: orders", "orders"),
            ("Re: Rép\u00a0: orders", "orders"),
            ("SV: VS: Antw: orders", "orders"),
            ("回复：orders", "orders"),
            ("=?utf-8?q?Re=3A_Gr=C3=BC=C3=9Fe?=", "Grüße"),
            ("=?utf-8?q?a?= =?utf-8?q?b?=", "ab"),
            ("Regarding: orders", "Regarding: orders"),
            ("Re:", ""),
            ("", ""),
            ("\udcff\udcfe", "ÿþ"),
        ],
    )
    def test_subjects(self, subject: str, read: str) -> None:
        assert parse(mail(b"x\n", f"Subject: {subject}")).subject == read

    @pytest.mark.parametrize(
        "field", ["", "yesterday", "Mon, 99 Foo 2026 99:99:99 +9999", "Mon, 31 Feb 2026 00:00:00"]
    )
    def test_a_date_that_is_none(self, field: str) -> None:
        assert parse(mail(b"x\n", f"Date: {field}")).date is None


class TestText:
    def test_quoted_printable(self) -> None:
        body = quopri.encodestring("A Par – Bur\nF Bre → MAO\n".encode())
        fields = (
            "Content-Type: text/plain; charset=utf-8",
            "Content-Transfer-Encoding: quoted-printable",
        )
        assert text(body, *fields) == "A Par – Bur\nF Bre → MAO"

    def test_base64(self) -> None:
        body = base64.encodebytes(ORDERS.replace("\n", "\r\n").encode("utf-16"))
        fields = (
            "Content-Type: text/plain; charset=utf-16",
            "Content-Transfer-Encoding: base64",
        )
        assert text(body, *fields) == ORDERS

    @pytest.mark.parametrize(
        "body", [b"A Par - Bur\r\nF Bre - MAO\r\n", b"A Par - Bur\rF Bre - MAO", ORDERS.encode()]
    )
    def test_any_line_end(self, body: bytes) -> None:
        assert text(body) == ORDERS

    @pytest.mark.parametrize(
        ("written", "really", "label"),
        [
            ("A Mün - Köl", "latin-1", "utf-8"),
            ("A Mün - Köl", "utf-8", "iso-8859-1"),
            ("A Mün - Köl", "utf-8", "us-ascii"),
            ("A Mün – Köl “x”", "cp1252", "iso-8859-1"),
            ("A Mün – Köl", "cp1252", "us-ascii"),
            ("A Mün – Köl", "utf-8", "x-unknown"),
            ("A Mün – Köl", "utf-8", "zlib"),
            ("A Mün – Köl", "utf-8", "punycode"),
            ("Łódź – Kraków", "cp1250", "windows-1250"),
            ("Привет Москва", "koi8-r", "koi8-r"),
            ("こんにちは A Par", "iso2022_jp", "iso-2022-jp"),
            ("こんにちは①", "cp932", "shift_jis"),
            ("你好，世界", "gb18030", "gb2312"),
            ("你好，世界", "big5", "big5"),
            ("안녕하세요", "cp949", "ks_c_5601-1987"),
            ("שלום, A Par", "iso8859-8", "iso-8859-8-i"),
            ("สวัสดี A Par", "cp874", "windows-874"),
            ("こんにちは", "euc_jp", "x-euc-jp"),
        ],
    )
    def test_charsets_labeled_well_and_badly(self, written: str, really: str, label: str) -> None:
        body = base64.encodebytes(written.encode(really))
        fields = (
            f'Content-Type: text/plain; charset="{label}"',
            "Content-Transfer-Encoding: base64",
        )
        assert text(body, *fields) == written

    def test_a_long_text_without_a_label_is_guessed(self) -> None:
        written = "Сегодня мы пишем письмо без указания кодировки, и судья его прочтёт. " * 5
        assert text(written.encode("cp1251")) == written.strip()

    def test_bytes_nobody_can_read(self) -> None:
        incoming = parse(mail(b"A Par - Bur\n\x00\x81\xfe\xff\x8d\n", "Content-Type: text/plain"))
        assert incoming.kind is MailKind.MESSAGE
        assert incoming.text.startswith("A Par - Bur\n")

    def test_blanks_and_invisible_characters_are_plain_ones(self) -> None:
        body = "\ufeffA\u00a0Par\u2009-\u202fBur\u200b\u2028F\u3000Bre\u00ad H\u202e\t.".encode()
        assert text(body) == "A Par - Bur\nF Bre H ."

    def test_files_in_a_text_are_attached(self) -> None:
        lines = (binascii.b2a_uu(b"A Par - Bur\n") + b"`\nend\n").decode()
        body = f"Here:\nbegin 644 orders.txt\n{lines}begin 600 map.gif\n{lines}Ann\n".encode()
        incoming = parse(mail(body))
        assert incoming.text.split() == ["Here:", "Ann"]
        assert incoming.attached == "A Par - Bur"
        assert incoming.texts.unread
        assert text(b"begin 644 orders.txt\n" + lines.encode()) == "A Par - Bur"
        assert text(b"begin 644 the attack\nend\n") == ""
        assert text(b"begin the attack\n\nend\n") == "begin the attack\n\nend"
        coded = "Content-Transfer-Encoding: x-uuencode"
        assert text(b"begin 644 x\n" + lines.encode(), coded) == "A Par - Bur"

    @pytest.mark.parametrize(
        "body",
        [
            b"<html><body><p>A Par - Bur</p></body></html>",
            b"\n<!DOCTYPE html>\n<p>A Par - Bur</p>",
            b'<div dir="ltr">A Par - Bur<br></div>',
        ],
    )
    def test_html_that_is_called_plain_text(self, body: bytes) -> None:
        assert text(body, "Content-Type: text/plain") == "A Par - Bur"

    @pytest.mark.parametrize("quote", ["", "A Mar S A Par - Bur\n"])
    def test_the_html_counts_where_the_plain_text_holds_a_quote_alone(self, quote: str) -> None:
        message = EmailMessage()
        message["From"] = "ann@example.org"
        message.set_content("> JUDGE:paris\n> Your orders,\n> please.\n")
        page = "<blockquote>JUDGE:paris<br>Your orders, please.</blockquote>"
        message.add_alternative(f"<p>{quote}</p>{page}", subtype="html")
        assert parse(message.as_bytes()).text == quote.strip()

    def test_html_only(self) -> None:
        html = (
            b"<html><head><style>p {}</style><title>x</title></head><body>"
            b'<div dir="ltr">A Par<span>is</span> - Bur<div>F Bre&nbsp;-&gt; MAO</div>'
            b"<ul><li>A Mar H</ul></div></body></html>"
        )
        read = text(html, "Content-Type: text/html; charset=utf-8")
        assert [line for line in read.split("\n") if line] == [
            "A Paris - Bur",
            "F Bre -> MAO",
            "A Mar H",
        ]

    def test_of_two_versions_the_plain_one(self) -> None:
        message = EmailMessage()
        message["From"] = "ann@example.org"
        message.set_content("plain\n")
        message.add_alternative("<p>html</p>", subtype="html")
        assert parse(message.as_bytes()).text == "plain"

    def test_of_two_versions_the_one_with_something_in_it(self) -> None:
        message = EmailMessage()
        message["From"] = "ann@example.org"
        message.set_content(" \n\n")
        message.add_alternative("<p>A Par - Bur</p>", subtype="html")
        assert parse(message.as_bytes()).text == "A Par - Bur"

    def test_pictures_and_attachments_do_not_disturb(self) -> None:
        message = EmailMessage()
        message["From"] = "ann@example.org"
        message.set_content("A Par - Bur\n")
        message.add_alternative("<p>A Par - Bur<img src=cid:x></p>", subtype="html")
        message.add_attachment(b"\x89PNG", maintype="image", subtype="png", filename="map.png")
        message.add_attachment("A Mar - Spa\n", filename="old orders.txt")
        message.add_attachment(b"BEGIN:VCALENDAR", maintype="text", subtype="calendar")
        assert parse(message.as_bytes()).text == "A Par - Bur"

    def test_an_attached_text_counts_when_there_is_nothing_else(self) -> None:
        message = EmailMessage()
        message["From"] = "ann@example.org"
        message.set_content("\n")
        message.add_attachment("A Mar - Spa\n", filename="orders.txt")
        assert parse(message.as_bytes()).text == "A Mar - Spa"

    def test_a_forwarded_message_counts_when_there_is_nothing_else(self) -> None:
        inner = EmailMessage()
        inner["From"] = "ann@example.org"
        inner.set_content("A Mar - Spa\n")
        outer = EmailMessage()
        outer["From"] = "ann@example.org"
        outer.set_content("\n")
        outer.add_attachment(inner)
        assert parse(outer.as_bytes()).text == "A Mar - Spa"

    @pytest.mark.parametrize(
        "html",
        [
            b"<blockquote>A Mar - Spa</blockquote>&#1;&#31;A Par - Bur<ul>&#2;</ul>",
            b"<blockquote>&#1;A Mar - Spa</blockquote>A Par - Bur",
            b"<s>A Mar - Spa</s>&#1;A Par - Bur",
            b"<div>A Par - Bur<div class=gmail_signature>&#1;Ann</div>&#1;</div>",
        ],
    )
    def test_a_control_character_around_what_is_left_out_does_not_disturb(
        self, html: bytes
    ) -> None:
        assert text(html, "Content-Type: text/html").strip() == "A Par - Bur"

    def test_flowed_lines_are_joined(self) -> None:
        body = b"A Par, as \ndiscussed \nlong ago,\n - Bur\n> quoted \n> on\n-- \nAnn \nLee\n"
        fields = "Content-Type: text/plain; charset=us-ascii; format=flowed"
        assert text(body, fields) == "A Par, as discussed long ago,\n- Bur"
        assert unflow("a \nb", delsp=True) == "ab"
        assert unflow("> a \n> b\n>> c") == "> a b\n>> c"

    @pytest.mark.parametrize(
        ("fields", "body", "text"),
        [
            (["Subject: JOIN PRACTICE"], b"", "JOIN PRACTICE"),
            (["Subject: JOIN PRACTICE"], b"JOIN", "JOIN"),
            (["Subject: Re: JUDGE:paris - Spring 1901"], b"", ""),
            (["Subject: orders", "In-Reply-To: <1@judge.example>"], b"", ""),
        ],
    )
    def test_a_mail_with_nothing_but_a_subject_says_that(
        self, fields: list[str], body: bytes, text: str
    ) -> None:
        assert parse(mail(body, *fields)).text.strip() == text

    def test_an_empty_mail(self) -> None:
        for raw in (b"", b"\n", b"\r\n\r\n", mail(b""), mail(b" \n\n")):
            incoming = parse(raw)
            assert incoming.text == ""
            assert incoming.kind is MailKind.MESSAGE


CHARSETS = sorted({*aliases, *aliases.values(), "hex", "rot13", "zlib", "idna", "undefined", "x"})


@given(body=st.binary(max_size=60), name=st.sampled_from(CHARSETS))
@example(body=b"A Par - Bur \xe9", name="hex")
def test_whatever_it_is_written_in_a_mail_has_a_sender_and_can_be_answered(
    body: bytes, name: str
) -> None:
    coded = base64.b64encode(body).decode()
    for encoding, written in (("8bit", body), ("base64", base64.b64encode(body))):
        incoming = parse(
            mail(
                b"x\n" + written,
                f"Subject: =?{name}?b?{coded}?=",
                f"Content-Type: text/plain; charset={name}",
                f"Content-Transfer-Encoding: {encoding}",
            )
        )
        assert incoming.sender == "ann@example.org"
        assert "cannot be read" not in incoming.reason
    named = parse(f"From: =?{name}?b?{coded}?= <ann@example.org>\n\nx".encode() + body)
    assert named.sender == "ann@example.org"


def test_what_the_library_fails_on_can_be_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> str:
        raise LookupError("on purpose")

    monkeypatch.setattr("judge.mail.body.decode", fail)
    incoming = parse(mail())
    assert (incoming.kind, incoming.answerable) == (MailKind.UNREADABLE, True)
    assert "on purpose" in incoming.reason


class TestHostile:
    """Nothing anybody sends keeps the judge busy, or makes it stumble."""

    @pytest.mark.parametrize(
        "raw",
        [
            mail(b"A Par - Bur\n" + b"x" * 5_000_000),
            mail(b"A Par - Bur\n" * 400_000),
            mail(b"On " * 1_000_000),
            mail(b"On Mon, 15 Jun 2026, Ann <a@b.c> said\n" * 100_000),
            mail(b"From: a@b.c\n" * 200_000),
            mail(b"> x\n" * 1_000_000),
            mail(b":\n" * 1_000_000),
            mail(b"<div>" * 500_000, "Content-Type: text/html"),
            mail(b"<blockquote>x</blockquote>" * 40_000, "Content-Type: text/html"),
            mail(b"<p " + b"a=b " * 500_000, "Content-Type: text/html"),
            mail(b"<table>" + b"<tr><td>x<td>y" * 100_000, "Content-Type: text/html"),
            mail(b"<br>" * 500_000, "Content-Type: text/html"),
            mail(
                (b"--b\nContent-Type: text/html\n\n<table>" + b"<tr><td>x" * 5_000 + b"\n") * 90,
                "Content-Type: multipart/mixed; boundary=b",
            ),
            mail(b"&amp;" * 500_000, "Content-Type: text/html"),
            mail(b"x\n", "Subject: " + "=?a?q?" * 500_000),
            mail(b"x\n", "Subject: " + "Re: " * 500_000),
            mail(b"x\n", "Cc: " + "a@b.c, " * 200_000),
            mail(b"x\n", "Cc: " + "<" * 500_000),
            mail(b"x\n", "Cc: " + "(" * 500_000),
            mail(b"x\n", 'Cc: "' + "\\" * 500_000),
            mail(b"x\n", "References: " + "<a@b.c> " * 200_000),
            mail(b"x\n", *["X-Loop: x"] * 50_000),
            mail(b"x\n", "Content-Type: text/plain; " + "a*0*=x;" * 100_000),
            mail(b"x\n", "Content-Type: text/plain; charset*=" + "'" * 100_000),
            mail(b"--b\n" * 500_000, "Content-Type: multipart/mixed; boundary=b"),
            mail(b"x", "Content-Type: multipart/mixed"),
            mail(
                b"".join(
                    b"--%d\nContent-Type: multipart/mixed; boundary=%d\n\n" % (n, n + 1)
                    for n in range(20_000)
                ),
                "Content-Type: multipart/mixed; boundary=0",
            ),
            mail(b"Content-Type: message/rfc822\n\n" * 20_000, "Content-Type: message/rfc822"),
            b"\n" * 5_000_000,
            b"\xff" * 5_000_000,
            b"x: \n " * 1_000_000,
        ],
        ids=lambda raw: repr(raw[:20] if raw[:4] != b"From" else raw[52:90]),
    )
    def test_two_seconds_are_enough_for_anything(self, raw: bytes) -> None:
        started = time.process_time()
        incoming = parse(raw)
        assert time.process_time() - started < 10
        assert incoming.kind is not None

    def test_of_what_nobody_writes_the_beginning_is_read(self) -> None:
        long = parse(mail(b"A Par - Bur\n" * 200_000))
        assert 100_000 < len(long.texts.shown) < 1_000_000
        assert long.text.startswith("A Par - Bur\nA Par - Bur\n")
        html = parse(mail(b"<p>A Par - Bur" * 20_000, "Content-Type: text/html"))
        assert 10 < html.texts.shown.count("A Par - Bur") < 20_000
        assert html.text.startswith("A Par - Bur\n")

    def test_an_attached_international_mail_of_somebody_else_is_not_its_senders(self) -> None:
        inner = b"From: b@x.example\n\nA Par - Gas\n"
        parts = b"--b\n\nA Par - Bur\n--b\nContent-Type: message/%s\n\n%s--b--\n"
        for kind in (b"rfc822", b"global"):
            raw = mail(parts % (kind, inner), "Content-Type: multipart/mixed; boundary=b")
            assert parse(raw).text.strip() == "A Par - Bur", kind

    def test_too_many_parts_are_not_even_opened(self) -> None:
        part = b"--b\nContent-Type: text/plain\n\nA Par - Bur\n"
        whole, end = "Content-Type: multipart/mixed; boundary=b", b"--b--\n"
        # The message itself is a part.
        most = parse(mail(part * (BOUNDS.parts - 1) + end, whole))
        assert most.kind is MailKind.MESSAGE
        incoming = parse(mail(part * BOUNDS.parts + end, whole))
        assert incoming.kind is MailKind.UNREADABLE
        assert "parts" in incoming.reason
        assert (incoming.text, incoming.sender) == ("", "ann@example.org")
        assert incoming.answerable

    def test_parts_are_nested_so_deep_and_no_deeper(self) -> None:
        def nested(levels: int) -> bytes:
            raw = b"Content-Type: text/plain\n\nA Par - Bur\n"
            for level in range(levels):
                edge = b"b%d" % level
                head = b'Content-Type: multipart/mixed; boundary="%s"\n\n' % edge
                raw = head + b"--" + edge + b"\n" + raw + b"\n--" + edge + b"--\n"
            return b"From: ann@example.org\n" + raw

        most = parse(nested(BOUNDS.containers))
        assert (most.kind, most.text.strip()) == (MailKind.MESSAGE, "A Par - Bur")
        more = parse(nested(BOUNDS.containers + 1))
        assert more.kind is MailKind.UNREADABLE
        assert "nested" in more.reason

    @given(st.binary(max_size=2000))
    def test_any_bytes(self, raw: bytes) -> None:
        check(parse(raw))

    @given(
        st.lists(
            st.sampled_from(
                [
                    *("From: ", "To: ", "Subject: ", "Content-Type: ", "text/html", "text/plain"),
                    *("multipart/mixed", "multipart/alternative", "message/rfc822", "; boundary="),
                    *("b", "--b", "--b--", "\n", "\n\n", "; charset=", "utf-8", "utf-7", "hz"),
                    *("Content-Transfer-Encoding: ", "base64", "quoted-printable", "x-uuencode"),
                    *("<", ">", "@", '"', "(", ")", "=?utf-8?b?", "?=", "=", "A Par - Bur", "> "),
                    *("On 2026 x wrote:", "From: a@b.c", "-- ", "<blockquote>", "<p>", "&#", "\0"),
                    *("; format=flowed", "; delsp=yes", "Content-Disposition: attachment", "é"),
                ]
            ),
            max_size=60,
        )
    )
    def test_any_pile_of_pieces(self, pieces: list[str]) -> None:
        check(parse("".join(pieces).encode()))

    @given(st.text(max_size=500))
    def test_any_html(self, html: str) -> None:
        html_to_text(html)


def check(incoming: ParsedMessage) -> None:
    """What is true of every reading."""
    assert "It cannot be read" not in incoming.reason
    assert "\r" not in incoming.text
    assert "\0" not in incoming.text
    assert not incoming.text.startswith("\n")
    assert "\n" not in incoming.subject
    assert incoming.sender == incoming.sender.lower()
    assert incoming.date is None or incoming.date.tzinfo is UTC
    (incoming.text + incoming.subject + incoming.sender_name).encode("utf-8")


def test_a_text_that_cannot_be_cut_is_read_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    letter = mail(b"One two three four five six seven eight nine.\nTen eleven twelve.\n")
    said = "A Par - Bur\n\nOne two three four five six seven eight nine.\nTen eleven twelve.\n"
    incoming = parse(mail(said.encode()))
    assert answering(incoming, digests(letter)).text == "A Par - Bur"

    def breaks(*arguments: object) -> ParsedMessage:
        raise RecursionError

    monkeypatch.setattr("judge.mail.message._with_text", breaks)
    assert answering(incoming, digests(letter)) is incoming
