"""Build an armature with two bones that reach for a target by inverse kinematics, and bend a mesh with it.

Asked as: create an armature with bones in python; add an IK constraint; rig an arm; skin a mesh to bones with vertex
groups
"""

from typing import Any

import bpy
import bmesh

RIG, SKIN, TARGET = "Arm Rig", "Arm Skin", "Arm Target"
JOINTS = ((0.0, 0.0, 0.0), (0.0, -0.1, 2.0), (0.0, 0.0, 4.0))  # a slight bend tells which way the elbow goes
BONES = ("Upper", "Lower")


def placed(name: str, data: bpy.types.ID | None) -> bpy.types.Object:
    """Return the object of this name, put into the scene the first time."""
    scene = bpy.context.scene
    obj = bpy.data.objects.get(name) or bpy.data.objects.new(name, data)
    if scene is not None and obj.name not in scene.objects:
        scene.collection.objects.link(obj)
    return obj


def coloured(name: str, colour: tuple[float, float, float, float]) -> bpy.types.Material:
    """Return the material of this name, in this colour."""
    material = bpy.data.materials.get(name) or bpy.data.materials.new(name)
    if material.node_tree is None:  # before Blender 5.0
        material.use_nodes = True
    tree: Any = material.node_tree
    tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = colour
    return material


def add_bones(rig: bpy.types.Object, armature: bpy.types.Armature) -> None:
    """Make the bones; they can be made in Edit Mode only, which needs the rig to be the active object."""
    layer = bpy.context.view_layer
    assert layer is not None
    active, layer.objects.active = layer.objects.active, rig
    bpy.ops.object.mode_set(mode="EDIT")
    upper, lower = (armature.edit_bones.new(name) for name in BONES)
    upper.head, upper.tail, lower.tail = JOINTS
    lower.parent = upper
    lower.use_connect = True  # starts where its parent ends
    bpy.ops.object.mode_set(mode="OBJECT")
    layer.objects.active = active


def reach(rig: bpy.types.Object, target: bpy.types.Object) -> None:
    assert rig.pose is not None
    hand = rig.pose.bones[BONES[-1]]
    ik = hand.constraints.get("IK") or hand.constraints.new("IK")
    assert isinstance(ik, bpy.types.KinematicConstraint)
    ik.target = target
    ik.chain_count = len(BONES)


def skin_mesh() -> bpy.types.Mesh:
    mesh = bpy.data.meshes.get(SKIN) or bpy.data.meshes.new(SKIN)
    bm = bmesh.new()
    bmesh.ops.create_cone(bm, cap_ends=True, segments=24, radius1=0.35, radius2=0.35, depth=4.0)
    sides = [edge for edge in bm.edges if abs(edge.verts[0].co.z - edge.verts[1].co.z) > 1.0]
    bmesh.ops.subdivide_edges(bm, edges=sides, cuts=15)
    bmesh.ops.translate(bm, vec=(0.0, 0.0, 2.0), verts=list(bm.verts))
    bm.to_mesh(mesh)
    bm.free()
    return mesh


def main() -> None:
    armature = bpy.data.armatures.get(RIG) or bpy.data.armatures.new(RIG)
    rig, target = placed(RIG, armature), placed(TARGET, None)
    target.location = (0.0, -2.0, 2.4)
    if not armature.bones:
        add_bones(rig, armature)
    reach(rig, target)
    mesh = skin_mesh()
    skin = placed(SKIN, mesh)
    skin.parent = rig
    for name in BONES:
        group = skin.vertex_groups.get(name) or skin.vertex_groups.new(name=name)
        for vertex in mesh.vertices:
            share = min(1.0, max(0.0, (vertex.co.z - 1.7) / 0.6))
            group.add([vertex.index], share if name == "Lower" else 1.0 - share, "REPLACE")
    deform = skin.modifiers.get("Armature") or skin.modifiers.new("Armature", "ARMATURE")
    assert isinstance(deform, bpy.types.ArmatureModifier)
    deform.object = rig
    skin.active_material = coloured("Robot Blue", (0.05, 0.2, 0.6, 1.0))


main()
