"""A sandbox that is opened when it is needed, once, and closed with the app."""

from collections.abc import Callable

import pytest

from workbench.adapters.fakes.plain_sandbox import PlainSandbox
from workbench.adapters.sandbox.lazy import LazySandbox
from workbench.domain.calculations import RunLimits
from workbench.domain.errors import SandboxUnavailable
from workbench.services.ports import SandboxInputs

LIMITS = RunLimits()


@pytest.fixture
def opened() -> list[PlainSandbox]:
    return []


@pytest.fixture
def lazy(opened: list[PlainSandbox]) -> LazySandbox:
    def start() -> PlainSandbox:
        opened.append(PlainSandbox({"1": lambda tables: 1}))
        return opened[-1]

    return LazySandbox(start)


def test_it_is_opened_once_when_it_is_first_used(lazy: LazySandbox, opened: list[PlainSandbox]) -> None:
    assert opened == []
    assert lazy.run("1", SandboxInputs(), LIMITS).value == "1"
    assert (lazy.name, lazy.description, lazy.reason) == (opened[0].name, opened[0].description, opened[0].reason)
    lazy.warm_up()
    assert len(opened) == 1


def test_it_is_closed_where_it_was_opened(lazy: LazySandbox, opened: list[PlainSandbox]) -> None:
    lazy.warm_up()
    lazy.close()
    assert opened[0].closed


@pytest.mark.parametrize("use", [lambda lazy: lazy.name, lambda lazy: lazy.run("1", SandboxInputs(), LIMITS)])
def test_after_the_end_nothing_is_opened(
    lazy: LazySandbox, opened: list[PlainSandbox], use: Callable[[LazySandbox], object]
) -> None:
    lazy.close()
    with pytest.raises(SandboxUnavailable, match="closed"):
        use(lazy)
    assert opened == []


def test_an_engine_that_does_not_start_is_tried_once_and_says_why_each_time() -> None:
    tries: list[int] = []

    def start() -> PlainSandbox:
        tries.append(1)
        raise SandboxUnavailable("Namespaces do not work here.", "Use WebAssembly.")

    lazy = LazySandbox(start)
    lazy.warm_up()
    for _ in range(2):
        with pytest.raises(SandboxUnavailable, match="Namespaces do not work here") as caught:
            _ = lazy.description
        assert caught.value.advice == "Use WebAssembly."
    assert tries == [1]
