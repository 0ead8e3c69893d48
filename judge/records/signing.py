"""Files that a judge signs, so that one who has its key can tell that nothing in them was changed.

A signature is Ed25519 (RFC 8032) over the canonical form of the file without it: JSON in UTF-8 on
one line, keys sorted, no blanks. docs/check_game.py checks one with Python alone.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Any


class BadSignature(ValueError):
    """A file whose signature is missing, or is not that of its content and key."""


def canonical(data: object) -> bytes:
    """Return the canonical form of a JSON value. Raises ValueError for what no file can hold."""
    kept = json.dumps(
        data, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    )
    return kept.encode()


def sodium() -> Any:
    """Return PyNaCl, its module `signing` loaded: a start takes 46 ms less without it."""
    import nacl.signing

    return nacl


def _key(secret: bytes) -> Any:
    return sodium().signing.SigningKey(hmac.new(secret, b"game files", hashlib.sha256).digest())


def public_key(secret: bytes) -> str:
    """Return the key, in hexadecimal, by which files are checked that this secret signs."""
    return bytes(_key(secret).verify_key).hex()


def signed(data: Mapping[str, Any], secret: bytes) -> dict[str, Any]:
    """Return an object with the key and the signature of a judge that has this secret."""
    found = {**data, "key": public_key(secret)}
    return found | {"signature": _key(secret).sign(canonical(found)).signature.hex()}


def check(data: Mapping[str, Any]) -> str:
    """Return the key by which an object is signed. Raises BadSignature."""
    rest = {name: value for name, value in data.items() if name != "signature"}
    try:
        key = sodium().signing.VerifyKey(bytes.fromhex(data["key"]))
        key.verify(canonical(rest), bytes.fromhex(data["signature"]))
    except (KeyError, TypeError, ValueError, sodium().exceptions.CryptoError) as error:
        raise BadSignature("signature: it does not fit what the file says") from error
    return str(data["key"])
