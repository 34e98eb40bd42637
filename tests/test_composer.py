"""The composer: what it reads, what it refuses and with which words, and the source that it writes."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from app.drafting.composer import Composer
from app.drafting.composer.build import Build
from app.drafting.composer.composer import load_examples
from app.drafting.composer.grammar import RULES, step
from app.drafting.composer.lexicon import read_needs
from app.drafting.composer.steps.recipes import Dish, every_dish, with_values
from app.drafting.composer.tokens import tokenize
from app.drafting.composer.values import Color
from app.drafting.draft import Draft, NotUnderstood, ValueOutOfRange
from ingest.cookbook import COOKBOOK
from ingest.manifest import Manifest
from tests.assembled import REFUSED

SENTENCE = "Create the active object if missing, add a Subdivision Surface modifier (levels=2), and shade smooth."

READ: list[tuple[str, list[str]]] = [
    (
        ('Assign the action "Walk" to the armature "Rig", give it a fake user, and rename it to "Rig_Walk".'),
        ['action.name = "Rig_Walk"', "action.use_fake_user = True"],
    ),
    (
        'Move all empties to the collection "Helpers" and make it unselectable',
        ['collection = bpy.data.collections["Helpers"]', "collection.hide_select = True"],
    ),
    (
        'Move all lights to the collection "Lights" and hide it in renders',
        ['bpy.data.collections["Lights"].hide_render = True'],
    ),
    ("Delete the smallest object", ["if max(obj.dimensions[:]) > 0.0", "[:1]"]),
    ("Run object.join on the selected objects", ["    bpy.ops.object.join()"]),
    ("Print the names of all materials that have no users", ["for each in bpy.data.materials if each.users == 0"]),
    (
        (
            "Delete every empty collection and purge orphaned meshes recursively. Print how many data blocks"
            " were removed in total."
        ),
        [
            "blocks = len(bpy.data.user_map())\n    while",
            'print(blocks - len(bpy.data.user_map()), "data-blocks removed")',
        ],
    ),
    (
        (
            'Set up a pie menu called "Views" with front and top views. It opens with Shift+Q. Add the '
            "operator that calls it to the View menu too."
        ),
        ['layout.operator("wm.call_menu_pie", text="Views").name = "VIEW3D_MT_views"', "bpy.types.VIEW3D_MT_view"],
    ),
    (
        (
            'Export each object of the collection "Export" to its own glTF binary in //gltf, named after the'
            " object, with modifiers applied and without materials. Move each of them to the origin first "
            "and put it back afterwards."
        ),
        ['export_materials="NONE"', "export_apply=True", 'export_format="GLB"', "obj.matrix_world = place", ".glb"],
    ),
    (
        'Add a solidify of 3 mm to "Vase". The solidify should have its offset at 1.',
        ['expect(vase.modifiers["Solidify"], bpy.types.SolidifyModifier)', "solidify_2.offset = 1.0"],
    ),
    ('copy the modifiers from "A" to all selected', ["if obj == a:", "continue"]),
    ('set handles of the curve "Spline" to vector', ["for spline_2 in expect(spline.data, bpy.types.Curve).splines"]),
    ('all handles on the bezier curve "Zigzag" to vector, both sides', ['point.handle_right_type = "VECTOR"']),
    (
        'turn the curve "Pipe" into a mesh "Pipe_mesh" and keep the curve as it is',
        ['duplicate(pipe, "Pipe_mesh", linked=False)', "only_selected(pipe_mesh)"],
    ),
    (
        'On the object "Tree" make a vertex group "Leaves" of all vertices above z = 2.',
        ['vertex_groups.new(name="Leaves")', "[2] > 2.0"],
    ),
    ("Delete every object without a material", ['if hasattr(obj.data, "materials") and not any(']),
    ("Rename all collections to uppercase", ["each_one.name.upper()"]),
    ('Set the custom property "lod" to 2 on all meshes with more than 1000 faces', ['obj["lod"] = 2']),
    (
        "Give all actions, materials and node groups a fake user",
        ["(*bpy.data.actions, *bpy.data.materials, *bpy.data.node_groups)", "use_fake_user = True"],
    ),
    ("Open the file //scenes/shot.blend", ["bpy.ops.wm.open_mainfile("]),
    ('open "shot.blend"', ["bpy.ops.wm.open_mainfile("]),
    ("Save the file with compression", ["save_mainfile(compress=True)"]),
    ("List all objects that are in more than one collection", ["len(obj.users_collection) > 1"]),
    ("Select every object that has no UV map", ['obj.type == "MESH" and not mesh_of(obj).uv_layers']),
    ("Count the objects in each collection and print the result", ["Counter(each.name for obj"]),
    ("Make all linked objects local", ["if obj.library is not None", "make_local()"]),
    ('Turn off the view layer "Background" for rendering', [".use = False"]),
    ("Call bpy.ops.object.shade_smooth on every mesh", ["only_selected(*", "bpy.ops.object.shade_smooth()"]),
    (
        'Duplicate the collection "Trees" as "Trees_B"',
        ['copy_of_collection(bpy.data.collections["Trees"], "Trees_B", linked=False)'],
    ),
    ("Before saving, remove all unused materials", ["bpy.app.handlers.save_pre", "bpy.data.batch_remove("]),
    ('Toggle the visibility of the collection "Rig"', ["collection.hide_viewport = not collection.hide_viewport"]),
    ("Sort all objects into collections by material", ["collection_named(obj.active_material.name)"]),
    (
        'Add a checkbox "Show grid" to the scene and display it in a panel "Grid" of the sidebar',
        ["every.show_grid = bpy.props.BoolProperty", 'layout.prop(scene, "show_grid")'],
    ),
    (
        'Delete all objects named "tmp" or ending with "_delete"',
        ['obj.name.split(".")[0] == "tmp" or obj.name.endswith("_delete")'],
    ),
    (
        'Rename the bones of "Rig" so "Left" becomes "_L" and "Right" becomes "_R".',
        ['.replace("Left", "_L").replace("Right", "_R")'],
    ),
    ("Set all image paths in the file relative to the blend", ["make_paths_relative"]),
    (
        (
            'When the frame changes, show the current frame in the text object "Counter". When a render is '
            "finished, print the current time. Both handlers should stay when another file is opened."
        ),
        ["frame_change_post", "render_complete"],
    ),
    (
        (
            'Create a timer that runs every 2 seconds and rotates the object "Radar" by 10 degrees around Z.'
            " It should start after 1 second."
        ),
        ["first_interval=1.0", "return 2.0"],
    ),
    (
        ('Make a new scene "Shots" with a frame range of 1 to 240 at 30 fps. Link the collection "Set" into it.'),
        [
            "shots_scene.frame_end = 240",
            "shots_scene.render.fps",
            'shots_scene.collection.children.link(bpy.data.collections["Set"])',
        ],
    ),
    (
        (
            'Create the structure of collections "ENV" with "Terrain" and "Plants" in it, and "CHR" with '
            '"Crowd". Exclude "Crowd" from the view layer.'
        ),
        [
            'nest(collection_named("Plants"), collection_named("ENV"))',
            'nest(collection_named("Crowd"), collection_named("CHR"))',
            "exclude = True",
        ],
    ),
    (
        'Create a collection "Lights" and move every light into it. Hide the collection in renders.',
        ['bpy.data.collections["Lights"].hide_render = True'],
    ),
    (
        (
            'Write an operator "object.up" labelled "Up" that moves the selected objects up by 1. Support '
            'undo. Add a button for it in a panel "Align" in the sidebar tab "Edit".'
        ),
        ['bl_options = {"REGISTER", "UNDO"}', 'layout.operator("object.up")'],
    ),
    ("Rename all lights to LGT_ plus their type", ['"LGT_" + expect(obj.data, bpy.types.Light).type']),
    (
        ('Rename the selected objects to "SM_" followed by their old name with spaces replaced by underscores'),
        ['"SM_" + obj.name.replace(" ", "_")'],
    ),
    (
        "Name every mesh after its collection, an underscore and a two-digit number",
        ['users_collection[0].name + "_" + f"{number:02}"'],
    ),
    ("Delete all empties and print how many were deleted", ["print(len(wanted))", "for obj in wanted:"]),
    (
        (
            "For every mesh with more than 5000 faces, add a Decimate modifier with a ratio of 0.5. "
            "Afterwards print how many objects were changed and save the file."
        ),
        ["print(len(wanted))", "save_mainfile"],
    ),
    (
        "Write the names and locations of all empties to a CSV file next to the blend",
        ['"//empties.csv"', "*each.location[:]"],
    ),
    (
        (
            "Make a JSON report at //report.json that holds, for each mesh, the name and face count. Only "
            "consider visible objects and sort them by face count, the heaviest first."
        ),
        ["and obj.visible_get()", "reverse=True)", '"faces": len('],
    ),
    (
        (
            'Give each object in the collection "P" a string property "sku" with the value "SKU-" and a '
            'running number from 100, with a description "Stock". Then write sku and object name to //p.csv '
            "with a semicolon as separator."
        ),
        [
            'obj["sku"] = f"SKU-{number}"',
            'describe(obj, "sku", description="Stock")',
            '(each.get("sku"), each.name)',
            'delimiter=";"',
        ],
    ),
    ("Import the OBJ file //chair.obj with Y forward and Z up", ['forward_axis="Y", up_axis="Z"']),
    ("Export the selected objects to //a.fbx with -Z forward and Y up", ['axis_forward="-Z"', 'axis_up="Y"']),
    ("Export the selection as OBJ to //a.obj", ["wm.obj_export"]),
    (
        (
            'Duplicate the scene as "Low" with linked objects. In the new scene set the resolution '
            "percentage to 50 and turn off motion blur. Keep the original scene active."
        ),
        [
            "scene.copy()",
            "low_scene.render.resolution_percentage = 50",
            "low_scene.render.use_motion_blur = False",
        ],
    ),
    (
        'Set the frame range of the scene to the one of the action "Walk"',
        ["(int(frame) for frame in action.frame_range[:])"],
    ),
    ("Let the mesh data have the same name as the object", [".name = obj.name"]),
    (
        'Link the collection "Car" from //lib/vehicles.blend as an instance and place it at (4, 0, 0)',
        ["instance_collection = bpy.data.collections", ".location = (4.0, 0.0, 0.0)"],
    ),
    (
        (
            'Create a pie menu called "Views" with front, right and top views plus camera view. It opens '
            "with Shift+Q in the 3D view."
        ),
        [
            "layout.menu_pie()",
            'pie.operator("view3d.view_axis", text="Top").type = "TOP"',
            '"wm.call_menu_pie", "Q", "PRESS", shift=True',
            'opened_menu.name = "VIEW3D_MT_views"',
        ],
    ),
    (
        ("Register a shortcut Ctrl+Shift+H that hides all unselected objects, and Alt+Shift+J that shows all objects."),
        ['"object.hide_unselected_objects", "H", "PRESS", ctrl=True, shift=True', '"J", "PRESS", alt=True, shift=True'],
    ),
    (
        'Put all cameras in a collection called "Cameras" and color it green',
        ['bpy.data.collections["Cameras"].color_tag = "COLOR_04"'],
    ),
    ("Strip the .001 suffixes off the object names", ["for obj in list(scene.objects):", 're.sub(r"\\.\\d+$"']),
    (
        "Move all objects above z = 2 down by 3 and add a bevel modifier to them",
        ["wanted = [", "for obj in wanted:\n        added = "],
    ),
    (
        (
            "Find all objects whose scale is not 1 and select them. Apply their scale, then tag them with a "
            'boolean custom property called "done".'
        ),
        ["only_selected(*wanted)", 'for obj in wanted:\n        obj["done"] = True'],
    ),
    (
        "Select the 3 largest objects",
        ["sorted(scene.objects, key=lambda obj: max(obj.dimensions[:]), reverse=True)[:3]"],
    ),
    ("Print the names of the two meshes with the fewest vertices", ["key=lambda obj: len(mesh_of(obj).vertices))[:2]"]),
    ('Pack all images except "HDRI.exr"', ['if each.name not in ("HDRI.exr",)', "each_one.pack()"]),
    ('Give all images except "A" and "B" a fake user', ['if each.name not in ("A", "B")', "use_fake_user = True"]),
    ("Print the current frame before every render", ["bpy.app.handlers.render_pre", "print(scene.frame_current)"]),
    ("Auto save the blend every 5 minutes with a timer", ["first_interval=300.0", "bpy.ops.wm.save_mainfile()"]),
    (
        (
            'Write an operator "object.drop" labelled "Drop" that deletes the selected objects. Show it in '
            "the object menu. It should only be enabled when something is selected."
        ),
        ["return bool(context.selected_objects)", 'layout.operator("object.drop")'],
    ),
    (
        (
            'Register an operator "object.tidy" labelled "Tidy" with the tooltip "Cleans up." that deletes '
            "all empties. It is disabled unless the file is saved."
        ),
        ['"""Cleans up."""', "return bpy.data.is_saved"],
    ),
    (
        'Add an integer property "level" to scenes with a range from 0 to 10 and default 3',
        ['IntProperty(name="Level", default=3, min=0, max=10)'],
    ),
    (
        (
            'Add a property group with a float "spacing" from 0.1 to 10 and a boolean "random rotation". '
            'Attach it to the scene as "scatter_props" and draw both in a panel called "Scatter" in the '
            'sidebar tab "Layout".'
        ),
        [
            "class ScatterProps(bpy.types.PropertyGroup)",
            "holder.scatter_props = ",
            'layout.prop(scene.scatter_props, "random_rotation")',
        ],
    ),
    (
        ('Make a panel in the N sidebar under the tab "Tools" with a button for each of shade smooth and shade flat'),
        ['bl_category = "Tools"', 'layout.operator("object.shade_flat")'],
    ),
    (
        (
            "Whenever a file is loaded, hide the cube. Make the handler persistent so that it survives "
            "opening another file."
        ),
        ["bpy.app.handlers.load_post", "persistent(on_load)"],
    ),
    (
        (
            'Create two collections named "GEO" and "LGT" inside a collection "SHOT". Sort all meshes into '
            '"GEO" and all lights into "LGT". Then hide "LGT" in the viewport and make "GEO" unselectable.'
        ),
        [
            'nest(geo_collection, collection_named("SHOT"))',
            'move_to_collection(obj, collection_named("LGT"))',
            "lgt_collection.hide_viewport = True",
            "hide_select = True",
        ],
    ),
    ('Create a collection "A". Add collections "B" and "C" inside it.', ['nest(c_collection, collection_named("A"))']),
    (
        (
            'Create a view layer "Front" in which only the collections "Hero" and "Props" are included. Make'
            ' a second view layer "Back" where these two are excluded. Switch back to "Front".'
        ),
        [
            'layer_collection("Props", scene.view_layers["Back"]).exclude = True',
            'window.view_layer = window.scene.view_layers["Front"]',
        ],
    ),
    (
        'Give the action "Walk" a fake user. Delete all other actions that nothing uses.',
        ['if each.users == 0 and each.name not in ("Walk",)'],
    ),
    ("Purge orphaned meshes recursively.", ["stores = (bpy.data.meshes,)"]),
    (
        (
            "Import //models/chair.obj, scale what came in to 0.1, move it into a new collection named "
            '"Imported". Then rename each new object so that it starts with "chair_".'
        ),
        ["for obj in imported:\n        move_to_collection(obj", 'obj.name = "chair_" + obj.name'],
    ),
    (
        (
            "For every mesh with more than 5000 faces, add a Decimate modifier with a ratio of 0.5 and set a"
            ' custom property "decimated" to true.'
        ),
        ['obj["decimated"] = True', "> 5000"],
    ),
    (
        'emission strength of material "Neon" to 12, colour orange',
        ['"Emission Strength", 12.0', '"Emission Color", (1.0, 0.2159'],
    ),
    ('material "Glow": emission 5, green', ['"Emission Strength", 5.0', '"Emission Color", (0.0, 1.0, 0.0, 1.0)']),
    ('"Lamp": emission strength 4, base color red', ['"Emission Strength", 4.0', '"Base Color", (1.0, 0.0, 0.0, 1.0)']),
    ('"Lamp": color red, emission strength 3', ['"Base Color", (1.0, 0.0, 0.0, 1.0)', '"Emission Strength", 3.0']),
    ('sheen 0.5 on "Velvet", tint pink', ['"Sheen Weight", 0.5', '"Sheen Tint", (1.0, 0.1413']),
    (
        'second material slot of "Car" should use "Chrome"',
        ["while len(slots) < 2", "car.material_slots[1].material = chrome_material"],
    ),
    ('the first slot of "Car" holds "Paint"', ["car.material_slots[0].material = paint_material"]),
    (
        'Copy the modifiers of "Master" to "Copy_A" and "Copy_B". Delete all the custom properties on the copies.',
        ["for obj in (copy_a, copy_b):\n        for key in list(obj.keys())"],
    ),
    (
        'Add a text object reading "OPEN". Its material "Neon Red" must emit red light with strength 15.',
        ["use_material(text, neon_red_material)", '"Emission Color", (1.0, 0.0, 0.0, 1.0)'],
    ),
    ('Use "Profile" as the bevel object of "Rail"', ["expect(rail.data, bpy.types.Curve).bevel_object = profile"]),
    ('let "Path" be the taper object of "Rail"', ["expect(rail.data, bpy.types.Curve).taper_object = path"]),
    (
        'For every mesh in the collection "Props", remove unused material slots and add a UV map "UVMap2".',
        ['bpy.data.collections["Props"].all_objects', "for obj in wanted:\n        used = {"],
    ),
    (
        'give "Gear" an array of 3 along X, 2 m apart. Then add an array of 5 along Y, 1 m apart.',
        ['modifiers.new("Array", "ARRAY")', 'modifiers.new("Array 2", "ARRAY")'],
    ),
    ('array "Post" 10 times along x, 0.4 m apart', ["array.count = 10", "constant_offset_displace = (0.4, 0.0, 0.0)"]),
    (
        'On "Fence" I want an array of 12 copies spaced 0.5 m along X using constant offset, followed by a second'
        " array with 3 copies 2 m apart in Y.",
        ["array.count = 12", '"Array 2"', "(0.0, 2.0, 0.0)"],
    ),
    ('bridge the two edge loops of "Tube"', ["[edge for edge in bm.edges if len(edge.link_faces) < 2]"]),
    ('set the auto smooth angle of "Helmet" to 40°', ["shade(helmet, smooth=True)", "radians(40.0)"]),
    (
        'add a color attribute "Dirt" to "Rock" per face corner, bytes',
        ['attributes.new("Dirt", "BYTE_COLOR", "CORNER")'],
    ),
    ('add a color attribute "Heat" to "Rock", float', ['attributes.new("Heat", "FLOAT_COLOR", "CORNER")']),
    (
        'assign vertices of "Flag" with x < 0.1 to group "Pinned" weight 0.8',
        ["(flag.matrix_world @ vert.co)[0] < 0.1", "0.8"],
    ),
    ('Cut "Torus" in half at the x = 0 plane and keep the positive side.', ["Vector((-1.0, 0.0, 0.0)), clear=True"]),
    ('knife cut "Loaf" at z=0.2', ["Vector((0.0, 0.0, 0.2))", "clear=False"]),
    ('delete the faces of "Cube" smaller than 0.1', ["face.calc_area() < 0.1"]),
    (
        'mark edges of "Box" whose angle is greater than 50 degrees as sharp',
        ["edge.calc_face_angle(0.0) > radians(50.0)"],
    ),
    ('make all faces of "Room" point inward', ["recalc_face_normals", "reverse_faces"]),
    (
        'Select the faces of "Head" which use the material "Skin" and separate them into a new object "Face".',
        ['duplicate(head, "Face", linked=False)', "if face.select"],
    ),
    ('Add a 16 by 16 grid of 4 m called "Water".', ['plane_mesh("Water", (4.0, 4.0), (16, 16))']),
    ('add a path called "Rail" that is 5 m long', ["((-2.5, 0.0, 0.0), (2.5, 0.0, 0.0))"]),
    ('add a closed curve "Track"', ["(1.0, 0.0, 0.0)), True)"]),
    ('"Terrain" is a grid. Subdivide it once and shade it smooth.', ['object_named("Terrain")']),
    (
        'Add a displace modifier to "Terrain" with strength 0.8 and restrict it to the vertex group "Hills".',
        ['displace.vertex_group = "Hills"'],
    ),
    (
        'Join "Leg1" and "Leg2" to "Top" and rename the object "Table". Then move it so that the origin sits at the'
        " world origin.",
        ['top.name = "Table"', "top.location = (0.0, 0.0, 0.0)"],
    ),
    (
        'Give "Window" a material called "Frosted" with transmission 1. In the viewport it should display with'
        " alpha 0.3.",
        ["frosted_material.diffuse_color[3] = 0.3"],
    ),
    (
        'Add a UV map "Second" to "Crate". The first UV map should stay the one used for rendering.',
        ["uv_layers[0].active_render = True"],
    ),
    (
        'Add a cylinder "Nut" with 6 vertices and cut a hole of radius 0.25 through it with a boolean.',
        ['cone_mesh("Hole", 0.25, 0.25, length, 64, True)'],
    ),
    ('a noise texture in front of a bump on "Wall"', ['socket_of(noise_texture.outputs, "Factor")', "bump.inputs"]),
    (
        'Give "Ball" an active rigid body. Friction and bounciness are 0.3 and 0.7. The floor "Slab" is passive.',
        [
            "settings = rigid_body(ball)",
            "settings.friction = 0.3",
            "settings.restitution = 0.7",
            'body_2.type = "PASSIVE"',
        ],
    ),
    (
        'Add a hinge between "Door" and "Frame". Limit it to 0 to 100 degrees. Breakable at 60.',
        ["joint.limit_ang_z_upper = radians(100.0)", "joint.use_breaking = True", "joint.breaking_threshold = 60.0"],
    ),
    ('Add a wind "W1" with strength 5 along -X.', ['new_object("W1"', "field.strength = 5.0"]),
    (
        "show the armature in front, bones as sticks, with names",
        ['display_type = "STICK"', "show_names = True", "armature.show_in_front = True"],
    ),
    ('copy location on bone "a" of Rig, target "T". Mute it.', ["copy_location.enabled = False"]),
    ('rigid body "Ball": linear and angular damping 0.1', ["linear_damping = 0.1", "angular_damping = 0.1"]),
    (
        'key the strength of the wind "Gust": 0 at 1, 20 at 30',
        ["gust.field", 'fieldsettings.keyframe_insert("strength"'],
    ),
    ('key the force field strength of "Blower": 0 at frame 1, 40 at frame 25', ["blower.field", ".strength = 40.0"]),
    ('set the strength of the wind "Gust" to 5', ["gust.field", ".strength = 5.0"]),
    (
        '"Cam" follows "Loop" with a Follow Path constraint. Animate its offset factor from 0 to 1 in frames 1 to 200.',
        ["follow_path.use_fixed_location = True", "follow_path.offset_factor = 1.0"],
    ),
    (
        'Have water fall from "Tap" into "Basin": Tap is a liquid inflow, Basin an effector, and the cube "Domain" the'
        " liquid domain with a resolution of 128. Turn the mesh on and delete nothing.",
        ['flow_behavior = "INFLOW"', "resolution_max = 128", "domain_settings.use_mesh = True"],
    ),
    (
        'Scatter the object "Pebble" over "Ground" with a hair particle system: 800 pieces, size 0.05 with 60 % random'
        " size, random rotation. Do not show the emitter in the render. Seed 7.",
        [
            "settings.instance_object = pebble",
            "size_random = 0.6",
            "rotation_factor_random = 1.0",
            "ground.show_instancer_for_render = False",
            "system.seed = 7",
        ],
    ),
    (
        'set the seed of the particle system on "Rain" to 4 and hide the emitter in renders',
        ["rain.show_instancer_for_render = False"],
    ),
    ('"Rain" has a particle system. Set its seed to 4.', ["rain.particle_systems[0].seed = 4"]),
    ('hide the emitter "Plane" in the render', ["plane.show_instancer_for_render = False"]),
    ('render the particles of "Tree" as instances of the object "Leaf"', ["tree.particle_systems[0]", "= leaf"]),
    ("turbulence field, strength 12, affects location only", ["apply_to_rotation = False"]),
    ('curve guide force field on the curve "Path"', ['force_field(path, "GUIDE")']),
    ("soft body on the cube. Frame range of the cache 1-180.", ["soft_body.point_cache", "cache.frame_end = 180"]),
    (
        'key the visibility of "Sign" off at 10, on at 12, off at 14, on at 20',
        ['hide_render = True\n    sign.keyframe_insert("hide_render", frame=14)'],
    ),
    (
        '"Head" has a shape key "Wink". Restrict it to the vertex group "Eye" and put it on mute.',
        ['key_blocks["Wink"]', 'shapekey.vertex_group = "Eye"', "shapekey.mute = True"],
    ),
    ('shape key "Smile" on "Head", value 0.5, range 0 to 2', ["block.slider_max = 2.0", "block.value = 0.5"]),
    ('add a shape key "Wide" to "Head" relative to "Smile"', ['block.relative_key = blocks["Smile"]']),
    ('new shape key from mix on "Head" called "Mix"', ["from_mix=True"]),
    ('a shape key "Low" on the cube in which all vertices are at half height', ["point.co.z = base.co.z * 0.5"]),
    (
        'an armature with two bones, "a" from (0,0,0) to (0,0,1) and "b" from (0,0,1) to (0,0,2), connected',
        ["b_bone.parent = a_bone", "b_bone.use_connect = True"],
    ),
    (
        "Animate the camera's focal length from 35 mm at frame 1 to 85 mm at frame 90. The focus distance goes from"
        " 2 m to 6 m over the same frames.",
        ['.keyframe_insert("dof.focus_distance", frame=1)', '.keyframe_insert("dof.focus_distance", frame=90)'],
    ),
    ('all keyframes of the action "Walk" to linear', ['curves_in(bpy.data.actions["Walk"])', '"LINEAR"']),
    ('markers: "intro" at 1, "jump" at 45, "land" at 80', ['(("intro", 1), ("jump", 45), ("land", 80))']),
    (
        'Add two NLA tracks on "Hero": on the lower the strip "Walk" from frame 1, repeated 4 times, on the upper the'
        ' strip "Wave" starting at frame 30 with combine mode add.',
        ["strip.repeat = 4.0", "track.strips.new(action.name, 30, action)", 'strip.blend_type = "ADD"'],
    ),
    (
        'Bake the pose of "Rig" from frame 1 to 100 into a new action, clear the constraints afterwards. Only the'
        " selected bones.",
        ["only_selected=True", "clear_constraints=True, use_current_action=False", '{"POSE"}'],
    ),
    (
        'keyframes on the location of "Drone" at frame 1 (0, 0, 0), 50 (4, 2, 3) and 100 (8, 0, 0)',
        ["drone.location = (4.0, 2.0, 3.0)", "frame=100"],
    ),
    ("Set the timeline to 24 fps and 240 frames", ["scene.frame_end = 240", "scene.render.fps = 24"]),
    (
        'a cycles modifier on the z rotation of "Fan" (repeat with offset after, nothing before)',
        ['modifier.mode_after = "REPEAT_OFFSET"', 'modifier.mode_before = "NONE"'],
    ),
    (
        "Noise modifier on the rotation of the camera, strength 2, with different phases. Restrict it to frames 10 to"
        " 50.",
        ["modifier.phase = 10.0 * curve.array_index", "restricted.frame_end = 50"],
    ),
    ("mute the z rotation channel of the cube", ["curve.mute = True"]),
    (
        "the cube's z location: 0 at frame 1, 2 at frame 12, 0 at frame 24. The first two keys ease out, quad.",
        ["if point in curve.keyframe_points[:2]:", 'point.interpolation = "QUAD"'],
    ),
    (
        'armature "Rig" has Upper, Fore, Hand. Put IK on Fore, target "Goal", chain length 2',
        ['.pose, bpy.types.Pose).bones["Fore"]'],
    ),
    ('"Rig" has a bone "Hip". Lock its location.', ['bones["Hip"]', "posebone.lock_location = (True, True, True)"]),
    ('armature "Rig" with one bone "Root" from (1, 2, 0) up to z = 1', ["root_bone.tail = (1.0, 2.0, 1.0)"]),
    ('"Rig" drawn as stick, always in front', ['display_type = "STICK"', "rig.show_in_front = True"]),
    ('bone roll of "Arm" in "Rig" to 90', ['edit_bones["Arm"].roll = radians(90.0)']),
    (
        'connect the bone "Shin" to "Thigh" in "Leg"',
        ['parent = armature_data.edit_bones["Thigh"]', "use_connect = True"],
    ),
    ('Symmetrize "Rig" from left to right', ['(".L", "_L")', "symmetrize()"]),
    ('Symmetrize the armature "Rig" (the left bones exist, with .L suffixes).', ['(".L", "_L")', "symmetrize()"]),
    ("apply the current pose of Rig as rest pose", ["bpy.ops.pose.armature_apply(selected=False)"]),
    ('assign the bones "A" and "B" in "Rig" to the collection "Arms"', ['collections.new("Arms")', 'bones["B"])']),
    ('bone collection "IK" on "Rig" with the bones "A" and "B", hidden', ['bones["B"])', "group.is_visible = False"]),
    (
        'put the bones "A" and "B" of the rig into a bone collection named Torso, hide the collection',
        ['group.assign(armature_data.bones["B"])', "group.is_visible = False"],
    ),
    (
        'Parent the mesh "Body" to the armature "Rig" with automatic weights. Normalise all vertex groups, limit them'
        " to four influences per vertex and remove weights below 0.01.",
        ["mesh_of(body)", "weights[4:]", "each.weight < 0.01"],
    ),
    (
        'Armature "Tail" with a chain of five bones, each 30 cm long, along Y. Each bone is the child of the one before'
        " and connected to it. Show the armature in front of everything.",
        ["edit_bones[lower].use_connect = True", "tail.show_in_front = True"],
    ),
    (
        'I want "Head" to look at "Target" with a Damped Track constraint (Y axis), at 80 % influence.',
        ["damped_track.target = target", '.track_axis = "TRACK_Y"', "damped_track.influence = 0.8"],
    ),
    (
        'bake the physics-driven motion of "Crate" to keyframes, frames 1-120',
        ["bake_bodies([crate], range(1, 121, 1))"],
    ),
    (
        '"Crate" is an active rigid body, "Floor" a passive one. Add a world if there is none. Bake the simulation for'
        " frames 1 to 150.",
        ["expect(physics.point_cache, bpy.types.PointCache)", "cache.frame_end = 150", "ptcache.bake(bake=True)"],
    ),
    (
        'Object "Flag" is to be cloth with the silk preset values: mass 0.2 kg. Pin it with the group "Pole" and add'
        " a wind field, strength 300. The cache runs from frame 1 to 200.",
        ["cloth.settings.mass = 0.2", "expect(cloth.point_cache", "cache.frame_end = 200"],
    ),
    ('free the bake of "Flag"', ["for held in caches_of(flag)", "ptcache.free_bake()"]),
    ("rigid body cache 1-180", ["cache.frame_start = 1", "cache.frame_end = 180"]),
    (
        '"Fire" is a flow object, fire and smoke, 1.5 fuel. The smoke domain "Box" gets a resolution of 64 divisions.'
        " Cache it into //cache_fire.",
        ['flow_type = "BOTH"', "resolution_max = 64", 'cache_directory = "//cache_fire"'],
    ),
    (
        "gas domain on the cube: resolution 96, dissolve over 40 frames (slow off)",
        ["use_dissolve_smoke = True", "dissolve_speed = 40", "use_dissolve_smoke_log = False"],
    ),
    (
        'particle system on "Dust": effector weights turbulence 0.3, gravity 0',
        ["weights.turbulence = 0.3", "weights.gravity = 0.0"],
    ),
    ('cloth on "Flag". It ignores wind.', [").wind = 0.0"]),
    (
        'Attach the chain link "Link2" to "Link1" by a point constraint located at "Link1", with collisions disabled'
        " between both. Both are active rigid bodies of 0.5 kg each. Let the simulation end at frame 300.",
        [
            "empty.location = link1.location",
            "disable_collisions = True",
            "for obj in (link2, link1)",
            "frame_end = 300",
        ],
    ),
    (
        'generic spring constraint between "A" and "B", springs on all axes with stiffness 30',
        ["joint.use_spring_y = True", "joint.spring_stiffness_z = 30.0"],
    ),
    (
        'slider constraint on the empty "Rail", X axis limited to -1..2 m, objects Base and Cart',
        ['rail = object_named("Rail")', "joint.object2 = cart", "limit_lin_x_lower = -1.0"],
    ),
    ('inflate "Balloon" as cloth with pressure 12', ["use_pressure = True", "uniform_pressure_force = 12.0"]),
    (
        "motor constraint for Wheel and Axle: angular target velocity 6, max impulse 10",
        ["joint.motor_ang_target_velocity = 6.0", "joint.motor_ang_max_impulse = 10.0"],
    ),
    (
        '"Beacon" flashes: energy 0 at frame 1, 500 at frame 12. Rename its action "Flash" and give it a fake user.',
        ["id_data.animation_data_create()", 'action.name = "Flash"', "action.use_fake_user = True"],
    ),
    (
        "key the z location of the cube: 0 at frame 1, 2 at frame 20. Give its action a fake user.",
        ["action = action_of(cube)", "action.use_fake_user = True"],
    ),
    (
        'copy rotation constraint on the bone "Hand.R" of Rig, target bone "Hand.L" of the same rig, local space both',
        ["copy_rotation.target = rig", 'subtarget = "Hand.L"', '.owner_space = copy_rotation.target_space = "LOCAL"'],
    ),
    (
        'Copy Rotation constraint for the bone "jaw" of Rig, target Rig, bone "head". Mix mode add, local space.',
        ['.subtarget = "head"', '"ADD"', '.owner_space = copy_rotation.target_space = "LOCAL"'],
    ),
    (
        'Rig has a bone "head". Add a Limit Rotation constraint to it: y and z from -20 to 20. Also lock its location.',
        [
            "bone.constraints.new",
            ".min_y = radians(-20.0)",
            ".max_z = radians(20.0)",
            "bone.lock_location = (True, True, True)",
        ],
    ),
    (
        'On the armature "Rig", lock the rotation of the bone "Root" on X and Y. Set its rotation mode to XYZ Euler.'
        ' Also give it the custom shape "WGT" with a scale of 1.5, and colour it with theme 4.',
        [
            "posebone.lock_rotation = (True, True, False)",
            'posebone.rotation_mode = "XYZ"',
            "posebone.custom_shape_scale_xyz = (1.5, 1.5, 1.5)",
            'posebone.color.palette = "THEME04"',
        ],
    ),
    ("rotation mode of all bones of Rig to quaternion", ["rig.pose", 'each_one.rotation_mode = "QUATERNION"']),
    (
        'rotate the pose bone "arm.L" by 45 degrees around its local x and key it at frame 15',
        ['bone.keyframe_insert("rotation_euler", frame=15)'],
    ),
    (
        'child of constraint for "Sword", target armature "Rig", bone "hand.R", inverse set so it does not jump',
        ['child_of.subtarget = "hand.R"', "child_of.inverse_matrix ="],
    ),
    ("set the thickness of the solidify modifier to 20 cm", ["active_object()", ".thickness = 0.2\n"]),
    ('set the thickness of the solidify modifier to 20 cm on "Crate"', ['object_named("Crate")', ".thickness = 0.2\n"]),
    (
        'On "Crate": set the track axis of the Damped Track constraint to X',
        ["crate.constraints", '.track_axis = "TRACK_X"'],
    ),
    ('For "Crate", set the count of the particle system to 500', ["crate.particle_systems[0]", ".count = 500"]),
    ("set the strength of the force field to 3 for all empties", ['obj.type == "EMPTY"', ".strength = 3.0"]),
    ('set the pass index of "Crate" to a value of 12', ["crate.pass_index = 12"]),
    ('On "Crate": remove the keyframes from frame 31 to frame 59', ["crate", "31 <= frame <= 59"]),
    ("point the camera at the selected object", ["selected = the_only([", "aim(camera, selected."]),
    ('rotate the one called "Crate" by 45 degrees around z', ['object_named("Crate")']),
    # A report's order is that of the one number in it; what its file holds may be a sentence of its own.
    ("print the number of vertices of each mesh object, biggest first", ['"vertices", ())), reverse=True)']),
    (
        "dump name and world location of every object to a.csv, header name,x,y,z, 3 decimals",
        ['writer.writerow(["name", "x", "y", "z"])', '".3f"'],
    ),
    ("print the name of every light whose power is above 500", ['getattr(obj.data, "energy", nan) > 500.0']),
    ("select all lights with a power between 100 and 500 W", ['100.0 <= getattr(obj.data, "energy", nan) <= 500.0']),
    ("delete all objects whose pass index is 3", ["obj.pass_index == 3"]),
    ("delete all meshes whose face count is 500 or more", ["len(mesh_of(obj).polygons) >= 500"]),
    ("give a fake user to all images whose alpha mode is premultiplied", ['if each.alpha_mode == "PREMUL"]']),
    ("select every object that sits below z = 0 (origin, world space)", ["obj.matrix_world.translation.z < 0.0"]),
    ('hide every object whose name starts with "Tmp" ignoring case', ['obj.name.lower().startswith("tmp")']),
    (
        "delete all meshes, skip the ones that have materials",
        ["not (any(slot.material for slot in obj.material_slots))"],
    ),
    ("list names and face counts of all meshes (fewest first) to f.csv", ['"polygons", ())))\n']),
    (
        "Write a JSON file r.json. It holds for every mesh object its name, dimensions and the number of its polygons.",
        ['"dimensions": list(each.dimensions[:]),', 'Path("r.json")'],
    ),
    ("delete materials with zero users", ["bpy.data.materials if each.users == 0"]),
    ("Remove every custom property from the selected objects.", ["del obj[key]"]),
    ('particles on "N": lifetime 90 with 0.3 randomness', ["system.settings.lifetime_random = 0.3"]),
    ('"Torch" emits fire and smoke', ['flow_settings.flow_type = "BOTH"']),
    ("Two things for the wind shot. First, add a wind force field at (-5, 0, 2).", ['force_field(wind_field, "WIND")']),
    # A UV map of every mesh.
    ('remove the UV map "Old" from every mesh', ["for obj in", 'layer = mesh_of(obj).uv_layers.get("Old")']),
    (
        'a second UV map "Light" on "Crate", active for editing but UVMap stays the one used for rendering',
        ['layers.active = layers["Light"]', 'uv_layers["UVMap"].active_render = True'],
    ),
    ('split "Pebbles" into separate objects, one per loose part', ['bpy.ops.mesh.separate(type="LOOSE")']),
    (
        'origin of "Vase" to the bottom of its bounding box, the vase must not move in the world',
        ["centre.z = low.z", "Matrix.Translation(centre)"],
    ),
    ('build a convex hull of "Antlers" as a separate new object "Hull", original untouched', ['objects.new("Hull"']),
    ("extrude the cube's top face straight up by 1.5", ["Vector((0.0, 0.0, 1.5))"]),
    ("push the right face of the cube out by 0.5", ["normal * 0.5"]),
    ('separate the selected faces of Body into "Patch"', ['duplicate(body, "Patch"']),
    ("smooth the mesh of Terrain, 10 iterations, factor 0.5", ["for _ in range(10):", "factor=0.5"]),
    ("bevel all edges of the cube, 0.05 wide, edit the mesh directly", ["bmesh.ops.bevel("]),
    ("add a disc with 6 vertices", ['circle_mesh("Circle", 1.0, 6, True)']),
    ("knock out the top face of the cube, keep all 8 verts", ['context="FACES_ONLY"']),
    ("Key should only illuminate Suzanne (light linking)", ["receiver_collection = receivers"]),
    ("make all keys linear", ["for obj in list(scene.objects):", 'point.interpolation = "LINEAR"']),
    ("delete all keyframes on frame 10", ["for obj in list(scene.objects):", "if frame == 10:"]),
    ("limit the location of Cube to z >= 0", ["limit_location.use_min_z = True", "limit_location.min_z = 0.0"]),
    ("shift the keys of Cube to start at frame 1", ["move_keys(curves, 1.0, 0, 1 - first)"]),
    ("slow down the animation of Car by factor 2", ["move_keys(all_curves(car), 2.0, None)"]),
    ("copy location constraint from Ball to Box", ["box.constraints.new(", "copy_location.target = ball"]),
    ("add a marker Hit at frame 20", ['scene.timeline_markers["Hit"].frame = 20']),
    ("array of 5 on Cube along y with relative offset 1.2", ["relative_offset_displace = (0.0, 1.2, 0.0)"]),
    ("duplicate the material of Cube and assign it to Sphere", ["copied_material = material.copy()"]),
    ("give Suzanne a red material", ['suzanne = object_named("Suzanne")']),
    ("keyframe the rotation of all bones of Rig at frame 10", ["frame=10", '("rotation",)']),
    ("set the roughness of Wood to 0.3", ['material_called("Wood")']),
    ("set the render level of all subdivision modifiers to 3", ["bpy.types.SubsurfModifier)", "render_levels = 3"]),
    ("set the count of all array modifiers of Fence to 5", ["for each in fence.modifiers if", "each_one.count = 5"]),
    ("turn off all mirror modifiers", ["for obj in list(scene.objects):", 'if each.type == "MIRROR"']),
    ("remove the subsurf from Cube", ['if each.type == "SUBSURF"']),
    ("move collection Small into Big", ['nest(small_collection, collection_named("Big"))']),
    ("export Gear as stl", ["clean_name(gear.name)}.stl"]),
    ("make Hat a child of the bone Head of Rig", ['hat.parent_bone = "Head"', "hat.matrix_world = place"]),
    ("print all meshes with more than 10k faces", ["> 10000"]),
    ("shrink Blob by 20% (don't apply)", ["blob.scale *= 0.8"]),
    ("wind along +X, strength 10, flow 0.5", ["rotation_euler = (0.0, radians(90.0), 0.0)", "field.flow = 0.5"]),
    ('add an extra light called "Fill" 2 m to the left of "Tree"', ["matrix_world.translation", "location.x += -2.0"]),
    ("place a plane under the cube", ["bottom = min(", "plane.location = (cube.location.x, cube.location.y, bottom)"]),
    ("new empty where the cube is", ["empty.location = cube.matrix_world.translation"]),
    ("put Lamp exactly where Desk is", ["lamp.location = desk.matrix_world.translation"]),
    ("turn Chair around", ['Matrix.Rotation(radians(180.0), 3, "Z")']),
    ("make Tree twice as tall", ["tree.scale.z *= 2.0"]),
    ("remove Car and its children", ["for child in car.children_recursive:", "remove_object(car)"]),
    ("invert the selection", ["obj.select_set(not obj.select_get())"]),
    ("lock all rotation axes on Door", ["door.lock_rotation = (True, True, True)"]),
    ("remove the uv maps of Cube", ["while mesh_of(cube).uv_layers:"]),
    ("how many vertices does Cube have", ["print(each.name, len("]),
    ("count the polygons of all meshes", ["print(each.name, len("]),
    ("unhide everything", ["obj.hide_viewport = False", "obj.hide_set(False)"]),
    ("delete loose vertices from Cube", ["if not vert.link_edges]"]),
    ("clear the whole scene", ["for obj in list(scene.objects):"]),
    ("depth of field on, f 2.8, focus on Head", [".aperture_fstop = 2.8"]),
    ('camera switch: "A1" at frame 1, "B1" at frame 60', ['timeline_markers["B1"].camera = b1']),
    ('drop timeline markers: "in" at 1, "out" at 48', ['(("in", 1), ("out", 48))']),
    ("camera switch by timeline markers: A1 from frame 1, B1 from frame 60", ['timeline_markers["B1"].camera = b1']),
    ("disable denoising in the viewport", ["cycles.use_preview_denoising = False"]),
    ("turn off denoising for the final render", ["cycles.use_denoising = False"]),
    ("pixel filter width 1.2 for cycles", ["cycles.filter_width = 1.2"]),
    ("pixel filter width 1.2 in eevee", ["scene.render.filter_size = 1.2"]),
    ("render the animation to turntable.mp4", ['.file_format = "FFMPEG"', '.format = "MPEG4"', '.codec = "H264"']),
    ("render frames 1 to 20 to //out/a.mkv with the AV1 codec", ['.format = "MKV"', '.codec = "AV1"']),
    ('AOV named "mask" of type value on the current view layer', ['aov.type = "VALUE"']),
    ("clip the camera from 0.01 to 500 m", ["camera_data.clip_start = 0.01", "camera_data.clip_end = 500.0"]),
    ("mp4 output with H.264, AAC audio at 192 kbit/s", ["audio_bitrate = 192"]),
    ('Create a view layer "A" that only shows the collection "B".', ["layer.exclude = layer.name not in shown"]),
    ('put "Ball" in rigid body collision layers 1 and 3 only', ["[number in {1, 3} for number in range(1, 21)]"]),
    ("wind empty at (0, -5, 1) blowing along +Y, strength 30", ['force_field(wind_field, "WIND")']),
    ("set the frame range to 1-96 at 23.976 fps", ["scene.render.fps = 24", "scene.render.fps_base = 1.001"]),
    ('create a view layer "Chars" that only shows the collection "C"', ['scene.view_layers.new("Chars")', "exclude"]),
    # Every view layer; bounces of Cycles; files in a row; the whole timeline; the order of layers.
    ("mist pass in all view layers", ["for each_layer in scene.view_layers:\n        each_layer.use_pass_mist = True"]),
    ('Create a view layer "P" in which only the collection "Q" is visible.', ['shown = ("Q",)']),
    (
        "In Cycles limit the light paths to 6 bounces in total and 4 glossy, caustics off entirely. Leave"
        " the samples alone.",
        ["cycles.max_bounces = 6", "cycles.glossy_bounces = 4", "caustics_refractive = False"],
    ),
    (
        "Load the movies a.mp4 and b.mp4 from the folder of the blend file into the sequencer on channel 1,"
        " one after the"
        " other. Add a 12 frame cross fade between them.",
        ['"//a.mp4", 1, 1', '"//b.mp4", 1, movie_strip.frame_final_end', "begin + 12 - 1"],
    ),
    (
        "Add an adjustment strip on channel 4 over the whole timeline. Blend mode stays alpha over.",
        ["scene.frame_start, scene.frame_end", 'blend_type = "ALPHA_OVER"'],
    ),
    ('grease pencil: new layer "Ink" above the others, opacity 80 %', ["move_top(ink_layer)", "opacity = 0.8"]),
    # A plain color behind the render; what the view layers that were spoken of are to have.
    (
        "alpha over a solid dark grey (#202020) background behind the transparent render in the compositor",
        ['"Background", (0.0144, 0.0144, 0.0144, 1.0)', 'goal="Foreground"'],
    ),
    (
        "composite the render over a plain white background with an alpha over node",
        ['"Background", (1.0, 1.0, 1.0, 1.0)'],
    ),
    ("keep Plane from casting shadows from the light Key", ["blocker_collection = blockers"]),
    (
        'Create a second view layer "P" in which only the collection "C" is visible. In the view layer "E" it should be'
        " a holdout instead. Turn on the mist pass for both.",
        [
            'layer_collection("C", scene.view_layers["E"]).holdout = True',
            'for each_layer in (scene.view_layers["P"], scene.view_layers["E"]):',
        ],
    ),
    # The world as the camera sees it; instances that differ, or stand along a curve; points along their normals.
    (
        "Light the world with a.hdr. The camera shouldn't see it: show a plain grey background (0.2) to"
        " camera rays instead.",
        ['set_input(camera_background, "Color", (0.2, 0.2, 0.2, 1.0))', '["Is Camera Ray"], mix_shader.inputs[0]'],
    ),
    (
        'Geometry nodes on "G" that distribute points with a density of 20 per square metre and instance the objects of'
        ' the collection "R" on them, picking one at random. Each instance gets a random rotation around Z'
        " and a scale between"
        " 0.5 and 1.2. Keep G visible.",
        ['"Pick Instance", True', '"Random Scale", "FunctionNodeRandomValue"', '"Density", 20.0'],
    ),
    (
        'Geometry nodes for "Fence": instance the object "Post" along the curve every 2 metres. The posts follow the'
        ' direction of the curve. Expose the spacing as a group input called "Spacing" with 2 m as the default.',
        ['.mode = "LENGTH"', '"Tangent", align_rotation_to_vector, "Vector"', '"Spacing", curve_to_points, "Length"'],
    ),
    (
        'Make a node group "Inflate" that moves every vertex along its normal by the input "Amount". Put it'
        ' on "Ball" as a'
        " modifier and set the amount to 0.2.",
        ['.operation = "SCALE"', 'set_group_input(ball, "Amount", 0.2)'],
    ),
    # What is said of a render behind it holds for it; a fade begins at the volume that was said; pixels are no metres.
    (
        "Render the animation of frames 20 to 80 as an H.264 MP4 to //out/a.mp4. No audio. Use EEVEE with 32 samples.",
        ['audio_codec = "NONE"', "taa_render_samples = 32", "render(animation=True)\n\n\nmain"],
    ),
    ("Render a still to a.png. Then set the samples to 12.", ["(write_still=True)\n    # Set up samples"]),
    (
        "Put the sound music.mp3 on channel 3 of the sequencer at frame 1, volume 0.5."
        " Fade it out over the last 48 frames.",
        ["volume = 0.5\n    sound_strip.keyframe_insert"],
    ),
    ('grease pencil stroke from (0, 0, 0) to (1, 0, 0) on "Sketch", thickness 10', ["False, 0.005, 1.0, 0)"]),
    ('grease pencil stroke from (0, 0, 0) to (1, 0, 0) on "Sketch", 0.02 thick', ["False, 0.01, 1.0, 0)"]),
    ("outlines off (freestyle)", ["use_freestyle = False"]),
    ("freestyle outlines on, 2 px thick, dark grey", ["style.thickness = 2.0", "style.color = (0.0513"]),
    ("denoising of the ray tracing? off", [".use_denoise = False"]),
    ("cycles on gpu, optix", ['compute_device_type = "OPTIX"', 'settings.device = "GPU"']),
    (
        "Make the camera panoramic with a fisheye lens and a field of view of 170 degrees",
        ["fisheye_fov = radians(170.0)"],
    ),
    ("camera lens shift up 0.1", ["shift_y = 0.1"]),
    ("shift the camera lens to the left by 0.2", ["shift_x = -0.2"]),
    ('shadow linking: "Key" casts no shadow of "Glass"', ["blocker_collection = blockers", '"EXCLUDE"']),
    ('make "Cam2" the active camera from frame 60 on', ['timeline_markers["Cam2"].frame = 60', ".camera = cam2"]),
    ("hdr from //textures/sky.hdr as world", ['load("//textures/sky.hdr"']),
    ('world hdri "studio.hdr" from //hdri', ['load("//hdri/studio.hdr"']),
    ('save frames as png in a folder "frames" next to the blend file', ['filepath = "//frames/"']),
    ("render the scene to preview.png next to the blend file", ['filepath = "//preview.png"']),
    ('sequencer: cut the strip "Interview" at frame 240', ["interview.split(240"]),
    # UV maps are scaled, moved, turned, mirrored and packed; settings of a curve that may be a text.
    (
        'scale the UVs of "Wall" by 3 in U and 2 in V around the centre (0.5, 0.5). Then rotate them by 45 degrees.',
        [
            "(corner.vector[0] - 0.5) * 3.0 + 0.5, (corner.vector[1] - 0.5) * 2.0 + 0.5",
            "cos(radians(45.0))",
            "u, v = corner.vector[0] - 0.5, corner.vector[1] - 0.5",
        ],
    ),
    ('move the UVs of "Card" by 0.25 in U', ["(corner.vector[0] + 0.25, corner.vector[1])"]),
    ('flip the UVs of "Card" horizontally', ["(corner.vector[0] - 0.5) * -1.0 + 0.5, corner.vector[1])"]),
    ('pack the UV islands of "Chest" with margin 0.005, rotation allowed', ["pack_islands(rotate=True, margin=0.005)"]),
    ('set 3D cursor to (1, 2, 0) and move the origin of "Box" there', ["inverted() @ scene.cursor.location"]),
    ('give "Rope" a bevel depth of 0.03 and use "Profile" as its bevel object', ["expect(rope.data, bpy.types.Curve)"]),
    # Data of the file: images, paths, libraries, names; one thing is no list.
    ('print the number of users of the material "Steel"', ['for each in [bpy.data.materials["Steel"]]:']),
    ('what\'s the number of users of the material "Steel"? print it', ['for each in [bpy.data.materials["Steel"]]:']),
    ("load //t/wood.png as an image with a fake user", ["image.use_fake_user = True", "check_existing=True"]),
    ("load //t/wood.png as image, colour space Non-Color", ['.name = "Non-Color"']),
    ('image datablock "bake", 2048x2048, 32 bit float, no alpha, black', ["float_buffer=True", "alpha=False"]),
    (
        'replace the image file path prefix "C:/old/" with "//t/" in all images',
        ['each.filepath.replace("C:/old/", "//t/", 1)'],
    ),
    ("reload all images from disk", ["each_one.reload()"]),
    ("all paths relative", ["make_paths_relative()"]),
    ('make the linked object "Robot" a library override', ["override_create(remap_local_usages=True)"]),
    ("make everything local", ["each.make_local()"]),
    ("make the material Steel local", ["material.make_local()"]),
    ("sort the collections under the scene collection by name", ["parent.children.link(child)"]),
    (
        'instance collection "Chair" five times along x, 1.2 m apart',
        ["for number in range(5)", "location.x = 1.2 * number"],
    ),
    ('colour tag of collection "Props" to 04 (green)', ['color_tag = "COLOR_04"']),
    ('mark the material Gold as an asset, author "Studio K", licence CC0', ['about.license = "CC0"']),
    ("list all objects that share mesh data with another object", ["obj.data.users - obj.data.use_fake_user > 1"]),
    ("each mesh data-block should carry the name of its object", [".name = obj.name"]),
    ('rename all objects starting with "Cube." so they become Crate_01, Crate_02, ...', ['f"Crate_{number:02}"']),
    ('give "Lamp_B" its own copy of the light data', ["lamp_b.data = shared.copy()"]),
    ("replace duplicate materials with the originals and delete the duplicates", ["material.user_remap(original)"]),
    ("convert units to metric with millimetres as length unit", ['length_unit = "MILLIMETERS"']),
    # Elements of a mesh by their numbers; parts of parts; the modifier that deforms by what was just made.
    ('move vertex 3 of "Plane" up by 0.4', ["[vert for vert in bm.verts if vert.index == 3]"]),
    ("delete faces 3 to 5 of the cube", ["face.index in {3, 4, 5}"]),
    ("extrude all faces of the cube 2", ["faces = list(bm.faces)"]),
    ("crease 0.7 on all edges of the cube's bottom face", ["min(vert.co.z", "edge[layer] = 0.7"]),
    (
        'delete all loose vertices and edges from "Scan"',
        ['not edge.link_faces], context="EDGES"', 'not vert.link_edges], context="VERTS"'],
    ),
    (
        'vertex group "Pin" on "Leaf" with vertices 0, 1 and 2, weight 0.8. Lock the group.',
        ["vert.index in {0, 1, 2}", 'vertex_groups["Pin"].lock_weight = True'],
    ),
    (
        'lattice 3 x 3 x 4 around "Suzanne", fitted to its bounding box, with a lattice modifier on Suzanne',
        [".object = lattice"],
    ),
    (
        'weld modifier, 0.0005 distance, on "Hull", placed before the subsurf',
        ['place = kinds.index("WELD")', 'kinds.index("SUBSURF")'],
    ),
    ('boolean difference: cut "Cutter" out of "Wall", exact solver', ['operation = "DIFFERENCE"', 'solver = "EXACT"']),
    ('decimate "Scan" to 25 percent (modifier, collapse)', ["ratio = 0.25"]),
    ('convert "Logo" from text to mesh', ['target="MESH"']),
    ('set the origin of "Crate" to its lowest point without moving it visually', ["centre.z = low.z"]),
    ('rotate "Door" by 90 degrees around its hinge at (1, 0, 0), Z axis', ["pivot = Vector((1.0, 0.0, 0.0))"]),
    (
        '"Ghost": visible until frame 20, hidden from 21 to 39, visible again at 40',
        [
            'ghost.keyframe_insert("hide_render", frame=20)',
            'ghost.keyframe_insert("hide_render", frame=21)',
            'ghost.keyframe_insert("hide_render", frame=40)',
        ],
    ),
    (
        'parent all the wheels (objects whose name starts with "Wheel") to "Car"',
        ['obj.name.startswith("Wheel")', "obj.parent = car"],
    ),
    ('the material "Neon" emits pink light with strength 20', ['"Emission Strength", 20.0', '"Emission Color"']),
    ('add a spot light "S". It must track "Statue" with a track to constraint', ["TRACK_TO", "= statue"]),
    (
        'put a subdivision surface modifier on "Hull" and move it to the top of the stack',
        ['kinds.index("SUBSURF")', ".modifiers.move(place, 0)"],
    ),
    (
        "create a bezier curve through (0, 0, 0), (2, 1, 0) and bevel it with depth 0.05",
        ["bpy.types.Curve).bevel_depth = 0.05"],
    ),
    ('apply only the mirror modifier of "Hull"', ['apply_modifiers(hull, ("MIRROR",))']),
    # Several things by name, names in free words, and what goes on behind a full stop.
    (
        "Three area lights around the origin: Key (400 W, at (3, -3, 4)), Fill (100 W) and Rim (250 W, at (0, 4, 3)). "
        "All of them point at the origin, and the rim light is light blue.",
        [
            "key.location = (3.0, -3.0, 4.0)",
            "aim(fill, Vector((0.0, 0.0, 0.0)))",
            "expect(rim.data, bpy.types.AreaLight).color",
        ],
    ),
    (
        'Make an armature "Arm" with three bones Upper, Lower and Hand in a chain along X, each 1 m long. Create the '
        'empty "Target" at (2, -1, 1). Add an IK constraint to Hand with chain length 2 and "Target" as target.',
        ['("Upper", "Lower", "Hand",)', 'expect(arm.pose, bpy.types.Pose).bones["Hand"]', "ik.target = target"],
    ),
    (
        'Add a driver to the shape key "Bulge" of "Body" so that it equals the Z location of "Pump" divided by 2. '
        "Clamp it to the range 0 to 1.",
        ['driver.expression = "min(max(var / 2, 0), 1)"'],
    ),
    (
        'Add a cylinder "Pole" of depth 3 and a UV sphere "Knob" on its top. '
        "Parent the knob to the pole, keeping its position.",
        ["world_corners(pole)", "knob.parent = pole"],
    ),
    ('unparent "A" and keep its world transform', ["placed = a.matrix_world.copy()", "a.matrix_world = placed"]),
    (
        "Write an operator object.go_up that moves the selected objects up by 1 m. "
        "Add it to the object menu of the 3D view.",
        ["place: Any = bpy.types.VIEW3D_MT_object", 'layout.operator("object.go_up")'],
    ),
    ("print how many objects are in each collection", ["for each in obj.users_collection"]),
    (
        'cut the strip "Take1" at frame 120 and delete the right part',
        ['behind = take1.split(120, "SOFT")', "strips_of(scene).remove(behind)"],
    ),
    ("frames 10 to 40, every second frame only", ["scene.frame_step = 2"]),
    (
        '"Fence": array along its own X, 14 copies, constant offset 1.2 m',
        ["array.count = 14", "array.constant_offset_displace = (1.2, 0.0, 0.0)"],
    ),
    ('text "SALE", centered, standing upright', ["text.rotation_euler.x = radians(90.0)"]),
    ("give the cube smooth shading with an auto smooth angle of 30 degrees", ["radians(30.0)"]),
    (
        'limit location of "Slider": x between 0 and 2, local, affect transform',
        ['limit_location.owner_space = "LOCAL"', "limit_location.use_transform_limit = True"],
    ),
    ("purge all orphans until nothing is left", ["do_recursive=True"]),
    # Collections, libraries, exports: "it" is what the step before spoke of; what is said in any order.
    (
        'hide collection "B" in renders and make it unselectable',
        ['collection = bpy.data.collections["B"]', ".hide_select = True"],
    ),
    (
        'move all lights into a collection called "L" (create it if missing), and out of wherever they were',
        ["move_to_collection(obj,"],
    ),
    ("purge all orphan data, but print how many blocks were removed", ["blocks - len(bpy.data.user_map())"]),
    (
        "purge every unused material. A fake user doesn't count as use, except that names starting LIB_ always stay",
        ['if each.users - each.use_fake_user == 0 and not each.name.startswith("LIB_")'],
    ),
    ("remove the fake user from every action in the file", ["each_one.use_fake_user = False"]),
    (
        'append the object "Anvil" from //lib/tools.blend, into a collection "Imported"',
        ['collection_named("Imported").objects.link(anvil)'],
    ),
    (
        'point the library "kit.blend" to //assets/kit_v2.blend instead and reload it',
        ['library.filepath = "//assets/kit_v2.blend"', "library.reload()"],
    ),
    (
        'import scan.ply, name the object "Scan" and put it at the origin',
        ["(scan,) = imported", "scan.location = (0.0, 0.0, 0.0)"],
    ),
    (
        'cube as asset: mark it, author "Ines", tags "basic" and "blockout"',
        ["cube.asset_mark()", 'about.author = "Ines"', 'about.tags.new("blockout"'],
    ),
    (
        'new collection "Props", move the cube into it (not linked in both)',
        ["move_to_collection(cube, props_collection)"],
    ),
    (
        'nest the existing collection "Bolts" inside "Hardware", it should no longer hang directly off the scene',
        ['nest(bolts_collection, collection_named("Hardware"))'],
    ),
    (
        'new view layer "FG", and exclude the collection "Background" in that layer only',
        ['layer_collection("Background", scene.view_layers["FG"]).exclude = True'],
    ),
    (
        'collection "Refs": not selectable in viewport, and disabled in renders',
        [".hide_render = True", ".hide_select = True"],
    ),
    (
        'second empty scene "Storyboard", 24 fps, frames 1-480. don\'t make it the active one',
        ["storyboard_scene.render.fps = 24", "storyboard_scene.frame_end = 480"],
    ),
    (
        "for each mesh with a Mirror modifier turn clipping on and set the merge distance to 0.002",
        ["if isinstance(each, bpy.types.MirrorModifier)", "each_one.use_clip = True"],
    ),
    (
        'In all object names swap "_left" at the end for ".L" and "_right" for ".R"',
        ['if obj.name.endswith("_left"):', 'elif obj.name.endswith("_right"):'],
    ),
    ("rename every mesh datablock so it matches its object's name", ["expect(obj.data, bpy.types.ID).name = obj.name"]),
    ("make each object's data block carry the same name as the object, whole scene", ["if obj.data is not None:"]),
    (
        "strip the .001 / .002 style number suffix off all material names, provided the clean name is still free",
        ["if base not in bpy.data.materials:"],
    ),
    ("delete the collection Temp together with everything in it", ["remove_object(obj)"]),
    (
        'delete collection "Old" but keep its objects, moving them to the scene collection',
        ["dissolve_collection(collection, scene.collection)"],
    ),
    ('unlink Key_Light from "Lights" without deleting it', ["collection.objects.unlink(key_light)"]),
    ("save a copy of this file to //b/v2.blend, compressed, without switching to it", ["compress=True, copy=True"]),
    ('delete the custom property "id" from every object that has one', ['del obj["id"]']),
    ('stl export of "Gear" only, in millimetres, ascii, to //gear.stl', ["global_scale=1000.0", "ascii_format=True"]),
    (
        "usd export to //out/set.usdc, only visible objects, no materials",
        ["obj.visible_get()", "export_materials=False"],
    ),
    ("alembic export frames 1-120, //c/a.abc, selected only, with uvs", ["start=1", "end=120", "selected=True"]),
    ("export //a/b.obj, selected only, triangulated", ["export_selected_objects=True"]),
    ('append collection "T" from //a/n.blend and put it in the scene', ["scene.collection.children.link(t)"]),
    ('link the material "Oak" from //a/n.blend (link, not append)', ["link=True"]),
    ('link all collections whose names start with "KIT_" from //a/n.blend', ['name.startswith("KIT_")']),
    ("select those above 50000 vertices", ["len(mesh_of(obj).vertices) > 50000"]),
    (
        '"B": the checker\'s first color (color1) becomes red',
        ['set_input(checker_texture, "Color1", (1.0, 0.0, 0.0, 1.0))'],
    ),
    ("output to //out as PNG, 16 bit, no alpha", ['scene.render.image_settings.color_mode = "RGB"']),
    (
        "moon gravity: 1.62 m/s2 downwards, and make the rigid body world run at half speed",
        ["gravity = (0.0, 0.0, -1.62)"],
    ),
    (
        'set the focal length of the camera to 20 mm; frame "Castle" with the camera',
        ["frame_objects(camera, [castle])"],
    ),
    ('rotate "Needle" by 90 degrees around X; set the metallic of "Needle" to 1', ["radians(90.0)"]),
    ('link "A" to "Props" only', ['move_to_collection(a, collection_meant("Props"))']),
    ('link the light "A" to "Props" only', ["receiver_collection = receivers"]),
    ('make "A" 50 % bigger', ["a.scale *= 1.5"]),
    ('make "A" 2 times bigger', ["a.scale *= 2.0"]),
    ('scale "A" to 2 along Z', ["a.scale.z = 2.0"]),
    ('scale "A" by 2 along Z', ["a.scale.z *= 2.0"]),
    # To an angle is not by it; a share is of what is spoken of, or is the value.
    ('rotate "A" to 90 degrees around Z', ["a.rotation_euler.z = radians(90.0)"]),
    ('rotate "A" by 90 degrees around Z', ['Matrix.Rotation(radians(90.0), 3, "Z") @']),
    ("gravity half of earth's", ["scene.gravity = (0.0, 0.0, -4.905)"]),
    ('damped track on "A" to "B" at half influence', ["damped_track.influence = 0.5"]),
    ('half the influence of the Track To constraint of "A"', ["influence *= 0.5"]),
    ('share the material of "A" with "B"', ["share_materials(a, b)"]),
    ('move all meshes up by 1 m but hide "A"', ["obj.location.z += 1.0", "a.hide_render = True"]),
    # Add-ons, handlers, menus and keys; nodes and strips with what is remarked of them.
    ('Whenever somebody saves: print "saved"', ["bpy.app.handlers.save_post", 'print("saved")']),
    (
        "On every frame change print the current frame",
        ["bpy.app.handlers.frame_change_post", "print(scene.frame_current)"],
    ),
    # "//" is the folder of the blend file; what is said of an operator behind its body counts; data is renamed too.
    ("print number of users of all images -> //a.json", ['Path(bpy.path.abspath("//a.json")).write_text(']),
    ("export each mesh as its own fbx into //out/", ['folder = Path(bpy.path.abspath("//out"))']),
    ("operator object.drop: puts every selected object on the ground. undoable", ['bl_options = {"REGISTER", "UNDO"}']),
    (
        'replace "A" by "B" in the names of all objects and their meshes',
        ["for each in (obj, obj.data) if each is not None"],
    ),
    # Columns name what is told, or are its titles; entries have texts; a value behind the kind is the default.
    ("print how many vertices each selected mesh has", ["print(each.name, len(getattr("]),
    ("write type and name of every object to a.csv with columns name, type", ["(each.name, each.type)"]),
    (
        "write names and world locations of all cameras to a.csv, columns name,x,y,z, 3 decimals",
        ['writer.writerow(["name", "x", "y", "z"])', "*(format("],
    ),
    ("count objects by type and print it as a table", ["Counter(obj.type for obj in scene.objects)"]),
    ("for every mesh, store the number of its faces in a custom property n", ['each["n"] = len(']),
    (
        "put the total triangle count of all meshes (modifiers evaluated) into a scene custom property tri_total, int",
        ['scene["tri_total"] = sum(triangles_of(each.evaluated_get(depsgraph))'],
    ),
    ("print the average face count of all meshes", ["print(mean(len(getattr("]),
    (
        'store the total power of all lights in the custom property "watts" of the cube',
        ['cube["watts"] = sum(getattr(each.data, "energy"'],
    ),
    (
        'tag every light with a custom property rig = "key" if its power is 500 W or more, otherwise "fill"',
        ['obj["rig"] = "key" if getattr(obj.data, "energy", nan) >= 500.0 else "fill"'],
    ),
    (
        'give every mesh the custom property "lod" = 0 if it has a modifier, 1 if its height is above 1, otherwise 2',
        ["0 if obj.modifiers else 1 if obj.dimensions.z > 1.0 else 2"],
    ),
    ('add a boolean array custom property "floors" to Cube with values true, false, true', ["[True, False, True]"]),
    (
        'cube custom property "tint" as a 4-component color (gamma color subtype), value 0.9 0.2 0.1 1, limits 0..1',
        ["= [0.9, 0.2, 0.1, 1.0]", 'min=0.0, max=1.0, subtype="COLOR_GAMMA"'],
    ),
    (
        'copy the custom properties of "Door_L" to "Door_R", values and ranges',
        ["door_r[key] = value", "update_from(door_l.id_properties_ui(key))"],
    ),
    ('every object whose name ends with "_old": delete it', ["remove_object(obj)"]),
    ('objects bigger than 2 m in any dimension: put them into the collection "L"', ["max(obj.dimensions[:]) > 2.0"]),
    ("select all meshes without ngons", ["all(len(each.vertices) < 5 for"]),
    ('prefix every bone name in the armature "Rig" with "D-"', ['each_one.name = "D-" +']),
    (
        'rename all meshes so that they start with "M_", but skip the ones that already do',
        ["if not obj.name.startswith("],
    ),
    ("rename every mesh datablock after the object that uses it", ["bpy.types.ID).name = obj.name"]),
    (
        "strip the numeric suffixes from all materials, unless the name is already taken",
        ["if base not in bpy.data.mat"],
    ),
    (
        "property group RoomSettings on the scene: w (float 4.0), roof (bool, on)",
        ["holder.room_settings = ", "default=4.0"],
    ),
    ('add an entry "Drop" to the object menu that calls object.align', ['"object.align", text="Drop"']),
    (
        "remove the handler on_tick from frame_change_pre if it is there",
        ['"__name__", "") == "on_tick"', "handlers.remove(each)"],
    ),
    ("timer every 2 seconds that prints the frame. It must survive loading another file", ["persistent=True"]),
    (
        'create a text block named "Todo" with the lines "one", "two". If it exists already, replace its content.',
        ["text.clear()"],
    ),
    ("write //stats.json: per mesh object its name, vertex count", ['"name": each.name', "json.dumps"]),
    (
        "print all modifiers of the active object with their types",
        ["print(each.name, each.type)", "in list(active.modifiers)"],
    ),
    ("operator mesh.up: moves the active object up by 1; only available in object mode", ['context.mode == "OBJECT"']),
    ("add a keymap entry ctrl+shift+d for object.duplicate_move", ['"object.duplicate_move", "D", "PRESS"']),
    ("Object menu gets an entry for object.lift", ["bpy.types.VIEW3D_MT_object", '"object.lift"']),
    (
        'add an entry for mesh.primitive_monkey_add called "Monkey" at the bottom of the Object menu',
        ['layout.operator("mesh.primitive_monkey_add", text="Monkey")', "place.append("],
    ),
    ("add an entry at the top of the object menu for object.shade_smooth", ["place.prepend(show_object_shade_smooth)"]),
    ("enum property on Object called lod with items HIGH, MID, LOW. set it to LOW on the cube", ['owner.lod = "LOW"']),
    (
        'register an operator object.up, label "Up", that moves the selected objects up by 1. undo-able',
        ['bl_options = {"REGISTER", "UNDO"}'],
    ),
    (
        'geonodes on "Ground": scatter instances of Pebble over the faces, random rotation around Z only, ground'
        " stays visible",
        ["(0.0, 0.0, radians(360.0))", "GeometryNodeJoinGeometry"],
    ),
    (
        "compositor: make the render come out black and white with a Hue/Saturation node (saturation 0). it should be"
        " what comes out of the compositing",
        ['"Saturation", 0.0'],
    ),
    (
        "sequencer: add still.png (working dir) as image strip on channel 3, frames 20 to 94. The existing strip stays",
        ['"new_image", "still.png", 3, 20', "frame_final_end = 95"],
    ),
    (
        'new grease pencil object Sketch, layer "Ink", on frame 1 a single stroke: straight line from (0,0,0) to'
        " (2,0,1), at least 2 points, radius 0.03",
        ["add_stroke(ink_layer, 1, 1, places, False, 0.03"],
    ),
    # A panel in any order of its parts, with the properties that it shows.
    (
        'I need a panel in the sidebar of the 3D viewport, tab "Studio", title "Quick Tools". It shows a float'
        " property of the scene, studio_scale (default 1, limited to 0.1 ... 10), and below it a button that runs Shade"
        " Smooth. Register the property and the panel.",
        ['bl_category = "Studio"', 'layout.prop(scene, "studio_scale")', '"object.shade_smooth"', "min=0.1, max=10.0"],
    ),
    (
        'register a property group and attach it to the scene as scene.rig_settings. It has "mirror" (bool, on by'
        ' default). Also register a panel labelled "Rig" in the sidebar of the 3D viewport that draws this property.',
        ["PointerProperty(type=RigSettings)", 'layout.prop(scene.rig_settings, "mirror")'],
    ),
    ('N-panel tab "My Tools", panel "Tools" with buttons: object.lift, wm.x', ['bl_category = "My Tools"', '"wm.x"']),
    # Names, and facts in a file: in which order, what would come of it, what a file begins with.
    (
        "write objects.csv into the working directory: header name,type,x,y,z then one line per scene object sorted by"
        " name, world position with 3 decimals",
        ['writer.writerow(["name", "type", "x", "y", "z"])', 'format(each.matrix_world.translation.x, ".3f")'],
    ),
    ("names of all cameras into cams.txt (cwd), one name per line", ['Path("cams.txt").write_text(lines']),
    ("big.csv: all meshes wider than 5 m, name + dimensions", ["obj.dimensions.x > 5.0", "*each.dimensions[:]"]),
    ("report.csv: one row per mesh - name, vertex count", ['len(getattr(each.data, "vertices", ()))', '"report.csv"']),
    ("list all meshes sorted by face count, descending", ['"polygons", ())), reverse=True)']),
    (
        "replace every dot in object names by an underscore (Rock.001 -> Rock_001). only objects, leave"
        " the mesh names alone",
        ['obj.name.replace(".", "_")'],
    ),
    ("rename the bones of Rig: suffix _L becomes .L, and _R becomes .R", ['removesuffix("_R") + ".R"']),
    (
        "rename all meshes to Part_001, Part_002 ... ordered by their X position, lowest first. nothing else"
        " gets renamed",
        ["key=lambda each: each.matrix_world.translation.x)", 'f"Part_{number:03}"'],
    ),
    (
        "decimate modifier ratio 0.5 on each mesh w/ more than 500 faces - skip the ones that already have"
        " a decimate modifier",
        ["len(mesh_of(obj).polygons) > 500", 'not (any(each.type == "DECIMATE" for each in obj.modifiers))'],
    ),
    ("add a bevel modifier to all meshes, skip Hero", ['if obj.type == "MESH" and obj not in (hero,)']),
    ('IK constraint on the bone Arm of "Rig", target is the empty "Goal", chain lenght 2', ['constraints.new("IK")']),
    # A kind of modifier in plural is what objects have; a drawing that is spoken of is there.
    ("mirror modifiers: clipping on", ['any(each.type == "MIRROR"', "mirrormodifier.use_clip = True"]),
    ('material names: "mat_" -> "MI_"', ["in list(bpy.data.materials)", '.replace("mat_", "MI_")']),
    ('solidify of 4 mm on everything with "Glass" in its name', ['obj.type == "MESH" and "Glass" in obj.name']),
    (
        'a red circle with r = 1 on the grease pencil "Sketch"',
        ['object_named("Sketch")', "color = (1.0, 0.0, 0.0, 1.0)"],
    ),
    ('layers for gp "Bg": "Sky", "Hills"', ['object_named("Bg")', 'layers.new("Sky")', 'layers.new("Hills")']),
    # A name in brackets behind what is no object is the name of that; a mesh is joined into an object's.
    ('remove the material ("Red")', ['bpy.data.materials.remove(bpy.data.materials["Red"])']),
    ('remove the materials of "Red"', ["mesh_of(red).materials.clear()"]),
    ('remove the action ("Walk")', ['bpy.data.actions.remove(bpy.data.actions["Walk"])']),
    ('join "Lid" into the geometry of "Pot"', ["only_selected(lid, pot)", "bpy.ops.object.join()"]),
    ("fast GI with 2 AO bounces", ["cycles.use_fast_gi = True", "cycles.ao_bounces = 2"]),
    ("X location -3 at frame 1, 3 at frame 6, it's called Snail", ['object_named("Snail")']),
    ("X location -3 at frame 1, 3 at frame 6, object: Snail", ['object_named("Snail")']),
    # Motions told in free words.
    (
        "Cart should start at x=0 on frame 1 and have reached x=7.5 by frame 80",
        ['object_named("Cart")', "cart.location[0] = 7.5", '"location", index=0, frame=80'],
    ),
    (
        'I would like the elevator cabin ("Cabin") to go from z = 0, at frame 10 up to z = 12 m at frame 130',
        ["cabin.location[2] = 12.0", "index=2, frame=130"],
    ),
    ("shove Wardrobe 80 cm sideways along x, frames 5-25", ["wardrobe.location[0] += 0.8", "index=0, frame=25"]),
    ("Sink the Titanic a bit: 4 m lower than now over frames 100-300", ["titanic.location[2] += -4.0", "frame=300"]),
    (
        'the windmill\'s "Blades" need three complete revolutions on Y during frames 1..240',
        ["blades.rotation_euler[1] = radians(1080.0)", "index=1, frame=240"],
    ),
    (
        'Bend "Ruler" over time with its simple deform: angle 0° f1, 120° f48',
        ['each.type == "SIMPLE_DEFORM"', 'keyframe_insert("angle", frame=48)'],
    ),
    ("bevel width (Box) 0 -> .15 between 10 and 30", ['each.type == "BEVEL"', '"width", frame=30)']),
    ("elastic on the scale keys of Logo, easing in", ['"scale"', '= "ELASTIC"', '.easing = "EASE_IN"']),
    ('"Ball": set every key to bounce, ease out', ["all_curves(ball)", '= "BOUNCE"', '.easing = "EASE_OUT"']),
    (
        "The z location curve of Elevator should be bezier again",
        ['curves_of(elevator, "location", index=2)', '= "BEZIER"'],
    ),
    (
        'material "Coal" starts to glow: emission strength 0 at 1, 12 at 40',
        ['bpy.data.materials["Coal"]', "default_value = 12.0"],
    ),
    ('"Metal" mat: metallic 0 @ frame 10 to 1 @ frame 50', ['material_called("Metal")', "default_value = 1.0"]),
    ('squash "Blob" on impact: z scale 1@18, .5@21, 1@26', ["blob.scale[2] = 0.5", '"scale", index=2, frame=21']),
    ('slow zoom: "Cam" 35 mm (f1) to 85 mm (f120), linear', ["cam_data.lens = 85.0", 'interpolation = "LINEAR"']),
    ('focus pull on "Cam": 1.5 m at frame 20, 6 m at frame 44', ["cam_data.dof.focus_distance = 6.0"]),
    ('vertex group "Pin" on Flag', ['flag.vertex_groups.get("Pin")']),
    (
        'vertex group "temp" on Body should be gone, every other group\'s weights left unchanged',
        ["groups.remove(group)"],
    ),
    ('key shape "Long" on Dog: x-scale 1.5', ["point.co.x = base.co.x * 1.5"]),
    ('energy of Spot = 50 * X location of "Fader"', ['"location", 0)', 'expression = "50 * var"']),
    ('bake "Crate" 1-90, name the action "Fall"', ['.name = "Fall"']),
    (
        '"Candle" energy gets some noise on its curve, strength 15',
        ['object_named("Candle")', "modifier.strength = 15.0"],
    ),
    ("clip end of the camera 100 at f1 and 10 at f50 (name: Cam_Cut)", ['object_named("Cam_Cut")', "clip_end = 10.0"]),
    ('Locked Track, target "Wind", track axis X. object "Vane"', ['vane.constraints.get("Locked Track")']),
    # What stays as it is, what nothing is done about, and settings behind a dash or in brackets.
    (
        'custom properties on the camera: shot_id = "SH010" and take = 3 (integer, limits 1 to 20)',
        ['camera["take"] = 3', 'describe(camera, "take", min=1, max=20)'],
    ),
    ('Give "Crate" a custom property kg = 12.5 (decimal number) with limits 0 to 100', ["min=0.0, max=100.0"]),
    (
        "throw out all unused meshes and materials (also materials only used by unused meshes). Fake users stay",
        ["while unused := [", "bpy.data.batch_remove(unused)"],
    ),
    ("purge all unused data blocks (also the ones only used by other unused ones)", ["do_recursive=True"]),
    (
        'move all lights to a new collection "Lights" (out of wherever they are) and make that collection unselectable',
        ['collection = bpy.data.collections["Lights"]', "collection.hide_select = True"],
    ),
    ("save a compressed copy as b.blend but keep working in the current (unsaved) file", ["compress=True, copy=True"]),
    (
        'let particles bounce off "Ramp": collision with damping 0.4, friction 0.2. No rigid body!',
        ["collision.damping_factor = 0.4", "collision.friction_factor = 0.2"],
    ),
    (
        'Turn "Nozzle" into a fountain: 500 particles shot straight up at 6 m/s, no random speed',
        ["object_align_factor = turned @ Vector((0.0, 0.0, 6.0))", "normal_factor = 0.0", "factor_random = 0.0"],
    ),
    (
        '"Nozzle" should emit 500 particles that live for 60 frames and are drawn as copies of "Drop". '
        "The nozzle itself is invisible in renders",
        ["lifetime = 60.0", "instance_object = drop", "nozzle.show_instancer_for_render = False"],
    ),
    ("moon gravity: 1.62 m/s2 downwards for the whole scene", ["scene.gravity = (0.0, 0.0, -1.62)"]),
    # What stands at the edge of a wording and turns it.
    ('no cloth, no soft body on "Dummy" any more', ['if each.type in ("CLOTH", "SOFT_BODY"):']),
    ("drop the whole rigid body world", ["bpy.ops.rigidbody.world_remove()"]),
    ("use the quick effect for smoke + fire on Ember", ['bpy.ops.object.quick_smoke(style="BOTH")']),
    ("exclude Crowd from the layer Beauty", ['layer_collection("Crowd", scene.view_layers["Beauty"]).exclude = True']),
    ("collection instance of Lamp_post, empty named Post_B", ['post_b.instance_type = "COLLECTION"']),
    ("a separate STL per mesh", ['for obj in [obj for obj in scene.objects if obj.type == "MESH"]:']),
    ("load model.fbx", ["bpy.ops.import_scene.fbx("]),
    ("attach price=120 to Lamp_A and Lamp_B (custom)", ["for obj in (lamp_a, lamp_b):"]),
    ("Clear the selection, then only Main_cam is selected.", ["only_selected()", "only_selected(main_cam)"]),
    ('render particles as collection "Rocks" on "Ground"', ['instance_collection = bpy.data.collections["Rocks"]']),
    (
        'Change the seed of the particle system on "Rain" to 4. Render them as the object "Drop".',
        ["instance_object = drop"],
    ),
    ('guide field on "Path", clumping 0.5', ["guide_clump_amount = 0.5"]),
    (
        'soft body on "A": bending stiffness 2, goal vertex group "Pin"',
        ["settings.bend = 2.0", 'vertex_group_goal = "Pin"'],
    ),
    ('collision on "Ramp" for particles: damping 0.2, kill off', ["damping_factor = 0.2", "use_particle_kill = False"]),
    (
        'boids on "Nest": 60 boids, flying on, land off',
        ["settings.count = 60", ".use_flight = True", ".use_land = False"],
    ),
    (
        'particles on "Gun": no normal velocity, object-aligned Y velocity 8',
        ["object_align_factor[1] = 8.0", "normal_factor = 0.0"],
    ),
    ('hair on "Head", 200 strands, dynamics on', ["system.use_hair_dynamics = True"]),
    ('"Pillow" as cloth with internal pressure 4', ["use_pressure = True", "uniform_pressure_force = 4.0"]),
    ('the cloth on "Towel" must ignore wind and feel gravity only at 50 %', [".wind = 0.0", ".gravity = 0.5"]),
    ('cloth cache of "Flag" 1 to 120, bake it', ["cloth.point_cache", "bpy.ops.ptcache.bake(bake=True)"]),
    ('smoke flow on "Torch", smoke and fire', ['flow_type = "BOTH"']),
    ('vortex field on "Storm", strength 5', ['force_field(storm, "VORTEX")', "strength = 5.0"]),
    ('"Lift" is a passive rigid body that moves with its keyframes', ['type = "PASSIVE"', "body.kinematic = True"]),
    ('"Ball" rigid body: damping translation 0.1, rotation 0.3', ["linear_damping = 0.1", "angular_damping = 0.3"]),
    ("put Box_A in collision layers 1 and 3 (it's an active body already)", ["number in {1, 3}"]),
    ("rigid body world: slow motion, speed 0.25", ["time_scale = 0.25"]),
    (
        'slider rigid body constraint on the empty "Rail": Box_A and Box_B, X travel limited to 0..0.45 m',
        ["joint.object2 = box_b", "joint.limit_lin_x_upper = 0.45"],
    ),
    (
        'generic spring constraint on empty "Shock" (Box_A, Box_B): Z spring on, stiffness 80',
        ["spring_stiffness_z = 80.0"],
    ),
    (
        'fixed constraint between "A" and "B", breakable, threshold 20',
        ["use_breaking = True", "breaking_threshold = 20.0"],
    ),
    ('collision on "Ramp", friction 0.2', ['or ramp.modifiers.new("Collision", "COLLISION")']),
    ("lunar gravity", ["scene.gravity = (0.0, 0.0, -1.62)"]),
    ("add a wind force field along +X, noise amount 0.5", ["field.noise = 0.5"]),
    ('turn off adaptive domain of the fluid of "Room"', [".use_adaptive_domain = False"]),
    ('link the material "Brick" from lib.blend', ["into.materials = wanted"]),
    ("bake the rigid bodies to keyframes from frame 1 to 100", ["bake_bodies(", "range(1, 101, 1)"]),
    (
        'particle system on "Tree" with 100 particles rendered as the collection "Leaves"',
        ['render_type = "COLLECTION"', 'settings.instance_collection = bpy.data.collections["Leaves"]'],
    ),
    ('set the particle system of "Tree" to render as the object "Leaf"', ["settings.instance_object = leaf"]),
    ('particle system on "Tree" with display as circle', ['display_method = "CIRC"']),
    ('particle system on "Tree" with random rotation 1', ["use_rotations = True", "rotation_factor_random = 1.0"]),
    ('add the collections "A", "B" and "C"', ['collection_named("C")']),
    ('disable selection of the collections "A" and "B"', ['for name in ("A", "B")', ".hide_select = True"]),
    ('hide the collections "A" and "B" in renders', ['for name in ("A", "B")', ".hide_render = True"]),
    ("print the number of meshes", ['print(len([obj for obj in scene.objects if obj.type == "MESH"]))']),
    ('add a scene called "B"; link "Chair" to it', ["b_scene.collection.objects.link(chair)"]),
    ('link the materials of "A" to "B"', ["share_materials(a, b)"]),
    ('give the mesh "Body" a fake user', ['bpy.data.meshes["Body"].use_fake_user = True']),
    ("make all paths relative", ["bpy.ops.file.make_paths_relative()"]),
    ("pack all files", ["bpy.ops.file.pack_all()"]),
    ('add a dynamic paint brush to "Finger"', ['bpy.ops.dpaint.type_toggle(type="BRUSH")']),
    ("add a rigid body world", ["bpy.ops.rigidbody.world_add()"]),
    ('shrinkwrap "A" to "B", just the group "rim"', ['shrinkwrap.vertex_group = "rim"']),
    ("planar decimate, Building, 5°", ['object_named("Building")', '"DISSOLVE"', "radians(5.0)"]),
    ("subdiv on Head, 2 in the viewport 3 at render", ["subsurf.levels = 2", "subsurf.render_levels = 3"]),
    ('mirror modifier on "A": X axis only, clipping on', ["use_axis = (True, False, False)", "use_clip = True"]),
    ("Switch clipping on in the mirror that sits on Bust.", ["mirrormodifier.use_clip = True"]),
    ("add a cube, 1.2 m, name Crate, sits at 1 2 0.6", ['cube_mesh("Crate", (1.2, 1.2, 1.2))']),
    ("Bottle is to be deformed by the lattice Cage", ["lattice.object = cage"]),
    ('some faces of "Shell" are inside out, make all normals point outward', ["shell = ", "recalc_face_normals"]),
    ('"Cup" is the half outline of a mug. Add a screw modifier with 48 steps.', ["added = cup.modifiers"]),
    ("Sofa stands too far left, move it 40 cm to the right", ["sofa.location.x += 0.4"]),
    ("extrude the top face of the cube by 1 m, then scale it by 0.5", ["bmesh.ops.scale(bm"]),
    ("extrude the top face of the cube by 1 m, then move the cube 2 m along x", ["cube.location.x += 2.0"]),
    ("subdivide the cube 2 times", ["for _ in range(2):", "subdivide_edges"]),
    ('mirror "Hull" over X with a modifier and apply the mirror', ['apply_modifiers(hull, ("MIRROR",))']),
    ('push "Box1" back by 5 cm (y direction)', ["box1.location.y += -0.05"]),
    ("simple deform on Tower: twist 90 degrees z", ['simple_deform.deform_axis = "Z"']),
    ("wireframe on Cage, 2 cm thick, keep the original", ["thickness = 0.02", "use_replace = False"]),
    ("subsurf on Cage, 2 levels", ['object_named("Cage")', "subsurf.levels = 2"]),
    ("Vase smooth", ["shade(vase, smooth=True)"]),
    ("Selected objects → smooth", ["shade(obj, smooth=True)"]),
    ('ico sphere "ruby" 1 subdivision, radius .3, flat', ["shade(ruby, smooth=False)"]),
    ("first modifier of Snail: apply", ["apply_modifiers(snail, (snail.modifiers[0].type,))"]),
    ("subtract Drill from Block, boolean, exact", ["boolean.object = drill", 'boolean.solver = "EXACT"']),
    ("set the mirror modifier's merge threshold on Wing to 0.005", ["mirror.merge_threshold = 0.005"]),
    ("remove all modifiers from Body except Armature", ['if each.type != "ARMATURE":']),
    ("multires on Head, 2 levels", ["multires.levels = 2"]),
    (
        "subtract Drill from Block with a boolean. Drill should show as wire and not render",
        ['drill.display_type = "WIRE"', "drill.hide_render = True"],
    ),
    ('bend "ruler" by 30 degrees, z axis, simple deform', ['deform_method = "BEND"\n', "radians(30.0)"]),
    ("bevel modifier on Ingot: percent mode, 15 percent", ["bevel.width_pct = 15.0"]),
    ('"door hinge": lock rotation x and y', ["door_hinge.lock_rotation = (True, True, False)"]),
    ("Table: inset top face 0.2", ['object_named("Table")']),
    ("close the loop of Circuit", ["spline.use_cyclic_u = True"]),
    ("Lamp1: duplicate as Lamp2, shift it 15 m in y", ["lamp2.location.y += 15.0"]),
    # All that is selected, places with slashes, short words.
    ("parent all selected to Root", ["obj.select_get()]:", "obj.parent = root"]),
    ("Bevel for all the selected stuff - modifier, 1 cm", ["obj.select_get()]:", "bevel.width = 0.01"]),
    ("3D cursor at 0/0/1", ["scene.cursor.location = (0.0, 0.0, 1.0)"]),
    ("switch off displace on Sea2 for now", ['if each.type == "DISPLACE"', "each.show_viewport = False"]),
    ("Bool diff Casting minus Core7", ['boolean.operation = "DIFFERENCE"', "boolean.object = core7"]),
    ('bridge open borders of "sleeve tube"', ["bmesh.ops.bridge_loops"]),
    ('each face of "keyboard" inset on its own by 1 mm', ["bmesh.ops.inset_individual"]),
    ("pivot of Lid5 to 3D cursor", ["scene.cursor.location"]),
    ("Crate gets a 5 mm bevel", ['crate.modifiers.new("Bevel", "BEVEL")', "bevel.width = 0.005"]),
    # The size of an object of an unknown type is none of a light's, a camera's, an empty's.
    ('set the height of "Box" to 3 m', ["box.scale.z *= 3.0 / box.dimensions.z"]),
    ('make "Box" 3 m wide', ["box.scale.x *= 3.0 / box.dimensions.x"]),
    ('double the size of "Box"', ["box.scale *= 2.0"]),
    ('move "A" 2 m along its local Y', ["a.rotation_euler.to_matrix() @ Vector((0.0, 2.0, 0.0))"]),
    ('enable the bevel modifier of "A"', ["each.show_viewport = True"]),
    ('show "A"', ["a.hide_viewport = False"]),
    ('make 8 copies of "X" in a circle with radius 4', ["cos(tau * number / 8)"]),
    ("Ball2 to the cursor", ["ball2.location = scene.cursor.location"]),
    ("apply mirror on Ship3", ['apply_modifiers(ship3, ("MIRROR",))']),
    ("active object: mirror x", ["mirror.use_axis = (True, False, False)"]),
    ("bezier from the origin (0,0,0) over (2,1,0) to (4,0,1) named Route", ["((0.0, 0.0, 0.0), (2.0, 1.0, 0.0), (4.0"]),
    (
        'turn "Light" into a softbox: rectangular area light 2 x 0.5 m, 300 W, warm (1, 0.75, 0.5), '
        "stays where it is but points at the origin",
        ['.shape = "RECTANGLE"', ".size = 2.0", ".size_y = 0.5", ".energy = 300.0", ".color = (1.0, 0.75, 0.5)"],
    ),
    (
        "turn the default lamp into a round area light, 60 cm across, 250 W, leave it where it is",
        ['.type = "AREA"', '.shape = "DISK"', ".size = 0.6", ".energy = 250.0"],
    ),
    (
        '"Bulb" becomes an area light, disk, 30 cm',
        ['bulb.data, bpy.types.Light).type = "AREA"', ".size = 0.3"],
    ),
    (
        "new softbox Key at (3, -3, 4) that always aims at the cube via a Track To constraint",
        ['new_object("Key"', 'constraints.new("TRACK_TO")', ".target = cube"],
    ),
    (
        "add a spot, 25 degrees, 500 W, aimed at the origin",
        ["spot_size = radians(25.0)", "Vector((0.0, 0.0, 0.0))"],
    ),
    ("Table and Mat as shadow catchers", ["for obj in (table, mat):"]),
    ("Key: 1000 W, warm white", [".color = (1.0, 0.7454, 0.4342)"]),
    ("no shadow from Fill", ["fill.data.use_shadow = False", "fill.visible_shadow = False"]),
    ("greyscale png", ['color_mode = "BW"']),
    ("Crystals: shade flat", ["shade(crystals, smooth=False)"]),
    ('set the x location of "Box" to 3', ["box.location.x = 3.0"]),
    ('move "A" to the location of "B"', ["a.location = b.matrix_world.translation"]),
    ("duplicate the selected objects", ["copies.append(copy)"]),
    ('clear the seams of "A"', ["edge.seam = False"]),
    ('merge the selected vertices of "A" at the center', ["bmesh.ops.pointmerge"]),
    ('make a face from the selected vertices of "A"', ["bmesh.ops.contextual_create"]),
    ('randomize the rotation of "A" between 0 and 30 degrees', ["low, high = 0.0, radians(30.0)"]),
    ("arrange the selected objects in a row along x without gaps", ["edge += high - low"]),
    ('make the vertex group "G" of "A" the active one', ['a.vertex_groups.active = a.vertex_groups["G"]']),
    ('add a curve modifier to "A" with object "Path" and deform axis -X', ['curve.deform_axis = "NEG_X"']),
    ('add a UV map called "X" to all meshes', ['layers.new(name="X")']),
    ("max sewing force of Shirt2's cloth 8", ["use_sewing_springs = True", "sewing_force_max = 8.0"]),
    ("raise the mass of Anvil_3's body to 75", ["rigidbodyobject.mass = 75.0"]),
    ("size of Gusts' turbulence field: 0.75", ["fieldsettings.size = 0.75"]),
    ('set the quality of the cloth "Flag" to 8', ["clothmodifier.settings.quality = 8"]),
    ('set the max radial distance of the force field of "Fan" to 3', ["use_radial_max = True", "radial_max = 3.0"]),
    ('add a liquid domain to "Tray" with top border off, cfl number 3', ["border_top = False", "cfl_condition = 3.0"]),
    ('"Tower" needs no rigid body any more', ["bpy.ops.rigidbody.object_remove()"]),
    ('"Teddy" gets quick fur', ["bpy.ops.object.quick_fur()"]),
    ("remove all unused materials and images", ["bpy.data.materials if", "bpy.data.images if"]),
    ('make "A" selectable', ["a.hide_select = False"]),
    ('switch to the scene "B"', ['window.scene = bpy.data.scenes["B"]']),
    ('set the active view layer to "L2"', ['window.view_layer = window.scene.view_layers["L2"]']),
    ('make the instances of "Tree" real', ["bpy.ops.object.duplicates_make_real()"]),
    ('make the collection "People" no longer a holdout', [".holdout = False"]),
    ("Collection Blockout must not render", ['bpy.data.collections["Blockout"].hide_render = True']),
    ("one fbx for each selected object", ["bpy.ops.export_scene.fbx(filepath=path, use_selection=True)"]),
    ("Cam_B is the render camera", ["scene.camera = cam_b"]),
    ("Active: Table_top", ["objects.active = table_top"]),
    ('"Mud" canvas, displace, incremental, factor .5', ['surface.surface_type = "DISPLACE"']),
    ("viscosity of the fluid in Jar2 .9", ["use_viscosity = True", "viscosity_value = 0.9"]),
    ("quick smoke on Suzanne, only fire", ['style="FIRE"']),
    ('rigid body on "Anchor", passive, kinematic', ["rigid_body(anchor)", "body.kinematic = True"]),
    ('cloth "Flag": quality 8', ['.new("Cloth", "CLOTH")', "cloth.settings.quality = 8"]),
    ('kick "Cart" out of the rigid body sim', ["bpy.ops.rigidbody.object_remove()"]),
    ("gravity back on", ["use_gravity = True"]),
    ("Ball3 paints red", ["brush.paint_color = (1.0, 0.0, 0.0)"]),
    ("Lamp_2 out of the selection", ["lamp_2.select_set(False)"]),
    ("Holdout for collection Foreground", [".holdout = True"]),
    ('untick "HighPoly" in the view layer', [".exclude = True"]),
    ("tag collection 'Water' blue", ['.color_tag = "COLOR_05"']),
    ('drop property "tmp_id" from everything', ['del obj["tmp_id"]']),
    ("selected stuff into a fresh collection called WIP", ['collection_named("WIP")', "obj.select_get()"]),
    ("inches, imperial", ['system = "IMPERIAL"', 'length_unit = "INCHES"']),
    ("work in mm with unit scale .001", ['length_unit = "MILLIMETERS"', "scale_length = 0.001"]),
    ("protect all materials from being purged", ["bpy.data.materials", "use_fake_user = True"]),
    ('add hair system "Grass" on Meadow_1, 15000 blades 12 cm', ['particles(meadow_1, "Grass")']),
    # Many objects, said before a colon or behind; what not all of them have; how much is a share of what is there.
    ('scale all descendants of "Rig" by 2', ["if obj in rig.children_recursive[:]]"]),
    ("text objects extruded by 2 cm", ['if obj.type == "FONT"]', "extrude = 0.02"]),
    ("selected ones -> suffix _LOD0", ["if obj.select_get()]", 'obj.name += "_LOD0"']),
    ("whatever is taller than 3 m: hide it", ["if obj.dimensions.z > 3.0]", "obj.hide_render = True"]),
    ('print the names of what\'s in the collection "Trees"', ['in bpy.data.collections["Trees"]', "print(each.name)"]),
    ("exposure .3 in post, then gamma 1.1", ["splice(tree, exposure)", "splice(tree, gamma)"]),
    ("what's the number of lights?", ['print(len([obj for obj in scene.objects if obj.type == "LIGHT"]))']),
    ("run compositing on the GPU", ['render.compositor_device = "GPU"']),
    ("print the number of meshes", ['print(len([obj for obj in scene.objects if obj.type == "MESH"]))']),
    ("make 8 linked copies of Cube in a circle of radius 3", ["cos(tau * number / 8)"]),
    ("add a glare node with type bloom to the compositor", ['set_input(glare, "Type", "Bloom")\n    splice']),
    ('fade out the strip "Music" over 25 frames', ['"volume" if music.type == "SOUND" else "blend_alpha"']),
    ('draw a circle of radius 2 in red on the grease pencil "Sketch"', ["add_stroke(lines_layer"]),
    ('set the height of "Man" to 1.8 m', ["man.scale.z *= 1.8 / man.dimensions.z"]),
    ('select all objects with the vertex group "Bend"', ['if "Bend" in obj.vertex_groups']),
    (
        'hide in viewport and render: everything ending in "_helper"',
        ["obj.hide_render = True", "obj.hide_viewport = True"],
    ),
    ("empties: display as arrows, size 0.5", ['if obj.type == "EMPTY"]', "obj.empty_display_size = 0.5"]),
    # Inputs, nodes and settings of a material, each told from what is called alike.
    ('set the object color of "Box" to red', ["box.color = (1.0, 0.0, 0.0, 1.0)"]),
    ('set the metallic and roughness of "Box" to 0', ['"Metallic", 0.0', '"Roughness", 0.0']),
    ('replace the image texture of "Box" with wood.png', ["picture.image = wood_image", "if len(pictures) != 1:"]),
    ('set the color attribute "Col" of "Box" to red', ['colors.get("Col")', "each.color = (1.0, 0.0, 0.0, 1.0)"]),
    (
        'an add shader of a diffuse shader and an emission shader on "Box"',
        ["ShaderNodeAddShader", "add_shader.inputs[0]"],
    ),
    ('noise through a ramp from red over green to blue on "Box"', ["< 3", "elements[1].color = (0.0, 1.0, 0.0, 1.0)"]),
    ('voronoi, feature distance to edge, into the base color of "Box"', ['outputs, "Distance"']),
    ('leaf.png into the base color and the alpha of "Leaf"', ['outputs, "Alpha"', 'inputs, "Alpha"']),
    ('image texture C:/tex/wood.png into the base color of "Box"', ['"C:/tex/wood.png"']),
    ("sky texture in the world, sun elevation 6° and strength 0.8", ["radians(6.0)", '"Strength", 0.8']),
    ('set the subsurface method of "Box" to random walk (skin)', ['"RANDOM_WALK_SKIN"']),
    ('make "Sphere.003" mirror', ['material_called("Sphere.003")', '"Metallic", 1.0']),
    ('the coat on "Guitar" should have an IOR of 1.7', ['"Coat IOR", 1.7']),
    ("color Dragon crimson", ['object_named("Dragon")', "use_material"]),
    ('the vase ("Vase") needs roughness 0.15', ['object_named("Vase")', '"Roughness", 0.15']),
    ('noise 60 through bump 0.15 into the normal of "Orange"', ['"Scale", 60.0', '"Strength", 0.15']),
    ('Ivory keys: "Keys" in glossy ivory', ['object_named("Keys")', '"Roughness", 0.1']),
    ('Signal colors! "Vest" bright yellow', ['object_named("Vest")']),
    ("evening mood — sky texture, sun elevation 3 degrees", ["radians(3.0)"]),
    ('"Diamond" (material), IOR 2.4', ['bpy.data.materials.get("Diamond")', '"IOR", 2.4']),
    ('Sofa and Ottoman share the material "Oak"', ["for obj in (sofa, ottoman):", "use_material"]),
    ('bevel node radius 0.1 in material "Worn"', ['"ShaderNodeBevel")', '"Radius", 0.1']),
    ('the existing checker on "Board" gets scale 16', ['"ShaderNodeTexChecker")', '"Scale", 16.0']),
    ("horizon color teal", ["world_tree()", '"Color", (0.0, 0.2159, 0.2159, 1.0)']),
    ('wave 2.5, distortion 7, ramp black to tan on "Desk"', ['"Scale", 2.5', 'color_ramp.inputs, "Factor"']),
    ('the bevel modifier of "Box" should use Arc as inner miter', ['.miter_inner = "MITER_ARC"']),
    ('set bending stiffness of the cloth of "Flag" to 0.5', ["bending_stiffness = 0.5"]),
    ("denoise node after Render Layers, using the albedo and normal passes", ['"Denoising Albedo", denoise, "Albedo"']),
    ('frosted glass on "Window", roughness 0.25', ['"Metallic", 0.0', '"Roughness", 0.25']),
    (SENTENCE, ["subsurf.levels = 2", "subsurf.render_levels = 2", "shade(active, smooth=True)"]),
    # Settings by the manifest's names, with values in its types and units.
    ("bevel modifier on the cube: 0.1 wide, 4 segments", ["bevel.width = 0.1", "bevel.segments = 4"]),
    (
        "Add a simple deform modifier, twist 45 degrees, on the Z axis",
        ['deform_method = "TWIST"', "angle = radians(45.0)"],
    ),
    (
        "mirror modifier on the cube across Y, merge threshold 1 cm",
        ["use_axis = (False, True, False)", "merge_threshold = 0.01"],
    ),
    ('rigid body on "Ball": active, sphere shape, friction 0.9', ['collision_shape = "SPHERE"', "body.friction = 0.9"]),
    ("set the focal length of the camera to 85 mm", ["lens = 85.0"]),
    ("render at 1920x1080, 50 %", ["resolution_x = 1920", "resolution_percentage = 50"]),
    ("use cycles with 64 samples and denoising", ['engine = "CYCLES"', "cycles.samples = 64", "use_denoising = True"]),
    ("Give the cube a blue material with roughness 0.2", ['"Roughness", 0.2', '"Base Color", (0.0, 0.0, 1.0, 1.0)']),
    ("world background to #0B1D3A, strength 0.6", ['"Strength", 0.6']),
    # What the words say of a light, by its kind; changes by a share.
    ("reduce the power of all lights by half", ["light_data.energy *= 0.5"]),
    ('increase the power of "Lamp" by 30 %', ["light_data.energy *= 1.3"]),
    ('set the power of "X" to 500 W; set the color of the light "X" to red', ["Light).color = (1.0, 0.0, 0.0)"]),
    ("set the size of the area light to 2", ["AreaLight).size = 2.0"]),
    ("set the radius of all point lights to 0.3", ["PointLight).shadow_soft_size = 0.3"]),
    ('set the angle of the sun light "Sun" to 2 degrees', ["SunLight).angle = radians(2.0)"]),
    ('turn on the portal of "Window"', ["Light)", "cycles_settings.is_portal = True"]),
    ("set the raytracing resolution to 1:2", ['resolution_scale = "2"']),
    ("render frames 20 to 40 to //wip/part_", ['filepath = "//wip/part_"', "render(animation=True)"]),
    ("set the raytracing threshold to 0.5", ["trace_max_roughness = 0.5"]),
    ("add a glare node with type bloom to the compositor", ['set_input(glare, "Type", "Bloom")']),
    ('include the collection "X"', [".exclude = False"]),
    ('set the world to "Night"', ['scene.world = bpy.data.worlds["Night"]']),
    ("turn off crop to render region", ["use_crop_to_border = False"]),
    ('set the shape of "Tube" to ellipse; set the size y of "Tube" to 0.1', ['shape = "ELLIPSE"', "size_y = 0.1"]),
    ('use plate.png as the background image of "Cam_A"', ["background_images.new()"]),
    ("set the codec to ZIPS", ['exr_codec = "ZIPS"']),
    ("set the video quality to very low", ['constant_rate_factor = "VERYLOW"']),
    ("set the video codec to VP9", ['codec = "WEBM"']),
    ("set the viewport noise threshold to 0.1", ["preview_adaptive_threshold = 0.1"]),
    ("half power for RimLight", ["light_data.energy *= 0.5"]),
    ("sky texture: elevation 35 degrees, no disc", ["world_tree()", "sun_elevation = radians(35.0)"]),
    ("render -> //stills/hero.png", ["render(write_still=True)"]),
    ('Name this view layer "Main"', ['view_layer.name = "Main"']),
    # Which object is meant.
    ("Add an ico sphere and make the sphere red", ["use_material(ico_sphere, "]),
    ("Add a torus called Ring and a cone, then move the ring to the origin", ["ring.location = (0.0, 0.0, 0.0)"]),
    ("move all lights up by 1 m", ['if obj.type == "LIGHT"]', "obj.location.z += 1.0"]),
    ('select every mesh whose name starts with "A"', ['obj.name.startswith("A")']),
    (
        "Move the camera to (7, -7, 5) and keep it aimed at the cube with a Track To constraint",
        ["camera.constraints.get", "track_to.target = cube"],
    ),
    # Numbers, units, ranges, small typing errors.
    ("Add a cube twenty five cm wide at x = half", ["(0.25, 2.0, 2.0)", "cube.location.x = 0.5"]),
    ("set the timeline to frames 10-90 at 30 fps", ["frame_start = 10", "frame_end = 90", "fps = 30"]),
    ('rigid body on "Ball" with linear dampning 0.1', ["linear_damping = 0.1"]),
    (
        "keyframe the cube: z 0 at frame 1, z 5 at frame 50",
        ["location[2] = 5.0", 'keyframe_insert("location", index=2, frame=50)'],
    ),
    # What a setting has no effect without is turned on too, unless the request turns it off.
    ("cloth on Flag with pressure 3", ["use_pressure = True", "uniform_pressure_force = 3.0"]),
    ("hair on Head: 800 strands, 5 cm, children interpolated, 9 viewport / 80 render", ["rendered_child_count = 80"]),
    ('set the seed of the particle system on "Rocket" to 12', ["particle_system.seed = 12"]),
    ('particle system "Dust" on Floor: count 300, no gravity', ["EffectorWeights).gravity = 0.0"]),
    ('"WBall": sphere shape, 500 kg', ['collision_shape = "SPHERE"', "mass = 500.0"]),
    ("set the scene gravity to -1.62 m/s2 along z", ["scene.gravity[2] = -1.62"]),
    ('turbulence 15, size 0.6 on empty "Turb"', ['force_field(turb, "TURBULENCE")', "field.strength = 15.0"]),
    ("bake the rigid bodies from frame 1 to 180", ["cache.frame_end = 180", "ptcache.bake(bake=True)"]),
    # Settings of cameras, lights, world and render: names with words of the one before, one value for several, changes.
    ("cam: 85mm, f/1.8, focus on the cube", [".lens = 85.0", "aperture_fstop = 1.8", "focus_object = cube"]),
    ("light bounces 8, diffuse 4, glossy 3", ["max_bounces = 8", "diffuse_bounces = 4", "glossy_bounces = 3"]),
    ("diffuse and glossy bounces 2", ["diffuse_bounces = 2", "glossy_bounces = 2"]),
    ("turn off overwrite and placeholders", ["use_overwrite = False", "use_placeholder = False"]),
    ("reduce the light's power by 25%", ["first_time(", ".energy *= 0.75"]),
    ("viewport 16 samples, render 128 samples", ["preview_samples = 16", "cycles.samples = 128"]),
    (
        "eevee 64 samples, 1920x1080 at 50%, frames 1-120",
        ["taa_render_samples = 64", "resolution_y = 1080", "frame_end = 120"],
    ),
    ("png to //out/f_, RGBA, 16 bit", ['file_format = "PNG"', 'color_depth = "16"', 'filepath = "//out/f_"']),
    (
        "Workbench: matcap, cavity both, ridge 1.5",
        ['engine = "BLENDER_WORKBENCH"', 'light = "MATCAP"', "cavity_ridge_factor = 1.5"],
    ),
    # In any order, with arrows and abbreviations.
    ("camera: focal length animates 35mm -> 85mm between f20 and f80", ['"lens", frame=20', "lens = 85.0"]),
    # Free order, chains of nodes, owners of settings, bodies of operators, remarks.
    (
        'cloth on "Flag" pinned by the group "Pole", quality steps 8',
        ['vertex_group_mass = "Pole"', "settings.quality = 8"],
    ),
    (
        "a noise texture (scale 4) goes through a ramp from black to red into the roughness of the cube's material",
        ['socket_of(noise_texture.outputs, "F', 'socket_of(shader.inputs, "Roughness")'],
    ),
    # How a surface looks: the parts of a description in any order, and what they leave out.
    (
        "thin film on Bubble, thickness 400 nm, IOR 1.33",
        ['material_called("Bubble")', '"Thin Film Thickness", 400.0', '"Thin Film IOR", 1.33'],
    ),
    (
        "emission on Neon, hot pink (1, 0.1, 0.5), strength 15",
        ['"Emission Color", (1.0, 0.1, 0.5, 1.0)', '"Emission Strength", 15.0'],
    ),
    ('rough.png for the roughness of "Wall"', ["bpy.data.images.load", '"Non-Color"', 'rough.outputs, "Color"']),
    (
        "color ramp between a noise texture and the base color of the cube: black at 0.4 / orange at 0.6",
        ["elements[1].position = 0.6", "socket_of(noise_texture.outputs", 'socket_of(shader.inputs, "Base Color")'],
    ),
    ("make the top face of the cube red", ["lambda face: face.normal.z > 0.9"]),
    ("The mirror modifier of the cube has to be off.", ["show_viewport = False"]),
    ("the width of the bevel modifier of the cube has to be 0.2", ["width = 0.2"]),
    ("the empty should be invisible in renders", ["hide_render = True"]),
    (
        'Give "Hull" a subdivision modifier and a mirror modifier. The mirror has to come first in the stack.',
        [".modifiers.move("],
    ),
    ("Give the rigid body world a speed of 0.5 and let its cache run from frame 1 to 200.", ["frame_end = 200"]),
    ("make cube blue", ['cube = object_named("Cube")']),
    ("make blue cube", ['new_object("Cube"']),
    ('swap all uses of "OldPaint" with "NewPaint"', ["oldpaint_material.user_remap(newpaint_material)"]),
    (
        'in the material "Rust", set the scale of the noise texture to 8',
        ['node.bl_idname == "ShaderNodeTexNoise"', '"Scale", 8.0'],
    ),
    ("set the levels of the subdivision surface modifier on the cube to 3", [".levels = 3"]),
    ("give all images a fake user", ["for each_one in list(bpy.data.images):", "each_one.use_fake_user = True"]),
    (
        'Register an operator object.lift (undo) with a float property "height" (default 2)'
        " that moves the active object up by the height",
        ["self.height", 'bl_options = {"REGISTER", "UNDO"}', "height: bpy.props.FloatProperty"],
    ),
    (
        "Register a handler called follow that runs after every frame change and puts the light 3 m above the cube",
        ["def follow(", "handlers = bpy.app.handlers.frame_change_post"],
    ),
    (
        'enum property tier on scene: LOW / MID / HIGH, default MID, labels "Low","Medium","High"',
        ["every.tier = bpy.props.EnumProperty(", '("MID", "Medium", "")', 'default="MID"'],
    ),
    (
        'before each save handler: write the current date into scene["saved_at"]',
        ["bpy.app.handlers.save_pre", 'scene["saved_at"] = time.strftime("%Y-%m-%d")'],
    ),
    (
        'timer "ping" that fires after 5 seconds first, then each 60 seconds, and increments scene["pings"]',
        ["return 60.0", "first_interval=5.0", 'scene.get("pings", 0) + 1'],
    ),
    ("set pass index = running number for all meshes in alphabetical order", ["obj.pass_index = number"]),
    ("print a JSON report: number of objects per type -> stats.json", ["Counter(obj.type", 'Path("stats.json")']),
    ("list every image whose file does not exist", ["file_missing(each)"]),
    ('Hang the door: make "Door" an active rigid body of 15 kg', ["mass = 15.0"]),
    # Parts of a mesh, and what is done with them; one part goes on to the next step.
    (
        "inset the top face of the cube by 0.2, then extrude it down by 0.5",
        ["level = max(vert.co.z", "thickness=0.2", "extrude_faces(bm, faces, Vector((0.0, 0.0, -0.5)))"],
    ),
    ('remove all vertices below z = 0 from "Hull"', ["(hull.matrix_world @ vert.co)[2] < 0.0", 'context="VERTS"']),
    (
        "cut the cube at x = 0.5 and keep the left half",
        ["Vector((0.5, 0.0, 0.0)), Vector((1.0, 0.0, 0.0)), clear=True"],
    ),
    # Sizes, and what stays where it is.
    ("make the cube 4 m tall but keep its foot on the ground", ["4.0 / cube.dimensions.z", "location.z += -min("]),
    ("make the cube 3 m long (X), 1 m wide (Y)", ["3.0 / cube.dimensions.x", "1.0 / cube.dimensions.y"]),
    (
        "the cube should measure exactly 2 x 1 x 0.5 m, with its scale back at 1,1,1 after",
        ["0.5 / cube.dimensions.z", "rotation=False, scale=True)"],
    ),
    ('hexagon named "Tile": 6-vertex circle of radius 1, filled with one n-gon', ['circle_mesh("Tile", 1.0, 6, True)']),
    ("set the origin to the bottom centre of the cube", ["centre.z = low.z", "Matrix.Translation(-centre)"]),
    # Modifier stacks.
    ('mirror modifier on "Half": X axis, clipping on, merge 0.001', ["mirror.merge_threshold = 0.001"]),
    ('join "Leg_1" and "Leg_2" with "Top" into one object', ["if each != top), top)"]),
    (
        'cut "Tool" out of the cube, apply it and delete the cutter',
        ['apply_modifiers(cube, ("BOOLEAN",))', "remove_object(tool)"],
    ),
    ("8 cubes in a circle of radius 5, facing the center", ["rotation_euler.z = tau * number / 8 - tau / 4"]),
    ('"Wheel" should copy the rotation of "Steering", only Z, influence 50%', ["use_x = False", "influence = 0.5"]),
    # Nodes, what is set on them and what runs into them; strips; grease pencil.
    (
        'Geometry nodes on "Ground": distribute points on faces (density 20), instance on points with "Rock",'
        " random scale between 0.5 and 1.5, join with the original geometry",
        ['"Density", 20.0', '"Random Scale"', 'set_socket(random_scale, "Max", 1.5)', '"GeometryNodeJoinGeometry"'],
    ),
    (
        'realize instances at the end of the node tree "Scatter"',
        ['geometry_group("Scatter")', '"GeometryNodeRealizeInstances"'],
    ),
    (
        'geometry nodes: join the geometry of object "Roof" into the mesh of "House" (object info, relative)',
        ["use_group(house, group)", '"Object", roof'],
    ),
    ('set material "Gold" through geometry nodes on the selected objects', ["use_group(obj, group)"]),
    ('convert the mesh of "Rock" to a convex hull via geometry nodes', ["use_group(rock, group)"]),
    ('scatter 40 icospheres over the faces of "Ground" with geometry nodes', ["GeometryNodeMeshIcoSphere"]),
    (
        'keyframe the geometry nodes input "Growth" on "Vine" from 0 (frame 1) to 1 (frame 120)',
        ['key_group_input(vine, "Growth", 0.0, 1)', 'key_group_input(vine, "Growth", 1.0, 120)'],
    ),
    (
        'keyframe the Amount input of the GrowNodes geometry nodes modifier on "Vine": 0 at frame 1, 1 at frame 80',
        ['key_group_input(vine, "Amount", 1.0, 80, "GrowNodes")'],
    ),
    ("set the Density input of the Scatter modifier on Rock to 35", ['"Density", 35, "Scatter")']),
    (
        'geometry nodes on the curve "Track": curve to mesh with a circle profile of radius 0.08, 12 points',
        ['set_input(curve_circle, "Resolution", 12)', '"Radius", 0.08)\n    set_input(curve_circle'],
    ),
    ("make the geo nodes on Cube output a convex hull of the original mesh", ["splice(group, convex_hull)"]),
    (
        "in a geometry nodes tree on the cube delete all faces whose normal points up (normal z > 0.9)",
        ['.domain = "FACE"', '"GREATER_THAN"', '"B", 0.9)', 'compare, "Result", delete_geometry, "Selection"'],
    ),
    (
        "assign the material Gold to the cube's geometry inside geo nodes via a set material node, leave the material"
        " slots alone",
        ['set_input(set_material, "Material", bpy.data.materials["Gold"])'],
    ),
    ("flip the rendered picture horizontally with a compositor flip node", ["splice(tree, flip)\n\n\nmain()"]),
    ("viewer node in the compositor showing the mist", ['wire(tree, start, "Mist", viewer, "Image")']),
    ("alpha over the render onto plain #F2E8CF in the compositor", ['"Background", (0.8879, ', 'goal="Foreground"']),
    ('wrap the strips Title and TitleBG into a meta strip named "Intro"', ['"Intro", 0, title, titlebg)']),
    (
        'the sequencer strip "Logo" should be 40 % of its size, moved 500 px right and 300 px up',
        ["scale_y = 0.4", "offset_x = 500.0", "offset_y = 300.0"],
    ),
    ('strip "Logo": 50% of its size, 120 px down', ["scale_x = 0.5", "offset_y = -120.0"]),
    (
        "mute everything on channel 4 of the sequencer by muting the channel itself, not the single strips",
        ["channel_of(scene, 4).mute = True"],
    ),
    (
        'add an empty grease pencil object named "Sketch" with two layers, Lines on top and Fill below',
        ['.get("Fill") or pencil_data.layers.new("Fill")\n    _ = pencil_data.layers.get("Lines")'],
    ),
    ("compositor: gaussian blur 15 px in x and y", ['"Size", (15.0, 15.0)']),
    ("enable compositing and denoise the render using the denoise node", ["tree = compositor(scene)"]),
    (
        "black color strip on channel 4 from frame 1 to 30, opacity from 1 to 0",
        ["blend_alpha = 1.0", "frame_final_end - 1)"],
    ),
    ('cross-fade between the strips "A" and "B" over 20 frames', ["b.frame_start += a.frame_final_end - 20"]),
    ("file output for the depth pass as OpenEXR into //passes/", ["file_output(tree", '"OPEN_EXR"']),
    ('speed effect on the strip "Run", speed factor 2', ['speed_control = "MULTIPLY"', "speed_factor = 2.0"]),
    ('integer attribute "id_group" on the faces of Cube, all values 3', ['"INT", "FACE"', "each.value = 3"]),
    ('add a color attribute "Tint" to the mesh "A", corner domain, filled with white', ["each.color = (1.0"]),
    ("mute channel 3 in the video sequencer", ["channel_of(scene, 3).mute = True"]),
    ("fade the music strip out over its last 48 frames", ['strip_of_type(scene, "SOUND")', "frame_final_end - 1 - 48"]),
    ("grease pencil: draw a circle of 32 points, radius 1, in the xz plane, cyclic", ["range(32)"]),
    ('"Pipe" gets geometry nodes: curve to mesh with a curve circle (radius 0.1) as profile', ['"Profile Curve")']),
    (
        'a geometry nodes group "Grow" on the cube with an integer input Level (default 2)'
        " that feeds the level of a subdivision surface node",
        ['"NodeSocketInt")', "socket.default_value = 2", '"Level", subdivision_surface, "Level")'],
    ),
    ("delete geometry node on the cube where z is below 0", ['operation = "LESS_THAN"', '"Selection")']),
    ("render layers -> glare (streaks, threshold 0.5) -> lens distortion (dispersion 0.05)", ['"Dispersion", 0.05']),
    ("alpha over node in the compositor with a blue background", ['goal="Foreground"']),
    (
        'text strip "THE END" on channel 4 from frame 200 to 260, size 96, yellow, fade in over 12 frames',
        ['"TEXT", 4, 200, 260', "font_size = 96.0", "frame_final_start + 12"],
    ),
    ('move strip "Logo" 50 frames later and one channel up', ["frame_start += 50", "channel += 1"]),
    ('trim the last 12 frames off the strip "B" and close the gap', ["frame_final_end -= 12", "frame_start -= 12"]),
    ("exposure +0.75 in the compositor", ['"CompositorNodeExposure"', '"Exposure", 0.75']),
    (
        'store the face area as named attribute "area" (float, face domain) on "Hill" with geometry nodes',
        ['.domain = "FACE"', '"Area", store_named_attribute'],
    ),
    ('hook both ends of "Rope" to "Post_L" and "Post_R"', ["hook(rope, post_l, [0])", "hook(rope, post_r, [-1])"]),
    ('crossfade between the strips "A" and "B" on channel 5', ['"CROSS", 5']),
    (
        'transform on strip "Logo": scale 0.3, offset 700, 380, opacity 80%',
        ["scale_y = 0.3", "offset_y = 380.0", "blend_alpha = 0.8"],
    ),
    (
        'new grease pencil object "Sketch" with a circle of radius 2 made of 32 points'
        ' on layer "Ink", black, 2 cm thick',
        ["range(32)", "0.01", '"Ink"'],
    ),
    # Groups by any filter, names by a rule, facts, things that are no objects, files.
    (
        'delete every mesh taller than 2 m in the collection "Props" except the cube',
        ["obj.dimensions.z > 2.0", 'bpy.data.collections["Props"].all_objects', "obj not in (cube,)"],
    ),
    ("prefix all unused materials with OLD_", ["in bpy.data.materials if each.users == 0]"]),
    ("write the names and sizes of all meshes to sizes.csv with a header", ['"dimensions_x"', "each.dimensions[:]"]),
    (
        'custom property "price" on the cube: 19.99 with min 0',
        ['cube["price"] = 19.99', 'describe(cube, "price", min=0.0)'],
    ),
    ("export all meshes to parts.obj, triangulated", ["export_triangulated_mesh=True", "export_selected_objects=True"]),
    ('exclude "Helpers" from the current view layer', ['layer_collection("Helpers", view_layer).exclude = True']),
    ("import part.stl from the cwd, scale 0.001", ["stl_import(", "global_scale=0.001)"]),
    ('use scene "Sky" as the background set of scene "Shot"', ['.background_set = bpy.data.scenes["Sky"]']),
    ('dissolve the collection "Set", its objects go up into the parent', ["dissolve_collection(collection)"]),
    ('mark "Barrel" as an asset, tags: wood, medieval', ['tags.new("wood"', 'tags.new("medieval"']),
    ('prop "dims" on the cube, two floats: 1.5 / 2, min 1', ['["dims"] = [1.5, 2.0]', "min=1.0"]),
    ("selected objects -> Post_01, Post_02, ... sorted along Y, descending", ["translation.y, reverse=True"]),
    ("save", ["bpy.ops.wm.save_mainfile()"]),
    ("scatter 30 cubes in a circle of radius 5, seed 2", ["random = Random(2)", "in_circle(random, 5.0, 0.0)"]),
    ("increase the energy of the light by 100", ["light_data.energy += 100.0"]),
    ("shortcut Ctrl+Shift+H runs object.hide_view_clear", ['"H", "PRESS", ctrl=True, shift=True']),
    # Anything that can be animated, in any notation; drivers, bones, bodies, fluids.
    ("camera: focal length 35mm -> 85mm between f20 and f80", ["lens = 35.0", 'keyframe_insert("lens", frame=80)']),
    ("cube: scale 0 -> 1, frames 10 to 25 (easing type Bounce, ease out)", ['"BOUNCE"', 'easing = "EASE_OUT"']),
    ('make "Ghost" visible only between frames 20 and 40', ["ghost.hide_render = True", "frame=41"]),
    ("add a noise modifier to the cube's z rotation, strength 0.2", ["index=2", "modifier.strength = 0.2"]),
    (
        'the custom property "open" on Ctrl drives the Z rotation of Door: 0 means 0°, 1 means 90°',
        ['new_driver(door, "rotation_euler", 2)', 'expression = "radians(90 * var)"'],
    ),
    ('floor constraint: "Ball" can\'t go below "Ground", offset 0.25, use z', ["floor.target = ground", '"FLOOR_Z"']),
    ('track to: camera "Cam" looks at "Hero", up axis Y', ["track_to.target = hero", 'up_axis = "UP_Y"']),
    ('copy location on "A" with offset', ['= object_named("A")', "a.constraints.new", "use_offset = True"]),
    ('pivot constraint on "Box" around "Hinge"', ["pivot.target = hinge"]),
    (
        'use "WGT" as custom shape for the pose bone "Root" in "Rig", scale 2 on all axes, wireframe on',
        ["custom_shape_scale_xyz = (2.0, 2.0, 2.0)", ".bone.show_wire = True"],
    ),
    ('bone "Hip" in "Rig" doesn\'t inherit rotation', ["use_inherit_rotation = False"]),
    ('"Eye" x scale driven by "Ctrl" z location, 0 to 2 maps to 1 to 2', ['"0.5 * var + 1"']),
    ('unlink the action of "Hero" but keep it with a fake user', [".action.use_fake_user = True", ".action = None"]),
    ('IK on bone "foot.L" of Rig, chain length 2, target object is "Goal"', ['bones["foot.L"]', "ik.target = goal"]),
    ('hinge between "Arm" and "Base", limited to -45..45 degrees', ["limit_ang_z_lower = radians(-45.0)"]),
    ('water inflow on "Tap", initial velocity (0, 0, -1.5)', ['flow_behavior = "INFLOW"', "(0.0, 0.0, -1.5)"]),
    # The same value at several frames, keys that are taken out or moved, what lies beyond them.
    ("the cube's z: 3 m on frames 1, 25 and 49, 0.5 m on frames 13 and 37", ["frame=25", "frame=37"]),
    ('extrapolate the z rotation of "Fan" linearly', ["index=2", 'curve.extrapolation = "LINEAR"']),
    ('delete the f-curve of the z location of "Fan"', ['remove_curves(fan, "location", index=2)']),
    ('driver on "Fan" z location from its custom property "speed"', ['add_variable(driver, "var", fan,']),
    ('disable the "Look" constraint on "Cam"', ['cam.constraints["Look"]', "enabled = False"]),
    ("extrapolation linear for the cube's z location", ['curve.extrapolation = "LINEAR"']),
    ("delete the keyframes of the cube at frame 50 only", ["if frame == 50:", "points.remove(points[place])"]),
    ('scale the timing of action "Walk" to twice as long from frame 1', ["2.0, 1)"]),
    (
        'limit the Z location of "Lift" between 0 and 12 m, affect transform on',
        ["max_z = 12.0", "transform_limit = True"],
    ),
    ('copy rotation constraint of "A" from "B", only Y, inverted, local space', ["invert_y = True", "target_space ="]),
    ('armature "Rig" with a single bone called root, from the origin 1 m straight up', ["tail = (0.0, 0.0, 1.0)"]),
    # A recipe with the numbers of the request.
    ("a spiral staircase with 20 steps, 4 m high", ["STEPS, HEIGHT, RADIUS = 20, 4.0, 1.2", "make_spiral_staircase()"]),
    ("make the cube look like brushed metal", ["use_material(cube, bpy.data.materials[MATERIAL])"]),
    ('roughness map //a/r.jpg into "Rust", using the UV layer called "B"', ['uv_map = "B"', '.inputs, "Roughness")']),
    # A value right behind what it is of; changes of what is there; a material for another one everywhere.
    ('albedo of "Barn" #7A2E1F', ['"Base Color", (0.1946']),
    ("roughness of every material 0.5", ["for material in bpy.data.materials:", '"Roughness", 0.5']),
    ("Teapot roughness 0.35", ['material_called("Teapot")']),
    ('double the roughness of "Rust"', ['= shader.inputs["Roughness"]', "roughness.default_value *= 2.0"]),
    ("increase the roughness of all materials by 0.1", ["roughness.default_value += 0.1"]),
    (
        "Wherever OldPaint is used, use NewPaint instead, and then throw OldPaint out of the file.",
        ["user_remap(newpaint_material)", "bpy.data.materials.remove(oldpaint_material)"],
    ),
    ("swap material Old for New on every object, then delete Old", ["bpy.data.materials.remove(old_material)"]),
    ('"Head" and "Tail" are both brown', ["for obj in (head, tail):"]),
    ('add an empty material slot to "Car"', [".materials.append(None)"]),
    # A node that only changes what runs through it stands between what is linked already.
    ('invert the roughness map of "Rock"', ["take_over(tree, socket_of(shader.inputs", 'invert_color, "Color")']),
    # What stands beside a node, a shader or an image tells what it is for.
    ('"Helmet": albedo a.png, metal b.png', ['socket_of(b.outputs, "Color"), socket_of(shader.inputs, "Metallic")']),
    (
        'texture of "Rug": a.jpg (diffuse), b.jpg (roughness)',
        ['socket_of(a.outputs, "Color"), socket_of(shader.inputs, "Base'],
    ),
    (
        'use a.png on the emission color of "TV", strength 2',
        ['(shader.inputs, "Emission Color")', '"Emission Strength", 2.0'],
    ),
    ('brick texture of "Facade": mortar size 0.04', ['node.bl_idname == "ShaderNodeTexBrick"']),
    ('image texture on "Sign": box projection', ['node.bl_idname == "ShaderNodeTexImage"']),
    ('material "Relief", displacement scale 0.03', ['node.bl_idname == "ShaderNodeDisplacement"']),
    ('emission node in the material "Exit" should be green', ['set_input(emission, "Color", (0.0, 1.0, 0.0, 1.0))']),
    ('emission node at 250, red, for "Laser"', ['(emission, "Strength", 250.0)', '(emission, "Color", (1.0, 0.0, 0.0']),
    (
        "toon look for Hero: toon shader red, size 0.6",
        ['node_named(tree, "Toon BSDF"', '"Color", (1.0, 0.0, 0.0, 1.0)'],
    ),
    ('"A": red diffuse mixed with a glossy of roughness 0.1, 30% glossy', ['"Factor", 0.3', 'diffuse_bsdf, "Color"']),
    ('mix shader (diffuse, glossy) whose factor is a fresnel node, on "A"', ['socket_of(mix_shader.inputs, "Factor")']),
    ("noise, scale 4, for Crystal's base color", ['material_called("Crystal")']),
    ("set the roughness of all materials on the cube to 0.5", ["for slot in cube.material_slots if slot.material"]),
    (
        "keyframe the scale of the noise texture node on the cube: 1 at frame 1, 5 at frame 20",
        ["node_in(material_of(cube)"],
    ),
    ('fresnel into the alpha of "Shield", IOR 1.2', ['set_input(fresnel, "IOR", 1.2)']),
    ('translucent BSDF mixed half with transparent on "Leaf"', ['set_socket(mix_shader, "Factor", 0.5)']),
    ("take the material off the cube", ["materials.clear()"]),
    ('remove the animation from the material "Neon"', ["tree.animation_data_clear()"]),
    (
        'give me two materials, "A1" (#FF0000) and "B1" (#00FF00), both with roughness 0.5',
        ['set_input(shader_2, "Base Color", (0.0, 1.0, 0.0, 1.0))', 'set_input(shader_2, "Roughness", 0.5)'],
    ),
    ('rotate the texture of "Parquet" by 90 degrees', ["rotation.default_value[2] += radians(90.0)"]),
    ('scale the texture mapping of "Fabric" to 4 in x and y', ["scale.default_value[1] = 4.0"]),
    ('offset the texture of "Belt" by 0.5 in y through the mapping node', ["location.default_value[1] += 0.5"]),
    ('cube\'s second slot: new material "Trim" in gold', ["cube.material_slots[1].material = trim", '"Metallic", 1.0']),
    ('put the material "Roof" into slot 2 of "House"', ["house.material_slots[1].material = roof_material"]),
    ("make the cube's texture use generated coordinates", ["texture_in(material)", '"Generated"']),
    ('replace the principled of "Glass" by a plain Glass BSDF, ior 1.33', ["tree.nodes.remove(node)", '"IOR", 1.33']),
    ("set the roughness of the materials of all selected objects to 0.5", ["material_of(obj)"]),
    ('make the material of the cube single user and name the copy "Own"', ['own_material.name = "Own"']),
    ('add a bump from a wave texture to "Rug". The bump strength shall be 0.1', ['set_input(bump, "Strength", 0.1)']),
    ('mapping scale 3 3 1 for the brick texture of "Wall"', ['if not socket_of(mapping.inputs, "Vector").is_linked:']),
    (
        'emission color #00FFC8 and strength 15 for the material in slot 2 of "Robot"',
        ["robot.material_slots[1].material"],
    ),
    ('sheen bsdf on "Curtain" with color #550022', ['set_input(sheen_bsdf, "Color", (0.0908']),
    ('metallic BSDF on "Spoon", roughness 0.12', ['set_input(metallic_bsdf, "Roughness", 0.12)']),
    ('AO node, distance 0.5, straight into the base color of "Clay"', ['"Distance", 0.5']),
    ('principled volume, density 0.8, on "Cloud"; surface empty', ['inputs["Surface"].links']),
    ("add a leather material to the cube", ['"Roughness", 0.6']),
    ("plain black material, roughness 1, on the cube", ['new_material("Black")', '"Roughness", 1.0']),
    ('keyframe the base color of "Chameleon": green at frame 1, red at frame 60', ['material_called("Chameleon")']),
    ("active material: sheen weight 0.6", ["material_of(active)", '"Sheen Weight", 0.6']),
    ('set the roughness of the materials "Steel" and "Iron" to 0.45', ['for name in ("Steel", "Iron")]']),
    ('roughness 0.2 for every material whose name starts with "Metal"', ['each.name.startswith("Metal")']),
    ('insert an invert node before the roughness of "Wood"', ["take_over("]),
    (
        'noise through a map range from 0.3..0.7 to 0..1 into the metallic of "Plate"',
        ['"From Max", 0.7', '"To Max", 1.0', 'map_range.inputs, "Value"'],
    ),
    ('normal map strength of "Bricks" 0.4', ['set_input(normal_map, "Strength", 0.4)']),
    (
        "set the interpolation of every image texture in the file to closest",
        ["isinstance(each, bpy.types.ShaderNodeTexImage)"],
    ),
    ('pack image "label.png" into the blend file', ["image.pack()"]),
    ('remove the normal map from "Wall"', ["tree.nodes.remove(node)"]),
    ('make slot 2 of "Car" the active one', ["car.active_material_index = 1"]),
    ("swap slot 1 and slot 2 of the cube", ["slots[0].material, slots[1].material ="]),
    ('create a glass material "Glass_1" with IOR 1.46. Assign it to "Bottle" and to "Cap".', ["use_material(cap, "]),
    (
        "gradient world: black at the bottom, #88AAFF at the top, through a color ramp",
        ['background.inputs, "Color"', "(0.5, 0.0, 0.0)"],
    ),
    (
        "in the world, a voronoi texture of scale 50 drives the background color",
        ["world_tree()", 'background.inputs, "Color"'],
    ),
    ("world: checker texture scale 4, colors red and white, strength 2", ['set_input(background, "Strength", 2.0)']),
    (
        "gradient sky for the world: color ramp #FFFFFF at the bottom to #3A7BD5 at the top,"
        " from the generated z coordinate",
        ['gradient_texture.outputs, "Factor"', 'color_ramp.outputs, "Color"', "(0.0, radians(90.0), 0.0)"],
    ),
    (
        "world: gradient with a color ramp white at the bottom to blue at the top, from the generated coordinates",
        ['mapping.inputs, "Vector"', 'color_ramp.outputs, "Color"), socket_of(background'],
    ),
    (
        'keyframe the mapping node\'s z location in the material "Water": 0 at frame 1, 2 at frame 250',
        ["location.default_value[2] = 2.0"],
    ),
    (
        'keyframe the noise scale of material "Water" 2 at frame 1, 8 at frame 100',
        ['node_in(bpy.data.materials["Water"]'],
    ),
    (
        'set the rotation of the mapping node in material "Water" to 45 degrees around z',
        ["default_value[2] = radians(45.0)"],
    ),
    ("noise into the base color of the cube, mapping node scale 2", ['texture_coordinate.outputs, "Generated"']),
    (
        'duplicate the material "Wood" as "Wood_Dark", roughness 0.8, and assign it to the cube',
        ["wood_material.copy()"],
    ),
    ('assign "Red" to the top face of the cube and "Blue" to all others', ["append(blue_material)"]),
    (
        'add a second material slot to the cube with a new red material "Accent" and assign the top face'
        " (the +Z one) to it",
        ["materials.append(accent_material)", "faces_with(cube, accent_material, lambda face: face.normal.z > 0.9)"],
    ),
    ("assign faces 0 and 2 of Crate to the second slot", ["in {0, 2}", "material_index = 1"]),
    (
        'replace material "OldPlastic" with "NewPlastic" on every object that uses it,'
        " then remove OldPlastic from the file",
        ["user_remap(newplastic_material)", "materials.remove(oldplastic_material)"],
    ),
    ('wave texture, rings, z direction, scale 3, as the base color of "Trunk"', ['rings_direction = "Z"']),
    ('new material "Lamp" (do not assign it to anything), emission strength 12', ['new_material("Lamp")']),
    ('mix a red diffuse and a glossy shader on "Pipe". Name the material Rusty.', ['pipe_material.name = "Rusty"']),
    ("delete every unused material", ["for each in bpy.data.materials if each.users == 0"]),
    (
        'wood.png as base color and wood_n.png as normal map on "Table" (normal map must be non-color)',
        ["color_space: Any = wood_n_image"],
    ),
    ("brick texture, bricks in red, as base color of the cube", ['"Color2", (1.0, 0.0, 0.0, 1.0)']),
    (
        'brick texture on "Wall": mortar #CCCCCC, bricks #8B3A2B and #A0522D, brick width 0.6, row height 0.2',
        ['"Color1", (0.2582', '"Color2", (0.3515', 'set_input(brick_texture, "Brick Width", 0.6)'],
    ),
    # What mixes colors does so, and is said by its ends.
    (
        "mix color node between the image and the base color on Sofa, multiply, factor 0.5, B = #118AB2",
        ['mix.inputs, "A"', '.data_type = "RGBA"', 'set_input(mix, "B", (0.0056, 0.2542, 0.4452, 1.0))'],
    ),
    (
        "mix color node between red and blue on multiply, factor 0.75, into the base color of the cube",
        ['set_input(mix, "A", (1.0, 0.0, 0.0, 1.0))', 'set_input(mix, "Factor", 0.75)'],
    ),
    ("mix color node before the base color on Sofa, multiply, B red", ['"Base Color"), mix, "A")']),
    (
        'invert the image that goes into the roughness on "Tiles" with an Invert Color node, factor 1',
        ['image_texture.outputs, "Color"), socket_of(invert_color', 'invert_color.outputs, "Color")'],
    ),
    (
        "noise texture into the roughness of the cube with a color ramp from black to white",
        ['color_ramp.outputs, "Color"), socket_of(shader.inputs, "Roughness")'],
    ),
    (
        'a hue/saturation node between the image and the base color on "Sofa": saturation 0.6, value 1.1,'
        " hue unchanged",
        ['"Saturation", 0.6', '"Value", 1.1'],
    ),
    ('swap the principled shader on "Vase" for a plain Glass BSDF, ior 1.52', ['each.type == "BSDF_PRINCIPLED"']),
    # A heading with the object; shares of what is said in a word.
    (
        "edge wear on the cube: geometry pointiness into a color ramp (0.48 black, 0.55 white) into the base color",
        ['geometry.outputs, "Pointiness"', "position = 0.48", 'object_named("Cube")'],
    ),
    ('window pane "Glass_Pane": 40% opaque, render method blended', ['"Alpha", 0.4', '_method = "BLENDED"']),
    ("Glass_Pane: 70% transparent", ['"Alpha", 0.3']),
    ("glowing green material on the cube", ['"Emission Strength", 1.0']),
    (
        "bump: noise scale 9 into the normal of the cube, strength 0.3",
        ['set_input(bump, "Strength", 0.3)', "bump.inputs"],
    ),
    (
        "noise to the base color of the cube's material via a color ramp, red to blue",
        ['socket_of(color_ramp.inputs, "F'],
    ),
    ("Suzanne: brushed steel, anisotropic 0.6", ["use_material(suzanne, brushed_steel_material)"]),
    (
        "displacement: noise scale 3 to the material's displacement output, midlevel 0.4, scale 0.2, on the cube",
        ["displacement = node_named"],
    ),
    ('color space of the image "rough.png" to Non-Color', ['colorspace_settings.name = "Non-Color"']),
    ('"Moon" emits pale yellow at 3', ['"Emission Strength", 3.0']),
    ('emission white at 5 on "Lamp"', ['"Emission Color", (1.0, 1.0, 1.0, 1.0)', '"Emission Strength", 5.0']),
    ('New materials, "Day" #FFE9B0 and "Night" #0A1030.', ['new_material("Day")', 'new_material("Night")']),
    ('bottom face "Cork" (material) on "Coaster"', ['object_named("Coaster")', "faces_with(coaster, cork_material"]),
    ('brick texture for "Facade": colors 8A3B2A and A34E38', ['"Color2", (0.3663, 0.0762, 0.0395, 1.0)']),
    ('the checker texture on "Board" should have scale 8', ['node.bl_idname == "ShaderNodeTexChecker"']),
    (
        'put material "Moss" on the faces of "Rock" that look up (normal within 45 degrees of +Z)',
        ["lambda face: face.normal.z >= 0.707107"],
    ),
    ("render frames 3 and 5 as a.png, b.png", ['zip((3, 5), ("a.png", "b.png"), strict=True)']),
    ("render region x 25%-75%, y 0.1 to 0.5", ["border_max_x = 0.75", "border_min_y = 0.1"]),
    (
        "render just the left half of the frame and crop the image to it",
        ["border_max_x = 0.5", "use_crop_to_border = True"],
    ),
    ("eevee raytracing on at full resolution (1:1)", ['resolution_scale = "1"']),
    ("hide Helper from camera rays but keep its shadow", ["visible_camera = False", "helper.visible_shadow = True"]),
    ("the light shouldn't cast shadows", ["bpy.types.Light).use_shadow = False"]),
    ("mist from 5 to 30 m, quadratic", ["mist_settings.start = 5.0", "mist_settings.depth = 25.0"]),
    ("eevee volumetrics: 128 samples, end 100", ["volumetric_samples = 128", "volumetric_end = 100.0"]),
    ("simplify: max subdivision 1 viewport, 2 render", ["subdivision = 1", "subdivision_render = 2"]),
    ("sun from the south-east, 40 degrees up, strength 4", ["(radians(50.0), 0.0, radians(45.0))"]),
    ("motion blur on, centered on frame", ['motion_blur_position = "CENTER"']),
    ("camera to 85 mm focal length on a 24 mm wide sensor", ["lens = 85.0", "sensor_width = 24.0"]),
    ("camera shift Y 0.12, X stays 0", ["shift_y = 0.12", "shift_x = 0.0"]),
    (
        "a six-bladed bokeh on the camera, rotated 15°, ratio 2",
        ["aperture_blades = 6", "aperture_rotation = radians(15.0)"],
    ),
    ("Cycles: 6 bounces, kill both caustics", ["caustics_reflective = False", "caustics_refractive = False"]),
    (
        "subsurf on the cube, 3 levels in the viewport and in renders",
        ["subsurf.levels = 3", "subsurf.render_levels = 3"],
    ),
    # What is said beside the main thing is not lost.
    (
        'merge duplicate materials ("Steel.001", "Steel.002")',
        ['meant = {"Steel.001", "Steel.002"}', "and meant &"],
    ),
    ('merge duplicate materials (such as "Steel.001")', ["original != material:"]),
    ('z location: alternating 5 and 0 every 10 frames over frames 1 to 100 for "Lamp"', ['object_named("Lamp")']),
    (
        'rotation alternates 45 and 0 degrees every 5 frames over frames 1 to 50 around Y for "Fan"',
        ["rotation_euler[1] = 0.0 if"],
    ),
    ('link the cube into collection "B", only there', ['move_to_collection(cube, collection_named("B"))']),
    ('new collection "B", link the cube into it', ["goal.objects.link(cube)"]),
    ('geometry nodes on "A": scattering points, keep the original mesh', ["GeometryNodeJoinGeometry"]),
    ('raise "Ground" into hills via geometry nodes: set position', ["# Geometry nodes: raise into hills"]),
    ('text strip "B" right after strip "A", above everything, for 20 frames', ['"B", "TEXT", 0, a.frame_final_end']),
    # Bones, constraints that are there, keys and curves.
    ('turn off inherit scale of the bone "Head" of "Rig"', ['posebone.bone.inherit_scale = "NONE"']),
    ('set the keyframe handles of "X" to vector', ["for point in curve.keyframe_points:"]),
    ('remove the marker "Start"', ['timeline_markers.remove(scene.timeline_markers["Start"])']),
    ('rename the marker "Start" to "Begin"', ['timeline_markers["Start"].name = "Begin"']),
    ('parent "Hat" to the bone "Head" of "Rig"', ['hat.parent_bone = "Head"']),
    ('parent "Sword" to the bone "Hand.R" (KnightRig)', ["sword.parent = knightrig", 'parent_bone = "Hand.R"']),
    ('enable the Track To constraint of "Cube"', ['if each.type == "TRACK_TO"]:', "each.enabled = True"]),
    (
        'add a Copy Location constraint to "A" with target "B" in local space',
        ['copy_location.owner_space = copy_location.target_space = "LOCAL"'],
    ),
    (
        'add a Child Of constraint to "Cup" to the bone "Hand" of "Rig" with inverse set',
        ['.bones["Hand"]', "= (child_of_rig.matrix_world @ child_of_bone.matrix).inverted()"],
    ),
    ('set the size of the area light "Lamp" to 5', ["bpy.types.AreaLight).size = 5.0"]),
    ('keyframe the size of the area light "Lamp": 1 at frame 1, 5 at frame 9', ['keyframe_insert("size", frame=9)']),
    ('keyframe the Z location of "Box": 0 at frame 1, 3 in at frame 40', ["box.location[2] = 0.0762"]),
    ("set frame range to 240 frames", ["scene.frame_end = 240"]),
    (
        'make the camera follow the curve "Path" from frame 1 to frame 100 following the curve',
        ["follow.target = path", "follow.use_curve_follow = True"],
    ),
    ('mute the Inverse Kinematics constraint of the bone "Hand" of "Rig"', ['.bones["Hand"].constraints if']),
    ('remove the Noise F-curve modifier from the Z location of "Boat"', ["curve.modifiers.remove(found)"]),
    ('set the influence of the NLA strip "Walk" of "Hero" to 0.5', ['if each.name == "Walk"']),
    ('keyframe all transforms of "Box" at frames 1 and 20', ['box.keyframe_insert("scale", frame=20)']),
    ('shape key "Blink" of "Face", 0 / 1 / 0 at frames 10 / 13 / 16', ['keyframe_insert("value", frame=16)']),
    ('keyframe the roughness of the material "Paint": 0 at 1, 1 at 9', ['shader.inputs["Roughness"]', "frame=9"]),
    ('spin the propeller ("Prop") by 720° around Z from frame 1 to 30', ['prop = object_named("Prop")']),
    ("Drawer slides out: Y 0 @ 1 -> Y -0.45 @ 30", ["drawer.location[1] = -0.45"]),
    ('spin "Globe" 360° around Z, start frame 1, end frame 300', ["radians(360.0)", "frame=300"]),
    (
        'add a track to constraint to "Camera" targeting a new empty called "Aim" at (0, 0, 1)',
        [
            'new_object("Aim", None',
            "location = (0.0, 0.0, 1.0)",
        ],
    ),
    (
        'parent the camera to an empty "Pivot" at the origin',
        [
            'new_object("Pivot", None',
        ],
    ),
    (
        'lock the location of "Box" on all axes',
        [
            "lock_location = (True, True, True)",
        ],
    ),
    (
        (
            'Create an armature "Leg" with a bone "Thigh" from (0,0,1) to (0,0,0.5), a bone "Shin"'
            ' from there to (0,0,0), connected to "Thigh".'
        ),
        [
            "shin_bone.head = (0.0, 0.0, 0.5)",
            "shin_bone.parent = thigh_bone",
            "use_connect = True",
        ],
    ),
    (
        (
            'Build an armature "Arm" with two bones: "Upper" from (0, 0, 0) to (0, 0, 1.2) and'
            ' "Lower" from its tip to (0, 0, 2.2). Put an IK constraint on "Lower" whose target is'
            ' an empty "Hand" at the tip.'
        ),
        [
            "lower_bone.head = (0.0, 0.0, 1.2)",
            "hand.location = arm.matrix_world @ bone.tail",
        ],
    ),
    (
        (
            'The bone "Head" of "Rig" has to follow the empty "Look" with a Damped Track constraint'
            " along Y, at an influence of 0.7."
        ),
        [
            'track_axis = "TRACK_Y"',
            "influence = 0.7",
        ],
    ),
    (
        (
            'Push the current action of "Door" down to an NLA track called "Open". The strip should'
            " start at frame 50, run at half speed and repeat twice."
        ),
        [
            "strip.frame_start_ui = 50.0",
            "strip.scale = 2.0",
            "strip.repeat = 2.0",
        ],
    ),
    (
        ('Add a shape key "Smile" to "Face" and move the vertices of its vertex group "Mouth" up by 5 cm in it.'),
        [
            "vert[shape] = vert.co + Vector((0.0, 0.0, 0.05))",
        ],
    ),
    (
        "Light the scene with a sun of strength 3 at 45° elevation from the south-east.",
        [
            "rotation_euler = (radians(45.0), 0.0, radians(45.0))",
            "energy = 3.0",
        ],
    ),
    (
        "Add a sun light with strength 3, 40° above the horizon, coming from the left",
        [
            "rotation_euler = (radians(50.0), 0.0, radians(-90.0))",
        ],
    ),
    (
        (
            "Three point lighting: a key light of 200 W at (3, -3, 4), a fill light of 80 W at (-3,"
            " -3, 2), all aimed at the origin."
        ),
        [
            'new_object("Key"',
            'new_object("Fill"',
            "aim(key,",
            "aim(fill,",
        ],
    ),
    (
        'Add a light "Key" at (1, 2, 3) and a camera at (4, 4, 4)',
        [
            "bpy.data.cameras.new",
        ],
    ),
    (
        ('Make "Ball" an active rigid body. Run the simulation for 200 frames with 10 substeps per frame.'),
        [
            "frame_end = 200",
            "substeps_per_frame = 10",
        ],
    ),
    (
        (
            'Hinge "Door" to "Frame" with a rigid body constraint at an empty at (0.5, 0, 1). Limit'
            " the angle to between 0 and 90 degrees. The two should not collide."
        ),
        [
            "limit_ang_z_upper = radians(90.0)",
            "joint.disable_collisions = True",
        ],
    ),
    (
        (
            'Create a particle system "Snow" on "Cloud": 3000 particles with no initial velocity.'
            ' Let gravity act with a weight of 0.1. Render them as instances of the object "Flake"'
            " at a size of 0.05 with 50 % randomness."
        ),
        [
            "normal_factor = 0.0",
            ".gravity = 0.1",
            "size_random = 0.5",
            "particle_size = 0.05",
        ],
    ),
    (
        ('Drive the Z rotation of "Wheel" from the X location of "Car" with the expression -x / 0.35'),
        [
            'add_variable(driver, "x", car, "location", 0)',
            'driver.expression = "-x / 0.35"',
        ],
    ),
    (
        (
            'Add a driver to the Z scale of "Bar": variable v reads the custom property "level" of'
            ' "Panel", expression "0.5 + v * 2". No keyframes are wanted.'
        ),
        [
            'add_variable(driver, "v", panel',
            'driver.expression = "0.5 + v * 2"',
        ],
    ),
    (
        (
            'Drive the Z rotation of "Wheel" from the X location of "Car": a scripted driver with a'
            ' variable "x" (transform channel, world space) and the expression -x / 0.35.'
        ),
        [
            'add_transform(driver, "x", car, "LOC_X", "WORLD_SPACE")',
        ],
    ),
    (
        (
            "Keyframe the cube's z location: 4 at frame 1, 0 at frame 20. Use the bounce"
            " interpolation for the keys and set the scene's end to frame 60."
        ),
        [
            'interpolation = "BOUNCE"',
            "curves_of(cube",
            "scene.frame_end = 60",
        ],
    ),
    (
        (
            'Create a grease pencil object "Sketch" with a layer "Lines". Add a second layer "Fill"'
            " underneath with 50 % opacity."
        ),
        [
            "layers.move_bottom(fill_layer)",
            "fill_layer.opacity = 0.5",
        ],
    ),
    (
        (
            'Make two view layers "Characters" and "Background". In "Characters" the collection'
            ' "Set" should be a holdout, in "Background" the collection "Actors" is excluded.'
        ),
        [
            'layer_collection("Set", scene.view_layers["Characters"]).holdout = True',
            'layer_collection("Actors", scene.view_layers["Background"]).exclude = True',
        ],
    ),
    (
        (
            'Add a driver on the energy of "Bulb" that follows the Z rotation of "Knob": 90° means'
            " 0 W, 270° means 120 W."
        ),
        [
            'driver.expression = "0.666667 * (degrees(var) - 90)"',
        ],
    ),
    (
        "in the compositor add a glare node (fog glow, threshold 1)",
        [
            'set_input(glare, "Type", "Fog Glow")',
        ],
    ),
    (
        ('On the grease pencil object "Notes" draw a line from (0, 0, 0) to (2, 0, 1) on the layer "Marks" at frame 5'),
        [
            'notes = object_named("Notes")',
        ],
    ),
    (
        (
            'On the armature "Crane" the bone "Boom" gets a Limit Rotation constraint between 0 and'
            " 60° around X in local space. Lock its scale, too."
        ),
        [
            "min_x = 0.0",
            "max_x = radians(60.0)",
            'owner_space = "LOCAL"',
            "bone.lock_scale",
        ],
    ),
    (
        '"Tap" is a liquid inflow with an initial velocity of 1 m/s downwards.',
        [
            "velocity_coord = (0.0, 0.0, -1.0)",
        ],
    ),
    (
        "Save frame 25 as a JPEG with quality 85 to //out/preview.jpg.",
        [
            "frame_set(25)",
            "quality = 85",
            "write_still=True",
        ],
    ),
    (
        "The world is a plain dark grey with strength 0.3.",
        [
            '"Strength", 0.3',
        ],
    ),
    (
        'Add a rim light "Edge" of 50 W at (0, 3, 3)',
        [
            'new_object("Edge"',
        ],
    ),
]
"""A request, and what its snippet holds."""

TWINS: list[tuple[str, str]] = [
    (
        'grease pencil "Notes": lock the layer Guides and drop its opacity to 0.25',
        'grease pencil "Notes": lock the layer Guides',
    ),
    (
        'write a text block "inventory" with one line per object, sorted by name, like: Cube;MESH',
        'write the names of all objects to the text block "inventory", sorted by name',
    ),
    ('mirror modifier of "Arm": turn off x', 'grease pencil mirror modifier of "Arm": turn off x'),
    (
        'Duplicate "Chair" 5 times along X with 1.2 m between them. Parent the copies to "Table".',
        'Duplicate "Chair" 5 times along X with 1.2 m between them. Parent "Chair" to "Table".',
    ),
    ('link "Copy" to materials of "Orig"', 'link material "Orig" from "copy.blend"'),
    ('add a color attribute "Dirt" to "Rock", integer', 'add a color attribute "Dirt" to "Rock", byte'),
    ('Use "Empty" as the parent of "Can"', 'Use "Profile" as the taper object of "Can"'),
    ('cut a hole of radius 0.25 through "Wall"', 'cut a hole of radius 0.25 through "Wall" along Y'),
    ('separate them into a new object "Face"', 'separate the top faces of "Head" into a new object "Face"'),
    ('roughness 0.2 on "Car", tint yellow', 'coat 0.2 on "Car", tint yellow'),
    ('It should only affect the group "Up".', 'Add a wave modifier to "Sea". It should only affect the group "Up".'),
    ("friction and bounciness of the cube 0.3, 0.7 and 2", 'rigid body "Ball": friction and bounciness 0.3 and 0.7'),
    ('armature "Rig" has Upper, Fore, Hand.', 'armature "Rig" has Upper, Fore, Hand. Put IK on Fore, target "Goal".'),
    ('"Rig" has a bone "Hip".', '"Rig" has a bone "Hip". Lock its location.'),
    ('"Head" has a shape key "Wink". Scale it by 2.', '"Head" has a shape key "Wink". Mute it.'),
    ('"Rain" has a particle system. Move it up by 2.', '"Rain" has a particle system. Set its seed to 4.'),
    ('"Head" has a vertex group "Eye". Rename it to "Up".', 'Rename the vertex group "Eye" of "Head" to "Up"'),
    ('copy rotation on the bone "Eye.L" of Rig from "Eye.R"', 'copy rotation on the bone "Eye.L" of Rig from "Ctrl"'),
    ('shape key "Smile" on "Head", range 2 to 0', 'shape key "Smile" on "Head", range 0 to 2'),
    ('smooth the keys of "Ball"', 'smooth interpolation for the keys of "Ball"'),
    ('markers: "A" at 1', 'markers: "A" at 1, "B" at 2'),
    ('hair on "Head" with hair dynamics on, quality 8', 'hair on "Head" with hair dynamics on'),
    ('Add a cube. Hide the emitter in renders.', 'Add a particle system to the cube. Hide the emitter in renders.'),
    ('"A" is cloth. "B" ignores wind.', '"A" is cloth. It ignores wind.'),
    ("bake the smoke simulation", 'bake the cloth simulation of "Flag"'),
    ('render particles as object "Leaf"', 'render the particles of "Tree" as the object "Leaf"'),
    ('soft body on "A" for particles', 'collision on "A" for particles'),
    ("put Box_A in collision layer 3 (it's a body)", "put Box_A in collision layer 3 (it's a body already)"),
    ('camera "Box" drawn as stick', 'armature "Box" drawn as stick'),
    ('fixed constraint between "A" and "B". Limit it to 0 to 9 degrees.', 'fixed constraint between "A" and "B".'),
    ('Delete "A" with care: "A" is an active rigid body.', 'Let "A" fall: "A" is an active rigid body.'),
    ('Let "A" fall on "B": "A" is an active rigid body.', 'Let "A" fall: "A" is an active rigid body.'),
    ('"D" is the liquid domain. Turn the mesh on and delete it.', '"D" is the liquid domain. Turn the mesh on.'),
    (
        'an armature with two bones, "a" from (0,0,0) to (0,0,1) and "b" from (0,0,3) to (0,0,2), connected',
        'an armature with two bones, "a" from (0,0,0) to (0,0,1) and "b" from (0,0,3) to (0,0,2)',
    ),
    ("key the scale of the cube from 0 to 2 over the same frames", "scale of the cube from 0 to 2 over frames 1-9"),
    (
        'add two NLA tracks on "H": on the upper the strip "A", on the lower the strip "B"',
        'add two NLA tracks on "H": on the lower the strip "A", on the upper the strip "B"',
    ),
    ('markers: "intro" at 1, "jump" at', 'markers: "intro" at 1, "jump" at 45'),
    ("Restrict it to frames 1 to 50.", "noise modifier on the cube's x location. Restrict it to frames 10 to 50."),
    (
        "hide the collection of bones",
        'put the bone "A" of the rig into a bone collection named Torso, hide the collection',
    ),
    ('three markers: "a" at 1, "b" at 2', 'two markers: "a" at 1, "b" at 2'),
    (
        "Each instance gets a random rotation around Z.",
        'Scatter 9 copies of "A" on "B" with geometry nodes. Each instance gets a random rotation.',
    ),
    (
        "The camera should see a background instead of the HDRI.",
        "The camera should see a red background instead of the HDRI.",
    ),
    ("Turn on the mist pass for both.", "Turn on the mist pass for both view layers."),
    ("mist pass in the other view layer", "mist pass in every view layer"),
    ("Cycles, 64 samples. Leave the samples alone.", "Cycles, 64 samples. Leave the world alone."),
    ("Bake the simulation for frames 1 to 150.", 'Bake the cloth on "Flag" for frames 1 to 150.'),
    ('cloth on "A". soft body on "B". Bake the simulation', 'cloth on "A". Bake the simulation'),
    ('Drop ten crates: "Crate" is an active rigid body', 'Drop crates: "Crate" is an active rigid body'),
    ('cloth on "Flag", effector weights colour 2', 'cloth on "Flag", effector weights gravity 0.5'),
    ('gas domain around the cube, resolution 96', 'gas domain on the cube, resolution 96'),
    ("Bake the simulation for frames 1 to 150 to the cube", "bake the action of the cube for frames 1 to 150"),
    ('Rig has a bone "head". Add a cube.', 'Rig has a bone "head". Lock its location.'),
    ('copy rotation on "A", target bone "B" of the same rig', 'copy rotation on "A", target bone "B" of "Rig"'),
    ('copy rotation of bone "A" of Rig, theme 40', 'colour the bone "A" of Rig with theme 4'),
    ("camera lens shift 0.1", "camera lens shift up 0.1"),
    (
        'The lamp "A" should only light "B". Use a blocker collection.',
        'The lamp "A" should only light "B". Use light linking.',
    ),
    ("Delete the cube. Move it up by 2", "Delete the cube. Add a sphere. Move it up by 2"),
    ("remove the keyframes from frame 31 to frame 59", 'On "Crate": remove the keyframes from frame 31 to frame 59'),
    ("set the thickness of the bevel modifier to 20 cm", "set the thickness of the solidify modifier to 20 cm"),
    ("point the camera at the selected objects", "point the camera at the selected object"),
    ("The cube was moved up by 2.", "The cube should be moved up by 2."),
    ('"Crate" gets 1.5 m width', 'I want the width of "Crate" set to 1.5 m'),
    # Sorted by what; a panel shows nothing through a text object.
    ("print the locations of all meshes, biggest first", "print the number of faces of all meshes, biggest first"),
    ("delete all meshes whose scale is above 2", "delete all meshes whose height is above 2"),
    ("delete all meshes whose height is 2", "delete all meshes whose height is over 2"),
    (
        'tag every light with a custom property rig = "key" if its power is 500 W or more',
        'tag every light with a custom property rig = "key"',
    ),
    (
        'custom property "tint" on the cube as a 3-component color, value 0.9 0.2 0.1 1',
        'custom property "tint" on the cube as a 3-component color, value 0.9 0.2 0.1',
    ),
    (
        'save the total power of all lights as the integer property "watts"',
        'save the total power of all lights as the float property "watts"',
    ),
    ("purge all unused data, fake users do not count", "purge all unused images, fake users do not count"),
    (
        'append the material "Rust" from //t.blend, into a collection "In"',
        'append the object "Rust" from //t.blend, into a collection "In"',
    ),
    ('point the sound "a.wav" to //b.wav and reload it', 'point the sound "a.wav" to //b.wav'),
    (
        "enum property on Object called lod with items HIGH, LOW. set it to MID on the cube",
        "enum property on Object called lod with items HIGH, LOW. set it to LOW on the cube",
    ),
    (
        'in all object names swap "_l" at the end for ".L" and "r_" at the start for "R."',
        'in all object names swap "_l" at the end for ".L" and "_r" at the end for ".R"',
    ),
    (
        "for each mesh with a Mirror modifier set the wobble to 2",
        "for each mesh with a Mirror modifier set the merge limit to 2",
    ),
    ("delete materials with two users", "delete materials with no users"),
    (
        'Create a panel "A" in the sidebar. It shows the name of the active object and a button for object.join',
        'Create a panel "A" in the sidebar. It shows a button for object.join',
    ),
    # Of what is it random; the mesh or the shape that collides; a system is no object.
    (
        'compound collision shape for "A", its children "B" and "C" become convex hulls',
        'collision shape of "A": convex hull',
    ),
    ('seed 7 for the system "Sparks"', 'seed 7 for the particle system "Sparks" of "A"'),
    ('make "Bowl" double thickness', 'make "Bowl" 2 m thick'),
    ('solidify + bevel on "Plate": bevel 1 mm with 3 segments', 'solidify and bevel modifiers on "Plate"'),
    ("disable motion blur in the viewport", "disable denoising in the viewport"),
    ("render the animation to //out/turntable.mkv as PNG", "render the animation to //out/turntable.mkv"),
    ("clip the camera from 500 to 0.01 m", "clip the camera from 0.01 to 500 m"),
    ("AOV named m of type vector on the current view layer", "AOV named m of type value on the current view layer"),
    ('put "Ball" in rigid body collision layers 1 and 30', 'put "Ball" in rigid body collision layers 1 and 20'),
    ('move the origin of "Box" there', 'move the origin of "Box" to (1, 2, 0)'),
    ('scale the UVs of "Card" around (0, 0, 1) by 2', 'scale the UVs of "Card" around (0, 1) by 2'),
    (
        'scale the cube by 2. Then rotate them by 45 degrees.',
        'scale the UVs of the cube by 2. Then rotate them by 45 degrees.',
    ),
    (
        'make the bottom edges of "Box" sharp and bevel weight 0.5',
        'set the bevel weight of the bottom edges of "Box" to 0.5',
    ),
    (
        'inset the top face of the cube by 0.2, then assign a black material "Hole" to it',
        'inset the top face of the cube by 0.2, then assign a black material "Hole" to the cube',
    ),
    ('pack the UV islands of "Chest", rotation allowed, no rotation', 'pack the UV islands of "Chest", no rotation'),
    ("load the image //t/wood.png with a fake user, metallic 1", "load //t/wood.png with a fake user"),
    ("load //t/wood.csv with a fake user", "load //t/wood.png with a fake user"),
    ('colour tag of collection "Props" to 04 (red)', 'colour tag of collection "Props" to 04'),
    ('instance collection "Chair" five times along x', 'instance collection "Chair" five times along x, 1 m apart'),
    ("make all paths shorter", "make all paths absolute"),
    ("sort the collections by size", "sort the collections by name"),
    ('move vertex 3 of "Plane" by 0.4', 'move vertex 3 of "Plane" by 0.4 upwards'),
    ("crease 0.7 on all edges of the cube's mood face", "crease 0.7 on all edges of the cube's top face"),
    ('lock the group of the cube', 'lock the vertex group "Pin" of the cube'),
    ('add a cube, placed before the subsurf', 'add a weld modifier to the cube, placed before the subsurf'),
    ('rotate "Door" by 90 degrees around its hinge, Z axis', 'rotate "Door" by 90 degrees around the Z axis'),
    (
        '"Ghost": visible until frame 20, hidden from 30 to 39, visible again at 40',
        '"Ghost": visible until frame 29, hidden from 30 to 39, visible again at 40',
    ),
    ('parent all the wheels (four) to "Car"', 'parent all the wheels (objects whose name starts with "W") to "Car"'),
    ("move it to the top of the stack", "move the mirror modifier to the top of the stack"),
    # Bones that the request makes are no objects; as many names as things; "it" has to be something.
    (
        "an armature with 2 bones called A1 and B1 along X, each 1 m long. Move B1 up by 2 m",
        'an armature with 2 bones called A1 and B1 along X, each 1 m long. Move "C1" up by 2 m',
    ),
    (
        "an armature with 3 bones called A1 and B1 along X, each 1 m long",
        "an armature with 2 bones called A1 and B1 along X, each 1 m long",
    ),
    ("add it to the object menu", "add the operator object.shade_smooth to the object menu"),
    (
        'drive the X location of "A" with the Z location of "B", clamped to 1..0',
        'drive the X location of "A" with the Z location of "B", clamped to 0..1',
    ),
    ("halve the energy of every light. Print how many changed.", "halve the energy of every light. It was bright."),
    ("hide all objects and their meshes", "hide all objects"),
    ('hide collection "B" in renders and rename it "C"', 'rename the collection "B" to "C"'),
    ('stl export of "Gear", in millimetres (scale 10), to //gear.stl', 'stl export of "Gear", scale 10, to //gear.stl'),
    ("fbx export of the cube, frames 1-20, to //a.fbx", "alembic export of the cube, frames 1-20, to //a.abc"),
    ('link the material "Oak" from //a/n.blend (appended, not linked)', 'append the material "Oak" from //a/n.blend'),
    ("give every object its own name", "print the name of every object"),
    ("write type and name of all lights to a.csv, columns name, parent", "write type and name of all lights to a.csv"),
    (
        'add an entry "A" to the object menu that calls object.join and object.align',
        'add an entry "A" to the object menu that calls object.join',
    ),
    ("if it exists already, replace its content", 'create a text block named "Todo" with the lines "one", "two"'),
    ("remove the handler on_tick", "remove the handler on_tick from load_post"),
    ("give the selected objects their own locations", "give me the locations of the selected objects"),
    ('add "A" to the selection', 'add the selected objects to the collection "A"'),
    ("add 5 cubes 50 cm wide with 50 cm gaps", "add 5 cubes in a row, 50 cm apart"),
    ('move "A" under "B"', 'move "A" under the collection "B"'),
    # What is left out, which of two is meant, and what a word behind another step belongs to.
    ('delete everything but the top face of "A"', 'delete everything but "A"'),
    ("render frames 1 to 10 and 20 to 30", "render frames 1 to 10"),
    ('damped track from "A" to "B" at half influence', 'damped track on "A" to "B" at half influence'),
    ("remove all cameras but the active one", "delete all meshes but the active one"),
    ('exclude "A" from "Fog"', 'exclude "A" from the light "Fog"'),
    # What is an object, and what is a setting, a part or a picture.
    ('remove the constraints "Track"', 'remove the constraints of "Track"'),
    ('remove the particles "Dust"', 'remove the particles of "Dust"'),
    ('remove the text "X"', 'remove the text object "X"'),
    ('remove the text "Y"', 'remove the text block "Y"'),
    ('set the opacity of "hud" to 0.5', 'set the opacity of the strip "hud" to 0.5'),
    ('everything of "Castle" in the frame', 'frame everything with the camera "Castle"'),
    ('fit "Box" into "Crate"', 'fit "Box" into the view of "Cam"'),
    ("Shadows too: scale 2", "Tower: scale 2"),
    ("Reflections too: roughness 0.2", 'Reflections: roughness of "Lake" = 0.2'),
    ("fast GI: 2 AO bounces", "fast GI, 2 AO bounces"),
    ("Persistent data: 128 samples", "persistent data, 128 samples"),
    ('Local: move "A" by 2 m along X', 'Hang the door: move "A" by 2 m along X'),
    ("AO distance 5 m", "DOF distance 5 m"),
    ('"Eye" looks at Fly (damped track, track axis Y)', 'add a Damped Track constraint to "Eye" with target "Fly"'),
    ('"Lens" (CamRig) track to "Actor"', '"Lens" tracks to "Actor"'),
    (
        'squash "Blob" on impact only on Z: scale 1@18, .5@21, 1@26',
        'squash "Blob" on impact: scale 1@18, .5@21, 1@26',
    ),
    ('"Cab" moves, z 0 at f1 and 5 at f10, relative to "Box"', '"Cab" moves, z 0 at f1 and 5 at f10'),
    ('the wheels of "Car" spin, x rotation 0 at 1, 720° at 50', '"Car" spins, x rotation 0 at 1, 720° at 50'),
    ("animate the second cube, z 0 at frame 1 and 5 at frame 9", "animate the cube, z 0 at frame 1 and 5 at frame 9"),
    ('copy the animation of "Ball": z 0 at frame 1, 5 at frame 9', 'animation of "Ball": z 0 at frame 1, 5 at frame 9'),
    ('the first two keys of "Ball": constant', 'the keys of "Ball": constant'),
    (
        'material "A" and material "B" pulse: roughness 0 at 1, 1 at 30',
        'material "A" pulses: roughness 0 at 1, 1 at 30',
    ),
    ("Carousel does not spin 90 degrees around z from frame 1 to 40", "Carousel spins 90° around z from frame 1 to 40"),
    ('flatten: on "Blob", name Flat, z scaled by 0.1', 'name "Blob" Flat'),
    ('strobe the material: "Led" emission strength 0 at 1, 9 at 5', '"Led" emission strength 0 at 1, 9 at 5'),
    ("Heart beat: scale 1 at frame 1, 1.2 at frame 6", '"Heart": scale 1 at frame 1, 1.2 at frame 6'),
    ('rigid body on "Wall". No rigid body!', 'collision on "Wall". No rigid body!'),
    ('bake the cloth on "Flag" from frame 1 to 50. Don\'t bake anything', 'cloth on "Flag". Don\'t bake anything'),
    ('Turn "Nozzle" into a wireframe: shade smooth', 'Turn "Nozzle" into a fountain: shade smooth'),
    ('500 particles on "Can". Don\'t render "Drop" itself', '500 particles on "Can". Don\'t render "Can" itself'),
    ("Dice fall in lunar gravity: Die1 active rigid body", "Dice fall: Die1 active rigid body"),
    ("Planet attracts everything: force field, strength -20", 'force field on "Planet", strength -20'),
    ("meshes lose the prefix x_", "remove the prefix x_ from the names of all meshes"),
    ('scene "Lookdev", frame 1 to 10', 'add a scene "Lookdev" with frame range 1 to 10'),
    ("Fill_card - invisible to camera and in glossy rays", "Fill_card invisible to camera and glossy rays"),
    ("sphere01.ply for Sphere01", "sphere01.png for Sphere01"),
    ("armatures into Rigs", "move all armatures to the collection Rigs"),
    ('make its name "Hook_A"', 'rename it to "Hook_A"'),
    ('swap "A" with "B"', 'swap the material "A" with "B"'),
    ('select the bottom faces? just the bottom face of "shoe"', 'select the bottom face of "shoe"'),
    ('"wing.R" from "wing.L"? duplicate wing.L, call it wing.R', 'duplicate "wing.L" called "wing.R"'),
    ('flat 5-sided disc with radius 1 called "pentagon"', 'add a circle called "pentagon" with 5 vertices, filled'),
    ('"key 1" and "key 2" belong to "keyring"', 'parent "key 1" and "key 2" to "keyring"'),
    ('extrude the curve "logo" by 2 cm and bevel it 2 mm', 'set the bevel depth of the curve "logo" to 2 mm'),
    ('weaker lattice: .8 strength on "man"', 'set the strength of the lattice modifier of "man" to 0.8'),
    ("convex hull instead of Rubble", 'replace "Rubble" by its convex hull'),
    ("vector handles for Zigzag", 'set the handles of the curve "Zigzag" to vector'),
    ('all handles of curve "Zigzag" to vector, left side only', 'all handles of curve "Zigzag" to vector, both sides'),
    ('turn the curve "Pipe" into a mesh "Pipe_mesh"', 'turn the curve "Pipe" into a new mesh "Pipe_mesh"'),
    ('split "Pebbles" into separate objects', 'split "Pebbles" into its loose parts'),
    ('collection named "Tile": circle of radius 1', 'hexagon named "Tile": circle of radius 1'),
    ('vertex group "temp" on Body should be gone by frame 10', 'vertex group "temp" on Body should be gone'),
    ('move "Vase" up by 1, the vase must not move in the world', 'move "Vase" up by 1, its material must not change'),
    ('apply the scale of "Antlers", original untouched', 'apply the scale of "Antlers", its material untouched'),
    ("extrude the cube's vertical edges straight by 1.5", "extrude the cube's vertical edges straight up by 1.5"),
    ("multires on Head, subdivide twice", "multires on Head, 2 levels"),
    ("smooth the mesh of Terrain, 10 iterations", "smooth the mesh of Terrain, 10 iterations, factor 0.5"),
    ("mist from 30 to 5 m", "mist from 5 to 30 m"),
    ("hide Helper from camera rays but keep its distance", "hide Helper from camera rays but keep its shadow"),
    ("remove all modifiers from Body except one", "remove all modifiers from Body except the mirror modifier"),
    ("add a bevel modifier to the cube, edit the mesh", "bevel the edges of the cube by 0.1, edit the mesh"),
    ("knock out the cube, keep all 8 verts", "knock out the top face of the cube, keep its edges"),
    ("make the cube 2 x 1 x 0.5 m with its scale at 2", "make the cube 2 x 1 x 0.5 m with its scale applied"),
    ('set the size of "Label" to 0.5', 'set the display size of "Label" to 0.5'),
    ("lattice Cage 3x3x4", 'add a lattice called "Cage" with resolution 3 x 3 x 4'),
    # What looks like a material's, and is none: lights, files, layers, names in a row, steps with nothing to do.
    ('assign the material "M" to them', 'assign the material "M" to all meshes'),
    ('make the key light "Key" a warm white', 'set the color of the light "Key" to warm white'),
    ("env: studio.hdr at 1.0 strength", "add the HDRI studio.hdr to the world with strength 1.0"),
    ('build "Gold", a gold material, for Crown', 'create a gold material "Gold" for Crown'),
    ('color ramp from red to blue on "Box"', 'noise, color ramp from red to blue on "Box"'),
    ("base color of the cube, roughness 0.4", "base color of the cube red, roughness 0.4"),
    ('transparent shader mixed with diffuse on "Leaf", 40%', 'transparent shader mixed with diffuse on "Leaf"'),
    ('assign "Gold" to Ring and Crown', 'assign the material "Gold" to Ring and Crown'),
    # What is said of what was asked for is no remark.
    ('Add an area light. It is square and warm white.', 'Add an area light. It is warm white.'),
    ('Add a curve "Path". The curve is closed.', 'Add a curve "Path". Close the curve.'),
    ("The world is dark blue. Its strength is 0.3.", "Make the world dark blue, strength 0.3."),
    # What is said to stay must not have been changed; what is replaced must be what is thrown away.
    ("roughness of the cube 0.4, keep its roughness", "roughness of the cube 0.4, keep its base color"),
    ("make the cube red, keep its base color", "make the cube red, keep its roughness"),
    (
        "Animate the strength so that it is 0 at frame 1 and 5 at frame 20",
        "Animate the x location of the cube from 0 at frame 1 to 5 at frame 20",
    ),
    ('use "New" wherever "Old" is assigned, then delete "Other"', 'use "New" wherever "Old" is assigned'),
    ("pack the image", "pack all images"),
    ("add vertex color to all meshes", "add a triangulate modifier to all meshes"),
    ('drop the geometry nodes from "Rug"', 'remove the image texture nodes from "Rug"'),
    ('white color strip 1-24 channel 3, then cut "party" at 24', 'cut the strip "party" at frame 24'),
    ('stack crates: everything that begins with "Crate"', 'delete everything that begins with "Crate"'),
    ("add an image node to the compositor", "add a blur node of 10 px to the compositor"),
    ("set the vertex group of all objects to Bend", 'set the display type of all objects to wire'),
    ("actions keep: fake users", "give all actions a fake user"),
    ("cams.txt: camera names and focal lengths", "write the names and focal lengths of all cameras to cams.txt"),
    ("uv unwrap the lot", "smart uv project all meshes"),
    ("for a phone: 1080 wide, 1920 high", "orthographic scale 12"),
    ("fixed seed", "seed 42"),
    (
        'set the rotation mode of "Fan" to quaternion and rotate it 90 degrees around Z',
        'set the rotation mode of "Fan" to XYZ Euler and rotate it 90 degrees around Z'),
    ('put logo.png on "Label": color into Base Color', 'put logo.png on "Label", its color into Base Color'),
    # Whole or not at all: a clause that is not understood refuses the request.
    ("Add a cube and water the flowers", "Add a cube and delete the light"),
    ('text strip "A" on channel 1, frames 1 to 50, for 20 frames', 'text strip "A" on channel 1, frames 1 to 50'),
    ("subdivide mesh node level 3 on the cube, then a cube node", "subdivide mesh node level 3 on the cube"),
    ("compositor: blur 10 px with the wombat pass", "compositor: blur 10 px"),
    ("compositor: a viewer node with the wombat pass", "compositor: a viewer node with the mist pass"),
    ("alpha over the render onto #F2E8CF in the compositor",
     "alpha over the render onto plain #F2E8CF in the compositor"),
    ('geometry nodes on "Track": curve to mesh with a circle profile of radius 0.08, 12 instances',
     'geometry nodes on "Track": curve to mesh with a circle profile of radius 0.08, 12 points'),
    ("in geo nodes on the cube delete all faces whose normal points up (normal z < 0.9)",
     "in geo nodes on the cube delete all faces whose normal points up (normal z > 0.9)"),
    ("geo nodes on the cube: mesh to points on edges whose normal z is over 0.9",
     "geo nodes on the cube: mesh to points where z is over 0.9"),
    ("keyframe the Amount input of the wombat geometry nodes modifier on Vine: 0 at frame 1, 1 at frame 80",
     "keyframe the Amount input of the Grow geometry nodes modifier on Vine: 0 at frame 1, 1 at frame 80"),
    ("wrap the strips Dog and Cat into a wombat", "wrap the strips Dog and Cat into a meta strip"),
    ('strip "Logo": 40 % of its soul', 'strip "Logo": 40 % of its size'),
    ('strip "Logo": moved 500 px sideways', 'strip "Logo": moved 500 px left'),
    ("mute everything on channel 4 of the sequencer by muting the strips",
     "mute everything on channel 4 of the sequencer by muting the channel"),
    ('new grease pencil object "Sketch" with three layers, Lines on top and Fill below',
     'new grease pencil object "Sketch" with two layers, Lines on top and Fill below'),
    ("compositor: glare (bloom or fog glow), then blur 10 px", "compositor: glare (fog glow), then blur 10 px"),
    ("file output node in the compositor as PNG, 32 bit", "file output node in the compositor as PNG, 16 bit"),
    ("image strip of a_01.png to b_10.png on channel 2", "image strip of a_01.png to a_10.png on channel 2"),
    ('hook both ends of "Rope" to a new empty "E"', 'hook the last point of "Rope" to a new empty "E"'),
    ("Add a cube except on Sunday", "Add a cube"),
    ("bool property Scene.done, min 1", "bool property Scene.done, default on"),
    ("a handler that prints the frame", "a frame change handler that prints the frame"),
    ('give every mesh a custom property "id"', 'give every mesh a custom property "id" counting up from 1'),
    ("spaces to underscores", "spaces to underscores in the names of all objects"),
    ("3 x 4 x 5 spheres", "3 x 4 x 5 spheres, spacing 1"),
    ("Don't add a cube", "Add a cube"),
    ("Füge einen Würfel hinzu", "Add a cube called Würfel"),
    ("Add a cube; import os", "Add a cube; shade it smooth"),
    ("Add a bevel modifier with roughness 0.2", "Add a bevel modifier with width 0.2"),
    ("Add a bevel modifier with width", "Add a bevel modifier with width 0.1"),
    ("Add a bevel modifier with width 0,5", "Add a bevel modifier with width 0.5"),
    ("Add a torus with a radius of 2", "Add a torus with a major radius of 2"),
    ("Add a cube called Big Ring", 'Add a cube called "Big Ring"'),
    ("Add a red blue cube", "Add a dark red cube"),
    ("no denoising and motion blur", "no denoising, motion blur"),
    ("camera: 85mm, f/1.8, strength 3", "camera: 85mm, f/1.8, 7 blades"),
    ("hide the cube from the sun", "exclude the cube from rendering"),
    # A new thing, or the one that is there?
    ("cube at (1, 2, 3)", "a cube at (1, 2, 3)"),
    ("move it to the ball", "move it to the origin"),
    # A modifier, or something else?
    ("add a screw", "add a screw modifier"),
    ("add a wave", "add a wave modifier"),
    # A heading that names nothing; what is meant by a word that stands alone.
    ('LOD: all meshes custom property "lod" = 2', 'all meshes: custom property "lod" = 2'),
    ("cubes: 5x4 grid, spacing 2", "5x4 grid of cubes, spacing 2"),
    ("mute glare", "mute the glare node in the compositor"),
    ("add mirror modifiers with clipping on", "mirror modifiers: clipping on"),
    # Smooth as faces are, not as motion or a material is; a heading that names the object.
    ('Rename "A" to "B" and turn it smooth', 'Rename "A" to "B" and shade it smooth'),
    ("Wires back to a curve", "convert Wires to a curve"),
    ("Petal around an empty: array of 12, object offset Spinner", "Petal: array of 12 with object offset Spinner"),
    ("an eighth of Ball9 is there; mirror over x", "an eighth of Ball9 is there; mirror Ball9 over x by a modifier"),
    # What is wrong with something, or what it is, asks for nothing; how it is to be may ask for something.
    ('"A" is a copy of "B". Hide it.', '"A" is half a copy of a boat. Hide it in renders.'),
    ('The faces of "A" are green inside. Hide it in renders.', 'The faces of "A" are a mess. Hide it in renders.'),
    ('"A" is 3 m too short. Hide it in renders.', '"A" is too short. Hide it in renders.'),
    ('push "Box1" back by 5 cm (x direction)', 'push "Box1" back by 5 cm (y direction)'),
    # What is said in passing must hold.
    ('move "Bottle" 2 m up, the bottle itself must not move', 'origin of "B" to its bottom, B itself must not move'),
    ("bevel modifier on the cube, 3 mm, not a modifier", "bevel all edges of the cube by 3 mm, not a modifier"),
    ('move "Window" up by 1 m, Window stays as is', 'move "Door" up by 1 m, Window stays as is'),
    ("move Ball 2 m along x. X stays unchanged.", "move Ball 2 m along x. Y and Z stay unchanged."),
    ("make the cube metallic without changing its material", "make the cube metallic without changing its location"),
    ('delete the other lights and "Sun" stays as it is', 'delete "Sun" and the other lights stay as they are'),
    ('lock "A". Everything that is near stays put.', 'delete "A". Everything that is not near stays put.'),
    ("Rotate Ball by 30 degrees around Z while its rotation stays the same",
     "Rotate Ball by 30 degrees around Z while its location stays the same"),
    ("remove the modifier from Door", "remove any modifier from Door"),
    ("add a spot light called Bulb, not a spot", "add a point light called Bulb, not a spot"),
    ("damped track on Camera to Cube, not a damped track", "track to on Camera, target Cube (not a damped track)"),
    ('Append (not append) the collection "Props" from a.blend', 'Link - not append - the collection "P" from a.blend'),
    ("hide the cube in the viewport, not in the viewport", "hide the cube in renders, not in the viewport"),
    ("add a light, not visible in renders", "add a light, not a spot"),
    ('move "Sword" up by 1 m without the sword moving', 'parent "Sword" to the bone hand.R of Rig without it jumping'),
    ("set the frame rate to 25, keep the fps", "set the frame range to 1-96, keep the fps"),
    ("add 3 more cubes", "add one more cube"),
    ("set the roughness of Red to 0.1", "set the roughness of Oak to 0.1"),
    ("hide the subsurf in the viewport", "hide the subsurf of Cube in the viewport"),
    ("set the normal map strength in Brick to 0.5", 'set the normal map strength in "Brick" to 0.5'),
    ("make Ball bounce", "make the keys of Ball bounce"),
    ('grease pencil object with one layer "Ink"', 'grease pencil object "One" with a layer "Ink"'),
    ("export all meshes as stl", "export each mesh as its own stl"),
    ("shrink Blob by 2", "shrink Blob by 20%"),
    ("drop Cube at (0, 0, 2)", "drop a cube at (0, 0, 2)"),
    ("turn Chair around by 90 degrees", "turn Chair around by 180 degrees"),
    ("delete the uv map of Cube", "delete all uv maps of Cube"),
    ('UV map "Light" on "Crate", UVMap stays hidden', 'UV map "Light" on "Crate", UVMap stays active'),
    ("add a cube and do not render", "add a cube that is not rendered"),
    ("keep the left half", "render only the left half of the frame"),
    ("eevee raytracing, 50 % resolution", "eevee raytracing, half resolution"),
    ("a six-bladed fan on the camera", "a six-bladed aperture on the camera"),
    ("camera to 85 mm focal length on a 24 mm wide floor", "camera to 85 mm focal length, 24 mm wide sensor"),
    ("delete all lights and their children", "delete Lamp and its children"),
    ("render the animation as mp4", "render the animation to a.mp4"),
    ('convert "Cable" to a mesh, leave it a curve', 'convert "Cable" to a mesh (keep the name)'),
    ('make "Column" 4 m tall and 1 m wide, width unchanged', 'make "Column" 4 m tall, width unchanged'),
    ('bevel modifier on "C"; apply it; keep the modifier live', 'bevel modifier on "C", keep the modifier live'),
    ("planar array on the cube, 5 degrees", "planar decimate on the cube, 5 degrees"),
    ("cast the cube to a cylinder, not in w", "cast the cube to a cylinder, factor 1, not in z"),
    ('bend "Text3" along "Arc" (bevel mod)', 'bend "Text3" along "Arc" (curve mod)'),
    ("cube Crate at (1, 2, 3)", "a cube Crate at (1, 2, 3)"),
    (
        "replace dots in object names by underscores (a.1 -> a-1)",
        "replace dots in object names by underscores (a.1 -> a_1)",
    ),
    (
        "replace dots in object names by underscores, leave the object names alone",
        "replace dots in object names by underscores, leave the mesh names alone",
    ),
    ("add a bevel modifier to all meshes, skip lunch", "add a bevel modifier to all meshes, skip the cube"),
    ('sidebar panel "A" in the properties editor', 'sidebar panel "A" in the viewport'),
    ('sidebar panel "A" that draws these properties', 'sidebar panel "A" that draws the scene property my_size'),
    ("add a cube. Register the panel.", 'sidebar panel "A". Register the panel.'),
    ("add a cube. it should be what comes out of the compositor", "compositor: blur of 10 px. it is what comes out"),
    ("sequencer: add still.png as movie strip on channel 3", "sequencer: add still.png as image strip on channel 3"),
    ("keyframe the cube on every frame", "On every frame change, print the current frame"),
    # Said and unsaid.
    ("add a subsurf modifier to the cube, no subsurf modifier", "bevel modifier on the cube, no subsurf modifier"),
    ("give the light a red material", "give the cube a red material"),
    ("Add three cubes", "Add three cubes in a row, 2 m apart along X"),
    ("Add a cube and a cube and make the cube red", 'Add a cube called A and a cube called B and make "A" red'),
    ("a spiral staircase with 2 steps", "a spiral staircase with 3 steps"),
    ("a spiral staircase with a red carpet", "a spiral staircase around a central pole"),
    ("rename the cube", "rename the cube to Box"),
    ("the cache runs from frame 1 to 40", 'cloth on "Flag", the cache runs from frame 1 to 40'),
    ('fur for "Teddy"', 'fur for "Teddy": 500 strands'),
    ("gravity 3 kg", "gravity 3 m/s2"),
    # Which part of the mesh, and how much of what is done?
    ("extrude the cube by 1", "extrude the top face of the cube by 1"),
    ("inset the top face of the cube", "inset the top face of the cube by 0.2"),
    ("symmetrize the top face of the cube along X", "symmetrize the cube along X"),
    ("bevel the wobbly edges of the cube by 0.1", "bevel the vertical edges of the cube by 0.1"),
    ("make the cube 3 m tall but keep its mood", "make the cube 3 m tall but keep its base where it is"),
    ("Suzanne: shade smooth and dance", "Suzanne: shade smooth"),
    # Of which, or of what? No guess.
    ("write the object names to objects.csv", "write the names of all objects to objects.csv"),
    ("Subsurf, Sheet_A, Sheet_B: viewport 1", "Subsurf, Sheet_A: viewport 1"),
    ("array of 5 on the cube with a gap", "array of 5 on the cube along Y with a gap of 0.2"),
    ("bevel modifier on the cube, bend", "simple deform on the cube: bend, 45 degrees"),
    ("duplicate the cube, 3 m", "duplicate the cube, 3 m up"),
    ("swap the cube for two spheres", "swap the cube for a sphere"),
    ("lock the color of the cube", "lock location z and the rotation of the cube"),
    ("fit a lattice around the cube", "fit a lattice around the cube with 3 x 3 x 3 points"),
    ("select the best faces of the cube", "select the top faces of the cube"),
    # Groups, and what is done with each of them.
    ("select all meshes that are nicer than the cube", "select all meshes except the cube"),
    ("for each mesh: add a cube above it", "for each mesh: set show_wire to true"),
    ("delete all collections", "delete all empty collections"),
    ("print the mood of all objects", "print the type of all objects"),
    ("import chair.glb, scale 0.01", "import chair.stl, scale 0.01"),
    ('make a full copy of this scene called "B"', 'make a linked copy of this scene called "B"'),
    ('prop "dims" on the cube, three floats: 1.5 / 2', 'prop "dims" on the cube, two floats: 1.5 / 2'),
    ("save the cube", "save the file"),
    ('set the opacity of strip "A" from 1 to 0', 'set the opacity of strip "A" to 0'),
    ('add an attribute "wear" to the cube', 'add a float attribute "wear" to the cube, face domain'),
    ('int attribute "wear" on the faces of Cube, value 0.5', 'float attribute "wear" on the faces of Cube, values 0.5'),
    ("mute channel 3", "mute channel 3 in the video sequencer"),
    ("mute channel 200 in the sequencer", "mute channel 100 in the sequencer"),
    ('key the geometry nodes input "A" on "B" from 0 at frame 9 to 1 at frame 2',
     'key the geometry nodes input "A" on "B" from 0 at frame 2 to 1 at frame 9'),
    ('build modifier on grease pencil object "Doodle", 60 frames long', 'build modifier on the grease pencil "Doodle"'),
    ('set the node tree to "Scatter"', 'set the compositing node tree to "Scatter"'),
    ("scatter 30 cubes, seed 2", "scatter 30 cubes in a 4 x 4 m square, seed 2"),
    # A heading may say of what: what stands after it is no remark's.
    ("wet look on the patio: roughness 0.05", "Patio: roughness 0.05"),
    ("Fog: density 0.05 on the cube", "Fog: principled volume, density 0.05, on the cube"),
    ("bevel on the cube with radius 0.1", "bevel shader node on the cube with radius 0.1"),
    ("noise into the roughness of the cube, scale 8 apples", "noise, scale 8, into the roughness of the cube"),
    # Frames, axes and roles that are missing, or said twice.
    ("animate the cube's z from 0 to 5", "animate the cube's z from 0 to 5 over frames 1 to 50"),
    ("animate the cube's z: 0 at frame 20, 5 at frame 10", "animate the cube's z: 0 at frame 10, 5 at frame 20"),
    ("key the cube's z: 0,5 on frames 1 and 9", "key the cube's location: 0,5,0 on frame 1"),
    ("let \"Wheel\"'s animation repeat 3 times", "let \"Wheel\"'s animation repeat forever"),
    ('pull the action "Sway" up out of the NLA', 'the cube has an action "Sway", push it down into the NLA'),
    ("speed up the animation of the cube by 20 %", "speed up the animation of the cube by 2"),
    ('copy scale constraint of "A" from "B", inverted', 'copy rotation constraint of "A" from "B", inverted'),
    ("drive the cube's location with the frame number", "drive the cube's x location with the frame number"),
    ('armature "T": 3 bones of 1 m, names a_1 … a_4', 'armature "T": 3 bones of 1 m, names a_1 … a_3'),
    ("add an armature modifier to Body with Rig", "add an armature modifier to Body"),
    ('slider between "A" and "B", limits 0 to 9 degrees', 'slider between "A" and "B", limits 0 to 9 cm'),
    ('make "Tank" a domain', 'make "Tank" a smoke domain'),
    ("brick texture as base color of the cube, scale 8 apples", "brick texture, scale 8, as base color of the cube"),
    ('set the handles of "X" to vector', 'set the handles of the curve "X" to vector'),
    # Which light, which look, what is only a heading.
    ('keyframe the size of the light "L": 1 at 1, 5 at 9', 'keyframe the size of the spot light "L": 1 at 1, 5 at 9'),
    ('stepped keys on "Puppet", stop-motion look (constant)', 'stepped keys on "Puppet"'),
    ('Sword: Copy Transforms, bone "Hand.R" in "Rig"', 'bone "Hand.R" in "Rig" has a Copy Transforms constraint'),
    ("Ease the Track To on Cam in: influence 0 at 40, 1 at 60", "influence of Track To constraint of Cam: 0 at 4"),
    ("render on fours (frame step 4)", "frame step 4"),
    ('move "Globe" to 360° around Z', 'move "Globe" to (0, 0, 3)'),
    ('"Bus" has to turn with the curve', 'turn "Bus" into a curve'),
    ('height keys for "Piston": 1 at frame 1, 2 at frame 9', 'Z location of "Piston": 1 at frame 1, 2 at frame 9'),
    # As many files as frames; what the others of some faces get; what is a size.
    ("render frames 3, 4 and 5 as a.png and b.png", "render frames 3 and 5 as a.png and b.png"),
    ('give face 1 of Box material "A", the rest dances', 'give face 1 of Box material "A", the rest keeps "B"'),
    ("panoramic camera, whole 360 x 180", "panoramic camera, 360 x 180 px"),
    # What a word says is done, or contradicts what is done.
    ("array of 5 wombats on the cube, 3 m apart along X", "array of 5 cubes on the cube, 3 m apart along X"),
    ('move the cube into "B", only there, but keep it in its old one', 'move the cube into "B", only there'),
    ("export the cube as an obj file to a.stl", "export the cube as an obj file to a.obj"),
    ("fbx export of the cube to a.glb", "glb export of the cube to a.glb"),
    ("export the cube as a binary file to a.obj", "export the cube as a binary file to a.stl"),
    ("the hdri sky.exr in the world with the sun 30 degrees above the horizon", "use the hdri sky.exr in the world"),
    ("cones over a bumpy terrain with geometry nodes", 'turn "Ground" into hills via geometry nodes: set position'),
    ('geometry nodes on "A": scattering points, as instances', 'geometry nodes on "A": scattering points'),
    ('scatter copies of "B" with geometry nodes on every vertex of "A", random seed 3',
     'scatter copies of "B" with geometry nodes on every vertex of "A"'),
    ('text strip "A" on channel 2, frames 1 to 50, above everything',
     'text strip "A" in the sequencer, frames 1 to 50, above everything'),
    ('strip "A" on top of everything', 'strip "A" on channel 3'),
    ('strip "A": as fade in: opacity from 1 to 0', 'strip "A": as fade in: opacity from 0 to 1'),
    ('text strip "A" in the sequencer, frames 1 to 50, as fade out',
     'text strip "A" in the sequencer, frames 1 to 50, as fade out: opacity from 1 to 0'),
    ('fade strip "A" in and out over the first 10 frames', 'fade strip "A" in and out over 10 frames'),
    ('text strip "B" right after strip "A", starting at frame 20, for 9 frames',
     'text strip "B" right after strip "A", for 9 frames'),
    ('bones of "Rig": show names', 'bones of "Rig": print names'),
    # What is said of a surface is not lost, nor taken for something else.
    ('bump only for the displacement of "Cobble"', 'noise into the displacement of "Cobble", bump only'),
    ('rename color attribute Col of Fish to P ("Col" to "P")', 'rename color attribute "Col" of "Fish" to "Paint"'),
    ('the screw called "Screw" is iron', 'the screw "Screw" is iron'),
    ('stripes on Zebra', 'wave texture on Zebra'),
    ('image "Dirt", 64 x 64, black, with alpha', 'new image "Dirt", 64 x 64, black, with alpha'),
    ('color space of the image "rough.png" to Wombat', 'color space of the image "rough.png" to Linear Rec.709'),
    ('new material "Lamp" on the cube (do not assign it to anything)', 'new material "Lamp" on the cube'),
    ("mix a metal with a rough brown on the cube", "mix a diffuse with a glossy shader on the cube"),
    ("noise texture scale 5 into the normal of the world", "noise texture scale 5 into the color of the world"),
    ('the material "Skin" needs subsurface 0.3. Scale it to 0.05.', 'the cube needs subsurface 0.3. Scale it to 0.05.'),
    ('give the cube 3 materials: "Inside" and "Outside"', 'give the cube 2 materials: "Inside" and "Outside"'),
    ("give the top face of the cube (the -Z one) the material Red",
     "give the top face of the cube (the +Z one) the material Red"),
    ("assign faces 0 and 2 of Crate to slot 0", "assign faces 0 and 2 of Crate to slot 1"),
    ('replace material "A1" with "B1" on every object but the cube', 'replace material "A1" with "B1" on every object'),
    ("40% opaque, alpha 0.6 on Box", "40% opaque, alpha 0.4 on Box"),
    ("40% wobbly material on the cube", "40% metallic material on the cube"),
    ("glowing sign on the cube: roughness 0.4", "neon sign on the cube: roughness 0.4"),
    ("two hulls on the cube: roughness 0.4", "scorched hull on the cube: roughness 0.4"),
    ("mix color node before the base color on Sofa, C red", "mix color node before the base color on Sofa, B red"),
    ("tint: on Leaf use a noise texture for the roughness", "on Leaf use a noise texture for the roughness"),
    ("gradient for the world: ramp white at the bottom to blue at the top, from the generated w coordinate",
     "gradient for the world: ramp white at the bottom to blue at the top, from the generated z coordinate"),
    ("noise via map range from 0 to 1 into the alpha of Leaf", "noise via map range 0-1 to 2-3 into the alpha of Leaf"),
    ("remove the noise from the cube", "remove the noise texture from the cube"),
    ("make slot 0 of the cube the active one", "make slot 1 of the cube the active one"),
    ("add a diffuse shader to the cube and set the base color to red", "add a diffuse shader to the cube, color red"),
    ("add a stone material to the cube", "add a leather material to the cube"),
    ("slot 0 of the cube: roughness 0.3", "slot 2 of the cube: roughness 0.3"),
    ('put the material "Roof" into slot 0 of "House"', 'put the material "Roof" into slot 1 of "House"'),
    ("object coordinates for the cube", "object coordinates for the texture of the cube"),
    ('rotate the texture of "Parquet" by 90 apples', 'rotate the texture of "Parquet" by 90 degrees'),
    ("scale the texture of the cube to 3", "scale the texture mapping of the cube to 3"),
    ('offset the texture of "Belt" by 0.5', 'offset the texture of "Belt" by 0.5 in x'),
    ('copy material "A1" to "B1"', 'copy material "A1" as "B1"'),
    ("mix the emission with the principled, factor 0.2, on Orb", "mix a diffuse with a glossy, factor 0.2, on Orb"),
    ("vertex colors: new layer Paint on Terrain", 'add a color attribute "Paint" to "Terrain"'),
    # What is something else for each kind of light; settings of another format or engine.
    ("set the size of the light to 2", "set the size of the area light to 2"),
    ("set the PNG compression to none", "set the PNG compression to 90 %"),
    ("use workbench; set the samples to 16", "use cycles; set the samples to 16"),
    ("turn off EEVEE shadows", "turn off the shadow of the light"),
    ("high quality denoising", "high quality video"),
    ("film exposure doubled: 2", "film exposure: 2"),
    ("render size 200% for the poster", "render size 200%"),
    ("Sun turned by 90 degrees about z", 'rotate "Sun" by 90 degrees around z'),
    # A light that becomes another keeps its name; a cube has no such shape.
    ('turn "Light" into a sun called Moon', 'turn "Light" into a sun'),
    ("add a rectangular cube", "add a rectangular area light"),
    ('turn "Light" into a sun at (1, 2, 3), stays where it is', 'turn "Light" into a sun, stays where it is'),
    ("picture 1200 x 1600 px (landscape)", "picture 1200 x 1600 px (portrait)"),
    (
        "add a camera looking down with +X at the top of the picture",
        "add a camera looking down with +Y at the top of the picture",
    ),
    ("add a camera with clipping from 30 to 0.5 m", "add a camera with clipping from 0.5 to 30 m"),
    # Of the viewport only what it has; as many formats as pictures.
    ("viewport: 7 glossy bounces", "viewport: 7 samples"),
    ("render a.png through Cam_A and b.jpg through Cam_B", "render a.png through Cam_A and b.png through Cam_B"),
    ('new view layers "A" and "B" with only the collection "C"', 'new view layer "A" with only the collection "C"'),
    # Of the render, of a light, of the world, or of a material?
    ("test.png please: Cycles, 8 samples", "Cycles, 8 samples"),
    ("workbench render, opacity 0.4", "the material of the cube, opacity 0.4"),
    ('everything of "Castle" must be in the frame', 'fit "Castle" into the camera\'s view'),
    ('focus "Cam2" at 2.4 m', 'focus distance of "Cam2" 2.4 m'),
    (
        'parent the camera to a "Pivot" at the origin',
        'parent the camera to an empty "Pivot" at the origin',
    ),
    (
        'Create an armature "Leg" with a bone "Shin" from there to (0,0,0)',
        'Create an armature "Leg" with a bone "Shin" from (0,0,1) to (0,0,0)',
    ),
    (
        'The strip should repeat twice.',
        'Push the action of "Door" down to an NLA track. The strip should repeat twice.',
    ),
    (
        'Add a shape key "Smile" to "Face" and delete the top face.',
        'Add a shape key "Smile" to "Face" and move the top face up by 1.',
    ),
    (
        'set the camera to equirectangular panorama with a field of view of 180°',
        'set the camera to equirectangular panorama',
    ),
    (
        'Drive the Z rotation of "Wheel" from the X location of "Car" with the expression x / y',
        'Drive the Z rotation of "Wheel" from the X location of "Car" with the expression x / 2',
    ),
    (
        'Add a sun light with strength 3, coming from the left',
        'Add a sun light with strength 3, at 40° elevation, coming from the left',
    ),
    (
        'Add a cube at (0, 0, 1), all aimed at the origin',
        'Add a light "A" at (0, 0, 1), a light "B" at (1, 0, 1), all aimed at the origin',
    ),
    (
        'The two should not collide.',
        'Add a hinge rigid body constraint between "A" and "B". The two should not collide.',
    ),
    (
        'exclude "Actors" from "Background"',
        'exclude "Actors" from the view layer "Background"',
    ),
    (
        'In it the collection "Set" should be a holdout.',
        'Add a view layer "A". In it the collection "Set" should be a holdout.',
    ),
    (
        'Add a layer "Fill" underneath to the grease pencil object "Sketch"',
        'Create a grease pencil object "Sketch" with a layer "A". Add a layer "Fill" underneath.',
    ),
    (
        'Let the energy of "Lamp" follow the height of "Ball".',
        'Let the energy of "Lamp" follow the Z location of "Ball".',
    ),
    (
        '"Tap" is a liquid inflow with an initial velocity of 1 m/s sideways.',
        '"Tap" is a liquid inflow with an initial velocity of 1 m/s upwards.',
    ),
    (
        'Rename what was imported so that it starts with "chair_".',
        'Import //chair.obj. Rename what was imported so that it starts with "chair_".',
    ),
    (
        'Switch back to "Front".',
        'Create a view layer "Front". Switch back to "Front".',
    ),
    (
        'Set a custom property "done" to true.',
        'Select all meshes and set a custom property "done" to true.',
    ),
    (
        'In the new scene set the resolution percentage to 50.',
        'Duplicate the scene as "Low". In the new scene set the resolution percentage to 50.',
    ),
    (
        'Print how many objects were changed.',
        'Hide all empties and print how many objects were changed.',
    ),
    (
        'Create a new scene "Shots". Set the resolution to 1920 by 1080.',
        'Create a new scene "Shots". In the new scene set the resolution to 1920 by 1080.',
    ),
    (
        'Save the file. After saving, remove all unused materials.',
        'After saving, remove all unused materials.',
    ),
    (
        'Delete all empties. Print how many data blocks were removed.',
        'Delete all unused materials. Print how many data blocks were removed.',
    ),
    (
        'Assign the action "Walk" to the armature "Rig" and rename it to "Rig_Walk".',
        'Assign the action "Walk" to the armature "Rig" and rename the action "Walk" to "Rig_Walk".',
    ),
    (
        'Save frame 25 as a JPEG.',
        'Save frame 25 as a JPEG to a.jpg.',
    ),
]  # fmt: skip
"""A request that is refused, and a near twin that is answered."""

OUT_OF_RANGE: list[tuple[str, str, str]] = [
    ("Add a subdivision surface modifier (levels=50)", "50", "Add a subdivision surface modifier (levels=11)"),
    ("Add a subsurf modifier with 2.5 levels", "2.5", "Add a subsurf modifier with 2 levels"),
    ("Add a bevel modifier with 0 segments", "0", "Add a bevel modifier with 1 segment"),
    ("Add a decimate modifier with ratio 1.5", "1.5", "Add a decimate modifier with ratio 50%"),
    ("set the roughness of the cube to 3", "3", "set the roughness of the cube to 0.3"),
    ("Add a bevel modifier with angle limit 181 degrees", "181", "Add a bevel modifier with angle limit 180 degrees"),
    ("Add a cube of size 0", "size 0", "Add a cube of size 0.01"),
]
"""A request, the value that is refused, and a near twin that is answered."""


COMPOSER = Composer()


def draft(request: str, manifest: Manifest) -> Draft:
    return COMPOSER.draft(request, manifest)


@pytest.mark.parametrize(("request_", "lines"), READ)
def test_reads(request_: str, lines: list[str], manifest: Manifest) -> None:
    snippet = draft(request_, manifest).snippet
    assert [line for line in lines if line not in snippet] == []


@pytest.mark.parametrize(
    ("request_", "said", "unsaid"),
    [
        # A camera may come back; each cut has a marker of its own.
        (
            "camera switch by timeline markers: Cam_A from frame 1, Cam_B from frame 60, back to Cam_A at 100",
            'timeline_markers["Cam_A 100"].frame = 100',
            'timeline_markers["Cam_A"].frame = 100',
        ),
        ("camera markers: Cam_A from frame 1, Cam_B from frame 60", 'timeline_markers["Cam_B"].frame = 60', "Cam_A 1"),
        # The data too, and not a name of two pieces.
        ('rename "Camera" to MainCam, its data too', 'camera.name = "MainCam"\n', '"MainCam" +'),
        ('rename "Camera" to "Cam_" and its data name', '"Cam_" + ', 'data.name = "Cam_"'),
        # "in" says where, and not which way.
        ('set strip "Overlay" in the VSE to blend mode screen, 60% opacity', '.blend_type = "SCREEN"', ".direction"),
        ('set the direction of the strip "Wipe" to in', '.direction = "IN"', ".blend_type"),
        # Turning is no speed along a line, and what was turned on tells which motor is meant.
        (
            'motor constraint on empty "Axle" between Wheel and Chassis, angular motor on, target velocity 12 rad/s',
            "motor_ang_target_velocity = 12.0",
            "motor_lin",
        ),
        (
            'motor constraint on empty "Axle" between Wheel and Chassis, linear motor on, target velocity 12 m/s',
            "motor_lin_target_velocity = 12.0",
            "motor_ang",
        ),
        # "It" is the data that was renamed.
        ('rename the cube\'s material to "Paint" and give it a fake user', "material.use_fake_user", "cube.use_fake"),
        ('rename the cube to "Box" and give it a fake user', "cube.use_fake_user", "material"),
        # The words before the colon say where the nodes are.
        ("black & white in the comp: hue/saturation/value node with saturation 0", "CompositorNodeHueSat", "material"),
    ],
)
def test_writes_what_was_said_and_not_what_was_not(request_: str, said: str, unsaid: str, manifest: Manifest) -> None:
    snippet = draft(request_, manifest).snippet
    assert said in snippet
    assert unsaid not in snippet.partition("def main")[2]


@pytest.mark.parametrize(("request_", "twin"), TWINS)
def test_refuses_the_whole_request_where_a_part_is_not_understood(request_: str, twin: str, manifest: Manifest) -> None:
    with pytest.raises(NotUnderstood) as refusal:
        draft(request_, manifest)
    assert refusal.value.reason
    assert draft(twin, manifest).snippet


@pytest.mark.parametrize(("request_", "twin"), REFUSED)
def test_refuses_what_is_not_clear_about_parts(request_: str, twin: str, manifest: Manifest) -> None:
    with pytest.raises(NotUnderstood):
        draft(request_, manifest)
    assert draft(twin, manifest).snippet


@pytest.mark.parametrize(("request_", "value", "twin"), OUT_OF_RANGE)
def test_refuses_values_that_blender_does_not_take(request_: str, value: str, twin: str, manifest: Manifest) -> None:
    with pytest.raises(ValueOutOfRange) as refusal:
        draft(request_, manifest)
    assert refusal.value.words == [value]
    assert draft(twin, manifest).snippet


def test_what_settings_have_no_effect_without_is_there(manifest: Manifest) -> None:
    """A row that this Blender has not is of another one; a row that it has half is a mistake."""
    wrong: list[str] = []
    for setting, needed in read_needs().items():
        owner, _, name = setting.partition(".")
        known = {prop for rna in manifest.lineage(owner) for prop in rna.properties}
        wrong += [f"{owner}.{each}" for each in needed if each not in known] + ([] if name in known else [setting])
    assert wrong == []


def test_the_refusal_names_the_words_and_what_is_near(manifest: Manifest) -> None:
    with pytest.raises(NotUnderstood) as refusal:
        draft("Add a zebra and a cube", manifest)
    assert refusal.value.words == ["zebra"]
    with pytest.raises(NotUnderstood) as refusal:
        draft("Grumpf the cube, finally frobnicate it at the moment", manifest)
    assert refusal.value.words == ["Grumpf", "frobnicate"]
    with pytest.raises(NotUnderstood, match="cylinder"):
        draft("Add a zylinder", manifest)


@pytest.mark.parametrize("word", ["not", "no", "without", "except", "don't", "instead", "remove", "never", "blah"])
def test_a_word_that_turns_the_meaning_is_refused_wherever_it_stands(word: str, manifest: Manifest) -> None:
    words = SENTENCE.split()
    for at in range(len(words) + 1):
        with pytest.raises(NotUnderstood):
            draft(" ".join([*words[:at], word, *words[at:]]), manifest)


MEANING = {
    "no", "not", "without", "never", "none", "only", "except", "all", "each", "every", "both", "any", "but", "x", "y",
    "z", "once", "twice", "half", "double", "one", "two", "three", "four", "five", "nothing", "else", "other", "first",
    "second", "third", "unless", "same", "up", "down",
}  # fmt: skip
"""Words that may change what a request asks for, so that they must not stand where they may be left out unread."""

HARMLESS = {
    "in total|in all|altogether|in the end",
    "first|before|for that|before exporting|before the export|while exporting|for the export",
    "with (its|the|all its) objects|and (its|the|all its) objects|and everything in it",
    "that of|the one of|the range of|the frame range of|the frames of",
    "same|linked|shared",
    "it|the copy|the new one|the new scene",
    "active|open|active one|one that is open",
    "active|open|active one",
    "this way|that way|in total|in all|altogether|in the end",
    "in total|in all|altogether",
    "for each of|for|that run|that runs|to run|running|that call|that calls|calling|:",
    "two|three|four|five|the|a",
    "layer|one",
    "new|second|third|further",  # a layer that is named
    "both|all|each", "as it is|as they are|unchanged|as is|alone|untouched|the same|how it is|in place",
    "all|they|each",
    "(at|in) (that|this|the same|its) (spot|point|place|position|location)",
    "at (that|this|the same|its) (spot|point|place|position|location)",
    "(half and half|50/50|equally)", "one|material|as they are|as it is|unchanged|untouched",
    "as they are|unchanged|on first slot|on their slot|as it is|as is",
    "(no smoothing)", "and|but", "at z = 0", "but", "by|with|at|up to|below|under",
    "with (an|one|a|a single) (n gon|ngon|face|n-gon)",
    "all points of", "by|to|at|down to", "half|part|side", "second|another", "straight|right|all the way",
    "any more|anymore|afterwards", "any more|anymore|any longer", "without (a|any) gap|with no gap|seamlessly",
    "z = 0", "first", "all", "all|every|any|each", "all|every|each", "any",
    "(its|their|an|a|each to its|each as its)", "a|the|two|three", "along z",
    "in (x and y|both|both directions)", "number|sphere|object|cube|each|the", "a|an|one",
    "them|their bounding boxes|each|the objects|neighbours|bounding boxes", "pop up|popup", "pop up|popup|dialog",
    "on top of each other|one on top of the other|vertically",
    "all|every|the", "to|into|in|all", "all|every|each|the", "with|containing|that has|with one row|:",
    "of (each|it|them|the object)", "one|collection", "it|each|them|each of them", "file|everything|scene|all|it",
    "same|one", "again|twice|a second time|more than once",
    "at|until|up to|on", "a|the|any", "both", "clean up :",
    "down|downwards",
    "content|text|line|lines|two lines|three lines|two|three|following", "down", "each", "else", "every",
    "everything|every object|all objects", "everything|every object|all objects|anything", "every|each|the|a|any",
    "height|z|height of", "mesh|faces|all faces|geometry", "new|second", "of (the object|it|each|each object)",
    "once", "one", "one line each|one per line|one line per object", "one|a single", "one|body|rigid body",
    "one|body|rigid body|rigid bodies", "one|each", "only", "per strand|per particle|each", "same", "second",
    "second|third|another", "all|every", "both|all",
    "everywhere|in the file|in the scene|on every object|in every slot|on all objects",
    "everywhere|on every object|on all objects|in every slot",
    "(into|with|by|to|onto) (the original|one|the originals|their originals)",
    "of (every material|all materials|each material)", "and no (other|others|other slots|other materials)",
    "the|every|all|any", "the|every|all",
    "new|second|third|further|additional", "new|second|further|additional", "two|three|four|five|six|the|these|2|3|4|5",
    "so that its lowest point is at z = 0", "spaced|each|spaced by|with a spacing of|with a gap of",
    "spaced|each|spaced by|with a spacing of|with an offset of",
    "spaced|each|spaced by|with a spacing of|with an offset of|with", "text|line|lines|two lines", "then|second",
    "they use|it uses|they used|no one else uses", "the|all", "the|a|another|any", "the|one of the",
    "twice|again|a second time", "two|three|four", "two|three|four|five|the", "up",
    "up or down|up and down|back and forth", "up or down|vertically|up|down", "up|down",
    "a|an|two|three|four|the", "each|the|every", "all of", "not duplicated", "[not duplicated]",
    "only|exactly", "only|just", "only|alone", "the|all|everything", "for everything|for all objects",
    "should|must|all", "any more",
    "a|an|the|one|two|three|four|only", "exactly|only", "two", "a|one",
    "content|contents|text|line|lines|two lines|three lines|two|three|following",
    "handler|handlers|one|ones|entry|entries|panel|panels|timer|timers", "all|every|any", "new|second|another",
    "current|open|same", "scene|one", "one|a", "per|for each|for every|a", "all|all three|both|each of the",

    "one|track",
    "to each other|with each other|head to tail",
    "vertices|the vertices|doubles|duplicate vertices|double vertices|all vertices", "x|by", "z|height",
    "one|modifier", ",|and|but", "but|and", "of all vertices", "number|index|no", "number|no|index", "three",
    "of all bones",
    "those of|the one|that of", "one|object", "at most|up to|not more than", "of all objects", "up to", "the|all|every",
}  # fmt: skip
"""Such places that were looked at: what they say is so anyway, or is what the step does."""


def test_no_word_that_carries_a_meaning_may_be_left_unread() -> None:
    unread = {
        group: rule.write.__name__
        for rule in RULES
        for group in optional_words(rule.text)
        if set(re.findall(r"[^\s|()~;]+", group)) & MEANING and group not in HARMLESS
    }
    assert not unread


def test_a_word_with_a_meaning_that_may_be_left_out_is_found() -> None:
    assert optional_words("scale {target:object} [up|down] [by {n:n}]") == ["up|down"]
    assert optional_words("scale {target:object} [{way=up|down}]") == []


def test_a_pattern_whose_slot_reaches_no_function_is_an_error() -> None:
    def paint(build: Build, hue: Color | None) -> None: ...

    with pytest.raises(TypeError, match=r"paint: \{how\} is read and lost.*: paint \{hue:color\} \{how=thick\|thin\}"):
        step("paint {hue:color} {how=thick|thin}")(paint)
    with pytest.raises(TypeError, match="paint: no pattern ever fills the argument hue"):
        step("paint it")(paint)
    step("paint {what:kind of modifiers} {hue:settings of what}")  # reaches it by the slot that refers to it


def test_every_argument_is_used() -> None:
    """What a function is called with and does not look at would be lost as well."""
    unused: list[str] = []
    for write in dict.fromkeys(rule.write for rule in RULES):
        function = ast.parse(textwrap.dedent(inspect.getsource(write))).body[0]
        assert isinstance(function, ast.FunctionDef)
        used = {node.id for each in function.body for node in ast.walk(each) if isinstance(node, ast.Name)}
        unused += [f"{function.name}: {each.arg}" for each in function.args.args[1:] if each.arg not in used]
    assert unused == []


def optional_words(pattern: str) -> list[str]:
    """What stands in brackets that may be left out, with no slot in it."""
    opened: list[int] = []
    found: list[str] = []
    for place, letter in enumerate(pattern):
        if letter == "[":
            opened.append(place)
        elif letter == "]":
            found.append(pattern[opened.pop() + 1 : place])
    return [group for group in found if not set(group) & set("{<[")]


def test_every_modifier_and_constraint_of_the_manifest_can_be_asked_for(manifest: Manifest) -> None:
    own = {"NODES", "FLUID", "PARTICLE_SYSTEM", "SURFACE"}
    for identifier, one in manifest.identifiers["modifiers"].items():
        if identifier not in own and not identifier.startswith(("GREASE_PENCIL", "LINEART")):
            assert (
                one.type in draft(f"add a {one.label} modifier to the cube", manifest).snippet
                or identifier == "COLLISION"
            )
    for one in manifest.identifiers["constraints"].values():
        assert one.type in draft(f"add a {one.label} constraint to the cube", manifest).snippet


def test_what_is_written_for_the_examples_is_python_and_ruff_clean(tmp_path: Path, manifest: Manifest) -> None:
    for index, request in enumerate([*load_examples(), *(request for request, _ in READ)]):
        snippet = draft(request, manifest).snippet
        ast.parse(snippet)
        (tmp_path / f"snippet_{index}.py").write_text(snippet, encoding="utf-8")
    config = str(Path(__file__).parent.parent / "pyproject.toml")
    ran = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--config", config, "--ignore=I001,N801", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout


def test_the_same_request_gives_the_same_snippet_and_another_one_its_own_marks(manifest: Manifest) -> None:
    assert draft("Add a cube", manifest) == draft("Add a cube", manifest)
    assert draft("Add a cube", manifest).snippet != draft("Add a red cube", manifest).snippet


@pytest.mark.parametrize(
    "name", ['a"b', "a\\nb", "ends with \\", "Würfel", "立方体", "\u041a\u0443\u0431", "x" * 63, "{name}", "'''"]
)
def test_a_name_reaches_the_snippet_as_it_was_written(name: str, manifest: Manifest) -> None:
    quote = "'" if '"' in name else '"'
    tree = ast.parse(draft(f"Add a cube called {quote}{name}{quote}", manifest).snippet)
    strings = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    assert name in strings


@pytest.mark.parametrize("name", ["", "x" * 64, "\u202egnp"])
def test_a_name_that_blender_could_not_keep_is_refused(name: str, manifest: Manifest) -> None:
    with pytest.raises(NotUnderstood):
        draft(f'Add a cube called "{name}"', manifest)


@pytest.mark.parametrize("request_", ["", " \n ", "please", "Add a cube. " * 300, "(" * 4000, "lorem ipsum " * 300])
def test_what_asks_for_nothing_or_is_endless_is_refused(request_: str, manifest: Manifest) -> None:
    with pytest.raises(NotUnderstood):
        draft(request_, manifest)


def test_steps_that_cannot_be_repeated_are_carried_out_once(manifest: Manifest) -> None:
    assert "first_time(" in draft("move the cube up by 2", manifest).snippet
    assert "first_time(" not in draft("move the cube to (0, 0, 2)", manifest).snippet


def test_no_part_of_a_request_is_lost_between_tokens() -> None:
    request = "Add a UV-sphere (radius=2.5 m), colour #f80 @ 'x y' \u2013 1.5 45°"
    covered = "".join(request[token.start : token.end] for token in tokenize(request))
    assert covered == request.replace(" ", "").replace("UV-", "UV").replace("xy", "x y")


@pytest.mark.parametrize("dish", every_dish(), ids=lambda dish: dish.name)
def test_every_recipe_that_can_be_asked_for_has_its_constants_and_things(dish: Dish) -> None:
    source = (COOKBOOK / f"{dish.name}.py").read_text(encoding="utf-8")
    constants = [each.constant for each in dish.parameters]
    changed = with_values(source, dict.fromkeys(constants, "4321.0"))
    assert changed.count("4321.0") == len(constants)
    for made in dish.makes:
        assert made in source or made.rstrip("1 ") in source


# --- requests in other forms than commands -------------------------------------------------------------------


SAID_OTHERWISE = [
    ("The cube should be moved up by 2 and painted red.", "Move the cube up by 2. Paint the cube red."),
    ("I want the power of the light to be set to 300 W", "Set the power of the light to 300 W"),
    ("get all lights deleted, and the cube must be hidden", "delete all lights, and hide the cube"),
    ("A cube called Box needs to be added at (0, 0, 2).", "Add a cube called Box at (0, 0, 2)."),
    ("Deleting all lights and adding a sun", "Delete all lights and add a sun"),
    ("Write a short Python script that deletes all lights, then adds a sun", "Delete all lights, then add a sun"),
    ("I need to move the cube up by 2", "Move the cube up by 2"),
    ("1. Add a cube 2. Move it up by 2 3) Make it red", "Add a cube. Move it up by 2. Make it red"),
    ("Steps:\n- add a cube\n- move it up by 2\n", "Add a cube. Move it up by 2."),
    ("(a) add a cube, (b) move it up by 2", "Add a cube, move it up by 2"),
    ("add a cube\nmove it up by 2", "Add a cube. Move it up by 2"),
    ("add a cube\nat (0, 0, 2)", "Add a cube at (0, 0, 2)"),
    ('There is a mesh called "Crate" in the scene. Move it up by 2.', 'Move "Crate" up by 2'),
    ("In the current scene, delete all lights", "Delete all lights"),
    ('lock the scale of all objects except the object called "Crate"', 'lock the scale of all objects except "Crate"'),
    ('print the names of all children of the object called "Crate"', 'print the names of all children of "Crate"'),
    ('Delete all objects except "Crate". Move it up by 2', 'Delete all objects except "Crate". Move "Crate" up by 2'),
    ('set the render levels of the subdivision surface modifier of "Crate" to 5',
     'The render levels of the subdivision surface modifier of "Crate" set to 5'),
]  # fmt: skip


@pytest.mark.parametrize(("said", "plain"), SAID_OTHERWISE)
def test_what_is_said_otherwise_leads_to_the_same_code(said: str, plain: str, manifest: Manifest) -> None:
    assert steps_of(said, manifest) == steps_of(plain, manifest)


@pytest.mark.parametrize(
    "said",
    [
        "The cube should not be moved up by 2.",
        "The cube was moved up by 2 and painted red.",
        "Without moving the cube, delete all lights",
        "1. Add a cube 3. Move it up by 2",
        "There is a red cube at (0, 0, 2).",
        "Never deleting all lights",
    ],
)
def test_no_command_is_made_of_what_is_none(said: str, manifest: Manifest) -> None:
    with pytest.raises(NotUnderstood):
        draft(said, manifest)


def steps_of(request: str, manifest: Manifest) -> list[str]:
    """The lines of `main`, without comments and marks of what was made."""
    lines = draft(request, manifest).snippet.split("def main()")[1].splitlines()[2:]
    return [re.sub(r'"[0-9a-f]{8}', '"', line) for line in lines if not line.strip().startswith("#")]


# --- what the composer promises ------------------------------------------------------------------------------


def test_the_composer_promises_what_it_adds(manifest: Manifest) -> None:
    (check,) = draft("Create a torus called Ring and add a bevel modifier to it", manifest).accept
    said = check.said()
    assert (said["check"], said["name"], said["type"]) == ("object", "Ring", "MESH")
    assert [part["type"] for part in said["modifiers"]] == ["BEVEL"]


@pytest.mark.parametrize("then", ["rename it to Hoop", "apply the bevel modifier"])
def test_it_promises_nothing_that_a_later_step_may_take_away(then: str, manifest: Manifest) -> None:
    assert draft(f"Create a torus called Ring, add a bevel modifier to it, then {then}", manifest).accept == []
