"""Containers in Settings, with one user of the machine."""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest


def test_the_one_user_manages_every_container_and_is_told_of_no_members(
    library, open_screen: Callable[..., AppTest]
) -> None:
    held = library.container("Leases")
    at = open_screen("settings")
    assert any("One user" in each.value for each in at.caption)
    at.button(key=f"containers.manage.{held.id}").click().run()
    assert not at.exception
    assert [each.value for each in at.text_input if each.label == "Name"] == ["Leases"]
    labels = {each.label for each in at.button}
    assert {"Rename", "Delete this container"} <= labels
    assert not {"Add", "Remove"} & labels
