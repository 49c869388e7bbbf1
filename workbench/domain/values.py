"""The base of every stored value: immutable, closed to unknown fields, serialisable to JSON."""

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """An immutable value. Unknown fields are refused, so that a stored record that no longer fits is noticed."""

    model_config = ConfigDict(frozen=True, extra="forbid")
