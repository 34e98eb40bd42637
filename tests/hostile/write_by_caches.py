"""passed|raised: bakes a simulation and exports scenes to another folder."""

import json
import sys

import bpy

target = json.loads(sys.argv[-1])
cube = bpy.data.objects["Cube"]
cloth = cube.modifiers.get("cloth") or cube.modifiers.new("cloth", "CLOTH")
cloth.point_cache.use_disk_cache = True
cloth.point_cache.frame_end = 2
cloth.point_cache.use_external = True
cloth.point_cache.filepath = target["folder"]
for export in (bpy.ops.wm.alembic_export, bpy.ops.wm.usd_export, bpy.ops.wm.obj_export):
    try:
        export(filepath=target["folder"] + "/made.abc")
    except (RuntimeError, AttributeError):
        pass
try:
    bpy.ops.ptcache.bake_all(bake=True)
except RuntimeError:
    pass
