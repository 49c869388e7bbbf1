"""LlamaIndex: its PDF reader, sentence splitter, vector index and BM25, fused by reciprocal rank. Defaults elsewhere.

``python llamaindex.py JOB ANSWER``: see ``environment.py`` for both files. The file's path and the page's label are embedded
with each chunk, as LlamaIndex does by itself.
"""

import json
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from embedding import Embedding
from llama_index.core import SimpleDirectoryReader, VectorStoreIndex
from llama_index.core.embeddings import BaseEmbedding
from llama_index.core.llms import MockLLM
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.retrievers import QueryFusionRetriever
from llama_index.core.schema import MetadataMode
from llama_index.retrievers.bm25 import BM25Retriever
from pydantic import PrivateAttr


class Packaged(BaseEmbedding):
    """The embedding model as LlamaIndex wants it."""

    _model: Embedding = PrivateAttr()

    def __init__(self, model: Embedding) -> None:
        super().__init__(model_name="packaged")
        self._model = model

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._model.embed([query])[0]

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._model.embed([text])[0]

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_query_embedding(query)


def main(job: dict[str, Any]) -> dict[str, list[tuple[str, int]]]:
    embedding = Embedding(Path(job["kept"]))
    pages = SimpleDirectoryReader(input_files=job["files"]).load_data()
    seen: Counter[str] = Counter()
    place: dict[str, tuple[str, int]] = {}
    for page in pages:  # in the order of the file: the label is what the page prints
        path = page.metadata["file_path"]
        seen[path] += 1
        place[page.doc_id] = (path, seen[path])
    nodes = SentenceSplitter(chunk_size=job["tokens"], chunk_overlap=20).get_nodes_from_documents(pages)
    vectors = embedding.embed([node.get_content(metadata_mode=MetadataMode.EMBED) for node in nodes])
    by_file: defaultdict[str | None, list[Any]] = defaultdict(list)
    for node, vector in zip(nodes, vectors, strict=True):
        node.embedding = vector
        by_file[None].append(node)
        by_file[node.metadata["file_path"]].append(node)
    embedding.embed([question["text"] for question in job["questions"]])
    model = Packaged(embedding)
    retrievers = {file: fusion(own, model, job["top"]) for file, own in by_file.items()}
    return {
        question["id"]: [place[hit.node.ref_doc_id] for hit in retrievers[question["file"]].retrieve(question["text"])]
        for question in job["questions"]
    }


def fusion(nodes: list[Any], model: Packaged, top: int) -> QueryFusionRetriever:
    index = VectorStoreIndex(nodes, embed_model=model)
    both = [
        index.as_retriever(similarity_top_k=top),
        BM25Retriever.from_defaults(nodes=nodes, similarity_top_k=min(top, len(nodes))),
    ]
    return QueryFusionRetriever(
        both, llm=MockLLM(), similarity_top_k=top, num_queries=1, mode="reciprocal_rerank", use_async=False
    )


if __name__ == "__main__":
    answer = main(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    Path(sys.argv[2]).write_text(json.dumps(answer), encoding="utf-8")
