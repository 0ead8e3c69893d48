"""Quotes and signatures go; what the writer wrote stays, wherever it stands."""

from __future__ import annotations

import pytest

from judge.mail.body import html_to_text
from judge.mail.reply import written

OURS = "> You owe orders for A Mar and F Bre.\n> A Mar - Spa\n"

ANNOUNCED = [
    "On Mon, Jun 15, 2026 at 8:00 PM Judge <judge@example.com> wrote:",
    "On Mon, Jun 15, 2026 at 8:00 PM The judge with the very long name\n<judge@example.com> wrote:",
    "Am Mo., 15. Juni 2026 um 20:00 Uhr schrieb Judge <judge@example.com>:",
    "Am 15.06.26 um 20:00 schrieb Judge:",
    "Le lun. 15 juin 2026 à 20:00, Judge <judge@example.com> a écrit :",
    "El lun, 15 jun 2026 a las 20:00, Judge (<judge@example.com>) escribió:",
    "Il giorno lun 15 giu 2026 alle ore 20:00 Judge <judge@example.com> ha scritto:",
    "Em seg., 15 de jun. de 2026 às 20:00, Judge <judge@example.com> escreveu:",
    "Op ma 15 jun 2026 om 20:00 schreef Judge <judge@example.com>:",
    "pon., 15 cze 2026 o 20:00 Judge <judge@example.com> napisał(a):",
    "Den mån 15 juni 2026 kl 20:00 skrev Judge <judge@example.com>:",
    "пн, 15 июн. 2026 г. в 20:00, Judge <judge@example.com>:",
    "2026年6月15日(月) 20:00 Judge <judge@example.com>:",
    "Judge <judge@example.com> 于2026年6月15日周一 20:00写道：",
    "2026년 6월 15일 (월) 오후 8:00, Judge <judge@example.com>님이 작성:",
    "Judge wrote on 15.06.2026 20:00:",
]

UNMARKED = [
    "On Mon, Jun 15, 2026 at 8:00 PM Judge <judge@example.com> wrote:\n",
    "Am 15.06.2026 um 20:00 schrieb Judge <judge@example.com>:\n",
    "-----Original Message-----\nFrom: Judge <judge@example.com>\nSent: Monday, June 15, 2026\n",
    "________________________________\nFrom: Judge <judge@example.com>\n"
    "Sent: Monday, June 15, 2026 8:00 PM\nTo: Ann <ann@example.org>\nSubject: JUDGE:paris\n",
    "Von: Judge <judge@example.com>\nGesendet: Montag, 15. Juni 2026 20:00\n"
    "An: Ann <ann@example.org>\nBetreff: JUDGE:paris\n",
    "De : Judge <judge@example.com>\nEnvoyé : lundi 15 juin 2026 20:00\n"
    "À : Ann\nObjet : JUDGE:paris\n",
    "De: Judge <judge@example.com>\nEnviado: lunes, 15 de junio de 2026 20:00\n"
    "Para: Ann\nAsunto: JUDGE:paris\n",
    "Da: Judge <judge@example.com>\nInviato: lunedì 15 giugno 2026 20:00\nA: Ann\nOggetto: x\n",
    "Van: Judge <judge@example.com>\nVerzonden: maandag 15 juni 2026 20:00\nAan: Ann\n",
    "*From:* Judge <judge@example.com>\n*Sent:* Monday, June 15, 2026 8:00 PM\n*To:* Ann\n",
]


@pytest.mark.parametrize("announced", ANNOUNCED)
def test_an_answer_above(announced: str) -> None:
    assert written(f"A Par - Bur\nF Bre - MAO\n\n{announced}\n\n{OURS}") == (
        "A Par - Bur\nF Bre - MAO"
    )
    assert written(f"A Par - Bur\n\n{announced}\n{OURS}") == "A Par - Bur"


@pytest.mark.parametrize("announced", ANNOUNCED)
def test_an_answer_below_and_between(announced: str) -> None:
    assert written(f"{announced}\n{OURS}\nA Par - Bur\n") == "A Par - Bur"
    between = f"{announced}\n> A Mar?\nA Mar - Spa\n> F Bre?\n\nF Bre - MAO\n>\n"
    assert written(between) == "A Mar - Spa\n\nF Bre - MAO"


@pytest.mark.parametrize("header", UNMARKED)
def test_a_mail_copied_below_without_marks(header: str) -> None:
    assert written(f"A Par - Bur\n\n{header}\nA Mar - Spa\n") == "A Par - Bur"


@pytest.mark.parametrize("header", UNMARKED[2:])
def test_a_forwarded_mail_counts_where_nothing_stands_above(header: str) -> None:
    raw = f"{header}\nA Mar - Spa\n"
    assert written(raw) == ""
    assert written(raw, forwarded=True).strip() == "A Mar - Spa"
    assert written(f"A Par - Bur\n\n{raw}", forwarded=True) == "A Par - Bur"


@pytest.mark.parametrize(
    "line",
    [
        "Sent from my iPhone",
        "Sent from Outlook for Android<https://aka.ms/x>",
        "Get Outlook for iOS",
        "Von meinem iPhone gesendet",
        "Gesendet mit der GMX Mail App",
        "Diese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.",
        "Envoyé de mon iPhone",
        "Enviado desde mi iPhone",
        "Enviado do meu iPhone",
        "Inviato da iPhone",
        "Verstuurd vanaf mijn iPhone",
        "Wysłane z iPhone'a",
        "Отправлено с iPhone",
        "iPhoneから送信",
        "发自我的 iPhone",
    ],
)
def test_telephones_do_not_play(line: str) -> None:
    assert written(f"A Par - Bur\n\n{line}\n\n{OURS}") == "A Par - Bur"
    assert written(f"A Par - Bur\n{line}") == "A Par - Bur"


@pytest.mark.parametrize("mark", ["-- ", "--"])
def test_a_signature_is_no_order(mark: str) -> None:
    assert written(f"A Par - Bur\n{mark}\nAnn Lee\nA Mar - Spa\n") == "A Par - Bur"


@pytest.mark.parametrize(
    "text",
    [
        "PRESS TO E\nFrom: France\nTo: England\nLet us meet in Burgundy.",
        "REGISTER\nName: Ann Lee\nEmail: ann@example.org\nTime zone: Europe/Paris\n"
        "Country: France\nLevel: novice\nEND",
        "France:\nA Par - Bur\nF Bre - MAO",
        "On second thoughts:\nA Par - Bur",
        "A Lon -> Nwy\n--> no\n- A Par H",
        "set deadline Fri 20:00\nset move clock 20:00",
        "build A Mun\nA: waive",
        "PHASE F1903M:\nA Par - Bur\n\nPHASE S1904M:\nA Bur H",
    ],
)
def test_what_only_looks_like_a_quote_stays(text: str) -> None:
    assert written(text) == text


class TestHtml:
    """The quotes that web mail and Outlook mark up."""

    @pytest.mark.parametrize(
        "html",
        [
            # Gmail
            '<div dir="ltr">A Par - Bur</div><br><div class="gmail_quote"><div dir="ltr"'
            ' class="gmail_attr">On Mon, 15 Jun 2026 at 20:00, Judge wrote:<br></div>'
            '<blockquote class="gmail_quote" style="border-left:1px solid #ccc">A Mar - Spa'
            "</blockquote></div>",
            # Apple Mail
            "<html><body>A Par - Bur<br><div><br><blockquote type=cite><div>On Jun 15, 2026, at"
            " 8:00 PM, Judge wrote:</div><div>A Mar - Spa</div></blockquote></div></body></html>",
            # Outlook on the web
            "<div>A Par - Bur</div><div id='appendonsend'></div><hr><div id='divRplyFwdMsg'>"
            "<b>Fra:</b> Judge<br><b>Sendt:</b> mandag</div><div>A Mar - Spa</div>",
            # Outlook for Windows, a language the library does not know
            "<div id='mail-editor-reference-message-container'><p>Lähettäjä: Judge</p>"
            "<p>A Mar - Spa</p></div>".join(["<p>A Par - Bur</p>", ""]),
            # Thunderbird, answered below
            "<div class='moz-cite-prefix'>Am 15.06.26 um 20:00 schrieb Judge:<br></div>"
            "<blockquote type='cite'>A Mar - Spa</blockquote><p>A Par - Bur</p>",
            # Yahoo
            "<div>A Par - Bur</div><div id='yahoo_quoted_1' class='yahoo_quoted'><div>On Monday"
            "</div><div>A Mar - Spa</div></div>",
            # Proton
            "<div>A Par - Bur</div><div class='protonmail_quote'>On Monday wrote<blockquote>A Mar"
            " - Spa</blockquote></div>",
        ],
    )
    def test_the_answer_stays_and_the_quote_goes(self, html: str) -> None:
        assert written(html_to_text(html)).strip() == "A Par - Bur"

    def test_answers_between_quotes_stay(self) -> None:
        html = (
            "<blockquote type=cite>A Mar?</blockquote><div>A Mar - Spa</div>"
            "<blockquote type=cite>F Bre?</blockquote><div>F Bre - MAO</div>"
        )
        lines = written(html_to_text(html)).split("\n")
        assert [line for line in lines if line] == ["A Mar - Spa", "F Bre - MAO"]

    def test_what_gmail_indents_is_no_quote(self) -> None:
        html = (
            '<blockquote style="margin:0 0 0 40px;border:none;padding:0">A Par - Bur</blockquote>'
        )
        assert written(html_to_text(html)).strip() == "A Par - Bur"
