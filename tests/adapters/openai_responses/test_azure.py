import sys
from types import ModuleType

import pytest

from workbench.adapters.openai_responses.azure import SCOPE, azure_url, entra_token
from workbench.domain.errors import ConfigurationError

pytestmark = pytest.mark.req("OPEN-3")


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("https://r.openai.azure.com", "https://r.openai.azure.com/openai/v1/"),
        ("https://r.openai.azure.com/", "https://r.openai.azure.com/openai/v1/"),
        (" https://r.openai.azure.com/openai ", "https://r.openai.azure.com/openai/v1/"),
        ("https://r.openai.azure.com/openai/v1", "https://r.openai.azure.com/openai/v1/"),
        ("https://r.services.ai.azure.com", "https://r.services.ai.azure.com/openai/v1/"),
        (
            "https://r.services.ai.azure.com/api/projects/p/openai/v1/",
            "https://r.services.ai.azure.com/api/projects/p/openai/v1/",
        ),
        ("https://gateway.example/azure/v1/", "https://gateway.example/azure/v1/"),
    ],
)
def test_an_azure_address_is_taken_with_or_without_its_path(given: str, used: str) -> None:
    assert azure_url(given) == used


@pytest.mark.parametrize(
    "given",
    [
        "https://r.openai.azure.com/openai/deployments/gpt/chat/completions",
        "https://r.openai.azure.com/openai/responses?api-version=2025-04-01-preview",
        "https://r.openai.azure.com/?api-version=2024-10-21",
    ],
)
def test_the_address_of_an_older_api_says_what_to_set_instead(given: str) -> None:
    with pytest.raises(ConfigurationError, match="PINCITE_BASE_URL"):
        azure_url(given)


def test_without_the_library_for_entra_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "azure.identity", None)
    with pytest.raises(ConfigurationError, match=r"azure-identity.*pincite\[azure\]"):
        entra_token()


def test_a_token_is_asked_for_with_the_scope_of_the_v1_api(monkeypatch: pytest.MonkeyPatch) -> None:
    identity = ModuleType("azure.identity")
    identity.DefaultAzureCredential = lambda: "whoever is signed in"  # type: ignore[attr-defined]
    identity.get_bearer_token_provider = (  # type: ignore[attr-defined]
        lambda credential, scope: lambda: f"token of {credential} for {scope}"
    )
    monkeypatch.setitem(sys.modules, "azure", ModuleType("azure"))
    monkeypatch.setitem(sys.modules, "azure.identity", identity)
    assert entra_token()() == f"token of whoever is signed in for {SCOPE}"
    assert SCOPE == "https://ai.azure.com/.default"
