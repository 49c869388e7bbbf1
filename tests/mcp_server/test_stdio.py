"""A client that starts Pincite and talks to it over pipes: nothing but frames comes out."""

import json
import subprocess
import sys
from pathlib import Path

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.types import TextContent

import workbench

pytestmark = pytest.mark.req("OPEN-1")
ROOT = str(Path(workbench.__file__).parents[1])
SERVER = """
import os, sys, warnings
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from tests.mcp_server.desk import build
from workbench.mcp_server import stdio

def noisy():
    print("a banner of a library")
    os.write(1, b"a progress bar of a library in C\\n")
    os.system("echo a child process")
    return build(Path(sys.argv[1]), after_piece=lambda piece: print("a chatty model", piece))

warnings.simplefilter("always")
stdio.serve(noisy, lambda bench: bench.clients.local(None, ["Food"]))
"""


def parameters(home: Path) -> StdioServerParameters:
    return StdioServerParameters(command=sys.executable, args=["-c", SERVER, str(home), ROOT], cwd=ROOT)


def test_the_sdk_client_searches_and_asks_over_pipes(tmp_path: Path) -> None:
    async def main() -> None:
        async with Client(parameters(tmp_path)) as client:
            found = await client.call_tool("search_documents", {"query": "payment due"})
            assert {each["document"] for each in found.structured_content["citations"]} == {"tarn_supply.pdf"}
            answer = await client.call_tool("ask", {"question": "When is payment due?", "wait_seconds": 50})
            assert isinstance(answer.content[0], TextContent)
            assert answer.structured_content["status"] == "answered"

    anyio.run(main)


def test_only_frames_stand_on_standard_output_whatever_prints_there(tmp_path: Path) -> None:
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "strict reader", "version": "1"},
    }
    asked = {"name": "ask", "arguments": {"question": "When is payment due?", "wait_seconds": 50}}
    sent = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": asked},
    ]
    with subprocess.Popen(
        [sys.executable, "-c", SERVER, str(tmp_path), ROOT],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        for message in sent:
            process.stdin.write(json.dumps(message) + "\n")
        process.stdin.flush()
        frames = [json.loads(process.stdout.readline())]
        while frames[-1].get("id") != 2:
            frames.append(json.loads(process.stdout.readline()))
        process.stdin.close()
        rest = process.stdout.read()
        said = process.stderr.read()
        assert process.wait(60) == 0, said
    assert rest == ""
    assert all(frame["jsonrpc"] == "2.0" for frame in frames)
    assert "21 days" in frames[-1]["result"]["structuredContent"]["answer"]
    for noise in ("a banner of a library", "a progress bar of a library in C", "a child process", "a chatty model"):
        assert noise in said
