"""Strict JSON schemas from argument models.

The Responses API's strict mode wants every property required, no others allowed, and no defaults (source: its guide to
function calling). An optional argument is one that may be null.
"""

from functools import cache
from typing import Any

from workbench.domain.values import Value

_DROPPED = ("default", "title")


@cache
def strict_schema(arguments: type[Value]) -> dict[str, Any]:
    """Return the strict JSON schema of an argument model; it is made once and must not be changed."""
    schema: dict[str, Any] = _strict(arguments.model_json_schema())
    schema.pop("description", None)
    return schema


def _strict(node: Any) -> Any:
    if isinstance(node, list):
        return [_strict(item) for item in node]
    if not isinstance(node, dict):
        return node
    properties = node.get("properties")
    strict = {key: _strict(value) for key, value in node.items() if key not in _DROPPED and key != "properties"}
    if isinstance(properties, dict):
        strict["properties"] = {name: _strict(value) for name, value in properties.items()}
        strict["required"] = list(properties)
        strict["additionalProperties"] = False
    return strict
