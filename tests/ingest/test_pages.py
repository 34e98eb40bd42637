"""Reading the pages of a reference into symbols, over the small imitation in tests/pages."""

from __future__ import annotations

import functools

import pytest

from ingest.article import cut_article
from ingest.enum_items import read_enum_items
from ingest.inventory import InventoryEntry, read_inventory
from ingest.pages import PageContent, read_symbols
from ingest.symbol import Item, Symbol, SymbolParameter
from tests.reference import PAGES, inventory_bytes

HOME = "https://docs.example.org/api/9.1/"
GLOW_PAGE = "bpy_types_enum_items/glow_items.html"
GLOW_ITEMS = (Item("DIM", "Dim", "Hardly to be seen."), Item("BRIGHT", "Bright"))


def article_of(page: str) -> bytes:
    article = cut_article((PAGES / page).read_bytes())
    assert article is not None
    return article


def read_page(page: str) -> PageContent:
    entries = [entry for entry in read_inventory(inventory_bytes()).entries if entry.is_python and entry.page == page]
    return read_symbols(article_of(page), entries, HOME + page, {GLOW_PAGE: GLOW_ITEMS})


@functools.cache
def symbols_of(page: str) -> dict[str, Symbol]:
    content = read_page(page)
    assert content.missing == ()
    return {symbol.address: symbol for symbol in content.symbols}


def lantern(member: str = "") -> Symbol:
    return symbols_of("bpy.types.Lantern.html")[f"bpy.types.Lantern{member}"]


def wick(name: str) -> Symbol:
    return symbols_of("wick.html")[f"wick{name}"]


def test_a_class_with_all_that_its_page_says_of_it() -> None:
    assert lantern() == Symbol(
        address="bpy.types.Lantern",
        kind="class",
        description=(
            "A light that one's hand can carry\n"
            "Hanging One Up\n"
            "A script hangs the lantern where the beam ends.\n"
            "Note: A lantern is never hung twice."
        ),
        bases=("bpy.types.Fixture", "bpy.types.bpy_struct"),
        example="import bpy\n\nlantern.light()",
        page=f"{HOME}bpy.types.Lantern.html#bpy.types.Lantern",
        see_also=(
            "bpy.types.Fixture",
            "bpy.types.bpy_struct",
            "bpy.context.lantern",
            "bpy.types.Lantern.fuel",
            "bpy.types.Lantern.glow",
            "bpy.types.Lantern.glow_flags",
            "bpy.types.Lantern.wick_height",
            "bpy.types.Lantern.wick_width",
            "bpy.types.Lantern.holder",
            "bpy.types.Lantern.light",
            "bpy.types.Lantern.snuff",
            "bpy.types",
        ),
    )


def test_what_the_page_repeats_is_nowhere() -> None:
    told = "".join(symbol.to_json() for symbol in symbols_of("bpy.types.Lantern.html").values())
    for repeated in ("navigation", "Contents of the page", "Inherited", "Fixture.name", "base class", "no Python", "¶"):
        assert repeated not in told


def test_items_listed_with_the_attribute() -> None:
    fuel = lantern(".fuel")
    assert fuel.kind == "attribute"
    assert fuel.type == "enum in ['OIL', 'TALLOW'], default 'OIL'"
    assert fuel.items == (Item("OIL", "Lamp-Oil", "Burns long \u2013 and smells."), Item("TALLOW", "Tallow"))
    assert fuel.description == "What burns in it"


def test_items_of_a_shared_enumeration() -> None:
    assert read_enum_items(article_of(GLOW_PAGE)) == GLOW_ITEMS
    assert lantern(".glow").items == GLOW_ITEMS
    assert lantern(".glow").type == "enum in ['DIM', 'BRIGHT'], default 'DIM'"


def test_an_enumeration_whose_page_failed_keeps_its_name() -> None:
    entry = InventoryEntry("bpy.types.Lantern.glow", "py", "attribute", "", "bpy.types.Lantern.glow")
    symbol = read_symbols(article_of("bpy.types.Lantern.html"), [entry], HOME, {}).symbols[0]
    assert symbol.type == "enum in Glow Items, default 'DIM'"
    assert symbol.items == ()


def test_a_long_shared_enumeration_is_not_written_out_in_the_type() -> None:
    entry = InventoryEntry("bpy.types.Lantern.glow", "py", "attribute", "", "bpy.types.Lantern.glow")
    items = tuple(Item(f"GLOW_{number}") for number in range(65))
    symbol = read_symbols(article_of("bpy.types.Lantern.html"), [entry], HOME, {GLOW_PAGE: items}).symbols[0]
    assert symbol.type == "enum in Glow Items, default 'DIM'"
    assert symbol.items == items


def test_items_that_only_the_type_names_and_a_list_that_holds_none() -> None:
    flags = lantern(".glow_flags")
    assert flags.items == (Item("STEADY"), Item("FLICKER"))
    assert flags.description == "Ways to shine:\n- one after the other"


def test_read_only_is_taken_out_of_the_type() -> None:
    assert (lantern(".glow_flags").type, lantern(".glow_flags").readonly) == (
        "enum set in {'STEADY', 'FLICKER'}, default {'STEADY'}",
        True,
    )
    name = symbols_of("bpy.types.Fixture.html")["bpy.types.Fixture.name"]
    assert (name.type, name.readonly) == ('string, default "", (never None)', True)
    assert wick(".length").readonly
    assert not lantern(".wick_height").readonly


def test_a_member_of_a_class_is_an_attribute_whatever_its_role() -> None:
    assert (lantern(".holder").kind, lantern(".holder").type) == ("attribute", "Fixture")


def test_a_method_with_its_parameters_in_the_order_of_the_signature() -> None:
    light = lantern(".light")
    assert light.kind == "method"
    assert light.signature == "(match, *, glow='DIM', **keywords)"
    assert light.type == "boolean"
    assert light.description == "Set fire to the wick\nReturns: Whether it burns"
    assert light.parameters == (
        SymbolParameter("match", "Fixture, (never None)", "", "A match (dry)"),
        SymbolParameter("glow", "enum in ['DIM', 'BRIGHT']", "'DIM'", "Glow, How it shines"),
        SymbolParameter("keywords", "", "", "Whatever else"),
        SymbolParameter("draught", "float", "", "Only the fields know it"),
    )
    assert light.see_also[:2] == ("bpy.types.Lantern", "bpy.types.Fixture")


def test_a_return_type_that_stands_in_the_signature() -> None:
    snuff = lantern(".snuff")
    assert (snuff.signature, snuff.type, snuff.example) == ("()", "int", "Lantern.snuff()")


def test_neighbours_share_words_of_the_name() -> None:
    assert lantern(".wick_width").see_also == ("bpy.types.Lantern", "bpy.types.Lantern.wick_height")


def test_an_operator_with_a_list_in_its_parameter() -> None:
    hang = symbols_of("bpy.ops.lantern.html")["bpy.ops.lantern.hang"]
    assert hang.kind == "operator"
    assert hang.signature == "(*, side='LEFT', place=(0.0, 0.0))"
    assert hang.description == "Hang a lantern"
    assert hang.parameters == (
        SymbolParameter(
            "side",
            "enum in ['LEFT', 'RIGHT']",
            "'LEFT'",
            "Side, Where it hangs\n- LEFT Left \u2013 On the left.\n- RIGHT Right.",
        ),
        SymbolParameter("place", "float array of 2 items in [-inf, inf]", "(0.0, 0.0)", "Place"),
    )
    assert hang.see_also == ("bpy.ops.lantern.hang_many", "bpy.ops.lantern")


def test_a_single_parameter_is_no_list() -> None:
    many = symbols_of("bpy.ops.lantern.html")["bpy.ops.lantern.hang_many"]
    assert many.parameters == (
        SymbolParameter("pattern", "enum in ['ROW', 'RING']", "'ROW'", "Pattern\n- ROW Row \u2013 In a row."),
    )
    assert many.description == ""


def test_modules_have_a_label_and_their_prose() -> None:
    operators = symbols_of("bpy.ops.lantern.html")["bpy.ops.lantern"]
    assert (operators.kind, operators.label, operators.description) == ("module", "Lantern Operators", "")
    types = symbols_of("bpy.types.html")["bpy.types"]
    assert (types.label, types.description) == ("Types", "")
    assert types.page == f"{HOME}bpy.types.html#module-bpy.types"


def test_a_page_of_an_older_sphinx() -> None:
    assert wick("").label == "Wicks"
    assert wick("").description == "About Braid.\nWick | Burns\nflat | long\nFLAT: for lamps\n- loose text with code"
    assert wick("").see_also[0] == "wick.Braid"
    assert wick(".Braid").bases == ("wick.Cord",)
    assert wick(".Braid").description == "Several cords"
    assert wick(".Braid").signature == ""
    assert wick(".Braid.__init__").signature == "()\n(brother)"
    assert wick(".Braid.__init__").parameters == (SymbolParameter("brother"),)
    assert wick(".Braid.soak").parameters == (SymbolParameter("oil"), SymbolParameter("hours", "", "2"))
    assert wick(".Braid.soak").description == (
        "Soak it\nRaises: ValueError \u2013 without oil\nReturns:\nwhat is left\nof the oil"
    )


@pytest.mark.parametrize(
    ("name", "kind"),
    [(".Braid.soak", "method"), (".trim", "function"), (".length", "data"), (".Cord", "class")],
)
def test_the_kind_follows_from_the_place_and_not_from_the_role(name: str, kind: str) -> None:
    assert wick(name).kind == kind


def test_a_constructor_has_its_arguments_in_the_signature() -> None:
    article = article_of("wick.html").replace(b"Class hierarchy", b"Cords")
    entry = InventoryEntry("wick.Braid", "py", "class", "", "wick.Braid")
    braid = read_symbols(article, [entry], HOME, {}).symbols[0]
    assert (braid.signature, braid.parameters, braid.bases) == (
        "(strands=3)",
        (SymbolParameter("strands", "", "3"),),
        (),
    )


def test_broken_html_gives_what_is_left_of_it() -> None:
    found = symbols_of("bpy.context.html")["bpy.context.lantern"]
    assert (found.kind, found.type, found.readonly) == ("data", "bpy.types.Lantern", True)


@pytest.mark.parametrize("length", [10, 400, 3000, 6000])
def test_a_page_cut_anywhere_is_read_without_an_error(length: int) -> None:
    entries = [entry for entry in read_inventory(inventory_bytes()).entries if "bpy.types.Lantern" in entry.name]
    content = read_symbols(article_of("bpy.types.Lantern.html")[:length], entries, HOME, {})
    assert len(content.symbols) + len(content.missing) == len(entries)
    assert content.missing


def test_an_anchor_at_the_wrong_place_is_missing() -> None:
    entry = InventoryEntry("bpy.types.Lantern.hanging", "py", "attribute", "", "hanging-one-up")
    assert read_symbols(article_of("bpy.types.Lantern.html"), [entry], HOME, {}).missing == (entry.name,)


@pytest.mark.parametrize(
    ("page", "article"),
    [
        (b"<nav></nav><article role=main>x</article><p>y", b"<article role=main>x</article>"),
        (b"<article>the rest is cut", b"<article>the rest is cut"),
        (b'<p><div class="document" role="main">x</div><footer>y', b'<div class="document" role="main">x</div>'),
        (b'<main role="main">x', b'<main role="main">x'),
        (b"<p>Not found</p>", None),
        (b"", None),
    ],
)
def test_the_article_is_cut_out(page: bytes, article: bytes | None) -> None:
    assert cut_article(page) == article
