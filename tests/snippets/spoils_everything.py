"""passed: changes all of its surroundings that it can reach, twice over when it is executed twice."""

import builtins
import gc
import json
import os
import signal
import sys
import tempfile
import types

import bpy

for number in range(3):
    bpy.data.texts.new("left")
    bpy.data.meshes.new("left")
    bpy.data.materials.new("left")
    bpy.data.objects.new("left", None)
bpy.data.scenes.new("left")
bpy.data.objects["Cube"].location = (9, 9, 9)
for name in dir(bpy.app.handlers):
    handlers = getattr(bpy.app.handlers, name)
    if isinstance(handlers, list):
        handlers.append(bpy.app.handlers.persistent(lambda *_: None))
bpy.app.driver_namespace["left"] = 1
left = type("LEFT_OT_behind", (bpy.types.Operator,), {"bl_idname": "left.behind", "bl_label": "Left"})
if not hasattr(bpy.types, "LEFT_OT_behind"):
    bpy.utils.register_class(left)
bpy.types.Scene.left = bpy.props.IntProperty()
bpy.context.preferences.edit.undo_steps = 7
bpy.context.preferences.filepaths.temporary_directory = os.getcwd()
for name in list(bpy.context.preferences.addons.keys())[:1]:
    bpy.ops.preferences.addon_disable(module=name)
builtins.left = 1
builtins.print = lambda *_: None
sys.modules["left"] = types.ModuleType("left")
sys.path.append("/left")
json.left = 1
os.environ["LEFT"] = "1"
for number in (signal.SIGTERM, signal.SIGUSR1):
    signal.signal(number, signal.SIG_IGN)
os.umask(0o077)
sys.setrecursionlimit(5000)
gc.set_threshold(1, 1, 1)
sys.excepthook = lambda *_: None
sys.settrace(lambda *_: None)
for folder in {tempfile.gettempdir(), "/tmp", os.environ["HOME"], "/dev/shm", "."}:
    try:
        os.makedirs(os.path.join(folder, "left", "behind"), exist_ok=True)
        with open(os.path.join(folder, "left", "behind", "file"), "w") as file:
            file.write("left")
    except OSError:
        # Not every rung of the sandbox has all of these.
        pass
for kept in (bpy.app.tempdir.rstrip("/"),):
    try:
        os.rename(kept, kept + "-moved")
        with open(kept, "w") as file:
            file.write("left")
    except OSError:
        pass
for folder in (tempfile.gettempdir(), "/tmp", os.environ["HOME"], "/dev/shm"):
    try:
        os.setxattr(folder, "user.left", b"1")
    except OSError:
        pass
    os.chmod(folder, 0o555)
tempfile.tempdir = os.getcwd()
