"""The configuration: one TOML file, checked as a whole before anything starts."""

# Hints are read at every start, and are no text here: each would have to be compiled.

import os
import re
import tomllib
from collections.abc import Callable, Sequence
from datetime import datetime
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from judge.clock import Clock, SystemClock
from judge.config_reader import ConfigReader
from judge.data import data_path
from judge.i18n import DEFAULT_LANGUAGE, LANGUAGES
from judge.limits import Limits


class ConfigError(Exception):
    """A configuration that cannot be used; `problems` names all that is wrong, a line each."""

    def __init__(self, path: Path, problems: list[str]) -> None:
        super().__init__("\n  ".join([f"{path} cannot be used:", *problems]))
        self.path = path
        self.problems = problems


class NoSecret(Exception):
    """A password is not where the configuration says; the message says where that is."""


# What a setting is checked by, once it is of its type. Each check is given the value and the folder
# of the file, returns the value to use, and raises ValueError, which says what is allowed.


def _address(text: str, folder: Path) -> str:
    local, _, domain = text.rpartition("@")
    if not (local and ("." in domain.strip(".") or domain == "localhost")):
        raise ValueError("write a mail address such as judge@example.org")
    if not text.isascii() or any(character.isspace() or character in "<>,;" for character in text):
        raise ValueError("write the bare address, such as judge@example.org")
    return text


def _pattern(text: str, folder: Path) -> str:
    local, _, domain = text.rpartition("@")
    if local.count("*") != 1 or "*" in domain:
        raise ValueError("write an address with one * before the @, such as judge+*@example.org")
    _address(text, folder)
    # RFC 5321 4.5.3.1.1 allows 64; the judge puts 25 in place of the *.
    if len(local) > 40:
        raise ValueError("40 characters before the @ are allowed, the * included")
    return text


def _zone(text: str, _: Path) -> str:
    try:
        ZoneInfo(text)
    except (ValueError, OSError, LookupError):
        raise ValueError('write an IANA time zone such as "UTC" or "Europe/Paris"') from None
    return text


def _path(path: Path, folder: Path) -> Path:
    return folder / Path(os.path.expandvars(path)).expanduser()


def _database(url: str, folder: Path) -> str:
    scheme, colon, rest = url.partition(":")
    if scheme == "sqlite" and colon and rest:
        return f"sqlite:{_path(Path(rest), folder)}"
    if scheme in ("postgresql", "postgres") and rest.startswith("//"):
        return url
    raise ValueError('write "sqlite:PATH" or "postgresql://USER@HOST/NAME"')


def _network(text: str, _: Path) -> str:
    try:
        ip_network(text, strict=False)
    except ValueError:
        raise ValueError('write an address or a network such as "192.0.2.0/24"') from None
    return text


def _some(values: Sequence[str], _: Path) -> Sequence[str]:
    if not values:
        raise ValueError("a list with at least one text is allowed")
    return values


def _like(pattern: str, said: str) -> Callable[[str, Path], str]:
    def check(text: str, _: Path) -> str:
        if not re.fullmatch(pattern, text):
            raise ValueError(said)
        return text

    return check


Address = Annotated[str, _address]
Port = Annotated[int, Meta(ge=0, le=65535)]
Language = Annotated[str, _like("|".join(LANGUAGES), f"write one of these: {', '.join(LANGUAGES)}")]
WebAddress = Annotated[
    str, _like(r"(https?://[^\s\"<>]+)?", "write an address such as https://judge.example.org/")
]
MemberPattern = Annotated[
    str, _like(r"[^\s<>,;@]+@[^\s<>,;@]+", 'write an address, or a pattern such as "*@example.org"')
]
FilePath = Annotated[Path, _path]


class _ConfigTable(Struct, frozen=True, kw_only=True):
    """One table of the file. What is wrong with several of its settings together it says when it is
    made, by ValueError."""

    def __repr__(self) -> str:
        # It may hold passwords.
        return type(self).__name__

    @staticmethod
    def filled(values: dict[str, Any]) -> dict[str, Any]:
        """Return what stands in the file, with what follows from it or what it meant in files of
        other versions."""
        return values


class _House(_ConfigTable, frozen=True, kw_only=True):
    """Who a house is. `digest`: when its keeper is told what happened, `off` for never. `language`:
    that of one who writes in none that is known. `members`: patterns of the addresses of those who
    may come in, none for everybody. `hosts` see all that is in its games but those they play in.
    `settings` are those of new games, as behind CREATE."""

    name: Annotated[
        str, _like(r"[^\x00-\x1f\x7f]{1,60}", "1 to 60 printable characters are allowed")
    ] = "The Judge"
    address: Address
    keeper: Address | None = None
    digest: Annotated[
        str, _like(r"off|([01]\d|2[0-3]):[0-5]\d", 'write a time such as "08:00", or "off"')
    ] = "08:00"
    zone: Annotated[str, _zone] = "UTC"
    sub_addresses: Annotated[str, _pattern] | None = None
    language: Language = DEFAULT_LANGUAGE
    members: tuple[MemberPattern, ...] = ()
    hosts: tuple[Address, ...] = ()
    settings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        keeper, (before, after) = (self.keeper or "").lower(), self.pattern.split("*", 1)
        # In a domain of the judge's own the keeper may have a mailbox beside it.
        is_sub_address = before and keeper.startswith(before) and keeper.endswith(after)
        if keeper == self.address.lower() or is_sub_address:
            # Mail of its own is not answered, so nobody would read what the keeper must know.
            raise ValueError("keeper must be an address that you read, not that of the judge")

    @property
    def domain(self) -> str:
        """The part of the address behind the @."""
        return self.address.rpartition("@")[2]

    @property
    def pattern(self) -> str:
        """The sub-addresses, in small letters."""
        local, _, domain = self.address.rpartition("@")
        return (self.sub_addresses or f"{local}+*@{domain}").lower()


class JudgeSection(_House, frozen=True, kw_only=True):
    """Who the judge is, which is its main house. `spread`: minutes over which deadlines of one time
    of day are spread. `variants` are folders with boards besides those that are shipped. `pipe`:
    `judge mail` brings mail."""

    spread: Annotated[int, Meta(ge=0, le=60)] = 0
    variants: tuple[FilePath, ...] = ()
    pipe: bool = False


class TrustSection(_ConfigTable, frozen=True, kw_only=True):
    """How sure the judge must be who wrote a mail. `servers` are the hosts of the mail servers in
    front of it; `reply_days` is how long answers are taken."""

    level: Literal["address", "known", "token", "verified"] = "known"
    authserv_id: (
        Annotated[str, _like(r"[^\s;]+", 'write a name such as "mx.example.org"')] | None
    ) = None
    servers: tuple[Annotated[str, _network], ...] = ("127.0.0.1", "::1")
    check_dkim: bool = True
    reply_days: Annotated[float, Meta(ge=1, le=3650)] = 60

    def __post_init__(self) -> None:
        if self.level == "verified" and self.authserv_id is None and not self.check_dkim:
            raise ValueError('level "verified" needs authserv_id or check_dkim = true')


class DatabaseSection(_ConfigTable, frozen=True, kw_only=True):
    """Where everything is kept."""

    url: Annotated[str, _database] = "sqlite:judge.db"

    @property
    def file(self) -> Path | None:
        """The file of a SQLite database; None for one of a server."""
        scheme, _, path = self.url.partition(":")
        return Path(path) if scheme == "sqlite" else None


class RetentionSection(_ConfigTable, frozen=True, kw_only=True):
    """How many days the texts of mails and letters are kept once they are done with, and mails in
    the done_folder of a mailbox; and how long those of letters at most; 0: for ever."""

    days: Annotated[int, Meta(ge=0, le=36500)] = 0
    letters: Annotated[int, Meta(ge=0, le=36500)] = 90


class BackupSection(_ConfigTable, frozen=True, kw_only=True):
    """What backups are sealed with: a file that is made where there is none; the folder in which
    the judge makes one by itself `every` so many hours, None for none, and leaves the newest."""

    key_file: FilePath = Path("backup.key")
    folder: FilePath | None = None
    every: Annotated[float, Meta(ge=0.1, le=8760)] = 24
    keep: Annotated[int, Meta(ge=1, le=100_000)] = 30


class SmtpSection(_ConfigTable, frozen=True, kw_only=True):
    """The SMTP server inside the daemon. Port 0 takes a free one. `max_size` in bytes, `per_minute`
    mails of one host, 0 for no end. With a certificate, whose key is in `key_file` or in the same
    file, it offers STARTTLS."""

    enabled: bool = True
    host: str = "127.0.0.1"
    port: Port = 8025
    lmtp: bool = False
    max_size: Annotated[int, Meta(ge=10_000, le=100_000_000)] = 1_000_000
    per_minute: Annotated[int, Meta(ge=0)] = 300
    certificate_file: FilePath | None = None
    key_file: FilePath | None = None

    def __post_init__(self) -> None:
        if self.key_file is not None and self.certificate_file is None:
            raise ValueError("key_file needs a certificate_file beside it")


class _Login(_ConfigTable, frozen=True, kw_only=True):
    """A user and one way to come by the password, or by a token of OAuth 2 in place of one."""

    user: str | None = None
    password: str | None = None
    password_file: FilePath | None = None
    password_env: str | None = None
    token_command: Annotated[tuple[str, ...], _some] | None = None

    def __post_init__(self) -> None:
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

    def secret(self) -> str | None:
        """Return the password, read where it is kept; None without a login. Raises NoSecret:
        anyone who only looks into the database may not have it."""
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
        return self.password


class ImapSection(_Login, frozen=True, kw_only=True):
    """One mailbox to fetch from. `poll` in seconds."""

    host: str
    port: Port = 993
    user: str
    security: Literal["tls", "starttls", "none"] = "tls"
    folder: str = "INBOX"
    when_done: Literal["move", "flag"] = "move"
    done_folder: str = "judge-done"
    poll: Annotated[float, Meta(ge=1, le=3600)] = 60

    @staticmethod
    def filled(values: dict[str, Any]) -> dict[str, Any]:
        return _with_port(values, default="tls", ports={"starttls": 143, "none": 143})

    def __post_init__(self) -> None:
        super().__post_init__()
        # Only this name is the same however it is written (RFC 3501 section 5.1).
        here, done = (
            "INBOX" if name.upper() == "INBOX" else name for name in (self.folder, self.done_folder)
        )
        if self.when_done == "move" and here == done:
            raise ValueError("done_folder must be another one than folder")


class RelaySection(_Login, frozen=True, kw_only=True):
    """The mail server that takes our letters, over so many `connections` at a time."""

    host: str
    port: Port = 587
    security: Literal["starttls", "tls", "none"] = "starttls"
    connections: Annotated[int, Meta(ge=1, le=16)] = 1

    @staticmethod
    def filled(values: dict[str, Any]) -> dict[str, Any]:
        return _with_port(values, default="starttls", ports={"tls": 465, "none": 25})


def _with_port(values: dict[str, Any], default: str, ports: dict[str, int]) -> dict[str, Any]:
    port = ports.get(str(values.get("security", default)))
    return values if port is None else {"port": port, **values}


class OutgoingSection(_ConfigTable, frozen=True, kw_only=True):
    """Where letters go: to the relay if there is one, else into Maildirs. `pictures`: whether
    they show the board."""

    maildir: FilePath = Path("mail")
    pictures: bool = True
    unsubscribe: (
        Annotated[
            str, _like("https://[!-;=?-~]+", "write an address such as https://judge.example.org/")
        ]
        | None
    ) = None
    relay: RelaySection | None = None

    @staticmethod
    def filled(values: dict[str, Any]) -> dict[str, Any]:
        # Files of 0.1.0 name the kind of picture.
        kinds = {"animated": True, "still": True, "off": False}
        named = values.get("pictures")
        return {**values, "pictures": kinds.get(named, named)} if isinstance(named, str) else values


class SiteSection(_ConfigTable, frozen=True, kw_only=True):
    """The pages of public games: the folder they are kept in, None for no pages; where it is
    served; their language. `keeper_folder`: where a page for the keeper is kept, None for none."""

    folder: FilePath | None = None
    keeper_folder: FilePath | None = None
    address: WebAddress = ""
    language: Language = DEFAULT_LANGUAGE


Selector = Annotated[
    str, _like("[A-Za-z0-9]([A-Za-z0-9._-]{0,60}[A-Za-z0-9])?", 'write a name such as "judge"')
]


class DkimSection(_ConfigTable, frozen=True, kw_only=True):
    """The signatures on letters. `domain` is that of the judge's address where it is left out;
    `second_selector` and `second_key_file` are a key of the other kind beside the first."""

    selector: Selector
    key_file: FilePath
    second_selector: Selector | None = None
    second_key_file: FilePath | None = None
    domain: (
        Annotated[
            str, _like(r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*", 'write a domain such as "example.org"')
        ]
        | None
    ) = None

    def __post_init__(self) -> None:
        if (self.second_selector is None) != (self.second_key_file is None):
            raise ValueError("second_selector and second_key_file go together")
        if self.second_selector == self.selector:
            raise ValueError("each key needs a selector of its own")

    def signers(self) -> list[tuple[str, Path]]:
        """Return the selectors, each with the file of its key."""
        second = [(self.second_selector, self.second_key_file)]
        return [(self.selector, self.key_file), *((s, f) for s, f in second if s and f)]


class HouseSection(_House, frozen=True, kw_only=True):
    """One more house, with people, games and pages of its own. `key` is its name in the database,
    which stays as it is; `pages` is the folder of its pages, `pages_address` where that is
    served; `dkim` signs its letters where it has a domain of its own."""

    key: Annotated[str, _like("[a-z][a-z0-9-]{0,29}", 'write a short name such as "club"')]
    pages: FilePath | None = None
    pages_address: WebAddress = ""
    dkim: DkimSection | None = None

    @property
    def site(self) -> SiteSection:
        """Its pages, which are in its language."""
        return SiteSection(folder=self.pages, address=self.pages_address, language=self.language)


class WorkSection(_ConfigTable, frozen=True, kw_only=True):
    """In what process messages are processed, and the processor time in seconds and memory in MB
    that one of them may take there; `apart` is false where the daemon processes them itself."""

    apart: bool = True
    seconds: Annotated[float, Meta(ge=1, le=3600)] = 10
    memory: Annotated[int, Meta(ge=100, le=1_000_000)] = 1_000


class LogSection(_ConfigTable, frozen=True, kw_only=True):
    """How much is logged, and how: as text, or as a JSON object a line."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    format: Literal["text", "json"] = "text"


class MetricsSection(_ConfigTable, frozen=True, kw_only=True):
    """Numbers for Prometheus, by HTTP. Port 0 takes a free one."""

    enabled: bool = False
    host: str = "127.0.0.1"
    port: Port = 9464


class ClockSection(_ConfigTable, frozen=True, kw_only=True):
    """A clock that runs `speed` times as fast from the real instant `start` on."""

    speed: Annotated[float, Meta(ge=1, le=1_000_000)] = 1
    start: datetime | None = None

    def __post_init__(self) -> None:
        if self.speed > 1 and self.start is None:
            raise ValueError("a speed needs a start, the real instant from which on it counts")

    def clock(self) -> Clock:
        """Return the clock that is configured."""
        return SystemClock() if self.start is None else SystemClock(self.speed, self.start)


class Config(_ConfigTable, frozen=True, kw_only=True):
    """The whole file. Sections that are left out have their defaults."""

    judge: JudgeSection
    database: DatabaseSection = field(default_factory=DatabaseSection)
    backup: BackupSection = field(default_factory=BackupSection)
    retention: RetentionSection = field(default_factory=RetentionSection)
    smtp: SmtpSection = field(default_factory=SmtpSection)
    imap: tuple[ImapSection, ...] = ()
    outgoing: OutgoingSection = field(default_factory=OutgoingSection)
    site: SiteSection = field(default_factory=SiteSection)
    dkim: DkimSection | None = None
    limits: Limits = field(default_factory=Limits)
    work: WorkSection = field(default_factory=WorkSection)
    trust: TrustSection = field(default_factory=TrustSection)
    log: LogSection = field(default_factory=LogSection)
    metrics: MetricsSection = field(default_factory=MetricsSection)
    clock: ClockSection = field(default_factory=ClockSection)
    houses: tuple[HouseSection, ...] = ()

    def __post_init__(self) -> None:
        every = (self.judge, *self.houses)
        addresses = [each.address.lower() for each in every]
        for what, found in (
            ("key", [each.key for each in self.houses]),
            ("address", addresses),
            ("sub_addresses", [each.pattern for each in every]),
        ):
            for each in found:
                if found.count(each) > 1:
                    raise ValueError(f"two houses have the same {what}, {each}")
        for house in every:
            if (house.keeper or "").lower() in addresses:
                raise ValueError(f"keeper {house.keeper} must not be the address of a house")
        for own in self.houses:
            if own.dkim and own.domain.lower() == self.judge.domain.lower():
                raise ValueError(f"letters of {own.key} are signed by the section [dkim]")
        folders = [each.folder for each in (self.site, *(h.site for h in self.houses))]
        kept = [Path(os.path.normpath(each)) for each in folders if each]
        for at, one in enumerate(kept):
            for other in kept[at + 1 :]:
                if one.is_relative_to(other) or other.is_relative_to(one):
                    raise ValueError(f"each house needs a site folder of its own, not in {one}")

    def reached(self) -> dict[str, tuple[list[str], str]]:
        """Return, by the key of each house, the addresses by which it is reached, and the pattern
        of others. Mail to the postmaster of a domain goes to the keeper of its first house (RFC
        5321 section 4.5.1), but where that would come back here."""
        every: dict[str, _House] = {"": self.judge, **{each.key: each for each in self.houses}}
        found, domains = {}, set[str]()
        for key, each in every.items():
            own, domain = [each.address], each.domain.lower()
            if domain not in domains and (each.keeper or "").lower() != f"postmaster@{domain}":
                own.append(f"postmaster@{domain}")
            domains.add(domain)
            found[key] = (own, each.pattern)
        return found

    def by_house(self) -> dict[str, "Config"]:
        """Return the configuration as it is for each house, by its key; that of the main one is
        empty."""
        found = {"": replace(self, houses=())}
        for house in self.houses:
            own = {name: getattr(house, name) for name in _House.__struct_fields__}
            judge = replace(self.judge, **own)
            each = replace(self, judge=judge, site=house.site, houses=())
            if house.domain.lower() != self.judge.domain.lower():
                # What names the main house's domain would tell of that.
                outgoing = replace(self.outgoing, unsubscribe=None)
                each = replace(each, dkim=house.dkim, outgoing=outgoing)
            found[house.key] = each
        return found

    def has_secrets(self) -> bool:
        """Return whether a password stands in the file itself."""
        logins = (*self.imap, *((self.outgoing.relay,) if self.outgoing.relay else ()))
        in_url = (
            "@" in self.database.url and ":" in self.database.url.partition("//")[2].split("@")[0]
        )
        return in_url or any(login.password is not None for login in logins)


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
    reader = ConfigReader(path.absolute().parent)
    found: Config = reader.section(Config, values, ())
    if reader.problems:
        raise ConfigError(path, reader.problems)
    return found


def example() -> str:
    """Return the commented example file: every setting with its default."""
    return (data_path("config") / "judge.toml").read_text(encoding="utf-8")
