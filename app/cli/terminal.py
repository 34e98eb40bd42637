"""The shared part of the commands: where they print, and how they exit."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NoReturn

import typer
from rich.console import Console

from app.cli.exits import NOT_PROVEN, USAGE, Failure
from app.observing.foreign import escape, visible
from app.settings import Settings, read_settings

talk: Final = Console(stderr=True, highlight=False, soft_wrap=True)


def own_settings() -> Settings:
    """The settings of this call."""
    with expected_errors():
        return read_settings()


@contextmanager
def expected_errors() -> Generator[None, None, None]:
    """Turn the errors that users can act on into a message and an exit code."""
    try:
        yield
    except KeyboardInterrupt:
        fail("stopped", NOT_PROVEN)
    except Exception as error:
        # Imported here, because it knows the errors of all commands, and most calls raise none.
        from app.cli.failures import failure_of

        failure = failure_of(error)
        if failure is None:
            raise
        show_error(failure)
        raise typer.Exit(failure.exit_code) from None


def show_error(failure: Failure) -> None:
    """Print what failed, what was understood of it, and what to do."""
    talk.print(f"[red]{escape(failure.message)}[/]")
    details = failure.details
    if understood := details.get("understood"):
        for sentence in understood:
            talk.print(f"  understood: {escape(sentence)}")
        for sentence in details.get("missing", []):
            talk.print(f"  not yet: {escape(sentence)}")
    offered: list[dict[str, str]] = details.get("near", [])
    if offered:
        talk.print("  not what you asked for, but proven and near it:")
    for one in offered:
        way = f"blendproof generate '{one['ask']}'" if "ask" in one else f"artifact {one['artifact']}"
        talk.print(f"    {escape(one['title'])}: {escape(way)}")
    if allowed := details.get("allowed"):
        read = f'after "{details["read"]}"' if details.get("read") else "at the beginning"
        talk.print(f"  {escape(read)} may follow: {escape(allowed)}")
    for near in details.get("nearest", []):
        talk.print(f"  nearest: {escape(near)}")
    if failure.hint:
        talk.print(escape(failure.hint))


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
