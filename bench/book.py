"""Compares the book of changes with everything that Blender ever had: which of it is gone, and has a row?

    python -m bench.book FOLDER [--target 5.0] [--missing KIND] [--prove]

The stubs of each series from 2.79 on are fetched into FOLDER once (`bench.history`). An address that one of them has,
and the manifest of the target and the stubs of its series have not, must have a row. Prints the share per kind and per
last series; `--missing` prints the addresses of a kind without a row. Then it looks up what each row becomes, and
prints what does not exist on the target. The exit code is 1 if a row leads nowhere.

`--prove` makes a scene with one of each thing in the target, and reads and sets what each member became there; for
members that an older Blender of this machine still has, it compares the values that a new thing has in both.

Colours of themes and classes of the interface (menus, panels, lists) are kinds of their own.
"""

from __future__ import annotations

import argparse
import collections
import functools
import itertools
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.settings import default_home
from bench.history import SERIES, PastApi, PastMember, api_of_series
from harness.blenders import Blender, choose, find_blenders, job_environment
from harness.versions import version_key
from ingest.book import Book, BookRow, parts_of
from ingest.manifest import Manifest, Property, RnaFunction, manifest_of

IN_BLENDER: Final = Path(__file__).with_name("book_in_blender.py")
_INTERFACE: Final = re.compile(r"bpy\.types\.(Theme\w*|\w+_(MT|PT|HT|UL|PIE|FH|AST|OT|GGT|GT)_\w+|IMAGE_UV_\w+)\b.*")
_NAME_OF_INTERFACE: Final = re.compile(r"\b[A-Z][A-Z0-9_]*_(?:MT|PT|HT|UL)_\w+")
_REGISTERED: Final = re.compile(
    r"bpy\.types\.(Available|CYCLES|LocRotScale|Location|Rotation|Scaling|Whole\w+|Cycles(Device|Preferences)\w*)\b.*"
)
"""Classes that an add-on or a script at start registers; they are there today too."""
_DOCUMENTED: Final = re.compile(
    r"(bpy\.(app|utils|path|props|msgbus)|bpy_extras|bmesh|mathutils|gpu|gpu_extras|blf|aud|bge|freestyle|idprop|imbuf"
    r"|bl_math|rna_prop_ui|addon_utils)\b.*"
)
"""Modules whose members a script may use; of all others only the module itself counts."""
_PARTS: Final = re.compile(r"\w+|\[[^\]]*\]|\(\)")
_WHEN_ON: Final = {"CompositorNodeRLayers.outputs": frozenset({"Volume Direct", "Volume Indirect"})}
"""Sockets of passes that are off in the scene of a manifest; each was seen with its pass on."""
_ID_OF: Final = {
    **dict.fromkeys(("RenderSettings", "SceneEEVEE", "CyclesRenderSettings"), "Scene"),
    "CyclesLightSettings": "Light",
    "CyclesObjectSettings": "Object",
}
"""The data block of settings, which `id_data` leads to."""


def main() -> None:
    """Compare and print; see the module."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--target", default="5.0")
    parser.add_argument("--missing", default="")
    parser.add_argument("--prove", action="store_true")
    arguments = parser.parse_args()
    home = default_home()
    blenders = [blender for blender in find_blenders(home, None) if blender.kind == "module"]
    chosen = choose(blenders, arguments.target)
    manifest = manifest_of(home, chosen)
    target = Target(manifest, api_of_series(arguments.folder, manifest.series))
    book = Book.for_version(version_key(manifest.version))
    _print_coverage(target, book, arguments.folder, arguments.missing)
    wrong = [f"{address}: {row.becomes}" for address, row in book.rows.items() if not target.resolves(address, row)]
    print(f"\n{len(book.rows)} rows; {len(wrong)} lead nowhere on {manifest.version}", *wrong, sep="\n  ")
    if arguments.prove:
        older = [blender for blender in blenders if version_key(blender.version) < version_key(chosen.version)]
        _prove(book, chosen, older)
    sys.exit(1 if wrong else 0)


def _prove(book: Book, target: Blender, older: Sequence[Blender]) -> None:
    """Read and set what members became on the target, and compare it with what older Blenders have."""
    rows = {address: row for address, row in book.rows.items() if row.becomes and parts_of(address)[0] == "member"}
    new = _held(target, [(address, parts_of(address)[1], row.becomes) for address, row in rows.items()])
    failed = {address: answer["error"] for address, answer in new.items() if "error" in answer}
    read = [address for address, answer in new.items() if "value" in answer]
    print(
        f"\n{len(rows)} members became another: {len(read)} are there and take their value, {len(failed)} are not, ",
        end="",
    )
    print(f"{len(rows) - len(read) - len(failed)} have no instance", *failed.items(), sep="\n  ")
    for blender in older:
        kept = [address for address in read if rows[address].since_version > version_key(blender.series)]
        old = _held(blender, [(address, *parts_of(address)[1:]) for address in kept])
        known = {address: answer["value"] for address, answer in old.items() if "value" in answer}
        other = [
            f"{address}: {value} -> {new[address]['value']}"
            for address, value in known.items()
            if not _is_same(rows[address], value, new[address]["value"])
        ]
        print(f"{len(known)} of them are in {blender.version} too, {len(other)} with another value", *other, sep="\n  ")


def _is_same(row: BookRow, old: str, new: str) -> bool:
    """True if a healed script would set the value that the new thing has; items of menus are named by their labels."""
    if row.template and old not in {"True", "False"}:
        return abs(float(eval(row.template.replace("{value}", old))) - float(new)) < 0.001
    expected = row.value_of(old, old if row.values else None) or old
    plain = [re.sub(r"\W|_", "", text).lower() for text in (expected, new)]
    return plain[0] == plain[1]


def _held(blender: Blender, asked: Sequence[tuple[str, str, str]]) -> dict[str, dict[str, str]]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "asked.json"
        file.write_text(json.dumps(asked))
        command = [*blender.command(folder, folder).arguments[:-1], str(IN_BLENDER), str(file)]
        done = subprocess.run(
            command, env=job_environment(folder), cwd=folder, capture_output=True, text=True, check=False
        )
        if not (folder / "answers.json").is_file():
            raise SystemExit(f"Blender {blender.version} gave no answers: {done.stderr[-600:]}")
        answers: dict[str, dict[str, str]] = json.loads((folder / "answers.json").read_text())
        return answers


def _print_coverage(target: Target, book: Book, folder: Path, missing: str) -> None:
    last: dict[str, str] = {}
    for series in (series for series in SERIES if version_key(series) < version_key(target.manifest.series)):
        for address in addresses(api_of_series(folder, series)):
            if not target.has(address):
                last[address] = series
    known, whole = collections.Counter[tuple[str, str]](), collections.Counter[tuple[str, str]]()
    for address, series in last.items():
        kind = "interface" if _INTERFACE.fullmatch(address) else parts_of(address)[0]
        found = covered(book, target, address)
        for key in ((kind, series), (kind, "all")):
            whole[key] += 1
            known[key] += found
        if kind == missing and not found:
            print(series, address)
    follows = dict(itertools.pairwise(SERIES))
    late = [
        f"{address}: {book.rows[address].since}, not {follows[series]}"
        for address, series in last.items()
        if address in book.rows and book.rows[address].since_version > version_key(follows[series])
    ]
    print(f"{len(late)} rows begin later than the stubs say", *late, sep="\n  ")
    print(f"gone since 2.79, and with a row, of {target.manifest.version}")
    for kind in sorted({kind for kind, _ in whole}):
        share = known[kind, "all"] / whole[kind, "all"]
        print(f"{kind:10} {whole[kind, 'all']:5} {known[kind, 'all']:5} {share:6.1%}   ", end="")
        print(*(f"{series}: {known[kind, series]}/{whole[kind, series]}" for series in SERIES if whole[kind, series]))


def covered(book: Book, target: Target, address: str) -> bool:
    """True if a row says what became of an address, or of what it belongs to."""
    kind, owner, name = parts_of(address)
    wide = {"item": [f"{re.split(r'[.(]', owner.rstrip(')'))[-1]}='{name}'"], "argument": [f"*({name})"]}
    wide["item"] += [f"icon='{name}'"] if owner.endswith("icon") else []
    if book.find(address, *wide.get(kind, ())):
        return True
    if kind == "class":
        return book.find(f"node {name}") is not None
    if kind == "member":
        lost = book.find(f"bpy.types.{owner}", f"node {owner}")
        new = lost[1].becomes if lost else ""
        return lost is not None and (not new or target.has(f"bpy.types.{new}.{name}") or covered_by(book, new, name))
    above = ".".join(address.split(".")[:-1]) if kind == "module" else re.split(r"\.\w+$|\(", owner)[0]
    above = f"bpy.types.{above}" if kind == "socket" else above
    return bool(above) and above != address and not target.has(above) and covered(book, target, above)


def covered_by(book: Book, type_name: str, member: str) -> bool:
    """True if the member is gone from the new type too, and a row says so."""
    return book.find(f"bpy.types.{type_name}.{member}") is not None


def addresses(api: PastApi) -> Iterator[str]:
    """Every address of a series that a script may name."""
    for name, kind in api.types.items():
        if _REGISTERED.fullmatch(f"bpy.types.{name}"):
            continue
        yield f"bpy.types.{name}"
        for member, facts in kind.members.items():
            if not member.startswith("_"):
                yield f"bpy.types.{name}.{member}"
                yield from _below(f"bpy.types.{name}.{member}", facts)
    for operator, arguments in api.operators.items():
        yield f"bpy.ops.{operator}"
        for argument, facts in arguments.items():
            yield f"bpy.ops.{operator}({argument})"
            yield from (f"bpy.ops.{operator}({argument})='{item}'" for item in facts.items if _is_item(item))
    for node, sides in api.sockets.items():
        yield from (
            f"bpy.types.{node}.{side}['{name}']" for side, names in sides.items() for name in names if _is_item(name)
        )
    for module, names in api.modules.items():
        if not module.startswith("_"):
            yield module
        if _DOCUMENTED.fullmatch(module):
            yield from (f"{module}.{name}" for name in names if not name.startswith("_"))
        if module.startswith("bl_ui"):
            yield from (f"bpy.types.{name}" for name in names if _NAME_OF_INTERFACE.fullmatch(name))


def _below(address: str, facts: PastMember) -> Iterator[str]:
    yield from (f"{address}='{item}'" for item in facts.items if _is_item(item))
    yield from (f"{address}({argument})" for argument in facts.arguments or ())


def _is_item(text: str) -> bool:
    """False for what only the stubs have: placeholders, and names with signs that no address has."""
    return bool(text) and "'" not in text and text not in {"DUMMY", "DEFAULT", "nullptr"}


@dataclass(frozen=True)
class Target:
    """The build that scripts are healed for: its manifest, and the stubs of its series for what no manifest has."""

    manifest: Manifest
    stubs: PastApi

    def has(self, address: str) -> bool:
        """True if the address exists there."""
        kind, owner, name = parts_of(address)
        if kind == "class":
            return name in self.manifest.types or name in self.stubs.types or name in self._interface
        if kind == "member":
            return self.has(f"bpy.types.{owner}") and self.member(owner, name) is not None
        if kind == "operator":
            return name in self.manifest.operators or name in self.stubs.operators
        if kind == "socket":
            node = owner.partition(".")[0]
            return name in self._sockets(owner) or (node not in self.manifest.nodes and self.has(f"bpy.types.{node}"))
        if kind == "module":
            module, _, member = self._module(address)
            return module == address or (bool(module) and member in self.stubs.modules[module])
        known = self._names(owner) if kind == "argument" else self._items(owner)
        return known is None or name in known

    @functools.cached_property
    def _interface(self) -> set[str]:
        """The classes that Blender's own scripts register."""
        scripts = Path(self.manifest.templates).parent.rglob("*.py") if self.manifest.templates else ()
        texts = [script.read_text(encoding="utf-8", errors="replace") for script in scripts]
        named = {name for text in texts for name in _NAME_OF_INTERFACE.findall(text)}
        return named.union(*(names for module, names in self.stubs.modules.items() if module.startswith("bl_ui")))

    def _module(self, address: str) -> tuple[str, str, str]:
        parts = address.split(".")
        heads = [".".join(parts[:length]) for length in range(len(parts), 0, -1)]
        module = next((head for head in heads if head in self.stubs.modules), "")
        return module, ".", address[len(module) + 1 :]

    def member(self, type_name: str, name: str) -> object | None:
        """The member of a type or of one below it."""
        found = self.manifest.find(type_name, name)
        if found:
            return found[1]
        below = (kind for kind in self._lower.get(type_name, ()) if self.manifest.find(kind, name))
        lower = next(below, None)
        return self.manifest.find(lower, name) if lower else self.stubs.find(type_name, name)

    @functools.cached_property
    def _lower(self) -> dict[str, list[str]]:
        """All types below each type."""
        lower: dict[str, list[str]] = collections.defaultdict(list)
        for name in self.manifest.types:
            for above in self.manifest.lineage(name):
                lower[above.name].append(name)
        return lower

    def _sockets(self, owner: str) -> Iterable[str]:
        node, _, side = owner.rpartition(".")
        found = self.manifest.nodes.get(node)
        if found is None:
            return self.stubs.sockets.get(node, {}).get(side, ())
        sockets = found.inputs if side == "inputs" else found.outputs
        return {name for socket in sockets for name in (socket.name, socket.identifier)}

    def _names(self, function: str) -> Iterable[str] | None:
        """The arguments of an operator or a function; None if it does not exist or takes any."""
        if function.startswith("bpy.ops."):
            operator = self.manifest.operators.get(function.removeprefix("bpy.ops."))
            return operator.arguments if operator else None
        owner, _, name = function.removeprefix("bpy.types.").rpartition(".")
        found = self.manifest.find(owner, name)
        return found[1].parameters if found and isinstance(found[1], RnaFunction) else None

    def _items(self, owner: str) -> Iterable[str] | None:
        """The items of a property or an argument; None if it does not exist or is no enumeration."""
        function, _, argument = owner.rstrip(")").partition("(")
        prop: object = None
        if function.startswith("bpy.ops.") and function[8:] in self.manifest.operators:
            prop = self.manifest.operators[function[8:]].arguments.get(argument)
        elif function.startswith("bpy.types."):
            type_name, _, name = function.removeprefix("bpy.types.").rpartition(".")
            found = self.manifest.find(type_name, name)
            prop = found[1].parameters.get(argument) if found and isinstance(found[1], RnaFunction) else None
            prop = found[1] if found and not argument else prop
        # An enumeration with one item is filled at run time.
        return {item.identifier for item in prop.items} if isinstance(prop, Property) and len(prop.items) > 1 else None

    def resolves(self, address: str, row: BookRow) -> bool:
        """True if what an address becomes exists there, or is no address."""
        kind, owner, _ = parts_of(address)
        new = row.becomes.partition("(")[0]
        if not row.becomes or "*" in owner or (kind in {"argument", "item"} and not owner.startswith("bpy.")):
            return True
        if kind == "member":
            return self._path(owner, row.becomes)
        if kind == "class":
            return self.has(f"bpy.types.{new}")
        if kind == "node":
            return new in self.manifest.nodes
        if kind == "operator":
            return new in self.manifest.operators
        if kind == "socket":
            return row.becomes in {*self._sockets(owner), *_WHEN_ON.get(owner, frozenset())}
        if kind == "name":
            labels = {node.label for node in self.manifest.nodes.values()}
            return owner != "NodeTree.nodes" or row.becomes in labels
        if kind == "argument":
            known = self._names(owner)
            return known is None or new in known
        if kind == "item":
            items = self._items(owner)
            return items is None or row.becomes in items
        return self.has(new) or self.has(f"{address.rpartition('.')[0]}.{new}")

    def _path(self, type_name: str, path: str) -> bool:
        """True if a path of members leads on from a type, or from the type that has its place."""
        current, book = type_name, Book.for_version(version_key(self.manifest.version))
        if not self.has(f"bpy.types.{type_name}"):
            lost = book.find(f"bpy.types.{type_name}", f"node {type_name}")
            current = lost[1].becomes if lost else ""
        for part in _PARTS.findall(path):
            if part.startswith("["):
                return not part.startswith('["') or part[2:-2] in self._sockets(f"{type_name}.inputs")
            if part == "()" or not current:
                continue
            found = self.member(current, part)
            if part == "id_data":
                current = _ID_OF.get(current, "")
            elif found is None:
                return False
            else:
                current = found.of if isinstance(found, Property) else ""
        return True


if __name__ == "__main__":
    main()
