"""The Settings screen says what is configured and how to change it, and shows no secret."""

from dataclasses import replace

import pytest

from workbench.settings import Provider, Settings
from workbench.ui import configuration, process


def shown_html(at) -> str:
    return "\n".join(each.proto.body for each in at.get("html"))


def test_the_embedded_model_is_named_for_what_it_is_with_three_ways_to_configure_another(library, open_screen) -> None:
    at = open_screen("settings")
    text = shown_html(at)
    assert "No language model is configured" in text
    assert "word for word" in text
    assert [tab.label for tab in at.tabs] == ["OpenAI", "Azure OpenAI", "Compatible server"]
    for row in library.workbench.settings.describe():
        assert row.variable.split(", ")[0] in text


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
