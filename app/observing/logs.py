"""Logging: one line per event, to standard error. The text of an event never changes; its facts are fields.

Every line that is written during the work on a run has its `run_id`, including lines of libraries.
"""

from __future__ import annotations

import io
import logging
import sys
from collections.abc import MutableMapping
from typing import Any, TextIO

import structlog
from structlog.typing import ExcInfo

from app.observing.foreign import visible
from app.settings import LogFormat, LogLevel


def configure_log(level: LogLevel = "info", form: LogFormat = "auto") -> None:
    """Log to standard error; `auto` writes for people on a terminal and JSON lines elsewhere."""
    for_people = form == "console" or (form == "auto" and sys.stderr.isatty())
    lowest = logging.getLevelNamesMapping()[level.upper()]
    before: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso"),
        without_control,
    ]
    colours = sys.stderr.isatty()
    written: list[Any] = (
        [structlog.dev.ConsoleRenderer(colors=colours, exception_formatter=write_traceback)]
        if for_people
        else [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    )
    structlog.configure(
        processors=[*before, *written],
        wrapper_class=structlog.make_filtering_bound_logger(lowest),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    handler = logging.StreamHandler(sys.stderr)
    remove = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(foreign_pre_chain=before, processors=[remove, *written]))
    # Messages of libraries below a warning are of no use to an operator.
    logging.basicConfig(handlers=[handler], level=max(lowest, logging.WARNING), force=True)


def log_for_people(level: LogLevel = "warning") -> None:
    """Log for whoever called a command: JSON lines are for the logs of services."""
    configure_log(level, "console")


def without_control(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """The event with control characters in its facts spelled out."""
    return {name: visible(value) if isinstance(value, str) else value for name, value in event.items()}


def write_traceback(stream: TextIO, exception: ExcInfo) -> None:
    """Write a traceback without the values of its variables, which could show a key."""
    text = io.StringIO()
    structlog.dev.plain_traceback(text, exception)
    stream.write(visible(text.getvalue()))
