"""The commands of repositories, called as a person calls them."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner, Result

from app.cli.main import app


def call(*arguments: str | Path, text: str | bytes | None = None) -> Result:
    return CliRunner().invoke(app, ["repo", *map(str, arguments)], input=text)
