"""Where the Search screen stands, as the address says it: what was searched for, where, and what is open.

The address is the only memory of it, so that reload, Back, a second tab and a copied link all show the same.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from pydantic import ValidationError

from workbench.domain.ids import ContainerId, DocumentId
from workbench.domain.scope import Filters
from workbench.domain.tags import Tag, by_key
from workbench.services.passages.query import LONGEST, Order, PassageQuery
from workbench.ui import addresses
from workbench.ui.addresses import PageAddress

Query = Mapping[str, Sequence[str]]
"""An address's query: every name with all its values."""


class View(StrEnum):
    """The two views of the screen. The values stand in the address and, capitalised, on the screen."""

    SEARCH = "search"
    GAPS = "gaps"


class SearchPlace(NamedTuple):
    """``containers`` is None where the address names none: then those that Ask would search are meant. ``page`` is of the
    results, from 1; ``opened`` is the passage whose page is open beside them."""

    text: str = ""
    containers: tuple[ContainerId, ...] | None = None
    filters: Filters = Filters()
    order: Order = Order.RELEVANCE
    grouped: bool = False
    page: int = 1
    view: View = View.SEARCH
    opened: PageAddress | None = None

    @classmethod
    def read(cls, query: Query) -> "SearchPlace":
        """Read an address. Parts that make no sense, such as a date that is none, are left out."""
        single = {name: values[-1] for name, values in query.items() if values}
        return cls(
            text=single.get("q", "")[:LONGEST],
            containers=tuple(ContainerId(each) for each in query["in"] if each) if "in" in query else None,
            filters=Filters(
                tags=_tags(query.get("tag", ())),
                document_ids=tuple(DocumentId(each) for each in query["doc"] if each) if "doc" in query else None,
                language=single.get("language") or None,
                date_from=_date(single.get("from", "")),
                date_to=_date(single.get("to", "")),
            ),
            order=Order(single["sort"]) if single.get("sort") in set(Order) else Order.RELEVANCE,
            grouped=single.get("group") == "1",
            page=_number(single.get("results", "")) or 1,
            view=View.GAPS if single.get("view") == View.GAPS else View.SEARCH,
            opened=_opened(single),
        )

    @property
    def query(self) -> dict[str, list[str]]:
        """The address's query: everything at once, so that it makes one entry in the browser's history."""
        filters, opened = self.filters, self.opened
        parts: dict[str, list[str]] = {
            "view": [View.GAPS.value] if self.view is View.GAPS else [],
            "q": [self.text] if self.text else [],
            "in": _none_or_all(self.containers),
            "tag": [f"{key}={value}" for key, values in filters.tags.items() for value in values],
            "doc": _none_or_all(filters.document_ids),
            "language": [filters.language] if filters.language else [],
            "from": [filters.date_from.isoformat()] if filters.date_from else [],
            "to": [filters.date_to.isoformat()] if filters.date_to else [],
            "sort": [] if self.order is Order.RELEVANCE else [self.order.value],
            "group": ["1"] if self.grouped else [],
            "results": [str(self.page)] if self.page > 1 else [],
        }
        if opened is not None:
            parts |= {name: [value] for name, value in opened.query.items()}
        return {name: values for name, values in parts.items() if values}

    def asked(self, containers: Sequence[ContainerId]) -> PassageQuery:
        """Return the parameters of the search; ``containers`` are those meant where the address names none."""
        chosen = tuple(containers) if self.containers is None else self.containers
        return PassageQuery(
            text=self.text,
            containers=chosen,
            filters=self.filters,
            order=self.order,
            grouped=self.grouped,
            page=self.page,
        )

    def searching(self, text: str, containers: tuple[ContainerId, ...], filters: Filters) -> "SearchPlace":
        """Return the place of another search: on its first page, with nothing open."""
        return self._replace(text=text, containers=containers, filters=filters, page=1, opened=None)

    def of(self, query: PassageQuery) -> "SearchPlace":
        """Return the place of a suggested search."""
        return self.searching(query.text, query.containers, query.filters)

    def followed(self, link: Mapping[str, str]) -> "SearchPlace":
        """Return where a link to the viewer leads from here: the same page, beside the results."""
        address = addresses.read(link)
        return self._replace(opened=address) if isinstance(address, PageAddress) else self


def _none_or_all(ids: Sequence[str] | None) -> list[str]:
    """Return the ids; an empty choice, which finds nothing, is kept apart from none, which leaves it open."""
    return [] if ids is None else list(ids) or [""]


def _opened(single: Mapping[str, str]) -> PageAddress | None:
    address = addresses.read(single)
    return address if isinstance(address, PageAddress) else None


def _tags(written: Sequence[str]) -> dict[str, tuple[str, ...]]:
    found: list[Tag] = []
    for text in written:
        key, _, value = text.partition("=")
        try:
            found.append(Tag(key=key, value=value))
        except ValidationError:
            continue
    return by_key(found)


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
