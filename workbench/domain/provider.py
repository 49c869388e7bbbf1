"""What is known of the provider of the language model."""

from typing import Literal

from workbench.domain.values import Value


class ProbeResult(Value):
    """Who keeps the thread with one server and model, and in words how that was found out.

    ``chain``: the server keeps it and continues it by id; ``replay``: each call has to bring all of it. ``left`` holds the
    ids of responses of the probe that could not be deleted at the provider.
    """

    history: Literal["chain", "replay"]
    found: str
    left: tuple[str, ...] = ()
