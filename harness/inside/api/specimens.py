"""Makes one of everything, because some facts show only on an instance.

Examples are the sockets of a node, the class of a modifier's identifier, and the strings that an enumeration accepts
if Blender fills it at run time.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

import bpy

TREES = ("ShaderNodeTree", "GeometryNodeTree", "CompositorNodeTree", "TextureNodeTree")
ITEM_LIMIT = 40
NOT_AN_ITEM = "?"
REGISTERED = "is_registered_node_type"
TAKEN = re.compile(r"not found in \((.*)\)", re.DOTALL)
ITEM = re.compile(r"'([^']*)'")

SETTLED = {
    ("RenderSettings", "engine"),
    ("ColorManagedDisplaySettings", "display_device"),
    ("ColorManagedViewSettings", "view_transform"),
    ("ColorManagedInputColorspaceSettings", "name"),
}
"""Enumerations that this build fills once, whatever the scene holds: the strings that they accept now are all."""


def nodes() -> dict[str, Any]:
    """Every node type by its identifier, with the trees it can be in and the sockets it can have."""
    groups = [bpy.data.node_groups.new("specimens", tree) for tree in TREES]
    found: dict[str, Any] = {}
    for name in dir(bpy.types):
        cls = getattr(bpy.types, name)
        if not is_node_type(cls):
            continue
        made = [(group.bl_idname, node) for group in groups if (node := make_node(group, name))]
        label = cls.bl_rna.name or getattr(cls, "bl_label", "")
        found[name] = {"label": label, "trees": [tree for tree, _ in made]}
        if made:
            found[name].update(sockets(made[0][1]))
    return found


def is_node_type(cls: Any) -> bool:
    """True if scripts make nodes of this class: a leaf below Node, not a base of other node classes."""
    node: Any = bpy.types.Node
    return isinstance(cls, type) and issubclass(cls, node) and getattr(cls, REGISTERED)()


def make_node(group: Any, name: str) -> Any:
    try:
        return group.nodes.new(name)
    except (RuntimeError, TypeError):
        return None


def sockets(node: Any) -> dict[str, Any]:
    """The sockets of a new node, and in every mode that one of its settings puts it in.

    `varies` is true if a script can add sockets, or if they depend on a setting that cannot be tried out.
    """
    facts: dict[str, Any] = {
        "inputs": {socket.identifier: describe_socket(socket) for socket in node.inputs},
        "outputs": {socket.identifier: describe_socket(socket) for socket in node.outputs},
    }
    for _ in modes(node):
        for side, now in (("inputs", node.inputs), ("outputs", node.outputs)):
            for socket in now:
                facts[side].setdefault(socket.identifier, {**describe_socket(socket), "in_some_modes": True})
    return {**facts, "varies": has_own_items(node)}


def describe_socket(socket: Any) -> dict[str, Any]:
    facts: dict[str, Any] = {"name": socket.name, "type": socket.bl_idname, "enabled": socket.enabled}
    value = getattr(socket, "default_value", None)
    if isinstance(value, (int, float, str, bool)):
        facts["default"] = value if not isinstance(value, float) else round(value, 6)
    elif value is not None and hasattr(value, "__len__"):
        facts["default"] = [round(part, 6) for part in value]
    return facts


def modes(node: Any) -> Iterator[None]:
    """Put the node in each mode of its settings, one setting after another, and back."""
    for prop in node.bl_rna.properties:
        if prop.is_readonly or prop.identifier in NODE_BASICS:
            continue
        if prop.type == "ENUM" and not prop.is_enum_flag:
            values: list[Any] = [item.identifier for item in prop.enum_items_static]
        elif prop.type == "BOOLEAN" and not prop.is_array:
            values = [True, False]
        else:
            continue
        before = getattr(node, prop.identifier)
        for value in values:
            if assign(node, prop.identifier, value):
                yield
        assign(node, prop.identifier, before)


NODE_BASICS = frozenset(bpy.types.Node.bl_rna.properties.keys())


def assign(owner: Any, name: str, value: Any) -> bool:
    try:
        setattr(owner, name, value)
    except (TypeError, AttributeError, ValueError, RuntimeError):
        return False
    return True


def has_own_items(node: Any) -> bool:
    """True if a script can add sockets to this node."""
    for prop in node.bl_rna.properties:
        if prop.identifier in NODE_BASICS:
            continue
        if prop.type == "COLLECTION" or (prop.type == "POINTER" and prop.fixed_type.identifier == "NodeTree"):
            return True
    return any(socket.bl_idname == "NodeSocketVirtual" for socket in [*node.inputs, *node.outputs])


def identifiers() -> dict[str, Any]:
    """Everything that is made by naming a type: per family the identifiers, their labels and the class each gives."""
    objects = list(objects_of_every_kind())
    first: Any = objects[0]

    def modifier(identifier: str) -> Any:
        made = (obj.modifiers.new("specimen", identifier) for obj in objects)
        return next((new for new in made if new is not None), None)

    return {
        "modifiers": family("Modifier", "type", modifier),
        "constraints": family("Constraint", "type", first.constraints.new),
        "lights": family("Light", "type", lambda kind: bpy.data.lights.new("specimen", kind)),
        "textures": family("Texture", "type", lambda kind: bpy.data.textures.new("specimen", kind)),
        "force_fields": family("FieldSettings", "type", None),
        "light_probes": family("LightProbe", "type", lambda kind: bpy.data.lightprobes.new("specimen", kind)),
        "shader_effects": family("ShaderFx", "type", None),
        "strips": family("Strip" if hasattr(bpy.types, "Strip") else "Sequence", "type", None),
        "engines": {name: {"label": name.replace("_", " ").title(), "type": "RenderSettings"} for name in engines()},
    }


def family(type_name: str, prop: str, make: Callable[[str], Any] | None) -> dict[str, Any]:
    cls = getattr(bpy.types, type_name, None)
    if cls is None:
        return {}
    found: dict[str, Any] = {}
    for item in cls.bl_rna.properties[prop].enum_items_static:
        try:
            made = make(item.identifier) if make else None
        except (RuntimeError, TypeError):
            made = None
        kind = made.bl_rna.identifier if made is not None else ""
        found[item.identifier] = {"label": item.name, "description": item.description, "type": kind}
    return found


def engines() -> list[str]:
    return allowed(bpy.context.scene.render, "engine")


def objects_of_every_kind() -> Iterator[Any]:
    """One object of each kind that can have modifiers."""
    data = bpy.data
    makers: tuple[Callable[[], Any], ...] = (
        lambda: data.meshes.new("specimen"),
        lambda: data.curves.new("specimen", "CURVE"),
        lambda: data.lattices.new("specimen"),
        lambda: getattr(data, "grease_pencils_v3", None) and data.grease_pencils_v3.new("specimen"),
        lambda: data.grease_pencils.new("specimen"),
        lambda: data.armatures.new("specimen"),
    )
    for make in makers:
        made = make()
        if made:
            try:
                obj = data.objects.new("specimen", made)
            except RuntimeError:
                # From 4.3 to 4.5 the list also holds the data of annotations, which no object accepts.
                continue
            bpy.context.scene.collection.objects.link(obj)
            yield obj


def add_allowed_items(types: dict[str, Any]) -> None:
    """Correct the items of enumerations by what live data accepts: an enumeration that accepts more is open."""
    for owner in specimens():
        for prop in owner.bl_rna.properties:
            if prop.type == "ENUM" and not prop.is_readonly:
                correct(types, owner, prop)


def correct(types: dict[str, Any], owner: Any, prop: Any) -> None:
    declared = declaring(types, owner.bl_rna, prop.identifier)
    if declared is None:
        return
    type_name, facts = declared
    taken = allowed(owner, prop.identifier)
    known = {item[0] for item in facts.get("items", [])}
    if (type_name, prop.identifier) in SETTLED and taken:
        facts["items"] = [[name, name.replace("_", " ").title(), ""] for name in taken]
        facts.pop("open", None)
    elif not set(taken) <= known:
        facts["open"] = True
        if len(taken) <= ITEM_LIMIT:
            facts.setdefault("items", []).extend([name, name, ""] for name in taken if name not in known)


def declaring(types: dict[str, Any], struct: Any, name: str) -> "tuple[str, dict[str, Any]] | None":
    while struct is not None:
        facts = types.get(struct.identifier, {}).get("properties", {}).get(name)
        if facts is not None:
            return struct.identifier, facts
        struct = struct.base
    return None


def allowed(owner: Any, name: str) -> list[str]:
    """The strings that an enumeration accepts at the moment: Blender names them when it refuses another."""
    flags = owner.bl_rna.properties[name].is_enum_flag
    try:
        setattr(owner, name, {NOT_AN_ITEM} if flags else NOT_AN_ITEM)
    except TypeError as refused:
        listed = TAKEN.search(str(refused))
        return ITEM.findall(listed.group(1)) if listed else []
    except (AttributeError, RuntimeError, ValueError):
        pass
    return []


def specimens() -> Iterator[Any]:
    """Live data of as many types as can be made, each with the things it points to."""
    seen: set[int] = set()
    for collection in (bpy.data.scenes, bpy.data.objects, bpy.data.node_groups, bpy.data.lights, bpy.data.textures):
        for data in collection:
            yield from with_parts(data, seen)
    for data in (bpy.data.worlds, bpy.data.materials, bpy.data.cameras, bpy.data.meshes, bpy.data.curves):
        for block in data:
            yield from with_parts(block, seen)
    yield from with_parts(bpy.data.images.new("specimen", 1, 1), seen)


PARTS = ("modifiers", "constraints", "nodes", "view_layers")
NOT_FOLLOWED = ("rna_type", "paired_output")
"""Blender 4.5 crashes when `paired_output` is read on a closure node without its pair; the pair is a node anyway."""


def with_parts(owner: Any, seen: "set[int]") -> Iterator[Any]:
    if owner.as_pointer() in seen:
        return
    seen.add(owner.as_pointer())
    yield owner
    for prop in owner.bl_rna.properties:
        if prop.type == "POINTER" and prop.identifier not in NOT_FOLLOWED:
            # Data blocks are visited on their own, and Blender 4.2 crashes when the palette of `uv_sculpt` is read.
            part = None if is_data_block(prop.fixed_type) else getattr(owner, prop.identifier, None)
            if part is not None and not isinstance(part, bpy.types.ID):
                yield from with_parts(part, seen)
        elif prop.type == "COLLECTION" and prop.identifier in PARTS:
            for part in getattr(owner, prop.identifier):
                yield from with_parts(part, seen)


def is_data_block(struct: Any) -> bool:
    while struct.base is not None:
        struct = struct.base
    return bool(struct.identifier == "ID")
