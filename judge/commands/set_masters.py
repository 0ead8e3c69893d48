"""Settings about masters: who may set, who says when a phase runs, and who may come in."""

from __future__ import annotations

import re
from collections.abc import Callable

from judge.commands.named import newcomers_named
from judge.game.people.admission import approve, end_part
from judge.game.setting import BadSetting, Wanted, setting, switch
from judge.game.state import State
from judge.game.state.answers import Answer
from judge.i18n import gettext, ngettext
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.storage import Role

_ADDRESS = re.compile(r"[^\s<>()\[\],;:@]+@[^\s<>()\[\],;:@]+\Z")


def _process(state: State) -> str:
    if state.settings.manual_process:
        return gettext("on the master's command")
    return gettext("by itself")


MANUAL_PROCESS = switch(
    *("set manual process", "set no auto process"),
    name="running of phases",
    summary="phases run only when the master says PROCESS",
    help="Deadlines are kept and told, but no phase runs before the master says PROCESS.",
    show=_process,
    manual_process=True,
)

AUTO_PROCESS = switch(
    *("set auto process", "set no manual process"),
    name="running of phases",
    summary="phases run by themselves (the default)",
    help="A phase runs when its orders are in, or as its deadline says. The default.",
    show=_process,
    manual_process=False,
)


def _moderation(state: State) -> str:
    return gettext("moderated") if state.game.moderated else gettext("not moderated")


def _moderate(wanted: Wanted) -> None:
    state = wanted.state
    players = {seat.person_id for seat in state.active(Role.PLAYER)}
    if not any(seat.person_id not in players for seat in state.active(Role.MASTER)):
        raise ValueError(
            gettext("nobody could be its master: that has to be somebody who does not play")
        )
    state.game.moderated = True


def _unmoderate(wanted: Wanted) -> None:
    state, context = wanted.state, wanted.context
    alone = (
        state.phase is not None and context.cursor.keeping is None and not context.cursor.playing()
    )
    if alone and wanted.arguments.strip(" .!?").lower() != state.game.name.lower():
        raise BadSetting(
            gettext(
                "you play no power, so after that you can change nothing in this game, and nobody "
                "can make you its master again; name the game if you mean it"
            ),
            f"SET UNMODERATED {state.game.name}",
        )
    wanted.state.game.moderated = False


MODERATED = setting(
    words=("set moderated",),
    name="moderation",
    summary="the game's master runs it, and only he changes settings (the default)",
    help=(
        "Its master must be somebody who does not play. Players are to know before the start who "
        "may see and change what, so it cannot be set later."
    ),
    example="SET MODERATED",
    change=_moderate,
    show=_moderation,
    bare=True,
    before_start=True,
)

UNMODERATED = setting(
    words=("set unmoderated", "set no moderated"),
    name="moderation",
    summary="nobody has a master's powers; every player changes settings, and all are told",
    help=(
        "The master gives his powers up. After the start he cannot get them back; if he plays no "
        "power he must name the game then."
    ),
    example="SET UNMODERATED",
    change=_unmoderate,
    show=_moderation,
    usage="[game]",
)


def _approval(state: State) -> str:
    return gettext("needed") if state.settings.approval else gettext("not needed")


APPROVAL = switch(
    "set approval",
    name="the master's word on newcomers",
    summary="newcomers cannot order before the master agrees to them",
    help=(
        "Whoever joins or takes a power over is announced to the master in a letter, which he "
        "answers with YES or NO. Until then no orders are taken, and the game does not start."
    ),
    show=_approval,
    approval=True,
)

NO_APPROVAL = switch(
    "set no approval",
    name="the master's word on newcomers",
    summary="newcomers play at once (the default)",
    help="Who waits for the master's word already still does: see SET APPROVED.",
    show=_approval,
    approval=False,
)


def _addresses(text: str, known: tuple[str, ...]) -> tuple[str, ...]:
    """The list `known` with the addresses of `text`, without those that have a minus before them.

    Raises ValueError for what is no address.
    """
    words = text.replace(",", " ").replace(";", " ").split()
    if not words:
        raise ValueError(gettext("it takes addresses, with a minus before those to be removed"))
    found = list(known)
    for word in words:
        address = word.lower().strip("<>.").lstrip("+")
        gone = address.startswith("-")
        address = address.lstrip("-<")
        if not _ADDRESS.match(address):
            raise ValueError(gettext("{word!r} is no address").format(word=word))
        found = [each for each in found if each != address]
        if not gone:
            found.append(address)
    return tuple(found)


def _people(count: int) -> str:
    if not count:
        return gettext("nobody")
    return ngettext("{count} address", "{count} addresses", count).format(count=count)


ALLOW = setting(
    words=("set allow player",),
    name="people who may join",
    summary="only these people may join; a minus before an address removes it",
    help=(
        "Addresses, with commas. As long as there is one, nobody else can join or take a power "
        "over. The others are told how many there are, not who."
    ),
    usage="address",
    example="SET ALLOW PLAYER ann@example.org",
    change=lambda wanted: wanted.state.set(
        allowed=_addresses(wanted.arguments, wanted.state.settings.allowed)
    ),
    show=lambda state: (
        _people(len(state.settings.allowed)) if state.settings.allowed else gettext("everybody")
    ),
    write=lambda state: ", ".join(state.settings.allowed) or None,
)

DENY = setting(
    words=("set deny player",),
    name="people who may not join",
    summary="these people may not join; a minus before an address removes it",
    help=(
        "Addresses, with commas. Who is in the game already stays: see EJECT. The others are told "
        "how many there are, not who."
    ),
    usage="address",
    example="SET DENY PLAYER ann@example.org",
    change=lambda wanted: wanted.state.set(
        denied=_addresses(wanted.arguments, wanted.state.settings.denied)
    ),
    show=lambda state: _people(len(state.settings.denied)),
    write=lambda state: ", ".join(state.settings.denied) or None,
)


def _decide(agreed: bool) -> Callable[[MessageContext, Call], Answer]:
    def run(context: MessageContext, call: Call) -> Answer:
        state = context.cursor.here()
        example = state.variant.powers[0].lower()
        write = f"SET {'APPROVED' if agreed else 'NOT APPROVED'} {example}"
        seats = newcomers_named(context, call.arguments, write, refused=agreed)
        names = [state.person(seat).name for seat in seats]
        for seat in seats:
            if agreed:
                approve(context, state, seat)
            else:
                end_part(context, state, [seat])
        return Answer("admissions", {"names": names, "yes": agreed, "game": state.game.name})

    return run


APPROVED = Command(
    words=("set approved",),
    who="masters",
    summary="agree to newcomers, where APPROVAL is set",
    help=(
        "Their powers, or addresses of theirs. They may order from now on, and are told. Whom you "
        "have turned away you let in after all by an address of his."
    ),
    usage="powers or addresses",
    example="SET APPROVED france",
    run=_decide(True),
    group="masters",
)

NOT_APPROVED = Command(
    words=("set not approved",),
    who="masters",
    summary="turn newcomers away, where APPROVAL is set",
    help=(
        "Their powers, or addresses of theirs. Their part ends, the place is free again, and they "
        "cannot join again before you have agreed (SET APPROVED)."
    ),
    usage="powers or addresses",
    example="SET NOT APPROVED france",
    run=_decide(False),
    group="masters",
)

COMMANDS: tuple[Command, ...] = (
    MANUAL_PROCESS,
    AUTO_PROCESS,
    MODERATED,
    UNMODERATED,
    APPROVAL,
    NO_APPROVAL,
    ALLOW,
    DENY,
    APPROVED,
    NOT_APPROVED,
)
