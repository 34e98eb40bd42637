"""The meaning of the references of a request: objects, their data and parts, data blocks, the scene and its settings.

A subject knows the Python expression for it, its type in `bpy.types`, and its place in acceptance checks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from app.accept import DataCheck, ObjectCheck, SceneCheck
from app.drafting.commands import operations as op
from app.drafting.commands.checks import Where
from app.drafting.commands.known_things import KnownThings
from app.drafting.commands.literals import literal
from app.drafting.commands.names import DATA_OF_TYPES, OBJECT_TYPES, Names
from app.drafting.commands.subject import Subject, narrow
from app.drafting.commands.values import DATA_OF_POINTERS
from app.drafting.commands.words import WORDS, plain
from app.drafting.draft import NotUnderstood

IT: Final = frozenset({"", "it", "them", "that", "object"})
ACTIVE: Final = frozenset({"active object", "active one", "active"})
SELECTED: Final = frozenset({"selected objects", "selection", "selected", "selected object", "every selected object"})
_DATA_BLOCKS: Final = {plain(name): (name, where) for name, where in DATA_OF_POINTERS.items()} | {
    "node group": ("NodeTree", "node_groups"), "mesh": ("Mesh", "meshes"), "font": ("VectorFont", "fonts"),
    "text block": ("Text", "texts"),
}  # fmt: skip
UNTYPED: Final = frozenset({"cycles", "cycles_curves", "cycles_visibility"})
"""The types that Cycles registers: the stubs of Blender do not know them."""
_MEMBERS: Final = {
    "bone": ("data.bones", "Bone"), "pose bone": ("pose.bones", "PoseBone"),
    "shape key": ("data.shape_keys.key_blocks", "ShapeKey"), "vertex group": ("vertex_groups", "VertexGroup"),
    "uv map": ("data.uv_layers", "MeshUVLoopLayer"), "color attribute": ("data.color_attributes", "Attribute"),
    "layer": ("data.layers", "GreasePencilLayer"),
    "modifier": ("modifiers", "Modifier"), "constraint": ("constraints", "Constraint"),
}  # fmt: skip
"""Parts of objects that have names of their own: their path and their type."""


class Subjects(KnownThings):
    """Resolves the references of one request, in order."""

    def resolve(self, things: Sequence[op.Mention]) -> list[Subject]:
        """The meaning of these references; raises NotUnderstood."""
        found = [
            one
            for thing in things
            for one in (plain(thing.words) in SELECTED and self._selected) or [self.meaning(thing)]
        ]
        self.last_thing = found[-1] if found else self.last_thing
        return found

    def object(self, thing: op.Mention) -> Subject:
        """The object that a reference means; raises NotUnderstood."""
        return self._an_object(thing, self.meaning(thing))

    def _an_object(self, thing: op.Mention, meant: Subject) -> Subject:
        if not meant.is_object:
            raise NotUnderstood([thing.words or thing.name], f'"{thing.words} {thing.name}" is not an object.')
        return meant

    def objects(self, things: Sequence[op.Mention]) -> list[Subject]:
        """The named objects, otherwise the last thing named, otherwise the active object; raises NotUnderstood."""
        found = [self._an_object(thing, one) for thing in things for one in self.resolve([thing])]
        found = found or [self.default()]
        self.last_thing = found[-1]
        return found

    def name_of(self, thing: op.Mention) -> str:
        """The name of an object that is named by its name or by the default name of its kind.

        Raises NotUnderstood for anything but an object.
        """
        words = plain(thing.words)
        if thing.name:
            self._check_kind(words)
            return thing.name
        every = words.startswith(("every ", "all ", "each ")) or words in {"all", "everything"}
        if every or words in IT | ACTIVE | SELECTED | {"camera"} or self._made(words):
            return ""
        return self._default_name(words)

    def _check_kind(self, words: str) -> None:
        """Raise NotUnderstood if the words before the name of an object are not a kind of object."""
        if words in _DATA_BLOCKS and words not in OBJECT_TYPES:
            raise NotUnderstood([words], f'"{words}" is not an object; only objects are allowed here.')
        if words not in {"", "object"} and words not in OBJECT_TYPES and self._names.kind(words) is None:
            raise NotUnderstood([words], f'"{words}" is not a kind of object.')

    def count(self, kind: str) -> int:
        """Count a further thing of this kind and return the number of them."""
        self._counts[kind] = self._counts.get(kind, 0) + 1
        return self._counts[kind]

    def default(self) -> Subject:
        """The object of a sentence without a reference: the last thing named, otherwise the active object."""
        last = self.meaning_of_it()
        return last if last and last.is_object else self.active()

    def meaning_of_it(self) -> Subject | None:
        """The meaning of "it"; raises NotUnderstood if it was deleted."""
        if self.last_thing is None and self.deleted:
            raise NotUnderstood(["it"], "The last thing you named is deleted: name another one.")
        return self.last_thing

    def meaning(self, thing: op.Mention) -> Subject:
        """The meaning of one reference; raises NotUnderstood."""
        words = plain(thing.words)
        if thing.of is not None:
            return self._part(words, thing.name, self.meaning(thing.of))
        if words in ACTIVE and not thing.name:
            return self.active()
        if words in IT and not thing.name:
            return self.meaning_of_it() or self.active()
        if words in SELECTED:
            return self._several("bpy.context.selected_objects", "", {"which": "selected"})
        if words in {"all", "everything"} and not thing.name:
            return self._every("object")
        for every in ("every ", "all ", "each "):
            if words.startswith(every) and not thing.name:
                return self._every(words.removeprefix(every))
        if not thing.name and (made := self._made(words)):
            return made
        if words == "camera" and not thing.name:
            return self._camera()
        if thing.name and words.split(" ")[-1:] == ["strip"]:
            return self._strip(words, thing.name)
        if not thing.name:
            setting = self._scene_struct(words)
            if setting is not None:
                return setting
            if self._names.part(words) is not None:
                return self._part(words, "", self.default())
        elif words in _DATA_BLOCKS and words not in OBJECT_TYPES | {"object": ""}:
            return self.data_block(*_DATA_BLOCKS[words], thing.name)
        return self._object_by_name(words, thing.name)

    def active(self) -> Subject:
        """The active object."""
        if self._active is None:
            code = self._script.variable("obj")
            self._script.line(f"{code} = bpy.context.object")
            self._script.line(f'assert {code} is not None, "there is no active object"')
            found = Subject(code, "Object", Where(ObjectCheck, (("which", "active"),)))
            if self._script.in_block:
                return found
            self._active = found
        return self._active

    def _camera(self) -> Subject:
        """The camera of the scene."""
        if "camera" not in self._collected:
            code = self._script.variable("camera")
            self._script.line(f"{code} = {self._script.scene()}.camera")
            self._script.line(f'assert {code} is not None, "the scene has no camera"')
            self._collected["camera"] = Subject(code, "Object", Where(ObjectCheck, (("which", "camera"),)), "Camera")
        return self._collected["camera"]

    def _every(self, words: str) -> Subject:
        words = words.removesuffix(" objects").removesuffix(" object")
        scene = f"{self._script.scene()}.objects"
        if words in {"object", "objects", "thing", "things", ""}:
            return self._several(scene, "", {"which": "every"})
        kind = OBJECT_TYPES.get(words)
        if kind is None:
            known = ", ".join(OBJECT_TYPES)
            raise NotUnderstood([words], f'"every {words}" is not understood; allowed here: object, {known}.')
        several = f'[one for one in {scene} if one.type == "{kind}"]'
        return self._several(several, DATA_OF_TYPES.get(kind, ""), {"which": "every", "type": kind})

    def _several(self, code: str, data: str, fields: dict[str, Any]) -> Subject:
        variable = self._script.variable("obj")
        where = Where(ObjectCheck, tuple(fields.items()))
        return Subject(variable, "Object", where, data, items=code)

    def _scene_struct(self, words: str) -> Subject | None:
        """The scene, or one of its structs, by its name."""
        if words == "scene":
            return Subject(self._script.scene(), "Scene", Where(SceneCheck))
        if words == "world":
            code = self._script.variable("world")
            self._script.line(f"{code} = {self._script.scene()}.world")
            self._script.line(f'assert {code} is not None, "the scene has no world"')
            return Subject(code, "World", Where(SceneCheck).below("world"))
        if words == "view layer":
            return Subject(self._script.view_layer(), "ViewLayer", Where(SceneCheck).below("view_layers[0]"))
        named = plain(WORDS["structs"].get(words, words))
        for path, prop in _structs(self._names, "Scene"):
            if named in {plain(path[-1]), plain(prop.label), plain(prop.label).removesuffix(" settings")}:
                scene = Subject(self._script.scene(), "Scene", Where(SceneCheck))
                return self.struct(scene, path)
        if any(named == plain(path[-1]) for path, _ in _structs(self._names, "World")):
            return self._part(named, "", self.meaning(op.Mention(words="world")))
        return None

    def _strip(self, words: str, name: str) -> Subject:
        """A strip of the video sequencer; before Blender 5.0 its types are called sequences."""
        types, editor = self._names.manifest.types, self._script.variable("editor")
        title = "".join(word.capitalize() for word in words.split()[:-1])
        kind = next((name for name in (f"{title}Strip", f"{title}Sequence") if name in types), "")
        if not kind:
            raise NotUnderstood([words], f'There is no "{words}"; say its kind, such as the text strip "{name}".')
        strips = "strips_all" if "strips_all" in types["SequenceEditor"].properties else "sequences_all"
        self._script.imports("from typing import Any")
        code = self._script.variable(name)
        self._script.line(f"{editor}: Any = {self._script.scene()}.sequence_editor")
        self._script.line(f"{code} = {editor}.{strips}[{literal(name)}]")
        return Subject(code, kind, Where(SceneCheck).below(f"sequence_editor.{strips}[{literal(name)}]"), name=name)

    def data_block(self, type_name: str, where: str, name: str) -> Subject:
        """A data block by its name."""
        if f"{where} {name}" in self._collected:
            return self._collected[f"{where} {name}"]
        code = self._script.variable(name)
        self._script.line(f"{code} = bpy.data.{where}[{literal(name)}]")
        check = Where(DataCheck, (("collection", where), ("name", name)))
        found = Subject(code, type_name, check, name=name)
        if not self._script.in_block:
            self._collected[f"{where} {name}"] = found
        return found

    def _object_by_name(self, words: str, name: str) -> Subject:
        """An object by its name, or by the default name of its kind."""
        kind = self._names.kind(words)
        name = name or self._default_name(words)
        if name in self._objects:
            return self._objects[name]
        if name in self._gone:
            raise NotUnderstood([name], f'"{name}" is deleted: name another one.')
        data = kind.data_type if kind else DATA_OF_TYPES.get(OBJECT_TYPES.get(words, ""), "")
        self._check_kind(words)
        if not words and name in {"Cube", "Light", "Camera"}:
            data = {"Cube": "Mesh", "Light": "Light", "Camera": "Camera"}[name]
        code = self._script.variable(name)
        self._script.line(f"{code} = bpy.data.objects[{literal(name)}]")
        where = Where(ObjectCheck, (("name", name),))
        found = Subject(code, "Object", where, "Light" if words in {"light", "lamp"} else data, name=name)
        if not self._script.in_block:
            self._objects[name] = found
        return found

    def _part(self, words: str, name: str, owner: Subject) -> Subject:
        """A part of something: its modifier, constraint, node, bone, data, or one of its structs."""
        if owner.items:
            raise NotUnderstood([words], "Parts of several things at once are not understood; name one of them.")
        words = plain(WORDS["structs"].get(words, words)) if words else plain(name)
        part = (self._names.part(words) or self._names.part(f"{words} modifier")) if owner.is_object else None
        if words == "particle system":
            return self._particles(owner, name)
        if part is not None:
            return self._part_variable(part.family, name or part.label, part.type, owner)
        if words == "node" or words.endswith(" node"):
            return self.node(owner, name or words.removesuffix(" node"))
        if owner.is_object and words in _MEMBERS and name:
            place, type_name = _MEMBERS[words]
            return self._member(owner, place, type_name, name)
        if owner.is_object and words in {"data", "mesh", "curve", "light", "armature", "text", "lattice", "camera"}:
            kind = OBJECT_TYPES.get(words, "")
            return self.data_of(owner, owner.data or DATA_OF_TYPES.get(kind, ""))
        if owner.is_object and words == "material":
            code = self._script.variable("material")
            self._script.line(f"{code} = {owner.code}.active_material")
            self._script.line(f'assert {code} is not None, "it has no material"')
            return Subject(code, "Material", owner.where.below("active_material"))
        for path, prop in _structs(self._names, owner.type):
            if words in {plain(path[-1]), plain(prop.label)}:
                return self.struct(owner, path)
        if owner.is_object and owner.data:
            for path, prop in _structs(self._names, owner.data):
                if words in {plain(path[-1]), plain(prop.label)}:
                    return self.struct(self.data_of(owner, owner.data), path)
        raise NotUnderstood([words], f'"{words}" is not a known part of {owner.name or "it"}.')

    def struct(self, owner: Subject, path: Sequence[str]) -> Subject:
        """A struct of a thing, in a variable if it may be missing."""
        found = owner
        for name in path:
            prop = self._names.property(found.type, name)
            if prop is None:
                raise NotUnderstood([name], f"{found.type} has no {name}.")
            code, where = f"{found.code}.{name}", found.where.below(name)
            if name in UNTYPED:
                self._script.imports("from typing import Any")
            if name in UNTYPED or not prop.never_none:
                code = self._struct_variable(code, name)
            found = Subject(code, prop.of, where)
        return found

    def _struct_variable(self, code: str, name: str) -> str:
        """A variable for a struct, asserted to exist."""
        if code in self._collected:
            return self._collected[code].code
        variable = self._script.variable(name)
        if name in UNTYPED:
            self._script.line(f"{variable}: Any = {code}")
        else:
            self._script.line(f"{variable} = {code}")
            self._script.line(f"assert {variable} is not None")
        if not self._script.in_block:
            self._collected[code] = Subject(variable, "", Where(SceneCheck))
        return variable

    def _particles(self, owner: Subject, name: str) -> Subject:
        """The settings of a particle system, the first one if none is named."""
        which = literal(name) if name else "0"
        code = self._script.variable("particles")
        self._script.line(f"{code} = {owner.code}.particle_systems[{which}].settings")
        where = owner.where.below(f"particle_systems[{which}].settings")
        return Subject(code, "ParticleSettings", where, name=name)

    def _part_variable(self, family: str, name: str, type_name: str, owner: Subject) -> Subject:
        code = self._script.variable(name)
        self._script.line(f"{code} = {owner.code}.{family}[{literal(name)}]")
        narrow(self._script, code, type_name)
        return Subject(code, type_name, owner.where.below(f"{family}[{literal(name)}]"), name=name)

    def _member(self, owner: Subject, path: str, type_name: str, name: str) -> Subject:
        first, *rest = path.split(".")
        holder = owner.code
        self._script.imports("from typing import Any")
        code = self._script.variable(name)
        if rest and first == "data":
            holder = self._script.variable("data")
            self._script.line(f"{holder}: Any = {owner.code}.data")
            path = ".".join(rest)
        elif rest:
            holder = self._script.variable("pose")
            self._script.line(f"{holder}: Any = {owner.code}.{first}")
            path = ".".join(rest)
        self._script.line(f"{code} = {holder}.{path}[{literal(name)}]")
        place = f"{first}.{path}" if rest else path
        return Subject(code, type_name, owner.where.below(f"{place}[{literal(name)}]"), name=name)

    def data_of(self, owner: Subject, type_name: str) -> Subject:
        """The data of an object, asserted to be of this type."""
        if not type_name:
            raise NotUnderstood([], 'Say what kind of object it is, such as: the area light "Key".')
        key = f"{owner.code}.data {type_name}"
        if key in self._collected:
            return self._collected[key]
        code = self._script.variable(type_name if type_name != "TextCurve" else "text")
        self._script.line(f"{code} = {owner.code}.data")
        narrow(self._script, code, type_name)
        found = Subject(code, type_name, owner.where.below("data"))
        if not self._script.in_block:
            self._collected[key] = found
        return found

    def node(self, owner: Subject, name: str) -> Subject:
        """A node of a material, world, node group or modifier, by its name or the label of its type."""
        tree, where, kind = self.tree(owner)
        types = self._names.nodes(name, kind)
        found = next((node.label for node in types), name)
        self._script.imports("from typing import Any")
        code = self._script.variable(found)
        self._script.line(f"{code}: Any = {tree}.nodes[{literal(found)}]")
        type_name = types[0].identifier if types else "Node"
        return Subject(code, type_name, where.below(f"nodes[{literal(found)}]"), name=found)

    def tree(self, owner: Subject) -> tuple[str, Where, str]:
        """The node tree of a thing: its variable, its place in checks, and its type."""
        if owner.type in {"NodeTree", "GeometryNodeTree"}:
            return owner.code, owner.where, "GeometryNodeTree"
        if owner.type == "NodesModifier":
            return self._tree_variable(owner, "node_group"), owner.where.below("node_group"), "GeometryNodeTree"
        if owner.is_object:
            owner = self._part("material", "", owner)
        if owner.type not in {"Material", "World"}:
            raise NotUnderstood([], "Only materials, worlds, node groups and nodes modifiers have nodes.")
        return self._tree_variable(owner, "node_tree"), owner.where.below("node_tree"), "ShaderNodeTree"

    def _tree_variable(self, owner: Subject, path: str) -> str:
        code = f"{owner.code}.{path}"
        if code in self._collected:
            return self._collected[code].code
        self._script.imports("from typing import Any")
        variable = self._script.variable("tree")
        self._script.line(f"{variable}: Any = {code}")
        if not self._script.in_block:
            self._collected[code] = Subject(variable, "NodeTree", owner.where.below(path))
        return variable


def _structs(names: Names, type_name: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    """The structs of a type, one or two steps away."""
    yield from _one_step(names, type_name)
    for path, prop in list(_one_step(names, type_name)):
        yield from (((*path, inner[0][0]), inner[1]) for inner in _one_step(names, prop.of))


def _one_step(names: Names, type_name: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    for declared in names.manifest.lineage(type_name):
        for prop in declared.properties.values():
            if prop.type == "POINTER" and names.is_struct(prop):
                yield (prop.name,), prop
