"""The facts that the files of an add-on give each other: registered names, and classes by module."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from app.reading.survey import Survey, survey
from app.verdict.parse import syntax_tree
from python.guards import forgives, guarded_parts
from python.identifiers import dotted, last_name
from python.scopes import stored_names

DYNAMIC: Final = frozenset({"import_module", "__import__", "exec"})


@dataclass(frozen=True)
class DefinedClass:
    """A class at the top of a module, with its bases as they are written; bases that are no names are left out."""

    name: str
    bases: tuple[str, ...]
    texts: Mapping[str, str] = field(default_factory=dict[str, str])
    """The strings that its body sets, such as `bl_idname`."""


@dataclass(frozen=True)
class FileFacts:
    """The facts that one file of an add-on gives the others.

    `imports` are dotted, relative ones with a dot per level before, and `guarded` those under a condition on Blender's
    version or API. `borrowed` are names that another file must bring; `texts` are its strings if it imports by name.
    """

    survey: Survey
    classes: tuple[DefinedClass, ...]
    imports: tuple[str, ...]
    guarded: tuple[str, ...]
    borrowed: frozenset[str]
    texts: frozenset[str]


@dataclass(frozen=True)
class AddonPackage:
    """An add-on as one of its files sees it. `module` is that file, dotted, below the add-on's own folder, and empty
    for its `__init__`; `classes` are those of all modules that are imported, in the order in which they are complete.

    `sometimes` says that the file is imported only under a condition on Blender's version or its API.
    """

    module: str
    is_folder: bool
    survey: Survey | None
    classes: Mapping[str, tuple[DefinedClass, ...]]
    sometimes: bool = False
    lent: frozenset[str] = frozenset()
    """Names that other files use and do not bind themselves."""


def facts_of(text: str) -> FileFacts | None:
    """The facts of a file; None if it does not parse."""
    tree = syntax_tree(text)
    if tree is None:
        return None
    nodes = list(ast.walk(tree))
    dynamic = any(last_name(node.func) in DYNAMIC for node in nodes if isinstance(node, ast.Call))
    texts = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    classes = tuple(
        DefinedClass(node.name, tuple(filter(None, map(dotted, node.bases))), dict(_texts_of(node)))
        for node in tree.body
        if isinstance(node, ast.ClassDef)
    )
    own = survey(tree)
    caught = [part for node in nodes if isinstance(node, ast.Try) for part in _caught_parts(node)]
    guarded = [inner for part in [*guarded_parts(nodes, own.asks), *caught] for inner in ast.walk(part)]
    known = {id(node) for node in guarded}
    free = [node for node in nodes if id(node) not in known]
    imports = tuple(_imports(free)), tuple(_imports(guarded))
    roots = {node.value.id for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)}
    arguments = {node.arg for node in nodes if isinstance(node, ast.arg)}
    borrowed = roots - stored_names([tree]) - arguments
    return FileFacts(own, classes, *imports, frozenset(borrowed), frozenset(texts if dynamic else ()))


def packages(files: Mapping[str, FileFacts], name: str) -> dict[str, AddonPackage]:
    """Each file of an add-on among the others. `files` are keyed by path below the add-on's own folder; `name` is the
    name of the add-on in Python."""
    modules = {module_of(path): facts for path, facts in files.items()}
    folders = {module_of(path) for path in files if path.endswith("__init__.py")}
    always = _in_order(modules, folders, name)
    everywhere = _in_order(modules, folders, name, guarded=True)
    classes = {module: modules[module].classes for module in always}
    whole: Survey | None = None
    for facts in files.values():
        whole = facts.survey.among(whole)
    sometimes = {*everywhere} - {*always}
    lent = frozenset(name for facts in files.values() for name in facts.borrowed)
    return {
        path: AddonPackage(
            module_of(path), path.endswith("__init__.py"), whole, classes, module_of(path) in sometimes, lent
        )
        for path in files
    }


def module_of(path: str) -> str:
    """The dotted name of a file below the folder of its add-on."""
    return path.removesuffix(".py").removesuffix("__init__").rstrip("/").replace("/", ".")


def _in_order(modules: Mapping[str, FileFacts], folders: set[str], name: str, guarded: bool = False) -> list[str]:
    """The modules that the add-on imports, each after those that it imports itself; loops are cut.

    With `guarded`, imports under a condition count too.
    """
    done: list[str] = []
    entered: set[str] = set()
    waiting = [("", False)]
    while waiting:
        module, complete = waiting.pop()
        if complete:
            done.append(module)
        elif module not in entered and module in modules:
            entered.add(module)
            targets = list(_targets(module, modules, folders, name, guarded))
            waiting += [(module, True), *((target, False) for target in reversed(targets))]
    return done


def _targets(
    module: str, modules: Mapping[str, FileFacts], folders: set[str], name: str, guarded: bool
) -> Iterator[str]:
    """The modules of the add-on that a module imports."""
    facts = modules[module]
    here = module.split(".") if module else []
    home = here if module in folders else here[:-1]
    for written in (*facts.imports, *(facts.guarded if guarded else ())):
        rest = written.lstrip(".")
        level = len(written) - len(rest)
        if level:
            base = home[: len(home) - level + 1] if level > 1 else home
            dotted = ".".join([*base, *([rest] if rest else [])])
        elif written == name or written.startswith(f"{name}."):
            dotted = written[len(name) + 1 :]
        else:
            continue
        if dotted in modules:
            yield dotted
    for text in sorted(facts.texts):
        dotted = ".".join([*home, text.strip(".")])
        if dotted in modules and text:
            yield dotted


def _texts_of(defined: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for statement in defined.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str(text))):
                yield name, text
            case _:
                pass


def _caught_parts(node: ast.Try) -> list[ast.AST]:
    """The parts of a `try` that may not be reached; an import after a failed `reload` always is, the first time."""
    imports = any(isinstance(inner, ast.Import | ast.ImportFrom) for part in node.body for inner in ast.walk(part))
    return [*node.body, *(node.handlers if imports else [])] if forgives(node.handlers) else []


def _imports(nodes: list[ast.AST]) -> Iterator[str]:
    for node in nodes:
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                start = "." * level + (module or "")
                yield start
                joint = "" if not module else "."
                yield from (f"{start}{joint}{alias.name}" for alias in names if alias.name != "*")
            case _:
                pass
