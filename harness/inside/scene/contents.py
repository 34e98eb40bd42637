"""Reads all contents of the open file, so that the changes of a second execution can be named.

A description is a scene's appearance, and the inventory its names. The contents are every value of every data
block that is not at its default: settings, nodes and sockets, curves and keyframes, weights, colours, texts. Left out
are values that Blender computes from the rest, and the program's own window and tools.
"""

from __future__ import annotations

import re
import time
import traceback
from collections.abc import Iterator
from typing import Any, NamedTuple, cast

import bpy

from harness.inside.scene.bulk import Column, attributes_of, bulk_of, columns_of, is_close, parts_of
from harness.inside.scene.inventory import NOT_THEIRS
from harness.inside.scene.settings import default_of

SECONDS = 4.0
"""Seconds of computing for one file; values that are not read by then are counted."""
MOST_DEEP = 24
FEW = 24
"""Items up to which each is read by itself."""
COMPUTED = {
    "rna_type", "name_full", "original", "preview", "override_library", "library_weak_reference", "users", "tag",
    "session_uid", "is_evaluated", "matrix_world", "matrix_local", "matrix_basis", "bound_box",
    "all_objects", "depsgraph", "active_layer_collection", "select", "select_head", "select_tail", "point_cache",
    "particles", "child_particles", "motion_path", "keying_sets_all", "internal_links", "children_recursive",
    "co_ui", "execution_time", "persistent_uid", "loop_triangles", "vertex_normals", "polygon_normals",
    "corner_normals", "loop_triangle_polygons", "active_shape_key", "pixels", "render_slots", "bindcode", "grids",
    "lines", "frame_current_final", "width_hidden", "rna_ancestors",
}  # fmt: skip
"""Members that Blender computes from others, or that depend on how a file was opened."""
COMPUTED_OF = {
    "Object": {"dimensions", "mode"},
    "PoseBone": {"bone", "matrix", "matrix_channel", "head", "tail", "children", "parent", "child"},
    "Bone": {"children", "parent", "matrix"},
    "Armature": {"edit_bones"},
    "ShapeKey": {"data", "points"},
    "Mesh": {"vertices", "edges", "loops", "polygons", "uv_layers", "vertex_colors", "skin_vertices",
             "color_attributes", "uv_layer_clone", "uv_layer_stencil"},
    "Curves": {"points", "curves", "position_data", "normals", "color_attributes"},
    "PointCloud": {"points", "color_attributes"},
    "Scene": {"objects"},
    "ViewLayer": {"objects"},
    "Text": {"current_line", "current_line_index", "current_character", "select_end_line", "select_end_line_index",
             "select_end_character"},
    "PackedFile": {"data"},
    # Tools, not contents; in Blender 4.2 some of their pointers lead nowhere.
    "ToolSettings": {"uv_sculpt", "image_paint", "sculpt", "vertex_paint", "weight_paint", "curves_sculpt",
                     "gpencil_paint", "gpencil_sculpt_paint", "gpencil_vertex_paint", "gpencil_weight_paint"},
    "Keyframe": {"select_left_handle", "select_right_handle", "select_control_point"},
}  # fmt: skip
"""The same, of one type; values that are read in bulk are left out too."""
READ_THOUGH_FIXED = {"Bone", "NodeLink"}
"""Types whose numbers can only be read, but are the purpose of the type."""
SIMPLE = ("BOOLEAN", "INT", "FLOAT", "STRING", "ENUM")
LAST_MEMBER = re.compile(r"(?:^|\.)(\w+)(?:\[\d+\])?$")

Values = dict[str, Any]
"""Values of a data block by their path."""


class BlockReference(NamedTuple):
    """A data block that another one uses, by the collection of `bpy.data` and its name."""

    kind: str
    name: str


class ReadingPlan(NamedTuple):
    """The parts of a type to read: names of simple properties with their defaults, of pointers, of collections.

    A pointer is owned if it cannot be set. `columns` are the simple properties as `columns_of` reads them.
    """

    simple: list[tuple[str, Any]]
    pointers: list[tuple[str, bool]]
    collections: list[str]
    columns: list[Column]


_plans: dict[str, ReadingPlan] = {}
_kinds: dict[str, str] = {}
"""The collections of `bpy.data`, by the type of their data blocks."""


def contents() -> tuple[dict[tuple[str, str], Values], set[tuple[str, str]]]:
    """The values of each data block, by the collection of `bpy.data` and its name, and the keys of those not read."""
    found: dict[tuple[str, str], Values] = {}
    unread: set[tuple[str, str]] = set()
    until = time.process_time() + SECONDS
    lost = loose()
    for kind, block in blocks():
        if block in lost:
            continue
        key = kind, name_of(block)
        if time.process_time() > until:
            unread.add(key)
            continue
        try:
            found[key] = BlockReader(block).values
        except (RuntimeError, TypeError, ValueError, AttributeError, KeyError):
            traceback.print_exc()
            unread.add(key)
    return found, unread


def blocks() -> Iterator[tuple[str, Any]]:
    """Each data block of the file itself, with its collection."""
    for prop in bpy.data.bl_rna.properties:
        if prop.type == "COLLECTION" and prop.identifier not in NOT_THEIRS:
            for block in getattr(bpy.data, prop.identifier):
                if block.library is None:
                    yield prop.identifier, block


def loose() -> set[Any]:
    """The data blocks that nothing uses, except others of them: saving the file once more drops them."""
    users: dict[Any, set[Any]] = bpy.data.user_map()
    found: set[Any] = set()
    while True:
        more = {block for block, by in users.items() if block.users == 0 or (by and by <= found)} - found
        more = {block for block in more if not block.use_fake_user}
        if not more:
            return found
        found |= more


def name_of(block: Any) -> str:
    """The name of a data block, with its library if it has one."""
    return str(block.name_full)


def reference_to(block: Any) -> BlockReference:
    """The reference to a data block."""
    if not _kinds:
        known = [prop for prop in bpy.data.bl_rna.properties if prop.type == "COLLECTION"]
        _kinds.update({prop.fixed_type.identifier: prop.identifier for prop in known})
    rna = block.bl_rna
    while rna.identifier not in _kinds and rna.base:
        rna = rna.base
    kind = str(rna.identifier)
    return BlockReference(_kinds.get(kind, kind), name_of(block))


class BlockReader:
    """Reads one data block into `values`."""

    def __init__(self, block: Any) -> None:
        self.values: Values = {}
        self._seen: dict[tuple[int, str], str] = {}
        self._driven: set[tuple[int, str]] = set()
        self.read(block, "", 0)
        self.values.update(bulk_of(block))
        if isinstance(block, bpy.types.Scene):
            self.values.update(chosen(block))

    def read(self, struct: Any, path: str, depth: int) -> None:
        """Read a struct and all that it owns."""
        address = struct.as_pointer(), struct.bl_rna.identifier
        if address in self._seen or depth > MOST_DEEP:
            return
        self._seen[address] = path or "itself"
        if getattr(struct, "animation_data", None):
            self._driven |= driven(struct)
        plan = plan_of(struct.bl_rna)
        dot = f"{path}." if path else ""
        for name, default in plan.simple:
            self._read_simple(struct, name, default, dot)
        for name, owned in plan.pointers:
            self._read_pointer(getattr(struct, name), dot + name, owned, depth)
        for name in plan.collections:
            self._read_collection(getattr(struct, name), name, dot, depth)
        self.values.update((f"{dot}[{name!r}]", value) for name, value in custom(struct))

    def _read_simple(self, struct: Any, name: str, default: Any, dot: str) -> None:
        value: Any = getattr(struct, name)
        if isinstance(default, tuple):
            value = flat(value)
        elif isinstance(value, set):
            value = tuple(sorted(cast("set[str]", value)))
        if value != default and not alike(value, default) and (struct.as_pointer(), name) not in self._driven:
            self.values[dot + name] = value

    def _read_pointer(self, value: Any, path: str, owned: bool, depth: int) -> None:
        if value is None:
            return
        if isinstance(value, bpy.types.ID):
            if value.is_embedded_data:
                self.read(value, path, depth + 1)
            else:
                self.values[path] = reference_to(value)
        elif (value.as_pointer(), value.bl_rna.identifier) in self._seen:
            self.values[path] = "at " + self._seen[value.as_pointer(), value.bl_rna.identifier]
        elif owned:
            self.read(value, path, depth + 1)
        else:
            self.values[path] = "at " + str(getattr(value, "name", ""))

    def _read_collection(self, items: Any, name: str, dot: str, depth: int) -> None:
        path, count = dot + name, len(items)
        if name == "attributes":
            self.values.update((dot + part, value) for part, value in attributes_of(items))
            return
        if not count:
            return
        first = items[0]
        if isinstance(first, bpy.types.ID):
            self.values[path] = tuple(sorted(reference_to(item) for item in items if item))
            return
        self.values[f"{path}.length"] = count
        plan = plan_of(first.bl_rna) if first is not None else None
        if count > FEW and plan and plan.columns and not plan.pointers and not plan.collections:
            self.values.update((f"{path}.{part}", value) for part, value in columns_of(items, plan.columns))
            return
        for number, item in enumerate(items):
            if item is not None:
                # Sockets of a node may share a name.
                called = "" if name.endswith("puts") else getattr(item, "name", "")
                self.read(item, f'{path}["{called}"]' if called else f"{path}[{number}]", depth + 1)


def chosen(scene: Any) -> Iterator[tuple[str, Any]]:
    """The active and the selected objects of each view layer."""
    for layer in scene.view_layers:
        active = layer.objects.active
        if active:
            yield f'view_layers["{layer.name}"].active', reference_to(active)
        selected = tuple(reference_to(obj) for obj in layer.objects.selected)
        yield f'view_layers["{layer.name}"].selected', tuple(sorted(selected))


def plan_of(rna: Any) -> ReadingPlan:
    """The parts of a type to read; it takes long to look them up."""
    kind = rna.identifier
    if kind not in _plans:
        left_out = COMPUTED | COMPUTED_OF.get(kind, set())
        props = [prop for prop in rna.properties if prop.identifier not in left_out]
        plain = [
            prop
            for prop in props
            if prop.type in SIMPLE
            and (not prop.is_readonly or prop.type in ("STRING", "ENUM") or kind in READ_THOUGH_FIXED)
        ]
        _plans[kind] = ReadingPlan(
            [(prop.identifier, default_of(prop)) for prop in plain if prop.identifier != "name"],
            [(prop.identifier, prop.is_readonly) for prop in props if prop.type == "POINTER"],
            [prop.identifier for prop in props if prop.type == "COLLECTION"],
            [(prop.identifier, prop.type, max(1, getattr(prop, "array_length", 0))) for prop in plain],
        )
    return _plans[kind]


def alike(value: Any, default: Any) -> bool:
    """True if numbers are those of the default within their precision."""
    mine, theirs = parts_of(value), parts_of(default)
    if mine is not None and theirs is not None:
        return len(mine) == len(theirs) and all(alike(*pair) for pair in zip(mine, theirs, strict=True))
    return isinstance(value, float) and isinstance(default, float) and is_close(value, default)


def flat(value: Any) -> tuple[Any, ...]:
    """A vector or a matrix as one tuple."""
    return tuple(part for row in value for part in (row if hasattr(row, "__len__") else (row,)))


def custom(struct: Any) -> Iterator[tuple[str, str]]:
    """The custom properties of a struct, and the inputs of a modifier with nodes."""
    try:
        names = list(struct.keys())
    except (TypeError, AttributeError):
        return
    for name in names:
        value = struct[name]
        if name == "cycles" or (isinstance(value, bpy.types.bpy_struct) and not isinstance(value, bpy.types.ID)):
            continue
        if isinstance(value, bpy.types.ID):
            yield name, f"{value.bl_rna.identifier} {name_of(value)}"
        else:
            as_plain = getattr(value, "to_dict", None) or getattr(value, "to_list", None)
            yield name, repr(as_plain() if as_plain else value)


def driven(owner: Any) -> set[tuple[int, str]]:
    """The members of a data block that drivers set: the address of the struct and the name of the member."""
    found: set[tuple[int, str]] = set()
    for curve in owner.animation_data.drivers:
        member = LAST_MEMBER.search(curve.data_path)
        if member is None:
            continue
        try:
            prefix = curve.data_path[: member.start()]
            struct = owner.path_resolve(prefix) if prefix else owner
            found.add((struct.as_pointer(), member[1]))
        except (ValueError, AttributeError):
            continue
    return found
