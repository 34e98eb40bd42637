"""The types stage: mypy and pyright over the stubs of the target Blender."""
