from pathlib import Path

import pytest

from workbench import bootstrap
from workbench.adapters.fakes.hashing_embedder import HashingEmbedder
from workbench.adapters.fakes.scripted_model import ScriptedModel
from workbench.domain.errors import DataDirectoryBusy
from workbench.settings import History, Provider, Settings


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
