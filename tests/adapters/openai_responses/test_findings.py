from pathlib import Path

import pytest

from workbench.adapters.openai_responses.findings import Findings
from workbench.domain.errors import ConfigurationError
from workbench.domain.provider import ProbeResult

CHAIN = ProbeResult(history="chain", found="It knew.")
REPLAY = ProbeResult(history="replay", found="It did not know.", left=("resp_1",))


def test_a_finding_is_that_of_its_server_and_model_and_outlives_the_process(tmp_path: Path) -> None:
    path = tmp_path / "provider.json"
    Findings(path).put("http://a/v1", "one", CHAIN)
    Findings(path).put("http://a/v1", "two", REPLAY)
    again = Findings(path)
    assert again.get("http://a/v1/", "one") == CHAIN
    assert again.get("http://a/v1", "two") == REPLAY
    assert again.get("http://b/v1", "one") is None
    assert [each.name for each in tmp_path.iterdir()] == ["provider.json"]


def test_a_damaged_file_is_named_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "provider.json"
    path.write_text('{"http://a/v1 one": {"history": "sometimes"}}')
    with pytest.raises(ConfigurationError, match=r"provider\.json.*Delete it"):
        Findings(path).get("http://a/v1", "one")
