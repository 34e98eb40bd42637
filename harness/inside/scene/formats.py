"""The formats of files that Blender itself reads, and the operators that do."""

from __future__ import annotations

IMPORTERS = {
    ".obj": ("wm.obj_import",),
    ".stl": ("wm.stl_import", "import_mesh.stl"),
    ".ply": ("wm.ply_import", "import_mesh.ply"),
    ".fbx": ("import_scene.fbx", "wm.fbx_import"),
    ".svg": ("import_curve.svg",),
    ".abc": ("wm.alembic_import",),
    ".dae": ("wm.collada_import",),
    ".bvh": ("import_anim.bvh",),
    **dict.fromkeys((".glb", ".gltf"), ("import_scene.gltf",)),
    **dict.fromkeys((".usd", ".usda", ".usdc", ".usdz"), ("wm.usd_import",)),
}
"""Per ending the operators that read it, the first that a Blender has; some are add-ons that every Blender brings."""
IMAGES = (".png", ".jpg", ".jpeg", ".bmp", ".tga", ".tif", ".tiff", ".exr", ".hdr")
READABLE = (*IMPORTERS, *IMAGES, ".blend", ".json")
