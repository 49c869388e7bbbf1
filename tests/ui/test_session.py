"""The door: what is wrong at the start is a readable page, and no screen is reachable around it."""

import pytest

from workbench import bootstrap
from workbench.domain.errors import ConfigurationError
from workbench.ui import process, screens


@pytest.fixture
def broken(monkeypatch):
    """No workbench can be built, for the reason set here."""
    process.install(None)

    def set_reason(error: Exception) -> None:
        def build(*_args):
            raise error

        monkeypatch.setattr(bootstrap, "build", build)

    yield set_reason
    process.install(None)


@pytest.mark.parametrize("screen", ["documents", "viewer", "settings"])
def test_a_wrong_setting_is_said_on_every_screen(broken, open_screen, screen: str) -> None:
    broken(ConfigurationError("The setting PINCITE_$X$ is wrong.", "Correct it."))
    at = open_screen(screen)
    assert at.header[0].value == "Pincite cannot start yet"
    assert "PINCITE" in at.error[0].value
    assert "$X$" not in at.error[0].value.replace("\\$", "")
    assert [each.label for each in at.button] == ["Try again"]


def test_a_data_directory_in_use_is_said_to_be_so(library, open_screen) -> None:
    process.install(None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PINCITE_HOME", str(library.workbench.settings.home))
        at = open_screen("documents")
    process.install(library.workbench)
    assert at.header[0].value == "Pincite is already running"


def test_every_screen_asks_for_the_session_before_anything_else() -> None:
    for screen in (screens.ASK, screens.DOCUMENTS, screens.VIEWER, screens.SETTINGS):
        assert "session.require()" in screen.read_text(encoding="utf-8")


def test_the_workbench_is_built_once(broken, monkeypatch) -> None:
    built = []

    def build(settings):
        built.append(settings)
        return object()

    monkeypatch.setattr(bootstrap, "build", build)
    assert process.workbench() is process.workbench()
    assert len(built) == 1
