"""Export every mesh object to a file of its own.

Asked as: batch export meshes; export each object to its own obj file; save all objects as separate files
"""

from pathlib import Path

import bpy

FOLDER = Path.cwd()
ONLY = "MESH"


def select_only(obj: bpy.types.Object) -> None:
    """Select this object and no other, because the exporter writes what is selected."""
    layer = bpy.context.view_layer
    assert layer is not None
    for other in layer.objects:
        other.select_set(other == obj)
    layer.objects.active = obj


def file_name(obj: bpy.types.Object) -> str:
    """Return the object's name as a file can be called."""
    return "".join(letter if letter.isalnum() or letter in "._- " else "_" for letter in obj.name)


def main() -> None:
    scene = bpy.context.scene
    assert scene is not None
    for obj in scene.objects:
        if obj.type == ONLY:
            select_only(obj)
            path = FOLDER / f"{file_name(obj)}.obj"
            bpy.ops.wm.obj_export(filepath=str(path), export_selected_objects=True)
            obj["exported_as"] = path.name


main()
