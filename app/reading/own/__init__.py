"""The functions and classes of a snippet itself, and what Blender and its own calls pass to them."""
