"""needs_window: shows a message in a popup, which crashes a Blender that has no window."""
import bpy


def draw(self, context):
    self.layout.label(text="Done")


bpy.context.window_manager.popup_menu(draw, title="Export", icon="INFO")
