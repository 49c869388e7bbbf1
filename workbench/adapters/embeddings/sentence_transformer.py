"""Embeddings by sentence-transformers."""

import os
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

from workbench.adapters.embeddings.weights import (
    PACKAGED_DIMENSIONS,
    PACKAGED_MAX_TOKENS,
    PACKAGED_NAME,
    PACKAGED_SHA256,
    check_packaged,
    find_model,
    packaged_model,
    weights_hash,
)
from workbench.domain.errors import ConfigurationError
from workbench.services.ports import Vector

BATCH = 16
"""Passages embedded at once: larger batches are no faster on a CPU and let a query wait longer."""

MAX_THREADS = 4
"""More threads gain little on passages of this size and starve the rest of the machine."""

_UNLOADABLE = (OSError, ValueError, RuntimeError, LookupError, TypeError, AttributeError, ImportError, UnpicklingError)
"""What the libraries raise over missing, foreign or damaged files of a model."""


class SentenceTransformerEmbedder:
    """An :class:`~workbench.services.ports.Embedder` on this machine.

    ``model`` is a folder, or the name of a model downloaded before; None takes the packaged one. The model is loaded
    when it is first needed, which takes seconds: call :meth:`warm_up` from a thread in the background. All methods raise
    ConfigurationError where it cannot be loaded.
    """

    def __init__(self, model: str | None = None, device: str = "cpu") -> None:
        self._name = model or PACKAGED_NAME
        self._packaged = not model
        self._device = device
        self._loading = threading.Lock()
        self._loaded: Any = None
        self._next = threading.Lock()
        self._busy = threading.Lock()

    @cached_property
    def fingerprint(self) -> str:
        digest = PACKAGED_SHA256 if self._packaged else weights_hash(self._directory)
        name = re.sub(r"[^a-z0-9]+", "-", Path(self._name).name.lower()).strip("-")[:30]
        return f"{name}-{digest[:12]}"

    @property
    def dimensions(self) -> int:
        return PACKAGED_DIMENSIONS if self._packaged else int(self._model.get_embedding_dimension())

    @property
    def max_tokens(self) -> int:
        return PACKAGED_MAX_TOKENS if self._packaged else int(self._model.max_seq_length)

    def warm_up(self) -> None:
        """Load the model and run it once."""
        self.embed_query("warm up")

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        vectors: dict[int, Vector] = {}
        # Passages of like length share a batch, so that little is spent on padding.
        order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            with self._turn():
                rows = self._model.encode_document([texts[index] for index in batch], **self._options)
            vectors.update(zip(batch, rows.tolist(), strict=True))
        return [vectors[index] for index in range(len(texts))]

    def embed_query(self, text: str) -> Vector:
        with self._turn():
            vector: list[float] = self._model.encode_query(text, **self._options).tolist()
        return vector

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        if not texts:
            return []
        with self._turn():
            encoded = self._model.tokenizer(list(texts), add_special_tokens=False, truncation=False, verbose=False)
        return [len(ids) for ids in encoded["input_ids"]]

    @property
    def _options(self) -> dict[str, Any]:
        return {"batch_size": BATCH, "show_progress_bar": False, "normalize_embeddings": True}

    @cached_property
    def _directory(self) -> Path:
        return packaged_model() if self._packaged else find_model(self._name)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Let one caller at a time to the model, whose tokenizer is not safe in threads.

        Who waits holds ``_next``: an ingestion that has just let go cannot take the model again before a waiting query.
        """
        with self._next:
            self._busy.acquire()
        try:
            yield
        finally:
            self._busy.release()

    @property
    def _model(self) -> Any:
        if self._loaded is None:
            with self._loading:
                if self._loaded is None:
                    self._loaded = self._load()
        return self._loaded

    def _load(self) -> Any:
        if self._packaged:
            check_packaged(self._directory)
        import torch  # noqa: PLC0415 - takes seconds: never at the start of the app
        from safetensors import SafetensorError  # noqa: PLC0415
        from sentence_transformers import SentenceTransformer  # noqa: PLC0415
        from transformers.utils import logging  # noqa: PLC0415

        torch.set_num_threads(min(MAX_THREADS, os.cpu_count() or 1))
        quiet: Any = logging  # its functions carry no types
        quiet.set_verbosity_error()
        quiet.disable_progress_bar()
        try:
            return SentenceTransformer(str(self._directory), device=self._device, local_files_only=True)
        except (*_UNLOADABLE, SafetensorError) as error:
            raise ConfigurationError(
                f"The embedding model {self._name!r} cannot be loaded: {error}",
                "Set the embedding model to a folder that holds one for sentence-transformers, or leave it empty.",
            ) from error
