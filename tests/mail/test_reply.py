"""Quotes and signatures go; what the writer wrote stays, wherever it stands."""

from __future__ import annotations

import pytest

from judge.mail.html_text import html_to_text
from judge.mail.own_text import written as read


def written(text: str, *, forwarded: bool = False) -> str:
    return read(text, forwarded=forwarded).text


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
    "Judge <judge@example.org> ezt írta (időpont: 2026. nov. 20., P, 14:03):",
    "În vin., 20 nov. 2026 la 14:03, Judge <judge@example.org> a scris:",
    "pá 20. 11. 2026 v 14:03 odesílatel Judge <judge@example.org> napsal:",
    "пт, 20 лист. 2026 р. о 14:03 Judge <judge@example.org> пише:",
    "Στις Παρ 20 Νοε 2026 στις 2:03 μ.μ., ο χρήστης Judge <judge@example.org> έγραψε:",
    "Den fre. 20. nov. 2026 kl. 14.03 skrev Judge <judge@example.org>:",
    "fre. 20. nov. 2026 kl. 14:03 skrev Judge <judge@example.org>:",
    "Judge <judge@example.org>, 20 Kas 2026 Cum, 14:03 tarihinde şunu yazdı:",
    "2026년 11월 20일 (금) 오후 2:03, Judge <judge@example.org>님이 작성:",
    "בתאריך יום ו׳, 20 בנוב׳ 2026 ב-14:03 מאת Judge <judge@example.org>:",
    "On 20 Nov 2026, at 14:03, Judge <judge@example.org> wrote:",
    "Op 20 nov. 2026 om 14:03 heeft Judge <judge@example.org> het volgende geschreven:",
    "Wiadomość napisana przez Judge <judge@example.org> w dniu 20 lis 2026, o godz. 14:03:",
    "On 11/20/26 14:03, Judge wrote:",
    "Il 20/11/26 14:03, Judge ha scritto:",
    "Le 20/11/2026 à 14:03, Judge a écrit :",
    "Op 20-11-2026 om 14:03 schreef Judge:",
    "W dniu 20.11.2026 o 14:03, Judge pisze:",
    "---- On Fri, 20 Nov 2026 14:03:11 +0100 Judge <judge@example.org> wrote ----",
    "---- Le ven., 20 nov. 2026 14:03:11 +0100 Judge <judge@example.org> a écrit ---",
    "20 Nov 2026, 14:03 by judge@example.org:",
    "20. Nov. 2026, 14:03 von judge@example.org:",
    '-----"Judge" <judge@example.org> schrieb: -----',
    "On Fri, 2026-11-20 at 14:03 +0100, Judge wrote:",
    "Judge <judge@example.org> writes:",
    "* Judge <judge@example.org> [2026-11-20 14:03]:",
    "Quoting Judge (judge@example.org):",
    "Judge wrote:",
    "Judge schrieb:",
    "Zitat von Judge <judge@example.org>:",
    "Am Freitag, 20. November 2026, 14:03:11 CET schrieb Judge:",
    '在 2026-11-20 14:03:11，"Judge" <judge@example.org> 写道：',
    "於 2026/11/20 14:03，Judge <judge@example.org> 寫道：",
    "2026年11月20日 14:03、Judge <judge@example.org>のメール:",
    '20.11.2026, 14:03, "Judge" <judge@example.org>:',
    "Пятница, 20 ноября 2026, 16:03 +03:00 от Judge <judge@example.org>:",
    "Le vendredi 20 novembre 2026 à 14:03:11 UTC+1, Judge <judge@example.org> a écrit :",
    "El viernes, 20 de noviembre de 2026, 14:03:11 CET, Judge <judge@example.org> escribió:",
    "Em sexta-feira, 20 de novembro de 2026 às 14:03:11 BRT, Judge <judge@example.org> escreveu:",
    "Am Freitag, 20. November 2026 um 14:03:11 MEZ hat Judge <judge@example.org> "
    "Folgendes geschrieben:",
    "No dia 20/11/2026, às 14:03, Judge <judge@example.org> escreveu:",
    "Dne 20. 11. 2026 14:03 Judge <judge@example.org> napsal(a):",
    "Pe 20.11.2026 klo 14.03 Judge (judge@example.org) kirjoitti:",
    "V pet., 20. nov. 2026 ob 14:03 je oseba Judge <judge@example.org> napisala:",
    "Vào Th 6, 20 thg 11, 2026 vào lúc 14:03 Judge <judge@example.org> đã viết:",
    "เมื่อ ศ. 20 พ.ย. 2026 14:03 Judge <judge@example.org> เขียนว่า:",
    "El 20-11-2026 14:03, Judge escribió:",
    "Judge kirjoitti 20.11.2026 klo 14.03:",
    "Den 2026-11-20 kl. 14:03, skrev Judge:",
    "Judge a écrit le 20/11/2026 à 14:03 :",
    "On Friday, November 20th, 2026 at 2:03 PM, Judge <judge@example.org> wrote:",
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


HEADERS = """
From: Judge <judge@example.org>
Date: 20/11/2026  14:03  (GMT+01:00)
To: Ann <ann@example.org>
Subject: JUDGE:paris - S1901M Results

Von: "Judge" <judge@example.org>
Gesendet: Freitag, 20. November 2026 14:03
An: Ann
Betreff: JUDGE:paris

De : Judge [mailto:judge@example.org]
Envoyé : vendredi 20 novembre 2026 14:03
À : Ann
Objet : JUDGE:paris

*From:* Judge <judge@example.org>
*Date:* Friday, 20 November 2026 at 14:03
*To:* Ann <ann@example.org>
*Subject:* x

Van: Judge <judge@example.org>
Datum: vrijdag 20 november 2026 om 14:03
Aan: Ann
Onderwerp: x

Od: Judge <judge@example.org>
Wysłano: piątek, 20 listopada 2026 14:03
Do: Ann
Temat: x

Fra: Judge <judge@example.org>
Sendt: fredag den 20. november 2026 14:03
Til: Ann
Emne: x

Från: Judge <judge@example.org>
Skickat: den 20 november 2026 14:03
Till: Ann
Ämne: x

Lähettäjä: Judge <judge@example.org>
Lähetetty: perjantai 20. marraskuuta 2026 14.03
Vastaanottaja: Ann
Aihe: x

发件人: Judge <judge@example.org>
发送时间: 2026年11月20日 14:03
收件人: Ann
主题: x

差出人: Judge <judge@example.org>
送信日時: 2026年11月20日 14:03
宛先: Ann
件名: x

보낸 사람: Judge <judge@example.org>
보낸 날짜: 2026년 11월 20일 금요일 14:03
받는 사람: Ann
제목: x

От: Judge <judge@example.org>
Отправлено: 20 ноября 2026 г. 14:03
Кому: Ann
Тема: x

Gönderen: Judge <judge@example.org>
Gönderme Tarihi: 20 Kasım 2026 Cuma 14:03
Kime: Ann
Konu: x

Sent: Friday, November 20, 2026 at 2:03 PM
From: "Judge" <judge@example.org>
To: ann@example.org
Subject: x

Gesendet: Freitag, 20. November 2026 um 14:03 Uhr
Von: "Judge" <judge@example.org>
An: ann@example.org
Betreff: x

Od: Judge <judge@example.org>
Komu: ann@example.org
Datum: 20. 11. 2026 14:03:11
Předmět: x
""".strip("\n").split("\n\n")
RULERS = [
    "",
    "________________________________",
    "----- Mail original -----",
    "------------------ 原始邮件 ------------------",
    "-------- Original message --------",
    "---------- Forwarded message ---------",
    "-------- Исходное сообщение --------",
    "-------- 원본 메일 --------",
]


@pytest.mark.parametrize("ruler", RULERS)
@pytest.mark.parametrize("header", HEADERS)
def test_a_copied_header_is_known_by_its_fields(ruler: str, header: str) -> None:
    assert (
        written(f"A Par - Bur\n\nAnn\n{ruler}\n{header}\n\nA Mar - Spa\n") == "A Par - Bur\n\nAnn"
    )


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
        "CAUTION: This email came from outside of Example Ltd.",
        "ACHTUNG: Diese E-Mail kommt von außerhalb der Firma.",
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
        "Sent from my iPad",
        "Sent from my Galaxy",
        "Sent from my Samsung Galaxy smartphone.",
        "Sent from Mail for Windows 10",
        "Sent from Yahoo Mail on Android",
        "Sent from Yahoo Mail for iPhone",
        "Sent from Outlook for iOS",
        "Sent with Proton Mail secure email.",
        "Sent with [Proton Mail](https://proton.me/) secure email.",
        "Sent from Proton Mail mobile",
        "Sent from Proton Mail for iOS",
        "Sent via BlackBerry by AT&T",
        "Sent from my Huawei phone",
        "Sent from Nine",
        "Sent from myMail for Android",
        "Sent from Spark",
        "Sent from AOL on Android",
        "Sent using Zoho Mail",
        "Sent from FairEmail",
        "Get Outlook for Android<https://aka.ms/AAb9ysg>",
        "Holen Sie sich Outlook für iOS",
        "Von Outlook für Android gesendet",
        "Gesendet von Outlook für iOS<https://aka.ms/o0ukef>",
        "Gesendet von meinem Galaxy Gerät",
        "Von meinem Samsung Galaxy Smartphone gesendet.",
        "Von meinem/meiner Galaxy gesendet",
        "Gesendet mit der WEB.DE Mail App",
        "Gesendet mit der mobilen Mail App",
        "Gesendet von Mail für Windows 10",
        "Gesendet von Yahoo Mail auf Android",
        "Diese Nachricht wurde von meinem Android-Mobiltelefon mit WEB.DE Mail gesendet.",
        "Obtenir Outlook pour Android",
        "Télécharger Outlook pour iOS",
        "Envoyé de mon iPad",
        "Envoyé depuis mon appareil Galaxy",
        "Envoyé à partir d’Outlook pour iOS",
        "Envoyé avec la messagerie sécurisée Proton Mail.",
        "Envoyé depuis Yahoo Mail pour Android",
        "Obtener Outlook para Android",
        "Enviado desde Outlook para iOS",
        "Enviado desde mi Samsung Galaxy",
        "Enviado desde Yahoo Mail para Android",
        "Obtenha o Outlook para Android",
        "Baixe o Outlook para iOS",
        "Enviado do Yahoo Mail no Android",
        "Enviado via iPhone",
        "Scarica Outlook per Android",
        "Ottieni Outlook per iOS",
        "Inviato da Yahoo Mail su Android",
        "Inviato dal mio dispositivo Galaxy",
        "Inviato da Libero Mail per Android",
        "Download Outlook voor Android",
        "Verzonden vanuit Outlook voor iOS",
        "Verstuurd vanaf mijn iPad",
        "Verzonden vanaf mijn Galaxy",
        "Wysłane z aplikacji Outlook dla systemu iOS",
        "Pobierz aplikację Outlook dla systemu Android",
        "Wysłano z mojego telefonu Huawei",
        "Skickat från min iPhone",
        "Skickat från Outlook för iOS",
        "Hämta Outlook för Android",
        "Sendt fra min iPhone",
        "Sendt fra Outlook til iOS",
        "Hent Outlook til Android",
        "Lähetetty iPhonesta",
        "Hanki Outlook for Android",
        "Odesláno z iPhonu",
        "Odesláno ze Seznam.cz Email aplikace",
        "Отправлено из мобильной Почты Mail.ru",
        "Отправлено с моего Galaxy",
        "Надіслано з iPhone",
        "iPhone'umdan gönderildi",
        "iPhone cihazımdan gönderildi",
        "Küldve az iPhone-omról",
        "Trimis de pe iPhone",
        "Στάλθηκε από το iPhone μου",
        "Androidから送信",
        "發自我的 iPhone",
        "发自我的iPhone",
        "发自我的小米手机",
        "从我的iPhone发送",
        "나의 iPhone에서 보냄",
        "Gửi từ iPhone của tôi",
        "Dikirim dari iPhone saya",
        "נשלח מה-iPhone שלי",
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
