import bpy

cube = bpy.data.objects["Cube"]
cube.display_type = "WIRE"
cube.show_in_front = True  # in front of all
bpy.context.scene.cursor.location = (1, 2, 3)
lamp = bpy.data.lights.new("Key", "POINT")
group = bpy.data.collections.new("Group")
camera = bpy.data.cameras[0]
camera.dof.focus_object = cube
camera.display_size = 2
print(bpy.context.preferences.filepaths.render_output_directory)
cube.data.calc_loop_triangles()
print(len(cube.data.loop_triangles))
layer = bpy.data.grease_pencils.new("Sketch").layers.new("Lines")
layer.name = "Ink"
bpy.ops.rigidbody.world_add()
bpy.context.scene.rigidbody_world.substeps_per_frame = max(1, int(120 / bpy.context.scene.render.fps))
