"""The helper functions that snippets share. A snippet holds only those that it needs, in this order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Part:
    """A function of a snippet, the other parts that it calls, and what it imports: "math: radians", "bmesh"."""

    code: str
    needs: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()


PARTS: Final[dict[str, Part]] = {
    "expect": Part(
        '''\
T = TypeVar("T")


def expect(value: object, kind: type[T]) -> T:
    """Return the value, which must be of this type."""
    if not isinstance(value, kind):
        raise TypeError(f"{kind.__name__} expected, not {value!r}")
    return value
''',
        imports=("typing: TypeVar",),
    ),
    "current_scene": Part(
        '''\
def current_scene() -> bpy.types.Scene:
    """Return the scene that is open."""
    return expect(bpy.context.scene, bpy.types.Scene)
''',
        needs=("expect",),
    ),
    "current_view_layer": Part(
        '''\
def current_view_layer() -> bpy.types.ViewLayer:
    """Return the view layer that is open; it knows which objects are active and selected."""
    return expect(bpy.context.view_layer, bpy.types.ViewLayer)
''',
        needs=("expect",),
    ),
    "first_time": Part(
        '''\
def first_time(work: str) -> bool:
    """Say whether this work is still to be done, and remember in the scene that it was."""
    scene = current_scene()
    done = str(scene.get(MARK, "")).split()
    if work in done:
        return False
    scene[MARK] = " ".join([*done, work])
    return True
''',
        needs=("current_scene",),
    ),
    "active_object": Part(
        '''\
def active_object() -> bpy.types.Object:
    """Return the active object."""
    obj = current_view_layer().objects.active
    if obj is None:
        raise LookupError("There is no active object. Click on one, or add one, and run this again.")
    return obj
''',
        needs=("current_view_layer",),
    ),
    "object_named": Part(
        '''\
def object_named(name: str) -> bpy.types.Object:
    """Return the object of the scene that has this name."""
    objects = current_scene().objects
    obj = objects.get(name)
    if obj is None:
        names = ", ".join(sorted(obj.name for obj in objects)) or "no objects"
        raise LookupError(f"The scene has no object named {name!r}. It has: {names}.")
    return obj
''',
        needs=("current_scene",),
    ),
    "the_only": Part(
        '''\
def the_only(objects: Sequence[bpy.types.Object]) -> bpy.types.Object:
    """Return the one object among these; there must be one."""
    if len(objects) != 1:
        raise ValueError(f"One object was expected to be selected, not {len(objects)}.")
    return objects[0]
''',
        imports=("collections.abc: Sequence",),
    ),
    "object_called": Part(
        '''\
def object_called(word: str) -> bpy.types.Object:
    """Return the one object whose name is this word, or has it at its beginning or end."""
    names = {obj: re.sub(r"[^a-z]+", " ", obj.name.lower()).split() for obj in current_scene().objects}
    found = [obj for obj, parts in names.items() if parts == [word]]
    found = found or [obj for obj, parts in names.items() if word in (*parts[:1], *parts[-1:])]
    if len(found) != 1:
        raise LookupError(f"Say which object is the {word}: {len(found)} are called so.")
    return found[0]
''',
        needs=("current_scene",),
        imports=("re",),
    ),
    "object_of_type": Part(
        '''\
def object_of_type(kind: str) -> bpy.types.Object:
    """Return the one object of this type: the scene's camera, the active object, or the only one there is."""
    scene = current_scene()
    found = [obj for obj in scene.objects if obj.type == kind]
    likely = [obj for obj in found if obj in (scene.camera, current_view_layer().objects.active)]
    if len(likely) != 1 and len(found) != 1:
        raise LookupError(f"Say which one: the scene has {len(found)} objects of type {kind}.")
    return likely[0] if len(likely) == 1 else found[0]
''',
        needs=("current_scene", "current_view_layer"),
    ),
    "find_made": Part(
        '''\
def find_made(key: str) -> bpy.types.Object | None:
    """Return the object that an earlier run of this snippet made, if the scene still has it."""
    return next((obj for obj in current_scene().objects if obj.get(MARK) == key), None)
''',
        needs=("current_scene",),
    ),
    "add_object": Part(
        '''\
def add_object(name: str, data: bpy.types.ID | None) -> bpy.types.Object:
    """Add an object to the scene and make it active."""
    obj = bpy.data.objects.new(name, data)
    current_scene().collection.objects.link(obj)
    view_layer = current_view_layer()
    view_layer.objects.active = obj
    view_layer.update()
    return obj
''',
        needs=("current_scene", "current_view_layer"),
    ),
    "new_object": Part(
        '''\
def new_object(name: str, data: bpy.types.ID | None, key: str) -> bpy.types.Object:
    """Add an object to the scene, marked as made by this snippet, and make it active."""
    if key.endswith(name) and name in bpy.data.objects:
        raise ValueError(f"There is an object named {name!r} already, and this snippet did not make it.")
    obj = add_object(name, data)
    obj[MARK] = key
    return obj
''',
        needs=("add_object",),
    ),
    "copies": Part(
        '''\
def copies(
    name: str, key: str, mesh: Callable[[], bpy.types.Mesh], places: Sequence[tuple[float, float, float]]
) -> list[bpy.types.Object]:
    """Return objects that share a mesh, one at each place; those of an earlier run are found again."""
    objects: list[bpy.types.Object] = []
    for number, place in enumerate(places):
        obj = find_made(f"{key}-{number}")
        if obj is None:
            data = objects[0].data if objects else mesh()
            obj = new_object(f"{name} {number + 1}", data, f"{key}-{number}")
        obj.location = place
        objects.append(obj)
    return objects
''',
        needs=("find_made", "new_object"),
        imports=("collections.abc: Callable", "collections.abc: Sequence"),
    ),
    "mesh_of": Part(
        '''\
def mesh_of(obj: bpy.types.Object) -> bpy.types.Mesh:
    """Return the mesh of an object."""
    if not isinstance(obj.data, bpy.types.Mesh):
        raise TypeError(f"{obj.name!r} is an object of type {obj.type}; this needs a mesh.")
    return obj.data
'''
    ),
    "editing": Part(
        '''\
@contextmanager
def editing(obj: bpy.types.Object) -> Generator[bmesh.types.BMesh, None, None]:
    """Open the mesh of an object for edits, and write them back."""
    mesh = mesh_of(obj)
    bm = bmesh.new()
    bm.from_mesh(mesh)
    bm.normal_update()
    yield bm
    bm.to_mesh(mesh)
    bm.free()
    mesh.update()
''',
        needs=("mesh_of",),
        imports=("bmesh", "contextlib: contextmanager", "collections.abc: Generator"),
    ),
    "extrude_faces": Part(
        '''\
def extrude_faces(bm: bmesh.types.BMesh, faces: list[bmesh.types.BMFace], way: Vector) -> list[bmesh.types.BMFace]:
    """Extrude faces as one region; those of a flat sheet stay as its other side."""
    region = set(faces)
    attached = any(not region.issuperset(edge.link_faces) for face in faces for edge in face.edges)
    found = bmesh.ops.extrude_face_region(bm, geom=faces)["geom"]
    moved = [each for each in found if isinstance(each, bmesh.types.BMVert)]
    bmesh.ops.translate(bm, vec=way, verts=moved)
    if attached:
        bmesh.ops.delete(bm, geom=faces, context="FACES_ONLY")
    bm.normal_update()
    return [each for each in found if isinstance(each, bmesh.types.BMFace)]
''',
        imports=("bmesh", "mathutils: Vector"),
    ),
    "cut_mesh": Part(
        '''\
def cut_mesh(
    bm: bmesh.types.BMesh, obj: bpy.types.Object, place: Vector, normal: Vector, *, clear: bool
) -> list[bmesh.types.BMEdge]:
    """Cut a mesh along a plane of the world, and clear the side of its normal; return the edges of the cut."""
    current_view_layer().update()
    geometry: Any = [*bm.verts, *bm.edges, *bm.faces]
    found = bmesh.ops.bisect_plane(
        bm,
        geom=geometry,
        dist=1e-5,
        plane_co=obj.matrix_world.inverted() @ place,
        plane_no=obj.matrix_world.to_3x3().transposed() @ normal,
        clear_outer=clear,
    )
    return [each for each in found["geom_cut"] if isinstance(each, bmesh.types.BMEdge)]
''',
        needs=("current_view_layer",),
        imports=("bmesh", "mathutils: Vector", "typing: Any"),
    ),
    "some": Part(
        '''\
def some(found: list[T], what: str, count: int = 0) -> list[T]:
    """Return what was found in a mesh, which must not be nothing, or must be so many."""
    if len(found) != (count or max(len(found), 1)):
        raise LookupError(f"The mesh has {len(found)} elements that are {what!r}.")
    return found
''',
        needs=("expect",),
    ),
    "in_circle": Part(
        '''\
def in_circle(random: Random, radius: float, height: float) -> tuple[float, float, float]:
    """Return a random place in a circle around the origin, every place as likely as another."""
    distance, angle = radius * sqrt(random.random()), random.uniform(0.0, tau)
    return distance * cos(angle), distance * sin(angle), height
''',
        imports=("random: Random", "math: cos", "math: sin", "math: sqrt", "math: tau"),
    ),
    "describe": Part(
        '''\
def describe(owner: Any, key: str, **about: object) -> None:
    """Say which values a custom property takes, and what it is for."""
    owner.id_properties_ui(key).update(**about)
''',
        imports=("typing: Any",),
    ),
    "triangles_of": Part(
        '''\
def triangles_of(obj: bpy.types.Object) -> int:
    """Count the triangles of an object's faces; it has none if it is no mesh."""
    return sum(len(each.vertices) - 2 for each in obj.data.polygons) if isinstance(obj.data, bpy.types.Mesh) else 0
'''
    ),
    "built": Part(
        '''\
def built(name: str, bm: bmesh.types.BMesh) -> bpy.types.Mesh:
    """Return a new mesh of what was built."""
    mesh = bpy.data.meshes.new(name)
    bm.to_mesh(mesh)
    bm.free()
    return mesh
''',
        imports=("bmesh",),
    ),
    "cube_mesh": Part(
        '''\
def cube_mesh(name: str, size: tuple[float, float, float]) -> bpy.types.Mesh:
    """Return the mesh of a box with these edges."""
    bm = bmesh.new()
    bm.loops.layers.uv.new("UVMap")
    bmesh.ops.create_cube(bm, size=1.0, calc_uvs=True)
    bmesh.ops.scale(bm, vec=size, verts=list(bm.verts))
    return built(name, bm)
''',
        needs=("built",),
    ),
    "prism_mesh": Part(
        '''\
def prism_mesh(name: str, size: tuple[float, float, float]) -> bpy.types.Mesh:
    """Return the mesh of a roof with two slopes; its ridge is along the longer side."""
    x, y, z = (length / 2 for length in size)
    ridge = ((-x, 0, z), (x, 0, z)) if x >= y else ((0, -y, z), (0, y, z))
    corners = [(-x, -y, -z), (x, -y, -z), (x, y, -z), (-x, y, -z), *ridge]
    sides = [(0, 1, 5, 4), (2, 3, 4, 5), (1, 2, 5), (3, 0, 4)]
    if x < y:
        sides = [(1, 2, 5, 4), (3, 0, 4, 5), (0, 1, 4), (2, 3, 5)]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(corners, [], [(3, 2, 1, 0), *sides])
    return mesh
''',
    ),
    "pyramid_mesh": Part(
        '''\
def pyramid_mesh(name: str, size: tuple[float, float, float]) -> bpy.types.Mesh:
    """Return the mesh of a pyramid."""
    x, y, z = (length / 2 for length in size)
    corners = [(-x, -y, -z), (x, -y, -z), (x, y, -z), (-x, y, -z), (0, 0, z)]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(corners, [], [(3, 2, 1, 0), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)])
    return mesh
''',
    ),
    "active_or_new_cube": Part(
        '''\
def active_or_new_cube() -> bpy.types.Object:
    """Return the active object; if there is none, add a cube and make it active."""
    objects = current_view_layer().objects
    if objects.active is not None:
        return objects.active
    cube = bpy.data.objects.new("Cube", cube_mesh("Cube", (2.0, 2.0, 2.0)))
    current_scene().collection.objects.link(cube)
    objects.active = cube
    return cube
''',
        needs=("current_view_layer", "current_scene", "cube_mesh"),
    ),
    "plane_mesh": Part(
        '''\
def plane_mesh(name: str, size: tuple[float, float], cuts: tuple[int, int] = (1, 1)) -> bpy.types.Mesh:
    """Return the mesh of a flat rectangle with so many faces each way."""
    bm = bmesh.new()
    bm.loops.layers.uv.new("UVMap")
    bmesh.ops.create_grid(bm, x_segments=cuts[0], y_segments=cuts[1], size=0.5, calc_uvs=True)
    bmesh.ops.scale(bm, vec=(*size, 1.0), verts=list(bm.verts))
    return built(name, bm)
''',
        needs=("built",),
    ),
    "circle_mesh": Part(
        '''\
def circle_mesh(name: str, radius: float, vertices: int, filled: bool) -> bpy.types.Mesh:
    """Return the mesh of a circle, filled with a face or not."""
    bm = bmesh.new()
    bm.loops.layers.uv.new("UVMap")
    bmesh.ops.create_circle(bm, cap_ends=filled, segments=vertices, radius=radius, calc_uvs=True)
    return built(name, bm)
''',
        needs=("built",),
    ),
    "uv_sphere_mesh": Part(
        '''\
def uv_sphere_mesh(name: str, radius: float, segments: int, rings: int) -> bpy.types.Mesh:
    """Return the mesh of a sphere made of segments and rings."""
    bm = bmesh.new()
    bm.loops.layers.uv.new("UVMap")
    bmesh.ops.create_uvsphere(bm, u_segments=segments, v_segments=rings, radius=radius, calc_uvs=True)
    return built(name, bm)
''',
        needs=("built",),
    ),
    "ico_sphere_mesh": Part(
        '''\
def ico_sphere_mesh(name: str, radius: float, subdivisions: int) -> bpy.types.Mesh:
    """Return the mesh of a sphere made of triangles."""
    bm = bmesh.new()
    bm.loops.layers.uv.new("UVMap")
    bmesh.ops.create_icosphere(bm, subdivisions=subdivisions, radius=radius, calc_uvs=True)
    return built(name, bm)
''',
        needs=("built",),
    ),
    "cone_mesh": Part(
        '''\
def cone_mesh(name: str, radius1: float, radius2: float, depth: float, vertices: int, filled: bool) -> bpy.types.Mesh:
    """Return the mesh of a cone, or of a cylinder where both radii are equal."""
    bm = bmesh.new()
    bm.loops.layers.uv.new("UVMap")
    bmesh.ops.create_cone(
        bm,
        cap_ends=filled,
        segments=vertices,
        radius1=radius1,
        radius2=radius2,
        depth=depth,
        calc_uvs=True,
    )
    bmesh.ops.remove_doubles(bm, verts=list(bm.verts), dist=1e-6)
    return built(name, bm)
''',
        needs=("built",),
    ),
    "torus_mesh": Part(
        '''\
def torus_mesh(
    name: str, major_radius: float, minor_radius: float, major_segments: int, minor_segments: int
) -> bpy.types.Mesh:
    """Return the mesh of a ring."""
    points: list[tuple[float, float, float]] = []
    faces: list[tuple[int, int, int, int]] = []
    for i in range(major_segments):
        around = tau * i / major_segments
        for j in range(minor_segments):
            tube = tau * j / minor_segments
            radius = major_radius + minor_radius * cos(tube)
            points.append((radius * cos(around), radius * sin(around), minor_radius * sin(tube)))
            next_i, next_j = (i + 1) % major_segments, (j + 1) % minor_segments
            corners = (i, j), (next_i, j), (next_i, next_j), (i, next_j)
            a, b, c, d = (ring * minor_segments + place for ring, place in corners)
            faces.append((a, b, c, d))
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    mesh.uv_layers.new(name="UVMap")
    mesh.update()
    return mesh
''',
        imports=("math: cos", "math: sin", "math: tau"),
    ),
    "monkey_mesh": Part(
        '''\
def monkey_mesh(name: str, size: float) -> bpy.types.Mesh:
    """Return the mesh of Suzanne."""
    bm = bmesh.new()
    bm.loops.layers.uv.new("UVMap")
    bmesh.ops.create_monkey(bm, calc_uvs=True)
    bmesh.ops.scale(bm, vec=(size / 2, size / 2, size / 2), verts=list(bm.verts))
    return built(name, bm)
''',
        needs=("built",),
    ),
    "circle_curve": Part(
        '''\
def circle_curve(name: str, radius: float) -> bpy.types.Curve:
    """Return a Bezier curve in the form of a circle."""
    curve = bpy.data.curves.new(name, "CURVE")
    curve.dimensions = "3D"
    spline = curve.splines.new("BEZIER")
    spline.bezier_points.add(3)
    spline.use_cyclic_u = True
    for point, (x, y) in zip(spline.bezier_points, ((-1, 0), (0, 1), (1, 0), (0, -1)), strict=True):
        arm = 0.5522847 * radius
        point.co = (x * radius, y * radius, 0.0)
        point.handle_left_type = point.handle_right_type = "ALIGNED"
        point.handle_left = (x * radius - y * arm, y * radius + x * arm, 0.0)
        point.handle_right = (x * radius + y * arm, y * radius - x * arm, 0.0)
    return expect(curve, bpy.types.Curve)
''',
        needs=("expect",),
    ),
    "points_curve": Part(
        '''\
def points_curve(name: str, points: tuple[tuple[float, float, float], ...], cyclic: bool) -> bpy.types.Curve:
    """Return a smooth Bezier curve through the points."""
    curve = bpy.data.curves.new(name, "CURVE")
    curve.dimensions = "3D"
    spline = curve.splines.new("BEZIER")
    spline.bezier_points.add(len(points) - 1)
    spline.use_cyclic_u = cyclic
    for point, place in zip(spline.bezier_points, points, strict=True):
        point.co = place
        point.handle_left_type = point.handle_right_type = "AUTO"
    return expect(curve, bpy.types.Curve)
''',
        needs=("expect",),
    ),
    "spline_curve": Part(
        '''\
def spline_curve(
    name: str, kind: Literal["NURBS", "POLY"], points: tuple[tuple[float, float, float], ...], cyclic: bool
) -> bpy.types.Curve:
    """Return a curve with one spline of these points; a NURBS reaches its ends."""
    curve = bpy.data.curves.new(name, "CURVE")
    curve.dimensions = "3D"
    spline = curve.splines.new(kind)
    spline.points.add(len(points) - 1)
    for point, place in zip(spline.points, points, strict=True):
        point.co = (*place, 1.0)
    spline.use_cyclic_u = cyclic
    spline.use_endpoint_u = not cyclic
    spline.order_u = min(4, max(2, len(points)))
    return expect(curve, bpy.types.Curve)
''',
        needs=("expect",),
        imports=("typing: Literal",),
    ),
    "nurbs_circle": Part(
        '''\
def nurbs_circle(name: str, radius: float) -> bpy.types.Curve:
    """Return the curve of a NURBS circle, as Blender's operator makes it."""
    bpy.ops.curve.primitive_nurbs_circle_add(radius=radius)
    added = expect(current_view_layer().objects.active, bpy.types.Object)
    curve = expect(added.data, bpy.types.Curve)
    bpy.data.objects.remove(added)
    curve.name = name
    return curve
''',
        needs=("expect", "current_view_layer"),
    ),
    "metaball": Part(
        '''\
def metaball(name: str) -> bpy.types.MetaBall:
    """Return metaball data with one ball."""
    data = bpy.data.metaballs.new(name)
    data.elements.new()
    return data
'''
    ),
    "aim": Part(
        '''\
def aim(obj: bpy.types.Object, place: Vector) -> None:
    """Turn a camera or a light so that it looks at a place in the world."""
    current_view_layer().update()
    way = place - obj.matrix_world.translation
    obj.rotation_euler = way.to_track_quat("-Z", "Y").to_euler()
''',
        needs=("current_view_layer",),
        imports=("mathutils: Vector",),
    ),
    "world_corners": Part(
        '''\
def world_corners(obj: bpy.types.Object) -> list[Vector]:
    """Return the corners of the box around an object, in the world."""
    current_view_layer().update()
    return [obj.matrix_world @ Vector(corner) for corner in obj.bound_box]
''',
        needs=("current_view_layer",),
        imports=("mathutils: Vector",),
    ),
    "frame_objects": Part(
        '''\
def frame_objects(camera: bpy.types.Object, objects: Iterable[bpy.types.Object]) -> None:
    """Move a camera along the way it looks until the objects fill its picture."""
    corners = [number for obj in objects for corner in world_corners(obj) for number in corner.to_tuple()]
    place, scale = camera.camera_fit_coords(bpy.context.evaluated_depsgraph_get(), corners)
    camera.matrix_world.translation = place
    lens = expect(camera.data, bpy.types.Camera)
    if lens.type == "ORTHO":
        lens.ortho_scale = scale
''',
        needs=("world_corners", "expect"),
        imports=("collections.abc: Iterable",),
    ),
    "shade": Part(
        '''\
def shade(obj: bpy.types.Object, *, smooth: bool) -> None:
    """Shade every face of the object smooth or flat."""
    mesh = mesh_of(obj)
    mesh.polygons.foreach_set("use_smooth", [smooth] * len(mesh.polygons))
    mesh.update()
''',
        needs=("mesh_of",),
    ),
    "new_material": Part(
        '''\
def new_material(name: str) -> bpy.types.Material:
    """Return the material of this name that this snippet made, or a new one with nodes."""
    for material in bpy.data.materials:
        if material.get(MARK) == name:
            return material
    material = bpy.data.materials.new(name)
    material[MARK] = name
    if bpy.app.version < (5, 0, 0):
        material.use_nodes = True
    return material
'''
    ),
    "material_of": Part(
        '''\
def material_of(obj: bpy.types.Object) -> bpy.types.Material:
    """Return the material of an object, a new one if it has none."""
    if obj.type in {"LIGHT", "CAMERA", "EMPTY"}:
        raise LookupError(f"{obj.name!r} shows no material.")
    material = obj.active_material
    if material is None:
        material = bpy.data.materials.new(f"{obj.name} Material")
        obj.active_material = material
    if bpy.app.version < (5, 0, 0):
        material.use_nodes = True
    return material
'''
    ),
    "node_in": Part(
        '''\
def node_in(material: bpy.types.Material, kind: str) -> bpy.types.Node:
    """Return the only node of this kind in a material."""
    nodes = material.node_tree.nodes if material.node_tree else ()
    found = [node for node in nodes if node.bl_idname == kind]
    if len(found) != 1:
        raise LookupError(f"{material.name!r} has {len(found)} nodes of the kind {kind}, not one.")
    return found[0]
'''
    ),
    "texture_in": Part(
        '''\
def texture_in(material: bpy.types.Material) -> bpy.types.Node:
    """Return the only texture of a material."""
    nodes = material.node_tree.nodes if material.node_tree else ()
    found = [node for node in nodes if node.type.startswith("TEX_") and node.type != "TEX_COORD"]
    if len(found) != 1:
        raise LookupError(f"{material.name!r} has {len(found)} textures, not one.")
    return found[0]
'''
    ),
    "mapping_of": Part(
        '''\
def mapping_of(material: bpy.types.Material) -> bpy.types.Node:
    """Return the Mapping node before the texture of a material, a new one the first time."""
    tree = expect(material.node_tree, bpy.types.NodeTree)
    texture = texture_in(material)
    place = texture.inputs["Vector"]
    before = place.links[0].from_socket if place.links else None
    node = before.node if before is not None else None
    if node is not None and node.bl_idname == "ShaderNodeMapping":
        return node
    if before is None:
        kind = "UV" if texture.type == "TEX_IMAGE" else "Generated"
        before = tree.nodes.new("ShaderNodeTexCoord").outputs[kind]
    mapping = tree.nodes.new("ShaderNodeMapping")
    tree.links.new(before, mapping.inputs["Vector"])
    tree.links.new(mapping.outputs["Vector"], place)
    return mapping
''',
        needs=("expect", "texture_in"),
    ),
    "material_called": Part(
        '''\
def material_called(name: str) -> bpy.types.Material:
    """Return the material of this name, or that of the object called so."""
    material, obj = bpy.data.materials.get(name), bpy.data.objects.get(name)
    if obj is None:
        return material or bpy.data.materials[name]
    if material is not None and material not in [slot.material for slot in obj.material_slots]:
        raise LookupError(f"Both an object and a material that it does not have are called {name!r}.")
    return material or material_of(obj)
''',
        needs=("material_of",),
    ),
    "use_material": Part(
        '''\
def use_material(obj: bpy.types.Object, material: bpy.types.Material) -> None:
    """Put the material into every slot of the object, so that all of it looks like this."""
    if obj.type in {"LIGHT", "CAMERA", "EMPTY"}:
        raise LookupError(f"{obj.name!r} shows no material.")
    if not obj.material_slots:
        obj.active_material = material
    for slot in obj.material_slots:
        slot.material = material
'''
    ),
    "share_materials": Part(
        '''\
def share_materials(source: bpy.types.Object, obj: bpy.types.Object) -> None:
    """Give the mesh of an object the materials of another one, slot by slot."""
    materials = mesh_of(obj).materials
    for place, slot in enumerate(source.material_slots):
        if place < len(materials):
            materials[place] = slot.material
        else:
            materials.append(slot.material)
    while len(materials) > len(source.material_slots):
        materials.pop()
''',
        needs=("mesh_of",),
    ),
    "unnumbered": Part(
        '''\
def unnumbered(name: str) -> str:
    """Return a name without the number that Blender gives to copies."""
    return re.sub(r"\\.\\d{3,}$", "", name)
''',
        imports=("re",),
    ),
    "middle_of": Part(
        '''\
def middle_of(obj: bpy.types.Object) -> Vector:
    """Return the middle of the box around an object, in its own space."""
    return sum((Vector(corner) for corner in obj.bound_box), Vector()) / 8
''',
        imports=("mathutils: Vector",),
    ),
    "faces_with": Part(
        '''\
def faces_with(
    obj: bpy.types.Object, material: bpy.types.Material, chosen: Callable[[bpy.types.MeshPolygon], bool]
) -> None:
    """Let the chosen faces have a material, which gets a slot if it has none."""
    mesh = mesh_of(obj)
    if not mesh.materials:
        mesh.materials.append(None)  # the other faces keep the look of none
    if mesh.materials.find(material.name) < 0:
        mesh.materials.append(material)
    for face in mesh.polygons:
        if chosen(face):
            face.material_index = mesh.materials.find(material.name)
''',
        needs=("mesh_of",),
        imports=("collections.abc: Callable",),
    ),
    "shader_of": Part(
        '''\
def shader_of(material: bpy.types.Material) -> bpy.types.Node:
    """Return the Principled BSDF of a material, which decides how the surface looks."""
    nodes = material.node_tree.nodes if material.node_tree else ()
    shader = next((node for node in nodes if node.type == "BSDF_PRINCIPLED"), None)
    if shader is None:
        raise LookupError(f"The material {material.name!r} has no Principled BSDF.")
    return shader
'''
    ),
    "tree_of": Part(
        '''\
def tree_of(owner: bpy.types.Material | bpy.types.World) -> bpy.types.NodeTree:
    """Return the nodes of a material or a world."""
    if bpy.app.version < (5, 0, 0):
        owner.use_nodes = True
    return expect(owner.node_tree, bpy.types.NodeTree)
''',
        needs=("expect",),
    ),
    "set_input": Part(
        '''\
def set_input(node: bpy.types.Node, name: str, value: Any) -> None:
    """Set an input of a node."""
    socket: Any = node.inputs[name]
    socket.default_value = value
''',
        imports=("typing: Any",),
    ),
    "set_socket": Part(
        '''\
def set_socket(node: bpy.types.Node, name: str, value: Any) -> None:
    """Set the input of this name that is in use; several may have it."""
    socket: Any = socket_of(node.inputs, name)
    socket.default_value = value
''',
        needs=("socket_of",),
        imports=("typing: Any",),
    ),
    "node_named": Part(
        '''\
def node_named(tree: bpy.types.NodeTree, name: str, kind: str, place: tuple[float, float]) -> bpy.types.Node:
    """Return the node of this name and kind, a new one the first time."""
    node = tree.nodes.get(name)
    if node is None or node.bl_idname != kind:
        node = tree.nodes.new(kind)
        node.name = node.label = name
        node.location = place
    return node
'''
    ),
    "connect": Part(
        '''\
def connect(tree: bpy.types.NodeTree, start: bpy.types.NodeSocket, end: bpy.types.NodeSocket) -> None:
    """Link two sockets, unless they are linked already."""
    if not any(link.from_socket == start and link.to_socket == end for link in tree.links):
        tree.links.new(start, end)
'''
    ),
    "socket_of": Part(
        '''\
def socket_of(sockets: Iterable[bpy.types.NodeSocket], name: str) -> bpy.types.NodeSocket:
    """Return the socket of this name or identifier that is in use; several may have the same name."""
    return next(socket for socket in sockets if name in (socket.name, socket.identifier) and socket.enabled)
''',
        imports=("collections.abc: Iterable",),
    ),
    "take_over": Part(
        '''\
def take_over(tree: bpy.types.NodeTree, goal: Any, node: bpy.types.Node, name: str) -> None:
    """Let what runs into an input run into this input of a node instead, which is to stand between; or its color."""
    own: Any = socket_of(node.inputs, name)
    for link in list(goal.links):
        if link.from_node != node:
            tree.links.new(link.from_socket, own)
    if not own.is_linked and own.type == goal.type:
        own.default_value = goal.default_value
''',
        needs=("socket_of",),
        imports=("typing: Any",),
    ),
    "world_tree": Part(
        '''\
def world_tree() -> bpy.types.NodeTree:
    """Return the nodes of the scene's world, which is made if there is none."""
    scene = current_scene()
    world = scene.world or bpy.data.worlds.new("World")
    scene.world = world
    return tree_of(world)
''',
        needs=("current_scene", "tree_of"),
    ),
    "background_of": Part(
        '''\
def background_of(tree: bpy.types.NodeTree) -> bpy.types.Node:
    """Return the Background node of a world, linked to its output."""
    background = next((node for node in tree.nodes if node.type == "BACKGROUND"), None)
    if background is None:
        background = tree.nodes.new("ShaderNodeBackground")
        output = next((node for node in tree.nodes if node.type == "OUTPUT_WORLD"), None)
        output = output or tree.nodes.new("ShaderNodeOutputWorld")
        tree.links.new(background.outputs["Background"], output.inputs["Surface"])
    return background
'''
    ),
    "collection_named": Part(
        '''\
def collection_named(name: str, parent: bpy.types.Collection | None = None) -> bpy.types.Collection:
    """Return the collection of this name, a new one in the scene or in its parent the first time."""
    collection = bpy.data.collections.get(name)
    if collection is None:
        collection = bpy.data.collections.new(name)
        (parent or current_scene().collection).children.link(collection)
    return collection
''',
        needs=("current_scene",),
    ),
    "copy_of_collection": Part(
        '''\
def copy_of_collection(
    source: bpy.types.Collection, name: str, *, linked: bool, parent: bpy.types.Collection | None = None
) -> bpy.types.Collection:
    """Return the copy of this name, with copies of what is in the collection, made the first time."""
    known = bpy.data.collections.get(name)
    if known is not None:
        return known
    made = collection_named(name, parent)
    copies: dict[bpy.types.Object, bpy.types.Object] = {}
    for obj in source.objects:
        copies[obj] = obj.copy()
        if obj.data is not None and not linked:
            copies[obj].data = obj.data.copy()
        made.objects.link(copies[obj])
    for obj, copy in copies.items():
        if obj.parent in copies:
            place = obj.matrix_parent_inverse.copy()
            copy.parent = copies[obj.parent]
            copy.matrix_parent_inverse = place
    for child in source.children:
        copy_of_collection(child, f"{child.name} of {name}", linked=linked, parent=made)
    return made
''',
        needs=("collection_named",),
    ),
    "collection_meant": Part(
        '''\
def collection_meant(name: str) -> bpy.types.Collection:
    """Return the collection of this name, a new one the first time; where an object has the name, that may be meant."""
    if name in current_scene().objects and name not in bpy.data.collections:
        raise LookupError(f"{name!r} is an object, and no collection. Which collection, or which place?")
    return collection_named(name)
''',
        needs=("current_scene", "collection_named"),
    ),
    "layer_collection": Part(
        '''\
def layer_collection(name: str, view_layer: bpy.types.ViewLayer) -> bpy.types.LayerCollection:
    """Return what a view layer keeps about the collection of this name."""
    waiting = [view_layer.layer_collection]
    while waiting:
        each = waiting.pop()
        waiting.extend(each.children)
        if each.collection.name == name:
            return each
    raise LookupError(f"The view layer has no collection named {name!r}.")
''',
    ),
    "nest": Part(
        '''\
def nest(collection: bpy.types.Collection, parent: bpy.types.Collection) -> None:
    """Let a collection be in another one and nowhere else."""
    for other in (current_scene().collection, *bpy.data.collections):
        if other != parent and collection.name in other.children:
            other.children.unlink(collection)
    if collection.name not in parent.children:
        parent.children.link(collection)
''',
        needs=("current_scene",),
    ),
    "dissolve_collection": Part(
        '''\
def dissolve_collection(collection: bpy.types.Collection, goal: bpy.types.Collection | None = None) -> None:
    """Remove a collection; what it holds goes up to where it was, or to another one."""
    every = (*(scene.collection for scene in bpy.data.scenes), *bpy.data.collections)
    for parent in [goal] if goal else [each for each in every if collection.name in each.children]:
        for obj in collection.objects:
            if obj.name not in parent.objects:
                parent.objects.link(obj)
        for child in collection.children:
            if child.name not in parent.children:
                parent.children.link(child)
    bpy.data.collections.remove(collection)
''',
    ),
    "move_to_collection": Part(
        '''\
def move_to_collection(obj: bpy.types.Object, collection: bpy.types.Collection) -> None:
    """Let the object be in this collection and in no other."""
    if obj.name not in collection.objects:
        collection.objects.link(obj)
    for other in list(obj.users_collection):
        if other != collection:
            other.objects.unlink(obj)
''',
    ),
    "fcurves_of": Part(
        '''\
def fcurves_of(owner: object) -> list[bpy.types.FCurve]:
    """Return the animation curves of a thing; Blender 4.4 put them into slots."""
    data: Any = getattr(owner, "animation_data", None)
    action: Any = data.action if data else None
    if action is None:
        return []
    if bpy.app.version < (4, 4, 0):
        return list(action.fcurves)
    bags = [bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags]
    return [curve for bag in bags if bag.slot == data.action_slot for curve in bag.fcurves]
''',
        imports=("typing: Any",),
    ),
    "curves_of": Part(
        '''\
def curves_of(owner: Any, name: str, index: int | None = None) -> list[bpy.types.FCurve]:
    """Return the animation curves of a property, or of one component of it."""
    path = owner.path_from_id(name)
    found = [curve for curve in fcurves_of(owner.id_data) if curve.data_path == path]
    return [curve for curve in found if index is None or curve.array_index == index]
''',
        needs=("fcurves_of",),
        imports=("typing: Any",),
    ),
    "remove_curves": Part(
        '''\
def remove_curves(owner: Any, name: str, index: int | None = None) -> None:
    """Remove the keys of a property, or of one component of it."""
    for curve in curves_of(owner, name, index):
        for point in reversed(list(curve.keyframe_points)):
            owner.keyframe_delete(name, index=curve.array_index, frame=point.co[0])
''',
        needs=("curves_of",),
    ),
    "all_curves": Part(
        '''\
def all_curves(obj: bpy.types.Object) -> list[bpy.types.FCurve]:
    """Return every animation curve of an object, its data and its shape keys."""
    owners = (obj, obj.data, getattr(obj.data, "shape_keys", None))
    found = [curve for owner in owners for curve in fcurves_of(owner)]
    if not found:
        raise LookupError(f"{obj.name!r} is not animated.")
    return found
''',
        needs=("fcurves_of",),
    ),
    "action_of": Part(
        '''\
def action_of(obj: bpy.types.Object) -> bpy.types.Action:
    """Return the action of an object, or else that of its data or its shape keys."""
    for owner in (obj, obj.data, getattr(obj.data, "shape_keys", None)):
        action = getattr(getattr(owner, "animation_data", None), "action", None)
        if isinstance(action, bpy.types.Action):
            return action
    raise LookupError(f"{obj.name!r} has no action.")
''',
    ),
    "curves_in": Part(
        '''\
def curves_in(action: Any) -> list[bpy.types.FCurve]:
    """Return every curve of an action; Blender 4.4 put them into slots."""
    if bpy.app.version < (4, 4, 0):
        return list(action.fcurves)
    bags = [bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags]
    return [curve for bag in bags for curve in bag.fcurves]
''',
        imports=("typing: Any",),
    ),
    "move_keys": Part(
        '''\
def move_keys(curves: list[bpy.types.FCurve], factor: float, pivot: float | None, offset: float = 0.0) -> None:
    """Move keys in time: so much further from a frame (the first key unless given), and so many frames later."""
    if pivot is None:
        pivot = min(point.co[0] for curve in curves for point in curve.keyframe_points)
    for curve in curves:
        for point in curve.keyframe_points:
            for place in (point.co, point.handle_left, point.handle_right):
                place[0] = pivot + factor * (place[0] - pivot) + offset
        curve.update()
''',
    ),
    "new_driver": Part(
        '''\
def new_driver(owner: Any, name: str, index: int = -1) -> bpy.types.Driver:
    """Return a new driver of a property; an older one makes way."""
    owner.driver_remove(name, index)
    return expect(owner.driver_add(name, index).driver, bpy.types.Driver)
''',
        needs=("expect",),
        imports=("typing: Any",),
    ),
    "add_variable": Part(
        '''\
def add_variable(driver: bpy.types.Driver, name: str, owner: Any, path: str, index: int | None = None) -> None:
    """Let a driver know the value of a property under a name."""
    variable: Any = driver.variables.new()
    variable.name = name
    variable.targets[0].id_type = owner.id_data.id_type
    variable.targets[0].id = owner.id_data
    variable.targets[0].data_path = owner.path_from_id(path) + ("" if index is None else f"[{index}]")
''',
        imports=("typing: Any",),
    ),
    "add_transform": Part(
        '''\
def add_transform(driver: bpy.types.Driver, name: str, obj: bpy.types.Object, kind: str, space: str) -> None:
    """Let a driver know a transform of an object under a name."""
    variable: Any = driver.variables.new()
    variable.name, variable.type = name, "TRANSFORMS"
    variable.targets[0].id = obj
    variable.targets[0].transform_type, variable.targets[0].transform_space = kind, space
''',
        imports=("typing: Any",),
    ),
    "add_distance": Part(
        '''\
def add_distance(driver: bpy.types.Driver, name: str, one: bpy.types.Object, other: bpy.types.Object) -> None:
    """Let a driver know under a name how far two objects are apart."""
    variable: Any = driver.variables.new()
    variable.name = name
    variable.type = "LOC_DIFF"
    variable.targets[0].id, variable.targets[1].id = one, other
''',
        imports=("typing: Any",),
    ),
    "remove_object": Part(
        '''\
def remove_object(obj: bpy.types.Object) -> None:
    """Delete an object, and its data if nothing else uses it."""
    data = obj.data
    bpy.data.objects.remove(obj, do_unlink=True)
    if isinstance(data, bpy.types.ID) and data.users == 0:
        bpy.data.batch_remove([data])
'''
    ),
    "duplicate": Part(
        '''\
def duplicate(obj: bpy.types.Object, name: str, *, linked: bool) -> bpy.types.Object:
    """Return a copy of an object in the same collections, with its own data unless it is linked."""
    copy = obj.copy()
    copy.name = name
    if obj.data is not None and not linked:
        copy.data = obj.data.copy()
    for collection in obj.users_collection:
        collection.objects.link(copy)
    return copy
'''
    ),
    "only_selected": Part(
        '''\
def only_selected(*objects: bpy.types.Object) -> None:
    """Select these objects and no others; the last one becomes active."""
    view_layer = current_view_layer()
    for obj in view_layer.objects:
        obj.select_set(obj in objects)
    if objects:
        view_layer.objects.active = objects[-1]
''',
        needs=("current_view_layer",),
    ),
    "apply_transform": Part(
        '''\
def apply_transform(obj: bpy.types.Object, *, location: bool, rotation: bool, scale: bool) -> None:
    """Move the transform of an object into its data, which stays where it is in the world."""
    if obj.data is not None and obj.data.users > 1:
        obj.data = obj.data.copy()
    only_selected(obj)
    bpy.ops.object.transform_apply(location=location, rotation=rotation, scale=scale)
''',
        needs=("only_selected",),
    ),
    "apply_modifiers": Part(
        '''\
def apply_modifiers(obj: bpy.types.Object, kinds: tuple[str, ...] = ()) -> None:
    """Bake modifiers of these types into the mesh, all of them if none is named."""
    if obj.data is not None and obj.data.users > 1:
        obj.data = obj.data.copy()
    only_selected(obj)
    for modifier in list(obj.modifiers):
        if not kinds or modifier.type in kinds:
            bpy.ops.object.modifier_apply(modifier=modifier.name)
''',
        needs=("only_selected",),
    ),
    "modifier_of": Part(
        '''\
def modifier_of(obj: bpy.types.Object, kind: str) -> bpy.types.Modifier:
    """Return the modifier of this type that an object has."""
    for modifier in obj.modifiers:
        if modifier.type == kind:
            return modifier
    raise LookupError(f"{obj.name!r} has no modifier of type {kind}.")
'''
    ),
    "constraint_of": Part(
        '''\
def constraint_of(obj: bpy.types.Object, kind: str) -> bpy.types.Constraint:
    """Return the constraint of this type that an object has."""
    for constraint in obj.constraints:
        if constraint.type == kind:
            return constraint
    raise LookupError(f"{obj.name!r} has no constraint of type {kind}.")
'''
    ),
    "opened": Part(
        '''\
@contextmanager
def opened(obj: bpy.types.Object, mode: Any) -> Generator[None, None, None]:
    """Have an object in another mode, selected alone."""
    only_selected(obj)
    bpy.ops.object.mode_set(mode=mode)
    yield
    bpy.ops.object.mode_set(mode="OBJECT")
''',
        needs=("only_selected",),
        imports=("collections.abc: Generator", "contextlib: contextmanager", "typing: Any"),
    ),
    "vertex_group": Part(
        '''\
def vertex_group(obj: bpy.types.Object, name: str) -> bpy.types.VertexGroup:
    """Return the vertex group of an object that has this name."""
    group = obj.vertex_groups.get(name)
    if group is None:
        raise LookupError(f"{obj.name!r} has no vertex group named {name!r}.")
    return group
'''
    ),
    "keys_of": Part(
        '''\
def keys_of(obj: bpy.types.Object) -> bpy.types.Key:
    """Return the shape keys of an object."""
    return expect(getattr(obj.data, "shape_keys", None), bpy.types.Key)
''',
        needs=("expect",),
    ),
    "sharp_edges": Part(
        '''\
def sharp_edges(obj: bpy.types.Object, angle: float) -> list[bpy.types.MeshEdge]:
    """Return the edges of a mesh at which two faces meet at more than an angle."""
    mesh = mesh_of(obj)
    bm = bmesh.new()
    bm.from_mesh(mesh)
    numbers = [edge.index for edge in bm.edges if edge.calc_face_angle(0.0) > angle]
    bm.free()
    return [mesh.edges[number] for number in numbers]
''',
        needs=("mesh_of",),
        imports=("bmesh",),
    ),
    "curve_of": Part(
        '''\
def curve_of(obj: bpy.types.Object) -> bpy.types.Curve:
    """Return the curve of an object."""
    if not isinstance(obj.data, bpy.types.Curve):
        raise TypeError(f"{obj.name!r} is an object of type {obj.type}; this needs a curve.")
    return obj.data
'''
    ),
    "points_of": Part(
        '''\
def points_of(obj: bpy.types.Object) -> list[Any]:
    """Return the points of a curve, spline after spline."""
    return [point for spline in curve_of(obj).splines for point in (*spline.bezier_points, *spline.points)]
''',
        needs=("curve_of",),
        imports=("typing: Any",),
    ),
    "bone_of": Part(
        '''\
def bone_of(rig: bpy.types.Object, name: str) -> bpy.types.PoseBone:
    """Return the pose bone of an armature that has this name."""
    bone = rig.pose.bones.get(name) if rig.pose else None
    if bone is None:
        raise LookupError(f"{rig.name!r} has no bone named {name!r}.")
    return bone
'''
    ),
    "choose_bones": Part(
        '''\
def choose_bones(rig: bpy.types.Object, *names: str) -> None:
    """Select these bones of an armature in edit mode, and no others."""
    bones = expect(rig.data, bpy.types.Armature).edit_bones
    missing = [name for name in names if name not in bones]
    if missing:
        raise LookupError(f"{rig.name!r} has no bones named {missing}.")
    for bone in bones:
        bone.select = bone.select_head = bone.select_tail = bone.name in names
    bones.active = bones[names[0]]
''',
        needs=("expect",),
    ),
    "nla_strip": Part(
        '''\
def nla_strip(obj: bpy.types.Object, name: str) -> bpy.types.NlaStrip:
    """Return the strip of an object's nonlinear animation that has this name."""
    for track in obj.animation_data.nla_tracks if obj.animation_data else ():
        for strip in track.strips:
            if strip.name == name:
                return strip
    raise LookupError(f"{obj.name!r} has no strip named {name!r}.")
'''
    ),
    "pencil_of": Part(
        '''\
def pencil_of(obj: bpy.types.Object) -> Any:
    """Return the layers and materials of a grease pencil object; its type was renamed in 5.0."""
    if obj.type != "GREASEPENCIL":
        raise TypeError(f"{obj.name!r} is an object of type {obj.type}; this needs grease pencil.")
    return obj.data
''',
        imports=("typing: Any",),
    ),
    "strokes_in": Part(
        '''\
def strokes_in(obj: bpy.types.Object) -> list[Any]:
    """Return the strokes of every layer and frame of a grease pencil object."""
    layers = pencil_of(obj).layers
    return [stroke for layer in layers for frame in layer.frames for stroke in frame.drawing.strokes]
''',
        needs=("pencil_of",),
    ),
    "control_points": Part(
        '''\
def control_points(obj: bpy.types.Object) -> list[Vector]:
    """Return where the control points of a curve are in the world, or the vertices of a mesh."""
    data: Any = obj.data
    points: list[Any] = [] if obj.type == "CURVE" else list(data.vertices)
    for spline in data.splines if obj.type == "CURVE" else ():
        points += spline.bezier_points or spline.points
    current_view_layer().update()
    return [obj.matrix_world @ Vector(each.co[:3]) for each in points]
''',
        needs=("current_view_layer",),
        imports=("mathutils: Vector", "typing: Any"),
    ),
    "hook": Part(
        '''\
def hook(obj: bpy.types.Object, leader: bpy.types.Object, numbers: list[int]) -> None:
    """Let an object lead control points of a curve or vertices of a mesh, which stay where they are by that."""
    data: Any = obj.data
    name = f"Hook {leader.name}"
    modifier: Any = obj.modifiers.get(name) or obj.modifiers.new(name, "HOOK")
    curved = obj.type == "CURVE" and any(spline.type == "BEZIER" for spline in data.splines)
    each = 3 if curved else 1  # a Bezier point counts with its two handles
    count = len(control_points(obj))
    modifier.object = leader
    modifier.vertex_indices_set([number % count * each + part for number in numbers for part in range(each)])
    modifier.matrix_inverse = leader.matrix_world.inverted() @ obj.matrix_world
''',
        needs=("control_points",),
        imports=("typing: Any",),
    ),
    "copy_modifiers": Part(
        '''\
def copy_modifiers(source: bpy.types.Object, target: bpy.types.Object) -> None:
    """Give an object the modifiers of another one."""
    for modifier in source.modifiers:
        copy: Any = target.modifiers.new(modifier.name, modifier.type)
        for prop in modifier.bl_rna.properties:
            if not prop.is_readonly:
                setattr(copy, prop.identifier, getattr(modifier, prop.identifier))
''',
        imports=("typing: Any",),
    ),
    "rigid_body": Part(
        '''\
def rigid_body(obj: bpy.types.Object) -> bpy.types.RigidBodyObject:
    """Return the rigid body of an object, which joins the simulation the first time."""
    scene = current_scene()
    if scene.rigidbody_world is None:
        bpy.ops.rigidbody.world_add()
    world = expect(scene.rigidbody_world, bpy.types.RigidBodyWorld)
    if world.collection is None:
        world.collection = bpy.data.collections.new("RigidBodyWorld")
    if obj.name not in world.collection.objects:
        world.collection.objects.link(obj)
    return expect(obj.rigid_body, bpy.types.RigidBodyObject)
''',
        needs=("current_scene", "expect"),
    ),
    "bake_bodies": Part(
        '''\
def bake_bodies(bodies: Iterable[bpy.types.Object], frames: range) -> None:
    """Give the objects keyframes of how the simulation moves them, and let them be rigid bodies no more."""
    scene = current_scene()
    moved = list(bodies)
    places: list[tuple[int, bpy.types.Object, Matrix]] = []
    for frame in range(scene.frame_start, max(frames) + 1):
        scene.frame_set(frame)
        places += [(frame, obj, obj.matrix_world.copy()) for obj in moved if frame in frames]
    for obj in moved:
        only_selected(obj)
        bpy.ops.rigidbody.object_remove()
    for frame, obj, place in places:
        obj.matrix_world = place
        obj.keyframe_insert("location", frame=frame)
        obj.keyframe_insert("rotation_euler", frame=frame)
''',
        needs=("current_scene", "only_selected"),
        imports=("collections.abc: Iterable", "mathutils: Matrix"),
    ),
    "force_field": Part(
        '''\
def force_field(obj: bpy.types.Object, kind: Any) -> bpy.types.FieldSettings:
    """Return the force field of an object, of this kind."""
    only_selected(obj)
    field = obj.field
    if field is None or field.type == "NONE":
        bpy.ops.object.forcefield_toggle()
    field = expect(obj.field, bpy.types.FieldSettings)
    field.type = kind
    return field
''',
        needs=("only_selected", "expect"),
        imports=("typing: Any",),
    ),
    "particles": Part(
        '''\
def particles(obj: bpy.types.Object, name: str) -> bpy.types.ParticleSystem:
    """Return the particle system of this name, a new one the first time."""
    modifier = obj.modifiers.get(name) or obj.modifiers.new(name, "PARTICLE_SYSTEM")
    return expect(modifier, bpy.types.ParticleSystemModifier).particle_system
''',
        needs=("expect",),
    ),
    "caches_of": Part(
        '''\
def caches_of(obj: bpy.types.Object) -> list[bpy.types.PointCache]:
    """Return the caches of the simulations of an object: cloth, soft body, particles, Dynamic Paint."""
    held: list[Any] = [each for each in obj.modifiers if each.type in {"CLOTH", "SOFT_BODY"}]
    held += obj.particle_systems
    for each in obj.modifiers:
        canvas = each.canvas_settings if isinstance(each, bpy.types.DynamicPaintModifier) else None
        held += canvas.canvas_surfaces if canvas is not None else []
    return [each.point_cache for each in held]
''',
        imports=("typing: Any",),
    ),
    "geometry_group": Part(
        '''\
def geometry_group(name: str) -> bpy.types.NodeTree:
    """Return the geometry node group of this name; a new one takes a geometry and gives one."""
    group = bpy.data.node_groups.get(name)
    if group is None:
        group = bpy.data.node_groups.new(name, "GeometryNodeTree")
        interface = expect(group.interface, bpy.types.NodeTreeInterface)
        interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
        interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
        expect(group, bpy.types.GeometryNodeTree).is_modifier = True
        start, end = group.nodes.new("NodeGroupInput"), group.nodes.new("NodeGroupOutput")
        start.location, end.location = (-400.0, 0.0), (1000.0, 0.0)
        group.links.new(start.outputs[0], end.inputs[0])
    return group
''',
        needs=("expect",),
    ),
    "use_group": Part(
        '''\
def use_group(obj: bpy.types.Object, group: bpy.types.NodeTree) -> bpy.types.NodesModifier:
    """Give the object a geometry nodes modifier with this group, unless it has one."""
    modifier = obj.modifiers.get(group.name) or obj.modifiers.new(group.name, "NODES")
    nodes = expect(modifier, bpy.types.NodesModifier)
    nodes.node_group = group
    return nodes
''',
        needs=("expect",),
    ),
    "compositor": Part(
        '''\
def compositor(scene: bpy.types.Scene) -> bpy.types.NodeTree:
    """Return the compositor's nodes: the render goes to the output. Blender 5.0 keeps them in a group of their own."""
    settings: Any = scene
    if bpy.app.version < (5, 0, 0):
        scene.use_nodes = True
        tree = expect(settings.node_tree, bpy.types.NodeTree)
        sink = "CompositorNodeComposite"
    else:
        if settings.compositing_node_group is None:
            group = bpy.data.node_groups.new("Compositor", "CompositorNodeTree")
            interface = expect(group.interface, bpy.types.NodeTreeInterface)
            interface.new_socket("Image", in_out="OUTPUT", socket_type="NodeSocketColor")
            settings.compositing_node_group = group
        tree = expect(settings.compositing_node_group, bpy.types.NodeTree)
        sink = "NodeGroupOutput"
    layers = next((node for node in tree.nodes if node.bl_idname == "CompositorNodeRLayers"), None)
    output = next((node for node in tree.nodes if node.bl_idname == sink), None)
    if layers is None:
        layers = tree.nodes.new("CompositorNodeRLayers")
        layers.location = (-400.0, 0.0)
    if output is None:
        output = tree.nodes.new(sink)
        output.location = (600.0, 0.0)
    if not output.inputs[0].is_linked:
        tree.links.new(layers.outputs["Image"], output.inputs[0])
    return tree
''',
        needs=("expect",),
        imports=("typing: Any",),
    ),
    "splice": Part(
        '''\
def splice(tree: bpy.types.NodeTree, node: bpy.types.Node, *, anew: bool = False, goal: str = "") -> None:
    """Put a node before the output of its tree, unless it is linked already; what stood before it runs in, or not."""
    if any(socket.is_linked for socket in node.outputs):
        return
    ends = {"CompositorNodeComposite", "NodeGroupOutput"}
    sink = next(each for each in tree.nodes if each.bl_idname in ends).inputs[0]
    source = sink.links[0].from_socket if sink.links else None
    fitting = [sink.type, *(["VALUE"] if sink.type == "RGBA" else [])]
    likely = [socket for kind in fitting for socket in node.inputs if socket.type == kind and socket.enabled]
    entry = next((socket for socket in likely if goal in ("", socket.name)), None)
    if source is not None and entry is not None and not anew:
        tree.links.new(source, entry)
    given = [socket for kind in fitting for socket in node.outputs if socket.type == kind and socket.enabled]
    tree.links.new(given[0], sink)
'''
    ),
    "group_inputs": Part(
        '''\
def group_inputs(name: str) -> Any:
    """Return what the node group of this name takes and gives, by name."""
    interface: Any = bpy.data.node_groups[name].interface
    return interface.items_tree
''',
        imports=("typing: Any",),
    ),
    "swap_group": Part(
        '''\
def swap_group(obj: bpy.types.Object, group: bpy.types.NodeTree) -> None:
    """Let the first geometry nodes modifier of an object have another node group."""
    next(each for each in obj.modifiers if isinstance(each, bpy.types.NodesModifier)).node_group = group
''',
    ),
    "group_of": Part(
        '''\
def group_of(obj: bpy.types.Object) -> bpy.types.NodeTree:
    """Return the node group of the first geometry nodes modifier of an object."""
    found = (modifier for modifier in obj.modifiers if isinstance(modifier, bpy.types.NodesModifier))
    return expect(next(each.node_group for each in found if each.node_group), bpy.types.NodeTree)
''',
        needs=("expect",),
    ),
    "realize_instances": Part(
        '''\
def realize_instances(obj: bpy.types.Object) -> None:
    """Let the geometry nodes of an object give real geometry; the groups of other objects stay as they are."""
    for modifier in obj.modifiers:
        if isinstance(modifier, bpy.types.NodesModifier) and modifier.node_group is not None:
            group = expect(modifier.node_group.copy(), bpy.types.NodeTree)
            splice(group, node_named(group, "Realize Instances", "GeometryNodeRealizeInstances", (800.0, 0.0)))
            nodes: Any = modifier
            nodes.node_group = group
''',
        needs=("expect", "splice", "node_named"),
        imports=("typing: Any",),
    ),
    "comp_node": Part(
        '''\
def comp_node(tree: bpy.types.NodeTree, kind: str) -> bpy.types.Node:
    """Return the node of this kind; where there is none, a new one before the output."""
    node = next((each for each in tree.nodes if each.bl_idname == kind), None)
    if node is None:
        node = tree.nodes.new(kind)
        splice(tree, node)
    return node
''',
        needs=("splice",),
    ),
    "tap": Part(
        '''\
def tap(tree: bpy.types.NodeTree, node: bpy.types.Node) -> None:
    """Let a node take what runs into the output of its tree."""
    ends = {"CompositorNodeComposite", "NodeGroupOutput"}
    sink = next(each for each in tree.nodes if each.bl_idname in ends).inputs[0]
    source = sink.links[0].from_socket if sink.links else None
    if source is not None and not node.inputs[0].is_linked:
        tree.links.new(source, node.inputs[0])
'''
    ),
    "file_output": Part(
        '''\
def file_output(
    tree: bpy.types.NodeTree, folder: str, kind: str, wanted: list[tuple[str, str, bool]], depth: str = ""
) -> None:
    """Let a node write pictures into a folder: each input by its name, the render pass that it takes, and whether that
    is normalized.
    """
    node: Any = node_named(tree, "File Output", "CompositorNodeOutputFile", (600.0, -300.0))
    layers = next(each for each in tree.nodes if each.bl_idname == "CompositorNodeRLayers")
    modern = bpy.app.version >= (5, 0, 0)
    items: Any = node.file_output_items if modern else node.file_slots
    if modern:
        node.directory = folder
        node.format.media_type = "IMAGE"
    else:
        node.base_path = folder
    node.format.file_format = kind
    if depth:
        node.format.color_depth = depth
    if [socket.name for socket in node.inputs if socket.name] != [name for name, _, _ in wanted]:
        items.clear()
        for name, output, _ in wanted:
            if modern:
                items.new("FLOAT" if output in {"Depth", "Alpha", "Mist"} else "RGBA", name)
            else:
                items.new(name)
    for name, output, normalized in wanted:
        source = layers.outputs[output]
        if normalized:
            between = node_named(tree, f"Normalize {output}", "CompositorNodeNormalize", (300.0, -300.0))
            tree.links.new(source, between.inputs[0])
            source = between.outputs[0]
        tree.links.new(source, node.inputs[name])
''',
        needs=("node_named",),
        imports=("typing: Any",),
    ),
    "pencil_with": Part(
        '''\
def pencil_with(layer: str) -> bpy.types.Object:
    """Return the grease pencil object that has this layer, or the only one there is."""
    found: list[Any] = [obj for obj in bpy.data.objects if obj.type == "GREASEPENCIL"]
    likely = [obj for obj in found if layer in obj.data.layers]
    if len(likely or found) != 1:
        raise LookupError(f"Say which grease pencil: {len(likely or found)} may be meant.")
    return expect((likely or found)[0], bpy.types.Object)
''',
        needs=("expect",),
        imports=("typing: Any",),
    ),
    "file_missing": Part(
        '''\
def file_missing(data: Any) -> bool:
    """Say whether data has the path of a file that is not there, and does not hold it itself."""
    path = str(data.filepath)
    return bool(path) and not getattr(data, "packed_file", None) and not Path(bpy.path.abspath(path)).exists()
''',
        imports=("pathlib: Path", "typing: Any"),
    ),
    "node_of": Part(
        '''\
def node_of(tree: bpy.types.NodeTree, kind: str) -> bpy.types.Node:
    """Return the node of this kind."""
    return next(node for node in tree.nodes if node.bl_idname == kind)
'''
    ),
    "wire": Part(
        '''\
def wire(tree: bpy.types.NodeTree, start: bpy.types.Node, output: str, end: bpy.types.Node, goal: str) -> None:
    """Link an output of a node to an input of another one, unless they are linked already."""
    one, other = socket_of(start.outputs, output), socket_of(end.inputs, goal)
    if not any(link.from_socket == one and link.to_socket == other for link in tree.links):
        tree.links.new(one, other)
''',
        needs=("socket_of",),
    ),
    "group_input": Part(
        '''\
def group_input(group: bpy.types.NodeTree, name: str, kind: Any) -> Any:
    """Return the input of a node group that has this name, a new one of this type the first time."""
    interface = expect(group.interface, bpy.types.NodeTreeInterface)
    items: Any = interface.items_tree
    for item in items:
        if item.item_type == "SOCKET" and item.name == name and getattr(item, "in_out", "") == "INPUT":
            return item
    return interface.new_socket(name, in_out="INPUT", socket_type=kind)
''',
        needs=("expect",),
        imports=("typing: Any",),
    ),
    "group_input_of": Part(
        '''\
def group_input_of(obj: bpy.types.Object, name: str, called: str) -> tuple[Any, Any]:
    """Return the geometry nodes modifier with an input that the user sees under this name, and the input.

    `called` is what the modifier or its group is called, if that is known.
    """
    for modifier in obj.modifiers:
        group: Any = modifier.node_group if isinstance(modifier, bpy.types.NodesModifier) else None
        for item in group.interface.items_tree if group and called in ("", modifier.name, group.name) else ():
            if item.item_type == "SOCKET" and item.in_out == "INPUT" and item.name == name:
                return modifier, item
    raise LookupError(f"{obj.name!r} has no geometry nodes modifier {called} with an input {name!r}.")
''',
        imports=("typing: Any",),
    ),
    "set_group_input": Part(
        '''\
def set_group_input(obj: bpy.types.Object, name: str, value: Any, called: str = "") -> None:
    """Set an input of the geometry nodes modifier of an object by the name that the user sees."""
    modifier, item = group_input_of(obj, name, called)
    modifier[item.identifier] = float(value) if item.socket_type == "NodeSocketFloat" else value
    obj.update_tag()
''',
        needs=("group_input_of",),
        imports=("typing: Any",),
    ),
    "key_group_input": Part(
        '''\
def key_group_input(obj: bpy.types.Object, name: str, value: float, frame: int, called: str = "") -> None:
    """Key an input of the geometry nodes modifier of an object by the name that the user sees."""
    modifier, item = group_input_of(obj, name, called)
    modifier[item.identifier] = round(value) if item.socket_type == "NodeSocketInt" else value
    obj.keyframe_insert(f'modifiers["{modifier.name}"]["{item.identifier}"]', frame=frame)
''',
        needs=("group_input_of",),
        imports=("typing: Any",),
    ),
    "strips_of": Part(
        '''\
def strips_of(scene: bpy.types.Scene) -> Any:
    """Return the strips of the video sequencer."""
    editor: Any = scene.sequence_editor or scene.sequence_editor_create()
    return editor.strips if bpy.app.version >= (4, 4, 0) else editor.sequences
''',
        imports=("typing: Any",),
    ),
    "strip_named": Part(
        '''\
def strip_named(scene: bpy.types.Scene, name: str) -> Any:
    """Return the strip of this name."""
    editor: Any = scene.sequence_editor or scene.sequence_editor_create()
    strips = editor.strips_all if bpy.app.version >= (4, 4, 0) else editor.sequences_all
    strip = strips.get(name)
    if strip is None:
        names = ", ".join(each.name for each in strips) or "no strips"
        raise LookupError(f"The sequencer has no strip named {name!r}. It has: {names}.")
    return strip
''',
        imports=("typing: Any",),
    ),
    "channel_of": Part(
        '''\
def channel_of(scene: bpy.types.Scene, number: int) -> Any:
    """Return a channel of the video sequencer by its number."""
    editor: Any = scene.sequence_editor or scene.sequence_editor_create()
    return editor.channels[number]
''',
        imports=("typing: Any",),
    ),
    "strip_of_type": Part(
        '''\
def strip_of_type(scene: bpy.types.Scene, kind: str) -> Any:
    """Return the only strip of this type."""
    editor: Any = scene.sequence_editor or scene.sequence_editor_create()
    strips = editor.strips_all if bpy.app.version >= (4, 4, 0) else editor.sequences_all
    found = [strip for strip in strips if strip.type == kind]
    if len(found) != 1:
        raise LookupError(f"The sequencer has {len(found)} strips of the type {kind}. Say which one by its name.")
    return found[0]
''',
        imports=("typing: Any",),
    ),
    "add_strip": Part(
        '''\
def add_strip(scene: bpy.types.Scene, name: str, kind: str, channel: int, first: int, last: int, *inputs: Any) -> Any:
    """Return the strip of this name, a new one from its first to its last frame at first; channel 0 is above all."""
    strips = strips_of(scene)
    strip = strips.get(name)
    if strip is None:
        channel = channel or 1 + max((each.channel for each in strips), default=0)
        length = {"length": last - first + 1} if bpy.app.version >= (5, 0, 0) else {"frame_end": last + 1}
        word = "input" if bpy.app.version >= (4, 4, 0) else "seq"
        sources = {f"{word}{number}": source for number, source in enumerate(inputs, 1)}
        strip = strips.new_effect(name=name, type=kind, channel=channel, frame_start=first, **length, **sources)
    return strip
''',
        needs=("strips_of",),
        imports=("typing: Any",),
    ),
    "media_strip": Part(
        '''\
def media_strip(
    scene: bpy.types.Scene, name: str, maker: str, source: Any, channel: int, first: int, *more: str
) -> Any:
    """Return the strip of this name, at first a new one of a file, of pictures or of a scene; channel 0 is
    above all.
    """
    strips = strips_of(scene)
    strip = strips.get(name)
    if strip is None:
        channel = channel or 1 + max((each.channel for each in strips), default=0)
        if isinstance(source, str):
            source = source if source.startswith("//") else str(Path(source).absolute())
        strip = getattr(strips, maker)(name, source, channel, first)
        for picture in more:
            strip.elements.append(picture)
    return strip
''',
        needs=("strips_of",),
        imports=("pathlib: Path", "typing: Any"),
    ),
    "strip_modifier": Part(
        '''\
def strip_modifier(scene: bpy.types.Scene, strip: Any, name: str, kind: str) -> Any:
    """Return the modifier of a strip that has this name, a new one at first."""
    workspace: Any = bpy.context.workspace
    if bpy.app.version >= (5, 0, 0) and workspace.sequencer_scene is None:
        workspace.sequencer_scene = scene  # without one, Blender 5.0 crashes here
    return strip.modifiers.get(name) or strip.modifiers.new(name, kind)
''',
        imports=("typing: Any",),
    ),
    "meta_strip": Part(
        '''\
def meta_strip(scene: bpy.types.Scene, name: str, channel: int, *members: Any) -> Any:
    """Return the meta strip of this name; a new one takes these strips in."""
    strips = strips_of(scene)
    meta = strips.get(name)
    if meta is None:
        first = min(each.frame_final_start for each in members)
        channel = channel or min(each.channel for each in members)
        meta = strips.new_meta(name, channel, first)
        for each in members:
            each.move_to_meta(meta)
        meta.channel = channel
        meta.frame_final_end = max(each.frame_final_end for each in members)
    return meta
''',
        needs=("strips_of",),
        imports=("typing: Any",),
    ),
    "add_stroke": Part(
        '''\
def add_stroke(
    layer: Any,
    number: int,
    count: int,
    places: Sequence[tuple[float, float, float]],
    closed: bool,
    radius: float,
    opacity: float,
    material: int,
) -> None:
    """Draw a stroke on a frame of a layer, unless it has so many strokes already; 0 is one more."""
    frame = next((each for each in layer.frames if each.frame_number == number), None) or layer.frames.new(number)
    drawing = frame.drawing
    if 0 < count <= len(drawing.strokes):
        return
    drawing.add_strokes([len(places)])
    stroke = drawing.strokes[len(drawing.strokes) - 1]
    stroke.cyclic = closed
    stroke.material_index = max(material, 0)
    for point, place in zip(stroke.points, places, strict=True):
        point.position = place
        point.radius = radius
        point.opacity = opacity
''',
        imports=("collections.abc: Sequence", "typing: Any"),
    ),
    "pencil_material": Part(
        '''\
def pencil_material(obj: bpy.types.Object, name: str) -> Any:
    """Return the grease pencil material of this name, in a slot of the object."""
    material: Any = bpy.data.materials.get(name) or bpy.data.materials.new(name)
    if material.grease_pencil is None:
        bpy.data.materials.create_gpencil_data(material)
    data: Any = obj.data
    if material.name not in data.materials:
        data.materials.append(material)
    return material
''',
        imports=("typing: Any",),
    ),
}
