"""The command language: requests that need no model. `docs/commands.md` has the grammar and examples."""

from app.drafting.commands.commands import Commands, load_examples

__all__ = ["Commands", "load_examples"]
