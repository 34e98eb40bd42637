"""passed: handlers and timers that would act when the witness opens the file."""

import bpy

assert "witness" not in bpy.data.filepath


@bpy.app.handlers.persistent
def later(*_):
    # In the snippet's own process, which has them called after all is saved, the file is none or its own copy.
    if bpy.data.filepath and not bpy.data.filepath.endswith("loaded.blend"):
        open("late.txt", "w").write("late")


bpy.app.handlers.load_post.append(later)
bpy.app.handlers.render_pre.append(later)
bpy.app.timers.register(lambda: later() or 0.01, persistent=True)
