"""The one reader of Python's syntax: parser, names, scopes, statements, guards. Blender can import it too."""
