"""The Settings screen says what is configured and how to change it, and shows no secret."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from workbench.domain.errors import ModelUnavailable
from workbench.domain.provider import ProbeResult
from workbench.services.calculations import Engine
from workbench.settings import Provider, Settings
from workbench.ui import configuration, process


def shown_html(at) -> str:
    return "\n".join(each.proto.body for each in at.get("html"))


def plain(element) -> str:
    """Return a message as it is read: its characters are escaped to be shown literally."""
    return element.value.replace("\\", "")


def test_the_embedded_model_is_named_for_what_it_is_with_the_ways_to_configure_another(library, open_screen) -> None:
    at = open_screen("settings")
    text = shown_html(at)
    assert "No language model is configured" in text
    assert "word for word" in text
    assert [tab.label for tab in at.tabs] == ["OpenAI", "Azure OpenAI", "Azure with Entra ID", "Compatible server"]
    for row in library.workbench.settings.describe():
        assert row.variable.split(", ")[0] in text


@pytest.mark.req("TOOL-9")
def test_what_runs_calculations_is_named_and_why(library, open_screen) -> None:
    calculations = SimpleNamespace(engine=Engine("CPython in a <box>", "It works on this machine."))
    process.install(replace(library.workbench, calculations=calculations))
    assert "<b>CPython in a &lt;box&gt;</b> runs them. It works on this machine." in shown_html(open_screen("settings"))


@pytest.mark.req("TOOL-9")
def test_where_nothing_runs_calculations_it_says_what_to_do(library, open_screen) -> None:
    calculations = SimpleNamespace(engine=Engine("", "The interpreter is not installed. Install it."))
    process.install(replace(library.workbench, calculations=calculations))
    text = shown_html(open_screen("settings"))
    assert "<b>No code runs for calculations.</b> The interpreter is not installed. Install it." in text


@pytest.mark.parametrize("recipe", configuration._RECIPES.values(), ids=configuration._RECIPES)
def test_each_recipe_is_a_configuration_that_is_accepted(recipe: str, tmp_path, monkeypatch) -> None:
    for line in recipe.splitlines():
        name, value = line.removeprefix("export ").split("=", 1)
        monkeypatch.setenv(name, value.strip("<>"))
    settings = Settings(home=tmp_path)
    assert settings.provider is not Provider.EXTRACTIVE


def test_a_key_is_never_shown(library, open_screen, monkeypatch) -> None:
    secret = "sk-" + "verysecret" * 4
    settings = Settings(home=library.workbench.settings.home, provider="openai", model="m<b>", api_key=secret)
    process.install(replace(library.workbench, settings=settings))
    text = shown_html(open_screen("settings"))
    assert secret not in text
    assert "verysecret" not in text
    assert "m&lt;b&gt;" in text


@pytest.mark.req("ASK-12")
def test_the_provider_can_be_tested_and_the_result_is_said_in_words(library, open_screen) -> None:
    settings = Settings(home=library.workbench.settings.home, provider="openai", model="m", api_key="sk-x")

    def tested(probe) -> object:
        process.install(replace(library.workbench, settings=settings, probe=probe))
        at = open_screen("settings")
        assert not at.success
        at.button[0].click().run()
        return at

    found = ProbeResult(history="chain", found="It knew.", left=("resp_7",))
    at = tested(lambda: found)
    assert "It knew. Could not be deleted there: resp_7." in plain(at.success[0])

    def failing() -> ProbeResult:
        raise ModelUnavailable("It could not be reached.", "Check the network.")

    at = tested(failing)
    assert plain(at.error[0]) == "It could not be reached. Check the network."
    assert not at.success
