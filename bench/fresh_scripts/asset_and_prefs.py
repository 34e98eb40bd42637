"""3.x: enables an add-on preference, marks an asset, sets undo."""
import bpy

prefs = bpy.context.preferences
prefs.edit.use_global_undo = True
prefs.view.show_splash = False
cube = bpy.data.objects["Cube"]
cube.asset_mark()
cube.asset_data.description = "A cube"
cube.asset_data.tags.new("box")
ctx = {'object': cube, 'active_object': cube, 'selected_objects': [cube]}
bpy.ops.object.origin_set(ctx, type='ORIGIN_GEOMETRY')
