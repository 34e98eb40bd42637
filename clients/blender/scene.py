"""The open scene: a copy of it to send, and objects of a proven scene to take in."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import bpy

from .client import ExtensionProblem

TO_PACK: Final = (
    "In File > External Data, Make Paths Relative and then Pack Linked Libraries; or make the data local with "
    "Object > Relations > Make Local."
)
NEWER: Final = "If a newer Blender saved it, set the Blender to prove on in the preferences, and prove it again."


def temporary(suffix: str) -> Path:
    """A fresh path in the folder that Blender removes when it is closed."""
    return Path(bpy.app.tempdir) / f"blendproof-{secrets.token_hex(6)}{suffix}"


def unpacked_libraries() -> list[str]:
    """The files that the scene links data from and that would not travel with it."""
    # Of what was only appended, a library without any data may stay.
    return sorted({one.filepath for one in bpy.data.libraries if one.packed_file is None and one.users_id})


def unpacked_images() -> list[str]:
    """Names of the images that would not travel with it."""
    from_files = ("FILE", "SEQUENCE", "MOVIE", "TILED")
    return [
        image.name
        for image in bpy.data.images
        if image.source in from_files and image.users and image.filepath and not image.packed_files
    ]


def save_copy(most_mib: int) -> Path:
    """A copy of the open file, as it is now; the file itself stays as it is. Raises ExtensionProblem."""
    if libraries := unpacked_libraries():
        raise ExtensionProblem(
            f"The scene links data that would not travel with it: {', '.join(libraries)}.",
            TO_PACK,
        )
    path = temporary(".blend")
    try:
        bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True, compress=True, check_existing=False)
    except RuntimeError as error:
        raise ExtensionProblem(f"The scene cannot be saved: {' '.join(str(error).split())}") from error
    size = path.stat().st_size
    if size > most_mib << 20:
        path.unlink()
        raise ExtensionProblem(
            f"The scene has {size / (1 << 20):.1f} MiB; the limit is {most_mib}.",
            "Remove what it does not need, or raise the limit in the preferences if the service takes more.",
        )
    return path


def take_in(blend: bytes, names: Sequence[str], collection: Any) -> list[str]:
    """Append these objects of a .blend to a collection; answers the names that they got here.

    Raises ExtensionProblem.
    """
    path = temporary(".blend")
    path.write_bytes(blend)
    try:
        with bpy.data.libraries.load(str(path), link=False) as (there, wanted):
            wanted.objects = [name for name in names if name in there.objects]
    except (OSError, RuntimeError) as error:
        raise ExtensionProblem(f"The scene cannot be read here: {' '.join(str(error).split())}", NEWER) from error
    finally:
        path.unlink()
        forget_library(path)
    # Blender has put the objects in the places of their names, or None.
    appended: list[Any] = wanted.objects
    found = [one for one in appended if one is not None]
    for one in found:
        collection.objects.link(one)
    return [one.name for one in found]


def forget_library(path: Path) -> None:
    """Remove what Blender notes of a file that was appended from, unless something is still linked."""
    for library in list(bpy.data.libraries):
        if library.filepath == str(path) and not library.users_id:
            bpy.data.libraries.remove(library)


def may_run_scripts() -> bool:
    """True if this Blender runs the Python of what it opens and appends, such as that of drivers."""
    return bool(bpy.context.preferences.filepaths.use_scripts_auto_execute)


def collection_named(name: str) -> Any:
    """The collection of this name in the open scene, otherwise the scene's own."""
    own = bpy.data.scenes[0].collection if bpy.context.scene is None else bpy.context.scene.collection
    return next((one for one in own.children_recursive if one.name == name), own)
