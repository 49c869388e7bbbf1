"""A tiny cross-encoder made on the spot: random weights, a vocabulary of a few words, no download."""

from pathlib import Path

import pytest

from workbench.adapters.reranking.cross_encoder import CrossEncoderReranker
from workbench.domain.errors import ConfigurationError

pytestmark = pytest.mark.req("FIND-8")

WORDS = "[PAD] [UNK] [CLS] [SEP] [MASK] payment terms notice liability cap invoice of the".split()


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import torch  # noqa: PLC0415 - slow
    from transformers import (  # noqa: PLC0415 - slow
        BertConfig,
        BertForSequenceClassification,
        BertTokenizerFast,
    )

    folder: Path = tmp_path_factory.mktemp("tiny")
    (folder / "vocab.txt").write_text("\n".join(WORDS), encoding="utf-8")
    torch.manual_seed(4)
    config = BertConfig(
        vocab_size=len(WORDS),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
        num_labels=1,
        initializer_range=0.9,
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    BertTokenizerFast(vocab=str(folder / "vocab.txt")).save_pretrained(folder)
    return folder


def test_each_passage_has_a_score_of_its_own_between_nought_and_one(model: Path) -> None:
    reranker = CrossEncoderReranker(str(model))
    passages = ["payment terms of the invoice", "liability cap", "notice of the payment"]
    scores = reranker.scores("payment terms", passages)
    assert len(set(scores)) == len(passages)
    assert all(0 < score < 1 for score in scores)
    assert reranker.scores("payment terms", passages[::-1]) == pytest.approx(scores[::-1], abs=1e-5)
    assert reranker.name == model.name


def test_no_passages_need_no_model() -> None:
    assert CrossEncoderReranker("nowhere").scores("payment", []) == []


@pytest.mark.parametrize("damage", ["missing", "empty", "broken"])
def test_a_model_that_cannot_be_loaded_is_told_with_what_to_do(model: Path, tmp_path: Path, damage: str) -> None:
    folder = tmp_path / damage
    if damage != "missing":
        folder.mkdir()
    if damage == "broken":
        for file in model.iterdir():
            (folder / file.name).write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    with pytest.raises(ConfigurationError, match="cannot be loaded") as told:
        CrossEncoderReranker(str(folder)).scores("payment", ["terms"])
    assert str(folder) in told.value.message
    assert "leave it empty" in told.value.advice
