import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.domain.ids import ChunkId
from workbench.services.ports import Scored
from workbench.services.retrieval.ranking import (
    Cutoff,
    Fused,
    add,
    cut,
    favour,
    fuse,
    merged,
    near_identical,
    prefer,
    rescored,
    shingles,
    spread,
)


def scored(**scores: float) -> list[Scored]:
    return [Scored(ChunkId(name), score) for name, score in scores.items()]


def fused(score: float, similarity: float | None = 0.5, by_keyword: bool = True, name: str = "c") -> Fused:
    return Fused(ChunkId(f"{name}{score}"), score, similarity, by_keyword)


@pytest.mark.req("FIND-3")
def test_fusion_scales_each_engine_over_itself_and_weighs_them() -> None:
    hits = fuse(scored(a=0.9, b=0.5, c=0.1), scored(b=12.0, d=2.0), vector_weight=0.5)
    assert [(hit.chunk_id, round(hit.score, 3)) for hit in hits] == [("b", 0.75), ("a", 0.5), ("c", 0.0), ("d", 0.0)]
    assert [hit.by_keyword for hit in hits] == [True, False, False, True]
    assert hits[3].similarity is None


@pytest.mark.req("FIND-3")
def test_fusion_does_not_depend_on_the_scale_of_an_engine() -> None:
    small = fuse(scored(a=0.9, b=0.5), scored(a=1.0, b=3.0, c=2.0), 0.4)
    large = fuse(scored(a=0.9, b=0.5), scored(a=100.0, b=300.0, c=200.0), 0.4)
    assert small == large


def test_a_single_candidate_counts_full_and_no_candidates_give_none() -> None:
    assert fuse(scored(a=0.3), [], 0.5)[0].score == 0.5
    assert fuse([], [], 0.5) == []


@given(
    st.dictionaries(st.sampled_from("abcdefgh"), st.floats(-1, 1)),
    st.dictionaries(st.sampled_from("abcdefgh"), st.floats(0, 50)),
)
def test_fusion_loses_no_candidate_and_orders_by_score_then_id(near: dict[str, float], words: dict[str, float]) -> None:
    hits = fuse(scored(**near), scored(**words), 0.5)
    assert {hit.chunk_id for hit in hits} == near.keys() | words.keys()
    assert hits == sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))
    assert all(0 <= hit.score <= 1 for hit in hits)


@pytest.mark.req("FIND-4")
def test_cutoff_keeps_the_band_of_the_best_and_says_why_the_rest_went() -> None:
    hits = [fused(score) for score in (1.0, 0.8, 0.5, 0.41, 0.39, 0.1)]
    kept, dropped = cut(hits, Cutoff(band=0.4, at_least=1, at_most=10, floor=0.2))
    assert [hit.score for hit in kept] == [1.0, 0.8, 0.5, 0.41]
    assert {reason for _, reason in dropped} == {"score under 0.40 of the best"}


@pytest.mark.req("FIND-4")
def test_cutoff_keeps_a_minimum_and_never_more_than_the_most() -> None:
    weak = [fused(score) for score in (1.0, 0.1, 0.05, 0.01)]
    assert len(cut(weak, Cutoff(at_least=3))[0]) == 3
    kept, dropped = cut([fused(1 - n / 100) for n in range(12)], Cutoff(at_most=8))
    assert len(kept) == 8
    assert {reason for _, reason in dropped} == {"over the 8 passages of one search"}


@pytest.mark.req("FIND-4")
def test_a_passage_without_a_common_word_needs_the_least_similarity_even_below_the_minimum() -> None:
    kept, dropped = cut([fused(1.0, 0.19, by_keyword=False), fused(0.9, None, by_keyword=False)], Cutoff(floor=0.2))
    assert kept == []
    assert [reason for _, reason in dropped] == ["no word in common and similarity under 0.20"] * 2
    assert len(cut([fused(1.0, 0.2, by_keyword=False)], Cutoff(floor=0.2))[0]) == 1


@pytest.mark.req("FIND-5")
def test_near_identical_texts_are_told_from_similar_ones() -> None:
    clause = "The Customer shall pay each undisputed invoice within forty five days after it was received by post"
    assert near_identical(shingles(clause), shingles(clause.upper()))
    assert near_identical(shingles(clause + " " + clause), shingles(clause + " " + clause + " again"))
    assert not near_identical(shingles(clause), shingles(clause.replace("forty five", "thirty")))


def test_merging_containers_keeps_the_best_in_all() -> None:
    assert [hit.chunk_id for hit in merged([scored(a=3.0, b=1.0), scored(c=2.0)], 2)] == ["a", "c"]


@pytest.mark.req("FIND-2")
def test_candidates_of_named_documents_keep_their_scores_and_others_count_half() -> None:
    everywhere = [fused(1.0, name="other"), fused(0.4, name="named")]
    ordered = favour(everywhere, [[everywhere[1]._replace(score=0.9)]], 0.5)
    assert [(hit.chunk_id, hit.score) for hit in ordered] == [("named0.4", 0.9), ("other1.0", 0.5)]


@pytest.mark.req("FIND-3")
def test_further_passages_of_a_page_give_way_to_other_pages() -> None:
    hits = [fused(1.0, name="a"), fused(0.9, name="b"), fused(0.8, name="c"), fused(0.1, name="d")]
    pages = {hits[0].chunk_id: ("doc", 1), hits[1].chunk_id: ("doc", 1), hits[2].chunk_id: ("doc", 2)}
    assert [hit.chunk_id for hit in spread(hits, pages, 0.5)] == ["a1.0", "c0.8", "b0.9", "d0.1"]
    assert spread(hits, pages, 1.0) == hits


@pytest.mark.req("FIND-8")
def test_a_reranker_orders_what_it_judged_and_the_rest_follows_below() -> None:
    hits = [fused(1.0, name="a"), fused(0.9, name="b"), fused(0.8, name="c")]
    ordered = rescored(hits, {hits[0].chunk_id: 0.2, hits[1].chunk_id: 0.7})
    assert [hit.chunk_id for hit in ordered] == ["b0.9", "a1.0", "c0.8"]
    assert ordered[2].score < 0.2
    assert rescored([], {}) == []


@pytest.mark.req("FIND-3")
def test_what_holds_a_phrase_is_added_once_and_raised() -> None:
    hits = [fused(0.9, name="a"), fused(0.5, name="b")]
    more = add(hits, [hits[1].chunk_id, ChunkId("new"), ChunkId("new")])
    assert [hit.chunk_id for hit in more] == ["a0.9", "b0.5", "new"]
    assert [hit.chunk_id for hit in prefer(more, {ChunkId("new"): 1.0})] == ["new", "a0.9", "b0.5"]


@pytest.mark.req("FIND-4")
@pytest.mark.parametrize("cosines", [(-0.2, -0.5, -0.9), (0.01, 0.0, -0.01), (3.0, 2.0, 1.0)])
def test_the_best_of_an_engine_is_always_first_whatever_the_scale_of_its_scores(cosines: tuple[float, ...]) -> None:
    best, middle, worst = cosines
    hits = fuse(scored(a=worst, b=best, c=middle), scored(b=1.0, c=0.5), vector_weight=0.5)
    assert [hit.chunk_id for hit in hits] == ["b", "c", "a"]
    assert cut(hits, Cutoff(floor=-1.0))[0][0].chunk_id == "b"
