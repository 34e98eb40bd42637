"""The graph of JavaScript and TypeScript: imports, calls, inheritance, by scopes and imports.

A name is looked up in the functions around it, in the file, and in its imports. Methods are found on `this`, on
imported modules and classes, and otherwise by name. There are no types here: the values of variables are not followed.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, Final

from codebase.graph.code import Code, CodeFile
from codebase.graph.edge import Certainty, Edge, Gap, SourceText
from codebase.units.trees import Node, node_text, parser

ENDS: Final = ("", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", "/index.ts", "/index.tsx", "/index.js")
COMMON_TEXT: Final = (
    "then catch finally map filter forEach reduce push pop shift unshift slice splice join split concat "
    "indexOf includes find some every keys values entries get set has delete add clear toString call apply "
    "bind replace match test exec log warn error parse stringify addEventListener removeEventListener append "
    "remove click focus sort next close emit on off send open render update init start stop"
)
COMMON: Final = frozenset(COMMON_TEXT.split())
FEW: Final = 3
MOST_MODULES: Final = 100
"""Modules that one name is looked up in, by their re-exports."""


class ScriptMaker:
    """Calls, imports and inheritance in JavaScript and TypeScript."""

    name = "scripts"
    languages = ("javascript", "typescript", "tsx")

    def facts(self, source: SourceText) -> Any:
        reader = _ScriptReader(source)
        reader.read(root_of(source))
        return reader.facts if any(reader.facts.values()) else None

    def edges(self, code: Code) -> Iterator[Edge | Gap]:
        return iter(_Edges(code, self.name))


def root_of(source: SourceText) -> Node:
    """The syntax tree. The name of a content is unknown, so TypeScript with errors is read as TSX."""
    data = source.text.encode("utf-8", "replace")
    root = parser(source.language).parse(data).root_node
    return parser("tsx").parse(data).root_node if source.language == "typescript" and root.has_error else root


class _ScriptReader:
    """Reads one text, node by node."""

    def __init__(self, source: SourceText) -> None:
        self._file = CodeFile("", source.language, 0, source.units, {})
        self.facts: dict[str, list[Any]] = {"imports": [], "exports": [], "calls": [], "extends": []}

    def read(self, root: Node) -> None:
        stack = [root]
        while stack:
            node = stack.pop()
            read = READ.get(node.type)
            if read is not None:
                read(self, node)
            stack.extend(node.children)

    def note(self, kind: str, node: Node, *facts: Any) -> None:
        """Note a fact with its unit and line."""
        line = node.start_point[0] + 1
        unit = self._file.at(line)
        if unit is not None:
            self.facts[kind].append([unit, line, *facts])

    def call(self, node: Node) -> None:
        function = node.child_by_field_name("function") or node.child_by_field_name("constructor")
        if function is None:
            return
        if function.type == "identifier":
            self.note("calls", node, "", node_text(function))
            if node_text(function) == "require":
                self.require(node)
        elif function.type == "member_expression":
            holder, name = function.child_by_field_name("object"), function.child_by_field_name("property")
            if holder is not None and name is not None:
                plain = holder.type in ("identifier", "this", "super")
                self.note("calls", function if plain else node, node_text(holder) if plain else "?", node_text(name))

    def import_(self, node: Node) -> None:
        origin = node.child_by_field_name("source")
        if origin is None:
            return
        module = node_text(origin).strip("\"'`")
        before = len(self.facts["imports"])
        for name, local in names_in(node):
            self.note("imports", node, module, name, local)
        if len(self.facts["imports"]) == before:
            self.note("imports", node, module, "*", "")

    def export(self, node: Node) -> None:
        origin = node.child_by_field_name("source")
        if origin is not None:
            module = node_text(origin).strip("\"'`")
            for name, local in list(names_in(node)) or [("*", "*")]:
                self.note("exports", node, module, name, local)
        elif any(child.type == "default" for child in node.children):
            value = node.child_by_field_name("declaration") or node.child_by_field_name("value")
            name = value if value is None or value.type == "identifier" else value.child_by_field_name("name")
            if name is not None:
                self.note("exports", node, "", node_text(name), "default")

    def require(self, node: Node) -> None:
        """`const name = require("module")`, or with `{ names }`."""
        given = node.child_by_field_name("arguments")
        texts = (
            [argument for argument in given.named_children if argument.type == "string"] if given is not None else []
        )
        holder = node.parent.child_by_field_name("name") if node.parent is not None else None
        if not texts or holder is None:
            return
        module = node_text(texts[0]).strip("\"'`")
        if holder.type == "identifier":
            self.note("imports", node, module, "*", node_text(holder))
        for part in holder.named_children if holder.type == "object_pattern" else ():
            key, value = part.child_by_field_name("key"), part.child_by_field_name("value")
            self.note("imports", node, module, node_text(key or part), node_text(value or part))

    def class_(self, node: Node) -> None:
        for child in node.children:
            if child.type == "class_heritage":
                heritage = child.named_children[0] if child.named_children else None
                if heritage is not None and heritage.type == "extends_clause":
                    heritage = heritage.child_by_field_name("value")
                if heritage is not None and heritage.type == "identifier":
                    self.note("extends", node, node_text(heritage))


READ: Final = {
    "call_expression": _ScriptReader.call,
    "new_expression": _ScriptReader.call,
    "import_statement": _ScriptReader.import_,
    "export_statement": _ScriptReader.export,
    "class_declaration": _ScriptReader.class_,
    "class": _ScriptReader.class_,
    "abstract_class_declaration": _ScriptReader.class_,
}


def names_in(node: Node) -> Iterator[tuple[str, str]]:
    """The names of an import or export, as the other module has them and as this one has them."""
    stack = list(node.children)
    while stack:
        node = stack.pop()
        if node.type in ("import_specifier", "export_specifier"):
            name, alias = node.child_by_field_name("name"), node.child_by_field_name("alias")
            yield node_text(name), node_text(alias or name)
        elif node.type in ("namespace_import", "namespace_export"):
            yield "*", node_text(node.named_children[-1])
        elif node.type == "identifier" and node.parent.type == "import_clause":
            yield "default", node_text(node)
        else:
            stack += node.children


class _Edges:
    """The edges between all scripts."""

    def __init__(self, code: Code, maker: str) -> None:
        self._code = code
        self._facts: dict[str, Mapping[str, list[Any]]] = {file.path: facts for file, facts in code.facts(maker)}
        self._locals = {
            path: {local: (module, name) for _, _, module, name, local in facts["imports"] if local}
            for path, facts in self._facts.items()
        }
        self._bases: dict[int, int] = {}
        for path, facts in self._facts.items():
            for unit, _, base in facts["extends"]:
                target = self._named(code.files[path], unit, base)
                if target is not None:
                    self._bases[code.files[path].first + unit] = target
        self._methods: dict[str, list[int]] = defaultdict(list)
        for file in code.files.values():
            if file.language in ScriptMaker.languages:
                for place, unit in enumerate(file.units):
                    if unit.kind == "method":
                        self._methods[unit.name.rpartition(".")[2]].append(file.first + place)

    def __iter__(self) -> Iterator[Edge | Gap]:
        for path, facts in self._facts.items():
            file = self._code.files[path]
            for unit, line, module, name, _ in facts["imports"]:
                target = self._of_module(path, module, name)
                if target is not None:
                    yield Edge(file.first + unit, target, "imports", "exact", line)
            for unit, line, base in facts["extends"]:
                target = self._named(file, unit, base)
                if target is not None:
                    yield Edge(file.first + unit, target, "inherits", "exact", line)
            for unit, line, holder, name in facts["calls"]:
                yield from self._call(file, unit, line, holder, name)

    def _call(self, file: CodeFile, unit: int, line: int, holder: str, name: str) -> Iterator[Edge | Gap]:
        source = file.first + unit
        target = self._target(file, unit, holder, name)
        if target is not None:
            yield Edge(source, target[0], "calls", target[1], line)
        elif holder and name not in COMMON and self._is_unknown(file.path, holder):
            targets = [target for target in self._methods.get(name, []) if holder != "super" or target != source]
            if 0 < len(targets) <= FEW:
                yield from (Edge(source, target, "calls", "by name", line) for target in targets)
            elif targets:
                yield Gap(source, line, name)

    def _is_unknown(self, path: str, holder: str) -> bool:
        """True if the receiver of a method may be an object of this repository."""
        module = self._locals[path].get(holder, (".", ""))[0]
        return str(module).startswith(".")

    def _target(self, file: CodeFile, unit: int, holder: str, name: str) -> tuple[int, Certainty] | None:
        if not holder:
            target = self._named(file, unit, name)
        elif holder == "super":
            target = self._inherited(file, unit, name)
        elif holder == "this":
            around = file.units[unit].name.split(".")
            target = next(
                (
                    file.named[member]
                    for end in range(len(around) - 1, 0, -1)
                    if (member := ".".join([*around[:end], name])) in file.named
                ),
                None,
            )
        else:
            target = self._member(file, unit, holder, name)
        return (target, "exact") if target is not None else None

    def _inherited(self, file: CodeFile, unit: int, name: str) -> int | None:
        """A method of the classes that the class around a unit extends."""
        around = file.units[unit].name.split(".")
        outer = (file.named.get(".".join(around[:end])) for end in range(len(around), 0, -1))
        classes = [place for place in outer if place is not None and self._code.units[place].kind == "class"]
        base = self._bases.get(classes[0]) if classes else None
        seen = set(classes[:1])
        while base is not None and base not in seen:
            seen.add(base)
            target = self._code.owner(base).named.get(f"{self._code.units[base].name}.{name}")
            if target is not None:
                return target
            base = self._bases.get(base)
        return None

    def _member(self, file: CodeFile, unit: int, holder: str, name: str) -> int | None:
        module, origin = self._locals[file.path].get(holder, ("", ""))
        if module and origin == "*":
            return self._of_module(file.path, module, name)
        cls = self._named(file, unit, holder)
        if cls is None:
            return None
        owner = self._code.owner(cls)
        return owner.named.get(f"{self._code.units[cls].name}.{name}")

    def _named(self, file: CodeFile, unit: int, name: str) -> int | None:
        """A function or class by its name in the scopes around a unit, or by an import."""
        around = file.units[unit].name.split(".") if file.units[unit].name else []
        for end in range(len(around), -1, -1):
            target = file.named.get(".".join([*around[:end], name]))
            if target is not None and self._code.units[target].kind != "method":
                return target
        module, origin = self._locals[file.path].get(name, ("", ""))
        return self._of_module(file.path, module, origin) if module and origin != "*" else None

    def _of_module(
        self, path: str, module: str, name: str, seen: set[tuple[str, str]] | None = None, whole: bool = True
    ) -> int | None:
        """The unit that another module exports by a name; the module for `*`, and if `whole` for an unknown name."""
        place = posixpath.normpath(posixpath.join(posixpath.dirname(path), module)) if module.startswith(".") else ""
        there = next((place + end for end in ENDS if place and place + end in self._code.files), None)
        seen = set() if seen is None else seen
        if there is None or (there, name) in seen or len(seen) > MOST_MODULES:
            return None
        seen.add((there, name))
        file = self._code.files[there]
        if name == "*":
            return file.named.get("")
        exports = self._facts[there]["exports"] if there in self._facts else []
        for _, _, further, origin, local in exports:
            if local == name:
                target = self._of_module(there, further, origin, seen) if further else file.named.get(origin)
                return target if target is not None else file.named.get("")
        if name in file.named:
            return file.named[name]
        for _, _, further, origin, _ in exports:
            if further and origin == "*":
                target = self._of_module(there, further, name, seen, whole=False)
                if target is not None:
                    return target
        return file.named.get("") if whole else None
