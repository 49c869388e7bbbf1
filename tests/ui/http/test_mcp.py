"""The MCP endpoint beside the screens: on by a setting, over the app's own workbench."""

from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from workbench import bootstrap
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.mcp_server.http import ADDRESS
from workbench.settings import Settings
from workbench.ui import process
from workbench.ui.http.routes import MIDDLEWARE, ROUTES
from workbench.ui.lifespan import lifespan

pytestmark = pytest.mark.req("OPEN-1")
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
HEADERS = {"Accept": "application/json, text/event-stream", "Host": "127.0.0.1:8501"}


@pytest.mark.parametrize("switch", ["on", "off"])
def test_the_app_serves_it_where_the_setting_says_so_and_only_with_a_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, switch: str
) -> None:
    monkeypatch.setenv("PINCITE_HOME", str(tmp_path))
    monkeypatch.setenv("PINCITE_MCP", switch)
    bench = bootstrap.build(Settings(), embedder=HashingEmbedder())
    process.install(bench)
    token = bench.clients.create("Desk", 1).secret
    with TestClient(Starlette(routes=ROUTES, middleware=MIDDLEWARE, lifespan=lifespan)) as client:
        assert (tmp_path / ADDRESS).exists() is (switch == "on")
        refused = client.post("/mcp", json=HELLO, headers=HEADERS)
        given = client.post("/mcp", json=HELLO, headers={**HEADERS, "Authorization": f"Bearer {token}"})
    if switch == "on":
        assert refused.status_code == 401
        assert given.status_code == 200
        assert '"name":"pincite"' in given.text
        assert given.headers["x-content-type-options"] == "nosniff"
    else:
        assert refused.status_code == given.status_code == 404
        assert "PINCITE_MCP=on" in given.json()["error"]
    assert not (tmp_path / ADDRESS).exists()
