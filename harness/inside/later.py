"""Lists what in the open file runs Python later, in the Blender of whoever opens it."""

from __future__ import annotations

from collections.abc import Iterator

import bpy

from harness.inside.drivers import all_drivers, place_of

MOST_TOLD = 50
EXPRESSION_LIMIT = 80


def runs_later() -> list[str]:
    """Registered texts, drivers with Python, scripts of nodes and of line drawing, each in words."""
    return sorted({*texts(), *drivers(), *nodes(), *line_drawing()})[:MOST_TOLD]


def texts() -> Iterator[str]:
    for text in bpy.data.texts:
        if text.use_module:
            yield f'text "{text.name}" is registered, so that it runs when the file is opened'


def drivers() -> Iterator[str]:
    """Drivers whose expression Blender does not evaluate by itself."""
    for owner, curve in all_drivers():
        driver = curve.driver
        if driver.type == "SCRIPTED" and not driver.is_simple_expression:
            yield f"the driver of {place_of(owner, curve)} is Python: `{driver.expression[:EXPRESSION_LIMIT]}`"


def nodes() -> Iterator[str]:
    """Script nodes, which a render runs."""
    for block in [*bpy.data.materials, *bpy.data.worlds, *bpy.data.lights, *bpy.data.node_groups]:
        tree = block if isinstance(block, bpy.types.NodeTree) else block.node_tree
        for node in tree.nodes if tree else ():
            if node.bl_idname == "ShaderNodeScript":
                yield f'the node "{node.name}" of "{block.name}" is a script'


def line_drawing() -> Iterator[str]:
    """Freestyle with scripts instead of line sets."""
    for scene in bpy.data.scenes:
        for layer in scene.view_layers:
            if layer.freestyle_settings.mode == "SCRIPT" and len(layer.freestyle_settings.modules):
                yield f'the line drawing of view layer "{layer.name}" of scene "{scene.name}" is made by scripts'
