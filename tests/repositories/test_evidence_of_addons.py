"""What a change shows beyond its tests: how add-ons register, and what mypy finds new."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app.addons import registering as evidence
from app.addons.registering import registering
from app.jobs.spending import Spending
from app.repositories.changing import loop
from app.repositories.changing.change import Bench, ChangeRefused, change
from app.repositories.changing.record import Change, ChangeRequest, new_change
from app.repositories.changing.types import new_types
from app.repositories.project import Project
from harness.blenders import Blender
from harness.sandbox.ladder import strongest
from tests.addons.registering import INFO, Registers
from tests.codebase.small import repository
from tests.model_server import model_server, models_at
from tests.repositories.shop import BUDGET, PLAN, file, replies

BROKEN = INFO + "import bgl\n\n\ndef register():\n    pass\n\n\ndef unregister():\n    pass\n"
MENDED = BROKEN.replace("import bgl\n", "")
ANY = Blender("module", Path("/none"), "5.0.1", "0", "3.11")


async def changed(root: Path, answer: str, *blenders: Blender) -> Change:
    """What comes of having the add-on mended, with this answer of a model."""
    with model_server(*replies(answer, plan={**PLAN, "files": ["shed.py"]})) as server:
        models = models_at(server.url)
        made = new_change("shed", ChangeRequest(request="make it register"))
        register = registering("shed", blenders, strongest())
        bench = Bench(Spending(models, BUDGET), strongest(), register=register, typed=False)
        try:
            await change(made, Project(root, root.parent / "index", []), bench)
        finally:
            await models.close()
    return made


@pytest.fixture(autouse=True)
def one_round(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "ROUNDS", 1)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path / "shed", {"shed.py": BROKEN})


@pytest.mark.parametrize(("text", "status"), [(MENDED, "accepted"), (BROKEN.replace("pass", "return", 1), "proposal")])
async def test_an_add_on_that_registers_now_is_the_evidence(
    root: Path, monkeypatch: pytest.MonkeyPatch, text: str, status: str
) -> None:
    monkeypatch.setattr(evidence, "use_addon", Registers("import bgl"))
    made = await changed(root, file("shed.py", text), ANY)
    assert made.status == status, made.note
    found = made.attempts[0].evidence
    assert found and found.mended == (["register shed.py on Blender 5.0.1"] if status == "accepted" else [])
    assert bool(made.branch) == (status == "accepted")


async def test_a_patch_by_which_an_add_on_registers_no_more_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evidence, "use_addon", Registers("import bgl"))
    root = repository(tmp_path / "shed", {"shed.py": MENDED})
    made = await changed(root, file("shed.py", BROKEN), ANY)
    found = made.attempts[0].evidence
    assert made.status == "failed" and found and found.broken == ["register shed.py on Blender 5.0.1"]


OPERATOR = """
import bpy


class SHED_OT_build(bpy.types.Operator):
    bl_idname = "shed.build"
    bl_label = "Build"

    def execute(self, context):
        context.object.location.x = 1
        return {"FINISHED"}


def register():
    bpy.utils.register_class(SHED_OT_build)


def unregister():
    bpy.utils.unregister_class(SHED_OT_build)
"""


@pytest.mark.blender
@pytest.mark.parametrize(
    ("old", "new", "status", "broken"),
    [
        ("location.x = 1", "location.gone = 1", "failed", ["use Operator SHED_OT_build of shed.py on Blender {}"]),
        ("SHED_OT_build", "SHED_OT_make", "proposal", []),
    ],
)
async def test_an_operator_that_raises_newly_is_broken_and_a_renamed_one_is_not(
    old: str, new: str, status: str, broken: list[str], tmp_path: Path, blender: Blender
) -> None:
    root = repository(tmp_path / "shed", {"shed.py": INFO + OPERATOR})
    made = await changed(root, file("shed.py", INFO + OPERATOR.replace(old, new)), blender)
    found = made.attempts[0].evidence
    assert made.status == status and found
    assert found.broken == [name.format(blender.version) for name in broken]


async def test_without_tests_and_blenders_there_is_no_evidence_to_be_had(root: Path) -> None:
    with pytest.raises(ChangeRefused, match="The repository has no tests"):
        await changed(root, file("shed.py", MENDED))


@pytest.mark.blender
async def test_a_real_blender_registers_it(blender: Blender) -> None:
    register = registering("shed", [blender], strongest())
    assert register is not None
    (done,) = await register({"old/__init__.py": BROKEN.encode()})
    assert (done.name, done.outcome) == (f"register old on Blender {blender.version}", "failed")
    assert "No module named 'bgl'" in done.message


@pytest.mark.slow
async def test_new_findings_of_mypy_are_told_and_old_ones_are_not() -> None:
    files = {
        "shop.py": b"from till import ring\n\nold: int = 'a'\nring(1)\n",
        "till.py": b"import bpy\n\n\ndef ring(count: int) -> None:\n    bpy.anything(count)\n",
        "mypy.ini": b"[mypy]\nplugins = evil\n",
        "evil.py": b"raise SystemExit('it ran')\n",
    }
    moved = files["shop.py"].decode().replace("old:", "\nold:") + "ring('1')\n"
    (told,) = await new_types(files, {"shop.py": moved, "new.py": "x = 1\n", "README.md": "x"}, strongest())
    assert re.match(r'shop\.py: Argument 1 to "ring" has incompatible type', told)
    (gave_up,) = await new_types(files, {"new.py": "x = (\n"}, strongest())
    assert "mypy gave up: new.py:2" in gave_up
