import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from workbench.domain.budgets import DEFAULT_PROFILES, Profile, UserLimits
from workbench.domain.errors import ConfigurationError
from workbench.settings import Provider, Settings, load

KEY = "sk-very-secret-0123456789"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PINCITE_HOME", str(tmp_path))
    return tmp_path


@pytest.mark.req("OPEN-3")
def test_without_any_setting_the_embedded_model_answers() -> None:
    settings = load()
    assert settings.provider is Provider.EXTRACTIVE
    assert settings.embedded


@pytest.mark.req("OPEN-3")
@pytest.mark.parametrize(
    ("provider", "missing"),
    [
        ("openai", ["PINCITE_MODEL", "PINCITE_API_KEY"]),
        ("azure", ["PINCITE_MODEL", "PINCITE_API_KEY", "PINCITE_BASE_URL"]),
        ("compatible", ["PINCITE_MODEL", "PINCITE_BASE_URL"]),
    ],
)
def test_a_provider_says_what_it_still_needs(
    monkeypatch: pytest.MonkeyPatch, provider: str, missing: list[str]
) -> None:
    monkeypatch.setenv("PINCITE_PROVIDER", provider)
    with pytest.raises(ConfigurationError) as told:
        load()
    assert all(name in str(told.value) for name in missing)


def test_the_file_is_read_and_the_environment_wins(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "config.toml").write_text(
        'passages_per_search = 5\nmax_pages = 70\n[profiles.quick]\neffort = "none"\nlimits = {model_calls = 3}\n'
    )
    monkeypatch.setenv("PINCITE_MAX_PAGES", "90")
    settings = load()
    assert (settings.passages_per_search, settings.max_pages) == (5, 90)
    assert settings.profiles[Profile.QUICK].limits.model_calls == 3
    assert settings.profiles[Profile.THOROUGH] == DEFAULT_PROFILES[Profile.THOROUGH]


def test_a_profile_given_in_part_keeps_its_own_defaults_for_the_rest(home: Path) -> None:
    (home / "config.toml").write_text("[profiles.router.limits]\nmodel_calls = 3\n")
    router, default = load().profiles[Profile.ROUTER], DEFAULT_PROFILES[Profile.ROUTER]
    assert router.effort == default.effort
    assert router.limits == default.limits.model_copy(update={"model_calls": 3})
    assert router.limits.calls_per_round == 1


def test_an_unknown_profile_is_named(home: Path) -> None:
    (home / "config.toml").write_text('[profiles.hasty]\neffort = "low"\n')
    with pytest.raises(ConfigurationError, match=r"(?i)hasty"):
        load()


@pytest.mark.parametrize("text", ["passages_per_search = 0", "passages_per_search = 'many'", "this is not toml"])
def test_a_wrong_setting_is_named(home: Path, text: str) -> None:
    (home / "config.toml").write_text(text)
    with pytest.raises(ConfigurationError, match=r"PASSAGES_PER_SEARCH|config\.toml"):
        load()


@pytest.mark.req("OPEN-6")
def test_secrets_are_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(
        provider=Provider.OPENAI, model="m", api_key=KEY, database_url="postgresql://ana:hunter2@db/pincite"
    )
    shown = " ".join(f"{row.name} {row.value} {row.variable}" for row in settings.describe()) + repr(settings)
    assert KEY not in shown
    assert "hunter2" not in " ".join(row.value for row in settings.describe())


@pytest.mark.req("OPEN-3")
def test_entra_takes_the_place_of_a_key_on_azure_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_AZURE_AUTH", "entra")
    monkeypatch.setenv("PINCITE_MODEL", "m")
    monkeypatch.setenv("PINCITE_BASE_URL", "https://r.openai.azure.com")
    monkeypatch.setenv("PINCITE_PROVIDER", "azure")
    assert load().entra
    monkeypatch.setenv("PINCITE_PROVIDER", "openai")
    with pytest.raises(ConfigurationError, match="PINCITE_API_KEY"):
        load()


@pytest.mark.req("ASK-14")
def test_a_users_limits_are_settings_and_off_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load().user_limits == UserLimits(turns_per_minute=0, tokens_per_day=0)
    monkeypatch.setenv("PINCITE_TURNS_PER_MINUTE", "6")
    monkeypatch.setenv("PINCITE_TOKENS_PER_DAY", "1000000")
    settings = load()
    assert settings.user_limits == UserLimits(turns_per_minute=6, tokens_per_day=1_000_000)
    shown = {row.variable: row.value for row in settings.describe()}
    assert (shown["PINCITE_TURNS_PER_MINUTE"], shown["PINCITE_TOKENS_PER_DAY"]) == ("6", "1,000,000")
    monkeypatch.setenv("PINCITE_TOKENS_PER_DAY", "-1")
    with pytest.raises(ConfigurationError, match="TOKENS_PER_DAY"):
        load()


def files(home: Path, monkeypatch: pytest.MonkeyPatch, **secrets: str) -> None:
    """Put secrets into the directory for them."""
    directory = home / "secrets"
    directory.mkdir()
    monkeypatch.setenv("PINCITE_SECRETS_DIR", str(directory))
    for name, secret in secrets.items():
        (directory / name).write_text(secret)


class Keyring(ModuleType):
    """Stands for the package keyring: secrets by service and name."""

    class KeyringError(Exception):
        pass

    def __init__(self, secrets: dict[tuple[str, str], str], locked: bool = False) -> None:
        super().__init__("keyring")
        self._secrets, self._locked = secrets, locked

    def get_password(self, service: str, name: str) -> str | None:
        if self._locked:
            raise self.KeyringError(f"locked: {self._secrets}")
        return self._secrets.get((service, name))


@pytest.fixture
def keyring(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    def install(secrets: dict[tuple[str, str], str], *, locked: bool = False) -> None:
        made = Keyring(secrets, locked)
        monkeypatch.setitem(sys.modules, "keyring", made)
        monkeypatch.setitem(sys.modules, "keyring.errors", made)
        monkeypatch.setenv("PINCITE_KEYRING", "firm")

    return install


def key(settings: Settings) -> str:
    return settings.api_key.get_secret_value() if settings.api_key else ""


@pytest.mark.req("OPEN-6")
def test_a_secret_comes_from_the_environment_a_named_file_the_directory_or_the_keyring_in_this_order(
    home: Path, monkeypatch: pytest.MonkeyPatch, keyring: Callable[..., None]
) -> None:
    keyring({("firm", "api_key"): "from-keyring", ("other", "api_key"): "wrong"})
    assert key(load()) == "from-keyring"
    files(home, monkeypatch, pincite_api_key="from-directory\n", pincite_database_url="sqlite:////tmp/x.db")
    assert (key(load()), load().database_url) == ("from-directory", "sqlite:////tmp/x.db")
    (home / "config.toml").write_text('api_key = "from-config"\n')
    assert key(load()) == "from-config"
    (home / "named").write_text("from-named-file\r\n")
    monkeypatch.setenv("PINCITE_API_KEY_FILE", str(home / "named"))
    assert key(load()) == "from-named-file"
    monkeypatch.delenv("PINCITE_API_KEY_FILE")
    monkeypatch.setenv("PINCITE_API_KEY", "from-environment")
    assert key(load()) == "from-environment"


@pytest.mark.req("OPEN-6")
def test_a_secret_that_cannot_be_had_is_told_and_never_left_out(
    home: Path, monkeypatch: pytest.MonkeyPatch, keyring: Callable[..., None]
) -> None:
    monkeypatch.setenv("PINCITE_API_KEY_FILE", str(home / "absent"))
    with pytest.raises(ConfigurationError, match=r"absent \(PINCITE_API_KEY_FILE\) cannot be read: No such file"):
        load()
    (home / "absent").write_text(" \n")
    with pytest.raises(ConfigurationError, match="is empty"):
        load()
    (home / "absent").write_text(KEY)
    monkeypatch.setenv("PINCITE_API_KEY", KEY)
    with pytest.raises(ConfigurationError, match="Both PINCITE_API_KEY and PINCITE_API_KEY_FILE") as told:
        load()
    assert KEY not in str(told.value)
    monkeypatch.delenv("PINCITE_API_KEY")
    monkeypatch.delenv("PINCITE_API_KEY_FILE")
    keyring({("firm", "api_key"): KEY}, locked=True)
    with pytest.raises(ConfigurationError, match=r"\(KeyringError\). Unlock it") as told:
        load()
    assert KEY not in str(told.value)
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(ConfigurationError, match=r"pincite\[keyring\]"):
        load()


@pytest.mark.req("OPEN-6")
def test_an_address_with_a_password_is_refused_without_naming_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_BASE_URL", f"https://ana:{KEY}@llm.example/v1")
    with pytest.raises(ConfigurationError, match="must not hold a user or password") as told:
        load()
    assert KEY not in str(told.value)


@pytest.mark.req("TOOL-9")
@pytest.mark.parametrize("provider", ["extractive", "compatible"])
def test_the_providers_code_interpreter_needs_a_provider_that_has_one(provider: str) -> None:
    with pytest.raises(ConfigurationError, match="PINCITE_SANDBOX=provider needs"):
        load(sandbox="provider", provider=provider, model="m", base_url="http://127.0.0.1:1/v1")
