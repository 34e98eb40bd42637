"""The language server: each request of an editor is answered here."""

from __future__ import annotations

import contextlib
import re
from typing import Any, Final

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from clients.lsp.documents import EditedFiles
from clients.lsp.fixes import actions, lines_of
from clients.lsp.hover import markdown
from clients.lsp.remote import NotAnswered, ServiceConnection

PROVE: Final = "blendproof.prove"
KINDS: Final = {
    "member": lsp.CompletionItemKind.Property,
    "argument": lsp.CompletionItemKind.Variable,
    "item": lsp.CompletionItemKind.EnumMember,
    "node": lsp.CompletionItemKind.Class,
    "socket": lsp.CompletionItemKind.Field,
}
IN_TEXT: Final = frozenset({"item", "node", "socket"})
"""Kinds of what is written between quotes."""
OPENED: Final = re.compile(r"[^\"']*$")


def language_server(service: ServiceConnection, version: str) -> LanguageServer:
    """The server, which asks this service."""
    # Whole texts, because pygls ends lines of edits at form feeds.
    server = LanguageServer("blendproof", version, text_document_sync_kind=lsp.TextDocumentSyncKind.Full)

    def text_of(uri: str) -> str:
        return server.workspace.get_text_document(uri).source

    def publish(uri: str, diagnostics: list[lsp.Diagnostic]) -> None:
        document = server.workspace.get_text_document(uri)
        shown = [in_units(diagnostic, document) for diagnostic in diagnostics]
        server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri=uri, diagnostics=shown))

    def say(problem: str) -> None:
        server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, f"Blendproof: {problem}"))

    files = EditedFiles(service, text_of, publish, say)
    listen(server, files, service)
    answer(server, files)
    prove_on_command(server, files, service, say)
    return server


def in_units(diagnostic: lsp.Diagnostic, document: TextDocument) -> lsp.Diagnostic:
    """A diagnostic with its columns as the editor counts them."""
    shown = document.position_codec.range_to_client_units(lines_of(document.source), diagnostic.range)
    said, tags = diagnostic.message, diagnostic.tags
    return lsp.Diagnostic(shown, said, diagnostic.severity, diagnostic.code, source=diagnostic.source, tags=tags)


def listen(server: LanguageServer, files: EditedFiles, service: ServiceConnection) -> None:
    """Follow the files that are open."""

    @server.feature(lsp.INITIALIZED)
    async def _(_params: lsp.InitializedParams) -> None:
        service.begin()

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def _(params: lsp.DidOpenTextDocumentParams) -> None:
        files.edited(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def _(params: lsp.DidChangeTextDocumentParams) -> None:
        files.edited(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    async def _(params: lsp.DidCloseTextDocumentParams) -> None:
        files.close(params.text_document.uri)


def answer(server: LanguageServer, files: EditedFiles) -> None:
    """Answer hovers, completions and code actions."""

    async def place(uri: str, at: lsp.Position, **more: Any) -> tuple[dict[str, Any], str]:
        """The answer of the service about a place, and the text of its line before it."""
        document = server.workspace.get_text_document(uri)
        lines = lines_of(document.source)
        own = document.position_codec.position_from_client_units(lines, at)
        body = {"snippet": document.source, "line": own.line + 1, "column": own.character + 1}
        before = lines[own.line][: own.character] if own.line < len(lines) else ""
        return await files.ask(uri, "/check/place", {**body, **more}), before

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def _(params: lsp.HoverParams) -> lsp.Hover | None:
        with contextlib.suppress(NotAnswered):
            found, _before = await place(params.text_document.uri, params.position)
            if found["address"]:
                return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, markdown(found)))
        return None

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[".", "'", '"', "(", ","]))
    async def _(params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
        with contextlib.suppress(NotAnswered):
            found, before = await place(params.text_document.uri, params.position, offers=True)
            return [item(offer, params.position, before, place) for place, offer in enumerate(found["offers"])]
        return []

    options = lsp.CodeActionOptions(
        [lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.SourceFixAll, lsp.CodeActionKind.Source]
    )

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, options)
    async def _(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        uri = params.text_document.uri
        prove = lsp.Command("Prove this file", PROVE, arguments=[uri])
        return [
            *actions(files.fixes(uri), uri, params.range),
            lsp.CodeAction("Prove this file in Blender", kind=lsp.CodeActionKind.Source, command=prove),
        ]


def item(offer: dict[str, str], at: lsp.Position, before: str, place: int) -> lsp.CompletionItem:
    """An offer as an editor takes it; one for a string replaces all that is written of the string."""
    made = lsp.CompletionItem(
        offer["label"], kind=KINDS[offer["kind"]], detail=offer["detail"] or None, sort_text=f"{place:05}"
    )
    if offer["kind"] in IN_TEXT and (written := OPENED.search(before)):
        begin = lsp.Position(at.line, at.character - len(written[0].encode("utf-16-le")) // 2)
        made.text_edit = lsp.TextEdit(lsp.Range(begin, at), offer["label"])
    return made


def prove_on_command(server: LanguageServer, files: EditedFiles, service: ServiceConnection, say: Any) -> None:
    """Prove a file as a command, and say how it came out, with the picture as a link; not with True as an argument."""

    @server.command(PROVE)
    async def _(uri: str, *quiet: bool) -> dict[str, Any] | None:
        text = server.workspace.get_text_document(uri).source
        try:
            run = await files.ask(uri, "/validate", {"snippet": text})
            home = await service.address()
        except NotAnswered as why:
            say(str(why))
            return None
        artifact = run["artifact"]
        told = {
            "status": run["status"],
            "page": f"{home}/page/runs/{run['id']}",
            "picture": f"{home}{artifact['picture']}" if artifact else None,
        }
        said = f"{run['status'].replace('_', ' ')} on Blender {run['blender']}: {told['picture'] or told['page']}"
        kind = lsp.MessageType.Info if run["status"] == "proven" else lsp.MessageType.Warning
        if not any(quiet):
            server.window_show_message(lsp.ShowMessageParams(kind, f"Blendproof: {said}"))
        return told
