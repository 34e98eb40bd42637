"""Code that the file keeps: operators, panels, property groups, handlers and timers, with bodies made of other steps.

"Register an operator object.lift (undo) with a float property "height" (default 2) that moves the active object up by the height"
                              \\__________ its head __________________________/      \\______________ its body ______________/

The body is read like any other request. A property that is spoken of in it stands there as a number of its own until
the source is written, and as `self.height` from then on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from app.drafting.composer.build import Build, Many
from app.drafting.composer.grammar import step
from app.drafting.composer.patterns import Env, Reading, slot
from app.drafting.composer.slots import Target, number, skip
from app.drafting.composer.tokens import Token
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


@dataclass(frozen=True)
class Declared:
    """A property of an operator or a group: its name, its kind as in `bpy.props`, and what it is made with."""

    name: str
    kind: str
    details: tuple[tuple[str, Any], ...] = ()
    items: tuple[str, ...] = ()

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
        if self.kind == "Enum":
            rows = ", ".join(
                f'({quoted(each.upper().replace(" ", "_"))}, {quoted(each.title())}, "")' for each in self.items
            )
            return f"bpy.props.EnumProperty(name={quoted(self.title)}, items=[{rows}])"
        arguments = [f"name={quoted(self.title)}"]
        for key, value in self.details:
            arguments.append(
                f"{key}={literal(float(value) if self.kind == 'Float' else bool(value) if self.kind == 'Bool' else int(value) if self.kind == 'Int' else value)}"
            )
        if self.kind == "Color":
            return f'bpy.props.FloatVectorProperty({", ".join(arguments)}, subtype="COLOR", size=4)'
        return f"bpy.props.{self.kind}Property({', '.join(arguments)})"

    @property
    def title(self) -> str:
        """Its label."""
        return self.name.replace("_", " ").title()


@slot("declared")
def declared(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[Declared]]]:
    """ "a float property "height" (default 0)", "the settings amplitude (float, default 0.1) and seed (int, default 1)"."""
    found: list[Declared] = []
    place = at
    stops: list[tuple[int, list[Declared]]] = []
    while True:
        place = skip(reading, place, {"a", "an", "the", "one", "two", "three", "following", "called", "named"} | NOUNS)
        place += reading.mark(place) == ":"
        read = one_declared(reading, place)
        if read is None:
            break
        place = read[0]
        found.append(read[1])
        stops.append((place, list(found)))
        while reading.mark(place) == "," or reading.word(place) in {"and", "plus", "with"}:
            place += 1
    yield from reversed(stops)


def one_declared(reading: Reading, at: int) -> tuple[int, Declared] | None:
    """One property, with its kind before or after its name."""
    place, kind = at, ""
    if reading.word(place) in KINDS:
        kind = KINDS[reading.word(place)]
        place = skip(reading, place + 1, {*NOUNS, "called", "named", "number"})
    token = reading.tokens[place] if place < len(reading.tokens) else None
    if token is None or token.kind not in {"word", "quoted"} or not re.fullmatch(r"[A-Za-z]\w*", token.text):
        return None
    name, place = token.text, place + 1
    if not kind and reading.mark(place) == "(" and reading.word(place + 1) in KINDS:
        kind = KINDS[reading.word(place + 1)]
        read = details_of(reading, place + 2)
        return (read[0], Declared(name, kind, read[1], read[2])) if read is not None else None
    if not kind:
        return None
    if reading.mark(place) == "(":
        read = details_of(reading, place + 1)
        if read is not None:
            return read[0], Declared(name, kind, read[1], read[2])
    if reading.mark(place) in {"=", ","} or reading.word(place) in {"default", "with", "defaulting"}:
        start = skip(
            reading,
            place + (reading.mark(place) in {"=", ","}),
            {"with", "default", "a", "defaulting", "to", "of", "value"},
        )
        if reading.word(start - 1) in {"default", "to", "of", "value"} or reading.mark(place) == "=":
            value = next(number(reading, start), None)
            if value is not None:
                return value[0], Declared(name, kind, (("default", value[1]),))
    return place, Declared(name, kind)


def details_of(reading: Reading, at: int) -> tuple[int, tuple[tuple[str, Any], ...], tuple[str, ...]] | None:
    """What is said in the brackets after a property, and the place after them."""
    words = {
        "default": "default", "defaults": "default", "min": "min", "minimum": "min", "max": "max", "maximum": "max",
    }  # fmt: skip
    details: dict[str, Any] = {}
    items: list[str] = []
    place = at
    while reading.mark(place) != ")":
        if place >= len(reading.tokens):
            return None
        word = reading.word(place)
        if word in words:
            start = skip(reading, place + 1, {"to", "of", "is", "value", "imum"})
            start += reading.mark(start) in {"=", ":"}
            if reading.word(start) in {"true", "false", "on", "off"}:
                details[words[word]] = reading.word(start) in {"true", "on"}
                place = start + 1
                continue
            if start < len(reading.tokens) and reading.tokens[start].kind == "quoted":
                details[words[word]] = reading.tokens[start].text
                place = start + 1
                continue
            value = next(number(reading, start), None)
            if value is None:
                return None
            place, details[words[word]] = value
        elif reading.mark(place) in {",", "/", "|"} or word in {
            "and",
            "or",
            "in",
            "world",
            "space",
            "items",
            "one",
            "of",
            "a",
            "meters",
            "m",
            "from",
            "local",
        }:
            place += 1
        elif word in {"between", "range"} or (reading.tokens[place].kind == "number" and not items):
            low = next(number(reading, skip(reading, place, {"between", "range", "from"})), None)
            high = (
                next(number(reading, skip(reading, low[0], {"to", "and"}) + (reading.mark(low[0]) == "-")), None)
                if low
                else None
            )
            if low is None or high is None:
                return None
            details["min"], details["max"], place = low[1], high[1], high[0]
        elif reading.tokens[place].kind in {"word", "quoted", "signed"}:
            items.append(reading.tokens[place].text)
            place += 1
        else:
            return None
    return place + 1, tuple(details.items()), tuple(items)


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
    refusal: str = ""
    """What an operator says where nothing is selected."""
    where: str = ""
    """The list of handlers, or the seconds of a timer."""

    def finish(self, build: Build, lines: list[str]) -> None:
        """Add the class or the function to the snippet."""
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
        if self.what == "operator" and not text and not self.idle:
            raise refuse(self.ident, "say what it is to do")
        if self.what == "operator":
            self.operator(build, text)
        else:
            self.function(build, text)

    def operator(self, build: Build, text: str) -> None:
        """The class of an operator."""
        parts = [
            f'class {self.name}(bpy.types.Operator):\n    """{self.title}."""\n\n    bl_idname = {quoted(self.ident)}\n    bl_label = {quoted(self.title)}'
        ]
        if self.undo:
            parts[0] += '\n    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012 - this is how Blender reads it'
        if self.properties:
            build.imports("typing: TYPE_CHECKING")
            held = "\n".join(f"        {each.name}: {HELD[each.kind]}" for each in self.properties)
            made = "\n".join(f"        {each.name}: {each.made()}" for each in self.properties)
            parts.append(
                f"    if TYPE_CHECKING:  # what the properties hold, which a type checker cannot read below\n{held}\n    else:\n{made}"
            )
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
        register(build, self.name, "\n\n".join(parts))
        build.imports("typing: Any")

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
                f'bpy.app.driver_namespace["{self.name}"] = {self.name}\nbpy.app.timers.register({self.name}, first_interval={self.where})'
            )
            return
        build.imports("bpy.app.handlers: persistent")
        build.function(f'def {self.name}(*_arguments: Any) -> None:\n    """{self.title}."""\n{body}\n')
        build.line(f"handlers = bpy.app.handlers.{self.where}")
        build.line(
            f'for earlier in [each for each in handlers if getattr(each, "__name__", "") == "{self.name}"]:\n    handlers.remove(earlier)'
        )
        build.line(f"handlers.append(persistent({self.name}))")


MAKE: Final = (
    "(register|write|create|add|make|define|write and register|create and register|define and register|i need|build)"
)
ABOUT: Final = (
    "~( (idname|bl_idname|id name) [=|:] {ident:dotted} ; (labelled|labeled|label|with label|with the label|titled|shown as) [label] {label:quoted} ;"
    " {undo=undo enabled|undo|undo support|undoable|supports undo|support for undo|with undo} ; {p:declared} ;"
    " (no properties|without properties) )"
)


@step(
    f"[{MAKE}] [a|an] [new] [{{empty=empty|dummy|do nothing|simple|minimal|custom}}] [{{undo=undoable|undo-safe|undo safe}}] operator [<called>] {{ident:dotted}} {ABOUT}",
    f"[{MAKE}] [a|an] [pop up|popup] {{ask=confirmation}} [dialog] (to|for) [a|an] [new] operator [<called>] {{ident:dotted}} {ABOUT}",
    f"[{MAKE}] [a|an] [new] [custom|simple] [{{undo=undoable|undo-safe|undo safe}}] operator [<called> {{title:quoted}}]",
)
def operator(
    build: Build, ident: str | None, label: str | None, empty: str | None, undo: str | None, p: list[Declared] | None,
    title: str | None, ask: str | None,
) -> None:  # fmt: skip
    """An operator; what follows is what it does."""
    if ident is None:
        words = re.findall(r"[a-z]+", (title or build.request.partition("that")[2]).lower())[:3]
        ident = "object." + ("_".join(words) or "work")
    shown = label or title or ident.partition(".")[2].replace("_", " ").title()
    body = Body("operator", class_name(ident, "OT"), shown, ident, bool(undo), bool(empty), bool(ask), p or [])
    build.memory["_operator"] = body
    build.open_body(body.finish)
    build.note(f"operator {ident}")


EVENTS: Final = {
    "frame change": "frame_change", "frame changes": "frame_change", "frame": "frame_change", "changes of frame": "frame_change", "change of frame": "frame_change",
    "load": "load", "file load": "load", "loading a file": "load", "file is opened": "load", "file is loaded": "load", "opening a file": "load",
    "save": "save", "file save": "save", "saving": "save", "render": "render", "rendering": "render", "depsgraph update": "depsgraph_update",
    "scene update": "depsgraph_update", "scene change": "depsgraph_update", "update of the depsgraph": "depsgraph_update", "file is saved": "save",
    "frame change post": "frame_change", "frame_change_post": "frame_change", "frame_change_pre": "frame_change", "load_post": "load",
    "depsgraph_update_post": "depsgraph_update", "render_pre": "render", "render_post": "render", "save_pre": "save",
}  # fmt: skip
WHEN: Final = f"(when|at|on|after|every time|each time|whenever|{{before=before}}) [every|each|the|a|any] {{event={'|'.join(EVENTS)}}}"


@step(
    f"(register|write|create|add|make|define|install) [a|an|another] [persistent] [app|application] [{{event={'|'.join(EVENTS)}}}] handler [function] [(called|named) {{ident:identifier}}] [that|which] [runs|is run|is called|fires|executes] [{WHEN}]",
    f"[{MAKE}] [a|an] [persistent] [app|application] handler [function] [(called|named) {{ident:identifier}}] [:] [which|that] {WHEN}",
    f"(register|write|create|add|make|define|install) [a|an] [persistent] [app|application] handler [function] [(called|named) {{ident:identifier}}] (for|on) [the] {{event={'|'.join(EVENTS)}}} [event|events]",
    "[(register|write|create|add|make|start)] [a] {timer=timer} [function] [(called|named) {ident:identifier}] [:] [that|which] [runs|is called|fires|executes|repeats] every {seconds:quantity of seconds}",
    f"[{MAKE}] [a] [script|function] [that|which] (runs|is run|executes|is executed) {WHEN}",
)
def handler(
    build: Build, ident: str | None, event: str | None, before: str | None, timer: str | None, seconds: Any = None
) -> None:
    """A handler or a timer; what follows is what it does."""
    if timer:
        body = Body("timer", ident or "on_timer", "Work that a timer does", where=literal(float(seconds.value)))
    else:
        if event is None:
            raise refuse("handler", "when does it run?")
        when = "pre" if before or event.endswith("_pre") else "post"
        name = EVENTS[event]
        body = Body(
            "handler",
            ident or f"on_{name}",
            f"Work that is done at every {name.replace('_', ' ')}",
            where=f"{name}_{when}",
        )
    build.open_body(body.finish)
    build.note(f"{body.what} {body.name}")


def current_operator(build: Build, said: str) -> Body:
    """The operator of this request."""
    found: Body | None = build.memory.get("_operator")
    if found is None:
        raise refuse(said, "of which operator?")
    return found


TYPES: Final = {
    "mesh": "MESH", "mesh object": "MESH", "curve": "CURVE", "armature": "ARMATURE", "camera": "CAMERA",
    "light": "LIGHT", "empty": "EMPTY",
}  # fmt: skip
POLL_TYPES: Final = "|".join(TYPES)


@step(
    f"[it] (may|can|should|must|shall|is) [only] [be] (available|enabled|run|runnable|usable|used|active) [only] (when|if|while) [there is] [the|an] active [object] [is] [a|an] [{{kind={POLL_TYPES}}}] [object] [active]",
    f"[its] poll [method] (requires|needs|checks for|checks that|that needs|returns true if) [there is] [the|an] active [object] [is] [a|an] [{{kind={POLL_TYPES}}}] [object]",
    f"[it] (only works|works only|needs|requires|is only available) (on|with|when|if|for) [there is] [the|an|a] [active] [object] [is] [a|an] [{{kind={POLL_TYPES}}}] [object|objects] [active]",
    f"(available|enabled) only (when|if|while|for) [the|an] active [object] [is] [a|an] [{{kind={POLL_TYPES}}}] [object]",
    "(with|having) [a] poll that needs [an] active [{kind=mesh|object}] [object]",
)
def poll(build: Build, kind: str | None) -> None:
    """When an operator can be run."""
    body = current_operator(build, "available")
    test = "context.active_object is not None"
    body.poll = test + (f' and context.active_object.type == "{TYPES[kind]}"' if kind in TYPES else "")
    build.note(f"available with an active {kind or 'object'}")


@step(
    "(with|if|when) (nothing|no object|no objects) [is|are] selected [,] it (reports|shows|gives|should report) [a|an] {kind=warning|error|info} [message] [{said:quoted}] [and] [(returns|return) cancelled] [and] [(cancels|stops)]",
    "(report|reports) [a|an] {kind=warning|error} [{said:quoted}] (if|when) (nothing|no object) is selected [and (return|returns) cancelled]",
)
def refuses_nothing(build: Build, kind: str, said: str | None) -> None:
    """What an operator says where nothing is selected."""
    body = current_operator(build, "nothing selected")
    body.refusal = f"{kind.upper()}:{said or 'Select something first.'}"
    build.note(f"a {kind} where nothing is selected")


@step(
    "[with] [the] (idname|bl_idname|id name|identifier|id) [=|:|is|of] {ident:dotted}",
    "[with] [the] (label|bl_label|title) [=|:|is|of] {label:quoted}",
    "[with] {undo=undo|undo enabled|undo support}",
    "[with|has|shows|asks for] [a] [pop up|popup] {ask=confirmation|confirmation dialog|confirmation popup|confirmation pop up|confirm dialog} [pop up|popup|dialog]",
    "[it] {ask=asks for confirmation first|asks for confirmation|asks first}",
)
def about_operator(build: Build, ident: str | None, label: str | None, undo: str | None, ask: str | None) -> None:
    """More of the operator that is spoken of."""
    body = current_operator(build, ident or label or undo or ask or "")
    if ident:
        body.ident, body.name = ident, class_name(ident, "OT")
    body.title = label or (ident.partition(".")[2].replace("_", " ").title() if ident else body.title)
    body.undo = body.undo or bool(undo)
    body.asks = body.asks or bool(ask)
    build.note(f"operator {body.ident}")


SWITCHED: Final = {
    "wire": "show_wire", "wire display": "show_wire", "wireframe": "show_wire", "wireframe display": "show_wire", "wireframe overlay": "show_wire",
    "visibility": "hide_viewport", "viewport visibility": "hide_viewport", "render visibility": "hide_render", "names": "show_name", "in front": "show_in_front",
    "selectability": "hide_select", "axes": "show_axis", "bounding box": "show_bounds", "bounds": "show_bounds",
}  # fmt: skip


@step(
    f"(toggle|flip|switch|toggles) [the] {{what={'|'.join(SWITCHED)}}} [display] (of|on|for) {{target:object}}",
    "(toggle|toggles) {target:object} ['s] {what=visibility|wireframe|wire|in front}",
)
def toggle(build: Build, what: str, target: Target) -> None:
    """Turn what is on off, and what is off on."""
    build.once()
    attribute = SWITCHED[what]
    with build.each(target) as known:
        build.line(f"{known.var}.{attribute} = not {known.var}.{attribute}")
    build.note(f"{attribute} of {target.said} toggled")


SHOWN: Final = {
    "frame number": "scene.frame_current", "current frame": "scene.frame_current", "frame": "scene.frame_current", "current frame number": "scene.frame_current",
    "name of the scene": "scene.name", "scene name": "scene.name", "file path": "bpy.data.filepath", "file name": "bpy.path.basename(bpy.data.filepath)",
    "blender version": "bpy.app.version_string", "render engine": "scene.render.engine", "name of the active object": "active.name", "active object's name": "active.name",
}  # fmt: skip


@step(
    f"(print|prints|log|output) [the] {{what={'|'.join(SHOWN)}}} [to the console]",
    "(print|prints|log|say) [the] [text|message|words] {text:quoted} [to the console]",
)
def say(build: Build, what: str | None, text: str | None) -> None:
    """Print a fact of the file, or a text."""
    expression = SHOWN[what] if what else quoted(text or "")
    if expression.startswith("scene"):
        build.scene()
    if expression.startswith("active"):
        expression = f"{build.object(Target('active'))}.name"
    build.line(f"print({expression})")
    build.note(f"print {what or text}")


MENUS: Final = {
    "add": "VIEW3D_MT_add", "add mesh": "VIEW3D_MT_mesh_add", "add > mesh": "VIEW3D_MT_mesh_add", "mesh": "VIEW3D_MT_mesh_add", "object": "VIEW3D_MT_object",
    "view": "VIEW3D_MT_view", "select": "VIEW3D_MT_select_object", "file": "TOPBAR_MT_file", "render": "TOPBAR_MT_render", "help": "TOPBAR_MT_help",
    "window": "TOPBAR_MT_window", "object context": "VIEW3D_MT_object_context_menu", "edit": "TOPBAR_MT_edit",
}  # fmt: skip
INTO: Final = f"(in|to|into|under|on) [the] {{into={'|'.join(MENUS)}}} menu"


@step(
    f"[{MAKE}] [a|an] [new] [sub] menu <called> {{label:quoted}} ~( {INTO} ; (that has|with|containing|that lists|having|listing|for|has) [the] [entries|items|operators|buttons] [for] {{buttons:buttons}} )",
    f"[{MAKE}] [a|an] [new] [sub] menu {{label:quoted}} ~( {INTO} ; (that has|with|containing|that lists|having|listing|has) [the] [entries|items|operators|buttons] [for] {{buttons:buttons}} )",
    f"(add|append|put) [the] [operator] {{buttons:buttons}} (to|in|into) [the] {{into={'|'.join(MENUS)}}} menu",
)
def menu(build: Build, label: str | None, into: str | None, buttons: list[str] | None) -> None:
    """A menu, or more entries of one that is there."""
    if not buttons:
        raise refuse(label or "menu", "what is in it?")
    rows = [f"expect(self.layout, bpy.types.UILayout).operator({quoted(each)})" for each in buttons]
    build.need("expect")
    build.imports("typing: Any")
    slug = re.sub(r"\W+", "_", (label or buttons[0]).lower(), flags=re.ASCII).strip("_")
    if label:
        name = f"VIEW3D_MT_{slug}"
        drawn = "\n".join(f"        {each}" for each in rows)
        register(
            build,
            name,
            f'class {name}(bpy.types.Menu):\n    """{label.replace(chr(34), "")}."""\n\n    bl_label = {quoted(label)}\n\n'
            f'    def draw(self, context: bpy.types.Context) -> None:\n        """Show the menu."""\n        del context\n{drawn}\n',
        )
        rows = [f"expect(self.layout, bpy.types.UILayout).menu({quoted(name)})"]
    if into:
        function = f"show_{slug}"
        inner = "\n".join(f"    {each}" for each in rows)
        build.function(
            f'def {function}(self: Any, context: bpy.types.Context) -> None:\n    """Show what was added to a menu."""\n    del context\n{inner}\n'
        )
        key = quoted(function)
        build.line(f"place: Any = bpy.types.{MENUS[into]}\nearlier = bpy.app.driver_namespace.get({key})")
        build.line(
            f"if earlier is not None:\n    place.remove(earlier)\nbpy.app.driver_namespace[{key}] = {function}\nplace.append({function})"
        )
    build.note(f"menu {label or into}")


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
    f"[{MAKE}] [a] [keymap|shortcut|hotkey|key map|key binding] [:|that binds|with|on] {KEYS} [in [the] {{mode={'|'.join(MODES)}}} mode] (calls|runs|to|for|executes|triggers|that calls|that runs|bound to) {{ident:dotted}} [in [the] {{mode={'|'.join(MODES)}}} mode]",
    f"(bind|assign|map) ({{ident:dotted}} to {KEYS}|{KEYS} to {{ident:dotted}}) [in [the] {{mode={'|'.join(MODES)}}} mode]",
)
def keymap(build: Build, keys: tuple[str, ...], ident: str, mode: str | None) -> None:
    """A key that runs an operator."""
    title, space = MODES[mode or "object"]
    if not mode:
        title, space = "3D View", "VIEW_3D"
    held = "".join(f", {each}=True" for each in keys[1:])
    build.line(
        "configs = expect(bpy.context.window_manager, bpy.types.WindowManager).keyconfigs\nconfig = configs.addon or configs.active"
    )
    build.need("expect")
    with build.block("if config is not None:"):
        build.line(f'keymap = config.keymaps.new(name={quoted(title)}, space_type="{space}")')
        build.line(
            f"for item in [each for each in keymap.keymap_items if each.idname == {quoted(ident)}]:\n    keymap.keymap_items.remove(item)"
        )
        build.line(f'keymap.keymap_items.new({quoted(ident)}, "{keys[0]}", "PRESS"{held})')
    build.note(f"{'+'.join((*keys[1:], keys[0]))} -> {ident}")


POINTED: Final = {
    "camera": "CAMERA", "mesh": "MESH", "light": "LIGHT", "armature": "ARMATURE", "empty": "EMPTY", "curve": "CURVE",
}  # fmt: skip


@step(
    f"[{MAKE}] [a|an] {{kind=object|material|collection|image|scene|text}} pointer property {{path:dotted}} [(that|which) only (accepts|takes|allows) {{only={'|'.join(POINTED)}}} [objects]]",
    f"[{MAKE}] [a|an] pointer property {{path:dotted}} (to|of|for) [an|a|the] {{kind=object|material|collection|image|scene|text}} [(that|which) only (accepts|takes|allows) {{only={'|'.join(POINTED)}}} [objects]]",
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


@step("(for|on|with|to|go through|loop over|loop through|iterate over) {target:object} [do]")
def for_each(build: Build, target: Target) -> None:
    """What the next clauses are about, each of several."""
    found = build.objects(target)
    build.it = found
    if isinstance(found, Many):
        build.looping = True
    build.note(f"{target.said} is what follows is about")


@step(
    "[and] register it",
    "let [the] same seed [always] give [the] same result",
    "[the] same seed (must|should|always|has to) [always] (give|gives|produce|produces) [the] same result",
    "(running|run) [the|this] (script|snippet|it) (again|twice|a second time) (must|should|may|does) not (add|register|create|duplicate) [the|a|another|any] [second] [handler|operator|timer|panel|anything|class] [twice|again|a second time]",
    "(it|the handler|the operator) (must|should) not be (added|registered) twice",
)
def kept_anyway(build: Build) -> None:
    """What is so anyway: classes and handlers make way for their successors."""
    build.note("it is so")


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


@step(
    "[(register|write|create|add|make|define)] [a|an] [new] property group [<called>] {name:name} ~( {p:declared} )"
    " [[,] [and] [(attach|add|assign|register|make it available|attached|available)] [it] [(to|on) [the] [every] {owner=scene|object|material|collection|world|camera}] [as] [{path:dotted}] [{plain:identifier}]]",
)
def property_group(
    build: Build, name: str, p: list[Declared] | None, owner: str | None, path: str | None, plain: str | None
) -> None:
    """A group of properties, and where it is attached."""
    if not p or not re.fullmatch(r"[A-Za-z_]\w*", name):
        raise refuse(name, "which properties?")
    build.imports("typing: TYPE_CHECKING", "typing: Any")
    held = "\n".join(f"        {each.name}: {HELD[each.kind]}" for each in p)
    made = "\n".join(f"        {each.name}: {each.made()}" for each in p)
    register(
        build,
        name,
        f'class {name}(bpy.types.PropertyGroup):\n    """Settings."""\n\n'
        f"    if TYPE_CHECKING:  # what the properties hold, which a type checker cannot read below\n{held}\n    else:\n{made}\n",
    )
    if owner or path or plain:
        place, _, attribute = (path or f"{owner}.{plain}").partition(".")
        title = (owner or place).title()
        if title not in build.lexicon.manifest.types or (owner and path and owner != place):
            raise refuse(path or attribute, "on what?")
        build.line(f"holder: Any = bpy.types.{title}\nholder.{attribute} = bpy.props.PointerProperty(type={name})")
    build.note(f"property group {name}")


ABOUT_PANEL: Final = (
    "~( (labelled|with the label|titled) {label:quoted} ; [of] [the] (3d viewport|viewport|3d view|3d editor) ;"
    " (in|under|with|on) [the] (category|tab) [<called>] {tab:quoted} ; (category|tab) [<called>] {tab:quoted} ; [the] {tab:quoted} (tab|category) ;"
    " [two|three|four] (buttons|button|operators|operator) [for|that run|that runs|to run|running] [the] [operators|operator] {buttons:buttons} )"
)


@step(
    f"(register|write|create|add|make|define) [a|an] [new] [empty|simple] [sidebar] panel [<called>] {{label:quoted}} (in|on) [the] (sidebar|n-panel|n panel) {ABOUT_PANEL}",
    f"(register|write|create|add|make|define) [a|an] [new] [empty|simple] panel (in|on) [the] (sidebar|n-panel|n panel) [of the 3d viewport|of the viewport|of the 3d view] <called> {{label:quoted}} {ABOUT_PANEL}",
)
def panel(build: Build, label: str, tab: str | None, buttons: list[str] | None) -> None:
    """A panel in the sidebar of the 3D viewport."""
    name = "VIEW3D_PT_" + (re.sub(r"\W+", "_", label.lower(), flags=re.ASCII).strip("_") or "panel")
    rows = [f"        expect(self.layout, bpy.types.UILayout).operator({quoted(each)})" for each in buttons or []] or [
        f"        expect(self.layout, bpy.types.UILayout).label(text={quoted(label)})"
    ]
    register(
        build,
        name,
        f'class {name}(bpy.types.Panel):\n    """{label.replace(chr(34), "")}."""\n\n'
        f'    bl_label = {quoted(label)}\n    bl_space_type = "VIEW_3D"\n    bl_region_type = "UI"\n    bl_category = {quoted(tab or "Tool")}\n\n'
        f'    def draw(self, context: bpy.types.Context) -> None:\n        """Show the panel."""\n        del context\n'
        + "\n".join(rows)
        + "\n",
    )
    build.imports("typing: Any")
    build.need("expect")
    build.note(f'panel "{label}"')


PRIMITIVES: Final = {
    "cube": "mesh.primitive_cube_add", "plane": "mesh.primitive_plane_add", "sphere": "mesh.primitive_uv_sphere_add", "cylinder": "mesh.primitive_cylinder_add",
    "cone": "mesh.primitive_cone_add", "torus": "mesh.primitive_torus_add", "monkey": "mesh.primitive_monkey_add", "circle": "mesh.primitive_circle_add",
    "icosphere": "mesh.primitive_ico_sphere_add", "suzanne": "mesh.primitive_monkey_add", "grid": "mesh.primitive_grid_add", "empty": "object.empty_add",
}  # fmt: skip
"""What an entry of a menu adds."""


@slot("buttons")
def buttons_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[str]]]:
    """Operators by what they do: "adding a cube and for shading smooth"."""
    known: dict[tuple[str, ...], str] = {("adding", "a", "cube"): "mesh.primitive_cube_add", ("adding", "a", "sphere"): "mesh.primitive_uv_sphere_add", ("adding", "a", "plane"): "mesh.primitive_plane_add",
             ("shading", "smooth"): "object.shade_smooth", ("shading", "flat"): "object.shade_flat", ("joining",): "object.join", ("duplicating",): "object.duplicate", **{(word,): ident for word, ident in PRIMITIVES.items()}}  # fmt: skip
    found: list[str] = []
    place = at
    while True:
        hit = next(
            (words for words in known if tuple(reading.word(place + k) for k in range(len(words))) == words), None
        )
        if hit is None:
            token = reading.tokens[place] if place < len(reading.tokens) else None
            if token is None or not re.fullmatch(r"[a-z_]\w*\.[a-z_]\w*", token.text):
                return
            found.append(token.text)
            place += 1
        else:
            found.append(known[hit])
            place += len(hit)
        yield place, list(found)
        while reading.mark(place) == "," or reading.word(place) in {"and", "for", "a", "an", "the"}:
            place += 1


@step(
    "<add> [a|an] {kind=float|int|integer|bool|boolean|string} property {ident:identifier} (to|on|for) [all] (objects|scenes|materials|object|scene|material) [«] [bpy.types.Object|bpy.types.Scene|bpy.types.Material] [»] [,] [(with|,)] [default] [of] [{default:n}] [,] [between {low:n} and {high:n}] [,] [and set it to {value:n} on {target:object}]",
)
def rna_property(
    build: Build, kind: str, ident: str, default: float | None, low: float | None, high: float | None,
    value: float | None, target: Target | None,
) -> None:  # fmt: skip
    """A property of every object, scene or material."""
    owner = next(
        (name for name in ("Object", "Scene", "Material") if re.search(rf"\b{name}s?\b", build.request, re.IGNORECASE)),
        None,
    )
    if owner is None or kind in {"string"} or (target is not None and owner != "Object"):
        raise refuse(ident, "of which type?")
    maker = {
        "float": "FloatProperty",
        "int": "IntProperty",
        "integer": "IntProperty",
        "bool": "BoolProperty",
        "boolean": "BoolProperty",
    }[kind]

    def shown(number: float) -> str:
        return literal(float(number) if kind == "float" else bool(number) if "bool" in kind else int(number))

    arguments = [f"name={quoted(ident.replace('_', ' ').title())}"]
    for key, given in (("default", default), ("min", low), ("max", high)):
        if given is not None:
            arguments.append(f"{key}={shown(given)}")
    build.comment(f"the property {ident}")
    build.imports("typing: Any")
    build.line(f"every: Any = bpy.types.{owner}\nevery.{ident} = bpy.props.{maker}({', '.join(arguments)})")
    if target is not None and value is not None:
        known = build.one(target)
        build.line(f"owner: Any = {known.var}\nowner.{ident} = {shown(value)}")
    build.note(f"property {ident} of {owner}")
