"""What needs no loaded model; the rest is in the contract of Embedder."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from workbench.adapters.embeddings.sentence_transformer import SentenceTransformerEmbedder
from workbench.adapters.embeddings.weights import packaged_model
from workbench.domain.errors import ConfigurationError

LAZY = """
import sys
from workbench.adapters.embeddings.sentence_transformer import SentenceTransformerEmbedder
embedder = SentenceTransformerEmbedder()
print(embedder.fingerprint, embedder.dimensions, embedder.max_tokens, *sorted({"torch", "transformers"} & set(sys.modules)))
"""


def test_the_start_of_the_app_does_not_load_the_model() -> None:
    shown = subprocess.run([sys.executable, "-c", LAZY], capture_output=True, text=True, check=True, timeout=60)

    assert shown.stdout.split() == ["all-minilm-l6-v2-53aa51172d14", "384", "256"]


def test_the_fingerprint_names_model_and_weights(tmp_path: Path) -> None:
    model = tmp_path / "My Model (v2)"
    model.mkdir()
    (model / "model.safetensors").write_bytes(b"first")
    first = SentenceTransformerEmbedder(str(model)).fingerprint
    (model / "model.safetensors").write_bytes(b"second")
    second = SentenceTransformerEmbedder(str(model)).fingerprint

    assert first.rpartition("-")[0] == second.rpartition("-")[0] == "my-model-v2"
    assert first != second


def test_a_model_that_cannot_be_loaded_is_told(tmp_path: Path) -> None:
    model = tmp_path / "broken"
    shutil.copytree(packaged_model(), model)
    (model / "model.safetensors").write_bytes(b"these are no weights")

    with pytest.raises(ConfigurationError, match="broken"):
        SentenceTransformerEmbedder(str(model)).warm_up()


def test_a_model_that_is_not_here_is_told() -> None:
    with pytest.raises(ConfigurationError, match="no-such-model"):
        SentenceTransformerEmbedder("no-such-model").embed_query("payment")
