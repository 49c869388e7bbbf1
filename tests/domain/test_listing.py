"""The values of listings."""

from datetime import date

import pytest
from pydantic import ValidationError

from workbench.domain.listing import Coverage, Listing, ListingQuery, Sort
from workbench.domain.scope import Filters


@pytest.mark.req("TOOL-4")
def test_a_page_has_twenty_documents_unless_said_otherwise_and_never_more_than_fifty() -> None:
    assert (ListingQuery().page, ListingQuery().page_size, ListingQuery().sort) == (1, 20, Sort.NEWEST)
    assert ListingQuery(page_size=50).page_size == 50
    for wrong in ({"page_size": 51}, {"page_size": 0}, {"page": 0}):
        with pytest.raises(ValidationError):
            ListingQuery.model_validate(wrong)


def test_another_page_keeps_every_other_parameter() -> None:
    query = ListingQuery(text="x", language="de", date_from=date(2024, 1, 1), tags={"region": ("EU",)}, page_size=7)
    assert query.on_page(3) == query.model_copy(update={"page": 3})
    with pytest.raises(ValidationError):
        query.on_page(0)


def test_the_filters_of_a_query_are_its_narrowing() -> None:
    query = ListingQuery(text="x", language="de", date_to=date(2024, 1, 1), tags={"region": ("EU",)})
    assert query.filters == Filters(language="de", date_to=date(2024, 1, 1), tags={"region": ("EU",)})


@pytest.mark.parametrize(("total", "pages"), [(0, 0), (1, 1), (20, 1), (21, 2), (134, 7)])
def test_the_pages_of_a_listing(total: int, pages: int) -> None:
    assert Listing(total=total).pages == pages


@pytest.mark.req("TOOL-14")
def test_coverage_is_limited_where_part_of_the_listing_was_out_of_reach() -> None:
    part, whole = Coverage(based_on=20, matched=134), Coverage(based_on=3, matched=3)
    assert (part.limited, part.text) == (True, "based on 20 of 134 documents")
    assert not whole.limited
    assert Coverage(based_on=0, matched=1).text == "based on none of 1 document"
    assert not Coverage(based_on=0, matched=0).limited
