"""The commands: where each is, and its line in the lists, which is the first of its docstring.

Nothing here imports a command; `late` does when one is called.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class Row(NamedTuple):
    """One command, or a family of commands."""

    help: str
    place: str = ""
    """Module and function of a command; empty for a family."""
    default: str = ""
    """The command of a family that is called by the name of the family alone; without one, that prints the list."""


COMMANDS: Final[Mapping[str, Row]] = {
    "generate": Row("Ask for a snippet; prints the proven code.", "snippets:generate"),
    "validate": Row(
        "Judge snippets of your own; prints the verdict of each, or with --on one row per Blender.", "snippets:validate"
    ),
    "check": Row(
        "Read snippets without executing them: syntax, policy, lint, types, and what the Blender API says.",
        "quick_checks:check",
    ),
    "heal": Row(
        "Adapt snippets of your own to a Blender, by rules, then by a model if there is one; prints the healed code.",
        "snippets:heal",
    ),
    "addon": Row("Whole add-ons: check."),
    "addon check": Row(
        "Install add-ons, use all that they register on one Blender or several, and say what was found.",
        "addon_checks:addon_check",
    ),
    "search": Row(
        "Find symbols of the Blender API, or recipes, by what they are for; exit code 1 if nothing is found.",
        "searching:search",
    ),
    "diff": Row("Print what changed in the API between two installed Blenders.", "differences:diff"),
    "replay": Row(
        "Make an artifact again from its receipt, and print whether the result is the same.", "artifacts:replay"
    ),
    "serve": Row("Run the service until it is told to stop.", "serving:serve"),
    "mcp": Row(
        "Serve a model that speaks MCP on standard input and output, such as in Claude Desktop, Cursor or VS Code.",
        "mcp:mcp",
    ),
    "lsp": Row(
        "Serve an editor that speaks LSP on standard input and output: checks, hover, completion and fixes.", "lsp:lsp"
    ),
    "node": Row(
        "Join a cluster and execute what its services send; ends at a signal, when its executions are finished.",
        "node:node",
    ),
    "settings": Row("Show every setting in force and where it comes from; secrets are hidden.", "in_force:settings"),
    "docs": Row("Print a page of the documentation, or list the pages.", "documentation:docs"),
    "doctor": Row(
        "Check the machine and say how to fix what is missing; with --repair, repair the artifacts.", "doctor:doctor"
    ),
    "blenders": Row("The available Blenders: list, install, add, test, remove.", default="list"),
    "blenders list": Row(
        "List the available Blenders, the default first: version, kind, source, label, build hash, path.",
        "blenders:blenders_list",
    ),
    "blenders install": Row(
        "Install the `bpy` wheel of a Blender, its type stubs and its manifest; keeps existing ones.",
        "blenders:blenders_install",
    ),
    "blenders add": Row(
        "Register a Blender of your own, so that requests may name it by version or label.", "blenders:blenders_add"
    ),
    "blenders remove": Row(
        "Remove an installed wheel, or forget a registered executable, whose files stay.", "blenders:blenders_remove"
    ),
    "blenders test": Row("Run a small job on each Blender, as the service would.", "blenders_test:blenders_test"),
    "blenders packages": Row("The Python packages of a Blender: list, add, remove."),
    "blenders packages list": Row(
        "List the packages that were added to a Blender, with their versions.", "packages:packages_list"
    ),
    "blenders packages add": Row(
        "Add packages, as wheels for the Blender's own Python, with all that they need. A running service sees them.",
        "packages:packages_add",
    ),
    "blenders packages remove": Row("Remove packages, and what only they needed.", "packages:packages_remove"),
    "ingest": Row("Fill the index that searches read."),
    "ingest blender": Row(
        "Index the API of a Blender, which is read from inside it; needs no network.", "ingesting:ingest_blender"
    ),
    "ingest docs": Row(
        "Index a published reference; pages and texts that were fetched or embedded before are reused.",
        "ingesting:ingest_docs",
    ),
    "artifacts": Row("The artifacts: list, export, import, delete, replay."),
    "artifacts list": Row("List the artifacts, the newest first.", "artifacts:list_artifacts"),
    "artifacts export": Row("Write the artifacts into one archive.", "artifacts:export_artifacts"),
    "artifacts import": Row("Add the artifacts of an archive.", "artifacts:import_artifacts"),
    "artifacts delete": Row("Delete an artifact with all its files.", "artifacts:delete_artifact"),
    "artifacts replay": Row(
        "Make the artifacts again side by side, the newest first, and print which come out the same.",
        "artifacts:replay_artifacts",
    ),
    "repo": Row("Repositories of code: index, search, ask, follow, port and change them."),
    "repo add": Row("Add a repository and index it; prints its name.", "repo_index:add_repository"),
    "repo list": Row("List the repositories: name and folder.", "repositories:list_repositories"),
    "repo remove": Row(
        "Forget a repository, its index and its clone; files elsewhere stay.", "repositories:remove_repository"
    ),
    "repo index": Row(
        "Bring the index of a repository and its sources up to date; prints what is left out, and why.",
        "repo_index:index_repository",
    ),
    "repo watch": Row("Keep the index of a repository up to date, until Ctrl+C.", "repo_watch:watch_repository"),
    "repo search": Row(
        "Find the places that a question is about; exit code 1 if there are none.", "repo_search:search_repository"
    ),
    "repo structure": Row(
        "Print the folders and files of a repository, with their lines and what each is, as far as the budget allows.",
        "repo_search:show_structure",
    ),
    "repo ask": Row(
        "Have a model answer from the code, each citation checked; without a model, print the places.",
        "repo_ask:ask_repository",
    ),
    "repo diagnose": Row(
        "Find where the errors of a log are from: crash lines, what is used there, and suspects with reasons.",
        "diagnosing:diagnose_repository",
    ),
    "repo graph": Row(
        "Find what calls a symbol, what it calls, what a change may reach, or its tests; exit code 1 if nothing does.",
        "relations:show_graph",
    ),
    "repo path": Row(
        "Find the shortest chain of calls from one symbol to another; exit code 1 if there is none.",
        "relations:show_path",
    ),
    "repo port": Row(
        "Adapt the add-ons of a repository, or of a zip, to another Blender by rules; registers them before and after.",
        "porting:port_repository",
    ),
    "repo edit": Row(
        "Have a model rewrite a file, with what is near in the other files beside it; prints the file.",
        "editing:edit_repository",
    ),
    "repo change": Row(
        "Have a model change a repository: plan, patch, tests before and after, review, at most three rounds.",
        "changing:change_repository",
    ),
    "repo source": Row("Further sources of truth of a repository: add, remove."),
    "repo source add": Row(
        "Add a source of truth to a repository and index it; prints its name.", "sources:add_source"
    ),
    "repo source remove": Row("Take a source away from a repository; its files stay.", "sources:remove_source"),
}
