"""The code in a scene: everything that runs when somebody opens or renders it. All of it is listed here.

`HOLDS_CODE` and `HOLDS_DATA` are every place of Blender 3.4 to 5.2 that can hold a script; a test asks each Blender
that is installed for others.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any

import bpy

from harness.inside.scene.drivers import all_drivers, place_of
from harness.inside.scene.names import title

HOLDS_CODE = {
    ("Camera", "custom_bytecode"), ("Camera", "custom_shader"), ("Driver", "expression"),
    ("FreestyleModuleSettings", "script"), ("PythonConstraint", "text"), ("ShaderNodeScript", "bytecode"),
    ("ShaderNodeScript", "script"), ("Text", "use_module"),
}  # fmt: skip
"""Type and property."""
HOLDS_DATA = {
    ("NodeFrame", "text"), ("NodeSocketText", "default_value"), ("NodeTreeInterfaceSocketText", "default_value"),
    ("ShaderNodeTexIES", "ies"), ("SpaceTextEditor", "text"),
}  # fmt: skip
"""The same of properties whose text nothing runs."""
CALLED_LATER = ("bpy.app.handlers", "bpy.app.timers", "bpy.msgbus")
"""Names in a text that have Blender call it later."""
SHADER_OF_CAMERA = ("custom_shader", "custom_filepath", "custom_bytecode")
NAMES_SHOWN = 10

Code = tuple[str, str, str]
"""The kind, the place in words, and a hash of the code."""


def code_of_scene() -> list[Code]:
    """All code of the open file; data blocks of libraries included."""
    return sorted({*texts(), *drivers(), *cameras(), *script_nodes(), *line_styles(), *constraints()})


def new_code(before: list[Code], after: list[Code]) -> list[dict[str, Any]]:
    """New or changed code, a row for each kind: `kind`, `count`, and the first of the places as `of`."""
    known = {tuple(code) for code in before}
    found: dict[str, list[str]] = {}
    for kind, place, content in after:
        if (kind, place, content) not in known:
            found.setdefault(kind, []).append(place)
    return [{"kind": kind, "count": len(places), "of": places[:NAMES_SHOWN]} for kind, places in sorted(found.items())]


def row(kind: str, place: str, *content: Any) -> Code:
    told = "\0".join(part.as_string() if isinstance(part, bpy.types.Text) else str(part) for part in content)
    return kind, place, hashlib.sha256(told.encode("utf-8", "backslashreplace")).hexdigest()[:16]


def texts() -> Iterator[Code]:
    """Texts that run when the file is opened, and those that have themselves called after they were run."""
    for text in bpy.data.texts:
        content = text.as_string()
        if text.use_module:
            yield row("registered-text", f'text "{title(text)}"', content)
        elif any(name in content for name in CALLED_LATER):
            yield row("text-with-handlers", f'text "{title(text)}"', content)


def drivers() -> Iterator[Code]:
    """Drivers that need Python: Blender itself computes the plain ones."""
    for owner, curve in all_drivers(linked=True):
        driver = curve.driver
        if driver.type == "SCRIPTED" and driver.expression.strip() and not driver.is_simple_expression:
            yield row("python-driver", place_of(owner, curve), driver.expression, driver.use_self)


def cameras() -> Iterator[Code]:
    """Cameras whose rays a shader makes, or may make at some frame (since Blender 4.5)."""
    for camera in bpy.data.cameras:
        code = [getattr(camera, name, None) for name in SHADER_OF_CAMERA]
        if camera.type == "CUSTOM" or any(code):
            yield row("script-camera", f'camera "{title(camera)}"', *code)


def script_nodes() -> Iterator[Code]:
    for tree, place in trees():
        for node in tree.nodes:
            if node.bl_idname == "ShaderNodeScript":
                yield row("script-node", f'node "{node.name}" of {place}', node.script, node.filepath, node.bytecode)


def trees() -> Iterator[tuple[Any, str]]:
    """Each node tree that may hold script nodes, with its place in words."""
    owners: Iterable[Any] = (*bpy.data.materials, *bpy.data.worlds, *bpy.data.lights, *bpy.data.linestyles)
    for owner in owners:
        if owner.node_tree:
            yield owner.node_tree, f'{owner.bl_rna.identifier.lower()} "{title(owner)}"'
    for group in bpy.data.node_groups:
        yield group, f'node group "{title(group)}"'


def line_styles() -> Iterator[Code]:
    for scene in bpy.data.scenes:
        for layer in scene.view_layers:
            settings = layer.freestyle_settings
            scripts = [module.script for module in settings.modules if module.script]
            if settings.mode == "SCRIPT" and scripts:
                yield row("line-style-script", f'view layer "{layer.name}" of scene "{scene.name}"', *scripts)


def constraints() -> Iterator[Code]:
    for obj in bpy.data.objects:
        bones = obj.pose.bones if obj.pose else ()
        for owner in (obj, *bones):
            for constraint in owner.constraints:
                if constraint.type == "PYTHON":
                    yield row("script-constraint", f'object "{title(obj)}"', constraint.name)


def disarm() -> None:
    """Take all that would run during a render out of the open file, although scripts are off.

    Code that is only switched off may be switched on again by an animation.
    """
    for camera in bpy.data.cameras:
        if camera.type == "CUSTOM" or any(getattr(camera, name, None) for name in SHADER_OF_CAMERA):
            camera.animation_data_clear()
            camera.type = "PERSP"
            for name in SHADER_OF_CAMERA:
                setattr(camera, name, None if name == "custom_shader" else "")
    for tree, _ in trees():
        for node in [node for node in tree.nodes if node.bl_idname == "ShaderNodeScript"]:
            tree.nodes.remove(node)
    for scene in bpy.data.scenes:
        scene.render.use_freestyle = False
        for layer in scene.view_layers:
            settings = layer.freestyle_settings
            settings.mode = "EDITOR"
            for module in list(settings.modules):
                settings.modules.remove(module)
