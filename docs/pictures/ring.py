"""Create a torus called Ring, major radius 2, minor radius 0.6, with a shiny gold-coloured metallic
material, and shade it smooth.

Running it again adds nothing and changes nothing.
"""

from math import cos, sin, tau

import bpy

# The custom property that marks what this snippet made, so that a second run finds it. A name would not do:
# the scene may have another "Cube" already, and Blender would then call this one "Cube.001".
MARK = "blendproof"

TORUS_KEY = "torus of request 27314037"
TORUS_NAME = "Ring"
TORUS_MAJOR_SEGMENTS = 48
TORUS_MINOR_SEGMENTS = 12
TORUS_MAJOR_RADIUS = 2.0
TORUS_MINOR_RADIUS = 0.6
MATERIAL_NAME = "Shiny Gold Metallic"
MATERIAL_KEY = "material of request 27314037"
MATERIAL_COLOUR = (1.0, 0.6795, 0.0, 1.0)  # scene-linear red, green, blue; alpha
MATERIAL_ROUGHNESS = 0.1
MATERIAL_METALLIC = 1.0


def current_scene() -> bpy.types.Scene:
    """Return the scene that is open."""
    scene = bpy.context.scene
    if scene is None:
        raise RuntimeError("No scene is open.")
    return scene


def current_view_layer() -> bpy.types.ViewLayer:
    """Return the view layer that is open; it knows which object is active."""
    view_layer = bpy.context.view_layer
    if view_layer is None:
        raise RuntimeError("No view layer is open.")
    return view_layer


def mesh_of(obj: bpy.types.Object) -> bpy.types.Mesh:
    """Return the mesh of an object."""
    if not isinstance(obj.data, bpy.types.Mesh):
        raise TypeError(f"{obj.name!r} is an object of type {obj.type}; this needs a mesh.")
    return obj.data


def find_made(key: str) -> bpy.types.Object | None:
    """Return the object that an earlier run of this snippet made, if the scene still has it."""
    return next((obj for obj in current_scene().objects if obj.get(MARK) == key), None)


def require_free(name: str) -> None:
    """Make sure that a new object can have this name."""
    if bpy.data.objects.get(name) is not None:
        raise ValueError(f"There is an object named {name!r} already, and this snippet did not make it.")


def new_object(name: str, mesh: bpy.types.Mesh, key: str) -> bpy.types.Object:
    """Add an object to the scene, marked as made by this snippet."""
    obj = bpy.data.objects.new(name, mesh)
    obj[MARK] = key
    current_scene().collection.objects.link(obj)
    return obj


def principled(material: bpy.types.Material) -> bpy.types.Node:
    """Return the node that decides how the surface looks."""
    nodes = material.node_tree.nodes if material.node_tree else ()
    shader = next((node for node in nodes if node.type == "BSDF_PRINCIPLED"), None)
    if shader is None:
        raise LookupError(f"The material {material.name!r} has no Principled BSDF.")
    return shader


def set_colour(shader: bpy.types.Node, colour: tuple[float, float, float, float]) -> None:
    """Set the base colour of the shader."""
    socket = shader.inputs["Base Color"]
    if not isinstance(socket, bpy.types.NodeSocketColor):
        raise TypeError("The base colour of the Principled BSDF is not a colour.")
    socket.default_value = colour


def set_number(shader: bpy.types.Node, name: str, number: float) -> None:
    """Set an input of the shader that is a number."""
    socket = shader.inputs[name]
    if not isinstance(socket, (bpy.types.NodeSocketFloat, bpy.types.NodeSocketFloatFactor)):
        raise TypeError(f"The input {name!r} of the Principled BSDF is not a number.")
    socket.default_value = number


def use_material(obj: bpy.types.Object, material: bpy.types.Material) -> None:
    """Put the material into every slot of the object, so that all of it looks like this."""
    mesh = mesh_of(obj)
    if not obj.material_slots:
        mesh.materials.append(material)
    for slot in obj.material_slots:
        slot.material = material


def shade(obj: bpy.types.Object, *, smooth: bool) -> None:
    """Shade every face of the object smooth or flat."""
    mesh = mesh_of(obj)
    if mesh.is_editmode:
        raise RuntimeError(f"{obj.name!r} is in Edit Mode; leave it and run this again.")
    mesh.polygons.foreach_set("use_smooth", [smooth] * len(mesh.polygons))
    mesh.update()


def torus_mesh() -> bpy.types.Mesh:
    """Return a new mesh: rings of vertices around the Z axis, joined by faces."""
    vertices: list[tuple[float, float, float]] = []
    faces: list[tuple[int, int, int, int]] = []
    uvs: list[float] = []
    for i in range(TORUS_MAJOR_SEGMENTS):
        turn = tau * i / TORUS_MAJOR_SEGMENTS
        for j in range(TORUS_MINOR_SEGMENTS):
            tilt = tau * j / TORUS_MINOR_SEGMENTS
            distance = TORUS_MAJOR_RADIUS + TORUS_MINOR_RADIUS * cos(tilt)
            vertices.append((distance * cos(turn), distance * sin(turn), TORUS_MINOR_RADIUS * sin(tilt)))
            corners = ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1))
            a, b, c, d = (
                (u % TORUS_MAJOR_SEGMENTS) * TORUS_MINOR_SEGMENTS + v % TORUS_MINOR_SEGMENTS
                for u, v in corners
            )
            faces.append((a, b, c, d))
            for u, v in corners:
                uvs += (u / TORUS_MAJOR_SEGMENTS, v / TORUS_MINOR_SEGMENTS)
    mesh = bpy.data.meshes.new(TORUS_NAME)
    mesh.from_pydata(vertices, [], faces)
    mesh.uv_layers.new(name="UVMap").data.foreach_set("uv", uvs)
    mesh.update()
    return mesh


def add_torus() -> bpy.types.Object:
    """Add the torus, or return the one that an earlier run added."""
    made = find_made(TORUS_KEY)
    if made is not None:
        return made
    require_free(TORUS_NAME)
    torus = new_object(TORUS_NAME, torus_mesh(), TORUS_KEY)
    current_view_layer().objects.active = torus
    return torus


def make_material() -> bpy.types.Material:
    """Make the material, or return the one that an earlier run made."""
    made = next((each for each in bpy.data.materials if each.get(MARK) == MATERIAL_KEY), None)
    if made is not None:
        return made
    material = bpy.data.materials.new(MATERIAL_NAME)
    material[MARK] = MATERIAL_KEY
    if bpy.app.version < (5, 0, 0):
        material.use_nodes = True
    shader = principled(material)
    set_colour(shader, MATERIAL_COLOUR)
    material.diffuse_color = MATERIAL_COLOUR  # for the Workbench engine, which knows no nodes
    set_number(shader, "Roughness", MATERIAL_ROUGHNESS)
    set_number(shader, "Metallic", MATERIAL_METALLIC)
    return material


def main() -> None:
    """Carry out the request."""
    torus = add_torus()
    use_material(torus, make_material())
    shade(torus, smooth=True)


main()
