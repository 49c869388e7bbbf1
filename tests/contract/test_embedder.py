"""The contract of Embedder, for every implementation; the real model is loaded once."""

import math
import re
import socket
from collections.abc import Callable
from typing import Any

import pytest

from workbench.adapters.embeddings.sentence_transformer import SentenceTransformerEmbedder
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.services.ports import Embedder, Vector

pytestmark = pytest.mark.req("FIND-3")


@pytest.fixture(scope="session")
def reached() -> list[Any]:
    """The addresses that loading the real model and its first use tried to reach."""
    return []


@pytest.fixture(scope="session")
def real_embedder(reached: list[Any]) -> SentenceTransformerEmbedder:
    embedder = SentenceTransformerEmbedder()

    def refuse(_: socket.socket, address: Any) -> None:
        reached.append(address)
        raise OSError("no network in this test")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", refuse)
        embedder.warm_up()
    return embedder


@pytest.fixture(params=["sentence-transformers", "hashing"])
def embedder(request: pytest.FixtureRequest) -> Embedder:
    if request.param == "hashing":
        return HashingEmbedder()
    real: Embedder = request.getfixturevalue("real_embedder")
    return real


@pytest.mark.req("OPEN-6")
def test_the_real_model_is_loaded_without_a_network(
    real_embedder: SentenceTransformerEmbedder, reached: list[Any]
) -> None:
    assert real_embedder.fingerprint == "all-minilm-l6-v2-53aa51172d14"
    assert reached == []


def similarity(left: Vector, right: Vector) -> float:
    return sum(a * b for a, b in zip(left, right, strict=True))


def test_the_fingerprint_is_a_short_plain_name(embedder: Embedder) -> None:
    assert re.fullmatch(r"[a-z0-9-]{3,50}", embedder.fingerprint)


def test_vectors_have_the_stated_dimensions_and_length_one(embedder: Embedder, hostile: str) -> None:
    vectors = [*embedder.embed_passages([hostile, "Payment is due in thirty days."]), embedder.embed_query(hostile)]

    assert {len(vector) for vector in vectors} == {embedder.dimensions}
    assert [math.hypot(*vector) for vector in vectors] == pytest.approx([1.0] * 3, abs=1e-5)
    assert all(type(value) is float for vector in vectors for value in vector)


def test_passages_keep_their_order_in_many_batches(embedder: Embedder) -> None:
    texts = [f"clause {number} " + "pay " * (number * 7 % 20) for number in range(40)]

    vectors = embedder.embed_passages(texts)

    assert len(vectors) == 40
    for number in (0, 17, 39):
        assert similarity(vectors[number], embedder.embed_passages([texts[number]])[0]) == pytest.approx(1.0, abs=1e-4)


def test_nothing_gives_nothing(embedder: Embedder) -> None:
    assert embedder.embed_passages([]) == []
    assert embedder.count_tokens([]) == []


def test_a_query_is_nearest_to_the_passage_that_answers_it(embedder: Embedder) -> None:
    passages = [
        "Invoices are payable within thirty days of receipt.",
        "The governing law of this agreement is that of Norway.",
        "Either party may terminate on ninety days notice.",
    ]
    vectors = embedder.embed_passages(passages)

    for query, best in (
        ("which invoices are payable", 0),
        ("what is the governing law", 1),
        ("terminate on notice", 2),
    ):
        scores = [similarity(embedder.embed_query(query), vector) for vector in vectors]
        assert scores.index(max(scores)) == best


def test_tokens_are_counted_without_marks_of_the_model_and_beyond_its_limit(embedder: Embedder) -> None:
    beyond = embedder.max_tokens * 3

    assert embedder.count_tokens(["", "pay", "pay now", "pay " * beyond]) == [0, 1, 2, beyond]


def test_longer_passages_are_cut(embedder: Embedder) -> None:
    full = "pay " * embedder.max_tokens

    cut, same = embedder.embed_passages([full + "governing law of Norway", full])

    assert similarity(cut, same) == pytest.approx(1.0, abs=1e-4)


def test_threads_get_the_same_vectors(embedder: Embedder, together: Callable[..., list[Any]]) -> None:
    texts = ["Payment is due in thirty days.", "Norway", "clause " * 30]
    expected = embedder.embed_passages(texts)

    def work(index: int) -> float:
        embedder.count_tokens(texts)
        vectors = embedder.embed_passages(texts)
        vectors.append(embedder.embed_query(texts[index % 3]))
        wanted = [*expected, expected[index % 3]]
        return min(similarity(vector, same) for vector, same in zip(vectors, wanted, strict=True))

    assert together(work, 4) == pytest.approx([1.0] * 4, abs=1e-4)
