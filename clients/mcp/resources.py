"""The resources: artifacts and the recipes of the cookbook, by addresses that follow those of the service."""

from __future__ import annotations

import base64
import re
from typing import Final

from mcp_types import BlobResourceContents, Resource, ResourceTemplate, TextResourceContents

from clients.mcp.service import NotThere, RemoteService, ToolFailed

SCHEME: Final = "blendproof://"
PYTHON: Final = "text/x-python"
NEWEST: Final = 50
ADDRESS: Final = re.compile(
    SCHEME + r"(cookbook|cookbook/\w+/\w+\.py|artifacts/[\w-]+/(snippet\.py|report\.json|picture\.png)|runs/[\w-]+)"
)
KINDS: Final = {"py": PYTHON, "json": "application/json", "png": "image/png"}

TEMPLATES: Final = (
    ResourceTemplate(
        name="snippet",
        uri_template=f"{SCHEME}artifacts/{{id}}/snippet.py",
        mime_type=PYTHON,
        description="Proven Python",
    ),
    ResourceTemplate(name="picture", uri_template=f"{SCHEME}artifacts/{{id}}/picture.png", mime_type="image/png"),
    ResourceTemplate(
        name="report",
        uri_template=f"{SCHEME}artifacts/{{id}}/report.json",
        mime_type="application/json",
        description="Verdict and evidence",
    ),
    ResourceTemplate(name="recipe", uri_template=f"{SCHEME}cookbook/{{area}}/{{name}}.py", mime_type=PYTHON),
    ResourceTemplate(name="run", uri_template=f"{SCHEME}runs/{{id}}", mime_type="application/json"),
)


async def listed(service: RemoteService) -> list[Resource]:
    """The list of recipes, and the newest artifacts of the caller's own runs; raises ToolFailed."""
    page = await service.get("/runs", status="proven", limit=4 * NEWEST)
    newest: dict[str, str] = {}
    for run in page["runs"]:
        if run["artifact"]:
            newest.setdefault(run["artifact"]["id"], run["title"])
    return [
        Resource(name="cookbook", uri=f"{SCHEME}cookbook", description="All recipes", mime_type="application/json"),
        *(
            Resource(name=one, uri=f"{SCHEME}artifacts/{one}/snippet.py", title=title, mime_type=PYTHON)
            for one, title in list(newest.items())[:NEWEST]
        ),
    ]


async def read(uri: str, service: RemoteService) -> TextResourceContents | BlobResourceContents:
    """The content of a resource; raises ToolFailed."""
    found = ADDRESS.fullmatch(uri)
    if not found:
        raise NotThere(f"There is no resource {uri[:200]}. Resources begin with {SCHEME}; list them and the templates.")
    path = f"/{found[1]}"
    kind = KINDS.get(path.rpartition(".")[2], "application/json")
    if kind == "image/png":
        png = await service.content(path.removesuffix("/picture.png") + ".png", size=1024)
        return BlobResourceContents(uri=uri, mime_type=kind, blob=base64.b64encode(png).decode())
    content = await service.text(path)
    if len(content) > MOST:
        raise ToolFailed(f"{uri} has {len(content)} characters, too many for a model; `run` and `artifact` have parts.")
    return TextResourceContents(uri=uri, mime_type=kind, text=content)


MOST: Final = 400_000
"""Characters of a resource."""
