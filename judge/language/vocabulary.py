"""The words of orders: for units, as a variant has them, and for what they do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from judge.rules.board import STANDARD as STANDARD_KINDS
from judge.rules.board import Board, Derived, UnitKind, name_key

HOLD, MOVE, SUPPORT, CONVOY, RETREAT, DISBAND, REMOVE, BUILD, CONVERT = "HMSCRD-B="
BOMB, CARRY, DROP = "*+!"
VERBS: Final = {
    word: verb
    for verb, words in {
        HOLD: "h hold holds holding stand stands standing stay stays staying"
        " halt halte halten bleibt bleiben steht stehen tient tenir reste rester"
        " hld mantiene mantener tiene houdt blijft resta",
        MOVE: "m mv move moves moving go goes attack attacks enter enters advances advance"
        " sail sails sailing march marches marching proceed proceeds"
        " zieht ziehen geht gehen marschiert va aller avance attaque"
        " mto cto mueve muove gaat trekt",
        SUPPORT: "s sup supp support supports supporting"
        " unterstutzt unterstutze unterstutzen unterstuetzt unterstuetzen soutient soutenir appuie"
        " apoya apoyar appoggia sostiene steunt ondersteunt",
        CONVOY: "c conv convoy convoys convoying t transport transports transporting"
        " konvoi konvoiert befordert befoerdert convoie convoyer convoi transporte"
        " cvy convoya convoglia konvooieert",
        RETREAT: "r ret retreat retreats retreating ruckzug rueckzug retraite rto",
        DISBAND: "d disband disbands disbanding disbanded destroy"
        " auflosen aufloesen aufgelost dissoute dissoudre dissout dsb",
        REMOVE: "remove removes removing removed rem",
        BUILD: "b build builds building baut bauen aufbau construire construit bld conscript"
        " conscripts raise raises",
        CONVERT: "convert converts converting converted transform transforms becomes become"
        " wandle wandelt umwandeln wird convertir convertit convertis transformer devient",
    }.items()
    for word in words.split()
}

_BOMBS: Final = {
    word: verb
    for verb, words in {
        BOMB: "bomb bombs bombing bombed bombards bombard nuke nukes"
        " bombardiert bombardieren bombe bomben bombarde bombarder",
        CARRY: "carry carries carrying take takes taking deliver delivers delivering relay relays"
        " tragt traegt bringt bringen liefert porte porter livre livrer",
        DROP: "drop drops dropping launch launches wirft werfen largue larguer lache",
    }.items()
    for word in words.split()
}
"""Verbs that only a game with bombs knows."""

_FOREIGN: Final = {
    "army": "amy troops troop soldiers soldier armee exercito ejercito esercito armata leger armia",
    "fleet": "flt ships ship warships warship flotte flota flotta frota vloot",
    "navy": "marine marinen marines",
    "air force": "luftflotte luftflotten luftwaffe aviation aviations flugzeug avion avions",
    "arsenal": "arsenaux arsenale",
}
"""Further words for kinds of units: those of everyday speech, of DAIDE, and of other languages
without their accents."""


@dataclass(frozen=True)
class Vocabulary:
    """What words mean in the orders of one board. Make it by `Vocabulary.of(board)`.

    `kinds` has the letters of units by their words in comparable form, `pairs` by those of two
    words; `verbs` the letters of what units do. `bombs`: whether any can carry a bomb.
    """

    kinds: Mapping[str, str]
    pairs: Mapping[tuple[str, str], str] = field(default_factory=dict)
    verbs: Mapping[str, str] = field(default_factory=lambda: VERBS)
    bombs: bool = False

    @staticmethod
    def of(board: Board) -> Vocabulary:
        """The words for a board, made once and kept with it."""
        return _of_board(board)

    def kind(self, words: Iterable[str]) -> str | None:
        """The letter of the kind of unit that one word or two mean, None for no kind's."""
        return self.kinds.get("".join(map(name_key, words)))


def _made(kinds: Mapping[str, UnitKind]) -> Vocabulary:
    single: dict[str, str] = {}
    pairs: dict[tuple[str, str], str] = {}

    def add(text: str, letter: str) -> None:
        words = [name_key(word) for word in text.split()]
        single.setdefault("".join(words), letter)
        if len(words) == 2:
            pairs.setdefault((words[0], words[1]), letter)

    # A kind's own names go before what others are called as well.
    for letter, kind in kinds.items():
        for word in (letter, kind.name, kind.plural):
            add(word, letter)
    for letter, kind in kinds.items():
        for word in kind.words:
            add(word, letter)
    for name, words in _FOREIGN.items():
        if name_key(name) in single:
            for word in words.split():
                add(word, single[name_key(name)])
    bombs = any(kind.bombs for kind in kinds.values())
    return Vocabulary(single, pairs, VERBS | _BOMBS if bombs else VERBS, bombs)


STANDARD: Final = _made(STANDARD_KINDS)
"""The words of boards with armies and fleets only."""


@Derived
def _of_board(board: Board) -> Vocabulary:
    """The words for a board."""
    return _made(board.kinds)
