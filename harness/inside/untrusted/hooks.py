"""The functions of a snippet that Blender calls by itself, found in its syntax tree and marked to know of their runs.

source ── syntax tree ── hooks: classes and callbacks ── a mark at the head of each ──> code

Only these functions are marked: a helper that is called a million times is left as it is.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import dataclasses
import re
from collections.abc import Iterator
from types import CodeType
from typing import Any

from harness.protocol import MAY_LEAVE_HOOKS
from python.flow import first_line
from python.identifiers import dotted_end

MARK = "__hook_runs__"
USED_BY = {
    "Operator": ("execute", "invoke", "modal"),
    "Panel": ("draw",),
    "Menu": ("draw",),
    "Header": ("draw",),
    "UIList": ("draw_item", "filter_items"),
    "AddonPreferences": ("draw",),
    "Node": ("init", "update", "draw_buttons", "free", "copy"),
    "NodeSocket": ("draw", "draw_color"),
    "NodeTree": ("update",),
    "GizmoGroup": ("setup", "refresh"),
    "RenderEngine": ("render", "view_update", "view_draw"),
}
"""The methods of which at least one must have run, or the class was never used, by the name of Blender's class."""
HANDLER = re.compile(
    r"(depsgraph_update|frame_change|load|load_factory_startup|load_factory_preferences|load_post_fail|save|save_post_fail"
    r"|render|render_init|render_complete|render_cancel|render_stats|render_write|undo|redo|version_update"
    r"|animation_playback|annotation|xr_session_start|composite|composite_cancel|object_bake|object_bake_complete"
    r"|object_bake_cancel|translation_update|blend_import|blend_export|load_preset)(_pre|_post|_fail)?"
)
PROPERTY_CALLBACKS = ("update", "get", "set", "items", "poll", "search", "get_transform", "set_transform")


@dataclasses.dataclass(frozen=True)
class CodeHook:
    """A class or function that Blender calls. `lines` are the first lines of the functions of which one must run.

    `kind` is a word such as `Operator` or `frame_change_post handler`; `line` is that of its definition, from 1.
    """

    kind: str
    name: str
    line: int
    lines: tuple[int, ...]


class Hooks:
    """The hooks of one snippet; without a tree, it has none, or cannot be read.

    `kinds` has the purpose of each function that Blender calls, by its first line; `ran` has the first lines of those
    that ran, each with the number of its last run. `properties` are the lines at which properties are registered.
    """

    def __init__(self, source: str, path: str) -> None:
        self.all: list[CodeHook] = []
        self.kinds: dict[int, str] = {}
        self.properties: dict[str, int] = {}
        self.ran: dict[int, int] = {}
        self.tree: ast.Module | None = None
        self._marks = 0
        self._code: CodeType | None = None
        if MAY_LEAVE_HOOKS.search(source):
            self.tree = ast.parse(source, path)
            survey = HookSurvey(self.tree)
            self.all, self.kinds, self.properties = survey.hooks, survey.kinds, survey.properties

    def code(self, source: str, path: str) -> CodeType:
        """The snippet's code, with a mark at the head of each function that Blender calls."""
        if self._code is None and self.tree is not None:
            # Looked up among the builtins, so that the snippet's own names stay as they are.
            builtins.__dict__[MARK] = self.mark
            with contextlib.suppress(SyntaxError, ValueError, RecursionError):
                marked = Marker({*self.kinds, *self.registering()}).visit(self.tree)
                self._code = compile(ast.fix_missing_locations(marked), path, "exec", dont_inherit=True)
        return self._code or compile(source, path, "exec", dont_inherit=True)

    def mark(self, line: int) -> None:
        """Note that the function at this line runs."""
        self._marks += 1
        self.ran[line] = self._marks

    def has_run(self, hook: CodeHook) -> bool:
        return any(line in self.ran for line in hook.lines)

    def function(self, name: str) -> ast.FunctionDef | None:
        """The last function of this name at the top level that needs no argument."""
        body = self.tree.body if self.tree else []
        found = [node for node in body if isinstance(node, ast.FunctionDef) and node.name == name]
        if not found or len(found[-1].args.args) > len(found[-1].args.defaults):
            return None
        return found[-1]

    def registering(self) -> list[int]:
        """The first lines of `register` and `unregister`, as far as the snippet has them."""
        return [first_line(node) for node in map(self.function, ("register", "unregister")) if node]

    def line_of_name(self, name: str) -> int | None:
        """The line that defines the name at the top level as something to call or as data; None if there is none."""
        if function := self.function(name):
            return function.lineno
        for node in self.tree.body if self.tree else []:
            targets = node.targets if isinstance(node, ast.Assign) else []
            if any(name in [getattr(part, "id", "") for part in ast.walk(target)] for target in targets):
                return node.lineno
        return None

    def has_registered(self) -> bool:
        """True if the function `register` ran, and `unregister` did not run after it."""
        register, unregister = self.function("register"), self.function("unregister")
        ran = [self.ran.get(first_line(node), -1) if node else -1 for node in (register, unregister)]
        return ran[0] > ran[1]

    def forget_registration(self) -> None:
        """Have `register` and `unregister` count as not yet run."""
        for line in self.registering():
            self.ran.pop(line, None)

    def line_of_driver(self, expression: str, path: str, index: int) -> int | None:
        """The line of the text of a driver's expression; otherwise of the call that seems to make the driver."""
        nodes = [node for node in ast.walk(self.tree) if isinstance(node, ast.expr)] if self.tree else []
        texts = [node.lineno for node in nodes if isinstance(node, ast.Constant) and node.value == expression]
        if texts and expression:
            return min(texts)
        made = [node for node in nodes if isinstance(node, ast.Call) and dotted_end(node.func).endswith("driver_add")]
        given = {id(node): [getattr(value, "value", None) for value in node.args] for node in made}
        for wanted in ([path, index], [path]):
            if found := [node.lineno for node in made if given[id(node)] == wanted]:
                return min(found)
        return made[0].lineno if len(made) == 1 else None


class HookSurvey(ast.NodeVisitor):
    """Finds the hooks of a tree, and the purpose of each function that Blender calls, by the function's first line."""

    def __init__(self, tree: ast.Module) -> None:
        self.hooks: list[CodeHook] = []
        self.kinds: dict[int, str] = {}
        self.properties: dict[str, int] = {}
        nodes = list(ast.walk(tree))
        self._functions = {
            node.name: node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        }
        # `handlers = bpy.app.handlers.load_post`: the list under a name of the snippet's own.
        self._lists = {
            dotted_end(node.targets[0]): node.value.attr
            for node in nodes
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Attribute)
        }
        self._classes = {node.name: node for node in nodes if isinstance(node, ast.ClassDef)}
        for node in self._classes.values():
            self._read_class(node)
        self.visit(tree)

    def _read_class(self, node: ast.ClassDef) -> None:
        base = next((name for name in self._bases(node) if name in USED_BY), None)
        if base is None:
            return
        methods: dict[str, ast.FunctionDef] = {}
        for owner in self._lineage(node):
            for item in owner.body:
                if isinstance(item, ast.FunctionDef) and not item.name.startswith("__"):
                    methods.setdefault(item.name, item)
        self.kinds |= {first_line(method): f"{base} {node.name}.{name}" for name, method in methods.items()}
        used = tuple(first_line(methods[name]) for name in USED_BY[base] if name in methods)
        if used:
            self.hooks.append(CodeHook(base, node.name, node.lineno, used))

    def _lineage(self, node: ast.ClassDef, depth: int = 0) -> Iterator[ast.ClassDef]:
        yield node
        for base in node.bases if depth < 8 else ():
            if isinstance(base, ast.Name) and base.id in self._classes:
                yield from self._lineage(self._classes[base.id], depth + 1)

    def _bases(self, node: ast.ClassDef) -> Iterator[str]:
        for owner in self._lineage(node):
            for base in owner.bases:
                yield dotted_end(base).rpartition(".")[2].replace("NodeCustomGroup", "Node")

    def visit_Call(self, node: ast.Call) -> None:
        self.generic_visit(node)
        owner, _, called = dotted_end(node.func).rpartition(".")
        last = self._lists.get(owner, owner.rpartition(".")[2])
        first = node.args[-1 if called == "insert" else 0] if node.args else None
        if called in ("append", "insert", "prepend") and HANDLER.fullmatch(last):
            self._callback(first, f"{last} handler")
        elif called in ("append", "prepend") and re.search(r"_(MT|PT|HT)_", last):
            self._callback(first, f"entry of {last}")
        elif called == "register" and last == "timers":
            self._callback(first, "timer")
        elif called == "draw_handler_add":
            self._callback(first, "draw callback")
        for keyword in node.keywords:
            if called == "subscribe_rna" and keyword.arg == "notify":
                self._callback(keyword.value, "message bus callback")
            elif called.endswith("Property") and keyword.arg in PROPERTY_CALLBACKS:
                self._callback(keyword.value, f"{keyword.arg} callback")

    def visit_Assign(self, node: ast.Assign) -> None:
        self.generic_visit(node)
        for target in node.targets:
            place = dotted_end(target)
            if isinstance(target, ast.Subscript) and dotted_end(target.value).endswith("driver_namespace"):
                self._callback(node.value, "driver function")
            elif isinstance(node.value, ast.Call) and dotted_end(node.value.func).endswith("Property"):
                self.properties[place.removeprefix("bpy.types.")] = node.lineno

    def _callback(self, value: ast.expr | None, kind: str) -> None:
        # In a wrapper, such as `persistent(follow)` or `partial(follow, 3)`.
        if isinstance(value, ast.Call) and value.args:
            value = value.args[0]
        if isinstance(value, ast.Lambda):
            function: Any = value
            name = "lambda"
        else:
            name = dotted_end(value).rpartition(".")[2] if value is not None else ""
            function = self._functions.get(name)
        if function is None:
            return
        line = first_line(function)
        self.kinds[line] = f"{kind} {name}" if name != "lambda" else kind
        hook = CodeHook(kind, name, function.lineno, (line,))
        if hook not in self.hooks:
            self.hooks.append(hook)


class Marker(ast.NodeTransformer):
    """Puts a mark at the head of the functions that begin at these lines."""

    def __init__(self, lines: set[int]) -> None:
        self._lines = lines

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        if first_line(node) in self._lines:
            # After the docstring, which must stay the first statement.
            head = 1 if ast.get_docstring(node, clean=False) is not None else 0
            mark = ast.copy_location(ast.Expr(self._mark(node)), node.body[0])
            node.body.insert(head, mark)
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self.generic_visit(node)
        if first_line(node) in self._lines:
            node.body = ast.copy_location(ast.BoolOp(ast.Or(), [self._mark(node), node.body]), node.body)
        return node

    def _mark(self, node: Any) -> ast.Call:
        return ast.Call(ast.Name(MARK, ast.Load()), [ast.Constant(first_line(node))], [])


def hooks_of(source: str, path: str) -> Hooks:
    """The hooks of a source; empty if it cannot be read, which compiling it will then report."""
    try:
        return Hooks(source, path)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Hooks("", path)
