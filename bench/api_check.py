"""Measures the API check: the share of seeded faults that it catches, and of working scripts that it flags.

    python -m bench.api_check [--manifest FILE] [--scripts FOLDER ...] [--seed N] [--most N]

Faults: every correct snippet (the examples of the command language, the cookbook, the templates of that Blender) is
changed in one place, once per place of that family, at most `--most` times per family. A fault is caught if there is a
finding that the correct snippet does not have; it is located if that finding points at the changed place. Places are
chosen by the syntax alone, not by what the check can infer.

False alarms: the same snippets, the snippets of the tests that pass, all scripts that ship with that Blender, and the
folders given with `--scripts`. Scripts with a blocking finding are printed.
"""

from __future__ import annotations

import argparse
import ast
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.drafting.commands import Commands, load_examples
from app.reading import check_api
from app.settings import default_home
from app.verdict.parse import syntax_tree
from app.verdict.rules import load_rules
from app.verdict.verdict import Finding, Severity
from harness.blenders import find_blenders
from ingest.manifest import Manifest, Property, manifest_of, read_manifest

ROOT: Final = Path(__file__).parents[1]
PASSING: Final = ("passed.py", "renders_by_itself.py")
_RULES: Final = load_rules()


@dataclass(frozen=True)
class Script:
    """A script that works."""

    name: str
    text: str


@dataclass(frozen=True)
class SeededFault:
    """A script with one fault, and its place: line from 1, columns from 1."""

    family: str
    script: Script
    text: str
    line: int
    first: int
    last: int


def main() -> None:
    """Measure and print."""
    options = _options()
    manifest = read_manifest(options.manifest) if options.manifest else _installed()
    print(f"Blender {manifest.version}, seed {options.seed}")
    corpora = _corpora(manifest, options.scripts)
    _print_alarms(corpora, manifest)
    correct = [script for name in ("commands", "cookbook", "templates") for script in corpora[name]]
    _print_catches(_seed(correct, manifest, options.seed, options.most), manifest)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--manifest", type=Path, help="a manifest file; default: of the first installed Blender")
    parser.add_argument("--scripts", type=Path, nargs="*", default=[], help="folders of further scripts that work")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=150, help="faults of one family")
    return parser.parse_args()


def _installed() -> Manifest:
    home = default_home()
    return manifest_of(home, find_blenders(home, None)[0])


# --- the scripts -----------------------------------------------------------------------------------------------


def _corpora(manifest: Manifest, folders: list[Path]) -> dict[str, list[Script]]:
    templates = Path(manifest.templates) if manifest.templates else None
    corpora = {
        "commands": [Script(request, Commands().draft(request, manifest).snippet) for request in load_examples()],
        "cookbook": _folder(ROOT / "cookbook"),
        "templates": _folder(templates) if templates else [],
        "tests": [script for script in _folder(ROOT / "tests" / "snippets") if Path(script.name).name in PASSING],
    }
    if templates:
        corpora["all own scripts"] = _folder(templates.parent)
    return {**corpora, **{str(folder): _folder(folder) for folder in folders}}


def _folder(folder: Path) -> list[Script]:
    files = sorted(file for file in folder.rglob("*.py") if file.name != "__init__.py" or folder.name == "scripts")
    scripts = [Script(str(file.relative_to(folder)), file.read_text(errors="replace")) for file in files]
    return [script for script in scripts if syntax_tree(script.text)]


def _severity(code: str) -> Severity | None:
    return _RULES.severity("api", code, "caller")


def _print_alarms(corpora: dict[str, list[Script]], manifest: Manifest) -> None:
    print("\nFalse alarms: scripts with a blocking finding, and with advice only")
    for name, scripts in corpora.items():
        started = time.perf_counter()
        findings = {script.name: check_api(script.text, manifest, _severity) for script in scripts}
        seconds = time.perf_counter() - started
        blocked = {script: [one for one in found if _blocks(one)] for script, found in findings.items()}
        advised = sum(1 for script, found in findings.items() if found and not blocked[script])
        lines = sum(script.text.count("\n") for script in scripts)
        count = sum(1 for found in blocked.values() if found)
        speed = f"{lines} lines, {seconds / max(lines, 1) * 1e5:.1f} ms per 100 lines"
        print(f"  {name:20} {count} of {len(scripts)} blocked, {advised} advised; {speed}")
        for script, found in blocked.items():
            for one in found:
                print(f"    {script}:{one.line}:{one.column} {one.code}: {one.message}")


def _blocks(finding: Finding) -> bool:
    return finding.severity is Severity.ERROR


# --- the faults ------------------------------------------------------------------------------------------------


def _seed(scripts: list[Script], manifest: Manifest, seed: int, most: int) -> list[SeededFault]:
    """Up to `most` faults of each family, chosen at random over all scripts."""
    chance = random.Random(seed)
    seeder = Seeder(manifest, chance)
    by_family: dict[str, list[SeededFault]] = {}
    for script in scripts:
        for seeded in seeder.faults(script):
            by_family.setdefault(seeded.family, []).append(seeded)
    return [
        seeded
        for family in sorted(by_family)
        for seeded in chance.sample(by_family[family], min(most, len(by_family[family])))
    ]


def _print_catches(faults: list[SeededFault], manifest: Manifest) -> None:
    print("\nSeeded faults: caught, blocked, located")
    baseline: dict[str, set[str]] = {}
    families: dict[str, list[tuple[bool, bool, bool]]] = {}
    for fault in faults:
        if fault.script.text not in baseline:
            known = check_api(fault.script.text, manifest, _severity)
            baseline[fault.script.text] = {finding.message for finding in known}
        fresh = [
            finding
            for finding in check_api(fault.text, manifest, _severity)
            if finding.message not in baseline[fault.script.text]
        ]
        here = any(one.line == fault.line and fault.first <= (one.column or 0) <= fault.last for one in fresh)
        families.setdefault(fault.family, []).append((bool(fresh), any(map(_blocks, fresh)), here))
    for family, results in families.items():
        caught, blocked, located = (sum(column) for column in zip(*results, strict=True))
        print(
            f"  {family:22} {caught}/{len(results)} ({caught / len(results):.0%}), {blocked} blocked, {located} located"
        )
    total = [one for results in families.values() for one in results]
    print(f"  {'all':22} {sum(one[0] for one in total)}/{len(total)}")


class Seeder:
    """Makes faulty scripts of correct ones."""

    def __init__(self, manifest: Manifest, chance: random.Random) -> None:
        self.manifest = manifest
        self.chance = chance
        self.properties: dict[str, list[Property]] = {}
        for rna_type in manifest.types.values():
            for name, prop in rna_type.properties.items():
                self.properties.setdefault(name, []).append(prop)
        functions = {name for rna_type in manifest.types.values() for name in (*rna_type.functions, *rna_type.python)}
        members = {name for module in manifest.modules.values() for name in module.members}
        self.words = functions | members | self.properties.keys()

    def faults(self, script: Script) -> Iterator[SeededFault]:
        tree = ast.parse(script.text)
        for node in ast.walk(tree):
            yield from self._of_node(script, node)
        yield from self._read_only(script, tree)
        yield from self._removed(script)

    def _of_node(self, script: Script, node: ast.AST) -> Iterator[SeededFault]:
        match node:
            case ast.Call(func=ast.Attribute(attr=name) as function) if _is_operator(function):
                yield from self._rename("operator", script, function, name)
                for keyword in node.keywords:
                    yield from self._keyword("operator argument", script, keyword)
                    yield from self._string("operator enum", script, keyword.value)
            case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="nodes"), attr="new")):
                yield from self._string("node type", script, next(iter(_values(node)), None))
            case ast.Call(func=ast.Attribute(attr=name)):
                yield from self._of_call(script, node, name)
            case ast.Assign(targets=[ast.Attribute() as target], value=value):
                yield from self._of_assignment(script, target, value)
            case ast.Subscript(value=ast.Attribute(attr="inputs" | "outputs"), slice=ast.Constant(value=str()) as key):
                yield from self._string("socket", script, key)
            case _:
                pass
        if isinstance(node, ast.Attribute) and node.attr in self.words and not _is_operator(node):
            yield from self._rename("attribute", script, node, node.attr)

    def _of_call(self, script: Script, call: ast.Call, name: str) -> Iterator[SeededFault]:
        for keyword in call.keywords:
            yield from self._keyword("function argument", script, keyword)
        if name == "new":
            for value in _values(call):
                yield from self._string("identifier", script, value)
        if name == "new" and isinstance(call.func, ast.Attribute) and _last(call.func.value) == "nodes":
            yield from self._string("node type", script, next(iter(_values(call)), None))

    def _of_assignment(self, script: Script, target: ast.Attribute, value: ast.expr) -> Iterator[SeededFault]:
        known = self.properties.get(target.attr, [])
        if not known:
            return
        yield from self._string("assigned enum", script, value)
        match value:
            case ast.Constant(value=int() | float()) if not isinstance(value.value, bool):
                if all(prop.type in {"INT", "FLOAT"} for prop in known):
                    yield _replace("wrong type", script, value, '"three"')
                limits = {(prop.min, prop.max) for prop in known}
                if len(limits) == 1:
                    least, greatest = limits.pop()
                    outside = greatest + 1 if greatest is not None else least - 1 if least is not None else None
                    if outside is not None:
                        yield _replace("out of range", script, value, f"{outside:g}")
            case ast.Tuple(elts=parts) if len(parts) in {2, 3, 4} and all(prop.array for prop in known):
                if {prop.array for prop in known} == {(len(parts),)}:
                    yield _replace("vector length", script, value, f"({', '.join(['0.0'] * (len(parts) + 1))})")
            case _:
                pass

    def _read_only(self, script: Script, tree: ast.Module) -> Iterator[SeededFault]:
        """At the end of a block, write to something read-only."""
        for node in ast.walk(tree):
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=made)) if _made_by(made):
                    attribute = _made_by(made)
                    yield _insert("read-only", script, node, f"{name}.{attribute} = None", len(name) + 1)
                case _:
                    pass

    def _removed(self, script: Script) -> Iterator[SeededFault]:
        """At the end of the script, use something that this build no longer has."""
        lines = script.text.rstrip().split("\n")
        for line in _GONE:
            number = len(lines) + 2
            text = "\n".join([*lines, "import bpy", line, ""])
            yield SeededFault("removed", script, text, number, 1, len(line))

    # --- changing one place ------------------------------------------------------------------------------------

    def _rename(self, family: str, script: Script, node: ast.Attribute, name: str) -> Iterator[SeededFault]:
        wrong = self._misspelt(name)
        end = node.end_col_offset or 0
        if wrong:
            yield _splice(family, script, node.end_lineno or node.lineno, end - len(name), end, wrong)

    def _keyword(self, family: str, script: Script, keyword: ast.keyword) -> Iterator[SeededFault]:
        wrong = self._misspelt(keyword.arg or "")
        if wrong and keyword.arg:
            start = keyword.col_offset
            yield _splice(family, script, keyword.lineno, start, start + len(keyword.arg), wrong)

    def _string(self, family: str, script: Script, node: ast.expr | None) -> Iterator[SeededFault]:
        match node:
            case ast.Constant(value=str(text)) if family == "socket" or _is_identifier(text):
                wrong = self._misspelt(text)
                if wrong:
                    yield _replace(family, script, node, repr(wrong))
            case _:
                pass

    def _misspelt(self, word: str) -> str | None:
        """The word with one letter dropped or two swapped; None if the result may be right."""
        if len(word) < 4:
            return None
        at = self.chance.randrange(1, len(word) - 1)
        dropped = word[:at] + word[at + 1 :]
        swapped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        choices = [wrong for wrong in (dropped, swapped) if wrong != word and wrong not in self.words]
        return self.chance.choice(choices) if choices else None


_GONE: Final = (
    "bpy.context.scene.objects.link(bpy.context.object)",
    "bpy.context.scene.objects.active = bpy.context.object",
    "bpy.context.object.select = True",
    "bpy.context.scene.update()",
    "bpy.ops.object.lamp_add(type='SUN')",
    "bpy.ops.mesh.primitive_cube_add(radius=1)",
    "bpy.ops.mesh.primitive_plane_add(view_align=True)",
    "bpy.data.lamps.new('x', 'SUN')",
    "bpy.context.object.data.use_auto_smooth = True",
    "bpy.data.meshes[0].calc_normals()",
    "bpy.context.scene.eevee.use_bloom = True",
    "bpy.context.scene.render.engine = 'BLENDER_EEVEE_NEXT'",
    "bpy.context.scene.node_tree.nodes.clear()",
    "bpy.data.actions[0].fcurves.new('location')",
    "bpy.context.scene.sequence_editor.sequences.new_effect(name='x', type='TEXT', channel=1, frame_start=1)",
    "bpy.ops.import_scene.obj(filepath='x.obj')",
    "bpy.ops.object.gpencil_add()",
    "bpy.data.node_groups.new('x', 'GeometryNodeTree').inputs.new('NodeSocketFloat', 'x')",
    "bpy.data.materials[0].node_tree.nodes.new('ShaderNodeTexMusgrave')",
    "bpy.data.materials[0].node_tree.nodes['Principled BSDF'].inputs['Emission'].default_value = (1, 1, 1, 1)",
    "bpy.data.materials[0].node_tree.nodes.new('ShaderNodeBsdfPrincipled').inputs['Specular'].default_value = 1",
    "bpy.data.materials[0].shadow_method = 'HASHED'",
    "bpy.data.armatures[0].layers[0] = True",
    "bpy.app.handlers.scene_update_pre.append(print)",
)

_READ_ONLY: Final = {
    "objects": "type",
    "meshes": "vertices",
    "materials": "node_tree",
    "collections": "objects",
    "node_groups": "nodes",
    "modifiers": "type",
    "constraints": "type",
}


def _made_by(function: ast.expr) -> str | None:
    """The read-only attribute of what `bpy.data.objects.new` and the like make."""
    match function:
        case ast.Attribute(attr="new", value=ast.Attribute(attr=collection)):
            return _READ_ONLY.get(collection)
        case _:
            return None


def _values(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords if keyword.arg == "type")]


def _is_operator(node: ast.Attribute) -> bool:
    match node.value:
        case ast.Attribute(value=ast.Attribute(value=ast.Name(id="bpy"), attr="ops")):
            return True
        case _:
            return False


def _is_identifier(text: str) -> bool:
    return text.isupper() or ("Node" in text and text.isidentifier())


def _last(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _replace(family: str, script: Script, node: ast.expr, new: str) -> SeededFault:
    """The script with one expression replaced; an expression over several lines is joined into one."""
    lines = script.text.split("\n")
    end_line, end = node.end_lineno or node.lineno, node.end_col_offset or 0
    after = lines[end_line - 1].encode()[end:].decode()
    first = lines[node.lineno - 1].encode()[: node.col_offset].decode()
    text = "\n".join([*lines[: node.lineno - 1], first + new + after, *lines[end_line:]])
    return SeededFault(family, script, text, node.lineno, len(first) + 1, len(first) + len(new))


def _splice(family: str, script: Script, line: int, start: int, end: int, new: str) -> SeededFault:
    lines = script.text.split("\n")
    raw = lines[line - 1].encode()
    before, after = raw[:start].decode(), raw[end:].decode()
    lines[line - 1] = before + new + after
    return SeededFault(family, script, "\n".join(lines), line, len(before) + 1, len(before) + len(new))


def _insert(family: str, script: Script, node: ast.stmt, statement: str, column: int) -> SeededFault:
    """The script with a statement after this one."""
    lines = script.text.split("\n")
    after = node.end_lineno or node.lineno
    lines.insert(after, " " * node.col_offset + statement)
    first = node.col_offset + 1
    return SeededFault(family, script, "\n".join(lines), after + 1, first, first + column + len(statement))


if __name__ == "__main__":
    main()
