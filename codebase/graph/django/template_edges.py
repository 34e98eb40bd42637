"""Django's edges that start in templates and scripts: to templates, routes, files, tags, views and components."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Final

from codebase.graph.code import Code, CodeFile
from codebase.graph.django.files import DjangoFiles
from codebase.graph.django.routes import Routes
from codebase.graph.django.sites import Site
from codebase.graph.django.views import DjangoLookup
from codebase.graph.edge import Certainty
from codebase.graph.outline.things import Class, FunctionThing, Text

EdgeRows = Iterator[tuple[int, int | None, str, Certainty, int]]
"""Source, target, kind, certainty, line."""
TAGS: Final = {"simple_tag", "inclusion_tag", "simple_block_tag", "filter", "tag", "assignment_tag"}
FEW: Final = 2
"""A function that more scripts define is not looked up by its name."""


class PageEdges:
    """The edges from templates and scripts."""

    def __init__(self, code: Code, maker: str, lookup: DjangoLookup, routes: Routes, files: DjangoFiles) -> None:
        self._code, self._lookup, self._routes, self._files = code, lookup, routes, files
        self._sites: list[tuple[CodeFile, list[Site]]] = [(file, facts) for file, facts in code.facts(maker)]
        self._libraries = self._find_libraries()
        self._tags: dict[str, list[int]] = defaultdict(list)
        for tags in self._libraries.values():
            for name, unit in tags.items():
                self._tags[name].append(unit)
        self._made: dict[str, list[int]] = defaultdict(list)
        self._functions: dict[str, list[int]] = defaultdict(list)
        for file, sites in self._sites:
            for unit, _, kind, name in sites:
                if kind == "made":
                    self._made[name].append(file.first + unit)
        for file in code.files.values():
            if file.language in ("javascript", "typescript", "html"):
                for place, unit_in_file in enumerate(file.units):
                    if unit_in_file.kind == "function":
                        self._functions[unit_in_file.name].append(file.first + place)
        self._parents = {
            file.path: parents[0]
            for file, sites in self._sites
            for _, _, kind, name in sites
            if kind == "parent" and (parents := [path for path, _ in files.templates(name, file.path)])
        }

    def all(self) -> EdgeRows:
        for file, sites in self._sites:
            loaded = {name for _, _, kind, name in sites if kind == "library"}
            for unit, line, kind, name in sites:
                if kind == "tag":
                    yield from self._tag(file.first + unit, line, name, loaded)
                elif kind in self.RULES:
                    yield from self.RULES[kind](self, file, file.first + unit, line, name)

    def _template(self, file: CodeFile, source: int, line: int, name: str) -> EdgeRows:
        for path, certainty in self._files.templates(name, file.path):
            part = self._code.unit(path, name.partition("#")[2]) if "#" in name else None
            if path != file.path:
                yield source, part if part is not None else self._files.number(path), "includes", certainty, line

    def _block(self, file: CodeFile, source: int, line: int, name: str) -> EdgeRows:
        """A block overrides the nearest block of this name in the templates above."""
        path = self._parents.get(file.path)
        seen = {file.path}
        while path is not None and path not in seen:
            seen.add(path)
            units = [
                unit
                for other, sites in self._sites
                if other.path == path
                for unit, _, kind, text in sites
                if kind == "block" and text == name
            ]
            if units:
                yield source, self._code.files[path].first + units[0], "overrides", "exact", line
                return
            path = self._parents.get(path)

    def _route(self, _file: CodeFile, source: int, line: int, name: str) -> EdgeRows:
        for route, certainty in self._routes.with_name(name):
            targets = [self._lookup.number(view) for view in route.views]
            for target in targets or [self._code.files[route.file].at(route.line)]:
                yield source, target, "links", certainty, line

    def _path(self, _file: CodeFile, source: int, line: int, name: str) -> EdgeRows:
        for route, certainty in self._routes.at(name):
            targets = [self._lookup.number(view) for view in route.views]
            for target in targets or [self._code.files[route.file].at(route.line)]:
                yield source, target, "links", certainty, line

    def _static(self, file: CodeFile, source: int, line: int, name: str) -> EdgeRows:
        for path, certainty in self._files.static(name, file.path):
            yield source, self._files.number(path), "loads", certainty, line

    def _library(self, _file: CodeFile, source: int, line: int, name: str) -> EdgeRows:
        for path in self._libraries:
            if path.endswith(f"templatetags/{name}.py"):
                yield source, self._files.number(path), "loads", "exact", line

    def _tag(self, source: int, line: int, name: str, loaded: set[str]) -> EdgeRows:
        """The function of a tag or filter: of a loaded library, or of one that settings load everywhere."""
        for path, tags in self._libraries.items():
            library = path.rpartition("/")[2].removesuffix(".py")
            if name in tags and (library in loaded or path in self._everywhere):
                yield source, tags[name], "calls", "exact", line
                return
        if len(self._tags.get(name, ())) == 1 and name not in BUILTIN:
            yield source, self._tags[name][0], "calls", "by name", line

    @property
    def _everywhere(self) -> set[str]:
        return {path for path in self._libraries if path.endswith("/builtins.py")}

    def _component(self, file: CodeFile, source: int, line: int, name: str) -> EdgeRows:
        """The target of `x-data` or a handler: a component, or a function of this page or of a script."""
        if name in self._made:
            targets = self._made[name]
            for target in targets[:FEW]:
                yield source, target, "calls", sure(targets), line
            return
        here = file.named.get(name)
        if here is not None and self._code.units[here].kind == "function":
            yield source, here, "calls", "exact", line
        elif 0 < len(self._functions.get(name, ())) <= FEW:
            for target in self._functions[name]:
                yield source, target, "calls", "by name", line

    def _find_libraries(self) -> dict[str, dict[str, int]]:
        """By the path of each library of tags, the units of its tags and filters by name."""
        libraries: dict[str, dict[str, int]] = {}
        for path, text in self._lookup.texts.items():
            if "/templatetags/" not in f"/{path}":
                continue
            tags = libraries.setdefault(path, {})
            functions = {
                function[1]: function[2] for function in text.names.values() if function and function[0] == "u"
            }
            for unit, _, value in text.decorators:
                match value:
                    case ["a", _, kind] if kind in TAGS:
                        tags[functions.get(unit, "")] = text.file.first + unit
                    case ["c", ["a", _, kind], given, keywords] if kind in TAGS:
                        name = keywords.get("name") or (given[0] if given and kind in ("tag", "filter") else None)
                        tags[self._lookup.text(path, name) or functions.get(unit, "")] = text.file.first + unit
                    case _:
                        pass
            for _, _, called, given, _ in text.calls:
                if called and called[0] == "a" and called[2] in ("filter", "tag", "simple_tag") and given:
                    self._note(tags, path, given)
        return libraries

    def _note(self, tags: dict[str, int], path: str, given: list[Any]) -> None:
        """`register.filter("name", f)`, `register.filter(f)`."""
        things = [thing for value in given[:2] for thing in self._lookup.things(path, value)]
        name = next((thing.text for thing in things if isinstance(thing, Text)), None)
        function = next((thing for thing in things if isinstance(thing, FunctionThing | Class)), None)
        number = self._lookup.number(function) if function else None
        if function and number is not None:
            tags[name or function.name] = number

    RULES: ClassVar[dict[str, Callable[[Any, CodeFile, int, int, str], EdgeRows]]] = {
        "template": _template,
        "block": _block,
        "route": _route,
        "path": _path,
        "static": _static,
        "library": _library,
        "component": _component,
    }


BUILTIN: Final = frozenset(
    [
        "if",
        "elif",
        "else",
        "for",
        "empty",
        "block",
        "extends",
        "include",
        "load",
        "url",
        "static",
        "with",
        "csrf_token",
        "comment",
        "autoescape",
        "cycle",
        "filter",
        "firstof",
        "ifchanged",
        "now",
        "regroup",
        "spaceless",
        "templatetag",
        "verbatim",
        "widthratio",
        "trans",
        "translate",
        "blocktrans",
        "blocktranslate",
        "plural",
        "cache",
        "csrf_token",
        "date",
        "default",
        "default_if_none",
        "length",
        "lower",
        "upper",
        "title",
        "join",
        "safe",
        "escape",
        "escapejs",
        "first",
        "last",
        "add",
        "cut",
        "slice",
        "floatformat",
        "linebreaks",
        "linebreaksbr",
        "pluralize",
        "time",
        "timesince",
        "truncatechars",
        "truncatewords",
        "urlencode",
        "urlize",
        "yesno",
        "dictsort",
        "filesizeformat",
        "json_script",
        "capfirst",
        "center",
        "divisibleby",
        "force_escape",
        "intcomma",
        "get_digit",
        "iriencode",
        "linenumbers",
        "ljust",
        "make_list",
        "phone2numeric",
        "pprint",
        "random",
        "removetags",
        "rjust",
        "slugify",
        "striptags",
        "timeuntil",
        "unordered_list",
        "wordcount",
        "wordwrap",
        "set",
        "macro",
        "call",
        "import",
        "from",
        "raw",
        "do",
    ]
)
"""Tags and filters of Django and Jinja themselves."""


def sure(targets: list[int]) -> Certainty:
    return "exact" if len(targets) == 1 else "inferred"
