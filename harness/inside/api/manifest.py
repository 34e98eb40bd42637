"""Dumps the API of this Blender, for `ingest.manifest` to read. Runs no snippet.

types, operators        RNA's own declarations                      rna.py
nodes, identifiers      things that can be made, and their members  specimens.py
modules                 Python's view, with its docstrings          python_api.py
"""

import json
import os
from typing import Any

import bpy

from harness.inside.api import python_api, rna, specimens
from harness.protocol import MANIFEST_SCHEMA, ManifestJob


def dump(job: ManifestJob) -> None:
    """Write the manifest to the job's file, in full or not at all."""
    bpy.ops.wm.read_factory_settings()
    manifest: dict[str, Any] = {
        "schema": MANIFEST_SCHEMA,
        "version": ".".join(str(part) for part in bpy.app.version),
        "build_hash": bpy.app.build_hash.decode("ascii", "replace"),
        "templates": templates_folder(),
    }
    types = rna.types()
    python_api.add_members(types)
    manifest["types"] = types
    manifest["operators"] = rna.operators()
    manifest["nodes"] = specimens.nodes()
    manifest["identifiers"] = specimens.identifiers()
    manifest["context"] = rna.context_members()
    manifest["modules"] = python_api.modules()
    specimens.add_allowed_items(types)
    unfinished = job.out_file + ".part"
    with open(unfinished, "w", encoding="utf-8") as file:
        json.dump(manifest, file, separators=(",", ":"))
    os.replace(unfinished, job.out_file)


def templates_folder() -> str:
    """The folder of the example scripts that came with this Blender, or an empty string."""
    for path in bpy.utils.script_paths():
        folder = os.path.join(path, "templates_py")
        if os.path.isdir(folder):
            return folder
    return ""
