"""The languages of files, by their names."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final

LANGUAGES: Final = {
    **dict.fromkeys((".py", ".pyi", ".pyw"), "python"),
    **dict.fromkeys((".js", ".jsx", ".mjs", ".cjs"), "javascript"),
    **dict.fromkeys((".ts", ".mts", ".cts"), "typescript"),
    **dict.fromkeys((".yml", ".yaml"), "yaml"),
    **dict.fromkeys((".html", ".htm", ".djhtml", ".jinja", ".jinja2", ".j2"), "html"),
    **dict.fromkeys((".md", ".markdown"), "markdown"),
    ".tsx": "tsx",
    ".toml": "toml",
    ".json": "json",
    ".css": "css",
    ".rst": "rst",
}


def language_of(path: str) -> str:
    """The language that the name of a file says."""
    return LANGUAGES.get(PurePosixPath(path).suffix.lower(), "text")
