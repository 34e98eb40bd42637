"""Snippets that some Blenders run and others do not."""

from __future__ import annotations

OLD_COMPOSITOR = """import bpy

scene = bpy.context.scene
scene.use_nodes = True
scene.node_tree.nodes.new("CompositorNodeBlur")
"""
