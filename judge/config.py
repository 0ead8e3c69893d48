"""The configuration: one TOML file, checked as a whole before anything starts."""

from __future__ import annotations

import difflib
import os
import tomllib
from datetime import datetime
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Literal, get_args
from zoneinfo import ZoneInfo

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import ErrorDetails

from judge.clock import Clock, SystemClock
from judge.data import data_directory


class ConfigError(Exception):
    """A configuration that cannot be used; `problems` names all that is wrong, a line each."""

    def __init__(self, path: Path, problems: list[str]) -> None:
        super().__init__("\n  ".join([f"{path} cannot be used:", *problems]))
        self.path = path
        self.problems = problems


class NoSecret(Exception):
    """A password is not where the configuration says; the message says where that is."""


def _address(text: str) -> str:
    local, _, domain = text.rpartition("@")
    if not (local and ("." in domain.strip(".") or domain == "localhost")):
        raise ValueError("write a mail address such as judge@example.org")
    if not text.isascii() or any(character.isspace() or character in "<>,;" for character in text):
        raise ValueError("write the bare address, such as judge@example.org")
    return text


def _pattern(text: str) -> str:
    local, _, domain = text.rpartition("@")
    if local.count("*") != 1 or "*" in domain:
        raise ValueError("write an address with one * before the @, such as judge+*@example.org")
    _address(text)
    # RFC 5321 4.5.3.1.1 allows 64; the judge puts 25 in place of the *.
    if len(local) > 40:
        raise ValueError("40 characters before the @ are allowed, the * included")
    return text


def _zone(text: str) -> str:
    try:
        ZoneInfo(text)
    except (ValueError, OSError, LookupError):
        raise ValueError('write an IANA time zone such as "UTC" or "Europe/Paris"') from None
    return text


def _path(path: Path, info: ValidationInfo) -> Path:
    folder: Path = (info.context or {}).get("folder", Path())
    return folder / Path(os.path.expandvars(path)).expanduser()


def _database(url: str, info: ValidationInfo) -> str:
    scheme, colon, rest = url.partition(":")
    if scheme == "sqlite" and colon and rest:
        return f"sqlite:{_path(Path(rest), info)}"
    if scheme in ("postgresql", "postgres") and rest.startswith("//"):
        return url
    raise ValueError('write "sqlite:PATH" or "postgresql://USER@HOST/NAME"')


Address = Annotated[str, AfterValidator(_address)]
Port = Annotated[int, Field(ge=0, le=65535)]
FilePath = Annotated[Path, AfterValidator(_path), Field(strict=False)]


class _Section(BaseModel):
    """One table of the file: unknown keys are errors, values do not change once read."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, hide_input_in_errors=True)


class JudgeSection(_Section):
    """Who the judge is. `digest`: when its keeper is told what happened, `off` for never.
    `variants` are folders with boards besides those that are shipped."""

    name: Annotated[str, Field(pattern=r"^[^\x00-\x1f\x7f]{1,60}$")] = "The Judge"
    address: Address
    keeper: Address | None = None
    digest: Annotated[str, Field(pattern=r"^(off|([01]\d|2[0-3]):[0-5]\d)$")] = "08:00"
    zone: Annotated[str, AfterValidator(_zone)] = "UTC"
    sub_addresses: Annotated[str, AfterValidator(_pattern)] | None = None
    variants: Annotated[tuple[FilePath, ...], Field(strict=False)] = ()

    @property
    def domain(self) -> str:
        """The part of the address behind the @."""
        return self.address.rpartition("@")[2]


def _network(text: str) -> str:
    try:
        ip_network(text, strict=False)
    except ValueError:
        raise ValueError('write an address or a network such as "192.0.2.0/24"') from None
    return text


class TrustSection(_Section):
    """How sure the judge must be who wrote a mail. `servers` are the hosts of the mail servers in
    front of it; `reply_days` is how long answers are taken."""

    level: Literal["address", "known", "token", "verified"] = "known"
    authserv_id: str | None = None
    servers: Annotated[
        tuple[Annotated[str, AfterValidator(_network)], ...], Field(strict=False)
    ] = ("127.0.0.1", "::1")
    check_dkim: bool = True
    reply_days: Annotated[float, Field(ge=1, le=3650)] = 60

    @model_validator(mode="after")
    def _somebody_verifies(self) -> TrustSection:
        if self.level == "verified" and self.authserv_id is None and not self.check_dkim:
            raise ValueError('level "verified" needs authserv_id or check_dkim = true')
        return self


class DatabaseSection(_Section):
    """Where everything is kept."""

    url: Annotated[str, AfterValidator(_database), Field(validate_default=True, repr=False)] = (
        "sqlite:judge.db"
    )


class RetentionSection(_Section):
    """How long the texts of mails and letters are kept once they are done with, and mails in the
    done_folder of a mailbox; 0: for ever."""

    days: Annotated[int, Field(ge=0, le=36500)] = 0


class BackupSection(_Section):
    """What backups are sealed with: a file that `judge backup` makes where there is none."""

    key_file: Annotated[FilePath, Field(validate_default=True)] = Path("backup.key")


class SmtpSection(_Section):
    """The SMTP server inside the daemon. Port 0 takes a free one. `max_size` in bytes, `per_minute`
    mails of one host, 0 for no end. With a certificate, whose key is in `key_file` or in the same
    file, it offers STARTTLS."""

    enabled: bool = True
    host: str = "127.0.0.1"
    port: Port = 8025
    lmtp: bool = False
    max_size: Annotated[int, Field(ge=10_000, le=100_000_000)] = 1_000_000
    per_minute: Annotated[int, Field(ge=0)] = 300
    certificate_file: FilePath | None = None
    key_file: FilePath | None = None

    @model_validator(mode="after")
    def _key_has_a_certificate(self) -> SmtpSection:
        if self.key_file is not None and self.certificate_file is None:
            raise ValueError("key_file needs a certificate_file beside it")
        return self


class _Login(_Section):
    """A user and one way to come by the password, or by a token of OAuth 2 in place of one."""

    user: str | None = None
    password: SecretStr | None = None
    password_file: FilePath | None = None
    password_env: str | None = None
    token_command: Annotated[tuple[str, ...] | None, Field(strict=False, min_length=1)] = None

    @model_validator(mode="after")
    def _one_password(self) -> _Login:
        ways = (self.password, self.password_file, self.password_env, self.token_command)
        given = sum(way is not None for way in ways)
        if given > 1:
            raise ValueError("give one of password, password_file, password_env and token_command")
        if given and self.user is None:
            raise ValueError("a password needs a user")
        if self.user is not None and not given:
            raise ValueError(
                "a user needs one of password, password_file, password_env and token_command"
            )
        return self

    def secret(self) -> str | None:
        """The password, read where it is kept; None without a login. Raises NoSecret: whoever only
        looks into the database may not have it."""
        if self.password_file is not None:
            try:
                return self.password_file.read_text().rstrip("\n")
            except OSError as error:
                why = f"password_file {self.password_file} cannot be read: {error.strerror}"
                raise NoSecret(why) from error
        if self.password_env is not None:
            try:
                return os.environ[self.password_env]
            except KeyError:
                why = f"password_env {self.password_env} is not set in the environment"
                raise NoSecret(why) from None
        return None if self.password is None else self.password.get_secret_value()


class ImapSection(_Login):
    """One mailbox to fetch from. `poll` in seconds."""

    host: str
    port: Port = 993
    user: str
    security: Literal["tls", "starttls", "none"] = "tls"
    folder: str = "INBOX"
    when_done: Literal["move", "flag"] = "move"
    done_folder: str = "judge-done"
    poll: Annotated[float, Field(ge=1, le=3600)] = 60

    @model_validator(mode="before")
    @classmethod
    def _port_of_security(cls, values: Any) -> Any:
        return _with_port(values, default="tls", ports={"starttls": 143, "none": 143})

    @model_validator(mode="after")
    def _done_is_elsewhere(self) -> ImapSection:
        # Only this name is the same however it is written (RFC 3501 section 5.1).
        here, done = (
            "INBOX" if name.upper() == "INBOX" else name for name in (self.folder, self.done_folder)
        )
        if self.when_done == "move" and here == done:
            raise ValueError("done_folder must be another one than folder")
        return self


class RelaySection(_Login):
    """The mail server that takes our letters, over so many `connections` at a time."""

    host: str
    port: Port = 587
    security: Literal["starttls", "tls", "none"] = "starttls"
    connections: Annotated[int, Field(ge=1, le=16)] = 1

    @model_validator(mode="before")
    @classmethod
    def _port_of_security(cls, values: Any) -> Any:
        return _with_port(values, default="starttls", ports={"tls": 465, "none": 25})


def _with_port(values: Any, default: str, ports: dict[str, int]) -> Any:
    if isinstance(values, dict) and "port" not in values:
        port = ports.get(str(values.get("security", default)))
        return values if port is None else {**values, "port": port}
    return values


class OutgoingSection(_Section):
    """Where letters go: to the relay if there is one, else into Maildirs. `pictures`: whether
    they show the board."""

    maildir: Annotated[FilePath, Field(validate_default=True)] = Path("mail")
    pictures: bool = True
    unsubscribe: Annotated[str, Field(pattern=r"^https://[!-;=?-~]+$")] | None = None
    relay: RelaySection | None = None

    @field_validator("pictures", mode="before")
    @classmethod
    def _of_another_version(cls, value: Any) -> Any:
        # Files of 0.1.0 name the kind of picture.
        if isinstance(value, str):
            return {"animated": True, "still": True, "off": False}.get(value, value)
        return value


class SiteSection(_Section):
    """The pages of public games: the folder they are kept in, None for no pages; where it is
    served; their language."""

    folder: FilePath | None = None
    address: Annotated[str, Field(pattern=r"^(https?://[^\s\"<>]+)?$")] = ""
    language: Literal["en", "de", "fr"] = "en"


Selector = Annotated[str, Field(pattern=r"^[A-Za-z0-9]([A-Za-z0-9._-]{0,60}[A-Za-z0-9])?$")]


class DkimSection(_Section):
    """The signatures on letters. `domain` is that of the judge's address where it is left out;
    `second_selector` and `second_key_file` are a key of the other kind beside the first."""

    selector: Selector
    key_file: FilePath
    second_selector: Selector | None = None
    second_key_file: FilePath | None = None
    domain: Annotated[str, Field(pattern=r"^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$")] | None = None

    @model_validator(mode="after")
    def _second_key_is_whole(self) -> DkimSection:
        if (self.second_selector is None) != (self.second_key_file is None):
            raise ValueError("second_selector and second_key_file go together")
        if self.second_selector == self.selector:
            raise ValueError("each key needs a selector of its own")
        return self

    def signers(self) -> list[tuple[str, Path]]:
        """The selectors, each with the file of its key."""
        second = [(self.second_selector, self.second_key_file)]
        return [(self.selector, self.key_file), *((s, f) for s, f in second if s and f)]


Count = Annotated[int, Field(ge=1, le=1_000_000)]


class LimitsSection(_Section):
    """How many answers people get: one person on file in an hour, one stranger in a day, all
    strangers in a day, one person in a day to mails with nothing in them for the judge; how
    many letters one part in a game may send to the others in an hour, and how many the press of
    one person may become in a day; how many megabytes of one stranger are stored in a day; how many
    questions may wait for an answer from one address; in how many games that are not over one
    person may be; how many wrong passwords one person may give in an hour for their seat in one
    game; and how many answers to WHAT IF one person gets in a day."""

    hour: Count = 60
    stranger: Count = 10
    strangers: Count = 200
    nothing: Count = 5
    questions: Count = 3
    press: Count = 100
    letters: Count = 500
    megabytes: Count = 5
    games: Count = 50
    passwords: Count = 5
    what_if: Count = 100


class WorkSection(_Section):
    """In what process messages are worked, and the processor time in seconds and memory in MB that
    one of them may take there; `apart` is false where the daemon works them itself."""

    apart: bool = True
    seconds: Annotated[float, Field(ge=1, le=3600)] = 10
    memory: Annotated[int, Field(ge=100, le=1_000_000)] = 1_000


class LogSection(_Section):
    """How much is logged, and how: as text, or as a JSON object a line."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    format: Literal["text", "json"] = "text"


class MetricsSection(_Section):
    """Numbers for Prometheus, by HTTP. Port 0 takes a free one."""

    enabled: bool = False
    host: str = "127.0.0.1"
    port: Port = 9464


class ClockSection(_Section):
    """A clock that runs `speed` times as fast from the real instant `start` on."""

    speed: Annotated[float, Field(ge=1, le=1_000_000)] = 1
    start: AwareDatetime | None = None

    @model_validator(mode="after")
    def _start_of_speed(self) -> ClockSection:
        if self.speed > 1 and self.start is None:
            raise ValueError("a speed needs a start, the real instant from which on it counts")
        return self

    def clock(self) -> Clock:
        """The clock that is configured."""
        return SystemClock() if self.start is None else SystemClock(self.speed, self.start)


class Config(_Section):
    """The whole file. Sections that are left out have their defaults."""

    judge: JudgeSection
    database: DatabaseSection = Field(default_factory=DatabaseSection, validate_default=True)
    backup: BackupSection = Field(default_factory=BackupSection, validate_default=True)
    retention: RetentionSection = RetentionSection()
    smtp: SmtpSection = SmtpSection()
    imap: Annotated[tuple[ImapSection, ...], Field(strict=False)] = ()
    outgoing: OutgoingSection = Field(default_factory=OutgoingSection, validate_default=True)
    site: SiteSection = SiteSection()
    dkim: DkimSection | None = None
    limits: LimitsSection = LimitsSection()
    work: WorkSection = WorkSection()
    trust: TrustSection = TrustSection()
    log: LogSection = LogSection()
    metrics: MetricsSection = MetricsSection()
    clock: ClockSection = ClockSection()

    def has_secrets(self) -> bool:
        """Whether a password stands in the file itself."""
        logins = (*self.imap, *((self.outgoing.relay,) if self.outgoing.relay else ()))
        in_url = (
            "@" in self.database.url and ":" in self.database.url.partition("//")[2].split("@")[0]
        )
        return in_url or any(login.password is not None for login in logins)

    @model_validator(mode="before")
    @classmethod
    def _every_section(cls, values: Any) -> Any:
        # Sections with paths are read even when they are left out: paths start at the file.
        sections: dict[str, object] = {"database": {}, "backup": {}, "outgoing": {}}
        return sections | values if isinstance(values, dict) else values

    @field_validator("imap", mode="before")
    @classmethod
    def _list_of_mailboxes(cls, value: Any) -> Any:
        if isinstance(value, dict):
            raise ValueError("write [[imap]] with two brackets, a block for each mailbox")
        return value


def load(path: Path) -> Config:
    """Read and check the file at `path`.

    Raises ConfigError with everything that is wrong with it at once.
    """
    try:
        return parse(path.read_text(encoding="utf-8"), path)
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(path, [f"it cannot be read: {error}"]) from error


def parse(text: str, path: Path) -> Config:
    """Check the text of a configuration; relative paths start at the folder of `path`.

    Raises ConfigError with everything that is wrong with it at once.
    """
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(path, [f"it is not TOML: {error}"]) from error
    try:
        return Config.model_validate(values, context={"folder": path.absolute().parent})
    except ValidationError as error:
        raise ConfigError(path, [_in_words(each) for each in error.errors()]) from None


def example() -> str:
    """The commented example file: every setting with its default."""
    return (data_directory("config") / "judge.toml").read_text(encoding="utf-8")


_ALLOWED = {
    # what pydantic calls the error: how to say what is allowed
    "bool_type": "true or false is allowed",
    "int_type": "a whole number is allowed",
    "float_type": "a number is allowed",
    "string_type": 'text in quotes is allowed, such as "text"',
    "path_type": 'a path in quotes is allowed, such as "mail"',
    "model_type": "a section is allowed, [{key}]",
    "greater_than_equal": "{ge} or more is allowed",
    "less_than_equal": "{le} or less is allowed",
    "literal_error": "{expected} is allowed",
    "string_pattern_mismatch": "1 to 60 printable characters are allowed",
    "timezone_aware": "a time needs its offset, such as 2026-06-01T12:00:00Z",
    "datetime_type": "a time is allowed, such as 2026-06-01T12:00:00Z",
    "missing": "it is required",
}


def _in_words(error: ErrorDetails) -> str:
    """One problem with its key, what is there, and what is allowed."""
    place = [str(part) for part in error["loc"]]
    key = ".".join(place)
    kind = error["type"]
    if kind == "missing":
        return f"{key}: {_ALLOWED[kind]}"
    if kind == "extra_forbidden":
        near = difflib.get_close_matches(place[-1], keys(place[:-1]), n=1)
        meant = f"; did you mean {near[0]}?" if near else ""
        allowed = ", ".join(keys(place[:-1]))
        return f"{key}: there is no such setting{meant} (allowed here: {allowed})"
    context = {
        name: int(limit) if isinstance(limit, float) and limit.is_integer() else limit
        for name, limit in error.get("ctx", {}).items()
    }
    if kind == "value_error":
        said = str(context["error"])
    else:
        said = _ALLOWED.get(kind, error["msg"]).format(key=key, **context)
    return f"{key}: {said}{_shown(place, error['input'])}"


def _shown(place: list[str], value: object) -> str:
    """What is there now, unless it is or may hold a secret."""
    secret = "password" in place[-1] or place[-1] == "url"
    if secret or not isinstance(value, str | int | float | datetime):
        return ""
    return f", not {value!r}"


def keys(place: list[str]) -> list[str]:
    """The settings that the section at `place` allows; the sections where that is empty."""
    section: Any = Config
    for name in place:
        if not name.isdecimal():
            kind = section.model_fields[name].annotation
            # A section may be missing, and of some there are several.
            section = next(iter(get_args(kind)), kind)
    return list(section.model_fields)
