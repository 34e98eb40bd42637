"""Everything that touches Blender: finds it, runs snippets in it, reports the results."""
