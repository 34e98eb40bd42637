import bpy

cube = bpy.data.objects["Cube"]
cube.draw_type = "WIRE"
cube.show_x_ray = True  # in front of all
bpy.context.scene.cursor_location = (1, 2, 3)
lamp = bpy.data.lamps.new("Key", "POINT")
group = bpy.data.groups.new("Group")
camera = bpy.data.cameras[0]
camera.dof_object = cube
camera.draw_size = 2
print(bpy.context.user_preferences.filepaths.render_output_directory)
cube.data.calc_tessface()
print(len(cube.data.tessfaces))
layer = bpy.data.grease_pencils.new("Sketch").layers.new("Lines")
layer.info = "Ink"
bpy.ops.rigidbody.world_add()
bpy.context.scene.rigidbody_world.steps_per_second = 120
