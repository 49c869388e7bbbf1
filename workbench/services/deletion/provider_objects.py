"""What the turns of a conversation left at the providers of its models."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from workbench.domain.conversations import Turn
from workbench.domain.deletions import ProviderObject, What
from workbench.domain.events import Event, ModelCallFinished, ObjectKept, ResponseCreated
from workbench.domain.items import OpaqueItem


def collected(turn: Turn, events: Iterable[Event]) -> list[ProviderObject]:
    """Return every object that a turn made at its provider, each once: files, then containers, then responses.

    Those of intermediate steps and of attempts that failed count as well; their ids stand in the events.
    """
    provider = turn.provider or turn.thread.provider
    found: dict[ProviderObject, None] = {}
    events = list(events)
    for event in events:
        if isinstance(event, ObjectKept):
            found |= dict.fromkeys(_of_code(event.model_dump(include={"container_id", "file_id"}), provider))
    for item in turn.items:
        if isinstance(item, OpaqueItem):
            found |= dict.fromkeys(_of_code(item.raw, provider))
    for response_id in (*_response_ids(events), *turn.response_ids):
        found[ProviderObject(what=What.RESPONSE, id=response_id, provider=provider)] = None
    order = (What.CODE_FILE, What.CODE_CONTAINER, What.RESPONSE)
    return sorted(found, key=lambda each: order.index(each.what))


def _response_ids(events: Iterable[Event]) -> Iterator[str]:
    return (event.response_id for event in events if isinstance(event, ResponseCreated | ModelCallFinished))


def _of_code(raw: Any, provider: str) -> Iterator[ProviderObject]:
    """Find containers, and files in them, anywhere in an item of the provider's."""
    if isinstance(raw, Mapping):
        container, file = raw.get("container_id"), raw.get("file_id")
        if isinstance(container, str) and container:
            yield ProviderObject(what=What.CODE_CONTAINER, id=container, provider=provider)
            if isinstance(file, str) and file:
                yield ProviderObject(what=What.CODE_FILE, id=file, provider=provider, container=container)
        for value in raw.values():
            yield from _of_code(value, provider)
    elif isinstance(raw, list | tuple):
        for value in raw:
            yield from _of_code(value, provider)
