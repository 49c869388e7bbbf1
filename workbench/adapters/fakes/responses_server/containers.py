"""The containers in which the code interpreter runs: they hold files, and they expire when nothing uses them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from threading import RLock
from typing import Any

from workbench.adapters.fakes.responses_server.rules import ApiError
from workbench.services.ports import Clock

Wire = dict[str, Any]

_IDLE_MINUTES = 20
_FOLDER = "/mnt/data"


@dataclass(frozen=True)
class ContainerFile:
    """A file of a container. ``created_at`` is in seconds since 1970."""

    id: str
    container_id: str
    path: str
    content: bytes
    created_at: int

    @property
    def wire(self) -> Wire:
        return {
            "id": self.id,
            "object": "container.file",
            "container_id": self.container_id,
            "created_at": self.created_at,
            "bytes": len(self.content),
            "path": self.path,
            "source": "user",
        }


@dataclass(frozen=True)
class Container:
    """A container as last seen: times are in seconds since 1970, ``idle_minutes`` without use let it expire."""

    id: str
    name: str
    created_at: int
    last_active_at: int
    idle_minutes: int = _IDLE_MINUTES
    memory_limit: str = "1g"
    expired: bool = False

    @property
    def wire(self) -> Wire:
        return {
            "id": self.id,
            "object": "container",
            "name": self.name,
            "created_at": self.created_at,
            "last_active_at": self.last_active_at,
            "status": "expired" if self.expired else "running",
            "expires_after": {"anchor": "last_active_at", "minutes": self.idle_minutes},
            "memory_limit": self.memory_limit,
        }


@dataclass
class ContainerStore:
    """Containers and their files by id. Every use of a container starts its idle time anew; an expired one can be read and
    deleted, but its files are gone for good. Safe to use from several threads."""

    _clock: Clock
    _containers: dict[str, Container] = field(default_factory=dict)
    _files: dict[str, dict[str, ContainerFile]] = field(default_factory=dict)
    _lock: RLock = field(default_factory=RLock)
    _numbers: "count[int]" = field(default_factory=lambda: count(1))

    def create(self, name: str, idle_minutes: int = _IDLE_MINUTES, memory_limit: str = "1g") -> Container:
        with self._lock:
            now = self._now()
            container = Container(f"cntr_{next(self._numbers):032x}", name, now, now, idle_minutes, memory_limit)
            self._containers[container.id] = container
            self._files[container.id] = {}
            return container

    def get(self, container_id: str) -> Container:
        """Return a container, expired or not; reading it is a use of it. Raises ApiError 404 for an unknown id."""
        with self._lock:
            seen = self._seen(container_id)
            if seen is None:
                raise _no_container(404, container_id)
            if not seen.expired:
                seen = self._containers[container_id] = replace(seen, last_active_at=self._now())
            return seen

    def use(self, container_id: str) -> Container:
        """Return a container that can run code. Raises ApiError 400 for an unknown or expired one."""
        with self._lock:
            if self._seen(container_id) is None:
                raise _no_container(400, container_id)
            container = self.get(container_id)
        if container.expired:
            raise ApiError(400, "Container is expired.", param="tools")
        return container

    def is_active(self, container_id: str) -> bool:
        """Tell whether a container is there and not expired, without using it."""
        with self._lock:
            seen = self._seen(container_id)
            return seen is not None and not seen.expired

    def all(self) -> list[Container]:
        """Return all containers, oldest first, without using them."""
        with self._lock:
            return [seen for seen in map(self._seen, list(self._containers)) if seen is not None]

    def expire(self, container_id: str) -> None:
        """Let a container expire now, as a provider may at any time. Raises ApiError 404 for an unknown id."""
        with self._lock:
            self._containers[container_id] = replace(self.get(container_id), expired=True)
            self._files[container_id].clear()

    def delete(self, container_id: str) -> None:
        """Delete a container with its files. Raises ApiError 404 for an unknown id, also the second time."""
        with self._lock:
            self.get(container_id)
            del self._containers[container_id], self._files[container_id]

    def add_file(self, container_id: str, name: str, content: bytes) -> ContainerFile:
        """Put a file into a container; one of the same path is replaced. Raises ApiError as :meth:`files` does."""
        with self._lock:
            files = self._files_of(container_id)
            added = ContainerFile(
                f"cfile_{next(self._numbers):032x}", container_id, f"{_FOLDER}/{name}", content, self._now()
            )
            for same in [file_id for file_id, file in files.items() if file.path == added.path]:
                del files[same]
            files[added.id] = added
            return added

    def files(self, container_id: str) -> Sequence[ContainerFile]:
        """Return the files, oldest first. Raises ApiError: 404 for an unknown container, 400 for an expired one."""
        with self._lock:
            return list(self._files_of(container_id).values())

    def file(self, container_id: str, file_id: str) -> ContainerFile:
        """Raises ApiError as :meth:`files` does, and 404 for an unknown file."""
        with self._lock:
            found = self._files_of(container_id).get(file_id)
        if found is None:
            raise ApiError(404, f"Container file with id '{file_id}' not found.")
        return found

    def delete_file(self, container_id: str, file_id: str) -> None:
        """Raises ApiError as :meth:`file` does, also the second time."""
        with self._lock:
            self.file(container_id, file_id)
            del self._files[container_id][file_id]

    def _files_of(self, container_id: str) -> dict[str, ContainerFile]:
        self.get(container_id)
        self.use(container_id)
        return self._files[container_id]

    def _seen(self, container_id: str) -> Container | None:
        container = self._containers.get(container_id)
        if container is None or container.expired:
            return container
        if self._now() - container.last_active_at >= container.idle_minutes * 60:
            container = self._containers[container_id] = replace(container, expired=True)
            self._files[container_id].clear()
        return container

    def _now(self) -> int:
        return int(self._clock.now().timestamp())


def _no_container(status: int, container_id: str) -> ApiError:
    return ApiError(status, f"Container with id '{container_id}' not found.")
