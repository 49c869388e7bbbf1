"""Understanding a query, before any engine is asked: names are taken out, exact wishes noted, usual wording added."""

from collections.abc import Sequence
from typing import NamedTuple

from workbench.domain.documents import Container, Document
from workbench.domain.ids import DocumentId
from workbench.services.retrieval.exact import Exact, exact
from workbench.services.retrieval.mentions import Holders, find_mentions
from workbench.services.retrieval.naming import strip_containers, strip_names
from workbench.services.retrieval.notions import notions_of, wording

LONGEST = 1000
"""Characters of what the engines are asked."""


class Understood(NamedTuple):
    """A query as it is searched for.

    ``text`` is what is left of it without names. ``also`` is how documents usually word the notions it asks about, empty
    where it asks about none or is worded like that itself. ``named`` are the documents it names, a group for each name.
    """

    text: str
    also: str = ""
    named: tuple[frozenset[DocumentId], ...] = ()
    exact: Exact = Exact("")

    @property
    def asked(self) -> str:
        """What both engines are asked."""
        return f"{self.exact.text} {self.also}".strip()[:LONGEST]


def understand(
    query: str, documents: Sequence[Document], containers: Sequence[Container], holders: Holders, *, chosen: bool
) -> Understood:
    """Read a query over the ``documents`` of a scope.

    ``chosen`` says that the scope itself names the documents: then all their names are taken out, because each of its
    passages is of one of them.
    """
    mentions = find_mentions(query, documents, holders)
    text = strip_containers(mentions.rest, containers)
    if chosen:
        text = strip_names(text, documents, containers)
    wanted = exact(text)
    notions = () if wanted.quoted else notions_of(wanted.text)
    worded = any(notion.terms in wanted.text for notion in notions)
    return Understood(text, "" if worded else wording(notions), mentions.groups, wanted)
