"""Check a game file of a judge, with nothing but Python: python check_game.py paris.json [KEY]

The key stands on the first page of the judge's site, and in `judge check`. What is checked: the
signature, the seal of each power's orders, that outcomes are told of the orders that stand there,
and that each phase begins where the one before it ended. `judge game import` adjudicates it, too.
"""

import hashlib
import json
import sys
from pathlib import Path

# Ed25519, as RFC 8032 section 5.1 has it.
P = 2**255 - 19
Q = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P


def add(a, b):
    """Add two points, in extended coordinates."""
    x = (a[1] - a[0]) * (b[1] - b[0]) % P
    y = (a[1] + a[0]) * (b[1] + b[0]) % P
    z, t = 2 * a[2] * b[2] % P, 2 * a[3] * b[3] * D % P
    e, f, g, h = y - x, z - t, z + t, y + x
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(number, point):
    """Add a point so many times to itself."""
    found = (0, 1, 1, 0)
    while number:
        if number & 1:
            found = add(found, point)
        point, number = add(point, point), number >> 1
    return found


def point(data):
    """Read a point. Raises ValueError."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & (1 << 255) - 1
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if y >= P or (x * x - square) % P or (not x and sign):
        raise ValueError("not a point")
    x = P - x if x & 1 != sign else x
    return x, y, 1, x * y % P


def is_signed(key, signature, message):
    """Return whether a signature fits."""
    base = point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))
    s = int.from_bytes(signature[32:], "little")
    if len(key) != 32 or len(signature) != 64 or s >= Q:
        return False
    digest = hashlib.sha512(signature[:32] + key + message).digest()
    own = add(point(signature[:32]), times(int.from_bytes(digest, "little") % Q, point(key)))
    found = times(s, base)
    return all((found[i] * own[2] - own[i] * found[2]) % P == 0 for i in (0, 1))


def faults(game, key=None):
    """Yield what is wrong with a game file."""
    rest = {name: value for name, value in game.items() if name != "signature"}
    text = json.dumps(rest, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    try:
        good = is_signed(
            bytes.fromhex(game["key"]), bytes.fromhex(game["signature"]), text.encode()
        )
    except ValueError:
        good = False
    if not good:
        yield "the signature does not fit"
    if key and key != game["key"]:
        yield f"it is signed by another key, {game['key']}"
    following = [*game["phases"][1:], game["final"]]
    for phase, after in zip(game["phases"], following, strict=True):
        name = phase["phase"]
        for power, sealed in phase["seals"].items():
            orders = sorted(phase["orders"].get(power, ()))
            lines = "\n".join((sealed["key"], phase["sealed_as"], name, power, *orders))
            if hashlib.sha256(lines.encode()).hexdigest()[:32] != sealed["seal"]:
                yield f"{name}: the seal of {power} does not fit its orders"
        for power, orders in phase["orders"].items():
            told = {each["order"] for each in phase["results"].get(power, ())}
            yield from (
                f"{name}: {power}: no outcome of {each}" for each in orders if each not in told
            )
        for field, ends in (("units", "units_after"), ("centers", "centers_after")):
            for power in {*phase[ends], *after[field]}:
                if sorted(phase[ends].get(power, ())) != sorted(after[field].get(power, ())):
                    yield f"{name}: {power} has other {field} in {after['phase']} than after it"


if __name__ == "__main__":
    try:
        path, *keys = sys.argv[1:]
        found = list(faults(json.loads(Path(path).read_text(encoding="utf-8")), *keys))
    except (AttributeError, LookupError, OSError, TypeError, ValueError) as error:
        sys.exit(f"This is no game file: {error!r}\n{__doc__}")
    sys.stdout.write("\n".join(found or ["nothing was changed"]) + "\n")
    sys.exit(1 if found else 0)
