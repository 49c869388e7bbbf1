"""A receipt of a deletion in words."""

from collections import Counter

from workbench.domain.deletions import AT_PROVIDER, Fate, Receipt, ReceiptItem


def told(receipt: Receipt) -> str:
    """Return the one line that is shown after a deletion."""
    if receipt.open:
        return f"{receipt.name} is deleted here. {left(receipt)} See Receipts on the Settings screen."
    outside = sum(item.what in AT_PROVIDER for item in receipt.items)
    line = f"{receipt.name} is deleted{_with(outside)}"
    kept = sorted({item.what.value for item in receipt.items if item.fate is Fate.KEPT})
    if kept:
        return f"{line}. Kept, as something else uses it: {', '.join(kept)}."
    return f"{line}; every part was looked for and is gone."


def left(receipt: Receipt) -> str:
    """Say what is not confirmed yet; empty where everything is."""
    waiting = Counter(item.what.value for item in receipt.left)
    if not waiting:
        return ""
    parts = ", ".join(what if number == 1 else f"{what} ({number:,})" for what, number in waiting.items())
    return f"Not confirmed yet: {parts}. It is tried again."


def row(item: ReceiptItem) -> tuple[str, str, str]:
    """Return an item as a row: what it is, how many there were, and what became of it."""
    label = f"{item.what.value}: {item.name}" if item.name else item.what.value
    before = "" if item.before is None else f"{item.before:,}"
    if item.fate is Fate.ALREADY_GONE and item.before == 0:
        return label, before, "there was none"
    return label, before, f"{item.fate.value}. {item.detail}" if item.detail else item.fate.value


def _with(outside: int) -> str:
    return "" if not outside else f" with {outside:,} object{'' if outside == 1 else 's'} at the provider"
