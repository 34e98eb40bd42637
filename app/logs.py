"""Logging: one line an event, to standard error. The text of an event never changes; facts travel beside it."""

from __future__ import annotations

import logging
import sys
from typing import Any

import structlog


def configure_log(level: int = logging.INFO) -> None:
    """Log to standard error: for people on a terminal, as JSON lines elsewhere."""
    on_terminal = sys.stderr.isatty()
    # A traceback with the values of its variables could show a key.
    console = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    renderer: Any = console if on_terminal else structlog.processors.JSONRenderer()
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            *([] if on_terminal else [structlog.processors.format_exc_info]),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
