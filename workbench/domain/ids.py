"""Identifiers. They are opaque, random and safe in a URL, so that none can be guessed from another."""

import secrets
from typing import NewType

ContainerId = NewType("ContainerId", str)
DocumentId = NewType("DocumentId", str)
ChunkId = NewType("ChunkId", str)
ConversationId = NewType("ConversationId", str)
TurnId = NewType("TurnId", str)
UserId = NewType("UserId", str)
ReceiptId = NewType("ReceiptId", str)
GapId = NewType("GapId", str)
RunId = NewType("RunId", str)
TokenId = NewType("TokenId", str)
Ref = NewType("Ref", str)
"""The name of a source within one turn: "S1", "S2", ..."""


def new_id(prefix: str) -> str:
    """Return a fresh id such as ``doc_4f1c...`` with 80 random bits."""
    return f"{prefix}_{secrets.token_hex(10)}"


def ref(number: int) -> Ref:
    """Return the ref id of the ``number``-th source of a turn, counted from 1."""
    return Ref(f"S{number}")
