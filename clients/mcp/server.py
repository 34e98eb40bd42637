"""The server: it lists the tools, resources and the prompt, and does what is called."""

from __future__ import annotations

from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, Final

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from clients.mcp import resources
from clients.mcp.service import RemoteService, ToolFailed
from clients.mcp.tools import TOOLS, said

Context = ServerRequestContext[Any, Any]
Page = types.PaginatedRequestParams | None

INSTRUCTIONS: Final = (
    "Blendproof writes, judges and heals Python for Blender, and proves it by running it in Blender. Prefer it to "
    "writing Blender Python from memory. The prompt `solve` says how to work with it."
)
PROMPT: Final = "solve"
GUIDE: Final = Path(__file__).with_name("prompt.md")
NOT_FOUND: Final = -32002


def mcp_server(service: RemoteService, version: str) -> Server[Any]:
    """A server of the tools over this service."""

    async def list_tools(_: Context, _page: Page) -> types.ListToolsResult:
        service.begin()
        return types.ListToolsResult(tools=[offered.listed(name) for name, offered in TOOLS.items()])

    async def call_tool(context: Context, called: types.CallToolRequestParams) -> types.CallToolResult:
        return await call(context, called, service)

    async def list_resources(_: Context, _page: Page) -> types.ListResourcesResult:
        try:
            return types.ListResourcesResult(resources=await resources.listed(service))
        except ToolFailed as error:
            raise MCPError(types.INTERNAL_ERROR, str(error)) from None

    async def list_templates(_: Context, _page: Page) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=list(resources.TEMPLATES))

    async def read_resource(_: Context, asked: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        try:
            return types.ReadResourceResult(contents=[await resources.read(asked.uri, service)])
        except ToolFailed as error:
            raise MCPError(NOT_FOUND, str(error), {"uri": asked.uri}) from None

    async def list_prompts(_: Context, _page: Page) -> types.ListPromptsResult:
        task = types.PromptArgument(name="task", description="What is to be done in Blender", required=True)
        about = "How to work with Blendproof on a task"
        return types.ListPromptsResult(prompts=[types.Prompt(name=PROMPT, description=about, arguments=[task])])

    async def get_prompt(_: Context, asked: types.GetPromptRequestParams) -> types.GetPromptResult:
        task = (asked.arguments or {}).get("task", "").strip()
        if asked.name != PROMPT or not task:
            raise MCPError(types.INVALID_PARAMS, f"The one prompt is `{PROMPT}`; its argument `task` must be given.")
        guide = types.TextContent(text=GUIDE.read_text(encoding="utf-8").replace("{task}", task))
        return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=guide)])

    return Server(
        "blendproof",
        version=version,
        title="Blendproof",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
    )


async def call(context: Context, called: types.CallToolRequestParams, service: RemoteService) -> types.CallToolResult:
    """The answer of a tool; what is wrong is an answer too, so that a model can correct it."""

    async def say(number: int, text: str) -> None:
        await context.session.report_progress(number, message=text)

    offered = TOOLS.get(called.name)
    if offered is None:
        raise MCPError(types.INVALID_PARAMS, f"There is no tool {called.name[:60]!r}; there are {', '.join(TOOLS)}.")
    try:
        arguments = offered.arguments.model_validate(called.arguments or {})
        return await offered.do(arguments, service, say)
    except ValidationError as error:
        return failed("; ".join(wrong_argument(called.name, dict(one)) for one in error.errors()))
    except ToolFailed as error:
        return failed(str(error))


def wrong_argument(tool: str, error: dict[str, Any]) -> str:
    """The fault of an argument; an unknown one with those that there are, the most alike first."""
    name = ".".join(map(str, error["loc"])) or "arguments"
    if error["type"] != "extra_forbidden":
        return f"{name}: {error['msg']}"
    known = sorted(
        TOOLS[tool].arguments.model_fields, key=lambda argument: -SequenceMatcher(None, argument, name).ratio()
    )
    return f"{name}: `{tool}` has no such argument; it takes {', '.join(known)}"


def failed(words: str) -> types.CallToolResult:
    """An answer that says what is wrong."""
    return said(words).model_copy(update={"is_error": True})
