"""Containers of the fake provider, and the requests that may use them, through the SDK with strict validation."""

import openai
import pytest

from workbench.adapters.fakes.fixed_clock import FixedClock
from workbench.adapters.fakes.responses_server import FakeResponsesServer

pytestmark = pytest.mark.req("ASK-2")

MINUTE = 60.0


@pytest.fixture
def clock():
    return FixedClock()


@pytest.fixture
def server(switch, clock):
    switch.app = FakeResponsesServer(clock=clock)
    return switch.app


def interpreter(container):
    return {"type": "code_interpreter", "container": container}


def test_a_container_can_be_made_read_listed_and_deleted_once(server, client):
    made = client.containers.create(
        name="sums", memory_limit="4g", expires_after={"anchor": "last_active_at", "minutes": 5}
    )
    read = client.containers.retrieve(made.id)
    assert (read.name, read.memory_limit, read.expires_after.minutes, read.status) == ("sums", "4g", 5, "running")
    assert [each.id for each in client.containers.list()] == [made.id]
    client.containers.delete(made.id)
    assert list(client.containers.list()) == []
    for act in (client.containers.retrieve, client.containers.delete):
        with pytest.raises(openai.NotFoundError):
            act(made.id)


def test_containers_are_listed_in_pages_either_order_and_by_name(server, client):
    ids = [client.containers.create(name=name).id for name in ("a", "b", "a")]
    assert [each.id for each in client.containers.list(order="asc", limit=2)] == ids
    assert [each.id for each in client.containers.list(limit=1)] == ids[::-1]
    assert [each.id for each in client.containers.list(name="a", order="asc")] == [ids[0], ids[2]]
    with pytest.raises(openai.BadRequestError):
        client.containers.list(after="cntr_unknown")


def test_files_of_a_container_can_be_added_read_listed_and_deleted_once(server, client):
    container = client.containers.create(name="sums").id
    files = client.containers.files
    added = files.create(container, file=("fees.csv", b"fee\n5\n"))
    assert (added.path, added.bytes, added.source) == ("/mnt/data/fees.csv", 6, "user")
    assert files.retrieve(added.id, container_id=container).path == added.path
    assert [file.id for file in files.list(container)] == [added.id]
    assert files.content.retrieve(added.id, container_id=container).read() == b"fee\n5\n"
    files.delete(added.id, container_id=container)
    assert list(files.list(container)) == []
    with pytest.raises(openai.NotFoundError):
        files.delete(added.id, container_id=container)
    with pytest.raises(openai.NotFoundError):
        files.content.retrieve(added.id, container_id=container)


def test_a_file_of_the_same_path_is_replaced(server, client):
    container = client.containers.create(name="sums").id
    for content in (b"old", b"newer"):
        client.containers.files.create(container, file=("a.txt", content))
    assert [file.bytes for file in client.containers.files.list(container)] == [5]


def test_a_container_expires_after_twenty_minutes_without_use_and_loses_its_files(server, client, clock):
    container = client.containers.create(name="sums").id
    client.containers.files.create(container, file=("a.txt", b"a"))
    clock.advance(19 * MINUTE)
    assert client.containers.retrieve(container).status == "running"
    clock.advance(19 * MINUTE)  # reading it was a use
    assert len(client.containers.files.list(container).data) == 1
    clock.advance(20 * MINUTE)
    assert client.containers.retrieve(container).status == "expired"
    with pytest.raises(openai.BadRequestError, match="expired"):
        client.containers.files.list(container)
    client.containers.delete(container)


def test_listing_containers_is_no_use_of_them(server, client, clock):
    client.containers.create(name="sums")
    clock.advance(19 * MINUTE)
    assert [each.status for each in client.containers.list()] == ["running"]
    clock.advance(1 * MINUTE)
    assert [each.status for each in client.containers.list()] == ["expired"]


def test_an_expired_container_cannot_run_code(server, client):
    container = client.containers.create(name="sums").id
    server.containers.expire(container)
    with pytest.raises(openai.BadRequestError, match="expired"):
        client.responses.create(model="gpt-5", input="1+1?", tools=[interpreter(container)])


@pytest.mark.parametrize("container", ["cntr_unknown", "con_1", {"type": "auto", "file_ids": ["file_1"]}, {}, 7])
def test_a_container_that_cannot_be_had_is_refused(server, client, container):
    with pytest.raises(openai.BadRequestError, match=r"[Cc]ontainer"):
        client.responses.create(model="gpt-5", input="1+1?", tools=[interpreter(container)])
    assert list(client.containers.list()) == []


@pytest.mark.parametrize("wrong", [{"name": None}, {"colour": "red"}, {"file_ids": ["file_1"]}, {"memory_limit": "3g"}])
def test_a_wrong_container_is_refused(server, client, wrong):
    with pytest.raises(openai.BadRequestError):
        client.containers.create(name="sums", extra_body=wrong)


def test_a_file_without_content_is_refused(server, client):
    container = client.containers.create(name="sums").id
    with pytest.raises(openai.BadRequestError, match="form"):
        client.containers.files.create(container, file_id="file_1")
