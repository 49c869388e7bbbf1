import pytest

from workbench.adapters.openai_responses import OpenAIResponsesModel
from workbench.adapters.openai_responses.client import Connection, KeySource, build_client
from workbench.adapters.openai_responses.errors import Failure
from workbench.domain.errors import ConfigurationError

pytestmark = pytest.mark.req("OPEN-3")


@pytest.mark.parametrize("key", ["sk-two words", "sk-line\n", "ключ", " sk-x"])
def test_a_key_that_cannot_be_sent_is_named_before_it_is_sent(key: str) -> None:
    with pytest.raises(ConfigurationError, match="API key") as raised:
        OpenAIResponsesModel("gpt-5-mini", Connection(key))
    assert key.strip() not in str(raised.value)


@pytest.mark.parametrize("url", ["api.openai.com/v1", "ftp://host/v1", "https://", "http://host:port/v1"])
def test_a_base_url_that_is_none_is_named(url: str) -> None:
    with pytest.raises(ConfigurationError, match="base URL"):
        OpenAIResponsesModel("gpt-5-mini", Connection("sk-x", url))


@pytest.mark.parametrize("key", ["", None])
def test_openai_needs_a_key(key: str | None) -> None:
    with pytest.raises(ConfigurationError, match="No API key"):
        OpenAIResponsesModel("gpt-5-mini", Connection(key))


def test_the_key_is_not_in_what_a_log_would_show() -> None:
    assert "sk-hidden" not in repr(Connection("sk-hidden"))


@pytest.mark.parametrize(
    ("url", "host"),
    [
        (None, "api.openai.com"),
        ("https://r.openai.azure.com/openai/v1/", "r.openai.azure.com"),
        ("http://me:pw@h:81/v1", "h:81"),
    ],
)
def test_the_host_is_the_providers_name_for_people(url: str | None, host: str) -> None:
    assert Connection("sk-x", url).host == host


def test_the_environment_does_not_choose_the_account(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ORG_ID", "PROJECT_ID", "ADMIN_KEY", "API_KEY"):
        monkeypatch.setenv(f"OPENAI_{name}", "from-the-environment")
    monkeypatch.setenv("OPENAI_BASE_URL", "https://elsewhere.example/v1")
    client = build_client(Connection("sk-x"), KeySource("sk-x"))
    assert str(client.base_url) == "https://api.openai.com/v1/"
    assert "from-the-environment" not in str(client.default_headers)


@pytest.mark.parametrize("token", ["", "two words"])
def test_a_token_that_cannot_be_sent_is_a_failure(token: str) -> None:
    with pytest.raises(Failure, match="token"):
        KeySource(lambda: token)()


def test_the_latest_tokens_are_known_as_secrets() -> None:
    tokens = iter([f"token-{number}" for number in range(6)])
    source = KeySource(lambda: next(tokens))
    for _ in range(6):
        source()
    assert source.secrets == ("token-2", "token-3", "token-4", "token-5")
