"""Tags: business labels of a document, such as supplier, document type or region."""

from collections.abc import Iterable, Mapping

from pydantic import field_validator

from workbench.domain.errors import PinciteError
from workbench.domain.values import Value

SUGGESTED_KEYS = ("supplier", "document type", "region")
"""The keys every upload form offers; any other key may be used as well."""


class Tag(Value):
    """One label: a key and a value, both trimmed and not empty. A document may carry several values of one key."""

    key: str
    value: str

    @field_validator("key", "value")
    @classmethod
    def _trimmed(cls, text: str) -> str:
        text = " ".join(text.split())
        if not text:
            raise ValueError("a tag needs a key and a value")
        return text

    @field_validator("key")
    @classmethod
    def _lower(cls, key: str) -> str:
        return key.lower()


def parse_tag(text: str) -> Tag:
    """Read ``key=value``; raise PinciteError where either side is missing."""
    key, separator, value = text.partition("=")
    if not separator or not key.strip() or not value.strip():
        raise PinciteError(f"The tag {text!r} is not of the form key=value.", "Write for example supplier=Acme.")
    return Tag(key=key, value=value)


def by_key(tags: Iterable[Tag]) -> dict[str, tuple[str, ...]]:
    """Return the values of each key, in order: the form in which a selection names them."""
    values: dict[str, tuple[str, ...]] = {}
    for tag in tags:
        values[tag.key] = (*values.get(tag.key, ()), tag.value)
    return values


def matches(tags: Iterable[Tag], wanted: Mapping[str, Iterable[str]]) -> bool:
    """Tell whether ``tags`` satisfy every wanted key by at least one of its values (case is ignored).

    A key with no wanted values matches nothing: an empty selection never means everything.
    """
    held = {(tag.key, tag.value.casefold()) for tag in tags}
    return all(any((key.lower(), value.casefold()) in held for value in values) for key, values in wanted.items())
