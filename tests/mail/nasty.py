"""Two hundred kinds of mail made to cost much or to break what reads them, each of any size.

`python -m tests.mail.nasty [BYTES ...]` (9000, 90000 and 900000) takes each from the door to the
committed answer, and through `judge read`, and prints what cost the most processor time.
"""

from __future__ import annotations

import base64
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

PLAYER = "ann@people.example"
STRANGER = "eve@elsewhere.example"

Kind = Callable[[int], bytes]


def _mail(text: bytes, head: bytes = b"", sender: bytes = PLAYER.encode()) -> bytes:
    return b"From: " + sender + b"\r\nMessage-ID: <n@x>\r\n" + head + b"\r\n" + text + b"\r\n"


def _fill(piece: bytes, size: int, end: bytes = b"") -> bytes:
    return piece * max(1, (size - len(end)) // len(piece)) + end


def _body(piece: str | bytes, end: str | bytes = b"", head: bytes = b"") -> Kind:
    """A text of one piece, again and again."""
    said = piece.encode() if isinstance(piece, str) else piece
    last = end.encode() if isinstance(end, str) else end
    plain = head or b"Content-Type: text/plain; charset=utf-8\r\n"
    return lambda size: _mail(_fill(said, size, last), plain)


def _numbered(line: str, end: str = "") -> Kind:
    """A text of lines that are all different."""

    def make(size: int) -> bytes:
        count = max(1, size // (len(line.format(n=100_000).encode()) + 1))
        return _mail("\n".join(line.format(n=n) for n in range(count)).encode() + end.encode())

    return make


def _wide(start: str, piece: str, end: str = "", length: int = 3_990) -> Kind:
    """A text of lines that long, each of one piece again and again."""

    def make(size: int) -> bytes:
        count = (min(length, size) - len(start) - len(end)) // len(piece)
        line = f"{start}{piece * max(1, count)}{end}\n".encode()
        return _mail(_fill(line, size), b"Content-Type: text/plain; charset=utf-8\r\n")

    return make


def _within(piece: str) -> Kind:
    """One piece again and again between two words."""
    plain = b"Content-Type: text/plain; charset=utf-8\r\n"
    return lambda size: _mail(b"x\n" + _fill(piece.encode(), size) + b"\ny", plain)


def _html(piece: str, end: str = "", start: str = "") -> Kind:
    head = b"MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n"
    before = start.encode()
    return lambda size: _mail(before + _fill(piece.encode(), size, end.encode()), head)


def _around(start: str, middle: str, end: str) -> Kind:
    """Elements in each other."""

    def make(size: int) -> bytes:
        count = size // (len(start) + len(end))
        text = start * count + middle + end * count
        return _mail(text.encode(), b"Content-Type: text/html\r\n")

    return make


def _field(name: str, piece: str | bytes, start: str = "", end: str = "") -> Kind:
    """One field of that size."""
    said = piece.encode() if isinstance(piece, str) else piece

    def make(size: int) -> bytes:
        value = start.encode() + _fill(said, size) + end.encode()
        head = name.encode() + b": " + value + b"\r\n"
        if name == "From":
            return head + b"Subject: x\r\n\r\nA Par - Bur\r\n"
        return _mail(b"A Par - Bur", head)

    return make


def _fields(line: str) -> Kind:
    """Many fields."""
    return lambda size: _mail(b"A Par - Bur", _fill(line.encode() + b"\r\n", size))


def _parts(kind: str, part: str, end: str = "") -> Kind:
    head = f"MIME-Version: 1.0\r\nContent-Type: {kind}; boundary=b\r\n".encode()
    return lambda size: _mail(_fill(b"--b\r\n" + part.encode() + b"\r\n", size, end.encode()), head)


def _nested(kind: str) -> Kind:
    def make(size: int) -> bytes:
        levels = size // (len(kind) + 60)
        text = "".join(
            f"Content-Type: {kind}; boundary=b{n}\r\n\r\n--b{n}\r\n" for n in range(levels)
        )
        return f"From: {PLAYER}\r\n{text}\r\nA Par - Bur\r\n".encode()

    return make


def _coded(coding: str, data: Callable[[int], bytes], kind: str = "text/plain") -> Kind:
    head = f"Content-Type: {kind}\r\nContent-Transfer-Encoding: {coding}\r\n".encode()
    return lambda size: _mail(data(size), head)


def _parameters(line: str) -> Kind:
    def make(size: int) -> bytes:
        count = size // (len(line) + 8)
        told = "".join(f"\r\n {line.format(n=n)};" for n in range(count))
        return _mail(b"A Par - Bur", f"Content-Type: text/plain;{told} x=y\r\n".encode())

    return make


def _charset(name: str, piece: bytes) -> Kind:
    head = f"Content-Type: text/plain; charset={name}\r\n".encode()
    return _body(piece, head=head)


def _quoted(size: int) -> bytes:
    return _mail(b"".join(b"> " * (n % 60) + b"A Par - Bur\n" for n in range(size // 75)))


def _ifs(size: int) -> bytes:
    return _mail(_fill(b"IF par THEN A Par - Bur\nELSE IF NOT bur\nELSE\n", size))


def _deep_ifs(size: int) -> bytes:
    count = size // 12
    return _mail(b"IF par\n" * count + b"A Par - Bur\n" + b"ENDIF\n" * count)


def _passwords(size: int) -> bytes:
    lines = (f"SIGN ON france@paris secret{n}" for n in range(size // 35))
    return _mail("\n".join(lines).encode())


KINDS: dict[str, Kind] = {
    # Headers
    "From of parentheses": _field("From", "(", end=f" {PLAYER}"),
    "From of closed parentheses": _field("From", "()", end=f" {PLAYER}"),
    "From of quotes": _field("From", '"', end=f" <{PLAYER}>"),
    "From of backslashes": _field("From", "\\", start='"', end=f'" <{PLAYER}>'),
    "From of commas": _field("From", ",", end=PLAYER),
    "From of brackets": _field("From", "<", end=PLAYER),
    "From of at signs": _field("From", "@", end=PLAYER),
    "From of a group": _field("From", "a@b.c, ", start="all: ", end=f"{PLAYER};"),
    "From of groups": _field("From", "a: b: ", end=f"{PLAYER};"),
    "From of encoded words": _field("From", "=?utf-8?q?=28?= ", end=f" <{PLAYER}>"),
    "From of broken encoded words": _field("From", "=?utf-8?b?x", end=f" <{PLAYER}>"),
    "From of addresses": _field("From", "a@b.example, ", end=PLAYER),
    "From of bytes": _field("From", b"\xff\xfe(", end=f" <{PLAYER}>"),
    "From of nulls": _field("From", b"\0", end=f" <{PLAYER}>"),
    "From of surrogates": _field("From", b"\xed\xa0\x80", end=f" <{PLAYER}>"),
    "From of folds": _field("From", "\r\n ", end=f"<{PLAYER}>"),
    "From of square brackets": _field("From", "[", start="a@", end=f" <{PLAYER}>"),
    "From of dots": _field("From", ".", start="a", end=f"@x <{PLAYER}>"),
    "To of a group": _field("To", "a@b.example, ", start="all: ", end=";"),
    "To of parentheses": _field("To", "("),
    "To of addresses of letters": _field("To", "judge+r1.abcdefgh@judge.example, "),
    "Cc of quotes": _field("Cc", '"a'),
    "Reply-To of parentheses": _field("Reply-To", "((a"),
    "Subject of blanks": _field("Subject", " \t", start="x", end="x"),
    "Subject of Re": _field("Subject", "Re: "),
    "Subject of encoded words": _field("Subject", "=?utf-8?q?a?= "),
    "Subject of broken base64": _field("Subject", "=?utf-8?b?a?= "),
    "Subject of a game": _field("Subject", "JUDGE:"),
    "References": _field("References", "<a@b>\r\n "),
    "References that all differ": lambda size: _mail(
        b"A Par - Bur",
        b"References: " + b"\r\n ".join(b"<%d@x>" % n for n in range(size // 12)) + b"\r\n",
    ),
    "References of brackets": _field("References", "<"),
    "In-Reply-To of one id": _field("In-Reply-To", "a", start="<", end="@b>"),
    "Message-ID of one word": _field("Message-ID", "a", start="<", end="@b>"),
    "Date of digits": _field("Date", "1"),
    "Date of zones": _field("Date", "+", start="Mon, 1 Jan 2026 10:00:00 "),
    "Date of parentheses": _field("Date", "(", start="Mon, 1 Jan 2026 10:00:00 +0000 "),
    "one field": _field("X-Long", "y"),
    "fields": _fields("X: y"),
    "Received fields": _fields("Received: from a by b for <judge@judge.example>; Mon"),
    "Authentication-Results": _fields("Authentication-Results: mx; dkim=pass; dmarc=pass (((("),
    "DKIM-Signature fields": _fields("DKIM-Signature: v=1; d=x; s=y; h=from:from; bh=; b="),
    "From fields": _fields(f"From: {PLAYER}"),
    "To fields": _fields("To: a@b.example"),
    "lines that are no field": _fields("nothing"),
    "folded lines": _fields(" folded"),
    "colons": _fields(":"),
    "a name without end": lambda size: b"a" * size,
    "nulls": lambda size: b"\0" * size,
    "bytes": lambda size: (bytes(range(256)) * (size // 256 + 1))[:size],
    "carriage returns": lambda size: b"\r" * size,
    "line feeds": lambda size: b"\n" * size,
    "Content-Type of semicolons": _field("Content-Type", ";", start="text/plain"),
    "Content-Type of quotes": _field("Content-Type", '"\\', start='text/plain; charset="'),
    "Content-Disposition": _field("Content-Disposition", "a; ", start="attachment; "),
    # Parts
    "parameters by the thousand": _parameters("name*{n}=a"),
    "encoded parameters": _parameters("name*{n}*=utf-8''%28"),
    "parameters without order": _parameters("p{n}=x"),
    "nested multipart": _nested("multipart/mixed"),
    "nested alternative": _nested("multipart/alternative"),
    "nested messages": lambda size: b"From: a@b.c\r\n" + _fill(
        b"Content-Type: message/rfc822\r\n\r\n", size, b"A Par - Bur\r\n"
    ),
    "parts": _parts("multipart/mixed", "Content-Type: text/plain\r\n\r\nA Par - Bur"),
    "empty parts": _parts("multipart/mixed", ""),
    "alternatives": _parts("multipart/alternative", "Content-Type: text/html\r\n\r\n<p>x"),
    "attached texts": _parts(
        "multipart/mixed",
        "Content-Type: text/plain\r\nContent-Disposition: attachment\r\n\r\nA Par - Bur",
    ),
    "a digest": _parts("multipart/digest", f"\r\nFrom: {PLAYER}\r\n\r\nA Par - Bur"),
    "a report": _parts("multipart/report", "Content-Type: message/delivery-status\r\n\r\nA: x"),
    "parts by a boundary in pieces": _parts("multipart/mixed; boundary*0=b; x", "\r\nx"),
    "boundaries that differ": lambda size: _mail(
        b"\n".join(b"--\nboundary=q%d" % n for n in range(size // 17))
    ),
    "half boundaries": lambda size: _mail(
        _fill(b"--", size), b"Content-Type: multipart/mixed; boundary=" + b"-" * 60 + b"\r\n"
    ),
    "a missing boundary": _body("--b\nContent-x\n", head=b"Content-Type: multipart/mixed\r\n"),
    "a calendar": _body("METHOD:", head=b"Content-Type: text/calendar\r\n"),
    # Codings and charsets
    "quoted-printable of signs": _coded("quoted-printable", lambda size: b"=" * size),
    "quoted-printable of soft ends": _coded("quoted-printable", lambda n: b"=\r\n" * (n // 3)),
    "quoted-printable of bytes": _coded("quoted-printable", lambda n: b"=FF" * (n // 3)),
    "base64 of signs": _coded("base64", lambda size: b"=" * size),
    "base64 of lines": _coded("base64", lambda n: b"QQ==\n" * (n // 5)),
    "base64 of orders": _coded(
        "base64", lambda n: base64.encodebytes(b"A Par - Bur\n" * (n // 16))
    ),
    "uuencode": _coded("x-uuencode", lambda n: b"begin 644 x\n" + b"M" + b"\x60" * n),
    "an unknown coding": _coded("rot13", lambda n: b"N Cne - Ohe\n" * (n // 12)),
    "utf-7": _charset("utf-7", b"+A"),
    "utf-16": _charset("utf-16", b"\xd8\x00"),
    "utf-32": _charset("utf-32", b"\xff\xff\xff\xff"),
    "iso-2022-jp": _charset("iso-2022-jp", b"\x1b$B\x1b(B"),
    "hz": _charset("hz", b"~{"),
    "punycode": _charset("punycode", b"a-"),
    "unicode_escape": _charset("unicode_escape", b"\\u0041"),
    "big5": _charset("big5", b"\xa4\x40"),
    "an unknown charset": _charset("nonsense", b"\xc3\x28\xa0"),
    "no charset": _charset('""', b"\xe4\xf6\xfc "),
    "cyrillic bytes": _charset("x", bytes(range(0xC0, 0x100)) + b" "),
    # Marks and signs
    "bidirectional marks": _body("\u202e\u2066A Par - Bur\u2069\n"),
    "zero widths": _body("A\u200b Par\u200d - Bur\u2060\n"),
    "tags": _body("\U000e0041\U000e007f"),
    "combining marks": _body("a" + "\u0301" * 50 + "\n"),
    "marks on a letter": _within("\u0316\u0301"),
    "marks on a letter on lines": _wide("A Par - Bur", "\u0316\u0301", length=2_000),
    "ligatures on lines": _wide("A ", "\ufdfa", length=390),
    "C1": _body("\u009b31mA Par - Bur\n"),
    "emoji": _body("\U0001f44d\u200d"),
    "Arabic ligatures": _body("\ufdfa"),
    "wide letters": _body("Ａ Ｐａｒ － Ｂｕｒ\n"),
    "line separators": _body("\u2028\u2029\x85\x0b\x0c"),
    # HTML
    "elements in each other": _around("<div>", "A Par - Bur", "</div>"),
    "quotes in each other": _around("<blockquote>", "A Par - Bur", "</blockquote>"),
    "tables in each other": _around("<table><tr><td>", "A Par - Bur", "</td></tr></table>"),
    "spans in each other": _around("<span style='color:red'>", "A Par - Bur", "</span>"),
    "open elements": _html("<b><i>"),
    "table cells": _html("<td>A Par - Bur"),
    "table rows": _html("<tr><td>a<td>b", start="<table>"),
    "lists": _html("<ul><li>A Par - Bur"),
    "entities": _html("&#1;&#128405;&lt;"),
    "open comments": _html("<!--"),
    "open tags": _html("<"),
    "attributes": _html(" a='b'", end=">A Par - Bur", start="<p"),
    "styles": _html("display: none;", end="'>A Par", start="<p style='"),
    "styles by the thousand": _html("<p style='margin:1em;padding:2em;white-space:pre'>A Par"),
    "crossed out": _html("<s>A Par - Bur</s>"),
    "declarations": _html("<?xml "),
    "breaks": _html("<br>"),
    "preformatted": _html("a\n", start="<pre>"),
    "blanks in HTML": _html(" \t\n", end="A Par - Bur"),
    # What a reply is cut by
    "quotes": _body("> A Par - Bur\n"),
    "quotes of all depths": _quoted,
    "flowed lines": _body("a \n", head=b"Content-Type: text/plain; format=flowed; delsp=yes\r\n"),
    "dashes": _body("-"),
    "rulers": _body("-----\n"),
    "original messages": _body("-----Original Message-----\nFrom: a@b.c\nSent: 1 Jan 2026\n"),
    "copied headers": _body("From: a@b.c\nTo: b@c.d\nSubject: x\nDate: 1 Jan 2026\n\n"),
    "announcements": _body("On Mon, 15 Jun 2026 at 10:00, Ann <ann@people.example> wrote:\n"),
    "half announcements": _body("On Mon, 15 Jun 2026 at 10:00, Ann <ann@people.example>\n"),
    "PGP": _body("-----BEGIN PGP SIGNED MESSAGE-----\n\n- A Par - Bur\n"),
    "signatures": _body("-- \nA Par - Bur\n"),
    "labels": _body("a: b\n"),
    "tildes": _body("~~a"),
    "initials": _body("AB> x\n"),
    "blank lines": _body(" \n"),
    "blanks": _body(" ", end="A Par - Bur"),
    "blank lines within": _within("\n"),
    "letters of a word behind an army": _body("x", head=b"Subject: x\r\n\r\na "),
    # Lines
    "orders": _body("A Par - Bur\n"),
    "orders that differ": _numbered("A Par - Bur {n}"),
    "results": _numbered("Austria: Army Budapest moves to Serbia {n}. Succeeds."),
    "results of the enemy": _body("Russia: Fleet Sevastopol moves to the Black Sea. Bounces.\n"),
    "orders of nobody": _body("A Lon - Bur\n"),
    "misspelled orders": _body("A Pra - Bugrundi\n"),
    "misspelled orders that differ": _numbered("A Pra{n} - Bugrundi{n}"),
    "half orders": _body("A Par -\n"),
    "arrows": _body("A Par -> - > - "),
    "orders on a line": _body("A Par - Bur, "),
    "supports in each other": _body("A Par S A Bur S "),
    "a chain of convoys": _body("F Nth C A Lon - Nwy - "),
    "names of two words": _body("north sea norwegian "),
    "names of one letter": _body("a s c "),
    "conjunctions": _body("and A Par - Bur "),
    "parentheses": _body("("),
    "parentheses of orders": _body("(A Par - Bur)"),
    "numbers": _body("1) "),
    "commas": _body(", "),
    "commas on lines": _wide("A Par ", ","),
    "stars on lines": _wide("A Par ", "*", "x", length=390),
    "outcomes on lines": _wide("A Par - Bur ", "(bounce)", "x", length=390),
    "thanks on lines": _wide("A Par - Bur ", "please ", length=390),
    "orders that are wrong on lines": _wide("", "A Par - Burr. "),
    "orders cut anywhere": _wide("", "A Par - Bur ", "- ", length=75),
    "saints": _wide("F ", "St. ", length=390),
    "units in brackets": _wide("", "A(Bur)", length=390),
    "fleets": _wide("", "fleet ", length=155),
    "full stops": _body(". "),
    "full stops on lines": _wide("", ". ", " par"),
    "exclamation marks behind talk": _wide("please ", "! ", " par", length=390),
    "talk that is cut off bit by bit": _wide("please ", "! : ", "par", length=390),
    "exclamation marks": _body("!", end="x"),
    "question marks on lines": _wide("", "?", "fleet"),
    "full stops without blanks": _wide("", ".", "?"),
    "full stops and stars": _wide("isses ", ". *", length=390),
    "full stops behind talk": _wide("A Par - ", "nI. "),
    "ellipses on lines": _wide("", "…", " -", length=2_000),
    "signs of equality": _wide("hello ", "=", " -"),
    "dashes between numbers": _wide("nA ", "40-", " par", length=390),
    "points of the compass": _wide("", "north (—", "x", length=390),
    "points of the compass, few": _wide("", "nor - ", "x", length=60),
    "words with dashes": _wide("", "machen-", " - ", length=390),
    "letters on lines": _wide("", "Venise\ufdfa", " THEN A Par H", length=200),
    "one word": _body("a"),
    "words of commands": _body("set "),
    "unknown commands": _body("frobnicate\n"),
    "unknown settings": _body("SET FROBNICATE\n"),
    "settings": _body("SET WAIT\nSET NO WAIT\n"),
    "settings on a line": _body("set wait, "),
    "settings of nothing": _body("SET ,"),
    "settings of commas": _wide("SET ", ","),
    "dates on lines": _wide("SET DEADLINE ", "1 "),
    "time zones": _numbered("SET TIME ZONE America/Argentina/B{n}"),
    "deadlines of zones": _numbered("SET DEADLINE monday 20:00 America/Argentina/B{n}"),
    "deadlines of digits": _body("SET DEADLINE 99999999999999\n"),
    "WHAT IF": _numbered("WHAT IF A Par - Bur; A Mar - Bur; F Bre - {n}"),
    "questions": _body("when is the deadline?\n"),
    "wishes": _body("please extend the deadline by 24 hours\n"),
    "wishes that differ": _numbered("Could you please extend the deadline by {n} hours for me?"),
    "sentences": _body("I would like to move my army from Paris to Burgundy, please. "),
    "sentences on lines": _body("I would like to move my army from Paris to Burgundy.\n"),
    "LIST": _body("LIST\n"),
    "HELP": _body("HELP commands\n"),
    "STATUS": _body("STATUS\n"),
    "HISTORY": _body("HISTORY paris\n"),
    "MAP": _body("MAP\n"),
    "LEGAL MOVES": _body("LEGAL MOVES\n"),
    "MY DATA": _body("MY DATA\n"),
    "CREATE": _numbered("CREATE ?g{n}"),
    "JOIN": _body("JOIN\n"),
    "JOIN of no game": _numbered("JOIN nothing{n}"),
    "SIGN ON": _body("SIGN ON france@paris\n"),
    "passwords": _passwords,
    "passwords to set": _numbered("SET PASSWORD secret{n}"),
    "press": _body("PRESS TO ENGLAND\nx\nENDPRESS\n"),
    "press without end": _body("PRESS TO ENGLAND\n"),
    "press of one letter": lambda size: _mail(b"PRESS TO ENGLAND\n" + b"x\n" * (size // 2)),
    "press of one line": lambda size: _mail(b"PRESS TO ENGLAND\n" + b"x" * size + b"\nENDPRESS"),
    "press to many": _body("england, ", end="\nx\nENDPRESS", head=b"Subject: x\r\n"),
    "press to commas": _wide("PRESS TO ", ","),
    "BROADCAST": _body("BROADCAST\nx\nENDBROADCAST\n"),
    "DIARY": _body("DIARY\nx\nENDDIARY\n"),
    "headings": _body("France:\n"),
    "phases": _body("PHASE F1901M\nA Par - Bur\n"),
    "phases that differ": _numbered("PHASE F{n}M\nA Par - Bur"),
    "IF": _ifs,
    "IF in each other": _deep_ifs,
    "long conditions": _body("par and not bur or (", end="\n", head=b"Subject: x\r\n"),
    "IF of commas": _wide("IF par", ",", "x"),
    "IF of blanks": _wide("IF par", " ", "x"),
    "phases on lines": _wide("PHASE ", ": "),
    "IF of parentheses": lambda size: _mail(b"IF " + b"(" * size + b"par" + b")" * 10),
    "YES": _body("YES\n"),
    "NO": _body("NO\n"),
    "YES of numbers": _numbered("YES {n}"),
    "votes": _body("VOTE DRAW england france\n"),
    "absences": _numbered("SET ABSENCE 2026-01-01 TO 2027-01-{n}"),
    "deadlines": _body("SET DEADLINE next monday noon\n"),
    "comments": _body("// x\n"),
    "mailings": _body("http://example.org/a?b=c&d "),
    "German": _body("A München - Burgund\nHILFE\nPRESSE AN Frankreich\n"),
    "scripts": _body("ФА–Пар à → ß "),
}  # fmt: skip
"""From the name of a kind to what makes a mail of about so many bytes."""


def cost(work: Callable[[], object]) -> float:
    """Seconds of processor time that some work takes."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def _speed() -> float:
    """Seconds of processor time that a fixed piece of work takes now: other work slows it down."""
    return min(cost(lambda: [str(n) for n in range(100_000)]) for _ in range(2))


def main() -> None:
    """Measure and print."""
    from judge.commands import TABLE
    from judge.game.orders.order_context import OrderContext
    from judge.intake.dry_run import dry_run
    from judge.mail.message import delivered_to, parse
    from judge.variants import load
    from tests.game.play import Play

    sizes = [int(each) for each in sys.argv[1:] if each.isdigit()] or [9_000, 90_000, 900_000]
    named = [each for each in sys.argv[1:] if not each.isdigit()]
    turn = OrderContext(load("standard"))
    with tempfile.TemporaryDirectory() as folder:
        play = Play(Path(folder))
        play.start()
        for size in sizes:
            for name, kind in KINDS.items():
                if named and name not in named:
                    continue
                raw = kind(size)
                play.once(("start", "", "AEFGIRT", None), lambda: None)
                store = cost(partial(play.raw, raw, PLAYER))
                mail_id = play.storage.inbound.newest()
                work = cost(partial(play.judge.process_message, mail_id))
                mail = play.storage.inbound.find(mail_id)
                letters = play.storage.outbound.of_mail(mail_id)
                most = max((len(each.raw) for each in letters), default=0)
                read = cost(lambda: dry_run(parse(raw, own=delivered_to(raw)), TABLE, turn))  # noqa: B023
                print(
                    f"{size:7} {store:6.2f} {work:6.2f} {read:6.2f} {_speed():5.3f}"
                    f" {len(letters):4} {most:8} {mail.state if mail else ''}  {name}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
