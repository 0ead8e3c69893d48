"""Bytes to text, whatever the label on them says."""

from __future__ import annotations

import codecs

from charset_normalizer import from_bytes

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

# Enough to tell a language by; guessing looks at the whole sample several times over.
_SAMPLE = 20_000


def decode(data: bytes, label: str | None) -> str:
    """Text from bytes that are labeled with a charset, which may be missing, unknown or wrong."""
    name = _known(label)
    if data.isascii() and (
        name is None or not name.startswith(("iso2022", "utf_7", "utf_16", "hz"))
    ):
        return data.decode("ascii")
    if name != "utf-8" and (name is None or not name.startswith(("iso2022", "utf_", "utf-", "hz"))):
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
    """Text from bytes without a label. Never fails; what cannot be read becomes U+FFFD."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    best = from_bytes(data[:_SAMPLE]).best() if len(data) >= 64 else None
    # On a few bytes statistics are worth less than what most of the world's old mail is in.
    name = best.encoding if best is not None else "cp1252"
    return data.decode(_WIDER.get(name, name), "replace")


def _known(label: str | None) -> str | None:
    """Python's own name of a charset, None when it is none for text."""
    try:
        name = codecs.lookup((label or "").strip(" \"'").strip()).name
        b"".decode(name)
    except (LookupError, ValueError):
        return None
    return None if name in _REFUSED else name
