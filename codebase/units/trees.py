"""The units of JavaScript and TypeScript files, and of Python files that Python cannot parse, by tree-sitter."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator, Sequence
from typing import Any, Final

from codebase.units.unit import Kind, ParsedFile, Unit, without

Node = Any
"""A tree-sitter node; its type stubs leave too much open to be of use."""

CLASSES: Final = {
    *("class_definition", "class_declaration", "abstract_class_declaration", "class"),
    *("interface_declaration", "enum_declaration"),
}
FUNCTIONS: Final = {
    *("function_definition", "function_declaration", "generator_function_declaration", "method_definition"),
    *("function_signature", "type_alias_declaration"),
}
VALUES: Final = {"arrow_function", "function_expression", "generator_function", "class"}
"""Values that make a unit of the variable or field that they are assigned to."""
ASSIGNED: Final = {
    "variable_declarator",
    "public_field_definition",
    "field_definition",
    "pair",
    "assignment_expression",
}
WRAPPERS: Final = {"export_statement", "decorated_definition", "lexical_declaration", "variable_declaration"}
"""Nodes whose lines belong to the unit that they hold, such as `export const` and decorators."""
MAX_DEPTH: Final = 200
"""Deeper nodes are skipped: the walk must end on any input."""


@dataclasses.dataclass(frozen=True)
class _DefinitionNode:
    node: Node
    outer: Node
    name: str
    is_class: bool
    depth: int


@functools.cache
def parser(language: str) -> Any:
    """The parser of a language: python, javascript, typescript, tsx, html or css."""
    import tree_sitter

    return tree_sitter.Parser(grammar_of(language))


@functools.cache
def query(language: str, pattern: str) -> Any:
    """The cursor that matches the nodes of a pattern."""
    import tree_sitter

    return tree_sitter.QueryCursor(tree_sitter.Query(grammar_of(language), pattern))


def grammar_of(language: str) -> Any:
    # Imported here, because most repositories need only some of these.
    import tree_sitter

    if language == "python":
        import tree_sitter_python as grammar

        made: Any = grammar.language()
    elif language == "javascript":
        import tree_sitter_javascript

        made = tree_sitter_javascript.language()
    elif language == "html":
        import tree_sitter_html

        made = tree_sitter_html.language()
    elif language == "css":
        import tree_sitter_css

        made = tree_sitter_css.language()
    else:
        import tree_sitter_typescript

        made = (
            tree_sitter_typescript.language_tsx() if language == "tsx" else tree_sitter_typescript.language_typescript()
        )
    # A number in some wheels and a capsule in others: the type of the parameter knows only one of them.
    language_of: Any = tree_sitter.Language
    return language_of(made)


def tree_units(text: str, lines: Sequence[str], language: str) -> ParsedFile:
    """One unit per function, class and method, and one for the module; broken parts are skipped."""
    data = text.encode("utf-8", "replace")
    root = parser(language).parse(data).root_node
    units: list[Unit] = []
    inner = [append_units(symbol, units, (), ()) for symbol in definitions(root)]
    last = max(1, len(lines))
    module = Unit("", "module", 1, last, own=without(1, last, inner))
    shown = "typescript" if language == "tsx" else language
    return ParsedFile(shown, (module, *units), tuple(dict.fromkeys(imports_of(root, language))))


def definitions(node: Node, depth: int = 0, outer: Node | None = None) -> Iterator[_DefinitionNode]:
    """The outermost functions and classes below a node."""
    for child in node.children if depth < MAX_DEPTH else ():
        around = outer or child if child.type in WRAPPERS else outer
        symbol = definition(child, outer or child, depth)
        if symbol:
            yield symbol
        elif child.named_child_count:
            yield from definitions(child, depth + 1, around if child.type in WRAPPERS else None)


def definition(node: Node, outer: Node, depth: int) -> _DefinitionNode | None:
    """The function or class that a node defines."""
    if node.type in CLASSES | FUNCTIONS:
        name = node.child_by_field_name("name")
        return _DefinitionNode(node, outer, node_text(name), node.type in CLASSES, depth) if name is not None else None
    if node.type in ASSIGNED:
        value = node.child_by_field_name("value") or node.child_by_field_name("right")
        names: list[Node] = [node.child_by_field_name(field) for field in ("name", "property", "key", "left")]
        called: Node = next((name for name in names if name is not None), None)
        if value is not None and called is not None and value.type in VALUES:
            shown = outer if node.type == "variable_declarator" else node
            return _DefinitionNode(value, shown, node_text(called), value.type == "class", depth)
    return None


def append_units(
    symbol: _DefinitionNode, units: list[Unit], names: tuple[str, ...], around: tuple[str, ...], in_class: bool = False
) -> tuple[int, int]:
    """Append the unit of a definition and those inside it; return its lines."""
    first, last = symbol.outer.start_point[0] + 1, symbol.node.end_point[0] + 1
    kind: Kind = "class" if symbol.is_class else "method" if in_class else "function"
    place, names, signature = len(units), (*names, symbol.name), signature_of(symbol)
    parts = definitions(symbol.node, symbol.depth + 1)
    inside = [append_units(part, units, names, (*around, signature), symbol.is_class) for part in parts]
    own = without(first, last, inside) if symbol.is_class else ()
    units.insert(place, Unit(".".join(names), kind, first, last, signature, ancestors=" > ".join(around), own=own))
    return first, last


def signature_of(symbol: _DefinitionNode) -> str:
    """The definition as written, up to its body, on one line."""
    text: bytes = symbol.outer.text or b""
    body = symbol.node.child_by_field_name("body")
    end = body.start_byte - symbol.outer.start_byte if body is not None else len(text)
    return " ".join(text[:end].decode(errors="replace").split()).removesuffix("=>").rstrip(":{ ")[:300]


def node_text(node: Node, most: int | None = 100) -> str:
    """The text of a node, or its first characters."""
    return (node.text or b"").decode(errors="replace")[:most]


def imports_of(root: Node, language: str) -> Iterator[str]:
    """The imports at the top of a module."""
    for node in root.children:
        if node.type == "import_from_statement":
            module = node.child_by_field_name("module_name")
            for name in node.children_by_field_name("name"):
                yield f"{node_text(module)}:{node_text(name).partition(' ')[0]}"
        elif node.type == "import_statement" and language == "python":
            yield from (node_text(name).partition(" ")[0] for name in node.children_by_field_name("name"))
        elif node.type in ("import_statement", "export_statement"):
            origin = node.child_by_field_name("source")
            if origin is not None:
                yield node_text(origin).strip("\"'`")
