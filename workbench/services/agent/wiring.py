"""Wiring a rewrite into the search of its batch (requirement TOOL-3).

Where a batch holds one rewrite and exactly one search whose query still carries the original wording, the search runs with
the rewritten text. In a batch with several searches no query is ever replaced.
"""

import re
from collections.abc import Sequence

from workbench.services.tools.registry import Accepted
from workbench.services.tools.rewrite_query import RewriteArguments
from workbench.services.tools.search_documents import SearchArguments

_WORD = re.compile(r"\w+", re.UNICODE)


def wire_rewrite(batch: Sequence[Accepted], question: str) -> list[Accepted]:
    """Return the batch with the rewritten question in its single search, where the rule asks for it."""
    rewrites = [each.arguments for each in batch if isinstance(each.arguments, RewriteArguments)]
    searches = [each for each in batch if isinstance(each.arguments, SearchArguments)]
    if len(rewrites) != 1 or len(searches) != 1:
        return list(batch)
    arguments, after = searches[0].arguments, rewrites[0].query.strip()
    if not isinstance(arguments, SearchArguments) or not carries_wording(arguments.query, question, after):
        return list(batch)
    wired = searches[0]._replace(arguments=arguments.model_copy(update={"query": after}))
    return [wired if each is searches[0] else each for each in batch]


def carries_wording(query: str, before: str, after: str) -> bool:
    """Tell whether ``query`` still has the original wording: the whole of it, or a word that the rewrite did away with."""
    original, rewritten, asked = _words(before), _words(after), _words(query)
    if asked == rewritten:
        return False
    return asked == original or bool(set(asked) & (set(original) - set(rewritten)))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
