"""What the configuration of the server promises."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "workbench" / "ui" / "static"
CONFIG = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))


@pytest.mark.req("OPEN-6")
def test_the_server_sends_no_telemetry_and_listens_to_this_machine_only() -> None:
    assert CONFIG["browser"]["gatherUsageStats"] is False
    assert CONFIG["server"]["address"] == "127.0.0.1"
    assert CONFIG["server"]["enableAgentApi"] is False


@pytest.mark.req("OPEN-6")
def test_every_font_is_a_file_of_ours() -> None:
    faces = CONFIG["theme"]["fontFaces"]
    assert {face["family"] for face in faces} == {"Inter", "JetBrains Mono"}
    for face in faces:
        assert (STATIC / face["url"].removeprefix("/assets/")).is_file()


@pytest.mark.req("OPEN-6")
@pytest.mark.parametrize(
    "path", sorted((ROOT / "workbench" / "ui").rglob("*.[cjhs][stv]*")), ids=lambda path: path.name
)
def test_no_style_script_or_picture_names_another_host(path: Path) -> None:
    addresses = re.findall(r"(?:https?|wss?):?//[^\s\"')]+", path.read_text(encoding="utf-8"))
    assert [each for each in addresses if not each.startswith("http://www.w3.org/")] == []


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", ["light", "dark"])
def test_text_and_links_and_buttons_can_be_read(name: str) -> None:
    theme = CONFIG["theme"][name]
    for surface in ("backgroundColor", "secondaryBackgroundColor"):
        for text in ("textColor", "linkColor", "redColor"):
            assert contrast(theme[text], theme[surface]) >= 4.5, (text, surface)
    assert contrast(theme["primaryColor"], "#ffffff") >= 4.5  # the words on a primary button
