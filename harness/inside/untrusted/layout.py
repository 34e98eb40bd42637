"""A layout without a window: it checks each name and argument as Blender's own would, and draws nothing.

It is made from the build's own description of `UILayout`, so it knows the functions, arguments and icons of that build.
"""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable
from typing import Any

import bpy

PAIRS = (
    ("data", "property"),
    ("search_data", "search_property"),
    ("dataptr", "propname"),
    ("active_dataptr", "active_propname"),
)
"""Arguments that go together: a struct, and the name of one of its properties."""


class Drawing:
    """The names that do not exist, met while drawing: `note` gets a message and the frame that draws.

    `path` is the file that draws, or the beginning of the paths of all files that may. `shown` gets each property
    that a user sees: the type of its struct, and its name.
    """

    def __init__(
        self,
        path: str,
        note: Callable[[str, types.FrameType | None], None],
        shown: set[tuple[str, str]] | None = None,
    ) -> None:
        self._path = path
        self._note = note
        self.shown: set[tuple[str, str]] = set() if shown is None else shown

    def wrong(self, message: str) -> None:
        """Note a wrong name at the line that is being drawn."""
        frame = inspect.currentframe()
        while frame is not None and not frame.f_code.co_filename.startswith(self._path):
            frame = frame.f_back
        self._note(message, frame)


class Layout:
    """Stands in for a `bpy.types.UILayout`."""

    def __init__(self, drawing: Drawing) -> None:
        self.__dict__.update(_drawing=drawing, _values={}, shown=drawing.shown)

    def __getattr__(self, name: str) -> Any:
        rna = bpy.types.UILayout.bl_rna
        if function := rna.functions.get(name):
            if not function.use_self:
                return getattr(bpy.types.UILayout, name)
            return functools.partial(self._call, function)
        if known := rna.properties.get(name):
            return self._values.get(name, getattr(known, "default", None))
        raise AttributeError(f"'UILayout' object has no attribute '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        known = bpy.types.UILayout.bl_rna.properties.get(name)
        if known is None:
            raise AttributeError(f"'UILayout' object has no attribute '{name}'")
        check_value(f"UILayout.{name}", known, value)
        self._values[name] = value

    def _call(self, function: Any, /, *args: Any, **keywords: Any) -> Any:
        keywords = {name: data_of(value) for name, value in keywords.items()}
        given = bound(function, tuple(map(data_of, args)), keywords)
        for data, name in PAIRS:
            if data in given and name in given and given[data] is not None:
                self._check_property(function, given[data], given[name])
        properties = self._properties(function, given) if "operator" in given else None
        results: list[Any] = []
        for output in (each for each in function.parameters if each.is_output):
            of = output.fixed_type.identifier if output.type == "POINTER" else ""
            results.append(Layout(self._drawing) if of == "UILayout" else properties)
        return results[0] if len(results) == 1 else tuple(results) or None

    def _check_property(self, function: Any, data: Any, name: str) -> None:
        self._drawing.shown.add((data.bl_rna.identifier, name))
        if not has_property(data, name):
            wrong = f'`{function.identifier}`: {data.bl_rna.identifier} has no property "{name}"'
            self._drawing.wrong(f"{wrong}, so nothing is drawn for it")

    def _properties(self, function: Any, given: dict[str, Any]) -> Any:
        """The operator's own properties, which refuse wrong names and values as Blender does."""
        name = given["operator"]
        if not name and function.identifier == "template_popup_confirm":
            # Only the other of its two buttons.
            return None
        known = bpy.context.window_manager.operator_properties_last(name) if is_operator(name) else None
        if known is None:
            self._drawing.wrong(f'`{function.identifier}`: there is no operator "{name}", so no button is drawn for it')
            return types.SimpleNamespace()
        if "property" in given and not has_property(known, given["property"]):
            self._drawing.wrong(f'`{function.identifier}`: the operator "{name}" has no property "{given["property"]}"')
        return known


def data_of(value: Any) -> Any:
    """Blender's own data that a stand-in stands for; any other value as it is."""
    return value.__dict__.get("_real", value) if isinstance(value, StandIn) else value


def bound(function: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> dict[str, Any]:
    """The arguments by name. Raises TypeError as Blender does."""
    called = f"UILayout.{function.identifier}()"
    inputs = {each.identifier: each for each in function.parameters if not each.is_output}
    if len(args) > len(inputs):
        raise TypeError(f"{called}: takes at most {len(inputs)} arguments, got {len(args)}")
    unknown = [name for name in keywords if name not in inputs]
    if unknown:
        raise TypeError(f"{called}: was called with invalid keyword argument(s) ({', '.join(unknown)})")
    given = {**dict(zip(inputs, args, strict=False)), **keywords}
    for name, parameter in inputs.items():
        if name in given:
            check_value(f'{called}: error with argument "{name}"', parameter, given[name])
        elif parameter.is_required:
            raise TypeError(f'{called}: required parameter "{name}" not specified')
    return given


def check_value(place: str, known: Any, value: Any) -> None:
    """Raise TypeError if a parameter or property cannot have the value."""
    if value is None and known.type in ("STRING", "POINTER") and not known.is_never_none:
        return
    if known.type == "STRING" and not isinstance(value, str):
        raise TypeError(f"{place} - expected a string, not {type(value).__name__}")
    if known.type == "ENUM" and not known.is_enum_flag:
        items = known.enum_items.keys()
        if not isinstance(value, str) or (items and value not in items):
            raise TypeError(f"{place} - enum {value!r} not found in {nearest(str(value), items)}")
    if known.type == "POINTER" and known.fixed_type.identifier == "AnyType":
        if value is None:
            raise TypeError(f"{place} - it does not support a None assignment")
        if not isinstance(value, bpy.types.bpy_struct | bpy.types.bpy_prop_collection):
            raise TypeError(f"{place} - expected data of Blender, not {type(value).__name__}")


def nearest(value: str, items: Any) -> str:
    """Some items, those that look like the value first: there may be hundreds of icons."""
    alike = sorted(items, key=lambda item: (value[:4].upper() not in item, item))
    return f"({', '.join(alike[:6])}{', ...' if len(alike) > 6 else ''})"


def has_property(data: Any, name: str) -> bool:
    """True if the struct has the property, be it Blender's own, registered, or a custom one such as `["x"]`."""
    if isinstance(data, bpy.types.bpy_prop_collection):
        return name in getattr(data, "bl_rna", bpy.types.ID.bl_rna).properties
    own: Any = getattr(data, "properties", None)
    if isinstance(own, bpy.types.OperatorProperties):
        known: Any = own.bl_rna
        if name in known.properties:
            return True
    try:
        data.is_property_readonly(name)
    except TypeError:
        return False
    return True


def is_operator(name: str) -> bool:
    """True if there is an operator of this name, in either form: `mesh.x` or `MESH_OT_x`."""
    space, _, operator = name.replace("_OT_", ".").partition(".")
    try:
        getattr(getattr(bpy.ops, space.lower()), operator).get_rna_type()
    except (KeyError, AttributeError, ValueError):
        return False
    return True


class StandIn:
    """Stands in for an instance of a panel, menu or header, of which Blender makes one per drawing."""

    def __init__(self, cls: type, layout: Layout) -> None:
        self.__dict__.update(_cls=cls, layout=layout)

    def __getattr__(self, name: str) -> Any:
        cls = self.__dict__["_cls"]
        value = inspect.getattr_static(cls, name, inspect.Parameter.empty)
        if isinstance(value, types.FunctionType):
            return types.MethodType(value, self)
        if isinstance(value, property) and value.fget:
            return value.fget(self)
        known = cls.bl_rna.properties.get(name)
        if known is not None and not isinstance(value, str | bool | int | set | tuple):
            return getattr(known, "default", None)
        if value is inspect.Parameter.empty:
            raise AttributeError(f"'{cls.__name__}' object has no attribute '{name}'")
        return getattr(cls, name)


class ContextView:
    """The context as it is, with a note of each member that it lacks because there is no window.

    The tabs of the properties editor give some members, which are those of the active object.
    """

    def __init__(self) -> None:
        self.__dict__["missed"] = []

    def __getattr__(self, name: str) -> Any:
        value = getattr(bpy.context, name, None)
        if value is None and (of_object := in_a_tab(name)):
            return of_object
        if value is None:
            self.__dict__["missed"].append(name)
        # Raises as the context itself does if there is no such member.
        return getattr(bpy.context, name)


DATA_OF_A_TAB = {
    "MESH": "mesh", "CURVE": "curve", "FONT": "curve", "ARMATURE": "armature", "CAMERA": "camera", "LIGHT": "light",
    "LATTICE": "lattice", "META": "meta_ball", "SPEAKER": "speaker", "LIGHT_PROBE": "lightprobe",
    "GPENCIL": "gpencil", "GREASEPENCIL": "grease_pencil",
}  # fmt: skip
"""The name of an object's data in the properties editor, per type of the object."""


def in_a_tab(name: str) -> Any:
    """The member of the context that a tab of the properties editor has for the active object; None for another."""
    obj = bpy.context.object
    if obj is None:
        return None
    if name == DATA_OF_A_TAB.get(obj.type):
        return obj.data
    if name == "material":
        return obj.active_material
    return next(iter(obj.material_slots), None) if name == "material_slot" else None
