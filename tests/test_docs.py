"""What the documentation lists is what there is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PIL import Image
from pydantic_core import PydanticUndefined

from app.checks.verdict import STAGES
from app.cli import app as commands
from app.drafting.composer import Composer
from app.settings import Settings
from harness.blenders import SYSTEM_LIBRARIES, Blender
from harness.protocol import Outcome
from ingest.manifest import manifest_of

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text()
PICTURED = (
    "Create a torus called Ring, major radius 2, minor radius 0.6, with a shiny gold-coloured metallic material, "
    "and shade it smooth"
)


def settings_table() -> str:
    """The table of docs/settings.md, from the settings themselves."""
    rows = ["| variable | default | meaning |", "| --- | --- | --- |"]
    for name, field in Settings.model_fields.items():
        default = "" if field.default in (None, PydanticUndefined) else f"`{field.default}`"
        meaning = " ".join((field.description or "").split())
        rows.append(f"| `BLENDPROOF_{name.upper()}` | {default} | {meaning} |")
    return "\n".join(rows)


def test_the_settings_are_listed() -> None:
    assert settings_table() in (ROOT / "docs" / "settings.md").read_text()


def test_every_outcome_and_every_stage_is_explained() -> None:
    outcomes = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs" / "outcomes.md").read_text(), re.MULTILINE)
    stages = re.findall(r"^\| (\w+) \|", (ROOT / "docs" / "verdict.md").read_text(), re.MULTILINE)
    assert outcomes == [outcome.value for outcome in Outcome]
    assert tuple(stages[1:]) == STAGES


def test_the_readme_names_the_system_packages() -> None:
    packages = (ROOT / "setup" / "system-packages.txt").read_text().split()
    assert set(SYSTEM_LIBRARIES.values()) < set(packages)
    assert " ".join(packages) in " ".join(README.split())


def test_the_readme_names_every_command() -> None:
    names = {command.name or command.callback.__name__ for command in commands.registered_commands if command.callback}
    names |= {group.name for group in commands.registered_groups if group.name}
    assert set(re.findall(r"^blendproof (\w+)", README, re.MULTILINE)) == names


@pytest.mark.blender
def test_the_picture_in_the_readme_is_of_the_snippet_beside_it(home: Path, blender: Blender) -> None:
    assert " ".join(PICTURED.split()) in " ".join(README.split())
    snippet = (ROOT / "docs" / "pictures" / "ring.py").read_text()
    assert Composer().draft(PICTURED, manifest_of(home, blender)).snippet == snippet
    with Image.open(ROOT / "docs" / "pictures" / "ring.png") as picture:
        assert picture.size == (512, 512)


@pytest.mark.parametrize(
    "page", sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]), ids=lambda path: path.name
)
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
        assert (page.parent / link).exists(), link
