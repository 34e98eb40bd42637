"""2.76 add-on: writes vertices to a text file, in the export menu. Right: registers, menu entry, operator with annotations."""
bl_info = {"name": "Points", "blender": (2, 76, 0), "category": "Import-Export"}
import bpy
from bpy_extras.io_utils import ExportHelper
from bpy.props import StringProperty, BoolProperty, EnumProperty


class ExportPoints(bpy.types.Operator, ExportHelper):
    bl_idname = "export_scene.points"
    bl_label = "Export Points"
    filename_ext = ".xyz"
    filter_glob = StringProperty(default="*.xyz", options={'HIDDEN'})
    apply = BoolProperty(name="Apply modifiers", default=True)
    axis = EnumProperty(items=(('Z', "Z", ""), ('Y', "Y", "")), default='Z')

    def execute(self, context):
        with open(self.filepath, "w") as f:
            for ob in context.selected_objects:
                me = ob.to_mesh(context.scene, self.apply, 'PREVIEW')
                me.transform(ob.matrix_world)
                for v in me.vertices:
                    f.write("%f %f %f\n" % v.co[:])
                bpy.data.meshes.remove(me)
        return {'FINISHED'}


def menu(self, context):
    self.layout.operator(ExportPoints.bl_idname, text="Points (.xyz)", icon='PLUGIN')


def register():
    bpy.utils.register_class(ExportPoints)
    bpy.types.INFO_MT_file_export.append(menu)


def unregister():
    bpy.utils.unregister_class(ExportPoints)
    bpy.types.INFO_MT_file_export.remove(menu)


if __name__ == "__main__":
    register()
