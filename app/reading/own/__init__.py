"""The functions and classes of a snippet itself, and the arguments that Blender and its own calls pass to them."""
