"""Lists of objects as the API gives them: in pages, newest first unless asked otherwise."""

from collections.abc import Mapping, Sequence
from typing import Any

from workbench.adapters.fakes.responses_server.rules import ApiError

Wire = dict[str, Any]

_PAGE = 20


def page_of(oldest_first: Sequence[Wire], query: Mapping[str, str]) -> Wire:
    """Return the page that ``order``, ``after`` and ``limit`` of a query ask for. Raises ApiError for an unknown cursor."""
    objects = list(oldest_first) if query.get("order", "desc") == "asc" else list(oldest_first)[::-1]
    start = 0
    if "after" in query:
        ids = [each["id"] for each in objects]
        if query["after"] not in ids:
            raise ApiError(400, f"No object of this list has the id '{query['after']}'.", param="after")
        start = ids.index(query["after"]) + 1
    limit = int(query.get("limit", _PAGE))
    page = objects[start : start + limit]
    return {
        "object": "list",
        "data": page,
        "has_more": start + limit < len(objects),
        "first_id": page[0]["id"] if page else None,
        "last_id": page[-1]["id"] if page else None,
    }
