"""The saved scene of an artifact, kept if a run asked for it: scene/<SHA-256>.blend and .glb, so that a name checks it.

They are no files of record: a later run of the same snippet may add them, an archive leaves them out, and nothing is
proven by them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

from app.artifacts.store.record import file_hash
from app.artifacts.store.record_files import SCENE_FOLDER, intact, replace_file
from app.errors import SceneNotKept
from harness.order import MODEL, SCENE

SceneForm = Literal["blend", "glb"]
FORMS: Final[dict[SceneForm, str]] = {"blend": SCENE, "glb": MODEL}
"""The forms of a scene by their suffix, with the name that each has among the results of an execution."""


def keep(folder: Path, results: Path) -> bool:
    """Keep the scene among these results in the folder of its artifact, unless it is there intact; a form that was too
    large, or could not be exported, is missing. True if anything was kept.
    """
    for changed in damaged(folder):
        changed.unlink()
    new: list[SceneForm] = [
        form for form, name in FORMS.items() if (results / name).is_file() and not find(folder, form)
    ]
    for form in new:
        scene = results / FORMS[form]
        (folder / SCENE_FOLDER).mkdir(exist_ok=True)
        replace_file(folder / SCENE_FOLDER / f"{file_hash(scene)}.{form}", scene.read_bytes())
    return bool(new)


def find(folder: Path, form: SceneForm = "blend") -> Path | None:
    """The kept scene of an artifact in this form; None if there is none."""
    return next(iter(sorted((folder / SCENE_FOLDER).glob(f"[0-9a-f]*.{form}"))), None)


def read(folder: Path, form: SceneForm) -> bytes:
    """The kept scene. Raises SceneNotKept, and ArtifactDamaged if the file was changed."""
    scene = find(folder, form)
    if scene is None:
        raise SceneNotKept(f"The scene of artifact {folder.name} is not kept as .{form}.")
    return intact(folder, f"{SCENE_FOLDER}/{scene.name}", scene.stem)


def damaged(folder: Path) -> list[Path]:
    """The kept scenes that were changed."""
    return [scene for form in FORMS if (scene := find(folder, form)) and file_hash(scene) != scene.stem]
