"""What a sample needs before it is asked: its documents in the library, its user's rights, its scope and its limits."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from workbench.domain.budgets import Limits, Profile, ProfileSettings
from workbench.domain.documents import Container, Document
from workbench.domain.errors import NotAllowed, NotFound, PinciteError
from workbench.domain.evals import Dataset, Sample
from workbench.domain.ids import ContainerId, DocumentId, TurnId, UserId
from workbench.domain.scope import Access, Filters
from workbench.domain.tags import Tag
from workbench.services.conversations import Conversations
from workbench.services.ingestion.jobs import Ingestion, Upload
from workbench.services.library import Library

EVALUATION = UserId("evaluation")
"""Whom the talks of evaluation belong to, so that they stand in nobody's list and count in nobody's limits."""


class Prepared(NamedTuple):
    """A sample that can be asked. ``access`` has the rights of the sample's user and the name of :data:`EVALUATION`;
    ``rights`` reads them anew."""

    access: Access
    rights: Callable[[UserId], Access]
    containers: tuple[ContainerId, ...]
    filters: Filters
    profile: Profile
    profiles: Mapping[Profile, ProfileSettings]


class SuiteLibrary:
    """Brings the documents of suites into the library, and finds those of samples in it."""

    def __init__(self, library: Library, ingestion: Ingestion, samples: Path) -> None:
        self._library = library
        self._ingestion = ingestion
        self._samples = samples

    def take_in(self, access: Access, dataset: Dataset, directory: Path) -> None:
        """Take in what the suite brings along and wait until it is searchable; doing it again changes nothing.

        Raises PinciteError naming what could not be read.
        """
        documents: list[DocumentId] = []
        if dataset.sample_contracts:
            _, outcomes = self._ingestion.load_samples(access, self._samples)
            documents += [outcome.document_id for outcome in outcomes if outcome.document_id]
        for name in dict.fromkeys(document.container for document in dataset.document):
            container = self._library.ensure_container(access, name)
            member = self._library.access(access.user_id)
            outcomes = self._ingestion.submit(member, container.id, _uploads(dataset, name, directory))
            refused = [outcome.error for outcome in outcomes if outcome.document_id is None]
            if refused:
                raise PinciteError(f"The suite {dataset.name} is not complete: {' '.join(refused)}")
            documents += [outcome.document_id for outcome in outcomes if outcome.document_id]
        if documents:
            self._ingestion.wait(documents)

    def prepare(
        self, access: Access, dataset: Dataset, sample: Sample, profiles: Mapping[Profile, ProfileSettings]
    ) -> Prepared:
        """Find what a sample asks about. Raises PinciteError where it cannot be asked as it is meant."""
        user = sample.user or access.user_id
        if user != access.user_id and not access.administrator:
            raise NotAllowed(f"The sample asks as {user}, which only an administrator may.")
        rights = self._library.access(user)
        chosen = [self._library.container_named(rights, name) for name in sample.containers or dataset.containers]
        if not chosen:
            raise NotFound("The sample names no container.", "Name one in the sample or for the suite.")
        self._check_pins(rights, chosen, sample.pinned)
        return Prepared(
            access=_renamed(rights),
            rights=lambda _: _renamed(self._library.access(user)),
            containers=tuple(container.id for container in chosen),
            filters=Filters(tags=sample.filters),
            profile=sample.profile or Profile.QUICK,
            profiles=_with_limits(profiles, sample),
        )

    def pins(self, access: Access, documents: Sequence[DocumentId]) -> dict[str, str]:
        """Return the names of documents with the hashes of their bytes, as far as the user can read them."""
        found: dict[str, str] = {}
        for document_id in dict.fromkeys(documents):
            document = self._library.document(access, document_id)
            found[document.display_name] = document.content_hash
        return found

    def _check_pins(self, access: Access, containers: Sequence[Container], pinned: Mapping[str, str]) -> None:
        held = self._library.documents(access, [container.id for container in containers]) if pinned else []
        for name, content_hash in pinned.items():
            versions = [document for document in held if document.display_name == name]
            if not any(each.searchable and each.content_hash == content_hash for each in versions):
                raise NotFound(
                    _gone(name, content_hash, versions), "Look at the sample again, and pin the new version."
                )


def as_asked(access: Access, conversations: Conversations, turn_id: TurnId) -> Access:
    """Return the access under which a turn is found: the user's own, or for a turn of evaluation, that of evaluation.

    The rights stay those of the user: what was searched in containers that they do not see is not shown by it.
    """
    try:
        turn = conversations.turn(_renamed(access), turn_id)
    except NotFound:
        return access
    return _renamed(access) if all(map(access.may_see, turn.containers)) else access


def _gone(name: str, content_hash: str, versions: Sequence[Document]) -> str:
    pinned = next((each for each in versions if each.content_hash == content_hash), None)
    current = next((each for each in versions if each.searchable), None)
    if current is None:
        return f"The pinned document {name} is not in the sample's containers."
    was = f"version {pinned.version}" if pinned else "other contents"
    return f"The document {name} has changed: {was} is pinned, version {current.version} is searched."


def _uploads(dataset: Dataset, container: str, directory: Path) -> list[Upload]:
    uploads = []
    for document in dataset.document:
        if document.container != container:
            continue
        path = directory / document.file
        try:
            data = path.read_bytes()
        except OSError as error:
            raise NotFound(f"The suite {dataset.name} names {document.file}: {error.strerror or error}.") from error
        uploads.append(Upload(path.name, data, tuple(Tag(key=k, value=v) for k, v in document.tags.items())))
    return uploads


def _renamed(access: Access) -> Access:
    return access.model_copy(update={"user_id": EVALUATION, "administrator": False})


def _with_limits(profiles: Mapping[Profile, ProfileSettings], sample: Sample) -> Mapping[Profile, ProfileSettings]:
    if not sample.limits:
        return profiles
    changed = {name.value: value for name, value in sample.limits.items()}
    return {
        name: ProfileSettings(effort=each.effort, limits=Limits.model_validate({**each.limits.model_dump(), **changed}))
        for name, each in profiles.items()
    }
