"""passed: makes the scene that all examples of acceptance checks are about (app/accept/examples.py)."""

import math
from pathlib import Path

import bpy

scene = bpy.context.scene
cube, light, camera = (bpy.data.objects[name] for name in ("Cube", "Light", "Camera"))
bpy.data.objects.remove(bpy.data.objects["Old"])
bpy.data.images.remove(bpy.data.images["Draft"])


def link(name, data, collection=scene.collection):
    made = bpy.data.objects.new(name, data)
    collection.objects.link(made)
    return made


def linear(block, path):
    action = block.animation_data.action
    if hasattr(action, "layers"):
        curves = action.layers[0].strips[0].channelbag(block.animation_data.action_slot).fcurves
    else:
        curves = action.fcurves
    for curve in curves:
        curve.modifiers.new("CYCLES")
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"


def drive(owner, path, index, expression):
    driver = owner.driver_add(path, index).driver if index is not None else owner.driver_add(path).driver
    driver.type = "SCRIPTED"
    variable = driver.variables.new()
    variable.name = "var"
    variable.targets[0].id = cube
    variable.targets[0].data_path = "location.x"
    driver.expression = expression


cube.location.z += 2
cube.modifiers.remove(cube.modifiers["Bevel"])
cube.modifiers.new("Smooth", "SUBSURF").levels = 2

bpy.ops.mesh.primitive_torus_add(location=(0, 0, 0.6), major_radius=2, minor_radius=0.6)
ring = bpy.context.object
ring.name = "Ring"
ring.data.polygons.foreach_set("use_smooth", [True] * len(ring.data.polygons))
gold = bpy.data.materials.new("Gold")
gold.use_nodes = True
gold.use_backface_culling = True
tree = gold.node_tree
shader = tree.nodes["Principled BSDF"]
shader.inputs["Base Color"].default_value = (1, 0.545724, 0, 1)
shader.inputs["Metallic"].default_value = 1
shader.inputs["Roughness"].default_value = 0.2
bump, noise, ramp = (tree.nodes.new(f"ShaderNode{kind}") for kind in ("Bump", "TexNoise", "ValToRGB"))
bump.inputs["Strength"].default_value = 0.25
noise.inputs["Scale"].default_value = 40
tree.links.new(noise.outputs[0], ramp.inputs[0])
tree.links.new(ramp.outputs["Color"], bump.inputs["Height"])
tree.links.new(bump.outputs["Normal"], shader.inputs["Normal"])
ring.data.materials.append(gold)
ring.data.materials.append(None)

slab = link("Slab", bpy.data.objects["Plinth"].data.copy())
slab.location = (9, 0, 0)
slab.scale = (2, 1, 0.1)
slab.modifiers.new("Mirror", "MIRROR").use_axis = (True, False, False)
slab.modifiers.new("Dust", "PARTICLE_SYSTEM")
slab.particle_systems[0].name = "Dust"
slab.particle_systems[0].settings.count = 500
slab["shot"] = "SH010"
for frame, angle in ((1, math.pi / 4), (48, math.pi)):
    slab.rotation_euler.z = angle
    slab.keyframe_insert("rotation_euler", frame=frame)
linear(slab, "rotation_euler")
slab.rotation_euler.z = math.pi / 4

props = bpy.data.collections.new("Props")
scene.collection.children.link(props)
lamp = link("Lamp", bpy.data.lights.new("Lamp", "AREA"), props)
lamp.parent = cube
lamp.location = (0, 0, 1)
copied = lamp.constraints.new("COPY_ROTATION")
copied.target, copied.use_x = cube, False
light.data.energy = 200
for frame, energy in ((20, 400), (1, 200)):
    lamp.data.energy = energy
    lamp.data.keyframe_insert("energy", frame=frame)

goal = link("Goal", None)
drive(goal, "location", 0, "var / 2")
drive(camera.data, "lens", None, "50 + var")
rig = link("Rig", bpy.data.armatures.new("Rig"))
bpy.context.view_layer.objects.active = rig
bpy.ops.object.mode_set(mode="EDIT")
upper, lower = (rig.data.edit_bones.new(name) for name in ("Upper", "Lower"))
upper.tail, lower.head, lower.tail, lower.parent = (0, 0, 1), (0, 0, 1), (0, 0.1, 2), upper
bpy.ops.object.mode_set(mode="OBJECT")
chain = rig.pose.bones["Lower"].constraints.new("IK")
chain.target, chain.chain_count = goal, 2
rig.pose.bones["Lower"].rotation_mode = "XYZ"
for frame in (1, 24):
    rig.pose.bones["Lower"].keyframe_insert("rotation_euler", frame=frame)



def block(name, location, size=0.1):
    made = link(name, bpy.data.meshes.new(name))
    half = size / 2
    corners = [(x, y, z) for x in (-half, half) for y in (-half, half) for z in (-half, half)]
    faces = [(0, 1, 3, 2), (6, 7, 5, 4), (4, 5, 1, 0), (2, 3, 7, 6), (0, 2, 6, 4), (5, 7, 3, 1)]
    made.data.from_pydata(corners, [], faces)
    made.location = location
    return made


cap = block("Cap", (6, 0, 1.1), 0.2)
for material in (None, gold):
    cap.data.materials.append(material)
cap.data.polygons[5].material_index = 1
grow = bpy.data.node_groups.new("Grow", "GeometryNodeTree")
for way in ("INPUT", "OUTPUT"):
    grow.interface.new_socket("Geometry", in_out=way, socket_type="NodeSocketGeometry")
height = grow.interface.new_socket("Height", in_out="INPUT", socket_type="NodeSocketFloat")
ends = [grow.nodes.new(kind) for kind in ("NodeGroupInput", "NodeGroupOutput")]
grow.links.new(ends[0].outputs[0], ends[1].inputs[0])
grown = cap.modifiers.new("Grow", "NODES")
grown.node_group = grow
grown[height.identifier] = 0.5
pearl = block("Pearl", (0, 0, 0.6), 0.2)
pearl.instance_type = "VERTS"
block("Bead", (0, 0, 0), 0.02).parent = pearl
for place in range(3):
    block(f"Post {place}", (3.5, place / 2 - 0.5, 0.05))

scene.world.use_nodes = True
scene.world.node_tree.nodes["Background"].inputs["Strength"].default_value = 0.5
group = bpy.data.node_groups.new("Scatter", "GeometryNodeTree")
group.use_fake_user = True
double = group.nodes.new("ShaderNodeMath")
double.name, double.operation = "Double", "MULTIPLY"
double.inputs[1].default_value = 2
scene.frame_end = 48
scene.render.engine = "CYCLES"
for frame, pull in ((30, 0), (1, -9.81)):
    scene.gravity = (0, 0, pull)
    scene.keyframe_insert("gravity", frame=frame)
bpy.context.view_layer.update()
camera.rotation_euler = (ring.location - camera.location).to_track_quat("-Z", "Y").to_euler()
bpy.context.view_layer.update()
Path("names.txt").write_text("\n".join(sorted(bpy.data.objects.keys())))


class AddTower(bpy.types.Operator):
    """Add a tower."""

    bl_idname = "mesh.add_tower"
    bl_label = "Add Tower"


bpy.utils.register_class(AddTower)
bpy.types.Scene.tower_floors = bpy.props.IntProperty(default=4)
