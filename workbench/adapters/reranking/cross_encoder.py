"""Reranking by a cross-encoder of sentence-transformers."""

import threading
from collections.abc import Sequence
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

from workbench.domain.errors import ConfigurationError

BATCH = 16

_ADVICE = "Set the reranker to a folder that holds a cross-encoder for sentence-transformers, or leave it empty."
_UNLOADABLE = (OSError, ValueError, RuntimeError, LookupError, TypeError, AttributeError, ImportError, UnpicklingError)
"""What the libraries raise over missing, foreign or damaged files of a model."""


class CrossEncoderReranker:
    """A :class:`~workbench.services.ports.Reranker` on this machine.

    ``model`` is a folder, or the name of a model downloaded before; nothing is ever fetched. It is loaded when it is first
    needed.
    """

    def __init__(self, model: str, device: str = "cpu") -> None:
        self._model = model
        self._device = device
        self._lock = threading.Lock()  # the tokenizer is not safe in threads
        self._loaded: Any = None

    @property
    def name(self) -> str:
        return Path(self._model).name

    def scores(self, query: str, passages: Sequence[str]) -> list[float]:
        if not passages:
            return []
        with self._lock:
            if self._loaded is None:
                self._loaded = self._load()
            pairs = [(query, passage) for passage in passages]
            found: list[float] = self._loaded.predict(pairs, batch_size=BATCH, show_progress_bar=False).tolist()
        return found

    def _load(self) -> Any:
        from safetensors import SafetensorError  # noqa: PLC0415 - takes seconds: never at the start of the app
        from sentence_transformers import CrossEncoder  # noqa: PLC0415
        from torch.nn import Sigmoid  # noqa: PLC0415
        from transformers.utils import logging  # noqa: PLC0415

        quiet: Any = logging  # its functions carry no types
        quiet.set_verbosity_error()
        quiet.disable_progress_bar()
        path = Path(self._model).expanduser()
        try:
            model = CrossEncoder(
                str(path) if path.is_dir() else self._model,
                device=self._device,
                local_files_only=True,
                num_labels=1,
                activation_fn=Sigmoid(),
            )
        except (*_UNLOADABLE, SafetensorError) as error:
            raise ConfigurationError(f"The reranker {self._model!r} cannot be loaded: {error}", _ADVICE) from error
        if not path.is_dir() and not model.config.architectures:
            raise ConfigurationError(f"{self._model!r} is no cross-encoder.", _ADVICE)
        return model
