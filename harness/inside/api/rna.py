"""Dumps RNA, Blender's own description of its data: types with properties and functions, operators, context."""

import math
import re
from typing import Any

import bpy

HOLDERS = ("POINTER", "COLLECTION")
REGISTERED = re.compile(r"^\w+_(OT|PT|MT|HT|UL|AST|FH|GT|GGT|KSI)_\w+$|^BUILTIN_KSI_")
"""Bases of the classes that Blender's own scripts register to draw or to run; they are not part of the API."""


def types() -> dict[str, Any]:
    """Every RNA type by name: those that `bpy.types` lists, and those reached only through their properties.

    The latter include the settings of render engines that are add-ons, such as `scene.cycles`.
    """
    listed = (getattr(bpy.types, name) for name in dir(bpy.types) if not name.startswith("_"))
    waiting: list[Any] = [cls.bl_rna for cls in listed if getattr(cls, "bl_rna", None)]
    found: dict[str, Any] = {}
    while waiting:
        struct = waiting.pop()
        if struct.identifier not in found and not REGISTERED.match(struct.identifier):
            found[struct.identifier] = describe_type(struct)
            waiting += [prop.fixed_type for prop in struct.properties if prop.type in HOLDERS and prop.fixed_type]
    return dict(sorted(found.items()))


def describe_type(struct: Any) -> dict[str, Any]:
    inherited: list[str] = struct.base.properties.keys() if struct.base else []
    inherited_functions: list[str] = struct.base.functions.keys() if struct.base else []
    return {
        "base": struct.base.identifier if struct.base else "",
        "label": struct.name,
        "description": struct.description,
        "nested": struct.nested.identifier if struct.nested else "",
        "properties": {
            prop.identifier: describe_property(prop)
            for prop in struct.properties
            if prop.identifier not in inherited and prop.identifier != "rna_type"
        },
        "functions": {
            function.identifier: describe_function(function)
            for function in struct.functions
            if function.identifier not in inherited_functions
        },
    }


def describe_function(function: Any) -> dict[str, Any]:
    return {
        "description": function.description,
        "static": not function.use_self,
        "of_type": function.use_self_type,
        "parameters": {
            prop.identifier: {
                **describe_property(prop),
                "required": prop.is_required,
                "output": prop.is_output,
            }
            for prop in function.parameters
        },
    }


def describe_property(prop: Any) -> dict[str, Any]:
    """The facts of a property. Facts that are false, zero or empty are left out."""
    facts: dict[str, Any] = {
        "type": prop.type,
        "label": prop.name,
        "description": prop.description,
        "subtype": "" if prop.subtype == "NONE" else prop.subtype,
        "unit": "" if prop.unit == "NONE" else prop.unit,
        "readonly": prop.is_readonly,
        "never_none": prop.is_never_none,
        "hidden": prop.is_hidden,
        "deprecated": deprecation(prop),
        "required": prop.is_required,
    }
    if prop.type in {"FLOAT", "INT", "BOOLEAN"}:
        facts.update(number_facts(prop))
    elif prop.type == "STRING":
        facts["default"] = prop.default
        facts["length_max"] = prop.length_max
    elif prop.type == "ENUM":
        facts.update(enum_facts(prop))
    else:
        facts["of"] = prop.fixed_type.identifier if prop.fixed_type else ""
        facts["collection"] = prop.srna.identifier if prop.type == "COLLECTION" and prop.srna else ""
    return {name: value for name, value in facts.items() if value or name in {"default", "min", "max"}}


def number_facts(prop: Any) -> dict[str, Any]:
    facts: dict[str, Any] = {"dynamic_array": prop.is_array and prop.array_length == 0}
    if prop.is_array and prop.array_length:
        sizes = [size for size in prop.array_dimensions if size]
        facts["array"] = sizes if math.prod(sizes) == prop.array_length else [prop.array_length]
        facts["default"] = [plain(value) for value in prop.default_array]
    else:
        facts["default"] = plain(prop.default)
    if prop.type != "BOOLEAN":
        limits = {name: plain(getattr(prop, f"{kind}_{end}")) for name, kind, end in LIMITS}
        facts.update({name: value for name, value in limits.items() if value is not None and abs(value) < UNLIMITED})
    return facts


LIMITS = (("min", "hard", "min"), ("max", "hard", "max"), ("soft_min", "soft", "min"), ("soft_max", "soft", "max"))
UNLIMITED = 2147483647


def plain(value: Any) -> Any:
    """The number for JSON: a float without the noise of its 32 bits, None if it is not finite."""
    if isinstance(value, float):
        return float(f"{value:.7g}") if math.isfinite(value) else None
    return value


def enum_facts(prop: Any) -> dict[str, Any]:
    """The items of an enumeration.

    `open` is true if Blender makes the items at run time, so that other strings may be valid as well.
    """
    static = [[item.identifier, item.name, item.description] for item in prop.enum_items_static]
    shown = {item.identifier for item in prop.enum_items}
    known = {item[0] for item in static}
    return {
        "items": static,
        "flags": prop.is_enum_flag,
        "open": len(known) < 2 or not shown <= known,
        "default": sorted(prop.default_flag) if prop.is_enum_flag else prop.default,
    }


def deprecation(prop: Any) -> str:
    """The reason why the property is deprecated; Blenders before 5.0 do not say."""
    if not getattr(prop, "is_deprecated", False):
        return ""
    return prop.deprecated_note or "deprecated"


def operators() -> dict[str, Any]:
    """Every operator, by its name in `bpy.ops`, such as `mesh.primitive_uv_sphere_add`."""
    found: dict[str, Any] = {}
    for module_name in dir(bpy.ops):
        module = getattr(bpy.ops, module_name)
        for name in dir(module):
            operator = getattr(module, name)
            try:
                struct = operator.get_rna_type()
            except (KeyError, AttributeError):
                continue
            found[f"{module_name}.{name}"] = {
                "label": struct.name,
                "description": struct.description,
                "undo": "UNDO" in operator.bl_options,
                "arguments": {
                    prop.identifier: describe_property(prop)
                    for prop in struct.properties
                    if prop.identifier != "rna_type"
                },
            }
    return found


def context_members() -> dict[str, str]:
    """The members that the open screen adds to the context, each with the type of its value if that is known."""
    members = bpy.context.copy()
    known = bpy.types.Context.bl_rna.properties.keys()
    return {name: value_type(value) for name, value in members.items() if name not in known}


def value_type(value: Any) -> str:
    if isinstance(value, list):
        return f"list of {value_type(value[0])}" if value else "list"
    struct = getattr(value, "bl_rna", None)
    return struct.identifier if struct else ""
