"""Commands that are imported when they are called; lists of commands are printed from the table."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from app.cli.command_table import COMMANDS, Row


class LateCommand(TyperCommand):
    """Stands for a command in the lists, and imports it when it is called."""

    def __init__(self, name: str, row: Row) -> None:
        super().__init__(name, help=row.help)
        self._place = row.place

    def make_context(self, *arguments: Any, **options: Any) -> Any:
        """Read the arguments of the command itself."""
        return command_at(self._place).make_context(*arguments, **options)


class LateGroup(TyperGroup):
    """The commands below a name in the table; `default` is called if none is named."""

    def __init__(self, below: str, default: str = "", **attributes: Any) -> None:
        attributes["commands"] = commands_below(below)
        super().__init__(**attributes)
        self._default = default

    def make_context(self, info_name: Any, args: list[str], *others: Any, **options: Any) -> Any:
        """Read which command is meant."""
        named = args or [self._default] * bool(self._default)
        return super().make_context(info_name, named, *others, **options)


class AllCommands(LateGroup):
    """All commands of the table."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__("", **attributes)


def commands_below(below: str) -> dict[str, Any]:
    """The commands and families directly below a name, by their last words."""
    return {
        name.rpartition(" ")[2]: command_of(name, row)
        for name, row in COMMANDS.items()
        if name.rpartition(" ")[0] == below
    }


def command_of(name: str, row: Row) -> LateCommand | LateGroup:
    """The command or family of a row."""
    last = name.rpartition(" ")[2]
    if row.place:
        return LateCommand(last, row)
    return LateGroup(name, row.default, name=last, help=row.help, no_args_is_help=not row.default)


def command_at(place: str) -> Any:
    """The command of a function, imported now."""
    module, _, function = place.partition(":")
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(getattr(import_module(f"app.cli.{module}"), function))
    return get_command(app)
