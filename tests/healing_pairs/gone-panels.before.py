import bpy


def draw(self, context):
    self.layout.label(text="Shed")


bpy.types.RENDER_PT_render.append(draw)
bpy.types.RENDER_PT_format.append(draw)
bpy.types.RENDER_PT_render.remove(draw)
