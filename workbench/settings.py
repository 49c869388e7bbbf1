"""Settings: the only reader of the environment and of the configuration file.

Every setting can be given as an environment variable ``PINCITE_<NAME>`` or in ``config.toml`` in the data directory; the
environment wins.
"""

import os
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, NamedTuple
from urllib.parse import urlsplit

import platformdirs
from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from workbench.credentials import KeptSecrets, NamedFiles
from workbench.domain.budgets import DEFAULT_PROFILES, Profile, ProfileSettings, UserLimits
from workbench.domain.errors import ConfigurationError
from workbench.services.ingestion.limits import Limits

CONFIG_FILE = "config.toml"


class Provider(StrEnum):
    """Who answers. ``EXTRACTIVE`` is the embedded model, which needs no key and no network."""

    EXTRACTIVE = "extractive"
    OPENAI = "openai"
    AZURE = "azure"
    COMPATIBLE = "compatible"


class History(StrEnum):
    """Who keeps the thread: the provider (``CHAIN``), or we send it whole each time (``REPLAY``)."""

    AUTO = "auto"
    CHAIN = "chain"
    REPLAY = "replay"


class AzureAuth(StrEnum):
    """How to sign in to Azure OpenAI: with a key, or with an identity of Entra ID."""

    KEY = "key"
    ENTRA = "entra"


class Reasoning(StrEnum):
    """Whether the model takes a reasoning effort; ``AUTO`` decides by its name."""

    AUTO = "auto"
    YES = "yes"
    NO = "no"


class OfficeConversion(StrEnum):
    """Whether LibreOffice lays out what it does better: where it is on the machine (``AUTO``), or never."""

    AUTO = "auto"
    NEVER = "never"


class Recognition(StrEnum):
    """Which OCR engine reads pictures of text: the package where it is installed, else Tesseract (``AUTO``), one, or none."""

    AUTO = "auto"
    NEVER = "never"
    RAPIDOCR = "rapidocr"
    TESSERACT = "tesseract"


class RunsCode(StrEnum):
    """Where code that a model writes runs: in our sandbox with pandas where that works, else in WebAssembly (``AUTO``), in
    one of the two, in the provider's code interpreter, or nowhere."""

    AUTO = "auto"
    WASM = "wasm"
    BUBBLEWRAP = "bubblewrap"
    PROVIDER = "provider"
    OFF = "off"


class SignIn(StrEnum):
    """Who may use the app: whoever reaches it, as one user (``OFF``), or who signs in by OpenID Connect."""

    OFF = "off"
    OIDC = "oidc"


class Row(NamedTuple):
    """One line of the Settings screen. ``variable`` is the environment variable that changes it."""

    name: str
    value: str
    variable: str


def default_home() -> Path:
    """The platform's directory for user data."""
    return Path(platformdirs.user_data_dir("pincite", appauthor=False))


class Settings(BaseSettings):
    """All settings with their defaults. Build one with :func:`load`, or directly in tests."""

    model_config = SettingsConfigDict(env_prefix="PINCITE_", extra="ignore", frozen=True, env_nested_delimiter="__")

    home: Path = Field(default_factory=default_home)
    provider: Provider = Provider.EXTRACTIVE
    model: str = ""
    api_key: SecretStr | None = None
    secrets_dir: Path | None = None
    keyring: str | None = None
    base_url: str | None = None
    azure_auth: AzureAuth = AzureAuth.KEY
    history: History = History.AUTO
    reasoning: Reasoning = Reasoning.AUTO
    input_price: float | None = Field(default=None, ge=0)
    output_price: float | None = Field(default=None, ge=0)
    public_url: str | None = Field(default=None, pattern=r"^https?://[^\s/@]+(/[^\s@]*)?$")
    sign_in: SignIn = SignIn.OFF
    oidc_url: str | None = Field(default=None, pattern=r"^https?://[^\s@]+$")
    oidc_client_id: str = ""
    oidc_client_secret: SecretStr | None = None
    cookie_secret: SecretStr | None = Field(default=None, min_length=32)
    sign_in_hours: float = Field(default=12.0, gt=0, le=720)
    administrators: Annotated[tuple[str, ...], NoDecode] = ()
    retention_days: int = Field(default=0, ge=0)
    mcp: bool = False
    turns_per_minute: int = Field(default=0, ge=0)
    tokens_per_day: int = Field(default=0, ge=0)
    embedding_model: str | None = None
    reranker: str | None = None
    database_url: str | None = None
    jobs_database_url: str | None = None
    ingest_workers: int = Field(default=2, ge=1, le=16)
    passages_per_search: int = Field(default=8, ge=1, le=50)
    max_file_mb: int = Field(default=200, ge=1)
    max_pages: int = Field(default=5000, ge=1)
    max_cells: int = Field(default=50_000_000, ge=1)
    searchable_rows: int = Field(default=5000, ge=50)
    max_expanded_mb: int = Field(default=250, ge=1)
    max_read_seconds: float = Field(default=300.0, gt=0)
    max_read_memory_mb: int = Field(default=2048, ge=512)
    libreoffice: OfficeConversion = OfficeConversion.AUTO
    ocr: Recognition = Recognition.AUTO
    ocr_languages: str = Field(default="", pattern=r"^[\w/+-]*$")
    ocr_seconds: float = Field(default=60.0, gt=0)
    sandbox: RunsCode = RunsCode.AUTO
    profiles: dict[Profile, ProfileSettings] = Field(default_factory=lambda: dict(DEFAULT_PROFILES))

    @field_validator("administrators", mode="before")
    @classmethod
    def _split(cls, given: Any) -> Any:
        """In the environment the names stand in one line, with commas between them."""
        parts = given.split(",") if isinstance(given, str) else given
        return tuple(part.strip() for part in parts if part.strip()) if isinstance(parts, list | tuple) else parts

    @field_validator("profiles", mode="before")
    @classmethod
    def _all_profiles(cls, given: dict[str, Any]) -> dict[str, Any]:
        """What is not given of a profile keeps that profile's defaults."""
        return {
            profile.value: _completed(settings, given.get(profile)) for profile, settings in DEFAULT_PROFILES.items()
        } | {name: value for name, value in given.items() if name not in DEFAULT_PROFILES}

    @field_validator("base_url")
    @classmethod
    def _without_credentials(cls, url: str | None) -> str | None:
        """The address is shown and stored with every turn, so it holds no secret."""
        if url and "@" in urlsplit(url).netloc:
            raise ValueError("an address must not hold a user or password: put the key into PINCITE_API_KEY")
        return url

    @model_validator(mode="after")
    def _complete_sign_in(self) -> "Settings":
        """Sign-in needs the provider, a secret for its cookie, and the address that the provider sends people back to."""
        if self.sign_in is SignIn.OFF:
            return self
        needed = {
            "PINCITE_OIDC_URL": self.oidc_url,
            "PINCITE_OIDC_CLIENT_ID": self.oidc_client_id,
            "PINCITE_OIDC_CLIENT_SECRET": self.oidc_client_secret,
            "PINCITE_COOKIE_SECRET": self.cookie_secret,
            "PINCITE_PUBLIC_URL": self.public_url,
        }
        missing = [name for name, value in needed.items() if not value]
        if missing:
            raise ValueError(f"PINCITE_SIGN_IN=oidc also needs {' and '.join(missing)}")
        for name in ("PINCITE_PUBLIC_URL", "PINCITE_OIDC_URL"):
            address = urlsplit(str(needed[name]))
            if address.scheme != "https" and address.hostname not in ("127.0.0.1", "localhost", "::1"):
                raise ValueError(f"{name} must begin with https, unless it is on this machine: people sign in over it")
        return self

    @model_validator(mode="after")
    def _complete(self) -> "Settings":
        """A remote provider needs a model, and a key or an address of its own."""
        if self.sandbox is RunsCode.PROVIDER and self.provider not in (Provider.OPENAI, Provider.AZURE):
            raise ValueError("PINCITE_SANDBOX=provider needs PINCITE_PROVIDER=openai or azure: others run no code")
        if self.provider is Provider.EXTRACTIVE:
            return self
        missing = [] if self.model else ["PINCITE_MODEL"]
        if self.needs_key and self.api_key is None:
            missing.append("PINCITE_API_KEY")
        if self.provider in (Provider.AZURE, Provider.COMPATIBLE) and not self.base_url:
            missing.append("PINCITE_BASE_URL")
        if missing:
            raise ValueError(f"the provider {self.provider.value!r} also needs {' and '.join(missing)}")
        return self

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments first, then the environment, files it names, the configuration file, and last where secrets are kept."""
        home = Path(os.environ.get("PINCITE_HOME") or default_home())
        return (
            init_settings,
            env_settings,
            NamedFiles(settings_cls, os.environ),
            TomlConfigSettingsSource(settings_cls, home / CONFIG_FILE),
            KeptSecrets(settings_cls),
        )

    @property
    def database(self) -> str:
        return self.database_url or f"sqlite:///{self.home / 'pincite.db'}"

    @property
    def jobs_database(self) -> str:
        """Where durable jobs are kept: on the database's server, or in a file of their own."""
        if self.jobs_database_url or not self.database.startswith("postgresql"):
            return self.jobs_database_url or f"sqlite:///{self.home / 'jobs.db'}"
        return self.database

    @property
    def reading(self) -> Limits:
        """What one file may take."""
        return Limits(
            max_file_mb=self.max_file_mb,
            max_pages=self.max_pages,
            max_cells=self.max_cells,
            searchable_rows=self.searchable_rows,
            max_expanded_mb=self.max_expanded_mb,
            max_seconds=self.max_read_seconds,
            max_memory_mb=self.max_read_memory_mb,
            libreoffice=self.libreoffice.value,
            ocr=self.ocr.value,
            ocr_languages=self.ocr_languages,
            ocr_seconds=self.ocr_seconds,
        )

    @property
    def embedded(self) -> bool:
        """Whether the embedded extractive model answers."""
        return self.provider is Provider.EXTRACTIVE

    @property
    def entra(self) -> bool:
        """Whether an identity of Entra ID takes the place of a key."""
        return self.provider is Provider.AZURE and self.azure_auth is AzureAuth.ENTRA

    @property
    def needs_key(self) -> bool:
        return self.provider in (Provider.OPENAI, Provider.AZURE) and not self.entra

    @property
    def user_limits(self) -> UserLimits:
        return UserLimits(turns_per_minute=self.turns_per_minute, tokens_per_day=self.tokens_per_day)

    def _keepers(self) -> str:
        """Say where secrets may come from beside the environment."""
        keyring = f"the service {self.keyring} of the OS keyring" if self.keyring else ""
        return " and ".join(filter(None, (str(self.secrets_dir or ""), keyring))) or "no other place"

    def _prices(self) -> str:
        if self.input_price is None or self.output_price is None:
            return "not set: cost is not limited"
        return f"${self.input_price:g} in, ${self.output_price:g} out"

    def describe(self) -> list[Row]:
        """Return the settings as people read them. Secrets are masked."""
        secret = self.api_key.get_secret_value() if self.api_key else ""
        return [
            Row("Provider", self.provider.value, "PINCITE_PROVIDER"),
            Row("Model", self.model or ("pincite-extractive" if self.embedded else "not set"), "PINCITE_MODEL"),
            Row("API key", _masked(secret), "PINCITE_API_KEY"),
            Row("Secrets besides environment and config.toml", self._keepers(), "PINCITE_SECRETS_DIR, PINCITE_KEYRING"),
            Row("Sign-in to Azure OpenAI", self.azure_auth.value, "PINCITE_AZURE_AUTH"),
            Row("Address of the provider", self.base_url or "the provider's own", "PINCITE_BASE_URL"),
            Row("History kept by", self.history.value, "PINCITE_HISTORY"),
            Row("Model takes a reasoning effort", self.reasoning.value, "PINCITE_REASONING"),
            Row("Price per million tokens", self._prices(), "PINCITE_INPUT_PRICE, PINCITE_OUTPUT_PRICE"),
            Row("Questions a user may ask in a minute", _limit(self.turns_per_minute), "PINCITE_TURNS_PER_MINUTE"),
            Row("Tokens a user may use in a day", _limit(self.tokens_per_day), "PINCITE_TOKENS_PER_DAY"),
            Row(
                "Address of this app in exports",
                self.public_url or "not set: sources are no links",
                "PINCITE_PUBLIC_URL",
            ),
            Row("Sign-in", _sign_in(self), "PINCITE_SIGN_IN, PINCITE_OIDC_URL, PINCITE_OIDC_CLIENT_ID"),
            Row("Secret of the sign-in", _kept(self.oidc_client_secret), "PINCITE_OIDC_CLIENT_SECRET"),
            Row("Secret of the sign-in's cookie", _kept(self.cookie_secret), "PINCITE_COOKIE_SECRET"),
            Row("A sign-in lasts", f"{self.sign_in_hours:g} hours", "PINCITE_SIGN_IN_HOURS"),
            Row("Administrators", ", ".join(self.administrators) or "none", "PINCITE_ADMINISTRATORS"),
            Row("MCP over HTTP", "on, at /mcp" if self.mcp else "off", "PINCITE_MCP"),
            Row("Conversations are deleted", _retention(self.retention_days), "PINCITE_RETENTION_DAYS"),
            Row("Embedding model", self.embedding_model or "all-MiniLM-L6-v2 (packaged)", "PINCITE_EMBEDDING_MODEL"),
            Row("Reranker", self.reranker or "none", "PINCITE_RERANKER"),
            Row("Data directory", str(self.home), "PINCITE_HOME"),
            Row("Database", _without_password(self.database), "PINCITE_DATABASE_URL"),
            Row("Database of jobs", _without_password(self.jobs_database), "PINCITE_JOBS_DATABASE_URL"),
            Row("Files read in at the same time", str(self.ingest_workers), "PINCITE_INGEST_WORKERS"),
            Row("Passages a search gives", str(self.passages_per_search), "PINCITE_PASSAGES_PER_SEARCH"),
            Row(
                "Largest file",
                f"{self.max_file_mb} MB, {self.max_pages} pages, {self.max_cells} cells, {self.max_expanded_mb} MB unpacked",
                "PINCITE_MAX_FILE_MB, PINCITE_MAX_PAGES, PINCITE_MAX_CELLS, PINCITE_MAX_EXPANDED_MB",
            ),
            Row("Rows of a sheet found by search", f"the first {self.searchable_rows}", "PINCITE_SEARCHABLE_ROWS"),
            Row(
                "Reading one file may take",
                f"{self.max_read_seconds:g} seconds, {self.max_read_memory_mb} MB of memory",
                "PINCITE_MAX_READ_SECONDS, PINCITE_MAX_READ_MEMORY_MB",
            ),
            Row("Conversion by LibreOffice", self.libreoffice.value, "PINCITE_LIBREOFFICE"),
            Row(
                "Recognition of text in pictures (OCR)",
                f"{self.ocr.value}, {self.ocr_languages or 'all languages installed'}, {self.ocr_seconds:g} seconds a page",
                "PINCITE_OCR, PINCITE_OCR_LANGUAGES, PINCITE_OCR_SECONDS",
            ),
            Row("Where calculations run", self.sandbox.value, "PINCITE_SANDBOX"),
        ]


def load(**overrides: Any) -> Settings:
    """Read the settings; raise ConfigurationError naming every setting that is wrong."""
    try:
        return Settings(**overrides)
    except ValidationError as error:
        problems = "; ".join(_problem(problem) for problem in error.errors(include_url=False, include_input=False))
        raise ConfigurationError(
            f"The settings are not usable: {problems}.", "Correct them and start again."
        ) from error
    except ValueError as error:
        raise ConfigurationError(
            f"The file {CONFIG_FILE} cannot be read: {error}.", "Correct it and start again."
        ) from error


def _masked(secret: str) -> str:
    if not secret:
        return "not set"
    return f"set, ends in {secret[-4:]}" if len(secret) > 12 else "set"


def _kept(secret: SecretStr | None) -> str:
    return "set" if secret is not None and secret.get_secret_value() else "not set"


def _sign_in(settings: Settings) -> str:
    if settings.sign_in is SignIn.OFF:
        return "off: whoever reaches this app is the one user"
    return f"by OpenID Connect at {urlsplit(settings.oidc_url or '').netloc}"


def _limit(number: int) -> str:
    return f"{number:,}" if number else "no limit"


def _retention(days: int) -> str:
    return f"{days:,} days after their last question, but for pinned ones" if days else "only by hand"


def _completed(defaults: ProfileSettings, given: Any) -> Any:
    if not isinstance(given, dict):
        return defaults if given is None else given
    limits = given.get("limits", {})
    whole = {**defaults.limits.model_dump(), **limits} if isinstance(limits, dict) else limits
    return {**defaults.model_dump(), **given, "limits": whole}


def _problem(problem: Any) -> str:
    place = "_".join(str(part) for part in problem["loc"]).upper()
    message = str(problem["msg"]).removeprefix("Value error, ")
    return f"PINCITE_{place}: {message}" if place else message


def _without_password(url: str) -> str:
    scheme, separator, rest = url.partition("://")
    credentials, at, host = rest.rpartition("@")
    if not at:
        return url
    return f"{scheme}{separator}{credentials.partition(':')[0]}:***@{host}"
