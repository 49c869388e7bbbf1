"""Which container the code of a request runs in."""

from collections.abc import Iterable

from workbench.adapters.fakes.responses_server.containers import ContainerStore
from workbench.adapters.fakes.responses_server.rules import ApiError
from workbench.adapters.fakes.responses_server.state import Exchange, Wire


def container_for(exchange: Exchange, containers: ContainerStore) -> str | None:
    """Return the id of the container a request's code interpreter uses, or None where the request offers no such tool.

    A named container must be there and active. Raises ApiError 400, also where the input itself repeats a run whose
    container is gone; runs that the provider remembers (a chain) may outlive their container.
    """
    _check_repeated_runs(exchange.body["input"], containers)
    tool = next((each for each in exchange.body.get("tools") or () if each["type"] == "code_interpreter"), None)
    if tool is None:
        return None
    wanted = tool["container"]
    if isinstance(wanted, str):
        return containers.use(wanted).id
    return automatic_container(exchange, containers, wanted.get("memory_limit") or "1g")


def automatic_container(exchange: Exchange, containers: ContainerStore, memory_limit: str = "1g") -> str:
    """Return the id of the container of the thread's last run while that is active, and of a new one otherwise."""
    used = [run["container_id"] for run in _runs(exchange.context)]
    if used and containers.is_active(used[-1]):
        return containers.use(used[-1]).id
    return containers.create("auto", memory_limit=memory_limit).id


def _check_repeated_runs(items: Iterable[Wire], containers: ContainerStore) -> None:
    for run in _runs(items):
        if not containers.is_active(run["container_id"]):
            message = f"Expected container_id of an active container for item '{run['id']}': container is expired."
            raise ApiError(400, message, param="input")


def _runs(items: Iterable[Wire]) -> Iterable[Wire]:
    return (item for item in items if item.get("type") == "code_interpreter_call")
