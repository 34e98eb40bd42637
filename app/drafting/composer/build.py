"""Writes the snippet of a plan, step by step: knows which objects there are, what "it" is, what code is needed.

A step's function (see `steps/`) is given a `Build` and what was read, and calls:

    build.note(...)                  how the words were read
    build.object(target)             the variable of one object
    with build.each(target) as obj:  the lines for one object, or for every one of several
    build.assign(...)                settings of a thing
    build.line(...)                  any other line of `main`
    build.once()                     what follows must not be done a second time

Running a snippet again changes nothing: things are found by name or by a mark before they are made, and a plan that has
a step which cannot be repeated (move by, rename, delete, apply) remembers in the scene that it was carried out.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import keyword
import re
import textwrap
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeGuard

from app.drafting.composer.asides import Aside
from app.drafting.composer.filters import IMPORTED, OTHER, UNSAID, Best, Filter
from app.drafting.composer.lexicon import Lexicon, Place, Setting
from app.drafting.composer.parts import PARTS
from app.drafting.composer.slots import LIGHT_DATA, OBJECT_KINDS, Set, Target
from app.drafting.composer.tokens import singular
from app.drafting.composer.values import Ambiguous, Change, Color, Degrees, Ref, is_plain, literal, quoted, refuse
from app.drafting.draft import NotUnderstood

WIDTH: Final = 100
ELSEWHERE: Final = re.compile(r"\b(comp|compositor|compositing|sequencer|vse|geometry nodes)\b", re.IGNORECASE)
"""Where nodes and settings are, as well as in the material of an object that nobody named."""
LONG: Final = 90
"""An expression of a holder that is longer than this gets a variable."""
SHARED: Final = frozenset({"scene", "view_layer", "cycles", "world"})
"""Variables that are made once for all lines of a function."""
SHOWN: Final = 600
FIRST: Final = "import bpy  # first: the modules below come with it"
MARK: Final = 'MARK = "blendproof"  # the custom property by which a second run knows what the first one did'


@dataclass
class Known:
    """An object that the request has spoken of: its variable, what it is called, and of which type and kind it is."""

    var: str
    name: str = ""
    type: str = ""
    kind: str = ""
    data: str = ""
    """The type of its data, where a plan makes or changes it."""
    made: bool = False


@dataclass
class Many:
    """Several objects: an expression that gives them, and their type where it is one."""

    expression: str
    type: str = ""
    members: list[Known] = field(default_factory=list[Known])
    data: str = ""


ONE_SELECTED: Final = re.compile(r"the (currently )?selected (?!.*s\b)\w+", re.IGNORECASE)
"""A selection that is spoken of in the singular."""
OPEN_SCENE: Final = re.compile(r"\b(open|original|current|first|old|present|this) (scene|one)\b[^.]*\b(set|add|has|in|put|make)\b|\bin the (open|original|current|first|old|present) scene\b")  # fmt: skip
"""What is said to be about the open scene."""
A_FILE: Final = re.compile(r"\w\.(blend|fbx|obj|glb|gltf|stl|ply|usd[acz]?|abc|csv|json|txt|py)$", re.IGNORECASE)
"""What ends like a file is no object."""
SPOKEN_AGAIN: Final = re.compile(r"\b(them|they|these|those|their|of which|how many|number of)\b", re.IGNORECASE)
"""What means a group once more, or counts it."""
COUNTED: Final = re.compile(r"\b(how many|number of|count of)\b[^.]*\b(were|was|been|got|are|did|you)\b", re.IGNORECASE)
"""What counts a group after something was done to it."""


def refuse_bare_text(said: str) -> None:
    """Raise `NotUnderstood` where 'the text "Note"' is to go: it may be an object, a strip, or a text block."""
    if re.match(r"(the )?text [\"'“‘`]", said, re.IGNORECASE):
        raise refuse(said, "a text object, a text block or a text strip?")


SCENES: Final = (
    "Scene", "RenderSettings", "SceneEEVEE", "CyclesRenderSettings", "ColorManagedViewSettings", "RaytraceEEVEE", "World",
    "ViewLayer", "CyclesRenderLayerSettings", "WorldLighting", "ImageFormatSettings",
)  # fmt: skip
NAMED_SO: Final = frozenset({
    "body", "bone", "box", "glass", "key", "sphere", "text", "track", "tree", "cursor", "parent", "child", "probe", "marker", "label",
    "group", "sun", "ridge", "valley", "peak", "cloud", "screen", "model", "guide", "studio", "cinema", "container", "note", "shape",
})  # fmt: skip
"""Words of settings that objects are called by."""


def is_no_name(lexicon: Lexicon, word: str) -> bool:
    """Whether a word with a capital, at the beginning of a sentence, is rather one of a setting: "Shadows too: ..."."""
    return word.isupper() or singular(word.lower()) in setting_words(lexicon)


@functools.lru_cache(maxsize=8)
def setting_words(lexicon: Lexicon) -> frozenset[str]:
    """The words of what settings of scene, render and world are called."""
    types = lexicon.manifest.types
    labels = (prop.label for name in SCENES if name in types for prop in types[name].properties.values())
    return frozenset(singular(word.lower()) for label in labels for word in label.split()) - NAMED_SO | {"border"}


NO_OBJECT_WORDS: Final = frozenset({
    "simulation", "animation", "physics", "keyframe", "action", "driver", "constraint", "modifier", "motion", "fluid", "cache", "pose",
    "interpolation", "bake", "movement", "rotation", "location", "timeline", "playback", "collision", "emission",
})  # fmt: skip
"""Words that may name no object that is looked up by a word of its name."""
NO_OBJECTS: Final = frozenset(
    {"Collection", "Action", "Image", "Scene", "Text", "ViewLayer", "World", "Sound", "Library"}
)
"""Data that "it" may mean, and that is no part of an object."""


class Build:
    """The snippet so far."""

    def __init__(self, lexicon: Lexicon, request: str, *, lenient: bool = False) -> None:
        self.lexicon: Final = lexicon
        self.request: Final = request
        self.lenient: Final = lenient
        self.pending = ""
        """What was announced and is still to be said: "animate the cube: ..."."""
        self.id: Final = hashlib.sha256(" ".join(request.split()).encode()).hexdigest()[:8]
        self.notes: Final[list[str]] = []
        self.known: Final[list[Known]] = []
        self.roles: Final[dict[str, Known]] = {}
        """Objects by the part they play: "the cutter"."""
        self._it: Known | Many | None = None
        self._before: Known | Many | None = None
        self._first: Known | Many | None = None
        self._told = False
        self._bone_spoken = False
        self.registered: tuple[str, ...] = ()
        self.scene_meant = ""
        """The variable of the scene that a sentence is about, where it is not the open one."""
        self.looping = False
        """Whether "it" is each of several, so that what is new would have to be made for each of them."""
        self.unsaid = False
        """Whether a step was about the active object without a word that says so."""
        self.spoken: Any = None
        """The same where the step just before spoke of no object: "it" is that, then."""
        self._topic: Any = None
        self.topic: Any = None
        """The last thing that is no object: a variable and the settings it takes, as `Topic`."""
        self.forbidden: Final[list[tuple[str, str]]] = []
        """What the request says must not be there: family and identifier, and the words."""
        self.used: Final[set[str]] = set()
        self.memory: Final[dict[str, Any]] = {}
        """What steps of one kind tell later ones, such as the strips that were made."""
        self.at_end: Final[list[Callable[[], None]]] = []
        """What is done when all steps are written."""
        self._lines: list[str] = []
        self._body: tuple[Callable[[Build, list[str]], None], list[str], set[str], list[Known]] | None = None
        self._parts: Final[set[str]] = set()
        self._imports: Final[dict[str, set[str]]] = {}
        self._names: set[str] = {"bpy", "main", "obj", "expect"}
        self._functions: Final[list[str]] = []
        self._constants: Final[list[str]] = []
        self._depth = 0
        self._once = False
        self._marked = False
        self._made = 0
        self._edited: tuple[str, int, int, Any] | None = None
        self._chosen: list[Setting] = []
        """The settings of the thing that settings were last chosen for."""

    # What "it" is: what the step before spoke of first, or made; within a step it does not change

    @property
    def it(self) -> Known | Many | None:
        """What "it" means in this step."""
        return self._before

    @it.setter
    def it(self, found: Known | Many | None) -> None:
        self._it = found
        self._told = True

    @property
    def moved(self) -> Known | Many | None:
        """What this step spoke of first."""
        return self._first

    def begin(self) -> None:
        """Begin a step."""
        self.spoken = self.topic if self.topic is not self._topic and self._first is None else None
        places: Sequence[Place] = getattr(self.topic, "places", ())
        fresh = self.topic is not self._topic
        self._bone_spoken = fresh and bool(places) and places[0].type in {"PoseBone", "Bone"}
        self._topic = self.topic
        self._before, self._first, self._told = self._it, None, False

    def end(self) -> None:
        """End a step: "it" is from now on what it made, or else what it spoke of first; a modifier of another object is not."""
        held = getattr(self.topic, "title", "").endswith(("modifier", "constraint"))
        if held and self.topic is self._topic and self._first not in (None, self._before):
            self.topic = None
        if not self._told and self._first is not None:
            self._it = self._first

    # Code

    def note(self, text: str) -> None:
        """Say how a part of the request was read."""
        self.notes.append(text)

    def line(self, text: str) -> None:
        """Add lines to `main`."""
        self._lines.append(textwrap.indent(text, "    " * self._depth))

    def comment(self, text: str) -> None:
        """Begin a step."""
        self._lines.append("    " * self._depth + f"# {text[:1].upper()}{text[1:]}")

    @contextlib.contextmanager
    def block(self, head: str) -> Generator[None, None, None]:
        """Lines under a head such as "for ...:"."""
        self.line(head)
        self._depth += 1
        yield
        self._depth -= 1

    @contextlib.contextmanager
    def in_place_of(self, held: str) -> Generator[list[str], None, None]:
        """Lines that take the place of one that was held for them; gives the lines around them."""
        around, self._lines = self._lines, []
        yield around
        at = around.index(held)
        self._lines = [*around[:at], *self._lines, *around[at + 1 :]]

    def settle(self) -> None:
        """Write what waits for the end of the request."""
        for write in self.at_end:
            write()

    @contextlib.contextmanager
    def editing(self, known: Known) -> Generator[Any, None, None]:
        """The lines that edit the mesh `bm` of an object, behind those of the step before if it edited the same one.

        Gives what that step left in hand, as `keep_edited` was told: the elements and their variable.
        """
        self.need("editing")
        same = self._edited is not None and self._edited[:3] == (known.var, len(self._lines), self._depth)
        if not same:
            self.line(f"with editing({known.var}) as bm:")
        self._depth += 1
        yield self._edited[3] if self._edited is not None and same else None
        self._depth -= 1

    def keep_edited(self, known: Known, found: Any) -> None:
        """Let a next step go on with these elements of the mesh."""
        self._edited = (known.var, len(self._lines), self._depth - 1, found)

    def not_in_hand(self, target: Target) -> None:
        """Raise `NotUnderstood` if "it" may be a part of a mesh: what the step just before left."""
        held = self._edited is not None and self._edited[1] == len(self._lines) and self._edited[3] is not None
        if held and target.how == "it":
            raise refuse(target.said, "the object, or the part of its mesh?")

    def open_body(self, finish: Callable[[Build, list[str]], None]) -> None:
        """Let the lines of the steps that follow be the body of a function, which `finish` adds to the snippet."""
        if self._body is not None:
            raise refuse("", "one function within another")
        self._body = (finish, self._lines, self._names & SHARED, list(self.known))
        self._lines = []
        self._names -= SHARED
        self.known.clear()
        self.it = self.topic = None
        self._it = self._before = None

    def close_body(self) -> None:
        """End the body of a function."""
        if self._body is None:
            return
        (finish, self._lines, shared, known), lines = self._body, self._lines
        self._body = None
        self._names = (self._names - SHARED) | shared
        self.known[:] = known
        self.it = self.topic = None
        self._it = self._before = None
        flat = "\n".join(line for line in without_unused("\n".join(lines).split("\n"))) if lines else ""
        finish(self, flat.split("\n") if flat else [])

    @property
    def in_body(self) -> bool:
        """Whether the lines go into the body of a function."""
        return self._body is not None

    def check_subjects(self) -> None:
        """Refuse a plan that does nothing to a thing that a heading names: "Sword: ..."."""
        code = "\n".join([*self._lines, *self._functions])
        for var, said in self.memory.get("_about", {}).items():
            if len(re.findall(rf"(?<!\")\b{re.escape(var)}\b(?!\")", code)) < 2:
                raise refuse(said, "what is to be done to it?")

    def check_places(self) -> None:
        """Refuse nodes in the material of an object that nobody named where the request speaks of other nodes: "in the comp"."""
        code = "\n".join([*self._lines, *self._functions])
        if (
            ELSEWHERE.search(self.request)
            and any(each.kind == "active" for each in self.known)
            and "material_of(active)" in code
        ):
            raise refuse("node", "of the material, or where?")

    def check_forbidden(self, asides: Sequence[Aside] = ()) -> None:
        """Raise `NotUnderstood` if the plan makes or does what the request said it must not."""
        for aside in asides:
            if aside.forbidden.search("\n".join(self._lines)):
                raise refuse(aside.said, "the request asks for it in another place")
            self.note(f'"{aside.said}" -> so it is')
        text = "\n".join(self._lines)
        for what, words in self.forbidden:
            if what in self.used or what in self._parts or (what.startswith("text:") and what[5:] in text):
                raise refuse(words, "the request asks for it in another place")
        if "rotation_euler" in text and re.search(r'rotation_mode = "(QUATERNION|AXIS_ANGLE)"', text):
            raise refuse("rotation", "angles around axes turn nothing in this rotation mode")

    def function(self, code: str) -> None:
        """Add a function or a class beside `main`."""
        self._functions.append(code)

    def replace_function(self, before: str, after: str) -> None:
        """Put other source in the place of a function or a class."""
        self._functions[self._functions.index(before)] = after

    def constant(self, code: str) -> None:
        """Add lines before the functions."""
        self._constants.append(code)

    def need(self, *parts: str) -> None:
        """Put helper functions into the snippet."""
        for part in parts:
            if part not in self._parts:
                self._parts.add(part)
                self.need(*PARTS[part].needs)
                self.imports(*PARTS[part].imports)
                if "MARK" in PARTS[part].code:
                    self._marked = True

    def imports(self, *names: str) -> None:
        """Import "module: name" or "module"."""
        for each in names:
            module, _, name = each.partition(": ")
            self._imports.setdefault(module, set()).update({name} if name else set())

    def expect(self, expression: str, kind: str) -> str:
        """An expression that is known to be of this type of bpy.types."""
        self.need("expect")
        return f"expect({expression}, bpy.types.{kind})"

    def once(self) -> None:
        """Note that the plan cannot be carried out twice."""
        if self.in_body:
            return  # a function is there to be called again
        self._once = True
        self.need("first_time")

    def simulates(self, title: str, var: str) -> None:
        """Keep what simulates, by its kind: words about "the simulation" may follow; of two of a kind none is meant."""
        spoken: dict[str, str] = self.memory.setdefault("_simulations", {})
        spoken[title] = var if spoken.get(title, var) == var else ""

    def put(self, var: str, **values: object) -> None:
        """Lines that set attributes of a variable; None is what was not said."""
        for name, value in values.items():
            if value is not None:
                self.line(f"{var}.{name} = {self.literal(value)}")

    def literal(self, value: object) -> str:
        """A value as source."""
        if "Degrees(" in repr(value) and not (isinstance(value, Degrees) and value.value == 0):
            self.imports("math: radians")
        return literal(value)

    def var(self, wanted: str) -> str:
        """A variable that is not used yet."""
        base = re.sub(r"\W+", "_", wanted.lower(), flags=re.ASCII).strip("_")[:30] or "thing"
        if base[0].isdigit() or keyword.iskeyword(base):
            base = f"the_{base}"
        name, count = base, 1
        while name in self._names or name in PARTS:
            count += 1
            name = f"{base}_{count}"
        self._names.add(name)
        return name

    def check_scene(self) -> None:
        """Refuse what may be about the scene that the request makes, or about the open one."""
        asked = self.request.lower()
        if "_scene" in self.memory and not self.in_body and not OPEN_SCENE.search(asked):
            raise refuse("scene", 'in the new scene, or in the open one? Say "in the new scene ..."')

    def scene(self, *, read: bool = False) -> str:
        """The variable of the scene; `read` where nothing of it is changed."""
        if self.scene_meant:
            return self.scene_meant
        if not read:
            self.check_scene()
        if "scene" not in self._names:
            self._names.add("scene")
            self.need("current_scene")
            self._prologue("scene = current_scene()")
        return "scene"

    def view_layer(self) -> str:
        """The variable of the view layer."""
        if "view_layer" not in self._names:
            self._names.add("view_layer")
            self.need("current_view_layer")
            self._prologue("view_layer = current_view_layer()")
        return "view_layer"

    def at_first(self, text: str) -> None:
        """Add a line before all others of `main`."""
        self._prologue(text)

    def _prologue(self, text: str) -> None:
        self._lines.insert(0, text)

    def finish(self) -> str:
        """The source."""
        if not self._lines and not self._functions:
            raise NotUnderstood([], "The request asks for nothing.")
        if self._once:
            self._prologue(f'if not first_time("{self.id}"):\n    return')
        maker = [PARTS[part].code for part in PARTS if part in self._parts]
        lines = without_repeats(without_unused("\n".join(self._lines).split("\n")))
        body = textwrap.indent("\n".join(lines), "    ")
        main = f'def main() -> None:\n    """Carry out the request."""\n{body}\n'
        code = "\n".join([*self._constants, *maker, *self._functions, body])
        marks = [MARK] if self._marked else []
        head = [self._docstring(), self._import_lines(code), "\n".join([*marks, *self._constants])]
        classes = []
        if self.registered:
            classes = [f"CLASSES: tuple[type[Any], ...] = ({', '.join(self.registered)},)", REGISTER]
        pieces = [*maker, *self._functions, *classes, main, "main()"]
        return (
            "\n\n".join(part.strip() for part in head if part) + "\n\n\n" + "\n\n\n".join(map(str.strip, pieces)) + "\n"
        )

    def _docstring(self) -> str:
        shown = textwrap.shorten(self.request, SHOWN, placeholder=" ...")
        plain = "".join(letter if is_plain(letter) and letter != "\\" else "?" for letter in shown)
        sentence = plain.replace('"', "'").rstrip(" .!?")
        text = textwrap.fill(f"{sentence}.", WIDTH, initial_indent="   ")[3:]
        return f'"""{text}\n\nRunning it again adds nothing and changes nothing.\n"""'

    def _import_lines(self, code: str) -> str:
        said = set(re.findall(r"\w+", code + " Any" * bool(self.registered)))
        for module, names in list(self._imports.items()):
            if not (names or {module}) & said:
                del self._imports[module]
            names.intersection_update(said)
        standard = [m for m in self._imports if m.split(".")[0] not in {"bmesh", "mathutils", "bpy_extras"}]
        blender = [m for m in self._imports if m not in standard]
        lines = [import_line(module, self._imports[module]) for module in sorted(standard)]
        if lines:
            lines.append("")
        if not blender:
            return "\n".join([*lines, "import bpy"])
        # Sorted by name, bmesh would come before bpy, and the bpy wheel has no bmesh until bpy is imported.
        return "\n".join(
            [*lines, FIRST, "", "# isort: split", *(import_line(m, self._imports[m]) for m in sorted(blender))]
        )

    # Objects

    def add_known(self, known: Known) -> Known:
        """Keep an object; one that was made is "it" from the next step on."""
        self.known.append(known)
        if known.made:
            self.it = known
        return known

    def key(self, name: str, *, called: bool) -> str:
        """The mark of a new object; it ends with the name where the user chose it."""
        self._made += 1
        return f"{self.id}-{self._made}" + (f" {name}" if called else "")

    def new_object(
        self, kind: str, name: str, *, called: bool, type_: str, data: str = "", data_code: str = "None"
    ) -> Known:
        """Lines that add an object, or find it when they run again; `data_code` is the expression of its data."""
        if self.looping:
            raise refuse(name, "one for each of several? Say so")
        if self.in_body:  # a function adds one each time it is called
            self.need("add_object")
            var = self.var(name if called else kind)
            self.line(f"{var} = add_object({quoted(name)}, {data_code})")
            return self.add_known(Known(var, name if called else "", type_, kind, data, made=True))
        self.check_scene()
        if self.scene_meant:
            raise refuse(name, "objects are added to the open scene here")
        self.need("find_made", "new_object")
        if called and any(each.name == name for each in self.known):
            raise refuse(name, "another object of this request has this name")
        var = self.var(name if called else kind)
        key = quoted(self.key(name, called=called))
        self.line(f"{var} = find_made({key})")
        with self.block(f"if {var} is None:"):
            made = f"{var} = new_object({quoted(name)}, {data_code}, {key})"
            if len(made) > WIDTH:
                made = f"{var} = new_object(\n    {quoted(name)},\n    {data_code},\n    {key},\n)"
            self.line(made)
        return self.add_known(Known(var, name if called else "", type_, kind, data, made=True))

    def one(self, target: Target | None) -> Known:
        """One object. Raises `NotUnderstood` where several may be meant."""
        found = self.objects(target)
        if isinstance(found, Many):
            if len(found.members) == 1:
                return found.members[0]
            if target is not None and any(isinstance(each, Best) and each.number == 1 for each in target.where):
                return self._speak(Known(f"{found.expression}[0]", type=found.type))
            if target is None or not ONE_SELECTED.fullmatch(target.said):
                raise refuse(target.said if target else "", "one object is meant here")
            self.need("the_only")
            var = self.var("selected")
            self.line(f"{var} = the_only({found.expression})")
            return self.add_known(Known(var, type=found.type, kind="selected", data=found.data))
        return found

    def object(self, target: Target | None) -> str:
        """The variable of one object."""
        return self.one(target).var

    @contextlib.contextmanager
    def each(self, target: Target | None, *, type_: str = "") -> Generator[Known, None, None]:
        """The object of the lines that follow, in a loop where there are several. `type_` leaves out other types."""
        found = self.objects(target)
        if isinstance(found, Known):
            yield found
            return
        expression = found.expression
        loop = Known("obj", type=found.type, data=found.data)
        with self.block(f"for obj in {expression}:"):
            if type_ and not found.type and not found.members:
                self.line(f'if obj.type != "{type_}":\n    continue')
            yield loop

    def or_all(self, target: Target | None, type_: str = "", *, said: str) -> Target | None:
        """What was said, else the objects that a loop is about, else all of them."""
        return target if target is not None or self.looping else Target("all", type_, said=said)

    def _surface_words(self) -> set[str]:
        """Words for the nodes and inputs of the materials that were spoken of: "the bump strength", "the base color"."""
        said = {word for _, spot in self.memory.get("_nodes", []) for word in spot.node.label.lower().split()}
        shader = self.lexicon.manifest.nodes["ShaderNodeBsdfPrincipled"]
        return said | {each.name.lower().split()[0] for each in shader.inputs if self.memory.get("_topics")}

    def objects(self, target: Target | None) -> Known | Many:
        """What a target means; the lines that find it are added when it is first spoken of."""
        if target is None:
            self.unsaid = self.unsaid or self.it is None
            found = self.it if self.it is not None else self._active()
            self._first = self._first or found
            return found
        if (part := self.part_called(target)) is not None:
            self._first = self._first or part
            return part
        match target.how:
            case "it":
                if self.it is None and self.topic is not None:
                    raise refuse(target.said or "it", "an object, or what was spoken of?")
                if self.it is None and self.memory.get("_no_object"):
                    raise refuse(target.said or "it", f'an object, or is it about "{self.memory["_no_object"]}"?')
                if self.it is None and self.memory.get("_deleted"):
                    raise refuse(target.said or "it", "which one? What was spoken of is deleted")
                if self.spoken is not None and self.spoken.places[0].type in NO_OBJECTS:
                    raise refuse(target.said, f"{self.spoken.title}, or an object?")
                there: Any = self.memory.get("_there")
                if there is not None and self.topic is there:
                    raise refuse(target.said, f"the {there.title}, or the object that has it?")
                if self._bone_spoken and target.said.lower() in {"it", "this", "that", "its"}:
                    raise refuse(target.said, "the bone, or its armature?")
                found = self.it if self.it is not None else self._active()
                self._first = self._first or found
                if (
                    isinstance(found, Many)
                    and target.said.lower() in {"it", "this", "that"}
                    and not len(found.members) == 1
                    and not self.looping
                    and found.expression != "imported"
                ):
                    raise refuse(target.said, "which one? Several objects were spoken of")
                return found
            case "them":
                if target.said.lower() == "both" and "_both" in self.memory:
                    return self._several(self.memory["_both"])
                if "_copies" in self.memory and re.search(r"\b(copies|duplicates)$", target.said.lower()):
                    copies: Known | Many = self.memory["_copies"]  # what something was copied to, not where it is from
                    return copies
                if isinstance(self.it, Many):
                    self._first = self._first or self.it
                    return self.it
                made = list(self.known)
                if re.search(r"\b(copies|duplicates)$", target.said.lower()):
                    made = [each for each in made if each.made]  # no copy is what was named
                    if len(made) < 2:
                        raise Ambiguous([target.said], f'"{target.said}": which ones?')
                if len(made) < 2:
                    raise refuse(target.said, "which ones?")
                return self._several(made)
            case "known":
                return next(each for each in self.known if each.var == target.name)
            case "active":
                made = [each for each in self.known if each.made]
                return self._speak(made[-1] if made else self._active())
            case "new":
                return self._made_for(target)
            case "named":
                named = self._named(target.name, target.type)
                named.type = named.type or target.type
                named.data = named.data or target.data
                return self._speak(named)
            case "kind":
                return self._speak(self._of_kind(target))
            case "word":
                known = self.called(target.name) or self.roles.get(target.name.lower())
                if known is None and target.name.lower() in self._surface_words():
                    raise refuse(target.said, "an object, or of the material?")
                if known is None:
                    known = self._looked_up(target, target.name)
                return self._speak(known)
            case "several":
                owned = [each for each in target.parts[1:] if each.said.lower().startswith(("their ", "its "))]
                if any(each.how in {"it", "kind"} for each in owned):
                    raise refuse(owned[0].said, "those of the objects before?")
                found_ones = [self.objects(part) for part in target.parts]
                if all(isinstance(each, Known) for each in found_ones):
                    many = self._several([each for each in found_ones if isinstance(each, Known)])
                    if len(many.members) == 2:
                        self.memory["_both"] = many.members
                else:
                    pieces = [f"*{e.expression}" if isinstance(e, Many) else e.var for e in found_ones]
                    many = Many(f"[{', '.join(pieces)}]")
                self._first = self._first or many
                return many
            case _:
                many = self._group(target)
                self._first = self._first or many
                return many

    def part_called(self, target: Target) -> Known | Many | None:
        """The objects of a part of what this request builds from parts, None where another object is meant."""
        assembly = self.memory.get("_assembly")
        if assembly is None or target.how not in {"word", "kind", "parts", "all"}:
            return None
        if target.how == "all" and (target.where or target.name not in {"", "MESH"}):
            return None
        found: Known | Many | None = assembly.objects_called(
            "*" if target.how in {"parts", "all"} else singular(target.name.lower())
        )
        return found

    def _made_for(self, target: Target) -> Known:
        """What something else is hung on or aimed at, made the first time; what the request is about stays that."""
        made: dict[str, Known] = self.memory.setdefault("_made_for", {})
        if target.said not in made:
            from app.drafting.composer.steps.objects import write_thing  # which is written with this module

            it, topic = self.it, self.topic
            made[target.said] = write_thing(self, target.what)
            self.it, self.topic = it, topic
        return made[target.said]

    def _speak(self, known: Known) -> Known:
        self._first = self._first or known
        return known

    def _several(self, members: Sequence[Known]) -> Many:
        types = {each.type for each in members}
        inner = ", ".join(each.var for each in members)
        return Many(
            f"({inner},)" if len(members) == 1 else f"({inner})", types.pop() if len(types) == 1 else "", list(members)
        )

    def _active(self) -> Known:
        for each in self.known:
            if each.kind == "active":
                return self._speak(each)
        self.need("active_object")
        var = self.var("active")
        self.line(f"{var} = active_object()")
        return self.add_known(Known(var, kind="active"))

    def _named(self, name: str, type_: str = "") -> Known:
        for each in self.known:
            if each.name == name:
                return each
        if any(OBJECT_KINDS.get(each.kind, ("", ""))[1] == name and each.made and not each.name for each in self.known):
            raise refuse(name, "the new object, or one that the scene has already?")
        return self._find(
            name,
            OBJECT_KINDS.get(name.lower(), ("", ""))[0] if name in {"Cube", "Camera", "Light"} else type_,
            name.lower(),
        )

    def _looked_up(self, target: Target, word: str) -> Known:
        """An object that the scene has under a name with this word, where that is clear when the snippet runs."""
        if self.lenient and target.said[:1].isupper() and target.said.lower() == word.lower():
            if is_no_name(self.lexicon, target.said) or re.search(
                rf"\b{re.escape(word)} (too|also|first)\b", self.request
            ):
                raise refuse(target.said, "a setting, or an object of this name? Put its name in quotes")
            return self._find(target.said, "", word.lower())
        if word.lower() in OBJECT_KINDS and word.lower() not in {"ball", "ground", "floor", "box"}:
            raise refuse(target.said or word, "no object was called so; put its name in quotes")
        named = target.said.lower().startswith("the ") or target.said[:1].isupper()
        named = named or word.lower() in {"ball", "ground", "floor"}
        if singular(word.lower()) in NO_OBJECT_WORDS:
            raise refuse(target.said or word, "no object is called so")
        if not self.lenient or not named or any(each.made for each in self.known):
            raise refuse(target.said or word, "no object was called so; put its name in quotes")
        self.need("object_called")
        var = self.var(word)
        self.line(f"{var} = object_called({quoted(word.lower())})")
        return self.add_known(Known(var, word, "", f"the {word.lower()}"))

    def _find(self, name: str, type_: str, kind: str) -> Known:
        if A_FILE.search(name):
            raise refuse(name, "a file, or an object that is called so?")
        if name in self.memory.get("_bones", {}):
            raise refuse(name, "the bone, or an object that is called so too?")
        self.need("object_named")
        var = self.var(name)
        self.line(f"{var} = object_named({quoted(name)})")
        return self.add_known(Known(var, name, type_, kind))

    def _of_kind(self, target: Target) -> Known:
        kind = target.name
        if kind == "mesh":
            return self.it if isinstance(self.it, Known) else self._active()
        wanted_type, name = OBJECT_KINDS[kind]
        plain = (
            kind.removeprefix("default ")
            .removeprefix("scene ")
            .removeprefix("active ")
            .removeprefix("present ")
            .removeprefix("current ")
        )
        wanted_type, name = OBJECT_KINDS.get(plain, (wanted_type, name))
        if kind == plain:
            made = [e for e in self.known if e.made and fits(e, plain, wanted_type)]
            if len(made) == 1:
                return made[0]
            spoken = self.called(plain)
            if spoken is not None and not spoken.kind.startswith("default"):
                return spoken
            if len(made) > 1:
                raise refuse(target.said, "the request makes several of these; give them names")
            similar = [
                e
                for e in self.known
                if e.type
                and e.type == wanted_type
                and e.kind not in {"cube", "camera", "light"}
                and fits(e, plain, wanted_type)
            ]
            if len(similar) == 1:
                return similar[0]
        for each in self.known:
            if (each.name and each.name == name) or each.kind == f"the {plain}":
                return each
        if target.said == "Box":  # written as a name, which Blender gives to nothing by itself
            return self._find("Box", "", "box")
        if wanted_type in {"CAMERA", "LIGHT", "ARMATURE", "CURVE", "EMPTY", "FONT", "LATTICE"} and plain in {
            "camera",
            "light",
            "armature",
            "rig",
            "curve",
            "empty",
            "text",
            "text object",
            "lattice",
            "path",
        }:
            self.need("object_of_type")
            var = self.var(plain)
            self.line(f'{var} = object_of_type("{wanted_type}")')
            return self.add_known(Known(var, name if plain in {"camera", "light"} else "", wanted_type, f"the {plain}"))
        if plain in {"ball", "ground", "floor", "ground plane", "mesh", "path", "grease pencil object", ""} or not name:
            if plain in {"ball", "ground", "floor", "box"}:
                return self._looked_up(target, plain)
            raise refuse(target.said, "no object was called so; put its name in quotes")
        known = self._find(name, wanted_type, plain)
        known.data = LIGHT_DATA.get(plain, "")
        return known

    def called(self, word: str) -> Known | None:
        """The object that was given this name, or one that ends or begins with it."""
        wanted = plain_name(word)
        names = {id(each): plain_name(each.name).split() for each in self.known if each.name}
        for part in (slice(None), slice(-1, None)):
            found = [each for each in self.known if each.name and names[id(each)][part] == wanted.split()]
            if len(found) == 1:
                return found[0]
            if found:
                return None
        return None

    def _group(self, target: Target) -> Many:
        tests: list[str] = []
        type_, _, light = target.name.partition(":")
        data = LIGHT_DATA.get(f"{light.lower()} light", "")
        made = [each for each in self.known if each.made and each.type == type_]
        if IMPORTED in target.where:
            if "_imported" not in self.memory:
                raise refuse(target.said, "nothing is imported before")
            return Many("imported")
        if UNSAID in target.where and made:
            return self._several(made)  # "add three lights ... the lights"
        source = f"{self.scene(read=True)}.objects"
        if target.how == "selected":
            source, type_ = f"{self.view_layer()}.objects", ""
            tests.append("obj.select_get()")
        if type_.startswith("="):
            name = type_[1:]
            tests.append(f'obj.name.split(".")[0] == "{name}"')
            type_ = "MESH"
        elif "|" in type_:
            tests.append("obj.type in {" + ", ".join(quoted(each) for each in sorted(type_.split("|"))) + "}")
            type_ = ""
        elif type_:
            tests.append(f'obj.type == "{type_}"')
        if light:
            tests.append(f'getattr(obj.data, "type", "") == "{light}"')
        best = next((each for each in target.where if isinstance(each, Best)), None)
        if best is not None and "mesh_of" in best.test and type_ != "MESH":
            tests.append('obj.type == "MESH"')
        tests += [self._test(each, type_, target) for each in target.where if each not in {UNSAID, best}]
        condition = " and ".join(f"({each})" if " or " in each and len(tests) > 1 else each for each in tests)
        long = f"[obj for obj in {source} if {condition}]" if condition else f"list({source})"
        later = self.request.partition(target.said)[2] if target.said else ""
        if best is not None:
            return Many(self._best(source, condition, best), type_, data=data)
        counted = COUNTED.search(later)
        if len(long) > 90 or (set(target.where) - {UNSAID} and SPOKEN_AGAIN.search(later)) or counted:
            # what is done to them may change which ones these are
            before = (self.memory.get("_group"), "\n".join(self._lines[-1:]))
            if before == ((source, condition), self.memory.get("_group_lines")):
                return Many(self.memory["_counted"], type_, data=data)
            var = self.var("wanted")
            self.memory["_counted"] = var
            if not condition:
                self.line(f"{var} = {long}")
                return Many(var, type_, data=data)
            lines = condition if len(condition) < 90 else condition.replace(" and ", "\n    and ")
            self.line(f"{var} = [\n    obj\n    for obj in {source}\n    if {lines}\n]")
            self.memory["_group"], self.memory["_group_lines"] = (source, condition), self._lines[-1]
            return Many(var, type_, data=data)
        return Many(long, type_, data=data)

    def _best(self, source: str, condition: str, best: Best) -> str:
        """The variable of the first few of a group, by a measure."""
        self.need(*sorted(set(re.findall(r"\w+", best.test)) & set(PARTS)))
        seen = any("view_layer.update()" in line for line in self._lines[-1:])
        if not seen and ("dimensions" in best.test or "matrix_world" in best.test):
            self.line(f"{self.view_layer()}.update()")
        group, var = source, self.var("first" if best.number > 1 else "best")
        if condition:
            group = self.var("wanted")
            self.line(f"{group} = [obj for obj in {source} if {condition}]")
        turned = ", reverse=True" if best.most else ""
        self.line(f"{var} = sorted({group}, key=lambda obj: {best.test}{turned})[:{best.number}]")
        return var

    def _test(self, each: Filter, type_: str, target: Target) -> str:
        """The condition of a filter; what it needs is seen to."""
        test = each.test
        if each == OTHER:
            spoken = [known.var for known in self.known if known.var != "obj"]
            if not spoken:
                raise refuse(target.said, "other than which?")
            return f"obj not in ({', '.join(spoken)},)"
        if each.refs:
            if each.refs[0].how == "active" and type_ == "CAMERA":
                raise refuse(target.said, 'the active object, or the active camera? Say "the scene camera"')
            found = self.objects(each.refs[0])
            members = [found] if isinstance(found, Known) else found.members
            goal = f"({', '.join(known.var for known in members)},)" if members else ""
            if not goal:
                goal = self.var("excepted")
                self.line(f"{goal} = {found.expression if isinstance(found, Many) else found.var}")
            if not test.endswith(" in {0}"):
                if not isinstance(found, Known):
                    raise refuse(target.said, "one object is meant here")
                goal = found.var
            test = test.replace("{0}", goal)
        words = set(re.findall(r"\w+", test))
        self.need(*sorted(words & set(PARTS)))
        if "fnmatch" in words:
            self.imports("fnmatch: fnmatch")
        if "nan" in words:
            self.imports("math: nan")
        if words & {"dimensions", "matrix_world"}:
            self.line(f"{self.view_layer()}.update()")
        meshes = "mesh_of" in words and type_ != "MESH" and 'obj.type == "MESH"' not in test
        return f'obj.type == "MESH" and {test}' if meshes else test

    # Settings

    def choose(self, sets: Iterable[Set], places: Iterable[Place], what: str) -> list[tuple[Setting, Any]]:
        """The settings that a thing with these places takes, one for each that the request sets."""
        order = list(places)
        chosen: list[tuple[Setting, Any]] = []
        sets = list(sets)
        found = [{option[0].place for option in each.options} & set(order) for each in sets]
        sure = {place for places_ in found if len(places_) == 1 for place in places_}
        for each in sets:
            if not each.options and each.refused:
                raise each.refused
            fitting = [option for option in each.options if option[0].place in order]
            if not fitting:
                raise refuse(each.said, f"{what} has no such setting")
            near = chosen[-1][0].place if chosen else None
            # A place that another setting is only found at is meant for this one too: "sphere shape, 5 kg".
            fitting.sort(
                key=lambda option: (
                    option[0].place != near,
                    option[0].place not in sure,
                    order.index(option[0].place),
                    self._is_far(option[0].prop.name),
                    -akin(option[0], [*self._chosen, *(old for old, _ in chosen)]),
                )
            )
            for option in fitting[:1]:
                clash = next((old for old in chosen if same(old[0], option[0]) and old[1] != option[1]), None)
                if clash is not None:
                    others = [o for o in fitting if not any(same(o[0], old[0]) for old in chosen)]
                    if not others:
                        raise refuse(each.said, "it was set to something else before")
                    chosen.append(others[0])
                else:
                    chosen.append(option)
        self._chosen = [*(old for old in self._chosen if old.place in order), *(setting for setting, _ in chosen)]
        return chosen

    def _is_far(self, name: str) -> bool:
        """Whether the request does not speak of what a setting belongs to: "resolution" is that of a bevel only there."""
        belongs = {"bevel_resolution": "bevel", "texture_limit": "viewport"}.get(name, "")
        return belongs not in self.request.lower()

    def needed_by(self, setting: Setting) -> Mapping[str, Any]:
        """What a setting has no effect without, by the names of settings of the same thing."""
        types = [setting.place.type, *(declared.name for declared in self.lexicon.manifest.lineage(setting.place.type))]
        found = (self.lexicon.needs.get(f"{type_name}.{setting.prop.name}", {}) for type_name in types)
        return next((each for each in found if each), dict[str, Any]())

    def assign(self, owner: str, chosen: Iterable[tuple[Setting, Any]], *, data: str = "") -> None:
        """Lines that set these settings of the thing in a variable; `data` is the variable of an object's data."""
        settings = list(chosen)
        said: set[tuple[str, Place, str]] = self.memory.setdefault("_said", set())
        said |= {(owner, setting.place, setting.prop.name) for setting, _ in settings}
        lines: list[str] = []
        for setting, value in settings:
            if value is False:
                continue  # what is turned off needs nothing
            for name, wanted in self.needed_by(setting).items():
                if (owner, setting.place, name) not in said:
                    said.add((owner, setting.place, name))
                    lines.append(f"{self.path(owner, setting.place, data)}.{name} = {literal(wanted)}")
        holders: dict[Place, str] = {}
        shared = Counter(setting.place for setting, _ in settings if not setting.socket)
        for setting, value in settings:
            if setting.socket:
                lines += self._input_lines(owner, setting, value)
                continue
            if setting.place not in holders:
                holder = self.path(owner, setting.place, data)
                if len(holder) > LONG or ("(" in holder and shared[setting.place] > 1):
                    lines.append(f"{self.var(setting.place.path.rpartition('.')[2] or 'settings')} = {holder}")
                    holder = lines[-1].partition(" ")[0]
                holders[setting.place] = holder
            holder = holders[setting.place]
            if isinstance(value, Change):
                self.once()
                changed = f"{holder}.{setting.prop.name}"
                if setting.prop.type == "INT" and value.operator == "*":
                    lines.append(f"{changed} = round({changed} * {literal(value.number)})")
                else:
                    number = int(value.number) if setting.prop.type == "INT" else value.number
                    lines.append(f"{changed} {value.operator}= {literal(number)}")
            elif is_partial(value):
                parts = {place: part for place, part in enumerate(value) if part is not None}
                lines += [
                    f"{holder}.{setting.prop.name}[{place}] = {self.literal(part)}" for place, part in parts.items()
                ]
            else:
                lines.append(f"{holder}.{setting.prop.name} = {self.value(value, setting)}")
        for text in lines:
            self.line(text)

    def _input_lines(self, owner: str, setting: Setting, value: Any) -> list[str]:
        if isinstance(value, Change):
            if setting.prop.type not in {"INT", "FLOAT"} or setting.prop.array:
                raise refuse(setting.prop.label, "what is there cannot be changed by so much here; say the new value")
            self.once()
            self.imports("typing: Any")
            var = self.var(setting.socket)
            changed = f"{var}.default_value {value.operator}= {literal(value.number)}"
            return [f'{var}: Any = {owner}.inputs["{setting.socket}"]', changed]
        node = self.lexicon.manifest.nodes.get(setting.place.type)
        named = node is None or setting.socket in {socket.name for socket in node.inputs}
        if is_partial(value):
            if not named:
                raise refuse(setting.prop.label, "say all three values")
            self.imports("typing: Any")
            var = self.var(setting.socket)
            parts = [(place, part) for place, part in enumerate(value) if part is not None]
            return [
                f'{var}: Any = {owner}.inputs["{setting.socket}"]',
                *(f"{var}.default_value[{place}] = {self.literal(part)}" for place, part in parts),
            ]
        part = "set_input" if named else "set_socket"
        self.need(part)
        return [f"{part}({owner}, {quoted(setting.socket)}, {self.value(value, setting)})"]

    def path_of(self, path: str, *, absolute: bool = False) -> str:
        """The expression of a file's path: "//" is the folder of the blend file, other relative ones begin where Blender runs."""
        self.imports("pathlib: Path")
        if path.startswith("//"):
            return f"Path(bpy.path.abspath({quoted(path)}))"
        return f"Path.cwd() / {quoted(path)}" if absolute else f"Path({quoted(path)})"

    def value(self, value: Any, setting: Setting) -> str:
        """The value of a setting as source."""
        if isinstance(value, Ref):
            if isinstance(value.target, Target):
                return self.object(value.target)
            collection = POINTERS.get(setting.prop.of)
            if collection is None:
                raise refuse(str(value.target), f"a {setting.prop.of} cannot be given by name")
            return f"bpy.data.{collection}[{quoted(value.target)}]"
        if isinstance(value, Change):
            raise refuse(setting.prop.label, "what is there cannot be changed by so much here; say the new value")
        if is_set(value):
            return "{" + ", ".join(quoted(str(item)) for item in sorted(value)) + "}"
        if isinstance(value, Color):
            return self.literal((*value.rgb, 1.0) if setting.prop.array == (4,) else value.rgb)
        return self.literal(value)

    def path(self, owner: str, place: Place, data: str = "") -> str:
        """The expression of a place of a thing; what may be missing is made sure of."""
        if not place.path:
            return owner
        expression = owner
        steps = place.path.split(".")
        for index, step in enumerate(steps):
            if step == "data" and index == 0:
                expression = data
                continue
            if step == "view_layer" and index == 0 and owner == "scene":
                expression = self.view_layer()
                continue
            expression = f"{expression}.{step}"
            if expression == "scene.world":
                expression = self.world()
                continue
            types = self._type_at(place, steps[: index + 1])
            if step == "cycles":
                self.imports("typing: Any")
                expression = self._cycles(expression)
            elif types is not None and not types[1]:
                self.need("expect")
                expression = f"expect({expression}, bpy.types.{types[0]})"
        return expression

    def world(self) -> str:
        """The variable of the scene's world."""
        if "world" not in self._names:
            self._names.add("world")
            self.need("expect")
            self.line(f"world = expect({self.scene()}.world, bpy.types.World)")
        return "world"

    def _cycles(self, expression: str) -> str:
        if expression != "scene.cycles":
            name = self.var("cycles_settings")
            self.line(f"{name}: Any = {expression}  # the add-on of the Cycles engine brings its settings")
            return name
        if "cycles" not in self._names:
            self._names.add("cycles")
            self.line(f"cycles: Any = {expression}  # the add-on of the Cycles engine brings its settings")
        return "cycles"

    def _type_at(self, place: Place, steps: Sequence[str]) -> tuple[str, bool] | None:
        """The type at a path, and whether it is always there; None where the manifest does not know the way."""
        path = place.path
        if steps[0] == "data":
            steps, path = steps[1:], path.partition(".")[2]
        for root in ("Scene", "Object", "Camera", "World", "Material", "ViewLayer", *self._roots):
            type_name, certain = root, True
            for step in steps:
                try:
                    prop = self.lexicon.property(type_name, step)
                except KeyError:
                    break
                type_name, certain = prop.of, prop.never_none
            else:
                if len(steps) == path.count(".") + 1 and type_name != place.type:
                    continue
                return type_name, certain
        return None

    @property
    def _roots(self) -> Iterable[str]:
        return ("ClothModifier", "SoftBodyModifier", "CollisionModifier", "ParticleSettings", "ParticleSystem", "RigidBodyWorld",
                "FluidModifier", "DynamicPaintModifier", "OceanModifier", "ParticleSystemModifier", "FieldSettings", "RenderSettings")  # fmt: skip


REGISTER: Final = '''\
def register() -> None:
    """Register the classes; those of an earlier run make way."""
    for cls in CLASSES:
        known = getattr(bpy.types, cls.__name__, None)
        if known is not None:
            bpy.utils.unregister_class(known)
        bpy.utils.register_class(cls)
'''

POINTERS: Final = {
    "Material": "materials", "Collection": "collections", "Texture": "textures", "Image": "images", "World": "worlds",
    "NodeTree": "node_groups", "GeometryNodeTree": "node_groups", "Action": "actions", "Mesh": "meshes", "Curve": "curves",
    "ParticleSettings": "particles", "Text": "texts", "Scene": "scenes", "Armature": "armatures", "Camera": "cameras",
    "VectorFont": "fonts",
}  # fmt: skip


def is_tuple(value: object) -> TypeGuard[tuple[object, ...]]:
    """Whether a value has components."""
    return isinstance(value, tuple)


def is_set(value: object) -> TypeGuard[frozenset[str]]:
    """Whether a value is a set of items of an enumeration."""
    return isinstance(value, frozenset)


def is_partial(value: Any) -> bool:
    """Whether only some components of a vector are given."""
    return is_tuple(value) and None in value


def without_unused(lines: list[str]) -> list[str]:
    """The lines without the names of values that nothing uses."""
    used = Counter(re.findall(r"\w+", "\n".join(line for line in lines if not line.lstrip().startswith("#"))))
    kept: list[str] = []
    dropped = ""
    for line in lines:
        if dropped:  # the rest of a list over several lines
            dropped = "" if line == dropped else dropped
            continue
        match = re.match(r"(\s*)(\w+)(?:: [\w.]+)? = (.+)", line)
        if match is not None and used[match[2]] == 1 and match[3] in {"[", "{"}:
            dropped = match[1] + {"[": "]", "{": "}"}[match[3]]
            continue
        if match is None or used[match[2]] > 1 or match[3].endswith("("):
            kept.append(line)
        elif " or " in match[3]:
            kept.append(f"{match[1]}_ = {match[3]}")
        elif not match[3].startswith(("[", "set(", "{", "current_")):
            kept.append(match[1] + match[3])
    return kept if kept == lines else without_unused(kept)


_SETTING: Final = re.compile(r'(\w+)(\.\w+)+ = (True|False|-?[\d.]+|"[^"]*")')
_LOOK_UP: Final = re.compile(r"\w+ = (expect|object_named|object_of_type|active_object)\([^()]*(\([^()]*\))?[^()]*\)")


def without_repeats(lines: list[str]) -> list[str]:
    """The lines without a setting that was given the same value before, with nothing but settings and look-ups between."""
    kept: list[str] = []
    said: set[str] = set()
    for line in lines:
        setting = _SETTING.fullmatch(line)
        if (setting and line in said) or (kept and line == kept[-1] and line.startswith("set_input(")):
            continue
        if setting:
            attribute = line.partition(" = ")[0]
            said = {other for other in said if other.partition(" = ")[0] != attribute} | {line}
        elif not _LOOK_UP.fullmatch(line) and not line.startswith("#"):
            said = set()
        kept.append(line)
    return kept


def akin(one: Setting, chosen: Iterable[Setting]) -> int:
    """How many words its name shares with a setting that was chosen there: of two target velocities, the one of the motor
    that was turned on.
    """
    words = set(one.prop.name.split("_"))
    return max((len(words & set(old.prop.name.split("_"))) for old in chosen if old.place == one.place), default=0)


def same(one: Setting, other: Setting) -> bool:
    """Whether two settings are the same place."""
    return (one.place, one.prop.name, one.socket) == (other.place, other.prop.name, other.socket)


def plain_name(name: str) -> str:
    """A name as a sentence would say it."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])|[_.]+", " ", name)
    return " ".join(spaced.lower().split())


def fits(known: Known, kind: str, type_: str) -> bool:
    """Whether an object may be called this kind: "the sphere" for an ico sphere, "the light" for a sun."""
    if known.kind == kind or known.kind.endswith(f" {kind}"):
        return True
    generic = {"light": "LIGHT", "camera": "CAMERA", "empty": "EMPTY", "curve": "CURVE", "text": "FONT", "armature": "ARMATURE",
               "rig": "ARMATURE", "lattice": "LATTICE", "mesh": "MESH", "text object": "FONT", "path": "CURVE"}  # fmt: skip
    aliases = {"ball": "sphere", "box": "cube", "floor": "plane", "ground": "plane", "ground plane": "plane"}
    if kind in aliases:
        return known.kind == aliases[kind] or known.kind.endswith(f" {aliases[kind]}")
    if type_ == "LIGHT" and kind != "light":
        return known.kind == f"{kind.removesuffix(' light')} light"
    return kind in generic and known.type == generic[kind]


def import_line(module: str, names: set[str]) -> str:
    """An import statement."""
    return f"from {module} import {', '.join(sorted(names, key=isort_key))}" if names else f"import {module}"


def isort_key(name: str) -> tuple[int, str]:
    """Constants, classes, then the rest."""
    return (0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2), name
