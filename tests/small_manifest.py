"""A manifest small enough to read: what the tests of the API check ask of one, written by hand after Blender 5.0."""

from __future__ import annotations

from typing import Any

from ingest.manifest import (
    ApiModule,
    Identifier,
    Manifest,
    NodeType,
    Operator,
    Property,
    PythonMember,
    RnaFunction,
    RnaType,
    Socket,
)
from ingest.symbol import Item


def number(name: str, kind: str = "FLOAT", **facts: Any) -> Property:
    return Property(name=name, type=kind, **facts)


def text(name: str, **facts: Any) -> Property:
    return Property(name=name, type="STRING", **facts)


def pointer(name: str, of: str, **facts: Any) -> Property:
    return Property(name=name, type="POINTER", of=of, **facts)


def collection(name: str, of: str, own: str = "") -> Property:
    return Property(name=name, type="COLLECTION", of=of, collection=own, readonly=True)


def enum(name: str, *items: str, **facts: Any) -> Property:
    return Property(name=name, type="ENUM", items=tuple(Item(item, item.title()) for item in items), **facts)


def function(name: str, *parameters: Property) -> RnaFunction:
    return RnaFunction(name, "", {parameter.name: parameter for parameter in parameters})


def method(name: str, doc: str = "") -> PythonMember:
    return PythonMember(name=name, kind="method", doc=doc)


def rna(name: str, *members: Property | RnaFunction | PythonMember, base: str = "") -> RnaType:
    return RnaType(
        name=name,
        base=base,
        label=name,
        description="",
        properties={one.name: one for one in members if isinstance(one, Property)},
        functions={one.name: one for one in members if isinstance(one, RnaFunction)},
        python={one.name: one for one in members if isinstance(one, PythonMember)},
    )


def class_of(name: str, *members: PythonMember) -> PythonMember:
    return PythonMember(name=name, kind="class", members={member.name: member for member in members})


MODIFIERS = {"BEVEL": "BevelModifier", "SUBSURF": "SubsurfModifier"}
LIGHTS = {"POINT": "PointLight", "SUN": "SunLight"}
ENGINES = ("BLENDER_EEVEE", "BLENDER_WORKBENCH", "CYCLES")
ANY_ARGUMENTS = {"required": True}

TYPES = (
    rna(
        "bpy_struct",
        method("get"),
        method("items"),
        method("keyframe_insert", ".. method:: keyframe_insert(data_path, /, *, index=-1, frame=0)"),
    ),
    rna("bpy_prop_collection", method("get"), method("values"), method("items"), method("keys"), method("find")),
    rna("ID", text("name"), function("copy", pointer("id", "ID", output=True))),
    rna(
        "Object",
        enum("type", "MESH", "LIGHT", "EMPTY", readonly=True),
        number("location", array=(3,), subtype="TRANSLATION"),
        number("color", array=(4,), subtype="COLOR"),
        number("pass_index", "INT", min=0, max=32767),
        Property(name="hide_render", type="BOOLEAN"),
        pointer("data", "ID"),
        pointer("parent", "Object"),
        collection("modifiers", "Modifier", "ObjectModifiers"),
        function("select_set", Property(name="state", type="BOOLEAN", required=True)),
        base="ID",
    ),
    rna("Mesh", collection("vertices", "MeshVertex"), base="ID"),
    rna("MeshVertex", number("co", array=(3,), subtype="TRANSLATION")),
    rna("Light", enum("type", *LIGHTS), number("energy"), base="ID"),
    rna("PointLight", number("shadow_soft_size", min=0.0), base="Light"),
    rna("SunLight", number("angle", min=0.0, max=3.141593), base="Light"),
    rna("Material", pointer("node_tree", "NodeTree", readonly=True), base="ID"),
    rna("NodeTree", collection("nodes", "Node", "Nodes"), base="ID"),
    rna("ShaderNodeTree", base="NodeTree"),
    rna("Nodes", function("new", text("type", required=True), pointer("node", "Node", output=True)), function("clear")),
    rna(
        "Node",
        enum("type", readonly=True),
        collection("inputs", "NodeSocket", "NodeInputs"),
        collection("outputs", "NodeSocket", "NodeOutputs"),
        text("name"),
    ),
    rna("NodeInputs"),
    rna("NodeOutputs"),
    rna("NodeSocket", text("name")),
    rna("NodeSocketColor", number("default_value", array=(4,)), base="NodeSocket"),
    rna("NodeSocketFloat", number("default_value"), base="NodeSocket"),
    rna("ShaderNode", base="Node"),
    rna("ShaderNodeBsdfPrincipled", base="ShaderNode"),
    rna("CompositorNodeRLayers", enum("layer", "View Layer"), base="Node"),
    rna("ShaderNodeTexNoise", enum("noise_dimensions", "3D", "4D"), base="ShaderNode"),
    rna("Modifier", enum("type", *MODIFIERS, readonly=True), text("name")),
    rna("BevelModifier", number("width"), number("segments", "INT", min=1, max=1000), base="Modifier"),
    rna(
        "SubsurfModifier",
        number("levels", "INT", min=0, max=11),
        enum("flags", "A", "B", flags=True),
        base="Modifier",
    ),
    rna(
        "ObjectModifiers",
        function(
            "new",
            text("name", **ANY_ARGUMENTS),
            enum("type", *MODIFIERS, **ANY_ARGUMENTS),
            pointer("modifier", "Modifier", output=True),
        ),
    ),
    rna(
        "Scene",
        pointer("render", "RenderSettings", readonly=True),
        pointer("eevee", "SceneEEVEE", readonly=True),
        pointer("camera", "Object"),
        collection("objects", "Object", "SceneObjects"),
        base="ID",
    ),
    rna("SceneEEVEE", number("samples", "INT")),
    rna("SceneObjects"),
    rna("RenderSettings", enum("engine", *ENGINES)),
    rna("Context", pointer("scene", "Scene", readonly=True)),
    rna("Depsgraph", function("update")),
    rna("Event", enum("value", "PRESS", "RELEASE", readonly=True)),
    rna("Action", collection("slots", "ActionSlot"), base="ID"),
    rna("ActionSlot", text("identifier")),
    rna(
        "World",
        number("color", array=(3,), subtype="COLOR"),
        Property(name="use_nodes", type="BOOLEAN"),
        pointer("node_tree", "NodeTree", readonly=True),
        base="ID",
    ),
    rna(
        "BlendData",
        collection("objects", "Object", "BlendDataObjects"),
        collection("lights", "Light", "BlendDataLights"),
        collection("materials", "Material", "BlendDataMaterials"),
        collection("actions", "Action"),
        collection("worlds", "World", "BlendDataWorlds"),
    ),
    rna(
        "BlendDataObjects",
        function(
            "new", text("name", **ANY_ARGUMENTS), pointer("object_data", "ID"), pointer("o", "Object", output=True)
        ),
    ),
    rna(
        "BlendDataLights",
        function(
            "new",
            text("name", **ANY_ARGUMENTS),
            enum("type", *LIGHTS, **ANY_ARGUMENTS),
            pointer("l", "Light", output=True),
        ),
    ),
    rna("BlendDataWorlds", function("new", text("name", **ANY_ARGUMENTS), pointer("w", "World", output=True))),
    rna("BlendDataMaterials", function("new", text("name", **ANY_ARGUMENTS), pointer("m", "Material", output=True))),
    rna(
        "Operator",
        function(
            "execute",
            pointer("context", "Context"),
            enum("result", "FINISHED", "CANCELLED", flags=True, output=True),
        ),
        function("invoke", pointer("context", "Context"), pointer("event", "Event")),
        function("report", enum("type", "INFO", "WARNING", flags=True, required=True), text("message", required=True)),
    ),
    rna("Panel", pointer("layout", "UILayout", readonly=True), function("draw", pointer("context", "Context"))),
    rna("Menu", pointer("layout", "UILayout", readonly=True), function("draw", pointer("context", "Context"))),
    rna("UIList", function("draw_item", pointer("context", "Context"), pointer("layout", "UILayout"))),
    rna("OperatorProperties"),
    rna("AnyType"),
    rna(
        "UILayout",
        function("label", text("text")),
        function("row", pointer("layout", "UILayout", output=True)),
        function("prop", pointer("data", "AnyType", required=True), text("property", required=True), text("text")),
        function("operator", text("operator", required=True), pointer("properties", "OperatorProperties", output=True)),
        function("menu", text("menu", required=True)),
    ),
    rna("PropertyGroup"),
    rna("SpaceView3D"),
)

HANDLERS = ("load_post", "depsgraph_update_post", "frame_change_pre", "frame_change_post", "persistent")
PROPERTIES = ("FloatProperty", "IntProperty", "StringProperty", "PointerProperty", "CollectionProperty")

CUBE_ADD = Operator(
    "mesh.primitive_cube_add",
    "Add Cube",
    "",
    {
        "size": number("size", min=0.0),
        "location": number("location", array=(3,)),
        "align": enum("align", "WORLD", "VIEW", "CURSOR"),
    },
)
CUBE = "BMeshOpFunc bmesh.ops.create_cube(bmesh, size=0, matrix=Matrix())\n-> dict(verts=[])"


def small_manifest(version: str = "5.0.1") -> Manifest:
    """The API of a Blender with little in it."""
    noise = (Socket("Vector", "Vector", "NodeSocketColor"), Socket("W", "W", "NodeSocketFloat", enabled=False))
    principled = (
        Socket("Base Color", "Base Color", "NodeSocketColor"),
        Socket("Roughness", "Roughness", "NodeSocketFloat"),
        Socket("Emission Color", "Emission Color", "NodeSocketColor"),
    )
    passes = (
        Socket("Image", "Image", "NodeSocketColor"),
        Socket("Depth", "Depth", "NodeSocketFloat", enabled=False),
    )
    shader, compositor = ("ShaderNodeTree",), ("CompositorNodeTree",)
    nodes = (
        NodeType("ShaderNodeBsdfPrincipled", "Principled BSDF", shader, principled, varies=False),
        NodeType("ShaderNodeTexNoise", "Noise Texture", shader, noise, varies=False),
        NodeType("CompositorNodeBlur", "Blur", compositor, varies=False),
        NodeType("CompositorNodeRLayers", "Render Layers", compositor, outputs=passes, varies=False),
    )
    vector = class_of("Vector", method("normalized", ":rtype: :class:`Vector`"), PythonMember("x", "attribute"))
    bmesh = class_of(
        "BMesh", method("free"), PythonMember("verts", "attribute", ":type: :class:`bmesh.types.BMVertSeq`")
    )
    sequence = class_of("BMVertSeq", method("ensure_lookup_table"))
    new = PythonMember(
        "new", "function", ".. method:: new(*, use_operators=True)\n\n:rtype: :class:`bmesh.types.BMesh`"
    )
    return Manifest(
        version=version,
        build_hash="small",
        templates="",
        types={one.name: one for one in TYPES},
        operators={CUBE_ADD.name: CUBE_ADD},
        nodes={node.identifier: node for node in nodes},
        identifiers={
            "modifiers": identifiers(MODIFIERS),
            "lights": identifiers(LIGHTS),
            "engines": identifiers(dict.fromkeys(ENGINES, "RenderSettings")),
        },
        context={"object": "Object", "selected_objects": "list of Object"},
        modules={
            "bpy.app": ApiModule(
                "bpy.app", "", {name: PythonMember(name, "data") for name in ("version", "version_string")}
            ),
            "bpy.props": ApiModule("bpy.props", "", {name: PythonMember(name, "function") for name in PROPERTIES}),
            "blf": ApiModule("blf", "", {"size": PythonMember("size", "function", ".. function:: size(fontid, size)")}),
            "gpu.shader": ApiModule("gpu.shader", "", {"from_builtin": PythonMember("from_builtin", "function")}),
            "bpy.app.handlers": ApiModule(
                "bpy.app.handlers", "", {name: PythonMember(name, "data") for name in HANDLERS}
            ),
            "bpy.app.timers": ApiModule("bpy.app.timers", "", {"register": PythonMember("register", "function")}),
            "bmesh": ApiModule("bmesh", "", {"new": new}),
            "bmesh.ops": ApiModule("bmesh.ops", "", {"create_cube": PythonMember("create_cube", "function", CUBE)}),
            "bmesh.types": ApiModule("bmesh.types", "", {"BMesh": bmesh, "BMVertSeq": sequence}),
            "mathutils": ApiModule("mathutils", "", {"Vector": vector}),
        },
    )


def identifiers(classes: dict[str, str]) -> dict[str, Identifier]:
    return {name: Identifier(name, name.title(), "", made) for name, made in classes.items()}
