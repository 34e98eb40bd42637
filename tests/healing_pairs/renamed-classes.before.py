import bpy


def entry(self, context):
    self.layout.operator("mesh.primitive_cube_add")


def changed(scene):
    print("changed")


bpy.types.INFO_MT_mesh_add.append(entry)
bpy.app.handlers.scene_update_post.append(changed)
