"""Settings of Blender's data as plain JSON values: those not at their default, in short or as a fingerprint."""

from __future__ import annotations

import hashlib
import math
from typing import Any, cast

import bpy

LEFT_OUT = {"name", "type", "is_active", "filepath"}
"""Settings that do not affect the result, or are reported elsewhere."""

_defaults: dict[str, list[tuple[str, Any, Any]]] = {}
"""By type, the settings that are described: name, default, and the default as JSON. It takes long to look them up."""


def fingerprint(*owners: Any) -> str:
    """A short hash of the custom properties and of every setting that differs from its default, to detect changes."""
    facts = [(changed_settings(owner), custom_properties(owner)) for owner in owners if owner is not None]
    return hashlib.sha256(repr(facts).encode("utf-8", "backslashreplace")).hexdigest()[:16]


def custom_properties(owner: Any) -> list[tuple[str, str]]:
    """Names and values, without the properties that Blender itself registers: those are settings."""
    if not isinstance(owner, bpy.types.ID):
        return []
    names = [name for name in owner.keys() if name != "cycles"]  # noqa: SIM118 - iterating the owner gives no names
    return sorted((name, repr(plain(owner[name]))) for name in names)


def changed_settings(item: Any) -> dict[str, Any]:
    """Every writable setting that differs from its default, except those of the display."""
    settings: dict[str, Any] = {}
    for name, default, told_default in defaults_of(item):
        value = getattr(item, name)
        # Most are at their default, and most of those are recognised without making JSON of them.
        if value == default or (isinstance(default, tuple) and tuple(value) == default):
            continue
        told = plain(value)
        if told != told_default:
            settings[name] = told
    return settings


def defaults_of(item: Any) -> list[tuple[str, Any, Any]]:
    """The settings of the item's type that are described; see `_defaults`."""
    kind = item.bl_rna.identifier
    if kind not in _defaults:
        _defaults[kind] = [
            (prop.identifier, default_of(prop), plain(default_of(prop)))
            for prop in item.bl_rna.properties
            if not (prop.identifier in LEFT_OUT or prop.is_readonly or prop.type == "COLLECTION")
            and not prop.identifier.startswith("show_")
        ]
    return _defaults[kind]


def default_of(prop: Any) -> Any:
    if prop.type == "POINTER":
        return None
    if getattr(prop, "is_array", False):
        return tuple(prop.default_array)
    if getattr(prop, "is_enum_flag", False):
        return prop.default_flag
    return prop.default


def plain(value: Any) -> Any:
    """A property value as JSON: numbers rounded, vectors as lists, data blocks by name."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return tidy(value)
    if isinstance(value, set):
        return sorted(cast("set[str]", value))
    if hasattr(value, "name"):
        return value.name
    try:
        return [plain(part) for part in value]
    except TypeError:
        return None


def modifier_inputs(modifier: Any) -> dict[str, Any]:
    """The inputs of a geometry nodes modifier as JSON, by the names that its group gives them."""
    interface = getattr(getattr(modifier, "node_group", None), "interface", None)
    items = interface.items_tree if interface else ()
    sockets = [item for item in items if item.item_type == "SOCKET" and item.in_out == "INPUT"]
    return {item.name: plain(modifier.get(item.identifier, getattr(item, "default_value", None))) for item in sockets}


def numbers(values: Any) -> list[float | None]:
    return [tidy(value) for value in values]


def tidy(value: float) -> float | None:
    """Six significant digits, the precision of Blender's own floats; None if the value is not finite."""
    return float(f"{value:.6g}") + 0.0 if math.isfinite(value) else None
