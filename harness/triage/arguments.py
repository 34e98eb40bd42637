"""Missing arguments of a snippet, from the command line or from the environment."""

from __future__ import annotations

import re
from typing import Final

from harness.triage.failure import RunFailure
from harness.triage.said import ARGUMENTS, own_words

# The exit code of argument parsers.
_USAGE_EXIT: Final = "2"

# The messages of argument parsers before they exit.
_REQUIRED: Final = (
    r"error: the following arguments are required: (?P<names>.+)",
    r"error: one of the arguments (?P<names>.+?) is required",
    r"error: (?P<names>argument \S+): expected (?:one|at least one|\d+) arguments?",
    r"Missing (?:option|argument|parameter):? (?P<names>\S+)",
)


def missing_arguments(failure: RunFailure) -> str | None:
    """The arguments that the snippet did not get."""
    if failure.exception == "SystemExit":
        return _argument_parser(failure) or _usage(failure) or _own_words(failure)
    if failure.exception in {"IndexError", "ValueError"}:
        return _argument_list(failure) or _own_words(failure)
    if failure.exception == "KeyError":
        return _environment(failure) or _own_words(failure)
    return _parsed_argument(failure) or _own_words(failure)


def _own_words(failure: RunFailure) -> str | None:
    words = own_words(failure)
    return f'arguments: it says "{words}"' if words and ARGUMENTS.search(words) else None


def _argument_parser(failure: RunFailure) -> str | None:
    if _USAGE_EXIT not in {failure.message, str(failure.exit_code)}:
        return None
    for pattern in _REQUIRED:
        found = re.search(pattern, failure.stderr)
        if found:
            names = found["names"].strip().strip("'\".").removeprefix("argument ")
            return f"argument {names}"
    return None


def _usage(failure: RunFailure) -> str | None:
    usage = re.search(r"usage:?\s+(.+)", failure.message, re.IGNORECASE)
    return f"arguments ({usage[1].strip()})" if usage else None


def _argument_list(failure: RunFailure) -> str | None:
    """A line that indexes, unpacks or converts something made from sys.argv."""
    texts = [text for text in failure.place.texts if "sys.argv" in text]
    if not texts:
        return None
    absent = re.match(r"'(.+)' is not in list", failure.message)
    if absent and absent[1] != "--":
        return f"argument {absent[1]}"
    named = filter(None, map(_argument_at, texts))
    return next(named, "arguments (sys.argv)")


def _argument_at(text: str) -> str | None:
    """The argument that an expression takes from the list, if any."""
    option = re.search(r"\.index\('(--?\w[\w-]*)'\) \+ 1\]$", text)
    if option:
        return f"a value for argument {option[1]}"
    position = re.fullmatch(r"sys\.argv(\[.*:\])?\[(\d+)\]", text)
    if position:
        # sys.argv itself starts with the program's name, which is not counted; a slice of it does not.
        number = int(position[2]) + (1 if position[1] else 0)
        return f"argument {number}"
    return None


def _environment(failure: RunFailure) -> str | None:
    name = failure.message.strip("'\"")
    wanted = f"os.environ['{name}']" in failure.place.texts
    return f"environment variable {name}" if wanted else None


def _parsed_argument(failure: RunFailure) -> str | None:
    """An optional argument that is None because the snippet did not get it."""
    if "NoneType" not in failure.message:
        return None
    for text in failure.place.texts:
        found = re.search(r"\.parse_(?:known_)?args\(.*?\)(?:\[0\])?\.(\w+)$", text)
        if found:
            return f"argument --{found[1].replace('_', '-')}"
    return None
