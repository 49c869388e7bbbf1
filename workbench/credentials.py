"""Where secrets come from beside the environment: a file named for it, a directory of such files, the OS keyring."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource

from workbench.domain.errors import ConfigurationError

SECRETS = ("api_key", "database_url", "jobs_database_url", "oidc_client_secret", "cookie_secret")
"""The settings that are secrets, or hold one."""
PREFIX = "PINCITE_"


class _Source(PydanticBaseSettingsSource):
    """A source of secrets only."""

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        value = self.secret(field_name) if field_name in SECRETS else None
        return value, field_name, False

    def __call__(self) -> dict[str, Any]:
        found = {name: self.secret(name) for name in SECRETS if name not in self.current_state}
        return {name: value for name, value in found.items() if value is not None}

    def secret(self, name: str) -> str | None:
        raise NotImplementedError


class NamedFiles(_Source):
    """Reads the file that ``PINCITE_API_KEY_FILE`` names, and so for each secret: as containers hand secrets over."""

    def __init__(self, settings_cls: type[BaseSettings], environment: Mapping[str, str]) -> None:
        super().__init__(settings_cls)
        self._environment = environment

    def __call__(self) -> dict[str, Any]:
        for name in SECRETS:
            variable = PREFIX + name.upper()
            if self._environment.get(variable) and self._environment.get(f"{variable}_FILE"):
                raise ConfigurationError(f"Both {variable} and {variable}_FILE are set.", "Keep one of the two.")
        return super().__call__()

    def secret(self, name: str) -> str | None:
        variable = f"{PREFIX}{name.upper()}_FILE"
        path = self._environment.get(variable)
        return _content(Path(path), variable) if path else None


class KeptSecrets(_Source):
    """Looks for a file such as ``pincite_api_key`` in the directory ``secrets_dir``, then in the keyring's service."""

    def secret(self, name: str) -> str | None:
        directory, service = self.current_state.get("secrets_dir"), self.current_state.get("keyring")
        file = Path(directory) / f"{PREFIX}{name}".lower() if directory else None
        if file is not None and file.exists():
            return _content(file, "PINCITE_SECRETS_DIR")
        return _from_keyring(str(service), name) if service else None


def _content(file: Path, variable: str) -> str:
    try:
        content = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text"
        raise ConfigurationError(
            f"The secret in {file} ({variable}) cannot be read: {why}.", "Correct the path."
        ) from None
    if not content:
        raise ConfigurationError(f"The secret in {file} ({variable}) is empty.", "Write the secret into the file.")
    return content


def _from_keyring(service: str, name: str) -> str | None:
    try:
        keyring, errors = import_module("keyring"), import_module("keyring.errors")
    except ModuleNotFoundError:
        raise ConfigurationError(
            "PINCITE_KEYRING is set, but the package keyring is not installed.", "Install the extra: pincite[keyring]."
        ) from None
    try:
        value: str | None = keyring.get_password(service, name)
    except errors.KeyringError as error:
        raise ConfigurationError(
            f"The keyring did not give {name!r} of the service {service!r} ({type(error).__name__}).",
            "Unlock it, or unset PINCITE_KEYRING.",
        ) from None
    return value or None
