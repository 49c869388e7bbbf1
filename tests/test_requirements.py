"""Every built requirement has a test, every pending one has none, and no test names an unknown one."""

import ast
import re
from pathlib import Path

TESTS = Path(__file__).parent
LINE = re.compile(r"^- (?P<id>[A-Z]+-\d+)(?P<pending> \*pending\*)? ")


def listed() -> dict[str, bool]:
    """Return the ids of the list, and whether each is pending."""
    lines = (LINE.match(line) for line in (TESTS / "requirements.md").read_text(encoding="utf-8").splitlines())
    return {line["id"]: line["pending"] is not None for line in lines if line}


def named(source: str) -> set[str]:
    """Return the ids that ``mark.req(...)`` names in a test module."""
    ids: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "req":
            ids |= {arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)}
    return ids


def proved() -> set[str]:
    return set().union(*(named(path.read_text(encoding="utf-8")) for path in TESTS.rglob("test_*.py")))


def test_the_reader_of_marks_sees_decorators_and_module_marks() -> None:
    source = 'import pytest\npytestmark = [pytest.mark.req("A-1", "A-2")]\n@pytest.mark.req("B-3")\ndef test_x(): ...\n'
    assert named(source) == {"A-1", "A-2", "B-3"}


def test_the_list_is_read_whole() -> None:
    ids = listed()
    assert len(ids) > 80
    assert ids["CITE-1"] is False


def test_no_test_names_an_unknown_requirement() -> None:
    assert not proved() - listed().keys()


def test_every_requirement_not_pending_has_a_test() -> None:
    missing = {name for name, pending in listed().items() if not pending} - proved()
    assert not missing


def test_no_pending_requirement_has_a_test() -> None:
    begun = {name for name, pending in listed().items() if pending} & proved()
    assert not begun, f"remove the mark *pending* of {sorted(begun)}, or the mark of the test"
