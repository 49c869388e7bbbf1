import re
import sys
from itertools import repeat
from pathlib import Path
from typing import Any

import pytest

from workbench import bootstrap
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.adapters.fakes.responses_server import Exchange, FakeResponsesServer, Memory, running
from workbench.adapters.fakes.scripted_model import ScriptedModel
from workbench.adapters.fakes.steps import Step, say
from workbench.domain.errors import ConfigurationError, DataDirectoryBusy
from workbench.settings import AzureAuth, History, Provider, Settings


def test_one_process_at_a_time_works_on_a_data_directory(tmp_path: Path) -> None:
    first = bootstrap.build(Settings(home=tmp_path), embedder=HashingEmbedder())
    with pytest.raises(DataDirectoryBusy, match="PINCITE_HOME"):
        bootstrap.build(Settings(home=tmp_path), embedder=HashingEmbedder())
    first.close()
    bootstrap.build(Settings(home=tmp_path), embedder=HashingEmbedder()).close()


def test_a_part_can_be_replaced_by_name_and_a_wrong_name_is_an_error(tmp_path: Path) -> None:
    model = ScriptedModel([])
    bench = bootstrap.build(Settings(home=tmp_path / "a"), embedder=HashingEmbedder(), model=model)
    assert bench.model is model
    bench.close()
    with pytest.raises(TypeError, match="modell"):
        bootstrap.build(Settings(home=tmp_path / "b"), embedder=HashingEmbedder(), modell=model)
    bootstrap.build(Settings(home=tmp_path / "b"), embedder=HashingEmbedder()).close()


@pytest.mark.req("ASK-12", "OPEN-3")
@pytest.mark.parametrize(
    ("provider", "history", "mode"),
    [
        (Provider.OPENAI, History.AUTO, "chain"),
        (Provider.AZURE, History.AUTO, "chain"),
        (Provider.COMPATIBLE, History.AUTO, "replay"),
        (Provider.COMPATIBLE, History.CHAIN, "chain"),
        (Provider.OPENAI, History.REPLAY, "replay"),
    ],
)
def test_a_compatible_server_is_not_trusted_with_the_thread_unless_told(
    tmp_path: Path, provider: Provider, history: History, mode: str
) -> None:
    settings = Settings(
        home=tmp_path, provider=provider, model="m", api_key="k", base_url="http://127.0.0.1:9/v1", history=history
    )
    bench = bootstrap.build(settings, embedder=HashingEmbedder())
    assert (bench.model.name, bench.model.history) == ("m", mode)
    bench.close()


def attentive(exchange: Exchange) -> Step:
    """Answer the questions of a probe from what was said before."""
    said = re.search(r"The code word is (\w+)", str(exchange.context))
    return say(said[1] if said and "What is" in str(exchange.last_input) else "OK")


@pytest.mark.req("ASK-12", "OPEN-3")
@pytest.mark.parametrize(("memory", "mode"), [(Memory.KEEPS, "chain"), (Memory.IGNORES, "replay")])
def test_a_probe_decides_for_its_server_and_model_from_the_next_start_on(
    tmp_path: Path, memory: Memory, mode: str
) -> None:
    def built(model: str) -> Any:
        settings = Settings(home=tmp_path, provider=Provider.COMPATIBLE, model=model, base_url=url)
        return bootstrap.build(settings, embedder=HashingEmbedder())

    with running(FakeResponsesServer(repeat(attentive, 3), memory=memory)) as url:
        bench = built("small")
        assert bench.model.history == "replay"
        assert bench.probe().history == mode
        bench.close()
        for model, history in (("small", mode), ("other", "replay")):
            bench = built(model)
            assert bench.model.history == history
            bench.close()


def test_the_embedded_model_is_nothing_to_probe(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="No provider"):
        bootstrap.probe(Settings(home=tmp_path))


@pytest.mark.req("OPEN-3")
def test_an_azure_resource_is_enough_of_an_address(tmp_path: Path) -> None:
    settings = Settings(
        home=tmp_path, provider=Provider.AZURE, model="m", api_key="k", base_url="https://r.openai.azure.com"
    )
    bench = bootstrap.build(settings, embedder=HashingEmbedder())
    assert bench.model.identity == "https://r.openai.azure.com/openai/v1/#m#chain"
    bench.close()


@pytest.mark.req("OPEN-3")
def test_signing_in_with_entra_needs_no_key_but_its_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "azure.identity", None)
    settings = Settings(
        home=tmp_path,
        provider=Provider.AZURE,
        model="m",
        azure_auth=AzureAuth.ENTRA,
        base_url="https://r.openai.azure.com",
    )
    with pytest.raises(ConfigurationError, match="azure-identity"):
        bootstrap.build(settings, embedder=HashingEmbedder())
    bootstrap.build(Settings(home=tmp_path), embedder=HashingEmbedder()).close()
