"""Haystack: its PDF converter, word splitter, BM25 and embedding retrievers, joined by reciprocal rank. Defaults elsewhere.

``python haystack_hybrid.py JOB ANSWER``: see ``environment.py`` for both files.
"""

import json
import sys
from pathlib import Path
from typing import Any

from embedding import Embedding
from haystack import Document
from haystack.components.converters import PyPDFToDocument
from haystack.components.joiners import DocumentJoiner
from haystack.components.preprocessors import DocumentSplitter
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever, InMemoryEmbeddingRetriever
from haystack.document_stores.in_memory import InMemoryDocumentStore


def main(job: dict[str, Any]) -> dict[str, list[tuple[str, int]]]:
    embedding = Embedding(Path(job["kept"]))
    documents: list[Document] = []
    for file in job["files"]:
        documents += PyPDFToDocument().run(sources=[file], meta={"path": file})["documents"]
    chunks = DocumentSplitter(split_by="word", split_length=200, split_overlap=0).run(documents=documents)["documents"]
    for chunk, vector in zip(chunks, embedding.embed([chunk.content for chunk in chunks]), strict=True):
        chunk.embedding = vector
    store = InMemoryDocumentStore()
    store.write_documents(chunks)
    words = InMemoryBM25Retriever(store, top_k=job["top"])
    meaning = InMemoryEmbeddingRetriever(store, top_k=job["top"])
    joiner = DocumentJoiner(join_mode="reciprocal_rank_fusion", top_k=job["top"])
    texts = [question["text"] for question in job["questions"]]
    found: dict[str, list[tuple[str, int]]] = {}
    for question, vector in zip(job["questions"], embedding.embed(texts), strict=True):
        file = question["file"]
        filters = {"field": "meta.path", "operator": "==", "value": file} if file else None
        both = [
            words.run(query=question["text"], filters=filters)["documents"],
            meaning.run(query_embedding=vector, filters=filters)["documents"],
        ]
        hits = joiner.run(documents=both)["documents"][: job["top"]]
        found[question["id"]] = [(hit.meta["path"], hit.meta["page_number"]) for hit in hits]
    return found


if __name__ == "__main__":
    answer = main(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    Path(sys.argv[2]).write_text(json.dumps(answer), encoding="utf-8")
