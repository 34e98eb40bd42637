"""The saved scene of an artifact, kept if a run asked for it: scene/<SHA-256>.blend, so that its name checks it.

It is not a file of record: a later run of the same snippet may add it, an archive leaves it out, and nothing is
proven by it.
"""

from __future__ import annotations

from pathlib import Path

from app.artifacts.store.record import file_hash
from app.artifacts.store.record_files import SCENE_FOLDER, intact, replace_file
from app.errors import SceneNotKept


def keep(folder: Path, scene: Path) -> bool:
    """Keep this scene in the folder of its artifact, unless an intact one is there or it was too large to come here;
    True if it was kept.
    """
    if changed := damaged(folder):
        changed.unlink()
    if not scene.is_file() or find(folder):
        return False
    (folder / SCENE_FOLDER).mkdir(exist_ok=True)
    replace_file(folder / SCENE_FOLDER / f"{file_hash(scene)}.blend", scene.read_bytes())
    return True


def find(folder: Path) -> Path | None:
    """The kept scene of an artifact; None if there is none."""
    return next(iter(sorted((folder / SCENE_FOLDER).glob("[0-9a-f]*.blend"))), None)


def read(folder: Path) -> bytes:
    """The kept scene. Raises SceneNotKept, and ArtifactDamaged if the file was changed."""
    scene = find(folder)
    if scene is None:
        raise SceneNotKept(f"The scene of artifact {folder.name} is not kept.")
    return intact(folder, f"{SCENE_FOLDER}/{scene.name}", scene.stem)


def damaged(folder: Path) -> Path | None:
    """The kept scene if it was changed, else None."""
    scene = find(folder)
    return scene if scene and file_hash(scene) != scene.stem else None
