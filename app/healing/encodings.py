"""Python files as Python reads them: in the encoding that they name, whatever their comments hold."""

from __future__ import annotations

import codecs
import io
import tokenize
from typing import Final

from python.parsing import parse_python

_EACH_BYTE: Final = "blendproof-each-byte"


def encoding_of(content: bytes) -> str:
    """The encoding that a Python file says it has; UTF-8 if it says nothing, or what no text has."""
    try:
        return tokenize.detect_encoding(io.BytesIO(content).readline)[0]
    except SyntaxError:
        return "utf-8"


def text_of_module(content: bytes) -> str | None:
    """The text of a Python file as Python reads it; None if Python refuses it.

    Python does not read its comments: a byte there may be in no encoding, and is taken for one character.
    """
    try:
        return content.decode(encoding_of(content))
    except UnicodeDecodeError:
        return content.decode("utf-8", _EACH_BYTE) if parses(content) else None


def parses(content: bytes) -> bool:
    """True if Python takes the bytes of a file."""
    try:
        parse_python(content)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def bytes_of_module(text: str, content: bytes) -> bytes:
    """The bytes of a healed text in the encoding of the file that it was made from."""
    try:
        return text.encode(encoding_of(content))
    except UnicodeEncodeError:
        return text.encode()


def _each_byte(error: UnicodeError) -> tuple[str, int]:
    """Take each byte that is no UTF-8 for the character of its number."""
    assert isinstance(error, UnicodeDecodeError)
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error(_EACH_BYTE, _each_byte)
