"""The maker of Django's edges, with those of its front end.

routes      a URL pattern -> its view
renders     a view, form or tag -> the template whose path it writes
includes    a template -> the template that it extends, includes or imports; `overrides` for its blocks
links       reverse("name"), {% url %}, hx-get, form actions, fetch("/path") -> the view of that route
loads       {% static %}, {% load %} -> the file or the library of tags
calls       tags and filters -> their function; x-data and handlers -> the component or function of a script
relates     fields, forms, serializers, views, administration, receivers, reads by a related_name -> the model
hooks       signal.send(), signal.connect(f) -> the functions that receive the signal
configures  strings in settings -> the module, class or function
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from codebase.graph.code import Code
from codebase.graph.django.files import DjangoFiles
from codebase.graph.django.python_edges import DjangoPythonEdges
from codebase.graph.django.routes import Routes
from codebase.graph.django.sites import sites_of
from codebase.graph.django.template_edges import PageEdges
from codebase.graph.django.views import DjangoLookup
from codebase.graph.edge import Edge, Gap, SourceText
from codebase.graph.outline.steps import TOO_FAR


class DjangoMaker:
    """Edges that Django and the pages that it serves make from names."""

    name = "django"
    languages = ("html", "javascript", "typescript")

    def facts(self, source: SourceText) -> Any:
        return sites_of(source)

    def edges(self, code: Code) -> Iterator[Edge | Gap]:
        lookup = DjangoLookup(code)
        routes, files = Routes(lookup), DjangoFiles(code)
        pages = PageEdges(code, self.name, lookup, routes, files)
        python = DjangoPythonEdges(lookup, routes, files) if lookup.imports("django", "rest_framework") else None
        for source, target, kind, certainty, line in chain(python.all() if python else (), pages.all()):
            if kind == TOO_FAR:
                yield Gap(source, line, kind)
            elif target is not None and source != target:
                yield Edge(source, target, kind, certainty, line)
