# -*- coding: utf-8 -*-
"""2.7x: add-on"""
bl_info = {
    "name": "Tower", "author": "somebody", "version": (1, 0), "blender": (2, 75, 0),
    "location": "View3D > Add > Mesh", "category": "Add Mesh",
}
import bpy
from bpy.props import IntProperty, FloatProperty, StringProperty
from bpy.types import Operator, Panel
from bpy_extras.object_utils import AddObjectHelper, object_data_add
from mathutils import Vector

class OBJECT_OT_tower(Operator, AddObjectHelper):
    """Make a tower"""
    bl_idname = "mesh.tower_add"
    bl_label = "Tower"
    bl_options = {'REGISTER', 'UNDO'}
    floors = IntProperty(name="Floors", default=3, min=1)
    height = FloatProperty(name="Height", default=1.0)

    def execute(self, context):
        verts = [Vector((x, y, f * self.height)) for f in range(self.floors) for x in (-1, 1) for y in (-1, 1)]
        mesh = bpy.data.meshes.new(name="Tower")
        mesh.from_pydata(verts, [], [])
        object_data_add(context, mesh, operator=self)
        context.scene.objects.active.show_x_ray = True
        return {'FINISHED'}

class TowerPanel(Panel):
    bl_label = "Tower"
    bl_space_type = "VIEW_3D"
    bl_region_type = "TOOLS"
    bl_category = "Create"
    def draw(self, context):
        self.layout.operator("mesh.tower_add", icon='MESH_CUBE', text="Tower")
        row = self.layout.split(percentage=.5)
        row.label("Hello")

def menu_func(self, context):
    self.layout.operator(OBJECT_OT_tower.bl_idname, icon='PLUGIN')

def register():
    bpy.utils.register_module(__name__)
    bpy.types.INFO_MT_mesh_add.append(menu_func)

def unregister():
    bpy.utils.unregister_module(__name__)
    bpy.types.INFO_MT_mesh_add.remove(menu_func)

if __name__ == "__main__":
    register()
    bpy.ops.mesh.tower_add()
