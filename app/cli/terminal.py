"""What the commands share: where they print, how they exit, and which errors users can act on."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NoReturn

import typer
from rich.console import Console

from app.cli.client import RequestRefused, ServiceNotAvailable, WrongUrl
from app.errors import BlendproofError, InvalidRequest, SettingsInvalid
from app.observing.foreign import escape, visible
from app.settings import Settings, read_settings
from harness.blenders import BlenderNotAvailable

NOT_PROVEN, USAGE, NOT_AVAILABLE = 1, 2, 3

talk: Final = Console(stderr=True, highlight=False, soft_wrap=True)


def own_settings() -> Settings:
    with expected_errors():
        return read_settings()


@contextmanager
def expected_errors() -> Generator[None, None, None]:
    """Turn the errors that users can act on into a message and an exit code."""
    try:
        yield
    except RequestRefused as refused:
        show_error(refused.body.message, refused.body.hint, refused.body.details)
        raise typer.Exit(USAGE) from None
    except BlendproofError as error:
        show_error(error.message, error.shown_hint, error.details)
        raise typer.Exit(USAGE if isinstance(error, (SettingsInvalid, InvalidRequest)) else NOT_AVAILABLE) from None
    except WrongUrl as error:
        fail(str(error), USAGE)
    except (ServiceNotAvailable, BlenderNotAvailable) as error:
        fail(str(error), NOT_AVAILABLE)
    except KeyboardInterrupt:
        fail("stopped", NOT_PROVEN)


def show_error(message: str, hint: str, details: dict[str, Any]) -> None:
    talk.print(f"[red]{escape(message)}[/]")
    if understood := details.get("understood"):
        for sentence in understood:
            talk.print(f"  understood: {escape(sentence)}")
        for sentence in details.get("missing", []):
            talk.print(f"  not yet: {escape(sentence)}")
    for near in details.get("nearest", []):
        talk.print(f"  nearest: {escape(near)}")
    talk.print(escape(hint))


def fail(message: str, code: int) -> NoReturn:
    talk.print(f"[red]{escape(message)}[/]")
    raise typer.Exit(code)


def print_code(text: str) -> None:
    """Print code as it is if it goes to a file or a program; on a terminal, without control characters."""
    print(visible(text) if sys.stdout.isatty() else text, end="")


def read_text(file: Path) -> str:
    """The text of a file, or of standard input for `-`; wrong usage if it cannot be read."""
    try:
        return read_bytes(file).decode("utf-8-sig")
    except UnicodeDecodeError:
        fail(f"{file} is not UTF-8 text.", USAGE)


def read_bytes(file: Path) -> bytes:
    """The bytes of a file, or of standard input for `-`; wrong usage if it cannot be read."""
    try:
        return sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        fail(f"{file} cannot be read: {error.strerror}", USAGE)
