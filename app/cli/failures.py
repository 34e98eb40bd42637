"""The errors that users can act on, each with its exit code."""

from __future__ import annotations

import sys
import traceback
from pathlib import Path

import typer

from app.cli.client import RequestRefused, ServiceNotAvailable, WrongUrl
from app.cli.exits import NOT_AVAILABLE, USAGE, Failure, exit_code_of_problem
from app.errors import BlendproofError, InvalidRequest, NotFound, SettingsInvalid
from codebase.errors import RepositoryError
from harness.blenders import BlenderNotAvailable, BlenderUnknown
from search.exporting import ModelUnusable


def failure_of(error: Exception) -> Failure | None:
    """The message and exit code for an error; None for an end that was meant, and in Python's development mode."""
    match error:
        case RequestRefused():
            return Failure(error.body.message, USAGE, error.body.hint, error.body.details)
        case BlendproofError():
            wrong = isinstance(error, (SettingsInvalid, InvalidRequest, NotFound))
            return Failure(error.message, USAGE if wrong else NOT_AVAILABLE, error.shown_hint, error.details)
        case WrongUrl() | BlenderUnknown():
            return Failure(str(error), USAGE)
        case RepositoryError():
            return Failure(str(error), exit_code_of_problem(type(error).__name__))
        case ServiceNotAvailable() | BlenderNotAvailable() | ModelUnusable():
            return Failure(str(error), NOT_AVAILABLE)
        case typer.Exit() | typer.Abort() | typer.BadParameter() | BrokenPipeError():
            return None
        case _ if sys.flags.dev_mode:
            return None
        case _:
            *_, last = traceback.extract_tb(error.__traceback__)
            place = f"{'/'.join(Path(last.filename).parts[-3:])}:{last.lineno}"
            said = f"internal_error: {type(error).__name__} at {place}: {error}"
            return Failure(said, NOT_AVAILABLE, "This is a fault of Blendproof; `python -X dev` shows the traceback.")
