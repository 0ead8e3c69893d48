"""Bytes to text, whatever the label on them says."""

from __future__ import annotations

import codecs

# Labels that mean a superset in practice (https://encoding.spec.whatwg.org/#names-and-labels):
# mail programs write the old name and use the characters the newer set added.
_WIDER = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
    "tis-620": "cp874",
}

# Python calls these text encodings too, but no mail uses them honestly, and some take
# quadratic time (idna, punycode).
_REFUSED = {"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "mbcs", "oem"}

# Charsets in which bytes of ASCII are not what they look like.
_STATEFUL = ("iso2022", "utf-7", "utf-16", "utf-32", "hz")

# Enough to tell a language by; guessing looks at the whole sample several times over.
_SAMPLE = 20_000

_SHORT = 8
"""Bytes that are too few to tell anything by."""


def decode(data: bytes, label: str | None) -> str:
    """Return text from bytes that are labeled with a charset, which may be missing, unknown or
    wrong."""
    name = _known(label)
    if data.isascii() and (name is None or not name.startswith(_STATEFUL)):
        return data.decode("ascii")
    if name is None or not name.startswith(("utf-8", *_STATEFUL)):
        # Text of another charset is hardly ever valid UTF-8 by chance, but UTF-8 is often
        # labeled as something else.
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            pass
    if name is not None:
        try:
            return data.decode(_WIDER.get(name, name))
        except (UnicodeError, ValueError):
            pass
    return guess(data)


def guess(data: bytes) -> str:
    """Return text from bytes without a label. Never fails; what cannot be read becomes U+FFFD."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    sample = data[:_SAMPLE]
    letters = sum(byte < 0x80 for byte in sample)
    if letters > len(sample) * 0.8 or len(sample) < _SHORT:
        name = _latin(sample)
    else:
        name = _japanese(sample) or _other(sample)
    return data.decode(_WIDER.get(name, name), "replace")


# The letters of Western and of Central European text, and the marks that programs put in it.
# Statistics need more text than most mails have; which of these few charsets makes letters of
# the bytes tells more.
_LETTERS = {
    "cp1252": "àâäáãåæçéèêëíìîïñóòôöõøœúùûüßÿ€„“”’‘–—…«»°·¡¿",
    "cp1250": "ąćęłńóśźżáčďéěíňřšťúůýžőűöüäăâîß„“”’‘–—…",
    "iso8859-2": "ąćęłńóśźżáčďéěíňřšťúůýžőűöüäăâîß",
    "cp1254": "âçğıîöşüİ„“”’‘–—…",
}


def _latin(sample: bytes) -> str:
    """The charset of a text in Latin letters."""

    def letters(name: str) -> int:
        text = sample.decode(name, "replace").lower()
        return sum(char in _LETTERS[name] for char in text if char > "\x7f")

    return max(_LETTERS, key=letters)


def _japanese(sample: bytes) -> str | None:
    """The Japanese charset that makes kana of the bytes; other East Asian text has none."""
    for name in ("cp932", "euc_jp"):
        text = sample.decode(name, "replace")
        foreign = [char for char in text if char > "\x7f"]
        kana = sum("\u3040" <= char <= "\u30ff" for char in foreign)
        if kana > len(foreign) * 0.3 and "\ufffd" not in text[:-2]:
            return name
    return None


_USUAL = ("cp1251", "koi8_r", "gb18030", "big5", "cp949", "cp1253", "cp1255", "cp1256")
"""What text that is not in Latin letters is mailed in."""


def _other(sample: bytes) -> str:
    from charset_normalizer import from_bytes

    found = [match.encoding for match in from_bytes(sample)]
    return next((name for name in found if name in _USUAL), found[0] if found else "cp1252")


def _known(label: str | None) -> str | None:
    """Python's own name of a charset, None when it is none for text."""
    try:
        name = codecs.lookup((label or "").strip(" \"'").strip()).name
        b"".decode(name)
    except (LookupError, ValueError):
        return None
    return None if name in _REFUSED else name
