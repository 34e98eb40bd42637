"""The `blendproof` command."""

from __future__ import annotations

from app.cli.snippets import app, main

__all__ = ["app", "main"]

if __name__ == "__main__":
    main()
