"""What the model does next: say something, or call tools."""

from collections.abc import Mapping
from typing import NamedTuple


class ToolCall(NamedTuple):
    """A call to make: the tool's name and its arguments."""

    name: str
    arguments: Mapping[str, object]


Step = str | list[ToolCall]
"""The text of the answer, or the calls to make."""
