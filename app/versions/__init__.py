"""One snippet for several Blenders: texts that differ become branches on the version, and branches become texts again.

a text a Blender ── merge ──> one text with `if bpy.app.version >= (5, 0, 0):` where they differ
one text ── as_seen_by ─────> what one Blender runs of it, for checkers that know one Blender only
"""
