"""What people who have played on other mail judges expect to be able to write.

Each entry is a line as somebody would write it, and how much it is expected: E everybody needs it,
X most will look for it, N some would like it. An N line may be left out, with a reason that
docs/commands.md shows.
"""

from __future__ import annotations

from typing import NamedTuple


class Expected(NamedTuple):
    """A line, and how much it is expected."""

    mark: str
    line: str


def _of(mark: str, lines: str) -> tuple[Expected, ...]:
    """Each line of a block, blank ones aside."""
    return tuple(Expected(mark, line.strip()) for line in lines.splitlines() if line.strip())


PEOPLE_AND_GAMES = (
    *_of(
        "E",
        """
        SIGN ON fparis
        SIGN ON france@paris xyzzy
        SIGN ON mparis
        LOGIN fparis
        SIGN ON ?paris
        JOIN paris
        JOIN france@paris
        CREATE ?paris standard
        OBSERVE paris
        WATCH paris
        SIGN ON oparis
        REGISTER
        """,
    ),
    *_of(
        "X",
        """
        SIGN ON ?
        JOIN
        TAKE OVER france@paris
        I AM ALSO ann@old.example
        """,
    ),
    *_of("N", "MONITOR paris"),
)
"""Who somebody is, and in which game."""

ASKING = (
    *_of(
        "E",
        """
        HELP
        HELP orders
        GET press
        LIST
        LIST paris
        MAP paris F1903M
        HISTORY paris FROM S1901M
        HISTORY paris FROM S1901M TO F1902M
        SUMMARY paris
        """,
    ),
    *_of(
        "X",
        """
        GET PACKAGE
        VERSION
        PING
        LIST FULL
        INFO PLAYER ann@example.org
        GET DEDICATION
        WHO GAME paris
        STATUS
        """,
    ),
)
"""Questions."""

PLAYING = (
    *_of(
        "E",
        """
        CLEAR
        PHASE F1903R
        PHASE spring 1904 move
        PRESS TO FG
        BROADCAST
        SET WAIT
        SET NO WAIT
        SET NOWAIT
        SET ABSENCE 24 Dec to 2 Jan
        SET HOLIDAY 24 Dec
        SET VACATION 24 Dec to 2 Jan
        SET NO ABSENCE 24 Dec
        SET DRAW
        SET DRAW AEF
        SET NO DRAW
        SET CONCEDE R
        SET NO CONCEDE
        SET PREFERENCE E[FGR]TAI
        SET PREFERENCE *
        RESIGN
        WITHDRAW
        """,
    ),
    *_of(
        "X",
        """
        CLEAR NOW
        CLEAR F1903M
        SET PASSWORD xyzzy42
        SET ADDRESS ann@example.org
        """,
    ),
    *_of(
        "N",
        """
        IF NOT French A Ruh
        ELSE IF F Kie
        ELSE
        ENDIF
        POSTAL PRESS
        DIARY
        DIARY RECORD
        DIARY LIST
        DIARY READ 1
        DIARY DELETE 1
        """,
    ),
)
"""What players write in a game."""

MASTERS = (
    *_of(
        "E",
        """
        BECOME france
        PROCESS F1903M
        ROLLBACK F1902M
        PAUSE
        SUSPEND
        RESUME
        TERMINATE paris
        PROMOTE ann@example.org
        EJECT france
        EJECT ann@example.org
        SET ALLOW PLAYER ann@example.org
        SET DENY PLAYER ann@example.org
        """,
    ),
    *_of(
        "X",
        """
        PREDICT
        PREVIEW
        FORCE BEGIN
        UNSTART
        DUMMY germany
        REVIVE germany
        """,
    ),
    *_of(
        "N",
        """
        RESTORE F1902M
        ROLLFORWARD F1902M
        OFFICIAL House rules
        REVEAL
        RENAME rome
        PURGE paris
        """,
    ),
)
"""What masters write."""

SETTINGS = (
    *_of(
        "E",
        """
        SET VARIANT standard
        SET NOT VARIANT gunboat
        SET VARIANT blind
        SET PLAYERS 5
        SET PRFLIST
        SET PRFRAND
        SET PRFBOTH
        SET MANUAL START
        SET NO MANUAL START
        SET AUTO START
        SET MODERATED
        SET UNMODERATED
        SET LIST
        SET NO LIST
        SET PUBLIC
        SET PRIVATE
        SET NMR
        SET NO NMR
        SET CD
        SET MOVE NEXT 48 CLOCK 20:00 DAYS -MTWTF-
        SET RETREAT NEXT 24
        SET ADJUST NEXT 24
        SET CLOCK 1410
        SET MIN 12
        SET NEXT 3D
        SET DELAY 0.5
        SET DAYS -MTWTF-
        SET DEADLINE 15 Jun
        SET GRACE 20 Jun
        SET WHITE
        SET GREY
        SET WHITE/GREY
        SET GREY/WHITE
        SET NONE
        SET PARTIAL
        SET NO PARTIAL
        SET OBSERVER ANY
        SET OBSERVER WHITE
        SET OBSERVER NO
        SET MINOR PRESS
        SET NO MINOR PRESS
        SET DIAS
        SET NO DIAS
        """,
    ),
    *_of(
        "X",
        """
        SET POWERS 5
        SET MANUAL PROCESS
        SET NO MANUAL PROCESS
        SET AUTO PROCESS
        SET APPROVAL
        SET NO APPROVAL
        SET APPROVED france
        SET NOT APPROVED france
        SET RATED
        SET UNRATED
        SET DEDICATION 20
        SET ONTIMERAT 0.9
        SET RESRAT 0.1
        SET LEVEL amateur
        SET MAX ABSENCE 15
        SET STRICT GRACE
        SET NO STRICT GRACE
        SET STRICT WAIT
        SET NO STRICT WAIT
        SET LATE COUNT
        SET NO LATE COUNT
        SET LATE PRESS
        SET NO LATE PRESS
        SET MUST ORDER
        SET NO MUST ORDER
        SET ALL PRESS
        SET NORMAL PRESS
        SET CONCESSIONS
        SET NO CONCESSIONS
        SET CENTERS 18
        SET CENTRES 18
        SET QUIET
        SET NO QUIET
        SET REVEAL
        SET NO REVEAL
        SET HOME CENTERS
        SET ONE CENTERS
        SET ANY CENTERS
        SET AUTO DISBAND
        SET BLANK BOARD
        SET COMMENT a friendly game
        SET COMMENT BEGIN
        """,
    ),
    *_of(
        "N",
        """
        SET START 15 Jun
        SET NO FAKE
        SET PARTIAL MAY BE FAKED
        SET PARTIAL FAKES BROADCAST
        SET PARTIAL FAKES BROADCAST BY DEFAULT
        SET POSTAL PRESS
        SET NO POSTAL PRESS
        SET TOUCH PRESS
        SET NO TOUCH PRESS
        SET GRACE PRESS
        SET NO GRACE PRESS
        SET SECRET
        SET NO SECRET
        SET SHOW
        SET NO SHOW
        SET PROXY
        SET TRANSFORM
        SET COASTAL CONVOYS
        SET ANY DISBAND
        """,
    ),
)
"""What a game can be set to."""

FLOOR = (*PEOPLE_AND_GAMES, *ASKING, *PLAYING, *MASTERS, *SETTINGS)
"""All of it."""
