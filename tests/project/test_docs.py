"""What the documentation lists is what there is."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import get_args

import pytest
from PIL import Image

from app.accept import CHECK
from app.accept.examples import EXAMPLES
from app.cli import acceptance_page, settings_page
from app.cli.command_table import COMMANDS
from app.drafting.commands import Commands
from app.jobs.kinds import GROUPS
from app.llm.prompts import PromptName, prompt
from app.llm.providers import IN_TURN, URLS, ProviderSettings
from app.llm.script import read_script
from app.service.artifact_search import ArtifactHits
from app.service.search import ExemplarHits, SymbolHits
from app.settings import Settings, read_settings
from app.verdict.verdict import STAGES
from harness.blenders import SYSTEM_LIBRARIES, Blender
from harness.protocol import Outcome
from ingest.manifest import manifest_of

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
METRICS_OF_KINDS = ("jobs_working", "search_seconds")
PICTURED = (
    "Create a torus called Ring, major radius 2, minor radius 0.6, with a shiny gold-coloured metallic material, "
    "and shade it smooth"
)


def test_the_settings_are_listed() -> None:
    page, example = settings_page.PAGE.read_text(), settings_page.EXAMPLE.read_text()
    assert (settings_page.with_tables(page), settings_page.example()) == (page, example), (
        "python -m app.cli.settings_page"
    )
    assert page.count("\n- `BLENDPROOF_") == len(Settings.model_fields)


def test_a_page_that_lags_behind_is_found() -> None:
    page = settings_page.PAGE.read_text()
    old = page.replace("`BLENDPROOF_PORT` = `8484`", "`BLENDPROOF_PORT` = `8080`")
    assert old != page and settings_page.with_tables(old) == page


def uncommented(line: str) -> str:
    """A line of the example as it is once a user removes the # of a setting."""
    return line.removeprefix("# ") if re.match(r"# (\w+ = |\[)", line) else ""


def test_each_setting_of_the_example_is_toml() -> None:
    lines = [uncommented(line) for line in settings_page.EXAMPLE.read_text().splitlines()]
    assert len(list(filter(None, lines))) > len(Settings.model_fields)
    tomllib.loads("\n".join(lines))
    with pytest.raises(tomllib.TOMLDecodeError):
        tomllib.loads(uncommented("# cluster = null"))


def test_the_example_of_settings_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    what_needs_more = (
        "# (blender|cluster|withheld|cross|clip_w|repository_prompt|model_[pnukis]|model_con|script|tokens)"
    )
    written = "".join(
        uncommented(line) + "\n"
        for line in settings_page.EXAMPLE.read_text().splitlines()
        if not re.match(what_needs_more, line)
    )
    monkeypatch.setenv("BLENDPROOF_CONFIG", str(tmp_path / "blendproof.toml"))
    (tmp_path / "blendproof.toml").write_text(written)
    settings = read_settings()
    (vllm,) = settings.model_providers()
    assert (settings.port, settings.model_run_cost, vllm.model, vllm.timeout_s) == (8484, 0.1, "some-coder-32b", 180)


def test_every_outcome_and_every_stage_is_explained() -> None:
    outcomes = re.findall(r"^- \*\*`(\w+)`\*\*: ", (ROOT / "docs" / "outcomes.md").read_text(), re.MULTILINE)
    stages = re.findall(r"^\d+\. \*\*(\w+)\*\*, ", (ROOT / "docs" / "verdict.md").read_text(), re.MULTILINE)
    assert outcomes == [outcome.value for outcome in Outcome]
    assert tuple(stages) == STAGES


def test_the_groups_of_jobs_and_the_kinds_of_searches_are_listed() -> None:
    rows = (ROOT / "docs" / "operating.md").read_text().splitlines()
    row = {name: next(line for line in rows if f"| `blendproof_{name}` |" in line) for name in METRICS_OF_KINDS}
    assert re.findall(r"`([\w -]+)`", row["jobs_working"])[1:] == [group.name for group in GROUPS]
    timed = re.compile(r"\bsearching\(\"(\w+)\"\)")
    said = {kind for module in (ROOT / "app").rglob("*.py") for kind in timed.findall(module.read_text())}
    assert len(said) >= 3
    fields = [hits.model_fields["kind"] for hits in (SymbolHits, ExemplarHits, ArtifactHits)]
    kinds = said | {kind for field in fields for kind in get_args(field.annotation)}
    assert set(re.findall(r"`(\w+)`", row["search_seconds"])[1:]) == kinds


def test_examples_call_the_port_that_the_service_has_unless_told_otherwise() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    port_of = re.compile(r"curl [^\n]*?(?:localhost|127\.0\.0\.1):(\d+)")
    called = [at for page in pages for at in port_of.findall(page.read_text())]
    # docs/containers.md has two services, on the ports after the usual one.
    port: int = Settings.model_fields["port"].default
    assert len(called) > 5 and set(called) == {str(port), str(port + 1)}


def test_the_readme_names_the_system_packages() -> None:
    packages = (ROOT / "setup" / "system-packages.txt").read_text().split()
    assert set(SYSTEM_LIBRARIES.values()) < set(packages)
    assert " ".join(packages) in " ".join(README.split())


def test_the_readme_names_every_command() -> None:
    names = {name.partition(" ")[0] for name in COMMANDS}
    assert set(re.findall(r"^blendproof (\w+)", README, re.MULTILINE)) == names


@pytest.mark.blender
def test_the_picture_in_the_readme_is_of_the_snippet_beside_it(home: Path, blender: Blender) -> None:
    assert " ".join(PICTURED.split()) in " ".join(README.split())
    snippet = (ROOT / "docs" / "pictures" / "ring.py").read_text()
    assert Commands().draft(PICTURED, manifest_of(home, blender)).snippet == snippet
    with Image.open(ROOT / "docs" / "pictures" / "ring.png") as picture:
        assert picture.size == (512, 512)


@pytest.mark.parametrize(
    "page", sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]), ids=lambda path: path.name
)
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
        assert (page.parent / link).exists(), link


def test_the_providers_and_their_settings_are_listed() -> None:
    page = (ROOT / "docs" / "models.md").read_text()
    table = dict(re.findall(r"^\| `(\w+)` \| (\S*) \|", page, re.MULTILINE))
    assert list(table) == [name for name in IN_TURN if name != "scripted"]
    assert {name: url for name, url in table.items() if url} == {n: u for n, u in URLS.items() if n != "scripted"}
    names = set(re.findall(r"^(\w+) = ", page, re.MULTILINE)) - {"model_run_cost"}
    assert names == set(ProviderSettings.model_fields) - {"script"}


def test_acceptance_checks_are_documented() -> None:
    pages = [path.read_text() for path in acceptance_page.PAGES]
    assert [acceptance_page.with_kinds(page) for page in pages] == pages, "python -m app.cli.acceptance_page"
    old = pages[0].replace("- `looks_at`: An object or place.", "- `looks_at`: An object.")
    assert old != pages[0] and acceptance_page.with_kinds(old) == pages[0]
    guide = (ROOT / "docs" / "acceptance.md").read_text()
    named = set(re.findall(r"`(\w+)`", guide.partition("## Kinds of checks")[2]))
    assert named == set(re.findall(r"^## (\w+)$", "\n".join(pages[:2]), re.MULTILINE))
    for example in re.findall(r"```json\n(.*?)```", guide, re.DOTALL):
        assert [CHECK.validate_python(check) for check in json.loads(example)]
    written = "\n".join(re.findall(r"```js\n(.*?)```", "\n".join(pages), re.DOTALL))
    checks = [json.loads(check) for check in re.split(r"^//.*\n", written, flags=re.MULTILINE) if check.strip()]
    kinds = re.findall(r"^## (\w+)$", "\n".join(pages[:2]), re.MULTILINE)
    assert checks == [one.check for kind in kinds for one in EXAMPLES if one.check["check"] == kind]


def test_every_transcript_is_recorded_and_says_how_it_was_made() -> None:
    folder = ROOT / "docs" / "transcripts"
    asked: set[str] = set()
    for script in folder.glob("*.toml"):
        recorded = script.with_suffix(".md").read_text()
        assert recorded.startswith(f"# {read_script(script).request}\n")
        end = "disputed" if script.stem == "bookends" else "proven"
        assert "were written by hand" in recorded and f"Ended: **{end}**, 2 attempts" in recorded
        asked |= set(re.findall(r"^## .*, with prompt (\w+ \d+ \(\w+\))", recorded, re.MULTILINE))
    # What is done with repositories is no run, and has no transcript.
    of_repositories = {"asker", "editor", "explainer", "planner", "patcher", "porter", "ranker", "reviewer"}
    of_runs = set(get_args(PromptName)) - of_repositories
    assert asked == {prompt(name).identity for name in of_runs}, "run python -m bench.transcripts"
