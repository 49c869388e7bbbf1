"""Where a model's files are, and whether they are the right ones."""

import hashlib
from pathlib import Path

import pytest

from workbench.adapters.embeddings import weights
from workbench.domain.errors import ConfigurationError

pytestmark = pytest.mark.req("OPEN-6")


def test_the_packaged_weights_are_the_ones_we_know() -> None:
    weights.check_packaged(weights.packaged_model())


def test_other_weights_in_the_package_are_refused(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"other weights")

    with pytest.raises(ConfigurationError, match="damaged or were replaced"):
        weights.check_packaged(tmp_path)


def test_the_hash_of_one_file_is_its_sha256(tmp_path: Path) -> None:
    data = b"w" * 3_000_000
    (tmp_path / "model.safetensors").write_bytes(data)
    (tmp_path / "config.json").write_text("{}")

    assert weights.weights_hash(tmp_path) == hashlib.sha256(data).hexdigest()


def test_older_weights_files_are_known_and_none_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no weights"):
        weights.weights_hash(tmp_path)

    (tmp_path / "pytorch_model.bin").write_bytes(b"old")

    assert weights.weights_hash(tmp_path) == hashlib.sha256(b"old").hexdigest()


def test_a_folder_is_taken_as_it_is(tmp_path: Path) -> None:
    assert weights.find_model(str(tmp_path)) == tmp_path


@pytest.mark.parametrize("name", ["nobody/no-such-model", "no-such-model", "not a name!", "/no/such/folder", "../x/y"])
def test_a_model_that_is_not_here_is_told_and_not_fetched(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("socket.socket.connect", lambda *_: pytest.fail("reached for the network"))

    with pytest.raises(ConfigurationError, match="neither a folder nor"):
        weights.find_model(name)
