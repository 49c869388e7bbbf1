"""What sandboxes and providers write of their own workings, taken out of an answer while it streams in.

Models repeat the paths, links and names that they meet where code runs: "sandbox:/mnt/data/total.csv", names of containers
and files, ``tables["ledger"]``. None of it means anything to a reader, and none of the links opens anything. Of a file its
name stays, of a link its text in square brackets, of a table its name.
"""

import re

_FILE = r"[\w.%~+/-]*"
_TARGET = r"\]\((?:sandbox:|attachment:|/mnt/data\b)(?:[^()\n]|\([^()\n]*\)){0,400}"
_PLUMBING = re.compile(
    rf"(?P<link>{_TARGET}\))"
    r"|(?P<gone>[ \t]*[(`]{0,2}(?<!\w)(?:cntr|cfile)_\w{6,}[)`]{0,2})"
    rf"|(?P<blanks>[ \t]*)(?<![\w/])(?P<path>(?:sandbox:/*)?/mnt/data(?![\w-]){_FILE}|sandbox:/[^\s()\[\]`]*|/tmp/{_FILE})"
    r"|(?<![\w/])(?P<input>/in/(?:table\d+\.jsonl|request\.json))"
    r"|(?<!\w)tables\[(?P<quote>[\"'])(?P<table>[^\"'\]\n]{1,60})(?P=quote)\]"
)


def _begun(literal: str) -> str:
    """Return a pattern for the beginnings of ``literal``, of one character or more."""
    pattern = ""
    for char in reversed(literal):
        pattern = re.escape(char) + (f"(?:{pattern})?" if pattern else "")
    return pattern


_LITERALS = ("sandbox:", "/mnt/data", "/tmp/", "/in/", "cntr_", "cfile_", "tables[")  # noqa: S108 - it is looked for, not used
_OPEN = re.compile(
    rf"(?:\](?:\((?:{_begun('sandbox:')}|{_begun('attachment:')}|{_begun('/mnt/data')})?)?"
    rf"|{_TARGET}(?:\([^()\n]*)?"
    r"|[ \t]*[(`]{0,2}(?:"
    rf"(?<!\w)(?:{'|'.join(map(_begun, _LITERALS))}|(?:cntr|cfile)_\w*[)`]{{0,2}}|tables\[[\"']?[^\"'\]\n]{{0,60}}[\"']?\]?)"
    rf"|(?<![\w/])(?:(?:sandbox:/*)?/mnt/data{_FILE}|sandbox:[^\s()\[\]`]*|/tmp/{_FILE}|/in/[\w.]*)"
    r")?)\Z"
)
_CUT_LINK = re.compile(rf"{_TARGET}(?:\([^()\n]*)?\Z")
_CUT = re.compile(rf"[ \t]*(?<!\w)(?:{'|'.join(map(_begun, _LITERALS))})\Z")
_SHORTEST_CUT = 4


class Plumbing:
    """Takes plumbing out of text that comes in pieces: the joined output is the same for every split.

    What may be the beginning of plumbing waits for what follows it, so that no part of a path is ever shown.
    """

    def __init__(self) -> None:
        self._before = ""  # the character before what is pending
        self._pending = ""

    def feed(self, text: str) -> str:
        """Take the next piece and return what can be shown of it."""
        self._pending += text
        found = _OPEN.search(self._before + self._pending, len(self._before))
        return self._taken(found.start() - len(self._before) if found else len(self._pending))

    def finish(self, *, cut: bool = False) -> str:
        """Return what still waited. With ``cut`` the text was broken off: a beginning of plumbing is left out."""
        if cut:
            self._pending = _CUT_LINK.sub("]", self._pending)
            begun = _CUT.search(self._pending)
            if begun and len(begun.group().strip()) >= _SHORTEST_CUT:
                self._pending = self._pending[: begun.start()]
        return self._taken(len(self._pending))

    def _taken(self, end: int) -> str:
        raw, self._pending = self._pending[:end], self._pending[end:]
        if not raw:
            return ""
        text, start = self._before + raw, len(self._before)
        pieces: list[str] = []
        for found in _PLUMBING.finditer(text, start):
            pieces += (text[start : found.start()], _shown(found))
            start = found.end()
        self._before = raw[-1]
        return "".join([*pieces, text[start:]])


def without_plumbing(text: str) -> str:
    """Return a whole text without plumbing."""
    plumbing = Plumbing()
    return plumbing.feed(text) + plumbing.finish()


def _shown(found: re.Match[str]) -> str:
    """Return what stays of one piece of plumbing."""
    if found["link"] is not None:
        return "]"
    if found["path"] is not None:
        # What ends a sentence is none of the file's name.
        path = found["path"].rstrip(".")
        name = path.rpartition("/")[2] if "/mnt/data/" in path or path.startswith("/tmp/") else ""  # noqa: S108
        return (f"{found['blanks']}{name}" if name else "") + found["path"][len(path) :]
    if found["input"] is not None:
        return "the table"
    return found["table"] or ""
