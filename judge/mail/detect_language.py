"""In what language a few lines are written: a light guess, by script and by common words.

The libraries for this weigh a hundred megabytes or take seconds to load; for a greeting and a
sentence the commonest words do as well.
"""

from __future__ import annotations

import re
from collections import Counter

_WORDS = {
    "en": "the and is are to of in for my your you we it this that with will have not please hello"
    " hi dear thanks thank orders here are was be on at from regards good luck see me i what should"
    " there would all but so if more best move wishes cheers faithfully have",
    "de": "der die das und ist sind ich nicht mit für mein meine meinen bitte danke hallo guten tag"
    " grüße gruß grüßen liebe lieber schöne viele hier zu den dem von auf wie folgt zug züge ein"
    " eine an noch freundlichen sehr geehrte befehle moin zusammen es im lautet anbei mfg lg",
    "fr": "le la les et est je vous nous pas pour mes mon ma voici bonjour bonsoir merci salut"
    " ordres cordialement une un des du de bonne à ce sont avec cette journée soirée amicalement"
    " bientôt ci joint veuillez trouver au",
    "es": "el la los las y es son yo para mis mi estas estos órdenes ordenes aquí hola buenos"
    " buenas días tardes gracias saludos un una por favor con de que en no este esta turno adjunto"
    " abrazo cordial",
    "it": "il lo la gli e è sono io non per i miei mio ecco ordini ciao buongiorno buonasera"
    " grazie saluti un una con di che presto cordiali questo questa mosse a del della salve allego",
    "pt": "o os as e é são eu não para meus minhas meu minha ordens seguem olá oi bom boa dia tarde"
    " noite obrigado obrigada atenciosamente um uma com de que estação abraço ainda amanhã aqui"
    " estão esta este mando",
    "nl": "de het een en is zijn ik niet met voor mijn hierbij hallo beste dag groeten groetjes"
    " groet bedankt dank orders zet zetten van dit deze je op hoi vriendelijke alvast rechter",
    "pl": "i jest są nie z za na do moje mój rozkazy oto cześć witam dzień dobry dziękuję"
    " pozdrawiam pozdrowienia poniżej się w to łączę proszę serdecznie dzięki",
    "sv": "och är jag inte med för mina min här hej tack hälsningar ett en på den det order vänliga"
    " mvh kommer",
    "da": "og er jeg ikke med for mine min her hej tak hilsen hilsner et en på den det ordrer"
    " venlig mvh kommer",
    "no": "og er jeg ikke med for mine min her hei takk hilsen et en på den det ordrer vennlig"
    " mvh kommer",
    "fi": "ja on ei hei kiitos terveisin minun tässä käskyt terveisiä moi siirrot ystävällisin",
    "cs": "a je jsou ne s pro moje můj zde rozkazy dobrý den ahoj děkuji pozdravem díky tady jsou"
    " s posílám prosím hezký",
    "tr": "ve bir bu için merhaba teşekkürler selamlar emirlerim benim ile değil iyi günler"
    " saygılar emirler",
    "hu": "és a az nem van szia üdvözlettel köszönöm parancsok itt vannak jó napot üdv",
    "ro": "și este sunt nu cu pentru mele ordinele bună ziua mulțumesc salut aici",
}
_LANGUAGES: dict[str, set[str]] = {}
for _language, _listed in _WORDS.items():
    for _word in _listed.split():
        # Single letters are units and verbs of orders.
        if len(_word) > 1:
            _LANGUAGES.setdefault(_word, set()).add(_language)

_SCRIPTS = (
    # Kana make Japanese of Chinese characters; they are looked for first.
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("ko", re.compile("[\uac00-\ud7af]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
    ("uk", re.compile("[іїєґІЇЄҐ]")),
    ("ru", re.compile("[\u0400-\u04ff]{2}")),
    ("el", re.compile("[\u0370-\u03ff]{2}")),
    ("he", re.compile("[\u0590-\u05ff]{2}")),
    ("ar", re.compile("[\u0600-\u06ff]{2}")),
    ("th", re.compile("[\u0e00-\u0e7f]{2}")),
)
_WORD = re.compile(r"[^\W\d_]+")
_SIGNS = {
    "de": "äöüß", "fr": "éèêàçùœ", "es": "ñ¿¡áíóú", "pt": "ãõçêâ", "pl": "łąęśżźćń", "sv": "åäö",
    "da": "æøå", "no": "æøå", "fi": "äö", "cs": "řěůčšž", "tr": "ışğ", "hu": "őű", "ro": "țșă",
    "it": "àèìòù",
}  # fmt: skip


def detect_language(text: str, otherwise: str = "en") -> str:
    """The language of `text` as a two-letter code, `otherwise` when nothing tells."""
    text = text[:5000]
    for language, script in _SCRIPTS:
        if script.search(text):
            return language
    points: Counter[str] = Counter()
    for word in _WORD.findall(text.lower()):
        known = _LANGUAGES.get(word, ())
        for language in known:
            # A word of many languages says little.
            points[language] += 12 // len(known)
    for language, signs in _SIGNS.items():
        points[language] += 3 * sum(text.lower().count(sign) for sign in signs)
    best = points.most_common(2)
    if not best or best[0][1] < 3:
        return otherwise
    if len(best) > 1 and best[0][1] == best[1][1]:
        tied = {language for language, score in points.items() if score == best[0][1]}
        return otherwise if otherwise in tied else best[0][0]
    return best[0][0]


def certain_language(text: str) -> str | None:
    """The language of `text` where there is little doubt; None where there is.

    At least three common words have to be of it, and twice as many as of any other language.
    """
    counted: Counter[str] = Counter()
    for word in _WORD.findall(text[:5000].lower()):
        counted.update(_LANGUAGES.get(word, ()))
    (best, most), (_, next_most) = (*counted.most_common(2), ("", 0), ("", 0))[:2]
    return best if most >= 3 and most >= 2 * next_most else None
