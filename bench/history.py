"""The API of each Blender series since 2.78, read from the stubs that the registry has for each: `fake-bpy-module-X-Y`.

    python -m bench.history FOLDER

Fetches the packages into FOLDER and reads each once. One stub package is about a million characters; its reading takes
some seconds and is kept in FOLDER as JSON.
"""

from __future__ import annotations

import ast
import dataclasses
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

SERIES: Final = (
    *("2.79", "2.80", "2.81", "2.82", "2.83", "2.90", "2.91", "2.92", "2.93"),
    *("3.0", "3.1", "3.2", "3.3", "3.4", "3.5", "3.6", "4.0", "4.1", "4.2", "4.3", "4.4", "4.5", "5.0", "5.1", "5.2"),
)
_GENERIC: Final = re.compile(r"\b((?:def|class) \w+)\[[^\]]*\](?=[(:])")
_SOCKETS: Final = {"NodeInputs": "inputs", "NodeOutputs": "outputs"}


@dataclasses.dataclass
class PastMember:
    """A property, function or argument of some series: its annotation, description and items."""

    type: str = ""
    doc: str = ""
    items: list[str] = dataclasses.field(default_factory=list[str])
    arguments: list[str] | None = None
    """Names of the arguments of a function, in order; None for a property."""


@dataclasses.dataclass
class PastType:
    """A class of `bpy.types` of some series."""

    bases: list[str]
    doc: str
    members: dict[str, PastMember]


@dataclasses.dataclass
class PastApi:
    """The API of one series."""

    series: str
    types: dict[str, PastType] = dataclasses.field(default_factory=dict[str, PastType])
    operators: dict[str, dict[str, PastMember]] = dataclasses.field(default_factory=dict[str, dict[str, PastMember]])
    sockets: dict[str, dict[str, list[str]]] = dataclasses.field(default_factory=dict[str, dict[str, list[str]]])
    """Names of sockets by `inputs` or `outputs`, by node type; from 3.x on."""
    modules: dict[str, list[str]] = dataclasses.field(default_factory=dict[str, list[str]])
    """Names in each module outside `bpy.types` and `bpy.ops`; members of classes as `Class.member`."""

    def lineage(self, name: str) -> Iterator[PastType]:
        waiting, seen = [name], set[str]()
        while waiting:
            current = waiting.pop(0)
            if current in self.types and current not in seen:
                seen.add(current)
                yield self.types[current]
                waiting.extend(self.types[current].bases)

    def find(self, type_name: str, member: str) -> PastMember | None:
        """The member of a type or of its bases."""
        return next((kind.members[member] for kind in self.lineage(type_name) if member in kind.members), None)


def api_of_series(folder: Path, series: str) -> PastApi:
    """The API of a series; fetched and read if it was not before."""
    kept = folder / f"{series}.json"
    if not kept.is_file():
        kept.write_text(json.dumps(dataclasses.asdict(_read(_fetch(folder, series), series))))
    facts: dict[str, Any] = json.loads(kept.read_text())
    types = {
        name: PastType(kind["bases"], kind["doc"], {key: PastMember(**value) for key, value in kind["members"].items()})
        for name, kind in facts["types"].items()
    }
    operators = {
        name: {key: PastMember(**value) for key, value in arguments.items()}
        for name, arguments in facts["operators"].items()
    }
    return PastApi(series, types, operators, facts["sockets"], facts["modules"])


def _fetch(folder: Path, series: str) -> Path:
    name = f"fake-bpy-module-{series.replace('.', '-')}"
    folder.mkdir(parents=True, exist_ok=True)
    pattern = f"{name.replace('-', '_')}-*.whl"
    if not list(folder.glob(pattern)):
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder), name]
        subprocess.run(command, check=True)
    return next(folder.glob(pattern))


def _read(wheel: Path, series: str) -> PastApi:
    api = PastApi(series)
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if name.endswith("__init__.pyi")]
        stubs = {name: _plain(archive.read(name).decode()) for name in names}
    enums = _enums(stubs)
    for name, text in stubs.items():
        module = name.removesuffix("/__init__.pyi").replace("-stubs", "").replace("/", ".")
        if "stub_internal" in module or module == "_bpy":
            continue
        tree = ast.parse(text)
        if module == "bpy.types":
            _read_types(tree, api, enums)
        elif module.startswith("bpy.ops."):
            for function, operator in _operators(tree):
                api.operators[f"{module[8:]}.{operator}"] = _arguments(function, enums)
        elif not module.startswith("bpy.ops"):
            api.modules[module] = sorted(_names(tree.body))
    return api


def _plain(text: str) -> str:
    """A stub without syntax that Python reads from 3.12 on: type parameters and `type` statements."""
    return re.sub(r"^type (?=\w+ =)", "", _GENERIC.sub(r"\1", text), flags=re.MULTILINE)


def _operators(tree: ast.Module) -> Iterator[tuple[ast.FunctionDef, str]]:
    """The functions that take the arguments of operators, which are functions or classes that are called."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node, node.name
        elif isinstance(node, ast.ClassDef):
            yield from ((function, node.name) for function in _functions(node.body) if function.name == "__new__")


def _enums(stubs: dict[str, str]) -> dict[str, list[str]]:
    """Shared enumerations: items by the name that annotations use."""
    found: dict[str, list[str]] = {}
    for name, text in stubs.items():
        if "stub_internal/rna_enums" in name:
            for node in ast.parse(text).body:
                target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
                value = getattr(node, "value", None)
                if isinstance(target, ast.Name) and value is not None:
                    found[target.id] = _items(value, {})
    return found


def _read_types(tree: ast.Module, api: PastApi, enums: dict[str, list[str]]) -> None:
    for node in tree.body:
        if not isinstance(node, ast.ClassDef):
            continue
        ending = next((end for end in _SOCKETS if node.name.startswith("_") and node.name.endswith(f"_{end}")), "")
        if ending:
            owner = node.name[1:].removesuffix(f"_{ending}")
            api.sockets.setdefault(owner, {})[_SOCKETS[ending]] = list(dict.fromkeys(_keys(node)))
        elif not node.name.startswith("_"):
            bases = [ast.unparse(base).rpartition(".")[2] for base in node.bases]
            api.types[node.name] = PastType(bases, ast.get_docstring(node) or "", _members(node, enums))


def _keys(node: ast.ClassDef) -> Iterator[str]:
    """The names that `__getitem__` of a socket collection takes."""
    for function in _functions(node.body):
        for argument in function.args.args if function.name == "__getitem__" else ():
            yield from _items(argument.annotation, {}) if argument.annotation else ()


def _members(node: ast.ClassDef, enums: dict[str, list[str]]) -> dict[str, PastMember]:
    members: dict[str, PastMember] = {}
    for part, following in zip(node.body, [*node.body[1:], None], strict=True):
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            text = following.value if isinstance(following, ast.Expr) else None
            doc = str(text.value).strip() if isinstance(text, ast.Constant) else ""
            members[part.target.id] = PastMember(_annotation(part.annotation), doc, _items(part.annotation, enums))
        elif isinstance(part, ast.FunctionDef):
            doc = (ast.get_docstring(part) or "").partition("\n")[0]
            returned = part.returns
            is_property = any(_decorator(one) in {"property", "setter"} for one in part.decorator_list)
            items = _items(returned, enums) if returned is not None else []
            arguments = None if is_property else [one.arg for one in (*part.args.args, *part.args.kwonlyargs)][1:]
            members.setdefault(part.name, PastMember(_annotation(returned), doc, items, arguments))
    return members


def _decorator(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _annotation(node: ast.expr | None) -> str:
    """An annotation without its items."""
    text = ast.unparse(node) if node is not None else ""
    return "str" if "Literal[" in text else text.removesuffix(" | None")


def _items(node: ast.expr, enums: dict[str, list[str]]) -> list[str]:
    items: list[str] = []
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            items.append(part.value)
        elif isinstance(part, ast.Attribute) and part.attr in enums:
            items += enums[part.attr]
    return items


def _arguments(function: ast.FunctionDef, enums: dict[str, list[str]]) -> dict[str, PastMember]:
    skipped = {"cls", "override_context", "execution_context", "undo", "self"}
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    docs = _argument_docs(ast.get_docstring(function) or "")
    return {
        one.arg: PastMember(_annotation(one.annotation), docs.get(one.arg, ""), _argument_items(one, enums))
        for one in arguments
        if one.arg not in skipped
    }


def _argument_items(argument: ast.arg, enums: dict[str, list[str]]) -> list[str]:
    return _items(argument.annotation, enums) if argument.annotation else []


def _argument_docs(doc: str) -> dict[str, str]:
    lines = (line.strip() for line in doc.splitlines())
    parts = (line.removeprefix(":param ").partition(":") for line in lines if line.startswith(":param "))
    return {name: text.strip() for name, _, text in parts}


def _functions(body: list[ast.stmt]) -> Iterator[ast.FunctionDef]:
    return (node for node in body if isinstance(node, ast.FunctionDef))


def _names(body: list[ast.stmt], owner: str = "") -> Iterator[str]:
    for node in body:
        if isinstance(node, ast.FunctionDef):
            yield owner + node.name
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield owner + node.target.id
        elif isinstance(node, ast.ClassDef):
            yield owner + node.name
            if not owner:
                yield from _names(node.body, f"{node.name}.")


if __name__ == "__main__":
    for known in SERIES:
        read = api_of_series(Path(sys.argv[1]), known)
        print(known, len(read.types), len(read.operators), len(read.sockets), len(read.modules))
