"""What probes have found, kept in a file between starts."""

from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from workbench.domain.errors import ConfigurationError
from workbench.domain.provider import ProbeResult

_FINDINGS = TypeAdapter(dict[str, ProbeResult])


class Findings:
    """The results of probes by address and model, in the file ``path``."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def get(self, url: str, model: str) -> ProbeResult | None:
        """Return the latest result, or None where this server and model were never probed."""
        return self._all().get(_key(url, model))

    def put(self, url: str, model: str, result: ProbeResult) -> None:
        found = {**self._all(), _key(url, model): result}
        written = self._path.with_suffix(".new")
        written.write_bytes(_FINDINGS.dump_json(found, indent=2))
        written.replace(self._path)

    def _all(self) -> dict[str, ProbeResult]:
        if not self._path.exists():
            return {}
        try:
            return _FINDINGS.validate_json(self._path.read_bytes())
        except ValidationError as error:
            raise ConfigurationError(
                f"The file {self._path} is damaged.", "Delete it and run “pincite probe” again."
            ) from error


def _key(url: str, model: str) -> str:
    return f"{url.rstrip('/')} {model}"
