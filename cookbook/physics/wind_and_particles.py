"""Emit particles and blow them away with a wind force field.

Asked as: particle system emitting objects; add a wind or turbulence force field; particles that render as small balls;
snow or sparks in the wind
"""

from math import radians
from typing import Any

import bpy
import bmesh

EMITTER, FLAKE, WIND = "Flake Emitter", "Flake", "Flake Wind"
FRAMES = 60


def placed(name: str, data: bpy.types.ID | None) -> bpy.types.Object:
    """Return the object of this name, put into the scene the first time."""
    scene = bpy.context.scene
    obj = bpy.data.objects.get(name) or bpy.data.objects.new(name, data)
    if scene is not None and obj.name not in scene.objects:
        scene.collection.objects.link(obj)
    return obj


def flake() -> bpy.types.Object:
    """What every particle looks like; it is not rendered itself."""
    mesh = bpy.data.meshes.get(FLAKE) or bpy.data.meshes.new(FLAKE)
    bm = bmesh.new()
    bmesh.ops.create_icosphere(bm, subdivisions=2, radius=1.0)
    bm.to_mesh(mesh)
    bm.free()
    shown = placed(FLAKE, mesh)
    shown.hide_render = True
    return shown


def emit(emitter: bpy.types.Object, shown: bpy.types.Object) -> None:
    if "Flakes" not in emitter.particle_systems:
        emitter.modifiers.new("Flakes", "PARTICLE_SYSTEM")
    settings: Any = emitter.particle_systems["Flakes"].settings
    settings.count = 400
    settings.frame_start, settings.frame_end = 1, FRAMES
    settings.lifetime = 2 * FRAMES
    settings.normal_factor = 0.5
    settings.effector_weights.gravity = 0.15
    settings.render_type = "OBJECT"
    settings.instance_object = shown
    settings.particle_size = 0.05
    settings.size_random = 0.6


def blow(wind: bpy.types.Object) -> None:
    """Blow along the wind's own Z axis, which is turned to X."""
    wind.rotation_euler = (0.0, radians(90.0), 0.0)
    if wind.field is None:
        with bpy.context.temp_override(object=wind, active_object=wind):
            bpy.ops.object.forcefield_toggle()
    field = wind.field
    assert field is not None
    field.type = "WIND"
    field.strength = 3.0
    field.noise = 2.0
    field.seed = 7


def main() -> None:
    scene = bpy.context.scene
    assert scene is not None
    mesh = bpy.data.meshes.get(EMITTER) or bpy.data.meshes.new(EMITTER)
    bm = bmesh.new()
    bmesh.ops.create_grid(bm, x_segments=1, y_segments=1, size=1.0)
    bm.to_mesh(mesh)
    bm.free()
    emitter = placed(EMITTER, mesh)
    emit(emitter, flake())
    blow(placed(WIND, None))
    for frame in range(1, FRAMES + 1):  # each frame is computed from the one before
        scene.frame_set(frame)


main()
