"""What anybody, or one reader, may know of a game, as facts for the templates."""

from __future__ import annotations

from datetime import datetime

from judge.game.clock.deadlines import is_held
from judge.game.fairness import assignment, coin
from judge.game.state import State
from judge.game.state.boards import abbreviations, counting
from judge.game.visibility import fog, identity
from judge.render import templates
from judge.rules.lineup import lineup_of
from judge.storage import Condition, GameState


def game_facts(state: State, now: datetime, reader_id: int | None = None) -> dict[str, object]:
    """Return what everybody may know of a game, and what the reader may know of its people."""
    game = state.game
    return {
        "game": game.name,
        "title": state.variant.title,
        "variant": state.variant.name,
        "state": game.state,
        "moderated": game.moderated,
        "phase": game.phase,
        "kind": state.phase.kind.value if state.phase else None,
        "deadline": game.deadline,
        "grace_end": game.grace_end,
        "held": is_held(state),
        "unplayed": _unplayed(state),
        "now": now,
        "settings": state.settings,
        "rulebook": game.rulebook,
        "victory": state.victory,
        "counts": state.variant.counts,
        "short_game": state.rulebook.short_game,
        "one_winner": _is_one(state),
        **_lineup(state),
        "counting": counting(state.variant),
        "start_phase": str(state.variant.start_phase),
        "page": game.variant if game.variant in templates.topics() else None,
        "short": abbreviations(state.variant),
        "powers": list(state.variant.powers),
        "places": state.places,
        "letters": dict(state.variant.letters),
        "players": identity.counted(state, reader_id),
        "game_zone": state.settings.zone,
        "seal": assignment.sealed(state),
        "coin_seal": coin.sealed(state),
        "outcome": game.outcome,
        "destroyed": fog.destroyed(state, reader_id),
        "people": identity.people(state, reader_id),
        "hidden": _hidden(state, reader_id),
        "standings": fog.standings(state, reader_id),
        "neutral": fog.neutral(state, reader_id),
        "blind": not fog.sees_all(state, reader_id),
    }


def _is_one(state: State) -> bool:
    """Return whether several powers have won that one player plays."""
    winners = state.game.outcome.winners if state.game.outcome else ()
    return len(winners) > 1 and any(set(winners) <= set(hand) for hand in state.hands())


def _lineup(state: State) -> dict[str, object]:
    """Return what is special about a game for fewer players."""
    variant = state.variant
    lineup = lineup_of(variant)
    joins = lineup.joins if lineup is not None else None
    closed = sorted(map(variant.board.name, variant.closed))
    neutral = [
        power
        for power in variant.standing
        if any(variant.board.provinces[place].home == power for place in variant.closed)
    ]
    return {
        "together": bool(variant.sides),
        "standing": [power for power in variant.standing if power not in neutral],
        "neutral_powers": neutral,
        "closed": closed,
        "joins": {"power": joins.power, "since": str(joins.since)} if joins and neutral else None,
    }


def _hidden(state: State, reader_id: int | None) -> str | None:
    """Return until when the reader may not know who plays: `end`, `always`, or None if they may."""
    if not identity.is_hidden(state) or identity.knows_all(state, reader_id):
        return None
    return "end" if state.settings.reveal else "always"


def _unplayed(state: State) -> dict[str, str]:
    """Return the powers on the board that nobody plays, and in which condition they are."""
    if state.game.state not in (GameState.ACTIVE, GameState.PAUSED):
        return {}
    conditions = {power: state.condition(power) for power in state.variant.powers}
    return {
        power: condition
        for power, condition in conditions.items()
        if condition is not Condition.PLAYED and state.alive(power)
    }
