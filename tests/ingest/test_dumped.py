"""From a manifest to symbols and chunks: every kind, once each, in words that can be found."""

from __future__ import annotations

import dataclasses
import random

import pytest

from ingest.chunks import ATTRIBUTE_LIMIT, TEXT_LIMIT, chunk_of, in_words
from ingest.docstrings import read_docstring, split_arguments
from ingest.dumped import read_dumped
from ingest.manifest import Manifest, Operator, Property, PythonMember, RnaFunction
from ingest.symbol import Item, Symbol, SymbolParameter, symbol_from_json
from tests.small_manifest import class_of, enum, number, pointer, rna, small_manifest, text


def with_type(*members: Property | RnaFunction | PythonMember, base: str = "") -> dict[str, Symbol]:
    """The symbols of the small manifest with one type more, called Lamp."""
    manifest = small_manifest()
    lamp = rna("Lamp", *members, base=base)
    return by_address(dataclasses.replace(manifest, types={**manifest.types, "Lamp": lamp}))


def by_address(manifest: Manifest) -> dict[str, Symbol]:
    symbols = read_dumped(manifest)
    assert len({symbol.address for symbol in symbols}) == len(symbols)
    return {symbol.address: symbol for symbol in symbols}


def attribute(prop: Property) -> Symbol:
    return with_type(prop)[f"bpy.types.Lamp.{prop.name}"]


SMALL = by_address(small_manifest())


# Symbols


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("bpy.types.Object", "class"),
        ("bpy.types.Object.location", "attribute"),
        ("bpy.types.Object.select_set", "method"),
        ("bpy.types.bpy_struct.keyframe_insert", "method"),
        ("bpy.ops.mesh.primitive_cube_add", "operator"),
        ("bpy.context.object", "data"),
        ("bpy.app.version", "data"),
        ("bpy.app", "module"),
        ("bmesh.new", "function"),
        ("bmesh.types.BMesh", "class"),
        ("bmesh.types.BMesh.free", "method"),
        ("mathutils.Vector.x", "attribute"),
    ],
)
def test_everything_in_a_manifest_is_a_symbol(address: str, kind: str) -> None:
    assert SMALL[address].kind == kind


def test_a_class_is_called_by_what_makes_it() -> None:
    subsurf = SMALL["bpy.types.SubsurfModifier"]
    assert subsurf.aliases == ("SUBSURF", "Subsurf")
    assert "type 'SUBSURF'" in subsurf.description
    assert subsurf.bases == ("bpy.types.Modifier", "bpy.types.bpy_struct")
    assert "bpy.types.SubsurfModifier" in SMALL["bpy.types.Modifier"].see_also
    # An engine is no class of its own.
    assert SMALL["bpy.types.RenderSettings"].aliases == ()


def test_a_node_names_its_sockets() -> None:
    principled = SMALL["bpy.types.ShaderNodeBsdfPrincipled"]
    assert principled.label == "Principled BSDF"
    assert principled.description == "Inputs: Base Color, Roughness, Emission Color."


@pytest.mark.parametrize(
    ("prop", "said"),
    [
        (number("power", min=0.0, max=1.0, default=0.25), "float in [0, 1], default 0.25"),
        (number("power", "INT", min=1), "int, at least 1"),
        (number("power", "INT", default=0), "int, default 0"),
        (number("power", array=(3,), subtype="XYZ", default=[0.0, 1.0, 0.5]), "Vector of 3, default (0, 1, 0.5)"),
        (number("power", array=(4, 4), subtype="MATRIX"), "Matrix of 4 x 4"),
        (number("power", "INT", array=(1,), default=[0]), "int array of 1, default (0,)"),
        (Property("power", "BOOLEAN", default=False), "boolean, default False"),
        (text("power", default="it's"), 'string, default "it\'s"'),
        (enum("power", "A", "B", default="A"), "enum, default 'A'"),
        (enum("power", "A", "B", flags=True, default=["A", "B"]), "set of enum items, default {'A', 'B'}"),
        (enum("power", "A", flags=True, default=[]), "set of enum items"),
        (pointer("power", "Object"), "Object"),
        (Property("power", "COLLECTION", of="Object"), "collection bpy_prop_collection of Object"),
    ],
)
def test_an_attribute_says_what_it_holds(prop: Property, said: str) -> None:
    assert attribute(prop).type == said


def test_an_attribute_keeps_items_and_what_may_be_written() -> None:
    items = (Item("HIGH", "High Beam", "Far"), Item("LOW"))
    beam = attribute(Property("beam", "ENUM", items=items, readonly=True))
    assert beam.items == items and beam.readonly
    assert not attribute(number("power")).readonly
    assert attribute(number("power", description="Watts", deprecated="use energy")).description == "Watts. use energy."


def test_a_call_is_shown_as_a_script_writes_it() -> None:
    assert SMALL["bpy.types.ObjectModifiers.new"].signature == "(name, type)"
    assert SMALL["bpy.types.ObjectModifiers.new"].type == "Modifier"
    flags = enum("flags", "A", "B", flags=True, default=["A"])
    none = enum("none", "A", flags=True, default=[])
    arguments = (flags, none, number("n", default=1.0), pointer("to", "Object"), pointer("made", "Object", output=True))
    turn = RnaFunction("turn", "", {argument.name: argument for argument in arguments})
    symbol = with_type(turn)["bpy.types.Lamp.turn"]
    assert symbol.signature == "(flags={'A'}, none=set(), n=1, to=None)"
    assert [parameter.name for parameter in symbol.parameters] == ["flags", "none", "n", "to"]
    assert symbol.parameters[0].type == "set of enum items, default {'A'} in ['A', 'B']"
    assert symbol.see_also == ("bpy.types.Lamp", "bpy.types.Object")


def test_hidden_arguments_of_an_operator_are_left_out() -> None:
    hidden = {"size": number("size"), "quiet": Property("quiet", "BOOLEAN", hidden=True)}
    operator = Operator("lamp.light", "Light", "", hidden)
    manifest = dataclasses.replace(small_manifest(), operators={operator.name: operator})
    assert [one.name for one in by_address(manifest)["bpy.ops.lamp.light"].parameters] == ["size"]


@pytest.mark.parametrize(
    ("written", "shown"),
    [("(self)", "()"), ("(self, a, b=1)", "(a, b=1)"), ("(cls, context)", "(context)"), ("(selfish)", "(selfish)")],
)
def test_what_python_gives_by_itself_is_no_argument(written: str, shown: str) -> None:
    member = PythonMember("turn", "method", signature=written)
    assert with_type(member)["bpy.types.Lamp.turn"].signature == shown


def test_class_methods_are_repeated_below_and_others_are_not() -> None:
    manifest = small_manifest()
    members = (PythonMember("poll", "method", static=True), PythonMember("draw", "method"))
    types = {**manifest.types, "Base": rna("Base", *members), "Lamp": rna("Lamp", base="Base")}
    symbols = by_address(dataclasses.replace(manifest, types=types))
    assert "bpy.types.Lamp.poll" in symbols and "bpy.types.Base.poll" in symbols
    assert "bpy.types.Base.draw" in symbols and "bpy.types.Lamp.draw" not in symbols


@pytest.mark.parametrize("name", ["bl_rna", "rna_type", "bl_rna_get_subclass", "input_template", "bl_system_x"])
def test_what_every_class_has_is_left_out(name: str) -> None:
    for member in (number(name), RnaFunction(name, "", {}), PythonMember(name, "method", static=True)):
        assert f"bpy.types.Lamp.{name}" not in with_type(member)


def test_an_address_that_is_found_twice_is_kept_once() -> None:
    symbols = with_type(text("name"), PythonMember("name", "attribute"), class_of("name"))
    assert symbols["bpy.types.Lamp.name"].type == "string"


def test_a_symbol_is_read_back_as_it_was_written() -> None:
    for symbol in read_dumped(small_manifest()):
        assert symbol_from_json(symbol.to_json()) == symbol


# Docstrings


def test_a_docstring_gives_its_parts() -> None:
    said = read_docstring(
        ".. method:: rotate(other, /, *, order='XYZ')\n\n"
        "   Rotate the :class:`Vector` by ``other``,\n"
        "   :class:`Matrix` or :class:`~mathutils.Euler <this>`.\n\n"
        "   :arg other: What it is turned by,\n"
        "      in radians.\n"
        "   :type other: :class:`Euler`\n"
        "   :arg order: The order.\n"
        "   :rtype: :class:`Vector`\n\n"
        "   .. note:: Not read.\n"
    )
    assert said.signature == "(other, /, *, order='XYZ')"
    assert said.description == "Rotate the Vector by other, Matrix or mathutils.Euler."
    assert said.parameters == (
        SymbolParameter("other", "Euler", "", "What it is turned by, in radians."),
        SymbolParameter("order", "", "'XYZ'", "The order."),
    )
    assert said.type == "Vector"


@pytest.mark.parametrize("doc", [":type: int (read-only)", "The size, read-only.\n\n:type: int", ":type: readonly int"])
def test_a_docstring_says_read_only(doc: str) -> None:
    assert read_docstring(doc).readonly


def test_one_field_may_describe_several_arguments() -> None:
    said = read_docstring(".. function:: size(x, y)\n\n   :arg x, y: In pixels.\n   :type x, y: int\n")
    assert said.parameters == (
        SymbolParameter("x", "int", "", "In pixels."),
        SymbolParameter("y", "int", "", "In pixels."),
    )


@pytest.mark.parametrize(
    ("doc", "signature", "description"),
    [
        ("KdTree(size) -> new tree with ``size`` items.", "(size)", "new tree with size items."),
        ("BMeshOpFunc bmesh.ops.bevel(bmesh, geom=[])\n-> dict(faces=[])", "(bmesh, geom=[])", ""),
        ("BMeshOpFunc bmesh.ops.cut(" + "edges=[], " * 60 + "n=1)", "(" + "edges=[], " * 60 + "n=1)", ""),
        ("Vector(seq) is a vector (of any size).", "", "Vector(seq) is a vector (of any size)."),
        ("(experimental) Use it with care.", "", "(experimental) Use it with care."),
        ("Poll(ntree", "", "Poll(ntree"),
        (".. method:: target(handle):\n\n   Set it.", "(handle)", "Set it."),
        (".. attribute:: size\n\n   How large.", "", "How large."),
        ("", "", ""),
    ],
)
def test_a_first_line_is_a_call_or_a_sentence(doc: str, signature: str, description: str) -> None:
    said = read_docstring(doc)
    assert (said.signature, said.description) == (signature, description)


@pytest.mark.parametrize(
    ("signature", "arguments"),
    [
        ("", []),
        ("()", []),
        ("(self, a)", [("a", "")]),
        ("(a, b=1, *, c=(0, 0), **d)", [("a", ""), ("b", "1"), ("c", "(0, 0)"), ("d", "")]),
        ("(a={'X': [1, (2, 3)]}, b=[[0, 1], [2]])", [("a", "{'X': [1, (2, 3)]}"), ("b", "[[0, 1], [2]]")]),
        ("(a=', ', b=\"((\", c=']')", [("a", "', '"), ("b", '"(("'), ("c", "']'")]),
        ("(a: dict[str, int] = {}, b: int)", [("a", "{}"), ("b", "")]),
        ("(a[, b[, c]])", [("a", ""), ("b", ""), ("c", "")]),
        ("(a[, b, c=[]])", [("a", ""), ("b", ""), ("c", "[]")]),
    ],
)
def test_arguments_are_told_apart(signature: str, arguments: list[tuple[str, str]]) -> None:
    assert split_arguments(signature) == arguments


def test_no_docstring_is_too_odd_to_read() -> None:
    parts = [
        "(",
        ")",
        "[",
        "]",
        "[,",
        ",",
        "=",
        ":",
        "::",
        ".. ",
        "\n",
        " ",
        ":arg x:",
        ":type",
        "`",
        "'",
        '"',
        "a",
        "\x00",
        "é",
    ]
    parts += [".. method:: f(", ":class:`", "->", "BMeshOpFunc ", ">>>", "..", ":arg , :", "\ud800"]
    chance = random.Random(3)
    for _ in range(3000):
        doc = "".join(chance.choice(parts) for _ in range(chance.randrange(24)))
        said = read_docstring(doc)
        assert all(parameter.name for parameter in said.parameters)


# Chunks


def test_the_text_that_is_embedded_stays_short() -> None:
    long = "word " * 1000
    items = tuple(Item(f"ITEM_{number}", f"Item {number}", long) for number in range(500))
    parameters = tuple(SymbolParameter(f"argument_{number}", long, long, long) for number in range(200))
    for kind in ("module", "class", "attribute", "method", "function", "operator", "data"):
        symbol = Symbol(f"bpy.types.Lamp.{kind}", kind, "Label", description=long, items=items, parameters=parameters)
        chunk = chunk_of(symbol)
        assert len(chunk.text) <= (ATTRIBUTE_LIMIT if kind == "attribute" else TEXT_LIMIT)
        assert chunk.symbol == symbol


def test_a_chunk_has_words_and_spelling() -> None:
    subsurf = chunk_of(SMALL["bpy.types.SubsurfModifier"])
    assert {"SUBSURF", "SubsurfModifier", "Subsurf", "Modifier"} <= set(subsurf.terms.split())
    cube = chunk_of(SMALL["bpy.ops.mesh.primitive_cube_add"])
    assert cube.text.startswith("mesh: Add Cube. primitive cube add")
    assert "primitive_cube_add" in cube.terms.split()
    fixed = chunk_of(attribute(enum("beam", "HIGH_BEAM", "LOW")))
    assert "HIGH_BEAM" in fixed.terms.split()


def test_a_digest_follows_the_text_alone() -> None:
    power = attribute(number("power"))
    same = dataclasses.replace(power, type="something else", see_also=("bpy.types.ID",))
    other = dataclasses.replace(power, description="Watts.")
    assert chunk_of(power).digest == chunk_of(same).digest != chunk_of(other).digest


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("SubsurfModifier", "Subsurf Modifier"),
        ("primitive_uv_sphere_add", "primitive uv sphere add"),
        ("BMEdgeSeq", "BM Edge Seq"),
        ("bpy.types.UVLoopLayers", "bpy types UV Loop Layers"),
        ("", ""),
        ("__", ""),
    ],
)
def test_names_are_put_into_words(name: str, words: str) -> None:
    assert in_words(name) == words
