"""The tools: what each takes, which addresses of the service it asks, and how the answer is shown.

Answers are short first; `run`, `artifact` and `symbol` have the details by id.
"""

from __future__ import annotations

import base64
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal
from urllib.parse import quote

from mcp_types import CallToolResult, ContentBlock, ImageContent, TextContent, Tool, ToolAnnotations
from pydantic import BaseModel, ConfigDict, Field

from clients.mcp import shown
from clients.mcp.service import NotThere, RemoteService, Say, ToolFailed

LARGEST_PX: Final = 1024
SMALL_PX: Final = 256


class Arguments(BaseModel):
    """Arguments of a tool; others are refused. No docstring below is sent to a model."""

    model_config = ConfigDict(extra="forbid")


Blender = Annotated[str | None, Field(description="Such as 5.0, lts or latest; else the default.")]
Seen = Annotated[bool, Field(description="With a small picture.")]
Others = Annotated[list[str] | None, Field(description="Further Blenders to prove it on.")]


class GenerateArguments(Arguments):
    """Arguments of `generate`."""

    request: str = Field(description="What the snippet is to do.")
    continues: str | None = Field(default=None, description="Id of a run whose snippet this request changes.")
    blender: Blender = None
    verify_on: Others = None
    portable: bool = Field(default=False, description="One snippet that holds on all of them.")
    picture: Seen = True


class ValidateArguments(Arguments):
    """Arguments of `validate`."""

    snippet: str = Field(description="Python, whole.")
    heal: bool = Field(default=False, description="Heal it if it is not proven.")
    blender: Blender = None
    verify_on: Others = None
    portable: bool = Field(default=False, description="One snippet that holds on all of them.")
    picture: Seen = True


class CheckArguments(Arguments):
    """Arguments of `check`."""

    snippet: str = Field(description="Python, whole.")
    fixes: bool = Field(default=False, description="Also what the rules would change.")
    blender: Blender = None


class RunArguments(Arguments):
    """Arguments of `run`."""

    id: str
    part: Literal["brief", "snippet", "verdict", "attempts", "matrix", "picture"] = "brief"


class SearchArguments(Arguments):
    """Arguments of `search`."""

    query: str = Field(description="Words, a name in the user interface, or an address.")
    kind: Literal["symbols", "exemplars", "artifacts"] = Field(
        default="symbols", description="The API; known answers with code; or what was proven here."
    )
    blender: Blender = None
    limit: int = Field(default=5, ge=1, le=20)


class SymbolArguments(Arguments):
    """Arguments of `symbol`."""

    address: str = Field(description="Such as bpy.types.BevelModifier.width.")
    blender: Blender = None
    changed_since: str | None = Field(default=None, description="An older Blender: say what changed from there.")


class ArtifactArguments(Arguments):
    """Arguments of `artifact`."""

    id: str
    part: Literal["picture", "sheet", "snippet", "about"] = Field(
        default="picture", description="sheet: all views in one picture."
    )
    size: int = Field(default=512, ge=32, le=LARGEST_PX, description="Longest edge in pixels.")


class RepositoryArguments(Arguments):
    """Arguments of `repository`."""

    name: str | None = None
    do: Literal["list", "search", "ask", "structure", "diagnose", "callers", "callees", "impact", "tests", "check"] = (
        "search"
    )
    question: str | None = Field(
        default=None,
        description="A question or an issue; a log for diagnose; a symbol for callers, callees, impact, tests; a path, "
        "if any, for check.",
    )
    limit: int = Field(default=6, ge=1, le=20)


async def generate(asked: GenerateArguments, service: RemoteService, say: Say) -> CallToolResult:
    """Have a snippet written and proven."""
    return await run("/generate", asked, service, say)


async def validate(asked: ValidateArguments, service: RemoteService, say: Say) -> CallToolResult:
    """Have a snippet judged."""
    return await run("/validate", asked, service, say)


async def run(
    path: str, asked: GenerateArguments | ValidateArguments, service: RemoteService, say: Say
) -> CallToolResult:
    """A run in short when it has ended, with its picture unless that is not wanted."""
    brief = await service.run(path, asked.model_dump(exclude={"picture"}, exclude_none=True), say)
    answer = short(brief)
    if asked.picture and brief["picture"]:
        # An artifact may have been deleted since.
        with contextlib.suppress(NotThere):
            answer.content.append(picture(await service.content(brief["picture"], size=SMALL_PX)))
    return answer


async def check(asked: CheckArguments, service: RemoteService, _say: Say) -> CallToolResult:
    """Have a snippet read, without executing it."""
    return said(shown.quick_check(await service.post("/check", asked.model_dump(exclude_none=True))))


def short(brief: dict[str, Any]) -> CallToolResult:
    """A run in short, as text and as data; one that was refused is an error."""
    structured = {name: value for name, value in brief.items() if name != "text" and value not in (None, [], {})}
    failed = brief["status"] in ("refused", "failed", "interrupted")
    return CallToolResult(content=[text(shown.run(brief))], structured_content=structured, is_error=failed)


async def look(asked: RunArguments, service: RemoteService, _say: Say) -> CallToolResult:
    """A part of a run."""
    path = f"/runs/{segment(asked.id)}"
    if asked.part == "brief":
        return short(await service.get(f"{path}/brief"))
    found = await service.get(path)
    match asked.part:
        case "snippet":
            return said(shown.cut(found["snippet"] or "It has no snippet.", shown.WHOLE))
        case "verdict":
            return said(shown.verdict(found))
        case "attempts":
            return said(shown.attempts(found))
        case "matrix":
            return said(shown.matrix(found))
        case "picture":
            where = found["artifact"]["picture"] if found["artifact"] else f"{path}/picture.png"
            query = {"size": LARGEST_PX} if found["artifact"] else {}
            return CallToolResult(content=[picture(await service.content(where, **query))])


async def search(asked: SearchArguments, service: RemoteService, _say: Say) -> CallToolResult:
    """Find symbols, known answers or artifacts."""
    series = asked.blender if asked.kind != "artifacts" else None
    found = await service.get("/search", q=asked.query, kind=asked.kind, limit=asked.limit, blender=series)
    match asked.kind:
        case "symbols":
            return said(shown.symbols(found))
        case "exemplars":
            return said(shown.exemplars(found))
        case "artifacts":
            return said(shown.artifacts(found))


async def symbol(asked: SymbolArguments, service: RemoteService, _say: Say) -> CallToolResult:
    """A symbol, and what changed in it."""
    missing: NotThere | None = None
    found: dict[str, Any] = {}
    parts: list[str] = []
    try:
        found = await service.get(f"/symbols/{segment(asked.address)}", blender=asked.blender)
        parts.append(shown.symbol(found))
    except NotThere as error:
        missing = error
    if asked.changed_since is not None:
        span = {"from": asked.changed_since, "to": asked.blender, "prefix": found.get("address", asked.address)}
        changed = await service.get("/symbols/diff", limit=20, **span)
        parts += [shown.changes(changed)] if not missing or changed["changes"] else []
    if missing and not parts:
        raise missing
    return CallToolResult(content=[text("\n".join(parts))])


async def artifact(asked: ArtifactArguments, service: RemoteService, _say: Say) -> CallToolResult:
    """A part of an artifact."""
    path = f"/artifacts/{segment(asked.id)}"
    match asked.part:
        case "picture":
            return CallToolResult(content=[picture(await service.content(f"{path}.png", size=asked.size))])
        case "sheet":
            sheet = await service.content(f"{path}/contact-sheet.png", size=asked.size)
            return CallToolResult(content=[picture(sheet)])
        case "snippet":
            return said(shown.cut(await service.text(f"{path}/snippet.py"), shown.WHOLE))
        case "about":
            return said(shown.artifact(await service.get(path)))


RELATIONS: Final = ("callers", "callees", "impact", "tests")


async def repository(asked: RepositoryArguments, service: RemoteService, say: Say) -> CallToolResult:
    """Find places in a repository, or have them explained."""
    if asked.do == "list":
        return said(shown.repositories(await service.get("/repositories")))
    if asked.name is None:
        raise ToolFailed("name: say which repository; `do: list` lists them.")
    path = f"/repositories/{segment(asked.name)}"
    if asked.do == "structure":
        return said((await service.get(f"{path}/structure", budget=shown.SHAPE))["text"])
    if asked.do == "check":
        return said(shown.checked(await service.check({"repository": asked.name, "at": asked.question or ""}, say)))
    if asked.question is None:
        raise ToolFailed(f"question: say what to {asked.do}.")
    if asked.do in RELATIONS:
        return said(shown.related(await service.get(f"{path}/graph", symbol=asked.question, asked=asked.do)))
    if asked.do == "diagnose":
        return said(shown.diagnosis(await service.post(f"{path}/diagnose", {"log": asked.question})))
    found = await service.post(f"{path}/{asked.do}", {"question": asked.question, "limit": asked.limit})
    return said(shown.places(found) if asked.do == "search" else shown.explained(found))


def said(words: str) -> CallToolResult:
    """An answer in words."""
    return CallToolResult(content=[text(words)])


def text(words: str) -> ContentBlock:
    """Text for a model."""
    return TextContent(text=words)


def picture(png: bytes) -> ContentBlock:
    """A picture for a model."""
    return ImageContent(data=base64.b64encode(png).decode(), mime_type="image/png")


def segment(name: str) -> str:
    """An id as one part of a path; raises ToolFailed if it cannot be one."""
    if "/" in name or not name.strip(". "):
        raise ToolFailed(f"{name[:200]!r} is no id.")
    return quote(name, safe="")


RUN_OUTPUT: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "status": {"type": "string"},
        "blender": {"type": "string"},
        "said": {"type": "string"},
        "snippet": {"type": "string"},
        "findings": {"type": "array", "items": {"type": "string"}},
        "blenders": {"type": "object"},
        "artifact": {"type": "string"},
    },
    "required": ["id", "status", "blender", "said"],
}
"""The structured content of `generate`, `validate` and a run in short."""


@dataclass(frozen=True)
class Offered:
    """A tool as it is offered: its arguments, what does it, and what a model is told of it."""

    arguments: type[Arguments]
    do: Callable[[Any, RemoteService, Say], Awaitable[CallToolResult]]
    described: str
    output: dict[str, Any] | None = None
    reads: bool = True

    def listed(self, name: str) -> Tool:
        """The tool as it is listed."""
        return Tool(
            name=name,
            description=self.described,
            input_schema=schema_of(self.arguments),
            output_schema=self.output,
            annotations=ToolAnnotations(read_only_hint=self.reads, destructive_hint=None if self.reads else False),
        )


TOOLS: Final[dict[str, Offered]] = {
    "generate": Offered(
        GenerateArguments,
        generate,
        "Get Blender Python for a request, executed and checked in Blender before you see it. It is Proven only if "
        "the answer says so. It is never run on the user's own scene.",
        RUN_OUTPUT,
        reads=False,
    ),
    "validate": Offered(
        ValidateArguments,
        validate,
        "Judge Blender Python that you or the user wrote: checks, execution, picture. With heal, adapt it, such as "
        "an old script for a new Blender.",
        RUN_OUTPUT,
        reads=False,
    ),
    "check": Offered(
        CheckArguments, check, "In a second: syntax, policy, types and use of the API, without running it; no proof."
    ),
    "run": Offered(
        RunArguments, look, "Look at a run in detail: the whole snippet, every stage of the verdict, the attempts."
    ),
    "search": Offered(
        SearchArguments, search, "Find what the Blender API calls something, code that does it, or what was proven."
    ),
    "symbol": Offered(
        SymbolArguments, symbol, "One entry of the Blender API exactly, and what changed in it between two Blenders."
    ),
    "artifact": Offered(ArtifactArguments, artifact, "See the picture or the snippet of something proven."),
    "repository": Offered(
        RepositoryArguments,
        repository,
        "Find the places in the code of an add-on that a question is about, with path and lines; ask about it; follow "
        "its calls; diagnose a traceback; check its add-ons by using all that they register.",
    ),
}


def schema_of(arguments: type[Arguments]) -> dict[str, Any]:
    """The JSON Schema of arguments with nothing that says nothing to a model."""
    whole = arguments.model_json_schema()
    properties = {name: plain(one) for name, one in whole["properties"].items()}
    required = {"required": whole["required"]} if whole.get("required") else {}
    return {"type": "object", "properties": properties, **required, "additionalProperties": False}


def plain(field: dict[str, Any]) -> dict[str, Any]:
    """The schema of a field without its title; what may be left out need not be null."""
    kept = {name: value for name, value in field.items() if name not in ("title", "anyOf")}
    for one in field.get("anyOf", []):
        kept |= one if one != {"type": "null"} else {}
    return {name: value for name, value in kept.items() if (name, value) != ("default", None)}
