"""Reading a stream in a thread: order, errors, halting while it is silent, and no thread left behind."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from workbench.services.agent.pump import Pump, outcome

pytestmark = pytest.mark.req("ASK-11")
WAIT = 5


class Halt(Exception):
    pass


def never() -> None:
    return None


def model_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name.startswith("model")]


def ended(threads: list[threading.Thread]) -> bool:
    for thread in threads:
        thread.join(WAIT)
    return not any(thread.is_alive() for thread in threads)


class Silent:
    """A stream that says one thing and then nothing until it is interrupted."""

    def __init__(self) -> None:
        self.interrupted = threading.Event()
        self._said = False

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if self._said:
            assert self.interrupted.wait(WAIT)
            raise StopIteration
        self._said = True
        return "one thing"

    def interrupt(self) -> None:
        self.interrupted.set()


def test_items_come_in_order_and_the_thread_ends() -> None:
    assert list(Pump(lambda: iter(range(1000)), never).items()) == list(range(1000))
    assert ended(model_threads())


def test_the_error_of_a_stream_is_raised_after_its_items() -> None:
    def broken() -> Iterator[int]:
        yield 1
        raise ZeroDivisionError

    items = Pump(broken, never).items()
    assert next(items) == 1
    with pytest.raises(ZeroDivisionError):
        next(items)


def test_an_error_before_the_first_item_is_raised() -> None:
    def start() -> Iterator[int]:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(Pump(start, never).items())


def test_a_silent_stream_is_left_with_what_it_said() -> None:
    stream = Silent()
    halting = threading.Event()
    items = Pump(lambda: stream, lambda: Halt() if halting.is_set() else None).items()
    assert next(items) == "one thing"
    halting.set()
    with pytest.raises(Halt):
        next(items)
    assert stream.interrupted.is_set()
    assert ended(model_threads())


def test_a_generator_is_closed_in_its_own_thread_when_the_reader_leaves() -> None:
    closed = threading.Event()

    def endless() -> Iterator[int]:
        try:
            yield from iter(int, 1)
        finally:
            closed.set()

    items = Pump(endless, never).items()
    next(items)
    items.close()
    assert closed.wait(WAIT)
    assert ended(model_threads())


def test_closed_before_it_began_a_stream_is_not_read() -> None:
    start, read = threading.Event(), list[int]()

    def stream() -> Iterator[int]:
        read.append(1)
        yield 1

    def open_stream() -> Iterator[int]:
        assert start.wait(WAIT)
        return stream()

    pump = Pump(open_stream, never)
    pump.close()
    start.set()
    assert ended(model_threads())
    assert read == []


def test_waiting_for_a_future_can_be_called_off() -> None:
    release = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(release.wait, WAIT)
        with pytest.raises(Halt):
            outcome(future, Halt)
        release.set()
        assert outcome(future, never) is True
