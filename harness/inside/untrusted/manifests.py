"""The manifest of an add-on, before any line of it runs: Blender's own tool judges it, and its wheels are unpacked."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import platform
import sys
import tomllib
import zipfile
from typing import Any, Final, cast

import bpy

MANIFEST: Final = "blender_manifest.toml"
TAGS: Final = os.path.join("modules", "_bpy_internal", "extensions", "tags.py")
MOST_SAID: Final = 30
MOST_WHEEL_BYTES: Final = 512 << 20


def problems_of_manifest(folder: str) -> list[str]:
    """The problems of the manifest in a folder, each in one line; empty if it has none, or no tool judges it."""
    path = os.path.join(folder, MANIFEST)
    tool = tool_of_extensions()
    if tool is None or not os.path.isfile(path):
        return []
    answer: object = tool.pkg_manifest_from_toml_and_validate_all_errors(path, strict=True)
    said = [str(problem) for problem in cast("list[object]", answer)] if isinstance(answer, list) else []
    if not said:
        manifest = cast("Any", answer)
        missing = [str(wheel) for wheel in manifest.wheels or () if not there(folder, str(wheel))]
        said = [f"{len(missing)} of its wheels are not there, such as {missing[0]}"] if missing else []
        if wrong := wrong_tags(tool, manifest):
            said.append(wrong)
    return [" ".join(problem.split()) for problem in said[:MOST_SAID]]


def there(folder: str, wheel: str) -> bool:
    return os.path.isfile(os.path.join(folder, wheel))


def wrong_tags(tool: Any, manifest: Any) -> str | None:
    """The tags that extensions do not have, in words."""
    known = tool.pkg_manifest_tags_load_valid_map(os.path.join(bpy.utils.system_resource("SCRIPTS"), TAGS))
    if isinstance(known, str) or not manifest.tags:
        return None
    wrong: str | None = tool.pkg_manifest_tags_valid_or_error(known, manifest.type, manifest.tags)
    return wrong


def tool_of_extensions() -> Any:
    """Blender's tool for extensions as a module; None before 4.2."""
    scripts = bpy.utils.system_resource("SCRIPTS")
    path = os.path.join(scripts, "addons_core", "bl_pkg", "cli", "blender_ext.py")
    if not os.path.isfile(path):
        return None
    spec = importlib.util.spec_from_file_location("blender_ext", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    del sys.modules[spec.name]
    return module


def unpack_wheels(folder: str, into: str) -> list[str]:
    """Unpack the wheels of an extension that fit this Python and machine, as Blender does when it installs one.

    Returns the names of those that are for others.
    """
    others: list[str] = []
    with contextlib.suppress(OSError, ValueError):
        with open(os.path.join(folder, MANIFEST), "rb") as file:
            wheels = [str(wheel) for wheel in tomllib.load(file).get("wheels", ())]
        for wheel in wheels:
            path = os.path.normpath(os.path.join(folder, wheel))
            if not fits(os.path.basename(path)):
                others.append(os.path.basename(path))
            elif path.startswith(folder + os.sep):
                with contextlib.suppress(OSError, zipfile.BadZipFile), zipfile.ZipFile(path) as opened:
                    if sum(each.file_size for each in opened.infolist()) < MOST_WHEEL_BYTES:
                        opened.extractall(into)
    return others


def fits(wheel: str) -> bool:
    """True if a wheel is for this Python and this machine, by its name."""
    python, _, machine = wheel.removesuffix(".whl").rsplit("-", 3)[-3:] if wheel.count("-") >= 4 else ("", "", "")
    own = f"cp{sys.version_info.major}{sys.version_info.minor}"
    pythons = [each == own or each.startswith("py3") or "abi3" in wheel for each in python.split(".")]
    # Those for musl need another C library.
    machines = [each == "any" or each.startswith(("linux", "manylinux")) for each in machine.split(".")]
    return any(pythons) and any(machines) and (machine == "any" or platform.machine() in machine)
