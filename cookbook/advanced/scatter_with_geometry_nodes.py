"""Scatter instances over a surface with geometry nodes built in Python.

Asked as: create a geometry nodes group from python; distribute points on faces and instance on points; add a geometry
nodes modifier with exposed inputs; grow grass on a mesh
"""

from typing import Any

import bpy
import bmesh

NAME, GROUP = "Spiky Ball", "Scatter Spikes"


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


def add_socket(group: Any, name: str, in_out: str, kind: str) -> Any:
    """Give the group an input or output."""
    if hasattr(group, "interface"):
        return group.interface.new_socket(name, in_out=in_out, socket_type=kind)
    return (group.inputs if in_out == "INPUT" else group.outputs).new(kind, name)  # before Blender 4.0


def input_names(group: Any) -> dict[str, str]:
    """The identifiers of the inputs: a modifier knows them by these, as names may change."""
    items = group.interface.items_tree if hasattr(group, "interface") else group.inputs  # before Blender 4.0
    return {item.name: item.identifier for item in items if getattr(item, "in_out", "INPUT") == "INPUT"}


def scatter_group() -> bpy.types.NodeTree:
    """Return the node group: geometry, density and material in, geometry with spikes out."""
    made = bpy.data.node_groups.get(GROUP)
    if made is not None:
        return made
    group = bpy.data.node_groups.new(GROUP, "GeometryNodeTree")
    add_socket(group, "Geometry", "INPUT", "NodeSocketGeometry")
    add_socket(group, "Density", "INPUT", "NodeSocketFloat").default_value = 25.0
    add_socket(group, "Material", "INPUT", "NodeSocketMaterial")
    add_socket(group, "Geometry", "OUTPUT", "NodeSocketGeometry")
    nodes, link = group.nodes, group.links.new
    given, result = nodes.new("NodeGroupInput"), nodes.new("NodeGroupOutput")
    points, place = nodes.new("GeometryNodeDistributePointsOnFaces"), nodes.new("GeometryNodeInstanceOnPoints")
    spike: Any = nodes.new("GeometryNodeMeshCone")
    spike.inputs["Radius Bottom"].default_value = 0.06
    spike.inputs["Depth"].default_value = 0.5
    paint, join = nodes.new("GeometryNodeSetMaterial"), nodes.new("GeometryNodeJoinGeometry")
    link(given.outputs["Geometry"], points.inputs["Mesh"])
    link(given.outputs["Density"], points.inputs["Density"])
    link(points.outputs["Points"], place.inputs["Points"])
    link(points.outputs["Rotation"], place.inputs["Rotation"])
    link(spike.outputs["Mesh"], paint.inputs["Geometry"])
    link(given.outputs["Material"], paint.inputs["Material"])
    link(paint.outputs["Geometry"], place.inputs["Instance"])
    link(place.outputs["Instances"], join.inputs["Geometry"])
    link(given.outputs["Geometry"], join.inputs["Geometry"])
    link(join.outputs["Geometry"], result.inputs["Geometry"])
    return group


def main() -> None:
    mesh = bpy.data.meshes.get(NAME) or bpy.data.meshes.new(NAME)
    bm = bmesh.new()
    bmesh.ops.create_icosphere(bm, subdivisions=4, radius=1.0)
    bm.to_mesh(mesh)
    bm.free()
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    ball = placed(NAME, mesh)
    ball.active_material = coloured("Dark Hide", (0.05, 0.03, 0.1, 1.0))
    scatter: Any = ball.modifiers.get("Scatter") or ball.modifiers.new("Scatter", "NODES")
    scatter.node_group = scatter_group()
    inputs = input_names(scatter.node_group)
    for name, value in (("Density", 40.0), ("Material", coloured("Spike Yellow", (0.8, 0.6, 0.05, 1.0)))):
        if hasattr(scatter, "properties"):  # since Blender 5.2
            getattr(scatter.properties.inputs, inputs[name]).value = value
        else:
            scatter[inputs[name]] = value


main()
