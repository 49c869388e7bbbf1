"""The parameters of a search without a model: they mean the same at any later time, so that a page of it can be asked for."""

from enum import StrEnum

from pydantic import Field

from workbench.domain.ids import ContainerId
from workbench.domain.scope import Filters
from workbench.domain.values import Value

PAGE_SIZE = 10
LONGEST = 500
"""Characters of a query; nobody types more."""


class Order(StrEnum):
    """The order of the passages. Undated documents come last by date; ties go by relevance, and then by id."""

    RELEVANCE = "relevance"
    NEWEST = "newest"
    OLDEST = "oldest"


class PassageQuery(Value):
    """``page`` counts from 1. ``grouped`` puts the passages of a document together, at the place of its first one."""

    text: str
    containers: tuple[ContainerId, ...]
    filters: Filters = Filters()
    order: Order = Order.RELEVANCE
    grouped: bool = False
    page: int = Field(default=1, ge=1)
    page_size: int = Field(default=PAGE_SIZE, ge=1, le=50)
