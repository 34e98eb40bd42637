"""Logging: one line per event, to standard error. The text of an event never changes; its facts are fields.

Every line that is written during the work on a run has its `run_id`, including lines of libraries.
"""

from __future__ import annotations

import logging
import sys
from typing import Any

import structlog

from app.settings import LogFormat, LogLevel


def configure_log(level: LogLevel = "info", form: LogFormat = "auto") -> None:
    """Log to standard error; `auto` writes for people on a terminal and JSON lines elsewhere."""
    for_people = form == "console" or (form == "auto" and sys.stderr.isatty())
    lowest = logging.getLevelNamesMapping()[level.upper()]
    before: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso"),
    ]
    # A traceback with the values of its variables could show a key.
    plain = structlog.dev.plain_traceback
    colours = sys.stderr.isatty()
    written: list[Any] = (
        [structlog.dev.ConsoleRenderer(colors=colours, exception_formatter=plain)]
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
