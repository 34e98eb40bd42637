"""Code that the file keeps: operators, panels, property groups, handlers and timers, with bodies made of other steps.

"Register an operator object.lift (undo) with a float property "height" (default 2) that moves the active object up by the height"
                              \\__________ its head __________________________/      \\______________ its body ______________/

The body is read like any other request. A property that is spoken of in it stands there as a number of its own until
the source is written, and as `self.height` from then on.
"""

from __future__ import annotations

import functools
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final

from app.drafting.composer.build import Build, Many, is_tuple
from app.drafting.composer.filters import SELECTED, several
from app.drafting.composer.grammar import step
from app.drafting.composer.lexicon import Phrases
from app.drafting.composer.patterns import SLOTS, Env, Reading, compile_pattern, slot
from app.drafting.composer.slots import Target, number, skip
from app.drafting.composer.steps.owners import Item, each_owner
from app.drafting.composer.tokens import Token, singular
from app.drafting.composer.values import clean, literal, quoted, refuse

KINDS: Final = {
    "float": "Float", "int": "Int", "integer": "Int", "bool": "Bool", "boolean": "Bool", "string": "String", "text": "String",
    "enum": "Enum", "vector": "FloatVector", "color": "Color", "number": "Float", "checkbox": "Bool", "whole": "Int",
}  # fmt: skip
HELD: Final = {"Float": "float", "Int": "int", "Bool": "bool", "String": "str", "Enum": "str",
               "FloatVector": "tuple[float, float, float]", "Color": "tuple[float, float, float, float]"}  # fmt: skip
NOUNS: Final = frozenset({
    "property", "properties", "setting", "settings", "parameter", "parameters", "option", "options", "value",
    "argument", "input",
})  # fmt: skip
DECLARING: Final = NOUNS | KINDS.keys()
"""Words by which a property is declared."""


@dataclass(frozen=True)
class Declared:
    """A property of an operator or a group: its name, its kind as in `bpy.props`, and what it is made with."""

    name: str
    kind: str
    details: tuple[tuple[str, Any], ...] = ()
    items: tuple[tuple[str, str], ...] = ()
    """Identifiers and labels of an enumeration."""
    label: str = ""
    owner: str = ""
    """The type that it is a property of, where one was said."""

    @classmethod
    def of(cls, found: Env) -> Declared | None:
        """The property that was read, unless what is said of it does not fit its kind."""
        kind = str(KINDS.get(found["kind"], found["kind"]))
        items, labels = found.get("items") or (), found.get("labels") or found.get("items") or ()
        names = [re.sub(r"\W+", "_", each).strip("_").upper() for each in items]
        low, high = found.get("span") or (None, None)
        on = found["on"] in {"on", "true", "enabled"} if "on" in found else None
        given = {
            "default": found.get("default", on), "min": found.get("min", low), "max": found.get("max", high), "description": found.get("hint"),
        }  # fmt: skip
        try:
            told = {key: value for key, value in given.items() if value is not None}
            details = {key: value if key == "description" else fitting(kind, value) for key, value in told.items()}
        except ValueError:
            return None
        if kind == "Enum":
            details.update({"default": re.sub(r"\W+", "_", details["default"]).upper()} if "default" in details else {})
        limited = {"min", "max"} & details.keys() and kind not in {"Float", "Int", "FloatVector"}
        wrong = len(labels) != len(items) or limited or (kind == "Enum") != bool(items)
        if wrong or (kind == "Enum" and details.get("default", names[0]) not in names):
            return None
        rows = tuple(zip(names, (each if "labels" in found else each.title() for each in labels), strict=True))
        place, _, name = found["name"].rpartition(".")
        owners = {each for each in (place.title(), found.get("type"), found.get("owner", "").title()) if each}
        return cls(name, kind, tuple(details.items()), rows, found.get("title", ""), "".join(owners))

    @property
    def stand_in(self) -> float:
        """The number that stands for it while the body is read: near its default, and no other's."""
        digits = int.from_bytes(self.name.encode()[:4].ljust(4, b"_"), "big") % 8999 + 1000
        given = dict(self.details).get("default", 1.0)
        if self.kind == "Int":
            return float(digits)
        base = float(given) if isinstance(given, int | float) else 1.0
        return clean(base + digits * 1e-8)

    def made(self) -> str:
        """The call that makes it."""
        arguments = [f"name={quoted(self.title)}", *(f"{key}={literal(value)}" for key, value in self.details)]
        if self.kind == "Enum":
            rows = [f'({quoted(name)}, {quoted(label)}, "")' for name, label in self.items]
            arguments.insert(1, f"items={in_brackets('[]', rows)}")
        if self.kind == "Color":
            return "bpy.props.FloatVectorProperty" + in_brackets("()", [*arguments, 'subtype="COLOR"', "size=4"])
        return f"bpy.props.{self.kind}Property" + in_brackets("()", arguments)

    @property
    def title(self) -> str:
        """Its label."""
        return self.label or self.name.replace("_", " ").title()


def annotated(p: list[Declared]) -> str:
    """The properties of a class, for Blender and for a type checker."""
    held = "\n".join(f"        {each.name}: {HELD[each.kind]}" for each in p)
    made = "\n".join(textwrap.indent(f"{each.name}: {each.made()}", " " * 8) for each in p)
    return f"    if TYPE_CHECKING:  # what the properties hold, which a type checker cannot read below\n{held}\n    else:\n{made}"


def in_brackets(brackets: str, parts: list[str]) -> str:
    """Parts in brackets: on one line, or a line each where that is too long."""
    flat = ", ".join(parts)
    if len(flat) <= WIDTH and "\n" not in flat:
        return f"{brackets[0]}{flat}{brackets[1]}"
    lines = textwrap.indent(",\n".join(parts), "    ")
    return f"{brackets[0]}\n{lines},\n{brackets[1]}"


WIDTH: Final = 80
"""Longer rows of arguments are broken into lines."""


def fitting(kind: str, value: Any) -> Any:
    """A value as a property of this kind holds it. Raises `ValueError`."""
    plain = type(value) in {int, float}
    match kind:
        case "Float" if plain:
            return float(value)
        case "Int" if plain and value == int(value):
            return int(value)
        case "Bool" if isinstance(value, bool) or value in {0, 1}:
            return bool(value)
        case "String" | "Enum" if isinstance(value, str):
            return value
        case "FloatVector" | "Color" if is_tuple(value):
            return value
        case _:
            raise ValueError(kind)


SOME_KIND: Final = f"{{kind={'|'.join(KINDS)}}}"
NOUN: Final = f"[{'|'.join(NOUNS)}]"
OWNED: Final = "{owner=object|scene|material|world|collection|image|mesh|light|camera|armature|action|bone}"
ABOUT_PROPERTY: Final = (
    f"~( (to|on|for|of|at) [all|every|each] [the] [new] {OWNED} [type|datablock] ; [and] [registered|defined|attached] [to|on|at] [«] {{type:rna_type}} [»] ;"
    " [that|which] (default|defaults|defaulting|initially) [value] [to|of|is|=|:] {default:given} ; {on=on|off|true|false|enabled|disabled} [by default] ;"
    " (min|minimum|at least|never below|not below) [value] [=|:|of|is] {min:n} ; (max|maximum|at most|never above|not above|up to) [value] [=|:|of|is] {max:n} ;"
    " [with|that goes|going] [a|the] [from|between|range|in the range|limited to|range from|range of|ranging from] [=|:] {span:limits_of_property} ; [with|of] [items|options|values|choices] [one of|:|=] {items:row_of_items} ;"
    " [with] [the] labels [:|=] {labels:row_of_items} ; (tooltip|description) [:|=|of] {hint:quoted} ; (label|labelled|shown as) [:|=] {title:quoted} ;"
    " (in|of) (local|world) space ; in (meters|m) )"
)
WORDINGS: Final = [compile_pattern(text) for text in (
    f"[{OWNED}] {SOME_KIND} {NOUN} [(on|for|to) {{type:rna_type}}] [(of|on|for) [the|every|all] {OWNED}] [,|:] [<called>] {{name:property_name}} {NOUN} {ABOUT_PROPERTY}",
    f"[{OWNED}] {NOUN} {{name:property_name}} « [a|an] {SOME_KIND} {NOUN} {ABOUT_PROPERTY} » {ABOUT_PROPERTY}",
    f"[{OWNED}] {NOUN} {{name:property_name}} « {SOME_KIND} [,|=|:] {{default:given}} [,] ~( from {{span:limits_of_property}} ; (min|minimum) [=|:|of] {{min:n}} ; (max|maximum) [=|:|of] {{max:n}} ) »",
    f"[{OWNED}] {NOUN} {{name:property_name}} [:|,|as|is] [a|an] {SOME_KIND} {NOUN} {ABOUT_PROPERTY}",
)]  # fmt: skip
AND_ANOTHER: Final = compile_pattern(f"{{name:property_name}} « {ABOUT_PROPERTY} »")
"""One more of the kind of the property before."""
NO_PROPERTY: Final = NOUNS | KINDS.keys() | {"as", "called", "named", "it", "all", "the", "a", "an", "and", "with", "that", "which", "to", "of", "on", "in", "for", "default", "min", "max", "from",
                                             "print", "count", "show", "list", "log", "report", "tell", "set"}  # fmt: skip


@slot("property_name")
def property_name(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """A name that Python takes, after its type where it is that of a type: "stretch", "Object.is_prop"."""
    at = skip(reading, at, {"the", "a", "an"})
    token = reading.tokens[at] if at < len(reading.tokens) else None
    if token is None or token.kind not in {"word", "quoted"} or token.word in NO_PROPERTY:
        return
    if re.fullmatch(r"(?:(?:bpy\.types\.)?[A-Za-z]\w+\.)?[A-Za-z_]\w*", token.text):
        yield at + 1, token.text.removeprefix("bpy.types.")
    elif token.kind == "quoted" and re.fullmatch(r"[A-Za-z]\w*([ -]\w+)+", token.text):  # a label: "random rotation"
        yield at + 1, re.sub(r"\W+", "_", token.text.lower())


@slot("given")
def given_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Any]]:
    """What a property holds at first: a number, on or off, a text, an item."""
    if reading.word(at) in {"on", "off"}:
        yield at + 1, reading.word(at) == "on"
    yield from SLOTS["scalar"](reading, at, env, of)
    if at < len(reading.tokens) and reading.tokens[at].kind in {"word", "signed"}:
        yield at + 1, reading.tokens[at].text


@slot("limits_of_property")
def limits(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[float, float]]]:
    """ "0 to 1", "1..50", "0-1"."""
    for middle, low in number(reading, at):
        near = middle < len(reading.tokens) and reading.tokens[middle].start - reading.tokens[middle - 1].end == 1
        joined = reading.word(middle) in {"to", "and"} or reading.mark(middle) in {"-", "..", "...", "…"}
        for end, high in number(reading, middle + joined) if joined or near else ():
            yield end, (low, high)


@slot("row_of_items")
def row_of_items(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """ "LOW / MID / HIGH", "X, Y and Z"."""
    found: list[str] = []
    place = at
    while place < len(reading.tokens) and reading.tokens[place].kind in {"word", "quoted", "signed"}:
        if reading.word(place) in NO_PROPERTY | {"labels", "label", "tooltip"}:
            break
        found.append(reading.tokens[place].text)
        place += 1
        if len(found) > 1:
            yield place, tuple(found)
        place += reading.mark(place) in {",", "/", "|"}
        place = skip(reading, place, {"and", "or"})


@slot("declared")
def declared(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[Declared]]]:
    """ "a float property "height" (default 0)", "the settings amplitude (float, default 0.1) and seed (int, default 1)"."""
    found: list[Declared] = []
    place = at
    stops: list[tuple[int, list[Declared]]] = []
    while True:
        place = skip(reading, place, {"a", "an", "the", "one", "two", "three", "following", "called", "named"} | NOUNS)
        place += reading.mark(place) == ":"
        read = one_declared(reading, place, found[-1].kind if found else "")
        if read is None:
            break
        place = read[0]
        found.append(read[1])
        stops.append((place, list(found)))
        while reading.mark(place) == "," or reading.word(place) in {"and", "plus", "with"}:
            place += 1
    yield from reversed(stops)


def one_declared(reading: Reading, at: int, before: str) -> tuple[int, Declared] | None:
    """One property, with its kind before or after its name, or that of the one before."""
    ways = [way for wording in WORDINGS for way in wording(reading, at, {})]
    if not ways and before:
        ways = [(end, {**found, "kind": before}) for end, found in AND_ANOTHER(reading, at, {})]
    read = [(end, each) for end, found in ways if (each := Declared.of(found)) is not None]
    return max(read, key=lambda way: way[0], default=None)


def stands_for(one: Declared, token: Token, before: str) -> bool:
    """Whether a word of a body means a property, by what stands before it."""
    spoken = before in {"the", "by", "to", "its", "of", "given", "that", "least", "most"}
    return spoken and one.kind in {"Float", "Int"} and token.kind == "word" and token.text.lower() == one.name.lower()


# --- registration ------------------------------------------------------------------------------------------


@dataclass
class Classes:
    """The classes that a request registers."""

    names: list[str]


def register(build: Build, name: str, code: str) -> None:
    """Add a class, and its registration in `main`."""
    known: Classes = build.memory.setdefault("_classes", Classes([]))
    if not known.names:
        build.line("register()")
    if name in known.names:
        raise refuse(name, "registered twice")
    known.names.append(name)
    build.function(code)
    build.registered = tuple(known.names)


def class_name(identifier: str, middle: str) -> str:
    """The name Blender gives the class of an operator or a panel."""
    area, _, rest = identifier.partition(".")
    return f"{area.upper()}_{middle}_{rest}"


# --- classes and functions with a body ----------------------------------------------------------------------


@dataclass
class Body:
    """What is being given a body: an operator, a handler or a timer."""

    what: str
    name: str
    title: str
    ident: str = ""
    undo: bool = False
    idle: bool = False
    """Whether it is to do nothing."""
    asks: bool = False
    """Whether it asks before it runs."""
    properties: list[Declared] = field(default_factory=list[Declared])
    poll: str = ""
    tip: str = ""
    """What its tooltip says."""
    refusal: str = ""
    """What an operator says where nothing is selected."""
    where: str = ""
    """The list of handlers, or the seconds of a timer."""
    first: str = ""
    """The seconds before a timer runs the first time."""
    kept: bool = False
    """Whether a timer stays when another file is loaded."""
    finished: bool = False
    """Whether it is written: what is said of it later lets it be written once more."""
    text: str = ""
    """The lines of its body, when it is written."""
    code: str = ""
    """The class of an operator, when it is written."""

    def finish(self, build: Build, lines: list[str]) -> None:
        """Add the class or the function to the snippet."""
        self.finished = True
        text = "\n".join(lines)
        given: list[Declared] = build.memory.get("_declared", [])
        named = {each.name for each in self.properties}
        self.properties += [each for each in given if each.name not in named and repr(each.stand_in) in text]
        for each in self.properties:
            text = re.sub(rf"(?<![\w.]){re.escape(repr(each.stand_in))}(?![\w.])", f"self.{each.name}", text)
            if each.kind == "Int":
                text = re.sub(rf"(?<![\w.]){int(each.stand_in)}(?:\.0)?(?![\w.])", f"self.{each.name}", text)
        for each in self.properties:
            if text and f"self.{each.name}" not in text:
                raise refuse(each.name, "it is not understood what this property does")
        if any(each.owner for each in self.properties):
            raise refuse(self.ident, "whose property?")
        if self.what == "operator" and not text and not self.idle:
            raise refuse(self.ident, "say what it is to do")
        if self.what == "operator":
            self.operator(build, text)
        else:
            self.function(build, text)

    def operator(self, build: Build, text: str) -> None:
        """Register the class of an operator."""
        self.text, self.code = text, self.written(build, text)
        register(build, self.name, self.code)
        build.imports("typing: Any")

    def renew(self, build: Build) -> None:
        """Write the class again, where more is said of an operator whose body stands already."""
        if self.finished:
            before, self.code = self.code, self.written(build, self.text)
            build.replace_function(before, self.code)

    def written(self, build: Build, text: str) -> str:
        """The class of an operator."""
        parts = [
            f'class {self.name}(bpy.types.Operator):\n    """{(self.tip or self.title).rstrip(chr(46))}."""\n\n    bl_idname = {quoted(self.ident)}\n    bl_label = {quoted(self.title)}'
        ]
        if self.undo:
            parts[0] += '\n    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012 - this is how Blender reads it'
        if self.properties:
            build.imports("typing: TYPE_CHECKING")
            parts.append(annotated(self.properties))
        if self.poll:
            parts.append(
                f'    @classmethod\n    def poll(cls, context: bpy.types.Context) -> bool:\n        """Say whether it can be run."""\n        return {self.poll}'
            )
        body = ["        del context"]
        if self.refusal:
            build.need("current_view_layer")
            kind, said = self.refusal.split(":", 1)
            body.append(
                f'        if not any(obj.select_get() for obj in current_view_layer().objects):\n            self.report({{"{kind}"}}, {quoted(said)})\n            return {{"CANCELLED"}}'
            )
        if text:
            body.append("\n".join(f"        {line}" if line else "" for line in text.split("\n")))
        body.append('        return {"FINISHED"}')
        if self.asks:
            parts.append(
                '    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:\n        """Ask before the work is done."""\n'
                "        manager = expect(context.window_manager, bpy.types.WindowManager)\n        return set(manager.invoke_confirm(self, event))"
            )
            build.need("expect")
        parts.append(
            '    def execute(self, context: bpy.types.Context) -> set[Any]:\n        """Do the work."""\n'
            + "\n".join(body)
            + "\n"
        )
        return "\n\n".join(parts)

    def function(self, build: Build, text: str) -> None:
        """The function of a handler or a timer, and how it is registered."""
        build.imports("typing: Any")
        body = "\n".join(f"    {line}" if line else "" for line in text.split("\n"))
        if not text:
            raise refuse(self.title, "say what it is to do")
        if self.what == "timer":
            build.function(f'def {self.name}() -> float:\n    """{self.title}."""\n{body}\n    return {self.where}\n')
            build.line(f'earlier = bpy.app.driver_namespace.get("{self.name}")')
            build.line(
                "if earlier is not None and bpy.app.timers.is_registered(earlier):\n    bpy.app.timers.unregister(earlier)"
            )
            build.line(
                f'bpy.app.driver_namespace["{self.name}"] = {self.name}\nbpy.app.timers.register({self.name}, first_interval={self.first}{", persistent=True" * self.kept})'
            )
            return
        build.imports("bpy.app.handlers: persistent")
        build.function(f'def {self.name}(*_arguments: Any) -> None:\n    """{self.title}."""\n{body}\n')
        build.line(f"handlers = bpy.app.handlers.{self.where}")
        build.line(
            f'for earlier in [each for each in handlers if getattr(each, "__name__", "") == "{self.name}"]:\n    handlers.remove(earlier)'
        )
        build.line(f"handlers.append(persistent({self.name}))")


MAKE: Final = "(register|write|write me|create|add|make|define|write and register|create and register|define and register|i need|build|code|implement)"
UNDO: Final = "{undo=undo enabled|undo able|undo - able|undo|undo support|undo possible|undoable|supports undo|support for undo|with undo|can be undone|undo step}"
ASKS: Final = "[pop up|popup] {ask=confirmation|confirm dialog|confirm popup|confirmation popup|confirmation dialog|confirmation pop up} [pop up|popup|dialog]"
ABOUT: Final = (
    "~( [(idname|bl_idname|id name|id|identifier)] [=|:] {ident:dotted} ; {label:quoted} ; [labelled|label|with label|with the label|titled|shown as|with the text] [=|:] {label:quoted} ;"
    f" {UNDO} ; {{p:declared}} ; {ASKS} ; (no properties|without properties) ; [with] [the|a] (tooltip|tool tip|description|docstring) [=|:|of] {{tip:quoted}} )"
)


@step(
    f"[{MAKE}] [a|an] [new] [{{empty=empty|dummy|do nothing|simple|minimal|custom}}] [{{undo=undoable|undo-safe|undo safe}}] operator [<called>] {{ident:dotted}} {ABOUT}",
    f"[{MAKE}] [a|an] [new] {{ident:dotted}} operator {ABOUT}",
    f"(define|register|write and register) {{ident:dotted}} {ABOUT}",
    f"[{MAKE}] [a|an] [pop up|popup] {{ask=confirmation}} [dialog] (to|for) [a|an] [new] operator [<called>] {{ident:dotted}} {ABOUT}",
    f"[{MAKE}] [a|an] [new] [custom|simple] [{{undo=undoable|undo-safe|undo safe}}] operator [<called> {{title:quoted}}] {ABOUT}",
)
def operator(
    build: Build, ident: str | None, label: str | None, empty: str | None, undo: str | None, p: list[Declared] | None,
    title: str | None, ask: str | None, tip: str | None,
) -> None:  # fmt: skip
    """An operator; what follows is what it does."""
    if ident is None:
        words = re.findall(r"[a-z]+", (title or label or build.request.partition("that")[2]).lower())[:3]
        ident = "object." + ("_".join(words) or "work")
    if not ident.islower():
        raise refuse(ident, "an operator has a name like object.drop")
    shown = label or title or ident.partition(".")[2].replace("_", " ").title()
    body = Body(
        "operator", class_name(ident, "OT"), shown, ident, bool(undo), bool(empty), bool(ask), p or [], tip=tip or ""
    )
    build.memory["_operator"] = body
    build.open_body(body.finish)
    build.note(f"operator {ident}")


EVENTS: Final = Phrases((phrase, event) for event, phrases in {
    "frame_change": ("frame change", "frame", "change of frame", "changes of frame", "new frame", "frame changes", "current frame changes", "scene frame changes"),
    "load": ("load", "file load", "loading a file", "file is opened", "file is loaded", "opening a file", "loading", "opening", "file open", "file is opened", "blend file is opened", "blend file is loaded", "file loads", "i open a file"),
    "save": ("save", "file save", "saving", "file is saved", "i save", "somebody saves", "someone saves", "blend file is saved", "file gets saved"), "render": ("render", "rendering", "frame is rendered"),
    "render_complete": ("render is finished", "render finishes", "render is done", "render is complete", "render completes", "render is completed", "rendering is finished", "rendering finishes"),
    "depsgraph_update": ("depsgraph update", "scene update", "scene change", "update of the depsgraph", "change of the scene"),
    "undo": ("undo",), "redo": ("redo",),
}.items() for phrase in phrases)  # fmt: skip
EVENT: Final = re.compile(
    r"(frame_change|load|save|render|depsgraph_update|undo|redo)_(pre|post)|render_(init|complete|cancel|write|stats)"
)
BEFORE: Final = frozenset(
    {"when", "at", "on", "after", "before", "every", "each", "time", "whenever", "upon", "the", "a", "any"}
)


@slot("event")
def event_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """The list of handlers: "frame_change_pre", "before each save", "every frame change"."""
    place = skip(reading, at, BEFORE)
    if place < len(reading.tokens) and EVENT.fullmatch(reading.tokens[place].text):
        yield place + 1, reading.tokens[place].text
    said = {reading.word(each) for each in range(at, place)}
    for end, found in EVENTS.matches(reading.tokens, place) if said - {"the", "a"} or of == "bare" else ():
        if found[0] == "render_complete":
            yield end, found[0]
            continue
        yield skip(reading, end, {"event", "events"}), f"{found[0]}_{'pre' if 'before' in said else 'post'}"


@slot("occasion")
def occasion(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """An event that happens again and again: "whenever the file is saved", "on every frame change", "on save:"."""
    for end, found in event_slot(reading, at, {}, ""):
        words = {reading.word(each) for each in range(at, end)}
        phrase = [reading.word(each) for each in range(at, end) if reading.word(each) not in BEFORE]
        again = bool(words & {"whenever", "every", "each"}) and phrase not in (["frame"], ["new", "frame"], ["render"])
        told = words & {"before", "after"} and words & {"every", "each"}
        again = again or (phrase == ["render"] and bool(told))
        at_once = {"saving", "loading", "opening"} & {reading.word(each) for each in range(at, end)}
        again = again or bool(at_once and words & {"before", "after", "on", "upon", "when"} and at_start(reading, at))
        lasting = found[0] != "u" and phrase and (phrase[-1].endswith("s") or phrase[-1] in {"loaded", "saved", "opened", "finished", "completed", "complete", "done", "rendered"})  # fmt: skip
        begins = at == 0 or bool(reading.mark(at - 1))
        again = again or bool(lasting and words & {"when", "once"} and begins and reading.mark(end) == ",")
        called = reading.mark(end) == ":" and words & {"on", "after", "before", "at"} and phrase != ["frame"]
        if again or called:
            yield end, found


TIMED: Final = compile_pattern(
    "every {seconds:quantity of seconds} (with|by|using|through|via) [a|an] [app|application] timer|(with|by|using|through|via) [a|an] [app|application] timer [(that|which)] [runs|running|fires] every {seconds:quantity of seconds}"
)


def occasions_first(reading: Reading) -> list[Token]:
    """The tokens with "print the frame before every render" as "before every render: print the frame"; so timers too."""
    tokens: list[Token] = []
    start = 0
    for end in range(len(reading.tokens) + 1):
        if end < len(reading.tokens) and reading.mark(end) not in {".", ";", "!"}:
            continue
        sentence = reading.tokens[start:end]
        for place in range(start + 2, end - 1):
            timed = any(last == end for last, _ in TIMED(reading, place, {}))
            if timed or any(last == end for last, _ in often(reading, place)):
                head, last = reading.tokens[place:end], reading.tokens[end - 1]
                colon = Token("mark", ":", "", last.end, last.end)
                word = Token("word", "timer", "timer", head[0].start, head[0].start)
                if timed:
                    head = [each for each in head if each.word not in {"with", "by", "using", "through", "via", "a", "an", "timer", "app", "application", "that", "which"}]  # fmt: skip
                sentence = [*([word] if timed else []), *head, colon, *reading.tokens[start:place]]
                break
        tokens += [*sentence, *reading.tokens[end : end + 1]]
        start = end + 1
    return tokens


def often(reading: Reading, at: int) -> Iterator[tuple[int, str]]:
    """An event behind what is done at it, which happens again and again."""
    if reading.word(at) in {"whenever", "before", "after", "on", "at", "every", "each", "when"}:
        yield from occasion(reading, at, {}, "")


def at_start(reading: Reading, at: int) -> bool:
    """Whether the request begins here: "Save it. After saving, ..." is about one time."""
    return at == 0 or not any("save" in token.word or "open" in token.word for token in reading.tokens[:at])


@step(
    "[and] [do it|do this] (with|by|using|through|via) [a|an] {event:event of bare} handler",
    "« {event:event of bare} handler »",
    "« handler »",
)
def by_handler(build: Build, event: str | None) -> None:
    """How it is done, where a handler does it."""
    body: Body | None = build.memory.get("_function")
    if body is None or body.what != "handler" or (event and event.rpartition("_")[0] not in body.where):
        raise refuse("handler", "what does it do?")
    build.note("by a handler")


@step(
    "(remove|unregister|delete|drop) [the] [function] {ident:identifier} [handler] from [the] {event:event of bare} [handlers|handler] [[but] only] [(if|when) (it|the function|the handler) is (there|registered|installed|present) [already]]",
    "(remove|unregister|delete|drop) [the] [{event:event of bare}] handler [function] {ident:identifier} [from [the] {event:event of bare} [handlers]] [[but] only] [(if|when) (it|the function|the handler) is (there|registered|installed|present) [already]]",
)
def handler_removed(build: Build, ident: str, event: str | None) -> None:
    """Take a function off a list of handlers, where it is there."""
    if event is None:
        raise refuse(ident, "from which list of handlers?")
    build.line(f"handlers = bpy.app.handlers.{event}")
    with build.block(f'for each in [each for each in handlers if getattr(each, "__name__", "") == {quoted(ident)}]:'):
        build.line("handlers.remove(each)")
    build.note(f"handler {ident} removed from {event}")


STARTED: Final = f"[{MAKE}|install|set|start|turn on]"
RUNS: Final = "(runs|run|is run|is called|fires|fire|executes|is executed|repeats|ticks)"
NAMED: Final = "[function] (called|named) {ident:identifier} ; function {ident:identifier}"


@step(
    f"{STARTED} [a|an|another] [persistent] [app|application|auto run] [{{event:event of bare}}] handler [function] ~( {NAMED} ; persistent ; [that|which] [{RUNS}] [for] {{when:event}} )",
    f"{STARTED} [a|an] [persistent] [app|application] [{{ident:identifier}}] {{timer=timer}} [function|callback] ~( {NAMED} ; {{ident:name}} ; {{keep=persistent|persistently}} ; [that|which] [{RUNS}] (every|each) {{seconds:quantity of seconds}} ;"
    f" [that|which] [{RUNS}] [for the] [first] [time] after {{first:quantity of seconds}} [first] ; (first interval|delay|initial delay) [of|=|:] {{first:quantity of seconds}} ; (interval|period) [of|=|:] {{seconds:quantity of seconds}} )",
    f"[{MAKE}] [a] [script|function] [that|which] {RUNS} {{when:event}}",
    "[always] {when:occasion} [automatically]",
)
def handler(
    build: Build, ident: str | None, event: str | None, when: str | None, timer: str | None, keep: str | None,
    seconds: Any = None, first: Any = None,
) -> None:  # fmt: skip
    """A handler or a timer; what follows is what it does."""
    if timer:
        if seconds is None:
            raise refuse(timer, "every how many seconds?")
        every, start = (literal(float(each.value)) for each in (seconds, first or seconds))
        body = Body("timer", ident or "on_timer", "Work that a timer does", where=every, first=start, kept=bool(keep))
    else:
        events = [each for each in (when, event) if each]
        if not events or len({each.rpartition("_")[0] for each in events}) != 1:
            raise refuse("handler", "when does it run?")
        name = events[0].rpartition("_")[0]
        body = Body(
            "handler", ident or f"on_{name}", f"Work that is done at every {name.replace('_', ' ')}", where=events[0]
        )
    build.memory["_function"] = body
    build.open_body(body.finish)
    build.note(f"{body.what} {body.name}")


@step(
    "[it] (should|must|has to|shall) (start|begin|run first|run the first time) after {first:quantity of seconds}",
    "[it] (starts|begins|runs first|runs the first time) after {first:quantity of seconds}",
    "(start|begin) it after {first:quantity of seconds}",
)
def starts_after(build: Build, first: Any) -> None:
    """When a timer runs the first time."""
    body: Body | None = build.memory.get("_function")
    if body is None or body.finished or body.what != "timer":
        raise refuse("start", "which timer?")
    body.first = literal(float(first.value))
    build.note(f"it starts after {body.first} s")


@step("[it] [must|should|shall] [be] [stay] (persistent|registered) [over|across|after|between] [loading] [file|files|new] [loads|load|files]", "[both|all] [of them|handlers|timers] (should|must|shall) stay (when|if) [another|a new|a] [blend] file is (opened|loaded)", "[so that] [it|the handler|the timer] (survives|must survive|should survive|survive) [loading|opening] (files|a file|file loads|new files|another file|other files|a new file|file changes)", "(make|keep|mark) (it|the handler|the timer|this handler) [as] persistent [so [that] it survives [loading|opening] (files|a file|file loads|new files|another file|other files|a new file|another blend file)]")  # fmt: skip
def persists(build: Build) -> None:
    """A timer that stays when another file is loaded; a handler does so anyway."""
    body: Body | None = build.memory.get("_function")
    if body is None or (body.finished and body.what == "timer"):
        raise refuse("persistent", "what?")
    body.kept = True
    build.note("it stays when a file is loaded")


def current_operator(build: Build, said: str) -> Body:
    """The operator of this request."""
    found: Body | None = build.memory.get("_operator")
    if found is None:
        raise refuse(said, "of which operator?")
    return found


ABOUT_BODIES: Final = frozenset({"about_operator", "poll", "refuses_nothing", "persists", "starts_after", "by_handler", "registered"})  # fmt: skip
"""Steps that tell more of the operator or the function whose body stands before them, in sentences of their own too."""
POLL_TYPES: Final = "mesh|curve|armature|camera|light|empty"
POLL_MODES: Final = {"object": "OBJECT", "edit": "EDIT_MESH", "pose": "POSE", "sculpt": "SCULPT"}
ACTIVE: Final = "context.active_object is not None"
NEEDED: Final = [(compile_pattern(text), test) for text, test in (
    ("(something|anything|objects|at least one object|an object|one or more objects) (is|are) selected|[there is] [a] selection|selected objects", "bool(context.selected_objects)"),
    ("(at least two|two or more) objects are selected", "len(context.selected_objects) >= 2"),
    ("exactly one object is selected", "len(context.selected_objects) == 1"), ("exactly two objects are selected", "len(context.selected_objects) == 2"),
    ("[the] scene has [a] camera|there is [a] camera", "context.scene is not None and context.scene.camera is not None"),
    ("[the] file (is|has been) saved", "bpy.data.is_saved"),
    ("[a] material|[the] active object has [a] material", f"{ACTIVE} and context.active_object.active_material is not None"),
    ("[the] active object is selected", f"{ACTIVE} and context.active_object.select_get()"),
    ("[there is] [the|an|a] active [object]|[an] object active", ACTIVE),
    (f"[there is] [the|an|a] active [object] [is] [a|an] {{kind={POLL_TYPES}}} [object]|[a|an] {{kind={POLL_TYPES}}} [object|objects] [active]", f'{ACTIVE} and context.active_object.type == "{{kind}}"'),
)]  # fmt: skip
"""What must be so for an operator to run, and the test of it."""
IN_MODE: Final = compile_pattern(f"in {{mode={'|'.join(POLL_MODES)}}} mode")


@slot("needed")
def needed_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """What must be so for an operator to run."""
    for end, found in IN_MODE(reading, at, {}):
        yield end, f'context.mode == "{POLL_MODES[found["mode"]]}"'
    for matcher, test in NEEDED if of != "mode" else ():
        for end, found in matcher(reading, at, {}):
            yield end, test.replace("{kind}", found.get("kind", "").upper())


AVAILABLE: Final = "(available|enabled|run|runnable|usable|used|works|clickable|active)"
MAY: Final = "[and] [it] [may|can|should|must|shall|is]"


@step(
    f"{MAY} ([be] [only] {AVAILABLE} [only]|only [be] {AVAILABLE}) (when|if|while|as long as|for) {{test:needed}}",
    f"{MAY} ([be] {AVAILABLE} only|[be] only {AVAILABLE}|only [be] {AVAILABLE}) {{test:needed of mode}}",
    "([its] poll [method]|(with|having) [a] poll) [that] (requires|needs|checks for|checks that|checks if|checks whether|returns true if|is true when|is true if) {test:needed}",
    "[and] [it] (is|should be|must be|gets|be) (grayed out|greyed out|disabled|unavailable) unless {test:needed}",
    "[and] [it] (only works|works only|needs|requires|is only available|is available only) [when|if|on|with|for] {test:needed}",
)
def poll(build: Build, test: str) -> None:
    """What must be so for an operator to run."""
    body = current_operator(build, "available")
    if test not in body.poll:
        body.poll = f"{body.poll} and {test}" if body.poll else test
    body.renew(build)
    build.note(f"available where {test}")


@step(
    "(with|if|when) (nothing|no object|no objects) [is|are] selected [,] it (reports|shows|gives|should report) [a|an] {kind=warning|error|info} [message] [{said:quoted}] [and] [(returns|return) cancelled] [and] [(cancels|stops)]",
    "(report|reports) [a|an] {kind=warning|error} [{said:quoted}] (if|when) (nothing|no object) is selected [and (return|returns) cancelled]",
)
def refuses_nothing(build: Build, kind: str, said: str | None) -> None:
    """What an operator says where nothing is selected."""
    body = current_operator(build, "nothing selected")
    body.refusal = f"{kind.upper()}:{said or 'Select something first.'}"
    body.renew(build)
    build.note(f"a {kind} where nothing is selected")


@step(
    "[with] [the] (idname|bl_idname|id name|identifier|id) [=|:|is|of] {ident:dotted}",
    "[with] [the] (label|bl_label|title) [=|:|is|of] {label:quoted}",
    f"[it] [is|has|needs|supports|with|should have|must have] {UNDO}",
    f"[with|has|shows|asks for] [a] {ASKS}",
    "[it] {ask=asks for confirmation first|asks for confirmation|asks first}",
    "[it] [with|has|gets|shows] [the|a] (tooltip|tool tip|description|docstring|hint) [=|:|is|of] {tip:quoted}",
)
def about_operator(
    build: Build, ident: str | None, label: str | None, undo: str | None, ask: str | None, tip: str | None
) -> None:
    """More of the operator that is spoken of."""
    body = current_operator(build, ident or label or undo or ask or tip or "")
    if ident and body.finished:
        raise refuse(ident, "say this before what it does")
    body.tip = tip or body.tip
    if ident:
        body.ident, body.name = ident, class_name(ident, "OT")
    body.title = label or (ident.partition(".")[2].replace("_", " ").title() if ident else body.title)
    body.undo = body.undo or bool(undo)
    body.asks = body.asks or bool(ask)
    body.renew(build)
    build.note(f"operator {body.ident}")


SWITCHED: Final = {
    "wire": "show_wire", "wire display": "show_wire", "wireframe": "show_wire", "wireframe display": "show_wire", "wireframe overlay": "show_wire",
    "visibility": "hide_viewport", "viewport visibility": "hide_viewport", "render visibility": "hide_render", "names": "show_name", "in front": "show_in_front",
    "selectability": "hide_select", "axes": "show_axis", "bounding box": "show_bounds", "bounds": "show_bounds",
}  # fmt: skip


@step(
    f"(toggle|flip|switch|toggles) [the] {{what={'|'.join(SWITCHED)}}} [display] (of|on|for) {{item:item}}",
    "(toggle|toggles) {item:item} ['s] {what=visibility|wireframe|wire|in front}",
)
def toggle(build: Build, what: str, item: Item) -> None:
    """Turn what is on off, and what is off on."""
    attribute = SWITCHED[what]
    if not isinstance(item, Target) and build.lexicon.manifest.find(item.type, attribute) is None:
        raise refuse(item.said, f"it has no {what}")
    build.once()
    with each_owner(build, item) as var:
        build.line(f"{var}.{attribute} = not {var}.{attribute}")
    build.note(f"{attribute} of {item.said} toggled")


@slot("operator")
def operator_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """An operator of Blender by its name: "bpy.ops.object.shade_smooth()", "object.join"."""
    token = reading.tokens[at] if at < len(reading.tokens) else None
    name = token.text.removeprefix("bpy.ops.") if token is not None and token.kind in {"word", "quoted"} else ""
    name = name.removesuffix("()")
    if name in reading.lexicon.manifest.operators:
        empty = reading.mark(at + 1) == "(" and reading.mark(at + 2) == ")"
        yield at + 1 + 2 * empty, name


@step(
    "(call|run|execute|invoke|apply|use) [the] [operator] {ident:operator} [operator] [(on|for|with) {target:object} [selected]]",
    "(on|for|with) {target:object} [,] (call|run|execute|invoke) [the] [operator] {ident:operator}",
)
def call_operator(build: Build, ident: str, target: Target | None) -> None:
    """An operator by its name, on objects that are selected for it."""
    if not ident.startswith("object.") and target is not None:
        raise refuse(ident, "it is no operator of objects")
    if ident.partition(".")[0] not in {"object", "outliner", "file", "wm", "scene", "ed", "world"}:
        raise refuse(ident, "it needs a mode or an editor")
    build.once()
    if target is not None and target.where != (SELECTED,) and target.how != "selected":
        build.need("only_selected")
        found = build.objects(target)
        build.line(f"only_selected({'*' + found.expression if isinstance(found, Many) else found.var})")
    build.line(f"bpy.ops.{ident}()")
    build.note(f"{ident} is run")


FILE_FACTS: Final = Phrases((phrase, expression) for expression, phrases in {
    "scene.frame_current": ("frame number", "current frame", "frame", "current frame number", "actual frame"),
    "scene.frame_start": ("frame start", "start frame", "first frame", "scene start"), "scene.frame_end": ("frame end", "end frame", "last frame", "scene end"),
    "scene.name": ("name of the scene", "scene name"), "scene.render.engine": ("render engine",), "bpy.data.filepath": ("file path", "path of the file"),
    "bpy.path.basename(bpy.data.filepath)": ("file name", "name of the file"), "bpy.app.version_string": ("blender version", "version"),
    'time.strftime("%Y-%m-%d")': ("current date", "date", "today 's date"), 'time.strftime("%Y-%m-%d %H:%M:%S")': ("current date and time", "date and time", "timestamp", "current time stamp", "current timestamp"),
    'time.strftime("%H:%M:%S")': ("current time", "time of day"), "active.name": ("name of the active object", "active object's name", "active object 's name"),
    "len(scene.objects)": ("number of objects", "object count"),
}.items() for phrase in phrases)  # fmt: skip
"""What may be told of the file, the scene and the day."""


@slot("fact")
def fact_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """An expression: "the current frame", "today's date"."""
    for end, found in FILE_FACTS.matches(reading.tokens, skip(reading, at, {"the", "actual"})):
        yield end, found[0]


def told(build: Build, fact: str) -> str:
    """The expression of a fact, when what it needs is there."""
    if "scene" in fact:
        build.scene()
    if "time." in fact:
        build.imports("time")
    return f"{build.object(Target('active'))}.name" if fact == "active.name" else fact


@step(
    "(print|prints|log|output|report|reports|say|show) [the] {fact:fact} [to [the] console]",
    "[it] (print|prints|log|say|report|reports|{shown=show}) [an|a] [{kind=info|warning|error}] [{word=text|message|words}] {text:quoted} [to [the] console]",
)
def say(
    build: Build, fact: str | None, text: str | None, kind: str | None, shown: str | None = None, word: str | None = None
) -> None:  # fmt: skip
    """Print a fact of the file or a text; an operator may report it."""
    if shown and not (kind or word or build.in_body):
        raise refuse(text or "", "a text, or an object that is hidden?")
    if kind and not (build.in_body and "_operator" in build.memory):
        raise refuse(kind, "only an operator reports")
    expression = told(build, fact) if fact else quoted(text or "")
    build.line(f'self.report({{"{(kind or "").upper()}"}}, {expression})' if kind else f"print({expression})")
    build.note(f"{kind or 'print'} {text or fact}")


Entry = tuple[Item, str]
ENTRIES: Final = [compile_pattern(text) for text in (
    "[the] [custom] property [<called>] {key:name} (of|on|in) {item:holder}", "{item:holder} ['s] [custom] property [<called>] {key:name}",
)]  # fmt: skip
HOLDER: Final = compile_pattern("{item:holder}")


@slot("entry")
def entry(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Entry]]:
    """A custom property and what has it: 'scene["saved_at"]', 'the custom property "frame" of the cube'."""
    for matcher in ENTRIES:
        yield from ((end, (found["item"], found["key"])) for end, found in matcher(reading, at, {}))
    for end, found in HOLDER(reading, at, {}):
        if reading.mark(end) == "[" and reading.mark(end + 2) == "]" and reading.tokens[end + 1].kind == "quoted":
            yield end + 3, (found["item"], reading.tokens[end + 1].text)


@step(
    "(set|let|make|update|change|switch|turn|raise|lower|keep|put) {e:entry} (to|=|be|equal|equals|show|hold|:) ({fact:fact}|{value:scalar})",
    "(write|store|save|put|keep|record|stamp|set) {fact:fact} (in|into|to|as|on) {e:entry}",
    "{count=increment|increments|increase|increases|count up|add} {e:entry} [by {n:n}]",
    "add {count=one|1} to {e:entry}",
)
def entry_value(build: Build, e: Entry, fact: str | None, value: Any, count: str | None, n: float | None) -> None:
    """A custom property gets a fact of the file or a value, or counts."""
    item, key = e
    expression = told(build, fact) if fact else literal(value)
    with each_owner(build, item) as var:
        if count:
            build.once()
            step_ = literal(int(n) if n is not None and n == int(n) else n or 1)
            expression = f"{var}.get({quoted(key)}, 0) + {step_}"
        build.line(f"{var}[{quoted(key)}] = {expression}")
    build.note(f"{key} of {item.said} = {expression}")


@step(
    "(let|make|have|set|update) [the] [text of] [text object] {target:object} [to] (show|display|shows|displays|read|to) ({fact:fact}|{text:quoted} (with|from|using) {one:fact} [and {other:fact}]) [[,] {digits:int} digits [each]]",
    "(show|display|write) ({fact:fact}|{text:quoted} (with|from|using) {one:fact} [and {other:fact}]) (in|on|as|by|with|through) [the] [text of] [text object] {target:object}",
)
def text_shows(
    build: Build, target: Target, fact: str | None, text: str | None, one: str | None, other: str | None, digits: int | None
) -> None:  # fmt: skip
    """A text object tells facts of the file; "Frame 0001 / 0250" is how they are written."""
    if "_panel" in build.memory and not build.in_body and target.how != "named":
        raise refuse(target.said, "is this shown in the panel, or by a text object?")
    facts = [told(build, each) for each in (fact, one, other) if each]
    samples = re.findall(r"\d+", text or "")
    if text is not None and re.search(r'["\\\\{}]', "".join((text, *facts))):
        raise refuse(text, "this cannot be written here")
    if text is not None and (len(samples) != len(facts) or (digits and {len(each) for each in samples} != {digits})):
        raise refuse(text, "which of the numbers is what?")
    known = build.one(target)
    build.need("expect")
    given = iter(facts)

    def written(sample: re.Match[str]) -> str:
        return f"{{{next(given)}:0{len(sample[0])}}}" if sample[0][0] == "0" or digits else f"{{{next(given)}}}"

    shown = f"str({facts[0]})" if text is None else f'f"{re.sub(r"[0-9]+", written, text)}"'
    build.line(f"expect({known.var}.data, bpy.types.TextCurve).body = {shown}")
    build.note(f"{target.said} shows {text or fact}")


@step(
    "(go|jump|move|return|goes|jumps) [back] to [the] {fact:fact} [of the (scene|timeline)]",
    "set [the] [current] frame to [the] {fact:fact} [of the (scene|timeline)]",
)
def go_to_fact(build: Build, fact: str) -> None:
    """The frame that is shown, by what it is called."""
    if fact not in {"scene.frame_start", "scene.frame_end"} or build.memory.get("_function", Body("", "", "")).where.startswith("frame"):  # fmt: skip
        raise refuse(fact, "to which frame?")
    build.line(f"{build.scene()}.frame_set({told(build, fact)})")
    build.note(f"to {fact}")


@step(
    "(let|set|keep|put|make|place|hold|move) [the] {axis:axis} [location|coordinate|position|value] of {target:object} [always] [be] (to|=|at|is|as|equal|be) [always] {f:formula of frame}",
    "(let|set|keep|put|make|move) {target:object} ['s] {axis:axis} [location|coordinate|position|value] [always] [be] [to|=|at|is|as|equal] [always] {f:formula of frame}",
    "({target:object} ['s] {axis:axis}|[the] {axis:axis} of {target:object}) [location|coordinate|position|value] (is|=|:|equals|follows) [always] {f:formula of frame}",
)
def place_by_frame(build: Build, target: Target, axis: str, f: str) -> None:
    """Where an object is, as a function of the frame: what a handler does."""
    if not build.in_body or "frame" not in f:
        raise refuse(f, "this is a driver's work")
    from app.drafting.composer.steps.arranging import functions

    functions(build, f)
    formula = re.sub(r"\bframe\b", f"{build.scene()}.frame_current", f)
    with build.each(target) as known:
        build.line(f"{known.var}.location.{axis[-1].lower()} = {formula}")
    build.note(f"{axis} of {target.said} = {f}")


LAYOUT: Final = "layout: Any = self.layout"


def drawn_class(name: str, base: str, label: str, rows: list[str], more: str = "") -> str:
    """The source of a menu or a panel: these lines draw it."""
    if not any("context" in each for each in rows):
        rows = ["del context", *rows]
    shown = "\n".join(f"        {each}" for each in (LAYOUT, *rows))
    return (
        f'class {name}(bpy.types.{base}):\n    """{label.replace(chr(34), "")}."""\n\n    bl_label = {quoted(label)}\n{more}\n'
        f'    def draw(self, context: bpy.types.Context) -> None:\n        """Show the {base.lower()}."""\n{shown}\n'
    )


MENUS: Final = {
    "add": "VIEW3D_MT_add", "add mesh": "VIEW3D_MT_mesh_add", "add > mesh": "VIEW3D_MT_mesh_add", "mesh": "VIEW3D_MT_mesh_add", "object": "VIEW3D_MT_object",
    "view": "VIEW3D_MT_view", "select": "VIEW3D_MT_select_object", "file": "TOPBAR_MT_file", "render": "TOPBAR_MT_render", "help": "TOPBAR_MT_help",
    "window": "TOPBAR_MT_window", "object context": "VIEW3D_MT_object_context_menu", "edit": "TOPBAR_MT_edit",
}  # fmt: skip
IN_VIEW: Final = "[(of|in) [the] (3d view|3d viewport|viewport|view 3d)]"
INTO: Final = f"(in|to|into|under|on|at the (bottom|end) of|at the {{top=top|beginning|start}} of) [the] [(3d view|3d viewport|viewport) ['s]] {{into={'|'.join(MENUS)}}} menu {IN_VIEW}"


@step(
    f"[{MAKE}] [a|an] [new] [sub] menu [<called>] {{label:quoted}} ~( {INTO} ; (that has|with|containing|that lists|having|listing|for|has) [the] [entries|items|operators|buttons] [for] {{buttons:buttons}} )",
    f"[<add>] [a|an] [new] [{{pie=pie}}] menu <called> {{label:quoted}} ~( {INTO} ; (that has|with|containing|that lists|having|listing|for|has|of) [the] [entries|items|operators|buttons] [for] {{buttons:buttons}} ; [it|that|which] (opens|opened|pops up|is opened|shown|comes up) (with|by|on|when i press) {{keys:keystroke}} [in [the] (3d view|3d viewport|viewport)] ; (on|bound to|with the shortcut|with the key|shortcut|hotkey) {{keys:keystroke}} [in [the] (3d view|3d viewport|viewport)] )",
    "[<add>] [a|an] [new] {pie=pie} menu {label:quoted} ~( (that has|with|containing|that lists|having|listing|for|has|of) [the] [entries|items|operators|buttons] [for] {buttons:buttons} ; (on|bound to|with the shortcut|with the key|shortcut|hotkey) {keys:keystroke} [in [the] (3d view|3d viewport|viewport)] )",
    f"(add|append|put|show|list) [the] [operator] {{buttons:buttons}} {INTO}",
    f"[also] (add|append|put|show|list|register) {{own=it|the operator|this operator}} [also] {INTO}",
    f"{{own=it|the operator}} [also] (is|should be|appears|shows up|should appear|goes|has to be|must be) [listed|shown|available|found|added] {INTO}",
    f"[<add>|append] [a|an] [new] [menu] (entry|item|button) ~( [that|which] (for|runs|calls|with|running|calling) [the] [operator] {{buttons:buttons}} ; <called> {{text:quoted}} ; {{text:quoted}} ; {INTO} )",
    f"[the] {{into={'|'.join(MENUS)}}} menu (gets|needs|should get|should have|shall get|must have|:) [a|an] [new] [entry|item|button] [for|that runs|that calls|with] {{buttons:buttons}}",
)
def menu(
    build: Build, label: str | None, into: str | None, buttons: list[str] | None, own: str | None, text: str | None,
    pie: str | None, keys: tuple[str, ...] | None, top: str | None,
) -> None:  # fmt: skip
    """A menu, or more entries of one that is there; a pie menu opens with a key."""
    if pie and into:
        raise refuse(pie, "a pie menu opens with a key")
    if own is not None:
        body: Body | None = build.memory.get("_operator")
        if body is None:
            raise refuse(own, "which operator?")
        buttons = [body.ident]
    if not buttons:
        raise refuse(label or "menu", "what is in it?")
    if text is not None and len(buttons) != 1:
        raise refuse(text, "the text of which entry?")
    shown = f", text={quoted(text)}" if text is not None else ""
    rows = [button(each, "pie" if pie else "layout", shown) for each in buttons]
    build.imports("typing: Any")
    slug = re.sub(r"\W+", "_", (label or buttons[0]).lower(), flags=re.ASCII).strip("_")
    if label:
        name = f"VIEW3D_MT_{slug}"
        register(build, name, drawn_class(name, "Menu", label, [*["pie = layout.menu_pie()"] * bool(pie), *rows]))
        rows = [f"layout.menu({quoted(name)})"]
        build.memory["_menu"] = (name, bool(pie))
        if keys:
            bind(build, keys, f"wm.call_menu{'_pie' * bool(pie)}", "", name)
    if into:
        into_menu(build, f"show_{slug}", rows, into, top)
    build.note(f"menu {label or into}")


def into_menu(build: Build, function: str, rows: list[str], into: str, top: str | None) -> None:
    """Let a menu that is there show these rows too, at its end or at its top."""
    inner = "\n".join(f"    {each}" for each in [LAYOUT, *rows])
    build.function(
        f'def {function}(self: Any, context: bpy.types.Context) -> None:\n    """Show what was added to a menu."""\n    del context\n{inner}\n'
    )
    build.imports("typing: Any")
    place, shown = build.var("place"), build.var("shown")
    build.line(f'{place}: Any = bpy.types.{MENUS[into]}\n{shown} = bpy.app.driver_namespace.get("{function}")')
    build.line(f"if {shown} is not None:\n    {place}.remove({shown})")
    build.line(
        f'bpy.app.driver_namespace["{function}"] = {function}\n{place}.{"prepend" if top else "append"}({function})'
    )


MODES: Final = {
    "object": ("Object Mode", "EMPTY"), "edit": ("Mesh", "EMPTY"), "pose": ("Pose", "EMPTY"),
    "sculpt": ("Sculpt", "EMPTY"), "weight paint": ("Weight Paint", "EMPTY"),
}  # fmt: skip
KEYS: Final = "{keys:keystroke}"


@slot("keystroke")
def keystroke(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """ "Ctrl+Shift+H", "Alt Q", "F6": the key, and what is held with it."""
    held: list[str] = []
    place = at
    names = {"ctrl": "ctrl", "control": "ctrl", "shift": "shift", "alt": "alt", "cmd": "oskey", "oskey": "oskey"}
    while (word := reading.tokens[place].text.lower() if place < len(reading.tokens) else "") in names:
        held.append(names[word])
        place += 1
        while reading.mark(place) in {"+", "-"} or reading.word(place) == "and":
            place += 1
    token = reading.tokens[place] if place < len(reading.tokens) else None
    if (
        token
        and re.fullmatch(r"[A-Z]|F\d{1,2}", token.text.upper())
        and token.text.isalnum()
        and (held or token.text[0].isupper())
    ):
        yield place + 1, (token.text.upper(), *sorted(held))


@step(
    f"[also] (add|append|put|show|list) [the|an|a] (operator|entry|button|item) (that calls it|that opens it|for it|which opens it|which calls it|to open it|to call it) {INTO}",
    f"[also] (add|append|put|show|list) (it|the menu|the pie menu) [also] {INTO}",
)
def menu_opened_in(build: Build, into: str, top: str | None) -> None:
    """An entry of a menu that opens the menu of this request."""
    if "_menu" not in build.memory:
        raise refuse(into, "an entry for which menu?")
    name, pie = build.memory["_menu"]
    title = quoted(name.removeprefix("VIEW3D_MT_").replace("_", " ").title())
    row = f'layout.operator("wm.call_menu_pie", text={title}).name' if pie else "layout.menu"
    into_menu(
        build, f"show_{name.lower()}", [f"{row} = {quoted(name)}" if pie else f"{row}({quoted(name)})"], into, top
    )
    build.note(f"{name} in the {into} menu")


@step(
    f"[{MAKE}] [a] [keymap|keymap entry|keymap item|shortcut|keyboard shortcut|hotkey|key map|key binding|key] [:|that binds|with|on] {KEYS} [in [the] (3d view|3d viewport|viewport)] [in [the] {{mode={'|'.join(MODES)}}} mode] (calls|runs|to|for|executes|triggers|that calls|that runs|bound to|should run|should call|:|=) {{ident:dotted}} [in [the] (3d view|3d viewport|viewport)] [in [the] {{mode={'|'.join(MODES)}}} mode]",
    f"(give|let) {{ident:dotted}} [have] [the|a] [new] (shortcut|hotkey|keyboard shortcut|key) {KEYS} [in [the] {{mode={'|'.join(MODES)}}} mode]",
    f"(bind|assign|map) ({{ident:dotted}} to {KEYS}|{KEYS} to {{ident:dotted}}) [in [the] {{mode={'|'.join(MODES)}}} mode]",
)
def keymap(build: Build, keys: tuple[str, ...], ident: str, mode: str | None) -> None:
    """A key that runs an operator."""
    bind(build, keys, ident, mode or "")


def bind(build: Build, keys: tuple[str, ...], ident: str, mode: str, menu_name: str = "") -> None:
    """Let a key run an operator, or open a menu."""
    title, space = MODES[mode or "object"]
    if not mode:
        title, space = "3D View", "VIEW_3D"
    held = "".join(f", {each}=True" for each in keys[1:])
    configs = "configs = expect(bpy.context.window_manager, bpy.types.WindowManager).keyconfigs"
    build.line(f"{configs}\nconfig = configs.addon or configs.active")
    build.need("expect")
    with build.block("if config is not None:"):
        build.line(f'keymap = config.keymaps.new(name={quoted(title)}, space_type="{space}")')
        earlier = f"for item in [each for each in keymap.keymap_items if each.idname == {quoted(ident)}]:"
        made = f'keymap.keymap_items.new({quoted(ident)}, "{keys[0]}", "PRESS"{held})'
        if menu_name:
            build.imports("typing: Any")
            opened = build.var("opened menu")
            test = f'if getattr(item.properties, "name", "") == {quoted(menu_name)}:'
            build.line(f"{earlier}\n    {test}\n        keymap.keymap_items.remove(item)")
            build.line(f"{opened}: Any = {made}.properties\n{opened}.name = {quoted(menu_name)}")
        else:
            build.line(f"{earlier}\n    keymap.keymap_items.remove(item)\n{made}")
    build.note(f"{'+'.join((*keys[1:], keys[0]))} -> {menu_name or ident}")


@step(
    "[it] (opens|pops up|is opened|comes up|open it|should open|must open) (with|by|on|when i press|at) {keys:keystroke} [in [the] (3d view|3d viewport|viewport)]",
    "(bind|assign|map) (it|the menu|the pie menu) to {keys:keystroke} [in [the] (3d view|3d viewport|viewport)]",
    "[it] (runs|is run|is called|should run|is started|starts) (with|by|on|when i press) {keys:keystroke} [in [the] (3d view|3d viewport|viewport)]",
    "(give|assign) (it|the operator|the menu) [the|a] [keyboard] (shortcut|hotkey|key) {keys:keystroke}",
)
def opens_with(build: Build, keys: tuple[str, ...]) -> None:
    """A key for the menu or the operator of this request."""
    body: Body | None = build.memory.get("_operator")
    name, pie = build.memory.get("_menu", ("", False))
    if not name and (body is None or build.in_body):
        raise refuse("+".join(keys), "for which operator or menu?")
    bind(build, keys, f"wm.call_menu{'_pie' * pie}" if name or body is None else body.ident, "", name)


@step(
    f"[{MAKE}] [a|the] [keyboard] (shortcut|hotkey|key|keymap entry|key binding) {KEYS} [in [the] (3d view|3d viewport|viewport)] [in [the] {{mode={'|'.join(MODES)}}} mode]",
    f"{KEYS} [in [the] {{mode={'|'.join(MODES)}}} mode] (that|to|which)",
    f"(on|with|by) {KEYS} [in [the] (3d view|3d viewport|viewport)] [in [the] {{mode={'|'.join(MODES)}}} mode] [:]",
)
def keyed_operator(build: Build, keys: tuple[str, ...], mode: str | None) -> None:
    """A key, and an operator of its own that does what follows."""
    key = keys[0]
    if not re.search(r"shortcut|hotkey|\bkey", build.request, re.IGNORECASE) or (
        len(keys) < 2 and not re.fullmatch(r"F\d+", key)
    ):
        raise refuse("+".join(keys), "a key that is pressed?")
    if build.in_body:
        if "_keyed" not in build.memory:
            raise refuse("+".join(keys), "a key of another operator?")
        build.close_body()
    build.memory["_keyed"] = True
    said = re.split(rf"\+ ?{key.lower()}\b", build.request.lower())[-1]
    said = re.sub(r"^.*?\b(that|to|which)\b", "", said)
    words = [each for each in re.findall(r"[a-z]+", said) if each not in {"the", "all", "a", "it", "and"}][:3]
    words[:1] = [singular(each) for each in words[:1]]
    ident = "object." + ("_".join(words) or "work")
    body = Body("operator", class_name(ident, "OT"), " ".join(words).title() or "Work", ident, undo=True)
    build.memory["_operator"] = body

    def finish(build: Build, lines: list[str]) -> None:
        body.finish(build, lines)
        bind(build, keys, body.ident, mode or "")

    build.open_body(finish)
    build.note(f"a key for {ident}")


DATA: Final = "object|material|collection|image|scene|text"
POINTED: Final = {
    "camera": "CAMERA", "mesh": "MESH", "light": "LIGHT", "armature": "ARMATURE", "empty": "EMPTY", "curve": "CURVE",
}  # fmt: skip


@step(
    f"[{MAKE}] [a|an] ({{kind={DATA}}} pointer property {{path:dotted}}|pointer property {{path:dotted}} (to|of|for) [an|a|the] {{kind={DATA}}}) [(that|which) only (accepts|takes|allows) {{only={'|'.join(POINTED)}}} [objects]]",
)
def pointer_property(build: Build, kind: str, path: str, only: str | None) -> None:
    """A property that points to other data."""
    place, _, attribute = path.partition(".")
    if place.title() not in build.lexicon.manifest.types or (only and kind != "object"):
        raise refuse(path, "on what?")
    build.imports("typing: Any")
    extra = ""
    if only:
        build.function(
            f'def may_be_{attribute}(_owner: Any, obj: bpy.types.Object) -> bool:\n    """Say whether the property takes the object."""\n    return obj.type == "{POINTED[only]}"\n'
        )
        extra = f", poll=may_be_{attribute}"
    build.line(
        f"holder: Any = bpy.types.{place.title()}\nholder.{attribute} = bpy.props.PointerProperty(type=bpy.types.{kind.title()}{extra})"
    )
    build.memory["_pointer"] = (place, attribute)
    build.note(f"pointer property {path}")


@step("set it to {target:object of one}", "point it (at|to) {target:object of one}")
def point_it(build: Build, target: Target) -> None:
    """What the new pointer property points to."""
    place, attribute = build.memory.get("_pointer", ("", ""))
    if place != "scene":
        raise refuse(target.said, "of what?")
    goal = build.object(target)
    build.line(f"owner: Any = {build.scene()}\nowner.{attribute} = {goal}")
    build.note(f"{attribute} -> {target.said}")


@slot("headed")
def headed(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Target]]:
    """Several objects before a colon, which what follows is about: "all meshes in "Props": shade smooth"."""
    if at > 0 and reading.mark(at - 1) not in {".", ";", "!"}:
        return
    for end, found in SLOTS["object"](reading, at, {}, ""):
        arrow = end < len(reading.tokens) and reading.tokens[end].text in {"->", "=>", "→"}
        if (reading.mark(end) == ":" or arrow) and found.how in {"all", "selected"}:
            yield end, found


@step(
    "(for|on|with|to|go through|loop over|loop through|iterate over|find|take|gather|look for|search for) {target:object} [do]",
    "{target:headed}",
)
def for_each(build: Build, target: Target) -> None:
    """What the next clauses are about, each of several."""
    found = build.objects(target)
    build.it = found
    if isinstance(found, Many):
        build.looping = True
    build.note(f"{target.said} is what follows is about")


@step(
    "(move|displace|shift|offset|jitter) (every|each|all) (vertex|vertices) of {target:object} [randomly] [up or down|up and down|back and forth] [(in|along|on)] [{axis:axis}] [by] [a] [random] [amount|value|distance|offset] (of at most|of up to|up to|at most|by at most|by up to|within) [plus or minus] {n:n} [(with|using) [the] seed {seed:int}]",
)
def jitter(build: Build, target: Target, axis: str | None, n: float, seed: int | None) -> None:
    """Move every vertex by a random amount."""
    body: Body | None = build.memory.get("_operator")
    number = str(seed or 0)
    if body is not None and any(each.name == "seed" for each in body.properties):
        number = "self.seed"
    elif not build.in_body:
        build.once()
    known = build.one(target)
    build.need("mesh_of")
    build.imports("random: Random")
    build.line(f"random = Random({number})")
    letters = [axis[-1].lower()] if axis else list("xyz")
    with build.block(f"for vertex in mesh_of({known.var}).vertices:"):
        for letter in letters:
            build.line(f"vertex.co.{letter} += random.uniform(-{literal(float(n))}, {literal(float(n))})")
    build.line(f"mesh_of({known.var}).update()")
    build.note(f"vertices of {target.said} moved at random")


ATTACHED: Final = f"[and] [(attach|add|assign|register|make|attached|registered) [it|available] [available] [as a pointer]] [(to|on|for) [the|every|all] {OWNED}] [(as|called|named|under|at)] [«] [{{path:property_name}}] [»]"


@step(
    f"[{MAKE}] [a|an] [new] (property group|propertygroup) [<called>] {{name:property_name}} ~( [.] [it] [has|holds|contains] {{p:declared}} ; {ATTACHED} )",
    f"[{MAKE}] [a|an] [new] (property group|propertygroup) ~( {ATTACHED} ) [.|,|:] [it] [has|holds|contains|with] {{p:declared}} [and] [{ATTACHED}]",
    f"(give|let) [the|every|all] {OWNED} [have] [a|an] [new] property group [<called>] {{name:property_name}} [«] [{{path:property_name}}] [»] ~( {{p:declared}} )",
)
def property_group(
    build: Build, name: str | None, p: list[Declared] | None, owner: str | None, path: str | None
) -> None:
    """A group of properties, and where it is attached."""
    name = name or (path or "").rpartition(".")[2]
    if p and path and not owner and p[-1].owner:  # "... and a boolean "c" to the scene as "settings""
        owner, p = p[-1].owner, [*p[:-1], replace(p[-1], owner="")]
    later = re.search(r"\b(?:attach|add|assign|register|hang)\b[^.]*? as \W?(\w+)", build.request, re.IGNORECASE)
    name = name or (later[1] if later else "")
    if not p or not name or "." in name or any(each.owner for each in p):
        raise refuse(name or "property group", "which properties?")
    build.imports("typing: TYPE_CHECKING", "typing: Any")
    group = name if name[0].isupper() else name.title().replace("_", "")
    code = f'class {group}(bpy.types.PropertyGroup):\n    """Settings."""\n\n{annotated(p)}\n'
    register(build, group, code)
    if owner or path:
        place, _, attribute = (path or name).rpartition(".")
        if attribute == group:  # "RoomSettings" on the scene is its room_settings
            attribute = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", attribute).lower()
        titles = {each.title() for each in (owner, place) if each}
        if len(titles) != 1 or not titles <= build.lexicon.manifest.types.keys() or attribute == group:
            raise refuse(path or name, "on what?")
        attach(build, group, p, titles.pop(), attribute)
    else:
        build.memory["_group"] = (group, p)
    build.note(f"property group {group}")


@step(
    f"(attach|add|assign|register|hang) (it|the group|this group|the property group) [as a pointer] (to|on|onto) [the|every|all] {OWNED} [(as|called|named|under)] {{path:property_name}}",
)
def group_attached(build: Build, owner: str, path: str) -> None:
    """Where a group of properties is found."""
    group, p = build.memory.get("_group", ("", []))
    if not group or "." in path:
        raise refuse(path, "which group of properties?")
    if path == group:
        raise refuse(path, "the group is called so itself")
    attach(build, group, p, owner.title(), path)
    build.note(f"{group} -> {owner}.{path}")


def attach(build: Build, group: str, p: list[Declared], title: str, attribute: str) -> None:
    """Let a group of properties be found on a type."""
    build.line(f"holder: Any = bpy.types.{title}\nholder.{attribute} = bpy.props.PointerProperty(type={group})")
    if title == "Scene":
        build.memory.setdefault("_shown", []).extend(f"scene.{attribute}, {quoted(each.name)}" for each in p)


SIDEBAR: Final = "(sidebar|side bar|n-panel|n panel|n sidebar|n-sidebar)"
VIEW: Final = "(3d viewport|viewport|3d view|3d editor|view3d|view 3d)"
SHOWN: Final = "[that] [it] (shows|show|draws|draw|displays|display|exposes|expose|showing|drawing|displaying|exposing|with|for|has|contains|listing|lists)"
INSIDE: Final = (
    f"(in|on|for|to|into|inside|under|of) [the] [{VIEW}] {SIDEBAR} [of|in] [the] [{VIEW}] ; (in|on|for|to|into|inside) [the] {VIEW} [{SIDEBAR}] ;"
    " (label|labelled|labeled|title|titled|called|named|heading|bl_label) [=|:|is|of] {label:quoted} ;"
    " [in|under|with|on] [a|the|its] [own|new] (tab|category|bl_category) [=|:|is|<called>] {tab:name} ; [in|under|on] [the] {tab:quoted} (tab|category) ; (in|under) {tab:quoted} ; [tab] [and] {same=tab also so|same tab name} ;"
)
CONTENTS: Final = (
    f" [{SHOWN}] [[and] (below|under|above|beneath) (it|that|them|this)] [,] [a|an|the|one|two|three|four|only] [single] (buttons|button|operators|operator|entry|entries) [for each of|for|that run|that runs|to run|running|that call|that calls|calling|:] [the] [operators|operator] {{buttons:buttons}} ;"
    f" {SHOWN} [the] {{buttons:buttons}} as (buttons|a button) ;"
    f" {SHOWN} {{p:declared}} ;"
    f" {SHOWN} [the] [scene] (property|properties|setting|settings) {{shown:properties}} [of the scene] ; {SHOWN} [the] scene [property|properties] {{shown:properties}} ;"
    f" {SHOWN} {{all=it|this property|that property|the property|these properties|the properties|all properties|them|these|all of them|these two properties|these three properties|the two properties|the three properties|its properties|all its properties|these settings|the settings|both|both properties|all three|all four|all five|all of these|them all|all three of them|all three properties|all the properties|every property|its settings|all its settings}}"
)


@slot("properties")
def properties_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Names of properties: "studio_quality", "a_b, a_c and a_d"."""

    def one(place: int) -> Iterator[tuple[int, str]]:
        for end, name in property_name(reading, place, {}, ""):
            if "_" in name or reading.tokens[place].kind == "quoted":
                yield end, name.rpartition(".")[2]

    yield from ((end, tuple(found)) for end, found in several(reading, at, one))


@dataclass
class Panel:
    """A panel of the sidebar: what it is called, in which tab, and the lines that draw it."""

    label: str
    tab: str
    rows: list[str] = field(default_factory=list[str])

    @property
    def name(self) -> str:
        """The name of its class."""
        return "VIEW3D_PT_" + (re.sub(r"\W+", "_", self.label.lower(), flags=re.ASCII).strip("_") or "panel")

    def code(self) -> str:
        """The source of its class."""
        rows = self.rows or [f"layout.label(text={quoted(self.label)})"]
        if any("scene" in each for each in rows):
            rows = ["scene: Any = context.scene", *rows]
        place = f'    bl_space_type = "VIEW_3D"\n    bl_region_type = "UI"\n    bl_category = {quoted(self.tab)}\n'
        return drawn_class(self.name, "Panel", self.label, rows, place)


def draws(
    build: Build, found: Panel, buttons: list[str] | None, p: list[Declared] | None, shown: tuple[str, ...] | None, every: str | None
) -> None:  # fmt: skip
    """Add what a panel shows; a property of the scene that is declared here is registered too."""
    known: list[str] = build.memory.setdefault("_shown", [])
    if p:
        if any(each.owner not in {"", "Scene"} for each in p):
            raise refuse(p[0].name, "of the scene?")
        rna_property(build, [replace(each, owner="Scene") for each in p])
        shown = tuple(each.name for each in p)
    if every:
        if not known:
            raise refuse(every, "which properties?")
        found.rows += [f"layout.prop({each})" for each in known]
    for each in shown or ():
        own = next((one for one in known if one.endswith(quoted(each))), f"scene, {quoted(each)}")
        found.rows.append(f"layout.prop({own})")
    found.rows += [button(each) for each in buttons or []]


@step(
    f"[{MAKE}] [a|an|the] [new|own] [little|small|empty|simple] [ui|custom] [{SIDEBAR}] panel [<called>] [{{label:quoted}}] ~( {INSIDE} {CONTENTS} )",
    f"[{MAKE}] [a|an|the] [{VIEW}] {SIDEBAR} [:|,] [a] [new] [panel] [<called>] {{label:quoted}} ~( {INSIDE} {CONTENTS} )",
    f"{SIDEBAR} (:|tab) [tab] {{tab:name}} [,|:] panel [<called>] {{label:quoted}} ~( {INSIDE} {CONTENTS} )",
    f"(add|put|show|place|give it|create|make) [a] {{own=button|entry}} [for|of|to|that runs|that calls] [it|the operator|this operator|this] (in|on|into|to) [a|the] [new|own] [ui|custom] [{SIDEBAR}] panel [<called>] [{{label:quoted}}] ~( {INSIDE} )",
    f"(add|put|show|place) {{own=it|the operator|this operator}} [as a button] (in|on|into|to) [a|the] [new|own] [ui|custom] [{SIDEBAR}] panel [<called>] [{{label:quoted}}] ~( {INSIDE} )",
    f"(draw|show|display|expose|list|put) [the] ({{shown:properties}}|{{all=it|them|both|all|all three|all two|all four|all of them|these|the properties|the settings|its properties|everything|all three of them|all properties}}) (in|on|into) [a|the] [new|own] [ui|custom] [{SIDEBAR}] panel [<called>] [{{label:quoted}}] ~( {INSIDE} {CONTENTS} )",
)
def panel(
    build: Build, label: str | None, tab: str | None, buttons: list[str] | None, p: list[Declared] | None, shown: tuple[str, ...] | None,
    all: str | None, same: str | None, own: str | None,
) -> None:  # fmt: skip
    """A panel in the sidebar of the 3D viewport."""
    if own is not None:
        body: Body | None = build.memory.get("_operator")
        if body is None or build.in_body:
            raise refuse(own, "of which operator?")
        buttons = [body.ident]
    if not SIDE.search(build.request) or ELSEWHERE.search(build.request):
        raise refuse(label or "panel", "in the sidebar of the 3D viewport?")
    label = label or (tab if tab and (not buttons or re.search(r"\btab\b", build.request)) else None)
    if label is None:
        raise refuse("panel", "with which label?")
    found = Panel(label, tab or (label if same else "Tool"))
    draws(build, found, buttons, p, shown, all)
    register(build, found.name, found.code())
    build.memory["_panel"] = found
    build.imports("typing: Any")
    build.note(f'panel "{label}"')


SIDE: Final = re.compile(
    r"side ?bar|n[- ]panel|n[- ]sidebar|viewport|3d[- ]?view|view3d|\btab\b|\bcategory\b", re.IGNORECASE
)
ELSEWHERE: Final = re.compile(r"properties (editor|window|tab)|(scene|object|render|material|world) (tab|properties tab)|shader editor|node editor|image editor|graph editor", re.IGNORECASE)  # fmt: skip


TWICE: Final = "again|twice|a second time|more than once"
AGAIN: Final = f"[,] [if|when|even if|also if|even when] [(i|you|we) (run|running)|is run|run] [the|this] [script|snippet] [is|gets] [run|executed] [{TWICE}]"


@step(
    f"(running|run) [the|this] (script|snippet|it) ({TWICE}) (must|should|may|does) not (add|register|create|duplicate) [the|a|another|any] [second] [handler|operator|timer|panel|anything|class] [{TWICE}]",
    f"[let] [(it|the handler|the operator|the timer)] ((must|should) not be|be) (added|registered|register) (only once|twice|once) {AGAIN}",
    f"registered only once {AGAIN}",
    f"(don't|do not|never) (register|add|append|install) (it|the handler|the timer) ({TWICE}) {AGAIN}",
    "(if|when) (it|the handler|the timer) ['s|is] [already] (registered|there) [already] [,] [let] (it|the old one) [must|should] be (replaced|removed [first])",
    "(register|define) (it|them|both|everything|all of it|all of them|these|the property|the panel|the operator|the properties|the classes|the menu|the handler)"
    " [and [the] (property|panel|operator|properties|menu|handler)]",
    "[and] (it|they|the handler|the timer|the operator|the panel|this) [is|are|should be|must be|gets] registered [exactly|only] [once] [even] (if|when) [i|you|the script|it] [run|runs|is run|ran] [the script|it] (again|twice|several times|a second time|more than once)",
    "(running|executing) [the script|it|this] (again|twice|a second time|several times) (must not|should not|shall not|mustn't|shouldn't|doesn't|does not) (leave|add|register|create|make|give) [a] (two|second|duplicate|duplicates|another|double) [handler|handlers|one|ones|entry|entries|panel|panels|timer|timers]",
    "registered [only] once even (if|when) i run [the script|it] again",
    "no (duplicates|duplicate|doubles|duplicate handlers|double handlers) [when|if] [it|the script] [is] [run|runs|ran] (again|twice|more than once)",
)
def registered(build: Build) -> None:
    """What was made is registered, and once: it is so anyway."""
    if not ({"_classes", "_function", "_panel", "_shown", "_operator"} & build.memory.keys() or build.in_body):
        raise refuse("register", "what?")
    build.note("registered, once")


@step(
    "let [the] same seed [always] give [the] same result",
    "[the] same seed (must|should|always|has to) [always] (give|gives|produce|produces) [the] same result",
)
def same_seed(build: Build) -> None:
    """The same seed gives the same numbers anyway."""
    build.note("the same seed, the same result")


@step(
    f"[and] [it|the panel] ~( {CONTENTS[CONTENTS.index('[') :]} )",
    "[it|the panel] [is|goes|sits|lives|should be|belongs] [in|under] [the] (tab|category) [=|:|is|<called>] {tab:name}",
)
def panel_more(
    build: Build, buttons: list[str] | None, p: list[Declared] | None, shown: tuple[str, ...] | None, all: str | None, tab: str | None
) -> None:  # fmt: skip
    """More of the panel that is spoken of."""
    found: Panel | None = build.memory.get("_panel")
    if found is None or not (buttons or p or shown or all or tab):
        raise refuse("panel", "of which panel?")
    before = found.code()
    found.tab = tab or found.tab
    draws(build, found, buttons, p, shown, all)
    build.replace_function(before, found.code())
    build.note(f'panel "{found.label}"')


def button(ident: str, layout: str = "layout", shown: str = "") -> str:
    """The line that draws an operator; "view3d.view_axis:type=FRONT:Front" has an argument and a text of its own."""
    name, _, rest = ident.partition(":")
    if not rest:
        return f"{layout}.operator({quoted(name)}{shown})"
    argument, _, text = rest.partition(":")
    key, _, value = argument.partition("=")
    return f"{layout}.operator({quoted(name)}, text={quoted(text)}).{key} = {quoted(value)}"


VIEWS: Final[dict[tuple[str, ...], str]] = {
    **{(side, "view"): f"view3d.view_axis:type={side.upper()}:{side.title()}" for side in ("front", "back", "left", "right", "top", "bottom")},
    **{(side,): f"view3d.view_axis:type={side.upper()}:{side.title()}" for side in ("front", "back", "left", "right", "top", "bottom")},
    ("camera", "view"): "view3d.view_camera",
    **{(mode, "mode"): f"object.mode_set:mode={mode.upper()}:{mode.title()}" for mode in ("object", "edit", "sculpt", "pose")},
    ("move", "to", "origin"): "object.location_clear", ("view", "selected"): "view3d.view_selected", ("view", "all"): "view3d.view_all",
}  # fmt: skip
"""What a menu may hold that has an argument, or another word than its label."""
PRIMITIVES: Final = {
    "cube": "mesh.primitive_cube_add", "plane": "mesh.primitive_plane_add", "sphere": "mesh.primitive_uv_sphere_add", "cylinder": "mesh.primitive_cylinder_add",
    "cone": "mesh.primitive_cone_add", "torus": "mesh.primitive_torus_add", "monkey": "mesh.primitive_monkey_add", "circle": "mesh.primitive_circle_add",
    "icosphere": "mesh.primitive_ico_sphere_add", "suzanne": "mesh.primitive_monkey_add", "grid": "mesh.primitive_grid_add", "empty": "object.empty_add",
}  # fmt: skip
"""What an entry of a menu adds."""


BUTTONS: Final[dict[tuple[str, ...], str]] = {
    ("shading", "smooth"): "object.shade_smooth", ("shading", "flat"): "object.shade_flat", ("joining",): "object.join", ("shade", "smooth"): "object.shade_smooth", ("shade", "flat"): "object.shade_flat",
    ("smooth",): "object.shade_smooth", ("flat",): "object.shade_flat", ("duplicating",): "object.duplicate", **VIEWS, **{(word,): ident for word, ident in PRIMITIVES.items()},
}  # fmt: skip
"""What is named by what it does."""


@slot("buttons")
def buttons_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[str]]]:
    """Operators by what they do: "adding a cube and for shading smooth"."""
    found: list[str] = []
    place = at
    while (read := one_button(reading, place)) is not None:
        place, ident = read
        found.append(ident)
        yield place, list(found)
        while reading.mark(place) in {",", "/"} or reading.word(place) in {"and", "for", "a", "an", "the", "plus"}:
            place += 1


def one_button(reading: Reading, at: int) -> tuple[int, str] | None:
    """An operator by what it does, by its label or by its name."""
    start = at + (reading.word(at) == "adding") + (reading.words(at, 2) in {("adding", "a"), ("adding", "an")})
    for words, ident in BUTTONS.items():
        if reading.words(start, len(words)) == words:
            end = start + len(words)
            return end + (reading.word(end) == "views"), ident
    token = reading.tokens[at] if at < len(reading.tokens) else None
    labelled = operator_by_label(reading, at)
    if labelled is None and token is not None and re.fullmatch(r"[a-z_]\w*\.[a-z_]\w*", token.text):
        return at + 1, token.text
    return labelled


def operator_by_label(reading: Reading, at: int) -> tuple[int, str] | None:
    """An operator of the menus by its label, with capitals or in quotes: "Shade Smooth"; one that needs no answer."""
    known = menu_labels(reading.lexicon)
    if at < len(reading.tokens) and reading.tokens[at].kind == "quoted":
        ident = known.get(reading.tokens[at].text.lower())
        return (at + 1, ident) if ident else None
    for end in range(min(at + 4, len(reading.tokens)), at, -1):
        said = reading.said(at, end)
        if said.istitle() and said.lower() in known:
            return end, known[said.lower()]
    return None


@functools.lru_cache(maxsize=8)
def menu_labels(lexicon: Any) -> dict[str, str]:
    """Operators by their labels, those that only one has, or one of objects and meshes."""
    found: dict[str, list[str]] = {}
    for ident, one in lexicon.manifest.operators.items():
        found.setdefault(str(one.label).lower(), []).append(ident)
    chosen: dict[str, str] = {}
    for label, idents in found.items():
        likely = [each for each in idents if each.startswith("object.")] if len(idents) > 1 else idents
        if len(likely) == 1:
            chosen[label] = likely[0]
    return chosen


@step(f"[{MAKE}] [a|an] [new] [rna] {{p:declared}}")
def rna_property(build: Build, p: list[Declared]) -> None:
    """Properties of every object, scene, material, ..."""
    if not PROPERTY.search(build.request):
        raise refuse(p[0].name, "a property?")
    for each in p:
        if each.owner not in build.lexicon.manifest.types:
            raise refuse(each.name, "of which type?")
        build.comment(f"the property {each.name}")
        build.imports("typing: Any")
        build.line(f"every: Any = bpy.types.{each.owner}\nevery.{each.name} = {each.made()}")
        if each.owner == "Scene":
            build.memory.setdefault("_shown", []).append(f"scene, {quoted(each.name)}")
        build.note(f"property {each.name} of {each.owner}")
    build.memory["_rna"] = p


@step("set it to {value:given} (on|for|of) {target:object}", "{target:object} (gets|has|uses) {value:given}")
def set_rna_property(build: Build, value: Any, target: Target) -> None:
    """The property of objects that the request makes, for some of them."""
    made: list[Declared] = build.memory.get("_rna", [])
    if len(made) != 1 or made[0].owner != "Object":
        raise refuse(target.said, "which property of it?")
    one = made[0]
    try:
        fit = fitting(one.kind, value)
    except ValueError:
        raise refuse(str(value), f"{one.name} holds something else") from None
    if one.kind == "Enum" and fit not in dict(one.items):
        raise refuse(str(value), f"{one.name} has no such item")
    with build.each(target) as known:
        var = build.var("owner")
        build.line(f"{var}: Any = {known.var}\n{var}.{one.name} = {literal(fit)}")
    build.note(f"{one.name} of {target.said}")


PROPERTY: Final = re.compile(r"\bprop(s|erty|erties)?\b|\bbpy\.|\bcheckbox", re.IGNORECASE)


@slot("rna_type")
def rna_type(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """ "bpy.types.Scene"."""
    end = at + (reading.mark(at) == "(")
    text = reading.tokens[end].text if end < len(reading.tokens) else ""
    if text.startswith("bpy.types."):
        yield end + 1 + (end > at and reading.mark(end + 1) == ")"), text.removeprefix("bpy.types.")
