"""What a snippet should not do, read from its syntax tree, with a reason for each remark.

This is advice to the reader and a quick stop before Blender is started. It is not the security boundary: a
determined snippet gets past any look at its text, and the sandbox around Blender is what holds it.

    syntax tree ── names bound in each scope ── each expression resolved to where it comes from ── findings

A name counts by its origin and not by its spelling: `sp.run` is `subprocess.run` after `import subprocess as
sp`, while a loop variable called `socket` is a node socket. An import alone is no remark, only its use is.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from app.checks.parse import character_column, syntax_tree
from app.checks.verdict import Finding, Severity


@dataclass(frozen=True)
class Reason:
    """Why a code exists: `why` follows the name of what was found, `hint` says what to do instead."""

    why: str
    hint: str


REASONS: Final[Mapping[str, Reason]] = MappingProxyType(
    {
        "process-start": Reason(
            "starts another process, which the snippet's reader does not expect and Blender cannot stop",
            "Do the work with bpy and Python in this process.",
        ),
        "native-library": Reason(
            "loads machine code, which can crash Blender and depends on the machine",
            "Use bpy, mathutils or numpy, which ship with Blender.",
        ),
        "network": Reason(
            "talks to the network, so the result depends on a machine other than this one",
            "Bring the data as a file with the request and read it from the work folder.",
        ),
        "file-deletion": Reason(
            "deletes or moves files, which cannot be undone",
            "Write to a new name in the work folder and leave existing files where they are.",
        ),
        "quit-blender": Reason(
            "ends Blender itself, with everything in it that is not saved",
            "Let the script run to its end, or leave early with sys.exit().",
        ),
        "endless-loop": Reason(
            "has no break, return, raise or yield, so Blender hangs",
            "Give the loop a condition or a break, or loop over a range.",
        ),
        "endless-timer": Reason(
            "returns a number on every call, so this timer never ends",
            "Return None when the work is done, or unregister the timer.",
        ),
        "user-preferences": Reason(
            "overwrites the preferences or the start-up file of whoever runs the snippet",
            "Set what the scene needs on the scene; leave saved preferences to the user.",
        ),
        "install-addon": Reason(
            "installs or removes software in the user's Blender",
            "Say in a comment which add-on or package is needed and stop if it is missing.",
        ),
        "dynamic-code": Reason(
            "runs code or a module that is only known at run time, so nobody can check it beforehand",
            "Write the code out, or choose among known functions with a dict.",
        ),
    }
)


def _under(parent: str, names: str) -> list[str]:
    return [f"{parent}.{name}" for name in names.split()]


_BY_CODE: Final[Mapping[str, list[str]]] = {
    "process-start": [
        *("subprocess", "multiprocessing", "pty", "_posixsubprocess"),
        *_under("os", "system popen fork forkpty startfile posix_spawn posix_spawnp"),
        *_under("os", "execl execle execlp execlpe execv execve execvp execvpe"),
        *_under("os", "spawnl spawnle spawnlp spawnlpe spawnv spawnve spawnvp spawnvpe"),
        *_under("asyncio", "create_subprocess_exec create_subprocess_shell"),
        "concurrent.futures.ProcessPoolExecutor",
        "bpy.ops.wm.path_open",
    ],
    "native-library": [
        *_under("ctypes", "CDLL PyDLL WinDLL OleDLL LibraryLoader cdll pydll windll oledll pythonapi"),
        "_ctypes.dlopen",
        "cffi",
    ],
    "network": [
        *("socket", "socketserver", "urllib.request", "urllib2", "urllib3", "http.client", "http.server"),
        *("ftplib", "smtplib", "poplib", "imaplib", "telnetlib", "nntplib", "xmlrpc", "webbrowser"),
        *("requests", "httpx", "aiohttp", "websocket", "websockets", "paramiko", "zmq"),
        *_under("asyncio", "open_connection open_unix_connection start_server start_unix_server"),
        *_under("bpy.ops.wm", "url_open url_open_preset"),
    ],
    "file-deletion": [
        *_under("os", "remove unlink rmdir removedirs"),
        *_under("shutil", "rmtree move"),
        *_under("pathlib.Path", "unlink rmdir"),
    ],
    "quit-blender": [
        "bpy.ops.wm.quit_blender",
        *_under("os", "_exit abort kill killpg"),
        *_under("signal", "raise_signal pthread_kill"),
    ],
    "user-preferences": [
        *_under("bpy.ops.wm", "save_userpref save_homefile read_factory_userpref"),
        *_under("bpy.ops.preferences", "reset_default_theme keyconfig_import keyconfig_remove"),
        *_under("bpy.ops.preferences", "script_directory_add asset_library_add asset_library_remove"),
    ],
    "install-addon": [
        *_under("bpy.ops.preferences", "addon_install addon_remove app_template_install theme_install"),
        *_under("bpy.ops.preferences", "extension_repo_add extension_repo_remove studiolight_install"),
        *_under("bpy.ops.wm", "addon_install addon_remove"),
        "bpy.ops.extensions",
        "pip",
        "ensurepip",
    ],
    "dynamic-code": ["runpy", "bpy.ops.script.python_file_run"],
}

# Harmless members of the modules above.
_HARMLESS: Final = frozenset(
    {
        "multiprocessing.cpu_count",
        "multiprocessing.current_process",
        "multiprocessing.freeze_support",
        "socket.gethostname",
        "urllib.request.pathname2url",
        "urllib.request.url2pathname",
    }
)

_CODE_OF: Final = {origin: code for code, origins in _BY_CODE.items() for origin in origins}

# `posix` and `nt` are what `os` is made of; a path of any flavour is a path.
_SAME_AS: Final = {
    "posix": "os",
    "nt": "os",
    "_socket": "socket",
    "pathlib.PosixPath": "pathlib.Path",
    "pathlib.WindowsPath": "pathlib.Path",
}

# Members of a pathlib.Path that are paths again, or yield paths.
_PATH_TO_PATH: Final = frozenset(
    {
        *("parent", "absolute", "resolve", "expanduser", "joinpath", "with_name", "with_stem", "with_suffix"),
        *("home", "cwd", "iterdir", "glob", "rglob"),
    }
)

_BUILTINS: Final = frozenset({"exec", "eval", "getattr", "__import__", "exit", "quit", "iter"})
_RUNS_CODE: Final = frozenset(
    {"builtins.exec", "builtins.eval", "builtins.__import__", "importlib.import_module"}
)
_LEAVES: Final = frozenset({"sys.exit", "builtins.exit", "builtins.quit", "os._exit"})
_ENDLESS_ITERATORS: Final = frozenset({"itertools.count", "itertools.cycle"})

# How far an alias is followed; longer chains are written by nobody who wants to be read.
_PATIENCE: Final = 40

_FunctionDef = ast.FunctionDef | ast.AsyncFunctionDef
_NEW_SCOPE: Final = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.Lambda,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)
_OWN_FLOW: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def check_policy(snippet: str, severity: Callable[[str], Severity | None]) -> list[Finding]:
    """The findings of the policy check, in source order, at most one of each code on a line.

    `severity` weighs a code of `REASONS`; None drops it. A snippet that does not parse has no findings here,
    because the parse check has said so already.
    """
    tree = syntax_tree(snippet)
    if tree is None:
        return []
    lines = re.split(r"\r\n|\r|\n", snippet)
    first_on_line: dict[tuple[int, str], Finding] = {}
    for remark in sorted(_remarks(tree), key=lambda remark: (remark.line, remark.byte_offset)):
        weight = severity(remark.code)
        if weight is not None and (remark.line, remark.code) not in first_on_line:
            first_on_line[remark.line, remark.code] = _finding(remark, weight, lines)
    return list(first_on_line.values())


@dataclass(frozen=True)
class _Remark:
    code: str
    what: str
    line: int
    byte_offset: int


def _finding(remark: _Remark, weight: Severity, lines: list[str]) -> Finding:
    reason = REASONS[remark.code]
    return Finding(
        check="policy",
        code=remark.code,
        severity=weight,
        message=f"{remark.what} {reason.why}.",
        line=remark.line,
        column=character_column(lines, remark.line, remark.byte_offset),
        hint=reason.hint,
    )


# --- names -------------------------------------------------------------------------------------------------

_Bound = str | ast.AST | None
"""What a name is bound to: the dotted origin of an import, the syntax of a value, or nothing known."""


@dataclass
class _Scope:
    outer: _Scope | None
    names: dict[str, list[_Bound]] = field(default_factory=dict[str, list[_Bound]])
    star_imports: list[str] = field(default_factory=list[str])
    origins: dict[str, str | None] = field(default_factory=dict[str, str | None])
    """Origins already found; also what stops a name that is bound to itself."""

    def bind(self, name: str, value: _Bound) -> None:
        self.names.setdefault(name, []).append(value)

    def binding(self, name: str) -> _Scope | None:
        """The nearest scope that binds the name, or None if the snippet never does."""
        scope: _Scope | None = self
        while scope is not None and name not in scope.names:
            scope = scope.outer
        return scope

    def only_value(self, name: str) -> _Bound:
        """The value of a name that is bound once, otherwise None."""
        scope = self.binding(name)
        values = scope.names[name] if scope else []
        return values[0] if len(values) == 1 else None

    def stars(self) -> Iterator[str]:
        scope: _Scope | None = self
        while scope is not None:
            yield from scope.star_imports
            scope = scope.outer


def _scoped_nodes(tree: ast.Module) -> list[tuple[ast.AST, _Scope]]:
    """Every node with the scope it sees, all names bound. No recursion: a tree may be deep."""
    nodes: list[tuple[ast.AST, _Scope]] = []
    waiting: list[tuple[ast.AST, _Scope]] = [(tree, _Scope(None))]
    while waiting:
        node, scope = waiting.pop()
        nodes.append((node, scope))
        _bind(node, scope)
        inner = _Scope(scope) if isinstance(node, _NEW_SCOPE) else scope
        waiting.extend((child, inner) for child in ast.iter_child_nodes(node))
    return nodes


def _bind(node: ast.AST, scope: _Scope) -> None:
    match node:
        case ast.Import(names=names):
            for alias in names:
                scope.bind(alias.asname or alias.name.partition(".")[0], _imported(alias))
        case ast.ImportFrom(module=str(module), names=names, level=0):
            for alias in names:
                if alias.name == "*":
                    scope.star_imports.append(module)
                else:
                    scope.bind(alias.asname or alias.name, f"{module}.{alias.name}")
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                _bind_target(target, value, scope)
        case ast.AnnAssign(target=target, value=value, annotation=annotation):
            _bind_target(target, value or annotation, scope)
        case ast.NamedExpr(target=target, value=value):
            _bind_target(target, value, scope)
        case ast.For(target=target, iter=value) | ast.AsyncFor(target=target, iter=value):
            _bind_target(target, value, scope)
        case ast.comprehension(target=target, iter=value):
            _bind_target(target, value, scope)
        case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
            _bind_target(target, value, scope)
        case ast.arg(arg=name, annotation=annotation):
            scope.bind(name, annotation)
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            scope.bind(name, node)
        case ast.ClassDef(name=name) | ast.ExceptHandler(name=str(name)):
            scope.bind(name, None)
        case _:
            pass


def _imported(alias: ast.alias) -> str:
    return alias.name if alias.asname else alias.name.partition(".")[0]


def _bind_target(target: ast.expr, value: ast.expr | None, scope: _Scope) -> None:
    if isinstance(target, ast.Name):
        scope.bind(target.id, value)
    elif isinstance(target, ast.Starred):
        _bind_target(target.value, None, scope)
    elif isinstance(target, ast.Tuple | ast.List):
        pairs = value.elts if isinstance(value, ast.Tuple | ast.List) else []
        known = len(pairs) == len(target.elts)
        for position, part in enumerate(target.elts):
            _bind_target(part, pairs[position] if known else None, scope)


def _origin(node: ast.AST, scope: _Scope, patience: int = _PATIENCE) -> str | None:
    """The dotted origin of an expression, such as `os.system`, or None where the syntax does not tell."""
    if patience == 0:
        return None
    less = patience - 1
    match node:
        case ast.Name(id=name):
            found = _name_origin(name, scope, less)
        case ast.Attribute(value=base, attr=attribute):
            found = _member(_origin(base, scope, less), attribute)
        case ast.Call():
            found = _call_origin(node, scope, less)
        case ast.BinOp(left=left, op=ast.Div()) if _origin(left, scope, less) == "pathlib.Path":
            found = "pathlib.Path"
        case ast.NamedExpr(value=value) | ast.Await(value=value):
            found = _origin(value, scope, less)
        case _:
            found = None
    return found


def _name_origin(name: str, scope: _Scope, patience: int) -> str | None:
    home = scope.binding(name)
    if home is not None:
        if name not in home.origins:
            home.origins[name] = None
            home.origins[name] = _first_origin(home.names[name], home, patience)
        return home.origins[name]
    for module in scope.stars():
        if _code_of(f"{module}.{name}") is not None:
            return f"{module}.{name}"
    return f"builtins.{name}" if name in _BUILTINS else None


def _first_origin(values: list[_Bound], scope: _Scope, patience: int) -> str | None:
    for value in values:
        found = value if isinstance(value, str) else _origin(value, scope, patience) if value else None
        if found is not None:
            return _SAME_AS.get(found, found)
    return None


def _member(base: str | None, attribute: str) -> str | None:
    if base is None:
        return None
    if base == "pathlib.Path" and attribute in _PATH_TO_PATH:
        return base
    path = f"{base}.{attribute}"
    return _SAME_AS.get(path, path)


def _call_origin(call: ast.Call, scope: _Scope, patience: int) -> str | None:
    """What a call gives back, for the few calls that give back something with an origin."""
    function = _origin(call.func, scope, patience)
    match function, call.args:
        case "pathlib.Path", _:
            return "pathlib.Path"
        case "builtins.getattr", [base, ast.Constant(value=str(attribute)), *_]:
            return _member(_origin(base, scope, patience), attribute)
        case "builtins.__import__", [ast.Constant(value=str(module)), *_]:
            return module.partition(".")[0]
        case "importlib.import_module", [ast.Constant(value=str(module)), *_]:
            return module
        case _:
            return None


def _code_of(origin: str) -> str | None:
    """The code that forbids an origin or the nearest thing it is a member of."""
    while origin not in _HARMLESS:
        code = _CODE_OF.get(origin)
        if code is not None or "." not in origin:
            return code
        origin = origin.rpartition(".")[0]
    return None


# --- remarks -----------------------------------------------------------------------------------------------


def _remarks(tree: ast.Module) -> Iterator[_Remark]:
    nodes = _scoped_nodes(tree)
    inside_a_chain: set[ast.AST] = set()
    ended_by_exception = {loop for node, _ in nodes for loop in _loops_ended_by_exception(node)}
    for node, scope in nodes:
        if isinstance(node, ast.ImportFrom):
            yield from _star_import_remarks(node)
        elif isinstance(node, ast.While | ast.For) and node not in ended_by_exception:
            yield from _loop_remarks(node, scope)
        elif isinstance(node, ast.Call):
            yield from _call_remarks(node, scope)
        if isinstance(node, ast.Name | ast.Attribute | ast.Call) and node not in inside_a_chain:
            yield from _origin_remarks(node, scope, inside_a_chain)
    yield from _timer_remarks(nodes)


def _origin_remarks(node: ast.expr, scope: _Scope, inside_a_chain: set[ast.AST]) -> Iterator[_Remark]:
    """The remark on one whole chain such as `a.b.c`; its inner links are marked, not to be judged again."""
    if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
        return
    origin = _origin(node, scope)
    if origin is None:
        return
    inside_a_chain.update(_inner_links(node))
    code = _code_of(origin)
    if code is not None:
        yield _Remark(code, origin, node.lineno, node.col_offset)


def _inner_links(node: ast.expr) -> Iterator[ast.expr]:
    link: ast.expr = node
    while True:
        match link:
            case ast.Attribute(value=inner) | ast.Call(func=ast.Attribute() as inner):
                yield inner
                link = inner
            case ast.Call(func=ast.Name() as inner):
                # getattr(os, "path"): the module is an argument, and part of the chain all the same.
                yield from (inner, *link.args[:1])
                return
            case _:
                return


def _star_import_remarks(node: ast.ImportFrom) -> Iterator[_Remark]:
    code = _CODE_OF.get(node.module or "")
    if code is not None and node.names[0].name == "*":
        yield _Remark(code, node.module or "", node.lineno, node.col_offset)


def _call_remarks(call: ast.Call, scope: _Scope) -> Iterator[_Remark]:
    function = _origin(call.func, scope)
    if function in _RUNS_CODE and call.args and not isinstance(call.args[0], ast.Constant):
        yield _Remark("dynamic-code", function.removeprefix("builtins."), call.lineno, call.col_offset)
    elif function is None and _looks_like_path_deletion(call):
        yield _Remark("file-deletion", "This call on a path", call.lineno, call.col_offset)


def _looks_like_path_deletion(call: ast.Call) -> bool:
    """Path.unlink() and Path.rmdir() take no positional argument; unlink() of a collection needs one."""
    return isinstance(call.func, ast.Attribute) and call.func.attr in {"unlink", "rmdir"} and not call.args


# --- what never ends ---------------------------------------------------------------------------------------


def _loop_remarks(loop: ast.While | ast.For, scope: _Scope) -> Iterator[_Remark]:
    if isinstance(loop, ast.While):
        endless = isinstance(loop.test, ast.Constant) and bool(loop.test.value)
    else:
        endless = isinstance(loop.iter, ast.Call) and _origin(loop.iter.func, scope) in _ENDLESS_ITERATORS
    if endless and not _has_way_out(loop, scope):
        yield _Remark("endless-loop", _head(loop), loop.lineno, loop.col_offset)


def _loops_ended_by_exception(node: ast.AST) -> Iterator[ast.AST]:
    """Loops directly in a try that waits for a certain exception, as in `while True: item = item[0]`.

    Waiting for Ctrl+C or for anything at all is no plan to end.
    """
    if isinstance(node, ast.Try) and any(_names_certain_exception(handler) for handler in node.handlers):
        yield from (child for child in node.body if isinstance(child, ast.While | ast.For))


def _names_certain_exception(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return False
    names = {part.id for part in ast.walk(handler.type) if isinstance(part, ast.Name)}
    return not names & {"KeyboardInterrupt", "Exception", "BaseException"}


def _head(loop: ast.While | ast.For) -> str:
    if isinstance(loop, ast.While):
        return f"`while {ast.unparse(loop.test)}`"
    return "This loop over an iterator without end"


def _has_way_out(loop: ast.While | ast.For, scope: _Scope) -> bool:
    waiting: list[tuple[ast.AST, bool]] = [(statement, True) for statement in loop.body]
    while waiting:
        node, breaks_count = waiting.pop()
        if isinstance(node, ast.Return | ast.Raise | ast.Yield | ast.YieldFrom):
            return True
        if isinstance(node, ast.Break) and breaks_count:
            return True
        if isinstance(node, ast.Call) and _origin(node.func, scope) in _LEAVES:
            return True
        if isinstance(node, _OWN_FLOW):
            continue
        if isinstance(node, ast.While | ast.For | ast.AsyncFor):
            # A break in an inner loop's body leaves only that one; in its else it leaves ours.
            waiting.extend((child, False) for child in node.body)
            waiting.extend((child, breaks_count) for child in node.orelse)
        else:
            waiting.extend((child, breaks_count) for child in ast.iter_child_nodes(node))
    return False


def _timer_remarks(nodes: list[tuple[ast.AST, _Scope]]) -> Iterator[_Remark]:
    calls = [(node, scope, _origin(node.func, scope)) for node, scope in nodes if isinstance(node, ast.Call)]
    if any(function == "bpy.app.timers.unregister" for _, _, function in calls):
        return
    judged: set[ast.AST] = set()
    for call, scope, function in calls:
        if function == "bpy.app.timers.register" and call.args:
            timer = _function(call.args[0], scope)
            if timer is not None and timer not in judged and _always_returns_number(timer, scope):
                name = "The lambda" if isinstance(timer, ast.Lambda) else timer.name
                yield _Remark("endless-timer", name, call.lineno, call.col_offset)
            judged.update([timer] if timer else [])


def _function(node: ast.expr, scope: _Scope) -> _FunctionDef | ast.Lambda | None:
    if isinstance(node, ast.Call) and _origin(node.func, scope) == "functools.partial" and node.args:
        node = node.args[0]
    if isinstance(node, ast.Lambda):
        return node
    bound = scope.only_value(node.id) if isinstance(node, ast.Name) else None
    return bound if isinstance(bound, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) else None


def _always_returns_number(timer: _FunctionDef | ast.Lambda, scope: _Scope) -> bool:
    if isinstance(timer, ast.Lambda):
        return _is_number(timer.body, scope)
    own = list(_own_nodes(timer))
    if any(isinstance(node, ast.Raise) for node in own):
        return False
    returned = [node.value for node in own if isinstance(node, ast.Return)]
    return not _falls_off(timer.body) and all(value and _is_number(value, scope) for value in returned)


def _own_nodes(function: _FunctionDef) -> Iterator[ast.AST]:
    """The nodes of a function without those of the functions inside it."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _OWN_FLOW):
            waiting.extend(ast.iter_child_nodes(node))


def _falls_off(body: list[ast.stmt]) -> bool:
    """Whether control can reach the end of these statements, where a function returns None."""
    waiting = [body]
    while waiting:
        ends = waiting.pop()
        match ends[-1] if ends else None:
            case ast.Return() | ast.Raise():
                pass
            case ast.If(body=yes, orelse=no):
                waiting += [yes, no]
            case ast.With(body=inner):
                waiting.append(inner)
            case ast.Try(body=inner, handlers=handlers, orelse=orelse, finalbody=final):
                if not final or _falls_off(final):
                    waiting += [orelse or inner, *(handler.body for handler in handlers)]
            case _:
                return True
    return False


def _is_number(value: ast.AST, scope: _Scope, patience: int = _PATIENCE) -> bool:
    """Whether the value is surely a number; a call or an attribute might be None, so it is not."""
    if patience == 0:
        return False
    less = patience - 1
    match value:
        case ast.Constant(value=constant):
            return isinstance(constant, int | float)
        case ast.UnaryOp(operand=operand):
            return _is_number(operand, scope, less)
        case ast.BinOp():
            return True
        case ast.IfExp(body=yes, orelse=no):
            return _is_number(yes, scope, less) and _is_number(no, scope, less)
        case ast.Name(id=name):
            bound = scope.only_value(name)
            return isinstance(bound, ast.AST) and _is_number(bound, scope, less)
        case _:
            return False
