"""The book of changes: how rows are written, found, and what they say about values."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from app.healing.rules import RULES
from ingest.book import Book, BookRow, parts_of, read_rows, whole_book


def _rows(folder: Path, text: str) -> dict[str, BookRow]:
    file = folder / "rows.toml"
    file.write_text(text)
    return read_rows([file])


def test_braces_stand_for_several_addresses(tmp_path: Path) -> None:
    rows = _rows(tmp_path, '"bpy.types.{A,B}.{x,y}" = { since = "4.0", gone = true }')
    assert sorted(rows) == ["bpy.types.A.x", "bpy.types.A.y", "bpy.types.B.x", "bpy.types.B.y"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('"bpy.types.{A,A}.x" = { since = "4.0", gone = true }', "listed twice"),
        ('"bpy types A" = { since = "4.0", gone = true }', "is not an address"),
        ('"bpy.types.A.x" = { since = "4.0" }', "say `becomes`"),
        ('"bpy.types.A.x" = { since = "4.0", gone = true, becomes = "y" }', "becomes nothing"),
        ('"bpy.types.A.x" = { since = "4.0", becomes = "y", drop = true }', "only what is gone"),
        ('"bpy.types.A.x" = { since = "4", gone = true }', "since"),
        ('"bpy.types.A.x" = { since = "4.0", gone = true, use = "`y`" }', "use"),
    ],
)
def test_a_row_that_says_nothing_or_two_things_is_refused(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises((ValueError, ValidationError), match=said):
        _rows(tmp_path, text)


@pytest.mark.parametrize(
    ("address", "parts"),
    [
        ("bpy.types.Object.hide", ("member", "Object", "hide")),
        ("bpy.types.Lamp", ("class", "", "Lamp")),
        ("bpy.ops.object.lamp_add", ("operator", "", "object.lamp_add")),
        ("*(layers)", ("argument", "*", "layers")),
        ("blf.size(3)", ("argument", "blf.size", "3")),
        ("bpy.ops.object.add(type)='LAMP'", ("item", "bpy.ops.object.add(type)", "LAMP")),
        ("icon='ZOOMIN'", ("item", "icon", "ZOOMIN")),
        ("bpy.types.A.inputs['Old Name']", ("socket", "A.inputs", "Old Name")),
        ("bpy.types.Object.modifiers['Old Name']", ("name", "Object.modifiers", "Old Name")),
        ("node ShaderNodeTexMusgrave", ("node", "", "ShaderNodeTexMusgrave")),
        ("bgl", ("module", "", "bgl")),
    ],
)
def test_the_form_of_an_address_tells_its_kind(address: str, parts: tuple[str, str, str]) -> None:
    assert parts_of(address) == parts


def test_a_row_counts_from_its_series_on() -> None:
    assert Book.for_version((5, 0, 1)).find("bpy.types.Action.fcurves")
    assert not Book.for_version((4, 5, 0)).find("bpy.types.Action.fcurves")


def test_an_address_of_its_own_comes_before_a_pattern() -> None:
    rows = {
        "bpy.types.*Sensor": BookRow(since="2.80", gone=True),
        "bpy.types.RaySensor": BookRow(since="2.80", becomes="Ray"),
    }
    book = Book(rows)
    assert book.find("bpy.types.RaySensor") == ("bpy.types.RaySensor", rows["bpy.types.RaySensor"])
    assert book.find("bpy.types.NearSensor") == ("bpy.types.NearSensor", rows["bpy.types.*Sensor"])
    assert book.find("bpy.types.Sensors") is None


@pytest.mark.parametrize(
    ("row", "source", "text", "new"),
    [
        (BookRow(since="2.80", becomes="y"), "a + 1", None, "a + 1"),
        (BookRow(since="2.80", becomes="y", values={"OLD": "NEW"}), "'OLD'", "OLD", "'NEW'"),
        (BookRow(since="2.80", becomes="y", values={"OLD": "NEW"}), "'KEPT'", "KEPT", None),
        (BookRow(since="2.80", becomes="y", values={"OLD": "NEW"}), "kind", None, "kind"),
        (BookRow(since="2.80", becomes="y", values={"True": "ON", "False": "OFF"}), "False", None, "'OFF'"),
        (
            BookRow(since="2.80", becomes="y", values={"True": "ON", "False": "OFF"}),
            "flag",
            None,
            "'ON' if flag else 'OFF'",
        ),
        (BookRow(since="2.80", becomes="y", values={"True": "", "False": "OFF"}), "True", None, ""),
        (BookRow(since="2.80", becomes="y", template="2 * {value}"), "3", None, "6"),
        (BookRow(since="2.80", becomes="y", template="2 * {value}"), "a + b", None, "2 * (a + b)"),
        (BookRow(since="2.80", becomes="y", template="{value} / 100"), "50", None, "0.5"),
        (BookRow(since="2.80", becomes="y", template="not {value}"), "True", None, "False"),
        (BookRow(since="2.80", becomes="y", template="{{value}}"), "'VERTEX'", "VERTEX", "{'VERTEX'}"),
    ],
)
def test_a_value_has_the_form_of_the_new_place(row: BookRow, source: str, text: str | None, new: str | None) -> None:
    assert row.value_of(source, text) == new


def test_rules_that_rows_name_exist() -> None:
    named = {row.rule for row in whole_book().rows.values() if row.rule}
    assert named
    assert named <= {rule.name for rule in RULES}
