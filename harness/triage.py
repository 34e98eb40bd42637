"""What a snippet that raised is missing: something that no rewriting of its code can supply.

Nearly half of the scripts that fail in a fresh scene are not wrong. They want an object, a file, arguments
or a window that is not there. Those must be told apart from code that has to change: `inputs["Emission"]`
names a socket that Blender renamed, `objects["Rig"]` an object that somebody else was to bring, and both
raise the same error.

    exception ── the failing statement ── its expressions, names replaced by what they were assigned ── tables
"""

from __future__ import annotations

import ast
import copy
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, cast

Outcome = Literal["needs_scene", "needs_file", "needs_arguments", "needs_window"]


@dataclass(frozen=True)
class Missing:
    """One thing that a run lacks: `what` names it, `hint` says how a request can bring it."""

    outcome: Outcome
    what: str
    hint: str


def triage(
    snippet: str, exception: str, message: str, line: int | None, stderr: str, exit_code: int | None
) -> Missing | None:
    """Say what the snippet lacked, or None if it raised for a reason of its own.

    `exception` is the name of the exception's type, `line` the failing line of the snippet (1-based), or None
    where it is not known. `exit_code` is negative for a signal, as in `subprocess`. Never raises.
    """
    failure = _Failure(exception, message.strip(), stderr, exit_code, _Place.of(snippet, line))
    try:
        for judge in _JUDGES:
            missing = judge(failure)
            if missing is not None:
                return missing
    except RecursionError:
        return None
    return None


_HINTS: Final[dict[Outcome, str]] = {
    "needs_scene": "Send a setup snippet or a .blend file that has it, or create it first.",
    "needs_file": "Send the file with the request, or make its content in the snippet.",
    "needs_arguments": "Send the arguments with the request, or give them default values in the snippet.",
    "needs_window": "Run this in Blender's window, or do the same through bpy.data, which needs none.",
}


def _missing(outcome: Outcome, what: str) -> Missing:
    return Missing(outcome, what, _HINTS[outcome])


# --- the failing statement ---------------------------------------------------------------------------------

# How many assignments are followed backwards from a name.
_PATIENCE: Final = 8

_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_BODIES: Final = frozenset({"body", "orelse", "finalbody", "handlers", "cases"})


@dataclass(frozen=True)
class _Binding:
    line: int
    name: str
    value: ast.expr | None


class _Place:
    """The failing line in the snippet's syntax tree. Empty where the snippet or the line is unknown."""

    def __init__(self, snippet: str, tree: ast.Module, line: int | None) -> None:
        self.snippet = snippet
        self.tree = tree
        self.line = line
        self.scopes = _scopes_around(tree, line)
        """From the innermost function around the line out to the module."""

    @classmethod
    def of(cls, snippet: str, line: int | None) -> _Place:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return cls(snippet, ast.parse(snippet), line)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return cls(snippet, ast.Module([], []), None)

    @cached_property
    def bindings(self) -> list[list[_Binding]]:
        """The bindings of each of `scopes`."""
        return [list(_bindings(scope)) for scope in self.scopes]

    @cached_property
    def nodes(self) -> list[ast.expr]:
        """The expressions of the failing statement that cover the failing line, outermost first."""
        return [
            node
            for statement in _statements_at(self.scopes[0], self.line)
            for node in _header_nodes(statement)
            if isinstance(node, ast.expr) and _covers(node, self.line)
        ]

    @cached_property
    def texts(self) -> list[str]:
        """The source of each of `nodes`, its leading name replaced by what it was assigned."""
        return [self.text(node) for node in self.nodes]

    def text(self, expression: ast.expr) -> str:
        """`ob.data` as `bpy.data.objects.get('Rig').data`, if `ob` was assigned so before the line."""
        return ast.unparse(self._expanded(expression, self.line or 0, _PATIENCE))

    def before(self) -> str:
        """The snippet's lines before the failing one."""
        return "\n".join(self.snippet.splitlines()[: (self.line or 1) - 1])

    def calls(self) -> list[ast.Call]:
        return [node for node in self.nodes if isinstance(node, ast.Call)]

    def _expanded(self, expression: ast.expr, line: int, patience: int) -> ast.expr:
        match expression:
            case ast.IfExp(body=inner) | ast.BoolOp(values=[inner, *_]) | ast.NamedExpr(value=inner):
                return self._expanded(inner, line, patience)
            case ast.Name(id=name):
                binding = self._binding(name, line) if patience else None
                if binding is None or binding.value is None:
                    return expression
                return self._expanded(binding.value, binding.line, patience - 1)
            case ast.Attribute(value=base) | ast.Subscript(value=base):
                shallow = copy.copy(expression)
                shallow.value = self._expanded(base, line, patience)
                return shallow
            case ast.Call(func=ast.Attribute() as function):
                call = copy.copy(expression)
                call.func = self._expanded(function, line, patience)
                return call
            case _:
                return expression

    def _binding(self, name: str, line: int) -> _Binding | None:
        """The last assignment before the line in the line's function, or any last one in an outer scope."""
        for depth, bindings in enumerate(self.bindings):
            found = [
                binding
                for binding in bindings
                if binding.name == name and (binding.line < line or (depth > 0 and line > 0))
            ]
            if found:
                return max(found, key=lambda binding: binding.line)
        return None


def _scopes_around(tree: ast.Module, line: int | None) -> list[ast.Module | _Function]:
    scopes: list[ast.Module | _Function] = [tree]
    for node in ast.walk(tree):
        if isinstance(node, _Function) and _covers(node, line):
            scopes.insert(0, node)
    return scopes


def _own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a scope without those of the functions inside it."""
    waiting = list(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _Function):
            waiting.extend(ast.iter_child_nodes(node))


def _statements_at(scope: ast.AST, line: int | None) -> list[ast.stmt]:
    """The innermost statement on the line, or several where semicolons put them there."""
    covering = [node for node in _own_nodes(scope) if isinstance(node, ast.stmt) and _covers(node, line)]
    innermost = max((node.lineno for node in covering), default=0)
    return [node for node in covering if node.lineno == innermost]


def _covers(node: ast.stmt | ast.expr, line: int | None) -> bool:
    return line is not None and node.lineno <= line <= (node.end_lineno or node.lineno)


def _header_nodes(statement: ast.stmt) -> Iterator[ast.AST]:
    """The nodes of a statement without the statements inside it."""
    inside = {
        node
        for name in _BODIES
        for child in cast("list[ast.AST]", getattr(statement, name, []))
        for node in ast.walk(child)
    }
    return (node for node in ast.walk(statement) if node not in inside)


def _bindings(scope: ast.Module | _Function) -> Iterator[_Binding]:
    """What names stand for in a scope. A parameter called `context` is the one that Blender passes."""
    if not isinstance(scope, ast.Module):
        for argument in scope.args.args:
            value = _BPY_CONTEXT if argument.arg == "context" else None
            yield _Binding(0, argument.arg, value)
    for node in _own_nodes(scope):
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                yield _Binding(node.lineno, name, value)
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                yield _Binding(node.lineno, name, value)
            case ast.For(target=ast.Name(id=name)):
                yield _Binding(node.lineno, name, None)
            case ast.ImportFrom(module=str(module), names=names):
                for alias in names:
                    path = ast.parse(f"{module}.{alias.name}", mode="eval") if alias.name != "*" else None
                    yield _Binding(node.lineno, alias.asname or alias.name, path.body if path else None)
            case _:
                pass


_BPY_CONTEXT: Final = ast.parse("bpy.context", mode="eval").body


@dataclass(frozen=True)
class _Failure:
    exception: str
    message: str
    stderr: str
    exit_code: int | None
    place: _Place

    def makes_objects(self) -> bool:
        """Whether the snippet made objects of its own before: then the active object is its own affair."""
        return (
            re.search(r"\w_add\(|objects\.new\(|_import\(|\.duplicate\w*\(", self.place.before()) is not None
        )


# --- a window ----------------------------------------------------------------------------------------------

# Operators of these modules look for an editor of the kind in their poll.
_EDITOR_OF_MODULE: Final = {
    "action": "a dope sheet",
    "asset": "an asset browser",
    "buttons": "a properties editor",
    "clip": "a movie clip editor",
    "console": "a Python console",
    "file": "a file browser",
    "graph": "a graph editor",
    "image": "an image editor",
    "info": "an info editor",
    "marker": "a timeline",
    "nla": "an NLA editor",
    "node": "a node editor",
    "outliner": "an outliner",
    "screen": "a window",
    "sequencer": "a sequencer",
    "spreadsheet": "a spreadsheet",
    "text": "a text editor",
    "ui": "a window",
    "view2d": "a window",
    "view3d": "a 3D viewport",
}

# In other modules only some operators do; the rest want a mode or an active object.
_EDITOR_OF_OPERATOR: Final = (
    (
        r"uv\.(cursor_set|snap_cursor|snap_selected|custom_region_set|select_(box|circle|lasso))",
        "a UV editor",
    ),
    (r"uv\.project_from_view", "a 3D viewport"),
    (
        r"anim\.(change_frame|channels_\w+|previewrange_\w+|view_curve_\w+|start_frame_set|end_frame_set)",
        "a timeline",
    ),
    (r"sculpt\.brush_stroke|gpencil\.draw", "a 3D viewport"),
    (r"render\.(opengl|view_show|play_rendered_anim)", "a window"),
    (r"wm\.(toolbar\w*|search_\w+|call_\w+|window_\w+|redraw_timer|context_menu\w*|splash\w*)", "a window"),
)

# What poll says of itself, in any module.
_EDITOR_IN_MESSAGE: Final = (
    (r"expected an? (active )?view3d", "a 3D viewport"),
    (r"expected an active (?P<editor>\w+)", "an active {editor}"),
    (r"expected an? animation area", "a timeline"),
    (r"active region not set", "a region"),
)

_CONTEXT_IN_WINDOW: Final = {
    "area": "an area (bpy.context.area)",
    "region": "a region (bpy.context.region)",
    "region_data": "a 3D viewport (bpy.context.region_data)",
    "screen": "a window (bpy.context.screen)",
    "space_data": "an editor (bpy.context.space_data)",
    "window": "a window (bpy.context.window)",
    "workspace": "a window (bpy.context.workspace)",
    "active_node": "a node editor (bpy.context.active_node)",
    "selected_nodes": "a node editor (bpy.context.selected_nodes)",
    "edit_text": "a text editor (bpy.context.edit_text)",
    "edit_image": "an image editor (bpy.context.edit_image)",
    "edit_mask": "an image editor (bpy.context.edit_mask)",
    "region_popup": "a window (bpy.context.region_popup)",
}

_NO_GPU: Final = "GPU functions for drawing are not available in background mode"
_NO_OPENGL: Final = "Cannot use OpenGL render in background mode"

# These do not raise in background: they kill Blender.
_CRASHES_WITHOUT_WINDOW: Final = (
    r"\.(?:popup_menu|popover|popup_menu_pie|invoke_\w+|modal_handler_add)\(|bpy\.ops\.wm\.(?:call_\w+|search_menu)\("
    r"|\b(?:blf\.draw|gpu\.texture\.from_image|GPUVertFormat|GPUBatch|GPUOffScreen|bgl\.gl\w+)\("
)
_SIGSEGV: Final = 11
_SHELL_SIGNAL: Final = 128


def _window(failure: _Failure) -> Missing | None:
    if _NO_GPU in failure.message:
        return _missing("needs_window", "a window to draw in (gpu)")
    if _NO_OPENGL in failure.message:
        return _missing("needs_window", "a 3D viewport (bpy.ops.render.opengl)")
    return _editor(failure) or _context_member(failure) or _crash(failure)


def _editor(failure: _Failure) -> Missing | None:
    poll = re.search(r"bpy\.ops\.(\w+)\.(\w+)\.poll\(\)(.*)", failure.message)
    if poll is None:
        return None
    module, operator, said = poll.groups()
    editor = _EDITOR_OF_MODULE.get(module)
    for pattern, name in _EDITOR_OF_OPERATOR:
        if re.fullmatch(pattern, f"{module}.{operator}"):
            editor = name
    for pattern, name in _EDITOR_IN_MESSAGE:
        found = re.search(pattern, said, re.IGNORECASE)
        if found:
            editor = name.format(**found.groupdict())
    return _missing("needs_window", f"{editor} (bpy.ops.{module}.{operator})") if editor else None


def _context_member(failure: _Failure) -> Missing | None:
    """A member of the context that only exists, or is only set, where there is a window."""
    absent = re.search(r"'Context' object has no attribute '(\w+)'", failure.message)
    names = [absent[1]] if absent else []
    for text in _none_texts(failure):
        found = re.fullmatch(r"bpy\.context\.(\w+)", text)
        names.extend([found[1]] if found else [])
    for name in names:
        if name in _CONTEXT_IN_WINDOW:
            return _missing("needs_window", _CONTEXT_IN_WINDOW[name])
    return None


def _crash(failure: _Failure) -> Missing | None:
    if failure.exit_code not in {-_SIGSEGV, _SHELL_SIGNAL + _SIGSEGV}:
        return None
    culprit = re.search(_CRASHES_WITHOUT_WINDOW, failure.place.snippet)
    return _missing("needs_window", f"a window ({culprit[0].strip('.(')})") if culprit else None


# --- arguments ---------------------------------------------------------------------------------------------

_USAGE_EXIT: Final = 2

# What argument parsers print before they exit.
_REQUIRED: Final = (
    r"error: the following arguments are required: (?P<names>.+)",
    r"error: one of the arguments (?P<names>.+?) is required",
    r"error: (?P<names>argument \S+): expected (?:one|at least one|\d+) arguments?",
    r"Missing (?:option|argument|parameter):? (?P<names>\S+)",
)


def _arguments(failure: _Failure) -> Missing | None:
    if failure.exception == "SystemExit":
        return _argument_parser(failure) or _usage(failure)
    if failure.exception in {"IndexError", "ValueError"}:
        return _argument_list(failure)
    if failure.exception == "KeyError":
        return _environment(failure)
    return _parsed_argument(failure)


def _argument_parser(failure: _Failure) -> Missing | None:
    if str(_USAGE_EXIT) not in {failure.message, str(failure.exit_code)}:
        return None
    for pattern in _REQUIRED:
        found = re.search(pattern, failure.stderr)
        if found:
            names = found["names"].strip().strip("'\".").removeprefix("argument ")
            return _missing("needs_arguments", f"argument {names}")
    return None


def _usage(failure: _Failure) -> Missing | None:
    usage = re.search(r"usage:?\s+(.+)", failure.message, re.IGNORECASE)
    return _missing("needs_arguments", f"arguments ({usage[1].strip()})") if usage else None


def _argument_list(failure: _Failure) -> Missing | None:
    """A line that indexes, unpacks or converts something made of sys.argv."""
    texts = [text for text in failure.place.texts if "sys.argv" in text]
    if not texts:
        return None
    absent = re.match(r"'(.+)' is not in list", failure.message)
    if absent and absent[1] != "--":
        return _missing("needs_arguments", f"argument {absent[1]}")
    for text in texts:
        option = re.search(r"\.index\('(--?\w[\w-]*)'\) \+ 1\]$", text)
        if option:
            return _missing("needs_arguments", f"a value for argument {option[1]}")
        position = re.fullmatch(r"sys\.argv(\[.*:\])?\[(\d+)\]", text)
        if position:
            number = int(position[2]) + (1 if position[1] else 0)
            return _missing("needs_arguments", f"argument {number}")
    return _missing("needs_arguments", "arguments (sys.argv)")


def _environment(failure: _Failure) -> Missing | None:
    name = failure.message.strip("'\"")
    if any(text == f"os.environ['{name}']" for text in failure.place.texts):
        return _missing("needs_arguments", f"environment variable {name}")
    return None


def _parsed_argument(failure: _Failure) -> Missing | None:
    """An optional argument that is None because nobody gave it."""
    if "NoneType" not in failure.message:
        return None
    for text in failure.place.texts:
        found = re.search(r"\.parse_(?:known_)?args\(.*?\)(?:\[0\])?\.(\w+)$", text)
        if found:
            return _missing("needs_arguments", f"argument --{found[1].replace('_', '-')}")
    return None


# --- files -------------------------------------------------------------------------------------------------

_QUOTED: Final = r"""['"](?P<name>.+?)['"]"""

# Blender's and Python's ways to say that a file to be read is not there.
_UNREADABLE: Final = (
    rf"Cannot read (?:file )?{_QUOTED}: No such file",
    rf"Cannot open file {_QUOTED}",
    rf"Couldn't open file {_QUOTED}",
    rf"[Ff]ile {_QUOTED} could not be opened",
    rf"[Ff]ile {_QUOTED} (?:was )?not found",
    rf"Failed to read blend file {_QUOTED}",
    rf"{_QUOTED}: (?:nothing indicated|not a library)",
    rf"No such file or directory: {_QUOTED}",
    r"load: (?P<name>.+) failed to open blend file",
    r"unable to open stage to read (?P<name>\S+)",
)

# Calls that make files and folders; `open` is told by its mode.
_WRITES: Final = re.compile(
    r"(?:^|\.)(?:mkdir|makedirs|write_\w+|touch|save\w*|dump|imsave|render|rename|replace|symlink|copy\w*"
    r"|export\w*|\w+_export)$|^bpy\.ops\.(?:export_\w+|wm\.save\w*)\."
)

_REMOVED_MODULES: Final = frozenset(
    {
        *("bgl", "bge", "Blender", "BPyMesh", "BPyMessages", "Draw", "keyingsets_utils", "bpy_types"),
        *(
            "asynchat",
            "asyncore",
            "distutils",
            "imp",
            "smtpd",
            "cgi",
            "crypt",
            "pipes",
            "telnetlib",
            "imghdr",
        ),
    }
)
_BLENDER_MODULES: Final = re.compile(
    r"bpy\w*|_bpy\w*|bmesh|mathutils|gpu\w*|blf|aud|imbuf|idprop|freestyle|addon_utils|rna_\w+|bl_\w+|cycles"
    r"|console_\w+|nodeitems_\w+|graphviz_export|keyingsets_\w+|numpy|oslquery|PyOpenColorIO|OpenImageIO|pxr"
    r"|openvdb|MaterialX|requests|zstandard"
    # Add-ons that ship with Blender, or did.
    r"|rigify|node_wrangler|add_(?:mesh|curve|camera)_\w+|space_view3d_\w+|animation_animall|amaranth|mesh_f2"
    r"|io_(?:mesh|scene|import|export|anim|curve|shape)_\w+|mesh_(?:looptools|inset|tissue|tools|bsurfaces)"
    r"|object_(?:print3d_utils|fracture_cell|boolean_tools|scatter)|render_(?:freestyle_svg|povray)"
)
_PYTHON_PACKAGES: Final = frozenset(
    re.findall(
        r"\w+",
        """
        PIL OpenEXR OpenGL aiohttp astropy blenderproc bs4 click cv2 dotenv fastapi flask geopandas
        h5py httpx imageio jinja2 jsonschema laspy librosa matplotlib mediapipe mido moderngl
        networkx noise numba onnxruntime open3d openai opensimplex osmnx pandas plotly psutil
        pydantic pydub pygltflib pyproj pytest rasterio rich scipy serial shapely skimage sklearn
        soundfile svgpathtools sympy tensorflow toml tomli torch torchvision tqdm transformers
        transforms3d trimesh typer websockets yaml zmq
        """,
    )
)


def _file(failure: _Failure) -> Missing | None:
    if failure.exception in {"ModuleNotFoundError", "ImportError"}:
        return _module(failure)
    if failure.exception in {"FileNotFoundError", "OSError", "RuntimeError", "NotADirectoryError"}:
        return _unreadable_file(failure) or _empty_import(failure)
    if failure.exception == "KeyError":
        return _addon(failure)
    return None


def _module(failure: _Failure) -> Missing | None:
    if "attempted relative import" in failure.message:
        return _missing("needs_file", "the other modules of the package that this file belongs to")
    found = re.search(r"No module named '([\w.]+)'", failure.message)
    top = found[1].partition(".")[0] if found else ""
    if (
        not found
        or top in sys.stdlib_module_names
        or top in _REMOVED_MODULES
        or _BLENDER_MODULES.fullmatch(top)
    ):
        return None
    kind = "Python package" if top in _PYTHON_PACKAGES else "module"
    return _missing("needs_file", f'{kind} "{top if kind == "Python package" else found[1]}"')


def _unreadable_file(failure: _Failure) -> Missing | None:
    if any(_is_writing(call, failure.place) for call in failure.place.calls()):
        return None
    for pattern in _UNREADABLE:
        found = re.search(pattern, failure.message)
        if found:
            # What follows the library's name in /a/b.blend/Object/Cube is a place inside it.
            name = re.sub(r"(\.blend)[/\\].*", r"\1", found["name"])
            return _missing("needs_file", f'file "{name}"')
    if failure.exception == "FileNotFoundError":
        return _missing("needs_file", failure.message or "a file")
    return None


def _is_writing(call: ast.Call, place: _Place) -> bool:
    name = place.text(call.func)
    if name.rpartition(".")[2] == "open" and not name.startswith("bpy."):
        position = 1 if name in {"open", "io.open", "codecs.open", "gzip.open"} else 0
        return bool(set(_mode(call, position)) & set("wax+"))
    return _WRITES.search(name) is not None


def _mode(call: ast.Call, position: int) -> str:
    given = [keyword.value for keyword in call.keywords if keyword.arg == "mode"] + call.args[position:]
    mode = given[0] if given else None
    return mode.value if isinstance(mode, ast.Constant) and isinstance(mode.value, str) else "r"


def _empty_import(failure: _Failure) -> Missing | None:
    """Importers that ask for a file without naming the one they were given."""
    if "Please select a file" not in failure.message:
        return None
    for call in failure.place.calls():
        for keyword in call.keywords:
            if keyword.arg == "filepath":
                return _missing("needs_file", f"file {_quoted(failure.place.text(keyword.value))}")
    return _missing("needs_file", "a file to import")


def _addon(failure: _Failure) -> Missing | None:
    found = re.search(r'key "(.+)" not found', failure.message)
    if found and any(re.search(r"preferences\.addons\[.+\]$", text) for text in failure.place.texts):
        return _missing("needs_file", f'add-on "{found[1]}"')
    return None


# --- the scene ---------------------------------------------------------------------------------------------

_KIND_OF_DATA: Final = {
    "actions": "action",
    "armatures": "armature",
    "cameras": "camera",
    "collections": "collection",
    "curves": "curve",
    "images": "image",
    "lights": "light",
    "materials": "material",
    "meshes": "mesh",
    "node_groups": "node group",
    "objects": "object",
    "scenes": "scene",
    "shape_keys": "shape key",
    "texts": "text",
    "textures": "texture",
    "worlds": "world",
}


@dataclass(frozen=True)
class _Collection:
    """A collection whose members somebody makes by name. `makers` is how a snippet does so itself."""

    path: str
    kind: str
    makers: str = r"(?!)"


_COLLECTIONS: Final = (
    *(_Collection(rf"bpy\.data\.{name}", kind) for name, kind in _KIND_OF_DATA.items()),
    _Collection(
        r".*(?:scene|view_layer|collection|scenes\[.*\]|collections\[.*\])\.(?:all_)?objects", "object"
    ),
    _Collection(r".*collection\.children(?:_recursive)?", "collection"),
    _Collection(r".*\.pose\.bones", "bone", r"edit_bones\.new|armature_human_metarig_add"),
    _Collection(r".*\.(?:edit_)?bones", "bone", r"edit_bones\.new|bone_primitive_add|armature_add"),
    _Collection(r".*\.vertex_groups", "vertex group", r"vertex_groups\.new|vertex_group_add"),
    _Collection(r".*\.key_blocks", "shape key", r"shape_key_add"),
    _Collection(r".*\.modifiers", "modifier", r"modifier_add|modifiers\.new"),
    _Collection(r".*\.constraints", "constraint", r"constraint_add\w*|constraints\.new"),
    _Collection(r".*\.particle_systems", "particle system", r"particle_system_add|PARTICLE_SYSTEM"),
    _Collection(r".*\.material_slots", "material slot", r"materials\.append|material_slot_add"),
)

# Names in the start-up file of older Blenders: to look them up is drift, and a rule renames them.
_OLD_DEFAULT_NAMES: Final = frozenset({"Lamp", "View Layer", "RenderLayer"})

_ROOTED_IN_SCENE: Final = r"bpy\.(?:context|data)\b.*"
_ACTIVE: Final = r"bpy\.context\.(?:active_|edit_)?object|bpy\.context\.view_layer\.objects\.active"


@dataclass(frozen=True)
class _NoneSource:
    """An expression that is None in a scene that lacks something. `own` ones a snippet can set up itself."""

    path: str
    what: str
    own: bool = False


_NONE_SOURCES: Final = (
    _NoneSource(_ACTIVE, "an active object", own=True),
    _NoneSource(r"bpy\.context\.pose_object", "an armature in pose mode", own=True),
    _NoneSource(
        r"bpy\.context\.(?:selected_|visible_)?(?:active_)?pose_bones?\w*", "a selected pose bone", own=True
    ),
    _NoneSource(r"bpy\.context\.(?:active_bone|selected_(?:editable_)?bones)", "a selected bone", own=True),
    _NoneSource(rf"(?:{_ACTIVE})\.pose", "an armature as the active object", own=True),
    _NoneSource(r"bpy\.data\.objects\[(?P<key>'.+?')\]\.pose", "an armature called {key}", own=True),
    _NoneSource(rf"{_ROOTED_IN_SCENE}\.shape_keys", "shape keys on the object", own=True),
    _NoneSource(rf"(?:{_ACTIVE})\.active_material", "a material on the active object", own=True),
    _NoneSource(rf"{_ROOTED_IN_SCENE}\.animation_data(?:\.action)?", "animation on the object", own=True),
    _NoneSource(rf"{_ROOTED_IN_SCENE}\.parent", "a parent of the object", own=True),
)

# Members of the active object's data that tell which kind of object the snippet expects.
_KIND_OF_MEMBER: Final = {
    "bones": "an armature",
    "edit_bones": "an armature",
    "splines": "a curve",
    "vertices": "a mesh",
    "polygons": "a mesh",
    "lens": "a camera",
    "energy": "a light",
}


def _scene(failure: _Failure) -> Missing | None:
    return (
        _absent_key(failure)
        or _absent_index(failure)
        or _absent_value(failure)
        or _wrong_active_object(failure)
        or _custom_property(failure)
    )


def _absent_key(failure: _Failure) -> Missing | None:
    """`bpy.data.objects["Rig"]`, unless the snippet names a thing of its own so."""
    found = re.search(r'bpy_prop_collection\[key\]: key "(.*)" not found', failure.message)
    if found is None or found[1] in _OLD_DEFAULT_NAMES or _makes_itself(found[1], failure.place):
        return None
    key = found[1]
    for base, index in _subscripts(failure.place):
        if isinstance(index, ast.Constant) and index.value != key:
            continue
        collection = _collection(base)
        if collection and not re.search(collection.makers, failure.place.before()):
            return _missing("needs_scene", f'{collection.kind} "{key}"')
    return None


def _absent_index(failure: _Failure) -> Missing | None:
    """The first of a list that is empty in this scene."""
    if failure.exception not in {"IndexError", "StopIteration"}:
        return None
    for base, _ in _subscripts(failure.place):
        selected = re.fullmatch(r"bpy\.context\.(?:view_layer\.objects\.)?selected\w*?_?(\w+?)s?", base)
        if selected:
            return _missing("needs_scene", f"a selected {selected[1].replace('_', ' ')}")
        collection = _collection(base)
        if collection and not re.search(collection.makers, failure.place.before()):
            empty = failure.message.endswith("size 0")
            return _own_unless_made(failure, _a(collection.kind) if empty else f"a further {collection.kind}")
    for text in failure.place.texts:
        searched = re.search(
            r"\bin (?:bpy\.data|bpy\.context(?:\.scene)?|context\.scene)\.(\w+) if (.+?)[\])]", text
        )
        if searched:
            kind = _KIND_OF_DATA.get(searched[1], searched[1].removesuffix("s").replace("_", " "))
            return _own_unless_made(failure, f"{_a(kind)} for which {searched[2]}")
        listed = re.search(r"list\(bpy\.data\.(\w+)\)\[", text)
        if listed and listed[1] in _KIND_OF_DATA:
            return _own_unless_made(failure, _a(_KIND_OF_DATA[listed[1]]))
    return None


def _absent_value(failure: _Failure) -> Missing | None:
    """Something that is None because the scene lacks it."""
    for text in _none_texts(failure):
        got = re.fullmatch(r"(?P<base>.+)\.get\('(?P<key>[^']*)'(?:, None)?\)", text)
        collection = _collection(got["base"]) if got else None
        if got and collection and got["key"] not in _OLD_DEFAULT_NAMES:
            made = _makes_itself(got["key"], failure.place) or re.search(
                collection.makers, failure.place.before()
            )
            return None if made else _missing("needs_scene", f'{collection.kind} "{got["key"]}"')
        for source in _NONE_SOURCES:
            found = re.fullmatch(source.path, text)
            if found:
                key = found.groupdict().get("key") or ""
                what = source.what.format(key=_quoted(key))
                return _own_unless_made(failure, what) if source.own else _missing("needs_scene", what)
    return None


def _wrong_active_object(failure: _Failure) -> Missing | None:
    """The active object is of another kind than the snippet takes for granted."""
    if 'enum "POSE" not found in' in failure.message:
        return _own_unless_made(failure, "an armature as the active object")
    found = re.search(r"object has no attribute '(\w+)'", failure.message)
    if (
        found
        and found[1] in _KIND_OF_MEMBER
        and _based_on(rf"(?:{_ACTIVE})\.data\.{found[1]}", failure.place)
    ):
        return _own_unless_made(failure, f"{_KIND_OF_MEMBER[found[1]]} as the active object")
    return None


def _custom_property(failure: _Failure) -> Missing | None:
    found = re.search(r'bpy_struct\[key\]: key "(\w+)" not found', failure.message)
    if found is None or re.search(rf"\.{found[1]}\s*[:=]|\b{found[1]}\s*:", failure.place.snippet):
        return None
    for base, _ in _subscripts(failure.place):
        if re.fullmatch(_ROOTED_IN_SCENE, base) and found[1] not in {"cycles", "_RNA_UI"}:
            return _missing("needs_scene", f'custom property "{found[1]}" on {base}')
    return None


def _own_unless_made(failure: _Failure, what: str) -> Missing | None:
    return None if failure.makes_objects() else _missing("needs_scene", what)


def _none_texts(failure: _Failure) -> list[str]:
    """The expressions of the failing statement that the message says are None."""
    place = failure.place
    member = re.search(r"'NoneType' object has no attribute '(\w+)'", failure.message)
    if member:
        return [
            place.text(node.value)
            for node in place.nodes
            if isinstance(node, ast.Attribute) and node.attr == member[1]
        ]
    if re.search(r"'NoneType' object (?:is not subscriptable|does not support item)", failure.message):
        return [base for base, _ in _subscripts(place)]
    if "'NoneType' object is not iterable" in failure.message:
        return [text for text in place.texts if not _leads_to_another(text, place.texts)]
    if re.search(
        r"does not support a 'None' assignment|expected an? \w+ type, not NoneType", failure.message
    ):
        return [place.text(argument) for call in place.calls() for argument in call.args]
    return []


def _leads_to_another(text: str, texts: list[str]) -> bool:
    return any(other.startswith((f"{text}.", f"{text}[", f"{text}(")) for other in texts)


def _subscripts(place: _Place) -> list[tuple[str, ast.expr]]:
    return [(place.text(node.value), node.slice) for node in place.nodes if isinstance(node, ast.Subscript)]


def _based_on(pattern: str, place: _Place) -> bool:
    return any(re.fullmatch(pattern, text) for text in place.texts)


def _collection(text: str) -> _Collection | None:
    for collection in _COLLECTIONS:
        if re.fullmatch(collection.path, text):
            return collection
    return None


def _makes_itself(name: str, place: _Place) -> bool:
    """Whether the snippet gives this name to something, or adds what Blender names so by default."""
    for node in ast.walk(place.tree):
        match node:
            case ast.Call(func=ast.Attribute(attr="new"), args=[ast.Constant(value=str(given)), *_]):
                made = given == name
            case ast.Call(func=ast.Attribute(attr="new"), keywords=keywords):
                made = any(
                    isinstance(word.value, ast.Constant) and (word.arg, word.value.value) == ("name", name)
                    for word in keywords
                )
            case ast.Assign(targets=[ast.Attribute(attr="name")], value=ast.Constant(value=given)):
                made = given == name
            case ast.Call(func=ast.Attribute(attr=operator)) if operator.endswith("_add"):
                made = name.partition(".")[0].lower().replace(" ", "_") in operator.split("_")
            case _:
                made = False
        if made:
            return True
    return False


def _a(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def _quoted(text: str) -> str:
    """A Python literal or expression, its quotes doubled as everywhere in `what`."""
    return re.sub(r"^'(.*)'$", r'"\1"', text)


_JUDGES: Final[tuple[Callable[[_Failure], Missing | None], ...]] = (_window, _arguments, _file, _scene)
