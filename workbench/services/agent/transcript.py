"""Our own copy of a talk, for a model that does not have it."""

from collections.abc import Iterable, Sequence

from workbench.domain.conversations import Turn
from workbench.domain.items import Item, OpaqueItem


def transcript(turns: Sequence[Turn], identity: str) -> tuple[Item, ...]:
    """Return all items of the turns in order, for the model of that identity.

    What we do not read ourselves, such as reasoning, means something only to the model that wrote it; another one gets the
    rest. Calls stay with their outputs: those a turn still owes stand in its thread and are sent first by the next one.
    """
    return tuple(item for turn in turns for item in _readable(turn, identity))


def _readable(turn: Turn, identity: str) -> Iterable[Item]:
    own = turn.thread.provider == identity
    return (item for item in turn.items if own or not isinstance(item, OpaqueItem))
