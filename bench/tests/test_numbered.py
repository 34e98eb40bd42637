"""The rows of moved inputs: what is the same input, what moved, and what stays unnamed."""

from __future__ import annotations

import dataclasses

from bench.numbered import rows
from ingest.manifest import Manifest, NodeType, Socket

EMPTY = Manifest("", "", "", {}, {}, {}, {}, {}, {})


def _blender(version: str, *sockets: str) -> Manifest:
    """One with one node; a socket is given as `identifier name type`."""
    parts = [socket.split(" ") for socket in sockets]
    inputs = tuple(Socket(identifier, name, kind) for identifier, name, kind in parts)
    return dataclasses.replace(EMPTY, version=version, nodes={"Over": NodeType("Over", "", (), inputs, varies=False)})


OLD = _blender("4.5.1", "F Fac N", "I Image C", "J Image C")
NEW = _blender("5.0.1", "A Back C", "B Front C", "F Factor N", "T Type M")


def test_an_input_is_known_by_its_identifier_and_then_by_its_place_among_those_of_its_type() -> None:
    assert list(rows([OLD, NEW])) == [
        '"bpy.types.Over.inputs" = { since = "5.0", numbered = ["Factor", "Back", "Front"] }'
    ]
    assert list(rows([NEW, NEW])) == []


def test_inputs_that_only_follow_are_no_move() -> None:
    assert list(rows([_blender("4.5.1", "A Back C"), NEW])) == []
    assert list(rows([_blender("4.5.1", "A Back C", "F Factor N"), NEW])) != []


def test_a_number_that_differed_in_older_blenders_has_no_name() -> None:
    [row] = rows([_blender("4.2.1", "F Fac N", "B Front C", "A Back C"), OLD, NEW])
    assert 'numbered = ["Factor", "", ""]' in row


def test_a_row_begins_where_the_number_moved() -> None:
    later = dataclasses.replace(NEW, version="5.2.1")
    assert 'since = "5.0"' in next(iter(rows([OLD, NEW, later])))


def test_a_name_that_two_inputs_have_is_none() -> None:
    [row] = rows([OLD, _blender("5.0.1", "A Back C", "B Front C", "F Same N", "T Same M")])
    assert 'numbered = ["", "Back", "Front"]' in row
