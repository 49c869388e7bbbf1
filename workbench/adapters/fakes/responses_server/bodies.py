"""Reads the JSON body of a request."""

import json
from typing import Any

from starlette.requests import Request

from workbench.adapters.fakes.responses_server.rules import ApiError


async def json_body(request: Request) -> dict[str, Any]:
    """Return the object a request holds. Raises ApiError 400 for anything else."""
    try:
        body = await request.json()
    except json.JSONDecodeError:
        body = None
    if not isinstance(body, dict):
        raise ApiError(400, "We could not parse the JSON body of your request.")
    return body
