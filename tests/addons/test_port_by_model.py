"""Where no rule helps, a model repairs an add-on: what gets it further is kept, unless code is taken away for it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from app.addons import by_model, draft
from app.addons.by_model import changed_lines
from app.addons.discovery import contents_of
from app.addons.draft import Workshop
from app.addons.port import port
from app.addons.porter import read_change
from app.addons.report import PortReport, message_of
from app.addons.taken import losses
from app.jobs.budget import Budget
from app.jobs.spending import Spending
from app.llm.answers import without_reasoning
from harness.addons import Registration
from harness.blenders import Blender
from harness.readers.host import adapter_of
from harness.sandbox.ladder import strongest
from ingest.manifest import Manifest
from tests.addons.registering import INFO, Registers
from tests.codebase.small import write
from tests.model_server import Reply, model_server, models_at, off_the_loop

SHED = (
    INFO
    + """import bpy


class Roof:
    pass


def build():
    bpy.context.scene.update()
    return bgl_lines(Roof)


def register():
    build()
"""
)
FIVE = [Blender("module", Path("/none"), "5.0.1", "0", "3.11")]
BUDGET = Budget(50_000, 100.0, None)


def build(body: str, reason: str = "Nothing defines bgl_lines.") -> str:
    return f"{reason}\n<<BEGIN_UNIT shed.py::build>>\ndef build():\n{body}<<END>>\n"


RIGHT = build("    bpy.context.view_layer.update()\n    return len(str(Roof))\n")


async def ported(
    tmp_path: Path,
    manifest: Manifest,
    answers: Sequence[str],
    budget: Budget = BUDGET,
    marks: Sequence[str] = ("bgl_lines",),
) -> PortReport:
    """What a port comes to with these answers of a model over HTTP; each question must show the error."""
    root = write(tmp_path / "root", {"shed.py": SHED.replace("\n", "\r\n")})
    with model_server(*(Reply(text) for text in answers)) as server, pytest.MonkeyPatch.context() as patch:
        models = models_at(server.url)
        patch.setattr("app.addons.porter.without_reasoning", off_the_loop(without_reasoning))
        patch.setattr(draft, "use_addon", Registers(*marks, kind="NameError", message="not defined:"))
        spending = Spending(models, budget)
        workshop = Workshop(FIVE, manifest, strongest(), lambda _: None, models=spending)
        try:
            done = await port(contents_of(root, "root"), workshop)
        finally:
            await models.close()
        assert all("shed.py:11: NameError: not defined: " in question for question in server.questions)
        assert sum(call.tokens_in for call in spending.calls) == 1000 * min(len(server.questions), len(answers))
    return done


async def test_what_a_model_repairs_is_kept_apart_from_what_rules_are_sure_of(
    tmp_path: Path, manifest: Manifest
) -> None:
    done = await ported(tmp_path, manifest, ["I do not know.", RIGHT])
    (addon,) = done.addons
    assert done.passed and done.changed["shed.py"].count(b"\r\n") == SHED.count("\n")
    assert [(one.rule, one.line) for _, one in addon.reasons(guess=False)] == [("scene-update", 10)]
    ((path, guess),) = addon.reasons(guess=True)
    assert (path, guess.rule, guess.line, guess.reason) == ("shed.py", "model", 11, "Nothing defines bgl_lines.")
    assert "An answer of the model was not kept: the answer has no line <<BEGIN_FILE" in addon.notes[0]
    _, _, apart = message_of(done).partition("Guesses, which are kept because the add-on gets further with them:\n")
    assert apart.strip() == "- shed.py:11: Nothing defines bgl_lines. [model]"


WRONG = {
    "it gets no further": build("    return bgl_lines(Roof, 1)\n"),
    "build is empty": build("    return None\n"),
    "Roof is used no more": build("    return print(1)\n"),
    "an error is hidden": build("    try:\n        return other(Roof)\n    except Exception:\n        return 1\n"),
    "register is gone": "It is not needed.\n<<BEGIN_FILE shed.py>>\n" + SHED[: SHED.index("\n\ndef reg")] + "\n<<END>>",
    "frame_curent": build("    bpy.context.scene.frame_curent = len(str(Roof))\n"),
    "other.py is no Python file": "More.\n<<BEGIN_FILE other.py>>\nx = 1\n<<END>>\n",
    "belongs to version control": "A hook.\n<<BEGIN_FILE .git/hooks/pre-commit>>\nx\n<<END>>\n",
}


async def test_an_answer_by_which_nothing_gets_better_is_taken_back(tmp_path: Path, manifest: Manifest) -> None:
    told = list(WRONG)
    for some in (told[:3], told[3:6], told[6:]):
        done = await ported(tmp_path, manifest, [WRONG[one] for one in some])
        (addon,) = done.addons
        assert not done.passed and addon.reasons(guess=True) == [] and b"bgl_lines(Roof)\r\n" in done.changed["shed.py"]
        for said, note in zip(some, addon.notes, strict=False):
            assert "was not kept" in note and said in note
        # After three vain answers no more are asked for, and a server that has none left ends it too.
        assert len(addon.notes) == 3


async def test_a_port_ends_with_what_rules_did_if_the_budget_is_spent(tmp_path: Path, manifest: Manifest) -> None:
    done = await ported(tmp_path, manifest, ["?"], Budget(100, 100.0, None))
    assert done.addons[0].notes[1] == "No model was asked further: the models used 1100 of 100 tokens"
    assert list(done.changed) == ["shed.py"] and not done.passed


@pytest.mark.parametrize("ends", [False, True])
async def test_another_error_in_the_same_step_is_no_step(tmp_path: Path, manifest: Manifest, ends: bool) -> None:
    other = build("    bpy.context.view_layer.update()\n    other_error(Roof)\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(by_model, "MOST", 2)
        done = await ported(tmp_path, manifest, [other, RIGHT if ends else other], marks=("bgl_lines", "other_error"))
    (addon,) = done.addons
    assert done.passed == ends
    assert (b"bgl_lines(Roof)" in done.changed["shed.py"]) != ends and b"other_error" not in done.changed["shed.py"]
    assert bool(addon.reasons(guess=True)) == ends
    told = [note for note in addon.notes if "by which no more steps are done" in note]
    assert len(told) == (not ends) and addon.registrations[0].after.problem == (
        None if ends else addon.registrations[0].before.problem
    )


def test_what_a_model_says_is_read_as_a_task() -> None:
    said = read_change(f"<think>No.</think>{RIGHT}", "stop", {"shed.py": SHED})
    assert (list(said.texts), said.reason, said.problem) == (["shed.py"], "Nothing defines bgl_lines.", "")
    assert adapter_of(read_change).validate_json(adapter_of(read_change).dump_json(said)) == said


def test_a_line_of_a_model_is_told_as_it_was_before_the_rules() -> None:
    assert changed_lines("a\nb\nc\n", "b\nc\n", "b\nx\n") == [3]
    assert changed_lines("a\nb\n", "new\na\nb\n", "new\na\nb\nmore\n") == [3]
    assert changed_lines("a\nb\n", "a\nb\n", "a\nb\n") == []


async def test_an_add_on_that_comes_less_far_on_another_blender_is_not_ported(
    tmp_path: Path, manifest: Manifest
) -> None:
    root = write(
        tmp_path / "root", {"shed.py": INFO + "import bpy\n\n\ndef register():\n    bpy.context.scene.update()\n"}
    )
    both = [*FIVE, Blender("module", Path("/none"), "4.2.3", "0", "3.11")]

    class NewOnly(Registers):
        async def __call__(self, blender: Blender, *given: object) -> Registration:
            self.marks = ("view_layer",) if blender.version == "4.2.3" else ()
            return await super().__call__(blender, *given)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(draft, "use_addon", NewOnly())
        done = await port(contents_of(root, "root"), Workshop(both, manifest, strongest(), lambda _: None))
    (addon,) = done.addons
    assert [one.after.passed for one in addon.registrations] == [True, False] and not done.passed


BASE = """import a

class C:
    def f(self):
        return a.b

    def h(self):
        try:
            a.c()
        except Exception as e:
            self.report(e)

def menu():
    return 'm'

def g():
    use(C)
    a.append(menu)

def end():
    a.remove(menu)
"""
HIDDEN = "an error is hidden by `except` or `suppress`"


@pytest.mark.parametrize(
    ("new", "lost"),
    [
        (BASE.replace("a.b", "a.c or 1"), []),
        (BASE + "\ndef h():\n    pass\n", []),
        (BASE.replace("use(C)", "try:\n        use(C)\n    except ImportError:\n        pass"), []),
        (BASE.replace("use(C)", "try:\n        use(C)\n    except:\n        pass"), [HIDDEN]),
        (BASE.replace("use(C)", "try:\n        use(C)\n    except (OSError, Exception):\n        pass"), [HIDDEN]),
        (BASE.replace("use(C)", "with a.suppress(Exception):\n        use(C)"), [HIDDEN]),
        (BASE.replace("use(C)", "with a.suppress(ImportError):\n        use(C)"), []),
        (BASE.replace("return a.b", "return {'FINISHED'}"), ["C.f is empty"]),
        (BASE.replace("return a.b", "return {a.b}"), []),
        (BASE.replace("a.append(menu)", "a.append(C)"), ["menu is used no more"]),
        (BASE.replace("a.append(menu)", "a.prepend(menu)"), []),
        (BASE.replace("return 'm'", "return {'m'}").replace("self.report(e)", "self.report(str(e))"), []),
        (BASE.replace("def f", "def k"), ["C.f is gone"]),
        (BASE.replace("return a.b", "'''No.'''"), ["C.f is empty"]),
        (BASE.replace("use(C)", "use()"), ["C is used no more"]),
        ("def g(:\n", ["it does not parse"]),
    ],
)
def test_what_is_taken_away_is_seen(new: str, lost: list[str]) -> None:
    assert losses(BASE, new) == lost
    assert losses("print 'old'\n", new) == []
