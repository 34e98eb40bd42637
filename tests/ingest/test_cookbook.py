"""The cookbook: each recipe is written as one, satisfies every check at its strictest, and is proven in Blender."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from app.checks.execution import judge_execution, judge_repeat, judge_scene
from app.checks.policy import check_policy
from app.checks.render import judge_render
from app.checks.ruff import check_ruff
from app.verdict.parse import parse_snippet
from app.verdict.rules import load_rules
from app.verdict.verdict import Author, Finding, Stage, StageState
from harness.blenders import Blender
from harness.execution import execute
from harness.order import Order
from harness.pool.pool import Pool
from harness.sandbox.ladder import strongest
from ingest.cookbook import CookbookRecipe, RecipeError, load_cookbook
from tests.receipts import RENDER, differs, measures, read_receipts, receipt_of
from tests.strict_types import mypy_says, pyright_says

RECIPES = load_cookbook()
NAMES = [recipe.name for recipe in RECIPES]
AREAS = {"advanced", "animation", "data", "materials", "modelling", "physics", "rendering", "scripting"}

WITHOUT_SUBJECT = {
    "advanced/video_titles",
    "animation/turntable",
    "rendering/render_settings_and_passes",
    "scripting/operator_and_panel",
    "scripting/pie_menu",
}
"""Recipes that make nothing a camera can see."""

COOKBOOK: Author = "cookbook"
RULES = load_rules()
AT_A_TIME = 2

RECIPE = '''"""Make a thing.

Asked as: build a
thing; thing from python
"""

import bpy

print(bpy.data)
'''


# --- the reader -------------------------------------------------------------------------------------------


def test_a_recipe_is_read(tmp_path: Path) -> None:
    write(tmp_path, RECIPE)
    snippet = '"""Make a thing."""\n\nimport bpy\n\nprint(bpy.data)\n'
    asks = ("build a thing", "thing from python")
    assert load_cookbook(tmp_path) == (CookbookRecipe("data/thing", "Make a thing", asks, snippet),)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("import bpy\n", "no docstring"),
        (RECIPE.replace("Make a thing.", "Make a thing"), "not a sentence"),
        (RECIPE.replace("Asked as:", "Also:"), "Asked as"),
        (RECIPE.replace("Asked as:", "More on it.\n\nAsked as:"), "Asked as"),
        (RECIPE.replace("thing; thing from python", "thing;"), "Asked as"),
        ('"""Make a thing."""\n', "Asked as"),
        (RECIPE + "\nreturn (\n", "not valid Python"),
    ],
)
def test_what_is_no_recipe_is_refused_with_its_name(source: str, said: str, tmp_path: Path) -> None:
    write(tmp_path, source)
    with pytest.raises(RecipeError, match=rf"data/thing\.py.*{said}"):
        load_cookbook(tmp_path)


def test_an_empty_folder_is_no_cookbook(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match="no recipes"):
        load_cookbook(tmp_path)


def write(folder: Path, source: str) -> None:
    (folder / "data").mkdir()
    (folder / "data" / "thing.py").write_text(source, encoding="utf-8")


# --- the recipes, read ------------------------------------------------------------------------------------


def test_there_are_recipes_for_every_area() -> None:
    assert {name.partition("/")[0] for name in NAMES} == AREAS
    assert len(NAMES) == 62


def test_no_wording_asks_for_two_recipes() -> None:
    wordings = [wording.lower() for recipe in RECIPES for wording in (recipe.title, *recipe.asks)]
    assert len(set(wordings)) == len(wordings)


@pytest.mark.parametrize("recipe", RECIPES, ids=NAMES)
def test_a_recipe_is_short_and_has_other_wordings(recipe: CookbookRecipe) -> None:
    assert 2 <= len(recipe.asks) <= 4
    assert 15 <= sum(bool(line) for line in recipe.snippet.splitlines()) <= 75


@pytest.mark.parametrize("recipe", RECIPES, ids=NAMES)
async def test_parse_policy_and_ruff_find_nothing(recipe: CookbookRecipe) -> None:
    found: list[Finding] = parse_snippet(recipe.snippet)
    found += check_policy(recipe.snippet, lambda code: RULES.severity("policy", code, COOKBOOK))
    found += await check_ruff(recipe.snippet, COOKBOOK, RULES)
    assert found == []


@pytest.fixture(scope="module")
def snippets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with every snippet, so that one call of a type checker reads them all."""
    folder = tmp_path_factory.mktemp("recipes")
    for recipe in RECIPES:
        (folder / f"{recipe.name.replace('/', '__')}.py").write_text(recipe.snippet, encoding="utf-8")
    return folder


@pytest.mark.blender
def test_mypy_finds_nothing_at_its_strictest(snippets: Path, stubs: Path, home: Path) -> None:
    said = mypy_says(snippets, stubs, home)
    assert said == f"Success: no issues found in {len(RECIPES)} source files\n", said


@pytest.mark.blender
def test_pyright_finds_nothing_at_its_strictest(snippets: Path, stubs: Path) -> None:
    assert pyright_says(snippets, stubs) == (len(RECIPES), [])


# --- the recipes, executed --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Proof:
    """What running a recipe showed: the stages that only running can judge, whether the picture is of its own, and the
    receipt of what it made."""

    stages: list[Stage]
    shows_its_own: bool
    receipt: dict[str, Any]


@pytest.fixture(scope="module")
def proofs(blender: Blender, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Proof]:
    """The proof of every recipe, by name, a few made at a time."""
    folder = tmp_path_factory.mktemp("proofs")
    return asyncio.run(prove_all(blender, folder))


async def prove_all(blender: Blender, folder: Path) -> dict[str, Proof]:
    sandbox = strongest()
    # A cold Blender takes twenty times as long; it is for machines on which jobs of a warm one could not be kept apart.
    pool = Pool(folder / "warm", sandbox, AT_A_TIME) if sandbox.keeps_forks_apart else None
    turn = asyncio.Semaphore(AT_A_TIME)

    async def prove(recipe: CookbookRecipe) -> Proof:
        async with turn:
            job = folder / recipe.name.replace("/", "__")
            report = await execute(blender, Order(recipe.snippet, render=RENDER), job, sandbox, pool)
        stages = [
            judge_execution(report, COOKBOOK, RULES),
            judge_repeat(report, COOKBOOK, RULES),
            judge_scene(report, COOKBOOK, RULES),
            judge_render(report, job / "examine" / "out", COOKBOOK, RULES),
        ]
        render = report["evidence"]["render"]
        shows_its_own = render is not None and not render["subject_is_untouched"]
        return Proof(stages, shows_its_own, receipt_of(recipe, report, job))

    try:
        return dict(zip(NAMES, await asyncio.gather(*map(prove, RECIPES)), strict=True))
    finally:
        if pool:
            await pool.close()


@pytest.mark.blender
@pytest.mark.parametrize("name", NAMES)
def test_is_proven_in_blender(name: str, proofs: dict[str, Proof]) -> None:
    proof = proofs[name]
    assert [(stage.name, stage.reason) for stage in proof.stages if stage.state is not StageState.PASSED] == []
    assert proof.shows_its_own is (name not in WITHOUT_SUBJECT)


@pytest.mark.blender
@pytest.mark.parametrize("name", NAMES)
def test_comes_out_as_its_receipt_says(name: str, proofs: dict[str, Proof], blender: Blender) -> None:
    receipts = read_receipts().get(blender.series)
    if receipts is None:
        pytest.skip(f"no receipts of Blender {blender.series} were written")
    assert differs(receipts.get(name), proofs[name].receipt) == "", "python -m bench.replay --write, where it was meant"


def test_a_receipt_tells_another_scene_from_another_rounding() -> None:
    def receipt(size: float, geometry: str) -> dict[str, Any]:
        block = {"vertices": 8, "faces": 6, "location": [0.0, 0.0, 1.0], "dimensions": [size, 2.0, None]}
        return {"snippet": "s", "outcome": "passed", "geometry": geometry, "measures": measures([block, {}])}

    assert differs(receipt(2.0, "a"), receipt(2.0004, "b")) == ""
    assert differs(receipt(2.0, "a"), receipt(2.1, "b")) == "its geometry differs"
    assert differs(receipt(2.0, "a"), {**receipt(2.0, "a"), "outcome": "crashed"}) != ""
    assert differs(receipt(2.0, "a"), {**receipt(2.0, "a"), "snippet": "t"}) == "it has changed since its receipt"
