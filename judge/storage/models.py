"""The tables. Each has the fields of its record in `records`, which says what they mean.

The models are bound to no database: `judge.storage.queries.Engine` runs their queries, so that two
databases can be open at once. What a database lacks of them, `bring_up` adds: tables, indexes, and
columns with the value they have by default.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import peewee
from peewee import SQL

from judge.i18n import DEFAULT_LANGUAGE
from judge.storage import records, values
from judge.storage.columns import (
    BooleanField,
    BytesField,
    EnumField,
    IdField,
    InstantField,
    IntegerField,
    JsonField,
    PackedField,
    TextField,
    ValueField,
)

if TYPE_CHECKING:
    from judge.storage.queries import Engine


def refers(table: str) -> list[peewee.Node]:
    """Return the constraint that what a column holds is the id of a row of a table."""
    return [SQL(f'REFERENCES "{table}" ("id")')]


class WholeRow(peewee.Node):
    """All columns of a table, in one piece: one by one they cost more than finding the row. Which
    house a row belongs to is the engine's business alone."""

    def __init__(self, model: Any) -> None:
        self._table = model._meta.table
        fields = model._meta.sorted_fields
        own = [each for each in fields if each.name != "house"]
        self._columns = [each.column_name for each in own]
        self._loads = [(each.name, each.loads) for each in own]
        self._written: dict[str, str] = {}

    def __sql__(self, ctx: Any) -> Any:
        alias = ctx.alias_manager[self._table]
        if alias not in self._written:
            self._written[alias] = ", ".join(f'"{alias}"."{each}"' for each in self._columns)
        return ctx.literal(self._written[alias])

    def read(self, row: Sequence[Any]) -> dict[str, Any]:
        """Return the values of a row that was found, by the names of fields."""
        named = zip(self._loads, row, strict=True)
        return {name: load(value) if load else value for (name, load), value in named}


_whole_row = cache(WholeRow)


class TableModel(peewee.Model):
    """What all have in common."""

    id = IdField()

    class Meta:
        legacy_table_names = False

    @classmethod
    def select(cls, *fields: Any) -> Any:
        """Begin a select of these fields, or of whole rows."""
        return super().select(*(fields or (_whole_row(cls),)))


class HousedModel(TableModel):
    """What belongs to one house: an engine of a house reads and writes no other's."""

    house = TextField(default="")


class PersonRow(HousedModel):
    name = TextField(default="")
    language = TextField(default=DEFAULT_LANGUAGE)
    time_zone = TextField(null=True)
    country = TextField(default="")
    level = TextField(default="")
    created_at = InstantField()
    options = ValueField(values.PersonOptions, default=values.PersonOptions)

    class Meta:
        table_name = "person"
        indexes = ((("created_at",), False),)


class AddressRow(HousedModel):
    person_id = IntegerField(constraints=refers("person"))
    address = TextField()
    proved = BooleanField(default=False)
    state = EnumField(values.AddressState, default=values.AddressState.ACTIVE)
    added_at = InstantField()
    ways = JsonField(default=list)

    class Meta:
        table_name = "address"
        indexes = (
            (("address", "house"), True),
            (("person_id",), False),
            (("state", "person_id"), False),
        )


class GameRow(HousedModel):
    name = TextField()
    title = TextField(default="")
    variant = TextField()
    rulebook = TextField(default="2023")
    options = ValueField(values.GameOptions, default=values.GameOptions)
    state = EnumField(values.GameState, default=values.GameState.FORMING)
    moderated = BooleanField(default=False)
    phase = TextField(null=True)
    position = JsonField(null=True)
    settings = JsonField(default=dict)
    deadline = InstantField(null=True)
    grace_end = InstantField(null=True)
    wake_at = InstantField(null=True)
    opened_at = InstantField(null=True)
    last_change = InstantField(null=True)
    outcome = ValueField(values.StoredOutcome, null=True)
    thread = TextField(null=True)
    created_at = InstantField()
    started_at = InstantField(null=True)
    ended_at = InstantField(null=True)
    version = IntegerField(default=0)
    listed = BooleanField(null=True)
    free = IntegerField(default=0)
    traits = TextField(default="")

    class Meta:
        table_name = "game"
        indexes = (
            (("name", "house"), True),
            (("wake_at",), False),
            (("thread",), False),
            (("state", "id"), False),
            (("state", "deadline", "id"), False),
            (("state", "listed", "free", "variant", "traits"), False),
            (("ended_at",), False),
        )


class InboundRow(HousedModel):
    door = TextField()
    received_at = InstantField()
    message_id = TextField()
    digest = TextField()
    envelope_from = TextField(null=True)
    envelope_to = JsonField()
    raw = BytesField()
    state = EnumField(values.InboundState, default=values.InboundState.NEW)
    attempts = IntegerField(default=0)
    problem = TextField(null=True)
    proof = TextField(null=True)
    sender = TextField(null=True)
    host = TextField(default="")
    lane = TextField(default="")
    game_id = IntegerField(null=True, constraints=refers("game"))
    person_id = IntegerField(null=True, constraints=refers("person"))
    worked_at = InstantField(null=True)

    class Meta:
        table_name = "mail"
        indexes = (
            (("message_id", "digest", "house"), True),
            (("received_at",), False),
            (("state", "sender", "id"), False),
        )


class SeatRow(TableModel):
    game_id = IntegerField(constraints=refers("game"))
    person_id = IntegerField(null=True, constraints=refers("person"))
    role = EnumField(values.Role)
    power = TextField(null=True)
    preferences = TextField(default="")
    state = EnumField(values.SeatState, default=values.SeatState.ACTIVE)
    wait = BooleanField(default=False)
    draw = ValueField(values.Vote, null=True)
    absence = ValueField(tuple[values.Away, ...], null=True)
    joined_at = InstantField()
    password = TextField(null=True)
    options = ValueField(values.SeatOptions, default=values.SeatOptions)

    class Meta:
        table_name = "seat"
        indexes = (
            (("game_id",), False),
            (("person_id",), False),
        )


class OrderRow(TableModel):
    game_id = IntegerField(constraints=refers("game"))
    phase = TextField()
    power = TextField()
    place = IntegerField()
    text = TextField()
    mail_id = IntegerField(null=True, constraints=refers("mail"))
    arrived_at = InstantField()

    class Meta:
        table_name = "orders"
        indexes = (
            (("game_id", "phase", "power", "place"), True),
            (("mail_id",), False),
        )


class PhaseRunRow(TableModel):
    game_id = IntegerField(constraints=refers("game"))
    phase = TextField()
    position = JsonField()
    orders = JsonField()
    results = JsonField()
    processed_at = InstantField()
    winners = JsonField(null=True)
    rollback = IntegerField(default=0)

    class Meta:
        table_name = "phase_run"
        indexes = (
            (("game_id", "phase", "rollback"), True),
            (("processed_at",), False),
        )


class RollbackRow(TableModel):
    game_id = IntegerField(constraints=refers("game"))
    phase = TextField()
    at = InstantField()
    kept = ValueField(records.Snapshot)
    restored_at = InstantField(null=True)

    class Meta:
        table_name = "rollback"
        indexes = ((("game_id",), False),)


class PressRow(TableModel):
    game_id = IntegerField(constraints=refers("game"))
    phase = TextField(null=True)
    sender_id = IntegerField(null=True, constraints=refers("seat"))
    from_label = TextField()
    to = JsonField()
    color = EnumField(values.PressColor, default=values.PressColor.WHITE)
    text = TextField()
    public = BooleanField(default=False)
    sent_at = InstantField()
    subject = TextField(default="")
    seats = JsonField(default=list)
    held = BooleanField(default=False)
    overseen = BooleanField(default=False)

    class Meta:
        table_name = "press"
        indexes = (
            (("game_id",), False),
            (("sender_id",), False),
        )


class OutboundRow(HousedModel):
    message_id = TextField()
    game_id = IntegerField(null=True, constraints=refers("game"))
    person_id = IntegerField(null=True, constraints=refers("person"))
    mail_id = IntegerField(null=True, constraints=refers("mail"))
    recipient = TextField()
    envelope_from = TextField(default="")
    kind = TextField()
    subject = TextField()
    raw = PackedField()
    digests = BytesField(default=b"")
    state = EnumField(values.OutboundState, default=values.OutboundState.QUEUED)
    attempts = IntegerField(default=0)
    next_try = InstantField()
    queued_at = InstantField()
    sent_at = InstantField(null=True)
    error = TextField(null=True)

    class Meta:
        table_name = "letter"
        indexes = (
            (("message_id",), True),
            (("person_id", "game_id"), False),
            (("mail_id",), False),
            (("envelope_from",), False),
            (("recipient", "queued_at"), False),
            (("kind", "queued_at"), False),
        )


class LogRow(HousedModel):
    at = InstantField()
    game_id = IntegerField(null=True, constraints=refers("game"))
    actor = TextField()
    what = TextField()
    facts = JsonField(default=dict)

    class Meta:
        table_name = "event"
        indexes = (
            (("game_id",), False),
            (("what", "at"), False),
        )


class TicketRow(HousedModel):
    kind = TextField()
    address = TextField()
    person_id = IntegerField(null=True, constraints=refers("person"))
    game_id = IntegerField(null=True, constraints=refers("game"))
    phase = TextField(null=True)
    parts = JsonField(default=list)
    press_id = IntegerField(null=True, constraints=refers("press"))
    mail_id = IntegerField(null=True, constraints=refers("mail"))
    claim = TextField(null=True)
    created_at = InstantField()
    expires_at = InstantField()
    used_at = InstantField(null=True)

    class Meta:
        table_name = "ticket"
        indexes = (
            (("address",), False),
            (("mail_id",), False),
        )


class SecretRow(TableModel):
    name = TextField()
    value = BytesField()

    class Meta:
        table_name = "secret"
        indexes = ((("name",), True),)


class BounceRow(HousedModel):
    letter_id = IntegerField(constraints=refers("letter"))
    address = TextField()
    at = InstantField()
    hard = BooleanField()
    status = TextField(default="")
    said = TextField(default="")
    told = BooleanField(default=False)

    class Meta:
        table_name = "bounce"
        indexes = (
            (("letter_id",), False),
            (("address",), False),
        )


class ReliabilityRow(TableModel):
    person_id = IntegerField(constraints=refers("person"))
    game_id = IntegerField(constraints=refers("game"))
    phase = TextField()
    power = TextField()
    what = EnumField(values.Reliability)
    at = InstantField()

    class Meta:
        table_name = "conduct"
        indexes = (
            (("person_id", "game_id", "phase", "power", "what"), True),
            (("game_id",), False),
        )


class PulseRow(HousedModel):
    name = TextField()
    at = InstantField()

    class Meta:
        table_name = "pulse"
        indexes = ((("name", "house"), True),)


class DiaryRow(TableModel):
    game_id = IntegerField(constraints=refers("game"))
    seat_id = IntegerField(constraints=refers("seat"))
    number = IntegerField()
    phase = TextField(null=True)
    text = TextField()
    at = InstantField()

    class Meta:
        table_name = "note"
        indexes = (
            (("seat_id", "number"), True),
            (("game_id",), False),
        )


class FileRow(TableModel):
    game_id = IntegerField(constraints=refers("game"))
    data = BytesField()

    class Meta:
        table_name = "file"
        indexes = ((("game_id",), False),)


class HouseRow(HousedModel):
    name = TextField()
    value = JsonField()

    class Meta:
        table_name = "house"
        indexes = ((("name", "house"), True),)


class AlarmRow(TableModel):
    name = TextField()
    kind = TextField()
    since = InstantField()
    facts = JsonField(default=dict)

    class Meta:
        table_name = "alarm"
        indexes = ((("name",), True),)


class TournamentRow(HousedModel):
    name = TextField()
    state = EnumField(values.TournamentState, default=values.TournamentState.ENTRY)
    plan = ValueField(values.TournamentPlan, default=values.TournamentPlan)
    round = IntegerField(default=0)
    seed = TextField()
    wake_at = InstantField(null=True)
    told_at = InstantField(null=True)
    created_at = InstantField()

    class Meta:
        table_name = "tournament"
        indexes = ((("name", "house"), True), (("wake_at",), False))


class EntrantRow(TableModel):
    tournament_id = IntegerField(constraints=refers("tournament"))
    person_id = IntegerField(constraints=refers("person"))
    role = EnumField(values.EntrantRole)
    state = EnumField(values.EntrantState, default=values.EntrantState.ACTIVE)
    team = TextField(default="")
    twice = BooleanField(default=False)
    joined_at = InstantField()

    class Meta:
        table_name = "entrant"
        indexes = ((("tournament_id", "person_id", "role"), True), (("person_id",), False))


class TournamentBoardRow(TableModel):
    tournament_id = IntegerField(constraints=refers("tournament"))
    game_id = IntegerField(constraints=refers("game"))
    round = IntegerField()
    number = IntegerField()
    ended = BooleanField(default=False)
    shares = ValueField(Mapping[str, values.Share], null=True)

    class Meta:
        table_name = "tournament_board"
        indexes = ((("game_id",), True), (("tournament_id", "round", "number"), True))


class SeatCodeRow(HousedModel):
    digest = TextField()
    game_id = IntegerField(null=True, constraints=refers("game"))
    tournament_id = IntegerField(null=True, constraints=refers("tournament"))
    power = TextField(null=True)
    by = IntegerField(constraints=refers("person"))
    until = InstantField(null=True)
    created_at = InstantField()
    expires_at = InstantField()
    used_at = InstantField(null=True)

    class Meta:
        table_name = "seat_code"
        indexes = ((("digest",), True), (("game_id",), False), (("tournament_id",), False))


ALL = (
    *(
        PersonRow,
        AddressRow,
        GameRow,
        InboundRow,
        SeatRow,
        OrderRow,
        PhaseRunRow,
        RollbackRow,
        PressRow,
    ),
    *(OutboundRow, LogRow, TicketRow, SecretRow, BounceRow, ReliabilityRow, PulseRow, DiaryRow),
    *(HouseRow, AlarmRow, TournamentRow, EntrantRow, TournamentBoardRow, SeatCodeRow),
    FileRow,
)
"""All tables, each behind those it refers to."""

# What is looked for is little beside what there is: an index of that alone stays small, and what is
# done with leaves it. It serves queries that repeat its condition, or that of one of its states, to
# the letter: these are texts of ours, and hold no value.
WAITS = SQL("replace(options, '\"waits_for_game\":true', '') <> options")
BLOCKS = SQL("replace(options, '\"blocked\":[', '') <> options")
STANDS_IN = SQL("replace(options, '\"stand_in\":true', '') <> options")
WITH_TEXT = SQL("length(raw) > 0")
BLAMED = SQL("attempts > 0 AND state IN ('new', 'held')")
NEW = SQL("state = 'new'")
HELD = SQL("state = 'held'")
ASKED = SQL("state = 'asked'")
QUEUED = SQL("state = 'queued'")
KEPT = SQL("state = 'kept'")
FAILED = SQL("state = 'failed'")

for _model, _name, _columns, _where in (
    (PersonRow, "person_waits", "id", WAITS),
    (PersonRow, "person_stands_in", "id", STANDS_IN),
    (PersonRow, "person_blocks", "id", BLOCKS),
    (GameRow, "game_not_noted", "id", SQL("listed IS NULL")),
    (OutboundRow, "letter_texts", "queued_at", WITH_TEXT),
    (OutboundRow, "letter_queue", "state queued_at attempts", QUEUED),
    (
        *(OutboundRow, "letter_open", "state next_try id"),
        SQL("state = 'queued' OR state = 'kept' OR state = 'failed'"),
    ),
    (
        *(InboundRow, "mail_worked", "worked_at"),
        SQL("worked_at IS NOT NULL AND length(raw) > 0"),
    ),
    (InboundRow, "mail_failed", "id", BLAMED),
    (InboundRow, "mail_person", "person_id", SQL("person_id IS NOT NULL")),
    (
        *(InboundRow, "mail_open", "state id"),
        SQL("state = 'new' OR state = 'held' OR state = 'asked'"),
    ),
    (InboundRow, "mail_host", "state host sender id", NEW),
    (InboundRow, "mail_lane", "state lane sender id", NEW),
):
    _fields = (getattr(_model, each) for each in _columns.split())
    _model.add_index(_model.index(*_fields, name=_name, where=_where))


def bring_up(engine: Engine) -> None:
    """Add the tables, columns and indexes that a database lacks."""
    database = engine.database
    for model in ALL:
        table = model._meta.table_name
        if not database.table_exists(table):
            continue
        known = {each.name for each in database.get_columns(table)}
        for field in columns(model):
            if field.column_name not in known:
                database.execute_sql(f'ALTER TABLE "{table}" ADD COLUMN {_declared(engine, field)}')
    with database.bind_ctx(ALL):
        for model in ALL:
            model.create_table()


def _declared(engine: Engine, field: Any) -> str:
    """Return a column with the value that rows get which are there already: what declares a table
    takes no parameters."""
    context = engine.database.get_sql_context()
    kind, _ = context.sql(field.ddl_datatype(context)).query()
    declared = f'"{field.column_name}" {kind}'
    if field.null:
        return declared
    made = field.default() if callable(field.default) else field.default
    return f"{declared} NOT NULL DEFAULT {engine.literal(field.db_value(made))}"


def columns(model: Any) -> list[Any]:
    """Return the columns of a table, its key left out."""
    return [field for field in model._meta.sorted_fields if field.name != "id"]


def total_bytes(column: Any) -> Any:
    """Return SQL's sum of the lengths of what a column holds; NULL for no rows."""
    return peewee.fn.SUM(peewee.fn.LENGTH(column))
