"""The figures of the search, one changed at a time: page hits on the contracts of the split ``dev``, the contract known.

It runs over what ``quality`` has indexed in PINCITE_BENCH_HOME, and answers whether each figure is where it should be. What
is chosen is then reported by ``quality`` on the split ``ship``, which nothing was tuned on.
"""

import os
from functools import lru_cache
from pathlib import Path

from tests.bench.quality import CUTS, Question, ingest, load, shares
from workbench import bootstrap
from workbench.adapters.chroma.vectors import ChromaVectors
from workbench.adapters.embeddings.sentence_transformer import SentenceTransformerEmbedder
from workbench.adapters.keyword.index import Fts5KeywordIndex
from workbench.adapters.sql.engine import open_database
from workbench.adapters.sql.library import SqlLibraryStore
from workbench.domain.scope import Access, Filters, build_scope
from workbench.services.ports import Vector
from workbench.services.retrieval.ranking import Cutoff
from workbench.services.retrieval.search import Search, Tuning
from workbench.settings import Settings

AS_IT_IS = "as it is"
VARIANTS: dict[str, tuple[Tuning, Cutoff]] = {
    AS_IT_IS: (Tuning(), Cutoff()),
    **{
        f"meaning weighs {plain}, {worded} beside usual wording": (
            Tuning(vector_weight=plain, worded_weight=worded),
            Cutoff(),
        )
        for plain, worded in ((0.3, 0.3), (0.5, 0.5), (0.7, 0.5), (0.0, 0.0), (1.0, 1.0))
    },
    **{f"{depth} candidates of each engine": (Tuning(candidates=depth), Cutoff()) for depth in (30, 300)},
    **{f"a further passage of a page counts {share}": (Tuning(same_page=share), Cutoff()) for share in (1.0, 0.6)},
    **{f"cut-off at {band} of the best": (Tuning(), Cutoff(band=band)) for band in (0.0, 0.25, 0.6)},
}


class Remembering(SentenceTransformerEmbedder):
    """Embeds each query once: the variants differ in what comes after."""

    def __init__(self) -> None:
        super().__init__()
        self._once = lru_cache(maxsize=None)(super().embed_query)

    def embed_query(self, text: str) -> Vector:
        return self._once(text)


def main() -> None:
    corpus, home = os.environ.get("PINCITE_CORPUS"), os.environ.get("PINCITE_BENCH_HOME")
    if not corpus or not home:
        print("tuning: skipped, PINCITE_CORPUS or PINCITE_BENCH_HOME is not set")
        return
    settings = Settings(home=Path(home) / "contracts")
    bench = bootstrap.build(settings)
    try:
        documents = ingest(
            bench,
            bench.library.access(bootstrap.LOCAL_USER),
            sorted((Path(corpus) / "contracts" / "dev").glob("*.pdf")),
        )
        access = bench.library.access(bootstrap.LOCAL_USER)
    finally:
        bench.close()
    questions = [each for each in load(Path(corpus), documents) if each.split == "dev" and not each.absent]
    compare(settings, access, questions)


def compare(settings: Settings, access: Access, questions: list[Question]) -> None:
    embedder = Remembering()
    database = open_database(settings.database)
    store = SqlLibraryStore(database)
    vectors = ChromaVectors(settings.home / "vectors", embedder.fingerprint)
    keywords = Fts5KeywordIndex(settings.home / "keywords.db")
    everywhere = build_scope(access, [container.id for container in store.containers()])
    for name, (tuning, cutoff) in VARIANTS.items():
        search = Search(store, vectors, keywords, embedder, cutoff._replace(at_most=max(CUTS)), tuning=tuning)
        right, kept = [], 0
        for each in questions:
            found = search.run(everywhere.narrowed(Filters(document_ids=(each.document,))), each.text).kept
            right.append([bool(each.pages & {segment.page for segment in hit.chunk.segments}) for hit in found])
            kept += len(found)
        print(f"tuning: {name}: page-hit@1/@5/@8 {shares(right)}, {kept / len(questions):.1f} kept", flush=True)
    vectors.close()
    keywords.close()
    database.close()
