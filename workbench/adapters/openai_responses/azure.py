"""What is particular to Azure OpenAI: the forms in which its address is given, and signing in with Entra ID."""

from collections.abc import Callable

import httpx2

from workbench.domain.errors import ConfigurationError

SCOPE = "https://ai.azure.com/.default"
_PATH = "/openai/v1/"
_OLD_FORMS = ("/openai/deployments", "/openai/responses")


def azure_url(given: str) -> str:
    """Return the base URL of the v1 API for a resource's address, with or without the path.

    Raises ConfigurationError for the address of a single operation of the older API.
    """
    try:
        url = httpx2.URL(given.strip())
    except httpx2.InvalidURL:
        return given  # reported by the connection, which checks every provider's
    if "api-version" in url.params or any(form in url.path for form in _OLD_FORMS):
        raise ConfigurationError(
            f"The base URL {given!r} is that of one operation of Azure's older API.",
            "Set PINCITE_BASE_URL to https://<your resource>.openai.azure.com, and PINCITE_MODEL to the deployment's name.",
        )
    if url.path.rstrip("/") in ("", "/openai", "/openai/v1"):
        return str(url.copy_with(path=_PATH))
    return str(url)


def entra_token() -> Callable[[], str]:
    """Return a function that gives a fresh token of the machine's or the user's identity.

    Raises ConfigurationError where the library for it is not installed.
    """
    try:
        from azure.identity import DefaultAzureCredential, get_bearer_token_provider  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise ConfigurationError(
            "Signing in to Azure with Entra ID needs the package azure-identity, which is not installed.",
            'Install it with: pip install "pincite[azure]", or set PINCITE_AZURE_AUTH=key.',
        ) from error
    token: Callable[[], str] = get_bearer_token_provider(DefaultAzureCredential(), SCOPE)
    return token
